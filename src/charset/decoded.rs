//! The result of decoding: text, charset and report.

use std::borrow::Cow;
use std::fmt;

use super::value::Charset;
use super::web;
use crate::report::{Report, Source};

/// Decoded text, its charset, the source of that decision, and the report.
///
/// ```
/// use std::borrow::Cow;
/// use mime_charset::{Charset, Source};
///
/// let decoded = Charset::UTF_8.decode("한국".as_bytes());
/// assert_eq!(decoded.as_str(), "한국");
/// assert_eq!((decoded.charset(), decoded.source()), (Charset::UTF_8, Source::Declared));
/// assert!(decoded.report().is_empty());
/// assert_eq!(decoded.clone().into_owned(), decoded);
/// // Nothing had to change, so nothing was copied.
/// assert!(matches!(decoded.into_text(), Cow::Borrowed("한국")));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) charset: Charset,
    pub(crate) source: Source,
    pub(crate) report: Report,
}

impl<'a> Decoded<'a> {
    #[inline]
    pub(super) fn new(text: Cow<'a, str>, charset: Charset, report: Report) -> Self {
        Decoded {
            text,
            charset,
            source: Source::Declared,
            report,
        }
    }

    /// Text that equals the octets, with an empty report.
    #[inline]
    pub(crate) fn borrowed(text: &'a str, charset: Charset) -> Self {
        Decoded::new(Cow::Borrowed(text), charset, Report::new())
    }

    /// The text. [`Display`](fmt::Display) writes it, and it compares with `str`.
    #[must_use]
    #[inline]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text by value, borrowed if it equals the octets.
    #[must_use]
    #[inline]
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// The text and the report by value, without copying: borrowed text stays borrowed. Offsets in the
    /// report count octets, as in [`report`](Decoded::report).
    ///
    /// ```
    /// use mime_charset::{Charset, Kind};
    ///
    /// let (text, report) = Charset::UTF_8.decode(b"caf\xE9").into_parts();
    /// assert_eq!(text, "caf\u{FFFD}");
    /// assert!(report.has(Kind::Malformed));
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (Cow<'a, str>, Report) {
        (self.text, self.report)
    }

    /// The same, with owned text.
    #[must_use]
    pub fn into_owned(self) -> Decoded<'static> {
        Decoded {
            text: Cow::Owned(self.text.into_owned()),
            charset: self.charset,
            source: self.source,
            report: self.report,
        }
    }

    /// Decodes octets, and reuses their memory if they equal the text.
    pub(crate) fn of_owned(
        octets: Vec<u8>,
        read: impl for<'o> FnOnce(&'o [u8]) -> Decoded<'o>,
    ) -> Decoded<'static> {
        let (text, (charset, source, report)) = web::owned_text(octets, |octets| {
            let read = read(octets);
            (read.text, (read.charset, read.source, read.report))
        });
        Decoded {
            text: Cow::Owned(text),
            charset,
            source,
            report,
        }
    }

    /// The charset in which the octets were decoded.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// The source of the decision: [`Source::Declared`] if the caller named the charset.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    /// The findings about assumed, repaired or lost text.
    /// [`Finding::within`](crate::Finding::within) says in which octets its offsets count.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl AsRef<str> for Decoded<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Decoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text, charset, source and findings, on one line.
impl fmt::Debug for Decoded<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (charset, source) = (self.charset.name(), self.source.name());
        write!(f, "{:?} in {charset} ({source})", self.text)?;
        self.report.describe(f)
    }
}

impl PartialEq<str> for Decoded<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Decoded<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl<'a> From<Decoded<'a>> for Cow<'a, str> {
    fn from(text: Decoded<'a>) -> Self {
        text.into_text()
    }
}

impl From<Decoded<'_>> for String {
    fn from(text: Decoded<'_>) -> Self {
        text.into_text().into_owned()
    }
}
