//! Message structure: RFC 5322, RFC 2045 and RFC 2046, and its misuse in mail.

use std::fmt::Write as _;

use base64::prelude::{BASE64_STANDARD as STANDARD, Engine as _};
use mime_charset::decode::{self, Context};
use mime_charset::message::{Field, MAX_DEPTH, MAX_GUESSED, MAX_HEADER, MAX_PARTS};
use mime_charset::{Charset, Kind, Label, Message, Options, Source};

/// Section, media type and body of every part, one line each.
#[track_caller]
fn parts(message: &[u8]) -> Vec<String> {
    Message::parse(message)
        .parts()
        .map(|part| {
            let body = String::from_utf8_lossy(part.body())
                .escape_debug()
                .to_string();
            format!(
                "{} {} {body}",
                part.section(),
                part.content_type().media_type()
            )
        })
        .collect()
}

fn kinds(message: &[u8]) -> Vec<Kind> {
    Message::parse(message)
        .report()
        .findings()
        .iter()
        .map(mime_charset::Finding::kind)
        .collect()
}

#[test]
fn rfc2046_5_1_1_simple_multipart() {
    // The section's example: an implicitly and an explicitly typed part.
    let message = b"From: Nathaniel Borenstein <nsb@bellcore.com>\r\n\
        To: Ned Freed <ned@innosoft.com>\r\n\
        Date: Sun, 21 Mar 1993 23:56:48 -0800 (PST)\r\n\
        Subject: Sample message\r\n\
        MIME-Version: 1.0\r\n\
        Content-type: multipart/mixed; boundary=\"simple boundary\"\r\n\
        \r\n\
        This is the preamble.  It is to be ignored, though it\r\n\
        is a handy place for composition agents to include an\r\n\
        explanatory note to non-MIME conformant readers.\r\n\
        \r\n\
        --simple boundary\r\n\
        \r\n\
        This is implicitly typed plain US-ASCII text.\r\n\
        It does NOT end with a linebreak.\r\n\
        --simple boundary\r\n\
        Content-type: text/plain; charset=us-ascii\r\n\
        \r\n\
        This is explicitly typed plain US-ASCII text.\r\n\
        It DOES end with a linebreak.\r\n\
        \r\n\
        --simple boundary--\r\n\
        \r\n\
        This is the epilogue.  It is also to be ignored.\r\n";
    assert_eq!(
        parts(message),
        [
            "1 text/plain This is implicitly typed plain US-ASCII text.\\r\\n\
             It does NOT end with a linebreak.",
            "2 text/plain This is explicitly typed plain US-ASCII text.\\r\\n\
             It DOES end with a linebreak.\\r\\n",
        ]
    );
    // The preamble explains MIME, like most; the epilogue is other text.
    assert_eq!(kinds(message), [Kind::OutsideParts]);
}

#[test]
fn rfc9051_6_4_5_1_section_numbers() {
    // Structure and section numbers of the section's example.
    let message = b"Content-Type: multipart/mixed; boundary=a\n\n\
        --a\nContent-Type: text/plain\n\n1\n\
        --a\nContent-Type: application/octet-stream\n\n2\n\
        --a\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Type: text/plain\n\n3.1\n\
        --b\nContent-Type: application/octet-stream\n\n3.2\n--b--\n\
        --a\nContent-Type: multipart/mixed; boundary=c\n\n\
        --c\nContent-Type: image/gif\n\n4.1\n\
        --c\nContent-Type: message/rfc822\n\nContent-Type: multipart/mixed; boundary=d\n\n\
        --d\nContent-Type: text/plain\n\n4.2.1\n\
        --d\nContent-Type: multipart/alternative; boundary=e\n\n\
        --e\nContent-Type: text/plain\n\n4.2.2.1\n\
        --e\nContent-Type: text/richtext\n\n4.2.2.2\n--e--\n--d--\n--c--\n--a--\n";
    let message = Message::parse(message);
    for part in message.parts().filter(|part| !part.is_message()) {
        assert_eq!(part.section().as_bytes(), part.body());
    }
    let all: Vec<_> = message
        .entities()
        .map(mime_charset::message::Part::section)
        .collect();
    let expected = [
        "TEXT", "1", "2", "3", "3.TEXT", "3.1", "3.2", "4", "4.1", "4.2", "4.2.TEXT", "4.2.1",
        "4.2.2", "4.2.2.1", "4.2.2.2",
    ];
    assert_eq!(all, expected);
    for index in 0..=expected.len() {
        let mut entities = message.entities();
        let found = entities
            .nth(index)
            .map(mime_charset::message::Part::section);
        assert_eq!(found.as_deref(), expected.get(index).copied());
        assert_eq!(entities.len(), expected.len().saturating_sub(index + 1));
    }
}

