//! JIS X 0213, two planes of characters: EUC-JIS-2004 and `Shift_JIS`-2004.
//!
//! The first plane contains JIS X 0208. The tables have its additions to it, and the second plane.
//! Twenty-five cells are a letter with a combining mark and give two scalar values.

use std::sync::OnceLock;

use super::pair_table::{GRAPHIC, Table};
use super::pairs::{self, Long, PairsCodec};
use super::reading::Reading;
use super::{sets, shift_jis};

/// The first plane, in octets 21 to 7E.
pub(super) fn plane1() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::empty(GRAPHIC, GRAPHIC);
        table.copy(sets::jisx0208(Reading::AsRegistered), |row, cell| {
            (row, cell)
        });
        table.overlay(include_str!("tables/jisx0213-plane1.tsv"));
        table
    })
}

/// The second plane, likewise.
pub(super) fn plane2() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Table::empty(GRAPHIC, GRAPHIC);
        table.overlay(include_str!("tables/jisx0213-plane2.tsv"));
        table
    })
}

/// The first plane in A1 to FE, katakana after 8E, the second plane after 8F.
pub(super) fn euc() -> PairsCodec {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = Table::empty(0x8E..=0xFE, 0xA1..=0xFE);
        table.copy(plane1(), |row, cell| (row | 0x80, cell | 0x80));
        for octet in 0xA1..=0xDF {
            table.set(0x8E, octet, [pairs::katakana(octet).unwrap_or('\0'), '\0']);
        }
        table
    });
    PairsCodec::new(table).with_long(Long::Three(euc_plane2))
}

/// The second plane in octets A1 to FE.
fn euc_plane2() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| plane2().shifted())
}

/// Both planes in the code space of `Shift_JIS`; octets below 80 are ASCII, as there.
pub(super) fn shift_jis() -> PairsCodec {
    static TABLE: OnceLock<Table> = OnceLock::new();
    shift_jis::codec_of(TABLE.get_or_init(|| {
        let mut table = shift_jis::empty();
        table.copy(plane1(), shift_jis::place);
        table.copy(plane2(), |row, cell| {
            // Annex 1: the rows in use, 1, 3 to 5, 8, 12 to 15 and 78 to 94, follow the first
            // plane, each in the half that its parity selects.
            let lead = match row - 0x20 {
                1 | 8 => 0xF0,
                3 | 4 => 0xF1,
                5 | 12 => 0xF2,
                13 | 14 => 0xF3,
                15 | 78 => 0xF4,
                row => (row - 79) / 2 + 0xF5,
            };
            (lead, shift_jis::place(row, cell).1)
        });
        table
    }))
}
