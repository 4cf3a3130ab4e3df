//! Finds sources of messages: single messages, mailboxes, Maildirs, folders of them, and compressed
//! forms of all of these.
//!
//! The format of a file is detected from its octets, in some cases from its location or name:
//!
//! - a file in `cur` or `new` of a Maildir is a message, and so is a file with flags (`:2,S`) in a
//!   `cur` without a `new`, or with a unique name (`1041379200.M1P2.host`) in one of them alone; a
//!   file in `tmp` was never delivered ([`MailSource::is_undelivered`]), and has no messages unless
//!   the caller names it;
//! - a file with a number as its name is a message in a folder with `.mh_sequences` (MH), and
//!   `.mh_sequences` is [`Format::Mh`];
//! - a file called `.eml` is a message, even if it begins with an mbox separator line; nothing in
//!   it is unquoted;
//! - a file that begins with an mbox separator line, or like another form of [`mbox`](crate::mbox), is a
//!   mailbox, and so is a file called `.mbox` or `.mbx`, and an empty file without
//!   an extension;
//! - any other file is a message if it begins with header fields, at least one of them well known,
//!   such as From or Received. Date alone is not enough. A file named like another format with such lines
//!   (`.yaml`) needs a field that only mail has, such as Message-ID. Other lines may precede the fields in a
//!   file of MH without `.mh_sequences`: its name is a number, and the next or previous number is a file too;
//! - the rest is [`Format::Other`], and has no messages.
//!
//! An `.emlx` file of Apple Mail and a file `u.1` of Dovecot (single-dbox) are read as the message
//! they contain, and named like `.eml` files.
//!
//! gzip, zstd, bzip2 and xz are expanded. Zip and tar files, compressed or not, are treated as
//! folders, at most one inside another.
//!
//! Sources are sorted by name, folder by folder. A file that cannot be read is an error item, and
//! the iterator continues. Links to files are followed; links to folders are not, which avoids
//! duplicates and loops. A pipe that the caller names is a `stream`; other pipes and devices are
//! never opened.

use std::ffi::OsString;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::limits::Limits;
use super::maildir::{Folder, Location, MailFolders, is_maildir};
use super::members::{self, Method};
use super::name::{PACKED, safe_path, without_extension};
use super::selection::Selection;
use super::source::{HEAD, MailSource, NoMail};
use super::stream::StoredStream;
use crate::error::{Error, cannot};
use crate::foreign::own_file;
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
#[must_use]
pub fn sources(path: &Path, limits: Limits) -> MailSources {
    let name = Path::new(path.file_name().unwrap_or_default());
    sources_in(path, name, true, None, limits)
}

/// Like [`sources`], without opening files: their formats are unknown, and a zip or tar file is one
/// file.
pub(super) fn unopened(path: &Path, limits: Limits) -> MailSources {
    MailSources {
        detects: false,
        ..sources(path, limits)
    }
}

/// The sources in one file; for a plain mailbox, only messages that begin in the range.
pub(super) fn sources_in(
    path: &Path,
    relative: &Path,
    is_named: bool,
    within: Option<Range<u64>>,
    limits: Limits,
) -> MailSources {
    MailSources {
        pending: vec![Pending::Path {
            path: path.to_path_buf(),
            relative: relative.to_path_buf(),
            given: is_named,
        }],
        within,
        ..MailSources::nothing(limits)
    }
}

/// The sources in a stream, such as standard input. The stream is treated like a file with these
/// octets and this name.
///
/// Reads the whole stream at once. If it is longer than 64 KiB, it is stored in an unnamed
/// temporary file. If it begins like neither a mailbox nor a compressed file, at most the maximum
/// length of a message is read.
///
/// # Errors
///
/// Fails if the stream cannot be read, or the temporary file cannot be written.
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
pub fn stream(octets: impl Read, name: &Path, limits: Limits) -> Result<MailSources, Error> {
    stream_as(octets, name, &Selection::new(), limits)
}

