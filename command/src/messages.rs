//! Reads messages from paths.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;
use mime_charset::{Message, Options};
use mime_charset_archive::mbox::Stored;
use mime_charset_archive::{
    ArchiveItem, Error, Limits, MailSource, MailSources, Selection, SourceNames, StoredState,
    stream_as,
};
use serde::Serialize;

use super::options::ReadAs;
use super::reading::Reading;
use super::{End, Stop, complain};

/// Reads a file; standard input if it is missing or `-`.
pub(super) fn read(file: Option<&Path>) -> Result<Vec<u8>, Stop> {
    match file {
        Some(path) if path != Path::new("-") => Ok(mime_charset_archive::read(path)?),
        _ => {
            let mut octets = Vec::new();
            io::stdin()
                .read_to_end(&mut octets)
                .map_err(|error| Stop::Sentence(standard_input_failed(&error)))?;
            Ok(octets)
        }
    }
}

/// The name of the input in error messages.
pub(super) fn called(file: Option<&Path>) -> Cow<'_, str> {
    match file {
        Some(path) if path != Path::new("-") => path.to_string_lossy(),
        _ => "standard input".into(),
    }
}

/// How messages are read.
#[derive(Args)]
pub(crate) struct Input {
    #[command(flatten)]
    pub(super) read_as: ReadAs,
    /// Skip messages that a mail store has marked as deleted
    #[arg(long)]
    pub(super) skip_deleted: bool,
}

/// The messages to read, and how.
#[derive(Args)]
pub(crate) struct Messages {
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    input: Input,
    /// Messages, mailboxes, Maildirs, any of these compressed; folders, zip files or tar files of
    /// them; or - for standard input. Standard input and named pipes are read to their end
    /// first, and then treated like files
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
}

impl Messages {
    /// How to decode their text.
    pub(crate) fn options(&self) -> Options {
        self.reading.options()
    }
}

/// Calls a function for every message in the paths, with its index in its file.
///
/// A file that cannot be read is reported, and reading continues with the next one. A file named on
/// the command line is read as a message even if it does not look like one. In a folder, a zip file
/// or a tar file, a file that does not look like a message is skipped, and reported at the end. In
/// a mailbox, the first message whose octets may differ from those delivered is reported.
pub(crate) fn each_message(
    messages: &Messages,
    mut act: impl FnMut(&Place<'_>, &Message<'_>) -> Result<(), Stop>,
) -> Result<End, Stop> {
    let Messages { input, paths, .. } = messages;
    let mut end = End::Done;
    let (mut not_mail, mut undelivered) = (LeftOut::NOT_MAIL, LeftOut::UNDELIVERED);
    let selection = input.read_as.selection();
    let mut count = 0_u64;
    for path in paths {
        let sources = match sources(path, &selection) {
            Ok(sources) => sources,
            Err(error) => {
                complain(&standard_input_failed(&error));
                end = End::Failed;
                continue;
            }
        };
        for item in sources.messages() {
            match item {
                ArchiveItem::Message(source, stored) => {
                    count += 1;
                    match read_message(&source, &stored, input.skip_deleted, &mut act) {
                        Err(Stop::Closed) if matches!(end, End::Failed) => return Ok(end),
                        acted => acted?,
                    }
                }
                ArchiveItem::NoMail(source) if source.is_undelivered() => {
                    undelivered.add(&source.to_string());
                }
                ArchiveItem::NoMail(source) => not_mail.add(&source.to_string()),
                ArchiveItem::Failed(_, error) => {
                    complain(&error.to_string());
                    end = End::Failed;
                }
                ArchiveItem::Doubtful(sentence) => complain(&sentence),
                _ => {}
            }
        }
    }
    let skipped = [not_mail.sentence(), undelivered.sentence()];
    if skipped.iter().all(Option::is_none) && count == 0 && matches!(end, End::Done) {
        complain(&no_mail(paths));
    }
    for sentence in skipped.into_iter().flatten() {
        complain(&sentence);
    }
    Ok(end)
}

fn sources(path: &Path, selection: &Selection) -> Result<MailSources, Error> {
    if path == Path::new("-") {
        return stream_as(io::stdin().lock(), path, selection, Limits::new());
    }
    Ok(mime_charset_archive::sources(path, Limits::new()).select(selection))
}

fn read_message(
    source: &MailSource,
    stored: &Stored,
    skips_deleted: bool,
    act: &mut impl FnMut(&Place<'_>, &Message<'_>) -> Result<(), Stop>,
) -> Result<(), Stop> {
    let (names, index) = (&source.names(), stored.ordinal());
    let place = Place { names, index };
    let octets = stored.message();
    let message = Message::parse(&octets);
    if skips_deleted && place.state(&message).is_deleted() {
        return Ok(());
    }
    act(&place, &message)
}

/// The error for paths without mail.
pub(super) fn no_mail(paths: &[PathBuf]) -> String {
    let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    format!("no mail in {}", paths.join(", "))
}

/// The error for a failing standard input. The library's error calls the stream `-`; its cause is
/// the system's error.
pub(super) fn standard_input_failed(error: &(dyn std::error::Error + 'static)) -> String {
    let cause = error.source().unwrap_or(error);
    format!("cannot read standard input: {cause}")
}

/// Files that were skipped.
pub(super) struct LeftOut {
    /// The noun for one file, and for several.
    kind: [&'static str; 2],
    count: u64,
    first: Vec<String>,
}

impl LeftOut {
    pub(super) const NOT_MAIL: Self =
        Self::of(["file that is not mail", "files that are not mail"]);
    pub(super) const UNDELIVERED: Self = Self::of([
        "undelivered file in tmp of a Maildir",
        "undelivered files in tmp of a Maildir",
    ]);

    const fn of(kind: [&'static str; 2]) -> Self {
        LeftOut {
            kind,
            count: 0,
            first: Vec::new(),
        }
    }

    /// Maximum number of files named in the message.
    const SHOWN: usize = 3;

    pub(super) fn add(&mut self, path: &str) {
        self.count += 1;
        if self.first.len() < Self::SHOWN {
            self.first.push(path.to_owned());
        }
    }

    /// A sentence with the number of files and the names of the first. `None` if there are none.
    pub(super) fn sentence(&self) -> Option<String> {
        let [one, many] = self.kind;
        let files = match self.count {
            0 => return None,
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        let first = self.first.join(", ");
        let more = match self.count - self.first.len() as u64 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("skipped {files}: {first}{more}"))
    }
}

/// The place of a message. Its serde fields are the first keys of the JSON.
#[derive(Serialize)]
pub(crate) struct Place<'p> {
    #[serde(flatten)]
    pub(super) names: &'p SourceNames<'p>,
    pub(super) index: u64,
}

impl Place<'_> {
    /// What the mail store recorded about the message.
    pub(super) fn state(&self, message: &Message<'_>) -> StoredState {
        let name = self.names.member.unwrap_or(&self.names.path);
        StoredState::of(name.as_ref(), message)
    }
}

/// Formats the path and, except for the first message of a file, the index.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.path)?;
        if self.index > 0 {
            write!(f, "#{}", self.index)
        } else {
            Ok(())
        }
    }
}
