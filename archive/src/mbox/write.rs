//! Writes a mailbox as mboxrd, or in its own form if it is not mbox.

use std::borrow::Cow;
use std::io::{self, Write};
use std::ops::Range;

use super::dialect::Dialect;
use super::lines::{part, with_swapped_line_ends};
use super::read::Stored;
use super::separator::{AHEAD, blank_line_before};

/// Writes a mailbox as mboxrd, or in its own form if it is not mbox.
///
/// Separators and the octets between messages are kept, except for a message's length in its
/// separator. A blank line is added only if the next separator would not be recognized without it.
///
/// ```
/// use mime_charset_archive::mbox;
///
/// let file: &[u8] = b"From a Sat Jan  3 01:05:34 1996\nContent-Length: 8\n\nFrom me\n\n\
///                     From b Sat Jan  3 01:05:34 1996\nSubject: two\n\n";
/// let mut writer = mbox::Writer::new(Vec::new());
/// for stored in mbox::read(file) {
///     let stored = stored.unwrap();
///     writer.write(&stored, &stored.message()).unwrap();
/// }
/// assert!(writer.into_inner().windows(9).any(|octets| octets == b"\n>From me"));
/// ```
#[derive(Debug, Default)]
pub struct Writer<W> {
    target: W,
    /// The start of the first entry, and the last octets written; `None` before the first entry.
    first: Option<Opening>,
    last: Option<[u8; 3]>,
    /// The number of octets written.
    offset: u64,
}

impl<W> Writer<W> {
    /// Creates a writer for an empty mailbox.
    pub const fn new(target: W) -> Self {
        Writer {
            target,
            first: None,
            last: None,
            offset: 0,
        }
    }

    /// Returns the target.
    pub fn into_inner(self) -> W {
        self.target
    }

    /// The target.
    pub(crate) fn inner(&self) -> &W {
        &self.target
    }
}

impl<W: Write> Writer<W> {
    /// Writes a message in place of the stored one. Returns its range in the file, without its
    /// separator.
    ///
    /// # Errors
    ///
    /// Fails if the target does.
    pub fn write(&mut self, stored: &Stored, message: &[u8]) -> io::Result<Range<u64>> {
        self.write_quoted(stored, &stored.written(message))
    }

    /// Like [`write`](Writer::write), for a message already quoted by [`Stored::written`].
    ///
    /// # Errors
    ///
    /// Fails if the target does.
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// use mime_charset_archive::mbox;
    ///
    /// let file = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\nFrom me\n";
    /// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
    /// let mut writer = mbox::Writer::new(Vec::new());
    /// let place = writer.write_quoted(&stored, &mbox::quote(b"\nFrom you\n"))?;
    /// assert_eq!(place, 32..43);
    /// # Ok(())
    /// # }
    /// ```
    pub fn write_quoted(&mut self, stored: &Stored, quoted: &[u8]) -> io::Result<Range<u64>> {
        // After a blank line any separator is recognized.
        let has_lf = stored.entry().dialect() != Dialect::MboxrdCr;
        let is_blank = |last: [u8; 3]| blank_line_before(&last, last.len()) > 0;
        let is_known_there = has_lf && self.last.is_some_and(is_blank);
        if !is_known_there {
            self.join(Opening::of(stored, quoted))?;
        }
        let before = stored.before_message_of(quoted.len());
        self.put(&before)?;
        let start = self.offset;
        self.put(quoted)?;
        let place = start..self.offset;
        self.put(stored.after())?;
        for octets in [&*before, quoted, stored.after()] {
            self.record_end(octets);
        }
        Ok(place)
    }

