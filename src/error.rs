//! The one error: for files, and for names typed by people.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::sync::Arc;
use std::{fmt, io};

/// What was expected, what was found, and where, as one sentence.
///
/// Reading mail gives no error: a [`Report`](crate::Report) says what is wrong with mail. Errors
/// are for what a person or a program gets wrong: a file that cannot be read, a charset name that
/// does not exist, text that is not an address, octets that were promised to be UTF-8.
///
/// ```
/// use mime_charset::Charset;
///
/// let error = "klingon".parse::<Charset>().unwrap_err();
/// assert_eq!(error.to_string(), "expected a charset label, found \"klingon\"");
/// ```
#[derive(Debug, Clone)]
pub struct Error {
    sentence: Cow<'static, str>,
    offset: Option<usize>,
    /// Shared, since an `io::Error` cannot be cloned.
    cause: Option<Arc<io::Error>>,
    remedy: Option<Remedy>,
}

/// What to ask for instead, where a run is refused for what is there already.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, sync::atomic::AtomicBool};
/// use mime_charset::{Remedy, batch::Convert};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// fs::write(folder.join("1.eml"), "Subject: =?koi8-r?Q?=F0?=\n\n")?;
/// fs::write(folder.join("report.jsonl"), "of another run")?;
/// let conversion = Convert::new(folder.join("1.eml"), folder.join("new.eml"))
///     .report(folder.join("report.jsonl"));
/// let refused = conversion.run(&AtomicBool::new(false), |_| ()).unwrap_err();
/// assert_eq!(refused.remedy(), Some(Remedy::ResumeOrReplace));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Remedy {
    /// To go on with the run that was interrupted, or to replace what is there
    /// ([`Existing`](crate::archive::Existing)).
    ResumeOrReplace,
    /// To replace what is there.
    Replace,
}

impl Error {
    /// An error that has no place in the input.
    pub(crate) fn new(sentence: impl Into<Cow<'static, str>>) -> Self {
        Error {
            sentence: sentence.into(),
            offset: None,
            cause: None,
            remedy: None,
        }
    }

    /// What the system said when it was asked to do `what`.
    pub(crate) fn io(what: impl fmt::Display, cause: io::Error) -> Self {
        Error {
            sentence: format!("{what}: {cause}").into(),
            offset: None,
            cause: Some(Arc::new(cause)),
            remedy: None,
        }
    }

    /// What the system said of a stream, which has no name.
    pub(crate) fn of_stream(cause: io::Error) -> Self {
        Error {
            sentence: cause.to_string().into(),
            offset: None,
            cause: Some(Arc::new(cause)),
            remedy: None,
        }
    }

    /// The same, as the reason for something larger that failed.
    pub(crate) fn within(self, what: impl fmt::Display) -> Self {
        Error {
            sentence: format!("{what}: {}", self.sentence).into(),
            ..self
        }
    }

    /// An error at `offset` octets into the input.
    pub(crate) fn at(offset: usize, sentence: impl Into<Cow<'static, str>>) -> Self {
        Error {
            sentence: sentence.into(),
            offset: Some(offset),
            cause: None,
            remedy: None,
        }
    }

    /// The same, with what to ask for instead.
    pub(crate) fn with_remedy(self, remedy: Remedy) -> Self {
        Error {
            remedy: Some(remedy),
            ..self
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

    /// The kind of the `io::Error` that caused this error, if the system refused to read or write.
    /// [`source`](StdError::source) gives that `io::Error`, and the sentence includes its message.
    ///
    /// ```
    /// use std::{error::Error, io};
    ///
    /// let error = mime_charset::archive::read("no such file".as_ref()).unwrap_err();
    /// assert_eq!(error.io_kind(), Some(io::ErrorKind::NotFound));
    /// let cause: &io::Error = error.source().unwrap().downcast_ref().unwrap();
    /// assert_eq!(error.to_string(), format!("cannot open no such file: {cause}"));
    /// ```
    #[must_use]
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.cause.as_ref().map(|cause| cause.kind())
    }

    /// What to ask for instead, where a run is refused for what is there already; the sentence does
    /// not say it, since each program has its own words for it ([`Remedy`]).
    ///
    /// ```
    /// use mime_charset::{Remedy, batch::Convert};
    ///
    /// // As the command tells its options.
    /// let told = |error: &mime_charset::Error| match error.remedy() {
    ///     Some(Remedy::ResumeOrReplace) => format!("{error}; --resume goes on, --force begins anew"),
    ///     Some(_) => format!("{error}; --force begins anew"),
    ///     None => error.to_string(),
    /// };
    /// let refused = Convert::new("no such file", "new").run(&false.into(), |_| ()).unwrap_err();
    /// assert_eq!(told(&refused), refused.to_string());
    /// ```
    #[must_use]
    pub fn remedy(&self) -> Option<Remedy> {
        self.remedy
    }
}

/// Two errors are equal if they say the same of the same place, for a cause of the same kind.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        let known = |error: &Error| (error.offset, error.io_kind());
        self.sentence == other.sentence && known(self) == known(other)
    }
}

impl Eq for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        let cause: &(dyn StdError + 'static) = &**self.cause.as_ref()?;
        Some(cause)
    }
}
