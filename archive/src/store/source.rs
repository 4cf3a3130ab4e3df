//! Where messages are: files of one message, mailboxes, Maildirs, folders of them, and all of
//! these compressed.
//!
//! The octets of a file say what it is. For some files its place or its name says it:
//!
//! - a file in `cur` or `new` of a Maildir is a message; `tmp` holds mail that was never delivered
//!   and is left out;
//! - a file called `.eml` is a message, even with a separator line of an mbox in front: nothing in
//!   it is quoted or unquoted;
//! - a file that begins with a separator line, or as those of MMDF and Babyl do, is a mailbox ([`mbox`]),
//!   and so is a file called `.mbox` or `.mbx`, and an empty file without an extension;
//! - any other file is a message if it begins with header fields, one of which every mail program
//!   knows, such as From or Received: so are the files of an MH folder;
//! - the rest is [`Format::Other`], and has no messages.
//!
//! An `.emlx` file of Apple Mail is the message in it, under the name of an `.eml` file.
//!
//! gzip, zstd, bzip2 and xz are looked through. Zip files and tar files, compressed ones too, are folders;
//! one in another is not read.
//!
//! Sources come in the order of their names, folder by folder. What cannot be read is an
//! error of its own, and the others come all the same. Links to files are read as those
//! files; links to folders are not followed, so that nothing is read twice or for ever. A pipe that
//! is asked for by its name is a `stream`; no other pipe and no device is opened.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::SystemTime;

use super::compressed;
use super::emlx;
use super::limits::Limits;
use super::members::{self, Member};
use super::stream::Kept;
use crate::error::{Error, cannot};
use crate::format::{Compression, Format, compression, format};
use crate::mbox::{self, Dialect, Stored};

/// Everything that `path` holds: the file, or the files in a folder and the folders below.
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
    let given = Waiting::Path {
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

/// The files in a path as [`sources`] finds them, before they are opened: what each holds is not
/// known, and a zip file or a tar file is one file.
pub(super) fn unopened(path: &Path, limits: Limits) -> MailSources {
    MailSources {
        looks: false,
        ..sources(path, limits)
    }
}

/// The sources in a file that was found in a folder, or named; of a plain mailbox the messages that
/// begin in the range.
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
    if let Some(Waiting::Path {
        given, delivered, ..
    }) = sources.waiting.last_mut()
    {
        *given = is_named;
        *delivered = !is_named && is_delivered(path);
    }
    sources
}

/// Everything that a stream holds, such as standard input: what a file of these octets and of
/// this name would.
///
/// The stream is read to its end at once. What is longer than 64 KiB is kept in a temporary file
/// without a name; of what begins as no mailbox and is not compressed, no more than a message may
/// have.
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
        path: name.to_path_buf(),
        relative: name.to_path_buf(),
        format: Format::Other,
        compression: Compression::None,
        size: kept.length(),
        modified: None,
        permissions: None,
        limits,
        is_emlx: false,
        is_named: true,
        within: None,
        whole: Weak::new(),
        kept: Some(kept),
        member: None,
    };
    match sources.settled(source, false) {
        Ok(None) => {}
        Ok(Some(source)) => sources.waiting.push(Waiting::Found(source)),
        Err(error) => sources.waiting.push(Waiting::Failed(error)),
    }
    Ok(sources)
}

/// How the names of files with members end, those of compressed tar files among them.
const PACKED: [&str; 10] = [
    "zip", "tar", "tgz", "taz", "tbz", "tbz2", "tb2", "txz", "tzst", "tzs",
];

/// How the names of compressed files end, which those of what is in them do not.
const COMPRESSED: [&str; 7] = ["gz", "gzip", "zst", "zstd", "bz2", "bzip2", "xz"];

/// How many octets are read to find out what a file holds.
const HEAD: u64 = 64 << 10;

/// The sources in a path; made by [`sources`] and `stream`.
///
/// What cannot be read is one error, and the iterator goes on behind it.
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
    /// What is still to be looked at, the next one last.
    waiting: Vec<Waiting>,
    limits: Limits,
    /// Whether files are opened to see what they hold.
    looks: bool,
    /// Which messages of a mailbox are wanted.
    within: Option<Range<u64>>,
    /// All octets of the source that was found last, if it is a short file.
    last: Option<Arc<Vec<u8>>>,
}