#[test]
fn a_message_inside_a_message_that_is_not_a_multipart() {
    let message = b"Content-Type: message/rfc822\n\nSubject: inner\n\ntext";
    assert_eq!(
        parts(message),
        [
            "1 message/rfc822 Subject: inner\\n\\ntext",
            "1.1 text/plain text"
        ]
    );
    let message = Message::parse(message);
    let inner = message.parts().next().unwrap().inner().unwrap();
    assert_eq!(inner.field("subject").unwrap().text().as_str(), "inner");
}

#[test]
fn an_outer_delimiter_ends_inner_multiparts() {
    let message = b"Content-Type: multipart/mixed; boundary=out\n\n--out\n\
        Content-Type: multipart/mixed; boundary=in\n\n--in\n\nx\n--out\n\ny\n--out--\n";
    assert_eq!(parts(message), ["1.1 text/plain x", "2 text/plain y"]);
    assert_eq!(kinds(message), [Kind::UnclosedMultipart]);
}

#[test]
fn the_same_boundary_inside_itself_belongs_to_the_inner_multipart() {
    let message = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\
        Content-Type: multipart/mixed; boundary=b\n\n--b\n\nx\n--b--\n--b\n\ny\n--b--\n";
    assert_eq!(parts(message), ["1.1 text/plain x", "2 text/plain y"]);
}

#[test]
fn multiparts_without_delimiters_stay_one_part() {
    let message = b"Content-Type: multipart/mixed\n\nx";
    assert_eq!(parts(message), ["1 multipart/mixed x"]);
    assert_eq!(kinds(message), [Kind::MissingBoundary]);
    let message = b"Content-Type: multipart/mixed; boundary=b\n\nx";
    assert_eq!(parts(message), ["1 multipart/mixed x"]);
    assert_eq!(kinds(message), [Kind::EmptyMultipart]);
}

#[test]
fn encoded_messages_are_entered_three_deep() {
    // Base64 by CPython 3.11's base64.b64encode, applied n times around "Subject: x\n\nhi".
    let levels = [
        "U3ViamVjdDogeAoKaGk=",
        "Q29udGVudC1UeXBlOiBtZXNzYWdlL3JmYzgyMgpDb250ZW50LVRyYW5zZmVyLUVuY29kaW5nOiBiYXNlNjQKClUzVmlhbVZqZERvZ2VBb0thR2s9",
    ];
    for (deep, body) in levels.into_iter().enumerate() {
        let message =
            format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{body}");
        let message = Message::parse(message.as_bytes());
        let last = message.parts().last().unwrap();
        assert_eq!(last.section(), ["1.1", "1.1.1"][deep]);
        assert_eq!(last.text().as_str(), "hi");
        // message/rfc822 must not be base64 (RFC 2046, section 5.2.1), at any depth, and lines of
        // base64 have at most 76 characters (RFC 2045, section 6.8).
        let mut found = kinds(message.source());
        found.retain(|kind| *kind != Kind::LineLength);
        assert_eq!(found, vec![Kind::TransferEncodingForbidden; deep + 1]);
    }
    let mut body = String::from("deep");
    for _ in 0..5 {
        let encoded = body
            .bytes()
            .fold(String::new(), |text, octet| format!("{text}={octet:02X}"));
        body = format!(
            "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n{encoded}"
        );
    }
    let message = Message::parse(body.as_bytes());
    let sections: Vec<_> = message
        .parts()
        .map(mime_charset::message::Part::section)
        .collect();
    assert_eq!(sections, ["1", "1.1", "1.1.1", "1.1.1.1"]);
    assert!(message.report().has(Kind::LimitReached));
}

#[test]
fn parts_beyond_the_maximum_depth_are_one_opaque_part() {
    let mut message = String::new();
    for depth in 0..MAX_DEPTH + 5 {
        write!(
            message,
            "Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n"
        )
        .unwrap();
    }
    message += "\ninnermost";
    let message = Message::parse(message.as_bytes());
    assert!(message.report().has(Kind::LimitReached));
    assert_eq!(message.parts().count(), 1);
    let rest = message.parts().next().unwrap();
    assert!(rest.body().ends_with(b"innermost"));
    assert_eq!(rest.section().matches('.').count(), MAX_DEPTH - 1);
}

#[test]
fn parts_beyond_the_maximum_number_are_one_opaque_part() {
    let mut message = String::from("Content-Type: multipart/mixed; boundary=b\n\n");
    message += &"--b\n\nx\n".repeat(MAX_PARTS + 5);
    let message = Message::parse(message.as_bytes());
    assert_eq!(message.parts().count(), MAX_PARTS);
    assert!(message.report().has(Kind::LimitReached));
    let rest = message.parts().last().unwrap();
    assert_eq!(
        rest.body()
            .windows(4)
            .filter(|line| line == b"--b\n")
            .count(),
        5
    );
    assert!(rest.body().ends_with(b"--b\n\nx\n"));
}

