//! What was assumed, repaired or lost on the way from octets to text.
//!
//! Every result of this library owns a [`Report`]: a list of [`Finding`]s, each with the
//! octets it speaks of. An empty report means that the input was exactly what the
//! standards ask for and that the text is exactly what was sent.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// On whose word a charset was chosen.
///
/// ```
/// use mime_charset::{Label, Options, Source, decode};
///
/// let (label, options) = (Label::new("koi8-u"), Options::new());
/// let labelled = decode::decode(b"\xF5\xCB\xD2", Some(&label), &options);
/// assert_eq!((labelled.text(), labelled.source()), ("Укр", Source::Declared));
/// let unlabelled = decode::decode("Укр".as_bytes(), None, &options);
/// assert_eq!((unlabelled.text(), unlabelled.source()), ("Укр", Source::Evidence));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The label of the part, or the caller.
    Declared,
    /// A byte order mark.
    Bom,
    /// A declaration inside the document, such as an HTML `meta` or an XML declaration.
    Document,
    /// The octets themselves, which leave no other reading: valid UTF-8, ISO 2022 escapes.
    Evidence,
    /// Likelihood, or a hint of the caller.
    Detected,
    /// Nobody's: the default of the media type or of this library.
    Default,
}

impl Source {
    /// The word for it in JSON: `declared`, `bom`, `document`, `evidence`, `detected` or
    /// `default`.
    ///
    /// ```
    /// assert_eq!(mime_charset::Source::Evidence.name(), "evidence");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Source::Declared => "declared",
            Source::Bom => "bom",
            Source::Document => "document",
            Source::Evidence => "evidence",
            Source::Detected => "detected",
            Source::Default => "default",
        }
    }
}

/// What a finding did to the text, from harmless to serious.
///
/// ```
/// use mime_charset::{Effect, transfer};
///
/// assert!(Effect::Noted < Effect::Assumed && Effect::Repaired < Effect::Lost);
/// // What was in the octet of the last, lonely letter cannot be known.
/// assert_eq!(transfer::base64(b"Q2Fm6").report().worst(), Some(Effect::Lost));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Effect {
    /// Something worth knowing; the text is as it was sent.
    Noted,
    /// The input left a choice open and one was made.
    Assumed,
    /// The input broke a rule and what was meant is plain.
    Repaired,
    /// Part of what was sent is not in the text.
    Lost,
}

impl Effect {
    /// The word for it in reports: `noted`, `assumed`, `repaired` or `lost`.
    ///
    /// ```
    /// assert_eq!(mime_charset::Effect::Lost.name(), "lost");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Effect::Noted => "noted",
            Effect::Assumed => "assumed",
            Effect::Repaired => "repaired",
            Effect::Lost => "lost",
        }
    }
}

