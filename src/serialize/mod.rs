//! Results as data, by [serde](https://serde.rs): the shapes that the command prints with `--json`
//! (docs/json.md).
//!
//! A [`Charset`], a [`Kind`] and other named types are serialized as their names, and deserialized from
//! them. Results with offsets are only serialized: offsets from a file would mean nothing without their
//! octets. [`message`] serializes a whole message.
//!
//! ```
//! use mime_charset::{Charset, Message};
//!
//! let message = Message::parse(b"Subject: caf\xE9\n\n");
//! let subject = serde_json::to_value(message.field("Subject").unwrap().text())?;
//! assert_eq!(subject["text"], "café");
//! assert_eq!(subject["charsets"][0]["charset"], "windows-1252");
//! let charset: Charset = serde_json::from_str("\"x-sjis\"")?;
//! assert_eq!(charset, Charset::SHIFT_JIS);
//! # Ok::<(), serde_json::Error>(())
//! ```

mod inspected;

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::charset::Charset;
use crate::decode::{CharsetUse, Decision, Evidence, EvidenceKind, FieldText, Side};
use crate::header::Date;
use crate::report::{Effect, Finding, Kind, Report, Source, Within};

pub use inspected::message;

impl Serialize for Charset {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Source {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Effect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Within {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for EvidenceKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Side {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// The kind, effect, place and detail.
impl Serialize for Finding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut finding = serializer.serialize_struct("Finding", 6)?;
        finding.serialize_field("kind", &self.kind())?;
        finding.serialize_field("effect", &self.kind().effect())?;
        finding.serialize_field("in", &self.within())?;
        finding.serialize_field("offset", &self.offset())?;
        finding.serialize_field("length", &self.length())?;
        finding.serialize_field("detail", self.detail())?;
        finding.end()
    }
}

/// The findings. If some were counted but not kept, a finding of kind [`Kind::LimitReached`] follows
/// with their number.
impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().chain(&self.omitted_finding()))
    }
}

impl Serialize for CharsetUse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut used = serializer.serialize_struct("CharsetUse", 4)?;
        used.serialize_field("offset", &self.offset)?;
        used.serialize_field("length", &self.length)?;
        used.serialize_field("charset", &self.charset)?;
        used.serialize_field("source", &self.source)?;
        used.end()
    }
}

/// The text, its charsets and its findings.
impl Serialize for FieldText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = serializer.serialize_struct("FieldText", 3)?;
        text.serialize_field("text", self.as_str())?;
        text.serialize_field("charsets", self.charsets())?;
        text.serialize_field("findings", self.report())?;
        text.end()
    }
}

/// The text as in RFC 3339, the seconds since 1970, and the findings.
impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut date = serializer.serialize_struct("Date", 3)?;
        date.serialize_field("text", &self.to_string())?;
        date.serialize_field("unix_seconds", &self.unix_seconds())?;
        date.serialize_field("findings", &self.report)?;
        date.end()
    }
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut evidence = serializer.serialize_struct("Evidence", 6)?;
        evidence.serialize_field("kind", &self.kind)?;
        evidence.serialize_field("side", &self.side)?;
        evidence.serialize_field("charset", &self.charset)?;
        evidence.serialize_field("offset", &self.offset)?;
        evidence.serialize_field("length", &self.length)?;
        evidence.serialize_field("detail", &self.detail)?;
        evidence.end()
    }
}

impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut decision = serializer.serialize_struct("Decision", 5)?;
        decision.serialize_field("charset", &self.charset)?;
        decision.serialize_field("source", &self.source)?;
        decision.serialize_field("confidence", &self.confidence)?;
        decision.serialize_field("evidence", self.evidence())?;
        decision.serialize_field("findings", &self.report)?;
        decision.end()
    }
}

/// A charset by its name or any of its labels.
impl<'de> Deserialize<'de> for Charset {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(FromName("a charset label", |name| {
            Charset::for_label_octets(name.as_bytes())
        }))
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(FromName("the kind of a finding", |name| {
            Kind::ALL.iter().copied().find(|kind| kind.name() == name)
        }))
    }
}

