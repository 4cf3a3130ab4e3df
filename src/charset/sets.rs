//! The sets of 94 by 94 characters between which ISO 2022 switches, in octets 21 to 7E.
//!
//! Most are built row by row from a decoder of the Encoding Standard with the same set in A1 to FE.

use super::codec::Sink;
use super::pair_table::{GRAPHIC, LazyTable, ReadingTables, Table};
use super::pairs::{HALF, NO_CHARACTER};
use super::web::Web;
use crate::report::Kind;

pub(super) const ESC: u8 = 0x1B;
pub(super) const SHIFT_OUT: u8 = 0x0E;
pub(super) const SHIFT_IN: u8 = 0x0F;

/// Octets that end ASCII, without and with line ends.
pub(super) const SHIFTS: [u8; 3] = [ESC, SHIFT_OUT, SHIFT_IN];
pub(super) const SHIFTS_AND_LINE_ENDS: [u8; 5] = [ESC, SHIFT_OUT, SHIFT_IN, b'\r', b'\n'];

/// Whether the octets are ASCII without shifts.
pub(super) fn is_plain_ascii(octets: &[u8]) -> bool {
    // An encoded word usually has no shift unless it begins with one.
    let is_shifted = matches!(octets.first(), Some(&(ESC | SHIFT_OUT | SHIFT_IN)));
    !is_shifted && octets.is_ascii() && memchr::memchr3(ESC, SHIFT_OUT, SHIFT_IN, octets).is_none()
}

/// Finding texts for an escape unknown to the charset, and for an octet above 7F.
pub(super) const UNKNOWN_ESCAPE: &str = "unknown escape";
pub(super) const EIGHTH_BIT: &str = "octet above 7F";

/// Reports a text that does not end in ASCII, at offset `end` of the input.
pub(super) fn report_shifted_end(is_shifted: bool, end: usize, sink: &mut Sink<'_>) {
    if is_shifted {
        let detail = "the text does not end in ASCII";
        sink.report.add_in_octets(Kind::ShiftedEnd, end, 0, detail);
    }
}

/// JIS X 0208.
///
/// As practised, with Microsoft's symbols and the NEC and IBM extensions in rows 13 and 89 to 92.
/// As registered, without them.
pub(super) static JISX0208: ReadingTables = ReadingTables {
    practised: LazyTable::new(|| Table::set_of_web(Web::EUC_JP, None)),
    registered: LazyTable::new(|| {
        Table::set_of_web(Web::EUC_JP, None)
            .only(|lead, _| matches!(lead, 0x21..=0x28 | 0x30..=0x74))
            .with(&[
                (0x2141, '\u{301C}'),
                (0x2142, '\u{2016}'),
                (0x215D, '\u{2212}'),
                (0x2171, '\u{A2}'),
                (0x2172, '\u{A3}'),
                (0x224C, '\u{AC}'),
            ])
    }),
};

/// JIS X 0212-1990; as practised, with IBM's extension in its last rows as in eucJP-ms and eucJP-open.
pub(super) static JISX0212: ReadingTables = ReadingTables {
    practised: LazyTable::new(|| {
        let ibm = include_str!("tables/ibm-extension.tsv");
        Table::set_of_web(Web::EUC_JP, Some(0x8F)).with_overlay(ibm)
    }),
    registered: LazyTable::new(|| Table::set_of_web(Web::EUC_JP, Some(0x8F))),
};

/// GB 2312.
///
/// As practised, every cell that GBK has in the same octets; as registered, only rows 1 to 9 and 16 to
/// 87, with the two symbols that GBK moved.
pub(super) static GB2312: ReadingTables = ReadingTables {
    practised: LazyTable::new(|| Table::set_of_web(Web::GB18030, None)),
    registered: LazyTable::new(|| {
        let moved = [(0x2124, '\u{30FB}'), (0x212A, '\u{2015}')];
        Table::set_of_web(Web::GB18030, None)
            .only(is_gb2312)
            .with(&moved)
    }),
};

/// Whether GB 2312-80 has a character in this cell.
fn is_gb2312(lead: u8, trail: u8) -> bool {
    match lead {
        0x21 | 0x23 | 0x30..=0x56 | 0x58..=0x77 => true,
        0x22 => matches!(trail, 0x31..=0x62 | 0x65..=0x6E | 0x71..=0x7C),
        0x24 => trail <= 0x73,
        0x25 => trail <= 0x76,
        0x26 => matches!(trail, 0x21..=0x38 | 0x41..=0x58),
        0x27 => matches!(trail, 0x21..=0x41 | 0x51..=0x71),
        0x28 => matches!(trail, 0x21..=0x3A | 0x45..=0x69),
        0x29 => matches!(trail, 0x24..=0x6F),
        0x57 => trail <= 0x79,
        _ => false,
    }
}

/// ISO-IR-165: GB 2312, corrected and extended (GB 6345.1, GB 8565.2).
pub(super) static ISO_IR_165: LazyTable =
    LazyTable::new(|| gb2312_with(include_str!("tables/iso-ir-165.tsv")));

/// GB 12345: traditional characters in the cells of their simplified ones.
#[cfg(feature = "legacy")]
pub(super) static GB12345: LazyTable =
    LazyTable::new(|| gb2312_with(include_str!("tables/gb12345.tsv")));

fn gb2312_with(overlay: &str) -> Table {
    Table::empty(GRAPHIC, GRAPHIC)
        .with_copy(&GB2312.registered, |row, cell| (row, cell))
        .with_overlay(overlay)
}

/// KS X 1001, formerly KS C 5601, with the postal code mark of its 2002 edition, which the Encoding
/// Standard lacks.
pub(super) static KSX1001: LazyTable =
    LazyTable::new(|| Table::set_of_web(Web::EUC_KR, None).with(&[(0x2268, '\u{327E}')]));

/// Decodes a pair of octets 21 to 7E, or reports why it is malformed. Returns the number of octets
/// consumed, 0 if more input is needed.
pub(super) fn pair(table: &Table, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
    match *input {
        [lead, trail @ 0x21..=0x7E, ..] if table.put(lead, trail, sink.text) => 2,
        [_, 0x21..=0x7E, ..] => sink.malformed(2, NO_CHARACTER),
        [_] if !last => 0,
        _ => sink.malformed(1, HALF),
    }
}
