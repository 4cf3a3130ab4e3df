//! Finds an entry from which to start reading in the middle of a mailbox.
//!
//! A line that rules 3 and 4 of the [module](super) accept is called a local separator. It is a
//! separator unless a valid Content-Length hides it. A bounded number of octets before the line
//! shows whether it is hidden:
//!
//! Suppose the Content-Length of an entry hides the local separator `c`. Let `n` be the first local
//! separator in the body of that entry. The body ends after `c` and at most [`REACH`] after `n`, so
//! `n` is less than [`REACH`] before `c`. Let `d` be a local separator at least [`REACH`] before
//! `c`: it precedes `n`, so it is not in that body, and the entry begins at or after `d`. Hence the
//! field that hides `c` is between `d` and `c`. If no Content-Length there reaches beyond `c`, `c`
//! is certainly a separator. A body line that looks like a Content-Length counts as a
//! Content-Length; at worst this skips a usable separator.

use std::io::{self, Read, Seek, SeekFrom};

use memchr::memchr;

use super::length::{NAME, length_field};
use super::lines::{after_name, part};
use super::scan::{REACH, begins_other};
use super::separator::{self, AHEAD, LONGEST_LINE, Separators};

/// An offset at or before `at` where an entry begins: reading from there returns the same entries
/// as reading from 0. If the offset is not 0, also the form of the file's separators.
pub(crate) fn begin(source: &mut (impl Read + Seek), at: u64) -> io::Result<(u64, Separators)> {
    begin_with(source, at, REACH as u64, USUAL_DISTANCE)
}

/// The form of a file's separators, from its first octets; `None` if the file must be read from its
/// start.
fn separators_of(head: &[u8]) -> Option<Separators> {
    // In the middle of an MMDF file, a line of four octets 01 may begin or end a message. In a
    // Babyl or MBX file, text may look like the start of a message. Files with lines that end in CR
    // alone are read from their start too.
    if begins_other(head) || separator::has_cr_lines(head) {
        return None;
    }
    let start = separator::start(head);
    if start == head.len() {
        return None;
    }
    let line = part(head, separator::separator_line(head, start, false)?);
    Some(if line.ends_with(b"\n") {
        Separators::of_line(line)
    } else {
        Separators::default()
    })
}

/// Like [`begin`], with another limit for how far a Content-Length may reach beyond a separator.
fn begin_with(
    source: &mut (impl Read + Seek),
    at: u64,
    reach: u64,
    besides: u64,
) -> io::Result<(u64, Separators)> {
    let mut head = Vec::new();
    source.seek(SeekFrom::Start(0))?;
    source.by_ref().take(HEAD).read_to_end(&mut head)?;
    let Some(separators) = separators_of(&head) else {
        source.seek(SeekFrom::Start(0))?;
        return Ok((0, Separators::default()));
    };
    let mut back = reach + besides;
    loop {
        let from = at.saturating_sub(back);
        source.seek(SeekFrom::Start(from))?;
        if from == 0 {
            return Ok((0, separators));
        }
        if let Some(found) = last_certain(&mut *source, from, at, reach, separators)? {
            source.seek(SeekFrom::Start(found))?;
            return Ok((found, separators));
        }
        back = back.saturating_mul(4);
    }
}

/// Number of octets that must contain the first separator; otherwise the file is read from its
/// start.
const HEAD: u64 = 64 << 10;

/// Separators are usually closer together than this.
const USUAL_DISTANCE: u64 = 1 << 20;

/// The last certain separator up to `at`. `source` starts at the offset `from`. A Content-Length
/// reaches at most `within` beyond a separator.
fn last_certain(
    source: impl Read,
    from: u64,
    at: u64,
    within: u64,
    separators: Separators,
) -> io::Result<Option<u64>> {
    let mut lines = LineStarts::new(source, from);
    let mut found = None;
    let mut first = None;
    // The farthest end that a Content-Length gives, and the Content-Length of a header that has not
    // ended yet.
    let mut reach = 0;
    let mut waiting: Option<u64> = None;
    // The first line may be truncated, and the second depends on the first.
    lines.advance()?;
    lines.advance()?;
    let mut after_blank = false;
    while lines.has_line()? && lines.offset() <= at {
        let here = lines.offset();
        let octets = lines.ahead();
        let near = part(octets, 0..octets.len().min(LONGEST_LINE));
        let end = memchr(b'\n', near);
        let line = part(near, 0..end.unwrap_or(near.len()));
        if line.starts_with(b"From ")
            && separators.accept(octets, 0, after_blank, lines.more) == Some(true)
        {
            // A header that ends here has no body.
            waiting = None;
            let first = *first.get_or_insert(here);
            if here - first >= within && reach <= here {
                found = Some(here);
            }
        } else if let [b'C' | b'c', ..] = line
            && let Some(length) = content_length_of(line, end.is_some())
        {
            waiting = waiting.max(Some(length));
        } else if line.trim_ascii().is_empty()
            && let Some(length) = waiting.take()
        {
            let body = here + line.len() as u64 + 1;
            let length = if end.is_some() { length } else { u64::MAX };
            reach = reach.max(body.saturating_add(length));
        }
        after_blank = matches!(line, b"" | b"\r") && end.is_some();
        lines.advance()?;
    }
    Ok(found)
}

/// The value of a Content-Length; the maximum if the line continues.
fn content_length_of(line: &[u8], is_whole: bool) -> Option<u64> {
    if is_whole {
        return length_field(line.trim_ascii_end()).map(|(_, octets)| octets);
    }
    after_name(line, NAME).map(|_| u64::MAX)
}

/// The starts of a stream's lines, which may have any length.
struct LineStarts<R> {
    source: R,
    octets: Vec<u8>,
    /// The offset of the line in the buffer.
    at: usize,
    /// The number of octets of the file before the buffer.
    before: u64,
    more: bool,
}

