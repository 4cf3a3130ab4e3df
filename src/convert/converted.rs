//! The result of a conversion.

use std::borrow::Cow;
use std::fmt;

use crate::charset::Charset;
use crate::error::Error;
use crate::prove::Change;
use crate::report::Report;

/// A message in UTF-8, and what was changed.
///
/// ```
/// use std::borrow::Cow;
/// use mime_charset::convert::{Conversion, OnMalformed, convert};
///
/// let source = b"Message-ID: <1@example.org>\nX: =?latin1?Q?=E9?= and =?koi8-r?Q?=F0?=\n\
///     Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n\xF0\n";
/// let converted = convert(source, &Conversion::new());
/// assert!(converted.as_bytes().ends_with("\n\nП\n".as_bytes()));
/// assert_eq!(converted.message_id(), Some(&b" <1@example.org>"[..]));
/// assert!(source.starts_with(converted.header()) && converted.header().ends_with(b"8bit\n\n"));
/// assert_eq!((converted.parts(), converted.charsets()[0].name()), (1, "KOI8-R"));
/// // Two words in one field, the label and the body.
/// assert_eq!((converted.changes().len(), converted.changed_fields()), (4, 2));
/// assert_eq!((converted.changed_parts(), converted.relabelled_parts()), (1, 0));
/// assert!(converted.report().is_empty() && converted.failure().is_none());
///
/// let octets = convert(b"Subject: plain\n\ntext\n", &Conversion::new()).into_octets();
/// assert!(matches!(octets, Cow::Borrowed(_)));
///
/// let options = Conversion::new().on_malformed(OnMalformed::Fail);
/// let refused = convert(b"X: =?euc-kr?Q?=FF?=\n\n", &options);
/// assert_eq!(refused.failure().unwrap().offset(), Some(3));
/// ```
#[derive(Clone)]
#[must_use]
pub struct Converted<'a> {
    pub(super) octets: Cow<'a, [u8]>,
    pub(super) changes: Vec<Change>,
    pub(super) report: Report,
    pub(super) failure: Option<Error>,
    pub(super) header: &'a [u8],
    pub(super) message_id: Option<&'a [u8]>,
    pub(super) parts: usize,
    pub(super) changed: Counts,
    pub(super) charsets: Vec<Charset>,
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

    /// The changes, in the order of the message.
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What was left alone and why, and what the changes break. Offsets count octets of the source.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The body of the first Message-ID field of the source, verbatim (RFC 5322, section 3.6.4).
    #[must_use]
    pub fn message_id(&self) -> Option<&'a [u8]> {
        self.message_id
    }

    /// The header block of the source, including its empty line (RFC 5322, section 2.1).
    #[must_use]
    pub fn header(&self) -> &'a [u8] {
        self.header
    }

    /// The number of parts of the message, not counting multiparts.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// The number of fields that were changed or added, however many [changes](Converted::changes) each
    /// has. [`Verification::fields`](super::Verification::fields) is the same number.
    #[must_use]
    pub fn changed_fields(&self) -> usize {
        self.changed.fields
    }

    /// The number of bodies whose octets were changed. [`Verification::parts`](super::Verification::parts)
    /// is the same number.
    #[must_use]
    pub fn changed_parts(&self) -> usize {
        self.changed.parts
    }

    /// The number of bodies with unchanged octets and a new label.
    /// [`Verification::relabelled`](super::Verification::relabelled) is the same number.
    #[must_use]
    pub fn relabelled_parts(&self) -> usize {
        self.changed.labels
    }

    /// The original charset of each text part that was examined, in their order.
    #[must_use]
    pub fn charsets(&self) -> &[Charset] {
        &self.charsets
    }

    /// Why the message was left as it is, under [`OnMalformed::Fail`](super::OnMalformed::Fail).
    #[must_use]
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// Takes all changes back.
    pub(super) fn take_back(&mut self, source: &'a [u8]) {
        self.octets = Cow::Borrowed(source);
        self.changes.clear();
        self.changed = Counts::default();
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

/// How much of a message was changed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) fields: usize,
    /// Bodies with new octets.
    pub(super) parts: usize,
    /// Bodies with unchanged octets and a new label.
    pub(super) labels: usize,
}
