//! What there is to be noticed, and what it does to the text.

use std::fmt;

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
    /// Text with escapes or shifts that does not end in ASCII, as where its end is missing (RFC 1468, RFC 1557, RFC 1922, RFC 1843).
    ShiftedEnd,
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
    /// UTF-8 that was taken for windows-1252 or ISO-8859-1 and encoded again.
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
    /// No label, or a label that declares no charset, such as `unknown-8bit`.
    NoLabel,
    /// The caller forces this charset, whatever the text says of itself.
    CharsetForced,
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
    /// A value or a name with characters that should have been quoted (RFC 2045, section 5.1; RFC 5322, section 3.2.4), such as the full stop of a name (section 4.1).
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
    /// A gap in the sections of a parameter: what follows it is left out, or the first one is
    /// missing (RFC 2231, section 3).
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
    /// Encoded words that end inside a character, or in a state that the next goes on in, joined
    /// before decoding (RFC 2047, sections 3 and 5).
    EncodedWordJoined,
    /// An encoded word, or text that looks like one, left as it is written: it cannot be read, it
    /// may not stand there, its charset has no decoder, or its text could be taken for syntax.
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
    /// Quoted-printable with hexadecimal digits in lower case, or with an equals sign at the end of
    /// the body (RFC 2045, section 6.7).
    QuotedPrintableSyntax,
    /// Blanks at the end of a quoted-printable line, deleted (RFC 2045, section 6.7, rule 3).
    QuotedPrintableBlanks,
    /// A name taken from the comment or the text behind an address, which says who it is by custom
    /// alone (RFC 5322, section 3.4).
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
    /// Text before the first part of a multipart or behind its last, which is in no part and which
    /// programs for mail do not show (RFC 2046, section 5.1.1). The paragraph that says that a
    /// message is in MIME is none.
    OutsideParts,
    /// Content under a signature or encryption, which a change would break.
    SignedContent,
    /// A part or a field left in its charset, because the change would lose or guess something.
    Unconverted,
    /// Text that is not the whole text: the octets go on beyond those that are there, or the caller
    /// asked for no more. Nothing is wrong with it.
    Partial,
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
        Kind::ShiftedEnd,
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
        Kind::CharsetForced,
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
        Kind::OutsideParts,
        Kind::SignedContent,
        Kind::Unconverted,
        Kind::Partial,
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
            Kind::ShiftedEnd => "shifted-end",
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
            Kind::CharsetForced => "charset-forced",
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
            Kind::OutsideParts => "outside-parts",
            Kind::SignedContent => "signed-content",
            Kind::Unconverted => "unconverted",
            Kind::Partial => "partial",
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
            | Kind::ShiftedEnd
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
            | Kind::OutsideParts
            | Kind::SignedContent
            | Kind::Unconverted
            | Kind::Partial => Effect::Noted,
            Kind::LooseLabel
            | Kind::UnknownLabel
            | Kind::NoLabel
            | Kind::CharsetForced
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

/// The [`name`](Effect::name).
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
