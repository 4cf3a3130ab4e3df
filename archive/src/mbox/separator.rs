//! Recognizes separator lines by the rules of the [module](super).

use std::ops::Range;

use memchr::{memchr_iter, memchr2};
use mime_charset::header::{self, Date};
use mime_charset::{Finding, Kind};

use super::lines::{Lines, begins_with, part, short_line, with_swapped_line_ends};

/// Whether a file begins like a mailbox: with a separator line by rule 3. Without a date, one well-known
/// field is enough.
pub(crate) fn begins(head: &[u8]) -> bool {
    let swapped = has_cr_lines(head).then(|| with_swapped_line_ends(head));
    let head = swapped.as_deref().unwrap_or(head);
    let start = start(head);
    part(head, start..head.len()).starts_with(b"From ")
        && Separators::UNDATED.accept(head, start, true, false) == Some(true)
}

/// The offset of a mailbox's first line, after a byte order mark and blank lines.
pub(super) fn start(head: &[u8]) -> usize {
    let mark = if head.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    let is_blank = |octet: &&u8| matches!(octet, b'\r' | b'\n');
    let rest = part(head, mark..head.len());
    mark + rest.iter().take_while(is_blank).count()
}

/// Whether the lines of a mailbox end in CR alone, as on the classic Mac OS: its first line does,
/// and in its first 64 KiB more lines end in CR than in LF.
pub(crate) fn has_cr_lines(head: &[u8]) -> bool {
    const HEAD: usize = 64 << 10;
    let head = part(head, 0..head.len().min(HEAD));
    let first = memchr2(b'\r', b'\n', part(head, start(head)..head.len()));
    let first = first.map(|end| part(head, start(head) + end..head.len()));
    if !matches!(first, Some([b'\r', rest @ ..]) if !rest.starts_with(b"\n") && !rest.starts_with(b"\r\n"))
    {
        return false;
    }
    let lines = memchr_iter(b'\n', head).count();
    let is_alone = |at: &usize| head.get(at + 1) != Some(&b'\n');
    memchr_iter(b'\r', head).filter(is_alone).count() > lines
}

/// Maximum length of a separator line; a longer line is text.
pub(super) const LONGEST_LINE: usize = 1000;

/// The line at `at`; an empty range if it does not begin with `From ` or is too long. `None` if more
/// octets are needed.
pub(super) fn separator_line(octets: &[u8], at: usize, more: bool) -> Option<Range<usize>> {
    if begins_with(part(octets, at..octets.len()), b"From ", more)? {
        short_line(octets, at, LONGEST_LINE, more)
    } else {
        Some(at..at)
    }
}

/// Number of octets after a separator line that are searched for well-known fields.
const LONGEST_LOOK: usize = 8 << 10;

/// Number of octets from the start of a line that decide whether it is a separator.
pub(super) const AHEAD: usize = LONGEST_LINE + LONGEST_LOOK;

/// The form of a file's separators, from the first separator. Conversion keeps that line, so the
/// result has the same form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Separators {
    /// The number of words on the first separator, if it has no date.
    undated: Option<usize>,
}

impl Separators {
    /// Accepts lines without a date more readily.
    pub(super) const UNDATED: Self = Separators {
        undated: Some(usize::MAX),
    };

    /// The form of separators like this line.
    pub(super) fn of_line(line: &[u8]) -> Self {
        let line = line.trim_ascii_end();
        Separators {
            undated: (!has_date(line)).then(|| count_words(line)),
        }
    }

    /// Whether the line at `at`, which begins with `From `, is a separator by rules 3 and 4. `None` if
    /// more octets are needed.
    pub(super) fn accept_at(self, octets: &[u8], at: usize, more: bool) -> Option<bool> {
        self.accept(octets, at, blank_line_before(octets, at) > 0, more)
    }

    pub(super) fn accept(
        self,
        octets: &[u8],
        at: usize,
        after_blank: bool,
        more: bool,
    ) -> Option<bool> {
        let line = short_line(octets, at, LONGEST_LINE, more)?;
        if line.is_empty() {
            return Some(false);
        }
        let header = part(octets, line.end..octets.len());
        let line = part(octets, line);
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        self.accept_before(header, line, after_blank, more)
    }

    /// Whether a line is a separator, given that `header` follows it.
    pub(super) fn accept_before(
        self,
        header: &[u8],
        line: &[u8],
        after_blank: bool,
        more: bool,
    ) -> Option<bool> {
        if has_date(line) {
            let near = part(header, 0..header.len().min(LONGEST_LINE));
            return if after_blank {
                Some(true)
            } else {
                starts_with_field(near, more)
            };
        }
        let words = count_words(line);
        let needed = match self.undated {
            Some(_) if after_blank => 1,
            // One field is enough if at most one word follows `From`; otherwise two are needed.
            None if after_blank => {
                if words <= 2 {
                    1
                } else {
                    2
                }
            }
            Some(first) if first == words => 2,
            _ => return Some(false),
        };
        has_well_known_fields(header, needed, more)
    }
}

