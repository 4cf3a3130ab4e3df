//! Mailboxes of any size, read in pieces: the list of messages on the page, and the whole mailbox
//! in UTF-8.

use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::path::Path;

use js_sys::{Function, Uint8Array};
use mime_charset::convert::{self, Conversion};
use mime_charset::{Effect, Message, Report};
use mime_charset_archive::Format;
use mime_charset_archive::mbox::{self, Dialect, Stored};
use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::change_json;
use crate::json::written;

/// A file read by JavaScript: a function from offset and length to octets.
struct Source<'f> {
    read: &'f Function,
    offset: f64,
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = u32::try_from(buffer.len()).unwrap_or(u32::MAX);
        let given = self
            .read
            .call2(&JsValue::NULL, &self.offset.into(), &length.into());
        let octets = given.map_err(|error| io::Error::other(format!("{error:?}")))?;
        let octets = Uint8Array::from(octets);
        let length = octets.length().min(length);
        let into = buffer.get_mut(..length as usize).unwrap_or_default();
        octets.slice(0, length).copy_to(into);
        self.offset += f64::from(length);
        Ok(length as usize)
    }
}

/// A message in the list.
#[derive(Serialize)]
struct Summary {
    /// The offset of the message in the mailbox.
    offset: u64,
    length: usize,
    dialect: &'static str,
    from: String,
    /// The name or the address of the first mailbox of From.
    sender: Option<String>,
    subject: String,
    date: String,
    /// The date in RFC 3339 form, if valid.
    day: Option<String>,
    /// The worst effect of its findings, from `assumed` on.
    mark: Option<&'static str>,
}

/// Maximum number of characters of a field in the list.
const SHOWN: usize = 200;

fn summary(octets: &[u8]) -> Summary {
    let message = Message::parse(octets);
    let mut worst = message.report().worst();
    let mut see = |report: &Report| worst = worst.max(report.worst());
    let mut fields = [const { String::new() }; 3];
    for field in message.fields() {
        let text = field.text();
        see(text.report());
        let names = ["from", "subject", "date"];
        let place = names
            .iter()
            .position(|name| field.name().eq_ignore_ascii_case(name.as_bytes()));
        if let Some(shown) = place
            .and_then(|place| fields.get_mut(place))
            .filter(|shown| shown.is_empty())
        {
            *shown = text.one_line().chars().take(SHOWN).collect();
        }
    }
    for part in message.parts() {
        see(&part.mime_header().report());
        if part.is_text() {
            see(part.text().report());
        } else {
            see(part.octets().report());
        }
    }
    let [from, subject, date] = fields;
    Summary {
        offset: 0,
        length: octets.len(),
        dialect: "",
        from,
        sender: sender(&message),
        subject,
        date,
        day: message.date().map(|date| date.to_string()),
        mark: worst
            .filter(|worst| *worst > Effect::Noted)
            .map(Effect::name),
    }
}

fn sender(message: &Message<'_>) -> Option<String> {
    let addresses = message.from()?;
    let mailbox = addresses.mailboxes().next()?;
    let name = mailbox.name.one_line();
    let shown = if name.is_empty() {
        &*mailbox.address
    } else {
        &*name
    };
    Some(shown.chars().take(SHOWN).collect())
}

/// The format of a file by its beginning and its name: `message`, `mbox` or `other`.
///
/// # Errors
///
/// A sentence if the mail is in an unsupported format.
#[wasm_bindgen(js_name = pageFormat)]
pub fn format(head: &[u8], name: &str) -> Result<String, JsValue> {
    let format = Format::of(head, Path::new(name));
    let format = format.map_err(|error| JsValue::from_str(&error.to_string()))?;
    Ok(format.name().to_owned())
}

/// The list for a file with one message.
#[wasm_bindgen(js_name = pageSummary)]
#[must_use]
pub fn summary_of(octets: &[u8]) -> String {
    written(&[summary(octets)])
}

/// A message of a mailbox, and its dialect.
struct InMailbox {
    stored: Stored,
    dialect: Dialect,
}

impl InMailbox {
    /// The message, unquoted.
    fn message(&self) -> Cow<'_, [u8]> {
        let entry = self.stored.entry();
        if self.dialect == entry.dialect() {
            return self.stored.message();
        }
        let octets = self.stored.octets().get(entry.message());
        self.dialect.unquote(octets.unwrap_or_default())
    }

    /// The stored form of a message that replaces this one: quoted, and with a correct
    /// Content-Length if this one's was correct.
    fn replaced_by(&self, message: &[u8]) -> Vec<u8> {
        let quoted = self.stored.written(message);
        let was_right = matches!(self.dialect, Dialect::Mboxcl | Dialect::Mboxcl2);
        if was_right
            && let Some((_, octets)) = mbox::right_length(&quoted)
            && let Some((digits, _)) = mbox::content_length(message)
        {
            let mut changed = message.to_vec();
            changed.splice(digits, octets.to_string().into_bytes());
            return self.stored.written(&changed).into_owned();
        }
        quoted.into_owned()
    }
}

/// The messages of a mailbox, as they are read. Most messages show that the mailbox is not mboxcl2.
/// At the first message that may be mboxcl2, the whole mailbox is checked: see
/// [`mbox::is_mboxcl2`].
fn messages(read: &Function) -> impl Iterator<Item = Result<InMailbox, JsValue>> {
    let source = || Source { read, offset: 0.0 };
    let told = |error: mime_charset_archive::Error| JsValue::from_str(&error.to_string());
    let mut is_mboxcl2 = None;
    mbox::read(source()).map(move |stored| {
        let stored = stored.map_err(told)?;
        let mut dialect = stored.entry().dialect();
        if dialect == Dialect::Mboxcl {
            let known = is_mboxcl2.map_or_else(|| mbox::is_mboxcl2(source()), Ok);
            if *is_mboxcl2.insert(known.map_err(told)?) {
                dialect = Dialect::Mboxcl2;
            }
        }
        Ok(InMailbox { stored, dialect })
    })
}