/// A part decided from its first octets gets the same decision as from all of them.
#[test]
fn a_part_gets_the_decision_of_all_its_octets() {
    let bodies: [Vec<u8>; 9] = [
        b"caf\xE9\r\n".repeat(900),
        "café\r\n".repeat(900).into_bytes(),
        [b"ASCII\r\n".repeat(900), b"caf\xE9".to_vec()].concat(),
        [b"ASCII\r\n".repeat(900), "café".as_bytes().to_vec()].concat(),
        ["café\r\n".repeat(900).as_bytes(), b"caf\xE9"].concat(),
        b"\x1B$BF|K\\8l\x1B(B\r\n".repeat(900),
        [
            &b"<meta charset=koi8-r>\r\n"[..],
            &b"\xC1\xC2 <p>\r\n".repeat(900),
        ]
        .concat(),
        [&b"\xEF\xBB\xBF"[..], &b"<p>caf\xE9\r\n".repeat(900)].concat(),
        [
            &b" ".repeat(900)[..],
            b"<meta charset=big5>\r\n",
            &b"<p>\xE9\r\n".repeat(900),
        ]
        .concat(),
    ];
    let labels = [
        "koi8-r",
        "euc-kr",
        "iso-2022-jp",
        "utf-16le",
        "us-ascii",
        "utf-8",
        "latin1",
        "x",
        "unknown-8bit",
        "utf-7",
    ];
    for body in &bodies {
        for label in labels {
            for media_type in ["text/plain", "text/html"] {
                for encoding in ["8bit", "base64", "quoted-printable"] {
                    let mut mail = format!(
                        "Content-Type: {media_type}; charset={label}\r\n\
                         Content-Transfer-Encoding: {encoding}\r\n\r\n"
                    )
                    .into_bytes();
                    if encoding == "base64" {
                        let lines = STANDARD.encode(body);
                        for line in lines.as_bytes().chunks(76) {
                            mail.extend_from_slice(line);
                            mail.extend_from_slice(b"\r\n");
                        }
                    } else if encoding == "quoted-printable" {
                        // All octets escaped, with trailing blanks left by a mailer.
                        for line in body.chunks(24) {
                            for octet in line {
                                mail.extend_from_slice(format!("={octet:02X}").as_bytes());
                            }
                            mail.extend_from_slice(b"= \t\r\n");
                        }
                    } else {
                        mail.extend_from_slice(body);
                    }
                    let message = Message::parse(&mail);
                    let part = message.parts().next().unwrap();
                    let value = Label::new(label);
                    // A part gets evidence from its message, which here is the part itself.
                    let own = Charset::for_label(label)
                        .filter(|it| *it != Charset::US_ASCII && it.is_decoded());
                    let context = Context::new()
                        .siblings(own)
                        .label(Some(&value))
                        .media_type(Some(media_type));
                    for trust in [false, true] {
                        let options = Options::new().trust_label(trust);
                        let expected = decode::decide(body, &context.clone().options(options));
                        assert_eq!(part.decide(&options), expected, "{label}, {encoding}");
                    }
                }
            }
        }
    }
}

/// A multipart of `count` ASCII parts followed by `parts`.
fn ascii_parts_and(count: usize, parts: &[&[u8]]) -> Vec<u8> {
    let mut mail = b"Content-Type: multipart/mixed; boundary=b\n\n".to_vec();
    mail.extend_from_slice(&b"--b\n\nASCII\n".repeat(count));
    for part in parts {
        mail.extend_from_slice(b"--b\n");
        mail.extend_from_slice(part);
        mail.push(b'\n');
    }
    mail.extend_from_slice(b"--b--\n");
    mail
}

/// "Привет из Москвы" in KOI8-R.
const GREETING: &[u8] = b"\n\xF0\xD2\xC9\xD7\xC5\xD4 \xC9\xDA \xED\xCF\xD3\xCB\xD7\xD9";

/// "и" alone may be in any charset; with the sentences of the other parts, it is KOI8.
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
#[test]
fn parts_beyond_the_maximum_number_of_guesses_are_guessed_together() {
    let utf8 = "\n\u{418}".as_bytes();
    let mut mail = ascii_parts_and(MAX_GUESSED, &[b"\n\xC9", GREETING, utf8, b"\nASCII"]);
    let details = |mail: &[u8], at: usize| {
        let message = Message::parse(mail);
        let part = message.parts().nth(at).unwrap();
        let decision = part.decide(&Options::new());
        let told = decision.evidence().iter().map(|it| it.detail.clone());
        (
            part.text().as_str().to_owned(),
            decision.source,
            decision.confidence,
            told.collect::<Vec<_>>(),
        )
    };
    let told = "KOI8-U, 50%, guessed from many parts together".to_owned();
    let one = ("и".to_owned(), Source::Detected, 50, vec![told]);
    assert_eq!(details(&mail, MAX_GUESSED), one);
    assert_eq!(details(&mail, MAX_GUESSED + 1).0, "Привет из Москвы");
    // A part with proof of its charset needs no guess.
    let proved = details(&mail, MAX_GUESSED + 2);
    assert_eq!((proved.0.as_str(), proved.1), ("И", Source::Evidence));
    assert_eq!(details(&mail, MAX_GUESSED + 3).1, Source::Default);

    // With one part fewer before them, the first of them is the last one guessed alone.
    mail = ascii_parts_and(MAX_GUESSED - 1, &[b"\n\xC9", GREETING]);
    let (_, _, confidence, told) = details(&mail, MAX_GUESSED - 1);
    assert_ne!((confidence, told), (one.2, one.3));
}

