//! Mailboxes with the length of each message on the line before it: MBX of UW-IMAP and Pine, and
//! batches of news.
//!
//! MBX (UW-IMAP 2007, `src/osdep/unix/mbx.c`) begins with 2,048 octets that belong to the mailbox. A message
//! follows a line with its date, its length, 12 hexadecimal digits of flags and 8 of its identifier:
//!
//! ```text
//!  4-Mar-1999 10:00:00 +0100,195;000000000001-00000001
//! ```
//!
//! A message with the flag 8000 was expunged, but its octets are still there. They are kept, but
//! not returned as a message.
//!
//! A batch of news has a line `#! rnews 187` before each article (INN, rnews(1)).
//!
//! Up to 64 line endings after a message belong to its entry. Other octets between two messages are
//! damage; they become a message of their own, so that nothing is lost. A truncated message ends at
//! the end of the file.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::dialect::Dialect;
use super::entry::Entry;
use super::lines::{begins_with, number, part, short_line};

const MBX: &[u8] = b"*mbx*\r\n";
const RNEWS: &[u8] = b"#! rnews ";

/// The octets of an MBX mailbox before its first message.
const MBX_HEADER: usize = 2048;

/// Maximum length of the line before a message; UW-IMAP reads no more.
const LONGEST_LINE: usize = 64;

/// Whether a file begins like MBX.
pub(super) fn begins_mbx(octets: &[u8], more: bool) -> Option<bool> {
    begins_with(octets, MBX, more)
}

/// Whether a file begins like a batch of news.
pub(super) fn begins_rnews(octets: &[u8], more: bool) -> Option<bool> {
    begins_with(octets, RNEWS, more)
}

/// Parses the entry at the start of `octets`; `first` if that is the start of the file. `None` if
/// `more` octets are needed.
///
/// In an MBX mailbox without messages, the entry is the header and an empty message.
pub(super) fn entry(octets: &[u8], dialect: Dialect, first: bool, more: bool) -> Option<Entry> {
    let start = if first && dialect == Dialect::Mbx {
        MBX_HEADER
    } else {
        0
    };
    let without_message = |end| Entry::new(dialect, end..end, end, end);
    if octets.len() <= start {
        return (!more).then(|| without_message(octets.len()));
    }
    let line = short_line(octets, start, LONGEST_LINE, more)?;
    let Some((digits, length, is_expunged)) = counted_line(part(octets, line.clone()), dialect)
    else {
        let end = next_message(octets, start, dialect, more)?;
        return Some(Entry::new(dialect, start..start, end, end));
    };
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let end = line.end.saturating_add(length);
    if more && octets.len() < end {
        return None;
    }
    let end = end.min(octets.len());
    let rest = part(
        octets,
        end..octets.len().min(end.saturating_add(LONGEST_LINE)),
    );
    let is_line_end = |octet: &&u8| matches!(octet, b'\r' | b'\n');
    let blank = rest.iter().take_while(is_line_end).count();
    if more && blank == rest.len() && blank < LONGEST_LINE {
        return None;
    }
    if is_expunged {
        return Some(without_message(end + blank));
    }
    Some(Entry {
        length: Some(start + digits.start..start + digits.end),
        ..Entry::new(dialect, line, end, end + blank)
    })
}

/// The start of the line before the next message, or the end of the file. `None` if more octets are
/// needed.
fn next_message(octets: &[u8], start: usize, dialect: Dialect, more: bool) -> Option<usize> {
    for at in memchr_iter(b'\n', part(octets, start..octets.len())) {
        let next = start + at + 1;
        let line = short_line(octets, next, LONGEST_LINE, more)?;
        if counted_line(part(octets, line), dialect).is_some() {
            return Some(next);
        }
    }
    (!more).then_some(octets.len())
}

/// The digits of the length in the line before a message, its value, and whether the message was
/// expunged.
fn counted_line(line: &[u8], dialect: Dialect) -> Option<(Range<usize>, u64, bool)> {
    let line = line.strip_suffix(b"\n")?;
    match dialect {
        Dialect::Mbx => mbx_line(line),
        _ => rnews_line(line),
    }
}

/// > dd-mmm-yyyy hh:mm:ss zzzzz,length;uuuuuuuussss-iiiiiiii
fn mbx_line(line: &[u8]) -> Option<(Range<usize>, u64, bool)> {
    const EXPUNGED: u8 = 8;
    let line = line.strip_suffix(b"\r")?;
    let comma = memchr(b',', line)?;
    let semicolon = comma + memchr(b';', part(line, comma..line.len()))?;
    let digits = comma + 1..semicolon;
    let length = number(part(line, digits.clone()))?;
    let (flags, id) = part(line, semicolon + 1..line.len()).split_at_checked(12)?;
    let id = id.strip_prefix(b"-")?;
    let is_date = matches!(part(line, 0..comma), [_, _, b'-', .., b'0'..=b'9']);
    let are_digits = flags.iter().chain(id).all(u8::is_ascii_hexdigit);
    let first = char::from(*flags.get(8)?).to_digit(16)?;
    (is_date && are_digits && id.len() == 8).then_some((
        digits,
        length,
        first >= u32::from(EXPUNGED),
    ))
}

/// > #! rnews length
fn rnews_line(line: &[u8]) -> Option<(Range<usize>, u64, bool)> {
    let digits = line.strip_prefix(RNEWS)?.trim_ascii_end();
    let length = number(digits)?;
    Some((RNEWS.len()..RNEWS.len() + digits.len(), length, false))
}
