//! `read`: many messages as columns, read on several threads.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{mem, thread};

use mime_charset::message::Part;
use mime_charset::{Charset, Message, Options, Source, utf8};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::Error;
use crate::archive::{Failure, Found, Input, Walk};
use crate::values::word;

/// The columns, in their order.
const COLUMNS: [&str; 10] = [
    "path", "index", "length", "subject", "from", "to", "date", "fields", "parts", "findings",
];

/// Batches of messages as columns: dicts of lists, one value a message, in the order of the sources.
///
/// `sources` is a path, octets of a message, or a list of both. `columns` names those that are
/// wanted; nothing is decoded for others. Each batch has `batch` messages at most; `threads` read
/// them, 0 for one of each processor. Python's other threads go on meanwhile.
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
#[pyo3(signature = (sources, threads=0, *, batch=1000, columns=None, on_error=None))]
pub(crate) fn read(
    sources: &Bound<'_, PyAny>,
    threads: usize,
    batch: usize,
    columns: Option<Vec<String>>,
    on_error: Option<Py<PyAny>>,
) -> PyResult<Batches> {
    let inputs: VecDeque<Input> = if let Ok(input) = sources.extract::<Input>() {
        [input].into()
    } else {
        let inputs = sources.try_iter()?.map(|source| source?.extract());
        inputs.collect::<PyResult<_>>()?
    };
    let wanted = match columns {
        None => COLUMNS.to_vec(),
        Some(names) => {
            let unknown = names.iter().find(|name| !COLUMNS.contains(&name.as_str()));
            if let Some(unknown) = unknown {
                let all = COLUMNS.join(", ");
                let sentence = format!("expected columns out of {all}, found {unknown:?}");
                return Err(Error::new_err(sentence));
            }
            let is_wanted = |name: &&str| names.iter().any(|wanted| wanted == name);
            COLUMNS.into_iter().filter(is_wanted).collect()
        }
    };
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
        wanted,
        on_error,
    })
}

/// Batches of columns; made by `read`.
#[pyclass(frozen, module = "mime_charset")]
pub(crate) struct Batches {
    state: Mutex<State>,
    threads: usize,
    batch: usize,
    wanted: Vec<&'static str>,
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
        while found.len() < self.batch && octets < MOST_OCTETS {
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
        for name in &self.wanted {
            let column = PyList::empty(py);
            for row in &mut rows {
                column.append(row.value(py, name)?)?;
            }
            columns.set_item(word(py, name), column)?;
        }
        Ok(columns)
    }
}

/// So many octets of messages make a batch, however few they are.
const MOST_OCTETS: usize = 1 << 26;

/// What was read of a message, for the columns that are wanted.
#[derive(Default)]
struct Row {
    place: Option<(String, u64)>,
    length: usize,
    texts: Vec<(&'static str, Option<String>)>,
    fields: Vec<(String, String)>,
    parts: Vec<PartRow>,
    findings: Vec<&'static str>,
}

struct PartRow {
    section: String,
    media_type: String,
    label: Option<String>,
    read_in: Option<(Charset, Source)>,
    filename: Option<String>,
    octets: usize,
    text: Option<String>,
    findings: Vec<&'static str>,
}

impl Row {
    fn read(found: &Found, wanted: &[&'static str]) -> Self {
        let octets = found.octets.as_ref();
        let mut row = Row {
            place: found.place.clone(),
            length: octets.len(),
            ..Row::default()
        };
        let message = Message::parse(octets);
        for name in wanted {
            match *name {
                "path" | "index" | "length" => {}
                "fields" => {
                    let fields = message.fields();
                    let fields = fields.map(|field| {
                        let name = utf8::decode_lossy(field.name()).into_owned();
                        (name, field.text().into_text().into_owned())
                    });
                    row.fields = fields.collect();
                }
                "parts" => row.parts = message.parts().map(PartRow::read).collect(),
                "findings" => row.findings = kinds(message.report()),
                name => {
                    let text = message.field(name).map(|field| field.text().into());
                    row.texts.push((name, text));
                }
            }
        }
        row
    }

    /// The value in a column, which is asked for once.
    fn value<'py>(&mut self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let place = self.place.as_ref();
        let value = match name {
            "path" => place.map(|(path, _)| path).into_pyobject(py)?,
            "index" => place.map(|(_, index)| index).into_pyobject(py)?,
            "length" => self.length.into_pyobject(py)?.into_any(),
            "fields" => mem::take(&mut self.fields).into_pyobject(py)?,
            "parts" => {
                let parts = mem::take(&mut self.parts).into_iter();
                let parts = parts
                    .map(|part| part.value(py))
                    .collect::<PyResult<Vec<_>>>()?;
                PyList::new(py, parts)?.into_any()
            }
            "findings" => words(py, &self.findings)?.into_any(),
            name => {
                let text = self.texts.iter_mut().find(|(of, _)| *of == name);
                text.and_then(|(_, text)| text.take()).into_pyobject(py)?
            }
        };
        Ok(value)
    }
}

impl PartRow {
    fn read(part: Part<'_>) -> Self {
        let options = Options::new();
        let header = part.mime_header();
        let filename = header.filename(&options);
        let transferred = part.octets();
        let text = header
            .is_text()
            .then(|| header.text(&transferred, &options));
        let mut findings = kinds(&header.report());
        findings.extend(filename.iter().flat_map(|name| kinds(name.report())));
        let report = text
            .as_ref()
            .map_or(transferred.report(), |text| text.report());
        findings.extend(kinds(report));
        let content_type = header.content_type();
        PartRow {
            section: part.section(),
            media_type: content_type.media_type().to_owned(),
            label: content_type.charset().map(ToString::to_string),
            read_in: text.as_ref().map(|text| (text.charset(), text.source())),
            filename: filename.map(String::from),
            octets: transferred.as_bytes().len(),
            text: text.map(String::from),
            findings,
        }
    }

    fn value(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let part = PyDict::new(py);
        let read_in = self.read_in;
        part.set_item(word(py, "section"), self.section)?;
        part.set_item(word(py, "media_type"), self.media_type)?;
        part.set_item(word(py, "label"), self.label)?;
        let charset = read_in.map(|(charset, _)| word(py, charset.name()));
        part.set_item(word(py, "charset"), charset)?;
        let source = read_in.map(|(_, source)| word(py, source.name()));
        part.set_item(word(py, "source"), source)?;
        part.set_item(word(py, "filename"), self.filename)?;
        part.set_item(word(py, "octets"), self.octets)?;
        part.set_item(word(py, "text"), self.text)?;
        part.set_item(word(py, "findings"), words(py, &self.findings)?)?;
        Ok(part)
    }
}

/// The names of the findings, in their order.
fn kinds(report: &mime_charset::Report) -> Vec<&'static str> {
    report.iter().map(|finding| finding.kind().name()).collect()
}

fn words<'py>(py: Python<'py>, words: &[&'static str]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, words.iter().map(|it| word(py, it)))
}
