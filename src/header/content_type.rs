//! Content-Type (RFC 2045, section 5), Content-Disposition (RFC 2183) and
//! Content-Transfer-Encoding (RFC 2045, section 6).

use std::borrow::Cow;

use super::parameter::{Parameter, Value, lower_case, parameters, value_named};
use super::token::{
    Field, cfws, is_blank, quoted_string, token, trim, trim_end, trim_start, unquoted,
};
use crate::label::Label;
use crate::report::{Kind, Report};
use crate::transfer::TransferEncoding;

/// What a Content-Type field says (RFC 2045, section 5.1).
///
/// ```
/// use mime_charset::{Kind, header::content_type};
///
/// let field = content_type(b"Text/HTML; Charset=\"iso-8859-1\"; format=flowed; format=fixed");
/// assert_eq!((field.media_type(), field.is_valid()), ("text/html", true));
/// assert_eq!((field.type_name(), field.subtype()), ("text", "html"));
/// assert_eq!(field.charset().unwrap().as_bytes(), b"iso-8859-1");
/// assert_eq!(field.parameter("FORMAT").unwrap().octets(), b"flowed");
/// let names: Vec<_> = field.parameters().iter().map(|parameter| parameter.name()).collect();
/// assert_eq!(names, ["charset", "format"]);
/// assert!(field.report().has(Kind::DuplicateParameter));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentType<'a> {
    media_type: Cow<'a, str>,
    is_valid: bool,
    charset: Option<Label<'a>>,
    parameters: Vec<Parameter<'a>>,
    report: Report,
}

impl<'a> ContentType<'a> {
    /// Type and subtype in lower case, such as `text/plain`; where the field
    /// [is not valid](ContentType::is_valid), `text/plain`, or `multipart/mixed` if only the
    /// subtype of a multipart is missing.
    #[must_use]
    pub fn media_type(&self) -> &str {
        &self.media_type
    }

    /// The type, in lower case.
    #[must_use]
    pub fn type_name(&self) -> &str {
        self.media_type.split_once('/').map_or("", |(name, _)| name)
    }

    /// The subtype, in lower case.
    #[must_use]
    pub fn subtype(&self) -> &str {
        self.media_type.split_once('/').map_or("", |(_, name)| name)
    }

    /// Whether the field has a type and a subtype. One that has not is to be read as
    /// text/plain in US-ASCII (RFC 2045, section 5.2), or as a multipart where it says that much
    /// (RFC 2046, section 5.1.3); its parameters are hints.
    ///
    /// ```
    /// use mime_charset::header::content_type;
    ///
    /// let field = content_type(b"text; charset=utf-8");
    /// assert_eq!((field.is_valid(), field.media_type()), (false, "text/plain"));
    /// assert_eq!(field.charset().unwrap().as_bytes(), b"utf-8");
    /// ```
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.is_valid
    }

    /// The value of the charset parameter (RFC 2046, section 4.1.2) as it is written, `None`
    /// where there is none or it is empty.
    #[must_use]
    pub fn charset(&self) -> Option<&Label<'a>> {
        self.charset.as_ref()
    }

    /// The parameter of that name, which is compared without regard to ASCII case.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&Parameter<'a>> {
        find(&self.parameters, name)
    }

    /// The parameters, each name once. Their order means nothing (RFC 2045, section 5).
    #[must_use]
    pub fn parameters(&self) -> &[Parameter<'a>] {
        &self.parameters
    }

    /// Where the field departs from RFC 2045 and RFC 2231; offsets count octets of its body.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    pub(crate) fn into_report(self) -> Report {
        self.report
    }
}

/// What a Content-Disposition field says (RFC 2183, section 2).
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
    /// The disposition in lower case, such as `inline`; `attachment` where the field has
    /// none, since that is what RFC 2183, section 2.8, makes of those that are not known.
    #[must_use]
    pub fn disposition(&self) -> &str {
        &self.disposition
    }

    /// The parameter of that name, which is compared without regard to ASCII case.
    #[must_use]
    pub fn parameter(&self, name: &str) -> Option<&Parameter<'a>> {
        find(&self.parameters, name)
    }

    /// The parameters, each name once.
    #[must_use]
    pub fn parameters(&self) -> &[Parameter<'a>] {
        &self.parameters
    }

    /// Where the field departs from RFC 2183 and RFC 2231; offsets count octets of its body.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    pub(crate) fn into_report(self) -> Report {
        self.report
    }
}

