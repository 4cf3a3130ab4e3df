//! Labels: RFC 2978's registry, the Encoding Standard, and their use in mail.
//!
//! The published lists are in `corpus/labels/`.

use std::collections::{BTreeMap, BTreeSet};

use mime_charset::charset::{Matched, resolve};
use mime_charset::{Charset, Decoder, Kind, Label, Options};

const IANA: &str = include_str!("../../corpus/labels/iana.tsv");
const WHATWG: &str = include_str!("../../corpus/labels/whatwg.tsv");
const MAIL: &str = include_str!("../../corpus/labels/mail.tsv");

/// The rows of a table, cell by cell.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split('\t').collect())
}

/// The label as written, in lower, upper and mixed case.
fn cases(label: &str) -> [String; 4] {
    let mixed = |(at, letter): (usize, char)| match at % 2 {
        0 => letter.to_ascii_uppercase(),
        _ => letter.to_ascii_lowercase(),
    };
    [
        label.to_owned(),
        label.to_ascii_lowercase(),
        label.to_ascii_uppercase(),
        label.chars().enumerate().map(mixed).collect(),
    ]
}

#[track_caller]
fn exact(label: &str) -> Charset {
    let resolved = resolve(&Label::new(label));
    assert_eq!(resolved.matched, Matched::Exact, "{label}");
    assert_eq!(resolved.matched.kind(), None);
    assert_eq!(resolved.label, Some(&*label.to_ascii_lowercase()));
    assert_eq!(
        (resolved.undone.as_str(), resolved.detail().as_str()),
        ("", "")
    );
    let charset = resolved.charset.unwrap();
    assert_eq!(Charset::for_label(label), Some(charset));
    charset
}

#[track_caller]
fn assert_names(table: &'static str, count: usize) {
    let mut rows_seen = 0;
    for row in rows(table) {
        let [label, name, mibenum] = row[..] else {
            panic!("expected three cells, found {row:?}");
        };
        for label in cases(label) {
            let charset = exact(&label);
            assert_eq!(charset.name(), name, "{label}");
            let number = charset
                .mibenum()
                .map_or("-".to_owned(), |number| number.to_string());
            assert_eq!(number, mibenum, "{label}");
        }
        rows_seen += 1;
    }
    assert_eq!(rows_seen, count);
}

/// RFC 2978, section 2.3: names and aliases are case-insensitive.
#[test]
fn every_label_of_the_registry() {
    assert_names(IANA, 887);
}

#[test]
fn every_label_of_mail() {
    assert_names(MAIL, 243);
}

/// RFC 2978, section 2.3: every registered name is a label of its own charset.
#[test]
fn names_are_labels_of_their_charset() {
    let mut numbers = BTreeSet::new();
    for charset in Charset::all() {
        for name in [charset.name(), charset.registered_name()] {
            assert_eq!(Charset::for_label(name), Some(charset), "{name}");
        }
        numbers.extend(charset.mibenum());
    }
    // 258 registrations.
    assert_eq!(numbers.len(), 258);
}

/// Labels of the Encoding Standard that are read differently from its section 4.2, with the reason:
/// the encoding, our charset, the labels. Charsets with the same text are in [`SAME_TEXT`] instead.
const DEPARTURES: [(&str, &str, &[&str]); 10] = [
    // KOI8-RU has its own letters at AE and BE, and is not KOI8-U.
    ("KOI8-U", "KOI8-RU", &["koi8-ru"]),
    // The Encoding Standard always reads little-endian. RFC 2781, section 4.3, prefers the byte
    // order mark, and mail has both orders.
    ("UTF-16LE", "UTF-16", &["utf-16"]),
    ("UTF-16LE", "unicode", &["unicode"]),
    (
        "UTF-16LE",
        "ISO-10646-UCS-2",
        &["csunicode", "iso-10646-ucs-2", "ucs-2"],
    ),
    // RFC 2279, section 5: this label exists to mark Hangul at its old code points.
    (
        "UTF-8",
        "UNICODE-1-1-UTF-8",
        &["unicode-1-1-utf-8", "unicode11utf8"],
    ),
    // The replacement encoding protects browsers from pages that hide markup; in mail these labels
    // are used for text.
    ("replacement", "HZ-GB-2312", &["hz-gb-2312"]),
    ("replacement", "ISO-2022-CN", &["iso-2022-cn"]),
    ("replacement", "ISO-2022-CN-EXT", &["iso-2022-cn-ext"]),
    (
        "replacement",
        "ISO-2022-KR",
        &["csiso2022kr", "iso-2022-kr"],
    ),
    // Labels without information about the octets.
    ("replacement", "UNKNOWN-8BIT", &["replacement"]),
];

