//! Finds the end of an entry of a mailbox.

use std::ops::Range;

use memchr::memchr;

use super::babyl;
use super::counted;
use super::dialect::{Dialect, FROM, FromLine, from_line, from_lines};
use super::entry::{Ends, Entry};
use super::length::length_field;
use super::lines::{Lines, after_line_ends, part};
use super::listserv;
use super::mmdf;
use super::separator::{self, LONGEST_LINE, Separators, blank_line_before};

/// The kind of mailbox that contains an entry.
#[derive(Debug)]
enum MailboxKind {
    Mbox,
    Mmdf(mmdf::MmdfScan),
    Babyl(babyl::BabylScan),
    Counted(counted::CountedScan),
    Listserv(listserv::ListservScan),
}

impl MailboxKind {
    /// The kind of a file by its first octets; `None` if more are needed.
    fn of(octets: &[u8], more: bool) -> Option<Self> {
        if mmdf::line(octets, more)? > 0 {
            return Some(MailboxKind::Mmdf(mmdf::MmdfScan::default()));
        }
        if babyl::begin(octets, more)? {
            return Some(MailboxKind::Babyl(babyl::BabylScan::default()));
        }
        for form in counted::Form::ALL {
            if form.begins(octets, more)? {
                return Some(MailboxKind::Counted(counted::CountedScan::new(form)));
            }
        }
        if listserv::line(octets, more)? > 0 {
            return Some(MailboxKind::Listserv(listserv::ListservScan::default()));
        }
        Some(MailboxKind::Mbox)
    }

    /// The kind of mailbox for the entries that follow one in this dialect.
    fn after(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Mmdf => MailboxKind::Mmdf(mmdf::MmdfScan::default()),
            Dialect::Babyl => MailboxKind::Babyl(babyl::BabylScan::default()),
            Dialect::Mbx => MailboxKind::Counted(counted::CountedScan::new(counted::Form::Mbx)),
            Dialect::Rnews => MailboxKind::Counted(counted::CountedScan::new(counted::Form::Rnews)),
            Dialect::Listserv => MailboxKind::Listserv(listserv::ListservScan::default()),
            Dialect::Mboxo
            | Dialect::Mboxrd
            | Dialect::MboxrdCr
            | Dialect::Mboxcl
            | Dialect::Mboxcl2 => MailboxKind::Mbox,
        }
    }
}

/// Whether a file begins like a mailbox other than mbox.
pub(crate) fn begins_other(head: &[u8]) -> bool {
    !matches!(MailboxKind::of(head, false), Some(MailboxKind::Mbox))
}

/// Finds the end of one entry. May be called again as more octets arrive; rescans at most a line or
/// two.
#[derive(Debug)]
pub(super) struct Scan {
    /// Whether the entry is the first of the file.
    first: bool,
    /// The kind of mailbox; `None` until the first octets of the file have been read.
    kind: Option<MailboxKind>,
    /// The offset at which mbox messages begin.
    begin: usize,
    separator: Option<Range<usize>>,
    /// The form of the file's separators.
    separators: Separators,
    /// Offset up to which the header was parsed.
    header: usize,
    /// The offset of the body, once the header has ended.
    body: Option<usize>,
    length: Option<u64>,
    /// Offset after the blank lines that follow a message with a Content-Length, as far as they
    /// were read.
    blank: usize,
    /// Whether Content-Length is honored.
    pub(super) uses_length: bool,
    /// Maximum distance that a Content-Length may reach beyond a separator: [`REACH`], or less in
    /// tests.
    pub(super) reach: usize,
    /// Offset up to which a separator was searched for.
    searched: usize,
    /// The first separator found.
    next: Option<usize>,
    /// The kinds of `From ` lines before that separator.
    quotes: Quotes,
}

impl Scan {
    pub(super) fn new(first: bool, separators: Separators) -> Self {
        Scan {
            first,
            kind: (!first).then_some(MailboxKind::Mbox),
            begin: 0,
            separator: None,
            separators,
            header: 0,
            body: None,
            length: None,
            blank: 0,
            uses_length: true,
            reach: REACH,
            searched: 0,
            next: None,
            quotes: Quotes::default(),
        }
    }

    /// Reads the file as mbox, regardless of its first octets.
    pub(super) fn assume_mbox(&mut self) {
        self.kind = Some(MailboxKind::Mbox);
    }

    /// A scan for the entry that follows another.
    pub(super) fn after_entry(entry: &Entry) -> Self {
        Scan {
            kind: Some(MailboxKind::after(entry.dialect)),
            ..Scan::new(false, entry.separators)
        }
    }

