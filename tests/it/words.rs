//! Encoded words and parameters whose label or syntax is wrong (RFC 2047; RFC 2231; RFC 7103).
//!
//! What they say is decided as a body is: RFC 2046, section 4.1.2, and RFC 7103, section 7.6, do
//! not ask where octets stand. Expected text is what was encoded, by the arithmetic of UTF-8 and
//! ISO-8859-1, or what another program makes of the octets.

use std::fmt::Write as _;

use mime_charset::convert::{self, convert, verify};
use mime_charset::decode::{self, FieldText};
use mime_charset::header::{self, Syntax};
use mime_charset::{Charset, Effect, Kind, Message, Options, Source};

/// Numbers that look like chance and are the same in every run (Marsaglia's xorshift).
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

/// How many cases are drawn of a class.
const DRAWN: usize = 200;

/// Words of several languages with at least three letters above ASCII.
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

/// Labels that name no charset, and what is found of them.
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

fn base64(octets: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in octets.chunks(3) {
        let bits = group
            .iter()
            .fold(0, |bits, octet| bits << 8 | usize::from(*octet));
        let bits = bits << (8 * (3 - group.len()));
        for place in 0..4 {
            if place <= group.len() {
                text.push(char::from(LETTERS[bits >> (18 - 6 * place) & 63]));
            } else {
                text.push('=');
            }
        }
    }
    text
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

/// The display name, and what is found of it and of the list it is in.
#[track_caller]
fn named(body: &str, expected: &str, kinds: &[Kind]) {
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
fn says(text: &FieldText<'_>, expected: &str, kinds: &[Kind]) {
    assert_eq!(text.as_str(), expected, "{:?}", text.report());
    for kind in kinds {
        assert!(text.report().has(*kind), "{kind:?}: {:?}", text.report());
    }
}

/// RFC 2046, section 4.1.2: octets above 7F are no US-ASCII, so that this label says nothing.
#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc2046_4_1_2_octets_above_7f_under_us_ascii() {
    let kinds = [Kind::EightBitAscii, Kind::DetectedCharset];
    says(&subject("=?us-ascii?Q?caf=C3=A9?="), "café", &kinds);
    says(&subject("=?US-ASCII?B?Y2Fmw6k=?="), "café", &kinds);
    says(
        &subject("a =?us-ascii*en?Q?caf=E9_au_lait?="),
        "a café au lait",
        &[Kind::EightBitAscii, Kind::DefaultCharset],
    );
    named("=?us-ascii?Q?caf=C3=A9?= <a@example.org>", "café", &kinds);
    named(
        "\"=?us-ascii?Q?caf=C3=A9?=\" <a@example.org>",
        "café",
        &kinds,
    );
    says(
        &value("a; filename*=us-ascii''caf%C3%A9.pdf"),
        "café.pdf",
        &kinds,
    );
    says(
        &value("a; filename=\"=?us-ascii?Q?caf=C3=A9?=.pdf\""),
        "café.pdf",
        &kinds,
    );
    // A character cut in two.
    says(
        &subject("=?us-ascii?Q?caf=C3?= =?us-ascii?Q?=A9?="),
        "café",
        &kinds,
    );
    // Plain US-ASCII has nothing to be found.
    let plain = subject("=?us-ascii?Q?Keith_Moore?=");
    assert!(plain.report().is_empty());
    assert_eq!(plain.charsets()[0].source, Source::Declared);
    // Escapes prove ISO-2022-JP (RFC 1468) here as in a body.
    let escapes = subject("=?us-ascii?B?GyRCOGwbKEI=?=");
    says(&escapes, "語", &[Kind::LabelOverridden]);
    assert_eq!(escapes.charsets()[0].charset.name(), "ISO-2022-JP");
}

#[test]
fn rfc2046_4_1_2_words_under_us_ascii_drawn() {
    let mut draw = Draw(0x9E37_79B9_7F4A_7C15);
    for _ in 0..DRAWN {
        let text = draw.of(&TEXTS);
        let word = word("us-ascii", text.as_bytes(), &mut draw);
        says(&subject(&word), text, &[Kind::EightBitAscii]);
        named(
            &format!("{word} <a@example.org>"),
            text,
            &[Kind::EightBitAscii],
        );
        let extended = q(text.as_bytes()).replace('=', "%");
        let extended = value(&format!("a; filename*=us-ascii''{extended}"));
        says(&extended, text, &[Kind::EightBitAscii]);
        assert_eq!(extended.charsets()[0].charset, Charset::UTF_8);
    }
}

/// RFC 2047, section 6.2, lets a reader show a word in an unknown charset as it can.
#[test]
fn rfc2047_6_2_words_in_a_charset_nobody_knows() {
    for (label, kind) in UNKNOWN {
        let text = subject(&format!("=?{label}?Q?caf=C3=A9?="));
        says(&text, "café", &[kind, Kind::DetectedCharset]);
        assert_eq!(text.charsets()[0].source, Source::Evidence, "{label}");
        says(
            &subject(&format!("=?{label}?Q?caf=C3?= =?{label}?Q?=A9?=")),
            "café",
            &[kind],
        );
        says(&subject(&format!("a =?{label}?Q?b?= c")), "a b c", &[kind]);
        named(
            &format!("=?{label}?Q?caf=C3=A9?= <a@example.org>"),
            "café",
            &[kind],
        );
        if !label.is_empty() {
            says(
                &value(&format!("a; filename*={label}''caf%C3%A9")),
                "café",
                &[kind],
            );
        }
    }
}

#[test]
fn rfc2047_6_2_words_in_a_charset_nobody_knows_drawn() {
    let mut draw = Draw(0xD1B5_4A32_D192_ED03);
    for number in 0..DRAWN {
        let (label, kind) = UNKNOWN[number % UNKNOWN.len()];
        let text = draw.of(&TEXTS);
        let word = word(label, text.as_bytes(), &mut draw);
        says(
            &subject(&format!("Re: {word}")),
            &format!("Re: {text}"),
            &[kind],
        );
        named(&format!("{word} <a@example.org>"), text, &[kind]);
    }
}

/// RFC 2047, section 6.2: what a word holds is no syntax, whatever charset it is in.
#[test]
fn rfc2047_6_2_what_an_unknown_word_holds_is_quoted() {
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
    let mut draw = Draw(0x2545_F491_4F6C_DD1D);
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
        says(&subject(&word), text, &[Kind::LabelOverridden]);
        let extended = q(text.as_bytes()).replace('=', "%");
        let extended = value(&format!("a; filename*={label}''{extended}"));
        says(&extended, text, &[Kind::LabelOverridden]);
        // The caller may want labels obeyed.
        let obeyed = Options::new().trust_label(true);
        let obeyed = decode::field(word.as_bytes(), Syntax::Unstructured, &obeyed);
        assert!(obeyed.report().is_empty() || !obeyed.report().has(Kind::LabelOverridden));
        assert_eq!(obeyed.charsets()[0].source, Source::Declared);
    }
}

