//! The charset decision and its source: one test for each rule and each conflict.

use mime_charset::decode::{
    Context, Decision, Evidence, EvidenceKind, Side, decide, decode, field,
};
use mime_charset::hangul::HangulPolicy;
use mime_charset::header::{self, Syntax};
use mime_charset::{Charset, Decoded, Kind, Label, Message, Options, Report, Source};

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap()
}

/// Decodes octets under a label.
fn decode_under<'a>(octets: &'a [u8], label: &Label<'_>, options: &Options) -> Decoded<'a> {
    let context = Context::new().label(Some(label)).options(*options);
    decode(octets, &context)
}

#[track_caller]
fn decided(octets: &[u8], label: Option<&str>, media_type: &str) -> Decision {
    let label = label.map(Label::new);
    decide(
        octets,
        &Context::new()
            .label(label.as_ref())
            .media_type(Some(media_type)),
    )
}

/// Charset, source, and the kinds of the findings.
#[track_caller]
fn outcome(octets: &[u8], label: Option<&str>) -> (&'static str, Source, Vec<Kind>) {
    let decision = decided(octets, label, "text/plain");
    let kinds = decision
        .report
        .findings()
        .iter()
        .map(mime_charset::Finding::kind)
        .collect();
    (decision.charset.name(), decision.source, kinds)
}

/// Empty input is the same text in any charset: the text is certain, and the evidence states that
/// nothing determines the charset.
#[test]
fn empty_input_has_no_evidence_of_a_charset() {
    let told = |octets, label| {
        let decision = decided(octets, label, "text/plain");
        let evidence: Vec<_> = decision
            .evidence()
            .iter()
            .map(ToString::to_string)
            .collect();
        (decision.confidence, evidence.join("; "))
    };
    let (confidence, evidence) = told(b"", Some("foo"));
    assert_eq!(
        evidence,
        "neither label: foo names no charset; for default: the default of text/plain, because \
         the text is empty"
    );
    let (of_ascii, evidence) = told(b"text", Some("foo"));
    assert_eq!(
        evidence,
        "neither label: foo names no charset; for default: the default of text/plain"
    );
    assert_eq!((confidence, of_ascii), (99, 99));
}

#[test]
fn rfc2045_5_2_no_label_and_7_bit_octets_are_us_ascii() {
    let kinds = vec![Kind::NoLabel, Kind::DefaultCharset];
    assert_eq!(
        outcome(b"plain", None),
        ("US-ASCII", Source::Default, kinds)
    );
}

#[test]
fn rfc2046_4_1_2_the_label_is_believed() {
    let koi8_r = b"\xF0\xD2\xC9\xD7\xC5\xD4";
    assert_eq!(
        outcome(koi8_r, Some("koi8-r")),
        ("KOI8-R", Source::Declared, vec![])
    );
    assert_eq!(
        outcome(b"x", Some("iso-8859-1")),
        ("ISO-8859-1", Source::Declared, vec![])
    );
}

#[test]
fn rfc7103_7_6_a_single_byte_label_on_utf_8() {
    let (name, source, kinds) = outcome("naïve".as_bytes(), Some("windows-1251"));
    assert_eq!(
        (name, source, kinds),
        ("UTF-8", Source::Evidence, vec![Kind::LabelOverridden])
    );
    let decision = decided("naïve".as_bytes(), Some("windows-1251"), "text/plain");
    // The deciding octets: ï is C3 AF, after two letters.
    let utf8 = decision
        .evidence()
        .iter()
        .find(|e| e.kind == EvidenceKind::Utf8)
        .unwrap();
    assert_eq!((utf8.offset, utf8.length, utf8.side), (2, 2, Side::For));
}

#[test]
fn rfc7103_7_6_a_multi_octet_label_yields_only_to_octets_it_cannot_read() {
    // C2 A1 is U+00A1 in UTF-8 and U+C560 in EUC-KR: it proves nothing.
    assert_eq!(outcome(b"\xC2\xA1", Some("euc-kr")).0, "EUC-KR");
    // A two-octet lead at the end of "é" is malformed EUC-KR: C3 A9 20 E2 82 AC 20.
    assert_eq!(outcome("é € ".as_bytes(), Some("euc-kr")).0, "UTF-8");
}

#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc7103_7_6_the_label_utf_8_on_octets_that_are_not_utf_8() {
    // No well-formed sequence at all: the label is wrong.
    let (name, source, kinds) = outcome(b"caf\xE9 cr\xE8me", Some("utf-8"));
    assert_ne!(name, "UTF-8");
    assert_ne!(source, Source::Declared);
    assert!(kinds.contains(&Kind::LabelOverridden));
    // One well-formed sequence among damage: the label is right.
    let (name, source, _) = outcome(b"\xC3\xA9 \xFF", Some("utf-8"));
    assert_eq!((name, source), ("UTF-8", Source::Declared));
}

#[test]
fn rfc7103_7_6_us_ascii_with_octets_above_7f() {
    let (name, source, kinds) = outcome("é".as_bytes(), Some("us-ascii"));
    assert_eq!((name, source), ("UTF-8", Source::Evidence));
    assert!(kinds.contains(&Kind::EightBitAscii));
}

#[test]
fn rfc7103_7_6_escapes_under_us_ascii_or_no_label() {
    let jp = b"\x1B$BF|K\\8l\x1B(B";
    let (name, source, kinds) = outcome(jp, Some("us-ascii"));
    assert_eq!((name, source), ("ISO-2022-JP", Source::Evidence));
    assert!(kinds.contains(&Kind::LabelOverridden));
    assert_eq!(outcome(jp, None).0, "ISO-2022-JP");
    assert_eq!(outcome(b"\x1B$)C\x0EGQ19>n\x0F", None).0, "ISO-2022-KR");
    assert_eq!(outcome(b"~{VPND~}", None).0, "HZ-GB-2312");
    // An unclosed `~{` is ASCII.
    assert_eq!(outcome(b"~{ is a brace", None).0, "US-ASCII");
}

/// ESC is a control in these charsets, and no text has it. Escapes without ESC are text there.
#[test]
fn rfc7103_7_6_escapes_under_a_superset_of_us_ascii() {
    for label in ["iso-8859-1", "windows-1252", "koi8-r", "euc-jp", "gbk"] {
        let declared = charset(label).name();
        for (octets, name) in [
            (&b"\x1B$BF|K\\8l\x1B(B"[..], "ISO-2022-JP"),
            (b"\x1B$)C\x0EGQ19>n\x0F", "ISO-2022-KR"),
            (b"a \x1B$BF|K\\8l\x1B(B", "ISO-2022-JP"),
            (b"$BF|K\\8l(B", declared),
            (b"~{VPND~}", declared),
            (b"\x1B[31mred\x1B[0m ~{VPND~}", declared),
            (b"\x1B$B\x1B(B", declared),
        ] {
            let (found, source, kinds) = outcome(octets, Some(label));
            assert_eq!(found, name, "{label} {}", octets.escape_ascii());
            let is_overridden = name != declared;
            assert_eq!(source == Source::Evidence, is_overridden, "{label}");
            assert_eq!(
                kinds.contains(&Kind::LabelOverridden),
                is_overridden,
                "{label}"
            );
        }
    }
    // Text in UTF-8 may quote them.
    assert_eq!(outcome(b"\x1B$BF|K\\8l\x1B(B", Some("utf-8")).0, "UTF-8");
}

#[test]
fn utf_7_is_never_guessed() {
    assert_eq!(outcome(b"+1VytbcW0- +ADw-script+AD4-", None).0, "US-ASCII");
    assert_eq!(outcome(b"+1VytbcW0-", Some("us-ascii")).0, "US-ASCII");
}

#[test]
fn labels_of_other_kinds_are_not_overridden_by_one_character_of_utf_8() {
    let text = "é".as_bytes();
    // C3 A9 is two katakana of JIS X 0201: one character of UTF-8 is not enough evidence.
    for label in ["iso-2022-jp", "utf-16", "utf-32be"] {
        let (name, source, _) = outcome(text, Some(label));
        assert_eq!((charset(label).name(), Source::Declared), (name, source));
    }
}

#[test]
fn trust_label_obeys_the_label() {
    let label = Label::new("iso-8859-1");
    let options = Options::new().trust_label(true);
    let decoded = decode_under("é".as_bytes(), &label, &options);
    assert_eq!(
        (decoded.as_str(), decoded.source()),
        ("Ã©", Source::Declared)
    );
}

