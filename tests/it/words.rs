//! Encoded words and parameters with a wrong label or wrong syntax (RFC 2047; RFC 2231; RFC 7103).
//!
//! Their charset is decided as for a body: RFC 2046, section 4.1.2, and RFC 7103, section 7.6,
//! apply wherever octets occur. The expected text is the encoded text, by the arithmetic of UTF-8
//! and ISO-8859-1, or another program's reading of the octets.

use std::fmt::Write as _;

use mime_charset::convert::{self, convert, verify};
use mime_charset::decode::{self, FieldText};
use mime_charset::header::{self, Syntax};
use mime_charset::{Charset, Effect, Kind, Message, Options, Source};

use super::samples::{Draw, base64};

/// Number of cases drawn per class.
const DRAWN: usize = 200;

/// Words of several languages with at least three non-ASCII letters.
const TEXTS: [&str; 10] = [
    "größtenteils übermäßig",
    "été déjà près du café",
    "Привет из Москвы",
    "Καλημέρα κόσμε",
    "안녕하세요 여러분",
    "日本語の件名です",
    "你好世界，欢迎",
    "žluťoučký kůň",
    "Đặng Thị Hương",
    "Größe: 5 Äpfel, äöü",
];

/// Labels that name no charset, and the finding for each.
const UNKNOWN: [(&str, Kind); 10] = [
    ("x-unknown", Kind::NoLabel),
    ("unknown-8bit", Kind::NoLabel),
    ("unknown", Kind::NoLabel),
    ("x-user-defined", Kind::NoLabel),
    ("", Kind::NoLabel),
    ("utf-9", Kind::UnknownLabel),
    ("ISO-FOOO", Kind::UnknownLabel),
    ("x-nonesuch", Kind::UnknownLabel),
    ("charset", Kind::UnknownLabel),
    ("nothing-at-all", Kind::UnknownLabel),
];

fn q(octets: &[u8]) -> String {
    octets.iter().fold(String::new(), |mut text, octet| {
        write!(text, "={octet:02X}").unwrap();
        text
    })
}

fn word(label: &str, octets: &[u8], draw: &mut Draw) -> String {
    match draw.below(2) {
        0 => format!("=?{label}?Q?{}?=", q(octets)),
        _ => format!("=?{label}?B?{}?=", base64(octets)),
    }
}

fn subject(body: &str) -> FieldText<'static> {
    decode::field(body.as_bytes(), Syntax::Unstructured, &Options::new()).into_owned()
}

fn value(body: &str) -> FieldText<'static> {
    let disposition = header::content_disposition(body.as_bytes());
    let parameter = disposition.parameter("filename").unwrap();
    parameter.text().into_owned()
}

/// Checks the display name, and the findings of the name and its list.
#[track_caller]
fn assert_name(body: &str, expected: &str, kinds: &[Kind]) {
    let list = decode::addresses(body.as_bytes());
    let mailbox = list.mailboxes().next().unwrap();
    assert_eq!(mailbox.octets(), b"a@example.org", "{body}");
    let name = &mailbox.name;
    assert_eq!(name.as_str(), expected, "{body:?}: {:?}", name.report());
    for kind in kinds {
        let has = name.report().has(*kind) || list.report.has(*kind);
        assert!(has, "{kind:?}: {body:?}");
    }
}

#[track_caller]
fn assert_text(text: &FieldText<'_>, expected: &str, kinds: &[Kind]) {
    assert_eq!(text.as_str(), expected, "{:?}", text.report());
    for kind in kinds {
        assert!(text.report().has(*kind), "{kind:?}: {:?}", text.report());
    }
}

/// RFC 2046, section 4.1.2: US-ASCII has no octets above 7F, so the label declares nothing.
#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc2046_4_1_2_octets_above_7f_under_us_ascii() {
    let kinds = [Kind::EightBitAscii, Kind::DetectedCharset];
    assert_text(&subject("=?us-ascii?Q?caf=C3=A9?="), "café", &kinds);
    assert_text(&subject("=?US-ASCII?B?Y2Fmw6k=?="), "café", &kinds);
    assert_text(
        &subject("a =?us-ascii*en?Q?caf=E9_au_lait?="),
        "a café au lait",
        &[Kind::EightBitAscii, Kind::DefaultCharset],
    );
    assert_name("=?us-ascii?Q?caf=C3=A9?= <a@example.org>", "café", &kinds);
    assert_name(
        "\"=?us-ascii?Q?caf=C3=A9?=\" <a@example.org>",
        "café",
        &kinds,
    );
    assert_text(
        &value("a; filename*=us-ascii''caf%C3%A9.pdf"),
        "café.pdf",
        &kinds,
    );
    assert_text(
        &value("a; filename=\"=?us-ascii?Q?caf=C3=A9?=.pdf\""),
        "café.pdf",
        &kinds,
    );
    // A character cut in two.
    assert_text(
        &subject("=?us-ascii?Q?caf=C3?= =?us-ascii?Q?=A9?="),
        "café",
        &kinds,
    );
    // Plain US-ASCII has no findings.
    let plain = subject("=?us-ascii?Q?Keith_Moore?=");
    assert!(plain.report().is_empty());
    assert_eq!(plain.charsets()[0].source, Source::Declared);
    // Escapes prove ISO-2022-JP (RFC 1468) here as in a body.
    let escapes = subject("=?us-ascii?B?GyRCOGwbKEI=?=");
    assert_text(&escapes, "語", &[Kind::LabelOverridden]);
    assert_eq!(escapes.charsets()[0].charset.name(), "ISO-2022-JP");
    for label in ["iso-8859-1", "euc-jp"] {
        let escapes = subject(&format!("=?{label}?B?GyRCOGwbKEI=?="));
        assert_text(&escapes, "語", &[Kind::LabelOverridden]);
    }
}

#[test]
fn rfc2046_4_1_2_words_under_us_ascii_drawn() {
    let mut draw = Draw::new(0x9E37_79B9_7F4A_7C15);
    for _ in 0..DRAWN {
        let text = draw.of(&TEXTS);
        let word = word("us-ascii", text.as_bytes(), &mut draw);
        assert_text(&subject(&word), text, &[Kind::EightBitAscii]);
        assert_name(
            &format!("{word} <a@example.org>"),
            text,
            &[Kind::EightBitAscii],
        );
        let extended = q(text.as_bytes()).replace('=', "%");
        let extended = value(&format!("a; filename*=us-ascii''{extended}"));
        assert_text(&extended, text, &[Kind::EightBitAscii]);
        assert_eq!(extended.charsets()[0].charset, Charset::UTF_8);
    }
}

/// RFC 2047, section 6.2, lets a reader choose how to show a word in an unknown charset.
#[test]
fn rfc2047_6_2_words_in_an_unknown_charset() {
    for (label, kind) in UNKNOWN {
        let text = subject(&format!("=?{label}?Q?caf=C3=A9?="));
        assert_text(&text, "café", &[kind, Kind::DetectedCharset]);
        assert_eq!(text.charsets()[0].source, Source::Evidence, "{label}");
        assert_text(
            &subject(&format!("=?{label}?Q?caf=C3?= =?{label}?Q?=A9?=")),
            "café",
            &[kind],
        );
        assert_text(&subject(&format!("a =?{label}?Q?b?= c")), "a b c", &[kind]);
        assert_name(
            &format!("=?{label}?Q?caf=C3=A9?= <a@example.org>"),
            "café",
            &[kind],
        );
        if !label.is_empty() {
            assert_text(
                &value(&format!("a; filename*={label}''caf%C3%A9")),
                "café",
                &[kind],
            );
        }
    }
}

