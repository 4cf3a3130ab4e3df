//! UTF-32, UTF-32BE, UTF-32LE (Unicode Standard, section 3.10; UAX #19) and ISO-10646-UCS-4: four
//! octets per character.
//!
//! A value that is a surrogate or beyond U+10FFFF becomes one U+FFFD for its four octets. One to
//! three octets left at the end become one U+FFFD. Four octets expand to at most four octets of
//! UTF-8.

use super::codec::Sink;
use super::octet_order::{Order, Units};

#[derive(Debug, Default, Clone)]
pub(super) struct Utf32;

impl Units for Utf32 {
    const WIDTH: usize = 4;
    const MARK: &'static [u8] = b"\x00\x00\xFE\xFF";

    /// In the wrong order hardly any value is a character; in the right order all values are.
    fn order_of(prefix: &[u8]) -> Option<(Order, &'static str)> {
        let (mut big, mut little) = (0, 0);
        for unit in prefix.chunks_exact(4) {
            big += usize::from(character(Order::Big, unit).is_some());
            little += usize::from(character(Order::Little, unit).is_some());
        }
        match big.cmp(&little) {
            std::cmp::Ordering::Greater => Some((
                Order::Big,
                "no byte order mark: only big-endian values are characters",
            )),
            std::cmp::Ordering::Less => Some((
                Order::Little,
                "no byte order mark: only little-endian values are characters",
            )),
            std::cmp::Ordering::Equal => None,
        }
    }

    fn decode(&mut self, order: Order, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let mut at = 0;
        for unit in input.chunks_exact(4) {
            match character(order, unit) {
                Some(character) => sink.text.push(character),
                None => _ = sink.at(sink.base + at).malformed(4, "not a scalar value"),
            }
            at += 4;
        }
        if last && at < input.len() {
            let mut end = sink.at(sink.base + at);
            at += end.malformed(input.len() - at, "odd octets at the end");
        }
        at
    }
}

fn character(order: Order, unit: &[u8]) -> Option<char> {
    let unit = unit.try_into().ok()?;
    char::from_u32(match order {
        Order::Big => u32::from_be_bytes(unit),
        Order::Little => u32::from_le_bytes(unit),
    })
}
