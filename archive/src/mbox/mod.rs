//! Mailboxes in one file: mbox in its four dialects, MMDF, Babyl, MBX, batches of news, and logs of LISTSERV.
//!
//! No standard defines mbox; RFC 4155 registers its media type and lists the differences. Each
//! message follows a separator line that begins with `From `, and ends with a blank line. The
//! dialects differ in how they treat `From ` lines inside messages:
//!
//! - **mboxo** puts a `>` before `From `;
//! - **mboxrd** puts a `>` before `From `, `>From `, `>>From ` and so on, which is reversible;
//! - **mboxcl** does the same and gives the end of the body in a Content-Length field;
//! - **mboxcl2** relies on Content-Length alone and changes no line.
//!
//! A file that begins with a line of four octets 01 is **MMDF**: each message is between two of
//! these lines, and is not quoted. The file is written as MMDF again.
//!
//! A file that begins with `BABYL OPTIONS:` is **Babyl**, written by Rmail of Emacs up to version
//! 22: each message is in a section, after a line of attributes, with one or two headers. The
//! message has the original header. The visible header, with the fields that Rmail shows, is not
//! part of the message. The file is written as Babyl again, with all of Rmail's own data.
//! [`Stored::decoded_by_rmail`] recognizes messages whose octets differ from those delivered.
//!
//! A file that begins with `*mbx*` is **MBX**, written by UW-IMAP and Pine. A file that begins with
//! `#! rnews` is a **batch of news**. In both, a line with the length precedes each message. A file
//! that begins with a line of 73 `=` and the field Date is a **LISTSERV log**; a line of 73 `=`
//! begins each message. Each of these three is written in its own form again, MBX and news with the
//! new lengths.
//!
//! A line ends in LF, with or without a CR before it. On the classic Mac OS lines ended in CR
//! alone. A file is read that way if its first line ends in CR and, in its first 64 KiB, more lines
//! end in CR than in LF. The file is written with lines that end in CR again. In such a file,
//! Content-Length is ignored.
//!
//! # Where a message begins
//!
//! A line that begins with `From ` is a separator
//!
//! 1. at the start of the file, after blank lines and a byte order mark;
//! 2. at the end of a Content-Length that fits (below);
//! 3. after a blank line, if it has a date that [`header::date`](mime_charset::header::date) reads
//!    (`Sat Jan  3 01:05:34 1996`, with or without seconds, with a zone before or after the year, or
//!    in another form), or if a header with well-known fields, such as Subject, follows. Some
//!    programs leave out the date or the sender, or write a date without a year or a time. One
//!    well-known field is enough if at most one word follows `From`, or if the first separator of
//!    the file has no date either. Otherwise two are needed;
//! 4. without a blank line before it (some programs leave it out), in either of two cases. The line
//!    has a date, and the next line is a header field. Or the first separator of the file has no
//!    date, the line has as many words as that separator, and two well-known fields follow.
//!
//! Any other line that begins with `From ` is text, as in "From the beginning", or "From Peter"
//! with "Tel: 555" below it. The first separator decides how dateless lines are read: conversion
//! keeps it, so source and result are read alike. In a file that mixes both forms, lines with a
//! date are separators whatever the form of the first separator.
//!
//! A `From ` line that the source does not quote stays unquoted in the result, except in a message
//! with a Content-Length. Whether other programs treat it as a separator or as text, they count the
//! same number of messages before and after.
//!
//! A Content-Length fits if the end of the file, or a separator by rule 3, follows a body of this
//! length and any blank lines. A Content-Length that does not fit is ignored: mail that was edited
//! or copied after it was written has wrong values. A Content-Length is also ignored if a separator
//! lies more than 16 MiB before the end that it gives, so that a forged field cannot force a reader
//! to buffer a whole archive.
//!
//! # Which dialect a file uses
//!
//! A Content-Length that fits indicates mboxcl or mboxcl2. An unquoted `From ` in a message whose
//! Content-Length fits, anywhere in the file, proves mboxcl2. A `>>From ` suggests mboxrd rather
//! than mboxo, but nothing proves it. In a file without `>>From `, the two dialects are the same. A
//! file with a `>>From ` is read as mboxrd, so that writing it restores the same octets. For a file
//! known to be mboxo, use [`Dialect::unquote`] of [`Dialect::Mboxo`].
//!
//! ```
//! use mime_charset_archive::mbox;
//!
//! let message = b"Subject: one\n\nFrom me\n";
//! let mut file = b"From - Sat Jan  3 01:05:34 1996\n".to_vec();
//! file.extend_from_slice(&mbox::quote(message));
//! file.push(b'\n');
//!
//! let stored = mbox::read(&file[..]).next().unwrap()?;
//! assert_eq!(stored.octets()[stored.entry().message()], *b"Subject: one\n\n>From me\n");
//! assert_eq!(*stored.message(), *message);
//! # Ok::<(), mime_charset_archive::Error>(())
//! ```

mod babyl;
mod begin;
mod counted;
mod dialect;
mod entry;
mod headers;
mod length;
mod lines;
mod listserv;
mod mmdf;
mod read;
mod rmail;
mod scan;
mod separator;
mod write;

pub(super) use begin::begin;
pub use dialect::{Dialect, quote};
pub use entry::Entry;
pub(super) use length::has_content_length;
pub use length::{content_length, right_length};
pub(super) use read::rest;
pub use read::{Reader, Stored, is_mboxcl2, read, read_within};
pub(super) use scan::begins_other;
pub(super) use separator::{
    Separators, begins, has_cr_lines, is_of_program, is_only_of_mail, is_well_known,
};
pub use write::Writer;
pub(crate) use write::line_ends_between;
