//! Unicode 1.1: any of its encoding forms, with its Hangul moved to where it lives now.
//!
//! UNICODE-1-1-UTF-8 (RFC 2279, section 5), UNICODE-1-1-UTF-7 (RFC 1642) and UNICODE-1-1
//! (RFC 1641) are read by the codec of the form, and what comes out of it is remapped as
//! the [`HangulPolicy`] says.

use super::hangul::{self, HangulPolicy};
use super::{Codec, Sink};
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
            text: String::new(),
            report: Report::new(),
            length: 0,
        }),
    }
}

/// Holds the whole text back, since under Auto a single character of today at its end
/// decides about its beginning.
struct Unicode11Codec {
    form: Box<dyn Codec>,
    policy: HangulPolicy,
    claim: Claim,
    text: String,
    report: Report,
    length: usize,
}

impl Codec for Unicode11Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let mut inner = Sink {
            text: &mut self.text,
            report: &mut self.report,
            base: sink.base,
        };
        let used = self.form.decode(input, last, &mut inner);
        self.length = sink.base + used;
        if last {
            self.settle(sink);
        }
        used
    }
}

impl Unicode11Codec {
    fn settle(&mut self, sink: &mut Sink<'_>) {
        let mut text = std::mem::take(&mut self.text);
        let report = std::mem::take(&mut self.report);
        let census = hangul::census(&text);
        // As long as every octet of UTF-8 came through, text and octets count alike.
        let (start, end) = match census.span {
            Some((start, end)) if text.len() == self.length && report.is_empty() => (start, end),
            _ => (0, self.length),
        };
        sink.report.absorb(report, 0);
        let contradicted = census.new > 0 || census.later > 0;
        if census.old > 0 && contradicted && self.policy == HangulPolicy::Auto {
            sink.report.add_in_octets(
                Kind::Mislabelled,
                start,
                end - start,
                format!(
                    "{} syllables at their old place beside {} at today's and {} later characters: \
                     read as today's Unicode",
                    census.old, census.new, census.later
                ),
            );
        } else if census.old > 0 {
            let count = hangul::remap(&mut text);
            sink.report.add_in_octets(
                Kind::HangulRemapped,
                start,
                end - start,
                format!("{count} syllables"),
            );
        } else if self.claim == Claim::Assumed {
            // No label has been found wrong.
        } else if contradicted {
            sink.report.add_in_octets(
                Kind::Mislabelled,
                0,
                self.length,
                "characters that Unicode 1.1 did not have: read as today's Unicode",
            );
        } else if census.jamo == 0 && !text.is_empty() {
            sink.report
                .add_in_octets(Kind::LabelWithoutHangul, 0, self.length, "");
        }
        sink.text.push_str(&text);
    }
}
