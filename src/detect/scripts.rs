//! The languages of a script, priced side by side.
//!
//! A row of the table has what it costs that one letter follows another in each of the languages,
//! so that a text is read once for all of them.

use std::sync::OnceLock;

use super::tables::{Letters, MOST_LETTERS};
use crate::work::work;

/// How many languages are priced at once.
pub(super) const LANES: usize = 8;

/// Costs in each of the languages, in quarters of a bit.
pub(super) type Sums = [i16; LANES];

/// Languages that are written with letters of one script, at most eight of them. Of seven or fewer
/// the last of the lanes is for a language that has no table.
#[derive(Debug)]
pub(super) struct Script {
    /// Which of all scripts this is.
    number: usize,
    languages: &'static [(&'static Letters, i16)],
    /// What it costs to assume each of them, or that the language is one that has no table.
    rarity: Sums,
    table: OnceLock<Table>,
}

/// How many scripts there may be.
pub(super) const SCRIPTS: usize = 16;

/// What stands for a letter in a row: no letter at all.
const GAP: u8 = 0;
/// A Latin letter beside another script.
const LATIN: u8 = 1;
/// A letter above ASCII of which none of the languages knows.
const FOREIGN: u8 = 2;
/// The first of the alphabet.
const FIRST: usize = 3;

/// Whether what stands for a character is a letter of one of the languages.
pub(super) fn is_of_language(class: u8) -> bool {
    usize::from(class) >= FIRST
}

/// What a letter costs that the language does not have.
pub(super) const FOREIGN_LETTER: i32 = 56;
/// An ASCII letter in a word of another script.
const LATIN_LETTER: i32 = 20;
/// Where such a letter touches one of the other script.
const MIXED_SCRIPTS: i32 = 40;
/// What it costs that a word is of another language than most of the text.
pub(super) const ANOTHER_LANGUAGE: i16 = 28;
/// What the languages of a script have together.
#[derive(Debug)]
pub(super) struct Table {
    /// All letters of all alphabets, ascending.
    alphabet: Vec<char>,
    /// What the alphabet, and what is before it, has of rows.
    size: usize,
    /// For each of them, and each behind it, what that costs in each language.
    costs: Vec<[u8; LANES]>,
    /// What each costs behind whatever, in the language that has it most.
    typical: Vec<u8>,
    is_latin: bool,
    /// What stands for each octet of ASCII.
    of_ascii: [u8; 256],
}

impl Script {
    #[expect(
        clippy::indexing_slicing,
        reason = "runs when compiling, where a slip is a build error"
    )]
    pub(super) const fn new(
        number: usize,
        languages: &'static [(&'static Letters, i16)],
        unknown: i16,
    ) -> Self {
        assert!(languages.len() <= LANES && number < SCRIPTS);
        let mut rarity = [unknown; LANES];
        let mut lane = 0;
        while lane < languages.len() {
            rarity[lane] = languages[lane].1;
            lane += 1;
        }
        Script {
            number,
            languages,
            rarity,
            table: OnceLock::new(),
        }
    }

    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// What it costs to assume each language.
    pub(super) fn rarity(&self) -> &Sums {
        &self.rarity
    }

    pub(super) fn table(&self) -> &Table {
        self.table.get_or_init(|| {
            let languages: Vec<_> = self.languages.iter().map(|(it, _)| *it).collect();
            Table::new(&languages)
        })
    }
}

