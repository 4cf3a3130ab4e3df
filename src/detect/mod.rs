//! Guesses the charset of octets without a label ([`Guess`]).
//!
//! Detection first looks for octets that allow no other reading: a byte order mark; the zeros of UTF-16
//! and UTF-32; well-formed UTF-8 with at least one multi-octet character (RFC 3629, section 1: "the
//! probability that a string of characters in any other encoding appears as valid UTF-8 is low"); and
//! 7-bit octets with the escapes of ISO 2022 or HZ that decode without a fault (RFC 7103, section 7.6).
//! UTF-7 is never guessed: any ASCII text could be UTF-7.
//!
//! Truncated or damaged UTF-8 is found if its well-formed sequences outweigh the damage (`damaged.rs`).
//!
//! Then likelihood decides (`likelihood/`). The octets are scored in every charset of `candidates.rs`: by
//! the rarity of the charset in mail, by letter pairs (`tables/`), and by the characters next to
//! symbols (`symbols.rs`). Words of plain ASCII, such as tags, hardly count. Charsets that mail
//! hardly ever uses, such as those of DOS and the Macintosh, are chosen only if the text is strong
//! enough evidence.
//!
//! Likelihood needs the feature `detect`. Without it, charsets that octets prove are still found, and
//! all other octets above 7F are windows-1252 with [`Source::Default`], as in
//! [`decode`](crate::decode).
//!
//! `tests/eval` measures all of this on texts that were not used for tuning. Its README has the figures.
//!
//! Detection reads only the octets. [`decode`](crate::decode) considers labels, declarations in
//! documents, and the rest of a message (`likelihood/prior.rs`).
//!
//! ```
//! use mime_charset::{Charset, detect};
//!
//! let octets = b"\xC3\xA9t\xC3\xA9";
//! let guess = detect::detect(octets);
//! assert_eq!(guess.charset, Charset::UTF_8);
//! assert_eq!(guess.charset.decode(octets).as_str(), "été");
//! ```

use std::borrow::Cow;

use memchr::memmem;

use crate::charset::{Charset, Options, utf8};
use crate::report::Source;
use crate::work::work;

pub(crate) use ascii::first_above_ascii;
pub(crate) use damaged::{
    ALONE, Likeness, OUTWEIGHS_A_GUESS, OUTWEIGHS_A_LABEL, OUTWEIGHS_NOTHING,
};
pub use guess::Guess;
#[cfg(feature = "detect")]
pub(crate) use likelihood::{Prior, is_weighed};
#[cfg(not(feature = "detect"))]
pub(crate) use unweighed::{Prior, is_weighed};
pub(crate) use wide::{MAX_UNIT_OCTETS, has_controls, is_utf16};

mod ascii;
mod damaged;
mod guess;
#[cfg(feature = "detect")]
mod likelihood;
#[cfg(not(feature = "detect"))]
mod unweighed;
mod wide;

#[cfg(feature = "detect")]
use likelihood::weigh;
#[cfg(not(feature = "detect"))]
use unweighed::weigh;

/// Guesses the charset of octets without a label: by a byte order mark, then the zeros of UTF-16 and
/// UTF-32, then UTF-8, then escapes, then CESU-8 and damaged UTF-8, then likelihood. The default for
/// 7-bit octets is US-ASCII.
///
/// Of a long text, only 512 octets of the words that are not ASCII are scored, so detection takes
/// little more than one pass over the octets.
///
/// ```
/// use mime_charset::detect;
///
/// assert_eq!(detect::detect("한국어".as_bytes()).charset.name(), "UTF-8");
/// assert_eq!(detect::detect(b"\x1B$BF|K\\8l\x1B(B").charset.name(), "ISO-2022-JP");
/// assert_eq!(detect::detect(b"caf\xE9").charset.name(), "windows-1252");
/// // "Привет из Москвы" as a Macintosh wrote it.
/// let mac = b"\x8F\xF0\xE8\xE2\xE5\xF2 \xE8\xE7 \x8C\xEE\xF1\xEA\xE2\xFB";
/// assert_eq!(detect::detect(mac).charset.name(), "x-mac-cyrillic");
/// ```
#[must_use]
pub fn detect(octets: &[u8]) -> Guess {
    detect_with(octets, &Prior::NONE)
}

/// [`detect`] with a prior.
pub(crate) fn detect_with(octets: &[u8], prior: &Prior) -> Guess {
    by_bom(octets)
        .or_else(|| by_zeros(octets))
        .or_else(|| by_utf8(octets))
        .or_else(|| by_escapes(octets))
        .or_else(|| by_pairs(octets))
        .or_else(|| by_weight(octets, Likeness::of(octets), prior))
        .unwrap_or_else(|| Guess::default_of(octets))
}

