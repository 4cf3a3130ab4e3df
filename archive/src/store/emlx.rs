//! An Apple Mail message in its `.emlx` file.
//!
//! Apple has not published the format. A file has the length of the message in octets, as a decimal
//! number on a line by itself, then the message, then a property list in XML (flags, dates). The
//! list is not mail.

/// Maximum length of the first line: a number of 20 digits, and trailing blanks.
const LONGEST_LINE: usize = 32;

/// The beginning of the property list, after white space.
const PROPERTIES: [&[u8]; 3] = [b"<?xml", b"<!DOCTYPE plist", b"<plist"];

/// The number on the first line, and the length of that line with its line ending; `None` if the
/// octets do not begin with such a line.
pub(super) fn begin(head: &[u8]) -> Option<(u64, usize)> {
    let head = head.get(..LONGEST_LINE).unwrap_or(head);
    let end = head.iter().position(|&octet| octet == b'\n')?;
    let line = head.get(..end)?.trim_ascii_end();
    let is_number = !line.is_empty() && line.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(line).ok().filter(|_| is_number)?;
    Some((number.parse().ok()?, end + 1))
}

/// Fails unless only a property list follows the message.
pub(super) fn check_rest(rest: &[u8]) -> Result<(), &'static str> {
    let rest = rest.trim_ascii_start();
    if rest.is_empty() || PROPERTIES.iter().any(|begin| rest.starts_with(begin)) {
        return Ok(());
    }
    Err("its message is followed by something other than a property list")
}
