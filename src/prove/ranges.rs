//! Ranges of octets.

use std::ops::Range;

/// Whether `range` overlaps one of `ranges`, which are in order.
pub(crate) fn touches(ranges: &[Range<usize>], range: &Range<usize>) -> bool {
    let next = ranges.partition_point(|known| known.end <= range.start);
    ranges
        .get(next)
        .is_some_and(|known| known.start < range.end)
}

/// Sorts ranges, and joins those that overlap or touch.
pub(crate) fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range),
        }
    }
    joined
}
