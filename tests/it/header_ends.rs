//! Where damaged headers begin and end: lines that are not fields, folds without their indent, a
//! byte order mark or blank lines before the header, line endings of CR CR LF (RFC 5322, sections
//! 2.1 and 2.2; RFC 7103, section 7).

use mime_charset::convert::{self, convert};
use mime_charset::{Finding, Kind, Message};
use proptest::prelude::*;

use super::samples::convert_and_verify;

/// The fields as `name: text`, and the text of the last part.
fn read(source: &[u8]) -> (Vec<String>, String) {
    let message = Message::parse(source);
    let fields = message.fields().map(|field| {
        let name = String::from_utf8_lossy(field.name()).into_owned();
        format!("{name}: {}", field.text().as_str())
    });
    let fields = fields.collect();
    let text = message.parts().last().unwrap().text().as_str().to_owned();
    (fields, text)
}

/// The structural findings, each with the octets it covers.
fn reported(source: &str) -> Vec<(Kind, &str)> {
    let message = Message::parse(source.as_bytes());
    let about = |finding: &Finding| {
        let range = finding.offset()..finding.offset() + finding.length();
        (finding.kind(), &source[range])
    };
    message.report().findings().iter().map(about).collect()
}

/// Checks the names of the fields and the text of the body, with each line ending.
#[track_caller]
fn assert_fields_and_body(source: &str, names: &[&str], body: &str) {
    for end in ["\n", "\r\n", "\r"] {
        let (source, body) = (source.replace('\n', end), body.replace('\n', end));
        let message = Message::parse(source.as_bytes());
        let found: Vec<_> = message
            .fields()
            .map(|field| field.name().to_vec())
            .collect();
        let expected: Vec<_> = names.iter().map(|name| name.as_bytes().to_vec()).collect();
        assert_eq!(found, expected, "{source:?}");
        let root = message.root();
        assert_eq!(root.body(), body.as_bytes(), "{source:?}");
        // No octet is dropped, and offsets are in the message.
        assert_eq!([root.header(), root.body()].concat(), source.as_bytes());
        for field in message.fields() {
            let range = field.range().unwrap();
            assert!(source.as_bytes()[range].starts_with(field.name()));
        }
    }
}

/// RFC 5322, section 2.2: a field name has no blanks. A line with blanks in its name still belongs
/// to the header: as body it would shift the base64.
#[test]
fn rfc5322_2_2_a_field_with_blanks_in_its_name_is_not_body() {
    let field = "Content-Transfer-Encoding";
    for line in [
        "X Foo: bar",
        "X-Foo Bar: baz",
        "x foo: bar",
        "X  Foo\tBar:baz",
        "X Foo: bar\n Baz Qux: quux",
        "X Foo: bar\nY Foo: bar\n folded",
    ] {
        // "Hello world" in base64 (RFC 4648).
        let source = format!("{field}: base64\n{line}\n\nSGVsbG8gd29ybGQ=\n");
        assert_fields_and_body(&source, &[field], "SGVsbG8gd29ybGQ=\n");
        assert_eq!(read(source.as_bytes()).1, "Hello world");
        let findings = reported(&source);
        assert!(!findings.is_empty());
        assert!(findings.iter().all(|(kind, _)| *kind == Kind::HeaderLine));
        let all: String = findings.iter().map(|(_, line)| *line).collect();
        assert_eq!(all, format!("{line}\n"));
        // The same after another field, and before one.
        let source = format!("{field}: 7bit\nSubject: x\n{line}\nTo: a@example.org\n\nbody");
        assert_fields_and_body(&source, &[field, "Subject", "To"], "body");
    }
    assert_fields_and_body(
        "Subject: x\nX Spam Status: no\n\nbody",
        &["Subject"],
        "body",
    );
    // A sentence is body text.
    for body in ["He said: hello\n\nbody", "Is This The End: no\n\nbody"] {
        assert_fields_and_body(&format!("Subject: x\n{body}"), &["Subject"], body);
        assert_fields_and_body(&format!("{field}: 8bit\n{body}"), &[field], body);
    }
}