/// The guess for octets above 7F that prove nothing: damaged UTF-8 if its well-formed sequences
/// outweigh all other charsets, or else the most likely charset, which may still be damaged UTF-8.
pub(crate) fn by_weight(octets: &[u8], likeness: Likeness, prior: &Prior) -> Option<Guess> {
    if likeness.bits >= OUTWEIGHS_A_GUESS {
        return Some(likeness.guess());
    }
    by_likelihood(octets, MAX_SCORED, prior).or_else(|| {
        // With the feature, damaged UTF-8 is scored with the other charsets.
        let is_left = cfg!(not(feature = "detect")) && likeness.bits >= OUTWEIGHS_NOTHING;
        is_left.then(|| likeness.guess())
    })
}

/// Guesses the charset of several fields of one header, which one program wrote. Together they are
/// better evidence than each alone.
///
/// Offsets count the octets of all fields, with one octet between fields.
///
/// ```
/// use mime_charset::detect;
///
/// // "Привет" and "Иван Петров" in KOI8-R. The guess is KOI8-U, which has all letters of KOI8-R.
/// let fields: [&[u8]; 2] = [
///     b"\xF0\xD2\xC9\xD7\xC5\xD4",
///     b"\xE9\xD7\xC1\xCE \xF0\xC5\xD4\xD2\xCF\xD7 <ivan@example.org>",
/// ];
/// let guess = detect::detect_all(&fields);
/// assert_eq!(guess.charset.name(), "KOI8-U");
/// assert!(guess.confidence >= detect::detect(fields[0]).confidence);
/// ```
#[must_use]
pub fn detect_all(fields: &[&[u8]]) -> Guess {
    detect(&fields.join(&b'\n'))
}

/// The charset of the byte order mark at the start (Unicode Standard, section 23.8).
pub(crate) fn by_bom(octets: &[u8]) -> Option<Guess> {
    // The mark of UTF-32LE begins with the mark of UTF-16LE, so UTF-32LE comes first.
    let marks: [(&[u8], &str); 5] = [
        (b"\xEF\xBB\xBF", "UTF-8"),
        (b"\x00\x00\xFE\xFF", "UTF-32"),
        (b"\xFF\xFE\x00\x00", "UTF-32"),
        (b"\xFE\xFF", "UTF-16"),
        (b"\xFF\xFE", "UTF-16"),
    ];
    let (mark, name) = marks
        .into_iter()
        .find(|(mark, _)| octets.starts_with(mark))?;
    let charset = Charset::for_label(name)?;
    Some(Guess::certain(charset, Source::Bom, 0, mark.len()))
}

/// UTF-8, if all octets are well-formed and at least one character has several octets.
fn by_utf8(octets: &[u8]) -> Option<Guess> {
    let offset = first_above_ascii(octets)?;
    work(octets.len());
    let text = utf8::decode(octets).ok()?;
    let length = text.get(offset..)?.chars().next()?.len_utf8();
    Some(Guess::certain(
        Charset::UTF_8,
        Source::Evidence,
        offset,
        length,
    ))
}

/// A charset with octet pairs that other text does not have: CESU-8 or emacs-mule.
pub(crate) fn by_pairs(octets: &[u8]) -> Option<Guess> {
    by_cesu8(octets).or_else(|| by_emacs_mule(octets))
}

/// ISO-8859-1 text in the internal form of Emacs 20 to 22: octet 81 before each octet above 9F. Emacs
/// and Gnus wrote mail with these octets.
fn by_emacs_mule(octets: &[u8]) -> Option<Guess> {
    let first = first_above_ascii(octets)?;
    if octets.get(first) != Some(&0x81) || count_emacs_letters(octets)? == 0 {
        return None;
    }
    let charset = Charset::for_label("emacs-mule").filter(|charset| charset.is_decoded())?;
    Some(Guess {
        confidence: 90,
        ..Guess::certain(charset, Source::Evidence, first, 2)
    })
}

