//! The languages of a script, priced side by side.
//!
//! A row of the table has what it costs that one letter follows another in each of the languages,
//! so that a text is read once for all of them.

use std::sync::OnceLock;

use super::tables::Letters;
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
        let mut alphabet: Vec<char> = of_languages.filter(|&it| is_letter(it)).collect();
        if languages.iter().any(|it| it.index(HOOK_ABOVE).is_some()) {
            // Letters that the table counts as a vowel and its tone.
            let accented = ('\u{C0}'..'\u{180}').chain('\u{1EA0}'..'\u{1F00}');
            alphabet.extend(accented.filter(|&it| with_tone(it).is_some()));
        }
        alphabet.sort_unstable();
        alphabet.dedup();
        let is_latin = languages.iter().all(|it| it.is_latin());
        let size = FIRST + alphabet.len();
        let mut costs = vec![[u8::MAX; LANES]; size * size];
        for (lane, letters) in languages.iter().enumerate() {
            let steps: Vec<Step> = alphabet.iter().map(|&it| Step::new(letters, it)).collect();
            for (before, row) in costs.chunks_exact_mut(size).enumerate() {
                for (now, cell) in row.iter_mut().enumerate() {
                    let cost = step_cost(letters, (&steps, is_latin), before, now);
                    if let Some(cell) = cell.get_mut(lane) {
                        *cell = u8::try_from(cost).unwrap_or(u8::MAX);
                    }
                }
            }
        }
        // For each letter how often it comes behind all others in each language.
        let mut columns = vec![[0_u64; LANES]; size];
        for row in costs.chunks_exact_mut(size) {
            for (cell, column) in row.iter_mut().zip(&mut columns) {
                let mut all = 0;
                for (cost, sum) in cell.iter().zip(column).take(languages.len()) {
                    let often = OFTEN.get(usize::from(*cost)).copied().unwrap_or(0);
                    *sum += often;
                    all += often;
                }
                // What follows for a language that has no table: the mean of those that have.
                if let Some(last) = cell.get_mut(languages.len()..).and_then(<[u8]>::last_mut) {
                    *last = cost_of(all / languages.len() as u64);
                }
            }
        }
        let typical = columns.iter().map(|column| {
            let often = column.iter().take(languages.len()).max();
            cost_of(often.copied().unwrap_or(0) / size as u64)
        });
        let mut table = Table {
            typical: typical.collect(),
            alphabet,
            size,
            costs,
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

/// What it costs in a language that one letter, or none, follows another.
fn step_cost(
    letters: &Letters,
    (steps, is_latin): (&[Step], bool),
    before: usize,
    now: usize,
) -> i32 {
    let gap = Step::default();
    let known = |place: usize| {
        let letter = place.checked_sub(FIRST);
        letter.and_then(|place| steps.get(place)).unwrap_or(&gap)
    };
    let (last, next) = (known(before), known(now));
    let cost = letters.cost(last.last, next.first) + next.within;
    let beside_latin = |place: usize| !is_latin && place == usize::from(LATIN);
    let is_mixed =
        beside_latin(before) != beside_latin(now) && ![before, now].contains(&usize::from(GAP));
    let mixed = if is_mixed { MIXED_SCRIPTS } else { 0 };
    let strange = match u8::try_from(now) {
        Ok(LATIN) => LATIN_LETTER,
        Ok(FOREIGN) => FOREIGN_LETTER,
        _ => 0,
    };
    cost + strange + mixed
}

/// The cost of what happens so often, of 2 to the 40 times.
fn cost_of(often: u64) -> u8 {
    // Four for each bit that is missing, and up to three less.
    let least = 4 * often.leading_zeros().saturating_sub(u64::BITS - 1 - 40);
    let is_cost = |cost: &u32| OFTEN.get(*cost as usize).is_some_and(|it| *it <= often);
    let cost = (least.saturating_sub(3)..=least).find(is_cost);
    cost.and_then(|cost| u8::try_from(cost).ok())
        .unwrap_or(u8::MAX)
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
        Step {
            within: FOREIGN_LETTER,
            ..Step::default()
        }
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
