//! Text to header fields in UTF-8: encoded words (RFC 2047), parameters (RFC 2231), and addresses
//! (RFC 5322, section 3.4; RFC 6532, section 3.2).
//!
//! [`field`] writes a whole field, its name and its line end; the other functions write its body.
//!
//! Any mail reader of the last decades reads what these functions write, and gets back exactly the
//! text that went in:
//!
//! - the output is US-ASCII, except for an internationalized address, which has no other form. The
//!   message has to be sent by SMTPUTF8 (RFC 6531, section 3.4) if `is_ascii` of the output is
//!   false;
//! - no control of the text reaches a line: no line end, which would begin another field, no NUL
//!   and no other. A value that cannot be encoded, such as a name, is refused if it holds a
//!   control;
//! - encoded words have at most 75 characters and hold whole characters; lines have at most
//!   76 characters (RFC 2047, section 2), and so stay below the 78 of RFC 5322, section 2.1.1;
//!   an address too long for that stands alone in its line, which stays below 998;
//! - Q or B is chosen by length, Q where they are equal;
//! - words that ASCII can hold stay readable. One blank between two words is left to the
//!   line, where it may become a fold; runs of blanks and blanks at the ends, which readers
//!   and relays like to trim, go into encoded words;
//! - text that looks like an encoded word is encoded, so that it comes back as it looks.
//!
//! Folds are CRLF and a blank. Each function takes a `column`: how many characters already
//! stand in the line, such as 9 behind `Subject: `. A body begins with a fold where its first word
//! does not fit into the line; that of an unstructured field only where fewer than 36 characters
//! are left.
//!
//! Left out: charsets other than UTF-8, language tags, raw UTF-8 where ASCII will do, domains in
//! Punycode (RFC 5891) and normalization: an address is written as it is given.
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
pub(crate) use lines::{LEAST_WORD, LONGEST_LINE};
pub use mailbox::{MailboxOrGroup, addresses, mailbox, mailboxes};
pub use parameter::parameter;
pub(crate) use parameter::parameter_in;
pub(crate) use text::words;
pub use text::{comment, phrase, phrases, unstructured};
