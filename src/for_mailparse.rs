//! Exact text from `mailparse` values, for programs that already have them.
//!
//! `mailparse` finds the parts; this library decodes them from the raw octets of its values: field
//! bodies before any decoding, bodies under their transfer encoding. If `mailparse` and
//! [`Message`](crate::Message) find different structures in a message, the structure from
//! `mailparse` is used.
//!
//! Not used: hints about a part's charset from the other parts and the header of the message, which a
//! `mailparse` value does not have. The caller can pass one as [`Options::hint`].
//!
//! Supports the values of mailparse 0.16, 0.17 and 0.18. For Rust these are different types, and
//! Cargo chooses the newest version. A program that uses an older version pins it with
//! `cargo update --package mailparse@0.18.0 --precise 0.16.1`. mailparse before 0.16 includes the
//! line end before a delimiter in the body, against RFC 2046, section 5.1.1.
//!
//! ```
//! use mime_charset::{Options, for_mailparse};
//!
//! let mail = mailparse::parse_mail(
//!     b"Subject: =?utf-8?B?7ZWc6g==?= =?utf-8?B?ta0=?=\r\n\
//!       Content-Type: text/plain; charset=iso-2022-kr\r\n\r\n\
//!       \x1B$)C\x0EGQ19>n\x0F\r\n",
//! )?;
//! let options = Options::new();
//! // A character split between two words, and a charset that mailparse does not decode.
//! assert_eq!(for_mailparse::field(&mail.headers[0], &options).as_str(), "한국");
//! assert_eq!(for_mailparse::text(&mail, &options).as_str(), "한국어\r\n");
//! # Ok::<(), mailparse::MailParseError>(())
//! ```

use std::collections::HashMap;

use mailparse::body::Body;
use mailparse::{MailHeader, ParsedMail};
use memchr::memmem;

use crate::charset::{Decoded, Options};
use crate::decode::{self, Addresses, Context, Decision, FieldText, TextForm, TextToCompare};
use crate::header::{self, ContentDisposition, ContentType, Piece, Syntax};
use crate::report::Report;
use crate::transfer::{self, TransferEncoding, Transferred};

