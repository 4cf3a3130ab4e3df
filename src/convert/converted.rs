//! What a conversion gives.

use std::borrow::Cow;

use crate::charset::Charset;
use crate::error::Error;
use crate::prove::Change;
use crate::report::Report;

/// A message in UTF-8, and what was changed to get there.
///
/// ```
/// use mime_charset::convert::{Conversion, convert};
///
/// let converted = convert(b"Subject: plain\n\ntext\n", &Conversion::new());
/// assert!(converted.changes().is_empty() && converted.report().is_empty());
/// ```
#[derive(Debug, Clone)]
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
    /// Whether it has to be proved, as [`Draft::needs_proof`](super::draft::Draft::needs_proof) says.
    pub(super) needs_proof: bool,
}

impl AsRef<[u8]> for Converted<'_> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<'a> Converted<'a> {
    /// The octets of the message.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
    /// assert_eq!(converted.as_bytes(), b"X: =?UTF-8?B?w6k=?=\n\n");
    /// ```
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.octets
    }

    /// The octets by value, borrowed from the source where nothing had to change.
    ///
    /// ```
    /// use std::borrow::Cow;
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let octets = convert(b"Subject: plain\n\n", &Conversion::new()).into_octets();
    /// assert!(matches!(octets, Cow::Borrowed(_)));
    /// ```
    #[must_use]
    pub fn into_octets(self) -> Cow<'a, [u8]> {
        self.octets
    }

    /// The changed ranges, in the order of the message.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"X: =?latin1?Q?=E9?=\n\n", &Conversion::new());
    /// assert_eq!(converted.changes()[0].before(), 3..19);
    /// assert_eq!(converted.changes()[0].after(), 3..19);
    /// ```
    #[must_use]
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// What was left alone and why, and what the changes break; offsets count octets of the
    /// source.
    ///
    /// ```
    /// use mime_charset::{Kind, convert::{Conversion, convert}};
    ///
    /// let converted = convert(b"\n\ncaf\xE9", &Conversion::new());
    /// assert!(converted.report().has(Kind::Unconverted));
    /// ```
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The body of the source's first Message-ID field, as it stands there (RFC 5322, section
    /// 3.6.4).
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"Message-ID: <1@example.org>\n\n", &Conversion::new());
    /// assert_eq!(converted.message_id(), Some(&b" <1@example.org>"[..]));
    /// ```
    #[must_use]
    pub fn message_id(&self) -> Option<&'a [u8]> {
        self.message_id
    }

    /// The header block of the source, up to its empty line (RFC 5322, section 2.1).
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"Subject: plain\n\ntext\n", &Conversion::new());
    /// assert_eq!(converted.header(), b"Subject: plain\n\n");
    /// ```
    #[must_use]
    pub fn header(&self) -> &'a [u8] {
        self.header
    }

    /// How many parts the message has that are no multiparts.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// assert_eq!(convert(b"Subject: plain\n\ntext\n", &Conversion::new()).parts(), 1);
    /// ```
    #[must_use]
    pub fn parts(&self) -> usize {
        self.parts
    }

    /// How many fields were changed or added, each counted once however many
    /// [changes](Converted::changes) are in it: what [`Verification::fields`](super::Verification::fields) counts.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let source = b"X: =?latin1?Q?=E9?= and =?koi8-r?Q?=F0?=\n\n";
    /// let converted = convert(source, &Conversion::new());
    /// assert_eq!((converted.changes().len(), converted.changed_fields()), (2, 1));
    /// ```
    #[must_use]
    pub fn changed_fields(&self) -> usize {
        self.changed.fields
    }

    /// How many parts have a body of other octets: what [`Verification::parts`](super::Verification::parts) counts.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let converted = convert(b"Content-Type: text/plain; charset=latin1\n\n\xE9\n", &Conversion::new());
    /// assert_eq!(converted.changed_parts(), 1);
    /// ```
    #[must_use]
    pub fn changed_parts(&self) -> usize {
        self.changed.parts
    }

    /// How many parts have a body of the same octets under another label: what
    /// [`Verification::relabelled`](super::Verification::relabelled) counts.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// // In US-ASCII, as its octets are, and UTF-8 has the same.
    /// let converted = convert(b"Content-Type: text/plain; charset=latin1\n\ne\n", &Conversion::new());
    /// assert_eq!((converted.changed_parts(), converted.relabelled_parts()), (0, 1));
    /// ```
    #[must_use]
    pub fn relabelled_parts(&self) -> usize {
        self.changed.labels
    }

    /// The charset of the source of each text part that was looked at, in their order.
    ///
    /// ```
    /// use mime_charset::{Charset, convert::{Conversion, convert}};
    ///
    /// let converted = convert(b"Content-Type: text/plain; charset=koi8-r\n\n\xF0", &Conversion::new());
    /// assert_eq!(converted.charsets()[0].name(), "KOI8-R");
    /// ```
    #[must_use]
    pub fn charsets(&self) -> &[Charset] {
        &self.charsets
    }

    /// Why the message was left as it is, under [`OnMalformed::Fail`](super::OnMalformed::Fail).
    ///
    /// ```
    /// use mime_charset::convert::{OnMalformed, Conversion, convert};
    ///
    /// let options = Conversion::new().on_malformed(OnMalformed::Fail);
    /// let converted = convert(b"X: =?euc-kr?Q?=FF?=\n\n", &options);
    /// assert_eq!(converted.failure().unwrap().offset(), Some(3));
    /// ```
    #[must_use]
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

/// How much of a message was changed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    pub(super) fields: usize,
    /// Those whose octets were.
    pub(super) parts: usize,
    /// Those that were labelled anew and nothing else.
    pub(super) labels: usize,
}
