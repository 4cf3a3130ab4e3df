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

use std::borrow::Cow;
use std::fmt;

use memchr::{memchr, memchr2, memchr3, memrchr2};

use crate::report::{Kind, Report};

/// How the octets of a body were made fit to travel (RFC 2045, section 6.1).
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

    /// The octets, borrowed from the body where decoding changed none.
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
            report_eight_bit(&mut report, body);
            Transferred::unchanged(body, report)
        }
        TransferEncoding::EightBit | TransferEncoding::Binary | TransferEncoding::Unknown => {
            Transferred::unchanged(body, Report::new())
        }
    }
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
    let mut findings = Findings::default();
    report_long_line(&mut findings, body);
    base64_data(body, findings)
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
    let mut findings = Findings::default();
    report_eight_bit(&mut findings.report, body);
    report_controls(&mut findings.report, body);
    report_long_line(&mut findings, body);

    let mut octets = Vec::new();
    // What is before `copied` is decoded; what lies between it and `at` is literal.
    let (mut copied, mut at) = (0, 0);
    loop {
        let found = memchr3(b'=', b'\r', b'\n', tail(body, at));
        let event = found.map_or(body.len(), |distance| at + distance);
        let sign = body.get(event) == Some(&b'=');
        if !sign {
            // Only blanks that stand raw at the end of the line; `=20` is there to stay.
            let literal = between(body, at, event);
            let blanks = blanks_before_end(literal);
            if blanks > 0 {
                findings.add(
                    Kind::QuotedPrintableBlanks,
                    event - blanks,
                    blanks,
                    "blanks at the end of a line",
                );
                octets.extend_from_slice(between(body, copied, event - blanks));
                copied = event;
            }
        }
        if found.is_none() {
            break;
        }
        at = event + 1;
        if sign {
            match escape(tail(body, at)) {
                Escape::Octet { octet, upper } => {
                    octets.extend_from_slice(between(body, copied, event));
                    octets.push(octet);
                    at += 2;
                    copied = at;
                    if !upper {
                        findings.add(
                            Kind::QuotedPrintableSyntax,
                            event,
                            3,
                            "lower-case hexadecimal digits",
                        );
                    }
                }
                Escape::SoftLineBreak { blanks, line_end } => {
                    octets.extend_from_slice(between(body, copied, event));
                    if line_end == 0 {
                        findings.add(
                            Kind::QuotedPrintableSyntax,
                            event,
                            1,
                            "equals sign at the end of the body",
                        );
                    }
                    if blanks > 0 {
                        findings.add(
                            Kind::QuotedPrintableBlanks,
                            at,
                            blanks,
                            "blanks at the end of a line",
                        );
                    }
                    at += blanks + line_end;
                    copied = at;
                }
                Escape::None => findings.add(
                    Kind::QuotedPrintableKept,
                    event,
                    1,
                    "equals sign without two hexadecimal digits",
                ),
            }
        }
    }
    if copied == 0 {
        return Transferred::unchanged(body, findings.into_report());
    }
    octets.extend_from_slice(tail(body, copied));
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
    base64_data(encoded_text, Findings::default())
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
                Escape::Octet { octet, .. } => {
                    octets.push(octet);
                    at += 2;
                }
                Escape::SoftLineBreak { .. } | Escape::None => {
                    octets.push(b'=');
                    findings.add(
                        Kind::QuotedPrintableKept,
                        offset,
                        1,
                        "equals sign without two hexadecimal digits",
                    );
                }
            },
            _ => octets.push(octet),
        }
    }
    Transferred::changed(octets, findings.into_report())
}

/// What an equals sign stands for, by what follows it.
enum Escape {
    Octet { octet: u8, upper: bool },
    SoftLineBreak { blanks: usize, line_end: usize },
    None,
}

