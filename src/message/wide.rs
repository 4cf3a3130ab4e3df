//! A message that is entirely UTF-16 (RFC 2781), as an editor may save it.

use super::header_end::is_message_header;
use crate::charset::Charset;

/// The number of octets within which the header of a message in UTF-16 has to end.
const MAX_HEADER_SIZE: usize = 64 << 10;

/// The message in UTF-8, if the octets are a message in UTF-16 with a byte order mark.
///
/// A mark alone is not enough: a body without a header may be UTF-16 too.
pub(super) fn utf16_message(source: &[u8]) -> Option<Vec<u8>> {
    let ([0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) = source else {
        return None;
    };
    let utf16 = Charset::for_label("utf-16")?;
    let head = utf16.decode(source.get(..MAX_HEADER_SIZE).unwrap_or(source));
    if !is_message_header(without_mark(head.as_str()).as_bytes()) {
        return None;
    }
    let text = utf16.decode(source).into_text();
    Some(without_mark(&text).as_bytes().to_vec())
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}
