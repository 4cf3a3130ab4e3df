//! One entity of a message: its header and its body (RFC 2045, section 2.4).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memchr;

use super::embedded::is_plain_message;
use super::entity::{Entity, EntityShape, default_type};
use super::parse::Message;
use crate::charset::{Charset, Decoded, Options};
use crate::decode::{
    self, BodyFormat, Choice, Context, Decision, DecisionOctets, LazyBody, Observer, TextPieces,
    Wanted, Weighing,
};
use crate::header::{self, ContentDisposition, ContentType};
use crate::label::Label;
use crate::report::{Kind, Report, Source};
use crate::transfer::{self, TransferDecoder, TransferEncoding, Transferred};
use crate::vector::fetch;

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
/// assert_eq!(part.media_type(), "text/plain");
/// assert_eq!(part.content_type().charset().unwrap().as_bytes(), b"koi8-r");
/// assert!(part.is_text() && !part.is_multipart() && !part.is_message());
/// assert_eq!(part.content_disposition().unwrap().disposition(), "attachment");
/// assert_eq!(part.filename().unwrap().as_str(), "письмо");
/// assert_eq!(part.filename(), part.filename_with(&Options::new()));
/// assert_eq!(part.content_type(), part.mime_header().content_type);
/// assert_eq!(part.fields().count(), 3);
/// assert_eq!(part.field("content-disposition").unwrap().body(), b" attachment");
///
/// // As it is in the message, as octets, as text.
/// assert_eq!(part.source(), message.source());
/// assert!(part.header().ends_with(b"base64\n\n"));
/// assert_eq!((part.body(), part.transfer_encoding()), (&b"8NLJ18XU"[..], TransferEncoding::Base64));
/// assert_eq!(part.header_range(), Some(0..part.body_offset()));
/// assert_eq!(part.body_range(), Some(part.body_offset()..message.source().len()));
/// assert_eq!(part.octets().as_bytes(), b"\xF0\xD2\xC9\xD7\xC5\xD4");
/// assert_eq!(part.text().as_str(), "Привет");
///
/// // The charset, with and without its evidence.
/// let decision = part.decide(&Options::new());
/// assert_eq!(decision.charset.name(), "KOI8-R");
/// assert_eq!(part.charset(&Options::new()), decision.charset);
/// assert!(part.mime_header().report().is_empty());
/// ```
#[derive(Clone, Copy)]
pub struct Part<'m> {
    pub(super) message: &'m Message<'m>,
    pub(super) index: usize,
}