#[test]
fn labels_that_declare_nothing() {
    let (name, source, kinds) = outcome("é".as_bytes(), Some("unknown-8bit"));
    assert_eq!((name, source), ("UTF-8", Source::Evidence));
    assert!(kinds.contains(&Kind::NoLabel));
    let (name, _, kinds) = outcome("é".as_bytes(), Some("klingon"));
    assert_eq!(name, "UTF-8");
    assert!(kinds.contains(&Kind::UnknownLabel));
}

#[test]
fn rfc3629_6_a_byte_order_mark_at_the_start_of_a_body() {
    let label = Label::new("utf-8");
    let octets = b"\xEF\xBB\xBFabc\xEF\xBB\xBF";
    let decoded = decode_under(octets, &label, &Options::new());
    // Only the mark at the start is removed; elsewhere it is ZERO WIDTH NO-BREAK SPACE.
    assert_eq!(decoded.as_str(), "abc\u{FEFF}");
    assert!(decoded.report().has(Kind::BomRemoved));
    let kept = decode_under(octets, &label, &Options::new().keep_bom(true));
    assert_eq!(kept.as_str(), "\u{FEFF}abc\u{FEFF}");
}

#[test]
fn a_mark_of_utf_8_under_another_label() {
    let (name, source, kinds) = outcome("\u{FEFF}é".as_bytes(), Some("iso-8859-1"));
    assert_eq!(
        (name, source, kinds),
        ("UTF-8", Source::Bom, vec![Kind::BomConflict])
    );
    // Octets that only begin like the mark are read under the label.
    assert_eq!(
        outcome(b"\xEF\xBB\xBF\xE9", Some("iso-8859-1")).0,
        "ISO-8859-1"
    );
}

#[test]
fn a_utf_16_mark_and_one_letter_override_no_label() {
    let label = Label::new("iso-8859-1");
    let decoded = decode_under(b"\xFF\xFEa\0", &label, &Options::new());
    assert_eq!(
        (decoded.charset().name(), decoded.as_str()),
        ("ISO-8859-1", "ÿþa\0")
    );
    let label = Label::new("gbk");
    assert_eq!(
        decode_under(b"\xFE\xFF\0A", &label, &Options::new())
            .charset()
            .name(),
        "GBK"
    );
}

/// UTF-16 octets; `order` writes each unit.
fn utf16(text: &str, order: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(order).collect()
}

const RUSSIAN_LETTER: &str = "Привет, как дела? Пишу тебе письмо.";
const JAPANESE_LETTER: &str = "今日は、いい天気ですね。お元気ですか。";
const CHINESE_LETTER: &str = "会议安排在下周一举行，请大家准时参加。";

/// RFC 7103, section 7.6; RFC 2781, section 4: a byte order mark followed by text in its order
/// disproves the label of an octet charset, with or without zero octets.
#[test]
fn rfc7103_7_6_marked_utf_16_under_another_label() {
    for label in [
        "iso-8859-1",
        "windows-1251",
        "koi8-r",
        "us-ascii",
        "utf-8",
        "shift_jis",
        "gb2312",
        "euc-kr",
        "iso-2022-jp",
    ] {
        for text in [
            RUSSIAN_LETTER,
            JAPANESE_LETTER,
            CHINESE_LETTER,
            "Hello, world",
        ] {
            for order in [u16::to_le_bytes as fn(u16) -> [u8; 2], u16::to_be_bytes] {
                let octets = utf16(&format!("\u{FEFF}{text}"), order);
                let expected = ("UTF-16", Source::Bom, vec![Kind::BomConflict]);
                assert_eq!(
                    outcome(&octets, Some(label)),
                    expected,
                    "{label}, {octets:02X?}"
                );
                let label = Label::new(label);
                let decoded = decode_under(&octets, &label, &Options::new());
                assert_eq!(decoded.as_str(), text);
                // With `trust_label` the label wins.
                let options = Options::new().trust_label(true);
                assert_ne!(decode_under(&octets, &label, &options).as_str(), text);
            }
        }
    }
    let octets = utf16(
        &format!("\u{FEFF}{}", "plain words ".repeat(90)),
        u16::to_le_bytes,
    );
    assert_eq!(outcome(&octets, Some("utf-8")).0, "UTF-16");
    let utf32: Vec<u8> = "\u{FEFF}Привет"
        .chars()
        .map(u32::from)
        .flat_map(u32::to_le_bytes)
        .collect();
    assert_eq!(outcome(&utf32, Some("iso-8859-1")).0, "UTF-32");
}

/// RFC 7103, section 7.6: half of the octets are zeros. RFC 2046, section 4.1.2: no label means
/// US-ASCII.
#[test]
fn rfc7103_7_6_unmarked_utf_16_under_another_label() {
    for (order, name) in [
        (u16::to_le_bytes as fn(u16) -> [u8; 2], "UTF-16LE"),
        (u16::to_be_bytes, "UTF-16BE"),
    ] {
        let octets = utf16("Hello, world", order);
        assert_eq!(outcome(&octets, None).0, name);
        for label in ["us-ascii", "utf-8", "iso-8859-15", "koi8-r", "big5"] {
            let expected = (name, Source::Evidence, vec![Kind::LabelOverridden]);
            assert_eq!(outcome(&octets, Some(label)), expected, "{label}");
            let decision = decided(&octets, Some(label), "text/plain");
            let kinds = decision.evidence().iter();
            let kinds: Vec<_> = kinds.map(|it| (it.kind, it.side)).collect();
            let expected = [
                (EvidenceKind::Label, Side::Against),
                (EvidenceKind::NulPattern, Side::For),
            ];
            assert_eq!(kinds, expected, "{decision}");
        }
    }
}

/// RFC 2047, section 2, and RFC 2231, section 4: a word and a value have labels of their own,
/// written for their few octets. Controls in them are controls. They form letters of UTF-16 only by
/// chance: here U+0202 and U+7E7E, eight times.
#[test]
fn rfc2047_2_controls_in_a_value_override_no_label() {
    let value = format!("\x02\x02{}\0=\x02", "~".repeat(24));
    // As a body it is taken for UTF-16; otherwise this test would prove nothing.
    assert_ne!(outcome(value.as_bytes(), Some("utf-8")).0, "UTF-8");
    let hex = |mark: char| {
        let octets = value.bytes();
        octets.fold(String::new(), |hex, octet| {
            format!("{hex}{mark}{octet:02X}")
        })
    };
    for label in ["utf-8", "us-ascii", "iso-8859-1", "iso-2022-jp"] {
        let body = format!("attachment; filename*={label}''{}", hex('%'));
        let disposition = header::content_disposition(body.as_bytes());
        let name = disposition.parameter("filename").unwrap().text();
        assert_eq!(name.as_str(), value, "{label}");
        let body = format!("=?{label}?Q?{}?=", hex('='));
        let subject = field(body.as_bytes(), Syntax::Unstructured, &Options::new());
        assert_eq!(subject.as_str(), value, "{label}");
    }
}

/// A few zeros do not prove UTF-16. The two octets of a mark also begin text in other charsets:
/// "ЪЧ" in KOI8-R and "яю" in windows-1251 are FF FE.
#[test]
fn a_few_zeros_or_the_octets_of_a_mark_override_no_label() {
    let stays = |octets: &[u8], label: &str| {
        let (name, source, kinds) = outcome(octets, Some(label));
        let expected = (charset(label).name(), Source::Declared, vec![]);
        assert_eq!((name, source, kinds), expected, "{label}, {octets:02X?}");
    };
    stays(b"hello word\0x and more text here for you!", "iso-8859-1");
    stays(b"hello word\0x and more text here for you!", "us-ascii");
    stays(b"hello word\0x and more text here for you!", "utf-8");
    stays(
        b"\xE0\xE1\xE2\0\xE3\xE4 \xE5\xE6\xE7\0\xE8\xE9",
        "windows-1251",
    );
    stays(b"ab\0cd\0ef\0gh\0ij\0kl\0", "iso-8859-1");
    // "ЪЧ привет, как дела", "яю, привет", "ÿþ and words".
    stays(
        b"\xFF\xFE \xD0\xD2\xC9\xD7\xC5\xD4, \xCB\xC1\xCB \xC4\xC5\xCC\xC1",
        "koi8-r",
    );
    stays(
        b"\xFF\xFE, \xEF\xF0\xE8\xE2\xE5\xF2, \xEA\xE0\xEA \xE4\xE5\xEB\xE0",
        "windows-1251",
    );
    stays(b"\xFF\xFE and then some more plain words", "iso-8859-1");
    stays(b"\xFE\xFF and then some more plain words.", "iso-8859-1");
}