#[test]
fn rfc2047_6_2_words_in_an_unknown_charset_drawn() {
    let mut draw = Draw::new(0xD1B5_4A32_D192_ED03);
    for number in 0..DRAWN {
        let (label, kind) = UNKNOWN[number % UNKNOWN.len()];
        let text = draw.of(&TEXTS);
        let word = word(label, text.as_bytes(), &mut draw);
        assert_text(
            &subject(&format!("Re: {word}")),
            &format!("Re: {text}"),
            &[kind],
        );
        assert_name(&format!("{word} <a@example.org>"), text, &[kind]);
    }
}

/// RFC 2047, section 6.2: the content of a word is never syntax, in any charset.
#[test]
fn rfc2047_6_2_the_content_of_an_unknown_word_is_quoted() {
    let body = b"=?x-unknown?Q?=C3=A9=2C_=3Cevil=40example=2Ecom=3E?= <a@example.org>";
    let text = decode::field(body, Syntax::Addresses, &Options::new());
    assert_eq!(text.as_str(), "\"é, <evil@example.com>\" <a@example.org>");
    let shown = text.as_str().as_bytes();
    let list = decode::addresses(shown);
    assert_eq!(list.mailboxes().count(), 1);
}

/// RFC 7103, section 7.6: a label is believed unless the octets prove it wrong.
#[test]
fn rfc7103_7_6_well_formed_utf8_under_another_label_drawn() {
    let mut draw = Draw::new(0x2545_F491_4F6C_DD1D);
    let labels = [
        "iso-8859-1",
        "windows-1252",
        "koi8-r",
        "iso-8859-15",
        "windows-1251",
    ];
    for _ in 0..DRAWN {
        let (text, label) = (draw.of(&TEXTS), draw.of(&labels));
        let word = word(label, text.as_bytes(), &mut draw);
        assert_text(&subject(&word), text, &[Kind::LabelOverridden]);
        let extended = q(text.as_bytes()).replace('=', "%");
        let extended = value(&format!("a; filename*={label}''{extended}"));
        assert_text(&extended, text, &[Kind::LabelOverridden]);
        // The caller may force labels.
        let obeyed = Options::new().trust_label(true);
        let obeyed = decode::field(word.as_bytes(), Syntax::Unstructured, &obeyed);
        assert!(obeyed.report().is_empty() || !obeyed.report().has(Kind::LabelOverridden));
        assert_eq!(obeyed.charsets()[0].source, Source::Declared);
    }
}

/// The same for UTF-8 cut at its start, as in a body (RFC 9051, section 6.4.5): the rest of the
/// first character is malformed, and UTF-8 follows.
#[test]
fn rfc7103_7_6_cut_utf8_under_another_label_drawn() {
    let mut draw = Draw::new(0x9E6C_63D0_876A_3F6B);
    let texts = [
        "Привет из Москвы",
        "Καλημέρα κόσμε",
        "Щедрый вечер, добрый вечер",
    ];
    let labels = ["koi8-r", "windows-1252", "iso-8859-7", "windows-1251"];
    for _ in 0..DRAWN {
        let (text, label) = (draw.of(&texts), draw.of(&labels));
        let octets = &text.as_bytes()[1..];
        let expected = format!("\u{FFFD}{}", text.chars().skip(1).collect::<String>());
        let word = word(label, octets, &mut draw);
        assert_text(&subject(&word), &expected, &[Kind::LabelOverridden]);
        let extended = q(octets).replace('=', "%");
        let extended = value(&format!("a; filename*={label}''{extended}"));
        assert_text(&extended, &expected, &[Kind::LabelOverridden]);
    }
}

/// RFC 1468: ISO-2022-JP is a seven-bit charset. A word with eight-bit octets is in the eight-bit
/// charset of the same characters, as for a body.
#[test]
fn rfc1468_eight_bit_words_under_a_seven_bit_label() {
    let mut draw = Draw::new(0x1234_5678_9ABC_DEF1);
    // "日本語の件名です" in Shift_JIS and EUC-JP, as CPython encodes it.
    let cases: [(&[u8], &str); 2] = [
        (
            b"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x8C\x8F\x96\xBC\x82\xC5\x82\xB7",
            "Shift_JIS",
        ),
        (
            b"\xC6\xFC\xCB\xDC\xB8\xEC\xA4\xCE\xB7\xEF\xCC\xBE\xA4\xC7\xA4\xB9",
            "EUC-JP",
        ),
    ];
    for (octets, name) in cases {
        let word = word("iso-2022-jp", octets, &mut draw);
        let text = subject(&word);
        assert_text(&text, "日本語の件名です", &[Kind::LabelOverridden]);
        assert_eq!(text.charsets()[0].charset.name(), name);
    }
}

/// Words with a correct label are decoded without a finding.
#[test]
fn rfc2047_5_correctly_labelled_words_drawn() {
    let mut draw = Draw::new(0x1234_5678_9ABC_DEF1);
    let texts = [
        "café",
        "Größe",
        "Ärger über Öl",
        "año",
        "à bientôt",
        "é",
        "Caf\u{e9} \u{ab}x\u{bb}",
    ];
    for _ in 0..DRAWN {
        let text = draw.of(&texts);
        // ISO-8859-1 octets are Unicode code points.
        let octets: Vec<u8> = text
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect();
        let text_read = subject(&word("iso-8859-1", &octets, &mut draw));
        assert_text(&text_read, text, &[]);
        assert!(
            text_read.report().is_empty(),
            "{text}: {:?}",
            text_read.report()
        );
        assert_eq!(text_read.charsets()[0].source, Source::Declared);
    }
}

/// RFC 7103, section 7.7: if the octets do not determine a charset, the rest of the message may.
#[test]
fn rfc7103_7_7_the_rest_of_the_message_decides_on_words_without_a_charset() {
    // "Да" in KOI8-R and in windows-1251, as CPython encodes it.
    for (label, octets) in [("koi8-r", "=E4=C1"), ("windows-1251", "=C4=E0")] {
        for named in ["us-ascii", "x-unknown", "utf-9"] {
            let message = format!(
                "Subject: =?{named}?Q?{octets}?=\n\
                 From: \"=?{named}?Q?{octets}?=\" <a@example.org>\n\
                 Content-Type: text/plain; charset={label}\n\
                 Content-Disposition: inline; filename*={named}''{}\n\n",
                octets.replace('=', "%")
            );
            let message = Message::parse(message.as_bytes());
            let subject = message.field("Subject").unwrap().text();
            assert_text(&subject, "Да", &[Kind::DetectedCharset]);
            let from = message.field("From").unwrap();
            let list = from.addresses();
            let mailbox = list.mailboxes().next().unwrap();
            assert_text(&mailbox.name, "Да", &[Kind::DetectedCharset]);
            let part = message.parts().next().unwrap();
            assert_text(&part.filename().unwrap(), "Да", &[Kind::DetectedCharset]);
        }
    }
}

