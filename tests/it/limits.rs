//! The figures in SECURITY.md equal the constants.

use std::collections::BTreeMap;
use std::fs;

use mime_charset::decode::Addresses;
use mime_charset::header::{self, EncodedWord, Parameter, Pieces};
use mime_charset::{Report, convert, message};

#[test]
fn the_documented_limits_match_the_constants() {
    let policy = fs::read_to_string("SECURITY.md").unwrap();
    let mut rows: BTreeMap<&str, u64> = policy
        .lines()
        .filter_map(|line| line.strip_prefix("| `"))
        .map(|row| {
            let mut cells = row.split(" | ");
            let name = cells.next().unwrap();
            let number = cells.next().unwrap().replace(',', "");
            (name, number.parse().unwrap())
        })
        .collect();
    for (name, constant) in [
        ("message::MAX_DEPTH`", message::MAX_DEPTH),
        ("message::MAX_ENCODED_DEPTH`", message::MAX_ENCODED_DEPTH),
        ("message::MAX_PARTS`", message::MAX_PARTS),
        ("message::MAX_GUESSED`", message::MAX_GUESSED),
        ("message::MAX_HEADER`", message::MAX_HEADER),
        ("header::Pieces::MAX_COUNT`", Pieces::MAX_COUNT),
        ("header::EncodedWord::MAX_LENGTH`", EncodedWord::MAX_LENGTH),
        ("decode::Addresses::MAX_COUNT`", Addresses::MAX_COUNT),
        ("header::MAX_FILENAME`", header::MAX_FILENAME),
        ("header::Parameter::MAX_COUNT`", Parameter::MAX_COUNT),
        ("header::Parameter::MAX_SECTION`", Parameter::MAX_SECTION),
        ("convert::MAX_CHANGES`", convert::MAX_CHANGES),
        ("convert::MAX_FIELD`", convert::MAX_FIELD),
        ("convert::MAX_WRITTEN`", convert::MAX_WRITTEN),
        ("Report::MAX_FINDINGS`", Report::MAX_FINDINGS),
    ] {
        assert_eq!(rows.remove(name), Some(constant as u64), "{name}");
    }
    rows.retain(|name, _| !name.starts_with("archive::"));
    assert_eq!(rows, BTreeMap::new());
}
