//! A file or a member with messages, and its octets.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Weak;
use std::time::SystemTime;

use super::compressed;
use super::limits::Limits;
use super::maildir::{Folder, Location, has_numbered_neighbor, is_sequences};
use super::members::{self, Member};
use super::name::{COMPRESSED, without_extension};
use super::stream::StoredStream;
use super::wrapped::{Wrapped, Wrapper, read_part};
use crate::error::{Error, cannot};
use crate::foreign::{own_file, unread_format};
use crate::format::{Compression, Format, compression, format, has_field};
use crate::mbox;

/// Number of octets read to detect a file's format.
pub(super) const HEAD: u64 = 64 << 10;

/// The reason that a file has no messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoMail {
    /// The caller left it out.
    Excluded,
    /// It is in `tmp` of a Maildir.
    Undelivered,
    /// The kind of file.
    Other(&'static str),
}

impl NoMail {
    /// The outcome and the detail in reports.
    pub(crate) fn outcome(self) -> (&'static str, &'static str) {
        match self {
            NoMail::Excluded => ("excluded", "left out by the caller"),
            NoMail::Undelivered => (
                "undelivered",
                "in tmp of a Maildir: its delivery did not end",
            ),
            NoMail::Other(why) => ("no-mail", why),
        }
    }
}

/// A file with messages, or a member of a zip or tar file with messages.
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
    pub(super) path: PathBuf,
    pub(super) relative: PathBuf,
    pub(super) format: Format,
    pub(super) compression: Compression,
    /// The size of the file on disk.
    pub(super) size: u64,
    pub(super) modified: Option<SystemTime>,
    /// The permissions of the file on disk.
    pub(super) permissions: Option<fs::Permissions>,
    pub(super) limits: Limits,
    /// The place of the message in a file that wraps it in other octets.
    pub(super) wrapped: Option<Wrapped>,
    /// The reason for [`Format::Other`].
    pub(super) why: NoMail,
    /// Whether the caller named this file itself.
    pub(super) is_named: bool,
    /// The range in which a mailbox's entries must begin.
    pub(super) within: Option<Range<u64>>,
    /// The octets of a short file, read to detect its format. They can be reused until the iterator
    /// that found the file moves on or is dropped.
    pub(super) whole: Option<Weak<[u8]>>,
    /// The octets, if they are not those of the file at `path`.
    pub(super) stream: Option<StoredStream>,
    pub(super) member: Option<Member>,
}

impl MailSource {
    /// A source before its format is detected.
    pub(super) fn new(path: PathBuf, relative: PathBuf, limits: Limits) -> Self {
        MailSource {
            path,
            relative,
            format: Format::Other,
            compression: Compression::None,
            size: 0,
            modified: None,
            permissions: None,
            limits,
            wrapped: None,
            why: NoMail::Other(""),
            is_named: false,
            within: None,
            whole: None,
            stream: None,
            member: None,
        }
    }

    /// The file on disk; for a member, the zip or tar file; for a stream, its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path in a folder of the same layout: relative to the given path, or the file name if the
    /// file itself was given. Extensions like `.gz` are removed. `old.zip` and `old.tar.gz` become
    /// a folder `old`; no member name leads out of it.
    #[must_use]
    pub fn relative(&self) -> &Path {
        &self.relative
    }

    /// The detected format.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether the caller named the file itself rather than a folder, zip file or tar file that
    /// contains it.
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

    /// Reads the source as one message, whatever its format.
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

    /// The length of the file on disk in octets, before expansion.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The modification time of the file, if the file system records it.
    #[must_use]
    pub fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// Whether Apple Mail keeps attachments of the message in other files.
    pub(crate) fn lacks_attachments(&self) -> bool {
        let stem = self.relative.file_stem().map(Path::new);
        let is_partial = stem.and_then(Path::extension) == Some("partial".as_ref());
        is_partial && self.wrapped.is_some_and(|it| it.form == Wrapper::Emlx)
    }

    /// The reason that it has no messages, if it has none.
    pub(crate) fn why(&self) -> NoMail {
        self.why
    }

    /// The same source, marked as one without messages.
    pub(super) fn without_mail(self, why: NoMail) -> Self {
        MailSource {
            format: Format::Other,
            why,
            ..self
        }
    }