/// The same of UTF-8 that was cut at its start, as of a body (RFC 9051, section 6.4.5): what is left
/// of its first character is malformed, and all that follows is UTF-8.
#[test]
fn rfc7103_7_6_cut_utf8_under_another_label_drawn() {
    let mut draw = Draw(0x9E6C_63D0_876A_3F6B);
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
        says(&subject(&word), &expected, &[Kind::LabelOverridden]);
        let extended = q(octets).replace('=', "%");
        let extended = value(&format!("a; filename*={label}''{extended}"));
        says(&extended, &expected, &[Kind::LabelOverridden]);
    }
}

/// RFC 1468: ISO-2022-JP has seven bits. A word with eight is in the charset of eight bits that has
/// the same characters, as a body is.
#[test]
fn rfc1468_words_of_eight_bits_under_a_label_of_seven() {
    let mut draw = Draw(0x1234_5678_9ABC_DEF1);
    // "日本語の件名です" in Shift_JIS and EUC-JP, as CPython writes it.
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
        says(&text, "日本語の件名です", &[Kind::LabelOverridden]);
        assert_eq!(text.charsets()[0].charset.name(), name);
    }
}

/// Words whose label is right are read in it, without a finding.
#[test]
fn rfc2047_5_words_whose_label_is_right_drawn() {
    let mut draw = Draw(0x1234_5678_9ABC_DEF1);
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
        // ISO-8859-1 has the numbers of Unicode.
        let octets: Vec<u8> = text
            .chars()
            .map(|c| u8::try_from(u32::from(c)).unwrap())
            .collect();
        let text_read = subject(&word("iso-8859-1", &octets, &mut draw));
        says(&text_read, text, &[]);
        assert!(
            text_read.report().is_empty(),
            "{text}: {:?}",
            text_read.report()
        );
        assert_eq!(text_read.charsets()[0].source, Source::Declared);
    }
}

