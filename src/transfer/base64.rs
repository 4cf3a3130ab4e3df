//! Base64 and its use in B encoded words (RFC 2045, section 6.8; RFC 2047, section 4.1).

use ::base64::engine::Engine as _;
use ::base64::engine::general_purpose::STANDARD;
use memchr::{memchr, memchr2};

use super::machine::{self, Machine, Reached, Task};
use super::{Findings, LINE_LIMIT, LONG_LINE, Transferred, between, tail, tail_mut};
use crate::report::{Kind, Report};
use crate::work::work;

/// The octets of a base64 body (RFC 2045, section 6.8).
///
/// Blanks and line ends are no part of the data. Other octets outside the alphabet are
/// passed over ([`Kind::Base64Skipped`]). An equals sign ends a run of data; data behind it
/// is decoded as a further run ([`Kind::Base64AfterPadding`]), as concatenated bodies need.
/// Missing padding, too much of it, and padding behind bits that are not zero are
/// [`Kind::Base64Padding`]. A single letter at the end has too few bits for an octet, and is lost
/// ([`Kind::Base64Truncated`]); nothing else is. A line of more than 76 characters is
/// [`Kind::LineLength`].
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
    base64_body(body, &mut Vec::new())
}

/// The octets of the encoded text of a B encoded word (RFC 2047, section 4.1): base64,
/// without its limit on lines.
///
/// ```
/// use mime_charset::transfer;
///
/// assert_eq!(transfer::b(b"4piD").as_bytes(), "☃".as_bytes());
/// ```
pub fn b(encoded_text: &[u8]) -> Transferred<'_> {
    work(encoded_text.len());
    let buffer = &mut Vec::new();
    machine::run(Base64 {
        text: encoded_text,
        line: None,
        buffer,
    })
}

/// Whether the base64 of one B word goes on in the `next`: mailers cut the encoded text where
/// the line is full, though each word must stand for whole octets (RFC 2047, section 5).
///
/// That is so if `encoded_text` ends inside a group of four letters, unpadded, and `next` is
/// no whole number of groups by itself. The two are then decoded as one text.
///
/// ```
/// use mime_charset::transfer;
///
/// // E2 98 83 as four letters, cut behind the third.
/// assert!(transfer::b_continues(b"4pi", b"D"));
/// assert_eq!(transfer::b(b"4piD").as_bytes(), "☃".as_bytes());
/// // The same three octets as two words of whole octets, the first without its padding.
/// assert!(!transfer::b_continues(b"4pi", b"gw=="));
/// ```
#[must_use]
pub fn b_continues(encoded_text: &[u8], next: &[u8]) -> bool {
    fn is_in_groups(text: &[u8]) -> bool {
        let counts = |&&octet: &&u8| octet == b'=' || sextet(octet) < NO_LETTER;
        text.iter().filter(counts).count() % 4 == 0
    }
    work(encoded_text.len());
    memchr(b'=', encoded_text).is_none() && !is_in_groups(encoded_text) && !is_in_groups(next)
}

/// Undoes the B of an encoded word that keeps every rule of RFC 2045, section 6.8: whole groups
/// of letters, padded as they should be. `None` where [`b`] would find something, or where
/// `buffer` is too short.
pub(crate) fn clean_b<'r>(encoded_text: &[u8], buffer: &'r mut [u8]) -> Option<&'r [u8]> {
    work(encoded_text.len());
    let (groups, []) = encoded_text.as_chunks::<4>() else {
        return None;
    };
    let (last, groups) = groups.split_last()?;
    let (octets, _) = buffer.as_chunks_mut::<3>();
    if octets.len() <= groups.len() {
        return None;
    }
    let bits = |[a, b, c, d]: [u8; 4]| {
        let [a, b, c, d] = [a, b, c, d].map(|octet| u32::from(sextet(octet)));
        (a << 18 | b << 12 | c << 6 | d, a | b | c | d)
    };
    let mut seen = 0;
    for (group, octets) in groups.iter().zip(&mut *octets) {
        let (bits, letters) = bits(*group);
        let [_, three @ ..] = bits.to_be_bytes();
        *octets = three;
        seen |= letters;
    }
    let (padded, length) = match *last {
        [a, b, b'=', b'='] => ([a, b, b'A', b'A'], 1),
        [a, b, c, b'='] => ([a, b, c, b'A'], 2),
        full => (full, 3),
    };
    let (bits, letters) = bits(padded);
    let [_, three @ ..] = bits.to_be_bytes();
    *octets.get_mut(groups.len())? = three;
    let has_rest = bits & (0xFF_FFFF >> (8 * length)) != 0;
    if (seen | letters) >= u32::from(NO_LETTER) || has_rest {
        return None;
    }
    buffer.get(..groups.len() * 3 + length)
}

