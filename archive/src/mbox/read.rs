//! Reads the messages of a mailbox as a stream.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "convert")]
use mime_charset::convert::{self, Conversion, Converted};
use mime_charset::header::{self, Date};

use super::begin::begin;
use super::dialect::{Dialect, has_length, quote, quote_like, swapped};
use super::entry::Entry;
use super::headers;
use super::length::content_length;
use super::lines::{part, swap_line_ends, with_swapped_line_ends};
use super::rmail;
use super::scan::{REACH, Scan, begins_other};
use super::separator::{self, Separators};
use crate::error::Error;

/// Whether the file is certainly mboxcl2: a message with a valid Content-Length has an unquoted
/// `From ` line. Reads up to the first message that proves it.
///
/// # Errors
///
/// As for [`read`].
///
/// ```
/// use mime_charset_archive::mbox;
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\nContent-Length: 8\n\nFrom me\n\n";
/// assert_eq!(mbox::is_mboxcl2(&file[..]), Ok(true));
/// ```
pub fn is_mboxcl2(source: impl Read) -> Result<bool, Error> {
    for stored in read(source) {
        if stored?.entry.proves_mboxcl2() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reads the messages of a mailbox of any size, as a stream.
///
/// Octets before the first separator form an entry without one, so a single message is one entry.
/// An empty file has no entries. Takes linear time.
///
/// Buffers one entry and up to 17 MiB after it, and reads ahead by up to a quarter of that. Entries
/// that are read together share memory until the last of them is dropped. If the source cannot be
/// read, the last item is an error.
///
/// ```
/// use mime_charset_archive::mbox;
///
/// let file: &[u8] = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\n>From me\n";
/// let stored: Vec<_> = mbox::read(file).collect::<Result<_, _>>().unwrap();
/// assert_eq!(*stored[0].message(), *b"Subject: one\n\nFrom me\n");
/// assert_eq!((stored[0].offset(), stored[0].octets().len()), (0, 55));
/// ```
pub fn read<R: Read>(source: R) -> Reader<R> {
    rest(source, 0, Separators::default(), 0..u64::MAX)
}

/// Reads the messages whose entries begin in a range of a mailbox. Consecutive ranges of any size
/// together return every message of [`read`] exactly once.
///
/// The octets of a range alone do not show where entries begin, since a Content-Length may hide a
/// separator. So 17 MiB before the range, or more if needed, are searched for a separator that no
/// Content-Length can hide, and reading starts there. If the range is near the start of the file,
/// reading begins at the start. [`Stored::ordinal`] counts from where reading starts, which is the
/// start of the file if the range begins at 0.
///
/// # Errors
///
/// Fails if the source does.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::io::Cursor;
/// use mime_charset_archive::mbox;
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\n\none\n\nFrom - Sat Jan  3 01:05:35 1996\n\ntwo\n";
/// let mut second = mbox::read_within(Cursor::new(file), 1..100)?;
/// assert_eq!(second.next().unwrap()?.offset(), 38);
/// assert!(second.next().is_none());
/// # Ok(())
/// # }
/// ```
pub fn read_within<R: Read + Seek>(source: R, range: Range<u64>) -> Result<Reader<R>, Error> {
    let mut source = source;
    let (found, separators) = begin(&mut source, range.start).map_err(Error::of_stream)?;
    Ok(rest(source, found, separators, range))
}

/// Reads the messages that begin in a range of a mailbox. `source` starts at `offset`, where an
/// entry begins before the range. `separators` matters only if that is not the start of the file.
pub(crate) fn rest<R: Read>(
    source: R,
    offset: u64,
    separators: Separators,
    wanted: Range<u64>,
) -> Reader<R> {
    Reader {
        source,
        chunk: Arc::default(),
        start: 0,
        offset,
        ordinal: 0,
        wanted,
        scan: Scan::new(offset == 0, separators),
        longest: Reader::<R>::LONGEST,
        dialect: None,
        has_cr_lines: None,
        more: true,
        failed: false,
    }
}

/// The minimum number of octets read at a time.
const CHUNK: usize = 256 << 10;

/// An iterator over the messages of a stream; made by [`read`].
///
/// ```
/// use mime_charset_archive::mbox;
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\n\none\n\nFrom - Sat Jan  3 01:05:35 1996\n\ntwo\n";
/// let offsets: Vec<_> = mbox::read(&file[..]).map(|stored| stored.unwrap().offset()).collect();
/// assert_eq!(offsets, [0, 38]);
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    /// Buffered octets. Octets before `start` were already returned; their messages share the
    /// chunk.
    chunk: Arc<Vec<u8>>,
    start: usize,
    offset: u64,
    ordinal: u64,
    /// Entries that begin in this range are returned.
    wanted: Range<u64>,
    scan: Scan,
    longest: usize,
    dialect: Option<Dialect>,
    /// Whether lines end in CR alone; `None` before the first octets. If so, the chunk has CR and
    /// LF swapped.
    has_cr_lines: Option<bool>,
    more: bool,
    failed: bool,
}

impl<R> Reader<R> {
    /// The default of [`longest`](Reader::longest), the maximum length of an entry: 1 GiB.
    ///
    /// ```
    /// use mime_charset_archive::mbox::Reader;
    ///
    /// assert_eq!(Reader::<&[u8]>::LONGEST, 1 << 30);
    /// ```
    pub const LONGEST: usize = 1 << 30;

    /// Sets the dialect of messages with a valid Content-Length: mboxcl or mboxcl2. In mboxo and
    /// mboxrd the field is ignored.
    ///
    /// By default, a message with `>From ` and a valid Content-Length is read as mboxcl2 if an
    /// earlier message certainly was: a stream cannot be read ahead. For a file, call
    /// [`is_mboxcl2`] first.
    ///
    /// ```
    /// use mime_charset_archive::mbox::{self, Dialect};
    ///
    /// let file = b"From - Sat Jan  3 01:05:34 1996\n\n>>From me\n";
    /// let mut messages = mbox::read(&file[..]).dialect(Dialect::Mboxo);
    /// assert_eq!(*messages.next().unwrap().unwrap().message(), *b"\n>>From me\n");
    /// ```
    #[must_use]
    pub const fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Sets the maximum number of octets in an entry. A longer entry is an error. If an entry is
    /// too long to be buffered up to its end, it is the last entry.
    ///
    /// ```
    /// use mime_charset_archive::mbox;
    ///
    /// let mut messages = mbox::read(&[b'a'; 1000][..]).longest(999);
    /// assert_eq!(
    ///     messages.next().unwrap().unwrap_err().to_string(),
    ///     "expected messages of at most 999 octets, found a longer one at 0"
    /// );
    /// assert!(messages.next().is_none());
    /// ```
    #[must_use]
    pub const fn longest(mut self, octets: usize) -> Self {
        self.longest = octets;
        self
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Stored, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let offset = self.offset;
            if self.failed || offset >= self.wanted.end {
                return None;
            }
            let next = self.next_entry()?;
            if self.failed || offset >= self.wanted.start {
                return Some(next);
            }
        }
    }
}

