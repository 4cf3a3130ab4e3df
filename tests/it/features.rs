//! Without the features `detect` and `legacy`, text that needs them is not misread.

use std::collections::BTreeSet;

use mime_charset::{Charset, Kind, Label, Message, Source, charset, detect};

/// "Привет" in KOI8-R (RFC 1489), which can only be guessed.
const KOI8: &[u8] = b"\xF0\xD2\xC9\xD7\xC5\xD4";

#[cfg(not(feature = "detect"))]
#[test]
fn without_evidence_the_charset_is_the_default() {
    let guess = detect::detect(KOI8);
    assert_eq!(guess.charset, Charset::WINDOWS_1252);
    assert_eq!((guess.source, guess.length), (Source::Default, 0));
    let decoded = mime_charset::decode::decode(KOI8, &mime_charset::decode::Context::new());
    assert_eq!(decoded.charset(), Charset::WINDOWS_1252);
    assert_eq!(decoded.source(), Source::Default);
    assert!(decoded.report().has(Kind::DefaultCharset));
}

/// Proof in the octets needs no detection.
#[test]
fn proof_needs_no_feature() {
    let cases: [(&[u8], Charset, Source); 7] = [
        ("été".as_bytes(), Charset::UTF_8, Source::Evidence),
        (b"\xEF\xBB\xBFa", Charset::UTF_8, Source::Bom),
        (b"\xFF\xFEa\0", Charset::UTF_16, Source::Bom),
        (b"\0a\0b\0c\0d\0e\0f", Charset::UTF_16BE, Source::Evidence),
        // RFC 1468 and RFC 1557.
        (
            b"\x1B$BF|K\\8l\x1B(B",
            Charset::ISO_2022_JP,
            Source::Evidence,
        ),
        (
            b"\x1B$)C\x0EGQ19>n\x0F",
            Charset::for_label("ISO-2022-KR").unwrap(),
            Source::Evidence,
        ),
        (b"plain", Charset::US_ASCII, Source::Default),
    ];
    for (octets, charset, source) in cases {
        let guess = detect::detect(octets);
        assert_eq!((guess.charset, guess.source), (charset, source));
    }
}

/// Nor does the label of another part, if it reads the octets.
#[test]
fn the_label_of_another_part_needs_no_feature() {
    let mail = [
        &b"Content-Type: multipart/mixed; boundary=b\r\n\r\n\
           --b\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n"[..],
        KOI8,
        b"\r\n--b\r\nContent-Type: text/plain\r\n\r\n",
        KOI8,
        b"\r\n--b--\r\n",
    ]
    .concat();
    let message = Message::parse(&mail);
    let texts: Vec<_> = message
        .parts()
        .map(mime_charset::message::Part::text)
        .collect();
    assert_eq!(texts.len(), 2);
    assert!(texts.iter().all(|text| text.as_str() == "Привет"));
}

/// Labels are known without the features; text under them is decoded, or not text at all.
#[test]
fn labels_need_no_feature() {
    // Octets of EBCDIC (RFC 1345, IBM037): "Hi".
    let resolved = charset::resolve(&Label::new("cp037"));
    let ebcdic = resolved.charset.unwrap();
    assert_eq!(ebcdic.name(), "IBM037");
    let decoded = ebcdic.decode(b"\xC8\x89");
    if cfg!(feature = "legacy") {
        assert_eq!(decoded.as_str(), "Hi");
        assert!(ebcdic.is_decoded());
    } else {
        assert_eq!(decoded.as_str(), "\u{FFFD}\u{FFFD}");
        assert!(decoded.report().has(Kind::Undecoded));
        assert!(ebcdic.undecoded_reason().unwrap().contains("`legacy`"));
    }
}

/// Common charsets are kept: those of the Encoding Standard that are not aliases in mail, and those
/// that it maps to the replacement encoding.
#[test]
fn the_charsets_of_mail_need_no_feature() {
    let names = "UTF-8 UTF-16 UTF-16LE UTF-16BE UTF-7 UNICODE-1-1-UTF-8 UNICODE-1-1-UTF-7 \
                 IBM866 ISO-8859-1 ISO-8859-2 ISO-8859-3 ISO-8859-4 ISO-8859-5 ISO-8859-6 \
                 ISO-8859-7 ISO-8859-8 ISO-8859-8-I ISO-8859-9 ISO-8859-10 ISO-8859-13 \
                 ISO-8859-14 ISO-8859-15 ISO-8859-16 KOI8-R KOI8-U macintosh windows-874 \
                 windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 \
                 windows-1256 windows-1257 windows-1258 x-mac-cyrillic GBK GB18030 GB2312 Big5 \
                 Big5-HKSCS EUC-JP ISO-2022-JP Shift_JIS EUC-KR x-user-defined ISO-2022-KR \
                 ISO-2022-CN HZ-GB-2312 ISO-2022-JP-1 ISO-2022-JP-2 EUC-TW CP50220 IBM437 IBM850";
    for name in names.split_whitespace() {
        let charset = Charset::for_label(name).unwrap();
        assert!(charset.is_decoded(), "{name}");
    }
}

/// Exactly the charsets that docs/charsets.md lists under the feature are omitted without it.
#[test]
fn the_feature_legacy_adds_exactly_its_list() {
    let page = include_str!("../../docs/charsets.md");
    let list = page
        .split("## Decoded only with the feature `legacy`")
        .nth(1)
        .unwrap();
    let list = list.split("\n\n").nth(2).unwrap();
    let listed: BTreeSet<&str> = list
        .split_whitespace()
        .map(|name| name.trim_matches('`'))
        .collect();
    for charset in Charset::all() {
        let reason = charset.undecoded_reason().unwrap_or_default();
        let is_left_out = reason.contains("the feature `legacy`");
        let is_expected = !cfg!(feature = "legacy") && listed.contains(charset.name());
        assert_eq!(is_left_out, is_expected, "{charset}");
    }
    // 303 charsets are known by name, and 284 are decoded with all features.
    let decoded = Charset::all().filter(|it| it.is_decoded()).count();
    let left_out = if cfg!(feature = "legacy") {
        0
    } else {
        listed.len()
    };
    assert_eq!(decoded, 284 - left_out);
    assert_eq!(listed.len(), 182);
}
