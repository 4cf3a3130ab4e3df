//! Joins encoded words that a mailer cut inside their encoded text.
//!
//! RFC 2047, section 5, requires each word to encode whole octets. Mailers cut the encoded text at the
//! end of a line: inside an escape of Q (`=C3=` and `A9`), or inside a base64 group of four letters.

use std::borrow::Cow;
use std::ops::Range;

use super::characters::place_at;
use super::words::{octets_of, transferred};
use crate::header::{EncodedWord, WordEncoding};
use crate::report::{Kind, Report};
use crate::transfer::BEnd;
use crate::work::work;

/// Whether two adjacent words are one encoded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Join {
    Never,
    Unlikely,
    Likely,
}

impl Join {
    pub(super) fn is_possible(self) -> bool {
        self != Join::Never
    }
}

/// The join between each word and the next, for words in one charset.
pub(super) fn joins(words: &[&EncodedWord<'_>]) -> Vec<Join> {
    let mut joins = Vec::with_capacity(words.len());
    for words in words.chunk_by(|one, next| one.encoding() == next.encoding()) {
        if !joins.is_empty() {
            joins.push(Join::Never);
        }
        match words.first().map(|word| word.encoding()) {
            Some(WordEncoding::B) => base64_joins(words, &mut joins),
            _ => escape_joins(words, &mut joins),
        }
    }
    joins
}

/// Finds Q words that end inside an escape, if the next word begins with the missing digits.
fn escape_joins(words: &[&EncodedWord<'_>], joins: &mut Vec<Join>) {
    let mut texts = words.iter().map(|word| word.text_to_join()).peekable();
    let mut before: Cow<'_, [u8]> = texts.next().unwrap_or_default();
    for (at, text) in texts.enumerate() {
        // The next word may have one digit, and the word after it the other.
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
                // After a soft line break the next word may begin with text such as `de`. So lower-case
                // digits complete an escape only if other escapes are in lower case too.
                let is_lower = digits.iter().any(u8::is_ascii_lowercase);
                is_escape && (!is_lower || has_lower_escape(&before) || has_lower_escape(&text))
            }
            _ => false,
        };
        joins.push(if is_joined { Join::Likely } else { Join::Never });
        before = match (is_joined, text.len()) {
            // The equals sign of the escape may be in the previous word.
            (true, 1) => Cow::Owned([&*before, &*text].concat()),
            _ => text,
        };
    }
}

/// Whether the text has an escape with lower-case digits.
fn has_lower_escape(text: &[u8]) -> bool {
    text.windows(3).any(|three| match three {
        [b'=', digits @ ..] => {
            digits.iter().all(u8::is_ascii_hexdigit) && digits.iter().any(u8::is_ascii_lowercase)
        }
        _ => false,
    })
}

/// Finds base64 words that end inside a group of four letters. Padding ends a base64 text. The words up
/// to the padding are either all complete texts, or all pieces of one text.
fn base64_joins(words: &[&EncodedWord<'_>], joins: &mut Vec<Join>) {
    let ends: Vec<BEnd> = words
        .iter()
        .map(|word| BEnd::of(&word.text_to_join()))
        .collect();
    // The padding may be split between words too.
    let is_same_text = |one: &BEnd, next: &BEnd| one.padding == 0 || next.letters == 0;
    let mut groups = ends.chunk_by(is_same_text).peekable();
    while let Some(group) = groups.next() {
        let join = if is_one_text(group) {
            Join::Likely
        } else {
            Join::Unlikely
        };
        let mut letters = 0;
        for end in group.iter().take(group.len() - 1) {
            letters += end.letters;
            let is_whole = end.letters % 4 == 0 && letters % 4 == 0;
            joins.push(if is_whole { Join::Never } else { join });
        }
        if groups.peek().is_some() {
            joins.push(Join::Never);
        }
    }
}

/// Whether words are probably pieces of one base64 text, which has padding only at its end.
fn is_one_text(words: &[BEnd]) -> bool {
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
    // A single leftover letter has too few bits for an octet: the reading that loses fewer letters is
    // right.
    let lost_separate = words.iter().filter(|word| word.letters % 4 == 1).count();
    let lost_joined = usize::from(letters % 4 == 1);
    lost_separate > lost_joined
        || lost_separate == lost_joined && words.iter().any(|word| word.has_open_bits)
}

/// Encoded words decoded to octets. Joined words are one unit.
pub(super) struct WordUnits {
    /// The octets of all units.
    pub(super) octets: Vec<u8>,
    pub(super) list: Vec<Unit>,
    /// Findings about the encoded text, and about joined words.
    pub(super) report: Report,
}

/// One word, or several joined ones.
pub(super) struct Unit {
    /// Its range in [`WordUnits::octets`].
    octets: Range<usize>,
    pub(super) offset: usize,
    pub(super) length: usize,
}

impl WordUnits {
    /// Decodes adjacent words. `is_joined` returns for each word but the last whether it is joined with
    /// the next.
    pub(super) fn of(words: &[&EncodedWord<'_>], is_joined: impl Fn(usize) -> bool) -> Self {
        let mut units = WordUnits {
            octets: Vec::new(),
            list: Vec::with_capacity(words.len()),
            report: Report::new(),
        };
        let mut index = 0;
        let mut is_next_joined = |_: &_, _: &_| {
            index += 1;
            is_joined(index - 1)
        };
        for words in words.chunk_by(&mut is_next_joined) {
            units.push(words);
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

    /// Whether the unit at this index continues in the state of the previous unit: it starts with
    /// neither an escape nor a shift.
    pub(super) fn inherits_state(&self, at: usize) -> bool {
        let unit = self.list.get(at).map(|unit| self.octets(unit));
        unit.is_some_and(|octets| !matches!(octets.first(), Some(0x1B | 0x0E | b'~' | b'+')))
    }
}

pub(super) fn joined_words(count: usize) -> String {
    format!("{count} words joined")
}
