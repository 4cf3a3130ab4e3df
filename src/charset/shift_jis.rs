//! `Shift_JIS`, and Windows-31J, its usual meaning in mail.

use std::ops::RangeInclusive;

use super::pair_table::{LazyTable, Table};
use super::pairs::{self, PairsCodec};
use super::sets::JISX0208;
use super::usage::Usage;
use super::web::Web;

/// Katakana in A1 to DF and JIS X 0208 in pairs. As practised, with Microsoft's symbols and the NEC and
/// IBM extensions. Octets below 80 are ASCII in both readings, because 5C in paths and addresses means a
/// backslash.
pub(super) fn codec(usage: Usage) -> PairsCodec {
    static REGISTERED: LazyTable =
        LazyTable::new(|| empty().with_copy(&JISX0208.registered, place));
    match usage {
        Usage::AsPractised => microsoft(usage),
        Usage::AsRegistered => codec_of(&REGISTERED),
    }
}

/// [`codec`] with Microsoft's symbols and the NEC and IBM extensions, for either usage.
pub(super) fn microsoft(_usage: Usage) -> PairsCodec {
    static TABLE: LazyTable = LazyTable::new(|| Table::from_web(Web::SHIFT_JIS, LEADS, TRAILS));
    codec_of(&TABLE).with_singles(|octet| match octet {
        0x80 => Some('\u{80}'),
        _ => pairs::katakana(octet),
    })
}

const LEADS: RangeInclusive<u8> = 0x81..=0xFC;
const TRAILS: RangeInclusive<u8> = 0x40..=0xFC;

pub(super) fn empty() -> Table {
    Table::empty(LEADS, TRAILS)
}

/// Katakana, with the pairs of `table` before and after them.
pub(super) fn codec_of(table: &'static Table) -> PairsCodec {
    PairsCodec::new(table)
        .with_singles(pairs::katakana)
        .with_gap(0xA0)
}

/// Two rows per lead octet, which skips the katakana; the trail octet skips 7F (JIS X 0208, annex
/// 1).
pub(super) fn place(row: u8, column: u8) -> (u8, u8) {
    let half = (row - 0x21) / 2;
    let lead = half + if half < 0x1F { 0x81 } else { 0xC1 };
    let trail = match (row % 2, column) {
        (1, ..=0x5F) => column + 0x1F,
        (1, _) => column + 0x20,
        _ => column + 0x7E,
    };
    (lead, trail)
}
