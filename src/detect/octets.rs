//! Octets without a label, counted once for all charsets.

use std::cell::OnceCell;

use super::ascii::is_gap;
use super::ascii_words::{self, Costs, FOREIGN_WORD};
use super::cases::{Cases, Read};
use super::cell::{Row, grid};
use super::scripts::{LANES, Script, Sums};
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
    /// The same words as far as capitals and small letters go.
    steps: Vec<Step>,
    /// How many letters of ASCII the words have.
    ascii_letters: i32,
    /// The words of ASCII.
    ascii_words: Vec<&'o [u8]>,
    most_from_ascii: i16,
    /// What the words of ASCII take off in each Latin language, once it was asked.
    familiar: OnceCell<Costs>,
}

/// An octet that is not ASCII, and how often it occurs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Seen {
    pub(super) octet: u8,
    pub(super) count: u16,
    /// How many ASCII letters stand beside it.
    pub(super) letters: u16,
    /// What it is in each charset.
    pub(super) row: &'static Row,
}

/// What words that are not ASCII are made of.
#[derive(Debug)]
enum Step {
    /// What is ASCII and no letter, as much of it as stands side by side.
    EndOfWord,
    /// Letters of ASCII that stand side by side.
    Letters(Cases),
    /// Octets that are not ASCII and stand side by side, by where they begin in the words and how many
    /// they are.
    Above(u16, u16),
}

/// The most that words of ASCII alone can speak for a language: tags and names are in every
/// mail.
const MOST_FROM_ASCII: i16 = 40;
/// How much more that is for each word beside them that is not ASCII: in Welsh or Romanian
/// prose most words are, in markup around a line of Greek none of the line is.
const MORE_FROM_ASCII: i16 = 16;
/// The most that they can speak against it.
const MOST_AGAINST: i16 = 16;
/// How many octets of words of ASCII are asked: more of them settle nothing.
const MOST_ASKED: usize = 240;

/// The octets above 7F that occur, counted.
#[derive(Debug)]
struct Counts {
    distinct: Vec<Seen>,
    /// The number among them of each octet, by its lower seven bits.
    numbers: [u8; 128],
    grid: &'static [Row],
}

impl Counts {
    /// Not one of them yet.
    const NONE: u8 = u8::MAX;

    fn new() -> Self {
        Counts {
            distinct: Vec::with_capacity(32),
            numbers: [Counts::NONE; 128],
            grid: grid(),
        }
    }

