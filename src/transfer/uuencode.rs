//! uuencode (POSIX, IEEE Std 1003.1-2017, `uuencode`): as the transfer encoding `x-uuencode`, and as blocks
//! inside plain text.
//!
//! A line is a length character, which encodes the number of octets, and groups of four characters, which
//! encode three octets each. A character encodes six bits: its code minus 20 (hexadecimal). Both blank
//! and backtick are 0. Relays strip blanks at line ends, so missing characters count as blanks.
//! `begin-base64`, the output of `uuencode -m`, is decoded too.
//!
//! Other programs treat damaged lines in different ways: Python's uu fails, and Perl's `unpack "u"`,
//! sharutils and mutt decode text as if it were data. This module drops a line that is not data, with a
//! finding, and decodes the lines around it.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr2, memmem};

use super::base64::Base64Decoder;
use super::{Findings, TransferEncoding, Transferred, between, decode, tail};
use crate::report::{Kind, Report};
use crate::work::work;

/// Decodes a uuencoded body (POSIX, `uuencode`).
///
/// Decoding begins at the first `begin` line, or at the first line if it is encoded, and ends at `end`.
/// [`Kind::UuencodeSyntax`]: `begin` or `end` is missing, a line lacks its trailing blanks, or a line
/// ends in a checksum. Characters out of range are decoded by their low six bits; text before, between
/// and after encoded lines is dropped. Both are [`Kind::UuencodeDamage`]. Only the first of several files
/// is decoded. A body without an encoded line in its first 64 KiB is kept.
///
/// ```
/// use mime_charset::{Kind, transfer};
///
/// let file = transfer::uuencode(b"begin 644 cat.txt\n#0V%T\n`\nend\n");
/// assert_eq!(file.as_bytes(), b"Cat");
/// assert!(file.report().is_empty());
///
/// let cut = transfer::uuencode(b"begin 644 cat.txt\n#0V%T\n");
/// assert_eq!(cut.as_bytes(), b"Cat");
/// assert!(cut.report().has(Kind::UuencodeSyntax));
/// ```
pub fn uuencode(body: &[u8]) -> Transferred<'_> {
    decode(body, TransferEncoding::Uuencode)
}

/// A file uuencoded in plain text (POSIX, `uuencode`), found by [`uuencoded`].
///
/// ```
/// use mime_charset::{Kind, transfer::uuencoded};
///
/// let text = "begin 644 cat.txt\n#0V%TX\n`\nend\n";
/// let file = uuencoded(text).remove(0);
/// assert_eq!((&*file.name, &*file.octets), ("cat.txt", &b"Cat"[..]));
/// assert_eq!(file.range, 0..text.len());
/// // `X` is more than the four characters of three octets.
/// assert!(file.report.has(Kind::UuencodeSyntax));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uuencoded {
    /// The file name, chosen by a stranger. A path in it is text; do not use it as a path.
    pub name: String,
    /// The octets of the file.
    pub octets: Vec<u8>,
    /// The lines from `begin` to `end`, including line endings, in octets of the UTF-8 text.
    pub range: Range<usize>,
    /// Departures from POSIX. Offsets are into the UTF-8 text.
    pub report: Report,
}

/// The files uuencoded in a text. Before MIME, attachments were written this way.
///
/// ```
/// use mime_charset::transfer;
///
/// let text = "See below.\nbegin 644 cat.txt\n#0V%T\n`\nend\nBye\n";
/// let files = transfer::uuencoded(text);
/// assert_eq!((&*files[0].name, &*files[0].octets), ("cat.txt", &b"Cat"[..]));
/// assert!(files[0].report.is_empty());
/// assert_eq!(&text[files[0].range.end..], "Bye\n");
/// ```
#[must_use]
pub fn uuencoded(text: &str) -> Vec<Uuencoded> {
    let decode = |range: Range<usize>| {
        let block = text.get(range.clone()).unwrap_or_default();
        let first = block.split(['\r', '\n']).next().unwrap_or_default();
        let (octets, report) = uuencode(block.as_bytes()).at(range.start).into_parts();
        Uuencoded {
            name: String::from_utf8_lossy(file_name(first.as_bytes()).unwrap_or_default())
                .into_owned(),
            octets: octets.into_owned(),
            range,
            report,
        }
    };
    uuencoded_ranges(text).into_iter().map(decode).collect()
}

