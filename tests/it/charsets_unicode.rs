//! Unicode encodings compared with other programs, whole and in pieces.
//!
//! Their answers are in `corpus/charset`, with program and version at the head of each file. A
//! deliberate difference has a row with its reason. A row that no longer differs fails the test.

use mime_charset::charset::Decoder;
use mime_charset::hangul::HangulPolicy;
use mime_charset::{Decoded, Effect, Kind, Options};

use super::samples::{charset, hex};

const DEFAULT: Options = Options::new();
const REGISTERED: Options = Options::new().as_registered(true);

/// Decodes whole, and checks that splitting makes no difference.
#[track_caller]
fn decode(label: &str, octets: &[u8], options: &Options) -> Decoded<'static> {
    let charset = charset(label);
    let whole = charset.decode_with(octets, options).into_owned();
    let in_pieces = |pieces: &mut dyn Iterator<Item = &[u8]>| {
        let mut decoder = Decoder::with_options(charset, options);
        let mut text = String::new();
        for piece in pieces {
            text += decoder.push(piece);
        }
        let rest = decoder.finish();
        text += rest.as_str();
        assert_eq!(text, whole.as_str(), "{label} {octets:02X?}");
        assert_eq!(rest.report(), whole.report(), "{label} {octets:02X?}");
    };
    in_pieces(&mut octets.chunks(1));
    in_pieces(&mut octets.chunks(3));
    for at in 0..octets.len().min(64) {
        let (first, second) = octets.split_at(at);
        in_pieces(&mut [first, second].into_iter());
    }
    whole
}

#[track_caller]
fn text(label: &str, octets: &[u8]) -> String {
    decode(label, octets, &DEFAULT).as_str().to_owned()
}

/// The text, and the findings as kind, offset and length.
#[track_caller]
fn findings(label: &str, octets: &[u8]) -> (String, Vec<(Kind, usize, usize)>) {
    findings_with(label, octets, &DEFAULT)
}

#[track_caller]
fn findings_with(
    label: &str,
    octets: &[u8],
    options: &Options,
) -> (String, Vec<(Kind, usize, usize)>) {
    let decoded = decode(label, octets, options);
    let places = decoded.report().findings().iter();
    let places = places.map(|found| (found.kind(), found.offset(), found.length()));
    (decoded.as_str().to_owned(), places.collect())
}

/// Our text for octets that another program decodes differently, with the reason.
type Departure = fn(&[u8]) -> Option<(String, &'static str)>;

/// Compares every row of a file, with exactly `departures` differences.
#[track_caller]
fn compare(name: &str, options: &Options, departures: usize, departure: Departure) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/charset");
    let file = std::fs::read_to_string(format!("{folder}/{name}.tsv")).unwrap();
    let (mut rows, mut departed) = (0, 0);
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let (octets, scalars) = line.split_once('\t').unwrap();
        let octets = hex(octets);
        let mut theirs = String::new();
        for cell in scalars.split_whitespace() {
            let (value, times) = cell.split_once('*').unwrap_or((cell, "1"));
            let scalar = char::from_u32(u32::from_str_radix(value, 16).unwrap()).unwrap();
            theirs.extend(std::iter::repeat_n(scalar, times.parse().unwrap()));
        }
        let ours = decode(name, &octets, options);
        rows += 1;
        if let Some((expected, reason)) = departure(&octets) {
            assert_eq!(ours.as_str(), expected, "{name}: {octets:02X?}: {reason}");
            assert_ne!(
                ours.as_str(),
                theirs,
                "{name}: {octets:02X?} no longer differs"
            );
            departed += 1;
            continue;
        }
        assert_eq!(ours.as_str(), theirs, "{name}: {octets:02X?}");
        // Every U+FFFD is reported, unless it was in the text.
        let replaced = theirs.matches('\u{FFFD}').count();
        if ours.report().replacements() > 0 {
            assert_eq!(
                ours.report().replacements(),
                replaced,
                "{name}: {octets:02X?}"
            );
        }
    }
    assert!(rows >= 40, "{name}: {rows} rows");
    assert_eq!(departed, departures, "{name}: departures");
}

fn none(_: &[u8]) -> Option<(String, &'static str)> {
    None
}

#[test]
fn utf_7_by_icu_and_cpython() {
    compare("utf-7", &DEFAULT, 1, |octets| {
        let reason = "a shift without a run is an octet that was sent: both drop it";
        (octets == b"+").then(|| ("\u{FFFD}".to_owned(), reason))
    });
}

