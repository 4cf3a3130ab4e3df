//! The rows of a group of messages for `read`, and their Python values.
//!
//! Rows are decoded without Python's lock and converted to Python values with it. They share a few
//! allocations, because memory allocated by one thread is freed by another.

use std::borrow::Cow;
use std::ops::Range;

use mime_charset::decode::FieldText;
use mime_charset::header::Date;
use mime_charset::message::{Bodies, Part};
use mime_charset::transfer::Transferred;
use mime_charset::{Decoded, Message, Options, Report, utf8};
use mime_charset_archive::StoredState;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyList, PyString};
use sha2::{Digest as _, Sha256};

use crate::archive::{Found, Names, Stored};
use crate::columns::Wanted;
use crate::shared::shared;
use crate::values;

/// The rows of consecutive messages.
pub(crate) struct Rows {
    /// The number of messages.
    length: usize,
    /// Messages owned by Python; dropped while holding its lock.
    given: Vec<Found>,
    /// A value for each selected column, row by row.
    values: Vec<Value>,
    /// Names and texts of fields, alternating, and identifiers.
    fields: Vec<Text>,
    /// A value for each selected property of a part, part by part.
    of_parts: Vec<Value>,
    reports: Vec<Report>,
    texts: String,
}

enum Value {
    Nothing,
    Number(u64),
    Seconds(i64),
    Text(Text),
    /// A text that is the same in many rows.
    Shared(Text),
    Word(&'static str),
    Octets(Box<[u8]>),
    Flag(bool),
    Fields(Range<usize>),
    Identifiers(Range<usize>),
    Parts(Range<usize>),
    Findings(Range<usize>),
}

enum Text {
    /// A range of the shared buffer.
    Among(Range<usize>),
    /// A separate allocation, for text too long to copy.
    Long(String),
}

impl Rows {
    pub(crate) fn read(mut found: Vec<Found>, wanted: &Wanted) -> Self {
        let mut rows = Rows {
            length: found.len(),
            given: Vec::new(),
            values: Vec::with_capacity(found.len() * wanted.columns.len()),
            fields: Vec::new(),
            of_parts: Vec::new(),
            reports: Vec::new(),
            texts: String::new(),
        };
        for one in &found {
            rows.read_one(one, wanted);
        }
        found.retain(|one| matches!(one.octets, Stored::Given(_)));
        rows.given = found;
        rows
    }

    /// Whether there are no rows.
    pub(crate) fn is_empty(&self) -> bool {
        self.length == 0
    }

    fn read_one(&mut self, found: &Found, wanted: &Wanted) {
        let octets = found.octets.as_ref();
        let place = found.place.as_ref();
        let names = place.map(|place| &*place.names);
        let message = Message::parse(octets);
        let needs_state = wanted.columns.iter().any(|name| name.starts_with("store_"));
        let mut state = if needs_state {
            let name = names.map_or("", Names::name);
            StoredState::of(name.as_ref(), &message)
        } else {
            StoredState::default()
        };
        for name in &wanted.columns {
            let value = match *name {
                "path" => self.text(names.map(|names| Cow::Borrowed(&*names.path))),
                "container" => self.text(
                    names
                        .and_then(|names| names.container.as_deref())
                        .map(Cow::Borrowed),
                ),
                "member" => self.text(
                    names
                        .and_then(|names| names.member.as_deref())
                        .map(Cow::Borrowed),
                ),
                "path_octets" => octets_of(names.and_then(|names| names.path_octets.as_deref())),
                "member_octets" => {
                    octets_of(names.and_then(|names| names.member_octets.as_deref()))
                }
                "index" => number(place.and_then(|place| place.index)),
                "offset" => number(place.map(|place| place.offset)),
                "length" => count(octets.len()),
                "sha256" => self.text(Some(sha256(octets).into())),
                "date_seconds" => seconds(message.date()),
                "received_seconds" => seconds(message.received_date()),
                "fields" => {
                    let start = self.fields.len();
                    for field in message.fields() {
                        let name = self.keep(utf8::decode_lossy(field.name()));
                        let text = self.keep(field.text().into_text());
                        self.fields.extend([name, text]);
                    }
                    Value::Fields(start..self.fields.len())
                }
                "message_id" => self.text(message.message_id()),
                "in_reply_to" => self.identifiers(message.in_reply_to()),
                "references" => self.identifiers(message.references()),
                "store_flags" => self.identifiers(
                    state
                        .flags
                        .iter()
                        .map(|flag| Cow::Borrowed(*flag))
                        .collect(),
                ),
                "store_labels" => {
                    self.identifiers(state.labels.drain(..).map(Cow::Owned).collect())
                }
                "store_thread" => self.text(state.thread.take().map(Cow::Owned)),
                "parts" => {
                    let start = self.of_parts.len();
                    let needs_sorting = wanted.of_parts(&["is_attachment"]);
                    let sorted = needs_sorting.then(|| message.bodies());
                    for part in message.parts() {
                        let is_it = |sorted: &Bodies<'_>| sorted.attachments.contains(&part);
                        self.read_part(part, sorted.as_ref().is_some_and(is_it), wanted);
                    }
                    Value::Parts(start..self.of_parts.len())
                }
                "findings" => {
                    let start = self.reports.len();
                    self.report(message.report());
                    Value::Findings(start..self.reports.len())
                }
                name => {
                    let field = message.field(name);
                    self.text(field.map(|field| field.text().into_text()))
                }
            };
            self.values.push(value);
        }
    }

