//! The numbers of a conversion.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use mime_charset::Kind;
use mime_charset::convert::Converted;

/// The numbers of a conversion, and the problems that need a person's attention.
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
/// let summary = outcome.summary;
/// assert_eq!((summary.files, summary.messages, summary.parts), (1, 2, 2));
/// assert_eq!(summary.octets, mailbox.len() as u64);
/// assert_eq!((summary.changed, summary.replacements, summary.excluded), (1, 0, 0));
/// // Subject and Content-Type. The new text has octets above 7F, so Content-Transfer-Encoding too.
/// assert_eq!((summary.changed_fields, summary.changed_parts), (3, 1));
/// assert_eq!(summary.relabelled_parts, 0);
/// assert_eq!(
///     summary.to_string(),
///     "1 of 2 messages in 1 file changed: 3 fields and 1 of 2 parts; 0 parts relabelled"
/// );
/// assert_eq!(summary.charsets["KOI8-R"], 1);
/// // An octet above 7F under US-ASCII can only be guessed.
/// let problem = &summary.problems["unconverted"];
/// assert_eq!(problem.count, 1);
/// assert!(problem.examples[0].starts_with("#1, at "));
/// assert_eq!(summary.problem_count(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Summary {
    /// The number of files at the destination.
    pub files: u64,
    /// The number of files and folders left out by the caller.
    #[serde(default)]
    pub excluded: u64,
    /// The number of messages read.
    pub messages: u64,
    /// The number of octets in them, including the separators and blank lines of mailboxes.
    pub octets: u64,
    /// The number of messages changed.
    pub changed: u64,
    /// The number of fields changed; a field counts once.
    pub changed_fields: u64,
    /// The number of parts whose octets changed.
    pub changed_parts: u64,
    /// The number of parts with a new label and unchanged octets.
    pub relabelled_parts: u64,
    /// The number of U+FFFD characters written for undecodable octets.
    pub replacements: u64,
    /// The number of text parts.
    pub parts: u64,
    /// The number of text parts in each charset, by name.
    pub charsets: BTreeMap<String, u64>,
    /// Problems that need a person's attention, by kind. `failed`: files that could not be
    /// converted. `unread`: files that could not be read, if the caller accepts that. `no-mail`:
    /// files that are not mail. `undelivered`: files in `tmp` of a Maildir. `partial`: messages whose attachments are in other files.
    /// `replaced`: text with characters lost. The others have the name of a [`Kind`]:
    /// `unconverted`, `signed-content` or `document-conflict`.
    #[serde(rename = "needs_eye")]
    pub problems: BTreeMap<String, Problem>,
}

/// Maximum number of examples per problem; the report has all of them.
const SHOWN: usize = 3;

/// Problems of one kind, in [`Summary::problems`].
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
/// let problem = &outcome.summary.problems["no-mail"];
/// assert_eq!(problem.count, 1);
/// assert!(problem.examples[0].ends_with("notes"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Problem {
    /// The number of occurrences.
    pub count: u64,
    /// The first occurrences, at most three, one sentence each.
    #[serde(rename = "first")]
    pub examples: Vec<String>,
}

impl Summary {
    /// Counts one converted message.
    pub(super) fn message(&mut self, place: &dyn fmt::Display, octets: usize, of: &Converted<'_>) {
        self.messages += 1;
        self.octets += octets as u64;
        self.parts += of.parts as u64;
        for charset in of.charsets.clone() {
            *self.charsets.entry(charset.name().to_owned()).or_default() += 1;
        }
        let changes = &of.changes;
        self.changed += u64::from(!changes.is_empty());
        self.changed_fields += of.changed_fields as u64;
        self.changed_parts += of.changed_parts as u64;
        self.relabelled_parts += of.relabelled_parts as u64;
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
        for finding in of.report.findings() {
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

    /// Counts a problem. `example` names its place.
    pub(super) fn problem(&mut self, kind: &str, example: impl FnOnce() -> String) {
        let problem = self.problems.entry(kind.to_owned()).or_default();
        problem.count += 1;
        if problem.examples.len() < SHOWN {
            problem.examples.push(example());
        }
    }

    pub(super) fn add(&mut self, other: Summary) {
        self.files += other.files;
        self.excluded += other.excluded;
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
        for (kind, problem) in other.problems {
            let sum = self.problems.entry(kind).or_default();
            sum.count += problem.count;
            sum.examples.extend(problem.examples);
            sum.examples.truncate(SHOWN);
        }
    }

    /// Whether there is a problem of this kind.
    pub(super) fn has(&self, kind: &str) -> bool {
        self.problems.contains_key(kind)
    }

    /// The number of problems that need a person's attention.
    #[must_use]
    pub fn problem_count(&self) -> u64 {
        self.problems.values().map(|problem| problem.count).sum()
    }
}

/// Formats one sentence.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} in {} changed: {} and {} of {}; {} relabelled",
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

/// A count with its noun.
pub(super) fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize as _;

    use super::Summary;
    use mime_charset::convert::{Conversion, convert};

    #[test]
    fn a_summary_survives_json() {
        let mut summary = Summary::default();
        let source = b"DKIM-Signature: h=subject\nSubject: =?koi8-r?Q?=F0?=\n\n\xE9";
        let converted = convert(source, &Conversion::new());
        summary.message(&"inbox#3", source.len(), &converted);
        summary.problem("failed", || "cannot read it".to_owned());
        assert_eq!(summary.problem_count(), 3, "{summary}");
        let json = serde_json::to_value(&summary).unwrap();
        assert_eq!(Summary::deserialize(json).unwrap(), summary);
    }
}
