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

use memchr::memchr;

use super::dialect::Dialect;
use super::entry::Entry;
use super::lines::{number, part};
use super::separator::Separators;

/// The kind of mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Mbx,
    Rnews,
}

const MBX: &[u8] = b"*mbx*\r\n";
const RNEWS: &[u8] = b"#! rnews ";

/// The octets of an MBX mailbox before its first message.
const MBX_HEADER: usize = 2048;

/// Maximum length of the line before a message; UW-IMAP reads no more.
const LONGEST_LINE: usize = 64;

impl Form {
    pub(super) const ALL: [Self; 2] = [Form::Mbx, Form::Rnews];

    /// Whether a file begins like this form; `None` if more octets are needed.
    pub(super) fn begins(self, octets: &[u8], more: bool) -> Option<bool> {
        let magic = match self {
            Form::Mbx => MBX,
            Form::Rnews => RNEWS,
        };
        let begins = octets.starts_with(magic);
        (begins || !more || !magic.starts_with(octets)).then_some(begins)
    }
}

/// Finds the end of one entry. May be called again as more octets arrive.
#[derive(Debug)]
pub(super) struct CountedScan {
    form: Form,
    /// Offset up to which the next message's line was searched for, after damage.
    searched: usize,
}

/// The contents at the start of the octets.
enum Start {
    Line(CountedLine),
    Other,
    /// More octets are needed.
    Unknown,
}

/// The line before a message.
struct CountedLine {
    end: usize,
    /// The digits of the length.
    digits: Range<usize>,
    length: u64,
    is_expunged: bool,
}

impl CountedScan {
    pub(super) fn new(form: Form) -> Self {
        CountedScan { form, searched: 0 }
    }

    /// Parses the entry at the start of `octets`; `first` if that is the start of the file. `None`
    /// if `more` octets are needed.
    ///
    /// In an MBX mailbox without messages, the entry is the header and an empty message.
    pub(super) fn entry(&mut self, octets: &[u8], first: bool, more: bool) -> Option<Entry> {
        let start = if first && self.form == Form::Mbx {
            MBX_HEADER
        } else {
            0
        };
        if octets.len() <= start {
            return (!more)
                .then(|| self.build_entry(octets.len()..octets.len(), octets.len(), octets.len()));
        }
        let line = match self.line(octets, start, more) {
            Start::Line(line) => line,
            Start::Other => {
                let end = self.next_line(octets, start, more)?;
                return Some(self.build_entry(start..start, end, end));
            }
            Start::Unknown => return None,
        };
        let length = usize::try_from(line.length).unwrap_or(usize::MAX);
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
        if line.is_expunged {
            let end = end + blank;
            return Some(self.build_entry(end..end, end, end));
        }
        Some(Entry {
            length: Some(line.digits),
            ..self.build_entry(start..line.end, end, end + blank)
        })
    }

    /// The line before a message at `start`, if there is one.
    fn line(&self, octets: &[u8], start: usize, more: bool) -> Start {
        let near = part(octets, start..octets.len().min(start + LONGEST_LINE));
        let Some(end) = memchr(b'\n', near) else {
            return match near.len() {
                LONGEST_LINE => Start::Other,
                _ if more => Start::Unknown,
                _ => Start::Other,
            };
        };
        let line = part(near, 0..end);
        let found = match self.form {
            Form::Mbx => mbx_line(line),
            Form::Rnews => rnews_line(line),
        };
        let Some((digits, length, is_expunged)) = found else {
            return Start::Other;
        };
        Start::Line(CountedLine {
            end: start + end + 1,
            digits: start + digits.start..start + digits.end,
            length,
            is_expunged,
        })
    }

    /// The start of the next message's line, or the end of the file. `None` if more octets are
    /// needed.
    fn next_line(&mut self, octets: &[u8], start: usize, more: bool) -> Option<usize> {
        self.searched = self.searched.max(start);
        while let Some(at) = memchr(b'\n', part(octets, self.searched..octets.len())) {
            let next = self.searched + at + 1;
            match self.line(octets, next, more) {
                Start::Line(_) => return Some(next),
                Start::Other => self.searched = next,
                Start::Unknown => return None,
            }
        }
        self.searched = octets.len();
        (!more).then_some(octets.len())
    }

    fn build_entry(&self, separator: Range<usize>, message_end: usize, end: usize) -> Entry {
        Entry {
            message: separator.end..message_end,
            separator,
            range: 0..end,
            dialect: match self.form {
                Form::Mbx => Dialect::Mbx,
                Form::Rnews => Dialect::Rnews,
            },
            bare: false,
            quoted: false,
            length: None,
            separators: Separators::default(),
        }
    }
}

/// > dd-mmm-yyyy hh:mm:ss zzzzz,length;uuuuuuuussss-iiiiiiii
///
/// The digits of the length, its value, and whether the message was expunged.
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
