//! Every charset that this library knows by name, with its decoder.
//!
//! `tables/charsets.txt` lists them. Names, preferred names and `MIBenum` numbers are those of the IANA
//! Character Sets registry (RFC 2978), which is in the public domain. The charsets without a number were
//! never registered, but occur in mail.
//!
//! To add a charset, add a row there and its labels in `tables/labels.txt`. Unless an existing family
//! decodes it, also add a file of its own, a name for it in `family` and an arm in `families.rs`.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "runs at compile time, where a panic is the intended build error"
)]

use super::iso2022::Variant;
#[cfg(feature = "legacy")]
use super::johab;
use super::octet_order::{DeclaredOrder, Order};
use super::pairs::PairsCodec;
use super::single_byte::SingleByte;
use super::usage::Usage;
use super::utf7::Dialect;
use super::{big5, euc_jp, euc_kr, euc_tw, gb, jisx0213, shift_jis, tables};

/// The row of a charset in [`TABLE`].
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    /// The offset of its row.
    row: u16,
    /// The length of its name, with which the row begins.
    name_length: u8,
    /// The `MIBenum` number of the registry, 0 for a charset that was never registered.
    pub(super) mibenum: u16,
    pub(super) family: Family,
}

/// The decoders.
#[derive(Debug, Clone, Copy)]
pub(super) enum Family {
    /// No decoder, with the reason: ASCII is shown, other octets are replaced.
    Undecoded(&'static str),
    Ascii,
    /// A form of Unicode.
    Unicode(UnicodeForm),
    /// A form of Unicode 1.1, whose Hangul has since moved to other code points.
    Unicode11(UnicodeForm),
    /// A table of 256 cells.
    SingleByte(SingleByte),
    /// A table of 256 cells with accents that precede their letters.
    Accents(SingleByte),
    Viqr,
    Tscii,
    /// ASCII and pairs, such as EUC-KR.
    Pairs(fn(Usage) -> PairsCodec),
    EmacsMule,
    Hz,
    /// The scripts of India, with the octet after ATR of the initial script.
    Iscii(u8),
    Iso2022(Variant),
    MacHebrew,
}

/// The forms of Unicode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnicodeForm {
    Bocu1,
    Cesu8,
    Scsu,
    Utf1,
    Utf7(Dialect),
    Utf8,
    Utf16(DeclaredOrder),
    Utf32(DeclaredOrder),
}

/// The number of charsets.
pub(super) const COUNT: usize = 303;

/// All charsets, sorted by name, ignoring case. `tables/README.md` explains the columns.
const TABLE: &str = include_str!("tables/charsets.txt");

/// The rows of [`TABLE`].
pub(super) static ABOUT: [About; COUNT] = {
    let mut entries = [About {
        row: 0,
        name_length: 0,
        mibenum: 0,
        family: Family::Ascii,
    }; COUNT];
    let (mut count, mut at) = (0, 0);
    while let Some(row) = tables::text_row(TABLE, at) {
        let [name, mibenum, decoder, _registered] = row.cells;
        let Ok(mibenum) = u16::from_str_radix(mibenum, 10) else {
            panic!("expected a MIBenum number");
        };
        assert!(name.len() <= u8::MAX as usize);
        entries[count] = About {
            row: row.start as u16,
            name_length: name.len() as u8,
            mibenum,
            family: family(name, decoder),
        };
        count += 1;
        at = row.next;
    }
    assert!(count == COUNT && TABLE.len() <= u16::MAX as usize);
    entries
};

impl About {
    /// The preferred MIME name, or the only name.
    pub(super) const fn name(&self) -> &'static str {
        let (_, row) = TABLE.split_at(self.row as usize);
        row.split_at(self.name_length as usize).0
    }

    /// The name at the head of the charset's registration, if that is not the preferred name.
    pub(super) fn registered_name(&self) -> Option<&'static str> {
        let (line, _) = tables::split_once(TABLE.split_at(self.row as usize).1, b'\n');
        line.split('\t').nth(3)
    }
}

