//! What a Content-Transfer-Encoding or an encoded word did to octets, undone.
//!
//! RFC 2045, section 6 (`base64`, `quoted-printable` and the three that change nothing) and
//! RFC 2047, section 4 (B and Q). Decoding never fails and never drops an octet without a
//! word: what the encoding does not allow is kept where it can be, and every departure is a
//! finding whose offset counts the encoded octets. Findings of one kind that touch are one.
//!
//! Line ends stay as they are and CRLF, LF and CR all count as one. The charset of the
//! octets is nobody's business here (RFC 2045, section 6.1: first the encoding, then the
//! charset).
//!
//! Left out: `x-uuencode` and yEnc, which no standard of mail defines. Their octets stay as
//! they are, as [`TransferEncoding::Unknown`].
//!
//! ```
//! use mime_charset::{header, transfer};
//!
//! let field = header::content_transfer_encoding(b" quoted-printable");
//! let body = transfer::decode(b"caf=E9 au=\r\n lait", field.encoding());
//! assert_eq!(body.octets(), b"caf\xE9 au lait");
//! assert!(body.report().is_empty());
//! ```

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::LazyLock;

use base64::engine::{DecodePaddingMode, Engine, GeneralPurposeConfig};
use memchr::{memchr, memchr_iter, memchr2, memchr2_iter};

use crate::report::{Kind, Report};
use crate::work::work;

/// How the octets of a body were made fit to travel (RFC 2045, section 6.1).
///
/// ```
/// use mime_charset::{header, transfer::TransferEncoding};
///
/// let named = |body| header::content_transfer_encoding(body).encoding();
/// assert_eq!(named(b" BASE64"), TransferEncoding::Base64);
/// assert_eq!(named(b" x-uuencode"), TransferEncoding::Unknown);
/// assert_eq!(TransferEncoding::Base64.name(), "base64");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum TransferEncoding {
    /// Lines of US-ASCII as they are; what holds where nothing is declared.
    #[default]
    SevenBit,
    /// Lines of any octets as they are.
    EightBit,
    /// Any octets as they are.
    Binary,
    /// Readable text with `=HH` for what could not travel (RFC 2045, section 6.7).
    QuotedPrintable,
    /// Three octets as four letters (RFC 2045, section 6.8).
    Base64,
    /// A mechanism that no standard defines; the octets stay as they are (RFC 2045,
    /// section 6.4).
    Unknown,
}

impl TransferEncoding {
    /// The word for it in mail: `7bit`, `8bit`, `binary`, `quoted-printable` or `base64`,
    /// and `unknown` for the rest.
    ///
    /// ```
    /// use mime_charset::transfer::TransferEncoding;
    ///
    /// assert_eq!(TransferEncoding::default().name(), "7bit");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            TransferEncoding::SevenBit => "7bit",
            TransferEncoding::EightBit => "8bit",
            TransferEncoding::Binary => "binary",
            TransferEncoding::QuotedPrintable => "quoted-printable",
            TransferEncoding::Base64 => "base64",
            TransferEncoding::Unknown => "unknown",
        }
    }

    /// Whether it is one of the three that change no octet (RFC 2045, section 6.2).
    ///
    /// ```
    /// use mime_charset::transfer::TransferEncoding;
    ///
    /// assert!(TransferEncoding::Binary.is_identity());
    /// assert!(!TransferEncoding::Unknown.is_identity());
    /// ```
    #[must_use]
    pub fn is_identity(self) -> bool {
        matches!(
            self,
            TransferEncoding::SevenBit | TransferEncoding::EightBit | TransferEncoding::Binary
        )
    }
}

/// The [`name`](TransferEncoding::name).
impl fmt::Display for TransferEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Octets after transfer decoding, and what was found on the way.
///
/// ```
/// use std::borrow::Cow;
/// use mime_charset::{Kind, transfer};
///
/// let changed = transfer::quoted_printable(b"1+1=3D2 =");
/// assert_eq!(changed.octets(), b"1+1=2 ");
/// assert!(changed.report().has(Kind::QuotedPrintableSyntax));
/// let (octets, report) = changed.into_parts();
/// assert_eq!((&*octets, report.findings()[0].offset()), (&b"1+1=2 "[..], 8));
///
/// let unchanged = transfer::quoted_printable(b"two");
/// assert!(matches!(unchanged.into_octets(), Cow::Borrowed(b"two")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct Transferred<'a> {
    octets: Cow<'a, [u8]>,
    report: Report,
}

impl<'a> Transferred<'a> {
    fn unchanged(octets: &'a [u8], report: Report) -> Self {
        Transferred {
            octets: Cow::Borrowed(octets),
            report,
        }
    }

