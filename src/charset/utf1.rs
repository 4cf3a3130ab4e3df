//! ISO-10646-UTF-1 (ISO-IR 178; ISO/IEC 10646-1:1993, annex G), which UTF-8 replaced.
//!
//! 00 to 9F are themselves, A0 stands before A0 to FF, and what is above is written in base
//! 190, for which printable ASCII and A0 to FF are the digits. It reaches beyond Unicode: a
//! sequence for a surrogate or above U+10FFFF becomes one U+FFFD, and so does one that
//! breaks off, without the octet that breaks it. No octet gives more than three of UTF-8.

use super::codec::{Codec, Sink, one_by_one};

#[derive(Clone)]
pub(super) struct Utf1Codec;

/// How many digits there are.
const DIGITS: u64 = 190;

/// The value of a digit: the reverse of T(z) in annex G.
fn digit(octet: u8) -> Option<u64> {
    match octet {
        0x21..=0x7E => Some(u64::from(octet - 0x21)),
        0xA0..=0xFF => Some(u64::from(octet - 0xA0) + 0x5E),
        _ => None,
    }
}

/// What a lead octet begins with and how many digits follow; `None` for those that only
/// values beyond 31 bits would need.
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
        one_by_one(input, sink, |rest, sink| one(rest, last, sink))
    }
}

fn one(input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
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
    let Some((&first, behind)) = input.split_first() else {
        return 0;
    };
    let Some((begin, wanted)) = lead(first) else {
        return sink.malformed(1, "octet that never occurs");
    };
    let (mut value, mut length) = (0, 1);
    for digit in behind.iter().take(wanted).map_while(|&octet| digit(octet)) {
        value = value * DIGITS + digit;
        length += 1;
    }
    if length <= wanted {
        if length == input.len() && !last {
            return 0;
        }
        return sink.malformed(damaged(behind, length), TRUNCATED);
    }
    let Some(character) = u32::try_from(begin + value).ok().and_then(char::from_u32) else {
        return sink.malformed(length, "value out of range");
    };
    sink.text.push(character);
    length
}

/// How much of a truncated sequence goes with its lead octet: up to the first octet that is
/// ASCII, so that no damage takes markup or a line end with it.
fn damaged(behind: &[u8], length: usize) -> usize {
    let digits = behind.iter().take(length - 1);
    1 + digits.take_while(|octet| !octet.is_ascii()).count()
}

const TRUNCATED: &str = "truncated sequence";
