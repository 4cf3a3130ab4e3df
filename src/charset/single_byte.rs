//! Single-byte charsets: ISO/IEC 8859, the code pages of Microsoft, IBM and Apple, KOI8, EBCDIC,
//! the national versions of ISO 646, and the rest of the registry.
//!
//! One codec decodes all these charsets with a table of 256 cells. The tables are text in
//! `tables/`, where each set is stored as its differences from another. A set is expanded at first
//! use.
//!
//! If a superset is in common use, as windows-1252 is for ISO-8859-1, the set has a second form.
//! Decoding a cell in which the two differ gives a finding, once per text. Only the second form of
//! KOI8-U is not a superset: see `tables/cyrillic.txt`.

#![expect(
    clippy::inline_always,
    reason = "code on blocks is compiled for the processor only if inlined"
)]

use std::sync::OnceLock;

use super::codec::{Codec, SHORT, Sink};
use super::tables::{self, Base, SINGLE_BYTE, SINGLE_BYTE_COUNT, UNASSIGNED};
use super::usage::{PractisedOctets, Usage};
use super::web;
use crate::report::Kind;
use crate::vector::{self, Aligned, BLOCK, Machine, Task};

/// A single-byte set, by its index in the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SingleByte(u16);

impl SingleByte {
    /// The set of this name in `tables/`; an unknown name fails the build.
    #[expect(clippy::panic, reason = "runs at compile time")]
    pub(super) const fn named(name: &str) -> Self {
        match SingleByte::find(name.as_bytes()) {
            Some(set) => set,
            None => panic!("no set of this name without the feature `legacy`"),
        }
    }

    /// [`named`](SingleByte::named); `None` if the set needs the feature `legacy`.
    pub(super) const fn find(name: &[u8]) -> Option<Self> {
        match tables::single_byte(name) {
            Some(place) => Some(SingleByte(place)),
            None => None,
        }
    }

    /// Whether the octets 00 to 7F are ASCII.
    pub(super) fn is_ascii_superset(self) -> bool {
        self.table().is_ascii_superset
    }

    /// Whether any octet above 7F is a character of ASCII.
    pub(super) fn has_ascii_above(self) -> bool {
        let table = self.read(Usage::AsPractised).table();
        let mut above = (0x80..=0xFF).filter_map(|octet| table.character(octet));
        above.any(|character| character.is_ascii())
    }

    /// Whether no octet above 7F is a character.
    pub(super) fn is_seven_bit(self) -> bool {
        self.table().is_seven_bit
    }

    /// The form of the set for `usage`.
    pub(super) fn read(self, usage: Usage) -> Self {
        let next = SingleByte(self.0 + 1);
        match SINGLE_BYTE.sets.get(usize::from(next.0)) {
            Some(form) if form.practised && usage == Usage::AsPractised => next,
            _ => self,
        }
    }

    pub(super) fn table(self) -> &'static ByteTable {
        static TABLES: PerSet<ByteTable> = PerSet::new();
        TABLES.get(self, || ByteTable::new(self))
    }

    /// The character of each octet, U+FFFD if unassigned.
    #[cfg(feature = "detect")]
    pub(super) fn characters(self) -> [char; 256] {
        self.cells().map(|cell| {
            let character = char::from_u32(u32::from(cell)).filter(|_| cell != UNASSIGNED);
            character.unwrap_or(char::REPLACEMENT_CHARACTER)
        })
    }

    /// The code point of each octet, [`UNASSIGNED`] if it has no character.
    fn cells(self) -> [u16; 256] {
        let mut cells = [UNASSIGNED; 256];
        let Some(set) = SINGLE_BYTE.sets.get(usize::from(self.0)) else {
            return cells;
        };
        let same = match set.base {
            Base::Ascii => 0x80,
            Base::Controls => 0xA0,
            Base::Latin1 => 0x100,
            Base::Set(base) => {
                cells = SingleByte(base).cells();
                0
            }
        };
        for (cell, octet) in cells.iter_mut().take(same).zip(0..) {
            *cell = octet;
        }
        let mut words = SINGLE_BYTE
            .words
            .get(usize::from(set.start)..usize::from(set.end))
            .unwrap_or_default();
        while let Some((&head, rest)) = words.split_first() {
            let [octet, further] = head.to_be_bytes();
            let (run, rest) = rest.split_at(rest.len().min(usize::from(further) + 1));
            for (cell, &word) in cells.iter_mut().skip(usize::from(octet)).zip(run) {
                *cell = word;
            }
            words = rest;
        }
        cells
    }
}

