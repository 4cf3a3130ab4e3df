//! Options for decoding.

use super::hangul::HangulPolicy;
use super::language::Origin;
use super::registry::Family;
use super::usage::Usage;
use super::value::Charset;

/// Options for decoding. Built by value:
///
/// ```
/// use mime_charset::{Charset, Options, hangul::HangulPolicy};
///
/// const LETTER_OF_THE_STANDARDS: Options = Options::new()
///     .hangul(HangulPolicy::Always)
///     .as_registered(true)
///     .trust_label(true)
///     .keep_bom(true);
///
/// // GB 2312 has a katakana middle dot, but programs write and show a middle dot.
/// let chinese = Charset::for_label("gb2312").unwrap();
/// assert_eq!(chinese.decode(b"\xA1\xA4").as_str(), "·");
/// assert_eq!(chinese.decode_with(b"\xA1\xA4", &LETTER_OF_THE_STANDARDS).as_str(), "・");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent flags, set by name"
)]
pub struct Options {
    pub(crate) hangul: HangulPolicy,
    pub(crate) usage: Usage,
    pub(crate) trusts_label: bool,
    pub(crate) keeps_bom: bool,
    pub(crate) assume_pre_amendment5: bool,
    pub(crate) jis_roman_as_ascii: bool,
    pub(crate) hint: Option<Charset>,
    forced: Option<Charset>,
    pub(crate) partial: bool,
    /// The likely charset of raw octets in fields, if the hint does not decode them.
    pub(crate) raw: Option<Charset>,
    /// Further evidence about the origin of the mail.
    pub(crate) origin: Origin,
}

