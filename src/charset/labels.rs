//! Labels: the names of charsets in mail.
//!
//! `tables/labels.txt` lists them: the 887 labels of the IANA Character Sets registry, the 228
//! labels of the Encoding Standard, and other labels used by mail programs and platforms. If the
//! registry and the Encoding Standard give a label different meanings, the registry's is used,
//! since mail was labelled by it. A comment explains each difference from the Encoding Standard.
//!
//! A label is first compared exactly, ignoring ASCII case (RFC 2978, section 2.3), and then loosely, by
//! the key of UTS #22, section 1.4. A spelling that the loose comparison finds has a row of its own
//! only if some program's table lists it.

use std::sync::LazyLock;

use super::registry;
use super::tables::{self, TextRow};
use super::value::Charset;

/// The row of a label, ignoring ASCII case.
#[expect(
    clippy::indexing_slicing,
    reason = "a slot is in range, and `get` is not const"
)]
pub(super) const fn exact(label: &[u8]) -> Option<usize> {
    // Labels are ASCII, of at most 45 octets.
    if label.len() > LONGEST {
        return None;
    }
    let mut slot = slot_of(label);
    loop {
        // An empty slot ends the search; there are more slots than labels.
        let row = SLOTS[slot];
        if row == EMPTY {
            return None;
        }
        let (start, length, _) = ROWS[row as usize];
        if length as usize == label.len() && is_label(start, label) {
            return Some(row as usize);
        }
        slot = (slot + 1) % SLOT_COUNT;
    }
}

/// The charset of a label, ignoring ASCII case.
#[expect(
    clippy::indexing_slicing,
    reason = "a row is in range, and `get` is not const"
)]
pub(super) const fn target(label: &[u8]) -> Option<Charset> {
    match exact(label) {
        Some(row) => Some(ROWS[row].2),
        None => None,
    }
}

/// Whether the row at offset `start` of [`TABLE`] begins with `label`, ignoring ASCII case. The caller
/// compares the lengths.
#[expect(
    clippy::indexing_slicing,
    reason = "the row is not shorter than its label"
)]
const fn is_label(start: u16, label: &[u8]) -> bool {
    let row = TABLE.as_bytes().split_at(start as usize).1;
    let row = row.split_at(label.len()).0;
    let mut at = 0;
    while at < label.len() && (label[at] == row[at] || label[at].to_ascii_lowercase() == row[at]) {
        at += 1;
    }
    at == label.len()
}

/// The number of slots of the hash table.
const SLOT_COUNT: usize = 4096;
/// Marks a slot without a row.
const EMPTY: u16 = u16::MAX;

/// The row in each slot of a hash table with linear probing. Headers have many labels, and a binary
/// search would compare each with eleven rows.
#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs at compile time"
)]
static SLOTS: [u16; SLOT_COUNT] = {
    let mut slots = [EMPTY; SLOT_COUNT];
    let mut row = 0;
    while row < COUNT {
        let (start, length, _) = ROWS[row];
        let (_, from) = TABLE.as_bytes().split_at(start as usize);
        let mut slot = slot_of(from.split_at(length as usize).0);
        while slots[slot] != EMPTY {
            slot = (slot + 1) % SLOT_COUNT;
        }
        slots[slot] = row as u16;
        row += 1;
    }
    slots
};

/// The first slot to probe for a label. Hashes four octets at a time with bit 5 set, which makes
/// upper and lower case equal.
const fn slot_of(mut label: &[u8]) -> usize {
    // FNV-1a's offset basis and prime, and a shift that mixes the octets of a block.
    let mut hash = 0x811C_9DC5_u32;
    while let [a, b, c, d, rest @ ..] = label {
        let block = u32::from_le_bytes([*a, *b, *c, *d]) | 0x2020_2020;
        hash = (hash ^ block).wrapping_mul(0x0100_0193);
        hash ^= hash >> 15;
        label = rest;
    }
    while let [octet, rest @ ..] = label {
        hash = (hash ^ (*octet | 0x20) as u32).wrapping_mul(0x0100_0193);
        label = rest;
    }
    (hash ^ hash >> 16) as usize % SLOT_COUNT
}

/// A row whose key equals that of `label`, if all rows with this key name one charset.
///
/// Labels with characters other than letters, digits and the punctuation of registered labels are
/// damaged, and left to `repair.rs`. A key of one to three characters is too ambiguous: the registry
/// has aliases such as `us`, `no` and `l1`.
pub(super) fn loose(label: &[u8]) -> Option<usize> {
    let plain = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_.:+()/ ".contains(octet);
    let ends = |octet: Option<&u8>| octet.is_some_and(u8::is_ascii_alphanumeric);
    if !ends(label.first()) || !(ends(label.last()) || label.ends_with(b")")) {
        return None;
    }
    if !label.iter().all(plain) {
        return None;
    }
    by_key(Key::of(label)?)
}

