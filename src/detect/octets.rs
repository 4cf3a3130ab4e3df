//! What octets cost to write in charsets of one octet to a character, without decoding them.
//!
//! For each such charset a table says of every octet which letter of the script it is, and
//! for each script one says what a letter behind another costs at least in any of its
//! languages. So most charsets are dearer than the best two before half of the octets are
//! read, and only in what is left is each language priced. The sums are those of
//! `reading.rs`, to which a test holds them.

use std::cell::Cell;
use std::sync::OnceLock;

use super::candidates::{CANDIDATES, Candidate, Languages, Script};
use super::leads::Leads;
use super::reading::{
    Case, FOREIGN_WORD, HOOK_ABOVE, LATIN_LETTER, MIXED_SCRIPTS, MORE_FROM_ASCII, MOST_AGAINST,
    MOST_FROM_ASCII, UNKNOWN_LANGUAGE, is_gap, sign_cost, stranger, unit, unknown_cost, with_tone,
};
use super::tables::{EN, LANGUAGES, Letters};
use crate::charset::Charset;
use crate::work::work;

/// A candidate that is decoded here, and what an octet is in it.
#[derive(Debug)]
pub(super) struct Rival {
    /// Where it stands among the candidates, from 1.
    pub(super) place: usize,
    pub(super) charset: Charset,
    pub(super) rarity: i32,
    pub(super) languages: Languages,
    /// `None` where a character is not always one octet.
    pub(super) cells: Option<Box<Cells>>,
    /// What its characters cost at least, where most are two octets.
    pub(super) leads: Option<Leads>,
}

/// All of them.
pub(super) fn rivals() -> &'static [Rival] {
    static RIVALS: OnceLock<Vec<Rival>> = OnceLock::new();
    RIVALS.get_or_init(|| (1..).zip(&CANDIDATES).filter_map(Rival::new).collect())
}

impl Rival {
    fn new((place, candidate): (usize, &Candidate)) -> Option<Self> {
        let charset = Charset::for_label(candidate.label).filter(|it| it.is_decoded())?;
        let cells = match candidate.languages {
            Languages::Letters(script) if charset.is_single_byte() => Cells::new(charset, script),
            _ => None,
        };
        Some(Rival {
            place,
            charset,
            rarity: candidate.rarity,
            languages: candidate.languages,
            cells,
            leads: Leads::of(candidate.label),
        })
    }

    pub(super) fn is_utf16(&self) -> bool {
        self.charset.name().starts_with("UTF-16")
    }
}

/// What every octet is in a charset.
#[derive(Debug)]
pub(super) struct Cells {
    script: &'static Script,
    /// The characters of octets from 80 on.
    characters: [char; 128],
    /// Which octets below 80 are not ASCII, a bit each.
    not_ascii: u128,
    /// For each octet, where its letter stands in the alphabet of the script, and its marks: its
    /// case, and [`LETTER`].
    letters: [(u8, u8); 256],
    /// For each octet, what it costs where no language has it: neither after a letter nor before
    /// one, before one, after one, between two.
    strangers: [u8; 4 * 256],
    /// For each octet, what it costs in a language that is not known, but for strangers.
    unknown: [u8; 256],
}

/// The mark of letters, above the cases.
const LETTER: u8 = 4;
/// The mark that has the case.
const CASES: u8 = 3;

