//! The candidate charsets, with their rarity and languages.

use super::scripts::{ScriptCosts, script};
use super::tables::{
    AR, BE, BG, CA, CS, CY, CharacterTable, DA, DE, EL, EN, EO, ES, ET, FA, FI, FR, GA, HE, HR, HU,
    IS, IT, JA, KO, LT, LV, MK, NL, PL, PT, RO, RU, SK, SQ, SR, SV, TH, TR, UK, VI, ZH_HANS,
    ZH_HANT,
};

/// A language that is written with thousands of characters, and the cost of assuming it.
pub(super) type WrittenLanguage = (&'static CharacterTable, i32);

/// The language models of a charset.
#[derive(Debug, Clone, Copy)]
pub(super) enum LanguageModels {
    /// Written with letters.
    Letters(&'static [&'static ScriptCosts]),
    /// Written with thousands of characters.
    Characters(&'static [WrittenLanguage]),
}

/// A candidate charset.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) label: &'static str,
    /// The cost of assuming it, in quarters of a bit: its rarity in mail.
    pub(super) rarity: i32,
    /// Whether hardly any mail is in it.
    pub(super) is_rare: bool,
    pub(super) languages: LanguageModels,
}

use LanguageModels::{Characters as C, Letters as L};

/// Cost of assuming a language without a table, if most languages of the script have one.
const FEW_OTHERS: i16 = 28;

/// The languages of most mail, English first, each with the cost of assuming it, from its
/// approximate share of mail. Many more languages use these letters.
pub(super) static WESTERN: ScriptCosts = script!(
    0,
    [
        (EN, 0),
        (DE, 0),
        (FR, 0),
        (ES, 0),
        (IT, 0),
        (PT, 2),
        (NL, 2),
    ],
    0
);
static FURTHER: ScriptCosts = script!(
    1,
    [
        (DA, 4),
        (SV, 4),
        (FI, 4),
        (IS, 10),
        (ET, 8),
        (CA, 6),
        (SQ, 10),
        (GA, 12),
    ],
    0
);
static CENTRAL: ScriptCosts = script!(
    2,
    [
        (PL, 0),
        (CS, 0),
        (HU, 2),
        (RO, 4),
        (HR, 4),
        (SK, 12),
        (DE, 0),
    ],
    FEW_OTHERS
);
static BALTIC: ScriptCosts = script!(3, [(LT, 0), (LV, 2), (ET, 8)], FEW_OTHERS);
static TURKISH: ScriptCosts = script!(4, [(TR, 0)], FEW_OTHERS);
static CYRILLIC: ScriptCosts = script!(
    5,
    [(RU, 0), (UK, 2), (BG, 2), (SR, 4), (BE, 8), (MK, 8)],
    FEW_OTHERS
);
static GREEK: ScriptCosts = script!(6, [(EL, 0)], FEW_OTHERS);
static HEBREW: ScriptCosts = script!(7, [(HE, 0)], FEW_OTHERS);
static ARABIC: ScriptCosts = script!(8, [(AR, 0), (FA, 0)], FEW_OTHERS);
static RUSSIAN_BULGARIAN: ScriptCosts = script!(9, [(RU, 0), (BG, 2)], FEW_OTHERS);
static ARABIC_ALONE: ScriptCosts = script!(10, [(AR, 0)], FEW_OTHERS);
static VIETNAMESE: ScriptCosts = script!(11, [(VI, 0)], FEW_OTHERS);
static THAI: ScriptCosts = script!(12, [(TH, 0)], FEW_OTHERS);
static ESPERANTO_TURKISH: ScriptCosts = script!(13, [(EO, 0), (TR, 0)], FEW_OTHERS);
static WELSH_IRISH: ScriptCosts = script!(14, [(CY, 0), (GA, 12)], FEW_OTHERS);
static ROMANIAN: ScriptCosts = script!(15, [(RO, 0)], FEW_OTHERS);
static ALL_WESTERN: [&ScriptCosts; 2] = [&WESTERN, &FURTHER];
static EAST_ASIAN: [WrittenLanguage; 4] = [(&ZH_HANS, 0), (&ZH_HANT, 0), (&JA, 0), (&KO, 0)];

const fn row(label: &'static str, rarity: i32, languages: LanguageModels) -> Candidate {
    Candidate {
        label,
        rarity,
        is_rare: false,
        languages,
    }
}

/// A charset that hardly any mail is in.
const fn rare(label: &'static str, rarity: i32, languages: LanguageModels) -> Candidate {
    Candidate {
        is_rare: true,
        ..row(label, rarity, languages)
    }
}

