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

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use memchr::{memchr, memmem, memrchr};

use crate::charset::{Charset, Decoded, Options, Origin, utf8};
use crate::decode::{self, Buffers, Context, Decision, FieldText, Rest};
use crate::detect::{self, Guess, Prior};
use crate::header::{self, ContentDisposition, ContentType, Parameter, Piece};
use crate::label::Label;
use crate::report::{Kind, Report, Source};
use crate::transfer::{self, TransferEncoding, Transferred};
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
use crate::vector::{self, Avx2};
use crate::work::work;

/// How deep multiparts and messages may stand inside each other; those further in are one
/// part of octets, and a [`Kind::LimitReached`].
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
/// part of octets, and a [`Kind::LimitReached`].
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
/// [`Options::hint`] are believed first.
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
/// How many octets a header may have; what lies beyond is body, and a [`Kind::LimitReached`].
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
/// [`Kind::LimitReached`].
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

/// How many fields a message keeps the places of. A header of more is read again for the
/// rest, so that no header takes more memory than its octets.
const MAX_LISTED: usize = 256;

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

/// One entity of a message: its header and its body (RFC 2045, section 2.4).
///
/// ```
/// use mime_charset::{Message, Options, transfer::TransferEncoding};
///
/// let message = Message::parse(
///     b"Content-Type: text/plain; charset=koi8-r; name=\"=?koi8-r?B?0MnT2M3P?=\"\n\
///       Content-Disposition: attachment\n\
///       Content-Transfer-Encoding: base64\n\
///       \n\
///       8NLJ18XU",
/// );
/// let part = message.parts().next().unwrap();
/// assert_eq!(part.content_type().media_type(), "text/plain");
/// assert!(part.has_content_type() && part.is_text() && !part.is_message());
/// assert_eq!(part.content_disposition().unwrap().disposition(), "attachment");
/// assert_eq!(part.filename(&Options::new()).unwrap().text(), "письмо");
/// assert_eq!(part.fields().count(), 3);
/// assert_eq!(part.field("content-disposition").unwrap().body(), b" attachment");
///
/// // As it lies in the message, as octets, as text.
/// assert!(part.header().ends_with(b"base64\n\n"));
/// assert_eq!(part.header_range().unwrap().end, part.body_range().unwrap().start);
/// assert_eq!((part.body(), part.transfer_encoding()), (&b"8NLJ18XU"[..], TransferEncoding::Base64));
/// assert_eq!(part.octets().octets(), b"\xF0\xD2\xC9\xD7\xC5\xD4");
/// assert_eq!(part.text().text(), "Привет");
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Part<'m> {
    message: &'m Message<'m>,
    index: usize,
}

