//! Content-Type (RFC 2045, section 5).

use std::borrow::Cow;
use std::ops::Range;

use super::classes::is_blank;
use super::one_parameter::Parameter;
use super::parameter::{opens_value, parameters, second_value_named, value_named};
use super::token::{FieldReader, lower_case_text, quoted_string, token, trim};
use crate::label::Label;
use crate::report::{Kind, Report};

/// A parsed Content-Type field (RFC 2045, section 5.1).
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
    /// Type and subtype in lower case, such as `text/plain`. If the field [is not
    /// valid](ContentType::is_valid), `text/plain`, with one exception. If only the subtype of a
    /// type other than text is missing, `multipart/mixed`, `application/octet-stream`, or `image`,
    /// `audio` or `video` with the subtype `x-unknown`.
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

    /// Whether the field has a type and a subtype. Otherwise the parameters are only hints. The body is
    /// then text/plain in US-ASCII (RFC 2045, section 5.2), unless the field names a type other than text
    /// (RFC 2046, sections 4.2 to 4.5 and 5.1.3).
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

    /// The value of the charset parameter (RFC 2046, section 4.1.2), verbatim; `None` if it is missing
    /// or empty.
    #[must_use]
    pub fn charset(&self) -> Option<&Label<'a>> {
        self.charset.as_ref()
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

    /// Departures from RFC 2045 and RFC 2231. Offsets are into the field body.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Converts the field to owned octets, which outlive the message.
    ///
    /// ```
    /// use mime_charset::Message;
    /// use mime_charset::header::ContentType;
    ///
    /// let content_type: ContentType<'static> = {
    ///     let source = b"Content-Type: text/html; charset=utf-8\r\n\r\n".to_vec();
    ///     Message::parse(&source).root().content_type().into_owned()
    /// };
    /// assert_eq!(content_type.media_type(), "text/html");
    /// ```
    #[must_use]
    pub fn into_owned(self) -> ContentType<'static> {
        ContentType {
            media_type: Cow::Owned(self.media_type.into_owned()),
            is_valid: self.is_valid,
            charset: self.charset.map(Label::into_owned),
            parameters: self
                .parameters
                .into_iter()
                .map(Parameter::into_owned)
                .collect(),
            report: self.report,
        }
    }
}

/// Parses the body of a Content-Type field (RFC 2045, section 5.1).
///
/// Accepts any octets; departures from the grammar are reported.
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
    let mut field = FieldReader::new(body);
    let start = TypeAndRest::of(&mut field);
    let parameters = parameters(&mut field, start.rest, !start.is_valid);
    let is_charset = |parameter: &&Parameter<'_>| parameter.is_named("charset");
    let charset = parameters.iter().find(is_charset);
    let charset = charset.and_then(|charset| {
        let range = charset.offset..charset.offset + charset.length;
        charset_label(&mut field, charset.octets.clone(), &range)
    });
    ContentType {
        is_valid: start.is_valid,
        media_type: start.media_type,
        charset,
        parameters,
        report: field.report,
    }
}

/// The media type and the charset of a Content-Type field: enough to decode the text of a part.
pub(crate) fn type_and_charset(body: &[u8]) -> (Cow<'_, str>, Option<Label<'_>>) {
    let mut field = FieldReader::new(body);
    let start = TypeAndRest::of(&mut field);
    let charset = value_named(&mut field, start.rest, !start.is_valid, "charset");
    let label = charset.and_then(|(value, range)| charset_label(&mut field, value, &range));
    (start.media_type, label)
}

/// The second charset of a Content-Type field that names two.
pub(crate) fn second_charset(body: &[u8]) -> Option<Label<'_>> {
    let mut field = FieldReader::new(body);
    let start = TypeAndRest::of(&mut field);
    let value = second_value_named(&mut field, start.rest, !start.is_valid, "charset");
    value.map(Label::from)
}

/// The media type of a Content-Type field, and the boundary if it is a multipart: enough to split a
/// message into parts.
pub(crate) fn type_and_boundary(body: &[u8]) -> (Cow<'_, str>, Option<Cow<'_, [u8]>>) {
    let mut field = FieldReader::new(body);
    let start = TypeAndRest::of(&mut field);
    if !start.media_type.starts_with("multipart/") {
        return (start.media_type, None);
    }
    let value = value_named(&mut field, start.rest, !start.is_valid, "boundary");
    (start.media_type, value.map(|(octets, _)| octets))
}

/// The media type at the start of a Content-Type field.
struct TypeAndRest<'a> {
    media_type: Cow<'a, str>,
    /// Whether the field has a type and a subtype.
    is_valid: bool,
    /// The octets after the media type, with the parameters.
    rest: &'a [u8],
}

