//! Which files of an archive are read.

use std::path::Path;

use glob::{MatchOptions, Pattern};

use crate::error::Error;

/// Which files of an archive are read, by patterns: `*`, `?`, `[a-z]`, and `**` for any folders. A pattern
/// without a slash is for names, in any folder; one with a slash for whole paths below the source. Members
/// of `old.zip` and `old.tar.gz` are in the folder `old`.
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
}

impl Selection {
    /// All files.
    pub const fn new() -> Self {
        Selection {
            excluded: Vec::new(),
            only: Vec::new(),
        }
    }

    /// Leaves out the files and folders that match: they are not opened.
    ///
    /// # Errors
    ///
    /// A malformed pattern.
    pub fn exclude(mut self, pattern: &str) -> Result<Self, Error> {
        self.excluded.push(parse(pattern)?);
        Ok(self)
    }

    /// Leaves out the files that match no pattern given here. All members of a zip or tar file that matches
    /// are read.
    ///
    /// # Errors
    ///
    /// A malformed pattern.
    pub fn only(mut self, pattern: &str) -> Result<Self, Error> {
        self.only.push(parse(pattern)?);
        Ok(self)
    }

    /// Whether a file or a folder is left out without a look at it.
    pub(super) fn excludes(&self, relative: &Path) -> bool {
        matches(&self.excluded, relative)
    }

    /// Whether a file that is not a container is read.
    pub(super) fn takes(&self, relative: &Path) -> bool {
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