/// RFC 2047, section 2: no white space in a word. Relays fold there nonetheless.
#[test]
fn rfc2047_2_white_space_inside_an_escape() {
    let syntax = [Kind::EncodedWordSyntax];
    assert_text(&subject("=?UTF-8?Q?=C3=\r\n B5?="), "\u{f5}", &syntax);
    assert_text(&subject("=?UTF-8?Q?=C3=B\r\n\t5?="), "\u{f5}", &syntax);
    assert_text(&subject("=?UTF-8?Q?=\r\n C3=B5?="), "\u{f5}", &syntax);
    assert_text(&subject("=?UTF-8?Q?=C3=\n B5_a?= b"), "\u{f5} a b", &syntax);
    assert_text(&subject("=?UTF-8?Q?=C3= B5?="), "\u{f5}", &syntax);
    assert_text(&subject("=?UTF-8?Q?= C3=B 5?="), "\u{f5}", &syntax);
    assert_name("=?UTF-8?Q?=C3=\r\n B5?= <a@example.org>", "\u{f5}", &syntax);
    assert_name(
        "\"=?UTF-8?Q?=C3=\r\n B5?=\" <a@example.org>",
        "\u{f5}",
        &syntax,
    );
    // Prose has equals signs too.
    assert_text(
        &subject("=?utf-8?Q?x = 95 or so?="),
        "x = 95 or so",
        &syntax,
    );
    assert_text(&subject("=?utf-8?Q?x = fine?="), "x = fine", &syntax);
}

#[test]
fn rfc2047_2_folds_inside_an_escape_drawn() {
    let mut draw = Draw::new(0x0DDB_1A5E_5BAD_5EED);
    for _ in 0..DRAWN {
        let text = draw.of(&TEXTS);
        let mut encoded = q(text.as_bytes());
        // After the equals sign, or between the digits.
        let escape = 3 * draw.below(text.len());
        let fold = draw.of(&["\r\n ", "\n\t", "\r\n  ", "\n "]);
        encoded.insert_str(escape + 1 + draw.below(2), fold);
        let body = format!("=?utf-8?q?{encoded}?=");
        assert_text(&subject(&body), text, &[Kind::EncodedWordSyntax]);
        assert_name(
            &format!("{body} <a@example.org>"),
            text,
            &[Kind::EncodedWordSyntax],
        );
    }
}

/// RFC 2047, section 4.2: an equals sign begins an escape, except at the end of a word.
#[test]
fn rfc2047_4_2_an_equals_sign_at_the_end() {
    let syntax = [Kind::EncodedWordSyntax];
    assert_text(
        &subject("=?Shift_JIS?Q?=93=FA=96{=8C=EA=?="),
        "日本語",
        &syntax,
    );
    assert_text(&subject("=?utf-8?Q?a=?="), "a", &syntax);
    assert_text(
        &subject("x =?utf-8?Q?=C3=A9=?= =?utf-8?Q?a?="),
        "x éa",
        &syntax,
    );
    assert_name("=?utf-8?Q?=C3=A9=?= <a@example.org>", "é", &syntax);
    assert_name("\"=?utf-8?Q?=C3=A9=?=\" <a@example.org>", "é", &syntax);
    assert_text(&value("a; filename=\"=?utf-8?Q?=C3=A9=?=\""), "é", &syntax);
    // The equals sign is the whole word.
    assert_text(&subject("=?utf-8?Q?=?="), "=", &[Kind::QuotedPrintableKept]);
    // The word ends before the following text.
    assert_text(&subject("=?utf-8?Q?a=?= b"), "a b", &syntax);
}

#[test]
fn rfc2047_4_2_an_equals_sign_at_the_end_drawn() {
    let mut draw = Draw::new(0xFEED_FACE_CAFE_BEEF);
    for _ in 0..DRAWN {
        let text = draw.of(&TEXTS);
        let body = format!("=?UTF-8?Q?{}=?=", q(text.as_bytes()));
        assert_text(&subject(&body), text, &[Kind::EncodedWordSyntax]);
        assert_text(
            &subject(&format!("a {body} b")),
            &format!("a {text} b"),
            &[Kind::EncodedWordSyntax],
        );
        assert_name(
            &format!("{body} <a@example.org>"),
            text,
            &[Kind::EncodedWordSyntax],
        );
    }
}

/// RFC 2047, section 2: no white space around the charset and the encoding.
#[test]
fn rfc2047_2_white_space_around_the_charset() {
    let syntax = [Kind::EncodedWordSyntax];
    assert_text(&subject("=? utf-8 ?Q?=C3=A9?="), "é", &syntax);
    assert_text(&subject("=? utf-8?Q?=C3=A9?="), "é", &syntax);
    assert_text(&subject("=?utf-8 ?Q?=C3=A9?="), "é", &syntax);
    assert_text(&subject("=?utf-8? Q ?=C3=A9?="), "é", &syntax);
    assert_text(&subject("=?utf-8\r\n ?B?w6k=?="), "é", &syntax);
    assert_text(&subject("=?iso-8859-1?Q\r\n ?=E9?= a"), "é a", &syntax);
    assert_name("=? utf-8 ?Q?=C3=A9?= <a@example.org>", "é", &syntax);
    assert_name("\"=? utf-8 ?Q?=C3=A9?=\" <a@example.org>", "é", &syntax);
}

#[test]
fn rfc2047_2_white_space_around_the_charset_drawn() {
    let mut draw = Draw::new(0xABAD_1DEA_0BAD_F00D);
    let blanks = ["", " ", "  ", "\t", "\r\n "];
    for _ in 0..DRAWN {
        let text = draw.of(&TEXTS);
        let mut blank = || draw.of(&blanks);
        let (a, b, c, d) = (blank(), blank(), blank(), blank());
        let body = format!("=?{a}utf-8{b}?{c}Q{d}?{}?=", q(text.as_bytes()));
        let is_strict = [a, b, c, d].concat().is_empty();
        let kinds: &[Kind] = if is_strict {
            &[]
        } else {
            &[Kind::EncodedWordSyntax]
        };
        assert_text(&subject(&body), text, kinds);
        assert_name(&format!("{body} <a@example.org>"), text, kinds);
    }
}

