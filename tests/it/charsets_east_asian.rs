//! Every octet sequence of the East Asian charsets, compared with other programs.
//!
//! Their answers are in `corpus/charset`, with program and version at the head of each file.
//! Deliberate differences are listed in a ledger, each with its reason. A row that no longer
//! differs fails the test as well.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mime_charset::charset::Decoder;
use mime_charset::{Charset, Effect, Kind, Options};

use super::samples::{Draw, charset, hex, scalar};

const PRACTISED: Options = Options::new();
const REGISTERED: Options = Options::new().as_registered(true);

/// Another program's reading of octet sequences; a sequence without a row is unassigned.
struct Truth(BTreeMap<Vec<u8>, String>);

impl Truth {
    fn read(name: &str) -> Truth {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/charset");
        let text = std::fs::read_to_string(format!("{folder}/{name}.tsv")).unwrap();
        let mut cells = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let fields: Vec<_> = line.split('\t').collect();
            let [prefix, first, row] = fields[..] else {
                panic!("{name}: {line}")
            };
            let prefix = if prefix == "-" {
                Vec::new()
            } else {
                hex(prefix)
            };
            let mut last = usize::from_str_radix(first, 16).unwrap();
            for cell in row.split(' ') {
                if let Some(count) = cell.strip_prefix('-') {
                    last += count.strip_prefix('*').map_or(1, |n| n.parse().unwrap());
                    continue;
                }
                let (from, to) = cell.split_once("..").unwrap_or((cell, cell));
                let run = if cell.contains('+') {
                    vec![cell.split('+').map(scalar).collect()]
                } else {
                    (scalar(from)..=scalar(to)).map(String::from).collect()
                };
                for text in run {
                    let mut octets = prefix.clone();
                    octets.push(u8::try_from(last).unwrap());
                    cells.insert(octets, text);
                    last += 1;
                }
            }
        }
        Truth(cells)
    }
}

/// The text, if all octets are valid.
fn clean(label: &str, options: &Options, octets: &[u8]) -> Option<String> {
    let decoded = charset(label).decode_with(octets, options);
    (decoded.report().replacements() == 0).then(|| decoded.into_text().into_owned())
}

