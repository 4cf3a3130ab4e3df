//! LISTSERV logs: a line of 73 `=` precedes each message, and the field Date follows it.
//!
//! Nothing is quoted. Text before the first line of 73 `=` becomes a message of its own, so that it
//! is not lost.

use super::dialect::Dialect;
use super::entry::Entry;
use super::lines::{begins_with, mark_line, next_line, part};

const MARK: &[u8] = &[b'='; 73];
const FIELD: &[u8] = b"Date:";

/// The length of a line of 73 `=` at the start of `octets`, followed by the field Date; 0 if there
/// is none. `None` if more octets are needed.
pub(super) fn line(octets: &[u8], more: bool) -> Option<usize> {
    let length = mark_line(octets, MARK, more)?;
    let has_field = length > 0 && begins_with(part(octets, length..octets.len()), FIELD, more)?;
    Some(if has_field { length } else { 0 })
}

/// The entry at the start of `octets`; `None` if `more` octets are needed.
pub(super) fn entry(octets: &[u8], more: bool) -> Option<Entry> {
    let separator = line(octets, more)?;
    let end = next_line(octets, separator, MARK, line, more)?.start;
    Some(Entry::new(Dialect::Listserv, 0..separator, end, end))
}
