//! Damage is not disproof: truncated or damaged octets, and labels that a few octets cannot prove
//! wrong.
//!
//! RFC 7103, section 7.6, overrides a label that the octets prove wrong. RFC 3629, section 1,
//! states how much well-formed UTF-8 proves: "the probability that a string of characters in any
//! other encoding appears as valid UTF-8 is low, diminishing with increasing string length". The
//! expected text of damaged UTF-8 is that of the standard library, which replaces maximal subparts
//! (Unicode Standard, chapter 3).

use mime_charset::decode::{
    self, Context, Decision, EvidenceKind, Side, decide, decode, encoded_once,
};
use mime_charset::header::{self, Syntax};
use mime_charset::{Charset, Kind, Label, Message, Options, Source};
use proptest::prelude::*;

use super::samples::{Draw, Subject, subjects};

/// Number of cases drawn per class.
const CASES: usize = 200;

/// Text with at least `characters` non-ASCII characters, from subjects in one or several scripts.
fn text_of(draw: &mut Draw, subjects: &[Subject], characters: usize) -> String {
    let mut text = String::new();
    let several = |text: &str| text.chars().filter(|it| !it.is_ascii()).count();
    while several(&text) < characters {
        text.push_str(&subjects[draw.below(subjects.len())].text);
        text.push('\n');
    }
    text
}

#[track_caller]
fn decided(octets: &[u8], label: Option<&str>) -> Decision {
    let label = label.map(Label::new);
    decide(octets, &Context::new().label(label.as_ref()))
}

#[track_caller]
fn text(octets: &[u8], label: Option<&str>) -> String {
    let label = label.map(Label::new);
    let decoded = decode(octets, &Context::new().label(label.as_ref()));
    decoded.into_text().into_owned()
}

/// Labels of each kind that well-formed UTF-8 overrides.
const LABELS: [Option<&str>; 16] = [
    None,
    Some("us-ascii"),
    Some("unknown-8bit"),
    Some("klingon"),
    Some("koi8-r"),
    Some("iso-8859-1"),
    Some("windows-1252"),
    Some("ibm866"),
    Some("tis-620"),
    Some("euc-kr"),
    Some("gb18030"),
    Some("big5"),
    Some("shift_jis"),
    Some("iso-2022-jp"),
    Some("hz-gb-2312"),
    Some("utf-7"),
];

/// The result of a partial fetch of a body (RFC 9051, section 6.4.5, `BODY[]<partial>`).
#[test]
fn rfc9051_6_4_5_a_partial_body_in_utf_8() {
    let octets = "안녕하세요. 오늘은 날씨가 매우 좋습니다. 회의는 내일 열립니다.".repeat(20);
    let octets = octets.as_bytes();
    for label in LABELS {
        for end in [octets.len(), octets.len() - 2, octets.len() - 3] {
            for start in [0, 1, 2] {
                let part = &octets[start..end];
                let decision = decided(part, label);
                assert_eq!(decision.charset, Charset::UTF_8, "{label:?}: {decision}");
                assert_eq!(text(part, label), String::from_utf8_lossy(part));
            }
        }
    }
}

#[test]
fn truncated_utf_8_overrides_the_same_labels() {
    let subjects = subjects();
    let mut draw = Draw::new(1);
    for _ in 0..CASES {
        let text_of = text_of(&mut draw, &subjects, 30);
        let whole = text_of.as_bytes();
        let start = draw.below(4);
        let octets = &whole[start..whole.len() - 1 - draw.below(8)];
        let label = draw.of(&LABELS);
        let decision = decided(octets, label);
        assert_eq!(decision.charset, Charset::UTF_8, "{label:?}: {decision}");
        assert_eq!(text(octets, label), String::from_utf8_lossy(octets));
    }
}

