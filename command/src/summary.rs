//! Formats the numbers of a conversion.

use std::cmp::Reverse;
use std::fmt;

use super::output::in_one_line;

/// Maximum number of failed files named during the run. The summary counts the others.
pub(super) const COMPLAINTS: u64 = 20;

/// Formats the numbers of a conversion as lines for people.
pub(super) struct Summary<'s>(pub(super) &'s mime_charset_archive::Summary);

impl fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Summary(summary) = self;
        if summary.messages > 0 || summary.problem_count() == 0 {
            writeln!(f, "{summary}")?;
        }
        let mut charsets: Vec<_> = summary.charsets.iter().collect();
        if !charsets.is_empty() {
            charsets.sort_by_key(|(_, count)| Reverse(**count));
            let charsets = charsets
                .iter()
                .map(|(name, count)| format!("{name} {count}"));
            let charsets = charsets.collect::<Vec<_>>().join(", ");
            writeln!(f, "charsets of text parts: {charsets}")?;
        }
        match summary.excluded {
            0 => {}
            1 => writeln!(f, "1 file or folder was left out")?,
            count => writeln!(f, "{count} files or folders were left out")?,
        }
        if summary.problem_count() > 0 {
            writeln!(f, "needs review:")?;
        }
        for (kind, problem) in &summary.problems {
            let count = problem.count;
            writeln!(f, "  {}", kind_counted(kind, count))?;
            let named = if matches!(kind.as_str(), "failed" | "unread") {
                // Failed files up to this number were already named.
                count.min(COMPLAINTS)
            } else {
                for place in &problem.examples {
                    writeln!(f, "    {}", in_one_line(place))?;
                }
                problem.examples.len() as u64
            };
            if count > named {
                writeln!(f, "    and {} more", count - named)?;
            }
        }
        Ok(())
    }
}

fn kind_counted(kind: &str, count: u64) -> String {
    let (one, many) = match kind {
        "unconverted" => (
            "part or field left in its charset",
            "parts or fields left in their charset",
        ),
        "signed-content" => (
            "signed or encrypted part, or broken signature",
            "signed or encrypted parts, or broken signatures",
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
        "unread" => (
            "file that could not be read, named above",
            "files that could not be read, named above",
        ),
        "partial" => (
            "message whose attachments Apple Mail keeps in other files",
            "messages whose attachments Apple Mail keeps in other files",
        ),
        "undelivered" => (
            "undelivered file in tmp of a Maildir, skipped",
            "undelivered files in tmp of a Maildir, skipped",
        ),
        "no-mail" => (
            "file that is not mail, skipped",
            "files that are not mail, skipped",
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
