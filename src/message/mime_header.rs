//! The fields that say what a part is (RFC 2045, section 3), read once.

use std::borrow::Cow;

use super::Part;
use crate::charset::{Decoded, Options};
use crate::decode::FieldText;
use crate::header::{ContentDisposition, ContentTransferEncoding, ContentType};
use crate::report::Report;
use crate::transfer::Transferred;

/// What the MIME header fields of a part say (RFC 2045, section 3): what [`Part::mime_header`] read.
///
/// ```
/// use mime_charset::{Message, Options};
///
/// let source = b"Content-Type: text/plain; charset=koi8-r; name=\"a.txt\";\n\n\xF0\xD2\xC9";
/// let message = Message::parse(source);
/// let part = message.parts().next().unwrap();
/// let (header, octets, options) = (part.mime_header(), part.octets(), Options::new());
/// assert_eq!(header.content_type().media_type(), "text/plain");
/// assert!(header.is_text() && header.content_disposition().is_none());
/// assert_eq!(header.filename(&options).unwrap().as_str(), "a.txt");
/// assert_eq!(header.report(), part.report());
/// assert_eq!(header.text(&octets, &options), part.text());
/// ```
#[derive(Debug, Clone)]
pub struct MimeHeader<'m> {
    pub(super) part: Part<'m>,
    pub(super) content_type: ContentType<'m>,
    pub(super) transfer_encoding: Option<ContentTransferEncoding<'m>>,
    pub(super) content_disposition: Option<ContentDisposition<'m>>,
}

impl<'m> MimeHeader<'m> {
    /// What [`Part::content_type`] gives.
    #[must_use]
    pub fn content_type(&self) -> &ContentType<'m> {
        &self.content_type
    }

    /// What [`Part::content_disposition`] gives.
    #[must_use]
    pub fn content_disposition(&self) -> Option<&ContentDisposition<'m>> {
        self.content_disposition.as_ref()
    }

    /// Whether [`Part::is_text`].
    #[must_use]
    pub fn is_text(&self) -> bool {
        self.part.is_text()
    }

    /// What [`Part::filename`] gives.
    #[must_use]
    pub fn filename(&self, options: &Options) -> Option<FieldText<'static>> {
        let disposition = self.content_disposition.as_ref();
        self.part.filename_in(
            disposition,
            |_| Some(Cow::Borrowed(&self.content_type)),
            options,
        )
    }

    /// What [`Part::text_with`] gives; `octets` are what [`Part::octets`] gave.
    #[must_use]
    pub fn text<'b>(&self, octets: &'b Transferred<'_>, options: &Options) -> Decoded<'b> {
        let report = octets.report().clone();
        let part = self.part;
        part.text_of(octets.as_bytes(), report, &self.content_type, options)
    }

    /// What [`Part::report`] gives.
    #[must_use]
    pub fn report(&self) -> Report {
        let entity = self.part.entity();
        let encoding = self.transfer_encoding.as_ref();
        let disposition = self.content_disposition.as_ref();
        let mut report = Report::new();
        for (range, of_field) in [
            (&entity.content_type, Some(self.content_type.report())),
            (
                &entity.transfer_encoding,
                encoding.map(ContentTransferEncoding::report),
            ),
            (
                &entity.content_disposition,
                disposition.map(ContentDisposition::report),
            ),
        ] {
            if let (Some(range), Some(of_field)) = (range, of_field) {
                report.absorb(of_field.clone(), range.start);
            }
        }
        report
    }
}
