//! Content-Transfer-Encoding (RFC 2045, section 6).

use std::borrow::Cow;

use super::classes::is_blank;
use super::encoded_word::encoded_word;
use super::token::{FieldReader, QuotedString, quoted_string, token, trim, unquoted};
use crate::report::{Kind, Report};
use crate::transfer::TransferEncoding;

/// A parsed Content-Transfer-Encoding field (RFC 2045, section 6.1).
///
/// ```
/// use mime_charset::{Kind, header::content_transfer_encoding, transfer::TransferEncoding};
///
/// let field = content_transfer_encoding(b" quoted_printable");
/// assert_eq!(field.encoding(), TransferEncoding::QuotedPrintable);
/// assert_eq!(field.label(), b"quoted_printable");
/// assert!(field.report().has(Kind::TransferEncodingRepaired));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentTransferEncoding<'a> {
    encoding: TransferEncoding,
    label: Cow<'a, [u8]>,
    report: Report,
}

impl ContentTransferEncoding<'_> {
    /// The encoding that the field names. [`TransferEncoding::Unknown`] if no standard defines the name,
    /// and [`TransferEncoding::SevenBit`] if the field has no name.
    #[must_use]
    pub fn encoding(&self) -> TransferEncoding {
        self.encoding
    }

    /// The name, verbatim, without quotes and comments.
    #[must_use]
    pub fn label(&self) -> &[u8] {
        &self.label
    }

    /// Departures from RFC 2045, section 6. Offsets are into the field body.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// Parses the body of a Content-Transfer-Encoding field (RFC 2045, section 6.1).
///
/// Accepts any octets; damaged names are recognized and reported.
///
/// ```
/// use mime_charset::{header::content_transfer_encoding, transfer::TransferEncoding};
///
/// let field = content_transfer_encoding(b" Base64");
/// assert_eq!(field.encoding(), TransferEncoding::Base64);
/// ```
#[must_use]
pub fn content_transfer_encoding(body: &[u8]) -> ContentTransferEncoding<'_> {
    let mut field = FieldReader::new(body);
    let input = field.skip_cfws(body);
    let input = field.skip_open_parentheses(input);
    let (rest, label) = transfer_label(&mut field, input);
    let (at, length) = (field.offset(input), label.len());
    let label = match decoded_word(&label) {
        Some(name) => {
            let detail = "an encoding's name in an encoded word";
            field.add(Kind::TransferEncodingRepaired, at, length, detail);
            Cow::Owned(name)
        }
        None => label,
    };
    let mut encoding = TransferEncoding::Unknown;
    if label.is_empty() {
        encoding = TransferEncoding::SevenBit;
        let detail = "a field without an encoding, read as 7bit";
        field.add(Kind::MissingValue, at, 0, detail);
    } else if let Some(known) = encoding_named(&label) {
        encoding = known;
    } else if let Some(known) = misspelled_encoding(&label) {
        encoding = known;
        let detail = "hyphens or letters that are not in the encoding's name";
        field.add(Kind::TransferEncodingRepaired, at, length, detail);
    } else {
        let is_yenc = matches!(
            label.to_ascii_lowercase().as_slice(),
            b"x-yencode" | b"yenc"
        );
        let detail = if is_yenc {
            "yEnc, which a news reader or ydecode opens"
        } else {
            "a transfer encoding that no standard names"
        };
        field.add(Kind::UnknownTransferEncoding, at, length, detail);
    }
    let rest = field.skip_cfws(rest);
    if !rest.is_empty() && encoding != TransferEncoding::Unknown {
        // `quoted-printable;` and `7bit; charset=utf-8` come from templates that derived this field from
        // Content-Type.
        let at = field.offset(rest);
        let detail = "text after the encoding's name";
        field.add(Kind::TransferEncodingRepaired, at, rest.len(), detail);
    }
    ContentTransferEncoding {
        encoding,
        label,
        report: field.report,
    }
}

/// > mechanism := "7bit" / "8bit" / "binary" / "quoted-printable" / "base64" / ietf-token /
/// > x-token
fn encoding_named(label: &[u8]) -> Option<TransferEncoding> {
    // `x-uuencode` and `x-uue` are extension tokens for pre-MIME mail (RFC 2045, section 6.3).
    const NAMES: [(&str, TransferEncoding); 7] = [
        ("7bit", TransferEncoding::SevenBit),
        ("quoted-printable", TransferEncoding::QuotedPrintable),
        ("8bit", TransferEncoding::EightBit),
        ("base64", TransferEncoding::Base64),
        ("binary", TransferEncoding::Binary),
        ("x-uuencode", TransferEncoding::Uuencode),
        ("x-uue", TransferEncoding::Uuencode),
    ];
    let is_label = |(name, _): &(&str, _)| label.eq_ignore_ascii_case(name.as_bytes());
    NAMES
        .into_iter()
        .find(is_label)
        .map(|(_, encoding)| encoding)
}