/// The decoded text of a field, as from [`decode::field`] (RFC 2047; RFC 6532). Offsets of findings
/// count octets of the field's raw value.
///
/// ```
/// use mime_charset::{Options, for_mailparse};
///
/// let (header, _) = mailparse::parse_header(b"Subject: =?euc-kr?B?x9Gxub7u?=").unwrap();
/// assert_eq!(for_mailparse::field(&header, &Options::new()).as_str(), "한국어");
/// ```
#[must_use]
pub fn field(field: &MailHeader<'_>, options: &Options) -> FieldText<'static> {
    let syntax = header::syntax(field.get_key_raw());
    decode::field(field.get_value_raw(), syntax, options).into_owned()
}

/// The text of a part: decodes its transfer encoding, and then its charset as chosen by
/// [`decide`](decode::decide). Offsets of findings about the transfer encoding count octets of the
/// raw body. Offsets of findings about characters count the decoded octets.
///
/// ```
/// use mime_charset::{Options, for_mailparse};
///
/// let mail = mailparse::parse_mail(
///     b"Content-Type: text/plain (c); charset=\"euc-kr\" (d)\r\n\r\n\xC7\xD1\xB1\xB9",
/// )
/// .unwrap();
/// let decoded = for_mailparse::text(&mail, &Options::new());
/// assert_eq!((decoded.charset().name(), decoded.as_str()), ("EUC-KR", "한국"));
/// ```
#[must_use]
pub fn text(part: &ParsedMail<'_>, options: &Options) -> Decoded<'static> {
    let (octets, transfer_report) = octets(part).into_parts();
    let content_type = content_type(part);
    let context = context(&content_type, options);
    let mut decoded = decode::decode(&octets, &context).into_owned();
    let mut report = Report::new();
    report.absorb(transfer_report, 0);
    report.absorb(std::mem::take(&mut decoded.report), 0);
    decoded.report = report;
    decoded
}

/// The charset of a part as chosen by [`decode::decide`], with its source and evidence.
///
/// ```
/// use mime_charset::{Options, Source, for_mailparse};
///
/// let mail = mailparse::parse_mail(b"Content-Type: text/plain; charset=koi8-r\r\n\r\n\xF0\xD2\xC9")?;
/// let decision = for_mailparse::decide(&mail, &Options::new());
/// assert_eq!((decision.charset.name(), decision.source), ("KOI8-R", Source::Declared));
/// # Ok::<(), mailparse::MailParseError>(())
/// ```
#[must_use]
pub fn decide(part: &ParsedMail<'_>, options: &Options) -> Decision {
    let content_type = content_type(part);
    decode::decide(octets(part).as_bytes(), &context(&content_type, options))
}

/// The octets of a part, after transfer decoding as in [`transfer::decode`]. Offsets of findings count
/// octets of the raw body.
///
/// ```
/// use mime_charset::for_mailparse;
///
/// let mail = mailparse::parse_mail(b"Content-Transfer-Encoding: base64\r\n\r\nQ2Fm6Q")?;
/// assert_eq!(for_mailparse::octets(&mail).as_bytes(), b"Caf\xE9");
/// # Ok::<(), mailparse::MailParseError>(())
/// ```
pub fn octets<'p>(part: &'p ParsedMail<'_>) -> Transferred<'p> {
    let encoding = first(part, "Content-Transfer-Encoding");
    let encoding = encoding.map_or_else(Default::default, |body| {
        header::content_transfer_encoding(body).encoding()
    });
    transfer::decode(raw_body(&part.get_body_encoded()), encoding)
}

/// The Content-Type of a part, with its parameters; `text/plain` if it has none (RFC 2045, section
/// 5.2). Offsets of findings count octets of the field's raw value.
///
/// ```
/// use mime_charset::{Options, for_mailparse};
///
/// let mail = mailparse::parse_mail(b"Content-Type: image/png; name*=utf-8''%C3%A9.png\r\n\r\n")?;
/// let field = for_mailparse::content_type(&mail);
/// assert_eq!(field.media_type(), "image/png");
/// assert_eq!(field.parameter("name").unwrap().text(), "é.png");
/// # Ok::<(), mailparse::MailParseError>(())
/// ```
#[must_use]
pub fn content_type<'p>(part: &'p ParsedMail<'_>) -> ContentType<'p> {
    header::content_type(first(part, "Content-Type").unwrap_or(b"text/plain"))
}

/// The Content-Disposition of a part, with its parameters, if it has one. Offsets of findings count
/// octets of the field's raw value.
///
/// ```
/// use mime_charset::for_mailparse;
///
/// let mail = mailparse::parse_mail(b"Content-Disposition: Inline; size=2\r\n\r\n")?;
/// let field = for_mailparse::content_disposition(&mail).unwrap();
/// assert_eq!((field.disposition(), field.parameters().len()), ("inline", 1));
/// # Ok::<(), mailparse::MailParseError>(())
/// ```
#[must_use]
pub fn content_disposition<'p>(part: &'p ParsedMail<'_>) -> Option<ContentDisposition<'p>> {
    first(part, "Content-Disposition").map(header::content_disposition)
}

/// The file name of a part: the filename of Content-Disposition (RFC 2183, section 2.3), or else
/// the name of Content-Type. Offsets of findings count octets of that field's raw value.
///
/// ```
/// use mime_charset::{Options, for_mailparse};
///
/// let mail = mailparse::parse_mail(b"Content-Disposition: inline; filename*=euc-kr''%C7%D1.txt\r\n\r\n")?;
/// assert_eq!(for_mailparse::filename(&mail, &Options::new()).unwrap(), "한.txt");
/// # Ok::<(), mailparse::MailParseError>(())
/// ```
#[must_use]
pub fn filename<'p>(part: &'p ParsedMail<'_>, options: &Options) -> Option<FieldText<'p>> {
    let disposition = content_disposition(part);
    let of_disposition = disposition
        .as_ref()
        .and_then(|field| field.parameter("filename"));
    let of_type = || Some(content_type(part).parameter("name")?.text_with(options));
    of_disposition
        .map(|name| name.text_with(options))
        .or_else(of_type)
}

/// The addresses of a field (RFC 5322, section 3.4). Offsets of findings count octets of its raw
/// value.
///
/// ```
/// use mime_charset::{Options, for_mailparse};
///
/// let (header, _) = mailparse::parse_header(b"To: =?euc-kr?B?x9Gxub7u?= <han@example.org>")?;
/// let list = for_mailparse::addresses(&header, &Options::new());
/// assert_eq!(list.list[0].to_string(), "한국어 <han@example.org>");
/// # Ok::<(), mailparse::MailParseError>(())
/// ```
#[must_use]
pub fn addresses<'f>(field: &'f MailHeader<'_>, options: &Options) -> Addresses<'f> {
    decode::addresses_with(field.get_value_raw(), options)
}

/// The raw value of the first field of that name.
fn first<'p>(part: &'p ParsedMail<'_>, name: &str) -> Option<&'p [u8]> {
    part.headers
        .iter()
        .find(|header| header.get_key_raw().eq_ignore_ascii_case(name.as_bytes()))
        .map(MailHeader::get_value_raw)
}

/// The context for choosing a part's charset: its own header only.
fn context<'c>(content_type: &'c ContentType<'_>, options: &Options) -> Context<'c> {
    Context::new()
        .label(content_type.charset())
        .media_type(Some(content_type.media_type()))
        .options(*options)
}

/// Whether `mailparse` decodes each text to the same text. The texts are ranges of an outer message, in
/// which `message` begins at `start`. `None` if `mailparse` finds no such part or field, parses the
/// message differently, or would take too long.
pub(crate) fn agrees(
    message: &[u8],
    start: usize,
    texts: &[&TextToCompare<'_>],
) -> Vec<Option<bool>> {
    let mail = is_cheap_to_parse(message)
        .then(|| mailparse::parse_mail(message))
        .and_then(Result::ok);
    let Some(mail) = mail else {
        return vec![None; texts.len()];
    };
    let place = |slice: &[u8]| (slice.as_ptr() as usize).wrapping_sub(message.as_ptr() as usize);
    let mut bodies = HashMap::new();
    let mut fields = HashMap::new();
    for part in mail.parts() {
        if part.subparts.is_empty() {
            let encoded = part.get_body_encoded();
            bodies.insert(place(raw_body(&encoded)), part);
        }
        for header in &part.headers {
            fields.insert(place(header.get_value_raw()), header);
        }
    }
    let agrees = |decoded: &&TextToCompare<'_>| {
        let range = decoded.range.start - start..decoded.range.end - start;
        let octets = message.get(range.clone())?;
        match decoded.form {
            TextForm::Body(encoding) => {
                let part = bodies.get(&range.start)?;
                agrees_on_body(part, octets, encoding, &decoded.text)
            }
            TextForm::Field(syntax) => {
                let blanks = octets.len() - octets.trim_ascii_start().len();
                let header = fields.get(&(range.start + blanks))?;
                agrees_on_field(header, octets, syntax, &decoded.text)
            }
        }
    };
    texts.iter().map(agrees).collect()
}

/// Whether `mailparse` can parse a message with little stack, and in roughly linear time and memory. It
/// recurses into multiparts, splits a Content-Type into lists, and parses a field from its start again
/// for each encoded word.
fn is_cheap_to_parse(message: &[u8]) -> bool {
    let mut multiparts = 0;
    for field in content_types(message) {
        let lower = field.to_ascii_lowercase();
        let may_nest = ["boundary", "=?"].map(|part| memmem::find(&lower, part.as_bytes()));
        multiparts += usize::from(may_nest != [None, None]);
        if field.len() > MAX_FIELD || multiparts > MAX_MULTIPARTS {
            return false;
        }
    }
    let delimiters = || memmem::find_iter(message, b"\n--").take(MAX_DELIMITERS);
    if multiparts > 0 && delimiters().count() == MAX_DELIMITERS {
        return false;
    }
    if count_header_lines(message) > MAX_LINES {
        return false;
    }
    let most = (1 << 20) + 16 * message.len();
    let (mut field, mut cost) = (0..0, 0);
    for word in memmem::find_iter(message, b"=?") {
        if !field.contains(&word) {
            let before = message.get(..word).unwrap_or_default();
            let start = memchr::memrchr_iter(b'\n', before).find(|&at| !is_fold(message, at));
            field = start.map_or(0, |at| at + 1)..end_of_field(message, word);
        }
        cost += field.len();
        if cost > most {
            return false;
        }
    }
    true
}

/// Maximum length of a field.
const MAX_FIELD: usize = 16 << 10;
/// Maximum number of multiparts, which may be nested.
const MAX_MULTIPARTS: usize = 16;
/// Maximum number of lines that may be delimiters, since each part takes a kilobyte.
const MAX_DELIMITERS: usize = 4096;

/// Maximum number of header lines, since each takes 150 octets, including the results.
const MAX_LINES: usize = 32 << 10;

/// The number of lines that may be fields, or more than [`MAX_LINES`]: the lines up to a blank line, at
/// the start and after each line that may be a delimiter.
fn count_header_lines(message: &[u8]) -> usize {
    if message.len() <= 2 * MAX_LINES {
        return 0;
    }
    let (mut count, mut start, mut is_header) = (0, 0, true);
    for end in memchr::memchr_iter(b'\n', message) {
        match message.get(start..end).unwrap_or_default() {
            [] | [b'\r'] => is_header = false,
            [b'-', b'-', ..] => is_header = true,
            _ => count += usize::from(is_header),
        }
        if count > MAX_LINES {
            break;
        }
        start = end + 1;
    }
    count
}

/// Lines anywhere that look like a Content-Type field, with their folds.
fn content_types(message: &[u8]) -> impl Iterator<Item = &[u8]> {
    const NAME: &[u8] = b"content-type";
    let starts = memchr::memchr_iter(b'\n', message).map(|at| at + 1);
    let is_named = |&start: &usize| {
        let name = message.get(start..start + NAME.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(NAME))
    };
    std::iter::once(0)
        .chain(starts)
        .filter(is_named)
        .filter_map(|start| message.get(start..end_of_field(message, start)))
}

/// The end of the field that contains `at`: the first line end without a fold.
fn end_of_field(message: &[u8], at: usize) -> usize {
    let after = message.get(at..).unwrap_or_default();
    memchr::memchr_iter(b'\n', after)
        .map(|end| at + end)
        .find(|&end| !is_fold(message, end))
        .unwrap_or(message.len())
}

fn is_fold(message: &[u8], line_end: usize) -> bool {
    matches!(message.get(line_end + 1), Some(b' ' | b'\t'))
}

fn raw_body<'a>(body: &Body<'a>) -> &'a [u8] {
    match body {
        Body::Base64(body) | Body::QuotedPrintable(body) => body.get_raw(),
        Body::SevenBit(body) | Body::EightBit(body) => body.get_raw(),
        Body::Binary(body) => body.get_raw(),
    }
}

