//! How to convert.

use crate::charset;
use crate::prove::Allowed;
use crate::report::Source;

/// How to convert. Built by value:
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
///
/// Its fields can be read, so that a program can record how it converted.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Conversion {
    pub(super) reading: charset::Options,
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
    /// The defaults: encoded words in headers, what is malformed stays, attachments,
    /// declarations in documents and guesses are left alone.
    #[must_use]
    pub const fn new() -> Self {
        Conversion {
            reading: charset::Options::new(),
            headers: Headers::Words,
            on_malformed: OnMalformed::Keep,
            attachments: false,
            fix_declarations: false,
            guessed: None,
        }
    }

    /// How to read the octets of the source. Four of the options have no effect here:
    ///
    /// - a byte order mark always stays;
    /// - text labelled UTF-8 is never read as Unicode 1.1, since it has the same label in the result,
    ///   where the next reader could not tell that its Hangul was moved;
    /// - no charset is [forced](charset::Options::force), since it would be forced on the result too;
    /// - no message is [partial](charset::Options::partial).
    ///
    /// ```
    /// use mime_charset::convert::{Conversion, convert};
    ///
    /// // Old Hangul under its label, kept where it was.
    /// let reading = mime_charset::Options::new().hangul(mime_charset::hangul::HangulPolicy::Never);
    /// let source = "Subject: =?unicode-1-1-utf-8?Q?=E3=90=80?=\n\n".as_bytes();
    /// let converted = convert(source, &Conversion::new().reading(reading));
    /// assert_eq!(converted.as_bytes(), b"Subject: =?UTF-8?B?45CA?=\n\n");
    /// ```
    #[must_use]
    pub const fn reading(mut self, reading: charset::Options) -> Self {
        self.reading = reading.force(None).partial(false);
        self
    }

    /// How text above US-ASCII stands in header fields.
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

    /// What becomes of text that cannot be decoded without loss.
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

    /// Whether text parts that are attachments are converted too: those with a
    /// Content-Disposition other than `inline` (RFC 2183, section 2.8).
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

    /// Whether a declaration inside a document (HTML `meta`, XML, CSS) that names the old
    /// charset is rewritten. It is part of the text, and so is left alone otherwise.
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

    /// The least confidence, in percent, at which a guess is converted; `None` converts no guess.
    ///
    /// A guess depends on the rest of the message, and a conversion changes the rest. If a second
    /// conversion would read differently what the first one left, no guess is converted.
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

    /// As [`convert`](super::convert) reads.
    pub(super) fn of_source(&self) -> Conversion {
        let reading = self.reading.bom(charset::Bom::Keep);
        self.reading(reading.assume_pre_amendment5(false))
    }

    /// What a proof lets a conversion with these options change.
    pub(super) fn allowed(&self) -> Allowed {
        Allowed {
            reading: self.of_source().reading,
            attachments: self.attachments,
            declarations: self.fix_declarations,
            loss: self.on_malformed == OnMalformed::Replace,
            guessed: self.guessed,
        }
    }

    /// Whether a charset found so may be relied on.
    pub(super) fn relies_on(&self, source: Source, confidence: u8) -> bool {
        self.allowed().relies_on(source, confidence)
    }
}

/// How text above US-ASCII stands in header fields.
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
    /// As encoded words and extended parameters, which every mail program reads (RFC 2047,
    /// RFC 2231). Raw UTF-8 becomes words too.
    #[default]
    Words,
    /// As raw UTF-8 (RFC 6532) where that says the same. Words that already are UTF-8 stay
    /// words, and so do those next to them; parameters become extended ones.
    Utf8,
}

/// What becomes of text that cannot be decoded without loss.
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
    /// It stays as it is, and is reported.
    #[default]
    Keep,
    /// U+FFFD takes the place of what is malformed, and is counted in the change.
    Replace,
    /// The whole message stays as it is; [`Converted::failure`](super::Converted::failure) says why.
    Fail,
}
