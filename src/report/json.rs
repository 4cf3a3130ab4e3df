//! Findings as the command prints them with `--json`, and as the reports of conversions have them.

use serde::{Serialize, Serializer};

use super::Report;
use super::finding::Finding;
use super::kind::Kind;

/// A finding, its keys in their order.
#[derive(Serialize)]
struct Keys<'f> {
    kind: &'static str,
    effect: &'static str,
    r#in: &'static str,
    offset: usize,
    length: usize,
    detail: &'f str,
}

/// An object with the keys `kind`, `effect`, `in`, `offset`, `length` and `detail`.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let keys = Keys {
            kind: self.kind().name(),
            effect: self.kind().effect().name(),
            r#in: self.within().name(),
            offset: self.offset(),
            length: self.length(),
            detail: self.detail(),
        };
        keys.serialize(serializer)
    }
}

/// Its findings; one of kind [`Kind::LimitReached`] says how many more there were.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let detail = format!("{} further findings", self.omitted());
        let more = (self.omitted() > 0).then(|| Keys {
            kind: Kind::LimitReached.name(),
            effect: Kind::LimitReached.effect().name(),
            r#in: "octets",
            offset: 0,
            length: 0,
            detail: &detail,
        });
        let kept = self.findings().iter().map(Entry::Finding);
        serializer.collect_seq(kept.chain(more.map(Entry::More)))
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum Entry<'f> {
    Finding(&'f Finding),
    More(Keys<'f>),
}
