//! Decides the charset of labelled octets in a field, as for a body.

use memchr::memmem;

use super::characters::place_at;
use super::context::Context;
use super::weighing::{Weighing, resolve_and_report};
use crate::charset::{self, Charset, Options};
use crate::detect::Guess;
use crate::label::Label;
use crate::report::{Kind, Report, Source};
use crate::work::work;

/// Reports an unknown, repaired or empty label of a word or value.
pub(super) fn report_label(
    label: &Label<'_>,
    (offset, length): (usize, usize),
    report: &mut Report,
) {
    if label.as_bytes().is_empty() {
        report.add(Kind::NoLabel, offset, length, "no charset is declared");
        return;
    }
    let mut found = Report::new();
    resolve_and_report(label, &mut found);
    place_at(&found, offset, length, report);
}

/// The charset named by the label of a word or value; `None` if this build has no decoder for it.
/// [`Charset::UNKNOWN_8BIT`] if the label is unknown: the octets then decide.
pub(crate) fn charset_of_label(label: &Label<'_>) -> Option<Charset> {
    let charset = charset::resolve(label).charset;
    readable(charset.unwrap_or(Charset::UNKNOWN_8BIT))
}

/// Returns the charset if octets under its label can be decoded: it has a decoder, or it declares nothing
/// and the octets decide.
pub(super) fn readable(charset: Charset) -> Option<Charset> {
    (charset.is_decoded() || charset.names_nothing()).then_some(charset)
}

/// Whether any label in a US-ASCII field, of a word or of an extended value, may leave the choice of
/// charset to the octets.
pub(crate) fn may_be_guessed(body: &[u8]) -> bool {
    let is_open = |start: usize, end: fn(&[u8]) -> Option<usize>| {
        let rest = body.get(start..).unwrap_or_default();
        let length = end(rest).unwrap_or(rest.len());
        work(length);
        let label = rest.get(..length).unwrap_or_default();
        !matches!(Charset::for_label_octets(label), Some(charset) if charset.is_declarable() && charset != Charset::US_ASCII)
    };
    let is_open_word = |at| is_open(at + 2, |rest| memchr::memchr2(b'?', b'*', rest));
    // Later sections of a value have no label; they count as open too.
    let is_open_value = |at| is_open(at + 2, |rest| memchr::memchr(b'\'', rest));
    memmem::find_iter(body, b"=?").any(is_open_word)
        || memmem::find_iter(body, b"*=").any(is_open_value)
}

/// The charset of labelled octets in a field. Decided as for a body, except that zero octets do not prove
/// UTF-16.
pub(super) struct FieldDecision {
    pub(super) charset: Charset,
    pub(super) source: Source,
    pub(super) report: Report,
}

impl FieldDecision {
    pub(super) fn of(
        label: &Label<'_>,
        octets: &[u8],
        options: &Options,
        detected_words: DetectedWords,
    ) -> Self {
        // Only a body may be partial; a field is complete.
        let mut options = options.partial(false);
        let named = charset::resolve(label).charset;
        if named.is_some_and(|charset| !charset.names_nothing()) {
            // A forced charset does not override such a label, as in mail programs.
            options = options.force(None);
        }
        let mut context = Context::new().label(Some(label)).options(options);
        context.is_value = true;
        context.surroundings.header = detected_words.last.or(options.raw);
        context.surroundings.origin = options.origin;
        if detected_words.count >= DetectedWords::MAX_COUNT {
            context.surroundings.guess_of_many = Some(Guess::unknown());
        }
        let mut weighing = Weighing::of(octets, &context);
        // The caller reports the labels: one per word, or the label of the value.
        weighing.report = Report::new();
        let choice = weighing.decide();
        FieldDecision {
            charset: choice.charset,
            source: choice.source,
            report: weighing.report,
        }
    }
}

/// Words of a field whose charset was detected. Their number is limited, since detection takes a hundred
/// times as long as decoding.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DetectedWords {
    pub(super) count: usize,
    /// The charset of the last of these words.
    pub(super) last: Option<Charset>,
}

impl DetectedWords {
    /// After this many words, further words of the field are decoded in the charset of the last
    /// detected word, if possible.
    const MAX_COUNT: usize = 16;
}

#[cfg(test)]
mod tests {
    use super::may_be_guessed;

    #[test]
    fn labels_that_decide_alone() {
        for (body, is_open) in [
            ("=?koi8-r?Q?=F0?=", false),
            ("=?koi8-r*ru?Q?=F0?= =?x?Q?=F0?=", true),
            ("=?us-ascii?Q?=F0?=", true),
            ("a; name*=koi8-r'ru'%F0", false),
            ("a; name*=us-ascii''%F0", true),
            ("a; name*=''%F0", true),
            ("a; name*=%F0", true),
            ("a; name*0*=utf-8''%C3%A9; name*1*=%C3%A9", true),
        ] {
            assert_eq!(may_be_guessed(body.as_bytes()), is_open, "{body}");
        }
    }
}
