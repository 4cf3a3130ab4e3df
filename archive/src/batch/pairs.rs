//! Reads source and destination side by side.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::compare::{CheckedPair, Difference, Pair};
use super::job::Job;
use super::listed::{Listed, Name, source_of};
use super::pipeline::{Feed, Stopped};
use super::reading::is_readable;
use super::recorded::Records;
use crate::error::Error;
use crate::format::Format;
use crate::mbox::{self, Dialect};
use crate::store::unfinished::UNFINISHED;
use crate::store::{self, Layout, MailSource, NoMail};

/// Reads source and destination side by side, message by message.
pub(super) struct PairReader<'r> {
    pub(super) feed: &'r Feed<'r, PairNote, Pair, Vec<CheckedPair>>,
    pub(super) job: &'r Job,
    pub(super) layout: &'r Layout,
    /// Whether the source is a single file other than a zip or tar file.
    pub(super) is_one: bool,
    /// Whether shares compare the messages, so that this run checks only files outside the shares.
    pub(super) is_rest: bool,
    pub(super) records: Option<Records>,
    pub(super) places: HashSet<PathBuf>,
    /// The last folder or container that the conversion left out as a whole.
    pub(super) around: Option<Name>,
    /// Whether part of the source could not be read.
    pub(super) is_unread: bool,
}