/// A value for each set, computed at first use.
pub(super) struct PerSet<T>([OnceLock<Box<T>>; SINGLE_BYTE_COUNT]);

impl<T> PerSet<T> {
    pub(super) const fn new() -> Self {
        PerSet([const { OnceLock::new() }; SINGLE_BYTE_COUNT])
    }

    pub(super) fn get(&'static self, set: SingleByte, make: impl FnOnce() -> T) -> &'static T {
        // A set is only made from a valid name.
        let place = usize::from(set.0).min(SINGLE_BYTE_COUNT - 1);
        let place = self.0.get(place).unwrap_or(&self.0[0]);
        place.get_or_init(|| Box::new(make()))
    }
}

/// The codec for `set`.
pub(super) fn codec(set: SingleByte, usage: Usage, jis_roman_as_ascii: bool) -> SingleByteCodec {
    const JIS_ROMAN: SingleByte = SingleByte::named("JIS_C6220-1969-ro");
    const ASCII: SingleByte = SingleByte::named("US-ASCII");
    let set = match set {
        JIS_ROMAN if jis_roman_as_ascii => ASCII,
        _ => set.read(usage),
    };
    SingleByteCodec {
        table: set.table(),
        practised: PractisedOctets::default(),
    }
}

/// An expanded set.
pub(super) struct ByteTable {
    /// For each octet its character in UTF-8, first octet lowest. The top octet has the length, 0 if
    /// unassigned, and the marks.
    cells: [u32; 256],
    is_ascii_superset: bool,
    is_seven_bit: bool,
}

/// Marks a cell in which the practised set differs from the registered one.
const PRACTISED_ONLY: u32 = 0x8000_0000;

/// Text up to this length, such as a personal name, gets a buffer so small that clearing all of it
/// is cheap.
const WORD: usize = 12;

pub(super) const UNASSIGNED_OCTET: &str = "octet that the charset leaves unassigned";

/// Marks an unassigned cell.
const MISSING: u32 = 0x4000_0000;

impl ByteTable {
    fn new(set: SingleByte) -> Self {
        let own = set.cells();
        let registered = match SINGLE_BYTE.sets.get(usize::from(set.0)) {
            Some(form) if form.practised => SingleByte(set.0.saturating_sub(1)).cells(),
            _ => own,
        };
        let mut cells = [MISSING; 256];
        for ((cell, scalar), registered) in cells.iter_mut().zip(own).zip(registered) {
            if scalar == UNASSIGNED {
                continue;
            }
            if let Some(character) = char::from_u32(u32::from(scalar)) {
                let mut octets = [0; 4];
                let length = character.encode_utf8(&mut octets).len();
                *cell = u32::from_le_bytes(octets);
                *cell |= u32::try_from(length).unwrap_or_default() << 24;
            }
            if scalar != registered {
                *cell |= PRACTISED_ONLY;
            }
        }
        let is_ascii_superset = own.iter().take(0x80).zip(0..).all(|(a, b)| *a == b);
        let is_seven_bit = own.iter().skip(0x80).all(|scalar| *scalar == UNASSIGNED);
        ByteTable {
            cells,
            is_ascii_superset,
            is_seven_bit,
        }
    }

    /// The character of an octet.
    pub(super) fn character(&self, octet: u8) -> Option<char> {
        let cell = self.cell(octet);
        let [octets @ .., _] = cell.to_le_bytes();
        let text = std::str::from_utf8(octets.get(..length(cell))?).ok()?;
        text.chars().next()
    }

    /// Whether only the practised set maps the octet this way.
    pub(super) fn is_practised_only(&self, octet: u8) -> bool {
        self.cell(octet) & PRACTISED_ONLY != 0
    }

    /// The UTF-8, first octet lowest, and length of an octet's character.
    #[inline]
    pub(super) fn text(&self, octet: u8) -> Option<(u32, usize)> {
        let cell = self.cell(octet);
        (cell & MISSING == 0).then_some((cell & 0x00FF_FFFF, length(cell)))
    }