/// How long so many octets are under base64, as [`Base64Writer`] writes them.
pub(crate) fn base64_length(octets: usize, line_end: &str) -> usize {
    let line_ends = octets.div_ceil(OF_LINE).saturating_sub(1);
    octets.div_ceil(3) * 4 + line_ends * line_end.len()
}

/// How many octets are a line of 76 characters.
const OF_LINE: usize = 57;

/// Octets under base64, in one piece or in several: in lines of 76 characters, without a line end
/// behind the last (RFC 2045, section 6.8).
pub(crate) struct Base64Writer {
    line_end: &'static str,
    /// What makes no whole lines yet.
    waiting: Vec<u8>,
}

impl Base64Writer {
    pub(crate) fn new(line_end: &'static str) -> Self {
        Base64Writer {
            line_end,
            waiting: Vec::new(),
        }
    }

    /// Takes a piece, and gives what it decides.
    pub(crate) fn push(&mut self, octets: &[u8]) -> Vec<u8> {
        self.waiting.extend_from_slice(octets);
        // Whether a line end follows the last line is not known yet.
        let lines = self.waiting.len().saturating_sub(1) / OF_LINE;
        let whole = self.waiting.get(..lines * OF_LINE).unwrap_or_default();
        let mut encoded = encode_base64(whole, self.line_end);
        if lines > 0 {
            encoded.extend_from_slice(self.line_end.as_bytes());
        }
        self.waiting.drain(..lines * OF_LINE);
        encoded
    }

    /// What is left.
    pub(crate) fn finish(self) -> Vec<u8> {
        encode_base64(&self.waiting, self.line_end)
    }
}

/// Whole lines of octets under base64, or all that is left, without a line end behind the last.
fn encode_base64(octets: &[u8], line_end: &str) -> Vec<u8> {
    work(octets.len());
    let length = base64_length(octets.len(), line_end);
    // One line end more may follow.
    let mut encoded = Vec::with_capacity(length + line_end.len());
    encoded.resize(length, 0);
    let mut free = encoded.as_mut_slice();
    for line in octets.chunks(OF_LINE) {
        let (letters, behind) = free.split_at_mut(free.len().min(line.len().div_ceil(3) * 4));
        // All of them fit.
        let _ = STANDARD.encode_slice(line, letters);
        let (end, behind) = behind.split_at_mut(behind.len().min(line_end.len()));
        end.copy_from_slice(line_end.as_bytes().get(..end.len()).unwrap_or_default());
        free = behind;
    }
    encoded
}

pub(super) fn base64_body<'a>(body: &'a [u8], buffer: &mut Vec<u8>) -> Transferred<'a> {
    work(body.len());
    machine::run(Base64 {
        text: body,
        line: Some(0),
        buffer,
    })
}

/// The capacity that decoding needs beyond its result: for a group that is not full, and for
/// what vectors write too much.
const SPARE: usize = 3 + 4;

