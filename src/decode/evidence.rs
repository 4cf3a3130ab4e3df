//! Evidence for and against a charset.

use std::fmt;

use crate::charset::Charset;

/// The kind of evidence: a label, a mark, the octets themselves, the rest of the message.
///
/// ```
/// use mime_charset::decode::{self, Context, EvidenceKind};
///
/// let context = Context::new().media_type(Some("text/html"));
/// let decision = decode::decide(b"<meta charset=koi8-r>\xC1", &context);
/// let kind = decision.evidence()[0].kind;
/// assert_eq!((kind, kind.name()), (EvidenceKind::HtmlMeta, "html-meta"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum EvidenceKind {
    /// A charset forced by the caller.
    Forced,
    /// The charset parameter.
    Label,
    /// A byte order mark.
    Bom,
    /// An HTML `meta`.
    HtmlMeta,
    /// An XML declaration, or the octets that begin one.
    XmlDeclaration,
    /// A CSS `@charset`.
    CssCharset,
    /// Whether the octets are well-formed UTF-8.
    Utf8,
    /// The escapes of ISO 2022 or HZ.
    Escapes,
    /// The zero octets typical of UTF-16 or UTF-32.
    NulPattern,
    /// The other parts of the message.
    Siblings,
    /// The encoded words in the header.
    Header,
    /// The languages named by Content-Language.
    ContentLanguage,
    /// The country of the sender's domain.
    SenderDomain,
    /// The program that wrote the message.
    Program,
    /// The caller's hint.
    Hint,
    /// The Date of the message.
    Date,
    /// Code points that were Hangul in Unicode 1.1.
    OldHangul,
    /// Detection.
    Detector,
    /// The default of the media type.
    Default,
}

impl EvidenceKind {
    /// The name in JSON, lower case with hyphens.
    ///
    /// ```
    /// assert_eq!(mime_charset::decode::EvidenceKind::HtmlMeta.name(), "html-meta");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            EvidenceKind::Forced => "forced",
            EvidenceKind::Label => "label",
            EvidenceKind::Bom => "bom",
            EvidenceKind::HtmlMeta => "html-meta",
            EvidenceKind::XmlDeclaration => "xml-declaration",
            EvidenceKind::CssCharset => "css-charset",
            EvidenceKind::Utf8 => "utf-8",
            EvidenceKind::Escapes => "escapes",
            EvidenceKind::NulPattern => "nul-pattern",
            EvidenceKind::Siblings => "siblings",
            EvidenceKind::Header => "header",
            EvidenceKind::ContentLanguage => "content-language",
            EvidenceKind::SenderDomain => "sender-domain",
            EvidenceKind::Program => "program",
            EvidenceKind::Hint => "hint",
            EvidenceKind::Date => "date",
            EvidenceKind::OldHangul => "old-hangul",
            EvidenceKind::Detector => "detector",
            EvidenceKind::Default => "default",
        }
    }
}

/// Whether evidence supports or contradicts the decision.
///
/// ```
/// use mime_charset::{Label, decode::{self, Context, Side}};
///
/// let label = Label::new("iso-8859-1");
/// let decision = decode::decide("é".as_bytes(), &Context::new().label(Some(&label)));
/// let sides: Vec<_> = decision.evidence().iter().map(|evidence| evidence.side).collect();
/// assert_eq!(sides, [Side::Against, Side::For]);
/// assert_eq!(sides[0].name(), "against");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Side {
    /// For the chosen charset.
    For,
    /// Against the chosen charset.
    Against,
    /// Evidence for no charset.
    Neither,
}

impl Side {
    /// The name in JSON: `for`, `against` or `neither`.
    ///
    /// ```
    /// assert_eq!(mime_charset::decode::Side::Against.name(), "against");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Side::For => "for",
            Side::Against => "against",
            Side::Neither => "neither",
        }
    }
}

/// One piece of evidence for or against a charset, and the octets that it is based on.
///
/// ```
/// use mime_charset::{Charset, Label, decode::{self, Context, Side, EvidenceKind}};
///
/// let label = Label::new("iso-8859-1");
/// let decision = decode::decide("café".as_bytes(), &Context::new().label(Some(&label)));
/// let evidence = &decision.evidence()[1];
/// assert_eq!((evidence.kind, evidence.side), (EvidenceKind::Utf8, Side::For));
/// assert_eq!(evidence.charset, Some(Charset::UTF_8));
/// assert_eq!((evidence.offset, evidence.length), (3, 2));
/// assert_eq!(evidence.detail, "well-formed UTF-8");
/// assert_eq!(evidence.to_string(), "for utf-8: well-formed UTF-8 (at 3)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evidence {
    /// The kind of evidence.
    pub kind: EvidenceKind,
    /// Whether the evidence supports or contradicts the decision.
    pub side: Side,
    /// The charset that the evidence supports, if any.
    pub charset: Option<Charset>,
    /// The offset of the octets that are the evidence.
    pub offset: usize,
    /// The number of octets that are the evidence; 0 if the evidence is outside the octets.
    pub length: usize,
    /// The details, as a phrase.
    pub detail: String,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}: {}",
            self.side.name(),
            self.kind.name(),
            self.detail
        )?;
        if self.length > 0 {
            write!(f, " (at {})", self.offset)?;
        }
        Ok(())
    }
}

/// The [`name`](EvidenceKind::name).
impl fmt::Display for EvidenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The [`name`](Side::name).
impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
