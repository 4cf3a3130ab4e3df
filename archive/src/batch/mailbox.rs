//! Converts one mailbox from a stream to a stream.

use std::io::{Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use super::event::{Event, Progress};
use super::outcome::{End, Outcome};
use super::stored_form::stored_form;
use super::summary::Summary;
use crate::error::Error;
use crate::format::Format;
use crate::mbox;
use mime_charset::convert::Conversion;

/// Converts a mailbox, message by message: mbox to mboxrd, any other to its own form. Only one
/// message is in memory.
///
/// `cancelled` is checked between messages. The output then ends after a complete message but is
/// not a complete mailbox: the caller decides whether to keep it. The same applies if a message
/// ends the run under [`OnMalformed::Fail`](mime_charset::convert::OnMalformed).
///
/// A stream is read only once. Until an entry proves that the mailbox uses Content-Length and
/// quotes nothing, `>From ` is unquoted. To check a whole file first, call [`mbox::is_mboxcl2`] and
/// pass the dialect to the [`Reader`](mbox::Reader::dialect).
///
/// # Errors
///
/// Fails if a stream cannot be read or written, if a message exceeds the reader's limit, or if a
/// message's delivered octets [are not known](mbox::Stored::decoded_by_rmail). The stream's error
/// is the [`source`](std::error::Error::source) of the returned error.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::sync::atomic::AtomicBool;
/// use mime_charset_archive::mbox;
/// use mime_charset_archive::{End, convert_mailbox};
/// use mime_charset::convert::Conversion;
///
/// let old = b"From - Sat Jan  3 01:05:34 1996\nSubject: =?koi8-r?Q?=F0?=\n\nText\n";
/// let mut new = Vec::new();
/// let never = AtomicBool::new(false);
/// let outcome =
///     convert_mailbox(mbox::read(&old[..]), &mut new, &Conversion::new(), &never, |_| ())?;
/// assert_eq!(outcome.end, End::Done);
/// assert_eq!(outcome.summary.changed_fields, 1);
/// assert_eq!(new, b"From - Sat Jan  3 01:05:34 1996\nSubject: =?UTF-8?B?0J8=?=\n\nText\n");
/// # Ok(())
/// # }
/// ```
pub fn convert_mailbox(
    mailbox: mbox::Reader<impl Read>,
    to: impl Write,
    options: &Conversion,
    cancelled: &AtomicBool,
    mut observe: impl FnMut(Event<'_>),
) -> Result<Outcome, Error> {
    let mut writer = mbox::Writer::new(to);
    let mut progress = Progress::default();
    let mut summary = Summary::default();
    let mut end = End::Done;
    for stored in mailbox {
        if cancelled.load(Ordering::Relaxed) {
            end = End::Cancelled;
            break;
        }
        let stored = stored.map_err(|error| error.within("cannot read the mailbox"))?;
        let failed = |error| Error::io("cannot write the mailbox", error);
        if stored.is_no_message() {
            writer.write_quoted(&stored, b"").map_err(failed)?;
            continue;
        }
        let place = format!("#{}", stored.ordinal());
        if let Some(error) = stored.decoded_by_rmail() {
            return Err(error.within(format_args!("cannot convert {place}")));
        }
        let message = stored.message();
        let converted = stored.converted(&message, options);
        if let Some(failure) = converted.failure {
            observe(Event::Malformed(&format!("{place}: {failure}")));
            end = End::Malformed;
            break;
        }
        let (result, _) = stored_form(Format::Mbox, &stored, converted.as_bytes());
        writer.write_quoted(&stored, &result).map_err(failed)?;
        let problems = summary.problem_count();
        let octets = stored.octets().len();
        summary.message(&place, octets, &converted);
        progress.add(1, octets as u64, summary.problem_count() - problems);
        observe(Event::Progress(&progress));
    }
    let mut to = writer.into_inner();
    to.flush()
        .map_err(|error| Error::io("cannot write the mailbox", error))?;
    summary.files = u64::from(end == End::Done);
    Ok(Outcome {
        end,
        has_results: summary.messages > 0,
        is_in_the_way: false,
        summary,
    })
}
