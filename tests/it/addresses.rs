//! Address lists as programs write them: no reader may find an address that the field does not have
//! (RFC 5322, sections 3.4 and 4.4; RFC 2047, section 5; RFC 6532, section 3.2; RFC 7103).
//!
//! `corpus/address/lists.tsv` has 200 drawn lists of each kind, composed of known mailboxes, with
//! Python's reading of them. mailparse is run here.

use std::collections::BTreeMap;

use mime_charset::convert::{Conversion, Headers, convert, verify};
use mime_charset::decode::Mailbox;
use mime_charset::header::{self, Syntax};
use mime_charset::{Kind, Message, Options, Report, decode};

/// A name and an address.
type Pair = (String, String);

fn pairs(list: &[(&str, &str)]) -> Vec<Pair> {
    let owned = |(name, address): &(&str, &str)| ((*name).to_owned(), (*address).to_owned());
    list.iter().map(owned).collect()
}

/// The names and addresses of a list, and the kinds of its findings.
fn read(body: &[u8]) -> (Vec<Pair>, Vec<Kind>) {
    let list = decode::addresses(body);
    let pair = |mailbox: &Mailbox<'_>| {
        let address = String::from_utf8(mailbox.octets().to_vec()).unwrap();
        (mailbox.name.to_string(), address)
    };
    (list.mailboxes().map(pair).collect(), kinds(&list.report))
}

fn kinds(report: &Report) -> Vec<Kind> {
    report.iter().map(mime_charset::Finding::kind).collect()
}

fn addresses(body: &[u8]) -> Vec<String> {
    let (pairs, _) = read(body);
    pairs.into_iter().map(|(_, address)| address).collect()
}

/// Checks that all readers find the same mailboxes: in the field body, in a message, in the text of
/// the field parsed again, and in the converted field.
#[track_caller]
fn assert_readers_agree(list: &str, expected: &[Pair]) {
    assert_eq!(read(list.as_bytes()).0, expected, "{list:?}");
    let text = decode::field(list.as_bytes(), Syntax::Addresses, &Options::new());
    assert_eq!(
        addresses(text.as_str().as_bytes()),
        addresses(list.as_bytes()),
        "{list:?} is {:?}",
        text.as_str()
    );
    let source = format!("To: {list}\r\n\r\nbody\r\n").into_bytes();
    let of_message = |octets: &[u8]| -> Vec<Pair> {
        let message = Message::parse(octets);
        let to = message.field("To").unwrap();
        let found = to.addresses();
        let pair = |mailbox: &Mailbox<'_>| {
            let address = String::from_utf8(mailbox.octets().to_vec()).unwrap();
            // A conversion may add blanks only between words and quotes.
            (mailbox.name.as_str().replace(' ', ""), address)
        };
        found.mailboxes().map(pair).collect()
    };
    let without_blanks: Vec<Pair> = expected
        .iter()
        .map(|(name, address)| (name.replace(' ', ""), address.clone()))
        .collect();
    assert_eq!(of_message(&source), without_blanks, "{list:?}");
    for options in [
        Conversion::new(),
        Conversion {
            headers: Headers::Utf8,
            ..Conversion::new()
        },
    ] {
        let converted = convert(&source, &options);
        let proof = verify(&source, converted.as_bytes(), &converted.changes, &options);
        assert!(proof.is_ok(), "{list:?}: {proof:?}");
        assert_eq!(of_message(converted.as_bytes()), without_blanks, "{list:?}");
        let again = convert(converted.as_bytes(), &options);
        assert_eq!(again.as_bytes(), converted.as_bytes(), "{list:?}");
    }
}

#[track_caller]
fn assert_list(list: &str, expected: &[(&str, &str)], finding: Option<Kind>) {
    assert_readers_agree(list, &pairs(expected));
    let (_, kinds) = read(list.as_bytes());
    match finding {
        Some(kind) => assert!(kinds.contains(&kind), "{list:?}: {kinds:?}"),
        None => assert_eq!(kinds, [], "{list:?}"),
    }
}

