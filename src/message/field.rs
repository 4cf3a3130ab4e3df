//! A header field: a name and a body (RFC 5322, section 2.2).

use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;

use super::line::is_name;
use super::lines::FieldRange;
use super::part::Part;
use crate::charset::{Options, utf8};
use crate::decode::{self, Addresses, FieldBody, FieldText};
use crate::header::{self, Date, Piece};

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
/// // Raw octets without a declared charset that look like Korean.
/// assert_eq!(field.text().as_str(), "한 국");
/// let western = Options::new().hint(Charset::for_label("windows-1252"));
/// assert_eq!(field.text_with(&western).as_str(), "ÇÑ ±¹");
/// ```
#[derive(Clone, Copy)]
pub struct Field<'m> {
    pub(super) part: Part<'m>,
    /// The [buffer](Part::buffer) of the part, looked up once for all fields of a header.
    pub(super) buffer: &'m [u8],
    pub(super) range: FieldRange,
}

impl<'m> Field<'m> {
    /// The name as written, without the colon and the blanks before it.
    #[must_use]
    pub fn name(&self) -> &'m [u8] {
        self.buffer.get(self.range.name()).unwrap_or_default()
    }

    pub(super) fn is_named(&self, name: &[u8]) -> bool {
        self.range.name_length() == name.len() && is_name(self.name(), name)
    }

    /// The body as written: all octets after the colon, with their folds, without the last line end.
    ///
    /// The blank after the colon is part of the body (RFC 5322, section 2.2), so that offsets count
    /// from [`body_offset`](Field::body_offset). [`text`](Field::text) leaves it out.
    #[must_use]
    pub fn body(&self) -> &'m [u8] {
        self.buffer.get(self.range.body()).unwrap_or_default()
    }

    /// The range of the field in the message, with its last line ending. `None` inside an embedded
    /// message that had to be decoded, and in a message that is entirely UTF-16.
    #[must_use]
    pub fn range(&self) -> Option<Range<usize>> {
        (self.part.entity().buffer == 0).then(|| self.range.start..self.range.end())
    }

    /// The offset of the body, in the message or in the embedded message that had to be decoded.
    /// Offsets of findings in the field have the same origin.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"To: x\nSubject: =?latin1?Q?=E9?=\n\n");
    /// let subject = message.field("Subject").unwrap();
    /// assert_eq!(subject.body_offset(), 14);
    /// assert_eq!(subject.text().charsets()[0].offset, 15);
    /// ```
    #[must_use]
    pub fn body_offset(&self) -> usize {
        self.range.body().start
    }

    /// The range of the body in the message.
    pub(crate) fn body_range(&self) -> Option<Range<usize>> {
        (self.part.entity().buffer == 0).then(|| self.range.body())
    }

    /// The decoded text, unfolded, with default [`Options`]. Offsets of findings count octets of the
    /// message, or of the embedded message that had to be decoded.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Subject: =?utf-8?Q?=E2=98?=\n =?utf-8?Q?=83?=\n\n");
    /// assert_eq!(message.field("subject").unwrap().text().as_str(), "\u{2603}");
    /// ```
    #[must_use]
    pub fn text(&self) -> FieldText<'m> {
        self.text_with(&Options::new())
    }

    /// The decoded text, unfolded, read as `options` say.
    ///
    /// A charset that the caller [forces](Options::force) is always used. Otherwise raw octets are
    /// read as UTF-8 if they are well-formed, or if the well-formed parts outweigh the damage. Any
    /// other raw octets are read in the first of these charsets that can decode all of them:
    ///
    /// 1. the [`hint`](Options::hint), or, without a hint, the charset that the message uses elsewhere,
    ///    in its labels or its encoded words;
    /// 2. the charset detected for all raw fields of the message together;
    /// 3. windows-1252 (RFC 7103, section 7.7).
    ///
    /// The labels and encoded words of step 1 may apply only to ASCII text. If the raw fields of
    /// the header are then clearly text in another charset, that charset comes first.
    ///
    /// Raw octets always give a finding.
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
    /// assert_eq!(subject.as_str(), "Отчёт");
    /// assert!(subject.report().has(Kind::RawOctets));
    /// ```
    #[must_use]
    pub fn text_with(&self, options: &Options) -> FieldText<'m> {
        let body = self.trimmed_body();
        if let Some(text) = body.as_written() {
            return text;
        }
        if utf8::well_formed(body.rest()).is_none() {
            return self.decoded(body, &self.part.with_hint(options));
        }
        let text = self.decoded(body, options);
        if text.is_guessed() {
            return self.decoded(body, &self.part.with_hint(options));
        }
        text
    }

    /// The mailboxes and groups of the field with default [`Options`], parsed like From and To,
    /// under any field name (RFC 5322, section 3.4). Offsets count octets of the message, or of the
    /// embedded message that had to be decoded.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// // "Пётр, начальник" in KOI8-R, which the subject names.
    /// let message = Message::parse(
    ///     b"Subject: =?koi8-r?B?8NLJ18XU?=\n\
    ///       From: \"\xF0\xA3\xD4\xD2, \xCE\xC1\xDE\xC1\xCC\xD8\xCE\xC9\xCB\" <petr@example.org>\n\n",
    /// );
    /// let from = message.field("From").unwrap().addresses();
    /// let petr = from.mailboxes().next().unwrap();
    /// assert_eq!((petr.name.as_str(), &*petr.address), ("Пётр, начальник", "petr@example.org"));
    /// ```
    #[must_use]
    pub fn addresses(&self) -> Addresses<'m> {
        self.addresses_with(&Options::new())
    }

    /// The mailboxes and groups of the field with these options. Raw octets of names are read as
    /// [`text_with`](Field::text_with) reads them.
    ///
    /// ```
    /// use mime_charset::{Charset, Message, Options};
    ///
    /// let message = Message::parse(b"From: \xC1\xED\xED\xE1 <anna@example.org>\n\n");
    /// let greek = Options::new().hint(Charset::for_label("iso-8859-7"));
    /// let from = message.field("From").unwrap().addresses_with(&greek);
    /// assert_eq!(from.list[0].to_string(), "Αννα <anna@example.org>");
    /// ```
    #[must_use]
    pub fn addresses_with(&self, options: &Options) -> Addresses<'m> {
        let mut list = Addresses::read(self.body(), self.name_reader(options));
        list.shift(self.range.body().start);
        list
    }

    /// The date in the field, parsed like Date and Resent-Date, under any field name (RFC 5322,
    /// section 3.3). `None` if the field has no date. Offsets count octets of the message, or of
    /// the embedded message that had to be decoded.
    ///
    /// ```
    /// use mime_charset::{Kind, Message};
    ///
    /// let message = Message::parse(b"Resent-Date: Thu, 4 Mar 99 10:00:00 +0100\n\n");
    /// let date = message.field("Resent-Date").unwrap().date().unwrap();
    /// assert_eq!(date.to_string(), "1999-03-04T10:00:00+01:00");
    /// // The year.
    /// let finding = &date.report.findings()[0];
    /// assert_eq!((finding.kind(), finding.offset(), finding.length()), (Kind::DateSyntax, 24, 2));
    /// ```
    #[must_use]
    pub fn date(&self) -> Option<Date> {
        self.parse_date(header::date)
    }

    /// The date that `read` finds in the body.
    pub(super) fn parse_date(&self, read: impl FnOnce(&[u8]) -> Option<Date>) -> Option<Date> {
        let mut date = read(self.body())?;
        date.report.shift(self.body_offset());
        Some(date)
    }

    /// Decodes display names. The message's hints about raw octets are looked up at most once for
    /// all names of the field.
    fn name_reader(&self, options: &Options) -> impl Fn(&[Piece<'m>]) -> FieldText<'m> {
        let is_plain = utf8::well_formed(self.body()).is_some();
        let options = *options;
        let part = self.part;
        let hinted = OnceCell::new();
        move |pieces| {
            let hinted = || hinted.get_or_init(|| part.with_hint(&options));
            let text = decode::phrase(pieces, if is_plain { &options } else { hinted() });
            if is_plain && text.is_guessed() {
                decode::phrase(pieces, hinted())
            } else {
                text
            }
        }
    }

    /// `options` with the hint that the message gives for the octets of the field.
    pub(crate) fn reading(&self, options: &Options) -> Options {
        // Only raw octets need the hint, and looking it up takes time.
        if utf8::well_formed(self.body()).is_some() {
            *options
        } else {
            self.part.with_hint(options)
        }
    }

    /// `options` with the hint that the message gives, for encoded words with unusable labels in a
    /// field of US-ASCII.
    pub(crate) fn hinted(&self, options: &Options) -> Options {
        self.part.with_hint(options)
    }

    /// The body without leading white space, such as a fold.
    #[inline]
    fn trimmed_body(&self) -> FieldBody<'m> {
        FieldBody::new(self.body().trim_ascii_start())
    }

    fn decoded(&self, body: FieldBody<'m>, options: &Options) -> FieldText<'m> {
        let mut text = body.decoded(header::syntax(self.name()), options);
        let range = self.range.body();
        let blanks = range.len() - body.length();
        text.shift(range.start + blanks);
        text
    }
}

/// The field as written, escaped, on one line.
impl fmt::Debug for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, body) = (self.name().escape_ascii(), self.body().escape_ascii());
        write!(f, "{name}:{body}")
    }
}
