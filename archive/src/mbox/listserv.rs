//! LISTSERV logs: a line of 73 `=` precedes each message, and the field Date follows it.
//!
//! Nothing is quoted. Text before the first line of 73 `=` becomes a message of its own, so that it
//! is not lost.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::dialect::Dialect;
use super::entry::Entry;
use super::lines::part;
use super::separator::Separators;

const MARK: &[u8] = &[b'='; 73];
const FIELD: &[u8] = b"Date:";

/// The length of a line of 73 `=` at the start of `octets`, followed by the field Date; 0 if there
/// is none. `None` if more octets are needed.
pub(super) fn line(octets: &[u8], more: bool) -> Option<usize> {
    let is_cut = |rest: &[u8], expected: &[u8]| more && expected.starts_with(rest);
    let Some(rest) = octets.strip_prefix(MARK) else {
        return (!is_cut(octets, MARK)).then_some(0);
    };
    let length = match rest {
        [b'\n', ..] => 1,
        [b'\r', b'\n', ..] => 2,
        _ => return (!is_cut(rest, b"\r\n")).then_some(0),
    };
    let field = part(rest, length..rest.len());
    let has_field = field.starts_with(FIELD);
    (has_field || !is_cut(field, FIELD)).then(|| usize::from(has_field) * (MARK.len() + length))
}

/// Finds the end of one entry. May be called again as more octets arrive.
#[derive(Debug, Default)]
pub(super) struct ListservScan {
    /// The line before the message.
    separator: Option<usize>,
    /// Offset up to which the next line was searched for.
    searched: usize,
}

impl ListservScan {
    /// The entry at the start of `octets`; `None` if `more` octets are needed.
    pub(super) fn entry(&mut self, octets: &[u8], more: bool) -> Option<Entry> {
        let separator = match self.separator {
            Some(separator) => separator,
            None => line(octets, more)?,
        };
        self.separator = Some(separator);
        self.searched = self.searched.max(separator);
        let end = self.next_line(octets, more)?;
        Some(entry(0..separator, end))
    }

    /// The start of the next line, or the end of the file. `None` if more octets are needed.
    fn next_line(&mut self, octets: &[u8], more: bool) -> Option<usize> {
        static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MARK));
        while let Some(at) = FINDER.find(part(octets, self.searched..octets.len())) {
            let at = self.searched + at;
            self.searched = at;
            let begins_line = at > 0 && octets.get(at - 1) == Some(&b'\n');
            if begins_line && line(part(octets, at..octets.len()), more)? > 0 {
                return Some(at);
            }
            let run = part(octets, at..octets.len());
            self.searched += run.iter().take_while(|octet| **octet == b'=').count();
        }
        // The line may be truncated at the end of the buffer.
        let tail = octets.len().saturating_sub(MARK.len() - 1);
        self.searched = self.searched.max(tail);
        (!more).then_some(octets.len())
    }
}

fn entry(separator: Range<usize>, end: usize) -> Entry {
    Entry {
        message: separator.end..end,
        separator,
        range: 0..end,
        dialect: Dialect::Listserv,
        bare: false,
        quoted: false,
        length: None,
        separators: Separators::default(),
    }
}