#[test]
fn utf_7_imap_by_icu() {
    compare("utf-7-imap", &DEFAULT, 33, |octets| match *octets {
        [octet @ (0..=0x1F | 0x7F)] => {
            let reason = "RFC 3501 requires encoded controls; ICU loses literal ones";
            Some((char::from(octet).to_string(), reason))
        }
        _ => None,
    });
}

#[test]
fn cesu_8_by_icu() {
    compare("cesu-8", &DEFAULT, 0, none);
    compare("cesu-8", &REGISTERED, 0, none);
}

#[test]
fn utf_16_and_utf_32_by_icu_and_cpython() {
    for name in [
        "utf-16be", "utf-16le", "utf-32be", "utf-32le", "utf-16", "utf-32",
    ] {
        compare(name, &DEFAULT, 0, none);
    }
}

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn scsu_by_icu() {
    compare("scsu", &DEFAULT, 0, none);
}

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn bocu_1_by_icu() {
    compare("bocu-1", &DEFAULT, 0, none);
}

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn utf_1_by_the_formulas_of_iso_ir_178() {
    compare("utf-1", &DEFAULT, 0, none);
}

#[test]
fn rfc2152_rule_2_ends_of_a_run() {
    for (octets, expected) in [
        (b"+AKM.".as_slice(), "£."),
        (b"+AKM--", "£-"),
        // Not padding: the equals sign is in set O.
        (b"+AKM=-", "£=-"),
        (b"+AKM", "£"),
        (b"+AKM\r\n+AKM-", "£\r\n£"),
        (b"+-+-1+-", "++1+"),
        // "Any character may be encoded".
        (b"+AGEAYg-c", "abc"),
        (b"+2D3cqQ-", "\u{1F4A9}"),
    ] {
        assert_eq!(findings("utf-7", octets), (expected.to_owned(), vec![]));
    }
}

#[test]
fn rfc2152_departures_are_read_and_reported() {
    use Kind::{Malformed, Utf7Syntax};
    for (octets, expected, places) in [
        // Rule 1 excludes these two from sets D and O; rule 3 has only three controls.
        (
            b"a~b\\".as_slice(),
            "a~b\\",
            vec![(Utf7Syntax, 1, 1), (Utf7Syntax, 3, 1)],
        ),
        (
            b"a\x0Cb\x00",
            "a\u{C}b\0",
            vec![(Utf7Syntax, 1, 1), (Utf7Syntax, 3, 1)],
        ),
        // A literal plus sign, followed by text.
        (b"1 + 1", "1 \u{FFFD} 1", vec![(Malformed, 2, 1)]),
        // The second plus sign is a letter of base64.
        (b"C++", "C\u{FFFD}", vec![(Malformed, 2, 1)]),
        (b"x+", "x\u{FFFD}", vec![(Malformed, 1, 1)]),
        // Excess bits: one set bit, six clear bits, an incomplete unit.
        (b"+AKN-x", "£\u{FFFD}x", vec![(Malformed, 3, 1)]),
        (b"+AKMA-x", "£\u{FFFD}x", vec![(Malformed, 3, 2)]),
        (b"+AK.", "\u{FFFD}.", vec![(Malformed, 1, 2)]),
        // Lone surrogates.
        (b"+2D0-x", "\u{FFFD}x", vec![(Malformed, 1, 3)]),
        (
            b"+3ak-+2D0-",
            "\u{FFFD}\u{FFFD}",
            vec![(Malformed, 1, 3), (Malformed, 6, 3)],
        ),
        // Octets above 7F do not occur in seven-bit text.
        (
            b"+AKM\xE9\xE9",
            "£\u{FFFD}\u{FFFD}",
            vec![(Malformed, 4, 1), (Malformed, 5, 1)],
        ),
    ] {
        assert_eq!(findings("utf-7", octets), (expected.to_owned(), places));
    }
    assert_eq!(Utf7Syntax.effect(), Effect::Repaired);
}

/// A run of UTF-7 (RFC 2152, rule 2): the code units of a text, highest bit first, six bits per
/// character of base64, the last one filled with zeros.
fn utf7_run(text: &str) -> String {
    const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bits: Vec<u16> = text
        .encode_utf16()
        .flat_map(|unit| (0..16).rev().map(move |bit| unit >> bit & 1))
        .collect();
    bits.resize(bits.len().next_multiple_of(6), 0);
    bits.chunks(6)
        .map(|six| six.iter().fold(0, |value, bit| value << 1 | bit))
        .map(|value| char::from(BASE64[usize::from(value)]))
        .collect()
}

