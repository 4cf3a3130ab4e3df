//! Conversion to UTF-8: which octets change, which stay, and the proof.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use mime_charset::convert::{
    Change, Conversion, Headers, MAX_CHANGES, MAX_FIELD, OnMalformed, convert, verify,
};
use mime_charset::{Charset, Kind, Message, Options, Report, Source, message::MAX_HEADER};
use proptest::prelude::*;

/// The messages of the corpus, with their names.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus/mail");
    let mut messages: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read(path).unwrap())
        })
        .collect();
    messages.sort();
    assert!(messages.len() > 100);
    messages
}

/// Every conversion option that changes different octets.
fn all_options() -> Vec<Conversion> {
    let plain = Conversion::new();
    vec![
        plain,
        Conversion {
            headers: Headers::Utf8,
            ..plain
        },
        Conversion {
            on_malformed: OnMalformed::Replace,
            attachments: true,
            keep_declarations: false,
            guessed: Some(81),
            ..plain
        },
    ]
}

/// Converts, verifies, and converts again.
#[track_caller]
fn check(name: &str, source: &[u8], options: &Conversion) -> Vec<u8> {
    let converted = convert(source, options);
    let result = converted.as_bytes().to_vec();
    match verify(source, &result, &converted.changes, options) {
        Ok(proof) => assert_eq!(
            (
                converted.changed_fields,
                converted.changed_parts,
                converted.relabelled_parts
            ),
            (proof.fields, proof.parts, proof.relabelled),
            "{name}"
        ),
        Err(error) => panic!("{name}: {error}\n{}", String::from_utf8_lossy(&result)),
    }
    let again = convert(&result, options);
    assert!(
        matches!(again.as_bytes(), octets if octets == result) && again.changes.is_empty(),
        "{name}: {:?}\n{}\n{}",
        again.changes,
        String::from_utf8_lossy(&result),
        String::from_utf8_lossy(again.as_bytes())
    );
    result
}

/// A message stays visible if it was visible under an encoding label (RFC 2045, section 6.4). Parts
/// stay where they were: after a header without a blank line (RFC 7103, section 7.2), and between
/// texts outside all parts (RFC 2046, section 5.1.1), which are kept.
#[test]
fn odd_structure_is_kept() {
    let inner = "Subject: =?latin1?Q?caf=E9?=\nContent-Type: text/plain; charset=koi8-r;\n format=x\n\n\
                 8NLJ18XU\u{A4}\n";
    let latin1 = |text: &str| -> Vec<u8> {
        let octet = |character| u8::try_from(u32::from(character)).unwrap();
        text.chars().map(octet).collect()
    };
    let attached = |encoding: &str| {
        format!("Content-Type: message/rfc822\nContent-Transfer-Encoding: {encoding}\n\n{inner}")
    };
    let multipart = |blank: &str, before: &str, behind: &str| {
        format!(
            "Content-Type: multipart/mixed; boundary=b\n{blank}{before}--b\n{inner}\n--b--\n{behind}"
        )
    };
    for message in [
        attached("base64"),
        attached("quoted-printable"),
        multipart("", "", ""),
        multipart("\n", "caf\u{E9}\n", "f\u{FC}r alle\n"),
    ] {
        let source = latin1(&message);
        for options in all_options() {
            let result = check(&message, &source, &options);
            let result = String::from_utf8_lossy(&result);
            assert!(result.contains("charset=UTF-8;\n format=x"), "{result}");
        }
    }
    let kept = check(
        "outside of parts",
        &latin1(&multipart("\n", "caf\u{E9}\n", "f\u{FC}r alle\n")),
        &Conversion::new(),
    );
    assert!(kept.windows(4).any(|octets| octets == b"caf\xE9"));
    assert!(kept.ends_with(b"f\xFCr alle\n"));
}

#[test]
fn every_message_of_the_corpus() {
    for (name, source) in corpus() {
        for options in all_options() {
            check(&name, &source, &options);
        }
    }
}

/// A message from a header and a body.
fn message(header: &str, body: &[u8]) -> Vec<u8> {
    let mut message = header.replace('\n', "\r\n").into_bytes();
    message.extend_from_slice(b"\r\n\r\n");
    message.extend_from_slice(body);
    message
}

/// The verified result of a conversion with default options.
#[track_caller]
fn converted(header: &str, body: &[u8]) -> String {
    let result = check(header, &message(header, body), &Conversion::new());
    String::from_utf8(result).unwrap()
}

/// Converts a header with default options and ignores the body.
#[track_caller]
fn header_becomes(header: &str, expected: &str) {
    let result = converted(header, b"x\r\n");
    assert_eq!(
        result,
        format!("{expected}\n\nx\n").replace('\n', "\r\n"),
        "{header}"
    );
}

/// Checks that a message is kept, and that a finding gives the reason.
#[track_caller]
fn assert_kept(source: &[u8], options: &Conversion, kind: Kind, detail: &str) {
    let converted = convert(source, options);
    assert!(
        matches!(converted.clone().into_octets(), Cow::Borrowed(octets) if octets == source),
        "{:?}",
        converted.changes
    );
    let said = converted
        .report
        .findings()
        .iter()
        .any(|finding| finding.kind() == kind && finding.detail().contains(detail));
    assert!(said, "{:?}", converted.report);
}

#[test]
fn ascii_and_utf_8_are_borrowed() {
    let messages = [
        message("Subject: plain", b"text\r\n"),
        message("Content-Type: text/plain; charset=us-ascii", b"text\r\n"),
        message(
            "Content-Type: text/plain; charset=utf8",
            "텍스트".as_bytes(),
        ),
        message(
            "Subject: =?utf-8?B?7ZWc?=\nContent-Type: text/plain",
            b"text",
        ),
        message("Subject: =?US-ASCII?Q?Keith_Moore?=", b""),
        message(
            "Content-Disposition: attachment; filename*=utf-8'nb'J%C3%B8rn.txt",
            b"",
        ),
        b"no header at all".to_vec(),
        Vec::new(),
    ];
    for source in messages {
        let result = convert(&source, &Conversion::new());
        assert!(result.report.is_empty(), "{:?}", result.report);
        assert!(matches!(result.into_octets(), Cow::Borrowed(octets) if octets == source));
    }
    let mut borrowed = 0;
    for (name, source) in corpus() {
        let result = convert(&source, &Conversion::new());
        let unchanged = result.changes.is_empty();
        assert_eq!(
            unchanged,
            matches!(result.into_octets(), Cow::Borrowed(_)),
            "{name}"
        );
        borrowed += usize::from(unchanged);
    }
    assert!(borrowed > 10);
}

/// RFC 2045, section 6.2: 8bit and binary data keep their encoding, and 7bit data remains valid
/// 7bit. Python wrote the octets of the source.
#[test]
fn the_transfer_encoding_remains_legal() {
    let text = "Content-Type: text/plain; charset";
    assert_eq!(
        converted(
            &format!("{text}=euc-kr\nContent-Transfer-Encoding: 8bit"),
            b"\xC7\xD1\xB1\xDB\r\n"
        ),
        "Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n한글\r\n"
    );
    // Base64 needs 12 letters for three characters in nine octets and 4 for the line ending;
    // quoted-printable needs 27.
    assert_eq!(
        converted(
            &format!("{text}=iso-2022-jp\nContent-Transfer-Encoding: 7bit"),
            b"\x1B$BF|K\\8l\x1B(B\r\n"
        ),
        "Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: base64\r\n\r\n5pel5pys6KqeDQo=\r\n"
    );
    assert_eq!(
        converted(
            &format!("{text}=iso-2022-jp"),
            b"It is \x1B$BF|\x1B(B today, and tomorrow it may be another one.\r\n"
        ),
        "Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
         It is =E6=97=A5 today, and tomorrow it may be another one.\r\n"
    );
    assert_eq!(
        converted(
            &format!("{text}=iso-8859-1\nContent-Transfer-Encoding: quoted-printable"),
            b"caf=E9 =3D \r\n"
        ),
        "Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
         caf=C3=A9 =3D\r\n"
    );
    // Octets above 7F under 7bit are treated as 8bit (RFC 7103, section 7.7).
    assert_eq!(
        converted(
            &format!("{text}=koi8-r\nContent-Transfer-Encoding: (old) 7Bit"),
            b"\xF0\xD2\xC9\r\n"
        ),
        "Content-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: (old) 8bit\r\n\r\nПри\r\n"
    );
}

/// Classic Mac OS. Python's `quopri` and codecs wrote the octets of both sides.
#[test]
fn lines_ending_in_bare_cr_are_converted() {
    for (header, body, expected) in [
        (
            "Content-Type: text/plain; charset=iso-2022-jp\r",
            "\x1B$B$3$s\x1B(B 0\r",
            "Content-Type: text/plain; charset=UTF-8\r\
             Content-Transfer-Encoding: quoted-printable\r\r=E3=81=93=E3=82=93 0\r",
        ),
        (
            "Content-Type: text/plain; charset=koi8-r\r\
             Content-Transfer-Encoding: quoted-printable\r",
            "=F0=D2\r",
            "Content-Type: text/plain; charset=UTF-8\r\
             Content-Transfer-Encoding: quoted-printable\r\r=D0=9F=D1=80\r",
        ),
    ] {
        let source = format!("Subject: x\r{header}\r{body}");
        let result = check("CR", source.as_bytes(), &Conversion::new());
        assert_eq!(
            String::from_utf8_lossy(&result),
            format!("Subject: x\r{expected}")
        );
    }
}

