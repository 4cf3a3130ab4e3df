//! How a conversion ended.

use super::summary::Summary;

/// How a conversion ended.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Convert, End};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// fs::create_dir(folder.join("old"))?;
/// fs::write(folder.join("old/1.eml"), "Subject: one\n\n")?;
/// let conversion = Convert::new(folder.join("old"), folder.join("new"));
/// let outcome = conversion.run(&AtomicBool::new(true), |_| ())?;
/// assert_eq!(outcome.end(), End::Cancelled);
///
/// fs::remove_dir_all(folder.join("new"))?;
/// let outcome = conversion.run(&AtomicBool::new(false), |_| ())?;
/// assert_eq!((outcome.end(), outcome.summary().messages()), (End::Done, 1));
/// assert!(outcome.has_results() && !outcome.is_in_the_way());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Outcome {
    pub(super) end: End,
    pub(super) summary: Summary,
    pub(super) has_results: bool,
    pub(super) is_in_the_way: bool,
}

impl Outcome {
    /// Whether all is done, and why not.
    #[must_use]
    pub fn end(&self) -> End {
        self.end
    }

    /// The numbers of the run.
    #[must_use]
    pub fn summary(&self) -> &Summary {
        &self.summary
    }

    /// Whether something is converted; where nothing is, nothing is left of the run.
    #[must_use]
    pub fn has_results(&self) -> bool {
        self.has_results
    }

    /// Whether a file was not converted since another is in its place.
    #[must_use]
    pub fn is_in_the_way(&self) -> bool {
        self.is_in_the_way
    }
}

/// Whether all is done, and why not; [`Outcome`] has it.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::sync::atomic::AtomicBool;
/// use mime_charset_archive::mbox;
/// use mime_charset_archive::{End, convert_mailbox};
/// use mime_charset::convert::{Conversion, OnMalformed};
///
/// let mailbox = b"From - Sat Jan  3 01:05:34 1996\nSubject: =?euc-kr?Q?a=FF?=\n\n";
/// let fail = Conversion::new().on_malformed(OnMalformed::Fail);
/// let never = AtomicBool::new(false);
/// let outcome =
///     convert_mailbox(mbox::read(&mailbox[..]), std::io::sink(), &fail, &never, |_| ())?;
/// assert_eq!(outcome.end(), End::Malformed);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// All mail of the source is converted.
    Done,
    /// A run that was to go on found that an earlier one with the same settings had converted all,
    /// as its report says; the [summary](Outcome::summary) is that of the earlier one.
    NothingLeft,
    /// Some files could not be converted; each was an [`Event::Failed`](super::Event).
    Incomplete,
    /// A message ended the run, as [`OnMalformed::Fail`](mime_charset::convert::OnMalformed) asks.
    Malformed,
    /// Somebody asked the run to end.
    Cancelled,
}
