//! `inspect`: shows decoded fields and parts.

use std::fmt::Write as _;

use mime_charset::decode::{CharsetUse, Reading};
use mime_charset::message::Part;
use mime_charset::serialize;
use mime_charset::{Message, Options, utf8};
use mime_charset_archive::StoredState;
use serde::Serialize;

use super::messages::Place;
use super::output::show_findings;
use super::sums::sha256;
use super::{Output, Stop};

pub(crate) fn inspect(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    with: &Shown,
) -> Result<(), Stop> {
    if let Some(json) = &with.json {
        let store = place.state(message);
        out.json(&Line {
            place,
            store: (!store.is_empty()).then_some(store),
            inspected: serialize::message(message, with.options, with.text),
            attachments: json.attachments.then(|| attachments(message, with.options)),
        })
    } else {
        show_message(out, place, message, with)
    }
}

/// What to show.
pub(crate) struct Shown {
    /// JSON instead of text for people.
    pub(crate) json: Option<Json>,
    /// Whether to include the text of text parts, for a person to read.
    pub(crate) text: bool,
    /// Whether to include the exact text of text parts.
    pub(crate) exact: bool,
    /// How to decode.
    pub(crate) options: Options,
}

/// Additional contents of the JSON.
pub(crate) struct Json {
    pub(crate) attachments: bool,
}

/// A message with its location.
#[derive(Serialize)]
struct Line<'m, M> {
    #[serde(flatten)]
    place: &'m Place<'m>,
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<StoredState>,
    #[serde(flatten)]
    inspected: M,
    #[serde(skip_serializing_if = "Option::is_none")]
    attachments: Option<Vec<Attachment>>,
}

/// An attachment (RFC 8621, section 4.1.4).
#[derive(Serialize)]
struct Attachment {
    part: String,
    filename: Option<String>,
    media_type: String,
    octets: usize,
    /// After transfer decoding.
    sha256: String,
}

fn attachments(message: &Message<'_>, options: Options) -> Vec<Attachment> {
    let attachments = message.bodies().attachments.into_iter();
    let attachment = |part: Part<'_>| {
        let transferred = part.octets();
        let filename = part.filename_with(&options);
        Attachment {
            part: part.section(),
            filename: filename.map(|name| name.as_str().to_owned()),
            media_type: part.media_type().into_owned(),
            octets: transferred.as_bytes().len(),
            sha256: sha256(transferred.as_bytes()),
        }
    };
    attachments.map(attachment).collect()
}

fn show_message(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    with: &Shown,
) -> Result<(), Stop> {
    out.line(&place.to_string())?;
    show_fields(out, message.root(), "  ", with)?;
    show_findings(out, message.report())?;
    for part in message.parts() {
        show_part(out, part, with)?;
    }
    out.line("")
}

fn show_fields(out: &mut Output, of: Part<'_>, indent: &str, with: &Shown) -> Result<(), Stop> {
    for field in of.fields() {
        let text = field.text_with(&with.options);
        let name = utf8::decode_lossy(field.name());
        out.line(&format!(
            "{indent}{name:<26}{}{}",
            text.as_str(),
            charset_names(text.charsets())
        ))?;
        show_findings(out, text.report())?;
    }
    Ok(())
}

fn show_part(out: &mut Output, part: Part<'_>, with: &Shown) -> Result<(), Stop> {
    let options = &with.options;
    let header = part.mime_header();
    let content_type = &header.content_type;
    let transferred = part.octets();
    let mut line = format!(
        "  part {:<8}{:<26}{:<18}{:>9} octets",
        part.section(),
        content_type.media_type(),
        part.transfer_encoding().name(),
        transferred.as_bytes().len(),
    );
    let decoded = part.is_text().then(|| header.text(&transferred, options));
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
            for file in part.uuencoded(decoded.as_str()) {
                let (name, length) = (&file.name, file.octets.len());
                out.line(&format!("    uuencoded {name:?}, {length} octets"))?;
                show_findings(out, &file.report)?;
            }
            if with.text || with.exact {
                let exact = decoded.as_str();
                let read = || part.reading_text_of(exact, Reading::new());
                let shown = if with.exact { exact.into() } else { read() };
                // `line` would escape characters of the text.
                for line in shown.lines() {
                    out.text(&format!("    | {line}\n"))?;
                }
            }
        }
        None => show_findings(out, transferred.report())?,
    }
    // The header of an embedded message.
    match part.inner() {
        Some(inner) => show_fields(out, inner, "    ", with),
        None => Ok(()),
    }
}

/// The charsets used in a field, in brackets.
fn charset_names(charsets: &[CharsetUse]) -> String {
    let mut names: Vec<String> = charsets
        .iter()
        .map(|used| format!("{}, {}", used.charset, used.source.name()))
        .collect();
    names.dedup();
    if names.is_empty() {
        String::new()
    } else {
        format!("  [{}]", names.join("; "))
    }
}
