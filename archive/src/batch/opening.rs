//! Opens and closes the outputs of a conversion: the destination and the report.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize as _;
use serde_json::Value;

use super::done::Done;
use super::job::Job;
use super::listed::{self, Index, Name};
use super::outcome::End;
use super::record;
use super::report::{self, Report};
use super::settings;
use super::summary::Summary;
use crate::error::{Error, Remedy, cannot};
use crate::store::unfinished::UNFINISHED;
use crate::store::{
    Destination, Existing, Layout, Piece, append_share, check_report_name, journal_path,
    share_journals, share_path,
};

/// The destination, except in a dry run; the report, if any; and the places of the report.
pub(super) type Outputs = (Option<Destination>, Option<Report>, HashSet<PathBuf>);

/// Opens the destination and the report. Fails if they must not be written to. If `repeats`, the run
/// converts everything again and compares it with the results of a [complete run](Earlier::Repaired).
pub(super) fn begin(job: &Job, layout: &Layout, repeats: bool) -> Result<Outputs, Error> {
    let first = record::run_record(job, job.is_dry);
    if let Some(share) = &job.share {
        return begin_share(job, layout, share, &first);
    }
    let (forces, resumes) = (
        job.existing == Existing::Replace,
        job.existing == Existing::Resume,
    );
    let path = job.report.as_deref();
    path.map(check_report_name).transpose()?;
    let part = path.map(report::part_of);
    let places = path.into_iter().chain(part.as_deref());
    let real = places
        .clone()
        .map(|place| check_report(place, layout))
        .collect::<Result<HashSet<_>, _>>()?;
    let is_there = |place: &&Path| {
        let is_dry = Some(*place) == path && report::is_of_dry_run(place);
        fs::symlink_metadata(place).is_ok() && !is_dry
    };
    let refuse = |place: &Path| {
        let sentence = format!("{} already exists", place.display());
        Err(Error::new(sentence).with_remedy(Remedy::ResumeOrReplace))
    };
    if job.is_dry {
        if let Some(path) = path.filter(is_there) {
            let sentence = format!("{} already exists; choose another file", path.display());
            return Err(Error::new(sentence));
        }
        let report = path.map(|path| Report::open_dry_run(path, &first));
        return Ok((None, report.transpose()?, real));
    }
    if !(forces || resumes)
        && let Some(place) = places.clone().find(is_there)
    {
        return refuse(place);
    }
    if resumes {
        gather(job, layout)?;
    }
    let (source, destination, settings) = (&*job.source, &*job.destination, &*settings(job));
    let destination = if repeats {
        Destination::repeated(source, destination, settings)?
    } else {
        Destination::new(source, destination, job.existing, settings)?
    };
    let is_resumed = destination.resumes();
    let is_ours = |place: &&Path| {
        // After a crash an unfinished report may begin with anything.
        is_resumed && (Some(*place) != path || report::first_line(place).as_ref() == Some(&first))
    };
    if resumes && let Some(place) = places.filter(is_there).find(|place| !is_ours(place)) {
        destination.abandon()?;
        return refuse(place);
    }
    let existing = match (forces, is_resumed) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Resume,
        _ => Existing::Refuse,
    };
    let report = path.map(|path| Report::open(path, existing, &first));
    match report.transpose() {
        Ok(report) => Ok((Some(destination), report, real)),
        Err(error) => {
            destination.abandon()?;
            Err(error)
        }
    }
}

/// Opens the output of a share, one of several processes that convert an archive together
/// ([`Convert::share`](super::Convert::share)): its results, its own journal, and its report lines.
fn begin_share(job: &Job, layout: &Layout, share: &str, first: &Value) -> Result<Outputs, Error> {
    let settings = settings(job);
    let destination = Destination::of_share(&job.source, &job.destination, share, &settings)?;
    let lines = share_path(&layout.place(Path::new("")), share, "report");
    let report = job.report.as_ref();
    let report = report.map(|_| Report::open(&lines, Existing::Refuse, first));
    let report = report.transpose().inspect_err(|_| {
        // A share that failed to open was not started.
        let _ = fs::remove_file(share_path(&layout.place(Path::new("")), share, "journal"));
    })?;
    Ok((Some(destination), report, HashSet::new()))
}

