//! The kinds of findings and their effects.

use std::fmt;

use Effect::{Assumed, Lost, Noted, Repaired};

/// How a finding affects the text, from harmless to serious.
///
/// ```
/// use mime_charset::{Effect, transfer};
///
/// assert!(Effect::Noted < Effect::Assumed && Effect::Repaired < Effect::Lost);
/// // The last, single letter holds too few bits for an octet.
/// assert_eq!(transfer::base64(b"Q2Fm6").report().worst(), Some(Effect::Lost));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Effect {
    /// Worth knowing; the text is as it was sent.
    Noted,
    /// The input was ambiguous, and this library chose one reading.
    Assumed,
    /// The input broke a rule, but its meaning is clear.
    Repaired,
    /// Part of the input is missing from the text.
    Lost,
}

impl Effect {
    /// The name in reports: `noted`, `assumed`, `repaired` or `lost`.
    ///
    /// ```
    /// assert_eq!(mime_charset::Effect::Lost.name(), "lost");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Noted => "noted",
            Assumed => "assumed",
            Repaired => "repaired",
            Lost => "lost",
        }
    }
}

/// The kind of a finding.
///
/// The [`name`](Kind::name) is stable and used in JSON. The [`effect`](Kind::effect) is how the finding
/// affects the text.
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
    /// Octets that are not a character of the charset, replaced by U+FFFD.
    Malformed,
    /// Octets of a charset without a decoder in this build, replaced by U+FFFD.
    Undecoded,
    /// Octets defined only in the superset that programs use in place of the charset.
    Superset,
    /// Text with escapes or shifts that does not end in ASCII, often because it was truncated (RFC 1468,
    /// RFC 1557, RFC 1922, RFC 1843).
    ShiftedEnd,
    /// An ISO-2022-JP escape that lost its ESC in transit, as in `$B$3$s(B` (RFC 1468).
    MissingEscape,
    /// Seven-bit header text like ISO-2022-JP without ESC, not decoded: in structured fields, `(B` begins a
    /// comment (RFC 5322, section 3.2.2).
    EscapeKept,
    /// UTF-7 that departs from RFC 2152 or RFC 3501, section 5.1.3, but is unambiguous.
    Utf7Syntax,
    /// Markup characters that UTF-7 encodes without need (RFC 2152, rule 1), which hides them from a filter
    /// that looks at octets.
    Utf7Markup,
    /// A byte order mark removed from the text or from before the first field (RFC 3629, section 6), or
    /// from a message entirely in UTF-16.
    BomRemoved,
    /// Hangul as Unicode 1.1 encoded it (U+3400 to U+4DFF), remapped to its current code points (RFC
    /// 2279, section 5).
    HangulRemapped,
    /// A Unicode 1.1 label on text that Unicode 1.1 cannot represent; nothing was remapped.
    Mislabelled,
    /// A Unicode 1.1 label on text without Hangul; the label is only for Hangul (RFC 2279, section 5).
    LabelWithoutHangul,
    /// Text in U+3400 to U+4DFF that looks like Hangul of Unicode 1.1, under a label that forbids
    /// remapping it.
    SuspectedOldHangul,
    /// UTF-8 that a mailer mistook for windows-1252 or ISO-8859-1 and encoded again;
    /// `decode::encoded_once` gives the text that was meant.
    DoubleEncoded,
    /// A noncharacter (U+FDD0 to U+FDEF, U+nFFFE, U+nFFFF), which is valid UTF-8 and kept.
    Noncharacter,
    /// U+0000, which mail text may not contain (RFC 5322, section 4).
    Nul,
    /// A control character from an encoded word or a parameter (RFC 2047, section 5), or a raw one in
    /// quoted-printable (RFC 2045, section 6.7).
    Control,
    /// A bidirectional control, which can make text appear in an order other than the stored one.
    BidiControl,
    /// A label matched only by loose comparison (UTS #22, section 1.4).
    LooseLabel,
    /// A label matched only after repairing damage that is typical of mail.
    RepairedLabel,
    /// A label that names no charset.
    UnknownLabel,
    /// No label, or a label that declares no charset, such as `unknown-8bit`.
    NoLabel,
    /// A charset that the caller forces, whatever the text declares.
    CharsetForced,
    /// A label that the octets disprove.
    LabelOverridden,
    /// A byte order mark that contradicts the label.
    BomConflict,
    /// A declaration inside the document that contradicts the charset used.
    DocumentConflict,
    /// Octets above 7F where the label or the default is US-ASCII (RFC 2046, section 4.1.2).
    EightBitAscii,
    /// UTF-16 or UTF-32 without a byte order mark; the order was detected or defaulted (RFC 2781, section 4.3).
    ByteOrderAssumed,
    /// The charset is the default of the media type (RFC 2046, section 4.1.2) or of this library.
    DefaultCharset,
    /// The charset was detected from the octets.
    DetectedCharset,
    /// A Content-Type without a valid type and subtype, or with the two swapped, as in `plain/text`. A lone
    /// `multipart`, `image`, `audio`, `video` or `application` gets a default subtype; anything else is read
    /// as text/plain (RFC 2045, section 5.2).
    InvalidMediaType,
    /// A repeated field that may occur only once; the first is used (RFC 7103, section 7.5).
    DuplicateField,
    /// A repeated parameter; the first is used, an extended one in preference to a plain one.
    DuplicateParameter,
    /// Two parameters without a semicolon between them.
    MissingSemicolon,
    /// A semicolon without a parameter after it.
    EmptyParameter,
    /// A field, a parameter or a mailbox without a value, treated as absent.
    MissingValue,
    /// A parameter whose name and value are not separated by one equals sign.
    WrongSeparator,
    /// A value or a name with unquoted special characters (RFC 2045, section 5.1; RFC 5322, section 3.2.4),
    /// such as a full stop in a name (section 4.1).
    UnquotedSpecial,
    /// A quoted string, a comment or an angle bracket that is never closed.
    Unterminated,
    /// Text that does not match the field's grammar, skipped.
    SkippedText,
    /// Comments nested more than a hundred deep, which few programs follow (RFC 5322, section 3.2.2).
    DeepComment,
    /// Raw UTF-8 in a header (RFC 6532, section 3.2).
    RawUtf8,
    /// Octets above 7F in a header that are not UTF-8, which no standard allows.
    RawOctets,
    /// A section number that RFC 2231, section 3, does not allow.
    SectionNumber,
    /// A gap in the sections of a parameter: later sections are left out, or the first one is missing (RFC
    /// 2231, section 3).
    SectionGap,
    /// A repeated section of a parameter; the first is used.
    DuplicateSection,
    /// An extended value that departs from RFC 2231, section 4.
    ExtendedSyntax,
    /// A percent sign without two hexadecimal digits, kept verbatim.
    BadPercent,
    /// An encoded word where RFC 2047, section 5, forbids one, decoded anyway.
    EncodedWordPlace,
    /// An encoded word that departs from RFC 2047, section 2.
    EncodedWordSyntax,
    /// Encoded words joined before decoding, because one ends inside a character, an escape or a base64
    /// group, or in a shift state that the next one needs (RFC 2047, sections 3 and 5).
    EncodedWordJoined,
    /// An encoded word, or text that looks like one, kept verbatim: it cannot be parsed, it is not allowed
    /// there, its charset has no decoder, or its text could be mistaken for syntax even in quotes.
    EncodedWordKept,
    /// An encoded word of more than 75 characters (RFC 2047, section 2).
    EncodedWordLength,
    /// A date that departs from RFC 5322, section 3.3, such as a zone by name (section 4.3) or the order of asctime.
    DateSyntax,
    /// An ambiguous date: the meaning of its zone name is uncertain, or its day of the week contradicts
    /// its date; the date is used.
    DateAssumed,
    /// An unknown Content-Transfer-Encoding; the octets are kept as they are (RFC 2045, section 6.4).
    UnknownTransferEncoding,
    /// A Content-Transfer-Encoding that is forbidden for this media type (RFC 2045, section 6.4).
    TransferEncodingForbidden,
    /// A Content-Transfer-Encoding matched after repairing its name.
    TransferEncodingRepaired,
    /// Octets above 7F where 7bit, quoted-printable or nothing was declared (RFC 7103, section 7.7).
    EightBitData,
    /// Octets outside the base64 alphabet, skipped (RFC 2045, section 6.8).
    Base64Skipped,
    /// Base64 data after padding, decoded as a further run.
    Base64AfterPadding,
    /// Base64 padding that is missing, too long, or has bits set (RFC 2045, section 6.8).
    Base64Padding,
    /// A last base64 character that holds too few bits for an octet.
    Base64Truncated,
    /// An equals sign without two hexadecimal digits, kept verbatim (RFC 2045, section 6.7).
    QuotedPrintableKept,
    /// Quoted-printable with lower-case hexadecimal digits, or with an equals sign at the end of the body
    /// (RFC 2045, section 6.7).
    QuotedPrintableSyntax,
    /// Blanks at the end of a quoted-printable line, deleted (RFC 2045, section 6.7, rule 3).
    QuotedPrintableBlanks,
    /// Uuencode that departs from POSIX but is unambiguous: `begin` or `end` is missing, or lines lack
    /// their trailing blanks.
    UuencodeSyntax,
    /// Uuencode with characters out of range, or text before, between or after its lines, which is left
    /// out.
    UuencodeDamage,
    /// A display name taken from a comment or text after the address, which is a convention only (RFC 5322,
    /// section 3.4).
    NameFromComment,
    /// An encoded line of more than 76 characters (RFC 2045, sections 6.7 and 6.8).
    LineLength,
    /// Line ends that are not CRLF: a bare CR or LF, or a header whose lines end in CR CR LF.
    BareLineEnd,
    /// A header line that is neither a field nor a fold, or that continues the field before it without an
    /// indent; blank lines before the first field.
    HeaderLine,
    /// A multipart without a usable boundary, split at the delimiters found in its body or read as one text
    /// part.
    MissingBoundary,
    /// A multipart that ends without its closing delimiter (RFC 2046, section 5.1.1).
    UnclosedMultipart,
    /// A multipart whose boundary never begins a part, read as one text part.
    EmptyMultipart,
    /// Text before the first part of a multipart or after its last one, which mail programs do not show
    /// (RFC 2046, section 5.1.1). The usual paragraph saying that a message is in MIME is not reported.
    OutsideParts,
    /// Content in a container that this library does not open, such as opaque S/MIME. There may be text in it.
    ClosedContent,
    /// Signed or encrypted content, which a change would break.
    SignedContent,
    /// A part or a field left in its charset, because converting it would lose or guess something.
    Unconverted,
    /// Text that is cut off, because only part of its octets was given or the caller asked for less. This
    /// is not an error.
    Partial,
    /// A limit of this library was reached; the rest is kept as octets and not parsed.
    LimitReached,
}