/// What kind of thing was found.
///
/// The [`name`](Kind::name) is the kind's stable name in JSON; what it does to the text is
/// its [`effect`](Kind::effect).
///
/// ```
/// use mime_charset::{Effect, Kind, transfer};
///
/// let transferred = transfer::base64(b"Q2Fm6Q");
/// let kind = transferred.report().findings()[0].kind();
/// assert_eq!(kind, Kind::Base64Padding);
/// assert_eq!((kind.name(), kind.effect()), ("base64-padding", Effect::Repaired));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Octets that are no character of the charset; U+FFFD stands in the text for them.
    Malformed,
    /// Octets of a charset that is known by name but has no decoder here; U+FFFD stands for them.
    Undecoded,
    /// Octets that only the practised superset of the charset defines.
    Superset,
    /// UTF-7 that departs from RFC 2152 or RFC 3501, section 5.1.3, and is plain all the same.
    Utf7Syntax,
    /// Characters of markup that UTF-7 encodes and could write as they are (RFC 2152, rule 1): the octets do not show them.
    Utf7Markup,
    /// A byte order mark (RFC 3629, section 6) left out of the text.
    BomRemoved,
    /// Hangul coded before Amendment 5 (U+3400 to U+4DFF) moved to where it lives now (RFC 2279, section 5).
    HangulRemapped,
    /// A Unicode 1.1 label on text that Unicode 1.1 could not write; nothing was remapped.
    Mislabelled,
    /// A Unicode 1.1 label on text without Hangul, for which it was never meant (RFC 2279, section 5).
    LabelWithoutHangul,
    /// Text in U+3400 to U+4DFF that reads as Hangul coded before Amendment 5, under a label that forbids the remap.
    SuspectedOldHangul,
    /// UTF-8 that was taken for a single-byte charset and encoded again.
    DoubleEncoded,
    /// A noncharacter (U+FDD0 to U+FDEF, U+nFFFE, U+nFFFF), which is valid UTF-8 and stays.
    Noncharacter,
    /// U+0000, which mail text may not contain (RFC 5322, section 4).
    Nul,
    /// A control character that an encoded word or parameter brought in (RFC 2047, section 5),
    /// or one that stands raw in quoted-printable (RFC 2045, section 6.7).
    Control,
    /// A bidirectional control that can make text look other than it is.
    BidiControl,
    /// A label found only by loose comparison (UTS #22, section 1.4).
    LooseLabel,
    /// A label found only after undoing damage that mail does to labels.
    RepairedLabel,
    /// A label that names no charset.
    UnknownLabel,
    /// No charset was declared, or a label that declares none, such as `unknown-8bit`.
    NoLabel,
    /// The octets prove another charset than the label names.
    LabelOverridden,
    /// A byte order mark that contradicts the label.
    BomConflict,
    /// A declaration inside the document that contradicts the charset used.
    DocumentConflict,
    /// Octets above 7F where the label or the default is US-ASCII (RFC 2046, section 4.1.2).
    EightBitAscii,
    /// UTF-16 or UTF-32 without a byte order mark; the order was read off the octets or defaulted (RFC 2781, section 4.3).
    ByteOrderAssumed,
    /// The charset is the default of the media type (RFC 2046, section 4.1.2) or of this library.
    DefaultCharset,
    /// The charset was detected from the octets.
    DetectedCharset,
    /// A Content-Type without a valid type and subtype, read as text/plain (RFC 2045, section 5.2) or multipart/mixed.
    InvalidMediaType,
    /// A field that may stand only once stands again; the first is used (RFC 7103, section 7.5).
    DuplicateField,
    /// A parameter that stands twice; the first is used, and an extended one before a plain one.
    DuplicateParameter,
    /// Two parameters without a semicolon between them.
    MissingSemicolon,
    /// A semicolon with no parameter behind it.
    EmptyParameter,
    /// A field, a parameter or a mailbox without its value, read as absent.
    MissingValue,
    /// A parameter whose name and value are not separated by one equals sign.
    WrongSeparator,
    /// A value or a name with characters that should have been quoted (RFC 2045, section 5.1; RFC 5322, section 3.2.4).
    UnquotedSpecial,
    /// A quoted string, comment or angle bracket that nothing closes.
    Unterminated,
    /// Text that fits no rule of the field's grammar, passed over.
    SkippedText,
    /// Comments nested more than a hundred deep, which few programs follow (RFC 5322, section 3.2.2).
    DeepComment,
    /// UTF-8 in a header as it is (RFC 6532, section 3.2).
    RawUtf8,
    /// Octets above 7F in a header that are no UTF-8, which no standard allows.
    RawOctets,
    /// A section number that RFC 2231, section 3, does not allow.
    SectionNumber,
    /// A gap in the sections of a parameter; what follows it is left out (RFC 2231, section 3).
    SectionGap,
    /// A section of a parameter that stands twice; the first is used.
    DuplicateSection,
    /// An extended value that departs from RFC 2231, section 4.
    ExtendedSyntax,
    /// A percent sign without two hexadecimal digits, kept as it is.
    BadPercent,
    /// An encoded word where RFC 2047, section 5, forbids one, decoded all the same.
    EncodedWordPlace,
    /// An encoded word that departs from RFC 2047, section 2.
    EncodedWordSyntax,
    /// Encoded words that end inside a character, joined before decoding (RFC 2047, section 5).
    EncodedWordJoined,
    /// Text that looks like an encoded word and is none, or one in a charset without a decoder, left as it stands.
    EncodedWordKept,
    /// An encoded word of more than 75 characters (RFC 2047, section 2).
    EncodedWordLength,
    /// A Content-Transfer-Encoding that is not known; the octets stay as they are (RFC 2045, section 6.4).
    UnknownTransferEncoding,
    /// A Content-Transfer-Encoding that this media type may not have (RFC 2045, section 6.4).
    TransferEncodingForbidden,
    /// A Content-Transfer-Encoding found after undoing damage to its name.
    TransferEncodingRepaired,
    /// Octets above 7F where 7bit, quoted-printable or nothing was declared (RFC 7103, section 7.7).
    EightBitData,
    /// Octets outside the base64 alphabet, passed over (RFC 2045, section 6.8).
    Base64Skipped,
    /// Base64 data after its padding, decoded as a further run.
    Base64AfterPadding,
    /// Base64 padding that is missing, too much, or not of zero bits (RFC 2045, section 6.8).
    Base64Padding,
    /// A last base64 character that is too little for an octet.
    Base64Truncated,
    /// An equals sign without two hexadecimal digits, kept as it is (RFC 2045, section 6.7).
    QuotedPrintableKept,
    /// Quoted-printable in lower case, or one that ends in an equals sign (RFC 2045, section 6.7).
    QuotedPrintableSyntax,
    /// Blanks at the end of a quoted-printable line, deleted (RFC 2045, section 6.7, rule 3).
    QuotedPrintableBlanks,
    /// A name taken from the comment behind an address, which says who it is by custom alone
    /// (RFC 5322, section 3.4).
    NameFromComment,
    /// An encoded line of more than 76 characters (RFC 2045, sections 6.7 and 6.8).
    LineLength,
    /// Line ends that are not CRLF.
    BareLineEnd,
    /// A line in a header that is neither a field nor a fold.
    HeaderLine,
    /// A multipart without a usable boundary, split at the delimiters in its body or read as one part of text.
    MissingBoundary,
    /// A multipart that ends without its closing delimiter (RFC 2046, section 5.1.1).
    UnclosedMultipart,
    /// A multipart whose boundary begins no part, read as one part of text.
    EmptyMultipart,
    /// Content under a signature or encryption, which a change would break.
    SignedContent,
    /// A part or a field left in its charset, because the change would lose or guess something.
    Unconverted,
    /// A limit of this library was reached; what lies beyond is kept as octets, not taken apart.
    LimitReached,
}

