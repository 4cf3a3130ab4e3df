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
    static GRID: OnceLock<Vec<GridRow>> = OnceLock::new();
    GRID.get_or_init(|| {
        let mut rows = vec![[*Cell::NONE; COUNT]; 128];
        for (place, candidate) in CANDIDATES.iter().enumerate() {
            let LanguageModels::Letters(scripts) = candidate.languages else {
                continue;
            };
            let characters = Charset::for_label(candidate.label).and_then(characters);
            for (row, character) in rows.iter_mut().zip(characters.iter().flatten().skip(0x80)) {
                if let Some(cell) = row.get_mut(place) {
                    *cell = Cell::of(*character, scripts);
                }
            }
        }
        rows
    })
}

/// The characters of all octets, if each octet above 7F is one character and none is ASCII, since ASCII
/// separates words.
pub(super) fn characters(charset: Charset) -> Option<[char; 256]> {
    let characters = charset.characters()?;
    let is_ascii = characters.iter().skip(0x80).any(char::is_ascii);
    (!is_ascii).then_some(characters)
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

    /// The cell of a character in a charset of these scripts.
    fn of(character: char, scripts: &[&ScriptCosts]) -> Self {
        let symbol = Symbol::of(character);
        let lower = character.to_lowercase().next().unwrap_or(character);
        let is_letter = !symbol.is_listed() && is_letter(character);
        let mut classes = [0; MAX_SCRIPTS];
        for (class, script) in classes.iter_mut().zip(scripts).filter(|_| is_letter) {
            *class = script.class(lower);
        }
        Cell {
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
            classes,
        }
    }

    pub(super) fn is_letter(self) -> bool {
        self.neighbour == Neighbour::Letter
    }
}
