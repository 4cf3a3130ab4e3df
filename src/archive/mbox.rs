//! Mailboxes in one file: mbox in its four dialects.
//!
//! No standard fixes mbox; RFC 4155 registers its media type and names the differences.
//! Each message stands behind a separator line that begins with `From ` and in front of a
//! blank line. The dialects differ in what they do with such lines inside messages:
//!
//! - **mboxo** puts a `>` in front of `From `;
//! - **mboxrd** puts one in front of `From `, `>From `, `>>From ` and so on, which can be undone;
//! - **mboxcl** does the same and says in a Content-Length field where the body ends;
//! - **mboxcl2** relies on Content-Length alone and changes no line.
//!
//! # Where a message begins
//!
//! A line that begins with `From ` is a separator
//!
//! 1. at the start of the file, blank lines and a byte order mark left aside;
//! 2. where a Content-Length ends that fits (below);
//! 3. behind a blank line, if it ends in a date (`Sat Jan  3 01:05:34 1996`, with or without
//!    seconds, with a zone before or behind the year, or in the order of RFC 5322, or as ISO
//!    8601 has it), or if it has no more than one word and the next line is a header field:
//!    some programs leave out the date, or the sender too;
//! 4. without a blank line in front of it, if it ends in a date and the next line is a header
//!    field: some programs leave out the blank line.
//!
//! Any other such line is text, as in "From the beginning".
//!
//! A Content-Length fits if behind that many octets of body, and any blank lines, there is
//! the end of the file or a line that is a separator by rule 3. Where it does not fit, it is not
//! heeded: mail that was changed or copied after it was written has wrong ones. Nor is it
//! where it would hide a separator more than 16 MiB before its end, so that
//! a forged one cannot make a reader hold a whole archive in memory.
//!
//! # Which dialect it is
//!
//! Content-Length that fits tells mboxcl and mboxcl2 from the others, an unquoted `From ` in
//! such a message, anywhere in the file, mboxcl2 from mboxcl, and `>>From ` mboxrd from
//! mboxo. The last is a matter of name only, as there is no telling for certain: without a
//! `>>From ` the two are the same, and one with it is read as mboxrd, so that writing it
//! again gives the same octets. Who knows that a file is mboxo uses [`Dialect::unquote`] of
//! [`Dialect::Mboxo`].
//!
//! ```
//! use mime_charset::archive::mbox;
//!
//! let message = b"Subject: one\n\nFrom me\n";
//! let mut file = b"From - Sat Jan  3 01:05:34 1996\n".to_vec();
//! file.extend_from_slice(&mbox::quote(message));
//! file.push(b'\n');
//!
//! let entry = mbox::messages(&file).next().unwrap();
//! let stored = &file[entry.message()];
//! assert_eq!(stored, b"Subject: one\n\n>From me\n");
//! assert_eq!(*entry.dialect().unquote(stored), *message);
//! ```

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter};

use crate::error::Error;

/// How lines that begin with `From ` are kept apart from separators.
///
/// ```
/// use mime_charset::archive::mbox::{self, Dialect};
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\nContent-Length: 8\n\nFrom me\n\n";
/// assert_eq!(mbox::messages(file).next().unwrap().dialect(), Dialect::Mboxcl2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// `From ` is quoted; nothing shows whether `>From ` is.
    Mboxo,
    /// `From `, `>From `, `>>From ` and so on are quoted.
    Mboxrd,
    /// As mboxrd, and with a Content-Length that fits.
    Mboxcl,
    /// Nothing is quoted; a Content-Length says where the body ends.
    Mboxcl2,
}

impl Dialect {
    /// The name of the dialect in lower case.
    ///
    /// ```
    /// assert_eq!(mime_charset::archive::mbox::Dialect::Mboxrd.name(), "mboxrd");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Mboxo => "mboxo",
            Dialect::Mboxrd => "mboxrd",
            Dialect::Mboxcl => "mboxcl",
            Dialect::Mboxcl2 => "mboxcl2",
        }
    }

    /// The message as it was before it was put into the file: each quoted line has one `>`
    /// less. Borrowed where no line is quoted.
    ///
    /// ```
    /// use mime_charset::archive::mbox::Dialect;
    ///
    /// let stored = b"\n>From me\n>>From you\n";
    /// assert_eq!(*Dialect::Mboxo.unquote(stored), *b"\nFrom me\n>>From you\n");
    /// assert_eq!(*Dialect::Mboxrd.unquote(stored), *b"\nFrom me\n>From you\n");
    /// assert_eq!(*Dialect::Mboxcl2.unquote(stored), *stored);
    /// ```
    #[must_use]
    pub fn unquote(self, message: &[u8]) -> Cow<'_, [u8]> {
        let deepest = match self {
            Dialect::Mboxo => 1,
            Dialect::Mboxrd | Dialect::Mboxcl => usize::MAX,
            Dialect::Mboxcl2 => return Cow::Borrowed(message),
        };
        let mut written = Vec::new();
        let mut copied = 0;
        for line in from_lines(message).filter(|line| (1..=deepest).contains(&line.depth)) {
            written.extend_from_slice(part(message, copied..line.start));
            copied = line.start + 1;
        }
        finish(message, written, copied)
    }
}

fn has_length(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Mboxcl | Dialect::Mboxcl2)
}

