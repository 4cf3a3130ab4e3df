//! Header fields written by mime-charset, read by mail-parser 0.11, and by mail-parser 1.0 if
//! enabled: `RUSTFLAGS="--cfg rival" cargo test --package mime-charset-bench
//! --ignore-rust-version`.
//!
//! `corpus/encode/field.tsv` has the fields and their values. `tests/it/encoders.rs` tests that
//! `encode::field` writes them, and that mailparse reads them.

use mail_parser::{Addr, Address, Attribute, HeaderValue, MessageParser};

#[test]
fn mail_parser_reads_whole_fields() {
    let mut count = 0;
    for (written, said) in rows() {
        let source = format!("{written}X-Next: y\r\n\r\nbody");
        let message = MessageParser::default().parse(source.as_bytes()).unwrap();
        let headers: Vec<_> = message.headers().iter().collect();
        assert_eq!(headers.len(), 2, "{written}");
        let joined = |parts: Vec<String>| parts.join("|");
        let read = match &headers[0].value {
            HeaderValue::Text(text) => text.to_string(),
            HeaderValue::Address(Address::List(list)) => {
                let one = |one: &Addr<'_>| {
                    let name = one.name.as_deref().unwrap_or_default();
                    format!("{name}|{}", one.address.as_deref().unwrap_or_default())
                };
                joined(list.iter().map(one).collect())
            }
            HeaderValue::ContentType(field) => {
                let mut value = field.ctype().to_owned();
                if let Some(subtype) = field.subtype() {
                    value = format!("{value}/{subtype}");
                }
                let attributes = field.attributes().into_iter().flatten();
                let pair = |pair: &Attribute<'_>| format!("{}|{}", pair.name, pair.value);
                joined([value].into_iter().chain(attributes.map(pair)).collect())
            }
            HeaderValue::Empty => String::new(),
            other => panic!("{other:?}"),
        };
        let said = said.replace(BLANK_LOST_IN_A_FOLD.0, BLANK_LOST_IN_A_FOLD.1);
        let read = read.replace(BLANK_LOST_IN_A_FOLD.0, BLANK_LOST_IN_A_FOLD.1);
        assert_eq!(read, said, "{written}");
        count += 1;
    }
    assert!(count > 10, "{count}");
}

#[cfg(rival)]
#[test]
fn mail_parser_1_reads_whole_fields() {
    use rival::{HeaderValue, MessageParser};

    let mut count = 0;
    for (written, said) in rows() {
        let source = format!("{written}X-Next: y\r\n\r\nbody");
        let message = MessageParser::new().parse(source.as_bytes()).unwrap();
        let headers: Vec<_> = message.headers().iter().collect();
        assert_eq!(headers.len(), 2, "{written}");
        let read = match headers[0].value() {
            HeaderValue::Text(text) => text.to_owned(),
            HeaderValue::TextList(list) => list.iter().collect::<Vec<_>>().join(", "),
            HeaderValue::Address(list) => {
                let one = |one: rival::Mailbox<'_>| {
                    let name = one.name().unwrap_or_default();
                    format!("{name}|{}", one.address().unwrap_or_default())
                };
                list.mailboxes().map(one).collect::<Vec<_>>().join("|")
            }
            HeaderValue::ContentType(field) => {
                let subtype = field.subtype().map(|subtype| format!("/{subtype}"));
                let value = field.ctype().to_owned() + &subtype.unwrap_or_default();
                let pairs = field
                    .attributes()
                    .map(|(name, value)| format!("|{name}|{value}"));
                value + &pairs.collect::<String>()
            }
            HeaderValue::Empty => String::new(),
            other => panic!("{other:?}"),
        };
        assert_eq!(read, said, "{written}");
        count += 1;
    }
    assert!(count > 10, "{count}");
}

/// mail-parser 0.11 loses the blank of a fold between an atom and an encoded word. RFC 2047,
/// section 6.2, lets a reader ignore white space only between two encoded words; by RFC 5322,
/// section 2.2.3, a fold is the white space that it begins with.
const BLANK_LOST_IN_A_FOLD: (&str, &str) = ("zwischen Köln", "zwischenKöln");

/// The fields and their values.
fn rows() -> impl Iterator<Item = (String, String)> {
    let rows = include_str!("../../corpus/encode/field.tsv");
    rows.lines().map(|row| {
        let (written, said) = row.split_once('\t').unwrap();
        (plain(written), plain(said))
    })
}

fn plain(cell: &str) -> String {
    let cell = cell.replace("\\\\", "\0");
    let cell = cell.replace("\\r", "\r").replace("\\n", "\n");
    cell.replace('\0', "\\")
}