impl<'m> Part<'m> {
    fn entity(self) -> &'m Entity {
        static NOTHING: Entity = Entity::nothing();
        self.message.entities.get(self.index).unwrap_or(&NOTHING)
    }

    /// The message that the part is in, as it is when its transfer encoding is undone.
    pub(crate) fn buffer(self) -> &'m [u8] {
        match self.entity().buffer {
            0 => self.message.source,
            number => self
                .message
                .decoded
                .get(number - 1)
                .map_or(&[], Vec::as_slice),
        }
    }

    fn slice(self, range: &Range<usize>) -> &'m [u8] {
        self.buffer().get(range.clone()).unwrap_or_default()
    }

    /// The line end of `octets` of the part, else of its header; CRLF where there is none.
    pub(crate) fn line_end(self, octets: &[u8]) -> &'static str {
        if self.entity().line_end == b'\r' {
            return "\r";
        }
        let first = [octets, self.header()]
            .into_iter()
            .find_map(|octets| octets.get(..memchr(b'\n', octets)?));
        match first {
            Some(line) if line.last() != Some(&b'\r') => "\n",
            _ => "\r\n",
        }
    }

    /// Whether a blank line ends its header, as it should (RFC 5322, section 2.1).
    pub(crate) fn has_blank_line(self) -> bool {
        let header = self.header();
        let without = |octets: &'m [u8]| {
            let rest = octets.strip_suffix(&[self.entity().line_end])?;
            Some(rest.strip_suffix(b"\r").unwrap_or(rest))
        };
        without(header).is_some_and(|rest| rest.is_empty() || without(rest).is_some())
    }

    /// Its place among [`Message::entities`].
    pub(crate) fn index(self) -> usize {
        self.index
    }

    /// The part's section number as IMAP counts (RFC 9051, section 6.4.5.1), such as `1.2`;
    /// `TEXT` in the place of the last number for the multipart that is the whole body of a
    /// message.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Content-Type: multipart/digest; boundary=b\n\n--b\n\n\nHello\n--b--");
    /// let sections: Vec<_> = message.entities().map(|part| part.section()).collect();
    /// assert_eq!(sections, ["TEXT", "1", "1.1"]);
    /// ```
    #[must_use]
    pub fn section(self) -> String {
        let mut numbers = Vec::new();
        let mut part = self;
        let is_body_of_message = |part: Part<'m>| {
            part.parent()
                .is_none_or(|parent| parent.entity().shape == Shape::Message)
        };
        let text = self.entity().shape == Shape::Multipart && is_body_of_message(self);
        loop {
            // The multipart that is the whole body of a message has no number of its own.
            if !(part.entity().shape == Shape::Multipart && is_body_of_message(part)) {
                numbers.push(part.entity().number);
            }
            match part.parent() {
                Some(parent) => part = parent,
                None => break,
            }
        }
        let mut section = String::with_capacity(3 * numbers.len() + ".TEXT".len());
        for &number in numbers.iter().rev() {
            if !section.is_empty() {
                section.push('.');
            }
            push_number(&mut section, number);
        }
        if text {
            section.push_str(if section.is_empty() { "TEXT" } else { ".TEXT" });
        }
        section
    }

    /// The entity this one stands in: a multipart or a message; `None` for the message itself.
    #[must_use]
    pub fn parent(self) -> Option<Part<'m>> {
        let index = self.entity().parent?;
        Some(Part {
            message: self.message,
            index,
        })
    }

    /// The message inside this part, if it is one (RFC 2046, section 5.2.1): the entity whose
    /// header its body begins with.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Content-Type: message/rfc822\n\nSubject: inner\n\nText");
    /// let outer = message.parts().next().unwrap();
    /// let inner = outer.inner().unwrap();
    /// assert_eq!(inner.field("Subject").unwrap().text().text(), "inner");
    /// assert_eq!(inner.parent().unwrap().section(), outer.section());
    /// ```
    #[must_use]
    pub fn inner(self) -> Option<Part<'m>> {
        let inner = Part {
            message: self.message,
            index: self.index + 1,
        };
        let is_inner = self.is_message() && inner.entity().parent == Some(self.index);
        is_inner.then_some(inner)
    }

    /// The octets of the header, with the blank line that ends it.
    #[must_use]
    pub fn header(self) -> &'m [u8] {
        self.slice(&self.entity().header)
    }

    /// The octets of the body, still under their transfer encoding; without the line end
    /// that belongs to the delimiter behind it (RFC 2046, section 5.1.1).
    #[must_use]
    pub fn body(self) -> &'m [u8] {
        self.slice(&self.entity().body)
    }

    /// Where in the message the header lies; `None` inside a message that had to be decoded
    /// to be entered.
    #[must_use]
    pub fn header_range(self) -> Option<Range<usize>> {
        (self.entity().buffer == 0).then(|| self.entity().header.clone())
    }

    /// Where in the message the body lies; `None` inside a message that had to be decoded to
    /// be entered.
    #[must_use]
    pub fn body_range(self) -> Option<Range<usize>> {
        (self.entity().buffer == 0).then(|| self.entity().body.clone())
    }

    /// The fields of the header, in order.
    pub fn fields(self) -> impl Iterator<Item = Field<'m>> {
        let entity = self.entity();
        let listed = self.message.fields.get(entity.listed.clone());
        let rest = entity.unlisted..entity.header.end;
        let mut lines = Lines::new(self.buffer(), rest, entity.line_end, Marks::new());
        let unlisted = std::iter::from_fn(move || {
            loop {
                if let Line::Field(field) = lines.next()? {
                    return Some(field);
                }
            }
        });
        listed
            .unwrap_or_default()
            .iter()
            .cloned()
            .chain(unlisted)
            .map(move |range| Field { part: self, range })
    }

    /// The first field of this name, which is compared without regard to case.
    #[must_use]
    pub fn field(self, name: &str) -> Option<Field<'m>> {
        let buffer = self.buffer();
        let is_named = |range: &FieldRange| {
            range.name_length() == name.len()
                && buffer
                    .get(range.name())
                    .is_some_and(|it| is_name(it, name.as_bytes()))
        };
        let listed = self.message.fields.get(self.entity().listed.clone())?;
        match listed.iter().find(|range| is_named(range)) {
            Some(range) => Some(Field {
                part: self,
                range: range.clone(),
            }),
            None => self
                .fields()
                .skip(listed.len())
                .find(|field| is_named(&field.range)),
        }
    }

    /// The Content-Type field, or what stands for one that is missing: message/rfc822 in a
    /// digest, else text/plain (RFC 2045, section 5.2; RFC 2046, section 5.1.5).
    #[must_use]
    pub fn content_type(self) -> ContentType<'m> {
        match &self.entity().content_type {
            Some(range) => header::content_type(self.slice(range)),
            None if self.is_in_digest() => header::content_type(b"message/rfc822"),
            None => header::content_type(b"text/plain"),
        }
    }

    /// What the [`content_type`](Part::content_type) says first.
    fn media_type(self) -> Cow<'m, str> {
        match &self.entity().content_type {
            Some(range) => header::media_type_of(self.slice(range)),
            None if self.is_in_digest() => Cow::Borrowed("message/rfc822"),
            None => Cow::Borrowed("text/plain"),
        }
    }

    /// What the [`content_type`](Part::content_type) says of the text.
    fn type_and_charset(self) -> (Cow<'m, str>, Option<Label<'m>>) {
        match &self.entity().content_type {
            Some(range) if self.is_undivided() => {
                let (_, label) = header::type_and_charset(self.slice(range));
                (Cow::Borrowed(self.undivided_type()), label)
            }
            Some(range) => header::type_and_charset(self.slice(range)),
            None if self.is_in_digest() => (Cow::Borrowed("message/rfc822"), None),
            None => (Cow::Borrowed("text/plain"), None),
        }
    }

    /// What the text of a multipart without parts is: the default of a part (RFC 2046, section
    /// 5.1), or a page where it begins as one.
    fn undivided_type(self) -> &'static str {
        let [few, _] = LENGTHS;
        if begins_as_html(&self.first_octets(few)) {
            "text/html"
        } else {
            "text/plain"
        }
    }

    /// Whether there is a Content-Type field, whatever it says.
    #[must_use]
    pub fn has_content_type(self) -> bool {
        self.entity().content_type.is_some()
    }

    /// The first Content-Disposition field (RFC 2183), `None` where there is none.
    #[must_use]
    pub fn content_disposition(self) -> Option<ContentDisposition<'m>> {
        let range = self.entity().content_disposition.as_ref()?;
        Some(header::content_disposition(self.slice(range)))
    }

    /// The file name, decoded: the `filename` of the Content-Disposition (RFC 2183, section
    /// 2.3), else the `name` of the Content-Type. A name to show; what it says about folders
    /// is text. Offsets of findings count octets of the message (of the field body inside a
    /// message that had to be decoded).
    #[must_use]
    pub fn filename(self, options: &Options) -> Option<FieldText<'static>> {
        let read = |parameter: Option<&Parameter<'_>>, body: &Range<usize>| {
            let parameter = parameter?;
            // The hint is only for what no label speaks for, and looking for it costs time.
            let mut name = decode::parameter(parameter, options);
            if name.is_guessed() {
                name = decode::parameter(parameter, &self.with_hint(options));
            }
            let mut name = name.into_owned();
            name.shift(self.offset_of(body));
            Some(name)
        };
        let disposition = self.entity().content_disposition.as_ref();
        let disposition = disposition.and_then(|range| {
            let disposition = header::content_disposition(self.slice(range));
            read(disposition.parameter("filename"), range)
        });
        disposition.or_else(|| {
            let range = self.entity().content_type.as_ref();
            let has_name =
                |range: &&Range<usize>| header::may_have_parameter(self.slice(range), *b"name");
            let range = range.filter(has_name)?;
            read(self.content_type().parameter("name"), range)
        })
    }

    /// The transfer encoding that the body is under (RFC 2045, section 6).
    ///
    /// A multipart or a message inside a message may only be under one that changes nothing
    /// (section 6.4); what else is declared for a multipart is ignored, unless it has no parts
    /// and all of its body is in that encoding.
    #[must_use]
    pub fn transfer_encoding(self) -> TransferEncoding {
        match &self.entity().transfer_encoding {
            _ if self.entity().shape == Shape::Multipart => TransferEncoding::Binary,
            Some(range) => {
                let encoding = header::content_transfer_encoding(self.slice(range)).encoding();
                // Anything but base64 would be lost.
                let is_lost = self.is_undivided()
                    && encoding == TransferEncoding::Base64
                    && transfer::base64(self.body())
                        .report()
                        .has(Kind::Base64Skipped);
                if is_lost {
                    TransferEncoding::Binary
                } else {
                    encoding
                }
            }
            None => TransferEncoding::SevenBit,
        }
    }

    /// The body with its transfer encoding undone; offsets of findings count octets of
    /// [`body`](Part::body).
    pub fn octets(self) -> Transferred<'m> {
        transfer::decode(self.body(), self.transfer_encoding())
    }

    /// Whether the part is of type text (RFC 2046, section 4.1), or a multipart without parts,
    /// whose body is read as text, unless it has none.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Content-Type: multipart/mixed; boundary=b\n\nHello\n--b--\n");
    /// let part = message.parts().next().unwrap();
    /// assert!(part.is_text() && !part.is_multipart());
    /// assert_eq!(part.text().text(), "Hello\n--b--\n");
    /// ```
    #[must_use]
    pub fn is_text(self) -> bool {
        match self.entity().shape {
            Shape::Leaf => {}
            Shape::Undivided => return self.is_undivided(),
            _ => return false,
        }
        let plain_name = match &self.entity().content_type {
            Some(range) => plain_type_name(self.slice(range)),
            None => None,
        };
        match plain_name {
            Some(name) => name.eq_ignore_ascii_case(b"text"),
            None => self.media_type().starts_with("text/"),
        }
    }

    /// Whether the part is a message that was entered: message/rfc822 or message/global (RFC
    /// 2046, section 5.2.1; RFC 6532, section 3.7).
    #[must_use]
    pub fn is_message(self) -> bool {
        self.entity().shape == Shape::Message
    }

    /// Whether the entity is a multipart that was taken apart (RFC 2046, section 5.1).
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let mixed = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nText\n--b--";
    /// let message = Message::parse(mixed.as_bytes());
    /// assert!(message.entities().next().unwrap().is_multipart());
    /// assert!(!message.parts().any(|part| part.is_multipart()));
    /// ```
    #[must_use]
    pub fn is_multipart(self) -> bool {
        self.entity().shape == Shape::Multipart
    }

    /// Whether the part is a multipart in which no part begins, so that its body is text, if it
    /// has more than blank lines.
    pub(crate) fn is_undivided(self) -> bool {
        self.entity().shape == Shape::Undivided && !self.body().trim_ascii_start().is_empty()
    }

    /// The text of the part, with default [`Options`].
    ///
    /// Any part can be asked, not only those of type text. Findings about the transfer
    /// encoding count octets of the message (of [`body`](Part::body) inside a message that
    /// had to be decoded), findings about characters the octets that it leaves.
    #[must_use]
    pub fn text(self) -> Decoded<'m> {
        self.text_with(&Options::new())
    }

    /// The text of the part, read as `options` say.
    ///
    /// ```
    /// use mime_charset::{Message, Options, Trust};
    ///
    /// let message = Message::parse(b"Content-Type: text/plain; charset=iso-8859-1\n\n\xC3\xA9");
    /// let part = message.parts().next().unwrap();
    /// assert_eq!(part.text().text(), "é");
    /// assert_eq!(part.text_with(&Options::new().trust(Trust::Label)).text(), "Ã©");
    /// ```
    #[must_use]
    pub fn text_with(self, options: &Options) -> Decoded<'m> {
        fetch(self.body());
        let mut room = taken_room();
        let encoding = self.transfer_encoding();
        let transferred = transfer::decode_with(self.body(), encoding, &mut room);
        let (octets, report) = transferred.into_parts();
        let decoded = match octets {
            Cow::Borrowed(octets) => self.read(octets, report, options, None),
            Cow::Owned(octets) => {
                let decoded = self.read(&octets, report, options, None).into_owned();
                room = octets;
                decoded
            }
        };
        keep_room(room);
        decoded
    }

    /// [`text_with`](Part::text_with) for callers who read millions of parts: the text is lent
    /// from the message where it stands there, and else from `buffers`, until the next one is
    /// read into them. It is not copied into memory of its own.
    ///
    /// ```
    /// use mime_charset::{Message, Options, decode::Buffers};
    ///
    /// let source = b"Content-Type: text/plain; charset=euc-kr\n\n\xC7\xD1\xB1\xB9";
    /// let mut buffers = Buffers::new();
    /// let mut text = String::new();
    /// for part in Message::parse(source).parts().filter(|part| part.is_text()) {
    ///     text.push_str(part.text_into(&Options::new(), &mut buffers).text());
    /// }
    /// assert_eq!(text, "한국");
    /// ```
    #[must_use]
    pub fn text_into<'b>(self, options: &Options, buffers: &'b mut Buffers) -> Decoded<'b>
    where
        'm: 'b,
    {
        fetch(self.body());
        let encoding = self.transfer_encoding();
        let transferred = transfer::decode_with(self.body(), encoding, &mut buffers.octets);
        let (octets, report) = transferred.into_parts();
        let octets = match octets {
            Cow::Borrowed(octets) => octets,
            Cow::Owned(octets) => {
                buffers.octets = octets;
                &buffers.octets
            }
        };
        self.read(octets, report, options, Some(&mut buffers.text))
    }

    /// The text of `octets`, which are the body's.
    fn read<'b>(
        self,
        octets: &'b [u8],
        transfer_report: Report,
        options: &Options,
        room: Option<&'b mut String>,
    ) -> Decoded<'b> {
        let (media_type, label) = self.type_and_charset();
        let context = context(&media_type, label.as_ref(), options);
        self.text_in(octets, transfer_report, &context, room)
    }

    /// The text of what [`octets`](Part::octets) gave, with its report, for who has them and
    /// the [`content_type`](Part::content_type) already.
    pub(crate) fn text_of<'b>(
        self,
        octets: &'b [u8],
        transfer_report: Report,
        content_type: &ContentType<'_>,
        options: &Options,
        room: Option<&'b mut String>,
    ) -> Decoded<'b> {
        let media_type = if self.is_undivided() {
            self.undivided_type()
        } else {
            content_type.media_type()
        };
        let context = context(media_type, content_type.charset(), options);
        self.text_in(octets, transfer_report, &context, room)
    }

    fn text_in<'b>(
        self,
        octets: &'b [u8],
        transfer_report: Report,
        context: &Context<'_>,
        room: Option<&'b mut String>,
    ) -> Decoded<'b> {
        let mut decoded = decode::read(octets, context, Some(&self), room);
        if !transfer_report.is_empty() {
            let mut report = transfer_report;
            report.shift(self.offset_of(&self.entity().body));
            report.absorb(std::mem::take(&mut decoded.report), 0);
            decoded.report = report;
        }
        decoded
    }

    /// Which charset the part is in, on whose word, and what spoke for and against it. A body
    /// under a label that its first octets bear out, and no later ones could prove wrong, is not
    /// read to its end.
    ///
    /// ```
    /// use mime_charset::{Message, Options};
    ///
    /// let message = Message::parse(b"Content-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\xC9");
    /// let decision = message.parts().next().unwrap().decide(&Options::new());
    /// assert_eq!(decision.charset().name(), "KOI8-R");
    /// ```
    #[must_use]
    pub fn decide(self, options: &Options) -> Decision {
        fetch(self.body());
        let (media_type, label) = self.type_and_charset();
        let context = context(&media_type, label.as_ref(), options);
        let starts = LENGTHS.into_iter().map(|length| self.first_octets(length));
        if let Some(decision) = decode::decide_by_start(starts, &context, Some(&self)) {
            return decision;
        }
        self.decide_quoted(&context).unwrap_or_else(|| {
            self.with_octets(self.body(), |octets| {
                decode::decide_in(octets, &context, Some(&self))
            })
        })
    }

    /// The same for UTF-8 under quoted-printable, where the text is clean: it is proved to be
    /// UTF-8 as it stands, and only its first lines are decoded.
    fn decide_quoted(self, context: &Context<'_>) -> Option<Decision> {
        /// Shorter bodies are decoded as quickly.
        const SHORT: usize = 256;
        let needed = decode::needed_of_utf8(context)?;
        if self.transfer_encoding() != TransferEncoding::QuotedPrintable {
            return None;
        }
        let body = self.body();
        // With escapes and soft line breaks in them, most lines are not longer by half.
        let lines = body.get(..SHORT.max(needed + needed / 2))?;
        let (start, rest) = body.split_at_checked(memrchr(b'\n', lines)? + 1)?;
        self.with_octets(start, |octets| {
            decode::decide_utf8(octets, needed, context, Some(&self), |came_before| {
                transfer::is_quoted_utf8(rest, came_before)
            })
        })
    }

    /// Shows some of the body with its transfer encoding undone, in room that is kept.
    fn with_octets<T>(self, body: &[u8], read: impl FnOnce(&[u8]) -> T) -> T {
        let mut room = taken_room();
        let octets = transfer::decode_with(body, self.transfer_encoding(), &mut room).into_octets();
        let answer = read(&octets);
        if let Cow::Owned(octets) = octets {
            room = octets;
        }
        keep_room(room);
        answer
    }

    /// Which charset the part is in, and on whose word: what [`decide`](Part::decide) gives,
    /// without its evidence and without reading further than to where that is certain. A body
    /// under a label that its first octets bear out is not read to its end.
    ///
    /// ```
    /// use mime_charset::{Message, Options, Source};
    ///
    /// let message = Message::parse(b"Content-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\xC9");
    /// let part = message.parts().next().unwrap();
    /// let (charset, source) = part.charset(&Options::new());
    /// assert_eq!((charset.name(), source), ("KOI8-R", Source::Declared));
    /// ```
    #[must_use]
    pub fn charset(self, options: &Options) -> (Charset, Source) {
        let (media_type, label) = self.type_and_charset();
        let context = context(&media_type, label.as_ref(), options);
        let starts = LENGTHS.into_iter().map(|length| self.first_octets(length));
        decode::choose_by_start(starts, &context).unwrap_or_else(|| {
            let octets = self.octets().into_octets();
            decode::choose_in(&octets, &context, Some(&self))
        })
    }

    /// What the body begins with when its transfer encoding is undone: what `length` octets of
    /// it hold, or a little less.
    fn first_octets(self, length: usize) -> Cow<'m, [u8]> {
        /// What an encoding makes of its last octets may depend on what follows them.
        const UNSURE: usize = 3;
        let body = self.body();
        let start = body.get(..length).unwrap_or(body);
        let encoding = self.transfer_encoding();
        if !matches!(
            encoding,
            TransferEncoding::Base64 | TransferEncoding::QuotedPrintable
        ) {
            return Cow::Borrowed(start);
        }
        let lines = memrchr(b'\n', start).map_or(0, |end| end + 1);
        let start = start.get(..lines).unwrap_or_default();
        let octets = transfer::decode(start, encoding).into_octets();
        let sure = octets.len().saturating_sub(UNSURE);
        match octets {
            Cow::Borrowed(octets) => Cow::Borrowed(octets.get(..sure).unwrap_or_default()),
            Cow::Owned(mut octets) => {
                octets.truncate(sure);
                Cow::Owned(octets)
            }
        }
    }

    /// What was odd about the fields that say what the part is: Content-Type,
    /// Content-Transfer-Encoding and Content-Disposition. Offsets count octets of the message
    /// (of the field body inside a message that had to be decoded).
    ///
    /// ```
    /// use mime_charset::{Kind, Message};
    ///
    /// let message = Message::parse(b"Content-Type: text/plain;; charset=utf-8\n\nText");
    /// let report = message.parts().next().unwrap().report();
    /// assert_eq!(report.findings()[0].kind(), Kind::EmptyParameter);
    /// assert_eq!(report.findings()[0].offset(), 24);
    /// ```
    #[must_use]
    pub fn report(self) -> Report {
        let mut report = Report::new();
        if let Some(range) = &self.entity().content_type {
            let field = header::content_type(self.slice(range));
            report.absorb(field.into_report(), self.offset_of(range));
        }
        if let Some(range) = &self.entity().transfer_encoding {
            let field = header::content_transfer_encoding(self.slice(range));
            report.absorb(field.into_report(), self.offset_of(range));
        }
        if let Some(range) = &self.entity().content_disposition {
            let field = header::content_disposition(self.slice(range));
            report.absorb(field.into_report(), self.offset_of(range));
        }
        report
    }

    /// What is added to offsets in `range` so that they count octets of the message.
    fn offset_of(self, range: &Range<usize>) -> usize {
        if self.entity().buffer == 0 {
            range.start
        } else {
            0
        }
    }

    /// Whether its label, if it has one, leaves open what octets above 7F are.
    fn names_no_charset(self) -> bool {
        let content_type = self.content_type();
        let label = content_type.charset();
        let named = label.and_then(|label| Charset::for_label(label.as_bytes()));
        named.is_none_or(|it| it == Charset::US_ASCII || it.names_nothing())
    }

    fn is_in_digest(self) -> bool {
        self.parent().is_some_and(|parent| parent.entity().digest)
    }

    /// `options` with what raw octets in a header are likely to be in (RFC 7103, section 7.7):
    /// the charset that the part declares for its text, or that the message uses elsewhere, in
    /// its parts or in encoded words; and what the raw fields look like together.
    pub(crate) fn with_hint(self, options: &Options) -> Options {
        let mut reading = *options;
        if reading.hint.is_none() {
            // What is well-formed UTF-8 needs no hint, and nothing else is helped by this one.
            let rest = self.message.surroundings();
            reading.hint = [self.declared_charset(), rest.siblings, rest.header]
                .into_iter()
                .flatten()
                .find(|&charset| !is_utf_8(charset));
        }
        reading.raw = self.message.raw_charset().map(|(charset, _)| charset);
        reading.origin = self.origin();
        reading
    }

    /// The charset that raw octets in a header are taken to be in without guessing, where they
    /// fit: that of `options`, or the one that the part, or else the first part that has one,
    /// declares for its text. What others declare is a hint, and no more.
    pub(crate) fn declared_for_raw(self, options: &Options) -> Option<Charset> {
        let siblings = || self.message.surroundings().siblings;
        let declared = || self.declared_charset().or_else(siblings);
        options
            .hint
            .or_else(|| declared().filter(|&charset| !is_utf_8(charset)))
    }

    /// The charset that its Content-Type names: a header may have thousands of raw fields that ask
    /// for it, and a Content-Type of a megabyte.
    fn declared_charset(self) -> Option<Charset> {
        *self.entity().declared_charset.get_or_init(|| {
            let (_, label) = self.type_and_charset();
            usable(label?.as_bytes())
        })
    }

    /// Where the part comes from: what its own header says, as a message inside another has one,
    /// and else what the header of the message does.
    fn origin(self) -> Origin {
        *self.entity().origin.get_or_init(|| {
            let whole = self.message.surroundings().origin;
            if self.index == 0 {
                return whole;
            }
            let [language, from] = first_fields(self.fields(), ["Content-Language", "From"]);
            origin(language, from.as_ref(), None).or(whole)
        })
    }

    /// How sure it is what the raw fields look like, in percent. They are weighed together.
    pub(crate) fn raw_confidence(self) -> u8 {
        let guess = self.message.raw_charset();
        guess.map_or(0, |(_, confidence)| confidence.min(SURE_OF_FIELDS))
    }
}

