//! The character of each octet above 7F in the single-byte charsets.

use std::sync::OnceLock;

use super::candidates::{CANDIDATES, COUNT, LanguageModels};
use super::cases::{CAPITAL, LETTER, NONE, SMALL};
use super::scripts::{ScriptCosts, is_letter};
use super::symbols::{Neighbour, Symbol};
use crate::charset::Charset;

/// The character of an octet above 7F in a charset.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cell {
    /// The character. No single-byte charset has characters beyond the Basic Multilingual Plane.
    pub(super) character: u16,
    /// Its class as the neighbour of a symbol. Every character but a letter is a symbol.
    pub(super) neighbour: Neighbour,
    /// Whether it is a letter, and its case.
    pub(super) case: u8,
    pub(super) symbol: Symbol,
    /// Its class in each script.
    pub(super) classes: [u8; MAX_SCRIPTS],
}

/// The characters of an octet above 7F in all charsets.
pub(super) type GridRow = [Cell; COUNT];

/// Maximum number of scripts of a charset.
const MAX_SCRIPTS: usize = 2;

/// The rows of octets 80 to FF.
pub(super) fn grid() -> &'static [GridRow] {
    &Grid::all().rows
}

/// The controls that are letters in a candidate, one bit each; `None` unless each octet above 7F is one
/// character.
pub(super) fn control_letters(place: usize) -> Option<u32> {
    Grid::all().control_letters.get(place).copied().flatten()
}

/// The characters of octets in each candidate.
#[derive(Debug)]
struct Grid {
    rows: Vec<GridRow>,
    control_letters: [Option<u32>; COUNT],
}

impl Grid {
    fn all() -> &'static Self {
        static ALL: OnceLock<Grid> = OnceLock::new();
        ALL.get_or_init(Self::new)
    }

    fn new() -> Self {
        let mut grid = Grid {
            rows: vec![[*Cell::NONE; COUNT]; 128],
            control_letters: [None; COUNT],
        };
        let mut known = KnownCells::new();
        let of_candidates = CANDIDATES.iter().zip(&mut grid.control_letters);
        for (place, (candidate, control_letters)) in of_candidates.enumerate() {
            let LanguageModels::Letters(scripts) = candidate.languages else {
                continue;
            };
            let Some(characters) = Charset::for_label(candidate.label).and_then(characters) else {
                continue;
            };
            let low = (0..0x20).zip(&characters).filter(|(_, it)| is_letter(**it));
            *control_letters = Some(low.fold(0, |letters, (octet, _)| letters | 1 << octet));
            for (row, character) in grid.rows.iter_mut().zip(characters.iter().skip(0x80)) {
                if let Some(cell) = row.get_mut(place) {
                    *cell = known.cell(*character, scripts);
                }
            }
        }
        grid
    }
}

/// The characters of all octets, if each octet above 7F is one character and none is ASCII, since ASCII
/// separates words.
fn characters(charset: Charset) -> Option<[char; 256]> {
    let characters = charset.characters()?;
    let is_ascii = characters.iter().skip(0x80).any(char::is_ascii);
    (!is_ascii).then_some(characters)
}

/// The cells made so far, since most characters are in several charsets.
struct KnownCells {
    /// For each code point the number of its cell, from 1.
    numbers: Vec<u16>,
    /// Cells with their lower-case letters.
    cells: Vec<(Cell, char)>,
}

impl KnownCells {
    fn new() -> Self {
        KnownCells {
            // Few charsets have characters above U+26FF.
            numbers: vec![0; 0x2700],
            cells: Vec::new(),
        }
    }

    /// The cell of a character in a charset of these scripts.
    fn cell(&mut self, character: char, scripts: &[&ScriptCosts]) -> Cell {
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
    /// Not a character.
    pub(super) const NONE: &Cell = &Cell {
        character: 0xFFFD,
        neighbour: Neighbour::Gap,
        case: NONE,
        symbol: Symbol::NONE,
        classes: [0; MAX_SCRIPTS],
    };

    /// The cell of a character without its classes, and its lower-case letter. The scripts do not
    /// affect the result; they only save a Unicode lookup for their letters.
    fn of(character: char, scripts: &[&ScriptCosts]) -> (Self, char) {
        let symbol = Symbol::of(character);
        let lower = character.to_lowercase().next().unwrap_or(character);
        let is_known = scripts.iter().any(|script| script.has(lower));
        let is_letter = is_known || !symbol.is_listed() && is_letter(character);
        let cell = Cell {
            character: u16::try_from(u32::from(character)).unwrap_or(0xFFFD),
            neighbour: match character {
                _ if is_letter => Neighbour::Letter,
                _ if symbol.is_space() => Neighbour::Gap,
                _ => Neighbour::Sign,
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
            classes: [0; MAX_SCRIPTS],
        };
        (cell, lower)
    }

    /// Adds the classes of a letter in these scripts.
    fn in_scripts(mut self, lower: char, scripts: &[&ScriptCosts]) -> Self {
        if self.is_letter() {
            for (class, script) in self.classes.iter_mut().zip(scripts) {
                *class = script.class(lower);
            }
        }
        self
    }

    pub(super) fn is_letter(self) -> bool {
        self.neighbour == Neighbour::Letter
    }
}
