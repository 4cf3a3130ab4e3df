//! Octets and a charset to text.
//!
//! A [`Charset`] is found by a label ([`Charset::for_label`], [`resolve`]) and turns octets
//! into text, whole ([`Charset::decode`]) or in pieces ([`Decoder`]). Decoding is total:
//! any octets give text, and a report that names every octet that is not in it.
//!
//! The names are those of the IANA Character Sets registry (RFC 2978), of the Encoding
//! Standard and of mail itself. The charsets of the web are read as the Encoding Standard
//! has them where mail agrees with it; those that it maps to nothing, and those of before
//! the web, have decoders of their own. A charset that no source defines is known by name
//! and not decoded ([`Charset::undecoded_reason`] says which table would be wanted).
//! `x-user-defined` is decoded where it is asked for by name; a label of mail that says it
//! says nothing. Left out: writing in any charset but
//! UTF-8, normalization, and the reordering of text in visual order.
//!
//! Each family of charsets has its file; `registry.rs` says which family reads which
//! charset and how to add one.
//!
//! ```
//! use mime_charset::{Kind, Label, charset};
//!
//! let resolved = charset::resolve(&Label::new("ISO 2022 KR"));
//! let charset = resolved.charset().unwrap();
//! assert_eq!(charset.name(), "ISO-2022-KR");
//! let decoded = charset.decode(b"\x1B$)C\x0EGQ19>n\x0F A\xFF");
//! assert_eq!(decoded.text(), "한국어 A\u{FFFD}");
//! assert!(decoded.report().has(Kind::Malformed));
//! ```

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::error::Error;
use crate::label::Label;
use crate::report::{Kind, Report, Source};
use crate::work::work;

mod big5;
mod block;
mod bocu1;
mod cesu8;
mod damage;
mod euc_jp;
mod euc_kr;
mod euc_tw;
mod gb;
pub mod hangul;
mod hz;
mod iscii;
mod iso2022;
mod iso6937;
mod jisx0213;
mod johab;
mod labels;
mod language;
mod mac_hebrew;
mod octet_order;
mod pairs;
mod registry;
mod repair;
mod scsu;
mod sets;
mod shift_jis;
mod single_byte;
mod tables;
mod tscii;
mod unicode11;
mod utf1;
mod utf16;
mod utf32;
mod utf7;
pub mod utf8;
mod viqr;
mod web;

use hangul::HangulPolicy;
use labels::{LABELS, TARGETS};
pub(crate) use language::{Languages, Origin, Program};
use octet_order::OrderCodec;
use registry::{CHARSETS, Entry, Family, Form};
use unicode11::Claim;

/// A way to turn octets into characters: one row of the registry, or of what mail uses
/// beside it (RFC 2978, section 1.3).
///
/// ```
/// use mime_charset::Charset;
///
/// let russian: Charset = "KOI8-R".parse()?;
/// assert_eq!(russian.decode(b"\xF0\xD2\xC9\xD7\xC5\xD4").text(), "Привет");
/// assert_eq!(Charset::US_ASCII.decode(b"\x80").text(), "\u{FFFD}");
/// assert_eq!(Charset::WINDOWS_1252.decode(b"\x80").text(), "€");
/// assert_eq!(Charset::for_label("x-sjis").unwrap().to_string(), "Shift_JIS");
/// # Ok::<(), mime_charset::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Charset(u16);

impl Charset {
    /// UTF-8 (RFC 3629).
    pub const UTF_8: Charset = registry::named("UTF-8");
    /// US-ASCII (RFC 2046, section 4.1.2).
    pub const US_ASCII: Charset = registry::named("US-ASCII");
    /// windows-1252, what unlabelled octets are most likely to be.
    pub const WINDOWS_1252: Charset = registry::named("windows-1252");
    /// UTF-8 over Unicode 1.1, whose Hangul has moved since (RFC 2279, section 5).
    pub const UNICODE_1_1_UTF_8: Charset = registry::named("UNICODE-1-1-UTF-8");
    /// UNKNOWN-8BIT (RFC 1428): the declaration that nothing is declared.
    pub const UNKNOWN_8BIT: Charset = registry::named("UNKNOWN-8BIT");

    /// The charset a label names, by exact comparison without regard to ASCII case.
    ///
    /// [`resolve`] goes on where this gives `None`: loose comparison, then repair.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert_eq!(Charset::for_label("UTF8"), Some(Charset::UTF_8));
    /// assert_eq!(Charset::for_label("\"utf-8\""), None);
    /// ```
    #[must_use]
    pub fn for_label(label: impl AsRef<[u8]>) -> Option<Charset> {
        let label = label.as_ref();
        let is_label = |(common, _): &&(&str, _)| label.eq_ignore_ascii_case(common.as_bytes());
        if let Some((_, charset)) = COMMON_LABELS.iter().find(is_label) {
            return Some(*charset);
        }
        TARGETS.get(labels::exact(label)?).copied()
    }