impl<'a> TypeAndRest<'a> {
    /// > content := "Content-Type" ":" type "/" subtype *(";" parameter)
    #[inline]
    fn of(field: &mut FieldReader<'a>) -> Self {
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
fn media_type<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
) -> Option<(&'a [u8], Cow<'a, str>)> {
    let start = input;
    let (input, name) = token(input).ok()?;
    let input = field.skip_cfws(input).strip_prefix(b"/")?;
    let (input, subtype) = token(field.skip_cfws(input)).ok()?;
    let length = start.len() - input.len();
    let media_type = if let Some(meant) = swapped(name, subtype) {
        let at = field.offset(start);
        let detail = "a subtype before its type";
        field.add(Kind::InvalidMediaType, at, length, detail);
        Cow::Borrowed(meant)
    } else if length == name.len() + 1 + subtype.len() {
        lower_case_text(start.get(..length).unwrap_or_default())
    } else {
        Cow::Owned([lower_case_text(name), lower_case_text(subtype)].join("/"))
    };
    Some((input, media_type))
}

/// The media type meant by `plain/text` or `html/text`, in which type and subtype are swapped.
fn swapped(name: &[u8], subtype: &[u8]) -> Option<&'static str> {
    if !subtype.eq_ignore_ascii_case(b"text") {
        return None;
    }
    let types = [("plain", "text/plain"), ("html", "text/html")];
    let is_it = |(known, _): &(&str, _)| name.eq_ignore_ascii_case(known.as_bytes());
    types.into_iter().find(is_it).map(|(_, meant)| meant)
}

/// Types other than text, with the media type to use if the subtype is missing (RFC 2046, sections 4.2 to
/// 4.5 and 5.1.3). Programs write `image/` and the file extension, and a file may have no extension.
const WITHOUT_SUBTYPE: [(&str, &str); 5] = [
    ("multipart", "multipart/mixed"),
    ("image", "image/x-unknown"),
    ("audio", "audio/x-unknown"),
    ("video", "video/x-unknown"),
    ("application", "application/octet-stream"),
];

/// The media type for a field that does not begin with a media type. The parameters of the field may
/// still be useful.
///
/// The type is text/plain (RFC 2045, section 5.2), unless the field names another type without a
/// subtype. Mailers older than the final MIME standard write `text; charset=x` and `charset=x`.
fn without_media_type<'a>(
    field: &mut FieldReader<'a>,
    input: &'a [u8],
) -> (&'a [u8], Cow<'a, str>) {
    let at = field.offset(input);
    let first = token(input).ok();
    let first_is_attribute = first.is_some_and(|(rest, _)| opens_value(rest));
    // Skips quoted text up to its closing quote.
    let quoted = quoted_string(input).map_or(0, |it| input.len() - it.rest.len());
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
    let named = first.filter(|_| !first_is_attribute);
    let known = named.and_then(|(_, name)| {
        let is_named = |of: &str| name.eq_ignore_ascii_case(of.as_bytes());
        WITHOUT_SUBTYPE.iter().find(|(of, _)| is_named(of))
    });
    let (media_type, detail) = if let Some((_, media_type)) = known {
        let detail = format!("no subtype, read as {media_type}");
        (*media_type, Cow::Owned(detail))
    } else {
        let detail = "no type and subtype, read as text/plain";
        ("text/plain", Cow::Borrowed(detail))
    };
    field.report.add(Kind::InvalidMediaType, at, length, detail);
    let rest = input.get(length..).unwrap_or_default();
    (rest, Cow::Borrowed(media_type))
}

/// The value of the charset parameter in this range, as a label; `None` if the value is empty.
/// [`resolve`](crate::charset::resolve) repairs damaged labels later.
#[inline]
fn charset_label<'a>(
    field: &mut FieldReader<'a>,
    octets: Cow<'a, [u8]>,
    range: &Range<usize>,
) -> Option<Label<'a>> {
    let (at, length) = (range.start, range.len());
    match trim(&octets) {
        [] | [b'='] => {
            let detail = "an empty charset";
            field.add(Kind::MissingValue, at, length, detail);
            None
        }
        // `charset="=utf-8"` comes from a template whose variable included the equals sign.
        [b'=', rest @ ..] if !rest.starts_with(b"?") => {
            let detail = "an equals sign before the charset, inside its quotes";
            field.add(Kind::WrongSeparator, at, length, detail);
            Some(Label::from(Cow::Owned(rest.to_vec())))
        }
        _ => Some(Label::from(octets)),
    }
}

#[cfg(test)]
mod tests {
    use super::{content_type, type_and_boundary, type_and_charset};
    use crate::header::tests::kinds;

    /// Checks the label of the charset, and the kinds of the findings.
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
    fn superfluous_semicolons() {
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
    fn text_after_a_value() {
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
    fn invalid_types() {
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
        assert_eq!(kinds(field.report()), "raw-utf8");
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

    /// The fast parser of one parameter agrees with the full parser, for any change to a field.
    #[test]
    fn a_single_parameter_is_read_like_all() {
        #[track_caller]
        fn check(body: &[u8]) {
            let field = content_type(body);
            let (media_type, charset) = type_and_charset(body);
            assert_eq!(media_type, field.media_type(), "{}", body.escape_ascii());
            assert_eq!(charset.as_ref(), field.charset(), "{}", body.escape_ascii());
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
