//! Counts duplicate messages in an archive.

use std::collections::HashSet;

use crc64fast::Digest;
use serde::Serialize;

/// The messages of an archive that repeat an earlier one, compared by 64-bit checksums.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::{path::Path, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Duplicates, Limits, Survey, stream};
///
/// let one = "From - Sat Jan  3 01:05:34 1996\nMessage-ID: <1@example.org>\n\none\n\n";
/// let mailbox = [one, one, &one.replace("one", "two")].concat();
/// let found = stream(mailbox.as_bytes(), Path::new("-"), Limits::new())?;
/// let counts = Survey::new(&[""; 0]).stream(found).run(&AtomicBool::new(false), |_| ());
/// let duplicates: &Duplicates = &counts.duplicates;
/// assert_eq!((duplicates.octets, duplicates.message_ids), (1, 1));
/// assert!(duplicates.is_complete);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Duplicates {
    /// The number of messages with the same octets as an earlier one.
    pub octets: u64,
    /// The number of messages with the same Message-ID as an earlier one but other octets.
    pub message_ids: u64,
    /// Whether all messages were compared: only the first million distinct ones are remembered.
    #[serde(rename = "complete")]
    pub is_complete: bool,
    #[serde(skip)]
    seen: HashSet<u64>,
    #[serde(skip)]
    seen_ids: HashSet<u64>,
    /// Messages of one batch, until the batches are merged in order.
    #[serde(skip)]
    pending: Vec<(u64, Option<u64>)>,
}

impl Default for Duplicates {
    fn default() -> Self {
        Duplicates {
            octets: 0,
            message_ids: 0,
            is_complete: true,
            seen: HashSet::new(),
            seen_ids: HashSet::new(),
            pending: Vec::new(),
        }
    }
}

impl Duplicates {
    /// Maximum number of remembered messages; they take at most 40 MB.
    const MOST: usize = 1_000_000;

    /// Adds a message by its octets (or their checksum) and the identifier in its Message-ID field.
    pub(super) fn add(&mut self, octets: &[u8], message_id: Option<&str>) {
        let id = message_id.map(|id| sum(id.as_bytes()));
        self.pending.push((sum(octets), id));
    }

    /// Adds the messages of a later batch.
    pub(super) fn merge(&mut self, other: Duplicates) {
        for (octets, id) in other.pending {
            let repeats = !self.is_first(octets, |it| &mut it.seen);
            let repeats_id = id.is_some_and(|id| !self.is_first(id, |it| &mut it.seen_ids));
            self.octets += u64::from(repeats);
            self.message_ids += u64::from(repeats_id && !repeats);
        }
    }

    fn is_first(&mut self, sum: u64, seen: fn(&mut Self) -> &mut HashSet<u64>) -> bool {
        let set = seen(self);
        if set.len() < Self::MOST {
            return set.insert(sum);
        }
        let is_first = !set.contains(&sum);
        self.is_complete &= !is_first;
        is_first
    }
}

fn sum(octets: &[u8]) -> u64 {
    let mut digest = Digest::new();
    digest.write(octets);
    digest.sum64()
}

#[cfg(test)]
mod tests {
    use super::Duplicates;

    fn of(messages: &[(&str, &str)]) -> Duplicates {
        let mut batch = Duplicates::default();
        for (octets, id) in messages {
            batch.add(octets.as_bytes(), Some(id));
        }
        batch
    }

    /// The counts do not depend on how messages are batched.
    #[test]
    fn batches_are_compared_with_each_other() {
        let all = [
            ("a", " <1>"),
            ("b", "<1>\r"),
            ("a", "<1>"),
            ("c", ""),
            ("d", ""),
            ("a", "<2>"),
        ];
        for at in 0..=all.len() {
            let mut sum = Duplicates::default();
            let (before, after) = all.split_at(at);
            sum.merge(of(before));
            sum.merge(of(after));
            // "b" has the Message-ID of "a"; "a" is repeated twice.
            assert_eq!((sum.octets, sum.message_ids, sum.is_complete), (2, 1, true));
        }
    }

    /// Beyond a million distinct messages memory stops growing, and the result says so.
    #[test]
    fn memory_is_bounded() {
        let mut sum = Duplicates::default();
        for batch in 0..11_u64 {
            let mut more = Duplicates::default();
            for number in 0..100_000_u64 {
                more.add(&(batch * 100_000 + number).to_le_bytes(), None);
            }
            sum.merge(more);
            assert_eq!(sum.is_complete, batch < 10);
        }
        assert_eq!((sum.seen.len(), sum.octets), (Duplicates::MOST, 0));
        sum.merge({
            let mut more = Duplicates::default();
            more.add(&7_u64.to_le_bytes(), None);
            more
        });
        assert_eq!(sum.octets, 1);
    }
}
