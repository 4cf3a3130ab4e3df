//! Every charset this library knows by name, and which decoder reads it.
//!
//! The names, their preferred forms and the `MIBenum` numbers are those of the IANA
//! Character Sets registry (RFC 2978), which is in the public domain; the charsets without
//! a number were never registered and are met in mail all the same.
//!
//! Adding a charset: a row here, its labels in `tables/labels.txt`, and, where no family reads it
//! yet, a file of its own and an arm of the one `match` in `families.rs`.

use super::iso2022::Variant;
use super::joined::{Joined, Texts};
use super::octet_order::{Declared, Order};
use super::single_byte::SingleByte;
use super::tables;
use super::utf7::Dialect;
use super::web::Web;

/// One charset as the registry and mail know it.
struct Entry {
    /// The preferred MIME name, or the only name.
    name: &'static str,
    /// The name at the head of its registration.
    registered: &'static str,
    about: About,
}

/// What is known of a charset but for its names.
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    /// The registry's number, 0 where the charset was never registered.
    pub(super) mibenum: u16,
    /// The decoder that reads it.
    pub(super) family: Family,
}

impl Entry {
    const fn new(
        name: &'static str,
        registered: &'static str,
        mibenum: u16,
        family: Family,
    ) -> Self {
        Entry {
            name,
            registered,
            about: About { mibenum, family },
        }
    }
}

/// The decoders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Known by name alone, and why: ASCII shows, the rest is marked.
    Undecoded(&'static str),
    Ascii,
    /// A form of Unicode.
    Unicode(Form),
    /// A form of Unicode 1.1, whose Hangul has moved since.
    Unicode11(Form),
    /// One of the decoders of the Encoding Standard.
    Web(Web),
    /// A table of 256 cells.
    SingleByte(SingleByte),
    /// The same, with accents that come before their letters.
    Accents(SingleByte),
    Viqr,
    Tscii,
    /// Big5 and its extensions.
    Big5,
    /// EUC-JP, always with Microsoft's characters where the charset is theirs.
    EucJp {
        microsoft: bool,
    },
    EucJis2004,
    EucKr,
    EucTw,
    Gb12345,
    Gb18030,
    Gb2312,
    Gbk,
    Hz,
    /// The scripts of India, and the one that text begins in.
    Iscii(Script),
    Iso2022(Variant),
    IsoIr165,
    Johab,
    MacHebrew,
    /// `Shift_JIS`, likewise.
    ShiftJis {
        microsoft: bool,
    },
    ShiftJis2004,
}

/// The forms of Unicode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Bocu1,
    Cesu8,
    Scsu,
    Utf1,
    Utf7(Dialect),
    Utf8,
    Utf16(Declared),
    Utf32(Declared),
}

/// A script of ISCII, by the order of its octet after ATR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Devanagari,
    Bengali,
    Tamil,
    Telugu,
    Assamese,
    Oriya,
    Kannada,
    Malayalam,
    Gujarati,
    Gurmukhi,
}

/// UTF-16 in the order that a byte order mark names, or that is assumed.
const UTF_16: Family = Family::Unicode(Form::Utf16(Declared::Open));
/// The 16-bit form in the order that its document prescribes.
const UTF_16_NETWORK: Family = Family::Unicode(Form::Utf16(Declared::Network));
/// UTF-32 in the order that a byte order mark names, or that is assumed.
const UTF_32: Family = Family::Unicode(Form::Utf32(Declared::Open));

// Why a charset has no decoder: a table is wanted that two sources agree on.
const NO_PEER: &str = "no program is left that converts it; wanted: one to hold a decoder to";
const RFC1345: &str =
    "RFC 1345 alone tells it; wanted: a table that was not made from it, or a program";
const NO_CHARSET: &str = "it declares that the charset is not known (RFC 1428); no table is wanted";

/// The same, where it was left out of the build.
const LEFT_OUT: &str = "it was left out of this program; wanted: the feature `legacy`";

/// The single-byte set of this name in `tables/`.
const fn single(name: &str) -> Family {
    match SingleByte::find(name) {
        Some(set) => Family::SingleByte(set),
        None => Family::Undecoded(LEFT_OUT),
    }
}

/// The set of this name in `tables/`, some of whose cells are accents.
const fn accents(name: &str) -> Family {
    match SingleByte::find(name) {
        Some(set) => Family::Accents(set),
        None => Family::Undecoded(LEFT_OUT),
    }
}

/// A family that the feature `legacy` brings.
const fn legacy(family: Family) -> Family {
    if cfg!(feature = "legacy") {
        family
    } else {
        Family::Undecoded(LEFT_OUT)
    }
}

/// How many charsets there are.
pub(super) const COUNT: usize = 302;