/// Compares only if `mailparse` finds the same octets under the same encoding in UTF-8.
fn agrees_on_body(
    part: &ParsedMail<'_>,
    octets: &[u8],
    encoding: TransferEncoding,
    text: &str,
) -> Option<bool> {
    let encoded = part.get_body_encoded();
    let is_same_encoding = match &encoded {
        Body::Base64(_) => encoding == TransferEncoding::Base64,
        Body::QuotedPrintable(_) => encoding == TransferEncoding::QuotedPrintable,
        _ => encoding.is_identity(),
    };
    let is_comparable = is_same_encoding
        && part.ctype.charset.eq_ignore_ascii_case("utf-8")
        && raw_body(&encoded).trim_ascii_end() == octets.trim_ascii_end();
    if !is_comparable {
        return None;
    }
    let other_text = match encoded {
        Body::Binary(body) => body.get_as_string(),
        _ => part.get_body(),
    };
    // `mailparse` removes a byte order mark, but only one.
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    Some(other_text.is_ok_and(|other_text| plain(&other_text).eq(plain(text))))
}

/// Text without the changes of `mailparse`, which ends the lines of quoted-printable in CRLF.
fn plain(text: &str) -> impl Iterator<Item = u8> {
    let text = text.trim_end_matches(['\r', '\n']);
    text.bytes().filter(|octet| *octet != b'\r')
}

