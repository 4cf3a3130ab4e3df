//! A charset as a value: its names and its properties.

use std::borrow::Cow;
use std::fmt;

use super::registry::{self, ABOUT, About, Family, UnicodeForm};
use super::sets;
#[cfg(feature = "detect")]
use super::usage::Usage;

/// A mapping from octets to characters: a row of the IANA registry, or a charset that mail uses
/// without registration (RFC 2978, section 1.3).
///
/// ```
/// use mime_charset::Charset;
///
/// let russian: Charset = "KOI8-R".parse()?;
/// assert_eq!(russian.decode(b"\xF0\xD2\xC9\xD7\xC5\xD4").as_str(), "Привет");
/// assert_eq!(Charset::US_ASCII.decode(b"\x80").as_str(), "\u{FFFD}");
/// assert_eq!(Charset::WINDOWS_1252.decode(b"\x80").as_str(), "€");
/// assert_eq!(Charset::for_label("x-sjis"), Some(Charset::SHIFT_JIS));
/// assert_eq!(Charset::SHIFT_JIS.to_string(), "Shift_JIS");
/// # Ok::<(), mime_charset::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Charset(pub(super) u16);

/// The charsets that programs name most. [`for_label`](Charset::for_label) makes a constant of any
/// other.
impl Charset {
    /// `Big5`.
    pub const BIG5: Charset = named("Big5");
    /// `EUC-JP`.
    pub const EUC_JP: Charset = named("EUC-JP");
    /// `EUC-KR`.
    pub const EUC_KR: Charset = named("EUC-KR");
    /// `GB18030`.
    pub const GB18030: Charset = named("GB18030");
    /// `GB2312`.
    pub const GB2312: Charset = named("GB2312");
    /// `ISO-2022-JP`.
    pub const ISO_2022_JP: Charset = named("ISO-2022-JP");
    /// `ISO-8859-1`.
    pub const ISO_8859_1: Charset = named("ISO-8859-1");
    /// `KOI8-R`.
    pub const KOI8_R: Charset = named("KOI8-R");
    /// `KS_C_5601-1987`.
    pub const KS_C_5601_1987: Charset = named("KS_C_5601-1987");
    /// `Shift_JIS`.
    pub const SHIFT_JIS: Charset = named("Shift_JIS");
    /// `UNICODE-1-1-UTF-8`.
    pub const UNICODE_1_1_UTF_8: Charset = named("UNICODE-1-1-UTF-8");
    /// `UNKNOWN-8BIT`.
    pub const UNKNOWN_8BIT: Charset = named("UNKNOWN-8BIT");
    /// `US-ASCII`.
    pub const US_ASCII: Charset = named("US-ASCII");
    /// `UTF-16`.
    pub const UTF_16: Charset = named("UTF-16");
    /// `UTF-16BE`.
    pub const UTF_16BE: Charset = named("UTF-16BE");
    /// `UTF-16LE`.
    pub const UTF_16LE: Charset = named("UTF-16LE");
    /// `UTF-7`.
    pub const UTF_7: Charset = named("UTF-7");
    /// `UTF-8`.
    pub const UTF_8: Charset = named("UTF-8");
    /// `windows-1251`.
    pub const WINDOWS_1251: Charset = named("windows-1251");
    /// `windows-1252`.
    pub const WINDOWS_1252: Charset = named("windows-1252");
}

