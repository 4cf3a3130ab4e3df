//! Surveys of archives.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::counter;
use super::counts::Counts;
use super::event::{Event, Progress};
use super::item::ArchiveItem;
use super::pipeline::{self, Feed, Step, Stopped};
use super::stored_state::StoredState;
use crate::mbox::Stored;
use crate::store::{self, Limits, MailSource, MailSources, Selection};
use mime_charset::Message;

/// A survey of messages, mailboxes, Maildirs, any of these compressed, and folders, zip files and tar
/// files of them. It counts charsets, labels, sources of decisions, findings, and what a conversion
/// would change. Built by value:
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::num::NonZeroUsize;
/// use std::sync::atomic::AtomicBool;
/// use mime_charset_archive::Limits;
/// use mime_charset_archive::{Event, Subject, Survey};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("old.mbox");
/// # std::fs::write(&path, "From - Sat Jan  3 01:05:34 1996\nSubject: =?koi8-r?Q?=F0?=\n\n")?;
/// let survey = Survey::new(&[&path]).limits(Limits::new()).threads(NonZeroUsize::MIN);
/// let counts = survey.run(&AtomicBool::new(false), |event| {
///     if let Event::Failed(sentence) = event {
///         eprintln!("{sentence}");
///     }
/// });
/// let (name, row) = counts.rows(Subject::FieldCharsets)[0];
/// assert_eq!((name, row.count), ("KOI8-R", 1));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use]
pub struct Survey {
    paths: Vec<PathBuf>,
    stream: Option<MailSources>,
    selection: Selection,
    limits: Limits,
    threads: Option<NonZeroUsize>,
    skips_deleted: bool,
}

impl Survey {
    /// Surveys these paths. A file named by the caller is read as a message even if it does not
    /// look like one.
    pub fn new(paths: &[impl AsRef<Path>]) -> Self {
        Survey {
            paths: paths.iter().map(|path| path.as_ref().into()).collect(),
            stream: None,
            selection: Selection::new(),
            limits: Limits::new(),
            threads: None,
            skips_deleted: false,
        }
    }

