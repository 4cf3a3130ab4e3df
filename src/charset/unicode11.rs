//! Unicode 1.1 in any encoding form, with its Hangul remapped to today's code points.
//!
//! The codec of the form decodes UNICODE-1-1-UTF-8 (RFC 2279, section 5), UNICODE-1-1-UTF-7 (RFC 1642)
//! and UNICODE-1-1 (RFC 1641). Its output is then remapped according to the [`HangulPolicy`].

use super::codec::{Codec, Sink};
use super::hangul::{self, Census, HangulPolicy, Remap};
use super::registry::UnicodeForm;
use super::web;
use crate::report::{Kind, Report};

/// Wraps `codec`, which decodes `form`, and remaps its output.
pub(super) fn wrap(
    form: UnicodeForm,
    codec: Box<dyn Codec>,
    policy: HangulPolicy,
    is_labelled: bool,
) -> Box<dyn Codec> {
    match policy {
        HangulPolicy::Never => codec,
        _ => Box::new(Unicode11Codec {
            is_utf8: form == UnicodeForm::Utf8,
            form: codec,
            policy,
            is_labelled,
            decoded: String::new(),
            pending: String::new(),
            census: Census::default(),
            written: 0,
            length: 0,
            is_clean: true,
        }),
    }
}

/// Under Auto, a single new syllable at the end of a text decides how the beginning is decoded. The
/// text is therefore buffered until a new syllable or the end.
#[derive(Clone)]
struct Unicode11Codec {
    form: Box<dyn Codec>,
    /// Whether well-formed octets equal the text before the remap.
    is_utf8: bool,
    policy: HangulPolicy,
    /// Whether the label says Unicode 1.1; if not, the caller assumes it for all texts.
    is_labelled: bool,
    /// Latest output of the form's codec.
    decoded: String,
    /// Text not yet returned and not yet remapped.
    pending: String,
    /// The census of the whole text.
    census: Census,
    /// The length of the whole text in UTF-8.
    written: usize,
    /// The number of octets from which it was decoded.
    length: usize,
    /// Whether no octet was malformed.
    is_clean: bool,
}

impl Codec for Unicode11Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let mut decoded = std::mem::take(&mut self.decoded);
        decoded.clear();
        let well_formed = if self.is_utf8 { web::utf8(input) } else { None };
        let (text, used) = if let Some(text) = well_formed {
            (text, input.len())
        } else {
            let before = sink.report.count();
            let mut inner = Sink {
                text: &mut decoded,
                report: &mut *sink.report,
                base: sink.base,
            };
            let used = self.form.decode(input, last, &mut inner);
            self.is_clean &= sink.report.count() == before;
            (decoded.as_str(), used)
        };
        self.length = sink.base + used;
        // Text that is decided or complete is not buffered.
        let is_whole = last && self.pending.is_empty();
        let census = if self.is_decided() || is_whole {
            hangul::remap(text, self.extent(), sink.text)
        } else {
            self.pending.push_str(text);
            hangul::census(text)
        };
        self.census.add(census, self.written);
        self.written += text.len();
        self.decoded = decoded;
        if last || self.is_decided() {
            self.release(sink.text);
        }
        if last {
            self.report_outcome(sink.report);
        }
        used
    }

    fn flush_partial(&mut self, sink: &mut Sink<'_>) -> usize {
        let mut late = String::new();
        let unread = self.form.flush_partial(&mut Sink {
            text: &mut late,
            report: &mut *sink.report,
            base: sink.base,
        });
        self.census.add(hangul::census(&late), self.written);
        self.written += late.len();
        self.pending.push_str(&late);
        self.release(sink.text);
        self.report_outcome(sink.report);
        unread
    }

    /// Under any other policy, later text depends on all of the text before it.
    fn state(&self) -> Option<u128> {
        let state = self.form.state()?;
        (self.policy == HangulPolicy::Always).then_some(state)
    }

    fn resume(&mut self, state: u128) {
        self.form.resume(state);
    }
}

impl Unicode11Codec {
    /// Whether no further input can change the decision.
    fn is_decided(&self) -> bool {
        self.policy == HangulPolicy::Always || self.census.is_contradicted()
    }

    fn extent(&self) -> Remap {
        match self.policy {
            HangulPolicy::Always => Remap::All,
            _ if self.census.is_contradicted() => Remap::None,
            _ => Remap::UnlessContradicted,
        }
    }

    /// Remaps and appends the pending text. It must be decided or complete.
    fn release(&mut self, text: &mut String) {
        let pending = std::mem::take(&mut self.pending);
        if !pending.is_empty() {
            hangul::remap(&pending, self.extent(), text);
        }
    }

    /// Reports the result at the end of the text.
    fn report_outcome(&self, report: &mut Report) {
        let census = self.census;
        // If every octet was copied as UTF-8, offsets in text and octets are equal.
        let (start, end) = match census.span {
            Some(span) if self.is_clean && self.written == self.length => span,
            _ => (0, self.length),
        };
        if census.old > 0 && self.extent() != Remap::None {
            let detail = format!("{} syllables", census.old);
            report.add_in_octets(Kind::HangulRemapped, start, end - start, detail);
        } else if census.old > 0 {
            report.add_in_octets(
                Kind::Mislabelled,
                start,
                end - start,
                format!(
                    "{} syllables at old code points, {} at current ones, and {} later characters: \
                     decoded as current Unicode",
                    census.old, census.new, census.later
                ),
            );
        } else if !self.is_labelled {
            // The caller's assumption is not a wrong label.
        } else if census.is_contradicted() {
            report.add_in_octets(
                Kind::Mislabelled,
                0,
                self.length,
                "characters that Unicode 1.1 lacks: decoded as current Unicode",
            );
        } else if census.jamo == 0 && self.written > 0 {
            report.add_in_octets(Kind::LabelWithoutHangul, 0, self.length, "");
        }
    }
}