/// All charsets, sorted by name without regard to case.
#[rustfmt::skip]
static CHARSETS: [Entry; COUNT] = [
    Entry::new("Adobe-Standard-Encoding", "Adobe-Standard-Encoding", 2005, single("Adobe-Standard-Encoding")),
    Entry::new("Adobe-Symbol-Encoding", "Adobe-Symbol-Encoding", 2020, single("Adobe-Symbol-Encoding")),
    Entry::new("Amiga-1251", "Amiga-1251", 2104, Family::Undecoded("no source for its table is left but its registration; wanted: the 128 cells above 7F as an Amiga had them")),
    Entry::new("ANSI_X3.110-1983", "ANSI_X3.110-1983", 74, accents("ANSI_X3.110-1983")),
    Entry::new("ARMSCII-8", "ARMSCII-8", 0, single("ARMSCII-8")),
    Entry::new("ASMO_449", "ASMO_449", 65, single("ASMO_449")),
    Entry::new("Big5", "Big5", 2026, Family::Big5),
    Entry::new("Big5-HKSCS", "Big5-HKSCS", 2101, Family::Web(Web::Big5)),
    Entry::new("BOCU-1", "BOCU-1", 1020, legacy(Family::Unicode(Form::Bocu1))),
    Entry::new("BRF", "BRF", 2106, single("BRF")),
    Entry::new("BS_4730", "BS_4730", 20, single("BS_4730")),
    Entry::new("BS_viewdata", "BS_viewdata", 50, single("BS_viewdata")),
    Entry::new("CESU-8", "CESU-8", 1016, Family::Unicode(Form::Cesu8)),
    Entry::new("CN-GB-12345", "CN-GB-12345", 0, legacy(Family::Gb12345)),
    Entry::new("CN-GB-ISOIR165", "CN-GB-ISOIR165", 0, Family::IsoIr165),
    Entry::new("CP1125", "CP1125", 0, single("CP1125")),
    Entry::new("CP50220", "CP50220", 2260, Family::Iso2022(Variant::Microsoft)),
    Entry::new("CP51932", "CP51932", 2108, Family::EucJp { microsoft: true }),
    Entry::new("CSA_Z243.4-1985-1", "CSA_Z243.4-1985-1", 78, single("CSA_Z243.4-1985-1")),
    Entry::new("CSA_Z243.4-1985-2", "CSA_Z243.4-1985-2", 79, single("CSA_Z243.4-1985-2")),
    Entry::new("CSA_Z243.4-1985-gr", "CSA_Z243.4-1985-gr", 80, single("CSA_Z243.4-1985-gr")),
    Entry::new("CSN_369103", "CSN_369103", 86, single("CSN_369103")),
    Entry::new("DEC-MCS", "DEC-MCS", 2008, single("DEC-MCS")),
    Entry::new("DIN_66003", "DIN_66003", 24, single("DIN_66003")),
    Entry::new("dk-us", "dk-us", 101, Family::Undecoded(RFC1345)),
    Entry::new("DS_2089", "DS_2089", 99, single("DS_2089")),
    Entry::new("EBCDIC-AT-DE", "EBCDIC-AT-DE", 2064, single("EBCDIC-AT-DE")),
    Entry::new("EBCDIC-AT-DE-A", "EBCDIC-AT-DE-A", 2065, single("EBCDIC-AT-DE-A")),
    Entry::new("EBCDIC-CA-FR", "EBCDIC-CA-FR", 2066, single("EBCDIC-CA-FR")),
    Entry::new("EBCDIC-DK-NO", "EBCDIC-DK-NO", 2067, single("EBCDIC-DK-NO")),
    Entry::new("EBCDIC-DK-NO-A", "EBCDIC-DK-NO-A", 2068, single("EBCDIC-DK-NO-A")),
    Entry::new("EBCDIC-ES", "EBCDIC-ES", 2074, single("EBCDIC-ES")),
    Entry::new("EBCDIC-ES-A", "EBCDIC-ES-A", 2075, single("EBCDIC-ES-A")),
    Entry::new("EBCDIC-ES-S", "EBCDIC-ES-S", 2076, single("EBCDIC-ES-S")),
    Entry::new("EBCDIC-FI-SE", "EBCDIC-FI-SE", 2069, single("EBCDIC-FI-SE")),
    Entry::new("EBCDIC-FI-SE-A", "EBCDIC-FI-SE-A", 2070, single("EBCDIC-FI-SE-A")),
    Entry::new("EBCDIC-FR", "EBCDIC-FR", 2071, single("EBCDIC-FR")),
    Entry::new("EBCDIC-IT", "EBCDIC-IT", 2072, single("EBCDIC-IT")),
    Entry::new("EBCDIC-PT", "EBCDIC-PT", 2073, single("EBCDIC-PT")),
    Entry::new("EBCDIC-UK", "EBCDIC-UK", 2077, single("EBCDIC-UK")),
    Entry::new("EBCDIC-US", "EBCDIC-US", 2078, single("EBCDIC-US")),
    Entry::new("ECMA-cyrillic", "ECMA-cyrillic", 77, single("ECMA-cyrillic")),
    Entry::new("ES", "ES", 23, single("ES")),
    Entry::new("ES2", "ES2", 61, single("ES2")),
    Entry::new("EUC-JISX0213", "EUC-JISX0213", 0, Family::EucJis2004),
    Entry::new("EUC-JP", "Extended_UNIX_Code_Packed_Format_for_Japanese", 18, Family::EucJp { microsoft: false }),
    Entry::new("EUC-KR", "EUC-KR", 38, Family::EucKr),
    Entry::new("EUC-TW", "EUC-TW", 0, Family::EucTw),
    Entry::new("Extended_UNIX_Code_Fixed_Width_for_Japanese", "Extended_UNIX_Code_Fixed_Width_for_Japanese", 19, Family::Undecoded(NO_PEER)),
    Entry::new("GB18030", "GB18030", 114, Family::Gb18030),
    Entry::new("GB2312", "GB2312", 2025, Family::Gb2312),
    Entry::new("GB_1988-80", "GB_1988-80", 56, single("GB_1988-80")),
    Entry::new("GB_2312-80", "GB_2312-80", 57, Family::Gb2312),
    Entry::new("GBK", "GBK", 113, Family::Gbk),
    Entry::new("GEORGIAN-ACADEMY", "GEORGIAN-ACADEMY", 0, single("GEORGIAN-ACADEMY")),
    Entry::new("GEORGIAN-PS", "GEORGIAN-PS", 0, single("GEORGIAN-PS")),
    Entry::new("GOST_19768-74", "GOST_19768-74", 94, single("GOST_19768-74")),
    Entry::new("greek-ccitt", "greek-ccitt", 91, single("greek-ccitt")),
    Entry::new("greek7", "greek7", 64, single("greek7")),
    Entry::new("greek7-old", "greek7-old", 44, single("greek7-old")),
    Entry::new("HP-DeskTop", "HP-DeskTop", 2021, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 7J in characters")),
    Entry::new("HP-Legal", "HP-Legal", 2017, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 1U in characters")),
    Entry::new("HP-Math8", "HP-Math8", 2019, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 8M in characters")),
    Entry::new("HP-Pi-font", "HP-Pi-font", 2018, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 15U in characters")),
    Entry::new("hp-roman8", "hp-roman8", 2004, single("hp-roman8")),
    Entry::new("HZ-GB-2312", "HZ-GB-2312", 2085, Family::Hz),
    Entry::new("IBM-Symbols", "IBM-Symbols", 2015, single("IBM-Symbols")),
    Entry::new("IBM-Thai", "IBM-Thai", 2016, single("IBM-Thai")),
    Entry::new("IBM00858", "IBM00858", 2089, single("IBM00858")),
    Entry::new("IBM00924", "IBM00924", 2090, single("IBM00924")),
    Entry::new("IBM01140", "IBM01140", 2091, single("IBM01140")),
    Entry::new("IBM01141", "IBM01141", 2092, single("IBM01141")),
    Entry::new("IBM01142", "IBM01142", 2093, single("IBM01142")),
    Entry::new("IBM01143", "IBM01143", 2094, single("IBM01143")),
    Entry::new("IBM01144", "IBM01144", 2095, single("IBM01144")),
    Entry::new("IBM01145", "IBM01145", 2096, single("IBM01145")),
    Entry::new("IBM01146", "IBM01146", 2097, single("IBM01146")),
    Entry::new("IBM01147", "IBM01147", 2098, single("IBM01147")),
    Entry::new("IBM01148", "IBM01148", 2099, single("IBM01148")),
    Entry::new("IBM01149", "IBM01149", 2100, single("IBM01149")),
    Entry::new("IBM037", "IBM037", 2028, single("IBM037")),
    Entry::new("IBM038", "IBM038", 2029, single("IBM038")),
    Entry::new("IBM1026", "IBM1026", 2063, single("IBM1026")),
    Entry::new("IBM1047", "IBM1047", 2102, single("IBM1047")),
    Entry::new("IBM273", "IBM273", 2030, single("IBM273")),
    Entry::new("IBM274", "IBM274", 2031, single("IBM274")),
    Entry::new("IBM275", "IBM275", 2032, single("IBM275")),
    Entry::new("IBM277", "IBM277", 2033, single("IBM277")),
    Entry::new("IBM278", "IBM278", 2034, single("IBM278")),
    Entry::new("IBM280", "IBM280", 2035, single("IBM280")),
    Entry::new("IBM281", "IBM281", 2036, single("IBM281")),
    Entry::new("IBM284", "IBM284", 2037, single("IBM284")),
    Entry::new("IBM285", "IBM285", 2038, single("IBM285")),
    Entry::new("IBM290", "IBM290", 2039, single("IBM290")),
    Entry::new("IBM297", "IBM297", 2040, single("IBM297")),
    Entry::new("IBM420", "IBM420", 2041, single("IBM420")),
    Entry::new("IBM423", "IBM423", 2042, single("IBM423")),
    Entry::new("IBM424", "IBM424", 2043, single("IBM424")),
    Entry::new("IBM437", "IBM437", 2011, single("IBM437")),
    Entry::new("IBM500", "IBM500", 2044, single("IBM500")),
    Entry::new("IBM720", "IBM720", 0, single("IBM720")),
    Entry::new("IBM737", "IBM737", 0, single("IBM737")),
    Entry::new("IBM775", "IBM775", 2087, single("IBM775")),
    Entry::new("IBM850", "IBM850", 2009, single("IBM850")),
    Entry::new("IBM851", "IBM851", 2045, single("IBM851")),
    Entry::new("IBM852", "IBM852", 2010, single("IBM852")),
    Entry::new("IBM855", "IBM855", 2046, single("IBM855")),
    Entry::new("IBM857", "IBM857", 2047, single("IBM857")),
    Entry::new("IBM860", "IBM860", 2048, single("IBM860")),
    Entry::new("IBM861", "IBM861", 2049, single("IBM861")),
    Entry::new("IBM862", "IBM862", 2013, single("IBM862")),
    Entry::new("IBM863", "IBM863", 2050, single("IBM863")),
    Entry::new("IBM864", "IBM864", 2051, single("IBM864")),
    Entry::new("IBM865", "IBM865", 2052, single("IBM865")),
    Entry::new("IBM866", "IBM866", 2086, single("IBM866")),
    Entry::new("IBM868", "IBM868", 2053, single("IBM868")),
    Entry::new("IBM869", "IBM869", 2054, single("IBM869")),
    Entry::new("IBM870", "IBM870", 2055, single("IBM870")),
    Entry::new("IBM871", "IBM871", 2056, single("IBM871")),
    Entry::new("IBM880", "IBM880", 2057, single("IBM880")),
    Entry::new("IBM891", "IBM891", 2058, single("IBM891")),
    Entry::new("IBM903", "IBM903", 2059, single("IBM903")),
    Entry::new("IBM904", "IBM904", 2060, single("IBM904")),
    Entry::new("IBM905", "IBM905", 2061, single("IBM905")),
    Entry::new("IBM918", "IBM918", 2062, single("IBM918")),
    Entry::new("IEC_P27-1", "IEC_P27-1", 88, single("IEC_P27-1")),
    Entry::new("INIS", "INIS", 51, single("INIS")),
    Entry::new("INIS-8", "INIS-8", 52, single("INIS-8")),
    Entry::new("INIS-cyrillic", "INIS-cyrillic", 53, single("INIS-cyrillic")),
    Entry::new("INVARIANT", "INVARIANT", 29, single("INVARIANT")),
    // RFC 1815: ISO-10646 (Unicode-Latin1) and ISO-10646-J-1 are "in 16 bit big endian form". The
    // registry has UCS-Basic beside them, as the subset with ASCII alone, and names no form.
    Entry::new("ISO-10646-J-1", "ISO-10646-J-1", 1004, UTF_16_NETWORK),
    Entry::new("ISO-10646-UCS-2", "ISO-10646-UCS-2", 1000, UTF_16),
    Entry::new("ISO-10646-UCS-4", "ISO-10646-UCS-4", 1001, UTF_32),
    Entry::new("ISO-10646-UCS-Basic", "ISO-10646-UCS-Basic", 1002, UTF_16_NETWORK),
    Entry::new("ISO-10646-Unicode-Latin1", "ISO-10646-Unicode-Latin1", 1003, UTF_16_NETWORK),
    Entry::new("ISO-10646-UTF-1", "ISO-10646-UTF-1", 27, legacy(Family::Unicode(Form::Utf1))),
    Entry::new("ISO-11548-1", "ISO-11548-1", 118, single("ISO-11548-1")),
    Entry::new("ISO-2022-CN", "ISO-2022-CN", 104, Family::Iso2022(Variant::Cn)),
    Entry::new("ISO-2022-CN-EXT", "ISO-2022-CN-EXT", 105, Family::Iso2022(Variant::CnExt)),
    Entry::new("ISO-2022-JP", "ISO-2022-JP", 39, Family::Iso2022(Variant::Jp)),
    Entry::new("ISO-2022-JP-1", "ISO-2022-JP-1", 0, Family::Iso2022(Variant::Jp1)),
    Entry::new("ISO-2022-JP-2", "ISO-2022-JP-2", 40, Family::Iso2022(Variant::Jp2)),
    Entry::new("ISO-2022-JP-2004", "ISO-2022-JP-2004", 0, Family::Iso2022(Variant::Jp2004)),
    Entry::new("ISO-2022-JP-3", "ISO-2022-JP-3", 0, Family::Iso2022(Variant::Jp2004)),
    Entry::new("ISO-2022-KR", "ISO-2022-KR", 37, Family::Iso2022(Variant::Kr)),
    Entry::new("ISO-8859-1", "ISO_8859-1:1987", 4, single("ISO-8859-1")),
    Entry::new("ISO-8859-1-Windows-3.0-Latin-1", "ISO-8859-1-Windows-3.0-Latin-1", 2000, single("windows-1252")),
    Entry::new("ISO-8859-1-Windows-3.1-Latin-1", "ISO-8859-1-Windows-3.1-Latin-1", 2001, single("windows-1252")),
    Entry::new("ISO-8859-10", "ISO-8859-10", 13, single("ISO-8859-10")),
    Entry::new("ISO-8859-13", "ISO-8859-13", 109, single("ISO-8859-13")),
    Entry::new("ISO-8859-14", "ISO-8859-14", 110, single("ISO-8859-14")),
    Entry::new("ISO-8859-15", "ISO-8859-15", 111, single("ISO-8859-15")),
    Entry::new("ISO-8859-16", "ISO-8859-16", 112, single("ISO-8859-16")),
    Entry::new("ISO-8859-2", "ISO_8859-2:1987", 5, single("ISO-8859-2")),
    Entry::new("ISO-8859-2-Windows-Latin-2", "ISO-8859-2-Windows-Latin-2", 2002, single("windows-1250")),
    Entry::new("ISO-8859-3", "ISO_8859-3:1988", 6, single("ISO-8859-3")),
    Entry::new("ISO-8859-4", "ISO_8859-4:1988", 7, single("ISO-8859-4")),
    Entry::new("ISO-8859-5", "ISO_8859-5:1988", 8, single("ISO-8859-5")),
    Entry::new("ISO-8859-6", "ISO_8859-6:1987", 9, single("ISO-8859-6")),
    Entry::new("ISO-8859-6-E", "ISO_8859-6-E", 81, single("ISO-8859-6")),
    Entry::new("ISO-8859-6-I", "ISO_8859-6-I", 82, single("ISO-8859-6")),
    Entry::new("ISO-8859-7", "ISO_8859-7:1987", 10, single("ISO-8859-7")),
    Entry::new("ISO-8859-8", "ISO_8859-8:1988", 11, single("ISO-8859-8")),
    Entry::new("ISO-8859-8-E", "ISO_8859-8-E", 84, single("ISO-8859-8")),
    Entry::new("ISO-8859-8-I", "ISO_8859-8-I", 85, single("ISO-8859-8")),
    Entry::new("ISO-8859-9", "ISO_8859-9:1989", 12, single("ISO-8859-9")),
    Entry::new("ISO-8859-9-Windows-Latin-5", "ISO-8859-9-Windows-Latin-5", 2003, single("windows-1254")),
    Entry::new("iso-ir-90", "iso-ir-90", 66, accents("iso-ir-90")),
    // The registry counts these among the sub-repertoires of Unicode and says nothing of octets.
    Entry::new("ISO-Unicode-IBM-1261", "ISO-Unicode-IBM-1261", 1005, UTF_16),
    Entry::new("ISO-Unicode-IBM-1264", "ISO-Unicode-IBM-1264", 1008, UTF_16),
    Entry::new("ISO-Unicode-IBM-1265", "ISO-Unicode-IBM-1265", 1009, UTF_16),
    Entry::new("ISO-Unicode-IBM-1268", "ISO-Unicode-IBM-1268", 1006, UTF_16),
    Entry::new("ISO-Unicode-IBM-1276", "ISO-Unicode-IBM-1276", 1007, UTF_16),
    Entry::new("ISO_10367-box", "ISO_10367-box", 96, single("ISO_10367-box")),
    Entry::new("ISO_2033-1983", "ISO_2033-1983", 73, single("ISO_2033-1983")),
    Entry::new("ISO_5427", "ISO_5427", 48, single("ISO_5427")),
    Entry::new("ISO_5427:1981", "ISO_5427:1981", 54, single("ISO_5427:1981")),
    Entry::new("ISO_5428:1980", "ISO_5428:1980", 55, accents("ISO_5428:1980")),
    Entry::new("ISO_646.basic:1983", "ISO_646.basic:1983", 28, single("ISO_646.basic:1983")),
    Entry::new("ISO_646.irv:1983", "ISO_646.irv:1983", 30, single("ISO_646.irv:1983")),
    Entry::new("ISO_6937-2-25", "ISO_6937-2-25", 93, single("ISO_6937-2-25")),
    Entry::new("ISO_6937-2-add", "ISO_6937-2-add", 14, accents("ISO_6937-2-add")),
    Entry::new("ISO_8859-supp", "ISO_8859-supp", 95, single("ISO_8859-supp")),
    Entry::new("IT", "IT", 22, single("IT")),
    Entry::new("JIS_C6220-1969-jp", "JIS_C6220-1969-jp", 41, single("JIS_C6220-1969-jp")),
    Entry::new("JIS_C6220-1969-ro", "JIS_C6220-1969-ro", 42, single("JIS_C6220-1969-ro")),
    Entry::new("JIS_C6226-1978", "JIS_C6226-1978", 49, Family::Iso2022(Variant::Jisx0208)),
    Entry::new("JIS_C6226-1983", "JIS_C6226-1983", 63, Family::Iso2022(Variant::Jisx0208)),
    Entry::new("JIS_C6229-1984-a", "JIS_C6229-1984-a", 67, single("JIS_C6229-1984-a")),
    Entry::new("JIS_C6229-1984-b", "JIS_C6229-1984-b", 68, single("JIS_C6229-1984-b")),
    Entry::new("JIS_C6229-1984-b-add", "JIS_C6229-1984-b-add", 69, single("JIS_C6229-1984-b-add")),
    Entry::new("JIS_C6229-1984-hand", "JIS_C6229-1984-hand", 70, single("JIS_C6229-1984-hand")),
    Entry::new("JIS_C6229-1984-hand-add", "JIS_C6229-1984-hand-add", 71, single("JIS_C6229-1984-hand-add")),
    Entry::new("JIS_C6229-1984-kana", "JIS_C6229-1984-kana", 72, single("JIS_C6229-1984-kana")),
    Entry::new("JIS_Encoding", "JIS_Encoding", 16, Family::Iso2022(Variant::Jp2004)),
    Entry::new("JIS_X0201", "JIS_X0201", 15, Family::Iso2022(Variant::Jisx0201)),
    Entry::new("JIS_X0212-1990", "JIS_X0212-1990", 98, Family::Iso2022(Variant::Jisx0212)),
    Entry::new("JOHAB", "JOHAB", 0, legacy(Family::Johab)),
    Entry::new("JUS_I.B1.002", "JUS_I.B1.002", 87, single("JUS_I.B1.002")),
    Entry::new("JUS_I.B1.003-mac", "JUS_I.B1.003-mac", 90, single("JUS_I.B1.003-mac")),
    Entry::new("JUS_I.B1.003-serb", "JUS_I.B1.003-serb", 89, single("JUS_I.B1.003-serb")),
    Entry::new("KOI7-switched", "KOI7-switched", 2105, Family::Undecoded("no source for its table is left but its registration; wanted: the Cyrillic half of KOI-7 and what its shifts do")),
    Entry::new("KOI8-R", "KOI8-R", 2084, single("KOI8-R")),
    Entry::new("KOI8-RU", "KOI8-RU", 0, single("KOI8-RU")),
    Entry::new("KOI8-T", "KOI8-T", 0, single("KOI8-T")),
    Entry::new("KOI8-U", "KOI8-U", 2088, single("KOI8-U")),
    Entry::new("KS_C_5601-1987", "KS_C_5601-1987", 36, Family::EucKr),
    Entry::new("KSC5636", "KSC5636", 102, single("KSC5636")),
    Entry::new("KZ-1048", "KZ-1048", 119, single("KZ-1048")),
    Entry::new("latin-greek", "latin-greek", 45, single("latin-greek")),
    Entry::new("Latin-greek-1", "Latin-greek-1", 47, single("Latin-greek-1")),
    Entry::new("latin-lap", "latin-lap", 97, single("latin-lap")),
    Entry::new("macintosh", "macintosh", 2027, single("macintosh")),
    Entry::new("Microsoft-Publishing", "Microsoft-Publishing", 2023, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 6J in characters")),
    Entry::new("MIK", "MIK", 0, single("MIK")),
    Entry::new("MNEM", "MNEM", 2081, Family::Undecoded(RFC1345)),
    Entry::new("MNEMONIC", "MNEMONIC", 2080, Family::Undecoded(RFC1345)),
    Entry::new("MSZ_7795.3", "MSZ_7795.3", 62, single("MSZ_7795.3")),
    Entry::new("NATS-DANO", "NATS-DANO", 33, single("NATS-DANO")),
    Entry::new("NATS-DANO-ADD", "NATS-DANO-ADD", 34, single("NATS-DANO-ADD")),
    Entry::new("NATS-SEFI", "NATS-SEFI", 31, single("NATS-SEFI")),
    Entry::new("NATS-SEFI-ADD", "NATS-SEFI-ADD", 32, single("NATS-SEFI-ADD")),
    Entry::new("NC_NC00-10:81", "NC_NC00-10:81", 92, single("NC_NC00-10:81")),
    Entry::new("NEXTSTEP", "NEXTSTEP", 0, single("NEXTSTEP")),
    Entry::new("NF_Z_62-010", "NF_Z_62-010", 26, single("NF_Z_62-010")),
    Entry::new("NF_Z_62-010_(1973)", "NF_Z_62-010_(1973)", 46, single("NF_Z_62-010_(1973)")),
    Entry::new("NS_4551-1", "NS_4551-1", 25, single("NS_4551-1")),
    Entry::new("NS_4551-2", "NS_4551-2", 58, single("NS_4551-2")),
    Entry::new("OSD_EBCDIC_DF03_IRV", "OSD_EBCDIC_DF03_IRV", 116, Family::Undecoded("the one table of it was made by hand and has characters its name excludes; wanted: that of BS2000")),
    Entry::new("OSD_EBCDIC_DF04_1", "OSD_EBCDIC_DF04_1", 117, single("OSD_EBCDIC_DF04_1")),
    Entry::new("OSD_EBCDIC_DF04_15", "OSD_EBCDIC_DF04_15", 115, single("OSD_EBCDIC_DF04_15")),
    Entry::new("PC8-Danish-Norwegian", "PC8-Danish-Norwegian", 2012, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 11U in characters")),
    Entry::new("PC8-Turkish", "PC8-Turkish", 2014, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 9T in characters")),
    Entry::new("PT", "PT", 43, single("PT")),
    Entry::new("PT2", "PT2", 60, single("PT2")),
    Entry::new("PTCP154", "PTCP154", 2103, single("PTCP154")),
    Entry::new("SCSU", "SCSU", 1011, legacy(Family::Unicode(Form::Scsu))),
    Entry::new("SEN_850200_B", "SEN_850200_B", 35, single("SEN_850200_B")),
    Entry::new("SEN_850200_C", "SEN_850200_C", 21, single("SEN_850200_C")),
    Entry::new("Shift_JIS", "Shift_JIS", 17, Family::ShiftJis { microsoft: false }),
    Entry::new("Shift_JIS-2004", "Shift_JIS-2004", 0, Family::ShiftJis2004),
    Entry::new("T.101-G2", "T.101-G2", 83, accents("T.101-G2")),
    Entry::new("T.61-7bit", "T.61-7bit", 75, single("T.61-7bit")),
    Entry::new("T.61-8bit", "T.61-8bit", 76, accents("T.61-8bit")),
    Entry::new("TCVN", "TCVN", 0, single("TCVN")),
    Entry::new("TIS-620", "TIS-620", 2259, single("TIS-620")),
    Entry::new("TSCII", "TSCII", 2107, legacy(Family::Tscii)),
    // Microsoft's name of UTF-16, and of its code page 1200, which is little-endian.
    Entry::new("unicode", "unicode", 0, Family::Unicode(Form::Utf16(Declared::Little))),
    Entry::new("UNICODE-1-1", "UNICODE-1-1", 1010, Family::Unicode11(Form::Utf16(Declared::Network))),
    Entry::new("UNICODE-1-1-UTF-7", "UNICODE-1-1-UTF-7", 103, Family::Unicode11(Form::Utf7(Dialect::Mail))),
    Entry::new("UNICODE-1-1-UTF-8", "UNICODE-1-1-UTF-8", 0, Family::Unicode11(Form::Utf8)),
    Entry::new("UNKNOWN-8BIT", "UNKNOWN-8BIT", 2079, Family::Undecoded(NO_CHARSET)),
    Entry::new("US-ASCII", "US-ASCII", 3, Family::Ascii),
    Entry::new("us-dk", "us-dk", 100, Family::Undecoded(RFC1345)),
    Entry::new("UTF-16", "UTF-16", 1015, UTF_16),
    Entry::new("UTF-16BE", "UTF-16BE", 1013, Family::Unicode(Form::Utf16(Declared::Fixed(Order::Big)))),
    Entry::new("UTF-16LE", "UTF-16LE", 1014, Family::Unicode(Form::Utf16(Declared::Fixed(Order::Little)))),
    Entry::new("UTF-32", "UTF-32", 1017, UTF_32),
    Entry::new("UTF-32BE", "UTF-32BE", 1018, Family::Unicode(Form::Utf32(Declared::Fixed(Order::Big)))),
    Entry::new("UTF-32LE", "UTF-32LE", 1019, Family::Unicode(Form::Utf32(Declared::Fixed(Order::Little)))),
    Entry::new("UTF-7", "UTF-7", 1012, Family::Unicode(Form::Utf7(Dialect::Mail))),
    Entry::new("UTF-7-IMAP", "UTF-7-IMAP", 1021, Family::Unicode(Form::Utf7(Dialect::Imap))),
    Entry::new("UTF-8", "UTF-8", 106, Family::Unicode(Form::Utf8)),
    Entry::new("Ventura-International", "Ventura-International", 2007, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 13J in characters")),
    Entry::new("Ventura-Math", "Ventura-Math", 2022, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 6M in characters")),
    Entry::new("Ventura-US", "Ventura-US", 2006, Family::Undecoded("its table is published only as glyphs in printer manuals; wanted: HP's symbol set 14J in characters")),
    Entry::new("videotex-suppl", "videotex-suppl", 59, accents("videotex-suppl")),
    Entry::new("VIQR", "VIQR", 2083, legacy(Family::Viqr)),
    Entry::new("VISCII", "VISCII", 2082, single("VISCII")),
    Entry::new("VPS", "VPS", 0, single("VPS")),
    Entry::new("windows-1250", "windows-1250", 2250, single("windows-1250")),
    Entry::new("windows-1251", "windows-1251", 2251, single("windows-1251")),
    Entry::new("windows-1252", "windows-1252", 2252, single("windows-1252")),
    Entry::new("windows-1253", "windows-1253", 2253, single("windows-1253")),
    Entry::new("windows-1254", "windows-1254", 2254, single("windows-1254")),
    Entry::new("windows-1255", "windows-1255", 2255, single("windows-1255")),
    Entry::new("windows-1256", "windows-1256", 2256, single("windows-1256")),
    Entry::new("windows-1257", "windows-1257", 2257, single("windows-1257")),
    Entry::new("windows-1258", "windows-1258", 2258, single("windows-1258")),
    Entry::new("Windows-31J", "Windows-31J", 2024, Family::ShiftJis { microsoft: true }),
    Entry::new("windows-874", "windows-874", 2109, single("windows-874")),
    Entry::new("x-iscii-as", "x-iscii-as", 0, legacy(Family::Iscii(Script::Assamese))),
    Entry::new("x-iscii-be", "x-iscii-be", 0, legacy(Family::Iscii(Script::Bengali))),
    Entry::new("x-iscii-de", "x-iscii-de", 0, legacy(Family::Iscii(Script::Devanagari))),
    Entry::new("x-iscii-gu", "x-iscii-gu", 0, legacy(Family::Iscii(Script::Gujarati))),
    Entry::new("x-iscii-ka", "x-iscii-ka", 0, legacy(Family::Iscii(Script::Kannada))),
    Entry::new("x-iscii-ma", "x-iscii-ma", 0, legacy(Family::Iscii(Script::Malayalam))),
    Entry::new("x-iscii-or", "x-iscii-or", 0, legacy(Family::Iscii(Script::Oriya))),
    Entry::new("x-iscii-pa", "x-iscii-pa", 0, legacy(Family::Iscii(Script::Gurmukhi))),
    Entry::new("x-iscii-ta", "x-iscii-ta", 0, legacy(Family::Iscii(Script::Tamil))),
    Entry::new("x-iscii-te", "x-iscii-te", 0, legacy(Family::Iscii(Script::Telugu))),
    Entry::new("x-mac-arabic", "x-mac-arabic", 0, single("x-mac-arabic")),
    Entry::new("x-mac-ce", "x-mac-ce", 0, single("x-mac-ce")),
    Entry::new("x-mac-croatian", "x-mac-croatian", 0, single("x-mac-croatian")),
    Entry::new("x-mac-cyrillic", "x-mac-cyrillic", 0, single("x-mac-cyrillic")),
    Entry::new("x-mac-farsi", "x-mac-farsi", 0, single("x-mac-farsi")),
    Entry::new("x-mac-greek", "x-mac-greek", 0, single("x-mac-greek")),
    Entry::new("x-mac-hebrew", "x-mac-hebrew", 0, legacy(Family::MacHebrew)),
    Entry::new("x-mac-icelandic", "x-mac-icelandic", 0, single("x-mac-icelandic")),
    Entry::new("x-mac-romanian", "x-mac-romanian", 0, single("x-mac-romanian")),
    Entry::new("x-mac-turkish", "x-mac-turkish", 0, single("x-mac-turkish")),
    Entry::new("x-user-defined", "x-user-defined", 0, single("x-user-defined")),
];

/// What is known of the charset of each row of [`CHARSETS`].
#[expect(clippy::indexing_slicing, reason = "runs while compiling")]
pub(super) static ABOUT: [About; COUNT] = {
    let mut about = [CHARSETS[0].about; COUNT];
    let mut row = 0;
    while row < COUNT {
        about[row] = CHARSETS[row].about;
        row += 1;
    }
    about
};

/// What findings say where octets are read in a charset.
pub(super) const READ_AS: &str = "read as ";

/// The name of each, behind [`READ_AS`].
pub(super) static READ_AS_NAMES: Texts = NAMES_JOINED.texts();
static NAMES_JOINED: Joined<COUNT, { length_of_names() }> = joined_names();

/// The registered name of each, empty where it is the name.
pub(super) static OTHER_NAMES: Texts = OTHER_NAMES_JOINED.texts();
static OTHER_NAMES_JOINED: Joined<COUNT, { length_of_other_names() }> = joined_other_names();

#[expect(clippy::indexing_slicing, reason = "runs while compiling")]
const fn joined_names<const LENGTH: usize>() -> Joined<COUNT, LENGTH> {
    let mut joined = Joined::new();
    let mut row = 0;
    while row < COUNT {
        joined.extend(READ_AS);
        joined.push(CHARSETS[row].name);
        row += 1;
    }
    joined
}

#[expect(clippy::indexing_slicing, reason = "runs while compiling")]
const fn length_of_names() -> usize {
    let (mut length, mut row) = (0, 0);
    while row < COUNT {
        length += READ_AS.len() + CHARSETS[row].name.len();
        row += 1;
    }
    length
}

#[expect(clippy::indexing_slicing, reason = "runs while compiling")]
const fn joined_other_names<const LENGTH: usize>() -> Joined<COUNT, LENGTH> {
    let mut joined = Joined::new();
    let mut row = 0;
    while row < COUNT {
        joined.push(other_name(&CHARSETS[row]));
        row += 1;
    }
    joined
}

#[expect(clippy::indexing_slicing, reason = "runs while compiling")]
const fn length_of_other_names() -> usize {
    let (mut length, mut row) = (0, 0);
    while row < COUNT {
        length += other_name(&CHARSETS[row]).len();
        row += 1;
    }
    length
}

/// The registered name, or nothing where it is the name.
const fn other_name(entry: &Entry) -> &'static str {
    if tables::equal(entry.name.as_bytes(), entry.registered.as_bytes()) {
        ""
    } else {
        entry.registered
    }
}

/// The row of [`CHARSETS`] with that name; a name that is not there fails the build.
#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs while compiling, where a panic is the build error that is wanted"
)]
pub(super) const fn row(name: &str) -> u16 {
    let (mut low, mut high) = (0, CHARSETS.len());
    while low < high {
        let middle = low.midpoint(high);
        let middle_name = CHARSETS[middle].name;
        if precedes(middle_name.as_bytes(), name.as_bytes()) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    assert!(
        !precedes(name.as_bytes(), CHARSETS[low].name.as_bytes()),
        "no charset of this name"
    );
    low as u16
}

/// Whether `a` sorts before `b` without regard to ASCII case.
#[expect(
    clippy::indexing_slicing,
    reason = "the loop ends before either name does"
)]
const fn precedes(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() {
        // Names begin alike, and this runs a hundred thousand times while compiling.
        if a[at] != b[at] {
            let (x, y) = (a[at].to_ascii_lowercase(), b[at].to_ascii_lowercase());
            if x != y {
                return x < y;
            }
        }
        at += 1;
    }
    a.len() < b.len()
}
