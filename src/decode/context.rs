//! What is known about octets besides themselves: what the caller says and what surrounds them in a
//! message.

use crate::charset::{Charset, Options, Origin};
use crate::detect::Guess;
use crate::header::Syntax;
use crate::label::Label;
use crate::transfer::TransferEncoding;

/// What the caller knows about octets besides themselves. A [`Message`](crate::Message) finds more on its
/// own: the encoded words of its header, its date, the language and the program of its sender. A program
/// with a parser of its own gives its header to
/// [`Message::of_header_and_body`](crate::Message::of_header_and_body). Built by value:
///
/// ```
/// use mime_charset::{Charset, Options, Source, decode::{self, Context}};
///
/// // The other part of the message is Korean.
/// let context = Context::new()
///     .label(None)
///     .media_type(Some("text/plain"))
///     .siblings(Charset::for_label("euc-kr"))
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

    /// The year of the message's Date field, in the Common Era: what was written before 1999
    /// may be in Unicode 1.1.
    #[must_use]
    pub(crate) const fn year(mut self, year: Option<u16>) -> Self {
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

/// The text of a body in this encoding, or of a field body with this syntax.
#[cfg_attr(
    not(feature = "mailparse"),
    expect(dead_code, reason = "the second reader is mailparse")
)]
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextForm {
    Body(TransferEncoding),
    Field(Syntax),
}
