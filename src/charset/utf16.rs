//! UTF-16, UTF-16BE, UTF-16LE (RFC 2781), and what is UTF-16 without its pairs: UCS-2
//! (ISO 10646), UNICODE-1-1 (RFC 1641) and the subsets of RFC 1815.
//!
//! UCS-2 is read as UTF-16: a pair means nothing in the older, and was never meant otherwise
//! by those who wrote it under the older name. A lone half of a pair becomes one U+FFFD, and
//! so does an odd octet at the end. Two octets give at most three of UTF-8, and the odd one
//! three.

use super::codec::Sink;
use super::octet_order::{Order, Units};
use super::pairs::Run;
use crate::report::Kind;

#[derive(Debug, Default, Clone)]
pub(super) struct Utf16 {
    units: CodeUnits,
}

impl Units for Utf16 {
    const WIDTH: usize = 2;
    const MARK: &'static [u8] = b"\xFE\xFF";

    /// Text that is mostly Latin has 00 in one octet of nearly every unit; other text has its
    /// spaces and line ends, which in the wrong order are a wide space that nobody types
    /// (U+2000), a rare letter (U+0D00) and a character that is not there (U+0A00).
    fn order_of(prefix: &[u8]) -> Option<(Order, &'static str)> {
        let units = prefix.len() / 2;
        let (mut zero_first, mut zero_last) = (0, 0);
        let (mut blank_big, mut blank_little) = (0, 0);
        for pair in prefix.chunks_exact(2) {
            if let [first, last] = *pair {
                zero_first += usize::from(first == 0);
                zero_last += usize::from(last == 0);
                blank_big += usize::from(first == 0 && matches!(last, b'\n' | b'\r' | b' '));
                blank_little += usize::from(last == 0 && matches!(first, b'\n' | b'\r' | b' '));
            }
        }
        let mostly = |zeros: usize| zeros * 5 >= units * 4;
        match (mostly(zero_first), mostly(zero_last)) {
            _ if units == 0 => None,
            (true, false) => Some((
                Order::Big,
                "no byte order mark: big-endian by its zero octets",
            )),
            (false, true) => Some((
                Order::Little,
                "no byte order mark: little-endian by its zero octets",
            )),
            _ if blank_big > blank_little => {
                Some((Order::Big, "no byte order mark: big-endian by its blanks"))
            }
            _ if blank_little > blank_big => Some((
                Order::Little,
                "no byte order mark: little-endian by its blanks",
            )),
            _ => None,
        }
    }

    fn decode(&mut self, order: Order, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        /// How many units are asked at once whether there are halves of pairs among them.
        const UNITS: usize = 64;
        sink.text.reserve(input.len() + input.len() / 4);
        let mut run = Run::new();
        let mut at = 0;
        let (pairs, _) = input.as_chunks::<2>();
        let (blocks, rest) = pairs.as_chunks::<UNITS>();
        for block in blocks {
            let units = order.units(block);
            if !run.fits(UNITS) {
                run.flush(sink.text);
            }
            if self.units.is_waiting() || has_surrogates(&units) {
                run.flush(sink.text);
                self.units.push_each(&units, sink.base + at, sink);
            } else {
                run.put_units(&units);
            }
            at += 2 * UNITS;
        }
        run.flush(sink.text);
        for &pair in rest {
            let [unit] = order.units(&[pair]);
            if self.units.is_whole(unit) {
                run.put_unit(unit);
            } else {
                run.flush(sink.text);
                self.units.push(unit, sink.base + at, 2, sink);
            }
            at += 2;
        }
        run.flush(sink.text);
        if last {
            self.units.finish(sink);
            if at < input.len() {
                at += sink.at(sink.base + at).malformed(1, "odd octet at the end");
            }
        }
        at
    }

    fn is_waiting(&self) -> bool {
        self.units.is_waiting()
    }
}

/// Code units of UTF-16 in the order in which some form brings them, joined to pairs.
#[derive(Debug, Default, Clone)]
pub(super) struct CodeUnits {
    /// The first half of a pair, and where it lies: offset and length.
    high: Option<(u16, usize, usize)>,
}

/// Whether any of the units is half of a pair.
fn has_surrogates(units: &[u16]) -> bool {
    let is_one = |any, unit: &u16| any | u16::from(unit & 0xF800 == 0xD800);
    units.iter().fold(0, is_one) != 0
}

impl CodeUnits {
    /// Takes units of which the first stands at `offset`.
    fn push_each(&mut self, units: &[u16], offset: usize, sink: &mut Sink<'_>) {
        for (&unit, offset) in units.iter().zip((offset..).step_by(2)) {
            self.push(unit, offset, 2, sink);
        }
    }

    /// Takes the unit that `length` octets at `offset` of the whole input stand for.
    pub(super) fn push(&mut self, unit: u16, offset: usize, length: usize, sink: &mut Sink<'_>) {
        if let (Some((high, ..)), 0xDC00..=0xDFFF) = (self.high, unit) {
            self.high = None;
            let value = 0x1_0000 + (u32::from(high & 0x3FF) << 10 | u32::from(unit & 0x3FF));
            sink.text.extend(char::from_u32(value));
            return;
        }
        self.finish(sink);
        match char::from_u32(u32::from(unit)) {
            Some(character) => sink.text.push(character),
            None if unit < 0xDC00 => self.high = Some((unit, offset, length)),
            None => sink.replace(Kind::Malformed, offset, length, LONE_SURROGATE),
        }
    }

    /// Whether the other half of a pair has to come.
    #[inline]
    pub(super) fn is_waiting(&self) -> bool {
        self.high.is_some()
    }

    /// Whether a unit is a character of its own and follows no half of a pair.
    #[inline]
    pub(super) fn is_whole(&self, unit: u16) -> bool {
        self.high.is_none() && unit & 0xF800 != 0xD800
    }

    /// Gives up waiting for the other half of a pair.
    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) {
        if let Some((_, offset, length)) = self.high.take() {
            sink.replace(Kind::Malformed, offset, length, LONE_SURROGATE);
        }
    }
}

const LONE_SURROGATE: &str = "lone surrogate";