/// Recognizes misspellings in hand-made mail, such as `8-bit`, `7bits`, `quoted_printable`, `base-64` and
/// `uuencode`: ignores hyphens, underscores and a final `s`.
fn misspelled_encoding(label: &[u8]) -> Option<TransferEncoding> {
    if label.len() > 32 {
        return None;
    }
    let mut bare = label.to_ascii_lowercase();
    bare.retain(|octet| !matches!(octet, b'-' | b'_'));
    Some(match &*bare {
        b"7bit" | b"7bits" => TransferEncoding::SevenBit,
        b"8bit" | b"8bits" => TransferEncoding::EightBit,
        b"quotedprintable" => TransferEncoding::QuotedPrintable,
        b"base64" | b"base64s" => TransferEncoding::Base64,
        b"binary" | b"binarys" => TransferEncoding::Binary,
        b"uuencode" | b"uue" | b"xuuencode" | b"xuue" => TransferEncoding::Uuencode,
        _ => return None,
    })
}

/// Decodes a label that is an encoded word. RFC 2047, section 5, forbids encoded words here, but some
/// programs encode every field.
fn decoded_word(label: &[u8]) -> Option<Vec<u8>> {
    let (rest, word) = encoded_word(label).ok()?;
    rest.is_empty().then(|| word.octets())
}

/// Parses the name of the encoding: a token or, though RFC 2045 forbids it, a quoted string.
fn transfer_label<'a>(field: &mut FieldReader<'a>, input: &'a [u8]) -> (&'a [u8], Cow<'a, [u8]>) {
    if let Ok((rest, name)) = token(input) {
        return (rest, Cow::Borrowed(name));
    }
    let at = field.offset(input);
    if let Some(QuotedString { rest, content, .. }) = quoted_string(input) {
        let detail = "an encoding's name in quotes";
        let length = input.len() - rest.len();
        field.add(Kind::TransferEncodingRepaired, at, length, detail);
        return (rest, unquoted(trim(content)));
    }
    let length = input
        .iter()
        .take_while(|&&octet| octet != b';' && !is_blank(octet))
        .count();
    let (label, rest) = input.split_at_checked(length).unwrap_or((input, b""));
    (rest, Cow::Borrowed(label))
}

#[cfg(test)]
mod tests {
    use super::{TransferEncoding, content_transfer_encoding};
    use crate::header::tests::kinds;

    #[test]
    fn transfer_encodings() {
        #[track_caller]
        fn read(body: &str, encoding: TransferEncoding, label: &str, findings: &str) {
            let field = content_transfer_encoding(body.as_bytes());
            assert_eq!(field.encoding(), encoding);
            assert_eq!(field.label(), label.as_bytes());
            assert_eq!(kinds(field.report()), findings);
        }
        read("7bit", TransferEncoding::SevenBit, "7bit", "");
        read("8BIT", TransferEncoding::EightBit, "8BIT", "");
        read("Binary", TransferEncoding::Binary, "Binary", "");
        read(" (a) base64 (b)", TransferEncoding::Base64, "base64", "");
        read(
            "Quoted-Printable",
            TransferEncoding::QuotedPrintable,
            "Quoted-Printable",
            "",
        );
        let repaired = "transfer-encoding-repaired";
        read("8-bit", TransferEncoding::EightBit, "8-bit", repaired);
        read("7-bit", TransferEncoding::SevenBit, "7-bit", repaired);
        read("8bits", TransferEncoding::EightBit, "8bits", repaired);
        read(
            "quoted_printable",
            TransferEncoding::QuotedPrintable,
            "quoted_printable",
            repaired,
        );
        read("\"base64\"", TransferEncoding::Base64, "base64", repaired);
        read(
            "quoted-printable;",
            TransferEncoding::QuotedPrintable,
            "quoted-printable",
            repaired,
        );
        read(
            "7bit; charset=utf-8",
            TransferEncoding::SevenBit,
            "7bit",
            repaired,
        );
        read("X-UUencode", TransferEncoding::Uuencode, "X-UUencode", "");
        read(" x-uue", TransferEncoding::Uuencode, "x-uue", "");
        read("uuencode", TransferEncoding::Uuencode, "uuencode", repaired);
        read("UUE", TransferEncoding::Uuencode, "UUE", repaired);
        let unknown = "unknown-transfer-encoding";
        read("x-yencode", TransferEncoding::Unknown, "x-yencode", unknown);
        read("[base64]", TransferEncoding::Unknown, "[base64]", unknown);
        read("", TransferEncoding::SevenBit, "", "missing-value");
    }
}