/// What a Content-Transfer-Encoding field says (RFC 2045, section 6.1).
///
/// ```
/// use mime_charset::{Kind, header::content_transfer_encoding, transfer::TransferEncoding};
///
/// let field = content_transfer_encoding(b" quoted_printable");
/// assert_eq!(field.encoding(), TransferEncoding::QuotedPrintable);
/// assert_eq!(field.label(), b"quoted_printable");
/// assert!(field.report().has(Kind::TransferEncodingRepaired));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentTransferEncoding<'a> {
    encoding: TransferEncoding,
    label: Cow<'a, [u8]>,
    report: Report,
}

impl ContentTransferEncoding<'_> {
    /// The encoding that the field names: [`TransferEncoding::Unknown`] where no standard has
    /// the name, [`TransferEncoding::SevenBit`] where there is none.
    #[must_use]
    pub fn encoding(&self) -> TransferEncoding {
        self.encoding
    }

    /// The name as it is written, without quotes and comments.
    #[must_use]
    pub fn label(&self) -> &[u8] {
        &self.label
    }

    /// Where the field departs from RFC 2045, section 6; offsets count octets of its body.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    pub(crate) fn into_report(self) -> Report {
        self.report
    }
}

/// Reads the body of a Content-Type field (RFC 2045, section 5.1).
///
/// Any octets are read; what departs from the grammar is in the report.
///
/// ```
/// use mime_charset::header::content_type;
///
/// let field = content_type(b"text/plain; charset=us-ascii (Plain text)");
/// assert_eq!(field.media_type(), "text/plain");
/// assert_eq!(field.charset().unwrap().as_bytes(), b"us-ascii");
/// assert!(field.report().is_empty());
/// ```
#[must_use]
pub fn content_type(body: &[u8]) -> ContentType<'_> {
    let mut field = Field::new(body);
    let start = TypeAndRest::of(&mut field);
    let parameters = parameters(&mut field, start.rest, !start.is_valid);
    let is_charset = |parameter: &&Parameter<'_>| parameter.is_named("charset");
    let charset = parameters.iter().find(is_charset).map(Parameter::value);
    let charset = charset.and_then(|value| charset_label(&mut field, value));
    ContentType {
        is_valid: start.is_valid,
        media_type: start.media_type,
        charset,
        parameters,
        report: field.report,
    }
}

/// The media type of a Content-Type field, whose parameters may be long and are not read.
pub(crate) fn media_type_of(body: &[u8]) -> Cow<'_, str> {
    TypeAndRest::of(&mut Field::new(body)).media_type
}

/// The media type and the charset of a Content-Type field, which is all that its text asks for.
pub(crate) fn type_and_charset(body: &[u8]) -> (Cow<'_, str>, Option<Label<'_>>) {
    let mut field = Field::new(body);
    let start = TypeAndRest::of(&mut field);
    let value = value_named(&mut field, start.rest, !start.is_valid, "charset");
    let label = value.and_then(|value| charset_label(&mut field, value));
    (start.media_type, label)
}

/// The media type of a Content-Type field, and the boundary if it is a multipart, which is all that
/// taking a message apart asks for.
pub(crate) fn type_and_boundary(body: &[u8]) -> (Cow<'_, str>, Option<Cow<'_, [u8]>>) {
    let mut field = Field::new(body);
    let start = TypeAndRest::of(&mut field);
    if !start.media_type.starts_with("multipart/") {
        return (start.media_type, None);
    }
    let value = value_named(&mut field, start.rest, !start.is_valid, "boundary");
    (start.media_type, value.map(|value| value.octets))
}