/// An encoded word "MUST NOT appear in any portion of an 'addr-spec'": what looks like one there is
/// kept verbatim.
#[test]
fn rfc2047_5_an_address_has_no_encoded_words() {
    let word = "=?utf-8?q?a=40evil.com=3e=00?=";
    let base64 = "=?utf-8?B?Ym9zc0BiYW5r?=";
    let addresses = [
        format!("{word}foo@good.com"),
        format!("foo{word}@good.com"),
        format!("{word}@good.com"),
        format!("{word}.foo@good.com"),
        format!("foo.{word}@good.com"),
        format!("foo@{word}"),
        format!("foo@{word}.com"),
        format!("foo@good.{word}"),
        format!("foo@good.com{word}"),
        format!("\"{word}\"@good.com"),
        format!("\"a {word}\"@good.com"),
        format!("\"a\"{word}@good.com"),
        format!("{word}{base64}@good.com"),
        format!("{base64}foo@good.com"),
        format!("foo@{base64}"),
        format!("{word}@{base64}"),
        format!("{word}foo\u{e9}@good.com"),
    ];
    for address in &addresses {
        let address = address.as_str();
        let kept = Some(Kind::EncodedWordKept);
        assert_list(address, &[("", address)], kept);
        assert_list(&format!("<{address}>"), &[("", address)], kept);
        assert_list(&format!("Joe <{address}>"), &[("Joe", address)], kept);
        assert_list(&format!("Joe {address}"), &[("Joe", address)], kept);
        assert_list(&format!("{address} (Joe)"), &[("Joe", address)], kept);
        assert_list(
            &format!("a@b.c,\r\n {address}"),
            &[("", "a@b.c"), ("", address)],
            kept,
        );
        assert_list(
            &format!("A: {address}, a@b.c;"),
            &[("", address), ("", "a@b.c")],
            kept,
        );
        assert_list(&format!("<@b.c:{address}>"), &[("", address)], kept);
        let text = decode::field(address.as_bytes(), Syntax::Addresses, &Options::new());
        assert_eq!(text.as_str(), address);
        assert!(text.report().has(Kind::EncodedWordKept), "{address}");
        // Blanks and comments around the at sign are not part of the address (RFC 5322, section
        // 4.4).
        for around in [" @ ", "@ ", " @", "(c)@(c)", " (c) @\r\n (c) "] {
            let (local, host) = address.split_once('@').unwrap();
            assert_list(&format!("{local}{around}{host}"), &[("", address)], kept);
        }
    }
    // Also in the route, which belongs to no address, and around a full stop.
    assert_list(
        &format!("<@{word}.com:foo@good.com>"),
        &[("", "foo@good.com")],
        Some(Kind::EncodedWordKept),
    );
    assert_list(
        &format!("{word} . foo@good.com"),
        &[("", &format!("{word}.foo@good.com"))],
        Some(Kind::EncodedWordKept),
    );
    // Words before a blank are a phrase.
    assert_list(
        "=?utf-8?q?a?= =?utf-8?q?b?=@good.com",
        &[("a", "=?utf-8?q?b?=@good.com")],
        Some(Kind::EncodedWordKept),
    );
    // Specials are not allowed in a word of a phrase (section 5, rule 3). In a word that touches an
    // address, they delimit nothing.
    for held in [
        "a@evil.com",
        "<a@evil.com>",
        "x,a@evil.com,y",
        "a:",
        "a;",
        "[",
        "\"",
        "(",
    ] {
        let address = format!("=?utf-8?q?{held}?=foo@good.com");
        assert_list(&address, &[("", &address)], Some(Kind::UnquotedSpecial));
        assert_list(&address, &[("", &address)], Some(Kind::EncodedWordKept));
    }
}

/// Octets above 7F in an address are kept as text (RFC 6532, section 3.2).
#[test]
fn rfc6532_3_2_raw_text_in_an_address_is_kept() {
    for address in [
        "j\u{f8}rn@example.org",
        "joe@b\u{fc}ro.example",
        "\u{5b57}@\u{5b57}.example",
    ] {
        let raw = Some(Kind::RawUtf8);
        assert_list(address, &[("", address)], raw);
        assert_list(&format!("Joe <{address}>"), &[("Joe", address)], raw);
    }
}

