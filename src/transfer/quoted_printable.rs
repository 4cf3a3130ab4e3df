//! Quoted-printable and Q, its form in encoded words (RFC 2045, section 6.7; RFC 2047, section 4.2).

#![expect(
    clippy::inline_always,
    reason = "inlined block code is compiled with the target features of its caller"
)]

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr2, memmem};

use super::extent::{is_control, is_eight_bit};
use super::hexadecimal::two_hexadecimal;
use super::{
    Extent, Findings, LINE_LIMIT, LONG_LINE, TransferEncoding, Transferred, between, decode,
    is_blank, tail,
};
use crate::report::{Kind, Report};
use crate::vector::{self, BLOCK, Machine, Task, flags};
use crate::work::work;

/// Decodes a quoted-printable body (RFC 2045, section 6.7); borrows the body if nothing changes.
///
/// `=HH` is an octet, and `=` before a line ending joins two lines. Any other equals sign is kept
/// ([`Kind::QuotedPrintableKept`]). Blanks before a line ending or the end of the body are deleted
/// ([`Kind::QuotedPrintableBlanks`]). Lower-case digits are accepted, and an equals sign at the end of
/// the body is removed ([`Kind::QuotedPrintableSyntax`]). Octets above 7F ([`Kind::EightBitData`]),
/// control characters ([`Kind::Control`]) and lines of more than 76 characters ([`Kind::LineLength`]) are
/// kept, with one finding of each kind.
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
    decode(body, TransferEncoding::QuotedPrintable)
}

/// Decodes quoted-printable, in pieces.
#[derive(Default)]
pub(super) struct QuotedPrintableDecoder {
    findings: Findings,
    eight_bit: Extent,
    controls: Extent,
    /// The first line of more than 76 characters (RFC 2045, section 6.7, rule 5).
    long_line: Option<Range<usize>>,
    /// The offset of the line in which the last piece ends.
    line: usize,
    /// The number of octets in the previous pieces.
    offset: usize,
}

impl QuotedPrintableDecoder {
    /// Decodes a piece that later octets cannot change. Stores changed octets in `buffer`, to reuse its
    /// memory.
    pub(super) fn decode<'p>(&mut self, piece: &'p [u8], buffer: &mut Vec<u8>) -> Cow<'p, [u8]> {
        work(piece.len());
        buffer.clear();
        let changes = vector::run(DecodePiece {
            decoder: self,
            piece,
            octets: buffer,
            decoded: 0,
        });
        self.offset += piece.len();
        if changes {
            Cow::Owned(std::mem::take(buffer))
        } else {
            Cow::Borrowed(piece)
        }
    }

    fn report_blanks(&mut self, Range { start, end }: Range<usize>) {
        if start < end {
            let detail = "blanks at the end of a line";
            let kind = Kind::QuotedPrintableBlanks;
            self.findings
                .add(kind, self.offset + start, end - start, detail);
        }
    }

    fn report_syntax(&mut self, sign: usize, length: usize, detail: &'static str) {
        let kind = Kind::QuotedPrintableSyntax;
        self.findings.add(kind, self.offset + sign, length, detail);
    }

    /// Records the line endings of the block at `at`. Only the first of them can end a long line.
    #[inline(always)]
    fn line_ends(&mut self, at: usize, line_ends: u64) {
        if line_ends != 0 {
            let end = self.offset + at + line_ends.trailing_zeros() as usize;
            if self.long_line.is_none() && end - self.line > LINE_LIMIT {
                self.long_line = Some(self.line..end);
            }
            self.line = self.offset + at + BLOCK - line_ends.leading_zeros() as usize;
        }
    }

    /// The findings in the fully decoded body. All octets above 7F are one finding, and so are all
    /// control characters. Only the first long line is reported.
    pub(super) fn into_report(self) -> Report {
        let mut report = Report::new();
        self.eight_bit.report(Kind::EightBitData, &mut report);
        self.controls.report(Kind::Control, &mut report);
        let last = Some(self.line..self.offset).filter(|line| line.len() > LINE_LIMIT);
        if let Some(line) = self.long_line.or(last) {
            report.add(Kind::LineLength, line.start, line.len(), LONG_LINE);
        }
        report.absorb(self.findings.into_report(), 0);
        report
    }
}

