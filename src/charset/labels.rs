//! Labels: the names that mail has for charsets.
//!
//! One sorted list of pairs: the 887 labels of the IANA Character Sets registry, the 228
//! of the Encoding Standard, and those that mail programs and platforms have used without
//! asking either. Where the registry and the Encoding Standard give a label different
//! meanings the registry's stands, since mail was labelled by it; each row where the octets
//! are read otherwise than the Encoding Standard would says why.
//!
//! A label is looked up exactly, without regard to ASCII case (RFC 2978, section 2.3), and
//! then loosely, by the key of UTS #22, section 1.4. Spellings that the loose comparison
//! finds have no rows of their own unless some program's own table has them.

use std::sync::LazyLock;

use super::joined::{Joined, Texts};
use super::value::{Charset, named};

/// The row of [`LABELS`] that a label is, but for ASCII case.
#[expect(
    clippy::indexing_slicing,
    reason = "a slot is one of them, and `get` is not const"
)]
pub(super) const fn exact(label: &[u8]) -> Option<usize> {
    // Labels are ASCII and the longest has 45 octets.
    if label.len() > LONGEST {
        return None;
    }
    let mut slot = slot_of(label);
    loop {
        // An empty slot ends the search; there are more slots than labels.
        let row = SLOTS[slot];
        if row == EMPTY {
            return None;
        }
        if is_label(TEXTS.octets(row as usize), label) {
            return Some(row as usize);
        }
        slot = (slot + 1) % SLOT_COUNT;
    }
}

/// The charset of a label, likewise.
#[expect(
    clippy::indexing_slicing,
    reason = "a row is one of them, and `get` is not const"
)]
pub(super) const fn target(label: &[u8]) -> Option<Charset> {
    match exact(label) {
        Some(row) => Some(TARGETS[row]),
        None => None,
    }
}

/// Whether `label` is one in lower case, but for ASCII case.
#[expect(clippy::indexing_slicing, reason = "both have as many octets")]
const fn is_label(lower: &[u8], label: &[u8]) -> bool {
    let mut at = 0;
    while at < label.len() && at < lower.len() && label[at].to_ascii_lowercase() == lower[at] {
        at += 1;
    }
    at == label.len() && at == lower.len()
}

/// How many slots the rows of [`LABELS`] are spread over.
const SLOT_COUNT: usize = 4096;
/// What a slot without a row holds.
const EMPTY: u16 = u16::MAX;

/// The rows of [`LABELS`], each at the first free slot from the one that its label gives.
/// Headers are full of labels, and a search by halves compares eleven of them.
#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs while compiling"
)]
static SLOTS: [u16; SLOT_COUNT] = {
    let mut slots = [EMPTY; SLOT_COUNT];
    let mut row = 0;
    while row < LABELS.len() {
        let mut slot = slot_of(LABELS[row].0.as_bytes());
        while slots[slot] != EMPTY {
            slot = (slot + 1) % SLOT_COUNT;
        }
        slots[slot] = row as u16;
        row += 1;
    }
    slots
};

/// The slot of a label, by its octets in lower case: FNV-1a, folded.
#[expect(
    clippy::indexing_slicing,
    reason = "the loop ends before the label does"
)]
const fn slot_of(label: &[u8]) -> usize {
    let mut hash = 0x811C_9DC5_u32;
    let mut at = 0;
    while at < label.len() {
        hash = (hash ^ label[at].to_ascii_lowercase() as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ hash >> 16) as usize % SLOT_COUNT
}

/// A row of [`LABELS`] with the same key, where all such rows name one charset.
///
/// What is not made of letters, digits and the punctuation of registered labels is damage,
/// which `repair.rs` undoes; and a key of one to three characters is too little to go by,
/// since the registry has aliases such as `us`, `no` and `l1`.
pub(super) fn loose(label: &[u8]) -> Option<usize> {
    let plain = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_.:+()/ ".contains(octet);
    let ends = |octet: Option<&u8>| octet.is_some_and(u8::is_ascii_alphanumeric);
    if !ends(label.first()) || !(ends(label.last()) || label.ends_with(b")")) {
        return None;
    }
    if !label.iter().all(plain) {
        return None;
    }
    by_key(Key::of(label)?)
}

/// A row of [`LABELS`] with this key, where all such rows name one charset.
pub(super) fn by_key(key: Key) -> Option<usize> {
    if key.as_bytes().len() < 4 {
        return None;
    }
    let from = BY_KEY.partition_point(|(known, _)| *known < key);
    let mut same = BY_KEY
        .iter()
        .skip(from)
        .take_while(|(known, _)| *known == key)
        .map(|&(_, row)| row);
    let first = same.next()?;
    same.all(|row| TARGETS.get(row) == TARGETS.get(first))
        .then_some(first)
}

/// The rows of [`LABELS`] with their keys, sorted by key, made when the first label is met that
/// is not among them.
static BY_KEY: LazyLock<Vec<(Key, usize)>> = LazyLock::new(|| {
    let key = |(row, label): (usize, &str)| Some((Key::of(label.as_bytes())?, row));
    let mut rows: Vec<_> = labels().enumerate().filter_map(key).collect();
    rows.sort_unstable();
    rows
});

/// The length of the longest label, and some.
const LONGEST: usize = 48;

/// What is left of a label for loose comparison (UTS #22, section 1.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// Zeros follow the key, so that keys compare as their octets do.
    octets: [u8; LONGEST],
    length: usize,
}

impl Key {
    /// Lower case, without anything but letters and digits, and without zeros that follow no
    /// digit. `None` where that is longer than the longest label.
    pub(super) fn of(label: &[u8]) -> Option<Key> {
        let mut key = Key {
            octets: [0; LONGEST],
            length: 0,
        };
        for octet in label.iter().filter(|octet| octet.is_ascii_alphanumeric()) {
            let after_digit = key.as_bytes().last().is_some_and(u8::is_ascii_digit);
            if *octet != b'0' || after_digit {
                *key.octets.get_mut(key.length)? = octet.to_ascii_lowercase();
                key.length += 1;
            }
        }
        Some(key)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.octets.get(..self.length).unwrap_or_default()
    }
}

