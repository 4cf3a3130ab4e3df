//! The two headers of a Babyl message: the original one, and the visible one that Rmail shows.
//!
//! The line `*** EOOH ***` ends the original header. That line and the visible header are in the
//! file, but not part of the message.

use std::borrow::Cow;
use std::ops::Range;

use super::lines::{Lines, part};
use super::separator::starts_with_field;

/// The line after the original header.
const END_OF_HEADER: &[u8] = b"*** EOOH ***";

/// The line `*** EOOH ***` that ends the original header, with or without a blank line before it.
pub(super) fn end_of_header(stored: &[u8]) -> Option<Range<usize>> {
    let mut is_over = false;
    for line in Lines::new(stored, 0) {
        let content = part(stored, line.clone()).trim_ascii_end();
        if content == END_OF_HEADER {
            return Some(line);
        }
        if is_over && !content.is_empty() {
            return None;
        }
        is_over |= is_blank(part(stored, line));
    }
    None
}

fn is_blank(line: &[u8]) -> bool {
    matches!(line, b"\n" | b"\r\n")
}

/// The length of a header, with and without its blank line.
pub(super) fn header(octets: &[u8]) -> (usize, usize) {
    let mut lines = Lines::new(octets, 0);
    lines
        .find(|line| is_blank(part(octets, line.clone())))
        .map_or((octets.len(), octets.len()), |line| (line.end, line.start))
}

/// Whether the lines before the first blank line are a header. Python's `BabylMessage` writes no
/// visible header, and the text directly after the line `*** EOOH ***`.
fn has_fields(octets: &[u8]) -> bool {
    let mut is_first = true;
    Lines::new(octets, 0)
        .map(|line| part(octets, line))
        .take_while(|line| !is_blank(line))
        .all(|line| {
            let is_fold = matches!(line, [b' ' | b'\t', ..]) && !is_first;
            is_first = false;
            is_fold || starts_with_field(line, false) == Some(true)
        })
}

/// The octets that are not part of the message: the line `*** EOOH ***`, and the visible header if
/// there is one. The visible header's blank line belongs to the message if the original header
/// lacks one.
struct RmailData {
    range: Range<usize>,
    /// Whether the original header has its blank line.
    follows_blank: bool,
    has_visible: bool,
}

impl RmailData {
    fn of(stored: &[u8]) -> Option<Self> {
        let line = end_of_header(stored)?;
        let before_line = part(stored, 0..line.start);
        if before_line.trim_ascii().is_empty() {
            return Some(RmailData {
                range: 0..line.end,
                follows_blank: false,
                has_visible: false,
            });
        }
        // Further blank lines belong to the octets after them.
        let (start, end_of_fields) = header(before_line);
        let follows_blank = start > end_of_fields;
        let rest_after = part(stored, line.end..stored.len());
        let visible = match has_fields(rest_after) {
            true => header(rest_after),
            false if follows_blank => (0, 0),
            // Nothing else separates the text from the header.
            false => return None,
        };
        let length = if follows_blank { visible.0 } else { visible.1 };
        Some(RmailData {
            range: start..line.end + length,
            follows_blank,
            has_visible: length > 0,
        })
    }
}

/// The offset of the body in a stored message.
pub(super) fn body(stored: &[u8]) -> usize {
    match RmailData::of(stored) {
        Some(rmail) if rmail.follows_blank => rmail.range.end,
        Some(rmail) => {
            let start = rmail.range.end;
            start + header(part(stored, start..stored.len())).0
        }
        None => header(stored).0,
    }
}

/// The message without Rmail's own data.
pub(super) fn unquote(stored: &[u8]) -> Cow<'_, [u8]> {
    match RmailData::of(stored) {
        None => Cow::Borrowed(stored),
        Some(RmailData { range, .. }) => {
            let rest_after = part(stored, range.end..stored.len());
            if range.start == 0 {
                return Cow::Borrowed(rest_after);
            }
            Cow::Owned([part(stored, 0..range.start), rest_after].concat())
        }
    }
}

/// Maps an offset in a message to the offset in its stored form.
pub(super) fn place(stored: &[u8], at: usize) -> usize {
    let rmail = RmailData::of(stored).filter(|rmail| at >= rmail.range.start);
    at + rmail.map_or(0, |rmail| rmail.range.len())
}

/// The stored form of a new message: its header follows the line `*** EOOH ***`.
pub(super) fn quote(message: &[u8]) -> Cow<'_, [u8]> {
    Cow::Owned([END_OF_HEADER, b"\n", message].concat())
}

/// The stored form of a message that replaces the stored one. Keeps Rmail's data of the stored
/// message.
pub(super) fn written<'m>(stored: &[u8], message: &'m [u8]) -> Cow<'m, [u8]> {
    let Some(rmail) = RmailData::of(stored) else {
        return Cow::Borrowed(message);
    };
    let at = if rmail.range.start == 0 {
        0
    } else if rmail.follows_blank {
        header(message).0
    } else {
        header(message).1
    };
    let (before_line, rest_after) = (part(message, 0..at), part(message, at..message.len()));
    // Without a visible header, text that looks like one needs a blank line.
    let looks_visible = rmail.follows_blank && !rmail.has_visible && has_fields(rest_after);
    let blank: &[u8] = match part(stored, rmail.range.clone()) {
        _ if !looks_visible || rest_after.is_empty() => b"",
        line if line.ends_with(b"\r\n") => b"\r\n",
        _ => b"\n",
    };
    Cow::Owned([before_line, part(stored, rmail.range), blank, rest_after].concat())
}

#[cfg(test)]
mod tests {
    use super::{unquote, written};

    /// Replacement text without a visible header is never parsed as one.
    #[test]
    fn text_is_not_parsed_as_a_visible_header() {
        let stored = b"Subject: x\n\n*** EOOH ***\ntext\n";
        for message in [
            "Subject: x\n\nNote: y\n",
            "Subject: x\n\n\ny\n",
            "Subject: x\n\n",
        ] {
            let other = written(stored, message.as_bytes());
            assert_eq!(*unquote(&other), *message.as_bytes());
        }
    }
}