    fn changed(octets: Vec<u8>, report: Report) -> Self {
        Transferred {
            octets: Cow::Owned(octets),
            report,
        }
    }

    /// The octets as they were before they were encoded.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.octets
    }

    /// The octets by value, borrowed from the body where decoding changed none.
    #[must_use]
    pub fn into_octets(self) -> Cow<'a, [u8]> {
        self.octets
    }

    /// The octets and the report, by value.
    #[must_use]
    pub fn into_parts(self) -> (Cow<'a, [u8]>, Report) {
        (self.octets, self.report)
    }

    /// What departed from the encoding; offsets count the encoded octets.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// The octets of `body` with `encoding` undone.
///
/// The encodings that change nothing borrow, and so does one that is unknown. Octets above
/// 7F under `7bit` stay and are one finding, [`Kind::EightBitData`], from the first to the
/// last of them (RFC 7103, section 7.7).
///
/// ```
/// use mime_charset::transfer::{self, TransferEncoding};
///
/// let decoded = transfer::decode(b"7ZWc", TransferEncoding::Base64);
/// assert_eq!(decoded.octets(), "한".as_bytes());
/// ```
pub fn decode(body: &[u8], encoding: TransferEncoding) -> Transferred<'_> {
    match encoding {
        TransferEncoding::QuotedPrintable => quoted_printable(body),
        TransferEncoding::Base64 => base64(body),
        TransferEncoding::SevenBit => {
            let mut report = Report::new();
            if !body.is_ascii() {
                report_all(&mut report, body, Kind::EightBitData);
            }
            Transferred::unchanged(body, report)
        }
        TransferEncoding::EightBit | TransferEncoding::Binary | TransferEncoding::Unknown => {
            Transferred::unchanged(body, Report::new())
        }
    }
}

/// A text under quoted-printable, with the line ends of the message around it (RFC 2045,
/// section 6.7).
///
/// A line end in the text that is not the message's is written as octets, so that the text
/// comes back as it was. Lines have at most 76 characters and no character is split. What
/// relays and mailboxes change in lines is written as octets too: blanks at the end, `From `
/// and a lone full stop; and so are two hyphens at the start, which could be a delimiter,
/// but for those of a signature.
pub(crate) fn encode_quoted_printable(text: &str, line_end: &str) -> Vec<u8> {
    work(text.len());
    let mut encoded = Vec::with_capacity(text.len() + text.len() / 2);
    let mut lines = text.split(line_end).peekable();
    while let Some(line) = lines.next() {
        quoted_printable_line(line, line_end, &mut encoded);
        if lines.peek().is_some() {
            encoded.extend_from_slice(line_end.as_bytes());
        }
    }
    encoded
}

fn quoted_printable_line(line: &str, line_end: &str, encoded: &mut Vec<u8>) {
    /// The longest line, without the equals sign of a soft line break.
    const ROOM: usize = 75;
    let mut column = 0;
    for (at, character) in line.char_indices() {
        let rest = line.get(at..).unwrap_or_default();
        let is_last = rest.len() == character.len_utf8();
        let literal = |starts: bool| match character {
            ' ' | '\t' => !is_last,
            '=' => false,
            'F' => !(starts && rest.starts_with("From ")),
            '.' => !(starts && is_last),
            '-' => !(starts && rest.starts_with("--") && rest.trim_end() != "--"),
            _ => character.is_ascii_graphic(),
        };
        let length = |starts| {
            if literal(starts) {
                1
            } else {
                3 * character.len_utf8()
            }
        };
        if column + length(column == 0) > ROOM + usize::from(is_last) {
            encoded.push(b'=');
            encoded.extend_from_slice(line_end.as_bytes());
            column = 0;
        }
        let starts = column == 0;
        column += length(starts);
        let mut buffer = [0; 4];
        let octets = character.encode_utf8(&mut buffer).as_bytes();
        if literal(starts) {
            encoded.extend_from_slice(octets);
        } else {
            for octet in octets {
                let digit = |value: u8| match value {
                    0..10 => b'0' + value,
                    _ => b'A' + value - 10,
                };
                encoded.extend([b'=', digit(octet >> 4), digit(octet & 0xF)]);
            }
        }
    }
}

/// Octets under base64, in lines of 76 characters, without a line end behind the last
/// (RFC 2045, section 6.8).
pub(crate) fn encode_base64(octets: &[u8], line_end: &str) -> Vec<u8> {
    work(octets.len());
    let mut encoded = Vec::with_capacity(octets.len() / 57 * (76 + line_end.len()) + 80);
    for line in octets.chunks(57) {
        if !encoded.is_empty() {
            encoded.extend_from_slice(line_end.as_bytes());
        }
        let letters = base64::engine::general_purpose::STANDARD.encode(line);
        encoded.extend_from_slice(letters.as_bytes());
    }
    encoded
}