    #[inline]
    fn cell(&self, octet: u8) -> u32 {
        self.cells
            .get(usize::from(octet))
            .copied()
            .unwrap_or(MISSING)
    }

    /// Fills `buffer` with the text of the first `length` of `octets`: a short one by words, a longer
    /// one by blocks with the best available instructions. Returns the text's length and the combined
    /// marks of all cells.
    fn fill<const SIZE: usize>(
        &self,
        octets: &[u8],
        length: usize,
        buffer: &mut [u8; SIZE],
    ) -> (usize, u32) {
        let mut fill = Fill {
            table: self,
            octets,
            length,
            buffer,
            filled: 0,
            marks: 0,
        };
        if length <= SHORT {
            fill.words(octets.get(..length).unwrap_or_default());
            return (fill.filled, fill.marks);
        }
        vector::run(fill)
    }
}

/// Fills a buffer with the text of the first `length` of `octets`.
struct Fill<'t, const SIZE: usize> {
    table: &'t ByteTable,
    octets: &'t [u8],
    length: usize,
    buffer: &'t mut [u8; SIZE],
    /// The length of the text so far.
    filled: usize,
    /// The combined marks of all cells so far.
    marks: u32,
}

impl<const SIZE: usize> Task for Fill<'_, SIZE> {
    type Output = (usize, u32);

    #[inline(always)]
    fn run(mut self, machine: impl Machine) -> (usize, u32) {
        /// If a block has more octets above 7F than this, it is faster to decode each octet than to
        /// copy the ASCII between them.
        const FEW: u32 = 16;
        let mut at = 0;
        while at < self.length {
            let rest = self.octets.get(at..).unwrap_or_default();
            let count = BLOCK.min(self.length - at);
            let block = rest.get(..count).unwrap_or_default();
            // `None` unless two whole blocks follow.
            let high = rest
                .first_chunk()
                .and_then(|ahead| Some((ahead, machine.top_bits(ahead.first_chunk()?))))
                .filter(|_| count == BLOCK);
            match high {
                Some((ahead, high)) if self.table.is_ascii_superset && high.count_ones() <= FEW => {
                    self.between(ahead, high);
                }
                None => self.words(block),
                _ => {
                    for &octet in block {
                        self.cell(octet);
                    }
                }
            }
            at += count;
        }
        (self.filled, self.marks)
    }
}

impl<const SIZE: usize> Fill<'_, SIZE> {
    /// Copies the first block of `ahead` and decodes its `high` octets. After each decoded octet a
    /// whole block is copied; the next copy overwrites the excess.
    #[inline(always)]
    fn between(&mut self, ahead: &[u8; 2 * BLOCK], mut high: u64) {
        let mut done = 0;
        loop {
            let from = ahead.get(done..).and_then(<[u8]>::first_chunk::<BLOCK>);
            if let (Some(place), Some(from)) = (self.place(), from) {
                *place = *from;
            }
            if high == 0 {
                break;
            }
            let at = high.trailing_zeros() as usize;
            high &= high - 1;
            self.filled += at - done;
            done = at + 1;
            self.cell(ahead.get(at).copied().unwrap_or_default());
        }
        self.filled += BLOCK - done;
    }

    /// Decodes by words of eight octets. After an octet above 7F the rest of its word is stored
    /// again from the register. It would be slower to read back octets that were just stored: for a
    /// short text, that would be most of the work.
    #[inline]
    fn words(&mut self, octets: &[u8]) {
        let (words, rest) = octets.as_chunks::<8>();
        let (words, rest) = if self.table.is_ascii_superset {
            (words, rest)
        } else {
            (&[][..], octets)
        };
        for word in words {
            let (mut word, mut left) = (u64::from_le_bytes(*word), 8);
            loop {
                if let Some(place) = self.place() {
                    *place = word.to_le_bytes();
                }
                let high = word & 0x8080_8080_8080_8080;
                if high == 0 {
                    self.filled += left;
                    break;
                }
                let at = high.trailing_zeros() / 8;
                self.filled += at as usize;
                let [octet, ..] = (word >> (8 * at)).to_le_bytes();
                self.cell(octet);
                // Two shifts, since a shift by all 64 bits would overflow.
                word = word >> (8 * at) >> 8;
                left -= at as usize + 1;
            }
        }
        for &octet in rest {
            self.cell(octet);
        }
    }

    /// Stores four octets; the next cell overwrites the excess. This is faster than an unpredictable
    /// branch on the length.
    #[inline(always)]
    fn cell(&mut self, octet: u8) {
        let cell = self.table.cell(octet);
        if let Some(place) = self.place() {
            *place = cell.to_le_bytes();
        }
        self.filled += length(cell);
        self.marks |= cell;
    }

    /// The next octets of the buffer.
    #[inline(always)]
    fn place<const N: usize>(&mut self) -> Option<&mut [u8; N]> {
        self.buffer.get_mut(self.filled..)?.first_chunk_mut()
    }
}

