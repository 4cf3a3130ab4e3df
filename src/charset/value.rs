//! A charset as a value: its names, and what is true of it before anything is decoded.

use std::fmt;

#[cfg(feature = "detect")]
use super::reading::Reading;
use super::registry::{
    self, ABOUT, About, Family, OTHER_NAMES, READ_AS, READ_AS_NAMES, UnicodeForm,
};
use super::sets;

/// A way to turn octets into characters: one row of the registry, or of what mail uses
/// beside it (RFC 2978, section 1.3).
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

/// Charsets that programs name most. [`for_label`](Charset::for_label) makes a constant of any other.
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
    /// The preferred MIME name, or the registered name where none is preferred.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert_eq!(Charset::for_label("latin1").unwrap().name(), "ISO-8859-1");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.said_to_be_read()
            .get(READ_AS.len()..)
            .unwrap_or_default()
    }

    /// The name at the head of the charset's registration, which may be another than the
    /// preferred MIME name.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// let latin1 = Charset::for_label("latin1").unwrap();
    /// assert_eq!(latin1.registered_name(), "ISO_8859-1:1987");
    /// ```
    #[must_use]
    pub fn registered_name(self) -> &'static str {
        match OTHER_NAMES.get(usize::from(self.0)) {
            None | Some("") => self.name(),
            Some(name) => name,
        }
    }

    /// The `MIBenum` number of the IANA Character Sets registry; `None` for a charset that
    /// was never registered.
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

    /// `read as` and its name.
    pub(crate) fn said_to_be_read(self) -> &'static str {
        // A charset is only made from a row of the table.
        READ_AS_NAMES.get(usize::from(self.0)).unwrap_or_default()
    }

    /// All charsets this library knows by name, sorted by name.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert!(Charset::all().filter(|charset| charset.mibenum().is_some()).count() >= 258);
    /// assert_eq!(Charset::all().len(), 302);
    /// ```
    pub fn all() -> impl ExactSizeIterator<Item = Charset> + Clone {
        #[expect(clippy::cast_possible_truncation, reason = "there are 302")]
        (0..registry::COUNT as u16).map(Charset)
    }

    /// The charset that octets under this label are in. This is the charset itself, except for two
    /// names that the registry gives to bare sets of characters: under these, mail means the
    /// encoding that everyone used.
    ///
    /// `KS_C_5601-1987`, which Microsoft's programs wrote on Korean mail, is EUC-KR, and
    /// `GB_2312-80` is GB2312. The Japanese sets keep their names, since there are two
    /// encodings for them and their decoder takes either. By default this charset decodes, and
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

    /// The order of the characters in Hebrew or Arabic text, by the name of the charset (RFC 1556):
    ///
    /// - `visual`, as on the line, from left to right, for ISO-8859-6 and ISO-8859-8;
    /// - `logical`, as they are read, for their `-I`: the program that shows them finds the order;
    /// - `explicit`, with control sequences, for their `-E`.
    ///
    /// `None` for any other charset.
    ///
    /// The octets are the same in every order, and decoding reorders nothing. Programs did not
    /// follow the names: most ISO-8859-6 is in logical order, and so is the ISO-8859-8 that today's
    /// programs write.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// let direction = |label| Charset::for_label(label).unwrap().direction();
    /// assert_eq!(direction("iso-8859-8"), Some("visual"));
    /// assert_eq!(direction("iso-8859-8-i"), Some("logical"));
    /// assert_eq!(direction("windows-1255"), None);
    /// // As on the line: a program that shows it reverses it.
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

    /// Whether there is a decoder for it, not just its name.
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

    /// Why the charset has no decoder, and which table would be wanted for one; `None` where it has
    /// a decoder. The reason is that no table was published, that no two sources agree on one, that
    /// the name declares an unknown charset (UNKNOWN-8BIT, RFC 1428), or that the build leaves the
    /// decoder out (without the feature `legacy`).
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

    /// Whether mail that declares it declares nothing: UNKNOWN-8BIT says so (RFC 1428), and
    /// x-user-defined was written by programs whose user had chosen the font that the text
    /// happened to be for. Asked for by its name, x-user-defined is decoded.
    pub(crate) fn names_nothing(self) -> bool {
        matches!(self, Charset::UNKNOWN_8BIT | X_USER_DEFINED)
    }

    /// Whether mail that declares it can be read by that alone.
    pub(crate) fn is_declarable(self) -> bool {
        self.is_decoded() && !self.names_nothing()
    }

    /// Whether octets 00 to 7F always stand for ASCII, so that ASCII text is unchanged.
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
            // Behind a script switch of ISCII there is one that is no ASCII.
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

    /// Whether the ASCII of a text is the octets of ASCII, and nothing else becomes any: Apple's
    /// Arabic and Hebrew have the punctuation twice, above 7F too.
    pub(crate) fn keeps_ascii(self) -> bool {
        let is_once = match self.about().family {
            Family::SingleByte(set) => !set.has_ascii_above(),
            Family::Accents(_) | Family::MacHebrew => false,
            _ => true,
        };
        is_once && self.is_ascii_superset()
    }

    /// Whether text that ends with `octets` ends, beyond doubt, in the state in which a text
    /// begins.
    pub(crate) fn ends_as_begun(self, octets: &[u8]) -> bool {
        match self.about().family {
            Family::Iso2022(variant) => {
                variant.starts_in_ascii()
                    && octets.ends_with(b"\x1B(B")
                    && !octets.contains(&sets::SHIFT_OUT)
            }
            _ => self.is_ascii_superset(),
        }
    }

    /// Whether an octet above 7F is none of its own: ISO 2022, HZ and UTF-7, and the sets of
    /// seven bits. US-ASCII is one of them, and always asked about by itself.
    pub(crate) fn is_seven_bit(self) -> bool {
        match self.about().family {
            Family::Ascii | Family::Hz => true,
            Family::Iso2022(variant) => variant.starts_in_ascii(),
            Family::Unicode(form) | Family::Unicode11(form) => matches!(form, UnicodeForm::Utf7(_)),
            // National sets of ISO/IEC 646 have other characters than ASCII at a few places.
            Family::SingleByte(set) => set.is_seven_bit(),
            _ => false,
        }
    }

    /// The charsets of eight bits that have the characters of one of seven, the likelier last to
    /// read what is none of it: programs write one of them under its label.
    pub(crate) fn eight_bit_relatives(self) -> &'static [&'static str] {
        match self.about().family {
            Family::Iso2022(variant) => variant.eight_bit_relatives(),
            Family::Hz => &["GB18030"],
            _ => &[],
        }
    }

    /// Whether it has the octets of UTF-8 for most or all characters.
    pub(crate) fn is_utf8_like(self) -> bool {
        let is_like = |form| matches!(form, UnicodeForm::Utf8 | UnicodeForm::Cesu8);
        match self.about().family {
            Family::Unicode(form) | Family::Unicode11(form) => is_like(form),
            _ => false,
        }
    }

    /// Whether its code units are those of UTF-16, in whichever order, UCS-2 among them.
    pub(crate) fn is_utf16(self) -> bool {
        let is_one = |form| matches!(form, UnicodeForm::Utf16(_));
        match self.about().family {
            Family::Unicode(form) | Family::Unicode11(form) => is_one(form),
            _ => false,
        }
    }

    /// The same of UTF-32 and UCS-4.
    pub(crate) fn is_utf32(self) -> bool {
        matches!(self.about().family, Family::Unicode(UnicodeForm::Utf32(_)))
    }

    /// Whether each octet is a character of its own.
    pub(crate) fn is_single_byte(self) -> bool {
        matches!(self.about().family, Family::Ascii | Family::SingleByte(_))
    }

    /// The character of each octet as the charset is practised, and U+FFFD for an octet that is none;
    /// `None` but for charsets that are a table of 256 cells.
    #[cfg(feature = "detect")]
    pub(crate) fn characters(self) -> Option<[char; 256]> {
        match self.about().family {
            Family::SingleByte(set) => Some(set.read(Reading::AsPractised).characters()),
            _ => None,
        }
    }

    pub(super) fn about(self) -> &'static About {
        // A charset is only made from a row of the table.
        ABOUT.get(usize::from(self.0)).unwrap_or(&ABOUT[0])
    }
}

const GB_2312_80: Charset = named("GB_2312-80");
const X_USER_DEFINED: Charset = named("x-user-defined");

/// The charset of that name; a name that is not in the registry fails the build.
pub(super) const fn named(name: &str) -> Charset {
    Charset(registry::row(name))
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
    /// A constant has the name of its charset in capitals, with `_` for all but letters and digits.
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
