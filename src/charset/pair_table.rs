//! Tables of characters by pairs of octets.
//!
//! Used for the sets of 94 by 94 between which ISO 2022 switches, and for charsets with pairs above
//! ASCII. Most come from the decoders of the Encoding Standard, corrected where mail differs. A row
//! is filled when the first of its pairs is looked up: a short message needs few rows of a charset
//! with up to 24,000 pairs. Once the row is filled, a lookup is one index.

use std::ops::RangeInclusive;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::usage::Usage;
use super::web::{self, Web};

/// Maps pairs of octets to characters.
pub(super) struct Table {
    leads: RangeInclusive<u8>,
    trails: RangeInclusive<u8>,
    /// The UTF-8 of each character, first octet lowest, or 0 if unassigned. There are 256 cells per
    /// lead octet, and all lead octets of a table have the same eighth bit. Values from
    /// [`FIRST_SEQUENCE`] on, which is never UTF-8, are sequence numbers.
    cells: Vec<AtomicU32>,
    /// Sequences of two characters, which need more than four octets of UTF-8.
    sequences: Vec<[char; 2]>,
    source: PairSource,
    /// A bit for each row of the source that may not have been filled yet; the first row has the lowest
    /// bit of the first number.
    unfilled: [AtomicU32; 4],
}

/// A table built at first use.
pub(super) type LazyTable = LazyLock<Table>;

/// The tables of a set or charset, one per usage.
pub(super) struct ReadingTables {
    pub(super) practised: LazyTable,
    pub(super) registered: LazyTable,
}

impl ReadingTables {
    pub(super) fn of(&self, usage: Usage) -> &Table {
        match usage {
            Usage::AsPractised => &self.practised,
            Usage::AsRegistered => &self.registered,
        }
    }
}

/// The first cell value that is the number of a sequence.
pub(super) const FIRST_SEQUENCE: u32 = 0xFF00_0000;

/// The source of pairs that were not set explicitly.
enum PairSource {
    Nothing,
    /// A decoder of the Encoding Standard: pairs with the eighth bits of both octets set or unchanged,
    /// optionally after another octet.
    Web {
        web: Web,
        before: Option<u8>,
        eighth_bits: u8,
    },
    /// A function from pairs to characters.
    Rule(fn(u8, u8) -> Option<char>),
}

impl Table {
    /// A table without characters.
    pub(super) fn empty(leads: RangeInclusive<u8>, trails: RangeInclusive<u8>) -> Table {
        Table {
            cells: std::iter::repeat_with(AtomicU32::default)
                .take(0x80 << 8)
                .collect(),
            sequences: Vec::new(),
            source: PairSource::Nothing,
            unfilled: Default::default(),
            leads,
            trails,
        }
    }

    /// A table from a decoder of the Encoding Standard: all pairs that are one character.
    pub(super) fn from_web(
        web: Web,
        leads: RangeInclusive<u8>,
        trails: RangeInclusive<u8>,
    ) -> Table {
        Table::empty(leads, trails).with_source(PairSource::Web {
            web,
            before: None,
            eighth_bits: 0,
        })
    }

    /// A set of octets 21 to 7E, from pairs with their eighth bits set in a decoder of the Encoding
    /// Standard, optionally after another octet.
    pub(super) fn set_of_web(web: Web, before: Option<u8>) -> Table {
        Table::empty(GRAPHIC, GRAPHIC).with_source(PairSource::Web {
            web,
            before,
            eighth_bits: 0x80,
        })
    }

    /// A table from a function.
    pub(super) fn from_rule(
        leads: RangeInclusive<u8>,
        trails: RangeInclusive<u8>,
        rule: fn(u8, u8) -> Option<char>,
    ) -> Table {
        Table::empty(leads, trails).with_source(PairSource::Rule(rule))
    }

    fn with_source(self, source: PairSource) -> Table {
        let unfilled = [const { AtomicU32::new(u32::MAX) }; 4];
        Table {
            source,
            unfilled,
            ..self
        }
    }

