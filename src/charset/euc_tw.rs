//! EUC-TW: CNS 11643, with the first plane in octets A1 to FE and the other planes after 8E.
//!
//! The first two planes have the characters of Big5 in another order, which a short table of runs
//! restores. The planes from the third on have rare characters and names; they have no table here, and
//! each of their characters is one U+FFFD.

use super::big5;
use super::pair_table::{self, GRAPHIC, LazyTable, Table};
use super::pairs::{Long, PairsCodec};
use super::usage::Usage;

pub(super) fn codec(_usage: Usage) -> PairsCodec {
    static FIRST: LazyTable = LazyTable::new(|| PLANE1.shifted());
    static SECOND: LazyTable = LazyTable::new(|| PLANE2.shifted());
    PairsCodec::new(&FIRST).with_long(Long::Cns11643([&FIRST, &SECOND]))
}

/// CNS 11643 plane 1, by octets 21 to 7E.
pub(super) static PLANE1: LazyTable = LazyTable::new(|| plane("1"));

/// CNS 11643 plane 2, by octets 21 to 7E.
pub(super) static PLANE2: LazyTable = LazyTable::new(|| plane("2"));

/// The runs of each plane: plane, first and last pair, number of characters, and the Big5 code of
/// the first character. If the number is 0, the last column is instead a character that Big5 lacks.
static RUNS: &str = include_str!("tables/cns11643-big5-runs.tsv");

fn plane(number: &str) -> Table {
    let big5 = &big5::TABLES.practised;
    let mut table = Table::empty(GRAPHIC, GRAPHIC);
    let (pairs, places): (Vec<_>, Vec<_>) = (table.pairs().collect(), big5::places().collect());
    for line in RUNS.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let [plane, first, _, count, target] = *fields else {
            continue;
        };
        let Ok(first) = u16::from_str_radix(first, 16) else {
            continue;
        };
        if plane != number {
            continue;
        }
        let [lead, trail] = first.to_be_bytes();
        if let Some(scalar) = target.strip_prefix("U+") {
            table.set(lead, trail, [pair_table::scalar(scalar), '\0']);
            continue;
        }
        let from = pairs.partition_point(|&pair| pair < (lead, trail));
        let [lead, trail] = u16::from_str_radix(target, 16).unwrap_or(0).to_be_bytes();
        let to = places.partition_point(|&place| place < (lead, trail));
        let count = count.parse().unwrap_or(0);
        let run = pairs.iter().skip(from).zip(places.iter().skip(to));
        for (&(lead, trail), &(big5_lead, big5_trail)) in run.take(count) {
            let characters = big5.get(big5_lead, big5_trail);
            table.set(lead, trail, characters.unwrap_or_default());
        }
    }
    table
}