#[derive(Debug)]
enum Waiting {
    Path {
        path: PathBuf,
        relative: PathBuf,
        /// Whether it was asked for by its name.
        given: bool,
        /// Whether it lies in `cur` or `new` of a Maildir.
        delivered: bool,
    },
    /// What is in a folder, by names alone: there may be a million of them.
    Names {
        folder: PathBuf,
        relative: PathBuf,
        /// Whether it is `cur` or `new` of a Maildir.
        delivers: bool,
        /// The next one last.
        names: Vec<OsString>,
    },
    /// A member of a zip file or a tar file, still as it is in it.
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
                Waiting::Path {
                    path,
                    relative,
                    given,
                    delivered,
                } => self.path(path, relative, given, delivered),
                Waiting::Names {
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
                    self.waiting.push(Waiting::Names {
                        folder,
                        relative,
                        delivers,
                        names,
                    });
                    self.path(path, below, false, delivered)
                }
                Waiting::Member(source) => member(source).map(Some),
                Waiting::Found(source) => Ok(Some(source)),
                Waiting::Failed(error) => Err(error),
            };
            if let Some(found) = found.transpose() {
                return Some(found);
            }
        }
    }
}

impl MailSources {
    /// The same, of a file whose place is told below this folder.
    pub(super) fn below(mut self, folder: &Path) -> Self {
        if let Some(Waiting::Path { path, relative, .. }) = self.waiting.last_mut()
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
                io::ErrorKind::NotFound => Error::new(format!(
                    "{} is a link to something that is not there",
                    path.display()
                )),
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
            // The layout below a folder does not have its name.
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
            path,
            relative,
            format: Format::Other,
            compression: Compression::None,
            size: metadata.len(),
            modified: metadata.modified().ok(),
            permissions: Some(metadata.permissions()),
            limits: self.limits,
            is_emlx: false,
            is_named: given,
            within: self.within.clone(),
            whole: Weak::new(),
            kept: None,
            member: None,
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
        self.waiting.push(Waiting::Names {
            delivers: is_delivering(&path),
            folder: path.clone(),
            relative: relative.clone(),
            names,
        });
        Ok(is_maildir.then_some(MailSource {
            path,
            relative,
            format: Format::Maildir,
            compression: Compression::None,
            size: 0,
            modified: None,
            permissions: None,
            limits: self.limits,
            is_emlx: false,
            is_named: false,
            within: None,
            whole: Weak::new(),
            kept: None,
            member: None,
        }))
    }

    /// The source, once it is known what it holds; of a zip file or a tar file, what is in it waits.
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
            let head = Arc::new(head);
            source.whole = Arc::downgrade(&head);
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
            Err(error) => return self.waiting.push(Waiting::Failed(error)),
        };
        let folder = without_extension(&source.relative, &PACKED);
        for member in members.into_iter().rev() {
            self.waiting.push(match member {
                Ok(member) => Waiting::Member(MailSource {
                    relative: folder.join(harmless(&member.name)),
                    compression: Compression::None,
                    is_named: false,
                    member: Some(member),
                    ..source.clone()
                }),
                Err(error) => Waiting::Failed(error),
            });
        }
    }
}

/// A member of a zip file or a tar file, once it is known what it holds.
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