/// Every label in lower case with the name of its charset, sorted by label.
static LABELS: [(&str, &str); 1426] = [
    // 128 to 238: the numbers of Windows font charsets, which Outlook and its kin have written
    // where a charset's name belongs; `fcharset` of RTF gives the same numbers.
    ("128", "Shift_JIS"),
    ("129", "EUC-KR"),
    ("130", "JOHAB"),
    ("134", "GBK"),
    ("136", "Big5"),
    ("161", "windows-1253"),
    ("162", "windows-1254"),
    ("163", "windows-1258"),
    ("177", "windows-1255"),
    ("178", "windows-1256"),
    ("186", "windows-1257"),
    ("204", "windows-1251"),
    ("222", "windows-874"),
    ("238", "windows-1250"),
    ("437", "IBM437"),
    // The number of the Korean standard; see ks_c_5601-1987.
    ("5601", "KS_C_5601-1987"),
    // What Solaris calls its ASCII locale.
    ("646", "US-ASCII"),
    // The Content-Transfer-Encoding in the charset's place says nothing about a charset.
    ("7bit", "UNKNOWN-8BIT"),
    ("850", "IBM850"),
    ("851", "IBM851"),
    ("852", "IBM852"),
    ("855", "IBM855"),
    ("857", "IBM857"),
    ("860", "IBM860"),
    ("861", "IBM861"),
    ("862", "IBM862"),
    ("863", "IBM863"),
    ("865", "IBM865"),
    ("866", "IBM866"),
    ("869", "IBM869"),
    // Java's first names for the parts of ISO 8859.
    ("8859_1", "ISO-8859-1"),
    ("8859_10", "ISO-8859-10"),
    // See iso-8859-11.
    ("8859_11", "TIS-620"),
    ("8859_13", "ISO-8859-13"),
    ("8859_14", "ISO-8859-14"),
    ("8859_15", "ISO-8859-15"),
    ("8859_16", "ISO-8859-16"),
    ("8859_2", "ISO-8859-2"),
    ("8859_3", "ISO-8859-3"),
    ("8859_4", "ISO-8859-4"),
    ("8859_5", "ISO-8859-5"),
    ("8859_6", "ISO-8859-6"),
    ("8859_7", "ISO-8859-7"),
    ("8859_8", "ISO-8859-8"),
    ("8859_9", "ISO-8859-9"),
    ("8bit", "UNKNOWN-8BIT"),
    ("904", "IBM904"),
    ("936", "GBK"),
    ("adobe-standard-encoding", "Adobe-Standard-Encoding"),
    ("adobe-symbol-encoding", "Adobe-Symbol-Encoding"),
    ("ami-1251", "Amiga-1251"),
    ("ami1251", "Amiga-1251"),
    ("amiga-1251", "Amiga-1251"),
    ("amiga1251", "Amiga-1251"),
    ("ansi-1251", "windows-1251"),
    ("ansi_x3.110-1983", "ANSI_X3.110-1983"),
    // The Encoding Standard reads windows-1252; octets above 7F are evidence that the label is
    // wrong, and are treated as that.
    ("ansi_x3.4-1968", "US-ASCII"),
    ("ansi_x3.4-1986", "US-ASCII"),
    // Qt's name.
    ("apple-roman", "macintosh"),
    ("arabic", "ISO-8859-6"),
    ("arabic7", "ASMO_449"),
    ("armscii-8", "ARMSCII-8"),
    ("armscii8", "ARMSCII-8"),
    // The Encoding Standard reads windows-1252, see ansi_x3.4-1968. RFC 2046, section 4.1.2,
    // reserves the name.
    ("ascii", "US-ASCII"),
    ("ascii7", "US-ASCII"),
    ("asmo-708", "ISO-8859-6"),
    ("asmo_449", "ASMO_449"),
    ("big5", "Big5"),
    ("big5-0", "Big5"),
    ("big5-eten", "Big5"),
    // The Encoding Standard has one Big5 for both; the registry has two.
    ("big5-hkscs", "Big5-HKSCS"),
    ("big5-tw", "Big5"),
    ("big5.eten-0", "Big5"),
    ("big5_tw", "Big5"),
    ("big5hkscs", "Big5-HKSCS"),
    ("big5hkscs-0", "Big5-HKSCS"),
    // The Content-Transfer-Encoding in the charset's place, see 7bit.
    ("binary", "UNKNOWN-8BIT"),
    ("bocu-1", "BOCU-1"),
    ("brf", "BRF"),
    ("bs_4730", "BS_4730"),
    ("bs_viewdata", "BS_viewdata"),
    ("ca", "CSA_Z243.4-1985-1"),
    ("ccsid00858", "IBM00858"),
    ("ccsid00924", "IBM00924"),
    ("ccsid01140", "IBM01140"),
    ("ccsid01141", "IBM01141"),
    ("ccsid01142", "IBM01142"),
    ("ccsid01143", "IBM01143"),
    ("ccsid01144", "IBM01144"),
    ("ccsid01145", "IBM01145"),
    ("ccsid01146", "IBM01146"),
    ("ccsid01147", "IBM01147"),
    ("ccsid01148", "IBM01148"),
    ("ccsid01149", "IBM01149"),
    ("cesu-8", "CESU-8"),
    ("cesu8", "CESU-8"),
    // The Encoding Standard reads GBK, and so does practice, see `Charset::as_practised`; the
    // registered charset is the bare set of characters.
    ("chinese", "GB_2312-80"),
    ("cn", "GB_1988-80"),
    ("cn-big5", "Big5"),
    // RFC 1922, section 2, and the further `cn-` names.
    ("cn-gb", "GB2312"),
    ("cn-gb-12345", "CN-GB-12345"),
    ("cn-gb-isoir165", "CN-GB-ISOIR165"),
    ("cns11643", "EUC-TW"),
    ("cp-1251", "windows-1251"),
    ("cp-866", "IBM866"),
    ("cp-ar", "IBM868"),
    ("cp-gr", "IBM869"),
    ("cp-is", "IBM861"),
    ("cp00858", "IBM00858"),
    ("cp00924", "IBM00924"),
    ("cp01140", "IBM01140"),
    ("cp01141", "IBM01141"),
    ("cp01142", "IBM01142"),
    ("cp01143", "IBM01143"),
    ("cp01144", "IBM01144"),
    ("cp01145", "IBM01145"),
    ("cp01146", "IBM01146"),
    ("cp01147", "IBM01147"),
    ("cp01148", "IBM01148"),
    ("cp01149", "IBM01149"),
    ("cp037", "IBM037"),
    ("cp038", "IBM038"),
    ("cp10000", "macintosh"),
    // cp10004 to cp10082: Windows numbers for the Macintosh's charsets.
    ("cp10004", "x-mac-arabic"),
    // Windows' number of it.
    ("cp10005", "x-mac-hebrew"),
    ("cp10006", "x-mac-greek"),
    ("cp10007", "x-mac-cyrillic"),
    ("cp10010", "x-mac-romanian"),
    ("cp10017", "x-mac-cyrillic"),
    ("cp10029", "x-mac-ce"),
    ("cp10079", "x-mac-icelandic"),
    ("cp10081", "x-mac-turkish"),
    ("cp10082", "x-mac-croatian"),
    ("cp1026", "IBM1026"),
    ("cp1125", "CP1125"),
    // Windows numbers, and for them the order is fixed: 1200 is little-endian, 1201 big-endian.
    ("cp1200", "UTF-16LE"),
    ("cp12000", "UTF-32LE"),
    ("cp12001", "UTF-32BE"),
    ("cp1201", "UTF-16BE"),
    ("cp1250", "windows-1250"),
    ("cp1251", "windows-1251"),
    ("cp1252", "windows-1252"),
    ("cp1253", "windows-1253"),
    ("cp1254", "windows-1254"),
    ("cp1255", "windows-1255"),
    ("cp1256", "windows-1256"),
    ("cp1257", "windows-1257"),
    ("cp1258", "windows-1258"),
    ("cp1361", "JOHAB"),
    ("cp154", "PTCP154"),
    // cp20105 to cp20108: see x-ia5.
    ("cp20105", "ISO_646.irv:1983"),
    ("cp20106", "DIN_66003"),
    ("cp20107", "SEN_850200_B"),
    ("cp20108", "NS_4551-1"),
    ("cp20127", "US-ASCII"),
    ("cp20866", "KOI8-R"),
    ("cp20932", "EUC-JP"),
    ("cp21866", "KOI8-U"),
    ("cp273", "IBM273"),
    ("cp274", "IBM274"),
    ("cp275", "IBM275"),
    ("cp278", "IBM278"),
    ("cp280", "IBM280"),
    ("cp281", "IBM281"),
    ("cp284", "IBM284"),
    ("cp285", "IBM285"),
    // cp28591 to cp28605: Windows numbers for the parts of ISO 8859.
    ("cp28591", "ISO-8859-1"),
    ("cp28592", "ISO-8859-2"),
    ("cp28593", "ISO-8859-3"),
    ("cp28594", "ISO-8859-4"),
    ("cp28595", "ISO-8859-5"),
    ("cp28596", "ISO-8859-6"),
    ("cp28597", "ISO-8859-7"),
    ("cp28598", "ISO-8859-8"),
    ("cp28599", "ISO-8859-9"),
    ("cp28603", "ISO-8859-13"),
    ("cp28605", "ISO-8859-15"),
    ("cp290", "IBM290"),
    ("cp297", "IBM297"),
    ("cp367", "US-ASCII"),
    // cp38596 and cp38598: Windows numbers for text in logical order.
    ("cp38596", "ISO-8859-6-I"),
    ("cp38598", "ISO-8859-8-I"),
    ("cp420", "IBM420"),
    ("cp423", "IBM423"),
    ("cp424", "IBM424"),
    ("cp437", "IBM437"),
    ("cp500", "IBM500"),
    ("cp50220", "CP50220"),
    ("cp50221", "CP50220"),
    ("cp50222", "CP50220"),
    ("cp50225", "ISO-2022-KR"),
    ("cp50227", "ISO-2022-CN"),
    ("cp51932", "CP51932"),
    ("cp51936", "GB2312"),
    ("cp51949", "EUC-KR"),
    ("cp51950", "EUC-TW"),
    ("cp52936", "HZ-GB-2312"),
    ("cp54936", "GB18030"),
    // cp57002 to cp57011: Windows' numbers of the scripts of ISCII.
    ("cp57002", "x-iscii-de"),
    ("cp57003", "x-iscii-be"),
    ("cp57004", "x-iscii-ta"),
    ("cp57005", "x-iscii-te"),
    ("cp57006", "x-iscii-as"),
    ("cp57007", "x-iscii-or"),
    ("cp57008", "x-iscii-ka"),
    ("cp57009", "x-iscii-ma"),
    ("cp57010", "x-iscii-gu"),
    ("cp57011", "x-iscii-pa"),
    ("cp65000", "UTF-7"),
    ("cp65001", "UTF-8"),
    ("cp708", "ISO-8859-6"),
    ("cp720", "IBM720"),
    ("cp737", "IBM737"),
    ("cp775", "IBM775"),
    ("cp819", "ISO-8859-1"),
    ("cp850", "IBM850"),
    ("cp851", "IBM851"),
    ("cp852", "IBM852"),
    ("cp855", "IBM855"),
    ("cp857", "IBM857"),
    ("cp858", "IBM00858"),
    ("cp860", "IBM860"),
    ("cp861", "IBM861"),
    ("cp862", "IBM862"),
    ("cp863", "IBM863"),
    ("cp864", "IBM864"),
    ("cp865", "IBM865"),
    ("cp866", "IBM866"),
    ("cp866u", "CP1125"),
    ("cp868", "IBM868"),
    ("cp869", "IBM869"),
    ("cp870", "IBM870"),
    ("cp871", "IBM871"),
    ("cp874", "windows-874"),
    ("cp878", "KOI8-R"),
    ("cp880", "IBM880"),
    ("cp891", "IBM891"),
    ("cp903", "IBM903"),
    ("cp904", "IBM904"),
    ("cp905", "IBM905"),
    ("cp918", "IBM918"),
    // Windows code page 932 is registered as Windows-31J; the Encoding Standard has one Shift_JIS
    // for both.
    ("cp932", "Windows-31J"),
    ("cp936", "GBK"),
    // IBM's take on code page 932, of the same extensions.
    ("cp943", "Windows-31J"),
    ("cp943c", "Windows-31J"),
    // Unified Hangul Code, which extends EUC-KR and was never registered.
    ("cp949", "EUC-KR"),
    // Microsoft's Big5, with the extensions of ETEN that the decoder has.
    ("cp950", "Big5"),
    ("csa7-1", "CSA_Z243.4-1985-1"),
    ("csa7-2", "CSA_Z243.4-1985-2"),
    ("csa71", "CSA_Z243.4-1985-1"),
    ("csa72", "CSA_Z243.4-1985-2"),
    ("csa_t500-1983", "ANSI_X3.110-1983"),
    ("csa_z243.4-1985-1", "CSA_Z243.4-1985-1"),
    ("csa_z243.4-1985-2", "CSA_Z243.4-1985-2"),
    ("csa_z243.4-1985-gr", "CSA_Z243.4-1985-gr"),
    ("csadobestandardencoding", "Adobe-Standard-Encoding"),
    ("csamiga1251", "Amiga-1251"),
    ("csascii", "US-ASCII"),
    ("csbig5", "Big5"),
    // See big5-hkscs.
    ("csbig5hkscs", "Big5-HKSCS"),
    ("csbocu-1", "BOCU-1"),
    ("csbocu1", "BOCU-1"),
    ("csbrf", "BRF"),
    ("cscesu-8", "CESU-8"),
    ("cscesu8", "CESU-8"),
    ("cscp50220", "CP50220"),
    ("cscp51932", "CP51932"),
    ("csdecmcs", "DEC-MCS"),
    ("csdkus", "dk-us"),
    ("csebcdicatdea", "EBCDIC-AT-DE-A"),
    ("csebcdiccafr", "EBCDIC-CA-FR"),
    ("csebcdicdkno", "EBCDIC-DK-NO"),
    ("csebcdicdknoa", "EBCDIC-DK-NO-A"),
    ("csebcdices", "EBCDIC-ES"),
    ("csebcdicesa", "EBCDIC-ES-A"),
    ("csebcdicess", "EBCDIC-ES-S"),
    ("csebcdicfise", "EBCDIC-FI-SE"),
    ("csebcdicfisea", "EBCDIC-FI-SE-A"),
    ("csebcdicfr", "EBCDIC-FR"),
    ("csebcdicit", "EBCDIC-IT"),
    ("csebcdicpt", "EBCDIC-PT"),
    ("csebcdicuk", "EBCDIC-UK"),
    ("csebcdicus", "EBCDIC-US"),
    (
        "cseucfixwidjapanese",
        "Extended_UNIX_Code_Fixed_Width_for_Japanese",
    ),
    ("cseuckr", "EUC-KR"),
    ("cseucpkdfmtjapanese", "EUC-JP"),
    ("csgb18030", "GB18030"),
    ("csgb2312", "GB2312"),
    ("csgbk", "GBK"),
    ("cshalfwidthkatakana", "JIS_X0201"),
    ("cshpdesktop", "HP-DeskTop"),
    ("cshplegal", "HP-Legal"),
    ("cshpmath8", "HP-Math8"),
    ("cshppifont", "HP-Pi-font"),
    ("cshppsmath", "Adobe-Symbol-Encoding"),
    ("cshproman8", "hp-roman8"),
    ("csibbm904", "IBM904"),
    ("csibm00858", "IBM00858"),
    ("csibm00924", "IBM00924"),
    ("csibm01140", "IBM01140"),
    ("csibm01141", "IBM01141"),
    ("csibm01142", "IBM01142"),
    ("csibm01143", "IBM01143"),
    ("csibm01144", "IBM01144"),
    ("csibm01145", "IBM01145"),
    ("csibm01146", "IBM01146"),
    ("csibm01147", "IBM01147"),
    ("csibm01148", "IBM01148"),
    ("csibm01149", "IBM01149"),
    ("csibm037", "IBM037"),
    ("csibm038", "IBM038"),
    ("csibm1026", "IBM1026"),
    ("csibm1047", "IBM1047"),
    ("csibm273", "IBM273"),
    ("csibm274", "IBM274"),
    ("csibm275", "IBM275"),
    ("csibm277", "IBM277"),
    ("csibm278", "IBM278"),
    ("csibm280", "IBM280"),
    ("csibm281", "IBM281"),
    ("csibm284", "IBM284"),
    ("csibm285", "IBM285"),
    ("csibm290", "IBM290"),
    ("csibm297", "IBM297"),
    ("csibm420", "IBM420"),
    ("csibm423", "IBM423"),
    ("csibm424", "IBM424"),
    ("csibm500", "IBM500"),
    ("csibm851", "IBM851"),
    ("csibm855", "IBM855"),
    ("csibm857", "IBM857"),
    ("csibm860", "IBM860"),
    ("csibm861", "IBM861"),
    ("csibm863", "IBM863"),
    ("csibm864", "IBM864"),
    ("csibm865", "IBM865"),
    ("csibm866", "IBM866"),
    ("csibm868", "IBM868"),
    ("csibm869", "IBM869"),
    ("csibm870", "IBM870"),
    ("csibm871", "IBM871"),
    ("csibm880", "IBM880"),
    ("csibm891", "IBM891"),
    ("csibm903", "IBM903"),
    ("csibm905", "IBM905"),
    ("csibm918", "IBM918"),
    ("csibmebcdicatde", "EBCDIC-AT-DE"),
    ("csibmsymbols", "IBM-Symbols"),
    ("csibmthai", "IBM-Thai"),
    ("csinvariant", "INVARIANT"),
    ("csiso102t617bit", "T.61-7bit"),
    ("csiso10367box", "ISO_10367-box"),
    ("csiso103t618bit", "T.61-8bit"),
    ("csiso10646utf1", "ISO-10646-UTF-1"),
    ("csiso10swedish", "SEN_850200_B"),
    ("csiso111ecmacyrillic", "ECMA-cyrillic"),
    ("csiso115481", "ISO-11548-1"),
    ("csiso11swedishfornames", "SEN_850200_C"),
    ("csiso121canadian1", "CSA_Z243.4-1985-1"),
    ("csiso122canadian2", "CSA_Z243.4-1985-2"),
    ("csiso123csaz24341985gr", "CSA_Z243.4-1985-gr"),
    ("csiso128t101g2", "T.101-G2"),
    ("csiso139csn369103", "CSN_369103"),
    ("csiso13jisc6220jp", "JIS_C6220-1969-jp"),
    ("csiso141jusib1002", "JUS_I.B1.002"),
    ("csiso143iecp271", "IEC_P27-1"),
    ("csiso146serbian", "JUS_I.B1.003-serb"),
    ("csiso147macedonian", "JUS_I.B1.003-mac"),
    ("csiso14jisc6220ro", "JIS_C6220-1969-ro"),
    ("csiso150", "greek-ccitt"),
    ("csiso150greekccitt", "greek-ccitt"),
    ("csiso151cuba", "NC_NC00-10:81"),
    ("csiso153gost1976874", "GOST_19768-74"),
    ("csiso158lap", "latin-lap"),
    ("csiso159jisx02121990", "JIS_X0212-1990"),
    ("csiso15italian", "IT"),
    ("csiso16portuguese", "PT"),
    ("csiso17spanish", "ES"),
    ("csiso18greek7old", "greek7-old"),
    ("csiso19latingreek", "latin-greek"),
    ("csiso2022cn", "ISO-2022-CN"),
    ("csiso2022cnext", "ISO-2022-CN-EXT"),
    ("csiso2022jp", "ISO-2022-JP"),
    ("csiso2022jp2", "ISO-2022-JP-2"),
    // The Encoding Standard has `replacement` for this and the other ISO 2022 charsets and for HZ,
    // as browsers must not read them; mail was written in them.
    ("csiso2022kr", "ISO-2022-KR"),
    ("csiso2033", "ISO_2033-1983"),
    ("csiso21german", "DIN_66003"),
    ("csiso25french", "NF_Z_62-010_(1973)"),
    ("csiso27latingreek1", "Latin-greek-1"),
    ("csiso2intlrefversion", "ISO_646.irv:1983"),
    ("csiso42jisc62261978", "JIS_C6226-1978"),
    ("csiso47bsviewdata", "BS_viewdata"),
    ("csiso49inis", "INIS"),
    ("csiso4unitedkingdom", "BS_4730"),
    ("csiso50inis8", "INIS-8"),
    ("csiso51iniscyrillic", "INIS-cyrillic"),
    ("csiso54271981", "ISO_5427:1981"),
    ("csiso5427cyrillic", "ISO_5427"),
    ("csiso5428greek", "ISO_5428:1980"),
    ("csiso57gb1988", "GB_1988-80"),
    // See chinese.
    ("csiso58gb231280", "GB_2312-80"),
    ("csiso60danishnorwegian", "NS_4551-1"),
    ("csiso60norwegian1", "NS_4551-1"),
    ("csiso61norwegian2", "NS_4551-2"),
    ("csiso646basic1983", "ISO_646.basic:1983"),
    ("csiso646danish", "DS_2089"),
    ("csiso6937add", "ISO_6937-2-25"),
    ("csiso69french", "NF_Z_62-010"),
    ("csiso70videotexsupp1", "videotex-suppl"),
    ("csiso84portuguese2", "PT2"),
    ("csiso85spanish2", "ES2"),
    ("csiso86hungarian", "MSZ_7795.3"),
    ("csiso87jisx0208", "JIS_C6226-1983"),
    ("csiso885913", "ISO-8859-13"),
    ("csiso885914", "ISO-8859-14"),
    ("csiso885915", "ISO-8859-15"),
    ("csiso885916", "ISO-8859-16"),
    ("csiso88596e", "ISO-8859-6-E"),
    ("csiso88596i", "ISO-8859-6-I"),
    ("csiso88598e", "ISO-8859-8-E"),
    ("csiso88598i", "ISO-8859-8-I"),
    ("csiso8859supp", "ISO_8859-supp"),
    ("csiso88greek7", "greek7"),
    ("csiso89asmo449", "ASMO_449"),
    ("csiso90", "iso-ir-90"),
    ("csiso91jisc62291984a", "JIS_C6229-1984-a"),
    ("csiso92jisc62991984b", "JIS_C6229-1984-b"),
    ("csiso93jis62291984badd", "JIS_C6229-1984-b-add"),
    ("csiso94jis62291984hand", "JIS_C6229-1984-hand"),
    ("csiso95jis62291984handadd", "JIS_C6229-1984-hand-add"),
    ("csiso96jisc62291984kana", "JIS_C6229-1984-kana"),
    ("csiso99naplps", "ANSI_X3.110-1983"),
    ("csisolatin1", "ISO-8859-1"),
    ("csisolatin2", "ISO-8859-2"),
    ("csisolatin3", "ISO-8859-3"),
    ("csisolatin4", "ISO-8859-4"),
    ("csisolatin5", "ISO-8859-9"),
    ("csisolatin6", "ISO-8859-10"),
    ("csisolatin9", "ISO-8859-15"),
    ("csisolatinarabic", "ISO-8859-6"),
    ("csisolatincyrillic", "ISO-8859-5"),
    ("csisolatingreek", "ISO-8859-7"),
    ("csisolatinhebrew", "ISO-8859-8"),
    ("csisotextcomm", "ISO_6937-2-add"),
    ("csjisencoding", "JIS_Encoding"),
    ("cskoi7switched", "KOI7-switched"),
    ("cskoi8r", "KOI8-R"),
    ("cskoi8u", "KOI8-U"),
    // See ks_c_5601-1987.
    ("csksc56011987", "KS_C_5601-1987"),
    ("csksc5636", "KSC5636"),
    ("cskz1048", "KZ-1048"),
    ("csmacintosh", "macintosh"),
    ("csmicrosoftpublishing", "Microsoft-Publishing"),
    ("csmnem", "MNEM"),
    ("csmnemonic", "MNEMONIC"),
    ("csn_369103", "CSN_369103"),
    ("csnatsdano", "NATS-DANO"),
    ("csnatsdanoadd", "NATS-DANO-ADD"),
    ("csnatssefi", "NATS-SEFI"),
    ("csnatssefiadd", "NATS-SEFI-ADD"),
    ("csosdebcdicdf03irv", "OSD_EBCDIC_DF03_IRV"),
    ("csosdebcdicdf041", "OSD_EBCDIC_DF04_1"),
    ("csosdebcdicdf0415", "OSD_EBCDIC_DF04_15"),
    ("cspc775baltic", "IBM775"),
    ("cspc850multilingual", "IBM850"),
    ("cspc862latinhebrew", "IBM862"),
    ("cspc8codepage437", "IBM437"),
    ("cspc8danishnorwegian", "PC8-Danish-Norwegian"),
    ("cspc8turkish", "PC8-Turkish"),
    ("cspcp852", "IBM852"),
    ("csptcp154", "PTCP154"),
    ("csscsu", "SCSU"),
    ("csshiftjis", "Shift_JIS"),
    ("cstis620", "TIS-620"),
    ("cstscii", "TSCII"),
    ("csucs4", "ISO-10646-UCS-4"),
    // See iso-10646-ucs-2.
    ("csunicode", "ISO-10646-UCS-2"),
    ("csunicode11", "UNICODE-1-1"),
    ("csunicode11utf7", "UNICODE-1-1-UTF-7"),
    ("csunicodeascii", "ISO-10646-UCS-Basic"),
    ("csunicodeibm1261", "ISO-Unicode-IBM-1261"),
    ("csunicodeibm1264", "ISO-Unicode-IBM-1264"),
    ("csunicodeibm1265", "ISO-Unicode-IBM-1265"),
    ("csunicodeibm1268", "ISO-Unicode-IBM-1268"),
    ("csunicodeibm1276", "ISO-Unicode-IBM-1276"),
    ("csunicodejapanese", "ISO-10646-J-1"),
    ("csunicodelatin1", "ISO-10646-Unicode-Latin1"),
    ("csunknown8bit", "UNKNOWN-8BIT"),
    ("csusdk", "us-dk"),
    ("csutf16", "UTF-16"),
    ("csutf16be", "UTF-16BE"),
    ("csutf16le", "UTF-16LE"),
    ("csutf32", "UTF-32"),
    ("csutf32be", "UTF-32BE"),
    ("csutf32le", "UTF-32LE"),
    ("csutf7", "UTF-7"),
    ("csutf7imap", "UTF-7-IMAP"),
    ("csutf8", "UTF-8"),
    ("csventurainternational", "Ventura-International"),
    ("csventuramath", "Ventura-Math"),
    ("csventuraus", "Ventura-US"),
    ("csviqr", "VIQR"),
    ("csviscii", "VISCII"),
    ("cswindows1250", "windows-1250"),
    ("cswindows1251", "windows-1251"),
    ("cswindows1252", "windows-1252"),
    ("cswindows1253", "windows-1253"),
    ("cswindows1254", "windows-1254"),
    ("cswindows1255", "windows-1255"),
    ("cswindows1256", "windows-1256"),
    ("cswindows1257", "windows-1257"),
    ("cswindows1258", "windows-1258"),
    ("cswindows30latin1", "ISO-8859-1-Windows-3.0-Latin-1"),
    ("cswindows31j", "Windows-31J"),
    ("cswindows31latin1", "ISO-8859-1-Windows-3.1-Latin-1"),
    ("cswindows31latin2", "ISO-8859-2-Windows-Latin-2"),
    ("cswindows31latin5", "ISO-8859-9-Windows-Latin-5"),
    ("cswindows874", "windows-874"),
    ("cuba", "NC_NC00-10:81"),
    ("cyrillic", "ISO-8859-5"),
    ("cyrillic-asian", "PTCP154"),
    ("de", "DIN_66003"),
    ("dec", "DEC-MCS"),
    ("dec-mcs", "DEC-MCS"),
    ("decmcs", "DEC-MCS"),
    // MIME programs write it where the user chose nothing.
    ("default", "UNKNOWN-8BIT"),
    ("din_66003", "DIN_66003"),
    ("dk", "DS_2089"),
    ("dk-us", "dk-us"),
    ("dos-720", "IBM720"),
    // The Encoding Standard's name for windows-874; true MS-DOS Thai differs above 7F where no Thai
    // letter is.
    ("dos-874", "windows-874"),
    ("ds2089", "DS_2089"),
    ("ds_2089", "DS_2089"),
    ("e13b", "ISO_2033-1983"),
    ("ebcdic-at-de", "EBCDIC-AT-DE"),
    ("ebcdic-at-de-a", "EBCDIC-AT-DE-A"),
    ("ebcdic-be", "IBM274"),
    ("ebcdic-br", "IBM275"),
    ("ebcdic-ca-fr", "EBCDIC-CA-FR"),
    ("ebcdic-cp-ar1", "IBM420"),
    ("ebcdic-cp-ar2", "IBM918"),
    ("ebcdic-cp-be", "IBM500"),
    ("ebcdic-cp-ca", "IBM037"),
    ("ebcdic-cp-ch", "IBM500"),
    ("ebcdic-cp-dk", "IBM277"),
    ("ebcdic-cp-es", "IBM284"),
    ("ebcdic-cp-fi", "IBM278"),
    ("ebcdic-cp-fr", "IBM297"),
    ("ebcdic-cp-gb", "IBM285"),
    ("ebcdic-cp-gr", "IBM423"),
    ("ebcdic-cp-he", "IBM424"),
    ("ebcdic-cp-is", "IBM871"),
    ("ebcdic-cp-it", "IBM280"),
    ("ebcdic-cp-nl", "IBM037"),
    ("ebcdic-cp-no", "IBM277"),
    ("ebcdic-cp-roece", "IBM870"),
    ("ebcdic-cp-se", "IBM278"),
    ("ebcdic-cp-tr", "IBM905"),
    ("ebcdic-cp-us", "IBM037"),
    ("ebcdic-cp-wt", "IBM037"),
    ("ebcdic-cp-yu", "IBM870"),
    ("ebcdic-cyrillic", "IBM880"),
    ("ebcdic-de-273+euro", "IBM01141"),
    ("ebcdic-dk-277+euro", "IBM01142"),
    ("ebcdic-dk-no", "EBCDIC-DK-NO"),
    ("ebcdic-dk-no-a", "EBCDIC-DK-NO-A"),
    ("ebcdic-es", "EBCDIC-ES"),
    ("ebcdic-es-284+euro", "IBM01145"),
    ("ebcdic-es-a", "EBCDIC-ES-A"),
    ("ebcdic-es-s", "EBCDIC-ES-S"),
    ("ebcdic-fi-278+euro", "IBM01143"),
    ("ebcdic-fi-se", "EBCDIC-FI-SE"),
    ("ebcdic-fi-se-a", "EBCDIC-FI-SE-A"),
    ("ebcdic-fr", "EBCDIC-FR"),
    ("ebcdic-fr-297+euro", "IBM01147"),
    ("ebcdic-gb-285+euro", "IBM01146"),
    ("ebcdic-int", "IBM038"),
    ("ebcdic-international-500+euro", "IBM01148"),
    ("ebcdic-is-871+euro", "IBM01149"),
    ("ebcdic-it", "EBCDIC-IT"),
    ("ebcdic-it-280+euro", "IBM01144"),
    ("ebcdic-jp-e", "IBM281"),
    ("ebcdic-jp-kana", "IBM290"),
    ("ebcdic-latin9--euro", "IBM00924"),
    ("ebcdic-no-277+euro", "IBM01142"),
    ("ebcdic-pt", "EBCDIC-PT"),
    ("ebcdic-se-278+euro", "IBM01143"),
    ("ebcdic-uk", "EBCDIC-UK"),
    ("ebcdic-us", "EBCDIC-US"),
    ("ebcdic-us-37+euro", "IBM01140"),
    ("ecma-114", "ISO-8859-6"),
    ("ecma-118", "ISO-8859-7"),
    ("ecma-cyrillic", "ECMA-cyrillic"),
    ("elot_928", "ISO-8859-7"),
    ("es", "ES"),
    ("es2", "ES2"),
    ("euc-cn", "GB2312"),
    ("euc-jis-2004", "EUC-JISX0213"),
    ("euc-jisx0213", "EUC-JISX0213"),
    ("euc-jp", "EUC-JP"),
    ("euc-jp-ms", "CP51932"),
    ("euc-kr", "EUC-KR"),
    ("euc-tw", "EUC-TW"),
    ("euc_cn", "GB2312"),
    ("euc_jis_2004", "EUC-JISX0213"),
    ("euc_jp", "EUC-JP"),
    ("euc_kr", "EUC-KR"),
    ("euc_tw", "EUC-TW"),
    ("euccn", "GB2312"),
    ("eucgb2312-cn", "GB2312"),
    ("eucgb2312_cn", "GB2312"),
    ("eucjis2004", "EUC-JISX0213"),
    ("eucjisx0213", "EUC-JISX0213"),
    ("eucjp", "EUC-JP"),
    ("eucjp-0", "EUC-JP"),
    // eucjp-ms and eucjp-win: libiconv's and PHP's names for EUC-JP with Microsoft's characters.
    ("eucjp-ms", "CP51932"),
    // glibc's; with the characters of both worlds, read as EUC-JP.
    ("eucjp-open", "EUC-JP"),
    ("eucjp-win", "CP51932"),
    ("euckr", "EUC-KR"),
    ("euckr-0", "EUC-KR"),
    ("euctw", "EUC-TW"),
    (
        "extended_unix_code_fixed_width_for_japanese",
        "Extended_UNIX_Code_Fixed_Width_for_Japanese",
    ),
    ("extended_unix_code_packed_format_for_japanese", "EUC-JP"),
    ("fi", "SEN_850200_B"),
    ("fr", "NF_Z_62-010"),
    ("gb", "BS_4730"),
    ("gb-2312", "GB2312"),
    ("gb18030", "GB18030"),
    ("gb18030-0", "GB18030"),
    ("gb18030-2000", "GB18030"),
    ("gb18030-2022", "GB18030"),
    // The Encoding Standard has one GBK for gb2312 and gbk; the registry has two charsets, and mail
    // under both is read with the GB 18030 decoder.
    ("gb2312", "GB2312"),
    ("gb2312-0", "GB2312"),
    // See chinese.
    ("gb2312-1980", "GB_2312-80"),
    ("gb2312-80", "GB_2312-80"),
    ("gb2312.1980-0", "GB_2312-80"),
    ("gb_1988-80", "GB_1988-80"),
    ("gb_2312", "GB2312"),
    // See chinese.
    ("gb_2312-80", "GB_2312-80"),
    ("gbk", "GBK"),
    ("gbk-0", "GBK"),
    ("georgian-academy", "GEORGIAN-ACADEMY"),
    ("georgian-ps", "GEORGIAN-PS"),
    ("gost_19768-74", "GOST_19768-74"),
    ("greek", "ISO-8859-7"),
    ("greek-ccitt", "greek-ccitt"),
    ("greek7", "greek7"),
    ("greek7-old", "greek7-old"),
    ("greek8", "ISO-8859-7"),
    ("hebrew", "ISO-8859-8"),
    ("hp-desktop", "HP-DeskTop"),
    ("hp-legal", "HP-Legal"),
    ("hp-math8", "HP-Math8"),
    ("hp-pi-font", "HP-Pi-font"),
    ("hp-roman8", "hp-roman8"),
    ("hproman8", "hp-roman8"),
    ("hu", "MSZ_7795.3"),
    ("hz", "HZ-GB-2312"),
    // The Encoding Standard has `replacement`, see csiso2022kr.
    ("hz-gb-2312", "HZ-GB-2312"),
    ("hz-gb2312", "HZ-GB-2312"),
    ("hz_gb_2312", "HZ-GB-2312"),
    ("ibm-1047", "IBM1047"),
    ("ibm-4902", "x-iscii-de"),
    ("ibm-866", "IBM866"),
    // ibm-euccn to ibm-euctw: the codesets of AIX.
    ("ibm-euccn", "GB2312"),
    ("ibm-eucjp", "EUC-JP"),
    ("ibm-euckr", "EUC-KR"),
    ("ibm-euctw", "EUC-TW"),
    ("ibm-symbols", "IBM-Symbols"),
    ("ibm-thai", "IBM-Thai"),
    ("ibm00858", "IBM00858"),
    ("ibm00924", "IBM00924"),
    ("ibm01140", "IBM01140"),
    ("ibm01141", "IBM01141"),
    ("ibm01142", "IBM01142"),
    ("ibm01143", "IBM01143"),
    ("ibm01144", "IBM01144"),
    ("ibm01145", "IBM01145"),
    ("ibm01146", "IBM01146"),
    ("ibm01147", "IBM01147"),
    ("ibm01148", "IBM01148"),
    ("ibm01149", "IBM01149"),
    ("ibm037", "IBM037"),
    ("ibm038", "IBM038"),
    ("ibm1026", "IBM1026"),
    ("ibm1047", "IBM1047"),
    ("ibm1125", "CP1125"),
    ("ibm273", "IBM273"),
    ("ibm274", "IBM274"),
    ("ibm275", "IBM275"),
    ("ibm277", "IBM277"),
    ("ibm278", "IBM278"),
    ("ibm280", "IBM280"),
    ("ibm281", "IBM281"),
    ("ibm284", "IBM284"),
    ("ibm285", "IBM285"),
    ("ibm290", "IBM290"),
    ("ibm297", "IBM297"),
    ("ibm367", "US-ASCII"),
    ("ibm420", "IBM420"),
    ("ibm423", "IBM423"),
    ("ibm424", "IBM424"),
    ("ibm437", "IBM437"),
    ("ibm500", "IBM500"),
    ("ibm720", "IBM720"),
    ("ibm737", "IBM737"),
    ("ibm775", "IBM775"),
    ("ibm819", "ISO-8859-1"),
    ("ibm850", "IBM850"),
    ("ibm851", "IBM851"),
    ("ibm852", "IBM852"),
    ("ibm855", "IBM855"),
    ("ibm857", "IBM857"),
    ("ibm860", "IBM860"),
    ("ibm861", "IBM861"),
    ("ibm862", "IBM862"),
    ("ibm863", "IBM863"),
    ("ibm864", "IBM864"),
    ("ibm865", "IBM865"),
    ("ibm866", "IBM866"),
    ("ibm868", "IBM868"),
    ("ibm869", "IBM869"),
    ("ibm870", "IBM870"),
    ("ibm871", "IBM871"),
    ("ibm880", "IBM880"),
    ("ibm891", "IBM891"),
    ("ibm903", "IBM903"),
    ("ibm904", "IBM904"),
    ("ibm905", "IBM905"),
    ("ibm918", "IBM918"),
    ("ibm943", "Windows-31J"),
    ("iec_p27-1", "IEC_P27-1"),
    // ICU's name; it was never meant for text.
    ("imap-mailbox-name", "UTF-7-IMAP"),
    ("imap-utf-7", "UTF-7-IMAP"),
    ("imap4-utf-7", "UTF-7-IMAP"),
    // Emacs's.
    ("in-is13194-devanagari", "x-iscii-de"),
    ("inis", "INIS"),
    ("inis-8", "INIS-8"),
    ("inis-cyrillic", "INIS-cyrillic"),
    ("invariant", "INVARIANT"),
    ("irv", "ISO_646.irv:1983"),
    // Without a script, Devanagari is meant, as by Java's ISCII91.
    ("iscii", "x-iscii-de"),
    // iscii-bng to iscii-tml, and ibm-4902: ICU's.
    ("iscii-bng", "x-iscii-be"),
    ("iscii-dev", "x-iscii-de"),
    ("iscii-guj", "x-iscii-gu"),
    ("iscii-gur", "x-iscii-pa"),
    ("iscii-knd", "x-iscii-ka"),
    ("iscii-mlm", "x-iscii-ma"),
    ("iscii-ori", "x-iscii-or"),
    ("iscii-tlg", "x-iscii-te"),
    ("iscii-tml", "x-iscii-ta"),
    ("iscii91", "x-iscii-de"),
    // Names a body of standards, not a charset.
    ("iso", "UNKNOWN-8BIT"),
    // The registry's alias of a subset of ISO 10646 for which there is no decoder.
    ("iso-10646", "ISO-10646-Unicode-Latin1"),
    ("iso-10646-j-1", "ISO-10646-J-1"),
    // The Encoding Standard reads UTF-16LE; the registry says network order, and the octets decide,
    // see the charset.
    ("iso-10646-ucs-2", "ISO-10646-UCS-2"),
    ("iso-10646-ucs-4", "ISO-10646-UCS-4"),
    ("iso-10646-ucs-basic", "ISO-10646-UCS-Basic"),
    ("iso-10646-unicode-latin1", "ISO-10646-Unicode-Latin1"),
    ("iso-10646-utf-1", "ISO-10646-UTF-1"),
    // glibc's spelling.
    ("iso-10646/ucs2", "ISO-10646-UCS-2"),
    ("iso-10646/ucs4", "ISO-10646-UCS-4"),
    ("iso-11548-1", "ISO-11548-1"),
    // The Encoding Standard has `replacement`, see csiso2022kr.
    ("iso-2022-cn", "ISO-2022-CN"),
    // The Encoding Standard has `replacement`, see csiso2022kr.
    ("iso-2022-cn-ext", "ISO-2022-CN-EXT"),
    ("iso-2022-jp", "ISO-2022-JP"),
    ("iso-2022-jp-1", "ISO-2022-JP-1"),
    ("iso-2022-jp-2", "ISO-2022-JP-2"),
    ("iso-2022-jp-2004", "ISO-2022-JP-2004"),
    ("iso-2022-jp-3", "ISO-2022-JP-3"),
    ("iso-2022-jp-ms", "CP50220"),
    // The Encoding Standard has `replacement`, see csiso2022kr.
    ("iso-2022-kr", "ISO-2022-KR"),
    // The Encoding Standard reads windows-1252, and so does practice: the two differ in 80 to 9F
    // alone.
    ("iso-8859-1", "ISO-8859-1"),
    (
        "iso-8859-1-windows-3.0-latin-1",
        "ISO-8859-1-Windows-3.0-Latin-1",
    ),
    (
        "iso-8859-1-windows-3.1-latin-1",
        "ISO-8859-1-Windows-3.1-Latin-1",
    ),
    ("iso-8859-10", "ISO-8859-10"),
    // Never registered: TIS 620 with a no-break space at A0. The Encoding Standard reads
    // windows-874, and so does practice, which has both.
    ("iso-8859-11", "TIS-620"),
    ("iso-8859-13", "ISO-8859-13"),
    ("iso-8859-14", "ISO-8859-14"),
    ("iso-8859-15", "ISO-8859-15"),
    ("iso-8859-16", "ISO-8859-16"),
    ("iso-8859-2", "ISO-8859-2"),
    ("iso-8859-2-windows-latin-2", "ISO-8859-2-Windows-Latin-2"),
    ("iso-8859-3", "ISO-8859-3"),
    ("iso-8859-4", "ISO-8859-4"),
    ("iso-8859-5", "ISO-8859-5"),
    ("iso-8859-6", "ISO-8859-6"),
    // The same octets as ISO-8859-6 with the direction marked, see `Charset::direction`.
    ("iso-8859-6-e", "ISO-8859-6-E"),
    ("iso-8859-6-i", "ISO-8859-6-I"),
    ("iso-8859-7", "ISO-8859-7"),
    ("iso-8859-8", "ISO-8859-8"),
    // The same octets as ISO-8859-8 with the direction marked; the Encoding Standard keeps -I
    // apart.
    ("iso-8859-8-e", "ISO-8859-8-E"),
    ("iso-8859-8-i", "ISO-8859-8-I"),
    ("iso-8859-8i", "ISO-8859-8-I"),
    // The Encoding Standard reads windows-1254, and so does practice: the two differ in 80 to 9F
    // alone.
    ("iso-8859-9", "ISO-8859-9"),
    ("iso-8859-9-windows-latin-5", "ISO-8859-9-Windows-Latin-5"),
    ("iso-8859_1", "ISO-8859-1"),
    ("iso-8859_10", "ISO-8859-10"),
    ("iso-8859_11", "TIS-620"),
    ("iso-8859_13", "ISO-8859-13"),
    ("iso-8859_14", "ISO-8859-14"),
    ("iso-8859_15", "ISO-8859-15"),
    ("iso-8859_16", "ISO-8859-16"),
    ("iso-8859_2", "ISO-8859-2"),
    ("iso-8859_3", "ISO-8859-3"),
    ("iso-8859_4", "ISO-8859-4"),
    ("iso-8859_5", "ISO-8859-5"),
    ("iso-8859_6", "ISO-8859-6"),
    ("iso-8859_7", "ISO-8859-7"),
    ("iso-8859_8", "ISO-8859-8"),
    ("iso-8859_9", "ISO-8859-9"),
    ("iso-celtic", "ISO-8859-14"),
    ("iso-ir-10", "SEN_850200_B"),
    ("iso-ir-100", "ISO-8859-1"),
    ("iso-ir-101", "ISO-8859-2"),
    ("iso-ir-102", "T.61-7bit"),
    ("iso-ir-103", "T.61-8bit"),
    ("iso-ir-109", "ISO-8859-3"),
    ("iso-ir-11", "SEN_850200_C"),
    ("iso-ir-110", "ISO-8859-4"),
    ("iso-ir-111", "ECMA-cyrillic"),
    ("iso-ir-121", "CSA_Z243.4-1985-1"),
    ("iso-ir-122", "CSA_Z243.4-1985-2"),
    ("iso-ir-123", "CSA_Z243.4-1985-gr"),
    ("iso-ir-126", "ISO-8859-7"),
    ("iso-ir-127", "ISO-8859-6"),
    ("iso-ir-128", "T.101-G2"),
    ("iso-ir-13", "JIS_C6220-1969-jp"),
    ("iso-ir-138", "ISO-8859-8"),
    ("iso-ir-139", "CSN_369103"),
    ("iso-ir-14", "JIS_C6220-1969-ro"),
    ("iso-ir-141", "JUS_I.B1.002"),
    ("iso-ir-142", "ISO_6937-2-add"),
    ("iso-ir-143", "IEC_P27-1"),
    ("iso-ir-144", "ISO-8859-5"),
    ("iso-ir-146", "JUS_I.B1.003-serb"),
    ("iso-ir-147", "JUS_I.B1.003-mac"),
    ("iso-ir-148", "ISO-8859-9"),
    // See ks_c_5601-1987.
    ("iso-ir-149", "KS_C_5601-1987"),
    ("iso-ir-15", "IT"),
    ("iso-ir-150", "greek-ccitt"),
    ("iso-ir-151", "NC_NC00-10:81"),
    ("iso-ir-152", "ISO_6937-2-25"),
    ("iso-ir-153", "GOST_19768-74"),
    ("iso-ir-154", "ISO_8859-supp"),
    ("iso-ir-155", "ISO_10367-box"),
    ("iso-ir-157", "ISO-8859-10"),
    ("iso-ir-158", "latin-lap"),
    ("iso-ir-159", "JIS_X0212-1990"),
    ("iso-ir-16", "PT"),
    ("iso-ir-165", "CN-GB-ISOIR165"),
    ("iso-ir-166", "TIS-620"),
    ("iso-ir-17", "ES"),
    ("iso-ir-18", "greek7-old"),
    ("iso-ir-19", "latin-greek"),
    ("iso-ir-199", "ISO-8859-14"),
    ("iso-ir-2", "ISO_646.irv:1983"),
    ("iso-ir-21", "DIN_66003"),
    ("iso-ir-226", "ISO-8859-16"),
    ("iso-ir-25", "NF_Z_62-010_(1973)"),
    ("iso-ir-27", "Latin-greek-1"),
    ("iso-ir-37", "ISO_5427"),
    ("iso-ir-4", "BS_4730"),
    ("iso-ir-42", "JIS_C6226-1978"),
    ("iso-ir-47", "BS_viewdata"),
    ("iso-ir-49", "INIS"),
    ("iso-ir-50", "INIS-8"),
    ("iso-ir-51", "INIS-cyrillic"),
    ("iso-ir-54", "ISO_5427:1981"),
    ("iso-ir-55", "ISO_5428:1980"),
    ("iso-ir-57", "GB_1988-80"),
    // See chinese.
    ("iso-ir-58", "GB_2312-80"),
    ("iso-ir-6", "US-ASCII"),
    ("iso-ir-60", "NS_4551-1"),
    ("iso-ir-61", "NS_4551-2"),
    ("iso-ir-69", "NF_Z_62-010"),
    ("iso-ir-70", "videotex-suppl"),
    ("iso-ir-8-1", "NATS-SEFI"),
    ("iso-ir-8-2", "NATS-SEFI-ADD"),
    ("iso-ir-84", "PT2"),
    ("iso-ir-85", "ES2"),
    ("iso-ir-86", "MSZ_7795.3"),
    ("iso-ir-87", "JIS_C6226-1983"),
    ("iso-ir-88", "greek7"),
    ("iso-ir-89", "ASMO_449"),
    ("iso-ir-9-1", "NATS-DANO"),
    ("iso-ir-9-2", "NATS-DANO-ADD"),
    ("iso-ir-90", "iso-ir-90"),
    ("iso-ir-91", "JIS_C6229-1984-a"),
    ("iso-ir-92", "JIS_C6229-1984-b"),
    ("iso-ir-93", "JIS_C6229-1984-b-add"),
    ("iso-ir-94", "JIS_C6229-1984-hand"),
    ("iso-ir-95", "JIS_C6229-1984-hand-add"),
    ("iso-ir-96", "JIS_C6229-1984-kana"),
    ("iso-ir-98", "ISO_2033-1983"),
    ("iso-ir-99", "ANSI_X3.110-1983"),
    // Emacs's name.
    ("iso-latin-1", "ISO-8859-1"),
    ("iso-unicode-ibm-1261", "ISO-Unicode-IBM-1261"),
    ("iso-unicode-ibm-1264", "ISO-Unicode-IBM-1264"),
    ("iso-unicode-ibm-1265", "ISO-Unicode-IBM-1265"),
    ("iso-unicode-ibm-1268", "ISO-Unicode-IBM-1268"),
    ("iso-unicode-ibm-1276", "ISO-Unicode-IBM-1276"),
    ("iso2022cn", "ISO-2022-CN"),
    ("iso2022jp", "ISO-2022-JP"),
    ("iso2022kr", "ISO-2022-KR"),
    ("iso5427cyrillic1981", "ISO_5427:1981"),
    ("iso646-ca", "CSA_Z243.4-1985-1"),
    ("iso646-ca2", "CSA_Z243.4-1985-2"),
    ("iso646-cn", "GB_1988-80"),
    ("iso646-cu", "NC_NC00-10:81"),
    ("iso646-de", "DIN_66003"),
    ("iso646-dk", "DS_2089"),
    ("iso646-es", "ES"),
    ("iso646-es2", "ES2"),
    ("iso646-fi", "SEN_850200_B"),
    ("iso646-fr", "NF_Z_62-010"),
    ("iso646-fr1", "NF_Z_62-010_(1973)"),
    ("iso646-gb", "BS_4730"),
    ("iso646-hu", "MSZ_7795.3"),
    ("iso646-it", "IT"),
    ("iso646-jp", "JIS_C6220-1969-ro"),
    ("iso646-jp-ocr-b", "JIS_C6229-1984-b"),
    ("iso646-kr", "KSC5636"),
    ("iso646-no", "NS_4551-1"),
    ("iso646-no2", "NS_4551-2"),
    ("iso646-pt", "PT"),
    ("iso646-pt2", "PT2"),
    ("iso646-se", "SEN_850200_B"),
    ("iso646-se2", "SEN_850200_C"),
    ("iso646-us", "US-ASCII"),
    ("iso646-yu", "JUS_I.B1.002"),
    ("iso8859-1", "ISO-8859-1"),
    ("iso8859-10", "ISO-8859-10"),
    ("iso8859-11", "TIS-620"),
    ("iso8859-13", "ISO-8859-13"),
    ("iso8859-14", "ISO-8859-14"),
    ("iso8859-15", "ISO-8859-15"),
    ("iso8859-16", "ISO-8859-16"),
    ("iso8859-2", "ISO-8859-2"),
    ("iso8859-3", "ISO-8859-3"),
    ("iso8859-4", "ISO-8859-4"),
    ("iso8859-5", "ISO-8859-5"),
    ("iso8859-6", "ISO-8859-6"),
    ("iso8859-7", "ISO-8859-7"),
    ("iso8859-8", "ISO-8859-8"),
    ("iso8859-9", "ISO-8859-9"),
    ("iso88591", "ISO-8859-1"),
    ("iso885910", "ISO-8859-10"),
    ("iso885911", "TIS-620"),
    ("iso885913", "ISO-8859-13"),
    ("iso885914", "ISO-8859-14"),
    ("iso885915", "ISO-8859-15"),
    ("iso885916", "ISO-8859-16"),
    ("iso88592", "ISO-8859-2"),
    ("iso88593", "ISO-8859-3"),
    ("iso88594", "ISO-8859-4"),
    ("iso88595", "ISO-8859-5"),
    ("iso88596", "ISO-8859-6"),
    ("iso88597", "ISO-8859-7"),
    ("iso88598", "ISO-8859-8"),
    ("iso88599", "ISO-8859-9"),
    ("iso8859_1", "ISO-8859-1"),
    ("iso8859_10", "ISO-8859-10"),
    ("iso8859_11", "TIS-620"),
    ("iso8859_13", "ISO-8859-13"),
    ("iso8859_14", "ISO-8859-14"),
    ("iso8859_15", "ISO-8859-15"),
    ("iso8859_16", "ISO-8859-16"),
    ("iso8859_2", "ISO-8859-2"),
    ("iso8859_3", "ISO-8859-3"),
    ("iso8859_4", "ISO-8859-4"),
    ("iso8859_5", "ISO-8859-5"),
    ("iso8859_6", "ISO-8859-6"),
    ("iso8859_7", "ISO-8859-7"),
    ("iso8859_8", "ISO-8859-8"),
    ("iso8859_9", "ISO-8859-9"),
    ("iso_10367-box", "ISO_10367-box"),
    ("iso_11548-1", "ISO-11548-1"),
    ("iso_2022_jp", "ISO-2022-JP"),
    ("iso_2033-1983", "ISO_2033-1983"),
    ("iso_5427", "ISO_5427"),
    ("iso_5427:1981", "ISO_5427:1981"),
    ("iso_5428:1980", "ISO_5428:1980"),
    ("iso_646.basic:1983", "ISO_646.basic:1983"),
    ("iso_646.irv:1983", "ISO_646.irv:1983"),
    ("iso_646.irv:1991", "US-ASCII"),
    ("iso_6937-2-25", "ISO_6937-2-25"),
    ("iso_6937-2-add", "ISO_6937-2-add"),
    ("iso_8859-1", "ISO-8859-1"),
    ("iso_8859-10", "ISO-8859-10"),
    ("iso_8859-10:1992", "ISO-8859-10"),
    ("iso_8859-11", "TIS-620"),
    ("iso_8859-13", "ISO-8859-13"),
    ("iso_8859-14", "ISO-8859-14"),
    ("iso_8859-14:1998", "ISO-8859-14"),
    ("iso_8859-15", "ISO-8859-15"),
    ("iso_8859-16", "ISO-8859-16"),
    ("iso_8859-16:2001", "ISO-8859-16"),
    ("iso_8859-1:1987", "ISO-8859-1"),
    ("iso_8859-2", "ISO-8859-2"),
    ("iso_8859-2:1987", "ISO-8859-2"),
    ("iso_8859-3", "ISO-8859-3"),
    ("iso_8859-3:1988", "ISO-8859-3"),
    ("iso_8859-4", "ISO-8859-4"),
    ("iso_8859-4:1988", "ISO-8859-4"),
    ("iso_8859-5", "ISO-8859-5"),
    ("iso_8859-5:1988", "ISO-8859-5"),
    ("iso_8859-6", "ISO-8859-6"),
    ("iso_8859-6-e", "ISO-8859-6-E"),
    ("iso_8859-6-i", "ISO-8859-6-I"),
    ("iso_8859-6:1987", "ISO-8859-6"),
    ("iso_8859-7", "ISO-8859-7"),
    ("iso_8859-7:1987", "ISO-8859-7"),
    ("iso_8859-8", "ISO-8859-8"),
    ("iso_8859-8-e", "ISO-8859-8-E"),
    ("iso_8859-8-i", "ISO-8859-8-I"),
    ("iso_8859-8:1988", "ISO-8859-8"),
    ("iso_8859-9", "ISO-8859-9"),
    ("iso_8859-9:1989", "ISO-8859-9"),
    ("iso_8859-supp", "ISO_8859-supp"),
    ("iso_8859_1", "ISO-8859-1"),
    ("iso_8859_10", "ISO-8859-10"),
    ("iso_8859_11", "TIS-620"),
    ("iso_8859_13", "ISO-8859-13"),
    ("iso_8859_14", "ISO-8859-14"),
    ("iso_8859_15", "ISO-8859-15"),
    ("iso_8859_16", "ISO-8859-16"),
    ("iso_8859_2", "ISO-8859-2"),
    ("iso_8859_3", "ISO-8859-3"),
    ("iso_8859_4", "ISO-8859-4"),
    ("iso_8859_5", "ISO-8859-5"),
    ("iso_8859_6", "ISO-8859-6"),
    ("iso_8859_7", "ISO-8859-7"),
    ("iso_8859_8", "ISO-8859-8"),
    ("iso_8859_9", "ISO-8859-9"),
    ("iso_9036", "ASMO_449"),
    ("iso_tr_11548-1", "ISO-11548-1"),
    ("it", "IT"),
    // What Java, ICU and PHP call 7-bit Japanese; not jis_encoding, which names a family.
    ("jis", "ISO-2022-JP"),
    ("jis0201", "JIS_X0201"),
    ("jis_c6220-1969", "JIS_C6220-1969-jp"),
    ("jis_c6220-1969-jp", "JIS_C6220-1969-jp"),
    ("jis_c6220-1969-ro", "JIS_C6220-1969-ro"),
    ("jis_c6226-1978", "JIS_C6226-1978"),
    ("jis_c6226-1983", "JIS_C6226-1983"),
    ("jis_c6229-1984-a", "JIS_C6229-1984-a"),
    ("jis_c6229-1984-b", "JIS_C6229-1984-b"),
    ("jis_c6229-1984-b-add", "JIS_C6229-1984-b-add"),
    ("jis_c6229-1984-hand", "JIS_C6229-1984-hand"),
    ("jis_c6229-1984-hand-add", "JIS_C6229-1984-hand-add"),
    ("jis_c6229-1984-kana", "JIS_C6229-1984-kana"),
    ("jis_encoding", "JIS_Encoding"),
    ("jis_x0201", "JIS_X0201"),
    ("jis_x0208-1983", "JIS_C6226-1983"),
    ("jis_x0212-1990", "JIS_X0212-1990"),
    // KS C 5601-1992, annex 3; never registered.
    ("johab", "JOHAB"),
    ("jp", "JIS_C6220-1969-ro"),
    ("jp-ocr-a", "JIS_C6229-1984-a"),
    ("jp-ocr-b", "JIS_C6229-1984-b"),
    ("jp-ocr-b-add", "JIS_C6229-1984-b-add"),
    ("jp-ocr-hand", "JIS_C6229-1984-hand"),
    ("jp-ocr-hand-add", "JIS_C6229-1984-hand-add"),
    ("js", "JUS_I.B1.002"),
    ("jus_i.b1.002", "JUS_I.B1.002"),
    ("jus_i.b1.003-mac", "JUS_I.B1.003-mac"),
    ("jus_i.b1.003-serb", "JUS_I.B1.003-serb"),
    ("katakana", "JIS_C6220-1969-jp"),
    ("ko_kr.euc", "EUC-KR"),
    // The Encoding Standard's alias, and Mail.Ru's.
    ("koi", "KOI8-R"),
    ("koi7-switched", "KOI7-switched"),
    ("koi8", "KOI8-R"),
    ("koi8-e", "ECMA-cyrillic"),
    ("koi8-r", "KOI8-R"),
    // The Encoding Standard reads KOI8-U; KOI8-RU differs from RFC 2319 in AE and BE, and its table
    // is its own here.
    ("koi8-ru", "KOI8-RU"),
    ("koi8-t", "KOI8-T"),
    ("koi8-u", "KOI8-U"),
    ("koi8_r", "KOI8-R"),
    ("koi8_u", "KOI8-U"),
    ("koi8r", "KOI8-R"),
    ("koi8u", "KOI8-U"),
    // See ks_c_5601-1987.
    ("korean", "KS_C_5601-1987"),
    ("korean-euc", "EUC-KR"),
    // The registered charset is the bare set of characters; the Encoding Standard reads EUC-KR, and
    // so does practice, see `Charset::as_practised`.
    ("ks_c_5601-1987", "KS_C_5601-1987"),
    // See ks_c_5601-1987.
    ("ks_c_5601-1989", "KS_C_5601-1987"),
    ("ks_c_5861-1992", "EUC-KR"),
    ("ksc-5601", "KS_C_5601-1987"),
    ("ksc-5601-1987", "KS_C_5601-1987"),
    // See ks_c_5601-1987.
    ("ksc5601", "KS_C_5601-1987"),
    ("ksc5636", "KSC5636"),
    // See ks_c_5601-1987.
    ("ksc_5601", "KS_C_5601-1987"),
    ("kz-1048", "KZ-1048"),
    ("l1", "ISO-8859-1"),
    ("l10", "ISO-8859-16"),
    ("l2", "ISO-8859-2"),
    ("l3", "ISO-8859-3"),
    ("l4", "ISO-8859-4"),
    ("l5", "ISO-8859-9"),
    ("l6", "ISO-8859-10"),
    ("l8", "ISO-8859-14"),
    ("l9", "ISO-8859-15"),
    ("lap", "latin-lap"),
    ("latin-1", "ISO-8859-1"),
    ("latin-9", "ISO-8859-15"),
    ("latin-greek", "latin-greek"),
    ("latin-greek-1", "Latin-greek-1"),
    ("latin-lap", "latin-lap"),
    ("latin1", "ISO-8859-1"),
    ("latin1-2-5", "ISO_8859-supp"),
    ("latin10", "ISO-8859-16"),
    ("latin2", "ISO-8859-2"),
    ("latin3", "ISO-8859-3"),
    ("latin4", "ISO-8859-4"),
    ("latin5", "ISO-8859-9"),
    ("latin6", "ISO-8859-10"),
    ("latin7", "ISO-8859-13"),
    ("latin8", "ISO-8859-14"),
    ("latin9", "ISO-8859-15"),
    ("latin_1", "ISO-8859-1"),
    ("logical", "ISO-8859-8-I"),
    ("mac", "macintosh"),
    ("mac-cyrillic", "x-mac-cyrillic"),
    ("mac-hebrew", "x-mac-hebrew"),
    ("mac-roman", "macintosh"),
    ("macarabic", "x-mac-arabic"),
    ("maccentraleurope", "x-mac-ce"),
    ("maccentraleurroman", "x-mac-ce"),
    ("maccroatian", "x-mac-croatian"),
    ("maccyrillic", "x-mac-cyrillic"),
    ("macedonian", "JUS_I.B1.003-mac"),
    ("macfarsi", "x-mac-farsi"),
    ("macgreek", "x-mac-greek"),
    ("machebrew", "x-mac-hebrew"),
    ("maciceland", "x-mac-icelandic"),
    ("macicelandic", "x-mac-icelandic"),
    ("macintosh", "macintosh"),
    ("maclatin2", "x-mac-ce"),
    ("macroman", "macintosh"),
    ("macromania", "x-mac-romanian"),
    ("macromanian", "x-mac-romanian"),
    ("macturkish", "x-mac-turkish"),
    // libiconv's and ICU's name; the Encoding Standard's x-mac-cyrillic is this one.
    ("macukraine", "x-mac-cyrillic"),
    ("macukrainian", "x-mac-cyrillic"),
    ("microsoft-publishing", "Microsoft-Publishing"),
    ("mik", "MIK"),
    ("mnem", "MNEM"),
    ("mnemonic", "MNEMONIC"),
    // glibc's and libiconv's names for the code pages of Windows.
    ("ms-ansi", "windows-1252"),
    ("ms-arab", "windows-1256"),
    ("ms-cyrl", "windows-1251"),
    ("ms-ee", "windows-1250"),
    ("ms-greek", "windows-1253"),
    ("ms-hebr", "windows-1255"),
    ("ms-turk", "windows-1254"),
    ("ms1361", "JOHAB"),
    ("ms874", "windows-874"),
    // See cp932.
    ("ms932", "Windows-31J"),
    ("ms936", "GBK"),
    ("ms949", "EUC-KR"),
    ("ms950", "Big5"),
    ("ms950_hkscs", "Big5-HKSCS"),
    ("ms_kanji", "Shift_JIS"),
    ("msz_7795.3", "MSZ_7795.3"),
    ("naplps", "ANSI_X3.110-1983"),
    ("nats-dano", "NATS-DANO"),
    ("nats-dano-add", "NATS-DANO-ADD"),
    ("nats-sefi", "NATS-SEFI"),
    ("nats-sefi-add", "NATS-SEFI-ADD"),
    ("nc_nc00-10:81", "NC_NC00-10:81"),
    ("nextstep", "NEXTSTEP"),
    ("nf_z_62-010", "NF_Z_62-010"),
    ("nf_z_62-010_(1973)", "NF_Z_62-010_(1973)"),
    ("no", "NS_4551-1"),
    ("no2", "NS_4551-2"),
    // A program's word for no value.
    ("none", "UNKNOWN-8BIT"),
    ("ns_4551-1", "NS_4551-1"),
    ("ns_4551-2", "NS_4551-2"),
    // null and undefined: a program's variable that was never set.
    ("null", "UNKNOWN-8BIT"),
    ("osd_ebcdic_df03_irv", "OSD_EBCDIC_DF03_IRV"),
    ("osd_ebcdic_df04_1", "OSD_EBCDIC_DF04_1"),
    ("osd_ebcdic_df04_15", "OSD_EBCDIC_DF04_15"),
    ("pc-multilingual-850+euro", "IBM00858"),
    ("pc8-danish-norwegian", "PC8-Danish-Norwegian"),
    ("pc8-turkish", "PC8-Turkish"),
    // What Solaris calls its Japanese PC locale.
    ("pck", "Shift_JIS"),
    ("pt", "PT"),
    ("pt154", "PTCP154"),
    ("pt2", "PT2"),
    ("ptcp154", "PTCP154"),
    ("r8", "hp-roman8"),
    ("ref", "ISO_646.basic:1983"),
    // Names no charset: the Encoding Standard's way to refuse text.
    ("replacement", "UNKNOWN-8BIT"),
    ("rk1048", "KZ-1048"),
    ("roman8", "hp-roman8"),
    ("ruscii", "CP1125"),
    ("s_jis", "Shift_JIS"),
    ("scsu", "SCSU"),
    ("se", "SEN_850200_B"),
    ("se2", "SEN_850200_C"),
    ("sen_850200_b", "SEN_850200_B"),
    ("sen_850200_c", "SEN_850200_C"),
    ("serbian", "JUS_I.B1.003-serb"),
    ("shift-jis", "Shift_JIS"),
    ("shift-jisx0213", "Shift_JIS-2004"),
    ("shift_jis", "Shift_JIS"),
    ("shift_jis-2004", "Shift_JIS-2004"),
    ("shift_jis_2004", "Shift_JIS-2004"),
    ("shift_jisx0213", "Shift_JIS-2004"),
    ("shiftjis", "Shift_JIS"),
    ("shiftjis2004", "Shift_JIS-2004"),
    ("shiftjisx0213", "Shift_JIS-2004"),
    ("sjis", "Shift_JIS"),
    // sjis-0 and sjis-1: the X Window System's names.
    ("sjis-0", "Shift_JIS"),
    ("sjis-1", "Shift_JIS"),
    ("sjis-2004", "Shift_JIS-2004"),
    ("sjis-ascii", "Shift_JIS"),
    // PHP's; the Macintosh's vendor characters are not told apart.
    ("sjis-mac", "Shift_JIS"),
    // sjis-open and sjis-win: libiconv's and PHP's names for code page 932.
    ("sjis-open", "Windows-31J"),
    ("sjis-win", "Windows-31J"),
    ("sjisx0213", "Shift_JIS-2004"),
    ("st_sev_358-88", "GOST_19768-74"),
    ("strk1048-2002", "KZ-1048"),
    ("sun_eu_greek", "ISO-8859-7"),
    ("t.101-g2", "T.101-G2"),
    ("t.61", "T.61-8bit"),
    ("t.61-7bit", "T.61-7bit"),
    ("t.61-8bit", "T.61-8bit"),
    ("tcvn", "TCVN"),
    ("tcvn-0", "TCVN"),
    ("tcvn-5712", "TCVN"),
    ("tcvn5712-1", "TCVN"),
    ("tcvn5712-1:1993", "TCVN"),
    // The Encoding Standard reads windows-874, and so does practice.
    ("tis-620", "TIS-620"),
    ("tis620", "TIS-620"),
    ("tis620-0", "TIS-620"),
    ("tis620.2533", "TIS-620"),
    ("tis620.2533-0", "TIS-620"),
    ("tscii", "TSCII"),
    // See iso-10646-ucs-2.
    ("ucs-2", "ISO-10646-UCS-2"),
    // ucs-2be to ucs-4le, of libiconv and PHP: their octet order is fixed.
    ("ucs-2be", "UTF-16BE"),
    ("ucs-2le", "UTF-16LE"),
    ("ucs-4", "ISO-10646-UCS-4"),
    ("ucs-4be", "UTF-32BE"),
    ("ucs-4le", "UTF-32LE"),
    ("ucs2", "ISO-10646-UCS-2"),
    ("ucs4", "ISO-10646-UCS-4"),
    ("uhc", "EUC-KR"),
    ("ujis", "EUC-JP"),
    ("uk", "BS_4730"),
    ("undefined", "UNKNOWN-8BIT"),
    // The Encoding Standard reads UTF-16LE, and who wrote it meant that; but a mark decides, and so
    // do octets that make sense in the other order alone.
    ("unicode", "unicode"),
    ("unicode-1-1", "UNICODE-1-1"),
    // By analogy with the two names below that exist; not met yet.
    ("unicode-1-1-ucs-2", "UNICODE-1-1"),
    ("unicode-1-1-ucs2", "UNICODE-1-1"),
    ("unicode-1-1-utf-7", "UNICODE-1-1-UTF-7"),
    // RFC 2279, section 5. The Encoding Standard reads UTF-8, which leaves Hangul coded before
    // Amendment 5 as CJK ideographs.
    ("unicode-1-1-utf-8", "UNICODE-1-1-UTF-8"),
    // unicode-2-0-utf-7 and -utf-8: Netscape's and Microsoft's, after Amendment 5, so nothing is
    // remapped.
    ("unicode-2-0-utf-7", "UTF-7"),
    ("unicode-2-0-utf-8", "UTF-8"),
    // See unicode-1-1-utf-8.
    ("unicode11utf8", "UNICODE-1-1-UTF-8"),
    ("unicode20utf8", "UTF-8"),
    // unicodebig and unicodelittle: Java's, of fixed order.
    ("unicodebig", "UTF-16BE"),
    // The Encoding Standard's alias of UTF-16LE, after Microsoft; the name says how the mark looks
    // to a little-endian reader.
    ("unicodefeff", "UTF-16LE"),
    ("unicodefffe", "UTF-16BE"),
    ("unicodelittle", "UTF-16LE"),
    // unknown and unknown-8bit: RFC 1428 has the second, gateways and mailing programs both.
    ("unknown", "UNKNOWN-8BIT"),
    ("unknown-8bit", "UNKNOWN-8BIT"),
    // An alias of the registry; like its other short ones it is compared exactly, never loosely.
    ("us", "US-ASCII"),
    // The Encoding Standard reads windows-1252, see ansi_x3.4-1968.
    ("us-ascii", "US-ASCII"),
    ("us-dk", "us-dk"),
    // Netscape's menu item, see x-user-defined.
    ("user-defined", "UNKNOWN-8BIT"),
    // The name RFC 2044 uses.
    ("utf-1", "ISO-10646-UTF-1"),
    // The Encoding Standard reads UTF-16LE; RFC 2781 lets the byte order mark decide.
    ("utf-16", "UTF-16"),
    ("utf-16be", "UTF-16BE"),
    ("utf-16le", "UTF-16LE"),
    ("utf-32", "UTF-32"),
    ("utf-32be", "UTF-32BE"),
    ("utf-32le", "UTF-32LE"),
    ("utf-7", "UTF-7"),
    ("utf-7-imap", "UTF-7-IMAP"),
    ("utf-8", "UTF-8"),
    // What editors call UTF-8 with a byte order mark.
    ("utf-8-bom", "UTF-8"),
    // libiconv's; the text is decomposed and stays so.
    ("utf-8-mac", "UTF-8"),
    // Python's.
    ("utf-8-sig", "UTF-8"),
    // A semicolon that belongs to the field; GMime and others list it.
    ("utf-8;", "UTF-8"),
    ("utf16", "UTF-16"),
    ("utf16be", "UTF-16BE"),
    ("utf16le", "UTF-16LE"),
    ("utf32", "UTF-32"),
    ("utf32be", "UTF-32BE"),
    ("utf32le", "UTF-32LE"),
    ("utf7", "UTF-7"),
    ("utf7-imap", "UTF-7-IMAP"),
    ("utf8", "UTF-8"),
    ("utf8-bom", "UTF-8"),
    // utf8mb3 and utf8mb4: MySQL's.
    ("utf8mb3", "UTF-8"),
    ("utf8mb4", "UTF-8"),
    ("utf_16", "UTF-16"),
    ("utf_16_be", "UTF-16BE"),
    ("utf_16_le", "UTF-16LE"),
    ("utf_32", "UTF-32"),
    ("utf_32_be", "UTF-32BE"),
    ("utf_32_le", "UTF-32LE"),
    ("utf_7", "UTF-7"),
    ("utf_8", "UTF-8"),
    ("ventura-international", "Ventura-International"),
    ("ventura-math", "Ventura-Math"),
    ("ventura-us", "Ventura-US"),
    ("videotex-suppl", "videotex-suppl"),
    ("viqr", "VIQR"),
    ("viscii", "VISCII"),
    ("viscii1.1-1", "VISCII"),
    // The Encoding Standard's name.
    ("visual", "ISO-8859-8"),
    ("vps", "VPS"),
    ("win-1251", "windows-1251"),
    ("win1251", "windows-1251"),
    ("winbaltrim", "windows-1257"),
    ("windows-1250", "windows-1250"),
    ("windows-1251", "windows-1251"),
    ("windows-1252", "windows-1252"),
    ("windows-1253", "windows-1253"),
    ("windows-1254", "windows-1254"),
    ("windows-1255", "windows-1255"),
    ("windows-1256", "windows-1256"),
    ("windows-1257", "windows-1257"),
    ("windows-1258", "windows-1258"),
    // The Encoding Standard has one Shift_JIS, see cp932.
    ("windows-31j", "Windows-31J"),
    ("windows-57002", "x-iscii-de"),
    ("windows-57003", "x-iscii-be"),
    ("windows-57004", "x-iscii-ta"),
    ("windows-57005", "x-iscii-te"),
    ("windows-57006", "x-iscii-as"),
    ("windows-57007", "x-iscii-or"),
    ("windows-57008", "x-iscii-ka"),
    ("windows-57009", "x-iscii-ma"),
    ("windows-57010", "x-iscii-gu"),
    ("windows-57011", "x-iscii-pa"),
    ("windows-874", "windows-874"),
    ("windows-932", "Windows-31J"),
    ("windows-936", "GBK"),
    ("windows-949", "EUC-KR"),
    ("windows-950", "Big5"),
    ("windows1252", "windows-1252"),
    ("windows949", "EUC-KR"),
    ("windows_1250", "windows-1250"),
    ("windows_1251", "windows-1251"),
    ("windows_1252", "windows-1252"),
    ("windows_1253", "windows-1253"),
    ("windows_1254", "windows-1254"),
    ("windows_1255", "windows-1255"),
    ("windows_1256", "windows-1256"),
    ("windows_1257", "windows-1257"),
    ("windows_1258", "windows-1258"),
    // What Microsoft's programs called windows-1252.
    ("x-ansi", "windows-1252"),
    ("x-big5", "Big5"),
    ("x-cp1250", "windows-1250"),
    ("x-cp1251", "windows-1251"),
    ("x-cp1252", "windows-1252"),
    ("x-cp1253", "windows-1253"),
    ("x-cp1254", "windows-1254"),
    ("x-cp1255", "windows-1255"),
    ("x-cp1256", "windows-1256"),
    ("x-cp1257", "windows-1257"),
    ("x-cp1258", "windows-1258"),
    ("x-euc", "EUC-JP"),
    ("x-euc-cn", "GB2312"),
    ("x-euc-jp", "EUC-JP"),
    ("x-euc-kr", "EUC-KR"),
    ("x-euc-tw", "EUC-TW"),
    ("x-eucjp", "EUC-JP"),
    ("x-gbk", "GBK"),
    ("x-hz", "HZ-GB-2312"),
    // x-ia5 to x-ia5-swedish: Microsoft's, whose table of aliases has IRV, DIN_66003, NS_4551-1
    // and SEN_850200_B for them.
    ("x-ia5", "ISO_646.irv:1983"),
    ("x-ia5-german", "DIN_66003"),
    ("x-ia5-norwegian", "NS_4551-1"),
    ("x-ia5-swedish", "SEN_850200_B"),
    ("x-ibm737", "IBM737"),
    ("x-imap4-modified-utf7", "UTF-7-IMAP"),
    ("x-iscii", "x-iscii-de"),
    // x-iscii-as to x-iscii-te: Microsoft's, by language.
    ("x-iscii-as", "x-iscii-as"),
    ("x-iscii-be", "x-iscii-be"),
    ("x-iscii-de", "x-iscii-de"),
    ("x-iscii-gu", "x-iscii-gu"),
    ("x-iscii-ka", "x-iscii-ka"),
    ("x-iscii-ma", "x-iscii-ma"),
    ("x-iscii-or", "x-iscii-or"),
    ("x-iscii-pa", "x-iscii-pa"),
    ("x-iscii-ta", "x-iscii-ta"),
    ("x-iscii-te", "x-iscii-te"),
    ("x-iscii91", "x-iscii-de"),
    ("x-iso-8859-11", "TIS-620"),
    ("x-johab", "JOHAB"),
    ("x-mac-arabic", "x-mac-arabic"),
    ("x-mac-ce", "x-mac-ce"),
    ("x-mac-centraleurroman", "x-mac-ce"),
    ("x-mac-croatian", "x-mac-croatian"),
    ("x-mac-cyrillic", "x-mac-cyrillic"),
    ("x-mac-farsi", "x-mac-farsi"),
    ("x-mac-greek", "x-mac-greek"),
    ("x-mac-hebrew", "x-mac-hebrew"),
    ("x-mac-icelandic", "x-mac-icelandic"),
    ("x-mac-roman", "macintosh"),
    ("x-mac-romanian", "x-mac-romanian"),
    ("x-mac-turkish", "x-mac-turkish"),
    ("x-mac-ukrainian", "x-mac-cyrillic"),
    // Java's.
    ("x-machebrew", "x-mac-hebrew"),
    ("x-macroman", "macintosh"),
    // See cp932.
    ("x-ms-cp932", "Windows-31J"),
    ("x-sjis", "Shift_JIS"),
    ("x-unicode-2-0-utf-7", "UTF-7"),
    ("x-unicode-2-0-utf-8", "UTF-8"),
    ("x-unicode20utf8", "UTF-8"),
    // Pine's, for text it could not name.
    ("x-unknown", "UNKNOWN-8BIT"),
    // As the Encoding Standard has it, octets above 7F in the Private Use Area. In mail the label
    // is the menu item of Netscape and Outlook Express for text in whatever the font has: it
    // says nothing there (`Charset::names_nothing`).
    ("x-user-defined", "x-user-defined"),
    ("x-viet-tcvn5712", "TCVN"),
    // Netscape's and Mozilla's.
    ("x-viet-vps", "VPS"),
    ("x-windows-874", "windows-874"),
    ("x-windows-949", "EUC-KR"),
    ("x-windows-950", "Big5"),
    ("x-windows-iso2022jp", "CP50220"),
    ("x-x-big5", "Big5"),
    ("x0201", "JIS_X0201"),
    ("x0201-7", "JIS_C6220-1969-jp"),
    ("x0208", "JIS_C6226-1983"),
    ("x0212", "JIS_X0212-1990"),
    ("yu", "JUS_I.B1.002"),
    ("zh_cn.euc", "GB2312"),
    ("zh_tw-big5", "Big5"),
];