/// The charset guessed from many parts is not applied to a part that it cannot read. Labelled parts
/// do not contribute to that guess.
#[cfg_attr(not(feature = "detect"), ignore = "it is guessed")]
#[test]
fn a_guess_from_many_parts_is_used_if_it_decodes() {
    let labelled =
        b"Content-Type: text/plain; charset=shift_jis\n\n\x93\xFA\x96\x7B\x8C\xEA\x82\xC5\x82\xB7";
    let french = b"\nL'\xE9t\xE9, le caf\xE9 est tr\xE8s bon";
    let mail = ascii_parts_and(MAX_GUESSED, &[labelled, french]);
    let message = Message::parse(&mail);
    let text = message.parts().last().unwrap().text().into_text();
    assert_eq!(text, "L'été, le café est très bon");

    // EUC-KR cannot read the French text, whatever charset the preceding parts suggest.
    let korean = b"\n\xC7\xD1\xB1\xB9\xBE\xEE \xC7\xD1\xB1\xDB \xB8\xDE\xC0\xCF\xC0\xBB \xBA\xB8\xB3\xC0\xB4\xCF\xB4\xD9";
    let mail = ascii_parts_and(MAX_GUESSED, &[korean, korean, korean, french]);
    let message = Message::parse(&mail);
    let decided: Vec<_> = message
        .parts()
        .skip(MAX_GUESSED)
        .map(mime_charset::message::Part::text)
        .collect();
    assert_eq!(decided[0].as_str(), "한국어 한글 메일을 보냅니다");
    assert_eq!(decided[3].as_str(), "L'été, le café est très bon");
    assert_eq!(
        (decided[3].charset(), decided[3].source()),
        (Charset::WINDOWS_1252, Source::Default)
    );
}

/// A labelled part, the header and the caller are better evidence than parts without a charset.
#[test]
fn a_guess_from_many_parts_has_the_lowest_priority() {
    let mail = ascii_parts_and(MAX_GUESSED, &[GREETING, GREETING]);
    let mut parts = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n".to_vec();
    parts.extend_from_slice(b"Content-Type: text/plain; charset=windows-1251\n\n\xCF\n");
    parts.extend_from_slice(&mail[mail.windows(3).position(|it| it == b"--b").unwrap()..]);
    let message = Message::parse(&parts);
    let part = message.parts().nth(MAX_GUESSED + 1).unwrap();
    assert_eq!(part.text().charset().name(), "windows-1251");

    let hint = Charset::for_label("iso-8859-5");
    let message = Message::parse(&mail);
    let part = message.parts().nth(MAX_GUESSED).unwrap();
    assert_eq!(
        Some(part.text_with(&Options::new().hint(hint)).charset()),
        hint
    );
}

#[test]
fn lines_beyond_the_maximum_header_are_body() {
    let mut message = b"Subject: x\nX: ".to_vec();
    message.resize(MAX_HEADER + 100, b'y');
    let message = Message::parse(&message);
    assert!(message.report().has(Kind::LimitReached));
    assert_eq!(message.parts().next().unwrap().header().len(), MAX_HEADER);
}

#[test]
fn rfc7103_7_2_lines_that_are_not_fields() {
    // An mbox separator and a fold without its blank are skipped.
    let message = Message::parse(b"From a@example.org Thu Jan  1\nSubject: x\nlost\nX: y\n\nbody");
    assert_eq!(message.fields().count(), 2);
    assert_eq!(message.report().findings().len(), 2);
    // Without a blank line, the body begins at the first line that no field follows.
    let message = Message::parse(b"Subject: x\nHello,\nworld");
    assert_eq!(message.parts().next().unwrap().body(), b"Hello,\nworld");
}

/// RFC 2046, section 5.1.1: one line ending belongs to the delimiter. Python's `email` reads
/// `text\r` too.
#[test]
fn a_bare_cr_before_a_delimiter_s_line_ending_stays_in_the_body() {
    let head = b"Content-Type: multipart/mixed; boundary=b\r\r--b\r\rtext\r".as_slice();
    let message = [head, b"\r--b--\r"].concat();
    let part = Message::parse(&message)
        .part("1")
        .map(|part| part.body().to_vec());
    assert_eq!(part.as_deref(), Some(&b"text\r"[..]));
}

