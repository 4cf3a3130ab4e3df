//! Which charsets are weighed, how common each is, and the languages it was sent in.

use std::sync::OnceLock;

use super::octets::Together;
use super::tables::{
    AR, BE, BG, CA, CS, CY, Characters, DA, DE, EL, EN, EO, ES, ET, FA, FI, FR, GA, HE, HR, HU, IS,
    IT, JA, KO, LT, LV, Letters, MK, NL, PL, PT, RO, RU, SK, SQ, SR, SV, TH, TR, UK, VI, ZH_HANS,
    ZH_HANT,
};

/// Languages that are written with letters of one script.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) languages: &'static [&'static Letters],
    /// What their alphabets are together, once a text was priced in them.
    pub(super) together: OnceLock<Together>,
}

/// The languages that a charset was sent in.
#[derive(Debug, Clone, Copy)]
pub(super) enum Languages {
    /// Written with letters.
    Letters(&'static Script),
    /// Written with thousands of characters.
    Characters(&'static [&'static Characters]),
}

/// A charset that octets may be in.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) label: &'static str,
    /// What it costs to assume it, in quarters of a bit: how much rarer it is in mail.
    pub(super) rarity: i32,
    pub(super) languages: Languages,
}

use Languages::{Characters as C, Letters as L};

const fn script(languages: &'static [&'static Letters]) -> Script {
    Script {
        languages,
        together: OnceLock::new(),
    }
}

static WESTERN: Script = script(&[
    &EN, &DE, &FR, &ES, &IT, &PT, &NL, &DA, &SV, &FI, &IS, &CA, &ET, &SQ, &GA,
]);
static CENTRAL: Script = script(&[&PL, &CS, &HU, &RO, &HR, &SK, &SQ, &DE]);
static BALTIC: Script = script(&[&LT, &LV, &ET]);
static TURKISH: Script = script(&[&TR]);
static CYRILLIC: Script = script(&[&RU, &UK, &BG, &SR, &BE, &MK]);
static GREEK: Script = script(&[&EL]);
static HEBREW: Script = script(&[&HE]);
static ARABIC: Script = script(&[&AR, &FA]);
static RUSSIAN_BULGARIAN: Script = script(&[&RU, &BG]);
static ARABIC_ALONE: Script = script(&[&AR]);
static VIETNAMESE: Script = script(&[&VI]);
static THAI: Script = script(&[&TH]);
static ESPERANTO_TURKISH: Script = script(&[&EO, &TR]);
static WELSH_IRISH: Script = script(&[&CY, &GA]);
static ROMANIAN: Script = script(&[&RO]);
static EAST_ASIAN: [&Characters; 4] = [&ZH_HANS, &ZH_HANT, &JA, &KO];

const fn row(label: &'static str, rarity: i32, languages: Languages) -> Candidate {
    Candidate {
        label,
        rarity,
        languages,
    }
}

/// The candidates, those first that are preferred where both give the same text.
pub(super) static CANDIDATES: [Candidate; 48] = [
    row("windows-1252", 0, L(&WESTERN)),
    row("GB18030", 4, C(&[&ZH_HANS, &ZH_HANT])),
    row("windows-1251", 2, L(&CYRILLIC)),
    // Where both give the same text it is KOI8-U, whose further letters are likelier than the
    // frames that KOI8-R has in their place.
    row("KOI8-U", 4, L(&CYRILLIC)),
    row("KOI8-R", 5, L(&RUSSIAN_BULGARIAN)),
    row("EUC-KR", 2, C(&[&KO])),
    row("Shift_JIS", 2, C(&[&JA])),
    row("EUC-JP", 4, C(&[&JA])),
    row("Big5", 2, C(&[&ZH_HANT])),
    row("windows-1250", 4, L(&CENTRAL)),
    row("ISO-8859-2", 4, L(&CENTRAL)),
    row("windows-1253", 2, L(&GREEK)),
    row("ISO-8859-7", 2, L(&GREEK)),
    row("windows-1254", 4, L(&TURKISH)),
    row("windows-1255", 2, L(&HEBREW)),
    row("ISO-8859-8", 4, L(&HEBREW)),
    row("windows-1256", 4, L(&ARABIC)),
    row("ISO-8859-6", 6, L(&ARABIC_ALONE)),
    row("windows-1257", 6, L(&BALTIC)),
    row("ISO-8859-13", 8, L(&BALTIC)),
    row("ISO-8859-4", 10, L(&BALTIC)),
    row("windows-1258", 4, L(&VIETNAMESE)),
    row("windows-874", 4, L(&THAI)),
    row("ISO-8859-15", 6, L(&WESTERN)),
    row("ISO-8859-5", 6, L(&CYRILLIC)),
    row("IBM866", 8, L(&CYRILLIC)),
    // Beyond what chardetng knows.
    row("macintosh", 16, L(&WESTERN)),
    row("x-mac-cyrillic", 16, L(&CYRILLIC)),
    row("x-mac-ce", 20, L(&CENTRAL)),
    row("x-mac-greek", 24, L(&GREEK)),
    row("x-mac-turkish", 24, L(&TURKISH)),
    row("IBM850", 16, L(&WESTERN)),
    row("IBM437", 20, L(&WESTERN)),
    row("IBM852", 16, L(&CENTRAL)),
    row("IBM855", 24, L(&CYRILLIC)),
    row("IBM737", 24, L(&GREEK)),
    row("IBM775", 24, L(&BALTIC)),
    row("IBM857", 24, L(&TURKISH)),
    row("IBM862", 24, L(&HEBREW)),
    row("ISO-8859-3", 20, L(&ESPERANTO_TURKISH)),
    row("ISO-8859-14", 24, L(&WELSH_IRISH)),
    row("ISO-8859-16", 24, L(&ROMANIAN)),
    row("VISCII", 24, L(&VIETNAMESE)),
    row("TCVN", 24, L(&VIETNAMESE)),
    row("JOHAB", 16, C(&[&KO])),
    row("EUC-TW", 24, C(&[&ZH_HANT])),
    // Where the zeros are too few to show: text without a space.
    row("UTF-16LE", 24, C(&EAST_ASIAN)),
    row("UTF-16BE", 24, C(&EAST_ASIAN)),
];
