//! GB 2312, GBK and GB 18030, and two related sets of RFC 1922.
//!
//! As practised, GB2312, GBK and GB18030 are all decoded as GB 18030; as registered, each as its own
//! charset. The mapping is that of GB 18030-2022, as in the Encoding Standard.

use super::pair_table::{LazyTable, Table};
use super::pairs::{Long, PairsCodec};
use super::sets::{GB2312, ISO_IR_165};
use super::usage::Usage;
use super::web::Web;

/// As registered, GB 2312 in octets A1 to FE, without GBK's additions.
pub(super) fn gb2312(usage: Usage) -> PairsCodec {
    static TABLE: LazyTable = LazyTable::new(|| GB2312.registered.shifted());
    match usage {
        Usage::AsPractised => gb18030(usage),
        Usage::AsRegistered => PairsCodec::new(&TABLE),
    }
}

/// ISO-IR-165 in octets A1 to FE (RFC 1922, section 2).
pub(super) fn iso_ir_165(_usage: Usage) -> PairsCodec {
    static TABLE: LazyTable = LazyTable::new(|| ISO_IR_165.shifted());
    PairsCodec::new(&TABLE)
}

/// GB 12345 in octets A1 to FE (RFC 1922, section 2).
#[cfg(feature = "legacy")]
pub(super) fn gb12345(_usage: Usage) -> PairsCodec {
    static TABLE: LazyTable = LazyTable::new(|| super::sets::GB12345.shifted());
    PairsCodec::new(&TABLE)
}

/// GBK. As registered, Microsoft's code page 936: the two-octet characters without GB 18030's
/// additions, and the euro.
pub(super) fn gbk(usage: Usage) -> PairsCodec {
    static TABLE: LazyTable = LazyTable::new(|| {
        let all = two_octets();
        two_octets().only(|lead, trail| is_gbk(&all, lead, trail))
    });
    match usage {
        Usage::AsPractised => gb18030(usage),
        Usage::AsRegistered => PairsCodec::new(&TABLE).with_singles(euro),
    }
}

/// GB 18030, a superset of GBK and GB 2312; as practised with code page 936's euro.
pub(super) fn gb18030(usage: Usage) -> PairsCodec {
    static TABLE: LazyTable = LazyTable::new(two_octets);
    let codec = PairsCodec::new(&TABLE).with_long(Long::Gb18030);
    match usage {
        Usage::AsPractised => codec.with_singles(euro),
        Usage::AsRegistered => codec,
    }
}

/// The euro in code page 936.
fn euro(octet: u8) -> Option<char> {
    (octet == 0x80).then_some('\u{20AC}')
}

fn two_octets() -> Table {
    Table::from_web(Web::GB18030, 0x81..=0xFE, 0x40..=0xFE)
}

/// Whether code page 936 has a pair of GB 18030: not private use, and not added later.
fn is_gbk(all: &Table, lead: u8, trail: u8) -> bool {
    let is_private = matches!(all.get(lead, trail), Some(['\u{E000}'..='\u{F8FF}', _]));
    let is_later = matches!(
        u16::from_be_bytes([lead, trail]),
        0xA2E3
            | 0xA3A0
            | 0xA6D9..=0xA6DF
            | 0xA6EC..=0xA6ED
            | 0xA6F3
            | 0xA8BC
            | 0xA8BF
            | 0xA989..=0xA995
            | 0xFE50..
    );
    !is_private && !is_later
}
