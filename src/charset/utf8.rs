//! UTF-8 as defined by RFC 2044, RFC 2279 and RFC 3629.
//!
//! Text is always decoded as RFC 3629's UTF-8. The 31-bit forms of the two older documents are
//! available as UCS-4 values, through a [`Profile`], never as `char` or `str`.
//!
//! Malformed octets are split into maximal subparts of ill-formed subsequences, as in chapter 3 of
//! the Unicode Standard ("U+FFFD Substitution of Maximal Subparts") and in the Encoding Standard:
//! each subpart is the longest prefix of some well-formed sequence, or else one octet. A malformed
//! sequence is never dropped and never swallows an octet that could start a character (RFC 3629,
//! section 10).
//!
//! A byte order mark is a character here (RFC 3629, section 6); [`decode`](crate::decode) removes it.
//! Not included: CESU-8, which is a separate [`Charset`](crate::Charset), and Java's variant of it.
//!
//! ```
//! use mime_charset::utf8::{self, Profile};
//!
//! assert_eq!(utf8::decode_lossy(b"caf\xE9"), "caf\u{FFFD}");
//! let error = utf8::decode(b"caf\xE9").unwrap_err();
//! assert_eq!(error.to_string(), "expected UTF-8, found truncated sequence at 3");
//! // A value that UTF-8 could encode until 2003, not a character.
//! assert_eq!(Profile::Rfc2044.decode(b"\xF8\x88\x80\x80\x80"), Ok(vec![0x20_0000]));
//! ```

use std::borrow::Cow;
use std::fmt;
use std::iter;

use super::web;
use crate::error::Error;

/// Why octets are not UTF-8 (RFC 3629, sections 3 and 4).
///
/// ```
/// use mime_charset::utf8::{self, Reason};
///
/// let reason = |octets| utf8::decode(octets).unwrap_err().reason;
/// assert_eq!(reason(b"\xC0\x80"), Reason::Overlong);
/// assert_eq!(reason(b"\xED\xA0\x80"), Reason::Surrogate);
/// assert_eq!(reason(b"\xF4\x90\x80\x80"), Reason::OutOfRange);
/// assert_eq!(reason(b"\x80"), Reason::StrayContinuation);
/// assert_eq!(reason(b"\xFF"), Reason::BadLead);
/// assert_eq!(reason(b"\xE2\x82"), Reason::Truncated);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// A longer sequence than necessary, such as C0 80 for NUL (RFC 3629, section 3).
    Overlong,
    /// U+D800 to U+DFFF, which are for UTF-16 only (RFC 3629, section 3).
    Surrogate,
    /// A value above U+10FFFF, or above the profile's limit.
    OutOfRange,
    /// An octet 80 to BF with no lead octet before it.
    StrayContinuation,
    /// FE or FF, invalid in every version of UTF-8.
    BadLead,
    /// A sequence that ends before its last octet.
    Truncated,
}

impl Reason {
    /// The name in findings.
    pub(super) fn name(self) -> &'static str {
        match self {
            Reason::Overlong => "overlong sequence",
            Reason::Surrogate => "surrogate",
            Reason::OutOfRange => "value out of range",
            Reason::StrayContinuation => "stray continuation octet",
            Reason::BadLead => "octet that never occurs",
            Reason::Truncated => "truncated sequence",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A maximal subpart of an ill-formed subsequence, with offset and reason.
///
/// ```
/// use mime_charset::utf8::{self, Reason};
///
/// let malformed = utf8::decode(b"price: \xE2\x82 5").unwrap_err();
/// assert_eq!((malformed.offset, malformed.length), (7, 2));
/// assert_eq!(malformed.reason, Reason::Truncated);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Malformed {
    /// The offset of its first octet.
    pub offset: usize,
    /// The number of octets: 1 to 3 under RFC 3629, up to 5 under the older profiles.
    pub length: usize,
    /// Why it is malformed.
    pub reason: Reason,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "expected UTF-8, found {} at {}",
            self.reason, self.offset
        )
    }
}

