//! The one error: for names typed by people and for what programs pass in.

use std::borrow::Cow;
use std::fmt;

/// What was expected, what was found, and where, as one sentence.
///
/// Reading mail gives no error: a [`Report`](crate::Report) says what is wrong with mail. Errors
/// are for what a person or a program gets wrong: a charset name that does not exist, text that is
/// not an address, octets that were promised to be UTF-8.
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
    /// An error that has no place in the input.
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

    /// How many octets (of values: how many values) into the input the error lies, where it
    /// has a place there.
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
