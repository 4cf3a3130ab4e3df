//! x-mac-hebrew: Apple's Hebrew, with two octets that are two characters each.
//!
//! The other cells are in `tables/mac.txt`. A0 to BF and FB to FF repeat the punctuation of ASCII, for
//! writing from right to left. They are decoded to the same characters as in ASCII, whose direction
//! follows from the surrounding text (Unicode Standard Annex #9). Apple's two private-use characters
//! for "as a ligature" (U+F86A) and "the other form" (U+F87F) are omitted.

use super::codec::{Codec, Sink};
use super::single_byte::{self, SingleByte, SingleByteCodec};
use super::usage::Usage;

/// The Yiddish ligature, which every normalization form of Unicode decomposes, and the lamed with
/// holam.
const PAIRS: [(u8, &str); 2] = [(0x81, "\u{5F2}\u{5B7}"), (0xC0, "\u{5DC}\u{5B9}")];

/// Decodes the table, and the octets with two characters.
#[derive(Clone)]
pub(super) struct MacHebrewCodec {
    others: SingleByteCodec,
}

/// The set without the two octets of [`PAIRS`].
const OTHERS: SingleByte = SingleByte::named("x-mac-hebrew");

impl MacHebrewCodec {
    pub(super) fn new(usage: Usage) -> Self {
        MacHebrewCodec {
            others: single_byte::codec(OTHERS, usage, false),
        }
    }
}

impl Codec for MacHebrewCodec {
    fn decode(&mut self, input: &[u8], _last: bool, sink: &mut Sink<'_>) -> usize {
        let mut rest = input;
        while !rest.is_empty() {
            let length = rest.iter().position(|&octet| pair(octet).is_some());
            let (others, after) = rest.split_at(length.unwrap_or(rest.len()));
            let base = sink.base + input.len() - rest.len();
            self.others.decode(others, false, &mut sink.at(base));
            rest = after;
            if let Some((&octet, after)) = rest.split_first() {
                sink.text.push_str(pair(octet).unwrap_or_default());
                rest = after;
            }
        }
        input.len()
    }
}

/// The two characters of an octet, if it has two.
fn pair(octet: u8) -> Option<&'static str> {
    let row = PAIRS.iter().find(|(known, _)| *known == octet)?;
    Some(row.1)
}