    /// The preferred MIME name, or the registered name where none is preferred.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert_eq!(Charset::for_label("latin1").unwrap().name(), "ISO-8859-1");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().name
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
        self.entry().registered
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
        Some(self.entry().mibenum).filter(|&number| number != 0)
    }

    /// `read as` and its name, made once: headers may have a hundred thousand raw fields, each of
    /// which says it.
    pub(crate) fn said_to_be_read(self) -> &'static str {
        static SAID: [OnceLock<String>; CHARSETS.len()] =
            [const { OnceLock::new() }; CHARSETS.len()];
        match SAID.get(usize::from(self.0)) {
            Some(said) => said.get_or_init(|| format!("read as {self}")),
            None => "",
        }
    }

    /// Every label that names this charset exactly, in lower case, sorted.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert!(Charset::UTF_8.labels().any(|label| label == "csutf8"));
    /// ```
    pub fn labels(self) -> impl Iterator<Item = &'static str> {
        LABELS
            .iter()
            .zip(&TARGETS)
            .filter(move |(_, target)| **target == self)
            .map(|((label, _), _)| *label)
    }

    /// All charsets this library knows by name, sorted by name.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// assert!(Charset::all().filter(|charset| charset.mibenum().is_some()).count() >= 258);
    /// ```
    pub fn all() -> impl Iterator<Item = Charset> {
        (0u16..).take(CHARSETS.len()).map(Charset)
    }

    /// The charset that octets under this label are in: itself, but where the registry
    /// names a bare set of characters and mail means the encoding that everyone used for it.
    ///
    /// `KS_C_5601-1987`, which Microsoft's programs wrote on Korean mail, is EUC-KR, and
    /// `GB_2312-80` is GB2312. The Japanese sets keep their names, since there are two
    /// encodings for them and their decoder takes either. [`Reading::AsPractised`] decodes
    /// with this charset, and [`Decoded::charset`] reports it.
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
            KS_C_5601_1987 => EUC_KR,
            GB_2312_80 => GB2312,
            charset => charset,
        }
    }

    /// In which direction the charset says its text runs (RFC 1556); `None` for all but
    /// ISO-8859-6 and ISO-8859-8 and their `-I` and `-E`.
    ///
    /// The octets are the same whatever the direction, and decoding reorders nothing. What
    /// the labels say and what programs wrote differ: most ISO-8859-6 is in logical order,
    /// and so is ISO-8859-8 by today's programs.
    ///
    /// ```
    /// use mime_charset::{Charset, charset::Direction};
    ///
    /// let direction = |label| Charset::for_label(label).unwrap().direction();
    /// assert_eq!(direction("iso-8859-8"), Some(Direction::Visual));
    /// assert_eq!(direction("iso-8859-8-i"), Some(Direction::Logical));
    /// assert_eq!(direction("windows-1255"), None);
    /// ```
    #[must_use]
    pub fn direction(self) -> Option<Direction> {
        match self.name() {
            "ISO-8859-6" | "ISO-8859-8" => Some(Direction::Visual),
            "ISO-8859-6-I" | "ISO-8859-8-I" => Some(Direction::Logical),
            "ISO-8859-6-E" | "ISO-8859-8-E" => Some(Direction::Explicit),
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

    /// Why there is no decoder, where there is none, and which table would be wanted: no table was
    /// ever published, or no two sources agree on one.
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
        match self.entry().family {
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
        match self.entry().family {
            // Behind a script switch of ISCII there is one that is no ASCII.
            Family::Hz | Family::Iscii(_) | Family::Iso2022(_) | Family::Viqr => false,
            Family::SingleByte(set) | Family::Accents(set) => set.is_ascii_superset(),
            Family::Unicode(form) | Family::Unicode11(form) => {
                matches!(form, Form::Cesu8 | Form::Utf1 | Form::Utf8)
            }
            _ => true,
        }
    }

    /// Whether the ASCII of a text is the octets of ASCII, and nothing else becomes any: Apple's
    /// Arabic and Hebrew have the punctuation twice, above 7F too.
    pub(crate) fn keeps_ascii(self) -> bool {
        let is_once = match self.entry().family {
            Family::SingleByte(set) => !set.has_ascii_above(),
            Family::Accents(_) | Family::MacHebrew => false,
            _ => true,
        };
        is_once && self.is_ascii_superset()
    }

    /// Whether text that ends with `octets` ends, beyond doubt, in the state in which a text
    /// begins.
    pub(crate) fn ends_as_begun(self, octets: &[u8]) -> bool {
        match self.entry().family {
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
        match self.entry().family {
            Family::Ascii | Family::Hz => true,
            Family::Iso2022(variant) => variant.starts_in_ascii(),
            Family::Unicode(form) | Family::Unicode11(form) => matches!(form, Form::Utf7(_)),
            // National sets of ISO/IEC 646 have other characters than ASCII at a few places.
            Family::SingleByte(set) => set.is_seven_bit(),
            _ => false,
        }
    }

    /// The charsets of eight bits that have the characters of one of seven, the likelier last to
    /// read what is none of it: programs write one of them under its label.
    pub(crate) fn eight_bit_relatives(self) -> &'static [&'static str] {
        match self.entry().family {
            Family::Iso2022(variant) => variant.eight_bit_relatives(),
            Family::Hz => &["GB18030"],
            _ => &[],
        }
    }

    /// Whether it has the octets of UTF-8 for most or all characters.
    pub(crate) fn is_utf8_like(self) -> bool {
        let is_like = |form| matches!(form, Form::Utf8 | Form::Cesu8);
        match self.entry().family {
            Family::Unicode(form) | Family::Unicode11(form) => is_like(form),
            _ => false,
        }
    }

    /// Whether each octet is a character of its own.
    pub(crate) fn is_single_byte(self) -> bool {
        matches!(self.entry().family, Family::Ascii | Family::SingleByte(_))
    }

    /// The text of `octets`, with default [`Options`].
    ///
    /// Malformed octets become U+FFFD and a finding of kind [`Kind::Malformed`]; the
    /// finding's offset counts `octets`. A byte order mark is a character like others,
    /// except in UTF-16 and UTF-32. Valid UTF-8 is borrowed, and so is ASCII in every
    /// charset that contains it.
    ///
    /// ```
    /// use mime_charset::Charset;
    ///
    /// let euc_kr = Charset::for_label("euc-kr").unwrap();
    /// assert_eq!(euc_kr.decode(b"\xC7\xD1\xB1\xB9\xBE\xEE").text(), "한국어");
    /// ```
    #[must_use]
    #[inline]
    pub fn decode(self, octets: &[u8]) -> Decoded<'_> {
        self.decode_with(octets, &Options::new())
    }

    /// The text of `octets`, read as `options` say: [`Options::hangul`],
    /// [`Options::reading`], [`Options::assume_pre_amendment5`] and
    /// [`Options::jis_roman_as_ascii`]; the others are for [`decode`](crate::decode).
    ///
    /// ```
    /// use mime_charset::{Charset, Options, hangul::HangulPolicy};
    ///
    /// let old = "\u{3CA2}\u{3476}\u{3971}".as_bytes();
    /// let never = Options::new().hangul(HangulPolicy::Never);
    /// assert_eq!(Charset::UNICODE_1_1_UTF_8.decode(old).text(), "한국어");
    /// assert_eq!(Charset::UNICODE_1_1_UTF_8.decode_with(old, &never).text().as_bytes(), old);
    /// ```
    #[must_use]
    #[inline]
    pub fn decode_with<'a>(self, octets: &'a [u8], options: &Options) -> Decoded<'a> {
        match self.unchanged(octets, options) {
            Some((text, charset)) => Decoded::borrowed(text, charset),
            None => self.changed(octets, options),
        }
    }

    /// As [`decode_with`](Charset::decode_with), with text that is not the octets themselves
    /// written into `room`, whatever was there: for callers who decode millions of texts and
    /// want to allocate none of them.
    ///
    /// ```
    /// use mime_charset::{Charset, Options};
    ///
    /// let euc_kr = Charset::for_label("euc-kr").unwrap();
    /// let options = Options::new();
    /// let mut room = String::new();
    /// let (mut characters, mut lost) = (0, 0);
    /// for octets in [b"\xC7\xD1\xB1\xB9".as_slice(), b"ASCII", b"\xC7"] {
    ///     let decoded = euc_kr.decode_into(octets, &options, &mut room);
    ///     characters += decoded.text().chars().count();
    ///     lost += decoded.report().replacements();
    /// }
    /// assert_eq!((characters, lost), (2 + 5 + 1, 1));
    /// ```
    #[inline]
    pub fn decode_into<'a>(
        self,
        octets: &'a [u8],
        options: &Options,
        room: &'a mut String,
    ) -> Decoded<'a> {
        if let Some((text, charset)) = self.unchanged(octets, options) {
            return Decoded::borrowed(text, charset);
        }
        room.clear();
        let (charset, report) = self.append(octets, options, room);
        Decoded::new(Cow::Borrowed(room), charset, report)
    }

    /// The octets, where they are the text and there is nothing to report, and the charset they
    /// were read in.
    ///
    /// The short way of UTF-8 goes into the caller, since a header's worth of octets is
    /// validated in less time than a call takes to hand over its result.
    #[inline]
    fn unchanged<'a>(self, octets: &'a [u8], options: &Options) -> Option<(&'a str, Charset)> {
        work(octets.len());
        if self == Charset::UTF_8 && !options.assume_pre_amendment5 {
            return Some((web::utf8(octets)?, self));
        }
        self.unchanged_in_its_family(octets, options)
    }

    #[inline(never)]
    fn unchanged_in_its_family<'a>(
        self,
        octets: &'a [u8],
        options: &Options,
    ) -> Option<(&'a str, Charset)> {
        let charset = self.read_as(options);
        if options.remaps(charset) {
            return None;
        }
        Some((charset.borrowed(octets)?, charset))
    }

    /// Octets that are not their text.
    #[inline(never)]
    fn changed(self, octets: &[u8], options: &Options) -> Decoded<'static> {
        /// What memory is given out in, at least.
        const LEAST: usize = 16;
        // Of a body the codec knows better how long its text will be.
        let length = octets.len();
        let mut text = match length {
            ..=SHORT => String::with_capacity(LEAST.max(length + length / 2)),
            _ => String::new(),
        };
        let (charset, report) = self.append(octets, options, &mut text);
        Decoded::new(Cow::Owned(text), charset, report)
    }

    /// Appends the text of `octets`; gives what was found.
    pub(crate) fn decode_onto(self, octets: &[u8], options: &Options, text: &mut String) -> Report {
        if let Some((plain, _)) = self.unchanged(octets, options) {
            text.push_str(plain);
            return Report::new();
        }
        self.append(octets, options, text).1
    }

    /// Appends the text of `octets`; gives the charset it was read in, and what was found.
    fn append(self, octets: &[u8], options: &Options, text: &mut String) -> (Charset, Report) {
        let charset = self.read_as(options);
        let mut report = Report::new();
        if octets.len() > LONG {
            // Text that triples would be held three times over if its room grew with it, and so
            // would what grew for the room that a codec asks for.
            let asked = octets.len() + octets.len() / 2 + PIECE;
            text.reserve_exact(charset.most_text(octets, options).max(asked));
        }
        let sink = Sink {
            text,
            report: &mut report,
            base: 0,
        };
        with_codec(charset.entry().family, options, Whole { octets, sink });
        (charset, report)
    }

    /// Whether no octet is malformed: a text without U+FFFD for one.
    pub(crate) fn reads(self, octets: &[u8], options: &Options) -> bool {
        self.reads_with(octets, options, |_| {})
    }

    /// The same, with room that a short text is read into, behind what stands there.
    pub(crate) fn reads_in(self, octets: &[u8], options: &Options, room: &mut String) -> bool {
        if self == Charset::WINDOWS_1252 && options.reading == Reading::AsPractised {
            // Each octet is a character.
            return true;
        }
        if octets.len() > SHORT {
            return self.reads(octets, options);
        }
        let length = room.len();
        let report = self.decode_onto(octets, options, room);
        room.truncate(length);
        report.replacements() == 0
    }

    /// The same, with a look at the text, which of many octets is never there as a whole.
    pub(crate) fn reads_with(
        self,
        octets: &[u8],
        options: &Options,
        mut look: impl FnMut(&str),
    ) -> bool {
        if octets.len() <= LONG {
            let decoded = self.decode_with(octets, options);
            look(&decoded.text);
            return decoded.report.replacements() == 0;
        }
        // What is remapped is read all the same, and need not be waited for.
        let options = options.hangul(HangulPolicy::Never);
        let mut decoder = Decoder::with_options(self, &options);
        work(octets.len());
        let mut pieces = octets.chunks(PIECE);
        let is_read = pieces.all(|piece| {
            look(decoder.push(piece));
            decoder.report.replacements() == 0
        });
        if !is_read {
            return false;
        }
        let rest = decoder.finish();
        look(&rest.text);
        rest.report.replacements() == 0
    }

    /// Whether octets are the same text in both. Of many octets that is never there as a whole.
    pub(crate) fn reads_as(self, other: Charset, octets: &[u8], options: &Options) -> bool {
        if octets.len() <= LONG {
            let text = self.decode_with(octets, options).text;
            return text == other.decode_with(octets, options).text;
        }
        let mut decoders = [self, other].map(|charset| Decoder::with_options(charset, options));
        work(2 * octets.len());
        let (mut one, mut next) = (String::new(), String::new());
        for piece in octets.chunks(PIECE) {
            let [first, second] = &mut decoders;
            one.push_str(first.push(piece));
            next.push_str(second.push(piece));
            let common = one.len().min(next.len());
            if one.as_bytes().get(..common) != next.as_bytes().get(..common) {
                return false;
            }
            // What is the same octet for octet ends a character of one, and so of the other.
            one.drain(..common);
            next.drain(..common);
        }
        let [first, second] = decoders.map(Decoder::finish);
        one + first.text() == next + second.text()
    }

    /// How long the text of many octets is at most.
    fn most_text(self, octets: &[u8], options: &Options) -> usize {
        let is_at_most_three = !matches!(self.entry().family, Family::Tscii | Family::MacHebrew);
        if self.is_ascii_superset() && is_at_most_three {
            // U+FFFD is three octets, and so is most of what is not ASCII.
            let above = count_of(octets, |octet| !octet.is_ascii());
            return octets.len() + 2 * above;
        }
        // What is remapped is as long as it was.
        let options = options.hangul(HangulPolicy::Never);
        let mut decoder = Decoder::with_options(self, &options);
        let pieces = octets.chunks(PIECE);
        let length: usize = pieces.map(|piece| decoder.push(piece).len()).sum();
        length + decoder.finish().text.len()
    }

    /// The charset to decode with.
    fn read_as(self, options: &Options) -> Charset {
        match options.reading {
            Reading::AsPractised => self.as_practised(),
            Reading::AsRegistered => self,
        }
    }

    /// The octets as they are, where they are the text.
    fn borrowed(self, octets: &[u8]) -> Option<&str> {
        match self.entry().family {
            Family::Unicode(Form::Utf8) => web::utf8(octets),
            // Text without Hangul under a Unicode 1.1 label is worth a finding.
            Family::Unicode11(_) => None,
            Family::Iso2022(variant)
                if variant.starts_in_ascii() && sets::is_plain_ascii(octets) =>
            {
                web::utf8(octets)
            }
            // What is not ASCII shows it sooner than a family is looked up.
            _ if octets.is_ascii() && self.is_ascii_superset() => web::utf8(octets),
            _ => None,
        }
    }

    fn entry(self) -> &'static Entry {
        // A charset is only made from a row of the table.
        CHARSETS.get(usize::from(self.0)).unwrap_or(&CHARSETS[0])
    }
}

