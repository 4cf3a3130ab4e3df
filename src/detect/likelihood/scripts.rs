//! Scores all languages of a script together.
//!
//! The rows have the cost of each letter pair in all languages, so that a text is read once for all of
//! them.

use super::rows::{FIRST, FOREIGN, GAP, LATIN, Language, PairCosts, lanes};
pub(super) use super::rows::{FOREIGN_LETTER, LANES};
use super::tables::place;
use crate::work::work;

/// Costs in each language, in quarters of a bit.
pub(super) type Sums = [i16; LANES];

/// Costs of up to eight languages that use one script. With at most seven, another lane is for a
/// language without a table.
#[derive(Debug)]
pub(super) struct ScriptCosts {
    /// The number of the script.
    pub(super) number: usize,
    /// The cost of assuming each language, or one without a table.
    pub(super) rarity: Sums,
    pub(super) is_latin: bool,
    /// The letters of all alphabets, sorted.
    pub(super) alphabet: &'static [u16],
    /// For each pair of classes, its cost in each lane ([`PairCosts::costs`]).
    pub(super) costs: &'static [u8],
    /// The number of costs for each pair: two, four or eight.
    pub(super) lanes: usize,
    /// The typical cost of each class, in the language in which it is most frequent.
    pub(super) typical: &'static [u8],
    /// The class of each ASCII octet.
    pub(super) of_ascii: [u8; 256],
    #[cfg(test)]
    pub(super) languages: &'static [Language],
}

/// Maximum number of scripts.
pub(super) const SCRIPTS: usize = 16;

/// Cost of a word in another language than most of the text.
pub(super) const ANOTHER_LANGUAGE: i16 = 28;

/// Builds a script from languages with the cost of assuming each, and the cost of assuming one without
/// a table. It is a macro, since the lengths of the arrays depend on the alphabets.
macro_rules! script {
    ($number:literal, [$(($letters:ident, $rarity:literal)),+ $(,)?], $unknown:expr $(,)?) => {{
        use super::rows::{Alphabet, FIRST, Language, PairCosts, lanes};
        const LANGUAGES: &[Language] = &[$((&$letters, $rarity)),+];
        const ALL: Alphabet = Alphabet::of(LANGUAGES);
        const SIZE: usize = ALL.rows();
        const LANES: usize = lanes(LANGUAGES.len());
        static ALPHABET: [u16; SIZE - FIRST] = ALL.letters();
        static ROWS: PairCosts<{ SIZE * SIZE * LANES }, SIZE> = PairCosts::of(LANGUAGES, &ALL);
        ScriptCosts::new($number, LANGUAGES, $unknown, &ALPHABET, &ROWS)
    }};
}
pub(super) use script;