/// RFC 7103, section 7.2: a body without a blank line before it begins with the first line that is
/// not a field.
#[test]
fn rfc7103_7_2_text_after_a_missing_blank_line_is_body() {
    for body in [
        "Hi Bob,\nsee below.\n> quoted\nFrom: Carl",
        "Hi Bob,\nsee below.\n> quoted\nFrom: Carl\n\nmore\n",
        "Hi Bob,\nsee below.\nFrom: Carl\nSubject: y\n\nmore\n",
        "Hi Bob,\nsee below.\nFrom: Carl\nand so on\n\nmore\n",
        "Hi Bob,\nsee below.\nFrom: Carl\n",
        "Hi Bob,\nsee below.\nNote: this\n\nmore\n",
        "1\n2\n3\n4\n5\n6\n7\n8\n9\nFrom: Carl\n\nmore\n",
        "a\nb\n--\nFrom: Carl\n\nmore\n",
        "Dear Bob:\n\nmore\n",
        "On Tuesday 10:30 we meet\n\nmore\n",
        "Please see http://example.org/a: b\n\nmore\n",
        "I have a question: why?\n\nmore\n",
        ": empty\n\nmore\n",
        "body\n",
    ] {
        assert_fields_and_body(&format!("Subject: x\n{body}"), &["Subject"], body);
        assert_fields_and_body(
            &format!("From: a@example.org\nSubject: x\n{body}"),
            &["From", "Subject"],
            body,
        );
    }
    // A text without any header.
    for text in [
        "Hello all,\nsee\nNote: this\n\nmore",
        "a b\nc d\nFrom: x\n\nmore",
    ] {
        assert_fields_and_body(text, &[], text);
    }
    // In a part, From and Subject have no meaning (RFC 2046, section 5.1).
    let part = "Content-Type: text/plain\nHi Bob,\nsee below.\nFrom: Carl\nTo: Bob\n\nmore\n";
    let source = format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n{part}--b--\n");
    let expected = part.split_once('\n').unwrap().1.trim_end();
    assert_eq!(read(source.as_bytes()).1, expected);
}

/// Folds that lost their blank (RFC 5322, section 2.2.3), followed by fields.
#[test]
fn rfc5322_2_2_3_a_header_continues_after_lines_that_are_not_fields() {
    for (lines, field) in [
        (
            "by y with SMTP id 1\nfor <z@example.org>; Thu, 4 Mar 1999",
            "From: a",
        ),
        ("1\n2\n3\n4\n5\n6\n7\n8", "Subject: x"),
        ("xx\nyy", "Date: Thu, 4 Mar 1999 10:00:00 +0100"),
        ("xx\nyy", "To: a@example.org"),
        ("xx\nyy", "message-id: <a@example.org>"),
        ("xx\nyy", "MIME-Version: 1.0"),
        ("xx\nyy", "Content-Type: text/plain"),
        ("xx\nyy", "Content-Transfer-Encoding: 7bit"),
        ("xx\n folded\nyy", "Content-Disposition: inline"),
    ] {
        let name = field.split(':').next().unwrap();
        // An empty field may come first and last.
        let source = format!("Received: a\n{lines}\nX-One: 1\n 2\n{field}\nX-Two: 2\n\nbody\n");
        assert_fields_and_body(&source, &["Received", "X-One", name, "X-Two"], "body\n");
        let findings = reported(&source);
        let all: String = findings.iter().map(|(_, line)| *line).collect();
        assert_eq!(all, format!("{lines}\n"));
        assert_eq!(findings.len(), lines.lines().count());
    }
    // Repeated: once recognized, the header continues.
    let source = "Received: a\nb\nc\nReceived: d\ne\nf\ng\nFrom: a\nh\nSubject: x\n\nbody\n";
    assert_fields_and_body(
        source,
        &["Received", "Received", "From", "Subject"],
        "body\n",
    );
    // A Content field continues the header of a part.
    let part = "Content-Type: text/plain;\nxx\nyy\nContent-Transfer-Encoding: base64\n\nSGk=\n";
    let source = format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n{part}--b--\n");
    assert_eq!(read(source.as_bytes()).1, "Hi");
    let source = b"Received: a\nxx\nyy\nSubject: =?koi8-r?B?8NLJ18XU?=\n\nbody";
    let expected = "Received: a\nxx\nyy\nSubject: =?UTF-8?B?0J/RgNC40LLQtdGC?=\n\nbody";
    assert_eq!(
        String::from_utf8_lossy(&convert_and_verify(source)),
        expected
    );
}

