//! Costs of ASCII words in each language written with Latin letters, computed for all languages at
//! once.

use std::sync::OnceLock;

use super::candidates::{CANDIDATES, LanguageModels, WESTERN};
use super::scripts::{LANES, SCRIPTS, ScriptCosts, Sums};
use crate::work::work;

/// Maximum evidence of one ASCII word against a language.
pub(super) const FOREIGN_WORD: i16 = 4;

/// The number of Latin scripts.
const LATIN_SCRIPTS: usize = 9;
/// The lanes of all Latin scripts.
const COLUMNS: usize = LATIN_SCRIPTS * LANES;
/// The letters of ASCII, and one class for everything else.
const CLASSES: usize = 27;
/// Maximum number of scored letters in a word, so that sums do not overflow. No real word is longer.
const LONGEST: usize = i16::MAX as usize / u8::MAX as usize - 1;

/// The costs of ASCII words in each language, or their savings.
#[derive(Debug, Clone, Copy)]
pub(super) struct Costs([i16; COLUMNS]);

impl Costs {
    /// The costs in each language of a script.
    #[inline]
    pub(super) fn of(&self, script: &ScriptCosts) -> Sums {
        let (all, _) = self.0.as_chunks::<LANES>();
        let place = Columns::all().places.get(script.number);
        let costs = place.and_then(|place| all.get(usize::from(*place)));
        costs.copied().unwrap_or_default()
    }
}

/// How much cheaper words of ASCII are in each language than in English, limited to the range from
/// `least` to `most`.
pub(super) fn familiar(words: &[&[u8]], least: i16, most: i16) -> Costs {
    /// Sums stop growing here: far above `most`, but one more word cannot overflow them.
    const ENOUGH: i16 = i16::MAX / 2;
    let columns = Columns::all();
    let mut sums = [0; COLUMNS];
    for word in words {
        let costs = columns.cost(word);
        let [english, ..] = costs.of(&WESTERN);
        for (sum, cost) in sums.iter_mut().zip(costs.0) {
            let less = (english - cost).clamp(-FOREIGN_WORD, ENOUGH);
            *sum = ENOUGH.min(*sum) + less;
        }
    }
    Costs(sums.map(|sum: i16| sum.clamp(least, most)))
}

/// Costs of letter pairs, with a column for each language.
#[derive(Debug)]
struct Columns {
    /// For each pair of letters, its cost in each language.
    costs: Vec<[u8; COLUMNS]>,
    /// The column of each Latin script.
    places: [u8; SCRIPTS],
}

impl Columns {
    fn all() -> &'static Self {
        static ALL: OnceLock<Columns> = OnceLock::new();
        ALL.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut columns = Columns {
            costs: vec![[u8::MAX; COLUMNS]; CLASSES * CLASSES],
            places: [u8::MAX; SCRIPTS],
        };
        let of_candidates = CANDIDATES.iter().filter_map(|it| match it.languages {
            LanguageModels::Letters(scripts) => Some(scripts),
            LanguageModels::Characters(_) => None,
        });
        let mut place = 0;
        for script in of_candidates.flatten() {
            let own = columns.places.get_mut(script.number);
            let is_new = |own: &&mut u8| **own == u8::MAX && script.is_latin;
            if let Some(own) = own.filter(is_new) {
                *own = place;
                columns.add(script, place);
                place += 1;
            }
        }
        columns
    }

    fn add(&mut self, script: &ScriptCosts, place: u8) {
        for (costs, step) in self.costs.iter_mut().zip(script.ascii_steps()) {
            let own = costs.get_mut(usize::from(place) * LANES..);
            if let Some(own) = own.and_then(|own| own.get_mut(..step.len())) {
                own.copy_from_slice(step);
            }
        }
    }

    /// The cost of a word in each language.
    fn cost(&self, word: &[u8]) -> Costs {
        work(word.len());
        let (mut sums, mut row) = ([0; COLUMNS], 0);
        let mut add = |class: usize| {
            if let Some(costs) = self.costs.get(row + class) {
                for (sum, cost) in sums.iter_mut().zip(costs) {
                    *sum += i16::from(*cost);
                }
            }
            row = class * CLASSES;
        };
        for letter in word.iter().take(LONGEST) {
            // A word has only letters.
            add(usize::from(
                letter.to_ascii_lowercase().wrapping_sub(b'a' - 1),
            ));
        }
        add(0);
        Costs(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidates::WESTERN;
    use super::super::tables::{EN, FR, LetterTable};
    use super::{Columns, LATIN_SCRIPTS, familiar};

    /// The cost of a word in the table of one language.
    fn cost(word: &str, letters: &LetterTable) -> i32 {
        let word = format!(" {word} ");
        let place = |letter: char| {
            let code = u16::try_from(u32::from(letter.to_ascii_lowercase())).unwrap();
            letters.index(code).unwrap_or(0)
        };
        let steps = word.chars().zip(word.chars().skip(1));
        let costs = steps.map(|(a, b)| letters.row(place(a))[place(b)]);
        costs.map(i32::from).sum()
    }

    /// The column of a language has the costs of its own table.
    #[test]
    fn each_language_has_its_column() {
        let words = ["the", "Bonjour", "monde"];
        let octets: Vec<&[u8]> = words.iter().map(|it| it.as_bytes()).collect();
        let [english, _, french, ..] = familiar(&octets, -99, 99).of(&WESTERN);
        assert_eq!(english, 0);
        let less = |word: &&str| (cost(word, &EN) - cost(word, &FR)).max(-4);
        assert_eq!(i32::from(french), words.iter().map(less).sum::<i32>());
    }

    #[test]
    fn each_latin_script_has_a_column() {
        let places = Columns::all().places;
        let latin = places.iter().filter(|place| **place != u8::MAX);
        assert_eq!(latin.count(), LATIN_SCRIPTS);
    }
}