impl<R: Read> Reader<R> {
    fn next_entry(&mut self) -> Option<Result<Stored, Error>> {
        loop {
            let has_cr_lines = self.has_cr_lines == Some(true);
            let uses_length = self.dialect.is_none_or(has_length) && !has_cr_lines;
            self.scan.uses_length = uses_length;
            let rest = part(&self.chunk, self.start..self.chunk.len());
            if rest.is_empty() && !self.more {
                return None;
            }
            if let Some(mut entry) = self.scan.entry(rest, self.more) {
                if entry.proves_mboxcl2() && self.dialect.is_none() {
                    self.dialect = Some(Dialect::Mboxcl2);
                }
                if let Some(known) = self.dialect
                    && entry.dialect.is_mbox()
                    && has_length(entry.dialect) == has_length(known)
                {
                    entry.dialect = known;
                }
                if has_cr_lines {
                    entry.dialect = Dialect::MboxrdCr;
                }
                let (offset, ordinal) = (self.offset, self.ordinal);
                let length = entry.range.end;
                let range = self.start..self.start + length;
                self.start = range.end;
                self.offset += length as u64;
                self.scan = Scan::after_entry(&entry);
                if length > self.longest {
                    self.ordinal += 1;
                    return Some(Err(self.too_long(offset)));
                }
                let stored = Stored {
                    offset,
                    ordinal,
                    octets: if has_cr_lines {
                        Shared::of(with_swapped_line_ends(part(&self.chunk, range)))
                    } else {
                        Shared {
                            chunk: Arc::clone(&self.chunk),
                            range,
                        }
                    },
                    entry,
                };
                self.ordinal += u64::from(!stored.is_no_message());
                return Some(Ok(stored));
            }
            if rest.len() > self.longest.saturating_add(REACH + CHUNK) {
                self.failed = true;
                return Some(Err(self.too_long(self.offset)));
            }
            if let Err(error) = self.fill() {
                self.failed = true;
                return Some(Err(Error::of_stream(error)));
            }
        }
    }
}

