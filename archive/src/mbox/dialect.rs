//! How a mailbox distinguishes text lines that begin with `From ` from separators.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::headers;
use super::lines::{part, swap_line_ends, with_swapped_line_ends};

/// How a mailbox distinguishes text lines that begin with `From ` from separators.
///
/// ```
/// use mime_charset_archive::mbox::{self, Dialect};
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\nContent-Length: 8\n\nFrom me\n\n";
/// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
/// assert_eq!(stored.entry().dialect(), Dialect::Mboxcl2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Quotes `From ` as `>From `, so a `>From ` is ambiguous.
    Mboxo,
    /// Quotes `From `, `>From `, `>>From ` and so on.
    Mboxrd,
    /// Like mboxrd, with lines that end in CR alone (classic Mac OS).
    MboxrdCr,
    /// Like mboxrd, with a valid Content-Length.
    Mboxcl,
    /// Nothing is quoted; Content-Length gives the end of the body.
    Mboxcl2,
    /// Nothing is quoted; a line of four octets 01 precedes and follows each message (mmdf(5)).
    Mmdf,
    /// Nothing is quoted; each message is in a section, with its original header and a header that
    /// Rmail shows (Emacs 22, `etc/BABYL`).
    Babyl,
    /// Nothing is quoted; the line before each message has its length (MBX of UW-IMAP and Pine).
    Mbx,
    /// Nothing is quoted; the line before each article has its length (INN, rnews(1)).
    Rnews,
    /// Nothing is quoted; a line of 73 `=` precedes each message (LISTSERV).
    Listserv,
}

impl Dialect {
    /// The dialect's name in lower case.
    ///
    /// ```
    /// assert_eq!(mime_charset_archive::mbox::Dialect::Mboxrd.name(), "mboxrd");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Mboxo => "mboxo",
            Dialect::Mboxrd => "mboxrd",
            Dialect::MboxrdCr => "mboxrd-cr",
            Dialect::Mboxcl => "mboxcl",
            Dialect::Mboxcl2 => "mboxcl2",
            Dialect::Mmdf => "mmdf",
            Dialect::Babyl => "babyl",
            Dialect::Mbx => "mbx",
            Dialect::Rnews => "rnews",
            Dialect::Listserv => "listserv",
        }
    }

    /// Restores the message from its stored form: removes one `>` from each quoted line and, in
    /// Babyl, the visible header. Borrowed if there is nothing to remove.
    ///
    /// ```
    /// use mime_charset_archive::mbox::Dialect;
    ///
    /// let stored = b"\n>From me\n>>From you\n";
    /// assert_eq!(*Dialect::Mboxo.unquote(stored), *b"\nFrom me\n>>From you\n");
    /// assert_eq!(*Dialect::Mboxrd.unquote(stored), *b"\nFrom me\n>From you\n");
    /// assert_eq!(*Dialect::Mboxcl2.unquote(stored), *stored);
    /// let stored = b"Subject: one\nX: y\n\n*** EOOH ***\nSubject: one\n\nText\n";
    /// assert_eq!(*Dialect::Babyl.unquote(stored), *b"Subject: one\nX: y\n\nText\n");
    /// ```
    #[must_use]
    pub fn unquote(self, message: &[u8]) -> Cow<'_, [u8]> {
        let deepest = match self {
            Dialect::Mboxo => 1,
            Dialect::Mboxrd | Dialect::Mboxcl => usize::MAX,
            Dialect::MboxrdCr => {
                return swapped(message, |message| Dialect::Mboxrd.unquote(message));
            }
            Dialect::Mboxcl2
            | Dialect::Mmdf
            | Dialect::Mbx
            | Dialect::Rnews
            | Dialect::Listserv => return Cow::Borrowed(message),
            Dialect::Babyl => return headers::unquote(message),
        };
        let mut written = Vec::new();
        let mut copied = 0;
        for line in from_lines(message).filter(|line| (1..=deepest).contains(&line.depth)) {
            written.extend_from_slice(part(message, copied..line.start));
            copied = line.start + 1;
        }
        finish(message, written, copied)
    }

    /// The stored form of a new message: in mbox, quoted as mboxrd; in Babyl, after the line that
    /// ends an empty original header; in other dialects, unchanged. To replace a stored message,
    /// use [`Stored::written`](super::Stored::written).
    ///
    /// ```
    /// use mime_charset_archive::mbox::Dialect;
    ///
    /// assert_eq!(*Dialect::Mboxcl2.written(b"\nFrom me\n"), *b"\n>From me\n");
    /// assert_eq!(*Dialect::Mmdf.written(b"\nFrom me\n"), *b"\nFrom me\n");
    /// assert_eq!(*Dialect::Babyl.written(b"\nFrom me\n"), *b"*** EOOH ***\n\nFrom me\n");
    /// ```
    #[must_use]
    pub fn written(self, message: &[u8]) -> Cow<'_, [u8]> {
        match self {
            Dialect::Mmdf | Dialect::Mbx | Dialect::Rnews | Dialect::Listserv => {
                Cow::Borrowed(message)
            }
            Dialect::Babyl => headers::quote(message),
            Dialect::MboxrdCr => swapped(message, quote),
            Dialect::Mboxo | Dialect::Mboxrd | Dialect::Mboxcl | Dialect::Mboxcl2 => quote(message),
        }
    }

    /// Maps an offset in a message to the offset in its stored form, as [`unquote`](Dialect::unquote)
    /// reads it.
    pub(crate) fn place(self, stored: &[u8], at: usize) -> usize {
        match self {
            Dialect::Babyl => return headers::place(stored, at),
            Dialect::MboxrdCr => {
                return Dialect::Mboxrd.place(&with_swapped_line_ends(stored), at);
            }
            Dialect::Mboxcl2
            | Dialect::Mmdf
            | Dialect::Mbx
            | Dialect::Rnews
            | Dialect::Listserv => {
                return at;
            }
            _ => {}
        }
        // Each quoted line is one octet longer in the file.
        let quoted = from_lines(stored).filter(|line| line.depth > 0);
        quoted.fold(at, |place, line| place + usize::from(line.start < place))
    }
}

