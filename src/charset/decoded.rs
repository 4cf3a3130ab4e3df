//! What comes of decoding: text, the charset it was in, and a report.

use std::borrow::Cow;

use super::value::Charset;
use crate::report::{Report, Source};

/// Text, the charset it was in, on whose word, and everything noticed on the way.
///
/// ```
/// use std::borrow::Cow;
/// use mime_charset::{Charset, Source};
///
/// let decoded = Charset::UTF_8.decode("한국".as_bytes());
/// assert_eq!(decoded.text(), "한국");
/// assert_eq!((decoded.charset(), decoded.source()), (Charset::UTF_8, Source::Declared));
/// assert!(decoded.report().is_empty());
/// assert_eq!(decoded.clone().into_owned(), decoded);
/// // Nothing had to change, so nothing was copied.
/// assert!(matches!(decoded.into_text(), Cow::Borrowed("한국")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
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

    /// Text that is the octets themselves, with nothing to report.
    #[inline]
    pub(crate) fn borrowed(text: &'a str, charset: Charset) -> Self {
        Decoded::new(Cow::Borrowed(text), charset, Report::new())
    }

    /// The text.
    #[must_use]
    #[inline]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text by value, borrowed from the octets where nothing had to change.
    #[must_use]
    #[inline]
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> Decoded<'static> {
        Decoded {
            text: Cow::Owned(self.text.into_owned()),
            charset: self.charset,
            source: self.source,
            report: self.report,
        }
    }

    /// The charset the octets were read in.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// On whose word: [`Source::Declared`] where the caller named the charset.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    /// What was assumed, repaired or lost; [`Finding::within`](crate::Finding::within) says
    /// which octets its offsets count.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}
