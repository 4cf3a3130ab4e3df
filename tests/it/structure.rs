//! Damaged structure and the text it could hide: parentheses in parameters, multiparts without
//! delimiters, and octets that hide content from scanners.

use mime_charset::convert::{self, convert};
use mime_charset::header::{self, Parameter, content_disposition, content_type};
use mime_charset::message::{MAX_DEPTH, MAX_PARTS, Part};
use mime_charset::transfer::TransferEncoding;
use mime_charset::{
    Charset, Effect, Finding, Kind, Message, Options, Report, Source, charset, decode,
    header::Syntax,
};

use super::laws;
use super::samples::{Draw, convert_and_verify};

fn kinds(report: &Report) -> Vec<Kind> {
    report.findings().iter().map(Finding::kind).collect()
}

/// The parameters of a field, each as `name=value`, and the findings.
fn read(parameters: &str) -> (Vec<String>, Vec<Kind>) {
    let shown = |all: &[Parameter<'_>]| -> Vec<String> {
        let one = |it: &Parameter<'_>| {
            let value = String::from_utf8_lossy(it.octets()).into_owned();
            format!("{}={value}", it.name())
        };
        all.iter().map(one).collect()
    };
    let disposition = format!("attachment; {parameters}");
    let disposition = content_disposition(disposition.as_bytes());
    let of_type = format!("image/jpeg; {parameters}");
    let of_type = content_type(of_type.as_bytes());
    let values = shown(disposition.parameters());
    assert_eq!(values, shown(of_type.parameters()), "{parameters}");
    let found = kinds(disposition.report());
    assert_eq!(found, kinds(of_type.report()), "{parameters}");
    (values, found)
}

#[track_caller]
fn assert_parameters(parameters: &str, values: &[&str], findings: &[Kind]) {
    let (found, kinds) = read(parameters);
    assert_eq!(found, values, "{parameters}");
    assert_eq!(kinds, findings, "{parameters}");
}

/// A closed parenthesis is a comment; an unclosed one is an octet of the value.
#[test]
fn rfc2045_5_1_an_unclosed_parenthesis() {
    use Kind::{SkippedText, UnquotedSpecial, Unterminated};
    assert_parameters(
        "x=see(note; boundary=\"AAA\"",
        &["x=see(note", "boundary=AAA"],
        &[UnquotedSpecial],
    );
    assert_parameters("x=((((a; c=d", &["x=((((a", "c=d"], &[UnquotedSpecial]);
    assert_parameters("x=(a; c=d", &["x=(a", "c=d"], &[UnquotedSpecial]);
    assert_parameters("x=a(; c=d", &["x=a(", "c=d"], &[UnquotedSpecial]);
    assert_parameters("x=a\\(b; c=d", &["x=a\\(b", "c=d"], &[UnquotedSpecial]);
    assert_parameters("x=a(b\\); c=d", &["x=a(b\\)", "c=d"], &[UnquotedSpecial]);
    assert_parameters("x=a((b); c=d", &["x=a((b)", "c=d"], &[UnquotedSpecial]);
    // A closed comment stays a comment, even with a semicolon.
    assert_parameters("x=see(note; c=d); e=f", &["x=see", "e=f"], &[]);
    // In a file name it may follow a blank.
    assert_parameters(
        "filename=a (b; c=d",
        &["filename=a (b", "c=d"],
        &[UnquotedSpecial],
    );
    assert_parameters(
        "name=a\r\n (b; c=d",
        &["name=a (b", "c=d"],
        &[UnquotedSpecial],
    );
    // After another value, after quotes and between parameters it is skipped.
    assert_parameters("x=y (z; c=d", &["x=y", "c=d"], &[Unterminated, SkippedText]);
    assert_parameters(
        "x=\"y\" (z; c=d",
        &["x=y", "c=d"],
        &[Unterminated, SkippedText],
    );
    assert_parameters("(z; c=d", &["c=d"], &[Unterminated, SkippedText]);
    assert_parameters("(c=d; e=f", &["c=d", "e=f"], &[Unterminated]);
    assert_parameters("x=(y) (z; c=d", &["x=(z", "c=d"], &[UnquotedSpecial]);
    // The finding has the offset.
    let body = b"multipart/mixed; x=see(note; boundary=\"AAA\"";
    let field = content_type(body);
    let place = field.report().findings()[0].offset();
    assert_eq!(&body[place..place + 8], b"see(note");
    assert_eq!(field.parameter("boundary").unwrap().octets(), b"AAA");
    for body in [
        "multipart/mixed (b; boundary=A",
        "multipart/mixed; (b; boundary=A",
    ] {
        let field = content_type(body.as_bytes());
        assert_eq!(field.media_type(), "multipart/mixed");
        assert_eq!(field.parameter("boundary").unwrap().octets(), b"A");
    }
    let field = content_type(b"(text/plain; charset=koi8-r");
    assert!(!field.is_valid());
    assert_eq!(field.charset().unwrap().as_bytes(), b"koi8-r");
}

/// A boundary after such a parenthesis is found, and so are its parts.
#[test]
fn rfc2046_5_1_1_a_boundary_after_a_parenthesis() {
    let message = "Content-Type: multipart/mixed; x=see(note; boundary=\"AAA\"\n\n\
                   --AAA\nContent-Type: text/plain; x=(y; charset=koi8-r\n\n\u{1}\n--AAA--\n";
    let message: Vec<u8> = message
        .bytes()
        .map(|o| if o == 1 { 0xC1 } else { o })
        .collect();
    let message = Message::parse(&message);
    let part = message.parts().next().unwrap();
    assert_eq!(part.section(), "1");
    // KOI8-R, C1: RFC 1489.
    assert_eq!(part.text().as_str(), "а");
    assert_eq!(part.text().source(), Source::Declared);
    assert_eq!(
        message
            .entities()
            .next()
            .unwrap()
            .mime_header()
            .report()
            .findings()
            .len(),
        1
    );
}

