//! `convert` and `verify`: converts an archive to UTF-8, and proves that nothing else was changed.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use mime_charset_archive::Existing;
use mime_charset_archive::Remedy;
use mime_charset_archive::{Convert, End, Event, Mismatch, Progress, Selection, Verify};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::archive::number_and_sentence;
use crate::octets::unexpected;
use crate::{Error, values};

/// Converts the mail in a file, a mailbox, a Maildir or a folder to UTF-8, in the same layout.
///
/// Each file is written completely or not at all. `report` is the path of a new file that lists
/// every decision and change, one JSON object per line. `existing` selects how to treat existing
/// files: "refuse", "replace", or "resume", which continues an interrupted run. `progress` is
/// called at most ten times a second and at the end, with the number of messages and octets done,
/// and the total number of octets. A KeyboardInterrupt is raised after the current message; a file
/// in progress is not written, and `existing="resume"` continues the run.
///
/// `exclude` and `only` are lists of patterns such as `"*.bak"`. A pattern matches names, or paths
/// if it has a slash. With `accept_unread` a run counts as complete without the files that cannot
/// be read; the report lists them.
///
/// If a single file cannot be read, the others are converted, and the result lists it. If the whole
/// run is impossible, raises OSError, or mime_charset.Error if the arguments are invalid.
#[pyfunction]
#[pyo3(signature = (source, destination, *, report=None, existing="refuse", exclude=Vec::new(), only=Vec::new(), accept_unread=false, threads=0, progress=None))]
#[expect(clippy::too_many_arguments, reason = "Python's, by keyword")]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    source: PathBuf,
    destination: PathBuf,
    report: Option<PathBuf>,
    existing: &str,
    exclude: Vec<String>,
    only: Vec<String>,
    accept_unread: bool,
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
    let mut run = Convert::new(source, destination)
        .existing(existing)
        .selection(selection(&exclude, &only)?)
        .accept_unread(accept_unread);
    if let Some(report) = report {
        run = run.report(report);
    }
    if let Some(threads) = NonZeroUsize::new(threads) {
        run = run.threads(threads);
    }
    converted(py, &run, false, progress, REPLACE)
}

/// How to start over, in errors about existing files.
const REPLACE: &str = "existing=\"replace\" starts over";

/// The outcome of a conversion. To only start a run, it is cancelled immediately. `start_over` ends
/// the errors about existing files.
pub(crate) fn converted<'py>(
    py: Python<'py>,
    run: &Convert,
    is_cancelled: bool,
    progress: Option<Py<PyAny>>,
    start_over: &'static str,
) -> PyResult<Bound<'py, PyAny>> {
    let cancelled = AtomicBool::new(is_cancelled);
    let mut observer = Observer::new(py, &cancelled, progress)?;
    let outcome = py.detach(|| run.run(&cancelled, |event| observer.see(&event)));
    let (outcome, seen) = observer.finish(py, outcome, start_over)?;
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

/// Proves that a destination is the conversion of its source: every octet outside the changes is
/// equal, and every changed field and part has the same text as before.
///
/// The changes are those in the `report` of the conversion; without a report, the source is
/// converted again to find them. The result lists all differences; `holds` is true if there are
/// none and everything was read.
///
/// `exclude`, `only` and `accept_unread` must be those of the conversion; a report has them.
#[pyfunction]
#[pyo3(signature = (source, destination, *, report=None, exclude=Vec::new(), only=Vec::new(), accept_unread=false, threads=0, progress=None))]
#[expect(clippy::too_many_arguments, reason = "Python's, by keyword")]
pub(crate) fn verify(
    py: Python<'_>,
    source: PathBuf,
    destination: PathBuf,
    report: Option<PathBuf>,
    exclude: Vec<String>,
    only: Vec<String>,
    accept_unread: bool,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'_, PyAny>> {
    let mut run = Verify::new(source, destination)
        .selection(selection(&exclude, &only)?)
        .accept_unread(accept_unread);
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
    let mut observer = Observer::new(py, &cancelled, progress)?;
    let proof = py.detach(|| run.run(&cancelled, |event| observer.see(&event)));
    let (proof, seen) = observer.finish(py, proof, REPLACE)?;
    values::proof(py, &proof, &seen.mismatches, seen.failed)
}