#[test]
fn utf_8_with_a_few_damaged_octets_is_utf_8() {
    let subjects = subjects();
    let mut draw = Draw::new(2);
    for _ in 0..CASES {
        let mut octets = text_of(&mut draw, &subjects, 90).into_bytes();
        for _ in 0..=draw.below(4) {
            let at = draw.below(octets.len());
            octets[at] = draw.of(&[b'?', b' ', b'\0', 0x80, 0xFF, 0xC3]);
        }
        let label = draw.of(&LABELS);
        let decision = decided(&octets, label);
        assert_eq!(decision.charset, Charset::UTF_8, "{label:?}: {decision}");
        let is_whole = std::str::from_utf8(&octets).is_ok();
        assert!(is_whole || decision.confidence < 98, "{decision}");
        assert_eq!(text(&octets, label), String::from_utf8_lossy(&octets));
        let for_it = decision.evidence().iter();
        let mut for_it = for_it.filter(|it| it.side == Side::For);
        assert!(for_it.any(|it| it.kind == EvidenceKind::Utf8), "{decision}");
    }
}

/// In 60,000 texts in thirteen languages and any two-octet charset, none had as many characters of
/// well-formed UTF-8 as are needed to override the label.
#[test]
fn rfc7103_7_6_a_multi_octet_label_yields_to_much_well_formed_utf_8() {
    let cyrillic = "Привет из Москвы. ".repeat(45);
    assert!(cyrillic.len() > 1024);
    for label in [
        "gb18030",
        "gbk",
        "euc-kr",
        "big5",
        "shift_jis",
        "euc-jp",
        "johab",
    ] {
        let decision = decided(cyrillic.as_bytes(), Some(label));
        assert_eq!(decision.charset, Charset::UTF_8, "{label}: {decision}");
        // Two octets that are one character in both charsets do not override it.
        let decision = decided("Ж".as_bytes(), Some(label));
        let reads = Charset::for_label(label).unwrap().decode("Ж".as_bytes());
        if reads.report().replacements() == 0 {
            assert_eq!(decision.source, Source::Declared, "{label}: {decision}");
        }
    }
}

/// Text in the declared charset is never taken for damaged UTF-8, whole or truncated.
#[test]
fn text_in_the_declared_charset_keeps_its_label() {
    let subjects = subjects();
    let mut draw = Draw::new(3);
    let mut count = 0;
    for subject in &subjects {
        let name = subject.charset.name();
        if subject.charset == Charset::UTF_8 || subject.octets.is_ascii() {
            continue;
        }
        for _ in 0..20 {
            let again = subject.octets.repeat(1 + draw.below(3));
            let start = draw.below(again.len());
            let octets = &again[start..];
            let octets = &octets[..octets.len().min(1 + draw.below(120))];
            // A fragment that happens to be well-formed UTF-8 is excluded.
            if std::str::from_utf8(octets).is_ok() {
                continue;
            }
            let decision = decided(octets, Some(name));
            let found = (decision.charset, decision.source);
            assert_eq!(found, (subject.charset, Source::Declared), "{decision}");
            count += 1;
        }
    }
    assert!(count > 5 * CASES, "{count}");
}

/// Six malformed octets may be one or two characters of many charsets: the label is kept.
#[test]
fn rfc7103_7_6_six_octets_override_no_eight_bit_label() {
    // Two low surrogates (Unicode Technical Report #26), and NUL in six octets, overlong (RFC 2279,
    // section 2).
    for octets in [b"\xED\xB8\x80\xED\xB8\x80", b"\xFC\x80\x80\x80\x80\xAF"] {
        let decision = decided(octets, Some("utf-8"));
        let found = (decision.charset, decision.source);
        assert_eq!(found, (Charset::UTF_8, Source::Declared), "{decision}");
        assert_eq!(text(octets, Some("utf-8")), "\u{FFFD}".repeat(6));
        assert!(decision.confidence <= 50);
    }
    let mut draw = Draw::new(4);
    for _ in 0..CASES {
        let length = 1 + draw.below(6);
        let octets: Vec<u8> =
            std::iter::repeat_with(|| u8::try_from(0x80 + draw.below(0x80)).unwrap())
                .take(length)
                .collect();
        let decision = decided(&octets, Some("utf-8"));
        assert_eq!(
            decision.source,
            Source::Declared,
            "{octets:02X?}: {decision}"
        );
        assert_eq!(
            text(&octets, Some("utf-8")),
            String::from_utf8_lossy(&octets)
        );
    }
}

