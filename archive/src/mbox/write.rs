//! Writes a mailbox as mboxrd, or in its own form if it is not mbox.

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

    /// As [`write`](Writer::write), for a message already quoted by [`Stored::written`].
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnds {
    Lf,
    CrLf,
    Cr,
}

/// The properties of an entry's start that matter for the octets before it.
#[derive(Debug, Clone, Copy)]
struct Opening {
    line_ends: LineEnds,
    /// Whether its separator is recognized without a blank line before it.
    is_known: bool,
    /// The dialect, if it is not mbox.
    other: Option<Dialect>,
}

impl Opening {
    fn of(stored: &Stored, quoted: &[u8]) -> Self {
        let separator = part(stored.octets(), stored.entry().separator());
        let line_ends = match stored.entry().dialect() {
            Dialect::MboxrdCr => LineEnds::Cr,
            _ if separator.ends_with(b"\r\n") => LineEnds::CrLf,
            _ => LineEnds::Lf,
        };
        let near = part(quoted, 0..quoted.len().min(AHEAD));
        let swapped = (line_ends == LineEnds::Cr).then(|| with_swapped_line_ends(near));
        Opening {
            line_ends,
            is_known: stored.entry().separators.accept_before(
                swapped.as_deref().unwrap_or(near),
                separator.trim_ascii_end(),
                false,
                false,
            ) == Some(true),
            other: Some(stored.entry().dialect())
                .filter(|dialect| !dialect.is_mbox() && *dialect != Dialect::MboxrdCr),
        }
    }

    fn line_ends_after(self, last: &[u8]) -> &'static [u8] {
        let twice: &[u8] = match self.line_ends {
            LineEnds::Lf => b"\n\n",
            LineEnds::CrLf => b"\r\n\r\n",
            LineEnds::Cr => b"\r\r",
        };
        let once = part(twice, 0..twice.len() / 2);
        let swapped = (self.line_ends == LineEnds::Cr).then(|| with_swapped_line_ends(last));
        let last = swapped.as_deref().unwrap_or(last);
        match self.other {
            Some(Dialect::Mmdf | Dialect::Listserv) => {
                return if last.ends_with(b"\n") { b"" } else { once };
            }
            // The octet 1F precedes the entry, or a length determines its place.
            Some(_) => return b"",
            None => {}
        }
        let needs_blank = !self.is_known && blank_line_before(last, last.len()) == 0;
        match (last.ends_with(b"\n"), needs_blank) {
            (false, true) => twice,
            (false, false) | (true, true) => once,
            (true, false) => b"",
        }
    }
}