/// A row with this key, if all rows with this key name one charset.
pub(super) fn by_key(key: Key) -> Option<usize> {
    if key.as_bytes().len() < 4 {
        return None;
    }
    let from = BY_KEY.partition_point(|(known, _)| *known < key);
    let mut same = BY_KEY
        .iter()
        .skip(from)
        .take_while(|(known, _)| *known == key)
        .map(|&(_, row)| row);
    let first = same.next()?;
    same.all(|row| charset(row) == charset(first))
        .then_some(first)
}

/// All rows with their keys, sorted by key; built at the first lookup of an unlisted label.
static BY_KEY: LazyLock<Vec<(Key, usize)>> = LazyLock::new(|| {
    let key = |(row, label): (usize, &str)| Some((Key::of(label.as_bytes())?, row));
    let mut rows: Vec<_> = labels().enumerate().filter_map(key).collect();
    rows.sort_unstable();
    rows
});

/// An upper bound for the length of labels.
const LONGEST: usize = 48;

/// A label's key for loose comparison (UTS #22, section 1.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// Padded with zeros, so that keys compare like their octets.
    octets: [u8; LONGEST],
    length: usize,
}

impl Key {
    /// Keeps letters and digits, in lower case, and drops zeros that follow no digit. `None` if the key
    /// is too long.
    pub(super) fn of(label: &[u8]) -> Option<Key> {
        let mut key = Key {
            octets: [0; LONGEST],
            length: 0,
        };
        for octet in label.iter().filter(|octet| octet.is_ascii_alphanumeric()) {
            let after_digit = key.as_bytes().last().is_some_and(u8::is_ascii_digit);
            if *octet != b'0' || after_digit {
                *key.octets.get_mut(key.length)? = octet.to_ascii_lowercase();
                key.length += 1;
            }
        }
        Some(key)
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        self.octets.get(..self.length).unwrap_or_default()
    }
}

/// Every label in lower case and the name of its charset, sorted by label.
const TABLE: &str = include_str!("tables/labels.txt");

/// The number of labels.
pub(super) const COUNT: usize = {
    let (mut count, mut text) = (0, TABLE.as_bytes());
    while let Some(TextRow::<2> { after, .. }) = tables::text_row(text) {
        count += 1;
        text = after;
    }
    count
};

/// For each label: the offset of its row in [`TABLE`], the length of the label, and its charset.
#[expect(
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "runs at compile time"
)]
static ROWS: [(u16, u8, Charset); COUNT] = {
    assert!(TABLE.len() <= u16::MAX as usize);
    let mut rows = [(0, 0, Charset(0)); COUNT];
    let (mut count, mut text) = (0, TABLE.as_bytes());
    while let Some(row) = tables::text_row(text) {
        let [label, name] = row.cells;
        assert!(label.len() <= LONGEST);
        let start = TABLE.len() - row.from.len();
        rows[count] = (
            start as u16,
            label.len() as u8,
            Charset(registry::row(name)),
        );
        count += 1;
        text = row.after;
    }
    rows
};

/// The label of a row.
pub(super) fn label(row: usize) -> Option<&'static str> {
    let (start, length, _) = *ROWS.get(row)?;
    let start = usize::from(start);
    TABLE.get(start..start + usize::from(length))
}

/// The charset of a row.
pub(super) fn charset(row: usize) -> Option<Charset> {
    ROWS.get(row).map(|&(.., charset)| charset)
}

/// All labels, sorted.
pub(super) fn labels() -> impl Iterator<Item = &'static str> {
    (0..COUNT).map_while(label)
}

#[cfg(test)]
mod tests {
    use super::{BY_KEY, Key, exact, labels, loose};

    #[test]
    fn labels_are_sorted_unique_and_fit() {
        assert!(labels().is_sorted_by(|a, b| a < b));
        for (row, label) in labels().enumerate() {
            assert_eq!(label, label.to_ascii_lowercase());
            assert_eq!(exact(label.as_bytes()), Some(row));
            assert!(Key::of(label.as_bytes()).is_some());
        }
        assert_eq!(BY_KEY.len(), labels().count());
    }

    #[test]
    fn keys_follow_uts_22() {
        // The examples of UTS #22, section 1.4: "UTF-8", "utf8", "u.t.f-008" match, "utf-80"
        // and "ut8" do not.
        let key = |label: &str| Key::of(label.as_bytes()).unwrap();
        assert_eq!(key("UTF-8"), key("utf8"));
        assert_eq!(key("UTF-8"), key("u.t.f-008"));
        assert_ne!(key("UTF-8"), key("utf-80"));
        assert_ne!(key("UTF-8"), key("ut8"));
    }

    #[test]
    fn loose_matches_and_damage() {
        let found = |label: &str| loose(label.as_bytes()).and_then(super::label);
        assert_eq!(found("UTF 8"), Some("utf-8"));
        assert_eq!(found("Windows.1251"), Some("windows-1251"));
        assert_eq!(found("IsoIr91"), None, "JIS_C6229-1984-a or NATS-DANO");
        assert_eq!(found("u-s"), None);
        assert_eq!(found("\"utf-8\""), None);
        assert_eq!(found(".utf-8"), None);
    }
}