/// RFC 3629, section 1: other text is hardly ever well-formed UTF-8. Controls in such text, which
/// are Thai as UTF-16, are no evidence against the label.
#[test]
fn controls_in_well_formed_utf_8_override_no_label() {
    let controls = |count| "\u{E}".repeat(count);
    let text = format!(
        "ext/ee\u{FFFD}\u{FFFD}eeeee{}e{}\u{FFFD}{}\0\u{FFFD}8?base{}?",
        controls(17),
        controls(14),
        controls(2),
        controls(5)
    );
    // Without a label, so many controls make it UTF-16; otherwise this test would prove nothing.
    assert_ne!(outcome(text.as_bytes(), None).0, "UTF-8");
    let (name, source, _) = outcome(text.as_bytes(), Some("utf-8"));
    assert_eq!((name, source), ("UTF-8", Source::Declared));
}

/// RFC 2781, section 4.3, permits UTF-16 under its label. Octets are not UTF-16 if more of them
/// than chance explains are ASCII or UTF-8.
#[test]
fn rfc7103_7_6_labels_of_utf_16_and_utf_32_on_text_in_octet_charsets() {
    let ascii = b"Hello world, this is plain ASCII text.";
    let kinds = vec![Kind::DefaultCharset, Kind::LabelOverridden];
    for label in [
        "utf-16", "utf-16le", "utf-16be", "ucs-2", "unicode", "utf-32", "utf-32le", "ucs-4",
    ] {
        let expected = ("US-ASCII", Source::Default, kinds.clone());
        assert_eq!(outcome(ascii, Some(label)), expected, "{label}");
        let (name, source, kinds) = outcome(RUSSIAN_LETTER.as_bytes(), Some(label));
        assert_eq!((name, source), ("UTF-8", Source::Evidence), "{label}");
        assert!(kinds.contains(&Kind::LabelOverridden), "{label}");
        let page = b"<html><head><meta charset=utf-8><title>A page</title></head>";
        let decision = decided(page, Some(label), "text/html");
        assert_eq!(
            (decision.charset.name(), decision.source),
            ("UTF-8", Source::Document),
            "{label}"
        );
    }
    // Escapes of ISO 2022 are ASCII too.
    let jp = b"Subject and text: \x1B$BF|K\\8lF|K\\8lF|K\\8l\x1B(B";
    assert_eq!(outcome(jp, Some("utf-16")).0, "ISO-2022-JP");
}

/// Short text, and UTF-16 whose octets happen to be ASCII, keep their label.
#[test]
fn rfc2781_4_3_utf_16_whose_octets_happen_to_be_ascii() {
    let stays = |octets: &[u8], label: &str| {
        let (name, source, _) = outcome(octets, Some(label));
        assert_eq!((name, source), (charset(label).name(), Source::Declared));
    };
    // U+4E2D is the octets "N-", U+6587 is "e" and 87: `all_ascii` keeps those of two ASCII octets.
    let han = "中国文学公司日本書籍市場";
    let ascii = |text: &str| -> Vec<u8> {
        let octets = utf16(text, u16::to_be_bytes);
        assert!(
            octets
                .iter()
                .all(|&octet| octet == b'\t' || (0x20..0x7F).contains(&octet))
        );
        octets
    };
    let all_ascii: String = han
        .chars()
        .filter(|&it| {
            u32::from(it).to_be_bytes()[2..]
                .iter()
                .all(|o| (0x20..0x7F).contains(o))
        })
        .collect();
    assert!(all_ascii.chars().count() > 3);
    stays(&ascii(&all_ascii), "utf-16be");
    // Hiragana up to "ま" are 30 41 to 30 7E, and Devanagari from "ठ" on 09 20 to 09 7E.
    let kana = "このたびはおはなしいただきたいへんうれしくおもっている";
    let kana: String = kana.chars().filter(|&it| it <= 'ま').collect();
    assert!(kana.chars().count() >= 16);
    stays(&ascii(&kana), "utf-16be");
    stays(&ascii(&"नमसतपदधबभमयरलवशषसह".repeat(2)), "utf-16be");
    for text in [
        RUSSIAN_LETTER,
        JAPANESE_LETTER,
        CHINESE_LETTER,
        "Hello, world, and more of it",
    ] {
        stays(&utf16(text, u16::to_be_bytes), "utf-16be");
        stays(&utf16(text, u16::to_le_bytes), "utf-16le");
        stays(&utf16(text, u16::to_le_bytes), "utf-16");
    }
    // A few letters may be ideographs: "Hi" is U+4869.
    stays(b"Hi", "utf-16");
    stays("да".as_bytes(), "utf-16");
    // UTF-32 with an extra octet is damaged UTF-32.
    let utf32: Vec<u8> = RUSSIAN_LETTER
        .chars()
        .map(u32::from)
        .flat_map(u32::to_be_bytes)
        .collect();
    stays(&utf32, "utf-32be");
    stays(&[b"x", &utf32[..]].concat(), "utf-32be");
}

/// RFC 2781, sections 3.3 and 4.1: text labelled UTF-16LE has no mark. Text that begins with the
/// mark of the other order is in that order.
#[test]
fn rfc2781_3_3_a_mark_of_the_other_byte_order() {
    for (label, order) in [
        ("utf-16le", u16::to_be_bytes as fn(u16) -> [u8; 2]),
        ("utf-16be", u16::to_le_bytes),
    ] {
        for text in [RUSSIAN_LETTER, JAPANESE_LETTER, "Hello, world"] {
            let octets = utf16(&format!("\u{FEFF}{text}"), order);
            let expected = ("UTF-16", Source::Bom, vec![Kind::BomConflict]);
            assert_eq!(outcome(&octets, Some(label)), expected, "{label}");
            let label = Label::new(label);
            assert_eq!(
                decode_under(&octets, &label, &Options::new()).as_str(),
                text
            );
        }
        // The text after it is in the order of the label.
        let octets = utf16("\u{FFFE}Hello, world", |unit| {
            let [high, low] = unit.to_be_bytes();
            if label == "utf-16be" {
                [high, low]
            } else {
                [low, high]
            }
        });
        assert_eq!(outcome(&octets, Some(label)).0, charset(label).name());
    }
}

/// A confidence is the probability that the text is right (`docs/json.md`): Python's `big5hkscs`
/// and `euc_kr` decode all or nearly all of these octets to U+FFFD.
#[test]
fn confidence_drops_if_the_label_cannot_read_the_octets() {
    let confidence = |octets: &[u8], label: &str, trust| {
        let label = Label::new(label);
        let options = Options::new().trust_label(trust);
        let decision = decide(octets, &Context::new().label(Some(&label)).options(options));
        assert_eq!(decision.source, Source::Declared, "{decision}");
        decision.confidence
    };
    for trust in [false, true] {
        let of = |octets: &[u8], label| confidence(octets, label, trust);
        assert!(of(b"\xFF\xFF\xFF\xFF\x80\x80 \xFF\xFF", "big5") <= 50);
        assert!(of(b"\xFF\xFE\xFD\xFC\xC9\xFF", "euc-kr") <= 50);
        assert!(of(b"\xD8\0\xD8\0\xD8\0\xD8\0", "utf-16be") <= 50);
        // The decoder reads all of the first text, and half of the second.
        let clean = b"\xC7\xD1\xB1\xB9".repeat(40);
        assert_eq!(of(&clean, "euc-kr"), 99);
        let half = of(&b"\xC7\xD1\xFF".repeat(40), "euc-kr");
        assert!((40..60).contains(&half), "{half}");
        // A character cut by the sampling window is not malformed.
        for ascii in 0..4 {
            let octets = [&b"abc"[..ascii], &b"\xC7\xD1".repeat(3000)].concat();
            assert_eq!(of(&octets, "euc-kr"), 99);
        }
    }
}