/// Reads the body of a Content-Disposition field (RFC 2183, section 2).
///
/// Any octets are read; what departs from the grammar is in the report.
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
    let mut field = Field::new(body);
    let input = field.skip_cfws(body);
    let found = token(input).ok().filter(|(rest, _)| !opens_value(rest));
    let (rest, disposition, separated) = if let Some((rest, name)) = found {
        (rest, lower_case(name), false)
    } else {
        let at = field.offset(input);
        let detail = "a field without a disposition, read as attachment";
        field.report.add(Kind::MissingValue, at, 0, detail);
        (input, Cow::Borrowed("attachment"), true)
    };
    let parameters = parameters(&mut field, rest, separated);
    ContentDisposition {
        disposition,
        parameters,
        report: field.report,
    }
}

/// Reads the body of a Content-Transfer-Encoding field (RFC 2045, section 6.1).
///
/// Any octets are read; names as mailers damage them are found and reported.
///
/// ```
/// use mime_charset::{header::content_transfer_encoding, transfer::TransferEncoding};
///
/// let field = content_transfer_encoding(b" Base64");
/// assert_eq!(field.encoding(), TransferEncoding::Base64);
/// ```
#[must_use]
pub fn content_transfer_encoding(body: &[u8]) -> ContentTransferEncoding<'_> {
    let mut field = Field::new(body);
    let input = field.skip_cfws(body);
    let input = field.skip_open_parentheses(input);
    let (rest, label) = transfer_label(&mut field, input);
    let (at, length) = (field.offset(input), label.len());
    let mut encoding = TransferEncoding::Unknown;
    if label.is_empty() {
        encoding = TransferEncoding::SevenBit;
        let detail = "a field without an encoding, read as 7bit";
        field.report.add(Kind::MissingValue, at, 0, detail);
    } else if let Some(known) = encoding_named(&label) {
        encoding = known;
    } else if let Some(meant) = damaged_encoding(&label) {
        encoding = meant;
        let detail = "hyphens or letters that are not in the encoding's name";
        field
            .report
            .add(Kind::TransferEncodingRepaired, at, length, detail);
    } else {
        let detail = "a transfer encoding that no standard names";
        field
            .report
            .add(Kind::UnknownTransferEncoding, at, length, detail);
    }
    let rest = field.skip_cfws(rest);
    if !rest.is_empty() && encoding != TransferEncoding::Unknown {
        // `quoted-printable;` and `7bit; charset=utf-8` come from templates where this
        // field was made out of Content-Type.
        let at = field.offset(rest);
        let detail = "text behind the encoding's name";
        field
            .report
            .add(Kind::TransferEncodingRepaired, at, rest.len(), detail);
    }
    ContentTransferEncoding {
        encoding,
        label,
        report: field.report,
    }
}

/// The media type that a Content-Type field begins with.
struct TypeAndRest<'a> {
    media_type: Cow<'a, str>,
    /// Whether the field has a type and a subtype.
    is_valid: bool,
    /// What follows, where the parameters are.
    rest: &'a [u8],
}

impl<'a> TypeAndRest<'a> {
    /// > content := "Content-Type" ":" type "/" subtype *(";" parameter)
    fn of(field: &mut Field<'a>) -> Self {
        let input = field.skip_cfws(field.body);
        let found = media_type(field, input);
        let is_valid = found.is_some();
        let (rest, media_type) = found.unwrap_or_else(|| without_media_type(field, input));
        TypeAndRest {
            media_type,
            is_valid,
            rest,
        }
    }
}

/// > type "/" subtype
///
/// with comments and white space between any two of these.
fn media_type<'a>(field: &mut Field<'a>, input: &'a [u8]) -> Option<(&'a [u8], Cow<'a, str>)> {
    let start = input;
    let (input, name) = token(input).ok()?;
    let input = field.skip_cfws(input).strip_prefix(b"/")?;
    let (input, subtype) = token(field.skip_cfws(input)).ok()?;
    let length = start.len() - input.len();
    let media_type = if length == name.len() + 1 + subtype.len() {
        lower_case(start.get(..length).unwrap_or_default())
    } else {
        Cow::Owned([lower_case(name), lower_case(subtype)].join("/"))
    };
    Some((input, media_type))
}