/// A line that lost the blank of its fold continues the preceding field if that is unfinished.
#[test]
fn rfc5322_2_2_3_a_field_continues_on_a_line_without_indent() {
    // "Привет" in KOI8-R and in UTF-8, by CPython.
    for (header, fields) in [
        (
            "To: \"B\" <b@example.org>,\n\"C\" <c@example.org>",
            &["b@example.org", "c@example.org"][..],
        ),
        (
            "To: a@example.org,\nb@example.org,\nC\n <c@example.org>",
            &["a@example.org", "b@example.org", "c@example.org"],
        ),
    ] {
        let source = format!("{header}\nSubject: x\n\nbody");
        assert_fields_and_body(&source, &["To", "Subject"], "body");
        let message = Message::parse(source.as_bytes());
        let to = message.to().unwrap();
        let found: Vec<_> = to.mailboxes().map(|it| &*it.address).collect();
        assert_eq!(found, fields);
        assert_fields_and_body(&format!("{header}\n\nbody"), &["To"], "body");
    }
    for (subject, text) in [
        ("=?utf-8?Q?a?=\n=?utf-8?Q?b?=", "ab"),
        ("=?utf-8?Q?a:?=\n=?utf-8?Q?b:?=\n =?utf-8?Q?c?=", "a:b:c"),
        ("=?koi8-r?B?8NLJ\n18XU?=", "Привет"),
        ("=?utf-8?B?0J/R\ngNC4\n0LLQ\ntdGC?=", "Привет"),
        ("a =?koi8-r?B?8NLJ\n18XU?= b\n c", "a Привет b c"),
    ] {
        for end in ["\n", "\r\n", "\r"] {
            let source = format!("Subject: {subject}\nTo: a@example.org\n\nbody");
            let (fields, body) = read(source.replace('\n', end).as_bytes());
            let expected = [format!("Subject: {text}"), "To: a@example.org".to_owned()];
            assert_eq!((fields, &*body), (expected.to_vec(), "body"));
        }
        let source = format!("Subject: {subject}\n\nbody");
        assert_eq!(read(source.as_bytes()).1, "body");
        convert_and_verify(source.as_bytes());
    }
    let findings = reported("Subject: =?utf-8?Q?a?=\n=?utf-8?Q?b?=\n\nbody");
    assert_eq!(findings, [(Kind::HeaderLine, "=?utf-8?Q?b?=\n")]);
}