impl<R: Read> LineStarts<R> {
    const CHUNK: usize = 256 << 10;

    fn new(source: R, before: u64) -> Self {
        LineStarts {
            source,
            octets: Vec::new(),
            at: 0,
            before,
            more: true,
        }
    }

    /// The offset of the line in the file.
    fn offset(&self) -> u64 {
        self.before + self.at as u64
    }

    /// The line and the octets after it: at least [`AHEAD`], or all that remain.
    fn ahead(&self) -> &[u8] {
        part(&self.octets, self.at..self.octets.len())
    }

    /// Whether there is a line; reads ahead as needed.
    fn has_line(&mut self) -> io::Result<bool> {
        if self.more && self.octets.len() - self.at < LONGEST_LINE + AHEAD {
            self.fill()?;
        }
        Ok(self.at < self.octets.len())
    }

    /// Advances to the next line.
    fn advance(&mut self) -> io::Result<()> {
        while self.has_line()? {
            match memchr(b'\n', self.ahead()) {
                Some(end) => {
                    self.at += end + 1;
                    return Ok(());
                }
                None => self.at = self.octets.len(),
            }
        }
        Ok(())
    }

    fn fill(&mut self) -> io::Result<()> {
        self.octets.drain(..self.at);
        self.before += self.at as u64;
        self.at = 0;
        let mut next = self.source.by_ref().take(Self::CHUNK as u64);
        let length = next.read_to_end(&mut self.octets)?;
        self.more = length == Self::CHUNK;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::super::scan::Scan;
    use super::{begin, begin_with, separators_of};

    /// The offsets of the entries found from the start of the file.
    fn entries(file: &[u8], reach: usize) -> Vec<u64> {
        let mut found = Vec::new();
        let mut at = 0;
        while at < file.len() {
            found.push(at as u64);
            let separators = separators_of(file).unwrap_or_default();
            let mut scan = Scan::new(at == 0, separators);
            scan.reach = reach;
            at += scan.entry(&file[at..], false).unwrap().range.end;
        }
        found
    }

    fn line() -> impl Strategy<Value = String> {
        prop_oneof![
            4 => Just("From a Sat Jan  3 01:05:34 1996\n".to_owned()),
            2 => Just("From b\n".to_owned()),
            2 => Just("To: b\n".to_owned()),
            1 => Just("From me to you\n".to_owned()),
            1 => Just("From c Sat Jan  3 01:05:34 1996\r\n".to_owned()),
            1 => Just(">From d Sat Jan  3 01:05:34 1996\n".to_owned()),
            4 => Just("Subject: x\n".to_owned()),
            4 => (0..300).prop_map(|length| format!("Content-Length: {length}\n")),
            1 => (0..300).prop_map(|length| format!("content-length :\t{length} \r\n")),
            8 => Just("\n".to_owned()),
            2 => Just("\r\n".to_owned()),
            1 => Just(" \t\n".to_owned()),
            4 => Just("text\n".to_owned()),
            1 => Just("\u{feff}".to_owned()),
            1 => (0..120_usize).prop_map(|length| "a".repeat(length)),
        ]
    }

    proptest! {
        /// For any file and range, reading starts at an entry. Here a Content-Length reaches at
        /// most 60 octets beyond a separator.
        #[test]
        fn reading_begins_at_an_entry(lines in prop::collection::vec(line(), 0..80)) {
            let file = lines.concat().into_bytes();
            let entries = entries(&file, 60);
            for at in 0..=file.len() as u64 {
                let mut source = Cursor::new(&file);
                let (found, _) = begin_with(&mut source, at, 60, 20).unwrap();
                prop_assert!(found <= at);
                prop_assert!(found == 0 || entries.contains(&found), "{found} for {at}");
                prop_assert_eq!(source.position(), found);
            }
        }
    }

    const SEPARATOR: &str = "From a Sat Jan  3 01:05:34 1996\n";

    /// Entries of 1,000 octets: 32 of the separator, 14 of the header, 953 and a blank line.
    fn thousand() -> String {
        format!("{SEPARATOR}Subject: one\n\n{}\n\n", "a".repeat(952))
    }

    /// Searching 17 MiB before a range suffices for a file of any length.
    #[test]
    fn the_last_entry_before_the_range_is_found() {
        let entry = thousand();
        assert_eq!(entry.len(), 1000);
        let file = entry.repeat(30_000);
        for (at, expected) in [(29_999_999, 29_999_000), (29_999_000, 29_999_000), (10, 0)] {
            let (found, _) = begin(&mut Cursor::new(&file), at).unwrap();
            assert_eq!(found, expected);
        }
    }

    /// A Content-Length that hides separators is found from inside its body. A wrong one only makes
    /// reading start earlier.
    #[test]
    fn reading_does_not_start_at_a_hidden_separator() {
        let many = thousand().repeat(20_000);
        for octets in [50_000, 500_000_000] {
            let header = format!("{SEPARATOR}Content-Length: {octets}\n\n");
            let inside = thousand().repeat(50);
            let file = format!("{many}{header}{inside}\n{}", thousand().repeat(10));
            let before = 20_000_000;
            let hidden = before + header.len() as u64 + 30_500;
            let (found, _) = begin(&mut Cursor::new(&file), hidden).unwrap();
            assert_eq!(found, before, "{octets}");
            // After the body of 50,000 octets every separator is certain again.
            let after = before + header.len() as u64 + 50_001 + 2_000;
            let (found, _) = begin(&mut Cursor::new(&file), after + 500).unwrap();
            assert_eq!(found, if octets == 50_000 { after } else { before });
        }
    }
}
