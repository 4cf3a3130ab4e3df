//! Reads and converts the messages of the sources.

use std::path::PathBuf;
use std::sync::Arc;

use super::done::{Done, Interrupted};
use super::job::Job;
use super::pipeline::{Feed, Stopped};
use super::place::Place;
use super::record::Paths;
use super::stored_form::stored_form;
use super::summary::Summary;
use crate::error::Error;
use crate::format::Format;
use crate::mbox::{self, Stored};
use crate::store::{Layout, MailSource, UnreadSource};

/// A note from the reader between messages.
pub(super) enum SourceNote {
    /// A source. A Maildir, a file that is not mail and a file that was left out have no end.
    Begin(Arc<MailSource>),
    End(Arc<MailSource>, Result<(), Error>),
    /// A source that an interrupted run has converted.
    Resumed(Arc<MailSource>, Done),
    Failed(UnreadSource),
    /// A result of the interrupted run whose source is gone.
    Gone(PathBuf),
}

/// A message to be converted.
pub(super) type Unconverted = (Arc<MailSource>, Stored);

/// Converted messages of one source, to be written.
#[derive(Default)]
pub(super) struct ConvertedBatch {
    /// The messages in stored form, one after the other.
    pub(super) stored: mbox::Writer<Vec<u8>>,
    /// Their report lines, if there is a report.
    pub(super) lines: Vec<u8>,
    /// For each line: where to insert the offset of its result, and this offset in `stored`.
    pub(super) placed: Vec<(usize, u64)>,
    /// The paths of source and result, if there is a report.
    paths: Option<Paths>,
    pub(super) summary: Summary,
    /// The reason if a message stops the run.
    pub(super) failure: Option<String>,
}

/// Reads the sources and their messages.
pub(super) fn read(
    feed: &Feed<'_, SourceNote, Unconverted, ConvertedBatch>,
    job: &Job,
    mut interrupted: Option<Interrupted>,
) -> Result<(), Stopped> {
    let mut is_whole = true;
    for source in job.sources() {
        let source = match source {
            Ok(source) => Arc::new(source),
            Err(unread) => {
                is_whole = false;
                feed.note(SourceNote::Failed(unread))?;
                continue;
            }
        };
        let has_messages = !matches!(source.format(), Format::Maildir | Format::Other);
        let interrupted = interrupted.as_mut().filter(|_| has_messages);
        let done = interrupted.and_then(|run| run.done(&source, &job.source));
        if let Some(done) = done {
            feed.note(SourceNote::Resumed(source, done))?;
            continue;
        }
        feed.note(SourceNote::Begin(Arc::clone(&source)))?;
        if has_messages {
            let end = read_messages(feed, &source)?;
            is_whole &= end.is_ok();
            feed.note(SourceNote::End(source, end))?;
        }
    }
    // A file that cannot be read now may have been converted by the interrupted run.
    if let Some(interrupted) = interrupted.filter(|_| is_whole && job.pieces.is_none()) {
        for place in interrupted.files.rest() {
            feed.note(SourceNote::Gone(place))?;
        }
    }
    Ok(())
}

fn read_messages(
    feed: &Feed<'_, SourceNote, Unconverted, ConvertedBatch>,
    source: &Arc<MailSource>,
) -> Result<Result<(), Error>, Stopped> {
    let messages = match entries(source) {
        Ok(messages) => messages,
        Err(error) => return Ok(Err(error)),
    };
    for stored in messages {
        let stored = match stored {
            Ok(stored) => stored,
            // The file cannot be written at all.
            Err(error) => return Ok(Err(error)),
        };
        let octets = stored.octets().len();
        feed.work((Arc::clone(source), stored), octets)?;
    }
    Ok(Ok(()))
}

/// The entries of a source. A message that Rmail decoded is an error.
fn entries(
    source: &MailSource,
) -> Result<impl Iterator<Item = Result<Stored, Error>> + use<'_>, Error> {
    let entries = source.entries()?;
    Ok(entries.map(|stored| {
        let stored = stored?;
        match stored.decoded_by_rmail() {
            Some(error) => {
                let place = Place(source, &stored);
                Err(error.within(format_args!("cannot convert {place}")))
            }
            None => Ok(stored),
        }
    }))
}

/// Whether all messages of a source can be converted.
pub(super) fn is_readable(source: &MailSource) -> bool {
    entries(source).is_ok_and(|mut entries| entries.all(|entry| entry.is_ok()))
}

impl ConvertedBatch {
    /// Converts one message. Does nothing if an earlier message of the batch stopped the run.
    pub(super) fn add(&mut self, job: &Job, layout: &Layout, source: &MailSource, stored: &Stored) {
        if self.failure.is_some() {
            return;
        }
        if stored.is_no_message() {
            // Writing to memory does not fail.
            let _ = self.stored.write_quoted(stored, b"");
            return;
        }
        let place = Place(source, stored);
        if source.lacks_attachments() {
            self.summary.problem("partial", || place.to_string());
        }
        let message = stored.message();
        let converted = stored.converted(&message, &job.options);
        if let Some(failure) = converted.failure {
            self.failure = Some(format!("{place}: {failure}"));
            return;
        }
        self.summary
            .message(&place, stored.octets().len(), &converted);
        let (result, length) = stored_form(source.format(), stored, converted.as_bytes());
        // Writing to memory does not fail.
        let Ok(place) = self.stored.write_quoted(stored, &result) else {
            return;
        };
        if job.report.is_some() {
            let paths = self.paths.get_or_insert_with(|| {
                let result = layout.shown(&layout.place(source.relative()));
                Paths::new(source, &result)
            });
            let result = (&*result, length.as_ref());
            let line = paths.add_line(&mut self.lines, stored, &message, &converted, result);
            self.placed.push((line, place.start));
        }
    }
}
