//! `labels`: resolves labels.

use mime_charset::charset::{self, Matched};
use mime_charset::{Charset, Label};
use serde_json::json;

use super::{End, Output, Stop};

pub(crate) fn print_labels(out: &mut Output, json: bool, labels: &[String]) -> Result<End, Stop> {
    if labels.is_empty() {
        for charset in Charset::all() {
            for label in charset.labels() {
                show_label(out, json, label, Some(charset), Matched::Exact)?;
            }
        }
        return Ok(End::Done);
    }
    for label in labels {
        let resolved = charset::resolve(&Label::new(label));
        show_label(out, json, label, resolved.charset, resolved.matched)?;
    }
    Ok(End::Done)
}

fn show_label(
    out: &mut Output,
    json: bool,
    label: &str,
    charset: Option<Charset>,
    matched: Matched,
) -> Result<(), Stop> {
    let decoded = charset.is_some_and(Charset::is_decoded);
    if json {
        return out.json(&json!({
            "label": label,
            "charset": charset,
            "mibenum": charset.and_then(Charset::mibenum),
            "matched": matched.name(),
            "decoded": decoded,
            "reason": charset.and_then(Charset::undecoded_reason),
        }));
    }
    let name = charset.map_or("-", Charset::name);
    let number = charset
        .and_then(Charset::mibenum)
        .map_or_else(|| "-".into(), |n| n.to_string());
    let decoded = match charset.and_then(Charset::undecoded_reason) {
        Some(reason) => format!("not decoded: {reason}"),
        None if decoded => "decoded".to_owned(),
        None => "no charset".to_owned(),
    };
    out.line(&format!(
        "{label:<39} {name:<39} {number:>5}  {:<9}{decoded}",
        matched.name()
    ))
}