impl Table {
    fn new(languages: &[&'static Letters]) -> Self {
        let of_languages = languages.iter().flat_map(|letters| letters.characters());
        let mut alphabet: Vec<char> = of_languages.collect();
        if languages.iter().any(|it| it.index(HOOK_ABOVE).is_some()) {
            // Letters that the table counts as a vowel and its tone.
            let accented = ('\u{C0}'..'\u{180}').chain('\u{1EA0}'..'\u{1F00}');
            alphabet.extend(accented.filter(|&it| with_tone(it).is_some()));
        }
        alphabet.sort_unstable();
        alphabet.dedup();
        alphabet.retain(|letter| is_letter(*letter));
        let is_latin = languages.iter().all(|it| it.is_latin());
        let size = FIRST + alphabet.len();
        let mut priced = Priced::new(size);
        for (lane, letters) in languages.iter().enumerate() {
            priced.add(lane, letters, &steps_of(letters, &alphabet, is_latin));
        }
        priced.add_others(languages.len());
        let typical = priced.most_often.iter();
        let mut table = Table {
            typical: typical.map(|often| cost_of(often / size as u64)).collect(),
            alphabet,
            size,
            costs: priced.costs,
            is_latin,
            of_ascii: [GAP; 256],
        };
        for letter in b'a'..=b'z' {
            let class = table.class(char::from(letter));
            for octet in [letter, letter.to_ascii_uppercase()] {
                if let Some(cell) = table.of_ascii.get_mut(usize::from(octet)) {
                    *cell = class;
                }
            }
        }
        table
    }

    /// What stands for a lower-case letter, above ASCII or not, in the rows.
    pub(super) fn class(&self, letter: char) -> u8 {
        if let Ok(place) = self.alphabet.binary_search(&letter) {
            return u8::try_from(FIRST + place).unwrap_or(FOREIGN);
        }
        if letter.is_ascii() { LATIN } else { FOREIGN }
    }

    /// What a letter costs, whatever stands before it.
    pub(super) fn typical(&self, class: u8) -> u8 {
        self.typical.get(usize::from(class)).copied().unwrap_or(0)
    }

    pub(super) fn is_latin(&self) -> bool {
        self.is_latin
    }

    /// What stands in the rows for each octet of ASCII, and for others, of which nothing is known, no
    /// letter.
    #[inline]
    pub(super) fn classes_of_ascii(&self) -> [u8; 256] {
        self.of_ascii
    }

    /// What words cost in each language, and what it costs to assume it, given what stands for each
    /// octet. A word may be of another language than the rest: names and quotations are. Where
    /// that is seen to be more than `most` in all of them, the rest of the words is not priced.
    pub(super) fn cost(
        &self,
        words: &[u8],
        classes: &[u8; 256],
        assumed: Sums,
        most: i16,
    ) -> Option<Sums> {
        work(words.len());
        let (mut sums, mut word) = (assumed, [0_i16; LANES]);
        let mut row = 0;
        for &octet in words {
            let class = usize::from(class_of(classes, octet));
            if let Some(costs) = self.costs.get(row + class) {
                add(&mut word, costs);
            }
            if class == usize::from(GAP) && row > 0 {
                end_word(&mut sums, &mut word);
                if sums.iter().all(|sum| *sum > most) {
                    return None;
                }
            }
            row = class * self.size;
        }
        end_word(&mut sums, &mut word);
        Some(sums)
    }

    /// What it costs in each language that each letter of ASCII, and no letter, follows each of them.
    pub(super) fn ascii_steps(&self) -> impl Iterator<Item = &[u8; LANES]> {
        let classes = || b" abcdefghijklmnopqrstuvwxyz".map(|it| class_of(&self.of_ascii, it));
        let pairs = classes()
            .into_iter()
            .flat_map(move |a| classes().map(|b| (a, b)));
        pairs.filter_map(|(a, b)| self.costs.get(usize::from(a) * self.size + usize::from(b)))
    }
}

#[inline]
fn class_of(classes: &[u8; 256], octet: u8) -> u8 {
    classes.get(usize::from(octet)).copied().unwrap_or(GAP)
}

#[inline]
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "a copy is taken apart in registers, octet by octet"
)]
fn add(sums: &mut Sums, costs: &[u8; LANES]) {
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum = sum.saturating_add(i16::from(*cost));
    }
}

