//! Quoted-printable and its kin, the Q of encoded words (RFC 2045, section 6.7; RFC 2047,
//! section 4.2).

use std::ops::Range;

use memchr::{memchr_iter, memchr2, memchr2_iter, memmem};

use super::{Findings, LINE_LIMIT, LONG_LINE, Transferred, between, is_blank, report_all, tail};
use crate::report::{Kind, Report};
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
use crate::vector::{self, Avx2, Seen};
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

pub(super) fn quoted_printable_with<'a>(body: &'a [u8], room: &mut Vec<u8>) -> Transferred<'a> {
    work(body.len());
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    if let Some(vector) = Avx2::detect() {
        return in_vectors(vector, body, room);
    }
    // What this writes into is made of zeros, which new memory is.
    let _ = room;
    plainly(body)
}

/// Whether a quoted-printable body, which may be cut behind any line, is well-formed UTF-8
/// without a doubt, and holds nothing that a decision on its charset looks at twice: no U+3400
/// to U+4DFF; and behind the first octet C3 and its continuation, unless one `came_before`,
/// ASCII or nothing.
///
/// Nothing is decoded for it. Where the body or the processor is out of the ordinary it is not
/// said.
pub(crate) fn is_quoted_utf8(body: &[u8], came_before: bool) -> bool {
    work(body.len());
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    if let Some(vector) = Avx2::detect() {
        return vector.is_quoted_utf8(body, came_before);
    }
    let _ = came_before;
    false
}

/// Decodes what is clean in vectors, and between it a few octets at a time.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
fn in_vectors<'a>(vector: Avx2, body: &'a [u8], room: &mut Vec<u8>) -> Transferred<'a> {
    let mut findings = Findings::default();
    let mut seen = Seen::new();
    let mut octets = std::mem::take(room);
    octets.clear();
    let mut at = vector.unchanged(body, 0, &mut seen);
    let is_unchanged = at >= body.len();
    if !is_unchanged {
        octets.reserve_exact(body.len() + vector::REACH);
        octets.extend_from_slice(between(body, 0, at));
    }
    while at < body.len() {
        let from = at;
        at = vector.quoted_printable(body, at, &mut seen, &mut octets);
        work(at - from + BLOCK);
        if at < body.len() {
            at = one_by_one(body, at, &mut octets, &mut findings);
            seen.look(body, at);
        }
    }
    let mut report = report_of_whole(body, seen.is_plain(), seen.has_long_line(body.len()));
    report.absorb(findings.into_report(), 0);
    // Whatever changes the body makes it shorter.
    if is_unchanged || octets.len() == body.len() {
        *room = octets;
        return Transferred::unchanged(body, report);
    }
    Transferred::changed(octets, report)
}