#[test]
fn rfc2152_runs_of_every_length_with_every_end() {
    // Characters of one to four octets of UTF-8, alone and alternating.
    assert_eq!(utf7_run("£††"), "AKMgICAg");
    for characters in [
        "\u{7F}",
        "é",
        "한",
        "\u{1F600}",
        "aé한글\u{1F600}ж\u{FFFF}日",
    ] {
        for length in 1..40 {
            for start in 0..8 {
                let text: String = characters
                    .chars()
                    .cycle()
                    .skip(start)
                    .take(length)
                    .collect();
                for (end, shown) in [("-", ""), ("-.", "."), (" b", " b"), ("\r\n+-", "\r\n+")] {
                    let octets = format!("a+{}{end}", utf7_run(&text));
                    let expected = (format!("a{text}{shown}"), vec![]);
                    assert_eq!(findings("utf-7", octets.as_bytes()), expected, "{octets}");
                }
                let open = format!("+{}", utf7_run(&text));
                let damaged = format!("{open}\u{E9}");
                let at = open.len();
                assert_eq!(
                    findings("utf-7", damaged.as_bytes()),
                    (
                        format!("{text}\u{FFFD}\u{FFFD}"),
                        vec![(Kind::Malformed, at, 1), (Kind::Malformed, at + 1, 1)]
                    ),
                    "{damaged}"
                );
            }
        }
    }
}

#[test]
fn rfc2152_a_long_run_is_not_buffered() {
    // AKMAowCj is "£££", repeated every eight characters of base64.
    let mut decoder = Decoder::new(charset("utf-7"));
    assert_eq!(decoder.push(b"+"), "");
    for _ in 0..1000 {
        assert_eq!(decoder.push(b"AKMAowCj"), "£££");
    }
    assert_eq!(decoder.finish().as_str(), "");
}

#[test]
fn rfc3501_5_1_3_mailbox_names() {
    use Kind::{Malformed, Utf7Syntax};
    for (octets, expected, places) in [
        // The section's own example.
        (
            b"~peter/mail/&U,BTFw-/&ZeVnLIqe-".as_slice(),
            "~peter/mail/台北/日本語",
            vec![],
        ),
        (b"&Jjo-!", "☺!", vec![]),
        (
            b"&U,BTFw-&ZeVnLIqe-",
            "台北日本語",
            vec![(Utf7Syntax, 8, 1)],
        ),
        (b"&U,BTF2XlZyyKng-", "台北日本語", vec![]),
        (b"R&-D &-+", "R&D &+", vec![]),
        (b"&AKM-&-", "£&", vec![]),
        (b"&AGE-", "a", vec![(Utf7Syntax, 1, 3)]),
        (b"&AKM", "£", vec![(Utf7Syntax, 0, 4)]),
        (b"&AKM/x", "£/x", vec![(Utf7Syntax, 0, 4)]),
        (b"a\tb", "a\tb", vec![(Utf7Syntax, 1, 1)]),
        (b"a & b", "a \u{FFFD} b", vec![(Malformed, 2, 1)]),
    ] {
        assert_eq!(
            findings("utf-7-imap", octets),
            (expected.to_owned(), places)
        );
    }
}

#[test]
fn rfc2781_4_3_a_mark_is_not_text() {
    let marked = vec![(Kind::BomRemoved, 0, 2)];
    assert_eq!(
        findings("utf-16", b"\xFE\xFF\x00A"),
        ("A".to_owned(), marked.clone())
    );
    assert_eq!(
        findings("utf-16", b"\xFF\xFEA\x00"),
        ("A".to_owned(), marked.clone())
    );
    assert_eq!(
        findings("iso-10646-ucs-2", b"\xFF\xFEA\x00"),
        ("A".to_owned(), marked)
    );
    let keep = Options::new().keep_bom(true);
    let kept = ("\u{FEFF}A".to_owned(), vec![]);
    assert_eq!(findings_with("utf-16", b"\xFF\xFEA\x00", &keep), kept);
    // Only the first is a byte order mark.
    assert_eq!(text("utf-16", b"\xFF\xFE\xFF\xFEA\x00"), "\u{FEFF}A");
    // If the label gives the order, it is a character.
    assert_eq!(findings("utf-16be", b"\xFE\xFF\x00A"), kept);
    assert_eq!(findings("utf-16le", b"\xFF\xFEA\x00"), kept);
}