/// The ranges of the [`uuencoded`] files of a text, in octets, without decoding them.
///
/// A block is a `begin` line with a name, lines of data, and `end`. Lines of data may lack blanks or have
/// damaged characters. To exclude prose after a line that begins with "begin", a block must have two of
/// these three: a first line with as many characters as its length requires, a full line of 45 octets, an
/// empty line before `end`. If there are two full lines, `end` may be missing, provided that all lines up
/// to a blank line or the end of the text are whole. At most 1,000 blocks are found.
///
/// ```
/// use mime_charset::transfer::uuencoded_ranges;
///
/// assert_eq!(uuencoded_ranges("begin 644 cat.txt\n#0V%T\n`\nend\nBye"), [0..30]);
/// assert!(uuencoded_ranges("begin 644 people who\ncame in the end\nend\n").is_empty());
/// ```
#[must_use]
pub fn uuencoded_ranges(text: &str) -> Vec<Range<usize>> {
    let text = text.as_bytes();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    work(text.len());
    for start in memmem::find_iter(text, BEGIN) {
        if ranges.len() == MAX_FILES {
            break;
        }
        let is_inside = ranges.last().is_some_and(|last| start < last.end);
        let starts_line = between(text, 0, start)
            .last()
            .is_none_or(|&octet| is_line_end(octet));
        if starts_line
            && !is_inside
            && let Some(length) = block_length(tail(text, start))
        {
            ranges.push(start..start + length);
        }
    }
    ranges
}

/// The length of the block that starts with a `begin` line; `None` if it is not a block.
fn block_length(text: &[u8]) -> Option<usize> {
    let mut lines = Lines { rest: text, at: 0 };
    file_name(lines.next()?.text).filter(|name| !name.is_empty())?;
    let (mut end, mut first_is_whole, mut full, mut are_whole, mut is_after_data) =
        (0, None, 0, true, false);
    for line in lines {
        work(line.text.len());
        if is_end(line.text) {
            let criteria = [first_is_whole?, is_after_data, full > 0];
            let count = criteria.into_iter().filter(|&criterion| criterion).count();
            return (count > 1).then_some(line.end);
        }
        if is_after_data {
            break;
        }
        match DataLine::of(line.text) {
            _ if is_blank(line.text) => is_after_data = true,
            Some(DataLine { length: 0, .. }) => (is_after_data, end) = (true, line.end),
            Some(data) => {
                end = line.end;
                first_is_whole.get_or_insert(data.is_whole());
                are_whole &= data.is_whole();
                full += u32::from(data.length == FULL_LINE && data.is_whole());
            }
            None => return None,
        }
    }
    (are_whole && full > 1).then_some(end)
}

/// The length of the whole lines of a piece, which later octets cannot change. In the first piece these
/// lines must include the first encoded line.
pub(super) fn decided(piece: &[u8], is_first: bool) -> usize {
    work(piece.len());
    // LF may follow CR.
    let known = piece.strip_suffix(b"\r").unwrap_or(piece);
    if is_first && first_line(known, false).is_none() {
        // A body is kept if none of its first lines is encoded.
        return if piece.len() < MAX_SEARCHED {
            0
        } else {
            piece.len()
        };
    }
    let lines = known.iter().rposition(|&octet| is_line_end(octet));
    let lines = lines.map_or(0, |end| end + 1);
    if known.len() - lines > MAX_LINE {
        known.len()
    } else {
        lines
    }
}

/// The first encoded line must end within this many octets of a body.
const MAX_SEARCHED: usize = 64 << 10;

/// Octets of a line after this many are not data. The longest line has a length character, 84 characters
/// for 63 octets, and a checksum.
const MAX_LINE: usize = 128;

/// Maximum number of decoded octets per encoded octet. Bounds the output for lines that lost their
/// blanks, in which a length character alone may stand for 63 octets. Whole lines decode to fewer octets.
const MAX_GROWTH: usize = 2;

/// Additional output allowed, for short bodies.
const FREE_GROWTH: usize = 64 << 10;

/// Maximum number of files found in a text.
const MAX_FILES: usize = 1000;