#[test]
fn a_mark_without_a_label() {
    assert_eq!(
        outcome(b"\xFF\xFEa\0", None),
        (
            "UTF-16",
            Source::Bom,
            vec![Kind::NoLabel, Kind::DetectedCharset]
        )
    );
    assert_eq!(outcome(b"\xFF\xFE\0\0a\0\0\0", None).0, "UTF-32");
    assert_eq!(outcome(b"\xEF\xBB\xBFabc", None).0, "UTF-8");
}

#[test]
fn html_the_document_decides_if_there_is_no_label() {
    let page = b"<meta charset=euc-kr><p>\xC7\xD1\xB1\xB9";
    let decision = decided(page, None, "text/html");
    assert_eq!(
        (decision.charset.name(), decision.source),
        ("EUC-KR", Source::Document)
    );
    let meta = decision
        .evidence()
        .iter()
        .find(|e| e.kind == EvidenceKind::HtmlMeta)
        .unwrap();
    assert_eq!(&page[meta.offset..meta.offset + meta.length], b"euc-kr");
    // In plain text the declaration has no effect.
    assert_ne!(decided(page, None, "text/plain").source, Source::Document);
}

#[test]
fn html_the_parameter_beats_the_document() {
    let page = b"<meta charset=euc-kr><p>\xCF\xF0\xE8";
    let decision = decided(page, Some("windows-1251"), "text/html");
    assert_eq!(
        (decision.charset.name(), decision.source),
        ("windows-1251", Source::Declared)
    );
    assert!(decision.report.has(Kind::DocumentConflict));
}

#[test]
fn html_a_meta_that_the_octets_contradict() {
    let page = "<meta charset=iso-8859-1><p>한국".as_bytes();
    let decision = decided(page, None, "text/html");
    assert_eq!(
        (decision.charset.name(), decision.source),
        ("UTF-8", Source::Evidence)
    );
}

/// HTML Standard, section 13.2.3.2, step by step: which markup declares a charset.
#[test]
fn html_the_prescan_of_the_standard() {
    // Each page ends with "При" in KOI8-R.
    let pages: [(&str, bool); 26] = [
        ("<meta charset=koi8-r>", true),
        ("<META CharSet='KOI8-R'>", true),
        ("<meta\tcharset=koi8-r/>", false),
        ("<meta/charset=koi8-r>", true),
        ("<meta / charset = \"koi8-r\" >", true),
        ("<meta charset=\" koi8-r \">", true),
        ("<meta a b=c charset=koi8-r>", true),
        // The first of two equal attributes counts.
        ("<meta charset=koi8-r charset=utf-8>", true),
        ("<meta charset=klingon charset=koi8-r>", false),
        // The content counts if its pragma precedes or follows it.
        (
            "<meta http-equiv=content-type content='text/html; charset=koi8-r'>",
            true,
        ),
        (
            "<meta content='text/html; charset = \"koi8-r\"' http-equiv=CONTENT-TYPE>",
            true,
        ),
        ("<meta content='text/html; charset=koi8-r'>", false),
        (
            "<meta http-equiv=refresh content='text/html; charset=koi8-r'>",
            false,
        ),
        // A "charset" without an equals sign is skipped.
        (
            "<meta http-equiv=content-type content='charset charset=koi8-r;x'>",
            true,
        ),
        // An unclosed quotation mark.
        (
            "<meta http-equiv=content-type content=\"charset='koi8-r\">",
            false,
        ),
        // The charset attribute is preferred to the content attribute.
        (
            "<meta content='charset=utf-8' charset=koi8-r http-equiv=content-type>",
            true,
        ),
        ("<!-- <meta charset=koi8-r> -->", false),
        ("<!--><meta charset=koi8-r>", true),
        (
            "<!-- -- > <meta charset=utf-8> --><meta charset=koi8-r>",
            true,
        ),
        // The prescan ignores scripts and titles.
        ("<title><meta charset=koi8-r></title>", true),
        ("</p <meta charset=koi8-r>", false),
        ("<? <meta charset=koi8-r>", false),
        ("<!doctype html><meta charset=koi8-r>", true),
        ("<1><meta charset=koi8-r>", true),
        (
            "<a title='<meta charset=utf-8>'><meta charset=koi8-r>",
            true,
        ),
        ("<metadata charset=koi8-r>", false),
    ];
    for (page, declares) in pages {
        let octets = [page.as_bytes(), b"\xF0\xD2\xC9"].concat();
        let decision = decided(&octets, None, "text/html");
        let is_document = decision.source == Source::Document;
        assert_eq!(is_document, declares, "{page}: {decision}");
        if declares {
            assert_eq!(decision.charset.name(), "KOI8-R", "{page}");
        }
    }
}

/// HTML Standard, section 13.2.3.2, and CSS Syntax Module Level 3, section 3.2: a document whose
/// declaration could be read as ASCII is not in UTF-16. These are all labels of UTF-16BE and
/// UTF-16LE in the Encoding Standard, section 4.2.
#[test]
fn html_and_css_that_declare_utf_16_in_ascii_are_utf_8() {
    for label in [
        "unicodefffe",
        "utf-16be",
        "csunicode",
        "iso-10646-ucs-2",
        "ucs-2",
        "unicode",
        "unicodefeff",
        "utf-16",
        "utf-16le",
    ] {
        let page = format!("<meta charset={label}>plain");
        let decision = decided(page.as_bytes(), None, "text/html");
        assert_eq!(decision.charset, Charset::UTF_8, "{label}");
        assert_eq!(decision.source, Source::Document);
        let sheet = format!("@charset \"{label}\"; p {{}}");
        let decision = decided(sheet.as_bytes(), None, "text/css");
        assert_eq!(decision.charset, Charset::UTF_8, "{label}");
    }
}

/// HTML Standard, section 13.2.3.2; CSS Syntax Module Level 3, section 3.2: the mark takes
/// precedence.
#[test]
fn html_and_css_a_mark_comes_before_the_parameter() {
    for media_type in ["text/html", "text/css"] {
        let decision = decided(b"\xFF\xFEa\0", Some("iso-8859-1"), media_type);
        assert_eq!(
            (decision.charset.name(), decision.source),
            ("UTF-16", Source::Bom)
        );
        assert!(decision.report.has(Kind::BomConflict));
        // With `trust_label` the label wins.
        let label = Label::new("iso-8859-1");
        let context = Context::new()
            .label(Some(&label))
            .media_type(Some(media_type))
            .options(Options::new().trust_label(true));
        let decision = decide(b"\xFF\xFEa\0", &context);
        assert_eq!(decision.charset.name(), "ISO-8859-1");
    }
}

#[test]
fn rfc7303_3_xml() {
    // Mark, then parameter, then declaration, then UTF-8.
    let xml = "\u{FEFF}<?xml version='1.0' encoding='koi8-r'?><a/>";
    let decision = decided(xml.as_bytes(), Some("windows-1251"), "application/xml");
    assert_eq!(
        (decision.charset.name(), decision.source),
        ("UTF-8", Source::Bom)
    );
    assert!(decision.report.has(Kind::BomConflict));
    let xml = b"<?xml version='1.0' encoding='koi8-r'?><a>\xF0</a>";
    assert_eq!(
        decided(xml, Some("windows-1251"), "text/xml")
            .charset
            .name(),
        "windows-1251"
    );
    assert_eq!(decided(xml, None, "image/svg+xml").charset.name(), "KOI8-R");
    assert_eq!(decided(b"<a/>", None, "text/xml").charset.name(), "UTF-8");
    let utf16: Vec<u8> = "<?xml?>"
        .encode_utf16()
        .flat_map(u16::to_be_bytes)
        .collect();
    assert_eq!(decided(&utf16, None, "text/xml").charset.name(), "UTF-16BE");
}

#[test]
fn css_charset_rule() {
    let sheet = b"@charset \"koi8-r\"; /* \xF0 */";
    let decision = decided(sheet, None, "text/css");
    assert_eq!(
        (decision.charset.name(), decision.source),
        ("KOI8-R", Source::Document)
    );
}

/// CSS Syntax Module Level 3, section 3.2: parameter, then an exact rule, then UTF-8.
#[test]
fn css_parameter_rule_and_default() {
    let outcome = |sheet: &[u8], label| {
        let decision = decided(sheet, label, "text/css");
        (decision.charset.name(), decision.source)
    };
    let sheet = b"@charset \"koi8-r\"; /* \xF0 */";
    let declared = ("windows-1251", Source::Declared);
    assert_eq!(outcome(sheet, Some("windows-1251")), declared);
    for other in [
        "@charset 'koi8-r'; p {}",
        "@CHARSET \"koi8-r\"; p {}",
        " @charset \"koi8-r\"; p {}",
        "@charset  \"koi8-r\"; p {}",
        "@charset \"koi8-r\" ; p {}",
        "p {}",
    ] {
        let default = ("UTF-8", Source::Default);
        assert_eq!(outcome(other.as_bytes(), None), default, "{other}");
    }
}

