//! Mail archives: reads messages from disk, converts them to UTF-8, and proves that nothing was
//! lost.
//!
//! - [`sources`] finds messages in files, mailboxes, Maildirs and folders of them, compressed or
//!   not, and in zip and tar files. [`mbox`] reads and writes mailboxes from memory and as streams.
//! - [`Convert`] writes the same archive in UTF-8, with a report of every decision. [`Verify`] reads
//!   both sides again and compares them. [`Survey`] counts what an archive contains.
//!   [`convert_mailbox`] converts one mailbox from a stream to a stream.
//!
//! `docs/archives.md` describes each; the command `mime-charset` only calls them. PST, OST and
//! `.msg` of Outlook, and TNEF, are rejected with a sentence that names a program for them. An
//! `.emlx` file of Apple Mail, or a file of Dovecot with one message, is read as the message in it.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use std::{fs, sync::atomic::AtomicBool};
//! use mime_charset::Message;
//! use mime_charset_archive::{Convert, End, Event, Existing, Limits, Verify, sources};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let (old, new) = (folder.join("old"), folder.join("new"));
//! let report = folder.join("report.jsonl");
//! fs::create_dir(&old)?;
//! fs::write(old.join("1.eml"), "Subject: =?koi8-r?Q?=F0?=\n\n")?;
//! fs::write(old.join("2.mbox"), "From - Sat Jan  3 01:05:34 1996\nSubject: two\n\n")?;
//!
//! let mut subjects = Vec::new();
//! for source in sources(&old, Limits::new()) {
//!     for stored in source?.messages()? {
//!         let stored = stored?;
//!         let octets = stored.message();
//!         let message = Message::parse(&octets);
//!         subjects.push(message.field("Subject").unwrap().text().into_text().into_owned());
//!     }
//! }
//! assert_eq!(subjects, ["П", "two"]);
//!
//! let cancelled = AtomicBool::new(false);
//! let mut conversion = Convert::new(&old, &new).report(&report);
//! if new.exists() {
//!     conversion = conversion.existing(Existing::Resume);
//! }
//! let outcome = conversion.run(&cancelled, |event| match event {
//!     Event::Progress(done) => println!("{} messages", done.messages),
//!     Event::Failed(sentence) => eprintln!("{sentence}"),
//!     _ => {}
//! })?;
//! assert_eq!(outcome.end, End::Done);
//! assert_eq!(outcome.summary.messages, 2);
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
//! ```
//!
//! A run takes a flag and a function. Setting the flag to `true`, from any thread, ends the run
//! after the current message. Every file is then complete, and a run with [`Existing::Resume`]
//! continues. The function is called with each [`Event`], on the thread that called `run`.
//!
//! # Features
//!
//! - `files` (default): everything except [`mbox`], [`Format`] and [`Error`] with its [`Remedy`].
//!   Without it the crate reads and writes mailboxes in memory and as streams, and depends only on
//!   memchr and `mime-charset`.
//! - `convert`, part of `files`: [`mbox::Stored::converted`].

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(feature = "files"), allow(dead_code, unused_imports))]
#![cfg_attr(
    not(test),
    warn(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::print_stdout,
        clippy::print_stderr
    )
)]

#[cfg(feature = "files")]
mod batch;
mod error;
mod foreign;
mod format;
pub mod mbox;
#[cfg(feature = "files")]
mod store;

#[cfg(feature = "files")]
pub use batch::{
    ArchiveItem, Convert, Counts, Duplicates, End, Event, Example, FileOutcome, Mismatch, Outcome,
    Problem, Progress, Proof, Row, StoredState, Subject, Summary, Survey, Verify, convert_mailbox,
    is_report, path_of_octets, survey_report,
};
pub use error::{Error, Remedy};
pub use format::Format;
#[cfg(feature = "files")]
pub use store::{
    Existing, Limits, MailSource, MailSources, Messages, Piece, Selection, SourceNames, files,
    open, open_report, pieces, read, sources, stream, stream_as,
};

/// Tests the example of the README.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../README.md")]
struct Readme;