/// The number of octets in each line but the last.
const FULL_LINE: usize = 45;

/// Decodes uuencode, in pieces.
#[derive(Default)]
pub(super) struct UuencodeDecoder {
    state: State,
    /// The decoded octets, while a piece is decoded.
    octets: Vec<u8>,
    findings: Findings,
    /// The total number of decoded octets.
    count: usize,
    /// The offset of the piece in the body.
    offset: usize,
    /// Whether the last piece ended inside a line. The rest of that line is not data.
    is_inside_line: bool,
    /// The text after `end`.
    after: Option<Range<usize>>,
}

/// The lines that may come next.
#[derive(Default)]
enum State {
    /// The first line of the body.
    #[default]
    Start,
    /// Any line. The body has no encoded lines and is kept.
    Plain,
    /// Data or `end`. After an empty line `is_after_data` is set, and only undamaged data is accepted.
    Data { is_after_data: bool },
    /// Base64, which begins at the offset, or `====`.
    Base64(Box<Base64Decoder>, usize),
    /// Text, after `end`.
    After,
}

impl UuencodeDecoder {
    /// Decodes the next piece: a prefix whose length [`decided`] returned, or the last piece. Stores
    /// decoded octets in `buffer`, to reuse its memory.
    pub(super) fn decode<'p>(
        &mut self,
        piece: &'p [u8],
        is_last: bool,
        buffer: &mut Vec<u8>,
    ) -> Cow<'p, [u8]> {
        work(piece.len());
        self.octets = std::mem::take(buffer);
        self.octets.clear();
        self.octets.reserve(piece.len() / 4 * 3);
        let at = match self.state {
            State::Start if !is_blank(piece) => self.start(piece, is_last),
            _ => 0,
        };
        let is_plain = matches!(self.state, State::Plain);
        let rest = if is_plain { &[] } else { tail(piece, at) };
        for line in (Lines { rest, at }) {
            let is_ended = line.start + line.text.len() < line.end;
            let split = match line.text.len() {
                _ if self.is_inside_line => line.start,
                0..=MAX_LINE => line.end,
                _ => line.start + MAX_LINE,
            };
            if split > line.start {
                let start = between(piece, line.start, split);
                self.line(start, self.offset + line.start, is_last && !is_ended);
            }
            if split < line.end {
                let rest = between(piece, split, line.end);
                self.rest_of_line(rest, self.offset + split);
            }
            self.is_inside_line = !is_ended;
        }
        self.offset += piece.len();
        if is_last {
            self.finish();
        }
        let octets = std::mem::take(&mut self.octets);
        if is_plain {
            *buffer = octets;
            return Cow::Borrowed(piece);
        }
        Cow::Owned(octets)
    }

    /// Finds the first encoded line. Returns the offset of the first line of data.
    fn start(&mut self, piece: &[u8], is_last: bool) -> usize {
        let Some(line) = first_line(piece, is_last) else {
            self.state = State::Plain;
            self.report_syntax(0, "no encoded line: left unchanged");
            return 0;
        };
        if !is_blank(between(piece, 0, line.start)) {
            let detail = "text before the begin line, left out";
            self.findings
                .add(Kind::UuencodeDamage, 0, line.start, detail);
        }
        self.state = State::Data {
            is_after_data: false,
        };
        if line.text.starts_with(BEGIN_BASE64) {
            self.state = State::Base64(Box::new(Base64Decoder::new(Some(0))), line.end);
        } else if file_name(line.text).is_none() {
            self.report_syntax(line.start, "no begin line");
            return line.start;
        }
        line.end
    }

    /// Decodes a line, or its start. `is_cut` is set if the body ends inside the line.
    fn line(&mut self, line: &[u8], offset: usize, is_cut: bool) {
        let text = without_line_end(line);
        let is_after_data = match &self.state {
            State::Data { is_after_data } => *is_after_data,
            State::Base64(..) if text.trim_ascii_end() == b"====" => return self.finish_base64(),
            _ => return self.rest_of_line(line, offset),
        };
        let data = DataLine::of(text).filter(|data| !is_after_data || data.is_whole());
        let most = MAX_GROWTH * (offset + line.len()) + FREE_GROWTH;
        let data = data.filter(|data| self.count + data.length <= most);
        let is_empty = data.as_ref().is_some_and(|data| data.length == 0);
        if is_end(text) {
            self.state = State::After;
            if !is_after_data {
                self.report_syntax(offset, "no empty line before the end line");
            }
        } else if is_blank(text) || is_empty {
            self.state = State::Data {
                is_after_data: true,
            };
        } else if let Some(data) = data {
            self.state = State::Data {
                is_after_data: false,
            };
            self.data(&data, offset, is_cut);
        } else {
            if is_after_data || file_name(text).is_some() {
                self.state = State::After;
                self.report_syntax(offset, NO_END);
            }
            self.rest_of_line(line, offset);
        }
    }

    /// Handles the rest of a line, which is not data.
    fn rest_of_line(&mut self, rest: &[u8], offset: usize) {
        let text = without_line_end(rest);
        match &mut self.state {
            State::Base64(decoder, _) => decoder.decode(rest, false, &mut self.octets),
            State::Data { .. } => {
                let detail = "text between encoded lines, left out";
                self.findings
                    .add(Kind::UuencodeDamage, offset, text.len(), detail);
            }
            _ if is_blank(text) => {}
            _ => {
                let start = offset + text.len() - text.trim_ascii_start().len();
                let after = self.after.get_or_insert(start..start);
                after.end = offset + text.trim_ascii_end().len();
            }
        }
    }

    /// Appends the octets of a line of data.
    fn data(&mut self, data: &DataLine<'_>, offset: usize, is_cut: bool) {
        let is_short = data.characters.len() < data.length.div_ceil(3) * 4;
        let end = offset + 1 + data.characters.len();
        let damaged = |&(_, &character): &(usize, &u8)| !is_in_range(character);
        for (at, _) in data.characters.iter().enumerate().filter(damaged) {
            let detail = "a character out of range, decoded from its low six bits";
            self.findings
                .add(Kind::UuencodeDamage, offset + 1 + at, 1, detail);
        }
        let mut length = data.length;
        if is_cut && is_short {
            length = length.min(data.characters.len() * 6 / 8);
            let detail = "the body ends inside a line";
            self.findings.add(Kind::UuencodeDamage, end, 0, detail);
        } else if is_short {
            self.report_syntax(
                end,
                "missing characters at the end of a line, read as blanks",
            );
        }
        if !data.after.is_empty() {
            let detail = "characters after the data of a line";
            self.findings
                .add(Kind::UuencodeSyntax, end, data.after.len(), detail);
        }
        self.count += length;
        let end = self.octets.len() + length;
        for group in data.characters.chunks(4) {
            let mut bits = [0; 4];
            for (bits, &character) in bits.iter_mut().zip(group) {
                *bits = u32::from(six_bits(character));
            }
            let [a, b, c, d] = bits;
            let [_, octets @ ..] = (a << 18 | b << 12 | c << 6 | d).to_be_bytes();
            self.octets.extend_from_slice(&octets);
        }
        self.octets.resize(end, 0);
    }

    fn finish(&mut self) {
        match self.state {
            State::Data { .. } => self.report_syntax(self.offset, NO_END),
            State::Base64(..) => {
                self.finish_base64();
                self.report_syntax(self.offset, NO_END);
            }
            _ => {}
        }
    }

    fn finish_base64(&mut self) {
        if let State::Base64(mut decoder, start) = std::mem::replace(&mut self.state, State::After)
        {
            decoder.decode(&[], true, &mut self.octets);
            self.findings.close();
            self.findings.report.absorb(decoder.into_report(), start);
        }
    }

    fn report_syntax(&mut self, offset: usize, detail: &'static str) {
        self.findings.add(Kind::UuencodeSyntax, offset, 0, detail);
    }

    /// The findings in the fully decoded body.
    pub(super) fn into_report(mut self) -> Report {
        if let Some(after) = self.after {
            let detail = "text after the end line, left out";
            self.findings
                .add(Kind::UuencodeDamage, after.start, after.len(), detail);
        }
        self.findings.into_report()
    }
}

