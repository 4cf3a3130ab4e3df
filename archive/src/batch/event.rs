//! Events of a run.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use crate::store;

/// An event of a run, for its observer.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::atomic::AtomicBool;
/// use mime_charset_archive::{Convert, Event};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// # std::fs::create_dir(folder.join("old"))?;
/// std::fs::write(folder.join("old/1.eml"), "Subject: one\n\n")?;
/// std::fs::write(folder.join("old/notes"), "no mail")?;
/// let (mut percent, mut left_out) = (0, Vec::new());
/// Convert::new(folder.join("old"), folder.join("new")).run(
///     &AtomicBool::new(false),
///     |event| match event {
///         Event::Progress(done) => {
///             percent = 100 * done.octets / done.total_octets().unwrap_or(1).max(1);
///         }
///         Event::NoMail(path) => left_out.push(path.to_owned()),
///         _ => {}
///     },
/// )?;
/// assert_eq!(percent, 100 * 14 / 21);
/// assert!(left_out[0].ends_with("notes"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'e> {
    /// Progress: more messages are done.
    Progress(&'e Progress),
    /// A file that could not be read, converted or compared: a sentence that names it.
    Failed(&'e str),
    /// A file that is not mail, by path. It has no result at the destination.
    NoMail(&'e str),
    /// A file in `tmp` of a Maildir, by path: its delivery did not end. It has no result at the
    /// destination.
    Undelivered(&'e str),
    /// The first message of a mailbox whose octets may differ from the delivered ones
    /// ([`decoded_by_rmail`](crate::mbox::Stored::decoded_by_rmail)): a sentence that names it. A
    /// survey reads the message as it is; a conversion of the mailbox [fails](Event::Failed).
    Doubtful(&'e str),
    /// The message that ended a conversion under
    /// [`OnMalformed::Fail`](mime_charset::convert::OnMalformed).
    Malformed(&'e str),
    /// An incorrect file at the destination.
    Mismatch(&'e Mismatch),
}

impl<'e> Event<'e> {
    /// The event of a file without messages or without a result; `None` for a file excluded by the caller.
    pub(super) fn of_file(outcome: &str, path: &'e str, why: &'e str) -> Option<Self> {
        match outcome {
            "excluded" => None,
            "no-mail" => Some(Event::NoMail(path)),
            "undelivered" => Some(Event::Undelivered(path)),
            _ => Some(Event::Failed(why)),
        }
    }
}

/// Progress of a run.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::sync::atomic::AtomicBool;
/// use mime_charset_archive::mbox;
/// use mime_charset_archive::{Event, convert_mailbox};
/// use mime_charset::convert::Conversion;
///
/// let mailbox = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\n";
/// let (mut done, mut result) = ((0, 0, 0), Vec::new());
/// let never = AtomicBool::new(false);
/// convert_mailbox(mbox::read(&mailbox[..]), &mut result, &Conversion::new(), &never, |event| {
///     if let Event::Progress(now) = event {
///         done = (now.messages, now.octets, now.problems);
///         // A stream has no known length.
///         assert_eq!(now.total_octets(), None);
///     }
/// })?;
/// assert_eq!(done, (1, mailbox.len() as u64, 0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Progress {
    /// The number of messages done.
    pub messages: u64,
    /// The number of octets done; compressed files count with their expanded length.
    pub octets: u64,
    /// The number of problems that need a person's attention.
    pub problems: u64,
    sources: Option<Vec<PathBuf>>,
    total: OnceCell<u64>,
}

impl Progress {
    /// Progress of a run over these paths.
    pub(super) fn of(sources: &[PathBuf]) -> Self {
        Progress {
            sources: Some(sources.to_vec()),
            ..Progress::default()
        }
    }

    /// Adds finished work, with the number of problems that need a person's attention.
    pub(super) fn add(&mut self, messages: u64, octets: u64, problems: u64) {
        self.messages += messages;
        self.octets += octets;
        self.problems += problems;
    }

    /// The total size on disk of the source files; `None` for a stream. The first call lists all
    /// folders.
    #[must_use]
    pub fn total_octets(&self) -> Option<u64> {
        let sources = self.sources.as_deref()?;
        let total = || sources.iter().map(|source| size(source)).sum();
        Some(*self.total.get_or_init(total))
    }
}

fn size(source: &Path) -> u64 {
    store::files(source)
        .into_iter()
        .flatten()
        .filter_map(|file| file.metadata().ok())
        .map(|metadata| metadata.len())
        .sum()
}

/// A difference that [`Verify`](super::Verify) found.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Convert, Event, Verify};
///
/// # let folder = tempfile::tempdir()?;
/// let (old, new) = (folder.path().join("old.eml"), folder.path().join("new.eml"));
/// fs::write(&old, "Subject: =?koi8-r?Q?=F0?=\n\nText\n")?;
/// let never = AtomicBool::new(false);
/// Convert::new(&old, &new).run(&never, |_| ())?;
/// fs::write(&new, fs::read_to_string(&new)?.replace("Text", "TeXt"))?;
///
/// let mut found = Vec::new();
/// Verify::new(&old, &new).run(&never, |event| {
///     if let Event::Mismatch(mismatch) = event {
///         found.push(mismatch.clone());
///     }
/// })?;
/// // `Subject: =?UTF-8?B?0J8=?=`, two line feeds and `Te`.
/// let at = 25 + 2 + 2;
/// assert_eq!((&found[0].file, found[0].offset), (&new, Some(at)));
/// assert_eq!(found[0].index, Some(0));
/// assert_eq!(
///     found[0].to_string(),
///     format!("{}, octet {at}: expected 0x78, found 0x58", new.display())
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The incorrect file. It is at the destination, or in the source if the report does not match
    /// the source.
    pub file: PathBuf,
    /// The index of the message in its file, from 0, if the mismatch concerns one message.
    pub index: Option<u64>,
    /// The offset of the first differing octet, if the mismatch concerns octets.
    pub offset: Option<u64>,
    pub(super) sentence: String,
}

/// Formats one sentence that names the file, the message and the octet.
impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.sentence)
    }
}