/// Appends the journals of shares to the run's journal, and their lines to its report. If the
/// process is killed meanwhile, the next run repeats this. Lines to which no journal refers are
/// dropped at the end.
fn gather(job: &Job, layout: &Layout) -> Result<(), Error> {
    let (shares, journal) = share_journals(&layout.place(Path::new("")));
    let part = job.report.as_deref().map(report::part_of);
    for share in shares {
        // Its lines are in `NAME.report.part`, next to `NAME.journal`.
        let lines = report::part_of(&share.with_extension("report"));
        if part.is_some() && fs::symlink_metadata(&lines).is_err() {
            // The share was killed at the start, or lost its lines. Its results are recognized by
            // their octets.
            let _ = fs::remove_file(&share);
            continue;
        }
        let append = |part: &PathBuf| -> io::Result<u64> {
            let mut all = OpenOptions::new().append(true).open(part)?;
            let from = all.seek(SeekFrom::End(0))?;
            io::copy(&mut File::open(&lines)?, &mut all)?;
            all.sync_all()?;
            Ok(from)
        };
        let is_ours = append_share(&journal, &share, || {
            let from = part
                .as_ref()
                .map(append)
                .transpose()
                .map_err(cannot("read", &lines))?;
            Ok(move |note: &str| Done::moved(note, from.unwrap_or_default()))
        })?;
        if is_ours {
            for file in [&share, &lines] {
                // If the file cannot be deleted, it is collected or deleted later.
                let _ = fs::remove_file(file);
            }
        }
    }
    Ok(())
}

/// The state of a complete earlier run.
pub(super) enum Earlier {
    /// Nothing is left to do.
    Finished(Summary),
    /// A file accepted as unread has changed since.
    Repaired,
}

/// Returns the state of the run to be resumed, if its report is complete.
pub(super) fn earlier(job: &Job, layout: &Layout) -> Option<Earlier> {
    let path = job.report.as_deref()?;
    let part = report::part_of(path);
    let place = layout.place(Path::new(""));
    let first = record::run_record(job, false);
    let is_whole = job.existing == Existing::Resume
        && fs::symlink_metadata(part).is_err()
        && fs::symlink_metadata(journal_path(layout)).is_err()
        && report::first_line(path) == Some(first);
    let end = is_whole.then(|| report::last_line(path)).flatten()?;
    let outcome = end.pointer("/eventOutcomeInformation/eventOutcome")?;
    let summary = Summary::deserialize(end.get("summary")?).ok()?;
    let is_there = summary.files == 0 || fs::symlink_metadata(&place).is_ok();
    if !(is_there && matches!(outcome.as_str()?, "success" | "warning")) {
        return None;
    }
    let is_repaired = summary.has("unread") && is_repaired(job, path).ok()?;
    Some(if is_repaired {
        Earlier::Repaired
    } else {
        Earlier::Finished(summary)
    })
}