/// RTF is ASCII and names the charset of its escapes in control words, which this library does not
/// read.
#[test]
fn rtf_declares_no_charset() {
    let rtf = br"{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8}";
    for media_type in ["text/rtf", "application/rtf"] {
        let decision = decided(rtf, None, media_type);
        assert_eq!(
            (decision.charset, decision.source),
            (Charset::US_ASCII, Source::Default)
        );
        let kinds = decision.evidence().iter().map(|it| it.kind);
        assert_eq!(kinds.collect::<Vec<_>>(), [EvidenceKind::Default]);
        let context = Context::new().media_type(Some(media_type));
        assert_eq!(decode(rtf, &context).as_str().as_bytes(), rtf);
    }
}

#[test]
fn rfc6657_3_defaults_of_other_types() {
    for media_type in [
        "text/calendar",
        "text/vcard",
        "text/csv",
        "application/json",
        "text/markdown",
    ] {
        assert_eq!(
            decided(b"x", None, media_type).charset.name(),
            "UTF-8",
            "{media_type}"
        );
    }
    for media_type in ["text/plain", "text/enriched", "text/rfc822-headers"] {
        assert_eq!(
            decided(b"x", None, media_type).charset.name(),
            "US-ASCII",
            "{media_type}"
        );
    }
}

#[test]
fn the_rest_of_the_message_helps_if_octets_are_few() {
    // F0 D2 C9: "При" in KOI8-R.
    let octets = b"\xF0\xD2\xC9";
    let context = Context::new().siblings(Some(charset("koi8-r")));
    let decision = decide(octets, &context);
    assert_eq!(
        (decision.charset.name(), decision.source),
        ("KOI8-R", Source::Detected)
    );
    let context = Context::new().options(Options::new().hint(Some(charset("euc-kr"))));
    // Two octets and a single one: EUC-KR cannot read them, so the hint is recorded but not
    // followed.
    assert_ne!(decide(octets, &context).charset.name(), "EUC-KR");
}

/// RFC 7103, section 7.6: evidence from the other parts and the header.
#[test]
fn parts_and_words_of_the_message_are_evidence() {
    let part = |message: &str, octets: &[u8], section: &str| {
        let message = [message.as_bytes(), octets, b"\n--b--\n"].concat();
        let message = Message::parse(&message);
        let part = message.parts().find(|it| it.section() == section).unwrap();
        let decision = part.decide(&Options::new());
        let heard: Vec<_> = decision.evidence().iter().map(|it| it.kind).collect();
        (decision.charset.name(), heard)
    };
    // F0 D2 C9 is "При" in KOI8-R and "Ðòé" in windows-1252.
    let (name, heard) = part(
        "Content-Type: multipart/mixed; boundary=b\n\n--b\n\
         Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: quoted-printable\n\n\
         =F0\n--b\n\n",
        b"\xF0\xD2\xC9",
        "2",
    );
    assert_eq!(name, "KOI8-R");
    assert!(heard.contains(&EvidenceKind::Siblings), "{heard:?}");
    let (name, heard) = part(
        "Subject: =?koi8-r?B?8NLJ?=\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n",
        b"\xF0\xD2\xC9",
        "1",
    );
    assert_eq!(name, "KOI8-R");
    assert!(heard.contains(&EvidenceKind::Header), "{heard:?}");
}

/// Binary octets stay binary, whatever their surroundings.
#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn surroundings_do_not_turn_binary_octets_into_text() {
    let gif = b"GIF89a\x90\x01\xF4\x01\xF7\0\0\xFB\xB2\x8E\xA5\xC9\xF0\xCC\x82\x91\xEB\x9D\xD7\x87";
    let context = Context::new().siblings(Some(charset("iso-8859-1")));
    assert!(decide(gif, &context).confidence <= 20);
    assert!(decide(gif, &Context::new()).confidence <= 20);
}

#[test]
fn rfc2279_5_old_hangul_under_the_label_utf_8_is_suspected_and_left_alone() {
    // "안녕하세요 한국어" as Unicode 1.1 coded it.
    let old = "\u{394B}\u{3560}\u{3CA0}\u{3883}\u{39C5} \u{3CA2}\u{3476}\u{3971}";
    let label = Label::new("utf-8");
    let decoded = decode_under(old.as_bytes(), &label, &Options::new());
    assert_eq!(decoded.as_str(), old);
    let finding = decoded
        .report()
        .findings()
        .iter()
        .find(|f| f.kind() == Kind::SuspectedOldHangul)
        .unwrap();
    assert_eq!((finding.offset(), finding.length()), (0, old.len()));
    let asked = Options::new().assume_pre_amendment5(true);
    assert_eq!(
        decode_under(old.as_bytes(), &label, &asked).as_str(),
        "안녕하세요 한국어"
    );
    // With modern Hangul in the same text: never remapped, even on request.
    let both = format!("{old} 한글");
    assert_eq!(decode_under(both.as_bytes(), &label, &asked).as_str(), both);
    assert!(
        !decode_under(both.as_bytes(), &label, &Options::new())
            .report()
            .has(Kind::SuspectedOldHangul)
    );
}

#[test]
fn ideographs_of_extension_a_are_not_suspected() {
    let label = Label::new("utf-8");
    // Characters of Extension A among others, as in names and dictionaries.
    for text in [
        "㐂㐅㐆㐌㐖㐜㐡",
        "䀀䀁䀂䀃䀄䀅",
        "㕵㙓㛃㞧䋤䌷䎬",
        "漢字㐂漢字㐅漢字㐆漢字",
    ] {
        let decoded = decode_under(text.as_bytes(), &label, &Options::new());
        assert!(!decoded.report().has(Kind::SuspectedOldHangul), "{text}");
    }
}

#[test]
fn the_date_is_evidence_for_old_hangul() {
    let old = "\u{3CA2}\u{3476}\u{3971}";
    for (date, side) in [("1997", Side::Against), ("2020", Side::Neither)] {
        let message = format!(
            "Date: Tue, 4 Mar {date} 10:00:00 +0900\nContent-Type: text/plain; charset=utf-8\n\n{old}"
        );
        let message = Message::parse(message.as_bytes());
        let decision = message.parts().next().unwrap().decide(&Options::new());
        let date = decision
            .evidence()
            .iter()
            .find(|e| e.kind == EvidenceKind::Date)
            .unwrap();
        assert_eq!(date.side, side);
        assert_eq!(decision.charset, Charset::UTF_8);
    }
}

/// The same without a declaration: RFC 2044's "UTF-8" was that of Unicode 1.1.
#[test]
fn rfc2044_old_hangul_without_a_label_is_suspected_and_left_alone() {
    // "한국어" on 4 March 1997.
    let old = "\u{3CA2}\u{3476}\u{3971}";
    let message = format!("Date: Tue, 4 Mar 1997 10:00:00 +0900\n\n{old}");
    let message = Message::parse(message.as_bytes());
    let part = message.parts().next().unwrap();
    let decoded = part.text();
    assert_eq!(
        (decoded.as_str(), decoded.source()),
        (old, Source::Evidence)
    );
    assert!(decoded.report().has(Kind::SuspectedOldHangul));
    let decision = part.decide(&Options::new());
    let against: Vec<_> = decision
        .evidence()
        .iter()
        .filter(|evidence| evidence.side == Side::Against)
        .map(|it| it.kind)
        .collect();
    assert_eq!(against, [EvidenceKind::OldHangul, EvidenceKind::Date]);
    let asked = Options::new().assume_pre_amendment5(true);
    assert_eq!(part.text_with(&asked).as_str(), "한국어");
}

#[test]
fn the_old_label_on_modern_text_is_corrected_and_reported() {
    let label = Label::new("unicode-1-1-utf-8");
    let decoded = decode_under("\u{3CA2} 한글".as_bytes(), &label, &Options::new());
    assert_eq!(decoded.as_str(), "\u{3CA2} 한글");
    assert!(decoded.report().has(Kind::Mislabelled));
    let always = Options::new().hangul(HangulPolicy::Always);
    assert_eq!(
        decode_under("\u{3CA2} 한글".as_bytes(), &label, &always).as_str(),
        "한 한글"
    );
}

