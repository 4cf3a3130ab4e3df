//! The stored form of a message.

use std::borrow::Cow;
use std::ops::Range;

use crate::format::Format;
use crate::mbox::{self, Dialect, Stored};

/// A Content-Length that changes with the body. The ranges are offsets in the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewLength {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

/// The stored form of a message at the destination. In a mailbox it is quoted, and a Content-Length
/// that was correct stays correct.
pub(super) fn stored_form<'m>(
    format: Format,
    stored: &Stored,
    message: &'m [u8],
) -> (Cow<'m, [u8]>, Option<NewLength>) {
    if format != Format::Mbox {
        return (Cow::Borrowed(message), None);
    }
    let dialect = stored.entry().dialect();
    let quoted = stored.written(message);
    let was_right = matches!(dialect, Dialect::Mboxcl | Dialect::Mboxcl2);
    if was_right
        && let Some((_, octets)) = mbox::right_length(&quoted)
        && let Some((digits, _)) = mbox::content_length(message)
        && let Some((before, _)) = mbox::content_length(&stored.message())
    {
        let number = octets.to_string();
        let mut changed = message.get(..digits.start).unwrap_or_default().to_vec();
        changed.extend_from_slice(number.as_bytes());
        changed.extend_from_slice(message.get(digits.end..).unwrap_or_default());
        let after = digits.start..digits.start + number.len();
        let changed = stored.written(&changed).into_owned();
        return (Cow::Owned(changed), Some(NewLength { before, after }));
    }
    (quoted, None)
}