#[test]
fn unicode_3_10_marks_of_utf_32() {
    let marked = vec![(Kind::BomRemoved, 0, 4)];
    for label in ["utf-32", "iso-10646-ucs-4"] {
        let big = b"\x00\x00\xFE\xFF\x00\x00\x00A";
        assert_eq!(findings(label, big), ("A".to_owned(), marked.clone()));
        let little = b"\xFF\xFE\x00\x00A\x00\x00\x00";
        assert_eq!(findings(label, little), ("A".to_owned(), marked.clone()));
    }
    assert_eq!(
        text("utf-32be", b"\x00\x00\xFE\xFF\x00\x00\x00A"),
        "\u{FEFF}A"
    );
    // Under this label FF FE is the mark, and NUL a character.
    assert_eq!(text("utf-16", b"\xFF\xFE\x00\x00A\x00"), "\0A");
}

fn utf_16(text: &str, octets_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(octets_of).collect()
}

#[test]
fn rfc2781_4_3_the_order_of_text_without_a_mark() {
    let assumed = vec![(Kind::ByteOrderAssumed, 0, 0)];
    for told in [
        "Hello",
        "a",
        "naïve café",
        "Привет всем",
        "한국어\n",
        "こんにちは\r\n世界",
    ] {
        for octets_of in [u16::to_be_bytes, u16::to_le_bytes] {
            let octets = utf_16(told, octets_of);
            for label in [
                "utf-16",
                "iso-10646-ucs-2",
                "unicode",
                "iso-unicode-ibm-1276",
            ] {
                assert_eq!(
                    findings(label, &octets),
                    (told.to_owned(), assumed.clone()),
                    "{told}"
                );
            }
        }
    }
    // Without evidence: big-endian, by the section.
    let octets = utf_16("日本語", u16::to_be_bytes);
    assert_eq!(
        findings("utf-16", &octets),
        ("日本語".to_owned(), assumed.clone())
    );
    let octets = utf_16("日本語", u16::to_le_bytes);
    assert_eq!(
        findings("utf-16", &octets),
        ("\u{E565}\u{2C67}\u{9E8A}".to_owned(), assumed)
    );
    assert_eq!(findings("utf-16", b""), (String::new(), vec![]));
}

/// Microsoft's programs write `unicode` for their code page 1200, which is little-endian, like this
/// label in the Encoding Standard, section 4.2. A mark and evidence in the octets are preferred.
#[test]
fn unicode_is_little_endian_unless_the_octets_prove_otherwise() {
    let assumed = vec![(Kind::ByteOrderAssumed, 0, 0)];
    let octets = utf_16("日本語", u16::to_le_bytes);
    let expected = ("日本語".to_owned(), assumed);
    assert_eq!(findings("unicode", &octets), expected);
    assert_eq!(findings("Unicode", &octets), expected);
    let octets = utf_16("日本語 ", u16::to_be_bytes);
    assert_eq!(text("unicode", &octets), "日本語 ");
    let octets = utf_16("\u{FEFF}日本語", u16::to_be_bytes);
    assert_eq!(text("unicode", &octets), "日本語");
    // The registered csUnicode is in network byte order.
    let octets = utf_16("日本語", u16::to_be_bytes);
    for label in ["csUnicode", "iso-10646-ucs-2", "ucs-2"] {
        assert_eq!(text(label, &octets), "日本語");
    }
}

#[test]
fn rfc2781_4_3_only_the_beginning_is_examined() {
    // 2,048 units are the 4,096 octets examined; evidence after them is ignored.
    let ideographs = "語".repeat(2047);
    let told = utf_16(
        &format!("{ideographs}\n{}", "a".repeat(5000)),
        u16::to_le_bytes,
    );
    assert!(
        charset("utf-16")
            .decode(&told)
            .as_str()
            .starts_with(&ideographs)
    );
    let untold = utf_16(
        &format!("{ideographs}語\n{}", "a".repeat(5000)),
        u16::to_le_bytes,
    );
    // U+8A9E in the opposite byte order.
    assert!(
        charset("utf-16")
            .decode(&untold)
            .as_str()
            .starts_with('\u{9E8A}')
    );
    for octets in [told, untold] {
        let whole = charset("utf-16").decode(&octets).into_owned();
        for size in [1, 7, 2048, 4095, 4096, 4097] {
            let mut decoder = Decoder::new(charset("utf-16"));
            let mut text: String = octets
                .chunks(size)
                .map(|piece| decoder.push(piece).to_owned())
                .collect();
            let rest = decoder.finish();
            text += rest.as_str();
            assert!(text == whole.as_str(), "pieces of {size}");
            assert_eq!(rest.report(), whole.report());
        }
    }
    // A surrogate pair split by the end of the examined octets.
    let cut = format!("{}😀!", "a".repeat(2047));
    assert_eq!(
        charset("utf-16")
            .decode(&utf_16(&cut, u16::to_le_bytes))
            .as_str(),
        cut
    );
}

