//! The numbers of a conversion.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use mime_charset::Kind;
use mime_charset::convert::Converted;

/// The numbers of a conversion, and what a person should look at.
///
/// ```
/// # fn main() -> Result<(), mime_charset_archive::Error> {
/// use std::sync::atomic::AtomicBool;
/// use mime_charset_archive::mbox;
/// use mime_charset_archive::convert_mailbox;
/// use mime_charset::convert::Conversion;
///
/// let mailbox = b"From - Sat Jan  3 01:05:34 1996\n\
///     Subject: =?koi8-r?Q?=F0?=\nContent-Type: text/plain; charset=koi8-r\n\n\xF0\n\n\
///     From - Sat Jan  3 01:05:35 1996\nContent-Type: text/plain; charset=us-ascii\n\n\xF0";
/// let never = AtomicBool::new(false);
/// let to = std::io::sink();
/// let outcome = convert_mailbox(mbox::read(&mailbox[..]), to, &Conversion::new(), &never, |_| ())?;
/// let summary = outcome.summary();
/// assert_eq!((summary.files(), summary.messages(), summary.parts()), (1, 2, 2));
/// assert_eq!(summary.octets(), mailbox.len() as u64);
/// assert_eq!((summary.changed(), summary.replacements()), (1, 0));
/// // Subject, Content-Type, and a Content-Transfer-Encoding for what is no ASCII any more.
/// assert_eq!((summary.changed_fields(), summary.changed_parts()), (3, 1));
/// assert_eq!(summary.relabelled_parts(), 0);
/// assert_eq!(
///     summary.to_string(),
///     "1 of 2 messages in 1 file changed: 3 fields and 1 of 2 parts, and 0 parts labelled anew"
/// );
/// assert!(summary.charsets().contains(&("KOI8-R", 1)));
/// // The octet under US-ASCII could only be guessed.
/// let problem = summary.problems()[0];
/// assert_eq!((problem.kind(), problem.count()), ("unconverted", 1));
/// assert!(problem.examples()[0].starts_with("#1, at "));
/// assert_eq!(summary.problem_count(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Summary {
    pub(super) files: u64,
    messages: u64,
    octets: u64,
    changed: u64,
    changed_fields: u64,
    changed_parts: u64,
    relabelled_parts: u64,
    replacements: u64,
    parts: u64,
    charsets: BTreeMap<String, u64>,
    /// By their kind.
    problems: BTreeMap<String, Places>,
}

/// How often something was met, and where first.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Places {
    count: u64,
    first: Vec<String>,
}

/// How many places are examples; the report has all.
const SHOWN: usize = 3;

/// Things of one kind that a person should look at; [`Summary::problems`] has them.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, sync::atomic::AtomicBool};
/// use mime_charset_archive::Convert;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// fs::create_dir(folder.join("old"))?;
/// fs::write(folder.join("old/notes"), "no mail")?;
/// let conversion = Convert::new(folder.join("old"), folder.join("new"));
/// let outcome = conversion.run(&AtomicBool::new(false), |_| ())?;
/// let problem = outcome.summary().problems()[0];
/// assert_eq!((problem.kind(), problem.count()), ("no-mail", 1));
/// assert!(problem.examples()[0].ends_with("notes"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Problem<'s> {
    kind: &'s str,
    places: &'s Places,
}

impl<'s> Problem<'s> {
    /// What it is: `failed` for files that could not be converted, `no-mail` for files that are no
    /// mail, `replaced` for text with characters lost, or the name of a
    /// [`Kind`]: `unconverted`, `signed-content` or `document-conflict`.
    #[must_use]
    pub fn kind(&self) -> &'s str {
        self.kind
    }

    /// How often it was met.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.places.count
    }

    /// Where it was met first, at most three times, each in a sentence.
    #[must_use]
    pub fn examples(&self) -> &'s [String] {
        &self.places.first
    }
}

impl Summary {
    /// How many files there are at the destination.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.files
    }

    /// How many messages were read.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// How many octets they had.
    #[must_use]
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// How many messages were changed.
    #[must_use]
    pub fn changed(&self) -> u64 {
        self.changed
    }

    /// How many fields were changed, each counted once.
    #[must_use]
    pub fn changed_fields(&self) -> u64 {
        self.changed_fields
    }

    /// How many parts have other octets now.
    #[must_use]
    pub fn changed_parts(&self) -> u64 {
        self.changed_parts
    }

    /// How many parts have another label now, and the same octets.
    #[must_use]
    pub fn relabelled_parts(&self) -> u64 {
        self.relabelled_parts
    }

    /// How often U+FFFD was written for what could not be decoded.
    #[must_use]
    pub fn replacements(&self) -> u64 {
        self.replacements
    }

    /// How many text parts there were.
    #[must_use]
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// The charsets of the text parts, by name, and how many parts were in each.
    #[must_use]
    pub fn charsets(&self) -> Vec<(&str, u64)> {
        let rows = self.charsets.iter();
        rows.map(|(name, count)| (name.as_str(), *count)).collect()
    }

    /// What a person should look at, in the order of the kinds' names.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem<'_>> {
        let rows = self.problems.iter();
        rows.map(|(kind, places)| Problem { kind, places })
            .collect()
    }

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
                self.problem("replaced", || {
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
                self.problem(kind.name(), || {
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

    fn problem(&mut self, kind: &str, place: impl FnOnce() -> String) {
        let places = self.problems.entry(kind.to_owned()).or_default();
        places.count += 1;
        if places.first.len() < SHOWN {
            places.first.push(place());
        }
    }

    /// Counts a file that is not at the destination.
    pub(super) fn missing(&mut self, kind: &'static str, sentence: &str) {
        self.problem(kind, || sentence.to_owned());
    }

    pub(super) fn add(&mut self, other: Summary) {
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
        for (kind, places) in other.problems {
            let sum = self.problems.entry(kind).or_default();
            sum.count += places.count;
            let free = SHOWN - sum.first.len();
            sum.first.extend(places.first.into_iter().take(free));
        }
    }

    /// Whether something of this kind was met.
    pub(super) fn has(&self, kind: &str) -> bool {
        self.problems.contains_key(kind)
    }

    /// How many things a person should look at.
    #[must_use]
    pub fn problem_count(&self) -> u64 {
        self.problems.values().map(|places| places.count).sum()
    }

    pub(super) fn to_json(&self) -> Value {
        let problems: Map<String, Value> = self
            .problems
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
            "needs_eye": problems,
        })
    }

    /// What [`to_json`](Summary::to_json) wrote; `None` for anything else.
    pub(super) fn from_json(value: &Value) -> Option<Summary> {
        let number = |key: &str| value.get(key)?.as_u64();
        let charsets = value.get("charsets")?.as_object()?;
        let problems = value.get("needs_eye")?.as_object()?;
        Some(Summary {
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
            problems: problems
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
}

/// The object that a report has.
impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// One sentence.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
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

/// How many of something there are, in words.
pub(super) fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::Summary;
    use mime_charset::convert::{Conversion, convert};

    #[test]
    fn a_summary_comes_back_from_its_json() {
        let mut summary = Summary::default();
        let source = b"DKIM-Signature: h=subject\nSubject: =?koi8-r?Q?=F0?=\n\n\xE9";
        let converted = convert(source, &Conversion::new());
        summary.message(&"inbox#3", source.len(), &converted);
        summary.missing("failed", "cannot read it");
        assert_eq!(summary.problem_count(), 3, "{summary}");
        assert_eq!(Summary::from_json(&summary.to_json()), Some(summary));
    }
}