/// The message as mboxrd has it: each line that is `From `, or that and `>` in front of it,
/// gets one `>` more. Borrowed where there is none.
///
/// [`Dialect::unquote`] of [`Dialect::Mboxrd`] gives the message back, whatever it is.
///
/// ```
/// use mime_charset::archive::mbox;
///
/// assert_eq!(*mbox::quote(b"\nFrom me\n>From you\n"), *b"\n>From me\n>>From you\n");
/// ```
#[must_use]
pub fn quote(message: &[u8]) -> Cow<'_, [u8]> {
    let mut written = Vec::new();
    let mut copied = 0;
    for line in from_lines(message) {
        written.extend_from_slice(part(message, copied..line.start));
        written.push(b'>');
        copied = line.start;
    }
    finish(message, written, copied)
}

fn finish(message: &[u8], mut written: Vec<u8>, copied: usize) -> Cow<'_, [u8]> {
    if written.is_empty() && copied == 0 {
        return Cow::Borrowed(message);
    }
    written.extend_from_slice(part(message, copied..message.len()));
    Cow::Owned(written)
}

/// Where one message is in a mailbox. Ranges count octets.
///
/// The entries of a file leave nothing out: the range of each begins where that of the one
/// before it ends.
///
/// ```
/// use mime_charset::archive::mbox::{self, Dialect};
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\n>>From me\n\n";
/// let entry = mbox::messages(file).next().unwrap();
/// assert_eq!((entry.separator(), entry.message()), (0..32, 32..56));
/// assert_eq!((entry.range(), entry.dialect()), (0..57, Dialect::Mboxrd));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    range: Range<usize>,
    separator: Range<usize>,
    message: Range<usize>,
    dialect: Dialect,
    /// Whether the message has an unquoted line of `From `.
    bare: bool,
    /// Whether it has a quoted one.
    quoted: bool,
}

impl Entry {
    /// The whole entry: blank lines in front of the first separator, the separator, the
    /// message, and the blank line behind it.
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The separator line with its line end; empty where a file does not begin with one.
    #[must_use]
    pub fn separator(&self) -> Range<usize> {
        self.separator.clone()
    }

    /// The message, its lines still quoted.
    #[must_use]
    pub fn message(&self) -> Range<usize> {
        self.message.clone()
    }

    /// How the lines of the message are quoted.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    fn moved(self, by: usize) -> Self {
        let moved = |range: Range<usize>| range.start + by..range.end + by;
        Entry {
            range: moved(self.range),
            separator: moved(self.separator),
            message: moved(self.message),
            dialect: self.dialect,
            bare: self.bare,
            quoted: self.quoted,
        }
    }

    /// Whether the entry shows that nothing is quoted in the file.
    fn proves_mboxcl2(&self) -> bool {
        self.dialect == Dialect::Mboxcl2 && self.bare
    }
}

/// The messages of a mailbox that is in memory.
///
/// Octets in front of the first separator are an entry without one, so that a single message
/// is one entry. A file without octets has no entry. Takes linear time.
///
/// ```
/// use mime_charset::archive::mbox;
///
/// let file = b"From a@example.org Sat Jan  3 01:05:34 1996\n\
///              Subject: one\n\
///              \n\
///              From here on, text.\n\
///              \n\
///              From b@example.org Sat Jan  3 01:05:35 1996\n\
///              Subject: two\n\
///              \n";
/// let subjects: Vec<_> = mbox::messages(file)
///     .map(|entry| String::from_utf8_lossy(&file[entry.message()]).into_owned())
///     .collect();
/// assert_eq!(subjects, ["Subject: one\n\nFrom here on, text.\n", "Subject: two\n\n"]);
/// ```
#[must_use = "iterators do nothing until they are asked"]
pub fn messages(file: &[u8]) -> impl Iterator<Item = Entry> {
    let mut entries = entries(file);
    // Whether nothing is quoted where a Content-Length fits; the whole file is asked when the
    // first entry comes for which that makes a difference.
    let mut is_mboxcl2 = None;
    std::iter::from_fn(move || {
        let mut entry = entries.next()?;
        if entry.dialect == Dialect::Mboxcl
            && *is_mboxcl2.get_or_insert_with(|| self::entries(file).any(|e| e.proves_mboxcl2()))
        {
            entry.dialect = Dialect::Mboxcl2;
        }
        Some(entry)
    })
}

/// The entries, each told by itself.
fn entries(file: &[u8]) -> impl Iterator<Item = Entry> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let rest = part(file, from..file.len());
        if rest.is_empty() {
            return None;
        }
        let entry = Scan::new(from == 0).entry(rest, false)?.moved(from);
        from = entry.range.end;
        Some(entry)
    })
}

/// Whether the file is mboxcl2 for certain: a message that ends where its Content-Length says
/// has an unquoted line of `From `. Reads as far as the first such message.
///
/// # Errors
///
/// Those of [`read`].
///
/// ```
/// use mime_charset::archive::mbox;
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