#[test]
fn rfc1641_and_rfc1815_prescribe_the_order() {
    for label in [
        "unicode-1-1",
        "iso-10646",
        "iso-10646-j-1",
        "iso-10646-ucs-basic",
    ] {
        let never = Options::new().hangul(HangulPolicy::Never);
        let octets = utf_16("Latin", u16::to_be_bytes);
        assert_eq!(
            findings_with(label, &octets, &never),
            ("Latin".to_owned(), vec![])
        );
        let octets = utf_16("日本", u16::to_be_bytes);
        assert_eq!(
            findings_with(label, &octets, &never),
            ("日本".to_owned(), vec![])
        );
        // Text that makes sense only in the other order is decoded in that order.
        let octets = utf_16("Latin", u16::to_le_bytes);
        let assumed = vec![(Kind::ByteOrderAssumed, 0, 0)];
        assert_eq!(
            findings_with(label, &octets, &never),
            ("Latin".to_owned(), assumed)
        );
    }
}

#[test]
fn utf_32_without_a_mark() {
    let assumed = vec![(Kind::ByteOrderAssumed, 0, 0)];
    for label in ["utf-32", "iso-10646-ucs-4"] {
        for octets_of in [u32::to_be_bytes, u32::to_le_bytes] {
            let octets: Vec<_> = "한😀"
                .chars()
                .flat_map(|c| octets_of(u32::from(c)))
                .collect();
            assert_eq!(
                findings(label, &octets),
                ("한😀".to_owned(), assumed.clone())
            );
        }
    }
}

#[test]
fn utf_16_and_utf_32_malformed() {
    use Kind::Malformed;
    let one = "\u{FFFD}".to_owned();
    let two = "\u{FFFD}\u{FFFD}".to_owned();
    assert_eq!(
        findings("utf-16be", b"\xD8\x3D"),
        (one.clone(), vec![(Malformed, 0, 2)])
    );
    assert_eq!(
        findings("utf-16be", b"\xDE\x00"),
        (one.clone(), vec![(Malformed, 0, 2)])
    );
    assert_eq!(
        findings("utf-16be", b"\x41"),
        (one.clone(), vec![(Malformed, 0, 1)])
    );
    // A lone surrogate and half a unit are two errors; the Encoding Standard reports only one.
    let places = vec![(Malformed, 0, 2), (Malformed, 2, 1)];
    assert_eq!(findings("utf-16be", b"\xD8\x3D\xDE"), (two, places));
    assert_eq!(
        findings("utf-32be", b"\x00\x11\x00\x00"),
        (one.clone(), vec![(Malformed, 0, 4)])
    );
    assert_eq!(
        findings("utf-32be", b"\x00\x00\xD8\x00"),
        (one.clone(), vec![(Malformed, 0, 4)])
    );
    assert_eq!(
        findings("utf-32be", b"\x00\x00\x00"),
        (one, vec![(Malformed, 0, 3)])
    );
}