/// RFC 7103, section 7.6: words in another charset disprove the label utf-8; a truncated character
/// does not.
#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc7103_7_6_words_of_another_charset_under_utf_8() {
    // "café", "Grüße aus Köln" and "Привет из Москвы" in the codecs of CPython.
    let cases: [(&[u8], &str); 3] = [
        (b"caf\xE9", "café"),
        (b"Gr\xFC\xDFe aus K\xF6ln", "Grüße aus Köln"),
        (
            b"\xCF\xF0\xE8\xE2\xE5\xF2 \xE8\xE7 \xCC\xEE\xF1\xEA\xE2\xFB",
            "Привет из Москвы",
        ),
    ];
    for (octets, expected) in cases {
        assert_eq!(text(octets, Some("utf-8")), expected);
    }
    // "café" in UTF-8, truncated.
    assert_eq!(text(b"caf\xC3", Some("utf-8")), "caf\u{FFFD}");
}

/// Unicode Technical Report #26: text that is UTF-8 except for surrogate pairs is CESU-8.
#[test]
fn utr26_text_with_many_surrogate_pairs() {
    // U+1F600 is D83D DE00 in UTF-16.
    let octets = b"\xED\xA0\xBD\xED\xB8\x80 ".repeat(3);
    for label in [Some("utf-8"), Some("us-ascii"), None] {
        let decision = decided(&octets, label);
        assert_eq!(decision.charset.name(), "CESU-8", "{label:?}: {decision}");
        assert_eq!(text(&octets, label), "\u{1F600} ".repeat(3));
    }
    let report = decided(&octets, Some("utf-8")).report.clone();
    assert!(report.has(Kind::LabelOverridden));
}

/// RFC 6532, section 3.2, allows raw UTF-8 in a header, but no other form.
#[test]
#[cfg(feature = "legacy")]
fn raw_text_in_other_forms_is_not_reported_as_utf8() {
    for (octets, charset, kind) in [
        (&b"gr\xC3\xB6\xC3\x9Fe"[..], "UTF-8", Kind::RawUtf8),
        (b"\xED\xA0\xBD\xED\xB8\x80", "CESU-8", Kind::RawOctets),
        (b"zul\x81\xE4ssige", "emacs-mule", Kind::RawOctets),
    ] {
        let value = [b"attachment; filename=\"", octets, b"\""].concat();
        let value = header::content_disposition(&value);
        let subject = decode::field(octets, Syntax::Unstructured, &Options::new());
        for text in [subject, value.parameter("filename").unwrap().text()] {
            assert_eq!(text.charsets()[0].charset.name(), charset);
            let raw = [Kind::RawUtf8, Kind::RawOctets];
            let found = raw.into_iter().filter(|kind| text.report().has(*kind));
            assert_eq!(found.collect::<Vec<_>>(), [kind], "{charset}");
        }
    }
}