/// Decodes a piece. Returns whether decoding changes the piece.
///
/// Masks of 64 octets at a time mark the changes; the text between them is copied.
struct DecodePiece<'d, 'p, 'b> {
    decoder: &'d mut QuotedPrintableDecoder,
    piece: &'p [u8],
    /// The decoded octets. Empty until decoding first changes an octet.
    octets: &'b mut Vec<u8>,
    /// The octets of the piece before this offset are already decoded.
    decoded: usize,
}

impl DecodePiece<'_, '_, '_> {
    /// Decodes the equals sign or the last blank of a line at `place`, and the text before it.
    #[inline(always)]
    fn apply_change(&mut self, place: usize) {
        let following = tail(self.piece, place + 1);
        if self.piece.get(place) != Some(&b'=') {
            self.delete_blanks(place + 1);
        } else if let Some((octet, _)) = two_hexadecimal(following) {
            self.append_until(place);
            self.octets.push(octet);
            self.decoded = place + 3;
            if let [first, second, ..] = following
                && *first.max(second) > b'F'
            {
                let detail = "lower-case hexadecimal digits";
                self.decoder.report_syntax(place, 3, detail);
            }
        } else if let Some((blanks, line_end)) = soft_line_break(following) {
            self.append_until(place);
            let end = place + 1 + blanks;
            self.decoded = end + line_end;
            if line_end == 0 {
                let detail = "equals sign at the end of the body";
                self.decoder.report_syntax(place, 1, detail);
            }
            self.decoder.report_blanks(place + 1..end);
        } else {
            self.decoder
                .findings
                .add_kept_sign(self.decoder.offset + place);
        }
    }

    /// Appends the text of a line up to its end, `end`, without trailing blanks.
    #[inline(always)]
    fn delete_blanks(&mut self, end: usize) {
        let text = between(self.piece, self.decoded, end);
        let blanks = text.iter().rev().take_while(|octet| is_blank(**octet));
        let start = end - blanks.count();
        self.append_until(start);
        self.decoded = end;
        self.decoder.report_blanks(start..end);
    }

    /// Appends the text before `end` in whole blocks, and truncates the excess.
    #[inline(always)]
    fn append_until(&mut self, end: usize) {
        if self.decoded == 0 {
            self.octets.reserve_exact(self.piece.len() + BLOCK);
        }
        while self.decoded < end {
            let length = (end - self.decoded).min(BLOCK);
            let text = tail(self.piece, self.decoded);
            if let Some(block) = text.first_chunk::<BLOCK>() {
                self.octets.extend_from_slice(block);
                self.octets.truncate(self.octets.len() - BLOCK + length);
            } else {
                self.octets.extend_from_slice(between(text, 0, length));
            }
            self.decoded += length;
        }
    }
}

impl Task for DecodePiece<'_, '_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run(mut self, machine: impl Machine) -> bool {
        let piece = self.piece;
        let mut is_plain = true;
        for at in (0..piece.len()).step_by(BLOCK) {
            let rest = tail(piece, at);
            let last;
            let window = if let Some(window) = rest.first_chunk() {
                window
            } else {
                last = padded(rest);
                &last
            };
            let marks = Marks::of(machine, window);
            is_plain &= marks.is_plain;
            self.decoder.line_ends(at, marks.line_ends);
            let mut changes = marks.changes;
            while changes != 0 {
                let place = at + changes.trailing_zeros() as usize;
                changes &= changes - 1;
                if place >= self.decoded {
                    self.apply_change(place);
                }
            }
        }
        if let [rest @ .., b' ' | b'\t'] = piece
            && rest.len() >= self.decoded
        {
            self.delete_blanks(piece.len());
        }
        let is_changed = self.decoded > 0;
        if is_changed {
            self.append_until(piece.len());
        }
        if !is_plain {
            let offset = self.decoder.offset;
            let decoder = self.decoder;
            if !piece.is_ascii() {
                decoder.eight_bit.add(piece, offset, is_eight_bit);
            }
            decoder.controls.add(piece, offset, is_control);
        }
        is_changed
    }
}