/// Most texts that are not ASCII show it within the first lines, and pages of HTML behind their
/// head.
const LENGTHS: [usize; 2] = [256, 4096];

thread_local! {
    /// Room for octets between their transfer encoding and their text, which most often are few:
    /// to take memory anew for each part costs more than to decode it.
    static ROOM: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// The room, or none: what is read while a thread ends finds it gone.
fn taken_room() -> Vec<u8> {
    ROOM.try_with(Cell::take).unwrap_or_default()
}

/// Puts room back, unless it has grown large.
fn keep_room(room: Vec<u8>) {
    const KEPT: usize = 64 << 10;
    if room.capacity() <= KEPT {
        // Without a place for it, it is given back.
        let _ = ROOM.try_with(|kept| kept.set(room));
    }
}

fn is_utf_8(charset: Charset) -> bool {
    [Charset::UTF_8, Charset::UNICODE_1_1_UTF_8].contains(&charset)
}

/// The charset of a label, if it is decoded and holds more than ASCII.
fn usable(label: &[u8]) -> Option<Charset> {
    Charset::for_label(label)
        .filter(|&charset| charset != Charset::US_ASCII && charset.is_declarable())
}

/// Appends a number in decimal digits. Most are of one, and of parts that stand deep in others
/// there are a hundred.
fn push_number(text: &mut String, number: usize) {
    match u8::try_from(number) {
        Ok(digit @ 0..10) => text.push(char::from(b'0' + digit)),
        // Writing to a String does not fail.
        _ => drop(write!(text, "{number}")),
    }
}

/// How sure a guess from several fields is at most, in percent.
const SURE_OF_FIELDS: u8 = 80;

/// How sure a guess from several parts is at most, in percent: who knows that one program wrote
/// them, and what a part says itself was not weighed.
const SURE_OF_PARTS: u8 = 50;

/// How many parts are looked at for what is true of all: messages with thousands of parts are
/// no reason to read thousands of fields.
const LOOKED_AT: usize = 16;

impl Message<'_> {
    fn surroundings(&self) -> &Surroundings {
        self.surroundings.get_or_init(|| {
            let found = first_fields(
                self.fields(),
                [
                    "Date",
                    "Content-Language",
                    "X-Mailer",
                    "User-Agent",
                    "Subject",
                    "From",
                    "To",
                ],
            );
            let [date, language, x_mailer, user_agent, written @ ..] = found;
            let [_, from, _] = &written;
            Surroundings {
                siblings: self.declared_charset(),
                header: header_charset(&written),
                origin: origin(language, from.as_ref(), x_mailer.or(user_agent)),
                year: date.and_then(|date| year(date.body())),
            }
        })
    }

    /// What the charsets of its parts and words, and its origin, make likelier.
    fn prior(&self) -> Prior {
        let rest = self.surroundings();
        Prior::new([rest.siblings, rest.header], rest.origin)
    }

    /// The first charset that a text part declares and that can hold more than ASCII.
    fn declared_charset(&self) -> Option<Charset> {
        self.parts()
            .filter(|part| part.has_content_type() && part.is_text())
            .take(LOOKED_AT)
            .find_map(Part::declared_charset)
    }

    /// The fields that hold raw octets and are no UTF-8, with a line end between them.
    fn raw_fields(&self) -> &[u8] {
        /// More octets make no guess better.
        const ENOUGH: usize = 16 << 10;
        self.raw_fields.get_or_init(|| {
            let mut left = ENOUGH;
            let raw: Vec<&[u8]> = self
                .entities()
                .take(LOOKED_AT)
                .flat_map(Part::fields)
                .map(|field| field.body())
                .filter(|body| !body.is_ascii() && utf8::well_formed(body).is_none())
                .map_while(|body| {
                    let taken = body.get(..left).unwrap_or(body);
                    left -= taken.len();
                    (!taken.is_empty()).then_some(taken)
                })
                .collect();
            raw.join(&b'\n')
        })
    }

    /// What these fields look like together, each of which is short: one program wrote them. Where
    /// they leave it open, the first text without a label is asked with them.
    fn raw_charset(&self) -> Option<(Charset, u8)> {
        *self.raw_charset.get_or_init(|| {
            let raw = self.raw_fields();
            let prior = self.prior();
            let mut guess = detect::detect_with(raw, &prior);
            if guess.source() == Source::Detected
                && !guess.is_firm()
                && let Some(text) = self.first_unlabelled()
                && let Some(both) = guess.with(&text, raw, &prior, &Options::new())
            {
                guess = both;
            }
            let is_guess = guess.source() != Source::Default;
            let found = (guess.charset(), guess.confidence());
            Some(found).filter(|(charset, _)| is_guess && charset.is_decoded())
        })
    }

    /// The first text part in which octets above 7F are no UTF-8, and that names no charset.
    fn first_unlabelled(&self) -> Option<Cow<'_, [u8]>> {
        let parts = self.parts().filter(|part| part.is_text());
        let texts = parts.take(LOOKED_AT).filter(|part| part.names_no_charset());
        let mut octets = texts.map(|part| part.octets().into_octets());
        octets.find(|octets| !octets.is_ascii() && utf8::well_formed(octets).is_none())
    }

    /// What the text parts without a charset behind the first [`MAX_GUESSED`] entities look like
    /// together: the beginnings of their lines that are no UTF-8.
    fn guess_together(&self) -> Option<Guess> {
        /// Of several parts, so that the first of them does not speak for all.
        const WEIGHED: usize = 4 << 10;
        /// How much of it one line may be.
        const OF_ONE: usize = 128;
        *self.guess_together.get_or_init(|| {
            let mut together: Vec<u8> = Vec::new();
            let parts = self.parts().filter(|part| part.index > MAX_GUESSED);
            for part in parts.filter(|part| part.is_text() && part.names_no_charset()) {
                let octets = part.octets().into_octets();
                work(octets.len());
                let line = octets
                    .split(|&octet| octet == b'\n')
                    .find(|line| !line.is_ascii() && utf8::well_formed(line).is_none());
                let Some(line) = line else {
                    continue;
                };
                // Whole words: octets below 30 are inside no character, but for UTF-16.
                let start = line.get(..OF_ONE).unwrap_or(line);
                let words = start.iter().rposition(|&octet| octet < 0x30);
                let words = words.and_then(|end| start.get(..end));
                let taken = match words.filter(|words| !words.is_ascii()) {
                    _ if start.len() == line.len() => line,
                    Some(words) => words,
                    // Nothing is cut in two but the very end.
                    None if together.is_empty() => line.get(..WEIGHED).unwrap_or(line),
                    None => continue,
                };
                together.extend_from_slice(taken);
                together.push(b'\n');
                if together.len() >= WEIGHED {
                    break;
                }
            }
            let guess = detect::by_likelihood(&together, WEIGHED, &self.prior());
            guess.map(|guess| guess.at_most(SURE_OF_PARTS))
        })
    }
}

