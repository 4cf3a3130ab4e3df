//! A message with its fields and parts, in the shape of `inspect --json`.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::charset::{Charset, Decoded, Options, utf8};
use crate::decode::{FieldText, Reading};
use crate::header::{ContentDisposition, Date};
use crate::message::{Message, Part};
use crate::report::{Report, Source};
use crate::transfer::Uuencoded;

/// A message with the text of its fields and the findings of its parts, in the shape of `inspect
/// --json` ([docs/json.md](https://docs.rs/crate/mime-charset/latest/source/docs/json.md)), without the
/// path and the number of a message in a file. If `texts` is true, the key `text` holds the exact text
/// of each text part, and the key `reading_text` its [reading text](Part::reading_text), if that
/// differs.
///
/// Fields and parts are decoded one by one during serialization, so that only one text is in memory at
/// a time.
///
/// ```
/// use mime_charset::{Charset, Message, Options, serialize};
///
/// let message = Message::parse(b"Subject: =?koi8-r?Q?=F0=D2=C9?=\n\n\xF0\xD2\xC9\n");
/// let json = serde_json::to_value(serialize::message(&message, Options::new(), false))?;
/// assert_eq!(json["fields"][0]["text"], "При");
/// assert_eq!(json["parts"][0]["octets"], 4);
///
/// let koi8_r = Options::new().force(Some(Charset::KOI8_R));
/// let json = serde_json::to_value(serialize::message(&message, koi8_r, true))?;
/// assert_eq!(json["parts"][0]["text"], "При\n");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn message<'m>(message: &'m Message<'m>, options: Options, texts: bool) -> impl Serialize + 'm {
    Inspected {
        message,
        options,
        texts,
    }
}

/// A message that is decoded while it is serialized.
struct Inspected<'m> {
    message: &'m Message<'m>,
    options: Options,
    /// Whether to include the texts of the parts.
    texts: bool,
}

impl Serialize for Inspected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct MessageObject<'m> {
            date: Option<Date>,
            received_date: Option<Date>,
            message_id: Option<Cow<'m, str>>,
            in_reply_to: Vec<Cow<'m, str>>,
            references: Vec<Cow<'m, str>>,
            fields: InspectedFields<'m>,
            parts: InspectedParts<'m>,
            findings: &'m Report,
        }
        let message = self.message;
        MessageObject {
            date: message.date(),
            received_date: message.received_date(),
            message_id: message.message_id(),
            in_reply_to: message.in_reply_to(),
            references: message.references(),
            fields: InspectedFields {
                of: message.root(),
                options: &self.options,
            },
            parts: InspectedParts(self),
            findings: message.report(),
        }
        .serialize(serializer)
    }
}

/// The fields of a header.
struct InspectedFields<'m> {
    of: Part<'m>,
    options: &'m Options,
}

impl Serialize for InspectedFields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct FieldObject<'f> {
            name: Cow<'f, str>,
            #[serde(flatten)]
            text: FieldText<'f>,
        }
        serializer.collect_seq(self.of.fields().map(|field| FieldObject {
            name: utf8::decode_lossy(field.name()),
            text: field.text_with(self.options),
        }))
    }
}

struct InspectedParts<'m>(&'m Inspected<'m>);

impl Serialize for InspectedParts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let inspected = self.0;
        let parts = inspected.message.parts();
        serializer.collect_seq(parts.map(|part| OnePart { part, inspected }))
    }
}

struct OnePart<'m> {
    part: Part<'m>,
    inspected: &'m Inspected<'m>,
}

impl Serialize for OnePart<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct PartObject<'p> {
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
            #[serde(skip_serializing_if = "Vec::is_empty")]
            uuencoded: Vec<InspectedFile>,
            #[serde(skip_serializing_if = "Option::is_none")]
            reading_text: Option<Cow<'p, str>>,
            #[serde(skip_serializing_if = "Option::is_none")]
            fields: Option<InspectedFields<'p>>,
            findings: JoinedReports<'p>,
        }
        let OnePart { part, inspected } = *self;
        let header = part.mime_header();
        let content_type = &header.content_type;
        let filename = header.filename(&inspected.options);
        let transferred = part.octets();
        let is_text = part.is_text();
        let decoded = is_text.then(|| header.text(&transferred, &inspected.options));
        let decoded = decoded.as_ref();
        let text = decoded.filter(|_| inspected.texts).map(Decoded::as_str);
        let reading_text = text.map(|text| part.reading_text_of(text, Reading::new()));
        let files = decoded.map_or_else(Vec::new, |text| part.uuencoded(text.as_str()));
        let own = header.report();
        let mut reports = vec![&own];
        reports.extend(filename.as_ref().map(FieldText::report));
        reports.push(decoded.map_or(transferred.report(), Decoded::report));
        let disposition = header.content_disposition.as_ref();
        PartObject {
            part: part.section(),
            media_type: content_type.media_type(),
            label: content_type.charset().map(ToString::to_string),
            charset: decoded.map(Decoded::charset),
            source: decoded.map(Decoded::source),
            transfer_encoding: part.transfer_encoding().name(),
            disposition: disposition.map(ContentDisposition::disposition),
            filename: filename.as_ref().map(FieldText::as_str),
            octets: transferred.as_bytes().len(),
            text,
            reading_text: reading_text.filter(|reading| Some(&**reading) != text),
            uuencoded: files.into_iter().map(InspectedFile::of).collect(),
            fields: part.inner().map(|of| InspectedFields {
                of,
                options: &inspected.options,
            }),
            findings: JoinedReports(reports),
        }
        .serialize(serializer)
    }
}

/// A uuencoded file in a text, without its octets.
#[derive(Serialize)]
struct InspectedFile {
    name: String,
    octets: usize,
    offset: usize,
    length: usize,
    findings: Report,
}

impl InspectedFile {
    fn of(file: Uuencoded) -> Self {
        InspectedFile {
            name: file.name,
            octets: file.octets.len(),
            offset: file.range.start,
            length: file.range.len(),
            findings: file.report,
        }
    }
}

/// The findings of several reports in sequence. Not copied, since a hostile message has tens of
/// thousands.
struct JoinedReports<'r>(Vec<&'r Report>);

impl<'r> Serialize for JoinedReports<'r> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = |report: &'r Report| {
            let kept = report.iter().map(Cow::Borrowed);
            kept.chain(report.omitted_finding().map(Cow::Owned))
        };
        serializer.collect_seq(self.0.iter().copied().flat_map(written))
    }
}