    fn count(&mut self, octets: &[u8]) {
        for &octet in octets {
            let at = usize::from(octet & 0x7F);
            let (Some(number), Some(row)) = (self.numbers.get_mut(at), self.grid.get(at)) else {
                continue;
            };
            if *number == Counts::NONE {
                *number = u8::try_from(self.distinct.len()).unwrap_or(Counts::NONE);
                self.distinct.push(Seen {
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

    /// Counts a letter of ASCII beside an octet that was counted.
    fn count_letter_beside(&mut self, octet: Option<&u8>) {
        if let Some(octet) = octet
            && let Some(number) = self.numbers.get(usize::from(octet & 0x7F))
            && let Some(seen) = self.distinct.get_mut(usize::from(*number))
        {
            seen.letters += 1;
        }
    }
}

impl<'o> Octets<'o> {
    pub(super) fn new(all: &'o [u8]) -> Self {
        work(all.len());
        let mut octets = Octets {
            all,
            words: Vec::with_capacity(all.len() + 2),
            places: Vec::with_capacity(all.len()),
            distinct: Vec::new(),
            steps: Vec::with_capacity(64),
            ascii_letters: 0,
            ascii_words: Vec::with_capacity(16),
            most_from_ascii: MOST_FROM_ASCII,
            familiar: OnceCell::new(),
        };
        let mut counts = Counts::new();
        let mut rest = all;
        let mut before = b' ';
        let mut is_wanted = false;
        let mut asked = 0;
        while !rest.is_empty() {
            let length = rest.iter().position(|&octet| is_gap(octet));
            let (word, following) = rest.split_at(length.unwrap_or(rest.len()));
            let was_wanted = std::mem::replace(&mut is_wanted, !word.is_ascii());
            if is_wanted {
                if !was_wanted {
                    octets.words.push(before);
                    octets.end_word();
                }
                let behind = following.first().copied().unwrap_or(b' ');
                octets.add_word(word, behind, &mut counts);
            } else if word.len() > 1 && asked < MOST_ASKED {
                asked += word.len();
                octets.ascii_words.push(word);
            }
            before = following.first().copied().unwrap_or(b' ');
            rest = following.get(1..).unwrap_or_default();
        }
        octets.distinct = counts.distinct;
        octets
    }

    /// Adds a word that is not ASCII, and what stands behind it.
    fn add_word(&mut self, word: &[u8], behind: u8, counts: &mut Counts) {
        let mut start = self.words.len();
        let mut last: Option<&[u8]> = None;
        for run in word.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
            if run.is_ascii() {
                counts.count_letter_beside(last.and_then(<[u8]>::last));
                self.add_letters(run);
            } else {
                self.add_above(run, start, counts);
                counts.count_letter_beside(run.first().filter(|_| last.is_some()));
            }
            start += run.len();
            last = Some(run);
        }
        self.words.extend_from_slice(word);
        self.words.push(behind);
        self.end_word();
        self.most_from_ascii = self.most_from_ascii.saturating_add(MORE_FROM_ASCII);
    }

    fn end_word(&mut self) {
        if !matches!(self.steps.last(), Some(Step::EndOfWord)) {
            self.steps.push(Step::EndOfWord);
        }
    }

    fn add_letters(&mut self, letters: &[u8]) {
        self.ascii_letters += i32::try_from(letters.len()).unwrap_or(0);
        self.steps.push(Step::Letters(Cases::of(letters)));
    }

    /// Adds octets that are not ASCII, which begin there in the words.
    fn add_above(&mut self, octets: &[u8], start: usize, counts: &mut Counts) {
        counts.count(octets);
        let (start, length) = (u16_of(start), u16_of(octets.len()));
        self.steps.push(Step::Above(start, length));
        self.places.extend(start..start.saturating_add(length));
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

    /// What the case of letters costs in the words, given that of each octet above 7F.
    pub(super) fn cost_of_cases(&self, case: impl Fn(u8) -> u8) -> i32 {
        let mut read = Read::default();
        for step in &self.steps {
            match *step {
                Step::EndOfWord => read.end_word(),
                Step::Letters(ref cases) => read.add_all(cases),
                Step::Above(start, length) => {
                    let start = usize::from(start);
                    let above = self.words.get(start..start + usize::from(length));
                    for octet in above.unwrap_or_default() {
                        read.add(case(*octet));
                    }
                }
            }
        }
        work(self.steps.len() + self.places.len());
        read.cost
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
        if !script.is_latin() {
            let foreign = i16::try_from(self.foreign()).unwrap_or(MOST_AGAINST);
            return [-foreign; LANES];
        }
        let familiar =
            || ascii_words::familiar(&self.ascii_words, -MOST_AGAINST, self.most_from_ascii);
        self.familiar.get_or_init(familiar).of(script)
    }

    /// What the words of ASCII cost where it is a language of another script.
    pub(super) fn foreign(&self) -> i32 {
        let words = i32::try_from(self.ascii_words.len()).unwrap_or(i32::MAX);
        words
            .saturating_mul(i32::from(FOREIGN_WORD))
            .min(i32::from(MOST_AGAINST))
    }
}

/// Whether so many controls are among octets as no text has in any charset. Those that are
/// letters in a charset, begin or end escapes, or stand for white space, do not count.
pub(super) fn are_binary(octets: &[u8]) -> bool {
    /// One or two may be damage.
    const FEWEST: usize = 3;
    /// Of random octets there is one among 25.
    const AMONG: usize = 64;
    work(octets.len());
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, many octets are looked at in one step of vector code"
    )]
    let may_be_one =
        |octet: u8| (octet < 0x20) & !matches!(octet, b'\t' | b'\n' | b'\r') | (octet == 0x7F);
    // Most text has none of them.
    if !octets.iter().fold(false, |any, it| any | may_be_one(*it)) {
        return false;
    }
    let is_no_text = |octet: &&u8| {
        matches!(
            octet,
            0x00 | 0x03 | 0x07 | 0x08 | 0x0B | 0x10 | 0x18 | 0x1C..=0x1D | 0x1F | 0x7F
        )
    };
    let controls = octets.iter().filter(is_no_text).count();
    controls >= FEWEST && AMONG * controls >= octets.len()
}

fn u16_of(number: usize) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