/// Applies `change` to a message whose lines end in CR alone, with CR and LF swapped.
pub(super) fn swapped(
    message: &[u8],
    change: impl FnOnce(&[u8]) -> Cow<'_, [u8]>,
) -> Cow<'_, [u8]> {
    let with_lf = with_swapped_line_ends(message);
    match change(&with_lf) {
        Cow::Borrowed(_) => Cow::Borrowed(message),
        Cow::Owned(mut changed) => {
            swap_line_ends(&mut changed);
            Cow::Owned(changed)
        }
    }
}

impl Dialect {
    /// Whether it is mbox with lines that end in LF.
    pub(super) fn is_mbox(self) -> bool {
        matches!(
            self,
            Dialect::Mboxo | Dialect::Mboxrd | Dialect::Mboxcl | Dialect::Mboxcl2
        )
    }
}

pub(super) fn has_length(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::Mboxcl | Dialect::Mboxcl2)
}

/// Quotes a message as mboxrd: prefixes `>` to each line that begins with any number of `>` and
/// `From `. Borrowed if no line begins so.
///
/// [`Dialect::unquote`] of [`Dialect::Mboxrd`] restores any message.
///
/// ```
/// use mime_charset_archive::mbox;
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

/// Like [`quote`], but leaves lines unquoted that `stored` does not quote: other programs treat
/// them as before, as separators or as text. `None` if the lines do not correspond, or if one
/// `is_separator` here.
pub(super) fn quote_like<'m>(
    stored: &[u8],
    message: &'m [u8],
    is_separator: impl Fn(&[u8], usize) -> bool,
) -> Option<Cow<'m, [u8]>> {
    let (mut old, mut new) = (from_lines(stored), from_lines(message));
    let mut written = Vec::new();
    let mut copied = 0;
    let mut kept = Vec::new();
    loop {
        let (old, new) = match (old.next(), new.next()) {
            (None, None) => break,
            (old, new) => (old?, new?),
        };
        written.extend_from_slice(part(message, copied..new.start));
        copied = new.start;
        if old.depth == 0 {
            kept.push(written.len());
        } else {
            written.push(b'>');
        }
    }
    let written = finish(message, written, copied);
    let is_certain = |&at: &usize| !is_separator(&written, at);
    kept.iter().all(is_certain).then_some(written)
}

fn finish(message: &[u8], mut written: Vec<u8>, copied: usize) -> Cow<'_, [u8]> {
    if written.is_empty() && copied == 0 {
        return Cow::Borrowed(message);
    }
    written.extend_from_slice(part(message, copied..message.len()));
    Cow::Owned(written)
}

/// A line that begins with any number of `>` and `From `.
pub(super) struct FromLine {
    pub(super) start: usize,
    /// The number of `>`.
    pub(super) depth: usize,
}

static FROM: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("From "));

pub(super) fn from_lines(message: &[u8]) -> impl Iterator<Item = FromLine> {
    FROM.find_iter(message)
        .filter_map(|at| from_line(message, at))
}

/// The line with `From ` at `at`, if only `>` precedes it.
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