/// The number of octets of UTF-8 in a cell.
#[inline]
fn length(cell: u32) -> usize {
    usize::from(cell.to_be_bytes()[0] & 3)
}

/// A set, and the octets that only its practised form decodes this way.
#[derive(Clone)]
pub(super) struct SingleByteCodec {
    table: &'static ByteTable,
    practised: PractisedOctets,
}

impl SingleByteCodec {
    fn note_practised_only(&mut self, octets: &[u8], base: usize) {
        let table = self.table;
        for (octet, offset) in octets.iter().zip(base..) {
            if table.is_practised_only(*octet) {
                self.practised.add(offset, 1);
            }
        }
    }

    /// Decodes octets that include an unassigned one.
    fn decode_with_unassigned(&self, octets: &[u8], base: usize, sink: &mut Sink<'_>) {
        for (&octet, offset) in octets.iter().zip(base..) {
            match self.table.character(octet) {
                Some(character) => sink.text.push(character),
                None => sink.replace(Kind::Malformed, offset, 1, UNASSIGNED_OCTET),
            }
        }
    }
}

impl SingleByteCodec {
    /// Decodes `CHUNK` octets at a time, in a buffer of `SIZE` octets: room for three times `CHUNK`
    /// octets, and for the excess of the last copy.
    fn read<const CHUNK: usize, const SIZE: usize>(&mut self, input: &[u8], sink: &mut Sink<'_>) {
        let Aligned(buffer) = &mut Aligned([0; SIZE]);
        let mut at = 0;
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            let chunk = rest.get(..CHUNK).unwrap_or(rest);
            let base = sink.base + at;
            let (filled, marks) = self.table.fill(rest, chunk.len(), buffer);
            if marks & PRACTISED_ONLY != 0 {
                self.note_practised_only(chunk, base);
            }
            match web::utf8_in(buffer, filled) {
                Some(text) if marks & MISSING == 0 => sink.text.push_str(text),
                _ => self.decode_with_unassigned(chunk, base, sink),
            }
            at += chunk.len();
        }
    }
}

impl Codec for SingleByteCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        // A subject gets a small buffer, and its text is allocated once its length is known.
        if input.len() <= WORD {
            self.read::<WORD, { 4 * WORD }>(input, sink);
        } else if input.len() <= SHORT {
            self.read::<SHORT, 352>(input, sink);
        } else {
            // About one letter in ten of Latin text takes two octets.
            sink.text.reserve(input.len() + input.len() / 8);
            self.read::<512, 1600>(input, sink);
        }
        if last {
            self.practised.report(sink.report);
        }
        input.len()
    }
}

/// The octet from 80 to 9F of a character in windows-1252, if it has one.
pub(crate) fn windows_1252_octet(character: char) -> Option<u8> {
    /// 80 to 9F; where Microsoft defines none, the control of ISO 6429.
    const HIGH: &str = "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ";
    let mut high = (0x80..).zip(HIGH.chars());
    Some(high.find(|(_, high)| *high == character)?.0)
}

#[cfg(test)]
mod tests {
    use super::{Fill, MISSING, PRACTISED_ONLY, SINGLE_BYTE, SingleByte, UNASSIGNED};
    #[cfg(feature = "detect")]
    use crate::Charset;
    use crate::charset::usage::Usage;
    use crate::vector::{self, BLOCK, Portable, Task as _};

