//! Chooses the charset of raw octets in a header (RFC 6532, section 3.2; RFC 7103, section 7.7).

use std::borrow::Cow;

use super::weighing::has_esc;
use crate::charset::{self, Charset, Options, utf8};
use crate::detect::{self, Likeness, OUTWEIGHS_A_GUESS, OUTWEIGHS_A_LABEL, OUTWEIGHS_NOTHING};
use crate::report::{Kind, Report, Source};
use crate::work::work;

/// The ISO 2022 charset whose escapes occur in raw seven-bit text, if the text is well-formed in it. HZ
/// does not count: its tildes and braces are ordinary text elsewhere.
pub(super) fn escapes_of(octets: &[u8]) -> Option<Charset> {
    memchr::memchr(0x1B, octets)?;
    let charset = detect::by_escapes(octets)?.charset;
    (charset.name() != "HZ-GB-2312").then_some(charset)
}

/// The charset of raw seven-bit text with escapes: the forced charset, else the charset of the escapes.
pub(super) fn charset_with_escapes(octets: &[u8], options: &Options) -> Option<(Charset, Source)> {
    memchr::memchr(0x1B, octets)?;
    if let Some(forced) = options.forced_in_fields() {
        return Some((forced, Source::Forced));
    }
    escapes_of(octets).map(|charset| (charset, Source::Evidence))
}

/// Reports seven-bit text that ISO-2022-JP would decode if its escapes had their ESC. It is not decoded.
pub(super) fn flag_kept_escapes(
    octets: &[u8],
    (offset, length): (usize, usize),
    report: &mut Report,
) {
    let guess = detect::by_escapes(octets).filter(|_| !has_esc(octets));
    if guess.is_some_and(|guess| guess.charset.name() == "ISO-2022-JP") {
        report.add(
            Kind::EscapeKept,
            offset,
            length,
            "like ISO-2022-JP without ESC",
        );
    }
}

/// Candidate charsets for raw octets that are not well-formed UTF-8, the most likely first. The caller
/// skips a detected charset in which the octets are malformed. The last candidate, windows-1252, decodes
/// any octets.
///
/// The order is: CESU-8 or emacs-mule; the hint; the charset detected in all fields of the message;
/// windows-1252 (RFC 7103, section 7.7). Damaged UTF-8 (RFC 6532, section 3.2) is inserted after the
/// first, second or third, by the amount of evidence for it.
pub(super) fn guesses(
    octets: &[u8],
    options: &Options,
) -> impl Iterator<Item = (Charset, Source)> + use<> {
    let damaged =
        |bits: i64, needed: i64| (bits >= needed).then_some((Charset::UTF_8, Source::Evidence));
    let other = |guess: Option<Charset>| {
        let other = guess.filter(|charset| *charset != Charset::UTF_8)?;
        Some((other, Source::Detected))
    };
    let is_expected = [options.hint, options.raw].contains(&Some(Charset::UTF_8));
    let bits = Likeness::of(&without_folds_in_characters(octets, LINE_ENDS)).bits;
    let outweighs_a_guess = if is_expected { 1 } else { OUTWEIGHS_A_GUESS };
    let by_pairs = detect::by_pairs(octets).map(|guess| (guess.charset, Source::Evidence));
    let guesses = [
        by_pairs,
        damaged(bits, OUTWEIGHS_A_LABEL),
        other(options.hint),
        damaged(bits, outweighs_a_guess),
        other(options.raw),
        damaged(bits, OUTWEIGHS_NOTHING),
        Some((Charset::WINDOWS_1252, Source::Default)),
    ];
    guesses.into_iter().flatten()
}

/// The charset of raw octets in a header: the forced charset, else UTF-8 (RFC 6532, section 3.2), else
/// the first of the [`guesses`] that decodes the octets.
pub(super) fn raw_charset(octets: &[u8], options: &Options) -> (Charset, Source) {
    if octets.is_ascii() {
        return (Charset::US_ASCII, Source::Default);
    }
    if let Some(forced) = options.forced_in_fields() {
        return (forced, Source::Forced);
    }
    if utf8::well_formed(octets).is_some() {
        return (Charset::UTF_8, Source::Evidence);
    }
    let found = guesses(octets, options)
        .find(|(charset, source)| *source != Source::Detected || charset.reads(octets, options));
    found.unwrap_or((Charset::WINDOWS_1252, Source::Default))
}

/// The first octets of a fold.
pub(super) const LINE_ENDS: [u8; 2] = *b"\r\n";

/// The blanks of a fold that lost its line ending.
pub(super) const BLANKS: [u8; 2] = *b" \t";

/// Removes folds inside characters of UTF-8. A fold begins with one of the octets `begin`.
pub(super) fn without_folds_in_characters(octets: &[u8], begin: [u8; 2]) -> Cow<'_, [u8]> {
    let [one, other] = begin;
    let mut joined = Cow::Borrowed(octets);
    let (mut from, mut next) = (0, 0);
    let mut kept = Vec::new();
    if octets.is_ascii() {
        return joined;
    }
    for end in memchr::memchr2_iter(one, other, octets) {
        if end < next {
            continue;
        }
        let (before, fold) = octets.split_at_checked(end).unwrap_or((octets, &[]));
        let blanks = fold.iter().position(|octet| !octet.is_ascii_whitespace());
        let following = fold.get(blanks.unwrap_or(fold.len())..).unwrap_or_default();
        // A later blank of the fold follows white space, which ends no character.
        next = octets.len() - following.len();
        work(next - end);
        if is_split(before, following) {
            kept.extend_from_slice(before.get(from..).unwrap_or_default());
            from = next;
        }
    }
    if from > 0 {
        kept.extend_from_slice(octets.get(from..).unwrap_or_default());
        joined = Cow::Owned(kept);
    }
    joined
}

/// Whether a character of UTF-8 is split: `before` ends inside it and `following` completes it.
pub(super) fn is_split(before: &[u8], following: &[u8]) -> bool {
    if !matches!(following.first(), Some(0x80..=0xBF)) {
        return false;
    }
    let unfinished = charset::unfinished_utf8(before);
    if unfinished == 0 {
        return false;
    }
    let begun = before.get(before.len() - unfinished..).unwrap_or_default();
    let joined: Vec<u8> = begun
        .iter()
        .chain(following.iter().take(3))
        .copied()
        .collect();
    let first = joined.utf8_chunks().next();
    first.is_some_and(|chunk| !chunk.valid().is_empty())
}

/// Reports the charset of raw octets or escapes. `is_exact` is set if the octets are the text, unchanged.
pub(super) fn raw_finding(
    octets: &[u8],
    (charset, source): (Charset, Source),
    is_exact: bool,
    (offset, length): (usize, usize),
    report: &mut Report,
) {
    let (kind, detail) = match source {
        Source::Forced => (Kind::CharsetForced, charset.read_as_name()),
        _ if octets.is_ascii() => (Kind::DetectedCharset, charset.read_as_name()),
        Source::Evidence if is_exact && charset == Charset::UTF_8 => (Kind::RawUtf8, "".into()),
        _ => (Kind::RawOctets, charset.read_as_name()),
    };
    report.add(kind, offset, length, detail);
}
