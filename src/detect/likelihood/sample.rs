//! Unlabelled octets, counted once for all charsets.

use std::cell::OnceCell;

use super::ascii_words::{self, Costs, FOREIGN_WORD};
use super::cases::{CAPITAL, CaseCost, SMALL};
use super::cell::{GridRow, grid};
use super::scripts::{LANES, ScriptCosts, Sums};
use crate::charset::has_any;
use crate::detect::ascii::separates_words;
use crate::work::work;

/// Octets, and properties that they share in all charsets that contain ASCII.
#[derive(Debug)]
pub(super) struct Sample<'o> {
    pub(super) all: &'o [u8],
    /// The words that are not ASCII, each with the octet before and after it. Adjacent words share the
    /// octet between them.
    pub(super) words: Vec<u8>,
    /// Offsets of the octets in `words` that are not ASCII.
    pub(super) places: Vec<u16>,
    /// Counts of these octets.
    pub(super) distinct: Vec<OctetCount>,
    /// The number of ASCII letters in `words`.
    pub(super) ascii_letters: i32,
    /// The words of plain ASCII.
    ascii_words: Vec<&'o [u8]>,
    most_from_ascii: i16,
    /// How much cheaper the words of ASCII are in each Latin language, computed once.
    familiar: OnceCell<Costs>,
}

/// An octet that is not ASCII, with its count.
#[derive(Debug, Clone, Copy)]
pub(super) struct OctetCount {
    pub(super) octet: u8,
    pub(super) count: u16,
    /// The number of ASCII letters next to it.
    pub(super) letters: u16,
    /// Its character in each charset.
    pub(super) row: &'static GridRow,
}

/// Maximum evidence of ASCII words alone for a language: every mail has tags and names.
const MAX_FROM_ASCII: i16 = 40;
/// Increase of that maximum for each word that is not ASCII. In Welsh or Romanian prose most words are
/// ASCII. In markup around a line of Greek, none of the line's words are.
const MORE_FROM_ASCII: i16 = 16;
/// Maximum evidence of ASCII words against a language.
const MAX_AGAINST: i16 = 16;
/// Maximum number of octets of ASCII words to score: more do not help.
const MAX_ASCII_OCTETS: usize = 240;

/// Counts of the octets above 7F.
#[derive(Debug)]
struct OctetCounts {
    distinct: Vec<OctetCount>,
    /// The index in `distinct` of each octet, by its lower seven bits.
    numbers: [u8; 128],
    grid: &'static [GridRow],
}

impl OctetCounts {
    /// Not counted yet.
    const NONE: u8 = u8::MAX;

    fn new() -> Self {
        OctetCounts {
            distinct: Vec::with_capacity(32),
            numbers: [OctetCounts::NONE; 128],
            grid: grid(),
        }
    }

    fn count(&mut self, octets: &[u8]) {
        for &octet in octets {
            let at = usize::from(octet & 0x7F);
            let (Some(number), Some(row)) = (self.numbers.get_mut(at), self.grid.get(at)) else {
                continue;
            };
            if *number == OctetCounts::NONE {
                *number = u8::try_from(self.distinct.len()).unwrap_or(OctetCounts::NONE);
                self.distinct.push(OctetCount {
                    octet,
                    count: 0,
                    letters: 0,
                    row,
                });
            }
            if let Some(seen) = self.distinct.get_mut(usize::from(*number)) {
                seen.count += 1;
            }
        }
    }

    /// Counts an ASCII letter next to a counted octet.
    fn count_adjacent_letter(&mut self, octet: Option<&u8>) {
        if let Some(octet) = octet
            && let Some(number) = self.numbers.get(usize::from(octet & 0x7F))
            && let Some(seen) = self.distinct.get_mut(usize::from(*number))
        {
            seen.letters += 1;
        }
    }
}

impl<'o> Sample<'o> {
    pub(super) fn new(all: &'o [u8]) -> Self {
        work(all.len());
        let mut octets = Sample {
            all,
            words: Vec::with_capacity(all.len() + 2),
            places: Vec::with_capacity(all.len()),
            distinct: Vec::new(),
            ascii_letters: 0,
            ascii_words: Vec::with_capacity(16),
            most_from_ascii: MAX_FROM_ASCII,
            familiar: OnceCell::new(),
        };
        let mut counts = OctetCounts::new();
        let mut rest = all;
        let mut before = b' ';
        let mut is_wanted = false;
        let mut scored = 0;
        while !rest.is_empty() {
            let length = rest.iter().position(|&octet| separates_words(octet));
            let (word, following) = rest.split_at(length.unwrap_or(rest.len()));
            let was_wanted = std::mem::replace(&mut is_wanted, !word.is_ascii());
            if is_wanted {
                if !was_wanted {
                    octets.words.push(before);
                }
                let after = following.first().copied().unwrap_or(b' ');
                octets.add_word(word, after, &mut counts);
            } else if word.len() > 1 && scored < MAX_ASCII_OCTETS {
                scored += word.len();
                octets.ascii_words.push(word);
            }
            before = following.first().copied().unwrap_or(b' ');
            rest = following.get(1..).unwrap_or_default();
        }
        octets.distinct = counts.distinct;
        octets
    }

