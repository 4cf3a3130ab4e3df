//! What spoke for and against a charset, and the words for it.

use std::fmt;

use crate::charset::Charset;

/// Who gave evidence.
///
/// ```
/// use mime_charset::decode::{self, Context, Witness};
///
/// let context = Context::new().media_type(Some("text/html"));
/// let decision = decode::decide(b"<meta charset=koi8-r>\xC1", &context);
/// let witness = decision.evidence()[0].witness();
/// assert_eq!((witness, witness.name()), (Witness::HtmlMeta, "html-meta"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Witness {
    /// The charset parameter.
    Label,
    /// A byte order mark.
    Bom,
    /// An HTML `meta`.
    HtmlMeta,
    /// An XML declaration, or how one begins.
    XmlDeclaration,
    /// A CSS `@charset`.
    CssCharset,
    /// Whether the octets are well-formed UTF-8.
    Utf8,
    /// The escapes of ISO 2022 or HZ.
    Escapes,
    /// The octets 00 that text in UTF-16 or UTF-32 is full of.
    NulPattern,
    /// The other parts of the message.
    Siblings,
    /// The encoded words in the header.
    Header,
    /// The languages that Content-Language names.
    ContentLanguage,
    /// The country of the sender's domain.
    SenderDomain,
    /// The program that wrote the message.
    Program,
    /// The hint of the caller.
    Hint,
    /// The Date of the message.
    Date,
    /// Code points that would be Hangul before Amendment 5.
    OldHangul,
    /// What the octets look like.
    Detector,
    /// The default of the media type.
    Default,
}

impl Witness {
    /// The word for it in JSON, lower case with hyphens.
    ///
    /// ```
    /// assert_eq!(mime_charset::decode::Witness::HtmlMeta.name(), "html-meta");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Witness::Label => "label",
            Witness::Bom => "bom",
            Witness::HtmlMeta => "html-meta",
            Witness::XmlDeclaration => "xml-declaration",
            Witness::CssCharset => "css-charset",
            Witness::Utf8 => "utf-8",
            Witness::Escapes => "escapes",
            Witness::NulPattern => "nul-pattern",
            Witness::Siblings => "siblings",
            Witness::Header => "header",
            Witness::ContentLanguage => "content-language",
            Witness::SenderDomain => "sender-domain",
            Witness::Program => "program",
            Witness::Hint => "hint",
            Witness::Date => "date",
            Witness::OldHangul => "old-hangul",
            Witness::Detector => "detector",
            Witness::Default => "default",
        }
    }
}

/// Whether evidence agrees with the decision.
///
/// ```
/// use mime_charset::{Label, decode::{self, Context, Stance}};
///
/// let label = Label::new("iso-8859-1");
/// let decision = decode::decide("é".as_bytes(), &Context::new().label(Some(&label)));
/// let stances: Vec<_> = decision.evidence().iter().map(|evidence| evidence.stance()).collect();
/// assert_eq!(stances, [Stance::Against, Stance::For]);
/// assert_eq!(stances[0].name(), "against");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stance {
    /// It speaks for the charset chosen.
    For,
    /// It speaks against it.
    Against,
    /// It was asked and says nothing about the choice.
    Neither,
}

impl Stance {
    /// The word for it in JSON: `for`, `against` or `neither`.
    ///
    /// ```
    /// assert_eq!(mime_charset::decode::Stance::Against.name(), "against");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Stance::For => "for",
            Stance::Against => "against",
            Stance::Neither => "neither",
        }
    }
}

/// One thing that spoke for or against a charset, and the octets in which it stands.
///
/// ```
/// use mime_charset::{Charset, Label, decode::{self, Context, Stance, Witness}};
///
/// let label = Label::new("iso-8859-1");
/// let decision = decode::decide("café".as_bytes(), &Context::new().label(Some(&label)));
/// let evidence = &decision.evidence()[1];
/// assert_eq!((evidence.witness(), evidence.stance()), (Witness::Utf8, Stance::For));
/// assert_eq!(evidence.charset(), Some(Charset::UTF_8));
/// assert_eq!((evidence.offset(), evidence.length()), (3, 2));
/// assert_eq!(evidence.detail(), "well-formed UTF-8");
/// assert_eq!(evidence.to_string(), "for utf-8: well-formed UTF-8 (at 3)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub(super) witness: Witness,
    pub(super) stance: Stance,
    pub(super) charset: Option<Charset>,
    pub(super) offset: usize,
    pub(super) length: usize,
    pub(super) detail: String,
}

impl Evidence {
    /// Who gave it.
    #[must_use]
    pub fn witness(&self) -> Witness {
        self.witness
    }

    /// Whether it agrees with the decision.
    #[must_use]
    pub fn stance(&self) -> Stance {
        self.stance
    }

    /// The charset it speaks of, if it names one.
    #[must_use]
    pub fn charset(&self) -> Option<Charset> {
        self.charset
    }

    /// How many octets lie before those that it stands on.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets it stands on; 0 where it stands on none.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// What exactly was seen.
    #[must_use]
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {}: {}",
            self.stance.name(),
            self.witness.name(),
            self.detail
        )?;
        if self.length > 0 {
            write!(f, " (at {})", self.offset)?;
        }
        Ok(())
    }
}
