//! MMDF mailboxes: each message is between two lines of four octets 01 (mmdf(5)).
//!
//! Messages are not quoted, since they must not contain a line of four octets 01. Programs that
//! also write mbox put a `From ` line after the first line of four octets 01. The `From ` line is
//! not part of the message. A truncated message ends at the end of the file. Anything but blank
//! lines between two messages is an error; it becomes a message of its own, so that it is not lost.

use super::dialect::Dialect;
use super::entry::Entry;
use super::lines::{after_line_ends, mark_line, next_line, part};
use super::separator::separator_line;

const MARK: &[u8] = b"\x01\x01\x01\x01";

/// The length of the line of four octets 01 at the start of `octets`; 0 if there is none. `None` if
/// more octets are needed.
pub(super) fn line(octets: &[u8], more: bool) -> Option<usize> {
    mark_line(octets, MARK, more)
}

/// The entry at the start of `octets`; `None` if `more` octets are needed.
pub(super) fn entry(octets: &[u8], more: bool) -> Option<Entry> {
    let mut separator = 0..line(octets, more)?;
    if !separator.is_empty() {
        let from = separator_line(octets, separator.end, more)?;
        // A truncated `From ` line is text.
        if part(octets, from.clone()).ends_with(b"\n") {
            separator.end = from.end;
        }
    }
    let next = next_line(octets, separator.end, MARK, line, more)?;
    if separator.is_empty() {
        // The line begins the next message.
        return Some(Entry::new(Dialect::Mmdf, separator, next.start, next.start));
    }
    let end = after_line_ends(octets, next.end);
    let is_whole = !more || end < octets.len();
    is_whole.then(|| Entry::new(Dialect::Mmdf, separator, next.start, end))
}

#[cfg(test)]
mod tests {
    use super::super::{Dialect, Stored, read};

    const ONE: &str = "\u{1}\u{1}\u{1}\u{1}\nSubject: one\n\nFrom me\n\u{1}\u{1}\u{1}\u{1}\n";
    const TWO: &str = "\u{1}\u{1}\u{1}\u{1}\r\nFrom a Sat Jan  3 01:05:34 1996\r\n\r\ntwo\r\n\u{1}\u{1}\u{1}\u{1}\r\n";

    /// The octets before, in and after each message. They must not depend on how the file is split
    /// into reads.
    fn parts(file: &str) -> Vec<[String; 3]> {
        struct Slow<'o>(&'o [u8]);
        impl std::io::Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let length = buffer.len().min(1);
                std::io::Read::read(&mut self.0, &mut buffer[..length])
            }
        }
        let shown = |octets: &[u8]| String::from_utf8(octets.to_vec()).unwrap();
        let octets = file.as_bytes();
        let streamed: Vec<_> = read(Slow(octets)).map(Result::unwrap).collect();
        assert!(
            read(octets)
                .map(Result::unwrap)
                .eq(streamed.iter().cloned())
        );
        let of = |stored: &Stored| {
            assert_eq!(stored.entry().dialect(), Dialect::Mmdf);
            [stored.before(), &stored.message(), stored.after()].map(shown)
        };
        let parts: Vec<_> = streamed.iter().map(of).collect();
        assert_eq!(parts.concat().concat(), file);
        parts
    }

    #[test]
    fn a_message_is_between_two_lines() {
        let two = "\u{1}\u{1}\u{1}\u{1}\r\nFrom a Sat Jan  3 01:05:34 1996\r\n";
        assert_eq!(
            parts(&format!("{ONE}{TWO}\n\n{ONE}")),
            [
                [
                    "\u{1}\u{1}\u{1}\u{1}\n",
                    "Subject: one\n\nFrom me\n",
                    "\u{1}\u{1}\u{1}\u{1}\n"
                ],
                [two, "\r\ntwo\r\n", "\u{1}\u{1}\u{1}\u{1}\r\n\n\n"],
                [
                    "\u{1}\u{1}\u{1}\u{1}\n",
                    "Subject: one\n\nFrom me\n",
                    "\u{1}\u{1}\u{1}\u{1}\n"
                ],
            ]
        );
    }

    #[test]
    fn truncated_messages_and_text_between_messages_are_kept() {
        let all = parts(&format!("{ONE}lost\n{ONE}"));
        assert_eq!(all[1], ["", "lost\n", ""]);
        assert_eq!(all.len(), 3);
        for cut in 5..ONE.len() {
            let one = parts(&ONE[..cut]);
            assert_eq!(one.len(), 1, "{cut}");
        }
        // Octets 01 that are not such a line.
        for text in [
            "\u{1}\u{1}\u{1}\u{1} a\n",
            "a\u{1}\u{1}\u{1}\u{1}\n",
            "\u{1}\u{1}\u{1}\u{1}\u{1}\n",
        ] {
            let all = parts(&format!(
                "\u{1}\u{1}\u{1}\u{1}\n{text}\u{1}\u{1}\u{1}\u{1}\n"
            ));
            assert_eq!(all[0][1], text);
        }
    }
}