#[test]
fn utr_26_four_octets_are_utf_8() {
    let smile = "a😀b".as_bytes();
    let superset = vec![(Kind::Superset, 1, 4)];
    assert_eq!(findings("cesu-8", smile), ("a😀b".to_owned(), superset));
    // The registered charset rejects each of the four octets. ICU gives one U+FFFD for all.
    let (text, places) = findings_with("cesu-8", smile, &REGISTERED);
    assert_eq!(text, "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}b");
    assert_eq!(
        places,
        [1, 2, 3, 4].map(|offset| (Kind::Malformed, offset, 1))
    );
    let half = findings("cesu-8", b"\xED\xA0\xBDx\xED\xB8\x80");
    let places = vec![(Kind::Malformed, 0, 3), (Kind::Malformed, 4, 3)];
    assert_eq!(half, ("\u{FFFD}x\u{FFFD}".to_owned(), places));
    assert_eq!(
        findings("cesu-8", b"\xED\xA0\xBD\xED").1[1],
        (Kind::Malformed, 3, 1)
    );
}

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn uts_6_a_reserved_window() {
    use Kind::Malformed;
    // Table 3 reserves 00 and A8 to F8. The octet is consumed with its tag, except NUL, which is
    // text. ICU 72 loses the next letter.
    let (text, places) = findings("scsu", b"\x18\xA8A\x80");
    assert_eq!(
        (text.as_str(), places),
        ("\u{FFFD}A\u{80}", vec![(Malformed, 0, 2)])
    );
    let (text, places) = findings("scsu", b"\x18\x00A\x80");
    assert_eq!(
        (text.as_str(), places),
        ("\u{FFFD}\0A\u{80}", vec![(Malformed, 0, 1)])
    );
    let (text, places) = findings("scsu", b"\x0E\xD8\x3D\x0BA");
    let expected = vec![(Malformed, 0, 3), (Malformed, 3, 2)];
    assert_eq!((text.as_str(), places), ("\u{FFFD}\u{FFFD}", expected));
}

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn utn_6_a_control_has_no_second_encoding() {
    use Kind::Malformed;
    // From U+0040 these distances lead to U+0000, U+000A and U+0020, which BOCU-1 writes as 00, 0A
    // and 20. ICU accepts them.
    for octet in [0x50, 0x5A, 0x70] {
        let found = findings("bocu-1", &[octet, b'\n']);
        assert_eq!(found, ("\u{FFFD}\n".to_owned(), vec![(Malformed, 0, 1)]));
    }
    // The octet that breaks a sequence is text. ICU consumes it.
    let found = findings("bocu-1", b"\xD0\n\xD0\x00\xFB\x01 \x91");
    let places = vec![(Malformed, 0, 1), (Malformed, 2, 1), (Malformed, 4, 2)];
    assert_eq!(found, ("\u{FFFD}\n\u{FFFD}\0\u{FFFD} A".to_owned(), places));
    // A surrogate: U+D7FF leaves the base at U+D7C0, and D0 01 adds 64.
    let found = findings("bocu-1", &[hex("FBC510"), hex("D001")].concat());
    assert_eq!(found.1.last(), Some(&(Malformed, 3, 2)));
}

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn iso_ir_178_vectors_and_malformed() {
    use Kind::Malformed;
    // One octet, A0 and one, 85 leads with 190 each, six with 190², two with 190⁴: 0x100 + 85 * 190
    // = 0x4016 and 0x4016 + 6 * 190 * 190 = 0x38E2E.
    for (octets, scalar) in [
        ("7F", 0x7F),
        // C1 controls are literal, like C0.
        ("80", 0x80),
        ("9F", 0x9F),
        ("A0A0", 0xA0),
        ("A0FF", 0xFF),
        ("A121", 0x100),
        ("A17E", 0x15D),
        ("A1A0", 0x15E),
        ("A1FF", 0x1BD),
        ("A221", 0x1BE),
        ("AA72", 0x7FF),
        ("AA73", 0x800),
        ("B548", 0xFFF),
        ("B549", 0x1000),
        ("F5FF", 0x4015),
        ("F62121", 0x4016),
        ("F72FC3", 0xD7FF),
        ("F73A79", 0xE000),
        ("F75C3C", 0xF8FF),
        ("F762BA", 0xFDD0),
        ("F762D9", 0xFDEF),
        ("F7644C", 0xFEFF),
        ("F765AD", 0xFFFD),
        ("F765AE", 0xFFFE),
        ("F765AF", 0xFFFF),
        ("F765B0", 0x10000),
        ("FBFFFF", 0x38E2D),
        ("FC21212121", 0x38E2E),
        ("FC2137B27A", 0xFFFFF),
        ("FC2137B27B", 0x10_0000),
        ("FC21396E6C", 0x10_FFFF),
    ] {
        let expected = char::from_u32(scalar).unwrap().to_string();
        assert_eq!(
            findings("utf-1", &hex(octets)),
            (expected, vec![]),
            "{octets}"
        );
    }
    for (octets, expected, places) in [
        // U+D800 and U+110000, one more than two of the above.
        ("F72FC4", "\u{FFFD}", vec![(Malformed, 0, 3)]),
        ("FC21396E6D41", "\u{FFFD}A", vec![(Malformed, 0, 5)]),
        ("FDFFFFFFFF", "\u{FFFD}", vec![(Malformed, 0, 5)]),
        (
            "FEFF41",
            "\u{FFFD}\u{FFFD}A",
            vec![(Malformed, 0, 1), (Malformed, 1, 1)],
        ),
        ("A120", "\u{FFFD} ", vec![(Malformed, 0, 1)]),
        ("A080", "\u{FFFD}\u{80}", vec![(Malformed, 0, 1)]),
        ("A041", "\u{FFFD}A", vec![(Malformed, 0, 1)]),
        // An incomplete sequence does not swallow ASCII.
        ("FC41410D0A", "\u{FFFD}AA\r\n", vec![(Malformed, 0, 1)]),
        ("F641", "\u{FFFD}A", vec![(Malformed, 0, 1)]),
        ("A0", "\u{FFFD}", vec![(Malformed, 0, 1)]),
    ] {
        assert_eq!(
            findings("utf-1", &hex(octets)),
            (expected.to_owned(), places),
            "{octets}"
        );
    }
}

