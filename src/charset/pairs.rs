//! Double-byte charsets.
//!
//! A [`Table`] maps pairs to characters. [`PairsCodec`] decodes charsets of ASCII and pairs, such as
//! EUC-KR, `Shift_JIS`, Big5 and JOHAB.

use std::ops::RangeInclusive;

use super::codec::{Codec, SHORT, Sink};
use super::pair_table::{FIRST_SEQUENCE, LazyTable, Table, length};
use super::web::{self, Web};
use crate::report::Kind;
use crate::vector::Aligned;

/// Finding texts for a pair without a character, and for a lead octet without a trail octet.
pub(super) const NO_CHARACTER: &str = "not a character of the set";
pub(super) const HALF: &str = "half a character";
/// Finding text for a character of plane 3 and beyond.
pub(super) const NO_TABLE: &str = "plane of CNS 11643 without a table";

/// Buffers well-formed UTF-8 before it is appended to the text.
///
/// Writing octets to a small array is faster than writing characters to a `String`, and validating them
/// afterwards is cheap.
pub(super) struct Run<const LENGTH: usize = 1024> {
    octets: Aligned<LENGTH>,
    filled: usize,
}

/// Decodes common sequences in runs, and everything else one by one.
pub(super) trait DecodeRuns {
    /// Decodes the common cases that fit in the run. Returns the number of octets consumed, or 0.
    fn decode_run<const LENGTH: usize>(&mut self, input: &[u8], run: &mut Run<LENGTH>) -> usize;

    /// Decodes anything else. Returns the number of octets consumed, 0 if more input is needed.
    fn decode_other(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize;

    /// Decodes the input. A subject gets a small buffer, a body a large one.
    #[inline]
    fn read(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        if input.len() <= SHORT {
            self.read_through(Run::<{ 2 * SHORT }>::empty(), input, last, sink)
        } else {
            // Two octets give at most three of UTF-8, except for damage, katakana and accented
            // letters.
            sink.text.reserve(input.len() + input.len() / 2);
            self.read_through(Run::new(), input, last, sink)
        }
    }

    #[inline]
    fn read_through<const LENGTH: usize>(
        &mut self,
        mut run: Run<LENGTH>,
        input: &[u8],
        last: bool,
        sink: &mut Sink<'_>,
    ) -> usize {
        let mut at = 0;
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            let taken = self.decode_run(rest, &mut run);
            if taken > 0 && !run.is_full() {
                at += taken;
                continue;
            }
            run.flush(sink.text);
            at += match taken {
                0 => match self.decode_other(rest, last, &mut sink.at(sink.base + at)) {
                    0 => break,
                    done => done,
                },
                taken => taken,
            };
        }
        run.flush(sink.text);
        at
    }
}

/// The number of ASCII octets a run appends at a time.
const CHUNK: usize = 16;

impl Run {
    pub(super) fn new() -> Run {
        Run::empty()
    }
}

impl<const LENGTH: usize> Run<LENGTH> {
    /// An empty run of that length; a short one is cheaper to clear.
    pub(super) fn empty() -> Self {
        Run {
            octets: Aligned([0; LENGTH]),
            filled: 0,
        }
    }

    /// Appends pairs of `table` with a lead octet in `leads`, and ASCII between them if `ascii`.
    /// Returns the number of octets consumed: up to the first other octet, or until the run is full.
    #[inline]
    pub(super) fn append_pairs(
        &mut self,
        input: &[u8],
        table: &Table,
        leads: RangeInclusive<u8>,
        ascii: bool,
    ) -> usize {
        let mut rest = input;
        let mut filled = self.filled;
        while let Some(free) = self
            .octets
            .0
            .get_mut(filled..)
            .and_then(<[u8]>::first_chunk_mut::<CHUNK>)
        {
            let (cell, length, after) = match *rest {
                [lead, trail, ref after @ ..] if leads.contains(&lead) => {
                    let cell = table.cell(lead, trail);
                    if cell == 0 || cell >= FIRST_SEQUENCE {
                        break;
                    }
                    (cell, length(cell), after)
                }
                [octet @ 0x00..=0x7F, ref after @ ..] if ascii => {
                    if let Some((chunk, _)) = rest.split_first_chunk()
                        && let Some(place) = free.first_chunk_mut()
                    {
                        // Write eight octets; count the ASCII ones.
                        *place = *chunk;
                        let high = u64::from_le_bytes(*chunk) & 0x8080_8080_8080_8080;
                        let ascii = high.trailing_zeros() as usize / 8;
                        filled += ascii;
                        rest = rest.get(ascii..).unwrap_or_default();
                        continue;
                    }
                    (u32::from(octet), 1, after)
                }
                _ => break,
            };
            if let Some(place) = free.first_chunk_mut() {
                *place = cell.to_le_bytes();
            }
            filled += length;
            rest = after;
        }
        self.filled = filled;
        input.len() - rest.len()
    }

