//! EUC-JP, registered as `Extended_UNIX_Code_Packed_Format_for_Japanese`, and CP51932.

use std::sync::OnceLock;

use super::pair_table::Table;
use super::pairs::{Long, PairsCodec};
use super::reading::Reading;
use super::sets;
use super::web::Web;

/// JIS X 0208 in A1 to FE, katakana after 8E, JIS X 0212 after 8F. As practised, and always for
/// `microsoft`, with Microsoft's symbols and the NEC and IBM extensions.
pub(super) fn codec(reading: Reading, microsoft: bool) -> PairsCodec {
    static PRACTISED: OnceLock<Table> = OnceLock::new();
    static REGISTERED: OnceLock<Table> = OnceLock::new();
    let practised = || Table::from_web(Web::EucJp, 0x8E..=0xFE, 0xA1..=0xFE);
    let table = match reading {
        Reading::AsRegistered if !microsoft => REGISTERED.get_or_init(|| {
            let mut table = practised().only(|lead, _| lead == 0x8E);
            table.copy(sets::jisx0208(reading), |row, cell| {
                (row | 0x80, cell | 0x80)
            });
            table
        }),
        _ => PRACTISED.get_or_init(practised),
    };
    let jisx0212 = match reading {
        Reading::AsPractised => jisx0212_as_practised,
        Reading::AsRegistered => jisx0212_as_registered,
    };
    PairsCodec::new(table).with_long(Long::Three(jisx0212))
}

fn jisx0212_as_practised() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| sets::jisx0212(Reading::AsPractised).shifted())
}

fn jisx0212_as_registered() -> &'static Table {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(|| sets::jisx0212(Reading::AsRegistered).shifted())
}