    #[test]
    fn every_practised_form_follows_its_set() {
        for (place, form) in (0..).zip(&SINGLE_BYTE.sets) {
            if form.practised {
                let set = SingleByte(place - 1);
                assert_eq!(set.read(Usage::AsPractised), SingleByte(place));
                assert_eq!(set.read(Usage::AsRegistered), set);
            }
        }
    }

    /// `characters` and the decoder agree.
    #[test]
    #[cfg(feature = "detect")]
    fn characters_match_the_decoder() {
        let mut sets = 0;
        for charset in Charset::all() {
            let Some(characters) = charset.characters() else {
                continue;
            };
            sets += 1;
            for (octet, character) in (0..=u8::MAX).zip(characters) {
                let octets = [octet];
                let decoded = charset.decode(&octets).into_text();
                assert_eq!(decoded, character.to_string(), "{charset} {octet:02X}");
            }
        }
        assert!(sets > 40, "{sets}");
    }

    #[test]
    fn the_tables_stay_small() {
        let octets = size_of_val(&SINGLE_BYTE.words) + size_of_val(&SINGLE_BYTE.sets);
        assert!(octets < 27 * 1024, "{octets}");
    }

    /// Blocks and single octets decode to the same text, at every offset in a block, for all
    /// lengths, on every machine.
    #[test]
    fn blocks_match_their_octets() {
        const SIZE: usize = 4 * 1024;
        let table = SingleByte::named("windows-1252").table();
        let high = [0x80, 0x81, 0x8A, 0xA0, 0xE9, 0xFF];
        let ascii = |at: usize| b' ' + u8::try_from(at * 7 % 95).unwrap();
        let check = |octets: &[u8], length: usize| {
            let cells = octets.iter().take(length).map(|&octet| table.cell(octet));
            let text: Vec<u8> = cells
                .clone()
                .flat_map(|cell| cell.to_le_bytes().into_iter().take(super::length(cell)))
                .collect();
            let marks = cells.fold(0, |marks, cell| marks | cell) & (MISSING | PRACTISED_ONLY);
            let of = |machine: bool| {
                let mut buffer = [0; SIZE];
                let fill = Fill {
                    table,
                    octets,
                    length,
                    buffer: &mut buffer,
                    filled: 0,
                    marks: 0,
                };
                let (filled, marks) = if machine {
                    vector::run(fill)
                } else {
                    fill.run(Portable)
                };
                (
                    buffer[..filled].to_vec(),
                    marks & (MISSING | PRACTISED_ONLY),
                )
            };
            assert_eq!(of(false), (text.clone(), marks), "{octets:02X?}, {length}");
            assert_eq!(of(true), (text, marks), "{octets:02X?}, {length}");
        };
        for length in 0..=3 * BLOCK + 2 {
            let mut octets: Vec<u8> = (0..length).map(ascii).collect();
            check(&octets, length);
            for one in (0..length).step_by(5) {
                for (distance, octet) in (1..).zip(high) {
                    let other = one + distance * distance;
                    let before = octets.clone();
                    octets[one] = octet;
                    if let Some(next) = octets.get_mut(other) {
                        *next = high[distance % high.len()];
                    }
                    check(&octets, length);
                    octets = before;
                }
            }
        }
        // The limit: sixteen in a block are few, seventeen are many.
        for count in 15..=18 {
            for first in [0, 1, 30, 46] {
                let is_high = |at: usize| (first..first + count).contains(&(at % BLOCK));
                let octets: Vec<u8> = (0..5 * BLOCK)
                    .map(|at| {
                        if is_high(at) {
                            high[at % high.len()]
                        } else {
                            ascii(at)
                        }
                    })
                    .collect();
                for length in [2 * BLOCK, 3 * BLOCK + 7, 5 * BLOCK] {
                    check(&octets, length);
                }
            }
        }
    }

    #[test]
    fn a_cell_without_a_character_has_none() {
        let greek = SingleByte::named("ISO-8859-7");
        assert_eq!(greek.cells()[0xFF], UNASSIGNED);
        assert_eq!(greek.table().character(0xFF), None);
        assert_eq!(greek.table().character(0xE1), Some('α'));
    }
}
