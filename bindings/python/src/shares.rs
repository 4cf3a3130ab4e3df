//! A conversion and its proof in steps, for many processes; only `mime_charset.spark` calls them.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use mime_charset_archive::{Convert, Verify};
use mime_charset_archive::{Existing, Piece};
use pyo3::prelude::*;

use crate::archive::Input;
use crate::batch;

/// One step of a conversion: `begin`, `go on` (continues an interrupted run), a named share of
/// `pieces`, or the `end`, which completes the shares.
#[pyfunction(name = "_convert_step")]
pub(crate) fn convert_step<'py>(
    py: Python<'py>,
    step: &str,
    source: PathBuf,
    destination: PathBuf,
    report: Option<PathBuf>,
    name: &str,
    pieces: Vec<Input>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut run = Convert::new(source, destination);
    if let Some(report) = report {
        run = run.report(report);
    }
    if matches!(step, "go on" | "end") {
        run = run.existing(Existing::Resume);
    }
    if step == "share" {
        run = run.share(name, whole(pieces)).threads(NonZeroUsize::MIN);
    }
    let is_begin = matches!(step, "begin" | "go on");
    // `mime_charset.spark.convert` has no `existing="replace"`.
    let start_over = "deleting the results and the report starts over";
    batch::converted(py, &run, is_begin, None, start_over)
}

/// The proof of a share of `pieces`; without pieces, the proof of the rest.
#[pyfunction(name = "_verify_step")]
pub(crate) fn verify_step(
    py: Python<'_>,
    source: PathBuf,
    destination: PathBuf,
    report: Option<PathBuf>,
    pieces: Option<Vec<Input>>,
) -> PyResult<Bound<'_, PyAny>> {
    let mut run = Verify::new(source, destination).threads(NonZeroUsize::MIN);
    if let Some(report) = report {
        run = run.report(report);
    }
    run = match pieces {
        Some(pieces) => run.share(whole(pieces)),
        None => run.rest(),
    };
    batch::proved(py, &run, None)
}

fn whole(pieces: Vec<Input>) -> Vec<Piece> {
    let pieces = pieces.into_iter().filter_map(Input::into_piece);
    pieces.collect()
}
