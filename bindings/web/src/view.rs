//! The data of a message that the page shows: its fields and tree, and the text of a part with its
//! octets. Results are small enough for a page, whatever the message.

use std::borrow::Cow;

use js_sys::{Object, Reflect, Uint8Array, Uint32Array};
use mime_charset::decode::{self, CharsetUse, Context, Evidence, FieldText};
use mime_charset::message::{Field, Part};
use mime_charset::transfer::Transferred;
use mime_charset::{
    Charset, Decoded, Effect, Finding, Label, Message, Options, Report, Source, Within, detect,
    header,
};
use serde::Serialize;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use crate::field::{self, Group};
use crate::json::written;
use crate::pointing::{Pointing, pointing};

/// Maximum numbers of findings, fields and parts, and of characters of a field.
const FINDINGS: usize = 100;
const FIELDS: usize = 1_000;
const PARTS: usize = 1_000;
const FIELD: usize = 4_096;

/// The number of octets of a part shown at once.
const SHEET: usize = 16 << 10;

/// The beginning of a list, and its full length.
#[derive(Serialize)]
struct Start<T> {
    list: Vec<T>,
    count: usize,
}

impl<T> Start<T> {
    fn of(all: impl Iterator<Item = T>, most: usize) -> Self {
        let mut all = all;
        let list: Vec<T> = all.by_ref().take(most).collect();
        let count = list.len() + all.count();
        Start { list, count }
    }
}

fn told(report: &Report) -> Start<&Finding> {
    let mut start = Start::of(report.iter(), FINDINGS);
    start.count += report.omitted();
    start
}

/// The beginning of a text, up to a number of characters.
fn beginning(text: &str, most: usize) -> &str {
    let end = text
        .char_indices()
        .nth(most)
        .map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

#[derive(Serialize)]
struct FieldShape<'f> {
    name: Cow<'f, str>,
    text: &'f str,
    is_cut: bool,
    charsets: &'f [CharsetUse],
    findings: Start<&'f Finding>,
    /// The offset of the field body in the message.
    offset: Option<usize>,
}

/// The fields of an entity, decoded one by one during serialization.
struct Fields<'m>(Part<'m>);

impl Serialize for Fields<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serde::Serializer::serialize_seq(serializer, None)?;
        let Fields(part) = *self;
        for field in part.fields().take(FIELDS) {
            let text = field.text();
            let shape = field_shape(&field, &text);
            serde::ser::SerializeSeq::serialize_element(&mut list, &shape)?;
        }
        serde::ser::SerializeSeq::end(list)
    }
}

fn field_shape<'f>(field: &Field<'f>, text: &'f FieldText<'_>) -> FieldShape<'f> {
    let shown = beginning(text.as_str(), FIELD);
    let uses = text.charsets();
    FieldShape {
        name: mime_charset::utf8::decode_lossy(field.name()),
        text: shown,
        is_cut: shown.len() < text.as_str().len(),
        charsets: uses.get(..uses.len().min(FINDINGS)).unwrap_or_default(),
        findings: told(text.report()),
        // The octets of an embedded message that had to be decoded cannot be shown.
        offset: field.range().map(|_| field.body_offset()),
    }
}

#[derive(Serialize)]
struct EntityShape {
    section: String,
    depth: usize,
    media_type: String,
    /// `multipart`, `message`, `text` or `other`.
    is: &'static str,
    transfer_encoding: &'static str,
    disposition: Option<String>,
    filename: Option<String>,
    filename_to_save: String,
    octets: usize,
    charset: Option<Charset>,
    source: Option<Source>,
    worst: Option<Effect>,
}

fn entity_shape(part: Part<'_>) -> EntityShape {
    let options = Options::new();
    let header = part.mime_header();
    let transferred = part.octets();
    let is_container = part.is_multipart();
    let decoded = part.is_text().then(|| header.text(&transferred, &options));
    let filename = header.filename(&options);
    let own = header.report();
    let of_body = decoded
        .as_ref()
        .map_or(transferred.report(), |decoded| decoded.report());
    let worst = [
        Some(&own),
        Some(of_body),
        filename.as_ref().map(FieldText::report),
    ]
    .into_iter()
    .flatten()
    .filter_map(Report::worst)
    .max();
    EntityShape {
        section: part.section(),
        depth: part.path().len(),
        media_type: header.content_type.media_type().to_owned(),
        is: match (part.is_message(), decoded.is_some()) {
            _ if is_container => "multipart",
            (true, _) => "message",
            (_, true) => "text",
            _ => "other",
        },
        transfer_encoding: part.transfer_encoding().name(),
        disposition: header
            .content_disposition
            .map(|it| it.disposition().to_owned()),
        filename: filename.map(|name| beginning(&name.one_line(), 200).to_owned()),
        filename_to_save: part.filename_to_save(),
        octets: transferred.as_bytes().len(),
        charset: decoded.as_ref().map(Decoded::charset),
        source: decoded.as_ref().map(Decoded::source),
        worst,
    }
}

