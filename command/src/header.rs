//! `header`: decodes header lines.

use std::borrow::Cow;
use std::path::Path;

use mime_charset::decode::FieldText;
use mime_charset::message::Part;
use mime_charset::{Kind, Message, Options, Within, decode, header, utf8};
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
    let mut skipped_lines = skipped_lines(&message).into_iter().peekable();
    let mut shown = 0;
    for field in message.fields() {
        let start = field.range().map_or(0, |range| range.start);
        while let Some(line) = skipped_lines.next_if(|line| line.offset < start) {
            line.show(out, json, file, &mut shown)?;
        }
        let name = Some(utf8::decode_lossy(field.name()));
        show_field(out, json, name, field.text_with(options))?;
    }
    for line in skipped_lines {
        line.show(out, json, file, &mut shown)?;
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

/// A line that is not a field.
struct SkippedLine<'m> {
    line: &'m [u8],
    offset: usize,
    detail: &'m str,
}

/// The lines of the header that are not fields, including one that ends it without a blank line.
fn skipped_lines<'m>(message: &'m Message<'_>) -> Vec<SkippedLine<'m>> {
    let whole = message.entities().next();
    let Some(header) = whole.and_then(Part::header_range) else {
        return Vec::new();
    };
    let source = message.source();
    let findings = message.report().findings().iter();
    findings
        .filter(|finding| finding.kind() == Kind::HeaderLine && finding.offset() <= header.end)
        .map(|finding| {
            let end = finding.offset() + finding.length();
            SkippedLine {
                line: source.get(finding.offset()..end).unwrap_or_default(),
                offset: finding.offset(),
                detail: finding.detail(),
            }
        })
        .collect()
}

impl SkippedLine<'_> {
    fn show(
        &self,
        out: &mut Output,
        json: bool,
        file: Option<&Path>,
        shown: &mut usize,
    ) -> Result<(), Stop> {
        let kind = Kind::HeaderLine;
        let (offset, detail) = (self.offset, self.detail);
        if json {
            return out.json(&json!({
                "name": null,
                "text": utf8::decode_lossy(self.line.trim_ascii_end()),
                "charsets": [],
                "findings": [{
                    "kind": kind,
                    "effect": kind.effect(),
                    "in": Within::Source,
                    "offset": offset,
                    "length": self.line.len(),
                    "detail": detail,
                }],
            }));
        }
        *shown += 1;
        if *shown <= SHOWN {
            let name = kind.name();
            complain(&format!("{}: {name} at {offset}: {detail}", called(file)));
        }
        Ok(())
    }
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