/// The number of ISO-8859-1 letters after octet 81 that are next to an ASCII letter. `None` if any
/// octet above 7F is not part of a pair with octet 81.
///
/// 81 is a control or unassigned in ISO 8859 and in most charsets of Windows. On DOS it is `ü`, and 81
/// E1 is the `üß` of German words, which does not count.
pub(crate) fn count_emacs_letters(octets: &[u8]) -> Option<usize> {
    work(octets.len());
    let mut count = 0;
    let mut before = None;
    let mut rest = octets.iter();
    while let Some(&octet) = rest.next() {
        if octet.is_ascii() {
            before = Some(octet);
            continue;
        }
        let pair = (octet, *rest.next().unwrap_or(&0xA0));
        let is_letter = match pair {
            (0x81, 0xA0..=0xBF | 0xD7 | 0xE1 | 0xF7) => false,
            (0x81, 0xC0..) => true,
            _ => return None,
        };
        let neighbours = [before, rest.as_slice().first().copied()];
        let is_in_word = neighbours.iter().flatten().any(u8::is_ascii_alphabetic);
        count += usize::from(is_letter && is_in_word);
        before = None;
    }
    Some(count)
}

/// CESU-8 (Unicode Technical Report #26), which is UTF-8 with surrogate pairs. A pair fixes 28 of its
/// 48 bits, so one pair is enough evidence if no octets are malformed.
fn by_cesu8(octets: &[u8]) -> Option<Guess> {
    const PAIR: usize = 6;
    let first = damaged::first_surrogate_pair(octets)?;
    let charset = Charset::for_label("CESU-8")?;
    charset.reads(octets, &Options::new()).then_some(Guess {
        confidence: 90,
        ..Guess::certain(charset, Source::Evidence, first, PAIR)
    })
}

/// A charset of the ISO 2022 family or HZ, if 7-bit octets have its escapes and decode without an
/// error.
pub(crate) fn by_escapes(octets: &[u8]) -> Option<Guess> {
    work(octets.len());
    if memchr::memchr3(0x1B, b'~', b'$', octets).is_none() || !octets.is_ascii() {
        return None;
    }
    // The escapes that identify each charset (RFC 1468, 1554, 1557, 1922, 1843; JIS X 0213, appendix 2).
    let escapes: [(&[u8], &str); 13] = [
        (b"\x1B$)C", "ISO-2022-KR"),
        (b"\x1B$)A", "ISO-2022-CN"),
        (b"\x1B$)G", "ISO-2022-CN"),
        (b"\x1B$)E", "ISO-2022-CN-EXT"),
        (b"\x1B$(D", "ISO-2022-JP-2"),
        (b"\x1B$(C", "ISO-2022-JP-2"),
        (b"\x1B$(O", "ISO-2022-JP-3"),
        (b"\x1B$(Q", "ISO-2022-JP-2004"),
        (b"\x1B$B", "ISO-2022-JP"),
        (b"\x1B$@", "ISO-2022-JP"),
        (b"~{", "HZ-GB-2312"),
        // Escapes that lost their ESC.
        (b"$B", "ISO-2022-JP"),
        (b"$@", "ISO-2022-JP"),
    ];
    escapes.into_iter().find_map(|(escape, name)| {
        work(octets.len());
        let offset = memmem::find(octets, escape)?;
        let charset = Charset::for_label(name).filter(|charset| charset.is_decoded())?;
        // The tilde of HZ is a common character, so its escape must be closed.
        if name == "HZ-GB-2312" {
            memmem::find(octets.get(offset..)?, b"~}")?;
        }
        let mut characters = 0;
        let is_read = charset.reads_with(octets, &Options::new(), |text| {
            characters += text
                .chars()
                .filter(|character| !character.is_ascii())
                .count();
        });
        // One character after a dollar sign may be an accident.
        let least = if escape.starts_with(b"$") { 2 } else { 1 };
        (is_read && characters >= least).then_some(Guess::certain(
            charset,
            Source::Evidence,
            offset,
            escape.len(),
        ))
    })
}

/// UTF-16 or UTF-32 without a byte order mark (RFC 2781, section 4.3).
pub(crate) fn by_zeros(octets: &[u8]) -> Option<Guess> {
    let (name, length) = wide::by_zeros(octets)?;
    let charset = Charset::for_label(name)?;
    Some(Guess::certain(charset, Source::Evidence, 0, length))
}

/// UTF-16 or UTF-32 that octets prove against any label: by a byte order mark with text after it, or by
/// zeros. Reads only the first [`MAX_UNIT_OCTETS`] octets.
pub(crate) fn by_units(octets: &[u8]) -> Option<Guess> {
    let mark = by_bom(octets).filter(|mark| mark.charset != Charset::UTF_8);
    let Some(mark) = mark else {
        return by_zeros(octets);
    };
    let (marked, text) = octets.split_at_checked(mark.length)?;
    wide::is_text_after(marked, text).then_some(mark)
}

