//! Base64 and its use in B encoded words (RFC 2045, section 6.8; RFC 2047, section 4.1).

use std::borrow::Cow;
use std::sync::LazyLock;

use ::base64::engine::{self, Engine as _, general_purpose};
use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::{
    Findings, LINE_LIMIT, LONG_LINE, TransferEncoding, Transferred, between, decode, tail,
};
use crate::charset::{NO_LETTER, sextet};
use crate::report::{Kind, Report};
use crate::work::work;

/// Decodes a base64 body (RFC 2045, section 6.8).
///
/// Blanks and line endings are ignored. Other octets outside the alphabet are skipped
/// ([`Kind::Base64Skipped`]). An equals sign ends a run of data. Data after it is decoded as a further
/// run ([`Kind::Base64AfterPadding`]), so that concatenated bodies are decoded. An equals sign between
/// the first letter of a group and another letter cannot be padding and is skipped. Missing padding, too
/// much padding, and padding after nonzero bits are [`Kind::Base64Padding`]. A single letter at the end
/// has too few bits for an octet and is lost ([`Kind::Base64Truncated`]); no other data is lost. A line
/// of more than 76 characters is [`Kind::LineLength`].
///
/// ```
/// use mime_charset::{Kind, transfer};
///
/// assert_eq!(transfer::base64(b"Q2Fm\r\n6Q==\r\n").as_bytes(), b"Caf\xE9");
///
/// let unpadded = transfer::base64(b"Q2Fm6Q");
/// assert_eq!(unpadded.as_bytes(), b"Caf\xE9");
/// assert!(unpadded.report().has(Kind::Base64Padding));
/// ```
pub fn base64(body: &[u8]) -> Transferred<'_> {
    decode(body, TransferEncoding::Base64)
}

/// Decodes the encoded text of a B encoded word (RFC 2047, section 4.1): base64 without its line limit. The
/// URL alphabet (RFC 4648, section 5) is accepted too ([`Kind::EncodedWordSyntax`]).
///
/// ```
/// use mime_charset::transfer;
///
/// assert_eq!(transfer::b(b"4piD").as_bytes(), "☃".as_bytes());
/// ```
pub fn b(encoded_text: &[u8]) -> Transferred<'_> {
    let text = standard_letters(encoded_text);
    let (mut decoder, mut octets) = (Base64Decoder::new(None), Vec::new());
    decoder.decode(&text, true, &mut octets);
    let mut report = decoder.into_report();
    if let Cow::Owned(text) = text {
        let detail = "letters of the base64 alphabet for URLs";
        report.add(Kind::EncodedWordSyntax, 0, text.len(), detail);
    }
    let octets = Cow::Owned(octets);
    Transferred { octets, report }
}

/// The end of the encoded text of a B word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BEnd {
    /// The number of letters.
    pub(crate) letters: usize,
    /// The number of equals signs.
    pub(crate) padding: usize,
    /// Whether the leftover bits are not zero. The text then probably continues in the next word.
    pub(crate) has_open_bits: bool,
}

impl BEnd {
    pub(crate) fn of(encoded_text: &[u8]) -> Self {
        work(encoded_text.len());
        let text = standard_letters(encoded_text);
        let letters = text.iter().map(|&octet| sextet(octet));
        let (count, last) = letters
            .filter(|&value| value < NO_LETTER)
            .fold((0, 0), |(count, _), value| (count + 1, value));
        let open = match count % 4 {
            2 => 0xF,
            3 => 0x3,
            _ => 0,
        };
        BEnd {
            letters: count,
            padding: memchr_iter(b'=', &text).count(),
            has_open_bits: last & open != 0,
        }
    }
}

/// Maps the letters `-` and `_` of the URL alphabet (RFC 4648, section 5) to `+` and `/` of the standard
/// alphabet (section 4), unless the text contains `+` or `/`.
fn standard_letters(encoded_text: &[u8]) -> Cow<'_, [u8]> {
    if memchr2(b'-', b'_', encoded_text).is_none() || memchr2(b'+', b'/', encoded_text).is_some() {
        return Cow::Borrowed(encoded_text);
    }
    let letters = encoded_text.iter().map(|octet| match octet {
        b'-' => b'+',
        b'_' => b'/',
        other => *other,
    });
    Cow::Owned(letters.collect())
}