/// Unicode Technical Report #26: a surrogate pair proves CESU-8, however short the text and
/// whatever precedes the pair.
#[test]
fn utr26_one_surrogate_pair_is_a_character() {
    const PAIR: &[u8] = b"\xED\xA0\xBD\xED\xB8\x80";
    let labels = [
        None,
        Some("utf-8"),
        Some("us-ascii"),
        Some("iso-8859-1"),
        Some("koi8-r"),
    ];
    for before in ["", "Hi ", "sch\u{F6}n ", &"Gr\u{FC}\u{DF}e ".repeat(60)] {
        for pairs in 1..=3 {
            let octets = [
                before.as_bytes(),
                &PAIR.repeat(pairs),
                " sch\u{F6}n".as_bytes(),
            ]
            .concat();
            let expected = format!("{before}{} sch\u{F6}n", "\u{1F600}".repeat(pairs));
            for label in labels {
                assert_eq!(text(&octets, label), expected, "{label:?}");
            }
        }
    }
    let escapes = "=ED=A0=BD=ED=B8=80";
    for label in ["utf-8", "us-ascii", "iso-8859-1"] {
        let word = format!("=?{label}?Q?Hi_{escapes}?=");
        let (read, _) = field(word.as_bytes(), Syntax::Unstructured);
        assert_eq!(read, "Hi \u{1F600}", "{label}");
        let value = format!(
            "attachment; filename*={label}''a{}.txt",
            escapes.replace('=', "%")
        );
        let disposition = header::content_disposition(value.as_bytes());
        let name = disposition.parameter("filename").unwrap().text();
        assert_eq!(name.as_str(), "a\u{1F600}.txt", "{label}");
    }
    let raw = [b"Hi ", PAIR].concat();
    assert_eq!(field(&raw, Syntax::Unstructured).0, "Hi \u{1F600}");
    // Half a pair is a lone surrogate, and a pair in reverse order is two.
    for octets in [&PAIR[..3], &[&PAIR[3..], &PAIR[..3]].concat()] {
        assert!(text(octets, Some("utf-8")).contains('\u{FFFD}'));
    }
}

/// RFC 7103, section 7.6: words in ASCII and UTF-8 under a label of UTF-16, which programs call
/// `unicode`.
#[test]
fn rfc7103_7_6_a_few_words_labelled_utf_16() {
    for label in ["unicode", "utf-16", "utf-16le", "utf-16be", "ucs-2"] {
        for (octets, expected) in [
            ("Test", "Test"),
            ("Hello", "Hello"),
            ("Re: 2024 report", "Re: 2024 report"),
            ("Pr=C3=BCfung", "Pr\u{FC}fung"),
            ("Gr=C3=BC=C3=9Fe", "Gr\u{FC}\u{DF}e"),
        ] {
            let word = format!("=?{label}?Q?{}?=", octets.replace(' ', "_"));
            let (read, _) = field(word.as_bytes(), Syntax::Unstructured);
            assert_eq!(read, expected, "{label}");
        }
        assert_eq!(text(b"Test\r\n", Some(label)), "Test\r\n", "{label}");
    }
    // Kana and ideographs with all-ASCII octets are kept: U+306F U+3044, U+4F60 U+597D, U+672C.
    for (octets, expected) in [
        ("0o0D", "\u{306F}\u{3044}"),
        ("O`Y}", "\u{4F60}\u{597D}"),
        ("g,", "\u{672C}"),
    ] {
        let word = format!("=?utf-16be?Q?{octets}?=");
        assert_eq!(field(word.as_bytes(), Syntax::Unstructured).0, expected);
    }
}

/// RFC 7103, section 7.6: a stray octet in well-formed UTF-8 does not disprove its label.
#[test]
fn rfc7103_7_6_one_stray_octet_is_damage() {
    assert_eq!(
        text(b"\xC3\xA9 caf\xE9!", Some("utf-8")),
        "\u{E9} caf\u{FFFD}!"
    );
    assert_eq!(
        text(b"\xC3\xA9t\xC3\xA9 caf\xE9!", Some("utf-8")),
        "\u{E9}t\u{E9} caf\u{FFFD}!"
    );
    // Perl's name for UTF-8.
    let word = b"=?utf-8-strict?Q?=C3=A1=f9=80=80=80=80?=";
    let expected = format!("\u{E1}{}", "\u{FFFD}".repeat(5));
    assert_eq!(field(word, Syntax::Unstructured).0, expected);
}