/// RFC 2045, section 6.8: lines of 76 characters, here with the message's line endings; the text
/// keeps its own line endings.
#[test]
fn base64_stays_base64_and_keeps_the_line_ends_of_its_text() {
    // 19 times C7 D1, then LF: 39 octets, 52 letters.
    let source = b"Content-Type: text/plain; charset=euc-kr\n\
        Content-Transfer-Encoding: base64\n\n\
        x9HH0cfRx9HH0cfRx9HH0cfRx9HH0cfRx9HH0cfRx9HH0cfRx9EK\n";
    let result = check("base64", source, &Conversion::new());
    let result = String::from_utf8(result).unwrap();
    let (_, body) = result.split_once("\n\n").unwrap();
    // 57 octets of text fill a line of 76 letters; the line feed goes into the next.
    assert_eq!(body, format!("{}\nCg==\n", "7ZWc".repeat(19)));
}

/// Text moved to base64 gets CRLF (RFC 2045, section 6.8), although its message has LF.
#[test]
fn text_moved_to_base64_is_canonical() {
    let source = b"Content-Type: text/plain; charset=iso-2022-jp\n\n\x1B$BF|K\\8l\x1B(B\n";
    let result = check("canonical", source, &Conversion::new());
    assert!(result.ends_with(b"\n\n5pel5pys6KqeDQo=\n"));
    // Mixed line endings are kept.
    let source = b"Content-Type: text/plain; charset=iso-2022-jp\n\n\x1B$BF|K\\8l\x1B(B\r\n\n";
    let result = check("mixed", source, &Conversion::new());
    assert!(
        Message::parse(&result)
            .parts()
            .next()
            .unwrap()
            .text()
            .as_str()
            == "日本語\r\n\n"
    );
}

/// RFC 2045, section 2.8: lines of 8bit data have at most 998 octets.
#[test]
fn lines_that_grow_too_long_are_encoded() {
    let body = "\u{D55C}".repeat(400);
    let source = message(
        "Content-Type: text/plain; charset=euc-kr\nContent-Transfer-Encoding: 8bit",
        &b"\xC7\xD1".repeat(400),
    );
    let result = check("long", &source, &Conversion::new());
    let result = Message::parse(&result);
    let part = result.parts().next().unwrap();
    assert_eq!(part.transfer_encoding().name(), "base64");
    assert_eq!(part.text().as_str(), body);
}

/// A delimiter hidden by UTF-7 (RFC 2152) must not end a part.
#[test]
fn utf_7_text_creates_no_delimiter() {
    let source = message(
        "Content-Type: multipart/mixed; boundary=b",
        b"--b\r\nContent-Type: text/plain; charset=utf-7\r\n\r\n+AC0-+AC0-b\r\n--b--\r\n",
    );
    let result = check("delimiter", &source, &Conversion::new());
    let result = Message::parse(&result);
    let texts: Vec<_> = result
        .parts()
        .map(|part| part.text().as_str().to_owned())
        .collect();
    assert_eq!(texts, ["--b"]);
}

/// Apple's Arabic and Hebrew charsets also encode the hyphen above 7F, ISO 6937 has a lone accent,
/// and ISCII has a switch that is not text. A delimiter hidden this way must not end a part in any
/// charset.
#[test]
#[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
fn text_in_other_charsets_creates_no_delimiter() {
    let mut count = 0;
    for charset in Charset::all().filter(|charset| charset.is_decoded()) {
        let hyphens = (0x80..=0xFF_u8).filter(|&octet| charset.decode(&[octet]).as_str() == "-");
        let mut lines: Vec<Vec<u8>> = hyphens.map(|octet| vec![octet, octet, b'b']).collect();
        count += lines.len();
        if charset.name().starts_with("x-iscii") {
            lines.push(b"\xEF\x30--b".to_vec());
            lines.push(b"-\xEF\x42-b".to_vec());
        }
        for line in lines {
            let head = format!(
                "Content-Type: multipart/mixed; boundary=b\r\n\r\n\
                 --b\r\nContent-Type: text/plain; charset={charset}\r\n\
                 Content-Transfer-Encoding: 8bit\r\n\r\n"
            );
            let body = [b"x\xE0\xE1\r\n", &*line, b"\r\ny\r\n--b--\r\n"].concat();
            let source = [head.as_bytes(), &body].concat();
            check(charset.name(), &source, &Conversion::new());
        }
    }
    // At least x-mac-arabic, x-mac-farsi and x-mac-hebrew.
    assert!(count >= 3, "{count}");
}

#[test]
fn a_missing_content_type_is_added_if_the_octets_need_it() {
    assert_eq!(
        converted("Subject: x", "한글\r\n".as_bytes()),
        "Subject: x\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=UTF-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\n한글\r\n"
    );
    assert_eq!(
        converted(
            "MIME-Version: 1.0\nContent-Type: text/plain;\n\tformat=flowed\nSubject: x",
            "한글\r\n".as_bytes()
        ),
        "MIME-Version: 1.0\r\nContent-Type: text/plain;\r\n\tformat=flowed; charset=UTF-8\r\n\
         Content-Transfer-Encoding: 8bit\r\nSubject: x\r\n\r\n한글\r\n"
    );
}

/// RFC 2231, section 4: other forms of the charset parameter.
#[test]
fn only_the_octets_of_the_charset_parameter_change() {
    #[track_caller]
    fn becomes(field: &str, expected: &str) {
        let header = format!("Content-Type: {field}\nContent-Transfer-Encoding: 8bit");
        let result = converted(&header, b"\xE9\r\n");
        let (first, _) = result.split_once("\r\nContent-T").unwrap();
        assert_eq!(first, format!("Content-Type: {expected}"));
    }
    becomes(
        "TEXT/Plain; Format=Flowed;\n\tCharset = \"ISO-8859-1\" (Latin); delsp=yes",
        "TEXT/Plain; Format=Flowed;\r\n\tCharset = \"UTF-8\" (Latin); delsp=yes",
    );
    becomes(
        "text/plain; charset*=us-ascii'en'iso-8859-1; a=b",
        "text/plain; charset=UTF-8; a=b",
    );
    becomes(
        "text/plain; charset*0=iso-; charset*1=8859-1; a=b",
        "text/plain; charset=UTF-8; a=b",
    );
    becomes(
        "text/plain; charset=iso-8859-1; charset=koi8-r",
        "text/plain; charset=UTF-8; charset=UTF-8",
    );
    becomes(
        "text/plain;charset='iso-8859-1'",
        "text/plain;charset=UTF-8",
    );
    becomes(
        "text/plain; charset=\"iso-8859-1",
        "text/plain; charset=UTF-8",
    );
}

/// RFC 3676: format and delsp control the flow of lines; the lines are kept.
#[test]
fn flowed_text_survives() {
    let header = "Content-Type: text/plain; charset=iso-2022-jp; format=flowed; delsp=yes";
    let body = b"\x1B$BF|K\\\x1B(B  \r\n\x1B$B8l\x1B(B\r\n-- \r\nx\r\n";
    let source = message(header, body);
    let result = check("flowed", &source, &Conversion::new());
    let result = Message::parse(&result);
    let part = result.parts().next().unwrap();
    assert_eq!(part.text().as_str(), "日本  \r\n語\r\n-- \r\nx\r\n");
    assert_eq!(
        part.content_type().parameter("delsp").unwrap().octets(),
        b"yes"
    );
}

/// RFC 2047, section 5: encoded words in place; Python wrote the encoded texts.
#[test]
fn encoded_words_are_replaced_in_place() {
    header_becomes(
        "Subject: Re:  =?euc-kr?B?x9Gxub7u?=\n\t=?EUC-KR?Q?_x?= (plain)  text",
        "Subject: Re:  =?UTF-8?B?7ZWc6rWt7Ja0IHg=?= (plain)  text",
    );
    header_becomes(
        "From: =?koi8-r?Q?=F0=D2=C9?= (=?koi8-r?Q?=F0?=) <a@b.test>,\n \"=?koi8-r?Q?=F0?=\" <c@d.test>",
        "From: =?UTF-8?B?0J/RgNC4?= (=?UTF-8?B?0J8=?=) <a@b.test>,\n \"=?UTF-8?B?0J8=?=\" <c@d.test>",
    );
    // Neighbouring words in UTF-8 are kept, and so is the language tag of RFC 2231, section 5.
    header_becomes(
        "Subject: =?utf-8?Q?a?= =?iso-8859-1*de?Q?=E4?= =?us-ascii?Q?b?=",
        "Subject: =?utf-8?Q?a?= =?UTF-8*de?B?w6Q=?= =?us-ascii?Q?b?=",
    );
    // An addr-spec has no encoded words (RFC 2047, section 5, rule 3).
    header_becomes("To: =?koi8-r?Q?=F0?=@d.test", "To: =?koi8-r?Q?=F0?=@d.test");
}

/// RFC 2047, section 2: at most 75 characters per word, 76 per line.
#[test]
fn words_and_lines_respect_their_limits() {
    let word = "=?euc-kr?B?vK2/77DHIA==?= ";
    for before in 0..67 {
        let header = format!(
            "Subject: {} {}and {}",
            "x".repeat(before),
            word.repeat(9),
            "y".repeat(30)
        );
        let result = converted(&header, b"");
        for line in result.lines() {
            assert!(line.len() <= 76, "{line}");
            for word in line.split(' ').filter(|word| word.starts_with("=?")) {
                assert!(word.len() <= 75 && word.ends_with("?="), "{word}");
            }
        }
    }
}

/// RFC 7103, section 7.7: raw text in a header is in the charset of the body. A word in another
/// charset is found after words labelled `utf-8`, and next to false starts of words.
#[test]
fn utf_8_words_do_not_hide_other_words() {
    for before in [
        "=?utf-8?B?7ZWc?=",
        "=?UTF-8?",
        "=?utf-8*ko?B?7ZWc?=",
        "=?utf-8",
    ] {
        header_becomes(
            &format!("Subject: {before} x =?koi8-r?Q?=F0?="),
            &format!("Subject: {before} x =?UTF-8?B?0J8=?="),
        );
    }
}