impl<R> Reader<R> {
    /// Octets that were read but not returned yet.
    fn rest(&self) -> &[u8] {
        part(&self.chunk, self.start..self.chunk.len())
    }

    fn too_long(&self, offset: u64) -> Error {
        Error::new(format!(
            "expected messages of at most {} octets, found a longer one at {offset}",
            self.longest
        ))
    }
}

impl<R: Read> Reader<R> {
    /// Reads more octets and appends them to the unconsumed octets.
    fn fill(&mut self) -> io::Result<()> {
        match Arc::get_mut(&mut self.chunk) {
            Some(chunk) => drop(chunk.drain(..self.start)),
            // Messages share the chunk.
            None => self.chunk = Arc::new(self.rest().to_vec()),
        }
        self.start = 0;
        let chunk = Arc::make_mut(&mut self.chunk);
        let old = chunk.len();
        // An entry is scanned from its start after each read. If each read adds a quarter, all its
        // scans together take linear time.
        let size = CHUNK.max(old / 4);
        chunk.reserve(size);
        let read = (&mut self.source).take(size as u64).read_to_end(chunk)?;
        self.more = read == size;
        let has_cr_lines = *self.has_cr_lines.get_or_insert_with(|| {
            let found = self.offset == 0 && separator::has_cr_lines(chunk) && !begins_other(chunk);
            if found {
                self.scan.dialect = Some(Dialect::MboxrdCr);
            }
            found
        });
        if has_cr_lines {
            swap_line_ends(chunk.get_mut(old..).unwrap_or_default());
        }
        Ok(())
    }
}

/// A message as stored, with its location. It shares memory with its neighbors.
///
/// ```
/// use mime_charset_archive::mbox;
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\n>From me\n\n";
/// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
/// assert_eq!((stored.offset(), stored.ordinal()), (0, 0));
/// assert_eq!(*stored.message(), *b"Subject: one\n\nFrom me\n");
/// assert_eq!(stored.octets(), file);
/// assert_eq!(stored.before(), &file[stored.entry().separator()]);
/// assert_eq!(stored.after(), b"\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    offset: u64,
    ordinal: u64,
    octets: Shared,
    entry: Entry,
}

/// A range of a chunk.
#[derive(Clone)]
struct Shared {
    chunk: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Shared {
    fn of(octets: Vec<u8>) -> Self {
        Shared {
            range: 0..octets.len(),
            chunk: Arc::new(octets),
        }
    }

    fn octets(&self) -> &[u8] {
        part(&self.chunk, self.range.clone())
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        self.octets() == other.octets()
    }
}

impl Eq for Shared {}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.octets().fmt(f)
    }
}

impl Stored {
    /// A message in its own file, at this offset.
    pub(crate) fn single(octets: Vec<u8>, offset: usize) -> Self {
        Stored {
            offset: offset as u64,
            ordinal: 0,
            entry: Entry::new(Dialect::Mboxcl2, 0..0, octets.len(), octets.len()),
            octets: Shared::of(octets),
        }
    }

    /// A file without a message, in the form of an MBX mailbox that is only a header.
    pub(crate) fn without_message(octets: Vec<u8>) -> Self {
        let end = octets.len();
        let mut stored = Stored::single(octets, 0);
        stored.entry.message = end..end;
        stored.with_dialect(Dialect::Mbx)
    }