/// The last octets of a piece, padded to a block with letters, which are never marked.
fn padded(rest: &[u8]) -> [u8; BLOCK + 1] {
    let mut block = [b'x'; BLOCK + 1];
    block
        .iter_mut()
        .zip(rest)
        .for_each(|(to, from)| *to = *from);
    block
}

/// Bit masks for 64 octets. The lowest bit is the first octet.
struct Marks {
    /// Equals signs, and blanks before a line ending.
    changes: u64,
    line_ends: u64,
    /// Whether no octet is above 7F or a control character.
    is_plain: bool,
}

impl Marks {
    #[inline(always)]
    fn of(machine: impl Machine, window: &[u8; BLOCK + 1]) -> Self {
        let [block @ .., _] = window;
        let [_, following @ ..] = window;
        let is_line_end = |octet| matches!(octet, b'\r' | b'\n');
        let mut changes = [0; BLOCK];
        for ((change, &octet), &next) in changes.iter_mut().zip(block).zip(following) {
            let is_change = (octet == b'=') | (is_blank(octet) & is_line_end(next));
            *change = u8::from(is_change).wrapping_neg();
        }
        Marks {
            changes: machine.top_bits(&changes),
            line_ends: machine.top_bits(&flags(block, is_line_end)),
            is_plain: block.iter().fold(true, |all, &octet| {
                all & matches!(octet, b'\t' | b'\n' | b'\r' | b' '..=b'~')
            }),
        }
    }
}

/// Parses the rest of a soft line break after its equals sign. Returns the numbers of blanks and of line
/// ending octets. A transport may add blanks before the line ending as padding (RFC 2045, section 6.7,
/// rule 3).
fn soft_line_break(following: &[u8]) -> Option<(usize, usize)> {
    let blanks = following.iter().take_while(|octet| is_blank(**octet));
    let blanks = blanks.count();
    match tail(following, blanks) {
        [] => Some((blanks, 0)),
        [b'\r', b'\n', ..] => Some((blanks, 2)),
        [b'\r' | b'\n', ..] => Some((blanks, 1)),
        _ => None,
    }
}

/// The length of the prefix of a body that later octets cannot change. Excludes the start of an escape at
/// the end, and blanks that may end a line.
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

/// Decodes the encoded text of a Q encoded word (RFC 2047, section 4.2); borrows it if it has neither `_`
/// nor `=`.
///
/// `_` is octet 20 in every charset. Digits may be in either case. An equals sign without two hexadecimal
/// digits is kept ([`Kind::QuotedPrintableKept`]). Octets not allowed in an encoded word are kept too.
///
/// ```
/// use mime_charset::transfer;
///
/// assert_eq!(transfer::q(b"a_=E9=5F").as_bytes(), b"a \xE9_");
/// ```
pub fn q(encoded_text: &[u8]) -> Transferred<'_> {
    work(encoded_text.len());
    let mut findings = Findings::default();
    let octets = if memchr2(b'_', b'=', encoded_text).is_none() {
        Cow::Borrowed(encoded_text)
    } else {
        let mut octets = Vec::with_capacity(encoded_text.len());
        let mut rest = encoded_text;
        while let Some((&first, following)) = rest.split_first() {
            let octet = q_octet(first, following);
            if octet.is_none() {
                findings.add_kept_sign(encoded_text.len() - rest.len());
            }
            let (octet, after) = octet.unwrap_or((first, following));
            octets.push(octet);
            rest = after;
        }
        Cow::Owned(octets)
    };
    let report = findings.into_report();
    Transferred { octets, report }
}

