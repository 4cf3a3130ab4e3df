//! `mime-charset` as WebAssembly, for the npm package of that name and for its page.
//!
//! Functions return JSON, which `package/index.js` parses to plain objects: nothing has to be
//! freed. Functions with names that begin with `page` are for the page only.
#![cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]

mod field;
mod json;
mod mailbox;
mod pointing;
mod view;

use js_sys::{Object, Reflect, Uint8Array};
use mime_charset::charset::{self, Matched};
use mime_charset::convert::{self, Conversion, Headers, OnMalformed};
use mime_charset::decode::{self, Context, Evidence};
use mime_charset::serialize;
use mime_charset::{Charset, Label, Message, Report, Source, detect, header};
use serde::Serialize;
use serde_json::json;
use wasm_bindgen::prelude::{JsValue, wasm_bindgen};

use json::written;

/// A message as in `inspect --json`; with the texts as in `--text`.
#[wasm_bindgen]
#[must_use]
pub fn parse(octets: &[u8], with_text: bool) -> String {
    let message = Message::parse(octets);
    written(&serialize::message(
        &message,
        mime_charset::Options::new(),
        with_text,
    ))
}

/// The octets of a part after transfer decoding; `None` for an unknown section.
#[wasm_bindgen]
#[must_use]
pub fn octets(message: &[u8], section: &str) -> Option<Vec<u8>> {
    let message = Message::parse(message);
    let part = message.part(section)?;
    Some(part.octets().into_octets().into_owned())
}

/// Decodes octets: `text`, `charset`, `source`, `confidence`, `evidence`, `findings`.
#[expect(
    clippy::needless_pass_by_value,
    reason = "JavaScript gives texts by value"
)]
#[wasm_bindgen]
#[must_use]
pub fn decode(octets: &[u8], label: Option<String>, media_type: Option<String>) -> String {
    #[derive(Serialize)]
    struct Shape<'d> {
        text: &'d str,
        charset: Charset,
        source: Source,
        confidence: u8,
        evidence: &'d [Evidence],
        findings: &'d Report,
    }
    let label = label.as_ref().map(Label::new);
    let context = Context::new()
        .label(label.as_ref())
        .media_type(media_type.as_deref());
    let decoded = decode::decode(octets, &context);
    let decision = decode::decide(octets, &context);
    written(&Shape {
        text: decoded.as_str(),
        charset: decoded.charset(),
        source: decoded.source(),
        confidence: decision.confidence,
        evidence: decision.evidence(),
        findings: decoded.report(),
    })
}

/// The likely charset of octets without a label.
#[wasm_bindgen(js_name = detect)]
#[must_use]
pub fn detect_octets(octets: &[u8]) -> String {
    let guess = detect::detect(octets);
    json!({
        "charset": guess.charset,
        "source": guess.source,
        "confidence": guess.confidence,
        "runner_up": guess.runner_up,
    })
    .to_string()
}

/// Parses the body of a Content-Type field: media type, label, its charset, parameters, findings.
#[wasm_bindgen(js_name = contentType)]
#[must_use]
pub fn content_type(body: &[u8]) -> String {
    let field = header::content_type(body);
    let resolved = field.charset().map(charset::resolve);
    let parameters: Vec<_> = field
        .parameters()
        .iter()
        .map(|parameter| {
            let text = parameter.text();
            json!({ "name": parameter.name(), "text": text.as_str() })
        })
        .collect();
    json!({
        "media_type": field.media_type(),
        "label": field.charset().map(ToString::to_string),
        "charset": resolved.and_then(|resolved| resolved.charset),
        "parameters": parameters,
        "findings": field.report(),
    })
    .to_string()
}

