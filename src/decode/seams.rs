//! Where the encoded text of a word continues in the next word.
//!
//! RFC 2047, section 5, requires each word to encode whole octets. Mailers cut the encoded text where the
//! line is full: inside an escape of Q (`=C3=` and `A9`), or inside a group of four letters of base64.

use std::borrow::Cow;
use std::ops::Range;

use super::characters::place_at;
use super::words::{octets_of, transferred};
use crate::header::{EncodedWord, WordEncoding};
use crate::report::{Kind, Report};
use crate::transfer::BEnd;
use crate::work::work;

/// The place between two neighboring words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seam {
    /// The encoded text ends with the first word.
    Whole,
    /// It probably does, but the second word may continue it.
    Apart,
    /// The second word probably continues it.
    Joined,
}

impl Seam {
    pub(super) fn is_open(self) -> bool {
        self != Seam::Whole
    }
}

/// The seams between neighboring words in one charset.
pub(super) fn seams(words: &[&EncodedWord<'_>]) -> Vec<Seam> {
    let mut seams = Vec::with_capacity(words.len());
    for words in words.chunk_by(|one, next| one.encoding() == next.encoding()) {
        if !seams.is_empty() {
            seams.push(Seam::Whole);
        }
        match words.first().map(|word| word.encoding()) {
            Some(WordEncoding::B) => base64_seams(words, &mut seams),
            _ => escape_seams(words, &mut seams),
        }
    }
    seams
}

/// Whether two letters and a third of the same case are the start of a word such as `EDV`, before which a
/// soft line break is more likely than a cut.
fn runs_on(digits: &[u8], third: Option<&u8>) -> bool {
    let is_like = |is: fn(&u8) -> bool| digits.iter().all(is) && third.is_some_and(is);
    is_like(u8::is_ascii_uppercase) || is_like(u8::is_ascii_lowercase)
}

/// Seams inside an escape: the next words begin with the digits that are missing.
fn escape_seams(words: &[&EncodedWord<'_>], seams: &mut Vec<Seam>) {
    let mut texts = words.iter().map(|word| word.text_to_join()).peekable();
    let mut before: Cow<'_, [u8]> = texts.next().unwrap_or_default();
    for (at, text) in texts.enumerate() {
        // A word may have one digit, and the next word the other.
        let after = words.get(at + 2).map(|word| word.text_to_join());
        let digits: Vec<u8> = text
            .iter()
            .chain(after.iter().flat_map(|after| after.iter()))
            .take(2)
            .copied()
            .collect();
        work(before.len() + text.len());
        let is_joined = match (&*before, &*digits) {
            ([.., b'=', digit], [next, ..]) if digit.is_ascii_hexdigit() => {
                next.is_ascii_hexdigit()
            }
            ([.., b'='], [one, other]) => {
                let is_escape = one.is_ascii_hexdigit() && other.is_ascii_hexdigit();
                // Words that end in soft line breaks are followed by text such as `de`.
                let is_lower = digits.iter().any(u8::is_ascii_lowercase);
                is_escape
                    && !runs_on(&digits, text.get(2))
                    && (!is_lower || has_lower_escape(&before) || has_lower_escape(&text))
            }
            _ => false,
        };
        seams.push(if is_joined { Seam::Joined } else { Seam::Whole });
        before = match (is_joined, text.len()) {
            // The equals sign may be in the word before.
            (true, 1) => Cow::Owned([&*before, &*text].concat()),
            _ => text,
        };
    }
}

/// Whether the text has an escape in lower case.
fn has_lower_escape(text: &[u8]) -> bool {
    text.windows(3).any(|three| match three {
        [b'=', digits @ ..] => {
            digits.iter().all(u8::is_ascii_hexdigit) && digits.iter().any(u8::is_ascii_lowercase)
        }
        _ => false,
    })
}

/// Seams inside a group of four letters. Padding ends a text, so that the words up to it, or up to the last
/// word, are all whole or all cut.
fn base64_seams(words: &[&EncodedWord<'_>], seams: &mut Vec<Seam>) {
    let ends: Vec<BEnd> = words
        .iter()
        .map(|word| BEnd::of(&word.text_to_join()))
        .collect();
    // Padding may be cut too.
    let goes_on = |one: &BEnd, next: &BEnd| one.padding == 0 || next.letters == 0;
    let mut groups = ends.chunk_by(goes_on).peekable();
    while let Some(group) = groups.next() {
        let open = if is_cut(group) {
            Seam::Joined
        } else {
            Seam::Apart
        };
        let mut letters = 0;
        for end in group.iter().take(group.len() - 1) {
            letters += end.letters;
            let is_whole = end.letters % 4 == 0 && letters % 4 == 0;
            seams.push(if is_whole { Seam::Whole } else { open });
        }
        if groups.peek().is_some() {
            seams.push(Seam::Whole);
        }
    }
}

/// Whether words are one base64 text, of which only the last may be padded, cut anywhere.
fn is_cut(words: &[BEnd]) -> bool {
    let last = words.iter().rposition(|word| word.letters > 0);
    let Some((last, others)) = words.get(..=last.unwrap_or(0)).and_then(<[_]>::split_last) else {
        return false;
    };
    let letters: usize = words.iter().map(|word| word.letters).sum();
    let padding: usize = words.iter().map(|word| word.padding).sum();
    if others.iter().all(|word| word.letters % 4 == 0) {
        return false;
    }
    let fits = |letters: usize| (letters + padding).is_multiple_of(4);
    if padding > 0 && fits(letters) != fits(last.letters) {
        return fits(letters);
    }
    // A single letter is no octet.
    let lost_apart = words.iter().filter(|word| word.letters % 4 == 1).count();
    let lost_joined = usize::from(letters % 4 == 1);
    lost_apart > lost_joined
        || lost_apart == lost_joined && words.iter().any(|word| word.has_open_bits)
}

/// Words decoded to octets, those together whose encoded text is one.
pub(super) struct Units {
    /// The octets of all units.
    pub(super) octets: Vec<u8>,
    pub(super) list: Vec<Unit>,
    /// What was found in the encoded text, and which words were joined.
    pub(super) report: Report,
}

/// A word, or words whose encoded text is one.
pub(super) struct Unit {
    /// The range of its octets.
    octets: Range<usize>,
    pub(super) offset: usize,
    pub(super) length: usize,
}

impl Units {
    /// The units of neighboring words, joined where the seams say so.
    pub(super) fn of(words: &[&EncodedWord<'_>], is_joined: impl Fn(usize) -> bool) -> Self {
        let mut units = Units {
            octets: Vec::new(),
            list: Vec::with_capacity(words.len()),
            report: Report::new(),
        };
        let mut rest = words;
        let mut seam = 0;
        while !rest.is_empty() {
            let others = rest.len() - 1;
            let joined = (seam..seam + others).take_while(|seam| is_joined(*seam));
            let count = 1 + joined.count();
            let (words, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
            units.push(words);
            (rest, seam) = (after, seam + count);
        }
        units
    }

    fn push(&mut self, words: &[&EncodedWord<'_>]) {
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        let offset = first.offset();
        let length = last.offset() + last.length() - offset;
        let (octets, found) = if let [word] = words {
            octets_of(word)
        } else {
            let texts: Vec<_> = words.iter().map(|word| word.text_to_join()).collect();
            transferred(first.encoding(), &texts.concat())
        };
        place_at(&found, offset, length, &mut self.report);
        if words.len() > 1 {
            let detail = joined_words(words.len());
            self.report
                .add(Kind::EncodedWordJoined, offset, length, detail);
        }
        let start = self.octets.len();
        self.octets.extend_from_slice(&octets);
        self.list.push(Unit {
            octets: start..self.octets.len(),
            offset,
            length,
        });
    }

    pub(super) fn octets(&self, unit: &Unit) -> &[u8] {
        self.octets.get(unit.octets.clone()).unwrap_or_default()
    }

    /// Whether there is a unit at this index, and it does not start with an escape or a shift.
    pub(super) fn lacks_escape(&self, at: usize) -> bool {
        let unit = self.list.get(at).map(|unit| self.octets(unit));
        unit.is_some_and(|octets| !matches!(octets.first(), Some(0x1B | 0x0E | b'~' | b'+')))
    }
}

pub(super) fn joined_words(count: usize) -> String {
    format!("{count} words joined")
}