/// Decodes B into `buffer`. Returns `None` if [`b`] would report a finding, or if `buffer` is too short.
pub(crate) fn clean_b<'r>(encoded_text: &[u8], buffer: &'r mut [u8]) -> Option<&'r [u8]> {
    work(encoded_text.len());
    let length = decode_groups(encoded_text, buffer)?;
    buffer.get(..length)
}

/// Decodes groups of four letters; the last group may be padded. Returns the number of octets; `None` on
/// any violation or if `buffer` is too short.
fn decode_groups(letters: &[u8], buffer: &mut [u8]) -> Option<usize> {
    let (groups, []) = letters.as_chunks::<4>() else {
        return None;
    };
    let (last, full) = groups.split_last()?;
    let (octets, _) = buffer.as_chunks_mut::<3>();
    let (free, octets) = octets.get_mut(..groups.len())?.split_last_mut()?;
    let mut all = 0;
    let mut decode = |group: [u8; 4]| {
        let [a, b, c, d] = group.map(|letter| u32::from(sextet(letter)));
        all |= a | b | c | d;
        let [_, octets @ ..] = (a << 18 | b << 12 | c << 6 | d).to_be_bytes();
        octets
    };
    for (group, octets) in full.iter().zip(octets) {
        *octets = decode(*group);
    }
    let (last, padding) = match *last {
        [a, b, b'=', b'='] => ([a, b, b'A', b'A'], 2),
        [a, b, c, b'='] => ([a, b, c, b'A'], 1),
        letters => (letters, 0),
    };
    *free = decode(last);
    // The leftover bits must be zero.
    let is_whole = free.iter().skip(3 - padding).all(|&octet| octet == 0);
    let is_clean = all < u32::from(NO_LETTER) && is_whole;
    is_clean.then_some(groups.len() * 3 - padding)
}

/// The length of [`Base64Writer`]'s output for this number of octets.
pub(crate) fn base64_length(octets: usize, line_end: &str) -> usize {
    let line_ends = octets.div_ceil(OCTETS_PER_LINE).saturating_sub(1);
    octets.div_ceil(3) * 4 + line_ends * line_end.len()
}

/// The number of octets encoded in a line of 76 characters.
const OCTETS_PER_LINE: usize = 57;

/// Encodes octets, pushed in pieces, as base64 in lines of 76 characters (RFC 2045, section 6.8). The
/// last line has no line ending.
pub(crate) struct Base64Writer {
    line_end: &'static str,
    /// Octets that do not fill a line yet.
    pending: Vec<u8>,
}

impl Base64Writer {
    pub(crate) fn new(line_end: &'static str) -> Self {
        Base64Writer {
            line_end,
            pending: Vec::new(),
        }
    }

    /// Adds a piece and returns the complete lines.
    pub(crate) fn push(&mut self, octets: &[u8]) -> Vec<u8> {
        self.pending.extend_from_slice(octets);
        // Keeps back a complete last line: it is known only later whether a line ending follows it.
        let lines = self.pending.len().saturating_sub(1) / OCTETS_PER_LINE;
        let whole = self
            .pending
            .get(..lines * OCTETS_PER_LINE)
            .unwrap_or_default();
        let mut encoded = encode_base64(whole, self.line_end);
        if lines > 0 {
            encoded.extend_from_slice(self.line_end.as_bytes());
        }
        self.pending.drain(..lines * OCTETS_PER_LINE);
        encoded
    }

    /// Returns the last line.
    pub(crate) fn finish(self) -> Vec<u8> {
        encode_base64(&self.pending, self.line_end)
    }
}