/// RFC 7103, section 7.7: where the octets do not tell, what the message uses elsewhere may.
#[test]
fn rfc7103_7_7_the_rest_of_the_message_tells_of_words_without_a_charset() {
    // "Да" in KOI8-R and in windows-1251, as CPython writes it.
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
            says(&subject, "Да", &[Kind::DetectedCharset]);
            let from = message.field("From").unwrap();
            let list = from.addresses();
            let mailbox = list.mailboxes().next().unwrap();
            says(&mailbox.name, "Да", &[Kind::DetectedCharset]);
            let part = message.parts().next().unwrap();
            says(&part.filename().unwrap(), "Да", &[Kind::DetectedCharset]);
        }
    }
}

/// RFC 2047, section 2: no white space in a word. Relays fold where they should not.
#[test]
fn rfc2047_2_white_space_inside_an_escape() {
    let syntax = [Kind::EncodedWordSyntax];
    says(&subject("=?UTF-8?Q?=C3=\r\n B5?="), "\u{f5}", &syntax);
    says(&subject("=?UTF-8?Q?=C3=B\r\n\t5?="), "\u{f5}", &syntax);
    says(&subject("=?UTF-8?Q?=\r\n C3=B5?="), "\u{f5}", &syntax);
    says(&subject("=?UTF-8?Q?=C3=\n B5_a?= b"), "\u{f5} a b", &syntax);
    says(&subject("=?UTF-8?Q?=C3= B5?="), "\u{f5}", &syntax);
    says(&subject("=?UTF-8?Q?= C3=B 5?="), "\u{f5}", &syntax);
    named("=?UTF-8?Q?=C3=\r\n B5?= <a@example.org>", "\u{f5}", &syntax);
    named(
        "\"=?UTF-8?Q?=C3=\r\n B5?=\" <a@example.org>",
        "\u{f5}",
        &syntax,
    );
    // Prose has equals signs too.
    says(
        &subject("=?utf-8?Q?x = 95 or so?="),
        "x = 95 or so",
        &syntax,
    );
    says(&subject("=?utf-8?Q?x = fine?="), "x = fine", &syntax);
}

#[test]
fn rfc2047_2_folds_inside_an_escape_drawn() {
    let mut draw = Draw(0x0DDB_1A5E_5BAD_5EED);
    for _ in 0..DRAWN {
        let text = draw.of(&TEXTS);
        let mut encoded = q(text.as_bytes());
        // Behind the equals sign, or between the digits.
        let escape = 3 * draw.below(text.len());
        let fold = draw.of(&["\r\n ", "\n\t", "\r\n  ", "\n "]);
        encoded.insert_str(escape + 1 + draw.below(2), fold);
        let body = format!("=?utf-8?q?{encoded}?=");
        says(&subject(&body), text, &[Kind::EncodedWordSyntax]);
        named(
            &format!("{body} <a@example.org>"),
            text,
            &[Kind::EncodedWordSyntax],
        );
    }
}