/// The messages of a mailbox of any size, read as a stream.
///
/// Holds one entry at a time and at most 17 MiB beyond it. Entries that are read together share
/// their memory, which lasts as long as any of them. A source that cannot be read ends it with
/// an error.
///
/// ```
/// use mime_charset::archive::mbox;
///
/// let file: &[u8] = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\n>From me\n";
/// let stored: Vec<_> = mbox::read(file).collect::<Result<_, _>>().unwrap();
/// assert_eq!(*stored[0].message(), *b"Subject: one\n\nFrom me\n");
/// assert_eq!((stored[0].offset(), stored[0].octets().len()), (0, 55));
/// ```
pub fn read<R: Read>(source: R) -> Messages<R> {
    Messages {
        source,
        chunk: Arc::default(),
        filled: 0,
        start: 0,
        given: VecDeque::new(),
        offset: 0,
        ordinal: 0,
        scan: Scan::new(true),
        longest: Messages::<R>::LONGEST,
        dialect: None,
        more: true,
        failed: false,
    }
}

/// How much is asked of a source at a time.
const CHUNK: usize = 256 << 10;

/// How many chunks are looked at to be used again.
const CHUNKS: usize = 64;

/// Messages as they come out of a stream; made by [`read`].
///
/// ```
/// use mime_charset::archive::mbox;
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\n\none\n\nFrom - Sat Jan  3 01:05:35 1996\n\ntwo\n";
/// let offsets: Vec<_> = mbox::read(&file[..]).map(|stored| stored.unwrap().offset()).collect();
/// assert_eq!(offsets, [0, 38]);
/// ```
#[derive(Debug)]
pub struct Messages<R> {
    source: R,
    /// What was read, as far as it is filled; up to `start` it has been given out. The messages
    /// that were share it.
    chunk: Arc<Vec<u8>>,
    filled: usize,
    start: usize,
    /// Chunks that were given out in whole, to be filled again once nobody has a message of
    /// them any more.
    given: VecDeque<Arc<Vec<u8>>>,
    offset: u64,
    ordinal: u64,
    scan: Scan,
    longest: usize,
    dialect: Option<Dialect>,
    more: bool,
    failed: bool,
}

impl<R> Messages<R> {
    /// The longest message that is read unless [`longest`](Messages::longest) says otherwise:
    /// 1 GiB.
    ///
    /// ```
    /// use mime_charset::archive::mbox::Messages;
    ///
    /// assert_eq!(Messages::<&[u8]>::LONGEST, 1 << 30);
    /// ```
    pub const LONGEST: usize = 1 << 30;

    /// What is known of the file: mboxcl or mboxcl2 for the messages that end where their
    /// Content-Length says. In mboxo and mboxrd none does: the field means nothing there.
    ///
    /// Without it, a message with `>From ` and a Content-Length that fits is read as mboxcl2
    /// if one before it was for certain: a stream cannot be asked for what is to come.
    /// [`is_mboxcl2`] can be asked first, where there is a file.
    ///
    /// ```
    /// use mime_charset::archive::mbox::{self, Dialect};
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

    /// Entries of more octets are an error each; one that is too long to be held while its
    /// end is looked for is the last.
    ///
    /// ```
    /// use mime_charset::archive::mbox;
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

impl<R: Read> Iterator for Messages<R> {
    type Item = Result<Stored, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let heeds_length = self.dialect.is_none_or(has_length);
        self.scan.heeds_length = heeds_length;
        loop {
            let rest = part(&self.chunk, self.start..self.filled);
            if rest.is_empty() && !self.more {
                return None;
            }
            if let Some(mut entry) = self.scan.entry(rest, self.more) {
                if entry.proves_mboxcl2() && self.dialect.is_none() {
                    self.dialect = Some(Dialect::Mboxcl2);
                }
                if let Some(known) = self.dialect
                    && has_length(entry.dialect) == has_length(known)
                {
                    entry.dialect = known;
                }
                let (offset, ordinal) = (self.offset, self.ordinal);
                let length = entry.range.end;
                let range = self.start..self.start + length;
                self.start = range.end;
                self.offset += length as u64;
                self.ordinal += 1;
                self.scan = Scan::new(false);
                self.scan.heeds_length = heeds_length;
                if length > self.longest {
                    return Some(Err(self.too_long(offset)));
                }
                return Some(Ok(Stored {
                    offset,
                    ordinal,
                    octets: Shared {
                        chunk: Arc::clone(&self.chunk),
                        range,
                    },
                    entry,
                }));
            }
            if rest.len() > self.longest.saturating_add(REACH + CHUNK) {
                self.failed = true;
                return Some(Err(self.too_long(self.offset)));
            }
            if let Err(error) = self.fill() {
                self.failed = true;
                return Some(Err(Error::new(error.to_string())));
            }
        }
    }
}

impl<R> Messages<R> {
    fn too_long(&self, offset: u64) -> Error {
        Error::new(format!(
            "expected messages of at most {} octets, found a longer one at {offset}",
            self.longest
        ))
    }
}