impl std::error::Error for Malformed {}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Self {
        Error::at(malformed.offset, malformed.to_string())
    }
}

/// Validates octets as UTF-8 (RFC 3629, section 4) and returns them as text.
///
/// # Errors
///
/// The first malformed subpart: its offset and length in octets, and the reason.
///
/// ```
/// use mime_charset::utf8::{self, Reason};
///
/// assert_eq!(utf8::decode(b"A\xE2\x89\xA2\xCE\x91."), Ok("A≢Α."));
/// let malformed = utf8::decode(b"/\xC0\xAE./").unwrap_err();
/// assert_eq!((malformed.offset, malformed.length), (1, 1));
/// assert_eq!(malformed.reason, Reason::Overlong);
/// ```
pub fn decode(octets: &[u8]) -> Result<&str, Malformed> {
    web::utf8(octets).ok_or_else(|| {
        let offset = web::utf8_valid_up_to(octets);
        malformed_at(octets, offset, Profile::Rfc3629)
    })
}

/// [`decode`] without the reason. Fields of raw octets are frequent, and finding the reason takes
/// longer than decoding a field.
pub(crate) fn well_formed(octets: &[u8]) -> Option<&str> {
    web::utf8(octets)
}

/// The number of free octets that [`well_formed_in`] needs after the text in order to be fast.
pub(crate) const BLOCK: usize = web::BLOCK;

/// The first `length` octets of a buffer as text, if they are well-formed. Overwrites free octets after
/// them.
pub(crate) fn well_formed_in(buffer: &mut [u8], length: usize) -> Option<&str> {
    web::utf8_in(buffer, length)
}

/// Every malformed subpart of `octets` (RFC 3629, section 4), in order.
///
/// ```
/// use mime_charset::utf8;
///
/// let offsets: Vec<_> = utf8::malformed(b"a\xFFb\xE2\x82").map(|m| m.offset).collect();
/// assert_eq!(offsets, [1, 3]);
/// ```
pub fn malformed(octets: &[u8]) -> impl Iterator<Item = Malformed> + Clone {
    let first = move |from: usize| {
        let offset = from + web::utf8_valid_up_to(octets.get(from..)?);
        (offset < octets.len()).then(|| malformed_at(octets, offset, Profile::Rfc3629))
    };
    let after = move |found: &Malformed| first(found.offset + found.length);
    iter::successors(first(0), after)
}

/// Octets as text, with one U+FFFD for each malformed subpart; borrowed if there are none.
///
/// [`Charset::UTF_8.decode`](crate::Charset::decode) does the same and reports what it replaced.
///
/// ```
/// use mime_charset::utf8;
///
/// assert_eq!(utf8::decode_lossy(b"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"), "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}A");
/// ```
#[must_use]
pub fn decode_lossy(octets: &[u8]) -> Cow<'_, str> {
    match web::utf8(octets) {
        Some(text) => Cow::Borrowed(text),
        None => String::from_utf8_lossy(octets),
    }
}

/// The document that defines UTF-8; they differ in range.
///
/// ```
/// use mime_charset::utf8::Profile;
///
/// for (profile, octets) in [(Profile::Rfc2044, 6), (Profile::Rfc2279, 6), (Profile::Rfc3629, 4)] {
///     assert_eq!(profile.encode(&[profile.max_value()])?.len(), octets);
/// }
/// # Ok::<(), mime_charset::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Profile {
    /// RFC 2044 (October 1996): 31 bits in up to six octets.
    Rfc2044,
    /// RFC 2279 (January 1998): the same range; malformed sequences must be rejected.
    Rfc2279,
    /// RFC 3629 (November 2003), STD 63: up to U+10FFFF in up to four octets.
    #[default]
    Rfc3629,
}

