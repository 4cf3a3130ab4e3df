//! Octets without a label, counted once for all charsets.

use std::cell::Cell;

use super::ascii::is_gap;
use super::candidates::WESTERN;
use super::scripts::{LANES, SCRIPTS, Script, Sums};
use crate::work::work;

/// Octets, and what is the same about them in all charsets that contain ASCII.
#[derive(Debug)]
pub(super) struct Octets<'o> {
    all: &'o [u8],
    /// The words that are not ASCII, each with what stands before and behind it; between two that
    /// stand side by side it is there once.
    words: Vec<u8>,
    /// Where those octets of them are that are not ASCII.
    places: Vec<u16>,
    /// Which octets they are.
    distinct: Vec<Seen>,
    /// How many letters of ASCII the words have.
    ascii_letters: i32,
    /// The words of ASCII.
    ascii_words: Vec<&'o [u8]>,
    /// What each of them costs in English.
    english: Vec<i16>,
    most_from_ascii: i16,
    /// What the words of ASCII take off in each language of a script, once it was asked.
    familiar: [Cell<Option<Sums>>; SCRIPTS],
}

/// An octet that is not ASCII, and how often it occurs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    pub(super) octet: u8,
    pub(super) count: u16,
    /// How many ASCII letters stand beside it.
    pub(super) letters: u16,
}

/// The most that words of ASCII alone can speak for a language: tags and names are in every
/// mail.
const MOST_FROM_ASCII: i16 = 40;
/// How much more that is for each word beside them that is not ASCII: in Welsh or Romanian
/// prose most words are, in markup around a line of Greek none of the line is.
const MORE_FROM_ASCII: i16 = 16;
/// The most that they can speak against it.
const MOST_AGAINST: i16 = 16;
/// The most that one such word can speak against it.
const FOREIGN_WORD: i16 = 4;
/// How many octets of words of ASCII are asked: more of them settle nothing.
const MOST_ASKED: usize = 240;

impl<'o> Octets<'o> {
    pub(super) fn new(all: &'o [u8]) -> Self {
        work(all.len());
        let mut octets = Octets {
            all,
            words: Vec::with_capacity(all.len() + all.len() / 2 + 2),
            places: Vec::with_capacity(all.len()),
            distinct: Vec::with_capacity(64),
            ascii_letters: 0,
            ascii_words: Vec::with_capacity(16),
            english: Vec::with_capacity(16),
            most_from_ascii: MOST_FROM_ASCII,
            familiar: [const { Cell::new(None) }; SCRIPTS],
        };
        let mut counts = [0_u16; 128];
        let mut beside = [0_u16; 128];
        let mut rest = all;
        let mut before = b' ';
        let mut is_beside_word = false;
        let mut asked = 0;
        let western = WESTERN.table();
        while !rest.is_empty() {
            let length = rest.iter().position(|&octet| is_gap(octet));
            let (word, following) = rest.split_at(length.unwrap_or(rest.len()));
            let behind = following.first().copied().unwrap_or(b' ');
            let is_beside_ascii = !std::mem::replace(&mut is_beside_word, !word.is_ascii());
            if is_beside_word {
                if is_beside_ascii {
                    octets.words.push(before);
                }
                octets.add_word(word, (before, behind), (&mut counts, &mut beside));
            } else if word.len() > 1 && asked < MOST_ASKED {
                asked += word.len();
                octets.ascii_words.push(word);
                let [english, ..] = western.ascii_word(word);
                octets.english.push(english);
            }
            before = behind;
            rest = following.get(1..).unwrap_or_default();
        }
        for octet in 0x80..=u8::MAX {
            let at = usize::from(octet & 0x7F);
            if let (Some(&count), Some(&letters)) = (counts.get(at), beside.get(at))
                && count > 0
            {
                octets.distinct.push(Seen {
                    octet,
                    count,
                    letters,
                });
            }
        }
        octets
    }