/// A field that begins with no media type: what it is read as, and what follows, which is the
/// parameters, since these may still be of use.
///
/// It is read as text/plain (RFC 2045, section 5.2), or as multipart/mixed where it names a
/// multipart and no subtype (RFC 2046, section 5.1.3). `text; charset=x` and `charset=x` are of
/// mailers from before MIME was finished.
fn without_media_type<'a>(field: &mut Field<'a>, input: &'a [u8]) -> (&'a [u8], Cow<'a, str>) {
    let at = field.offset(input);
    let first = token(input).ok();
    let first_is_attribute = first.is_some_and(|(rest, _)| opens_value(rest));
    // What stands in quotes ends no earlier than they do.
    let quoted = quoted_string(input).map_or(0, |(rest, _)| input.len() - rest.len());
    let length = if first_is_attribute {
        0
    } else if quoted > 0 {
        quoted
    } else {
        input
            .iter()
            .take_while(|&&octet| octet != b';' && !is_blank(octet))
            .count()
    };
    let names_multipart = first.is_some_and(|(_, name)| name.eq_ignore_ascii_case(b"multipart"));
    let (media_type, detail) = if names_multipart && !first_is_attribute {
        ("multipart/mixed", "no subtype, read as multipart/mixed")
    } else {
        ("text/plain", "no type with a subtype, read as text/plain")
    };
    field.report.add(Kind::InvalidMediaType, at, length, detail);
    let rest = input.get(length..).unwrap_or_default();
    (rest, Cow::Borrowed(media_type))
}

/// Whether an equals sign comes next, so that what stood before was a parameter's name.
fn opens_value(rest: &[u8]) -> bool {
    cfws(rest).is_ok_and(|(rest, ())| rest.first() == Some(&b'='))
}

/// The value of the charset parameter as a label; one that says nothing is none.
fn charset_label<'a>(field: &mut Field<'a>, value: Value<'a>) -> Option<Label<'a>> {
    let (at, length) = (value.offset, value.length);
    match trim_start(&value.octets) {
        [] => {}
        [b'=', b'?', ..] => return Some(Label::from(value.octets)),
        // `charset="=utf-8"`: a template whose variable held the equals sign as well.
        [b'=', rest @ ..] => {
            let rest = trim_end(rest);
            if !rest.is_empty() {
                let detail = "an equals sign before the charset, inside its quotes";
                field.report.add(Kind::WrongSeparator, at, length, detail);
                return Some(Label::from(Cow::Owned(rest.to_vec())));
            }
        }
        _ => return Some(Label::from(value.octets)),
    }
    let detail = "an empty charset";
    field.report.add(Kind::MissingValue, at, length, detail);
    None
}

/// > mechanism := "7bit" / "8bit" / "binary" / "quoted-printable" / "base64" / ietf-token /
/// > x-token
fn encoding_named(label: &[u8]) -> Option<TransferEncoding> {
    // The longest has 16 octets.
    let mut buffer = [0; 16];
    let lower = buffer.get_mut(..label.len())?;
    lower.copy_from_slice(label);
    lower.make_ascii_lowercase();
    match &*lower {
        b"7bit" => Some(TransferEncoding::SevenBit),
        b"8bit" => Some(TransferEncoding::EightBit),
        b"quoted-printable" => Some(TransferEncoding::QuotedPrintable),
        b"base64" => Some(TransferEncoding::Base64),
        b"binary" => Some(TransferEncoding::Binary),
        _ => None,
    }
}

/// The encoding meant by `8-bit`, `7bits`, `quoted_printable`, `base-64` and the like, which
/// hand-made mail has: hyphens and low lines do not count, nor does an `s` at the end.
fn damaged_encoding(label: &[u8]) -> Option<TransferEncoding> {
    if label.len() > 32 {
        return None;
    }
    let mut bare = label.to_vec();
    bare.retain(|octet| !matches!(octet, b'-' | b'_'));
    bare.make_ascii_lowercase();
    if bare == b"quotedprintable" {
        return Some(TransferEncoding::QuotedPrintable);
    }
    encoding_named(bare.strip_suffix(b"s").unwrap_or(&bare))
}

