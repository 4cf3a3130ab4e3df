//! Parsing of field bodies: parameters of Content-Type, subjects in encoded words, addresses.

use std::borrow::Cow;
use std::hint::black_box;

use encoding_rs::Encoding;
use mail_parser::parsers::MessageStream;
use mime_charset::header::{Syntax, content_type};
use mime_charset::{Options, decode};

use crate::harness::{Peer, Plan, Row, peer, peer_in_two, table, utf8};
use crate::mail::{Word, encoded_words};

const TITLE: &str =
    "Header: the value of a Content-Type parameter, the text of a subject, names and addresses";

/// Field body, parameter, and its value.
const CONTENT_TYPES: [(&str, &str, &str, &str); 3] = [
    (
        "Content-Type, simple",
        "text/plain; charset=\"utf-8\"; format=flowed",
        "charset",
        "utf-8",
    ),
    (
        "Content-Type, RFC 2231",
        "application/pdf; name*0*=utf-8''%EC%97%B0%EA%B0%84; \
         name*1*=%20%EB%B3%B4%EA%B3%A0%EC%84%9C; name*2=\"-final\"; name*3=\".pdf\"",
        "name",
        "연간 보고서-final.pdf",
    ),
    (
        "Content-Type, comments",
        "text/plain (a comment; charset=x); charset=\"euc-kr\" (another (nested) one)",
        "charset",
        "euc-kr",
    ),
];

/// Field, and its mailboxes: a line for each name, and one for each address.
const ADDRESSES: [(&str, &str, &str); 3] = [
    (
        "From, display name",
        "From: \"Doe, Joe\" <joe.doe@example.org>\r\n",
        "Doe, Joe\njoe.doe@example.org\n",
    ),
    (
        "From, encoded name",
        "From: =?utf-8?Q?J=C3=B8rn_Doe?= <joern@example.org>\r\n",
        "Jørn Doe\njoern@example.org\n",
    ),
    (
        "To, ten addresses",
        "To: Anna Berg <anna.berg@example.org>, bob@example.com,\r\n \"Doe, Joe\" <joe@example.net>, \
         c.d@example.org,\r\n Eve Moe <eve@example.org>, Frank Ozu <frank@example.com>,\r\n \
         gina@example.org, \"H. I.\" <hi@example.net>, j@example.org,\r\n Kim Lee <kim@example.org>\r\n",
        "Anna Berg\nanna.berg@example.org\n\nbob@example.com\nDoe, Joe\njoe@example.net\n\n\
         c.d@example.org\nEve Moe\neve@example.org\nFrank Ozu\nfrank@example.com\n\n\
         gina@example.org\nH. I.\nhi@example.net\n\nj@example.org\nKim Lee\nkim@example.org\n",
    ),
];

pub fn measure(plan: &Plan) {
    if !plan.wants(TITLE) {
        return;
    }
    let fields = CONTENT_TYPES.map(|(name, body, parameter, right)| {
        (name, format!("Content-Type: {body}\r\n"), parameter, right)
    });
    let subjects = subjects();
    let mut rows = Vec::new();
    for (name, line, parameter, right) in &fields {
        rows.push(Row {
            name: (*name).into(),
            octets: 0,
            right: right.as_bytes().into(),
            peers: parameter_peers(line, parameter),
        });
    }

    for (name, line, right) in &subjects {
        rows.push(Row {
            name: (*name).into(),
            octets: 0,
            right: right.as_bytes().into(),
            peers: subject_peers(line),
        });
    }
    for (name, line, right) in ADDRESSES {
        rows.push(Row {
            name: name.into(),
            octets: 0,
            right: right.as_bytes().into(),
            peers: address_peers(line),
        });
    }
    table(plan, TITLE, rows);
}

/// Field, and its source text.
fn subjects() -> [(&'static str, String, &'static str); 7] {
    let word = |label, encoding, characters, text: &'static str| {
        let charset = Encoding::for_label(label).expect("a label");
        let label = std::str::from_utf8(label).expect("ASCII");
        (
            encoded_words(text, charset, label, encoding, characters),
            text,
        )
    };
    let ascii = "Re: quarterly meeting schedule and report";
    let cafe = word(b"iso-8859-1", Word::Q, 9, "Café");
    [
        ("Subject, plain ASCII", (ascii.to_owned(), ascii)),
        (
            "Subject, UTF-8 Q",
            word(b"utf-8", Word::Q, 40, "Re: réunion à préparer"),
        ),
        (
            "Subject, UTF-8 B, two words",
            word(b"utf-8", Word::B, 14, "회의 안내: 다음 주 월요일 오전 열시"),
        ),
        (
            "Subject, EUC-KR B",
            word(b"euc-kr", Word::B, 40, "회의 안내: 다음 주 월요일"),
        ),
        (
            "Subject, ISO-2022-JP B",
            word(b"iso-2022-jp", Word::B, 40, "会議のお知らせ"),
        ),
        (
            "Subject, ISO-2022-JP B, two words",
            word(b"iso-2022-jp", Word::B, 8, "会議のお知らせ：来週の月曜日"),
        ),
        (
            "Subject, text and word",
            (
                format!("[list] {} meeting notes for the team", cafe.0),
                "[list] Café meeting notes for the team",
            ),
        ),
    ]
    .map(|(name, (body, right))| (name, format!("Subject: {body}\r\n"), right))
}