/// Where in a body that goes on a group of letters begins that is not whole yet, padding counted.
pub(super) fn decided(body: &[u8]) -> usize {
    work(body.len());
    let (mut begin, mut count, mut due) = (0, 0, 0);
    for (at, &octet) in body.iter().enumerate() {
        if octet == b'=' {
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

/// Base64 that is undone as a whole.
pub(super) struct Base64<'t, 'b> {
    pub(super) text: &'t [u8],
    /// Where the first line begins; a B word has no lines.
    pub(super) line: Option<usize>,
    /// Memory for the octets.
    pub(super) buffer: &'b mut Vec<u8>,
}

impl<'t> Task for Base64<'t, '_> {
    type Output = Transferred<'t>;

    fn run(self, machine: impl Machine) -> Transferred<'t> {
        let Base64 { text, line, buffer } = self;
        let mut octets = std::mem::take(buffer);
        octets.clear();
        octets.reserve_exact(text.len() / 4 * 3 + SPARE);
        if (line.is_some() || text.len() <= LINE_LIMIT)
            && clean_lines(machine, text, &mut octets).is_some()
        {
            return Transferred::changed(octets, Report::new());
        }
        let mut decoder = Decoder::new(octets, line);
        decoder.read(machine, text);
        decoder.finish(text.len());
        Transferred::changed(decoder.octets, decoder.findings.into_report())
    }
}

/// Base64 decoded a piece at a time.
pub(crate) struct Base64Reader(Decoder);

/// The next octets of a body.
struct Piece<'r, 'b> {
    reader: &'r mut Base64Reader,
    octets: &'b [u8],
    /// Whether the body ends with them.
    is_last: bool,
}

impl Task for Piece<'_, '_> {
    type Output = ();

    fn run(self, machine: impl Machine) {
        let Base64Reader(decoder) = self.reader;
        decoder.octets.clear();
        decoder.extend_run(self.octets);
        decoder.read(machine, self.octets);
        if self.is_last {
            decoder.finish(self.octets.len());
        }
    }
}

impl Base64Reader {
    pub(crate) fn new() -> Self {
        Base64Reader(Decoder::new(Vec::new(), Some(0)))
    }

    /// Decodes the next octets of a body that comes in pieces.
    pub(crate) fn push(&mut self, piece: &[u8], is_last: bool) -> &[u8] {
        work(piece.len());
        machine::run(Piece {
            reader: &mut *self,
            octets: piece,
            is_last,
        });
        self.0.base += piece.len();
        &self.0.octets
    }

    pub(crate) fn into_report(self) -> Report {
        self.0.findings.into_report()
    }
}

/// Decodes a short text whose lines are clean and of one length, but for the last; `None`, and
/// nothing decoded, if it is none. What else there is to keep of a text takes longer to prepare than
/// this does.
fn clean_lines(machine: impl Machine, text: &[u8], octets: &mut Vec<u8>) -> Option<()> {
    /// A text of which it does not matter much if it is read again.
    const SHORT: usize = 16 << 10;
    let mut rest = text;
    if text.len() > LINE_LIMIT && text.len() <= SHORT {
        let length = memchr2(b'\r', b'\n', text.get(..=LINE_LIMIT)?)?;
        let line_end = line_end(tail(text, length));
        rest = tail(text, machine.lines(text, length, line_end, octets).taken);
    }
    // A text no longer than a line has no line that is too long.
    if rest.len() <= LINE_LIMIT && (rest.is_empty() || last_line(machine, rest, octets).is_some()) {
        return Some(());
    }
    octets.clear();
    None
}

/// The CRLF, CR or LF that `text` begins with.
fn line_end(text: &[u8]) -> &'static [u8] {
    match text {
        [b'\r', b'\n', ..] => b"\r\n",
        [b'\r', ..] => b"\r",
        _ => b"\n",
    }
}

/// Decodes the last line of a text, with its padding and its line end, and says how long it is;
/// `None`, and nothing decoded, if it is not clean.
fn last_line(machine: impl Machine, rest: &[u8], octets: &mut Vec<u8>) -> Option<usize> {
    let ([line @ .., b'\r', b'\n'] | [line @ .., b'\r' | b'\n'] | line) = rest;
    let made = octets.len();
    let mut taken = 0;
    // One without padding, in which the last vector overlaps the one before.
    if line.last() != Some(&b'=') {
        taken = machine.lines(line, line.len(), b"", octets).taken;
    }
    if taken == 0 {
        taken = machine.letters(line, octets).taken;
    }
    if taken < line.len() || line.is_empty() {
        let mut buffer = [0; OF_LINE];
        let Some(last) = clean_b(tail(line, taken), &mut buffer) else {
            octets.truncate(made);
            return None;
        };
        octets.extend_from_slice(last);
    }
    Some(line.len())
}

