//! `read`: many messages as columns, read on several threads.
//!
//! Only one thread at a time makes Python's values. So that this is no time in which the others wait,
//! the thread that asks for a batch makes them of the rows that are read already, while the others
//! read on; where too few are read it takes part in that.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::PyDict;

use crate::Error;
use crate::archive::{Failure, Found, Input, Walk};
use crate::rows::{Columns, Rows};

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
        turn: Mutex::new(()),
        by: Mutex::new(None),
        threads,
        batch: batch.max(1),
        octets,
        wanted,
        on_error,
    })
}

/// Which columns are wanted, and what of the parts, each in its order.
pub(crate) struct Wanted {
    pub(crate) columns: Vec<&'static str>,
    pub(crate) of_parts: Vec<&'static str>,
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
    pub(crate) fn of_parts(&self, names: &[&str]) -> bool {
        self.of_parts.iter().any(|name| names.contains(name))
    }
}

/// Batches of columns; made by `read`.
#[pyclass(frozen, module = "mime_charset")]
pub(crate) struct Batches {
    state: Mutex<State>,
    /// Who makes a batch has this, so that it comes whole.
    turn: Mutex<()>,
    /// Whose turn it is.
    by: Mutex<Option<ThreadId>>,
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

#[pymethods]
impl Batches {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        loop {
            let failed = {
                let _turn = Turn::of(self, py)?;
                let failed = lock(&self.state).failed.take();
                if failed.is_none()
                    && let Some(columns) = self.columns(py)?
                {
                    return Ok(Some(columns));
                }
                failed.or_else(|| lock(&self.state).failed.take())
            };
            match failed {
                Some(failure) => failure.tell(py, self.on_error.as_ref())?,
                None => return Ok(None),
            }
        }
    }

    /// How many files so far were no mail.
    #[getter]
    fn left_out(&self, py: Python<'_>) -> u64 {
        py.detach(|| lock(&self.state).walk.left_out)
    }
}

impl Batches {
    /// The next batch; `None` where there is no message, because of a failure or because the sources
    /// are at their end.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let batch = Batch::new(self);
        let columns = Columns::new(py, &self.wanted);
        let is_empty = thread::scope(|scope| {
            let first = py.detach(|| batch.take());
            let Some(first) = first else {
                return PyResult::Ok(true);
            };
            if !lock(&batch.taking).is_over {
                let chunks = self.batch.div_ceil(AT_ONCE);
                for _ in 1..self.threads.min(chunks) {
                    let helper = thread::Builder::new().spawn_scoped(scope, || batch.help());
                    // Those that there are do the work of one that cannot be had.
                    if helper.is_err() {
                        break;
                    }
                }
            }
            // Where Python's values cannot be made, the other threads go on to no further messages.
            let _end = End(&batch);
            py.detach(|| batch.read(first));
            loop {
                let pile = py.detach(|| batch.pile());
                if pile.is_empty() {
                    return Ok(false);
                }
                for rows in pile {
                    columns.push(py, rows)?;
                }
            }
        })?;
        if is_empty {
            Ok(None)
        } else {
            columns.finish(py).map(Some)
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to make the next batch.
struct Turn<'b> {
    batches: &'b Batches,
    _turn: MutexGuard<'b, ()>,
}

impl<'b> Turn<'b> {
    fn of(batches: &'b Batches, py: Python<'_>) -> PyResult<Self> {
        let this = thread::current().id();
        if *lock(&batches.by) == Some(this) {
            // Something that Python cleans up while values are made, and that would wait for itself.
            let sentence = "this thread is in the middle of a batch";
            return Err(PyRuntimeError::new_err(sentence));
        }
        let turn = batches.turn.lock_py_attached(py);
        let turn = turn.unwrap_or_else(PoisonError::into_inner);
        *lock(&batches.by) = Some(this);
        Ok(Turn {
            batches,
            _turn: turn,
        })
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *lock(&self.batches.by) = None;
    }
}

/// How many messages a thread takes at once.
const AT_ONCE: usize = 8;

/// How many times as many are read before Python's lock is asked for: other Python threads may keep
/// it for some milliseconds.
const PILE: usize = 8;

/// A batch that is being read. Its messages are taken by every thread, a few at a time.
struct Batch<'b> {
    batches: &'b Batches,
    taking: Mutex<Taking>,
    done: Mutex<Done>,
    /// Whoever waits for rows to be done is told here.
    told: Condvar,
}