    /// Whether the entry has no message: the options of a Babyl mailbox or the header of an MBX
    /// mailbox without messages, or an expunged MBX message. [`Writer`](super::Writer) writes it
    /// like any other, so it is kept.
    ///
    /// ```
    /// use mime_charset_archive::mbox;
    ///
    /// let file = b"BABYL OPTIONS:\nVersion: 5\nLabels: kept\n\x1F";
    /// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
    /// assert!(stored.is_no_message());
    /// assert_eq!((stored.before(), &*stored.message()), (&file[..], &b""[..]));
    /// ```
    #[must_use]
    pub fn is_no_message(&self) -> bool {
        let entry = &self.entry;
        matches!(entry.dialect, Dialect::Babyl | Dialect::Mbx)
            && entry.separator.is_empty()
            && entry.message.is_empty()
    }

    pub(crate) fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.entry.dialect = dialect;
        self
    }

    /// The number of octets in the file before the entry.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of messages in the file before it.
    #[must_use]
    pub fn ordinal(&self) -> u64 {
        self.ordinal
    }

    /// The octets of the whole entry, as stored.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        self.octets.octets()
    }

    /// The ranges of separator and message in [`octets`](Stored::octets).
    #[must_use]
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The message, unquoted.
    #[must_use]
    pub fn message(&self) -> Cow<'_, [u8]> {
        let stored = self.as_stored();
        // Most messages have nothing to unquote.
        if self.entry.quoted {
            self.entry.dialect.unquote(stored)
        } else {
            Cow::Borrowed(stored)
        }
    }

    /// The date of the separator line: when the message was put into the mailbox. It is in local
    /// time, so its offset is usually unknown, except in MBX. `None` if the line has no date.
    /// Offsets of findings are relative to the date in the line.
    ///
    /// ```
    /// use mime_charset_archive::mbox;
    ///
    /// let file = b"From mary@example.org Wed Jan  3 01:05:34 1996\nDate: 2 Jan 1996 23:59:01 +0000\n\n";
    /// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
    /// assert_eq!(stored.separator_date().unwrap().to_string(), "1996-01-03T01:05:34-00:00");
    /// ```
    #[must_use]
    pub fn separator_date(&self) -> Option<Date> {
        let separator = part(self.octets(), self.entry.separator());
        let is_line = separator.starts_with(b"From ");
        match self.entry.dialect {
            Dialect::Mbx => header::date(separator.split(|octet| *octet == b',').next()?),
            _ => is_line.then(|| separator::date(separator.trim_ascii_end()))?,
        }
    }

    /// The stored form of a message that replaces this one. Like [`Dialect::written`], but an
    /// unquoted text line that begins with `From ` stays unquoted, and in Babyl the visible header
    /// of this message is kept.
    ///
    /// ```
    /// use mime_charset_archive::mbox;
    ///
    /// let file = b"BABYL OPTIONS:\n\x1F\x0C\n1,,\nSubject: one\nX: y\n\n*** EOOH ***\nSubject: one\n\nText\n\x1F";
    /// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
    /// let other = stored.written(b"Subject: two\n\nText\n");
    /// assert_eq!(*other, *b"Subject: two\n\n*** EOOH ***\nSubject: one\n\nText\n");
    /// ```
    #[must_use]
    pub fn written<'m>(&self, message: &'m [u8]) -> Cow<'m, [u8]> {
        let stored = self.as_stored();
        let separators = self.entry.separators;
        let is_separator =
            |octets: &[u8], at| separators.accept_at(octets, at, false) == Some(true);
        match self.entry.dialect {
            Dialect::Babyl => headers::written(stored, message),
            Dialect::MboxrdCr if self.entry.bare => {
                let stored = with_swapped_line_ends(stored);
                swapped(message, |message| {
                    quote_like(&stored, message, is_separator).unwrap_or_else(|| quote(message))
                })
            }
            // With a valid Content-Length, an unquoted `From ` line would mean that nothing is
            // quoted.
            Dialect::Mboxo | Dialect::Mboxrd
                if self.entry.bare && content_length(message).is_none() =>
            {
                quote_like(stored, message, is_separator)
                    .unwrap_or_else(|| self.entry.dialect.written(message))
            }
            dialect => dialect.written(message),
        }
    }

    /// Converts a message to UTF-8 in place of this one, with a finding of kind
    /// [`Kind::Unconverted`](mime_charset::Kind::Unconverted) if the mailbox cannot hold the result.
    /// MMDF, Babyl and LISTSERV quote nothing, so a message with a separator in its text would be
    /// read as two: such a message is kept.
    ///
    /// ```
    /// use mime_charset::Kind;
    /// use mime_charset::convert::Conversion;
    /// use mime_charset_archive::mbox;
    ///
    /// let converted = |text: &str| {
    ///     let message = format!("Subject: one\nContent-Type: text/plain; charset=utf-7\n\n{text}\n");
    ///     let file = format!("\u{1}\u{1}\u{1}\u{1}\n{message}\u{1}\u{1}\u{1}\u{1}\n");
    ///     let stored = mbox::read(file.as_bytes()).next().unwrap().unwrap();
    ///     let converted = stored.converted(message.as_bytes(), &Conversion::new());
    ///     (converted.changes.len(), converted.report.has(Kind::Unconverted))
    /// };
    /// assert_eq!(converted("+AOk-"), (3, false));
    /// assert_eq!(converted("+AAEAAQABAAE-"), (0, true));
    /// ```
    #[cfg(feature = "convert")]
    pub fn converted<'m>(&self, message: &'m [u8], options: &Conversion) -> Converted<'m> {
        convert::convert_unless(message, options, |octets| self.objection(octets))
    }

    /// The reason if the mailbox cannot hold a message in place of this one, to be read again as
    /// written.
    fn objection(&self, message: &[u8]) -> Option<&'static str> {
        let dialect = self.entry.dialect;
        if !matches!(dialect, Dialect::Mmdf | Dialect::Babyl | Dialect::Listserv) {
            return None;
        }
        let written = self.written(message);
        let separator = part(self.octets(), self.entry.separator());
        let entry = [separator, &written, self.after()].concat();
        let range = separator.len()..separator.len() + written.len();
        let found = Scan::after_entry(&self.entry).entry(&entry, false);
        let is_same = found.is_some_and(|found| found.message == range)
            && *dialect.unquote(&written) == *message;
        (!is_same).then_some("text that would be read as a separator of its mailbox")
    }

    /// The octets of the message as stored, quoted.
    ///
    /// ```
    /// use mime_charset_archive::mbox;
    ///
    /// let file = b"From - Sat Jan  3 01:05:34 1996\n\n>From me\n";
    /// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
    /// assert_eq!(stored.as_stored(), b"\n>From me\n");
    /// assert_eq!(*stored.message(), *b"\nFrom me\n");
    /// ```
    #[must_use]
    pub fn as_stored(&self) -> &[u8] {
        part(self.octets(), self.entry.message())
    }

    /// The evidence, if any, that the octets of the message differ from the delivered ones: it is
    /// in a Babyl file, and Rmail of Emacs has decoded its text from the coding system in its field
    /// X-Coding-System. The declared charsets do not apply then; the octets are in the file's
    /// coding system, usually emacs-mule. `None` for every other message.
    ///
    /// ```
    /// use mime_charset_archive::mbox;
    ///
    /// // In emacs-mule 81 precedes a character of ISO 8859-1.
    /// let file = b"BABYL OPTIONS:\n\x1F\x0C\n0,,\n*** EOOH ***\nX-Coding-System: iso-latin-1\n\n\x81\xE9\n\x1F";
    /// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
    /// assert!(stored.decoded_by_rmail().unwrap().to_string().contains("iso-latin-1"));
    /// ```
    #[must_use]
    pub fn decoded_by_rmail(&self) -> Option<Error> {
        let is_babyl = self.entry.dialect == Dialect::Babyl;
        is_babyl.then(|| rmail::decoding(&self.message()))?
    }

    /// The octets before the message: the separator and, in the first entry, the preceding blank
    /// lines or Babyl options.
    #[must_use]
    pub fn before(&self) -> &[u8] {
        part(self.octets(), 0..self.entry.message.start)
    }

    /// The octets before a message of this length that replaces this one: a separator with a length
    /// gets the new one.
    pub(crate) fn before_message_of(&self, length: usize) -> Cow<'_, [u8]> {
        let before = self.before();
        match &self.entry.length {
            Some(digits) if length != self.entry.message.len() => {
                let number = length.to_string();
                let rest = part(before, digits.end..before.len());
                [part(before, 0..digits.start), number.as_bytes(), rest]
                    .concat()
                    .into()
            }
            _ => before.into(),
        }
    }

    /// The octets after the message: usually a blank line.
    #[must_use]
    pub fn after(&self) -> &[u8] {
        part(self.octets(), self.entry.message.end..self.entry.range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::{CHUNK, read};
    use crate::mbox::Dialect;

    /// An entry is scanned from its start after each read, but all scans together take linear time.
    #[test]
    fn a_long_entry_is_scanned_a_few_times() {
        const LENGTH: usize = 8 << 20;
        for dialect in DIALECTS {
            let file = mailbox(dialect, &[&"a".repeat(LENGTH)]);
            let mut reader = read(&file[..]);
            let mut scanned = 0;
            while reader.scan.entry(reader.rest(), reader.more).is_none() {
                scanned += reader.rest().len();
                reader.fill().unwrap();
            }
            assert!(reader.rest().len() > LENGTH, "{dialect:?}");
            assert!(
                scanned > LENGTH && scanned < 6 * LENGTH,
                "{dialect:?}: {scanned}"
            );
        }
    }

    const DIALECTS: [Dialect; 7] = [
        Dialect::Mboxo,
        Dialect::Mboxcl2,
        Dialect::Mmdf,
        Dialect::Babyl,
        Dialect::Mbx,
        Dialect::Rnews,
        Dialect::Listserv,
    ];

    /// A mailbox with one message for each text.
    fn mailbox(dialect: Dialect, texts: &[&str]) -> Vec<u8> {
        let mut file = Vec::new();
        if dialect == Dialect::Mbx {
            file.extend_from_slice(b"*mbx*\r\n");
            file.resize(2048, 0);
        }
        for text in texts {
            let message = format!("Subject: x\n\n{text}\n");
            let (length, body) = (message.len(), text.len() + 1);
            let from = "From a Sat Jan  3 01:05:34 1996\n";
            let mark = "\u{1}\u{1}\u{1}\u{1}\n";
            let entry = match dialect {
                Dialect::Mboxcl2 => format!("{from}Content-Length: {body}\n{message}\n"),
                Dialect::Mmdf => format!("{mark}{message}{mark}"),
                Dialect::Babyl => format!("\u{C}\n0,,\n*** EOOH ***\n{message}\u{1F}"),
                Dialect::Rnews => format!("#! rnews {length}\n{message}"),
                Dialect::Mbx => {
                    let date = " 4-Mar-1999 10:00:00 +0100";
                    format!("{date},{length};000000000001-00000001\r\n{message}")
                }
                Dialect::Listserv => format!("{}\nDate: y\n{message}", "=".repeat(73)),
                _ => format!("{from}{message}\n"),
            };
            file.extend_from_slice(entry.as_bytes());
        }
        file
    }

    /// A chunk may end anywhere in a separator or near it.
    #[test]
    fn messages_do_not_depend_on_the_ends_of_chunks() {
        for dialect in DIALECTS {
            let before = mailbox(dialect, &[""]).len();
            for shift in 0..200 {
                let long = "a".repeat(CHUNK - before - 150 + shift);
                let texts = [&long, "one", "two", "three"];
                let file = mailbox(dialect, &texts);
                let messages: Vec<_> = read(&file[..]).map(Result::unwrap).collect();
                assert_eq!(messages.len(), 4, "{dialect:?}, {shift}");
                for (stored, text) in messages.iter().zip(texts) {
                    assert_eq!(stored.entry().dialect(), dialect);
                    let message = stored.message();
                    assert!(message.ends_with(format!("Subject: x\n\n{text}\n").as_bytes()));
                }
            }
        }
    }
}