impl Options {
    /// The defaults: [`HangulPolicy::Auto`], charsets as practised, evidence of the octets over the
    /// label, no byte order mark in the text, and nothing assumed.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            hangul: HangulPolicy::Auto,
            usage: Usage::AsPractised,
            trusts_label: false,
            keeps_bom: false,
            assume_pre_amendment5: false,
            jis_roman_as_ascii: false,
            hint: None,
            forced: None,
            partial: false,
            raw: None,
            origin: Origin::UNKNOWN,
        }
    }

    /// What to do with old Hangul under a Unicode 1.1 label (RFC 2279, section 5).
    #[must_use]
    pub const fn hangul(mut self, policy: HangulPolicy) -> Self {
        self.hangul = policy;
        self
    }

    /// Whether a label means only the registered charset. By default it means the superset in common
    /// use: windows-1252 for ISO-8859-1, UHC for EUC-KR, GB 18030 for GB2312.
    ///
    /// ```
    /// use mime_charset::{Charset, Options};
    ///
    /// let latin1 = Charset::for_label("iso-8859-1").unwrap();
    /// let registered = Options::new().as_registered(true);
    /// assert_eq!(latin1.decode(b"\x80 5").as_str(), "€ 5");
    /// assert_eq!(latin1.decode_with(b"\x80 5", &registered).as_str(), "\u{80} 5");
    /// ```
    #[must_use]
    pub const fn as_registered(mut self, registered: bool) -> Self {
        self.usage = if registered {
            Usage::AsRegistered
        } else {
            Usage::AsPractised
        };
        self
    }

    /// Whether to trust a label that the octets contradict (RFC 7103, section 7.6). By default the
    /// octets override a label that they prove wrong. [`Charset::decode_with`] ignores this option: its
    /// caller names the charset.
    ///
    /// ```
    /// use mime_charset::{Label, Options, decode::{self, Context}};
    ///
    /// let label = Label::new("iso-8859-1");
    /// let context = Context::new().label(Some(&label));
    /// assert_eq!(decode::decode(b"\xC3\xA9", &context), "é");
    /// let context = context.options(Options::new().trust_label(true));
    /// assert_eq!(decode::decode(b"\xC3\xA9", &context), "Ã©");
    /// ```
    #[must_use]
    pub const fn trust_label(mut self, trust: bool) -> Self {
        self.trusts_label = trust;
        self
    }

    /// Whether to keep a byte order mark as U+FEFF, at the start of a body and of any text in UTF-16 or
    /// UTF-32 (RFC 3629, section 6). By default it is removed from the text and reported.
    ///
    /// ```
    /// use mime_charset::{Kind, Label, Options, decode::{self, Context}};
    ///
    /// let label = Label::new("utf-8");
    /// let context = Context::new().label(Some(&label));
    /// let stripped = decode::decode(b"\xEF\xBB\xBFa", &context);
    /// assert_eq!(stripped.as_str(), "a");
    /// assert!(stripped.report().has(Kind::BomRemoved));
    /// let context = context.options(Options::new().keep_bom(true));
    /// assert_eq!(decode::decode(b"\xEF\xBB\xBFa", &context).as_str(), "\u{FEFF}a");
    /// ```
    #[must_use]
    pub const fn keep_bom(mut self, keep: bool) -> Self {
        self.keeps_bom = keep;
        self
    }

    /// Treat every Unicode label as Unicode 1.1: the "UTF-8" of RFC 2044 (October 1996 to January 1998)
    /// did mean Unicode 1.1. Under [`HangulPolicy::Auto`] text with today's Hangul is not remapped.
    ///
    /// ```
    /// use mime_charset::{Charset, Options};
    ///
    /// let of_1997 = Options::new().assume_pre_amendment5(true);
    /// let octets = "\u{3CA2}\u{3476}\u{3971}".as_bytes();
    /// assert_eq!(Charset::UTF_8.decode_with(octets, &of_1997).as_str(), "한국어");
    /// ```
    #[must_use]
    pub const fn assume_pre_amendment5(mut self, assume: bool) -> Self {
        self.assume_pre_amendment5 = assume;
        self
    }

    /// Decode 5C and 7E of JIS X 0201 Roman as the ASCII `\` and `~` instead of the yen sign and the
    /// overline.
    ///
    /// ```
    /// use mime_charset::{Charset, Options};
    ///
    /// let japanese = Charset::for_label("iso-2022-jp").unwrap();
    /// let as_ascii = Options::new().jis_roman_as_ascii(true);
    /// assert_eq!(japanese.decode(b"\x1B(JC:\\\x1B(B").as_str(), "C:¥");
    /// assert_eq!(japanese.decode_with(b"\x1B(JC:\\\x1B(B", &as_ascii).as_str(), "C:\\");
    /// ```
    #[must_use]
    pub const fn jis_roman_as_ascii(mut self, as_ascii: bool) -> Self {
        self.jis_roman_as_ascii = as_ascii;
        self
    }

    /// Whether old Hangul in `charset` may be remapped, which depends on the whole text.
    pub(crate) fn remaps(&self, charset: Charset) -> bool {
        match charset.about().family {
            Family::Unicode11(_) => true,
            Family::Unicode(_) => self.assume_pre_amendment5,
            _ => false,
        }
    }

    /// The charset to try if none is declared, such as the charset of other parts, of the header or
    /// of the folder. It is used only if it decodes every octet.
    ///
    /// ```
    /// use mime_charset::{Charset, Options, decode::{self, Context}};
    ///
    /// let korean = Options::new().hint(Charset::for_label("euc-kr"));
    /// let context = Context::new().options(korean);
    /// assert_eq!(decode::decode(b"\xC7\xD1\xB1\xB9", &context).as_str(), "한국");
    /// ```
    #[must_use]
    pub const fn hint(mut self, charset: Option<Charset>) -> Self {
        self.hint = charset;
        self
    }

    /// The charset in which to decode text, regardless of any declaration. This is the choice in a
    /// mail program's menu of text encodings, for illegible messages.
    ///
    /// It takes precedence over the label, a byte order mark, the evidence of the octets and the
    /// document's own declaration. It applies to bodies, and to raw octets in fields: octets above
    /// 7F and the escapes of ISO 2022. Encoded words (RFC 2047) and extended values (RFC 2231) keep
    /// their labels, and use the forced charset if the label is unknown. A byte order mark of the
    /// forced charset is removed like any other ([`keep_bom`](Options::keep_bom)). Text decoded
    /// this way has [`Source::Forced`](crate::Source::Forced) and a finding of kind
    /// [`Kind::CharsetForced`](crate::Kind::CharsetForced).
    ///
    /// Fields are ASCII lines in every charset. A charset that decodes ASCII as other text, such as
    /// UTF-16, is therefore forced only on bodies. [`Charset::UNKNOWN_8BIT`] declares no charset, and
    /// forces nothing. [`Charset::decode_with`] ignores this option: its caller names the charset.
    ///
    /// ```
    /// use mime_charset::{Charset, Kind, Message, Options, Source};
    ///
    /// // "Привет" in KOI8-R, labelled wrongly.
    /// let source = b"Subject: \xF0\xD2\xC9\xD7\xC5\xD4\n\
    ///                Content-Type: text/plain; charset=iso-8859-1\n\n\
    ///                \xF0\xD2\xC9\xD7\xC5\xD4";
    /// let message = Message::parse(source);
    /// let forced = Options::new().force(Charset::for_label("koi8-r"));
    /// let decoded = message.parts().next().unwrap().text_with(&forced);
    /// assert_eq!((decoded.as_str(), decoded.source()), ("Привет", Source::Forced));
    /// assert!(decoded.report().has(Kind::CharsetForced));
    /// let subject = message.field("Subject").unwrap();
    /// assert_eq!(subject.text_with(&forced).as_str(), "Привет");
    /// ```
    #[must_use]
    pub const fn force(mut self, charset: Option<Charset>) -> Self {
        self.forced = charset;
        self
    }

    /// Whether the octets are only the beginning of a text, for example of an interrupted fetch. Their
    /// end is then not reported as damage.
    ///
    /// The text ends with the last whole character, the last whole group of base64 or the last whole
    /// escape of quoted-printable. The octets after it give no U+FFFD and no finding of damage. A
    /// finding of kind [`Kind::Partial`](crate::Kind::Partial) says where the used octets end: as an
    /// offset in the body, and in its decoded octets. This text is a prefix of the whole text, unless
    /// the missing octets change the charset, the octet order of UTF-16 without a mark, or whether
    /// Hangul is old.
    ///
    /// In a message, only the body that ends with the message is partial. The option is for bodies:
    /// [`Charset::decode_with`] ignores it, and a [`Decoder`](crate::Decoder) buffers incomplete
    /// sequences anyway.
    ///
    /// ```
    /// use mime_charset::{Kind, Message, Options};
    ///
    /// // "한국" in UTF-8 and base64; the last octets are missing.
    /// let message = Message::parse(
    ///     b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n7ZWc6r",
    /// );
    /// let part = message.parts().next().unwrap();
    /// let decoded = part.text_with(&Options::new().partial(true));
    /// assert_eq!(decoded.as_str(), "한");
    /// assert!(decoded.report().has(Kind::Partial) && !decoded.report().has_loss());
    /// assert_eq!(part.text().as_str(), "한\u{FFFD}");
    /// ```
    #[must_use]
    pub const fn partial(mut self, partial: bool) -> Self {
        self.partial = partial;
        self
    }

    /// The charset forced on bodies.
    pub(crate) fn forced(&self) -> Option<Charset> {
        self.forced
            .filter(|&charset| charset != Charset::UNKNOWN_8BIT)
    }

    /// The charset forced on raw octets of fields, which are ASCII lines in every charset.
    pub(crate) fn forced_in_fields(&self) -> Option<Charset> {
        self.forced()
            .filter(|charset| charset.decode_with(b"a", self).as_str() == "a")
    }
}