    /// Adds a word that is not ASCII, and the octet after it.
    fn add_word(&mut self, word: &[u8], after: u8, counts: &mut OctetCounts) {
        let mut start = self.words.len();
        let mut last: Option<&[u8]> = None;
        for run in word.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
            if run.is_ascii() {
                counts.count_adjacent_letter(last.and_then(<[u8]>::last));
                self.ascii_letters += i32::try_from(run.len()).unwrap_or(0);
            } else {
                counts.count(run);
                let place = u16_of(start);
                self.places
                    .extend(place..place.saturating_add(u16_of(run.len())));
                counts.count_adjacent_letter(run.first().filter(|_| last.is_some()));
            }
            start += run.len();
            last = Some(run);
        }
        self.words.extend_from_slice(word);
        self.words.push(after);
        self.most_from_ascii = self.most_from_ascii.saturating_add(MORE_FROM_ASCII);
    }

    /// The cost of letter case in the words, given the case of each octet above 7F.
    pub(super) fn cost_of_cases(&self, case: impl Fn(u8) -> u8) -> i32 {
        let mut read = CaseCost::default();
        for &octet in &self.words {
            match octet {
                b'A'..=b'Z' => read.add(CAPITAL),
                b'a'..=b'z' => read.add(SMALL),
                _ if octet.is_ascii() => read.end_word(),
                _ => read.add(case(octet)),
            }
        }
        work(self.words.len());
        read.cost
    }

    /// The number of octets that are not ASCII and differ from the octet before them, at most `most`.
    pub(super) fn runs(&self, most: usize) -> usize {
        let is_first = |place: &&u16| {
            let at = usize::from(**place);
            self.words.get(at) != self.words.get(at.wrapping_sub(1))
        };
        self.places.iter().filter(is_first).take(most).count()
    }

    /// How much cheaper the words of ASCII are in each language of a script than in English.
    pub(super) fn familiar(&self, script: &ScriptCosts) -> Sums {
        if self.ascii_words.is_empty() {
            return [0; LANES];
        }
        if !script.is_latin {
            let foreign = i16::try_from(self.foreign()).unwrap_or(MAX_AGAINST);
            return [-foreign; LANES];
        }
        let familiar =
            || ascii_words::familiar(&self.ascii_words, -MAX_AGAINST, self.most_from_ascii);
        self.familiar.get_or_init(familiar).of(script)
    }

    /// The cost of the words of ASCII in a language of another script.
    pub(super) fn foreign(&self) -> i32 {
        let words = i32::try_from(self.ascii_words.len()).unwrap_or(i32::MAX);
        words
            .saturating_mul(i32::from(FOREIGN_WORD))
            .min(i32::from(MAX_AGAINST))
    }
}

/// Whether octets have more controls than text has in any charset. Controls that are letters in a
/// charset, begin or end escapes, or are white space do not count.
pub(super) fn are_binary(octets: &[u8]) -> bool {
    /// One or two controls may be damage.
    const FEWEST: usize = 3;
    /// One random octet in 25 is such a control.
    const AMONG: usize = 64;
    work(octets.len());
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, sixteen octets are tested at a time"
    )]
    let may_be_one =
        |octet: u8| (octet < 0x20) & !matches!(octet, b'\t' | b'\n' | b'\r') | (octet == 0x7F);
    // Most text has no controls.
    if !has_any(octets, may_be_one) {
        return false;
    }
    let controls = octets.iter().filter(|octet| is_never_text(**octet)).count();
    controls >= FEWEST && AMONG * controls >= octets.len()
}

/// Whether an octet is a control that text does not have in any charset.
pub(super) fn is_never_text(octet: u8) -> bool {
    matches!(
        octet,
        0x00 | 0x03 | 0x07 | 0x08 | 0x0B | 0x10 | 0x18 | 0x1C..=0x1D | 0x1F | 0x7F
    )
}

fn u16_of(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
