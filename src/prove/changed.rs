//! The changed ranges of a result.

use std::collections::HashMap;
use std::ops::Range;

use super::change::Change;

pub(super) struct Changed<'c> {
    pub(super) changes: &'c [Change],
    /// In order and disjoint.
    ranges: Vec<Range<usize>>,
    /// Ranges that replace nothing, by their start.
    added: HashMap<usize, Range<usize>>,
    /// Whether `convert` itself has just made these changes.
    pub(super) are_own: bool,
}

impl<'c> Changed<'c> {
    pub(super) fn new(changes: &'c [Change]) -> Self {
        let added = changes
            .iter()
            .filter(|change| change.before.is_empty())
            .map(|change| (change.after.start, change.after.clone()))
            .collect();
        Changed {
            changes,
            ranges: changes.iter().map(|change| change.after.clone()).collect(),
            added,
            are_own: false,
        }
    }

    /// The ranges of changes that `convert` itself has just made.
    pub(super) fn own(changes: &'c [Change]) -> Self {
        Changed {
            are_own: true,
            ..Changed::new(changes)
        }
    }

    /// Whether a change touches the range or one of its ends.
    pub(super) fn touches(&self, range: &Range<usize>) -> bool {
        let first = self.ranges.partition_point(|known| known.end < range.start);
        self.ranges
            .get(first)
            .is_some_and(|known| known.start <= range.end)
    }

    pub(super) fn is_added(&self, field: &Range<usize>) -> bool {
        self.added
            .get(&field.start)
            .is_some_and(|added| added.end >= field.end)
    }
}
