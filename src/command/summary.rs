//! What a run of many messages came to, for the people who asked for it.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use mime_charset::Kind;
use mime_charset::convert::Converted;
use serde_json::{Map, Value, json};

/// The numbers of a run, of a file or of a batch of messages.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) files: u64,
    pub(super) messages: u64,
    pub(super) octets: u64,
    changed: u64,
    changed_fields: u64,
    changed_parts: u64,
    relabelled_parts: u64,
    replacements: u64,
    parts: u64,
    charsets: BTreeMap<String, u64>,
    eye: BTreeMap<String, Places>,
}

/// How often something was met, and where first.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Places {
    count: u64,
    first: Vec<String>,
}

/// How many places the summary names; the report has all.
const SHOWN: usize = 3;

/// How many files that could not be converted are named when they are met. The summary says how
/// many more there are.
pub(super) const COMPLAINTS: u64 = 20;

impl Tally {
    /// Counts one message that was converted.
    pub(super) fn message(&mut self, place: &dyn fmt::Display, octets: usize, of: &Converted<'_>) {
        self.messages += 1;
        self.octets += octets as u64;
        self.parts += of.parts() as u64;
        for charset in of.charsets() {
            self.charset(charset.name());
        }
        let changes = of.changes();
        self.changed += u64::from(!changes.is_empty());
        self.changed_fields += of.changed_fields() as u64;
        self.changed_parts += of.changed_parts() as u64;
        self.relabelled_parts += of.relabelled_parts() as u64;
        for change in changes {
            let replaced = change.report().replacements() as u64;
            if replaced > 0 {
                self.replacements += replaced;
                let part = change.section();
                self.eye("replaced", || {
                    format!("{place}, part {part}: {replaced} U+FFFD")
                });
            }
        }
        for finding in of.report().findings() {
            let kind = finding.kind();
            if matches!(
                kind,
                Kind::Unconverted | Kind::SignedContent | Kind::DocumentConflict
            ) {
                self.eye(kind.name(), || {
                    format!("{place}, at {}: {}", finding.offset(), finding.detail())
                });
            }
        }
    }

    fn charset(&mut self, name: &str) {
        match self.charsets.get_mut(name) {
            Some(count) => *count += 1,
            None => {
                self.charsets.insert(name.to_owned(), 1);
            }
        }
    }

    fn eye(&mut self, kind: &str, place: impl FnOnce() -> String) {
        let places = self.eye.entry(kind.to_owned()).or_default();
        places.count += 1;
        if places.first.len() < SHOWN {
            places.first.push(place());
        }
    }

    /// Counts a file that is not at the destination.
    pub(super) fn missing(&mut self, kind: &'static str, sentence: &str) {
        self.eye(kind, || sentence.to_owned());
    }

    pub(super) fn add(&mut self, other: Tally) {
        self.files += other.files;
        self.messages += other.messages;
        self.octets += other.octets;
        self.changed += other.changed;
        self.changed_fields += other.changed_fields;
        self.changed_parts += other.changed_parts;
        self.relabelled_parts += other.relabelled_parts;
        self.replacements += other.replacements;
        self.parts += other.parts;
        for (name, count) in other.charsets {
            *self.charsets.entry(name).or_default() += count;
        }
        for (kind, places) in other.eye {
            let sum = self.eye.entry(kind).or_default();
            sum.count += places.count;
            let free = SHOWN - sum.first.len();
            sum.first.extend(places.first.into_iter().take(free));
        }
    }

    /// Whether something of this kind was met.
    pub(super) fn has(&self, kind: &str) -> bool {
        self.eye.contains_key(kind)
    }

    /// How many things a person should look at.
    pub(super) fn problems(&self) -> u64 {
        self.eye.values().map(|places| places.count).sum()
    }

    pub(super) fn to_json(&self) -> Value {
        let eye: Map<String, Value> = self
            .eye
            .iter()
            .map(|(kind, places)| {
                let value = json!({ "count": places.count, "first": places.first });
                (kind.clone(), value)
            })
            .collect();
        json!({
            "files": self.files,
            "messages": self.messages,
            "octets": self.octets,
            "changed": self.changed,
            "changed_fields": self.changed_fields,
            "changed_parts": self.changed_parts,
            "relabelled_parts": self.relabelled_parts,
            "replacements": self.replacements,
            "parts": self.parts,
            "charsets": self.charsets,
            "needs_eye": eye,
        })
    }