const NO_END: &str = "no end line";
const BEGIN: &[u8] = b"begin ";
const BEGIN_BASE64: &[u8] = b"begin-base64 ";

/// The first encoded line of a body: the first line that is not blank, or a `begin` line. If `is_whole`,
/// the last line is complete even without a line ending.
fn first_line(body: &[u8], is_whole: bool) -> Option<Line<'_>> {
    let is_whole = is_whole && body.len() < MAX_SEARCHED;
    let start = body.get(..MAX_SEARCHED);
    let start = start.map(|start| start.strip_suffix(b"\r").unwrap_or(start));
    let lines = Lines {
        rest: start.unwrap_or(body),
        at: 0,
    };
    let mut lines = lines
        .filter(|line| is_whole || line.start + line.text.len() < line.end)
        .skip_while(|line| is_blank(line.text));
    let first = lines.next()?;
    if DataLine::of(first.text).is_some_and(|data| data.length > 0 && data.is_whole()) {
        return Some(first);
    }
    std::iter::once(first)
        .chain(lines)
        .find(|line| file_name(line.text).is_some())
}

/// The name in a `begin` line, after permissions of three or four octal digits; empty if missing.
///
/// > "begin" SP mode SP pathname
fn file_name(line: &[u8]) -> Option<&[u8]> {
    let after = line
        .strip_prefix(BEGIN)
        .or_else(|| line.strip_prefix(BEGIN_BASE64))?;
    let digits = after
        .iter()
        .take_while(|octet| matches!(octet, b'0'..=b'7'))
        .count();
    let name = tail(after, digits);
    let is_mode = matches!(digits, 3 | 4) && name.first().is_none_or(|&octet| octet == b' ');
    is_mode.then_some(name.trim_ascii())
}

