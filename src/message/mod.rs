//! A MIME message and its parts, as ranges of its octets (RFC 5322, RFC 2045, RFC 2046).
//!
//! One walk over the message, without recursion, finds where every header and every body
//! lies. It copies and decodes nothing, except that a forwarded message under base64 or
//! quoted-printable has to be decoded to be entered. What a part says is read when asked.
//!
//! No octets make the walk fail. What it cannot make sense of is a part like any other and
//! a finding; past a limit the rest is one opaque part and a finding.
//!
//! Lines end in CRLF or LF. A bare CR ends a line only in a message without any LF: anywhere
//! else it would let one program see a header field where the others see none.
//!
//! Left out: a message/partial (RFC 2046, section 5.2.2) is not put together, what a
//! message/external-body (section 5.2.3) points to is not fetched, and nothing is decrypted.
//!
//! ```
//! use mime_charset::Message;
//!
//! let message = Message::parse(
//!     b"From: Kim <kim@example.org>\r\n\
//!       Content-Type: multipart/alternative; boundary=b\r\n\
//!       \r\n\
//!       --b\r\n\
//!       Content-Type: text/plain; charset=euc-kr\r\n\
//!       \r\n\
//!       \xC7\xD1\xB1\xB9\r\n\
//!       --b\r\n\
//!       Content-Type: text/html; charset=utf-8\r\n\
//!       Content-Transfer-Encoding: base64\r\n\
//!       \r\n\
//!       PHA+7ZWc6rWt\r\n\
//!       --b--\r\n",
//! );
//! let texts: Vec<_> = message.parts().map(|part| part.text().text().to_owned()).collect();
//! assert_eq!(texts, ["한국", "<p>한국"]);
//! assert!(message.report().is_empty());
//! ```

mod field;
mod lines;
mod part;
mod surroundings;
mod walk;

use std::ops::Range;
use std::sync::OnceLock;

use crate::charset::{Charset, Origin};
use crate::detect::Guess;
use crate::report::Report;

use lines::{FieldRange, fetch};
use surroundings::Surroundings;
use walk::{Found, Walk};

pub use field::Field;
pub use part::Part;

/// How deep multiparts and messages may stand inside each other; those further in are one
/// part of octets, and a [`Kind::LimitReached`](crate::Kind::LimitReached).
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
/// How many entities of a message are told apart, multiparts among them; the rest is one
/// part of octets, and a [`Kind::LimitReached`](crate::Kind::LimitReached).
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
/// How many entities inside a message, multiparts among them, have their charset guessed each from
/// its own octets, where nothing else tells it: a message of thousands of parts is no reason to
/// weigh dozens of charsets thousands of times. What lies beyond is taken for what those parts
/// beyond that name no charset look like together, if it can be that, and else for windows-1252;
/// such a guess is at most 50 percent sure, so that other parts of the message, its header and
/// [`Options::hint`](crate::Options::hint) are believed first.
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
/// assert_eq!((texts[0].text(), texts[1].text()), ("и", "Привет"));
/// ```
pub const MAX_GUESSED: usize = 128;
/// How many octets a header may have; what lies beyond is body, and a
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
/// How deep messages under a transfer encoding may stand inside each other, since each has to
/// be decoded to be entered; those further in are parts of octets, and a
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

/// A message, taken apart.
///
/// ```
/// use mime_charset::{Kind, Message};
///
/// let source = b"Subject: =?euc-kr?B?x9Gxub7u?=\nContent-Type: multipart/mixed; boundary=b\n\n\
///                --b\n\nHello\n--b\n\nGoodbye\n";
/// let message = Message::parse(source);
/// assert_eq!(message.source(), source);
/// assert_eq!(message.field("subject").unwrap().text().text(), "한국어");
/// let names: Vec<_> = message.fields().map(|field| field.name()).collect();
/// assert_eq!(names, [&b"Subject"[..], b"Content-Type"]);
/// let texts: Vec<_> = message.parts().map(|part| part.text().text().to_owned()).collect();
/// assert_eq!(texts, ["Hello", "Goodbye\n"]);
/// // The multipart itself is an entity too, and it was never closed.
/// assert_eq!(message.entities().count(), 3);
/// assert!(message.report().has(Kind::UnclosedMultipart));
/// ```
#[derive(Debug)]
pub struct Message<'a> {
    source: &'a [u8],
    /// Messages that had to be decoded to be entered.
    decoded: Vec<Vec<u8>>,
    entities: Vec<Entity>,
    /// The first fields of the headers, as the walk met them.
    fields: Vec<FieldRange>,
    report: Report,
    /// Looked for once, however many parts and fields ask.
    surroundings: OnceLock<Surroundings>,
    /// The raw octets in its fields, once they are asked for.
    raw_fields: OnceLock<Vec<u8>>,
    /// What the raw octets in its fields look like, once there are any to be read.
    raw_charset: OnceLock<Option<(Charset, u8)>>,
    /// What the parts behind the first [`MAX_GUESSED`] look like, once one has to be guessed.
    guess_together: OnceLock<Option<Guess>>,
}

