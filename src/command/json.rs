//! What the JSON of several commands has in common.

use mime_charset::decode::CharsetUse;
use mime_charset::{Effect, Kind, Report};
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
    let mut findings: Vec<Value> = report
        .findings()
        .iter()
        .map(|finding| {
            json!({
                "kind": finding.kind().name(),
                "effect": finding.kind().effect().name(),
                "in": finding.within().name(),
                "offset": finding.offset(),
                "length": finding.length(),
                "detail": finding.detail(),
            })
        })
        .collect();
    if report.omitted() > 0 {
        findings.push(json!({
            "kind": Kind::LimitReached.name(),
            "effect": Effect::Noted.name(),
            "in": "octets",
            "offset": 0,
            "length": 0,
            "detail": format!("{} further findings", report.omitted()),
        }));
    }
    findings
}
