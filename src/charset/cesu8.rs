//! CESU-8 (Unicode Technical Report #26): UTF-16 whose code units are written as UTF-8
//! writes characters, so that a pair has six octets.
//!
//! A half without the other becomes one U+FFFD for its three octets; other malformed octets
//! are cut as in UTF-8. The four octets that UTF-8 has for a pair are no CESU-8 and are met
//! where programs call UTF-8 by this name: as practised they are read, and reported. No
//! octet gives more than three of UTF-8.

use super::utf8::{self, Profile, Reason};
use super::{Codec, Reading, Sink, web};
use crate::report::Kind;

pub(super) struct Cesu8Codec {
    reading: Reading,
}

impl Cesu8Codec {
    pub(super) fn new(reading: Reading) -> Self {
        Cesu8Codec { reading }
    }

    /// Takes well-formed UTF-8, whose four-octet sequences are the only departure.
    fn text(&self, mut text: &str, mut offset: usize, sink: &mut Sink<'_>) {
        while let Some(at) = text.bytes().position(|octet| octet >= 0xF0) {
            let (before, sequence) = text.split_at(at);
            let (sequence, after) = sequence.split_at(4);
            sink.text.push_str(before);
            offset += at;
            if self.reading == Reading::AsPractised {
                sink.text.push_str(sequence);
                sink.report
                    .add_in_octets(Kind::Superset, offset, 4, FOUR_OCTETS);
            } else {
                for offset in offset..offset + 4 {
                    sink.replace(Kind::Malformed, offset, 1, FOUR_OCTETS);
                }
            }
            offset += 4;
            text = after;
        }
        sink.text.push_str(text);
    }
}

impl Codec for Cesu8Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let mut at = 0;
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            let valid = web::utf8_valid_up_to(rest);
            if valid > 0 {
                let text = rest.get(..valid).and_then(web::utf8).unwrap_or_default();
                self.text(text, sink.base + at, sink);
                at += valid;
                continue;
            }
            let offset = sink.base + at;
            at += match *rest {
                [
                    0xED,
                    high @ 0xA0..=0xAF,
                    low @ 0x80..=0xBF,
                    0xED,
                    0xB0..=0xBF,
                    0x80..=0xBF,
                    ..,
                ] => {
                    let [_, _, _, _, third, fourth, ..] = *rest else {
                        return at;
                    };
                    let bits = |octet: u8| u32::from(octet & 0x3F);
                    let high = bits(high & 0x0F) << 6 | bits(low);
                    let value = 0x1_0000 + (high << 10 | bits(third & 0x0F) << 6 | bits(fourth));
                    sink.text.extend(char::from_u32(value));
                    6
                }
                // A half whose other half may come.
                [0xED]
                | [0xED, 0xA0..=0xBF]
                | [0xED, 0xA0..=0xAF, 0x80..=0xBF]
                | [0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED]
                | [0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF]
                    if !last =>
                {
                    return at;
                }
                [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => {
                    sink.replace(Kind::Malformed, offset, 3, "lone surrogate");
                    3
                }
                [0xED, 0xA0..=0xBF, ..] => {
                    sink.replace(Kind::Malformed, offset, 2, "truncated sequence");
                    2
                }
                [0xF0..=0xF4, ..] if self.reading == Reading::AsRegistered => {
                    sink.replace(Kind::Malformed, offset, 1, FOUR_OCTETS);
                    1
                }
                _ => {
                    let found = utf8::malformed_at(rest, 0, Profile::Rfc3629);
                    let length = found.length();
                    if !last && found.reason() == Reason::Truncated && length == rest.len() {
                        return at;
                    }
                    sink.replace(Kind::Malformed, offset, length, found.reason().name());
                    length
                }
            };
        }
        at
    }
}

const FOUR_OCTETS: &str = "four octets, as in UTF-8";
