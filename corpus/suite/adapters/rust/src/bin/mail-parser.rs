//! mail-parser 1.

use std::error::Error;

use mail_parser::mailbox::mbox::MessageIterator;
use mail_parser::{
    DateTime, Header, HeaderForm, Mailbox, MessageParser, MessagePart, MessageRef, PartKind,
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
    run("mail-parser", version("mail-parser", "1."), &ASKS, |case| {
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
    let header = message.headers().all(case.field()).next();
    let date = message.date().filter(|date| date.is_valid());
    let part = part(message.root(), case);
    Ok(match case.ask() {
        "field" => json!(header.and_then(text)),
        "addresses" => header.map_or_else(|| json!([]), addresses),
        "groups" => header.map_or_else(|| json!([]), groups),
        "date" => json!(date.map(|date| date.to_timestamp())),
        "zone" => json!(date.and_then(offset)),
        "identifiers" => header.map_or_else(|| json!([]), identifiers),
        "base subject" => json!(message.thread_name()),
        "fields" => {
            let names = message.headers().iter().map(|header| header.raw_name());
            names.collect()
        }
        "structure" => structure(message.root_part()),
        "parameter" => json!(part.and_then(|part| parameter(part, case))),
        "file name" => json!(part.and_then(|part| part.attachment_name())),
        "octets" => part.map_or(Value::Null, |part| base64(&part.decoded())),
        "text" => json!(
            part.ok_or("no such part")?
                .text()
                .ok_or("not a text part")?
        ),
        _ => return not_offered(case),
    })
}

fn text(header: Header) -> Option<String> {
    let value = header.parse_as(HeaderForm::Text);
    Some(trimmed(value.value().as_text()?).to_owned())
}

fn addresses(header: Header) -> Value {
    let value = header.parse_as(HeaderForm::Addresses);
    let list = value.value().as_address().into_iter();
    list.flat_map(|list| list.mailboxes())
        .map(mailbox)
        .collect()
}

fn groups(header: Header) -> Value {
    let value = header.parse_as(HeaderForm::Addresses);
    let list = value.value().as_address().into_iter();
    let groups = list.flat_map(|list| list.groups());
    let groups = groups.map(|(name, run)| (name, run.map(mailbox).collect::<Value>()));
    groups
        .map(|(name, run)| json!({ "group": name, "addresses": run }))
        .collect()
}

fn mailbox(mailbox: Mailbox) -> Value {
    let name = mailbox.name().filter(|name| !name.is_empty());
    json!({ "name": name, "address": mailbox.address() })
}

fn identifiers(header: Header) -> Value {
    let value = header.parse_as(HeaderForm::MessageIds);
    let list = value.value().as_text_list().into_iter();
    list.flat_map(|list| list.iter()).collect()
}

/// Minutes; `None` for `-0000`.
fn offset(date: DateTime) -> Option<i32> {
    let minutes = i32::from(date.tz_hour) * 60 + i32::from(date.tz_minute);
    match (date.tz_before_gmt, minutes) {
        (true, 0) => None,
        (true, _) => Some(-minutes),
        (false, _) => Some(minutes),
    }
}

fn parameter<'m>(part: MessagePart<'m>, case: &Case) -> Option<&'m str> {
    let value = if case.field().eq_ignore_ascii_case("Content-Type") {
        part.content_type()
    } else {
        part.content_disposition()
    };
    value?.attribute(&case.parameter().to_lowercase())
}

fn structure(part: MessagePart) -> Value {
    // A part without a media type has the default for its place.
    let media_type = match part.content_type().map(|one| (one.ctype(), one.subtype())) {
        Some((kind, Some(subtype))) => json!(format!("{kind}/{subtype}")),
        Some((kind, None)) if !part.is_text() => json!(kind),
        _ if part.is_message() => json!("message/rfc822"),
        _ => json!("text/plain"),
    };
    match part.kind() {
        PartKind::Multipart => [media_type]
            .into_iter()
            .chain(part.children().map(structure))
            .collect(),
        _ => media_type,
    }
}

/// The part of this number, counted as in IMAP.
fn part<'m>(message: MessageRef<'m>, case: &Case) -> Option<MessagePart<'m>> {
    let mut at = message.root_part();
    let mut is_whole = true;
    for number in case.part() {
        if let Some(embedded) = at.nested().filter(|_| !is_whole) {
            at = embedded.root_part();
            is_whole = true;
        }
        if at.is_multipart() {
            at = at.children().nth(number - 1)?;
        } else if !(is_whole && number == 1) {
            return None;
        }
        is_whole = false;
    }
    Some(at)
}