/// "included the name of the recipient in parentheses as a comment following the addr-spec": such a
/// comment is a name, with a finding. Any other comment is not.
#[test]
fn rfc5322_3_4_only_a_comment_after_an_address_is_a_name() {
    let noted = Some(Kind::NameFromComment);
    assert_list(
        "joe@example.org (Joe Doe)",
        &[("Joe Doe", "joe@example.org")],
        noted,
    );
    assert_list("joe@example.org(Joe)", &[("Joe", "joe@example.org")], noted);
    assert_list(
        "<joe@example.org> (Joe)",
        &[("Joe", "joe@example.org")],
        noted,
    );
    assert_list(
        "joe@example.org () (Joe) (Doe)",
        &[("Joe", "joe@example.org")],
        noted,
    );
    let evil = [("", "a@evil.example")];
    for list in [
        "a(ceo@bank.example)@evil.example",
        "a (ceo@bank.example) @evil.example",
        "a@(ceo@bank.example)evil.example",
        "a@evil(ceo@bank.example).example",
        "a@evil.(ceo@bank.example)example",
        "(ceo@bank.example)a@evil.example",
        "(ceo@bank.example) <a@evil.example>",
        "<a(ceo@bank.example)@evil.example>",
        "<(ceo@bank.example)a@evil.example>",
        "<a@evil.example(ceo@bank.example)>",
        "<@(ceo@bank.example)x.example:a@evil.example>",
    ] {
        assert_readers_agree(list, &pairs(&evil));
        assert!(
            !read(list.as_bytes()).1.contains(&Kind::NameFromComment),
            "{list}"
        );
    }
    assert_list(
        "a(ceo@bank.example)@evil.example (Al)",
        &[("Al", "a@evil.example")],
        noted,
    );
    // A lone comment is a name without an address.
    assert_list("(John Doe)", &[("John Doe", "")], noted);
    assert_list("(=?utf-8?q?J=C3=B8rn?=)", &[("J\u{f8}rn", "")], noted);
    assert!(read(b"(John Doe)").1.contains(&Kind::MissingValue));
    assert_list("()", &[], None);
    assert_list("(John Doe), a@b.c", &[("", "a@b.c")], None);
}

/// `[` and `]` are only for domain literals (RFC 5322, section 3.4.1). Without them, the remainder
/// of an address could be that of another person.
#[test]
fn rfc5322_3_4_1_brackets_do_not_split_an_address() {
    let odd = Some(Kind::UnquotedSpecial);
    for address in [
        "bob[@example.com",
        "yyiohohjjlj[ojolhji@hotmail.com",
        "bob]@example.com",
        "bob]x@example.com",
        "[bob@example.com",
        "]bob@example.com",
        "bob@[192.0.2.1",
        "bob@[192.0.2.1]x",
        "bob@192.0.2.1]",
        "bob@example[.com",
        "bob]@",
        "[x]bob@example.com",
        "bob[x]y@example.com",
        "bob\\x@example.com",
        "ceo\"x\"@example.com",
        "bob)@example.com",
    ] {
        assert_list(address, &[("", address)], odd);
        assert_list(&format!("Bob <{address}>"), &[("Bob", address)], odd);
        assert_list(&format!("A: {address};"), &[("", address)], odd);
        assert_list(
            &format!("a@b.c, {address}, d@e.f"),
            &[("", "a@b.c"), ("", address), ("", "d@e.f")],
            odd,
        );
    }
    assert_list("bob@[192.0.2.1]", &[("", "bob@[192.0.2.1]")], None);
    assert_list(
        "bob@ [192.0.2.1] (Bob)",
        &[("Bob", "bob@[192.0.2.1]")],
        Some(Kind::NameFromComment),
    );
    assert_list(
        "<bob@[IPv6:2001:db8::1]>",
        &[("", "bob@[IPv6:2001:db8::1]")],
        None,
    );
    // `dtext` has no brackets, so the first literal ends before the comma.
    assert_list(
        "a@[192.0.2.1, b@[192.0.2.2], c@d.e",
        &[("", "a@[192.0.2.1"), ("", "b@[192.0.2.2]"), ("", "c@d.e")],
        Some(Kind::Unterminated),
    );
    assert_list("]", &[("]", "")], Some(Kind::MissingValue));
}

