//! The internal encoding of Emacs 20 to 22, called emacs-mule: an octet for the set, then one or two
//! octets above 9F for the character.
//!
//! It should never leave the editor, but Emacs and Gnus wrote mail with octet 81 before each octet
//! above 9F of ISO-8859-1, and Rmail kept whole mailboxes in it. Emacs's private sets are not decoded.

use super::codec::{Codec, Sink, one_by_one};
use super::euc_tw;
use super::pair_table::Table;
use super::pairs::{HALF, NO_CHARACTER};
use super::sets::{GB2312, JISX0208, JISX0212, KSX1001};
use super::single_byte::SingleByte;
use super::usage::Usage;

/// The single-byte sets, by the first octet from 81 on.
const ALPHABETS: [Option<SingleByte>; 15] = [
    SingleByte::find(b"ISO-8859-1"),
    SingleByte::find(b"ISO-8859-2"),
    SingleByte::find(b"ISO-8859-3"),
    SingleByte::find(b"ISO-8859-4"),
    SingleByte::find(b"TIS-620"),
    SingleByte::find(b"ISO-8859-7"),
    SingleByte::find(b"ISO-8859-6"),
    SingleByte::find(b"ISO-8859-8"),
    None,
    None,
    None,
    SingleByte::find(b"ISO-8859-5"),
    SingleByte::find(b"ISO-8859-9"),
    SingleByte::find(b"ISO-8859-15"),
    SingleByte::find(b"ISO-8859-14"),
];

#[derive(Clone)]
pub(super) struct EmacsMuleCodec;

impl Codec for EmacsMuleCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        one_by_one(input, sink, |rest, sink| decode_one(rest, last, sink))
    }
}

fn decode_one(input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
    match *input {
        [octet @ ..=0x7F, ..] => {
            sink.text.push(char::from(octet));
            1
        }
        [set @ 0x81..=0x8F, octet @ 0xA0..=0xFF, ..] => put(2, character(set, octet), sink),
        [
            set @ 0x90..=0x99,
            row @ 0xA0..=0xFF,
            column @ 0xA0..=0xFF,
            ..,
        ] => {
            let character = table(set).and_then(|table| table.get(row & 0x7F, column & 0x7F));
            put(3, character.map(|[character, _]| character), sink)
        }
        [0x81..=0x99] | [0x90..=0x99, 0xA0..=0xFF] if !last => 0,
        _ => sink.malformed(1, HALF),
    }
}

/// Appends a character of this many octets, or U+FFFD if the set lacks it.
fn put(length: usize, character: Option<char>, sink: &mut Sink<'_>) -> usize {
    let Some(character) = character else {
        return sink.malformed(length, NO_CHARACTER);
    };
    sink.text.push(character);
    length
}

fn character(set: u8, octet: u8) -> Option<char> {
    match (set, octet) {
        // JIS X 0201: katakana, and Roman in the same columns.
        (0x89, 0xA1..=0xDF) => return char::from_u32(0xFEC0 + u32::from(octet)),
        (0x8A, 0xDC) => return Some('¥'),
        (0x8A, 0xFE) => return Some('‾'),
        (0x8A, 0xA1..=0xFE) => return Some(char::from(octet & 0x7F)),
        _ => {}
    }
    let set = ALPHABETS.get(usize::from(set - 0x81)).copied().flatten();
    set?.read(Usage::AsRegistered).table().character(octet)
}

fn table(set: u8) -> Option<&'static Table> {
    let usage = Usage::AsRegistered;
    Some(match set {
        // JIS C 6226-1978 has the characters of 1983 with other glyphs.
        0x90 | 0x92 => JISX0208.of(usage),
        0x91 => GB2312.of(usage),
        0x93 => &KSX1001,
        0x94 => JISX0212.of(usage),
        0x95 => &euc_tw::PLANE1,
        0x96 => &euc_tw::PLANE2,
        _ => return None,
    })
}
