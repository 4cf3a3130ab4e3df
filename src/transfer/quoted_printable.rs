//! Quoted-printable and its kin, the Q of encoded words (RFC 2045, section 6.7; RFC 2047,
//! section 4.2).

use std::ops::Range;

use memchr::{memchr2, memchr2_iter, memmem};

use super::hexadecimal::{NO_DIGIT, digit};
use super::machine::{self, Machine, Seen, Task};
use super::{Extent, Findings, LINE_LIMIT, LONG_LINE, Transferred, between, is_blank, tail};
use crate::report::{Kind, Report};
use crate::work::work;

/// The octets of a quoted-printable body (RFC 2045, section 6.7); borrowed if they are the
/// body itself.
///
/// `=HH` is an octet and `=` before a line end joins two lines. Blanks before a line end or
/// the end of the body are deleted ([`Kind::QuotedPrintableBlanks`]). An equals sign with
/// anything else behind it stays ([`Kind::QuotedPrintableKept`]). Lower-case digits count,
/// and an equals sign that ends the body joins it to nothing
/// ([`Kind::QuotedPrintableSyntax`]). Octets above 7F ([`Kind::EightBitData`]), control
/// characters ([`Kind::Control`]) and lines of more than 76 characters
/// ([`Kind::LineLength`]) stay as they are; each of these is one finding.
///
/// ```
/// use mime_charset::{Kind, transfer};
///
/// assert_eq!(transfer::quoted_printable(b"caf=C3=A9 au=\r\n lait").as_bytes(), "café au lait".as_bytes());
///
/// let sum = transfer::quoted_printable(b"1+1=2");
/// assert_eq!(sum.as_bytes(), b"1+1=2");
/// assert!(sum.report().has(Kind::QuotedPrintableKept));
/// ```
pub fn quoted_printable(body: &[u8]) -> Transferred<'_> {
    quoted_printable_with(body, &mut Vec::new())
}

/// [`quoted_printable`], with the memory of `buffer` for octets that the body does not hold.
pub(super) fn quoted_printable_with<'a>(body: &'a [u8], buffer: &mut Vec<u8>) -> Transferred<'a> {
    work(body.len());
    machine::run(QuotedPrintable { body, buffer })
}

/// A body to decode, and memory for it. What is clean the machine decodes, and
/// [`one_by_one`] a few octets where it stops.
pub(super) struct QuotedPrintable<'a, 'b> {
    pub(super) body: &'a [u8],
    pub(super) buffer: &'b mut Vec<u8>,
}

impl<'a> Task for QuotedPrintable<'a, '_> {
    type Output = Transferred<'a>;

    fn run(self, machine: impl Machine) -> Transferred<'a> {
        in_blocks(machine, self.body, self.buffer)
    }
}

fn in_blocks<'a, M: Machine>(machine: M, body: &'a [u8], buffer: &mut Vec<u8>) -> Transferred<'a> {
    let mut findings = Findings::default();
    let mut seen = M::Seen::default();
    let mut octets = std::mem::take(buffer);
    octets.clear();
    let mut at = machine.unchanged(body, 0, &mut seen);
    let is_unchanged = at >= body.len();
    if !is_unchanged {
        octets.reserve_exact(body.len() + M::REACH);
        octets.extend_from_slice(between(body, 0, at));
    }
    while at < body.len() {
        let from = at;
        at = machine.quoted_printable(body, at, &mut seen, &mut octets);
        work(at - from + FEW);
        if at < body.len() {
            at = one_by_one(body, at, &mut octets, &mut findings);
            seen.look(body, at);
        }
    }
    let (is_plain, has_long_line) = (seen.is_plain(body), seen.may_have_long_line(body));
    let mut report = Report::new();
    if !is_plain || has_long_line {
        let mut whole = WholeFindings::default();
        whole.add(body, 0, is_plain, has_long_line);
        report = whole.into_report(body.len());
    }
    report.absorb(findings.into_report(), 0);
    // Whatever changes the body makes it shorter.
    if is_unchanged || octets.len() == body.len() {
        *buffer = octets;
        return Transferred::unchanged(body, report);
    }
    Transferred::changed(octets, report)
}

/// The findings of which there is one for a whole body: its octets above 7F, its control characters,
/// and its first line of more than 76 characters (RFC 2045, section 6.7, rule 5).
#[derive(Default)]
pub(super) struct WholeFindings {
    eight_bit: Extent,
    controls: Extent,
    long_line: Option<Range<usize>>,
    /// The offset of the line that the last piece ends in.
    line: usize,
}

