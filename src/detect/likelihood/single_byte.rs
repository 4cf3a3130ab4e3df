//! Costs of octets in single-byte charsets.

use std::ops::RangeInclusive;

use super::cell::{self, Cell, GridRow};
use super::sample::Sample;
use super::scripts::{FOREIGN_LETTER, ScriptCosts, Sums, is_letter};
use super::symbols::Neighbour;
use crate::charset::Charset;
use crate::work::work;

/// A single-byte charset.
#[derive(Debug)]
pub(super) struct Cells {
    scripts: &'static [&'static ScriptCosts],
    /// Its index in each row.
    place: usize,
    /// Whether its script is not Latin.
    is_of_other_script: bool,
    /// Controls that are letters, as in two Vietnamese charsets: one bit each.
    control_letters: u32,
    /// Whether words may be English with decorative accents.
    may_be_decorated: bool,
}

/// Cost of a decorative accent, as in `VÍÀGRA`, which spam wrote to pass filters: four bits. At
/// five bits, fewer drawn words were right (359 of 400, not 382), and no more of the texts set
/// aside for tuning were.
const DECORATION: i16 = 16;

/// The number of decorative accents in a text. A single accent may belong to a name.
const DECORATIONS: RangeInclusive<usize> = 2..=12;

/// Bonus for a letter in place of a control, since text has no controls.
const CONTROL_LETTER: i32 = 24;

/// Cost of a letter after a digit.
const AFTER_DIGIT: i32 = 12;

/// Extra cost of a symbol in text with non-ASCII letters. The costs of symbols were counted
/// in texts with few non-ASCII characters, and 58 % of these characters are symbols
/// (`symbols.rs`). In Russian, Bulgarian, Greek and Hebrew texts, only 0.2 to 1.5 % of the
/// non-ASCII characters are symbols, and in mail some 2 %. 2 % is a thirtieth of 58 %: a
/// difference of five bits.
const AMONG_LETTERS: i32 = 20;

impl Cells {
    /// A charset with these languages and this index in each row; `None` unless each octet above 7F is one
    /// character.
    pub(super) fn new(
        charset: Charset,
        scripts: &'static [&'static ScriptCosts],
        place: usize,
    ) -> Option<Self> {
        let characters = cell::characters(charset)?;
        let low = (0..0x20).zip(&characters).filter(|(_, it)| is_letter(**it));
        Some(Cells {
            scripts,
            place,
            is_of_other_script: scripts.iter().all(|it| !it.is_latin),
            control_letters: low.fold(0, |letters, (octet, _)| letters | 1 << octet),
            may_be_decorated: charset == Charset::WINDOWS_1252,
        })
    }

    /// The cell of this charset in the row of an octet.
    #[inline]
    fn cell<'r>(&self, row: &'r GridRow) -> &'r Cell {
        row.get(self.place).unwrap_or(Cell::NONE)
    }

    /// Whether all octets are the same characters in another charset.
    pub(super) fn are_same(&self, other: &Cells, octets: &Sample<'_>) -> bool {
        let mut distinct = octets.distinct.iter();
        distinct.all(|seen| self.is_same(other, seen.row))
    }

    /// Whether an octet is the same character in another charset.
    pub(super) fn is_same(&self, other: &Cells, row: &GridRow) -> bool {
        self.cell(row).character == other.cell(row).character
    }

    /// Whether both charsets were used for the same languages.
    pub(super) fn has_scripts_of(&self, other: &Cells) -> bool {
        self.scripts
            .iter()
            .map(|it| it.number)
            .eq(other.scripts.iter().map(|it| it.number))
    }

    /// Whether no octet above 7F is a letter.
    pub(super) fn are_symbols(&self, octets: &Sample<'_>) -> bool {
        let mut distinct = octets.distinct.iter();
        distinct.all(|seen| !self.cell(seen.row).is_letter())
    }

    /// The typical cost of an octet: of a letter, in the language in which it is most frequent; of a
    /// symbol, between its usual neighbours.
    pub(super) fn typical(&self, row: &GridRow) -> u8 {
        let cell = self.cell(row);
        if !cell.is_letter() {
            return cell.symbol.cost;
        }
        let of = |(class, script): (u8, &&ScriptCosts)| script.typical(class).min(FOREIGN_LETTER);
        let of_scripts = cell.classes.into_iter().zip(self.scripts).map(of);
        of_scripts.min().unwrap_or(0)
    }

    /// Whether the octet is a letter of a script that is not Latin.
    pub(super) fn is_of_other_script(&self, row: &GridRow) -> bool {
        self.is_of_other_script && self.cell(row).is_letter()
    }

    /// The octets in this charset. Sets only the cells of octets that occur.
    pub(super) fn read<'r>(
        &'r self,
        octets: &'r Sample<'r>,
        cells: &'r mut HighCells,
    ) -> SingleByteText<'r> {
        for seen in &octets.distinct {
            if let Some(cell) = cells.get_mut(usize::from(seen.octet & 0x7F)) {
                *cell = *self.cell(seen.row);
            }
        }
        SingleByteText {
            charset: self,
            octets,
            cells,
        }
    }

    /// The number of letters in place of controls.
    fn control_letters(&self, octets: &Sample<'_>) -> i32 {
        if self.control_letters == 0 {
            return 0;
        }
        work(octets.all.len());
        let is_one = |octet: &&u8| **octet < 0x20 && self.control_letters >> **octet & 1 != 0;
        let count = octets.all.iter().filter(is_one).count();
        i32::try_from(count).unwrap_or(0)
    }
}