/// Decodes Q into `buffer`. Returns `None` if [`q`] would report a finding, or if `buffer` is too short.
pub(crate) fn clean_q<'r>(encoded_text: &[u8], buffer: &'r mut [u8]) -> Option<&'r [u8]> {
    work(encoded_text.len());
    let (mut rest, mut free) = (encoded_text, buffer.iter_mut());
    while let Some((&first, following)) = rest.split_first() {
        let octet;
        (octet, rest) = q_octet(first, following)?;
        *free.next()? = octet;
    }
    let free = free.len();
    buffer.get(..buffer.len() - free)
}

/// Decodes one octet of Q. Returns the octet and the rest; `None` for an equals sign without two
/// hexadecimal digits.
#[inline]
fn q_octet(first: u8, following: &[u8]) -> Option<(u8, &[u8])> {
    match first {
        b'_' => Some((b' ', following)),
        b'=' => two_hexadecimal(following),
        literal => Some((literal, following)),
    }
}

/// Encodes text, pushed in pieces, as quoted-printable, with the line endings of the enclosing message
/// (RFC 2045, section 6.7).
///
/// Line endings of the text that differ from the message's are escaped, so that the text
/// round-trips. Lines have at most 76 characters and no character is split. Text that relays and
/// mailboxes change is escaped too: blanks at the end of a line, `From `, and a full stop alone on
/// a line. Two hyphens at the start of a line are escaped, since they could be a delimiter, unless
/// they begin a signature. The result does not depend on where pieces end, with one exception: two
/// hyphens before [`MAX_PENDING`] blanks are kept.
pub(crate) struct QuotedPrintableWriter {
    line_end: &'static str,
    /// Text of the last line that is not encoded yet.
    pending: String,
    /// The length of the part of the last line that is already encoded.
    column: usize,
}

/// The number of octets kept back from an incomplete line until more text follows.
const MAX_PENDING: usize = 256;

impl QuotedPrintableWriter {
    pub(crate) fn new(line_end: &'static str) -> Self {
        QuotedPrintableWriter {
            line_end,
            pending: String::new(),
            column: 0,
        }
    }

    /// Adds a piece and appends the text that can be encoded already.
    pub(crate) fn push(&mut self, text: &str, encoded: &mut Vec<u8>) {
        work(text.len());
        self.pending.push_str(text);
        let mut from = 0;
        for end in memmem::find_iter(self.pending.as_bytes(), self.line_end) {
            let line = self.pending.get(from..end).unwrap_or_default();
            quoted_printable_until(line, 0, &mut self.column, self.line_end, encoded);
            encoded.extend_from_slice(self.line_end.as_bytes());
            self.column = 0;
            from = end + self.line_end.len();
        }
        let line = self.pending.get(from..).unwrap_or_default();
        let left =
            quoted_printable_until(line, MAX_PENDING, &mut self.column, self.line_end, encoded);
        self.pending.drain(..self.pending.len() - left);
    }

    /// Encodes and appends the rest.
    pub(crate) fn finish(mut self, encoded: &mut Vec<u8>) {
        let (line, column) = (&self.pending, &mut self.column);
        quoted_printable_until(line, 0, column, self.line_end, encoded);
    }
}

/// Whether a line that starts with `rest` could be a delimiter (RFC 2046, section 5.1.1). Two hyphens
/// followed only by blanks are not: they start a signature.
fn may_be_delimiter(rest: &str) -> bool {
    let following = rest.strip_prefix("--");
    // Stops at the first non-blank character, so that the time stays linear.
    following.is_some_and(|following| !following.chars().all(char::is_whitespace))
}