/// U+3CA2 U+3476 U+3971, 한국어 in Unicode 1.1, in every encoding.
const OLD_HANGUL: [(&str, &str); 16] = [
    ("utf-7", "2B 504B49 30646A6C78 2D"),
    ("utf-7-imap", "26 504B49 30646A6C78 2D"),
    ("utf-8", "E3B2A2 E391B6 E3A5B1"),
    ("cesu-8", "E3B2A2 E391B6 E3A5B1"),
    ("utf-16be", "3CA2 3476 3971"),
    ("utf-16le", "A23C 7634 7139"),
    ("utf-16", "FEFF 3CA2 3476 3971"),
    ("iso-10646-ucs-2", "3CA2 3476 3971"),
    ("iso-10646-j-1", "3CA2 3476 3971"),
    ("utf-32be", "00003CA2 00003476 00003971"),
    ("utf-32le", "A23C0000 76340000 71390000"),
    ("utf-32", "FFFE0000 A23C0000 76340000 71390000"),
    ("iso-10646-ucs-4", "00003CA2 00003476 00003971"),
    // 15,266 = 80 * 190 + 66, 13,174 = 69 * 190 + 64, 14,449 = 76 * 190 + 9.
    ("utf-1", "F163 E661 ED2A"),
    ("scsu", "0F 3CA2 3476 3971"),
    // By ICU 72.1.
    ("bocu-1", "FB2162478ED53F"),
];

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn rfc2279_5_no_unversioned_label_remaps_hangul() {
    let assume = Options::new().assume_pre_amendment5(true);
    for (label, octets) in OLD_HANGUL {
        let octets = hex(octets);
        assert_eq!(text(label, &octets), "\u{3CA2}\u{3476}\u{3971}", "{label}");
        // RFC 2044's own Unicode, on the caller's request.
        let decoded = decode(label, &octets, &assume);
        assert_eq!(decoded.as_str(), "한국어", "{label}");
        assert!(decoded.report().has(Kind::HangulRemapped), "{label}");
        let never = assume.hangul(HangulPolicy::Never);
        assert_eq!(
            decode(label, &octets, &never).as_str(),
            "\u{3CA2}\u{3476}\u{3971}",
            "{label}"
        );
    }
    // Text without old Hangul is no finding if the label did not promise any.
    assert_eq!(
        findings_with("utf-7", b"plain", &assume),
        ("plain".to_owned(), vec![])
    );
    assert_eq!(
        findings_with("utf-8", "한😀".as_bytes(), &assume),
        ("한😀".to_owned(), vec![])
    );
}