/// "charset=us-ascii (Plain text)" is the section's own example.
#[test]
fn rfc2045_5_1_comments_stay_comments() {
    assert_parameters("charset=us-ascii (Plain text)", &["charset=us-ascii"], &[]);
    assert_parameters("charset=(x)utf-8", &["charset=utf-8"], &[]);
    assert_parameters("charset=(x) utf-8 (y) (z)", &["charset=utf-8"], &[]);
    assert_parameters("filename=photo(1)", &["filename=photo"], &[]);
    assert_parameters("filename=photo (1); a=b", &["filename=photo", "a=b"], &[]);
    assert_parameters("filename=a (b) (c)", &["filename=a"], &[]);
    assert_parameters("filename=(c) \"a.txt\" (d)", &["filename=a.txt"], &[]);
    assert_parameters(
        "filename=\"a (1).pdf\"; b=c",
        &["filename=a (1).pdf", "b=c"],
        &[],
    );
    let missing = [Kind::MissingSemicolon];
    assert_parameters("filename=a (b) c=d", &["filename=a", "c=d"], &missing);
}

#[test]
fn rfc2045_5_1_parentheses_of_file_names() {
    for name in [
        "file (1).pdf",
        "a (b) (c).doc",
        "(1).pdf",
        "(1) report.pdf",
        "photo(1).jpg",
        "a ((b) c).txt",
        "a (b; c=d).txt",
        "a )b(.txt",
        "(a) (b).txt",
    ] {
        let whole = format!("filename={name}");
        let findings = [Kind::UnquotedSpecial];
        assert_parameters(&whole, &[&whole], &findings);
        assert_parameters(&format!("{whole}; x=y"), &[&whole, "x=y"], &findings);
        assert_parameters(&format!("{whole} (c); x=y"), &[&whole, "x=y"], &findings);
        let folded = format!("{}; x=y", whole.replace(' ', "\r\n "));
        assert_parameters(&folded, &[&whole, "x=y"], &findings);
    }
    // A name that is only a parenthesis is kept.
    let findings = [Kind::UnquotedSpecial];
    assert_parameters("name=(1); a=b", &["name=(1)", "a=b"], &findings);
}

/// A name of words and parentheses that begins and ends with a letter.
fn name(draw: &mut Draw) -> String {
    let mut name = String::from("n");
    let mut depth = 0;
    for _ in 0..=draw.below(8) {
        match draw.below(6) {
            0 | 1 => {
                name.push_str(draw.of(&["(", " (", "  ("]));
                depth += 1;
            }
            2 if depth > 0 => {
                name.push_str(draw.of(&[")", ") "]));
                depth -= 1;
            }
            3 => name.push(' '),
            _ => name.push_str(draw.of(&["a", "1", ".b", "-", "\u{e9}"])),
        }
    }
    name.push('z');
    name.push_str(&")".repeat(depth));
    name.push_str(".x");
    name
}

#[test]
fn rfc2045_5_1_drawn_names_equal_their_quoted_form() {
    for seed in 0..200 {
        let mut draw = Draw::new(seed);
        let name = name(&mut draw);
        let attribute = draw.of(&["filename", "name", "FileName"]);
        let blank = draw.of(&["", " ", "\r\n\t"]);
        let behind = draw.of(&["", ";", " ; size=1", " (c)", "; x=\"(\""]);
        let plain = content_disposition_values(&format!("{attribute}={blank}{name}{behind}"));
        let quoted = content_disposition_values(&format!("{attribute}=\"{name}\"{behind}"));
        assert_eq!(plain, quoted, "{seed}: {name}{behind}");
        assert_eq!(plain[0].1, name.as_bytes(), "{seed}: {name}{behind}");
    }
}

fn content_disposition_values(parameters: &str) -> Vec<(String, Vec<u8>)> {
    let body = format!("attachment; {parameters}");
    let field = content_disposition(body.as_bytes());
    let one = |it: &Parameter<'_>| (it.name().to_owned(), it.octets().to_vec());
    field.parameters().iter().map(one).collect()
}

/// A parameter after a semicolon is read, whatever precedes it, unless a comment or a quoted string
/// encloses it.
#[test]
fn rfc2045_5_1_drawn_parentheses_hide_no_later_parameter() {
    for seed in 0..200 {
        let mut draw = Draw::new(seed);
        let mut text = String::from("application/x");
        for _ in 0..=draw.below(12) {
            text.push_str(draw.of(&[
                "(", "((", " (", "; a=(", ";b= (c", " x", "y=", ";", "\r\n (",
            ]));
        }
        text.push_str("; boundary=AAA");
        let field = content_type(text.as_bytes());
        let boundary = field.parameter("boundary").map(Parameter::octets);
        assert_eq!(boundary, Some(&b"AAA"[..]), "{seed}: {text}");
        assert!(
            !text.contains('(') || !field.report().is_empty(),
            "{seed}: {text}"
        );
        let tail = text.replacen("application/x", "attachment", 1);
        let field = content_disposition(tail.as_bytes());
        let boundary = field.parameter("boundary").map(Parameter::octets);
        assert_eq!(boundary, Some(&b"AAA"[..]), "{seed}: {tail}");
    }
}

#[test]
fn rfc2045_6_1_an_unclosed_comment() {
    for (body, encoding) in [
        ("base64 (c", TransferEncoding::Base64),
        ("base64(c", TransferEncoding::Base64),
        ("(base64", TransferEncoding::Base64),
        ("(a) base64 ((b)", TransferEncoding::Base64),
        ("quoted-printable (c; d", TransferEncoding::QuotedPrintable),
    ] {
        let field = header::content_transfer_encoding(body.as_bytes());
        assert_eq!(field.encoding(), encoding, "{body}");
        assert_eq!(field.report().worst(), Some(Effect::Repaired), "{body}");
    }
}

/// The fast path agrees with the full parser.
#[test]
fn rfc2045_5_2_a_part_has_the_charset_of_its_field() {
    for seed in 0..200 {
        let mut draw = Draw::new(seed);
        let mut field = String::from("text/plain");
        for _ in 0..draw.below(4) {
            field.push_str(draw.of(&[
                "; x=y",
                "; x=(y",
                "; x=y (z)",
                " (c)",
                "; name=a (b) c",
                " (d",
            ]));
        }
        field.push_str("; charset=koi8-r");
        field.push_str(draw.of(&["", " (c)", " (c", "(c)", "; z=1"]));
        let mut message = format!("Content-Type: {field}\n\n").into_bytes();
        // "привет", RFC 1489.
        message.extend(b"\xD0\xD2\xC9\xD7\xC5\xD4");
        let label = content_type(field.as_bytes())
            .charset()
            .map(ToString::to_string);
        let message = Message::parse(&message);
        let part = message.parts().next().unwrap();
        let declared = part.content_type().charset().map(ToString::to_string);
        assert_eq!(label.as_deref(), Some("koi8-r"), "{field}");
        assert_eq!(declared, label);
        assert_eq!(part.text().as_str(), "привет", "{field}");
        assert_eq!(
            part.decide(&Options::new()).source,
            Source::Declared,
            "{field}"
        );
    }
}

