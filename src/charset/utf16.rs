//! UTF-16, UTF-16BE, UTF-16LE (RFC 2781), and their forms without surrogate pairs: UCS-2 (ISO
//! 10646), UNICODE-1-1 (RFC 1641) and the subsets of RFC 1815.
//!
//! UCS-2 is decoded as UTF-16: surrogate pairs are undefined in UCS-2, and programs that write them
//! under its name mean UTF-16. A lone surrogate becomes one U+FFFD, and so does an odd octet at the
//! end. Two octets expand to at most three octets of UTF-8, and so does the odd octet.

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

    /// Mostly Latin text has 00 in one octet of nearly every unit. Other text has spaces and line ends;
    /// in the wrong order these are a rarely used wide space (U+2000), a rare letter (U+0D00) and an
    /// unassigned code point (U+0A00).
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
        /// The number of units that are checked for surrogates at once.
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
            if self.units.has_pending() || has_surrogates(&units) {
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

    fn has_pending(&self) -> bool {
        self.units.has_pending()
    }
}

/// Combines code units into characters, in any form of UTF-16.
#[derive(Debug, Default, Clone)]
pub(super) struct CodeUnits {
    /// A pending high surrogate with its offset and length.
    high: Option<(u16, usize, usize)>,
}

/// Whether any unit is a surrogate.
fn has_surrogates(units: &[u16]) -> bool {
    let is_one = |any, unit: &u16| any | u16::from(unit & 0xF800 == 0xD800);
    units.iter().fold(0, is_one) != 0
}

impl CodeUnits {
    /// Appends units; the first is at `offset`.
    fn push_each(&mut self, units: &[u16], offset: usize, sink: &mut Sink<'_>) {
        for (&unit, offset) in units.iter().zip((offset..).step_by(2)) {
            self.push(unit, offset, 2, sink);
        }
    }

    /// Appends the unit from the `length` octets at `offset` of the whole input.
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

    /// Whether a low surrogate has to follow.
    #[inline]
    pub(super) fn has_pending(&self) -> bool {
        self.high.is_some()
    }

    /// Whether a unit is a whole character and no surrogate is pending.
    #[inline]
    pub(super) fn is_whole(&self, unit: u16) -> bool {
        self.high.is_none() && unit & 0xF800 != 0xD800
    }

    /// Replaces a pending surrogate at the end of a run.
    pub(super) fn finish(&mut self, sink: &mut Sink<'_>) {
        if let Some((_, offset, length)) = self.high.take() {
            sink.replace(Kind::Malformed, offset, length, LONE_SURROGATE);
        }
    }
}

const LONE_SURROGATE: &str = "lone surrogate";