impl WholeFindings {
    /// The kinds of these findings.
    pub(super) const KINDS: [Kind; 3] = [Kind::EightBitData, Kind::Control, Kind::LineLength];

    /// Adds the next piece of the body, which begins at `offset`. No octet of a plain piece is above 7F or
    /// a control character. Without `has_long_line`, only lines that go on in another piece may be long.
    pub(super) fn add(&mut self, piece: &[u8], offset: usize, is_plain: bool, has_long_line: bool) {
        if !is_plain {
            self.eight_bit.add(Kind::EightBitData, piece, offset);
            self.controls.add(Kind::Control, piece, offset);
        }
        let mut ends = memchr2_iter(b'\r', b'\n', piece);
        while self.long_line.is_none()
            && let Some(end) = ends.next()
        {
            let line = std::mem::replace(&mut self.line, offset + end + 1)..offset + end;
            self.long_line = Some(line).filter(|line| line.len() > LINE_LIMIT);
            if !has_long_line {
                break;
            }
        }
        if let Some(last) = ends.next_back() {
            self.line = offset + last + 1;
        }
    }

    /// The findings in a body of so many octets.
    pub(super) fn into_report(self, length: usize) -> Report {
        let mut report = Report::new();
        self.eight_bit.report(Kind::EightBitData, &mut report);
        self.controls.report(Kind::Control, &mut report);
        let last = Some(self.line..length).filter(|line| line.len() > LINE_LIMIT);
        if let Some(line) = self.long_line.or(last) {
            report.add(Kind::LineLength, line.start, line.len(), LONG_LINE);
        }
        report
    }
}

/// Where in a body that goes on something begins that may be the start of an escape or of the end of
/// a line.
pub(super) fn decided(body: &[u8]) -> usize {
    let mut decided = body;
    loop {
        let line = decided.strip_suffix(b"\r").unwrap_or(decided);
        let blanks = line
            .iter()
            .rev()
            .take_while(|octet| is_blank(**octet))
            .count();
        work(blanks);
        let text = line.get(..line.len() - blanks).unwrap_or_default();
        decided = match text {
            [rest @ .., b'='] => rest,
            [rest @ .., b'=', digit]
                if blanks == 0 && line.len() == decided.len() && digit.is_ascii_hexdigit() =>
            {
                rest
            }
            _ if blanks > 0 && line.len() == decided.len() => text,
            _ => return decided.len(),
        };
    }
}

/// How many octets are decoded one by one where a machine stopped, before it goes on.
const FEW: usize = 64;

/// Decodes a few octets, whatever they are, and says where to go on.
fn one_by_one(body: &[u8], from: usize, octets: &mut Vec<u8>, findings: &mut Findings) -> usize {
    let is_blank_at = |at| body.get(at).is_some_and(|octet| is_blank(*octet));
    let mut at = from;
    if is_blank_at(at) {
        // They began before and may end a line.
        let before = between(body, 0, at).iter().rev();
        let before = before.take_while(|octet| is_blank(**octet)).count();
        octets.truncate(octets.len().saturating_sub(before));
        at -= before;
    }
    let begin = at;
    while let (Some(&octet), true) = (body.get(at), at < from + FEW) {
        if octet == b'=' {
            let (octet, next) = equals_sign(body, at, findings);
            octets.extend(octet);
            at = next;
        } else if is_blank(octet) {
            let rest = tail(body, at);
            let length = rest.iter().take_while(|octet| is_blank(**octet)).count();
            if let None | Some(b'\r' | b'\n') = rest.get(length) {
                findings.blanks(at..at + length);
            } else {
                octets.extend_from_slice(between(rest, 0, length));
            }
            at += length;
        } else {
            octets.push(octet);
            at += 1;
        }
    }
    work(at - begin);
    at
}

/// What an equals sign stands for, and where its escape ends.
pub(super) fn equals_sign(
    body: &[u8],
    sign: usize,
    findings: &mut Findings,
) -> (Option<u8>, usize) {
    match escape(tail(body, sign + 1)) {
        Escape::Octet(octet) => {
            let next = sign + 3;
            if between(body, sign, next).iter().any(u8::is_ascii_lowercase) {
                let detail = "lower-case hexadecimal digits";
                findings.add(Kind::QuotedPrintableSyntax, sign, 3, detail);
            }
            (Some(octet), next)
        }
        Escape::SoftLineBreak { blanks, line_end } => {
            let at = sign + 1 + blanks;
            if line_end == 0 {
                let detail = "equals sign at the end of the body";
                findings.add(Kind::QuotedPrintableSyntax, sign, 1, detail);
            }
            findings.blanks(sign + 1..at);
            (None, at + line_end)
        }
        Escape::None => {
            findings.kept(sign);
            (Some(b'='), sign + 1)
        }
    }
}