impl Kind {
    /// Every kind there is, in the order of this page.
    ///
    /// ```
    /// use mime_charset::{Effect, Kind};
    ///
    /// let losses = Kind::ALL.iter().filter(|kind| kind.effect() == Effect::Lost);
    /// assert!(losses.into_iter().any(|kind| kind.name() == "malformed"));
    /// ```
    pub const ALL: &[Kind] = &[
        Kind::Malformed,
        Kind::Undecoded,
        Kind::Superset,
        Kind::Utf7Syntax,
        Kind::Utf7Markup,
        Kind::BomRemoved,
        Kind::HangulRemapped,
        Kind::Mislabelled,
        Kind::LabelWithoutHangul,
        Kind::SuspectedOldHangul,
        Kind::DoubleEncoded,
        Kind::Noncharacter,
        Kind::Nul,
        Kind::Control,
        Kind::BidiControl,
        Kind::LooseLabel,
        Kind::RepairedLabel,
        Kind::UnknownLabel,
        Kind::NoLabel,
        Kind::LabelOverridden,
        Kind::BomConflict,
        Kind::DocumentConflict,
        Kind::EightBitAscii,
        Kind::ByteOrderAssumed,
        Kind::DefaultCharset,
        Kind::DetectedCharset,
        Kind::InvalidMediaType,
        Kind::DuplicateField,
        Kind::DuplicateParameter,
        Kind::MissingSemicolon,
        Kind::EmptyParameter,
        Kind::MissingValue,
        Kind::WrongSeparator,
        Kind::UnquotedSpecial,
        Kind::Unterminated,
        Kind::SkippedText,
        Kind::DeepComment,
        Kind::RawUtf8,
        Kind::RawOctets,
        Kind::SectionNumber,
        Kind::SectionGap,
        Kind::DuplicateSection,
        Kind::ExtendedSyntax,
        Kind::BadPercent,
        Kind::EncodedWordPlace,
        Kind::EncodedWordSyntax,
        Kind::EncodedWordJoined,
        Kind::EncodedWordKept,
        Kind::EncodedWordLength,
        Kind::UnknownTransferEncoding,
        Kind::TransferEncodingForbidden,
        Kind::TransferEncodingRepaired,
        Kind::EightBitData,
        Kind::Base64Skipped,
        Kind::Base64AfterPadding,
        Kind::Base64Padding,
        Kind::Base64Truncated,
        Kind::QuotedPrintableKept,
        Kind::QuotedPrintableSyntax,
        Kind::QuotedPrintableBlanks,
        Kind::NameFromComment,
        Kind::LineLength,
        Kind::BareLineEnd,
        Kind::HeaderLine,
        Kind::MissingBoundary,
        Kind::UnclosedMultipart,
        Kind::EmptyMultipart,
        Kind::SignedContent,
        Kind::Unconverted,
        Kind::LimitReached,
    ];

