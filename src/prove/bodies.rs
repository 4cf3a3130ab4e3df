//! Proves that each changed text part has the same text as before, comparing the texts piece by piece.

use std::borrow::Cow;

use super::openpgp::OpenPgpSearch;
use super::options::Conversion;
use super::rules::{self, BodyFacts, is_utf_8, is_utf_8_label};
use crate::charset::{self, Charset, Options};
use crate::decode::{ONE_PIECE, Observer, TextPieces, other_declaration};
use crate::error::Error;
use crate::message::{BodyPieces, OpenBody, Part};
use crate::report::{Kind, Report};
use crate::transfer::{TransferEncoding, VIOLATIONS};

/// Compares the text of two parts. Returns the text if it is one piece, and the charset of the source.
pub(super) fn same_text<'m>(
    before: Part<'_>,
    after: Part<'m>,
    options: &Conversion,
) -> Result<(Option<Cow<'m, str>>, Charset), Error> {
    let is_one = before.body().len().max(after.body().len()) <= ONE_PIECE;
    let is_canonical = moves_to_base64(before, after);
    let OpenBody {
        text: mut old,
        source,
        ..
    } = open(before, is_one, &options.of_body());
    // A document whose octets are unchanged keeps its declaration.
    if !options.keep_declarations && before.body() != after.body() {
        let content_type = before.content_type();
        if let Some((place, _)) = other_declaration(old.piece(), content_type.media_type()) {
            old.replace(place, "UTF-8");
        }
    }
    let mut old = Compared::new(old, is_canonical);
    let mut new = Compared::new(open(after, is_one, &options.of_body()).text, is_canonical);
    let (characters, is_same) = common_prefix(&mut old, &mut new);
    let (old, new) = (old.text.finish(), new.text.finish());
    let decoded = BodyFacts {
        charset: old.charset,
        source,
        confidence: None,
        report: &old.report,
        is_ascii: !old.observer.is_not_ascii,
        has_openpgp: old.observer.openpgp.is_found(),
    };
    may_be_changed(before, after, &decoded, options)?;
    is_encoded_and_labelled(before, after, &new.report)?;
    // Equal texts are not enough: a damaged U+FFFD is decoded to U+FFFD too, and texts can be equal
    // despite a wrong label.
    if is_same && is_utf_8(new.charset) && new.report.replacements() == 0 {
        Ok((new.into_whole(), old.charset))
    } else {
        Err(other_text(after, characters))
    }
}

/// Observes the octets of a body.
#[derive(Debug, Default)]
struct OctetObserver {
    is_not_ascii: bool,
    openpgp: OpenPgpSearch,
}

impl Observer for OctetObserver {
    fn look(&mut self, octets: &[u8]) {
        self.is_not_ascii |= !octets.is_ascii();
        self.openpgp.look(octets);
    }
}

/// Opens the body of a part, in one piece if `is_one`.
fn open<'m>(part: Part<'m>, is_one: bool, options: &Options) -> OpenBody<'m, OctetObserver> {
    let pieces = if is_one {
        BodyPieces::One
    } else {
        BodyPieces::Settled
    };
    let observer = OctetObserver::default();
    part.open_body(&part.content_type(), options, pieces, observer)
}

/// The length of the common prefix of two texts, in characters, and whether the texts are equal.
fn common_prefix(old: &mut Compared<'_>, new: &mut Compared<'_>) -> (usize, bool) {
    let is_start = |octet: u8| octet & 0xC0 != 0x80;
    let mut characters = 0;
    loop {
        let (expected, found) = (old.octets(), new.octets());
        let length = expected.len().min(found.len());
        let same = difference(expected, found).unwrap_or(length);
        let shared = expected.get(..same).unwrap_or_default();
        characters += charset::count_of(shared, is_start);
        if length == 0 || same < length {
            // If a character differs only in a later octet, its first octet was already counted.
            let is_inside = expected.get(same).is_some_and(|octet| !is_start(*octet));
            let is_same = expected.is_empty() && found.is_empty();
            return (characters - usize::from(is_inside), is_same);
        }
        old.take(length);
        new.take(length);
    }
}

/// A text that is compared piece by piece.
struct Compared<'b> {
    text: TextPieces<'b, OctetObserver>,
    /// Whether CRLF is compared as LF.
    is_canonical: bool,
    /// The current piece with LF for CRLF, and the number of its compared octets.
    lines: Vec<u8>,
    consumed: usize,
    /// Whether the last piece ended in CR, which LF may follow.
    has_cr: bool,
}

