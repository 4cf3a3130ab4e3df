//! The frequency tables, parsed from text files: letter tables at compile time, character tables on first
//! use. The README of the folder explains what they count and how they were made.

#![expect(
    clippy::indexing_slicing,
    reason = "runs at compile time, where a mistake is a build error"
)]

use std::sync::OnceLock;

/// The costs of letter pairs in a language.
#[derive(Debug)]
pub(super) struct LetterTable {
    /// Lower-case letters and symbols, sorted; the space in front represents everything else.
    pub(super) alphabet: &'static [u16],
    /// Whether a to z come first.
    pub(super) is_latin: bool,
    /// For each code of the alphabet, the costs of all codes after it.
    costs: &'static [u8],
}

impl LetterTable {
    /// The index of a lower-case character in the alphabet, from 1.
    pub(super) const fn index(&self, code: u16) -> Option<usize> {
        match self.alphabet {
            [_, letters @ ..] => match place(letters, code) {
                Some(place) => Some(place + 1),
                None => None,
            },
            [] => None,
        }
    }

    /// The cost of each code of the alphabet, in quarters of a bit, after the code at index
    /// `before`. Index 0 stands for every other character; two of these in a row cost nothing.
    /// Empty if there is no such index.
    pub(super) const fn row(&self, before: usize) -> &'static [u8] {
        let count = self.alphabet.len();
        let Some((_, rows)) = self.costs.split_at_checked(before * count) else {
            return &[];
        };
        match rows.split_at_checked(count) {
            Some((row, _)) => row,
            None => &[],
        }
    }
}

/// The index of a letter in a sorted alphabet.
pub(super) const fn place(alphabet: &[u16], letter: u16) -> Option<usize> {
    let (mut start, mut rest) = (0, alphabet);
    while let Some((before, [middle, after @ ..])) = rest.split_at_checked(rest.len() / 2) {
        if *middle == letter {
            return Some(start + before.len());
        }
        if *middle < letter {
            start += before.len() + 1;
            rest = after;
        } else {
            rest = before;
        }
    }
    None
}

/// The costs of characters in a language that has thousands of them.
#[derive(Debug)]
pub(super) struct CharacterTable {
    /// One line per cost: the cost in bits, a space, and the characters with this cost.
    text: &'static str,
    /// The cost of each code point, parsed on first use; 0 for characters not in the file.
    bits: OnceLock<Vec<u8>>,
}

impl CharacterTable {
    const fn new(text: &'static str) -> Self {
        CharacterTable {
            text,
            bits: OnceLock::new(),
        }
    }

    /// The cost of a frequent character, in quarters of a bit; `None` for others.
    pub(super) fn cost(&self, character: char) -> Option<i32> {
        let bits = self.bits.get_or_init(|| self.read());
        let cost = bits.get(character as usize).filter(|cost| **cost > 0);
        cost.map(|&cost| 4 * i32::from(cost))
    }

    fn read(&self) -> Vec<u8> {
        let mut bits = vec![0; 1 << 16];
        for (cost, characters) in self.text.lines().filter_map(|it| it.split_once(' ')) {
            let cost = cost.parse().unwrap_or_default();
            for character in characters.chars() {
                if let Some(bits) = bits.get_mut(character as usize) {
                    *bits = cost;
                }
            }
        }
        bits
    }
}

/// The table of letters in a file. It is a macro, since the lengths of the arrays depend on the text.
macro_rules! letters {
    ($file:literal) => {{
        const TEXT: &[u8] = include_bytes!(concat!("letters/", $file));
        const COUNT: usize = count(TEXT);
        static ALPHABET: [u16; COUNT] = alphabet(TEXT);
        static COSTS: [u8; COUNT * COUNT] = costs(TEXT, COUNT);
        LetterTable {
            alphabet: &ALPHABET,
            is_latin: COUNT > 26 && ALPHABET[1] == b'a' as u16 && ALPHABET[26] == b'z' as u16,
            costs: &COSTS,
        }
    }};
}

/// The number of characters in the first line.
const fn count(text: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while text[at] != b'\n' {
        (_, at) = code_point(text, at);
        count += 1;
    }
    count
}

/// The characters of the first line: a space, then sorted.
const fn alphabet<const COUNT: usize>(text: &[u8]) -> [u16; COUNT] {
    let mut alphabet = [0; COUNT];
    let (mut row, mut at) = (0, 0);
    while row < COUNT {
        (alphabet[row], at) = code_point(text, at);
        assert!(row < 2 || alphabet[row - 1] < alphabet[row]);
        row += 1;
    }
    assert!(alphabet[0] == b' ' as u16);
    alphabet
}

/// The lines after the first, one octet per cost.
const fn costs<const CELLS: usize>(text: &[u8], count: usize) -> [u8; CELLS] {
    let rows = text.len() - count * (count + 1);
    assert!(text[rows - 1] == b'\n');
    let mut costs = [0; CELLS];
    // The first cell, a non-letter after a non-letter, costs nothing.
    let mut cell = 1;
    while cell < CELLS {
        let line = rows + cell / count * (count + 1);
        assert!(text[line + count] == b'\n');
        costs[cell] = text[line + cell % count] - b'!';
        cell += 1;
    }
    costs
}

