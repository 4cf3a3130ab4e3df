//! Encoded words split by mailers, and soft line breaks inside them (RFC 2047, sections 2, 4 and 5;
//! RFC 2045, section 6.7).
//!
//! The expected text is the text encoded here by `encoding_rs`.

use std::fmt::Write as _;

use mime_charset::convert::{Conversion, convert, verify};
use mime_charset::decode::{self, FieldText};
use mime_charset::header::{self, Syntax};
use mime_charset::{Finding, Kind, Message, Options};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::samples::base64;

/// Single-octet and multi-octet charsets, and a text in each.
const TEXTS: [(&str, &str); 12] = [
    ("utf-8", "{#Dèé£åý M$áí.çøm}"),
    ("utf-8", "日本語の件名です, 안녕 und größer"),
    ("iso-8859-1", "{#Dèé£åý M$áí.çøm@#}"),
    ("windows-1252", "für 20 € und mehr – ABC DEF"),
    ("iso-8859-2", "žluťoučký kůň=12"),
    ("windows-1251", "Привет из Москвы 2012"),
    ("koi8-r", "Привет из Москвы 2012"),
    ("iso-8859-7", "Καλημέρα κόσμε"),
    ("euc-kr", "안녕하세요 여러분 ABC"),
    ("gb18030", "你好世界，欢迎 ABC"),
    ("big5", "繁體中文的標題 ABC"),
    ("shift_jis", "日本語の件名です ABC"),
];

fn octets(label: &str, text: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    let (octets, _, is_lossy) = encoding.encode(text);
    assert!(!is_lossy, "{label}");
    octets.into_owned()
}

/// Q encoding allowed in any place (RFC 2047, section 5, rule 3).
fn q(octets: &[u8]) -> String {
    octets.iter().fold(String::new(), |mut text, octet| {
        match octet {
            b' ' => text.push('_'),
            octet if octet.is_ascii_alphanumeric() => text.push(char::from(*octet)),
            octet => write!(text, "={octet:02X}").unwrap(),
        }
        text
    })
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Whether the base64 of a word has only whole octets, so that it can be a word of its own.
fn has_whole_octets(text: &str) -> bool {
    let letters = text.trim_end_matches('=');
    let last = letters.bytes().last();
    let value = LETTERS.iter().position(|letter| Some(*letter) == last);
    let value = value.unwrap_or_default();
    match letters.len() % 4 {
        0 => true,
        1 => false,
        2 => value.trailing_zeros() >= 4 && !matches!(text.len() - letters.len(), 1),
        _ => value.trailing_zeros() >= 2 && !matches!(text.len() - letters.len(), 2..),
    }
}

/// The text split into words at these places.
fn words(label: &str, encoding: &str, text: &str, cuts: &[Index], gap: &str) -> Vec<String> {
    let mut places: Vec<_> = cuts
        .iter()
        .map(|cut| 1 + cut.index(text.len() - 1))
        .collect();
    places.sort_unstable();
    places.dedup();
    let mut words = Vec::new();
    let mut start = 0;
    for end in places.into_iter().chain([text.len()]) {
        words.push(format!("=?{label}?{encoding}?{}?=", &text[start..end]));
        start = end;
    }
    words.join(gap).split('\0').map(str::to_owned).collect()
}

fn subject(body: &str) -> FieldText<'static> {
    decode::field(body.as_bytes(), Syntax::Unstructured, &Options::new()).into_owned()
}

/// Checks the text of the words in each place that allows words.
#[track_caller]
fn assert_reads_everywhere(words: &str, text: &str) {
    assert_eq!(subject(words), text, "{words}");
    for (body, name) in [
        (format!("{words} <a@example.org>"), text.to_owned()),
        (format!("\"{words}\" <a@example.org>"), text.to_owned()),
        (format!("a@example.org ({words})"), text.to_owned()),
    ] {
        let list = decode::addresses(body.as_bytes());
        let mailbox = list.mailboxes().next().unwrap();
        assert_eq!(mailbox.octets(), b"a@example.org", "{body}");
        assert_eq!(mailbox.name.as_str(), name, "{body}");
    }
    let body = format!("attachment; filename=\"{words}\"");
    let disposition = header::content_disposition(body.as_bytes());
    let value = disposition.parameter("filename").unwrap().text();
    assert_eq!(value, text, "{body}");
}