/// Registered charsets that the Encoding Standard merges into one encoding, which practice follows:
/// the encoding and the registered charset.
const SAME_TEXT: [(&str, &str); 13] = [
    ("Big5", "Big5-HKSCS"),
    ("EUC-KR", "KS_C_5601-1987"),
    ("GBK", "GB2312"),
    ("GBK", "GB_2312-80"),
    ("ISO-8859-6", "ISO-8859-6-E"),
    ("ISO-8859-6", "ISO-8859-6-I"),
    ("ISO-8859-8", "ISO-8859-8-E"),
    ("Shift_JIS", "Windows-31J"),
    ("windows-1252", "ISO-8859-1"),
    ("windows-1254", "ISO-8859-9"),
    ("windows-874", "TIS-620"),
    // Octets above 7F disprove this label; those below are the same.
    ("windows-1252", "US-ASCII"),
    // One encoding that only the Encoding Standard keeps separate.
    ("ISO-8859-8-I", "ISO-8859-8-I"),
];

#[test]
fn every_label_of_the_encoding_standard() {
    let mut count = 0;
    let mut departures: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for row in rows(WHATWG) {
        let [label, encoding] = row[..] else {
            panic!("expected two cells, found {row:?}");
        };
        let web = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
        assert_eq!(web.name(), encoding);
        for label in cases(label) {
            assert_ne!(exact(&label).name(), "replacement");
        }
        let name = exact(label).name();
        count += 1;
        if !name.eq_ignore_ascii_case(encoding) && !SAME_TEXT.contains(&(encoding, name)) {
            departures.entry((encoding, name)).or_default().push(label);
        }
    }
    assert_eq!(count, 228);
    let ledger: BTreeMap<_, _> = DEPARTURES
        .iter()
        .map(|(encoding, name, labels)| ((*encoding, *name), labels.to_vec()))
        .collect();
    assert_eq!(departures, ledger);
}

/// No label of ours outside the Encoding Standard is a label for `encoding_rs`.
#[test]
fn no_other_label_belongs_to_the_encoding_standard() {
    let listed: BTreeSet<_> = rows(WHATWG).map(|row| row[0]).collect();
    let known: BTreeSet<_> = Charset::all()
        .flat_map(Charset::labels)
        .filter(|label| encoding_rs::Encoding::for_label(label.as_bytes()).is_some())
        .collect();
    assert_eq!(known, listed);
}

/// Charsets in [`SAME_TEXT`] do have the same text wherever the Encoding Standard has a character.
#[test]
fn merged_charsets_have_the_same_text() {
    for (encoding, name) in SAME_TEXT {
        let web = encoding_rs::Encoding::for_label(encoding.as_bytes()).unwrap();
        let charset = Charset::for_label(name).unwrap();
        let last = match name {
            "US-ASCII" => 0x7F,
            _ => 0xFF_u8,
        };
        let single = (0..=last).map(|octet| vec![octet]);
        let pairs = (0xA1..=last).flat_map(|lead| (0xA1..=0xFE_u8).map(move |t| vec![lead, t]));
        for octets in single.chain(pairs) {
            let (theirs, had_errors) = web.decode_without_bom_handling(&octets);
            if !had_errors {
                let ours = charset.decode(&octets);
                assert_eq!(ours.as_str(), theirs, "{name}: {octets:02X?}");
            }
        }
    }
}

