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
    static GRID: OnceLock<Vec<Row>> = OnceLock::new();
    GRID.get_or_init(|| {
        let mut grid = vec![[*Cell::NONE; COUNT]; 128];
        for (place, candidate) in CANDIDATES.iter().enumerate() {
            let Languages::Letters(scripts) = candidate.languages else {
                continue;
            };
            let charset = Charset::for_label(candidate.label);
            let characters = charset.and_then(characters).unwrap_or_default();
            for (row, character) in grid.iter_mut().zip(characters.iter().skip(0x80)) {
                if let Some(cell) = row.get_mut(place) {
                    *cell = Cell::new(*character, scripts);
                }
            }
        }
        grid
    })
}

/// The characters of all octets, where each octet above 7F is one, and none of ASCII: where words end
/// is seen from ASCII.
pub(super) fn characters(charset: Charset) -> Option<Vec<char>> {
    if !charset.is_decoded() || !charset.is_single_byte() {
        return None;
    }
    let octets: Vec<u8> = (0..=u8::MAX).collect();
    let characters: Vec<char> = charset.decode(&octets).as_str().chars().collect();
    let above = characters.get(0x80..)?;
    (above.len() == 0x80 && !above.iter().any(char::is_ascii)).then_some(characters)
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

    fn new(character: char, scripts: &[&Script]) -> Self {
        let is_letter = is_letter(character);
        let symbol = Symbol::of(character);
        let lower = character.to_lowercase().next().unwrap_or(character);
        let mut classes = [0; MOST_SCRIPTS];
        for (class, script) in classes.iter_mut().zip(scripts).filter(|_| is_letter) {
            *class = script.table().class(lower);
        }
        Cell {
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
            classes,
        }
    }

    pub(super) fn is_letter(self) -> bool {
        self.beside == Beside::Letter
    }
}
