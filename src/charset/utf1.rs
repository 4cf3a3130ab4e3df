//! ISO-10646-UTF-1 (ISO-IR 178; ISO/IEC 10646-1:1993, annex G), which UTF-8 replaced.
//!
//! 00 to 9F are themselves, A0 precedes A0 to FF, and higher values are written in base 190, with
//! printable ASCII and A0 to FF as digits. UTF-1 extends beyond Unicode: a sequence for a surrogate
//! or above U+10FFFF becomes one U+FFFD. So does a truncated sequence, without the octet that ended
//! it. No octet gives more than three of UTF-8.

use super::codec::{Codec, Sink};
use crate::report::Kind;

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

/// The base value of a lead octet and its number of digits; `None` if it is only for values above
/// 31 bits.
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
        let mut at = 0;
        while let Some(rest) = input.get(at..)
            && let Some((&first, after)) = rest.split_first()
        {
            let offset = sink.base + at;
            if first < 0xA0 {
                sink.text.push(char::from(first));
                at += 1;
                continue;
            }
            if first == 0xA0 {
                at += match after.first() {
                    None if !last => return at,
                    Some(&octet @ 0xA0..) => {
                        sink.text.push(char::from(octet));
                        2
                    }
                    _ => {
                        sink.replace(Kind::Malformed, offset, 1, TRUNCATED);
                        1
                    }
                };
                continue;
            }
            let Some((begin, wanted)) = lead(first) else {
                sink.replace(Kind::Malformed, offset, 1, "octet that never occurs");
                at += 1;
                continue;
            };
            let (mut value, mut length) = (0, 1);
            for digit in after.iter().take(wanted).map_while(|&octet| digit(octet)) {
                value = value * DIGITS + digit;
                length += 1;
            }
            if length <= wanted {
                if length == rest.len() && !last {
                    return at;
                }
                length = damaged(after, length);
                sink.replace(Kind::Malformed, offset, length, TRUNCATED);
            } else {
                match u32::try_from(begin + value).ok().and_then(char::from_u32) {
                    Some(character) => sink.text.push(character),
                    None => sink.replace(Kind::Malformed, offset, length, "value out of range"),
                }
            }
            at += length;
        }
        at
    }
}

/// The length of a truncated sequence: its lead octet and the octets up to the first ASCII one, so that
/// damage does not remove markup or a line end.
fn damaged(after: &[u8], length: usize) -> usize {
    let digits = after.iter().take(length - 1);
    1 + digits.take_while(|octet| !octet.is_ascii()).count()
}

const TRUNCATED: &str = "truncated sequence";
