//! Answers the questions of the suite for mail text, as `corpus/suite/README.md` asks them:
//! `corpus/suite/run --peer mime-charset`

use std::io::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use mime_charset::charset;
use mime_charset::decode::{Address, Addresses, Mailbox, Reading};
use mime_charset::message::{Field, Part};
use mime_charset::{Label, Message, Options, header};
use serde_json::{Value, json};

const ASKS: [&str; 15] = [
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
    "flowed text",
    "decode",
];

fn main() -> io::Result<()> {
    let mut output = io::stdout();
    let hello =
        json!({ "name": "mime-charset", "version": env!("CARGO_PKG_VERSION"), "asks": ASKS });
    writeln!(output, "{hello}")?;
    for line in io::stdin().lines() {
        let case: Value = serde_json::from_str(&line?)?;
        let reply = json!({ "id": case["id"], "answer": answer(&case, &octets_of(&case)) });
        writeln!(output, "{reply}")?;
        output.flush()?;
    }
    Ok(())
}

/// The input of a case.
fn octets_of(case: &Value) -> Vec<u8> {
    let encoded = case["base64"].as_str().expect("a string");
    STANDARD.decode(encoded).expect("base64")
}

/// The answer for a message, or for `decode`, for octets. `Null` where the message has no such thing.
#[must_use]
pub fn answer(case: &Value, octets: &[u8]) -> Value {
    let argument = |name: &str| case[name].as_str().unwrap_or_default();
    let ask = argument("ask");
    if ask == "decode" {
        let label = charset::resolve(&Label::new(argument("charset")));
        return json!(
            label
                .charset
                .map(|charset| charset.decode(octets).into_text())
        );
    }
    let message = Message::parse(octets);
    let field = message.field(argument("field"));
    let part = message.part(argument("part"));
    match ask {
        "field" => json!(field.map(|field| text_of(&field))),
        "addresses" => json!(field.map_or_else(Vec::new, |field| {
            field.addresses().mailboxes().map(mailbox).collect()
        })),
        "groups" => field.map_or_else(|| json!([]), |field| groups(&field.addresses())),
        "date" => json!(message.date().map(|date| date.unix_seconds())),
        "zone" => json!(message.date().and_then(|date| date.offset)),
        "identifiers" => json!(field.map_or_else(Vec::new, |field| identifiers(&field))),
        "base subject" => {
            let subject = message.subject();
            json!(subject.map(|subject| header::base_subject(subject.as_str()).text))
        }
        "fields" => {
            let names = message.fields().map(|field| field.name());
            json!(names.map(String::from_utf8_lossy).collect::<Vec<_>>())
        }
        "structure" => structure(message.root()),
        "parameter" => json!(part.and_then(|part| parameter(part, case))),
        "file name" => json!(part.and_then(Part::filename).map(|name| name.to_string())),
        "octets" => json!(part.map(|part| STANDARD.encode(part.octets()))),
        "text" => json!(part.map(|part| part.text().into_text().into_owned())),
        "flowed text" => {
            let reading = Reading::new().quotes(true);
            let text = part.map(|part| part.reading_text_with(&Options::new(), reading));
            json!(text.map(|text| text.into_text().into_owned()))
        }
        _ => Value::Null,
    }
}

fn text_of(field: &Field<'_>) -> String {
    field.text().into_text().into_owned()
}

fn mailbox(mailbox: &Mailbox<'_>) -> Value {
    let name = Some(mailbox.name.as_str()).filter(|name| !name.is_empty());
    json!({ "name": name, "address": mailbox.address })
}

fn groups(addresses: &Addresses<'_>) -> Value {
    let mut groups: Vec<(Option<String>, Vec<Value>)> = Vec::new();
    for address in &addresses.list {
        match address {
            Address::Mailbox(one) => match groups.last_mut() {
                Some((None, members)) => members.push(mailbox(one)),
                _ => groups.push((None, vec![mailbox(one)])),
            },
            Address::Group {
                name, mailboxes, ..
            } => {
                groups.push((
                    Some(name.to_string()),
                    mailboxes.iter().map(mailbox).collect(),
                ));
            }
            _ => {}
        }
    }
    let groups = groups.into_iter();
    json!(
        groups
            .map(|(group, addresses)| json!({ "group": group, "addresses": addresses }))
            .collect::<Vec<_>>()
    )
}

fn identifiers(field: &Field<'_>) -> Vec<String> {
    let found = header::message_ids(field.body()).list.into_iter();
    found
        .map(|one| String::from_utf8_lossy(&one.octets).into_owned())
        .collect()
}

fn structure(part: Part<'_>) -> Value {
    let media_type = json!(part.media_type().to_lowercase());
    if !part.is_multipart() {
        return media_type;
    }
    let children = part.children().map(structure);
    Value::Array([media_type].into_iter().chain(children).collect())
}

fn parameter(part: Part<'_>, case: &Value) -> Option<String> {
    let name = case["parameter"].as_str()?;
    let field = case["field"].as_str()?;
    let (content_type, disposition);
    let found = if field.eq_ignore_ascii_case("Content-Type") {
        content_type = part.content_type();
        content_type.parameter(name)
    } else {
        disposition = part.content_disposition()?;
        disposition.parameter(name)
    };
    Some(found?.text().to_string())
}
