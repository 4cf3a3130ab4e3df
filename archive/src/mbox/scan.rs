//! Finds the end of an entry of a mailbox.

use std::ops::Range;

use super::babyl;
use super::counted;
use super::dialect::{Dialect, FromLine, from_lines};
use super::entry::Entry;
use super::length::length_field;
use super::lines::{Lines, after_line_ends, begins_with, part};
use super::listserv;
use super::mmdf;
use super::separator::{self, Separators, blank_line_before, separator_line};

/// The dialect of a file by its first octets, [`Dialect::Mboxo`] for any mbox; `None` if more octets
/// are needed.
fn detect(octets: &[u8], more: bool) -> Option<Dialect> {
    Some(if mmdf::line(octets, more)? > 0 {
        Dialect::Mmdf
    } else if babyl::begin(octets, more)? {
        Dialect::Babyl
    } else if counted::begins_mbx(octets, more)? {
        Dialect::Mbx
    } else if counted::begins_rnews(octets, more)? {
        Dialect::Rnews
    } else if listserv::line(octets, more)? > 0 {
        Dialect::Listserv
    } else {
        Dialect::Mboxo
    })
}

/// Whether a file begins like a mailbox other than mbox.
pub(crate) fn begins_other(head: &[u8]) -> bool {
    detect(head, false) != Some(Dialect::Mboxo)
}

/// Finds the end of one entry. The octets before the entry determine the fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan {
    /// Whether the entry is the first of the file.
    first: bool,
    /// The dialect of the file; `None` before its first octets. Any dialect of mbox represents all of
    /// them.
    pub(super) dialect: Option<Dialect>,
    /// The form of the file's separators.
    separators: Separators,
    /// Whether Content-Length is honored.
    pub(super) uses_length: bool,
    /// Maximum distance that a Content-Length may reach beyond a separator: [`REACH`], or less in
    /// tests.
    pub(super) reach: usize,
}

impl Scan {
    pub(super) fn new(first: bool, separators: Separators) -> Self {
        Scan {
            first,
            dialect: (!first).then_some(Dialect::Mboxo),
            separators,
            uses_length: true,
            reach: REACH,
        }
    }

    /// A scan for the entry that follows another.
    pub(super) fn after_entry(entry: &Entry) -> Self {
        Scan {
            dialect: Some(entry.dialect),
            ..Scan::new(false, entry.separators)
        }
    }

    /// The entry at the start of `octets`; `None` if `more` octets are needed. Takes time linear in
    /// the entry and in the octets that a Content-Length skips.
    pub(super) fn entry(self, octets: &[u8], more: bool) -> Option<Entry> {
        let dialect = match self.dialect {
            Some(dialect) => dialect,
            None => detect(octets, more)?,
        };
        match dialect {
            Dialect::Mmdf => mmdf::entry(octets, more),
            Dialect::Mbx | Dialect::Rnews => counted::entry(octets, dialect, self.first, more),
            Dialect::Listserv => listserv::entry(octets, more),
            Dialect::Babyl => match babyl::entry(octets, self.first, more)? {
                babyl::Found::Entry(entry) => Some(entry),
                babyl::Found::Mbox(begin) => self.mbox(octets, begin, more),
            },
            Dialect::Mboxo
            | Dialect::Mboxrd
            | Dialect::MboxrdCr
            | Dialect::Mboxcl
            | Dialect::Mboxcl2 => self.mbox(octets, 0, more),
        }
    }

