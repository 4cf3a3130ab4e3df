//! Writes results and report in source order.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io::{self, Write};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;

use super::done::{Done, name_of};
use super::event::{Event, Progress};
use super::job::Job;
use super::opening::{self, Outputs};
use super::outcome::{End, Outcome};
use super::pipeline::Step;
use super::reading::{ConvertedBatch, SourceNote};
use super::record;
use super::report::Report;
use super::summary::Summary;
use crate::error::{Error, cannot};
use crate::format::Format;
use crate::mbox;
use crate::store::{Destination, Draft, Layout, MailSource, NoMail, Refused};

/// Why a run ends early.
pub(super) enum Halt {
    Malformed(String),
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Halt::Failed(error)
    }
}

/// Writes the converted messages and their report.
pub(super) struct ResultWriter<'r> {
    job: &'r Job,
    layout: &'r Layout,
    /// `None` in a dry run.
    destination: Option<Destination>,
    /// The places of the report and its unfinished lines.
    reserved: HashSet<PathBuf>,
    /// The places of results, to detect two sources with the same place. No place is above another.
    taken: BTreeSet<PathBuf>,
    report: Option<Report>,
    progress: Progress,
    /// The current file, or the reason that the rest of it cannot be written.
    target: Option<Result<mbox::Writer<Target>, Error>>,
    /// Complete files without their final names.
    pending: Vec<UnnamedResult>,
    /// Files that could not be renamed, not reported yet.
    refused: Vec<Refused>,
    /// The place of the current file.
    place: PathBuf,
    /// The numbers of the current file.
    file: Summary,
    run: Summary,
    /// Whether an existing file has the place of a result.
    is_in_the_way: bool,
    observe: &'r mut dyn FnMut(Event<'_>),
}

/// Whether an error on one destination file affects all others. A full disk does. A name that is
/// too long does not, nor does a file in the place of a folder.
fn affects_all(error: &Error) -> bool {
    use io::ErrorKind as Kind;
    /// EIO, ENXIO, ENODEV, ENFILE and EMFILE, which have no `ErrorKind`, by their numbers on every
    /// Unix.
    const DEVICES: [i32; 5] = [5, 6, 19, 23, 24];
    let cause = std::error::Error::source(error);
    let cause = cause.and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.is_some_and(|cause| {
        let is_of_device = |code| cfg!(unix) && DEVICES.contains(&code);
        cause.raw_os_error().is_some_and(is_of_device)
            || matches!(
                cause.kind(),
                Kind::OutOfMemory
                    | Kind::QuotaExceeded
                    | Kind::ReadOnlyFilesystem
                    | Kind::StaleNetworkFileHandle
                    | Kind::StorageFull
            )
    })
}

/// A complete file, and its contribution to the run's numbers once renamed.
pub(super) struct UnnamedResult {
    place: PathBuf,
    source: Arc<MailSource>,
    /// The index of its report lines.
    lines: Option<usize>,
    summary: Summary,
}

/// A destination file, or nothing in a dry run.
pub(super) enum Target {
    Draft(Box<Draft>),
    Dry,
}

impl Write for Target {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        match self {
            Target::Draft(draft) => draft.write(octets),
            Target::Dry => Ok(octets.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Draft(draft) => draft.flush(),
            Target::Dry => Ok(()),
        }
    }
}

