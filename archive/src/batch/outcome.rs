//! The outcome of a conversion.

use super::summary::Summary;

/// The result of a conversion.
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
    /// How the run ended.
    pub end: End,
    /// The numbers of the run.
    pub summary: Summary,
    /// Whether anything was converted; if not, the run leaves no files.
    pub has_results: bool,
    /// Whether a file was not converted because another file has its place.
    pub is_in_the_way: bool,
}

/// How a conversion ended; part of an [`Outcome`].
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::sync::atomic::AtomicBool;
/// use mime_charset_archive::mbox;
/// use mime_charset_archive::{End, convert_mailbox};
/// use mime_charset::convert::{Conversion, OnMalformed};
///
/// let mailbox = b"From - Sat Jan  3 01:05:34 1996\nSubject: =?euc-kr?Q?a=FF?=\n\n";
/// let fail = Conversion { on_malformed: OnMalformed::Fail, ..Conversion::new() };
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
    /// A resumed run found a complete report of an earlier run with the same settings; the
    /// [summary](Outcome::summary) is that of the earlier run.
    NothingLeft,
    /// Some files could not be converted; each was reported as [`Event::Failed`](super::Event).
    Incomplete,
    /// A malformed message ended the run under
    /// [`OnMalformed::Fail`](mime_charset::convert::OnMalformed).
    Malformed,
    /// The run was cancelled.
    Cancelled,
}