/// The last angle brackets hold the address; all text before them is the name.
#[test]
fn rfc5322_3_4_angle_brackets_in_a_name() {
    let too_many = Some(Kind::SkippedText);
    assert_list(
        "reinman > andris < test <andris@tr.ee>",
        &[("reinman > andris < test", "andris@tr.ee")],
        too_many,
    );
    assert_list("a < b <c@d.e>", &[("a < b", "c@d.e")], too_many);
    assert_list("a > b <c@d.e>", &[("a > b", "c@d.e")], too_many);
    assert_list(
        "a < b <c@d.e>, f <g@h.i>",
        &[("a < b", "c@d.e"), ("f", "g@h.i")],
        too_many,
    );
}

/// A comma in an unquoted name (section 3.4 requires quotes) separates no mailboxes if the text
/// before it has no address.
#[test]
fn rfc5322_3_4_commas_in_a_name() {
    let odd = Some(Kind::UnquotedSpecial);
    assert_list(
        "Doe, John <john@example.org>",
        &[("Doe, John", "john@example.org")],
        odd,
    );
    assert_list(
        "Joe Foo, PhD <joe@example.org>",
        &[("Joe Foo, PhD", "joe@example.org")],
        odd,
    );
    assert_list(
        "Doe, John, Jr. <j@x.y>",
        &[("Doe, John, Jr.", "j@x.y")],
        odd,
    );
    assert_list("\"Doe\", John <j@x.y>", &[("Doe, John", "j@x.y")], odd);
    assert_list("Doe, \"John\" <j@x.y>", &[("Doe, John", "j@x.y")], odd);
    assert_list(
        "D\u{f8}e, John <j@x.y>",
        &[("D\u{f8}e, John", "j@x.y")],
        odd,
    );
    assert_list(
        "=?utf-8?q?D=C3=B8e?=, John <j@x.y>",
        &[("D\u{f8}e, John", "j@x.y")],
        odd,
    );
    assert_list(
        "=?latin1?q?D=F8e?=, =?latin1?q?J=F8rn?= <j@x.y>",
        &[("D\u{f8}e, J\u{f8}rn", "j@x.y")],
        odd,
    );
    assert_list(
        "Doe, John <j@x.y>, Roe, Jane <r@x.y>",
        &[("Doe, John", "j@x.y"), ("Roe, Jane", "r@x.y")],
        odd,
    );
    assert_list(
        "Doe, John <j@x.y>; Roe, Jane <r@x.y>",
        &[("Doe, John", "j@x.y"), ("Roe, Jane", "r@x.y")],
        odd,
    );
    assert_list(
        "A: Doe, John <j@x.y>, a@b.c;",
        &[("Doe, John", "j@x.y"), ("", "a@b.c")],
        odd,
    );
    // A word without a domain is read as a family name, which it nearly always is: a local user's
    // address means nothing on another machine, and section 3.4.1 has no such form.
    assert_list("root, John <j@x.y>", &[("root, John", "j@x.y")], odd);
    // If no name follows the comma, it is a list.
    let missing = Some(Kind::MissingValue);
    assert_list("root, <j@x.y>", &[("", "root"), ("", "j@x.y")], missing);
    assert_list("root, j@x.y", &[("", "root"), ("", "j@x.y")], missing);
    assert_list(
        "root, postmaster",
        &[("", "root"), ("", "postmaster")],
        missing,
    );
    assert_list("root, A: j@x.y;", &[("", "root"), ("", "j@x.y")], missing);
    // Text with an address is a mailbox.
    assert_list(
        "a@b.c, John <j@x.y>",
        &[("", "a@b.c"), ("John", "j@x.y")],
        None,
    );
    assert_list(
        "<a@b.c>, John <j@x.y>",
        &[("", "a@b.c"), ("John", "j@x.y")],
        None,
    );
    assert_list(
        "root, a@b.c, John <j@x.y>",
        &[("", "root"), ("", "a@b.c"), ("John", "j@x.y")],
        missing,
    );
}

