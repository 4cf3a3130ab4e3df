//! Errors about files and archives.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::path::Path;
use std::sync::Arc;
use std::{fmt, io};

/// One sentence that says what was expected and what was found.
///
/// ```
/// use std::{error::Error, io};
///
/// let error = mime_charset_archive::read("no such file".as_ref()).unwrap_err();
/// assert_eq!(error.io_kind(), Some(io::ErrorKind::NotFound));
/// let cause: &io::Error = error.source().unwrap().downcast_ref().unwrap();
/// assert_eq!(error.to_string(), format!("cannot open no such file: {cause}"));
/// ```
#[derive(Debug, Clone)]
pub struct Error {
    sentence: Cow<'static, str>,
    /// Shared, since an `io::Error` cannot be cloned.
    cause: Option<Arc<io::Error>>,
    remedy: Option<Remedy>,
}

/// The option that would let a refused run proceed, when files exist already.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Convert, Remedy};
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
    /// Resume the interrupted run, or replace the files ([`Existing`](crate::Existing)).
    ResumeOrReplace,
    /// Replace the files.
    Replace,
}

impl Error {
    pub(crate) fn new(sentence: impl Into<Cow<'static, str>>) -> Self {
        Error {
            sentence: sentence.into(),
            cause: None,
            remedy: None,
        }
    }

    /// Wraps the system's error for the action `what`, such as "cannot open FILE".
    pub(crate) fn io(what: impl fmt::Display, cause: io::Error) -> Self {
        Error {
            sentence: format!("{what}: {cause}").into(),
            cause: Some(Arc::new(cause)),
            remedy: None,
        }
    }

    /// Wraps the system's error for a stream, which has no name.
    pub(crate) fn of_stream(cause: io::Error) -> Self {
        Error {
            sentence: cause.to_string().into(),
            cause: Some(Arc::new(cause)),
            remedy: None,
        }
    }

    /// The same error as the cause of a larger failure.
    pub(crate) fn within(self, what: impl fmt::Display) -> Self {
        Error {
            sentence: format!("{what}: {}", self.sentence).into(),
            ..self
        }
    }

    pub(crate) fn with_remedy(self, remedy: Remedy) -> Self {
        Error {
            remedy: Some(remedy),
            ..self
        }
    }

    /// The kind of the underlying `io::Error`, if reading or writing failed.
    /// [`source`](StdError::source) returns that `io::Error`; the sentence includes its message.
    #[must_use]
    pub fn io_kind(&self) -> Option<io::ErrorKind> {
        self.cause.as_ref().map(|cause| cause.kind())
    }

    /// The option that would let the run proceed, if it was refused because files exist already.
    /// The sentence does not name the option, because programs name it differently.
    ///
    /// ```
    /// use mime_charset_archive::{Convert, Error, Remedy};
    ///
    /// // Option names of the command.
    /// let sentence = |error: &Error| match error.remedy() {
    ///     Some(Remedy::ResumeOrReplace) => format!("{error}; --resume continues, --force starts over"),
    ///     Some(_) => format!("{error}; --force starts over"),
    ///     None => error.to_string(),
    /// };
    /// let refused = Convert::new("no such file", "new").run(&false.into(), |_| ()).unwrap_err();
    /// assert_eq!(sentence(&refused), refused.to_string());
    /// ```
    #[must_use]
    pub fn remedy(&self) -> Option<Remedy> {
        self.remedy
    }
}

/// Converts the system's error for the action `what` on a file: `.map_err(cannot("open", path))`.
pub(crate) fn cannot(what: &str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Error {
    move |error| Error::io(format!("cannot {what} {}", path.as_ref().display()), error)
}

impl From<mime_charset::Error> for Error {
    fn from(error: mime_charset::Error) -> Self {
        Error::new(error.to_string())
    }
}

/// Compares the sentences and the kinds of the causes.
impl PartialEq for Error {
    fn eq(&self, other: &Self) -> bool {
        self.sentence == other.sentence && self.io_kind() == other.io_kind()
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
