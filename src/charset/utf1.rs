//! ISO-10646-UTF-1 (ISO-IR 178; ISO/IEC 10646-1:1993, annex G), which UTF-8 replaced.
//!
//! 00 to 9F are themselves, A0 precedes A0 to FF, and higher values are written in base 190, with
//! printable ASCII and A0 to FF as digits. UTF-1 extends beyond Unicode: a sequence for a surrogate
//! or above U+10FFFF becomes one U+FFFD. So does a truncated sequence, which does not include the
//! octet that interrupted it. One octet expands to at most three octets of UTF-8.

use super::codec::{Codec, Sink, one_by_one};

#[derive(Clone)]
pub(super) struct Utf1Codec;

/// The number of digits.
const DIGITS: u64 = 190;

/// The value of a digit: the inverse of T(z) in annex G.
fn digit(octet: u8) -> Option<u64> {
    match octet {
        0x21..=0x7E => Some(u64::from(octet - 0x21)),
        0xA0..=0xFF => Some(u64::from(octet - 0xA0) + 0x5E),
        _ => None,
    }
}

/// The base value of a lead octet and its number of digits; `None` if it only encodes values above 31
/// bits.
fn lead(octet: u8) -> Option<(u64, usize)> {
    let lead = u64::from(octet);
    match octet {
        0xA1..=0xF5 => Some((0x100 + (lead - 0xA1) * DIGITS, 1)),
        0xF6..=0xFB => Some((0x4016 + (lead - 0xF6) * DIGITS.pow(2), 2)),
        0xFC..=0xFD => Some((0x3_8E2E + (lead - 0xFC) * DIGITS.pow(4), 4)),
        _ => None,
    }
}

impl Codec for Utf1Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        sink.text.reserve(input.len());
        one_by_one(input, sink, |rest, sink| decode_one(rest, last, sink))
    }
}

fn decode_one(input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
    match *input {
        [octet @ 0x00..=0x9F, ..] => {
            sink.text.push(char::from(octet));
            return 1;
        }
        [0xA0] if !last => return 0,
        [0xA0, octet @ 0xA0..=0xFF, ..] => {
            sink.text.push(char::from(octet));
            return 2;
        }
        [0xA0, ..] => return sink.malformed(1, TRUNCATED),
        _ => {}
    }
    let Some((&first, after)) = input.split_first() else {
        return 0;
    };
    let Some((begin, wanted)) = lead(first) else {
        return sink.malformed(1, "octet that never occurs");
    };
    let (mut value, mut length) = (0, 1);
    for digit in after.iter().take(wanted).map_while(|&octet| digit(octet)) {
        value = value * DIGITS + digit;
        length += 1;
    }
    if length <= wanted {
        if length == input.len() && !last {
            return 0;
        }
        return sink.malformed(damaged(after, length), TRUNCATED);
    }
    let Some(character) = u32::try_from(begin + value).ok().and_then(char::from_u32) else {
        return sink.malformed(length, "value out of range");
    };
    sink.text.push(character);
    length
}

/// The length of a truncated sequence: its lead octet and the octets before the first ASCII one, so
/// that damage does not remove markup or a line end.
fn damaged(after: &[u8], length: usize) -> usize {
    let digits = after.iter().take(length - 1);
    1 + digits.take_while(|octet| !octet.is_ascii()).count()
}

const TRUNCATED: &str = "truncated sequence";
