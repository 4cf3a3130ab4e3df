//! MMDF mailboxes: each message is between two lines of four octets 01 (mmdf(5)).
//!
//! Messages are not quoted, since they must not contain a line of four octets 01. Programs that
//! also write mbox put a `From ` line after the first line of four octets 01. The `From ` line is
//! not part of the message. A truncated message ends at the end of the file. Anything but blank
//! lines between two messages is an error; it becomes a message of its own, so that it is not lost.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memchr;
use memchr::memmem::Finder;

use super::dialect::Dialect;
use super::entry::Entry;
use super::lines::{after_line_ends, part};
use super::separator::{LONGEST_LINE, Separators};

const MARK: &[u8] = b"\x01\x01\x01\x01";

/// The length of the line of four octets 01 at the start of `octets`; 0 if there is none. `None` if
/// more octets are needed.
pub(super) fn line(octets: &[u8], more: bool) -> Option<usize> {
    let Some(rest) = octets.strip_prefix(MARK) else {
        let is_cut = more && MARK.starts_with(octets);
        return (!is_cut).then_some(0);
    };
    match rest {
        [b'\n', ..] => Some(MARK.len() + 1),
        [b'\r', b'\n', ..] => Some(MARK.len() + 2),
        [] | [b'\r'] if more => None,
        [] => Some(MARK.len()),
        _ => Some(0),
    }
}

/// Finds the end of one entry. May be called again as more octets arrive.
#[derive(Debug, Default)]
pub(super) struct MmdfScan {
    /// The line before the message, with the `From ` line if there is one.
    separator: Option<Range<usize>>,
    /// Offset up to which the line after the message was searched for.
    searched: usize,
    /// Offset after the blank lines that follow that line, as far as they were read.
    blank: usize,
}

impl MmdfScan {
    /// The entry at the start of `octets`; `None` if `more` octets are needed.
    pub(super) fn entry(&mut self, octets: &[u8], more: bool) -> Option<Entry> {
        let separator = self.separator(octets, more)?;
        let line = self.next_line(octets, more)?;
        if separator.is_empty() {
            // The line begins the next message.
            return Some(entry(separator, line.start, line.start));
        }
        self.blank = after_line_ends(octets, self.blank.max(line.end));
        if more && self.blank == octets.len() {
            return None;
        }
        Some(entry(separator, line.start, self.blank))
    }

    fn separator(&mut self, octets: &[u8], more: bool) -> Option<Range<usize>> {
        if let Some(separator) = &self.separator {
            return Some(separator.clone());
        }
        let mark = line(octets, more)?;
        let rest = part(octets, mark..octets.len());
        let near = part(rest, 0..rest.len().min(LONGEST_LINE));
        let from = if mark == 0 || !near.starts_with(b"From ") {
            let is_cut = mark > 0 && more && b"From ".starts_with(near);
            (!is_cut).then_some(0)?
        } else {
            match memchr(b'\n', near) {
                Some(at) => at + 1,
                None if more && near.len() < LONGEST_LINE => return None,
                None => 0,
            }
        };
        let separator = 0..mark + from;
        // The next line may directly follow the separator, so search from the end of the separator.
        self.searched = separator.end;
        self.separator = Some(separator.clone());
        Some(separator)
    }

    /// The next line of four octets 01, or the end of the file. `None` if more octets are needed.
    fn next_line(&mut self, octets: &[u8], more: bool) -> Option<Range<usize>> {
        static FINDER: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(MARK));
        while let Some(at) = FINDER.find(part(octets, self.searched..octets.len())) {
            let at = self.searched + at;
            let begins_line = at == 0 || octets.get(at - 1) == Some(&b'\n');
            if begins_line {
                self.searched = at;
                let length = line(part(octets, at..octets.len()), more)?;
                if length > 0 {
                    return Some(at..at + length);
                }
            }
            self.searched = at + 1;
        }
        if more {
            // The octets 01 may be truncated at the end of the buffer.
            let tail = octets.len().saturating_sub(MARK.len() - 1);
            self.searched = self.searched.max(tail);
            return None;
        }
        Some(octets.len()..octets.len())
    }
}

fn entry(separator: Range<usize>, message_end: usize, end: usize) -> Entry {
    Entry {
        message: separator.end..message_end,
        separator,
        range: 0..end,
        dialect: Dialect::Mmdf,
        bare: false,
        quoted: false,
        length: None,
        separators: Separators::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Dialect, Stored, read};
    use super::MmdfScan;

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

    /// Blank lines that arrive in separate reads are scanned once.
    #[test]
    fn blank_lines_after_a_message_are_read_once() {
        let mut scan = MmdfScan::default();
        let mut octets = ONE.as_bytes().to_vec();
        for _ in 0..3 {
            octets.extend_from_slice(b"\r\n\n");
            assert!(scan.entry(&octets, true).is_none());
            assert_eq!(scan.blank, octets.len());
        }
        let entry = scan.entry(&octets, false).unwrap();
        assert_eq!(entry.range.end, octets.len());
        // Octets before that offset are not scanned again.
        let line_end = ONE.len();
        octets[line_end] = b'x';
        octets.push(b'\n');
        assert_eq!(scan.entry(&octets, false).unwrap().range.end, octets.len());
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