/// Like [`stream`], reading files in the format [of the selection](Selection::read_as).
///
/// # Errors
///
/// As for [`stream`].
///
/// ```
/// use std::path::Path;
/// use mime_charset_archive::{Format, Limits, Selection, stream_as};
///
/// let octets = "of a text\n\nFrom - Sat Jan  3 01:05:34 1996\nSubject: two\n\n";
/// let selection = Selection::new().read_as(Format::Mbox);
/// let found = stream_as(octets.as_bytes(), Path::new("-"), &selection, Limits::new());
/// let source = found.unwrap().next().unwrap().unwrap();
/// assert_eq!(source.messages().unwrap().count(), 2);
/// ```
pub fn stream_as(
    mut octets: impl Read,
    name: &Path,
    selection: &Selection,
    limits: Limits,
) -> Result<MailSources, Error> {
    let mut head = Vec::new();
    octets
        .by_ref()
        .take(HEAD)
        .read_to_end(&mut head)
        .map_err(cannot("read", name))?;
    let is_mailbox = match selection.format() {
        Some(format @ (Format::Mbox | Format::Message)) => format == Format::Mbox,
        _ => format(&head, name) == Format::Mbox,
    };
    let is_one = compression(&head) == Compression::None && !is_mailbox;
    let most = if is_one {
        (limits.message as u64).saturating_add(1)
    } else {
        u64::MAX
    };
    let stream = StoredStream::new(head.as_slice().chain(octets).take(most))
        .map_err(cannot("read", name))?;
    let mut sources = MailSources::nothing(limits).select(selection);
    let source = MailSource {
        size: stream.length(),
        is_named: true,
        stream: Some(stream),
        ..MailSource::new(name.to_path_buf(), name.to_path_buf(), limits)
    };
    match sources.detect(source, true, Location::Elsewhere) {
        Ok(None) => {}
        Ok(Some(source)) => sources.pending.push(Pending::Found(source)),
        Err(unread) => sources.pending.push(Pending::Failed(unread)),
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
    /// Still to be read; the next one is last.
    pending: Vec<Pending>,
    limits: Limits,
    selection: Selection,
    /// Whether to open files to detect their format.
    detects: bool,
    /// The range in which a mailbox's entries must begin.
    within: Option<Range<u64>>,
    /// The octets of the last source, if it is a short file.
    last: Option<Arc<[u8]>>,
}

/// A file, folder or member that cannot be read.
#[derive(Debug)]
pub(crate) struct UnreadSource {
    pub(crate) source: Box<MailSource>,
    pub(crate) error: Error,
}

impl UnreadSource {
    fn new(source: MailSource, error: Error) -> Self {
        UnreadSource {
            source: Box::new(source),
            error,
        }
    }
}

#[derive(Debug)]
enum Pending {
    Path {
        path: PathBuf,
        relative: PathBuf,
        /// Whether the caller named it.
        given: bool,
    },
    /// The names in a folder, up to a million.
    Names {
        folder: PathBuf,
        relative: PathBuf,
        role: Folder,
        /// The next name is last.
        names: Vec<OsString>,
    },
    /// A member of a zip file or a tar file, before its format is detected.
    Member {
        source: MailSource,
        /// Whether the caller chose all members.
        is_chosen: bool,
        location: Location,
    },
    Found(MailSource),
    Failed(UnreadSource),
}

impl Iterator for MailSources {
    type Item = Result<MailSource, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_or_unread()?;
        Some(next.map_err(|unread| unread.error))
    }
}

impl MailSources {
    /// Returns the sources, including those that cannot be read.
    pub(crate) fn or_unread(mut self) -> impl Iterator<Item = Result<MailSource, UnreadSource>> {
        iter::from_fn(move || self.next_or_unread())
    }

    /// The next source, readable or not.
    fn next_or_unread(&mut self) -> Option<Result<MailSource, UnreadSource>> {
        self.last = None;
        loop {
            let found = match self.pending.pop()? {
                Pending::Path {
                    path,
                    relative,
                    given,
                } => {
                    let location = self.role(path.parent().unwrap_or(&path)).location(&path);
                    // A caller that names undelivered mail reads it.
                    let is_read = given && location == Location::Undelivered;
                    let location = if is_read {
                        Location::Elsewhere
                    } else {
                        location
                    };
                    self.path(path, relative, given, location)
                }
                Pending::Names {
                    folder,
                    relative,
                    role,
                    mut names,
                } => {
                    let Some(name) = names.pop() else {
                        continue;
                    };
                    let (path, below) = (folder.join(&name), relative.join(&name));
                    self.pending.push(Pending::Names {
                        folder,
                        relative,
                        role,
                        names,
                    });
                    let location = role.location(&path);
                    self.path(path, below, false, location)
                }
                Pending::Member { source, .. } if self.selection.excludes(&source.relative) => {
                    Ok(Some(source.without_mail(NoMail::Excluded)))
                }
                Pending::Member {
                    source,
                    is_chosen,
                    location,
                } => self.detect(source, is_chosen, location),
                Pending::Found(source) => Ok(Some(source)),
                Pending::Failed(unread) => Err(unread),
            };
            if let Some(found) = found.transpose() {
                return Some(found);
            }
        }
    }
}

