//! `read`: decodes many messages into columns, on several threads.
//!
//! Only one thread at a time can create Python values. To keep the others busy, the thread that
//! requests a batch creates the values of finished rows while the others decode. If too few are
//! finished, it decodes too. While Python uses and frees a batch, the others read some messages
//! ahead.

use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::PyDict;

use crate::Error;
use crate::archive::{Failure, Found, Input, Walk};
use crate::rows::{Columns, Rows};

/// The columns, in order.
const COLUMNS: [&str; 25] = [
    "path",
    "container",
    "member",
    "path_octets",
    "member_octets",
    "index",
    "offset",
    "length",
    "sha256",
    "subject",
    "from",
    "to",
    "cc",
    "date",
    "date_seconds",
    "received_seconds",
    "message_id",
    "in_reply_to",
    "references",
    "store_flags",
    "store_labels",
    "store_thread",
    "fields",
    "parts",
    "findings",
];

/// The properties of a part in the column `parts`, in order.
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

/// Properties of a part that are read only if requested: a checksum of all octets is slow.
const NAMED_OF_PARTS: [&str; 2] = ["sha256", "is_attachment"];

/// Reads batches of messages as columns: dictionaries of lists with one value per message, in the order of
/// the sources.
///
/// `sources` is a path, a piece, the octets of a message (bytes, bytearray, memoryview or mmap), or a list of
/// these; an open file raises TypeError. Only `columns` are decoded; `parts.text` is one key of the parts. A
/// batch is full at `batch` messages or `octets` octets. `threads` is the number of threads that decode; 0
/// means one per processor. Several threads also read ahead into the next batch. Other threads of Python keep
/// running.
///
/// A file that cannot be read raises OSError after the messages before it, or is passed to `on_error`. An
/// unknown column raises Error.
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
    let inputs = Input::all(sources)?;
    let wanted = columns.map_or_else(|| Ok(Wanted::all()), |names| Wanted::these(&names))?;
    let threads = match threads {
        0 => thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads,
    };
    let queue = Queue::new(Walk::new(inputs), threads, batch.max(1), octets, wanted);
    Ok(Batches {
        queue: Arc::new(queue),
        process: process::id(),
        failed: Mutex::default(),
        left_out: AtomicU64::new(0),
        turn: Mutex::new(()),
        by: Mutex::new(None),
        on_error,
    })
}

/// The selected columns, and the selected properties of parts, in order.
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
            let mut known = OF_PARTS.into_iter().chain(NAMED_OF_PARTS);
            known.find(|known| *known == of)
        };
        let is_known = |name: &str| COLUMNS.contains(&name) || of_parts(name).is_some();
        if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
            let (columns, parts) = (COLUMNS.join(", "), OF_PARTS.join(", parts."));
            let sentence =
                format!("expected columns from {columns}, parts.{parts}, found {unknown:?}");
            return Err(Error::new_err(sentence));
        }
        let all_of_parts = names.iter().any(|name| name == "parts");
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        let has_of_parts = |wanted: &str| names.iter().any(|name| of_parts(name) == Some(wanted));
        let usual = OF_PARTS
            .into_iter()
            .filter(|name| all_of_parts || has_of_parts(name));
        let on_demand = NAMED_OF_PARTS.into_iter().filter(|name| has_of_parts(name));
        let of_parts: Vec<_> = usual.chain(on_demand).collect();
        let columns = COLUMNS
            .into_iter()
            .filter(|name| has(name) || *name == "parts" && !of_parts.is_empty())
            .collect();
        Ok(Wanted { columns, of_parts })
    }

    /// Whether one of these properties of parts is selected.
    pub(crate) fn of_parts(&self, names: &[&str]) -> bool {
        self.of_parts.iter().any(|name| names.contains(name))
    }
}

/// The iterator of `read`.
#[pyclass(frozen, module = "mime_charset")]
pub(crate) struct Batches {
    queue: Arc<Queue>,
    /// The process that owns the threads.
    process: u32,
    /// An error to raise after the next batch.
    failed: Mutex<Option<Failure>>,
    left_out: AtomicU64,
    /// Held by the thread that builds a batch, so that no other thread takes rows of that batch.
    turn: Mutex<()>,
    /// The thread that holds `turn`.
    by: Mutex<Option<ThreadId>>,
    on_error: Option<Py<PyAny>>,
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
                let failed = lock(&self.failed).take();
                if failed.is_none()
                    && let Some(columns) = self.columns(py)?
                {
                    return Ok(Some(columns));
                }
                failed.or_else(|| lock(&self.failed).take())
            };
            match failed {
                Some(failure) => failure.tell(py, self.on_error.as_ref())?,
                None => return Ok(None),
            }
        }
    }

    /// The number of files so far that are not mail.
    #[getter]
    fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }
}

