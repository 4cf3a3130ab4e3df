//! Archives of mail to UTF-8, and the proof that nothing was lost.
//!
//! [`Convert`] takes files to files: messages, mailboxes, Maildirs, these compressed, and folders
//! of them, with a report of every decision. [`Verify`] reads both sides anew. What each of them
//! does is described in `docs/archives.md`; the command `mime-charset` does no more than call
//! them. [`Survey`] counts what is in an archive. [`convert_mailbox`] takes one mailbox from a stream to a stream, and needs no file.
//!
//! A run takes two things of its caller. A flag that says `true` ends it behind the message it is
//! at, from any thread; every file is whole then, and a run with
//! [`Existing::Resume`](crate::archive::Existing) goes on. A function is given each [`Event`] while
//! the run goes on, in the thread that called it: how far it has come, and what is wrong where.
//!
//! All but [`convert_mailbox`] needs the feature `batch`, and threads.
//!
//! ```
//! # #[cfg(feature = "batch")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::{fs, sync::atomic::AtomicBool};
//! use mime_charset::archive::Existing;
//! use mime_charset::batch::{Convert, End, Event, Verify};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let (old, new) = (folder.join("old"), folder.join("new"));
//! let report = folder.join("report.jsonl");
//! fs::create_dir(&old)?;
//! fs::write(old.join("1.eml"), "Subject: =?koi8-r?Q?=F0?=\n\n")?;
//! fs::write(old.join("2.mbox"), "From - Sat Jan  3 01:05:34 1996\nSubject: two\n\n")?;
//!
//! let cancelled = AtomicBool::new(false);
//! let mut conversion = Convert::new(&old, &new).report(&report);
//! if new.exists() {
//!     conversion = conversion.existing(Existing::Resume);
//! }
//! let outcome = conversion.run(&cancelled, |event| match event {
//!     Event::Progress(done) => println!("{} messages", done.messages()),
//!     Event::Failed(sentence) => eprintln!("{sentence}"),
//!     _ => {}
//! })?;
//! assert_eq!(outcome.end(), End::Done);
//! assert_eq!(outcome.summary().messages(), 2);
//!
//! let mut mismatches = Vec::new();
//! let proof = Verify::new(&old, &new).report(&report).run(&cancelled, |event| {
//!     if let Event::Mismatch(mismatch) = event {
//!         mismatches.push(mismatch.clone());
//!     }
//! })?;
//! assert!(proof.holds(), "{mismatches:?}");
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "batch"))]
//! # fn main() {}
//! ```

#[cfg(feature = "batch")]
mod compare;
#[cfg(feature = "batch")]
mod convert;
#[cfg(feature = "batch")]
mod counts;
#[cfg(feature = "batch")]
mod done;
mod event;
#[cfg(feature = "batch")]
mod job;
#[cfg(feature = "batch")]
mod look;
mod mailbox;
#[cfg(feature = "batch")]
mod opening;
mod outcome;
#[cfg(feature = "batch")]
mod pairs;
#[cfg(feature = "batch")]
mod pipeline;
#[cfg(feature = "batch")]
mod place;
#[cfg(feature = "batch")]
mod proof;
#[cfg(feature = "batch")]
mod reading;
#[cfg(feature = "batch")]
mod record;
#[cfg(feature = "batch")]
mod recorded;
#[cfg(feature = "batch")]
mod report;
#[cfg(feature = "batch")]
mod settings;
mod stored_form;
mod summary;
#[cfg(feature = "batch")]
mod survey;
#[cfg(feature = "batch")]
mod survey_report;
#[cfg(feature = "batch")]
mod verify;
#[cfg(feature = "batch")]
mod writing;

#[cfg(feature = "batch")]
pub use self::convert::Convert;
#[cfg(feature = "batch")]
pub use counts::{Counts, Example, Row, Subject};
pub use event::{Event, Mismatch, Progress};
pub use mailbox::convert_mailbox;
pub use outcome::{End, Outcome};
#[cfg(feature = "batch")]
pub use proof::Proof;
pub use summary::{Problem, Summary};
#[cfg(feature = "batch")]
pub use survey::Survey;
#[cfg(feature = "batch")]
pub use survey_report::{is_report, survey_report};
#[cfg(feature = "batch")]
pub use verify::Verify;
