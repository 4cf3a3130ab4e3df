//! A MIME message and its parts, as ranges of its octets (RFC 5322, RFC 2045, RFC 2046).
//!
//! One walk over the message, without recursion, finds the ranges of all headers and bodies. It copies
//! and decodes nothing, except that a forwarded message in base64, quoted-printable or uuencode has
//! to be decoded to find its parts. Fields and bodies are decoded on demand.
//!
//! The walk accepts any octets. Octets that are not MIME are a part like any other, with a finding. The
//! rest of a message after a limit is one opaque part, with a finding.
//!
//! Lines end in CRLF or LF. A bare CR ends a line only in a message without any LF. Otherwise one
//! program would see a header field that others do not.
//!
//! Not implemented: joining a message/partial (RFC 2046, section 5.2.2), fetching a
//! message/external-body (section 5.2.3), and decryption. Lines of flowed text (RFC 3676) are joined
//! only in the reading text.
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

// Modules are in the order in which the documentation lists the methods of `Part`: most used first.
mod part;

mod mime_header;
mod preview;

mod bodies;
mod closed;
mod delimiter;
mod embedded;
mod entity;
mod field;
mod fields;
mod filename;
mod header_block;
mod header_end;
mod identifiers;
mod limits;
mod line;
mod lines;
mod lost_fold;
mod parse;
mod report;
mod source;
mod surroundings;
mod tree;
mod uuencoded;
mod walk;
mod wide;

pub use bodies::{Bodies, reading_text};
pub use field::Field;
pub use limits::{MAX_DEPTH, MAX_ENCODED_DEPTH, MAX_GUESSED, MAX_HEADER, MAX_PARTS};
pub use mime_header::MimeHeader;
pub use parse::Message;
pub use part::Part;
pub(crate) use part::{BodyPieces, OpenBody};

#[cfg(test)]
mod tests {
    use super::Message;
    use crate::work::work_of;

    /// Reads all content of a message.
    fn read(source: &[u8]) {
        let message = Message::parse(source);
        for entity in message.entities() {
            for field in entity.fields() {
                drop(field.text());
            }
            drop((entity.mime_header().report(), entity.section()));
        }
        for part in message.parts() {
            drop((part.text(), part.filename()));
        }
    }

    /// Time is linear: doubling the message about doubles the work.
    #[test]
    fn the_work_of_hostile_messages_doubles_with_their_size() {
        let nested = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
        let digest = "Content-Type: multipart/digest; boundary=b\n\n";
        let raw = "Subject: \u{e9}\n";
        let shapes: [(&str, &str, &str); 31] = [
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
            ("Received: a\n", "x\ny\nX-A: b\n", "Subject: x\n\n"),
            ("", "Content-Type: message/rfc822\nx\ny\nSubject: a\n\n", ""),
            ("Subject: =?utf-8?B?", "QUJD\n", "?=\n\n"),
            ("", "Subject: =?utf-8?B?QUJD\nQUJD\n", "\n"),
            ("", "Content-Type: a/b;\nc=d;\ne=f;\n", "\n"),
            ("", "a: b\r\r\n", "\n"),
            (
                "",
                "Content-Type: multipart/mixed; boundary=AA\n\n--aa\n",
                "",
            ),
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

    /// A part's fields and its body are parsed once, however many methods are called.
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
            assert!(part.is_text() && header.content_type.charset().is_some());
            assert_eq!(header.filename(&options).unwrap().as_str(), "x");
            assert!(header.report().has(crate::Kind::DuplicateParameter));
            assert_eq!(header.text(&octets, &options).as_str().len(), 4 << 12);
        });
        assert!(all <= once + 1024, "{all}, {once}");
    }

    /// The same beyond the limits, where the structure changes: work per octet is bounded.
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

    /// Nor does each field in an embedded message search for the sender.
    #[test]
    fn raw_fields_do_not_each_search_for_a_sender() {
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
