//! What each octet above 7F is in the charsets of one octet to a character.

use std::sync::OnceLock;

use super::candidates::{CANDIDATES, COUNT, Languages};
use super::cases::{CAPITAL, LETTER, NONE, SMALL};
use super::scripts::{Script, is_letter};
use super::symbols::{Beside, Symbol};
use crate::charset::Charset;

/// What an octet above 7F is in a charset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// The character; no such charset has one beyond the Basic Multilingual Plane.
    pub(super) character: u16,
    /// What it is beside a sign; what is no letter is a sign.
    pub(super) beside: Beside,
    /// Whether it is a letter, and of what case.
    pub(super) case: u8,
    pub(super) symbol: Symbol,
    /// What stands for it in the rows of each script.
    pub(super) classes: [u8; MOST_SCRIPTS],
}

/// What an octet above 7F is in each charset.
pub(super) type Row = [Cell; COUNT];

/// So many scripts may a charset have.
const MOST_SCRIPTS: usize = 2;

/// What each octet from 80 on is in each candidate.
pub(super) fn grid() -> &'static [Row] {
    &Grid::all().rows
}

/// The letters that stand in the place of controls in a candidate, each a bit, where each octet above
/// 7F is a character in it.
pub(super) fn low_letters(place: usize) -> Option<u32> {
    Grid::all().low_letters.get(place).copied().flatten()
}

/// What octets are in each candidate.
#[derive(Debug)]
struct Grid {
    rows: Vec<Row>,
    low_letters: [Option<u32>; COUNT],
}

impl Grid {
    fn all() -> &'static Self {
        static ALL: OnceLock<Grid> = OnceLock::new();
        ALL.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut grid = Grid {
            rows: vec![[*Cell::NONE; COUNT]; 128],
            low_letters: [None; COUNT],
        };
        let mut met = Met::new();
        let of_candidates = CANDIDATES.iter().zip(&mut grid.low_letters);
        for (place, (candidate, low_letters)) in of_candidates.enumerate() {
            let Languages::Letters(scripts) = candidate.languages else {
                continue;
            };
            let Some(characters) = Charset::for_label(candidate.label).and_then(characters) else {
                continue;
            };
            let low = (0..0x20).zip(&characters).filter(|(_, it)| is_letter(**it));
            *low_letters = Some(low.fold(0, |letters, (octet, _)| letters | 1 << octet));
            for (row, character) in grid.rows.iter_mut().zip(characters.iter().skip(0x80)) {
                if let Some(cell) = row.get_mut(place) {
                    *cell = met.cell(*character, scripts);
                }
            }
        }
        grid
    }
}

/// The characters of all octets, where each octet above 7F is one, and none of ASCII: where words end
/// is seen from ASCII.
fn characters(charset: Charset) -> Option<[char; 256]> {
    let characters = charset.characters()?;
    let is_ascii = characters.iter().skip(0x80).any(char::is_ascii);
    (!is_ascii).then_some(characters)
}

/// What the characters are that were met: most are in several charsets.
struct Met {
    /// By code, the number of each among them, from one on.
    numbers: Vec<u16>,
    /// Each with what it is as a small letter.
    cells: Vec<(Cell, char)>,
}

impl Met {
    fn new() -> Self {
        Met {
            // Few charsets have characters above U+26FF.
            numbers: vec![0; 0x2700],
            cells: Vec::new(),
        }
    }

    /// What a character is in a charset of these scripts.
    fn cell(&mut self, character: char, scripts: &[&Script]) -> Cell {
        let Some(number) = self.numbers.get_mut(character as usize) else {
            let (cell, lower) = Cell::of(character, scripts);
            return cell.in_scripts(lower, scripts);
        };
        if *number == 0 {
            self.cells.push(Cell::of(character, scripts));
            *number = u16::try_from(self.cells.len()).unwrap_or_default();
        }
        let own = self.cells.get(usize::from(*number).wrapping_sub(1));
        own.map_or(*Cell::NONE, |(cell, lower)| {
            cell.in_scripts(*lower, scripts)
        })
    }
}

impl Cell {
    /// What is in no charset.
    pub(super) const NONE: &Cell = &Cell {
        character: 0xFFFD,
        beside: Beside::Gap,
        case: NONE,
        symbol: Symbol::NONE,
        classes: [0; MOST_SCRIPTS],
    };

    /// What a character is, but for its rows in scripts, and what it is as a small letter. Whichever
    /// scripts are given, that is the same: those that have the letter save asking Unicode.
    fn of(character: char, scripts: &[&Script]) -> (Self, char) {
        let symbol = Symbol::of(character);
        let lower = character.to_lowercase().next().unwrap_or(character);
        let is_known = scripts.iter().any(|script| script.has(lower));
        let is_letter = is_known || !symbol.is_listed() && is_letter(character);
        let cell = Cell {
            character: u16::try_from(u32::from(character)).unwrap_or(0xFFFD),
            beside: match character {
                _ if is_letter => Beside::Letter,
                _ if symbol.is_space() => Beside::Gap,
                _ => Beside::Sign,
            },
            case: if !is_letter {
                NONE
            } else if lower != character {
                CAPITAL
            } else if character.is_lowercase() {
                SMALL
            } else {
                LETTER
            },
            symbol,
            classes: [0; MOST_SCRIPTS],
        };
        (cell, lower)
    }

    /// The same with what stands for a letter in the rows of these scripts.
    fn in_scripts(mut self, lower: char, scripts: &[&Script]) -> Self {
        if self.is_letter() {
            for (class, script) in self.classes.iter_mut().zip(scripts) {
                *class = script.class(lower);
            }
        }
        self
    }

    pub(super) fn is_letter(self) -> bool {
        self.beside == Beside::Letter
    }
}