/// Lists a mailbox: `each` gets the JSON of some messages, and the number of octets read.
///
/// # Errors
///
/// A sentence if it cannot be read.
#[wasm_bindgen(js_name = pageMailbox)]
pub fn mailbox(read: &Function, each: &Function) -> Result<(), JsValue> {
    const OCTETS: u64 = 2 << 20;
    const MESSAGES: usize = 250;
    let mut batch = Vec::new();
    let mut told = 0;
    let mut end = 0;
    let tell = |batch: &mut Vec<Summary>, end: u64| {
        let list = written(batch);
        batch.clear();
        #[expect(
            clippy::cast_precision_loss,
            reason = "files have less than 2^53 octets"
        )]
        each.call2(&JsValue::NULL, &list.into(), &(end as f64).into())
    };
    for found in messages(read) {
        let found = found?;
        let stored = &found.stored;
        if stored.is_no_message() {
            continue;
        }
        let place = stored.entry().message();
        batch.push(Summary {
            offset: stored.offset() + place.start as u64,
            length: place.len(),
            dialect: found.dialect.name(),
            ..summary(&found.message())
        });
        end = stored.offset() + stored.octets().len() as u64;
        if end - told > OCTETS || batch.len() >= MESSAGES {
            tell(&mut batch, end)?;
            told = end;
        }
    }
    tell(&mut batch, end)?;
    Ok(())
}

/// Unquotes a message from a mailbox of this dialect.
#[wasm_bindgen(js_name = pageUnquoted)]
#[must_use]
pub fn unquoted(octets: &[u8], dialect: &str) -> Vec<u8> {
    let dialects = [
        Dialect::Mboxo,
        Dialect::Mboxrd,
        Dialect::MboxrdCr,
        Dialect::Mboxcl,
        Dialect::Mboxcl2,
        Dialect::Mmdf,
        Dialect::Babyl,
    ];
    let dialect = dialects.into_iter().find(|it| it.name() == dialect);
    dialect.map_or_else(
        || octets.to_vec(),
        |dialect| dialect.unquote(octets).into_owned(),
    )
}

/// Converts a whole mailbox to UTF-8, as mboxrd or, if it is not mbox, in its own form, and proves
/// each message. `write` gets the octets in pieces; `tell` gets the report line of each message and
/// the number of octets read. A message is left unchanged if its conversion cannot be proved.
///
/// # Errors
///
/// A sentence if it cannot be read, or if Rmail of Emacs has decoded one of its messages.
#[wasm_bindgen(js_name = pageConvert)]
pub fn convert_mailbox(read: &Function, write: &Function, tell: &Function) -> Result<(), JsValue> {
    let held = Vec::new();
    let mut writer = mbox::Writer::new(Target { write, held });
    for found in messages(read) {
        let found = found?;
        let stored = &found.stored;
        let told = |error: &dyn std::error::Error| JsValue::from_str(&error.to_string());
        if stored.is_no_message() {
            writer.write(stored, b"").map_err(|error| told(&error))?;
            continue;
        }
        if let Some(error) = stored.decoded_by_rmail() {
            return Err(told(&error));
        }
        let source = found.message();
        let (octets, line) = proved(&source, stored);
        let stored_as = found.replaced_by(octets.as_deref().unwrap_or(&source));
        let written = writer.write_quoted(stored, &stored_as);
        written.map_err(|error| told(&error))?;
        let end = stored.offset() + stored.octets().len() as u64;
        #[expect(
            clippy::cast_precision_loss,
            reason = "files have less than 2^53 octets"
        )]
        tell.call2(&JsValue::NULL, &line.into(), &(end as f64).into())?;
    }
    let flushed = writer.into_inner().flush();
    flushed.map_err(|error| error.to_string().into())
}

/// The message in UTF-8, and its report line.
fn proved(source: &[u8], stored: &Stored) -> (Option<Vec<u8>>, String) {
    let options = Conversion::new();
    let converted = stored.converted(source, &options);
    let proof = convert::verify(source, converted.as_bytes(), &converted.changes, &options);
    let header = Message::parse(converted.header);
    let line = json!({
        "record": "message",
        "index": stored.ordinal(),
        "message_id": header.message_id(),
        "changes": converted.changes.iter().map(change_json).collect::<Vec<_>>(),
        "left": &converted.report,
        "proved": proof.is_ok(),
        "detail": proof.as_ref().err().map(ToString::to_string),
    });
    let octets = proof.is_ok().then(|| converted.as_bytes().to_vec());
    (octets, line.to_string())
}

/// Writes to a JavaScript function, in pieces.
struct Target<'f> {
    write: &'f Function,
    held: Vec<u8>,
}

impl Write for Target<'_> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        const HELD: usize = 4 << 20;
        self.held.extend_from_slice(octets);
        if self.held.len() >= HELD {
            self.flush()?;
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let octets = Uint8Array::from(self.held.as_slice());
        self.held.clear();
        let written = self.write.call1(&JsValue::NULL, &octets);
        written.map_err(|error| io::Error::other(format!("{error:?}")))?;
        Ok(())
    }
}