impl Cells {
    fn new(charset: Charset, script: &'static Script) -> Option<Box<Self>> {
        let octets: Vec<u8> = (0..=u8::MAX).collect();
        let text = charset.decode(&octets).into_text();
        let mut cells = Box::new(Cells {
            script,
            characters: [char::REPLACEMENT_CHARACTER; 128],
            not_ascii: 0,
            letters: [(0, 0); 256],
            strangers: [0; 4 * 256],
            unknown: [0; 256],
        });
        let together = script.together();
        let mut characters = text.chars();
        for &octet in &octets {
            let character = characters.next()?;
            let at = usize::from(octet);
            if octet.is_ascii() {
                cells.not_ascii |= u128::from(character != char::from(octet)) << octet;
                if !octet.is_ascii_alphabetic() {
                    continue;
                }
            } else if character.is_ascii() {
                // Where words end is seen from ASCII.
                return None;
            } else {
                *cells.characters.get_mut(at - 0x80)? = character;
            }
            let unit = unit(if octet.is_ascii() {
                char::from(octet)
            } else {
                character
            });
            let case = match unit.case {
                Case::None => 0,
                Case::Lower => 1,
                Case::Upper => 2,
            };
            let letter = if unit.is_letter { LETTER } else { 0 };
            *cells.letters.get_mut(at)? = (together.place(unit.lower), case | letter);
            let variants = cells.strangers.get_mut(4 * at..)?;
            for (variant, cost) in variants.iter_mut().take(4).enumerate() {
                *cost = octet_of(if octet.is_ascii() {
                    LATIN_LETTER
                } else {
                    stranger(unit, variant & 2 != 0, variant & 1 != 0)
                });
            }
            if unit.is_letter {
                *cells.unknown.get_mut(at)? = octet_of(unknown_cost(&unit));
            }
        }
        characters.next().is_none().then_some(cells)
    }

    /// Whether all of the octets are the same characters in another charset.
    pub(super) fn are_same(&self, other: &Cells, octets: &Octets<'_>) -> bool {
        let mut high = octets.high;
        while high != 0 {
            let at = high.trailing_zeros() as usize;
            if self.characters.get(at) != other.characters.get(at) {
                return false;
            }
            high &= high - 1;
        }
        true
    }

    /// Whether both were sent in the same languages.
    pub(super) fn has_script_of(&self, other: &Cells) -> bool {
        std::ptr::eq(self.script, other.script)
    }

    /// Whether the charset reads the octets as [`Octets`] cuts them into words.
    pub(super) fn reads(&self, octets: &Octets<'_>) -> bool {
        self.not_ascii & octets.low == 0
    }

    /// For each octet of words but the last, where its letter stands in the alphabet, and which
    /// of the strangers it is if that is nowhere.
    #[inline]
    fn steps(&self, words: &[u8]) -> impl Iterator<Item = (usize, usize)> {
        let letter = |octet: u8| match self.letters.get(usize::from(octet)) {
            Some(&(place, marks)) => (usize::from(place), usize::from(marks / LETTER)),
            None => (0, 0),
        };
        let first = words.first().copied().unwrap_or(b' ');
        let (mut before, (mut place, mut here)) = (0, letter(first));
        words.windows(2).map(move |pair| {
            let (octet, next) = match *pair {
                [octet, next] => (octet, next),
                _ => (b' ', b' '),
            };
            let (next_place, after) = letter(next);
            let step = (place, 4 * usize::from(octet) + 2 * before + after);
            (before, here, place) = (here, after, next_place);
            step
        })
    }

    fn stranger(&self, which: usize) -> i32 {
        self.strangers.get(which).copied().map_or(0, i32::from)
    }
}

fn octet_of(cost: i32) -> u8 {
    u8::try_from(cost).unwrap_or(u8::MAX)
}

/// What the languages of a script have together.
#[derive(Debug)]
pub(super) struct Together {
    /// All letters of all alphabets, ascending; the first stands at 1.
    alphabet: Vec<char>,
    /// What a letter costs at least behind another, in the language where that is least.
    costs: Vec<u8>,
    /// For each language, where in its own alphabet each letter stands.
    places: Vec<Vec<u8>>,
    is_latin: bool,
}

impl Script {
    fn together(&self) -> &Together {
        self.together.get_or_init(|| Together::new(self.languages))
    }
}

