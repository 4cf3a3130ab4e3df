//! The text of a field, with its charsets and findings.

use std::borrow::Cow;
use std::fmt;

use crate::charset::Charset;
use crate::header::Few;
use crate::report::{Report, Source};

/// The decoded text of a header field, a part of a field, or a parameter.
///
/// ```
/// use mime_charset::{Kind, Options, decode, header::Syntax};
///
/// let body = b"\xC3\x9Cber =?euc-kr?B?x9Gxub7u?=";
/// let text = decode::field(body, Syntax::Unstructured, &Options::new());
/// assert_eq!(text.as_str(), "Über 한국어");
/// let charsets: Vec<_> = text.charsets().iter().map(|used| used.charset.name()).collect();
/// assert_eq!(charsets, ["UTF-8", "EUC-KR"]);
/// assert_eq!(text.report().findings()[0].kind(), Kind::RawUtf8);
/// assert_eq!(text.into_owned().into_text(), "Über 한국어");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FieldText<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) charsets: Few<CharsetUse>,
    pub(super) report: Report,
}

/// A range of a field decoded in one charset, and the source of that decision.
///
/// ```
/// use mime_charset::{Options, Source, decode, header::Syntax};
///
/// let body = b"Re: =?ks_c_5601-1987?B?x9Gxub7u?=";
/// let text = decode::field(body, Syntax::Unstructured, &Options::new());
/// let used = &text.charsets()[0];
/// assert_eq!((used.offset, used.length), (4, 29));
/// assert_eq!((used.charset.name(), used.source), ("EUC-KR", Source::Declared));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct CharsetUse {
    /// The offset of the range, in octets of the input, or of the message if the text comes from a
    /// [`Message`](crate::Message).
    pub offset: usize,
    /// The length of the range in octets.
    pub length: usize,
    /// The charset that decoded the range.
    pub charset: Charset,
    /// The source of that decision.
    pub source: Source,
}

impl<'a> FieldText<'a> {
    /// The exact, unfolded text. Line endings and other control characters in an encoded word or an
    /// extended value are kept and reported as [`Kind::Control`](crate::Kind::Control). Where line
    /// endings matter, as in a header, use [`one_line`](FieldText::one_line):
    ///
    /// ```
    /// use mime_charset::{Kind, Options, decode, header::Syntax};
    ///
    /// let body = b"=?utf-8?q?hi=0ABcc:_evil@example.org?=";
    /// let text = decode::field(body, Syntax::Unstructured, &Options::new());
    /// assert_eq!(text.as_str(), "hi\nBcc: evil@example.org");
    /// assert!(text.report().has(Kind::Control));
    /// assert_eq!(text.one_line(), "hi Bcc: evil@example.org");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The text by value, borrowed from the field if nothing had to change.
    #[must_use]
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// The text and the [`report`](FieldText::report) by value, without a copy: borrowed text stays
    /// borrowed.
    ///
    /// ```
    /// use mime_charset::{Kind, Options, decode, header::Syntax};
    ///
    /// let body = "Über".as_bytes();
    /// let text = decode::field(body, Syntax::Unstructured, &Options::new());
    /// let (text, report) = text.into_parts();
    /// assert_eq!(text, "Über");
    /// assert!(report.has(Kind::RawUtf8));
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (Cow<'a, str>, Report) {
        (self.text, self.report)
    }

    /// The text on one line, for a message list. Runs of white space and line endings become single
    /// spaces, and are removed at the ends. Escapes such as `\u{202e}` replace two kinds of characters:
    /// controls, and those that embed, override or isolate a direction (Unicode Standard Annex 9, section
    /// 2), since these would affect the surrounding text.
    ///
    /// ```
    /// use mime_charset::{Options, decode, header::Syntax};
    ///
    /// let body = "two\r\n\tlines,  =?utf-8?Q?a_bell=07?= and \u{202E}txt.exe".as_bytes();
    /// let text = decode::field(body, Syntax::Unstructured, &Options::new());
    /// assert_eq!(text.one_line(), r"two lines, a bell\u{7} and \u{202e}txt.exe");
    /// ```
    #[must_use]
    pub fn one_line(&self) -> Cow<'_, str> {
        let text = self.as_str().trim_matches(is_blank);
        let mut after_space = false;
        let is_shown = |character: char| {
            let is_second = after_space && character == ' ';
            after_space = character == ' ';
            !is_second && (character == ' ' || !is_blank(character) && !needs_escape(character))
        };
        if text.chars().all(is_shown) {
            return Cow::Borrowed(text);
        }
        let mut line = String::with_capacity(text.len());
        for character in text.chars() {
            if is_blank(character) {
                if !line.ends_with(' ') {
                    line.push(' ');
                }
            } else if needs_escape(character) {
                line.extend(character.escape_unicode());
            } else {
                line.push(character);
            }
        }
        Cow::Owned(line)
    }

    /// The ranges that are not plain ASCII, with their charsets and the source of each decision, in the
    /// order of the field.
    #[must_use]
    pub fn charsets(&self) -> &[CharsetUse] {
        self.charsets.as_slice()
    }

    /// Assumptions, repairs and losses.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Whether octets above 7F were decoded in a charset that is only likely. Evidence from other fields
    /// should then be used too.
    pub(crate) fn is_guessed(&self) -> bool {
        let is_guess = |used: &CharsetUse| match used.source {
            Source::Detected => true,
            Source::Default => used.charset != Charset::US_ASCII,
            _ => false,
        };
        self.charsets().iter().any(is_guess)
    }

    /// Converts the text to owned text.
    #[must_use]
    pub fn into_owned(self) -> FieldText<'static> {
        FieldText {
            text: Cow::Owned(self.text.into_owned()),
            charsets: self.charsets,
            report: self.report,
        }
    }

    /// Text that is verbatim in the field.
    pub(super) const fn plain(text: &'a str) -> Self {
        FieldText {
            text: Cow::Borrowed(text),
            charsets: Few::None,
            report: Report::new(),
        }
    }

    pub(super) fn owned(text: String) -> Self {
        FieldText {
            text: Cow::Owned(text),
            charsets: Few::None,
            report: Report::new(),
        }
    }

    /// Adds `base` to all offsets.
    pub(crate) fn shift(&mut self, base: usize) {
        self.report.shift(base);
        for charset in self.charsets.as_mut_slice() {
            charset.offset += base;
        }
    }
}

/// White space that separates words or ends a line, unlike a no-break space.
fn is_blank(character: char) -> bool {
    matches!(
        character,
        ' ' | '\t' | '\n' | '\u{B}' | '\u{C}' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

fn needs_escape(character: char) -> bool {
    character.is_control() || matches!(character, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

impl AsRef<str> for FieldText<'_> {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for FieldText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The text, its charsets with their sources, and the findings, in one line.
impl fmt::Debug for FieldText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)?;
        for used in self.charsets() {
            write!(f, " in {} ({})", used.charset.name(), used.source.name())?;
        }
        self.report.describe(f)
    }
}

impl PartialEq<str> for FieldText<'_> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for FieldText<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl<'a> From<FieldText<'a>> for Cow<'a, str> {
    fn from(text: FieldText<'a>) -> Self {
        text.into_text()
    }
}

impl From<FieldText<'_>> for String {
    fn from(text: FieldText<'_>) -> Self {
        text.into_text().into_owned()
    }
}