/// RFC 2045, section 5.1, allows blanks only in quotation marks. A label with a blank, or in
/// apostrophes, is read, reported and converted. "привет" in windows-1251, as `CPython` encodes it.
#[test]
fn rfc2045_5_1_labels_that_need_quotation_marks() {
    let body = b"\xEF\xF0\xE8\xE2\xE5\xF2\n";
    for label in [
        "'Windows 1251'",
        "`Windows 1251`",
        "'Windows\n 1251'",
        "'windows-1251'",
        "Windows 1251",
        "cp 1251",
        "Windows 1251 (Cyrillic)",
    ] {
        for behind in ["", "; format=flowed", " format=flowed", " ; name='a b.txt'"] {
            let header = format!("Content-Type: text/plain; charset={label}{behind}\n");
            let encoding = "Content-Transfer-Encoding: 8bit\n\n";
            let source = [header.as_bytes(), encoding.as_bytes(), body].concat();
            let message = Message::parse(&source);
            let text = message.parts().next().unwrap().text();
            let found = (text.as_str(), text.source());
            assert_eq!(found, ("привет\n", Source::Declared), "{header}");
            let is_told = [Kind::LooseLabel, Kind::RepairedLabel];
            assert!(is_told.iter().any(|it| text.report().has(*it)), "{header}");
            let result = convert_and_verify(&source);
            assert!(result.ends_with("привет\n".as_bytes()), "{header}");
        }
    }
    for (label, expected) in [
        ("'utf-8'", "utf-8"),
        ("`iso-8859-1`", "iso-8859-1"),
        ("iso 8859 2", "iso-8859-2"),
        ("ISO 8859-15", "iso-8859-15"),
        ("ISO Latin 1", "iso-8859-1"),
        ("shift jis", "shift_jis"),
        ("utf-8 or so", "utf-8"),
        ("macintosh or so", "macintosh"),
        ("us-ascii and more", "us-ascii"),
    ] {
        let source = format!("Content-Type: text/plain; charset={label}\n\n\u{e9}\n");
        let message = Message::parse(source.as_bytes());
        let content_type = message.root().content_type();
        let resolved = charset::resolve(content_type.charset().unwrap());
        assert_eq!(resolved.charset, Charset::for_label(expected), "{label}");
    }
    // In a file name, apostrophes are characters.
    let (names, _) = read("filename='a b.pdf'");
    assert_eq!(names, ["filename='a b.pdf'"]);
}

#[test]
fn rfc2045_5_1_drawn_names_are_converted_as_they_are_read() {
    let mut changed = 0;
    for seed in 0..200 {
        let mut draw = Draw::new(seed);
        // Some letters replaced by letters of KOI8-R (RFC 1489).
        let name = name(&mut draw).replace('\u{e9}', "1").replace('a', "\u{1}");
        let message = format!(
            "Subject: x\nContent-Type: text/plain; charset=koi8-r{}\n\
             Content-Disposition: inline; filename={name}; size=1{}\n\nx\u{1}\n",
            draw.of(&["", "; x=(y", "; name=n\u{1} (1).x"]),
            draw.of(&["", " (c", "; x=y (\u{1})"]),
        );
        let source: Vec<u8> = message
            .bytes()
            .map(|o| if o == 1 { 0xC1 } else { o })
            .collect();
        let result = convert_and_verify(&source);
        let filename = |octets: &[u8]| {
            let message = Message::parse(octets);
            let part = message.parts().next().unwrap();
            let name = part.filename().unwrap();
            name.as_str().to_owned()
        };
        let expected = name.replace('\u{1}', "а");
        assert_eq!(filename(&source), expected, "{seed}");
        assert_eq!(
            filename(&result),
            expected,
            "{seed}: {}",
            result.escape_ascii()
        );
        assert!(result.windows(6).any(|octets| octets == b"size=1"));
        changed += usize::from(source != result);
    }
    assert_eq!(changed, 200);
}

/// Section, media type and text of every part.
fn texts(message: &[u8]) -> Vec<String> {
    let message = Message::parse(message);
    let one = |part: Part<'_>| {
        let content_type = part.content_type();
        let text = part.is_text().then(|| part.text().as_str().to_owned());
        format!("{} {} {text:?}", part.section(), content_type.media_type())
    };
    message.parts().map(one).collect()
}

#[test]
fn rfc2046_5_1_1_multiparts_without_delimiters_are_text() {
    for (field, body, kind) in [
        ("multipart/mixed", "Hello\n", Kind::MissingBoundary),
        (
            "multipart/mixed; boundary=\"\"",
            "Hello\n",
            Kind::MissingBoundary,
        ),
        (
            "multipart/mixed; boundary=b",
            "Hello\n",
            Kind::EmptyMultipart,
        ),
        (
            "multipart/mixed; boundary=b",
            "Hello\n--b--\n",
            Kind::EmptyMultipart,
        ),
        (
            "multipart/mixed; boundary=b",
            "--b--\nHello\n",
            Kind::EmptyMultipart,
        ),
        (
            "multipart/mixed; boundary=b",
            "--bb\n\nHello\n--bb--\n",
            Kind::EmptyMultipart,
        ),
    ] {
        let message = format!("Content-Type: {field}\n\n{body}");
        let name = field.split(';').next().unwrap();
        assert_eq!(
            texts(message.as_bytes()),
            [format!("1 {name} {:?}", Some(body))]
        );
        let message = Message::parse(message.as_bytes());
        assert_eq!(kinds(message.report()), [kind], "{field} {body}");
        // The same inside a part: the line ending before the delimiter belongs to the delimiter.
        let inside = format!(
            "Content-Type: multipart/mixed; boundary=out\n\n--out\n\nfirst\n--out\n\
             Content-Type: {field}\n\n{body}\n--out--\n"
        );
        let expected = format!("2 {name} {:?}", Some(body));
        assert_eq!(
            texts(inside.as_bytes()),
            ["1 text/plain Some(\"first\")".to_owned(), expected]
        );
    }
}

/// The findings of a message, each with the octets it covers.
fn reported(message: &str) -> Vec<(Kind, &str)> {
    let found = Message::parse(message.as_bytes());
    let findings = found.report().findings().iter();
    let about = |finding: &Finding| &message[finding.offset()..finding.offset() + finding.length()];
    findings
        .map(|finding| (finding.kind(), about(finding)))
        .collect()
}

