//! uuencode by POSIX, with the damage found in mail, and in plain text.

use mime_charset::transfer::{uuencode, uuencoded, uuencoded_ranges};
use mime_charset::{Kind, Message, Options};
use proptest::prelude::*;

#[cfg(feature = "convert")]
use crate::laws;

const SYNTAX: Kind = Kind::UuencodeSyntax;
const DAMAGE: Kind = Kind::UuencodeDamage;

/// Checks the octets, and each finding as kind, offset and length.
#[track_caller]
fn check(body: &str, octets: &[u8], findings: &[(Kind, usize, usize)]) {
    let decoded = uuencode(body.as_bytes());
    let found: Vec<_> = decoded
        .report()
        .iter()
        .map(|finding| (finding.kind(), finding.offset(), finding.length()))
        .collect();
    let octets = octets.escape_ascii().to_string();
    let decoded = decoded.as_bytes().escape_ascii().to_string();
    assert_eq!(decoded, octets, "{body:?}");
    assert_eq!(found, findings, "{body:?}");
}

/// `Cat` is 43 61 74: 010000 110110 000101 110100, i.e. 16, 54, 5 and 52, and with 32 added `0V%T`.
/// The length 3 is `#`.
#[test]
fn begin_and_end_may_be_missing() {
    check("begin 644 a\n#0V%T\n`\nend\n", b"Cat", &[]);
    check("begin 0644 a b\r\n#0V%T\r\n \r\nend\r\n", b"Cat", &[]);
    check("begin 644 a\n`\nend\n", b"", &[]);
    check("\n\nbegin 644 a\n#0V%T\n\nend \n\n", b"Cat", &[]);
    check("begin 644 a\n#0V%T\nend\n", b"Cat", &[(SYNTAX, 18, 0)]);
    check("begin 644 a\n#0V%T\n`\n", b"Cat", &[(SYNTAX, 20, 0)]);
    check("begin 644 a\n#0V%T", b"Cat", &[(SYNTAX, 17, 0)]);
    check("begin 644 a", b"", &[(SYNTAX, 11, 0)]);
    check("\n#0V%T\n`\nend", b"Cat", &[(SYNTAX, 1, 0)]);
    check(" \n", b"", &[]);
}

/// Python also returns a body without a `begin` line unchanged. POSIX requires permissions in octal
/// digits.
#[test]
fn a_body_that_is_not_uuencoded_is_kept() {
    let lines = [
        "begin 64 a",
        "begin 06444 a",
        "begin 698 a",
        "begin 644a",
        "Dear all",
    ];
    for line in lines {
        let body = format!("{line}\n#0V%T\n`\nend\n");
        check(&body, body.as_bytes(), &[(SYNTAX, 0, 0)]);
    }
    // The first line must end within 64 KiB.
    let file = "begin 644 a\n#0V%T\n`\nend\n";
    let text = |length: usize| "x".repeat(length - 1) + "\n";
    let near = text((64 << 10) - 13) + file;
    check(&near, b"Cat", &[(DAMAGE, 0, (64 << 10) - 13)]);
    let far = text((64 << 10) - 11) + file;
    check(&far, far.as_bytes(), &[(SYNTAX, 0, 0)]);
}

/// Lines that end in CR CR LF are from mail converted twice. Perl skips empty lines; Python reads
/// each as 42 octets.
#[test]
fn every_line_ending_ends_lines() {
    for line_end in ["\n", "\r\n", "\r", "\r\r\n", "\n\n"] {
        let body = ["begin 644 a", "#0V%T", "#0V%T", "`", "end", ""].join(line_end);
        check(&body, b"CatCat", &[]);
    }
}