impl<R: Read> Messages<R> {
    fn fill(&mut self) -> io::Result<()> {
        let rest = self.start..self.filled;
        let needed = rest.len() + CHUNK;
        if let Some(chunk) = Arc::get_mut(&mut self.chunk) {
            if rest.start > 0 {
                chunk.copy_within(rest.clone(), 0);
            }
            if chunk.len() < needed {
                chunk.resize(needed, 0);
            }
        } else {
            // Somebody has messages of it.
            let mut next = self.free_chunk();
            if let Some(chunk) = Arc::get_mut(&mut next) {
                if chunk.len() < needed {
                    chunk.resize(needed, 0);
                }
                if let Some(start) = chunk.get_mut(..rest.len()) {
                    start.copy_from_slice(part(&self.chunk, rest.clone()));
                }
            }
            self.go_on_with(next);
        }
        self.start = 0;
        self.filled = rest.len();
        if let Some(chunk) = Arc::get_mut(&mut self.chunk) {
            while let Some(room) = chunk.get_mut(self.filled..needed).filter(|r| !r.is_empty()) {
                match self.source.read(room) {
                    Ok(0) => {
                        self.more = false;
                        break;
                    }
                    Ok(read) => self.filled += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            }
        }
        Ok(())
    }

    /// A chunk that nobody else has.
    fn free_chunk(&mut self) -> Arc<Vec<u8>> {
        let free = |chunk: &mut Arc<Vec<u8>>| Arc::get_mut(chunk).is_some();
        match self.given.iter_mut().position(free) {
            Some(free) => self.given.remove(free).unwrap_or_default(),
            None => Arc::default(),
        }
    }

    /// Goes on with another chunk. Those that a long message has made long are not kept.
    fn go_on_with(&mut self, next: Arc<Vec<u8>>) {
        let last = std::mem::replace(&mut self.chunk, next);
        if last.capacity() <= 2 * CHUNK {
            if self.given.len() == CHUNKS {
                self.given.pop_front();
            }
            self.given.push_back(last);
        }
    }
}

/// A message as it is stored, and where. The octets are shared with the messages beside it.
///
/// ```
/// use mime_charset::archive::mbox;
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

/// A stretch of octets that were read at once.
#[derive(Clone)]
struct Shared {
    chunk: Arc<Vec<u8>>,
    range: Range<usize>,
}

impl Shared {
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
    /// A message that is a file of its own.
    pub(super) fn alone(octets: Vec<u8>) -> Self {
        let all = 0..octets.len();
        Stored {
            offset: 0,
            ordinal: 0,
            entry: Entry {
                range: all.clone(),
                separator: 0..0,
                message: all,
                dialect: Dialect::Mboxcl2,
                bare: false,
                quoted: false,
            },
            octets: Shared {
                range: 0..octets.len(),
                chunk: Arc::new(octets),
            },
        }
    }

    pub(super) fn with_dialect(mut self, dialect: Dialect) -> Self {
        self.entry.dialect = dialect;
        self
    }

    /// How many octets of the file lie before the entry.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How many messages of the file lie before it.
    #[must_use]
    pub fn ordinal(&self) -> u64 {
        self.ordinal
    }

    /// The octets of the whole entry as they are in the file.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        self.octets.octets()
    }

    /// Where separator and message are in [`octets`](Stored::octets).
    #[must_use]
    pub fn entry(&self) -> &Entry {
        &self.entry
    }

    /// The message as it was before it was put into the file.
    #[must_use]
    pub fn message(&self) -> Cow<'_, [u8]> {
        let stored = part(self.octets(), self.entry.message());
        // Most have nothing to be looked for once more.
        if self.entry.quoted {
            self.entry.dialect.unquote(stored)
        } else {
            Cow::Borrowed(stored)
        }
    }

    /// What is in the file in front of the message: the separator, and in the first entry the
    /// blank lines before it.
    #[must_use]
    pub fn before(&self) -> &[u8] {
        part(self.octets(), 0..self.entry.message.start)
    }

    /// What is in the file behind the message: the blank line, where there is one.
    #[must_use]
    pub fn after(&self) -> &[u8] {
        part(self.octets(), self.entry.message.end..self.entry.range.end)
    }
}

/// A mailbox to be written as mboxrd.
///
/// Separators, and what stands between messages, stay as they were stored. A blank line is
/// added only where the next separator would not be known for one without it.
///
/// ```
/// use mime_charset::archive::mbox;
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
#[derive(Debug)]
pub struct Writer<W> {
    target: W,
    /// What the first entry begins with, and what the last one ends in; `None` at the start.
    first: Option<Opening>,
    last: Option<[u8; 3]>,
    /// How many octets were written.
    offset: u64,
}

impl<W> Writer<W> {
    /// A mailbox without messages.
    pub const fn new(target: W) -> Self {
        Writer {
            target,
            first: None,
            last: None,
            offset: 0,
        }
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.target
    }
}

impl<W: Write> Writer<W> {
    /// Adds a message in place of the one that is stored; gives the octets of the file that
    /// it takes, without its separator.
    ///
    /// # Errors
    ///
    /// Those of the target.
    pub fn write(&mut self, stored: &Stored, message: &[u8]) -> io::Result<Range<u64>> {
        self.write_quoted(stored, &quote(message))
    }

