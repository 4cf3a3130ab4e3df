//! What the JSON of several commands has in common.

use mime_charset::Report;
use serde::Serialize;
use serde_json::{Value, json};

pub(super) fn findings_json(report: &Report) -> Vec<Value> {
    match json!(report) {
        Value::Array(findings) => findings,
        other => vec![other],
    }
}

/// The findings of a report as they are written, one by one.
#[derive(Serialize)]
#[serde(transparent)]
pub(super) struct Findings<'r>(pub(super) &'r Report);
