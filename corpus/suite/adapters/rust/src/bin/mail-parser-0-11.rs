//! mail-parser 0.11. It decodes text parts while parsing, so `octets` of a text part are UTF-8.

use std::error::Error;

use mail_parser_0_11::mailbox::mbox::MessageIterator;
use mail_parser_0_11::{
    Addr, Address, DateTime, HeaderForm, HeaderValue, Message, MessageParser, MessagePart,
    MimeHeaders, PartType,
};
use mail_suite_adapters::{Case, base64, not_offered, run, trimmed, version};
use serde_json::{Value, json};

const ASKS: [&str; 14] = [
    "field",
    "addresses",
    "groups",
    "date",
    "zone",
    "identifiers",
    "base subject",
    "fields",
    "structure",
    "parameter",
    "file name",
    "octets",
    "text",
    "messages",
];

fn main() -> std::io::Result<()> {
    run("mail-parser", version("mail-parser", "0."), &ASKS, |case| {
        let mut mailbox = MessageIterator::new(case.octets.as_slice());
        if case.ask() == "messages" {
            return Ok(json!(mailbox.count()));
        }
        match case.message() {
            Some(number) => match mailbox.nth(number - 1) {
                Some(Ok(entry)) => answer(case, entry.contents()),
                _ => Err("no such message in the mailbox".into()),
            },
            None => answer(case, &case.octets),
        }
    })
}

fn answer(case: &Case, octets: &[u8]) -> Result<Value, Box<dyn Error>> {
    let message = MessageParser::new()
        .parse(octets)
        .ok_or("parse returns None")?;
    let field = |form| {
        message
            .header_as(case.field().to_owned(), form)
            .into_iter()
            .next()
    };
    let date = message.date().filter(|date| date.is_valid());
    let part = part(&message, case);
    Ok(match case.ask() {
        "field" => json!(
            field(HeaderForm::Text)
                .as_ref()
                .and_then(HeaderValue::as_text)
                .map(trimmed)
        ),
        "addresses" => match field(HeaderForm::Addresses) {
            Some(HeaderValue::Address(list)) => list.iter().map(mailbox).collect(),
            _ => json!([]),
        },
        "groups" => match field(HeaderForm::GroupedAddresses) {
            Some(HeaderValue::Address(list)) => groups(&list),
            _ => json!([]),
        },
        "date" => json!(date.map(|date| date.to_timestamp())),
        "zone" => json!(date.and_then(offset)),
        "identifiers" => match field(HeaderForm::MessageIds) {
            Some(value) => json!(value.into_text_list().unwrap_or_default()),
            None => json!([]),
        },
        "base subject" => json!(message.thread_name()),
        "fields" => {
            let names = message.headers().iter().map(|header| header.name());
            names.collect()
        }
        "structure" => structure(&message, message.root_part()),
        "parameter" => json!(part.and_then(|part| parameter(part, case))),
        "file name" => json!(part.and_then(|part| part.attachment_name())),
        "octets" => part.map_or(Value::Null, |part| base64(part.contents())),
        "text" => json!(
            part.ok_or("no such part")?
                .text_contents()
                .ok_or("not a text part")?
        ),
        _ => return not_offered(case),
    })
}

fn mailbox(mailbox: &Addr) -> Value {
    let name = mailbox.name().filter(|name| !name.is_empty());
    json!({ "name": name, "address": mailbox.address() })
}

fn groups(list: &Address) -> Value {
    let group = |name: Option<&str>, mailboxes: &[Addr]| json!({ "group": name, "addresses": mailboxes.iter().map(mailbox).collect::<Value>() });
    match list {
        Address::List(mailboxes) => json!([group(None, mailboxes)]),
        Address::Group(groups) => {
            let groups = groups.iter();
            groups
                .map(|one| group(one.name.as_deref(), &one.addresses))
                .collect()
        }
    }
}

/// Minutes; `None` for `-0000`.
fn offset(date: &DateTime) -> Option<i32> {
    let minutes = i32::from(date.tz_hour) * 60 + i32::from(date.tz_minute);
    match (date.tz_before_gmt, minutes) {
        (true, 0) => None,
        (true, _) => Some(-minutes),
        (false, _) => Some(minutes),
    }
}

fn parameter<'m>(part: &'m MessagePart<'m>, case: &Case) -> Option<&'m str> {
    let value = if case.field().eq_ignore_ascii_case("Content-Type") {
        part.content_type()
    } else {
        part.content_disposition()
    };
    value?.attribute(&case.parameter().to_lowercase())
}

fn structure(message: &Message, part: &MessagePart) -> Value {
    // A part without a media type has the default for its place.
    let media_type = match part.content_type().map(|one| (one.ctype(), one.subtype())) {
        Some((kind, Some(subtype))) => json!(format!("{kind}/{subtype}")),
        Some((kind, None)) if !part.is_text() => json!(kind),
        _ if part.is_message() => json!("message/rfc822"),
        _ => json!("text/plain"),
    };
    match &part.body {
        PartType::Multipart(numbers) => {
            let children = numbers.iter().filter_map(|&number| message.part(number));
            let children = children.map(|child| structure(message, child));
            [media_type].into_iter().chain(children).collect()
        }
        _ => media_type,
    }
}

/// The part of this number, counted as in IMAP.
fn part<'m>(message: &'m Message<'m>, case: &Case) -> Option<&'m MessagePart<'m>> {
    let mut message = message;
    let mut at = message.root_part();
    let mut is_whole = true;
    for number in case.part() {
        if let Some(embedded) = at.message().filter(|_| !is_whole) {
            (message, at) = (embedded, embedded.root_part());
            is_whole = true;
        }
        if let Some(numbers) = at.sub_parts() {
            at = message.part(*numbers.get(number - 1)?)?;
        } else if !(is_whole && number == 1) {
            return None;
        }
        is_whole = false;
    }
    Some(at)
}