/// Labels that most mail has, the commonest first; these take no search.
const COMMON_LABELS: [(&str, Charset); 6] = [
    ("utf-8", Charset::UTF_8),
    ("us-ascii", Charset::US_ASCII),
    ("iso-8859-1", registry::named("ISO-8859-1")),
    ("windows-1252", Charset::WINDOWS_1252),
    ("iso-2022-jp", registry::named("ISO-2022-JP")),
    ("euc-kr", EUC_KR),
];

const EUC_KR: Charset = registry::named("EUC-KR");
const GB2312: Charset = registry::named("GB2312");
const GB_2312_80: Charset = registry::named("GB_2312-80");
const X_USER_DEFINED: Charset = registry::named("x-user-defined");
const KS_C_5601_1987: Charset = registry::named("KS_C_5601-1987");

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

/// A name typed by a person: exact, then loose.
impl FromStr for Charset {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let resolved = resolve(&Label::new(name));
        match (resolved.charset, resolved.matched) {
            (Some(charset), Matched::Exact | Matched::Loose) => Ok(charset),
            _ => Err(Error::new(format!(
                "expected a charset label, found {name:?}"
            ))),
        }
    }
}

/// In which order the characters of a Hebrew or Arabic text stand (RFC 1556).
///
/// ```
/// use mime_charset::{Charset, charset::Direction};
///
/// let hebrew = Charset::for_label("iso-8859-8").unwrap();
/// assert_eq!(hebrew.direction(), Some(Direction::Visual));
/// // As it stands on the line: whoever shows it turns it around.
/// assert_eq!(hebrew.decode(b"\xED\xE5\xEC\xF9").text(), "םולש");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Direction {
    /// As they stand on the line, from left to right.
    Visual,
    /// As they are read; whoever shows them finds the order (implicit directionality, `-I`).
    Logical,
    /// With control sequences that say it (explicit directionality, `-E`).
    Explicit,
}