impl Together {
    fn new(languages: &[&'static Letters]) -> Self {
        let mut alphabet: Vec<char> = languages.iter().flat_map(|it| it.characters()).collect();
        let has_tones = languages.iter().any(|it| it.index(HOOK_ABOVE).is_some());
        if has_tones {
            // Letters that the table counts as a vowel and its tone.
            let accented = ('\u{C0}'..'\u{180}').chain('\u{1EA0}'..'\u{1F00}');
            let toned = accented.filter(|&it| with_tone(it).is_some());
            alphabet.extend(toned);
        }
        alphabet.sort_unstable();
        alphabet.dedup();
        let steps: Vec<Vec<Step>> = languages
            .iter()
            .map(|letters| {
                let gap = std::iter::once(Step::default());
                let all = alphabet.iter().map(|&it| Step::new(letters, it));
                gap.chain(all).collect()
            })
            .collect();
        let size = alphabet.len() + 1;
        let mut costs = vec![u8::MAX; size * size];
        for (letters, steps) in languages.iter().zip(&steps) {
            let rows = costs.chunks_exact_mut(size);
            for (row, before) in rows.zip(steps) {
                for (cell, now) in row.iter_mut().zip(steps) {
                    let cost = letters.cost(before.last, now.first) + now.within;
                    *cell = octet_of(cost).min(*cell);
                }
            }
        }
        let of_language = |steps: &Vec<Step>| steps.iter().map(Step::place).collect();
        Together {
            places: steps.iter().map(of_language).collect(),
            is_latin: languages.iter().all(|it| it.is_latin()),
            alphabet,
            costs,
        }
    }

    fn place(&self, lower: char) -> u8 {
        let place = self.alphabet.binary_search(&lower);
        place.map_or(0, |place| u8::try_from(place + 1).unwrap_or(0))
    }

    /// How many rows the table has: the letters, and what is none.
    fn size(&self) -> usize {
        self.alphabet.len() + 1
    }
}

/// How a language goes over a letter of its script.
#[derive(Debug, Default)]
struct Step {
    /// Where it comes to in its own alphabet, and where it goes on from: a vowel and its tone.
    first: usize,
    last: usize,
    /// What it costs besides.
    within: i32,
}

impl Step {
    fn new(letters: &Letters, letter: char) -> Self {
        if let Some(place) = letters.index(letter) {
            return Step {
                first: place,
                last: place,
                within: 0,
            };
        }
        if letters.index(HOOK_ABOVE).is_some()
            && let Some((base, tone)) = with_tone(letter)
            && let (Some(first), Some(last)) = (letters.index(base), letters.index(tone))
        {
            let within = letters.cost(first, last);
            return Step {
                first,
                last,
                within,
            };
        }
        // What the language does not have costs at least so much between whatever neighbours.
        let least = [(false, false), (false, true), (true, false), (true, true)]
            .map(|(after, before)| stranger(unit(letter), after, before))
            .into_iter()
            .min();
        let within = if letter.is_ascii() {
            LATIN_LETTER
        } else {
            least.unwrap_or(0)
        };
        Step {
            within,
            ..Step::default()
        }
    }

    fn place(&self) -> u8 {
        u8::try_from(self.first).unwrap_or(0)
    }
}

/// Octets, and what is the same about them in all charsets that contain ASCII.
#[derive(Debug)]
pub(super) struct Octets<'o> {
    all: &'o [u8],
    /// The words that are not ASCII, with a space before and behind each of them and at the end.
    words: Vec<u8>,
    /// Which octets there are, a bit each: from 80 on, and below.
    high: u128,
    low: u128,
    /// What the ASCII signs cost beside other characters.
    signs: i32,
    /// What it costs that words have Latin letters beside others.
    mixed_scripts: i32,
    /// How many letters the words that are not ASCII have of it, and how many octets above it.
    ascii_letters: i32,
    above_ascii: i32,
    /// How often the one octet from 80 on occurs that does so most.
    most_of_one: i32,
    /// How much less than letters the octets cost that may begin a sign or a letter of another
    /// script in a charset of two octets to a character.
    cheaper: i32,
    /// The words of ASCII, and the most that they can take off in a language.
    ascii_words: Vec<AsciiWord>,
    most_from_ascii: i32,
    /// What they take off in each language in Latin script, once it was asked, and in others.
    familiar: [Cell<Option<i32>>; LANGUAGES],
    foreign: i32,
}