    /// The name of the kind in JSON and in tables: lower case, hyphens between words.
    ///
    /// ```
    /// assert_eq!(mime_charset::Kind::BomRemoved.name(), "bom-removed");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Malformed => "malformed",
            Kind::Undecoded => "undecoded",
            Kind::Superset => "superset",
            Kind::Utf7Syntax => "utf7-syntax",
            Kind::Utf7Markup => "utf7-markup",
            Kind::BomRemoved => "bom-removed",
            Kind::HangulRemapped => "hangul-remapped",
            Kind::Mislabelled => "mislabelled",
            Kind::LabelWithoutHangul => "label-without-hangul",
            Kind::SuspectedOldHangul => "suspected-old-hangul",
            Kind::DoubleEncoded => "double-encoded",
            Kind::Noncharacter => "noncharacter",
            Kind::Nul => "nul",
            Kind::Control => "control",
            Kind::BidiControl => "bidi-control",
            Kind::LooseLabel => "loose-label",
            Kind::RepairedLabel => "repaired-label",
            Kind::UnknownLabel => "unknown-label",
            Kind::NoLabel => "no-label",
            Kind::LabelOverridden => "label-overridden",
            Kind::BomConflict => "bom-conflict",
            Kind::DocumentConflict => "document-conflict",
            Kind::EightBitAscii => "eight-bit-ascii",
            Kind::ByteOrderAssumed => "byte-order-assumed",
            Kind::DefaultCharset => "default-charset",
            Kind::DetectedCharset => "detected-charset",
            Kind::InvalidMediaType => "invalid-media-type",
            Kind::DuplicateField => "duplicate-field",
            Kind::DuplicateParameter => "duplicate-parameter",
            Kind::MissingSemicolon => "missing-semicolon",
            Kind::EmptyParameter => "empty-parameter",
            Kind::MissingValue => "missing-value",
            Kind::WrongSeparator => "wrong-separator",
            Kind::UnquotedSpecial => "unquoted-special",
            Kind::Unterminated => "unterminated",
            Kind::SkippedText => "skipped-text",
            Kind::DeepComment => "deep-comment",
            Kind::RawUtf8 => "raw-utf8",
            Kind::RawOctets => "raw-octets",
            Kind::SectionNumber => "section-number",
            Kind::SectionGap => "section-gap",
            Kind::DuplicateSection => "duplicate-section",
            Kind::ExtendedSyntax => "extended-syntax",
            Kind::BadPercent => "bad-percent",
            Kind::EncodedWordPlace => "encoded-word-place",
            Kind::EncodedWordSyntax => "encoded-word-syntax",
            Kind::EncodedWordJoined => "encoded-word-joined",
            Kind::EncodedWordKept => "encoded-word-kept",
            Kind::EncodedWordLength => "encoded-word-length",
            Kind::UnknownTransferEncoding => "unknown-transfer-encoding",
            Kind::TransferEncodingForbidden => "transfer-encoding-forbidden",
            Kind::TransferEncodingRepaired => "transfer-encoding-repaired",
            Kind::EightBitData => "eight-bit-data",
            Kind::Base64Skipped => "base64-skipped",
            Kind::Base64AfterPadding => "base64-after-padding",
            Kind::Base64Padding => "base64-padding",
            Kind::Base64Truncated => "base64-truncated",
            Kind::QuotedPrintableKept => "quoted-printable-kept",
            Kind::QuotedPrintableSyntax => "quoted-printable-syntax",
            Kind::QuotedPrintableBlanks => "quoted-printable-blanks",
            Kind::NameFromComment => "name-from-comment",
            Kind::LineLength => "line-length",
            Kind::BareLineEnd => "bare-line-end",
            Kind::HeaderLine => "header-line",
            Kind::MissingBoundary => "missing-boundary",
            Kind::UnclosedMultipart => "unclosed-multipart",
            Kind::EmptyMultipart => "empty-multipart",
            Kind::SignedContent => "signed-content",
            Kind::Unconverted => "unconverted",
            Kind::LimitReached => "limit-reached",
        }
    }

    /// What findings of this kind do to the text.
    ///
    /// ```
    /// use mime_charset::{Effect, Kind};
    ///
    /// assert_eq!(Kind::Malformed.effect(), Effect::Lost);
    /// ```
    #[must_use]
    pub fn effect(self) -> Effect {
        match self {
            Kind::RawUtf8
            | Kind::Superset
            | Kind::Utf7Markup
            | Kind::BomRemoved
            | Kind::Mislabelled
            | Kind::LabelWithoutHangul
            | Kind::SuspectedOldHangul
            | Kind::DoubleEncoded
            | Kind::Noncharacter
            | Kind::Nul
            | Kind::Control
            | Kind::BidiControl
            | Kind::DocumentConflict
            | Kind::DeepComment
            | Kind::EncodedWordKept
            | Kind::EncodedWordLength
            | Kind::NameFromComment
            | Kind::LineLength
            | Kind::BareLineEnd
            | Kind::EmptyMultipart
            | Kind::SignedContent
            | Kind::Unconverted => Effect::Noted,
            Kind::LooseLabel
            | Kind::UnknownLabel
            | Kind::NoLabel
            | Kind::LabelOverridden
            | Kind::BomConflict
            | Kind::EightBitAscii
            | Kind::ByteOrderAssumed
            | Kind::DefaultCharset
            | Kind::DetectedCharset => Effect::Assumed,
            Kind::Utf7Syntax
            | Kind::HangulRemapped
            | Kind::RepairedLabel
            | Kind::InvalidMediaType
            | Kind::DuplicateField
            | Kind::DuplicateParameter
            | Kind::MissingSemicolon
            | Kind::EmptyParameter
            | Kind::MissingValue
            | Kind::WrongSeparator
            | Kind::UnquotedSpecial
            | Kind::Unterminated
            | Kind::SkippedText
            | Kind::RawOctets
            | Kind::SectionNumber
            | Kind::DuplicateSection
            | Kind::ExtendedSyntax
            | Kind::BadPercent
            | Kind::EncodedWordPlace
            | Kind::EncodedWordSyntax
            | Kind::EncodedWordJoined
            | Kind::TransferEncodingForbidden
            | Kind::TransferEncodingRepaired
            | Kind::EightBitData
            | Kind::Base64Skipped
            | Kind::Base64AfterPadding
            | Kind::Base64Padding
            | Kind::QuotedPrintableKept
            | Kind::QuotedPrintableSyntax
            | Kind::QuotedPrintableBlanks
            | Kind::HeaderLine
            | Kind::MissingBoundary
            | Kind::UnclosedMultipart => Effect::Repaired,
            Kind::Malformed
            | Kind::Undecoded
            | Kind::SectionGap
            | Kind::UnknownTransferEncoding
            | Kind::Base64Truncated
            | Kind::LimitReached => Effect::Lost,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Which octets a finding's offset counts.
///
/// ```
/// use mime_charset::{Kind, Message, Within};
///
/// let message = b"Content-Type: text/plain; charset=utf-8\n\
///                 Content-Transfer-Encoding: base64\n\n\
///                 w4n/QQ";
/// let message = Message::parse(message);
/// let decoded = message.parts().next().unwrap().text();
/// assert_eq!(decoded.text(), "É\u{FFFD}A");
/// let [padding, malformed] = decoded.report().findings() else { unreachable!() };
/// // The end of the base64 in the message; the octet FF behind C3 89.
/// assert_eq!((padding.within(), padding.offset()), (Within::Source, 81));
/// assert_eq!((malformed.within(), malformed.offset()), (Within::Octets, 2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Within {
    /// The octets given to the function that reports: a field body, a part's encoded
    /// body; of a finding that a [`Message`](crate::Message) gives, the whole message.
    Source,
    /// The octets that are characters: what is left when the transfer encoding is undone.
    Octets,
}

impl Within {
    /// The word for it in JSON: `source` or `octets`.
    ///
    /// ```
    /// assert_eq!(mime_charset::Within::Octets.name(), "octets");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Within::Source => "source",
            Within::Octets => "octets",
        }
    }
}

