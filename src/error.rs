//! The error type, for names that people type and for arguments of programs.

use std::borrow::Cow;
use std::fmt;

/// One sentence: what was expected, what was found, and where.
///
/// Parsing mail never fails: a [`Report`](crate::Report) lists the faults of mail. Errors are for mistakes
/// of people and programs: a charset name that does not exist, text that is not an address, octets that are
/// not UTF-8 as promised.
///
/// ```
/// use mime_charset::Charset;
///
/// let error = "klingon".parse::<Charset>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a charset label, found \"klingon\"");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    sentence: Cow<'static, str>,
    offset: Option<usize>,
}

impl Error {
    /// An error without an offset.
    pub(crate) fn new(sentence: impl Into<Cow<'static, str>>) -> Self {
        Error {
            sentence: sentence.into(),
            offset: None,
        }
    }

    /// An error at `offset` octets into the input.
    pub(crate) fn at(offset: usize, sentence: impl Into<Cow<'static, str>>) -> Self {
        Error {
            sentence: sentence.into(),
            offset: Some(offset),
        }
    }

    /// The offset of the error in the input, in octets, or in values if the input is values.
    ///
    /// ```
    /// use mime_charset::utf8::Profile;
    ///
    /// let error = Profile::Rfc3629.encode(&[0x41, 0xD800]).unwrap_err();
    /// assert_eq!(error.offset(), Some(1));
    /// ```
    #[must_use]
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl std::error::Error for Error {}
