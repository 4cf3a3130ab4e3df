//! Unicode 1.1: any of its encoding forms, with its Hangul moved to where it lives now.
//!
//! UNICODE-1-1-UTF-8 (RFC 2279, section 5), UNICODE-1-1-UTF-7 (RFC 1642) and UNICODE-1-1
//! (RFC 1641) are read by the codec of the form, and what comes out of it is remapped as
//! the [`HangulPolicy`] says.

use super::hangul::{self, Census, HangulPolicy, Remap};
use super::{Codec, Sink, utf8};
use crate::report::{Kind, Report};

/// Who says that a text is in Unicode 1.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Claim {
    /// Its label, which may be wrong.
    Labelled,
    /// The caller, of all texts; a text that is in no Unicode 1.1 is no surprise.
    Assumed,
}

/// `form` with the remap behind it.
pub(super) fn wrap(form: Box<dyn Codec>, policy: HangulPolicy, claim: Claim) -> Box<dyn Codec> {
    match policy {
        HangulPolicy::Never => form,
        _ => Box::new(Unicode11Codec {
            form,
            policy,
            claim,
            fresh: String::new(),
            held: Vec::new(),
            census: Census::default(),
            written: 0,
            length: 0,
            is_clean: true,
        }),
    }
}

/// Under Auto a single character of today at the end of a text decides about its beginning,
/// so the text is held back until one comes or the text ends.
struct Unicode11Codec {
    form: Box<dyn Codec>,
    policy: HangulPolicy,
    claim: Claim,
    /// What the form's codec just wrote.
    fresh: String,
    /// The text that was not handed out yet, in UTF-8, remapped on trust.
    held: Vec<u8>,
    /// What all of the text holds.
    census: Census,
    /// How many octets of UTF-8 all of the text has.
    written: usize,
    /// How many octets it was read from.
    length: usize,
    /// Whether nothing was found wrong with them.
    is_clean: bool,
}

impl Codec for Unicode11Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let before = sink.report.count();
        let mut inner = Sink {
            text: &mut self.fresh,
            report: &mut *sink.report,
            base: sink.base,
        };
        let used = self.form.decode(input, last, &mut inner);
        self.is_clean &= sink.report.count() == before;
        self.length = sink.base + used;
        let mut fresh = std::mem::take(&mut self.fresh).into_bytes();
        let extent = self.extent();
        let census = hangul::remap(&mut fresh, extent);
        if extent == Remap::UnlessContradicted && census.is_contradicted() {
            hangul::restore(&mut self.held);
        }
        self.census.add(census, self.written);
        self.written += fresh.len();
        if self.held.is_empty() {
            self.held = fresh;
        } else {
            self.held.append(&mut fresh);
        }
        if last || self.is_decided() {
            // Validated once more, since the octets were changed; at the speed of copying.
            sink.text.push_str(&utf8::decode_lossy(&self.held));
            self.held.clear();
        }
        if last {
            self.conclude(sink.report);
        }
        used
    }
}

impl Unicode11Codec {
    /// Whether nothing that may follow changes how the text is read.
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

    /// Says what was done, at the end of the text.
    fn conclude(&self, report: &mut Report) {
        let census = self.census;
        // As long as every octet of UTF-8 came through, text and octets count alike.
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
                    "{} syllables at their old place beside {} at today's and {} later characters: \
                     read as today's Unicode",
                    census.old, census.new, census.later
                ),
            );
        } else if self.claim == Claim::Assumed {
            // No label has been found wrong.
        } else if census.is_contradicted() {
            report.add_in_octets(
                Kind::Mislabelled,
                0,
                self.length,
                "characters that Unicode 1.1 did not have: read as today's Unicode",
            );
        } else if census.jamo == 0 && self.written > 0 {
            report.add_in_octets(Kind::LabelWithoutHangul, 0, self.length, "");
        }
    }
}