impl PairReader<'_> {
    pub(super) fn read(&mut self) -> Result<(), Stopped> {
        let records = self.records.as_mut();
        if let Some(damage) = records.and_then(|records| records.index.damage.take()) {
            return self.feed.note(PairNote::Failed(damage.to_string()));
        }
        let is_share = self.job.pieces.is_some();
        for source in self.job.sources() {
            self.feed.check()?;
            let has_no_result = self.has_no_result(&source)?;
            let source = match source {
                _ if has_no_result => continue,
                Ok(source) => source,
                Err(_) if is_share => continue,
                Err(unread) => {
                    self.is_unread = true;
                    self.feed.note(PairNote::Failed(unread.error.to_string()))?;
                    continue;
                }
            };
            match source.format() {
                Format::Message | Format::Mbox | Format::Mh => self.source(source)?,
                _ if self.is_one => {
                    let sentence = format!("{source} is not mail");
                    self.feed.note(PairNote::Failed(sentence))?;
                }
                _ => {}
            }
        }
        if is_share {
            return Ok(());
        }
        self.not_in_source()?;
        self.others()
    }

    /// Whether the conversion left out a source or accepted it as unread, by the caller's choice or by the
    /// report. Counts the source; a folder or container that was left out as a whole counts once.
    fn has_no_result(
        &mut self,
        found: &Result<MailSource, store::UnreadSource>,
    ) -> Result<bool, Stopped> {
        // Shares do not count these files: the run that calls `Verify::rest` does.
        let (source, counts) = (source_of(found), self.job.pieces.is_none());
        let records = self.records.as_ref();
        let listed = records.and_then(|records| records.listed(source));
        let is_accepted = listed.is_some_and(Listed::is_accepted);
        let note = if source.why() == NoMail::Excluded || listed.is_some_and(Listed::is_excluded) {
            PairNote::LeftOut
        } else if is_accepted && counts && listed.is_some_and(|it| it.has_changed(found)) {
            let sentence = format!(
                "{source} was accepted as unread and has changed since; resume the conversion"
            );
            PairNote::Difference(source.path().to_path_buf(), sentence)
        } else if is_accepted || found.is_err() && self.job.accepts_unread {
            PairNote::AcceptedUnread
        } else {
            let around = records.and_then(|records| records.left_out_around(source));
            if around.is_none() || around == self.around {
                return Ok(around.is_some());
            }
            self.around = around;
            PairNote::LeftOut
        };
        if counts {
            self.feed.note(note)?;
        }
        Ok(true)
    }

    fn source(&mut self, source: MailSource) -> Result<(), Stopped> {
        let place = self.layout.place(source.relative());
        let shown = self.layout.shown(&place);
        let shown = shown.display();
        if !self.places.insert(place.clone()) {
            if self.is_rest {
                return Ok(());
            }
            let sentence = format!("a second source maps to {shown}: {source}");
            return self.wrong(&place, sentence);
        }
        let is_recorded = match &mut self.records {
            None => true,
            Some(records) => {
                let name = records.name(&source);
                records.begin(&name)
            }
        };
        if self.is_rest {
            return Ok(());
        }
        match open(&self.layout.place(Path::new("")), &place) {
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && self.job.accepts_unread
                    && !is_readable(&source) =>
            {
                self.feed.note(PairNote::AcceptedUnread)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let sentence = match &self.records {
                    Some(records) if !is_recorded => {
                        let unlisted = records.unlisted(&source);
                        format!("{source}: {unlisted}, and {shown} is missing")
                    }
                    _ => format!("{shown} is missing; its source is {source}"),
                };
                self.wrong(&place, sentence)
            }
            Err(error) => {
                let sentence = format!("cannot read {shown}: {error}");
                self.feed.note(PairNote::Failed(sentence))
            }
            Ok(file) => self.file(source, place, file),
        }
    }

    /// Reports a file of the destination as incorrect.
    fn wrong(&self, place: &Path, sentence: String) -> Result<(), Stopped> {
        let file = self.layout.shown(place);
        self.feed.note(PairNote::Difference(file, sentence))
    }

    /// Reports files that are in the report but not in the source.
    fn not_in_source(&mut self) -> Result<(), Stopped> {
        let Some(mut records) = self.records.take() else {
            return Ok(());
        };
        for offset in records.index.rest() {
            let line = match records.at(offset) {
                Ok(line) => line.unwrap_or_default(),
                Err(error) => return self.feed.note(PairNote::Failed(error.to_string())),
            };
            // Unreadable files were already reported.
            if self.is_unread && records.is_there(&line) {
                continue;
            }
            // The missing source was reported; its result must not be a second mismatch.
            if let Some(below) = records.below_destination(&line) {
                self.places
                    .insert(self.layout.place(Path::new("")).join(below));
            }
            let (path, report) = (records.name_in(&line).shown, records.path.display());
            let sentence = format!("{path}: {report} lists it, but it is not in the source");
            self.feed
                .note(PairNote::Difference(PathBuf::from(path), sentence))?;
        }
        Ok(())
    }

    /// Reports unexpected files at the destination.
    fn others(&self) -> Result<(), Stopped> {
        // The folder of a single file may hold unrelated files.
        if self.is_one || !self.job.destination.exists() {
            return Ok(());
        }
        let real = |path: &Path| path.canonicalize().ok();
        let report = self.job.report.as_deref().and_then(real);
        for file in store::files(&self.job.destination) {
            let file = match file {
                Ok(file) => file,
                Err(error) => {
                    self.feed.note(PairNote::Failed(error.to_string()))?;
                    continue;
                }
            };
            let name = file.file_name().unwrap_or_default();
            let folder = file.parent().and_then(real).unwrap_or_default();
            // A link is another file than its target, unless it is the source that the caller named.
            let is_link = fs::symlink_metadata(&file).is_ok_and(|file| file.is_symlink());
            let is_named = || {
                let named = std::path::absolute(&self.job.source).ok();
                let around = named.as_deref().and_then(Path::parent).and_then(real);
                around.as_ref() == Some(&folder) && self.job.source.file_name() == Some(name)
            };
            let is_known = self.places.contains(&folder.join(name))
                || (!is_link || is_named()) && self.layout.is_source(&file)
                || report.is_some() && real(&file) == report;
            if !is_known {
                let name = name.to_string_lossy();
                let what = if name.starts_with(UNFINISHED.0) {
                    "was left by an unfinished run; resume that run"
                } else {
                    "does not belong to the source"
                };
                let sentence = format!("{} {what}", file.display());
                self.feed.note(PairNote::Difference(file, sentence))?;
            }
        }
        Ok(())
    }

    fn file(&mut self, source: MailSource, place: PathBuf, file: File) -> Result<(), Stopped> {
        let source = Arc::new(source);
        self.feed.note(PairNote::Begin)?;
        match self.pairs(&source, &place, file) {
            Ok(wrong) => self.feed.note(PairNote::End(source, place, wrong)),
            Err(PairError::Stopped) => Err(Stopped),
            Err(PairError::File(sentence)) => {
                self.feed.note(PairNote::Failed(sentence))?;
                self.feed.note(PairNote::Unread(source, place))
            }
        }
    }

    fn pairs(
        &mut self,
        source: &Arc<MailSource>,
        place: &Path,
        file: File,
    ) -> Result<Option<Difference>, PairError> {
        let shown = self.layout.shown(place);
        let root = self.layout.place(Path::new(""));
        let below = place.strip_prefix(root).unwrap_or(place);
        let failed = |error: Error| PairError::File(error.to_string());
        let unread =
            |error: String| PairError::File(format!("cannot read {}: {error}", shown.display()));
        let mut old = source.entries().map_err(failed)?;
        let mut new = entries(source.format(), file);
        let mut offset = 0;
        let mut ordinal = 0;
        let mut waiting: Option<Pair> = None;
        let wrong = loop {
            let stored = old.next().transpose().map_err(failed)?;
            let length = stored.as_ref().map_or(0, |stored| stored.octets().len());
            let octets = new(length).transpose();
            // The report has no record for an entry without a message.
            let is_message = stored.as_ref().is_none_or(|it| !it.is_no_message());
            let records = self.records.as_mut().filter(|_| is_message);
            let recorded = records.map(|records| records.of(source, stored.as_ref(), below));
            let recorded = match recorded.transpose().map_err(failed)?.transpose() {
                Ok(recorded) => recorded.flatten(),
                Err(sentence) => {
                    break Some(Difference {
                        ordinal,
                        offset: None,
                        is_of_separator: false,
                        sentence,
                    });
                }
            };
            let pair = match (stored, octets.map_err(unread)?) {
                (None, None) => break None,
                (Some(stored), Some(octets)) => Pair {
                    source: Arc::clone(source),
                    stored,
                    octets,
                    offset,
                    between: vec![b""],
                    recorded,
                },
                (missing, _) => {
                    let than = if missing.is_some() { "fewer" } else { "more" };
                    break Some(Difference {
                        ordinal,
                        offset: Some(offset),
                        is_of_separator: false,
                        sentence: format!("the result has {than} messages than the source"),
                    });
                }
            };
            offset += pair.octets.len() as u64;
            ordinal += 1;
            if let Some(mut before) = waiting.replace(pair)
                && let Some(next) = &waiting
            {
                before.between = line_ends_between(&before.octets, next);
                self.add(before)?;
            }
        };
        if let Some(last) = waiting {
            self.add(last)?;
        }
        Ok(wrong)
    }

    fn add(&self, pair: Pair) -> Result<(), Stopped> {
        let octets = pair.stored.octets().len() + pair.octets.len();
        self.feed.work(pair, octets)
    }
}

