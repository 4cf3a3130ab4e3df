//! Names of mailboxes in IMAP (RFC 3501, section 5.1.3).

use mime_charset::charset::mailbox_name::{decode, encode};
use mime_charset::{Charset, Kind};
use proptest::prelude::*;

/// The section's own example, and names written by `CPython`: each run that is not printable ASCII
/// by `base64.b64encode(run.encode("utf-16-be"), altchars=b"+,").rstrip(b"=")`.
const NAMES: [(&str, &str); 14] = [
    ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),
    ("Entwürfe", "Entw&APw-rfe"),
    ("Отправленные", "&BB4EQgQ,BEAEMAQyBDsENQQ9BD0ESwQ1-"),
    ("보낸편지함", "&vPSwuNO4ycDVaA-"),
    ("R&D", "R&-D"),
    ("a&b☺", "a&-b&Jjo-"),
    ("😀", "&2D3eAA-"),
    ("☺!", "&Jjo-!"),
    ("日本語&", "&ZeVnLIqe-&-"),
    ("\u{7f}\t", "&AH8ACQ-"),
    ("é&é", "&AOk-&-&AOk-"),
    ("ÿÿÿ", "&AP8A,wD,-"),
    ("Łódź/Ελληνικά", "&AUEA8w-d&AXo-/&A5UDuwO7A7cDvQO5A7oDrA-"),
    ("\u{fffd}\u{10ffff}", "&,,3b,9,,-"),
];

#[test]
fn names_round_trip() {
    for (text, name) in NAMES {
        assert_eq!(encode(text), name);
        let decoded = decode(name.as_bytes());
        assert_eq!(decoded, text);
        assert!(!decoded.report().has(Kind::Utf7Syntax), "{decoded:?}");
        assert!(!decoded.report().has_loss(), "{decoded:?}");
        // The label used in mail and in the registry.
        let charset = Charset::for_label("imap4-utf-7").unwrap();
        assert_eq!(charset.decode(name.as_bytes()), decoded);
    }
    let plain = "INBOX.Sent Items";
    assert!(matches!(encode(plain), std::borrow::Cow::Borrowed(_)));
}

/// Each error in a name: its text, and the kind, offset and length of each finding. The letters of
/// base64 are U+00FC (`APw`), U+65E5 (`ZeU`), U+0041 (`AEE`) and D83D (`2D0`).
#[test]
fn errors_by_section_5_1_3() {
    use Kind::{Malformed, Utf7Syntax};
    // "Permitting a shift at the end": a hyphen ends each run.
    assert_findings(b"Entw&APw", "Entwü", &[(Utf7Syntax, 4, 4)]);
    assert_findings(b"&APw rfe", "ü rfe", &[(Utf7Syntax, 0, 4)]);
    // "& is represented by &-": an ampersand without a run is malformed.
    assert_findings(b"a & b", "a \u{fffd} b", &[(Malformed, 2, 1)]);
    assert_findings(b"a&", "a\u{fffd}", &[(Malformed, 1, 1)]);
    // "Superfluous shifts": two consecutive runs.
    assert_findings(b"&ZeU-&ZeU-", "日日", &[(Utf7Syntax, 5, 1)]);
    // "Modified BASE64 MUST NOT be used to represent any printing US-ASCII character".
    assert_findings(b"&AEE-", "A", &[(Utf7Syntax, 1, 3)]);
    // "\",\" is used instead of \"/\"": a slash ends the run; the bits before it are one character
    // and two zeros.
    assert_findings(b"&ZeU/x", "日/x", &[(Utf7Syntax, 0, 4)]);
    // A lone surrogate: 16 bits of a high surrogate and two zeros.
    assert_findings(b"&2D0-", "\u{fffd}", &[(Malformed, 1, 3)]);
    // Octets above 7F are invalid.
    assert_findings(b"caf\xC3", "caf\u{fffd}", &[(Malformed, 3, 1)]);
    assert_findings(b"a\tb", "a\tb", &[(Utf7Syntax, 1, 1)]);
}

#[track_caller]
fn assert_findings(name: &[u8], text: &str, findings: &[(Kind, usize, usize)]) {
    let decoded = decode(name);
    assert_eq!(decoded, text);
    let found: Vec<_> = decoded
        .report()
        .findings()
        .iter()
        .map(|finding| (finding.kind(), finding.offset(), finding.length()))
        .collect();
    assert_eq!(found, findings, "{}", name.escape_ascii());
}

proptest! {
    /// Every text has a name in printable ASCII that decodes to the text without findings.
    #[test]
    fn every_text_round_trips(text in prop_oneof![any::<String>(), "[a-c&\\-é日😀\\x00-\\x1F]{0,12}"]) {
        let name = encode(&text);
        prop_assert!(name.bytes().all(|octet| (0x20..=0x7E).contains(&octet)));
        let decoded = decode(name.as_bytes());
        prop_assert_eq!(decoded.as_str(), &text);
        prop_assert!(!decoded.report().has(Kind::Utf7Syntax) && !decoded.report().has_loss());
    }

    /// A name without errors is the encoding of its text.
    #[test]
    fn a_name_without_errors_is_unique(name in "[ab&\\-,/+A-D]{0,10}") {
        let decoded = decode(name.as_bytes());
        if decoded.report().is_empty() {
            prop_assert_eq!(&*encode(decoded.as_str()), &*name);
        }
    }
}