/// What was taken of the messages.
#[derive(Default)]
struct Taking {
    times: usize,
    messages: usize,
    octets: usize,
    is_over: bool,
}

/// What was read.
#[derive(Default)]
struct Done {
    /// Rows in the order of the messages.
    ready: VecDeque<Rows>,
    /// How many were ready so far.
    times: usize,
    /// Rows before which others are missing, by their place.
    ahead: BTreeMap<usize, Rows>,
    /// What a thread that helps panicked with.
    panic: Option<Box<dyn Any + Send>>,
}

/// Messages that were taken, and how many times others were taken before.
type Chunk = (usize, Vec<Found>);

impl<'b> Batch<'b> {
    fn new(batches: &'b Batches) -> Self {
        Batch {
            batches,
            taking: Mutex::default(),
            done: Mutex::default(),
            told: Condvar::new(),
        }
    }

    /// The next messages of the batch, if there are any.
    fn take(&self) -> Option<Chunk> {
        let mut taking = lock(&self.taking);
        let mut state = lock(&self.batches.state);
        let mut found = Vec::new();
        while !taking.is_over && found.len() < AT_ONCE {
            match state.walk.next() {
                None => taking.is_over = true,
                Some(Ok(one)) => {
                    taking.messages += 1;
                    taking.octets += one.octets.as_ref().len();
                    taking.is_over = taking.messages >= self.batches.batch
                        || taking.octets >= self.batches.octets;
                    found.push(one);
                }
                Some(Err(failure)) => {
                    state.failed = Some(failure);
                    taking.is_over = true;
                }
            }
        }
        if found.is_empty() {
            return None;
        }
        taking.times += 1;
        Some((taking.times - 1, found))
    }

    fn read(&self, (place, found): Chunk) {
        let rows = Rows::read(found, &self.batches.wanted);
        let done = &mut *lock(&self.done);
        done.ahead.insert(place, rows);
        while let Some(rows) = done.ahead.remove(&done.times) {
            done.ready.push_back(rows);
            done.times += 1;
        }
        self.told.notify_one();
    }

    /// Reads until nothing is left to take.
    fn help(&self) {
        while let Some(chunk) = self.take() {
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.read(chunk))) {
                lock(&self.done).panic = Some(panic);
                self.told.notify_one();
                return;
            }
        }
    }

    /// The next rows, in the order of the messages, as soon as there are many or no further ones are to be read;
    /// nothing once all were given.
    fn pile(&self) -> VecDeque<Rows> {
        let is_short = || lock(&self.done).ready.len() < PILE;
        while is_short()
            && let Some(chunk) = self.take()
        {
            self.read(chunk);
        }
        let times = lock(&self.taking).times;
        let mut done = lock(&self.done);
        while done.panic.is_none() && done.ready.is_empty() && done.times < times {
            done = self.told.wait(done).unwrap_or_else(PoisonError::into_inner);
        }
        match done.panic.take() {
            // Python's caller gets it as an exception.
            Some(panic) => resume_unwind(panic),
            None => std::mem::take(&mut done.ready),
        }
    }
}

/// The end of a batch, of which nothing more is to be taken.
struct End<'b>(&'b Batch<'b>);

impl Drop for End<'_> {
    fn drop(&mut self) {
        lock(&self.0.taking).is_over = true;
    }
}