/// Whether a file that the report lists as unread has changed since.
fn is_repaired(job: &Job, report: &Path) -> Result<bool, Error> {
    let listed = Index::read(report, &job.source)?;
    for (below, count) in &listed.accepted {
        let path = listed::join(&job.source, below);
        let is_there = fs::symlink_metadata(&path).is_ok();
        let piece = Piece::new(path, below == Path::new(""), 0..u64::MAX);
        let job = Job {
            pieces: Some(vec![piece]),
            ..job.clone()
        };
        let mut found = HashSet::new();
        for source in job.sources() {
            let name = Name::of(listed::source_of(&source), &job.source, &job.source);
            let Some(listed) = listed.files.get(&name).filter(|it| it.is_accepted()) else {
                continue;
            };
            if listed.has_changed(&source) {
                return Ok(true);
            }
            found.insert(name);
        }
        // A repaired container is not a source itself.
        if is_there && found.len() < *count {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Completes the report, then the journal, so that a run killed in between can be resumed. Returns
/// `false` if the run has no results and leaves no files.
pub(super) fn finish(
    report: Option<Report>,
    destination: Option<Destination>,
    run: &Summary,
    end: End,
) -> Result<bool, Error> {
    let is_dry = destination.is_none();
    let is_done = end == End::Done;
    let outcome = match end {
        End::Done if run.problem_count() > 0 => "warning",
        End::Done => "success",
        _ => "fail",
    };
    let has_results = destination.as_ref().is_none_or(Destination::has_results);
    if !(is_done || has_results) {
        discard(report, destination)?;
        return Ok(false);
    }
    let leftover = report.as_ref().map(Report::unfinished);
    if let Some(report) = report {
        let last = if is_dry {
            record::dry_run_record(outcome, run)
        } else {
            record::event_record(outcome, run)
        };
        report.finish(&last)?;
    }
    if let Some(leftover) = leftover.filter(|_| is_done || is_dry) {
        let _ = fs::remove_file(leftover);
    }
    if let Some(destination) = destination.filter(|_| is_done) {
        destination.finish()?;
    }
    Ok(true)
}

/// Deletes the files of a run without results.
pub(super) fn discard(
    report: Option<Report>,
    destination: Option<Destination>,
) -> Result<(), Error> {
    let Some(destination) = destination else {
        return Ok(());
    };
    if destination.has_results() {
        return Ok(());
    }
    if let Some(report) = report {
        let leftover = report.unfinished();
        drop(report);
        // The report may be in a folder that was created for the results.
        let _ = fs::remove_file(leftover);
    }
    destination.abandon()
}

/// The resolved path of the report or its unfinished lines; fails if that path is not allowed.
fn check_report(path: &Path, layout: &Layout) -> Result<PathBuf, Error> {
    let shown = path.display();
    if layout.is_source(path) {
        return Err(Error::new(format!(
            "the report must be outside the source: {shown}"
        )));
    }
    if layout.is_destination(path) {
        return Err(Error::new(format!(
            "the report must not replace the destination: {shown}"
        )));
    }
    // Unfinished results and journals have names of this form.
    let is_hidden = |name: &OsStr| name.as_encoded_bytes().starts_with(UNFINISHED.0.as_bytes());
    if path.file_name().is_some_and(is_hidden) {
        return Err(Error::new(format!(
            "the report must not be named like an unfinished file: {shown}"
        )));
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    match (
        folder.unwrap_or(Path::new(".")).canonicalize(),
        path.file_name(),
    ) {
        (Ok(folder), Some(name)) => Ok(folder.join(name)),
        (Ok(_), None) => Err(Error::new(format!("expected a file, found {shown}"))),
        (Err(error), _) if error.kind() == io::ErrorKind::NotFound => Err(Error::new(format!(
            "the folder of the report does not exist: {shown}"
        ))),
        (Err(error), _) => Err(Error::io(format_args!("cannot write {shown}"), error)),
    }
}

/// The settings that must be equal to resume a run, one per line.
fn settings(job: &Job) -> String {
    let mut lines = vec![format!("version={}", env!("CARGO_PKG_VERSION"))];
    for (name, value) in settings::to_json(&job.options, job.selection.format())
        .as_object()
        .into_iter()
        .flatten()
    {
        lines.push(match value.as_str() {
            Some(value) => format!("{name}={value}"),
            None => format!("{name}={value}"),
        });
    }
    if let Some(report) = &job.report {
        // The report records the paths as given.
        for (name, path) in [
            ("report", report),
            ("source", &job.source),
            ("destination", &job.destination),
        ] {
            // JSON escapes line endings.
            lines.push(format!("{name}={}", Value::from(path.to_string_lossy())));
        }
    }
    lines.join("\n")
}
