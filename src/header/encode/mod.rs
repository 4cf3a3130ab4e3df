//! Encodes text for header fields in UTF-8: encoded words (RFC 2047), parameters (RFC 2231), and
//! addresses (RFC 5322, section 3.4; RFC 6532, section 3.2).
//!
//! [`field`](field()) writes a whole field with its name and line ending; the other functions write a body.
//!
//! Any mail reader of the last decades decodes the output to exactly the original text:
//!
//! - the output is US-ASCII, except for internationalized addresses: these have no ASCII form. If
//!   `is_ascii` of the output is false, the message must be sent by SMTPUTF8 (RFC 6531, section 3.4);
//! - no control character, such as NUL or a line ending, is written unencoded: a line ending would
//!   begin another field. A value that cannot be encoded, such as a name, is rejected if it has a
//!   control character;
//! - encoded words have at most 75 characters and encode whole characters. Lines have at most
//!   76 characters (RFC 2047, section 2), less than the 78 of RFC 5322, section 2.1.1. A longer address
//!   is alone on its line, which has fewer than 998 characters;
//! - the shorter of Q and B is used, or Q if both have the same length;
//! - ASCII words stay readable. A single blank between two words may become a fold. Runs of blanks and
//!   blanks at the ends, which readers and relays may trim, are encoded;
//! - text that looks like an encoded word is encoded, so that it is not decoded.
//!
//! A fold is CRLF and a blank. Each function takes a `column`: the number of characters in the line so
//! far, such as 9 after `Subject: `. A body begins with a fold if its first word does not fit into the
//! line. An unstructured body begins with a fold only if fewer than 36 characters are left.
//!
//! Not supported: charsets other than UTF-8, language tags, raw UTF-8 instead of ASCII, Punycode domains
//! (RFC 5891) and normalization. Addresses are written verbatim.
//!
//! ```
//! use mime_charset::header::encode;
//!
//! use mime_charset::header::encode::Value;
//!
//! let mailboxes = [("Zoë", "zoe@example.org")];
//! let parameters = [("filename", "naïve.txt")];
//! let header = [
//!     encode::field("To", Value::Mailboxes(&mailboxes))?,
//!     encode::field("Subject", Value::Text("Grüße"))?,
//!     encode::field("Content-Disposition", Value::Parameters("inline", &parameters))?,
//! ];
//! assert_eq!(
//!     header.concat(),
//!     "To: =?UTF-8?Q?Zo=C3=AB?= <zoe@example.org>\r\n\
//!      Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n\
//!      Content-Disposition: inline; filename*=UTF-8''na%C3%AFve.txt\r\n"
//! );
//! # Ok::<(), mime_charset::Error>(())
//! ```

mod addr_spec;
mod field;
mod lines;
mod mailbox;
mod parameter;
mod text;

pub use field::{Value, field};
pub(crate) use lines::{LINE as LONGEST_LINE, MIN_WORD as MIN_WORD_ROOM, QUOTED, escaped};
pub use mailbox::{MailboxOrGroup, addresses, mailbox, mailboxes};
pub use parameter::parameter;
pub(crate) use parameter::parameter_in;
pub(crate) use text::words;
pub use text::{comment, phrase, phrases, unstructured};
