//! Decodes transfer encodings: for bodies `base64`, `quoted-printable`, `7bit`, `8bit` and `binary` (RFC
//! 2045, section 6), and `x-uuencode` (POSIX); for encoded words B and Q (RFC 2047, section 4).
//!
//! Decoding never fails. Octets that the encoding does not allow are kept if possible, and every violation
//! is a finding: no octet is dropped silently. Offsets of findings are into the encoded octets. Adjacent
//! findings of one kind are merged.
//!
//! CRLF, LF and CR all count as line endings and are kept. The result is octets: another module decodes
//! their charset (RFC 2045, section 6.1).
//!
//! Not supported: yEnc, which no mail standard defines. Its octets are kept, as
//! [`TransferEncoding::Unknown`].
//!
//! ```
//! use mime_charset::{header, transfer};
//!
//! let field = header::content_transfer_encoding(b" quoted-printable");
//! let body = transfer::decode(b"caf=E9 au=\r\n lait", field.encoding());
//! assert_eq!(body.as_bytes(), b"caf\xE9 au lait");
//! assert!(body.report().is_empty());
//! ```

mod base64;
mod decoder;
mod extent;
mod hexadecimal;
mod quoted_printable;
mod uuencode;

use std::borrow::Cow;
use std::fmt;

use crate::report::{Kind, Report};

use self::base64::decided as base64_decided;
pub(crate) use self::base64::{BEnd, Base64Writer, base64_length, base64_letters, clean_b};
pub use self::base64::{b, base64};
use self::decoder::PieceDecoder;
pub(crate) use self::decoder::TransferDecoder;
use self::extent::Extent;
pub(crate) use self::hexadecimal::{percent_decode, two_hexadecimal};
use self::quoted_printable::decided as quoted_printable_decided;
pub(crate) use self::quoted_printable::{QuotedPrintableWriter, clean_q};
pub use self::quoted_printable::{q, quoted_printable};
use self::uuencode::decided as uuencode_decided;
pub use self::uuencode::{Uuencoded, uuencode, uuencoded, uuencoded_ranges};

/// The transfer encoding of a body (RFC 2045, section 6.1).
///
/// ```
/// use mime_charset::{header, transfer::TransferEncoding};
///
/// let named = |body| header::content_transfer_encoding(body).encoding();
/// assert_eq!(named(b" BASE64"), TransferEncoding::Base64);
/// assert_eq!(named(b" x-uuencode"), TransferEncoding::Uuencode);
/// assert_eq!(named(b" x-yencode"), TransferEncoding::Unknown);
/// assert_eq!(TransferEncoding::Base64.name(), "base64");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[non_exhaustive]
pub enum TransferEncoding {
    /// Lines of unencoded US-ASCII; the default if nothing is declared.
    #[default]
    SevenBit,
    /// Lines of any unencoded octets.
    EightBit,
    /// Any unencoded octets.
    Binary,
    /// Readable text with `=HH` for other octets (RFC 2045, section 6.7).
    QuotedPrintable,
    /// Three octets as four letters (RFC 2045, section 6.8).
    Base64,
    /// Lines of up to 45 octets, with three octets as four characters (POSIX, `uuencode`). Mail used it
    /// before base64.
    Uuencode,
    /// A mechanism that no standard defines; the octets are kept (RFC 2045, section 6.4).
    Unknown,
}

impl TransferEncoding {
    /// The name in mail: `7bit`, `8bit`, `binary`, `quoted-printable`, `base64`, `x-uuencode` or, for any
    /// other, `unknown`.
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
            TransferEncoding::Uuencode => "x-uuencode",
            TransferEncoding::Unknown => "unknown",
        }
    }

    /// Whether this is `7bit`, `8bit` or `binary`, which change no octet (RFC 2045, section 6.2).
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

    /// Whether decoding may change octets.
    pub(crate) fn is_encoded(self) -> bool {
        !self.is_identity() && self != TransferEncoding::Unknown
    }

    /// Whether the last piece ends the body. A partial uuencoded body has no `end` line yet.
    fn ends(self, is_partial: bool) -> bool {
        !(is_partial && self == TransferEncoding::Uuencode)
    }
}

/// The [`name`](TransferEncoding::name).
impl fmt::Display for TransferEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Octets after transfer decoding, and the findings.
///
/// ```
/// use std::borrow::Cow;
/// use mime_charset::{Kind, transfer};
///
/// let changed = transfer::quoted_printable(b"1+1=3D2 =");
/// assert_eq!(changed.as_bytes(), b"1+1=2 ");
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

impl AsRef<[u8]> for Transferred<'_> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<'a> Transferred<'a> {
    /// The octets as they were before encoding.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.octets
    }

    /// The octets by value, borrowed from the body if decoding changed none.
    #[must_use]
    pub fn into_octets(self) -> Cow<'a, [u8]> {
        self.octets
    }

    /// The octets and the report, by value.
    #[must_use]
    pub fn into_parts(self) -> (Cow<'a, [u8]>, Report) {
        (self.octets, self.report)
    }

    /// Adds `base` to the offsets of findings.
    pub(crate) fn at(mut self, base: usize) -> Self {
        self.report.shift(base);
        self
    }

    /// Departures from the encoding; offsets are into the encoded octets, unless
    /// [`Part::octets`](crate::message::Part::octets) says otherwise.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// Decodes `body`.