/// UTS #22, section 1.4: lower case, only letters and digits, no zero unless a digit precedes it.
fn key(label: &str) -> String {
    let mut key = String::new();
    for letter in label.chars().filter(char::is_ascii_alphanumeric) {
        if letter != '0' || key.ends_with(|last: char| last.is_ascii_digit()) {
            key.push(letter.to_ascii_lowercase());
        }
    }
    key
}

/// The labels of both lists have 908 keys, two of them shared by two charsets.
#[test]
fn loose_keys_clash_twice() {
    let mut by_key: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for row in rows(IANA).chain(rows(WHATWG)) {
        let name = exact(row[0]).name();
        by_key.entry(key(row[0])).or_default().insert(name);
    }
    assert_eq!(by_key.len(), 908);
    by_key.retain(|_, names| names.len() > 1);
    // iso-ir-9-1 and iso-ir-91, iso-ir-9-2 and iso-ir-92.
    let clashing: Vec<_> = by_key.keys().map(String::as_str).collect();
    assert_eq!(clashing, ["isoir91", "isoir92"]);
    for key in clashing {
        assert_eq!(resolve(&Label::new(key)).matched, Matched::Unknown);
    }
    // The full list has no other clashes.
    let mut all: BTreeMap<String, BTreeSet<Charset>> = BTreeMap::new();
    for charset in Charset::all() {
        for label in charset.labels() {
            all.entry(key(label)).or_default().insert(charset);
        }
    }
    all.retain(|_, charsets| charsets.len() > 1);
    assert_eq!(all.len(), 2);
}

/// UTS #22, section 1.4: every label is found by its key, unless the key is too short or belongs to
/// two charsets.
#[test]
fn every_label_matches_loosely() {
    let mut found = 0;
    for charset in Charset::all() {
        for label in charset.labels() {
            let key = key(label);
            if key.len() < 4 || matches!(&*key, "isoir91" | "isoir92") {
                continue;
            }
            // The key alone may be a listed label; with blanks in it, it is not.
            let spaced: String = key.chars().flat_map(|letter| [letter, ' ']).collect();
            let resolved = resolve(&Label::new(spaced.trim_end()));
            assert_eq!(resolved.matched, Matched::Loose, "{label}");
            assert_eq!(resolved.matched.kind(), Some(Kind::LooseLabel));
            assert_eq!(resolved.charset, Some(charset), "{label}");
            assert_eq!(resolved.detail(), format!("read as {charset}"));
            found += 1;
        }
    }
    assert!(found > 1_200, "{found}");
}

/// The registry's aliases of one to three characters must match exactly.
#[test]
fn short_aliases_are_exact_only() {
    for alias in [
        "us", "no", "it", "es", "de", "fr", "cn", "jp", "pt", "gb", "uk", "se", "fi", "hu", "ca",
        "js", "yu", "dk", "ref", "irv", "lap", "dec", "mac", "r8", "l1", "l2", "l3", "l4", "l5",
        "l6", "l8", "l10",
    ] {
        exact(alias);
        let (first, rest) = alias.split_at(1);
        for damaged in [
            format!("{first}-{rest}"),
            format!("'{alias}'"),
            format!("3D{alias}"),
            format!("charset={alias}"),
            format!("{alias};"),
            format!("x-{alias}"),
            format!("en_GB.{alias}"),
        ] {
            let resolved = resolve(&Label::new(&damaged));
            assert_eq!(resolved.charset, None, "{damaged}");
        }
    }
}

const PUNCTUATION: &str = "punctuation around it";
const EQUALS_SIGN: &str = "3D, quoted-printable for an equals sign";
const QUOTED_PRINTABLE: &str = "quoted-printable";
const PARAMETER: &str = "the word charset";
const WORD: &str = "a word that does not belong to it";
const AFTER: &str = "text after it";
const LOCALE: &str = "a locale's name";
const DESCRIPTION: &str = "a description in parentheses";
const ENCODED_WORD: &str = "an encoded word";
const DASHES: &str = "dashes for hyphens";
const MISSPELLING: &str = "a misspelling";
const NUMBER: &str = "a code page's number";
const PRIVATE: &str = "the prefix x-";

