//! Converts archives to UTF-8.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::done::Interrupted;
use super::event::Event;
use super::job::{Job, without_decoding};
use super::opening::{self, Earlier};
use super::outcome::{End, Outcome};
use super::pipeline;
use super::reading::{ConvertedBatch, read};
use super::report::Report;
use super::writing::ResultWriter;
use crate::error::Error;
use crate::store::{Existing, Layout, Limits, Piece, Selection};
use mime_charset::convert::Conversion;

/// A conversion of files to files: a message, a mailbox, a Maildir, any of these compressed, or a
/// folder, zip file or tar file of them. Built by value:
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, num::NonZeroUsize, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Existing, Limits};
/// use mime_charset_archive::{Convert, End};
/// use mime_charset::convert::{Conversion, Headers};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// fs::create_dir(folder.join("old"))?;
/// fs::write(folder.join("old/1.eml"), "Subject: =?koi8-r?Q?=F0?=\n\n")?;
/// let conversion = Convert::new(folder.join("old"), folder.join("new"))
///     .options(Conversion { headers: Headers::Utf8, ..Conversion::new() })
///     .report(folder.join("report.jsonl"))
///     .existing(Existing::Refuse)
///     .limits(Limits::new().message(1 << 20))
///     .threads(NonZeroUsize::MIN);
/// let never = AtomicBool::new(false);
///
/// let trial = conversion.clone().dry_run(true).run(&never, |_| ())?;
/// assert_eq!(trial.summary.changed_fields, 1);
/// assert!(!folder.join("new").exists());
///
/// let outcome = conversion.run(&never, |_| ())?;
/// assert_eq!(outcome.end, End::Done);
/// assert_eq!(fs::read_to_string(folder.join("new/1.eml"))?, "Subject: П\n\n");
/// // Existing files are not replaced.
/// assert!(conversion.run(&never, |_| ()).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Convert(Job);

impl Convert {
    /// Converts `source` to the same layout at `destination`; neither is a stream. For a file, the
    /// destination is a file, an existing folder, or a folder named with a trailing slash. For a
    /// folder, a zip file or a tar file, the destination is a folder. Folders are created if
    /// necessary.
    pub fn new(source: impl AsRef<Path>, destination: impl AsRef<Path>) -> Self {
        Convert(Job::new(source.as_ref(), destination.as_ref()))
    }

    /// The options that affect the written octets. [`Conversion::decoding`] is ignored, since a
    /// report does not record it: decoding uses the defaults.
    pub fn options(mut self, options: Conversion) -> Self {
        self.0.options = without_decoding(options);
        self
    }

    /// Writes the decisions and changes of each message to this file, as JSON Lines by
    /// `schema/report.schema.json`. During the run the lines are in a file with the suffix `.part`.
    pub fn report(mut self, path: impl Into<PathBuf>) -> Self {
        self.0.report = Some(path.into());
        self
    }

    /// How to treat existing files; by default [`Existing::Refuse`]. [`Existing::Resume`] continues
    /// a cancelled or failed run with the same settings.
    pub fn existing(mut self, existing: Existing) -> Self {
        self.0.existing = existing;
        self
    }

    /// Writes only the report.
    pub fn dry_run(mut self, is_dry: bool) -> Self {
        self.0.is_dry = is_dry;
        self
    }

    /// Selects the files to convert and the format to read them in; by default all files, in the
    /// detected format.
    pub fn selection(mut self, selection: Selection) -> Self {
        self.0.selection = selection;
        self
    }

    /// Whether a run counts as complete even if some files cannot be read. The report lists each of
    /// these files with its reason and checksum; [`Verify`](crate::Verify) proves the others.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::{fs, sync::atomic::AtomicBool};
    /// use mime_charset_archive::{Convert, End, Selection, Verify};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// # let (old, new) = (folder.join("old"), folder.join("new"));
    /// fs::create_dir(&old)?;
    /// for (name, octets) in [("1.eml", "Subject: one\n\n"), ("2.pst", "!BDN"), ("3.eml", "")] {
    ///     fs::write(old.join(name), octets)?;
    /// }
    /// let never = AtomicBool::new(false);
    /// let selection = Selection::new().exclude("3.*")?;
    /// let conversion = Convert::new(&old, &new).selection(selection.clone()).accept_unread(true);
    /// let outcome = conversion.run(&never, |_| ())?;
    /// assert_eq!((outcome.end, outcome.summary.excluded), (End::Done, 1));
    ///
    /// let comparison = Verify::new(&old, &new).selection(selection).accept_unread(true);
    /// let proof = comparison.run(&never, |_| ())?;
    /// assert!(proof.holds());
    /// assert_eq!((proof.messages, proof.left_out, proof.accepted_unread), (1, 1, 1));
    /// # Ok(())
    /// # }
    /// ```
    pub fn accept_unread(mut self, accepts: bool) -> Self {
        self.0.accepts_unread = accepts;
        self
    }

