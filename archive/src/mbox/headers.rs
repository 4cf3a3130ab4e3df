//! The two headers of a message in Babyl: the original one, and the visible one that Rmail shows.
//!
//! The line `*** EOOH ***` ends the first. That line and the visible header are in the file but not part
//! of the message.

use std::borrow::Cow;
use std::ops::Range;

use super::lines::{Lines, part};
use super::separator::starts_with_field;

/// The line after the original header.
const END_OF_HEADER: &[u8] = b"*** EOOH ***";

/// The line after the original header, which ends there or with a blank line before it.
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

/// The length of a header, its blank line with it or, by the second number, without.
pub(super) fn header(octets: &[u8]) -> (usize, usize) {
    let mut lines = Lines::new(octets, 0);
    lines
        .find(|line| is_blank(part(octets, line.clone())))
        .map_or((octets.len(), octets.len()), |line| (line.end, line.start))
}

/// Whether the lines before the first blank line are a header. Python's `BabylMessage` writes no visible
/// one, and the text directly after the line `*** EOOH ***`.
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

/// The octets that are not part of the message: the line after the original header and, if there is one,
/// the visible header. The blank line of that one belongs to the message where the original
/// header has none.
struct Aside {
    range: Range<usize>,
    /// Whether the original header has its blank line.
    is_behind_blank: bool,
    has_visible: bool,
}

impl Aside {
    fn of(stored: &[u8]) -> Option<Self> {
        let line = end_of_header(stored)?;
        let in_front = part(stored, 0..line.start);
        if in_front.trim_ascii().is_empty() {
            return Some(Aside {
                range: 0..line.end,
                is_behind_blank: false,
                has_visible: false,
            });
        }
        // Further blank lines belong to the line that follows.
        let (start, end_of_fields) = header(in_front);
        let is_behind_blank = start > end_of_fields;
        let behind = part(stored, line.end..stored.len());
        let visible = match has_fields(behind) {
            true => header(behind),
            false if is_behind_blank => (0, 0),
            // Nothing else parts the text from the header.
            false => return None,
        };
        let length = if is_behind_blank {
            visible.0
        } else {
            visible.1
        };
        Some(Aside {
            range: start..line.end + length,
            is_behind_blank,
            has_visible: length > 0,
        })
    }
}

/// Where the body of a stored message begins.
pub(super) fn body(stored: &[u8]) -> usize {
    match Aside::of(stored) {
        Some(aside) if aside.is_behind_blank => aside.range.end,
        Some(aside) => {
            let start = aside.range.end;
            start + header(part(stored, start..stored.len())).0
        }
        None => header(stored).0,
    }
}

/// The message without Rmail's own data.
pub(super) fn unquote(stored: &[u8]) -> Cow<'_, [u8]> {
    match Aside::of(stored) {
        None => Cow::Borrowed(stored),
        Some(Aside { range, .. }) => {
            let behind = part(stored, range.end..stored.len());
            if range.start == 0 {
                return Cow::Borrowed(behind);
            }
            Cow::Owned([part(stored, 0..range.start), behind].concat())
        }
    }
}

/// Where an octet of a message is in what is stored of it.
pub(super) fn place(stored: &[u8], at: usize) -> usize {
    let aside = Aside::of(stored).filter(|aside| at >= aside.range.start);
    at + aside.map_or(0, |aside| aside.range.len())
}

/// Stores a message with its header after the line `*** EOOH ***`.
pub(super) fn quote(message: &[u8]) -> Cow<'_, [u8]> {
    Cow::Owned([END_OF_HEADER, b"\n", message].concat())
}

/// Stores a message in place of another, with Rmail's data of that one.
pub(super) fn written<'m>(stored: &[u8], message: &'m [u8]) -> Cow<'m, [u8]> {
    let Some(aside) = Aside::of(stored) else {
        return Cow::Borrowed(message);
    };
    let at = if aside.range.start == 0 {
        0
    } else if aside.is_behind_blank {
        header(message).0
    } else {
        header(message).1
    };
    let (in_front, behind) = (part(message, 0..at), part(message, at..message.len()));
    // Without a visible header, text that looks like one needs a blank line.
    let looks_visible = aside.is_behind_blank && !aside.has_visible && has_fields(behind);
    let blank: &[u8] = match part(stored, aside.range.clone()) {
        _ if !looks_visible || behind.is_empty() => b"",
        line if line.ends_with(b"\r\n") => b"\r\n",
        _ => b"\n",
    };
    Cow::Owned([in_front, part(stored, aside.range), blank, behind].concat())
}

#[cfg(test)]
mod tests {
    use super::{unquote, written};

    /// What is written in place of text without a visible header is text, whatever it looks like.
    #[test]
    fn text_is_not_taken_for_a_visible_header() {
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
