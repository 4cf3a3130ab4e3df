//! The JSON that JavaScript makes plain objects of, in the shapes of docs/json.md. The library says
//! itself what a message, a field and a finding are written as.

use serde::Serialize;

/// JSON of what cannot fail to be written: no map in it has a key that is no text.
pub(crate) fn written(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