/// Octets in a single-byte charset.
#[derive(Debug)]
pub(super) struct SingleByteText<'r> {
    charset: &'r Cells,
    octets: &'r Sample<'r>,
    /// The characters of the octets above 7F that occur.
    cells: &'r HighCells,
}

/// The characters of octets above 7F, by their lower seven bits.
pub(super) type HighCells = [Cell; 128];

impl SingleByteText<'_> {
    #[inline]
    fn cell(&self, octet: u8) -> &Cell {
        let cell = self.cells.get(usize::from(octet & 0x7F));
        cell.unwrap_or(Cell::NONE)
    }

    /// The class of an octet as the neighbour of a symbol. Letters in place of controls do not count as
    /// letters: they are too few to matter.
    #[inline]
    fn neighbour(&self, octet: u8) -> Neighbour {
        if octet.is_ascii() {
            Neighbour::of_ascii(octet)
        } else {
            self.cell(octet).neighbour
        }
    }

    /// The cost of symbols and of letter case, which is the same in all languages; `None` if it exceeds
    /// `most`.
    pub(super) fn cost_of_symbols(&self, most: i32) -> Option<i32> {
        let (charset, octets) = (self.charset, self.octets);
        let cases = octets.cost_of_cases(|octet| self.cell(octet).case);
        let mut cost = cases - CONTROL_LETTER * charset.control_letters(octets);
        let mut distinct = octets.distinct.iter();
        let has_letters =
            charset.is_of_other_script && distinct.any(|seen| self.cell(seen.octet).is_letter());
        let among_letters = if has_letters { AMONG_LETTERS } else { 0 };
        // Symbols that occurred before, and are therefore cheaper.
        let mut seen = 0_u128;
        let words = &octets.words;
        for &place in &octets.places {
            // Each further symbol only adds to the cost, so stop here.
            if cost > most {
                return None;
            }
            let at = usize::from(place);
            let of = |at: usize| words.get(at).copied().unwrap_or(b' ');
            let octet = of(at);
            let (before, after) = (of(at.wrapping_sub(1)), of(at + 1));
            let cell = self.cell(octet);
            if cell.is_letter() {
                cost += symbol_after(after);
                if before.is_ascii_digit() {
                    cost += AFTER_DIGIT;
                }
                continue;
            }
            let neighbour = |other: u8| {
                if other == octet {
                    Neighbour::Same
                } else {
                    self.neighbour(other)
                }
            };
            let (left, right) = (neighbour(before), neighbour(after));
            let full = cell.symbol.cost(left, right);
            let bit = 1_u128 << (octet & 0x7F);
            let is_repeated = seen & bit != 0;
            cost += match left {
                Neighbour::Same => full,
                _ if is_repeated => full + among_letters - cell.symbol.discount(),
                _ => full + among_letters,
            };
            seen |= bit;
        }
        work(octets.places.len());
        (cost <= most).then_some(cost)
    }

    /// The cost of the letters in the cheapest language of all scripts; `None` if it exceeds `most`.
    pub(super) fn cost_of_letters(&self, most: i32) -> Option<i32> {
        let mut least = None;
        let mut most = i16::try_from(most).unwrap_or(i16::MAX);
        for (number, script) in self.charset.scripts.iter().enumerate() {
            let costs = self.costs(script, number, most);
            if let Some(cost) = costs.and_then(|costs| costs.into_iter().min()) {
                most = most.min(cost);
                least = least.min(Some(cost)).or(Some(cost));
            }
        }
        self.cost_of_decorated(most).or(least).map(i32::from)
    }

    /// The cost of the words without their accents, plus the cost of the accents. `None` if the sum
    /// is not below `most`, or if an octet above 7F is not an accented capital.
    fn cost_of_decorated(&self, most: i16) -> Option<i16> {
        let octets = self.octets;
        if !self.charset.may_be_decorated || !DECORATIONS.contains(&octets.places.len()) {
            return None;
        }
        let script = self.charset.scripts.first()?;
        let mut classes = script.of_ascii;
        for seen in &octets.distinct {
            let letter = capital_without_accent(self.cell(seen.octet).character)?;
            let class = classes.get(usize::from(letter)).copied()?;
            *classes.get_mut(usize::from(seen.octet))? = class;
        }
        let accents = DECORATION * i16::try_from(octets.places.len()).ok()?;
        let assumed = script.rarity.map(|cost| cost.saturating_add(accents));
        let costs = script.cost(&octets.words, &classes, assumed, most)?;
        costs.into_iter().min().filter(|cost| *cost < most)
    }

    /// The cost in each language of the script with this number in the charset.
    fn costs(&self, script: &ScriptCosts, number: usize, most: i16) -> Option<Sums> {
        // ASCII words make some languages cheaper.
        let mut assumed = script.rarity;
        for (cost, off) in assumed.iter_mut().zip(self.octets.familiar(script)) {
            *cost = cost.saturating_sub(off);
        }
        let mut classes = script.of_ascii;
        for seen in &self.octets.distinct {
            let class = self.cell(seen.octet).classes.get(number);
            if let (Some(cell), Some(class)) = (classes.get_mut(usize::from(seen.octet)), class) {
                *cell = *class;
            }
        }
        script.cost(&self.octets.words, &classes, assumed, most)
    }
}