#[test]
fn double_encoded_utf_8_is_reported_and_not_repaired() {
    // "naïve café" in UTF-8, read as windows-1252 and encoded as UTF-8 again.
    let twice = "naÃ¯ve cafÃ©";
    let label = Label::new("utf-8");
    let decoded = decode_under(twice.as_bytes(), &label, &Options::new());
    assert_eq!(decoded.as_str(), twice);
    assert!(decoded.report().has(Kind::DoubleEncoded));
    // "größer" and "Привет" in UTF-8, read as Python's latin-1: one character per octet.
    for twice in [
        "gr\u{C3}\u{B6}\u{C3}\u{9F}er",
        "\u{D0}\u{9F}\u{D1}\u{80}\u{D0}\u{B8}\u{D0}\u{B2}\u{D0}\u{B5}\u{D1}\u{82}",
    ] {
        let decoded = decode_under(twice.as_bytes(), &label, &Options::new());
        assert_eq!(decoded.as_str(), twice);
        assert!(decoded.report().has(Kind::DoubleEncoded), "{twice}");
    }
    for once in ["naïve café", "Ã", "São Paulo, à côté", "“naïve”"] {
        let decoded = decode_under(once.as_bytes(), &label, &Options::new());
        assert!(!decoded.report().has(Kind::DoubleEncoded), "{once}");
    }
}

/// RFC 2231, section 4: an extended value names its charset, like the label of a body.
#[test]
fn rfc2231_4_a_name_encoded_twice_is_reported() {
    for (value, is_reported) in [
        ("na%C3%83%C2%AFve%20caf%C3%83%C2%A9", true),
        ("na%C3%AFve%20caf%C3%A9", false),
    ] {
        let field = format!("attachment; filename*=utf-8''{value}");
        let field = header::content_disposition(field.as_bytes());
        let name = field.parameter("filename").unwrap();
        let name = name.text();
        assert_eq!(
            name.report().has(Kind::DoubleEncoded),
            is_reported,
            "{value}"
        );
        assert!(name.as_str().starts_with("na"));
    }
}

#[test]
fn rfc7103_7_7_octets_above_7f_under_7bit() {
    let message = Message::parse(
        b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 7bit\n\n\xF0",
    );
    let decoded = message.parts().next().unwrap().text();
    assert_eq!(decoded.as_str(), "П");
    assert!(decoded.report().has(Kind::EightBitData));
}

#[test]
fn rfc7103_7_5_conflicting_declarations_are_findings() {
    let message = Message::parse(
        b"Content-Type: text/plain; charset=koi8-r; charset=utf-8\nContent-Type: text/html\n\nx",
    );
    assert!(message.report().has(Kind::DuplicateField));
    let part = message.parts().next().unwrap();
    assert!(part.mime_header().report().has(Kind::DuplicateParameter));
    assert_eq!(part.text().charset().name(), "KOI8-R");
}

#[test]
fn rfc7103_7_7_raw_octets_in_fields() {
    // UTF-8 first, then the charset of the message, then windows-1252; always reported.
    let message = Message::parse("Subject: café\n\n".as_bytes());
    let text = message.field("Subject").unwrap().text();
    assert_eq!(
        (text.as_str(), text.charsets()[0].source),
        ("café", Source::Evidence)
    );
    assert!(text.report().has(Kind::RawUtf8));
    let message =
        Message::parse(b"Subject: \xF0\xD2\xC9\nContent-Type: text/plain; charset=koi8-r\n\n");
    let text = message.field("Subject").unwrap().text();
    assert_eq!(
        (text.as_str(), text.charsets()[0].source),
        ("При", Source::Detected)
    );
    assert!(text.report().has(Kind::RawOctets));
}

/// The text of a field, with the charset and source of its first raw octets, which must be
/// reported.
#[track_caller]
fn raw_field(message: &[u8], name: &str) -> (String, &'static str, Source) {
    let message = Message::parse(message);
    let text = message.field(name).unwrap().text();
    assert!(text.report().has(Kind::RawOctets));
    let used = &text.charsets()[0];
    let source = used.source;
    (text.as_str().to_owned(), used.charset.name(), source)
}

/// "Да", "Ольга Кузнецова" and "Смета на ремонт школьной библиотеки" as `CPython` encodes them in
/// `cp1251`.
const RUSSIAN: [&[u8]; 3] = [
    b"\xC4\xE0",
    b"\xCE\xEB\xFC\xE3\xE0 \xCA\xF3\xE7\xED\xE5\xF6\xEE\xE2\xE0",
    b"\xD1\xEC\xE5\xF2\xE0 \xED\xE0 \xF0\xE5\xEC\xEE\xED\xF2 \xF8\xEA\xEE\xEB\xFC\xED\xEE\xE9 \
      \xE1\xE8\xE1\xEB\xE8\xEE\xF2\xE5\xEA\xE8",
];

#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc7103_7_7_raw_fields_are_detected_together() {
    let [yes, name, estimate] = RUSSIAN;
    // The charset of the body cannot read them.
    for content_type in ["", "Content-Type: text/plain; charset=utf-8\n"] {
        let message = [
            b"Subject: ",
            yes,
            b"\nFrom: ",
            name,
            b" <olga@example.org>\nComments: ",
            estimate,
            b"\n",
            content_type.as_bytes(),
            b"\n",
        ]
        .concat();
        for (field, text) in [
            ("Subject", "Да"),
            ("From", "Ольга Кузнецова <olga@example.org>"),
            ("Comments", "Смета на ремонт школьной библиотеки"),
        ] {
            let expected = (text.to_owned(), "windows-1251", Source::Detected);
            assert_eq!(raw_field(&message, field), expected);
        }
    }
}

#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc7103_7_7_raw_file_names_are_detected_with_the_fields() {
    let [yes, name, estimate] = RUSSIAN;
    let message = [
        b"From: ",
        name,
        b" <olga@example.org>\nSubject: ",
        estimate,
        b"\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/pdf\n\
          Content-Disposition: attachment; filename=\"",
        yes,
        b".pdf\"\n\nx\n--b--\n",
    ]
    .concat();
    let message = Message::parse(&message);
    let part = message.parts().next().unwrap();
    let name = part.filename().unwrap();
    assert_eq!(name.as_str(), "Да.pdf");
    assert!(name.report().has(Kind::RawOctets));
}

#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc7103_7_7_the_charset_of_the_message_precedes_detection() {
    // "회의록" and "김철수" as CPython encodes them in euc_kr. Only an encoded word names the charset.
    let message = b"Subject: \xC8\xB8\xC0\xC7\xB7\xCF\n\
                    From: =?euc-kr?B?sejDtrz2?= <kim@example.org>\n\
                    Content-Type: text/plain; charset=utf-8\n\n";
    let expected = ("회의록".to_owned(), "EUC-KR", Source::Detected);
    assert_eq!(raw_field(message, "Subject"), expected);
    // The charset used elsewhere in the message wins, though the octets look like windows-1251.
    let declared = |label: &str, body: &[u8]| {
        [
            b"Subject: ",
            RUSSIAN[2],
            b"\nContent-Type: text/plain; charset=",
            label.as_bytes(),
            b"\n\n",
            body,
        ]
        .concat()
    };
    assert_eq!(
        raw_field(&declared("koi8-r", b"\xF0"), "Subject").1,
        "KOI8-R"
    );
    // A label that no text uses, and a label that cannot read these octets.
    for (label, body) in [("koi8-r", b"" as &[u8]), ("shift_jis", b"\x82\xA0")] {
        let (text, ..) = raw_field(&declared(label, body), "Subject");
        assert_eq!(text, "Смета на ремонт школьной библиотеки");
    }
}

#[test]
fn rfc7103_7_7_a_hint_of_the_caller_precedes_everything() {
    let message = [b"Subject: ", RUSSIAN[2], b"\n\n"].concat();
    let message = Message::parse(&message);
    let koi8 = Options::new().hint(Some(charset("koi8-r")));
    let text = message.field("Subject").unwrap().text_with(&koi8);
    assert_eq!(text.charsets()[0].charset.name(), "KOI8-R");
}

