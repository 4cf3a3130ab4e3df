//! `inspect`: shows decoded fields and parts.

use std::fmt::Write as _;

use clap::Args;
use mime_charset::decode::{CharsetUse, Reading};
use mime_charset::message::Part;
use mime_charset::serialize;
use mime_charset::{Message, Options, utf8};
use mime_charset_archive::StoredState;
use serde::Serialize;

use super::messages::{Messages, Place};
use super::output::show_findings;
use super::sums::sha256;
use super::{Output, Stop};

#[derive(Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) messages: Messages,
    /// Print JSON Lines, one object per message
    #[arg(long)]
    json: bool,
    /// Also print the text of text parts, as a person reads it: pages without their markup,
    /// flowed lines joined
    ///
    /// With --json, `text` is the exact text, and `reading_text` is the readable one, if it
    /// differs.
    #[arg(long)]
    text: bool,
    /// Print the exact text of text parts instead of the readable text
    #[arg(long, conflicts_with_all = ["text", "json"])]
    exact: bool,
    /// Also list the attachments of each message, with the SHA-256 of their octets
    #[arg(long, requires = "json")]
    attachments: bool,
}

pub(crate) fn inspect(
    out: &mut Output,
    place: &Place<'_>,
    message: &Message<'_>,
    arguments: &Arguments,
) -> Result<(), Stop> {
    if !arguments.json {
        return show_message(out, place, message, arguments);
    }
    let options = arguments.messages.options();
    let store = place.state(message);
    let attachments = arguments.attachments;
    out.json(&MessageJson {
        place,
        store: (!store.is_empty()).then_some(store),
        inspected: serialize::message(message, options, arguments.text),
        attachments: attachments.then(|| list_attachments(message, options)),
    })
}

/// A message with its location.
#[derive(Serialize)]
struct MessageJson<'m, M> {
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

fn list_attachments(message: &Message<'_>, options: Options) -> Vec<Attachment> {
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
    with: &Arguments,
) -> Result<(), Stop> {
    out.line(&place.to_string())?;
    show_fields(out, message.root(), "  ", with)?;
    show_findings(out, message.report())?;
    for part in message.parts() {
        show_part(out, part, with)?;
    }
    out.line("")
}

fn show_fields(out: &mut Output, of: Part<'_>, indent: &str, with: &Arguments) -> Result<(), Stop> {
    for field in of.fields() {
        let text = field.text_with(&with.messages.options());
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

fn show_part(out: &mut Output, part: Part<'_>, with: &Arguments) -> Result<(), Stop> {
    let options = &with.messages.options();
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