/// What is one finding for all of a body: its octets above 7F and its control characters, unless
/// it is plain, and its first line that is too long, if it may have one.
pub(super) fn report_of_whole(body: &[u8], is_plain: bool, may_have_long_line: bool) -> Report {
    let mut report = Report::new();
    if !is_plain {
        report_all(&mut report, body, Kind::EightBitData);
        report_all(&mut report, body, Kind::Control);
    }
    if may_have_long_line {
        let lines = Lines::of(body, has_bare_cr(body));
        if let Some(line) = lines.long() {
            report.add(Kind::LineLength, line.start, line.len(), LONG_LINE);
        }
    }
    report
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

/// Decodes a few octets, whatever they are, and says where to go on.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
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
    while let (Some(&octet), true) = (body.get(at), at < from + BLOCK) {
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

/// Decodes without vector instructions: what other processors do, and what the tests hold the
/// vectors to.
pub(super) fn plainly(body: &[u8]) -> Transferred<'_> {
    let mut findings = Findings::default();
    let is_plain = is_plain(body);
    if !is_plain {
        report_all(&mut findings.report, body, Kind::EightBitData);
        report_all(&mut findings.report, body, Kind::Control);
    }
    let lines = Lines::of(body, !is_plain && has_bare_cr(body));
    if let Some(line) = lines.long() {
        findings.add(Kind::LineLength, line.start, line.len(), LONG_LINE);
    }

    let mut octets = vec![0; body.len() + BLOCK];
    let (mut at, mut made) = (0, 0);
    let mut blanks = 0..0;
    while at < body.len() {
        if blanks.end <= at {
            blanks = lines.blanks(at);
        }
        (at, made) = literals_and_octets(body, at, blanks.start, &mut octets, made);
        if at == blanks.start {
            findings.blanks(blanks.clone());
            at = blanks.end;
            continue;
        }
        let (octet, next) = equals_sign(body, at, &mut findings);
        if let Some(octet) = octet {
            made += put(&mut octets, made, octet);
        }
        at = next;
    }
    // Whatever changes the body makes it shorter.
    if made == body.len() {
        return Transferred::unchanged(body, findings.into_report());
    }
    octets.truncate(made);
    Transferred::changed(octets, findings.into_report())
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
/// [`q`] would find something, or where `room` does not do.
pub(crate) fn clean_q<'r>(encoded_text: &[u8], room: &'r mut [u8]) -> Option<&'r [u8]> {
    work(encoded_text.len());
    let mut encoded = encoded_text.iter();
    let mut places = room.iter_mut();
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
    room.get(..room.len() - unused)
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

const LOWER_CASE: u8 = 0x10;
const NO_DIGIT: u8 = 0xFF;

/// The value of a hexadecimal digit, with [`LOWER_CASE`] added to that of a lower-case one,
/// or [`NO_DIGIT`].
fn digit(octet: u8) -> u8 {
    const VALUES: [u8; 256] = values();
    #[expect(
        clippy::indexing_slicing,
        reason = "runs when compiling, where a slip is a build error"
    )]
    const fn values() -> [u8; 256] {
        let mut values = [NO_DIGIT; 256];
        let mut value = 0;
        while value < 16 {
            values[b"0123456789abcdef"[value as usize] as usize] = value | LOWER_CASE;
            values[b"0123456789ABCDEF"[value as usize] as usize] = value;
            value += 1;
        }
        values
    }
    VALUES.get(usize::from(octet)).copied().unwrap_or(NO_DIGIT)
}

/// How many octets are looked at together; so many are read and written too much.
const BLOCK: usize = 64;
/// Literal text is copied in pieces of this size.
const PIECE: usize = 16;

/// Decodes literal text, octets in upper-case digits and soft line breaks, and stops at an
/// equals sign that is anything else, or at `stop`. Gives the new places in both.
///
/// This is where the time goes. The equals signs of a block are found at once, before any of
/// them is looked at, and literal text is copied in whole pieces, whatever its length: a
/// processor cannot foresee where a word ends, and each wrong guess costs it more than the
/// copy.
fn literals_and_octets(
    body: &[u8],
    mut at: usize,
    stop: usize,
    octets: &mut [u8],
    mut made: usize,
) -> (usize, usize) {
    let mut last;
    while at < stop {
        let rest = tail(body, at);
        let window: &[u8; BLOCK + PIECE] = if let Some(window) = rest.first_chunk() {
            window
        } else {
            last = [0; BLOCK + PIECE];
            last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
            &last
        };
        let end = BLOCK.min(stop - at);
        let mut signs = equals_signs(window) & u64::MAX >> (BLOCK - end);
        let mut literal = 0;
        while signs != 0 {
            let sign = signs.trailing_zeros() as usize;
            made += copy(window, literal, sign, octets, made);
            signs &= signs - 1;
            let following = tail(window, sign + 1).first_chunk();
            let [high, low] = following.copied().unwrap_or_default();
            let (first, second) = (digit(high), digit(low));
            if (first | second) < LOWER_CASE {
                made += put(octets, made, first << 4 | second);
            } else if [high, low] != *b"\r\n" {
                return (at + sign, made);
            }
            literal = sign + 3;
        }
        made += copy(window, literal, end, octets, made);
        at += literal.max(end);
    }
    (at, made)
}

/// Copies literal text in whole pieces and says how long it is.
fn copy(
    window: &[u8; BLOCK + PIECE],
    from: usize,
    to: usize,
    octets: &mut [u8],
    made: usize,
) -> usize {
    let length = to.saturating_sub(from);
    let mut done = 0;
    while done < length {
        if let (Some(piece), Some(room)) = (
            tail(window, from + done).first_chunk::<PIECE>(),
            octets.get_mut(made + done..made + done + PIECE),
        ) {
            room.copy_from_slice(piece);
        }
        done += PIECE;
    }
    length
}