#[test]
fn rfc7103_7_7_few_undetectable_octets_are_windows_1252() {
    let message = Message::parse(b"Subject: caf\xE9\n\n");
    let text = message.field("Subject").unwrap().text();
    assert_eq!(text.as_str(), "café");
    assert!(text.report().has(Kind::RawOctets));
}

/// RFC 7103, section 7.5: the first of two fields counts, and the second is reported.
#[test]
fn rfc7103_7_5_of_two_content_types_the_first_counts() {
    let message = Message::parse(
        b"Content-Type: text/plain; charset=koi8-r\nContent-Type: text/plain; charset=utf-8\n\n\xF0",
    );
    assert!(message.report().has(Kind::DuplicateField));
    let decoded = message.parts().next().unwrap().text();
    assert_eq!(
        (decoded.as_str(), decoded.source()),
        ("П", Source::Declared)
    );
}

#[test]
fn empty_input_is_us_ascii() {
    let decoded = decode(b"", &Context::new());
    assert_eq!(
        (decoded.as_str(), decoded.charset()),
        ("", Charset::US_ASCII)
    );
}

/// An empty body under a label that names no charset: its charset is unknown (RFC 1428, section 3).
/// US-ASCII octets are read as US-ASCII.
#[test]
fn an_empty_body_under_an_unknown_label_has_no_known_charset() {
    let charset_of = |label: &str, body: &str| {
        let source = format!("Content-Type: text/plain; charset={label}\n\n{body}");
        let message = Message::parse(source.as_bytes());
        let part = message.root();
        let charset = part.charset(&Options::new());
        assert_eq!(part.decide(&Options::new()).charset, charset);
        assert_eq!(part.text().charset(), charset);
        assert_eq!(part.text().as_str(), body);
        charset.name()
    };
    assert_eq!(charset_of("x-nothing", ""), "UNKNOWN-8BIT");
    assert_eq!(charset_of("unknown-8bit", ""), "UNKNOWN-8BIT");
    assert_eq!(charset_of("x-nothing", "a"), "US-ASCII");
    assert_eq!(charset_of("koi8-r", ""), "KOI8-R");
    let message = Message::parse(b"Content-Type: text/plain; charset=x-nothing");
    let decision = message.root().decide(&Options::new());
    assert!(decision.report.has(Kind::UnknownLabel));
    assert_eq!(decision.source, Source::Default);
}

/// The decision names the charset used for decoding: the practised variant of a label, or the
/// registered charset.
#[test]
fn a_decision_names_the_charset_used_for_decoding() {
    let octets = b"\xC7\xD1\xB1\xB9";
    for (label, practised) in [("ks_c_5601-1987", "EUC-KR"), ("gb_2312-80", "GB2312")] {
        let registered = charset(label).name();
        let label = Label::new(label);
        for (reading, expected) in [(false, practised), (true, registered)] {
            let options = Options::new().as_registered(reading);
            let context = Context::new().label(Some(&label)).options(options);
            assert_eq!(decide(octets, &context).charset.name(), expected);
            assert_eq!(decode(octets, &context).charset().name(), expected);
        }
    }
}

#[test]
fn a_decision_is_readable() {
    let decision = decided("naïve".as_bytes(), Some("windows-1251"), "text/plain");
    assert_eq!(
        decision.to_string(),
        "UTF-8, evidence, 98%\n  \
         against label: windows-1251 names windows-1251\n  \
         for utf-8: well-formed UTF-8 (at 2)"
    );
}

/// `%C3%A9` proves UTF-8, so each `%FF` is malformed: one U+FFFD each, and one finding each while
/// the report keeps them.
#[test]
fn parameter_findings_beyond_the_limit_are_counted() {
    const BEYOND: usize = 3;
    /// Places reserved for other kinds.
    const LAST: usize = 128;
    let octets = "%FF".repeat(Report::MAX_FINDINGS + BEYOND);
    let body = format!("attachment; filename*=utf-8''%C3%A9{octets}");
    let disposition = header::content_disposition(body.as_bytes());
    let name = disposition.parameter("filename").unwrap().text();
    assert_eq!(
        name.as_str().chars().count(),
        1 + Report::MAX_FINDINGS + BEYOND
    );
    let report = name.report();
    assert_eq!(report.findings().len(), Report::MAX_FINDINGS - LAST);
    assert_eq!(report.omitted(), LAST + BEYOND);
    assert_eq!(report.replacements(), Report::MAX_FINDINGS + BEYOND);
}

/// RFC 2047, section 5, forbids encoded words in parameters. The finding is at the parameter, since
/// the value may be quoted, folded and in sections.
#[test]
fn rfc2047_5_findings_about_words_in_a_parameter_are_at_the_parameter() {
    let body = b"attachment; filename=\"a\\\"b =?utf-8?Q?=C3=A9=FF?=\"";
    let disposition = header::content_disposition(body);
    let name = disposition.parameter("filename").unwrap().text();
    assert_eq!(name.as_str(), "a\"b é\u{FFFD}");
    assert!(name.report().has(Kind::EncodedWordPlace) && name.report().has(Kind::Malformed));
    for finding in name.report().findings() {
        let end = finding.offset() + finding.length();
        assert_eq!(&body[finding.offset()..end], &body[12..]);
    }
}

#[test]
fn a_declaration_in_a_document_is_recorded_once() {
    let page = b"<meta charset=koi8-r>\xC1";
    for label in [None, Some("us-ascii"), Some("utf-8"), Some("iso-8859-1")] {
        let decision = decided(page, label, "text/html");
        let heard = decision.evidence().iter();
        let metas = heard.filter(|evidence| evidence.kind == EvidenceKind::HtmlMeta);
        assert_eq!(metas.count(), 1, "{label:?}: {decision}");
    }
}

/// Evidence quotes the declaration of a document verbatim. A document that could be read as ASCII
/// is not in UTF-16, and is taken for UTF-8 (HTML Standard, section 13.2.3.2).
#[test]
fn html_13_2_3_2_a_document_that_declares_utf_16_is_quoted() {
    for (page, media_type, said) in [
        (
            "<meta charset='utf-16'>é",
            "text/html",
            "utf-16, which is UTF-8 here",
        ),
        (
            "@charset \"UTF-16LE\";é{}",
            "text/css",
            "UTF-16LE, which is UTF-8 here",
        ),
        ("<meta charset='utf-8'>é", "text/html", "utf-8"),
    ] {
        let decision = decided(page.as_bytes(), None, media_type);
        let of_document = |evidence: &&Evidence| {
            matches!(
                evidence.kind,
                EvidenceKind::HtmlMeta | EvidenceKind::CssCharset
            )
        };
        let heard = decision.evidence().iter().find(of_document).unwrap();
        assert_eq!(
            (heard.detail.as_str(), decision.charset.name()),
            (said, "UTF-8")
        );
    }
}

/// Only the charset used can conflict. If the octets disprove the label and confirm the document,
/// there is no conflict with the document.
#[test]
fn a_document_is_compared_with_the_charset_used() {
    let conflict = |octets: &[u8], label| {
        let decision = decided(octets, label, "text/html");
        (
            decision.charset.name(),
            decision.report.has(Kind::DocumentConflict),
        )
    };
    let page = b"<meta charset=koi8-r>\xC1";
    assert_eq!(conflict(page, Some("us-ascii")), ("KOI8-R", false));
    assert_eq!(conflict(page, Some("windows-1251")), ("windows-1251", true));
    let page = "<meta charset=koi8-r>é".as_bytes();
    assert_eq!(conflict(page, Some("iso-8859-1")), ("UTF-8", true));
    assert_eq!(conflict(page, None), ("UTF-8", true));
}

/// Unicode Standard, section 23.7: noncharacters are valid, but not meant for interchange.
#[test]
fn noncharacters_are_kept_and_reported() {
    let label = Label::new("utf-8");
    let text = "a\u{FFFE}\u{FDD0}\u{10FFFF}\u{FDCF}\u{FFFD}";
    let decoded = decode_under(text.as_bytes(), &label, &Options::new());
    assert_eq!(decoded.as_str(), text);
    let findings: Vec<_> = decoded.report().findings().iter().collect();
    assert_eq!(
        findings.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["noncharacter at 0: 3 of them, the first at offset 1 of the text"]
    );
    let message = Message::parse(b"Subject: =?utf-8?Q?=EF=BF=BE?=\n\n");
    let subject = message.field("Subject").unwrap().text();
    assert_eq!(subject.as_str(), "\u{FFFE}");
    assert!(subject.report().has(Kind::Noncharacter));
}

