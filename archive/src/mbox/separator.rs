//! Recognizes separator lines by the rules of the [module](super).

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::lines::{number, part};

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
    /// `3 Jan 96 1:05` is the shortest date that [`begins_date`] accepts.
    const SHORTEST: usize = 13;
    if line.len() <= SHORTEST {
        return false;
    }
    // A date is not the first word; look ahead as many words as the longest date has.
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

/// The length of the blank line before `at`; 0 if there is none.
pub(super) fn blank_line_before(octets: &[u8], at: usize) -> usize {
    let before = part(octets, 0..at);
    if before.ends_with(b"\n\r\n") || before == b"\r\n" {
        2
    } else {
        usize::from(before.ends_with(b"\n\n") || before == b"\n")
    }
}