impl Profile {
    /// The greatest UCS-4 value the profile can encode.
    ///
    /// ```
    /// use mime_charset::utf8::Profile;
    ///
    /// assert_eq!(Profile::Rfc2279.max_value(), 0x7FFF_FFFF);
    /// assert_eq!(Profile::Rfc3629.max_value(), 0x10_FFFF);
    /// ```
    #[must_use]
    pub const fn max_value(self) -> u32 {
        match self {
            Profile::Rfc2044 | Profile::Rfc2279 => 0x7FFF_FFFF,
            Profile::Rfc3629 => 0x10_FFFF,
        }
    }

    /// The octets of UTF-8 as UCS-4 values.
    ///
    /// All profiles reject overlong forms and the surrogates U+D800 to U+DFFF: decode UTF-16 first
    /// (RFC 2279, section 2; RFC 3629, section 3).
    ///
    /// # Errors
    ///
    /// The first malformed subpart; its offset and length count octets.
    ///
    /// ```
    /// use mime_charset::utf8::Profile;
    ///
    /// assert_eq!(Profile::Rfc2279.decode(b"\xFD\xBF\xBF\xBF\xBF\xBF"), Ok(vec![0x7FFF_FFFF]));
    /// assert!(Profile::Rfc3629.decode(b"\xFD\xBF\xBF\xBF\xBF\xBF").is_err());
    /// ```
    pub fn decode(self, octets: &[u8]) -> Result<Vec<u32>, Malformed> {
        let mut values = Vec::with_capacity(octets.len());
        let mut offset = 0;
        while let Some(rest) = octets.get(offset..).filter(|rest| !rest.is_empty()) {
            match sequence(rest, self) {
                Ok((value, length)) => {
                    values.push(value);
                    offset += length;
                }
                Err((length, reason)) => {
                    return Err(Malformed {
                        offset,
                        length,
                        reason,
                    });
                }
            }
        }
        Ok(values)
    }

    /// UCS-4 values as the octets of UTF-8, always in the shortest form.
    ///
    /// # Errors
    ///
    /// The first value that is a surrogate or above [`max_value`](Profile::max_value); the
    /// error's offset counts values.
    ///
    /// ```
    /// use mime_charset::utf8::Profile;
    ///
    /// assert_eq!(Profile::Rfc3629.encode(&[0x233B4]).unwrap(), b"\xF0\xA3\x8E\xB4");
    /// assert_eq!(Profile::Rfc3629.encode(&[0x41, 0x11_0000]).unwrap_err().offset(), Some(1));
    /// ```
    pub fn encode(self, values: &[u32]) -> Result<Vec<u8>, Error> {
        let mut octets = Vec::with_capacity(values.len());
        for (at, &value) in values.iter().enumerate() {
            if (0xD800..=0xDFFF).contains(&value) || value > self.max_value() {
                return Err(Error::at(
                    at,
                    format!(
                        "expected a UCS-4 value that UTF-8 can encode, found {value:X} at {at}"
                    ),
                ));
            }
            push_sequence(value, &mut octets);
        }
        Ok(octets)
    }
}

/// Appends the shortest form of a value below 2^31 (the table of RFC 2279, section 2).
#[expect(
    clippy::cast_possible_truncation,
    reason = "the masks leave eight bits"
)]
fn push_sequence(value: u32, octets: &mut Vec<u8>) {
    let continuation = |shift: u32| 0x80 | (value >> shift & 0x3F) as u8;
    let (lead, shifts): (u32, &[u32]) = match value {
        0..=0x7F => (value, &[]),
        0x80..=0x7FF => (0xC0 | value >> 6, &[0]),
        0x800..=0xFFFF => (0xE0 | value >> 12, &[6, 0]),
        0x1_0000..=0x1F_FFFF => (0xF0 | value >> 18, &[12, 6, 0]),
        0x20_0000..=0x3FF_FFFF => (0xF8 | value >> 24, &[18, 12, 6, 0]),
        _ => (0xFC | value >> 30 & 1, &[24, 18, 12, 6, 0]),
    };
    octets.push(lead as u8);
    octets.extend(shifts.iter().map(|&shift| continuation(shift)));
}