/// RFC 2047, section 4.2: an equals sign begins an escape. At the end of a word it begins none.
#[test]
fn rfc2047_4_2_an_equals_sign_at_the_end() {
    let syntax = [Kind::EncodedWordSyntax];
    says(
        &subject("=?Shift_JIS?Q?=93=FA=96{=8C=EA=?="),
        "日本語",
        &syntax,
    );
    says(&subject("=?utf-8?Q?a=?="), "a", &syntax);
    says(
        &subject("x =?utf-8?Q?=C3=A9=?= =?utf-8?Q?a?="),
        "x éa",
        &syntax,
    );
    named("=?utf-8?Q?=C3=A9=?= <a@example.org>", "é", &syntax);
    named("\"=?utf-8?Q?=C3=A9=?=\" <a@example.org>", "é", &syntax);
    says(&value("a; filename=\"=?utf-8?Q?=C3=A9=?=\""), "é", &syntax);
    // It is all there is.
    says(&subject("=?utf-8?Q?=?="), "=", &[Kind::QuotedPrintableKept]);
    // The word is over before what follows.
    says(&subject("=?utf-8?Q?a=?= b"), "a b", &syntax);
}

#[test]
fn rfc2047_4_2_an_equals_sign_at_the_end_drawn() {
    let mut draw = Draw(0xFEED_FACE_CAFE_BEEF);
    for _ in 0..DRAWN {
        let text = draw.of(&TEXTS);
        let body = format!("=?UTF-8?Q?{}=?=", q(text.as_bytes()));
        says(&subject(&body), text, &[Kind::EncodedWordSyntax]);
        says(
            &subject(&format!("a {body} b")),
            &format!("a {text} b"),
            &[Kind::EncodedWordSyntax],
        );
        named(
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
    says(&subject("=? utf-8 ?Q?=C3=A9?="), "é", &syntax);
    says(&subject("=? utf-8?Q?=C3=A9?="), "é", &syntax);
    says(&subject("=?utf-8 ?Q?=C3=A9?="), "é", &syntax);
    says(&subject("=?utf-8? Q ?=C3=A9?="), "é", &syntax);
    says(&subject("=?utf-8\r\n ?B?w6k=?="), "é", &syntax);
    says(&subject("=?iso-8859-1?Q\r\n ?=E9?= a"), "é a", &syntax);
    named("=? utf-8 ?Q?=C3=A9?= <a@example.org>", "é", &syntax);
    named("\"=? utf-8 ?Q?=C3=A9?=\" <a@example.org>", "é", &syntax);
}

#[test]
fn rfc2047_2_white_space_around_the_charset_drawn() {
    let mut draw = Draw(0xABAD_1DEA_0BAD_F00D);
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
        says(&subject(&body), text, kinds);
        named(&format!("{body} <a@example.org>"), text, kinds);
    }
}

/// RFC 7103, section 7.6: what the octets prove is converted, what is a guess stays as it is.
#[test]
fn rfc7103_7_6_words_are_converted_as_they_are_read() {
    let options = convert::Conversion::new();
    let converted = |field: &str| {
        let message = format!("{field}\n\n");
        let converted = convert(message.as_bytes(), &options);
        let octets = converted.as_bytes().to_vec();
        verify(message.as_bytes(), &octets, &converted.changes, &options).unwrap();
        // Converting twice changes nothing more.
        assert_eq!(convert(&octets, &options).as_bytes(), octets, "{field}");
        // Where lines are folded is another matter.
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

/// "日本語", "件名", "한국어" and "中文" with the escapes of RFC 1468, RFC 1557 and RFC 1922, as the codecs of
/// `CPython` and RFC 1922, section 3.2, write them.
const ESCAPED: [(&str, &str, &str); 4] = [
    ("\x1B$BF|K\\8l\x1B(B", "日本語", "ISO-2022-JP"),
    ("\x1B$B7oL>\x1B(B", "件名", "ISO-2022-JP"),
    ("\x1B$)C\x0EGQ19>n\x0F", "한국어", "ISO-2022-KR"),
    ("\x1B$)A\x0EVPND\x0F", "中文", "ISO-2022-CN"),
];

/// RFC 1468: mail of the 1990s has such text in its fields as it is.
#[test]
fn rfc1468_raw_escapes_in_an_unstructured_field() {
    for (octets, expected, charset) in ESCAPED {
        let text = subject(&format!("Re: {octets} (a)"));
        says(
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
        // What has no fault alone is read, and words beside it too.
        says(
            &subject(&format!("{octets}\r\n =?utf-8?Q?=C3=A9?=")),
            &format!("{expected} é"),
            &[],
        );
    }
}

/// RFC 1468: each line begins and ends in US-ASCII. Lines were folded elsewhere as well.
#[test]
fn rfc1468_raw_escapes_on_several_lines() {
    let of = |body: &str, expected: &str| says(&subject(body), expected, &[Kind::DetectedCharset]);
    of("\x1B$BF|\x1B(B\r\n \x1B$BK\\8l\x1B(B", "日 本語");
    // The state goes on, and the blank came with the fold.
    of("\x1B$BF|\r\n K\\8l\x1B(B a", "日本語 a");
    of("\x1B$BF|K\r\n \\8l\x1B(B a", "日本語 a");
    // It does not, and the escape back was lost.
    of("\x1B$BF|K\\\r\n a \x1B$B8l\x1B(B", "日本 a 語");
}

#[test]
fn rfc1468_what_does_not_decode_stays() {
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

/// Syllables and signs by arithmetic: hiragana are 24 21 to 24 73 in JIS X 0208, U+3041 and on.
#[test]
fn rfc1468_raw_escapes_drawn() {
    let mut draw = Draw(0xC0DE_CAFE_0123_4567);
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
        says(&subject(&octets), &text, &[Kind::DetectedCharset]);
    }
}

/// RFC 2047, section 5: such text is converted to words, as other raw text is.
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

/// RFC 6266, section 4.3: the extended value is meant for those who can read it; RFC 8187, section
/// 3.2.1: one that is no text in its charset may be passed over.
#[test]
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
fn rfc8187_3_2_1_a_plain_value_beside_a_malformed_extended_one() {
    let of = |parameters: &str, expected: &str, kind| {
        says(&value(&format!("a; {parameters}")), expected, &[kind]);
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
    // What reads, or what the octets prove, comes first.
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
    // A plain value that is no plain text is no better.
    of(
        "filename=\"=?x?Q?a?=\"; filename*=x''caf%e9",
        "café",
        Kind::UnknownLabel,
    );
    of("filename*=UTF-8''caf%e9", "café", Kind::LabelOverridden);
}

/// RFC 2231, section 4: octets with percent signs are the value. Encoded words are read where they
/// stand in the field as they are, beside such octets too. Without words, the text is what
/// `CPython`'s `email` gives.
#[test]
fn rfc2231_4_percent_signs_write_no_encoded_word() {
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
        says(&value(body), expected, &place);
    }
}

/// RFC 2231, section 3: "The count starts at 0". A section without its beginning is a fragment, and no
/// value where there is one; `CPython`'s `email` with its policy `compat32` has these values.
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

/// RFC 5322, section 2.2.3: folds are undone before anything else is read, so that a backslash before
/// one quotes its blank. `CPython`'s `email` reads these names, and the file name, in this way.
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
        says(&text, "a b", &[]);
        assert!(text.report().is_empty());
        let field = format!("text/plain; charset=\"utf-8\\{fold} \"");
        let field = header::content_type(field.as_bytes());
        assert_eq!(field.parameter("charset").unwrap().octets(), b"utf-8 ");
    }
}

/// RFC 5322, section 2.2.3: a conversion reads the comment on one line as well.
#[test]
fn rfc5322_2_2_3_raw_text_behind_a_backslash_before_a_fold() {
    let field = "From: a@example.org (caf\u{e9}\\\r\n au\\ lait)\r\n\r\n";
    let converted = convert(field.as_bytes(), &convert::Conversion::new());
    let converted = Message::parse(converted.as_bytes());
    let list = converted.field("From").unwrap().addresses();
    assert_eq!(list.mailboxes().next().unwrap().name, "caf\u{e9} au lait");
}

/// RFC 5322, section 2.2.3: a word that stays as it is written is unfolded as all text of a field is.
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

/// RFC 2047, section 2: a relay that counts octets alone folds a word in its label and in its last two
/// octets too. A label with a fold in it names nothing.
#[test]
fn rfc2047_2_folds_in_the_delimiters_of_a_word() {
    for fold in ["\r\n", "\n", ""] {
        let syntax = [Kind::EncodedWordSyntax];
        let text = subject(&format!("=?utf-8?q?=C3=A9?{fold} ="));
        says(&text, "é", &syntax);
        let text = subject(&format!("=?utf-8?b?w6k=?{fold} = =?utf-8?q?=C3=A9?="));
        says(&text, "éé", &syntax);
        let text = subject(&format!("=?utf-8?q?is it?{fold} =3F?="));
        says(&text, "is it? ?", &syntax);
        let name = format!("=?utf-8?q?=C3=A9?{fold} = <a@example.org>");
        named(&name, "é", &syntax);
    }
    let text = subject("=?utf-\r\n 8?q?=C3=A9?=");
    says(&text, "=?utf- 8?q?=C3=A9?=", &[Kind::EncodedWordKept]);
    let name = "=?utf-\r\n 8?q?=C3=A9?= <a@example.org>";
    named(name, "=?utf- 8?q?=C3=A9?=", &[Kind::EncodedWordKept]);
}

/// RFC 6532, section 3.2: UTF-8 in a value as it is. RFC 2231, section 4: octets with percent signs are
/// no raw octets, whether a charset is named or not.
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

/// RFC 2045, section 5.1: a blank in a quoted value is part of it, also where the octets around it
/// would be a character of UTF-8. "내일 오전" in EUC-KR as `CPython` writes it: CF 20 BF.
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
    // What a fold leaves inside of a character of UTF-8 is left out.
    let disposition = header::content_disposition(b"a; filename=\"caf\xC3 \xA9\"");
    let text = disposition
        .parameter("filename")
        .unwrap()
        .text_with(&options);
    assert_eq!(text.as_str(), "café");
}

/// RFC 2231, section 3: what is found of a section's number stands at the name that it is in.
#[test]
fn rfc2231_3_where_a_section_number_is_wrong() {
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

/// RFC 2047, section 3: a word begins and ends in US-ASCII, and section 5: it stands for itself. "あ" and
/// "い" are 24 22 and 24 24 in JIS X 0208.
#[test]
fn rfc2047_5_a_state_that_goes_on_in_the_next_word() {
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
    // Only those of them that need each other.
    let three = format!("{} {both}", word(&whole));
    let place = (three.len() - both.len(), both.len());
    let found = vec![(Kind::EncodedWordJoined, place.0, place.1)];
    assert_eq!(joined(&three), ("あいあい".to_owned(), found));
    let apart = format!("{} {}", word(&whole), word(&whole));
    assert_eq!(joined(&apart), ("あいあい".to_owned(), Vec::new()));
}

/// RFC 2231, section 7: the star and the number are tokens beside the name, between which RFC 822,
/// section 3.1.4, allows white space. The value is that of the same field without it.
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

/// RFC 1468 in the places where names stand. In "日本語" there is a backslash, and the octets of these
/// kanji are `"`, `<`, `>`, `(`, `)`, `,`, `;`, `:` and `@` (JIS X 0208, as `CPython` reads it).
#[test]
fn rfc1468_raw_escapes_in_names() {
    let japanese = [
        ("\x1B$BF|K\\8l\x1B(B", "日本語"),
        ("\x1B$B0\"0<0>0(0)\x1B(B", "唖絢鮎姶逢"),
        ("\x1B$B0,0;0:0@\x1B(J", "穐飴虻粟"),
    ];
    for (octets, expected) in japanese {
        let kinds = [Kind::DetectedCharset];
        named(&format!("{octets} <a@example.org>"), expected, &kinds);
        named(&format!("\"{octets}\" <a@example.org>"), expected, &kinds);
        named(
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
            // It is converted, and says the same.
            let message = format!("To: {body}\n\n");
            let options = convert::Conversion::new();
            let converted = convert(message.as_bytes(), &options);
            let new = converted.as_bytes();
            verify(message.as_bytes(), new, &converted.changes, &options).unwrap();
            assert!(!new.contains(&0x1B), "{}", new.escape_ascii());
            assert_eq!(convert(new, &options).as_bytes(), new);
        }
        named(
            &format!("[{octets}] Joe <a@example.org>"),
            &format!("[{expected}] Joe"),
            &kinds,
        );
        for file in [
            format!("a; filename=\"{octets}.txt\""),
            format!("a; filename={octets}.txt; size=1 (no name)"),
        ] {
            says(&value(&file), &format!("{expected}.txt"), &kinds);
        }
    }
}

/// RFC 5322, section 3.4: what only claims to be such text hides no address.
#[test]
fn rfc5322_3_4_escapes_that_do_not_decode_hide_no_address() {
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

/// RFC 2231, section 4: a charset and a language stand before the apostrophes. RFC 5646, section 2.1: a
/// language has two letters or more.
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
            says(&value(&format!("a; {name}={written}")), expected, &[]);
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
        says(&value(&format!("a; filename*={written}")), expected, &[]);
    }
}

/// RFC 2231, section 4: the star tells of a charset. Some writers leave it out.
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
        says(&value(&body), expected, &[]);
        let disposition = header::content_disposition(body.as_bytes());
        assert!(disposition.report().has(Kind::ExtendedSyntax), "{body}");
        let body = format!("image/png; name={written}");
        let content_type = header::content_type(body.as_bytes());
        assert_eq!(content_type.parameter("name").unwrap().text(), expected);
    }
    // The extended value and text.
    says(&value("a; filename=b; filename*=utf-8''c"), "c", &[]);
    for text in [
        "the-''best''.pdf",
        "Rock'n'Roll.pdf",
        "50%20''.pdf",
        "john-2'en'a.pdf",
        "Rock-2'or'Roll%20x.pdf",
        "it_s'so'nice%20d.pdf",
        "utf-8'is'best.pdf",
    ] {
        says(&value(&format!("a; filename=\"{text}\"")), text, &[]);
    }
    let multipart = header::content_type(b"multipart/mixed; boundary=\"utf-8''a%20b\"");
    assert_eq!(
        multipart.parameter("boundary").unwrap().octets(),
        b"utf-8''a%20b"
    );
}