/// Parameters on a line without indent (RFC 2045, section 5.1).
#[test]
fn rfc2045_5_1_a_parameter_on_a_line_without_indent() {
    let source = b"Content-Type: multipart/mixed;\nboundary=\"AAA\"\n\n--AAA\n\nHello\n--AAA--\n";
    assert_eq!(read(source).1, "Hello");
    for behind in ["", "Subject: x\n"] {
        let field = "Content-Transfer-Encoding: base64\n";
        let source =
            format!("{field}Content-Type: text/plain;\ncharset=\"koi8-r\"\n{behind}\n8NLJ18XU\n");
        assert_eq!(read(source.as_bytes()).1, "Привет");
        let converted = convert_and_verify(source.as_bytes());
        assert_eq!(read(&converted).1, "Привет");
        for (name, field, value) in [
            (
                "Content-Type",
                "image/png; x=y;\nname=\"a b.png\"",
                "a b.png",
            ),
            ("Content-Type", "image/png;\nname*=koi8-r''%F0", "П"),
            (
                "Content-Disposition",
                "attachment;\nsize=1;\nfilename=a.png",
                "a.png",
            ),
        ] {
            let source = format!("{name}: {field}\n{behind}\nbody");
            let message = Message::parse(source.as_bytes());
            assert_eq!(
                message.root().filename().unwrap().as_str(),
                value,
                "{source}"
            );
            assert_eq!(message.root().body(), b"body");
        }
    }
    // A delimiter is not a continuation.
    for end in [
        "Content-Type: text/plain;",
        "To: a@example.org,",
        "Subject: =?utf-8?Q?a",
    ] {
        let part = format!("--=a@b\n{end}\n");
        let source =
            format!("Content-Type: multipart/mixed; boundary=\"=a@b\"\n\n{part}{part}--=a@b--\n");
        assert_eq!(
            Message::parse(source.as_bytes()).parts().len(),
            2,
            "{source}"
        );
    }
    // Other fields have no parameters, and other lines are body.
    assert_fields_and_body("Subject: a;\nb=c\n\nbody", &["Subject"], "b=c\n\nbody");
    assert_fields_and_body(
        "Content-Type: text/plain;\nHello\n\nbody",
        &["Content-Type"],
        "Hello\n\nbody",
    );
    assert_fields_and_body(
        "Content-Type: text/plain;\na =\n\nbody",
        &["Content-Type"],
        "a =\n\nbody",
    );
    assert_fields_and_body(
        "Subject: Hello,\nmail a@example.org\n\nx",
        &["Subject"],
        "mail a@example.org\n\nx",
    );
    assert_fields_and_body("To: Bob,\nHi Bob\n\nbody", &["To"], "Hi Bob\n\nbody");
    assert_fields_and_body(
        "Subject: =?utf-8?Q?a\nHello all?=\n\nx",
        &["Subject"],
        "Hello all?=\n\nx",
    );
    assert_fields_and_body(
        "Subject: =?utf-8?Q?a\nHello\n\nx?=",
        &["Subject"],
        "Hello\n\nx?=",
    );
}

/// RFC 3629, section 6: editors put a byte order mark before a text.
#[test]
fn rfc3629_6_a_byte_order_mark_before_the_first_field() {
    let mark = "\u{FEFF}";
    let header = "Content-Type: text/plain; charset=koi8-r\nSubject: x\n\n";
    // "Привет" in KOI8-R, by CPython.
    let body = b"\xF0\xD2\xC9\xD7\xC5\xD4";
    for start in [
        "",
        "From a Sat Jan  3 01:05:34 1996\n",
        "\n",
        "\n\n>From a\n",
    ] {
        let source = [mark, start, header].concat();
        let source = [source.as_bytes(), body].concat();
        let message = Message::parse(&source);
        assert_eq!(message.fields().count(), 2, "{start:?}");
        assert_eq!(message.parts().next().unwrap().text().as_str(), "Привет");
        let first = &message.report().findings()[0];
        assert_eq!(
            (first.kind(), first.offset(), first.length()),
            (Kind::BomRemoved, 0, 3)
        );
        let field = message.field("Content-Type").unwrap();
        assert_eq!(field.range().unwrap().start, mark.len() + start.len());
        let converted = convert_and_verify(&source);
        assert!(converted.starts_with([mark, start].concat().as_bytes()));
        assert_eq!(read(&converted).1, "Привет");
    }
    // In an attached message.
    let inner = [format!("{mark}{header}").as_bytes(), body].concat();
    let source = [b"Content-Type: message/rfc822\n\n".as_slice(), &inner].concat();
    assert_eq!(read(&source).1, "Привет");
    // In a text without a header, and in a body, the mark is kept.
    assert_fields_and_body(
        "\u{FEFF}Hello all\nof you\n",
        &[],
        "\u{FEFF}Hello all\nof you\n",
    );
    assert_fields_and_body("\n\u{FEFF}Note: a\n\nb\n", &[], "\u{FEFF}Note: a\n\nb\n");
    assert_fields_and_body(
        "Subject: x\n\n\u{FEFF}To: a\n\nb\n",
        &["Subject"],
        "\u{FEFF}To: a\n\nb\n",
    );
}

