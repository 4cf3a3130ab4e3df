//! Big5, with the extensions of ETEN and of Hong Kong's HKSCS as practised.

use super::pair_table::{LazyTable, ReadingTables, Table};
use super::pairs::PairsCodec;
use super::usage::Usage;
use super::web::Web;

/// As practised, the Encoding Standard's Big5 with HKSCS; as registered, the Big5 of 1984.
pub(super) fn codec(usage: Usage) -> PairsCodec {
    PairsCodec::new(TABLES.of(usage))
}

/// Big5-HKSCS, with the same characters as practised and as registered.
pub(super) fn hkscs(_usage: Usage) -> PairsCodec {
    PairsCodec::new(&TABLES.practised)
}

pub(super) static TABLES: ReadingTables = ReadingTables {
    practised: LazyTable::new(filled),
    registered: LazyTable::new(|| filled().only(is_big5).with(&SYMBOLS)),
};

fn filled() -> Table {
    let mut table = Table::from_web(Web::BIG5, 0x81..=0xFE, 0x40..=0xFE);
    for (trail, letter, mark) in SEQUENCES {
        table.set(0x88, trail, [letter, mark]);
    }
    table
}

/// The pairs of Big5's code space, in order.
pub(super) fn places() -> impl Iterator<Item = (u8, u8)> {
    let trails = || (0x40..=0x7E).chain(0xA1..=0xFE);
    (0xA1..=0xFE).flat_map(move |lead| trails().map(move |trail| (lead, trail)))
}

/// Whether the Big5 of 1984 has a character at this pair: symbols, then the more and less frequent
/// characters.
fn is_big5(lead: u8, trail: u8) -> bool {
    matches!(
        u16::from_be_bytes([lead, trail]),
        0xA140..=0xA3BF | 0xA440..=0xC67E | 0xC940..=0xF9D5
    )
}

/// Trail octets for which the pair with 88 is two characters, a letter and a mark (Encoding
/// Standard, section 12.1.1).
const SEQUENCES: [(u8, char, char); 4] = [
    (0x62, '\u{CA}', '\u{304}'),
    (0x64, '\u{CA}', '\u{30C}'),
    (0xA3, '\u{EA}', '\u{304}'),
    (0xA5, '\u{EA}', '\u{30C}'),
];

/// Symbols that Microsoft's tables map to other characters, and the web's tables with them.
const SYMBOLS: [(u16, char); 11] = [
    (0xA145, '\u{2022}'),
    (0xA14E, '\u{FF64}'),
    (0xA1C2, '\u{203E}'),
    (0xA1E3, '\u{223C}'),
    (0xA1F2, '\u{2641}'),
    (0xA1F3, '\u{2609}'),
    (0xA241, '\u{FF0F}'),
    (0xA242, '\u{FF3C}'),
    (0xA244, '\u{A5}'),
    (0xA246, '\u{A2}'),
    (0xA247, '\u{A3}'),
];