    /// Appends a character: its UTF-8, first octet lowest, and its length. All four octets must fit.
    #[inline]
    pub(super) fn put(&mut self, cell: u32, length: usize) {
        debug_assert!(
            self.filled + size_of_val(&cell) <= LENGTH,
            "the buffer is full"
        );
        let free = self.octets.0.get_mut(self.filled..).unwrap_or_default();
        if let Some(place) = free.first_chunk_mut() {
            *place = cell.to_le_bytes();
            self.filled += length;
        }
    }

    /// Appends a code unit of UTF-16 that is not a surrogate. It must fit.
    #[inline]
    pub(super) fn put_unit(&mut self, unit: u16) {
        let (cell, length) = in_utf8(unit);
        self.put(cell, length as usize);
    }

    /// Appends the first `count` of three code units, none of them a surrogate. They must fit.
    #[inline]
    pub(super) fn put_first(&mut self, units: [u16; 3], count: usize) {
        let free = self.octets.0.get_mut(self.filled..).unwrap_or_default();
        if units.iter().all(|&unit| unit >= 0x800)
            && let Some(place) = free.first_chunk_mut::<CHUNK>()
        {
            // Write all three: branching on `count` would be mispredicted.
            let [first, second, third] = units.map(|unit| u128::from(in_three(unit.into())));
            *place = (first | second << 24 | third << 48).to_le_bytes();
            self.filled += 3 * count;
        } else {
            for unit in units.into_iter().take(count) {
                self.put_unit(unit);
            }
        }
    }

    /// Appends code units, none of them a surrogate. They must fit.
    ///
    /// Not inlined: the function is long, and one copy serves both octet orders.
    #[inline(never)]
    pub(super) fn put_units<const N: usize>(&mut self, units: &[u16; N]) {
        debug_assert!(self.fits(N), "the buffer is full");
        if units.iter().fold(0, |any, unit| any | unit) < 0x80 {
            let free = self.octets.0.get_mut(self.filled..).unwrap_or_default();
            if let Some(place) = free.first_chunk_mut::<N>() {
                for (octet, &unit) in place.iter_mut().zip(units) {
                    [*octet, _] = unit.to_le_bytes();
                }
                self.filled += N;
            }
            return;
        }
        // Convert all units first, which compiles to vector code, then write them one by one.
        let (mut cells, mut lengths) = ([0; N], [0; N]);
        for ((cell, length), &unit) in cells.iter_mut().zip(&mut lengths).zip(units) {
            (*cell, *length) = in_utf8(unit);
        }
        // Like `put`, but without storing the length after each.
        let mut filled = self.filled;
        for (cell, length) in cells.into_iter().zip(lengths) {
            let free = self.octets.0.get_mut(filled..).unwrap_or_default();
            if let Some(place) = free.first_chunk_mut() {
                *place = u32::to_le_bytes(cell);
                filled += length as usize;
            }
        }
        self.filled = filled;
    }