#[test]
fn rfc7103_7_5_the_first_content_type_counts() {
    let message = b"Content-Type: text/html\nContent-Type: text/plain\n\nx";
    assert_eq!(parts(message), ["1 text/html x"]);
    assert_eq!(kinds(message), [Kind::DuplicateField]);
}

#[test]
fn rfc2045_6_4_multiparts_have_no_transfer_encoding() {
    let message =
        b"Content-Type: multipart/mixed; boundary=b\nContent-Transfer-Encoding: base64\n\n\
        --b\n\nx\n--b--\n";
    assert_eq!(parts(message), ["1 text/plain x"]);
    assert_eq!(kinds(message), [Kind::TransferEncodingForbidden]);
    let finding = &Message::parse(message).report().findings()[0].clone();
    let end = finding.offset() + finding.length();
    assert_eq!(&message[finding.offset()..end], b" base64");
}

/// "No encoding other than "7bit", "8bit", or "binary" is permitted for the body of a
/// "message/rfc822" entity"; RFC 6532, section 3.7, permits any for message/global.
#[test]
fn rfc2046_5_2_1_encoded_messages_are_entered_and_reported() {
    let message = |media_type: &str, encoding: &str, body: &str| {
        format!("Content-Type: {media_type}\nContent-Transfer-Encoding: {encoding}\n\n{body}")
            .into_bytes()
    };
    // Cgp4 is 0A 0A 78: an empty header and the body "\nx".
    let base64 = message("message/rfc822", "base64", "Cgp4");
    assert_eq!(parts(&base64)[1..], [r"1.1 text/plain \nx"]);
    assert_eq!(kinds(&base64), [Kind::TransferEncodingForbidden]);
    let global = message("message/global", "base64", "Cgp4");
    assert_eq!(parts(&global)[1..], [r"1.1 text/plain \nx"]);
    assert_eq!(kinds(&global), []);
    // Content in an unknown encoding cannot be decoded; this message is not encoded at all.
    let unknown = message("message/rfc822", "x-none", "\nx");
    assert_eq!(parts(&unknown)[1..], ["1.1 text/plain x"]);
    assert_eq!(kinds(&unknown), [Kind::TransferEncodingForbidden]);
    let unknown = Message::parse(&unknown);
    assert!(unknown.parts().nth(1).unwrap().body_range().is_some());
}

/// "No encoding other than "7bit", "8bit", or "binary" is permitted for the body of a
/// "message/rfc822" entity": a field that names one often refers to the content of the message. An
/// unencoded message is read as it is.
#[test]
fn rfc2046_5_2_1_an_unencoded_message_is_not_decoded() {
    let message = |encoding: &str, body: &str| {
        format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: {encoding}\n\n{body}")
            .into_bytes()
    };
    // Base64 has neither colons nor blanks (RFC 2045, section 6.8).
    let plain = message(
        "base64",
        "Subject: hi there\nFrom: a@b.example\n\nHello world.\n",
    );
    let inner = "Content-Type: text/plain; charset=koi8-r\n\
                 Content-Transfer-Encoding: quoted-printable\n\na=3D3D\n";
    let read = |message: &[u8]| {
        let message = Message::parse(message);
        let last = message.parts().last().unwrap();
        (last.text().as_str().to_owned(), kinds(message.source()))
    };
    // Decoded once, 3D follows an equals sign; decoded twice, it would be gone.
    let forbidden = vec![Kind::TransferEncodingForbidden];
    assert_eq!(
        read(&plain),
        ("Hello world.\n".to_owned(), forbidden.clone())
    );
    let plain = message("quoted-printable", inner);
    assert_eq!(read(&plain), ("a=3D\n".to_owned(), forbidden.clone()));
    let encoded = message("quoted-printable", &inner.replace('=', "=3D"));
    assert_eq!(read(&encoded), ("a=3D\n".to_owned(), forbidden));
    // The attached message is returned verbatim.
    let plain = Message::parse(&plain);
    let attached = plain.parts().next().unwrap();
    assert_eq!(&*attached.octets().into_octets(), inner.as_bytes());
}

/// Damage in the encoding of a message is in the report of the enclosing message.
#[test]
fn rfc6532_3_7_damage_of_an_encoded_message_is_reported() {
    // "Subject: x\n\nHello wor" in base64 (RFC 4648, section 4) without its last three letters.
    let whole = "U3ViamVjdDogeAoKSGVsbG8gd29y";
    let cut = &whole[..whole.len() - 3];
    let message = format!(
        "From: a@b\nContent-Type: message/global\nContent-Transfer-Encoding: base64\n\n{cut}"
    );
    let message = Message::parse(message.as_bytes());
    assert_eq!(kinds(message.source()), [Kind::Base64Truncated]);
    let finding = &message.report().findings()[0];
    assert_eq!(finding.offset(), message.source().len() - 1);
    assert_eq!(message.parts().last().unwrap().text().as_str(), "Hello ");
}

