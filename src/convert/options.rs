//! How to convert.

use crate::charset;
use crate::prove::Allowed;

/// Options of a conversion, built by value. The fields can be read, so that a program can record them.
///
/// ```
/// use mime_charset::convert::{Headers, OnMalformed, Conversion};
///
/// let options = Conversion::new()
///     .headers(Headers::Utf8)
///     .on_malformed(OnMalformed::Replace)
///     .attachments(true)
///     .guessed(Some(90));
/// assert_eq!((options.headers, options.on_malformed), (Headers::Utf8, OnMalformed::Replace));
/// assert!(options.attachments && !options.fix_declarations && options.guessed == Some(90));
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Conversion {
    pub(super) decoding: charset::Options,
    /// How text above US-ASCII is written in header fields.
    pub headers: Headers,
    /// What happens to text that cannot be decoded without loss.
    pub on_malformed: OnMalformed,
    /// Whether text attachments are converted too.
    pub attachments: bool,
    /// Whether declarations inside documents are rewritten.
    pub fix_declarations: bool,
    /// The least confidence, in percent, at which text in a guessed charset is converted.
    pub guessed: Option<u8>,
}

impl Conversion {
    /// The defaults: encoded words in headers; malformed text, attachments, declarations in documents and
    /// guesses are left alone.
    #[must_use]
    pub const fn new() -> Self {
        Conversion {
            decoding: charset::Options::new(),
            headers: Headers::Words,
            on_malformed: OnMalformed::Keep,
            attachments: false,
            fix_declarations: false,
            guessed: None,
        }
    }

    /// How to decode the source. Four of the options are ignored:
    ///
    /// - a byte order mark is always kept;
    /// - text labelled UTF-8 is never decoded as Unicode 1.1: the result has the same label, and its reader
    ///   could not tell that the Hangul was remapped;
    /// - no charset is [forced](charset::Options::force), as that would apply to the result too;
    /// - no message is [partial](charset::Options::partial).
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// // Old Hangul under its label, kept at its code points.
    /// let decoding = mime_charset::Options::new().hangul(mime_charset::hangul::HangulPolicy::Never);
    /// let source = "Subject: =?unicode-1-1-utf-8?Q?=E3=90=80?=\n\n".as_bytes();
    /// let converted = convert(source, &Conversion::new().decoding(decoding));
    /// assert_eq!(converted.as_bytes(), b"Subject: =?UTF-8?B?45CA?=\n\n");
    /// ```
    #[must_use]
    pub const fn decoding(mut self, options: charset::Options) -> Self {
        self.decoding = options.force(None).partial(false);
        self
    }

    /// How text above US-ASCII is written in header fields.
    ///
    /// ```
    /// use mime_charset::convert::{Headers, Conversion, convert};
    ///
    /// let options = Conversion::new().headers(Headers::Utf8);
    /// let converted = convert(b"Subject: =?koi8-r?Q?=F0?=\n\n", &options);
    /// assert_eq!(converted.as_bytes(), "Subject: П\n\n".as_bytes());
    /// ```
    #[must_use]
    pub const fn headers(mut self, headers: Headers) -> Self {
        self.headers = headers;
        self
    }

    /// What happens to text that cannot be decoded without loss.
    ///
    /// ```
    /// use mime_charset::convert::{OnMalformed, Conversion, convert};
    ///
    /// let options = Conversion::new().on_malformed(OnMalformed::Replace);
    /// let converted = convert(b"Subject: =?euc-kr?Q?a=FF?=\n\n", &options);
    /// assert_eq!(converted.as_bytes(), b"Subject: =?UTF-8?B?Ye+/vQ==?=\n\n");
    /// assert_eq!(converted.changes()[0].report().replacements(), 1);
    /// ```
    #[must_use]
    pub const fn on_malformed(mut self, on_malformed: OnMalformed) -> Self {
        self.on_malformed = on_malformed;
        self
    }

    /// Whether text attachments are converted too: text parts with a Content-Disposition other than
    /// `inline` (RFC 2183, section 2.8).
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let source = b"Content-Type: text/plain; charset=koi8-r\nContent-Disposition: attachment\n\n\xF0";
    /// assert!(convert(source, &Conversion::new()).changes().is_empty());
    /// let converted = convert(source, &Conversion::new().attachments(true));
    /// assert!(converted.as_bytes().ends_with("П".as_bytes()));
    /// ```
    #[must_use]
    pub const fn attachments(mut self, convert: bool) -> Self {
        self.attachments = convert;
        self
    }

    /// Whether declarations inside documents (HTML `meta`, XML, CSS) that name another charset are
    /// rewritten. They are part of the text, so by default they are left alone.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let source = b"Content-Type: text/html; charset=koi8-r\n\n<meta charset=koi8-r>\xF0";
    /// let converted = convert(source, &Conversion::new().fix_declarations(true));
    /// assert!(converted.as_bytes().ends_with("<meta charset=UTF-8>П".as_bytes()));
    /// ```
    #[must_use]
    pub const fn fix_declarations(mut self, fix: bool) -> Self {
        self.fix_declarations = fix;
        self
    }

    /// The least confidence, in percent, at which text in a guessed charset is converted; `None` converts
    /// none.
    ///
    /// A guess depends on the rest of the message, which a conversion changes. If a second conversion would
    /// read differently what the first one left alone, no guess is converted.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let source = b"Subject: x\n\ncaf\xE9 au lait";
    /// assert!(convert(source, &Conversion::new()).changes().is_empty());
    /// let converted = convert(source, &Conversion::new().guessed(Some(1)));
    /// assert!(converted.as_bytes().ends_with("café au lait".as_bytes()));
    /// ```
    #[must_use]
    pub const fn guessed(mut self, confidence: Option<u8>) -> Self {
        self.guessed = confidence;
        self
    }

    /// Without the options that [`convert`](super::convert) ignores.
    pub(super) fn of_source(&self) -> Conversion {
        let decoding = self.decoding.bom(charset::Bom::Keep);
        self.decoding(decoding.assume_pre_amendment5(false))
    }

    /// What a conversion with these options may change.
    pub(super) fn allowed(&self) -> Allowed {
        Allowed {
            decoding: self.of_source().decoding,
            attachments: self.attachments,
            declarations: self.fix_declarations,
            loss: self.on_malformed == OnMalformed::Replace,
            guessed: self.guessed,
        }
    }
}

/// How text above US-ASCII is written in header fields.
///
/// ```
/// use mime_charset::convert::Headers;
///
/// assert_eq!(Headers::default(), Headers::Words);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a program that records its options has to name each"
)]
pub enum Headers {
    /// As encoded words and extended parameters, which every mail program reads (RFC 2047, RFC 2231). Raw
    /// UTF-8 is encoded too.
    #[default]
    Words,
    /// As raw UTF-8 (RFC 6532), if that means the same. Words in UTF-8 are kept, and words next to them
    /// stay words; parameters become extended ones.
    Utf8,
}

/// What happens to text that cannot be decoded without loss.
///
/// ```
/// use mime_charset::convert::OnMalformed;
///
/// assert_eq!(OnMalformed::default(), OnMalformed::Keep);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a program that records its options has to name each"
)]
pub enum OnMalformed {
    /// It is left as it is, and reported.
    #[default]
    Keep,
    /// U+FFFD replaces malformed octets, and is counted in the change.
    Replace,
    /// The whole message is left as it is; [`Converted::failure`](super::Converted::failure) says why.
    Fail,
}
