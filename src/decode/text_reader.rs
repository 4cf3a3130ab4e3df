//! A body that comes in pieces, read to text as it comes.

use std::fmt;
use std::io::{self, BufRead};

use super::byte_order_mark::skip_bom;
use super::unneeded::Unneeded;
use crate::charset::{Bom, Charset, Decoder, Options};
use crate::report::{Kind, Report};
use crate::transfer::{self, Base64Reader, TransferEncoding};

/// The text of a body that is read from a file or from the network, piece by piece: its transfer
/// encoding is undone (RFC 2045, section 6) and its charset decoded, and neither the body nor its
/// text is in memory as a whole.
///
/// The text is the same however the source cuts the body. The caller names the charset; to choose
/// one, [`decide`](super::decide) or [`Part::charset`](crate::message::Part::charset) has to see
/// octets first. A byte order mark is left out ([`Options::bom`]). Some findings, such as that of
/// octets above 7F, are made once for a whole body; their place is in the first piece that has any.
/// Memory is taken for one piece, and for the longest run of blanks.
///
/// Where the octets end early, [`Options::partial`] lets the text end with the last whole character.
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
    options: Options,
    charset: Charset,
    /// `None` at the end.
    decoder: Option<Decoder>,
    /// Octets that are still under their encoding, and how many came before them.
    waiting: Vec<u8>,
    taken: usize,
    /// The first octets of the text, until there are enough for a byte order mark; then `None`.
    start: Option<Vec<u8>>,
    /// How many octets a byte order mark took.
    skipped: usize,
    /// What undoes base64, which a piece may begin in the middle of a line or behind padding.
    base64: Option<Base64Reader>,
    text: String,
    unneeded: Unneeded,
    /// What was found in the transfer encoding, and in the text.
    report: Report,
}

/// How many octets are asked for at once.
const PIECE: usize = 8 << 10;

/// The longest byte order mark.
const MARK: usize = 4;

impl<R: BufRead> TextReader<R> {
    /// A reader at the start of a body.
    pub fn new(source: R, encoding: TransferEncoding, charset: Charset, options: &Options) -> Self {
        TextReader {
            source,
            encoding,
            options: *options,
            charset,
            decoder: Some(Decoder::with_options(charset, options)),
            waiting: Vec::new(),
            taken: 0,
            start: (options.bom == Bom::Strip).then(Vec::new),
            skipped: 0,
            base64: (encoding == TransferEncoding::Base64).then(Base64Reader::new),
            text: String::new(),
            unneeded: Unneeded::default(),
            report: Report::new(),
        }
    }

    /// The next piece of the text, which is not empty; `None` at the end.
    ///
    /// # Errors
    ///
    /// The error of the source. After it the same call may be made again, and goes on.
    pub fn piece(&mut self) -> io::Result<Option<&str>> {
        self.text.clear();
        while self.text.is_empty() && self.decoder.is_some() {
            let is_last = self.fill()?;
            self.read(is_last);
            self.unneeded.look(&self.text, false);
        }
        Ok(Some(self.text.as_str()).filter(|text| !text.is_empty()))
    }

    /// What was found in all of the body, of which the rest is read for it: first in its transfer
    /// encoding, with offsets of the body, then in its text, with offsets of the decoded octets.
    ///
    /// # Errors
    ///
    /// What the source says that cannot be read.
    pub fn finish(mut self) -> io::Result<Report> {
        while self.piece()?.is_some() {}
        self.unneeded.into_report(&mut self.report);
        Ok(self.report)
    }

    /// Takes octets of the source, as many as wait at least, so that none is looked at often; says
    /// whether there are no more.
    fn fill(&mut self) -> io::Result<bool> {
        let wanted = PIECE.max(2 * self.waiting.len());
        while self.waiting.len() < wanted {
            let octets = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                filled => filled?,
            };
            if octets.is_empty() {
                return Ok(true);
            }
            let octets = octets.get(..wanted).unwrap_or(octets);
            self.waiting.extend_from_slice(octets);
            let length = octets.len();
            self.source.consume(length);
        }
        Ok(false)
    }

    /// Reads what is decided of the octets that wait.
    fn read(&mut self, is_last: bool) {
        let is_end = is_last && !self.options.partial;
        let mut length = self.waiting.len();
        if !is_end {
            length = transfer::decided(&self.waiting, self.encoding);
            // Whole lines, where there are some, tell which are too long.
            let lines = self.waiting.get(..length).unwrap_or_default();
            length = match memchr::memrchr(b'\n', lines) {
                Some(end) if !is_last && self.encoding == TransferEncoding::QuotedPrintable => {
                    end + 1
                }
                _ => length,
            };
        }
        let waiting = std::mem::take(&mut self.waiting);
        let (read, rest) = waiting.split_at_checked(length).unwrap_or((&waiting, &[]));
        self.undo(read, is_last);
        self.taken += read.len();
        self.waiting = rest.to_vec();
        if is_last {
            self.end();
        }
    }

    /// Undoes the transfer encoding of octets that are decided, and decodes what it gives.
    fn undo(&mut self, read: &[u8], is_last: bool) {
        if let Some(mut reader) = self.base64.take() {
            self.push(reader.push(read, is_last), is_last);
            if is_last {
                self.report.absorb(reader.into_report(), 0);
            } else {
                self.base64 = Some(reader);
            }
            return;
        }
        let (octets, found) = transfer::decode(read, self.encoding).into_parts();
        self.tell(found);
        self.push(&octets, is_last);
    }

    /// Decodes octets, without the byte order mark that the first of them are.
    fn push(&mut self, octets: &[u8], is_last: bool) {
        let Some(decoder) = &mut self.decoder else {
            return;
        };
        let Some(mut start) = self.start.take() else {
            self.text.push_str(decoder.push(octets));
            return;
        };
        start.extend_from_slice(octets);
        if start.len() < MARK && !is_last {
            self.start = Some(start);
            return;
        }
        let (skipped, behind) = skip_bom(&start, self.charset);
        self.skipped = skipped;
        self.text.push_str(decoder.push(behind));
    }

    /// Reads the end of the text, or leaves it to what follows.
    fn end(&mut self) {
        let Some(decoder) = self.decoder.take() else {
            return;
        };
        if self.skipped > 0 {
            self.report
                .add_in_octets(Kind::BomRemoved, 0, self.skipped, "");
        }
        if !self.options.partial {
            let rest = decoder.finish();
            self.text.push_str(rest.as_str());
            self.report.absorb_octets(rest.report, self.skipped);
            return;
        }
        if !self.waiting.is_empty() {
            let left = self.waiting.len();
            self.report.add(Kind::Partial, self.taken, left, "");
        }
        let (rest, unread) = decoder.give_out();
        self.text.push_str(rest.as_str());
        self.report.absorb_octets(rest.report, self.skipped);
        let offset = self.skipped + unread.start;
        self.report
            .add_in_octets(Kind::Partial, offset, unread.len(), "");
    }

    /// Takes over what was found in a piece: of what is one finding for all of a body, the first.
    fn tell(&mut self, mut found: Report) {
        const OF_WHOLE: [Kind; 3] = [Kind::EightBitData, Kind::Control, Kind::LineLength];
        let told: Vec<Kind> = OF_WHOLE
            .into_iter()
            .filter(|kind| self.report.has(*kind))
            .collect();
        found.leave_out(&told);
        self.report.absorb(found, self.taken);
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
