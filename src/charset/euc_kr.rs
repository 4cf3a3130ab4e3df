//! EUC-KR (RFC 1557) and Unified Hangul Code, its superset by Microsoft (windows-949).

use super::pair_table::{LazyTable, ReadingTables, Table};
use super::pairs::PairsCodec;
use super::usage::Usage;
use super::web::Web;

/// UHC as practised, KS X 1001 alone as registered.
pub(super) fn codec(usage: Usage) -> PairsCodec {
    static TABLES: ReadingTables = ReadingTables {
        practised: LazyTable::new(practised),
        registered: LazyTable::new(|| practised().only(|lead, trail| lead.min(trail) >= 0xA1)),
    };
    PairsCodec::new(TABLES.of(usage))
}

fn practised() -> Table {
    Table::from_web(Web::EUC_KR, 0x81..=0xFE, 0x41..=0xFE)
        // The postal code mark, added by KS X 1001:2002.
        .with(&[(0xA2E8, '\u{327E}')])
}