/// One header with its body.
#[derive(Debug, Clone)]
struct Entity {
    /// 0 for the message's own octets, n for `decoded[n - 1]`.
    buffer: usize,
    parent: Option<usize>,
    /// How many entities enclose it.
    depth: usize,
    /// Its place among the parts of its multipart, from 1.
    number: usize,
    shape: Shape,
    /// Whether its media type is one of text.
    is_text: bool,
    header: Range<usize>,
    body: Range<usize>,
    /// Its fields that stand in the message's list, and where in the header those begin that
    /// found no room there.
    listed: Range<usize>,
    unlisted: usize,
    /// The bodies of the first fields of these names.
    content_type: Option<Range<usize>>,
    transfer_encoding: Option<Range<usize>>,
    content_disposition: Option<Range<usize>>,
    /// The charset that its Content-Type names, once it is asked for.
    declared_charset: OnceLock<Option<Charset>>,
    /// Where it comes from, once that is asked for.
    origin: OnceLock<Origin>,
    /// Whether its parts are messages unless they say otherwise.
    digest: bool,
    /// The octet that ends its lines.
    line_end: u8,
}

/// What an entity is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Octets.
    Leaf,
    /// Parts between delimiters.
    Multipart,
    /// A multipart in which no delimiter begins a part: its body is text.
    Undivided,
    /// A message, which is the next entity.
    Message,
    /// A message under a transfer encoding, until it is entered.
    EncodedMessage,
    /// What was left when a limit was reached.
    Opaque,
}

impl<'a> Message<'a> {
    /// Takes a message apart. Any octets are a message; what is odd about them is in the
    /// [`report`](Message::report).
    #[must_use]
    pub fn parse(source: &'a [u8]) -> Self {
        /// Of more entities, lists have much room that is not used.
        const MANY: usize = 1024;
        fetch(source);
        let mut found = Found::new();
        Walk::new(source, &mut found).run();
        if found.entities.len() > MANY {
            found.entities.shrink_to_fit();
            found.fields.shrink_to_fit();
        }
        let Found {
            decoded,
            entities,
            fields,
            report,
        } = found;
        Message {
            source,
            decoded,
            entities,
            fields,
            report,
            surroundings: OnceLock::new(),
            raw_fields: OnceLock::new(),
            raw_charset: OnceLock::new(),
            guess_together: OnceLock::new(),
        }
    }

    /// The message's own fields, in order; lines that are no fields are in the
    /// [`report`](Message::report).
    pub fn fields(&self) -> impl Iterator<Item = Field<'_>> {
        self.root().into_iter().flat_map(Part::fields)
    }

    /// The message's first field of this name, which is compared without regard to case.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<Field<'_>> {
        self.root()?.field(name)
    }

    /// Every part that is no multipart, or one in which no part begins, in document order: what
    /// IMAP numbers (RFC 9051, section 6.4.5.1). A part that is a message is followed by the parts
    /// inside it.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n",
    /// );
    /// let sections: Vec<_> = message.parts().map(|part| part.section()).collect();
    /// assert_eq!(sections, ["1", "2"]);
    /// ```
    pub fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.entities().filter(|part| !part.is_multipart())
    }

    /// Every entity, multiparts too, in document order.
    pub fn entities(&self) -> impl Iterator<Item = Part<'_>> {
        (0..self.entities.len()).map(|index| Part {
            message: self,
            index,
        })
    }

    /// What was odd about the structure; offsets count octets of the message.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The octets the message was taken apart from.
    #[must_use]
    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    fn root(&self) -> Option<Part<'_>> {
        self.entities().next()
    }
}

impl Entity {
    const fn nothing() -> Entity {
        Entity {
            buffer: 0,
            parent: None,
            depth: 0,
            number: 1,
            shape: Shape::Opaque,
            is_text: false,
            header: 0..0,
            body: 0..0,
            listed: 0..0,
            unlisted: 0,
            content_type: None,
            transfer_encoding: None,
            content_disposition: None,
            declared_charset: OnceLock::new(),
            origin: OnceLock::new(),
            digest: false,
            line_end: b'\n',
        }
    }
}