impl<'b> Compared<'b> {
    fn new(text: TextPieces<'b, OctetObserver>, is_canonical: bool) -> Self {
        Compared {
            text,
            is_canonical,
            lines: Vec::new(),
            consumed: 0,
            has_cr: false,
        }
    }

    /// The next octets to compare; empty at the end.
    fn octets(&mut self) -> &[u8] {
        if !self.is_canonical {
            return self.text.piece().as_bytes();
        }
        while self.consumed >= self.lines.len() {
            self.lines.clear();
            self.consumed = 0;
            let piece = self.text.piece();
            if std::mem::take(&mut self.has_cr) && !piece.starts_with('\n') {
                self.lines.push(b'\r');
            }
            if piece.is_empty() {
                break;
            }
            let whole = piece.strip_suffix('\r');
            self.has_cr = whole.is_some();
            let lines = whole.unwrap_or(piece).replace("\r\n", "\n");
            self.lines.extend_from_slice(lines.as_bytes());
            let length = piece.len();
            self.text.take(length);
        }
        self.lines.get(self.consumed..).unwrap_or_default()
    }

    fn take(&mut self, length: usize) {
        if self.is_canonical {
            self.consumed += length;
        } else {
            self.text.take(length);
        }
    }
}

/// Checks that the part may be changed in this way.
fn may_be_changed(
    before: Part<'_>,
    after: Part<'_>,
    body: &BodyFacts<'_>,
    options: &Conversion,
) -> Result<(), Error> {
    let content_type = before.content_type();
    let label = content_type.charset();
    let reason = rules::reason_in_header(before, &content_type, options)
        .or_else(|| rules::reason_in_body(before, label, body, options));
    let (old, new) = (before.transfer_encoding(), after.transfer_encoding());
    let what = if let Some(reason) = reason {
        reason.to_string()
    } else if before.body() != after.body() && body.needs_only_label() {
        "octets in UTF-8".to_owned()
    } else if old != new && !(old.is_identity() && is_new_encoding(new)) {
        format!("the transfer encoding {old}")
    } else {
        return Ok(());
    };
    let (section, at) = (after.section(), start_of(after));
    let sentence =
        format!("expected part {section} to be unchanged ({what}), found a change (at {at})");
    Err(Error::at(at, sentence))
}

/// Checks that a part is labelled UTF-8, and that a changed body is encoded by the rules.
fn is_encoded_and_labelled(
    before: Part<'_>,
    after: Part<'_>,
    report: &Report,
) -> Result<(), Error> {
    let (section, at) = (after.section(), start_of(after));
    let is_violated = |kind: &Kind| report.has(*kind);
    if before.body() != after.body() && VIOLATIONS.iter().any(is_violated) {
        let sentence = format!("expected part {section} to be encoded by the rules (at {at})");
        return Err(Error::at(at, sentence));
    }
    let content_type = after.content_type();
    if content_type.charset().is_some_and(is_utf_8_label) {
        return Ok(());
    }
    let sentence =
        format!("expected part {section} to be labelled UTF-8, found another label (at {at})");
    Err(Error::at(at, sentence))
}

fn other_text(part: Part<'_>, character: usize) -> Error {
    let (section, at) = (part.section(), start_of(part));
    let sentence = format!(
        "expected the same text in part {section} (at {at}), found another text from character {character} on"
    );
    Error::at(at, sentence)
}

fn start_of(part: Part<'_>) -> usize {
    part.body_range().map_or(0, |range| range.start)
}

/// Whether a body moves to base64, where lines end in CRLF regardless of the source.
fn moves_to_base64(before: Part<'_>, after: Part<'_>) -> bool {
    before.transfer_encoding().is_identity()
        && after.transfer_encoding() == TransferEncoding::Base64
}

/// Whether a conversion may replace another encoding by this one.
fn is_new_encoding(encoding: TransferEncoding) -> bool {
    matches!(
        encoding,
        TransferEncoding::EightBit | TransferEncoding::QuotedPrintable | TransferEncoding::Base64
    )
}

/// The offset of the first difference, up to the end of the shorter slice.
pub(super) fn difference(one: &[u8], other: &[u8]) -> Option<usize> {
    let length = one.len().min(other.len());
    // Fast path: compare all octets at once; differences are rare.
    if one.get(..length) == other.get(..length) {
        return None;
    }
    one.iter().zip(other).position(|(one, other)| one != other)
}
