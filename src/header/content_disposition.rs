//! Content-Disposition (RFC 2183).

use std::borrow::Cow;

use super::one_parameter::Parameter;
use super::parameter::{opens_value, parameters};
use super::token::{FieldReader, lower_case_text, token};
use crate::report::{Kind, Report};

/// A parsed Content-Disposition field (RFC 2183, section 2).
///
/// ```
/// use mime_charset::{Kind, header::content_disposition};
///
/// let field = content_disposition(b"Inline; filename=my file.txt; size=12");
/// assert_eq!(field.disposition(), "inline");
/// assert_eq!(field.parameter("filename").unwrap().octets(), b"my file.txt");
/// assert_eq!(field.parameters().len(), 2);
/// assert!(field.report().has(Kind::UnquotedSpecial));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentDisposition<'a> {
    disposition: Cow<'a, str>,
    parameters: Vec<Parameter<'a>>,
    report: Report,
}

impl<'a> ContentDisposition<'a> {
    /// The disposition in lower case, such as `inline`. If the field has no disposition, `attachment`,
    /// since RFC 2183, section 2.8, treats unknown dispositions so.
    #[must_use]
    pub fn disposition(&self) -> &str {
        &self.disposition
    }

    /// The parameter of that name, ignoring ASCII case.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&Parameter<'a>> {
        self.parameters
            .iter()
            .find(|parameter| parameter.is_named(name))
    }

    /// The parameters in the order of the field, which has no meaning (RFC 2045, section 5). Names are
    /// unique.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter<'a>] {
        &self.parameters
    }

    /// Departures from RFC 2183 and RFC 2231. Offsets are into the field body.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Converts the field to owned octets, which outlive the message.
    ///
    /// ```
    /// use mime_charset::header::{self, ContentDisposition};
    ///
    /// let disposition: ContentDisposition<'static> = {
    ///     let body = b"inline; filename=a.txt".to_vec();
    ///     header::content_disposition(&body).into_owned()
    /// };
    /// assert_eq!(disposition.disposition(), "inline");
    /// ```
    #[must_use]
    pub fn into_owned(self) -> ContentDisposition<'static> {
        ContentDisposition {
            disposition: Cow::Owned(self.disposition.into_owned()),
            parameters: self
                .parameters
                .into_iter()
                .map(Parameter::into_owned)
                .collect(),
            report: self.report,
        }
    }
}

/// Parses the body of a Content-Disposition field (RFC 2183, section 2).
///
/// Accepts any octets; departures from the grammar are reported.
///
/// ```
/// use mime_charset::header::content_disposition;
///
/// let field = content_disposition(b"Attachment; filename=genome.jpeg");
/// assert_eq!(field.disposition(), "attachment");
/// assert_eq!(field.parameter("filename").unwrap().octets(), b"genome.jpeg");
/// ```
#[must_use]
pub fn content_disposition(body: &[u8]) -> ContentDisposition<'_> {
    let mut field = FieldReader::new(body);
    let input = field.skip_cfws(body);
    let found = token(input).ok().filter(|(rest, _)| !opens_value(rest));
    let (rest, disposition, separated) = if let Some((rest, name)) = found {
        (rest, lower_case_text(name), false)
    } else {
        let at = field.offset(input);
        let detail = "a field without a disposition, read as attachment";
        field.add(Kind::MissingValue, at, 0, detail);
        (input, Cow::Borrowed("attachment"), true)
    };
    let parameters = parameters(&mut field, rest, separated);
    ContentDisposition {
        disposition,
        parameters,
        report: field.report,
    }
}

#[cfg(test)]
mod tests {
    use super::content_disposition;
    use crate::header::tests::kinds;

    #[test]
    fn dispositions() {
        let read = |body: &str| {
            let field = content_disposition(body.as_bytes());
            (field.disposition().to_owned(), kinds(field.report()))
        };
        let is = |disposition: &str, kinds: &str| (disposition.to_owned(), kinds.to_owned());
        assert_eq!(read("INLINE"), is("inline", ""));
        assert_eq!(read("attachment; filename=a"), is("attachment", ""));
        assert_eq!(read("filename=a"), is("attachment", "missing-value"));
        assert_eq!(read("; filename=a"), is("attachment", "missing-value"));
    }
}