/// The first field of each of these names; they are read once.
fn first_fields<'m, const N: usize>(
    mut fields: impl Iterator<Item = Field<'m>>,
    names: [&str; N],
) -> [Option<Field<'m>>; N] {
    let mut found = [const { None }; N];
    let mut missing = N;
    while missing > 0
        && let Some(field) = fields.next()
    {
        let name = field.name();
        let mut places = found.iter_mut().zip(names);
        let place = places.find(|(_, wanted)| wanted.as_bytes().eq_ignore_ascii_case(name));
        if let Some((place, _)) = place.filter(|(place, _)| place.is_none()) {
            *place = Some(field);
            missing -= 1;
        }
    }
    found
}

/// What the fields of a header tell of where the mail comes from.
fn origin(
    language: Option<Field<'_>>,
    from: Option<&Field<'_>>,
    program: Option<Field<'_>>,
) -> Origin {
    /// Who has a longer one is no single sender.
    const LONGEST: usize = 4 << 10;
    let list = from.filter(|from| from.body().len() <= LONGEST);
    let list = list.map(|from| header::addresses(from.body()));
    let sender = list.as_ref().and_then(|list| list.mailboxes().next());
    let domain = sender.and_then(|sender| {
        let address = sender.addr_spec();
        address.get(memrchr(b'@', address)? + 1..)
    });
    decode::origin(
        language.map(|field| field.body()),
        domain,
        program.map(|field| field.body()),
    )
}

/// The charset of the first encoded word in the fields that people write.
fn header_charset(written: &[Option<Field<'_>>]) -> Option<Charset> {
    /// A field of more octets says nothing that would be worth the memory to read it.
    const LONGEST: usize = 1 << 20;
    let short = |field: &&Field<'_>| field.body().len() <= LONGEST;
    written.iter().flatten().filter(short).find_map(|field| {
        let text = field.text_without_hint();
        let used = text
            .charsets()
            .iter()
            .find(|used| used.source() == Source::Declared)?;
        Some(used.charset())
    })
}

/// What the rest of a message says about one part.
#[derive(Debug, Clone, Copy, Default)]
struct Surroundings {
    siblings: Option<Charset>,
    header: Option<Charset>,
    origin: Origin,
    year: Option<u16>,
}

impl Rest for Part<'_> {
    fn siblings(&self) -> Option<Charset> {
        self.message.surroundings().siblings
    }

    fn header(&self) -> Option<Charset> {
        self.message.surroundings().header
    }

    fn origin(&self) -> Origin {
        Part::origin(*self)
    }

    fn year(&self) -> Option<u16> {
        self.message.surroundings().year
    }

    fn is_weighed_alone(&self) -> bool {
        // The message itself is the first entity.
        self.index <= MAX_GUESSED
    }

    fn guess_together(&self) -> Option<Guess> {
        self.message.guess_together()
    }

    fn raw_fields(&self) -> &[u8] {
        self.message.raw_fields()
    }
}

/// What the part itself says about its charset.
fn context<'c>(
    media_type: &'c str,
    label: Option<&'c Label<'c>>,
    options: &Options,
) -> Context<'c> {
    Context::new()
        .label(label)
        .media_type(Some(media_type))
        .options(*options)
}

/// The year of a Date field's body (RFC 5322, section 3.3; two digits and three as section
/// 4.3 reads them).
fn year(date: &[u8]) -> Option<u16> {
    const MONTHS: &[u8] = b"JanFebMarAprMayJunJulAugSepOctNovDec";
    let mut words = date.split(|octet| octet.is_ascii_whitespace() || *octet == b'-');
    words.find(|word| {
        MONTHS
            .chunks(3)
            .any(|month| month.eq_ignore_ascii_case(word))
    })?;
    let word = words.find(|word| !word.is_empty())?;
    let year: u16 = std::str::from_utf8(word).ok()?.parse().ok()?;
    match year {
        0..50 => Some(year + 2000),
        50..1000 => Some(year + 1900),
        _ => Some(year),
    }
}

/// A header field: a name and a body (RFC 5322, section 2.2).
///
/// ```
/// use mime_charset::{Charset, Message, Options};
///
/// let message = Message::parse(b"Subject: \xC7\xD1\r\n \xB1\xB9\r\n\r\n");
/// let field = message.field("subject").unwrap();
/// assert_eq!(field.name(), b"Subject");
/// assert_eq!(field.body(), b" \xC7\xD1\r\n \xB1\xB9");
/// assert_eq!(field.range(), Some(0..18));
///
/// // Raw octets, which say nothing of their charset and look like Korean.
/// assert_eq!(field.text().text(), "한 국");
/// let western = Options::new().hint(Charset::for_label("windows-1252"));
/// assert_eq!(field.text_with(&western).text(), "ÇÑ ±¹");
/// ```
#[derive(Debug, Clone)]
pub struct Field<'m> {
    part: Part<'m>,
    range: FieldRange,
}

impl<'m> Field<'m> {
    /// The name as written, without the colon and the blanks before it.
    #[must_use]
    pub fn name(&self) -> &'m [u8] {
        self.part.slice(&self.range.name())
    }

    /// The body as written: all octets behind the colon, with their folds, without the last
    /// line end.
    #[must_use]
    pub fn body(&self) -> &'m [u8] {
        self.part.slice(&self.range.body())
    }

    /// Where in the message the field lies, with its last line end; `None` inside a message
    /// that had to be decoded to be entered.
    #[must_use]
    pub fn range(&self) -> Option<Range<usize>> {
        (self.part.entity().buffer == 0).then(|| self.range.start..self.range.end())
    }

    /// Where in the message the body of the field lies.
    pub(crate) fn body_range(&self) -> Option<Range<usize>> {
        (self.part.entity().buffer == 0).then(|| self.range.body())
    }

    /// The decoded text, unfolded, with default [`Options`]; offsets of findings count
    /// octets of the message (of the body inside a message that had to be decoded).
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Subject: =?utf-8?Q?=E2=98?=\n =?utf-8?Q?=83?=\n\n");
    /// assert_eq!(message.field("subject").unwrap().text().text(), "\u{2603}");
    /// ```
    #[must_use]
    pub fn text(&self) -> FieldText<'m> {
        self.text_with(&Options::new())
    }

    /// The decoded text, unfolded, read as `options` say.
    ///
    /// Raw octets are UTF-8 where they are well-formed, else in the [`hint`](Options::hint) or,
    /// without one, in the charset that the message uses elsewhere, else in the one that the raw
    /// fields of the message together look like, else in windows-1252 (RFC 7103, section 7.7);
    /// each only where it reads them all, and always with a finding.
    ///
    /// ```
    /// use mime_charset::{Kind, Message};
    ///
    /// // "Отчёт" and "Ольга Кузнецова".
    /// let message = Message::parse(
    ///     b"Subject: \xCE\xF2\xF7\xB8\xF2\n\
    ///       From: \xCE\xEB\xFC\xE3\xE0 \xCA\xF3\xE7\xED\xE5\xF6\xEE\xE2\xE0 <olga@example.org>\n\n",
    /// );
    /// let subject = message.field("Subject").unwrap().text();
    /// assert_eq!(subject.text(), "Отчёт");
    /// assert!(subject.report().has(Kind::RawOctets));
    /// ```
    #[must_use]
    pub fn text_with(&self, options: &Options) -> FieldText<'m> {
        if !self.is_ascii_or_utf8() {
            return self.read(&self.part.with_hint(options));
        }
        let text = self.read(options);
        if text.is_guessed() {
            return self.read(&self.part.with_hint(options));
        }
        text
    }

    /// The text of a display name or a comment of the field, for people: nothing in it is quoted
    /// (RFC 2047, section 6.2). Raw octets are read as [`text_with`](Field::text_with) reads them.
    ///
    /// `pieces` are of what [`header::addresses`] or [`header::pieces`] found in the
    /// [`body`](Field::body).
    ///
    /// ```
    /// use mime_charset::{Message, Options, header};
    ///
    /// // "Пётр, начальник" in KOI8-R, which the subject names.
    /// let message = Message::parse(
    ///     b"Subject: =?koi8-r?B?8NLJ18XU?=\n\
    ///       From: \"\xF0\xA3\xD4\xD2, \xCE\xC1\xDE\xC1\xCC\xD8\xCE\xC9\xCB\" <petr@example.org>\n\n",
    /// );
    /// let from = message.field("From").unwrap();
    /// let list = header::addresses(from.body());
    /// let mailbox = list.mailboxes().next().unwrap();
    /// let name = from.phrase(mailbox.display_name(), &Options::new());
    /// assert_eq!(name.text(), "Пётр, начальник");
    /// assert_eq!(mailbox.addr_spec(), b"petr@example.org");
    /// ```
    #[must_use]
    pub fn phrase(&self, pieces: &[Piece<'m>], options: &Options) -> FieldText<'m> {
        let reading = self.reading(options);
        let mut text = decode::phrase(pieces, &reading);
        if text.is_guessed() && self.is_ascii_or_utf8() {
            text = decode::phrase(pieces, &self.part.with_hint(options));
        }
        text.shift(self.part.offset_of(&self.range.body()));
        text
    }

    /// `options` with the hint that the message gives for the octets of the field.
    pub(crate) fn reading(&self, options: &Options) -> Options {
        // The hint is only for raw octets, and looking for it costs time.
        if self.is_ascii_or_utf8() {
            *options
        } else {
            self.part.with_hint(options)
        }
    }

    /// `options` with that hint, for what no label in a field of US-ASCII speaks for.
    pub(crate) fn hinted(&self, options: &Options) -> Options {
        self.part.with_hint(options)
    }

    fn is_ascii_or_utf8(&self) -> bool {
        self.body().is_ascii() || utf8::well_formed(self.body()).is_some()
    }

    fn text_without_hint(&self) -> FieldText<'m> {
        self.read(&Options::new())
    }

    fn read(&self, options: &Options) -> FieldText<'m> {
        let (buffer, range) = (self.part.buffer(), self.range.body());
        let name = buffer.get(self.range.name()).unwrap_or_default();
        let body = buffer.get(range.clone()).unwrap_or_default();
        // A field may begin with a fold.
        let trimmed = body.trim_ascii_start();
        let blanks = body.len() - trimmed.len();
        let mut text = decode::field(trimmed, header::syntax(name), options);
        text.shift(self.part.offset_of(&range) + blanks);
        text
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

/// What the walk finds.
struct Found {
    decoded: Vec<Vec<u8>>,
    entities: Vec<Entity>,
    fields: Vec<FieldRange>,
    report: Report,
}

impl Found {
    fn new() -> Self {
        /// As many fields as most messages have, those of their parts among them.
        const FIELDS: usize = 40;
        /// A multipart of a text, the same as a page, and something attached.
        const ENTITIES: usize = 4;
        Found {
            decoded: Vec::new(),
            entities: Vec::with_capacity(ENTITIES),
            fields: Vec::with_capacity(FIELDS),
            report: Report::new(),
        }
    }
}

/// The walk over one buffer.
struct Walk<'w> {
    source: &'w [u8],
    /// The octet that ends lines: LF, or CR where there is no LF at all.
    line_end: u8,
    buffer: usize,
    /// The entity that holds the buffer's message.
    root: Option<usize>,
    /// How many messages under a transfer encoding stand around this buffer.
    encoded_depth: usize,
    /// The multiparts whose closing delimiter has not come yet, innermost last.
    open: Vec<Open<'w>>,
    /// Which open multipart a boundary belongs to, of those further in than [`FEW_OPEN`].
    /// Looking boundaries up keeps a line's cost independent of how many multiparts are open.
    deep_boundaries: HashMap<Cow<'w, [u8]>, usize>,
    /// The innermost entity whose body has not ended; those around it have not either.
    unfinished: Option<usize>,
    /// How many octets may still be looked at for the delimiters of multiparts without a boundary,
    /// so that many of them inside each other do not each read the rest of the message.
    ahead: usize,
    found: &'w mut Found,
}