/// RFC 7103, section 7.6: text with proof of its charset is converted, a guess is kept.
#[test]
fn rfc7103_7_6_words_are_converted_as_they_are_read() {
    let options = convert::Conversion::new();
    let converted = |field: &str| {
        let message = format!("{field}\n\n");
        let converted = convert(message.as_bytes(), &options);
        let octets = converted.as_bytes().to_vec();
        verify(message.as_bytes(), &octets, &converted.changes, &options).unwrap();
        // A second conversion changes nothing.
        assert_eq!(convert(&octets, &options).as_bytes(), octets, "{field}");
        // Folds may differ.
        let text = String::from_utf8(octets).unwrap();
        text.trim_end().replace("\n ", " ")
    };
    let of = |field, expected| assert_eq!(converted(field), expected);
    of(
        "Subject: =?us-ascii?Q?caf=C3=A9?=",
        "Subject: =?UTF-8?B?Y2Fmw6k=?=",
    );
    of(
        "Subject: a =?x-unknown?B?Y2Fmw6k=?= b",
        "Subject: a =?UTF-8?B?Y2Fmw6k=?= b",
    );
    of(
        "From: =?utf-9?Q?caf=C3=A9?= <a@example.org>",
        "From: =?UTF-8?B?Y2Fmw6k=?= <a@example.org>",
    );
    of(
        "Subject: =?Shift_JIS?Q?=93=FA=96{=8C=EA=?=",
        "Subject: =?UTF-8?B?5pel5pys6Kqe?=",
    );
    for guess in ["us-ascii", "x-unknown", "utf-9"] {
        let field = format!("Subject: =?{guess}?Q?caf=E9?=");
        assert_eq!(converted(&field), field);
    }
    of(
        "Content-Disposition: attachment; filename*=us-ascii''caf%C3%A9",
        "Content-Disposition: attachment; filename*=UTF-8''caf%C3%A9",
    );
    of(
        "Content-Disposition: attachment; filename*=iso-8859-1''%ED%95%9C%EA%B5%AD%EC%96%B4",
        "Content-Disposition: attachment; filename*=UTF-8''%ED%95%9C%EA%B5%AD%EC%96%B4",
    );
}

/// "日本語", "件名", "한국어" and "中文" with the escapes of RFC 1468, RFC 1557 and RFC 1922, as encoded by
/// `CPython` and RFC 1922, section 3.2.
const ESCAPED: [(&str, &str, &str); 4] = [
    ("\x1B$BF|K\\8l\x1B(B", "日本語", "ISO-2022-JP"),
    ("\x1B$B7oL>\x1B(B", "件名", "ISO-2022-JP"),
    ("\x1B$)C\x0EGQ19>n\x0F", "한국어", "ISO-2022-KR"),
    ("\x1B$)A\x0EVPND\x0F", "中文", "ISO-2022-CN"),
];

/// RFC 1468: mail of the 1990s has such text raw in its fields.
#[test]
fn rfc1468_raw_escapes_in_an_unstructured_field() {
    for (octets, expected, charset) in ESCAPED {
        let text = subject(&format!("Re: {octets} (a)"));
        assert_text(
            &text,
            &format!("Re: {expected} (a)"),
            &[Kind::DetectedCharset],
        );
        assert!(!text.report().has(Kind::Control), "{:?}", text.report());
        let used = &text.charsets()[0];
        assert_eq!(
            (used.charset.name(), used.source),
            (charset, Source::Evidence)
        );
        // Only well-formed text is decoded, with words next to it.
        assert_text(
            &subject(&format!("{octets}\r\n =?utf-8?Q?=C3=A9?=")),
            &format!("{expected} é"),
            &[],
        );
    }
}

/// RFC 1468: each line begins and ends in US-ASCII. Some writers folded elsewhere.
#[test]
fn rfc1468_raw_escapes_on_several_lines() {
    let of = |body: &str, expected: &str| {
        assert_text(&subject(body), expected, &[Kind::DetectedCharset]);
    };
    of("\x1B$BF|\x1B(B\r\n \x1B$BK\\8l\x1B(B", "日 本語");
    // The state continues, and the fold added the blank.
    of("\x1B$BF|\r\n K\\8l\x1B(B a", "日本語 a");
    of("\x1B$BF|K\r\n \\8l\x1B(B a", "日本語 a");
    // The state does not continue, and the escape back was lost.
    of("\x1B$BF|K\\\r\n a \x1B$B8l\x1B(B", "日本 a 語");
}

#[test]
fn rfc1468_malformed_escapes_are_kept() {
    for text in [
        "\x1B[1mbold\x1B[0m",
        "a \x1B b",
        "\x1B$B\x1B(B",
        "~{VPND~} and ~user",
    ] {
        assert_eq!(subject(text).as_str(), text);
        assert!(subject(text).charsets().is_empty(), "{text:?}");
    }
}

/// Kana and signs by arithmetic: hiragana are 24 21 to 24 73 in JIS X 0208, from U+3041.
#[test]
fn rfc1468_raw_escapes_drawn() {
    let mut draw = Draw::new(0xC0DE_CAFE_0123_4567);
    for _ in 0..DRAWN {
        let (mut octets, mut text) = (String::new(), String::new());
        for number in 0..=draw.below(4) {
            if number > 0 {
                let between = draw.of(&[" ", " a ", "\r\n ", " Re: "]);
                octets.push_str(between);
                text.push_str(&between.replace("\r\n", ""));
            }
            octets.push_str("\x1B$B");
            for _ in 0..=draw.below(8) {
                let place = draw.below(83);
                octets.push('$');
                octets.push(char::from(b'!' + u8::try_from(place).unwrap()));
                text.push(char::from_u32(0x3041 + u32::try_from(place).unwrap()).unwrap());
            }
            octets.push_str(draw.of(&["\x1B(B", "\x1B(J"]));
        }
        assert_text(&subject(&octets), &text, &[Kind::DetectedCharset]);
    }
}

/// RFC 2047, section 5: such text becomes words, like other raw text.
#[test]
fn rfc2047_5_raw_escapes_are_converted_to_words() {
    let options = convert::Conversion::new();
    for (octets, expected, _) in ESCAPED {
        let message = format!("Subject: {octets} a\nComments: b\n\n");
        let converted = convert(message.as_bytes(), &options);
        let new = converted.as_bytes();
        verify(message.as_bytes(), new, &converted.changes, &options).unwrap();
        assert!(new.is_ascii() && !new.contains(&0x1B));
        let subject = Message::parse(new)
            .field("Subject")
            .unwrap()
            .text()
            .into_owned();
        assert_eq!(subject.as_str().trim(), format!("{expected} a"));
        assert_eq!(convert(new, &options).as_bytes(), new);
    }
}

/// RFC 6266, section 4.3: the extended value is for programs that support it. RFC 8187, section
/// 3.2.1: an extended value that is malformed in its charset may be ignored.
#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc8187_3_2_1_a_plain_value_next_to_a_malformed_extended_value() {
    let of = |parameters: &str, expected: &str, kind| {
        assert_text(&value(&format!("a; {parameters}")), expected, &[kind]);
    };
    let left_out = Kind::ExtendedSyntax;
    of(
        "filename*=UTF-8''A%e4B; filename=fallback",
        "fallback",
        left_out,
    );
    of(
        "filename=fallback; filename*=UTF-8''A%e4B",
        "fallback",
        left_out,
    );
    of(
        "filename=\"b c.pdf\"; filename*=us-ascii''A%e4B",
        "b c.pdf",
        left_out,
    );
    of("filename=f; filename*=x-unknown''A%e4B", "f", left_out);
    of("filename=f; filename*=''A%e4B", "f", left_out);
    of("filename=f; filename*=euc-kr''%C7%D1%FF", "f", left_out);
    let shown = value("a; filename=f; filename*=UTF-8''A%e4B");
    assert!(shown.report().findings()[0].detail().ends_with("A\\xe4B"));
    // A well-formed value, or a charset that the octets prove, is preferred.
    let read = value("a; filename=f; filename*=UTF-8''%C3%A9");
    assert!(read.as_str() == "é" && read.report().is_empty());
    of(
        "filename=f; filename*=us-ascii''%C3%A9",
        "é",
        Kind::EightBitAscii,
    );
    of(
        "filename=f; filename*=utf-9''%C3%A9",
        "é",
        Kind::UnknownLabel,
    );
    // A malformed plain value is not preferred, nor is one with line endings in it.
    for plain in ["a\rb.txt", "a\\\r\nb.txt", "a\nb.txt"] {
        let read = value(&format!("a; filename=\"{plain}\"; filename*=utf-8''c%FF"));
        assert_eq!(read.as_str(), "c\u{FFFD}", "{plain:?}");
    }
    of(
        "filename=\"=?x?Q?a?=\"; filename*=x''caf%e9",
        "café",
        Kind::UnknownLabel,
    );
    of("filename*=UTF-8''caf%e9", "café", Kind::LabelOverridden);
}