impl ScriptCosts {
    #[expect(
        clippy::indexing_slicing,
        reason = "runs at compile time, where a mistake is a build error"
    )]
    pub(super) const fn new<const CELLS: usize, const SIZE: usize>(
        number: usize,
        languages: &'static [Language],
        unknown: i16,
        alphabet: &'static [u16],
        rows: &'static PairCosts<CELLS, SIZE>,
    ) -> Self {
        assert!(languages.len() <= LANES && number < SCRIPTS);
        let (mut rarity, mut is_latin) = ([unknown; LANES], true);
        let mut lane = 0;
        while lane < languages.len() {
            let (letters, own) = languages[lane];
            rarity[lane] = own;
            is_latin &= letters.is_latin;
            lane += 1;
        }
        let mut of_ascii = [GAP; 256];
        let mut letter = b'a';
        while letter <= b'z' {
            let class = class(alphabet, letter as u16);
            of_ascii[letter as usize] = class;
            of_ascii[letter.to_ascii_uppercase() as usize] = class;
            letter += 1;
        }
        ScriptCosts {
            number,
            rarity,
            is_latin,
            alphabet,
            costs: &rows.costs,
            lanes: lanes(languages.len()),
            typical: &rows.typical,
            of_ascii,
            #[cfg(test)]
            languages,
        }
    }

    /// The class of a lower-case letter.
    pub(super) fn class(&self, letter: char) -> u8 {
        u16::try_from(u32::from(letter)).map_or(FOREIGN, |code| class(self.alphabet, code))
    }

    /// The typical cost of a letter.
    pub(super) fn typical(&self, class: u8) -> u8 {
        self.typical.get(usize::from(class)).copied().unwrap_or(0)
    }

    /// The cost of words in each language, added to the cost of assuming the language, given the
    /// class of each octet. A word may be in another language than the rest, such as a name or
    /// quotation. `None` if all costs exceed `most`.
    pub(super) fn cost(
        &self,
        words: &[u8],
        classes: &[u8; 256],
        assumed: Sums,
        most: i16,
    ) -> Option<Sums> {
        match self.lanes {
            2 => self.cost_in::<2>(words, classes, assumed, most),
            4 => self.cost_in::<4>(words, classes, assumed, most),
            _ => self.cost_in::<LANES>(words, classes, assumed, most),
        }
    }

    /// [`cost`](ScriptCosts::cost) for `N` lanes.
    fn cost_in<const N: usize>(
        &self,
        words: &[u8],
        classes: &[u8; 256],
        assumed: Sums,
        most: i16,
    ) -> Option<Sums> {
        work(words.len());
        let (rows, size) = (self.costs.as_chunks::<N>().0, self.typical.len());
        let (mut sums, mut word) = ([i16::MAX; N], [0; N]);
        sums.iter_mut().zip(assumed).for_each(|(sum, it)| *sum = it);
        let mut row = 0;
        for &octet in words {
            let class = usize::from(class_of(classes, octet));
            if let Some(costs) = rows.get(row + class) {
                add(&mut word, costs);
            }
            if class == usize::from(GAP) && row > 0 {
                end_word(&mut sums, &mut word);
                if sums.iter().all(|sum| *sum > most) {
                    return None;
                }
            }
            row = class * size;
        }
        end_word(&mut sums, &mut word);
        let mut all = [i16::MAX; LANES];
        all.iter_mut().zip(sums).for_each(|(all, sum)| *all = sum);
        Some(all)
    }

    /// The costs of all pairs of ASCII letters or non-letters, in each language.
    pub(super) fn ascii_steps(&self) -> impl Iterator<Item = &[u8]> {
        let classes = b" abcdefghijklmnopqrstuvwxyz".map(|it| class_of(&self.of_ascii, it));
        let (size, lanes) = (self.typical.len(), self.lanes);
        let rows = classes.into_iter().filter_map(move |before| {
            let row = usize::from(before) * size * lanes;
            self.costs.get(row..row + size * lanes)
        });
        rows.flat_map(move |row| {
            let cells = classes.map(|now| usize::from(now) * lanes);
            cells
                .into_iter()
                .filter_map(move |at| row.get(at..at + lanes))
        })
    }
}

/// The class of a lower-case letter in an alphabet.
#[expect(
    clippy::cast_possible_truncation,
    reason = "no alphabet has so many letters"
)]
const fn class(alphabet: &[u16], letter: u16) -> u8 {
    match place(alphabet, letter) {
        Some(place) => (FIRST + place) as u8,
        None if letter < 0x80 => LATIN,
        None => FOREIGN,
    }
}

#[inline]
fn class_of(classes: &[u8; 256], octet: u8) -> u8 {
    classes.get(usize::from(octet)).copied().unwrap_or(GAP)
}

#[inline]
fn add<const N: usize>(sums: &mut [i16; N], costs: &[u8; N]) {
    for (sum, cost) in sums.iter_mut().zip(costs) {
        *sum = sum.saturating_add(i16::from(*cost));
    }
}

fn end_word<const N: usize>(sums: &mut [i16; N], word: &mut [i16; N]) {
    let least = word.iter().copied().min().unwrap_or(0);
    let most = least.saturating_add(ANOTHER_LANGUAGE);
    for (sum, cost) in sums.iter_mut().zip(word) {
        *sum = sum.saturating_add((*cost).min(most));
        *cost = 0;
    }
}

/// Whether a character is scored by the letter before it, not by its neighbours: a letter, or a mark on
/// one.
pub(super) fn is_letter(character: char) -> bool {
    character.is_alphabetic() && !matches!(character, 'ª' | 'º' | 'µ' | '\u{2B0}'..='\u{2FF}')
        || matches!(character, '\u{200C}' | '\u{200D}' | '\u{300}'..='\u{36F}' | '\u{5B0}'..='\u{5C7}' | '\u{64B}'..='\u{652}' | '\u{E2F}'..='\u{E5B}')
}
