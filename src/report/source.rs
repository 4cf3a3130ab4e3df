//! The source of a charset.

use std::fmt;

/// The source of a charset decision.
///
/// ```
/// use mime_charset::{Label, Source, decode::{self, Context}};
///
/// let label = Label::new("koi8-u");
/// let labelled = decode::decode(b"\xF5\xCB\xD2", &Context::new().label(Some(&label)));
/// assert_eq!((labelled.as_str(), labelled.source()), ("Укр", Source::Declared));
/// let unlabelled = decode::decode("Укр".as_bytes(), &Context::new());
/// assert_eq!((unlabelled.as_str(), unlabelled.source()), ("Укр", Source::Evidence));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The caller forces the charset ([`Options::force`](crate::Options::force)).
    Forced,
    /// The label of the part, or the caller.
    Declared,
    /// A byte order mark.
    Bom,
    /// A declaration in the document, such as an HTML `meta` or an XML declaration.
    Document,
    /// The octets themselves, because they allow no other interpretation: valid UTF-8, ISO 2022 escapes.
    Evidence,
    /// Detection, or a hint from the caller.
    Detected,
    /// The default of the media type or of this library.
    Default,
}

impl Source {
    /// The name in JSON: `forced`, `declared`, `bom`, `document`, `evidence`, `detected`
    /// or `default`.
    ///
    /// ```
    /// assert_eq!(mime_charset::Source::Evidence.name(), "evidence");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Source::Forced => "forced",
            Source::Declared => "declared",
            Source::Bom => "bom",
            Source::Document => "document",
            Source::Evidence => "evidence",
            Source::Detected => "detected",
            Source::Default => "default",
        }
    }
}

/// The [`name`](Source::name).
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
