//! Recognizes separator lines by the rules of the [module](super).

use memchr::memchr;
use mime_charset::header::{self, Date};
use mime_charset::{Finding, Kind};

use super::lines::part;

/// Whether a file is a mailbox by its start: a separator line by rule 3.
pub(crate) fn begins(head: &[u8]) -> bool {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let blank = head
        .iter()
        .take_while(|octet| matches!(octet, b'\r' | b'\n'))
        .count();
    part(head, blank..head.len()).starts_with(b"From ")
        && looks_like_separator(head, blank, true, false) == Some(true)
}

/// Maximum length of a separator line; further octets are ignored.
pub(super) const LONGEST_LINE: usize = 1000;

/// Whether the line at `at`, which begins with `From `, is a separator by rules 3 and 4. `None` if
/// more octets are needed.
pub(super) fn is_separator(octets: &[u8], at: usize, more: bool) -> Option<bool> {
    looks_like_separator(octets, at, blank_line_before(octets, at) > 0, more)
}

pub(super) fn looks_like_separator(
    octets: &[u8],
    at: usize,
    after_blank: bool,
    more: bool,
) -> Option<bool> {
    let rest = part(octets, at..octets.len());
    let near = part(rest, 0..rest.len().min(LONGEST_LINE));
    let Some(line_end) = memchr(b'\n', near) else {
        if near.len() == LONGEST_LINE {
            return Some(false);
        }
        // A truncated last line is a separator if it has a date.
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
    let words = line
        .split(|octet| is_blank(*octet))
        .filter(|word| !word.is_empty());
    let bare = after_blank && words.count() <= 2;
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
/// with blanks before the colon (RFC 5322, section 4.5), or the `>From ` of UUCP, quoted or not.
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

/// The date of a separator line. It begins at a word after `From` and after the address.
pub(super) fn date(line: &[u8]) -> Option<Date> {
    /// Number of words that a date has up to its last colon, at most: five before the time, and a zone.
    const WORDS: usize = 7;
    let is_time = |three: &[u8]| matches!(three, [b'0'..=b'9', b':', b'0'..=b'9']);
    let time = line.windows(3).rposition(is_time)?;
    // Pairs of a blank and the octet that begins a word.
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