    /// Also surveys a stream, from [`store::stream`], before the paths.
    ///
    /// ```
    /// # fn main() -> Result<(), mime_charset_archive::Error> {
    /// use std::path::Path;
    /// use std::sync::atomic::AtomicBool;
    /// use mime_charset_archive::{Limits, Survey, stream};
    ///
    /// let mailbox = &b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\n"[..];
    /// let found = stream(mailbox, Path::new("-"), Limits::new())?;
    /// let counts = Survey::new(&[""; 0]).stream(found).run(&AtomicBool::new(false), |_| ());
    /// assert_eq!(counts.messages, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn stream(mut self, stream: MailSources) -> Self {
        self.stream = Some(stream);
        self
    }

    /// Selects the files to read and their format; by default all files.
    ///
    /// ```
    /// # fn main() -> Result<(), mime_charset_archive::Error> {
    /// use mime_charset_archive::{Selection, Survey};
    ///
    /// let selection = Selection::new().only("mboxrd.mbox")?;
    /// let counts = Survey::new(&["../corpus/archive"]).selection(selection).run(&false.into(), |_| ());
    /// assert_eq!(counts.messages, 7);
    /// # Ok(())
    /// # }
    /// ```
    pub fn selection(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Limits for compressed files and long messages.
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The number of messages read at once, at most 256. `None`, the default, is the number of cores.
    /// It does not affect the counts.
    pub fn threads(mut self, threads: impl Into<Option<NonZeroUsize>>) -> Self {
        self.threads = threads.into();
        self
    }

    /// Whether to skip messages that a mail store has marked as deleted.
    ///
    /// ```
    /// use mime_charset_archive::{Limits, Survey, stream};
    ///
    /// let mailbox = &b"From - Sat Jan  3 01:05:34 1996\nX-Mozilla-Status: 0009\n\n"[..];
    /// let found = stream(mailbox, "-".as_ref(), Limits::new()).unwrap();
    /// let survey = Survey::new(&[""; 0]).stream(found).skip_deleted(true);
    /// assert_eq!(survey.run(&false.into(), |_| ()).messages, 0);
    /// ```
    pub fn skip_deleted(mut self, skips: bool) -> Self {
        self.skips_deleted = skips;
        self
    }

    /// Counts, and reports to `observe` on the caller's thread: progress, files that cannot be read
    /// ([`Event::Failed`]), files that are not mail ([`Event::NoMail`]), undelivered mail
    /// ([`Event::Undelivered`]), and messages whose octets
    /// may differ from the delivered ones ([`Event::Doubtful`]). Once `cancelled` is `true`, `run`
    /// returns the counts so far.
    pub fn run(self, cancelled: &AtomicBool, mut observe: impl FnMut(Event<'_>)) -> Counts {
        let mut progress = match &self.stream {
            Some(_) => Progress::default(),
            None => Progress::of(&self.paths),
        };
        let skips_deleted = self.skips_deleted;
        let mut counts = Counts::default();
        let run = pipeline::run(
            self.threads,
            cancelled,
            |feed| self.read(feed),
            |counts: &mut Counts, (source, stored)| count(counts, &source, &stored, skips_deleted),
            |step| {
                match step {
                    Step::Work(more) => {
                        progress.add(more.messages, more.octets, more.losses);
                        counts.merge(more);
                        observe(Event::Progress(&progress));
                    }
                    Step::Note(ArchiveItem::Doubtful(sentence)) => {
                        observe(Event::Doubtful(&sentence));
                    }
                    Step::Note(ArchiveItem::NoMail(source)) => {
                        let (outcome, why) = source.why().outcome();
                        count_file(outcome, &source, why, &mut counts, &mut observe);
                    }
                    Step::Note(ArchiveItem::Failed(source, error)) => {
                        let why = error.to_string();
                        count_file("failed", &source, &why, &mut counts, &mut observe);
                    }
                    // Messages are jobs.
                    Step::Note(ArchiveItem::Message(..)) => {}
                }
                Ok::<_, Infallible>(())
            },
        );
        // Even if cancelled, the counts cover whole messages.
        let Ok(_) = run;
        counts
    }

    fn read(
        self,
        feed: &Feed<'_, ArchiveItem, (Arc<MailSource>, Stored), Counts>,
    ) -> Result<(), Stopped> {
        let limits = self.limits;
        let paths = self.paths.iter();
        let named = paths.map(|path| store::sources(path, limits).select(&self.selection));
        let all = self.stream.into_iter().chain(named);
        for item in all.flat_map(MailSources::messages) {
            match item {
                ArchiveItem::Message(source, stored) => {
                    let octets = stored.octets().len();
                    feed.work((source, stored), octets)?;
                }
                note => feed.note(note)?,
            }
        }
        Ok(())
    }
}

/// Counts and reports a file that has no mail, or has mail that could not be read.
fn count_file(
    outcome: &str,
    source: &MailSource,
    why: &str,
    counts: &mut Counts,
    observe: &mut impl FnMut(Event<'_>),
) {
    let path = source.to_string();
    counts.file(Some(&path), outcome, why);
    if let Some(event) = Event::of_file(outcome, &path, why) {
        observe(event);
    }
}

fn count(counts: &mut Counts, source: &MailSource, stored: &Stored, skips_deleted: bool) {
    let names = source.names();
    let name = names.member.map_or(source.path(), Path::new);
    let octets = stored.message();
    let message = Message::parse(&octets);
    let state = StoredState::of(name, &message);
    if skips_deleted && state.is_deleted() {
        return;
    }
    let id = message.message_id();
    counts.duplicates.add(stored.as_stored(), id.as_deref());
    counter::count(counts, &names.path, stored, &message, &state);
}