fn end_word(sums: &mut Sums, word: &mut Sums) {
    let least = word.iter().copied().min().unwrap_or(0);
    let most = least.saturating_add(ANOTHER_LANGUAGE);
    for (sum, cost) in sums.iter_mut().zip(word) {
        *sum = sum.saturating_add((*cost).min(most));
        *cost = 0;
    }
}

/// The rows of a script, as languages are added to them, and how often letters come in them.
struct Priced {
    costs: Vec<[u8; LANES]>,
    /// How often each comes behind each, in all languages together.
    in_all: Vec<u64>,
    /// How often each comes behind all, in the language that has it most.
    most_often: Vec<u64>,
}

impl Priced {
    fn new(size: usize) -> Self {
        Priced {
            costs: vec![[u8::MAX; LANES]; size * size],
            in_all: vec![0; size * size],
            most_often: vec![0; size],
        }
    }

    /// Adds a language, which goes over what stands in the rows by these steps.
    fn add(&mut self, lane: usize, letters: &Letters, steps: &[Step]) {
        let size = steps.len();
        let first: Vec<u8> = steps.iter().map(|step| step.first).collect();
        let behind = [Kind::Gap, Kind::Letter, Kind::LatinBesideOther].map(|before| {
            let besides = steps.iter().map(|step| step.besides(before));
            besides.collect::<Vec<u8>>()
        });
        let mut behind_all = vec![0; size];
        let rows = self.costs.chunks_exact_mut(size);
        let rows = rows.zip(self.in_all.chunks_exact_mut(size));
        for (before, (costs, in_all)) in steps.iter().zip(rows) {
            let counted = letters.costs_behind(before.last.into());
            let [behind_gap, behind_letter, behind_latin] = &behind;
            let besides = match before.kind {
                Kind::Gap => behind_gap,
                Kind::Letter => behind_letter,
                Kind::LatinBesideOther => behind_latin,
            };
            let sums = in_all.iter_mut().zip(&mut behind_all);
            let cells = first.iter().zip(besides).zip(costs);
            for (((first, besides), cell), (in_all, behind_all)) in cells.zip(sums) {
                // Places are less than that, and a remainder is known to be.
                let counted = counted.get(usize::from(*first) % MOST_LETTERS);
                let cost = counted.map_or(0, |cost| cost.saturating_add(*besides));
                let often = OFTEN.get(usize::from(cost)).copied().unwrap_or(0);
                *in_all += often;
                *behind_all += often;
                if let Some(cell) = cell.get_mut(lane % LANES) {
                    *cell = cost;
                }
            }
        }
        for (most, often) in self.most_often.iter_mut().zip(behind_all) {
            *most = often.max(*most);
        }
    }

    /// Adds what follows for a language that has no table, if so many languages leave a lane free:
    /// their mean.
    fn add_others(&mut self, count: usize) {
        if count < LANES {
            for ([.., last], in_all) in self.costs.iter_mut().zip(&self.in_all) {
                *last = cost_of(in_all / count as u64);
            }
        }
    }
}

/// How a language goes over what stands in the rows of a script.
fn steps_of(letters: &Letters, alphabet: &[char], is_latin: bool) -> Vec<Step> {
    let of_latin = if is_latin {
        Kind::Letter
    } else {
        Kind::LatinBesideOther
    };
    let not_known = [
        Step::over_none(Kind::Gap, 0),
        Step::over_none(of_latin, LATIN_LETTER),
        Step::over_none(Kind::Letter, FOREIGN_LETTER),
    ];
    let known = alphabet.iter().map(|letter| Step::new(letters, *letter));
    not_known.into_iter().chain(known).collect()
}

/// The cost of what happens so often, of 2 to the 40 times.
fn cost_of(often: u64) -> u8 {
    // Four for each bit that is missing, and up to three less.
    let least = 4 * often.leading_zeros().saturating_sub(u64::BITS - 1 - 40) as usize;
    let from = least.saturating_sub(3);
    let dearer = OFTEN.get(from..=least).unwrap_or_default();
    let dearer = dearer.iter().filter(|it| **it > often).count();
    u8::try_from(from + dearer).unwrap_or(u8::MAX)
}