/// A file with messages, or a member of a zip file or a tar file with them.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{io::Read, path::Path};
/// use mime_charset_archive::{Format, Limits, sources};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// std::fs::create_dir(folder.join("2001"))?;
/// std::fs::write(folder.join("2001/1.eml"), "Subject: one\n\n")?;
/// let source = sources(folder, Limits::new()).next().unwrap()?;
/// assert_eq!(source.path(), folder.join("2001/1.eml"));
/// assert_eq!((source.format(), source.relative()), (Format::Message, Path::new("2001/1.eml")));
/// assert_eq!(source.size(), 14);
/// assert!(source.modified().is_some());
/// let mut octets = Vec::new();
/// source.open()?.read_to_end(&mut octets)?;
/// assert_eq!(source.messages()?.next().unwrap()?.octets(), octets);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct MailSource {
    path: PathBuf,
    relative: PathBuf,
    format: Format,
    compression: Compression,
    /// Of the file as it is on disk.
    size: u64,
    modified: Option<SystemTime>,
    /// Of the file as it is on disk.
    permissions: Option<fs::Permissions>,
    limits: Limits,
    /// Whether it is a file of Apple Mail, with a message in it.
    is_emlx: bool,
    /// Whether it was asked for by its name.
    is_named: bool,
    /// Which messages of a mailbox are wanted, by where their entries begin.
    within: Option<Range<u64>>,
    /// The octets of a short file, which were read to see what it holds: not read again as long as
    /// the iterator that has found it is there and has found no other.
    whole: Weak<Vec<u8>>,
    /// The octets, where they are in no file of this path.
    kept: Option<Kept>,
    member: Option<Member>,
}

