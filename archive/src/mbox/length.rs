//! The Content-Length of a message in a mailbox.

use std::ops::Range;

use super::lines::{Lines, after_name, number, part};

/// Corrects the Content-Length of a message in a mailbox: returns the range of its digits, and the
/// number of octets in the body.
///
/// `None` if the field is missing or correct. The body must be in its stored form, with quoted
/// lines [quoted](super::quote).
///
/// ```
/// use mime_charset_archive::mbox;
///
/// let message = b"Subject: x\nContent-Length: 8\n\nbody\n";
/// assert_eq!(mbox::right_length(message), Some((27..28, 5)));
/// ```
#[must_use]
pub fn right_length(message: &[u8]) -> Option<(Range<usize>, u64)> {
    let (place, octets) = content_length(message)?;
    let mut lines = Lines::new(message, place.end);
    let body = loop {
        let line = lines.next()?;
        if line.start > place.end && part(message, line.clone()).trim_ascii_end().is_empty() {
            break message.len() - line.end;
        }
    };
    (octets != body as u64).then_some((place, body as u64))
}

/// The Content-Length of a message: the range of its digits, and its value.
///
/// `None` if the header has no such field, or the field has no number. A program that changes the
/// length of a body in a mailbox must change this number too.
///
/// ```
/// use mime_charset_archive::mbox;
///
/// let message = b"Subject: x\nContent-Length: 5\n\nbody\n";
/// assert_eq!(mbox::content_length(message), Some((27..28, 5)));
/// ```
#[must_use]
pub fn content_length(message: &[u8]) -> Option<(Range<usize>, u64)> {
    let mut lines = Lines::new(message, 0);
    loop {
        let line = lines.next()?;
        let content = part(message, line.clone()).trim_ascii_end();
        if content.is_empty() {
            return None;
        }
        if let Some((value, octets)) = length_field(content) {
            return Some((line.start + value.start..line.start + value.end, octets));
        }
    }
}

/// Whether a line looks like a Content-Length field.
pub(crate) fn has_content_length(octets: &[u8]) -> bool {
    let mut lines = Lines::new(octets, 0);
    lines.any(|line| length_field(part(octets, line).trim_ascii_end()).is_some())
}

/// The name of the field.
pub(super) const NAME: &[u8] = b"Content-Length";

/// The range of the digits in a Content-Length line, and their value.
pub(super) fn length_field(line: &[u8]) -> Option<(Range<usize>, u64)> {
    let before = after_name(line, NAME)?
        .trim_ascii_start()
        .strip_prefix(b":")?
        .trim_ascii_start();
    let digits = before
        .iter()
        .take_while(|octet| octet.is_ascii_digit())
        .count();
    let start = line.len() - before.len();
    if digits != before.trim_ascii_end().len() {
        return None;
    }
    Some((start..start + digits, number(part(before, 0..digits))?))
}

#[cfg(test)]
mod tests {
    use super::right_length;

    /// "body" and its line ending are five octets. The digits follow "Subject: x", a line ending
    /// and "Content-Length: ": 10 + 1 + 16.
    #[test]
    fn a_wrong_length_is_corrected() {
        let message = |length| format!("Subject: x\nContent-Length: {length}\n\nbody\n");
        assert_eq!(right_length(message(7).as_bytes()), Some((27..28, 5)));
        assert_eq!(right_length(message(5).as_bytes()), None);
    }
}
