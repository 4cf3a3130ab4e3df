//! Formats the location of a message for display.

use std::fmt;
use std::path::Path;

use crate::format::Format;
use crate::mbox::Stored;
use crate::store::MailSource;

/// The location of a message, for display.
pub(super) struct Place<'s>(pub(super) &'s MailSource, pub(super) &'s Stored);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        f.write_str(&number(self.0.format(), self.1.ordinal()))
    }
}

/// The prefix of a source's path (its member name in a zip or tar file), and its path relative to
/// the given one.
pub(super) fn below<'s>(source: &'s MailSource, named: &Path) -> (String, &'s Path) {
    let path = source.path();
    let shown = source.to_string();
    let member = shown.strip_suffix(&path.display().to_string());
    let below = path.strip_prefix(named).unwrap_or(path);
    (member.unwrap_or_default().to_owned(), below)
}

/// The suffix of a source's path for one of its messages; empty for the first.
pub(super) fn number(format: Format, ordinal: u64) -> String {
    if format == Format::Mbox && ordinal > 0 {
        format!("#{ordinal}")
    } else {
        String::new()
    }
}
