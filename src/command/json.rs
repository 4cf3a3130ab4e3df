//! What the JSON of several commands has in common.

use mime_charset::Report;
use mime_charset::decode::CharsetUse;
use serde_json::{Value, json};

pub(super) fn charsets_json(charsets: &[CharsetUse]) -> Vec<Value> {
    charsets
        .iter()
        .map(|used| {
            json!({
                "offset": used.offset(),
                "length": used.length(),
                "charset": used.charset().name(),
                "source": used.source().name(),
            })
        })
        .collect()
}

pub(super) fn findings_json(report: &Report) -> Vec<Value> {
    match json!(report) {
        Value::Array(findings) => findings,
        // A report is a list.
        _ => Vec::new(),
    }
}
