//! Selects the files of an archive to read, and their format.

use std::path::Path;

use glob::{MatchOptions, Pattern};

use crate::error::Error;
use crate::format::Format;

/// Selects the files of an archive to read, and their format. Files are matched by patterns: `*`,
/// `?`, `[a-z]`, and `**` for any number of folders. A pattern without a slash matches names in any
/// folder; one with a slash matches whole paths relative to the source. Members of `old.zip` and
/// `old.tar.gz` are in the folder `old`.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::path::Path;
/// use mime_charset_archive::{Limits, Selection, sources};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// for name in ["a.pst", "b.eml", "c.eml"] {
///     std::fs::write(folder.join(name), "Subject: one\n\n").unwrap();
/// }
/// let selection = Selection::new().exclude("*.pst")?.exclude("c*")?;
/// let mut found = sources(folder, Limits::new()).select(&selection);
/// let mail = found.find(|source| source.as_ref().unwrap().messages().unwrap().count() > 0);
/// assert_eq!(mail.unwrap()?.relative(), Path::new("b.eml"));
/// let only = Selection::new().only("c.*")?;
/// let mut found = sources(folder, Limits::new()).select(&only);
/// let mail = found.find(|source| source.as_ref().unwrap().messages().unwrap().count() > 0);
/// assert_eq!(mail.unwrap()?.relative(), Path::new("c.eml"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Selection {
    excluded: Vec<Pattern>,
    only: Vec<Pattern>,
    format: Option<Format>,
}

impl Selection {
    /// All files, in their detected formats.
    pub const fn new() -> Self {
        Selection {
            excluded: Vec::new(),
            only: Vec::new(),
            format: None,
        }
    }

    /// Leaves out files and folders that match the pattern; nothing in them is read as mail.
    ///
    /// # Errors
    ///
    /// Fails if the pattern is malformed.
    pub fn exclude(mut self, pattern: &str) -> Result<Self, Error> {
        self.excluded.push(parse(pattern)?);
        Ok(self)
    }

    /// Leaves out files that match none of the patterns given here. If a zip or tar file matches,
    /// all its members are read.
    ///
    /// # Errors
    ///
    /// Fails if the pattern is malformed.
    pub fn only(mut self, pattern: &str) -> Result<Self, Error> {
        self.only.push(parse(pattern)?);
        Ok(self)
    }

    /// Reads files in this format if their first octets do not determine their format. For example,
    /// a piece of a mailbox made by `split` begins in the middle of a message, and may begin with
    /// lines that look like header fields.
    ///
    /// - [`Format::Mbox`] and [`Format::Message`] are for every file except stores and containers
    ///   of other programs and files that are known not to be mail;
    /// - [`Format::Maildir`] is for folders with `cur` or `new`: their files are messages, and `tmp` is skipped;
    /// - with [`Format::Other`] the formats are detected, as by default.
    ///
    /// ```
    /// # fn main() -> Result<(), mime_charset_archive::Error> {
    /// use mime_charset_archive::{Format, Limits, Selection, sources};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("xab");
    /// std::fs::write(&path, "of a text\n\nFrom - Sat Jan  3 01:05:34 1996\nSubject: two\n\n").unwrap();
    /// let selection = Selection::new().read_as(Format::Mbox);
    /// let source = sources(&path, Limits::new()).select(&selection).next().unwrap()?;
    /// assert_eq!(source.messages()?.count(), 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn read_as(mut self, format: Format) -> Self {
        self.format = Some(format).filter(|format| *format != Format::Other);
        self
    }

    /// The format named by the caller; `None` if formats are detected.
    pub(crate) fn format(&self) -> Option<Format> {
        self.format
    }

    /// Whether a file or folder is left out without being opened.
    pub(super) fn excludes(&self, relative: &Path) -> bool {
        matches(&self.excluded, relative)
    }

    /// Whether a file that is not a container is read.
    pub(super) fn includes(&self, relative: &Path) -> bool {
        self.only.is_empty() || matches(&self.only, relative)
    }
}

fn parse(pattern: &str) -> Result<Pattern, Error> {
    Pattern::new(pattern.trim_end_matches('/')).map_err(|error| {
        let sentence = format!(
            "expected a pattern of file names, found {pattern}: {}",
            error.msg
        );
        Error::new(sentence)
    })
}

fn matches(patterns: &[Pattern], relative: &Path) -> bool {
    let options = MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: false,
    };
    patterns.iter().any(|pattern| {
        let has_slash = pattern.as_str().contains('/');
        let path = if has_slash {
            relative
        } else {
            relative.file_name().map_or(relative, Path::new)
        };
        pattern.matches_with(&path.to_string_lossy(), options)
    })
}
