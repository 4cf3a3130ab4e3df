//! The changed ranges of a result. Changes are in order and disjoint.

use std::ops::Range;

use super::change::Change;

/// Whether a change overlaps a range of the result or touches one of its ends.
pub(super) fn touches(changes: &[Change], range: &Range<usize>) -> bool {
    let first = changes.partition_point(|change| change.after.end < range.start);
    changes
        .get(first)
        .is_some_and(|change| change.after.start <= range.end)
}

/// Whether an insertion covers the field at this range of the result.
pub(super) fn is_added(changes: &[Change], field: &Range<usize>) -> bool {
    let first = changes.partition_point(|change| change.after.start < field.start);
    let here = changes.iter().skip(first);
    here.take_while(|change| change.after.start == field.start)
        .any(|change| change.before.is_empty() && change.after.end >= field.end)
}