/// The charset of a label, as in `labels --json`; without one, all labels.
#[wasm_bindgen]
#[must_use]
pub fn labels(label: Option<String>) -> String {
    let Some(label) = label else {
        let all = Charset::all().flat_map(|charset| {
            let labels = charset.labels();
            labels.map(move |label| label_json(label, Some(charset), Matched::Exact))
        });
        return written(&all.collect::<Vec<_>>());
    };
    let resolved = charset::resolve(&Label::new(&label));
    written(&[label_json(&label, resolved.charset, resolved.matched)])
}

fn label_json(label: &str, charset: Option<Charset>, matched: Matched) -> serde_json::Value {
    json!({
        "label": label,
        "charset": charset,
        "mibenum": charset.and_then(Charset::mibenum),
        "matched": matched.name(),
        "decoded": charset.is_some_and(Charset::is_decoded),
        "reason": charset.and_then(Charset::undecoded_reason),
    })
}

/// The same message in UTF-8: an object with `octets`, and with `json` for the changes.
///
/// # Errors
///
/// A sentence if an option is invalid, or if the conversion cannot be proved.
#[wasm_bindgen]
pub fn convert(message: &[u8], options: &str) -> Result<Object, JsValue> {
    let options = conversion(options)?;
    let converted = convert::convert(message, &options);
    let proof = convert::verify(message, converted.as_bytes(), &converted.changes, &options);
    let proof = proof.map_err(|error| JsValue::from_str(&error.to_string()))?;
    let told = json!({
        "changes": converted.changes.iter().map(change_json).collect::<Vec<_>>(),
        "changed_fields": proof.fields,
        "changed_parts": proof.parts,
        "relabelled_parts": proof.relabelled,
        "failure": converted.failure.as_ref().map(ToString::to_string),
        "findings": &converted.report,
    });
    let result = Object::new();
    let octets = Uint8Array::from(converted.as_bytes());
    Reflect::set(&result, &"octets".into(), &octets)?;
    Reflect::set(&result, &"json".into(), &told.to_string().into())?;
    Ok(result)
}

/// A change, with the keys of docs/archives.md.
pub(crate) fn change_json(change: &convert::Change) -> serde_json::Value {
    let range =
        |range: std::ops::Range<usize>| json!({ "offset": range.start, "length": range.len() });
    json!({
        "part": change.section(),
        "field": change.field(),
        "label": change.label().map(ToString::to_string),
        "charset": change.charset(),
        "source": change.source(),
        "replacements": change.report().replacements(),
        "findings": change.report(),
        "before": range(change.before.clone()),
        "after": range(change.after.clone()),
    })
}

/// The options of a conversion, by their names on the command line.
fn conversion(options: &str) -> Result<Conversion, JsValue> {
    let wrong = |what: &str| JsValue::from_str(&format!("expected {what}, found {options}"));
    let given: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(options).map_err(|_| wrong("an object of options"))?;
    let mut conversion = Conversion::new();
    for (name, value) in &given {
        let is_true = || value.as_bool().ok_or_else(|| wrong("true or false"));
        match (name.as_str(), value.as_str()) {
            ("headers", Some("words")) => conversion.headers = Headers::Words,
            ("headers", Some("utf8")) => conversion.headers = Headers::Utf8,
            ("on-malformed", Some("keep")) => conversion.on_malformed = OnMalformed::Keep,
            ("on-malformed", Some("replace")) => conversion.on_malformed = OnMalformed::Replace,
            ("on-malformed", Some("fail")) => conversion.on_malformed = OnMalformed::Fail,
            ("attachments", _) => conversion.attachments = is_true()?,
            ("keep-declarations", _) => conversion.keep_declarations = is_true()?,
            ("guessed", _) => {
                let percent = value.as_u64().filter(|percent| *percent <= 100);
                let percent = percent.and_then(|percent| u8::try_from(percent).ok());
                conversion.guessed = Some(percent.ok_or_else(|| wrong("percent from 0 to 100"))?);
            }
            _ => return Err(wrong("a conversion option with a valid value")),
        }
    }
    Ok(conversion)
}
