//! JOHAB (KS C 5601-1992, annex 3; code page 1361): Hangul composed of its letters.
//!
//! Two octets hold a bit that is always set and five bits each for the initial, medial and final
//! letter: all 11,172 syllables are computed. Symbols and Hanja are the characters of KS X 1001, in
//! other rows.

use super::pair_table::{LazyTable, Table};
use super::pairs::PairsCodec;
use super::sets::KSX1001;
use super::usage::Usage;

pub(super) fn codec(_usage: Usage) -> PairsCodec {
    static TABLE: LazyTable =
        LazyTable::new(|| Table::from_rule(0x84..=0xF9, 0x31..=0xFE, character));
    PairsCodec::new(&TABLE)
}

fn character(lead: u8, trail: u8) -> Option<char> {
    match lead {
        ..=0xD3 => hangul(lead, trail),
        _ => other(lead, trail),
    }
}

/// A syllable, a single letter, or the filler.
fn hangul(lead: u8, trail: u8) -> Option<char> {
    if !matches!(trail, 0x41..=0x7E | 0x81..=0xFE) {
        return None;
    }
    let code = u32::from(u16::from_be_bytes([lead, trail]));
    // Five bits are a letter, by its index in Unicode's order, or the filler.
    let initial = match code >> 10 & 0x1F {
        1 => None,
        code @ 2..=20 => Some(code - 2),
        _ => return None,
    };
    let medial = match code >> 5 & 0x1F {
        2 => None,
        code @ 3..=7 => Some(code - 3),
        code @ 10..=15 => Some(code - 5),
        code @ 18..=23 => Some(code - 7),
        code @ 26..=29 => Some(code - 9),
        _ => return None,
    };
    let last = match code & 0x1F {
        1 => None,
        code @ 2..=17 => Some(code - 1),
        code @ 19..=29 => Some(code - 2),
        _ => return None,
    };
    match (initial, medial, last) {
        (Some(initial), Some(medial), last) => {
            char::from_u32(0xAC00 + (initial * 21 + medial) * 28 + last.unwrap_or(0))
        }
        (Some(initial), None, None) => "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
            .chars()
            .nth(initial as usize),
        (None, Some(medial), None) => char::from_u32(u32::from('ㅏ') + medial),
        (None, None, Some(last)) => "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
            .chars()
            .nth(last as usize - 1),
        (None, None, None) => Some('\u{3164}'),
        _ => None,
    }
}

/// Two rows of KS X 1001 per lead octet: symbols from D9, Hanja from E0.
fn other(lead: u8, trail: u8) -> Option<char> {
    let row = match lead {
        0xD9..=0xDE => 0x21 + 2 * (lead - 0xD9),
        0xE0..=0xF9 => 0x4A + 2 * (lead - 0xE0),
        _ => return None,
    };
    let column = match trail {
        0x31..=0x7E => trail - 0x31,
        0x91..=0xFE => trail - 0x43,
        _ => return None,
    };
    let (row, column) = (row + column / 94, 0x21 + column % 94);
    // JOHAB writes a single modern letter as Hangul, with no letter in the other two positions.
    if row == 0x24 && column <= 0x53 {
        return None;
    }
    let [character, _] = KSX1001.get(row, column)?;
    Some(character)
}