    /// Whether `octet` is in the range of lead octets.
    pub(super) fn has_lead(&self, octet: u8) -> bool {
        self.leads.contains(&octet)
    }

    /// All pairs, in order.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let trails = self.trails.clone();
        self.leads
            .clone()
            .flat_map(move |lead| trails.clone().map(move |trail| (lead, trail)))
    }

    /// Sets a pair to one character, to two if the second is not U+0000, or to none if the first is
    /// U+0000. Overrides the source.
    pub(super) fn set(&mut self, lead: u8, trail: u8, characters: [char; 2]) {
        let cell = match characters {
            ['\0', _] => 0,
            [character, '\0'] => utf8_cell(character),
            both => {
                self.sequences.push(both);
                // There is at most one sequence per cell.
                FIRST_SEQUENCE + u32::try_from(self.sequences.len() - 1).unwrap_or_default()
            }
        };
        if cell == 0 {
            // Fill the row first: otherwise the source would overwrite the pair later.
            self.fill_row(lead);
        }
        if let Some(place) = self.cells.get_mut(place(lead, trail)) {
            *place.get_mut() = cell;
        }
    }

    /// Sets pairs to one character each: (lead and trail octet, character).
    pub(super) fn with(mut self, corrections: &[(u16, char)]) -> Table {
        for &(pair, character) in corrections {
            let [lead, trail] = pair.to_be_bytes();
            self.set(lead, trail, [character, '\0']);
        }
        self
    }

    /// Removes every pair except those that `is_kept` accepts.
    pub(super) fn only(mut self, is_kept: impl Fn(u8, u8) -> bool) -> Table {
        for (lead, trail) in self.pairs() {
            if !is_kept(lead, trail) {
                self.set(lead, trail, ['\0'; 2]);
            }
        }
        self
    }

    /// The same table with the eighth bits of both octets set.
    pub(super) fn shifted(&self) -> Table {
        let shift = |octets: &RangeInclusive<u8>| octets.start() | 0x80..=octets.end() | 0x80;
        Table::empty(shift(&self.leads), shift(&self.trails)).with_copy(self, shifted)
    }

    /// Copies the characters of `other`, each to the pair that `place` returns.
    pub(super) fn with_copy(mut self, other: &Table, place: impl Fn(u8, u8) -> (u8, u8)) -> Table {
        for (lead, trail) in other.pairs() {
            if let Some(characters) = other.get(lead, trail) {
                let (lead, trail) = place(lead, trail);
                self.set(lead, trail, characters);
            }
        }
        self
    }

    /// Sets the cells of a text table: each row has its first pair, then code points, ranges `a..b`,
    /// sequences `a+b`, and `-` or `-*n` to skip one or `n` cells.
    pub(super) fn with_overlay(mut self, text: &str) -> Table {
        for line in text.lines() {
            let Some((first, cells)) = line.split_once('\t') else {
                continue;
            };
            let [lead, trail] = u16::from_str_radix(first, 16).unwrap_or(0).to_be_bytes();
            let mut trails = trail..=*self.trails.end();
            for cell in cells.split(' ') {
                if let Some(left_alone) = cell.strip_prefix('-') {
                    let count = left_alone.strip_prefix('*').map_or(Ok(1), str::parse);
                    for _ in 0..count.unwrap_or(0) {
                        trails.next();
                    }
                } else if let Some((from, to)) = cell.split_once("..") {
                    for (character, trail) in (scalar(from)..=scalar(to)).zip(trails.by_ref()) {
                        self.set(lead, trail, [character, '\0']);
                    }
                } else if let Some(trail) = trails.next() {
                    let (base, mark) = cell.split_once('+').unwrap_or((cell, "0"));
                    self.set(lead, trail, [scalar(base), scalar(mark)]);
                }
            }
        }
        self
    }

    /// The cell of a pair: the UTF-8 of its character, a sequence number, or 0. It is 0 if the pair is
    /// unassigned or its row has not been filled; [`get`](Table::get) fills the row.
    #[inline]
    pub(super) fn cell(&self, lead: u8, trail: u8) -> u32 {
        let cell = self.cells.get(place(lead, trail));
        cell.map_or(0, |cell| cell.load(Ordering::Relaxed))
    }

    /// Fills a row from the source, unless already filled. If two threads fill a row at once, they
    /// write the same values.
    fn fill_row(&self, lead: u8) {
        let row = lead & 0x7F;
        let Some(unfilled) = self.unfilled.get(usize::from(row / 32)) else {
            return;
        };
        let bit = 1 << (row % 32);
        // Acquire: a thread that sees the row as filled also sees its cells.
        if unfilled.load(Ordering::Acquire) & bit == 0 {
            return;
        }
        // All lead octets of a table have the same eighth bit.
        let lead = row | self.leads.start() & 0x80;
        if self.leads.contains(&lead) {
            match self.source {
                PairSource::Nothing => {}
                PairSource::Rule(rule) => {
                    for trail in self.trails.clone() {
                        self.fill(lead, trail, rule(lead, trail));
                    }
                }
                PairSource::Web {
                    web,
                    before,
                    eighth_bits,
                } => self.fill_from_web(web, before, eighth_bits, lead),
            }
        }
        unfilled.fetch_and(!bit, Ordering::Release);
    }

    /// Fills a row from a decoder of the Encoding Standard.
    fn fill_from_web(&self, web: Web, before: Option<u8>, eighth_bits: u8, lead: u8) {
        let mut input = Vec::with_capacity(4 * 256);
        for trail in self.trails.clone() {
            input.extend(before);
            // No pair contains a line feed, so a line feed ends any malformed pair.
            input.extend([lead | eighth_bits, trail | eighth_bits, b'\n']);
        }
        let text = web::lossy(web, &input);
        // The separator is an array so that it is compared with each character. A `char` would be
        // searched for, which is faster only in longer lines.
        let lines = text.split(['\n']);
        for (trail, line) in self.trails.clone().zip(lines) {
            let mut characters = line.chars();
            let first = characters.next();
            // If there are two characters, they are one per octet, or one of the four sequences of
            // Big5.
            let only = first.filter(|_| characters.next().is_none());
            let character = only.filter(|only| *only != char::REPLACEMENT_CHARACTER);
            self.fill(lead, trail, character);
        }
    }

    /// Sets a pair from its source, unless it was set explicitly.
    fn fill(&self, lead: u8, trail: u8, character: Option<char>) {
        let cell = self.cells.get(place(lead, trail));
        if let Some((cell, character)) = cell.zip(character)
            && cell.load(Ordering::Relaxed) == 0
        {
            cell.store(utf8_cell(character), Ordering::Relaxed);
        }
    }

    /// The one or two characters of a pair. If there is only one, the second is U+0000.
    pub(super) fn get(&self, lead: u8, trail: u8) -> Option<[char; 2]> {
        if !self.leads.contains(&lead) {
            return None;
        }
        let cell = match self.cell(lead, trail) {
            0 => {
                self.fill_row(lead);
                self.cell(lead, trail)
            }
            cell => cell,
        };
        if let Some(number) = cell.checked_sub(FIRST_SEQUENCE) {
            return self.sequences.get(number as usize).copied();
        }
        let octets = cell.to_le_bytes();
        let text = std::str::from_utf8(octets.get(..length(cell))?).ok()?;
        text.chars().next().map(|character| [character, '\0'])
    }

    /// Appends the characters of a pair to `text`; returns `false` if it has none.
    pub(super) fn put(&self, lead: u8, trail: u8, text: &mut String) -> bool {
        match self.get(lead, trail) {
            Some([character, '\0']) => text.push(character),
            Some(both) => text.extend(both),
            None => return false,
        }
        true
    }
}

