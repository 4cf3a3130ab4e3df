//! `read`: many messages as columns, read on several threads.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{mem, thread};

use mime_charset::message::Part;
use mime_charset::{Charset, Message, Options, Report, Source, utf8};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use sha2::{Digest as _, Sha256};

use crate::Error;
use crate::archive::{Failure, Found, Input, Place, Walk};
use crate::values::{self, word};

/// The columns, in their order.
const COLUMNS: [&str; 12] = [
    "path", "index", "offset", "length", "sha256", "subject", "from", "to", "date", "fields",
    "parts", "findings",
];

/// What a column `parts` tells of each part, in this order.
const OF_PARTS: [&str; 10] = [
    "section",
    "media_type",
    "label",
    "charset",
    "source",
    "confidence",
    "filename",
    "octets",
    "text",
    "findings",
];

/// Batches of messages as columns: dicts of lists, one value a message, in the order of the sources.
///
/// `sources` is a path, a piece, octets of a message, or a list of these. `columns` names those that are
/// wanted, and `parts.text` one thing of the parts; nothing is decoded for others. A batch has
/// `batch` messages at most, and no further one once its messages have `octets` octets; `threads`
/// read them, 0 for one of each processor. Python's other threads go on meanwhile.
///
/// What cannot be read raises OSError, behind the batch of what stands before it, or is given to
/// `on_error`. A column that there is none of raises Error.
///
/// >>> import mime_charset
/// >>> mails = [b"Subject: one\n\nText", b"Subject: =?koi8-r?B?xNfB?=\n\n"]
/// >>> for batch in mime_charset.read(mails, columns=["subject", "length"]):
/// ...     print(batch)
/// {'length': [18, 28], 'subject': ['one', 'два']}
#[pyfunction]
#[pyo3(signature = (sources, threads=0, *, batch=1000, octets=67_108_864, columns=None, on_error=None))]
pub(crate) fn read(
    sources: &Bound<'_, PyAny>,
    threads: usize,
    batch: usize,
    octets: usize,
    columns: Option<Vec<String>>,
    on_error: Option<Py<PyAny>>,
) -> PyResult<Batches> {
    let inputs: VecDeque<Input> = if let Ok(input) = sources.extract::<Input>() {
        [input].into()
    } else {
        let inputs = sources.try_iter()?.map(|source| source?.extract());
        inputs.collect::<PyResult<_>>()?
    };
    let wanted = columns.map_or_else(|| Ok(Wanted::all()), |names| Wanted::these(&names))?;
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    let state = State {
        walk: Walk::new(inputs),
        failed: None,
    };
    Ok(Batches {
        state: Mutex::new(state),
        threads,
        batch: batch.max(1),
        octets,
        wanted,
        on_error,
    })
}

/// Which columns are wanted, and what of the parts, each in its order.
struct Wanted {
    columns: Vec<&'static str>,
    of_parts: Vec<&'static str>,
}

impl Wanted {
    fn all() -> Self {
        Wanted {
            columns: COLUMNS.to_vec(),
            of_parts: OF_PARTS.to_vec(),
        }
    }

    fn these(names: &[String]) -> PyResult<Self> {
        let of_parts = |name: &str| {
            let of = name.strip_prefix("parts.")?;
            OF_PARTS.into_iter().find(|known| *known == of)
        };
        let is_known = |name: &str| COLUMNS.contains(&name) || of_parts(name).is_some();
        if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
            let (columns, parts) = (COLUMNS.join(", "), OF_PARTS.join(", parts."));
            let sentence =
                format!("expected columns out of {columns}, parts.{parts}, found {unknown:?}");
            return Err(Error::new_err(sentence));
        }
        let all_of_parts = names.iter().any(|name| name == "parts");
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        let has_of_parts = |wanted: &str| names.iter().any(|name| of_parts(name) == Some(wanted));
        let of_parts: Vec<_> = OF_PARTS
            .into_iter()
            .filter(|name| all_of_parts || has_of_parts(name))
            .collect();
        let columns = COLUMNS
            .into_iter()
            .filter(|name| has(name) || *name == "parts" && !of_parts.is_empty())
            .collect();
        Ok(Wanted { columns, of_parts })
    }

    /// Whether one of these is wanted of the parts.
    fn of_parts(&self, names: &[&str]) -> bool {
        self.of_parts.iter().any(|name| names.contains(name))
    }
}