/// Damaged labels in mail, the intended charset, and the damage to undo.
const REPAIRS: [(&str, &str, &[&str]); 79] = [
    // Undecoded or partly decoded quoted-printable.
    ("3Dutf-8", "UTF-8", &[EQUALS_SIGN]),
    ("3diso-8859-1", "ISO-8859-1", &[EQUALS_SIGN]),
    ("3D\"koi8-r\"", "KOI8-R", &[PUNCTUATION, EQUALS_SIGN]),
    ("3D\"us-ascii\"=", "US-ASCII", &[PUNCTUATION, EQUALS_SIGN]),
    ("=3Dutf-8", "UTF-8", &[QUOTED_PRINTABLE, PUNCTUATION]),
    ("=22utf-8=22", "UTF-8", &[QUOTED_PRINTABLE, PUNCTUATION]),
    ("iso-8859=2D15", "ISO-8859-15", &[QUOTED_PRINTABLE]),
    (
        "charset=3D\"gb2312\"",
        "GB2312",
        &[QUOTED_PRINTABLE, PUNCTUATION, PARAMETER],
    ),
    // Quotation marks and other punctuation of the field.
    ("'shift_jis'", "Shift_JIS", &[PUNCTUATION]),
    ("\"windows-1250", "windows-1250", &[PUNCTUATION]),
    ("\\\"euc-kr\\\"", "EUC-KR", &["backslashes", PUNCTUATION]),
    ("ko\\i8-\\r", "KOI8-R", &["backslashes"]),
    ("\u{201C}utf-8\u{201D}", "UTF-8", &[PUNCTUATION]),
    ("<iso-8859-5>,", "ISO-8859-5", &[PUNCTUATION]),
    ("windows-1250/", "windows-1250", &[PUNCTUATION]),
    (".utf-8", "UTF-8", &[PUNCTUATION]),
    ("=koi8-u", "KOI8-U", &[PUNCTUATION]),
    ("_iso-2022-jp$SIO", "ISO-2022-JP", &[PUNCTUATION, AFTER]),
    ("'gbk'", "GBK", &[PUNCTUATION]),
    (" utf-8\r\n", "UTF-8", &["blanks around it"]),
    // The rest of the field, or of another field.
    ("euc-jp;format=flowed", "EUC-JP", &[WORD, PUNCTUATION]),
    (
        "iso-8859-2; delsp=yes; format=flowed",
        "ISO-8859-2",
        &[WORD, PUNCTUATION],
    ),
    ("utf-8, iso-8859-1", "UTF-8", &[AFTER]),
    ("utf-8; q=0.7", "UTF-8", &[AFTER]),
    ("utf-8*en", "UTF-8", &[AFTER]),
    ("UTF-8//TRANSLIT", "UTF-8", &[AFTER]),
    (
        "windows-1252http-equivContent-Type",
        "windows-1252",
        &[WORD],
    ),
    ("big5http-equivcontent-type", "Big5", &[WORD]),
    ("utf-8MIME-Version", "UTF-8", &[WORD]),
    (
        "koi8-rContent-Transfer-Encoding:",
        "KOI8-R",
        &[PUNCTUATION, WORD],
    ),
    ("utf-8Return-Path:", "UTF-8", &[PUNCTUATION, WORD]),
    ("utf8_general_ci", "UTF-8", &[WORD]),
    ("latin1_swedish_ci", "ISO-8859-1", &[WORD]),
    // The parameter's name in its value.
    ("charset=gb2312", "GB2312", &[PARAMETER]),
    ("charset=charset=gb2312", "GB2312", &[PARAMETER]),
    (
        "Charset: windows-1255",
        "windows-1255",
        &[PARAMETER, PUNCTUATION],
    ),
    ("charset:utf-8", "UTF-8", &[PARAMETER]),
    ("charset=\"utf-8\"", "UTF-8", &[PUNCTUATION, PARAMETER]),
    ("text/html; charset=big5", "Big5", &[PARAMETER]),
    ("iso-8859-1; charset=utf-8", "ISO-8859-1", &[PARAMETER]),
    ("utf-8charset=utf-8", "UTF-8", &[PARAMETER]),
    // Locales.
    ("ru_RU.UTF-8", "UTF-8", &[LOCALE]),
    ("ru_RU.KOI8-R", "KOI8-R", &[LOCALE]),
    ("de_DE.ISO-8859-15@euro", "ISO-8859-15", &[AFTER, LOCALE]),
    ("ja_JP.eucJP", "EUC-JP", &[LOCALE]),
    ("zh_CN.GBK", "GBK", &[LOCALE]),
    ("C.UTF-8", "UTF-8", &[LOCALE]),
    // Menus.
    ("Unicode (UTF-8)", "UTF-8", &[DESCRIPTION]),
    ("Cyrillic (KOI8-R)", "KOI8-R", &[DESCRIPTION]),
    ("iso-8859-1 (Western)", "ISO-8859-1", &[DESCRIPTION]),
    // Encoded words, RFC 2047, section 2.
    ("=?utf-8?Q?utf-8?=", "UTF-8", &[ENCODED_WORD]),
    ("=?utf-8?Q?windows-1256?=", "windows-1256", &[ENCODED_WORD]),
    (
        "=?us-ascii?q?=22iso-8859=2D7=22?=",
        "ISO-8859-7",
        &[ENCODED_WORD, PUNCTUATION],
    ),
    ("=?utf-8?B?dXRmLTg=?=", "UTF-8", &[ENCODED_WORD]),
    ("\"=?utf-8?b?S09JOC1S?=\"", "KOI8-R", &[ENCODED_WORD]),
    // Word processors.
    ("utf\u{2011}8", "UTF-8", &[DASHES]),
    ("iso\u{2013}8859\u{2013}2", "ISO-8859-2", &[DASHES]),
    // Misspellings.
    ("uft-8", "UTF-8", &[MISSPELLING]),
    ("UFT8", "UTF-8", &[MISSPELLING]),
    ("tuf-8", "UTF-8", &[MISSPELLING]),
    ("ut-8", "UTF-8", &[MISSPELLING]),
    ("UTR-8", "UTF-8", &[MISSPELLING]),
    ("widnows-1251", "windows-1251", &[MISSPELLING]),
    ("window-1251", "windows-1251", &[MISSPELLING]),
    ("WINDOWDS-1251", "windows-1251", &[MISSPELLING]),
    ("ios-8859-1", "ISO-8859-1", &[MISSPELLING]),
    ("so-8859-1", "ISO-8859-1", &[MISSPELLING]),
    ("iso-8559-15", "ISO-8859-15", &[MISSPELLING]),
    ("SIFT_JIS", "Shift_JIS", &[MISSPELLING]),
    // Editions that never existed: ISO 8859-5 was published in 1988 and 1999.
    ("ISO_8859-5:1998", "ISO-8859-5", &[AFTER]),
    // Numbers of code pages.
    ("windows-28592", "ISO-8859-2", &[NUMBER]),
    ("win-1250", "windows-1250", &[NUMBER]),
    ("ibm-1252", "windows-1252", &[NUMBER]),
    ("dos850", "IBM850", &[NUMBER]),
    ("1251", "windows-1251", &[NUMBER]),
    ("WINDOWS-CP1251", "windows-1251", &[NUMBER]),
    // Private names for charsets with public names.
    ("x-win-1250", "windows-1250", &[PRIVATE, NUMBER]),
    ("x-iso-8859-2", "ISO-8859-2", &[PRIVATE]),
    ("x-utf-8", "UTF-8", &[PRIVATE]),
];