/// The decoder of a charset, from its cell of [`TABLE`].
const fn family(charset: &'static str, decoder: &'static str) -> Family {
    const LEFT_OUT: &str = "this build leaves it out; wanted: the feature `legacy`";
    let (word, detail) = tables::split_once(decoder, b' ');
    let set = if detail.is_empty() { charset } else { detail };
    match word.as_bytes() {
        b"undecoded" => Family::Undecoded(detail),
        b"legacy" if cfg!(not(feature = "legacy")) => Family::Undecoded(LEFT_OUT),
        b"legacy" => family(charset, detail),
        b"single" => match SingleByte::find(set) {
            Some(set) => Family::SingleByte(set),
            None => Family::Undecoded(LEFT_OUT),
        },
        b"accents" => match SingleByte::find(set) {
            Some(set) => Family::Accents(set),
            None => Family::Undecoded(LEFT_OUT),
        },
        b"ascii" => Family::Ascii,
        b"big5" => Family::Pairs(big5::codec),
        b"emacs-mule" => Family::EmacsMule,
        b"euc-jis-2004" => Family::Pairs(jisx0213::euc),
        b"euc-jp" if detail.is_empty() => Family::Pairs(euc_jp::codec),
        b"euc-jp" => Family::Pairs(euc_jp::microsoft),
        b"euc-kr" => Family::Pairs(euc_kr::codec),
        b"euc-tw" => Family::Pairs(euc_tw::codec),
        #[cfg(feature = "legacy")]
        b"gb12345" => Family::Pairs(gb::gb12345),
        b"gb18030" => Family::Pairs(gb::gb18030),
        b"gb2312" => Family::Pairs(gb::gb2312),
        b"gbk" => Family::Pairs(gb::gbk),
        b"hz" => Family::Hz,
        b"iscii" => match u8::from_str_radix(detail, 16) {
            Ok(script) => Family::Iscii(script),
            Err(_) => panic!("expected the octet of a script"),
        },
        b"iso-2022" => Family::Iso2022(variant(detail)),
        b"iso-ir-165" => Family::Pairs(gb::iso_ir_165),
        #[cfg(feature = "legacy")]
        b"johab" => Family::Pairs(johab::codec),
        b"mac-hebrew" => Family::MacHebrew,
        b"shift-jis" if detail.is_empty() => Family::Pairs(shift_jis::codec),
        b"shift-jis" => Family::Pairs(shift_jis::microsoft),
        b"shift-jis-2004" => Family::Pairs(jisx0213::shift_jis),
        b"tscii" => Family::Tscii,
        b"unicode" => Family::Unicode(form(detail)),
        b"unicode-1-1" => Family::Unicode11(form(detail)),
        b"viqr" => Family::Viqr,
        b"big5-hkscs" => Family::Pairs(big5::hkscs),
        _ => panic!("expected a decoder"),
    }
}

const fn variant(name: &str) -> Variant {
    match name.as_bytes() {
        b"cn" => Variant::Cn,
        b"cn-ext" => Variant::CnExt,
        b"jis-x-0201" => Variant::Jisx0201,
        b"jis-x-0208" => Variant::Jisx0208,
        b"jis-x-0212" => Variant::Jisx0212,
        b"jp" => Variant::Jp,
        b"jp-1" => Variant::Jp1,
        b"jp-2" => Variant::Jp2,
        b"jp-2004" => Variant::Jp2004,
        b"kr" => Variant::Kr,
        b"microsoft" => Variant::Microsoft,
        _ => panic!("expected a variant of ISO 2022"),
    }
}

const fn form(name: &str) -> UnicodeForm {
    match name.as_bytes() {
        b"bocu-1" => UnicodeForm::Bocu1,
        b"cesu-8" => UnicodeForm::Cesu8,
        b"scsu" => UnicodeForm::Scsu,
        b"utf-1" => UnicodeForm::Utf1,
        b"utf-7" => UnicodeForm::Utf7(Dialect::Mail),
        b"utf-7-imap" => UnicodeForm::Utf7(Dialect::Imap),
        b"utf-8" => UnicodeForm::Utf8,
        b"utf-16" => UnicodeForm::Utf16(DeclaredOrder::Open),
        b"utf-16-network" => UnicodeForm::Utf16(DeclaredOrder::Network),
        b"utf-16-assumed-le" => UnicodeForm::Utf16(DeclaredOrder::Little),
        b"utf-16be" => UnicodeForm::Utf16(DeclaredOrder::Fixed(Order::Big)),
        b"utf-16le" => UnicodeForm::Utf16(DeclaredOrder::Fixed(Order::Little)),
        b"utf-32" => UnicodeForm::Utf32(DeclaredOrder::Open),
        b"utf-32be" => UnicodeForm::Utf32(DeclaredOrder::Fixed(Order::Big)),
        b"utf-32le" => UnicodeForm::Utf32(DeclaredOrder::Fixed(Order::Little)),
        _ => panic!("expected a form of Unicode"),
    }
}

/// The row of [`ABOUT`] with this name; an unknown name fails the build.
pub(super) const fn row(name: &str) -> u16 {
    let (mut low, mut high) = (0, COUNT);
    while low < high {
        let middle = low.midpoint(high);
        let (_, row) = TABLE.as_bytes().split_at(ABOUT[middle].row as usize);
        if precedes(row, name.as_bytes()) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    let known = ABOUT[low].name().as_bytes();
    assert!(
        tables::equal(known, name.as_bytes()),
        "no charset of this name"
    );
    low as u16
}

/// Whether the name at the start of a row of [`TABLE`] sorts before `name`, ignoring ASCII case.
const fn precedes(row: &[u8], name: &[u8]) -> bool {
    let mut at = 0;
    while at < name.len() && row[at] != b'\t' {
        // Names have common prefixes, and this runs a hundred thousand times at compile time.
        if row[at] != name[at] {
            let (x, y) = (row[at].to_ascii_lowercase(), name[at].to_ascii_lowercase());
            if x != y {
                return x < y;
            }
        }
        at += 1;
    }
    at < name.len()
}