impl Direction {
    /// The word for it in JSON: `visual`, `logical` or `explicit`.
    ///
    /// ```
    /// assert_eq!(mime_charset::charset::Direction::Visual.name(), "visual");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Direction::Visual => "visual",
            Direction::Logical => "logical",
            Direction::Explicit => "explicit",
        }
    }
}

/// How a label was found.
///
/// ```
/// use mime_charset::{Label, charset::{self, Matched}};
///
/// let matched = |label| charset::resolve(&Label::new(label)).matched();
/// assert_eq!(matched("ISO-8859-15"), Matched::Exact);
/// assert_eq!(matched("iso 8859_15"), Matched::Loose);
/// assert_eq!(matched("<iso-8859-15>"), Matched::Repaired);
/// assert_eq!(matched("iso-8859-99").name(), "unknown");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matched {
    /// It is in the list of labels.
    Exact,
    /// It equals a label when case, punctuation and leading zeros are set aside (UTS #22,
    /// section 1.4).
    Loose,
    /// It is a label after damage was undone.
    Repaired,
    /// It names no charset.
    Unknown,
}

impl Matched {
    /// The word for it in JSON: `exact`, `loose`, `repaired` or `unknown`.
    ///
    /// ```
    /// assert_eq!(mime_charset::charset::Matched::Loose.name(), "loose");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Matched::Exact => "exact",
            Matched::Loose => "loose",
            Matched::Repaired => "repaired",
            Matched::Unknown => "unknown",
        }
    }

    /// The finding that a label found so is worth; `None` where it was found exactly.
    ///
    /// ```
    /// use mime_charset::{Kind, charset::Matched};
    ///
    /// assert_eq!(Matched::Loose.kind(), Some(Kind::LooseLabel));
    /// assert_eq!(Matched::Exact.kind(), None);
    /// ```
    #[must_use]
    pub fn kind(self) -> Option<Kind> {
        match self {
            Matched::Exact => None,
            Matched::Loose => Some(Kind::LooseLabel),
            Matched::Repaired => Some(Kind::RepairedLabel),
            Matched::Unknown => Some(Kind::UnknownLabel),
        }
    }
}

/// What a label was found to mean.
///
/// ```
/// use mime_charset::{Label, charset::{self, Matched}};
///
/// let resolved = charset::resolve(&Label::new("'Windows-1250'"));
/// assert_eq!(resolved.charset().unwrap().name(), "windows-1250");
/// assert_eq!((resolved.matched(), resolved.label()), (Matched::Repaired, Some("windows-1250")));
/// assert_eq!(resolved.undone(), "punctuation around it");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    charset: Option<Charset>,
    matched: Matched,
    label: Option<&'static str>,
    undone: String,
}

impl Resolved {
    /// The charset, `None` where the label names none.
    #[must_use]
    pub fn charset(&self) -> Option<Charset> {
        self.charset
    }

    /// How it was found.
    #[must_use]
    pub fn matched(&self) -> Matched {
        self.matched
    }

