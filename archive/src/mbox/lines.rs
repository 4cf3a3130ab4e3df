//! The lines and decimal numbers of a mailbox.

use std::ops::Range;

use memchr::memchr;

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