/// Checks the text of the subject, and its conversion.
#[track_caller]
fn assert_converts(words: &str, text: &str) {
    let source = format!("Subject: {words}\nFrom: a@example.org\n\nx\n");
    let options = Conversion::new();
    let converted = convert(source.as_bytes(), &options);
    let result = converted.as_bytes();
    let message = Message::parse(result);
    assert_eq!(message.subject().unwrap(), text, "{words}");
    verify(source.as_bytes(), result, &converted.changes, &options).unwrap();
}

proptest! {
    /// RFC 2047, section 4.2: an escape has three octets, in one word.
    #[test]
    fn rfc2047_4_2_q_words_split_anywhere(
        (label, text) in select(&TEXTS[..]),
        cuts in vec(any::<Index>(), 1..5),
        gap in select(vec![" ", "\r\n ", "\n\t"]),
    ) {
        let encoded = q(&octets(label, text));
        let words = words(label, "Q", &encoded, &cuts, gap).concat();
        assert_reads_everywhere(&words, text);
        assert_converts(&words, text);
    }

    /// RFC 2047, section 5: a word encodes whole octets.
    #[test]
    fn rfc2047_5_b_words_split_anywhere(
        (label, text) in select(&TEXTS[..]),
        cuts in vec(any::<Index>(), 1..5),
        gap in select(vec![" ", "\r\n ", "\n\t"]),
    ) {
        let encoded = base64(&octets(label, text));
        let list = words(label, "B", &encoded, &cuts, "\0");
        let texts = list.iter().map(|word| word.rsplit('?').nth(1).unwrap());
        prop_assume!(!texts.into_iter().all(has_whole_octets));
        let words = list.join(gap);
        assert_reads_everywhere(&words, text);
        assert_converts(&words, text);
    }

    /// Words without padding, each encoded separately.
    #[test]
    fn rfc2047_5_b_words_without_padding_decode_separately(
        (label, text) in select(&TEXTS[..]),
        length in 1..7_usize,
    ) {
        let octets = octets(label, text);
        let words: Vec<_> = octets
            .chunks(length)
            .map(|octets| format!("=?{label}?B?{}?=", base64(octets).trim_end_matches('=')))
            .collect();
        assert_reads_everywhere(&words.join(" "), text);
    }

    /// RFC 2045, section 6.7, rule 5: a soft line break has no meaning. It has none in a word
    /// either.
    #[test]
    fn rfc2045_6_7_soft_line_breaks_in_q_words(
        (label, text) in select(&TEXTS[..]),
        at in any::<Index>(),
        gap in select(vec!["=\r\n ", "=\n ", "=\r\n\t", "=  "]),
    ) {
        let octets = octets(label, text);
        let (before, after) = octets.split_at(1 + at.index(octets.len() - 1));
        prop_assume!(!before.ends_with(b" ") || gap != "=  ");
        let word = format!("=?{label}?Q?{}{gap}{}?=", q(before), q(after));
        prop_assert_eq!(subject(&word), text, "{}", word);
        let body = format!("{word} <a@example.org>");
        let list = decode::addresses(body.as_bytes());
        prop_assert_eq!(list.mailboxes().next().unwrap().name.as_str(), text, "{}", body);
        assert_converts(&word, text);
    }
}