/// UTF-8 in quoted-printable is decided without decoding if no octet needs a second look.
/// Decision, evidence and findings equal those of the decoded octets.
#[test]
fn deciding_without_decoding_gives_the_same_decision() {
    let twice = |text: &str| -> String {
        let octets = text.bytes().map(char::from);
        octets.collect()
    };
    let rare = [
        "é".to_owned(),
        "éé".to_owned(),
        "한국어".to_owned(),
        "かな漢字".to_owned(),
        "\u{1F600}".to_owned(),
        "\u{FEFF}".to_owned(),
        // "한국어" before Amendment 5, and "äöü" encoded twice.
        "\u{3D1A}\u{3454}\u{39B4}\u{3D1A}\u{3454}".to_owned(),
        twice("äöüß"),
        "=FF".to_owned(),
        "=c3=a9".to_owned(),
        "=C3".to_owned(),
        "=ED=A0=80".to_owned(),
        "<meta charset=3Deuc-kr>".to_owned(),
        "=1B$B".to_owned(),
    ];
    let fillings = [
        "plain words in a line\n",
        "h\u{E9}, \u{E7}a va=20\n",
        "<p class=3D\"a\">\u{416}=\n</p>\n",
        "\u{D55C}\u{AE00} \u{2026}\n",
    ];
    let escaped = |text: &str| -> String {
        let escape = |octet: u8| match octet {
            b' '..=b'~' | b'\n' => char::from(octet).to_string(),
            _ => format!("={octet:02X}"),
        };
        let escaped: Vec<_> = text.bytes().map(escape).collect();
        escaped.concat()
    };
    let mut count = 0;
    for media_type in ["text/plain", "text/html"] {
        for label in ["utf-8", "us-ascii"] {
            for filling in fillings.map(escaped) {
                for length in [0, 250, 1500, 2500] {
                    let lines = filling.repeat(length / filling.len());
                    for rare in rare.iter().map(|rare| escaped(rare)) {
                        for place in [0, 200, 1450, 1600, usize::MAX] {
                            let at = lines[..lines.len().min(place)]
                                .rfind('\n')
                                .map_or(0, |end| end + 1);
                            let (before, behind) = lines.split_at(at);
                            let source = format!(
                                "Content-Type: {media_type}; charset={label}\n\
                                 Content-Transfer-Encoding: quoted-printable\n\n\
                                 {before}{rare}{behind}"
                            );
                            let message = Message::parse(source.as_bytes());
                            let part = message.parts().next().unwrap();
                            let label = Label::new(label);
                            let context = Context::new()
                                .label(Some(&label))
                                .media_type(Some(media_type));
                            let octets = part.octets();
                            let alone = decide(octets.as_bytes(), &context);
                            let decision = part.decide(&Options::new());
                            // If the part alone does not decide, the message's evidence is used.
                            let siblings = |heard: &Evidence| heard.kind == EvidenceKind::Siblings;
                            if !decision.evidence().iter().any(siblings) {
                                assert_eq!(decision, alone, "{source}");
                                count += 1;
                            }
                        }
                    }
                }
            }
        }
    }
    // Types, labels, padding, lengths, and fourteen pieces at five places.
    assert!(count > 2 * 2 * 4 * 4 * 14 * 5 / 2, "{count}");
}

/// RFC 1428 has UNKNOWN-8BIT for octets in an unknown charset. x-user-defined declares no more, and
/// is treated as UNKNOWN-8BIT in bodies, words and parameters, trusted or not.
#[test]
fn x_user_defined_declares_nothing() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut number = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let pieces: [&[u8]; 8] = [
        b"plain ",
        "é".as_bytes(),
        b"\xE9t\xE9 ",
        b"\xF0\xD2\xC9\xD7\xC5\xD4 ",
        "한국어 ".as_bytes(),
        b"\x1B$B8l\x1B(B ",
        b"\xFF",
        b"\r\n",
    ];
    for round in 0..200 {
        let octets: Vec<u8> = (0..=round % 7)
            .flat_map(|_| pieces[number(8)])
            .copied()
            .collect();
        for trust in [false, true] {
            let options = Options::new().trust_label(trust);
            let of = |label: &str| {
                let label = Label::new(label);
                let context = Context::new().label(Some(&label)).options(options);
                let decided = decide(&octets, &context);
                let read = decode_under(&octets, &label, &options);
                let kinds: Vec<_> = read
                    .report()
                    .findings()
                    .iter()
                    .map(mime_charset::Finding::kind)
                    .collect();
                let text = read.as_str().to_owned();
                (
                    decided.charset,
                    decided.source,
                    decided.confidence,
                    text,
                    kinds,
                )
            };
            assert_eq!(of("x-user-defined"), of("unknown-8bit"), "{octets:02X?}");
        }
        let hex = |mark: &str| {
            octets.iter().fold(String::new(), |hex, octet| {
                hex + mark + &format!("{octet:02X}")
            })
        };
        let message = |label: &str| {
            let word = format!("=?{label}?Q?{}?=", hex("="));
            let message = format!(
                "Subject: {word} and {word}\r\nFrom: {word} <mary@example.org>\r\n\
                 Content-Disposition: attachment; filename*={label}''{}\r\n\r\n",
                hex("%")
            );
            let message = Message::parse(message.as_bytes());
            let fields = message.fields().map(|field| {
                let text = field.text();
                let charsets: Vec<_> = text.charsets().iter().map(|it| it.charset).collect();
                (text.as_str().replace(label, "its label"), charsets)
            });
            fields.collect::<Vec<_>>()
        };
        assert_eq!(
            message("x-user-defined"),
            message("unknown-8bit"),
            "{octets:02X?}"
        );
    }
    // Requested by name, it is the charset of the Encoding Standard.
    assert_eq!(
        charset("x-user-defined").decode(b"\xE9").as_str(),
        "\u{F7E9}"
    );
    assert_eq!(outcome(b"caf\xC3\xA9", Some("x-user-defined")).0, "UTF-8");
}

/// RFC 2045, section 5.1: a parameter occurs once. A second charset is a candidate if the octets
/// disprove the first, however few they are.
#[test]
fn rfc2045_5_1_a_second_charset() {
    let text = |labels: &[&str], octets: &[u8]| {
        // In one field, and in two fields.
        let texts = ["; charset=", "\nContent-Type: text/plain; charset="].map(|between| {
            let labels = labels.join(between);
            let header = format!("Content-Type: text/plain; charset={labels}\n\n");
            let source = [header.as_bytes(), octets].concat();
            let message = Message::parse(&source);
            let part = message.root();
            let charset = part.charset(&Options::new());
            assert_eq!(part.text().charset(), charset, "{labels}");
            part.text().as_str().to_owned()
        });
        assert_eq!(texts[0], texts[1], "{labels:?}");
        texts[0].clone()
    };
    let rows: [(&[&str], &[u8], &str); 7] = [
        (
            &["utf-8", "windows-1251"],
            b"\xCF\xF0\xE8\xE2\xE5\xF2",
            "Привет",
        ),
        (&["utf-8", "koi8-r"], b"a \xC4", "a д"),
        (&["utf-8", "iso-8859-7"], b"\xE1", "α"),
        (&["us-ascii", "koi8-r"], b"\xC4\xC1", "да"),
        (&["x-unknown", "euc-kr"], b"\xC7\xD1", "한"),
        // The first is right.
        (&["koi8-r", "windows-1251"], b"\xC4\xC1", "да"),
        (&["utf-8", "windows-1251"], "да".as_bytes(), "да"),
    ];
    for (labels, octets, expected) in rows {
        assert_eq!(text(labels, octets), expected, "{labels:?}");
    }
    // Text in UTF-8 with some damage, and a charset in which any octets are text.
    let damaged = b"\xC3\xA9t\xC3\xA9 and \xD0";
    assert_eq!(
        text(&["utf-8", "windows-1251"], damaged),
        "été and \u{FFFD}"
    );
    assert_eq!(
        text(&["utf-8", "utf-16"], b"Hello world \xC3\n"),
        "Hello world \u{FFFD}\n"
    );
    // Neither decodes the octets.
    assert_eq!(text(&["utf-8", "euc-kr"], b"a \xC7"), "a \u{FFFD}");
}