impl<'o> Octets<'o> {
    pub(super) fn new(all: &'o [u8]) -> Self {
        work(all.len());
        let mut octets = Octets {
            all,
            words: Vec::with_capacity(2 * all.len() + 2),
            high: 0,
            low: 0,
            signs: 0,
            mixed_scripts: 0,
            ascii_letters: 0,
            above_ascii: 0,
            most_of_one: 0,
            cheaper: 0,
            ascii_words: Vec::new(),
            most_from_ascii: MOST_FROM_ASCII,
            familiar: [const { Cell::new(None) }; LANGUAGES],
            foreign: 0,
        };
        let mut counts = [0_u16; 128];
        let mut before = b' ';
        for &octet in all {
            if octet.is_ascii() {
                octets.low |= 1 << octet;
                if !before.is_ascii() {
                    octets.signs += sign_cost(char::REPLACEMENT_CHARACTER, char::from(octet));
                }
            } else {
                octets.high |= 1 << (octet & 0x7F);
                if let Some(count) = counts.get_mut(usize::from(octet & 0x7F)) {
                    *count += 1;
                }
            }
            before = octet;
        }
        octets.most_of_one = counts.into_iter().max().map_or(0, i32::from);
        octets.words.push(b' ');
        for word in all.split(|&octet| is_gap(char::from(octet))) {
            if !word.is_ascii() {
                octets.words.extend_from_slice(word);
                octets.words.push(b' ');
                octets.most_from_ascii += MORE_FROM_ASCII;
                octets.count_letters(word);
            } else if word.len() > 1 {
                octets.ascii_words.push(AsciiWord::new(word));
            }
        }
        octets.words.push(b' ');
        let words = i32::try_from(octets.ascii_words.len()).unwrap_or(i32::MAX);
        octets.foreign = -FOREIGN_WORD.saturating_mul(words).min(MOST_AGAINST);
        octets
    }

    fn count_letters(&mut self, word: &[u8]) {
        let mut before_is_ascii = None;
        for octet in word {
            let is_ascii = octet.is_ascii();
            self.ascii_letters += i32::from(is_ascii);
            self.above_ascii += i32::from(!is_ascii);
            self.cheaper += match octet {
                // The first of three.
                0x8F => 34,
                0x81
                | 0x83
                | 0x84
                | 0x87
                | 0x88
                | 0xA1..=0xAC
                | 0xC6..=0xC8
                | 0xEE
                | 0xFA
                | 0xFC => 12,
                _ => 0,
            };
            if before_is_ascii.is_some_and(|before| before != is_ascii) {
                self.mixed_scripts += MIXED_SCRIPTS;
            }
            before_is_ascii = Some(is_ascii);
        }
    }

    /// What words of ASCII take off in a language, against English.
    fn familiar(&self, letters: &Letters) -> i32 {
        if self.ascii_words.is_empty() {
            return 0;
        }
        if !letters.is_latin() {
            return self.foreign;
        }
        let Some(known) = self.familiar.get(letters.number()) else {
            return 0;
        };
        if let Some(familiar) = known.get() {
            return familiar;
        }
        let spoken = |word: &AsciiWord| {
            let cost: i32 = word.cost(letters);
            (word.english - cost).max(-FOREIGN_WORD)
        };
        let familiar: i32 = self.ascii_words.iter().map(spoken).sum();
        let familiar = familiar.clamp(-MOST_AGAINST, self.most_from_ascii);
        known.set(Some(familiar));
        familiar
    }

