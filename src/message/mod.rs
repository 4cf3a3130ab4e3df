//! A MIME message and its parts, as ranges of its octets (RFC 5322, RFC 2045, RFC 2046).
//!
//! One walk over the message, without recursion, finds where every header and every body
//! lies. It copies and decodes nothing, except that a forwarded message under base64 or
//! quoted-printable has to be decoded to be entered. What a part says is read when asked.
//!
//! No octets make the walk fail. Octets that it cannot make sense of are a part like any other,
//! with a finding. Past a limit, the rest is one opaque part, with a finding.
//!
//! Lines end in CRLF or LF. A bare CR ends a line only in a message without any LF: anywhere
//! else it would let one program see a header field where the others see none.
//!
//! Left out: a message/partial (RFC 2046, section 5.2.2) is not put together, what a
//! message/external-body (section 5.2.3) points to is not fetched, and nothing is decrypted. The
//! lines of text that is flowed (RFC 3676) stay as they are: which of them go on in the next is for
//! whoever shows them.
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
//! let texts: Vec<_> = message.parts().map(|part| part.text().as_str().to_owned()).collect();
//! assert_eq!(texts, ["한국", "<p>한국"]);
//! assert!(message.report().is_empty());
//! ```

mod bodies;
mod duplicate_fields;
mod entity;
mod field;
mod fields;
mod limits;
mod lines;
mod mime_header;
mod part;
mod preview;
mod source;
mod surroundings;
mod tree;
mod walk;

use std::fmt;
use std::sync::OnceLock;

use crate::charset::Charset;
use crate::decode::Surroundings;
use crate::detect::Guess;
use crate::report::Report;

use source::{Source, missing_blank_line};
use walk::Found;

pub use bodies::Bodies;
pub use field::Field;
pub use fields::{Fields, FieldsNamed};
pub use limits::{MAX_DEPTH, MAX_ENCODED_DEPTH, MAX_GUESSED, MAX_HEADER, MAX_PARTS};
pub use mime_header::MimeHeader;
pub use part::Part;
pub use tree::Parts;

/// A message, taken apart.
///
/// ```
/// use mime_charset::{Kind, Message};
///
/// let source = b"Subject: =?euc-kr?B?x9Gxub7u?=\nContent-Type: multipart/mixed; boundary=b\n\n\
///                --b\n\nHello\n--b\n\nGoodbye\n";
/// let message = Message::parse(source);
/// assert_eq!(message.source(), source);
/// assert_eq!(message.field("subject").unwrap().text().as_str(), "한국어");
/// let names: Vec<_> = message.fields().map(|field| field.name()).collect();
/// assert_eq!(names, [&b"Subject"[..], b"Content-Type"]);
/// let texts: Vec<_> = message.parts().map(|part| part.text().as_str().to_owned()).collect();
/// assert_eq!(texts, ["Hello", "Goodbye\n"]);
/// // The multipart itself is an entity too, and it was never closed.
/// assert_eq!(message.entities().count(), 3);
/// assert!(message.report().has(Kind::UnclosedMultipart));
/// ```
pub struct Message<'a> {
    source: Source<'a>,
    found: Found,
    /// Looked for once, however many parts and fields ask.
    surroundings: OnceLock<Surroundings<'static>>,
    /// Whether there is text in the charset that its parts declare, once that is asked for.
    declared_is_borne_out: OnceLock<bool>,
    /// Whether there is text in the charset of its encoded words, once that is asked for.
    header_is_borne_out: OnceLock<bool>,
    /// For each of the first entities what the raw fields of its header are in, and how sure that is,
    /// where that outweighs the charset that is named elsewhere, once it is asked for.
    outweighing: OnceLock<Box<[RawCharset]>>,
    /// The raw octets in its fields, once they are asked for.
    raw_fields: OnceLock<Vec<u8>>,
    /// What the raw octets in its fields look like, once there are any to be read.
    raw_charset: RawCharset,
    /// What the parts behind the first [`MAX_GUESSED`] look like, once one has to be guessed.
    guess_together: OnceLock<Option<Guess>>,
    /// The whole report, once it is asked for, where fields stand again that the walk does not look for.
    report: OnceLock<Option<Box<Report>>>,
}

/// What the raw octets of fields are in, and how sure that is in percent, once it is asked for.
type RawCharset = OnceLock<Option<(Charset, u8)>>;

impl<'a> Message<'a> {
    /// Takes a message apart. Any octets are a message; what is odd about them is in the
    /// [`report`](Message::report).
    #[must_use]
    pub fn parse(source: &'a [u8]) -> Self {
        Message::of(Source::Borrowed(source), Found::of(source))
    }