/// The charset of each row of [`LABELS`].
#[expect(clippy::indexing_slicing, reason = "runs while compiling")]
pub(super) static TARGETS: [Charset; LABELS.len()] = {
    let mut targets = [Charset(0); LABELS.len()];
    let mut row = 0;
    while row < LABELS.len() {
        targets[row] = named(LABELS[row].1);
        row += 1;
    }
    targets
};

/// The labels of all rows.
static TEXTS: Texts = JOINED.texts();
static JOINED: Joined<{ LABELS.len() }, { length() }> = joined();

#[expect(clippy::indexing_slicing, reason = "runs while compiling")]
const fn joined<const COUNT: usize, const LENGTH: usize>() -> Joined<COUNT, LENGTH> {
    let mut joined = Joined::new();
    let mut row = 0;
    while row < LABELS.len() {
        joined.push(LABELS[row].0);
        row += 1;
    }
    joined
}

/// How many octets the labels have together.
#[expect(clippy::indexing_slicing, reason = "runs while compiling")]
const fn length() -> usize {
    let (mut length, mut row) = (0, 0);
    while row < LABELS.len() {
        length += LABELS[row].0.len();
        row += 1;
    }
    length
}

/// The label of a row of [`LABELS`].
pub(super) fn label(row: usize) -> Option<&'static str> {
    TEXTS.get(row)
}