    /// The octets themselves.
    pub(super) fn all(&self) -> &'o [u8] {
        self.all
    }

    /// What the octets cost in the language that they cost the least in, `None` where that is
    /// above `limit`. `reached` is room for what was priced on the way.
    pub(super) fn cost(
        &self,
        cells: &Cells,
        mut limit: i32,
        reached: &mut Vec<i32>,
    ) -> Option<i32> {
        let together = cells.script.together();
        let languages = cells.script.languages;
        let beside = self.beside(cells);
        let most_familiar = languages.iter().map(|it| self.familiar(it)).max();
        let left = limit.saturating_sub(beside - most_familiar.unwrap_or(0));
        reached.clear();
        let pass = Self::pass(&self.words, cells, left, reached)?;
        let case = self.case_cost(cells);
        if pass + case > left {
            return None;
        }
        let mut least = None;
        for (letters, places) in languages.iter().zip(&together.places) {
            let beside = beside + case - self.familiar(letters);
            let left = limit.saturating_sub(beside);
            let cost = match languages.len() {
                1 => Some(pass).filter(|cost| *cost <= left),
                _ => self.language_cost(cells, letters, places, (pass, reached), left),
            };
            if let Some(cost) = cost {
                limit = beside + cost;
                least = Some(limit);
            }
        }
        least
    }

    /// What the first octets cost at least: enough of them to tell most scripts apart.
    pub(super) fn start(&self, rival: &Rival, reached: &mut Vec<i32>) -> i32 {
        /// So many are.
        const ENOUGH: usize = 17;
        let start = self.words.get(..ENOUGH).unwrap_or(&self.words);
        reached.clear();
        let cost = match (&rival.cells, &rival.leads) {
            (Some(cells), _) if cells.reads(self) => {
                let pass = Self::pass(start, cells, i32::MAX, reached);
                let most_familiar = if !cells.script.together().is_latin {
                    self.foreign
                } else if self.ascii_words.is_empty() {
                    0
                } else {
                    self.most_from_ascii
                };
                pass.map(|cost| cost + self.beside(cells) - most_familiar)
            }
            (_, Some(leads)) => Some(leads.least(start)),
            _ => Some(0),
        };
        cost.map_or(i32::MAX, |cost| cost + rival.rarity)
    }

    /// What the octets cost besides the letters of their words.
    fn beside(&self, cells: &Cells) -> i32 {
        if cells.script.together().is_latin {
            self.signs
        } else {
            self.signs + self.mixed_scripts
        }
    }

    /// What the octets cost at least in a charset of two octets to a character.
    pub(super) fn least(&self, leads: &Leads) -> i32 {
        leads.least(&self.words)
    }

    /// What the letters of `words`, which all words begin with, cost at least in any language of
    /// the script, `None` where that is above `limit`. What each [`AT_ONCE`] of them began at goes into `reached`.
    fn pass(words: &[u8], cells: &Cells, limit: i32, reached: &mut Vec<i32>) -> Option<i32> {
        let together = cells.script.together();
        let size = together.size();
        let costs = together.costs.as_slice();
        let (mut cost, mut row) = (0, 0);
        let mut steps = cells.steps(words);
        for _ in (1..words.len()).step_by(AT_ONCE) {
            if cost > limit {
                return None;
            }
            reached.push(cost);
            for (place, stranger) in steps.by_ref().take(AT_ONCE) {
                cost += costs.get(row + place).copied().map_or(0, i32::from);
                if place == 0 {
                    cost += cells.stranger(stranger);
                }
                row = place * size;
            }
        }
        (cost <= limit).then_some(cost)
    }

    /// What the letters cost in one language, `None` where that is above `limit`: what is not
    /// yet priced costs at least what `pass` says.
    fn language_cost(
        &self,
        cells: &Cells,
        letters: &Letters,
        places: &[u8],
        (pass, reached): (i32, &[i32]),
        limit: i32,
    ) -> Option<i32> {
        let (mut cost, mut before) = (0, 0);
        let mut reached = reached.iter();
        let mut steps = cells.steps(&self.words);
        for _ in (1..self.words.len()).step_by(AT_ONCE) {
            let left = reached.next().map_or(0, |reached| pass - reached);
            if cost + left > limit {
                return None;
            }
            for (place, stranger) in steps.by_ref().take(AT_ONCE) {
                let place = places.get(place).copied().map_or(0, usize::from);
                cost += letters.cost(before, place);
                if place == 0 {
                    cost += cells.stranger(stranger);
                }
                before = place;
            }
        }
        (cost <= limit).then_some(cost)
    }

    /// What the case of the letters costs.
    fn case_cost(&self, cells: &Cells) -> i32 {
        let (mut cost, mut state) = (0, 0);
        for &octet in &self.words {
            let marks = cells.letters.get(usize::from(octet)).map_or(0, |it| it.1);
            let (step, next) = case_step(state, marks & CASES);
            cost += step;
            state = next;
        }
        cost
    }

    /// What the octets cost at least in a language without a table, in any charset that
    /// chardetng knows.
    pub(super) fn least_unknown(&self) -> i32 {
        /// What a letter above ASCII or a sign costs, but for the one octet that is a space.
        const LEAST: i32 = 32;
        const NO_BREAK_SPACE: i32 = 20;
        /// What an octet of an ideograph, a kana or a syllable costs.
        const OF_CHARACTER: i32 = 22;
        let of_one =
            self.signs + LEAST * self.above_ascii - (LEAST - NO_BREAK_SPACE) * self.most_of_one;
        let of_two = OF_CHARACTER * self.above_ascii - self.cheaper;
        UNKNOWN_LANGUAGE + 18 * self.ascii_letters + of_one.min(of_two)
    }

    /// What the octets cost in a language without a table.
    pub(super) fn unknown(&self, cells: &Cells) -> i32 {
        let mut cost = UNKNOWN_LANGUAGE + self.signs;
        cost += self.case_cost(cells);
        for (octet, (_, stranger)) in self.words.iter().zip(cells.steps(&self.words)) {
            cost += match cells.unknown.get(usize::from(*octet)) {
                Some(&known) if known > 0 => i32::from(known),
                _ => cells.stranger(stranger),
            };
        }
        cost
    }
}