#[test]
fn damage_is_repaired_and_named() {
    for (label, name, undone) in REPAIRS {
        let resolved = resolve(&Label::new(label));
        assert_eq!(resolved.charset.map(Charset::name), Some(name), "{label}");
        assert_eq!(resolved.matched, Matched::Repaired, "{label}");
        assert_eq!(resolved.matched.kind(), Some(Kind::RepairedLabel));
        assert_eq!(resolved.undone, undone.join(", "), "{label}");
        let used = resolved.label.unwrap();
        assert_eq!(Charset::for_label(used), resolved.charset);
        assert_eq!(
            resolved.detail(),
            format!("read as {name}, without {}", resolved.undone)
        );
        // A typed label gets an error, not a repair.
        assert!(label.parse::<Charset>().is_err(), "{label}");
    }
}

/// Labels that resemble a charset but name none, or name another, unknown one.
#[test]
fn no_repair_yields_another_charset() {
    for label in [
        "",
        " ",
        "\"\"",
        "=",
        ";",
        "3D",
        "charset",
        "charset=",
        "=?utf-8?Q??=",
        "=?",
        "?=",
        "=?utf-8?X?utf-8?=",
        "utf",
        "utf-5",
        "utf-6",
        "utf-9",
        "uft-9",
        "utf-24",
        "utf-80",
        "utf-88",
        "utf-ebcdic",
        "utf-8-ebcdic",
        "iso-8859",
        "iso-8859-0",
        "iso-8859-12",
        "iso-8859-17",
        "iso-8859-20",
        "iso-8859-51",
        "iso-8859-1-foo",
        "iso-8859-1-windows-3.2-latin-1",
        "iso-8895-1",
        "iso-2022",
        "iso-2022-jp-5",
        "iso-10646-1",
        "windows",
        "windows-0",
        "windows-125",
        "windows-1249",
        "windows-1259",
        "windows-1351",
        "windows-12520",
        "win",
        "cp",
        "cp0",
        "cp12",
        "cp1259",
        "cp99999999999999999999",
        // IBM's numbers differ from Windows'.
        "ibm-932",
        "ibm-949",
        "ibm-1200",
        "ibm1259",
        "dos-1251",
        "koi9",
        "koi-7",
        "koi8-x",
        "koi8-unified",
        "big6",
        "big5-plus",
        "euc-xx",
        "gb2313",
        "gb18031",
        "ksc5602",
        "latin0",
        "latin11",
        "en_GB",
        "ja_JP",
        "en_US.klingon",
        "x-",
        "x-klingon",
        "klingon",
        "fakescii",
        "invalid-charset",
        "%invalid",
        "iso-4444-5",
        // Names of scripts do not identify a charset.
        "Cyrillic (Windows)",
        "Arabic (Windows)",
        "Greek (Mac)",
        "text/html",
        "1",
        "12",
        "999",
        "\u{AC00}",
        "utf-8\0x",
        "x-x-x-x-x-x-x-x-x-x-x-x-utf-8",
    ] {
        let resolved = resolve(&Label::new(label));
        let read_as = resolved.label;
        assert_eq!(read_as, None, "{label:?}: {}", resolved.undone);
        assert_eq!(resolved.charset, None);
        assert_eq!(resolved.matched, Matched::Unknown);
        assert_eq!(resolved.matched.kind(), Some(Kind::UnknownLabel));
        assert_eq!(resolved.detail(), "names no charset");
    }
}

