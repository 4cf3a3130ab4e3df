//! Validates a JSON value against a schema.

use serde_json::Value;

/// Supports the keywords of JSON Schema (draft 2020-12) that the schemas here use; panics at any
/// other.
pub(crate) fn schema_allows(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("type {other}"),
    };
    let object = schema.as_object().unwrap();
    let length = value.as_str().map(|text| text.chars().count() as u64);
    for (keyword, rule) in object {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let path = rule.as_str().unwrap().strip_prefix('#').unwrap();
                schema_allows(root, root.pointer(path).unwrap(), value)?;
                true
            }
            "oneOf" => {
                let rules = rule.as_array().unwrap().iter();
                rules
                    .filter(|rule| schema_allows(root, rule, value).is_ok())
                    .count()
                    == 1
            }
            "type" => match rule {
                Value::String(name) => is(name),
                names => names
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|name| is(name.as_str().unwrap())),
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value
                .as_u64()
                .is_none_or(|number| number >= rule.as_u64().unwrap()),
            "maximum" => value
                .as_u64()
                .is_none_or(|number| number <= rule.as_u64().unwrap()),
            "maxItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap()),
            "minLength" => length.is_none_or(|length| length >= rule.as_u64().unwrap()),
            "maxLength" => length.is_none_or(|length| length <= rule.as_u64().unwrap()),
            "required" => value.as_object().is_none_or(|value| {
                let mut keys = rule.as_array().unwrap().iter();
                keys.all(|key| value.contains_key(key.as_str().unwrap()))
            }),
            "properties" => {
                for (key, rule) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        schema_allows(root, rule, value)?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = object.get("properties").and_then(Value::as_object);
                for (key, value) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|known| known.contains_key(key)) {
                        continue;
                    }
                    if rule == &Value::Bool(false) {
                        return Err(format!("{key} is not in the schema"));
                    }
                    schema_allows(root, rule, value)?;
                }
                true
            }
            "items" => {
                for value in value.as_array().into_iter().flatten() {
                    schema_allows(root, rule, value)?;
                }
                true
            }
            other => panic!("keyword {other}"),
        };
        if !holds {
            return Err(format!("{keyword} {rule}"));
        }
    }
    Ok(())
}