/// One thing that was noticed, and the octets it speaks of.
///
/// ```
/// use mime_charset::{Charset, Kind, Within};
///
/// let decoded = Charset::UTF_8.decode(b"caf\xE9");
/// let finding = &decoded.report().findings()[0];
/// assert_eq!((finding.kind(), finding.within()), (Kind::Malformed, Within::Octets));
/// assert_eq!((finding.offset(), finding.length()), (3, 1));
/// assert_eq!(finding.detail(), "truncated sequence");
/// assert_eq!(finding.to_string(), "malformed at 3: truncated sequence");
/// ```
#[derive(Clone)]
pub struct Finding {
    kind: Kind,
    within: Within,
    /// 0 where they stand in `rest`, and so is the offset.
    length: u16,
    offset: u32,
    rest: Rest,
}

/// What differs in size from finding to finding. Damaged text has tens of thousands of them,
/// nearly all short and in the words of this library, and where they fill more memory than
/// the text does that is what decoding it costs.
#[derive(Clone)]
enum Rest {
    /// The detail.
    Words(&'static str),
    /// A detail that was made, or a place that lies too far or is too long. Many findings may
    /// have the same.
    Other(Arc<Other>),
}

#[derive(Clone)]
struct Other {
    /// Offset and length, where they have no room in the finding.
    place: Option<(usize, usize)>,
    detail: Cow<'static, str>,
}

impl Finding {
    #[inline]
    fn new(
        kind: Kind,
        within: Within,
        offset: usize,
        length: usize,
        detail: Cow<'static, str>,
    ) -> Finding {
        let near = u32::try_from(offset).ok().zip(u16::try_from(length).ok());
        let place = near.is_none().then_some((offset, length));
        let (offset, length) = near.unwrap_or_default();
        Finding {
            kind,
            within,
            length,
            offset,
            rest: match detail {
                Cow::Borrowed(words) if place.is_none() => Rest::Words(words),
                detail => Rest::Other(Arc::new(Other { place, detail })),
            },
        }
    }

    /// Its place, where that has no room in itself.
    fn far(&self) -> Option<(usize, usize)> {
        match &self.rest {
            Rest::Words(_) => None,
            Rest::Other(other) => other.place,
        }
    }

    /// Lets it stand `base` octets later.
    #[inline]
    fn move_by(&mut self, base: usize) {
        let (offset, length) = (self.offset() + base, self.length());
        if let (None, Ok(near)) = (self.far(), u32::try_from(offset)) {
            self.offset = near;
            return;
        }
        let detail = match &self.rest {
            Rest::Words(words) => Cow::Borrowed(*words),
            Rest::Other(other) => other.detail.clone(),
        };
        *self = Finding::new(self.kind, self.within, offset, length, detail);
    }

    /// Takes its detail from one of `before`, if one of the last few has the same.
    fn sharing(mut self, before: &[Finding]) -> Finding {
        const LAST: usize = 4;
        if let Rest::Other(own) = &self.rest {
            let same = before.iter().rev().take(LAST).find_map(|finding| {
                let Rest::Other(other) = &finding.rest else {
                    return None;
                };
                (other.place == own.place && other.detail == own.detail).then_some(other)
            });
            if let Some(same) = same {
                self.rest = Rest::Other(Arc::clone(same));
            }
        }
        self
    }