/// How often a message may be looked through for the delimiters of multiparts without a boundary.
const LOOKED_AHEAD: usize = 4;

/// How many open multiparts are compared with a line one by one.
const FEW_OPEN: usize = 4;

/// What a line that may be a delimiter begins with, and the line end before it: one of them
/// for each octet that ends lines.
static DELIMITERS: LazyLock<[memmem::Finder<'static>; 2]> =
    LazyLock::new(|| [memmem::Finder::new(b"\n--"), memmem::Finder::new(b"\r--")]);

/// A multipart whose closing delimiter has not come yet.
struct Open<'w> {
    entity: usize,
    boundary: Cow<'w, [u8]>,
    /// The open multipart around it that has the same boundary, if both are looked up.
    shadowed: Option<usize>,
    /// How many parts were begun.
    parts: usize,
}

/// A line that separates parts (RFC 2046, section 5.1.1).
struct Delimiter {
    line: Range<usize>,
    /// Where the body before it ends: the line end before the line belongs to the delimiter.
    body_end: usize,
    /// The open multipart it belongs to.
    level: usize,
    closing: bool,
}

impl<'w> Walk<'w> {
    fn new(source: &'w [u8], found: &'w mut Found) -> Self {
        let line_end = if memchr(b'\n', source).is_none() && memchr(b'\r', source).is_some() {
            b'\r'
        } else {
            b'\n'
        };
        Walk {
            source,
            line_end,
            buffer: 0,
            root: None,
            encoded_depth: 0,
            open: Vec::new(),
            deep_boundaries: HashMap::new(),
            unfinished: None,
            ahead: source.len().saturating_mul(LOOKED_AHEAD),
            found,
        }
    }

    fn run(mut self) {
        let mut at = self.begin(0, self.root, 1);
        while let Some(delimiter) = self.next_delimiter(at) {
            // Multiparts further in end here without their closing delimiter.
            while self.open.len() > delimiter.level + 1 {
                self.close(Some(delimiter.line.start));
            }
            let Some(multipart) = self.open.last_mut() else {
                break;
            };
            multipart.parts += usize::from(!delimiter.closing);
            let (parent, number) = (multipart.entity, multipart.parts);
            while self.unfinished.is_some_and(|entity| entity != parent) {
                self.finish(delimiter.body_end);
            }
            at = delimiter.line.end;
            if delimiter.closing {
                self.close(None);
            } else if self.found.entities.len() >= MAX_PARTS {
                self.give_up(at, parent, number);
                break;
            } else {
                at = self.begin(at, Some(parent), number);
            }
        }
        while !self.open.is_empty() {
            self.close(Some(self.source.len()));
        }
        while self.unfinished.is_some() {
            self.finish(self.source.len());
        }
    }

    /// Reads the header at `at` and makes its entity, and those of the messages that begin
    /// with its body. Returns where to look for the next delimiter.
    fn begin(&mut self, at: usize, parent: Option<usize>, number: usize) -> usize {
        let (mut at, mut parent, mut number) = (at, parent, number);
        loop {
            let first = self.found.fields.len();
            let header = self.read_header(at);
            let outer = parent.and_then(|parent| self.found.entities.get(parent));
            let index = self.found.entities.len();
            let mut entity = Entity {
                buffer: self.buffer,
                parent,
                depth: outer.map_or(0, |outer| outer.depth + 1),
                number,
                shape: Shape::Leaf,
                header: at..header.end,
                body: header.end..self.source.len(),
                listed: first..self.found.fields.len(),
                unlisted: header.unlisted.unwrap_or(header.end),
                content_type: header.content_type,
                transfer_encoding: header.transfer_encoding,
                content_disposition: header.content_disposition,
                declared_charset: OnceLock::new(),
                origin: OnceLock::new(),
                digest: false,
                line_end: self.line_end,
            };
            let in_digest = outer.is_some_and(|outer| outer.digest);
            self.shape(&mut entity, in_digest);
            let enter = entity.shape == Shape::Message;
            self.found.entities.push(entity);
            self.unfinished = Some(index);
            if !enter || header.cut {
                return header.end;
            }
            if self.found.entities.len() >= MAX_PARTS {
                self.give_up(header.end, index, 1);
                return self.source.len();
            }
            (at, parent, number) = (header.end, Some(index), 1);
        }
    }

    /// Finds out what the entity is made of, and opens it if it is a multipart.
    fn shape(&mut self, entity: &mut Entity, in_digest: bool) {
        let source = self.source;
        let field = |range: &Option<Range<usize>>| {
            range
                .as_ref()
                .map(|range| source.get(range.clone()).unwrap_or_default())
        };
        let content_type = field(&entity.content_type);
        if content_type.is_some_and(is_discrete) {
            return;
        }
        let (media_type, boundary) = match content_type {
            Some(content_type) => header::type_and_boundary(content_type),
            None if in_digest => (Cow::Borrowed("message/rfc822"), None),
            None => return,
        };
        let media_type = &*media_type;
        let multipart = media_type.starts_with("multipart/");
        let message = matches!(media_type, "message/rfc822" | "message/global");
        if !multipart && !message {
            return;
        }
        let (place, length) = (entity.header.start, entity.header.len());
        if entity.depth >= MAX_DEPTH {
            entity.shape = Shape::Opaque;
            let detail = format!("parts stand more than {MAX_DEPTH} deep inside each other");
            self.found
                .report
                .add(Kind::LimitReached, place, length, detail);
            return;
        }
        let encoding = field(&entity.transfer_encoding)
            .map_or_else(TransferEncoding::default, |body| {
                header::content_transfer_encoding(body).encoding()
            });
        // RFC 6532, section 3.7, lets message/global be encoded.
        if !encoding.is_identity() && media_type != "message/global" {
            let (place, length) = entity
                .transfer_encoding
                .as_ref()
                .map_or((0, 0), |range| (range.start, range.len()));
            let detail = format!("{media_type} under {encoding}");
            self.found
                .report
                .add(Kind::TransferEncodingForbidden, place, length, detail);
        }
        if message {
            entity.shape = match encoding {
                TransferEncoding::Base64 | TransferEncoding::QuotedPrintable => {
                    Shape::EncodedMessage
                }
                _ => Shape::Message,
            };
            return;
        }
        let boundary = boundary
            .map(|boundary| match boundary {
                Cow::Borrowed(boundary) => Cow::Borrowed(trim_end_blanks(boundary)),
                Cow::Owned(boundary) => Cow::Owned(trim_end_blanks(&boundary).to_vec()),
            })
            .filter(|boundary| !boundary.is_empty());
        let boundary = boundary.or_else(|| {
            let found = self.boundary_in(entity.body.start).map(Cow::Borrowed);
            let detail = match &found {
                Some(found) => {
                    let line = String::from_utf8_lossy(found);
                    Cow::Owned(format!("split at the lines --{line} of its body"))
                }
                None => Cow::Borrowed("read as one part of text"),
            };
            self.found
                .report
                .add(Kind::MissingBoundary, place, length, detail);
            found
        });
        let Some(boundary) = boundary else {
            entity.shape = Shape::Undivided;
            return;
        };
        entity.shape = Shape::Multipart;
        entity.digest = media_type == "multipart/digest";
        let level = self.open.len();
        let shadowed = if level < FEW_OPEN {
            None
        } else {
            self.deep_boundaries.insert(boundary.clone(), level)
        };
        let entity = self.found.entities.len();
        self.open.push(Open {
            entity,
            boundary,
            shadowed,
            parts: 0,
        });
    }

