//! Information about octets from the caller and from the rest of the message.

use std::borrow::Cow;
use std::ops::Range;

use crate::charset::{Charset, Options, Origin};
use crate::detect::Guess;
use crate::header::Syntax;
use crate::label::Label;
use crate::transfer::TransferEncoding;

/// Information from the caller about octets. A [`Message`](crate::Message) collects more information
/// itself: the encoded words of its header, its date, and the sender's language and program. A program
/// with its own parser can pass its header to
/// [`Message::of_header_and_body`](crate::Message::of_header_and_body). Each method takes and returns the
/// context:
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

/// Evidence in the rest of a message for the charset of one text.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Surroundings<'s> {
    /// The charset of the other parts.
    pub(crate) siblings: Option<Charset>,
    /// The charset of the encoded words in the header.
    pub(crate) header: Option<Charset>,
    /// The second charset in the Content-Type fields of the text's part, if they name two.
    pub(crate) second: Option<Charset>,
    /// The languages and the program of the sender.
    pub(crate) origin: Origin,
    /// The raw octets in the fields of the header.
    pub(crate) raw_fields: &'s [u8],
    /// The guess for this text and many others together. If set, this text is not scored alone.
    pub(crate) guess_of_many: Option<Guess>,
}

impl Surroundings<'_> {
    /// No information.
    const NONE: Surroundings<'static> = Surroundings {
        siblings: None,
        header: None,
        second: None,
        origin: Origin::UNKNOWN,
        raw_fields: &[],
        guess_of_many: None,
    };
}

impl<'c> Context<'c> {
    /// An empty context.
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

    /// The media type in lower case, such as `text/html`; text/plain if not given.
    #[must_use]
    pub const fn media_type(mut self, media_type: Option<&'c str>) -> Self {
        self.media_type = media_type;
        self
    }

    /// The charset of the other parts of the message. It raises the prior of that charset, and of other
    /// charsets for the same language.
    #[must_use]
    pub const fn siblings(mut self, charset: Option<Charset>) -> Self {
        self.surroundings.siblings = charset;
        self
    }

    /// The year of the message's Date field, in the Common Era: mail from before 1999 may be in Unicode
    /// 1.1.
    #[must_use]
    pub(crate) const fn year(mut self, year: Option<u16>) -> Self {
        self.year = year;
        self
    }

    /// Options for decoding and for trusting labels.
    #[must_use]
    pub const fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }
}

/// The text of a body or field body, to compare with the text from `mailparse`.
#[cfg_attr(
    not(feature = "mailparse"),
    expect(dead_code, reason = "the second reader is mailparse")
)]
#[derive(Debug)]
pub(crate) struct TextToCompare<'t> {
    /// Range in the message.
    pub(crate) range: Range<usize>,
    pub(crate) text: Cow<'t, str>,
    pub(crate) form: TextForm,
}

/// The form of a text: a body in this encoding, or a field body with this syntax.
#[cfg_attr(
    not(feature = "mailparse"),
    expect(dead_code, reason = "used only with mailparse")
)]
#[derive(Debug, Clone, Copy)]
pub(crate) enum TextForm {
    Body(TransferEncoding),
    Field(Syntax),
}