    /// The label of the list that it was taken for, in lower case.
    ///
    /// ```
    /// use mime_charset::{Label, charset};
    ///
    /// let resolved = charset::resolve(&Label::new("ru_RU.KOI8-R"));
    /// assert_eq!(resolved.label(), Some("koi8-r"));
    /// ```
    #[must_use]
    pub fn label(&self) -> Option<&'static str> {
        self.label
    }

    /// What was undone to find it, empty where nothing was.
    ///
    /// ```
    /// use mime_charset::{Label, charset};
    ///
    /// let resolved = charset::resolve(&Label::new("'utf-8'"));
    /// assert_eq!(resolved.undone(), "punctuation around it");
    /// ```
    #[must_use]
    pub fn undone(&self) -> &str {
        &self.undone
    }

    /// The detail of the finding that [`Matched::kind`] names.
    ///
    /// ```
    /// use mime_charset::{Kind, Label, charset};
    ///
    /// let resolved = charset::resolve(&Label::new("'utf-8'"));
    /// assert_eq!(resolved.matched().kind(), Some(Kind::RepairedLabel));
    /// assert_eq!(resolved.detail(), "read as UTF-8, without punctuation around it");
    /// ```
    #[must_use]
    pub fn detail(&self) -> String {
        match (self.charset, self.matched) {
            (None, _) => "names no charset".to_owned(),
            (Some(_), Matched::Exact) => String::new(),
            (Some(charset), _) if self.undone.is_empty() => format!("read as {charset}"),
            (Some(charset), _) => format!("read as {charset}, without {}", self.undone),
        }
    }
}

/// What a label means: by exact comparison, then loosely, then after undoing what mail does
/// to labels.
///
/// Each step that is needed is worth a finding, which whoever resolves a label adds.
/// Whatever is done, the result is a label of the list: a charset that does not exist is
/// not taken for one that does, and labels of more than 256 octets are not looked at.
///
/// ```
/// use mime_charset::{Charset, Label, charset, charset::Matched};
///
/// let resolve = |label| charset::resolve(&Label::new(label));
/// assert_eq!(resolve("utf-8").matched(), Matched::Exact);
/// assert_eq!(resolve("UTF 8").matched(), Matched::Loose);
/// assert_eq!(resolve("3D\"utf-8\"").matched(), Matched::Repaired);
/// assert_eq!(resolve("3D\"utf-8\"").charset(), Some(Charset::UTF_8));
/// assert_eq!(resolve("utf-9").matched(), Matched::Unknown);
/// ```
#[must_use]
pub fn resolve(label: &Label<'_>) -> Resolved {
    let octets = label.as_bytes();
    let trimmed = octets.trim_ascii();
    let nothing = String::new();
    let (row, matched, undone) = if let Some(row) = labels::exact(octets) {
        (Some(row), Matched::Exact, nothing)
    } else if trimmed.len() > MAX_LABEL {
        (None, Matched::Unknown, nothing)
    } else if let Some(row) = labels::loose(octets) {
        (Some(row), Matched::Loose, nothing)
    } else if let Some((row, undone)) = repair::repair(trimmed) {
        (Some(row), Matched::Repaired, undone)
    } else {
        (None, Matched::Unknown, nothing)
    };
    Resolved {
        charset: row.and_then(|row| TARGETS.get(row)).copied(),
        matched,
        label: row.and_then(|row| LABELS.get(row)).map(|(label, _)| *label),
        undone,
    }
}

/// The most octets of a label that is looked at closely.
const MAX_LABEL: usize = 256;

/// Whether a label means what its registration says, or what mail has made of it.
///
/// ```
/// use mime_charset::{Charset, Options, Reading};
///
/// let latin1 = Charset::for_label("iso-8859-1").unwrap();
/// let registered = Options::new().reading(Reading::AsRegistered);
/// assert_eq!(latin1.decode(b"\x80 5").text(), "€ 5");
/// assert_eq!(latin1.decode_with(b"\x80 5", &registered).text(), "\u{80} 5");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Reading {
    /// Where practice has settled on a superset, cell by cell, the superset is read:
    /// windows-1252 for ISO-8859-1, UHC for EUC-KR, GB 18030 for GB2312.
    #[default]
    AsPractised,
    /// The registered charset and nothing beyond it.
    AsRegistered,
}

/// Whom to believe when the octets contradict the label (RFC 7103, section 7.6).
///
/// ```
/// use mime_charset::{Label, Options, Trust, decode};
///
/// let label = Label::new("iso-8859-1");
/// let text = |trust| {
///     let options = Options::new().trust(trust);
///     decode::decode(b"\xC3\xA9", Some(&label), &options).into_text()
/// };
/// assert_eq!(text(Trust::Evidence), "é");
/// assert_eq!(text(Trust::Label), "Ã©");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Trust {
    /// The octets, where they prove the label wrong.
    #[default]
    Evidence,
    /// The label, whatever the octets say.
    Label,
}

/// What to do with a byte order mark at the start of a body (RFC 3629, section 6).
///
/// ```
/// use mime_charset::{Bom, Kind, Label, Options, decode};
///
/// let label = Label::new("utf-8");
/// let stripped = decode::decode(b"\xEF\xBB\xBFa", Some(&label), &Options::new());
/// assert_eq!(stripped.text(), "a");
/// assert!(stripped.report().has(Kind::BomRemoved));
/// let keep = Options::new().bom(Bom::Keep);
/// assert_eq!(decode::decode(b"\xEF\xBB\xBFa", Some(&label), &keep).text(), "\u{FEFF}a");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Bom {
    /// Leave one out of the text and report it; the octets stay as they are.
    #[default]
    Strip,
    /// Keep it as U+FEFF.
    Keep,
}

/// How to read octets. Built by value:
///
/// ```
/// use mime_charset::{Bom, Charset, Options, Reading, Trust, hangul::HangulPolicy};
///
/// const LETTER_OF_THE_STANDARDS: Options = Options::new()
///     .hangul(HangulPolicy::Always)
///     .reading(Reading::AsRegistered)
///     .trust(Trust::Label)
///     .bom(Bom::Keep);
///
/// // GB 2312 has a katakana middle dot where everybody writes a middle dot.
/// let chinese = Charset::for_label("gb2312").unwrap();
/// assert_eq!(chinese.decode(b"\xA1\xA4").text(), "·");
/// assert_eq!(chinese.decode_with(b"\xA1\xA4", &LETTER_OF_THE_STANDARDS).text(), "・");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    pub(crate) hangul: HangulPolicy,
    pub(crate) reading: Reading,
    pub(crate) trust: Trust,
    pub(crate) bom: Bom,
    pub(crate) assume_pre_amendment5: bool,
    pub(crate) jis_roman_as_ascii: bool,
    pub(crate) hint: Option<Charset>,
    /// What raw octets in fields look like, for those that the hint does not read.
    pub(crate) raw: Option<Charset>,
    /// What else is known of the mail that octets stand in.
    pub(crate) origin: Origin,
}