impl Guess {
    /// Guesses again with more octets from the same program, and keeps the place of this guess. `None` if
    /// this guess is firm, or if the octets do not decode in the new charset.
    pub(crate) fn with(
        &self,
        others: &[u8],
        octets: &[u8],
        prior: &Prior,
        options: &Options,
    ) -> Option<Guess> {
        /// Each text contributes at most half of the sample.
        const MAX_PER_TEXT: usize = MAX_SCORED / 2;
        if self.is_firm || self.source != Source::Detected || others.is_empty() {
            return None;
        }
        let others = sample_words(others, MAX_PER_TEXT);
        let both = [&*others, &*sample_words(octets, MAX_PER_TEXT)].join(&b'\n');
        let together = by_likelihood(&both, MAX_SCORED + 1, prior)?;
        let is_other = together.charset != Charset::UTF_8 && together.is_like_text();
        (is_other && together.charset.reads(octets, options)).then_some(Guess {
            offset: self.offset,
            length: self.length,
            ..together
        })
    }
}

/// The most likely charset of octets above 7F, from a sample of at most `most` octets.
pub(crate) fn by_likelihood(octets: &[u8], most: usize, prior: &Prior) -> Option<Guess> {
    let offset = first_above_ascii(octets)?;
    let guess = weigh(&sample_words(octets, most), prior)?;
    Some(Guess { offset, ..guess })
}

/// Maximum number of octets to score: more do not help.
const MAX_SCORED: usize = 512;

/// The octets, or, if there are more than `most`, the first words that are not ASCII, each with the
/// words before and after it. No scored charset has octets below 30 inside a character of several
/// octets, so octets below 30 can separate words.
fn sample_words(octets: &[u8], most: usize) -> Cow<'_, [u8]> {
    if octets.len() <= most {
        return Cow::Borrowed(octets);
    }
    let ends_word = |octet: &u8| *octet < 0x30;
    let mut sample = Vec::with_capacity(most);
    let mut before: &[u8] = &[];
    let mut after_wanted = false;
    let mut rest = octets;
    while !rest.is_empty() && sample.len() < most {
        // Skip words of ASCII, but keep the last one before a wanted word.
        if !after_wanted {
            let ascii = first_above_ascii(rest).and_then(|length| rest.get(..length));
            let Some(ascii) = ascii else { break };
            let end = ascii.iter().rposition(ends_word);
            if let Some((unwanted, others)) = end.and_then(|end| rest.split_at_checked(end + 1)) {
                let before_last = unwanted.split_last().map_or(unwanted, |(_, words)| words);
                let start = before_last.iter().rposition(ends_word);
                before = unwanted
                    .get(start.map_or(0, |at| at + 1)..)
                    .unwrap_or_default();
                rest = others;
            }
        }
        let end = rest.iter().position(ends_word);
        let (word, others) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
        rest = others;
        work(word.len());
        let wanted = !word.is_ascii();
        if wanted && !after_wanted {
            sample.extend(before.iter().take(MAX_NEIGHBOUR));
        }
        if wanted {
            let left = most.saturating_sub(sample.len());
            sample.extend_from_slice(word.get(..left).unwrap_or(word));
        } else if after_wanted {
            sample.extend(word.iter().take(MAX_NEIGHBOUR));
        }
        after_wanted = wanted;
        before = if after_wanted { &[] } else { word };
    }
    sample.truncate(most);
    Cow::Owned(sample)
}

/// Maximum number of octets sampled from an ASCII word before or after another word: in mail, a
/// "word" may be a line of base64.
const MAX_NEIGHBOUR: usize = 24;

#[cfg(test)]
mod tests {
    use super::detect;
    use crate::work::work_of;

    /// Time is linear: eight times the octets take at most nine times the work.
    #[test]
    fn work_grows_linearly() {
        let inputs: [&[u8]; 7] = [
            b"\xE9",
            b"caf\xE9 ",
            b"~{\x1B$B",
            b"\x1B$)C\x1B$)A\x1B$(D",
            b"a\0",
            b"\xC3\xA9\xE2\x82 ",
            b"=?utf-8?q?\xFF?= <p>\xB0\xA1",
        ];
        for input in inputs {
            let of = |length: usize| {
                let octets = input.repeat(length / input.len());
                work_of(|| {
                    std::hint::black_box(detect(&octets));
                })
            };
            let (small, large) = (of(64 << 10), of(512 << 10));
            assert!(
                small > 0 && large <= 9 * small,
                "{input:02X?}: {small} and {large}"
            );
        }
    }
}