/// First and last of the octet sequences that we read differently from `name`'s program.
struct Departure {
    octets: [&'static str; 2],
    /// The number of differences.
    count: usize,
    /// Our text for the first of them; `None` for U+FFFD.
    first: Option<&'static str>,
    reason: &'static str,
}

const fn departure(
    octets: [&'static str; 2],
    count: usize,
    first: Option<&'static str>,
    reason: &'static str,
) -> Departure {
    Departure {
        octets,
        count,
        first,
        reason,
    }
}

/// Compares all sequences of one and two octets, and all with one of the `prefixes`.
#[track_caller]
fn compare(
    name: &str,
    label: &str,
    options: &Options,
    prefixes: impl Fn(&Truth) -> Vec<Vec<u8>>,
    ledger: &[Departure],
) {
    let truth = Truth::read(name);
    let is_lead = |octet: &u8| clean(label, options, &[*octet]).is_none();
    let mut all = vec![Vec::new()];
    all.extend((0x80..=0xFF).filter(is_lead).map(|lead| vec![lead]));
    all.extend(prefixes(&truth));
    let ledger: Vec<_> = ledger
        .iter()
        .map(|row| (row.octets.map(hex), row))
        .collect();
    let (mut compared, mut unexplained) = (0, String::new());
    let mut used = vec![0; ledger.len()];
    for prefix in all {
        for last in 0..=0xFF {
            let octets = [prefix.as_slice(), &[last]].concat();
            let ours = clean(label, options, &octets);
            let theirs = truth.0.get(&octets);
            compared += usize::from(theirs.is_some());
            if ours.as_ref() == theirs {
                continue;
            }
            let explained = ledger.iter().position(|([first, end], _)| {
                first.len() == octets.len() && (first..=end).contains(&&octets)
            });
            match explained {
                Some(row) => {
                    used[row] += 1;
                    let ([first, _], departure) = &ledger[row];
                    if *first == octets {
                        assert_eq!(ours.as_deref(), departure.first, "{}", departure.reason);
                    }
                }
                None => {
                    let _ = writeln!(unexplained, "{octets:02X?} {ours:?}, not {theirs:?}");
                }
            }
        }
    }
    assert!(unexplained.is_empty(), "{name}:\n{unexplained}");
    assert_eq!(compared, truth.0.len(), "{name}: rows not compared");
    for (count, (_, row)) in used.iter().zip(&ledger) {
        assert_eq!(*count, row.count, "{name} {:?}: {}", row.octets, row.reason);
    }
}

fn none(_: &Truth) -> Vec<Vec<u8>> {
    Vec::new()
}

fn code_set_3(_: &Truth) -> Vec<Vec<u8>> {
    (0xA1..=0xFE).map(|octet| vec![0x8F, octet]).collect()
}

#[test]
fn euc_jp_as_registered() {
    compare(
        "euc-jp",
        "euc-jp",
        &REGISTERED,
        code_set_3,
        &[departure(
            ["8FA2B7", "8FA2B7"],
            1,
            Some("\u{FF5E}"),
            "glibc and the Encoding Standard read the tilde of JIS X 0212 as the fullwidth one",
        )],
    );
}

#[test]
fn euc_jp_as_practised() {
    compare(
        "euc-jp-ms",
        "euc-jp",
        &PRACTISED,
        code_set_3,
        &[
            departure(["80", "8D"], 14, None, "C1 controls do not occur in mail"),
            departure(["90", "9F"], 16, None, "C1 controls do not occur in mail"),
            departure(
                ["F5A1", "FEFE"],
                940,
                None,
                "private use: unassigned except NEC's copy of IBM's extension",
            ),
            departure(
                ["8FA2C3", "8FA2C3"],
                1,
                Some("\u{A6}"),
                "the broken bar of JIS X 0212; eucJP-ms has the fullwidth one",
            ),
            departure(["8FF5A1", "8FFEFE"], 940, None, "private use: unassigned"),
        ],
    );
}

#[test]
fn euc_jis_2004() {
    compare(
        "euc-jis-2004",
        "euc-jis-2004",
        &PRACTISED,
        code_set_3,
        &[
            departure(
                ["A1BD", "A1BD"],
                1,
                Some("\u{2015}"),
                "CPython and all readings of JIS X 0208 have this dash",
            ),
            departure(
                ["A2D6", "A2D7"],
                2,
                Some("\u{2985}"),
                "so does CPython: the fullwidth white parentheses did not exist in 2000",
            ),
        ],
    );
}

#[test]
fn shift_jis_as_registered() {
    compare("shift_jis", "shift_jis", &REGISTERED, none, &[]);
}

#[test]
fn shift_jis_as_practised() {
    for label in ["shift_jis", "windows-31j"] {
        compare(
            "windows-31j",
            label,
            &PRACTISED,
            none,
            &[
                departure(
                    ["A0", "A0"],
                    1,
                    None,
                    "CPython's private use character for an unused octet",
                ),
                departure(
                    ["FD", "FF"],
                    3,
                    None,
                    "CPython's private use characters for unused octets",
                ),
            ],
        );
    }
}

#[test]
fn shift_jis_2004() {
    const ASCII: &str = "text in it has ASCII paths and addresses, as in Shift_JIS";
    const WIDE: &str =
        "since 5C and 7E are ASCII these are fullwidth, as in glibc and EUC-JIS-2004";
    compare(
        "shift_jis-2004",
        "shift_jis-2004",
        &PRACTISED,
        none,
        &[
            departure(["5C", "5C"], 1, Some("\\"), ASCII),
            departure(["7E", "7E"], 1, Some("~"), ASCII),
            departure(["815F", "815F"], 1, Some("\u{FF3C}"), WIDE),
            departure(["81B0", "81B0"], 1, Some("\u{FF5E}"), WIDE),
        ],
    );
}

#[test]
fn euc_kr_as_registered() {
    compare(
        "euc-kr",
        "euc-kr",
        &REGISTERED,
        none,
        &[departure(
            ["80", "9F"],
            32,
            None,
            "C1 controls do not occur in mail",
        )],
    );
}

#[test]
fn euc_kr_as_practised() {
    for label in ["euc-kr", "ks_c_5601-1987", "cp949"] {
        compare(
            "uhc",
            label,
            &PRACTISED,
            none,
            &[departure(
                ["A2E8", "A2E8"],
                1,
                Some("\u{327E}"),
                "the postal code mark that KS X 1001:2002 added; glibc has it",
            )],
        );
    }
}

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn johab() {
    compare(
        "johab",
        "johab",
        &PRACTISED,
        none,
        &[
            departure(
                ["8441", "8441"],
                1,
                Some("\u{3164}"),
                "three fillers are the Hangul filler; CPython reads an ideographic space",
            ),
            departure(
                ["D9E8", "D9E8"],
                1,
                Some("\u{327E}"),
                "the postal code mark that KS X 1001:2002 added",
            ),
        ],
    );
}

#[test]
fn gb2312_as_registered() {
    compare("gb2312", "gb2312", &REGISTERED, none, &[]);
}

#[test]
fn gbk_as_registered() {
    compare(
        "gbk",
        "gbk",
        &REGISTERED,
        none,
        &[departure(
            ["80", "80"],
            1,
            Some("€"),
            "Microsoft's code page 936 has the euro there; glibc too",
        )],
    );
}

#[test]
fn gb18030_under_every_label_of_gb() {
    const PRIVATE: &str = "GB 18030-2005 and -2022 have a private use character there and the \
        one glibc gives in four octets";
    let four_octets = |truth: &Truth| {
        let mut prefixes: Vec<_> = truth.0.keys().filter(|octets| octets.len() == 4).collect();
        prefixes.dedup_by_key(|octets| &octets[..3]);
        prefixes.iter().map(|octets| octets[..3].to_vec()).collect()
    };
    for label in ["gb18030", "gbk", "gb2312"] {
        compare(
            "gb18030",
            label,
            &PRACTISED,
            four_octets,
            &[
                departure(
                    ["80", "80"],
                    1,
                    Some("€"),
                    "Microsoft's code page 936 has the euro there",
                ),
                departure(
                    ["A3A0", "A3A0"],
                    1,
                    Some("\u{3000}"),
                    "the Encoding Standard: an ideographic space in old text; private use elsewhere",
                ),
                departure(["FE51", "FE53"], 3, Some("\u{E816}"), PRIVATE),
                departure(["FE6C", "FE6C"], 1, Some("\u{E831}"), PRIVATE),
                departure(["FE76", "FE76"], 1, Some("\u{E83B}"), PRIVATE),
                departure(["FE91", "FE91"], 1, Some("\u{E855}"), PRIVATE),
            ],
        );
    }
}

#[test]
fn gb18030_of_2022_uses_no_private_use_characters() {
    // Both are read: four octets from the edition of 2000, two from that of 2022.
    let moved = [
        ("A6D9", "84318236", '\u{FE10}'),
        ("A6DA", "84318238", '\u{FE12}'),
        ("A6F3", "84318335", '\u{FE19}'),
        ("FE59", "82359037", '\u{9FB4}'),
        ("FEA0", "82359134", '\u{9FBB}'),
    ];
    for (two, four, character) in moved {
        let text = Some(character.to_string());
        assert_eq!(clean("gb18030", &PRACTISED, &hex(two)), text);
        assert_eq!(clean("gb18030", &PRACTISED, &hex(four)), text);
    }
}

#[test]
fn iso_ir_165() {
    compare("iso-ir-165", "cn-gb-isoir165", &PRACTISED, none, &[]);
}

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn gb_12345() {
    compare(
        "gb12345",
        "cn-gb-12345",
        &PRACTISED,
        none,
        &[departure(
            ["A1AC", "A1AC"],
            1,
            Some("\u{2016}"),
            "a gap in Unicode's table; GB 12345 has the double line like GB 2312",
        )],
    );
}

#[test]
fn big5_as_registered() {
    compare(
        "big5",
        "big5",
        &REGISTERED,
        none,
        &[departure(
            ["C6A1", "C7FC"],
            249,
            None,
            "ETEN's kana, digits and Cyrillic, not in Big5 itself",
        )],
    );
}

#[test]
fn big5_as_practised() {
    const SYMBOL: &str = "Microsoft's code page 950 and the Encoding Standard";
    const SECOND: &str = "a second code for a character; glibc has only one";
    const CONTROL: &str = "ETEN's control pictures and the euro";
    for label in ["big5-hkscs", "big5"] {
        compare(
            "big5-hkscs",
            label,
            &PRACTISED,
            none,
            &[
                departure(["80", "80"], 1, None, "C1 controls do not occur in mail"),
                departure(["A145", "A145"], 1, Some("\u{2027}"), SYMBOL),
                departure(["A14E", "A14E"], 1, Some("\u{FE51}"), SYMBOL),
                departure(["A1C2", "A1C2"], 1, Some("\u{AF}"), SYMBOL),
                departure(["A1E3", "A1E3"], 1, Some("\u{FF5E}"), SYMBOL),
                departure(["A1F2", "A1F3"], 2, Some("\u{2295}"), SYMBOL),
                departure(["A1FE", "A1FE"], 1, Some("\u{FF0F}"), SYMBOL),
                departure(["A240", "A247"], 6, Some("\u{FF3C}"), SYMBOL),
                departure(["A3C0", "A3E1"], 34, Some("\u{2400}"), CONTROL),
                departure(["A15A", "A15A"], 1, Some("\u{2574}"), SYMBOL),
                departure(["A1C3", "A1C3"], 1, Some("\u{FFE3}"), SYMBOL),
                departure(["A1C5", "A1C5"], 1, Some("\u{2CD}"), SYMBOL),
                departure(["A2CC", "A2CE"], 2, Some("\u{5341}"), SECOND),
                departure(["8E69", "A0E4"], 62, Some("\u{7BB8}"), SECOND),
                departure(["C6CF", "C6DF"], 6, Some("\u{5EF4}"), SECOND),
                departure(["FA5F", "FEDD"], 22, Some("\u{5029}"), SECOND),
            ],
        );
    }
}

#[test]
fn euc_tw() {
    let planes = |_: &Truth| {
        let planes = 0xA1..=0xA2;
        planes
            .flat_map(|plane| (0xA1..=0xFE).map(move |octet| vec![0x8E, plane, octet]))
            .collect()
    };
    compare("euc-tw", "euc-tw", &PRACTISED, planes, &[]);
}

/// Compares the 8,836 pairs of a set, each between `before` and `after`, with the truth's cell
/// under `key`. A pair without a character is one U+FFFD and leaves the surrounding text intact.
#[track_caller]
fn compare_set(
    label: &str,
    options: &Options,
    [before, after]: [&[u8]; 2],
    truth: &Truth,
    key: impl Fn(u8, u8) -> Vec<u8>,
) -> usize {
    let mut found = 0;
    for lead in 0x21..=0x7E {
        for trail in 0x21..=0x7E {
            let octets = [b"<", before, &[lead, trail], after, b">"].concat();
            let expected = truth.0.get(&key(lead, trail));
            found += usize::from(expected.is_some());
            let expected = expected.map_or("\u{FFFD}", String::as_str);
            let decoded = charset(label).decode_with(&octets, options);
            assert_eq!(decoded.as_str(), format!("<{expected}>"), "{octets:02X?}");
        }
    }
    found
}

/// The pair in EUC.
fn euc(lead: u8, trail: u8) -> Vec<u8> {
    vec![lead | 0x80, trail | 0x80]
}

#[test]
fn sets_of_iso_2022_jp() {
    let euc_jp = Truth::read("euc-jp");
    for before in [b"\x1B$B".as_slice(), b"\x1B$@"] {
        let ascii = compare_set(
            "iso-2022-jp",
            &REGISTERED,
            [before, b"\x1B(B"],
            &euc_jp,
            euc,
        );
        let roman = compare_set(
            "iso-2022-jp",
            &REGISTERED,
            [before, b"\x1B(J"],
            &euc_jp,
            euc,
        );
        // JIS X 0208:1990 has 6,879 characters.
        assert_eq!((ascii, roman), (6_879, 6_879));
    }
    let windows = Truth::read("windows-31j");
    for before in [b"\x1B$B".as_slice(), b"\x1B$@", b"\x1B$(B", b"\x1B&@\x1B$B"] {
        for label in ["iso-2022-jp", "cp50220", "iso-2022-jp-2"] {
            compare_set(label, &PRACTISED, [before, b"\x1B(B"], &windows, shifted);
        }
    }
}

/// The pair in `Shift_JIS` (JIS X 0208:1997, annex 1).
fn shifted(lead: u8, trail: u8) -> Vec<u8> {
    let half = (lead - 0x21) / 2;
    let odd = lead % 2 == 1;
    let trail = if odd { trail + 0x1F } else { trail + 0x7E };
    let passes_7f = odd && trail >= 0x7F;
    let lead = if half < 0x1F {
        half + 0x81
    } else {
        half + 0xC1
    };
    vec![lead, trail + u8::from(passes_7f)]
}

#[test]
fn sets_of_iso_2022_jp_1_and_2() {
    let set = |escape: &'static [u8]| [escape, b"\x1B(B".as_slice()];
    let mut euc_jp = Truth::read("euc-jp");
    // See the ledger of EUC-JP.
    euc_jp.0.insert(hex("8FA2B7"), "\u{FF5E}".to_owned());
    let jisx0212 = |lead, trail| vec![0x8F, lead | 0x80, trail | 0x80];
    for label in ["iso-2022-jp-1", "iso-2022-jp-2"] {
        let found = compare_set(label, &REGISTERED, set(b"\x1B$(D"), &euc_jp, jisx0212);
        assert_eq!(found, 6_067, "JIS X 0212-1990 has 6,067 characters");
    }
    let gb2312 = Truth::read("gb2312");
    let found = compare_set("iso-2022-jp-2", &REGISTERED, set(b"\x1B$A"), &gb2312, euc);
    assert_eq!(found, 7_445, "GB 2312-80 has 7,445 characters");
    let euc_kr = Truth::read("euc-kr");
    let found = compare_set("iso-2022-jp-2", &REGISTERED, set(b"\x1B$(C"), &euc_kr, euc);
    assert_eq!(found, 8_227, "KS X 1001:2002 has 8,227 characters");
}

#[test]
fn sets_of_iso_2022_jp_2004() {
    let mut truth = Truth::read("euc-jis-2004");
    // See the ledger of EUC-JIS-2004.
    for (octets, text) in [
        ("A1BD", "\u{2015}"),
        ("A2D6", "\u{2985}"),
        ("A2D7", "\u{2986}"),
    ] {
        truth.0.insert(hex(octets), text.to_owned());
    }
    let mut total = 0;
    for (before, key) in [
        (b"\x1B$(Q", euc as fn(u8, u8) -> Vec<u8>),
        (b"\x1B$(P", |lead, trail| {
            vec![0x8F, lead | 0x80, trail | 0x80]
        }),
    ] {
        total += compare_set(
            "iso-2022-jp-2004",
            &REGISTERED,
            [before, b"\x1B(B"],
            &truth,
            key,
        );
        compare_set(
            "iso-2022-jp-3",
            &PRACTISED,
            [before, b"\x1B(B"],
            &truth,
            key,
        );
    }
    assert_eq!(total, 11_233, "JIS X 0213:2004 has 11,233 characters");
    compare_set(
        "iso-2022-jp-3",
        &PRACTISED,
        [b"\x1B$(O", b"\x1B(B"],
        &truth,
        euc,
    );
}

#[test]
fn sets_of_iso_2022_kr() {
    let truth = Truth::read("euc-kr");
    let header = b"\x1B$)C\x0E".as_slice();
    for options in [PRACTISED, REGISTERED] {
        compare_set("iso-2022-kr", &options, [header, b"\x0F"], &truth, euc);
    }
    // A lost header makes no difference.
    compare_set("iso-2022-kr", &PRACTISED, [b"\x0E", b"\x0F"], &truth, euc);
}

#[test]
fn sets_of_iso_2022_cn() {
    let gb2312 = Truth::read("gb2312");
    let label = "iso-2022-cn";
    compare_set(label, &REGISTERED, [b"\x1B$)A\x0E", b"\x0F"], &gb2312, euc);
    let cns = Truth::read("euc-tw");
    let plane = |plane| move |lead, trail| vec![0x8E, plane, lead | 0x80, trail | 0x80];
    for options in [PRACTISED, REGISTERED] {
        let first = [b"\x1B$)G\x0E".as_slice(), b"\x0F"];
        compare_set(label, &options, first, &cns, plane(0xA1));
        let second = [b"\x1B$*H\x1BN".as_slice(), b""];
        compare_set(label, &options, second, &cns, plane(0xA2));
    }
    let iso_ir_165 = Truth::read("iso-ir-165");
    let extended = [b"\x1B$)E\x0E".as_slice(), b"\x0F"];
    compare_set("iso-2022-cn-ext", &REGISTERED, extended, &iso_ir_165, euc);
}

#[test]
fn set_of_hz() {
    let mut truth = Truth::read("gb2312");
    let gb18030 = Truth::read("gb18030");
    for lead in 0x21..=0x7D {
        for trail in 0x21..=0x7E {
            let octets = [b"<~{".as_slice(), &[lead, trail], b"~}>"].concat();
            for (options, truth) in [(&REGISTERED, &truth), (&PRACTISED, &gb18030)] {
                let expected = truth.0.get(&euc(lead, trail));
                let expected = expected.map_or("\u{FFFD}", String::as_str);
                let decoded = charset("hz-gb-2312").decode_with(&octets, options);
                assert_eq!(decoded.as_str(), format!("<{expected}>"), "{octets:02X?}");
            }
        }
    }
    // 7E is not a lead octet, so `~}` always ends the run.
    truth.0.retain(|octets, _| octets[0] == 0xFE);
    assert!(truth.0.is_empty());
}

#[test]
fn single_sets() {
    let truth = Truth::read("euc-jp");
    for label in ["jis_x0208-1983", "jis_c6226-1978"] {
        for lead in 0x21..=0x7E {
            for trail in 0x21..=0x7E {
                let expected = truth.0.get(&euc(lead, trail));
                let expected = expected.map_or("\u{FFFD}", String::as_str);
                let octets = [b' ', lead, trail, b' '];
                let decoded = charset(label).decode_with(&octets, &REGISTERED);
                assert_eq!(decoded.as_str(), format!(" {expected} "), "{octets:02X?}");
            }
        }
    }
    // Octets A1 to FE are read too, as in EUC.
    let text = clean("jis_x0208-1983", &PRACTISED, &hex("467C C6FC 0D0A 4B5C"));
    assert_eq!(text.as_deref(), Some("日日\r\n本"));
    let text = clean("jis_x0212-1990", &PRACTISED, &hex("3021 B0A1"));
    assert_eq!(text.as_deref(), Some("丂丂"));
    let text = clean("jis_x0201", &PRACTISED, &hex("41 5C 7E B1 0D0A B2"));
    assert_eq!(text.as_deref(), Some("A¥‾ｱ\r\nｲ"));
}

#[test]
fn planes_of_cns_11643_without_a_table_are_one_replacement_each() {
    for (label, octets) in [
        ("euc-tw", "61 8EA3A1A1 62"),
        ("euc-tw", "61 8EAFA1A1 62"),
        ("iso-2022-cn-ext", "61 1B242B49 1B4F2121 62"),
    ] {
        let octets = hex(octets);
        let decoded = charset(label).decode(&octets);
        assert_eq!(decoded.as_str(), "a\u{FFFD}b");
        let finding = &decoded.report().findings()[0];
        assert_eq!((finding.kind(), finding.length()), (Kind::Undecoded, 4));
        assert_eq!(finding.offset(), octets.len() - 5);
    }
}

/// Octets and their exact text.
const VECTORS: &[(&str, &str, &str)] = &[
    // RFC 1468.
    ("iso-2022-jp", "1B2442 467C4B5C386C 1B2842", "日本語"),
    (
        "iso-2022-jp",
        "1B2440 467C 1B284A 5C7E 1B2842 5C7E",
        "日¥‾\\~",
    ),
    // "The next line starts in the character set that was switched to" (RFC 1468): here Roman.
    ("iso-2022-jp", "1B284A 5C 0D0A 5C 1B2842 5C", "¥\r\n¥\\"),
    // Two consecutive escapes, as in adjacent encoded words (RFC 2047, section 2).
    (
        "iso-2022-jp",
        "1B2442 2422 1B2842 1B2442 2424 1B2842",
        "あい",
    ),
    ("iso-2022-jp", "1B2842 1B284A 1B2842 61", "a"),
    ("iso-2022-jp", "1B2442 2D21 1B2842", "①"),
    ("iso-2022-jp", "1B2848 5C 1B2842", "¥"),
    ("iso-2022-jp", "1B2440 3441 1B2842", "漢"),
    // RFC 2237.
    ("iso-2022-jp-1", "1B242844 3021 1B2842", "丂"),
    ("iso-2022-jp-2", "1B242843 475131393E6E 1B2842", "한국어"),
    ("iso-2022-jp-2", "1B2441 3D3B3B3B 1B2842", "交换"),
    // RFC 1554: ISO 8859-1 and -7 by single shifts.
    ("iso-2022-jp-2", "1B2E41 1B4E69", "é"),
    ("iso-2022-jp-2", "1B2E46 1B4E61 1B4E77", "αχ"),
    (
        "iso-2022-jp-2",
        "1B2442 4363 1B2E41 1B4E69 4363 1B2842",
        "茶é茶",
    ),
    ("cp50221", "1B2849 312A 1B2842", "ｱｪ"),
    ("cp50222", "0E 312A 0F 61", "ｱｪa"),
    ("iso-2022-jp", "B1 61", "ｱa"),
    ("iso-2022-jp-2004", "1B242851 2477 1B2842", "か\u{309A}"),
    ("iso-2022-jp-2004", "1B242850 2121 1B2842", "\u{20089}"),
    // RFC 1557.
    (
        "iso-2022-kr",
        "1B242943 0E 475131393E6E 0F 204142",
        "한국어 AB",
    ),
    ("iso-2022-kr", "0E 4751 20 3139 0F 1B242943", "한 국"),
    ("iso-2022-kr", "1B242943 C7D1 41", "한A"),
    // RFC 1922: the same word in GB 2312 and in CNS 11643, designated within the run.
    (
        "iso-2022-cn",
        "1B242941 0E 3D3B3B3B 1B242947 4728 5F50 0F",
        "交换交換",
    ),
    ("iso-2022-cn", "1B242A48 1B4E2121 61", "乂a"),
    ("iso-2022-cn", "1B242941 0E 3D3B 0F 0A 0E 3B3B 0F", "交\n换"),
    // Emacs 28 under these labels: the escapes of ISO-2022-JP-2.
    ("iso-2022-kr", "1B242843 475131393E6E 1B2842 61", "한국어a"),
    (
        "iso-2022-cn",
        "1B2441 3D3B3B3B 1B2442 4A2A 1B2842 61",
        "交换物a",
    ),
    (
        "iso-2022-cn",
        "1B242847 4728 1B242848 2121 1B2842 61",
        "交乂a",
    ),
    ("iso-2022-jp", "1B242943 0E 4751 0F 61", "한a"),
    // RFC 1843.
    (
        "hz-gb-2312",
        "7E7B 3C3A4B79323B537B232C4E704A296C36484B2123 7E7D 4279652E",
        "己所不欲，勿施於人。Bye.",
    ),
    (
        "hz-gb-2312",
        "7E7B 3C3A4B79323B537B232C 7E7D 7E0A 7E7B 4E704A296C36484B2123 7E7D",
        "己所不欲，勿施於人。",
    ),
    ("hz-gb-2312", "61 7E7E 62 7E0D0A 63", "a~bc"),
    ("hz-gb-2312", "7E61 7E", "~a~"),
    ("hz-gb-2312", "7E7B 3C3A 0A 61", "己\na"),
    ("hz-gb-2312", "BCBA 61", "己a"),
    ("johab", "D065 8A82 B4E1", "한국어"),
    ("johab", "8841 8441 61", "ㄱ\u{3164}a"),
    ("euc-kr", "C7D1 B1B9 BEEE A2E6 A2E7 A2E8", "한국어€®㉾"),
    ("euc-kr", "8C63", "똠"),
    ("euc-tw", "C7A8 DFD0", "交換"),
    ("euc-tw", "8EA2A1A1 8EA1C7A8", "乂交"),
    ("euc-jp", "C6FC CBDC B8EC 8EB1 8FB0A1", "日本語ｱ丂"),
    ("shift_jis", "93FA 967B 8CEA B1 5C7E", "日本語ｱ\\~"),
    ("gbk", "80 C4E3 BAC3", "€你好"),
    ("gb2312", "C4E3 955C 8130 8130", "你昞\u{80}"),
    ("big5", "C2B3 F9D6 8862", "糧碁\u{CA}\u{304}"),
];

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn vectors() {
    for &(label, octets, text) in VECTORS {
        let octets = hex(octets);
        let decoded = charset(label).decode(&octets);
        assert_eq!(decoded.as_str(), text, "{label} {octets:02X?}");
        let replacements = text.matches('\u{FFFD}').count();
        assert_eq!(decoded.report().replacements(), replacements, "{label}");
    }
}

/// Damage, its text, and the offset and length of each U+FFFD.
type Damage = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(usize, usize)],
);

