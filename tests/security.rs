//! What attackers write into mail, each with the class of attack that it stops.

use mime_charset::decode::{field, parameter};
use mime_charset::header::{self, Syntax};
use mime_charset::{Charset, Kind, Message, Options};

fn charset(label: &str) -> Charset {
    Charset::for_label(label).unwrap()
}

/// Filters that look at text before it is decoded are passed by other spellings of `/`, `.`,
/// NUL and quotes (RFC 3629, section 10).
#[test]
fn overlong_forms_never_yield_ascii() {
    for octets in [
        b"/\xC0\xAE./".as_slice(),
        b"\xC0\x80",
        b"\xE0\x80\xAF",
        b"\xF0\x80\x80\xAE",
        b"\xC0\xA2",
        b"\xF8\x80\x80\x80\xAF",
    ] {
        let text = Charset::UTF_8.decode(octets);
        let plain: String = text.text().chars().filter(|&c| c != '\u{FFFD}').collect();
        let given: Vec<u8> = octets.iter().copied().filter(u8::is_ascii).collect();
        assert_eq!(plain.as_bytes(), given, "{octets:X?}");
        assert!(text.report().has_loss());
    }
}

/// Surrogates in UTF-8 are a second spelling of what lies beyond U+FFFF (RFC 3629, section 3).
#[test]
fn surrogate_pairs_are_no_utf_8() {
    let text = Charset::UTF_8.decode(b"\xED\xA0\xBD\xED\xB8\x80");
    assert_eq!(text.text(), "\u{FFFD}".repeat(6));
}

/// A lead octet that swallows what follows hides a quote, a tag or the end of a line: the
/// classic cross-site scripting by broken multi-octet text.
#[test]
fn lead_octets_never_swallow_ascii() {
    // JOHAB is not among them: octets from 31 on are second halves of its symbols.
    let labels = [
        "utf-8",
        "euc-kr",
        "shift_jis",
        "euc-jp",
        "gbk",
        "gb18030",
        "big5",
        "big5-hkscs",
        "euc-tw",
        "windows-31j",
        "cesu-8",
    ];
    for label in labels {
        for lead in 0x80..=0xFF {
            for special in [b'<', b'"', b'\'', b'&', b'\r', b'\n', b' ', b'>', b'='] {
                let octets = [b'a', lead, special, b'b'];
                let decoded = charset(label).decode(&octets);
                let special = char::from(special);
                assert!(
                    decoded.text().contains(special),
                    "{label} {octets:X?} {:?}",
                    decoded.text()
                );
            }
        }
    }
}

/// UTF-7 hides markup from filters; it is decoded where a label says so, and known as no
/// superset of ASCII.
#[test]
fn utf_7_only_by_label() {
    let script = b"+ADw-script+AD4-";
    assert_eq!(
        Message::parse(&[b"\n\n".as_slice(), script].concat())
            .parts()
            .next()
            .unwrap()
            .text()
            .text()
            .trim(),
        "+ADw-script+AD4-"
    );
    assert!(!charset("utf-7").is_ascii_superset());
    assert_eq!(charset("utf-7").decode(script).text(), "<script>");
}

/// An open designation must not turn the next lines into other text (RFC 1468).
#[test]
fn iso_2022_designations_end_with_the_line() {
    let decoded = charset("iso-2022-jp").decode(b"\x1B$B0!\r\n<b>plain</b>");
    assert_eq!(decoded.text(), "亜\r\n<b>plain</b>");
}

/// "Splitting the email atom": what encoded words hold becomes no address.
#[test]
fn encoded_words_make_no_address() {
    let body =
        b"=?utf-8?Q?boss=40bank.example=2C?= =?utf-8?Q?_=3Cx=40y=2Eexample=3E?= <evil@example.org>";
    let list = header::addresses(body);
    let found: Vec<_> = list
        .mailboxes()
        .map(|mailbox| mailbox.addr_spec().to_vec())
        .collect();
    assert_eq!(found, [b"evil@example.org".to_vec()]);
    // The decoded field, read once more as a field, has the same one address.
    let text = field(body, Syntax::Addresses, &Options::new());
    let again = header::addresses(text.text().as_bytes());
    let found: Vec<_> = again
        .mailboxes()
        .map(|mailbox| mailbox.addr_spec().to_vec())
        .collect();
    assert_eq!(found, [b"evil@example.org".to_vec()]);
    // Inside an address a word stays as it stands.
    let list = header::addresses(b"=?utf-8?Q?boss=40bank.example?=@example.org");
    for mailbox in list.mailboxes() {
        assert!(
            !mailbox
                .addr_spec()
                .windows(9)
                .any(|part| part == b"boss@bank")
        );
    }
}

/// Mailsploit: line ends and NUL in a display name are returned and flagged, and make no
/// field.
#[test]
fn encoded_words_make_no_field() {
    let message = Message::parse(
        b"From: =?utf-8?Q?boss=40bank.example=0D=0ABcc=3A_x=40y.example=00?= <evil@example.org>\r\n\r\n",
    );
    assert_eq!(message.fields().count(), 1);
    let text = message.field("From").unwrap().text();
    assert!(text.report().has(Kind::Control));
    assert!(text.report().has(Kind::Nul));
    let list = header::addresses(message.field("From").unwrap().body());
    assert_eq!(list.mailboxes().count(), 1);
}

/// What a word holds adds no parameter, and a file name stays one value.
#[test]
fn encoded_words_make_no_parameter() {
    let body = b"text/plain; name=\"=?utf-8?Q?a=22=3B_charset=3Dutf-7?=\"; charset=utf-8";
    let content_type = header::content_type(body);
    assert_eq!(content_type.charset().unwrap().as_bytes(), b"utf-8");
    assert_eq!(content_type.parameters().len(), 2);
    let name = parameter(content_type.parameter("name").unwrap(), &Options::new());
    assert_eq!(name.text(), "a\"; charset=utf-7");
}

/// Text that runs the other way can make `exe.txt` of `txt.exe`.
#[test]
fn bidirectional_controls_are_returned_and_flagged() {
    let disposition =
        header::content_disposition(b"attachment; filename*=utf-8''a%E2%80%AEtxt.exe");
    let name = parameter(disposition.parameter("filename").unwrap(), &Options::new());
    assert_eq!(name.text(), "a\u{202E}txt.exe");
    assert!(name.report().has(Kind::BidiControl));
}

/// Two declarations that disagree are read by one rule, the first, and reported: what a
/// filter sees and what a reader sees must not differ in silence (RFC 7103, section 7.5).
#[test]
fn conflicting_declarations_are_flagged() {
    let content_type = header::content_type(b"text/html; charset=us-ascii; charset=utf-7");
    assert_eq!(content_type.charset().unwrap().as_bytes(), b"us-ascii");
    assert!(content_type.report().has(Kind::DuplicateParameter));
}

/// A label names nothing outside the list of charsets: no path, no program's own codec.
#[test]
fn labels_name_charsets_alone() {
    for label in [
        "../../etc/passwd",
        "rot13",
        "idna",
        "punycode",
        "hex",
        "zlib",
        "base64",
        "locale",
        "char",
    ] {
        let resolved = mime_charset::charset::resolve(&mime_charset::Label::new(label));
        assert_eq!(resolved.charset(), None, "{label}");
    }
}