/// RFC 2231, section 4: a value with percent signs is a sequence of octets. Encoded words are
/// decoded only if they occur literally in the field, also next to such octets. Texts without words
/// are those of `CPython`'s `email`.
#[test]
fn rfc2231_4_percent_signs_form_no_encoded_word() {
    for (body, expected) in [
        (
            "a; filename*=UTF-8''%3D%3Futf-8%3Fq%3Fx%3F%3D",
            "=?utf-8?q?x?=",
        ),
        ("a; filename*=utf-8''%3D?utf-8?q?x?=", "=?utf-8?q?x?="),
        (
            "a; filename*0*=utf-8''%3D; filename*1=\"?utf-8?q?x?=\"",
            "=?utf-8?q?x?=",
        ),
        (
            "a; filename*0=\"=?utf-8?q?\"; filename*1*=%78; filename*2=\"?=\"",
            "=?utf-8?q?x?=",
        ),
        (
            "a; filename*0*=utf-8''%C3%A9; filename*0=z; filename*1*=%3D; filename*2=\"?utf-8?q?x?=\"",
            "é=?utf-8?q?x?=",
        ),
    ] {
        let text = value(body);
        assert_eq!(text.as_str(), expected, "{body}");
        assert!(!text.report().has(Kind::EncodedWordPlace), "{body}");
    }
    let place = [Kind::EncodedWordPlace];
    for body in [
        "a; filename*0=\"=?utf-8?q?\"; filename*1=\"x?=\"",
        "a; filename*0*=utf-8''%61; filename*1=\"=?utf-8?q?\"; filename*2=\"x?=\"",
        "a; filename*=\"utf-8''%61=?utf-8?q?x?=\"",
    ] {
        let expected = if body.contains("%61") { "ax" } else { "x" };
        assert_text(&value(body), expected, &place);
    }
}

/// RFC 2231, section 3: "The count starts at 0". A section without the first is a fragment, which
/// is ignored if there is a value; `CPython`'s `email` with its policy `compat32` has these values.
#[test]
fn rfc2231_3_sections_without_the_first() {
    for (body, expected) in [
        ("a; filename=invoice.pdf; filename*1=.exe", "invoice.pdf"),
        ("a; filename*1=.exe; filename=invoice.pdf", "invoice.pdf"),
        (
            "a; filename=invoice.pdf; filename*1*=utf-8''.exe; filename*2=x",
            "invoice.pdf",
        ),
        ("a; filename*1=.exe", ".exe"),
    ] {
        assert_eq!(value(body).as_str(), expected, "{body}");
        let disposition = header::content_disposition(body.as_bytes());
        let findings = disposition.report().findings();
        let gaps = findings
            .iter()
            .filter(|found| found.kind() == Kind::SectionGap);
        let offset = body.find("filename*1").unwrap();
        assert_eq!(
            gaps.map(mime_charset::Finding::offset).collect::<Vec<_>>(),
            [offset],
            "{body}"
        );
        assert_eq!(disposition.report().worst(), Some(Effect::Lost));
    }
    let field = header::content_type(b"text/plain; charset=utf-8; charset*1=koi8-r");
    assert_eq!(field.charset().unwrap().as_bytes(), b"utf-8");
    for field in ["boundary=a; boundary*1=b", "boundary*1=b; boundary=a"] {
        let message = format!(
            "Content-Type: multipart/mixed; {field}\n\n--b\n\n1\n--a\n\n2\n--a\n\n3\n--a--\n"
        );
        let message = Message::parse(message.as_bytes());
        let parts = message.root().children();
        let texts: Vec<_> = parts.map(|part| part.body().to_vec()).collect();
        assert_eq!(texts, [b"2", b"3"]);
    }
}

/// RFC 5322, section 2.2.3: unfolding comes first, so a backslash before a fold quotes the blank of
/// the fold. `CPython`'s `email` reads these names, and the file name, the same way.
#[test]
fn rfc5322_2_2_3_a_backslash_before_a_fold() {
    for fold in ["\r\n", "\n", "\r\r\n"] {
        let listed = |body: String| {
            let list = decode::addresses(body.as_bytes());
            let is_name = |kind| kind == Kind::NameFromComment;
            let findings = list.report.findings().iter();
            let kinds = findings
                .map(mime_charset::Finding::kind)
                .filter(|kind| !is_name(*kind));
            (list.list[0].to_string(), kinds.collect::<Vec<_>>())
        };
        let name = ("Ann Lee <a@b.c>".to_owned(), Vec::new());
        assert_eq!(listed(format!("\"Ann\\{fold} Lee\" <a@b.c>")), name);
        assert_eq!(listed(format!("a@b.c (Ann\\{fold} Lee)")), name);
        let odd = "a@b.c\\ x".to_owned();
        assert_eq!(listed(format!("a@b.c\\{fold} x")), listed(odd));
        let text = value(&format!("a; filename=\"a\\{fold} b\""));
        assert_text(&text, "a b", &[]);
        assert!(text.report().is_empty());
        let field = format!("text/plain; charset=\"utf-8\\{fold} \"");
        let field = header::content_type(field.as_bytes());
        assert_eq!(field.parameter("charset").unwrap().octets(), b"utf-8 ");
    }
}

/// RFC 5322, section 2.2.3: a conversion also reads the comment unfolded.
#[test]
fn rfc5322_2_2_3_raw_text_after_a_backslash_before_a_fold() {
    let field = "From: a@example.org (caf\u{e9}\\\r\n au\\ lait)\r\n\r\n";
    let converted = convert(field.as_bytes(), &convert::Conversion::new());
    let converted = Message::parse(converted.as_bytes());
    let list = converted.field("From").unwrap().addresses();
    assert_eq!(list.mailboxes().next().unwrap().name, "caf\u{e9} au lait");
}