/// The octets of the encoded text of a Q encoded word (RFC 2047, section 4.2); borrowed if
/// there is neither `_` nor `=` in it.
///
/// `_` is octet 20 in every charset. Digits may be in either case. An equals sign without
/// two hexadecimal digits stays ([`Kind::QuotedPrintableKept`]), and so does every octet
/// that should not be in an encoded word at all.
///
/// ```
/// use mime_charset::transfer;
///
/// assert_eq!(transfer::q(b"a_=E9=5F").as_bytes(), b"a \xE9_");
/// ```
pub fn q(encoded_text: &[u8]) -> Transferred<'_> {
    work(encoded_text.len());
    if memchr2(b'_', b'=', encoded_text).is_none() {
        return Transferred::unchanged(encoded_text, Report::new());
    }
    let mut findings = Findings::default();
    let mut octets = Vec::with_capacity(encoded_text.len());
    let mut at = 0;
    while let Some(&octet) = encoded_text.get(at) {
        let offset = at;
        at += 1;
        match octet {
            b'_' => octets.push(b' '),
            b'=' => match escape(tail(encoded_text, at)) {
                Escape::Octet(octet) => {
                    octets.push(octet);
                    at += 2;
                }
                Escape::SoftLineBreak { .. } | Escape::None => {
                    octets.push(b'=');
                    findings.kept(offset);
                }
            },
            _ => octets.push(octet),
        }
    }
    Transferred::changed(octets, findings.into_report())
}

/// Undoes the Q of an encoded word that keeps every rule of RFC 2047, section 4.2. `None` where
/// [`q`] would find something, or where `buffer` is too short.
pub(crate) fn clean_q<'r>(encoded_text: &[u8], buffer: &'r mut [u8]) -> Option<&'r [u8]> {
    work(encoded_text.len());
    let mut encoded = encoded_text.iter();
    let mut places = buffer.iter_mut();
    while let Some(&first) = encoded.next() {
        let octet = match first {
            b'_' => b' ',
            b'=' => {
                let (high, low) = (digit(*encoded.next()?), digit(*encoded.next()?));
                if high == NO_DIGIT || low == NO_DIGIT {
                    return None;
                }
                (high & 0xF) << 4 | (low & 0xF)
            }
            literal => literal,
        };
        *places.next()? = octet;
    }
    let unused = places.len();
    buffer.get(..buffer.len() - unused)
}

/// A text under quoted-printable, in one piece or in several, with the line ends of the message
/// around it (RFC 2045, section 6.7).
///
/// A line end in the text that is not the message's is written as octets, so that the text
/// comes back as it was. Lines have at most 76 characters and no character is split. What
/// relays and mailboxes change in lines is written as octets too: blanks at the end, `From `
/// and a lone full stop; and so are two hyphens at the start, which could be a delimiter,
/// but for those of a signature. Where pieces end makes no difference but to two hyphens before
/// [`AHEAD`] blanks, which are no delimiter either and stay.
pub(crate) struct QuotedPrintableWriter {
    line_end: &'static str,
    /// The start of a line, or what is behind its start.
    waiting: String,
    /// How long the line in which that stands is so far.
    column: usize,
}

/// How much of a line that goes on is left until more of it is there.
const AHEAD: usize = 256;

impl QuotedPrintableWriter {
    pub(crate) fn new(line_end: &'static str) -> Self {
        QuotedPrintableWriter {
            line_end,
            waiting: String::new(),
            column: 0,
        }
    }

    /// Takes a piece, and appends what it decides.
    pub(crate) fn push(&mut self, text: &str, encoded: &mut Vec<u8>) {
        work(text.len());
        self.waiting.push_str(text);
        let mut from = 0;
        for end in memmem::find_iter(self.waiting.as_bytes(), self.line_end) {
            let line = self.waiting.get(from..end).unwrap_or_default();
            quoted_printable_until(line, 0, &mut self.column, self.line_end, encoded);
            encoded.extend_from_slice(self.line_end.as_bytes());
            self.column = 0;
            from = end + self.line_end.len();
        }
        let line = self.waiting.get(from..).unwrap_or_default();
        let left = quoted_printable_until(line, AHEAD, &mut self.column, self.line_end, encoded);
        self.waiting.drain(..self.waiting.len() - left);
    }

    /// Appends what is left.
    pub(crate) fn finish(mut self, encoded: &mut Vec<u8>) {
        let (line, column) = (&self.waiting, &mut self.column);
        quoted_printable_until(line, 0, column, self.line_end, encoded);
    }
}