    /// As [`write`](Writer::write), with a message whose lines [`quote`] has quoted already.
    ///
    /// # Errors
    ///
    /// Those of the target.
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// use mime_charset::archive::mbox;
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
        // Behind a blank line any separator is one.
        let is_known_there = self
            .last
            .is_some_and(|last| blank_line_before(&last, last.len()) > 0);
        if !is_known_there {
            self.join(Opening::of(stored, quoted))?;
        }
        self.put(stored.before())?;
        let start = self.offset;
        self.put(quoted)?;
        let place = start..self.offset;
        self.put(stored.after())?;
        for octets in [stored.before(), quoted, stored.after()] {
            self.end_in(octets);
        }
        Ok(place)
    }

    /// Adds a mailbox that was written by itself, as if its messages were written one by one;
    /// gives how many octets of the file are in front of it.
    ///
    /// # Errors
    ///
    /// Those of the target.
    ///
    /// ```
    /// # fn main() -> std::io::Result<()> {
    /// use mime_charset::archive::mbox;
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
        self.end_in(&other.target);
        Ok(start)
    }

    /// Writes what has to stand in front of an entry that begins so.
    fn join(&mut self, opening: Opening) -> io::Result<()> {
        self.first.get_or_insert(opening);
        if let Some(last) = self.last {
            self.put(opening.joint(&last))?;
        }
        self.last.get_or_insert_default();
        Ok(())
    }

    /// Remembers what was written last.
    fn end_in(&mut self, octets: &[u8]) {
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

/// What has to stand between what ends in `last` and an entry, its lines quoted, for the
/// separator of that to be known for one: nothing, a line end, or two.
///
/// ```
/// use mime_charset::archive::mbox;
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\nText";
/// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
/// let quoted = &stored.octets()[stored.entry().message()];
/// assert_eq!(mbox::joint(b"Text", &stored, quoted), b"\n");
/// assert_eq!(mbox::joint(b"Text\n", &stored, quoted), b"");
/// assert_eq!(mbox::joint(b"Text\n", &stored, b"No field"), b"\n");
/// ```
#[must_use]
pub fn joint(last: &[u8], stored: &Stored, quoted: &[u8]) -> &'static [u8] {
    Opening::of(stored, quoted).joint(last)
}

/// What an entry begins with, as far as it matters to what is in front of it.
#[derive(Debug, Clone, Copy)]
struct Opening {
    has_crlf: bool,
    /// Whether its separator is known for one without a blank line in front.
    is_known: bool,
}

impl Opening {
    fn of(stored: &Stored, quoted: &[u8]) -> Self {
        let separator = part(stored.octets(), stored.entry.separator());
        Opening {
            has_crlf: separator.ends_with(b"\r\n"),
            is_known: has_date(separator.trim_ascii_end())
                && starts_with_field(quoted, false) == Some(true),
        }
    }

    fn joint(self, last: &[u8]) -> &'static [u8] {
        let twice: &[u8] = if self.has_crlf { b"\r\n\r\n" } else { b"\n\n" };
        let once = part(twice, 0..twice.len() / 2);
        let needs_blank = !self.is_known && blank_line_before(last, last.len()) == 0;
        match (last.ends_with(b"\n"), needs_blank) {
            (false, true) => twice,
            (false, false) | (true, true) => once,
            (true, false) => b"",
        }
    }
}

/// The Content-Length that the message should have in a mailbox, where it has another: where
/// the digits are, and the number of octets of its body as it is given.
///
/// `None` where it has none, or the right one.
///
/// ```
/// use mime_charset::archive::mbox;
///
/// let message = b"Subject: x\nContent-Length: 7\n\nbody\n";
/// assert_eq!(mbox::right_length(message), Some((27..28, 5)));
/// ```
#[must_use]
pub fn right_length(message: &[u8]) -> Option<(Range<usize>, u64)> {
    let (place, octets) = content_length(message)?;
    let mut lines = Lines {
        octets: message,
        at: place.end,
    };
    let body = loop {
        let line = lines.next()?;
        if line.start > place.end && part(message, line.clone()).trim_ascii_end().is_empty() {
            break message.len() - line.end;
        }
    };
    (octets != body as u64).then_some((place, body as u64))
}

/// The Content-Length of a message: where its digits are, and the octets they promise.
///
/// `None` where the header has no such field or it has no number. Who changes the length of a
/// body in a mailbox has to change this too.
///
/// ```
/// use mime_charset::archive::mbox;
///
/// let message = b"Subject: x\nContent-Length: 5\n\nbody\n";
/// assert_eq!(mbox::content_length(message), Some((27..28, 5)));
/// ```
#[must_use]
pub fn content_length(message: &[u8]) -> Option<(Range<usize>, u64)> {
    let mut lines = Lines {
        octets: message,
        at: 0,
    };
    loop {
        let line = lines.next()?;
        let content = part(message, line.clone()).trim_ascii_end();
        if content.is_empty() {
            return None;
        }
        if let Some((value, octets)) = length_field(content) {
            return Some((line.start + value.start..line.start + value.end, octets));
        }
    }
}

/// Whether the start of a file shows that it is a mailbox: a separator line as rule 3 has it.
pub(super) fn begins(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let blank = head
        .iter()
        .take_while(|octet| matches!(octet, b'\r' | b'\n'))
        .count();
    part(head, blank..head.len()).starts_with(b"From ")
        && looks_like_separator(head, blank, true, false) == Some(true)
}

/// Finds the end of one entry, in as many calls as it takes to read it; nothing is looked at
/// twice but a line or two.
#[derive(Debug)]
struct Scan {
    /// Whether the entry is the first of the file.
    first: bool,
    separator: Option<Range<usize>>,
    /// As far as lines of the header have been read.
    header: usize,
    /// Where the body begins, once the header has ended.
    body: Option<usize>,
    length: Option<u64>,
    /// Whether a Content-Length means anything.
    heeds_length: bool,
    /// As far as the octets have been searched for a separator.
    searched: usize,
    /// The first separator found.
    next: Option<usize>,
    /// What was found in front of it.
    quotes: Quotes,
}

/// Which lines of `From ` there are in a message, quoted or not.
#[derive(Debug, Default, Clone, Copy)]
struct Quotes {
    bare: bool,
    quoted: bool,
    twice: bool,
}