/// The name of the encoding: a token, or in quotes, where RFC 2045 wants none.
fn transfer_label<'a>(field: &mut Field<'a>, input: &'a [u8]) -> (&'a [u8], Cow<'a, [u8]>) {
    if let Ok((rest, name)) = token(input) {
        return (rest, Cow::Borrowed(name));
    }
    let at = field.offset(input);
    if let Ok((rest, content)) = quoted_string(input) {
        let detail = "an encoding's name in quotes";
        let length = input.len() - rest.len();
        field
            .report
            .add(Kind::TransferEncodingRepaired, at, length, detail);
        return (rest, unquoted(trim(content)));
    }
    let length = input
        .iter()
        .take_while(|&&octet| octet != b';' && !is_blank(octet))
        .count();
    let (label, rest) = input.split_at_checked(length).unwrap_or((input, b""));
    (rest, Cow::Borrowed(label))
}

fn find<'p, 'a>(parameters: &'p [Parameter<'a>], name: &str) -> Option<&'p Parameter<'a>> {
    parameters.iter().find(|parameter| parameter.is_named(name))
}

#[cfg(test)]
mod tests {
    use super::{
        TransferEncoding, content_disposition, content_transfer_encoding, content_type,
        media_type_of, type_and_boundary, type_and_charset,
    };
    use crate::header::tests::kinds;

    /// The label of the charset, and the kinds of the findings.
    #[track_caller]
    fn read(body: &str, charset: Option<&str>, findings: &str) {
        let field = content_type(body.as_bytes());
        let label = field.charset().map(ToString::to_string);
        assert_eq!(label.as_deref(), charset);
        assert_eq!(field.media_type(), "text/plain");
        assert_eq!(kinds(field.report()), findings);
    }

    #[test]
    fn white_space_and_comments_between_tokens() {
        read("text/plain; charset = utf-8", Some("utf-8"), "");
        read("\ttext/plain\t;\tcharset\t=\tutf-8\t", Some("utf-8"), "");
        read("text/plain;\r\n charset=\r\n utf-8", Some("utf-8"), "");
        read(
            "(a)TEXT(b)/(c(d))Plain(e);(f)CharSet(g)=(h)utf-8(i)",
            Some("utf-8"),
            "",
        );
        read(
            "text/plain; charset=\"utf-8\" (a;b=\\) c)",
            Some("utf-8"),
            "",
        );
    }

    #[test]
    fn semicolons_too_many() {
        read(
            "text/plain; charset=utf-8;",
            Some("utf-8"),
            "empty-parameter",
        );
        read(
            "text/plain;; charset=utf-8; ;",
            Some("utf-8"),
            "empty-parameter empty-parameter empty-parameter",
        );
    }

    #[test]
    fn semicolon_missing() {
        read(
            "text/plain charset=utf-8",
            Some("utf-8"),
            "missing-semicolon",
        );
        read(
            "text/plain; format=flowed charset=utf-8",
            Some("utf-8"),
            "missing-semicolon",
        );
        read(
            "text/plain; format=\"flowed\"charset=utf-8",
            Some("utf-8"),
            "missing-semicolon",
        );
        read(
            "text/plain, charset=utf-8",
            Some("utf-8"),
            "skipped-text missing-semicolon",
        );
    }

    #[test]
    fn quotes_unclosed() {
        read("text/plain; charset=\"utf-8", Some("utf-8"), "unterminated");
        read(
            "text/plain; charset=\"utf-8\\\"",
            Some("utf-8"),
            "unterminated",
        );
        read(
            "text/plain; charset=\"utf-8; format=flowed",
            Some("utf-8"),
            "unterminated",
        );
    }

    #[test]
    fn single_quotes_are_part_of_a_token() {
        read("text/plain; charset='utf-8'", Some("'utf-8'"), "");
    }

    #[test]
    fn text_behind_a_value() {
        read(
            "text/plain; charset=utf-8 foo",
            Some("utf-8"),
            "skipped-text",
        );
        read(
            "text/plain; charset=utf-8 foo bar; format=flowed",
            Some("utf-8"),
            "skipped-text",
        );
        read("text/plain/x; charset=utf-8", Some("utf-8"), "skipped-text");
    }