/// Opens a result, which must be a regular file below `root`: a conversion writes no links, and a link
/// may lead to the source.
fn open(root: &Path, place: &Path) -> io::Result<File> {
    let folders = place.ancestors().skip(1);
    for folder in folders.take_while(|folder| *folder != root && folder.starts_with(root)) {
        if fs::symlink_metadata(folder)?.is_symlink() {
            return Err(io::Error::other("its folder is a link"));
        }
    }
    if !fs::symlink_metadata(place)?.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    File::open(place)
}

/// Returns the next entry of a destination file, given the length of the source message.
type Entries = Box<dyn FnMut(usize) -> Option<Result<Vec<u8>, String>>>;

fn entries(format: Format, file: File) -> Entries {
    if format != Format::Mbox {
        let mut file = Some(file);
        return Box::new(move |length| Some(whole(file.take()?, length)));
    }
    // Damage may join two messages.
    let longest = mbox::Reader::<File>::LONGEST.saturating_mul(2);
    let mut entries = mbox::read(file).longest(longest).dialect(Dialect::Mboxrd);
    Box::new(move |_| {
        let octets = entries.next()?.map(|entry| entry.octets().to_vec());
        Some(octets.map_err(|error| error.to_string()))
    })
}

/// Reads a file up to the maximum length of a result.
fn whole(file: File, length: usize) -> Result<Vec<u8>, String> {
    /// An octet becomes at most two characters of nine quoted-printable octets each; a short
    /// message also gets fields and line endings.
    const GROWTH: u64 = 64;
    let most = (length as u64)
        .saturating_add(1 << 14)
        .saturating_mul(GROWTH);
    let mut octets = Vec::new();
    let read = file.take(most).read_to_end(&mut octets);
    read.map_err(|error| error.to_string())?;
    Ok(octets)
}

/// The reason that the comparison of a file ends early.
enum PairError {
    Stopped,
    File(String),
}

impl From<Stopped> for PairError {
    fn from(_: Stopped) -> Self {
        PairError::Stopped
    }
}

/// The line endings allowed between an entry that ends with `octets` and the next one.
fn line_ends_between(octets: &[u8], next: &Pair) -> Vec<&'static [u8]> {
    let quoted = next.octets.get(next.stored.before().len()..);
    let possible: [&'static [u8]; 7] = [b"", b"\n", b"\r\n", b"\n\n", b"\r\n\r\n", b"\r", b"\r\r"];
    possible
        .into_iter()
        .filter(|line_ends| {
            octets.strip_suffix(*line_ends).is_some_and(|entry| {
                mbox::line_ends_between(entry, &next.stored, quoted.unwrap_or_default())
                    == *line_ends
            })
        })
        .collect()
}

/// A note from the reader between messages.
pub(super) enum PairNote {
    Begin,
    /// The end of a file, with a missing or unexpected message.
    End(Arc<MailSource>, PathBuf, Option<Difference>),
    /// A file, or its report lines, that could not be read to the end.
    Unread(Arc<MailSource>, PathBuf),
    /// An incorrect file.
    Difference(PathBuf, String),
    Failed(String),
    /// A source left out by the conversion.
    LeftOut,
    /// A source that the conversion accepted as unread.
    AcceptedUnread,
}