/// The fields reported as duplicates.
fn duplicates(message: &str) -> Vec<(Kind, &str)> {
    let found = reported(message).into_iter();
    found.filter(|it| it.0 == Kind::DuplicateField).collect()
}

/// "There appears to be room for additional information prior to the first boundary delimiter line
/// and following the final boundary delimiter line. These areas should generally be left blank":
/// text there is not displayed, and its omission is reported.
#[test]
fn rfc2046_5_1_1_text_outside_parts_is_reported() {
    let message = |before: &str, behind: &str| {
        format!(
            "Content-Type: multipart/mixed; boundary=b\n\n{before}--b\n\nHello\n--b--\n{behind}"
        )
    };
    let paragraph = "This is a multi-part message in MIME format.\n";
    for (before, behind, expected) in [
        ("", "", &[][..]),
        ("\n", "\r\n \n", &[]),
        (paragraph, "\n", &[]),
        ("This is a message in Mime Format.\n", "", &[]),
        ("before the parts\n\n", "", &["before the parts"]),
        ("", "\n-- \nthe list\n", &["-- \nthe list"]),
        ("one\n", "two", &["one", "two"]),
        // A delimiter after the closing one begins no part (RFC 2046, section 5.1.1).
        ("", "--b\n\nsecond\n--b--\n", &["--b\n\nsecond\n--b--"]),
    ] {
        let whole = message(before, behind);
        assert_eq!(texts(whole.as_bytes()), ["1 text/plain Some(\"Hello\")"]);
        let expected: Vec<_> = expected
            .iter()
            .map(|text| (Kind::OutsideParts, *text))
            .collect();
        assert_eq!(reported(&whole), expected);
        // In a part of another multipart, and in an attached message.
        for wrapped in [
            whole.clone(),
            format!("Content-Type: message/rfc822\n\n{whole}"),
        ] {
            let outer = format!(
                "Content-Type: multipart/mixed; boundary=out\n\n--out\n{wrapped}\n--out\n\nx\n--out--\n"
            );
            assert_eq!(reported(&outer), expected, "{outer}");
        }
    }
    // A multipart without any part is text.
    assert_eq!(
        reported("Content-Type: multipart/mixed; boundary=b\n\n--b--\nHello\n")[0].0,
        Kind::EmptyMultipart
    );
}

/// If the blank line after a header is missing, the body begins with the first line that is not a
/// field (RFC 7103, section 7.2). A delimiter of the boundary named in the same header is such a
/// line, even if a field follows. Python's email agrees.
#[test]
fn rfc7103_7_2_a_delimiter_ends_the_header_that_names_it() {
    let parts = "--b\nContent-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64\n\n\
                 8NLJ18XU\n--b\nContent-Type: text/html\n\nB\n--b--\n";
    let expected = ["1 text/plain Some(\"Привет\")", "2 text/html Some(\"B\")"];
    for boundary in ["b", "\"b\"", "\"b \""] {
        let message = format!("Content-Type: multipart/mixed; boundary={boundary}\n{parts}");
        assert_eq!(texts(message.as_bytes()), expected);
        assert_eq!(reported(&message), [(Kind::HeaderLine, "--b\n")]);
        let message = format!("Subject: x\n{message}");
        assert_eq!(texts(message.as_bytes()), expected);
        // One level deeper.
        let outer =
            format!("Content-Type: multipart/mixed; boundary=out\n\n--out\n{message}\n--out--\n");
        assert_eq!(
            texts(outer.as_bytes()),
            expected.map(|text| format!("1.{text}"))
        );
    }
    // Any other line is skipped if a field follows.
    let message =
        "Content-Type: multipart/mixed; boundary=b\n--c\nSubject: x\n\n--b\n\nHello\n--b--\n";
    assert_eq!(reported(message), [(Kind::HeaderLine, "--c\n")]);
    assert_eq!(texts(message.as_bytes()), ["1 text/plain Some(\"Hello\")"]);
}

/// "The following table indicates limits on the number of times each field may occur in the header
/// section of a message": with two From fields, one program may show the first and another trust
/// the second.
#[test]
fn rfc5322_3_6_duplicates_of_unique_fields_are_reported() {
    for name in [
        "Date",
        "From",
        "Sender",
        "Reply-To",
        "To",
        "Cc",
        "Bcc",
        "Message-ID",
        "In-Reply-To",
        "References",
        "Subject",
        "Content-Type",
        "Content-Transfer-Encoding",
        "Content-Disposition",
    ] {
        let again = format!("{}: 2\n", name.to_uppercase());
        let message = format!("{name}: 1\nX-Other: 0\n{again}\nbody\n");
        let expected = [(Kind::DuplicateField, again.as_str())];
        assert_eq!(duplicates(&message), expected, "{name}");
        // In an embedded message, which has fields of its own.
        let outer = format!("{name}: 0\nContent-Type: message/rfc822\n\n{message}");
        if name != "Content-Type" {
            assert_eq!(duplicates(&outer), expected, "{name}");
        }
    }
    for name in [
        "Received",
        "Resent-From",
        "Comments",
        "Keywords",
        "X-From",
        "Froms",
        "Dat",
    ] {
        assert_eq!(reported(&format!("{name}: 1\n{name}: 2\n\nbody\n")), []);
    }
    // A part has no such fields (RFC 2046, section 5.1), so duplicates do not matter.
    let part = "Content-Type: multipart/mixed; boundary=b\n\n--b\nFrom: 1\nFrom: 2\n\nx\n--b--\n";
    assert_eq!(reported(part), []);
    let inner = "From: a@x.test\nFrom: b@x.test\n\nx\n".replace('=', "=3D");
    let encoded = format!(
        "Content-Type: message/global\nContent-Transfer-Encoding: quoted-printable\n\n{inner}"
    );
    assert_eq!(reported(&encoded), [(Kind::DuplicateField, inner.as_str())]);
}

/// A header must end with a blank line (RFC 5322, section 2.1).
#[test]
fn rfc5322_2_1_a_missing_blank_line_is_reported() {
    for (message, expected) in [
        ("Subject: a\nbody\nmore\n", &["body\n"][..]),
        ("Subject : a\r\n: empty\r\nmore", &[": empty\r\n"]),
        ("no header at all\n", &["no header at all\n"]),
        ("Subject: a\n\nbody\n", &[]),
        ("Subject: a\n", &[]),
        ("Subject: a", &[]),
        ("\nbody", &[]),
        ("", &[]),
    ] {
        let expected: Vec<_> = expected
            .iter()
            .map(|line| (Kind::HeaderLine, *line))
            .collect();
        assert_eq!(reported(message), expected, "{message:?}");
    }
}