impl Options {
    /// The defaults: [`HangulPolicy::Auto`], [`Reading::AsPractised`], [`Trust::Evidence`],
    /// [`Bom::Strip`], and nothing assumed.
    #[must_use]
    pub const fn new() -> Self {
        Options {
            hangul: HangulPolicy::Auto,
            reading: Reading::AsPractised,
            trust: Trust::Evidence,
            bom: Bom::Strip,
            assume_pre_amendment5: false,
            jis_roman_as_ascii: false,
            hint: None,
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

    /// Whether labels mean what is registered or what is practised.
    #[must_use]
    pub const fn reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    /// Whom to believe when octets contradict the label; a [`Charset`] that decodes has
    /// nothing to doubt.
    #[must_use]
    pub const fn trust(mut self, trust: Trust) -> Self {
        self.trust = trust;
        self
    }

    /// What to do with a byte order mark at the start of a body, and of any text in UTF-16
    /// and UTF-32.
    #[must_use]
    pub const fn bom(mut self, bom: Bom) -> Self {
        self.bom = bom;
        self
    }

    /// Treat every Unicode label as Unicode 1.1: RFC 2044's "UTF-8" (October 1996 to January
    /// 1998) did mean Unicode 1.1. Where today's Hangul stands in the text nothing is
    /// remapped under [`HangulPolicy::Auto`].
    ///
    /// ```
    /// use mime_charset::{Charset, Options};
    ///
    /// let of_1997 = Options::new().assume_pre_amendment5(true);
    /// let octets = "\u{3CA2}\u{3476}\u{3971}".as_bytes();
    /// assert_eq!(Charset::UTF_8.decode_with(octets, &of_1997).text(), "한국어");
    /// ```
    #[must_use]
    pub const fn assume_pre_amendment5(mut self, assume: bool) -> Self {
        self.assume_pre_amendment5 = assume;
        self
    }

    /// Read 5C and 7E of JIS X 0201 Roman as the ASCII `\` and `~` instead of the yen sign
    /// and the overline.
    ///
    /// ```
    /// use mime_charset::{Charset, Options};
    ///
    /// let japanese = Charset::for_label("iso-2022-jp").unwrap();
    /// let as_ascii = Options::new().jis_roman_as_ascii(true);
    /// assert_eq!(japanese.decode(b"\x1B(JC:\\\x1B(B").text(), "C:¥");
    /// assert_eq!(japanese.decode_with(b"\x1B(JC:\\\x1B(B", &as_ascii).text(), "C:\\");
    /// ```
    #[must_use]
    pub const fn jis_roman_as_ascii(mut self, as_ascii: bool) -> Self {
        self.jis_roman_as_ascii = as_ascii;
        self
    }

    /// Whether old Hangul in `charset` may be remapped, so that the whole text counts.
    pub(crate) fn remaps(&self, charset: Charset) -> bool {
        match charset.entry().family {
            Family::Unicode11(_) => true,
            Family::Unicode(_) => self.assume_pre_amendment5,
            _ => false,
        }
    }

    /// The charset to try where nothing is declared: that of other parts, of the header, of
    /// a folder. It is used only where it reads every octet.
    ///
    /// ```
    /// use mime_charset::{Charset, Options, decode};
    ///
    /// let korean = Options::new().hint(Charset::for_label("euc-kr"));
    /// assert_eq!(decode::decode(b"\xC7\xD1\xB1\xB9", None, &korean).text(), "한국");
    /// ```
    #[must_use]
    pub const fn hint(mut self, charset: Option<Charset>) -> Self {
        self.hint = charset;
        self
    }
}

/// Text, the charset it was in, on whose word, and everything noticed on the way.
///
/// ```
/// use std::borrow::Cow;
/// use mime_charset::{Charset, Source};
///
/// let decoded = Charset::UTF_8.decode("한국".as_bytes());
/// assert_eq!(decoded.text(), "한국");
/// assert_eq!((decoded.charset(), decoded.source()), (Charset::UTF_8, Source::Declared));
/// assert!(decoded.report().is_empty());
/// assert_eq!(decoded.clone().into_owned(), decoded);
/// // Nothing had to change, so nothing was copied.
/// assert!(matches!(decoded.into_text(), Cow::Borrowed("한국")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) charset: Charset,
    pub(crate) source: Source,
    pub(crate) report: Report,
}

impl<'a> Decoded<'a> {
    #[inline]
    fn new(text: Cow<'a, str>, charset: Charset, report: Report) -> Self {
        Decoded {
            text,
            charset,
            source: Source::Declared,
            report,
        }
    }

    /// Text that is the octets themselves, with nothing to report.
    #[inline]
    pub(crate) fn borrowed(text: &'a str, charset: Charset) -> Self {
        Decoded::new(Cow::Borrowed(text), charset, Report::new())
    }

    /// The text.
    #[must_use]
    #[inline]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text by value, borrowed from the octets where nothing had to change.
    #[must_use]
    #[inline]
    pub fn into_text(self) -> Cow<'a, str> {
        self.text
    }

    /// The same with text of its own.
    #[must_use]
    pub fn into_owned(self) -> Decoded<'static> {
        Decoded {
            text: Cow::Owned(self.text.into_owned()),
            charset: self.charset,
            source: self.source,
            report: self.report,
        }
    }

    /// The charset the octets were read in.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// On whose word: [`Source::Declared`] where the caller named the charset.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    /// What was assumed, repaired or lost; [`Finding::within`](crate::Finding::within) says
    /// which octets its offsets count.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// Where a codec puts what it decodes.
pub(crate) struct Sink<'o> {
    pub(crate) text: &'o mut String,
    pub(crate) report: &'o mut Report,
    /// How many octets of the whole input lie before the slice the codec was given.
    pub(crate) base: usize,
}

impl Sink<'_> {
    /// Puts one U+FFFD for `length` octets at `offset` of the whole input.
    pub(crate) fn replace(&mut self, kind: Kind, offset: usize, length: usize, what: &'static str) {
        let replacement = char::REPLACEMENT_CHARACTER;
        if self.text.capacity() - self.text.len() < replacement.len_utf8() {
            // Text that triples would be held twice over if its room doubled.
            self.text.reserve_exact(self.text.len() / 2 + SHORT);
        }
        self.text.push(replacement);
        self.report.add_replaced(kind, offset, length, what);
    }
}

