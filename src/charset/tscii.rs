//! TSCII 1.7: Tamil in the order in which it is written.
//!
//! An octet is a letter, a letter with its vowel sign, or a sign alone. The signs of e, ee and ai
//! are written before their consonant, and are sent so; those of o, oo and au are written around
//! it, as two octets. Unicode has one sign, behind the consonant. A sign without a consonant
//! stays where it is.
//!
//! `tables/tscii.txt` has the octets. Left out: TSCII 1.6, but for its I, which stood at AD.

use super::codec::{Codec, Sink, one_by_one};
use super::single_byte::UNASSIGNED_OCTET;
use super::tables::{self, UNASSIGNED};

/// What each octet above 7F is, up to four characters and [`UNASSIGNED`] behind them.
static CELLS: [[u16; 4]; 128] = tables::sequences(include_bytes!("tables/tscii.txt"));

/// The signs that are sent before their consonant: e, ee, ai.
const PREFIXES: std::ops::RangeInclusive<u8> = 0xA6..=0xA8;
/// The sign of aa, which is also what stands behind the consonant in o and oo.
const AA: u8 = 0xA1;
/// What stands behind the consonant in au.
const AU_LENGTH: u8 = 0xAA;

/// No state is kept: what may go on is left for the next slice.
#[derive(Clone)]
pub(super) struct TsciiCodec;

impl Codec for TsciiCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        one_by_one(input, sink, |rest, sink| one(rest, last, sink))
    }
}

fn one(input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
    let Some((&octet, rest)) = input.split_first() else {
        return 0;
    };
    if octet.is_ascii() {
        sink.text.push(char::from(octet));
        return 1;
    }
    // A syllable is at most three octets, of which the first tells how many it may be.
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

/// Appends the syllable, or what there is of one, that `octet` begins; returns how many octets
/// that is, 0 for one that is unassigned.
fn syllable(octet: u8, rest: &[u8], text: &mut String) -> usize {
    match (octet, rest) {
        // The sign goes behind the consonant, and what stands behind that into the sign.
        (prefix, [consonant, after @ ..]) if PREFIXES.contains(&prefix) && takes(*consonant) => {
            push(*consonant, text);
            if let Some(sign) = after.first().and_then(|&after| around(prefix, after)) {
                text.push(sign);
                3
            } else {
                push(prefix, text);
                2
            }
        }
        (prefix, [after, ..]) if around(prefix, *after).is_some() => {
            text.extend(around(prefix, *after));
            2
        }
        // Sa and ha without a vowel and then u or uu: the sign takes the place of the pulli, as
        // glibc has it.
        (0x8A | 0x8B, [sign @ (0xA4 | 0xA5), ..]) => {
            push(if octet == 0x8A { 0x85 } else { 0x86 }, text);
            push(*sign, text);
            2
        }
        _ => push(octet, text),
    }
}

/// Whether an octet is a consonant that a sign may stand before.
fn takes(octet: u8) -> bool {
    matches!(octet, 0x83..=0x87 | 0xB8..=0xC9)
}

/// The sign whose two halves these are.
fn around(prefix: u8, after: u8) -> Option<char> {
    match (prefix, after) {
        (0xA6, AA) => Some('\u{BCA}'),
        (0xA7, AA) => Some('\u{BCB}'),
        // The sign of e stands before it; glibc writes that of ee.
        (0xA6 | 0xA7, AU_LENGTH) => Some('\u{BCC}'),
        _ => None,
    }
}

/// Appends what one octet is; returns how many octets that was.
fn push(octet: u8, text: &mut String) -> usize {
    let cell = CELLS.get(usize::from(octet & 0x7F)).copied();
    let characters = cell.unwrap_or([UNASSIGNED; 4]);
    let characters = characters.into_iter().take_while(|&it| it != UNASSIGNED);
    let before = text.len();
    text.extend(characters.filter_map(|it| char::from_u32(u32::from(it))));
    usize::from(text.len() > before)
}
