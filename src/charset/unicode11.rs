//! Unicode 1.1: any of its encoding forms, with its Hangul moved to where it lives now.
//!
//! UNICODE-1-1-UTF-8 (RFC 2279, section 5), UNICODE-1-1-UTF-7 (RFC 1642) and UNICODE-1-1
//! (RFC 1641) are read by the codec of the form, and what comes out of it is remapped as
//! the [`HangulPolicy`] says.

use super::codec::{Codec, Sink};
use super::hangul::{self, Census, HangulPolicy, Remap};
use super::registry::UnicodeForm;
use super::web;
use crate::report::{Kind, Report};

/// `codec`, which reads `form`, with the remap behind it.
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
            fresh: String::new(),
            waiting: String::new(),
            census: Census::default(),
            written: 0,
            length: 0,
            is_clean: true,
        }),
    }
}

/// Under Auto a single character of today at the end of a text decides about its beginning,
/// so the text waits until one comes or the text ends.
#[derive(Clone)]
struct Unicode11Codec {
    form: Box<dyn Codec>,
    /// Whether well-formed octets are the text before the remap.
    is_utf8: bool,
    policy: HangulPolicy,
    is_labelled: bool,
    /// What the form's codec just wrote.
    fresh: String,
    /// The text that was not handed out yet, remapped on trust.
    waiting: String,
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
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        let well_formed = if self.is_utf8 { web::utf8(input) } else { None };
        let (text, used) = if let Some(text) = well_formed {
            (text, input.len())
        } else {
            let before = sink.report.count();
            let mut inner = Sink {
                text: &mut fresh,
                report: &mut *sink.report,
                base: sink.base,
            };
            let used = self.form.decode(input, last, &mut inner);
            self.is_clean &= sink.report.count() == before;
            (fresh.as_str(), used)
        };
        self.length = sink.base + used;
        let extent = self.extent();
        // A text that is decided does not wait, nor does one that comes whole.
        let is_whole = last && self.waiting.is_empty();
        let waits = !(self.is_decided() || is_whole);
        let waiting = self.waiting.len();
        let out = if waits {
            &mut self.waiting
        } else {
            &mut *sink.text
        };
        let census = remap(text, extent, out);
        if waits && census.is_contradicted() {
            let (remapped, as_it_is) = self.waiting.split_at(waiting);
            self.waiting = hangul::restore(remapped) + as_it_is;
        }
        self.census.add(census, self.written);
        self.written += text.len();
        self.fresh = fresh;
        if last || self.is_decided() {
            sink.text.push_str(&self.waiting);
            self.waiting.clear();
        }
        if last {
            self.conclude(sink.report);
        }
        used
    }

    fn give_out(&mut self, sink: &mut Sink<'_>) -> usize {
        let mut late = String::new();
        let unread = self.form.give_out(&mut Sink {
            text: &mut late,
            report: &mut *sink.report,
            base: sink.base,
        });
        let census = remap(&late, self.extent(), &mut self.waiting);
        self.census.add(census, self.written);
        self.written += late.len();
        sink.text.push_str(&std::mem::take(&mut self.waiting));
        self.conclude(sink.report);
        unread
    }

    /// Under any other policy the text that follows depends on all that came before.
    fn state(&self) -> Option<u128> {
        let state = self.form.state()?;
        (self.policy == HangulPolicy::Always).then_some(state)
    }

    fn resume(&mut self, state: u128) {
        self.form.resume(state);
    }
}

/// [`hangul::remap`], which takes longer to prepare than a few characters take one by one.
fn remap(text: &str, extent: Remap, out: &mut String) -> Census {
    const FEW: usize = 32;
    if text.len() > FEW {
        return hangul::remap(text, extent, out);
    }
    let census = hangul::census(text);
    let remaps = match extent {
        Remap::All => true,
        Remap::UnlessContradicted => !census.is_contradicted(),
        Remap::None => false,
    };
    if remaps && census.old > 0 {
        out.extend(text.chars().map(|old| hangul::modern(old).unwrap_or(old)));
    } else {
        out.push_str(text);
    }
    census
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
        } else if !self.is_labelled {
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