/// RFC 2047, section 4.2.
#[test]
fn rfc2047_4_2_q_words_split_inside_an_escape() {
    assert_reads_everywhere(
        "=?utf-8?Q?Certifica=?= =?utf-8?Q?C3=A7=C3=A3?=",
        "Certificaçã",
    );
    assert_reads_everywhere(
        "=?utf-8?Q?=7B=23D=C3=A8=C3=A9=C2=?= =?utf-8?Q?A3=C3=A5=C3=BD_M=24=C3=A1=C?= \
         =?utf-8?Q?3=AD=2E=C3=A7=C3=B8m=7D?=",
        "{#Dèé£åý M$áí.çøm}",
    );
    assert_reads_everywhere("=?iso-8859-1?Q?Caf=?= =?iso-8859-1?Q?E9_au?=", "Café au");
    assert_reads_everywhere("=?iso-8859-1?Q?Caf=E?= =?iso-8859-1?Q?9_au?=", "Café au");
    assert_reads_everywhere(
        "=?iso-8859-1?q?Caf=?= =?iso-8859-1?q?e9=2c_au?=",
        "Café, au",
    );
    assert_reads_everywhere(
        "=?utf-8?Q?=?= =?utf-8?Q?C?= =?utf-8?Q?3?= =?utf-8?Q?=?= =?utf-8?Q?A9?=",
        "é",
    );
    let joined = subject("=?utf-8?Q?Certifica=?= =?utf-8?Q?C3=A7=C3=A3?=");
    let kinds: Vec<_> = joined.report().iter().map(Finding::kind).collect();
    assert_eq!(kinds, [Kind::EncodedWordJoined]);
    // A word that ends in a soft line break of quoted-printable, followed by text.
    assert_reads_everywhere("=?utf-8?Q?Bun=?= =?utf-8?Q?de?=", "Bunde");
    assert_reads_everywhere("=?utf-8?Q?Bun=?= =?utf-8?Q?der?=", "Bunder");
    assert_reads_everywhere("=?utf-8?Q?BUN=?= =?utf-8?Q?DER?=", "BUNDER");
    assert_reads_everywhere("=?utf-8?Q?=C3=A9=?= =?utf-8?Q?abc?=", "éabc");
    // `=ED` is only the first octet of a character in UTF-8.
    assert_reads_everywhere(
        "=?utf-8?Q?f=C3=BCr_das_=?= =?utf-8?Q?EDV-B=C3=BCro?=",
        "für das EDV-Büro",
    );
    assert_reads_everywhere("=?iso-8859-1?Q?M=?= =?iso-8859-1?Q?DCNCHEN?=", "MÜNCHEN");
    // A different charset, or a different encoding.
    assert_eq!(subject("=?utf-8?Q?a=?= =?iso-8859-1?Q?E9?="), "aE9");
    assert_eq!(subject("=?utf-8?Q?a=?= =?utf-8?B?RTk=?="), "aE9");
}

/// RFC 2047, sections 4.1 and 5. `ey` has the bits 011110 110010: 7B, and 0010 of the next octet.
#[test]
fn rfc2047_5_b_words_split_inside_a_group() {
    assert_reads_everywhere(
        "=?iso-8859-1?b?ey?= =?iso-8859-1?b?NE6Omj5f0gTSTh7S7n+G1AI30=?=",
        "{#Dèé£åý M$áí.çøm@#}",
    );
    assert_reads_everywhere("=?utf-8?B?YQ?= =?utf-8?B?Yg?=", "ab");
    assert_reads_everywhere("=?utf-8?B?YQ==?= =?utf-8?B?Yg==?=", "ab");
    // Joining loses no octets, so no loss is reported.
    for (one, other) in [
        ("SGVsbG8gd29ybG", "Q="),
        ("SGVsbG8gd29yb", "GQ="),
        ("S", "GVsbG8gd29ybGQ="),
    ] {
        let words = format!("=?iso-8859-1?B?{one}?= =?iso-8859-1?B?{other}?=");
        assert_reads_everywhere(&words, "Hello world");
        let kinds: Vec<_> = subject(&words).report().iter().map(Finding::kind).collect();
        assert_eq!(kinds, [Kind::EncodedWordJoined], "{words}");
    }
}

/// RFC 2045, section 6.8: padding follows the second or third letter of a group.
#[test]
fn rfc2045_6_8_an_equals_sign_that_cannot_be_padding() {
    for text in ["Y=WJjZA==", "Y=WJj==ZA==", "=YWJjZA==", "YWJj=ZA=="] {
        let word = subject(&format!("=?us-ascii?B?{text}?="));
        assert_eq!(word, "abcd", "{text}");
        assert!(word.report().has(Kind::Base64Padding), "{text}");
        let body = mime_charset::transfer::base64(text.as_bytes());
        assert_eq!(body.as_bytes(), b"abcd", "{text}");
    }
    // Too much padding, followed by more base64.
    let body = mime_charset::transfer::base64(b"YWJjZ===\r\nYWJj");
    assert_eq!(body.as_bytes(), b"abcabc");
}