/// RFC 5322, section 2.1: the header comes first. Blank lines before it are not an empty header.
#[test]
fn rfc5322_2_1_blank_lines_before_the_header() {
    let message = "From: a@example.org\nX-One: 1\nSubject: x\n\nbody\n";
    for count in 1..=8 {
        let blank = "\n".repeat(count);
        let source = format!("{blank}{message}");
        assert_fields_and_body(&source, &["From", "X-One", "Subject"], "body\n");
        assert_eq!(reported(&source), [(Kind::HeaderLine, &*blank)]);
        let inside = format!("Content-Type: message/rfc822\n\n{source}");
        assert_eq!(read(inside.as_bytes()).1, "body\n");
    }
    for text in [
        "Note: this\n\nmore\n",
        "Subject: x\n\nmore\n",
        "From: a\nHello\nSubject: x\n\nmore\n",
        "From: a\nSubject: x\n",
        "Hello\nFrom: a\nSubject: x\n\nmore\n",
    ] {
        assert_fields_and_body(&format!("\n{text}"), &[], text);
    }
    // A part without a header begins with the blank line (RFC 2046, section 5.1).
    let source = format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n\n{message}--b--\n");
    assert_eq!(read(source.as_bytes()).1, message.trim_end());
    let source = format!("Content-Type: multipart/mixed; boundary=b\n\n--b\n\n\n{message}--b--\n");
    assert_eq!(
        read(source.as_bytes()).1,
        format!("\n{}", message.trim_end())
    );
}

/// RFC 5322, section 2.3: lines end in CRLF. If it was converted twice, they end in CR CR LF.
#[test]
fn rfc5322_2_3_a_header_whose_lines_end_in_cr_cr_lf() {
    let lines =
        "From: A <a@example.org>\nTo: b@example.org,\n c@example.org\nSubject: one\n\nbody\n";
    let source = lines.replace('\n', "\r\r\n");
    let (fields, body) = read(source.as_bytes());
    let expected = [
        "From: A <a@example.org>",
        "To: b@example.org, c@example.org",
        "Subject: one",
    ];
    assert_eq!(
        (fields, &*body),
        (expected.map(String::from).to_vec(), "body\r\r\n")
    );
    let header = source.strip_suffix("body\r\r\n").unwrap();
    assert_eq!(reported(&source), [(Kind::BareLineEnd, header)]);
    let message = Message::parse(source.as_bytes());
    assert!(
        message
            .fields()
            .all(|field| field.text().report().is_empty())
    );
    // "Привет" in KOI8-R, by CPython. The conversion adds a field before a blank line of CR CR LF.
    let head = "Subject: =?koi8-r?B?8NLJ18XU?=\nContent-Type: text/plain;\n charset=koi8-r\n\n";
    let mut source = head.replace('\n', "\r\r\n").into_bytes();
    source.extend_from_slice(b"\xF0\xD2\xC9\xD7\xC5\xD4\r\r\n");
    let (fields, body) = read(&convert_and_verify(&source));
    assert_eq!((&*fields[0], &*body), ("Subject: Привет", "Привет\r\r\n"));
    // A single such line among others has a CR in its text, with a finding.
    let source = "Subject: one\r\nTo: a@example.org\r\r\n\r\nbody";
    let message = Message::parse(source.as_bytes());
    assert!(
        message
            .field("To")
            .unwrap()
            .text()
            .report()
            .has(Kind::BareLineEnd)
    );
    assert_eq!(message.root().body(), b"body");
}