    /// What kind of thing was found.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Which octets [`offset`](Finding::offset) and [`length`](Finding::length) count.
    #[must_use]
    pub fn within(&self) -> Within {
        self.within
    }

    /// How many octets lie before the finding.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.far()
            .map_or(self.offset as usize, |(offset, _)| offset)
    }

    /// How many octets the finding speaks of; 0 where something is missing.
    #[must_use]
    pub fn length(&self) -> usize {
        self.far()
            .map_or(usize::from(self.length), |(_, length)| length)
    }

    /// The rest of the sentence: what exactly was found; empty where the kind says it all.
    #[must_use]
    pub fn detail(&self) -> &str {
        match &self.rest {
            Rest::Words(words) => words,
            Rest::Other(other) => &other.detail,
        }
    }
}

/// Findings that say the same are equal, however they are kept.
impl PartialEq for Finding {
    fn eq(&self, other: &Finding) -> bool {
        let place = |finding: &Finding| (finding.within, finding.offset(), finding.length());
        self.kind == other.kind && place(self) == place(other) && self.detail() == other.detail()
    }
}

impl Eq for Finding {}

#[expect(
    clippy::missing_fields_in_debug,
    reason = "what `rest` holds is shown as what it says"
)]
impl fmt::Debug for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finding")
            .field("kind", &self.kind)
            .field("within", &self.within)
            .field("offset", &self.offset())
            .field("length", &self.length())
            .field("detail", &self.detail())
            .finish()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.kind, self.offset())?;
        if !self.detail().is_empty() {
            write!(f, ": {}", self.detail())?;
        }
        Ok(())
    }
}

/// Everything that was noticed while reading one thing.
///
/// Findings stand in the order in which they were made. A report keeps up to
/// [`Report::MAX_FINDINGS`], among them the first of each kind, and counts the rest, so that its
/// memory is bounded.
///
/// ```
/// use mime_charset::{Charset, Effect, Kind};
///
/// let clean = Charset::UTF_8.decode(b"caf\xC3\xA9");
/// assert!(clean.report().is_empty());
///
/// let damaged = Charset::UTF_8.decode(b"caf\xE9 \xC0\x80");
/// let report = damaged.report();
/// assert_eq!((report.findings().len(), report.omitted()), (3, 0));
/// assert!(report.has(Kind::Malformed) && report.has_loss());
/// assert_eq!((report.worst(), report.replacements()), (Some(Effect::Lost), 3));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Report {
    findings: Vec<Finding>,
    beyond: Option<Box<Beyond>>,
    worst: Option<Effect>,
    replacements: usize,
}

/// What is known of findings beyond those that a report keeps.
#[derive(Debug, Clone, Default)]
struct Beyond {
    omitted: usize,
    /// Whether there is a finding of each kind; nothing until that matters.
    kinds: Option<[bool; Kind::ALL.len()]>,
}

const _: () = assert!(Kind::ALL.len() <= Report::LAST);

impl PartialEq for Report {
    fn eq(&self, other: &Self) -> bool {
        let known = |report: &Report| (report.omitted(), report.worst, report.replacements);
        known(self) == known(other) && self.findings == other.findings
    }
}

impl Eq for Report {}

impl Report {
    /// How many findings a report keeps at most; of those beyond it, it knows the number. The last
    /// 128 places are for the first finding of each kind that is not among the others.
    ///
    /// ```
    /// use mime_charset::{Kind, Report, transfer};
    ///
    /// let body = "=x\n".repeat(Report::MAX_FINDINGS) + "a ";
    /// let decoded = transfer::quoted_printable(body.as_bytes());
    /// let report = decoded.report();
    /// assert_eq!(report.findings().len(), Report::MAX_FINDINGS - 128 + 1);
    /// assert_eq!(report.omitted(), 128);
    /// assert!(report.has(Kind::QuotedPrintableKept) && report.has(Kind::QuotedPrintableBlanks));
    /// ```
    pub const MAX_FINDINGS: usize = 65_536;

    /// How many places are for further kinds.
    const LAST: usize = 128;

