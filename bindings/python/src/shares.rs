//! A conversion in steps, for many processes: `mime_charset.spark` alone calls it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use mime_charset::archive::{Existing, Piece};
use mime_charset::batch::{Convert, End, Event};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::archive::Input;

/// How a step ended, the files, messages and octets, the changed fields and parts, and what failed.
type Made = (&'static str, u64, u64, u64, u64, u64, Vec<String>);

/// One step of a conversion: `begin`, `go on` with one that was interrupted, a share of `pieces` with
/// a name of its own, or the `end`, which takes up what the shares have done.
#[pyfunction(name = "_convert_step")]
pub(crate) fn convert_step(
    py: Python<'_>,
    step: &str,
    source: PathBuf,
    destination: PathBuf,
    report: Option<PathBuf>,
    name: &str,
    pieces: Vec<Input>,
) -> PyResult<Made> {
    let mut run = Convert::new(source, destination);
    if let Some(report) = report {
        run = run.report(report);
    }
    if matches!(step, "go on" | "end") {
        run = run.existing(Existing::Resume);
    }
    if step == "share" {
        let pieces = pieces.into_iter().filter_map(Input::into_piece);
        run = run.share(name, pieces.collect::<Vec<Piece>>());
        run = run.threads(std::num::NonZeroUsize::MIN);
    }
    let cancelled = AtomicBool::new(matches!(step, "begin" | "go on"));
    let mut failed = Vec::new();
    let mut raised = None;
    let outcome = py.detach(|| {
        run.run(&cancelled, |event| match event {
            Event::Failed(sentence) => failed.push(sentence.to_owned()),
            Event::Progress(_) => {
                // A KeyboardInterrupt, or a task that Spark has ended.
                let error = Python::attach(|py| py.check_signals().err());
                if error.is_some() {
                    raised = error;
                    cancelled.store(true, Ordering::Relaxed);
                }
            }
            _ => {}
        })
    });
    if let Some(error) = raised {
        return Err(error);
    }
    let outcome = outcome.map_err(|error| PyOSError::new_err(error.to_string()))?;
    let end = match outcome.end() {
        End::Done => "done",
        End::NothingLeft => "nothing-left",
        End::Cancelled => "cancelled",
        End::Malformed => "malformed",
        // The library may learn of a further way.
        _ => "incomplete",
    };
    let it = outcome.summary();
    let (fields, parts) = (it.changed_fields(), it.changed_parts());
    Ok((
        end,
        it.files(),
        it.messages(),
        it.octets(),
        fields,
        parts,
        failed,
    ))
}