    /// Ends the innermost open multipart: at its closing delimiter, or for want of one.
    fn close(&mut self, unclosed_at: Option<usize>) {
        let Some(multipart) = self.open.pop() else {
            return;
        };
        if self.open.len() >= FEW_OPEN {
            match multipart.shadowed {
                Some(level) => self.deep_boundaries.insert(multipart.boundary, level),
                None => self.deep_boundaries.remove(&multipart.boundary),
            };
        }
        let Some(entity) = self.found.entities.get_mut(multipart.entity) else {
            return;
        };
        if multipart.parts == 0 {
            // Without a delimiter there are no parts: what there is stays one part.
            entity.shape = Shape::Undivided;
            let (start, length) = (entity.header.start, entity.header.len());
            let detail = match unclosed_at {
                Some(_) => "the boundary never occurs: read as one part of text",
                None => "the boundary only closes: read as one part of text",
            };
            self.found
                .report
                .add(Kind::EmptyMultipart, start, length, detail);
        } else if let Some(at) = unclosed_at {
            self.found.report.add(Kind::UnclosedMultipart, at, 0, "");
        }
    }

    /// Ends the body of the innermost unfinished entity.
    fn finish(&mut self, end: usize) {
        let Some(index) = self.unfinished.take() else {
            return;
        };
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        self.unfinished = entity.parent.filter(|_| entity.parent != self.root);
        let (parent, header) = (entity.parent, entity.header.clone());
        // The line end before a delimiter is the delimiter's (RFC 2046, section 5.1.1), so that it
        // ends no line of a message that is the body of a part.
        if end < header.end && self.is_message(parent) {
            self.cut_header(index, end.max(header.start));
        }
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        entity.body.end = end.clamp(entity.body.start, self.source.len());
        if entity.shape == Shape::EncodedMessage {
            let entity = entity.clone();
            self.enter_encoded(index, &entity);
        }
    }

    fn is_message(&self, entity: Option<usize>) -> bool {
        let entity = entity.and_then(|entity| self.found.entities.get(entity));
        entity.is_some_and(|entity| entity.shape == Shape::Message)
    }

    /// Ends a header, which reaches further, at `end`, and its last field.
    fn cut_header(&mut self, index: usize, end: usize) {
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        entity.header.end = end;
        entity.body = end..end;
        entity.unlisted = entity.unlisted.min(end);
        let fields = self.found.fields.get_mut(entity.listed.clone());
        if let Some(last) = fields.and_then(<[FieldRange]>::last_mut) {
            last.cut(end);
        }
        // What was inside had no octets, and stands where there are none now.
        let inside = self.found.entities.get_mut(index + 1..);
        for inner in inside.unwrap_or_default() {
            inner.header = end..end;
            inner.body = end..end;
            inner.unlisted = end;
        }
    }

    /// Walks the message inside an entity whose transfer encoding has to be undone first.
    fn enter_encoded(&mut self, index: usize, entity: &Entity) {
        let field = |range: &Option<Range<usize>>| {
            range
                .as_ref()
                .and_then(|range| self.source.get(range.clone()))
                .unwrap_or_default()
        };
        let (offset, length) = (entity.body.start, entity.body.len());
        let mut shape = Shape::Leaf;
        if self.encoded_depth >= MAX_ENCODED_DEPTH || self.found.entities.len() >= MAX_PARTS {
            let detail = "a message under a transfer encoding that is not entered";
            self.found
                .report
                .add(Kind::LimitReached, offset, length, detail);
        } else {
            shape = Shape::Message;
            let encoding =
                header::content_transfer_encoding(field(&entity.transfer_encoding)).encoding();
            let body = self.source.get(entity.body.clone()).unwrap_or_default();
            let octets = transfer::decode(body, encoding).into_octets().into_owned();
            let outer = std::mem::take(&mut self.found.report);
            self.found.decoded.push(Vec::new());
            let buffer = self.found.decoded.len();
            let mut walk = Walk::new(&octets, self.found);
            walk.buffer = buffer;
            walk.root = Some(index);
            walk.encoded_depth = self.encoded_depth + 1;
            walk.run();
            let inner = std::mem::replace(&mut self.found.report, outer);
            if let Some(place) = self.found.decoded.get_mut(buffer - 1) {
                *place = octets;
            }
            // Findings inside count octets of the decoded message: they are placed at it.
            self.found.report.absorb_counts(&inner);
            for finding in inner.findings() {
                let detail = format!(
                    "in the decoded message at {}: {}",
                    finding.offset(),
                    finding.detail()
                );
                self.found
                    .report
                    .add(finding.kind(), offset, length, detail);
            }
        }
        if let Some(entity) = self.found.entities.get_mut(index) {
            entity.shape = shape;
        }
    }

    /// Leaves everything from `at` on as one opaque part.
    fn give_up(&mut self, at: usize, parent: usize, number: usize) {
        let length = self.source.len() - at;
        let detail = format!("more than {MAX_PARTS} parts: the rest is one part");
        self.found
            .report
            .add(Kind::LimitReached, at, length, detail);
        let depth = self
            .found
            .entities
            .get(parent)
            .map_or(0, |parent| parent.depth + 1);
        self.found.entities.push(Entity {
            buffer: self.buffer,
            parent: Some(parent),
            depth,
            number,
            header: at..at,
            body: at..self.source.len(),
            line_end: self.line_end,
            ..Entity::nothing()
        });
    }

    /// The next line from `at`, the start of a line, that separates parts of an open
    /// multipart.
    fn next_delimiter(&self, at: usize) -> Option<Delimiter> {
        if self.open.is_empty() {
            return None;
        }
        let [lf, cr] = &*DELIMITERS;
        let finder = if self.line_end == b'\n' { lf } else { cr };
        let mut line = at;
        loop {
            if self.source.get(line..)?.starts_with(b"--") {
                let end = line_end_after(self.source, line, self.line_end);
                if let Some((level, closing)) = self.delimiter(self.source.get(line..end)?) {
                    let before = self.source.get(..line).unwrap_or_default();
                    let before = before.strip_suffix(&[self.line_end]).unwrap_or(before);
                    let before = before.strip_suffix(b"\r").unwrap_or(before);
                    let body_end = before.len();
                    return Some(Delimiter {
                        line: line..end,
                        body_end,
                        level,
                        closing,
                    });
                }
                line = end;
                // The line end just passed may be the one before the next delimiter.
                if line < self.source.len() && self.source.get(line..)?.starts_with(b"--") {
                    continue;
                }
            }
            let rest = self.source.get(line..)?;
            let found = finder.find(rest);
            work(found.unwrap_or(rest.len()));
            line += found? + 1;
        }
    }

    /// The boundary of the multipart without one whose body begins at `at`, if its first line that
    /// begins like a delimiter is followed by what a part begins with, a line of it closes the
    /// multipart, and no text stands before or behind, which would be left out.
    ///
    /// Programs forget the parameter, or a relay rewrites the field and loses it.
    fn boundary_in(&mut self, at: usize) -> Option<&'w [u8]> {
        let source = self.source;
        let first = self.next_dashes(at)?;
        let boundary = trim_end_blanks(source.get(first.clone())?).strip_prefix(b"--")?;
        let rest = source.get(first.end..)?;
        let begins_part = rest.starts_with(&[self.line_end])
            || rest.starts_with(b"\r\n")
            || field_name(rest).is_some_and(|(length, _)| {
                let name = rest.get(..length).unwrap_or_default();
                let prefix = name.get(.."Content-".len());
                prefix.is_some_and(|prefix| prefix.eq_ignore_ascii_case(b"Content-"))
            });
        if !is_boundary(boundary) || !begins_part || !is_preamble(source.get(at..first.start)?) {
            return None;
        }
        let mut line = first;
        let closing = loop {
            line = self.next_dashes(line.end)?;
            let text = trim_end_blanks(source.get(line.clone())?);
            let behind = text.strip_prefix(b"--")?.strip_prefix(boundary);
            if behind == Some(b"--") {
                break line;
            }
        };
        let rest = source.get(closing.end..)?;
        let rest = rest.trim_ascii_start();
        let text = source.len() - rest.len();
        let line = line_end_after(source, text, self.line_end);
        let begins_line = source.get(text - 1) == Some(&self.line_end);
        let ends = begins_line && self.delimiter(source.get(text..line)?).is_some();
        (ends || rest.is_empty()).then_some(boundary)
    }

    /// The next line from `at`, the start of a line, that begins with two hyphens, if it comes
    /// before the next delimiter of an open multipart.
    fn next_dashes(&mut self, at: usize) -> Option<Range<usize>> {
        let [lf, cr] = &*DELIMITERS;
        let finder = if self.line_end == b'\n' { lf } else { cr };
        let rest = self.source.get(at..)?;
        let rest = rest.get(..self.ahead).unwrap_or(rest);
        let start = if rest.starts_with(b"--") {
            at
        } else {
            let found = finder.find(rest);
            let looked_at = found.unwrap_or(rest.len());
            work(looked_at);
            self.ahead -= looked_at;
            at + found? + 1
        };
        let end = line_end_after(self.source, start, self.line_end);
        self.ahead = self.ahead.saturating_sub(end - start);
        let line = self.source.get(start..end)?;
        self.delimiter(line).is_none().then_some(start..end)
    }

    /// Which open multipart a line belongs to, if it is a delimiter, and whether it closes.
    ///
    /// > delimiter := CRLF "--" boundary; close-delimiter := delimiter "--"
    ///
    /// Blanks may follow (RFC 2046, section 5.1.1, `transport-padding`). The whole line has to
    /// be the delimiter: a boundary may begin like another.
    fn delimiter(&self, line: &[u8]) -> Option<(usize, bool)> {
        let boundary = trim_end_blanks(line).strip_prefix(b"--")?;
        if let Some(level) = self.level_of(boundary) {
            return Some((level, false));
        }
        let level = self.level_of(boundary.strip_suffix(b"--")?)?;
        Some((level, true))
    }

    /// The innermost open multipart with this boundary.
    fn level_of(&self, boundary: &[u8]) -> Option<usize> {
        self.deep_boundaries.get(boundary).copied().or_else(|| {
            let few = self.open.get(..FEW_OPEN).unwrap_or(&self.open);
            few.iter().rposition(|open| open.boundary == boundary)
        })
    }

    /// Finds the end of the header at `start`, and the fields that give structure.
    fn read_header(&mut self, start: usize) -> Header {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        if let Some(vector) = Avx2::detect() {
            return vector.run(ReadHeader { walk: self, start });
        }
        self.read_header_with(start, Marks::plain())
    }

    #[expect(
        clippy::inline_always,
        reason = "what goes through every octet of a header is compiled for the processor"
    )]
    #[inline(always)]
    fn read_header_with(&mut self, start: usize, marks: Marks) -> Header {
        let limit = self.source.len().min(start.saturating_add(MAX_HEADER));
        let mut lines = Lines::new(self.source, start..limit, self.line_end, marks);
        let mut header = Header {
            end: 0,
            cut: false,
            unlisted: None,
            content_type: None,
            transfer_encoding: None,
            content_disposition: None,
        };
        loop {
            if !self.open.is_empty()
                && lines.begins_with_dashes()
                && self.is_delimiter(lines.source, lines.at)
            {
                header.cut = true;
                break;
            }
            match lines.next() {
                None => break,
                Some(Line::Junk(range)) => self.report_junk(range),
                Some(Line::Field(field)) => {
                    if self.found.fields.len() < MAX_LISTED {
                        self.found.fields.push(field.clone());
                    } else if header.unlisted.is_none() {
                        header.unlisted = Some(field.start);
                    }
                    // Those that give structure are as long as this, and begin so.
                    if let 12 | 19 | 25 = field.name_length()
                        && let Some(b'C' | b'c') = self.source.get(field.start)
                    {
                        self.note(field.name(), field.body(), field.end(), &mut header);
                    }
                }
            }
        }
        if !lines.ended && !header.cut && lines.at >= limit && limit < self.source.len() {
            self.report_long_header(lines.at);
        }
        header.end = lines.at;
        header
    }

    /// Whether the line at `at` is a delimiter.
    #[inline(never)]
    fn is_delimiter(&self, source: &[u8], at: usize) -> bool {
        let end = line_end_after(source, at, self.line_end);
        self.delimiter(source.get(at..end).unwrap_or_default())
            .is_some()
    }

    /// Keeps the place of a field that gives structure.
    #[inline(never)]
    fn note(&mut self, name: Range<usize>, body: Range<usize>, end: usize, header: &mut Header) {
        let start = name.start;
        let name = self.source.get(name).unwrap_or_default();
        let first = if is_name(name, b"Content-Type") {
            &mut header.content_type
        } else if is_name(name, b"Content-Transfer-Encoding") {
            &mut header.transfer_encoding
        } else if is_name(name, b"Content-Disposition") {
            // One that stands again is no finding: nothing is told by it alone.
            header.content_disposition.get_or_insert(body);
            return;
        } else {
            return;
        };
        if first.is_none() {
            *first = Some(body);
        } else {
            let detail = "the first field of this name is used";
            self.found
                .report
                .add(Kind::DuplicateField, start, end - start, detail);
        }
    }

    #[cold]
    fn report_junk(&mut self, line: Range<usize>) {
        let detail = "a line that is neither a field nor a fold";
        self.found
            .report
            .add(Kind::HeaderLine, line.start, line.len(), detail);
    }

    #[cold]
    fn report_long_header(&mut self, end: usize) {
        let detail = format!("a header of more than {MAX_HEADER} octets: the rest is body");
        self.found.report.add(Kind::LimitReached, end, 0, detail);
    }
}