/// The text after the colon, as most libraries expect it.
fn body_of(line: &str) -> &str {
    line.split_once(':').expect("a colon").1
}

fn owned<'a>(text: Option<&str>) -> Cow<'a, [u8]> {
    text.unwrap_or_default().as_bytes().to_vec().into()
}

fn parameter_peers<'a>(line: &'a str, parameter: &'a str) -> Vec<Peer<'a>> {
    let body = body_of(line);
    let trimmed = body.trim();
    vec![
        peer("mime-charset", move || {
            let content_type = content_type(trimmed.as_bytes());
            let value = content_type.parameter(parameter).expect("the parameter");
            utf8(value.text().into_text())
        }),
        peer("mailparse 0.18", move || {
            owned(
                mailparse::parse_content_type(trimmed)
                    .params
                    .get(parameter)
                    .map(String::as_str),
            )
        }),
        peer("mail-parser 0.11", move || {
            let value = MessageStream::new(body.as_bytes()).parse_content_type();
            let content_type = value.into_content_type();
            owned(
                content_type
                    .as_ref()
                    .and_then(|found| found.attribute(parameter)),
            )
        }),
        #[cfg(rival)]
        peer("mail-parser 1.0", move || {
            let field = rival::HeaderForm::ContentType.parse(body.as_bytes());
            let content_type = field.value().as_content_type();
            owned(content_type.and_then(|found| found.attribute(parameter)))
        }),
    ]
}

fn subject_peers(line: &str) -> Vec<Peer<'_>> {
    let body = body_of(line);
    let trimmed = body.trim();
    vec![
        peer("mime-charset", move || {
            let options = Options::new();
            utf8(decode::field(trimmed.as_bytes(), Syntax::Unstructured, &options).into_text())
        }),
        peer("mailparse 0.18", move || {
            let (field, _) = mailparse::parse_header(line.as_bytes()).expect("a field");
            field.get_value().into_bytes().into()
        }),
        peer("mail-parser 0.11", move || {
            let value = MessageStream::new(body.as_bytes()).parse_unstructured();
            utf8(value.into_text().unwrap_or_default())
        }),
        #[cfg(rival)]
        peer("mail-parser 1.0", move || {
            let field = rival::HeaderForm::Text.parse(body.as_bytes());
            owned(field.value().as_text())
        }),
    ]
}

/// A peer that passes each name (empty if absent) and each address to `shown`.
fn address_peer<'a>(
    name: &'static str,
    mut read: impl FnMut(&mut dyn FnMut(&str, &[u8])) + Clone + 'a,
) -> Peer<'a> {
    let mut again = read.clone();
    let answer = move || {
        let mut lines = Vec::new();
        read(&mut |name, address| {
            lines.extend([name.as_bytes(), b"\n", address, b"\n"].concat());
        });
        lines.into()
    };
    let work = move || {
        again(&mut |name, address| {
            black_box((name, address));
        });
    };
    peer_in_two(name, answer, work)
}

fn address_peers(line: &str) -> Vec<Peer<'_>> {
    let body = body_of(line);
    let trimmed = body.trim();
    vec![
        address_peer("mime-charset", move |shown| {
            for mailbox in decode::addresses(trimmed.as_bytes()).mailboxes() {
                shown(mailbox.name.as_str(), mailbox.octets());
            }
        }),
        address_peer("mailparse 0.18", move |shown| {
            let (field, _) = mailparse::parse_header(line.as_bytes()).expect("a field");
            let list = mailparse::addrparse_header(&field).expect("addresses");
            for address in list.iter() {
                if let mailparse::MailAddr::Single(one) = address {
                    let name = one.display_name.as_deref();
                    shown(name.unwrap_or_default(), one.addr.as_bytes());
                }
            }
        }),
        address_peer("mail-parser 0.11", move |shown| {
            let value = MessageStream::new(body.as_bytes()).parse_address();
            for one in value.into_address().expect("addresses").iter() {
                shown(
                    one.name.as_deref().unwrap_or_default(),
                    one.address.as_deref().unwrap_or_default().as_bytes(),
                );
            }
        }),
        #[cfg(rival)]
        address_peer("mail-parser 1.0", move |shown| {
            let field = rival::HeaderForm::Addresses.parse(body.as_bytes());
            for one in field.value().as_address().expect("addresses").mailboxes() {
                shown(
                    one.name().unwrap_or_default(),
                    one.address().unwrap_or_default().as_bytes(),
                );
            }
        }),
    ]
}