impl<'m> Part<'m> {
    /// The text of the part, with default [`Options`].
    ///
    /// Every part has a text, even if its type is not text. Offsets of findings about the transfer
    /// encoding count octets of the message, or of the embedded message that had to be decoded.
    /// Offsets of findings about characters count the decoded octets.
    #[must_use]
    pub fn text(self) -> Decoded<'m> {
        self.text_with(&Options::new())
    }

    /// The text of the part, read as `options` say.
    ///
    /// ```
    /// use mime_charset::{Message, Options};
    ///
    /// let message = Message::parse(b"Content-Type: text/plain; charset=iso-8859-1\n\n\xC3\xA9");
    /// let part = message.parts().next().unwrap();
    /// assert_eq!(part.text().as_str(), "é");
    /// assert_eq!(part.text_with(&Options::new().trust_label(true)).as_str(), "Ã©");
    /// ```
    #[must_use]
    pub fn text_with(self, options: &Options) -> Decoded<'m> {
        let options = &self.options_for_body(options);
        let encoding = self.transfer_encoding();
        let (octets, report) = self.transferred(encoding, options, &mut Vec::new());
        match octets {
            Cow::Borrowed(octets) => self.read(octets, report, options, None),
            Cow::Owned(octets) => {
                Decoded::of_owned(octets, |octets| self.read(octets, report, options, None))
            }
        }
    }

    /// [`text_with`](Part::text_with) for callers who read millions of parts. The text borrows from
    /// the message if its octets there are already the text in UTF-8, or else from `text`. The next
    /// call overwrites both buffers. They grow to the size of the longest body.
    ///
    /// ```
    /// use mime_charset::{Message, Options};
    ///
    /// let (mut octets, mut text) = (Vec::new(), String::new());
    /// for source in [&b"Subject: 1\n\none"[..], b"Content-Transfer-Encoding: base64\n\ndHdv"] {
    ///     for part in Message::parse(source).parts() {
    ///         let decoded = part.text_into(&Options::new(), &mut octets, &mut text);
    ///         assert!(["one", "two"].contains(&decoded.as_str()));
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn text_into<'b>(
        self,
        options: &Options,
        octets: &'b mut Vec<u8>,
        text: &'b mut String,
    ) -> Decoded<'b>
    where
        'm: 'b,
    {
        let options = &self.options_for_body(options);
        let encoding = self.transfer_encoding();
        let (body, report) = self.transferred(encoding, options, octets);
        let body = match body {
            Cow::Borrowed(body) => body,
            Cow::Owned(body) => {
                *octets = body;
                octets
            }
        };
        self.read(body, report, options, Some(text))
    }

    /// Decodes the transfer encoding of the body. Offsets of findings count octets of the message, or of
    /// the embedded message that had to be decoded.
    pub fn octets(self) -> Transferred<'m> {
        transfer::decode(self.body(), self.transfer_encoding()).at(self.body_offset())
    }

    /// The charset in which the text is decoded, as from [`decide`](Part::decide), but without
    /// reading more octets than necessary. Reading stops once the first octets confirm the label.
    ///
    /// ```
    /// use mime_charset::{Message, Options};
    ///
    /// let message = Message::parse(b"Content-Type: text/html\n\n<meta charset=koi8-r>\xF0\xD2\xC9");
    /// let part = message.parts().next().unwrap();
    /// assert_eq!(part.charset(&Options::new()).name(), "KOI8-R");
    /// ```
    #[must_use]
    pub fn charset(self, options: &Options) -> Charset {
        self.choose(options).charset
    }

    /// Chooses the charset of the part, with the evidence for and against it. Reading stops early if
    /// the first octets confirm the label and later ones could not refute it.
    #[must_use]
    pub fn decide(self, options: &Options) -> Decision {
        fetch(self.body());
        let (media_type, label) = self.type_and_charset();
        let options = &self.options_for_body(options);
        let year = self.message.date().map(|date| date.year);
        let context = context(&media_type, label.as_ref(), options).year(year);
        self.with_octets(self.decodable_octets(options), |body| {
            let mut weighing =
                Weighing::new(DecisionOctets::Lazy(body), &context, Wanted::Evidence);
            self.surround(&mut weighing);
            weighing.into_decision()
        })
    }

    /// Type and subtype of the Content-Type field in lower case, such as `text/plain`, as in
    /// [`content_type`](Part::content_type), without parsing the parameters.
    #[must_use]
    pub fn media_type(self) -> Cow<'m, str> {
        header::type_and_boundary(self.content_type_body()).0
    }

    /// Parses the Content-Type field. If it is missing, the default is message/rfc822 in a digest, else
    /// text/plain (RFC 2045, section 5.2; RFC 2046, section 5.1.5).
    ///
    /// Each call parses the field. [`mime_header`](Part::mime_header) keeps the result for repeated
    /// use.
    #[must_use]
    pub fn content_type(self) -> ContentType<'m> {
        header::content_type(self.content_type_body())
    }

    /// Parses the first Content-Disposition field (RFC 2183); `None` without such a field.
    #[must_use]
    pub fn content_disposition(self) -> Option<ContentDisposition<'m>> {
        let range = self.entity().content_disposition.as_ref()?;
        Some(header::content_disposition(self.slice(range)))
    }

    /// The transfer encoding of the body (RFC 2045, section 6).
    ///
    /// For a multipart, or a message inside a message, RFC 2045, section 6.4, allows only `7bit`,
    /// `8bit` or `binary`. A multipart with parts is therefore always [`TransferEncoding::Binary`].
    /// A multipart without parts has the encoding that it declares, but `Binary` instead of base64
    /// if the body has octets that are not base64.
    #[must_use]
    pub fn transfer_encoding(self) -> TransferEncoding {
        match &self.entity().transfer_encoding {
            _ if self.entity().shape == EntityShape::Multipart => TransferEncoding::Binary,
            Some(range) => {
                let encoding = header::content_transfer_encoding(self.slice(range)).encoding();
                // Octets that are not base64 would be lost.
                let is_lost = self.is_undivided()
                    && encoding == TransferEncoding::Base64
                    && transfer::base64(self.body())
                        .report()
                        .has(Kind::Base64Skipped);
                if is_lost || (self.is_message() && is_plain_message(self.body(), encoding)) {
                    TransferEncoding::Binary
                } else {
                    encoding
                }
            }
            None => TransferEncoding::SevenBit,
        }
    }

    /// Whether the part is of type text (RFC 2046, section 4.1), or a non-blank multipart without
    /// parts, which is read as text.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Content-Type: multipart/mixed; boundary=b\n\nHello\n--b--\n");
    /// let part = message.parts().next().unwrap();
    /// assert!(part.is_text() && !part.is_multipart());
    /// assert_eq!(part.text().as_str(), "Hello\n--b--\n");
    /// ```
    #[must_use]
    #[inline]
    pub fn is_text(self) -> bool {
        let entity = self.entity();
        match entity.shape {
            EntityShape::Leaf => entity.is_text,
            EntityShape::Undivided => self.is_undivided(),
            _ => false,
        }
    }

    /// Whether the part is a message whose parts were found: message/rfc822 or message/global (RFC 2046,
    /// section 5.2.1; RFC 6532, section 3.7).
    #[must_use]
    pub fn is_message(self) -> bool {
        self.entity().shape == EntityShape::Message
    }

    /// Whether the entity is a multipart with parts (RFC 2046, section 5.1).
    #[must_use]
    pub fn is_multipart(self) -> bool {
        self.entity().shape == EntityShape::Multipart
    }

    /// The octets of the whole part, header and body, as covered by a signature (RFC 1847, section
    /// 2.1). The line end before the next delimiter is excluded.
    #[must_use]
    pub fn source(self) -> &'m [u8] {
        let entity = self.entity();
        self.slice(&(entity.header.start..entity.body.end))
    }

    /// The octets of the header, including the blank line that ends it.
    #[must_use]
    pub fn header(self) -> &'m [u8] {
        self.slice(&self.entity().header)
    }

    /// The octets of the body, still under their transfer encoding. The line end before the next
    /// delimiter is excluded (RFC 2046, section 5.1.1).
    #[must_use]
    #[inline]
    pub fn body(self) -> &'m [u8] {
        self.slice(&self.entity().body)
    }

    /// The range of the header in the message. `None` inside an embedded message that had to be
    /// decoded, and in a message that is entirely UTF-16.
    #[must_use]
    pub fn header_range(self) -> Option<Range<usize>> {
        (self.entity().buffer == 0).then(|| self.entity().header.clone())
    }

    /// The range of the body in the message. `None` inside an embedded message that had to be decoded,
    /// and in a message that is entirely UTF-16.
    #[must_use]
    pub fn body_range(self) -> Option<Range<usize>> {
        (self.entity().buffer == 0).then(|| self.entity().body.clone())
    }

    /// The offset of the body, in the message or in the embedded message that had to be decoded.
    /// Offsets of findings about the transfer encoding have the same origin.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Content-Transfer-Encoding: quoted-printable\n\nab=");
    /// let part = message.parts().next().unwrap();
    /// let finding = &part.octets().report().findings()[0].clone();
    /// assert_eq!((part.body_offset(), finding.offset()), (45, 47));
    /// ```
    #[must_use]
    pub fn body_offset(self) -> usize {
        self.entity().body.start
    }

    pub(super) fn entity(self) -> &'m Entity {
        /// Fallback for an index out of range. Every part has a valid index.
        #[cold]
        fn no_entity() -> &'static Entity {
            static NONE: LazyLock<Entity> = LazyLock::new(Entity::default);
            &NONE
        }
        let entities = &self.message.found.entities;
        entities.get(self.index).unwrap_or_else(|| no_entity())
    }

    /// The octets of the message that contains the part, without a transfer encoding.
    pub(crate) fn buffer(self) -> &'m [u8] {
        match self.entity().buffer {
            0 => self.message.source(),
            number => {
                let decoded = self.message.found.decoded.as_ref();
                let octets = decoded.and_then(|all| all.get(number - 1));
                octets.map_or(&[], Vec::as_slice)
            }
        }
    }

    #[inline]
    pub(super) fn slice(self, range: &Range<usize>) -> &'m [u8] {
        self.buffer().get(range.clone()).unwrap_or_default()
    }

    /// Its index in [`Message::entities`].
    pub(crate) fn index(self) -> usize {
        self.index
    }

    /// The line ending of `octets` of the part, or else of its header, or else CRLF.
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
        let line_end = self.entity().line_end;
        let Some(mut line) = self.header().strip_suffix(&[line_end]) else {
            return false;
        };
        if line_end == b'\n' {
            // Lines may end in CR LF or CR CR LF.
            let one = line.strip_suffix(b"\r");
            line = line.strip_suffix(b"\r\r").or(one).unwrap_or(line);
        }
        line.is_empty() || line.ends_with(&[line_end])
    }

    /// The body of the Content-Type field, or its default.
    #[inline]
    pub(super) fn content_type_body(self) -> &'m [u8] {
        match &self.entity().content_type {
            Some(range) => self.slice(range),
            None => default_type(self.is_in_digest()).as_bytes(),
        }
    }

    /// The media type and the label of the text.
    pub(super) fn type_and_charset(self) -> (Cow<'m, str>, Option<Label<'m>>) {
        let (media_type, label) = header::type_and_charset(self.content_type_body());
        if self.is_undivided() {
            (Cow::Borrowed(self.undivided_type()), label)
        } else {
            (media_type, label)
        }
    }

    /// The media type of a multipart without parts: text/html if it begins like HTML, else the default of
    /// a part (RFC 2046, section 5.1).
    pub(super) fn undivided_type(self) -> &'static str {
        if self.with_body(|body| begins_as_html(body.first_lines())) {
            "text/html"
        } else {
            "text/plain"
        }
    }

    fn is_in_digest(self) -> bool {
        self.parent().is_some_and(|parent| parent.entity().digest)
    }

    /// Whether the part is a multipart without parts whose body, which is text, is not blank.
    pub(crate) fn is_undivided(self) -> bool {
        self.entity().shape == EntityShape::Undivided && self.is_not_blank()
    }

    /// Not inlined: rarely needed, so that `is_text` only tests two flags.
    #[cold]
    fn is_not_blank(self) -> bool {
        !self.body().trim_ascii_start().is_empty()
    }

    /// Decodes the transfer encoding of the body into `buffer`, with findings.
    fn transferred(
        self,
        encoding: TransferEncoding,
        options: &Options,
        buffer: &mut Vec<u8>,
    ) -> (Cow<'m, [u8]>, Report) {
        let body = self.decodable_octets(options);
        fetch(body);
        let (octets, mut report) = transfer::decode_with(body, encoding, options.partial, buffer)
            .at(self.body_offset())
            .into_parts();
        if options.partial {
            let left = self.body().len() - body.len();
            if left > 0 {
                let end = self.body_offset() + body.len();
                report.add(Kind::Partial, end, left, "");
            }
        }
        (octets, report)
    }

    /// The text of `octets`, the body without its transfer encoding.
    fn read<'b>(
        self,
        octets: &'b [u8],
        transfer_report: Report,
        options: &Options,
        buffer: Option<&'b mut String>,
    ) -> Decoded<'b> {
        let (media_type, label) = self.type_and_charset();
        let context = context(&media_type, label.as_ref(), options);
        self.text_in(octets, transfer_report, &context, buffer)
    }

    #[expect(
        clippy::inline_always,
        reason = "one call, and an addition for few parts"
    )]
    #[inline(always)]
    fn text_in<'b>(
        self,
        octets: &'b [u8],
        transfer_report: Report,
        context: &Context<'_>,
        buffer: Option<&'b mut String>,
    ) -> Decoded<'b> {
        let mut weighing = Weighing::new(DecisionOctets::Whole(octets), context, Wanted::Report);
        self.surround(&mut weighing);
        let mut decoded = decode::read(weighing, buffer);
        if !transfer_report.is_empty() {
            add_transfer(transfer_report, &mut decoded);
        }
        decoded
    }

    /// The text of [`octets`](Part::octets) with their report, for callers that already have them and
    /// the [`content_type`](Part::content_type).
    pub(crate) fn text_of<'b>(
        self,
        octets: &'b [u8],
        transfer_report: Report,
        content_type: &ContentType<'_>,
        options: &Options,
    ) -> Decoded<'b> {
        if options.partial {
            // The octets include the end of a partial body, which missing octets could change.
            return self.text_with(options).into_owned();
        }
        let media_type = if self.is_undivided() {
            self.undivided_type()
        } else {
            content_type.media_type()
        };
        let context = context(media_type, content_type.charset(), options);
        self.text_in(octets, transfer_report, &context, None)
    }

    /// Opens the body for decoding. `observer` looks at its octets.
    pub(crate) fn open_body<O: Observer>(
        self,
        content_type: &ContentType<'_>,
        options: &Options,
        pieces: BodyPieces,
        observer: O,
    ) -> OpenBody<'m, O> {
        let of = |charset| BodyFormat {
            encoding: self.transfer_encoding(),
            charset,
            options: *options,
        };
        if pieces == BodyPieces::One {
            let (octets, report) = self.octets().into_parts();
            let decoded = match octets {
                Cow::Borrowed(octets) => self.text_of(octets, report, content_type, options),
                Cow::Owned(ref octets) => self
                    .text_of(octets, report, content_type, options)
                    .into_owned(),
            };
            return OpenBody {
                format: of(decoded.charset()),
                source: decoded.source(),
                confidence: None,
                text: TextPieces::whole(&octets, decoded, observer),
            };
        }
        let decision = self.decide(options);
        let mut format = of(decision.charset);
        if pieces == BodyPieces::Settled {
            format = format.settled(self.body());
        }
        let start = self.body_range().map_or(0, |range| range.start);
        OpenBody {
            format,
            source: decision.source,
            confidence: Some(decision.confidence),
            text: TextPieces::new(self.body(), start, format, decision.report, observer),
        }
    }

    /// Chooses the charset, with the source of the choice.
    pub(crate) fn choose(self, options: &Options) -> Choice {
        let (media_type, label) = self.type_and_charset();
        let options = &self.options_for_body(options);
        let context = context(&media_type, label.as_ref(), options);
        self.with_octets(self.decodable_octets(options), |body| {
            let mut weighing = Weighing::new(DecisionOctets::Lazy(body), &context, Wanted::Charset);
            self.surround(&mut weighing);
            weighing.decide()
        })
    }

    /// Whether all octets of the body are US-ASCII. Decoding stops at the first that is not.
    pub(crate) fn has_ascii_alone(self) -> bool {
        const PIECE: usize = 64 << 10;
        let mut decoder = TransferDecoder::new(self.transfer_encoding(), false);
        let mut pieces = self.body().chunks(PIECE);
        pieces.all(|piece| decoder.push(piece).is_ascii()) && decoder.finish().is_ascii()
    }

    /// Calls `read` with the body, whose transfer encoding is decoded on demand.
    fn with_body<T>(self, read: impl FnOnce(&LazyBody<'_>) -> T) -> T {
        self.with_octets(self.body(), read)
    }

    /// Calls `read` with part of the body.
    fn with_octets<T>(self, body: &[u8], read: impl FnOnce(&LazyBody<'_>) -> T) -> T {
        read(&LazyBody::new(body, self.transfer_encoding()))
    }
}

/// The number of pieces in which a body is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyPieces {
    One,
    Many,
    /// Several, after [`BodyFormat::settled`] has searched the whole body for old Hangul.
    Settled,
}

/// A body opened for decoding.
pub(crate) struct OpenBody<'m, O> {
    pub(crate) text: TextPieces<'m, O>,
    pub(crate) format: BodyFormat,
    pub(crate) source: Source,
    /// Confidence of the charset in percent, if already known.
    pub(crate) confidence: Option<u8>,
}

/// Adds the findings of the transfer encoding before those of the text.
pub(super) fn add_transfer(mut report: Report, decoded: &mut Decoded<'_>) {
    report.absorb(std::mem::take(&mut decoded.report), 0);
    decoded.report = report;
}

/// The part's own context.
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

/// Whether octets begin like HTML: with its first tag or its document type.
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