/// Encodes octets in lines. The last line has no line ending.
fn encode_base64(octets: &[u8], line_end: &str) -> Vec<u8> {
    work(octets.len());
    let length = base64_length(octets.len(), line_end);
    // Leaves room for a line ending that the caller may append.
    let mut encoded = Vec::with_capacity(length + line_end.len());
    encoded.resize(length, 0);
    let mut free = encoded.as_mut_slice();
    for line in octets.chunks(OCTETS_PER_LINE) {
        let (letters, rest) = free.split_at_mut(free.len().min(line.len().div_ceil(3) * 4));
        // The buffer is long enough.
        let _ = general_purpose::STANDARD.encode_slice(line, letters);
        let (end, rest) = rest.split_at_mut(rest.len().min(line_end.len()));
        end.copy_from_slice(line_end.as_bytes().get(..end.len()).unwrap_or_default());
        free = rest;
    }
    encoded
}

/// Encodes octets as base64 without line endings, as in a B word (RFC 2047, section 4.1).
pub(crate) fn base64_letters(octets: &[u8]) -> String {
    general_purpose::STANDARD.encode(octets)
}

/// The length of the prefix of a body that ends with a whole group of letters or with padding, and that
/// later octets cannot change.
pub(super) fn decided(body: &[u8]) -> usize {
    work(body.len());
    let (mut begin, mut count, mut due) = (0, 0, 0);
    let mut is_after_stray = false;
    for (at, &octet) in body.iter().enumerate() {
        if std::mem::take(&mut is_after_stray) && sextet(octet) >= NO_LETTER {
            count = 0;
        }
        if octet == b'=' && count == 1 {
            is_after_stray = true;
        } else if octet == b'=' {
            due = match (due, count) {
                (0, 2) => 1,
                _ => 0,
            };
            count = 0;
        } else if sextet(octet) < NO_LETTER {
            if count == 0 {
                begin = at;
            }
            (count, due) = ((count + 1) % 4, 0);
        }
    }
    if count > 0 || due > 0 {
        begin
    } else {
        body.len()
    }
}

#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
))]
static ENGINE: LazyLock<engine::Simd> =
    LazyLock::new(|| engine::Simd::standard(general_purpose::PAD));
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
)))]
static ENGINE: LazyLock<engine::GeneralPurpose> = LazyLock::new(|| general_purpose::STANDARD);

/// Minimum number of letters for which vector instructions pay.
const MIN_VECTOR: usize = 128;

/// The number of octets of lines decoded together.
const MAX_JOINED: usize = 2048;

/// The first lines of a text, in at most [`MAX_JOINED`] octets. A line longer than that is split.
fn first_lines(text: &[u8]) -> &[u8] {
    let Some(start) = text.get(..MAX_JOINED) else {
        return text;
    };
    let length = memrchr(b'\n', start).map_or(MAX_JOINED, |end| end + 1);
    between(start, 0, length)
}

/// The length of a run of data up to its last letter, and whether the run may continue after `octets`.
fn run_length(octets: &[u8]) -> (usize, bool) {
    let end = memchr(b'=', octets);
    let run = between(octets, 0, end.unwrap_or(octets.len()));
    let last = run.iter().rposition(|&octet| sextet(octet) < NO_LETTER);
    (last.map_or(0, |last| last + 1), end.is_none())
}

/// Decodes base64, in pieces.
pub(super) struct Base64Decoder {
    /// The decoded octets, while a piece is decoded.
    octets: Vec<u8>,
    /// The letters of lines decoded together.
    joined: Vec<u8>,
    findings: Findings,
    letters: Letters,
    /// The number of equals signs still expected, once one has ended a run of data.
    padding: Option<u8>,
    /// The offset of the last octet, if it is an equals sign after the first letter of a group. It is no
    /// padding if a letter follows.
    stray: Option<usize>,
    /// The offset of a run of data, after padding, that may continue in the next piece.
    run: Option<usize>,
    /// The offset of the piece in the body.
    base: usize,
    /// The end of the last letter or equals sign.
    end: usize,
    /// The offset of the current line. `None` once a line was too long, and for B words, which have no
    /// line limit.
    line: Option<usize>,
}

/// Letters of an incomplete group of four.
#[derive(Default)]
struct Letters {
    bits: u32,
    count: u8,
}

