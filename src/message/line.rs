//! One line of a header (RFC 5322, section 2.2).

use memchr::memchr;

use crate::work::work;

/// Whether a field has this name; ASCII case is ignored (RFC 5322, section 1.2.2). The exact comparison
/// is a fast path.
#[inline]
pub(super) fn is_name(written: &[u8], name: &[u8]) -> bool {
    written == name || written.eq_ignore_ascii_case(name)
}

/// The length of the field name that starts a line, and the offset of its colon (RFC 5322, section
/// 3.6.8).
pub(super) fn field_name(line: &[u8]) -> Option<(usize, usize)> {
    if is_word_start(line) {
        return None;
    }
    let is_of_name = |octet: &u8| octet.is_ascii_graphic() && *octet != b':';
    let length = line.iter().position(|octet| !is_of_name(octet))?;
    let colon = colon_after(line, length)?;
    (length > 0).then_some((length, colon))
}

/// Whether a line begins like an encoded word (RFC 2047, section 2). It may contain a colon, but is not a
/// field.
#[inline]
pub(super) fn is_word_start(line: &[u8]) -> bool {
    line.starts_with(b"=?")
}

/// The offset of the colon after `at`, if only blanks come before it.
#[cold]
pub(super) fn colon_after(octets: &[u8], at: usize) -> Option<usize> {
    let rest = octets.get(at..)?;
    let blanks = rest.iter().position(|&octet| !is_blank(octet))?;
    (rest.get(blanks) == Some(&b':')).then_some(at + blanks)
}

/// The offset after the line ending of the line at `at`, or the end of the octets.
pub(super) fn line_end_after(source: &[u8], at: usize, line_end: u8) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    let end = memchr(line_end, rest).map_or(source.len(), |end| at + end + 1);
    work(end - at);
    end
}

/// Whether a line begins with the prefix of MIME fields (RFC 2045, section 3).
pub(super) fn begins_mime_field(line: &[u8]) -> bool {
    let name = line.get(.."Content-".len());
    name.is_some_and(|name| name.eq_ignore_ascii_case(b"Content-"))
}

/// Trims trailing blanks and line endings.
pub(super) fn trim_end_blanks(octets: &[u8]) -> &[u8] {
    let end = octets
        .iter()
        .rposition(|octet| !matches!(octet, b' ' | b'\t' | b'\r' | b'\n'));
    octets
        .get(..end.map_or(0, |last| last + 1))
        .unwrap_or_default()
}

pub(super) fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}