/// A list written by us reads the same everywhere: a name with a comma is quoted.
#[test]
fn rfc5322_3_4_names_with_commas_are_written_with_quotes() {
    let (found, _) = read(b"Doe, John <j@x.y>, Roe, Jane <r@x.y>");
    let mailboxes = found
        .iter()
        .map(|(name, address)| (name.as_str(), address.as_str()));
    let written = header::encode::mailboxes(mailboxes, 4).unwrap();
    assert_eq!(written, "\"Doe, John\" <j@x.y>, \"Roe, Jane\" <r@x.y>");
    let (again, kinds) = read(written.as_bytes());
    assert_eq!((again, kinds), (found, vec![]));
}

/// A colon ends the name of a group (RFC 5322, section 3.4). After a mailbox it begins no group and
/// is not part of the next name. The missing comma is reported too.
#[test]
fn rfc5322_3_4_a_colon_between_mailboxes_is_not_a_name() {
    for (list, expected) in [
        (
            "\"A\" <a@x.org>: <b@x.org>",
            [("A", "a@x.org"), ("", "b@x.org")],
        ),
        ("<a@x.org>:<b@x.org>", [("", "a@x.org"), ("", "b@x.org")]),
        (
            "A <a@x.org>: B <b@x.org>",
            [("A", "a@x.org"), ("B", "b@x.org")],
        ),
        (
            "A <a@x.org> : =?utf-8?Q?=C3=A9?= <b@x.org>",
            [("A", "a@x.org"), ("é", "b@x.org")],
        ),
    ] {
        assert_eq!(
            read(list.as_bytes()),
            (pairs(&expected), vec![Kind::SkippedText; 2]),
            "{list}"
        );
    }
}

/// An encoded word has no quotes in it (RFC 2047, section 5, rule 3). If it contains the closing
/// quote, word and quoted string end together. Addresses and text agree.
#[test]
fn rfc2047_5_a_closing_quote_inside_an_encoded_word() {
    for (name, expected) in [
        ("\"Amway =?utf-8?q?=C3=96sterreich\"?=", "Amway Österreich"),
        ("\"=?utf-8?Q?=C3=96sterreich\"?=", "Österreich"),
        ("\"=?utf-8?B?w5ZzdGVycmVpY2g=\"?=", "Österreich"),
        ("\"=?koi8-r?Q?=C1=C2\"?=", "аб"),
        ("\"=?utf-8?Q?=C3=96?= =?utf-8?Q?sterreich\"?=", "Österreich"),
        ("\"=?utf-8?Q?=C3=96 \"?=", "Ö "),
        ("\"=?utf-8?B?w5Y= \r\n \"?=", "Ö  "),
        // No encoded word ends here.
        ("\"Amway =?utf-8?q?=C3=96?=\"?=", "Amway Ö?="),
        ("\"Who? =?\"?=", "Who? =??="),
        ("\"=?utf-8?Q?=C3=96 b\"?=", "=?utf-8?Q?=C3=96 b?="),
        ("\"=?utf-8?B?w5Y b\"?=", "=?utf-8?B?w5Y b?="),
        ("\"=?utf-8?X?a\"?=", "=?utf-8?X?a?="),
    ] {
        for list in [
            format!("{name} <a@example.org>"),
            format!("b@example.org, {name} <a@example.org>, c@example.org"),
        ] {
            let (found, kinds) = read(list.as_bytes());
            let pair = (expected.to_owned(), "a@example.org".to_owned());
            assert!(found.contains(&pair), "{list} {found:?}");
            let is_syntax = kinds.contains(&Kind::EncodedWordSyntax);
            assert_eq!(is_syntax, !expected.ends_with("?="), "{list} {kinds:?}");
            let text = decode::field(list.as_bytes(), Syntax::Addresses, &Options::new());
            let (again, _) = read(text.as_str().as_bytes());
            assert_eq!(again, found, "{list} {}", text.as_str());
        }
    }
    // A local part is not decoded (RFC 2047, section 5), and loses no octet.
    for list in [
        "\"=?utf-8?Q?a\"?=@example.org",
        "<\"=?utf-8?Q?a\"?=@example.org>",
    ] {
        let text = decode::field(list.as_bytes(), Syntax::Addresses, &Options::new());
        assert_eq!(text.as_str(), list);
    }
}