/// `C` and two zeros are 43 00 00: 010000 110000 000000 000000, 16, 48, 0 and 0: `0P` and two
/// blanks, which mail strips. `0` alone is 010000 and zeros, 40 00 00. Python and Perl agree.
#[test]
fn missing_blanks_are_zeros() {
    for (line, octets) in [
        ("#0P  ", b"C\0\0"),
        ("#0P``", b"C\0\0"),
        ("#0P` ", b"C\0\0"),
    ] {
        check(&format!("begin 644 a\n{line}\n`\nend\n"), octets, &[]);
    }
    for (line, octets) in [
        ("#0P ", b"C\0\0"),
        ("#0P", b"C\0\0"),
        ("#0", b"@\0\0"),
        ("#", b"\0\0\0"),
    ] {
        let findings = [(SYNTAX, 12 + line.len(), 0)];
        check(&format!("begin 644 a\n{line}\n`\nend\n"), octets, &findings);
    }
    // The last group without its padding: `!` is 1 octet.
    check("begin 644 a\n!0P\n`\nend\n", b"C", &[(SYNTAX, 15, 0)]);
    // At the end of a body without `end` the octets are more likely truncated: 16, 54 and 5 are two
    // whole ones.
    let findings = [(DAMAGE, 16, 0), (SYNTAX, 16, 0)];
    check("begin 644 a\n#0V%", b"Ca", &findings);
}

/// Lines of a single length character yield at most two octets per octet plus 64 KiB.
#[test]
fn lines_without_their_blanks_are_bounded() {
    for line in ["M\n", "_\n"] {
        let body = format!("begin 644 a\n{}`\nend\n", line.repeat(100_000));
        let decoded = uuencode(body.as_bytes());
        let length = decoded.as_bytes().len();
        assert!(length > 2 * body.len() && length <= 2 * body.len() + (64 << 10));
        assert!(decoded.report().has_loss());
    }
}

/// Old encoders end a line with a checksum character. Python, Perl and sharutils skip it; Python
/// and sharutils skip more than one.
#[test]
fn characters_after_the_data_are_skipped() {
    check("begin 644 a\n#0V%TX\n`\nend\n", b"Cat", &[(SYNTAX, 17, 1)]);
    check("begin 644 a\n#0V%T  \t\n`\nend\n", b"Cat", &[]);
    let line = format!("M{}", "````".repeat(15));
    let body = format!("begin 644 a\n{line}XX\n`\nend\n");
    check(&body, &[0; 45], &[(SYNTAX, 12 + 61, 2)]);
}

/// Python raises an error for each of these and leaves the body encoded. Perl and sharutils decode
/// text as data.
#[test]
fn damage_is_reported() {
    // H is 40 octets, which need 56 characters.
    let body = "begin 644 a\n#0V%T\nHello world\n#0V%T\n`\nend\n";
    check(body, b"CatCat", &[(DAMAGE, 18, 11)]);
    // Sharutils agrees: `o` is 6F, minus 20 is 4F, whose low 6 bits are 15. 000101 001111 ends in
    // 4F.
    check("begin 644 a\n#0V%o\n`\nend\n", b"CaO", &[(DAMAGE, 16, 1)]);
    // E9 minus 20 is C9, 9 in six bits: 000101 001001 ends in 49.
    let body = b"begin 644 a\n#0V%\xE9\n`\nend\n";
    assert_eq!(uuencode(body).as_bytes(), b"CaI");
    // Text around a file, and a second file: CPython, sharutils and mutt decode only the first.
    let body = "Hello\nbegin 644 a\n#0V%T\n`\nend\n\nbegin 644 b\n#0V%T\n`\nend\n\n";
    check(body, b"Cat", &[(DAMAGE, 0, 6), (DAMAGE, 31, 23)]);
    // An empty line ends a file without `end`; text follows.
    let body = "begin 644 a\n#0V%T\n`\n\nHELLO\n";
    check(body, b"Cat", &[(SYNTAX, 21, 0), (DAMAGE, 21, 5)]);
    let body = "begin 644 a\n#0V%T\nbegin 644 b\n#0V%T\n`\nend\n";
    check(body, b"Cat", &[(SYNTAX, 18, 0), (DAMAGE, 18, 23)]);
}

/// POSIX, `uuencode -m`: base64 until a line of four equals signs. `Cat` is 16, 54, 5 and 52,
/// `Q2F0`.
#[test]
fn base64_is_decoded() {
    check("begin-base64 644 a\nQ2F0\n====\n", b"Cat", &[]);
    check("begin-base64 644 a\nQ2F0\n", b"Cat", &[(SYNTAX, 24, 0)]);
    let findings = [(Kind::Base64Skipped, 20, 1), (DAMAGE, 30, 3)];
    check("begin-base64 644 a\nQ*2F0\n====\nBye\n", b"Cat", &findings);
}