/// The length of a run of data, to its last letter, and whether it may go on after `octets`.
fn run_length(octets: &[u8]) -> (usize, bool) {
    let end = memchr(b'=', octets);
    let run = between(octets, 0, end.unwrap_or(octets.len()));
    let last = run.iter().rposition(|&octet| sextet(octet) < NO_LETTER);
    (last.map_or(0, |last| last + 1), end.is_none())
}

/// A base64 decoder, from octet to octet.
struct Decoder {
    octets: Vec<u8>,
    findings: Findings,
    letters: Letters,
    padding: Padding,
    /// The offset of a run of data behind padding that may go on in the next piece.
    run: Option<usize>,
    /// How many octets of the body lie before those that are read; all places are in the body.
    base: usize,
    /// Where the last letter or equals sign ended.
    end: usize,
    /// Where the line began, until one is too long.
    line: Option<usize>,
}

/// Letters that wait for the rest of their group of four.
#[derive(Default)]
struct Letters {
    bits: u32,
    count: u8,
}

/// Whether an equals sign has ended the run of data, and how many more of them are due.
#[derive(PartialEq)]
enum Padding {
    None,
    Seen { due: u8 },
}

impl Decoder {
    fn new(octets: Vec<u8>, line: Option<usize>) -> Self {
        Decoder {
            octets,
            findings: Findings::default(),
            letters: Letters::default(),
            padding: Padding::None,
            run: None,
            base: 0,
            end: 0,
            line,
        }
    }

    /// Decodes a text to its end.
    fn read(&mut self, machine: impl Machine, text: &[u8]) {
        let mut at = 0;
        // Before this, the machine is not tried again.
        let mut tried = at;
        while let Some(octet) = text.get(at) {
            if self.is_between_groups() && sextet(*octet) < NO_LETTER {
                let rest = tail(text, at);
                if at >= tried {
                    let reached = self.at_once(machine, rest, self.base + at);
                    tried = at + reached.tried;
                    at += reached.taken;
                    if reached.taken > 0 {
                        continue;
                    }
                }
                let taken = self.groups(rest, self.base + at);
                at += taken;
                if taken > 0 {
                    continue;
                }
            }
            self.octet(text, at);
            at += 1;
        }
    }

    fn is_between_groups(&self) -> bool {
        self.letters.count == 0 && self.padding == Padding::None
    }

    /// Decodes lines of one length, or as much of one line, as holds nothing but letters.
    fn at_once<M: Machine>(&mut self, machine: M, rest: &[u8], at: usize) -> Reached {
        /// In a shorter text it is not worth while to look for line ends.
        const WORTH_IT: usize = 128;
        work(rest.len().min(M::LONGEST_LINE));
        if rest.len() <= LINE_LIMIT + 2
            && let Some(length) = last_line(machine, rest, &mut self.octets)
        {
            // What follows may go on with the line, and stands behind its padding.
            if length < rest.len() {
                self.line_end(at + length, at + rest.len());
            }
            if between(rest, 0, length).ends_with(b"=") {
                self.padding = Padding::Seen { due: 0 };
            }
            return Reached::all(rest.len());
        }
        let (mut line, mut tried) = (rest, 0);
        if rest.len() >= WORTH_IT
            && let Some(length) = memchr2(b'\r', b'\n', rest.get(..M::LONGEST_LINE).unwrap_or(rest))
        {
            let line_end = line_end(tail(rest, length));
            let reached = machine.lines(rest, length, line_end, &mut self.octets);
            if reached.taken > 0 {
                self.line_end(at + length, at + length + line_end.len());
                self.line = self.line.map(|_| at + reached.taken);
                self.end = at + reached.taken;
                return reached;
            }
            (line, tried) = (between(rest, 0, length), reached.tried);
        }
        let mut reached = machine.letters(line, &mut self.octets);
        if reached.taken > 0 {
            self.end = at + reached.taken;
        }
        reached.tried = reached.tried.max(tried);
        reached
    }

    /// Takes note of the first line that is too long.
    fn line_end(&mut self, end: usize, next: usize) {
        let Some(line) = self.line else { return };
        self.line = Some(next);
        if end.saturating_sub(line) > LINE_LIMIT {
            self.findings
                .add(Kind::LineLength, line, end - line, LONG_LINE);
            self.line = None;
        }
    }

