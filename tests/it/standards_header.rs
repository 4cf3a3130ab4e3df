//! The standards' own examples of fields, named by section.

use mime_charset::decode::{Address, Mailbox, addresses};
use mime_charset::header::{
    Piece, Place, Syntax, WordEncoding, content_disposition, content_transfer_encoding,
    content_type, pieces, unfold,
};
use mime_charset::transfer::TransferEncoding;
use mime_charset::{Kind, Report};

/// Pieces in one line: text verbatim, words as `{label encoding encoded-text}`, white space between
/// two words omitted.
fn shown(pieces: &[Piece<'_>]) -> String {
    let one = |piece: &Piece<'_>| match piece {
        Piece::Text(text) if text.between_words() => String::new(),
        Piece::Text(text) => text.octets().escape_ascii().to_string(),
        Piece::Word(word) => {
            let text = word.encoded_text();
            let text = text.escape_ascii();
            format!("{{{} {:?} {text}}}", word.label(), word.encoding())
        }
        _ => unreachable!("a piece is text or a word"),
    };
    pieces.iter().map(one).collect()
}

fn mailbox(mailbox: &Mailbox<'_>) -> String {
    format!("{}<{}>", mailbox.name, mailbox.address)
}

/// The addresses of a list, each as `name<address>` or `name:mailboxes;`.
#[track_caller]
fn list(body: &str, expected: &[&str]) -> Report {
    let list = addresses(body.as_bytes());
    let one = |address: &Address<'_>| match address {
        Address::Mailbox(one) => mailbox(one),
        Address::Group {
            name, mailboxes, ..
        } => {
            let all: Vec<_> = mailboxes.iter().map(mailbox).collect();
            format!("{name}:{};", all.join(","))
        }
        _ => unreachable!("an address is a mailbox or a group"),
    };
    let all: Vec<_> = list.list.iter().map(one).collect();
    assert_eq!(all, expected);
    list.report.clone()
}

fn kinds(report: &Report) -> Vec<Kind> {
    report
        .findings()
        .iter()
        .map(mime_charset::Finding::kind)
        .collect()
}

#[test]
fn rfc2045_5_1_content_type() {
    for body in [
        "text/plain; charset=us-ascii (Plain text)",
        "text/plain; charset=\"us-ascii\"",
    ] {
        let field = content_type(body.as_bytes());
        assert_eq!(field.media_type(), "text/plain");
        assert_eq!((field.type_name(), field.subtype()), ("text", "plain"));
        assert_eq!(field.charset().unwrap().as_bytes(), b"us-ascii");
        assert_eq!(field.parameters().len(), 1);
        assert!(field.report().is_empty());
    }
}

/// > a default type of "text/plain; charset=us-ascii" is assumed if no Content-Type header
/// > field is specified, or one that is not valid
#[test]
fn rfc2045_5_2_default() {
    let field = content_type(b"text");
    assert_eq!(
        (field.media_type(), field.is_valid()),
        ("text/plain", false)
    );
    assert_eq!(kinds(field.report()), [Kind::InvalidMediaType]);
}

/// > These values are not case sensitive -- Base64 and BASE64 and bAsE64 are all equivalent.
#[test]
fn rfc2045_6_1_mechanisms() {
    for (body, encoding) in [
        ("Base64", TransferEncoding::Base64),
        ("BASE64", TransferEncoding::Base64),
        ("bAsE64", TransferEncoding::Base64),
        ("quoted-printable", TransferEncoding::QuotedPrintable),
        ("8bit", TransferEncoding::EightBit),
        ("7bit", TransferEncoding::SevenBit),
        ("binary", TransferEncoding::Binary),
    ] {
        let field = content_transfer_encoding(body.as_bytes());
        assert_eq!(field.encoding(), encoding);
        assert!(field.report().is_empty());
    }
}

/// > =?iso-8859-1?q?this is some text?=
/// >
/// > would be parsed as four 'atom's, rather than as a single 'atom' (by an RFC 822 parser)
/// > or 'encoded-word' (by a parser which understands 'encoded-words').
///
/// It is read as the intended encoded word, and reported.
#[test]
fn rfc2047_2_white_space_inside_a_word() {
    let found = pieces(b"=?iso-8859-1?q?this is some text?=", Syntax::Unstructured);
    assert_eq!(shown(found.as_slice()), "{iso-8859-1 Q this is some text}");
    assert_eq!(kinds(found.report()), [Kind::EncodedWordSyntax]);
    let found = pieces(
        b"=?iso-8859-1?q?this=20is=20some=20text?=",
        Syntax::Unstructured,
    );
    assert_eq!(
        shown(found.as_slice()),
        "{iso-8859-1 Q this=20is=20some=20text}"
    );
    assert!(found.report().is_empty());
}