/// The octets of a base64 body (RFC 2045, section 6.8).
///
/// Blanks and line ends are no part of the data. Other octets outside the alphabet are
/// passed over ([`Kind::Base64Skipped`]). An equals sign ends a run of data; data behind it
/// is decoded as a further run ([`Kind::Base64AfterPadding`]), as concatenated bodies need.
/// Padding that is missing, too much, or fills bits that are not zero is
/// [`Kind::Base64Padding`]; a last letter with nothing to complete it is the one thing that
/// can be lost ([`Kind::Base64Truncated`]). A line of more than 76 characters is
/// [`Kind::LineLength`].
///
/// ```
/// use mime_charset::{Kind, transfer};
///
/// assert_eq!(transfer::base64(b"Q2Fm\r\n6Q==\r\n").octets(), b"Caf\xE9");
///
/// let unpadded = transfer::base64(b"Q2Fm6Q");
/// assert_eq!(unpadded.octets(), b"Caf\xE9");
/// assert!(unpadded.report().has(Kind::Base64Padding));
/// ```
pub fn base64(body: &[u8]) -> Transferred<'_> {
    work(body.len());
    base64_data(body, Some(0))
}

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
/// assert_eq!(transfer::quoted_printable(b"caf=C3=A9 au=\r\n lait").octets(), "café au lait".as_bytes());
///
/// let sum = transfer::quoted_printable(b"1+1=2");
/// assert_eq!(sum.octets(), b"1+1=2");
/// assert!(sum.report().has(Kind::QuotedPrintableKept));
/// ```
pub fn quoted_printable(body: &[u8]) -> Transferred<'_> {
    work(body.len());
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
        let sign = at;
        match escape(tail(body, at + 1)) {
            Escape::Octet(octet) => {
                made += put(&mut octets, made, octet);
                at += 3;
                let detail = "lower-case hexadecimal digits";
                findings.add(Kind::QuotedPrintableSyntax, sign, 3, detail);
            }
            Escape::SoftLineBreak { blanks, line_end } => {
                at += 1 + blanks;
                if line_end == 0 {
                    let detail = "equals sign at the end of the body";
                    findings.add(Kind::QuotedPrintableSyntax, sign, 1, detail);
                }
                findings.blanks(sign + 1..at);
                at += line_end;
            }
            Escape::None => {
                made += put(&mut octets, made, b'=');
                at += 1;
                findings.kept(sign);
            }
        }
    }
    // Whatever changes the body makes it shorter.
    if made == body.len() {
        return Transferred::unchanged(body, findings.into_report());
    }
    octets.truncate(made);
    Transferred::changed(octets, findings.into_report())
}

/// The octets of the encoded text of a B encoded word (RFC 2047, section 4.1): base64,
/// without its limit on lines.
///
/// ```
/// use mime_charset::transfer;
///
/// assert_eq!(transfer::b(b"4piD").octets(), "☃".as_bytes());
/// ```
pub fn b(encoded_text: &[u8]) -> Transferred<'_> {
    work(encoded_text.len());
    base64_data(encoded_text, None)
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
/// assert_eq!(transfer::b(b"4piD").octets(), "☃".as_bytes());
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
/// assert_eq!(transfer::q(b"a_=E9=5F").octets(), b"a \xE9_");
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

/// Undoes the B of an encoded word that keeps every rule of RFC 2045, section 6.8: whole groups
/// of letters, padded as they should be. `None` where [`b`] would find something, or where
/// `room` does not do.
pub(crate) fn clean_b<'r>(encoded_text: &[u8], room: &'r mut [u8]) -> Option<&'r [u8]> {
    work(encoded_text.len());
    let (groups, []) = encoded_text.as_chunks::<4>() else {
        return None;
    };
    let (last, groups) = groups.split_last()?;
    let (octets, _) = room.as_chunks_mut::<3>();
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
    room.get(..groups.len() * 3 + length)
}

/// Undoes the Q of an encoded word that keeps every rule of RFC 2047, section 4.2. `None` where
/// [`q`] would find something, or where `room` does not do.
pub(crate) fn clean_q<'r>(encoded_text: &[u8], room: &'r mut [u8]) -> Option<&'r [u8]> {
    work(encoded_text.len());
    let mut rest = encoded_text;
    let mut length = 0;
    while let Some((&first, after)) = rest.split_first() {
        let (octet, after) = match (first, after) {
            (b'_', _) => (b' ', after),
            (b'=', [high, low, after @ ..]) => {
                let (high, low) = (digit(*high), digit(*low));
                if high == NO_DIGIT || low == NO_DIGIT {
                    return None;
                }
                ((high & 0xF) << 4 | (low & 0xF), after)
            }
            (b'=', _) => return None,
            (literal, _) => (literal, after),
        };
        *room.get_mut(length)? = octet;
        length += 1;
        rest = after;
    }
    room.get(..length)
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

