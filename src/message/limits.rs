//! Limits of parsing.

/// Maximum nesting depth of multiparts and messages. A deeper multipart or message is a part of
/// octets, with a finding [`Kind::LimitReached`](crate::Kind::LimitReached).
///
/// ```
/// use mime_charset::{Kind, Message, message::MAX_DEPTH};
///
/// let forwarded = |times| "Content-Type: message/rfc822\n\n".repeat(times);
/// let reached = |text: String| Message::parse(text.as_bytes()).report().has(Kind::LimitReached);
/// assert!(!reached(forwarded(MAX_DEPTH)));
/// assert!(reached(forwarded(MAX_DEPTH + 1)));
/// ```
pub const MAX_DEPTH: usize = 100;
/// Maximum number of entities, including multiparts. The rest is one part of octets, with a finding
/// [`Kind::LimitReached`](crate::Kind::LimitReached).
///
/// ```
/// use mime_charset::{Kind, Message, message::MAX_PARTS};
///
/// let header = "Content-Type: multipart/mixed; boundary=b\n\n";
/// let reached = |parts| {
///     let text = format!("{header}{}--b--\n", "--b\n\nx\n".repeat(parts));
///     Message::parse(text.as_bytes()).report().has(Kind::LimitReached)
/// };
/// assert!(!reached(MAX_PARTS - 1));
/// assert!(reached(MAX_PARTS));
/// ```
pub const MAX_PARTS: usize = 10_000;
/// Maximum number of entities whose charsets are guessed one by one, including multiparts. A guess
/// scores dozens of charsets, which would be too slow for thousands of parts.
///
/// One joint guess is made for all later entities that declare no charset. An entity that is valid
/// in the guessed charset is decoded in it; any other entity is decoded in windows-1252. The
/// confidence of such a guess is at most 50, so that other parts of the message, its header and
/// [`Options::hint`](crate::Options::hint) take precedence.
///
/// ```
/// use mime_charset::{Message, message::MAX_GUESSED};
///
/// // "Привет" in KOI8-R, and further parts of a letter that says little by itself.
/// let header = "Content-Type: multipart/mixed; boundary=b\n\n".as_bytes();
/// let mut mail = [header, &b"--b\n\n\xF0\xD2\xC9\xD7\xC5\xD4\n".repeat(MAX_GUESSED)].concat();
/// mail.extend_from_slice(b"--b\n\n\xC9\n--b\n\n\xF0\xD2\xC9\xD7\xC5\xD4\n--b--\n");
/// let message = Message::parse(&mail);
/// let texts: Vec<_> = message.parts().skip(MAX_GUESSED).map(|part| part.text()).collect();
/// assert_eq!((texts[0].as_str(), texts[1].as_str()), ("и", "Привет"));
/// ```
pub const MAX_GUESSED: usize = 128;
/// Maximum length of a header in octets. The rest of the header belongs to the body, with a finding
/// [`Kind::LimitReached`](crate::Kind::LimitReached).
///
/// ```
/// use mime_charset::{Kind, Message, message::MAX_HEADER};
///
/// let text = format!("Subject: {}\n\nText", "x".repeat(MAX_HEADER));
/// let message = Message::parse(text.as_bytes());
/// assert!(message.report().has(Kind::LimitReached));
/// assert_eq!(message.parts().next().unwrap().header().len(), MAX_HEADER);
/// ```
pub const MAX_HEADER: usize = 10 << 20;
/// Maximum nesting depth of embedded messages with a transfer encoding: each has to be decoded. A
/// deeper message is a part of octets, with a finding
/// [`Kind::LimitReached`](crate::Kind::LimitReached).
///
/// ```
/// use mime_charset::{Kind, Message, message::MAX_ENCODED_DEPTH};
///
/// let header = "Content-Type: message/rfc822\nContent-Transfer-Encoding: quoted-printable\n\n";
/// let reached = |times| {
///     Message::parse(header.repeat(times).as_bytes()).report().has(Kind::LimitReached)
/// };
/// assert!(!reached(MAX_ENCODED_DEPTH));
/// assert!(reached(MAX_ENCODED_DEPTH + 1));
/// ```
pub const MAX_ENCODED_DEPTH: usize = 3;