/// One bit for each octet of the block that is an equals sign, the first octet lowest.
fn equals_signs(window: &[u8; BLOCK + PIECE]) -> u64 {
    let mut bits = [0; BLOCK];
    for ((bit, octet), position) in bits.iter_mut().zip(window).zip(0..) {
        *bit = if *octet == b'=' {
            1u8 << (position % 8)
        } else {
            0
        };
    }
    let (eights, _) = bits.as_chunks::<8>();
    eights.iter().rev().fold(0, |signs, eight| {
        // The multiplication adds up the eight octets in the highest.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0101_0101_0101_0101) >> 56;
        signs << 8 | bits
    })
}

fn put(octets: &mut [u8], made: usize, octet: u8) -> usize {
    if let Some(to) = octets.get_mut(made) {
        *to = octet;
    }
    1
}

/// Whether there is nothing but printable US-ASCII, blanks and line ends, and no CR without
/// its LF.
fn is_plain(body: &[u8]) -> bool {
    // Without a way out early this compiles to vector instructions.
    let pairs = body.iter().zip(tail(body, 1));
    let all = pairs.fold(true, |all, (&octet, &next)| {
        let is_printable = octet.wrapping_sub(b' ') < 0x5F;
        let is_crlf = u8::from(octet == b'\r') & u8::from(next == b'\n') != 0;
        all & (is_printable | matches!(octet, b'\t' | b'\n') | is_crlf)
    });
    all && body
        .last()
        .is_none_or(|octet| matches!(octet, b'\t' | b'\n' | b' '..=b'~'))
}

/// What the lines of a quoted-printable body may have, so that most need no second look.
struct Lines<'a> {
    body: &'a [u8],
    may_be_long: bool,
    may_end_in_blanks: bool,
    has_bare_cr: bool,
}

impl<'a> Lines<'a> {
    fn of(body: &'a [u8], has_bare_cr: bool) -> Self {
        let (mut line, mut longest, mut ends_in_blank) = (0, 0, false);
        for lf in memchr_iter(b'\n', body) {
            let [before, last] = match between(body, lf.saturating_sub(2), lf) {
                [before, b'\r'] => [*before, b'\r'],
                [.., last] => [*last, 0],
                [] => [0, 0],
            };
            ends_in_blank |= is_blank(before);
            longest = longest.max(lf - line - usize::from(last == b'\r'));
            line = lf + 1;
        }
        longest = longest.max(body.len() - line);
        Lines {
            body,
            may_be_long: longest > LINE_LIMIT,
            may_end_in_blanks: has_bare_cr
                || ends_in_blank
                || body.last().is_some_and(|o| is_blank(*o)),
            has_bare_cr,
        }
    }

    /// The lines from `from` on, which is in the first of them, without their ends.
    fn from(&self, from: usize) -> impl Iterator<Item = Range<usize>> {
        // Where each CR has its LF, looking for the LF is enough.
        let other = if self.has_bare_cr { b'\r' } else { b'\n' };
        let mut line = from;
        memchr2_iter(other, b'\n', tail(self.body, from))
            .map(move |found| from + found)
            .chain([self.body.len()])
            .map(move |end| {
                let text = between(self.body, line, end);
                let is_crlf = text.ends_with(b"\r") && !self.has_bare_cr;
                let text = line..end - usize::from(is_crlf);
                line = end + 1;
                text
            })
    }

    /// The first line of more than 76 characters (RFC 2045, section 6.7, rule 5).
    fn long(&self) -> Option<Range<usize>> {
        if !self.may_be_long {
            return None;
        }
        self.from(0).find(|line| line.len() > LINE_LIMIT)
    }

    /// The next blanks that end a line or the body; an empty range at the end of the body if
    /// there are none.
    fn blanks(&self, from: usize) -> Range<usize> {
        let none = self.body.len()..self.body.len();
        if !self.may_end_in_blanks {
            return none;
        }
        self.from(from)
            .map(|line| {
                let text = between(self.body, line.start, line.end);
                let blanks = text.iter().rev().take_while(|octet| is_blank(**octet));
                line.end - blanks.count()..line.end
            })
            .find(|blanks| !blanks.is_empty())
            .unwrap_or(none)
    }
}

fn has_bare_cr(body: &[u8]) -> bool {
    memchr_iter(b'\r', body).any(|cr| body.get(cr + 1) != Some(&b'\n'))
}
