//! A message in what is said to people.

use std::fmt;

use crate::archive::mbox::Stored;
use crate::archive::{Format, MailSource};

/// A message in what is said to people.
pub(super) struct Place<'s>(pub(super) &'s MailSource, pub(super) &'s Stored);

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)?;
        f.write_str(&number(self.0.format(), self.1.ordinal()))
    }
}

/// What stands behind the path of a source for one of its messages: nothing for the first, as
/// wherever messages are listed.
pub(super) fn number(format: Format, ordinal: u64) -> String {
    if format == Format::Mbox && ordinal > 0 {
        format!("#{ordinal}")
    } else {
        String::new()
    }
}
