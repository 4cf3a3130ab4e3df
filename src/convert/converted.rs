//! The result of a conversion.

use std::borrow::Cow;
use std::fmt;

use crate::charset::Charset;
use crate::error::Error;
use crate::prove::Change;
use crate::report::Report;

/// A message in UTF-8, and its changes.
///
/// ```
/// use std::borrow::Cow;
/// use mime_charset::convert::{Conversion, OnMalformed, convert};
///
/// let source = b"X: =?latin1?Q?=E9?= and =?koi8-r?Q?=F0?=\n\
///     Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n\xF0\n";
/// let converted = convert(source, &Conversion::new());
/// assert!(converted.as_bytes().ends_with("\n\nП\n".as_bytes()));
/// assert!(source.starts_with(converted.header) && converted.header.ends_with(b"8bit\n\n"));
/// assert_eq!((converted.parts, converted.charsets[0].name()), (1, "KOI8-R"));
/// // Two words in one field, the label and the body.
/// assert_eq!((converted.changes.len(), converted.changed_fields), (4, 2));
/// assert_eq!((converted.changed_parts, converted.relabelled_parts), (1, 0));
/// assert!(converted.report.is_empty() && converted.failure.is_none());
///
/// let octets = convert(b"Subject: plain\n\ntext\n", &Conversion::new()).into_octets();
/// assert!(matches!(octets, Cow::Borrowed(_)));
///
/// let options = Conversion { on_malformed: OnMalformed::Fail, ..Conversion::new() };
/// let refused = convert(b"X: =?euc-kr?Q?=FF?=\n\n", &options);
/// assert_eq!(refused.failure.unwrap().offset(), Some(3));
/// ```
#[derive(Clone)]
#[non_exhaustive]
#[must_use]
pub struct Converted<'a> {
    pub(super) octets: Cow<'a, [u8]>,
    /// The changes, in the order of the message.
    pub changes: Vec<Change>,
    /// The parts that were kept, with the reasons, and the signatures, digests and document
    /// declarations that the changes make wrong. Offsets count octets of the source.
    pub report: Report,
    /// Why the message was kept as it is, under [`OnMalformed::Fail`](super::OnMalformed::Fail).
    pub failure: Option<Error>,
    /// The header block of the source, including its empty line (RFC 5322, section 2.1).
    pub header: &'a [u8],
    /// The number of parts of the message, not counting multiparts.
    pub parts: usize,
    /// The number of changed or added fields, each counted once however many
    /// [changes](Converted::changes) it has. Equals
    /// [`Verification::fields`](super::Verification::fields).
    pub changed_fields: usize,
    /// The number of bodies whose octets were changed. Equals
    /// [`Verification::parts`](super::Verification::parts).
    pub changed_parts: usize,
    /// The number of bodies with unchanged octets and a new label. Equals
    /// [`Verification::relabelled`](super::Verification::relabelled).
    pub relabelled_parts: usize,
    /// The original charset of each examined text part, in order.
    pub charsets: Vec<Charset>,
}

impl<'a> Converted<'a> {
    /// The octets of the message.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.octets
    }

    /// The octets by value, borrowed from the source if nothing was changed.
    #[must_use]
    pub fn into_octets(self) -> Cow<'a, [u8]> {
        self.octets
    }

    /// Reverts all changes.
    pub(super) fn revert(&mut self, source: &'a [u8]) {
        self.octets = Cow::Borrowed(source);
        self.changes.clear();
        self.changed_fields = 0;
        self.changed_parts = 0;
        self.relabelled_parts = 0;
    }
}

/// Shows the length of the message instead of its octets.
impl fmt::Debug for Converted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Converted")
            .field("length", &self.octets.len())
            .field("changes", &self.changes)
            .field("report", &self.report)
            .field("failure", &self.failure)
            .field("charsets", &self.charsets)
            .finish_non_exhaustive()
    }
}

/// The numbers of changes in a message.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) fields: usize,
    /// Bodies with new octets.
    pub(super) parts: usize,
    /// Bodies with unchanged octets and a new label.
    pub(super) labels: usize,
}