    /// Appends ASCII up to the first octet of `ends`, as much as fits.
    pub(super) fn append_ascii<const N: usize>(&mut self, input: &[u8], ends: [u8; N]) -> usize {
        #[expect(
            clippy::needless_bitwise_bool,
            reason = "without an early exit, octets are compared sixteen at a time"
        )]
        let is_end = |octet: u8| {
            let is_one = |end, &one| end | (octet == one);
            ends.iter().fold(!octet.is_ascii(), is_one)
        };
        let mut taken = 0;
        while let Some(rest) = input.get(taken..) {
            let free = self.octets.0.get_mut(self.filled..).unwrap_or_default();
            let Some(place) = free.first_chunk_mut::<CHUNK>() else {
                break;
            };
            let Some((chunk, _)) = rest.split_first_chunk() else {
                let last = rest.iter().take_while(|octet| !is_end(**octet));
                let count = place.iter_mut().zip(last).map(|(a, b)| *a = *b).count();
                self.filled += count;
                return taken + count;
            };
            *place = *chunk;
            let count = if chunk.iter().fold(false, |end, &octet| end | is_end(octet)) {
                chunk.iter().take_while(|octet| !is_end(**octet)).count()
            } else {
                CHUNK
            };
            self.filled += count;
            taken += count;
            if count < CHUNK {
                break;
            }
        }
        taken
    }

    /// Appends octets while `is_text` holds, as many as fit. `is_text` must be false above 7F.
    #[inline]
    pub(super) fn take_while(&mut self, input: &[u8], is_text: impl Fn(u8) -> bool) -> usize {
        let free = self.octets.0.get_mut(self.filled..).unwrap_or_default();
        let taken = free
            .iter_mut()
            .zip(input)
            .take_while(|(_, octet)| is_text(**octet))
            .map(|(place, octet)| *place = *octet)
            .count();
        self.filled += taken;
        taken
    }

    /// Whether the run needs a [`flush`](Run::flush).
    pub(super) fn is_full(&self) -> bool {
        self.filled + CHUNK > LENGTH
    }

    /// Whether this many code units of UTF-16 fit.
    #[inline]
    pub(super) fn fits(&self, units: usize) -> bool {
        self.filled + 3 * units < LENGTH
    }

    /// Appends the run to the text and clears it.
    pub(super) fn flush(&mut self, text: &mut String) {
        let filled = std::mem::take(&mut self.filled);
        if filled > 0 {
            // Cells are UTF-8, and everything else is ASCII.
            let run = web::utf8_in(&mut self.octets.0, filled);
            debug_assert!(run.is_some(), "a cell that is not a character");
            text.push_str(run.unwrap_or("\u{FFFD}"));
        }
    }
}

/// A three-octet character in UTF-8, first octet lowest.
#[inline]
pub(super) fn in_three(value: u32) -> u32 {
    0xE0 | value >> 12 | (0x80 | value >> 6 & 0x3F) << 8 | (0x80 | value & 0x3F) << 16
}

/// The UTF-8, first octet lowest, and length of a code unit that is not a surrogate.
#[inline]
fn in_utf8(unit: u16) -> (u32, u32) {
    let value = u32::from(unit);
    let two = 0xC0 | value >> 6 | (0x80 | value & 0x3F) << 8;
    let three = in_three(value);
    // Select by masks: a branch would be mispredicted.
    let (beyond_one, beyond_two) = (u32::from(value >= 0x80), u32::from(value >= 0x800));
    let (not_one, not_two) = (beyond_one.wrapping_neg(), beyond_two.wrapping_neg());
    let cell = value & !not_one | two & not_one & !not_two | three & not_two;
    (cell, 1 + beyond_one + beyond_two)
}

/// Decodes a charset of ASCII and pairs.
#[derive(Clone)]
pub(super) struct PairsCodec {
    table: &'static Table,
    /// Maps single octets above 7F.
    single: fn(u8) -> Option<char>,
    /// An octet in the range of lead octets that has no pairs.
    gap: Option<u8>,
    long: Long,
}

impl PairsCodec {
    /// Decodes only the pairs of `table`.
    pub(super) fn new(table: &'static Table) -> Self {
        PairsCodec {
            table,
            single: |_| None,
            gap: None,
            long: Long::None,
        }
    }

    /// Adds characters for single octets above 7F.
    pub(super) fn with_singles(self, single: fn(u8) -> Option<char>) -> Self {
        PairsCodec { single, ..self }
    }

    /// Excludes `octet` from the lead octets.
    pub(super) fn with_gap(self, octet: u8) -> Self {
        let gap = Some(octet);
        PairsCodec { gap, ..self }
    }

    /// Adds characters of more than two octets.
    pub(super) fn with_long(self, long: Long) -> Self {
        PairsCodec { long, ..self }
    }
}