/// Some mailers encode each word of a name alone, with its quotes: the closing quote is inside the
/// last word (RFC 2047, section 5, rule 3). Addresses and text agree. "日本" is encoded as by `CPython`.
#[test]
fn rfc2047_5_an_encoded_closing_quote() {
    for (name, expected) in [
        ("\"Amway =?utf-8?q?=C3=96sterreich=22?=", "Amway Österreich"),
        ("\"=?utf-8?Q?=C3=96sterreich\"?=", "Österreich"),
        ("\"Amway =?utf-8?b?w5ZzdGVycmVpY2gi?=", "Amway Österreich"),
        (
            "\"Amway =?iso-8859-1?q?=D6ster?= =?iso-8859-1?q?reich=22?=",
            "Amway Österreich",
        ),
        ("\"=?koi8-r?q?=C1=C2=22?=", "аб"),
        ("\"A =?iso-2022-jp?b?GyRCRnxLXBsoQiI=?=", "A 日本"),
        ("\"A =?utf-16be?b?ANYAIg==?=", "A Ö"),
        ("\"Doe, =?utf-8?q?J=C3=B6rn=22?=", "Doe, Jörn"),
        ("\"A =?utf-8?q?=C3=96=22?= (b)", "A Ö"),
        // Quotes in pairs close nothing.
        (
            "\"A =?utf-8?q?=22=C3=96=22?= =?utf-8?q?=C3=96=22?=",
            "A \"Ö\"Ö",
        ),
    ] {
        for list in [
            format!("{name} <a@example.org>"),
            format!("b@example.org, {name} <a@example.org>, c@example.org"),
            format!("{name}: a@example.org;, c@example.org"),
        ] {
            let names = decode::addresses(list.as_bytes());
            let shown: Vec<_> = names.list.iter().map(ToString::to_string).collect();
            let is_expected = |it: &String| {
                *it == format!("{expected} <a@example.org>")
                    || *it == format!("{expected}: a@example.org;")
            };
            assert!(shown.iter().any(is_expected), "{list} {shown:?}");
            let text = decode::field(list.as_bytes(), Syntax::Addresses, &Options::new());
            let again = decode::addresses(text.as_str().as_bytes());
            let again: Vec<_> = again.list.iter().map(ToString::to_string).collect();
            assert_eq!(again, shown, "{list} {}", text.as_str());
            let kinds = [Kind::Unterminated, Kind::EncodedWordKept];
            assert!(!kinds.iter().any(|kind| names.report.has(*kind)), "{list}");
        }
    }
    // No address becomes part of a name.
    let (found, _) = read(b"\"a@b.example, =?utf-8?q?=C3=96=22?= <c@d.example>");
    assert!(found.iter().any(|(_, address)| address == "a@b.example"));
}

/// Text after an address matches no rule (RFC 5322, section 3.4). Words are a name with the status
/// of a comment, and are reported as such. Another address, or text that is not a word, gives no
/// name. Strict Python and `Email::Address::XS` give no name in any of these cases.
#[test]
fn rfc5322_3_4_text_after_an_address_is_not_another_address() {
    for list in [
        "joe@x.test Joe Doe",
        "<joe@x.test> Joe Doe",
        "joe@x.test \"Joe Doe\"",
        "joe@x.test\r\n Joe Doe",
        "joe@x.test =?utf-8?Q?Joe_Doe?=",
    ] {
        let list = decode::addresses(list.as_bytes());
        let joe = list.mailboxes().next().unwrap();
        assert_eq!(
            (joe.name.as_str(), joe.octets()),
            ("Joe Doe", &b"joe@x.test"[..])
        );
        assert!(joe.is_name_from_comment);
        assert_eq!(kinds(&list.report), [Kind::NameFromComment]);
    }
    for behind in [
        "boss@bank.test",
        "\"boss@bank.test\"",
        "The Boss boss@bank.test",
        ":25",
        "\r\n boss@bank.test",
    ] {
        let list = format!("evil@x.test {behind}");
        let (found, kinds) = read(list.as_bytes());
        assert_eq!(
            found,
            [(String::new(), "evil@x.test".to_owned())],
            "{list:?}"
        );
        assert!(kinds.contains(&Kind::SkippedText), "{list:?}: {kinds:?}");
    }
}