/// Every finding's offset leads to its octets, in the message or in a decoded embedded message.
#[test]
fn offsets_lead_to_the_octets_of_the_finding() {
    let attached = "Subject: caf\u{E9} x\nContent-Type: text/plain; charset=utf-8;; x=y\n\
                    Content-Disposition: attachment; filename=a b\n\
                    Content-Transfer-Encoding: quoted-printable\n\nabc =ZZ def";
    let check = |message: &Message<'_>, octets: &[u8]| {
        let part = message.parts().last().unwrap();
        let field = part.field("Subject").unwrap();
        let name = part.filename().unwrap();
        let addresses = field.addresses();
        let reports = [
            part.mime_header().report(),
            name.report().clone(),
            field.text().report().clone(),
            addresses.report.clone(),
            part.octets().report().clone(),
            part.text().report().clone(),
            part.mime_header()
                .text(&part.octets(), &Options::new())
                .report()
                .clone(),
        ];
        let about = |kind: Kind| -> Vec<String> {
            let findings = reports.iter().flat_map(mime_charset::Report::findings);
            let of_kind = findings.filter(|finding| finding.kind() == kind);
            let octets = of_kind.map(|it| &octets[it.offset()..it.offset() + it.length()]);
            octets
                .map(|it| String::from_utf8_lossy(it).into_owned())
                .collect()
        };
        assert_eq!(about(Kind::EmptyParameter), [";"]);
        assert!(about(Kind::RawUtf8).iter().all(|it| it.contains('\u{E9}')));
        assert!(about(Kind::RawUtf8).len() >= 2);
        assert_eq!(about(Kind::UnquotedSpecial)[0], "a b");
        assert_eq!(about(Kind::QuotedPrintableKept), ["="; 3]);
    };
    check(&Message::parse(attached.as_bytes()), attached.as_bytes());
    let plain = format!("Content-Type: message/rfc822\n\n{attached}");
    check(&Message::parse(plain.as_bytes()), plain.as_bytes());
    let encoded = format!(
        "From: a@b.example\nContent-Type: message/global\nContent-Transfer-Encoding: base64\n\n{}",
        STANDARD.encode(attached)
    );
    check(&Message::parse(encoded.as_bytes()), attached.as_bytes());
}

/// A walk stopped by a limit reports nothing about the remainder.
#[test]
fn a_limit_is_not_a_missing_delimiter() {
    let message = format!(
        "Content-Type: multipart/mixed; boundary=b\n\n{}--b--\n",
        "--b\n\nx\n".repeat(MAX_PARTS)
    );
    assert_eq!(kinds(message.as_bytes()), [Kind::LimitReached]);
}

#[test]
fn ranges_are_offsets_in_the_message() {
    let source = b"A: 1\nSubject: two\n lines\n\nbody";
    let message = Message::parse(source);
    let field = message.field("Subject").unwrap();
    assert_eq!(&source[field.range().unwrap()], b"Subject: two\n lines\n");
    let part = message.parts().next().unwrap();
    assert_eq!(&source[part.body_range().unwrap()], b"body");
    assert_eq!(
        &source[part.header_range().unwrap()],
        b"A: 1\nSubject: two\n lines\n\n"
    );
}

/// A long text may reuse the buffer of the transfer decoder; it equals the text of a short body.
#[test]
fn long_texts_equal_the_text_of_their_octets() {
    let of = |encoding: &str, body: &str| {
        format!(
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: {encoding}\n\n{body}"
        )
    };
    for count in [1, 1_000, 5_000, 20_000] {
        let plain = "caf\u{E9} au lait\n".repeat(count);
        let written = plain.replace('\u{E9}', "=C3=A9");
        let wide = "=EA=B0=80".repeat(count);
        for (body, expected) in [
            (written.clone(), plain.clone()),
            // A byte order mark is not text, and damage is U+FFFD (Unicode Standard, section 3.9).
            (format!("=EF=BB=BF{written}"), plain.clone()),
            (format!("{written}=FF"), format!("{plain}\u{FFFD}")),
            (format!("{written}=\n"), plain.clone()),
            (wide, "\u{AC00}".repeat(count)),
        ] {
            let source = of("quoted-printable", &body);
            let message = Message::parse(source.as_bytes());
            let text = message.parts().next().unwrap().text();
            assert_eq!(text.as_str(), expected);
            let text = text.into_text().into_owned();
            // At most an eighth of the text is spare capacity.
            assert!(
                text.capacity() <= text.len() + text.len() / 8 + 64,
                "{count}"
            );
        }
    }
}

