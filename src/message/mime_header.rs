//! The fields that describe a part (RFC 2045, section 3), parsed once.

use std::borrow::Cow;
use std::ops::Range;

use super::closed::report_closed;
use super::part::Part;
use crate::charset::{Decoded, Options};
use crate::decode::FieldText;
use crate::header::{self, ContentDisposition, ContentTransferEncoding, ContentType, Parameter};
use crate::report::Report;
use crate::transfer::Transferred;

/// The MIME header fields of a part (RFC 2045, section 3), parsed by [`Part::mime_header`].
///
/// ```
/// use mime_charset::{Kind, Message, Options};
///
/// let source = b"Content-Type: text/plain; charset=koi8-r; name=\"a.txt\";\n\n\xF0\xD2\xC9";
/// let message = Message::parse(source);
/// let part = message.parts().next().unwrap();
/// let (header, octets, options) = (part.mime_header(), part.octets(), Options::new());
/// assert_eq!(header.content_type.media_type(), "text/plain");
/// assert!(header.content_disposition.is_none() && header.report().has(Kind::EmptyParameter));
/// assert_eq!(header.filename(&options).unwrap().as_str(), "a.txt");
/// assert_eq!(header.text(&octets, &options), part.text());
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct MimeHeader<'m> {
    pub(super) part: Part<'m>,
    /// The Content-Type field, or its default, as from [`Part::content_type`].
    pub content_type: ContentType<'m>,
    pub(super) transfer_encoding: Option<ContentTransferEncoding<'m>>,
    /// The Content-Disposition field, if there is one.
    pub content_disposition: Option<ContentDisposition<'m>>,
}

impl<'m> Part<'m> {
    /// The file name, decoded with default [`Options`]: the `filename` of the Content-Disposition (RFC
    /// 2183, section 2.3), else the `name` of the Content-Type. It is for display, with any folders in
    /// it. Offsets of findings count octets of the message, or of the embedded message that had to be
    /// decoded.
    #[must_use]
    pub fn filename(self) -> Option<FieldText<'static>> {
        self.filename_with(&Options::new())
    }

    /// The file name, read as `options` say.
    #[must_use]
    pub fn filename_with(self, options: &Options) -> Option<FieldText<'static>> {
        let disposition = self.content_disposition();
        let content_type = |range: &Range<usize>| {
            let may_have = header::may_have_parameter(self.slice(range), *b"name");
            may_have.then(|| Cow::Owned(self.content_type()))
        };
        self.filename_in(disposition.as_ref(), content_type, options)
    }

    /// Parses the fields that describe the part, for callers that need several of them.
    #[must_use]
    pub fn mime_header(self) -> MimeHeader<'m> {
        let encoding = self.entity().transfer_encoding.as_ref();
        MimeHeader {
            part: self,
            content_type: self.content_type(),
            transfer_encoding: encoding
                .map(|range| header::content_transfer_encoding(self.slice(range))),
            content_disposition: self.content_disposition(),
        }
    }

    /// The `filename` of Content-Disposition (RFC 2183, section 2.3), or else the `name` of
    /// Content-Type. `content_type` parses that field, only if needed.
    pub(super) fn filename_in<'c>(
        self,
        disposition: Option<&ContentDisposition<'_>>,
        content_type: impl FnOnce(&Range<usize>) -> Option<Cow<'c, ContentType<'m>>>,
        options: &Options,
    ) -> Option<FieldText<'static>>
    where
        'm: 'c,
    {
        let entity = self.entity();
        let filename = disposition.and_then(|field| field.parameter("filename"));
        if let (Some(filename), Some(range)) = (filename, &entity.content_disposition) {
            return Some(self.name_in(filename, range, options));
        }
        let range = entity.content_type.as_ref()?;
        let content_type = content_type(range)?;
        Some(self.name_in(content_type.parameter("name")?, range, options))
    }

    /// The file name in a parameter of the field whose body is at `range`.
    pub(super) fn name_in(
        self,
        parameter: &Parameter<'_>,
        range: &Range<usize>,
        options: &Options,
    ) -> FieldText<'static> {
        let mut name = self.parameter_text(parameter, options);
        name.shift(range.start);
        name
    }

    /// The text of a parameter in the header of this part. Offsets count octets of the field body.
    pub(crate) fn parameter_text(
        self,
        parameter: &Parameter<'_>,
        options: &Options,
    ) -> FieldText<'static> {
        // Only octets without a label need the hint, and looking it up takes time.
        let mut text = parameter.text_with(options);
        if text.is_guessed() {
            text = parameter.text_with(&self.with_hint(options));
        }
        text.into_owned()
    }
}

impl MimeHeader<'_> {
    /// See [`Part::filename_with`].
    #[must_use]
    pub fn filename(&self, options: &Options) -> Option<FieldText<'static>> {
        let disposition = self.content_disposition.as_ref();
        self.part.filename_in(
            disposition,
            |_| Some(Cow::Borrowed(&self.content_type)),
            options,
        )
    }

    /// See [`Part::text_with`]; `octets` are those of [`Part::octets`].
    #[must_use]
    pub fn text<'b>(&self, octets: &'b Transferred<'_>, options: &Options) -> Decoded<'b> {
        let report = octets.report().clone();
        let part = self.part;
        part.text_of(octets.as_bytes(), report, &self.content_type, options)
    }

    /// The findings in the fields that describe the part: Content-Type, Content-Transfer-Encoding and
    /// Content-Disposition. A container that may hold text, but that this library does not open, is
    /// [`Kind::ClosedContent`](crate::Kind::ClosedContent). So is text with a line in its first 64 KiB
    /// that begins yEnc or `BinHex`. Offsets count octets of the message, or of the embedded message
    /// that had to be decoded.
    ///
    /// ```
    /// use mime_charset::{Kind, Message};
    ///
    /// let message = Message::parse(b"Content-Type: text/plain;; charset=utf-8\n\nText");
    /// let report = message.parts().next().unwrap().mime_header().report();
    /// assert_eq!(report.findings()[0].kind(), Kind::EmptyParameter);
    /// assert_eq!(report.findings()[0].offset(), 24);
    /// ```
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
        report_closed(self.part, &self.content_type, &mut report);
        report
    }
}
