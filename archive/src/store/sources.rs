//! Sources of messages: files of one message, mailboxes, Maildirs, folders of them, and all of
//! these compressed.
//!
//! The format of a file is detected from its octets, in some cases from its location or name:
//!
//! - a file in `cur` or `new` of a Maildir is a message; `tmp` has mail that was never delivered
//!   and is skipped;
//! - a file called `.eml` is a message, even if it begins with an mbox separator line; nothing in
//!   it is unquoted;
//! - a file that begins with an mbox separator line, or like MMDF or Babyl, is a mailbox
//!   ([`mbox`](crate::mbox)), and so is a file called `.mbox` or `.mbx`, and an empty file without
//!   an extension;
//! - any other file is a message if it begins with header fields, at least one of them well known,
//!   such as From or Received: this includes the files of an MH folder;
//! - the rest is [`Format::Other`], and has no messages.
//!
//! An `.emlx` file of Apple Mail is read as the message in it, and named as an `.eml` file.
//!
//! gzip, zstd, bzip2 and xz are expanded. Zip and tar files, compressed or not, are treated as
//! folders, but not inside each other.
//!
//! Sources are sorted by name, folder by folder. A file that cannot be read is an error item, and
//! the iterator continues. Links to files are followed; links to folders are not, which avoids
//! duplicates and loops. A pipe that the caller names is a `stream`; other pipes and devices are
//! never opened.

use std::ffi::OsString;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::limits::Limits;
use super::maildir::{is_delivered, is_delivering, is_hidden};
use super::members;
use super::name::{PACKED, safe_path, without_extension};
use super::source::{HEAD, MailSource};
use super::stream::Kept;
use crate::error::{Error, cannot};
use crate::format::{Compression, Format, compression, format};

/// The sources in `path`: the file, or the files in a folder and the folders below.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::path::Path;
/// use mime_charset_archive::{Format, Limits, sources};
///
/// let source = sources("../corpus/archive/mboxrd.mbox".as_ref(), Limits::new()).next().unwrap()?;
/// assert_eq!((source.format(), source.relative()), (Format::Mbox, Path::new("mboxrd.mbox")));
/// let messages = source.messages()?.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(messages.len(), 7);
/// # Ok(())
/// # }
/// ```
pub fn sources(path: &Path, limits: Limits) -> MailSources {
    let name = path.file_name().map(PathBuf::from);
    let given = Pending::Path {
        path: path.to_path_buf(),
        relative: name.unwrap_or_default(),
        given: true,
        delivered: false,
    };
    MailSources {
        waiting: vec![given],
        limits,
        looks: true,
        within: None,
        last: None,
    }
}

/// The files of a path like [`sources`], but not opened: their formats are unknown, and a zip or
/// tar file is one file.
pub(super) fn unopened(path: &Path, limits: Limits) -> MailSources {
    MailSources {
        looks: false,
        ..sources(path, limits)
    }
}

/// The sources in one file; for a plain mailbox, the messages that begin in the range.
pub(super) fn sources_in(
    path: &Path,
    is_named: bool,
    within: Option<Range<u64>>,
    limits: Limits,
) -> MailSources {
    let mut sources = MailSources {
        within,
        ..sources(path, limits)
    };
    if let Some(Pending::Path {
        given, delivered, ..
    }) = sources.waiting.last_mut()
    {
        *given = is_named;
        *delivered = !is_named && is_delivered(path);
    }
    sources
}

/// The sources in a stream, such as standard input: those of a file with these octets and this
/// name.
///
/// Reads the whole stream at once. If it is longer than 64 KiB, it is stored in an unnamed
/// temporary file. If it begins like neither a mailbox nor a compressed file, at most the length of
/// the longest message is read.
///
/// # Errors
///
/// That of the stream, or of the temporary file.
///
/// ```
/// use std::path::Path;
/// use mime_charset_archive::{Format, Limits, stream};
///
/// let octets = "From - Sat Jan  3 01:05:34 1996\n\nOne\n\nFrom - Sat Jan  3 01:05:35 1996\n\nTwo";
/// let mut sources = stream(octets.as_bytes(), Path::new("-"), Limits::new()).unwrap();
/// let source = sources.next().unwrap().unwrap();
/// assert_eq!((source.format(), source.path()), (Format::Mbox, Path::new("-")));
/// assert_eq!(source.messages().unwrap().count(), 2);
/// ```
pub fn stream(mut octets: impl Read, name: &Path, limits: Limits) -> Result<MailSources, Error> {
    let mut head = Vec::new();
    octets
        .by_ref()
        .take(HEAD)
        .read_to_end(&mut head)
        .map_err(cannot("read", name))?;
    let is_one = compression(&head) == Compression::None && format(&head, name) != Format::Mbox;
    let most = if is_one {
        (limits.message as u64).saturating_add(1)
    } else {
        u64::MAX
    };
    let kept = Kept::new(head.as_slice().chain(octets).take(most)).map_err(cannot("read", name))?;
    let mut sources = MailSources {
        waiting: Vec::new(),
        limits,
        looks: true,
        within: None,
        last: None,
    };
    let source = MailSource {
        size: kept.length(),
        is_named: true,
        kept: Some(kept),
        ..MailSource::new(name.to_path_buf(), name.to_path_buf(), limits)
    };
    match sources.settled(source, false) {
        Ok(None) => {}
        Ok(Some(source)) => sources.waiting.push(Pending::Found(source)),
        Err(error) => sources.waiting.push(Pending::Failed(error)),
    }
    Ok(sources)
}