#[test]
fn minimal_input_is_a_message() {
    for nothing in [b"".as_slice(), b"\n", b"\r\n", b"\0", b":", b"--", b" \n"] {
        let message = Message::parse(nothing);
        assert_eq!(message.parts().count(), 1);
        let _ = message.parts().next().unwrap().text();
    }
}

#[test]
fn findings_about_a_file_name_have_offsets_in_the_message() {
    let source =
        b"Subject: x\nContent-Disposition: attachment; filename=\"=?utf-8?Q?=C3=A9?=\"\n\n";
    let message = Message::parse(source);
    let name = message.parts().next().unwrap().filename().unwrap();
    assert_eq!(name.as_str(), "é");
    let finding = &name.report().findings()[0];
    let stretch = &source[finding.offset()..finding.offset() + finding.length()];
    assert!(
        stretch.starts_with(b"filename=") && stretch.ends_with(b"\""),
        "{stretch:?}"
    );
}

/// Deciding with and without evidence gives the same charset: under every label, for bodies of
/// lengths around the sample sizes at which labels are tested.
#[test]
fn deciding_without_evidence_gives_the_same_charset() {
    let labels = [
        "",
        "utf-8",
        "us-ascii",
        "iso-8859-1",
        "koi8-r",
        "euc-kr",
        "iso-2022-jp",
        "utf-16",
        "hz",
        "utf-7",
        "unknown-8bit",
        "nothing",
        "ebcdic-us",
        "utf8 ",
        "ks_c_5601-1987",
    ];
    let texts: [&[u8]; 10] = [
        b"plain",
        "한국어 naïve".as_bytes(),
        b"na\xEFve",
        b"\xC7\xD1\xB1\xB9\xBE\xEE",
        b"\xC2\xB1\xC3\xA9",
        b"\xC3",
        b"\x1B$B8l\x1B(B",
        b"\xEF\xBB\xBFmark",
        b"\xFF\xFEm\0",
        b"\xE2\x82\xE2\x82\xAC",
    ];
    let lengths = [0, 250, 255, 300, 1022, 1026, 4090, 4099];
    let mut differ_from_label = 0;
    for (at, (label, media_type)) in labels
        .iter()
        .flat_map(|label| [(label, "text/plain"), (label, "text/html")])
        .enumerate()
    {
        for (length, (number, first)) in lengths
            .iter()
            .flat_map(|length| texts.iter().enumerate().map(move |text| (length, text)))
        {
            let last = texts[(number + at) % texts.len()];
            let padding = "line\r\n".repeat(length / 6) + &"x".repeat(length % 6);
            let plain = [first, padding.as_bytes(), last].concat();
            let mut quoted = String::new();
            for octet in &plain {
                match octet {
                    b'\r' | b'\n' | b' '..=b'<' | b'>'..=b'~' => quoted.push(char::from(*octet)),
                    octet => write!(quoted, "={octet:02X}").unwrap(),
                }
            }
            let lines: Vec<_> = plain.chunks(57).map(|line| STANDARD.encode(line)).collect();
            for (encoding, body) in [
                ("base64", lines.join("\r\n").as_bytes()),
                ("8bit", &plain[..]),
                ("quoted-printable", quoted.as_bytes()),
            ] {
                let header = format!(
                    "Content-Type: {media_type}; charset=\"{label}\"\n\
                     Content-Transfer-Encoding: {encoding}\n\n"
                );
                let source = [header.as_bytes(), body].concat();
                let message = Message::parse(&source);
                let part = message.parts().next().unwrap();
                for trust in [false, true] {
                    let options = Options::new().trust_label(trust);
                    let decision = part.decide(&options);
                    let expected = (decision.charset, decision.source);
                    let source = source.escape_ascii();
                    assert_eq!(part.charset(&options), expected.0, "{source}");
                    let text = part.text_with(&options);
                    assert_eq!((text.charset(), text.source()), expected, "{source}");
                    differ_from_label += usize::from(decision.source != Source::Declared);
                }
            }
        }
    }
    assert!(differ_from_label > 1000, "{differ_from_label}");
}

/// Names and addresses are decoded like the whole field (RFC 7103, section 7.7), and their findings
/// have offsets in the message.
#[test]
fn names_are_decoded_in_the_charset_of_the_message() {
    let source =
        b"Subject: =?koi8-r?B?8NLJ18XU?=\nFrom:\n (\xE9) \xF0\xA3\xD4\xD2 <petr@example.org>\n\n";
    let message = Message::parse(source);
    let from = message.field("From").unwrap();
    let list = from.addresses();
    let name = &list.mailboxes().next().unwrap().name;
    assert_eq!(name.as_str(), "Пётр");
    // Decoded like the whole field; the guess is not from the name alone.
    assert!(from.text().as_str().ends_with("Пётр <petr@example.org>"));
    let at = |needle: &[u8]| memchr::memmem::find(source, needle).unwrap();
    let finding = &name.report().findings()[0];
    assert_eq!(
        (finding.kind(), finding.offset()),
        (Kind::RawOctets, at(b"\xF0\xA3\xD4\xD2"))
    );
}

