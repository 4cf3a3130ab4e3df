//! What each octet above 7F is in the charsets of one octet to a character.

use std::sync::OnceLock;

use super::candidates::{CANDIDATES, COUNT, Languages};
use super::cases::{CAPITAL, LETTER, NONE, SMALL};
use super::scripts::{Script, is_letter, is_of_language};
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
                    *cell = Cell::new(*character, scripts);
                }
            }
        }
        grid
    }
}

/// The characters of all octets, where each octet above 7F is one, and none of ASCII: where words end
/// is seen from ASCII.
fn characters(charset: Charset) -> Option<Vec<char>> {
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
        let symbol = Symbol::of(character);
        let lower = character.to_lowercase().next().unwrap_or(character);
        let of_scripts = scripts.iter().map(|script| script.table().class(lower));
        // Most letters are some language's, and asking Unicode takes longer.
        let is_letter = of_scripts.clone().any(is_of_language) || is_letter(character);
        let mut classes = [0; MOST_SCRIPTS];
        for (class, of_script) in classes.iter_mut().zip(of_scripts).filter(|_| is_letter) {
            *class = of_script;
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