/// The code point of up to three octets of UTF-8 at `at`, and the offset of the next one.
const fn code_point(octets: &[u8], at: usize) -> (u16, usize) {
    let first = octets[at] as u16;
    if first < 0x80 {
        return (first, at + 1);
    }
    let second = (octets[at + 1] & 0x3F) as u16;
    if first < 0xE0 {
        return ((first & 0x1F) << 6 | second, at + 2);
    }
    let third = (octets[at + 2] & 0x3F) as u16;
    ((first & 0x0F) << 12 | second << 6 | third, at + 3)
}

pub(super) static AR: LetterTable = letters!("ar.txt");
pub(super) static BE: LetterTable = letters!("be.txt");
pub(super) static BG: LetterTable = letters!("bg.txt");
pub(super) static CA: LetterTable = letters!("ca.txt");
pub(super) static CS: LetterTable = letters!("cs.txt");
pub(super) static CY: LetterTable = letters!("cy.txt");
pub(super) static DA: LetterTable = letters!("da.txt");
pub(super) static DE: LetterTable = letters!("de.txt");
pub(super) static EL: LetterTable = letters!("el.txt");
pub(super) static EN: LetterTable = letters!("en.txt");
pub(super) static EO: LetterTable = letters!("eo.txt");
pub(super) static ES: LetterTable = letters!("es.txt");
pub(super) static ET: LetterTable = letters!("et.txt");
pub(super) static FA: LetterTable = letters!("fa.txt");
pub(super) static FI: LetterTable = letters!("fi.txt");
pub(super) static FR: LetterTable = letters!("fr.txt");
pub(super) static GA: LetterTable = letters!("ga.txt");
pub(super) static HE: LetterTable = letters!("he.txt");
pub(super) static HR: LetterTable = letters!("hr.txt");
pub(super) static HU: LetterTable = letters!("hu.txt");
pub(super) static IS: LetterTable = letters!("is.txt");
pub(super) static IT: LetterTable = letters!("it.txt");
pub(super) static LT: LetterTable = letters!("lt.txt");
pub(super) static LV: LetterTable = letters!("lv.txt");
pub(super) static MK: LetterTable = letters!("mk.txt");
pub(super) static NL: LetterTable = letters!("nl.txt");
pub(super) static PL: LetterTable = letters!("pl.txt");
pub(super) static PT: LetterTable = letters!("pt.txt");
pub(super) static RO: LetterTable = letters!("ro.txt");
pub(super) static RU: LetterTable = letters!("ru.txt");
pub(super) static SK: LetterTable = letters!("sk.txt");
pub(super) static SQ: LetterTable = letters!("sq.txt");
pub(super) static SR: LetterTable = letters!("sr.txt");
pub(super) static SV: LetterTable = letters!("sv.txt");
pub(super) static TH: LetterTable = letters!("th.txt");
pub(super) static TR: LetterTable = letters!("tr.txt");
pub(super) static UK: LetterTable = letters!("uk.txt");
pub(super) static VI: LetterTable = letters!("vi.txt");
pub(super) static JA: CharacterTable = CharacterTable::new(include_str!("characters/ja.txt"));
pub(super) static KO: CharacterTable = CharacterTable::new(include_str!("characters/ko.txt"));
pub(super) static ZH_HANS: CharacterTable =
    CharacterTable::new(include_str!("characters/zh-Hans.txt"));
pub(super) static ZH_HANT: CharacterTable =
    CharacterTable::new(include_str!("characters/zh-Hant.txt"));

#[cfg(test)]
mod tests {
    use super::{CharacterTable, EN, JA, KO, LetterTable, TH, VI, ZH_HANS, ZH_HANT};

    #[track_caller]
    fn assert_is_text(table: &LetterTable, text: &str) {
        let mut lines = text.lines();
        let alphabet: Vec<char> = lines.next().unwrap().chars().collect();
        for (place, &letter) in alphabet.iter().enumerate().skip(1) {
            let code = u16::try_from(u32::from(letter)).unwrap();
            assert_eq!(table.index(code), Some(place), "{letter}");
        }
        let mut rows = 0;
        for (before, line) in lines.enumerate() {
            assert_eq!(line.len(), alphabet.len());
            for (after, cell) in line.bytes().enumerate() {
                let is_text = (before, after) != (0, 0);
                let cost = if is_text { cell - 33 } else { 0 };
                assert_eq!(table.row(before)[after], cost);
            }
            rows += 1;
        }
        assert_eq!(rows, alphabet.len());
    }

    /// A table equals its text form, from the smallest alphabet to the largest.
    #[test]
    fn costs_match_the_text() {
        assert_is_text(&EN, include_str!("letters/en.txt"));
        assert_is_text(&VI, include_str!("letters/vi.txt"));
        assert_is_text(&TH, include_str!("letters/th.txt"));
        assert_eq!(EN.index(0xE9), None);
        assert_eq!(EN.index(0x20), None);
    }

    /// A slip in a file would change or lose the costs of characters.
    #[test]
    fn character_tables_equal_their_text() {
        let tables: [&CharacterTable; 4] = [&JA, &KO, &ZH_HANS, &ZH_HANT];
        for table in tables {
            let mut count = 0;
            for line in table.text.lines() {
                let (cost, characters) = line.split_once(' ').unwrap();
                let cost: i32 = cost.parse().unwrap();
                assert!(
                    cost > 0 && characters.chars().is_sorted_by(|a, b| a < b),
                    "{line}"
                );
                for character in characters.chars() {
                    assert_eq!(table.cost(character), Some(4 * cost), "{character}");
                    count += 1;
                }
            }
            let all = ('\u{80}'..='\u{FFFF}').filter(|it| table.cost(*it).is_some());
            assert_eq!(all.count(), count);
        }
    }
}