#[test]
fn rfc2046_5_1_1_a_multipart_without_a_body_has_no_text() {
    for body in ["", "\n", "\r\n \n"] {
        let message = format!("Content-Type: multipart/mixed; boundary=b\n\n{body}");
        assert_eq!(texts(message.as_bytes()), ["1 multipart/mixed None"]);
        let message = Message::parse(message.as_bytes());
        assert_eq!(kinds(message.report()), [Kind::EmptyMultipart]);
    }
}

#[test]
fn rfc2046_5_1_a_page_without_delimiters_is_a_page() {
    let page = b"Content-Type: multipart/alternative; boundary=b\n\n\
                 <HTML><head><meta charset=koi8-r></head>\xC1</html>\n";
    let message = Message::parse(page);
    let decoded = message.parts().next().unwrap().text();
    assert_eq!(decoded.source(), Source::Document);
    assert!(decoded.as_str().contains('а'));
    // `<html` in the middle is no evidence.
    let text = b"Content-Type: multipart/alternative; boundary=b\n\n\
                 See <html><meta charset=koi8-r>\n";
    let message = Message::parse(text);
    assert_ne!(
        message.parts().next().unwrap().text().source(),
        Source::Document
    );
}

/// RFC 2045, section 6.4, forbids these encodings for a multipart. Encoded content is decoded,
/// other content is kept.
#[test]
fn rfc2045_6_4_the_encoding_of_a_multipart_without_parts() {
    let field = "Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding:";
    for (encoding, body, text) in [
        ("base64", "SGVsbG8=\n", "Hello"),
        ("base64", "Hello, world\n", "Hello, world\n"),
        ("quoted-printable", "H=65llo\n", "Hello\n"),
        ("8bit", "H=65llo\n", "H=65llo\n"),
        ("x-other", "Hello\n", "Hello\n"),
    ] {
        let message = format!("{field} {encoding}\n\n{body}");
        let message = Message::parse(message.as_bytes());
        assert_eq!(
            message.parts().next().unwrap().text().as_str(),
            text,
            "{encoding} {body}"
        );
    }
}

/// Text in a multipart is in some part, even if its boundary is missing, is unused, or only closes.
#[test]
fn rfc2046_5_1_1_drawn_multiparts_lose_no_text() {
    for seed in 0..200 {
        let mut draw = Draw::new(seed);
        let mut lines = 0;
        let mut message = String::new();
        let depth = 1 + draw.below(4);
        let mut closes: Vec<String> = Vec::new();
        for level in 0..depth {
            let is_last = level + 1 == depth;
            let field = if is_last {
                draw.of(&[
                    "mixed",
                    "mixed; boundary=zz",
                    "mixed; boundary=q(",
                    "",
                    "alternative; boundary=x",
                ])
                .to_owned()
            } else {
                format!("mixed; boundary=b{level}")
            };
            message.push_str("Content-Type: multipart/");
            message.push_str(&field);
            message.push_str("\n\n");
            if !is_last {
                let open = format!("--b{level}\n");
                message.push_str(&open);
                closes.push(format!("--b{level}--\n"));
            }
        }
        for _ in 0..draw.below(6) {
            lines += 1;
            let line = format!("line-{lines}-\n");
            message.push_str(&line);
            message.push_str(draw.of(&[
                "",
                "\n",
                "--\n",
                "--x--\n",
                "--zz--\n",
                "--other\n",
                "-- \n",
                "--q\n\n",
            ]));
        }
        // A truncated message has no closing delimiters.
        for close in closes.iter().rev().take(draw.below(4)) {
            message.push_str(close);
        }
        let parsed = Message::parse(message.as_bytes());
        let all: String = parsed
            .parts()
            .filter(|part| part.is_text())
            .map(|part| part.text().as_str().to_owned())
            .collect();
        for line in 1..=lines {
            assert!(
                all.contains(&format!("line-{line}-")),
                "{seed}: {line}\n{message}"
            );
        }
        assert!(!parsed.report().is_empty(), "{seed}\n{message}");
    }
}

/// "The CRLF preceding the boundary delimiter line is conceptually attached to the boundary": a part
/// inside a part that ends there has neither that line ending nor the octets after it.
#[test]
fn rfc2046_5_1_1_the_line_end_before_an_outer_delimiter_is_in_no_part() {
    let outer = "Content-Type: multipart/mixed; boundary=a\n\n--a\n";
    let inner = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
    for (header, body) in [
        ("", ""),
        ("Subject: c", ""),
        ("Subject: c\n", ""),
        ("Subject: c\n\n", ""),
        ("Subject: c\n\n", "d"),
        ("Content-Type: message/rfc822\n\nSubject: c", ""),
    ] {
        let message = format!("{outer}{inner}{header}{body}\n--a--\n");
        let message = Message::parse(message.as_bytes());
        let last = message.entities().last().unwrap();
        let subject = header.contains("Subject").then_some("c");
        assert_eq!(last.body(), body.as_bytes(), "{header:?}");
        let found = last
            .field("Subject")
            .map(|it| it.text().as_str().to_owned());
        assert_eq!(found.as_deref(), subject, "{header:?}");
    }
    for seed in 0..2000 {
        let mut draw = Draw::new(seed);
        let mut message = outer.to_owned();
        for _ in 0..=draw.below(7) {
            message.push_str(draw.of(&[
                "--b",
                "--c",
                "",
                "Subject: d",
                " e",
                "f",
                "Content-Type: multipart/mixed; boundary=b",
                "Content-Type: multipart/digest; boundary=c",
                "Content-Type: message/rfc822",
            ]));
            message.push_str(draw.of(&["\n", "\r\n"]));
        }
        message.push_str("--a\n\ng\n--a--\n");
        laws::message(message.as_bytes());
    }
}