/// RFC 5322, section 2.2.3: a word kept as written is unfolded like all text of a field.
#[test]
fn rfc5322_2_2_3_kept_words_are_unfolded() {
    for (syntax, word) in [
        (Syntax::Parameters, "=?utf-8?q?a{} d?=)"),
        (Syntax::Parameters, "=?utf-8?b?YSBi{} IGNk?=)"),
        (Syntax::Opaque, "(c [d =?utf-8?q?=28{} b?= <a@b.c>"),
        (Syntax::Unstructured, "a =?HP-Legal?q?=A1{} b?= c"),
        (Syntax::Unstructured, "\u{e9} =?HP-Legal?q?=A1{} b?= c"),
    ] {
        for fold in ["\r\n", "\n", "\r\n\t\r\n"] {
            let body = word.replace("{}", fold);
            let text = decode::field(body.as_bytes(), syntax, &Options::new());
            let unfolded = header::unfold(body.as_bytes()).into_owned();
            assert_eq!(text.as_str().as_bytes(), unfolded, "{body:?}");
            assert!(text.report().has(Kind::EncodedWordKept), "{body:?}");
            assert!(!text.report().has(Kind::Control), "{body:?}");
        }
    }
}

/// RFC 2047, section 2: a relay that counts only octets also folds a word in its label and in its
/// last two octets. A label with a fold in it names nothing.
#[test]
fn rfc2047_2_folds_in_the_delimiters_of_a_word() {
    for fold in ["\r\n", "\n", ""] {
        let syntax = [Kind::EncodedWordSyntax];
        let text = subject(&format!("=?utf-8?q?=C3=A9?{fold} ="));
        assert_text(&text, "é", &syntax);
        let text = subject(&format!("=?utf-8?b?w6k=?{fold} = =?utf-8?q?=C3=A9?="));
        assert_text(&text, "éé", &syntax);
        let text = subject(&format!("=?utf-8?q?is it?{fold} =3F?="));
        assert_text(&text, "is it? ?", &syntax);
        let name = format!("=?utf-8?q?=C3=A9?{fold} = <a@example.org>");
        assert_name(&name, "é", &syntax);
    }
    let text = subject("=?utf-\r\n 8?q?=C3=A9?=");
    assert_text(&text, "=?utf- 8?q?=C3=A9?=", &[Kind::EncodedWordKept]);
    let name = "=?utf-\r\n 8?q?=C3=A9?= <a@example.org>";
    assert_name(name, "=?utf- 8?q?=C3=A9?=", &[Kind::EncodedWordKept]);
}

/// RFC 6532, section 3.2: a value may be raw UTF-8. RFC 2231, section 4: octets with percent signs
/// are not raw octets, with or without a charset.
#[test]
fn rfc6532_3_2_raw_values_and_values_with_percent_signs() {
    let found = |body: &[u8]| {
        let disposition = header::content_disposition(body);
        let text = disposition.parameter("filename").unwrap().text();
        let findings = [disposition.report(), text.report()].map(|report| {
            let kinds = report.findings().iter().map(mime_charset::Finding::kind);
            kinds.collect::<Vec<_>>()
        });
        (text.as_str().to_owned(), findings)
    };
    let body = "a; filename=\"\u{e9}.txt\"".as_bytes();
    let raw = vec![Kind::RawUtf8];
    assert_eq!(found(body), ("\u{e9}.txt".to_owned(), [raw.clone(), raw]));
    let (text, [in_field, in_text]) = found(b"a; filename=\"caf\xE9.txt\"");
    assert_eq!(text, "caf\u{e9}.txt");
    assert!(in_field == [Kind::RawOctets] && in_text.contains(&Kind::RawOctets));
    for (body, expected) in [
        ("a; filename*=''%E9", "\u{e9}"),
        ("a; filename*=''a%C3%A9", "a\u{e9}"),
        ("a; filename*0*=''a%C3; filename*1*=%A9", "a\u{e9}"),
    ] {
        let (text, [in_field, in_text]) = found(body.as_bytes());
        assert_eq!(
            (text.as_str(), in_field.as_slice()),
            (expected, [].as_slice())
        );
        assert!(in_text.contains(&Kind::NoLabel), "{body}: {in_text:?}");
        let is_raw = |kind: &Kind| matches!(kind, Kind::RawOctets | Kind::RawUtf8);
        assert!(!in_text.iter().any(is_raw), "{body}: {in_text:?}");
        let (_, [_, of_unknown]) = found(body.replace("''", "bogus''").as_bytes());
        let without = |kinds: &[Kind], kind| -> Vec<Kind> {
            kinds.iter().copied().filter(|one| *one != kind).collect()
        };
        let kinds = without(&of_unknown, Kind::UnknownLabel);
        assert_eq!(without(&in_text, Kind::NoLabel), kinds, "{body}");
    }
}

/// RFC 2045, section 5.1: a blank in a quoted value is part of it, even inside a character of
/// UTF-8. "내일 오전" in `CPython`'s EUC-KR: CF 20 BF.
#[test]
fn rfc2045_5_1_blanks_in_raw_values() {
    let options = Options::new().hint(Charset::for_label("euc-kr"));
    let disposition =
        header::content_disposition(b"a; filename=\"\xB3\xBB\xC0\xCF \xBF\xC0\xC0\xFC\"");
    let text = disposition
        .parameter("filename")
        .unwrap()
        .text_with(&options);
    assert_eq!(text.as_str(), "내일 오전");
    // A blank from a fold inside a UTF-8 character is removed.
    let disposition = header::content_disposition(b"a; filename=\"caf\xC3 \xA9\"");
    let text = disposition
        .parameter("filename")
        .unwrap()
        .text_with(&options);
    assert_eq!(text.as_str(), "café");
}

/// RFC 2231, section 3: a finding about a section number is at its name.
#[test]
fn rfc2231_3_a_wrong_section_number_is_located() {
    for name in ["filename*00", "filename*x", "filename*", "filename*01*"] {
        let body = format!("a; filename*0=a; {name}=b");
        let field = header::content_disposition(body.as_bytes());
        let numbers = field.report().findings().iter();
        let numbers = numbers.filter(|found| found.kind() == Kind::SectionNumber);
        let places: Vec<_> = numbers.map(|one| (one.offset(), one.length())).collect();
        let expected: &[_] = if name == "filename*" {
            &[]
        } else {
            &[(17, name.len())]
        };
        assert_eq!(places, expected, "{name}");
    }
}

/// RFC 2047, section 3: a word begins and ends in US-ASCII; section 5: each word is self-contained.
/// "あ" and "い" are 24 22 and 24 24 in JIS X 0208.
#[test]
fn rfc2047_5_a_state_that_continues_in_the_next_word() {
    let joined = |body: &str| {
        let text = subject(body);
        let findings = text.report().findings().iter();
        let places = findings.map(|one| (one.kind(), one.offset(), one.length()));
        (text.as_str().to_owned(), places.collect::<Vec<_>>())
    };
    let first = base64(b"\x1B$B$\"");
    let second = base64(b"$$\x1B(B");
    let whole = base64(b"\x1B$B$\"$$\x1B(B");
    let word = |text: &str| format!("=?iso-2022-jp?B?{text}?=");
    let both = format!("{} {}", word(&first), word(&second));
    let found = vec![(Kind::EncodedWordJoined, 0, both.len())];
    assert_eq!(joined(&both), ("あい".to_owned(), found.clone()));
    // In the middle of a character.
    let halves = [base64(b"\x1B$B$"), base64(b"\"\x1B(B")].map(|half| word(&half));
    let halves = halves.join(" ");
    let found = vec![(Kind::EncodedWordJoined, 0, halves.len())];
    assert_eq!(joined(&halves), ("あ".to_owned(), found));
    // Only words that depend on each other are joined.
    let three = format!("{} {both}", word(&whole));
    let place = (three.len() - both.len(), both.len());
    let found = vec![(Kind::EncodedWordJoined, place.0, place.1)];
    assert_eq!(joined(&three), ("あいあい".to_owned(), found));
    let apart = format!("{} {}", word(&whole), word(&whole));
    assert_eq!(joined(&apart), ("あいあい".to_owned(), Vec::new()));
}