/// One charset's state machine.
///
/// A codec is given the input in slices, in order. Any cutting must give the same text and
/// findings, so it takes no decision that further octets could change: it returns how many
/// octets it is done with, and what it leaves, at most [`MAX_PENDING`] octets, stands at the
/// start of its next slice. With `last` it finishes everything.
pub(crate) trait Codec: Send {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize;
}

impl Codec for Box<dyn Codec> {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        (**self).decode(input, last, sink)
    }
}

/// A text of so many octets or fewer is a subject or a name, for which codecs have smaller room.
const SHORT: usize = 96;

/// Of more octets it is worth asking how long their text will be, for what memory it takes.
const LONG: usize = 2 << 20;

/// How many octets of such are read at a time.
const PIECE: usize = 64 << 10;

/// The most octets a codec may leave undecided.
const MAX_PENDING: usize = 16;

/// What is done with a codec, whichever it is.
trait WithCodec {
    type Output;

    fn with(self, codec: impl Codec + 'static) -> Self::Output;
}

/// It is kept.
struct Kept;

impl WithCodec for Kept {
    type Output = Box<dyn Codec>;

    fn with(self, codec: impl Codec + 'static) -> Box<dyn Codec> {
        Box::new(codec)
    }
}

/// It decodes a whole text, where it stands: a subject is decoded in less time than a codec
/// takes to allocate.
struct Whole<'a> {
    octets: &'a [u8],
    sink: Sink<'a>,
}

impl WithCodec for Whole<'_> {
    type Output = ();

    fn with(mut self, mut codec: impl Codec + 'static) {
        codec.decode(self.octets, true, &mut self.sink);
    }
}

/// Does `task` with the codec that reads a family.
fn with_codec<W: WithCodec>(family: Family, options: &Options, task: W) -> W::Output {
    match family {
        Family::Undecoded(_) => task.with(AsciiCodec {
            kind: Kind::Undecoded,
        }),
        Family::Ascii => task.with(AsciiCodec {
            kind: Kind::Malformed,
        }),
        Family::Unicode(unicode) if options.assume_pre_amendment5 => {
            let form = with_form(unicode, options, Kept);
            task.with(unicode11::wrap(
                unicode,
                form,
                options.hangul,
                Claim::Assumed,
            ))
        }
        Family::Unicode(unicode) => with_form(unicode, options, task),
        Family::Unicode11(unicode) => {
            let form = with_form(unicode, options, Kept);
            task.with(unicode11::wrap(
                unicode,
                form,
                options.hangul,
                Claim::Labelled,
            ))
        }
        Family::Big5 => task.with(big5::codec(options.reading)),
        Family::EucJp { microsoft } => task.with(euc_jp::codec(options.reading, microsoft)),
        Family::EucJis2004 => task.with(jisx0213::euc()),
        Family::EucKr => task.with(euc_kr::codec(options.reading)),
        Family::EucTw => task.with(euc_tw::codec()),
        Family::Gb2312 if options.reading == Reading::AsRegistered => {
            task.with(gb::gb2312_as_registered())
        }
        Family::Gbk if options.reading == Reading::AsRegistered => {
            task.with(gb::gbk_as_registered())
        }
        Family::Gb2312 | Family::Gbk | Family::Gb18030 => task.with(gb::gb18030(options.reading)),
        Family::Gb12345 => task.with(gb::gb12345()),
        Family::Hz => task.with(hz::HzCodec::new(options.reading)),
        Family::Iso2022(variant) => task.with(iso2022::Iso2022Codec::new(
            variant,
            options.reading,
            options.jis_roman_as_ascii,
        )),
        Family::Iscii(script) => task.with(iscii::IsciiCodec::new(script, options.reading)),
        Family::IsoIr165 => task.with(gb::iso_ir_165()),
        Family::Johab => task.with(johab::codec()),
        Family::MacHebrew => task.with(mac_hebrew::MacHebrewCodec::new(options)),
        Family::ShiftJis { microsoft } => task.with(shift_jis::codec(options.reading, microsoft)),
        Family::ShiftJis2004 => task.with(jisx0213::shift_jis()),
        Family::SingleByte(set) => task.with(single_byte::codec(set, options)),
        Family::Accents(set) => task.with(iso6937::AccentCodec::new(set, options.reading)),
        Family::Tscii => task.with(tscii::TsciiCodec),
        Family::Viqr => task.with(viqr::ViqrCodec::default()),
        Family::Web(web) => task.with(web::WebCodec::new(web)),
    }
}

/// Does `task` with the codec that reads a form of Unicode.
fn with_form<W: WithCodec>(form: Form, options: &Options, task: W) -> W::Output {
    match form {
        Form::Bocu1 => task.with(bocu1::Bocu1Codec::new()),
        Form::Cesu8 => task.with(cesu8::Cesu8Codec::new(options.reading)),
        Form::Scsu => task.with(scsu::ScsuCodec::new()),
        Form::Utf1 => task.with(utf1::Utf1Codec),
        Form::Utf7(dialect) => task.with(utf7::Utf7Codec::new(dialect)),
        Form::Utf8 => task.with(utf8::Utf8Codec),
        Form::Utf16(declared) => task.with(OrderCodec::<utf16::Utf16>::new(declared, options.bom)),
        Form::Utf32(declared) => task.with(OrderCodec::<utf32::Utf32>::new(declared, options.bom)),
    }
}

/// US-ASCII (RFC 2046, section 4.1.2), and the visible part of charsets without a decoder.
struct AsciiCodec {
    /// What an octet above 7F is.
    kind: Kind,
}

impl Codec for AsciiCodec {
    fn decode(&mut self, input: &[u8], _last: bool, sink: &mut Sink<'_>) -> usize {
        let what = match self.kind {
            Kind::Undecoded => "octet of a charset without a decoder",
            _ => "octet above 7F",
        };
        let mut at = 0;
        for run in input.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
            match std::str::from_utf8(run) {
                Ok(text) if text.is_ascii() => sink.text.push_str(text),
                _ => {
                    for offset in at..at + run.len() {
                        sink.replace(self.kind, sink.base + offset, 1, what);
                    }
                }
            }
            at += run.len();
        }
        input.len()
    }
}

/// The octet that windows-1252 has for a character, if it has one.
pub(crate) fn windows_1252_octet(character: char) -> Option<u8> {
    /// What 80 to 9F are; where Microsoft has left one undefined, the control of ISO 6429.
    const HIGH: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž',
        '\u{8F}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}',
        'ž', 'Ÿ',
    ];
    match u8::try_from(u32::from(character)) {
        Ok(octet @ (0..=0x7F | 0xA0..=0xFF)) => Some(octet),
        _ => (0x80..)
            .zip(HIGH)
            .find(|(_, high)| *high == character)
            .map(|(octet, _)| octet),
    }
}