/// So many octets are priced before the sum is looked at.
const AT_ONCE: usize = 8;

/// A word of ASCII letters.
#[derive(Debug)]
struct AsciiWord {
    /// Where each letter stands in any Latin alphabet, with the one before it, and the gaps at
    /// the ends of the word.
    pairs: Vec<(u8, u8)>,
    /// What it costs in English.
    english: i32,
}

impl AsciiWord {
    fn new(word: &[u8]) -> Self {
        let place = |octet: &u8| octet.to_ascii_lowercase().wrapping_sub(b'a' - 1);
        let before = std::iter::once(0).chain(word.iter().map(place));
        let now = word.iter().map(place).chain([0]);
        let mut word = AsciiWord {
            pairs: before.zip(now).collect(),
            english: 0,
        };
        word.english = word.cost(&EN);
        word
    }

    fn cost(&self, letters: &Letters) -> i32 {
        let cost = |&(before, now): &(u8, u8)| letters.cost(usize::from(before), usize::from(now));
        self.pairs.iter().map(cost).sum()
    }
}

/// What the case of a letter costs behind those before it, and what is before the next one
/// then: nothing with a case, a small letter, one capital or more of them.
fn case_step(before: usize, case: u8) -> (i32, usize) {
    /// For each state what follows it without a case, as a small letter, as a capital.
    const STEPS: [[(u8, u8); 4]; 4] = [
        [(0, 0), (1, 1), (8, 2), (0, 0)],
        [(0, 0), (0, 1), (36, 2), (0, 0)],
        [(0, 0), (1, 1), (12, 3), (0, 0)],
        [(0, 0), (28, 1), (2, 3), (0, 0)],
    ];
    let step = STEPS.get(before).and_then(|row| row.get(usize::from(case)));
    let (cost, next) = step.copied().unwrap_or_default();
    (i32::from(cost), usize::from(next))
}

#[cfg(test)]
mod tests {
    use super::super::reading;
    use super::{Cells, Octets, Rival, rivals};
    use crate::charset::Charset;

    /// Sentences of many scripts in every candidate that writes them, words of ASCII among
    /// them, every octet between others, and octets by chance.
    fn texts() -> Vec<Vec<u8>> {
        let subjects = include_str!("../../corpus/detect/subjects.tsv");
        let mut texts: Vec<Vec<u8>> = subjects
            .lines()
            .filter_map(|line| line.split('\t').nth(2))
            .map(|hex| {
                let digits: Vec<u8> = hex
                    .chars()
                    .filter_map(|digit| u8::try_from(digit.to_digit(16)?).ok())
                    .collect();
                digits
                    .chunks(2)
                    .map(|pair| pair[0] << 4 | pair[1])
                    .collect()
            })
            .collect();
        texts.extend((0..=u8::MAX).map(|octet| vec![b'A', octet, b'n', b' ', octet, octet, b'.']));
        let mut chance = 1_u32;
        for length in 1..200 {
            let octets = (0..length).map(|_| {
                chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let [octet, kind, ..] = chance.to_be_bytes();
                if kind.trailing_zeros() >= 2 {
                    octet & 0x7F | 0x20
                } else {
                    octet
                }
            });
            texts.push(octets.collect());
        }
        texts
    }