    /// A report without findings.
    ///
    /// ```
    /// assert!(mime_charset::Report::new().is_empty());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Report {
            findings: Vec::new(),
            beyond: None,
            worst: None,
            replacements: 0,
        }
    }

    /// The findings, in the order in which they were made.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How many findings were counted and not kept.
    #[must_use]
    pub fn omitted(&self) -> usize {
        self.beyond.as_ref().map_or(0, |beyond| beyond.omitted)
    }

    /// How many U+FFFD stand in the text for octets that could not be decoded, those of
    /// findings that are not kept included.
    #[must_use]
    pub fn replacements(&self) -> usize {
        self.replacements
    }

    /// Whether nothing at all was found.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The most serious effect of any finding, kept or not; `None` where there is no finding.
    #[must_use]
    pub fn worst(&self) -> Option<Effect> {
        self.worst
    }

    /// Whether something that was sent is not in the text.
    #[must_use]
    pub fn has_loss(&self) -> bool {
        self.worst == Some(Effect::Lost)
    }

    /// Whether there is a finding of `kind`.
    #[must_use]
    pub fn has(&self, kind: Kind) -> bool {
        self.findings.iter().any(|finding| finding.kind == kind)
    }

    /// Adds a finding about `length` octets at `offset` of the source.
    pub(crate) fn add(
        &mut self,
        kind: Kind,
        offset: usize,
        length: usize,
        detail: impl Into<Cow<'static, str>>,
    ) {
        if !self.keeps(kind) {
            return self.omit();
        }
        let detail = detail.into();
        self.push(Finding::new(kind, Within::Source, offset, length, detail));
    }

    /// Adds what `finding` says, but about `length` octets at `offset` of the source.
    pub(crate) fn add_again(&mut self, finding: &Finding, offset: usize, length: usize) {
        let kind = finding.kind;
        match &finding.rest {
            Rest::Words(words) => self.add(kind, offset, length, *words),
            Rest::Other(_) if !self.keeps(kind) => self.omit(),
            Rest::Other(other) => self.add(kind, offset, length, other.detail.clone()),
        }
    }

    /// Adds a finding about `length` octets at `offset` of the decoded octets.
    pub(crate) fn add_in_octets(
        &mut self,
        kind: Kind,
        offset: usize,
        length: usize,
        detail: impl Into<Cow<'static, str>>,
    ) {
        if !self.keeps(kind) {
            return self.omit();
        }
        let detail = detail.into();
        self.push(Finding::new(kind, Within::Octets, offset, length, detail));
    }

    /// Adds a finding about `length` octets at `offset` of the decoded octets, for which one
    /// U+FFFD was put into the text.
    ///
    /// Inlined, so that the finding is written where it stays: damaged text makes them faster
    /// than they could be copied.
    #[inline]
    pub(crate) fn add_replaced(
        &mut self,
        kind: Kind,
        offset: usize,
        length: usize,
        what: &'static str,
    ) {
        self.replacements += 1;
        if let (Ok(offset), Ok(length), true) = (
            u32::try_from(offset),
            u16::try_from(length),
            self.has_room(),
        ) {
            self.worst = self.worst.max(Some(kind.effect()));
            self.findings.push(Finding {
                kind,
                within: Within::Octets,
                length,
                offset,
                rest: Rest::Words(what),
            });
        } else {
            self.add_in_octets(kind, offset, length, what);
        }
    }

    /// Whether a further finding of `kind` would be kept; where not, its detail need not be made.
    pub(crate) fn keeps(&mut self, kind: Kind) -> bool {
        self.has_room() || !self.has_beyond(kind)
    }

    /// Whether there is a finding of `kind`, told without looking at all of them again.
    fn has_beyond(&mut self, kind: Kind) -> bool {
        let findings = &self.findings;
        let kinds = self
            .beyond
            .get_or_insert_default()
            .kinds
            .get_or_insert_with(|| {
                let mut kinds = [false; Kind::ALL.len()];
                for finding in findings {
                    if let Some(is_there) = kinds.get_mut(finding.kind as usize) {
                        *is_there = true;
                    }
                }
                kinds
            });
        kinds.get(kind as usize).copied().unwrap_or(false)
    }

    fn has_room(&self) -> bool {
        self.findings.len() < Self::MAX_FINDINGS - Self::LAST
    }

    /// Gives back the room for findings that never came.
    pub(crate) fn shrink(&mut self) {
        self.findings.shrink_to_fit();
    }

    /// Leaves out the findings of these kinds.
    pub(crate) fn leave_out(&mut self, kinds: &[Kind]) {
        self.findings
            .retain(|finding| !kinds.contains(&finding.kind));
    }

    /// How many findings were added, kept or not.
    pub(crate) fn count(&self) -> usize {
        self.findings.len() + self.omitted()
    }

    #[inline]
    fn push(&mut self, finding: Finding) {
        if !self.has_room() {
            return self.push_beyond(finding);
        }
        self.worst = self.worst.max(Some(finding.kind.effect()));
        let finding = match &finding.rest {
            Rest::Words(_) => finding,
            Rest::Other(_) => finding.sharing(&self.findings),
        };
        self.findings.push(finding);
    }

    /// Keeps a finding that is the first of its kind.
    #[inline(never)]
    fn push_beyond(&mut self, finding: Finding) {
        if self.has_beyond(finding.kind) {
            return self.omit();
        }
        let kinds = self
            .beyond
            .as_mut()
            .and_then(|beyond| beyond.kinds.as_mut());
        if let Some(is_there) = kinds.and_then(|kinds| kinds.get_mut(finding.kind as usize)) {
            *is_there = true;
        }
        self.worst = self.worst.max(Some(finding.kind.effect()));
        self.findings.push(finding);
    }

    /// Counts a finding that is not kept: there is one of its kind.
    fn omit(&mut self) {
        self.beyond.get_or_insert_default().omitted += 1;
    }

    /// Takes over the findings of `part`, which was given the octets from `base` on.
    pub(crate) fn absorb_octets(&mut self, part: Report, base: usize) {
        self.absorb_moved(part, base, |finding| {
            finding.within == Within::Octets && finding.length() > 0
        });
    }

    /// Makes its findings count from `base` octets further ahead in the source.
    pub(crate) fn shift(&mut self, base: usize) {
        if base == 0 {
            return;
        }
        for finding in &mut self.findings {
            if finding.within == Within::Source {
                finding.move_by(base);
            }
        }
    }

    /// Takes over the findings of `part`, whose source began `base` octets into ours.
    pub(crate) fn absorb(&mut self, part: Report, base: usize) {
        self.absorb_moved(part, base, |finding| finding.within == Within::Source);
    }

    /// Takes over the findings of `part`, those for which `moves` holds `base` octets later.
    fn absorb_moved(&mut self, part: Report, base: usize, moves: impl Fn(&Finding) -> bool) {
        self.absorb_counts(&part);
        if self.findings.is_empty() {
            self.findings = part.findings;
            for finding in self.findings.iter_mut().filter(|_| base > 0) {
                if moves(finding) {
                    finding.move_by(base);
                }
            }
            return;
        }
        for mut finding in part.findings {
            if base > 0 && moves(&finding) {
                finding.move_by(base);
            }
            self.push(finding);
        }
    }

    /// Takes over what `part` knows beside its findings, which the caller adds in another form.
    pub(crate) fn absorb_counts(&mut self, part: &Report) {
        self.worst = self.worst.max(part.worst);
        if part.omitted() > 0 {
            self.beyond.get_or_insert_default().omitted += part.omitted();
        }
        self.replacements += part.replacements;
    }
}