/// RFC 7103, section 7.7: a few octets are no evidence; they are read as raw ones in a field are.
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
                says(&subject(&word), &expected, &[]);
                named(&format!("{word} <a@example.org>"), &expected, &[]);
            }
            says(
                &value(&format!("a; filename*={label}''{ascii}{percent}")),
                &expected,
                &[Kind::DefaultCharset],
            );
        }
        says(
            &value(&format!("a; filename*=''{ascii}{percent}")),
            &expected,
            &[],
        );
        // What the caller knows of the message.
        let greek = Options::new().hint(Charset::for_label("iso-8859-7"));
        let (expected, ..) = encoding_rs::ISO_8859_7.decode(&octets);
        let word = format!("=?us-ascii?Q?{}?=", q(&octets));
        let text = decode::field(word.as_bytes(), Syntax::Unstructured, &greek);
        assert_eq!(text, *expected);
    }
}

/// RFC 2047, section 4: the encodings are named B and Q.
#[test]
fn rfc2047_4_the_name_of_an_encoding_for_its_letter() {
    for (encoding, text) in [
        ("base64", "w6k="),
        ("BASE64", "w6k="),
        ("quoted-printable", "=C3=A9"),
        ("QP", "=C3=A9"),
        ("qp", "=C3=A9"),
    ] {
        let word = format!("=?utf-8?{encoding}?{text}?=");
        let syntax = [Kind::EncodedWordSyntax];
        says(&subject(&format!("a {word} b")), "a é b", &syntax);
        says(&subject(&format!("{word} =?utf-8?Q?b?=")), "éb", &syntax);
        named(&format!("{word} <a@example.org>"), "é", &syntax);
        named(&format!("\"{word}\" <a@example.org>"), "é", &syntax);
        named(&format!("a@example.org ({word})"), "é", &syntax);
        says(&value(&format!("a; filename=\"{word}\"")), "é", &syntax);
    }
    for text in ["=?utf-8?X?a?=", "=?utf-8?7bit?a?=", "=?utf-8?base?a?="] {
        says(&subject(text), text, &[Kind::EncodedWordKept]);
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

/// RFC 2045, section 5.1: the type stands before the subtype.
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
