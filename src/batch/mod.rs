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
//! All but [`convert_mailbox`] needs the feature `archive`, and threads.
//!
//! ```
//! # #[cfg(feature = "archive")]
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
//! # #[cfg(not(feature = "archive"))]
//! # fn main() {}
//! ```

#[cfg(feature = "archive")]
mod compare;
#[cfg(feature = "archive")]
mod convert;
#[cfg(feature = "archive")]
mod counts;
mod event;
#[cfg(feature = "archive")]
mod job;
#[cfg(feature = "archive")]
mod look;
mod mailbox;
#[cfg(feature = "archive")]
mod opening;
mod outcome;
#[cfg(feature = "archive")]
mod pairs;
#[cfg(feature = "archive")]
mod pipeline;
#[cfg(feature = "archive")]
mod place;
#[cfg(feature = "archive")]
mod proof;
#[cfg(feature = "archive")]
mod reading;
#[cfg(feature = "archive")]
mod record;
#[cfg(feature = "archive")]
mod recorded;
#[cfg(feature = "archive")]
mod report;
#[cfg(feature = "archive")]
mod settings;
mod stored_form;
mod summary;
#[cfg(feature = "archive")]
mod survey;
#[cfg(feature = "archive")]
mod verify;
#[cfg(feature = "archive")]
mod writing;

#[cfg(feature = "archive")]
pub use self::convert::Convert;
#[cfg(feature = "archive")]
pub use counts::{Counts, Example, Row, Subject};
pub use event::{Event, Mismatch, Progress};
pub use mailbox::convert_mailbox;
pub use outcome::{End, Outcome};
#[cfg(feature = "archive")]
pub use proof::Proof;
pub use summary::{Problem, Summary};
#[cfg(feature = "archive")]
pub use survey::Survey;
#[cfg(feature = "archive")]
pub use verify::Verify;
