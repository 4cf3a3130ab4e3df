//! A message of Apple Mail, in its `.emlx` file.
//!
//! Apple has not published the format. It has the length of the message in octets, as a decimal
//! number on a line by itself, the message, and a property list in XML (flags, dates), which is not
//! mail.

use std::io::{self, BufRead, BufReader, Read};

/// Maximum length of the first line: a number of 20 digits, and blanks after it.
const LONGEST_LINE: usize = 32;

/// The beginning of the property list, after white space.
const PROPERTIES: [&[u8]; 3] = [b"<?xml", b"<!DOCTYPE plist", b"<plist"];

/// The number on the first line, and the length of the line with its line end; `None` if the octets
/// do not begin with such a line.
pub(super) fn begin(head: &[u8]) -> Option<(u64, usize)> {
    let head = head.get(..LONGEST_LINE).unwrap_or(head);
    let end = head.iter().position(|&octet| octet == b'\n')?;
    let line = head.get(..end)?.trim_ascii_end();
    let is_number = !line.is_empty() && line.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(line).ok().filter(|_| is_number)?;
    Some((number.parse().ok()?, end + 1))
}

/// Opens the message in a file with such a first line.
///
/// Reading fails at the end if the file is shorter than its first line says, or if anything but a
/// property list follows: the number is then wrong, and the rest may be mail.
pub(super) fn open(source: impl Read) -> io::Result<impl Read> {
    let mut source = BufReader::new(source);
    let mut line = Vec::new();
    let mut first = (&mut source).take(LONGEST_LINE as u64);
    first.read_until(b'\n', &mut line)?;
    let Some((left, _)) = begin(&line) else {
        return Err(io::Error::other("its first line is not a number of octets"));
    };
    Ok(EmlxMessage { source, left })
}

struct EmlxMessage<R> {
    source: R,
    left: u64,
}

impl<R: Read> EmlxMessage<R> {
    /// Checks that only a property list follows.
    fn check_rest(&mut self) -> io::Result<()> {
        /// White space before the list.
        const MOST: u64 = 64;
        let mut rest = Vec::new();
        (&mut self.source).take(MOST).read_to_end(&mut rest)?;
        let rest = rest.trim_ascii_start();
        if rest.is_empty() || PROPERTIES.iter().any(|begin| rest.starts_with(begin)) {
            return Ok(());
        }
        Err(io::Error::other(
            "its message is followed by something other than a property list",
        ))
    }
}

impl<R: Read> Read for EmlxMessage<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = (&mut self.source).take(self.left).read(buffer)?;
        self.left -= length as u64;
        if length == 0 && !buffer.is_empty() {
            if self.left > 0 {
                return Err(io::Error::other(
                    "its message is shorter than its first line says",
                ));
            }
            self.check_rest()?;
        }
        Ok(length)
    }
}