#[test]
fn rfc1642_and_rfc1641_are_unicode_1_1() {
    let moved = |length| vec![(Kind::HangulRemapped, 0, length)];
    for (label, octets) in [
        ("unicode-1-1-utf-7", b"+PKI0djlx-".as_slice()),
        ("unicode-1-1", b"\x3C\xA2\x34\x76\x39\x71"),
        ("unicode-1-1-ucs-2", b"\x3C\xA2\x34\x76\x39\x71"),
        ("unicode-1-1-utf-8", "\u{3CA2}\u{3476}\u{3971}".as_bytes()),
    ] {
        assert_eq!(
            findings(label, octets),
            ("한국어".to_owned(), moved(octets.len())),
            "{label}"
        );
    }
    // Modern 한국어 with one old syllable: the tables were new, the label old.
    for (label, octets) in [
        ("unicode-1-1-utf-7", b"+1VytbcW0PKI-".as_slice()),
        ("unicode-1-1", b"\xD5\x5C\xAD\x6D\xC5\xB4\x3C\xA2"),
    ] {
        let (text, places) = findings(label, octets);
        assert_eq!(
            (text.as_str(), places[0].0),
            ("한국어\u{3CA2}", Kind::Mislabelled),
            "{label}"
        );
        let always = Options::new().hangul(HangulPolicy::Always);
        // U+3CA2 is D55C in the table before Amendment 5.
        assert_eq!(
            decode(label, octets, &always).as_str(),
            "한국어한",
            "{label}"
        );
    }
    let (text, places) = findings("unicode-1-1-utf-7", b"+1VytbcW0-");
    assert_eq!((text.as_str(), places[0].0), ("한국어", Kind::Mislabelled));
    let (text, places) = findings("unicode-1-1-utf-7", b"Hi Mom -+Jjo--!");
    assert_eq!(
        (text.as_str(), places[0].0),
        ("Hi Mom -☺-!", Kind::LabelWithoutHangul)
    );
    // Malformed octets remain malformed among remapped ones.
    let (text, places) = findings("unicode-1-1", b"\x3C\xA2\xD8\x00\x34\x76\x39");
    assert_eq!(text, "한\u{FFFD}국\u{FFFD}");
    assert_eq!(
        places[..2],
        [(Kind::Malformed, 2, 2), (Kind::Malformed, 6, 1)]
    );
}

#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn only_ascii_preserving_charsets_are_ascii_supersets() {
    for (label, keeps) in [
        ("utf-8", true),
        ("cesu-8", true),
        ("utf-1", true),
        ("unicode-1-1-utf-8", true),
        ("utf-7", false),
        ("unicode-1-1-utf-7", false),
        ("utf-7-imap", false),
        ("utf-16", false),
        ("utf-16le", false),
        ("unicode-1-1", false),
        ("iso-10646-ucs-basic", false),
        ("utf-32", false),
        ("scsu", false),
        ("bocu-1", false),
    ] {
        assert_eq!(charset(label).is_ascii_superset(), keeps, "{label}");
        assert!(charset(label).is_decoded(), "{label}");
        if keeps {
            let ascii: Vec<_> = (0..=0x7F).collect();
            assert_eq!(
                decode(label, &ascii, &DEFAULT).as_str().as_bytes(),
                ascii,
                "{label}"
            );
        }
    }
}

/// Reproducible random octets (the generator of Numerical Recipes).
fn noise(seed: u32, length: usize) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 16
    };
    // All octet values, or only a few, so that sequences continue.
    let palette: Vec<_> = (0..6).map(|_| next().to_le_bytes()[0]).collect();
    let few = seed.is_multiple_of(2);
    (0..length)
        .map(|_| {
            let draw = next();
            if few {
                palette[draw as usize % palette.len()]
            } else {
                draw.to_le_bytes()[0]
            }
        })
        .collect()
}

#[test]
fn any_octets_in_any_form() {
    let mut labels: Vec<_> = OLD_HANGUL.iter().map(|(label, _)| *label).collect();
    labels.extend(["unicode-1-1", "unicode-1-1-utf-7", "unicode-1-1-utf-8"]);
    for label in labels {
        let widest = if matches!(label, "scsu" | "bocu-1") {
            4
        } else {
            3
        };
        for seed in 0..300 {
            let octets = noise(seed, 1 + seed as usize % 40);
            let decoded = decode(label, &octets, &DEFAULT);
            assert!(
                decoded.as_str().len() <= widest * octets.len(),
                "{label} {octets:02X?}"
            );
            // In base64 one octet can belong to two units.
            let shared = usize::from(label.contains("utf-7"));
            let mut end = 0;
            for found in decoded.report().findings() {
                assert!(
                    found.offset() + found.length() <= octets.len(),
                    "{label} {found}"
                );
                if found.kind() == Kind::Malformed {
                    assert!(
                        found.length() > 0 && found.offset() + shared >= end,
                        "{label} {found}"
                    );
                    end = found.offset() + found.length();
                }
            }
        }
    }
}
