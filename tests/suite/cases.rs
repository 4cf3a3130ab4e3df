//! Runs cases of `corpus/suite` with a reader, for the tests of the three crates.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

/// The cases of a file of the suite.
pub fn cases(folder: &Path, name: &str) -> Vec<Value> {
    let path = folder.join(name).with_extension("jsonl");
    let lines = fs::read_to_string(path).unwrap();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The input of a case.
pub fn input(case: &Value) -> Vec<u8> {
    STANDARD.decode(case["base64"].as_str().unwrap()).unwrap()
}

/// Whether the input of a case is a mailbox.
pub fn is_mailbox(case: &Value) -> bool {
    case["ask"] == "messages" || case.get("message").is_some()
}

/// Cases answered wrongly, each followed by its reason.
const MISSED: &str = include_str!("missed.txt");

/// Cases answered with an alternative right answer.
const ALTERNATIVES: &str = include_str!("alternatives.txt");

/// Runs each case, and fails with a line for each answer that is not the first right one, unless
/// one of the lists above has the case.
pub fn ask(cases: &[Value], answer: impl Fn(&Value, &[u8]) -> Value) {
    let mut wrong = String::new();
    for case in cases {
        let answer = answer(case, &input(case));
        let id = case["id"].as_str().unwrap();
        let is_in = |list: &str| list.lines().any(|line| line.split(' ').next() == Some(id));
        let is_expected = match rank(case, &answer) {
            Some(0) => !is_in(MISSED) && !is_in(ALTERNATIVES),
            Some(_) => is_in(ALTERNATIVES),
            None => is_in(MISSED),
        };
        if !is_expected {
            writeln!(wrong, "{id}: {answer}, expected {}", case["answer"]).unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The index of an answer among the right answers of a case; those of `also` follow the first.
fn rank(case: &Value, answer: &Value) -> Option<usize> {
    let ask = case["ask"].as_str().unwrap();
    let also = case["also"].as_array().into_iter().flatten();
    let answer = compared(answer, ask);
    let mut right = std::iter::once(&case["answer"]).chain(also);
    right.position(|right| compared(right, ask) == answer)
}

/// The form for comparing two answers, by the rules of the suite's README.
fn compared(answer: &Value, ask: &str) -> Value {
    match answer {
        Value::String(text) if ask == "octets" => json!(STANDARD.decode(text).unwrap()),
        Value::String(text) => {
            let text = text.replace("\r\n", "\n");
            match ask {
                "structure" | "fields" => json!(text.to_lowercase()),
                "text" | "flowed text" | "decode" => {
                    json!(text.strip_suffix('\n').unwrap_or(&text))
                }
                "field" | "addresses" | "groups" | "base subject" => json!(text.trim()),
                _ => json!(text),
            }
        }
        Value::Array(list) => list.iter().map(|item| compared(item, ask)).collect(),
        Value::Object(keys) => {
            let keys = keys.iter().map(|(key, item)| {
                let domain = item.as_str().and_then(|address| address.rsplit_once('@'));
                match domain {
                    Some((local, domain)) if key == "address" => (
                        key.clone(),
                        json!(format!("{local}@{}", domain.to_lowercase())),
                    ),
                    _ => (key.clone(), compared(item, ask)),
                }
            });
            Value::Object(keys.collect())
        }
        other => other.clone(),
    }
}