/// Decodes base64, with lines that begin at `line` or, in a B word, without.
fn base64_data(text: &[u8], line: Option<usize>) -> Transferred<'_> {
    let mut data = Base64 {
        octets: Vec::with_capacity(text.len() / 4 * 3 + 3),
        findings: Findings::default(),
        letters: Letters::default(),
        padding: Padding::None,
        end: 0,
        line,
        joined: Vec::new(),
    };
    let mut at = 0;
    // Where lines were tried and were not clean; they are not tried again before.
    let mut tried = 0;
    while at < text.len() {
        if at >= tried && data.is_between_groups() {
            let (taken, seen) = data.clean_lines(tail(text, at), at);
            tried = at + seen;
            at += taken;
            if taken > 0 {
                continue;
            }
        }
        let taken = data.groups(tail(text, at), at);
        at += taken;
        if taken == 0 {
            data.octet(text, at);
            at += 1;
        }
    }
    data.finish(text.len());
    Transferred::changed(data.octets, data.findings.into_report())
}

/// A base64 decoder, from octet to octet.
struct Base64 {
    octets: Vec<u8>,
    findings: Findings,
    letters: Letters,
    padding: Padding,
    /// Where the last letter or equals sign ended.
    end: usize,
    /// Where the line began, until one is too long.
    line: Option<usize>,
    /// Room for the letters of many lines.
    joined: Vec<u8>,
}

/// Whole groups of letters to octets; knows neither blanks nor padding.
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
))]
static ENGINE: LazyLock<base64::engine::Simd> =
    LazyLock::new(|| base64::engine::Simd::standard(UNPADDED));
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
)))]
static ENGINE: LazyLock<base64::engine::GeneralPurpose> =
    LazyLock::new(|| base64::engine::GeneralPurpose::new(&base64::alphabet::STANDARD, UNPADDED));
const UNPADDED: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::RequireNone);

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

impl Base64 {
    fn is_between_groups(&self) -> bool {
        self.letters.count == 0 && self.padding == Padding::None
    }

    /// Decodes lines of one length that hold nothing but letters. Says how many octets it
    /// took and, if none, how many it looked at in vain.
    ///
    /// The letters of many lines are joined and decoded together, which is what vector
    /// instructions are good at; where one of them is no letter, all are left to be decoded
    /// one by one.
    fn clean_lines(&mut self, text: &[u8], base: usize) -> (usize, usize) {
        const AT_ONCE: usize = 8192;
        const WORTH_IT: usize = 256;
        let text = text.get(..AT_ONCE).unwrap_or(text);
        if text.len() < WORTH_IT {
            return (0, text.len());
        }
        let Some(length) = memchr2(b'\r', b'\n', text) else {
            let groups = (text.len() / 4).saturating_sub(usize::from(text.ends_with(b"=")));
            return self.clean(between(text, 0, groups * 4), groups * 4, base);
        };
        let line_end = match tail(text, length) {
            [b'\r', b'\n', ..] => &b"\r\n"[..],
            [b'\r', ..] => b"\r",
            _ => b"\n",
        };
        let step = length + line_end.len();
        let mut joined = std::mem::take(&mut self.joined);
        joined.clear();
        let mut lines = 0;
        for line in text.chunks_exact(step) {
            let (letters, end) = line.split_at(length);
            let is_same = end.first() == line_end.first() && end.last() == line_end.last();
            if !is_same || letters.ends_with(b"=") {
                break;
            }
            joined.extend_from_slice(letters);
            lines += 1;
        }
        if length % 4 != 0 {
            // Four lines of any one length are whole groups.
            lines -= lines % 4;
            joined.truncate(lines * length);
        }
        let seen = self.clean(&joined, (lines * step).max(step), base);
        if seen.0 > 0 {
            self.line_end(base + length, base + step);
            self.line = self.line.map(|_| base + seen.0);
        }
        self.joined = joined;
        seen
    }