impl MailSource {
    /// The file on disk; for a member of a zip file or a tar file, that file; for a stream, its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it belongs below a folder with the same layout: the path below the one that was
    /// asked for, or the name of the file if it was asked for itself. Without `.gz` and the
    /// like; `old.zip` and `old.tar.gz` are a folder `old`, and the names in it are made harmless:
    /// none leads out of it.
    #[must_use]
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// What it holds.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether it is what was asked for, and not something in the folder, zip file or tar file that
    /// was.
    ///
    /// ```
    /// use mime_charset_archive::{Limits, sources};
    ///
    /// let is_named = |path: &str| sources(path.as_ref(), Limits::new()).next().unwrap().unwrap().is_named();
    /// assert!(is_named("../corpus/archive/mboxrd.mbox"));
    /// assert!(!is_named("../corpus/archive/messages"));
    /// ```
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.is_named
    }

    /// The same as one message, whatever it looks like.
    ///
    /// ```
    /// use mime_charset_archive::{Format, Limits, sources};
    ///
    /// let source = sources("../LICENSE-MIT".as_ref(), Limits::new()).next().unwrap().unwrap();
    /// assert_eq!(source.format(), Format::Other);
    /// assert_eq!(source.messages().unwrap().count(), 0);
    /// let source = source.as_message();
    /// assert_eq!(source.format(), Format::Message);
    /// assert!(source.messages().unwrap().next().unwrap().unwrap().octets().starts_with(b"MIT"));
    /// ```
    #[must_use]
    pub fn as_message(mut self) -> Self {
        self.format = Format::Message;
        self
    }

    /// The length of the file on disk in octets, compressed if it is.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// When the file was changed last, where the file system knows.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// Who may do what with the file on disk; `None` for a stream and a folder.
    pub(crate) fn permissions(&self) -> Option<&fs::Permissions> {
        self.permissions.as_ref()
    }

    /// The octets, expanded; of an `.emlx` file those of the message in it.
    ///
    /// # Errors
    ///
    /// One sentence that names the file. Reading fails where a file on disk turns out shorter
    /// than it was when it was found, where compressed data are damaged, and where they
    /// expand to more than the limits allow.
    pub fn open(&self) -> Result<Box<dyn Read + Send>, Error> {
        let octets = self.expanded()?;
        Ok(if self.is_emlx {
            Box::new(emlx::Inner::new(octets))
        } else {
            octets
        })
    }

    fn expanded(&self) -> Result<Box<dyn Read + Send>, Error> {
        let most = self.limits.most(self.size);
        Ok(compressed::expand(self.stored()?, self.compression, most))
    }

    /// The messages in it, in their order.
    ///
    /// # Errors
    ///
    /// As for [`open`](MailSource::open), here and when reading goes on.
    pub fn messages(&self) -> Result<Messages, Error> {
        let inside = match self.format {
            // Its one entry begins at 0.
            Format::Message if self.within.as_ref().is_none_or(|it| it.contains(&0)) => {
                Inside::Message(self.open()?)
            }
            Format::Mbox => Inside::Mbox(Box::new(self.mailbox()?.longest(self.limits.message))),
            Format::Message | Format::Maildir | Format::Other => Inside::Nothing,
        };
        Ok(Messages {
            source: self.clone(),
            inside,
            is_mboxcl2: None,
            is_whole: false,
        })
    }

    /// The same, with the options of a mailbox of Babyl that has no messages, so that nothing of the
    /// file is left out.
    pub(crate) fn entries(&self) -> Result<Messages, Error> {
        Ok(Messages {
            is_whole: true,
            ..self.messages()?
        })
    }

    fn mailbox(&self) -> Result<mbox::Reader<Box<dyn Read + Send>>, Error> {
        let Some(within) = self.within.clone() else {
            return Ok(mbox::read(self.open()?));
        };
        if !self.is_plain() {
            return Ok(mbox::rest(self.open()?, 0, within));
        }
        let mut file = File::open(&self.path).map_err(cannot("open", &self.path))?;
        let begin = mbox::begin(&mut file, within.start).map_err(|error| self.unread(error))?;
        let left = Some(self.size.saturating_sub(begin));
        Ok(mbox::rest(Box::new(Steady { file, left }), begin, within))
    }

    /// Whether the octets are those of the file on disk.
    fn is_plain(&self) -> bool {
        self.kept.is_none() && self.member.is_none() && self.compression == Compression::None
    }

    /// Whether ranges of it can be read, each by itself and with little besides: it is a plain
    /// mailbox of mbox, and its beginning has no Content-Length.
    pub(super) fn has_ranges(mut self) -> Result<bool, Error> {
        let head = self.head()?;
        let is_whole =
            mbox::tells_lengths(&head) || mbox::begins_mmdf(&head) || mbox::begins_babyl(&head);
        if compression(&head) != Compression::None || is_whole {
            return Ok(false);
        }
        self.look(&head, is_delivered(&self.path) && !self.is_named)?;
        Ok(self.format == Format::Mbox)
    }

    /// The octets as they are on disk, or in the file that it is a member of.
    fn stored(&self) -> Result<Box<dyn Read + Send>, Error> {
        if let Some(member) = &self.member {
            let file = self.on_disk().map_err(|error| self.unread(error))?;
            return members::open(file, member).map_err(|error| self.unread(error));
        }
        if let Some(kept) = &self.kept {
            return Ok(Box::new(kept.rewound()));
        }
        if let Some(whole) = self.whole.upgrade() {
            return Ok(Box::new(Shared { whole, at: 0 }));
        }
        let file = File::open(&self.path).map_err(cannot("open", &self.path))?;
        Ok(Box::new(Steady {
            file,
            left: Some(self.size).filter(|&size| size > 0),
        }))
    }

    /// The file on disk, or the stream, from its start.
    fn on_disk(&self) -> io::Result<Box<dyn members::Anywhere>> {
        Ok(match &self.kept {
            Some(kept) => Box::new(kept.rewound()),
            None => Box::new(File::open(&self.path)?),
        })
    }

    fn head(&self) -> Result<Vec<u8>, Error> {
        self.start(self.stored()?)
    }

    /// The length of a plain file, as far as it is usual; memory for more is made when it comes.
    fn usual(&self) -> usize {
        if self.is_plain() {
            usize::try_from(self.size.min(HEAD)).unwrap_or_default()
        } else {
            0
        }
    }

    fn start(&self, source: impl Read) -> Result<Vec<u8>, Error> {
        // A short file takes one call of the system.
        let mut head = Vec::with_capacity(self.usual());
        source
            .take(HEAD)
            .read_to_end(&mut head)
            .map_err(|error| self.unread(error))?;
        Ok(head)
    }

    /// Finds out how it is compressed; gives in what its files are packed, if it has any, and how it
    /// begins, expanded.
    fn unpack(&mut self) -> Result<(Compression, Vec<u8>), Error> {
        let stored = self.head()?;
        self.compression = compression(&stored);
        if self.compression == Compression::None || self.compression.has_members() {
            let packed = std::mem::replace(&mut self.compression, Compression::None);
            return Ok((packed, stored));
        }
        let head = self.start(self.expanded()?)?;
        let packed = match compression(&head) {
            Compression::Tar => Compression::Tar,
            _ => Compression::None,
        };
        Ok((packed, head))
    }

    /// Keeps what is compressed expanded, to be read from any place.
    fn expand_whole(&mut self) -> Result<(), Error> {
        if self.compression != Compression::None {
            let octets = Kept::new(self.expanded()?).map_err(|error| self.unread(error))?;
            self.relative = without_extension(&self.relative, &COMPRESSED);
            (self.kept, self.compression) = (Some(octets), Compression::None);
        }
        Ok(())
    }

    /// Whether it is read as a folder of what is in it.
    fn has_members(mut self) -> bool {
        self.unpack().is_ok_and(|(packed, _)| packed.has_members())
    }

    /// Finds out what it holds by how it begins, expanded.
    fn look(&mut self, head: &[u8], delivered: bool) -> Result<(), Error> {
        if self.compression != Compression::None {
            self.relative = without_extension(&self.relative, &COMPRESSED);
        }
        let is_called_so = self
            .relative
            .extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("emlx"));
        self.is_emlx = is_called_so && emlx::begin(head).is_some();
        if self.is_emlx {
            self.relative.set_extension("eml");
            self.format = Format::Message;
            return Ok(());
        }
        let format = if delivered {
            Format::of_delivered(head, &self.relative)
        } else {
            Format::of(head, &self.relative)
        };
        self.format = format.map_err(|what| self.failed(&what.to_string()))?;
        Ok(())
    }

    fn failed(&self, why: &str) -> Error {
        Error::new(format!("cannot read {self}: {why}"))
    }

    fn unread(&self, error: io::Error) -> Error {
        Error::io(format!("cannot read {self}"), error)
    }

    /// What went wrong in it, with its name.
    fn with_name(&self, error: Error) -> Error {
        error.within(format_args!("cannot read {self}"))
    }
}

