//! The names of mailboxes in IMAP: modified UTF-7 (RFC 3501, section 5.1.3).
//!
//! A name is printable US-ASCII as it is, `&-` for an ampersand, and all else as UTF-16 in base64
//! between `&` and `-`, with a comma for the slash. [`decode`] reads it as the charset
//! UTF-7-IMAP, which labels name too; [`encode`] writes the one form that the section allows.
//!
//! Left out: the separator of a hierarchy, which stays as it is, and names in UTF-8, as servers
//! give them behind `ENABLE UTF8=ACCEPT` (RFC 6855) and in `IMAP4rev2` (RFC 9051, section 5.1): those
//! are [`Charset::UTF_8`], and an ampersand in them is one.
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

/// The text of a mailbox's name (RFC 3501, section 5.1.3).
///
/// Any octets are read. What the section forbids and is plain all the same is read, and is a
/// [`Kind::Utf7Syntax`](crate::Kind::Utf7Syntax): a run of base64 without a hyphen at its end, one
/// straight behind another, printable US-ASCII in base64, and controls that stand for themselves. What
/// is no text becomes U+FFFD, and is a [`Kind::Malformed`](crate::Kind::Malformed): octets above 7F,
/// an ampersand with nothing behind it, half a surrogate pair, and bits that are left at the end
/// of a run. Two names of a server that differ in such a fault alone may have one text, so a
/// client gives the server back the octets and not what [`encode`] makes of the text.
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

/// The name of a mailbox for the server (RFC 3501, section 5.1.3), borrowed where it is printable
/// US-ASCII without an ampersand.
///
/// Every text has one such name, in printable US-ASCII, of which [`decode`] makes the text again.
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
        let (plain, behind) = split_at_first(rest, |c| !is_plain(c));
        written.push_str(plain);
        let (shifted, behind) = split_at_first(behind, is_direct);
        if !shifted.is_empty() {
            written.push('&');
            write_base64(shifted, &mut written);
            written.push('-');
        }
        rest = behind;
        if let Some(behind) = rest.strip_prefix('&') {
            written.push_str("&-");
            rest = behind;
        }
    }
    Cow::Owned(written)
}

fn split_at_first(text: &str, is_end: impl Fn(char) -> bool) -> (&str, &str) {
    let end = text.find(is_end).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

/// The text as UTF-16BE in base64 without padding; the bits that fill the last character are zero.
fn write_base64(text: &str, written: &mut String) {
    let (mut bits, mut count) = (0_u32, 0);
    for unit in text.encode_utf16() {
        // Fewer than six bits are left of the unit before.
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

/// The character of base64 for the last six of `bits`.
fn digit(bits: u32) -> char {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+,";
    let index = usize::try_from(bits & 0x3F).unwrap_or_default();
    DIGITS.get(index).copied().map_or(',', char::from)
}