    /// Finds the mbox entry at the start of `octets`. Its separator is at `begin`.
    fn mbox(self, octets: &[u8], begin: usize, more: bool) -> Option<Entry> {
        let separator = self.separator(octets, begin, more)?;
        let start = separator.end;
        let is_first = self.first || begin > 0;
        let separators = if is_first && !separator.is_empty() {
            Separators::of_line(part(octets, separator.clone()))
        } else {
            self.separators
        };
        let is_separator = |line: &FromLine| match line.depth {
            0 => separators.accept_at(octets, start + line.start, more),
            _ => Some(false),
        };
        let build = |message_end, end, has_length, quotes: Quotes| Entry {
            bare: quotes.bare,
            quoted: quotes.quoted,
            separators,
            ..Entry::new(
                quotes.dialect(has_length),
                separator.clone(),
                message_end,
                end,
            )
        };
        let header = Header::read(octets, start, separators, more)?;
        // Try the Content-Length first, unless it hides separators it must not.
        if let Some(end) = header.end_of_length().filter(|_| self.uses_length) {
            let hidden = part(
                octets,
                start..octets.len().min(end.saturating_sub(self.reach) + 4),
            );
            if !from_lines(hidden).any(|line| is_separator(&line) == Some(true)) {
                let next = entry_after(octets, end, more)?;
                if next > 0 {
                    let quotes = Quotes::of(part(octets, start..end));
                    return Some(build(end, next, true, quotes));
                }
            }
        }
        let mut quotes = Quotes::default();
        let mut next = None;
        for line in from_lines(part(octets, start..octets.len())) {
            if is_separator(&line)? {
                next = Some(start + line.start);
                break;
            }
            quotes.add(&line);
        }
        let end = match next {
            Some(next) => next,
            None if more => return None,
            None => octets.len(),
        };
        let has_no_body = header.body == Some(end);
        // A message in its own file has no blank line after it.
        let is_alone = separator.is_empty() && end == octets.len();
        let message_end = if has_no_body || is_alone {
            end
        } else {
            end - blank_line_before(octets, end)
        };
        Some(build(message_end.max(start), end, false, quotes))
    }

    /// The separator line at `begin`; an empty range if another line is there. In the first entry,
    /// blank lines may precede it.
    fn separator(self, octets: &[u8], begin: usize, more: bool) -> Option<Range<usize>> {
        let mut at = begin;
        if self.first && begin == 0 {
            if more && octets.len() < 3 {
                return None;
            }
            at = separator::start(octets);
        }
        let line = separator_line(octets, at, more)?;
        Some(if line.is_empty() { 0..0 } else { line })
    }
}

/// The header of a message in mbox.
#[derive(Default)]
struct Header {
    /// The offset of the body; `None` if no blank line ends the header.
    body: Option<usize>,
    /// The Content-Length.
    length: Option<u64>,
}

impl Header {
    /// Parses header lines up to a blank line, or up to a line that cannot belong to a header.
    /// `None` if more octets are needed.
    fn read(octets: &[u8], start: usize, separators: Separators, more: bool) -> Option<Self> {
        let mut header = Header::default();
        for line in Lines::new(octets, start) {
            let content = part(octets, line.clone());
            if content.len() >= LONGEST_FIELD_LINE {
                return Some(header);
            }
            if more && !content.ends_with(b"\n") {
                return None;
            }
            if content.trim_ascii_end().is_empty() {
                header.body = Some(line.end);
                return Some(header);
            }
            if content.starts_with(b"From ") && separators.accept_at(octets, line.start, more)? {
                return Some(header);
            }
            if header.length.is_none() && matches!(content, [b'C' | b'c', ..]) {
                header.length = length_field(content.trim_ascii_end()).map(|(_, octets)| octets);
            }
        }
        (!more).then_some(header)
    }

    /// The end of the body by its Content-Length.
    fn end_of_length(&self) -> Option<usize> {
        let length = usize::try_from(self.length?).ok()?;
        self.body?.checked_add(length)
    }
}

/// The kinds of `From ` lines in a message.
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

    /// The dialect of an mbox message with these lines, and perhaps a valid Content-Length.
    fn dialect(self, has_length: bool) -> Dialect {
        match has_length {
            true if self.bare || !self.quoted => Dialect::Mboxcl2,
            true => Dialect::Mboxcl,
            false if self.twice => Dialect::Mboxrd,
            false => Dialect::Mboxo,
        }
    }
}

/// The maximum distance that a Content-Length may reach beyond a separator.
pub(super) const REACH: usize = 16 << 20;

/// A longer line ends the header.
const LONGEST_FIELD_LINE: usize = 1 << 20;

/// A Content-Length is ignored if at least this many octets of line endings follow the body. Otherwise
/// many messages that all announce a body before one long run would take quadratic time.
const LONGEST_RUN: usize = 8 << 10;