/// The sources in a path; made by [`sources`] and `stream`.
///
/// A file or folder that cannot be read is one error; the iterator continues after it.
///
/// ```
/// use mime_charset_archive::{Limits, sources};
///
/// let mut sources = sources("no such file".as_ref(), Limits::new());
/// assert!(sources.next().unwrap().is_err());
/// assert!(sources.next().is_none());
/// ```
#[derive(Debug)]
pub struct MailSources {
    /// Still to be read, the next one last.
    waiting: Vec<Pending>,
    limits: Limits,
    /// Whether files are opened to detect their format.
    looks: bool,
    /// The range in which the entries of a mailbox must begin.
    within: Option<Range<u64>>,
    /// The octets of the last source, if it is a short file.
    last: Option<Arc<[u8]>>,
}

#[derive(Debug)]
enum Pending {
    Path {
        path: PathBuf,
        relative: PathBuf,
        /// Whether the caller named it.
        given: bool,
        /// Whether it is in `cur` or `new` of a Maildir.
        delivered: bool,
    },
    /// The names in a folder, up to a million.
    Names {
        folder: PathBuf,
        relative: PathBuf,
        /// Whether it is `cur` or `new` of a Maildir.
        delivers: bool,
        /// The next one last.
        names: Vec<OsString>,
    },
    /// A member of a zip file or a tar file, before its format is detected.
    Member(MailSource),
    Found(MailSource),
    Failed(Error),
}

impl Iterator for MailSources {
    type Item = Result<MailSource, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.last = None;
        loop {
            let found = match self.waiting.pop()? {
                Pending::Path {
                    path,
                    relative,
                    given,
                    delivered,
                } => self.path(path, relative, given, delivered),
                Pending::Names {
                    folder,
                    relative,
                    delivers,
                    mut names,
                } => {
                    let Some(name) = names.pop() else {
                        continue;
                    };
                    let (path, below) = (folder.join(&name), relative.join(&name));
                    let delivered = delivers && !is_hidden(&path);
                    self.waiting.push(Pending::Names {
                        folder,
                        relative,
                        delivers,
                        names,
                    });
                    self.path(path, below, false, delivered)
                }
                Pending::Member(source) => member(source).map(Some),
                Pending::Found(source) => Ok(Some(source)),
                Pending::Failed(error) => Err(error),
            };
            if let Some(found) = found.transpose() {
                return Some(found);
            }
        }
    }
}

impl MailSources {
    /// The same, with a path relative to this folder.
    pub(super) fn below(mut self, folder: &Path) -> Self {
        if let Some(Pending::Path { path, relative, .. }) = self.waiting.last_mut()
            && let Ok(place) = path.strip_prefix(folder)
        {
            *relative = place.to_path_buf();
        }
        self
    }