    /// Decodes whole groups of four letters and says how many octets it took.
    #[expect(
        clippy::inline_always,
        reason = "a call each costs a fifth more in damaged base64"
    )]
    #[inline(always)]
    fn groups(&mut self, text: &[u8], base: usize) -> usize {
        if !self.is_between_groups() {
            return 0;
        }
        // Room is made for a line and no more: the next one asks for its own.
        let (groups, _) = text.get(..128).unwrap_or(text).as_chunks::<4>();
        let made = self.octets.len();
        self.octets.resize(made + groups.len() * 3, 0);
        let (places, _) = tail_mut(&mut self.octets, made).as_chunks_mut::<3>();
        let mut taken = 0;
        for (group, place) in groups.iter().zip(places) {
            let [a, b, c, d] = group.map(|octet| u32::from(sextet(octet)));
            if (a | b | c | d) >= u32::from(NO_LETTER) {
                break;
            }
            let [_, octets @ ..] = (a << 18 | b << 12 | c << 6 | d).to_be_bytes();
            *place = octets;
            taken += 1;
        }
        self.octets.truncate(made + taken * 3);
        if taken > 0 {
            self.end = base + taken * 4;
        }
        taken * 4
    }

    #[expect(clippy::inline_always, reason = "as for `groups`")]
    #[inline(always)]
    fn octet(&mut self, text: &[u8], at: usize) {
        let Some((&octet, rest)) = tail(text, at).split_first() else {
            return;
        };
        let at = self.base + at;
        match octet {
            b' ' | b'\t' => {}
            b'\r' | b'\n' => self.line_end(at, at + 1),
            b'=' => self.equals_sign(at),
            _ if sextet(octet) < NO_LETTER => {
                if self.padding != Padding::None {
                    self.further_run(rest, at);
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

    fn equals_sign(&mut self, at: usize) {
        let due = match (&self.padding, self.letters.count) {
            (Padding::Seen { due }, _) => due.checked_sub(1),
            (Padding::None, 2) => Some(1),
            (Padding::None, 3) => Some(0),
            (Padding::None, _) => None,
        };
        self.end_of_run();
        if let Some(due) = due {
            self.padding = Padding::Seen { due };
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

    /// Takes note of a letter behind padding, and of the run that it begins with `rest`.
    fn further_run(&mut self, rest: &[u8], at: usize) {
        self.missing_padding();
        self.padding = Padding::None;
        let (length, is_open) = run_length(rest);
        self.run = is_open.then_some(at);
        self.findings.add(
            Kind::Base64AfterPadding,
            at,
            1 + length,
            "data after padding",
        );
    }

    /// Extends a run behind padding that the piece before ended in.
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
        if self.letters.count > 1 {
            self.padding = Padding::Seen {
                due: 4 - self.letters.count,
            };
        }
        self.end_of_run();
        self.missing_padding();
    }

    /// Gives out the octets of a group that is not full.
    fn end_of_run(&mut self) {
        let Letters { bits, count } = std::mem::take(&mut self.letters);
        let last = self.end.saturating_sub(1);
        let (whole, rest) = match count {
            2 => (bits << 12, bits & 0xF),
            3 => (bits << 6, bits & 0x3),
            1 => {
                let detail = "one letter, which is too little for an octet";
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
            let detail = "bits behind the last octet that are not zero";
            self.findings.add(Kind::Base64Padding, last, 1, detail);
        }
    }

    fn missing_padding(&mut self) {
        if let Padding::Seen { due: 1.. } = self.padding {
            let detail = "missing padding";
            self.findings.add(Kind::Base64Padding, self.end, 0, detail);
        }
    }
}

const NO_LETTER: u8 = 64;

/// The value of a letter of the base64 alphabet (RFC 2045, section 6.8, table 1), or
/// [`NO_LETTER`].
fn sextet(octet: u8) -> u8 {
    const VALUES: [u8; 256] = values();
    #[expect(
        clippy::indexing_slicing,
        reason = "runs when compiling, where a slip is a build error"
    )]
    const fn values() -> [u8; 256] {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut values = [NO_LETTER; 256];
        let mut value = 0;
        while value < NO_LETTER {
            values[alphabet[value as usize] as usize] = value;
            value += 1;
        }
        values
    }
    VALUES.get(usize::from(octet)).copied().unwrap_or(NO_LETTER)
}