impl MailSources {
    fn nothing(limits: Limits) -> Self {
        MailSources {
            pending: Vec::new(),
            limits,
            selection: Selection::new(),
            detects: true,
            within: None,
            last: None,
        }
    }

    /// Applies a selection: files left out by the caller have no messages; others are read in the
    /// selected format.
    ///
    /// ```
    /// # fn main() -> Result<(), mime_charset_archive::Error> {
    /// use mime_charset_archive::{Limits, Selection, sources};
    ///
    /// let all = || sources("../corpus/archive".as_ref(), Limits::new());
    /// let messages = all().select(&Selection::new().only("mboxrd.mbox")?);
    /// let messages = messages.flat_map(|source| source.unwrap().messages().unwrap());
    /// assert_eq!(messages.count(), 7);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn select(self, selection: &Selection) -> Self {
        MailSources {
            selection: selection.clone(),
            ..self
        }
    }

    fn path(
        &mut self,
        path: PathBuf,
        relative: PathBuf,
        given: bool,
        location: Location,
    ) -> Result<Option<MailSource>, UnreadSource> {
        let source = || MailSource::new(path.clone(), relative.clone(), self.limits);
        if !given && self.selection.excludes(&relative) {
            return Ok(Some(source().without_mail(NoMail::Excluded)));
        }
        let metadata = match metadata(&path, given) {
            Ok(metadata) => metadata,
            Err(_) if !self.selection.includes(&relative) => {
                return Ok(Some(source().without_mail(NoMail::Excluded)));
            }
            Err(error) => return Err(UnreadSource::new(source(), error)),
        };
        if metadata.is_dir() {
            // Relative paths do not include the name of the given folder.
            let relative = if given { PathBuf::new() } else { relative };
            let folder = MailSource::new(path, relative, self.limits);
            let found = self.folder(folder.path.clone(), folder.relative.clone(), location);
            return found.map_err(|error| UnreadSource::new(folder, error));
        }
        #[cfg(unix)]
        if given && self.detects && std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type()) {
            let pipe = File::open(&path).map_err(cannot("open", &path));
            let streamed =
                pipe.and_then(|pipe| stream_as(pipe, &path, &self.selection, self.limits));
            self.pending = streamed
                .map_err(|error| UnreadSource::new(source(), error))?
                .pending;
            return Ok(None);
        }
        let source = MailSource {
            size: metadata.len(),
            modified: metadata.modified().ok(),
            permissions: Some(metadata.permissions()),
            is_named: given,
            within: self.within.clone(),
            ..source()
        };
        if self.detects {
            return self.detect(source, given, location);
        }
        Ok(Some(source))
    }

    fn is_named_maildir(&self) -> bool {
        self.selection.format() == Some(Format::Maildir)
    }

    fn role(&self, folder: &Path) -> Folder {
        Folder::of(folder, self.is_named_maildir())
    }

    fn folder(
        &mut self,
        path: PathBuf,
        relative: PathBuf,
        location: Location,
    ) -> Result<Option<MailSource>, Error> {
        let mut names = file_names(&path)?;
        let is_maildir =
            location == Location::Elsewhere && is_maildir(&path, self.is_named_maildir());
        names.reverse();
        let is_named = relative == Path::new("");
        self.pending.push(Pending::Names {
            role: match self.role(&path) {
                // A caller that names `tmp` reads it.
                Folder::Temporary if is_named => Folder::Other,
                role => role,
            },
            folder: path.clone(),
            relative: relative.clone(),
            names,
        });
        Ok(is_maildir.then(|| MailSource {
            format: Format::Maildir,
            ..MailSource::new(path, relative, self.limits)
        }))
    }

    /// Detects the format of a source. Queues the members of a zip or tar file, unless it is nested
    /// too deep.
    fn detect(
        &mut self,
        mut source: MailSource,
        is_chosen: bool,
        location: Location,
    ) -> Result<Option<MailSource>, UnreadSource> {
        let is_chosen = is_chosen || self.selection.includes(&source.relative);
        if location == Location::Undelivered && own_file(&[], &source.relative).is_none() {
            return Ok(Some(source.without_mail(if is_chosen {
                NoMail::Undelivered
            } else {
                NoMail::Excluded
            })));
        }
        let (packed, head) = match source.unpack() {
            Ok(found) => found,
            Err(_) if !is_chosen => return Ok(Some(source.without_mail(NoMail::Excluded))),
            Err(error) => return Err(UnreadSource::new(source, error)),
        };
        let too_deep = |member| members::too_deep(member, packed);
        let too_deep = source.member.as_ref().and_then(too_deep);
        if packed.has_members() && too_deep.is_none() {
            // If the caller chose the container, all its members are chosen.
            let is_chosen = is_chosen && !source.is_named;
            self.members(source, packed, is_chosen);
            return Ok(None);
        }
        if !is_chosen {
            return Ok(Some(source.without_mail(NoMail::Excluded)));
        }
        let looked = match too_deep {
            Some(why) => Err(source.failed(&why)),
            None => source.detect_format(&head, location, self.selection.format()),
        };
        if let Err(error) = looked {
            return Err(UnreadSource::new(source, error));
        }
        if source.is_plain() && head.len() as u64 == source.size {
            let head = Arc::from(head);
            source.whole = Some(Arc::downgrade(&head));
            self.last = Some(head);
        }
        Ok(Some(source))
    }

    /// Queues the members of a zip or tar file.
    fn members(&mut self, container: MailSource, packed: Compression, is_chosen: bool) {
        let mut source = container.clone();
        let outer = container.member.as_ref();
        // The size limit of a nested container is based on its length in the outer one.
        let size = outer.map_or(source.size, |member| member.compressed);
        let members = source.expand_whole().and_then(|()| {
            let file = source.on_disk().map_err(|error| source.unread(error))?;
            members::members(file, packed, size, self.limits).map_err(|why| container.failed(&why))
        });
        let members = match members {
            Ok(members) => members,
            Err(error) => {
                return self
                    .pending
                    .push(Pending::Failed(UnreadSource::new(container, error)));
            }
        };
        let folder = without_extension(&source.relative, &PACKED);
        let names = members.iter().map(|member| {
            let is_folder = matches!(member.method, Method::Folder);
            (safe_path(&member.name), is_folder)
        });
        let folders = MailFolders::of(names, self.is_named_maildir());
        for member in members.into_iter().rev() {
            let is_nameless = member.name.is_empty();
            let below = safe_path(&member.name);
            let why = match &member.method {
                Method::Folder => continue,
                Method::Unread(why) => Some(why.clone()),
                _ => None,
            };
            let inside = MailSource {
                relative: folder.join(&below),
                compression: Compression::None,
                is_named: false,
                member: Some(match outer {
                    Some(outer) => outer.holds(member),
                    None => member,
                }),
                ..source.clone()
            };
            self.pending.push(match why {
                None => Pending::Member {
                    location: folders.location(&below),
                    source: inside,
                    is_chosen,
                },
                // The container is damaged.
                Some(why) if is_nameless => {
                    let error = container.failed(&why);
                    Pending::Failed(UnreadSource::new(container.clone(), error))
                }
                Some(why) => {
                    let (selection, relative) = (&self.selection, &inside.relative);
                    let is_chosen = is_chosen || selection.includes(relative);
                    if selection.excludes(relative) || !is_chosen {
                        Pending::Found(inside.without_mail(NoMail::Excluded))
                    } else {
                        let error = inside.failed(&why);
                        Pending::Failed(UnreadSource::new(inside, error))
                    }
                }
            });
        }
        // As on disk, a Maildir precedes its messages.
        for maildir in folders.maildirs.iter().rev() {
            let relative = folder.join(maildir);
            if !self.selection.excludes(&relative) {
                self.pending.push(Pending::Found(MailSource {
                    format: Format::Maildir,
                    ..MailSource::new(source.path.clone(), relative, self.limits)
                }));
            }
        }
    }
}

/// The metadata of a file or folder, following a link. Fails for anything else, and for a link to a
/// folder that the caller did not name.
fn metadata(path: &Path, given: bool) -> Result<fs::Metadata, Error> {
    let link = fs::symlink_metadata(path).map_err(cannot("open", path))?;
    let metadata = if link.is_symlink() {
        let target = fs::metadata(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => {
                Error::new(format!("{} is a link to a missing file", path.display()))
            }
            _ => cannot("open", path)(error),
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
    let is_readable = metadata.is_file() || metadata.is_dir();
    #[cfg(unix)]
    let is_readable =
        is_readable || given && std::os::unix::fs::FileTypeExt::is_fifo(&metadata.file_type());
    if !is_readable {
        let what = describe(metadata.file_type());
        return Err(Error::new(format!(
            "expected a file, found {what}: {}",
            path.display()
        )));
    }
    Ok(metadata)
}

/// Whether a file is treated as a folder of members. Opens only regular files.
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
fn describe(file_type: FileType) -> &'static str {
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
fn describe(_: FileType) -> &'static str {
    "something else"
}