/// The octets of a set of 94 by 94.
pub(super) const GRAPHIC: RangeInclusive<u8> = 0x21..=0x7E;

/// A pair with the eighth bits of both octets set.
pub(super) fn shifted(lead: u8, trail: u8) -> (u8, u8) {
    (lead | 0x80, trail | 0x80)
}

fn place(lead: u8, trail: u8) -> usize {
    usize::from(lead & 0x7F) << 8 | usize::from(trail)
}

/// A character in UTF-8, first octet lowest.
pub(super) fn utf8_cell(character: char) -> u32 {
    let mut octets = [0; 4];
    character.encode_utf8(&mut octets);
    u32::from_le_bytes(octets)
}

/// The number of octets of UTF-8 in a cell, which is never U+0000.
#[inline]
pub(super) fn length(cell: u32) -> usize {
    4 - cell.leading_zeros() as usize / 8
}

/// Parses a hexadecimal code point. Returns U+0000, which no cell has, for anything else.
pub(super) fn scalar(hex: &str) -> char {
    u32::from_str_radix(hex, 16)
        .ok()
        .and_then(char::from_u32)
        .unwrap_or('\0')
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::super::web::{self, Web};
    use super::Table;

    /// Threads that read the same rows in different orders get the decoder's rows.
    #[test]
    fn threads_read_the_same_rows() {
        let table = Table::from_web(Web::EUC_KR, 0x81..=0xFE, 0x41..=0xFE);
        let pairs: Vec<(u8, u8)> = table.pairs().collect();
        let right = |lead, trail| {
            let pair = [lead, trail];
            let text = web::strict(Web::EUC_KR, &pair)?;
            let mut characters = text.chars();
            characters.next().filter(|_| characters.next().is_none())
        };
        thread::scope(|scope| {
            for turn in [0, 0, 4_000, 9_000] {
                let (table, pairs) = (&table, &pairs);
                scope.spawn(move || {
                    for &(lead, trail) in pairs.iter().cycle().skip(turn).take(pairs.len()) {
                        let character = table.get(lead, trail).map(|[character, _]| character);
                        assert_eq!(character, right(lead, trail), "{lead:02X} {trail:02X}");
                    }
                });
            }
        });
        assert_eq!(table.get(0xB0, 0xA1), Some(['가', '\0']));
    }

    /// A set of 94 by 94 equals the decoder's pairs with the eighth bits set, with and without 8F.
    #[test]
    fn sets_match_the_decoder() {
        // Encoding Standard, indexes jis0208 and jis0212: rows 4 and 9.
        let jisx0208 = Table::set_of_web(Web::EUC_JP, None);
        assert_eq!(jisx0208.get(0x24, 0x22), Some(['あ', '\0']));
        assert_eq!(jisx0208.get(0xA4, 0xA2), None);
        let jisx0212 = Table::set_of_web(Web::EUC_JP, Some(0x8F));
        assert_eq!(jisx0212.get(0x29, 0x21), Some(['Æ', '\0']));
    }

    /// Explicit cells are kept, whether their row was read before or is read later.
    #[test]
    fn explicit_cells_are_kept() {
        let mut table = Table::from_web(Web::EUC_KR, 0x81..=0xFE, 0x41..=0xFE);
        table.set(0xB0, 0xA1, ['x', '\0']);
        table.set(0xB0, 0xA2, ['\0'; 2]);
        assert_eq!(table.get(0xB0, 0xA3), Some(['간', '\0']));
        assert_eq!(table.get(0xB0, 0xA1), Some(['x', '\0']));
        assert_eq!(table.get(0xB0, 0xA2), None);
        table.set(0xB0, 0xA3, ['\0'; 2]);
        assert_eq!(table.get(0xB0, 0xA3), None);
        table.set(0xB1, 0xA1, ['x', '\u{301}']);
        assert_eq!(table.get(0xB1, 0xA2), Some(['괍', '\0']));
        assert_eq!(table.get(0xB1, 0xA1), Some(['x', '\u{301}']));
        let table = table.only(|lead, _| lead == 0xB0).with(&[(0xB1A2, 'y')]);
        assert_eq!(table.get(0xB1, 0xA1), None);
        assert_eq!(table.get(0xB1, 0xA2), Some(['y', '\0']));
        assert_eq!(table.get(0xB0, 0xA1), Some(['x', '\0']));
    }
}