impl fmt::Display for MailSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(member) = &self.member {
            write!(f, "{} in ", member.name.escape_debug())?;
        }
        write!(f, "{}", self.path.display())
    }
}

/// The messages of one source; made by [`MailSource::messages`].
///
/// ```
/// use mime_charset_archive::{Limits, sources};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let file = folder.path().join("inbox");
/// std::fs::write(&file, "From - Sat Jan  3 01:05:34 1996\n\n>From me").unwrap();
/// let source = sources(&file, Limits::new()).next().unwrap().unwrap();
/// let mut messages = source.messages().unwrap();
/// assert_eq!(*messages.next().unwrap().unwrap().message(), *b"\nFrom me");
/// assert!(messages.next().is_none());
/// ```
pub struct Messages {
    source: MailSource,
    inside: Inside,
    is_mboxcl2: Option<bool>,
    /// Whether it gives what is in the file and no message.
    is_whole: bool,
}

enum Inside {
    Message(Box<dyn Read + Send>),
    Mbox(Box<mbox::Reader<Box<dyn Read + Send>>>),
    Nothing,
}

impl Iterator for Messages {
    type Item = Result<Stored, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.inside {
            Inside::Mbox(messages) => Some(match messages.next()? {
                Ok(stored) if stored.is_no_message() && !self.is_whole => return None,
                Ok(stored) => self.settled(stored),
                Err(error) => Err(self.source.with_name(error)),
            }),
            inside => match std::mem::replace(inside, Inside::Nothing) {
                Inside::Message(reader) => Some(self.message(reader)),
                _ => None,
            },
        }
    }
}

impl Messages {
    fn message(&self, reader: impl Read) -> Result<Stored, Error> {
        let longest = self.source.limits.message;
        let mut octets = Vec::with_capacity(self.source.usual());
        let most = (longest as u64).saturating_add(1);
        reader
            .take(most)
            .read_to_end(&mut octets)
            .map_err(|error| self.source.unread(error))?;
        if octets.len() > longest {
            let what = format!("expected messages of at most {longest} octets, found a longer one");
            return Err(self.source.failed(&what));
        }
        Ok(Stored::alone(octets))
    }