/// Parses the sequence at the start of `octets`, which is not empty. Returns its value and length,
/// or the length of the maximal subpart and the reason.
pub(super) fn sequence(octets: &[u8], profile: Profile) -> Result<(u32, usize), (usize, Reason)> {
    let lead = octets.first().copied().unwrap_or_default();
    let long = profile != Profile::Rfc3629;
    // The second octet's lower limit excludes overlong forms, its upper limit surrogates and values
    // out of range (the ABNF of RFC 3629, section 4).
    let (length, bits, low, high) = match lead {
        0x00..=0x7F => return Ok((u32::from(lead), 1)),
        0xC2..=0xDF => (2, lead & 0x1F, 0x80, 0xBF),
        0xE0 => (3, 0, 0xA0, 0xBF),
        0xED => (3, 0x0D, 0x80, 0x9F),
        0xE1..=0xEF => (3, lead & 0x0F, 0x80, 0xBF),
        0xF0 => (4, 0, 0x90, 0xBF),
        0xF1..=0xF3 => (4, lead & 0x07, 0x80, 0xBF),
        0xF4 => (4, 4, 0x80, if long { 0xBF } else { 0x8F }),
        0xF5..=0xF7 if long => (4, lead & 0x07, 0x80, 0xBF),
        0xF8 if long => (5, 0, 0x88, 0xBF),
        0xF9..=0xFB if long => (5, lead & 0x03, 0x80, 0xBF),
        0xFC if long => (6, 0, 0x84, 0xBF),
        0xFD if long => (6, 1, 0x80, 0xBF),
        0x80..=0xC1 | 0xF5.. => return Err((1, bad_lead_reason(lead))),
    };
    let mut value = u32::from(bits);
    for at in 1..length {
        let (low, high) = if at == 1 { (low, high) } else { (0x80, 0xBF) };
        match octets.get(at) {
            Some(&octet) if (low..=high).contains(&octet) => {
                value = value << 6 | u32::from(octet & 0x3F);
            }
            Some(0x80..=0xBF) => return Err((1, bad_second_reason(lead))),
            _ => return Err((at, Reason::Truncated)),
        }
    }
    Ok((value, length))
}

/// Why an octet begins no sequence under RFC 3629.
pub(super) fn bad_lead_reason(octet: u8) -> Reason {
    match octet {
        ..=0xBF => Reason::StrayContinuation,
        0xC0..=0xF4 => Reason::Overlong,
        0xF5..=0xFD => Reason::OutOfRange,
        0xFE.. => Reason::BadLead,
    }
}

/// Why a second octet may not follow `lead`.
pub(super) fn bad_second_reason(lead: u8) -> Reason {
    match lead {
        0xED => Reason::Surrogate,
        0xF4 => Reason::OutOfRange,
        _ => Reason::Overlong,
    }
}

/// The malformed subpart that starts at `offset`.
pub(super) fn malformed_at(octets: &[u8], offset: usize, profile: Profile) -> Malformed {
    let (length, reason) = match sequence(octets.get(offset..).unwrap_or_default(), profile) {
        Err(malformed) => malformed,
        // Unreachable: the caller found `offset` by validation.
        Ok((_, length)) => (length, Reason::BadLead),
    };
    Malformed {
        offset,
        length,
        reason,
    }
}

/// The start of the last character that begins at or before `most`; the end, if there are fewer octets.
pub(super) fn character_start(octets: &[u8], most: usize) -> usize {
    if octets.len() <= most {
        return octets.len();
    }
    let is_start = |at: &usize| octets.get(*at).is_none_or(|octet| octet & 0xC0 != 0x80);
    let nearby = most.saturating_sub(3)..=most;
    nearby.rev().find(is_start).unwrap_or(most)
}
