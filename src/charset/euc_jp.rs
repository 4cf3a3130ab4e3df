//! EUC-JP, registered as `Extended_UNIX_Code_Packed_Format_for_Japanese`, and CP51932.

use super::pair_table::{LazyTable, Table, shifted};
use super::pairs::{Long, PairsCodec};
use super::sets::{JISX0208, JISX0212};
use super::usage::Usage;
use super::web::Web;

/// JIS X 0208 in A1 to FE, katakana after 8E, JIS X 0212 after 8F. As practised, and always for
/// `microsoft`, with Microsoft's symbols and the NEC and IBM extensions.
pub(super) fn codec(usage: Usage, microsoft: bool) -> PairsCodec {
    static PRACTISED: LazyTable =
        LazyTable::new(|| Table::from_web(Web::EucJp, 0x8E..=0xFE, 0xA1..=0xFE));
    static REGISTERED: LazyTable = LazyTable::new(|| {
        Table::from_web(Web::EucJp, 0x8E..=0xFE, 0xA1..=0xFE)
            .only(|lead, _| lead == 0x8E)
            .with_copy(&JISX0208.registered, shifted)
    });
    static PRACTISED_0212: LazyTable = LazyTable::new(|| JISX0212.practised.shifted());
    static REGISTERED_0212: LazyTable = LazyTable::new(|| JISX0212.registered.shifted());
    let (table, jisx0212) = match usage {
        Usage::AsPractised => (&PRACTISED, &PRACTISED_0212),
        Usage::AsRegistered if microsoft => (&PRACTISED, &REGISTERED_0212),
        Usage::AsRegistered => (&REGISTERED, &REGISTERED_0212),
    };
    PairsCodec::new(table).with_long(Long::Three(jisx0212))
}