const DAMAGE: &[Damage] = &[
    // Half a character before an escape, before a line ending, at the end of the text.
    (
        "iso-2022-jp",
        "1B2442 467C 4B 1B2842 61",
        "日\u{FFFD}a",
        &[(5, 1)],
    ),
    (
        "iso-2022-jp",
        "1B2442 467C 4B 0D0A 61",
        "日\u{FFFD}\r\na",
        &[(5, 1)],
    ),
    ("iso-2022-jp", "1B2442 467C 4B", "日\u{FFFD}", &[(5, 1)]),
    (
        "iso-2022-jp",
        "1B2442 467C 4B 20 467C",
        "日\u{FFFD} 日",
        &[(5, 1)],
    ),
    // A missing escape back does not affect the next line.
    ("iso-2022-jp", "1B2442 3021 0D0A 616263", "亜\r\nabc", &[]),
    ("iso-2022-jp", "1B2849 31 0A 31", "ｱ\n1", &[]),
    ("iso-2022-jp", "0E 31 0A 31", "ｱ\n1", &[]),
    // An unknown escape: one U+FFFD for ESC, then ASCII.
    ("iso-2022-jp", "1B245A 61", "\u{FFFD}$Za", &[(0, 1)]),
    (
        "iso-2022-jp",
        "1B2442 467C 1B285A 61",
        "日\u{FFFD}(Za",
        &[(5, 1)],
    ),
    ("iso-2022-jp", "61 1B", "a\u{FFFD}", &[(1, 1)]),
    ("iso-2022-jp", "61 1B2428", "a\u{FFFD}$(", &[(1, 1)]),
    // A pair without a character, octets above 7F that are not katakana, a gap in a set.
    (
        "iso-2022-jp",
        "1B2442 2921 467C 1B2842",
        "\u{FFFD}日",
        &[(3, 2)],
    ),
    (
        "iso-2022-jp",
        "61 80 FE 62",
        "a\u{FFFD}\u{FFFD}b",
        &[(1, 1), (2, 1)],
    ),
    ("iso-2022-jp", "1B2849 60 31", "\u{FFFD}ｱ", &[(3, 1)]),
    // RFC 1554: the designation of G2 ends with the line. A single shift without a set consumes no
    // octets, as in ICU, glibc and encoding_rs.
    (
        "iso-2022-jp-2",
        "1B2E41 1B4E69 0A 1B4E69 61",
        "é\n\u{FFFD}Nia",
        &[(7, 1)],
    ),
    ("iso-2022-jp-2", "1B2E46 1B4E52 61", "\u{FFFD}a", &[(3, 3)]),
    (
        "iso-2022-kr",
        "1B242943 0E 4751 31 0F 61",
        "한\u{FFFD}a",
        &[(7, 1)],
    ),
    ("iso-2022-kr", "1B242943 0E 4751 0A 4751", "한\nGQ", &[]),
    (
        "iso-2022-kr",
        "0E 4751 1B245A 61",
        "한\u{FFFD}$Za",
        &[(3, 1)],
    ),
    (
        "iso-2022-kr",
        "0E 2D21 0F C7 41",
        "\u{FFFD}\u{FFFD}A",
        &[(1, 2), (4, 1)],
    ),
    // After a shift without a set, the octets are read as ASCII.
    ("iso-2022-cn", "0E 3D3B 0F", "\u{FFFD}=;", &[(0, 1)]),
    ("iso-2022-cn", "1B4E2121 61", "\u{FFFD}N!!a", &[(0, 1)]),
    ("iso-2022-cn", "1B4E21 0A", "\u{FFFD}N!\n", &[(0, 1)]),
    (
        "iso-2022-cn",
        "1B242941 0E 3D 0F 80",
        "\u{FFFD}\u{FFFD}",
        &[(5, 1), (7, 1)],
    ),
    ("hz-gb-2312", "7E7B 3C 0A 61", "\u{FFFD}\na", &[(2, 1)]),
    (
        "hz-gb-2312",
        "7E7B 7E7E 3C3A",
        "\u{FFFD}\u{FFFD}己",
        &[(2, 1), (3, 1)],
    ),
    ("hz-gb-2312", "7E7B 3C3A 7E", "己\u{FFFD}", &[(4, 1)]),
    ("hz-gb-2312", "BC 22", "\u{FFFD}\"", &[(0, 1)]),
    // An ASCII octet is text, whatever precedes it.
    ("euc-kr", "C7 22 3C", "\u{FFFD}\"<", &[(0, 1)]),
    ("euc-kr", "61 C7", "a\u{FFFD}", &[(1, 1)]),
    ("euc-kr", "FF C7D1", "\u{FFFD}한", &[(0, 1)]),
    ("euc-kr", "C9A1 61", "\u{FFFD}a", &[(0, 2)]),
    ("johab", "D0 22", "\u{FFFD}\"", &[(0, 1)]),
    ("johab", "84 42 84 40", "ㄱ\u{FFFD}@", &[(2, 1)]),
    ("shift_jis", "93 0A", "\u{FFFD}\n", &[(0, 1)]),
    (
        "shift_jis",
        "A0 FD 61",
        "\u{FFFD}\u{FFFD}a",
        &[(0, 1), (1, 1)],
    ),
    ("euc-jp", "8F B0 61", "\u{FFFD}a", &[(0, 2)]),
    ("euc-jp", "8F B0", "\u{FFFD}", &[(0, 2)]),
    (
        "euc-jp",
        "8F 61 8E 61",
        "\u{FFFD}a\u{FFFD}a",
        &[(0, 1), (2, 1)],
    ),
    ("euc-jp", "8FA1A1 C6FC", "\u{FFFD}日", &[(0, 3)]),
    ("euc-tw", "8E A2 61", "\u{FFFD}a", &[(0, 2)]),
    ("euc-tw", "8E A2 A1 61", "\u{FFFD}a", &[(0, 3)]),
    ("euc-tw", "8E A2 A1", "\u{FFFD}", &[(0, 3)]),
    ("euc-tw", "8E 80 61", "\u{FFFD}\u{FFFD}a", &[(0, 1), (1, 1)]),
    ("big5", "C4 22", "\u{FFFD}\"", &[(0, 1)]),
    ("gbk", "C4 22", "\u{FFFD}\"", &[(0, 1)]),
    // Two of the four octets are digits, and are text if the others are missing.
    ("gb18030", "81 30 81 41", "\u{FFFD}0丄", &[(0, 1)]),
    ("gb18030", "81 30 22", "\u{FFFD}0\"", &[(0, 1)]),
    (
        "gb18030",
        "81 30 81",
        "\u{FFFD}0\u{FFFD}",
        &[(0, 1), (2, 1)],
    ),
    ("gb18030", "8431A530 61", "\u{FFFD}a", &[(0, 4)]),
];

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn damage() {
    for &(label, octets, text, places) in DAMAGE {
        let octets = hex(octets);
        let decoded = charset(label).decode(&octets);
        assert_eq!(decoded.as_str(), text, "{label} {octets:02X?}");
        let found: Vec<_> = decoded
            .report()
            .findings()
            .iter()
            .filter(|finding| finding.kind().effect() == Effect::Lost)
            .map(|finding| (finding.offset(), finding.length()))
            .collect();
        assert_eq!(found, places, "{label} {octets:02X?}");
    }
}