    #[test]
    fn no_value() {
        read("text/plain; charset=", None, "missing-value");
        read(
            "text/plain; charset=; charset=utf-8",
            Some("utf-8"),
            "missing-value",
        );
        read("text/plain; charset=\"\"", None, "missing-value");
        read("text/plain; charset=\" \"", None, "missing-value");
        read("text/plain; charset", None, "missing-value");
        read("text/plain; =utf-8", None, "skipped-text");
    }

    #[test]
    fn other_separators() {
        read(
            "text/plain; charset==utf-8",
            Some("utf-8"),
            "wrong-separator",
        );
        read(
            "text/plain; charset:utf-8",
            Some("utf-8"),
            "wrong-separator",
        );
        read(
            "text/plain; charset:=utf-8",
            Some("utf-8"),
            "wrong-separator",
        );
        read(
            "text/plain; charset=\"=utf-8\"",
            Some("utf-8"),
            "wrong-separator",
        );
    }

    #[test]
    fn boundaries_may_begin_with_an_equals_sign() {
        let field = content_type(b"multipart/mixed; boundary==_next=part");
        assert_eq!(
            field.parameter("boundary").unwrap().octets(),
            b"=_next=part"
        );
        assert_eq!(kinds(field.report()), "unquoted-special");
    }

    #[test]
    fn the_first_charset_wins() {
        read(
            "text/plain; charset=iso-8859-1; CHARSET=utf-8",
            Some("iso-8859-1"),
            "duplicate-parameter",
        );
    }

    #[test]
    fn values_that_need_quotes() {
        read(
            "text/plain; charset=ISO_8859-1:1987",
            Some("ISO_8859-1:1987"),
            "unquoted-special",
        );
        read(
            "text/plain; charset=<utf-8>,",
            Some("<utf-8>,"),
            "unquoted-special",
        );
    }

    #[test]
    fn encoded_word_for_a_charset() {
        let word = "=?utf-8?Q?utf-8?=";
        read(&format!("text/plain; charset=\"{word}\""), Some(word), "");
        let bare = format!("text/plain; charset={word}");
        read(&bare, Some(word), "unquoted-special");
    }

    #[test]
    fn types_that_are_none() {
        for body in [
            "text; charset=x",
            "; charset=x",
            "charset=x",
            "text/; charset=x",
            "/plain; charset=x",
            "\"text/plain\"; charset=x",
            "\"text; charset=y\"; charset=x",
        ] {
            let field = content_type(body.as_bytes());
            assert!(!field.is_valid(), "{body}");
            read(body, Some("x"), "invalid-media-type");
        }
        assert!(!content_type(b"").is_valid());
        assert!(!content_type(b"(text/plain").is_valid());
    }

    #[test]
    fn raw_octets() {
        let field = content_type(b"text/plain; name=\"\xC3\xB8\"; charset=utf-8");
        assert_eq!(field.parameter("name").unwrap().octets(), b"\xC3\xB8");
        assert_eq!(kinds(field.report()), "raw-octets");
        let field = content_type(b"text/plain; name=\xF8; charset=\0");
        assert_eq!(field.parameter("name").unwrap().octets(), b"\xF8");
        assert_eq!(field.charset().unwrap().as_bytes(), b"\0");
        assert_eq!(
            kinds(field.report()),
            "unquoted-special raw-octets unquoted-special"
        );
    }

    #[test]
    fn plain_fields_are_borrowed() {
        let field = content_type(b"text/plain; charset=utf-8");
        assert!(matches!(field.media_type, std::borrow::Cow::Borrowed(_)));
    }

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

