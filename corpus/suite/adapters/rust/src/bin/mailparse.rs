//! mailparse. It leaves parsing a message inside a part to the caller.

use std::error::Error;

use mail_suite_adapters::{Case, base64, not_offered, run, trimmed, version};
use mailparse::{
    MailAddr, MailHeaderMap, MailParseError, ParsedMail, SingleInfo, addrparse_header, dateparse,
    msgidparse, parse_content_disposition, parse_content_type, parse_mail,
};
use serde_json::{Value, json};

const ASKS: [&str; 11] = [
    "field",
    "addresses",
    "groups",
    "date",
    "identifiers",
    "fields",
    "structure",
    "parameter",
    "file name",
    "octets",
    "text",
];

fn main() -> std::io::Result<()> {
    run("mailparse", version("mailparse", ""), &ASKS, answer)
}

fn answer(case: &Case) -> Result<Value, Box<dyn Error>> {
    if case.message().is_some() {
        return Err("mailboxes are not offered".into());
    }
    let mail = parse_mail(&case.octets)?;
    let header = mail.headers.get_first_header(case.field());
    let numbers: Vec<usize> = case.part().collect();
    Ok(match case.ask() {
        "field" => json!(header.map(|header| trimmed(&header.get_value()).to_owned())),
        "addresses" => match header {
            Some(header) => addresses(&addrparse_header(header)?),
            None => json!([]),
        },
        "groups" => match header {
            Some(header) => groups(&addrparse_header(header)?),
            None => json!([]),
        },
        "date" => match mail.headers.get_first_value("Date") {
            Some(value) => json!(dateparse(&value).ok()),
            None => Value::Null,
        },
        "identifiers" => match header {
            Some(header) => json!(msgidparse(&header.get_value())?.to_vec()),
            None => json!([]),
        },
        "fields" => {
            let names = mail.headers.iter().map(|header| header.get_key());
            names.collect()
        }
        "structure" => structure(&mail),
        "parameter" => in_part(&mail, &numbers, |part| {
            Ok(json!(parameter(part, case.field(), case.parameter())))
        })?,
        "file name" => in_part(&mail, &numbers, |part| Ok(json!(file_name(part))))?,
        "octets" => in_part(&mail, &numbers, |part| Ok(base64(&part.get_body_raw()?)))?,
        "text" => in_part(&mail, &numbers, |part| Ok(json!(part.get_body()?)))?,
        _ => return not_offered(case),
    })
}

fn mailbox(mailbox: &SingleInfo) -> Value {
    let name = mailbox
        .display_name
        .as_ref()
        .filter(|name| !name.is_empty());
    json!({ "name": name, "address": mailbox.addr })
}

fn addresses(list: &[MailAddr]) -> Value {
    let mailboxes = list.iter().flat_map(|address| match address {
        MailAddr::Group(group) => group.addrs.as_slice(),
        MailAddr::Single(single) => std::slice::from_ref(single),
    });
    mailboxes.map(mailbox).collect()
}

/// Groups, and each run of mailboxes outside groups.
fn groups(list: &[MailAddr]) -> Value {
    let runs = list.chunk_by(|a, b| matches!((a, b), (MailAddr::Single(_), MailAddr::Single(_))));
    let groups = runs.map(|run| {
        let name = match &run[0] {
            MailAddr::Group(group) => Some(&group.group_name),
            MailAddr::Single(_) => None,
        };
        json!({ "group": name, "addresses": addresses(run) })
    });
    groups.collect()
}

fn is_multipart(part: &ParsedMail) -> bool {
    part.ctype.mimetype.starts_with("multipart/")
}

fn structure(part: &ParsedMail) -> Value {
    let media_type = json!(part.ctype.mimetype);
    if !is_multipart(part) {
        return media_type;
    }
    [media_type]
        .into_iter()
        .chain(part.subparts.iter().map(structure))
        .collect()
}

/// Asks about the part of this number in a message, or answers `null` if there is none.
fn in_part(
    message: &ParsedMail,
    numbers: &[usize],
    ask: impl Fn(&ParsedMail) -> Result<Value, MailParseError>,
) -> Result<Value, MailParseError> {
    let mut part = Some(message);
    for (at, &number) in numbers.iter().enumerate() {
        part = match part {
            Some(multipart) if is_multipart(multipart) => multipart.subparts.get(number - 1),
            Some(whole) if at == 0 && number == 1 => Some(whole),
            Some(embedding)
                if matches!(
                    embedding.ctype.mimetype.as_str(),
                    "message/rfc822" | "message/global"
                ) =>
            {
                return in_part(
                    &parse_mail(&embedding.get_body_raw()?)?,
                    &numbers[at..],
                    ask,
                );
            }
            _ => None,
        };
    }
    part.map_or(Ok(Value::Null), ask)
}

fn file_name(part: &ParsedMail) -> Option<String> {
    let name = parameter(part, "Content-Disposition", "filename");
    name.or_else(|| parameter(part, "Content-Type", "name"))
}

fn parameter(part: &ParsedMail, field: &str, name: &str) -> Option<String> {
    let value = part.headers.get_first_value(field)?;
    let parameters = if field.eq_ignore_ascii_case("Content-Type") {
        parse_content_type(&value).params
    } else {
        parse_content_disposition(&value).params
    };
    parameters.get(&name.to_lowercase()).cloned()
}
