//! What is known about octets besides themselves: what the caller says and what surrounds them in a
//! message.

use crate::charset::{Charset, Languages, Options, Origin, Program};
use crate::detect::Guess;
use crate::header::{self, Syntax};
use crate::label::Label;
use crate::transfer::TransferEncoding;

/// What is known about octets besides themselves. Built by value:
///
/// ```
/// use mime_charset::{Charset, Options, Source, decode::{self, Context}};
///
/// // Another part of the message, and its Subject, are Korean; it is of 1999.
/// let korean = Charset::for_label("euc-kr");
/// let context = Context::new()
///     .label(None)
///     .media_type(Some("text/plain"))
///     .siblings(korean)
///     .header(korean)
///     .year(Some(1999))
///     .options(Options::new());
/// let decoded = decode::decode(b"\xC7\xD1\xB1\xB9", &context);
/// assert_eq!((decoded.as_str(), decoded.source()), ("한국", Source::Detected));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Context<'c> {
    pub(super) label: Option<&'c Label<'c>>,
    pub(super) media_type: Option<&'c str>,
    pub(super) surroundings: Surroundings<'c>,
    pub(super) year: Option<u16>,
    pub(super) options: Options,
    /// Whether the octets are a value in a field, not a body.
    pub(super) is_value: bool,
}

/// What the rest of a message says about the charset of one text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings<'s> {
    /// The charset of the other parts.
    pub(crate) siblings: Option<Charset>,
    /// The charset of the encoded words in the header.
    pub(crate) header: Option<Charset>,
    /// The languages and the program of the sender.
    pub(crate) origin: Origin,
    /// The raw octets in the fields of the header.
    pub(crate) raw_fields: &'s [u8],
    /// The guess for this text and many others together. The text is not weighed by itself then.
    pub(crate) guess_of_many: Option<Guess>,
}

impl Surroundings<'_> {
    /// Nothing is known.
    const NONE: Surroundings<'static> = Surroundings {
        siblings: None,
        header: None,
        origin: Origin::UNKNOWN,
        raw_fields: &[],
        guess_of_many: None,
    };
}

impl<'c> Context<'c> {
    /// Nothing is known.
    #[must_use]
    pub const fn new() -> Self {
        Context {
            label: None,
            media_type: None,
            surroundings: Surroundings::NONE,
            year: None,
            options: Options::new(),
            is_value: false,
        }
    }

    /// The value of the charset parameter (RFC 2046, section 4.1.2).
    #[must_use]
    pub const fn label(mut self, label: Option<&'c Label<'c>>) -> Self {
        self.label = label;
        self
    }

    /// The media type in lower case, such as `text/html`; text/plain where it is not given.
    #[must_use]
    pub const fn media_type(mut self, media_type: Option<&'c str>) -> Self {
        self.media_type = media_type;
        self
    }

    /// The charset of the other parts of the message. It makes that charset likelier, and others in
    /// which the same language is written.
    #[must_use]
    pub const fn siblings(mut self, charset: Option<Charset>) -> Self {
        self.surroundings.siblings = charset;
        self
    }

    /// The charset of the encoded words in the message's header. It counts as much as that of the
    /// other parts ([`siblings`](Context::siblings)).
    #[must_use]
    pub const fn header(mut self, charset: Option<Charset>) -> Self {
        self.surroundings.header = charset;
        self
    }

    /// The body of the Content-Language field (RFC 3282). Charsets of the languages that it names
    /// are likelier. English makes none likelier, and neither does a field that names more than
    /// eight languages.
    ///
    /// ```
    /// use mime_charset::decode::{self, Context};
    ///
    /// // "변경" in EUC-KR, which reads as Chinese too.
    /// let octets = b"\xBA\xAF\xB0\xE6";
    /// let context = Context::new().language(Some("ko"));
    /// assert_eq!(decode::decode(octets, &context).as_str(), "변경");
    /// ```
    #[must_use]
    pub fn language(mut self, tags: Option<&str>) -> Self {
        let tags = tags.map(|tags| header::language_tags(tags.as_bytes()));
        self.surroundings.origin.language =
            Languages::of_tags(tags.unwrap_or_default().into_iter());
        self
    }

    /// The domain of the sender's address: one of a country makes the charsets of its language
    /// likelier.
    ///
    /// ```
    /// use mime_charset::decode::{self, Context};
    ///
    /// // "변경" in EUC-KR, which reads as Chinese too.
    /// let context = Context::new().sender_domain(Some("mail.example.co.kr"));
    /// assert_eq!(decode::decode(b"\xBA\xAF\xB0\xE6", &context).as_str(), "변경");
    /// ```
    #[must_use]
    pub fn sender_domain(mut self, domain: Option<&str>) -> Self {
        let languages = domain.map(|domain| Languages::of_domain(domain.as_bytes()));
        self.surroundings.origin.domain = languages.unwrap_or_default();
        self
    }

    /// The program that wrote the message, as its X-Mailer or User-Agent field names it. Only programs
    /// of one language, of the Macintosh and of DOS make a charset likelier.
    ///
    /// ```
    /// use mime_charset::decode::{self, Context, EvidenceKind};
    ///
    /// let context = Context::new().program(Some("Foxmail 4.1 [cn]"));
    /// let decision = decode::decide(b"\xC4\xE3\xBA\xC3", &context);
    /// assert_eq!(decision.charset().decode(b"\xC4\xE3\xBA\xC3").as_str(), "你好");
    /// assert!(decision.evidence().iter().any(|evidence| evidence.kind() == EvidenceKind::Program));
    /// ```
    #[must_use]
    pub fn program(mut self, program: Option<&str>) -> Self {
        let program = program.and_then(|program| Program::of(program.as_bytes()));
        self.surroundings.origin.program = program;
        self
    }

    /// The year of the message's Date field, in the Common Era: what was written before 1999
    /// may be in Unicode 1.1.
    #[must_use]
    pub const fn year(mut self, year: Option<u16>) -> Self {
        self.year = year;
        self
    }

    /// How to read, and whom to believe.
    #[must_use]
    pub const fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }
}

/// The text of a body under this encoding, or of the body of a field of this syntax.
#[cfg_attr(
    not(feature = "mailparse"),
    expect(dead_code, reason = "the second reader is mailparse")
)]
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextForm {
    Body(TransferEncoding),
    Field(Syntax),
}
