//! Skips the byte order mark at the start of a body, since it is not text (Unicode, section 23.8).
//!
//! Other files handle a mark as evidence for a charset: `decision.rs` for HTML, XML and CSS,
//! `contradiction.rs` for other labelled text, and `unlabelled.rs` if no label is trusted.

use crate::charset::Charset;

/// The length of the longest byte order mark.
pub(super) const LONGEST_MARK: usize = 4;

/// The length of the byte order mark of a body in `charset`, and the octets after it. The decoders of
/// UTF-16 and UTF-32 without a fixed order handle their own mark.
pub(super) fn skip_bom(octets: &[u8], charset: Charset) -> (usize, &[u8]) {
    // Fast path: every mark begins with one of these octets.
    if !matches!(octets.first(), Some(0xEF | 0xFE | 0xFF | 0x00)) {
        return (0, octets);
    }
    let mark: &[u8] = match charset.name() {
        "UTF-8" | "UNICODE-1-1-UTF-8" | "CESU-8" => b"\xEF\xBB\xBF",
        "UTF-16BE" => b"\xFE\xFF",
        "UTF-16LE" => b"\xFF\xFE",
        "UTF-32BE" => b"\x00\x00\xFE\xFF",
        "UTF-32LE" => b"\xFF\xFE\x00\x00",
        _ => return (0, octets),
    };
    octets
        .strip_prefix(mark)
        .map_or((0, octets), |body| (mark.len(), body))
}