/// Characters of more than two octets.
#[derive(Clone, Copy)]
pub(super) enum Long {
    None,
    /// EUC code set 3: 8F and a pair of this table. The table is built at the first 8F, since few texts
    /// have one.
    Three(&'static LazyTable),
    /// GB 18030: lead octet, digit, lead octet, digit.
    Gb18030,
    /// EUC-TW: 8E, A1 to B0 for the plane of CNS 11643, and a pair.
    Cns11643([&'static Table; 2]),
}

/// Katakana of JIS X 0201 in A1 to DF.
pub(super) fn katakana(octet: u8) -> Option<char> {
    match octet {
        0xA1..=0xDF => char::from_u32(0xFF61 + u32::from(octet - 0xA1)),
        _ => None,
    }
}

impl Codec for PairsCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        self.read(input, last, sink)
    }
}

impl DecodeRuns for PairsCodec {
    #[inline]
    fn decode_run<const LENGTH: usize>(&mut self, input: &[u8], run: &mut Run<LENGTH>) -> usize {
        run.append_pairs(input, self.table, 0x80..=0xFF, true)
    }

    fn decode_other(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        self.decode_one(input, last, sink)
    }
}

impl PairsCodec {
    /// Decodes one character that begins above 7F. Returns its number of octets, 0 if more input is
    /// needed.
    pub(super) fn decode_one(&self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        match *input {
            [lead, trail, ..] if self.table.put(lead, trail, sink.text) => 2,
            _ => self.decode_rare(input, last, sink),
        }
    }

    /// Decodes everything but pairs of the table.
    fn decode_rare(&self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let Some((&lead, rest)) = input.split_first() else {
            return 0;
        };
        if let Some(character) = (self.single)(lead) {
            sink.text.push(character);
            return 1;
        }
        match (self.long, lead) {
            (Long::Three(table), 0x8F) => return decode_three(table, input, last, sink),
            (Long::Gb18030, 0x81..=0xFE) if matches!(rest.first(), Some(0x30..=0x39)) => {
                return four_of_gb18030(input, last, sink);
            }
            (Long::Cns11643(planes), 0x8E) => return decode_four(planes, input, last, sink),
            _ => {}
        }
        let is_lead = self.table.has_lead(lead) && self.gap != Some(lead);
        match rest.first() {
            None if is_lead && !last => 0,
            // An ASCII octet is text, even after a lead octet.
            Some(0x80..) if is_lead => sink.malformed(2, NO_CHARACTER),
            None if is_lead => sink.malformed(1, HALF),
            _ => sink.malformed(1, NO_CHARACTER),
        }
    }
}

/// Decodes 8F and a pair.
fn decode_three(table: &Table, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
    match *input {
        [_, lead, trail, ..] if table.put(lead, trail, sink.text) => 3,
        [_] | [_, 0xA1..=0xFE] if !last => 0,
        _ => replace_cut(3, input, sink),
    }
}

/// Decodes 8E, a plane and a pair.
fn decode_four(planes: [&Table; 2], input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
    let [first, second] = planes;
    match *input {
        [_, 0xA1, lead, trail, ..] if first.put(lead, trail, sink.text) => 4,
        [_, 0xA2, lead, trail, ..] if second.put(lead, trail, sink.text) => 4,
        [_, 0xA3..=0xB0, 0xA1..=0xFE, 0xA1..=0xFE, ..] => {
            sink.replace(Kind::Undecoded, sink.base, 4, NO_TABLE);
            4
        }
        // An unknown plane takes four octets too.
        [_] | [_, 0xA1..=0xFE] | [_, 0xA1..=0xFE, 0xA1..=0xFE] if !last => 0,
        _ => replace_cut(4, input, sink),
    }
}

/// Decodes four octets; the second and the fourth are digits. The digits are kept as text if the
/// sequence is incomplete.
fn four_of_gb18030(input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
    match *input {
        [a, b, c @ 0x81..=0xFE, d @ 0x30..=0x39, ..] => {
            // U+FFFD has a code of its own, so its presence does not mean damage.
            let octets = [a, b, c, d];
            let Some(text) = web::strict(Web::GB18030, &octets) else {
                return sink.malformed(4, NO_CHARACTER);
            };
            sink.text.push_str(&text);
            4
        }
        [_, _] | [_, _, 0x81..=0xFE] if !last => 0,
        _ => sink.malformed(1, NO_CHARACTER),
    }
}

/// Replaces the longest prefix that could be one character of `length` octets.
fn replace_cut(length: usize, input: &[u8], sink: &mut Sink<'_>) -> usize {
    let follow = input.iter().skip(1).take(length - 1);
    let cut = 1 + follow
        .take_while(|octet| matches!(octet, 0xA1..=0xFE))
        .count();
    let what = if cut < length {
        "part of a character"
    } else {
        NO_CHARACTER
    };
    sink.malformed(cut, what)
}
