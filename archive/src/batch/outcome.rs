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
/// assert_eq!(outcome.end, End::Cancelled);
///
/// fs::remove_dir_all(folder.join("new"))?;
/// let outcome = conversion.run(&AtomicBool::new(false), |_| ())?;
/// assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 1));
/// assert!(outcome.has_results && !outcome.is_in_the_way);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Outcome {
    /// Whether all is done, and why not.
    pub end: End,
    /// The numbers of the run.
    pub summary: Summary,
    /// Whether something was converted; otherwise nothing is left of the run.
    pub has_results: bool,
    /// Whether a file was not converted because another file is in its place.
    pub is_in_the_way: bool,
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
/// assert_eq!(outcome.end, End::Malformed);
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
