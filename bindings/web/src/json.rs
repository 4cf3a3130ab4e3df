//! A message in the shape of `inspect --json` (docs/json.md), which JavaScript makes plain objects of.
//! What a field, a finding, a charset and the evidence for it are written as, the library says itself.

use std::borrow::Cow;

use mime_charset::decode::FieldText;
use mime_charset::header::ContentDisposition;
use mime_charset::message::Part;
use mime_charset::{Charset, Decoded, Message, Options, Report, Source, utf8};
use serde::{Serialize, Serializer};

/// JSON of what cannot fail to be written: no map in it has a key that is no text.
pub(crate) fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A message as `inspect --json` has it, without the path and the index of a file.
#[derive(Serialize)]
pub(crate) struct MessageJson<'m> {
    fields: Fields<'m>,
    parts: Parts<'m>,
    findings: &'m Report,
}

impl<'m> MessageJson<'m> {
    pub(crate) fn new(message: &'m Message<'m>, with_text: bool) -> Self {
        MessageJson {
            fields: Fields(message.root()),
            parts: Parts { message, with_text },
            findings: message.report(),
        }
    }
}

/// The fields of a header, each made as it is written.
struct Fields<'m>(Part<'m>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shape<'f> {
            name: Cow<'f, str>,
            #[serde(flatten)]
            text: FieldText<'f>,
        }
        serializer.collect_seq(self.0.fields().map(|field| Shape {
            name: utf8::decode_lossy(field.name()),
            text: field.text(),
        }))
    }
}

struct Parts<'m> {
    message: &'m Message<'m>,
    with_text: bool,
}

impl Serialize for Parts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = self.message.parts();
        serializer.collect_seq(parts.map(|part| PartJson {
            part,
            with_text: self.with_text,
        }))
    }
}

struct PartJson<'m> {
    part: Part<'m>,
    with_text: bool,
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
            transfer_encoding: &'static str,
            disposition: Option<&'p str>,
            filename: Option<&'p str>,
            octets: usize,
            #[serde(skip_serializing_if = "Option::is_none")]
            text: Option<&'p str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            fields: Option<Fields<'p>>,
            findings: Findings<'p>,
        }
        let (part, options) = (self.part, Options::new());
        let header = part.mime_header();
        let filename = header.filename(&options);
        let transferred = part.octets();
        let is_text = header.is_text();
        let decoded = is_text.then(|| header.text(&transferred, &options));
        let decoded = decoded.as_ref();
        let own = header.report();
        let mut reports = vec![&own];
        reports.extend(filename.as_ref().map(FieldText::report));
        reports.push(decoded.map_or(transferred.report(), Decoded::report));
        let disposition = header.content_disposition();
        Shape {
            part: part.section(),
            media_type: header.content_type().media_type(),
            label: header.content_type().charset().map(ToString::to_string),
            charset: decoded.map(Decoded::charset),
            source: decoded.map(Decoded::source),
            transfer_encoding: part.transfer_encoding().name(),
            disposition: disposition.map(ContentDisposition::disposition),
            filename: filename.as_ref().map(FieldText::as_str),
            octets: transferred.as_bytes().len(),
            text: decoded.filter(|_| self.with_text).map(Decoded::as_str),
            fields: part.inner().map(Fields),
            findings: Findings(reports),
        }
        .serialize(serializer)
    }
}

/// The findings of several reports, one after the other.
struct Findings<'r>(Vec<&'r Report>);

impl<'r> Serialize for Findings<'r> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = |report: &'r Report| {
            let kept = report.iter().map(Cow::Borrowed);
            kept.chain(report.omitted_finding().map(Cow::Owned))
        };
        serializer.collect_seq(self.0.iter().copied().flat_map(written))
    }
}