#[test]
fn a_message_with_too_many_changes_is_kept() {
    let words = |count: usize| "X: =?koi8-r?Q?=F0?=\n".repeat(count) + "\n";
    let most = words(MAX_CHANGES);
    let result = convert(most.as_bytes(), &Conversion::new());
    assert_eq!(result.changes.len(), MAX_CHANGES);
    let expected = "X: =?UTF-8?B?0J8=?=\n".repeat(MAX_CHANGES) + "\n";
    assert!(result.as_bytes() == expected.as_bytes());
    let more = words(MAX_CHANGES + 1);
    for options in all_options() {
        let detail = "more than 65536 changes";
        assert_kept(more.as_bytes(), &options, Kind::Unconverted, detail);
    }
}

#[test]
fn raw_text_becomes_words() {
    let result = check(
        "raw",
        b"Subject: caf\xE9 au lait\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n",
        &Conversion::new(),
    );
    let expected: &[u8] = b"Subject: =?UTF-8?B?Y2Fmw6k=?= au lait\r\n\
        Content-Type: text/plain; charset=UTF-8\r\n\r\n";
    assert_eq!(result, expected);
    header_becomes(
        "From: \"Ørn, Å\" <a@b.test>\n (Ærø \\(x\\) y)",
        "From: =?UTF-8?B?w5hybiwgw4U=?= <a@b.test>\n (=?UTF-8?B?w4Zyw7g=?= \\(x\\) y)",
    );
    // A blank next to the word would be lost between two words (RFC 2047, section 6.2).
    header_becomes(
        "Subject: =?utf-8?Q?a?= é é b",
        "Subject: =?utf-8?Q?a?= =?UTF-8?B?IMOpIMOp?= b",
    );
}

/// `一` is A4 40 in Big5 (Unicode's BIG5.TXT), `ー` and `ゼ` are 81 5B and 83 5B in `Shift_JIS`
/// (SHIFTJIS.TXT), and `丂` is 81 40 in GBK (CP936.TXT). 40 and 5B are `@` and `[`, which end a word
/// of a display name. Neither half decodes alone, so both are kept.
#[test]
fn raw_text_around_half_a_character_is_kept() {
    let big5 = &b"\xB3\x6F\n"[..];
    for (label, body, name) in [
        ("big5", big5, &b"\xB3\x6F\xAC\x4F\xA4\x40\xAB\xCA"[..]),
        ("big5", big5, b"\xA4\x40\xAB\xCA"),
        ("big5", big5, b"\xA4\x40\xA4\x40\xAB\xCA"),
        ("shift_jis", b"\x82\xB1\n", b"\x83\x66\x81\x5B\x83\x5E"),
        ("shift_jis", b"\x82\xB1\n", b"\x83\x5B\x83\x5B\x82\xB1"),
        ("gbk", b"\xD6\xD0\n", b"\xD6\xD0\x81\x40\xD6\xD0"),
    ] {
        let header = [b"From: ", name, b" <kim@example.org>\n"].concat();
        let rest = format!("Content-Type: text/plain; charset={label}\n\n");
        let rest = &[rest.as_bytes(), body].concat();
        let result = check("raw", &[&header[..], rest].concat(), &Conversion::new());
        assert!(result.starts_with(&header), "{}", result.escape_ascii());
    }
}

/// A backslash that is a trail octet is not a quoted pair (RFC 5322, section 3.2.4). The cells are
/// those of `CPython`'s codecs.
#[test]
fn raw_text_with_backslashes_as_trail_octets() {
    for (charset, octets, text) in [
        (
            "shift_jis",
            &b"\x83\x5C\x83\x74\x83\x67\x95\x5C.txt"[..],
            "ソフト表.txt",
        ),
        ("big5", b"\xA6\xA8\xA5\x5C\xAE\xD7.txt", "成功案.txt"),
        ("gbk", b"\xD5\x5C\xD2\xE2\xCA\xE9.txt", "誠意书.txt"),
    ] {
        let header = [
            &b"From: \""[..],
            octets,
            b"\" <kim@example.org>\nContent-Disposition: attachment; filename=\"",
            octets,
            b"\"\nContent-Type: text/plain; charset=",
            charset.as_bytes(),
            b"\n\n",
        ];
        let result = check(
            "raw",
            &[&header.concat()[..], octets, b"\n"].concat(),
            &Conversion::new(),
        );
        let message = Message::parse(&result);
        let from = message.from().unwrap();
        assert_eq!(from.mailboxes().next().unwrap().name.as_str(), text);
        assert_eq!(message.root().filename().unwrap().as_str(), text);
        // The body is an attachment, which is kept.
        assert!(message.root().header().is_ascii(), "{charset}");
    }
}

/// A charset detected from raw text without any label is a guess: such text is kept unless the
/// caller asks to convert guesses. "Смета на ремонт школьной библиотеки" in `CPython`'s `cp1251`.
#[test]
fn guessed_raw_text_is_converted_on_request() {
    let source = b"Subject: \xD1\xEC\xE5\xF2\xE0 \xED\xE0 \xF0\xE5\xEC\xEE\xED\xF2 \xF8\xEA\xEE\xEB\xFC\xED\xEE\xE9 \xE1\xE8\xE1\xEB\xE8\xEE\xF2\xE5\xEA\xE8\r\n\r\n";
    assert_eq!(check("raw", source, &Conversion::new()), source);
    let report = convert(source, &Conversion::new()).report.clone();
    assert!(report.has(Kind::Unconverted));
    let guessed = Conversion {
        headers: Headers::Utf8,
        guessed: Some(50),
        ..Conversion::new()
    };
    let expected = "Subject: Смета на ремонт школьной библиотеки\r\n\r\n";
    assert_eq!(check("raw", source, &guessed), expected.as_bytes());
}

/// RFC 6532, section 3.2.
#[test]
fn headers_in_raw_utf_8() {
    #[track_caller]
    fn becomes(header: &str, expected: &str) {
        let options = Conversion {
            headers: Headers::Utf8,
            ..Conversion::new()
        };
        let result = check(header, &message(header, b""), &options);
        assert_eq!(
            String::from_utf8(result).unwrap(),
            format!("{expected}\r\n\r\n")
        );
    }
    becomes("Subject: é", "Subject: é");
    becomes("Subject: =?iso-8859-1?Q?=E9_=E8?= x", "Subject: é è x");
    becomes(
        "To: =?iso-8859-1?Q?=E9=2C?= <a@b.test>",
        "To: \"é,\" <a@b.test>",
    );
    // Line endings, text that looks like a word, and neighbours of words stay encoded.
    becomes(
        "Subject: =?iso-8859-1?Q?=E9=0D=0ABcc:_x?=",
        "Subject: =?UTF-8?B?w6kNCkJjYzogeA==?=",
    );
    becomes(
        "Subject: =?utf-8?Q?a?= =?iso-8859-1?Q?=E9?=",
        "Subject: =?utf-8?Q?a?= =?UTF-8?B?w6k=?=",
    );
}

/// RFC 2231, section 4.
#[test]
fn parameters_are_rewritten_in_place() {
    header_becomes(
        "Content-Disposition: attachment; filename*=euc-kr'ko'%C7%D1.txt; x=y",
        "Content-Disposition: attachment; filename*=UTF-8'ko'%ED%95%9C.txt; x=y",
    );
    header_becomes(
        "Content-Type: text/plain;\n name=\"=?euc-kr?B?x9E=?= 1.txt\"",
        "Content-Type: text/plain;\n name*=UTF-8''%ED%95%9C%201.txt",
    );
    header_becomes(
        "Content-Disposition: attachment; filename=\"é.txt\"",
        "Content-Disposition: attachment; filename*=UTF-8''%C3%A9.txt",
    );
    // A quoted pair is unescaped.
    header_becomes(
        "Content-Type: text/plain;\n name=\"=\\?euc-kr?B?x9E=?=\"",
        "Content-Type: text/plain;\n name*=UTF-8''%ED%95%9C",
    );
    // The plain value for old programs is converted as well.
    header_becomes(
        "Content-Disposition: attachment; filename=\"=?euc-kr?B?x9E=?=\"; filename*=euc-kr''%C7%D1",
        "Content-Disposition: attachment; filename=\"=?UTF-8?B?7ZWc?=\";\n filename*=UTF-8''%ED%95%9C",
    );
}

#[test]
fn nested_parts_and_messages_are_converted_in_place() {
    let source = message(
        "Content-Type: multipart/mixed; boundary=b",
        b"preamble\r\n--b  \r\nContent-Type: message/rfc822\r\n\r\n\
          Subject: =?koi8-r?Q?=F0?=\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n\xF0\r\n\
          --b\r\nContent-Description: =?koi8-r?Q?=F0?=\r\nContent-Type: image/png\r\n\r\n\xF0\r\n\
          --b--\r\nepilogue",
    );
    let result = check("inside", &source, &Conversion::new());
    let mut expected = message(
        "Content-Type: multipart/mixed; boundary=b",
        "preamble\r\n--b  \r\nContent-Type: message/rfc822\r\n\r\n\
         Subject: =?UTF-8?B?0J8=?=\r\nContent-Type: text/plain; charset=UTF-8\r\n\
         Content-Transfer-Encoding: 8bit\r\n\r\nП\r\n\
         --b\r\nContent-Description: =?UTF-8?B?0J8=?=\r\nContent-Type: image/png\r\n\r\n"
            .as_bytes(),
    );
    expected.extend_from_slice(b"\xF0\r\n--b--\r\nepilogue");
    assert_eq!(result, expected);
}