/// The ASCII letter of an accented capital of Latin-1. An accent on a small letter usually belongs
/// to a name.
fn capital_without_accent(character: u16) -> Option<u8> {
    const LETTERS: &[u8; 32] = b"AAAAAA-CEEEEIIII-NOOOOO-OUUUUY--";
    let letter = LETTERS.get(usize::from(character.checked_sub(0xC0)?))?;
    letter.is_ascii_alphabetic().then_some(*letter)
}

/// The cost of an ASCII symbol after a non-ASCII letter. In text, a space or a full stop follows a
/// letter, while the second octet of a pair may be any symbol.
pub(super) fn symbol_after(octet: u8) -> i32 {
    match octet {
        b'@' | b'[' | b'\\' | b']' | b'^' | b'_' | b'`' | b'{' | b'|' | b'}' | b'~' | b'='
        | b'+' | b'*' | b'#' | b'$' | b'%' | b'&' => 20,
        b'<' | b'>' => 8,
        b'0'..=b'9' => 16,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::candidates::LanguageModels;
    use super::super::cases::NONE;
    use super::super::cell::{Cell, GridRow, grid};
    use super::super::rivals::rivals;
    use super::super::rows::LOAN_LETTER;
    use super::super::sample::{Sample, are_binary};
    use super::super::scripts::{ANOTHER_LANGUAGE, is_letter};
    use super::super::tables::{EN, LetterTable, PL, TR};

    /// The cost of words in a language, letter by letter, from the decoded text.
    fn letter_by_letter(text: &str, letters: &LetterTable) -> i32 {
        let (mut cost, mut before) = (0, 0);
        for character in text.chars().chain([' ']) {
            let lower = character.to_lowercase().next().unwrap();
            let now = if is_letter(lower) {
                letters.index(u16::try_from(u32::from(lower)).unwrap())
            } else {
                Some(0)
            };
            cost += i32::from(letters.row(before)[now.unwrap_or(0)]);
            if now.is_none() {
                cost += i32::from(LOAN_LETTER);
            }
            before = now.unwrap_or(0);
        }
        cost
    }

    /// For a single word, a language's lane has the cost of its letters in the table.
    #[test]
    fn a_lane_has_the_cost_of_the_letters() {
        let words = [
            ("windows-1252", 0, &EN, "na\u{EF}ve"),
            ("windows-1250", 0, &PL, "\u{17B}\u{F3}\u{142}\u{107}"),
            ("windows-1250", 0, &PL, "Wa\u{142}\u{119}sa"),
            ("windows-1254", 0, &TR, "s\u{131}ras\u{131}ndaki"),
        ];
        for (label, lane, letters, word) in words {
            let rival = rivals()
                .iter()
                .find(|it| it.charset.name() == label)
                .unwrap();
            let cells = rival.cells.as_ref().unwrap();
            let octets: Vec<u8> = word
                .chars()
                .map(|it| {
                    let has_cell =
                        |row: &GridRow| u32::from(cells.cell(row).character) == u32::from(it);
                    let above = grid().iter().position(has_cell).map(|at| at + 0x80);
                    u8::try_from(above.unwrap_or(it as usize)).unwrap()
                })
                .collect();
            let octets = Sample::new(&octets);
            let mut scratch = [*Cell::NONE; 128];
            let reading = cells.read(&octets, &mut scratch);
            let costs = reading.costs(cells.scripts[0], 0, i16::MAX).unwrap();
            let (least, of_lane) = (costs.into_iter().min().unwrap(), costs[lane]);
            // A word may be in another language than the text, at a cost.
            let rarity = cells.scripts[0].rarity;
            let most = i32::from(least + ANOTHER_LANGUAGE);
            let expected = letter_by_letter(word, letters).min(most) + i32::from(rarity[lane]);
            assert_eq!(i32::from(of_lane), expected, "{word}: {costs:?}");
        }
    }

    /// VISCII and TCVN have letters in the place of controls (RFC 1456; TCVN 5712). Unlike zeros, they
    /// do not make text binary.
    #[test]
    #[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
    fn letters_at_control_octets_are_text() {
        let zeros = b"\xE9\0".repeat(40);
        assert!(are_binary(&zeros));
        let mut letters = 0;
        for rival in rivals() {
            let Some(cells) = &rival.cells else { continue };
            for octet in (0..0x20_u8).filter(|octet| cells.control_letters >> octet & 1 != 0) {
                letters += 1;
                let text = [0xE9, octet].repeat(40);
                assert!(!are_binary(&text), "{octet:02X}");
            }
        }
        // Six capitals of VISCII and twelve of TCVN.
        assert_eq!(letters, 6 + 12);
    }

    /// Every octet of every charset is a letter of its script or a sign, never both.
    #[test]
    fn octets_are_letters_or_signs() {
        let mut letters = BTreeMap::new();
        for rival in rivals() {
            let (Some(cells), LanguageModels::Letters(_)) = (&rival.cells, rival.models) else {
                continue;
            };
            for (octet, row) in (0x80..=0xFF).zip(grid()) {
                let cell = cells.cell(row);
                let is_letter = is_letter(char::from_u32(cell.character.into()).unwrap());
                assert_eq!(cell.case == NONE, !is_letter);
                let classes = &cell.classes[..cells.scripts.len()];
                let has_classes = classes.iter().all(|class| *class != 0);
                assert_eq!(has_classes, is_letter, "{}: {octet:02X}", rival.charset);
                *letters.entry(rival.charset.name()).or_insert(0) += u32::from(is_letter);
            }
        }
        // The Encoding Standard's index of windows-1252: the 62 accented letters of Latin-1, and Š,
        // š, Œ, œ, Ž, ž, Ÿ, ƒ.
        assert_eq!(letters["windows-1252"], 62 + 8);
    }
}