    fn add_word(
        &mut self,
        word: &[u8],
        (before, behind): (u8, u8),
        (counts, beside): (&mut [u16; 128], &mut [u16; 128]),
    ) {
        let mut last = before;
        for &octet in word {
            let at = usize::from(octet & 0x7F);
            if octet.is_ascii() {
                self.ascii_letters += 1;
                if !last.is_ascii()
                    && let Some(count) = beside.get_mut(usize::from(last & 0x7F))
                {
                    *count += 1;
                }
            } else {
                self.places
                    .push(u16::try_from(self.words.len()).unwrap_or(u16::MAX));
                if let Some(count) = counts.get_mut(at) {
                    *count += 1;
                }
                if last.is_ascii_alphabetic()
                    && let Some(count) = beside.get_mut(at)
                {
                    *count += 1;
                }
            }
            self.words.push(octet);
            last = octet;
        }
        self.words.push(behind);
        self.most_from_ascii = self.most_from_ascii.saturating_add(MORE_FROM_ASCII);
    }

    pub(super) fn all(&self) -> &'o [u8] {
        self.all
    }

    pub(super) fn words(&self) -> &[u8] {
        &self.words
    }

    pub(super) fn places(&self) -> &[u16] {
        &self.places
    }

    pub(super) fn distinct(&self) -> &[Seen] {
        &self.distinct
    }

    /// Whether so many controls are among them as no text has in any charset. Those that are
    /// letters in a charset, begin or end escapes, or stand for white space, do not count.
    pub(super) fn are_binary(&self) -> bool {
        /// One or two may be damage.
        const FEWEST: usize = 3;
        /// Of random octets there is one among 25.
        const AMONG: usize = 64;
        work(self.all.len());
        #[expect(
            clippy::needless_bitwise_bool,
            reason = "without branches, many octets are looked at in one step of vector code"
        )]
        let may_be_one =
            |octet: u8| (octet < 0x20) & !matches!(octet, b'\t' | b'\n' | b'\r') | (octet == 0x7F);
        // Most text has none of them.
        if !self.all.iter().fold(false, |any, it| any | may_be_one(*it)) {
            return false;
        }
        let is_no_text = |octet: &&u8| {
            matches!(
                octet,
                0x00 | 0x03 | 0x07 | 0x08 | 0x0B | 0x10 | 0x18 | 0x1C..=0x1D | 0x1F | 0x7F
            )
        };
        let controls = self.all.iter().filter(is_no_text).count();
        controls >= FEWEST && AMONG * controls >= self.all.len()
    }

    /// How many octets are not ASCII and not the same as the one before them.
    pub(super) fn runs(&self) -> usize {
        let is_first = |place: &&u16| {
            let at = usize::from(**place);
            self.words.get(at) != self.words.get(at.wrapping_sub(1))
        };
        self.places.iter().filter(is_first).count()
    }

    pub(super) fn ascii_letters(&self) -> i32 {
        self.ascii_letters
    }

    /// What words of ASCII take off in each language of a script, against English.
    pub(super) fn familiar(&self, script: &Script) -> Sums {
        if self.ascii_words.is_empty() {
            return [0; LANES];
        }
        let Some(known) = self.familiar.get(script.number()) else {
            return [0; LANES];
        };
        if let Some(familiar) = known.get() {
            return familiar;
        }
        let table = script.table();
        if !table.is_latin() {
            let foreign = i16::try_from(self.foreign()).unwrap_or(MOST_AGAINST);
            return [-foreign; LANES];
        }
        let mut sums: Sums = [0; LANES];
        for (word, english) in self.ascii_words.iter().zip(&self.english) {
            work(word.len());
            for (sum, cost) in sums.iter_mut().zip(table.ascii_word(word)) {
                *sum = sum.saturating_add(english.saturating_sub(cost).max(-FOREIGN_WORD));
            }
        }
        let familiar = sums.map(|sum| sum.clamp(-MOST_AGAINST, self.most_from_ascii));
        known.set(Some(familiar));
        familiar
    }

    /// What the words of ASCII cost where it is a language of another script.
    pub(super) fn foreign(&self) -> i32 {
        let words = i32::try_from(self.ascii_words.len()).unwrap_or(i32::MAX);
        words
            .saturating_mul(i32::from(FOREIGN_WORD))
            .min(i32::from(MOST_AGAINST))
    }
}