impl Quotes {
    fn of(message: &[u8]) -> Self {
        let mut quotes = Quotes::default();
        from_lines(message).for_each(|line| quotes.add(&line));
        quotes
    }

    fn add(&mut self, line: &FromLine) {
        self.bare |= line.depth == 0;
        self.quoted |= line.depth > 0;
        self.twice |= line.depth > 1;
    }
}

/// How far a Content-Length may reach beyond a separator.
const REACH: usize = 16 << 20;

/// The longest line that may be a separator; further octets of it are not looked at.
const LONGEST_LINE: usize = 1000;

/// A line that long ends the header, so that it need not be read twice.
const LONGEST_FIELD_LINE: usize = 1 << 20;

impl Scan {
    fn new(first: bool) -> Self {
        Scan {
            first,
            separator: None,
            header: 0,
            body: None,
            length: None,
            heeds_length: true,
            searched: 0,
            next: None,
            quotes: Quotes::default(),
        }
    }

    /// The entry that `octets` begin with, or `None` if `more` octets are needed to tell.
    fn entry(&mut self, octets: &[u8], more: bool) -> Option<Entry> {
        let separator = self.separator(octets, more)?;
        self.read_header(octets, more)?;
        let whole = self
            .length
            .filter(|_| self.heeds_length)
            .zip(self.body)
            .and_then(|(length, body)| body.checked_add(usize::try_from(length).ok()?));
        // A Content-Length first, as far as the separators inside it let it be heeded.
        if let (Some(end), Some(body)) = (whole, self.body) {
            self.search(octets, more, end);
            let hides = self
                .next
                .is_some_and(|next| next < end && end - next > REACH);
            if !hides {
                match end_of_length(octets, end, more) {
                    Ends::Unknown => return None,
                    Ends::At(range_end) => {
                        let tail = end.max(body)..range_end;
                        let quotes = Quotes::of(part(octets, separator.end..tail.start));
                        return Some(entry(separator, tail, true, quotes));
                    }
                    Ends::No => {}
                }
            }
        }
        self.search(octets, more, octets.len());
        let end = match self.next {
            Some(next) => next,
            None if more => return None,
            None => octets.len(),
        };
        let blank = blank_line_before(octets, end);
        let has_no_body = self.body == Some(end);
        // A message that is a file of its own has no blank line behind it.
        let is_alone = separator.is_empty() && end == octets.len();
        let message_end = if has_no_body || is_alone {
            end
        } else {
            end - blank
        };
        // All of the message has been searched, and nothing behind it.
        let tail = message_end.max(separator.end)..end;
        Some(entry(separator, tail, false, self.quotes))
    }

    /// The line the entry begins with, if that is a separator, and otherwise nothing.
    fn separator(&mut self, octets: &[u8], more: bool) -> Option<Range<usize>> {
        if let Some(separator) = &self.separator {
            return Some(separator.clone());
        }
        let mut start = 0;
        if self.first {
            if more && octets.len() < 3 {
                return None;
            }
            if octets.starts_with(b"\xEF\xBB\xBF") {
                start = 3;
            }
            start += part(octets, start..octets.len())
                .iter()
                .take_while(|octet| matches!(octet, b'\r' | b'\n'))
                .count();
        }
        let rest = part(octets, start..octets.len());
        let separator = if rest.starts_with(b"From ") {
            let near = part(rest, 0..rest.len().min(LONGEST_LINE));
            match memchr(b'\n', near) {
                Some(at) => start..start + at + 1,
                None if near.len() == LONGEST_LINE => 0..0,
                None if more => return None,
                None => start..octets.len(),
            }
        } else if more && b"From ".starts_with(rest) {
            return None;
        } else {
            0..0
        };
        self.header = separator.end;
        self.searched = separator.end;
        self.separator = Some(separator.clone());
        Some(separator)
    }

    /// Reads lines up to the blank one that ends the header, or as long as they may be header
    /// lines. `None` if more octets are needed.
    fn read_header(&mut self, octets: &[u8], more: bool) -> Option<()> {
        while self.body.is_none() {
            let mut lines = Lines {
                octets,
                at: self.header,
            };
            let Some(line) = lines.next() else {
                return if more { None } else { Some(()) };
            };
            let content = part(octets, line.clone());
            if content.len() >= LONGEST_FIELD_LINE {
                return Some(());
            }
            if more && !content.ends_with(b"\n") {
                return None;
            }
            if content.trim_ascii_end().is_empty() {
                self.body = Some(line.end);
            } else if content.starts_with(b"From ") && is_separator(octets, line.start, more)? {
                return Some(());
            } else if self.length.is_none() && matches!(content, [b'C' | b'c', ..]) {
                self.length = length_field(content.trim_ascii_end()).map(|(_, octets)| octets);
            }
            self.header = line.end;
        }
        Some(())
    }

    /// Searches the octets up to `end` for a separator.
    fn search(&mut self, octets: &[u8], more: bool, end: usize) {
        if self.next.is_some() {
            return;
        }
        let limit = octets.len().min(end.saturating_add(1));
        while let Some(at) = FROM.find(part(octets, self.searched..limit)) {
            let at = self.searched + at;
            let start = self.header_start();
            let line = from_line(part(octets, start..octets.len()), at.saturating_sub(start));
            if let Some(line) = line {
                match (line.depth == 0).then(|| is_separator(octets, at, more)) {
                    Some(None) => {
                        self.searched = at;
                        return;
                    }
                    Some(Some(true)) => {
                        self.next = Some(at);
                        return;
                    }
                    _ => self.quotes.add(&line),
                }
            }
            self.searched = at + 5;
        }
        // A `From ` may be cut off at the end.
        self.searched = self.searched.max(limit.saturating_sub(4));
    }