impl Kind {
    /// Every kind, in the order of this page.
    ///
    /// ```
    /// use mime_charset::{Effect, Kind};
    ///
    /// let losses = Kind::ALL.iter().filter(|kind| kind.effect() == Effect::Lost);
    /// assert!(losses.into_iter().any(|kind| kind.name() == "malformed"));
    /// ```
    #[expect(clippy::indexing_slicing, reason = "evaluated at compile time")]
    pub const ALL: &[Kind] = &{
        let mut all = [Kind::Malformed; TABLE.len()];
        let mut at = 0;
        while at < TABLE.len() {
            all[at] = TABLE[at].0;
            // `row` looks up a kind by its discriminant.
            assert!(all[at] as usize == at);
            at += 1;
        }
        all
    };

    fn row(self) -> (Kind, &'static str, Effect) {
        let row = TABLE.get(self as usize).copied();
        row.unwrap_or((self, "", Lost))
    }

    /// The name of the kind in JSON and tables: lower case, hyphens between words.
    ///
    /// ```
    /// assert_eq!(mime_charset::Kind::BomRemoved.name(), "bom-removed");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().1
    }

    /// How findings of this kind affect the text.
    ///
    /// ```
    /// use mime_charset::{Effect, Kind};
    ///
    /// assert_eq!(Kind::Malformed.effect(), Effect::Lost);
    /// ```
    #[must_use]
    pub fn effect(self) -> Effect {
        self.row().2
    }
}

