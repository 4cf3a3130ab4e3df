//! IMAP mailbox names: modified UTF-7 (RFC 3501, section 5.1.3).
//!
//! In a name, printable US-ASCII represents itself, `&-` is an ampersand, and all else is UTF-16 in
//! base64 between `&` and `-`, with a comma for the slash. [`decode`] uses the charset UTF-7-IMAP,
//! which is a label too; [`encode`] writes the only form that the section allows.
//!
//! The hierarchy separator is not changed. Servers with `ENABLE UTF8=ACCEPT` (RFC 6855) and `IMAP4rev2`
//! (RFC 9051, section 5.1) send names in UTF-8: decode such names as [`Charset::UTF_8`], where an
//! ampersand represents itself.
//!
//! ```
//! use mime_charset::charset::mailbox_name;
//!
//! let name = mailbox_name::decode(b"~peter/mail/&U,BTFw-/&ZeVnLIqe-");
//! assert_eq!(name, "~peter/mail/台北/日本語");
//! assert!(name.report().is_empty());
//! assert_eq!(mailbox_name::encode("~peter/mail/台北/日本語"), "~peter/mail/&U,BTFw-/&ZeVnLIqe-");
//! ```

use std::borrow::Cow;

use super::value::named;
use super::{Charset, Decoded};

const UTF_7_IMAP: Charset = named("UTF-7-IMAP");

/// Decodes a mailbox name (RFC 3501, section 5.1.3).
///
/// Accepts any octets. Forms that the section forbids but that are unambiguous are decoded and
/// reported as [`Kind::Utf7Syntax`](crate::Kind::Utf7Syntax): a run of base64 without a closing
/// hyphen, a run directly after another run, printable US-ASCII in base64, and unencoded controls.
/// Undecodable octets become U+FFFD and are reported as
/// [`Kind::Malformed`](crate::Kind::Malformed): octets above 7F, an ampersand without a run, a lone
/// surrogate, and leftover bits at the end of a run. Two names on a server that differ only in
/// these faults may decode to the same text. So send the original octets to the server, not the
/// [`encode`]d text.
///
/// ```
/// use mime_charset::{Kind, charset::mailbox_name};
///
/// assert_eq!(mailbox_name::decode(b"Entw&APw-rfe & R&-D").as_str(), "Entwürfe \u{FFFD} R&D");
/// let unclosed = mailbox_name::decode(b"&ZeVnLIqe");
/// assert_eq!(unclosed, "日本語");
/// assert!(unclosed.report().has(Kind::Utf7Syntax) && !unclosed.report().has_loss());
/// ```
#[must_use]
pub fn decode(name: &[u8]) -> Decoded<'_> {
    UTF_7_IMAP.decode(name)
}

/// Encodes a mailbox name for the server (RFC 3501, section 5.1.3). Borrows if it is printable US-ASCII
/// without an ampersand.
///
/// Every text has exactly one such name, in printable US-ASCII, and [`decode`] restores the text.
///
/// ```
/// use mime_charset::charset::mailbox_name;
///
/// assert_eq!(mailbox_name::encode("R&D"), "R&-D");
/// assert_eq!(mailbox_name::encode("보낸편지함"), "&vPSwuNO4ycDVaA-");
/// assert_eq!(mailbox_name::encode("a\r\nb"), "a&AA0ACg-b");
/// ```
#[must_use]
pub fn encode(name: &str) -> Cow<'_, str> {
    let is_direct = |c: char| matches!(c, ' '..='~');
    let is_plain = |c: char| is_direct(c) && c != '&';
    if name.chars().all(is_plain) {
        return Cow::Borrowed(name);
    }
    let mut written = String::with_capacity(name.len() + name.len() / 2);
    let mut rest = name;
    while !rest.is_empty() {
        let (plain, after) = split_at_first(rest, |c| !is_plain(c));
        written.push_str(plain);
        let (shifted, after) = split_at_first(after, is_direct);
        if !shifted.is_empty() {
            written.push('&');
            write_base64(shifted, &mut written);
            written.push('-');
        }
        rest = after;
        if let Some(after) = rest.strip_prefix('&') {
            written.push_str("&-");
            rest = after;
        }
    }
    Cow::Owned(written)
}

fn split_at_first(text: &str, is_end: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(is_end).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// Encodes the text as UTF-16BE in base64 without padding; trailing bits are zero.
fn write_base64(text: &str, written: &mut String) {
    let (mut bits, mut count) = (0_u32, 0);
    for unit in text.encode_utf16() {
        // Fewer than six bits are left from the previous unit.
        bits = bits << 16 | u32::from(unit);
        count += 16;
        while count >= 6 {
            count -= 6;
            written.push(digit(bits >> count));
        }
        bits &= (1 << count) - 1;
    }
    if count > 0 {
        written.push(digit(bits << (6 - count)));
    }
}

/// The base64 digit for the last six of `bits`.
fn digit(bits: u32) -> char {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";
    let index = usize::try_from(bits & 0x3F).unwrap_or_default();
    DIGITS.get(index).copied().map_or(',', char::from)
}