/// Batches of columns; made by `read`.
#[pyclass(frozen, module = "mime_charset")]
pub(crate) struct Batches {
    state: Mutex<State>,
    threads: usize,
    batch: usize,
    octets: usize,
    wanted: Wanted,
    on_error: Option<Py<PyAny>>,
}

struct State {
    walk: Walk,
    /// What could not be read, behind a batch that goes first.
    failed: Option<Failure>,
}

/// What one step gives: rows, with what failed behind them told later.
enum Step {
    End,
    Rows(Vec<Row>),
    Failed(Failure),
}

#[pymethods]
impl Batches {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        loop {
            match py.detach(|| self.step()) {
                Step::End => return Ok(None),
                Step::Rows(rows) => return self.columns(py, rows).map(Some),
                Step::Failed(failure) => failure.tell(py, self.on_error.as_ref())?,
            }
        }
    }

    /// How many files so far were no mail.
    #[getter]
    fn left_out(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.state().walk.left_out)
    }
}

impl Batches {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn step(&self) -> Step {
        let mut state = self.state();
        if let Some(failure) = state.failed.take() {
            return Step::Failed(failure);
        }
        let mut found = Vec::new();
        let mut octets = 0;
        while found.len() < self.batch && octets < self.octets {
            match state.walk.next() {
                None => break,
                Some(Ok(one)) => {
                    octets += one.octets.as_ref().len();
                    found.push(one);
                }
                Some(Err(failure)) if found.is_empty() => return Step::Failed(failure),
                Some(Err(failure)) => {
                    state.failed = Some(failure);
                    break;
                }
            }
        }
        if found.is_empty() {
            Step::End
        } else {
            Step::Rows(self.rows(&found))
        }
    }

    /// The rows of the messages, in their order, read on threads of which each takes the next few.
    fn rows(&self, found: &[Found]) -> Vec<Row> {
        const AT_ONCE: usize = 16;
        let chunks: Vec<_> = found.chunks(AT_ONCE).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(chunk) = chunks.get(place) else {
                    return done;
                };
                let rows: Vec<_> = chunk
                    .iter()
                    .map(|one| Row::read(one, &self.wanted))
                    .collect();
                done.push((place, rows));
            }
        };
        let helpers = self.threads.min(chunks.len()).saturating_sub(1);
        let mut done = thread::scope(|scope| {
            let helpers: Vec<_> = (0..helpers).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            for helper in helpers {
                match helper.join() {
                    Ok(rows) => done.extend(rows),
                    // Python's caller gets the panic as an exception.
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        });
        done.sort_unstable_by_key(|(place, _)| *place);
        done.into_iter().flat_map(|(_, rows)| rows).collect()
    }

    fn columns<'py>(&self, py: Python<'py>, mut rows: Vec<Row>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for name in &self.wanted.columns {
            let column = PyList::empty(py);
            for row in &mut rows {
                column.append(row.value(py, name, &self.wanted)?)?;
            }
            columns.set_item(word(py, name), column)?;
        }
        Ok(columns)
    }
}

/// What was read of a message, for the columns that are wanted.
#[derive(Default)]
struct Row {
    place: Option<Place>,
    length: usize,
    sha256: String,
    texts: Vec<(&'static str, Option<String>)>,
    fields: Vec<(String, String)>,
    parts: Vec<PartRow>,
    report: Option<Report>,
}

#[derive(Default)]
struct PartRow {
    section: String,
    media_type: String,
    label: Option<String>,
    read_in: Option<(Charset, Source)>,
    confidence: Option<u8>,
    filename: Option<String>,
    octets: usize,
    text: Option<String>,
    reports: Vec<Report>,
}

impl Row {
    fn read(found: &Found, wanted: &Wanted) -> Self {
        let octets = found.octets.as_ref();
        let mut row = Row {
            place: found.place.clone(),
            length: octets.len(),
            ..Row::default()
        };
        let message = Message::parse(octets);
        for name in &wanted.columns {
            match *name {
                "path" | "index" | "offset" | "length" => {}
                "sha256" => row.sha256 = sha256(octets),
                "fields" => {
                    let fields = message.fields();
                    let fields = fields.map(|field| {
                        let name = utf8::decode_lossy(field.name()).into_owned();
                        (name, field.text().into_text().into_owned())
                    });
                    row.fields = fields.collect();
                }
                "parts" => {
                    let parts = message.parts();
                    row.parts = parts.map(|part| PartRow::read(part, wanted)).collect();
                }
                "findings" => row.report = Some(message.report().clone()),
                name => {
                    let text = message.field(name).map(|field| field.text().into());
                    row.texts.push((name, text));
                }
            }
        }
        row
    }