    fn read_part(&mut self, part: Part<'_>, is_attachment: bool, wanted: &Wanted) {
        let options = Options::new();
        let header = part.mime_header();
        let reports = self.reports.len();
        if wanted.of_parts(&["findings"]) {
            self.report(&header.report());
        }
        let mut filename = None;
        if wanted.of_parts(&["filename", "findings"]) {
            filename = header.filename(&options);
            if let Some(filename) = &filename {
                self.report(filename.report());
            }
        }
        let needs_text = wanted.of_parts(&["charset", "source", "text", "findings"]);
        let needs_octets = needs_text || wanted.of_parts(&["octets", "sha256"]);
        let transferred = needs_octets.then(|| part.octets());
        let mut text = None;
        if let Some(transferred) = transferred.as_ref().filter(|_| needs_text) {
            if part.is_text() {
                let read = header.text(transferred, &options);
                self.report(read.report());
                text = Some(read);
            } else {
                self.report(transferred.report());
            }
        }
        let (charset, source) = match &text {
            Some(text) => (
                Value::Word(text.charset().name()),
                Value::Word(text.source().name()),
            ),
            None => (Value::Nothing, Value::Nothing),
        };
        let (mut charset, mut source) = (Some(charset), Some(source));
        let reports = reports..self.reports.len();
        for name in &wanted.of_parts {
            let value = match *name {
                "section" => self.shared(Some(part.section().into())),
                "media_type" => self.shared(Some(header.content_type.media_type().into())),
                "label" => {
                    let label = header.content_type.charset();
                    self.shared(label.map(|label| label.to_string().into()))
                }
                "charset" => charset.take().unwrap_or(Value::Nothing),
                "source" => source.take().unwrap_or(Value::Nothing),
                "confidence" if part.is_text() => {
                    Value::Number(part.decide(&options).confidence.into())
                }
                "confidence" => Value::Nothing,
                "filename" => {
                    let filename = filename.take();
                    self.text(filename.map(FieldText::into_text))
                }
                "octets" => count(transferred.as_ref().map_or(0, |it| it.as_bytes().len())),
                "sha256" => {
                    let octets = transferred.as_ref().map(Transferred::as_bytes);
                    self.text(octets.map(|octets| sha256(octets).into()))
                }
                "is_attachment" => Value::Flag(is_attachment),
                "text" => {
                    let text = text.take();
                    self.text(text.map(Decoded::into_text))
                }
                _ => Value::Findings(reports.clone()),
            };
            self.of_parts.push(value);
        }
    }

    fn identifiers(&mut self, list: Vec<Cow<'_, str>>) -> Value {
        let start = self.fields.len();
        for identifier in list {
            let identifier = self.keep(identifier);
            self.fields.push(identifier);
        }
        Value::Identifiers(start..self.fields.len())
    }

    fn text(&mut self, text: Option<Cow<'_, str>>) -> Value {
        text.map_or(Value::Nothing, |text| Value::Text(self.keep(text)))
    }

    fn shared(&mut self, text: Option<Cow<'_, str>>) -> Value {
        text.map_or(Value::Nothing, |text| Value::Shared(self.keep(text)))
    }

    fn keep(&mut self, text: Cow<'_, str>) -> Text {
        const LONG: usize = 1 << 14;
        if text.len() >= LONG {
            return Text::Long(text.into_owned());
        }
        let start = self.texts.len();
        self.texts.push_str(&text);
        Text::Among(start..self.texts.len())
    }

