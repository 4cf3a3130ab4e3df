//! The shapes of `--json` (docs/json.md), which JavaScript makes plain objects of.

use std::borrow::Cow;

use mime_charset::decode::{CharsetUse, Decision, Evidence, FieldText};
use mime_charset::header::ContentDisposition;
use mime_charset::message::{Field, Part};
use mime_charset::{Charset, Finding, Kind, Message, Options, Report, utf8};
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
    findings: Findings<'m>,
}

impl<'m> MessageJson<'m> {
    pub(crate) fn new(message: &'m Message<'m>, with_text: bool) -> Self {
        MessageJson {
            fields: Fields(message.root()),
            parts: Parts { message, with_text },
            findings: Findings(Cow::Borrowed(message.report())),
        }
    }
}

/// The fields of a header, each made as it is written.
struct Fields<'m>(Part<'m>);

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.fields().map(|field| FieldJson::new(&field)))
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

#[derive(Serialize)]
pub(crate) struct FieldJson<'m> {
    name: Cow<'m, str>,
    text: Cow<'m, str>,
    charsets: Vec<CharsetJson>,
    findings: Findings<'static>,
}

impl<'m> FieldJson<'m> {
    pub(crate) fn new(field: &Field<'m>) -> Self {
        let text = field.text();
        FieldJson {
            name: utf8::decode_lossy(field.name()),
            charsets: charsets(text.charsets()),
            findings: Findings(Cow::Owned(text.report().clone())),
            text: text.into_text(),
        }
    }
}

#[derive(Serialize)]
pub(crate) struct CharsetJson {
    offset: usize,
    length: usize,
    charset: &'static str,
    source: &'static str,
}

pub(crate) fn charsets(charsets: &[CharsetUse]) -> Vec<CharsetJson> {
    let one = |used: &CharsetUse| CharsetJson {
        offset: used.offset(),
        length: used.length(),
        charset: used.charset().name(),
        source: used.source().name(),
    };
    charsets.iter().map(one).collect()
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
            charset: Option<&'static str>,
            source: Option<&'static str>,
            transfer_encoding: &'static str,
            disposition: Option<&'p str>,
            filename: Option<&'p str>,
            octets: usize,
            #[serde(skip_serializing_if = "Option::is_none")]
            text: Option<&'p str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            fields: Option<Fields<'p>>,
            findings: AllFindings<'p>,
        }
        let (part, options) = (self.part, Options::new());
        let header = part.mime_header();
        let filename = header.filename(&options);
        let transferred = part.octets();
        let decoded = header
            .is_text()
            .then(|| header.text(&transferred, &options));
        let own = header.report();
        let of_name = filename.as_ref().map(FieldText::report);
        let of_body = decoded
            .as_ref()
            .map_or(transferred.report(), |decoded| decoded.report());
        let disposition = header.content_disposition();
        Shape {
            part: part.section(),
            media_type: header.content_type().media_type(),
            label: header.content_type().charset().map(ToString::to_string),
            charset: decoded.as_ref().map(|decoded| decoded.charset().name()),
            source: decoded.as_ref().map(|decoded| decoded.source().name()),
            transfer_encoding: part.transfer_encoding().name(),
            disposition: disposition.map(ContentDisposition::disposition),
            filename: filename.as_ref().map(FieldText::as_str),
            octets: transferred.as_bytes().len(),
            text: decoded
                .as_ref()
                .filter(|_| self.with_text)
                .map(mime_charset::Decoded::as_str),
            fields: part.inner().map(Fields),
            findings: AllFindings(vec![Some(&own), of_name, Some(of_body)]),
        }
        .serialize(serializer)
    }
}

/// The findings of several reports, one after the other.
struct AllFindings<'r>(Vec<Option<&'r Report>>);

impl Serialize for AllFindings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flatten().copied().flat_map(findings))
    }
}

/// The findings of a report.
pub(crate) struct Findings<'r>(pub(crate) Cow<'r, Report>);

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(findings(&self.0))
    }
}

#[derive(Serialize)]
pub(crate) struct FindingJson<'r> {
    kind: &'static str,
    effect: &'static str,
    r#in: &'static str,
    offset: usize,
    length: usize,
    detail: Cow<'r, str>,
}

impl<'r> From<&'r Finding> for FindingJson<'r> {
    fn from(finding: &'r Finding) -> Self {
        FindingJson {
            kind: finding.kind().name(),
            effect: finding.kind().effect().name(),
            r#in: finding.within().name(),
            offset: finding.offset(),
            length: finding.length(),
            detail: finding.detail().into(),
        }
    }
}

/// Those that a report keeps, and one that counts the others.
pub(crate) fn findings(report: &Report) -> impl Iterator<Item = FindingJson<'_>> {
    let more = (report.omitted() > 0).then(|| FindingJson {
        kind: Kind::LimitReached.name(),
        effect: Kind::LimitReached.effect().name(),
        r#in: "octets",
        offset: 0,
        length: 0,
        detail: format!("{} further findings", report.omitted()).into(),
    });
    report.findings().iter().map(FindingJson::from).chain(more)
}

#[derive(Serialize)]
pub(crate) struct EvidenceJson<'d> {
    kind: &'static str,
    side: &'static str,
    charset: Option<&'static str>,
    offset: usize,
    length: usize,
    detail: &'d str,
}

pub(crate) fn evidence(decision: &Decision) -> Vec<EvidenceJson<'_>> {
    fn one(evidence: &Evidence) -> EvidenceJson<'_> {
        EvidenceJson {
            kind: evidence.kind().name(),
            side: evidence.side().name(),
            charset: evidence.charset().map(Charset::name),
            offset: evidence.offset(),
            length: evidence.length(),
            detail: evidence.detail(),
        }
    }
    decision.evidence().iter().map(one).collect()
}