impl Base64Decoder {
    pub(super) fn new(line: Option<usize>) -> Self {
        Base64Decoder {
            octets: Vec::new(),
            joined: Vec::new(),
            findings: Findings::default(),
            letters: Letters::default(),
            padding: None,
            stray: None,
            run: None,
            base: 0,
            end: 0,
            line,
        }
    }

    /// Decodes the next piece and appends its octets to `octets`.
    pub(super) fn decode(&mut self, piece: &[u8], is_last: bool, octets: &mut Vec<u8>) {
        work(piece.len());
        self.octets = std::mem::take(octets);
        self.octets.reserve_exact(piece.len().div_ceil(4) * 3 + 3);
        self.extend_run(piece);
        let (mut at, mut tried) = (0, 0);
        while let Some(octet) = piece.get(at) {
            if at >= tried && self.is_between_groups() && sextet(*octet) < NO_LETTER {
                let lines = first_lines(tail(piece, at));
                tried = at + lines.len();
                if self.decode_clean(lines, self.base + at) {
                    at = tried;
                    continue;
                }
            }
            self.octet(piece, at);
            at += 1;
        }
        if is_last {
            self.finish(piece.len());
        }
        self.base += piece.len();
        *octets = std::mem::take(&mut self.octets);
    }

    pub(super) fn into_report(self) -> Report {
        self.findings.into_report()
    }

    fn is_between_groups(&self) -> bool {
        self.letters.count == 0 && self.padding.is_none()
    }

    /// Decodes lines at the offset `base`, if all of them follow every rule and the last ends with a
    /// whole group. Otherwise decodes nothing. The letters of all lines are joined and decoded by vector
    /// instructions.
    fn decode_clean(&mut self, lines: &[u8], base: usize) -> bool {
        work(lines.len());
        // Most lines are as long as the previous one.
        let line_feed = |start: usize, width| {
            let guess = Some(width).filter(|width| lines.get(start + width) == Some(&b'\n'));
            guess.or_else(|| memchr(b'\n', tail(lines, start)))
        };
        let (mut line, mut start, mut width) = (self.line, 0, 0);
        self.joined.clear();
        while let Some(length) = line_feed(start, width) {
            width = length;
            let next = start + length;
            let letters = between(lines, start, next);
            let letters = letters.strip_suffix(b"\r").unwrap_or(letters);
            self.joined.extend_from_slice(letters);
            if line.is_some_and(|line| base + start + letters.len() - line > LINE_LIMIT) {
                return false;
            }
            start = next + 1;
            line = line.map(|_| base + start);
        }
        let letters = if start == 0 {
            lines
        } else {
            self.joined.extend_from_slice(tail(lines, start));
            self.joined.as_slice()
        };
        let length = self.octets.len();
        let is_decoded = if letters.len() < MIN_VECTOR {
            self.octets.resize(length + letters.len() / 4 * 3, 0);
            let free = self.octets.get_mut(length..).unwrap_or_default();
            let decoded = decode_groups(letters, free);
            self.octets.truncate(length + decoded.unwrap_or(0));
            decoded.is_some()
        } else {
            ENGINE.decode_vec(letters, &mut self.octets).is_ok()
        };
        if !is_decoded {
            self.octets.truncate(length);
            return false;
        }
        if letters.ends_with(b"=") {
            self.padding = Some(0);
        }
        self.line = line;
        true
    }

    /// Reports the first line that is too long.
    fn line_end(&mut self, end: usize, next: usize) {
        let Some(line) = self.line else { return };
        self.line = Some(next);
        if end.saturating_sub(line) > LINE_LIMIT {
            self.findings
                .add(Kind::LineLength, line, end - line, LONG_LINE);
            self.line = None;
        }
    }