impl Charset {
    /// The preferred MIME name, or the registered name if none is preferred.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert_eq!(Charset::for_label("latin1").unwrap().name(), "ISO-8859-1");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.about().name
    }

    /// The name at the head of the charset's registration, which may differ from the preferred MIME
    /// name.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// let latin1 = Charset::for_label("latin1").unwrap();
    /// assert_eq!(latin1.registered_name(), "ISO_8859-1:1987");
    /// ```
    #[must_use]
    pub fn registered_name(self) -> &'static str {
        self.about().registered_name
    }

    /// The `MIBenum` number of the IANA Character Sets registry; `None` for an unregistered
    /// charset.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert_eq!(Charset::UTF_8.mibenum(), Some(106));
    /// assert_eq!(Charset::UNICODE_1_1_UTF_8.mibenum(), None);
    /// ```
    #[must_use]
    pub fn mibenum(self) -> Option<u16> {
        Some(self.about().mibenum).filter(|&number| number != 0)
    }

    /// `read as` and the name, for findings.
    pub(crate) fn read_as_name(self) -> Cow<'static, str> {
        match self {
            // Most header fields and many bodies have this finding.
            Charset::US_ASCII => "read as US-ASCII".into(),
            _ => format!("read as {self}").into(),
        }
    }

    /// All charsets this library knows by name, sorted by name.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert!(Charset::all().filter(|charset| charset.mibenum().is_some()).count() >= 258);
    /// assert_eq!(Charset::all().len(), 303);
    /// ```
    pub fn all() -> impl ExactSizeIterator<Item = Charset> + Clone {
        #[expect(clippy::cast_possible_truncation, reason = "there are 303")]
        (0..registry::COUNT as u16).map(Charset)
    }

    /// The charset that mail means by this name. This is the charset itself, except for two names that
    /// the registry gives to coded character sets: for these it is the encoding in common use.
    ///
    /// `KS_C_5601-1987`, which Microsoft's programs wrote on Korean mail, is EUC-KR, and `GB_2312-80`
    /// is GB2312. The Japanese sets keep their names, since they have two encodings and their decoder
    /// accepts either. By default this charset is used to decode, and
    /// [`Decoded::charset`](crate::Decoded::charset) reports it.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// let korean = Charset::for_label("ks_c_5601-1987").unwrap();
    /// assert_eq!(korean.name(), "KS_C_5601-1987");
    /// assert_eq!(korean.as_practised().name(), "EUC-KR");
    /// assert_eq!(korean.decode(b"\xC7\xD1").charset().name(), "EUC-KR");
    /// ```
    #[must_use]
    pub fn as_practised(self) -> Charset {
        match self {
            Charset::KS_C_5601_1987 => Charset::EUC_KR,
            GB_2312_80 => Charset::GB2312,
            charset => charset,
        }
    }

    /// The order of the characters in Hebrew or Arabic text that the label declares (RFC 1556):
    ///
    /// - `visual`: display order, from left to right, for ISO-8859-6 and ISO-8859-8;
    /// - `logical`: reading order, for their `-I`; the display program reorders it;
    /// - `explicit`: with control sequences for direction, for their `-E`.
    ///
    /// `None` for any other charset.
    ///
    /// The octets are the same in every order, and decoding reorders nothing. Programs ignored the
    /// labels: most ISO-8859-6 is in logical order, and so is ISO-8859-8 from today's programs.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// let direction = |label| Charset::for_label(label).unwrap().direction();
    /// assert_eq!(direction("iso-8859-8"), Some("visual"));
    /// assert_eq!(direction("iso-8859-8-i"), Some("logical"));
    /// assert_eq!(direction("windows-1255"), None);
    /// // In display order: a display program has to reverse it.
    /// let hebrew = Charset::for_label("iso-8859-8").unwrap();
    /// assert_eq!(hebrew.decode(b"\xED\xE5\xEC\xF9").as_str(), "םולש");
    /// ```
    #[must_use]
    pub fn direction(self) -> Option<&'static str> {
        match self.name() {
            "ISO-8859-6" | "ISO-8859-8" => Some("visual"),
            "ISO-8859-6-I" | "ISO-8859-8-I" => Some("logical"),
            "ISO-8859-6-E" | "ISO-8859-8-E" => Some("explicit"),
            _ => None,
        }
    }

    /// Whether there is a decoder for the charset, not just a name.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert!(Charset::UTF_8.is_decoded());
    /// assert!(!Charset::UNKNOWN_8BIT.is_decoded());
    /// ```
    #[must_use]
    pub fn is_decoded(self) -> bool {
        self.undecoded_reason().is_none()
    }

    /// Why the charset has no decoder, and which table a decoder would need; `None` if it has a
    /// decoder. Either no table was published, or no two sources agree on one, or the name declares
    /// an unknown charset (UNKNOWN-8BIT, RFC 1428), or the build lacks the decoder (feature
    /// `legacy`).
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert_eq!(Charset::UTF_8.undecoded_reason(), None);
    /// let printer = Charset::for_label("HP-Legal").unwrap();
    /// assert!(printer.undecoded_reason().unwrap().ends_with("wanted: HP's symbol set 1U in characters"));
    /// ```
    #[must_use]
    pub fn undecoded_reason(self) -> Option<&'static str> {
        match self.about().family {
            Family::Undecoded(reason) => Some(reason),
            _ => None,
        }
    }

    /// Whether the label declares no charset: UNKNOWN-8BIT by definition (RFC 1428), and x-user-defined
    /// because programs wrote it for any font that the user had chosen. `decode` still decodes
    /// x-user-defined.
    pub(crate) fn names_nothing(self) -> bool {
        matches!(self, Charset::UNKNOWN_8BIT | X_USER_DEFINED)
    }

    /// Whether the label alone suffices to decode mail.
    pub(crate) fn is_declarable(self) -> bool {
        self.is_decoded() && !self.names_nothing()
    }

    /// Whether octets 00 to 7F always decode to ASCII, so that ASCII text is unchanged.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert!(Charset::for_label("euc-kr").unwrap().is_ascii_superset());
    /// assert!(!Charset::for_label("utf-16").unwrap().is_ascii_superset());
    /// ```
    #[must_use]
    pub fn is_ascii_superset(self) -> bool {
        match self.about().family {
            // After a script switch, octets of ISCII are not ASCII.
            Family::Hz | Family::Iscii(_) | Family::Iso2022(_) | Family::Viqr => false,
            Family::SingleByte(set) | Family::Accents(set) => set.is_ascii_superset(),
            Family::Unicode(form) | Family::Unicode11(form) => {
                matches!(
                    form,
                    UnicodeForm::Cesu8 | UnicodeForm::Utf1 | UnicodeForm::Utf8
                )
            }
            _ => true,
        }
    }

    /// Whether ASCII octets decode to ASCII and no other octets do: Apple's Arabic and Hebrew have a
    /// second copy of the punctuation above 7F.
    pub(crate) fn keeps_ascii(self) -> bool {
        let is_once = match self.about().family {
            Family::SingleByte(set) => !set.has_ascii_above(),
            Family::Accents(_) | Family::MacHebrew => false,
            _ => true,
        };
        is_once && self.is_ascii_superset()
    }

    /// Whether text that ends with `octets` certainly ends in the decoder's initial state.
    pub(crate) fn ends_in_initial_state(self, octets: &[u8]) -> bool {
        match self.about().family {
            Family::Iso2022(variant) => {
                variant.starts_in_ascii()
                    && octets.ends_with(b"\x1B(B")
                    && !octets.contains(&sets::SHIFT_OUT)
            }
            _ => self.is_ascii_superset(),
        }
    }

    /// Whether octets above 7F are invalid: ISO 2022, HZ, UTF-7 and the seven-bit sets. False for
    /// US-ASCII, which callers check separately.
    pub(crate) fn is_seven_bit(self) -> bool {
        match self.about().family {
            Family::Ascii | Family::Hz => true,
            Family::Iso2022(variant) => variant.starts_in_ascii(),
            Family::Unicode(form) | Family::Unicode11(form) => matches!(form, UnicodeForm::Utf7(_)),
            // National sets of ISO/IEC 646 differ from ASCII in a few octets.
            Family::SingleByte(set) => set.is_seven_bit(),
            _ => false,
        }
    }

    /// Eight-bit charsets that extend this seven-bit charset and that programs write under its
    /// label, most likely last. They decode the octets that this charset rejects.
    pub(crate) fn eight_bit_relatives(self) -> &'static [&'static str] {
        match self.about().family {
            Family::Iso2022(variant) => variant.eight_bit_relatives(),
            Family::Hz => &["GB18030"],
            _ => &[],
        }
    }

    /// Whether most or all characters have the same octets as in UTF-8.
    pub(crate) fn is_utf8_like(self) -> bool {
        let is_like = |form| matches!(form, UnicodeForm::Utf8 | UnicodeForm::Cesu8);
        match self.about().family {
            Family::Unicode(form) | Family::Unicode11(form) => is_like(form),
            _ => false,
        }
    }

    /// Whether its code units are those of UTF-16 or UCS-2, in any octet order.
    pub(crate) fn is_utf16(self) -> bool {
        let is_one = |form| matches!(form, UnicodeForm::Utf16(_));
        match self.about().family {
            Family::Unicode(form) | Family::Unicode11(form) => is_one(form),
            _ => false,
        }
    }

    /// Whether its code units are those of UTF-32 or UCS-4.
    pub(crate) fn is_utf32(self) -> bool {
        matches!(self.about().family, Family::Unicode(UnicodeForm::Utf32(_)))
    }

    /// Whether each octet is a character of its own.
    pub(crate) fn is_single_byte(self) -> bool {
        matches!(self.about().family, Family::Ascii | Family::SingleByte(_))
    }

    /// The character of each octet as practised, U+FFFD for an unassigned octet; `None` unless the
    /// charset is a table of 256 cells.
    #[cfg(feature = "detect")]
    pub(crate) fn characters(self) -> Option<[char; 256]> {
        match self.about().family {
            Family::SingleByte(set) => Some(set.read(Usage::AsPractised).characters()),
            _ => None,
        }
    }

    pub(super) fn about(self) -> &'static About {
        // Every charset is a row of the table.
        ABOUT.get(usize::from(self.0)).unwrap_or(&ABOUT[0])
    }
}

const GB_2312_80: Charset = named("GB_2312-80");
const X_USER_DEFINED: Charset = named("x-user-defined");

/// The charset with that name; an unknown name fails the build.
pub(super) const fn named(name: &str) -> Charset {
    Charset(registry::row(name.as_bytes()))
}

impl fmt::Debug for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Charset({})", self.name())
    }
}

/// The [`name`](Charset::name).
impl fmt::Display for Charset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    /// A constant has its charset's name in capitals, with `_` for all characters except letters
    /// and digits.
    #[test]
    fn constants_have_the_names_of_their_charsets() {
        let rows: Vec<_> = include_str!("value.rs")
            .split("    pub const ")
            .skip(1)
            .filter_map(|row| row.split_once(": Charset = named(\""))
            .map(|(constant, value)| (constant, value.split('"').next().unwrap()))
            .collect();
        assert!(rows.len() >= 20);
        for (constant, name) in rows {
            let capitals = name.to_ascii_uppercase();
            assert_eq!(
                constant,
                capitals.replace(|c: char| !c.is_ascii_alphanumeric(), "_")
            );
        }
    }
}