/// RFC 2045, section 6.4, forbids base64 for messages.
#[test]
fn a_message_in_base64_is_kept() {
    // printf 'Subject: =?koi8-r?Q?=F0?=\n\n' | base64
    let source = message(
        "Content-Type: message/rfc822\nContent-Transfer-Encoding: base64",
        b"U3ViamVjdDogPT9rb2k4LXI/UT89RjA/PQoK\r\n",
    );
    assert_kept(
        &source,
        &Conversion::new(),
        Kind::Unconverted,
        "an embedded message in base64, left unchanged",
    );
}

#[test]
fn signed_and_encrypted_parts_are_kept() {
    for kind in ["signed", "encrypted"] {
        let source = message(
            &format!("Content-Type: multipart/{kind}; boundary=b"),
            b"--b\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n\xF0\r\n--b--\r\n",
        );
        assert_kept(
            &source,
            &Conversion::new(),
            Kind::SignedContent,
            "left unchanged",
        );
    }
    let armour = "Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit";
    for opening in ["SIGNED MESSAGE-----", "MESSAGE-----"] {
        let body = [b"-----BEGIN PGP ", opening.as_bytes(), b"\r\n\r\n\xF0\r\n"].concat();
        assert_kept(
            &message(armour, &body),
            &Conversion::new(),
            Kind::SignedContent,
            "OpenPGP",
        );
    }
    let smime = message(
        "Content-Type: application/pkcs7-mime; smime-type=signed-data",
        b"\xF0\r\n",
    );
    assert!(convert(&smime, &Conversion::new()).changes.is_empty());
}

/// RFC 6376, section 3.5; RFC 1864.
#[test]
fn broken_header_signatures_are_named() {
    let broken = |header: &str, body: &[u8]| {
        let source = message(header, body);
        let converted = convert(&source, &Conversion::new());
        converted
            .report
            .findings()
            .iter()
            .filter(|finding| finding.kind() == Kind::SignedContent)
            .map(|finding| finding.detail().to_owned())
            .collect::<Vec<_>>()
    };
    let dkim = "DKIM-Signature: v=1; h=from:Subject; b=x";
    let body = "Content-Type: text/plain; charset=koi8-r";
    let word = "=?koi8-r?Q?=F0?=";
    let names = ["DKIM-Signature is no longer valid"];
    assert_eq!(broken(&format!("{dkim}\n{body}"), b"\xF0"), names);
    assert_eq!(broken(&format!("{dkim}\nSubject: {word}"), b"x"), names);
    assert_eq!(broken(&format!("{dkim}\nX-Note: {word}"), b"x"), [""; 0]);
    assert_eq!(
        broken(&format!("{body}\nContent-MD5: x"), b"\xF0"),
        ["Content-MD5 is no longer valid"]
    );
}

#[test]
fn attachments_are_converted_on_request() {
    let source = message(
        "Content-Type: text/plain; charset=koi8-r\nContent-Disposition: attachment",
        b"\xF0",
    );
    assert!(convert(&source, &Conversion::new()).changes.is_empty());
    let result = check(
        "attachment",
        &source,
        &Conversion {
            attachments: true,
            ..Conversion::new()
        },
    );
    assert!(result.ends_with("\r\n\r\nП".as_bytes()));
}

/// The `begin` line names a file. C5 is 110001 010000: 49 and 16, and with 32 added `Q0`.
#[test]
fn uuencode_is_kept() {
    let source = b"Content-Type: text/plain; charset=koi8-r\n\
        Content-Transfer-Encoding: x-uuencode\n\nbegin 644 a\n!Q0``\n`\nend\n";
    assert_kept(source, &Conversion::new(), Kind::Unconverted, "uuencode");
}

#[test]
fn malformed_text_is_kept_replaced_or_rejected() {
    // FF never occurs in EUC-KR.
    let source = message(
        "Content-Type: text/plain; charset=euc-kr\nContent-Transfer-Encoding: 8bit",
        b"\xC7\xD1\xFF\r\n",
    );
    assert_kept(&source, &Conversion::new(), Kind::Unconverted, "malformed");
    let replace = Conversion {
        on_malformed: OnMalformed::Replace,
        ..Conversion::new()
    };
    assert!(check("replace", &source, &replace).ends_with("한\u{FFFD}\r\n".as_bytes()));
    let replaced: usize = convert(&source, &replace)
        .changes
        .iter()
        .map(|change| change.report().replacements())
        .sum();
    assert_eq!(replaced, 1);
    let fail = Conversion {
        on_malformed: OnMalformed::Fail,
        ..Conversion::new()
    };
    let refused = convert(&source, &fail);
    assert!(refused.changes.is_empty());
    // After the header of 43 and 34 octets and the blank line.
    assert_eq!(refused.failure.unwrap().offset(), Some(source.len() - 5));

    let word = message("Subject: =?euc-kr?Q?=C7=D1=FF?= =?koi8-r?Q?=F0?=", b"");
    let result = check("word", &word, &Conversion::new());
    assert_eq!(
        result,
        message("Subject: =?euc-kr?Q?=C7=D1=FF?= =?UTF-8?B?0J8=?=", b"")
    );
}

#[test]
fn guesses_are_converted_on_request() {
    let source = message("Subject: x", b"caf\xE9 au lait\r\n");
    assert_kept(
        &source,
        &Conversion::new(),
        Kind::Unconverted,
        "a guessed charset",
    );
    let result = check(
        "guess",
        &source,
        &Conversion {
            guessed: Some(1),
            ..Conversion::new()
        },
    );
    assert!(result.ends_with("café au lait\r\n".as_bytes()));
    let sure = Conversion {
        guessed: Some(100),
        ..Conversion::new()
    };
    assert_kept(&source, &sure, Kind::Unconverted, "a guessed charset");
}

#[test]
fn octets_that_are_not_base64_are_not_lost() {
    let source = message(
        "Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64",
        b"8NLJ\r\n____\r\n",
    );
    assert_kept(&source, &Conversion::new(), Kind::Unconverted, "not base64");
    // Nor if there are more findings than a report keeps: two for each pair of octets.
    for groups in [0, 60_000] {
        let padding = "=T".repeat(Report::MAX_FINDINGS / 2 + 1);
        let body = format!("{}{padding}!8NLJ", "8NLJ".repeat(groups));
        let fields = "Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: base64";
        let source = message(fields, body.as_bytes());
        let options = Conversion {
            on_malformed: OnMalformed::Replace,
            ..Conversion::new()
        };
        assert_kept(&source, &options, Kind::Unconverted, "not base64");
    }
}

#[test]
fn declarations_in_documents_are_rewritten_or_reported() {
    let source = message(
        "Content-Type: text/html; charset=koi8-r\nContent-Transfer-Encoding: 8bit",
        b"<meta charset=\"koi8-r\">\xF0\r\n",
    );
    let keep = Conversion {
        keep_declarations: true,
        ..Conversion::new()
    };
    let plain = convert(&source, &keep);
    assert!(plain.report.has(Kind::DocumentConflict));
    let kept = check("document", &source, &keep);
    assert!(kept.ends_with("<meta charset=\"koi8-r\">П\r\n".as_bytes()));
    let fix = Conversion::new();
    assert!(!convert(&source, &fix).report.has(Kind::DocumentConflict));
    let fixed = check("document", &source, &fix);
    assert!(fixed.ends_with("<meta charset=\"UTF-8\">П\r\n".as_bytes()));
}

/// RFC 2781, section 3.2: the mark of UTF-16 is not text; elsewhere U+FEFF is kept. The declaration
/// of a kept text does not become UTF-8.
#[test]
fn a_kept_document_is_not_declared_utf_8() {
    let page = "Content-Type: text/html; charset=koi8-r\n\n<meta charset=koi8-r>";
    let page = [page.as_bytes(), b"\xF0\n"].concat();
    let all_of = |parts: &[&[u8]]| parts.concat();
    let signed = all_of(&[
        b"Content-Type: multipart/signed; boundary=b\n\n--b\n",
        &page,
        b"--b--\n",
    ]);
    let words = "X: =?koi8-r?Q?=F0?=\n".repeat(MAX_CHANGES + 1);
    let too_many = all_of(&[words.as_bytes(), &page]);
    let no_label = all_of(&[
        b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\
            Content-Type: text/html; charset=\"koi8-r",
        b"\n\n<meta charset=koi8-r>\xF0\n--b--\n",
    ]);
    let keep = Conversion {
        keep_declarations: true,
        ..Conversion::new()
    };
    let undecided = Conversion {
        on_malformed: OnMalformed::Fail,
        ..keep
    };
    let failed = all_of(&[b"X: =?euc-kr?Q?=FF?=\n", &page]);
    for (source, options) in [
        (&signed, keep),
        (&too_many, keep),
        (&no_label, keep),
        (&failed, undecided),
    ] {
        let converted = convert(source, &options);
        let says = converted.report.has(Kind::DocumentConflict);
        let is_changed = converted.as_bytes() != source.as_slice();
        assert_eq!(says, is_changed, "{:?}", converted.report);
    }
    let converted = convert(&page, &keep);
    assert!(converted.report.has(Kind::DocumentConflict));
    // Next to another part that is kept.
    let both = all_of(&[
        b"Content-Type: multipart/mixed; boundary=m\n\n--m\n",
        &page,
        b"--m\n",
        &signed,
        b"--m--\n",
    ]);
    let converted = convert(&both, &keep);
    let conflicts: Vec<_> = converted
        .report
        .findings()
        .iter()
        .filter(|finding| finding.kind() == Kind::DocumentConflict)
        .map(mime_charset::Finding::offset)
        .collect();
    let first = memchr::memmem::find(&both, b"<meta").unwrap();
    assert_eq!(conflicts, [first]);
}

