//! `inspect`: decoded fields and parts.

use std::fmt::Write as _;

use mime_charset::decode::{CharsetUse, FieldText};
use mime_charset::header::ContentDisposition;
use mime_charset::message::Part;
use mime_charset::{Charset, Decoded, Message, Options, Report, Source, utf8};
use serde::{Serialize, Serializer};

use super::json::{FieldJson, Findings};
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
        out.json(&MessageJson {
            path: place.path,
            index: place.index,
            fields: Fields {
                of: message.root(),
                with,
            },
            parts: Parts { message, with },
            findings: message.report(),
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
    path: &'m str,
    index: u64,
    fields: Fields<'m>,
    parts: Parts<'m>,
    findings: &'m Report,
}

struct Fields<'m> {
    of: Part<'m>,
    with: &'m Shown,
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.of.fields().map(|field| FieldJson {
            name: Some(utf8::decode_lossy(field.name())),
            text: field.text_with(&self.with.options),
        }))
    }
}

struct Parts<'m> {
    message: &'m Message<'m>,
    with: &'m Shown,
}

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let with = self.with;
        let parts = self.message.parts();
        serializer.collect_seq(parts.map(|part| PartJson { part, with }))
    }
}

struct PartJson<'m> {
    part: Part<'m>,
    with: &'m Shown,
}

impl Serialize for PartJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shape<'p> {
            part: String,
            media_type: &'p str,
            label: Option<String>,
            charset: Option<Charset>,
            source: Option<Source>,
            transfer_encoding: &'p str,
            disposition: Option<&'p str>,
            filename: Option<&'p str>,
            octets: usize,
            #[serde(skip_serializing_if = "Option::is_none")]
            text: Option<&'p str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            fields: Option<Fields<'p>>,
            findings: Findings<'p>,
        }
        let PartJson { part, with } = *self;
        let header = part.mime_header();
        let content_type = header.content_type();
        let filename = header.filename(&with.options);
        let transferred = part.octets();
        let is_text = header.is_text();
        let decoded = is_text.then(|| header.text(&transferred, &with.options));
        let decoded = decoded.as_ref();
        let own = header.report();
        let mut reports = vec![&own];
        reports.extend(filename.as_ref().map(FieldText::report));
        reports.push(decoded.map_or(transferred.report(), Decoded::report));
        Shape {
            part: part.section(),
            media_type: content_type.media_type(),
            label: content_type.charset().map(ToString::to_string),
            charset: decoded.map(Decoded::charset),
            source: decoded.map(Decoded::source),
            transfer_encoding: part.transfer_encoding().name(),
            disposition: header
                .content_disposition()
                .map(ContentDisposition::disposition),
            filename: filename.as_ref().map(FieldText::as_str),
            octets: transferred.as_bytes().len(),
            text: decoded.filter(|_| with.text).map(Decoded::as_str),
            fields: part.inner().map(|of| Fields { of, with }),
            findings: Findings(reports),
        }
        .serialize(serializer)
    }
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