/// Encodes a line, or the rest of a line from `line_column`, until at most `ahead` octets are left.
/// Returns the number of octets left.
fn quoted_printable_until(
    line: &str,
    ahead: usize,
    line_column: &mut usize,
    line_end: &str,
    encoded: &mut Vec<u8>,
) -> usize {
    /// Maximum length of a line, without the equals sign of a soft line break.
    const ROOM: usize = 75;
    let mut column = *line_column;
    let mut rest = line;
    while rest.len() > ahead
        && let Some(character) = rest.chars().next()
    {
        if column > 0 {
            // Characters that need no escape anywhere in a line, except at its ends.
            let literal = rest
                .bytes()
                .take(ROOM - column.min(ROOM))
                .take_while(|&octet| matches!(octet, b'\t' | b' '..=b'~') && octet != b'=')
                .count()
                .min(rest.len() - 1);
            if literal > 0 {
                let (run, following) = rest.split_at_checked(literal).unwrap_or((rest, ""));
                encoded.extend_from_slice(run.as_bytes());
                column += literal;
                rest = following;
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
            let (octets, following) = rest
                .split_at_checked(character.len_utf8())
                .unwrap_or((rest, ""));
            escape_octets(octets.as_bytes(), encoded);
            rest = following;
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
        let (octet, following) = rest.split_at_checked(1).unwrap_or((rest, ""));
        if literal(starts) {
            encoded.extend_from_slice(octet.as_bytes());
        } else {
            escape_octets(octet.as_bytes(), encoded);
        }
        rest = following;
    }
    *line_column = column;
    rest.len()
}

/// Appends the octets of one character, each as an equals sign and two digits.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Transferred;
    use super::{DecodePiece, QuotedPrintableDecoder, quoted_printable};
    use crate::vector::{Portable, Task as _};

    /// Both machines decode alike. `tests/it/transfer.rs` tests the result against the rules.
    #[track_caller]
    fn check(body: &[u8]) {
        let (mut decoder, mut octets) = (QuotedPrintableDecoder::default(), Vec::new());
        let changes = DecodePiece {
            decoder: &mut decoder,
            piece: body,
            octets: &mut octets,
            decoded: 0,
        };
        let octets = if changes.run(Portable) {
            octets.into()
        } else {
            body.into()
        };
        decoder.offset = body.len();
        let report = decoder.into_report();
        let plain = Transferred { octets, report };
        assert_eq!(quoted_printable(body), plain, "{}", body.escape_ascii());
    }

    /// Each fragment at each place of a block, in text without escapes, with some, and with only
    /// escapes.
    #[test]
    fn every_piece_at_every_place() {
        const PIECES: [&[u8]; 34] = [
            b"",
            b"=",
            b"=4",
            b"=41",
            b"=4a",
            b"=4A=",
            b"=\r",
            b"=\n",
            b"=\r\n",
            b"=\r\r\n",
            b"= \r\n",
            b"=\t",
            b"==",
            b"===",
            b"==41",
            b"=\r\n=\r\n",
            b" ",
            b" \r\n",
            b"\t \n",
            b" \r",
            b"\r",
            b"\n",
            b"\r\n",
            b"   ",
            b"\0",
            b"\x7F",
            b"\x80",
            b"\xFF",
            b"*",
            b"\r\n\r\n",
            b"=G1",
            b"=:0",
            b"=@A",
            b"=0`",
        ];
        for filling in [&b"abcd"[..], b"a=C3=A9b", b"=EA=B0=80", b"  a", b"    "] {
            let filling = filling.repeat(60);
            for piece in PIECES {
                for before in 0..130 {
                    for behind in [0, 1, 2, 3, 63, 64, 65, 70, 140] {
                        let body = [&filling[..before], piece, &filling[..behind]].concat();
                        check(&body);
                    }
                }
            }
        }
    }

    /// Every octet after an equals sign, in each place.
    #[test]
    fn every_octet_in_an_escape() {
        for octet in 0..=255 {
            for before in [0, 30, 61, 62, 63, 64] {
                for escape in [
                    [b'=', octet, b'1'],
                    [b'=', b'1', octet],
                    [octet, b'=', octet],
                ] {
                    let body = [&b"a".repeat(before), &escape[..], &b"b".repeat(70)].concat();
                    check(&body);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_pieces(
            pieces in prop::collection::vec(
                prop_oneof!["=[0-9A-Fa-g]{2}", "[!-~]{1,40}", "=?\r?\n?", "[ \t]{1,70}", "[\x00-\x1F\x7Fé]"],
                0..60,
            ),
        ) {
            check(pieces.concat().as_bytes());
        }

        #[test]
        fn any_octets(body in prop::collection::vec(any::<u8>(), 0..700)) {
            check(&body);
        }
    }
}
