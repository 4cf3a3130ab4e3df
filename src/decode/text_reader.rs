//! Decodes a body as it arrives.

use std::fmt;
use std::io::{self, BufRead};

use super::body::{BodyDecoder, DecodedBody};
use crate::charset::{Charset, Options};
use crate::report::Report;
use crate::transfer::TransferEncoding;

/// Decodes the transfer encoding (RFC 2045, section 6) and the charset of a body from a file or the
/// network, without holding the whole body or text in memory.
///
/// The text does not depend on how the source splits the body. The caller names the charset; to choose
/// it, call [`decide`](super::decide) or [`Part::charset`](crate::message::Part::charset) first. A byte
/// order mark is removed, unless [`Options::keep_bom`] keeps it. Memory is bounded by one piece, the
/// longest run of blanks, and the 64 KiB searched for the first line of uuencode.
///
/// If the body is truncated, [`Options::partial`] ends the text with the last whole character.
///
/// ```
/// use mime_charset::{Charset, Options, decode::TextReader, transfer::TransferEncoding};
///
/// let body = &b"7ZWc6rWt\r\n7Ja0\r\n"[..];
/// let (encoding, charset) = (TransferEncoding::Base64, Charset::UTF_8);
/// let mut reader = TextReader::new(body, encoding, charset, &Options::new());
/// let mut text = String::new();
/// while let Some(piece) = reader.piece()? {
///     text += piece;
/// }
/// assert_eq!(text, "한국어");
/// assert!(reader.finish()?.is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct TextReader<R> {
    source: R,
    encoding: TransferEncoding,
    charset: Charset,
    /// `None` at the end of the body.
    decoder: Option<BodyDecoder>,
    /// Octets from the source, not decoded yet.
    buffer: Vec<u8>,
    text: String,
    report: Report,
}

/// The number of octets decoded at once.
const PIECE: usize = 8 << 10;

impl<R: BufRead> TextReader<R> {
    /// A reader at the start of a body.
    pub fn new(source: R, encoding: TransferEncoding, charset: Charset, options: &Options) -> Self {
        TextReader {
            source,
            encoding,
            charset,
            decoder: Some(BodyDecoder::new(encoding, charset, options)),
            buffer: Vec::new(),
            text: String::new(),
            report: Report::new(),
        }
    }

    /// The next non-empty piece of the text; `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns the error of the source. Another call continues where the error occurred.
    pub fn piece(&mut self) -> io::Result<Option<&str>> {
        self.text.clear();
        while self.text.is_empty() && self.decoder.is_some() {
            let is_end = self.fill()?;
            let Some(mut decoder) = self.decoder.take() else {
                break;
            };
            decoder.push(&self.buffer, &mut self.text, |_| {});
            self.buffer.clear();
            if is_end {
                let DecodedBody { transfer, text, .. } = decoder.finish(&mut self.text, |_| {});
                self.report = transfer;
                self.report.absorb(text, 0);
            } else {
                self.decoder = Some(decoder);
            }
        }
        Ok(Some(self.text.as_str()).filter(|text| !text.is_empty()))
    }

    /// Reads the rest of the body and returns all findings: first those in its transfer encoding, with
    /// offsets in the body, then those in its text, with offsets in the decoded octets.
    ///
    /// # Errors
    ///
    /// Returns the error of the source.
    pub fn finish(mut self) -> io::Result<Report> {
        while self.piece()?.is_some() {}
        Ok(self.report)
    }

    /// Fills the buffer from the source. Returns whether the source is at its end.
    fn fill(&mut self) -> io::Result<bool> {
        while self.buffer.len() < PIECE {
            let octets = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                filled => filled?,
            };
            if octets.is_empty() {
                return Ok(true);
            }
            let octets = octets.get(..PIECE).unwrap_or(octets);
            self.buffer.extend_from_slice(octets);
            let length = octets.len();
            self.source.consume(length);
        }
        Ok(false)
    }
}

impl<R> fmt::Debug for TextReader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextReader")
            .field("encoding", &self.encoding)
            .field("charset", &self.charset)
            .finish_non_exhaustive()
    }
}