impl<'r> ResultWriter<'r> {
    pub(super) fn new(
        job: &'r Job,
        layout: &'r Layout,
        (destination, report, reserved): Outputs,
        observe: &'r mut dyn FnMut(Event<'_>),
    ) -> Self {
        ResultWriter {
            job,
            layout,
            destination,
            reserved,
            taken: BTreeSet::new(),
            report,
            progress: Progress::of(std::slice::from_ref(&job.source)),
            target: None,
            pending: Vec::new(),
            refused: Vec::new(),
            place: PathBuf::new(),
            file: Summary::default(),
            run: Summary::default(),
            is_in_the_way: false,
            observe,
        }
    }

    /// Ends the run. `end` is `Ok(false)` if the run was cancelled.
    pub(super) fn end_run(mut self, end: Result<bool, Halt>) -> Result<Outcome, Error> {
        let end = match (end, self.flush_pending()) {
            (Err(Halt::Failed(error)), _) | (_, Err(Halt::Failed(error))) => {
                opening::discard(self.report, self.destination)?;
                return Err(error);
            }
            (Ok(false), _) => End::Cancelled,
            (Ok(true), _) if self.run.has("failed") => End::Incomplete,
            (Ok(true), _) => End::Done,
            (Err(Halt::Malformed(sentence)), _) => {
                (self.observe)(Event::Malformed(&sentence));
                if let Some(report) = &mut self.report {
                    report.abandon()?;
                    report.line(&record::file_record(None, "failed", &sentence))?;
                    report.keep()?;
                }
                End::Malformed
            }
        };
        let is_share = self.job.share.is_some() && end != End::Malformed;
        let has_results = if is_share || end == End::Cancelled {
            // Another run can resume this one.
            self.destination.is_some_and(|it| it.has_results())
        } else {
            opening::finish(self.report, self.destination, &self.run, end)?
        };
        Ok(Outcome {
            end,
            summary: self.run,
            has_results,
            is_in_the_way: self.is_in_the_way,
        })
    }

    pub(super) fn write(&mut self, step: Step<SourceNote, ConvertedBatch>) -> Result<(), Halt> {
        match step {
            Step::Work(made) => self.messages(made),
            Step::Note(note) => self.note(note),
        }
    }

    fn messages(&mut self, made: ConvertedBatch) -> Result<(), Halt> {
        let Some(Ok(target)) = &mut self.target else {
            return Ok(());
        };
        let written = target
            .append(&made.stored)
            .map_err(cannot("write", self.layout.shown(&self.place)));
        let start = match written {
            Ok(start) => start,
            Err(error) if affects_all(&error) => return Err(error.into()),
            Err(error) => {
                self.target = Some(Err(error));
                return Ok(());
            }
        };
        if let (Target::Draft(draft), Some(destination)) = (target.inner(), &mut self.destination)
            && draft.is_long()
        {
            let refused = destination.flush_pending()?;
            self.hold_refused(refused)?;
        }
        if let Some(report) = &mut self.report {
            report.messages(&made.lines, &made.placed, start)?;
        }
        if let Some(failure) = made.failure {
            return Err(Halt::Malformed(failure));
        }
        self.add_progress(&made.summary);
        self.file.add(made.summary);
        Ok(())
    }

    fn note(&mut self, note: SourceNote) -> Result<(), Halt> {
        match note {
            SourceNote::Begin(source) => match source.format() {
                Format::Maildir => self.maildir(source.relative()),
                Format::Other => self.no_mail(&source),
                _ => self.begin(&source),
            },
            SourceNote::End(source, end) => self.end(source, end),
            SourceNote::Resumed(source, done) => self.resumed(&source, done),
            SourceNote::Failed(unread) => self.unread(&unread.source, &unread.error),
            SourceNote::Gone(relative) => self.delete_orphan(&relative),
        }
    }

    fn no_mail(&mut self, source: &MailSource) -> Result<(), Halt> {
        let (outcome, why) = source.why().outcome();
        if matches!(source.why(), NoMail::Other(_)) && source.is_named() {
            return self.missing(source, "failed", &format!("{source} is not mail"));
        }
        self.missing(source, outcome, why)
    }

    /// Reports a source that cannot be read.
    fn unread(&mut self, source: &MailSource, error: &Error) -> Result<(), Halt> {
        let outcome = if self.job.accepts_unread {
            "unread"
        } else {
            "failed"
        };
        self.missing(source, outcome, &error.to_string())
    }

    /// Deletes a result of the interrupted run whose source is gone.
    fn delete_orphan(&mut self, relative: &Path) -> Result<(), Halt> {
        let place = self.layout.place(relative);
        let deleted = fs::remove_file(&place);
        Ok(deleted.map_err(cannot("delete", self.layout.shown(&place)))?)
    }

    fn begin(&mut self, source: &MailSource) -> Result<(), Halt> {
        self.file = Summary::default();
        self.target = None;
        self.flush_pending_for(source.relative())?;
        self.place = self.layout.place(source.relative());
        let target = match (self.conflict(), &mut self.destination) {
            (Some(conflict), _) => Err(conflict),
            (None, None) => Ok(Target::Dry),
            (None, Some(destination)) => {
                let draft = destination.create(source.relative());
                let draft = match source.permissions() {
                    Some(permissions) => draft.and_then(|draft| draft.restrict(permissions)),
                    None => draft,
                };
                draft.map(|draft| Target::Draft(Box::new(draft)))
            }
        };
        match target {
            Ok(target) => {
                self.taken.insert(self.place.clone());
                self.target = Some(Ok(mbox::Writer::new(target)));
                Ok(())
            }
            Err(error) if affects_all(&error) => Err(error.into()),
            Err(error) => {
                let there = fs::symlink_metadata(&self.place);
                self.is_in_the_way |= there.is_ok_and(|there| !there.is_dir());
                self.failed(source, &error)
            }
        }
    }

    /// The reason if the place of the current file is already taken, or is above or below such a place.
    fn conflict(&self) -> Option<Error> {
        let place = &self.place;
        let is_near = |other: &&PathBuf| place.starts_with(other) || other.starts_with(place);
        if let Some(reserved) = self.reserved.iter().find(is_near) {
            return Some(Error::new(format!(
                "its result would have the place of the report, {}; choose another file for the report",
                self.layout.shown(reserved).display()
            )));
        }
        // Paths are sorted by their names, so those below a place come directly after it.
        let (before, after) = (Bound::Included(&**place), Bound::Excluded(&**place));
        let before = self.taken.range::<Path, _>((Bound::Unbounded, before));
        let after = self.taken.range::<Path, _>((after, Bound::Unbounded));
        let mut near = before.rev().take(1).chain(after.take(1));
        let taken = near.find(is_near)?;
        Some(place_is_taken(
            &self.layout.shown(taken),
            &self.layout.shown(place),
        ))
    }

    fn maildir(&mut self, relative: &Path) -> Result<(), Halt> {
        self.flush_pending_for(relative)?;
        let Some(destination) = &mut self.destination else {
            return Ok(());
        };
        match destination.maildir(relative) {
            Err(error) if !affects_all(&error) => {
                let sentence = error.to_string();
                (self.observe)(Event::Failed(&sentence));
                self.record(
                    &record::file_record(None, "failed", &sentence),
                    "failed",
                    &sentence,
                )
            }
            made => Ok(made?),
        }
    }

    /// Reports why a source is not converted.
    fn failed(&mut self, source: &MailSource, error: &Error) -> Result<(), Halt> {
        let sentence = format!("cannot convert {source}: {error}");
        self.missing(source, "failed", &sentence)
    }

    fn end(&mut self, source: Arc<MailSource>, end: Result<(), Error>) -> Result<(), Halt> {
        let target = match self.target.take() {
            // The file could not be created.
            None => return Ok(()),
            Some(Err(error)) => {
                self.abandon()?;
                return self.failed(&source, &error);
            }
            Some(Ok(target)) => target,
        };
        let mut summary = std::mem::take(&mut self.file);
        if let Err(error) = end {
            drop(target);
            self.abandon()?;
            return self.unread(&source, &error);
        }
        let target = target.into_inner();
        summary.files = 1;
        if let Some(report) = self.report.as_mut().filter(|_| summary.messages == 0) {
            let why = match source.format() {
                Format::Mh => "an MH file, copied",
                _ => "contains no messages",
            };
            report.line(&record::source_record(&source, "empty", why))?;
        }
        let lines = self.report.as_mut().map(Report::keep).transpose()?;
        let (Target::Draft(draft), Some(destination)) = (target, &mut self.destination) else {
            self.run.add(summary);
            return Ok(());
        };
        let done = Done {
            source: name_of(&source, &self.job.source),
            report: lines,
            summary,
        };
        let note = done.note();
        // The modification time of a message file is its delivery time; a mailbox has dates inside.
        let time = source
            .modified()
            .filter(|_| source.format() == Format::Message);
        self.pending.push(UnnamedResult {
            place: self.place.clone(),
            source,
            lines: self.report.as_ref().map(Report::last),
            summary: done.summary,
        });
        let refused = draft.keep(destination, &note, time)?;
        self.hold_refused(refused)?;
        self.report_pending()
    }

    /// Discards the current file and its report lines.
    fn abandon(&mut self) -> Result<(), Error> {
        self.taken.remove(&self.place);
        self.report.as_mut().map_or(Ok(()), Report::abandon)
    }

    /// Renames pending files with this place or a place above it.
    fn flush_pending_for(&mut self, relative: &Path) -> Result<(), Halt> {
        if let Some(destination) = &mut self.destination {
            let refused = destination.flush_pending_for(relative)?;
            self.hold_refused(refused)?;
        }
        self.report_pending()
    }

    /// Discards the current incomplete file, and syncs the complete ones.
    fn flush_pending(&mut self) -> Result<(), Halt> {
        let is_whole = self.target.take().is_none();
        if let Some(destination) = &mut self.destination {
            let refused = destination.flush_pending()?;
            self.hold_refused(refused)?;
        }
        if !is_whole {
            self.abandon()?;
        }
        self.report_pending()
    }

    /// Holds refused files until they can be reported: the report lines of the current file come
    /// first.
    fn hold_refused(&mut self, refused: Vec<Refused>) -> Result<(), Halt> {
        let (of_all, one): (Vec<_>, Vec<_>) =
            refused.into_iter().partition(|it| affects_all(&it.error));
        self.refused.extend(one);
        match of_all.into_iter().next() {
            Some(refused) => Err(refused.error.into()),
            None => Ok(()),
        }
    }

    /// Reports refused files in place of their lines, and counts renamed files.
    fn report_pending(&mut self) -> Result<(), Halt> {
        for Refused { place, error } in std::mem::take(&mut self.refused) {
            let Some(index) = self.pending.iter().position(|it| it.place == place) else {
                continue;
            };
            let UnnamedResult { source, lines, .. } = self.pending.remove(index);
            self.taken.remove(&place);
            self.failed(&source, &error)?;
            if let (Some(report), Some(lines)) = (&mut self.report, lines) {
                report.replace(lines);
            }
        }
        let destination = self.destination.as_ref();
        if destination.is_some_and(Destination::has_no_pending) {
            for UnnamedResult { summary, .. } in self.pending.drain(..) {
                self.run.add(summary);
            }
        }
        Ok(())
    }

    fn resumed(&mut self, source: &MailSource, done: Done) -> Result<(), Halt> {
        let Done {
            report: lines,
            summary,
            ..
        } = done;
        let place = self.layout.place(source.relative());
        if !self.taken.insert(place.clone()) {
            // Another source, which could not be read before, has the place now.
            let shown = self.layout.shown(&place);
            return self.failed(source, &place_is_taken(&shown, &shown));
        }
        if let (Some(report), Some(lines)) = (&mut self.report, lines) {
            report.add_resumed(lines);
        }
        self.add_progress(&summary);
        self.run.add(summary);
        Ok(())
    }

    fn add_progress(&mut self, of: &Summary) {
        self.progress
            .add(of.messages, of.octets, of.problem_count());
        (self.observe)(Event::Progress(&self.progress));
    }

    /// Reports a file without a result.
    fn missing(
        &mut self,
        source: &MailSource,
        outcome: &'static str,
        why: &str,
    ) -> Result<(), Halt> {
        let path = source.to_string();
        if let Some(event) = Event::of_file(outcome, &path, why) {
            (self.observe)(event);
        }
        let line = match &self.report {
            Some(_) => record::source_record(source, outcome, why),
            None => Value::Null,
        };
        let shown = match outcome {
            "no-mail" | "undelivered" => &path,
            _ => why,
        };
        self.record(&line, outcome, shown)
    }

    /// Counts a file without a result, and writes its report line.
    fn record(&mut self, line: &Value, outcome: &'static str, shown: &str) -> Result<(), Halt> {
        if outcome == "excluded" {
            self.run.excluded += 1;
        } else {
            self.run.problem(outcome, || shown.to_owned());
            self.progress.add(0, 0, 1);
            (self.observe)(Event::Progress(&self.progress));
        }
        if let Some(report) = &mut self.report {
            report.line(line)?;
            report.keep()?;
        }
        Ok(())
    }
}

fn place_is_taken(taken: &Path, place: &Path) -> Error {
    let both = if taken == place {
        taken.display().to_string()
    } else {
        format!("{} and {}", taken.display(), place.display())
    };
    Error::new(format!(
        "two sources map to {both}; convert them separately, each to its own destination"
    ))
}
