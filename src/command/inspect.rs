//! `inspect`: decoded fields and parts.

use std::fmt::Write as _;

use mime_charset::decode::{CharsetUse, FieldText};
use mime_charset::header::ContentDisposition;
use mime_charset::message::{Field, Part};
use mime_charset::{Message, Options, utf8};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::json::findings_json;
use super::messages::Place;
use super::output::show_findings;
use super::{Output, Stop};

pub(crate) fn inspect(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    with: &Shown,
) -> Result<(), Stop> {
    if with.json {
        let index = place.index;
        out.json(&MessageJson {
            path: json!(place.path),
            index: json!(index),
            fields: Fields { message, with },
            parts: Parts { message, with },
            findings: findings_json(message.report()),
        })
    } else {
        show_message(out, place, message, with)
    }
}

/// What is asked for.
pub(crate) struct Shown {
    /// JSON and not a text for people.
    pub(crate) json: bool,
    /// The text of text parts too.
    pub(crate) text: bool,
    /// How it is read.
    pub(crate) options: Options,
}

/// A message, its keys in their order. Fields and parts are made one by one as they are written:
/// of ten thousand parts the JSON takes many times the memory of the mail.
#[derive(Serialize)]
struct MessageJson<'m> {
    path: Value,
    index: Value,
    fields: Fields<'m>,
    parts: Parts<'m>,
    findings: Vec<Value>,
}

struct Fields<'m> {
    message: &'m Message<'m>,
    with: &'m Shown,
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let options = &self.with.options;
        let fields = self.message.fields();
        serializer.collect_seq(fields.map(|field| field_json(&field, options)))
    }
}

struct Parts<'m> {
    message: &'m Message<'m>,
    with: &'m Shown,
}

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = self.message.parts();
        serializer.collect_seq(parts.map(|part| part_json(part, self.with)))
    }
}

fn field_json(field: &Field<'_>, options: &Options) -> Value {
    let text = field.text_with(options);
    json!({
        "name": utf8::decode_lossy(field.name()),
        "text": text.as_str(),
        "charsets": text.charsets(),
        "findings": text.report(),
    })
}

fn part_json(part: Part<'_>, with: &Shown) -> Value {
    let options = &with.options;
    let header = part.mime_header();
    let content_type = header.content_type();
    let filename = header.filename(options);
    let transferred = part.octets();
    let mut findings = findings_json(&header.report());
    if let Some(filename) = &filename {
        findings.extend(findings_json(filename.report()));
    }
    let mut value = json!({
        "part": part.section(),
        "media_type": content_type.media_type(),
        "label": content_type.charset().map(ToString::to_string),
        "charset": null,
        "source": null,
        "transfer_encoding": part.transfer_encoding().name(),
        "disposition": header.content_disposition().map(ContentDisposition::disposition),
        "filename": filename.as_ref().map(FieldText::as_str),
        "octets": transferred.as_bytes().len(),
    });
    if header.is_text() {
        let decoded = header.text(&transferred, options);
        value["charset"] = json!(decoded.charset());
        value["source"] = json!(decoded.source());
        if with.text {
            value["text"] = decoded.as_str().into();
        }
        findings.extend(findings_json(decoded.report()));
    } else {
        findings.extend(findings_json(transferred.report()));
    }
    if part.is_message()
        && let Some(inner) = part.inner()
    {
        value["fields"] = inner
            .fields()
            .map(|field| field_json(&field, options))
            .collect();
    }
    value["findings"] = findings.into();
    value
}

fn show_message(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    with: &Shown,
) -> Result<(), Stop> {
    out.line(&place.to_string())?;
    for field in message.fields() {
        let text = field.text_with(&with.options);
        let name = utf8::decode_lossy(field.name());
        out.line(&format!(
            "  {name:<26}{}{}",
            text.as_str(),
            told(text.charsets())
        ))?;
        show_findings(out, text.report())?;
    }
    show_findings(out, message.report())?;
    for part in message.parts() {
        show_part(out, part, with)?;
    }
    out.line("")
}

fn show_part(out: &mut Output, part: Part<'_>, with: &Shown) -> Result<(), Stop> {
    let options = &with.options;
    let header = part.mime_header();
    let content_type = header.content_type();
    let transferred = part.octets();
    let mut line = format!(
        "  part {:<8}{:<26}{:<18}{:>9} octets",
        part.section(),
        content_type.media_type(),
        part.transfer_encoding().name(),
        transferred.as_bytes().len(),
    );
    let decoded = header.is_text().then(|| header.text(&transferred, options));
    if let Some(decoded) = &decoded {
        // Writing to a String does not fail.
        let _ = write!(line, "  {}, {}", decoded.charset(), decoded.source().name());
        if let Some(label) = content_type.charset()
            && !label
                .as_bytes()
                .eq_ignore_ascii_case(decoded.charset().name().as_bytes())
        {
            let _ = write!(line, " as {label}");
        }
    }
    let filename = header.filename(options);
    if let Some(filename) = &filename {
        let _ = write!(line, "  {:?}", filename.as_str());
    }
    out.line(&line)?;
    show_findings(out, &header.report())?;
    if let Some(filename) = &filename {
        show_findings(out, filename.report())?;
    }
    match &decoded {
        Some(decoded) => {
            show_findings(out, decoded.report())?;
            if with.text {
                // As it is: `line` would write out what is in it.
                for line in decoded.as_str().lines() {
                    out.text(&format!("    | {line}\n"))?;
                }
            }
        }
        None => show_findings(out, transferred.report())?,
    }
    Ok(())
}

/// The charsets a field was read in, in brackets.
fn told(charsets: &[CharsetUse]) -> String {
    let mut names: Vec<String> = charsets
        .iter()
        .map(|used| format!("{}, {}", used.charset(), used.source().name()))
        .collect();
    names.dedup();
    if names.is_empty() {
        String::new()
    } else {
        format!("  [{}]", names.join("; "))
    }
}