    fn clean(&mut self, letters: &[u8], seen: usize, base: usize) -> (usize, usize) {
        let made = self.octets.len();
        self.octets.resize(made + letters.len() / 4 * 3, 0);
        let octets = tail_mut(&mut self.octets, made);
        if letters.is_empty() || ENGINE.decode_slice(letters, octets).is_err() {
            self.octets.truncate(made);
            return (0, seen);
        }
        self.end = base + seen;
        (seen, seen)
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
    fn groups(&mut self, text: &[u8], base: usize) -> usize {
        if !self.is_between_groups() {
            return 0;
        }
        // Room is made for a line and no more: the next one asks for its own.
        let (groups, _) = text.get(..128).unwrap_or(text).as_chunks::<4>();
        let made = self.octets.len();
        self.octets.resize(made + groups.len() * 3, 0);
        let (room, _) = tail_mut(&mut self.octets, made).as_chunks_mut::<3>();
        let mut taken = 0;
        for (group, room) in groups.iter().zip(room) {
            let [a, b, c, d] = group.map(|octet| u32::from(sextet(octet)));
            if (a | b | c | d) >= u32::from(NO_LETTER) {
                break;
            }
            let [_, octets @ ..] = (a << 18 | b << 12 | c << 6 | d).to_be_bytes();
            *room = octets;
            taken += 1;
        }
        self.octets.truncate(made + taken * 3);
        if taken > 0 {
            self.end = base + taken * 4;
        }
        taken * 4
    }

    fn octet(&mut self, text: &[u8], at: usize) {
        let Some(&octet) = text.get(at) else { return };
        match octet {
            b' ' | b'\t' => {}
            b'\r' | b'\n' => self.line_end(at, at + 1),
            b'=' => self.equals_sign(at),
            _ if sextet(octet) < NO_LETTER => {
                if self.padding != Padding::None {
                    self.further_run(text, at);
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

    fn further_run(&mut self, text: &[u8], at: usize) {
        self.missing_padding();
        self.padding = Padding::None;
        let rest = tail(text, at);
        let run = between(rest, 0, memchr(b'=', rest).unwrap_or(rest.len()));
        let last = run.iter().rposition(|&octet| sextet(octet) < NO_LETTER);
        self.findings.add(
            Kind::Base64AfterPadding,
            at,
            last.unwrap_or(0) + 1,
            "data after padding",
        );
    }

    fn finish(&mut self, length: usize) {
        self.line_end(length, length);
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

/// Findings in the making: those of one kind that touch become one.
#[derive(Default)]
struct Findings {
    report: Report,
    open: Option<(Kind, usize, usize, &'static str)>,
}

impl Findings {
    fn blanks(&mut self, blanks: Range<usize>) {
        if !blanks.is_empty() {
            self.add(
                Kind::QuotedPrintableBlanks,
                blanks.start,
                blanks.len(),
                "blanks at the end of a line",
            );
        }
    }

    fn kept(&mut self, sign: usize) {
        let detail = "equals sign without two hexadecimal digits";
        self.add(Kind::QuotedPrintableKept, sign, 1, detail);
    }

    fn add(&mut self, kind: Kind, offset: usize, length: usize, detail: &'static str) {
        match &mut self.open {
            Some((open, start, extent, same))
                if *open == kind && *start + *extent == offset && *same == detail =>
            {
                *extent += length;
            }
            _ => {
                self.close();
                self.open = Some((kind, offset, length, detail));
            }
        }
    }

    fn close(&mut self) {
        if let Some((kind, offset, length, detail)) = self.open.take() {
            self.report.add(kind, offset, length, detail);
        }
    }

    fn into_report(mut self) -> Report {
        self.close();
        self.report
    }
}

/// One finding for all octets that are above 7F, or control characters, from the first to the
/// last of them.
fn report_all(report: &mut Report, body: &[u8], kind: Kind) {
    let (such, what): (fn(u8) -> bool, _) = match kind {
        Kind::Control => (is_control, "control characters"),
        _ => (|octet| !octet.is_ascii(), "octets above 7F"),
    };
    let mut all = body.iter().enumerate().filter(|(_, octet)| such(**octet));
    let Some((first, _)) = all.next() else { return };
    let (count, last) = all.fold((1usize, first), |(count, _), (at, _)| (count + 1, at));
    report.add(kind, first, last + 1 - first, format!("{what}: {count}"));
}

fn has_bare_cr(body: &[u8]) -> bool {
    memchr_iter(b'\r', body).any(|cr| body.get(cr + 1) != Some(&b'\n'))
}

/// RFC 2045, sections 6.7 and 6.8.
const LINE_LIMIT: usize = 76;
const LONG_LINE: &str = "line of more than 76 characters";

fn is_control(octet: u8) -> bool {
    octet.is_ascii_control() && !matches!(octet, b'\t' | b'\r' | b'\n')
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

fn tail(octets: &[u8], from: usize) -> &[u8] {
    octets.get(from..).unwrap_or_default()
}

fn tail_mut(octets: &mut [u8], from: usize) -> &mut [u8] {
    octets.get_mut(from..).unwrap_or_default()
}

fn between(octets: &[u8], from: usize, to: usize) -> &[u8] {
    octets.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{
        TransferEncoding, Transferred, b, b_continues, base64, decode, q, quoted_printable,
    };
    use crate::report::{Effect, Kind};

    /// The octets, and each finding as kind, offset and length.
    #[track_caller]
    fn check(transferred: &Transferred<'_>, octets: &[u8], findings: &[(Kind, usize, usize)]) {
        let found: Vec<_> = transferred
            .report()
            .findings()
            .iter()
            .map(|finding| (finding.kind(), finding.offset(), finding.length()))
            .collect();
        assert_eq!(
            String::from_utf8_lossy(transferred.octets()),
            String::from_utf8_lossy(octets)
        );
        assert_eq!(transferred.octets(), octets);
        assert_eq!(found, findings);
    }

    #[test]
    fn identity_borrows() {
        for encoding in [
            TransferEncoding::SevenBit,
            TransferEncoding::EightBit,
            TransferEncoding::Binary,
            TransferEncoding::Unknown,
        ] {
            let decoded = decode(b"a=41\r\n", encoding);
            assert!(matches!(
                decoded.into_octets(),
                std::borrow::Cow::Borrowed(b"a=41\r\n")
            ));
        }
        check(
            &decode(b"\xE9\0", TransferEncoding::EightBit),
            b"\xE9\0",
            &[],
        );
        check(&decode(b"\xE9\0", TransferEncoding::Binary), b"\xE9\0", &[]);
    }

    /// RFC 7103, section 7.7.
    #[test]
    fn eight_bit_data_under_seven_bit_is_one_finding() {
        check(
            &decode(b"a\xE9b\xE9c", TransferEncoding::SevenBit),
            b"a\xE9b\xE9c",
            &[(Kind::EightBitData, 1, 3)],
        );
        let decoded = decode(b"a\xE9b\xE9c", TransferEncoding::SevenBit);
        assert_eq!(
            decoded.report().findings()[0].detail(),
            "octets above 7F: 2"
        );
    }

    /// RFC 2045, section 6.8.
    #[test]
    fn base64_ignores_line_ends_and_blanks() {
        check(&base64(b""), b"", &[]);
        check(&base64(b"TWFu"), b"Man", &[]);
        check(&base64(b"TWE="), b"Ma", &[]);
        check(&base64(b"TQ=="), b"M", &[]);
        check(
            &base64(b"\r\nT W\tF\nu\rT\r\nQ=\r\n=\r\n\r\n"),
            b"ManM",
            &[],
        );
    }

    #[test]
    fn base64_passes_over_what_is_no_letter() {
        check(&base64(b"TW-_\0Fu"), b"Man", &[(Kind::Base64Skipped, 2, 3)]);
        check(
            &base64(b"\xEF\xBB\xBFTWFu"),
            b"Man",
            &[(Kind::Base64Skipped, 0, 3)],
        );
        check(
            &base64(b"TW*\r\n*Fu"),
            b"Man",
            &[(Kind::Base64Skipped, 2, 1), (Kind::Base64Skipped, 5, 1)],
        );
    }

    #[test]
    fn base64_goes_on_behind_padding() {
        check(
            &base64(b"TQ==\r\nTWFu\r\n"),
            b"MMan",
            &[(Kind::Base64AfterPadding, 6, 4)],
        );
        check(
            &base64(b"TQ==TWE=TQ=="),
            b"MMaM",
            &[
                (Kind::Base64AfterPadding, 4, 3),
                (Kind::Base64AfterPadding, 8, 2),
            ],
        );
    }

    #[test]
    fn base64_padding_may_be_missing_or_too_much() {
        check(&base64(b"TWE"), b"Ma", &[(Kind::Base64Padding, 3, 0)]);
        check(&base64(b"TQ\r\n"), b"M", &[(Kind::Base64Padding, 2, 0)]);
        check(&base64(b"TQ="), b"M", &[(Kind::Base64Padding, 3, 0)]);
        check(
            &base64(b"TQ=TWFu"),
            b"MMan",
            &[
                (Kind::Base64Padding, 3, 0),
                (Kind::Base64AfterPadding, 3, 4),
            ],
        );
        check(&base64(b"TWFu===="), b"Man", &[(Kind::Base64Padding, 4, 4)]);
        check(&base64(b"TQ===="), b"M", &[(Kind::Base64Padding, 4, 2)]);
        // A soft line break of quoted-printable that was left in.
        check(
            &base64(b"TWFu=\r\nTWFu"),
            b"ManMan",
            &[(Kind::Base64Padding, 4, 1)],
        );
    }

    /// RFC 2045, section 6.8: zero bits are added to fill the last group. Q is 010000, R is
    /// 010001, of which four bits fill no octet.
    #[test]
    fn base64_bits_that_fill_no_octet_are_reported_unless_zero() {
        check(&base64(b"TR=="), b"M", &[(Kind::Base64Padding, 1, 1)]);
        check(&base64(b"TWF="), b"Ma", &[(Kind::Base64Padding, 2, 1)]);
    }

    #[test]
    fn base64_letter_alone_is_lost_and_reported() {
        check(&base64(b"TWFuT"), b"Man", &[(Kind::Base64Truncated, 4, 1)]);
        assert_eq!(base64(b"TWFuT").report().worst(), Some(Effect::Lost));
        // What follows is still in step.
        check(
            &base64(b"T===TWFu"),
            b"Man",
            &[(Kind::Base64Truncated, 0, 1), (Kind::Base64Padding, 1, 3)],
        );
    }

    /// RFC 2045, section 6.8: lines of no more than 76 characters.
    #[test]
    fn first_long_line_is_reported() {
        let (fits, long) = ("A".repeat(76), "A".repeat(80));
        for line_end in ["\r\n", "\n", "\r"] {
            let body = format!("{fits}{line_end}{fits}{line_end}");
            check(&base64(body.as_bytes()), &[0; 114], &[]);
            let body = format!("{fits}{line_end}{long}{line_end}{long}");
            let at = fits.len() + line_end.len();
            check(
                &base64(body.as_bytes()),
                &[0; 177],
                &[(Kind::LineLength, at, 80)],
            );
            check(
                &quoted_printable(body.as_bytes()),
                body.as_bytes(),
                &[(Kind::LineLength, at, 80)],
            );
        }
        check(&base64(fits.as_bytes()), &[0; 57], &[]);
        check(
            &base64(long.as_bytes()),
            &[0; 60],
            &[(Kind::LineLength, 0, 80)],
        );
    }

    /// RFC 2045, section 6.7, rules 1 to 5.
    #[test]
    fn quoted_printable_by_the_rules() {
        check(&quoted_printable(b""), b"", &[]);
        check(&quoted_printable(b"=0D=0A=3D=FF"), b"\r\n=\xFF", &[]);
        check(&quoted_printable(b"a\tb c\r\nd"), b"a\tb c\r\nd", &[]);
        check(
            &quoted_printable(b"one =\r\ntwo=\nthree=\rfour"),
            b"one twothreefour",
            &[],
        );
        check(&quoted_printable(b"=20\r\n=09"), b" \r\n\t", &[]);
        check(&quoted_printable(b"=\r\n=\r\n"), b"", &[]);
    }

    #[test]
    fn quoted_printable_without_escapes_borrows() {
        let body = b"plain text\r\n1+1=2\r\n";
        let octets = quoted_printable(body).into_octets();
        assert!(matches!(octets, std::borrow::Cow::Borrowed(octets) if octets == body));
    }

    /// RFC 2045, section 6.7, rule 3.
    #[test]
    fn quoted_printable_deletes_blanks_at_line_ends() {
        check(
            &quoted_printable(b"a \t\r\nb \nc\t\rd "),
            b"a\r\nb\nc\rd",
            &[
                (Kind::QuotedPrintableBlanks, 1, 2),
                (Kind::QuotedPrintableBlanks, 6, 1),
                (Kind::QuotedPrintableBlanks, 9, 1),
                (Kind::QuotedPrintableBlanks, 12, 1),
            ],
        );
        check(
            &quoted_printable(b"=41 \r\n  \r\n=20 "),
            b"A\r\n\r\n ",
            &[
                (Kind::QuotedPrintableBlanks, 3, 1),
                (Kind::QuotedPrintableBlanks, 6, 2),
                (Kind::QuotedPrintableBlanks, 13, 1),
            ],
        );
        check(
            &quoted_printable(b"a= \t\r\nb"),
            b"ab",
            &[(Kind::QuotedPrintableBlanks, 2, 2)],
        );
    }

    /// RFC 2045, section 6.7, notes 1 to 3 for implementors.
    #[test]
    fn quoted_printable_keeps_what_is_no_escape() {
        check(
            &quoted_printable(b"=G1=4=\t=x= =41"),
            b"=G1=4=\t=x= A",
            &[
                (Kind::QuotedPrintableKept, 0, 1),
                (Kind::QuotedPrintableKept, 3, 1),
                (Kind::QuotedPrintableKept, 5, 1),
                (Kind::QuotedPrintableKept, 7, 1),
                (Kind::QuotedPrintableKept, 9, 1),
            ],
        );
        check(
            &quoted_printable(b"===41=4"),
            b"==A=4",
            &[
                (Kind::QuotedPrintableKept, 0, 2),
                (Kind::QuotedPrintableKept, 5, 1),
            ],
        );
        check(
            &quoted_printable(b"a="),
            b"a",
            &[(Kind::QuotedPrintableSyntax, 1, 1)],
        );
        check(
            &quoted_printable(b"a= "),
            b"a",
            &[
                (Kind::QuotedPrintableSyntax, 1, 1),
                (Kind::QuotedPrintableBlanks, 2, 1),
            ],
        );
        check(
            &quoted_printable(b"=c3=A9=C3=a9=e9"),
            "éé"
                .as_bytes()
                .iter()
                .chain(b"\xE9")
                .copied()
                .collect::<Vec<_>>()
                .as_slice(),
            &[
                (Kind::QuotedPrintableSyntax, 0, 3),
                (Kind::QuotedPrintableSyntax, 9, 6),
            ],
        );
    }

    /// RFC 2045, section 6.7, rule 1 and note 4.
    #[test]
    fn quoted_printable_keeps_raw_octets_and_controls() {
        check(
            &quoted_printable(b"\xC3\xA9=C3=A9\xE9\x7F\0\tx"),
            b"\xC3\xA9\xC3\xA9\xE9\x7F\0\tx",
            &[(Kind::EightBitData, 0, 9), (Kind::Control, 9, 2)],
        );
    }

    /// RFC 2047, section 4.2.
    #[test]
    fn q_by_the_rules() {
        check(&q(b"Keld_J=F8rn_Simonsen"), b"Keld J\xF8rn Simonsen", &[]);
        check(&q(b"=5f=5F_"), b"__ ", &[]);
        check(&q(b"plain"), b"plain", &[]);
        assert!(matches!(
            q(b"plain").into_octets(),
            std::borrow::Cow::Borrowed(b"plain")
        ));
        check(
            &q(b"1=2 \xE9=\r\n_="),
            b"1=2 \xE9=\r\n =",
            &[
                (Kind::QuotedPrintableKept, 1, 1),
                (Kind::QuotedPrintableKept, 5, 1),
                (Kind::QuotedPrintableKept, 9, 1),
            ],
        );
    }

    /// RFC 2047, section 8.
    #[test]
    fn b_by_the_rules() {
        check(
            &b(b"SWYgeW91IGNhbiByZWFkIHRoaXMgeW8="),
            b"If you can read this yo",
            &[],
        );
        let long = "A".repeat(80);
        check(&b(long.as_bytes()), &[0; 60], &[]);
    }

    /// E2 98 83 is U+2603; 4piD is 56 41 34 3 in the alphabet, and
    /// 56 << 18 | 41 << 12 | 34 << 6 | 3 = 14850179 = E29883.
    /// The quick ways give what the thorough ones give, and nothing where there is a finding.
    #[test]
    fn clean_words_are_the_same_either_way() {
        let same = |text: &[u8]| {
            let mut room = [0; 24];
            for (clean, thorough) in [
                (super::clean_b(text, &mut room).map(<[u8]>::to_vec), b(text)),
                (super::clean_q(text, &mut room).map(<[u8]>::to_vec), q(text)),
            ] {
                let expected = thorough
                    .report()
                    .is_empty()
                    .then(|| thorough.octets().to_vec());
                assert_eq!(clean, expected.filter(|_| !text.is_empty()), "{text:?}");
            }
        };
        // Everything of up to four of these, and of eight where the second half varies.
        let octets = b"AQh/+=_-8eF";
        for number in 0..octets.len().pow(4) {
            let all: Vec<u8> = (0..4)
                .map(|place| octets[number / octets.len().pow(place) % octets.len()])
                .collect();
            for length in 1..=4 {
                same(&all[..length]);
            }
            same(&[b"QUJD", &all[..]].concat());
        }
        let long = vec![b'A'; 4 * 9];
        assert_eq!(super::clean_b(&long, &mut [0; 26]), None);
        assert_eq!(super::clean_q(&long, &mut [0; 35]), None);
        assert_eq!(super::clean_b(&long, &mut [0; 27]), Some(&[0; 27][..]));
    }

    #[test]
    fn b_words_cut_inside_a_group_belong_together() {
        assert!(b_continues(b"4", b"piD"));
        assert!(b_continues(b"4p", b"iD"));
        assert!(b_continues(b"4pi", b"D"));
        assert!(!b_continues(b"4piD", b"4piD"));
        assert!(!b_continues(b"gw==", b"gw"));
        assert!(!b_continues(b"4pg", b"gw=="));
        check(&b(b"4piD"), b"\xE2\x98\x83", &[]);
        check(&b(b"4pg"), b"\xE2\x98", &[(Kind::Base64Padding, 3, 0)]);
        check(&b(b"gw=="), b"\x83", &[]);
    }
}
