//! Options for decoding: registered or practised charsets, and byte order marks.

/// Whether a label means the registered charset or its use in mail.
///
/// ```
/// use mime_charset::{Charset, Options, Reading};
///
/// let latin1 = Charset::for_label("iso-8859-1").unwrap();
/// let registered = Options::new().reading(Reading::AsRegistered);
/// assert_eq!(latin1.decode(b"\x80 5").as_str(), "€ 5");
/// assert_eq!(latin1.decode_with(b"\x80 5", &registered).as_str(), "\u{80} 5");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Reading {
    /// The superset in common use, cell by cell: windows-1252 for ISO-8859-1, UHC for EUC-KR, GB
    /// 18030 for GB2312.
    #[default]
    AsPractised,
    /// The registered charset only.
    AsRegistered,
}

/// What to do with a byte order mark at the start of a body (RFC 3629, section 6).
///
/// ```
/// use mime_charset::{Bom, Kind, Label, Options, decode::{self, Context}};
///
/// let label = Label::new("utf-8");
/// let context = Context::new().label(Some(&label));
/// let stripped = decode::decode(b"\xEF\xBB\xBFa", &context);
/// assert_eq!(stripped.as_str(), "a");
/// assert!(stripped.report().has(Kind::BomRemoved));
/// let keep = Options::new().bom(Bom::Keep);
/// assert_eq!(decode::decode(b"\xEF\xBB\xBFa", &context.options(keep)).as_str(), "\u{FEFF}a");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Bom {
    /// Remove it from the text and report it; the octets stay as they are.
    #[default]
    Strip,
    /// Keep it as U+FEFF.
    Keep,
}
