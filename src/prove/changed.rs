//! The changed ranges of a result. Changes are in order and disjoint.

use std::ops::Range;

use super::change::Change;

/// Whether a change touches a range of the result or one of its ends.
pub(super) fn touch(changes: &[Change], range: &Range<usize>) -> bool {
    let first = changes.partition_point(|change| change.after.end < range.start);
    changes
        .get(first)
        .is_some_and(|change| change.after.start <= range.end)
}

/// Whether a change that replaces nothing contains the field at this range of the result.
pub(super) fn add_field(changes: &[Change], field: &Range<usize>) -> bool {
    let first = changes.partition_point(|change| change.after.start < field.start);
    let here = changes.iter().skip(first);
    here.take_while(|change| change.after.start == field.start)
        .any(|change| change.before.is_empty() && change.after.end >= field.end)
}
