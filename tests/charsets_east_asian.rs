//! The charsets of East Asia, every octet sequence of them, against other programs.
//!
//! What others say is in `corpus/charset`, with the program and its version at the head of
//! each file. Where we differ on purpose there is a ledger, each row with its reason; a row
//! that no longer differs fails the test as well.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use mime_charset::{Charset, Options, Reading};

const PRACTISED: Options = Options::new();
const REGISTERED: Options = Options::new().reading(Reading::AsRegistered);

/// What another program makes of octet sequences; those without a row are unassigned.
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

fn scalar(hex: &str) -> char {
    char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap()
}

fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
        .collect()
}

/// The text where every octet is in it.
fn clean(label: &str, options: &Options, octets: &[u8]) -> Option<String> {
    let decoded = charset(label).decode_with(octets, options);
    (decoded.report().replacements() == 0).then(|| decoded.into_text().into_owned())
}

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap_or_else(|| panic!("{label}"))
}

/// Octet sequences, first and last, of which we make something else than `name`'s program.
struct Departure {
    octets: [&'static str; 2],
    /// How many of them differ.
    count: usize,
    /// Our text for the first of them, `None` where we give U+FFFD.
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

/// Compares every sequence of one and of two octets, and those behind `prefixes`.
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
    assert_eq!(
        compared,
        truth.0.len(),
        "{name}: rows that were not compared"
    );
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
            "glibc and the Encoding Standard take the tilde of JIS X 0212 for the wide one",
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
            departure(
                ["80", "8D"],
                14,
                None,
                "C1 controls, which mail does not carry",
            ),
            departure(
                ["90", "9F"],
                16,
                None,
                "C1 controls, which mail does not carry",
            ),
            departure(
                ["F5A1", "FEFE"],
                940,
                None,
                "places for private use: nothing to read",
            ),
            departure(
                ["8FA2C3", "8FA2C3"],
                1,
                Some("\u{A6}"),
                "the broken bar of JIS X 0212, which eucJP-ms widens",
            ),
            departure(
                ["8FF5A1", "8FFEFE"],
                940,
                None,
                "places for private use: nothing to read",
            ),
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
                "CPython, and every reading of JIS X 0208, which has the same dash there",
            ),
            departure(
                ["A2D6", "A2D7"],
                2,
                Some("\u{2985}"),
                "CPython too: white parentheses were not yet in their wide form in 2000",
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
    const ASCII: &str = "paths and addresses are written in it, as in Shift_JIS";
    const WIDE: &str =
        "with ASCII in 5C and 7E these stay wide, as glibc and EUC-JIS-2004 have them";
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
            "C1 controls, which mail does not carry",
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
                "three fillers are the Hangul filler; CPython makes an ideographic space of them",
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
    let four_octets = |truth: &Truth| {
        let mut prefixes: Vec<_> = truth.0.keys().filter(|octets| octets.len() == 4).collect();
        prefixes.dedup_by_key(|octets| &octets[..3]);
        prefixes.iter().map(|octets| octets[..3].to_vec()).collect()
    };
    const PRIVATE: &str = "GB 18030-2005 and -2022 have a private use character there and the \
        one glibc gives in four octets";
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
                    "the Encoding Standard: an ideographic space in old text, else private use",
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
fn gb18030_of_2022_is_out_of_private_use() {
    // Text of the edition of 2000 has the four octets, text of 2022 the two: both are read.
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
    const SECOND: &str = "a second code for a character that glibc gives one code alone";
    const CONTROL: &str = "ETEN's control pictures and the euro";
    for label in ["big5-hkscs", "big5"] {
        compare(
            "big5-hkscs",
            label,
            &PRACTISED,
            none,
            &[
                departure(
                    ["80", "80"],
                    1,
                    None,
                    "a C1 control, which mail does not carry",
                ),
                departure(["A145", "A145"], 1, Some("\u{2027}"), SYMBOL),
                departure(["A14E", "A14E"], 1, Some("\u{FE51}"), SYMBOL),
                departure(["A1C2", "A1C2"], 1, Some("\u{AF}"), SYMBOL),
                departure(["A1E3", "A1E3"], 1, Some("\u{FF5E}"), SYMBOL),
                departure(["A1F2", "A1F3"], 2, Some("\u{2295}"), SYMBOL),
                departure(["A1FE", "A1FE"], 1, Some("\u{FF0F}"), SYMBOL),
                departure(["A240", "A247"], 6, Some("\u{FF3C}"), SYMBOL),
                departure(["A3C0", "A3E1"], 34, Some("\u{2400}"), CONTROL),
                departure(["A15A", "A15A"], 1, Some("\u{2574}"), SECOND),
                departure(["A1C3", "A1C3"], 1, Some("\u{FFE3}"), SECOND),
                departure(["A1C5", "A1C5"], 1, Some("\u{2CD}"), SECOND),
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
