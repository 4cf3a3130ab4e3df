//! Which charsets are weighed, how common each is, and the languages it was sent in.

use super::tables::{
    AR, BE, BG, CA, CS, CY, Characters, DA, DE, EL, EN, EO, ES, ET, FA, FI, FR, GA, HE, HR, HU, IS,
    IT, JA, KO, LT, LV, Letters, MK, NL, PL, PT, RO, RU, SK, SQ, SR, SV, TH, TR, UK, VI, ZH_HANS,
    ZH_HANT,
};

/// The frequencies of a language.
#[derive(Debug, Clone, Copy)]
pub(super) enum Language {
    /// Written with letters.
    Letters(&'static Letters),
    /// Written with thousands of characters.
    Characters(&'static Characters),
}

/// A charset that octets may be in.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) label: &'static str,
    /// What it costs to assume it, in quarters of a bit: how much rarer it is in mail.
    pub(super) rarity: i32,
    pub(super) languages: &'static [Language],
}

use Language::{Characters as C, Letters as L};

const WESTERN: &[Language] = &[
    L(&EN),
    L(&DE),
    L(&FR),
    L(&ES),
    L(&IT),
    L(&PT),
    L(&NL),
    L(&DA),
    L(&SV),
    L(&FI),
    L(&IS),
    L(&CA),
    L(&ET),
    L(&SQ),
    L(&GA),
];
const CENTRAL: &[Language] = &[
    L(&PL),
    L(&CS),
    L(&HU),
    L(&RO),
    L(&HR),
    L(&SK),
    L(&SQ),
    L(&DE),
];
const BALTIC: &[Language] = &[L(&LT), L(&LV), L(&ET)];
const TURKISH: &[Language] = &[L(&TR)];
const CYRILLIC: &[Language] = &[L(&RU), L(&UK), L(&BG), L(&SR), L(&BE), L(&MK)];
const GREEK: &[Language] = &[L(&EL)];
const HEBREW: &[Language] = &[L(&HE)];
const ARABIC: &[Language] = &[L(&AR), L(&FA)];
const EAST_ASIAN: &[Language] = &[C(&ZH_HANS), C(&ZH_HANT), C(&JA), C(&KO)];

const fn row(label: &'static str, rarity: i32, languages: &'static [Language]) -> Candidate {
    Candidate {
        label,
        rarity,
        languages,
    }
}

/// The candidates, those first that are preferred where both give the same text.
pub(super) static CANDIDATES: &[Candidate] = &[
    row("windows-1252", 0, WESTERN),
    row("GB18030", 4, &[C(&ZH_HANS), C(&ZH_HANT)]),
    row("windows-1251", 2, CYRILLIC),
    // Where both give the same text it is KOI8-U, whose further letters are likelier than the
    // frames that KOI8-R has in their place.
    row("KOI8-U", 4, CYRILLIC),
    row("KOI8-R", 5, &[L(&RU), L(&BG)]),
    row("EUC-KR", 2, &[C(&KO)]),
    row("Shift_JIS", 2, &[C(&JA)]),
    row("EUC-JP", 4, &[C(&JA)]),
    row("Big5", 2, &[C(&ZH_HANT)]),
    row("windows-1250", 4, CENTRAL),
    row("ISO-8859-2", 4, CENTRAL),
    row("windows-1253", 2, GREEK),
    row("ISO-8859-7", 2, GREEK),
    row("windows-1254", 4, TURKISH),
    row("windows-1255", 2, HEBREW),
    row("ISO-8859-8", 4, HEBREW),
    row("windows-1256", 4, ARABIC),
    row("ISO-8859-6", 6, &[L(&AR)]),
    row("windows-1257", 6, BALTIC),
    row("ISO-8859-13", 8, BALTIC),
    row("ISO-8859-4", 10, BALTIC),
    row("windows-1258", 4, &[L(&VI)]),
    row("windows-874", 4, &[L(&TH)]),
    row("ISO-8859-15", 6, WESTERN),
    row("ISO-8859-5", 6, CYRILLIC),
    row("IBM866", 8, CYRILLIC),
    // Beyond what chardetng knows.
    row("macintosh", 16, WESTERN),
    row("x-mac-cyrillic", 16, CYRILLIC),
    row("x-mac-ce", 20, CENTRAL),
    row("x-mac-greek", 24, GREEK),
    row("x-mac-turkish", 24, TURKISH),
    row("IBM850", 16, WESTERN),
    row("IBM437", 20, WESTERN),
    row("IBM852", 16, CENTRAL),
    row("IBM855", 24, CYRILLIC),
    row("IBM737", 24, GREEK),
    row("IBM775", 24, BALTIC),
    row("IBM857", 24, TURKISH),
    row("IBM862", 24, HEBREW),
    row("ISO-8859-3", 20, &[L(&EO), L(&TR)]),
    row("ISO-8859-14", 24, &[L(&CY), L(&GA)]),
    row("ISO-8859-16", 24, &[L(&RO)]),
    row("VISCII", 24, &[L(&VI)]),
    row("TCVN", 24, &[L(&VI)]),
    row("JOHAB", 16, &[C(&KO)]),
    row("EUC-TW", 24, &[C(&ZH_HANT)]),
    // Where the zeros are too few to show: text without a space.
    row("UTF-16LE", 24, EAST_ASIAN),
    row("UTF-16BE", 24, EAST_ASIAN),
];
