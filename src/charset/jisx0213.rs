//! JIS X 0213, two planes of characters: EUC-JIS-2004 and `Shift_JIS`-2004.
//!
//! The first plane contains JIS X 0208. The tables have its additions, and the second plane.
//! Twenty-five cells are a letter with a combining mark and give two scalar values.

use super::pair_table::{GRAPHIC, LazyTable, Table, shifted};
use super::pairs::{self, Long, PairsCodec};
use super::usage::Usage;
use super::{sets, shift_jis};

/// The first plane, in octets 21 to 7E.
pub(super) static PLANE1: LazyTable = LazyTable::new(|| {
    Table::empty(GRAPHIC, GRAPHIC)
        .with_copy(&sets::JISX0208.registered, |row, cell| (row, cell))
        .with_overlay(include_str!("tables/jisx0213-plane1.tsv"))
});

/// The second plane, in octets 21 to 7E.
pub(super) static PLANE2: LazyTable = LazyTable::new(|| {
    Table::empty(GRAPHIC, GRAPHIC).with_overlay(include_str!("tables/jisx0213-plane2.tsv"))
});

/// The first plane in A1 to FE, katakana after 8E, the second plane after 8F.
pub(super) fn euc(_usage: Usage) -> PairsCodec {
    static TABLE: LazyTable = LazyTable::new(|| {
        let mut table = Table::empty(0x8E..=0xFE, 0xA1..=0xFE).with_copy(&PLANE1, shifted);
        for octet in 0xA1..=0xDF {
            table.set(0x8E, octet, [pairs::katakana(octet).unwrap_or('\0'), '\0']);
        }
        table
    });
    static SECOND: LazyTable = LazyTable::new(|| PLANE2.shifted());
    PairsCodec::new(&TABLE).with_long(Long::Three(&SECOND))
}

/// Both planes in the code space of `Shift_JIS`; octets below 80 are ASCII, as in `Shift_JIS`.
pub(super) fn shift_jis(_usage: Usage) -> PairsCodec {
    static TABLE: LazyTable = LazyTable::new(|| {
        let table = shift_jis::empty().with_copy(&PLANE1, shift_jis::place);
        table.with_copy(&PLANE2, |row, cell| {
            // Annex 1: the rows in use, 1, 3 to 5, 8, 12 to 15 and 78 to 94, follow the first plane,
            // each in the half that its parity selects.
            let lead = match row - 0x20 {
                1 | 8 => 0xF0,
                3 | 4 => 0xF1,
                5 | 12 => 0xF2,
                13 | 14 => 0xF3,
                15 | 78 => 0xF4,
                row => (row - 79) / 2 + 0xF5,
            };
            (lead, shift_jis::place(row, cell).1)
        })
    });
    shift_jis::codec_of(&TABLE)
}