/// A message: its fields, its tree, and the findings on its structure.
#[wasm_bindgen(js_name = pageOutline)]
#[must_use]
pub fn outline(octets: &[u8]) -> String {
    #[derive(Serialize)]
    struct Shape<'m> {
        octets: usize,
        fields: Fields<'m>,
        field_count: usize,
        parts: Start<EntityShape>,
        findings: Start<&'m Finding>,
    }
    let message = Message::parse(octets);
    let mut entities = message.entities();
    let list: Vec<_> = entities.by_ref().take(PARTS).map(entity_shape).collect();
    let count = list.len() + entities.count();
    written(&Shape {
        octets: octets.len(),
        fields: Fields(message.root()),
        field_count: message.fields().count(),
        parts: Start { list, count },
        findings: told(message.report()),
    })
}

/// The entity whose fields a section shows: the embedded message, or else the part itself; for the
/// empty section, the message.
fn entity<'m>(message: &'m Message<'_>, section: &str) -> Option<Part<'m>> {
    if section.is_empty() {
        return Some(message.root());
    }
    let part = message.part(section)?;
    Some(part.inner().unwrap_or(part))
}

/// A name with this extension that is safe to save under: `name`, or else `otherwise`.
#[wasm_bindgen(js_name = pageFilename)]
#[must_use]
pub fn filename(name: &str, otherwise: &str, extension: &str) -> String {
    let safe = |name| header::safe_filename(name, extension);
    safe(name).or_else(|| safe(otherwise)).unwrap_or_default()
}

/// The fields of a part, or of its embedded message.
#[wasm_bindgen(js_name = pageFields)]
#[must_use]
pub fn fields(octets: &[u8], section: &str) -> String {
    let message = Message::parse(octets);
    let entity = entity(&message, section);
    entity.map_or_else(|| "[]".to_owned(), |entity| written(&Fields(entity)))
}

/// The field with this index: its text and the octets of each character; with a label, its text in
/// that charset. `null` if there is none.
#[expect(
    clippy::needless_pass_by_value,
    reason = "JavaScript gives texts by value"
)]
#[wasm_bindgen(js_name = pageField)]
#[must_use]
pub fn field(octets: &[u8], section: &str, number: usize, label: Option<String>) -> String {
    #[derive(Serialize)]
    struct Shape<'f> {
        text: &'f str,
        source: &'f [u8],
        groups: Vec<Group>,
        is_followed: bool,
    }
    let message = Message::parse(octets);
    let found = entity(&message, section).and_then(|entity| entity.fields().nth(number));
    let Some(found) = found else {
        return "null".to_owned();
    };
    let charset = label.as_deref().and_then(Charset::for_label);
    let read = charset.map_or_else(
        || field::followed(&found, &found.text()),
        |charset| field::read_in(&found, charset),
    );
    let text = beginning(&read.text, FIELD);
    let body = found.body();
    let source = body.get(..body.len().min(FIELD)).unwrap_or_default();
    let units = text.encode_utf16().count();
    let groups = read.groups.into_iter();
    written(&Shape {
        text,
        source,
        groups: groups
            .filter(|group| group.is_within(units, source.len()))
            .collect(),
        is_followed: read.is_followed,
    })
}