/// RFC 4648, section 5: `-` and `_` are 62 and 63. F0 9F 98 80 3F 3F has both.
#[test]
fn rfc4648_5_base64_for_urls_in_a_word() {
    for (text, expected) in [
        ("8J-YgD8_", "😀??"),
        ("8J-YgA", "😀"),
        ("Pz8_", "???"),
        ("Pj4-", ">>>"),
    ] {
        let word = subject(&format!("=?utf-8?B?{text}?="));
        assert_eq!(word, expected);
        assert!(word.report().has(Kind::EncodedWordSyntax), "{text}");
        assert_converts(&format!("=?utf-8?B?{text}?="), expected);
    }
    assert_eq!(subject("=?utf-8?B?8J-?= =?utf-8?B?YgD8_?="), "😀??");
}

/// RFC 2045, section 6.7, rule 5.
#[test]
fn rfc2045_6_7_a_soft_line_break_in_a_word() {
    for (text, expected) in [
        (
            "=?iso-8859-1?Q?ver.di Mitgli=\r\n eder?=",
            "ver.di Mitglieder",
        ),
        ("=?iso-8859-1?Q?ver.di Mitgli=  eder?=", "ver.di Mitglieder"),
        ("=?utf-8?Q?=D0=B4=D0=BB=\r\n =D1=8F?=", "для"),
        ("=?utf-8?Q?zu=\r\n sam?=", "zusam"),
        ("=?utf-8?Q?=C3=\r\n =A9?=", "é"),
        ("=?utf-8?Q?=C3=\r\n A9?=", "é"),
        ("=?utf-8?Q?gr=C3=B6=\r\n =C3=9Fer?=", "größer"),
        ("=?iso-8859-1?Q?gr=F6=\r\n DFer?=", "größer"),
        ("=?iso-8859-1?Q?=DC=\r\n BERSICHT?=", "ÜBERSICHT"),
        ("=?euc-kr?Q?=C7=\r\n D1?=", "한"),
        ("=?utf-8?Q?Mitglieder=\r\n ?=", "Mitglieder"),
        ("=?utf-8?Q?Rechnung f=C3=BCr= dich?=", "Rechnung für dich"),
    ] {
        let read = subject(text);
        assert_eq!(read, expected, "{text}");
        assert!(read.report().has(Kind::EncodedWordSyntax), "{text}");
        assert_converts(text, expected);
        for body in [
            format!("{text} <a@example.org>"),
            format!("\"{text}\" <a@example.org>"),
        ] {
            let list = decode::addresses(body.as_bytes());
            let mailbox = list.mailboxes().next().unwrap();
            assert_eq!(mailbox.name.as_str(), expected, "{body}");
        }
    }
    // The blank of a fold is part of a value (RFC 5322, section 3.2.4), so one blank is kept.
    for (text, expected) in [
        ("Rechnung f=C3=BCr=\r\n dich.pdf", "Rechnung für dich.pdf"),
        ("Rechnung f=C3=BCr= dich.pdf", "Rechnung für dich.pdf"),
        ("Rech=  nung.pdf", "Rechnung.pdf"),
    ] {
        let body = format!("attachment; filename=\"=?utf-8?Q?{text}?=\"");
        let disposition = header::content_disposition(body.as_bytes());
        let value = disposition.parameter("filename").unwrap().text();
        assert_eq!(value, expected, "{body}");
        let shown = decode::field(body.as_bytes(), Syntax::Parameters, &Options::new());
        assert_eq!(
            shown,
            format!("attachment; filename=\"{expected}\"").as_str()
        );
    }
    // Q text from a program that does not escape equals signs: they are kept.
    for text in ["x = 95 or so", "x= 95", "a = b", "x == ab", "1=  2 und"] {
        assert_eq!(subject(&format!("=?utf-8?Q?{text}?=")), text);
    }
}