#[test]
fn rfc2046_5_1_1_delimiters_without_a_boundary_parameter() {
    let body = "This is a multi-part message in MIME format.\n--=_x.1\nContent-Type: text/plain\n\n\
                one\n--=_x.1\nContent-Type: text/html\n\n<p>two\n--=_x.1--\n\n";
    let whole = format!("Content-Type: multipart/alternative\n\n{body}");
    let parts = ["1 text/plain Some(\"one\")", "2 text/html Some(\"<p>two\")"];
    assert_eq!(texts(whole.as_bytes()), parts);
    let message = Message::parse(whole.as_bytes());
    let [finding] = message.report().findings() else {
        panic!("{:?}", message.report())
    };
    assert_eq!(finding.kind(), Kind::MissingBoundary);
    assert_eq!(finding.detail(), "split at the lines --=_x.1 of its body");
    // Inside another multipart, whose delimiter ends it.
    let inside = format!(
        "Content-Type: multipart/mixed; boundary=out\n\n--out\n{whole}--out\n\nlast\n--out--\n"
    );
    let parts = [
        "1.1 text/plain Some(\"one\")",
        "1.2 text/html Some(\"<p>two\")",
        "2 text/plain Some(\"last\")",
    ];
    assert_eq!(texts(inside.as_bytes()), parts);
    // If text would be lost or the structure is uncertain, the body is a single text.
    for body in [
        "Dear all,\n--x\nContent-Type: text/plain\n\none\n--x--\n",
        "--x\nContent-Type: text/plain\n\none\n--x--\nBest\n",
        "--x\nContent-Type: text/plain\n\none\n",
        "--x\nHello: text/plain\n\none\n--x--\n",
        "--x\nContent\n\none\n--x--\n",
        "-- \n\none\n----\n",
        "--x\u{7f}\n\none\n--x\u{7f}--\n",
        "--a\n\nb\n--x\n\none\n--x--\n",
    ] {
        let message = format!("Content-Type: multipart/mixed\n\n{body}");
        let expected = format!("1 multipart/mixed {:?}", Some(body));
        assert_eq!(texts(message.as_bytes()), [expected], "{body}");
    }
    let cut = "Content-Type: multipart/mixed; boundary=o\n\n--o\nContent-Type: multipart/mixed\n\n\
               --x\n\none\n--o\n\ntwo\n--x--\n--o--\n";
    let parts = texts(cut.as_bytes());
    assert_eq!(
        parts,
        [
            "1 multipart/mixed Some(\"--x\\n\\none\")",
            "2 text/plain Some(\"two\\n--x--\")"
        ]
    );
}

/// RFC 2046, section 5.1.1, compares boundaries octet for octet. If the declared boundary never
/// occurs, a delimiter that differs only in white space and case is accepted: Notes folds the field
/// inside the quotes.
#[test]
fn rfc2046_5_1_1_a_boundary_that_differs_in_blanks_or_case() {
    for (declared, used) in [
        ("\"0__=4EBB03D9\n 8a93df93\"", "0__=4EBB03D98a93df93"),
        ("\"a\r\n\tb\"", "ab"),
        ("\"a b\"", "a  b"),
        ("ab", "a b"),
        ("\"=_Part\"", "=_part"),
        ("\"=_part\"", "=_PART"),
    ] {
        let whole = format!(
            "Content-Type: multipart/mixed; boundary={declared}\n\n\
             --{used}\n\none\n--{used}\nContent-Type: text/html\n\n<p>two\n--{used}--\n"
        );
        let parts = ["text/plain Some(\"one\")", "text/html Some(\"<p>two\")"];
        assert_eq!(
            texts(whole.as_bytes()),
            [format!("1 {}", parts[0]), format!("2 {}", parts[1])]
        );
        let message = Message::parse(whole.as_bytes());
        let [finding] = message.report().findings() else {
            panic!("{:?}", message.report())
        };
        assert_eq!(finding.kind(), Kind::MissingBoundary);
        let detail = format!("split at the lines --{used} of its body");
        assert_eq!(finding.detail(), detail);
        // Inside one and two other multiparts, before a part and last.
        let inside = |inner: &str, boundary: &str| {
            format!(
                "Content-Type: multipart/mixed; boundary={boundary}\n\n--{boundary}\n{inner}\
                 --{boundary}\n\nlast\n--{boundary}--\n"
            )
        };
        let twice = inside(&inside(&whole, "in"), "out");
        let expected = [
            format!("1.1.1 {}", parts[0]),
            format!("1.1.2 {}", parts[1]),
            "1.2 text/plain Some(\"last\")".to_owned(),
            "2 text/plain Some(\"last\")".to_owned(),
        ];
        assert_eq!(texts(twice.as_bytes()), expected);
        let converted = convert_and_verify(&whole.replace("\n\none", "\n\ncaf\u{e9}").into_bytes());
        assert_eq!(texts(&converted)[0], "1 text/plain Some(\"caf\u{e9}\")");
    }
    // The declared boundary is preferred, and delimiters of an enclosing multipart are never taken.
    for (body, parts) in [
        (
            "--a B\n\none\n--ab\n\ntwo\n--a B--\n",
            &["1 text/plain Some(\"one\\n--ab\\n\\ntwo\")"][..],
        ),
        ("--ab--\n", &["1 multipart/mixed Some(\"--ab--\\n\")"]),
        (
            "--abc\n\none\n--abc--\n",
            &["1 multipart/mixed Some(\"--abc\\n\\none\\n--abc--\\n\")"],
        ),
    ] {
        let message = format!("Content-Type: multipart/mixed; boundary=\"a B\"\n\n{body}");
        assert_eq!(texts(message.as_bytes()), parts);
    }
    let message = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\
                   Content-Type: multipart/mixed; boundary=B\n\none\n--b\n\ntwo\n--b--\n";
    let parts = [
        "1 multipart/mixed Some(\"one\")",
        "2 text/plain Some(\"two\")",
    ];
    assert_eq!(texts(message.as_bytes()), parts);
}

/// RFC 2046, sections 4.2 to 4.5: an image without a subtype is not text.
#[test]
fn rfc2046_4_2_an_image_without_a_subtype_is_not_text() {
    for (field, expected) in [
        ("image/", "image/x-unknown"),
        ("image", "image/x-unknown"),
        ("Image /; name=a.gif", "image/x-unknown"),
        ("audio/", "audio/x-unknown"),
        ("video/;", "video/x-unknown"),
        ("application/", "application/octet-stream"),
        ("text/", "text/plain"),
        ("text", "text/plain"),
        ("images/", "text/plain"),
        ("image=x", "text/plain"),
    ] {
        let message = format!("Content-Type: {field}\n\nGIF89a");
        let message = Message::parse(message.as_bytes());
        let root = message.root();
        assert_eq!(root.content_type().media_type(), expected, "{field}");
        assert_eq!(root.is_text(), expected == "text/plain", "{field}");
        assert!(root.content_type().report().has(Kind::InvalidMediaType));
    }
}