/// [`Walk::read_header`] as it is compiled for the processor.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
struct ReadHeader<'r, 'w> {
    walk: &'r mut Walk<'w>,
    start: usize,
}

#[cfg(all(feature = "simd", target_arch = "x86_64"))]
impl vector::Work for ReadHeader<'_, '_> {
    type Output = Header;

    #[expect(clippy::inline_always, reason = "it is what is compiled so")]
    #[inline(always)]
    fn run(self, vector: Avx2) -> Header {
        self.walk.read_header_with(self.start, Marks::with(vector))
    }
}

/// What the walk needs of a header.
struct Header {
    end: usize,
    /// Whether a delimiter ended it instead of a blank line.
    cut: bool,
    /// Where the first field begins that found no room in the list.
    unlisted: Option<usize>,
    content_type: Option<Range<usize>>,
    transfer_encoding: Option<Range<usize>>,
    content_disposition: Option<Range<usize>>,
}

/// Where a field lies. A message keeps one for each field: they are small, since taking memory for
/// them is much of what it costs to take a header apart.
#[derive(Debug, Clone)]
struct FieldRange {
    start: usize,
    /// How far behind the start these are: the end of the name, the first octet behind the colon,
    /// the last line end and what follows it.
    name_end: u32,
    body: u32,
    body_end: u32,
    end: u32,
}

impl FieldRange {
    fn new(start: usize, name_end: usize, body: Range<usize>, end: usize) -> Self {
        FieldRange {
            start,
            name_end: distance(start, name_end),
            body: distance(start, body.start),
            body_end: distance(start, body.end),
            end: distance(start, end),
        }
    }

    fn at(&self, distance: u32) -> usize {
        self.start + distance as usize
    }

    fn name_length(&self) -> usize {
        self.name_end as usize
    }

    fn name(&self) -> Range<usize> {
        self.start..self.at(self.name_end)
    }

    fn body(&self) -> Range<usize> {
        self.at(self.body)..self.at(self.body_end)
    }

    fn end(&self) -> usize {
        self.at(self.end)
    }

    /// Ends it at `end`, if that comes first.
    fn cut(&mut self, end: usize) {
        self.end = self.end.min(distance(self.start, end.max(self.start)));
    }
}

/// How far apart two places of a field are.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a field is no longer than a header, which may have MAX_HEADER octets"
)]
fn distance(from: usize, to: usize) -> u32 {
    const { assert!(MAX_HEADER < u32::MAX as usize) };
    to.wrapping_sub(from) as u32
}

/// A step through a header.
enum Line {
    Field(FieldRange),
    /// Neither a field nor a fold.
    Junk(Range<usize>),
}

/// Steps through the fields of a header (RFC 5322, section 2.2).
struct Lines<'s> {
    /// What the header may reach to.
    source: &'s [u8],
    start: usize,
    at: usize,
    line_end: u8,
    marks: Marks,
    /// Whether the blank line was met, or a line that must be body.
    ended: bool,
}

impl<'s> Lines<'s> {
    fn new(source: &'s [u8], range: Range<usize>, line_end: u8, marks: Marks) -> Self {
        Lines {
            source: source.get(..range.end).unwrap_or(source),
            start: range.start,
            at: range.start,
            line_end,
            marks,
            ended: false,
        }
    }

    /// Whether nothing of the header is left.
    fn is_over(&self) -> bool {
        self.ended || self.at >= self.source.len()
    }

    /// Whether the line that is next may be a delimiter.
    fn begins_with_dashes(&self) -> bool {
        let rest = self.source.get(self.at..);
        !self.ended && rest.is_some_and(|rest| rest.starts_with(b"--"))
    }

    /// The field that comes next.
    ///
    /// > field = field-name *WSP ":" unstructured CRLF
    ///
    /// Blanks before the colon are `obs-optional` (RFC 5322, section 4.5; RFC 7103, section
    /// 7.4). A fold that holds only blanks does not end the header (RFC 7103, section 7.3).
    #[expect(clippy::inline_always, reason = "as `read_header_with`")]
    #[inline(always)]
    fn field(&mut self) -> Option<FieldRange> {
        let start = self.at;
        let name_end = self.marks.name_end(self.source, start, self.line_end);
        let colon = match self.source.get(name_end)? {
            _ if name_end == start => return None,
            b':' => name_end,
            _ => colon_behind(self.source, name_end)?,
        };
        let body = colon + 1;
        let end = self.marks.field_end(self.source, body, self.line_end);
        let text = self.source.get(body..end)?;
        let text = match text {
            [text @ .., b'\r', b'\n'] if self.line_end == b'\n' => text,
            [text @ .., last] if *last == self.line_end => text,
            [text @ .., b'\r'] if self.line_end == b'\n' => text,
            _ => text,
        };
        Some(FieldRange::new(
            start,
            name_end,
            body..body + text.len(),
            end,
        ))
    }
}

impl Iterator for Lines<'_> {
    type Item = Line;

    #[expect(clippy::inline_always, reason = "as `read_header_with`")]
    #[inline(always)]
    fn next(&mut self) -> Option<Line> {
        if self.is_over() {
            return None;
        }
        if let Some(field) = self.field() {
            self.at = field.end();
            return Some(Line::Field(field));
        }
        match without_field(self.source, self.start, self.at, self.line_end) {
            WithoutField::Blank(end) => {
                self.at = end;
                self.ended = true;
                None
            }
            WithoutField::Junk(end) => {
                let junk = self.at..end;
                self.at = end;
                Some(Line::Junk(junk))
            }
            WithoutField::Body => {
                self.ended = true;
                None
            }
        }
    }
}

/// A line of a header that is no field, with its end.
enum WithoutField {
    /// Blank: the header ends with it.
    Blank(usize),
    /// It stays in the header: the separator line of an mbox, or a line that a field follows, such
    /// as a fold that lost its blank.
    Junk(usize),
    /// Any other is where a body without a blank line before it begins (RFC 7103, section 7.2).
    Body,
}

/// The line at `at` of a header that begins at `start`, which is no field.
#[inline(never)]
fn without_field(source: &[u8], start: usize, at: usize, line_end: u8) -> WithoutField {
    let rest = source.get(at..).unwrap_or_default();
    match rest {
        [end, ..] if *end == line_end => return WithoutField::Blank(at + 1),
        [b'\r', end, ..] if *end == line_end => return WithoutField::Blank(at + 2),
        [b'\r'] => return WithoutField::Blank(at + 1),
        _ => {}
    }
    let end = line_end_after(source, at, line_end);
    let is_separator = at == start && (rest.starts_with(b"From ") || rest.starts_with(b">From "));
    let stays = is_separator
        || rest.first().is_some_and(|&octet| is_blank(octet))
        || field_name(source.get(end..).unwrap_or_default()).is_some();
    if stays {
        WithoutField::Junk(end)
    } else {
        WithoutField::Body
    }
}

/// Asks memory for what is going to be read, where there are instructions for that.
fn fetch(octets: &[u8]) {
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    vector::fetch(octets);
    #[cfg(not(all(feature = "simd", target_arch = "x86_64")))]
    let _ = octets;
}

/// Where the names and the fields of a header end: a field with the first line end that no blank
/// follows. They are short: where the processor has vectors, the ends among 64 octets are looked
/// for together, and kept for what follows.
struct Marks {
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    vector: Option<Avx2>,
    /// Where the octets begin that were looked at last, which of them end a field, and which stand
    /// in no name.
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    seen: (usize, [u64; 2]),
}

#[cfg_attr(
    not(all(feature = "simd", target_arch = "x86_64")),
    expect(clippy::unused_self, reason = "without vectors nothing is kept")
)]
impl Marks {
    fn new() -> Self {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        if let Some(vector) = Avx2::detect() {
            return Marks::with(vector);
        }
        Marks::plain()
    }

    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    fn with(vector: Avx2) -> Self {
        Marks {
            vector: Some(vector),
            seen: Marks::NOTHING,
        }
    }

    /// Behind all octets, and so far before the last place that none is taken for it.
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    const NOTHING: (usize, [u64; 2]) = (usize::MAX - 64, [0; 2]);

    /// Without vectors.
    fn plain() -> Self {
        Marks {
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            vector: None,
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            seen: Marks::NOTHING,
        }
    }

