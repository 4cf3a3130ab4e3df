//! TSCII 1.7: Tamil in visual order.
//!
//! An octet is a letter, a letter with its vowel sign, or a sign alone. The signs of e, ee and ai
//! precede their consonant, as in writing. The signs of o, oo and au are two octets, one before and
//! one after the consonant. Unicode has one sign, after the consonant. A sign without a consonant
//! is kept in place.
//!
//! `tables/tscii.txt` has the octets. Not supported: TSCII 1.6, except for its letter I at AD.

use std::sync::LazyLock;

use super::codec::{Codec, Sink, one_by_one};
use super::pair_table::scalar;
use super::single_byte::UNASSIGNED_OCTET;

/// The characters of each octet above 7F; empty if it is unassigned.
static CELLS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let lines = include_str!("tables/tscii.txt").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .flat_map(|line| line.split(' ').skip(1))
        .map(|cell| {
            cell.split('+')
                .map(scalar)
                .filter(|it| *it != '\0')
                .collect()
        })
        .collect()
});

/// Signs that precede their consonant: e, ee, ai.
const PREFIXES: std::ops::RangeInclusive<u8> = 0xA6..=0xA8;
/// The sign of aa, also the second half of o and oo.
const AA: u8 = 0xA1;
/// The second half of au.
const AU_LENGTH: u8 = 0xAA;

/// Stateless: an incomplete syllable is left for the next slice.
#[derive(Clone)]
pub(super) struct TsciiCodec;

impl Codec for TsciiCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        one_by_one(input, sink, |rest, sink| decode_one(rest, last, sink))
    }
}

fn decode_one(input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
    let Some((&octet, rest)) = input.split_first() else {
        return 0;
    };
    if octet.is_ascii() {
        sink.text.push(char::from(octet));
        return 1;
    }
    // A syllable has at most three octets; the first determines the maximum.
    let most = match octet {
        _ if PREFIXES.contains(&octet) => 2,
        0x8A | 0x8B => 1,
        _ => 0,
    };
    if !last && rest.len() < most {
        return 0;
    }
    match syllable(octet, rest, sink.text) {
        0 => sink.malformed(1, UNASSIGNED_OCTET),
        length => length,
    }
}

/// Appends the syllable that `octet` begins, or the part of it that is present. Returns its number
/// of octets, 0 if `octet` is unassigned.
fn syllable(octet: u8, rest: &[u8], text: &mut String) -> usize {
    match (octet, rest) {
        // The sign moves after the consonant and absorbs its second half.
        (prefix, [consonant, after @ ..])
            if PREFIXES.contains(&prefix) && accepts_prefix(*consonant) =>
        {
            push(*consonant, text);
            if let Some(sign) = after.first().and_then(|&after| compose_sign(prefix, after)) {
                text.push(sign);
                3
            } else {
                push(prefix, text);
                2
            }
        }
        (prefix, [after, ..]) if compose_sign(prefix, *after).is_some() => {
            text.extend(compose_sign(prefix, *after));
            2
        }
        // Sa or ha without a vowel, followed by u or uu: the sign replaces the pulli, as in glibc.
        (0x8A | 0x8B, [sign @ (0xA4 | 0xA5), ..]) => {
            push(if octet == 0x8A { 0x85 } else { 0x86 }, text);
            push(*sign, text);
            2
        }
        _ => push(octet, text),
    }
}

/// Whether an octet is a consonant that a sign may precede.
fn accepts_prefix(octet: u8) -> bool {
    matches!(octet, 0x83..=0x87 | 0xB8..=0xC9)
}

/// The sign composed of these two halves.
fn compose_sign(prefix: u8, after: u8) -> Option<char> {
    match (prefix, after) {
        (0xA6, AA) => Some('\u{BCA}'),
        (0xA7, AA) => Some('\u{BCB}'),
        // In canonical au the first half is the sign of e; glibc writes the sign of ee.
        (0xA6 | 0xA7, AU_LENGTH) => Some('\u{BCC}'),
        _ => None,
    }
}

/// Appends the characters of one octet. Returns the number of octets, 0 if unassigned.
fn push(octet: u8, text: &mut String) -> usize {
    let characters = CELLS
        .get(usize::from(octet & 0x7F))
        .map_or("", String::as_str);
    text.push_str(characters);
    usize::from(!characters.is_empty())
}

#[cfg(test)]
mod tests {
    use super::CELLS;

    /// A slip in the table would shift the cells after it, or lose a character.
    #[test]
    fn every_octet_has_its_cell() {
        let table = include_str!("tables/tscii.txt").lines();
        let rows = table.filter(|line| line.len() > 2 && !line.starts_with('#'));
        let mut cells = CELLS.iter();
        for (row, octet) in rows.zip((0x80..).step_by(8)) {
            let written = row.strip_prefix(&format!("{octet:02X} ")).unwrap();
            let written: Vec<_> = written.split(' ').collect();
            assert_eq!(written.len(), 8, "{row}");
            for (written, cell) in written.iter().zip(&mut cells) {
                let count = if *written == "-" {
                    0
                } else {
                    written.split('+').count()
                };
                assert_eq!(cell.chars().count(), count, "{row}");
            }
        }
        assert_eq!((CELLS.len(), cells.next()), (128, None));
        let empty = CELLS.iter().filter(|cell| cell.is_empty()).count();
        assert_eq!(empty, 2);
    }
}