/// One sheet of a part: an object with `json`, the `octets` shown, and for text the offsets of its
/// characters in the octets and in the text, `starts` and `characters`.
///
/// # Errors
///
/// Fails if the message has no part with this section number.
#[expect(
    clippy::needless_pass_by_value,
    reason = "JavaScript gives texts by value"
)]
#[wasm_bindgen(js_name = pageSheet)]
pub fn sheet(
    octets: &[u8],
    section: &str,
    label: Option<String>,
    number: usize,
) -> Result<Object, JsValue> {
    #[derive(Serialize)]
    struct Shape<'p> {
        media_type: &'p str,
        label: Option<String>,
        charset: Option<Charset>,
        source: Option<Source>,
        confidence: Option<u8>,
        evidence: &'p [Evidence],
        direction: Option<&'static str>,
        /// The findings on the part and its header, outside the octets shown.
        findings: Start<&'p Finding>,
        /// The findings on the octets shown.
        here: Start<&'p Finding>,
        length: usize,
        sheets: usize,
        text: Option<&'p str>,
    }
    let message = Message::parse(octets);
    let part = message
        .part(section)
        .ok_or_else(|| JsValue::from_str("expected a part, found no such section"))?;
    let transferred = part.octets();
    let all = transferred.as_bytes();
    let reading = part
        .is_text()
        .then(|| read(part, &transferred, label.as_deref()));
    let range = number * SHEET..((number + 1) * SHEET).min(all.len());
    let found = reading.as_ref().map(|(decoded, _)| {
        pointing(all, decoded, &range).unwrap_or_else(|| unfollowed(decoded, number))
    });
    let (start, end) = match &found {
        Some(Pointing { octets, .. }) if octets.len() > 1 => (
            octets.first().map_or(range.start, |at| *at as usize),
            octets.last().map_or(range.end, |at| *at as usize),
        ),
        _ => (range.start, range.end),
    };
    let header = part.mime_header().report();
    let report = reading
        .as_ref()
        .map_or(transferred.report(), |(decoded, _)| decoded.report());
    let is_here = |finding: &Finding| {
        finding.within() == Within::Octets && finding.length() > 0 && reading.is_some()
    };
    let in_sheet =
        |finding: &Finding| finding.offset() < end && finding.offset() + finding.length() > start;
    let outside = header
        .findings()
        .iter()
        .chain(report.findings().iter().filter(|finding| !is_here(finding)));
    let here = report
        .findings()
        .iter()
        .filter(|it| is_here(it) && in_sheet(it));
    let content_type = part.content_type();
    let told = written(&Shape {
        media_type: content_type.media_type(),
        label: content_type.charset().map(ToString::to_string),
        charset: reading.as_ref().map(|(decoded, _)| decoded.charset()),
        source: reading.as_ref().map(|(_, decision)| decision.source),
        confidence: reading
            .as_ref()
            .filter(|_| label.is_none())
            .map(|(_, decision)| decision.confidence),
        evidence: reading
            .as_ref()
            .map(|(_, decision)| decision.evidence())
            .unwrap_or_default(),
        direction: reading
            .as_ref()
            .and_then(|(decoded, _)| decoded.charset().direction()),
        findings: Start::of(outside, FINDINGS),
        here: Start::of(here, 4 * FINDINGS),
        length: all.len(),
        sheets: all.len().div_ceil(SHEET).max(1),
        text: found.as_ref().map(|found| found.text.as_str()),
    });
    let result = Object::new();
    Reflect::set(&result, &"json".into(), &told.into())?;
    let shown = Uint8Array::from(all.get(start..end).unwrap_or_default());
    Reflect::set(&result, &"octets".into(), &shown)?;
    Reflect::set(
        &result,
        &"start".into(),
        &(u32::try_from(start).unwrap_or(u32::MAX)).into(),
    )?;
    if let Some(found) = &found {
        let starts = Uint32Array::from(found.octets.as_slice());
        Reflect::set(&result, &"starts".into(), &starts)?;
        let characters = Uint32Array::from(found.characters.as_slice());
        Reflect::set(&result, &"characters".into(), &characters)?;
    }
    Ok(result)
}

/// The text of a part, as declared by its message or in the charset of this label, and the
/// decision.
fn read<'o>(
    part: Part<'_>,
    octets: &'o Transferred<'_>,
    label: Option<&str>,
) -> (Decoded<'o>, decode::Decision) {
    let options = Options::new();
    let charset = label.and_then(Charset::for_label);
    let Some(charset) = charset else {
        let decoded = part.mime_header().text(octets, &options);
        return (decoded, part.decide(&options));
    };
    let octets = octets.as_bytes();
    (charset.decode(octets), decide_under(octets, charset))
}

/// The decision that a label for this charset would lead to.
fn decide_under(octets: &[u8], charset: Charset) -> decode::Decision {
    let label = Label::new(charset.name());
    decode::decide(octets, &Context::new().label(Some(&label)))
}

