//! What the JSON of several commands has in common.

use std::borrow::Cow;

use mime_charset::decode::CharsetUse;
use mime_charset::{Kind, Report};
use serde::{Serialize, Serializer};
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
    findings(report).map(|finding| json!(finding)).collect()
}

/// A finding, its keys in their order.
#[derive(Serialize)]
struct FindingJson<'r> {
    kind: &'static str,
    effect: &'static str,
    r#in: &'static str,
    offset: usize,
    length: usize,
    detail: Cow<'r, str>,
}

fn findings(report: &Report) -> impl Iterator<Item = FindingJson<'_>> {
    let more = (report.omitted() > 0).then(|| FindingJson {
        kind: Kind::LimitReached.name(),
        effect: Kind::LimitReached.effect().name(),
        r#in: "octets",
        offset: 0,
        length: 0,
        detail: format!("{} further findings", report.omitted()).into(),
    });
    let kept = report.findings().iter().map(|finding| FindingJson {
        kind: finding.kind().name(),
        effect: finding.kind().effect().name(),
        r#in: finding.within().name(),
        offset: finding.offset(),
        length: finding.length(),
        detail: finding.detail().into(),
    });
    kept.chain(more)
}

/// The findings of a report as they are written, one by one.
pub(super) struct Findings<'r>(pub(super) &'r Report);

impl Serialize for Findings<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(findings(self.0))
    }
}
