//! Decodes encoded words to octets and to text (RFC 2047, sections 4 and 6).

use super::contradiction::is_settled;
use super::raw_octets::escapes_of;
use crate::charset::{Charset, Options, utf8};
use crate::header::{EncodedWord, MAX_WORD, WordEncoding};
use crate::report::{Kind, Report};
use crate::transfer;
use crate::work::work;

/// Initial capacity for the text of `length` octets: two octets may become three. The charset's decoder
/// reserves more for longer text.
pub(super) fn capacity_for(length: usize) -> usize {
    match length {
        ..=MAX_WORD => length + length / 2,
        _ => length.min(MAX_CAPACITY),
    }
}

/// Maximum initial capacity, in octets.
const MAX_CAPACITY: usize = 1 << 20;

/// Buffer size for the octets of a valid word and a free block after them.
const BUFFER: usize = (MAX_WORD + utf8::BLOCK).next_multiple_of(utf8::BLOCK);

/// Appends the text of one word, or of adjacent words in one charset. Appends nothing and returns `false`
/// if a word needs a finding, its octets may disprove the label, or it ends in a shift state before another
/// word.
pub(super) fn decode_strict_words<'w>(
    mut words: impl Iterator<Item = &'w EncodedWord<'w>>,
    charset: Charset,
    options: &Options,
    text: &mut String,
) -> bool {
    let start = text.len();
    let mut is_closed = true;
    let mut is_strict = |word: &EncodedWord<'_>| {
        let mut buffer = [0; BUFFER];
        let octets = strict_octets(word, &mut buffer).filter(|_| is_closed);
        let Some(octets) = octets else {
            return false;
        };
        if charset == Charset::UTF_8 {
            let length = octets.len();
            // The rest of the buffer is scratch space.
            let well_formed = utf8::well_formed_in(&mut buffer, length);
            text.push_str(well_formed.unwrap_or_default());
            return well_formed.is_some();
        }
        is_closed = charset.ends_in_initial_state(octets);
        if !is_settled(charset, octets) {
            return false;
        }
        let mut found = Report::new();
        charset.decode_onto(octets, options, text, &mut found);
        found.is_empty()
    };
    let are_strict = !options.remaps(charset) && words.all(&mut is_strict);
    if !are_strict {
        text.truncate(start);
    }
    are_strict
}

/// The octets of a word with valid encoded text (RFC 2047, section 4).
#[inline]
pub(super) fn strict_octets<'b>(word: &EncodedWord<'_>, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
    match (word.encoding(), word.strict_text()) {
        (WordEncoding::B, Some(text)) => transfer::clean_b(text, buffer),
        (WordEncoding::B, None) => transfer::clean_b(&word.encoded_text(), buffer),
        // `clean_q` validates only escapes.
        (_, text) => transfer::clean_q(text?, buffer),
    }
}

/// The octets of any word, and the findings about its encoded text.
pub(super) fn octets_of(word: &EncodedWord<'_>) -> (Vec<u8>, Report) {
    let (octets, mut report) = transferred(word.encoding(), &word.encoded_text());
    if word.ends_in_equals_sign() {
        let detail = "an incomplete escape at its end, left out";
        report.add(Kind::EncodedWordSyntax, 0, word.length(), detail);
    }
    (octets, report)
}

pub(super) fn transferred(encoding: WordEncoding, text: &[u8]) -> (Vec<u8>, Report) {
    let transferred = match encoding {
        WordEncoding::B => transfer::b(text),
        _ => transfer::q(text),
    };
    let (octets, report) = transferred.into_parts();
    (octets.into_owned(), report)
}

/// The octets that must be appended to an ISO 2022 line to end it in US-ASCII: none if it already ends in
/// US-ASCII. `None` if the line has no escapes or shifts.
fn return_to_ascii(line: &[u8]) -> Option<&'static [u8]> {
    let mut found: Option<&'static [u8]> = None;
    for at in memchr::memchr3_iter(0x1B, 0x0E, 0x0F, line) {
        found = Some(match line.get(at..).unwrap_or_default() {
            [0x0E, ..] => b"\x0F",
            // Designates a set for SO.
            [0x1B, b'$', b')' | b'*' | b'+', ..] => found.unwrap_or_default(),
            [0x1B, b'$', ..] => b"\x1B(B",
            _ => b"",
        });
    }
    found
}

/// Unfolds raw text with ISO 2022 escapes. `None` if the text has no escapes, or is malformed after
/// unfolding.
///
/// First assumes that each line continues in the shift state of the previous line: the fold has added its
/// leading blank, which is removed. If the text is malformed then, assumes that each line begins in
/// US-ASCII, as RFC 1468 requires.
pub(super) fn unfold_escapes(octets: &[u8], folds: &[usize]) -> Option<Vec<u8>> {
    if folds.is_empty() || memchr::memchr(0x1B, octets).is_none() || !octets.is_ascii() {
        return None;
    }
    let unfolded = |continues: bool| {
        let mut whole: Vec<u8> = Vec::with_capacity(octets.len());
        let mut pending_return: &[u8] = b"";
        let ends = folds.iter().copied().chain([octets.len()]);
        let mut start = 0;
        for end in ends {
            let line = octets.get(start..end).unwrap_or_default();
            work(line.len());
            let text = line.trim_ascii_start();
            if !pending_return.is_empty() && continues && !text.starts_with(b"\x1B") {
                whole.extend_from_slice(text);
            } else {
                whole.extend_from_slice(pending_return);
                pending_return = b"";
                whole.extend_from_slice(line);
            }
            pending_return = return_to_ascii(line).unwrap_or(pending_return);
            start = end;
        }
        Some(whole).filter(|whole| escapes_of(whole).is_some())
    };
    unfolded(true).or_else(|| unfolded(false))
}

/// Whether the octets end in a state other than the initial one. Tests this by decoding two more letters.
pub(super) fn leaves_state_open(octets: &[u8], charset: Charset, options: &Options) -> bool {
    const PROBE: &str = "AA";
    let mut probed = octets.to_vec();
    probed.extend_from_slice(PROBE.as_bytes());
    !charset
        .decode_with(&probed, options)
        .as_str()
        .ends_with(PROBE)
}