/// The labels of all rows, in their order.
pub(super) fn labels() -> impl Iterator<Item = &'static str> {
    (0..TARGETS.len()).map_while(label)
}

#[cfg(test)]
mod tests {
    use super::{BY_KEY, Key, LABELS, exact, loose};

    #[test]
    fn labels_are_sorted_unique_and_fit() {
        assert!(LABELS.is_sorted_by(|(a, _), (b, _)| a < b));
        for (row, (label, _)) in LABELS.iter().enumerate() {
            assert_eq!(*label, label.to_ascii_lowercase());
            assert_eq!(exact(label.as_bytes()), Some(row));
            assert!(Key::of(label.as_bytes()).is_some());
        }
        assert_eq!(BY_KEY.len(), LABELS.len());
    }

    #[test]
    fn keys_are_those_of_uts_22() {
        // The examples of UTS #22, section 1.4: "UTF-8", "utf8", "u.t.f-008" match, "utf-80"
        // and "ut8" do not.
        let key = |label: &str| Key::of(label.as_bytes()).unwrap();
        assert_eq!(key("UTF-8"), key("utf8"));
        assert_eq!(key("UTF-8"), key("u.t.f-008"));
        assert_ne!(key("UTF-8"), key("utf-80"));
        assert_ne!(key("UTF-8"), key("ut8"));
    }

    #[test]
    fn what_is_loose_and_what_is_damage() {
        let found = |label: &str| loose(label.as_bytes()).map(|row| LABELS[row].0);
        assert_eq!(found("UTF 8"), Some("utf-8"));
        assert_eq!(found("Windows.1251"), Some("windows-1251"));
        assert_eq!(found("IsoIr91"), None, "JIS_C6229-1984-a or NATS-DANO");
        assert_eq!(found("u-s"), None);
        assert_eq!(found("\"utf-8\""), None);
        assert_eq!(found(".utf-8"), None);
    }
}