#[test]
fn rfc2047_8_headers() {
    for (body, expected) in [
        (
            "=?US-ASCII?Q?Keith_Moore?= <moore@cs.utk.edu>",
            "Keith Moore<moore@cs.utk.edu>",
        ),
        (
            "=?ISO-8859-1?Q?Keld_J=F8rn_Simonsen?= <keld@dkuug.dk>",
            "Keld Jørn Simonsen<keld@dkuug.dk>",
        ),
        (
            "=?ISO-8859-1?Q?Andr=E9?= Pirard <PIRARD@vm1.ulg.ac.be>",
            "André Pirard<PIRARD@vm1.ulg.ac.be>",
        ),
        (
            "=?ISO-8859-1?Q?Olle_J=E4rnefors?= <ojarnef@admin.kth.se>",
            "Olle Järnefors<ojarnef@admin.kth.se>",
        ),
        (
            "=?ISO-8859-1?Q?Patrik_F=E4ltstr=F6m?= <paf@nada.kth.se>",
            "Patrik Fältström<paf@nada.kth.se>",
        ),
        (
            "Nathaniel Borenstein <nsb@thumper.bellcore.com>\r\n      \
             (=?iso-8859-8?b?7eXs+SDv4SDp7Oj08A==?=)",
            "Nathaniel Borenstein<nsb@thumper.bellcore.com>",
        ),
    ] {
        assert!(list(body, &[expected]).is_empty());
        assert!(
            pieces(body.as_bytes(), Syntax::Addresses)
                .report()
                .is_empty()
        );
    }
    let folded = "Greg Vaudreuil <gvaudre@NRI.Reston.VA.US>, Ned Freed\r\n   \
                  <ned@innosoft.com>, Keith Moore <moore@cs.utk.edu>";
    let report = list(
        folded,
        &[
            "Greg Vaudreuil<gvaudre@NRI.Reston.VA.US>",
            "Ned Freed<ned@innosoft.com>",
            "Keith Moore<moore@cs.utk.edu>",
        ],
    );
    assert!(report.is_empty());
}

#[test]
fn rfc2047_8_subject() {
    let body = b"=?ISO-8859-1?B?SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=?=\r\n    \
                 =?ISO-8859-2?B?dSB1bmRlcnN0YW5kIHRoZSBleGFtcGxlLg==?=";
    let found = pieces(body, Syntax::Unstructured);
    assert_eq!(
        shown(found.as_slice()),
        "{ISO-8859-1 B SWYgeW91IGNhbiByZWFkIHRoaXMgeW8=}\
         {ISO-8859-2 B dSB1bmRlcnN0YW5kIHRoZSBleGFtcGxlLg==}"
    );
    assert!(found.report().is_empty());
}

#[test]
fn rfc2047_8_hebrew_in_a_comment() {
    let body = b"Nathaniel Borenstein <nsb@thumper.bellcore.com>\r\n      \
                 (=?iso-8859-8?b?7eXs+SDv4SDp7Oj08A==?=)";
    let found = pieces(body, Syntax::Addresses);
    let words: Vec<_> = found
        .as_slice()
        .iter()
        .filter_map(|piece| match piece {
            Piece::Word(word) => Some(word),
            _ => None,
        })
        .collect();
    assert_eq!(words.len(), 1);
    assert_eq!(words[0].place(), Place::Comment);
    assert_eq!(words[0].encoding(), WordEncoding::B);
    assert_eq!(*words[0].encoded_text(), *b"7eXs+SDv4SDp7Oj08A==");
}