/// How often something happens, of 2 to the 40 times, by its cost: half as often for four more.
static OFTEN: [u64; 256] = often();

#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn often() -> [u64; 256] {
    let mut often = [0; 256];
    let mut cost = 0;
    while cost < 256 {
        // Two to the minus quarter, half, three quarters.
        const PARTS: [u64; 4] = [1 << 20, 881_744, 741_455, 623_487];
        often[cost] = (PARTS[cost % 4] << 20) >> (cost / 4);
        cost += 1;
    }
    often
}

/// How a language goes over a letter of its script.
#[derive(Debug)]
struct Step {
    /// Where it comes to in its own alphabet, and where it goes on from: a vowel and its tone.
    first: u8,
    last: u8,
    /// What it costs besides.
    within: i32,
    kind: Kind,
}

/// What a step goes over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// No letter.
    Gap,
    /// A letter of the script, whether the language has it or not.
    Letter,
    /// A Latin letter, where the script is another one.
    LatinBesideOther,
}

impl Step {
    /// Over what the language does not have.
    fn over_none(kind: Kind, within: i32) -> Self {
        let (first, last) = (0, 0);
        Step {
            first,
            last,
            within,
            kind,
        }
    }

    fn new(letters: &Letters, letter: char) -> Self {
        let place = |letter| letters.index(letter).and_then(|it| u8::try_from(it).ok());
        let kind = Kind::Letter;
        if let Some(place) = place(letter) {
            return Step {
                first: place,
                last: place,
                within: 0,
                kind,
            };
        }
        if letters.index(HOOK_ABOVE).is_some()
            && let Some((base, tone)) = with_tone(letter)
            && let (Some(first), Some(last)) = (place(base), place(tone))
        {
            return Step {
                first,
                last,
                within: letters.cost(first.into(), last.into()),
                kind,
            };
        }
        Step::over_none(kind, FOREIGN_LETTER)
    }

    /// What it costs behind another, besides what the language counts.
    fn besides(&self, before: Kind) -> u8 {
        let is_mixed = matches!(
            (before, self.kind),
            (Kind::Letter, Kind::LatinBesideOther) | (Kind::LatinBesideOther, Kind::Letter)
        );
        let mixed = if is_mixed { MIXED_SCRIPTS } else { 0 };
        u8::try_from(self.within + mixed).unwrap_or(u8::MAX)
    }
}

/// Whether a character is priced by those before it and not by its place: a letter, or a mark
/// on one.
pub(super) fn is_letter(character: char) -> bool {
    character.is_alphabetic() && !matches!(character, 'ª' | 'º' | 'µ' | '\u{2B0}'..='\u{2FF}')
        || matches!(character, '\u{200C}' | '\u{200D}' | '\u{300}'..='\u{36F}' | '\u{5B0}'..='\u{5C7}' | '\u{64B}'..='\u{652}' | '\u{E2F}'..='\u{E5B}')
}

/// The tone that no language but Vietnamese has.
const HOOK_ABOVE: char = '\u{309}';

/// A Vietnamese vowel and its tone, which the table counts on their own as windows-1258
/// writes them.
fn with_tone(character: char) -> Option<(char, char)> {
    const TONES: [char; 5] = ['\u{300}', '\u{301}', HOOK_ABOVE, '\u{303}', '\u{323}'];
    const VOWELS: [(char, &str); 12] = [
        ('a', "àáảãạ"),
        ('ă', "ằắẳẵặ"),
        ('â', "ầấẩẫậ"),
        ('e', "èéẻẽẹ"),
        ('ê', "ềếểễệ"),
        ('i', "ìíỉĩị"),
        ('o', "òóỏõọ"),
        ('ô', "ồốổỗộ"),
        ('ơ', "ờớởỡợ"),
        ('u', "ùúủũụ"),
        ('ư', "ừứửữự"),
        ('y', "ỳýỷỹỵ"),
    ];
    VOWELS.iter().find_map(|&(vowel, toned)| {
        let place = toned.chars().position(|it| it == character)?;
        Some((vowel, *TONES.get(place)?))
    })
}

