//! Unlabelled octets to a [`Guess`].
//!
//! What is looked for first leaves no other reading: well-formed UTF-8 with at least one
//! character of several octets (RFC 3629, section 1: "the probability that a string of
//! characters in any other encoding appears as valid UTF-8 is low"), and 7-bit octets with
//! the escapes of ISO 2022 or HZ that decode without a fault (RFC 7103, section 7.6). UTF-7
//! is never guessed: any ASCII text could hide in it.
//!
//! Only the octets are asked: what a label, a document or the rest of a message says is
//! weighed by [`decode`](crate::decode).
//!
//! ```
//! use mime_charset::{Charset, detect};
//!
//! let octets = b"\xC3\xA9t\xC3\xA9";
//! let guess = detect::detect(octets);
//! assert_eq!(guess.charset(), Charset::UTF_8);
//! assert_eq!(guess.charset().decode(octets).text(), "été");
//! ```

use memchr::memmem;

use crate::charset::{Charset, Options, utf8};
use crate::report::Source;

/// A charset that octets are likely to be in, and how firmly that stands.
///
/// ```
/// use mime_charset::{Charset, Source, detect};
///
/// let guess = detect::detect(b"caf\xC3\xA9");
/// assert_eq!((guess.charset(), guess.source()), (Charset::UTF_8, Source::Evidence));
/// assert!(guess.confidence() > 90);
/// // The octets C3 A9 gave it away.
/// assert_eq!((guess.offset(), guess.length()), (3, 2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guess {
    charset: Charset,
    source: Source,
    /// The octets that gave it away.
    offset: usize,
    length: usize,
}

impl Guess {
    /// The charset.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// [`Source::Bom`], [`Source::Evidence`], or [`Source::Default`] where nothing spoke.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    /// How likely the guess is right, in percent.
    #[must_use]
    pub fn confidence(&self) -> u8 {
        match self.source {
            Source::Default if self.charset == Charset::US_ASCII => 99,
            Source::Default => 30,
            _ => 98,
        }
    }

    /// How many octets lie before those that gave the charset away.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets gave the charset away; 0 where nothing spoke.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }
}

/// What octets without a label are in: a byte order mark, then UTF-8, then escapes, else
/// US-ASCII for 7-bit octets and windows-1252 for others.
///
/// ```
/// use mime_charset::detect;
///
/// assert_eq!(detect::detect("한국어".as_bytes()).charset().name(), "UTF-8");
/// assert_eq!(detect::detect(b"\x1B$BF|K\\8l\x1B(B").charset().name(), "ISO-2022-JP");
/// assert_eq!(detect::detect(b"caf\xE9").charset().name(), "windows-1252");
/// ```
#[must_use]
pub fn detect(octets: &[u8]) -> Guess {
    by_bom(octets)
        .or_else(|| by_evidence(octets))
        .unwrap_or(Guess {
            charset: if octets.is_ascii() {
                Charset::US_ASCII
            } else {
                Charset::WINDOWS_1252
            },
            source: Source::Default,
            offset: 0,
            length: 0,
        })
}

/// The charset whose byte order mark stands at the start (Unicode Standard, section 23.8).
pub(crate) fn by_bom(octets: &[u8]) -> Option<Guess> {
    // UTF-32's marks begin with UTF-16's, so they come first.
    let marks: [(&[u8], &str); 5] = [
        (b"\xEF\xBB\xBF", "UTF-8"),
        (b"\x00\x00\xFE\xFF", "UTF-32"),
        (b"\xFF\xFE\x00\x00", "UTF-32"),
        (b"\xFE\xFF", "UTF-16"),
        (b"\xFF\xFE", "UTF-16"),
    ];
    let (mark, name) = marks
        .into_iter()
        .find(|(mark, _)| octets.starts_with(mark))?;
    let charset = Charset::for_label(name)?;
    Some(Guess {
        charset,
        source: Source::Bom,
        offset: 0,
        length: mark.len(),
    })
}

/// The charset that the octets themselves prove.
pub(crate) fn by_evidence(octets: &[u8]) -> Option<Guess> {
    by_utf8(octets).or_else(|| by_escapes(octets))
}

/// UTF-8, if all octets are and at least one character has several.
pub(crate) fn by_utf8(octets: &[u8]) -> Option<Guess> {
    let offset = octets.iter().position(|octet| !octet.is_ascii())?;
    let text = utf8::decode(octets).ok()?;
    let length = text.get(offset..)?.chars().next()?.len_utf8();
    Some(Guess {
        charset: Charset::UTF_8,
        source: Source::Evidence,
        offset,
        length,
    })
}

/// A charset of the ISO 2022 family or HZ, if 7-bit octets hold its escapes and decode in it
/// without a fault.
pub(crate) fn by_escapes(octets: &[u8]) -> Option<Guess> {
    if !octets.is_ascii() {
        return None;
    }
    // The first escape of each family that says which it is (RFC 1468, 1554, 1557, 1922, 1843).
    let escapes: [(&[u8], &str); 9] = [
        (b"\x1B$)C", "ISO-2022-KR"),
        (b"\x1B$)A", "ISO-2022-CN"),
        (b"\x1B$)G", "ISO-2022-CN"),
        (b"\x1B$)E", "ISO-2022-CN-EXT"),
        (b"\x1B$(D", "ISO-2022-JP-2"),
        (b"\x1B$(C", "ISO-2022-JP-2"),
        (b"\x1B$B", "ISO-2022-JP"),
        (b"\x1B$@", "ISO-2022-JP"),
        (b"~{", "HZ-GB-2312"),
    ];
    escapes.into_iter().find_map(|(escape, name)| {
        let offset = memmem::find(octets, escape)?;
        let charset = Charset::for_label(name).filter(|charset| charset.is_decoded())?;
        // In HZ the tilde is an everyday character: without its end it is no escape.
        if name == "HZ-GB-2312" {
            memmem::find(octets.get(offset..)?, b"~}")?;
        }
        let decoded = charset.decode_with(octets, &Options::new());
        let clean = decoded.report().replacements() == 0 && !decoded.text().is_ascii();
        clean.then_some(Guess {
            charset,
            source: Source::Evidence,
            offset,
            length: escape.len(),
        })
    })
}