/// The section's table of displayed forms: white space between words vanishes, other white space
/// stays.
#[test]
fn rfc2047_8_comments() {
    for (comment, expected) in [
        ("(=?ISO-8859-1?Q?a?=)", "({ISO-8859-1 Q a})"),
        ("(=?ISO-8859-1?Q?a?= b)", "({ISO-8859-1 Q a} b)"),
        (
            "(=?ISO-8859-1?Q?a?= =?ISO-8859-1?Q?b?=)",
            "({ISO-8859-1 Q a}{ISO-8859-1 Q b})",
        ),
        (
            "(=?ISO-8859-1?Q?a?=  =?ISO-8859-1?Q?b?=)",
            "({ISO-8859-1 Q a}{ISO-8859-1 Q b})",
        ),
        (
            "(=?ISO-8859-1?Q?a?=\r\n    =?ISO-8859-1?Q?b?=)",
            "({ISO-8859-1 Q a}{ISO-8859-1 Q b})",
        ),
        ("(=?ISO-8859-1?Q?a_b?=)", "({ISO-8859-1 Q a_b})"),
        (
            "(=?ISO-8859-1?Q?a?= =?ISO-8859-2?Q?_b?=)",
            "({ISO-8859-1 Q a}{ISO-8859-2 Q _b})",
        ),
    ] {
        for syntax in [
            Syntax::Addresses,
            Syntax::Phrases,
            Syntax::Parameters,
            Syntax::Opaque,
        ] {
            let found = pieces(comment.as_bytes(), syntax);
            assert_eq!(shown(found.as_slice()), expected, "{syntax:?}");
            assert!(found.report().is_empty(), "{comment} {syntax:?}");
        }
        // In an unstructured field parentheses and white space are text.
        let found = pieces(comment.as_bytes(), Syntax::Unstructured);
        assert!(found.report().has(Kind::EncodedWordPlace));
    }
}

#[test]
fn rfc2183_3_examples() {
    let field = content_disposition(b"inline");
    assert_eq!(
        (field.disposition(), field.parameters().len()),
        ("inline", 0)
    );
    assert!(field.report().is_empty());
    let field = content_disposition(
        b"attachment; filename=genome.jpeg;\r\n  \
          modification-date=\"Wed, 12 Feb 1997 16:29:51 -0500\";",
    );
    assert_eq!(field.disposition(), "attachment");
    assert_eq!(
        field.parameter("filename").unwrap().octets(),
        b"genome.jpeg"
    );
    let date = field.parameter("Modification-Date").unwrap();
    assert_eq!(date.octets(), b"Wed, 12 Feb 1997 16:29:51 -0500");
    // The grammar of section 2 does not allow the example's last semicolon.
    assert_eq!(kinds(field.report()), [Kind::EmptyParameter]);
}

#[test]
fn rfc2231_3_continuations() {
    let whole = "message/external-body; access-type=URL; \
                 URL=\"ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar\"";
    let parts = "message/external-body; access-type=URL;\r\n URL*0=\"ftp://\";\r\n \
                 URL*1=\"cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar\"";
    for body in [whole, parts] {
        let field = content_type(body.as_bytes());
        assert_eq!(field.media_type(), "message/external-body");
        assert_eq!(field.parameter("access-type").unwrap().octets(), b"URL");
        let url = field.parameter("url").unwrap();
        assert_eq!(
            url.octets(),
            b"ftp://cs.utk.edu/pub/moore/bulk-mailer/bulk-mailer.tar"
        );
        assert!(!url.is_extended());
        assert!(field.report().is_empty());
    }
}

#[test]
fn rfc2231_4_charset_and_language() {
    let field = content_type(
        b"application/x-stuff;\r\n title*=us-ascii'en-us'This%20is%20%2A%2A%2Afun%2A%2A%2A",
    );
    let title = field.parameter("title").unwrap();
    assert_eq!(title.octets(), b"This is ***fun***");
    assert_eq!(title.label().unwrap().as_bytes(), b"us-ascii");
    assert_eq!(title.language(), Some(&b"en-us"[..]));
    assert!(title.is_extended());
    assert!(field.report().is_empty());
}

/// With the semicolons that the example omits, and as printed.
#[test]
fn rfc2231_4_1_combined() {
    let parts = [
        "application/x-stuff",
        "title*0*=us-ascii'en'This%20is%20even%20more%20",
        "title*1*=%2A%2A%2Afun%2A%2A%2A%20",
        "title*2=\"isn't it!\"",
    ];
    for (between, missing) in [(";\r\n ", 0), ("\r\n ", 3)] {
        let body = parts.join(between);
        let field = content_type(body.as_bytes());
        let title = field.parameter("title").unwrap();
        assert_eq!(title.octets(), b"This is even more ***fun*** isn't it!");
        assert_eq!(title.label().unwrap().as_bytes(), b"us-ascii");
        assert_eq!(title.language(), Some(&b"en"[..]));
        assert_eq!(kinds(field.report()), vec![Kind::MissingSemicolon; missing]);
    }
}

