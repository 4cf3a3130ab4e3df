//! EUC-JP, registered as `Extended_UNIX_Code_Packed_Format_for_Japanese`, and CP51932.

use super::pair_table::{LazyTable, Table, shifted};
use super::pairs::{Long, PairsCodec};
use super::sets::{JISX0208, JISX0212};
use super::usage::Usage;
use super::web::Web;

static PRACTISED: LazyTable =
    LazyTable::new(|| Table::from_web(Web::EUC_JP, 0x8E..=0xFE, 0xA1..=0xFE));

/// JIS X 0208 in A1 to FE, katakana after 8E, JIS X 0212 after 8F. As practised, with Microsoft's
/// symbols and the NEC and IBM extensions.
pub(super) fn codec(usage: Usage) -> PairsCodec {
    static REGISTERED: LazyTable = LazyTable::new(|| {
        Table::from_web(Web::EUC_JP, 0x8E..=0xFE, 0xA1..=0xFE)
            .only(|lead, _| lead == 0x8E)
            .with_copy(&JISX0208.registered, shifted)
    });
    let table = match usage {
        Usage::AsPractised => &PRACTISED,
        Usage::AsRegistered => &REGISTERED,
    };
    codec_of(table, usage)
}

/// [`codec`] with Microsoft's symbols and the NEC and IBM extensions, for either usage.
pub(super) fn microsoft(usage: Usage) -> PairsCodec {
    codec_of(&PRACTISED, usage)
}

fn codec_of(table: &'static Table, usage: Usage) -> PairsCodec {
    static PRACTISED_0212: LazyTable = LazyTable::new(|| JISX0212.practised.shifted());
    static REGISTERED_0212: LazyTable = LazyTable::new(|| JISX0212.registered.shifted());
    let jisx0212 = match usage {
        Usage::AsPractised => &PRACTISED_0212,
        Usage::AsRegistered => &REGISTERED_0212,
    };
    PairsCodec::new(table).with_long(Long::Three(jisx0212))
}
