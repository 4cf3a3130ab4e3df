//! The location of one message in a mailbox.

use std::ops::Range;

use super::dialect::Dialect;
use super::separator::Separators;

/// The location of one message in a mailbox. Ranges are in octets.
///
/// Entries are contiguous: each begins where the previous one ends.
///
/// ```
/// use mime_charset_archive::mbox::{self, Dialect};
///
/// let file = b"From - Sat Jan  3 01:05:34 1996\nSubject: one\n\n>>From me\n\n";
/// let stored = mbox::read(&file[..]).next().unwrap().unwrap();
/// let entry = stored.entry();
/// assert_eq!((entry.separator(), entry.message()), (0..32, 32..56));
/// assert_eq!(entry.dialect(), Dialect::Mboxrd);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The whole entry: blank lines or options before the first separator, the separator, the
    /// message, and anything after it up to the next entry.
    pub(super) range: Range<usize>,
    pub(super) separator: Range<usize>,
    pub(super) message: Range<usize>,
    pub(super) dialect: Dialect,
    /// Whether the message has an unquoted `From ` line.
    pub(super) bare: bool,
    /// Whether the message has a quoted `From ` line.
    pub(super) quoted: bool,
    /// The digits of the message's length in its separator, if it has them.
    pub(super) length: Option<Range<usize>>,
    /// The form of the file's separators.
    pub(super) separators: Separators,
}

impl Entry {
    /// An entry with nothing quoted. The message begins where the separator ends.
    pub(super) fn new(
        dialect: Dialect,
        separator: Range<usize>,
        message_end: usize,
        end: usize,
    ) -> Self {
        Entry {
            range: 0..end,
            message: separator.end..message_end,
            separator,
            dialect,
            bare: false,
            quoted: false,
            length: None,
            separators: Separators::default(),
        }
    }

    /// The separator line with its line ending; empty if the file does not begin with one. In
    /// Babyl, the start of a section: the octet 0C, the attributes, and Rmail's own fields.
    #[must_use]
    pub fn separator(&self) -> Range<usize> {
        self.separator.clone()
    }

    /// The message as stored, with quoted lines and, in Babyl, with its visible header.
    #[must_use]
    pub fn message(&self) -> Range<usize> {
        self.message.clone()
    }

    /// How the lines of the message are quoted.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether the entry shows that nothing is quoted in the file.
    pub(super) fn proves_mboxcl2(&self) -> bool {
        self.dialect == Dialect::Mboxcl2 && self.bare
    }
}