/// "今日はいい天気ですね。明日も晴れるでしょう。" in `CPython`'s codecs.
const JAPANESE: &str = "今日はいい天気ですね。明日も晴れるでしょう。";
const SHIFT_JIS: &[u8] = b"\x8D\xA1\x93\xFA\x82\xCD\x82\xA2\x82\xA2\x93V\x8BC\x82\xC5\x82\xB7\
    \x82\xCB\x81B\x96\xBE\x93\xFA\x82\xE0\x90\xB0\x82\xEA\x82\xE9\x82\xC5\x82\xB5\x82\xE5\x82\xA4\
    \x81B";
const EUC_JP: &[u8] = b"\xBA\xA3\xC6\xFC\xA4\xCF\xA4\xA4\xA4\xA4\xC5\xB7\xB5\xA4\xA4\xC7\xA4\xB9\
    \xA4\xCD\xA1\xA3\xCC\xC0\xC6\xFC\xA4\xE2\xC0\xB2\xA4\xEC\xA4\xEB\xA4\xC7\xA4\xB7\xA4\xE7\xA4\
    \xA6\xA1\xA3";
const ISO_2022_JP: &[u8] = b"\x1B$B:#F|$O$$$$E75$$G$9$M!#L@F|$b@2$l$k$G$7$g$&!#\x1B(B";

/// RFC 1468: ISO-2022-JP is a seven-bit charset. A body entirely of eight-bit text is in another.
#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc1468_eight_bit_text_under_a_seven_bit_label() {
    for label in [
        "iso-2022-jp",
        "iso-2022-jp-2",
        "iso-2022-kr",
        "iso-2022-cn",
        "utf-7",
    ] {
        let cases = [
            (SHIFT_JIS, "Shift_JIS"),
            (EUC_JP, "EUC-JP"),
            (JAPANESE.as_bytes(), "UTF-8"),
        ];
        for (octets, name) in cases {
            // ISO-2022-KR includes EUC-KR, which reads both as Hangul.
            if label == "iso-2022-kr" && name != "UTF-8" {
                continue;
            }
            let decision = decided(octets, Some(label));
            assert_eq!(decision.charset.name(), name, "{label}: {decision}");
            assert_eq!(text(octets, Some(label)), JAPANESE);
            assert!(decision.report.has(Kind::LabelOverridden));
        }
    }
    // "안녕하세요 여러분" in EUC-KR, "北京欢迎你" in GBK, and "Grüße aus Köln" in ISO-8859-1.
    let cases: [(&[u8], &str, &str); 5] = [
        (
            b"\xBE\xC8\xB3\xE7\xC7\xCF\xBC\xBC\xBF\xE4 \xBF\xA9\xB7\xAF\xBA\xD0",
            "iso-2022-kr",
            "안녕하세요 여러분",
        ),
        (
            b"\xBE\xC8\xB3\xE7\xC7\xCF\xBC\xBC\xBF\xE4 \xBF\xA9\xB7\xAF\xBA\xD0",
            "iso-2022-jp",
            "안녕하세요 여러분",
        ),
        (
            b"\xB1\xB1\xBE\xA9\xBB\xB6\xD3\xAD\xC4\xE3",
            "hz-gb-2312",
            "北京欢迎你",
        ),
        (
            b"\xB1\xB1\xBE\xA9\xBB\xB6\xD3\xAD\xC4\xE3",
            "iso-2022-cn",
            "北京欢迎你",
        ),
        // Without the charset of this label, the ASCII of the text is shown (RFC 2049, section 2),
        // and the other octets are not decoded in another charset.
        (
            b"Gr\xFC\xDFe aus K\xF6ln",
            "DIN_66003",
            if cfg!(feature = "legacy") {
                "Grüße aus Köln"
            } else {
                "Gr\u{FFFD}\u{FFFD}e aus K\u{FFFD}ln"
            },
        ),
    ];
    for (octets, label, expected) in cases {
        assert_eq!(text(octets, Some(label)), expected, "{label}");
    }
}

