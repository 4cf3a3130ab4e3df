//! One parameter: as parsed from the field, and as returned to callers.

use std::borrow::Cow;
use std::iter::once;
use std::ops::Range;

use super::builder::parameter_pieces;
use super::piece::Pieces;
use super::token::{FieldReader, lower_case};
use crate::label::Label;

/// A parameter of Content-Type or Content-Disposition (RFC 2045, section 5.1; RFC 2231).
///
/// ```
/// use mime_charset::header::content_disposition;
///
/// let field = content_disposition(b"attachment; filename*=utf-8'nb'J%C3%B8rn.txt");
/// let filename = field.parameter("filename").unwrap();
/// assert_eq!((filename.name(), filename.is_extended()), ("filename", true));
/// assert_eq!(filename.octets(), b"J\xC3\xB8rn.txt");
/// assert_eq!(filename.label().unwrap().as_bytes(), b"utf-8");
/// assert_eq!(filename.language(), Some(&b"nb"[..]));
/// assert_eq!((filename.offset(), filename.length()), (12, 32));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter<'a> {
    /// The name in lower case. It is ASCII, since it is a token.
    pub(super) name: Cow<'a, [u8]>,
    pub(super) octets: Cow<'a, [u8]>,
    pub(super) label: Option<Label<'a>>,
    pub(super) language: Option<Cow<'a, [u8]>>,
    pub(super) extended: bool,
    /// The plain value, if the field has both a plain and an extended value of this name.
    pub(super) plain: Option<Cow<'a, [u8]>>,
    /// The ranges of the value that may contain an encoded word: those without percent-encoded octets.
    /// `None` means the whole value.
    pub(super) literal: Option<Box<[Range<usize>]>>,
    pub(super) offset: usize,
    pub(super) length: usize,
}

impl<'a> Parameter<'a> {
    /// Maximum number of parameters of a field. Further parameters are skipped and reported
    /// ([`Kind::LimitReached`](crate::Kind::LimitReached)).
    ///
    /// ```
    /// use mime_charset::header::{Parameter, content_type};
    ///
    /// let many: String = (0..200).map(|number| format!("; p{number}=x")).collect();
    /// let field = format!("text/plain{many}");
    /// let field = content_type(field.as_bytes());
    /// assert_eq!(field.parameters().len(), Parameter::MAX_COUNT);
    /// ```
    pub const MAX_COUNT: usize = 128;

    /// Maximum section number (RFC 2231, section 3). Sections with higher numbers are skipped and
    /// reported ([`Kind::LimitReached`](crate::Kind::LimitReached)).
    ///
    /// ```
    /// use mime_charset::{Kind, header::{Parameter, content_type}};
    ///
    /// let field = format!("text/plain; name*0=a; name*{}=b", Parameter::MAX_SECTION + 1);
    /// let field = content_type(field.as_bytes());
    /// assert_eq!(field.parameter("name").unwrap().octets(), b"a");
    /// assert!(field.report().has(Kind::LimitReached));
    /// ```
    pub const MAX_SECTION: usize = 9999;

    /// A parameter with a plain value.
    pub(super) fn new(
        name: Cow<'a, [u8]>,
        octets: Cow<'a, [u8]>,
        offset: usize,
        length: usize,
    ) -> Self {
        Parameter {
            name,
            octets,
            label: None,
            language: None,
            extended: false,
            plain: None,
            literal: None,
            offset,
            length,
        }
    }

    /// The name in lower case, without the section number and star of an extended value.
    #[must_use]
    pub fn name(&self) -> &str {
        std::str::from_utf8(&self.name).unwrap_or_default()
    }

    /// Whether the parameter has this name, ignoring case.
    pub(super) fn is_named(&self, name: &str) -> bool {
        is_name_of(&self.name, name)
    }

