//! On whose word a charset was chosen.

/// On whose word a charset was chosen.
///
/// ```
/// use mime_charset::{Label, Options, Source, decode};
///
/// let (label, options) = (Label::new("koi8-u"), Options::new());
/// let labelled = decode::decode(b"\xF5\xCB\xD2", Some(&label), &options);
/// assert_eq!((labelled.text(), labelled.source()), ("Укр", Source::Declared));
/// let unlabelled = decode::decode("Укр".as_bytes(), None, &options);
/// assert_eq!((unlabelled.text(), unlabelled.source()), ("Укр", Source::Evidence));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The label of the part, or the caller.
    Declared,
    /// A byte order mark.
    Bom,
    /// A declaration inside the document, such as an HTML `meta` or an XML declaration.
    Document,
    /// The octets themselves, which leave no other reading: valid UTF-8, ISO 2022 escapes.
    Evidence,
    /// Likelihood, or a hint of the caller.
    Detected,
    /// Nobody's: the default of the media type or of this library.
    Default,
}

impl Source {
    /// The word for it in JSON: `declared`, `bom`, `document`, `evidence`, `detected` or
    /// `default`.
    ///
    /// ```
    /// assert_eq!(mime_charset::Source::Evidence.name(), "evidence");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Source::Declared => "declared",
            Source::Bom => "bom",
            Source::Document => "document",
            Source::Evidence => "evidence",
            Source::Detected => "detected",
            Source::Default => "default",
        }
    }
}