/// Skips words that `mailparse` decodes in its own way (those that no blank separates from other text,
/// that name a language or another charset, or that are malformed), and quotes, which it keeps.
fn agrees_on_field(
    field: &MailHeader<'_>,
    octets: &[u8],
    syntax: Syntax,
    text: &str,
) -> Option<bool> {
    let pieces = header::pieces(octets, syntax);
    let is_plain = |piece: &Piece<'_>| match piece {
        Piece::Word(word) => {
            let label = word.label_octets();
            word.language().is_none()
                && [b"utf-8".as_slice(), b"us-ascii"]
                    .iter()
                    .any(|name| name.eq_ignore_ascii_case(label))
        }
        Piece::Text(text) => {
            let octets = text.octets();
            memmem::find(octets, b"=?").is_none() && memmem::find(octets, b"?=").is_none()
        }
    };
    let is_comparable = octets.len() <= MAX_FIELD
        && octets.is_ascii()
        && !memchr::memchr_iter(b'\r', octets).any(|at| octets.get(at + 1) != Some(&b'\n'))
        && field.get_value_raw().trim_ascii() == octets.trim_ascii()
        && pieces.report().is_empty()
        && pieces.as_slice().iter().all(is_plain);
    if !is_comparable {
        return None;
    }
    let plain = |text: &str| {
        let mut text = text.to_owned();
        text.retain(|character| !matches!(character, '"' | '\\' | ' ' | '\t'));
        text
    };
    Some(plain(&field.get_value()) == plain(text))
}