    fn octet(&mut self, text: &[u8], at: usize) {
        let Some((&octet, rest)) = tail(text, at).split_first() else {
            return;
        };
        let at = self.base + at;
        if self.stray.is_some() {
            self.stray_equals_sign(sextet(octet) < NO_LETTER);
        }
        match octet {
            b' ' | b'\t' => {}
            b'\r' | b'\n' => self.line_end(at, at + 1),
            b'=' if self.letters.count == 1 => self.stray = Some(at),
            b'=' => self.equals_sign(at),
            _ if sextet(octet) < NO_LETTER => {
                if self.padding.is_some() {
                    self.begin_further_run(rest, at);
                }
                self.letter(sextet(octet));
                self.end = at + 1;
            }
            _ => self.findings.add(
                Kind::Base64Skipped,
                at,
                1,
                "octets outside the base64 alphabet",
            ),
        }
    }

    fn letter(&mut self, value: u8) {
        self.letters.bits = self.letters.bits << 6 | u32::from(value);
        self.letters.count += 1;
        if self.letters.count == 4 {
            let [_, group @ ..] = self.letters.bits.to_be_bytes();
            self.octets.extend_from_slice(&group);
            self.letters = Letters::default();
        }
    }

    /// Handles an equals sign after the first letter of a group. Skips it if a letter follows; otherwise
    /// ends the run of data.
    fn stray_equals_sign(&mut self, is_before_letter: bool) {
        let Some(at) = self.stray.take() else { return };
        if !is_before_letter {
            self.end_of_run();
        }
        self.findings.add(
            Kind::Base64Padding,
            at,
            1,
            "equals sign where no padding is due",
        );
        self.end = at + 1;
    }

    fn equals_sign(&mut self, at: usize) {
        let due = match (self.padding, self.letters.count) {
            (Some(due), _) => due.checked_sub(1),
            (None, 2) => Some(1),
            (None, 3) => Some(0),
            (None, _) => None,
        };
        self.end_of_run();
        if due.is_some() {
            self.padding = due;
        } else {
            self.findings.add(
                Kind::Base64Padding,
                at,
                1,
                "equals sign where no padding is due",
            );
        }
        self.end = at + 1;
    }

    /// Reports a letter after padding, with the run of data that it begins. `rest` is the octets after
    /// the letter.
    fn begin_further_run(&mut self, rest: &[u8], at: usize) {
        self.missing_padding();
        self.padding = None;
        let (length, is_open) = run_length(rest);
        self.run = is_open.then_some(at);
        self.findings.add(
            Kind::Base64AfterPadding,
            at,
            1 + length,
            "data after padding",
        );
    }

    /// Extends the finding about a run after padding, if the run did not end in the previous piece.
    fn extend_run(&mut self, piece: &[u8]) {
        let Some(start) = self.run else { return };
        let (length, is_open) = run_length(piece);
        if length > 0 {
            let length = self.base + length - start;
            self.findings
                .lengthen(Kind::Base64AfterPadding, start, length);
        }
        self.run = is_open.then_some(start);
    }

    fn finish(&mut self, length: usize) {
        let end = self.base + length;
        self.line_end(end, end);
        self.stray_equals_sign(false);
        if self.letters.count > 1 {
            self.padding = Some(4 - self.letters.count);
        }
        self.end_of_run();
        self.missing_padding();
    }

    /// Appends the octets of an incomplete group.
    fn end_of_run(&mut self) {
        let Letters { bits, count } = std::mem::take(&mut self.letters);
        let last = self.end.saturating_sub(1);
        let (whole, rest) = match count {
            2 => (bits << 12, bits & 0xF),
            3 => (bits << 6, bits & 0x3),
            1 => {
                let detail = "a single letter, too few bits for an octet";
                self.findings.add(Kind::Base64Truncated, last, 1, detail);
                return;
            }
            _ => return,
        };
        let [_, first, second, _] = whole.to_be_bytes();
        self.octets.push(first);
        if count == 3 {
            self.octets.push(second);
        }
        if rest != 0 {
            let detail = "nonzero bits after the last octet";
            self.findings.add(Kind::Base64Padding, last, 1, detail);
        }
    }

    fn missing_padding(&mut self) {
        if let Some(1..) = self.padding {
            let detail = "missing padding";
            self.findings.add(Kind::Base64Padding, self.end, 0, detail);
        }
    }
}