    fn path(
        &mut self,
        path: PathBuf,
        relative: PathBuf,
        given: bool,
        delivered: bool,
    ) -> Result<Option<MailSource>, Error> {
        let link = fs::symlink_metadata(&path).map_err(cannot("open", &path))?;
        let metadata = if link.is_symlink() {
            let target = fs::metadata(&path).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    Error::new(format!("{} is a link to a missing file", path.display()))
                }
                _ => cannot("open", &path)(error),
            })?;
            if target.is_dir() && !given {
                return Err(Error::new(format!(
                    "{} is a link to a folder, which is not followed",
                    path.display()
                )));
            }
            target
        } else {
            link
        };
        if metadata.is_dir() {
            // The paths below a folder do not include its name.
            let relative = if given { PathBuf::new() } else { relative };
            return self.folder(path, relative, delivered);
        }
        #[cfg(unix)]
        if given && self.looks && std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type()) {
            let pipe = File::open(&path).map_err(cannot("open", &path))?;
            self.waiting = stream(pipe, &path, self.limits)?.waiting;
            return Ok(None);
        }
        if !metadata.is_file() {
            let what = what_it_is(metadata.file_type());
            return Err(Error::new(format!(
                "expected a file, found {what}: {}",
                path.display()
            )));
        }
        let source = MailSource {
            size: metadata.len(),
            modified: metadata.modified().ok(),
            permissions: Some(metadata.permissions()),
            is_named: given,
            within: self.within.clone(),
            ..MailSource::new(path, relative, self.limits)
        };
        if self.looks {
            return self.settled(source, delivered);
        }
        Ok(Some(source))
    }

    fn folder(
        &mut self,
        path: PathBuf,
        relative: PathBuf,
        delivered: bool,
    ) -> Result<Option<MailSource>, Error> {
        let mut names = file_names(&path)?;
        let is_folder = |name: &str| {
            fs::symlink_metadata(path.join(name)).is_ok_and(|metadata| metadata.is_dir())
        };
        let is_maildir = !delivered && is_folder("cur") && is_folder("new");
        if is_maildir {
            names.retain(|name| name != "tmp");
        }
        names.reverse();
        self.waiting.push(Pending::Names {
            delivers: is_delivering(&path),
            folder: path.clone(),
            relative: relative.clone(),
            names,
        });
        Ok(is_maildir.then(|| MailSource {
            format: Format::Maildir,
            ..MailSource::new(path, relative, self.limits)
        }))
    }

    /// Detects the format of a source. Queues the members of a zip or tar file.
    fn settled(
        &mut self,
        mut source: MailSource,
        delivered: bool,
    ) -> Result<Option<MailSource>, Error> {
        let (packed, head) = source.unpack()?;
        if packed.has_members() {
            self.members(&source, packed);
            return Ok(None);
        }
        source.look(&head, delivered)?;
        if source.is_plain() && head.len() as u64 == source.size {
            let head = Arc::from(head);
            source.whole = Some(Arc::downgrade(&head));
            self.last = Some(head);
        }
        Ok(Some(source))
    }

    fn members(&mut self, source: &MailSource, packed: Compression) {
        let mut source = source.clone();
        let members = source.expand_whole().and_then(|()| {
            let file = source.on_disk().map_err(|error| source.unread(error))?;
            members::members(file, packed, source.size, &source.path, self.limits)
        });
        let members = match members {
            Ok(members) => members,
            Err(error) => return self.waiting.push(Pending::Failed(error)),
        };
        let folder = without_extension(&source.relative, &PACKED);
        for member in members.into_iter().rev() {
            self.waiting.push(match member {
                Ok(member) => Pending::Member(MailSource {
                    relative: folder.join(safe_path(&member.name)),
                    compression: Compression::None,
                    is_named: false,
                    member: Some(member),
                    ..source.clone()
                }),
                Err(error) => Pending::Failed(error),
            });
        }
    }
}

/// Detects the format of a member of a zip file or a tar file.
fn member(mut source: MailSource) -> Result<MailSource, Error> {
    let name = source.member.as_ref().map(|member| Path::new(&member.name));
    let delivered = name
        .and_then(Path::parent)
        .and_then(Path::file_name)
        .is_some_and(|name| name == "cur" || name == "new");
    let (packed, head) = source.unpack()?;
    let nested = |member| members::nested(member, packed);
    if let Some(what) = source.member.as_ref().and_then(nested) {
        return Err(source.failed(&what));
    }
    source.look(&head, delivered)?;
    Ok(source)
}

/// Whether a file is treated as a folder of its members. Opens only regular files.
pub(super) fn is_packed(path: &Path) -> bool {
    path.is_file()
        && unopened(path, Limits::new())
            .flatten()
            .any(MailSource::has_members)
}

/// The names in a folder, in order.
pub(super) fn file_names(folder: &Path) -> Result<Vec<OsString>, Error> {
    let entries = fs::read_dir(folder).map_err(cannot("list", folder))?;
    let mut names = entries
        .map(|entry| entry.map(|entry| entry.file_name()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(cannot("list", folder))?;
    names.sort_unstable();
    Ok(names)
}

#[cfg(unix)]
fn what_it_is(file_type: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;
    if file_type.is_fifo() {
        "a pipe"
    } else if file_type.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn what_it_is(_: FileType) -> &'static str {
    "something else"
}