    /// The value, with all sections joined, without quotes, quoted pairs, folds and percent encoding.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The charset that an extended value names, if any. By the standards, other values are US-ASCII.
    #[must_use]
    pub fn label(&self) -> Option<&Label<'a>> {
        self.label.as_ref()
    }

    /// The language tag that an extended value names (RFC 2231, section 4), verbatim.
    #[must_use]
    pub fn language(&self) -> Option<&[u8]> {
        self.language.as_deref()
    }

    /// Whether the value or any of its sections is extended: a star ends its name (RFC 2231, section 4).
    #[must_use]
    pub fn is_extended(&self) -> bool {
        self.extended
    }

    /// The plain value, without quotes, if the field has both a plain and an extended value of this name.
    /// Senders add it for readers that do not support extended values (RFC 6266, section 4.3).
    ///
    /// ```
    /// use mime_charset::header::content_disposition;
    ///
    /// let field = content_disposition(b"attachment; filename=naive.txt; filename*=UTF-8''na%C3%AFve.txt");
    /// let filename = field.parameter("filename").unwrap();
    /// assert_eq!(filename.plain(), Some(&b"naive.txt"[..]));
    /// assert_eq!(filename.text(), "naïve.txt");
    /// ```
    #[must_use]
    pub fn plain(&self) -> Option<&[u8]> {
        self.plain.as_deref()
    }

    /// The [plain value](Self::plain), as a parameter of its own.
    pub(crate) fn plain_parameter(&self) -> Option<Parameter<'_>> {
        let plain = Cow::Borrowed(self.plain.as_deref()?);
        let name = Cow::Borrowed(&*self.name);
        Some(Parameter::new(name, plain, self.offset, self.length))
    }

    /// Converts the parameter to owned octets, which outlive the field.
    ///
    /// ```
    /// use mime_charset::header::{self, Parameter};
    ///
    /// let boundary: Parameter<'static> = {
    ///     let body = b"multipart/mixed; boundary=b".to_vec();
    ///     let field = header::content_type(&body);
    ///     field.parameter("boundary").unwrap().clone().into_owned()
    /// };
    /// assert_eq!(boundary.octets(), b"b");
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Parameter<'static> {
        let owned = |octets: Cow<'_, [u8]>| Cow::Owned(octets.into_owned());
        Parameter {
            name: owned(self.name),
            octets: owned(self.octets),
            label: self.label.map(Label::into_owned),
            language: self.language.map(owned),
            extended: self.extended,
            plain: self.plain.map(owned),
            literal: self.literal,
            offset: self.offset,
            length: self.length,
        }
    }

    /// The offset of the parameter in the field body. If it has sections, the offset of the first
    /// section in the field.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The length of the parameter in the field body, including its name and quotes. If it has sections,
    /// the length from the first section in the field to the last.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// The value, if it is a slice of the field body.
    pub(crate) fn source_octets(&self) -> Option<&'a [u8]> {
        match self.octets {
            Cow::Borrowed(octets) => Some(octets),
            Cow::Owned(_) => None,
        }
    }

    /// The value as text and encoded words; `None` if the value has nothing like an encoded word.
    ///
    /// RFC 2047, section 5, forbids encoded words in parameters, but many mailers write them; each word
    /// is reported. Percent-encoded octets are always text (RFC 2231, section 4). Offsets are into the
    /// value.
    ///
    /// ```
    /// use mime_charset::header::{Piece, content_type};
    ///
    /// let field = content_type(b"image/png; name=\"=?utf-8?B?w7g=?=.png\"");
    /// let words = field.parameter("name").unwrap().words().unwrap();
    /// assert!(matches!(&words.as_slice()[0], Piece::Word(word) if *word.encoded_text() == *b"w7g="));
    /// ```
    #[must_use]
    pub fn words(&self) -> Option<Pieces<'_>> {
        match &self.literal {
            None => parameter_pieces(&self.octets, once(0..self.octets.len())),
            Some(literal) => parameter_pieces(&self.octets, literal.iter().cloned()),
        }
    }
}

/// A parameter as written.
#[derive(Debug)]
pub(super) struct RawParameter<'a> {
    pub(super) attribute: &'a [u8],
    pub(super) value: Cow<'a, [u8]>,
    pub(super) form: ValueForm,
    /// The field body from the start of the parameter.
    pub(super) input: &'a [u8],
    /// The field body after the parameter.
    pub(super) rest: &'a [u8],
}

/// The form of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueForm {
    Token,
    QuotedString,
    /// Unquoted, though it needs quotes.
    Loose,
}

impl<'a> RawParameter<'a> {
    /// The length of the parameter in the field body.
    pub(super) fn length(&self) -> usize {
        self.input.len() - self.rest.len()
    }

    pub(super) fn into_parameter(self, field: &FieldReader<'_>) -> Parameter<'a> {
        let (offset, length) = (field.offset(self.input), self.length());
        Parameter::new(lower_case(self.attribute), self.value, offset, length)
    }
}

/// Whether `octets` equal a name in lower case, ignoring ASCII case.
pub(super) fn is_name_of(octets: &[u8], name: &str) -> bool {
    // Fast path: names are nearly always in lower case.
    *octets == *name.as_bytes() || octets.eq_ignore_ascii_case(name.as_bytes())
}