fn count_words(line: &[u8]) -> usize {
    let words = line.split(|octet| is_blank(*octet));
    words.filter(|word| !word.is_empty()).count()
}

/// Whether a header with this many well-known fields follows. `None` if more octets are needed.
fn has_well_known_fields(octets: &[u8], needed: usize, more: bool) -> Option<bool> {
    let near = part(octets, 0..octets.len().min(LONGEST_LOOK));
    let more = more && near.len() < LONGEST_LOOK;
    let mut found = 0;
    for line in Lines::new(near, 0) {
        let is_first = line.start == 0;
        let line = part(near, line);
        if more && !line.ends_with(b"\n") {
            return None;
        }
        if matches!(line, [b' ' | b'\t', ..]) && !is_first && !line.trim_ascii().is_empty() {
            continue;
        }
        if starts_with_field(line, false) != Some(true) {
            return Some(false);
        }
        let mut name = line.split(|octet| *octet == b':');
        let name = name.next().unwrap_or_default().trim_ascii_end();
        // The `>From ` line of UUCP is part of the envelope too.
        found += usize::from(line.starts_with(b">") || is_well_known(name));
        if found == needed {
            return Some(true);
        }
    }
    (!more).then_some(false)
}

/// Whether nearly every message has a field of this name, and hardly any other text does.
pub(crate) fn is_well_known(name: &[u8]) -> bool {
    const OTHERS: [&[u8]; 7] = [
        b"From",
        b"To",
        b"Cc",
        b"Subject",
        b"Date",
        b"Sender",
        b"Reply-To",
    ];
    is_of_program(name) || OTHERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a well-known field is one that people never type.
pub(crate) fn is_of_program(name: &[u8]) -> bool {
    const OTHERS: [&[u8]; 2] = [b"Content-Type", b"References"];
    is_only_of_mail(name) || OTHERS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Whether a well-known field is one that hardly any other format has.
pub(crate) fn is_only_of_mail(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [
        b"Received",
        b"Return-Path",
        b"Delivered-To",
        b"Message-ID",
        b"MIME-Version",
    ];
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// > field = field-name ":" unstructured CRLF
///
/// Blanks may precede the colon (RFC 5322, section 4.5). Also accepts the `>From ` line of UUCP,
/// quoted or not.
pub(super) fn starts_with_field(octets: &[u8], more: bool) -> Option<bool> {
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

/// Whether a separator line has a date; more words may follow it.
pub(super) fn has_date(line: &[u8]) -> bool {
    date(line).is_some()
}

/// The date of a separator line. It begins at a word after `From` and the address.
pub(super) fn date(line: &[u8]) -> Option<Date> {
    /// Maximum number of words in a date up to its last colon: five, a zone, and the time.
    const WORDS: usize = 7;
    let is_time = |three: &[u8]| matches!(three, [b'0'..=b'9', b':', b'0'..=b'9']);
    let time = line.windows(3).rposition(is_time)?;
    // A word begins at each octet that follows a blank.
    let begins_word =
        |two: &[u8]| matches!(two, [before, at] if is_blank(*before) && !is_blank(*at));
    let pairs = part(line, 0..time + 1).windows(2).enumerate();
    let last = pairs.rev().filter(|(_, two)| begins_word(two)).take(WORDS);
    let starts: Vec<_> = last.map(|(blank, _)| blank + 1).collect();
    starts.into_iter().rev().find_map(|start| {
        let rest = part(line, start..line.len());
        let mut word = rest.iter().take_while(|octet| !is_blank(**octet));
        if word.any(|octet| matches!(octet, b'@' | b'!' | b'%')) {
            return None;
        }
        // Text before a date is the sender, not an unknown day of the week.
        let is_skipped = |it: &Finding| it.kind() == Kind::SkippedText && it.offset() == 0;
        header::date(rest).filter(|date| !date.report.iter().any(is_skipped))
    })
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t' | b'\r')
}

/// The length of the blank line before `at`; 0 if there is none.
pub(super) fn blank_line_before(octets: &[u8], at: usize) -> usize {
    let before = part(octets, 0..at);
    if before.ends_with(b"\n\r\n") || before == b"\r\n" {
        2
    } else {
        usize::from(before.ends_with(b"\n\n") || before == b"\n")
    }
}
