//! BOCU-1 (Unicode Technical Note #6): each character as its difference from the previous one.
//!
//! The controls that matter in mail and the space represent themselves; other characters use the
//! remaining octets, in base 243. A truncated sequence, or a sequence for a value outside Unicode,
//! becomes one U+FFFD. This resets the base of the difference, as a line end does. A sequence for a
//! character that represents itself is malformed too: it would be a second way to write a line end.
//! One octet expands to at most four octets of UTF-8.

use super::codec::{Codec, Sink, one_by_one};

#[derive(Clone)]
pub(super) struct Bocu1Codec {
    /// The base of the next difference.
    base: i32,
}

/// The base at the start of a text and after a control.
const START: i32 = 0x40;

/// The number of trail octet values: all but 00, 07 to 0F, 1A, 1B and 20.
const TRAILS: i32 = 243;

/// The ranges of differences of one, two and three octets (UTN #6, table of lead bytes).
const REACH_1: i32 = 64;
const REACH_2: i32 = REACH_1 + 43 * TRAILS;
const REACH_3: i32 = REACH_2 + 3 * TRAILS * TRAILS;

/// The base difference of a lead octet, and the number of trail octets.
fn lead(octet: u8) -> (i32, usize) {
    let lead = i32::from(octet);
    match octet {
        0x50..=0xCF => (lead - 0x90, 0),
        0xD0..=0xFA => (REACH_1 + (lead - 0xD0) * TRAILS, 1),
        0xFB..=0xFD => (REACH_2 + (lead - 0xFB) * TRAILS * TRAILS, 2),
        0xFE => (REACH_3, 3),
        0x25..=0x4F => (-REACH_1 - (0x50 - lead) * TRAILS, 1),
        0x22..=0x24 => (-REACH_2 - (0x25 - lead) * TRAILS * TRAILS, 2),
        // 21; other octets are not lead octets.
        _ => (-REACH_3 - TRAILS * TRAILS * TRAILS, 3),
    }
}

/// The value of a trail octet.
fn trail(octet: u8) -> Option<i32> {
    let value = i32::from(octet);
    Some(match octet {
        0x01..=0x06 => value - 0x01,
        0x10..=0x19 => value - 0x10 + 6,
        0x1C..=0x1F => value - 0x1C + 16,
        0x21.. => value - 0x21 + 20,
        0x00 | 0x07..=0x0F | 0x1A | 0x1B | 0x20 => return None,
    })
}

/// The base after a character: the middle of its script's block.
fn base_after(value: i32) -> i32 {
    match value {
        0x3040..=0x309F => 0x3070,
        0x4E00..=0x9FA5 => 0x7711,
        0xAC00..=0xD7A3 => 0xC1D1,
        _ => (value & !0x7F) + 0x40,
    }
}

impl Bocu1Codec {
    pub(super) fn new() -> Self {
        Bocu1Codec { base: START }
    }

    /// The character of a sequence; `None` if invalid or not the shortest form.
    fn character(&mut self, difference: i32) -> Option<char> {
        let value = self.base + difference;
        let character = u32::try_from(value).ok().and_then(char::from_u32);
        let character = character.filter(|&character| character > ' ');
        self.base = character.map_or(START, |_| base_after(value));
        character
    }

    fn decode_one(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let Some((&first, after)) = input.split_first() else {
            return 0;
        };
        if matches!(first, 0x00..=0x20 | 0xFF) {
            if first != b' ' {
                self.base = START;
            }
            sink.text
                .extend(first.is_ascii().then_some(char::from(first)));
            return 1;
        }
        let (begin, wanted) = lead(first);
        let (mut difference, mut length) = (0, 1);
        for value in after.iter().take(wanted).map_while(|&octet| trail(octet)) {
            difference = difference * TRAILS + value;
            length += 1;
        }
        if length <= wanted {
            if length == input.len() && !last {
                return 0;
            }
            self.base = START;
            return sink.malformed(length, "truncated sequence");
        }
        let Some(character) = self.character(begin + difference) else {
            return sink.malformed(length, "no character at this distance");
        };
        sink.text.push(character);
        length
    }
}

impl Codec for Bocu1Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        sink.text.reserve(input.len());
        one_by_one(input, sink, |rest, sink| self.decode_one(rest, last, sink))
    }

    fn state(&self) -> Option<u128> {
        u128::try_from(self.base ^ START).ok()
    }

    fn resume(&mut self, state: u128) {
        let base = i32::try_from(state).ok().map(|state| state ^ START);
        let is_middle = |base: i32| base & 0x7F == START || base == base_after(base);
        let base = base.filter(|&base| base <= 0x10_FFFF && is_middle(base));
        self.base = base.unwrap_or(START);
    }
}