    /// The entry at the start of `octets`; `None` if `more` octets are needed.
    pub(super) fn entry(&mut self, octets: &[u8], more: bool) -> Option<Entry> {
        let is_first = self.first;
        match self.kind(octets, more)? {
            MailboxKind::Mmdf(scan) => return scan.entry(octets, more),
            MailboxKind::Counted(scan) => return scan.entry(octets, is_first, more),
            MailboxKind::Listserv(scan) => return scan.entry(octets, more),
            MailboxKind::Babyl(scan) => match scan.entry(octets, is_first, more)? {
                babyl::Found::Entry(entry) => return Some(entry),
                babyl::Found::Mbox(begin) => {
                    (self.kind, self.begin) = (Some(MailboxKind::Mbox), begin);
                }
            },
            MailboxKind::Mbox => {}
        }
        let separator = self.separator(octets, more)?;
        self.read_header(octets, more)?;
        let whole = self
            .length
            .filter(|_| self.uses_length)
            .zip(self.body)
            .and_then(|(length, body)| body.checked_add(usize::try_from(length).ok()?));
        // Try the Content-Length first, unless it hides separators it must not.
        if let (Some(end), Some(body)) = (whole, self.body) {
            self.search(octets, more, end);
            let hides = self
                .next
                .is_some_and(|next| next < end && end - next > self.reach);
            if !hides {
                self.blank = after_line_ends(octets, self.blank.max(end));
                match end_of_length(octets, end, self.blank, more) {
                    Ends::Unknown => return None,
                    Ends::At(range_end) => {
                        let tail = end.max(body)..range_end;
                        let quotes = Quotes::of(part(octets, separator.end..tail.start));
                        return Some(self.build_entry(separator, tail, true, quotes));
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
        // A message in its own file has no blank line after it.
        let is_alone = separator.is_empty() && end == octets.len();
        let message_end = if has_no_body || is_alone {
            end
        } else {
            end - blank
        };
        // The whole message was searched, but nothing after it.
        let tail = message_end.max(separator.end)..end;
        Some(self.build_entry(separator, tail, false, self.quotes))
    }

    fn build_entry(
        &self,
        separator: Range<usize>,
        tail: Range<usize>,
        has_length: bool,
        quotes: Quotes,
    ) -> Entry {
        Entry {
            separators: self.separators,
            ..entry(separator, tail, has_length, quotes)
        }
    }

    fn kind(&mut self, octets: &[u8], more: bool) -> Option<&mut MailboxKind> {
        if self.kind.is_none() {
            self.kind = Some(MailboxKind::of(octets, more)?);
        }
        self.kind.as_mut()
    }

    /// The separator line at the start of the entry, or an empty range.
    fn separator(&mut self, octets: &[u8], more: bool) -> Option<Range<usize>> {
        if let Some(separator) = &self.separator {
            return Some(separator.clone());
        }
        let mut start = self.begin;
        if self.first && start == 0 {
            if more && octets.len() < 3 {
                return None;
            }
            start = separator::start(octets);
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
        if (self.first || self.begin > 0) && !separator.is_empty() {
            self.separators = Separators::of_line(part(octets, separator.clone()));
        }
        self.header = separator.end;
        self.searched = separator.end;
        self.separator = Some(separator.clone());
        Some(separator)
    }

    /// Parses header lines up to a blank line, or up to a line that cannot belong to a header.
    /// `None` if more octets are needed.
    fn read_header(&mut self, octets: &[u8], more: bool) -> Option<()> {
        while self.body.is_none() {
            let mut lines = Lines::new(octets, self.header);
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
            } else if content.starts_with(b"From ")
                && self.separators.accept_at(octets, line.start, more)?
            {
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
                let separators = self.separators;
                match (line.depth == 0).then(|| separators.accept_at(octets, at, more)) {
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
        // A `From ` may be truncated at the end of the buffer.
        self.searched = self.searched.max(limit.saturating_sub(4));
    }

    fn header_start(&self) -> usize {
        self.separator.as_ref().map_or(0, |separator| separator.end)
    }
}

/// The kinds of `From ` lines in a message.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Quotes {
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

/// The maximum distance that a Content-Length may reach beyond a separator.
pub(super) const REACH: usize = 16 << 20;

/// A longer line ends the header, so that it need not be scanned twice.
const LONGEST_FIELD_LINE: usize = 1 << 20;

/// Whether a separator or the end of the file follows a body that ends at `end`, and where the
/// entry ends. `next` is the offset after the blank lines that follow the body.
fn end_of_length(octets: &[u8], end: usize, next: usize, more: bool) -> Ends {
    if octets.len() < end {
        return if more { Ends::Unknown } else { Ends::No };
    }
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
    match Separators::UNDATED.accept(octets, next, true, more) {
        None => Ends::Unknown,
        Some(true) => Ends::At(next),
        Some(false) => Ends::No,
    }
}

pub(super) fn entry(
    separator: Range<usize>,
    tail: Range<usize>,
    has_length: bool,
    quotes: Quotes,
) -> Entry {
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
        length: None,
        separators: Separators::default(),
    }
}