    #[test]
    fn transfer_encodings() {
        #[track_caller]
        fn read(body: &str, encoding: TransferEncoding, label: &str, findings: &str) {
            let field = content_transfer_encoding(body.as_bytes());
            assert_eq!(field.encoding(), encoding);
            assert_eq!(field.label(), label.as_bytes());
            assert_eq!(kinds(field.report()), findings);
        }
        read("7bit", TransferEncoding::SevenBit, "7bit", "");
        read("8BIT", TransferEncoding::EightBit, "8BIT", "");
        read("Binary", TransferEncoding::Binary, "Binary", "");
        read(" (a) base64 (b)", TransferEncoding::Base64, "base64", "");
        read(
            "Quoted-Printable",
            TransferEncoding::QuotedPrintable,
            "Quoted-Printable",
            "",
        );
        let repaired = "transfer-encoding-repaired";
        read("8-bit", TransferEncoding::EightBit, "8-bit", repaired);
        read("7-bit", TransferEncoding::SevenBit, "7-bit", repaired);
        read("8bits", TransferEncoding::EightBit, "8bits", repaired);
        read(
            "quoted_printable",
            TransferEncoding::QuotedPrintable,
            "quoted_printable",
            repaired,
        );
        read("\"base64\"", TransferEncoding::Base64, "base64", repaired);
        read(
            "quoted-printable;",
            TransferEncoding::QuotedPrintable,
            "quoted-printable",
            repaired,
        );
        read(
            "7bit; charset=utf-8",
            TransferEncoding::SevenBit,
            "7bit",
            repaired,
        );
        let unknown = "unknown-transfer-encoding";
        read(
            "x-uuencode",
            TransferEncoding::Unknown,
            "x-uuencode",
            unknown,
        );
        read("[base64]", TransferEncoding::Unknown, "[base64]", unknown);
        read("", TransferEncoding::SevenBit, "", "missing-value");
    }

    /// One parameter is read as it is among all of them, whatever is changed in a field, and
    /// wherever.
    #[test]
    fn one_parameter_is_read_as_all_are() {
        #[track_caller]
        fn check(body: &[u8]) {
            let field = content_type(body);
            let (media_type, charset) = type_and_charset(body);
            assert_eq!(media_type, field.media_type(), "{}", body.escape_ascii());
            assert_eq!(charset.as_ref(), field.charset(), "{}", body.escape_ascii());
            assert_eq!(media_type_of(body), field.media_type());
            let (media_type, boundary) = type_and_boundary(body);
            assert_eq!(media_type, field.media_type(), "{}", body.escape_ascii());
            if media_type.starts_with("multipart/") {
                let said = field.parameter("boundary");
                let said = said.map(crate::header::Parameter::octets);
                assert_eq!(boundary.as_deref(), said, "{}", body.escape_ascii());
            }
        }
        let fields = [
            " multipart/mixed",
            " multipart/mixed; boundary=\"=_ b \"",
            "multipart/alternative;\r\n charset=utf-8;\r\n\tboundary=b",
            " multipart/related;type=\"text/html\";Boundary=b; boundary=c",
            " text/plain",
            " text/plain; charset=utf-8",
            " text/plain; charset=\"UTF-8\"; format=flowed",
            " text/html;\r\n\tcharset=iso-8859-1",
            "text/plain;format=flowed;Charset=koi8-r;delsp=yes",
            " text/plain; name=\"a; charset=b\"; charset=euc-kr; charset=utf-8",
        ];
        let octets = b" \t\r\n;=\"\\'*%(),:/?.<x0AC\xE9\0";
        for field in fields {
            check(field.as_bytes());
            for at in 0..=field.len() {
                let (before, behind) = field.as_bytes().split_at(at);
                check(before);
                check(behind);
                for octet in octets {
                    check(&[before, &[*octet], behind].concat());
                    check(&[before, &[*octet], behind.get(1..).unwrap_or_default()].concat());
                    for second in b" ;=\"*(" {
                        check(&[before, &[*octet, *second], behind].concat());
                    }
                }
                for more in [
                    "; charset=us-ascii",
                    "; charset*=utf-8''koi8-r",
                    "; charset",
                    "text/html",
                ] {
                    check(&[before, more.as_bytes(), behind].concat());
                }
            }
        }
        let many = "; x=y".repeat(200);
        check(format!("text/plain{many}; charset=utf-8").as_bytes());
    }
}
