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

/// A row of the table of charsets.
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    /// The preferred MIME name, or the only name.
    pub(super) name: &'static str,
    /// The name at the head of the charset's registration; the preferred name if it has no
    /// registration.
    pub(super) registered_name: &'static str,
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

/// All charsets, sorted by name, ignoring case. `tables/README.md` explains the columns of the text.
pub(super) static ABOUT: [About; COUNT] = {
    let mut entries = [About {
        name: "",
        registered_name: "",
        mibenum: 0,
        family: Family::Ascii,
    }; COUNT];
    let (mut count, mut text) = (0, include_bytes!("tables/charsets.txt").as_slice());
    while let Some(row) = tables::text_row(text) {
        let [name, mibenum, decoder, registered_name] = row.cells;
        let (mibenum, []) = tables::number(mibenum) else {
            panic!("expected a MIBenum number");
        };
        entries[count] = About {
            name: string(name),
            registered_name: match registered_name {
                [] => string(name),
                registered_name => string(registered_name),
            },
            mibenum,
            family: family(name, decoder),
        };
        count += 1;
        text = row.after;
    }
    assert!(count == COUNT);
    entries
};

const fn string(cell: &[u8]) -> &str {
    match str::from_utf8(cell) {
        Ok(cell) => cell,
        Err(_) => panic!("expected UTF-8"),
    }
}

/// The decoder of a charset, from its cell.
const fn family(charset: &'static [u8], decoder: &'static [u8]) -> Family {
    const LEFT_OUT: &str = "this build leaves it out; wanted: the feature `legacy`";
    let (word, detail) = tables::split_once(decoder, b' ');
    let set = if detail.is_empty() { charset } else { detail };
    match word {
        b"undecoded" => Family::Undecoded(string(detail)),
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
        b"iscii" => match u8::from_str_radix(string(detail), 16) {
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

const fn variant(name: &[u8]) -> Variant {
    match name {
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

const fn form(name: &[u8]) -> UnicodeForm {
    match name {
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
pub(super) const fn row(name: &[u8]) -> u16 {
    let (mut low, mut high) = (0, COUNT);
    while low < high {
        let middle = low + (high - low) / 2;
        if precedes(ABOUT[middle].name.as_bytes(), name) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    assert!(
        tables::equal(ABOUT[low].name.as_bytes(), name),
        "no charset of this name"
    );
    low as u16
}

/// Whether a name sorts before another, ignoring ASCII case.
const fn precedes(mut name: &[u8], mut other: &[u8]) -> bool {
    while let ([x, after_x @ ..], [y, after_y @ ..]) = (name, other) {
        // Names have common prefixes, and this runs a hundred thousand times at compile time.
        if *x != *y {
            let (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
            if x != y {
                return x < y;
            }
        }
        (name, other) = (after_x, after_y);
    }
    name.len() < other.len()
}