/// The body of the Content-Type field that stands for one that is missing (RFC 2045, section
/// 5.2; RFC 2046, section 5.1.5).
fn default_type(is_in_digest: bool) -> &'static [u8] {
    if is_in_digest {
        b"message/rfc822"
    } else {
        b"text/plain"
    }
}

#[cfg(test)]
mod tests {
    use super::Message;
    use crate::work::work_of;

    /// Reads everything a message has.
    fn read(source: &[u8]) {
        let message = Message::parse(source);
        for entity in message.entities() {
            for field in entity.fields() {
                drop(field.text());
            }
            drop((entity.report(), entity.section()));
        }
        for part in message.parts() {
            drop((part.text(), part.filename(&crate::Options::new())));
        }
    }

    /// Time is linear: for twice the message little more than twice the octets are looked at.
    #[test]
    fn the_work_of_hostile_messages_doubles_with_their_size() {
        let nested = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
        let digest = "Content-Type: multipart/digest; boundary=b\n\n";
        let raw = "Subject: \u{e9}\n";
        let shapes: [(&str, &str, &str); 24] = [
            ("Subject: ", "=? ", "\n\n"),
            ("Subject: ", "=?utf-8?Q?a?= ", "\n\n"),
            ("Subject: ", "=?iso-2022-jp?B?GyRC?= ", "\n\n"),
            ("Subject: ", "=?utf-8?B?4p?= ", "\n\n"),
            ("From: ", "(", "\n\n"),
            ("From: ", "a@b, ", "\n\n"),
            ("Content-Type: text/plain", ";", "\n\n"),
            ("Content-Type: text/plain; ", "a*0*=", "\n\n"),
            (
                "Content-Type: text/plain; charset*0*=utf-8''a",
                "; charset*1*=%41",
                "\n\n",
            ),
            ("", "x\n", ""),
            ("", "x: y\n", "\n"),
            (
                "",
                raw,
                "Content-Type: text/plain; charset=koi8-r\n\n\u{e9}",
            ),
            ("", " \n", ""),
            ("", "From x\n", ""),
            (nested, "--b\n", ""),
            (nested, "--b", ""),
            (nested, "\n--", ""),
            (nested, "--b--\n", ""),
            (nested, "--b\n\nx\n", ""),
            (nested, "--b\n\n\u{e9}\n", ""),
            (digest, "--b\n\nSubject: x\n\ny\n", ""),
            ("", nested, ""),
            ("", "Content-Type: message/rfc822\n\n", ""),
            ("\n", "a\u{1B}$B", ""),
        ];
        for (start, shape, end) in shapes {
            let of = |length: usize| {
                let message = format!("{start}{}{end}", shape.repeat(length / shape.len()));
                work_of(|| read(message.as_bytes()))
            };
            let (small, large) = (of(32 << 10), of(64 << 10));
            assert!(
                large <= small * 9 / 4 + 16384,
                "{start:?} {shape:?}: {small}, then {large}"
            );
        }
    }

    /// The same past the limits, where the shapes change: work is bounded for each octet.
    #[test]
    fn raw_fields_do_not_each_read_a_long_content_type() {
        let of = |length: usize| {
            let content_type = "; a=b".repeat(length / 10);
            let mut message = format!("Content-Type: text/x{content_type}\n").into_bytes();
            message.extend(b"Subject: \xE9\n".repeat(length / 22));
            message.extend(b"\n");
            work_of(|| read(&message))
        };
        let (small, large) = (of(32 << 10), of(64 << 10));
        assert!(large <= small * 9 / 4 + 16384, "{small}, then {large}");
    }

    /// Nor does each of a message inside another look for where it comes from.
    #[test]
    fn raw_fields_do_not_each_look_for_a_sender() {
        let of = |length: usize| {
            let mut message = b"Content-Type: message/rfc822\n\n".to_vec();
            message.extend(b"Subject: \xE9\n".repeat(length / 11));
            message.extend(b"\n");
            work_of(|| read(&message))
        };
        let (small, large) = (of(32 << 10), of(64 << 10));
        assert!(large <= small * 9 / 4 + 16384, "{small}, then {large}");
    }

    #[test]
    fn the_work_for_each_octet_of_a_large_message_is_bounded() {
        for shape in ["--b\n\nx\n", "=?utf-8?Q?a?= ", "x: y\n", "\n", "é\n"] {
            let body = shape.repeat((1 << 18) / shape.len());
            for start in ["Content-Type: multipart/mixed; boundary=b\n\n", "Subject: "] {
                let message = format!("{start}{body}");
                let work = work_of(|| read(message.as_bytes()));
                assert!(work <= 40 * message.len(), "{start:?} {shape:?}: {work}");
            }
        }
    }
}
