//! Options of a conversion.

use crate::charset;

/// Options of a conversion.
///
/// ```
/// use mime_charset::convert::{Conversion, Headers, OnMalformed};
///
/// let options = Conversion {
///     headers: Headers::Utf8,
///     guessed: Some(90),
///     ..Conversion::new()
/// };
/// assert!(!options.attachments && options.on_malformed == OnMalformed::Keep);
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[expect(
    clippy::exhaustive_structs,
    reason = "callers name the fields that they change, and take the others from `new`"
)]
pub struct Conversion {
    /// How to decode the source. Four of the options are ignored:
    ///
    /// - a byte order mark is kept in a body, and removed from a field;
    /// - text labelled UTF-8 is never decoded as Unicode 1.1: the result has the same label, so its
    ///   reader could not tell that the Hangul was remapped;
    /// - no charset is [forced](charset::Options::force), since it would apply to the result too;
    /// - no message is [partial](charset::Options::partial).
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// // Old Hangul under its label, kept at its code points.
    /// let decoding = mime_charset::Options::new().hangul(mime_charset::hangul::HangulPolicy::Never);
    /// let source = "Subject: =?unicode-1-1-utf-8?Q?=E3=90=80?=\n\n".as_bytes();
    /// let converted = convert(source, &Conversion { decoding, ..Conversion::new() });
    /// assert_eq!(converted.as_bytes(), b"Subject: =?UTF-8?B?45CA?=\n\n");
    /// ```
    pub decoding: charset::Options,
    /// How text beyond US-ASCII is written in header fields.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, Headers};
    ///
    /// assert_eq!(Conversion::new().headers, Headers::Words);
    /// ```
    pub headers: Headers,
    /// What happens to text that cannot be decoded without loss.
    pub on_malformed: OnMalformed,
    /// Whether text attachments are converted too: text parts with a Content-Disposition other than
    /// `inline` (RFC 2183, section 2.8).
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let source = b"Content-Type: text/plain; charset=koi8-r\nContent-Disposition: attachment\n\n\xF0";
    /// assert!(convert(source, &Conversion::new()).changes.is_empty());
    /// let converted = convert(source, &Conversion { attachments: true, ..Conversion::new() });
    /// assert!(converted.as_bytes().ends_with("П".as_bytes()));
    /// ```
    pub attachments: bool,
    /// Whether documents (HTML `meta`, XML, CSS) keep their declarations of another charset than
    /// UTF-8. By default they are rewritten, each as a separate change in the proof, since a saved
    /// page has no other label. An unconverted document keeps its declaration.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let source = b"Content-Type: text/html; charset=koi8-r\n\n<meta charset=koi8-r>\xF0";
    /// let converted = convert(source, &Conversion::new());
    /// assert!(converted.as_bytes().ends_with("<meta charset=UTF-8>П".as_bytes()));
    /// let kept = convert(source, &Conversion { keep_declarations: true, ..Conversion::new() });
    /// assert!(kept.as_bytes().ends_with("<meta charset=koi8-r>П".as_bytes()));
    /// ```
    pub keep_declarations: bool,
    /// The minimum confidence, in percent, at which text in a guessed charset is converted; `None`
    /// converts none.
    ///
    /// A guess depends on the rest of the message, which a conversion changes. If text that the
    /// first conversion kept would be decoded differently in a second conversion, no guess is
    /// converted.
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// let source = b"Subject: x\n\ncaf\xE9 au lait";
    /// assert!(convert(source, &Conversion::new()).changes.is_empty());
    /// let converted = convert(source, &Conversion { guessed: Some(1), ..Conversion::new() });
    /// assert!(converted.as_bytes().ends_with("café au lait".as_bytes()));
    /// ```
    pub guessed: Option<u8>,
}

impl Conversion {
    /// The defaults: encoded words in headers; malformed text, attachments and guesses are kept.
    #[must_use]
    pub const fn new() -> Self {
        Conversion {
            decoding: charset::Options::new(),
            headers: Headers::Words,
            on_malformed: OnMalformed::Keep,
            attachments: false,
            keep_declarations: false,
            guessed: None,
        }
    }

    /// Without the options that [`convert`](crate::convert::convert) ignores.
    pub(crate) fn effective(&self) -> Conversion {
        let decoding = self.decoding.force(None).partial(false);
        let decoding = decoding.keep_bom(false).assume_pre_amendment5(false);
        Conversion { decoding, ..*self }
    }

    /// The options for decoding a body: a byte order mark stays, since readers remove it again.
    pub(crate) fn of_body(&self) -> charset::Options {
        self.decoding.keep_bom(true)
    }
}

/// How text beyond US-ASCII is written in header fields.
///
/// ```
/// use mime_charset::convert::{Conversion, Headers, convert};
///
/// let options = Conversion { headers: Headers::Utf8, ..Conversion::new() };
/// let converted = convert(b"Subject: =?koi8-r?Q?=F0?=\n\n", &options);
/// assert_eq!(converted.as_bytes(), "Subject: П\n\n".as_bytes());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a program that records its options has to name each"
)]
pub enum Headers {
    /// As encoded words and extended parameters, which every mail program decodes (RFC 2047, RFC 2231).
    /// Raw UTF-8 is encoded too.
    #[default]
    Words,
    /// As raw UTF-8 (RFC 6532), if the meaning stays the same. Encoded words in UTF-8 are kept, and
    /// encoded words next to them stay encoded words. Parameters become extended parameters.
    Utf8,
}

/// What happens to text that cannot be decoded without loss.
///
/// ```
/// use mime_charset::convert::{Conversion, OnMalformed, convert};
///
/// let options = Conversion { on_malformed: OnMalformed::Replace, ..Conversion::new() };
/// let converted = convert(b"Subject: =?euc-kr?Q?a=FF?=\n\n", &options);
/// assert_eq!(converted.as_bytes(), b"Subject: =?UTF-8?B?Ye+/vQ==?=\n\n");
/// assert_eq!(converted.changes[0].report().replacements(), 1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[expect(
    clippy::exhaustive_enums,
    reason = "a program that records its options has to name each"
)]
pub enum OnMalformed {
    /// It is kept and reported.
    #[default]
    Keep,
    /// U+FFFD replaces malformed octets, and is counted in the change.
    Replace,
    /// The whole message is kept; [`Converted::failure`](crate::convert::Converted::failure) has the
    /// reason.
    Fail,
}