const PART: &str = "Content-Type: text/plain; charset=koi8-r\n";

/// F0 D2 C9 is 111100 001101 001011 001001: 60, 13, 11 and 9, and with 32 added `\-+)`.
#[test]
fn a_part_is_text_under_every_name() {
    for name in ["x-uuencode", "X-UUE", "uuencode", "uue"] {
        let source =
            format!("{PART}Content-Transfer-Encoding: {name}\n\nbegin 644 a\n#\\-+)\n`\nend\n");
        let message = Message::parse(source.as_bytes());
        let part = message.parts().next().unwrap();
        assert_eq!(part.transfer_encoding().name(), "x-uuencode");
        let text = part.text();
        assert_eq!((text.as_str(), text.report().is_empty()), ("При", true));
        assert_eq!(part.charset(&Options::new()).name(), "KOI8-R");
        assert_eq!(part.preview(2, &Options::new()).as_str(), "Пр");
    }
}

/// Partial content is not damaged: only whole lines are read, and a missing `end` is not reported.
#[test]
fn a_partial_part_is_read_up_to_its_last_whole_line() {
    let options = Options::new().partial(true);
    let source =
        format!("{PART}Content-Transfer-Encoding: x-uue\n\nbegin 644 a\n#\\-+)\n#\\-+)\n`\nend\n");
    let start = source.len() - source.split("\n\n").nth(1).unwrap().len();
    for length in start..source.len() {
        let message = Message::parse(&source.as_bytes()[..length]);
        let part = message.parts().next().unwrap();
        let text = part.text_with(&options);
        assert!("ПриПри".starts_with(text.as_str()), "{text:?}");
        assert!(!text.report().has(SYNTAX) && !text.report().has(DAMAGE));
    }
}

/// A forwarded message in uuencode, which RFC 2045, section 6.4, forbids, like one in base64.
#[test]
fn an_encoded_message_is_entered() {
    // `Subject: Cat` and two line endings: 53 75 62, 6A 65 63, 74 3A 20, 43 61 74, 0A 0A.
    let body = "begin 644 a\n.4W5B:F5C=#H@0V%T\"@H \n`\nend\n";
    let head = "Content-Type: message/rfc822\nContent-Transfer-Encoding: x-uuencode\n\n";
    let source = format!("{head}{body}");
    let message = Message::parse(source.as_bytes());
    let inner = message.entities().nth(1).expect("a message inside");
    assert_eq!(inner.field("Subject").unwrap().text().as_str(), "Cat");
    // If the field is wrong, the message is kept.
    let source = format!("{head}Subject: Cat\n\nHello\n");
    let message = Message::parse(source.as_bytes());
    let inner = message.entities().nth(1).expect("a message inside");
    assert_eq!(inner.text().as_str(), "Hello\n");
}

