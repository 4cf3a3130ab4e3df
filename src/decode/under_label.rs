//! Decides the charset of labelled octets in a field, as for a body.

use memchr::memmem;

use super::characters::place_at;
use super::context::Context;
use super::contradiction::is_settled;
use super::weighing::{Weighing, resolve_and_report};
use crate::charset::{self, Charset, Options};
use crate::detect::Guess;
use crate::header::{self, EncodedWord};
use crate::label::Label;
use crate::report::{Kind, Report, Source};
use crate::transfer;
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
/// charset to the octets: it names no charset, or the octets may disprove it.
pub(crate) fn may_be_guessed(body: &[u8]) -> bool {
    let mut at = 0;
    while let Some(found) = find(body, at, b"=?") {
        let word = header::any_word(body, found);
        let label = body.get(found + 2..).unwrap_or_default();
        let end = memchr::memchr2(b'?', b'*', label);
        if is_open(
            label,
            end,
            word.as_ref().map(EncodedWord::octets).as_deref(),
        ) {
            return true;
        }
        at = found + word.map_or(2, |word| word.length());
    }
    let mut at = 0;
    while let Some(found) = find(body, at, b"*=") {
        let value = body.get(found + 2..).unwrap_or_default();
        // Later sections of a value have no label; they count as open too.
        let end = memchr::memchr(b'\'', value);
        let (octets, length) = extended_octets(value);
        if is_open(value, end, octets.as_deref()) {
            return true;
        }
        at = found + 2 + length;
    }
    false
}

fn find(body: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let rest = body.get(from..)?;
    memmem::find(rest, what).map(|at| from + at)
}

/// Whether the label that ends at `end` may leave the choice of charset to the octets after it.
/// `octets` are `None` if they are not known, and may then be any.
fn is_open(input: &[u8], end: Option<usize>, octets: Option<&[u8]>) -> bool {
    let label = input.get(..end.unwrap_or(input.len())).unwrap_or_default();
    work(label.len());
    match Charset::for_label_octets(label) {
        Some(charset) if charset.is_declarable() => {
            octets.is_none_or(|octets| !is_settled(charset, octets))
        }
        _ => true,
    }
}

/// The octets of an extended value, `utf-8'en'%C3%A9` (RFC 2231, section 4), and its length. `None` if
/// readers may find another end of the value.
fn extended_octets(value: &[u8]) -> (Option<Vec<u8>>, usize) {
    let start = memchr::memchr_iter(b'\'', value)
        .nth(1)
        .map_or(value.len(), |at| at + 1);
    let (_, text) = value.split_at(start);
    let is_end = |octet: &u8| octet.is_ascii_whitespace() || matches!(octet, b';' | b'"');
    let length = text.iter().position(is_end).unwrap_or(text.len());
    let (text, rest) = text.split_at(length);
    work(start + length);
    let is_certain = match rest {
        [] => start < value.len(),
        [b'\r', b'\n', after @ ..] | [b'\n', after @ ..] => {
            !after.first().is_some_and(u8::is_ascii_whitespace)
        }
        [first, ..] => *first == b';',
    };
    let octets = is_certain.then(|| {
        let mut octets = Vec::new();
        transfer::percent_decode(text, &mut octets);
        octets
    });
    (octets, start + length)
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
            ("=?utf-8?Q?=C3=A9?= =?koi8-r?B?8A==?=", false),
            ("=?utf-8?Q?pi=EAkny?=", true),
            ("=?utf-8*pl?b?cGnqa255?=", true),
            ("=?utf-8?Q?a b?=", false),
            ("=?utf-8?Q?a =EA b?=", true),
            ("=?utf-8?Q?a", false),
            ("=?utf-8?Q?a=EA", true),
            ("=?iso-2022-jp?B?GyRCGyhC?=", false),
            ("=?iso-2022-jp?Q?=EA?=", true),
            ("=?utf-16?B?8A==?=", true),
            ("=?utf-32?Q?pi=EAkny?=", true),
            ("=?us-ascii?Q?=F0?=", true),
            ("=?us-ascii?Q?a?=", false),
            ("a; name*=koi8-r'ru'%F0", false),
            ("a; name*=utf-8''pi%C3%A9kny; b", false),
            ("a; name*=utf-8''a pi%EAkny", true),
            ("a; name*=utf-8''\"pi%EAkny\"", true),
            ("a; name*=utf-8''a\r\n b", true),
            ("a; name*=utf-8''a\r\nX: b", false),
            ("a; name*=utf-8''a; b*=utf-8''%EA", true),
            ("a; name*=utf-8'pl'pi%EAkny; b", true),
            ("a; name*=us-ascii''%F0", true),
            ("a; name*=us-ascii''a", false),
            ("a; name*=''%F0", true),
            ("a; name*=%F0", true),
            ("a; name*0*=utf-8''%C3%A9; name*1*=%C3%A9", true),
        ] {
            assert_eq!(may_be_guessed(body.as_bytes()), is_open, "{body}");
        }
    }
}