///
/// If the encoding is `7bit`, `8bit`, `binary` or unknown, the result borrows the body. Octets above 7F
/// under `7bit` are kept. They are one finding, [`Kind::EightBitData`], with the range from the first to
/// the last of them (RFC 7103, section 7.7).
///
/// ```
/// use mime_charset::transfer::{self, TransferEncoding};
///
/// let decoded = transfer::decode(b"7ZWc", TransferEncoding::Base64);
/// assert_eq!(decoded.as_bytes(), "한".as_bytes());
/// ```
pub fn decode(body: &[u8], encoding: TransferEncoding) -> Transferred<'_> {
    decode_with(body, encoding, false, &mut Vec::new())
}

/// Like [`decode`], but stores changed octets in `buffer`, to reuse its memory. If `is_partial`, the body
/// is a prefix that later octets cannot change ([`decided`]), and its end is not reported as truncated.
pub(crate) fn decode_with<'a>(
    body: &'a [u8],
    encoding: TransferEncoding,
    is_partial: bool,
    buffer: &mut Vec<u8>,
) -> Transferred<'a> {
    // Most bodies are not encoded and need no decoder.
    if !encoding.is_encoded() && (encoding != TransferEncoding::SevenBit || body.is_ascii()) {
        return Transferred {
            octets: Cow::Borrowed(body),
            report: Report::new(),
        };
    }
    let mut pieces = PieceDecoder::new(encoding);
    let is_last = encoding.ends(is_partial);
    let octets = pieces.decode(body, 0, is_last, buffer);
    let report = pieces.into_report();
    Transferred { octets, report }
}

/// Decodes the start of a body, except octets that later octets could change.
pub(crate) fn decode_start(body: &[u8], encoding: TransferEncoding) -> Vec<u8> {
    let decided = match encoding {
        // An incomplete group of letters decodes to the first octets of the whole group.
        TransferEncoding::Base64 => body.len(),
        _ => decided(body, encoding),
    };
    let start = body.get(..decided).unwrap_or(body);
    decode(start, encoding).into_octets().into_owned()
}

/// The length of the prefix of a body that later octets cannot change. Excludes an incomplete base64
/// group, quoted-printable escape or uuencode line at the end, and blanks that may end a quoted-printable
/// line.
pub(crate) fn decided(body: &[u8], encoding: TransferEncoding) -> usize {
    match encoding {
        TransferEncoding::QuotedPrintable => quoted_printable_decided(body),
        TransferEncoding::Base64 => base64_decided(body),
        TransferEncoding::Uuencode => uuencode_decided(body, true),
        _ => body.len(),
    }
}

