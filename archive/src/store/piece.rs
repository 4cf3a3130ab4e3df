//! Splits archives for distributed work.

use std::iter;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::limits::Limits;
use super::source::MailSource;
use super::sources::{MailSources, sources_in, unopened};
use crate::error::Error;
use crate::format::Format;

/// Splits an archive into pieces that can be read independently: its files, and ranges of large
/// plain mailboxes. In order, the pieces together have every message of [`sources`](super::sources)
/// of `path` exactly once.
///
/// A plain mailbox longer than `octets` is split into ranges of that size. Other files are not
/// split. A mailbox with a Content-Length in its first 64 KiB is not split either: only the whole
/// file shows how to interpret these fields, so each range would have to search all of it. Only
/// files longer than `octets` are opened, to read their start.
///
/// A folder that cannot be listed is one error; the iterator continues after it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mime_charset_archive::{Limits, pieces};
///
/// let path = "../corpus/archive/mboxrd.mbox".as_ref();
/// let pieces: Vec<_> = pieces(path, 500, Limits::new()).collect::<Result<_, _>>()?;
/// assert_eq!((&pieces[0].range, &pieces[1].range), (&(0..500), &(500..1000)));
/// let mut count = 0;
/// for piece in &pieces {
///     for source in piece.sources(Limits::new()) {
///         count += source?.messages()?.count();
///     }
/// }
/// assert_eq!(count, 7);
/// # Ok(())
/// # }
/// ```
#[must_use = "iterators do nothing until they are asked"]
pub fn pieces(
    path: &Path,
    octets: u64,
    limits: Limits,
) -> impl Iterator<Item = Result<Piece, Error>> + use<> {
    let ranges = move |file: MailSource| {
        // Errors are reported when the piece is read.
        let is_split = file.size() > octets && file.clone().has_ranges().unwrap_or(false);
        let step = if is_split { octets.max(1) } else { u64::MAX };
        let size = file.size();
        let next = move |start: &u64| start.checked_add(step).filter(|&next| next < size);
        iter::successors(Some(0), next).map(move |start| {
            // The last range includes octets that are appended to the file later.
            let end = next(&start).unwrap_or(u64::MAX);
            Piece::new(file.path(), file.is_named(), start..end)
        })
    };
    unopened(path, limits)
        .filter(|file| !file.as_ref().is_ok_and(|it| it.format() == Format::Maildir))
        .flat_map(move |file| {
            let (file, error) = match file {
                Ok(file) => (Some(file), None),
                Err(error) => (None, Some(Err(error))),
            };
            file.into_iter().flat_map(ranges).map(Ok).chain(error)
        })
}

/// A file of an archive, or a range of a mailbox; made by [`pieces`]. It holds no resources: send
/// its fields to another process and rebuild it there with [`Piece::new`].
///
/// ```
/// use mime_charset_archive::{Limits, pieces};
///
/// let piece = pieces("Cargo.toml".as_ref(), 1000, Limits::new()).next().unwrap().unwrap();
/// assert_eq!((piece.path.as_path(), piece.is_named), ("Cargo.toml".as_ref(), true));
/// assert_eq!(piece.range, 0..u64::MAX);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// The file.
    pub path: PathBuf,
    /// Whether the caller named the file itself rather than a folder above it.
    pub is_named: bool,
    /// The range of the file in which the entries begin.
    pub range: Range<u64>,
}

impl Piece {
    /// The messages whose entries begin in a range of a file, which is expanded first if it is
    /// compressed. `is_named` is as for [`MailSource::is_named`]. Unless the file is a plain
    /// mailbox, a range is read from the start of the file.
    ///
    /// ```
    /// use mime_charset_archive::{Limits, Piece};
    ///
    /// let piece = Piece::new("../corpus/archive/mboxrd.mbox", true, 1..u64::MAX);
    /// let source = piece.sources(Limits::new()).next().unwrap().unwrap();
    /// assert_eq!(source.messages().unwrap().count(), 6);
    /// ```
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, is_named: bool, range: Range<u64>) -> Self {
        Piece {
            path: path.into(),
            is_named,
            range,
        }
    }

    /// The source of the piece; for a zip or tar file, its sources. They return only the messages
    /// in the range.
    ///
    /// Unless the range begins at 0, [`Stored::ordinal`](crate::mbox::Stored::ordinal) does not
    /// count from the start of the file.
    #[must_use]
    pub fn sources(&self, limits: Limits) -> MailSources {
        self.sources_below(self.path.parent().unwrap_or(&self.path), limits)
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.range == (0..u64::MAX)
    }

    /// Like [`sources`](Piece::sources), with paths relative to a folder.
    pub(crate) fn sources_below(&self, folder: &Path, limits: Limits) -> MailSources {
        let name = Path::new(self.path.file_name().unwrap_or_default());
        let relative = self.path.strip_prefix(folder).unwrap_or(name);
        let within = (!self.is_whole()).then(|| self.range.clone());
        sources_in(&self.path, relative, self.is_named, within, limits)
    }
}