    /// Without a limit.
    fn cost(octets: &Octets<'_>, cells: &Cells) -> i32 {
        octets.cost(cells, i32::MAX, &mut Vec::new()).unwrap()
    }

    fn read(rival: &Rival, text: &[u8]) -> String {
        rival.charset.decode(text).into_text().into_owned()
    }

    /// What octets cost is what their text does, and neither limits nor estimates are wrong about
    /// it.
    #[test]
    fn octets_cost_what_their_text_does() {
        let mut compared = 0;
        for text in texts() {
            let octets = Octets::new(&text);
            for rival in rivals() {
                let Some(cells) = rival.cells.as_deref().filter(|it| it.reads(&octets)) else {
                    continue;
                };
                let text = read(rival, &text);
                let expected = reading::cost(&text, rival.languages, i32::MAX).unwrap();
                assert_eq!(cost(&octets, cells), expected, "{}: {text}", rival.charset);
                let limited = |limit| octets.cost(cells, limit, &mut Vec::new());
                assert_eq!(
                    limited(expected),
                    Some(expected),
                    "{}: {text}",
                    rival.charset
                );
                assert_eq!(limited(expected - 1), None, "{}: {text}", rival.charset);
                assert_eq!(octets.unknown(cells), reading::unknown(&text));
                let start = octets.start(rival, &mut Vec::new());
                assert!(
                    start <= expected + rival.rarity,
                    "{}: {text}",
                    rival.charset
                );
                compared += 1;
            }
        }
        assert!(compared > 10_000, "{compared}");
    }

    #[test]
    fn no_character_of_two_octets_costs_less_than_its_first_says() {
        for text in texts() {
            let octets = Octets::new(&text);
            for rival in rivals() {
                let Some(leads) = &rival.leads else { continue };
                let text = read(rival, &text);
                let cost = reading::cost(&text, rival.languages, i32::MAX).unwrap();
                assert!(octets.least(leads) <= cost, "{}: {text}", rival.charset);
                let start = octets.start(rival, &mut Vec::new());
                assert!(start <= cost + rival.rarity, "{}: {text}", rival.charset);
            }
        }
    }

    /// Of every pair of octets, alone and beside letters.
    #[test]
    fn no_language_without_a_table_costs_less_than_is_said() {
        let known = [
            "EUC-JP",
            "EUC-KR",
            "Shift_JIS",
            "Big5",
            "ISO-8859-8",
            "windows-1252",
            "windows-1251",
            "windows-1250",
            "ISO-8859-2",
            "windows-1256",
            "windows-1254",
            "windows-874",
            "windows-1255",
            "windows-1253",
            "ISO-8859-7",
            "windows-1257",
            "ISO-8859-13",
            "KOI8-U",
            "IBM866",
            "ISO-8859-6",
            "windows-1258",
            "ISO-8859-4",
            "ISO-8859-5",
        ]
        .map(|label| Charset::for_label(label).unwrap());
        for charset in known {
            assert!(
                rivals().iter().any(|rival| rival.charset == charset),
                "{charset}"
            );
        }
        let mut pairs: Vec<Vec<u8>> = (0x80..=u8::MAX)
            .flat_map(|lead| (0x20..=u8::MAX).map(move |trail| vec![b'n', lead, trail, b'n']))
            .collect();
        pairs.extend(
            (0xA1..=0xFE).flat_map(|row| {
                (0xA1..=0xFE).map(move |cell| vec![0x8F, row, cell, 0x8F, row, cell])
            }),
        );
        let of_pairs = known.into_iter().filter(|it| !it.is_single_byte());
        let of_pairs: Vec<_> = of_pairs.collect();
        let every_pair = pairs.iter().map(|text| (text, of_pairs.as_slice()));
        let texts = texts();
        let texts = texts.iter().map(|text| (text, known.as_slice()));
        for (text, charsets) in every_pair.chain(texts) {
            let least = Octets::new(text).least_unknown();
            for charset in charsets {
                let cost = reading::unknown(charset.decode(text).text());
                assert!(least <= cost, "{charset}: {text:02X?}, {least} and {cost}");
            }
        }
    }
}