/// Collects findings. Merges adjacent findings of one kind.
#[derive(Default)]
struct Findings {
    report: Report,
    open: Option<(Kind, usize, usize, &'static str)>,
}

impl Findings {
    fn add_kept_sign(&mut self, sign: usize) {
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

    /// Sets the length of the last finding of a kind at an offset.
    fn lengthen(&mut self, kind: Kind, offset: usize, length: usize) {
        match &mut self.open {
            Some((open, start, extent, _)) if (*open, *start) == (kind, offset) => *extent = length,
            _ => self.report.lengthen(kind, offset, length),
        }
    }

    fn into_report(mut self) -> Report {
        self.close();
        self.report
    }
}

/// Kinds of findings about violations of base64 and quoted-printable.
pub(crate) const VIOLATIONS: [Kind; 7] = [
    Kind::Base64Skipped,
    Kind::Base64AfterPadding,
    Kind::Base64Padding,
    Kind::Base64Truncated,
    Kind::QuotedPrintableKept,
    Kind::QuotedPrintableSyntax,
    Kind::QuotedPrintableBlanks,
];

/// Maximum line length (RFC 2045, sections 6.7 and 6.8).
const LINE_LIMIT: usize = 76;
const LONG_LINE: &str = "line of more than 76 characters";

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

fn tail(octets: &[u8], from: usize) -> &[u8] {
    octets.get(from..).unwrap_or_default()
}

fn between(octets: &[u8], from: usize, to: usize) -> &[u8] {
    octets.get(from..to).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use ::base64::Engine as _;
    use ::base64::engine::general_purpose::STANDARD;

    use super::{
        BEnd, TransferEncoding, Transferred, b, base64, decode, q, quoted_printable, uuencode,
        uuencoded,
    };
    use crate::report::{Effect, Kind};
    use crate::work::work_of;

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
            String::from_utf8_lossy(transferred.as_bytes()),
            String::from_utf8_lossy(octets)
        );
        assert_eq!(transferred.as_bytes(), octets);
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
    fn base64_skips_other_octets() {
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
    fn base64_continues_after_padding() {
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
    fn base64_padding_may_be_missing_or_superfluous() {
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
        // An undecoded soft line break of quoted-printable.
        check(
            &base64(b"TWFu=\r\nTWFu"),
            b"ManMan",
            &[(Kind::Base64Padding, 4, 1)],
        );
    }

    /// RFC 2045, section 6.8: zero bits are added to fill the last group. Q is 010000, R is
    /// 010001, and its last four bits fill no octet.
    #[test]
    fn base64_bits_that_fill_no_octet_are_reported_unless_zero() {
        check(&base64(b"TR=="), b"M", &[(Kind::Base64Padding, 1, 1)]);
        check(&base64(b"TWF="), b"Ma", &[(Kind::Base64Padding, 2, 1)]);
    }

    #[test]
    fn base64_letter_alone_is_lost_and_reported() {
        check(&base64(b"TWFuT"), b"Man", &[(Kind::Base64Truncated, 4, 1)]);
        assert_eq!(base64(b"TWFuT").report().worst(), Some(Effect::Lost));
        // The following octets are still aligned.
        check(
            &base64(b"T===TWFu"),
            b"Man",
            &[(Kind::Base64Truncated, 0, 1), (Kind::Base64Padding, 1, 3)],
        );
    }

    /// RFC 2045, section 6.8: lines of at most 76 characters.
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
    fn quoted_printable_keeps_invalid_escapes() {
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

    /// The fast paths agree with the base64 crate, which rejects all that RFC 4648 forbids, and
    /// with the slow path of Q. They return `None` if there would be a finding.
    #[test]
    fn fast_paths_agree_with_slow_paths() {
        let same = |text: &[u8]| {
            let mut buffer = [0; 24];
            let strict = STANDARD.decode(text).ok();
            let found = b(text);
            assert_eq!(strict.is_some(), found.report().is_empty(), "{text:?}");
            let quoted = q(text);
            let kept = quoted
                .report()
                .is_empty()
                .then(|| quoted.as_bytes().to_vec());
            for (clean, expected) in [
                (
                    super::clean_b(text, &mut buffer).map(<[u8]>::to_vec),
                    strict,
                ),
                (super::clean_q(text, &mut buffer).map(<[u8]>::to_vec), kept),
            ] {
                assert_eq!(clean, expected.filter(|_| !text.is_empty()), "{text:?}");
            }
        };
        // All sequences of up to four of these octets, and of eight with a fixed first half.
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

    /// E2 98 83 is U+2603; 4piD is 56 41 34 3 in the alphabet, and
    /// 56 << 18 | 41 << 12 | 34 << 6 | 3 = 14850179 = E29883. The last two bits of 34 are 10, the last four
    /// of 41 are 1001.
    #[test]
    fn ends_of_b_words() {
        let end = |text: &[u8]| {
            let end = BEnd::of(text);
            (end.letters, end.padding, end.has_open_bits)
        };
        assert_eq!(end(b"4"), (1, 0, false));
        assert_eq!(end(b"4p"), (2, 0, true));
        assert_eq!(end(b"4pi"), (3, 0, true));
        assert_eq!(end(b"4pg="), (3, 1, false));
        assert_eq!(end(b"gw=="), (2, 2, false));
        assert_eq!(end(b"4piD"), (4, 0, false));
        assert_eq!(end(b"8J-_"), (4, 0, false));
        check(&b(b"4piD"), b"\xE2\x98\x83", &[]);
        check(&b(b"4pg"), b"\xE2\x98", &[(Kind::Base64Padding, 3, 0)]);
        check(&b(b"gw=="), b"\x83", &[]);
    }

    /// Four times the body takes about four times the work, for any content: escapes in each block,
    /// blanks that may end a line, damage in each line of base64.
    #[test]
    fn work_is_linear_in_the_body() {
        let letters = "TWFu".repeat(8);
        let long_line = format!("{}*\n", "TWFu".repeat(250));
        for piece in [
            "a=ZZ",
            "=\t ",
            "   ",
            " \r\n",
            "=c3",
            "TWFu*",
            "TWF",
            "=",
            "\r",
            &letters,
            &long_line,
            &format!("{letters}*"),
            &format!("{letters}\r\n*"),
            &format!("{}x\n", " ".repeat(200)),
            "#0V%T\n",
            "M\n",
            "begin 644 a\n",
            "begin 644 a\n#0V%T\n",
            "begin 644 a\n#0V%T\n`\nend\n",
        ] {
            let work = |times: usize| {
                let body = piece.repeat(times).into_bytes();
                let text = String::from_utf8_lossy(&body);
                work_of(|| {
                    drop((quoted_printable(&body), base64(&body), b(&body)));
                    drop((uuencode(&body), uuencoded(&text)));
                })
            };
            let (once, four_times) = (work(1000), work(4000));
            assert!(four_times < once * 5, "{piece:?}: {once} and {four_times}");
        }
    }
}