    /// What [`to_json`](Tally::to_json) wrote; `None` for anything else.
    pub(super) fn from_json(value: &Value) -> Option<Tally> {
        let number = |key: &str| value.get(key)?.as_u64();
        let charsets = value.get("charsets")?.as_object()?;
        let eye = value.get("needs_eye")?.as_object()?;
        Some(Tally {
            files: number("files")?,
            messages: number("messages")?,
            octets: number("octets")?,
            changed: number("changed")?,
            changed_fields: number("changed_fields")?,
            changed_parts: number("changed_parts")?,
            relabelled_parts: number("relabelled_parts")?,
            replacements: number("replacements")?,
            parts: number("parts")?,
            charsets: charsets
                .iter()
                .map(|(name, count)| Some((name.clone(), count.as_u64()?)))
                .collect::<Option<_>>()?,
            eye: eye
                .iter()
                .map(|(kind, places)| {
                    let first = places.get("first")?.as_array()?;
                    let places = Places {
                        count: places.get("count")?.as_u64()?,
                        first: first
                            .iter()
                            .map(|place| place.as_str().map(str::to_owned))
                            .collect::<Option<_>>()?,
                    };
                    Some((kind.clone(), places))
                })
                .collect::<Option<_>>()?,
        })
    }

    /// One sentence.
    pub(super) fn sentence(&self) -> String {
        format!(
            "{} of {} in {} changed: {} and {} of {}, and {} labelled anew",
            self.changed,
            counted(self.messages, "message"),
            counted(self.files, "file"),
            counted(self.changed_fields, "field"),
            self.changed_parts,
            counted(self.parts, "part"),
            counted(self.relabelled_parts, "part"),
        )
    }
}

/// Lines for people.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.messages > 0 || self.eye.is_empty() {
            writeln!(f, "{}", self.sentence())?;
        }
        if !self.charsets.is_empty() {
            let mut charsets: Vec<_> = self.charsets.iter().collect();
            charsets.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
            let mut line = String::new();
            for (name, count) in charsets {
                if !line.is_empty() {
                    line.push_str(", ");
                }
                // Writing to a String does not fail.
                let _ = write!(line, "{name} {count}");
            }
            writeln!(f, "charsets of text parts: {line}")?;
        }
        if !self.eye.is_empty() {
            writeln!(f, "to be looked at by a person:")?;
        }
        for (kind, places) in &self.eye {
            writeln!(f, "  {}", kind_counted(kind, places.count))?;
            let named = if kind == "failed" {
                // They were named when they were met.
                places.count.min(COMPLAINTS)
            } else {
                for place in &places.first {
                    writeln!(f, "    {place}")?;
                }
                places.first.len() as u64
            };
            if places.count > named {
                writeln!(f, "    and {} more", places.count - named)?;
            }
        }
        Ok(())
    }
}

fn kind_counted(kind: &str, count: u64) -> String {
    let (one, many) = match kind {
        "unconverted" => ("left in its charset", "left in their charset"),
        "signed-content" => (
            "signed or encrypted, or a signature that no longer holds",
            "signed or encrypted, or signatures that no longer hold",
        ),
        "document-conflict" => (
            "declaration in a document that names another charset",
            "declarations in documents that name another charset",
        ),
        "replaced" => (
            "part or field with characters lost",
            "parts or fields with characters lost",
        ),
        "failed" => (
            "file that could not be converted, named above",
            "files that could not be converted, named above",
        ),
        "no-mail" => (
            "file that is no mail, and was left out",
            "files that are no mail, and were left out",
        ),
        other => (other, other),
    };
    format!("{count} {}", if count == 1 { one } else { many })
}

pub(super) fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use mime_charset::convert::{Conversion, convert};

    use super::Tally;

    #[test]
    fn a_tally_comes_back_from_its_json() {
        let mut tally = Tally::default();
        let source = b"DKIM-Signature: h=subject\nSubject: =?koi8-r?Q?=F0?=\n\n\xE9";
        let converted = convert(source, &Conversion::new());
        tally.message(&"inbox#3", source.len(), &converted);
        tally.missing("failed", "cannot read it");
        assert_eq!(tally.problems(), 3, "{tally}");
        assert_eq!(Tally::from_json(&tally.to_json()), Some(tally));
    }
}