#[cfg(test)]
mod tests {
    use super::{Effect, Finding, Kind, Report};

    /// Whoever asks for a kind must not be told that there is none because there were others.
    #[test]
    fn the_first_finding_of_a_kind_is_kept() {
        let common = Report::MAX_FINDINGS - Report::LAST;
        let mut report = Report::new();
        for offset in 0..common + 2 {
            report.add(Kind::Nul, offset, 1, "");
        }
        for offset in [7, 9] {
            report.add(Kind::Control, offset, 1, "");
            report.add(Kind::Malformed, offset, 1, format!("octet {offset}"));
        }
        let mut whole = Report::new();
        whole.add(Kind::Unterminated, 0, 1, "");
        whole.absorb(report.clone(), 10);
        for (report, base, omitted) in [(report, 0, 4), (whole, 10, 5)] {
            let behind = report.findings().iter().skip(common);
            let behind: Vec<_> = behind.map(|it| (it.kind(), it.offset() - base)).collect();
            assert_eq!(behind, [(Kind::Control, 7), (Kind::Malformed, 7)]);
            assert_eq!(report.omitted(), omitted);
            assert_eq!(report.worst(), Some(Effect::Lost));
        }
    }

    /// Its memory is bounded, whatever is found.
    #[test]
    fn a_report_is_never_longer_than_it_may_be() {
        let mut report = Report::new();
        for kind in Kind::ALL.iter().cycle().take(2 * Report::MAX_FINDINGS) {
            report.add(*kind, 0, 0, "");
        }
        for _ in 0..2 {
            report.absorb(report.clone(), 1);
        }
        assert!(report.findings().len() <= Report::MAX_FINDINGS);
        assert_eq!(report.count(), 8 * Report::MAX_FINDINGS);
    }

    #[test]
    fn findings_are_small() {
        // Of damaged text a report keeps as many as it may: 1.5 MB of them.
        assert_eq!(size_of::<Finding>(), 24);
    }

    #[test]
    #[cfg(target_pointer_width = "64")]
    fn findings_say_the_same_wherever_they_lie() {
        const FAR: usize = u32::MAX as usize;
        const LONG: usize = u16::MAX as usize;
        for offset in [0, 1, FAR - 1, FAR, FAR + 1, FAR * 5] {
            for length in [0, 1, LONG, LONG + 1, FAR + 7] {
                for detail in ["", "some words"] {
                    let mut said = Report::new();
                    said.add(Kind::Nul, offset, length, detail);
                    let mut made = Report::new();
                    made.add(Kind::Nul, offset, length, detail.to_owned());
                    for report in [said, made] {
                        for base in [0, 1, FAR] {
                            let mut whole = Report::new();
                            whole.add(Kind::Malformed, 0, 0, "");
                            whole.absorb(report.clone(), base);
                            let finding = &whole.findings()[1];
                            assert_eq!(
                                (finding.kind(), finding.offset(), finding.length()),
                                (Kind::Nul, offset + base, length)
                            );
                            assert_eq!(finding.detail(), detail);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Kind::ALL.len());
        // A report tells kinds apart by their places.
        let mut places = Kind::ALL.iter().enumerate();
        assert!(places.all(|(place, kind)| *kind as usize == place));
    }
}
