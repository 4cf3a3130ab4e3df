//! One entity: the ranges of its header and its body.

use std::ops::Range;
use std::sync::OnceLock;

use crate::charset::{Charset, Origin};

/// One header with its body.
#[derive(Debug, Clone, Default)]
pub(super) struct Entity {
    /// The buffer that contains it: 0 for the message's own octets, n for `decoded[n - 1]`.
    pub(super) buffer: usize,
    pub(super) parent: Option<usize>,
    /// The number of enclosing entities.
    pub(super) depth: usize,
    /// Its number among the parts of its multipart, from 1.
    pub(super) number: usize,
    pub(super) shape: EntityShape,
    /// Whether its media type is text.
    pub(super) is_text: bool,
    pub(super) header: Range<usize>,
    pub(super) body: Range<usize>,
    /// The indexes of its fields in the message's list, and the offset of its first field that is
    /// not in the list.
    pub(super) listed: Range<usize>,
    pub(super) unlisted: usize,
    /// The body of the first field of each of these names.
    pub(super) content_type: Option<Range<usize>>,
    pub(super) transfer_encoding: Option<Range<usize>>,
    pub(super) content_disposition: Option<Range<usize>>,
    /// The charset that its Content-Type names, computed once.
    pub(super) declared_charset: OnceLock<Option<Charset>>,
    /// The languages and the program of the sender, computed once.
    pub(super) origin: OnceLock<Origin>,
    /// Whether its parts are messages by default (multipart/digest).
    pub(super) digest: bool,
    /// The octet that ends its lines.
    pub(super) line_end: u8,
}

/// The structure of an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum EntityShape {
    /// Octets.
    #[default]
    Leaf,
    /// Parts between delimiters.
    Multipart,
    /// A multipart without a delimiter: its body is text.
    Undivided,
    /// A message. Its content is the next entity.
    Message,
    /// A message with a transfer encoding, before it is walked.
    EncodedMessage,
    /// The rest of the message after a limit.
    Opaque,
}

/// The media type of an entity without a Content-Type field (RFC 2045, section 5.2; RFC 2046,
/// section 5.1.5).
pub(super) fn default_type(is_in_digest: bool) -> &'static str {
    if is_in_digest {
        "message/rfc822"
    } else {
        "text/plain"
    }
}