/// A lead octet at the end is half a character. No pair ends with octet FF.
#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn findings_tell_half_a_character_from_an_unassigned_pair() {
    for (label, lead) in [("big5-hkscs", 0xA4), ("johab", 0x88), ("euc-tw", 0xC4)] {
        let details = |octets: &[u8]| {
            let decoded = charset(label).decode(octets);
            let details = decoded.report().findings().iter();
            details.map(|it| it.detail().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(details(&[b'a', lead]), ["half a character"], "{label}");
        let unassigned = details(&[b'a', lead, 0xFF, b'a']);
        assert_eq!(unassigned, ["not a character of the set"], "{label}");
    }
}

/// Findings in octets decoded without U+FFFD: kind, offset, length.
#[track_caller]
fn noted(label: &str, octets: &[u8]) -> Vec<(Kind, usize, usize)> {
    let decoded = charset(label).decode(octets);
    assert!(!decoded.report().has_loss(), "{label} {octets:02X?}");
    let found = decoded.report().iter();
    found
        .map(|it| (it.kind(), it.offset(), it.length()))
        .collect()
}

/// Escapes of RFC 1468 without their ESC, which gateways removed as a control. `CPython` wrote the
/// octets with ESC (`text.encode('iso2022_jp')`).
#[test]
fn rfc1468_escapes_without_esc() {
    let texts: [(&str, &[u8]); 6] = [
        ("こんにちは", b"\x1B$B$3$s$K$A$O\x1B(B"),
        ("山田太郎", b"\x1B$B;3EDB@O:\x1B(B"),
        ("テスト", b"\x1B$B%F%9%H\x1B(B"),
        ("ご連絡 ABC 様", b"\x1B$B$4O\"Mm\x1B(B ABC \x1B$BMM\x1B(B"),
        ("東京（日本）", b"\x1B$BEl5~!JF|K\\!K\x1B(B"),
        (
            "日本語のメールを送ります。よろしく。",
            b"\x1B$BF|K\\8l$N%a!<%k$rAw$j$^$9!#$h$m$7$/!#\x1B(B",
        ),
    ];
    for (text, escaped) in texts {
        let mut lost = escaped.to_vec();
        lost.retain(|octet| *octet != 0x1B);
        let starts = lost.windows(2).filter(|pair| pair == b"$B").count();
        // As sent, with Roman for ASCII, with the escape of 1978, and between lines of ASCII.
        let roman = String::from_utf8(lost.clone()).unwrap().replace("(B", "(J");
        let first = [b"$@", &lost[2..]].concat();
        let lines = [b"US$5 $Bill\n", &lost[..], b"\n$5"].concat();
        let lines_text = format!("US$5 $Bill\n{text}\n$5");
        for (octets, text) in [
            (&lost[..], text),
            (roman.as_bytes(), text),
            (&first, text),
            (&lines, &lines_text),
        ] {
            for label in [
                "iso-2022-jp",
                "iso-2022-jp-2",
                "iso-2022-jp-2004",
                "cp50220",
            ] {
                let decoded = charset(label).decode(octets);
                assert_eq!(decoded.as_str(), text, "{label}");
                let kinds = decoded.report().iter().map(mime_charset::Finding::kind);
                let count = kinds.filter(|kind| *kind == Kind::MissingEscape).count();
                assert_eq!(count, 2 * starts, "{label} {text}");
                for cut in 0..=octets.len() {
                    assert_pieces_equal_whole(label, &PRACTISED, octets, &[cut]);
                }
            }
        }
        for label in ["iso-2022-jp", "us-ascii", "x-unknown"] {
            let header = format!("Content-Type: text/plain; charset={label}\n\n");
            let message = [header.as_bytes(), &lost].concat();
            let message = mime_charset::Message::parse(&message);
            let decoded = message.root().text();
            assert_eq!(decoded.as_str(), text, "{label}");
            assert!(decoded.report().has(Kind::MissingEscape), "{label}");
        }
    }
}

const KEPT: &str = "$B$3$s$K$A$O(B";

fn kinds(report: &mime_charset::Report) -> Vec<Kind> {
    report.iter().map(mime_charset::Finding::kind).collect()
}

/// Raw header text keeps escapes that lost their ESC, with a finding: in structured fields, `(B` begins a
/// comment. Encoded words are decoded.
#[test]
fn rfc5322_3_2_2_raw_header_text_keeps_escapes_without_esc() {
    let subject = |body: &str| {
        let message = format!("Subject: {body}\n\n");
        let message = mime_charset::Message::parse(message.as_bytes());
        let subject = message.subject().unwrap();
        (subject.as_str().to_owned(), kinds(subject.report()))
    };
    for body in [
        KEPT,
        "Re: $B$3$s$K$A$O(B 1",
        "US$Bill\n $B$3$s$K$A$O(B",
        "$B$3$s(B\n $B$K$A$O(B",
        "a $@$3$s$K(J",
    ] {
        let expected = (body.replace('\n', ""), vec![Kind::EscapeKept]);
        assert_eq!(subject(body), expected);
    }
    let (text, found) = subject("=?iso-2022-jp?Q?$B$3$s$K$A$O(B?=");
    assert_eq!(text, "こんにちは");
    assert_eq!(found, [Kind::MissingEscape; 2]);
    let body = format!("=?utf-8?Q?=C3=A9?= {KEPT}");
    let syntax = mime_charset::header::Syntax::Unstructured;
    let text = mime_charset::decode::field(body.as_bytes(), syntax, &Options::new());
    assert_eq!(text.as_str(), format!("é {KEPT}"));
    let finding = &text.report().findings()[0];
    let found = (finding.kind(), finding.offset(), finding.length());
    // After the word, which has 18 octets.
    assert_eq!(found, (Kind::EscapeKept, 18, 1 + KEPT.len()));
}

/// The same in a name in quotes, and in one without, in which a comment begins.
#[test]
fn rfc5322_3_2_2_names_with_escapes_without_esc() {
    let list = format!("\"{KEPT}\" <kim@example.org>");
    let list = mime_charset::decode::addresses(list.as_bytes());
    let mailbox = list.mailboxes().next().unwrap();
    assert_eq!(mailbox.name.as_str(), KEPT);
    assert_eq!(kinds(mailbox.name.report()), [Kind::EscapeKept]);
    for (body, is_reported) in [
        ("$B$3$s$K$A$O(B <kim@example.org>", true),
        ("$B$3$s$K$A$O(B: kim@example.org;", true),
        ("lee@example.org, $B$3$s$K$A$O(B <kim@example.org>", true),
        ("Kim (B <kim@example.org>", false),
        ("US$Bill (B <kim@example.org>", false),
        ("\x1B$B$3$s\x1B(B (Kim <kim@example.org>", false),
    ] {
        let list = mime_charset::decode::addresses(body.as_bytes());
        assert!(list.report.has(Kind::Unterminated), "{body}");
        assert_eq!(list.report.has(Kind::EscapeKept), is_reported, "{body}");
    }
}

/// The same in a parameter, also if its value is used in place of a malformed extended one.
#[test]
fn rfc2045_5_1_parameters_with_escapes_without_esc() {
    for (value, expected) in [
        ("\"$B$3$s$K$A$O(B\"", &[Kind::EscapeKept][..]),
        ("\"\\$B$3$s$K$A$O(B\"", &[Kind::EscapeKept]),
        (
            "\"$B$3$s$K$A$O(B\"; filename*=utf-8''%FF",
            &[Kind::ExtendedSyntax, Kind::EscapeKept],
        ),
        (
            "\"\"; filename*0=\"$B$3$s\"; filename*1=\"$K$A$O(B\"",
            &[Kind::EscapeKept],
        ),
    ] {
        let field = format!("attachment; filename={value}");
        let field = mime_charset::header::content_disposition(field.as_bytes());
        let text = field.parameter("filename").unwrap().text();
        assert_eq!(text.as_str(), KEPT, "{value}");
        assert_eq!(kinds(text.report()), expected, "{value}");
    }
}

/// ASCII of programs and prices, without an escape.
#[test]
fn rfc1468_ascii_dollars_are_kept() {
    for text in [
        "$B",
        "$@",
        "$B(B",
        "$Bill (Bob)",
        "PATH=$A$B$C$D",
        "$BASH_VERSION",
        "US$Billion",
        "$B$C$D",
        "echo $@ (Bourne)",
        "my ($A, $B) = @_;",
        "$B$3$s",
        "$Bfood(Bar)",
        "$B$3$s \n(B",
    ] {
        let decoded = charset("iso-2022-jp").decode(text.as_bytes());
        assert_eq!(
            (decoded.as_str(), decoded.report().is_empty()),
            (text, true)
        );
        let message = format!("Content-Type: text/plain; charset=us-ascii\n\n{text}");
        let message = mime_charset::Message::parse(message.as_bytes());
        assert_eq!(message.root().text().charset(), Charset::US_ASCII);
        if !text.contains('\n') {
            let subject = format!("Subject: {text}\n\n");
            let message = mime_charset::Message::parse(subject.as_bytes());
            let subject = message.subject().unwrap();
            assert_eq!(
                (subject.as_str(), subject.report().is_empty()),
                (text, true)
            );
        }
        for cut in 0..=text.len() {
            assert_pieces_equal_whole("iso-2022-jp", &PRACTISED, text.as_bytes(), &[cut]);
        }
    }
}

/// RFC 1468: "The text must end in ASCII"; RFC 1557, RFC 1922 and RFC 1843 require it of each line.
/// Truncated octets, and the same octets with their end.
#[test]
fn rfc1468_text_must_end_in_ascii() {
    let cases: [(&str, &[u8], &[u8]); 9] = [
        ("iso-2022-jp", b"\x1B$B0!", b"\x1B(B"),
        ("iso-2022-jp", b"\x1B(Jabc", b"\x1B(B"),
        ("iso-2022-jp-2", b"\x1B$AN:", b"\x1B(B"),
        ("iso-2022-jp-2004", b"\x1B$(Q0!", b"\x1B(B"),
        ("cp50220", b"\x1B(I1", b"\x1B(B"),
        ("iso-2022-kr", b"\x1B$)C\x0EGQ", b"\x0F"),
        ("iso-2022-cn", b"\x1B$)A\x0E=;", b"\x0F"),
        ("iso-2022-cn-ext", b"\x1B$)E\x0E=;", b"\x0F"),
        ("hz-gb-2312", b"~{<:Ky", b"~}"),
    ];
    for (label, start, end) in cases {
        let expected = vec![(Kind::ShiftedEnd, start.len(), 0)];
        assert_eq!(noted(label, start), expected, "{label}");
        let whole = [start, end].concat();
        assert_eq!(noted(label, &whole), [], "{label}");
        // A line ending returns to ASCII, or stays in the Roman set of JIS X 0201.
        let line = [start, b"\r\n"].concat();
        let is_roman = start.starts_with(b"\x1B(J");
        assert_eq!(noted(label, &line).is_empty(), !is_roman, "{label}");
        // However the octets are split.
        for octets in [start, &whole] {
            for cut in 0..=octets.len() {
                assert_pieces_equal_whole(label, &PRACTISED, octets, &[cut]);
            }
        }
    }
    // A set registered as a charset of its own has no other state.
    for label in ["jis_x0201", "jis_x0208-1983", "jis_x0212-1990"] {
        assert_eq!(noted(label, b"0!"), [], "{label}");
    }
}

/// RFC 1557, RFC 1468 and RFC 1843 define seven-bit charsets, and RFC 1557 requires a header before
/// the first SO. Text beyond that is reported once, at its start.
#[test]
fn rfc1557_eight_bit_octets_and_shifts_without_a_header_are_a_superset() {
    let superset = |offset| vec![(Kind::Superset, offset, 1)];
    assert_eq!(noted("iso-2022-kr", b"\xC7\xD1"), superset(0));
    assert_eq!(noted("iso-2022-kr", b"a \xC7\xD1\xB1\xB9"), superset(2));
    assert_eq!(noted("hz-gb-2312", b"\xB0\xA1"), superset(0));
    assert_eq!(noted("iso-2022-jp", b"a\xB1\xB2"), superset(1));
    assert_eq!(noted("iso-2022-kr", b"\x0EGQ\x0F"), superset(0));
    assert_eq!(noted("iso-2022-kr", b"\x1B$)C\x0EGQ\x0F"), []);
    assert_eq!(noted("iso-2022-jp", b"\x0E1\x0F"), superset(0));
    // JIS X 0201 has eight-bit katakana, and so have Microsoft's charsets.
    assert_eq!(noted("jis_x0201", b"\xB1"), []);
    assert_eq!(noted("cp50220", b"\xB1"), []);
    for octets in [&b"\x0EGQ\x0F \xC7\xD1"[..], b"\xC7\xD1\x0EGQ\x0F"] {
        for cut in 0..=octets.len() {
            assert_pieces_equal_whole("iso-2022-kr", &PRACTISED, octets, &[cut]);
        }
    }
}

/// All charsets of this file.
const LABELS: [&str; 29] = [
    "iso-2022-jp",
    "iso-2022-jp-1",
    "iso-2022-jp-2",
    "iso-2022-jp-3",
    "iso-2022-jp-2004",
    "cp50220",
    "jis_encoding",
    "jis_x0201",
    "jis_x0208-1983",
    "jis_c6226-1978",
    "jis_x0212-1990",
    "iso-2022-kr",
    "iso-2022-cn",
    "iso-2022-cn-ext",
    "hz-gb-2312",
    "euc-kr",
    "ks_c_5601-1987",
    "johab",
    "euc-tw",
    "euc-jp",
    "cp51932",
    "euc-jis-2004",
    "shift_jis",
    "shift_jis-2004",
    "gb2312",
    "gbk",
    "gb18030",
    "cn-gb-isoir165",
    "big5",
];

/// Text and findings do not depend on how the octets are split.
#[track_caller]
fn assert_pieces_equal_whole(label: &str, options: &Options, octets: &[u8], cuts: &[usize]) {
    let whole = charset(label).decode_with(octets, options);
    let mut decoder = Decoder::with_options(charset(label), options);
    let mut text = String::new();
    let mut from = 0;
    for &cut in cuts.iter().chain([&octets.len()]) {
        text += decoder.push(&octets[from..cut]);
        from = cut;
    }
    let rest = decoder.finish();
    text += rest.as_str();
    assert_eq!(
        text,
        whole.as_str(),
        "{label} {octets:02X?} cut at {cuts:?}"
    );
    assert_eq!(
        rest.report(),
        whole.report(),
        "{label} {octets:02X?} cut at {cuts:?}"
    );
}

#[test]
fn vectors_and_damage_in_pieces() {
    let vectors = VECTORS.iter().map(|&(label, octets, _)| (label, octets));
    let damage = DAMAGE.iter().map(|&(label, octets, ..)| (label, octets));
    for (label, octets) in vectors.chain(damage) {
        let octets = hex(octets);
        let every: Vec<_> = (0..octets.len()).collect();
        for options in [PRACTISED, REGISTERED] {
            assert_pieces_equal_whole(label, &options, &octets, &every);
            for first in 0..=octets.len() {
                for second in first..=octets.len() {
                    assert_pieces_equal_whole(label, &options, &octets, &[first, second]);
                }
            }
        }
    }
}

/// Escapes, shifts and line endings of all charsets, whole and truncated, mixed with octets.
fn shifting(draw: &mut Draw) -> Vec<u8> {
    const PARTS: [&[u8]; 32] = [
        b"\x1B(B",
        b"\x1B(J",
        b"\x1B(I",
        b"\x1B$B",
        b"\x1B$@",
        b"\x1B$(D",
        b"\x1B$A",
        b"\x1B$(C",
        b"\x1B.A",
        b"\x1B.F",
        b"\x1BN",
        b"\x1BO",
        b"\x1B$(Q",
        b"\x1B$(P",
        b"\x1B&@",
        b"\x1B$)C",
        b"\x1B$)A",
        b"\x1B$)G",
        b"\x1B$)E",
        b"\x1B$*H",
        b"\x1B$+I",
        b"\x0E",
        b"\x0F",
        b"~{",
        b"~}",
        b"~",
        b"\r\n",
        b"\n",
        b"\x8E",
        b"\x8F",
        b"\x81\x30",
        b" ",
    ];
    let mut octets = Vec::new();
    for _ in 0..draw.below(24) {
        match draw.below(4) {
            0 | 1 => {
                let part = PARTS[draw.below(PARTS.len())];
                let length = part.len() - usize::from(draw.below(8) == 0);
                octets.extend_from_slice(&part[..length]);
            }
            2 => octets.push(0x21 + u8::try_from(draw.below(0x5E)).unwrap()),
            _ => octets.push(u8::try_from(draw.below(0x100)).unwrap()),
        }
    }
    octets
}

#[test]
fn shifting_octets_in_pieces() {
    let mut draw = Draw::new(0x2022);
    for _ in 0..1_500 {
        let octets = shifting(&mut draw);
        for label in LABELS {
            let options = [PRACTISED, REGISTERED][draw.below(2)];
            let every: Vec<_> = (0..octets.len()).collect();
            assert_pieces_equal_whole(label, &options, &octets, &every);
            let mut cuts = [draw.below(octets.len() + 1), draw.below(octets.len() + 1)];
            cuts.sort_unstable();
            assert_pieces_equal_whole(label, &options, &octets, &cuts);
        }
    }
}

#[test]
fn text_is_at_most_three_octets_per_octet_and_findings_are_in_order() {
    let mut draw = Draw::new(1922);
    for _ in 0..1_500 {
        let octets = shifting(&mut draw);
        for label in LABELS {
            let decoded = charset(label).decode(&octets);
            assert!(
                decoded.as_str().len() <= 3 * octets.len(),
                "{label} {octets:02X?}"
            );
            let findings = decoded.report().iter();
            let findings: Vec<_> = findings
                .filter(|finding| finding.kind().effect() == Effect::Lost)
                .collect();
            let mut end = 0;
            for finding in &findings {
                assert!(finding.offset() >= end, "{label} {octets:02X?}");
                end = finding.offset() + finding.length();
            }
            assert!(end <= octets.len());
            assert_eq!(
                decoded.report().replacements(),
                findings.len(),
                "{label} {octets:02X?}"
            );
        }
    }
}

#[test]
fn ascii_is_never_swallowed() {
    // A final line of ASCII is in the text, whatever precedes it. Each charset is reset to ASCII
    // first, since Roman and katakana change some ASCII.
    let mut draw = Draw::new(1468);
    let reset = |label: &str| match label {
        "hz-gb-2312" => b"~}\n".as_slice(),
        "iso-2022-kr" | "iso-2022-cn" | "iso-2022-cn-ext" => b"\x0F\n",
        label if label.starts_with("iso-2022-jp") || label == "cp50220" => b"\x1B(B\n",
        _ => b"\n",
    };
    for _ in 0..1_500 {
        let octets = shifting(&mut draw);
        for label in LABELS
            .into_iter()
            .filter(|label| !label.starts_with("jis_"))
        {
            let octets = [&octets, reset(label), b"<a href=\"x\">"].concat();
            let text = charset(label).decode(&octets).into_text();
            assert!(
                text.ends_with("\n<a href=\"x\">"),
                "{label} {octets:02X?} {text:?}"
            );
        }
    }
}

#[test]
fn decoders_for_the_web_are_not_for_mail() {
    let web = |octets: &str| {
        let octets = hex(octets);
        let (text, _) = encoding_rs::ISO_2022_JP.decode_without_bom_handling(&octets);
        text.into_owned()
    };
    let ours = |octets: &str| {
        charset("iso-2022-jp")
            .decode(&hex(octets))
            .into_text()
            .into_owned()
    };
    for (octets, wrong, right) in [
        (
            "1B2442 2422 1B2842 1B2442 2424 1B2842",
            "あ\u{FFFD}い",
            "あい",
        ),
        (
            "1B2442 3021 0D0A 616263",
            "亜\u{FFFD}\u{FFFD}痰\u{FFFD}",
            "亜\r\nabc",
        ),
        ("1B242844 3021 1B2842", "\u{FFFD}$(D0!", "丂"),
        ("0E 31 0F", "\u{FFFD}1\u{FFFD}", "ｱ"),
        ("B1", "\u{FFFD}", "ｱ"),
    ] {
        assert_eq!(ours(octets), right);
        assert_ne!(web(octets), right, "the web's decoder now agrees");
        assert_eq!(web(octets), wrong);
    }
    // The Encoding Standard decodes none of ISO-2022-KR, ISO-2022-CN and HZ.
    for label in ["iso-2022-kr", "iso-2022-cn", "hz-gb-2312"] {
        let encoding = encoding_rs::Encoding::for_label(label.as_bytes());
        assert_eq!(encoding, Some(encoding_rs::REPLACEMENT));
        assert!(charset(label).is_decoded());
    }
}

#[test]
fn readings() {
    for (label, octets, practised, registered) in [
        (
            "shift_jis",
            "8160 8161 817C 8191 8192 81CA",
            "～∥－￠￡￢",
            "〜‖−¢£¬",
        ),
        (
            "euc-jp",
            "A1C1 A1C2 A1DD A1F1 A1F2 A2CC",
            "～∥－￠￡￢",
            "〜‖−¢£¬",
        ),
        (
            "iso-2022-jp",
            "1B2442 2141 2142 215D 2171 2172 224C 1B2842",
            "～∥－￠￡￢",
            "〜‖−¢£¬",
        ),
        ("windows-31j", "8160", "～", "～"),
        ("cp50220", "1B2442 2141 1B2842", "～", "～"),
        (
            "shift_jis",
            "8740 FA40 F040",
            "①ⅰ\u{E000}",
            "\u{FFFD}@\u{FFFD}@\u{FFFD}@",
        ),
        (
            "gb2312",
            "A1A4 A1AA 8140 80",
            "·—丂€",
            "・―\u{FFFD}@\u{FFFD}",
        ),
        ("hz-gb-2312", "7E7B 2124 212A 7E7D", "·—", "・―"),
        ("gb18030", "80 8140", "€丂", "\u{FFFD}丂"),
        ("gbk", "A1A4 8140 80 FE50", "·丂€⺁", "·丂€\u{FFFD}P"),
        ("euc-kr", "C7D1 8C63", "한똠", "한\u{FFFD}c"),
        (
            "big5",
            "A145 F9D6 8862",
            "‧碁Ê\u{304}",
            "•\u{FFFD}\u{FFFD}b",
        ),
        ("iso-2022-jp", "1B242844 3021 1B2842", "丂", "\u{FFFD}$(D0!"),
        ("iso-2022-jp", "B1", "ｱ", "\u{FFFD}"),
        ("iso-2022-jp", "0E 31 0F", "ｱ", "\u{E}1\u{F}"),
        ("iso-2022-kr", "C7D1", "한", "\u{FFFD}\u{FFFD}"),
        (
            "iso-2022-cn",
            "1B242941 0E3D3B0F 0A 0E 3D3B",
            "交\n交",
            "交\n\u{FFFD}=;",
        ),
    ] {
        let octets = hex(octets);
        let text = |options| charset(label).decode_with(&octets, options).into_text();
        assert_eq!(text(&PRACTISED), practised, "{label} {octets:02X?}");
        assert_eq!(text(&REGISTERED), registered, "{label} {octets:02X?}");
    }
}

#[test]
fn roman_as_ascii() {
    let octets = hex("1B284A 433A5C7E 1B2842");
    let text = |options: &Options| {
        charset("iso-2022-jp")
            .decode_with(&octets, options)
            .into_text()
    };
    assert_eq!(text(&PRACTISED), "C:¥‾");
    assert_eq!(text(&PRACTISED.jis_roman_as_ascii(true)), "C:\\~");
}

#[test]
fn a_set_without_a_table_shows_its_ascii() {
    let decoded = charset("amiga-1251").decode(b"a\xB0\xA1");
    assert_eq!(decoded.as_str(), "a\u{FFFD}\u{FFFD}");
    assert!(decoded.report().has(Kind::Undecoded));
}

#[test]
fn plain_ascii_is_borrowed() {
    for label in [
        "iso-2022-jp",
        "cp50220",
        "iso-2022-kr",
        "iso-2022-cn",
        "euc-kr",
        "gbk",
    ] {
        let text = charset(label).decode(b"plain\r\n").into_text();
        assert!(
            matches!(text, std::borrow::Cow::Borrowed("plain\r\n")),
            "{label}"
        );
    }
    // Roman and pairs are not ASCII, even without escapes.
    assert_eq!(charset("jis_x0201").decode(b"\\").as_str(), "¥");
    assert_eq!(charset("jis_x0208-1983").decode(b"F|").as_str(), "日");
}