#[test]
fn byte_order_marks() {
    let header = "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64";
    // FE FF D5 5C.
    let result = converted(header, b"/v/VXA==\r\n");
    assert!(result.ends_with("\r\n\r\n7ZWc\r\n"));
    let header = "Content-Type: text/plain; charset=iso-8859-1";
    let result = converted(header, b"\xEF\xBB\xBF\xED\x95\x9C");
    assert!(result.ends_with("\r\n\r\n\u{FEFF}한"));
}

/// After the longest header comes the body. Changing the header would move the boundary between
/// them.
#[test]
fn headers_of_the_maximum_length_are_kept() {
    let word = "Subject: =?koi8-r?Q?=F0?=\n";
    let long = |length: usize| {
        let line = format!("X-{}: y\n", "x".repeat(54));
        let lines = line.repeat((length - word.len()) / line.len());
        let rest = length - word.len() - lines.len();
        format!("{word}{lines}Y: {}\n", "y".repeat(rest - 4))
    };
    let text = "Content-Type: text/plain; charset=koi8-r\n\n\u{e9}\n";
    let behind = |length| format!("{}{text}", long(length));
    let inside = |length| format!("{}Subject: =?koi8-r?Q?{}", long(length), "=F0".repeat(20));
    let of_one = |length| format!("A: {}\n{text}", " =?koi8-r?Q?=F0?=\n".repeat(length / 18));
    for (source, is_kept) in [
        (behind(MAX_HEADER - 200), false),
        (behind(MAX_HEADER - 20), true),
        (inside(MAX_HEADER - 20), true),
        (of_one(MAX_HEADER + 10), true),
    ] {
        let converted = convert(source.as_bytes(), &Conversion::new());
        let (octets, changes) = (converted.as_bytes(), &converted.changes);
        let proof = verify(source.as_bytes(), octets, changes, &Conversion::new());
        assert_eq!(proof.err(), None);
        assert_eq!(changes.is_empty(), is_kept);
        assert_eq!(converted.report.has(Kind::Unconverted), is_kept);
    }
}

/// A field too long to be changed does not stop the conversion of the others.
#[test]
fn overlong_fields_are_kept() {
    for (name, value) in [
        ("Subject", " =?koi8-r?Q?=F0?="),
        ("To", " =?koi8-r?Q?=F0?= <a@b>"),
        ("Content-Type", " text/plain; name*=koi8-r''%F0"),
        ("Content-Disposition", " inline; filename*=koi8-r''%F0"),
    ] {
        for (length, count) in [(MAX_FIELD, 1), (MAX_FIELD + 1, 0)] {
            let blanks = " ".repeat(length - value.len());
            let source = format!("{name}:{blanks}{value}\nX: =?koi8-r?Q?=F0?=\n\n");
            let converted = convert(source.as_bytes(), &Conversion::new());
            let (octets, changes) = (converted.as_bytes(), &converted.changes);
            let of_field = changes.iter().filter(|change| change.field() == Some(name));
            assert_eq!(of_field.count(), count, "{name} {length}");
            assert_eq!(converted.report.has(Kind::Unconverted), count == 0);
            assert_eq!(changes.len(), 1 + count);
            assert!(verify(source.as_bytes(), octets, changes, &Conversion::new()).is_ok());
        }
    }
    // Without a charset parameter its body is kept too.
    let body = "\u{e9}".repeat(9);
    let blanks = " ".repeat(MAX_FIELD);
    let source = format!("Content-Type: text/plain;{blanks} charset=koi8-r\n\n{body}");
    let converted = convert(source.as_bytes(), &Conversion::new());
    assert!(converted.changes.is_empty() && converted.report.has(Kind::Unconverted));
}

/// U+20AC is one octet in windows-1252, three in UTF-8 (RFC 3629, section 3), and nine in
/// quoted-printable (RFC 2045, section 6.7).
#[test]
fn large_bodies_that_would_grow_too_much_are_kept() {
    const MIB: usize = 1 << 20;
    let converts = |encoding: &str, piece: &[u8], length: usize| {
        let header = format!(
            "Content-Type: text/plain; charset=windows-1252\n\
             Content-Transfer-Encoding: {encoding}\n\n"
        );
        let body = piece.repeat(length / piece.len());
        let source = [header.as_bytes(), &body].concat();
        let converted = convert(&source, &Conversion::new());
        let (octets, changes) = (converted.as_bytes(), &converted.changes);
        assert!(verify(&source, octets, changes, &Conversion::new()).is_ok());
        assert!(octets.len() <= 3 * source.len() + (4 << 20));
        let is_changed = !changes.is_empty();
        assert_eq!(converted.report.has(Kind::Unconverted), !is_changed);
        is_changed
    };
    assert!(converts("8bit", b"\x80\n", 9 * MIB));
    assert!(converts("quoted-printable", b"=80=\n", 3 * MIB));
    assert!(converts("quoted-printable", b"\x80\n", MIB / 2));
    assert!(!converts("quoted-printable", b"\x80\n", 3 * MIB));
}

#[test]
fn a_change_names_its_label_and_charset() {
    let source = message(
        "Subject: =?ks_c_5601-1987?B?x9E=?=\nContent-Type: text/plain",
        b"\x1B$BF|\x1B(B\r\n",
    );
    let converted = convert(&source, &Conversion::new());
    let told: Vec<_> = converted
        .changes
        .iter()
        .map(|change| {
            let label = change.label().map(ToString::to_string);
            let field = change.field().unwrap_or("body").to_owned();
            (field, label, change.charset().name(), change.source())
        })
        .collect();
    let jp = |field: &str| (field.to_owned(), None, "ISO-2022-JP", Source::Evidence);
    assert_eq!(
        told,
        [
            (
                "Subject".to_owned(),
                Some("ks_c_5601-1987".to_owned()),
                "EUC-KR",
                Source::Declared
            ),
            jp("Content-Type"),
            jp("Content-Transfer-Encoding"),
            jp("body"),
        ]
    );
    for change in &converted.changes {
        assert_eq!(change.section(), "1");
        assert_ne!(
            source.get(change.before.clone()),
            converted.as_bytes().get(change.after.clone())
        );
    }
}

/// An incorrect list of changes proves nothing.
#[test]
fn wrong_changes_are_rejected() {
    let source = message("Subject: =?koi8-r?Q?=F0?=\nX: =?koi8-r?Q?=F1?=", b"x\r\n");
    let converted = convert(&source, &Conversion::new());
    let (result, changes) = (converted.as_bytes(), &converted.changes);
    let holds = |source: &[u8], result: &[u8], changes: &[Change]| {
        verify(source, result, changes, &Conversion::new()).is_ok()
    };
    assert!(holds(&source, result, changes));
    assert!(!holds(&source, result, &[]));
    assert!(!holds(&source, result, &changes[..1]));
    assert!(!holds(&source, &source, changes));
    // Well formed but different text, as a faulty converter might write it.
    let other = message("Subject: =?koi8-r?Q?=F0?=\nX: =?koi8-r?Q?=F2?=", b"x\r\n");
    assert!(!holds(&other, result, changes));
    let reversed = [changes[1].clone(), changes[0].clone()];
    assert!(!holds(&source, result, &reversed));
}

/// Replaces the only `old` in the source by `new`, as one more change with a correct checksum.
#[track_caller]
fn with_change(source: &[u8], old: &[u8], new: &[u8], options: &Conversion) -> Option<String> {
    let converted = convert(source, options);
    let find = |octets: &[u8]| {
        let finder = memchr::memmem::Finder::new(old);
        let found: Vec<_> = finder.find_iter(octets).collect();
        assert_eq!(found.len(), 1, "{:?}", String::from_utf8_lossy(octets));
        found[0]
    };
    let (before, after) = (find(source), find(converted.as_bytes()));
    let mut result = converted.as_bytes().to_vec();
    result.splice(after..after + old.len(), new.iter().copied());
    let mut sum = crc64fast::Digest::new();
    sum.write(new);
    let own = Change::new(
        before..before + old.len(),
        after..after + new.len(),
        sum.sum64(),
    );
    let mut changes: Vec<_> = converted.changes.clone();
    let place = changes.partition_point(|change| change.before.start < before);
    for change in &mut changes[place..] {
        let moved = |at: usize| at + new.len() - old.len();
        let after = &change.after;
        *change = Change::new(
            change.before.clone(),
            moved(after.start)..moved(after.end),
            change.checksum,
        );
    }
    changes.insert(place, own);
    let proof = verify(source, &result, &changes, options);
    proof.err().map(|error| error.to_string())
}

/// Texts and the charsets used for them in mail.
const TEXTS: [(&str, &str); 8] = [
    ("koi8-r", "Да"),
    ("windows-1251", "Договор на следующий месяц"),
    ("iso-8859-2", "łódź"),
    ("euc-kr", "변경"),
    ("shift_jis", "会議の資料をお送りします"),
    ("gb2312", "会议"),
    ("windows-1255", "שם"),
    ("iso-8859-1", "été"),
];

/// Encodes text with `encoding_rs`, whose encoder the library does not use.
fn encoded(text: &str, label: &str) -> Vec<u8> {
    let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
    let (octets, _, has_unmappable) = encoding.encode(text);
    assert!(!has_unmappable, "{text} in {label}");
    octets.into_owned()
}

/// Writes a Q word (RFC 2047, section 4.2).
fn word(text: &str, label: &str) -> Vec<u8> {
    let mut word = format!("=?{label}?Q?");
    for octet in encoded(text, label) {
        write!(word, "={octet:02X}").unwrap();
    }
    word.push_str("?=");
    word.into_bytes()
}