#[test]
fn rfc2231_5_language_of_a_word() {
    let body = b"=?US-ASCII*EN?Q?Keith_Moore?= <moore@cs.utk.edu>";
    let found = pieces(body, Syntax::Addresses);
    let [Piece::Word(word), Piece::Text(address)] = found.as_slice() else {
        panic!("{found:?}");
    };
    assert_eq!(word.label().as_bytes(), b"US-ASCII");
    assert_eq!(word.language(), Some(&b"EN"[..]));
    assert_eq!(*word.encoded_text(), *b"Keith_Moore");
    assert_eq!(address.octets(), b" <moore@cs.utk.edu>");
    assert!(found.report().is_empty());
}

#[test]
fn rfc5322_2_2_3_unfolding() {
    assert_eq!(*unfold(b"This\r\n is a test"), *b"This is a test");
}

#[test]
fn rfc5322_a_1_2_mailboxes() {
    assert!(
        list(
            "\"Joe Q. Public\" <john.q.public@example.com>",
            &["Joe Q. Public<john.q.public@example.com>"],
        )
        .is_empty()
    );
    assert!(
        list(
            "Mary Smith <mary@x.test>, jdoe@example.org, Who? <one@y.test>",
            &[
                "Mary Smith<mary@x.test>",
                "<jdoe@example.org>",
                "Who?<one@y.test>"
            ],
        )
        .is_empty()
    );
    assert!(
        list(
            "<boss@nil.test>, \"Giant; \\\"Big\\\" Box\" <sysservices@example.net>",
            &[
                "<boss@nil.test>",
                r#"Giant; "Big" Box<sysservices@example.net>"#
            ],
        )
        .is_empty()
    );
}

#[test]
fn rfc5322_a_1_3_groups() {
    assert!(
        list(
            "A Group:Ed Jones <c@a.test>,joe@where.test,John <jdoe@one.test>;",
            &["A Group:Ed Jones<c@a.test>,<joe@where.test>,John<jdoe@one.test>;"],
        )
        .is_empty()
    );
    assert!(list("Undisclosed recipients:;", &["Undisclosed recipients:;"]).is_empty());
}

#[test]
fn rfc5322_a_5_comments_and_white_space() {
    assert!(
        list(
            "Pete(A nice \\) chap) <pete(his account)@silly.test(his host)>",
            &["Pete<pete@silly.test>"],
        )
        .is_empty()
    );
    assert!(
        list(
            "A Group(Some people)\r\n     :Chris Jones <c@(Chris's host.)public.example>,\r\n         \
             joe@example.org,\r\n  John <jdoe@one.test> (my dear friend); (the end of the group)",
            &["A Group:Chris Jones<c@public.example>,<joe@example.org>,John<jdoe@one.test>;"],
        )
        .is_empty()
    );
    assert!(
        list(
            "(Empty list)(start)Hidden recipients  :(nobody(that I know))  ;",
            &["Hidden recipients:;"],
        )
        .is_empty()
    );
}

#[test]
fn rfc5322_a_6_obsolete_forms() {
    let report = list(
        "Joe Q. Public <john.q.public@example.com>",
        &["Joe Q. Public<john.q.public@example.com>"],
    );
    assert_eq!(kinds(&report), [Kind::UnquotedSpecial]);
    let report = list(
        "Mary Smith <@node.test:mary@example.net>, , jdoe@test  . example",
        &["Mary Smith<mary@example.net>", "<jdoe@test.example>"],
    );
    // The route, and the empty place between two commas.
    assert_eq!(kinds(&report), [Kind::SkippedText, Kind::SkippedText]);
    assert!(
        list(
            "John Doe <jdoe@machine(comment).  example>",
            &["John Doe<jdoe@machine.example>"],
        )
        .is_empty()
    );
    assert!(
        list(
            "Mary Smith\r\n  \r\n          <mary@example.net>",
            &["Mary Smith<mary@example.net>"]
        )
        .is_empty()
    );
}