/// RFC 2231, section 7: the star and the number are tokens after the name. RFC 822, section 3.1.4,
/// allows white space between tokens. The value equals that of the field without white space.
#[test]
fn rfc2231_7_white_space_around_a_star() {
    for name in [
        "filename * ",
        "filename *",
        "filename*0 *",
        "filename *0*",
        "filename * 0 * ",
        "filename* 0\r\n *",
        "FileName\t*0*",
    ] {
        let body = format!("attachment; {name}=utf-8''%C3%A9.txt; x=y");
        let field = header::content_disposition(body.as_bytes());
        assert!(field.report().is_empty(), "{body:?}: {:?}", field.report());
        let parameters = field.parameters().iter();
        let texts: Vec<_> = parameters
            .map(|one| format!("{}={}", one.name(), one.text()))
            .collect();
        assert_eq!(texts, ["filename=é.txt", "x=y"], "{body:?}");
    }
    let body = "attachment; filename * 1 = \"b c\"; filename *0 = a; filename *00x=d; * =e";
    let field = header::content_disposition(body.as_bytes());
    assert_eq!(field.parameter("filename").unwrap().octets(), b"ab c");
    assert!(field.report().has(Kind::SkippedText));
}

/// RFC 1468 in names. "日本語" contains a backslash, and the octets of these kanji are `"`, `<`, `>`,
/// `(`, `)`, `,`, `;`, `:` and `@` (JIS X 0208, as `CPython` reads it).
#[test]
fn rfc1468_raw_escapes_in_names() {
    let japanese = [
        ("\x1B$BF|K\\8l\x1B(B", "日本語"),
        ("\x1B$B0\"0<0>0(0)\x1B(B", "唖絢鮎姶逢"),
        ("\x1B$B0,0;0:0@\x1B(J", "穐飴虻粟"),
    ];
    for (octets, expected) in japanese {
        let kinds = [Kind::DetectedCharset];
        assert_name(&format!("{octets} <a@example.org>"), expected, &kinds);
        assert_name(&format!("\"{octets}\" <a@example.org>"), expected, &kinds);
        assert_name(
            &format!("{octets} a <a@example.org>"),
            &format!("{expected} a"),
            &kinds,
        );
        for body in [
            format!("{octets} <a@example.org>, b@example.org ({octets})"),
            format!("\"{octets}\" <a@example.org>, (({octets})) b@example.org"),
        ] {
            let list = decode::addresses(body.as_bytes());
            let specs: Vec<_> = list.mailboxes().map(|it| it.octets().to_vec()).collect();
            assert_eq!(specs, [b"a@example.org", b"b@example.org"], "{body:?}");
            let text = decode::field(body.as_bytes(), Syntax::Addresses, &Options::new());
            assert_eq!(text.as_str(), body.replace(octets, expected));
            // Its conversion has the same text.
            let message = format!("To: {body}\n\n");
            let options = convert::Conversion::new();
            let converted = convert(message.as_bytes(), &options);
            let new = converted.as_bytes();
            verify(message.as_bytes(), new, &converted.changes, &options).unwrap();
            assert!(!new.contains(&0x1B), "{}", new.escape_ascii());
            assert_eq!(convert(new, &options).as_bytes(), new);
        }
        assert_name(
            &format!("[{octets}] Joe <a@example.org>"),
            &format!("[{expected}] Joe"),
            &kinds,
        );
        for file in [
            format!("a; filename=\"{octets}.txt\""),
            format!("a; filename={octets}.txt; size=1 (no name)"),
        ] {
            assert_text(&value(&file), &format!("{expected}.txt"), &kinds);
        }
    }
}

/// RFC 5322, section 3.4: malformed text of this kind hides no address.
#[test]
fn rfc5322_3_4_malformed_escapes_hide_no_address() {
    for run in [
        "\x1B$B<evil@example.com>\x1B(B",
        "\x1B$B<evil@example.com>",
        "\x1B$B)!<evil@b.c>\x1B(B",
        "\x1B$)C\x0E<evil@b.c>\x0F",
        "\x1B<evil@b.c>",
    ] {
        let body = format!("{run}, a@example.org");
        let list = decode::addresses(body.as_bytes());
        let first = list.mailboxes().next().unwrap();
        assert!(first.octets().starts_with(b"evil@"), "{run:?}");
    }
}

/// RFC 2231, section 4: charset and language precede the apostrophes. RFC 5646, section 2.1: a
/// language has two or more letters.
#[test]
fn rfc2231_4_apostrophes_of_text() {
    let syntax = [Kind::ExtendedSyntax];
    for (written, expected) in [
        (
            "\"Owner's and Member's list.pdf\"",
            "Owner's and Member's list.pdf",
        ),
        ("Rock'n'Roll.pdf", "Rock'n'Roll.pdf"),
        ("Guns'and'Roses.pdf", "Guns'and'Roses.pdf"),
        ("\"It's five o'clock.pdf\"", "It's five o'clock.pdf"),
        ("\"Photo 5''x7''.jpg\"", "Photo 5''x7''.jpg"),
        (
            "\"Owner's and Member's %C3%A9.pdf\"",
            "Owner's and Member's é.pdf",
        ),
    ] {
        for name in ["filename*", "filename*0*"] {
            assert_text(&value(&format!("a; {name}={written}")), expected, &[]);
            let field = format!("a; {name}={written}");
            let report = header::content_disposition(field.as_bytes());
            assert!(report.report().has(syntax[0]), "{field}");
        }
    }
    for (written, expected) in [
        ("us-ascii'en-us'a.pdf", "a.pdf"),
        ("utf-8'de'%C3%A9.pdf", "é.pdf"),
        ("gbk''a.pdf", "a.pdf"),
        ("ascii'en'a.pdf", "a.pdf"),
        ("macintosh'fr'a.pdf", "a.pdf"),
        ("utf-8'en_US'a%20b.pdf", "a b.pdf"),
        ("GBK'zh'%B0%A1.pdf", "啊.pdf"),
        ("iso-8859-1'x-klingon'%E9.pdf", "é.pdf"),
        ("''%C3%A9.pdf", "é.pdf"),
        ("utf-8''Rock'n'Roll.pdf", "Rock'n'Roll.pdf"),
    ] {
        assert_text(&value(&format!("a; filename*={written}")), expected, &[]);
    }
}

