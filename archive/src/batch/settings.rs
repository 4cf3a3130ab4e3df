//! The options of a conversion in reports and journals, named as on the command line.

use serde_json::{Value, json};

use crate::format::Format;
use mime_charset::convert::{Conversion, Headers, OnMalformed};

/// `read_as` is the format named by the caller; `None` if formats are detected.
pub(super) fn to_json(options: &Conversion, read_as: Option<Format>) -> Value {
    let mut json = json!({
        "headers": match options.headers {
            Headers::Words => "words",
            Headers::Utf8 => "utf8",
        },
        "on-malformed": match options.on_malformed {
            OnMalformed::Keep => "keep",
            OnMalformed::Replace => "replace",
            OnMalformed::Fail => "fail",
        },
        "attachments": options.attachments,
        "keep-declarations": options.keep_declarations,
        "guessed": options.guessed,
    });
    if let (Some(options), Some(format)) = (json.as_object_mut(), read_as) {
        options.insert("as".to_owned(), format.name().into());
    }
    json
}

/// The format named by the caller of a conversion.
pub(super) fn read_as(options: &Value) -> Option<Format> {
    let name = options.get("as")?.as_str()?;
    [Format::Message, Format::Mbox, Format::Maildir]
        .into_iter()
        .find(|format| format.name() == name)
}

/// Parses the output of [`to_json`]; `None` for anything else.
pub(super) fn from_json(value: &Value) -> Option<Conversion> {
    let headers = match value.get("headers")?.as_str()? {
        "words" => Headers::Words,
        "utf8" => Headers::Utf8,
        _ => return None,
    };
    let on_malformed = match value.get("on-malformed")?.as_str()? {
        "keep" => OnMalformed::Keep,
        "replace" => OnMalformed::Replace,
        "fail" => OnMalformed::Fail,
        _ => return None,
    };
    let guessed = match value.get("guessed")? {
        Value::Null => None,
        percent => Some(u8::try_from(percent.as_u64()?).ok()?),
    };
    Some(Conversion {
        headers,
        on_malformed,
        attachments: value.get("attachments")?.as_bool()?,
        keep_declarations: match value.get("keep-declarations") {
            Some(kept) => kept.as_bool()?,
            // Reports of version 0.1.
            None => !value.get("fix-declarations")?.as_bool()?,
        },
        guessed,
        ..Conversion::new()
    })
}