/// Defects in an address are in the report of the list, as in that of the field's text.
#[test]
fn rfc5322_3_4_1_defects_in_an_address_are_reported() {
    use Kind::{BidiControl, Control, MissingValue, Nul, RawOctets, RawUtf8, UnquotedSpecial};
    for (list, expected) in [
        (&b"joe@x.test"[..], &[][..]),
        (b"Joe <joe@x.test>", &[]),
        (b"\"joe doe\"@x.test", &[]),
        (b"\"a..b\"@x.test", &[]),
        (b"a.b.c@x.y.test", &[]),
        // RFC 6532, section 3.2, adds UTF-8 to atoms; other octets above 7F are invalid.
        ("jörn@x.test".as_bytes(), &[RawUtf8]),
        (b"j\xF6rn@x.test", &[RawOctets]),
        (b"A <j\xF6rn@x.test>", &[RawOctets]),
        // RFC 5322, section 3.2.3: atext has no controls.
        (b"a\0@x.test", &[Nul]),
        (b"A <a@x.test\0>", &[Nul]),
        (b"a\x1Bb@x.test", &[Control]),
        (b"a\x7F@x.test", &[Control]),
        ("a\u{202E}@x.test".as_bytes(), &[RawUtf8, BidiControl]),
        // Section 3.4.1: addr-spec = local-part "@" domain.
        (b"a@", &[MissingValue]),
        (b"@x.test", &[MissingValue]),
        (b"A <>", &[MissingValue]),
        (b"<>", &[]),
        // Section 3.2.3: dot-atom-text = 1*atext *("." 1*atext).
        (b"a..b@x.test", &[UnquotedSpecial]),
        (b"a.@x.test", &[UnquotedSpecial]),
        (b"A <.a@x.test>", &[UnquotedSpecial]),
        (b"a@x..test", &[UnquotedSpecial]),
        (b"a@x.test.", &[UnquotedSpecial]),
        (b"a@.x.test", &[UnquotedSpecial]),
    ] {
        let found = decode::addresses(list);
        assert_eq!(
            kinds(&found.report),
            expected,
            "{}",
            String::from_utf8_lossy(list)
        );
        // In a group too.
        let group = [b"Some: ", list, b";"].concat();
        let found = decode::addresses(&group);
        assert_eq!(
            kinds(&found.report),
            expected,
            "{}",
            String::from_utf8_lossy(&group)
        );
    }
}

struct Row {
    rule: String,
    list: String,
    made_of: Vec<Pair>,
    python_strict: Vec<Pair>,
    python: Vec<Pair>,
}

fn rows() -> Vec<Row> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/address/lists.tsv");
    let file = std::fs::read_to_string(path).unwrap();
    let plain = |text: &str| text.replace("\\r\\n", "\r\n").replace("\\0", "\0");
    let list = |text: &str| -> Vec<Pair> {
        let pair = |text: &str| {
            let (name, address) = text.strip_suffix('>').unwrap().rsplit_once('<').unwrap();
            (plain(name), plain(address))
        };
        text.split(" | ")
            .filter(|one| !one.is_empty())
            .map(pair)
            .collect()
    };
    let row = |line: &str| {
        let mut columns = line.split('\t');
        let mut next = || columns.next().unwrap();
        Row {
            rule: next().to_owned(),
            list: plain(next()),
            made_of: list(next()),
            python_strict: list(next()),
            python: list(next()),
        }
    };
    file.lines()
        .filter(|line| !line.starts_with('#'))
        .map(row)
        .collect()
}

fn of(pairs: &[Pair]) -> Vec<&str> {
    pairs.iter().map(|(_, address)| address.as_str()).collect()
}

/// The addresses that mailparse finds; `None` if it rejects the list.
fn mailparse_addresses(list: &str) -> Option<Vec<Pair>> {
    let single = |one: &mailparse::SingleInfo| {
        let name = one.display_name.clone().unwrap_or_default();
        (name, one.addr.clone())
    };
    let all = mailparse::addrparse(list).ok()?;
    let pairs = all.iter().flat_map(|address| match address {
        mailparse::MailAddr::Single(one) => vec![single(one)],
        mailparse::MailAddr::Group(group) => group.addrs.iter().map(single).collect(),
    });
    Some(pairs.collect())
}

