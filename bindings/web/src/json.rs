//! JSON that JavaScript parses to plain objects, in the shapes of docs/json.md. The library
//! serializes messages, fields and findings itself.

use serde::Serialize;

/// Serializes a value, which cannot fail: every key of a map is text.
pub(crate) fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