    fn header_start(&self) -> usize {
        self.separator.as_ref().map_or(0, |separator| separator.end)
    }
}

enum Ends {
    /// The entry ends here.
    At(usize),
    No,
    /// More octets are needed to tell.
    Unknown,
}

/// Whether a body that ends at `end` would be followed by a separator or the end of the file,
/// and where the entry would end.
fn end_of_length(octets: &[u8], end: usize, more: bool) -> Ends {
    let Some(rest) = octets.get(end..) else {
        return if more { Ends::Unknown } else { Ends::No };
    };
    let blank = rest
        .iter()
        .take_while(|octet| matches!(octet, b'\r' | b'\n'))
        .count();
    let next = end + blank;
    let line = part(octets, next..octets.len());
    if line.is_empty() {
        return if more { Ends::Unknown } else { Ends::At(next) };
    }
    let begins_line = octets.get(next.wrapping_sub(1)) == Some(&b'\n');
    if !begins_line {
        return Ends::No;
    }
    if more && line.len() < 5 && b"From ".starts_with(line) {
        return Ends::Unknown;
    }
    if !line.starts_with(b"From ") {
        return Ends::No;
    }
    match looks_like_separator(octets, next, true, more) {
        None => Ends::Unknown,
        Some(true) => Ends::At(next),
        Some(false) => Ends::No,
    }
}

fn entry(separator: Range<usize>, tail: Range<usize>, has_length: bool, quotes: Quotes) -> Entry {
    let Quotes {
        bare,
        quoted,
        twice,
    } = quotes;
    let dialect = match has_length {
        true if bare || !quoted => Dialect::Mboxcl2,
        true => Dialect::Mboxcl,
        false if twice => Dialect::Mboxrd,
        false => Dialect::Mboxo,
    };
    Entry {
        range: 0..tail.end,
        message: separator.end..tail.start,
        separator,
        dialect,
        bare,
        quoted,
    }
}

/// Whether the line at `at`, which begins with `From `, is a separator by rules 3 and 4.
/// `None` if more octets are needed to tell.
fn is_separator(octets: &[u8], at: usize, more: bool) -> Option<bool> {
    looks_like_separator(octets, at, blank_line_before(octets, at) > 0, more)
}

fn looks_like_separator(octets: &[u8], at: usize, after_blank: bool, more: bool) -> Option<bool> {
    let rest = part(octets, at..octets.len());
    let near = part(rest, 0..rest.len().min(LONGEST_LINE));
    let Some(line_end) = memchr(b'\n', near) else {
        if near.len() == LONGEST_LINE {
            return Some(false);
        }
        // The last line of a file that was cut off is a separator if it has a date.
        return if more {
            None
        } else {
            Some(after_blank && has_date(near))
        };
    };
    let line = part(near, 0..line_end);
    let dated = has_date(line);
    if dated && after_blank {
        return Some(true);
    }
    let bare = after_blank && words(line).count() <= 2;
    if !(dated || bare) {
        return Some(false);
    }
    let next = part(
        rest,
        line_end + 1..rest.len().min(line_end + 1 + LONGEST_LINE),
    );
    starts_with_field(next, more)
}

/// > field = field-name ":" unstructured CRLF
///
/// with blanks in front of the colon (RFC 5322, section 4.5), or the `>From ` of UUCP, quoted
/// or not.
fn starts_with_field(octets: &[u8], more: bool) -> Option<bool> {
    let quotes = octets.iter().take_while(|octet| **octet == b'>').count();
    if quotes > 0 && part(octets, quotes..octets.len()).starts_with(b"From ") {
        return Some(true);
    }
    let name = octets
        .iter()
        .take_while(|octet| octet.is_ascii_graphic() && **octet != b':')
        .count();
    let blanks = part(octets, name..octets.len())
        .iter()
        .take_while(|octet| matches!(octet, b' ' | b'\t'))
        .count();
    match octets.get(name + blanks) {
        Some(b':') => Some(name > 0),
        None if more && octets.len() < LONGEST_LINE => None,
        Some(_) | None => Some(false),
    }
}

/// Whether a separator line ends in a date, more words behind it let pass.
fn has_date(line: &[u8]) -> bool {
    /// `3 Jan 96 1:05` is the shortest that [`begins_date`] knows.
    const SHORTEST: usize = 13;
    if line.len() <= SHORTEST {
        return false;
    }
    // A date is not the first word, and is looked for in as many as the longest has.
    let mut words = words(line).skip(1);
    let mut ahead: [&[u8]; 7] = std::array::from_fn(|_| words.next().unwrap_or_default());
    while let [first, ..] = ahead
        && !first.is_empty()
    {
        if begins_date(&ahead) {
            return true;
        }
        ahead.rotate_left(1);
        if let Some(last) = ahead.last_mut() {
            *last = words.next().unwrap_or_default();
        }
    }
    false
}