#[cfg(test)]
mod tests {
    use super::super::candidates::{CANDIDATES, Languages};
    use super::{
        FIRST, FOREIGN, FOREIGN_LETTER, GAP, HOOK_ABOVE, LANES, LATIN, LATIN_LETTER, MIXED_SCRIPTS,
        OFTEN, Script, with_tone,
    };
    use crate::detect::tables::Letters;

    /// Where a language comes to with a letter, where it goes on from, and what it costs besides.
    fn places(letters: &Letters, letter: char) -> (usize, usize, i32) {
        let toned = || {
            letters.index(HOOK_ABOVE)?;
            let (base, tone) = with_tone(letter)?;
            let (base, tone) = (letters.index(base)?, letters.index(tone)?);
            Some((base, tone, letters.cost(base, tone)))
        };
        let own = letters.index(letter).map(|place| (place, place, 0));
        own.or_else(toned).unwrap_or((0, 0, FOREIGN_LETTER))
    }

    /// The least cost of what happens so often.
    fn cost_of(often: u64) -> u8 {
        let cost = OFTEN.iter().position(|it| *it <= often);
        u8::try_from(cost.unwrap()).unwrap()
    }

    fn assert_is_priced(script: &Script) {
        let table = script.table();
        let count = script.languages.len();
        let mut most_often = vec![[0_u64; LANES]; table.size];
        for before in 0..table.size {
            for (now, most_often) in most_often.iter_mut().enumerate() {
                let mut costs = [u8::MAX; LANES];
                for (cost, (letters, _)) in costs.iter_mut().zip(script.languages) {
                    let of = |place: usize| match place.checked_sub(FIRST) {
                        Some(letter) => places(letters, table.alphabet[letter]),
                        None if place == usize::from(LATIN) => (0, 0, LATIN_LETTER),
                        None if place == usize::from(FOREIGN) => (0, 0, FOREIGN_LETTER),
                        None => (0, 0, 0),
                    };
                    let ((_, last, _), (first, _, besides)) = (of(before), of(now));
                    let is_latin = |place: usize| place == usize::from(LATIN);
                    let is_gap = |place: usize| place == usize::from(GAP);
                    let is_mixed = !table.is_latin
                        && is_latin(before) != is_latin(now)
                        && !is_gap(before)
                        && !is_gap(now);
                    let mixed = i32::from(is_mixed) * MIXED_SCRIPTS;
                    *cost = u8::try_from(letters.cost(last, first) + besides + mixed).unwrap();
                }
                let often = costs.map(|cost| OFTEN[usize::from(cost)]);
                for (sum, often) in most_often.iter_mut().zip(&often[..count]) {
                    *sum += often;
                }
                if count < LANES {
                    costs[LANES - 1] = cost_of(often[..count].iter().sum::<u64>() / count as u64);
                }
                assert_eq!(
                    table.costs[before * table.size + now],
                    costs,
                    "{before} {now}"
                );
            }
        }
        for (typical, often) in table.typical.iter().zip(most_often) {
            let most = often.iter().max().unwrap();
            assert_eq!(*typical, cost_of(most / table.size as u64));
        }
    }

    /// Tables have for each language what its own table says, letter behind letter.
    #[test]
    fn rows_are_those_of_the_languages() {
        let of_candidates = CANDIDATES.iter().filter_map(|it| match it.languages {
            Languages::Letters(scripts) => Some(scripts),
            Languages::Characters(_) => None,
        });
        let mut scripts: Vec<&Script> = of_candidates.flatten().copied().collect();
        scripts.sort_unstable_by_key(|script| script.number());
        scripts.dedup_by_key(|script| script.number());
        scripts.into_iter().for_each(assert_is_priced);
    }
}
