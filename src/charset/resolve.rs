//! Resolves labels to charsets.

use std::fmt;
use std::str::FromStr;

use super::labels;
use super::repair;
use super::value::Charset;
use crate::error::Error;
use crate::label::Label;
use crate::report::Kind;

/// Resolves a label: by exact comparison, then loosely, then after repairing damage.
///
/// If the label does not match exactly, the caller adds the finding that [`Matched::kind`] names. A
/// charset that does not exist, such as `utf-9`, is never mapped to another charset. A label of more
/// than 256 octets names no charset.
///
/// ```
/// use mime_charset::{Charset, Label, charset, charset::Matched};
///
/// let resolve = |label| charset::resolve(&Label::new(label));
/// assert_eq!(resolve("utf-8").matched, Matched::Exact);
/// assert_eq!(resolve("UTF 8").matched, Matched::Loose);
/// assert_eq!(resolve("3D\"utf-8\"").matched, Matched::Repaired);
/// assert_eq!(resolve("3D\"utf-8\"").charset, Some(Charset::UTF_8));
/// assert_eq!(resolve("utf-9").matched, Matched::Unknown);
/// ```
#[must_use]
pub fn resolve(label: &Label<'_>) -> Resolved {
    let octets = label.as_bytes();
    let trimmed = octets.trim_ascii();
    let undamaged = String::new();
    let (row, matched, undone) = if let Some(row) = labels::exact(octets) {
        (Some(row), Matched::Exact, undamaged)
    } else if trimmed.len() > MAX_LABEL {
        (None, Matched::Unknown, undamaged)
    } else if let Some(row) = labels::loose(octets) {
        (Some(row), Matched::Loose, undamaged)
    } else if let Some((row, undone)) = repair::repair(trimmed) {
        (Some(row), Matched::Repaired, undone)
    } else {
        (None, Matched::Unknown, undamaged)
    };
    Resolved {
        charset: row.and_then(labels::charset),
        matched,
        label: row.and_then(labels::label),
        undone,
    }
}

/// Maximum length of a label that is compared loosely or repaired.
const MAX_LABEL: usize = 256;

/// The result of resolving a label.
///
/// ```
/// use mime_charset::{Label, charset::{self, Matched}};
///
/// let resolved = charset::resolve(&Label::new("'Windows-1250'"));
/// assert_eq!(resolved.charset.unwrap().name(), "windows-1250");
/// assert_eq!((resolved.matched, resolved.label), (Matched::Repaired, Some("windows-1250")));
/// assert_eq!(resolved.undone, "punctuation around it");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolved {
    /// The charset; `None` if the label names none.
    pub charset: Option<Charset>,
    /// How the label was matched.
    pub matched: Matched,
    /// The matched label of the list, in lower case.
    pub label: Option<&'static str>,
    /// The damage that was undone to match it; empty if there was none.
    pub undone: String,
}

impl Resolved {
    /// The detail of the finding that [`Matched::kind`] names.
    ///
    /// ```
    /// use mime_charset::{Kind, Label, charset};
    ///
    /// let resolved = charset::resolve(&Label::new("'utf-8'"));
    /// assert_eq!(resolved.matched.kind(), Some(Kind::RepairedLabel));
    /// assert_eq!(resolved.detail(), "read as UTF-8, without punctuation around it");
    /// ```
    #[must_use]
    pub fn detail(&self) -> String {
        match (self.charset, self.matched) {
            (None, _) => "names no charset".to_owned(),
            (Some(_), Matched::Exact) => String::new(),
            (Some(charset), _) if self.undone.is_empty() => format!("read as {charset}"),
            (Some(charset), _) => format!("read as {charset}, without {}", self.undone),
        }
    }
}

/// How a label was matched.
///
/// ```
/// use mime_charset::{Label, charset::{self, Matched}};
///
/// let matched = |label| charset::resolve(&Label::new(label)).matched;
/// assert_eq!(matched("ISO-8859-15"), Matched::Exact);
/// assert_eq!(matched("iso 8859_15"), Matched::Loose);
/// assert_eq!(matched("<iso-8859-15>"), Matched::Repaired);
/// assert_eq!(matched("iso-8859-99").name(), "unknown");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matched {
    /// It is in the list of labels.
    Exact,
    /// It equals a label if case, punctuation and leading zeros are ignored (UTS #22, section 1.4).
    Loose,
    /// It equals a label after repair.
    Repaired,
    /// It names no charset.
    Unknown,
}

impl Matched {
    /// The name in JSON: `exact`, `loose`, `repaired` or `unknown`.
    ///
    /// ```
    /// assert_eq!(mime_charset::charset::Matched::Loose.name(), "loose");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Matched::Exact => "exact",
            Matched::Loose => "loose",
            Matched::Repaired => "repaired",
            Matched::Unknown => "unknown",
        }
    }

    /// The kind of finding for this match; `None` for an exact one.
    ///
    /// ```
    /// use mime_charset::{Kind, charset::Matched};
    ///
    /// assert_eq!(Matched::Loose.kind(), Some(Kind::LooseLabel));
    /// assert_eq!(Matched::Exact.kind(), None);
    /// ```
    #[must_use]
    pub fn kind(self) -> Option<Kind> {
        match self {
            Matched::Exact => None,
            Matched::Loose => Some(Kind::LooseLabel),
            Matched::Repaired => Some(Kind::RepairedLabel),
            Matched::Unknown => Some(Kind::UnknownLabel),
        }
    }
}

impl Charset {
    /// The charset with this label, compared exactly, ignoring ASCII case. [`resolve`] also compares
    /// loosely and repairs.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert_eq!(Charset::for_label("UTF8"), Some(Charset::UTF_8));
    /// assert_eq!(Charset::for_label("\"utf-8\""), None);
    /// const HEBREW: Charset = Charset::for_label("windows-1255").unwrap();
    /// assert_eq!(HEBREW.name(), "windows-1255");
    /// ```
    #[must_use]
    pub const fn for_label(label: &str) -> Option<Charset> {
        labels::target(label.as_bytes())
    }

    /// [`for_label`](Charset::for_label) for a label in mail, which may contain any octets.
    pub(crate) const fn for_label_octets(label: &[u8]) -> Option<Charset> {
        labels::target(label)
    }

    /// Every label that names this charset exactly, in lower case, sorted.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert!(Charset::UTF_8.labels().any(|label| label == "csutf8"));
    /// ```
    pub fn labels(self) -> impl Iterator<Item = &'static str> + Clone {
        (0..labels::COUNT)
            .filter(move |&row| labels::charset(row) == Some(self))
            .filter_map(labels::label)
    }
}

/// For names that users type: exact, then loose.
impl FromStr for Charset {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let resolved = resolve(&Label::new(name));
        match (resolved.charset, resolved.matched) {
            (Some(charset), Matched::Exact | Matched::Loose) => Ok(charset),
            _ => Err(Error::new(format!(
                "expected a charset label, found {name:?}"
            ))),
        }
    }
}

/// The [`name`](Matched::name).
impl fmt::Display for Matched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