#[track_caller]
fn ranges(text: &str, expected: &[&str]) {
    let found: Vec<_> = uuencoded_ranges(text)
        .into_iter()
        .map(|range| &text[range])
        .collect();
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn a_file_in_a_text_needs_lines_of_the_right_length() {
    let file = "begin 644 a\n#0V%T\n`\nend\n";
    ranges(file, &[file]);
    ranges(&format!("a\n{file}b\n{file}"), &[file, file]);
    ranges(
        "é\nbegin 644 a\n#0V%T\n#\n\nend\nb",
        &["begin 644 a\n#0V%T\n#\n\nend\n"],
    );
    // 45 octets, `M`, are 60 characters.
    let full = format!("M{}\r\n", "0V%T".repeat(15));
    let no_empty_line = format!("begin 644 a\r\n{full}#0V%T\r\nend\r\n");
    ranges(&no_empty_line, &[&no_empty_line]);
    ranges("begin 644 a\n#0V%T\nend\n", &[]);
    // Without `end`, the file ends at an empty line or at the end of the text.
    let open = format!("begin 644 a\r\n{full}{full}#0V%T\r\n");
    ranges(&open, &[&open]);
    ranges(&format!("{open}\r\nHello"), &[&open]);
    ranges(&format!("{open}#0V\r\n\r\n"), &[]);
    ranges(&format!("begin 644 a\n{full}\n"), &[]);
    // Three octets 1 and 42 octets 0, with their blanks stripped, before a full line.
    let stripped = format!("begin 644 a\r\nM 0$!\r\n{full}`\r\nend\r\n");
    ranges(&stripped, &[&stripped]);
    let file = uuencoded(&stripped).remove(0);
    assert_eq!(file.octets[..48], [&[1; 3][..], &[0; 42], b"Cat"].concat());
    assert!(file.report.has(Kind::UuencodeSyntax));
    ranges(&format!("begin 644 a\r\nM 0$!\r\n{full}end\r\n"), &[]);
    // Otherwise the first line must be complete, and every line must be data.
    ranges("begin 644 a\n#0V\n`\nend\n", &[]);
    ranges("begin 644 a\n#0V%o\n`\nend\n", &[]);
    ranges("begin 644 a\n#0V%T\nHello\n`\nend\n", &[]);
    ranges("begin 644 a\n\n#0V%T\n`\nend\n", &[]);
    ranges("begin 644 a\n`\nend\n", &[]);
    ranges("begin 644 \n#0V%T\n`\nend\n", &[]);
    ranges(" begin 644 a\n#0V%T\n`\nend\n", &[]);
    ranges("> begin 644 a\n> #0V%T\n> `\n> end\n", &[]);
    ranges("We\nbegin 644 people who came\nin the end\nend\n", &[]);
    // Shouting and rulers: `K` is 43 octets, which need 58 characters, and `=` is 29, which need
    // 39.
    let shout = "KEEP OUT ".repeat(9);
    ranges(&format!("begin 000 a\n{}\n\n", &shout[..59]), &[]);
    ranges(&format!("begin 000 a\n{}\nend\n", "=".repeat(40)), &[]);
    let damaged = "begin 644 a\n#0V%T\n#0v%T\n`\nend\n";
    ranges(damaged, &[damaged]);
    assert!(uuencoded(damaged)[0].report.has(DAMAGE));
}

#[test]
fn the_number_of_files_in_a_text_is_limited() {
    let text = "begin 644 a\n#0V%T\n`\nend\n".repeat(1001);
    assert_eq!(uuencoded_ranges(&text).len(), 1000);
}

/// The name is in the charset of the text, and offsets are in the text.
#[test]
fn a_file_in_a_text_has_its_name() {
    let body = b"\xF0\xD2\xC9\nbegin 644 \xF0\xD2\xC9.txt\n#0V%TX\n`\nend\n";
    let source = [PART.as_bytes(), b"\n", body].concat();
    let message = Message::parse(&source);
    let part = message.parts().next().unwrap();
    let text = part.text();
    let files = part.uuencoded(text.as_str());
    let [file] = &files[..] else {
        panic!("{files:?}")
    };
    assert_eq!((&*file.name, &*file.octets), ("При.txt", &b"Cat"[..]));
    // Three letters of two octets and LF; `begin 644 `, the name of 10 octets and LF; `#0V%TX` and
    // LF.
    assert_eq!(file.range, 7..7 + 21 + 7 + 2 + 4);
    assert_eq!(file.report.findings()[0].offset(), 7 + 21 + 5);
    // Only in text/plain.
    let html = b"Content-Type: text/html\n\nbegin 644 a\n#0V%T\n`\nend\n";
    let message = Message::parse(html);
    let part = message.parts().next().unwrap();
    assert!(part.uuencoded(part.text().as_str()).is_empty());
}

#[test]
fn closed_content_names_a_program_that_opens_it() {
    let closed = |header: &str, body: &str| {
        let source = format!("{header}\n\n{body}");
        let message = Message::parse(source.as_bytes());
        let report = message.parts().next().unwrap().mime_header().report();
        let mut found = report.iter().filter(|it| it.kind() == Kind::ClosedContent);
        let detail = found.next().map(|it| it.detail().to_owned());
        assert!(found.next().is_none());
        detail.unwrap_or_default()
    };
    let smime = "Content-Type: application/pkcs7-mime; smime-type=";
    for (header, body, opener) in [
        (&*format!("{smime}signed-data"), "", "cms -verify"),
        (&format!("{smime}Enveloped-Data"), "", "cms -decrypt"),
        ("Content-Type: application/x-pkcs7-mime", "", "cms -verify"),
        ("Content-Type: application/ms-tnef", "", "ytnef"),
        ("Content-Type: application/mac-binhex40", "", "unar"),
        ("", "Hi\r\n=ybegin line=128 size=1 name=a\r\n", "ydecode"),
        (
            "",
            "(This file must be converted with BinHex 4.0)\n",
            "unar",
        ),
    ] {
        let detail = closed(header, body);
        assert!(detail.contains(opener), "{header} {body}: {detail:?}");
    }
    assert_eq!(closed(&format!("{smime}certs-only"), ""), "");
    assert_eq!(closed("", "A line =ybegin \n"), "");
    assert_eq!(closed("Content-Type: application/pkcs7-signature", ""), "");
}

/// Prose with lines that begin like a file. No line has the length that its first character
/// requires.
fn prose() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        3 => "begin [0-7]{3,4} [a-z]{1,8}( [a-z]{1,8}){0,4}",
        1 => "(begin|end|Begin|begin at [0-9]{3})",
        3 => "[A-Z]?[a-z]{2,9}( [a-z]{1,8}){1,9}[.,!]?",
        1 => "[A-Z]{2,9}( [A-Z]{2,8}){0,9}!{0,3}",
        1 => "[0-9]{1,4}[.)] [a-z]{2,8}",
        1 => "-- ?|={5,70}|\\*{3}|",
    ];
    let fits = |line: &str| {
        let length = line.bytes().next().unwrap_or(b' ').saturating_sub(b' ');
        line.len() > usize::from(length) * 4 / 3
    };
    let line = line.prop_filter("a line that fits", move |line| {
        line.is_empty() || line.bytes().any(|octet| octet.is_ascii_lowercase()) || !fits(line)
    });
    prop::collection::vec(line, 0..30).prop_map(|lines| lines.join("\n"))
}

