//! What the JSON of several commands has in common.

use mime_charset::Report;
use serde_json::{Value, json};

pub(super) fn findings_json(report: &Report) -> Vec<Value> {
    match json!(report) {
        Value::Array(findings) => findings,
        // A report is a list.
        _ => Vec::new(),
    }
}