/// The files selected by patterns; a malformed pattern raises Error.
fn selection(exclude: &[String], only: &[String]) -> PyResult<Selection> {
    let all = Ok(Selection::new());
    let some = exclude.iter().fold(all, |it, pattern| it?.exclude(pattern));
    let some = only.iter().fold(some, |it, pattern| it?.only(pattern));
    some.map_err(|error| raised(&error, REPLACE))
}

/// The exception for an error that stops a run.
fn raised(error: &mime_charset_archive::Error, start_over: &str) -> PyErr {
    let (number, sentence) = number_and_sentence(error);
    let sentence = match error.remedy() {
        Some(Remedy::ResumeOrReplace) => {
            format!("{sentence}; existing=\"resume\" continues an interrupted run, {start_over}")
        }
        Some(Remedy::Replace) => format!("{sentence}; {start_over}"),
        _ => sentence,
    };
    match number {
        Some(number) => PyOSError::new_err((number, sentence)),
        None if error.io_kind().is_some() => PyOSError::new_err(sentence),
        None => Error::new_err(sentence),
    }
}

/// Maximum number of files reported by name, per kind.
const TOLD: usize = 1000;

/// Minimum interval between calls into Python.
const PAUSE: Duration = Duration::from_millis(100);

/// The results of a run so far.
#[derive(Default)]
struct Seen {
    failed: Vec<String>,
    no_mail: Vec<String>,
    mismatches: Vec<Mismatch>,
}

/// Messages and octets done, and the total number of octets.
type Numbers = (u64, u64, Option<u64>);

/// Observes a run while Python's lock is released.
struct Observer<'c> {
    cancelled: &'c AtomicBool,
    progress: Option<Py<PyAny>>,
    /// Numbers that `progress` was not called with.
    untold: Option<Numbers>,
    asked: Instant,
    raised: Option<PyErr>,
    seen: Seen,
}

impl<'c> Observer<'c> {
    fn new(
        py: Python<'_>,
        cancelled: &'c AtomicBool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let given = progress.as_ref().map(|progress| progress.bind(py));
        if let Some(given) = given.filter(|given| !given.is_callable()) {
            return Err(unexpected("a function for progress", given));
        }
        Ok(Observer {
            cancelled,
            progress,
            untold: None,
            asked: Instant::now(),
            raised: None,
            seen: Seen::default(),
        })
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
        if self.raised.is_some() {
            return;
        }
        if self.progress.is_some() {
            self.untold = Some((done.messages, done.octets, done.total_octets()));
        }
        if self.asked.elapsed() < PAUSE {
            return;
        }
        self.asked = Instant::now();
        let told = Python::attach(|py| {
            py.check_signals()?;
            self.report(py)
        });
        if let Err(error) = told {
            self.raised = Some(error);
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }

    fn report(&mut self, py: Python<'_>) -> PyResult<()> {
        match (&self.progress, self.untold.take()) {
            (Some(progress), Some(numbers)) => progress.call1(py, numbers).map(drop),
            _ => Ok(()),
        }
    }

    /// Reports the final numbers, unless the run failed or was interrupted.
    fn finish<T>(
        mut self,
        py: Python<'_>,
        outcome: Result<T, mime_charset_archive::Error>,
        start_over: &str,
    ) -> PyResult<(T, Seen)> {
        if let Some(error) = self.raised {
            return Err(error);
        }
        let outcome = outcome.map_err(|error| raised(&error, start_over))?;
        self.report(py)?;
        Ok((outcome, self.seen))
    }
}

fn tell<T>(told: &mut Vec<T>, one: impl FnOnce() -> T) {
    if told.len() < TOLD {
        told.push(one());
    }
}