/// RFC 1468: valid escapes support the label. Katakana of JIS X 0201 are read without an escape, as
/// mail programs write them.
#[test]
fn rfc1468_valid_escapes_outweigh_a_damaged_octet() {
    let mut draw = Draw::new(5);
    for _ in 0..CASES {
        let mut octets = ISO_2022_JP.repeat(1 + draw.below(4));
        // After the first escape: without it, the text would be ASCII letters.
        let at = 3 + draw.below(octets.len() - 3);
        octets.insert(at, draw.of(&[0x80, 0xE3, 0xFF, 0xA0]));
        let decision = decided(&octets, Some("iso-2022-jp"));
        assert_eq!(decision.charset.name(), "ISO-2022-JP", "{decision}");
        assert!(decision.confidence < 99, "{decision}");

        // Halfwidth katakana are A1 to DF (JIS X 0201).
        let length = 1 + draw.below(40);
        let katakana: Vec<u8> =
            std::iter::repeat_with(|| u8::try_from(0xA1 + draw.below(0x3F)).unwrap())
                .take(length)
                .collect();
        let expected: String = katakana
            .iter()
            .filter_map(|&octet| char::from_u32(0xFF61 + u32::from(octet - 0xA1)))
            .collect();
        if std::str::from_utf8(&katakana).is_err() {
            assert_eq!(text(&katakana, Some("iso-2022-jp")), expected);
        }
    }
}

/// A part is decided from its first octets if they are conclusive, otherwise from all octets; the
/// decision is the same.
#[test]
fn a_decision_from_the_start_agrees_with_all_octets() {
    let subjects = subjects();
    let mut draw = Draw::new(6);
    let labels = [
        "utf-8",
        "windows-1252",
        "koi8-r",
        "euc-kr",
        "gb18030",
        "tis-620",
        "iso-2022-jp",
        "utf-7",
        "cesu-8",
        "us-ascii",
        "unicode-1-1-utf-8",
        "utf-16",
    ];
    for _ in 0..2 * CASES {
        let mut octets = Vec::new();
        let length = draw.of(&[100, 250, 260, 300, 4000, 4100, 5000]);
        let subject = &subjects[draw.below(subjects.len())];
        while octets.len() < length {
            match draw.below(4) {
                0 => octets.extend_from_slice(&subject.octets),
                1 => octets.extend_from_slice(subjects[draw.below(subjects.len())].text.as_bytes()),
                2 => octets.extend_from_slice(b"plain words of ASCII "),
                _ => octets.push(u8::try_from(draw.below(256)).unwrap()),
            }
        }
        let name = draw.of(&labels);
        let head = format!("Content-Type: text/plain; charset={name}\n\n");
        let source = [head.as_bytes(), &octets[..]].concat();
        let message = Message::parse(&source);
        let part = message.parts().next().unwrap();
        let expected = decided(part.octets().as_bytes(), Some(name));
        assert_eq!(part.decide(&Options::new()), expected, "{name}");
        assert_eq!(part.charset(&Options::new()), expected.charset, "{name}");
        let text = part.text();
        let charset = (expected.charset, expected.source);
        assert_eq!((text.charset(), text.source()), charset, "{name}");
    }
}

/// The text of a field body and the kinds of its findings.
fn field(body: &[u8], syntax: Syntax) -> (String, Vec<Kind>) {
    let text = decode::field(body, syntax, &Options::new());
    let kinds = text
        .report()
        .findings()
        .iter()
        .map(mime_charset::Finding::kind);
    (text.as_str().to_owned(), kinds.collect())
}