/// Returns the start of the next entry, given a body that ends at `end`. After fewer than [`LONGEST_RUN`]
/// octets of line endings, a separator or the end of the file must follow; otherwise returns 0. `None` if
/// more octets are needed.
fn entry_after(octets: &[u8], end: usize, more: bool) -> Option<usize> {
    if octets.len() < end {
        return (!more).then_some(0);
    }
    let limit = end + LONGEST_RUN;
    let next = after_line_ends(part(octets, 0..octets.len().min(limit)), end);
    if next == limit {
        return Some(0);
    }
    if next == octets.len() {
        return (!more).then_some(next);
    }
    let begins_line = octets.get(next.wrapping_sub(1)) == Some(&b'\n');
    let is_separator = begins_line
        && begins_with(part(octets, next..octets.len()), b"From ", more)?
        && Separators::UNDATED.accept(octets, next, true, more)?;
    Some(if is_separator { next } else { 0 })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::{LONGEST_RUN, REACH, Scan, Separators, entry_after};

    /// The start of a file in each form.
    fn beginning() -> impl Strategy<Value = Vec<u8>> {
        let mut mbx = b"*mbx*\r\n".to_vec();
        mbx.resize(2048, 0);
        select(vec![
            Vec::new(),
            b"\n\r\n".to_vec(),
            b"\xEF\xBB\xBFFrom a Sat Jan  3 01:05:34 1996\n".to_vec(),
            b"\x01\x01\x01\x01\n".to_vec(),
            b"BABYL OPTIONS:\n\x1F".to_vec(),
            b"#! rnews 9\n".to_vec(),
            listserv_line(),
            mbx,
        ])
    }

    /// Lines that begin, separate or end messages in some form, their parts, and text.
    fn line() -> impl Strategy<Value = Vec<u8>> {
        let lines: [&[u8]; 29] = [
            b"From a Sat Jan  3 01:05:34 1996\n",
            b"From a Sat Jan  3 01:05:34 1996\r\n",
            b"From b\n",
            b"From me to you\n",
            b">From c\n",
            b"From ",
            b"Subject: x\n",
            b"To: y\r\n",
            b"Content-Length: 20\n",
            b"Content-Length: 200\n",
            b"\n",
            b"\n",
            b"\r\n",
            b"\r",
            b" \t\n",
            b"text\n",
            b"text",
            b"\x01\x01\x01\x01\n",
            b"\x01\x01\x01\x01\r\n",
            b"\x01\x01\x01",
            b"\x1F",
            b"\x1F\x0C\n0,,\n",
            b"\x1F\x0C\r\n1,,\r\n",
            b"*** EOOH ***\n",
            b"#! rnews 9\n",
            b"#! rnews 60\r\n",
            b" 4-Mar-1999 10:00:00 +0100,9;000000000001-00000001\r\n",
            b" 4-Mar-1999 10:00:00 +0100,9;000000008001-00000001\r\n",
            b"====",
        ];
        let mut lines = lines.map(<[u8]>::to_vec).to_vec();
        lines.push(listserv_line());
        select(lines)
    }

    fn listserv_line() -> Vec<u8> {
        [&[b'='; 73][..], b"\nDate: x\n"].concat()
    }

    proptest! {
        /// The octets that follow an entry do not change it: however a file is split into reads, its
        /// entries are those of the whole file.
        #[test]
        fn a_prefix_has_the_entry_of_the_whole_or_none(
            begin in beginning(),
            lines in prop::collection::vec(line(), 0..24),
            reach in select(vec![40, REACH]),
        ) {
            let file = [begin, lines.concat()].concat();
            let mut rest = file.as_slice();
            let mut scan = Scan { reach, ..Scan::new(true, Separators::default()) };
            while !rest.is_empty() {
                let entry = scan.entry(rest, false).unwrap();
                for end in 0..=rest.len() {
                    if let Some(early) = scan.entry(&rest[..end], true) {
                        prop_assert_eq!(&early, &entry, "{} octets", end);
                    }
                }
                rest = &rest[entry.range.end..];
                scan = Scan { reach, ..Scan::after_entry(&entry) };
            }
        }
    }

    /// A Content-Length is not honored if a long run of line endings follows its body.
    #[test]
    fn the_run_of_line_ends_after_a_body_is_capped() {
        let next = b"From a Sat Jan  3 01:05:34 1996\n\n";
        for (length, start) in [(LONGEST_RUN - 1, LONGEST_RUN - 1), (LONGEST_RUN, 0)] {
            let file = [&b"\n".repeat(length), &next[..]].concat();
            assert_eq!(
                entry_after(&file, 0, false),
                Some(start),
                "{length} line ends"
            );
        }
        assert_eq!(entry_after(&b"\n".repeat(LONGEST_RUN - 1), 0, true), None);
        assert_eq!(entry_after(&b"\n".repeat(LONGEST_RUN), 0, true), Some(0));
    }
}