/// The name and the effect of each kind, in the order of the enum.
const TABLE: [(Kind, &str, Effect); 81] = [
    (Kind::Malformed, "malformed", Lost),
    (Kind::Undecoded, "undecoded", Lost),
    (Kind::Superset, "superset", Noted),
    (Kind::ShiftedEnd, "shifted-end", Noted),
    (Kind::MissingEscape, "missing-escape", Repaired),
    (Kind::EscapeKept, "escape-kept", Noted),
    (Kind::Utf7Syntax, "utf7-syntax", Repaired),
    (Kind::Utf7Markup, "utf7-markup", Noted),
    (Kind::BomRemoved, "bom-removed", Noted),
    (Kind::HangulRemapped, "hangul-remapped", Repaired),
    (Kind::Mislabelled, "mislabelled", Noted),
    (Kind::LabelWithoutHangul, "label-without-hangul", Noted),
    (Kind::SuspectedOldHangul, "suspected-old-hangul", Noted),
    (Kind::DoubleEncoded, "double-encoded", Noted),
    (Kind::Noncharacter, "noncharacter", Noted),
    (Kind::Nul, "nul", Noted),
    (Kind::Control, "control", Noted),
    (Kind::BidiControl, "bidi-control", Noted),
    (Kind::LooseLabel, "loose-label", Assumed),
    (Kind::RepairedLabel, "repaired-label", Repaired),
    (Kind::UnknownLabel, "unknown-label", Assumed),
    (Kind::NoLabel, "no-label", Assumed),
    (Kind::CharsetForced, "charset-forced", Assumed),
    (Kind::LabelOverridden, "label-overridden", Assumed),
    (Kind::BomConflict, "bom-conflict", Assumed),
    (Kind::DocumentConflict, "document-conflict", Noted),
    (Kind::EightBitAscii, "eight-bit-ascii", Assumed),
    (Kind::ByteOrderAssumed, "byte-order-assumed", Assumed),
    (Kind::DefaultCharset, "default-charset", Assumed),
    (Kind::DetectedCharset, "detected-charset", Assumed),
    (Kind::InvalidMediaType, "invalid-media-type", Repaired),
    (Kind::DuplicateField, "duplicate-field", Repaired),
    (Kind::DuplicateParameter, "duplicate-parameter", Repaired),
    (Kind::MissingSemicolon, "missing-semicolon", Repaired),
    (Kind::EmptyParameter, "empty-parameter", Repaired),
    (Kind::MissingValue, "missing-value", Repaired),
    (Kind::WrongSeparator, "wrong-separator", Repaired),
    (Kind::UnquotedSpecial, "unquoted-special", Repaired),
    (Kind::Unterminated, "unterminated", Repaired),
    (Kind::SkippedText, "skipped-text", Repaired),
    (Kind::DeepComment, "deep-comment", Noted),
    (Kind::RawUtf8, "raw-utf8", Noted),
    (Kind::RawOctets, "raw-octets", Repaired),
    (Kind::SectionNumber, "section-number", Repaired),
    (Kind::SectionGap, "section-gap", Lost),
    (Kind::DuplicateSection, "duplicate-section", Repaired),
    (Kind::ExtendedSyntax, "extended-syntax", Repaired),
    (Kind::BadPercent, "bad-percent", Repaired),
    (Kind::EncodedWordPlace, "encoded-word-place", Repaired),
    (Kind::EncodedWordSyntax, "encoded-word-syntax", Repaired),
    (Kind::EncodedWordJoined, "encoded-word-joined", Repaired),
    (Kind::EncodedWordKept, "encoded-word-kept", Noted),
    (Kind::EncodedWordLength, "encoded-word-length", Noted),
    (Kind::DateSyntax, "date-syntax", Repaired),
    (Kind::DateAssumed, "date-assumed", Assumed),
    (
        Kind::UnknownTransferEncoding,
        "unknown-transfer-encoding",
        Lost,
    ),
    (
        Kind::TransferEncodingForbidden,
        "transfer-encoding-forbidden",
        Repaired,
    ),
    (
        Kind::TransferEncodingRepaired,
        "transfer-encoding-repaired",
        Repaired,
    ),
    (Kind::EightBitData, "eight-bit-data", Repaired),
    (Kind::Base64Skipped, "base64-skipped", Repaired),
    (Kind::Base64AfterPadding, "base64-after-padding", Repaired),
    (Kind::Base64Padding, "base64-padding", Repaired),
    (Kind::Base64Truncated, "base64-truncated", Lost),
    (Kind::QuotedPrintableKept, "quoted-printable-kept", Repaired),
    (
        Kind::QuotedPrintableSyntax,
        "quoted-printable-syntax",
        Repaired,
    ),
    (
        Kind::QuotedPrintableBlanks,
        "quoted-printable-blanks",
        Repaired,
    ),
    (Kind::UuencodeSyntax, "uuencode-syntax", Repaired),
    (Kind::UuencodeDamage, "uuencode-damage", Lost),
    (Kind::NameFromComment, "name-from-comment", Noted),
    (Kind::LineLength, "line-length", Noted),
    (Kind::BareLineEnd, "bare-line-end", Noted),
    (Kind::HeaderLine, "header-line", Repaired),
    (Kind::MissingBoundary, "missing-boundary", Repaired),
    (Kind::UnclosedMultipart, "unclosed-multipart", Repaired),
    (Kind::EmptyMultipart, "empty-multipart", Noted),
    (Kind::OutsideParts, "outside-parts", Noted),
    (Kind::ClosedContent, "closed-content", Noted),
    (Kind::SignedContent, "signed-content", Noted),
    (Kind::Unconverted, "unconverted", Noted),
    (Kind::Partial, "partial", Noted),
    (Kind::LimitReached, "limit-reached", Lost),
];

/// The [`name`](Kind::name).
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The [`name`](Effect::name).
impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
