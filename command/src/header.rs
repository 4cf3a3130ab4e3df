//! `header`: decodes header lines.

use std::borrow::Cow;
use std::path::Path;

use mime_charset::decode::FieldText;
use mime_charset::message::Part;
use mime_charset::{Finding, Kind, Message, Options, decode, header, utf8};
use serde::Serialize;
use serde_json::json;

use super::messages::{called, read};
use super::{End, Output, Stop, complain};

pub(crate) fn header_lines(
    out: &mut Output,
    options: &Options,
    json: bool,
    file: Option<&Path>,
) -> Result<End, Stop> {
    let octets = read(file)?;
    let message = Message::parse(&octets);
    // No field name begins like an encoded word, but the text of a word may contain a colon.
    if message.fields().next().is_none() || octets.starts_with(b"=?") {
        // The input is not a field but the text of a field, such as a lone encoded word.
        let line = octets.trim_ascii_end();
        let text = decode::field(line, header::Syntax::Unstructured, options);
        return show_field(out, json, None, text).map(|()| End::Done);
    }
    let mut skipped_lines = skipped_lines(&message).peekable();
    let source = message.source();
    let mut shown = 0;
    let mut show =
        |out: &mut Output, finding| show_line(out, json, file, source, finding, &mut shown);
    for field in message.fields() {
        let start = field.range().map_or(0, |range| range.start);
        while let Some(finding) = skipped_lines.next_if(|finding| finding.offset() < start) {
            show(out, finding)?;
        }
        let name = Some(utf8::decode_lossy(field.name()));
        show_field(out, json, name, field.text_with(options))?;
    }
    for finding in skipped_lines {
        show(out, finding)?;
    }
    let omitted = message.report().omitted();
    if let Some(finding) = message.report().omitted_finding().filter(|_| json) {
        out.json(&json!({ "name": null, "text": "", "charsets": [], "findings": [finding] }))?;
    }
    let more = shown.saturating_sub(SHOWN) + omitted;
    if !json && more > 0 {
        complain(&format!("{}: and {more} more", called(file)));
    }
    Ok(End::Done)
}

/// A field: its name, if it has one, and the JSON keys of its text.
#[derive(Serialize)]
struct FieldJson<'f> {
    name: Option<Cow<'f, str>>,
    #[serde(flatten)]
    text: FieldText<'f>,
}

/// Maximum number of reported lines that are not fields.
const SHOWN: usize = 8;

/// The lines of the header that are not fields, including one that ends it without a blank line.
fn skipped_lines<'m>(message: &'m Message<'_>) -> impl Iterator<Item = &'m Finding> {
    let whole = message.entities().next();
    let header = whole.and_then(Part::header_range);
    let is_in_header = move |offset| header.as_ref().is_some_and(|it| offset <= it.end);
    let findings = message.report().findings().iter();
    findings
        .filter(move |finding| finding.kind() == Kind::HeaderLine && is_in_header(finding.offset()))
}

fn show_line(
    out: &mut Output,
    json: bool,
    file: Option<&Path>,
    source: &[u8],
    finding: &Finding,
    shown: &mut usize,
) -> Result<(), Stop> {
    if json {
        let line = source.get(finding.offset()..finding.offset() + finding.length());
        let text = utf8::decode_lossy(line.unwrap_or_default().trim_ascii_end());
        return out
            .json(&json!({ "name": null, "text": text, "charsets": [], "findings": [finding] }));
    }
    *shown += 1;
    if *shown <= SHOWN {
        complain(&format!("{}: {finding}", called(file)));
    }
    Ok(())
}

fn show_field<'f>(
    out: &mut Output,
    json: bool,
    name: Option<Cow<'f, str>>,
    text: FieldText<'f>,
) -> Result<(), Stop> {
    match name {
        name if json => out.json(&FieldJson { name, text }),
        Some(name) => out.line(&format!("{name}: {}", text.as_str())),
        None => out.line(text.as_str()),
    }
}