/// The likelihood of a charset, or `None` without evidence. It is known for the chosen charset, for
/// the charset that detection finds without a label, and for charsets that the octets disprove.
fn likelihood(octets: &[u8], charset: Charset, chosen: &decode::Decision) -> Option<u8> {
    let is = |other: Charset| other == charset || other == charset.as_practised();
    if is(chosen.charset) {
        return Some(chosen.confidence);
    }
    let guess = detect::detect(octets);
    if is(guess.charset) {
        return Some(guess.confidence.min(100 - chosen.confidence.min(100)));
    }
    let under = decide_under(octets, charset);
    (!is(under.charset)).then(|| 100 - under.confidence.min(100))
}

/// The text of a sheet whose characters cannot be mapped to octets.
fn unfollowed(decoded: &Decoded<'_>, number: usize) -> Pointing {
    let text = decoded.as_str();
    let floor = |mut at: usize| {
        while !text.is_char_boundary(at.min(text.len())) {
            at -= 1;
        }
        at.min(text.len())
    };
    let text = text.get(floor(number * SHEET)..floor((number + 1) * SHEET));
    Pointing {
        text: text.unwrap_or_default().to_owned(),
        ..Pointing::default()
    }
}

/// The whole text of a part, to be saved.
#[expect(
    clippy::needless_pass_by_value,
    reason = "JavaScript gives texts by value"
)]
#[wasm_bindgen(js_name = pageText)]
#[must_use]
pub fn text(octets: &[u8], section: &str, label: Option<String>) -> Option<String> {
    let message = Message::parse(octets);
    let part = message.part(section).filter(|part| part.is_text())?;
    let transferred = part.octets();
    let (decoded, _) = read(part, &transferred, label.as_deref());
    Some(decoded.into_text().into_owned())
}

/// A part decoded in each charset: the name, the likelihood in percent if known, the number of
/// replacements, and the first text that is not plain ASCII. Sorted by likelihood, then charsets
/// that decode all octets first, then by the number of letters.
#[wasm_bindgen(js_name = pageLikely)]
#[must_use]
pub fn likely(octets: &[u8], section: &str) -> String {
    let message = Message::parse(octets);
    let Some(part) = message.part(section).filter(|part| part.is_text()) else {
        return "[]".to_owned();
    };
    let transferred = part.octets();
    likely_for(transferred.as_bytes(), &part.decide(&Options::new()))
}

/// The same for a field.
#[wasm_bindgen(js_name = pageFieldLikely)]
#[must_use]
pub fn field_likely(octets: &[u8], section: &str, number: usize) -> String {
    let message = Message::parse(octets);
    let found = entity(&message, section).and_then(|entity| entity.fields().nth(number));
    let Some(found) = found else {
        return "[]".to_owned();
    };
    let (octets, decision) = field::decision(&found, &found.text());
    likely_for(&octets, &decision)
}

fn likely_for(all: &[u8], chosen: &decode::Decision) -> String {
    #[derive(Serialize)]
    struct Shape {
        charset: Charset,
        confidence: Option<u8>,
        replacements: usize,
        text: String,
        #[serde(skip)]
        letters: usize,
    }
    const READ: usize = 8 << 10;
    let octets = telling(all, READ);
    let one = |charset: Charset| {
        let decoded = charset.decode(octets);
        let others = || decoded.as_str().chars().filter(|it| !it.is_ascii());
        let letters = others().filter(|it| it.is_alphabetic()).count();
        Shape {
            charset,
            confidence: likelihood(octets, charset, chosen),
            replacements: decoded.report().replacements(),
            text: beginning(decoded.as_str(), 24).to_owned(),
            letters: letters * 1000 / others().count().max(1),
        }
    };
    let mut all: Vec<_> = Charset::all()
        .filter(|charset| charset.is_decoded())
        .map(one)
        .collect();
    all.sort_by_key(|shape| {
        // Unlikely charsets follow those of unknown likelihood.
        let known = shape
            .confidence
            .unwrap_or(if shape.replacements == 0 { 4 } else { 0 });
        (100 - known, shape.replacements, 1000 - shape.letters)
    });
    written(&all)
}

/// The first `most` octets, starting at the first line that charsets decode differently.
fn telling(octets: &[u8], most: usize) -> &[u8] {
    let first = octets.iter().position(|it| !it.is_ascii() || *it == 0x1B);
    let first = first.unwrap_or(0);
    let line = octets
        .get(..first)
        .and_then(|before| before.iter().rposition(|it| *it == b'\n'));
    let from = line.map_or(0, |at| at + 1).max(first.saturating_sub(64));
    let to = (from + most).min(octets.len());
    octets.get(from..to).unwrap_or_default()
}
