//! Cases of the mail text suite whose input is a mailbox.

use std::path::Path;

use mime_charset_archive::mbox;
use serde_json::{Value, json};

#[expect(unreachable_pub, reason = "other tests use it too")]
#[path = "../../../tests/suite/cases.rs"]
mod cases;
#[expect(dead_code, unreachable_pub, reason = "a program too")]
#[path = "../../../examples/suite.rs"]
mod library;

#[test]
fn mailboxes() {
    let mut cases = cases::cases(Path::new("../corpus/suite"), "mailboxes");
    cases.retain(cases::is_mailbox);
    assert!(!cases.is_empty());
    cases::ask(&cases, answer);
}

fn answer(case: &Value, octets: &[u8]) -> Value {
    let stored: Vec<_> = mbox::read(octets).map(Result::unwrap).collect();
    let mut stored = stored.iter().filter(|stored| !stored.is_no_message());
    match case["message"].as_u64() {
        None => json!(stored.count()),
        Some(number) => stored
            .nth(usize::try_from(number).unwrap() - 1)
            .map_or(Value::Null, |stored| {
                library::answer(case, &stored.message())
            }),
    }
}