#[test]
fn rfc2046_5_1_3_a_multipart_without_a_subtype_is_mixed() {
    for field in [
        "multipart/",
        "multipart",
        "Multipart /",
        "multipart/ (c)",
        "multipart/\"mixed\"",
    ] {
        let message = format!("Content-Type: {field}; boundary=b\n\n--b\n\none\n--b--\n");
        assert_eq!(
            texts(message.as_bytes()),
            ["1 text/plain Some(\"one\")"],
            "{field}"
        );
        let message = Message::parse(message.as_bytes());
        let multipart = message.entities().next().unwrap();
        assert!(multipart.is_multipart());
        assert!(!multipart.content_type().is_valid());
        assert_eq!(multipart.content_type().media_type(), "multipart/mixed");
        assert_eq!(
            kinds(&multipart.mime_header().report())[0],
            Kind::InvalidMediaType,
            "{field}"
        );
    }
    for field in [
        "multiparts; boundary=b",
        "x; boundary=b",
        "multipart=x; boundary=b",
    ] {
        let message = format!("Content-Type: {field}\n\n--b\n\none\n--b--\n");
        let expected = "1 text/plain Some(\"--b\\n\\none\\n--b--\\n\")";
        assert_eq!(texts(message.as_bytes()), [expected], "{field}");
    }
}

/// A message may be truncated anywhere, even in the header of a part.
#[test]
fn rfc2046_5_1_1_truncated_messages_keep_their_text() {
    let whole = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nfirst\n\
                 --b\nContent-Type: multipart/alternative; boundary=\"c\"\n\n--c\n\nsecond\n--c--\n--b--\n";
    for length in 0..=whole.len() {
        let cut = &whole[..length];
        let all = texts(cut.as_bytes()).concat();
        for word in ["first", "second"] {
            assert_eq!(all.contains(word), cut.contains(word), "{length}");
        }
    }
}

#[test]
fn conversions_keep_and_report_a_multipart_without_parts() {
    let source =
        b"Subject: =?koi8-r?B?8A==?=\nContent-Type: multipart/mixed; boundary=b; charset=koi8-r\n\
                   \n\xD0\xD2\xC9\xD7\xC5\xD4\n--b--\n";
    let converted = convert(source, &convert::Conversion::new());
    let left: Vec<_> = converted.report.findings().iter().collect();
    assert_eq!(left[0].kind(), Kind::Unconverted);
    assert_eq!(left[0].detail(), "a multipart without parts");
    let result = convert_and_verify(source);
    assert!(result.ends_with(b"charset=koi8-r\n\n\xD0\xD2\xC9\xD7\xC5\xD4\n--b--\n"));
    // ASCII and UTF-8 need no conversion.
    for text in ["plain", "привет"] {
        let source = format!("Content-Type: multipart/mixed; boundary=b\n\n{text}\n--b--\n");
        let converted = convert(source.as_bytes(), &convert::Conversion::new());
        assert!(converted.report.is_empty() && converted.changes.is_empty());
    }
    // Recovered parts are converted, and are recovered again from the result.
    let source =
        b"Content-Type: multipart/mixed\n\n--x\nContent-Type: text/plain; charset=koi8-r\n\n\
                   \xD0\xD2\xC9\xD7\xC5\xD4\n--x--\n";
    let result = convert_and_verify(source);
    assert_eq!(texts(&result), ["1 text/plain Some(\"привет\")"]);
}

/// Nested multiparts without a boundary are scanned a bounded number of times.
#[test]
fn nested_multiparts_without_a_boundary_are_scanned_a_few_times() {
    let nested = "Content-Type: multipart/mixed\n\n--x\n".repeat(MAX_DEPTH + 5);
    let message = format!("{nested}{}", "--y\n".repeat(100_000));
    assert!(Message::parse(message.as_bytes()).entities().count() < 10);
    let boundary = "Content-Type: multipart/mixed; boundary=b\n\n";
    let each = "--b\nContent-Type: multipart/mixed\n\n--x\n\n";
    let message = format!("{boundary}{}", each.repeat(9_000));
    assert_eq!(Message::parse(message.as_bytes()).parts().count(), 9_000);
}

/// RFC 2152, rule 1: characters of sets D and O may be literal, and those of set O may be encoded.
#[test]
fn rfc2152_encoded_markup_is_reported_once() {
    let utf_7 = Charset::for_label("utf-7").unwrap();
    let noted = |octets: &[u8]| -> Vec<(usize, usize)> {
        let decoded = utf_7.decode(octets);
        let all = decoded.report().findings().iter();
        all.map(|it| {
            assert_eq!(
                (it.kind(), it.kind().effect()),
                (Kind::Utf7Markup, Effect::Noted)
            );
            (it.offset(), it.length())
        })
        .collect()
    };
    // 16 bits take two sextets and four bits of a third.
    assert_eq!(noted(b"+ADw-script+AD4-alert(1)"), [(1, 3)]);
    assert_eq!(noted(b"x +ACY-amp"), [(3, 3)]);
    assert_eq!(noted(b"+ACI- +ACc- +AD0-"), [(1, 3)]);
    // After another character, and after a character of two units.
    assert_eq!(noted(b"+MEIAPA-"), [(3, 4)]);
    assert_eq!(noted(b"+2D3cqQA8-"), [(6, 3)]);
    for octets in [
        &b"<script> & \"a\" = 'b'"[..],
        b"Hi Mom +Jjo-!",
        b"A+ImIDkQ.",
        b"+ZeVnLIqe-",
        b"1 +- 1",
        b"+ACEAIwAk-",
    ] {
        assert_eq!(noted(octets), [], "{}", octets.escape_ascii());
    }
    assert_eq!(utf_7.decode(b"+ADw-script+AD4-").as_str(), "<script>");
    // In a field and in a part; offsets are in the message and in the part.
    let source =
        b"Subject: =?utf-7?Q?+ADw-b+AD4-?=\nContent-Type: text/plain; charset=utf-7\n\n+ADw-b+AD4-";
    let message = Message::parse(source);
    let subject = message.field("Subject").unwrap();
    assert_eq!(subject.text().as_str(), "<b>");
    assert!(subject.text().report().has(Kind::Utf7Markup));
    let part = message.parts().next().unwrap();
    assert_eq!(part.text().as_str(), "<b>");
    assert!(part.text().report().has(Kind::Utf7Markup));
}