/// In 200 drawn lists of each kind, all readers find the mailboxes the list was built from.
#[test]
fn drawn_lists_read_as_their_mailboxes() {
    let mut counts = BTreeMap::new();
    for row in rows() {
        assert_readers_agree(&row.list, &row.made_of);
        let (_, kinds) = read(row.list.as_bytes());
        // Each deviation is reported.
        let wanted = match row.rule.as_str() {
            "word" => Some(Kind::EncodedWordKept),
            "bracket" | "comma" => Some(Kind::UnquotedSpecial),
            _ => None,
        };
        assert!(
            wanted.is_none_or(|kind| kinds.contains(&kind)),
            "{:?}",
            row.list
        );
        if row.rule == "right" {
            assert_eq!(kinds, [], "{:?}", row.list);
        }
        if row.rule == "comment" {
            let named = row
                .made_of
                .iter()
                .filter(|(name, _)| !name.is_empty())
                .count();
            let from_comments = kinds.iter().filter(|&&kind| kind == Kind::NameFromComment);
            assert!(from_comments.count() <= named, "{:?}", row.list);
        }
        *counts.entry(row.rule).or_insert(0) += 1;
    }
    let counts: Vec<_> = counts
        .iter()
        .map(|(rule, count)| (rule.as_str(), *count))
        .collect();
    let each = ["bracket", "comma", "comment", "right", "word"].map(|rule| (rule, 200));
    assert_eq!(counts, each);
}

/// Other programs compared with ours:
///
/// - Python finds the addresses of all kinds except brackets and names with commas: it splits an
///   address at a bracket and so finds another person's address. In strict mode it rejects a list
///   with a bracket, even in a domain literal. It reads comments as names in any position.
/// - mailparse keeps an address as written, with brackets, words, blanks, comments and route. It
///   rejects a list with a word that has neither quotes nor an address, or with a quoted local part
///   outside angle brackets.
///
/// Our reading is right wherever they differ: each list was built from the mailboxes that we find.
#[test]
fn drawn_lists_read_by_other_programs() {
    let mut differ: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for row in rows() {
        let made_of = of(&row.made_of);
        let mailparse = mailparse_addresses(&row.list);
        let mut note = |who, is_same: bool| {
            *differ.entry((row.rule.clone(), who)).or_insert(0) += usize::from(!is_same);
        };
        let without_empty = |pairs: &[Pair]| -> Vec<String> {
            let addresses = of(pairs).into_iter().filter(|address| !address.is_empty());
            addresses.map(str::to_owned).collect()
        };
        note(
            "Python, strict",
            without_empty(&row.python_strict) == made_of,
        );
        note("Python", without_empty(&row.python) == made_of);
        let of_mailparse = mailparse.as_ref().map(|pairs| of(pairs));
        let is_same = of_mailparse.as_ref() == Some(&made_of);
        note("mailparse", is_same);
        let is_plain = !["(", "\"", " @", "@ ", "<@", ";,"]
            .iter()
            .any(|odd| row.list.contains(odd));
        assert!(is_same || row.rule == "comma" || !is_plain, "{}", row.list);
        match row.rule.as_str() {
            // All programs read standard lists the same, names included. Python has an empty pair
            // for a group without mailboxes, and in strict mode for a domain literal.
            "right" => {
                let python = row.python.iter().filter(|(_, address)| !address.is_empty());
                assert!(python.eq(&row.made_of), "{}", row.list);
            }
            // Python keeps words verbatim, as RFC 2047, section 5, requires.
            "word" | "comment" => assert_eq!(of(&row.python), made_of, "{}", row.list),
            _ => {}
        }
    }
    let shown: Vec<String> = differ
        .iter()
        .map(|((rule, who), count)| format!("{rule}: {who} differs in {count}"))
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r"
    bracket: Python differs in 200
    bracket: Python, strict differs in 200
    bracket: mailparse differs in 0
    comma: Python differs in 200
    comma: Python, strict differs in 200
    comma: mailparse differs in 170
    comment: Python differs in 0
    comment: Python, strict differs in 0
    comment: mailparse differs in 73
    right: Python differs in 0
    right: Python, strict differs in 54
    right: mailparse differs in 5
    word: Python differs in 0
    word: Python, strict differs in 0
    word: mailparse differs in 119
    ");
}