/// One digit makes another charset: a label with a digit changed is never repaired to the original.
#[test]
fn another_digit_is_another_charset() {
    let mut tried = 0;
    for charset in Charset::all() {
        for label in charset.labels() {
            for (at, old) in label
                .bytes()
                .enumerate()
                .filter(|(_, b)| b.is_ascii_digit())
            {
                for new in (b'1'..=b'9').filter(|&new| new != old) {
                    let mut changed = label.as_bytes().to_vec();
                    changed[at] = new;
                    tried += 1;
                    let resolved = resolve(&Label::new(&changed));
                    if resolved.charset == Some(charset) {
                        let used = resolved.label.unwrap();
                        let numbers = |label: &str| -> String {
                            label.chars().filter(char::is_ascii_digit).collect()
                        };
                        // The changed label is listed itself, like cp50221 and cp50222, or has a
                        // wrong year, or is the only slip with a rule of its own: ISO 8559 is about
                        // the sizes of clothes.
                        let text = String::from_utf8(changed).unwrap();
                        let is_year = resolved.undone == AFTER && label[..at].contains(':');
                        let is_slip = text.contains("8559");
                        assert!(
                            numbers(used) == numbers(&text) || is_year || is_slip,
                            "{label} as {text}: {used}, {}",
                            resolved.undone
                        );
                    }
                }
            }
        }
    }
    assert!(tried > 20_000, "{tried}");
}