    /// Appends a mailbox that was written separately, as if its messages were written one by one.
    /// Returns the length of the file before it.
    ///
    /// # Errors
    ///
    /// Fails if the target does.
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// use mime_charset_archive::mbox;
    ///
    /// let file = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\nText\n";
    /// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
    /// let mut two = mbox::Writer::new(Vec::new());
    /// two.write(&stored, &stored.message())?;
    /// two.write(&stored, &stored.message())?;
    /// let mut writer = mbox::Writer::new(Vec::new());
    /// writer.write(&stored, &stored.message())?;
    /// assert_eq!(writer.append(&two)?, file.len() as u64);
    /// assert_eq!(writer.into_inner(), file.repeat(3));
    /// # Ok(())
    /// # }
    /// ```
    pub fn append(&mut self, other: &Writer<Vec<u8>>) -> io::Result<u64> {
        if let Some(opening) = other.first {
            self.join(opening)?;
        }
        let start = self.offset;
        self.put(&other.target)?;
        self.record_end(&other.target);
        Ok(start)
    }

    /// Writes the line endings needed before an entry.
    fn join(&mut self, opening: Opening) -> io::Result<()> {
        self.first.get_or_insert(opening);
        if let Some(last) = self.last {
            self.put(opening.line_ends_after(&last))?;
        }
        self.last.get_or_insert_default();
        Ok(())
    }

    /// Records the last octets written.
    fn record_end(&mut self, octets: &[u8]) {
        let Some(last) = &mut self.last else {
            return;
        };
        for &octet in part(octets, octets.len().saturating_sub(3)..octets.len()) {
            last.rotate_left(1);
            if let Some(place) = last.last_mut() {
                *place = octet;
            }
        }
    }

    fn put(&mut self, octets: &[u8]) -> io::Result<()> {
        self.target.write_all(octets)?;
        self.offset += octets.len() as u64;
        Ok(())
    }
}

/// The line endings needed between octets that end in `last` and an entry with quoted lines, so
/// that its separator is recognized: none, one or two.
#[must_use]
pub(crate) fn line_ends_between(last: &[u8], stored: &Stored, quoted: &[u8]) -> &'static [u8] {
    Opening::of(stored, quoted).line_ends_after(last)
}

/// The properties of an entry's start that matter for the octets before it.
#[derive(Debug, Clone, Copy)]
struct Opening {
    dialect: Dialect,
    /// Two line endings.
    twice: &'static [u8],
    /// Whether its separator is recognized without a blank line before it.
    is_known: bool,
}

impl Opening {
    fn of(stored: &Stored, quoted: &[u8]) -> Self {
        let separator = part(stored.octets(), stored.entry().separator());
        let dialect = stored.entry().dialect();
        let near = with_lf(dialect, part(quoted, 0..quoted.len().min(AHEAD)));
        let separators = stored.entry().separators;
        let is_known = separators.accept_before(&near, separator.trim_ascii_end(), false, false);
        Opening {
            dialect,
            twice: match dialect {
                Dialect::MboxrdCr => b"\r\r",
                _ if separator.ends_with(b"\r\n") => b"\r\n\r\n",
                _ => b"\n\n",
            },
            is_known: is_known == Some(true),
        }
    }

    fn line_ends_after(self, last: &[u8]) -> &'static [u8] {
        let last = with_lf(self.dialect, last);
        let needs_blank = match self.dialect {
            // The octet 1F precedes the entry, or a length determines its place.
            Dialect::Babyl | Dialect::Mbx | Dialect::Rnews => return b"",
            Dialect::Mmdf | Dialect::Listserv => false,
            _ => !self.is_known && blank_line_before(&last, last.len()) == 0,
        };
        match (last.ends_with(b"\n"), needs_blank) {
            (false, true) => self.twice,
            (false, false) | (true, true) => part(self.twice, 0..self.twice.len() / 2),
            (true, false) => b"",
        }
    }
}

/// The octets with lines that end in LF: in mboxrd with CR line endings, CR and LF are swapped.
fn with_lf(dialect: Dialect, octets: &[u8]) -> Cow<'_, [u8]> {
    match dialect {
        Dialect::MboxrdCr => with_swapped_line_ends(octets).into(),
        _ => octets.into(),
    }
}