    /// One message does not tell mboxcl from mboxcl2; the whole file is asked once.
    fn settled(&mut self, stored: Stored) -> Result<Stored, Error> {
        if stored.entry().dialect() != Dialect::Mboxcl {
            return Ok(stored);
        }
        let is_mboxcl2 = match self.is_mboxcl2 {
            Some(known) => known,
            None => mbox::is_mboxcl2(self.source.open()?)
                .map_err(|error| self.source.with_name(error))?,
        };
        self.is_mboxcl2 = Some(is_mboxcl2);
        Ok(if is_mboxcl2 {
            stored.with_dialect(Dialect::Mboxcl2)
        } else {
            stored
        })
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}

/// A file with the octets it had when it was found: none fewer, and not what is added while
/// it is read, which may be half a message.
struct Steady {
    file: File,
    /// `None` for files that do not know their size, as those of /proc.
    left: Option<u64>,
}

impl Read for Steady {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(left) = &mut self.left else {
            return self.file.read(buffer);
        };
        let length = (&mut self.file).take(*left).read(buffer)?;
        if length == 0 && *left > 0 && !buffer.is_empty() {
            return Err(io::Error::other("it became shorter while it was read"));
        }
        *left -= length as u64;
        Ok(length)
    }
}

/// The octets of a short file, from their start.
struct Shared {
    whole: Arc<Vec<u8>>,
    at: usize,
}

impl Read for Shared {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut rest = self.whole.get(self.at..).unwrap_or_default();
        let length = rest.read(buffer)?;
        self.at += length;
        Ok(length)
    }
}

/// Whether a file is read as a folder of what is in it; no other is opened than a file.
pub(super) fn is_packed(path: &Path) -> bool {
    path.is_file()
        && unopened(path, Limits::new())
            .flatten()
            .any(MailSource::has_members)
}

/// A path that leads nowhere but down, of a name that a stranger chose.
fn harmless(name: &str) -> PathBuf {
    /// Octets; file systems allow 255.
    const MOST: usize = 200;
    let mut path = PathBuf::new();
    for part in name.split(['/', '\\']) {
        let part = part.replace(char::is_control, "_");
        let part = shortened(&part, MOST);
        let is_down = matches!(
            Path::new(&part).components().collect::<Vec<_>>().as_slice(),
            [Component::Normal(name)] if *name == part.as_str()
        );
        if is_down {
            path.push(part);
        } else if !part.is_empty() && part != "." {
            path.push("_");
        }
    }
    if path.as_os_str().is_empty() {
        PathBuf::from("_")
    } else {
        path
    }
}

/// A name of at most so many octets, with its extension, if that is short.
fn shortened(name: &str, most: usize) -> String {
    if name.len() <= most {
        return name.to_owned();
    }
    let extension = name.rfind('.').and_then(|at| name.get(at..));
    let extension = extension
        .filter(|extension| extension.len() <= most / 4)
        .unwrap_or_default();
    // A character of UTF-8 has at most four octets.
    let longest = most.saturating_sub(extension.len());
    let start = (longest.saturating_sub(3)..=longest)
        .rev()
        .find_map(|length| name.get(..length));
    start.unwrap_or_default().to_owned() + extension
}

fn without_extension(path: &Path, extensions: &[&str]) -> PathBuf {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_one = extension.is_some_and(|extension| {
        extensions
            .iter()
            .any(|one| extension.eq_ignore_ascii_case(one))
    });
    if is_one {
        path.with_extension("")
    } else {
        path.to_path_buf()
    }
}

/// Whether a file is a message by its place: in `cur` or `new` of a Maildir. Dots hide what is no mail
/// there.
pub(super) fn is_delivered(path: &Path) -> bool {
    !is_hidden(path) && path.parent().is_some_and(is_delivering)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_none_or(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Whether the folder is `cur` or `new` beside the other.
fn is_delivering(path: &Path) -> bool {
    let is_called_so = path
        .file_name()
        .is_some_and(|name| name == "cur" || name == "new");
    is_called_so
        && path.parent().is_some_and(|parent| {
            ["cur", "new"].iter().all(|name| {
                fs::symlink_metadata(parent.join(name)).is_ok_and(|metadata| metadata.is_dir())
            })
        })
}

/// The names of what is in a folder, in order.
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
