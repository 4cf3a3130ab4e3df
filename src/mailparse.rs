//! Exact text from `mailparse`'s values, for programs that already hold them.
//!
//! `mailparse` finds the parts; what their octets say is read here as everywhere else in this
//! library, from the raw octets of its values: field bodies before any decoding, bodies under
//! their transfer encoding. Where `mailparse` and [`Message`](crate::Message) differ about the
//! structure of a message, its structure is what is read.
//!
//! Left out: what the other parts and the header of the message say about a part's charset,
//! which a value of `mailparse` does not know. [`Options::hint`] takes it.
//!
//! ```
//! use mime_charset::{Options, mailparse};
//!
//! let mail = ::mailparse::parse_mail(
//!     b"Subject: =?utf-8?B?7ZWc6g==?= =?utf-8?B?ta0=?=\r\n\
//!       Content-Type: text/plain; charset=iso-2022-kr\r\n\r\n\
//!       \x1B$)C\x0EGQ19>n\x0F\r\n",
//! )?;
//! let options = Options::new();
//! // A character cut in two, and a charset that mailparse does not decode.
//! assert_eq!(mailparse::field(&mail.headers[0], &options).text(), "한국");
//! assert_eq!(mailparse::text(&mail, &options).text(), "한국어\r\n");
//! # Ok::<(), ::mailparse::MailParseError>(())
//! ```

use std::borrow::Cow;

use mailparse::body::Body;
use mailparse::{MailHeader, ParsedMail};

use crate::charset::{Decoded, Options};
use crate::decode::{self, Context, FieldText};
use crate::header;
use crate::report::Report;
use crate::transfer;

/// The decoded text of a field, as [`decode::field`] reads it (RFC 2047; RFC 6532). Findings
/// count octets of the field's raw value.
///
/// ```
/// use mime_charset::{Options, mailparse};
///
/// let (header, _) = ::mailparse::parse_header(b"Subject: =?euc-kr?B?x9Gxub7u?=").unwrap();
/// assert_eq!(mailparse::field(&header, &Options::new()).text(), "한국어");
/// ```
#[must_use]
pub fn field(field: &MailHeader<'_>, options: &Options) -> FieldText<'static> {
    let syntax = header::syntax(field.get_key_raw());
    decode::field(field.get_value_raw(), syntax, options).into_owned()
}

/// The text of a part: its transfer encoding undone, its charset decided as
/// [`decide`](decode::decide) does. Findings about the transfer encoding count octets of the
/// raw body, findings about characters the octets that it leaves.
///
/// ```
/// use mime_charset::{Options, mailparse};
///
/// let mail = ::mailparse::parse_mail(
///     b"Content-Type: text/plain (c); charset=\"euc-kr\" (d)\r\n\r\n\xC7\xD1\xB1\xB9",
/// )
/// .unwrap();
/// let decoded = mailparse::text(&mail, &Options::new());
/// assert_eq!((decoded.charset().name(), decoded.text()), ("EUC-KR", "한국"));
/// ```
#[must_use]
pub fn text(part: &ParsedMail<'_>, options: &Options) -> Decoded<'static> {
    let first = |name: &str| {
        part.headers
            .iter()
            .find(|header| header.get_key_raw().eq_ignore_ascii_case(name.as_bytes()))
            .map(MailHeader::get_value_raw)
    };
    let encoding = first("Content-Transfer-Encoding").map_or_else(Default::default, |body| {
        header::content_transfer_encoding(body).encoding()
    });
    let encoded = part.get_body_encoded();
    let body = match &encoded {
        Body::Base64(body) | Body::QuotedPrintable(body) => body.get_raw(),
        Body::SevenBit(body) | Body::EightBit(body) => body.get_raw(),
        Body::Binary(body) => body.get_raw(),
    };
    let (octets, transfer_report) = transfer::decode(body, encoding).into_parts();
    let content_type = header::content_type(first("Content-Type").unwrap_or(b"text/plain"));
    let context = Context::new()
        .label(content_type.charset())
        .media_type(Some(content_type.media_type()))
        .options(*options);
    let octets: Cow<'_, [u8]> = octets;
    let mut decoded = decode::decode_in(&octets, &context).into_owned();
    let mut report = Report::new();
    report.absorb(transfer_report, 0);
    report.absorb(std::mem::take(&mut decoded.report), 0);
    decoded.report = report;
    decoded
}