/// RFC 2045, section 5.1: types are case-insensitive. The fast path recognizes text parts by four
/// letters; it must agree with the grammar for each octet at each place.
#[test]
fn rfc2045_5_1_the_fast_path_recognizes_text_like_the_grammar() {
    for place in 0..6 {
        for octet in 0..=u8::MAX {
            let mut media_type = *b"text/plain";
            media_type[place] = octet;
            let source = [b"Content-Type: ", &media_type[..], b"\n\nx"].concat();
            let message = Message::parse(&source);
            let root = message.root();
            let says_text = root.content_type().media_type().starts_with("text/");
            assert_eq!(root.is_text(), says_text, "{place} {octet:#04X}");
        }
    }
    for written in ["TEXT/plain", "Text/x", "tExT/p", "text/", "text", "textx/p"] {
        let source = format!("Content-Type: {written}\n\nx");
        let message = Message::parse(source.as_bytes());
        let says_text = message
            .root()
            .content_type()
            .media_type()
            .starts_with("text/");
        assert_eq!(message.root().is_text(), says_text, "{written}");
    }
}

/// A header with more fields than a message indexes, with folds, lines that are not fields, and all
/// line endings: iterated from the back, from the front, and from both ends in turn.
#[test]
fn fields_iterate_backward_like_forward() {
    let shapes = [
        "A: one",
        "B: two\r\n folded\r\n\tagain",
        "C:",
        "junk line",
        "D : three\n \n four",
        "From someone",
        "E: \rfive",
    ];
    for line_end in ["\n", "\r\n", "\r"] {
        for count in [3, 255, 300, 1000] {
            let lines: String = (0..count)
                .map(|number| shapes[(number * number + number / 7) % shapes.len()])
                .flat_map(|line| [line.replace('\n', line_end), line_end.to_owned()])
                .collect();
            let lines = if line_end == "\r" {
                lines.replace('\n', "")
            } else {
                lines
            };
            let source = format!("{lines}Z: last{line_end}{line_end}body: x{line_end}");
            let message = Message::parse(source.as_bytes());
            let forward: Vec<_> = message.fields().map(|field| field.range()).collect();
            let mut backward: Vec<_> = message.fields().rev().map(|it| it.range()).collect();
            backward.reverse();
            assert_eq!(backward, forward, "{line_end:?} {count}");
            for step in [1, 2, 3, 70] {
                let mut fields = message.fields();
                let (mut front, mut back) = (Vec::new(), Vec::new());
                while front.len() + back.len() < forward.len() {
                    front.extend(fields.next().map(|it| it.range()));
                    back.extend(fields.by_ref().rev().take(step).map(|it| it.range()));
                }
                assert!(fields.next().is_none() && fields.next_back().is_none());
                front.extend(back.into_iter().rev());
                assert_eq!(front, forward, "{line_end:?} {count} {step}");
            }
            let named: Vec<_> = message
                .root()
                .fields_named("b")
                .map(|it| it.range())
                .collect();
            let mut backward: Vec<_> = message.root().fields_named("B").rev().collect();
            backward.reverse();
            assert!(backward.iter().map(Field::range).eq(named));
        }
    }
}

/// A client shows a message with one call per part (RFC 8621, section 4.1).
#[test]
fn short_methods_use_default_options() {
    let source = b"From: a@example.org\nTo: Friends: b@example.org;\nSubject: =?utf-8?Q?=C3=A9?=\n\
        Content-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Type: multipart/alternative; boundary=c\n\n\
        --c\nContent-Type: text/html\n\n<p>page\n--c\n\nplain text\n--c--\n\
        --b\nContent-Type: image/png; name=a.png\n\nx\n--b--\n";
    let message = Message::parse(source);
    assert_eq!(message.subject().unwrap().as_str(), "é");
    assert_eq!(message.from().unwrap().mailboxes().count(), 1);
    assert_eq!(message.to().unwrap().mailboxes().count(), 1);
    assert_eq!(message.text_part().unwrap().section(), "1.2");
    assert_eq!(message.text().unwrap().as_str(), "plain text");
    assert_eq!(message.preview(5), "plain");
    let image = message.part("2").unwrap();
    assert_eq!(image.filename().unwrap().as_str(), "a.png");
    assert_eq!(image.source(), b"Content-Type: image/png; name=a.png\n\nx");

    let empty = Message::parse(b"Content-Type: image/png\n\nx");
    assert!(empty.subject().is_none() && empty.from().is_none() && empty.to().is_none());
    assert!(empty.text_part().is_none() && empty.text().is_none() && empty.preview(1).is_empty());
}