    /// The value in a column, which is asked for once.
    fn value<'py>(
        &mut self,
        py: Python<'py>,
        name: &str,
        wanted: &Wanted,
    ) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place.as_ref();
        let value = match name {
            "path" => place.map(|place| &place.path).into_pyobject(py)?,
            "index" => place.and_then(|place| place.index).into_pyobject(py)?,
            "offset" => place.map(|place| place.offset).into_pyobject(py)?,
            "length" => self.length.into_pyobject(py)?.into_any(),
            "sha256" => mem::take(&mut self.sha256).into_pyobject(py)?.into_any(),
            "fields" => mem::take(&mut self.fields).into_pyobject(py)?,
            "parts" => {
                let parts = mem::take(&mut self.parts).into_iter();
                let parts = parts
                    .map(|part| part.value(py, &wanted.of_parts))
                    .collect::<PyResult<Vec<_>>>()?;
                PyList::new(py, parts)?.into_any()
            }
            "findings" => {
                let reports: Vec<_> = self.report.iter().collect();
                values::findings(py, &reports)?.into_any()
            }
            name => {
                let text = self.texts.iter_mut().find(|(of, _)| *of == name);
                text.and_then(|(_, text)| text.take()).into_pyobject(py)?
            }
        };
        Ok(value)
    }
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

impl PartRow {
    fn read(part: Part<'_>, wanted: &Wanted) -> Self {
        let options = Options::new();
        let header = part.mime_header();
        let mut row = PartRow {
            section: part.section(),
            ..PartRow::default()
        };
        if wanted.of_parts(&["media_type", "label"]) {
            let content_type = header.content_type();
            content_type.media_type().clone_into(&mut row.media_type);
            row.label = content_type.charset().map(ToString::to_string);
        }
        if wanted.of_parts(&["findings"]) {
            row.reports.push(header.report());
        }
        if wanted.of_parts(&["filename", "findings"])
            && let Some(filename) = header.filename(&options)
        {
            row.reports.push(filename.report().clone());
            row.filename = Some(filename.into());
        }
        if wanted.of_parts(&["confidence"]) && header.is_text() {
            row.confidence = Some(part.decide(&options).confidence());
        }
        if !wanted.of_parts(&["octets", "charset", "source", "text", "findings"]) {
            return row;
        }
        let transferred = part.octets();
        row.octets = transferred.as_bytes().len();
        if !wanted.of_parts(&["charset", "source", "text", "findings"]) {
            return row;
        }
        if header.is_text() {
            let text = header.text(&transferred, &options);
            row.read_in = Some((text.charset(), text.source()));
            row.reports.push(text.report().clone());
            if wanted.of_parts(&["text"]) {
                row.text = Some(text.into());
            }
        } else {
            row.reports.push(transferred.report().clone());
        }
        row
    }

    fn value<'py>(self, py: Python<'py>, wanted: &[&str]) -> PyResult<Bound<'py, PyDict>> {
        let part = PyDict::new(py);
        let read_in = self.read_in;
        for name in wanted {
            let value = match *name {
                "section" => (&self.section).into_pyobject(py)?.into_any(),
                "media_type" => (&self.media_type).into_pyobject(py)?.into_any(),
                "label" => (&self.label).into_pyobject(py)?,
                "charset" => read_in
                    .map(|(charset, _)| word(py, charset.name()))
                    .into_pyobject(py)?,
                "source" => read_in
                    .map(|(_, source)| word(py, source.name()))
                    .into_pyobject(py)?,
                "confidence" => self.confidence.into_pyobject(py)?,
                "filename" => (&self.filename).into_pyobject(py)?,
                "octets" => self.octets.into_pyobject(py)?.into_any(),
                "text" => (&self.text).into_pyobject(py)?,
                _ => {
                    let reports: Vec<_> = self.reports.iter().collect();
                    values::findings(py, &reports)?.into_any()
                }
            };
            part.set_item(word(py, name), value)?;
        }
        Ok(part)
    }
}
