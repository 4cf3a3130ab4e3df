//! The lines and decimal numbers of a mailbox.

use std::ops::Range;

use memchr::{memchr, memmem};

/// Splits octets into lines with their line endings.
pub(super) struct Lines<'a> {
    octets: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(octets: &'a [u8], at: usize) -> Self {
        Lines { octets, at }
    }
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

/// Whether octets begin with a prefix; `None` if more octets are needed.
pub(super) fn begins_with(octets: &[u8], prefix: &[u8], more: bool) -> Option<bool> {
    let begins = octets.starts_with(prefix);
    (begins || !more || !prefix.starts_with(octets)).then_some(begins)
}

/// The octets after a name at the start of a line, in upper or lower case.
pub(super) fn after_name<'o>(line: &'o [u8], name: &[u8]) -> Option<&'o [u8]> {
    let (start, rest) = line.split_at_checked(name.len())?;
    start.eq_ignore_ascii_case(name).then_some(rest)
}

/// Returns the line at `at`, or an empty range if it is longer than `longest` octets. `None` if more
/// octets are needed. The last line may lack its line ending.
pub(super) fn short_line(
    octets: &[u8],
    at: usize,
    longest: usize,
    more: bool,
) -> Option<Range<usize>> {
    let near = part(octets, at..octets.len().min(at + longest));
    let length = match memchr(b'\n', near) {
        Some(end) => end + 1,
        None if near.len() == longest => 0,
        None if more => return None,
        None => near.len(),
    };
    Some(at..at + length)
}

/// The length of the line at the start of `octets`; 0 unless it consists of `mark`. `None` if more
/// octets are needed. The last line of the file may lack its line ending.
pub(super) fn mark_line(octets: &[u8], mark: &[u8], more: bool) -> Option<usize> {
    if !begins_with(octets, mark, more)? {
        return Some(0);
    }
    match part(octets, mark.len()..octets.len()) {
        [b'\n', ..] => Some(mark.len() + 1),
        [b'\r', b'\n', ..] => Some(mark.len() + 2),
        [] | [b'\r'] if more => None,
        [] => Some(mark.len()),
        _ => Some(0),
    }
}

/// Finds the next line, at `from` or later, that begins with `mark` and has a length above 0
/// according to `line`. Without one, returns an empty range at the end of the file. `None` if more
/// octets are needed.
pub(super) fn next_line(
    octets: &[u8],
    from: usize,
    mark: &[u8],
    line: fn(&[u8], bool) -> Option<usize>,
    more: bool,
) -> Option<Range<usize>> {
    for at in memmem::find_iter(part(octets, from..octets.len()), mark) {
        let at = from + at;
        if at == 0 || octets.get(at - 1) == Some(&b'\n') {
            let length = line(part(octets, at..octets.len()), more)?;
            if length > 0 {
                return Some(at..at + length);
            }
        }
    }
    (!more).then_some(octets.len()..octets.len())
}

/// The offset after all line endings from `at` on.
pub(super) fn after_line_ends(octets: &[u8], at: usize) -> usize {
    let rest = part(octets, at..octets.len());
    let line_ends = rest
        .iter()
        .take_while(|octet| matches!(octet, b'\r' | b'\n'));
    at + line_ends.count()
}

/// Swaps CR and LF, so that lines that end in CR alone are read like others. Swapping twice
/// restores the octets.
pub(super) fn swap_line_ends(octets: &mut [u8]) {
    for octet in octets {
        *octet = match *octet {
            b'\r' => b'\n',
            b'\n' => b'\r',
            other => other,
        };
    }
}

/// A copy with CR and LF swapped.
pub(super) fn with_swapped_line_ends(octets: &[u8]) -> Vec<u8> {
    let mut swapped = octets.to_vec();
    swap_line_ends(&mut swapped);
    swapped
}

pub(super) fn number(digits: &[u8]) -> Option<u64> {
    if digits.is_empty() || digits.len() > 18 {
        return None;
    }
    digits.iter().try_fold(0_u64, |sum, digit| {
        digit
            .is_ascii_digit()
            .then(|| sum * 10 + u64::from(digit - b'0'))
    })
}

pub(super) fn part(octets: &[u8], range: Range<usize>) -> &[u8] {
    octets.get(range).unwrap_or_default()
}
