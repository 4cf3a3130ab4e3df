//! The archive limits in SECURITY.md equal those of the code.

use std::fs;

use mime_charset_archive::{Limits, mbox};

#[test]
fn the_limits_match_the_policy() {
    let policy = fs::read_to_string("../SECURITY.md").unwrap();
    let mut count = 0;
    let mut limit = |name: &str| {
        count += 1;
        let mut rows = policy
            .lines()
            .filter_map(|row| row.strip_prefix("| `archive::"));
        let number = rows.find_map(|row| row.strip_prefix(name)?.strip_prefix("` | "));
        let number = number.unwrap().split(" | ").next().unwrap();
        number.replace(',', "").parse::<u64>().unwrap()
    };
    let longest = mbox::Reader::<&[u8]>::LONGEST as u64;
    assert_eq!(limit("mbox::Reader::LONGEST"), longest);
    let limits = Limits::new()
        .message(usize::try_from(limit("Limits`, `message")).unwrap())
        .ratio(limit("Limits`, `ratio"))
        .octets(limit("Limits`, `octets"));
    assert_eq!(limits, Limits::new());
    assert_eq!(policy.matches("| `archive::").count(), count);
}