/// What a person reads in a message: names of senders and recipients, the other fields except
/// MIME's, file names, and bodies.
fn read_by_people(source: &[u8]) -> Vec<String> {
    let options = Options::new();
    let message = Message::parse(source);
    let mut all = Vec::new();
    for entity in message.entities() {
        for field in entity.fields() {
            match &*field.name().to_ascii_lowercase() {
                b"from" | b"to" => {
                    let list = field.addresses_with(&options);
                    all.extend(list.mailboxes().map(|mailbox| mailbox.name.to_string()));
                }
                b"mime-version" => {}
                name if name.starts_with(b"content-") => {}
                _ => all.push(field.text().to_string()),
            }
        }
        all.extend(entity.filename_with(&options).map(|name| name.to_string()));
        if entity.is_text() {
            all.push(entity.text().to_string());
        }
    }
    all
}

/// RFC 7103, section 7.7: raw octets, and a body without a label, are read with evidence from the
/// rest of the message. A conversion removes that evidence: encoded words and labels. Text that is
/// kept must still read the same.
#[test]
fn rfc7103_7_7_kept_text_reads_as_before() {
    let (mut changed, mut left) = (0, 0);
    for (raw_in, raw) in TEXTS {
        let raw = encoded(raw, raw_in);
        let with =
            |before: &str, behind: &str| [before.as_bytes(), &*raw, behind.as_bytes()].concat();
        let kept: [(Vec<u8>, Vec<u8>); 9] = [
            (with("Subject: ", "\n"), Vec::new()),
            (with("From: \"", "\" <a@b.test>\n"), Vec::new()),
            (with("From: ", " <a@b.test>\n"), Vec::new()),
            (with("Received: from ", " by x\n"), Vec::new()),
            (
                with("Content-Disposition: inline; filename=\"", "\"\n"),
                Vec::new(),
            ),
            (with("Subject: a\nX: (", "\n"), Vec::new()),
            (with("Subject: ", " =?x-unknown?Q?=E4=C1?=\n"), Vec::new()),
            (Vec::new(), raw.clone()),
            (b"Content-Disposition: attachment\n".to_vec(), raw.clone()),
        ];
        for (header, body) in kept {
            for (label, text) in TEXTS {
                let part =
                    |fields: &[u8], body: &[u8]| [b"--b\n", fields, b"\n", body, b"\n"].concat();
                let label_field = format!("Content-Type: text/plain; charset={label}\n");
                let labelled = part(label_field.as_bytes(), &encoded(text, label));
                let mixed = b"Content-Type: multipart/mixed; boundary=b\n";
                let named = [b"To: ", &*word(text, label), b" <c@d.test>\n"].concat();
                let signed = b"Content-Type: multipart/signed; boundary=c\n\n--c\n";
                let sources = [
                    [&*named, &*header, b"\n", &*body].concat(),
                    [
                        &*named,
                        &*header,
                        label_field.as_bytes(),
                        b"\n",
                        &*encoded(text, label),
                    ]
                    .concat(),
                    [&*named, mixed, b"\n", &*part(&header, &body), &*labelled].concat(),
                    [&*header, mixed, b"\n", &*labelled, &*part(b"", &body)].concat(),
                    [
                        &*named, mixed, b"\n", &*labelled, b"--b\n", signed, &*header, b"\n",
                        &*body,
                    ]
                    .concat(),
                ];
                for source in sources {
                    for options in [
                        Conversion::new(),
                        Conversion {
                            headers: Headers::Utf8,
                            ..Conversion::new()
                        },
                    ] {
                        let shown = source.escape_ascii().to_string();
                        let result = check(&shown, &source, &options);
                        assert_eq!(read_by_people(&source), read_by_people(&result), "{shown}");
                        if result == source {
                            left += 1;
                        } else {
                            changed += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(changed > 2000 && left > 300, "{changed}, {left}");
}

/// A change that alters how other text is read is rejected, in a field and in a body.
#[test]
fn rfc7103_7_7_a_change_that_alters_other_text_is_rejected() {
    // "ж" and "Да" in KOI8-R; alone the two octets are not detected as Russian.
    let sources: [&[u8]; 5] = [
        b"To: =?koi8-r?Q?=D6?= <c@d.test>\nSubject: \xE4\xC1\n\n",
        b"To: =?koi8-r?Q?=D6?= <c@d.test>\nFrom: \"\xE4\xC1\" <a@b.test>\n\n",
        b"To: =?koi8-r?Q?=D6?= <c@d.test>\nContent-Disposition: inline; filename=\"\xE4\xC1\"\n\n",
        b"To: =?koi8-r?Q?=D6?= <c@d.test>\nSubject: =?x-unknown?Q?=E4=C1?=\n\n",
        b"To: =?koi8-r?Q?=D6?= <c@d.test>\n\n\xE4\xC1\n",
    ];
    let options = Conversion::new();
    for source in sources {
        let shown = source.escape_ascii();
        assert!(
            read_by_people(source)
                .iter()
                .any(|text| text.starts_with("Да")),
            "{shown}"
        );
        let (old, new) = ("=?koi8-r?Q?=D6?=", "=?UTF-8?B?0LY=?=");
        let error = with_change(source, old.as_bytes(), new.as_bytes(), &options);
        let is_refused = error
            .as_deref()
            .is_some_and(|it| it.contains("found different text"));
        assert!(is_refused, "{shown}: {error:?}");
        assert_kept(
            source,
            &options,
            Kind::Unconverted,
            "text that would be read differently once the rest is in UTF-8",
        );
    }
}

/// The same for text whose label the octets disprove, in a field that needs no change itself: a lone
/// octet above 7F between letters is not UTF-8, and ISO-2022-JP has seven bits.
#[test]
fn rfc7103_7_7_disproved_labels_read_as_before() {
    let fields = [
        "Subject: =?utf-8?Q?pi=EAkny?=",
        "Subject: =?utf-8?b?cGnqa255?=",
        "Subject: =?iso-8859-2?Q?za=BF=F3?= x =?utf-8?Q?pi=EAkny?=",
        "Subject: =?iso-2022-jp?Q?pi=EAkny?=",
        "From: =?utf-8?Q?pi=EAkny?= <a@b.test>",
        "Content-Disposition: inline; filename=\"=?utf-8?Q?pi=EAkny?=\"",
        "Content-Disposition: inline; filename*=utf-8''pi%EAkny",
        "Content-Disposition: inline; filename*=utf-8'pl'pi%EAkny",
        "Content-Disposition: inline; filename=\"=?UTF-8?Q?a=9Cb?=\"",
        "Content-Disposition: inline; filename=\"=?UTF-8?Q?Amanh=E3?=\"",
        "Content-Disposition: inline; filename*=utf-8''a pi%EAkny",
        "Content-Disposition: inline; filename*=utf-8''\"pi%EAkny\"",
        "Content-Disposition: inline; filename*=utf-8''a\" b\"pi%EAkny",
        "Subject: =?utf-32?Q?pi=EAkny_kot_ma_Ala_i_psa_ja?=",
        "Subject: =?utf-16le?Q?pi=EAkny_kot_ma_Ala_i_psa_ja?=",
        "Content-Transfer-Encoding: 8bit (=?utf-8?Q?pi=EAkny?=)",
    ];
    let mut shown = 0;
    for field in fields {
        for label in ["iso-8859-2", "iso-8859-1", "koi8-r", "viscii", "cp437"] {
            let header = format!("{field}\nContent-Type: text/plain; charset={label}");
            for header in [
                format!("{header}\nContent-Transfer-Encoding: 8bit"),
                format!("Content-Transfer-Encoding: 8bit\n{header}"),
            ] {
                for options in all_options() {
                    let source = message(&header, b"za\xBF\xF3\xB3\xE6\r\n");
                    let result = check(&header, &source, &options);
                    let (before, after) = (read_by_people(&source), read_by_people(&result));
                    assert_eq!(before, after, "{header}");
                    shown += usize::from(before.iter().any(|text| text == "piękny"));
                }
            }
        }
    }
    assert!(shown > 10, "{shown}");
}

/// RFC 2781, section 3.2: a byte order mark is not part of the text, in a field too.
#[test]
fn byte_order_marks_of_fields_are_not_text() {
    header_becomes("Subject: =?utf-16?B?/v8AYQ==?=", "Subject: =?UTF-8?Q?a?=");
    header_becomes(
        "Subject: =?utf-16?B?/v8AYQ==?= =?utf-32?B?AAD+/wAAAOk=?=",
        "Subject: =?UTF-8?Q?a?= =?UTF-8?B?w6k=?=",
    );
    header_becomes(
        "Content-Disposition: inline; filename*=utf-16''%FE%FF%00%E9",
        "Content-Disposition: inline; filename*=UTF-8''%C3%A9",
    );
}

/// RFC 2047, section 5: a comment may have words. The field names the encoding of the new body.
#[test]
fn a_comment_in_the_transfer_encoding_is_kept() {
    for (comment, expected) in [
        // U+041F is D0 9F in UTF-8.
        ("=?koi8-r?Q?=F0?=", "=?UTF-8?B?0J8=?="),
        ("=?utf-8?Q?=F0?=", "=?utf-8?Q?=F0?="),
        ("=?x?Q?=F0?=", "=?x?Q?=F0?="),
    ] {
        let header = format!(
            "Content-Type: text/plain; charset=iso-2022-jp\n\
             Content-Transfer-Encoding: 7bit ({comment})"
        );
        let result = converted(&header, b"\x1B$B4A\x1B(B\r\n");
        assert!(result.contains("charset=UTF-8"), "{result}");
        assert!(result.contains(&format!("({expected})")), "{result}");
    }
}

/// RFC 5322, section 3.6.4, and RFC 2369: octets of identifiers and addresses of the web are compared,
/// not read. A conversion keeps them.
#[test]
fn identifiers_and_uris_are_kept() {
    let fields = [
        "Message-ID: <caf\u{E9}@x>",
        "In-Reply-To: <caf\u{E9}@x>",
        "References: <a@x> <caf\u{E9}@x>",
        "Content-ID: <caf\u{E9}@x>",
        "Content-Location: http://x/\u{E9}",
        "List-Unsubscribe: <http://x/\u{E9}>",
        "DKIM-Signature: v=1; d=\u{E9}; b=x",
    ];
    for field in fields {
        for options in all_options() {
            let header = format!(
                "{field}\nContent-Type: text/plain; charset=iso-8859-1\n\
                 Content-Transfer-Encoding: 8bit\n\nza\u{E9}\n"
            );
            let source: Vec<u8> = header.chars().map(|it| u8::try_from(it).unwrap()).collect();
            let result = check(field, &source, &options);
            let line = source.split(|octet| *octet == b'\n').next().unwrap();
            assert!(result.starts_with(line), "{}", result.escape_ascii());
        }
    }
}

/// RTF declares its charset in control words, which a conversion would invalidate. RTF is kept, and
/// reported if it has a charset.
#[test]
fn rtf_is_kept_and_reported() {
    let message = |label: &str, encoding: &str, body: &[u8]| {
        let header =
            format!("Content-Type: text/rtf{label}\nContent-Transfer-Encoding: {encoding}\n\n");
        (header.len(), [header.as_bytes(), body].concat())
    };
    for (label, encoding, body, is_reported) in [
        (
            "; charset=koi8-r",
            "8bit",
            &b"{\\rtf1\\ansi \xF0}\n"[..],
            true,
        ),
        (
            "; charset=koi8-r",
            "quoted-printable",
            b"{\\rtf1\\ansi =F0}\n",
            true,
        ),
        ("", "8bit", b"{\\rtf1\\ansi \xF0}\n", true),
        ("; charset=koi8-r", "8bit", b"{\\rtf1\\ansi \\'f0}\n", false),
        (
            "; charset=utf-8",
            "8bit",
            "{\\rtf1\\ansi é}\n".as_bytes(),
            false,
        ),
    ] {
        let (start, source) = message(label, encoding, body);
        let converted = convert(&source, &Conversion::new());
        assert_eq!(converted.as_bytes(), source);
        assert!(converted.charsets.is_empty());
        let findings = converted.report.findings();
        let places: Vec<_> = findings
            .iter()
            .map(|finding| (finding.kind(), finding.offset(), finding.length()))
            .collect();
        let expected = [(Kind::Unconverted, start, body.len())];
        assert_eq!(
            places,
            expected[..usize::from(is_reported)],
            "{label} {encoding}"
        );
    }
}

/// Changes that no converter may make. Each is listed with a correct checksum, and the proof must
/// reject it nonetheless.
#[test]
fn changes_to_protected_octets_are_rejected() {
    let source = b"Subject: =?koi8-r?Q?=F0?= and\n\tfolded plain text\nX-Plain: \t plain\n\
        MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b\"\n\n\
        the preamble\n\
        --b\nContent-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\xC9\n\
        --b\nContent-Type: image/png; charset=x\nContent-Transfer-Encoding: base64\n\n\
        AAAA\n\
        --b\nContent-Type: text/plain; charset=koi8-r; name=a\n\
        Content-Disposition: attachment\n\n\xF1\n\
        --b\nContent-Type: text/rtf; charset=koi8-r\n\n\xF2\n\
        --b\nContent-Type: text/plain; charset=utf-8\n\
        Content-Transfer-Encoding: quoted-printable\n\n=C3=A9\n\
        --b\nContent-Type: text/plain; charset=us-ascii\n\
        Content-Transfer-Encoding: quoted-printable\n\nplain=20text\n\
        --b\nContent-Type: text/plain; charset=euc-kr\n\n\xB0\xA1\xFF\n\
        --b\nContent-Type: text/html\n\ncaf\xE9\n\
        --b\nContent-Type: text/enriched; charset=koi8-r\n\n\
        -----BEGIN PGP MESSAGE-----\n\xF3\n\
        --b\nContent-Type: multipart/signed; boundary=c\n\n\
        --c\nSubject: =?koi8-r?Q?=F4?=\n\
        Content-Type: text/css; charset=koi8-r\n\n\xF5\n--c--\n\
        --b--\nthe epilogue\n";
    let options = Conversion::new();
    let converted = convert(source, &options);
    assert_eq!(converted.changes.len(), 4, "{:?}", converted.changes);
    for (old, new) in [
        // Boundaries, text between parts, and other header lines.
        (&b"the preamble"[..], &b"another preamble"[..]),
        (b"the epilogue", b"another"),
        (b"--b--\n", b"--b-- \n"),
        (b"--b\nContent-Type: image", b"--b \nContent-Type: image"),
        (b"--b\nContent-Type: image", b"--b\r\nContent-Type: image"),
        (b"boundary=\"b\"", b"boundary=b"),
        (b"X-Plain:", b"x-plain:"),
        (b"X-Plain: \t plain", b"X-Plain: plain"),
        (b" \t plain", b" plain"),
        (b" and\n\tfolded", b" and folded"),
        (b"MIME-Version: 1.0\n", b""),
        (b"MIME-Version: 1.0", b"MIME-Version: 1.0 "),
        (b"base64\n\nAAAA", b"base64\n\r\nAAAA"),
        // A part that is not text: its octets, label and encoding.
        (b"AAAA", b"BBBB"),
        (b"charset=x\n", b"charset=UTF-8\n"),
        (b"base64", b"8bit"),
        (b"base64", b"BASE64"),
        // Text to be kept, changed as a conversion would change it.
        (b"koi8-r; name=a", b"UTF-8; name=a"),
        (b"\xF1", "я".as_bytes()),
        (b"\xF2", "т".as_bytes()),
        (b"=C3=A9", b"=c3=a9"),
        (b"=C3=A9", "é".as_bytes()),
        (b"plain=20text", b"plain text"),
        (b"us-ascii", b"UTF-8"),
        (
            b"charset=euc-kr\n\n\xB0\xA1\xFF",
            "charset=UTF-8\n\n가\u{FFFD}".as_bytes(),
        ),
        (
            b"text/html\n\ncaf\xE9",
            "text/html; charset=UTF-8\n\ncafé".as_bytes(),
        ),
        (b"\xF3", "с".as_bytes()),
        (b"=?koi8-r?Q?=F4?=", b"=?UTF-8?B?0KQ=?="),
        (
            b"text/css; charset=koi8-r\n\n\xF5",
            "text/css; charset=UTF-8\n\nу".as_bytes(),
        ),
    ] {
        let refused = with_change(source, old, new, &options);
        let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
        assert!(refused.is_some(), "{old:?} to {new:?}");
    }
}

/// A change that only some options allow is rejected under the others.
#[test]
fn changes_must_match_the_options() {
    let plain = Conversion::new();
    let malformed = b"Content-Type: text/plain; charset=euc-kr\n\n\xB0\xA1\xFF\n";
    let attachment = b"Content-Disposition: attachment\n\
        Content-Type: text/plain; charset=koi8-r\n\n\xF0\n";
    let guessed = b"Subject: x\n\ncaf\xE9 au lait\n";
    let malformed_word = b"Subject: =?euc-kr?Q?=B0=A1=FF?=\n\n";
    let raw_word = b"Subject: caf\xE9 au lait\n\n";
    let malformed_name = b"Content-Type: image/png; name*=euc-kr''%B0%A1%FF\n\n";
    let replaced = Conversion {
        on_malformed: OnMalformed::Replace,
        ..plain
    };
    for (source, options) in [
        (&malformed[..], replaced),
        (
            attachment,
            Conversion {
                attachments: true,
                ..plain
            },
        ),
        (
            guessed,
            Conversion {
                guessed: Some(1),
                ..plain
            },
        ),
        (malformed_word, replaced),
        (
            raw_word,
            Conversion {
                guessed: Some(1),
                ..plain
            },
        ),
        (malformed_name, replaced),
    ] {
        let converted = convert(source, &options);
        let (result, changes) = (converted.as_bytes(), &converted.changes);
        assert!(!changes.is_empty());
        let shown = String::from_utf8_lossy(source);
        assert_eq!(verify(source, result, changes, &options).err(), None);
        let error = verify(source, result, changes, &plain).expect_err(&shown);
        assert!(
            error.to_string().contains(" to be unchanged"),
            "{shown}: {error}"
        );
    }
}

/// Raw text in a comment next to parameters; it is the only evidence of its charset.
#[test]
fn raw_text_next_to_parameters_is_verified() {
    let source = b"Content-Type: text/plain; charset=euc-kr (\xC7\xD1 \xB1\xDB)\n\n\xC7\xD1\n";
    let options = Conversion {
        headers: Headers::Utf8,
        ..Conversion::new()
    };
    let result = check("comment", source, &options);
    let expected = "Content-Type: text/plain; charset=UTF-8 (한 글)\n";
    assert!(
        result.starts_with(expected.as_bytes()),
        "{}",
        String::from_utf8_lossy(&result)
    );
    let other = "Content-Type: text/plain; charset=UTF-8 (한 말)\n";
    let converted = convert(source, &options);
    let at = memchr::memmem::find(&result, "글".as_bytes()).unwrap();
    let mut wrong = result.clone();
    wrong.splice(at..at + 3, "말".bytes());
    assert!(wrong.starts_with(other.as_bytes()));
    let changes: Vec<_> = converted
        .changes
        .iter()
        .map(|change| {
            let mut sum = crc64fast::Digest::new();
            sum.write(&wrong[change.after.clone()]);
            Change::new(change.before.clone(), change.after.clone(), sum.sum64())
        })
        .collect();
    assert!(verify(source, &wrong, &changes, &options).is_err());
}

/// A malformed UTF-8 octet decodes to U+FFFD but is not an encoded U+FFFD.
#[test]
fn a_malformed_octet_is_not_a_replacement_character() {
    let source = b"Content-Type: text/plain; charset=euc-kr\n\n\xB0\xA1\xFF\n";
    let options = Conversion {
        on_malformed: OnMalformed::Replace,
        ..Conversion::new()
    };
    let result = check("replaced", source, &options);
    let whole = "Content-Type: text/plain; charset=UTF-8\nContent-Transfer-Encoding: 8bit\n\n";
    assert_eq!(
        result,
        [whole.as_bytes(), "가\u{FFFD}\n".as_bytes()].concat()
    );
    let damaged = [whole.as_bytes(), "가".as_bytes(), b"\xFF\n"].concat();
    let converted = convert(source, &options);
    let (body, fields) = converted.changes.split_last().unwrap();
    let after = body.after.start..damaged.len();
    let mut sum = crc64fast::Digest::new();
    sum.write(&damaged[after.clone()]);
    let body = Change::new(body.before.clone(), after, sum.sum64());
    let changes = [fields, &[body]].concat();
    let error = verify(source, &damaged, &changes, &options).unwrap_err();
    assert!(error.to_string().contains("found another text"), "{error}");
}

/// A label that only resembles UTF-8, with a UTF-8 mark, a malformed octet, and a declaration of
/// another charset.
#[test]
fn a_declaration_in_damaged_utf_8_is_fixed_and_verified() {
    let source = "Content-Type: text/html; charset=utf8-x\nContent-Transfer-Encoding: 8bit\n\n\
                  \u{FEFF}<meta charset=koi8-r>é";
    let source = [source.as_bytes(), b"\xF0 \xC3\xA9\n"].concat();
    let options = Conversion {
        on_malformed: OnMalformed::Replace,
        keep_declarations: false,
        ..Conversion::new()
    };
    let result = String::from_utf8(check("declaration", &source, &options)).unwrap();
    let body = "\u{FEFF}<meta charset=UTF-8>é\u{FFFD} é\n";
    assert!(result.ends_with(body), "{result}");
}

/// The first mark gives the byte order; the second is a character of the text.
#[test]
fn text_with_two_marks_is_verified() {
    let source = b"Content-Type: text/plain; charset=utf-16\n\n\
        \xFE\xFF\xFE\xFF\xFE\xFF\0a\0b";
    let result = check("marks", source, &Conversion::new());
    assert!(result.ends_with("\u{FEFF}\u{FEFF}ab".as_bytes()));
}

/// Text that is kept does not break a signature.
#[test]
fn reverted_changes_break_no_signature() {
    let source = b"DKIM-Signature: h=content-type\nContent-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Type: text/plain; charset=utf-7\n\n\x15\r+AA0-+AA0-\n--b--\n";
    let converted = convert(source, &Conversion::new());
    assert_eq!(converted.as_bytes(), source);
    assert!(converted.changes.is_empty());
    assert!(converted.report.has(Kind::Unconverted));
    assert!(!converted.report.has(Kind::SignedContent));
}

/// The fold after the word moves, between two runs of raw text that are kept.
#[test]
fn kept_raw_text_around_a_changed_word_is_verified() {
    let source =
        b"Subject: =?iso-2022-cn?B?GyQpRw55Q011RDZiTkQoZEQP?=\x8A o-2022-cn?Q?=1B$=29G=0Ez=\
        3EUkbfjXGbv5|HJUN{=5DWO!!=22nyGVHmGQDnVg=0F?=\n =?iso-2022-cn?B?GyQpQQ5SYg8=?=\n\n";
    let result = check("fold", source, &Conversion::new());
    assert!(memchr::memmem::find(&result, b"?=\x8A\n o-2022-cn").is_some());
}

#[test]
fn any_single_damaged_octet_is_named() {
    for (name, source) in corpus().into_iter().step_by(5) {
        let converted = convert(&source, &Conversion::new());
        let result = converted.as_bytes().to_vec();
        for at in 0..result.len() {
            let mut damaged = result.clone();
            damaged[at] ^= 0x20;
            let error = verify(&source, &damaged, &converted.changes, &Conversion::new())
                .expect_err(&format!("{name} at {at}"));
            assert_eq!(error.offset(), Some(at), "{name}: {error}");
        }
    }
}

/// mailparse reads a line without a colon as a field of that name with an empty value, and so finds
/// another encoding. It is not consulted, and a sound conversion is not rejected.
#[test]
fn a_second_reader_that_finds_another_encoding_is_not_consulted() {
    let source = b"Content-Type: text/plain; charset=iso-2022-jp\nContent-Transfer-Encoding\n\
        Content-Transfer-Encoding: 7bit\n\n\x1B$BF|K\\8l\x1B(B\n";
    let converted = convert(source, &Conversion::new());
    assert!(converted.as_bytes().ends_with(b"5pel5pys6KqeDQo=\n"));
    let proof = verify(
        source,
        converted.as_bytes(),
        &converted.changes,
        &Conversion::new(),
    )
    .unwrap();
    assert_eq!((proof.parts, proof.second_readings), (1, 0));
}

/// mailparse does not read embedded messages: each is read as a message of its own, once.
#[test]
fn nested_messages_are_read_again_once_each() {
    let inner = "Subject: =?koi8-r?B?8NLJ18XU?=\nContent-Type: text/plain; charset=koi8-r\n\
        Content-Transfer-Encoding: 8bit\n\n";
    let mut source = [inner.as_bytes(), b"\xF0\xD2\xC9\n"].concat();
    let options = Conversion::new();
    for depth in 1..12 {
        let converted = convert(&source, &options);
        let proof = verify(&source, converted.as_bytes(), &converted.changes, &options).unwrap();
        // A subject and a Content-Type in the innermost message, a subject in each other one, and
        // the body.
        assert_eq!((proof.fields, proof.parts), (depth + 1, 1));
        let read = if cfg!(feature = "mailparse") {
            depth + 1
        } else {
            0
        };
        assert_eq!(proof.second_readings, read, "{depth} messages");
        let outer = b"Subject: =?latin1?Q?=E9?=\nContent-Type: message/rfc822\n\n";
        source.splice(0..0, outer.iter().copied());
    }
}

/// Nested messages, each with a text next to the next message. mailparse would read every enclosed
/// message again for each, and is limited to eight times the total size.
#[cfg(feature = "mailparse")]
#[test]
fn mailparse_reads_a_message_at_most_eight_times() {
    let depth = 16;
    let level = |boundary: usize| {
        format!(
            "Content-Type: multipart/mixed; boundary=b{boundary}\n\n--b{boundary}\n\
             Content-Type: text/plain; charset=koi8-r\n\n\u{1}\n--b{boundary}\n\
             Content-Type: message/rfc822\n\n"
        )
    };
    let source: String = (0..depth).map(level).collect();
    let source = (source + "Subject: x\n\n").into_bytes();
    let source: Vec<u8> = source
        .into_iter()
        .map(|octet| if octet == 1 { 0xF0 } else { octet })
        .collect();
    let options = Conversion::new();
    let converted = convert(&source, &options);
    let proof = verify(&source, converted.as_bytes(), &converted.changes, &options).unwrap();
    assert_eq!(proof.parts, depth);
    // The innermost N messages are 1 + 2 + … + N = N (N + 1) / 2 sixteenths of the whole: 7.5 times
    // its length for 15 of them, 8.5 times for 16.
    assert_eq!(proof.second_readings, 15);
}

/// A message of the corpus with some of its octets changed, removed or doubled.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let messages = corpus();
    let edit = (
        any::<prop::sample::Index>(),
        0..6_u8,
        any::<u8>(),
        0..40_usize,
    );
    let edits = prop::collection::vec(edit, 0..6);
    (prop::sample::select(messages), edits).prop_map(|((_, mut message), edits)| {
        for (index, kind, octet, length) in edits {
            if message.is_empty() {
                break;
            }
            let at = index.index(message.len());
            let end = (at + length).min(message.len());
            match kind {
                0 => message[at] = octet,
                1 => message[at] ^= 0x80,
                2 => drop(message.drain(at..end)),
                3 => message.insert(at, octet),
                4 => {
                    let copy = message[at..end].to_vec();
                    message.splice(at..at, copy);
                }
                _ => message.truncate(at.max(message.len() / 2)),
            }
        }
        message
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(512)
    })]

    #[test]
    fn any_message_converts_and_verifies(source in mutated(), which in 0..3_usize) {
        let options = all_options()[which];
        check("mutated", &source, &options);
    }

    #[test]
    fn any_damage_is_rejected(source in mutated(), at in any::<prop::sample::Index>(), by in 1..=255_u8) {
        let converted = convert(&source, &Conversion::new());
        let mut damaged = converted.as_bytes().to_vec();
        if !damaged.is_empty() {
            let at = at.index(damaged.len());
            damaged[at] ^= by;
            let error = verify(&source, &damaged, &converted.changes, &Conversion::new()).unwrap_err();
            prop_assert_eq!(error.offset(), Some(at));
        }
    }

    #[test]
    fn octets_of_any_kind(octets in prop::collection::vec(any::<u8>(), 0..200), header in "[A-Z][a-z]{0,3}: [ -~é\\n]{0,40}") {
        let mut source = header.into_bytes();
        source.extend(octets);
        check("octets", &source, &all_options()[2]);
    }
}