#[test]
fn a_label_of_a_megabyte_is_rejected_quickly() {
    const MEGABYTE: usize = 1 << 20;
    for piece in [
        "utf-8",
        "\"",
        "=3D",
        "charset=",
        "x-",
        "=?utf-8?Q?",
        "\\",
        "u-",
        "0",
        "\u{2011}",
    ] {
        let label = piece.repeat(MEGABYTE / piece.len());
        assert_eq!(resolve(&Label::new(&label)).matched, Matched::Unknown);
    }
    // Only 256 octets are examined, blanks excluded.
    let most = format!("{}utf-8", "'".repeat(251));
    assert_eq!(resolve(&Label::new(&most)).charset, Some(Charset::UTF_8));
    assert_eq!(resolve(&Label::new(&format!("'{most}"))).charset, None);
    let blanks = format!("{}utf-8", " ".repeat(MEGABYTE));
    assert_eq!(resolve(&Label::new(&blanks)).charset, Some(Charset::UTF_8));
}

/// Registered names of character sets that mail uses for an encoding.
#[test]
fn set_names_are_read_as_their_usual_encoding() {
    let practised: Vec<_> = Charset::all()
        .filter(|charset| charset.as_practised() != *charset)
        .map(|charset| (charset.name(), charset.as_practised().name()))
        .collect();
    assert_eq!(
        practised,
        [("GB_2312-80", "GB2312"), ("KS_C_5601-1987", "EUC-KR")]
    );
    // U+D55C U+AD6D in EUC-KR.
    let octets = b"\xC7\xD1\xB1\xB9";
    let label = exact("ks_c_5601-1987");
    let registered = Options::new().as_registered(true);
    assert_eq!(label.decode(octets).charset().name(), "EUC-KR");
    assert_eq!(
        label.decode_with(octets, &registered).charset().name(),
        "KS_C_5601-1987"
    );
    assert_eq!(Decoder::new(label).finish().charset().name(), "EUC-KR");
    assert_eq!(label.decode(octets).as_str(), "한국");
}

/// RFC 1556: visual without a suffix, implicit with -I, explicit with -E.
#[test]
fn directions_of_rfc_1556() {
    let said: Vec<_> = Charset::all()
        .filter_map(|charset| Some((charset.name(), charset.direction()?)))
        .collect();
    assert_eq!(
        said,
        [
            ("ISO-8859-6", "visual"),
            ("ISO-8859-6-E", "explicit"),
            ("ISO-8859-6-I", "logical"),
            ("ISO-8859-8", "visual"),
            ("ISO-8859-8-E", "explicit"),
            ("ISO-8859-8-I", "logical"),
        ]
    );
    // The direction changes neither the octets nor their order.
    let octets = b"\xED\xE5\xEC\xF9";
    for label in ["iso-8859-8", "iso-8859-8-i", "iso-8859-8-e"] {
        assert_eq!(
            exact(label).decode(octets).as_str(),
            "\u{5DD}\u{5D5}\u{5DC}\u{5E9}"
        );
    }
}