/// RFC 6532, section 3.2: UTF-8 in a field, truncated inside its last character.
#[test]
fn rfc6532_3_2_a_truncated_field_in_utf_8() {
    let body = &"안녕하세요".as_bytes()[..14];
    let (text, kinds) = field(body, Syntax::Unstructured);
    assert_eq!(text, "안녕하세\u{FFFD}");
    assert!(kinds.contains(&Kind::Malformed), "{kinds:?}");

    let source = [
        b"Subject: ",
        body,
        b"\nFrom: ",
        body,
        b" <kim@example.org>\n\n",
    ]
    .concat();
    let message = Message::parse(&source);
    let subject = message.field("Subject").unwrap().text();
    assert_eq!(subject.as_str(), "안녕하세\u{FFFD}");
    let from = message.field("From").unwrap().text();
    assert_eq!(from.as_str(), "안녕하세\u{FFFD} <kim@example.org>");

    let value = [b"attachment; filename=\"", body, b".txt\""].concat();
    let disposition = header::content_disposition(&value);
    let name = disposition.parameter("filename").unwrap();
    let name = name.text();
    assert_eq!(name.as_str(), "안녕하세\u{FFFD}.txt");
    assert!(name.report().has(Kind::Malformed));
}

/// RFC 5322, section 2.2.3, folds at white space; programs that count octets fold inside a
/// character. The halves are joined like those of encoded words (RFC 2047, section 5).
#[test]
fn rfc5322_2_2_3_a_fold_inside_a_character() {
    let octets = "안녕하세요".as_bytes();
    for at in [1, 2, 4, 5, 7, 8, 13, 14] {
        for fold in [&b"\r\n "[..], b"\n ", b"\r\n\t"] {
            let body = [&octets[..at], fold, &octets[at..]].concat();
            for syntax in [Syntax::Unstructured, Syntax::Phrases] {
                let (text, kinds) = field(&body, syntax);
                assert_eq!(text, "안녕하세요", "{at} {fold:?} {syntax:?}");
                assert!(kinds.contains(&Kind::RawOctets), "{kinds:?}");
            }
            let list = [&body[..], b" <kim@example.org>"].concat();
            let (text, _) = field(&list, Syntax::Addresses);
            assert_eq!(text, "안녕하세요 <kim@example.org>", "{at} {fold:?}");
            let list = decode::addresses(&list);
            let mailbox = list.mailboxes().next().unwrap();
            assert_eq!(mailbox.name, "안녕하세요", "{at} {fold:?}");
            let value = [b"attachment; filename=\"", &body[..], b".txt\""].concat();
            let disposition = header::content_disposition(&value);
            let name = disposition.parameter("filename").unwrap();
            let name = name.text();
            assert_eq!(name.as_str(), "안녕하세요.txt", "{at} {fold:?}");
        }
    }
    // A fold between two characters is white space.
    let body = [&octets[..6], b"\r\n ", &octets[6..]].concat();
    assert_eq!(field(&body, Syntax::Unstructured).0, "안녕 하세요");
}

/// RFC 6532, section 3.2: any text in UTF-8, truncated or with one damaged octet, in each kind of
/// field.
#[test]
fn rfc6532_3_2_fields_in_damaged_utf_8() {
    let subjects = subjects();
    let mut draw = Draw::new(7);
    let mut count = 0;
    while count < CASES {
        let subject = &subjects[draw.below(subjects.len())];
        let several = subject.text.chars().filter(|it| !it.is_ascii()).count();
        if several < 7 {
            continue;
        }
        let mut octets = subject.text.clone().into_bytes();
        if draw.below(2) == 0 {
            octets.truncate(octets.len() - 1 - draw.below(2));
        } else {
            let at = draw.below(octets.len());
            octets[at] = draw.of(&[b'?', 0x80, 0xFF]);
        }
        let (text, kinds) = field(&octets, Syntax::Unstructured);
        let expected = String::from_utf8_lossy(&octets);
        assert_eq!(
            text,
            expected.trim_start_matches([' ', '\t']),
            "{octets:02X?}"
        );
        let is_whole = std::str::from_utf8(&octets).is_ok();
        assert_eq!(kinds.contains(&Kind::Malformed), !is_whole);
        count += 1;
    }
}

