//! Embedded messages with a transfer encoding.

use memchr::memchr_iter;

use super::entity::EntityShape;
use super::limits::MAX_HEADER;
use super::line::{begins_mime_field, field_name, trim_end_blanks};
use crate::transfer::TransferEncoding;

/// The shape of a message/rfc822 under this encoding. Its body ends somewhere in `body`.
pub(super) fn shape_of_message(body: &[u8], encoding: TransferEncoding) -> EntityShape {
    if encoding.is_encoded() && !is_plain_message(body, encoding) {
        EntityShape::EncodedMessage
    } else {
        EntityShape::Message
    }
}

/// Whether the body of a message/rfc822 is not encoded although the field names a transfer
/// encoding. Such a field is not allowed (RFC 2045, section 6.4), and often names the encoding of
/// the embedded message's content. Base64 has no colons, and a `begin` line is not a field. In
/// quoted-printable, each equals sign is followed by two digits or the end of the line; in a MIME
/// parameter, the equals sign is not.
pub(super) fn is_plain_message(body: &[u8], encoding: TransferEncoding) -> bool {
    match encoding {
        TransferEncoding::Base64 | TransferEncoding::Uuencode => field_name(body).is_some(),
        TransferEncoding::QuotedPrintable => field_name(body).is_some() && has_parameter(body),
        _ => false,
    }
}

/// Whether the header at the start of the octets has a parameter that is not quoted-printable.
/// Equals signs elsewhere do not count: a conversion may remove equals signs of encoded words.
fn has_parameter(octets: &[u8]) -> bool {
    let header = octets.get(..MAX_HEADER).unwrap_or(octets);
    let lines = header.split_inclusive(|&octet| octet == b'\n');
    let mut lines = lines.take_while(|line| !trim_end_blanks(line).is_empty());
    let is_plain = |after: &[u8]| match after {
        [b'?', ..] | [b'\r', b'\n'] | [] | [_] => false,
        [first, second, ..] => !(first.is_ascii_hexdigit() && second.is_ascii_hexdigit()),
    };
    let mut is_mime = false;
    lines.any(|line| {
        let is_fold = matches!(line, [b' ' | b'\t', ..]);
        is_mime = (is_fold && is_mime) || begins_mime_field(line);
        let mut signs = memchr_iter(b'=', line).filter(|_| is_mime);
        signs.any(|at| line.get(at + 1..).is_some_and(is_plain))
    })
}
