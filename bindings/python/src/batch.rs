//! `convert` and `verify`: an archive converted to UTF-8, and the proof that nothing else was changed.

use std::error::Error as _;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mime_charset_archive::Existing;
use mime_charset_archive::Remedy;
use mime_charset_archive::{Convert, End, Event, Mismatch, Progress, Verify};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::{Error, values};

/// Converts the mail in a file, a mailbox, a Maildir or a folder to UTF-8, in the same layout.
///
/// Each file is written whole or not at all. `report` names a file that gets every decision and every
/// change, one JSON object a line. `existing` says what is done about files that are there already:
/// "refuse", "replace", or "resume", which continues an interrupted run. `progress` is called
/// with the messages and octets that are done and the octets of all files, ten times a second at most.
/// A KeyboardInterrupt ends the run as soon as what is begun is written, and is raised then.
///
/// A single file that cannot be read is no exception: the result tells it, and the others are converted.
/// What makes the whole run impossible raises OSError, or mime_charset.Error where it is for the program
/// to mend.
#[pyfunction]
#[pyo3(signature = (source, destination, *, report=None, existing="refuse", threads=0, progress=None))]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    source: PathBuf,
    destination: PathBuf,
    report: Option<PathBuf>,
    existing: &str,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let existing = match existing {
        "refuse" => Existing::Refuse,
        "replace" => Existing::Replace,
        "resume" => Existing::Resume,
        other => {
            let sentence = format!("expected refuse, replace or resume, found {other:?}");
            return Err(Error::new_err(sentence));
        }
    };
    let mut run = Convert::new(source, destination).existing(existing);
    if let Some(report) = report {
        run = run.report(report);
    }
    if let Some(threads) = NonZeroUsize::new(threads) {
        run = run.threads(threads);
    }
    converted(py, &run, false, progress)
}

/// The outcome of a conversion, which is cancelled at the start if it is only to begin.
pub(crate) fn converted<'py>(
    py: Python<'py>,
    run: &Convert,
    is_cancelled: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let cancelled = AtomicBool::new(is_cancelled);
    let mut observer = Observer::new(&cancelled, progress);
    let outcome = py.detach(|| run.run(&cancelled, |event| observer.see(&event)));
    let seen = observer.finish()?;
    let outcome = outcome.map_err(|error| raised(&error))?;
    let end = match outcome.end {
        End::Done => "done",
        End::NothingLeft => "nothing-left",
        End::Cancelled => "cancelled",
        End::Malformed => "malformed",
        // The library may add other outcomes.
        _ => "incomplete",
    };
    values::conversion(py, end, &outcome.summary, seen.failed, seen.no_mail)
}

/// Proves that a destination is what `convert` made of the source: that everything but its changes is
/// the same, octet for octet, and that every change says what was there before.
///
/// With the `report` of the conversion its changes are taken from there, and else found again. What is
/// not as it has to be is in the result; `holds` is true where nothing is, and all was read.
#[pyfunction]
#[pyo3(signature = (source, destination, *, report=None, threads=0, progress=None))]
pub(crate) fn verify(
    py: Python<'_>,
    source: PathBuf,
    destination: PathBuf,
    report: Option<PathBuf>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'_, PyAny>> {
    let mut run = Verify::new(source, destination);
    if let Some(report) = report {
        run = run.report(report);
    }
    if let Some(threads) = NonZeroUsize::new(threads) {
        run = run.threads(threads);
    }
    proved(py, &run, progress)
}

pub(crate) fn proved<'py>(
    py: Python<'py>,
    run: &Verify,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let cancelled = AtomicBool::new(false);
    let mut observer = Observer::new(&cancelled, progress);
    let proof = py.detach(|| run.run(&cancelled, |event| observer.see(&event)));
    let seen = observer.finish()?;
    let proof = proof.map_err(|error| raised(&error))?;
    values::proof(py, &proof, &seen.mismatches, seen.failed)
}

/// The exception for an error that stops a run.
fn raised(error: &mime_charset_archive::Error) -> PyErr {
    let sentence = match error.remedy() {
        Some(Remedy::ResumeOrReplace) => format!(
            "{error}; existing=\"resume\" continues an interrupted run, \
             existing=\"replace\" starts over"
        ),
        Some(Remedy::Replace) => format!("{error}; existing=\"replace\" starts over"),
        _ => error.to_string(),
    };
    let Some(cause) = error.source().and_then(|it| it.downcast_ref::<io::Error>()) else {
        return Error::new_err(sentence);
    };
    match cause.raw_os_error() {
        Some(number) => PyOSError::new_err((number, sentence)),
        None => PyOSError::new_err(sentence),
    }
}

/// Maximum number of files reported by name, per kind.
const TOLD: usize = 1000;

/// Minimum interval between calls of Python.
const PAUSE: Duration = Duration::from_millis(100);

/// The results of a run so far.
#[derive(Default)]
struct Seen {
    failed: Vec<String>,
    no_mail: Vec<String>,
    mismatches: Vec<Mismatch>,
}

/// Observes a run while Python's lock is released.
struct Observer<'c> {
    cancelled: &'c AtomicBool,
    progress: Option<Py<PyAny>>,
    asked: Instant,
    raised: Option<PyErr>,
    seen: Seen,
}

impl<'c> Observer<'c> {
    fn new(cancelled: &'c AtomicBool, progress: Option<Py<PyAny>>) -> Self {
        Observer {
            cancelled,
            progress,
            asked: Instant::now(),
            raised: None,
            seen: Seen::default(),
        }
    }

    fn see(&mut self, event: &Event<'_>) {
        let seen = &mut self.seen;
        match event {
            Event::Failed(sentence) | Event::Malformed(sentence) => {
                tell(&mut seen.failed, || (*sentence).to_owned());
            }
            Event::NoMail(path) => tell(&mut seen.no_mail, || (*path).to_owned()),
            Event::Mismatch(mismatch) => tell(&mut seen.mismatches, || (*mismatch).clone()),
            Event::Progress(done) => self.ask(done),
            _ => {}
        }
    }

    /// Lets Python handle signals, and reports progress.
    fn ask(&mut self, done: &Progress) {
        if self.raised.is_some() || self.asked.elapsed() < PAUSE {
            return;
        }
        self.asked = Instant::now();
        let told = Python::attach(|py| {
            py.check_signals()?;
            let Some(progress) = &self.progress else {
                return Ok(());
            };
            let numbers = (done.messages, done.octets, done.total_octets());
            progress.call1(py, numbers).map(drop)
        });
        if let Err(error) = told {
            self.raised = Some(error);
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn finish(self) -> PyResult<Seen> {
        match self.raised {
            Some(error) => Err(error),
            None => Ok(self.seen),
        }
    }
}

fn tell<T>(told: &mut Vec<T>, one: impl FnOnce() -> T) {
    if told.len() < TOLD {
        told.push(one());
    }
}
