//! A field that describes the body of a part: Content-Type, Content-Disposition or
//! Content-Transfer-Encoding (RFC 2045, RFC 2183).

use std::ops::Range;

use super::ranges::joined;
use crate::header::{self, ContentDisposition, ContentTransferEncoding, ContentType, Parameter};
use crate::report::{Finding, Kind, Report};

/// One of the fields with [`Syntax::Parameters`](crate::header::Syntax::Parameters).
#[derive(Debug)]
pub(crate) enum MimeField<'a> {
    Type(ContentType<'a>),
    Disposition(ContentDisposition<'a>),
    Encoding(ContentTransferEncoding<'a>),
}

impl<'a> MimeField<'a> {
    pub(crate) fn parse(name: &[u8], body: &'a [u8]) -> Self {
        if name.eq_ignore_ascii_case(b"Content-Type") {
            MimeField::Type(header::content_type(body))
        } else if name.eq_ignore_ascii_case(b"Content-Disposition") {
            MimeField::Disposition(header::content_disposition(body))
        } else {
            MimeField::Encoding(header::content_transfer_encoding(body))
        }
    }

    /// The media type, the disposition or the encoding.
    pub(crate) fn value(&self) -> &str {
        match self {
            MimeField::Type(field) => field.media_type(),
            MimeField::Disposition(field) => field.disposition(),
            MimeField::Encoding(field) => field.encoding().name(),
        }
    }

    pub(crate) fn parameters(&self) -> &[Parameter<'a>] {
        match self {
            MimeField::Type(field) => field.parameters(),
            MimeField::Disposition(field) => field.parameters(),
            MimeField::Encoding(_) => &[],
        }
    }

    pub(crate) fn report(&self) -> &Report {
        match self {
            MimeField::Type(field) => field.report(),
            MimeField::Disposition(field) => field.report(),
            MimeField::Encoding(field) => field.report(),
        }
    }

    /// Findings about repeated parameters and sections.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = &Finding> {
        let kinds = [Kind::DuplicateParameter, Kind::DuplicateSection];
        self.report()
            .iter()
            .filter(move |finding| kinds.contains(&finding.kind()))
    }

    /// The ranges of all parameters, including repeated ones, in order and disjoint.
    pub(crate) fn parameter_ranges(&self) -> Vec<Range<usize>> {
        let used = self.parameters().iter().map(range_of);
        let repeated = self.repeated().map(Finding::range);
        joined(used.chain(repeated).collect())
    }
}

/// The octets of a parameter in the field body.
pub(crate) fn range_of(parameter: &Parameter<'_>) -> Range<usize> {
    parameter.offset()..parameter.offset() + parameter.length()
}