/// Raw text in other charsets is not taken for UTF-8.
#[test]
fn rfc7103_7_7_raw_fields_in_other_charsets_are_kept() {
    for subject in subjects() {
        if std::str::from_utf8(&subject.octets).is_ok() || subject.octets.contains(&0) {
            continue;
        }
        let text = decode::field(
            &subject.octets,
            Syntax::Unstructured,
            &Options::new().hint(Some(subject.charset)),
        );
        for used in text.charsets() {
            assert_ne!(used.charset, Charset::UTF_8, "{}", subject.text);
        }
    }
}

proptest! {
    /// Double-encoded text is restored for both charsets in which UTF-8 was misread: windows-1252
    /// of the Encoding Standard, and ISO-8859-1, whose characters are its octets.
    #[test]
    fn double_encoded_text_is_restored(text in "[a-z ]{0,9}[¡-ÿа-яㄱ-힣😀]{2,9}[a-zé ]{0,9}") {
        let octets = text.as_bytes();
        let in_windows = Charset::WINDOWS_1252.decode(octets);
        let in_latin_1: String = octets.iter().map(|octet| char::from(*octet)).collect();
        for twice in [in_windows.as_str(), &in_latin_1] {
            prop_assert_eq!(encoded_once(twice), Some(text.clone()));
        }
        // This text was meant literally.
        prop_assert_eq!(encoded_once(&text), None);
    }
}

/// Emacs 20 to 22's internal code (corpus/charset/emacs-mule.tsv) in sent mail: 81 before each
/// octet above 9F of ISO-8859-1, with any label or none, in bodies and fields.
#[test]
#[cfg(feature = "legacy")]
fn emacs_mule_is_recognized_by_its_pairs() {
    let mule = |text: &str| -> Vec<u8> {
        let octets = text.chars().map(|it| u8::try_from(u32::from(it)).unwrap());
        let pair = |octet: u8| match octet {
            0xA0.. => vec![0x81, octet],
            _ => vec![octet],
        };
        octets.flat_map(pair).collect()
    };
    let labels = [
        None,
        Some("us-ascii"),
        Some("iso-8859-1"),
        Some("windows-1252"),
        Some("iso-8859-15"),
        Some("koi8-r"),
        Some("utf-8"),
        Some("x-unknown"),
    ];
    for expected in [
        "zulässige",
        "für",
        "Über",
        "Grüße für alle: © 1998, 20 °C",
        "El niño dijo «sí»",
        "På ön i ån",
        "déjà vu à Noël",
    ] {
        for repeats in [1, 40] {
            let expected = format!("{expected}\n").repeat(repeats);
            let octets = mule(&expected);
            for label in labels {
                let decision = decided(&octets, label);
                assert_eq!(
                    decision.charset.name(),
                    "emacs-mule",
                    "{label:?}: {expected}"
                );
                assert_eq!(text(&octets, label), expected, "{label:?}");
            }
        }
    }
    // German and Turkish words on DOS, arrows of Shift_JIS, and pairs among other octets.
    for (octets, label, expected) in [
        (
            &b"Viele Gr\x81\xE1e und s\x81\xE1e Tr\x81ume"[..],
            Some("ibm850"),
            "Viele Grüße und süße Trüume",
        ),
        (b"Gr\x81\xE1e", Some("ibm437"), "Grüße"),
        (b"d\x81\xE4r", Some("ibm850"), "düõr"),
        (b"step\x81\xA8next", Some("shift_jis"), "step→next"),
        (b"a\x81\xE4b", Some("shift_jis"), "a∽b"),
    ] {
        assert_eq!(text(octets, label), expected);
    }
    for octets in [
        &b"z\x81\xE4 \xE4"[..],
        b"z\x81 \x81\xE4",
        b"\x81\xA8 \x81\xE4",
    ] {
        assert_ne!(decided(octets, None).charset.name(), "emacs-mule");
    }
}