    fn kept<'r>(&'r self, text: &'r Text) -> &'r str {
        match text {
            Text::Among(range) => self.texts.get(range.clone()).unwrap_or_default(),
            Text::Long(text) => text,
        }
    }

    fn report(&mut self, report: &Report) {
        if !report.is_empty() {
            self.reports.push(report.clone());
        }
    }
}

fn number(number: Option<u64>) -> Value {
    number.map_or(Value::Nothing, Value::Number)
}

fn octets_of(octets: Option<&[u8]>) -> Value {
    octets.map_or(Value::Nothing, |octets| Value::Octets(octets.into()))
}

fn seconds(date: Option<Date>) -> Value {
    date.map_or(Value::Nothing, |date| Value::Seconds(date.unix_seconds()))
}

fn count(count: usize) -> Value {
    number(u64::try_from(count).ok())
}

/// SHA-256 in hexadecimal digits (FIPS 180-4).
fn sha256(octets: &[u8]) -> String {
    let digit = |value: u8| char::from_digit(value.into(), 16);
    let sum = Sha256::digest(octets);
    let digits = sum
        .iter()
        .flat_map(|octet| [digit(octet >> 4), digit(octet & 15)]);
    digits.flatten().collect()
}

/// Columns that collect rows.
pub(crate) struct Columns<'py> {
    names: Vec<Bound<'py, PyString>>,
    of_parts: Vec<Bound<'py, PyString>>,
    lists: Vec<Bound<'py, PyList>>,
}

impl<'py> Columns<'py> {
    pub(crate) fn new(py: Python<'py>, wanted: &Wanted) -> Self {
        let names = |of: &[&str]| of.iter().map(|name| PyString::intern(py, name)).collect();
        Columns {
            names: names(&wanted.columns),
            of_parts: names(&wanted.of_parts),
            lists: wanted.columns.iter().map(|_| PyList::empty(py)).collect(),
        }
    }

    pub(crate) fn push(&self, py: Python<'py>, rows: Rows) -> PyResult<()> {
        // No column may be selected.
        for row in rows.values.chunks(self.lists.len().max(1)) {
            for (list, value) in self.lists.iter().zip(row) {
                list.append(self.value(py, &rows, value)?)?;
            }
        }
        drop(rows.given);
        Ok(())
    }

    pub(crate) fn finish(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for (name, list) in self.names.iter().zip(self.lists) {
            columns.set_item(name, list)?;
        }
        Ok(columns)
    }

    fn value(&self, py: Python<'py>, rows: &Rows, value: &Value) -> PyResult<Bound<'py, PyAny>> {
        Ok(match value {
            Value::Nothing => py.None().into_bound(py),
            Value::Number(number) => number.into_pyobject(py)?.into_any(),
            Value::Seconds(seconds) => seconds.into_pyobject(py)?.into_any(),
            Value::Text(it) => PyString::new(py, rows.kept(it)).into_any(),
            Value::Shared(it) => shared(py, rows.kept(it)).into_any(),
            Value::Word(word) => shared(py, word).into_any(),
            Value::Octets(octets) => PyBytes::new(py, octets).into_any(),
            Value::Flag(flag) => PyBool::new(py, *flag).to_owned().into_any(),
            Value::Fields(range) => {
                let fields = rows.fields.get(range.clone()).unwrap_or_default();
                let fields = fields.as_chunks().0.iter();
                let fields =
                    fields.map(|[name, body]| (shared(py, rows.kept(name)), rows.kept(body)));
                PyList::new(py, fields)?.into_any()
            }
            Value::Identifiers(range) => {
                let list = rows.fields.get(range.clone()).unwrap_or_default();
                PyList::new(py, list.iter().map(|one| rows.kept(one)))?.into_any()
            }
            Value::Parts(range) => {
                let values = rows.of_parts.get(range.clone()).unwrap_or_default();
                let parts = PyList::empty(py);
                for values in values.chunks(self.of_parts.len().max(1)) {
                    let part = PyDict::new(py);
                    for (name, value) in self.of_parts.iter().zip(values) {
                        part.set_item(name, self.value(py, rows, value)?)?;
                    }
                    parts.append(part)?;
                }
                parts.into_any()
            }
            Value::Findings(range) => {
                let reports = rows.reports.get(range.clone()).unwrap_or_default();
                values::findings(py, reports)?.into_any()
            }
        })
    }
}
