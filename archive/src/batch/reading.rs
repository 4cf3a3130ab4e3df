//! Reads and converts the messages of the sources.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::done::{Done, Interrupted};
use super::job::Job;
use super::pipeline::{Batch, Feed, Stopped};
use super::place::Place;
use super::record::Paths;
use super::stored_form::stored_form;
use super::summary::Summary;
use crate::error::Error;
use crate::format::Format;
use crate::mbox::{self, Stored};
use crate::store::{self, MailSource, Unread};
use mime_charset::convert::{self, Conversion};

/// A note from the reader between messages.
pub(super) enum SourceNote {
    Begin(Arc<MailSource>),
    End(Arc<MailSource>, Result<(), Error>),
    /// A source that an interrupted run has converted.
    Resumed(Arc<MailSource>, Done),
    Maildir(PathBuf),
    /// A file that is not mail or was left out.
    NoMail(Arc<MailSource>),
    Failed(Unread),
    /// A result of the interrupted run whose source is gone.
    Gone(PathBuf),
    Cancelled,
}

pub(super) struct Batched {
    pub(super) source: Arc<MailSource>,
    pub(super) messages: VecDeque<Stored>,
}

/// Converted messages to be written.
pub(super) struct ConvertedBatch {
    /// All messages in stored form.
    pub(super) stored: mbox::Writer<Vec<u8>>,
    /// Their report lines, if there is a report.
    pub(super) lines: Vec<u8>,
    /// For each line, the place of its result's offset, and this offset in `stored`.
    pub(super) placed: Vec<(usize, u64)>,
    pub(super) summary: Summary,
    /// The reason if a message stops the run.
    pub(super) failure: Option<String>,
}

/// A pool of buffers.
#[derive(Default)]
pub(super) struct Buffers(Mutex<Vec<Buffer>>);

#[derive(Default)]
pub(super) struct Buffer {
    pub(super) stored: Vec<u8>,
    pub(super) lines: Vec<u8>,
}

impl Buffers {
    /// Larger buffers, from long messages, are not kept.
    const LARGEST: usize = 2 << 20;
    /// Maximum number of buffers kept: many short files are in flight at once.
    const MOST: usize = 16;

    pub(super) fn take(&self) -> Buffer {
        let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        buffers.pop().unwrap_or_default()
    }

    pub(super) fn give_back(&self, mut buffer: Buffer) {
        buffer.stored.clear();
        buffer.lines.clear();
        if buffer.stored.capacity() + buffer.lines.capacity() <= Self::LARGEST {
            let mut buffers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if buffers.len() < Self::MOST {
                buffers.push(buffer);
            }
        }
    }
}

/// Reads the sources and their messages.
pub(super) fn read(
    feed: &Feed<'_, SourceNote, Batched, ConvertedBatch>,
    job: &Job,
    mut interrupted: Option<Interrupted>,
    cancelled: &AtomicBool,
) -> Result<(), Stopped> {
    let mut is_whole = true;
    for source in job.sources() {
        if cancelled.load(Ordering::Relaxed) {
            return feed.note(SourceNote::Cancelled);
        }
        let source = match source {
            Ok(source) => Arc::new(source),
            Err(unread) => {
                is_whole = false;
                feed.note(SourceNote::Failed(unread))?;
                continue;
            }
        };
        match source.format() {
            Format::Maildir => {
                feed.note(SourceNote::Maildir(source.relative().to_path_buf()))?;
                continue;
            }
            Format::Other => {
                feed.note(SourceNote::NoMail(source))?;
                continue;
            }
            _ => {}
        }
        let interrupted = interrupted.as_mut();
        let done = interrupted.and_then(|run| run.done(&source, &job.source));
        if let Some(done) = done {
            feed.note(SourceNote::Resumed(source, done))?;
            continue;
        }
        feed.note(SourceNote::Begin(Arc::clone(&source)))?;
        let end = match source.entries() {
            Ok(messages) => read_messages(feed, &source, messages, cancelled)?,
            Err(error) => Err(error),
        };
        is_whole &= end.is_ok();
        feed.note(SourceNote::End(source, end))?;
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
    feed: &Feed<'_, SourceNote, Batched, ConvertedBatch>,
    source: &Arc<MailSource>,
    messages: store::Messages,
    cancelled: &AtomicBool,
) -> Result<Result<(), Error>, Stopped> {
    let mut batch = Batch::new();
    let send = |(messages, octets)| {
        let source = Arc::clone(source);
        feed.work(Batched { source, messages }, octets)
    };
    for stored in messages {
        if cancelled.load(Ordering::Relaxed) {
            feed.note(SourceNote::Cancelled)?;
            return Err(Stopped);
        }
        let stored = match stored {
            Ok(stored) => stored,
            // The file cannot be written at all.
            Err(error) => return Ok(Err(error)),
        };
        if let Some(error) = stored.decoded_by_rmail() {
            let place = Place(source, &stored);
            return Ok(Err(error.within(format_args!("cannot convert {place}"))));
        }
        let octets = stored.octets().len();
        if let Some(full) = batch.add(stored, octets) {
            send(full)?;
        }
    }
    send(batch.take())?;
    Ok(Ok(()))
}

impl ConvertedBatch {
    pub(super) fn new(buffer: Buffer) -> Self {
        ConvertedBatch {
            stored: mbox::Writer::new(buffer.stored),
            lines: buffer.lines,
            placed: Vec::new(),
            summary: Summary::default(),
            failure: None,
        }
    }

    /// Converts one message. `paths` has the paths of source and result, if there is a report.
    pub(super) fn add(
        &mut self,
        source: &MailSource,
        stored: &Stored,
        options: &Conversion,
        paths: Option<&Paths>,
    ) {
        if stored.is_no_message() {
            // Writing to memory does not fail.
            let _ = self.stored.write_quoted(stored, b"");
            return;
        }
        let message = stored.message();
        let converted = convert::convert(&message, options);
        let place = Place(source, stored);
        if let Some(failure) = converted.failure {
            self.failure = Some(format!("{place}: {failure}"));
            return;
        }
        self.summary
            .message(&place, stored.octets().len(), &converted);
        if source.lacks_attachments() {
            self.summary.missing("partial", &place.to_string());
        }
        let (result, length) = stored_form(source.format(), stored, converted.as_bytes());
        // Writing to memory does not fail.
        let Ok(place) = self.stored.write_quoted(stored, &result) else {
            return;
        };
        if let Some(paths) = paths {
            let result = (&*result, length.as_ref());
            let line = paths.add_line(&mut self.lines, stored, &message, &converted, result);
            self.placed.push((line, place.start));
        }
    }
}