/// > hex-octet := "=" 2(DIGIT / "A" / "B" / "C" / "D" / "E" / "F")
///
/// or a soft line break. Blanks between the sign and the line end are padding that a
/// transport added (RFC 2045, section 6.7, rule 3).
fn escape(following: &[u8]) -> Escape {
    if let [high, low, ..] = following
        && let (Some(high), Some(low)) = (digit(*high), digit(*low))
    {
        return Escape::Octet {
            octet: high.value << 4 | low.value,
            upper: high.upper && low.upper,
        };
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

struct Digit {
    value: u8,
    upper: bool,
}

fn digit(octet: u8) -> Option<Digit> {
    let value = match octet {
        b'0'..=b'9' => octet - b'0',
        b'A'..=b'F' => octet - b'A' + 10,
        b'a'..=b'f' => octet - b'a' + 10,
        _ => return None,
    };
    Some(Digit {
        value,
        upper: !octet.is_ascii_lowercase(),
    })
}

fn base64_data(text: &[u8], findings: Findings) -> Transferred<'_> {
    let mut data = Base64 {
        octets: Vec::with_capacity(text.len() / 4 * 3 + 3),
        findings,
        letters: Letters::default(),
        padding: Padding::None,
        end: 0,
    };
    let mut at = 0;
    while at < text.len() {
        at += data.groups(tail(text, at), at);
        if at < text.len() {
            data.octet(text, at);
            at += 1;
        }
    }
    data.finish();
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

impl Base64 {
    /// Decodes whole groups of four letters and says how many octets it took.
    fn groups(&mut self, text: &[u8], base: usize) -> usize {
        if self.letters.count != 0 || self.padding != Padding::None {
            return 0;
        }
        let (groups, _) = text.as_chunks::<4>();
        let mut taken = 0;
        for group in groups {
            let [a, b, c, d] = group.map(|octet| u32::from(sextet(octet)));
            if (a | b | c | d) >= u32::from(NO_LETTER) {
                break;
            }
            let [_, group @ ..] = (a << 18 | b << 12 | c << 6 | d).to_be_bytes();
            self.octets.extend_from_slice(&group);
            taken += 4;
        }
        if taken > 0 {
            self.end = base + taken;
        }
        taken
    }

    fn octet(&mut self, text: &[u8], at: usize) {
        let Some(&octet) = text.get(at) else { return };
        match octet {
            b' ' | b'\t' | b'\r' | b'\n' => {}
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
        let run = rest.get(..memchr(b'=', rest).unwrap_or(rest.len()));
        self.findings.add(
            Kind::Base64AfterPadding,
            at,
            run.unwrap_or_default().trim_ascii_end().len(),
            "data after padding",
        );
    }

    fn finish(&mut self) {
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
        reason = "read when compiling, where a slip is a build error"
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

fn report_eight_bit(report: &mut Report, body: &[u8]) {
    if !body.is_ascii() {
        report_all(report, body, Kind::EightBitData, "above 7F", |octet| {
            !octet.is_ascii()
        });
    }
}

/// RFC 2045, section 6.7, note 4: no control characters but tabs and line ends.
fn report_controls(report: &mut Report, body: &[u8]) {
    fn is_control(octet: u8) -> bool {
        octet.is_ascii_control() && !matches!(octet, b'\t' | b'\r' | b'\n')
    }
    // A fold without a way out early is compiled to vector instructions; `any` is not.
    if body
        .iter()
        .fold(false, |any, &octet| any | is_control(octet))
    {
        report_all(
            report,
            body,
            Kind::Control,
            "control characters",
            is_control,
        );
    }
}

/// One finding for all octets that are `such`, from the first to the last of them.
fn report_all(report: &mut Report, body: &[u8], kind: Kind, what: &str, such: impl Fn(u8) -> bool) {
    let mut all = body.iter().enumerate().filter(|(_, octet)| such(**octet));
    let Some((first, _)) = all.next() else { return };
    let (count, last) = all.fold((1usize, first), |(count, _), (offset, _)| {
        (count + 1, offset)
    });
    report.add(
        kind,
        first,
        last + 1 - first,
        format!("octets {what}: {count}"),
    );
}

/// RFC 2045, sections 6.7 and 6.8: lines of at most 76 characters. The first that is longer
/// stands for all.
fn report_long_line(findings: &mut Findings, body: &[u8]) {
    const LIMIT: usize = 76;
    let mut line = 0;
    // From the last line end within reach the next line starts; no line end, a long line.
    while body.len() - line > LIMIT {
        let reach = between(body, line, line + LIMIT + 1);
        let Some(line_end) = memrchr2(b'\r', b'\n', reach) else {
            let length = memchr2(b'\r', b'\n', tail(body, line));
            findings.add(
                Kind::LineLength,
                line,
                length.unwrap_or(body.len() - line),
                "line of more than 76 characters",
            );
            break;
        };
        line += line_end + 1;
    }
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

fn blanks_before_end(literal: &[u8]) -> usize {
    literal
        .iter()
        .rev()
        .take_while(|&&octet| is_blank(octet))
        .count()
}

fn tail(octets: &[u8], from: usize) -> &[u8] {
    octets.get(from..).unwrap_or_default()
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