/// Whether a line that goes on so could be a delimiter (RFC 2046, section 5.1.1); two hyphens and
/// blanks, which begin signatures, are none.
fn may_be_delimiter(rest: &str) -> bool {
    let behind = rest.strip_prefix("--");
    // Blanks at the end are not looked at from there: there may be as many behind each line.
    behind.is_some_and(|behind| !behind.chars().all(char::is_whitespace))
}

/// Writes a line, or what of one stands behind `column`, until no more than `ahead` octets are
/// left of it; gives how many.
fn quoted_printable_until(
    line: &str,
    ahead: usize,
    line_column: &mut usize,
    line_end: &str,
    encoded: &mut Vec<u8>,
) -> usize {
    /// The longest line, without the equals sign of a soft line break.
    const ROOM: usize = 75;
    let mut column = *line_column;
    let mut rest = line;
    while rest.len() > ahead
        && let Some(character) = rest.chars().next()
    {
        if column > 0 {
            // What is literal wherever in a line it stands but at its ends.
            let literal = rest
                .bytes()
                .take(ROOM - column.min(ROOM))
                .take_while(|&octet| matches!(octet, b'\t' | b' '..=b'~') && octet != b'=')
                .count()
                .min(rest.len() - 1);
            if literal > 0 {
                let (run, behind) = rest.split_at_checked(literal).unwrap_or((rest, ""));
                encoded.extend_from_slice(run.as_bytes());
                column += literal;
                rest = behind;
                continue;
            }
        }
        let is_last = rest.len() == character.len_utf8();
        if !character.is_ascii() {
            if column + 3 * character.len_utf8() > ROOM + usize::from(is_last) {
                encoded.push(b'=');
                encoded.extend_from_slice(line_end.as_bytes());
                column = 0;
            }
            column += 3 * character.len_utf8();
            let (octets, behind) = rest
                .split_at_checked(character.len_utf8())
                .unwrap_or((rest, ""));
            escape_octets(octets.as_bytes(), encoded);
            rest = behind;
            continue;
        }
        let literal = |starts: bool| match character {
            ' ' | '\t' => !is_last,
            '=' => false,
            'F' => !(starts && rest.starts_with("From ")),
            '.' => !(starts && is_last),
            '-' => !(starts && may_be_delimiter(rest)),
            _ => character.is_ascii_graphic(),
        };
        let length = |starts| if literal(starts) { 1 } else { 3 };
        if column + length(column == 0) > ROOM + usize::from(is_last) {
            encoded.push(b'=');
            encoded.extend_from_slice(line_end.as_bytes());
            column = 0;
        }
        let starts = column == 0;
        column += length(starts);
        let (octet, behind) = rest.split_at_checked(1).unwrap_or((rest, ""));
        if literal(starts) {
            encoded.extend_from_slice(octet.as_bytes());
        } else {
            escape_octets(octet.as_bytes(), encoded);
        }
        rest = behind;
    }
    *line_column = column;
    rest.len()
}

/// The octets of one character, each as an equals sign and two digits.
fn escape_octets(octets: &[u8], encoded: &mut Vec<u8>) {
    let digit = |value: u8| match value {
        0..10 => b'0' + value,
        _ => b'A' + value - 10,
    };
    let mut escaped = [0; 3 * 4];
    for (place, octet) in escaped.chunks_exact_mut(3).zip(octets) {
        place.copy_from_slice(&[b'=', digit(octet >> 4), digit(octet & 0xF)]);
    }
    encoded.extend_from_slice(escaped.get(..3 * octets.len()).unwrap_or_default());
}

/// What an equals sign stands for, by what follows it.
enum Escape {
    Octet(u8),
    SoftLineBreak { blanks: usize, line_end: usize },
    None,
}

/// > hex-octet := "=" 2(DIGIT / "A" / "B" / "C" / "D" / "E" / "F")
///
/// or a soft line break. Blanks between the sign and the line end are padding that a
/// transport added (RFC 2045, section 6.7, rule 3).
fn escape(following: &[u8]) -> Escape {
    if let [high, low, ..] = following {
        let (high, low) = (digit(*high), digit(*low));
        if high != NO_DIGIT && low != NO_DIGIT {
            return Escape::Octet((high & 0xF) << 4 | (low & 0xF));
        }
    }
    let blanks = following
        .iter()
        .take_while(|&&octet| is_blank(octet))
        .count();
    let line_end = match tail(following, blanks) {
        [] => 0,
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => return Escape::None,
    };
    Escape::SoftLineBreak { blanks, line_end }
}