fn begins_date(words: &[&[u8]; 7]) -> bool {
    let word = |ahead: usize| words.get(ahead).copied().unwrap_or_default();
    let year = |range: Range<usize>| range.into_iter().any(|ahead| is_year(word(ahead)));
    // Sat Jan  3 01:05:34 1996, with a zone of one or two words before the year.
    let starts_with_weekday = is_weekday(word(0));
    let asctime = starts_with_weekday
        && is_month(word(1))
        && is_day(word(2))
        && is_time(word(3))
        && year(4..7);
    // Sat, 3 Jan 1996 01:05:34 +0000
    let skip = usize::from(starts_with_weekday);
    let rfc5322 = is_day(word(skip))
        && is_month(word(skip + 1))
        && is_year(word(skip + 2))
        && is_time(word(skip + 3));
    // 1996-01-03 01:05:34, 1996-01-03T01:05:34Z
    let (date, time) = word(0).split_at_checked(10).unwrap_or_default();
    let iso = is_iso_date(date)
        && match time.split_first() {
            None => is_time(word(1)),
            Some((b'T' | b't', time)) => is_time(part(time, 0..time.len().min(8))),
            Some(_) => false,
        };
    asctime || rfc5322 || iso
}

fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(|octet| matches!(octet, b' ' | b'\t' | b'\r'))
        .filter(|word| !word.is_empty())
}

fn is_weekday(word: &[u8]) -> bool {
    let word = word.strip_suffix(b",").unwrap_or(word);
    is_one_of(word, ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
}

fn is_month(word: &[u8]) -> bool {
    let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    is_one_of(word, months)
}

fn is_one_of<const N: usize>(word: &[u8], names: [&str; N]) -> bool {
    names
        .iter()
        .any(|name| word.eq_ignore_ascii_case(name.as_bytes()))
}

fn is_day(word: &[u8]) -> bool {
    (1..=2).contains(&word.len()) && number(word).is_some_and(|day| (1..=31).contains(&day))
}

/// Years have two digits in the oldest files.
fn is_year(word: &[u8]) -> bool {
    matches!(word.len(), 2 | 4)
        && number(word).is_some_and(|year| year < 100 || (1970..2200).contains(&year))
}

fn is_time(word: &[u8]) -> bool {
    let is_part = |part: &[u8]| {
        (1..=2).contains(&part.len()) && number(part).is_some_and(|value| value <= 60)
    };
    let colons = memchr_iter(b':', word).count();
    matches!(colons, 1 | 2) && word.split(|octet| *octet == b':').all(is_part)
}

fn is_iso_date(word: &[u8]) -> bool {
    let mut parts = word.split(|octet| *octet == b'-');
    let [year, month, day, rest] = std::array::from_fn(|_| parts.next());
    let is = |part: Option<&[u8]>, test: fn(&[u8]) -> bool| part.is_some_and(test);
    rest.is_none()
        && is(year, |year| year.len() == 4 && is_year(year))
        && is(month, |month| month.len() == 2 && is_day(month))
        && is(day, is_day)
}

fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    digits.iter().try_fold(0_u64, |sum, digit| {
        digit
            .is_ascii_digit()
            .then(|| sum * 10 + u64::from(digit - b'0'))
    })
}

/// Where the digits of a Content-Length field are in the line, and their value.
fn length_field(line: &[u8]) -> Option<(Range<usize>, u64)> {
    const NAME: &[u8] = b"Content-Length";
    let (name, rest) = line.split_at_checked(NAME.len())?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let before = rest
        .trim_ascii_start()
        .strip_prefix(b":")?
        .trim_ascii_start();
    let digits = before
        .iter()
        .take_while(|octet| octet.is_ascii_digit())
        .count();
    let start = line.len() - before.len();
    if digits != before.trim_ascii_end().len() {
        return None;
    }
    Some((start..start + digits, number(part(before, 0..digits))?))
}

/// How many octets the blank line in front of `at` has; 0 where there is none.
fn blank_line_before(octets: &[u8], at: usize) -> usize {
    let before = part(octets, 0..at);
    if before.ends_with(b"\n\r\n") || before == b"\r\n" {
        2
    } else {
        usize::from(before.ends_with(b"\n\n") || before == b"\n")
    }
}

/// A line that is `From `, or that with `>` in front of it.
struct FromLine {
    start: usize,
    /// How many `>`.
    depth: usize,
}

static FROM: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("From "));

fn from_lines(message: &[u8]) -> impl Iterator<Item = FromLine> {
    FROM.find_iter(message)
        .filter_map(|at| from_line(message, at))
}

/// The line whose `From ` is at `at`, if nothing but `>` is in front of that.
fn from_line(message: &[u8], at: usize) -> Option<FromLine> {
    let before = part(message, 0..at);
    let depth = before
        .iter()
        .rev()
        .take_while(|octet| **octet == b'>')
        .count();
    let start = at - depth;
    let begins_line = start == 0 || message.get(start - 1) == Some(&b'\n');
    begins_line.then_some(FromLine { start, depth })
}

/// Lines with their line ends.
struct Lines<'a> {
    octets: &'a [u8],
    at: usize,
}

impl Iterator for Lines<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        let rest = self.octets.get(start..).filter(|rest| !rest.is_empty())?;
        self.at = memchr(b'\n', rest).map_or(self.octets.len(), |at| start + at + 1);
        Some(start..self.at)
    }
}

fn part(octets: &[u8], range: Range<usize>) -> &[u8] {
    octets.get(range).unwrap_or_default()
}