    /// Whether it is in `tmp` of a Maildir: its delivery did not end. Its format is
    /// [`Format::Other`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mime_charset_archive::{Limits, sources};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// for name in ["cur", "new", "tmp"] {
    ///     std::fs::create_dir(folder.join(name))?;
    /// }
    /// std::fs::write(folder.join("tmp/1"), "Subject: on")?;
    /// let last = sources(folder, Limits::new()).last().unwrap()?;
    /// assert!(last.path().ends_with("tmp/1") && last.is_undelivered());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn is_undelivered(&self) -> bool {
        self.why == NoMail::Undelivered
    }

    /// The octets of the file as stored, or of the member; fails unless it is a regular file.
    pub(crate) fn whole_file(&self) -> Result<Box<dyn Read + Send>, Error> {
        let is_file =
            self.stream.is_some() || fs::metadata(&self.path).is_ok_and(|it| it.is_file());
        if is_file {
            self.stored()
        } else {
            Err(self.failed("it is not a file"))
        }
    }

    /// The permissions of the file on disk; `None` for a stream or a folder.
    pub(crate) fn permissions(&self) -> Option<&fs::Permissions> {
        self.permissions.as_ref()
    }

    /// Opens the octets, expanded. For an `.emlx` or a Dovecot file, only the octets of its
    /// message.
    ///
    /// # Errors
    ///
    /// One sentence that names the file. Reading fails if the file on disk has become shorter since
    /// it was found, if compressed data are damaged, or if they expand beyond the limits.
    pub fn open(&self) -> Result<Box<dyn Read + Send>, Error> {
        let octets = self.expanded()?;
        Ok(match self.wrapped {
            Some(wrapped) => Box::new(wrapped.open(octets).map_err(|error| self.unread(error))?),
            None => octets,
        })
    }

    fn expanded(&self) -> Result<Box<dyn Read + Send>, Error> {
        let most = self.limits.most(self.size);
        Ok(compressed::expand(self.stored()?, self.compression, most))
    }

    pub(super) fn mailbox(&self) -> Result<mbox::Reader<Box<dyn Read + Send>>, Error> {
        let within = self.within.clone().unwrap_or(0..u64::MAX);
        if self.within.is_none() || !self.is_plain() {
            let separators = mbox::Separators::default();
            return Ok(mbox::rest(self.open()?, 0, separators, within));
        }
        let mut file = File::open(&self.path).map_err(cannot("open", &self.path))?;
        let found = mbox::begin(&mut file, within.start);
        let (begin, separators) = found.map_err(|error| self.unread(error))?;
        let left = Some(self.size.saturating_sub(begin));
        Ok(mbox::rest(
            Box::new(FixedLength { file, left }),
            begin,
            separators,
            within,
        ))
    }

    /// Whether the octets are those of the file on disk.
    pub(super) fn is_plain(&self) -> bool {
        self.stream.is_none() && self.member.is_none() && self.compression == Compression::None
    }

    /// Whether ranges of it can be read independently: it is a plain mbox mailbox without a
    /// Content-Length in its beginning.
    pub(super) fn has_ranges(mut self) -> Result<bool, Error> {
        let head = self.head()?;
        let is_whole = mbox::has_content_length(&head)
            || mbox::begins_other(&head)
            || mbox::has_cr_lines(&head);
        if compression(&head) != Compression::None || is_whole {
            return Ok(false);
        }
        let folder = self.path.parent().unwrap_or(&self.path);
        let location = Folder::of(folder, false).location(&self.path);
        self.detect_format(&head, location, None)?;
        Ok(self.format == Format::Mbox)
    }

    /// The octets as stored on disk or in the container.
    fn stored(&self) -> Result<Box<dyn Read + Send>, Error> {
        if let Some(member) = &self.member {
            let file = self.on_disk().map_err(|error| self.unread(error))?;
            return members::open(file, member).map_err(|error| self.unread(error));
        }
        if let Some(stream) = &self.stream {
            return Ok(Box::new(stream.rewound()));
        }
        if let Some(whole) = self.whole.as_ref().and_then(Weak::upgrade) {
            return Ok(Box::new(Cursor::new(whole)));
        }
        let file = File::open(&self.path).map_err(cannot("open", &self.path))?;
        Ok(Box::new(FixedLength {
            file,
            left: Some(self.size).filter(|&size| size > 0),
        }))
    }

    /// The file on disk, or the stream, from its start.
    pub(super) fn on_disk(&self) -> io::Result<Box<dyn members::Anywhere>> {
        Ok(match &self.stream {
            Some(stream) => Box::new(stream.rewound()),
            None => Box::new(File::open(&self.path)?),
        })
    }

    fn head(&self) -> Result<Vec<u8>, Error> {
        self.start(self.stored()?)
    }

    /// The length of a plain file, up to a common size; longer buffers grow on demand.
    pub(super) fn initial_capacity(&self) -> usize {
        if self.is_plain() {
            usize::try_from(self.size.min(HEAD)).unwrap_or_default()
        } else {
            0
        }
    }

    fn start(&self, source: impl Read) -> Result<Vec<u8>, Error> {
        // For a short file, one system call suffices.
        let mut head = Vec::with_capacity(self.initial_capacity());
        source
            .take(HEAD)
            .read_to_end(&mut head)
            .map_err(|error| self.unread(error))?;
        Ok(head)
    }

    /// Detects its compression. Returns the container format, if it has members, and its expanded
    /// beginning.
    pub(super) fn unpack(&mut self) -> Result<(Compression, Vec<u8>), Error> {
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

    /// Expands it to a temporary file with random access.
    pub(super) fn expand_whole(&mut self) -> Result<(), Error> {
        if self.compression != Compression::None || self.member.is_some() {
            let octets = StoredStream::new(self.expanded()?).map_err(|error| self.unread(error))?;
            self.relative = without_extension(&self.relative, &COMPRESSED);
            (self.stream, self.compression) = (Some(octets), Compression::None);
            self.member = None;
        }
        Ok(())
    }

    /// Whether it is treated as a folder of its members.
    pub(super) fn has_members(mut self) -> bool {
        self.unpack().is_ok_and(|(packed, _)| packed.has_members())
    }

    /// Detects its format from its expanded beginning, unless the caller named one.
    pub(super) fn detect_format(
        &mut self,
        head: &[u8],
        location: Location,
        read_as: Option<Format>,
    ) -> Result<(), Error> {
        if self.compression != Compression::None {
            self.relative = without_extension(&self.relative, &COMPRESSED);
        }
        self.wrapped = Wrapped::of(head, &self.relative);
        if let Some(wrapped) = self.wrapped {
            let message = head.get(wrapped.offset..).unwrap_or_default();
            if wrapped.form == Wrapper::Dbox && compression(message) != Compression::None {
                return Err(self.failed("its message is compressed, which doveadm backup expands"));
            }
            self.relative = wrapped.result_name(&self.relative);
            self.format = Format::Message;
            return Ok(());
        }
        let own = own_file(head, &self.relative);
        let why = own.unwrap_or("it begins with neither a separator line nor header fields");
        self.why = NoMail::Other(why);
        if own.is_none()
            && let Some(what) = unread_format(head, &self.relative)
        {
            return Err(self.failed(&what));
        }
        self.format = match (own, read_as) {
            (Some(_), _) if is_sequences(&self.relative) && !self.is_named => Format::Mh,
            (Some(_), _) => Format::Other,
            (None, Some(format @ (Format::Message | Format::Mbox))) => format,
            (None, _) if location == Location::Delivered => Format::Message,
            (None, _) => format(head, &self.relative),
        };
        let is_numbered = || self.is_plain() && has_numbered_neighbor(&self.path);
        if self.format == Format::Other && own.is_none() && has_field(head) && is_numbered() {
            self.format = Format::Message;
        }
        Ok(())
    }

    pub(super) fn failed(&self, why: &str) -> Error {
        Error::new(format!("cannot read {self}: {why}"))
    }

    pub(super) fn unread(&self, error: io::Error) -> Error {
        Error::io(format!("cannot read {self}"), error)
    }

    /// Adds its name to an error.
    pub(super) fn with_name(&self, error: Error) -> Error {
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

/// A file limited to its length when it was found. Octets appended while it is read may be a
/// partial message.
struct FixedLength {
    file: File,
    /// `None` for files without a size, such as those in /proc.
    left: Option<u64>,
}

impl Read for FixedLength {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let too_short = "it became shorter while it was read";
        match &mut self.left {
            Some(left) => read_part(&mut self.file, left, buffer, too_short),
            None => self.file.read(buffer),
        }
    }
}