fn is_end(line: &[u8]) -> bool {
    line.trim_ascii_end() == b"end"
}

/// A line of data, possibly damaged.
struct DataLine<'a> {
    /// The number of octets that the line encodes.
    length: usize,
    /// The characters that encode the octets. Some may be missing.
    characters: &'a [u8],
    /// Characters after the data, such as the checksum of old encoders.
    after: &'a [u8],
}

impl<'a> DataLine<'a> {
    /// Parses a line. `None` if the line is not data: it is too long, or it is too short and has
    /// characters out of range.
    fn of(line: &'a [u8]) -> Option<Self> {
        let (&first, rest) = line.split_first()?;
        let length = usize::from(six_bits(first));
        let (characters, after) = rest
            .split_at_checked(length.div_ceil(3) * 4)
            .unwrap_or((rest, b""));
        let data = DataLine {
            length,
            characters,
            after: after.trim_ascii_end(),
        };
        let is_data = is_in_range(first)
            && data.after.len() <= 1 + length / 9
            && (data.is_long_enough() || data.is_clean());
        is_data.then_some(data)
    }

    /// Whether all characters that hold bits of an octet are present.
    fn is_long_enough(&self) -> bool {
        self.characters.len() >= (self.length * 4).div_ceil(3)
    }

    fn is_clean(&self) -> bool {
        self.characters
            .iter()
            .all(|&character| is_in_range(character))
    }

    fn is_whole(&self) -> bool {
        self.is_long_enough() && self.is_clean()
    }
}

fn is_in_range(character: u8) -> bool {
    matches!(character, b' '..=b'`')
}

fn six_bits(character: u8) -> u8 {
    character.wrapping_sub(b' ') & 0x3F
}

fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}

fn without_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

fn is_line_end(octet: u8) -> bool {
    matches!(octet, b'\r' | b'\n')
}

/// Lines ended by CRLF, LF or CR.
struct Lines<'a> {
    rest: &'a [u8],
    at: usize,
}

struct Line<'a> {
    /// Without its line ending.
    text: &'a [u8],
    start: usize,
    /// The offset after the line ending.
    end: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let length = memchr2(b'\r', b'\n', self.rest).unwrap_or(self.rest.len());
        let line_end = match tail(self.rest, length) {
            [b'\r', b'\n', ..] => 2,
            [_, ..] => 1,
            [] => 0,
        };
        let line = Line {
            text: between(self.rest, 0, length),
            start: self.at,
            end: self.at + length + line_end,
        };
        self.rest = tail(self.rest, length + line_end);
        self.at = line.end;
        Some(line)
    }
}
