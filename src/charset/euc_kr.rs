//! EUC-KR (RFC 1557) and Unified Hangul Code, its superset by Microsoft (windows-949).

use std::sync::OnceLock;

use super::pair_table::Table;
use super::pairs::PairsCodec;
use super::reading::Reading;
use super::web::Web;

/// UHC as practised, KS X 1001 alone as registered.
pub(super) fn codec(reading: Reading) -> PairsCodec {
    PairsCodec::new(table(reading))
}

fn table(reading: Reading) -> &'static Table {
    static PRACTISED: OnceLock<Table> = OnceLock::new();
    static REGISTERED: OnceLock<Table> = OnceLock::new();
    let practised = || {
        Table::from_web(Web::EucKr, 0x81..=0xFE, 0x41..=0xFE)
            // The postal code mark, added by KS X 1001:2002.
            .with(&[(0xA2E8, '\u{327E}')])
    };
    match reading {
        Reading::AsPractised => PRACTISED.get_or_init(practised),
        Reading::AsRegistered => {
            REGISTERED.get_or_init(|| practised().only(|lead, trail| lead >= 0xA1 && trail >= 0xA1))
        }
    }
}