proptest! {
    /// For any header lines, every octet is in the header or the body, fields are in order from
    /// both ends, and a conversion verifies.
    #[test]
    fn drawn_lines_are_in_the_header_or_the_body(
        lines in prop::collection::vec(prop::sample::select(&[
            "", "xx", "X Foo: bar", "Subject: =?koi8-r?B?8NLJ", "18XU?=", "To: a@example.org,",
            "B <b@example.org>", "Content-Type: text/plain;", "charset=koi8-r", "From: a", ">From b",
            "=?utf-8?Q?b:?=", " fold", "Date: x", "\u{FEFF}A: b", "--b", "From x",
        ][..]), 0..16),
        end in prop::sample::select(&["\n", "\r\n", "\r\r\n", "\r"][..]),
        many in any::<bool>(),
    ) {
        // A message indexes 256 fields, and parses those beyond them again.
        let start = if many { format!("X: y{end}").repeat(256) } else { String::new() };
        let source = start + &lines.iter().flat_map(|line| [*line, end]).collect::<String>();
        let message = Message::parse(source.as_bytes());
        let root = message.root();
        prop_assert_eq!([root.header(), root.body()].concat(), source.as_bytes());
        let forward: Vec<_> = message.fields().map(|field| field.range().unwrap()).collect();
        let mut backward: Vec<_> = message.fields().rev().map(|field| field.range().unwrap()).collect();
        backward.reverse();
        prop_assert_eq!(&forward, &backward);
        prop_assert!(forward.windows(2).all(|pair| pair[0].end <= pair[1].start));
        if !many {
            convert_and_verify(source.as_bytes());
        }
    }
}

/// RFC 2781, section 3.3: the mark gives the byte order. An editor that saves a message in UTF-16
/// converts the whole file.
#[test]
fn rfc2781_3_3_a_message_in_utf_16_is_decoded() {
    let header = "From: \"J\u{f6}rg\" <joerg@example.org>\nSubject: =?koi8-r?B?8NLJ18XU?=\n";
    let part = "Content-Type: text/plain; charset=iso-8859-1\n\ncaf\u{e9} \u{1F600}\n";
    let whole = format!("{header}{part}");
    let multipart = format!(
        "{header}Content-Type: multipart/mixed; boundary=b\n\n--b\n{part}\n--b\n\
         Content-Transfer-Encoding: base64\n\nSGk=\n--b--\n"
    );
    for (text, parts) in [(&whole, 1), (&multipart, 2)] {
        for end in ["\n", "\r\n"] {
            for is_little in [true, false] {
                let text = format!("\u{FEFF}{}", text.replace('\n', end));
                let units = text.encode_utf16();
                let octets = units.flat_map(|unit| {
                    if is_little {
                        unit.to_le_bytes()
                    } else {
                        unit.to_be_bytes()
                    }
                });
                let source: Vec<u8> = octets.collect();
                let message = Message::parse(&source);
                assert_eq!(message.source(), source);
                assert_eq!(message.subject().unwrap().as_str(), "Привет");
                let from = message.from().unwrap();
                assert_eq!(from.list[0].to_string(), "J\u{f6}rg <joerg@example.org>");
                assert_eq!(message.parts().len(), parts);
                let text = message.parts().next().unwrap().text().as_str().to_owned();
                assert_eq!(text.trim_end(), "caf\u{e9} \u{1F600}");
                assert_eq!(message.field("Subject").unwrap().range(), None);
                let first = &message.report().findings()[0];
                let place = (first.kind(), first.offset(), first.length());
                assert_eq!(place, (Kind::BomRemoved, 0, source.len()));
                // It is kept, with a finding.
                assert_eq!(convert_and_verify(&source), source);
                let converted = convert(&source, &convert::Conversion::new());
                assert!(converted.report.has(Kind::Unconverted));
            }
        }
    }
    // Text without a header, or without a mark, is not such a message.
    for text in [
        "\u{FEFF}Hello\n",
        "\u{FEFF}Note: x\n\ny\n",
        "From: a\nSubject: b\n\nc\n",
    ] {
        let source: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let message = Message::parse(&source);
        assert!(message.field("Subject").is_none(), "{text:?}");
        assert_eq!(message.root().body_range().unwrap().end, source.len());
    }
}