/// Decodes in pieces: any cutting of the octets gives the same text and findings.
///
/// Where the whole text decides how it is read, which is so for old Hangul under
/// [`HangulPolicy::Auto`] and for the octet order of UTF-16 without a byte order mark, text
/// is held back until it is decided, at the latest by [`finish`](Decoder::finish).
///
/// ```
/// use mime_charset::{Charset, Decoder};
///
/// let mut decoder = Decoder::new(Charset::UTF_8);
/// let mut text = String::new();
/// for piece in [b"\xED\x95".as_slice(), b"\x9C"] {
///     text += decoder.push(piece);
/// }
/// let rest = decoder.finish();
/// text += rest.text();
/// assert_eq!(text, "한");
/// ```
pub struct Decoder {
    charset: Charset,
    codec: Box<dyn Codec>,
    /// Octets the codec could not decide about yet.
    pending: Vec<u8>,
    /// How many octets the codec is done with.
    done: usize,
    text: String,
    report: Report,
}

impl Decoder {
    /// A decoder at the start of a text in `charset`, with default [`Options`].
    #[must_use]
    pub fn new(charset: Charset) -> Self {
        Self::with_options(charset, &Options::new())
    }

    /// A decoder that reads as `options` say.
    ///
    /// ```
    /// use mime_charset::{Charset, Decoder, Options, hangul::HangulPolicy};
    ///
    /// // To the letter of RFC 2279, section 5: no text has to wait for what follows it.
    /// let always = Options::new().hangul(HangulPolicy::Always);
    /// let mut decoder = Decoder::with_options(Charset::UNICODE_1_1_UTF_8, &always);
    /// assert_eq!(decoder.push("\u{3CA2}".as_bytes()), "한");
    /// ```
    #[must_use]
    pub fn with_options(charset: Charset, options: &Options) -> Self {
        let charset = charset.read_as(options);
        Decoder {
            charset,
            codec: with_codec(charset.entry().family, options, Kept),
            pending: Vec::new(),
            done: 0,
            text: String::new(),
            report: Report::new(),
        }
    }

    /// Takes the next octets and returns the text that they decide, which may be empty.
    pub fn push(&mut self, octets: &[u8]) -> &str {
        self.text.clear();
        self.feed(octets, false);
        &self.text
    }

    /// The text that was held back, and the report on all of it; offsets count the octets of
    /// all pieces. A sequence that the end cuts off is malformed.
    #[must_use]
    pub fn finish(mut self) -> Decoded<'static> {
        self.text.clear();
        self.feed(&[], true);
        Decoded::new(Cow::Owned(self.text), self.charset, self.report)
    }

    fn feed(&mut self, mut octets: &[u8], last: bool) {
        // Octets left from before are joined with just enough new ones to be decided.
        let mut pending = std::mem::take(&mut self.pending);
        while !pending.is_empty() && (last || !octets.is_empty()) {
            let waiting = pending.len();
            let (more, rest) = octets.split_at(octets.len().min(2 * MAX_PENDING));
            pending.extend_from_slice(more);
            let used = self.run(&pending, last && rest.is_empty());
            if rest.is_empty() {
                // The codec has seen everything, and what it left waits for more.
                pending.drain(..used);
                self.pending = pending;
                return;
            }
            if used >= waiting {
                // What follows is decoded from where it stands.
                octets = octets.get(used - waiting..).unwrap_or_default();
                pending.clear();
            } else {
                octets = rest;
                pending.drain(..used);
            }
        }
        if pending.is_empty() {
            let used = self.run(octets, last);
            pending.extend_from_slice(octets.get(used..).unwrap_or_default());
        }
        self.pending = pending;
    }

    fn run(&mut self, octets: &[u8], last: bool) -> usize {
        let mut sink = Sink {
            text: &mut self.text,
            report: &mut self.report,
            base: self.done,
        };
        let used = self.codec.decode(octets, last, &mut sink).min(octets.len());
        self.done += used;
        used
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("charset", &self.charset)
            .finish_non_exhaustive()
    }
}

/// How many octets are `such`. What an octet holds is counted in an octet, so that many of them
/// are looked at together.
pub(crate) fn count_of(octets: &[u8], such: impl Fn(u8) -> bool) -> usize {
    let of = |octets: &[u8]| {
        let count = octets.iter().fold(0_u8, |count, &octet| {
            count.wrapping_add(u8::from(such(octet)))
        });
        usize::from(count)
    };
    octets.chunks(usize::from(u8::MAX)).map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::{COMMON_LABELS, Charset, Options, Reading, TARGETS, labels};

    #[test]
    fn common_labels_are_those_of_the_list() {
        for (label, charset) in COMMON_LABELS {
            let row = labels::exact(label.as_bytes()).unwrap();
            assert_eq!(TARGETS[row], charset, "{label}");
            assert_eq!(Charset::for_label(label.to_uppercase()), Some(charset));
        }
    }

    /// Of a short text it is not asked octet by octet.
    #[test]
    fn what_is_read_into_room_is_what_is_read() {
        let as_registered = Options::new().reading(Reading::AsRegistered);
        for charset in Charset::all().filter(|charset| charset.is_decoded()) {
            for options in [Options::new(), as_registered] {
                for octet in 0..=u8::MAX {
                    let mut room = "text".to_owned();
                    let octets = [b'a', octet];
                    let reads = charset.reads_in(&octets, &options, &mut room);
                    let decoded = charset.decode_with(&octets, &options);
                    let is_read = decoded.report().replacements() == 0;
                    assert_eq!(reads, is_read, "{charset}, {octet:02X}");
                    assert_eq!(room, "text");
                }
            }
        }
    }

    /// What is appended is what is decoded.
    #[test]
    fn appending_is_decoding() {
        let options = Options::new();
        let high: Vec<u8> = (0x80..=0xFF).collect();
        for charset in Charset::all() {
            for octets in [&b"a"[..], b"\xC7\xD1", b"\x1B$B8l\x1B(B", b"+rB0-", &high] {
                let decoded = charset.decode_with(octets, &options);
                let mut text = String::from("é");
                let report = charset.decode_onto(octets, &options, &mut text);
                assert_eq!(&report, decoded.report(), "{charset}");
                assert_eq!(text, format!("é{}", decoded.text()), "{charset}");
            }
        }
    }
}