impl Batches {
    /// The next batch; `None` if there is no message, because of a failure or at the end of the
    /// sources.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        if self.process != process::id() && Arc::strong_count(&self.queue) > 1 {
            let sentence = "this batch iterator belongs to the parent process";
            return Err(PyRuntimeError::new_err(sentence));
        }
        let columns = Columns::new(py, &self.queue.wanted);
        let waiting = WaitGuard::of(&self.queue);
        py.detach(|| self.queue.begin());
        let mut is_empty = true;
        let end = 'batch: loop {
            for chunk in py.detach(|| self.queue.collect_rows()) {
                self.left_out.store(chunk.left_out, Ordering::Relaxed);
                // Python's caller gets a panic as an exception.
                let rows = chunk.rows.unwrap_or_else(|panic| resume_unwind(panic));
                is_empty &= rows.is_empty();
                columns.push(py, rows)?;
                if let Some(end) = chunk.end {
                    break 'batch end;
                }
            }
        };
        drop(waiting);
        if let End::Failed(failure) = end {
            *lock(&self.failed) = Some(failure);
        }
        if is_empty {
            Ok(None)
        } else {
            columns.finish(py).map(Some)
        }
    }
}

impl Drop for Batches {
    fn drop(&mut self) {
        self.queue.is_closed.store(true, Ordering::Relaxed);
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
            // A finalizer run by Python while values are created would deadlock.
            let sentence = "this thread is already reading a batch";
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

/// Number of messages that a thread takes at once.
const AT_ONCE: usize = 8;

/// Minimum number of groups to decode before acquiring Python's lock: other Python threads may hold
/// it for some milliseconds.
const MIN_GROUPS: usize = 8;

/// Maximum number of groups that each thread may be ahead of Python.
const MAX_GROUPS_AHEAD: usize = 4 * MIN_GROUPS;

/// Messages between the sources and Python values. Every thread takes a few at a time; Python gets
/// them in order.
struct Queue {
    wanted: Wanted,
    threads: usize,
    batch: usize,
    octets: usize,
    source: Mutex<Source>,
    done: Mutex<Done>,
    /// Signals finished rows.
    ready_signal: Condvar,
    /// Signals that more messages may be taken.
    space: Condvar,
    /// Whether no more batches will be requested.
    is_closed: AtomicBool,
}

/// The source of messages.
struct Source {
    walk: Walk,
    times: usize,
    /// Size of the current batch.
    messages: usize,
    octets: usize,
}

/// Messages taken and read.
#[derive(Default)]
struct Done {
    /// Decoded rows, in message order.
    ready: VecDeque<Read>,
    /// Numbers of finished, taken and returned groups.
    times: usize,
    taken: usize,
    given: usize,
    /// The number of octets in messages that were taken but not returned to Python yet.
    octets: usize,
    /// Rows finished before earlier ones, by index.
    ahead: BTreeMap<usize, Read>,
    /// The number of helper threads.
    helpers: usize,
    /// Whether everything was taken.
    is_finished: bool,
    /// Whether Python waits for a batch.
    is_waiting: bool,
    /// The panic of a helper thread while taking messages.
    panic: Option<Box<dyn Any + Send>>,
}

/// A group of messages that was taken.
struct Taken {
    /// The index of the group.
    place: usize,
    found: Vec<Found>,
    octets: usize,
    end: Option<End>,
    left_out: u64,
}

/// The rows of a group, or the panic that ended decoding it.
struct Read {
    rows: Result<Rows, Box<dyn Any + Send>>,
    octets: usize,
    end: Option<End>,
    /// The number of files before their end that are not mail.
    left_out: u64,
}

/// The reason that a batch ends.
enum End {
    Full,
    Failed(Failure),
    Over,
}

impl Queue {
    fn new(walk: Walk, threads: usize, batch: usize, octets: usize, wanted: Wanted) -> Self {
        Queue {
            wanted,
            threads,
            batch,
            octets,
            source: Mutex::new(Source {
                walk,
                times: 0,
                messages: 0,
                octets: 0,
            }),
            done: Mutex::default(),
            ready_signal: Condvar::new(),
            space: Condvar::new(),
            is_closed: AtomicBool::new(false),
        }
    }

    /// The next messages, all for one batch; none after the end of the sources.
    fn take(&self) -> Option<Taken> {
        let mut source = lock(&self.source);
        let source = &mut *source;
        if lock(&self.done).is_finished {
            return None;
        }
        let mut found = Vec::new();
        let mut octets = 0;
        let mut end = None;
        while end.is_none() && found.len() < AT_ONCE {
            match source.walk.next() {
                None => end = Some(End::Over),
                Some(Ok(one)) => {
                    let length = one.octets.as_ref().len();
                    octets += length;
                    source.messages += 1;
                    source.octets += length;
                    if source.messages >= self.batch || source.octets >= self.octets {
                        end = Some(End::Full);
                    }
                    found.push(one);
                }
                Some(Err(failure)) => end = Some(End::Failed(failure)),
            }
        }
        if end.is_some() {
            (source.messages, source.octets) = (0, 0);
        }
        let place = source.times;
        source.times += 1;
        let mut done = lock(&self.done);
        done.taken += 1;
        done.octets += octets;
        done.is_finished = matches!(end, Some(End::Over));
        Some(Taken {
            place,
            found,
            octets,
            end,
            left_out: source.walk.left_out,
        })
    }

    fn read(&self, taken: Taken) {
        let read = || Rows::read(taken.found, &self.wanted);
        let read = Read {
            rows: catch_unwind(AssertUnwindSafe(read)),
            octets: taken.octets,
            end: taken.end,
            left_out: taken.left_out,
        };
        let done = &mut *lock(&self.done);
        done.ahead.insert(taken.place, read);
        while let Some(read) = done.ahead.remove(&done.times) {
            done.ready.push_back(read);
            done.times += 1;
        }
        self.ready_signal.notify_one();
    }

    /// Decodes the first messages of a batch, and starts helpers unless little is left.
    fn begin(self: &Arc<Self>) {
        let first = self.take();
        let mut done = lock(&self.done);
        if !done.is_finished {
            for _ in done.helpers..self.threads - 1 {
                let queue = Arc::clone(self);
                // If a thread cannot be created, carry on with the others.
                if thread::Builder::new().spawn(move || queue.help()).is_err() {
                    break;
                }
                done.helpers += 1;
            }
        }
        drop(done);
        if let Some(first) = first {
            self.read(first);
        }
    }

    /// Decodes while Python waits for a batch, and until enough is decoded for the next.
    fn help(&self) {
        while self.may_take() {
            match catch_unwind(AssertUnwindSafe(|| self.take())) {
                Ok(taken) => {
                    if let Some(taken) = taken {
                        self.read(taken);
                    }
                }
                Err(panic) => {
                    let mut done = lock(&self.done);
                    done.panic = Some(panic);
                    done.helpers -= 1;
                    self.ready_signal.notify_one();
                    return;
                }
            }
        }
    }

    /// Whether to take more messages, possibly after waiting; if not, the helper ends.
    fn may_take(&self) -> bool {
        let most = self.threads * MAX_GROUPS_AHEAD;
        let mut done = lock(&self.done);
        let may = loop {
            if done.is_finished || self.is_closed.load(Ordering::Relaxed) {
                break false;
            }
            if self.is_within(most, &done) {
                break true;
            }
            if !done.is_waiting {
                break false;
            }
            done = self
                .space
                .wait(done)
                .unwrap_or_else(PoisonError::into_inner);
        };
        if !may {
            done.helpers -= 1;
        }
        may
    }

    /// Whether the messages between the sources and Python are fewer than `most`, and fewer than a
    /// batch.
    fn is_within(&self, most: usize, done: &Done) -> bool {
        let most = most.min(self.batch.div_ceil(AT_ONCE));
        let ahead = done.taken - done.given;
        ahead == 0 || ahead < most && done.octets < self.octets
    }

    /// The next rows for Python, all for one batch. Waits until there are many, or nothing is left
    /// to decode.
    fn collect_rows(&self) -> Vec<Read> {
        // If another thread is slow with one message, this thread decodes at most a batch beyond
        // that message. With a lower bound this thread would often sleep, and systems then keep
        // both threads on one processor.
        let is_short = || {
            let done = lock(&self.done);
            let has_end = done.ready.iter().any(|read| read.end.is_some());
            done.ready.len() < MIN_GROUPS && !has_end && self.is_within(usize::MAX, &done)
        };
        while is_short()
            && let Some(taken) = self.take()
        {
            self.read(taken);
        }
        let mut done = lock(&self.done);
        while done.ready.is_empty() && done.times < done.taken && done.panic.is_none() {
            done = self
                .ready_signal
                .wait(done)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if let Some(panic) = done.panic.take() {
            drop(done);
            resume_unwind(panic);
        }
        let mut rows = Vec::new();
        while let Some(read) = done.ready.pop_front() {
            let is_end = read.end.is_some();
            done.given += 1;
            done.octets -= read.octets;
            rows.push(read);
            if is_end {
                break;
            }
        }
        drop(done);
        self.space.notify_all();
        if rows.is_empty() {
            // After the end of the sources.
            rows.push(Read {
                rows: Ok(Rows::read(Vec::new(), &self.wanted)),
                octets: 0,
                end: Some(End::Over),
                left_out: lock(&self.source).walk.left_out,
            });
        }
        rows
    }
}

/// Marks that Python waits for a batch.
struct WaitGuard<'q>(&'q Queue);

impl<'q> WaitGuard<'q> {
    fn of(queue: &'q Queue) -> Self {
        lock(&queue.done).is_waiting = true;
        WaitGuard(queue)
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        lock(&self.0.done).is_waiting = false;
        self.0.space.notify_all();
    }
}