    /// Takes a message apart and keeps what owns its octets: a `Vec<u8>`, an `Arc<[u8]>`, a file
    /// mapped into memory. The octets are not copied.
    ///
    /// An owner whose octets change while the message is read may lead to wrong text, and to no other
    /// harm.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use mime_charset::Message;
    ///
    /// let octets: Arc<[u8]> = Arc::from(&b"Subject: caf\xC3\xA9\n\n"[..]);
    /// let message: Message<'static> = Message::from_owner(Arc::clone(&octets));
    /// let subject = std::thread::spawn(move || message.field("Subject").unwrap().text().to_string());
    /// assert_eq!(subject.join().unwrap(), "café");
    /// ```
    #[must_use]
    pub fn from_owner(owner: impl AsRef<[u8]> + Send + Sync + 'static) -> Message<'static> {
        let owner: Box<dyn AsRef<[u8]> + Send + Sync> = Box::new(owner);
        let found = Found::of((*owner).as_ref());
        Message::of(Source::Owned(owner), found)
    }

    /// One part from its header and its body, which were fetched apart, as IMAP has `BODY[2.MIME]`
    /// and `BODY[2]` (RFC 9051, section 6.4.5): the message that they make together. Its source is
    /// the header, the blank line that ends a header where that is missing, and the body, and
    /// that is what offsets count.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let header = b"Content-Type: text/plain; charset=euc-kr\r\n\
    ///                Content-Transfer-Encoding: base64\r\n\r\n";
    /// let part = Message::of_header_and_body(header, b"x9Gxub7u");
    /// assert_eq!(part.root().text().as_str(), "한국어");
    /// ```
    #[must_use]
    pub fn of_header_and_body(header: &[u8], body: &[u8]) -> Message<'static> {
        let mut octets = Vec::with_capacity(header.len() + b"\r\n\r\n".len() + body.len());
        octets.extend_from_slice(header);
        octets.extend_from_slice(missing_blank_line(header));
        octets.extend_from_slice(body);
        Message::from_owner(octets)
    }

    /// The same message with octets of its own, which are copied where it borrowed them.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// fn read() -> Message<'static> {
    ///     let octets = b"Subject: kept\n\n".to_vec();
    ///     Message::parse(&octets).into_owned()
    /// }
    /// assert_eq!(read().field("Subject").unwrap().text().as_str(), "kept");
    /// ```
    #[must_use]
    pub fn into_owned(self) -> Message<'static> {
        Message {
            source: self.source.into_owned(),
            found: self.found,
            surroundings: self.surroundings,
            declared_is_borne_out: self.declared_is_borne_out,
            header_is_borne_out: self.header_is_borne_out,
            outweighing: self.outweighing,
            raw_fields: self.raw_fields,
            raw_charset: self.raw_charset,
            guess_together: self.guess_together,
            report: self.report,
        }
    }

    #[inline]
    fn of(source: Source<'a>, found: Found) -> Self {
        Message {
            source,
            found,
            surroundings: OnceLock::new(),
            declared_is_borne_out: OnceLock::new(),
            header_is_borne_out: OnceLock::new(),
            outweighing: OnceLock::new(),
            raw_fields: OnceLock::new(),
            raw_charset: OnceLock::new(),
            guess_together: OnceLock::new(),
            report: OnceLock::new(),
        }
    }

    /// What was odd about the structure, and which fields stand again that may stand once; offsets
    /// count octets of the message.
    #[must_use]
    pub fn report(&self) -> &Report {
        let whole = self.report.get_or_init(|| {
            let mut again = Report::new();
            duplicate_fields::report_again(self, &mut again);
            (!again.is_empty()).then(|| {
                let mut whole = self.found.report.clone();
                whole.absorb(again, 0);
                Box::new(whole)
            })
        });
        whole.as_deref().unwrap_or(&self.found.report)
    }

    /// The octets the message was taken apart from.
    #[must_use]
    pub fn source(&self) -> &[u8] {
        self.source.as_bytes()
    }
}

/// How many octets, entities and findings it has: its octets may be many megabytes.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("octets", &self.source().len())
            .field("entities", &self.found.entities.len())
            .field("findings", &self.report().count())
            .finish_non_exhaustive()
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

    /// However much is asked of it, a part's fields are read once, and so is its body.
    #[test]
    fn a_mime_header_is_read_once() {
        let fields = "; a=b".repeat(1 << 12);
        let body = "QUJDRA==\n".repeat(1 << 12);
        let source = format!(
            "Content-Type: text/plain; charset=utf-8; name=x{fields}\n\
             Content-Transfer-Encoding: base64\n\n{body}"
        );
        let message = Message::parse(source.as_bytes());
        let part = message.parts().next().unwrap();
        let once = work_of(|| drop((part.content_type(), part.octets())));
        let all = work_of(|| {
            let (header, octets) = (part.mime_header(), part.octets());
            let options = crate::Options::new();
            assert!(header.is_text() && header.content_type().charset().is_some());
            assert_eq!(header.filename(&options).unwrap().as_str(), "x");
            assert!(header.report().has(crate::Kind::DuplicateParameter));
            assert_eq!(header.text(&octets, &options).as_str().len(), 4 << 12);
        });
        assert!(all <= once + 1024, "{all}, {once}");
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