    /// Limits for compressed files and long messages.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.0.limits = limits;
        self
    }

    /// The number of messages converted at once, at most 256. `None`, the default, is the number of
    /// cores. It does not affect the result.
    pub fn threads(mut self, threads: impl Into<Option<NonZeroUsize>>) -> Self {
        self.0.threads = threads.into();
        self
    }

    /// Converts only these files of the source folder, as one of many processes that share a run.
    /// Each process needs a unique `name`, and a new name if it restarts.
    ///
    /// To start the run, call `run` once with the flag already `true`. Then processes convert
    /// shares, at once or one after another, on any machine with source and destination under the
    /// same paths. Finally a run with [`Existing::Resume`] collects their results in source order
    /// and converts the remaining files. The result of this last run equals that of a single run,
    /// octet for octet; only this run completes the report. A killed process contributes only its
    /// complete files. If two processes convert the same file, the later one compares its result
    /// with the existing one. A share skips files that cannot be converted, and ranges, which are
    /// not whole files.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::{fs, sync::atomic::AtomicBool};
    /// use mime_charset_archive::{Existing, Limits, pieces};
    /// use mime_charset_archive::{Convert, End};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let (old, new) = (folder.join("old"), folder.join("new"));
    /// fs::create_dir(&old)?;
    /// fs::write(old.join("1.eml"), "Subject: =?koi8-r?Q?=F0?=\n\n")?;
    /// fs::write(old.join("2.eml"), "Subject: two\n\n")?;
    ///
    /// let conversion = Convert::new(&old, &new).report(folder.join("report.jsonl"));
    /// let begun = conversion.run(&AtomicBool::new(true), |_| ())?;
    /// assert_eq!(begun.end, End::Cancelled);
    /// let never = AtomicBool::new(false);
    /// for (number, piece) in pieces(&old, 1 << 30, Limits::new()).enumerate() {
    ///     let share = conversion.clone().share(&number.to_string(), vec![piece?]);
    ///     assert_eq!(share.run(&never, |_| ())?.summary.messages, 1);
    /// }
    /// let outcome = conversion.existing(Existing::Resume).run(&never, |_| ())?;
    /// assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 2));
    /// # Ok(())
    /// # }
    /// ```
    pub fn share(mut self, name: &str, pieces: Vec<Piece>) -> Self {
        self.0.share = Some(name.to_owned());
        self.0.pieces = Some(pieces);
        self
    }

    /// Converts. Reports progress, and files that cannot be converted, to `observe` on the caller's
    /// thread.
    ///
    /// Once `cancelled` is `true`, the run ends after the current message. Every file at the
    /// destination is then complete, and a run with [`Existing::Resume`] continues after the last
    /// file. The result then equals that of an uninterrupted run, octet for octet. `observe` may
    /// set `cancelled`.
    ///
    /// # Errors
    ///
    /// Fails if the source does not exist; if a destination or a report already exists, is in the
    /// source, or cannot be written; for a share of a run that was not started; with
    /// [`Existing::Resume`], if the destination has no interrupted run with the same settings; and
    /// if a disk is full or a device fails. If nothing was converted, no files are left.
    ///
    /// A single file that cannot be read, or that has no place at the destination, is an
    /// [`Event::Failed`]; the others are converted.
    pub fn run(
        &self,
        cancelled: &AtomicBool,
        mut observe: impl FnMut(Event<'_>),
    ) -> Result<Outcome, Error> {
        run(&self.0, cancelled, &mut observe)
    }
}

fn run(
    job: &Job,
    cancelled: &AtomicBool,
    observe: &mut dyn FnMut(Event<'_>),
) -> Result<Outcome, Error> {
    let layout = Layout::new(&job.source, &job.destination)?;
    let repeats = match opening::earlier(job, &layout) {
        Some(Earlier::Finished(summary)) => {
            return Ok(Outcome {
                end: End::NothingLeft,
                summary,
                has_results: true,
                is_in_the_way: false,
            });
        }
        Some(Earlier::Repaired) => true,
        None => false,
    };
    let (mut destination, mut report, taken) = opening::begin(job, &layout, repeats)?;
    let resumed = destination.as_mut().filter(|it| it.resumes());
    let interrupted = resumed.map(|destination| Interrupted {
        files: destination.finished(),
        lines: report.as_mut().and_then(Report::take_leftover),
    });
    let outputs = (destination, report, taken);
    let mut writer = ResultWriter::new(job, &layout, outputs, observe);
    let end = pipeline::run(
        job.threads,
        cancelled,
        |feed| read(feed, job, interrupted),
        |made: &mut ConvertedBatch, (source, stored)| made.add(job, &layout, &source, &stored),
        |step| writer.write(step),
    );
    writer.end_run(end)
}
