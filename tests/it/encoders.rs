//! Header fields and parameters written by this library, read back by other programs.
//!
//! Three readers share no code with the encoder: the strict one below, which follows the grammar of
//! RFC 2047 and RFC 2231 and rejects everything else; mailparse; and Python's `email` and Perl's
//! `Encode`, whose answers are in `corpus/encode/`. The fourth is this library's own reader.

use mailparse::{parse_content_disposition, parse_header};
use mime_charset::header::encode::{MailboxOrGroup as Address, Value};
use mime_charset::header::{self, Syntax, encode};
use mime_charset::{Message, Options, decode};
use proptest::prelude::*;

/// Ordinary and hostile text: blanks everywhere, controls, specials, letters of one to four octets,
/// text that looks like encoded words.
fn text() -> impl Strategy<Value = String> {
    let bit = prop_oneof![
        8 => "[a-z]{1,9}",
        3 => Just(" ".to_owned()),
        1 => Just("  ".to_owned()),
        1 => Just("\t".to_owned()),
        2 => "[!-/:-@\\[-`{-~]{1,3}",
        3 => "[à-ÿ]{1,4}",
        3 => "[가-힣ぁ-ん一-龥]{1,12}",
        1 => "[😀-😴]{1,3}",
        1 => Just("\u{300}".to_owned()),
        1 => "[\u{0}-\u{1f}\u{7f}-\u{9f}]",
        1 => Just("\r\nBcc: a@example.org".to_owned()),
        1 => Just("=?UTF-8?Q?x?=".to_owned()),
        1 => Just("=?".to_owned()),
        1 => Just("?=".to_owned()),
        1 => "[a-z]{60,160}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(bit, 0..24).prop_map(|bits| bits.concat())
}

fn column() -> impl Strategy<Value = usize> {
    prop_oneof![Just(0_usize), 2..40_usize, 60..90_usize]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn unstructured_round_trips(text in text(), column in column()) {
        let body = encode::unstructured(&text, column);
        check_lines(&body, column);
        prop_assert_eq!(strict::unstructured(&body), text);
    }

    #[test]
    fn phrase_round_trips(text in text(), column in column()) {
        let body = encode::phrase(&text, column);
        check_lines(&body, column);
        prop_assert_eq!(strict::phrase(&body), text);
    }

    #[test]
    fn comment_round_trips(text in text(), column in column()) {
        let body = encode::comment(&text, column);
        check_lines(&body, column);
        prop_assert_eq!(strict::comment(&body), text);
    }

    #[test]
    fn mailboxes_round_trip(names in prop::collection::vec(text(), 0..5), column in column()) {
        let addresses = ["a@example.org", "\"b, <\\\" c\"@[192.0.2.1]", "d.e@mail.example.com"];
        let given: Vec<_> = names.iter().map(String::as_str).zip(addresses.into_iter().cycle()).collect();
        let body = encode::mailboxes(given.clone(), column).unwrap();
        check_lines(&body, column);
        let read = strict::mailboxes(&body);
        let read: Vec<_> = read.iter().map(|(name, address)| (name.as_str(), address.as_str())).collect();
        prop_assert_eq!(read, given);
    }

    #[test]
    fn groups_round_trip(names in prop::collection::vec((text(), text(), 0..4_usize), 0..4), column in column()) {
        let addresses = ["a@example.org", "\"b, <\\\" c:;\"@[192.0.2.1]", "d.e@mail.example.com"];
        let members: Vec<Vec<_>> = names
            .iter()
            .map(|(_, member, count)| addresses.iter().map(|it| (member.as_str(), *it)).take(*count).collect())
            .collect();
        let given: Vec<_> = names
            .iter()
            .zip(&members)
            .map(|((name, _, count), members)| match count {
                3 => Address::Mailbox(name, "f@example.org"),
                _ => Address::Group(name, members),
            })
            .collect();
        let body = encode::addresses(given.iter().copied(), column).unwrap();
        check_lines(&body, column);
        let read = strict::addresses(&body);
        let expected: Vec<_> = given.into_iter().map(strict::Address::of).collect();
        prop_assert_eq!(read, expected);
    }

    #[test]
    fn parameter_round_trips(value in text(), column in column()) {
        let written = encode::parameter("filename", &value, column).unwrap();
        check_lines(&written, column);
        prop_assert_eq!(strict::parameter(&written, "filename"), value);
    }

    #[test]
    fn long_parameter_names_respect_the_line_limit(value in text(), name in "[a-z-]{40,48}") {
        let written = encode::parameter(&name, &value, 30).unwrap();
        check_lines(&written, 30);
        prop_assert_eq!(strict::parameter(&written, &name), value);
    }

    #[test]
    fn mailparse_reads_our_output(text in text()) {
        let field = format!("Subject: {}\r\n", encode::unstructured(&text, 9));
        let (header, _) = parse_header(field.as_bytes()).unwrap();
        prop_assert_eq!(header.get_value(), text.clone());

        let field = format!("Content-Disposition: attachment{}\r\n", encode::parameter("filename", &text, 31).unwrap());
        let (header, _) = parse_header(field.as_bytes()).unwrap();
        let disposition = parse_content_disposition(&header.get_value());
        prop_assert_eq!(disposition.params.get("filename"), Some(&text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn our_reader_reads_our_output(text in text()) {
        let options = Options::new();
        let body = encode::unstructured(&text, 9);
        let read = decode::field(body.as_bytes(), Syntax::Unstructured, &options);
        prop_assert_eq!(read.as_str(), &text);

        let body = encode::mailbox(&text, "a@example.org", 6).unwrap();
        let list = decode::addresses(body.as_bytes());
        let mailboxes: Vec<_> = list.mailboxes().collect();
        prop_assert_eq!(mailboxes.len(), 1);
        prop_assert_eq!(mailboxes[0].octets(), b"a@example.org");
        prop_assert_eq!(mailboxes[0].name.as_str(), &text);

        let body = format!("attachment{}", encode::parameter("filename", &text, 31).unwrap());
        let disposition = header::content_disposition(body.as_bytes());
        prop_assert_eq!(disposition.parameters().len(), 1);
        let parameter = disposition.parameter("filename").unwrap();
        prop_assert_eq!(parameter.octets(), text.as_bytes());
        let read = parameter.text_with(&options);
        prop_assert_eq!(read.as_str(), &text);
    }
}

/// RFC 2231, section 4, has no encoded words in extended values: text that looks like one stays
/// text.
#[test]
fn an_encoded_word_in_a_parameter_is_read_as_text() {
    let body = format!(
        "attachment{}",
        encode::parameter("filename", "=?UTF-8?Q?x?=", 31).unwrap()
    );
    assert_eq!(
        body,
        "attachment; filename*=UTF-8''%3D%3FUTF-8%3FQ%3Fx%3F%3D"
    );
    let disposition = header::content_disposition(body.as_bytes());
    let parameter = disposition.parameter("filename").unwrap();
    assert_eq!(parameter.octets(), b"=?UTF-8?Q?x?=");
    let read = parameter.text();
    assert_eq!(read.as_str(), "=?UTF-8?Q?x?=");
    assert!(read.report().is_empty());

    let name = "a=?utf-8?q?=2Eexe?=";
    let body = encode::parameter("filename", name, 31).unwrap();
    let disposition = header::content_disposition(body.as_bytes());
    let parameter = disposition.parameter("filename").unwrap();
    assert_eq!(parameter.text(), name);
}

/// A value that looks like an extended value without its star, which some programs omit (RFC 8187,
/// section 3.2.1), is written so that no reader decodes it.
#[test]
fn a_lookalike_of_an_extended_value_is_read_as_text() {
    for label in [
        "utf-8",
        "UTF-8",
        "iso-8859-1",
        "windows-1252",
        "koi8-r",
        "Rock",
    ] {
        for language in ["", "en", "en-US", "n", "no language"] {
            for rest in ["", "a", "a%20b.txt", "%3D%3F%0A%20x", "100%"] {
                let value = &*format!("{label}'{language}'{rest}");
                let written = encode::parameter("filename", value, 31).unwrap();
                assert_eq!(strict::parameter(&written, "filename"), value);
                let body = format!("attachment{written}");
                let disposition = header::content_disposition(body.as_bytes());
                assert_eq!(disposition.parameter("filename").unwrap().text(), value);
            }
        }
    }
    let written = |value| encode::parameter("filename", value, 31).unwrap();
    assert_eq!(
        written("utf-8''a%20b"),
        "; filename*=UTF-8''utf-8%27%27a%2520b"
    );
    assert_eq!(written("Rock'n'Roll"), "; filename=\"Rock'n'Roll\"");
}

/// If a row changes with the encoder, rerun the readers named in `corpus/encode/README.md`.
#[test]
fn python_and_perl_read_our_output() {
    check_rows(
        include_str!("../../corpus/encode/unstructured.tsv"),
        |text| encode::unstructured(text, 9),
    );
    check_rows(include_str!("../../corpus/encode/comment.tsv"), |text| {
        encode::comment(text, 37)
    });
    check_rows(include_str!("../../corpus/encode/mailbox.tsv"), |text| {
        encode::mailbox(text, "a@example.org", 6).unwrap()
    });
    check_rows(include_str!("../../corpus/encode/parameter.tsv"), |text| {
        encode::parameter("filename", text, 31).unwrap()
    });
}

#[track_caller]
fn check_rows(rows: &str, write: impl Fn(&str) -> String) {
    assert!(rows.lines().count() > 30);
    for row in rows.lines() {
        let (written, text) = row.split_once('\t').unwrap();
        assert_eq!(write(&plain(text)), plain(written), "{text}");
    }
}

fn plain(cell: &str) -> String {
    let mut text = String::new();
    let mut characters = cell.chars();
    while let Some(c) = characters.next() {
        text.push(match c {
            '\\' => match characters.next().unwrap() {
                'r' => '\r',
                'n' => '\n',
                't' => '\t',
                '0' => '\0',
                c => c,
            },
            c => c,
        });
    }
    text
}

/// The shortest texts for which Q and B differ only in length.
#[test]
fn the_shorter_encoding_is_chosen() {
    let encoding = |text| {
        encode::unstructured(text, 9)
            .split('?')
            .nth(2)
            .unwrap()
            .to_owned()
    };
    // é is =C3=A9 in Q, six characters; in B, three octets take four.
    assert_eq!(encoding("é"), "B"); // Q 6, B 4
    assert_eq!(encoding("éa"), "B"); // Q 7, B 4
    assert_eq!(encoding("éab"), "Q"); // Q 8, B 8
    assert_eq!(encoding("éabc"), "B"); // Q 9, B 8
    assert_eq!(encoding("éabcde"), "Q"); // Q 11, B 12
}

/// Readers disagree on a fold before the first word.
#[test]
fn a_field_does_not_begin_with_a_fold() {
    for length in 1..200 {
        let text = "a".repeat(length);
        for text in [text.clone(), text.clone() + " é", text + " b"] {
            for column in 2..40 {
                let body = encode::unstructured(&text, column);
                check_lines(&body, column);
                assert!(!body.starts_with('\r'), "{body:?}");
                assert_eq!(strict::unstructured(&body), text);
            }
        }
    }
}

#[test]
fn a_short_text_is_not_split_at_the_end_of_a_line() {
    // 24 characters of encoded word do not fit after column 60; the whole word goes into the next
    // line.
    let body = encode::unstructured("Größe", 60);
    assert_eq!(body, "\r\n =?UTF-8?B?R3LDtsOfZQ==?=");
}

#[test]
fn invalid_addresses_are_rejected() {
    for refused in [
        "",
        "a",
        "@",
        "a@",
        "@b",
        "a b@c",
        "a@b c",
        "a@b>",
        "<a@b",
        "a@b\r\n",
        "a@b\0",
        "ä @b",
        "a@ä\u{2028}Bcc: c",
        "\"a@b",
        "a\"b\"@c",
        "\"a\"b\"@c",
        "\"a\\\"@c",
        "a,b@c",
        "a@[b]]",
        "a@b,c@d",
        "(x)a@b",
    ] {
        assert!(encode::mailbox("Name", refused, 4).is_err(), "{refused:?}");
    }
    assert!(encode::mailbox("", &format!("a@{}", "b".repeat(1000)), 4).is_err());
    for taken in [
        "a@b",
        "a..b.@docomo.example",
        "\"a@b\"@c",
        "\"\"@c",
        "\"a\\\"\"@c",
        "a+b=c@[IPv6:::1]",
        // RFC 6532, section 3.2.
        "ä@b",
        "a@ä",
        "\"ä ö\"@b",
    ] {
        assert!(encode::mailbox("Name", taken, 4).is_ok(), "{taken:?}");
    }
}

#[test]
fn invalid_parameter_names_are_rejected() {
    for refused in [
        "",
        "a b",
        "a=b",
        "a*",
        "a;",
        "ä",
        "a'b",
        "a%b",
        "a\r\n",
        &"a".repeat(49),
    ] {
        assert!(encode::parameter(refused, "x", 4).is_err(), "{refused:?}");
    }
}

/// Fields as clients write them, and hostile ones.
fn fields() -> Vec<(&'static str, Value<'static>)> {
    let long_name = "Der Verein zur Förderung der Freundschaft zwischen Köln und Seoul, e. V.";
    vec![
        ("Subject", Value::Text("Plain text")),
        (
            "Subject",
            Value::Text("Grüße aus 서울\r\nBcc: x@example.org"),
        ),
        (
            "Content-Description",
            Value::Text("word ".repeat(40).leak()),
        ),
        ("Subject", Value::Text("한국어".repeat(30).leak())),
        ("To", Value::Mailboxes(&[("Zoë", "zoe@example.org")])),
        (
            "To",
            Value::Mailboxes(&[("Pelé", "pelé@example.com"), ("", "用户@例子.广告")]),
        ),
        (
            "Cc",
            Value::Mailboxes(&[("Smith, J.", "\"j s\"@example.org"), ("", "a@[192.0.2.1]")]),
        ),
        (
            "Reply-To",
            Value::Mailboxes(vec![(long_name, "vorstand@köln-seoul.example"); 4].leak()),
        ),
        ("Bcc", Value::Mailboxes(&[])),
        (
            "Content-Type",
            Value::Parameters("text/plain", &[("charset", "utf-8"), ("name", "a b.txt")]),
        ),
        (
            "Content-Disposition",
            Value::Parameters(
                "attachment",
                &[("filename", "Größe 서울.txt"), ("size", "12")],
            ),
        ),
        (
            "Content-Disposition",
            Value::Parameters(
                "attachment",
                vec![
                    ("filename", &*"서울의 달.txt ".repeat(12).leak()),
                    ("x", "\"\\"),
                ]
                .leak(),
            ),
        ),
    ]
}

/// The value in the form of the readers below: text, or names and addresses, or parameters.
fn shown(value: Value<'_>) -> String {
    let pairs = |pairs: &[(&str, &str)]| {
        let pairs: Vec<_> = pairs.iter().map(|(a, b)| format!("{a}|{b}")).collect();
        pairs.join("|")
    };
    match value {
        Value::Text(text) => text.to_owned(),
        Value::Mailboxes(list) => pairs(list),
        Value::Parameters(value, list) => format!("{value}|{}", pairs(list)),
        _ => unreachable!(),
    }
}

/// If a row changes with the encoder, rerun Python: `corpus/encode/README.md`.
#[test]
fn python_reads_whole_fields() {
    let rows = include_str!("../../corpus/encode/field.tsv");
    assert_eq!(rows.lines().count(), fields().len());
    for (row, (name, value)) in rows.lines().zip(fields()) {
        let (written, read) = row.split_once('\t').unwrap();
        assert_eq!(encode::field(name, value).unwrap(), plain(written));
        assert_eq!(shown(value), plain(read));
    }
}

#[test]
fn mailparse_reads_whole_fields() {
    for (name, value) in fields() {
        let written = encode::field(name, value).unwrap();
        let (header, length) = parse_header(written.as_bytes()).unwrap();
        assert_eq!((header.get_key().as_str(), length), (name, written.len()));
        let read = match value {
            Value::Text(_) => header.get_value(),
            // mailparse does not support a quoted string as local part.
            Value::Mailboxes(list) if list.iter().any(|(_, address)| address.contains('"')) => {
                continue;
            }
            Value::Mailboxes(_) => {
                let list = mailparse::addrparse_header(&header).unwrap();
                let one = |address: &mailparse::MailAddr| match address {
                    mailparse::MailAddr::Single(one) => {
                        let name = one.display_name.clone().unwrap_or_default();
                        format!("{name}|{}", one.addr)
                    }
                    mailparse::MailAddr::Group(_) => unreachable!(),
                };
                list.iter().map(one).collect::<Vec<_>>().join("|")
            }
            Value::Parameters(first, list) => {
                let field = parse_content_disposition(&header.get_value());
                assert_eq!(field.params.len(), list.len());
                let named = |(name, _): &(&str, &str)| format!("|{name}|{}", field.params[*name]);
                first.to_owned() + &list.iter().map(named).collect::<String>()
            }
            _ => unreachable!(),
        };
        assert_eq!(read, shown(value), "{written}");
    }
}

/// RFC 5322, appendix A.1.3, and Python's reading of groups (`corpus/encode/README.md`). mailparse
/// cannot check this: it reads the comma after a group as the start of the next address.
#[test]
fn other_programs_read_groups() {
    let long = [
        ("Zoë", "zoe@example.org"),
        (
            "Der Verein zur Förderung der Freundschaft, e. V.",
            "v@example.com",
        ),
        ("", "b@example.org"),
    ];
    let chris = [
        ("Ed Jones", "joe@where.test"),
        ("", "joe@where.test"),
        ("John", "jdoe@one.test"),
    ];
    let fields = [
        ("To", vec![Address::Group("A Group", &chris)]),
        ("Cc", vec![Address::Group("Undisclosed recipients", &[])]),
        (
            "Cc",
            vec![
                Address::Group("Größe", &long),
                Address::Mailbox("", "c@example.org"),
            ],
        ),
        (
            "To",
            vec![
                Address::Mailbox("C.", "c@example.org"),
                Address::Group("a: b; c", &long[2..]),
            ],
        ),
        (
            "From",
            vec![Address::Group("=?x", &[]), Address::Group("", &long[..1])],
        ),
    ];
    let rows = include_str!("../../corpus/encode/group.tsv");
    assert_eq!(rows.lines().count(), fields.len());
    for (row, (name, list)) in rows.lines().zip(fields) {
        let (expected, read) = row.split_once('\t').unwrap();
        let written = encode::field(name, Value::Addresses(&list)).unwrap();
        assert_eq!(written, plain(expected));
        let pair = |(name, address): &(&str, &str)| format!("{name}|{address}");
        let one = |address: &Address<'_>| match address {
            Address::Mailbox(name, address) => pair(&(name, address)),
            Address::Group(name, list) => {
                let members: Vec<_> = list.iter().map(pair).collect();
                format!("{name}:{};", members.join("|"))
            }
            _ => unreachable!(),
        };
        assert_eq!(list.iter().map(one).collect::<Vec<_>>().join("|"), read);

        let body = &written.as_bytes()[name.len() + 1..];
        let ours = decode::addresses(body);
        let single = |it: &decode::Mailbox<'_>| format!("{}|{}", it.name, it.address);
        let one = |address: &decode::Address<'_>| match address {
            decode::Address::Mailbox(it) => single(it),
            decode::Address::Group {
                name, mailboxes, ..
            } => {
                let members: Vec<_> = mailboxes.iter().map(single).collect();
                format!("{name}:{};", members.join("|"))
            }
            _ => unreachable!(),
        };
        assert_eq!(
            ours.list.iter().map(one).collect::<Vec<_>>().join("|"),
            read
        );
    }
}

/// RFC 5322, section 3.6.5, checked by the strict reader.
#[test]
fn keywords_are_phrases_with_commas() {
    let written = encode::field("Keywords", Value::Phrases(&["Größe", "a, b", "=?x"])).unwrap();
    assert_eq!(
        written,
        "Keywords: =?UTF-8?B?R3LDtsOfZQ==?=, \"a, b\", =?UTF-8?B?PT94?=\r\n"
    );
    let many = vec!["Größe der Dinge"; 20];
    let body = encode::phrases(many.iter().copied(), 10);
    check_lines(&body, 10);
    let read: Vec<_> = body
        .split(',')
        .map(|one| one.replacen("\r\n", "", 1))
        .collect();
    let read: Vec<_> = read
        .iter()
        .map(|one| strict::phrase(one.trim_start()))
        .collect();
    assert_eq!(read, many);
}

/// RFC 5322, sections 2.1.1 and 2.2.3: folds replace blanks.
#[test]
fn a_written_body_is_folded() {
    let groups = "friends: a@example.org, b@example.org;\tothers:; ".repeat(6);
    let field = encode::field("To", Value::Written(&groups)).unwrap();
    let body = field
        .strip_prefix("To: ")
        .unwrap()
        .strip_suffix("\r\n")
        .unwrap();
    assert_eq!(body.replace("\r\n", ""), groups.trim_end());
    assert!(field.lines().count() > 3 && field.lines().all(|line| line.len() <= 76));

    // `To: ` and 994 octets are 998. A longer word gets a line of its own: after the blank of the
    // fold, the word's octet 997 is the first beyond the limit.
    let longest = "x".repeat(997);
    assert!(encode::field("To", Value::Written(&longest)).is_ok());
    let error = encode::field("To", Value::Written(&(longest + "x"))).unwrap_err();
    assert_eq!(error.offset(), Some(997));
    for (refused, offset) in [("a\r\nb", 1), (" a\0", 2), ("ä", 0), ("a b\u{2028}", 3)] {
        let error = encode::field("To", Value::Written(refused)).unwrap_err();
        assert_eq!(error.offset(), Some(offset), "{refused:?}");
    }
}

#[test]
fn invalid_fields_are_rejected() {
    let text = Value::Text("x");
    for (name, offset) in [
        ("", 0),
        ("a b", 1),
        ("a:", 1),
        ("Ä", 0),
        ("a\n", 1),
        ("a\0", 1),
    ] {
        let error = encode::field(name, text).unwrap_err();
        assert_eq!(error.offset(), Some(offset), "{name:?}");
    }
    let longest = "x".repeat(996);
    assert!(encode::field(&longest, text).is_ok());
    let error = encode::field(&(longest + "x"), text).unwrap_err();
    assert_eq!(error.offset(), Some(996));
    // The value does not fit the field (RFC 5322, section 3.6; RFC 2047, section 5).
    for (name, value) in [
        ("=?UTF-8?Q?x?=", text),
        ("To", text),
        ("Message-ID", text),
        ("Keywords", Value::Mailboxes(&[])),
        ("Content-Type", Value::Phrases(&["x"])),
        ("To", Value::Mailboxes(&[])),
        ("To", Value::Addresses(&[])),
        (
            "To",
            Value::Addresses(&[Address::Group("x", &[("", "a b@c")])]),
        ),
        ("Keywords", Value::Phrases(&[])),
        ("Content-Type", Value::Parameters("text", &[])),
        ("Content-Type", Value::Parameters("text/", &[])),
        ("Content-Type", Value::Parameters("/plain", &[])),
        ("Content-Type", Value::Parameters("text/plain/x", &[])),
        ("Content-Disposition", Value::Parameters("", &[])),
        ("Content-Disposition", Value::Parameters("in\r\nline", &[])),
        (
            "Content-Disposition",
            Value::Parameters("inline", &[("a", "b"), ("A", "c")]),
        ),
        (
            "Content-Disposition",
            Value::Parameters("inline", &[("a\r\nb", "c")]),
        ),
    ] {
        assert!(encode::field(name, value).is_err(), "{name}: {value:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Header injection: any input gives one field or an error.
    #[test]
    fn no_input_begins_another_field(
        name in prop_oneof![
            4 => prop::sample::select(vec!["Subject", "To", "Keywords", "Content-Type", "X-Y"]).prop_map(String::from),
            1 => text(),
        ],
        (first, second) in (text(), text()),
        address in prop_oneof![
            2 => Just("a@example.org".to_owned()),
            2 => ("[a-zä\\.\" \\\\\u{85}\u{2028}\n]{1,12}", "[a-zé.\\[\\]\r\n]{1,12}").prop_map(|(a, b)| format!("{a}@{b}")),
            1 => text(),
        ],
        value in prop_oneof![Just("text/plain".to_owned()), text()],
    ) {
        let mailboxes = [(&*first, &*address), (&*second, "b@example.org")];
        let phrases = [&*first, &*second];
        let parameters = [("name", &*first), (&*second, &*address)];
        for value in [
            Value::Text(&first),
            Value::Mailboxes(&mailboxes),
            Value::Phrases(&phrases),
            Value::Parameters(&value, &parameters),
            Value::Parameters("a/b", &parameters[..1]),
            Value::Written(&first),
        ] {
            let Ok(field) = encode::field(&name, value) else {
                continue;
            };
            let lines = field.strip_suffix("\r\n").unwrap();
            for (index, line) in lines.split("\r\n").enumerate() {
                let ends_a_line = |c: char| c.is_control() && c != '\t' || matches!(c, '\u{2028}' | '\u{2029}');
                prop_assert!(line.len() <= 998 && !line.contains(ends_a_line), "{:?}", field);
                prop_assert!(index == 0 || line.starts_with([' ', '\t']), "{:?}", field);
                prop_assert!(index == 0 || !line.trim().is_empty(), "{:?}", field);
            }
            let source = format!("{field}X-Next: y\r\n\r\nbody");
            let message = Message::parse(source.as_bytes());
            let names: Vec<_> = message.fields().map(|field| field.name().to_vec()).collect();
            prop_assert_eq!(names, [name.as_bytes().to_vec(), b"X-Next".to_vec()]);
        }
    }
}

/// RFC 5322, section 2.1.1, RFC 2047, section 2: the limits of every line.
#[track_caller]
fn check_lines(body: &str, column: usize) {
    for (index, line) in body.split("\r\n").enumerate() {
        assert!(
            line.bytes().all(|octet| (0x20..0x7F).contains(&octet)),
            "{body:?}"
        );
        let before = if index == 0 { column } else { 0 };
        if index > 0 {
            assert!(line.starts_with(' '), "{body:?}");
            assert!(!line.trim().is_empty(), "{body:?}");
        } else {
            assert!(
                !line.is_empty() || column > 1 || body.is_empty(),
                "{body:?}"
            );
        }
        if index > 0 || !line.is_empty() {
            assert!(
                before + line.len() <= 76 || (index == 0 && line.len() <= 1),
                "{body:?}"
            );
        }
    }
}

mod strict {
    //! The grammar and nothing else: panics on any violation.

    /// RFC 2047, section 5, rule 1.
    pub(super) fn unstructured(body: &str) -> String {
        let legal = |c: char| c.is_ascii_graphic() && c != '?';
        words(&unfold(body), legal, str::to_owned)
    }

    /// RFC 2047, section 5, rule 3; RFC 5322, section 3.2.5.
    pub(super) fn phrase(body: &str) -> String {
        let body = unfold(body);
        if let Some(quoted) = body.strip_prefix('"') {
            return unquote(quoted.strip_suffix('"').unwrap());
        }
        words(&body, in_phrase, |atom| {
            assert!(
                atom.chars()
                    .all(|c| c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(c)),
                "{atom:?} is not an atom"
            );
            atom.to_owned()
        })
    }

    /// RFC 2047, section 5, rule 2; RFC 5322, section 3.2.2.
    pub(super) fn comment(body: &str) -> String {
        let body = unfold(body);
        let inside = body.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
        assert!(!inside.starts_with(' '));
        words(inside, in_phrase, |plain| {
            let mut text = String::new();
            let mut characters = plain.chars();
            while let Some(c) = characters.next() {
                assert!(c != '(' && c != ')');
                text.push(if c == '\\' {
                    characters.next().unwrap()
                } else {
                    c
                });
            }
            text
        })
    }

    /// RFC 5322, section 3.4.
    pub(super) fn mailboxes(body: &str) -> Vec<(String, String)> {
        let body = unfold(body);
        let mut read = Vec::new();
        let (mut quoted, mut escaped, mut start) = (false, false, 0);
        for (at, c) in body.char_indices().chain([(body.len(), ',')]) {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                ',' if !quoted => {
                    read.push(mailbox(body[start..at].trim_start_matches(' ')));
                    start = at + 1;
                }
                _ => {}
            }
        }
        if body.is_empty() { Vec::new() } else { read }
    }

    #[derive(Debug, PartialEq, Eq)]
    pub(super) enum Address {
        Mailbox(String, String),
        Group(String, Vec<(String, String)>),
    }

    impl Address {
        pub(super) fn of(given: super::Address<'_>) -> Self {
            let owned =
                |(name, address): &(&str, &str)| ((*name).to_owned(), (*address).to_owned());
            match given {
                super::Address::Mailbox(name, address) => {
                    Address::Mailbox(name.to_owned(), address.to_owned())
                }
                super::Address::Group(name, list) => {
                    Address::Group(name.to_owned(), list.iter().map(owned).collect())
                }
                _ => unreachable!(),
            }
        }
    }

    /// RFC 5322, section 3.4: `address-list = (address *("," address))` and
    /// `group = display-name ":" [group-list] ";"`.
    pub(super) fn addresses(body: &str) -> Vec<Address> {
        let body = unfold(body);
        let mut read = Vec::new();
        let mut rest = body.as_str();
        while !rest.is_empty() {
            let end = mark(rest, &[',', ':']).unwrap_or(rest.len());
            if rest[end..].starts_with(':') {
                let close = mark(rest, &[';']).unwrap();
                let list = &rest[end + 1..close];
                assert!(list.is_empty() || list.starts_with(' '));
                read.push(Address::Group(phrase(&rest[..end]), mailboxes(list)));
                rest = &rest[close + 1..];
            } else {
                let (name, address) = mailbox(&rest[..end]);
                read.push(Address::Mailbox(name, address));
                rest = &rest[end..];
            }
            if !rest.is_empty() {
                rest = rest.strip_prefix(", ").unwrap();
            }
        }
        read
    }

    /// The offset of the first of the marks outside quotation marks.
    fn mark(body: &str, marks: &[char]) -> Option<usize> {
        let (mut quoted, mut escaped) = (false, false);
        for (at, c) in body.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                _ if !quoted && marks.contains(&c) => return Some(at),
                _ => {}
            }
        }
        None
    }

    fn mailbox(body: &str) -> (String, String) {
        let Some(body) = body.strip_suffix('>') else {
            return (String::new(), body.to_owned());
        };
        // The angle bracket outside quotation marks.
        let (mut at, mut quoted, mut escaped) = (0, false, false);
        for (index, c) in body.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                '<' if !quoted => at = index.checked_sub(1).unwrap(),
                _ => {}
            }
        }
        (phrase(&body[..at]), body[at + 2..].to_owned())
    }

    /// RFC 2231, sections 3 and 4.
    pub(super) fn parameter(written: &str, name: &str) -> String {
        let written = unfold(written);
        let mut rest = written.as_str();
        let mut octets = Vec::new();
        let mut number = 0;
        let mut sections = false;
        while !rest.is_empty() {
            rest = rest.strip_prefix("; ").unwrap().strip_prefix(name).unwrap();
            let extended;
            if let Some(value) = rest.strip_prefix('=') {
                (extended, rest) = (false, value);
            } else if let Some(value) = rest.strip_prefix("*=") {
                (extended, rest) = (true, value);
            } else {
                let (section, value) = rest.strip_prefix('*').unwrap().split_once('=').unwrap();
                let digits = section.trim_end_matches('*');
                assert_eq!(digits, number.to_string());
                number += 1;
                sections = true;
                (extended, rest) = (section.ends_with('*'), value);
            }
            assert!(!rest.is_empty());
            assert!(sections || octets.is_empty());
            let before = octets.len();
            if let Some(quoted) = rest.strip_prefix('"') {
                assert!(!extended);
                let end = (0..quoted.len())
                    .find(|&at| {
                        let slashes = quoted[..at]
                            .bytes()
                            .rev()
                            .take_while(|&b| b == b'\\')
                            .count();
                        quoted.as_bytes()[at] == b'"' && slashes % 2 == 0
                    })
                    .unwrap();
                octets.extend(unquote(&quoted[..end]).into_bytes());
                rest = &quoted[end + 1..];
            } else {
                let end = rest.find(';').unwrap_or(rest.len());
                let (mut token, after) = rest.split_at(end);
                rest = after;
                if extended {
                    if octets.is_empty() {
                        token = token.strip_prefix("UTF-8''").unwrap();
                    }
                    octets.extend(percent(token));
                } else {
                    assert!(
                        token
                            .chars()
                            .all(|c| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?=".contains(c))
                    );
                    octets.extend(token.bytes());
                }
            }
            // RFC 2231 lets sections split characters; this library promises not to.
            std::str::from_utf8(&octets[before..]).unwrap();
        }
        String::from_utf8(octets).unwrap()
    }

    /// RFC 5322, section 2.2.3.
    fn unfold(body: &str) -> String {
        body.strip_prefix("\r\n ")
            .unwrap_or(body)
            .replace("\r\n", "")
    }

    fn unquote(inside: &str) -> String {
        let mut text = String::new();
        let mut characters = inside.chars();
        while let Some(c) = characters.next() {
            assert!(c != '"');
            text.push(if c == '\\' {
                characters.next().unwrap()
            } else {
                c
            });
        }
        text
    }

    fn in_phrase(c: char) -> bool {
        c.is_ascii_alphanumeric() || "!*+-/=_".contains(c)
    }

    /// Words separated by single blanks; blanks between encoded words are dropped.
    fn words(body: &str, q: impl Fn(char) -> bool, plain: impl Fn(&str) -> String) -> String {
        let mut text = String::new();
        let mut after_encoded = None;
        if body.is_empty() {
            return text;
        }
        for word in body.split(' ') {
            assert!(!word.is_empty(), "a run of blanks in {body:?}");
            let decoded = encoded_word(word, &q);
            if after_encoded.is_some_and(|after| !(after && decoded.is_some())) {
                text.push(' ');
            }
            after_encoded = Some(decoded.is_some());
            text.push_str(&decoded.unwrap_or_else(|| {
                assert!(!word.contains("=?"), "{word:?}");
                plain(word)
            }));
        }
        text
    }

    /// RFC 2047, sections 2 and 4: each word is self-contained and holds whole characters.
    fn encoded_word(word: &str, q: impl Fn(char) -> bool) -> Option<String> {
        let encoded = word.strip_prefix("=?UTF-8?")?.strip_suffix("?=")?;
        assert!(word.len() <= 75, "{word:?}");
        let (encoding, encoded) = encoded.split_once('?').unwrap();
        assert!(!encoded.is_empty());
        let octets = match encoding {
            "Q" => {
                assert!(
                    encoded.chars().all(|c| q(c) || c == '=' || c == '_'),
                    "{word:?}"
                );
                hexadecimal(&encoded.replace('_', "=20"), '=')
            }
            "B" => base64(encoded),
            _ => panic!("{word:?}"),
        };
        Some(String::from_utf8(octets).unwrap())
    }

    fn percent(token: &str) -> Vec<u8> {
        assert!(
            token
                .chars()
                .all(|c| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?=*'".contains(c))
        );
        hexadecimal(token, '%')
    }

    fn hexadecimal(text: &str, mark: char) -> Vec<u8> {
        let mut parts = text.split(mark);
        let mut octets = parts.next().unwrap().as_bytes().to_vec();
        for part in parts {
            assert!(
                part[..2]
                    .chars()
                    .all(|c| c.is_ascii_digit() || ('A'..='F').contains(&c))
            );
            octets.push(u8::from_str_radix(&part[..2], 16).unwrap());
            octets.extend(part[2..].bytes());
        }
        octets
    }

    /// RFC 2045, section 6.8, with padding of zero bits.
    fn base64(text: &str) -> Vec<u8> {
        assert_eq!(text.len() % 4, 0);
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let data = text.trim_end_matches('=');
        assert!(text.len() - data.len() <= 2);
        let mut octets = Vec::new();
        let (mut bits, mut count) = (0_u32, 0);
        for c in data.chars() {
            bits = bits << 6 | u32::try_from(digits.find(c).unwrap()).unwrap();
            count += 6;
            if count >= 8 {
                count -= 8;
                octets.push((bits >> count & 0xFF) as u8);
            }
        }
        assert_eq!(bits & ((1 << count) - 1), 0);
        octets
    }
}

/// RFC 2231, section 3, numbers sections from 0 without a limit; a reader has a limit.
#[test]
fn a_parameter_has_at_most_as_many_sections_as_readers_accept() {
    // U+D55C is `%ED%95%9C`, nine characters. In 76 columns, a blank, `name*0*=UTF-8''` and `;`
    // leave room for six of them, and section names up to `name*9999*=` for seven.
    let longest = "한".repeat(6 + 7 * header::Parameter::MAX_SECTION);
    let written = encode::parameter("name", &longest, 0).unwrap();
    let field = format!("attachment{written}");
    let read = header::content_disposition(field.as_bytes());
    let value = read.parameter("name").unwrap();
    assert!(value.text().as_str() == longest);
    assert!(encode::parameter("name", &(longest + "한"), 0).is_err());
}

/// The length of a text above 256 KiB is computed before it is written.
#[test]
fn long_text_is_allocated_exactly() {
    for piece in ["a éèê ", "\u{FFFD}", "a (b) ", "word ", "  "] {
        let text = piece.repeat((300 << 10) / piece.len());
        for written in [
            encode::unstructured(&text, 9),
            encode::phrase(&text, 6),
            encode::comment(&text, 6),
        ] {
            assert_eq!(written.capacity(), written.len(), "{piece:?}");
        }
        let body = encode::unstructured(&text, 9);
        let read = decode::field(body.as_bytes(), Syntax::Unstructured, &Options::new());
        assert!(read.as_str() == text, "{piece:?}");
    }
}