/// RFC 2231, section 4: the star marks a value with a charset. Some writers omit it.
#[test]
fn rfc2231_4_an_extended_value_without_a_star() {
    for (written, expected) in [
        ("iso-8859-1''Elk%FC.pdf", "Elkü.pdf"),
        ("\"iso-8859-1''Elk%FC.pdf\"", "Elkü.pdf"),
        ("ISO-8859-1'de'Elk%FC.pdf", "Elkü.pdf"),
        ("utf-8''a.pdf", "a.pdf"),
        ("\"UTF-8''%ED%95%9C.pdf\"", "한.pdf"),
        ("koi8-r''%F0%F2.pdf", "ПР.pdf"),
        ("euc-kr''%C7%D1.pdf", "한.pdf"),
        ("Shift_JIS''%93%FA.pdf", "日.pdf"),
    ] {
        let body = format!("a; filename={written}");
        assert_text(&value(&body), expected, &[]);
        let disposition = header::content_disposition(body.as_bytes());
        assert!(disposition.report().has(Kind::ExtendedSyntax), "{body}");
        let body = format!("image/png; name={written}");
        let content_type = header::content_type(body.as_bytes());
        assert_eq!(content_type.parameter("name").unwrap().text(), expected);
    }
    // The extended value, and plain text.
    assert_text(&value("a; filename=b; filename*=utf-8''c"), "c", &[]);
    for text in [
        "the-''best''.pdf",
        "Rock'n'Roll.pdf",
        "50%20''.pdf",
        "john-2'en'a.pdf",
        "Rock-2'or'Roll%20x.pdf",
        "it_s'so'nice%20d.pdf",
        "utf-8'is'best.pdf",
    ] {
        assert_text(&value(&format!("a; filename=\"{text}\"")), text, &[]);
    }
    let multipart = header::content_type(b"multipart/mixed; boundary=\"utf-8''a%20b\"");
    assert_eq!(
        multipart.parameter("boundary").unwrap().octets(),
        b"utf-8''a%20b"
    );
}

/// RFC 7103, section 7.7: a few octets are no evidence; they are decoded like raw octets in a
/// field.
#[test]
fn rfc7103_7_7_a_few_octets_without_a_charset() {
    let texts = [
        ("foo", "\u{e5}\u{e4}"),
        ("pdf", "\u{e2}"),
        ("", "\u{e9}"),
        ("caf", "\u{e9}\u{e8}\u{ea}"),
    ];
    for (ascii, above) in texts {
        let octets: Vec<u8> = above
            .chars()
            .map(|it| u8::try_from(u32::from(it)).unwrap())
            .collect();
        let expected = format!("{ascii}{above}");
        let percent = q(&octets).replace('=', "%");
        for label in ["us-ascii", "x-unknown", "utf-9", "unknown-8bit"] {
            for word in [
                format!("=?{label}?Q?{ascii}{}?=", q(&octets)),
                format!(
                    "=?{label}?B?{}?=",
                    base64(&[ascii.as_bytes(), &octets].concat())
                ),
            ] {
                assert_text(&subject(&word), &expected, &[]);
                assert_name(&format!("{word} <a@example.org>"), &expected, &[]);
            }
            assert_text(
                &value(&format!("a; filename*={label}''{ascii}{percent}")),
                &expected,
                &[Kind::DefaultCharset],
            );
        }
        assert_text(
            &value(&format!("a; filename*=''{ascii}{percent}")),
            &expected,
            &[],
        );
        // The caller's hint.
        let greek = Options::new().hint(Charset::for_label("iso-8859-7"));
        let (expected, ..) = encoding_rs::ISO_8859_7.decode(&octets);
        let word = format!("=?us-ascii?Q?{}?=", q(&octets));
        let text = decode::field(word.as_bytes(), Syntax::Unstructured, &greek);
        assert_eq!(text, *expected);
    }
}

/// RFC 2047, section 4: the encodings are named B and Q.
#[test]
fn rfc2047_4_an_encoding_name_instead_of_its_letter() {
    for (encoding, text) in [
        ("base64", "w6k="),
        ("BASE64", "w6k="),
        ("quoted-printable", "=C3=A9"),
        ("QP", "=C3=A9"),
        ("qp", "=C3=A9"),
    ] {
        let word = format!("=?utf-8?{encoding}?{text}?=");
        let syntax = [Kind::EncodedWordSyntax];
        assert_text(&subject(&format!("a {word} b")), "a é b", &syntax);
        assert_text(&subject(&format!("{word} =?utf-8?Q?b?=")), "éb", &syntax);
        assert_name(&format!("{word} <a@example.org>"), "é", &syntax);
        assert_name(&format!("\"{word}\" <a@example.org>"), "é", &syntax);
        assert_name(&format!("a@example.org ({word})"), "é", &syntax);
        assert_text(&value(&format!("a; filename=\"{word}\"")), "é", &syntax);
    }
    for text in ["=?utf-8?X?a?=", "=?utf-8?7bit?a?=", "=?utf-8?base?a?="] {
        assert_text(&subject(text), text, &[Kind::EncodedWordKept]);
    }
}

/// RFC 2045, section 6.1: a token names the encoding.
#[test]
fn rfc2045_6_1_a_transfer_encoding_in_an_encoded_word() {
    for (body, text) in [
        ("=?utf-8?Q?8bit?=", "caf\u{e9}"),
        ("=?utf-8?Q?quoted-printable?=", "caf=C3=A9"),
        ("=?utf-8?B?YmFzZTY0?=", "Y2Fmw6k="),
        ("=?us-ascii?q?base64?= (a)", "Y2Fmw6k="),
        ("\"=?us-ascii?q?base64?=\"", "Y2Fmw6k="),
    ] {
        let source = format!(
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {body}\n\n{text}"
        );
        let message = Message::parse(source.as_bytes());
        let part = message.root();
        assert_eq!(part.text().as_str(), "café", "{body}");
        let field = header::content_transfer_encoding(body.as_bytes());
        assert!(field.report().has(Kind::TransferEncodingRepaired), "{body}");
        let options = convert::Conversion::new();
        let converted = convert(source.as_bytes(), &options);
        let result = converted.as_bytes();
        verify(source.as_bytes(), result, &converted.changes, &options).unwrap();
    }
    let field = header::content_transfer_encoding(b"=?utf-8?Q?x?=");
    assert!(field.report().has(Kind::UnknownTransferEncoding));
}

/// RFC 2045, section 5.1: the type precedes the subtype.
#[test]
fn rfc2045_5_1_a_subtype_before_its_type() {
    for (body, media_type) in [
        ("plain/text; charset=koi8-r", "text/plain"),
        ("Plain / Text; charset=koi8-r", "text/plain"),
        ("html/text; charset=koi8-r", "text/html"),
    ] {
        let field = header::content_type(body.as_bytes());
        assert_eq!(field.media_type(), media_type);
        assert!(field.report().has(Kind::InvalidMediaType));
        let source = [format!("Content-Type: {body}\n\n").as_bytes(), b"\xF0\xF2"].concat();
        let message = Message::parse(&source);
        assert!(message.root().is_text(), "{body}");
        assert_eq!(message.root().text().as_str(), "ПР", "{body}");
    }
    assert_eq!(header::content_type(b"text/text").media_type(), "text/text");
    assert_eq!(header::content_type(b"x/text").media_type(), "x/text");
}