    /// Behind the end of the field that `at` is in, or the end of the octets, which are the same
    /// whenever it is asked.
    #[expect(clippy::inline_always, reason = "as `read_header_with`")]
    #[inline(always)]
    fn field_end(&mut self, source: &[u8], at: usize, line_end: u8) -> usize {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        if let Some(vector) = self.vector {
            let last = self.next(vector, source, at, line_end, |[ends, _]| ends);
            let end = last + usize::from(last < source.len());
            work(end - at);
            return end;
        }
        field_end_after(source, at, line_end)
    }

    /// Where the first octet from `at` on is that stands in no field name, or the end of the octets.
    #[expect(clippy::inline_always, reason = "as `read_header_with`")]
    #[inline(always)]
    fn name_end(&mut self, source: &[u8], at: usize, line_end: u8) -> usize {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        if let Some(vector) = self.vector {
            return self.next(vector, source, at, line_end, |[_, no_name]| no_name);
        }
        let _ = line_end;
        let length = name_length(source.get(at..).unwrap_or_default());
        length.map_or(source.len(), |length| at + length)
    }

    /// The next place from `at` on that is marked, or the end of the octets.
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    #[expect(clippy::inline_always, reason = "as `read_header_with`")]
    #[inline(always)]
    fn next(
        &mut self,
        vector: Avx2,
        source: &[u8],
        at: usize,
        line_end: u8,
        which: impl Fn([u64; 2]) -> u64,
    ) -> usize {
        let mut from = at;
        loop {
            let behind = from.wrapping_sub(self.seen.0);
            let marks = if behind < 64 {
                which(self.seen.1) >> behind
            } else {
                let rest = source.get(from..).unwrap_or_default();
                if rest.is_empty() {
                    return source.len();
                }
                self.seen = (from, marks_of(vector, rest, line_end));
                which(self.seen.1)
            };
            if marks != 0 {
                return from + marks.trailing_zeros() as usize;
            }
            from = self.seen.0 + 64;
        }
    }
}

/// The marks of the first 64 of octets; those that lie behind their end stand in no name.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[expect(clippy::inline_always, reason = "as `read_header_with`")]
#[inline(always)]
fn marks_of(vector: Avx2, octets: &[u8], line_end: u8) -> [u64; 2] {
    match octets.first_chunk() {
        Some(octets) => vector.header_marks(line_end, octets),
        None => last_marks(vector, octets, line_end),
    }
}

#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[cold]
#[inline(never)]
fn last_marks(vector: Avx2, octets: &[u8], line_end: u8) -> [u64; 2] {
    // No line end, and above 7F.
    let mut last = [!line_end; 65];
    last.iter_mut()
        .zip(octets)
        .for_each(|(to, from)| *to = *from);
    vector.header_marks(line_end, &last)
}

/// The same, a line at a time.
#[inline(never)]
fn field_end_after(source: &[u8], at: usize, line_end: u8) -> usize {
    let mut end = line_end_after(source, at, line_end);
    while source.get(end).is_some_and(|&octet| is_blank(octet)) {
        end = line_end_after(source, end, line_end);
    }
    end
}

/// Whether a field has this name, which is compared without regard to case (RFC 5322, section
/// 1.2.2), and nearly always written as it is known.
#[inline]
fn is_name(written: &[u8], name: &[u8]) -> bool {
    written == name || written.eq_ignore_ascii_case(name)
}

/// The length of the field name that starts a line, and where the colon is that ends it (RFC
/// 5322, section 3.6.8).
fn field_name(line: &[u8]) -> Option<(usize, usize)> {
    let length = name_length(line)?;
    let colon = colon_behind(line, length)?;
    (length > 0).then_some((length, colon))
}

/// Where the colon is that follows `at`, with nothing but blanks before it.
#[cold]
fn colon_behind(octets: &[u8], at: usize) -> Option<usize> {
    let behind = octets.get(at..)?;
    let blanks = behind.iter().position(|&octet| !is_blank(octet))?;
    (behind.get(blanks) == Some(&b':')).then_some(at + blanks)
}

/// How many octets at the start may stand in a field name:
///
/// > ftext = %d33-57 / %d59-126
///
/// `None` where nothing follows them. Eight octets are looked at together, since no processor
/// foresees where a name ends.
fn name_length(line: &[u8]) -> Option<usize> {
    const fn all(octet: u8) -> u64 {
        u64::from_le_bytes([octet; 8])
    }
    let (eights, rest) = line.as_chunks::<8>();
    for (number, eight) in eights.iter().enumerate() {
        let octets = u64::from_le_bytes(*eight);
        let colons = octets ^ all(b':');
        // The highest bit of each octet that is none of a name. A carry may set it above the
        // first of them, which alone counts.
        let ends = (colons.wrapping_sub(all(1)) & !colons)
            | (octets.wrapping_sub(all(b'!')) & !octets)
            | octets.wrapping_add(all(1))
            | octets;
        let ends = ends & all(0x80);
        if ends != 0 {
            return Some(8 * number + ends.trailing_zeros() as usize / 8);
        }
    }
    let is_end = |octet: &u8| !octet.is_ascii_graphic() || *octet == b':';
    Some(8 * eights.len() + rest.iter().position(is_end)?)
}

/// Whether a Content-Type field plainly names a type other than multipart and message: its
/// first token begins with another letter. One that begins with a comment is for the grammar
/// to read, and one that names no type is text/plain (RFC 2045, section 5.2).
fn is_discrete(content_type: &[u8]) -> bool {
    let first = content_type.trim_ascii_start().first();
    first.is_some_and(|&octet| octet != b'(' && !octet.eq_ignore_ascii_case(&b'm'))
}

/// Whether a line holds a boundary behind its hyphens:
///
/// > boundary := 0*69<bchars> bcharsnospace
///
/// One that ends in two hyphens would rather close a multipart than begin a part.
fn is_boundary(octets: &[u8]) -> bool {
    let is_bchar = |octet: &u8| octet.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(octet);
    (1..=70).contains(&octets.len()) && octets.iter().all(is_bchar) && !octets.ends_with(b"--")
}

/// Whether nothing is lost with what stands before the first delimiter: blank lines, or the
/// paragraph for people whose program does not know MIME, which mailers have since RFC 1341.
fn is_preamble(octets: &[u8]) -> bool {
    /// The longest in use have four lines.
    const LONGEST: usize = 400;
    let text = octets.trim_ascii();
    text.is_empty() || (text.len() <= LONGEST && memmem::find(text, b"MIME").is_some())
}

/// Whether octets begin as a page of HTML does: with its first tag or its type.
fn begins_as_html(octets: &[u8]) -> bool {
    const TAGS: [&[u8]; 4] = [b"<!doctype html", b"<html", b"<head", b"<body"];
    let text = octets.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(octets);
    let text = text.trim_ascii_start();
    TAGS.iter().any(|tag| {
        let begins = text.get(..tag.len());
        let ends = text.get(tag.len());
        begins.is_some_and(|begins| begins.eq_ignore_ascii_case(tag))
            && ends.is_some_and(|&octet| octet == b'>' || octet.is_ascii_whitespace())
    })
}

/// The name of the type in a Content-Type field, where it takes no grammar to find: letters at
/// the start, a slash and the first letter of a subtype.
fn plain_type_name(content_type: &[u8]) -> Option<&[u8]> {
    let field = content_type.strip_prefix(b" ").unwrap_or(content_type);
    let length = field
        .iter()
        .position(|octet| !octet.is_ascii_alphabetic())?;
    let (name, rest) = field.split_at_checked(length)?;
    let is_plain = matches!(rest, [b'/', letter, ..] if letter.is_ascii_alphabetic());
    (is_plain && length > 0).then_some(name)
}

/// Behind the line end that ends the line at `at`, or the end of the octets.
fn line_end_after(source: &[u8], at: usize, line_end: u8) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    let end = memchr(line_end, rest).map_or(source.len(), |end| at + end + 1);
    work(end - at);
    end
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

/// Without blanks and line ends at the end.
fn trim_end_blanks(octets: &[u8]) -> &[u8] {
    let end = octets
        .iter()
        .rposition(|octet| !matches!(octet, b' ' | b'\t' | b'\r' | b'\n'));
    octets
        .get(..end.map_or(0, |last| last + 1))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Marks, Message, field_end_after, name_length};
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

    /// The octets of RFC 5322, section 3.6.8, at every place of three words.
    #[test]
    fn names_end_at_the_first_octet_that_is_none_of_them() {
        for octet in 0..=u8::MAX {
            let is_of_name = matches!(octet, 33..=57 | 59..=126);
            for place in 0..24 {
                for behind in [b'\0', b'~', b':', 0xFF] {
                    let mut line = [b'x'; 26];
                    line[place] = octet;
                    line[place + 1..].fill(behind);
                    let end = if !is_of_name {
                        Some(place)
                    } else if behind == b'~' {
                        None
                    } else {
                        Some(place + 1)
                    };
                    assert_eq!(name_length(&line), end, "{octet} {place} {behind}");
                    let marked = Marks::new().name_end(&line, 0, b'\n');
                    assert_eq!(marked, end.unwrap_or(26), "{octet} {place} {behind}");
                    let long = [&line[..], &[b'~'; 64]].concat();
                    let marked = Marks::new().name_end(&long, 0, b'\n');
                    assert_eq!(marked, end.unwrap_or(90), "{octet} {place} {behind}");
                }
            }
        }
    }

    /// Lines of all lengths up to two blocks, some of them folds, at all places of one: asked for
    /// one after the other, and for any of them behind any other.
    #[test]
    fn fields_end_where_they_do_line_by_line() {
        let mut source = Vec::new();
        for length in (0..=130).chain((0..130).rev().step_by(7)) {
            let blank = [b'x', b' ', b'x', b'\t', b'x', b'x', b' '][length % 7];
            source.extend((0..length).map(|at| if at == 0 { blank } else { b'x' }));
            source.push(if length % 5 == 3 { b'\r' } else { b'\n' });
        }
        source.extend_from_slice(b"the last one");
        for line_end in [b'\n', b'\r', b'x', b'y'] {
            for length in (0..200).chain(source.len() - 70..=source.len()) {
                let source = &source[..length];
                let mut ends = Marks::new();
                let mut at = 0;
                while at < source.len() {
                    let end = field_end_after(source, at, line_end);
                    let name = name_length(&source[at..]).map_or(source.len(), |name| at + name);
                    assert_eq!(
                        ends.name_end(source, at, line_end),
                        name,
                        "{at} of {length}"
                    );
                    assert_eq!(
                        ends.field_end(source, at, line_end),
                        end,
                        "{at} of {length}"
                    );
                    at = end;
                }
                assert_eq!(ends.field_end(source, at, line_end), source.len());
            }
            let places: Vec<usize> = (0..source.len())
                .step_by(61)
                .chain([source.len()])
                .collect();
            for &first in &places {
                for &second in &places {
                    let mut ends = Marks::new();
                    ends.field_end(&source, first, line_end);
                    let end = field_end_after(&source, second, line_end);
                    assert_eq!(
                        ends.field_end(&source, second, line_end),
                        end,
                        "{first}, {second}"
                    );
                }
            }
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