proptest! {
    /// Octets round-trip in every variant, and files are found in a text.
    #[cfg(feature = "convert")]
    #[test]
    fn octets_round_trip(
        octets in prop::collection::vec(prop_oneof![Just(0), any::<u8>()], 1..400),
        width in 1_usize..64,
        zero in prop::sample::select(&[' ', '`'][..]),
        line_end in prop::sample::select(&["\n", "\r\n", "\r"][..]),
        is_stripped in any::<bool>(),
    ) {
        let lines = laws::uuencoded_lines(&octets, width, zero, line_end);
        let strip = |lines: &str| {
            let lines = lines.split(line_end).map(|line| line.trim_end_matches(' '));
            lines.collect::<Vec<_>>().join(line_end)
        };
        let whole = format!("begin 644 a b{line_end}{lines}end{line_end}");
        let stripped = strip(&whole);
        let body = if is_stripped { &stripped } else { &whole };
        let decoded = uuencode(body.as_bytes());
        prop_assert_eq!(decoded.as_bytes(), &octets);
        prop_assert!(!decoded.report().has_loss());
        prop_assert!(is_stripped || decoded.report().is_empty());
        if !is_stripped {
            let text = format!("Hello,{line_end}{whole}Bye{line_end}");
            let files = uuencoded(&text);
            prop_assert_eq!(files.len(), 1);
            prop_assert_eq!((&*files[0].name, &files[0].octets), ("a b", &octets));
            prop_assert_eq!(&text[files[0].range.clone()], whole);
        }
    }

    #[test]
    fn prose_is_not_a_file(text in prose()) {
        prop_assert_eq!(uuencoded_ranges(&text), []);
    }

    /// Two files are found, whatever text is between them.
    #[test]
    fn files_in_prose_are_found(first in prose(), second in prose()) {
        let file = "begin 644 a\n#0V%T\n`\nend\n";
        let text = format!("{first}\n{file}{second}\n{file}");
        let found: Vec<_> = uuencoded_ranges(&text).into_iter().map(|range| &text[range]).collect();
        prop_assert_eq!(found, [file, file]);
    }
}
