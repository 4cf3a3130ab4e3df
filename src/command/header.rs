//! `header`: header lines to text.

use std::path::Path;

use mime_charset::decode::FieldText;
use mime_charset::{Message, Options, decode, header, utf8};
use serde_json::json;

use super::json::{charsets_json, findings_json};
use super::messages::read;
use super::{End, Output, Stop};

pub(crate) fn header_lines(out: &mut Output, json: bool, file: Option<&Path>) -> Result<End, Stop> {
    let octets = read(file)?;
    let message = Message::parse(&octets);
    if message.fields().next().is_none() {
        // Not a field: the text of one, such as an encoded word on its own.
        let line = octets.trim_ascii_end();
        let text = decode::field(line, header::Syntax::Unstructured, &Options::new());
        return show_field(out, json, None, &text).map(|()| End::Done);
    }
    for field in message.fields() {
        show_field(
            out,
            json,
            Some(&utf8::decode_lossy(field.name())),
            &field.text(),
        )?;
    }
    Ok(End::Done)
}

fn show_field(
    out: &mut Output,
    json: bool,
    name: Option<&str>,
    text: &FieldText<'_>,
) -> Result<(), Stop> {
    if json {
        return out.json(&json!({
            "name": name,
            "text": text.text(),
            "charsets": charsets_json(text.charsets()),
            "findings": findings_json(text.report()),
        }));
    }
    match name {
        Some(name) => out.line(&format!("{name}: {}", text.text())),
        None => out.line(text.text()),
    }
}