pub(super) const COUNT: usize = 48;

/// Extra cost of a rare charset in a text with one, two and three octets above 7F. A single
/// octet is a letter or symbol in many charsets, so a more likely charset than the rare ones always
/// has it. The more octets, the less likely that all of them fit by chance.
pub(super) const DOUBT: [i32; 3] = [16, 8, 4];

/// The candidates. The cost of each is about half of -4 log2 of its share among the parts of public
/// mail that declare a charset. It is only half, since a person who gets mail in a charset usually
/// gets much of it. Charsets that do not occur in that mail have a cost low enough to be found in
/// texts of twenty octets. The two charsets in which nearly any octets are ideographs or syllables
/// cost more.
///
/// Of two candidates that give the same text, the first is preferred.
pub(super) static CANDIDATES: [Candidate; COUNT] = [
    row("windows-1252", 0, L(&ALL_WESTERN)),
    row("GB18030", 10, C(&[(&ZH_HANS, 0), (&ZH_HANT, 0), (&JA, 12)])),
    row("windows-1251", 10, L(&[&CYRILLIC])),
    // If both give the same text, prefer KOI8-U: its additional letters are more likely than the
    // box-drawing characters of KOI8-R in their place.
    row("KOI8-U", 14, L(&[&CYRILLIC])),
    row("KOI8-R", 15, L(&[&RUSSIAN_BULGARIAN])),
    row("EUC-KR", 22, C(&[(&KO, 0)])),
    row("Shift_JIS", 14, C(&[(&JA, 0)])),
    row("EUC-JP", 18, C(&[(&JA, 0)])),
    row("Big5", 12, C(&[(&ZH_HANT, 0)])),
    row("windows-1250", 14, L(&[&CENTRAL])),
    row("ISO-8859-2", 14, L(&[&CENTRAL])),
    row("windows-1253", 16, L(&[&GREEK])),
    row("ISO-8859-7", 16, L(&[&GREEK])),
    row("windows-1254", 12, L(&[&TURKISH])),
    row("windows-1255", 18, L(&[&HEBREW])),
    row("ISO-8859-8", 20, L(&[&HEBREW])),
    row("windows-1256", 18, L(&[&ARABIC])),
    row("ISO-8859-6", 22, L(&[&ARABIC_ALONE])),
    row("windows-1257", 18, L(&[&BALTIC])),
    rare("ISO-8859-13", 22, L(&[&BALTIC])),
    rare("ISO-8859-4", 30, L(&[&BALTIC])),
    row("windows-1258", 20, L(&[&VIETNAMESE])),
    row("windows-874", 18, L(&[&THAI])),
    row("ISO-8859-15", 6, L(&ALL_WESTERN)),
    row("ISO-8859-5", 20, L(&[&CYRILLIC])),
    rare("IBM866", 24, L(&[&CYRILLIC])),
    rare("macintosh", 20, L(&ALL_WESTERN)),
    rare("x-mac-cyrillic", 24, L(&[&CYRILLIC])),
    rare("x-mac-ce", 24, L(&[&CENTRAL])),
    rare("x-mac-greek", 28, L(&[&GREEK])),
    rare("x-mac-turkish", 28, L(&[&TURKISH])),
    rare("IBM850", 18, L(&ALL_WESTERN)),
    rare("IBM437", 22, L(&ALL_WESTERN)),
    rare("IBM852", 20, L(&[&CENTRAL])),
    rare("IBM855", 28, L(&[&CYRILLIC])),
    rare("IBM737", 28, L(&[&GREEK])),
    rare("IBM775", 28, L(&[&BALTIC])),
    rare("IBM857", 28, L(&[&TURKISH])),
    rare("IBM862", 28, L(&[&HEBREW])),
    rare("ISO-8859-3", 26, L(&[&ESPERANTO_TURKISH])),
    rare("ISO-8859-14", 28, L(&[&WELSH_IRISH])),
    rare("ISO-8859-16", 28, L(&[&ROMANIAN, &CENTRAL])),
    rare("VISCII", 28, L(&[&VIETNAMESE])),
    rare("TCVN", 28, L(&[&VIETNAMESE])),
    rare("JOHAB", 48, C(&[(&KO, 0)])),
    rare("EUC-TW", 56, C(&[(&ZH_HANT, 0)])),
    // For text without a space, which has too few zeros to detect.
    rare("UTF-16LE", 36, C(&EAST_ASIAN)),
    rare("UTF-16BE", 36, C(&EAST_ASIAN)),
];