impl<'de> Deserialize<'de> for Effect {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(FromName("the effect of a finding", |name| {
            // Every effect is that of some kind.
            let mut effects = Kind::ALL.iter().map(|kind| kind.effect());
            effects.find(|effect| effect.name() == name)
        }))
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const ALL: [Source; 7] = [
            Source::Forced,
            Source::Declared,
            Source::Bom,
            Source::Document,
            Source::Evidence,
            Source::Detected,
            Source::Default,
        ];
        deserializer.deserialize_str(FromName("the source of a charset", |name| {
            ALL.into_iter().find(|source| source.name() == name)
        }))
    }
}

/// Looks a value up by name: what is expected, and the lookup.
struct FromName<T>(&'static str, fn(&str) -> Option<T>);

impl<T> Visitor<'_> for FromName<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<T, E> {
        self.1(name).ok_or_else(|| E::invalid_value(de::Unexpected::Str(name), &self))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Charset, Effect, Kind, Source};
    use crate::charset::Options;
    use crate::decode::{self, Context};
    use crate::header::{self, Syntax};
    use crate::label::Label;

    /// The output matches docs/json.md.
    #[test]
    fn results_match_the_documentation() {
        let label = Label::new("iso-8859-1");
        let context = Context::new().label(Some(&label));
        let decision = decode::decide("é".as_bytes(), &context);
        let expected = json!({
            "charset": "UTF-8",
            "source": "evidence",
            "confidence": decision.confidence,
            "evidence": [
                {
                    "kind": "label", "side": "against", "charset": "ISO-8859-1", "offset": 0,
                    "length": 0, "detail": "iso-8859-1 names ISO-8859-1",
                },
                {
                    "kind": "utf-8", "side": "for", "charset": "UTF-8", "offset": 0, "length": 2,
                    "detail": "well-formed UTF-8",
                },
            ],
            "findings": [{
                "kind": "label-overridden", "effect": "assumed", "in": "octets", "offset": 0,
                "length": 2, "detail": "labelled ISO-8859-1, read as UTF-8",
            }],
        });
        assert_eq!(serde_json::to_value(&decision).unwrap(), expected);
        let text = decode::field(b"=?koi8-r?Q?=F0?=", Syntax::Unstructured, &Options::new());
        let expected = json!({
            "text": "П",
            "charsets": [{"offset": 0, "length": 16, "charset": "KOI8-R", "source": "declared"}],
            "findings": [],
        });
        assert_eq!(serde_json::to_value(&text).unwrap(), expected);
        // 1,000,000,000 seconds after the epoch.
        let date = header::date(b"9 Sep 2001 01:46:40 GMT").unwrap();
        let expected = json!({
            "text": "2001-09-09T01:46:40+00:00",
            "unix_seconds": 1_000_000_000,
            "findings": [{
                "kind": "date-syntax", "effect": "repaired", "in": "source", "offset": 20,
                "length": 3, "detail": "a zone by name",
            }],
        });
        assert_eq!(serde_json::to_value(&date).unwrap(), expected);
    }

    /// Only names can be deserialized.
    #[test]
    fn names_are_read_back() {
        for charset in Charset::all() {
            let json = serde_json::to_string(&charset).unwrap();
            assert_eq!(serde_json::from_str::<Charset>(&json).unwrap(), charset);
        }
        for kind in Kind::ALL {
            let json = serde_json::to_string(kind).unwrap();
            assert_eq!(serde_json::from_str::<Kind>(&json).unwrap(), *kind);
            let json = serde_json::to_string(&kind.effect()).unwrap();
            assert_eq!(
                serde_json::from_str::<Effect>(&json).unwrap(),
                kind.effect()
            );
        }
        for name in [
            "forced", "declared", "bom", "document", "evidence", "detected", "default",
        ] {
            let source: Source = serde_json::from_str(&format!("{name:?}")).unwrap();
            assert_eq!(source.name(), name);
        }
        assert!(serde_json::from_str::<Kind>("\"no such\"").is_err());
        assert!(serde_json::from_str::<Charset>("7").is_err());
    }
}