/// Runs encoded here by the arithmetic of RFC 2152: only the first unit of markup is reported.
#[test]
fn rfc2152_drawn_runs_report_their_first_markup() {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let utf_7 = Charset::for_label("utf-7").unwrap();
    for seed in 0..200 {
        let mut draw = Draw::new(seed);
        let of = [
            'a',
            'é',
            '한',
            '!',
            '[',
            '\u{1F600}',
            '<',
            '>',
            '&',
            '"',
            '\'',
            '=',
        ];
        let text: String = (0..=draw.below(12)).map(|_| draw.of(&of)).collect();
        let units: Vec<u16> = text.encode_utf16().collect();
        let bits: Vec<u16> = units
            .iter()
            .flat_map(|unit| (0..16).rev().map(move |bit| unit >> bit & 1))
            .collect();
        let mut run = vec![b'+'];
        for six in bits.chunks(6) {
            let value = six.iter().fold(0, |value, bit| value << 1 | bit) << (6 - six.len());
            run.push(ALPHABET[usize::from(value)]);
        }
        run.push(b'-');
        let is_markup =
            |&unit: &u16| u8::try_from(unit).is_ok_and(|unit| b"<>&\"'=".contains(&unit));
        let first = units.iter().position(is_markup);
        // The offset of the sextet with the unit's first bit, after the plus sign.
        let expected: Vec<usize> = first.map(|unit| 1 + 16 * unit / 6).into_iter().collect();
        let whole = utf_7.decode(&run);
        assert_eq!(whole.as_str(), text);
        let found: Vec<usize> = whole
            .report()
            .findings()
            .iter()
            .map(Finding::offset)
            .collect();
        assert_eq!(found, expected, "{seed}: {text:?} {}", run.escape_ascii());
        assert!(
            kinds(whole.report())
                .iter()
                .all(|&kind| kind == Kind::Utf7Markup)
        );
    }
}

/// RFC 5322, section 3.2.2, allows comments nested to any depth.
#[test]
fn rfc5322_3_2_2_deeply_nested_comments_are_read_and_reported() {
    let comment = |depth: usize| format!("{}{}", "(".repeat(depth), ")".repeat(depth));
    for (depth, noted) in [(99, false), (100, false), (101, true), (5000, true)] {
        let comment = comment(depth);
        let check = |report: &Report, place: usize, of: &str| {
            let found = report
                .findings()
                .iter()
                .find(|it| it.kind() == Kind::DeepComment);
            assert_eq!(found.is_some(), noted, "{depth} {of}");
            if let Some(found) = found {
                let place_found = (found.offset(), found.length());
                assert_eq!(place_found, (place, 2 * depth), "{of}");
                assert_eq!(found.kind().effect(), Effect::Noted);
            }
        };
        for (start, end) in [
            ("", "text/plain; charset=koi8-r"),
            ("text", "/plain; charset=koi8-r"),
            ("text/", "plain; charset=koi8-r"),
            ("text/plain", "; charset=koi8-r"),
            ("text/plain; charset=", "koi8-r"),
            ("text/plain; charset", "=koi8-r"),
            ("text/plain; charset=koi8-r ", ""),
            ("text/plain; charset=\"koi8-r\"", "; x=y"),
        ] {
            let body = format!("{start}{comment}{end}");
            let field = content_type(body.as_bytes());
            assert_eq!(field.charset().unwrap().as_bytes(), b"koi8-r");
            assert_eq!(field.media_type(), "text/plain");
            check(field.report(), start.len(), &body[..start.len()]);
        }
        let body = format!("inline {comment}; filename=a");
        check(
            content_disposition(body.as_bytes()).report(),
            7,
            "disposition",
        );
        let body = format!("base64 {comment}");
        let field = header::content_transfer_encoding(body.as_bytes());
        assert_eq!(field.encoding(), TransferEncoding::Base64);
        check(field.report(), 7, "encoding");
        let body = format!("A {comment} <a@example.org>");
        let list = decode::addresses(body.as_bytes());
        assert_eq!(list.mailboxes().next().unwrap().octets(), b"a@example.org");
        check(&list.report, 2, "addresses");
    }
    // Escaped, quoted and consecutive parentheses are not nested.
    let escaped = format!("text/plain ({})", "\\(".repeat(300));
    assert!(content_type(escaped.as_bytes()).report().is_empty());
    let flat = format!("text/plain {}", "(a)".repeat(300));
    assert!(content_type(flat.as_bytes()).report().is_empty());
    let words = header::pieces(flat.as_bytes(), Syntax::Parameters);
    assert!(words.report().is_empty());
}

/// RFC 3501, section 7.4.2: BODYSTRUCTURE lists parameters as "attribute/value pairs". Sections
/// (RFC 2231, section 3) are joined at the position of the first.
#[test]
fn parameters_keep_their_order_and_outlive_the_field() {
    let body = b"attachment; x*1=b; Y=1; x*0=a; z*=utf-8''%C3%A9; w=\"=?utf-8?Q?v?=\"; y=2";
    let disposition = content_disposition(body);
    let parameters = disposition.parameters().iter();
    let pairs: Vec<_> = parameters.map(|one| (one.name(), one.text())).collect();
    let pairs: Vec<_> = pairs
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    assert_eq!(pairs, [("x", "ab"), ("y", "1"), ("z", "é"), ("w", "v")]);

    let z = content_disposition(body).parameter("Z").unwrap().text();
    assert_eq!(z, "é");
    assert_eq!(disposition.parameters()[1].octets(), b"1");
    assert!(content_type(body).parameter("v").is_none());
}

/// If there are too many parts, the last one holds the remainder and has no fields.
#[test]
fn the_remainder_beyond_the_part_limit_has_no_fields() {
    let part = "--b\nContent-Type: text/plain\n\nx\n";
    let source = [
        "Content-Type: multipart/mixed; boundary=b\n\n",
        &part.repeat(MAX_PARTS + 1),
    ]
    .concat();
    let message = Message::parse(source.as_bytes());
    let last = message.entities().last().unwrap();
    assert!(last.body().len() > part.len(), "{}", last.body().len());
    assert_eq!(last.fields().count(), 0);
    assert_eq!(last.fields().rev().count(), 0);
}
