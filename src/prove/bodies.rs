//! What text parts say, before and after their bodies were changed: one text beside the other,
//! piece by piece.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;

use super::allowed::Allowed;
use super::openpgp::Armour;
use super::scope::{self, ReadAs, names_utf_8};
use crate::charset::{self, Charset, Options};
use crate::decode::{self, BodyFormat, ONE_PIECE, Observer, TextPieces};
use crate::error::Error;
use crate::label::Label;
use crate::message::Part;
use crate::report::{Kind, Report, Source};
use crate::transfer::{TransferEncoding, VIOLATIONS};

/// Compares the text of two parts; gives it where it is one piece, and the charset it was in.
pub(super) fn same_text<'m>(
    before: Part<'_>,
    after: Part<'m>,
    allowed: &Allowed,
) -> Result<(Option<Cow<'m, str>>, Charset), Error> {
    let is_one = before.body().len().max(after.body().len()) <= ONE_PIECE;
    let is_canonical = goes_to_base64(before, after);
    let (mut old, source) = text(before, is_one, &allowed.reading);
    // A document whose octets stay keeps what it says.
    if allowed.declarations && before.body() != after.body() {
        let content_type = before.content_type();
        if let Some((place, _)) = contradiction(old.piece(), content_type.media_type()) {
            old.replace(place, "UTF-8");
        }
    }
    let mut old = Compared::new(old, is_canonical);
    let mut new = Compared::new(text(after, is_one, &allowed.reading).0, is_canonical);
    let (characters, is_same) = common(&mut old, &mut new);
    let (old, new) = (old.text.finish(), new.text.finish());
    let read = ReadAs {
        charset: old.charset,
        source,
        report: &old.report,
        is_ascii: !old.observer.is_not_ascii,
        has_openpgp: old.observer.armour.is_found(),
    };
    may_be_changed(before, after, &read, allowed)?;
    is_encoded_and_labelled(before, after, &new.report)?;
    // A damaged U+FFFD would be read as one; and what is read as the same text may yet be in
    // another charset than the label says.
    let is_utf_8 = matches!(new.charset, Charset::UTF_8 | Charset::US_ASCII);
    if is_same && is_utf_8 && new.report.replacements() == 0 {
        Ok((new.text, old.charset))
    } else {
        Err(other_text(after, characters))
    }
}

/// What is looked for in the octets of a body.
#[derive(Debug, Default)]
struct Seen {
    is_not_ascii: bool,
    armour: Armour,
}

impl Observer for Seen {
    fn look(&mut self, octets: &[u8]) {
        self.is_not_ascii |= !octets.is_ascii();
        self.armour.look(octets);
    }
}

/// The text of a part, of which a small one is one piece, and on whose word it is in its charset.
fn text<'m>(part: Part<'m>, is_one: bool, options: &Options) -> (TextPieces<'m, Seen>, Source) {
    let seen = Seen::default();
    if is_one {
        return part.text_at_once(&part.content_type(), options, seen);
    }
    let decision = part.decide(options);
    let format = BodyFormat {
        encoding: part.transfer_encoding(),
        charset: decision.charset(),
        options: *options,
    };
    let format = format.settled(part.body());
    let text = part.text_in_pieces(format, &decision, seen);
    (text, decision.source())
}

/// How many characters two texts begin with that are the same, and whether these are all.
fn common(old: &mut Compared<'_>, new: &mut Compared<'_>) -> (usize, bool) {
    let is_start = |octet: u8| octet & 0xC0 != 0x80;
    let mut characters = 0;
    loop {
        let (expected, found) = (old.octets(), new.octets());
        let length = expected.len().min(found.len());
        let same = difference(expected, found).unwrap_or(length);
        let common = expected.get(..same).unwrap_or_default();
        characters += charset::count_of(common, is_start);
        if length == 0 || same < length {
            // Of a character that differs in a later octet, the first was counted.
            let is_inside = expected.get(same).is_some_and(|octet| !is_start(*octet));
            let is_same = expected.is_empty() && found.is_empty();
            return (characters - usize::from(is_inside), is_same);
        }
        old.take(length);
        new.take(length);
    }
}

/// A text as it is compared, piece by piece.
struct Compared<'b> {
    text: TextPieces<'b, Seen>,
    /// Whether CRLF counts as LF.
    is_canonical: bool,
    /// The piece at hand with LF for CRLF, and how much of it was taken.
    lines: Vec<u8>,
    taken: usize,
    /// Whether a CR came last, which LF may follow.
    has_cr: bool,
}

impl<'b> Compared<'b> {
    fn new(text: TextPieces<'b, Seen>, is_canonical: bool) -> Self {
        Compared {
            text,
            is_canonical,
            lines: Vec::new(),
            taken: 0,
            has_cr: false,
        }
    }

    /// What is to be compared next; empty at the end.
    fn octets(&mut self) -> &[u8] {
        if !self.is_canonical {
            return self.text.piece().as_bytes();
        }
        while self.taken >= self.lines.len() {
            self.lines.clear();
            self.taken = 0;
            let piece = self.text.piece();
            if std::mem::take(&mut self.has_cr) && !piece.starts_with('\n') {
                self.lines.push(b'\r');
            }
            if piece.is_empty() {
                break;
            }
            let whole = piece.strip_suffix('\r');
            self.has_cr = whole.is_some();
            push_without_cr(&mut self.lines, whole.unwrap_or(piece).as_bytes());
            let length = piece.len();
            self.text.take(length);
        }
        self.lines.get(self.taken..).unwrap_or_default()
    }

    fn take(&mut self, length: usize) {
        if self.is_canonical {
            self.taken += length;
        } else {
            self.text.take(length);
        }
    }
}

/// Adds octets with LF for CRLF.
fn push_without_cr(lines: &mut Vec<u8>, octets: &[u8]) {
    let mut from = 0;
    for end in memmem::find_iter(octets, b"\r\n") {
        lines.extend_from_slice(octets.get(from..end).unwrap_or_default());
        from = end + 1;
    }
    lines.extend_from_slice(octets.get(from..).unwrap_or_default());
}

/// Where a document declares a charset other than UTF-8, and what it declares.
pub(crate) fn contradiction(
    text: &str,
    media_type: &str,
) -> Option<(Range<usize>, Label<'static>)> {
    let (place, label) = decode::declaration(text.as_bytes(), media_type)?;
    let written = text.as_bytes().get(place.clone())?;
    // What a declaration in octets of ASCII says of UTF-16 means UTF-8, but is not it.
    let named = charset::resolve(&Label::new(written.trim_ascii())).charset();
    (named != Some(Charset::UTF_8)).then_some((place, label))
}

/// Whether a part may be changed as it is.
fn may_be_changed(
    before: Part<'_>,
    after: Part<'_>,
    read: &ReadAs<'_>,
    allowed: &Allowed,
) -> Result<(), Error> {
    let encoding = before.transfer_encoding();
    let stays = scope::stays(before, read, allowed)
        .or_else(|| {
            let is_other = before.body() != after.body();
            (is_other && scope::needs_label_alone(read)).then_some("the octets of UTF-8")
        })
        .or_else(|| {
            let is_other = encoding != after.transfer_encoding();
            let may_be = encoding.is_identity() && is_new_encoding(after.transfer_encoding());
            (is_other && !may_be).then_some("the transfer encoding")
        });
    let Some(what) = stays else { return Ok(()) };
    let (section, at) = (after.section(), start_of(after));
    let sentence = format!("expected {what} to stay in part {section}, found a change (at {at})");
    Err(Error::at(at, sentence))
}

/// Whether a part is encoded by the rules, where it is another, and says UTF-8.
fn is_encoded_and_labelled(
    before: Part<'_>,
    after: Part<'_>,
    report: &Report,
) -> Result<(), Error> {
    let (section, at) = (after.section(), start_of(after));
    let is_odd = |kind: &Kind| report.has(*kind);
    if before.body() != after.body() && VIOLATIONS.iter().any(is_odd) {
        let sentence = format!("expected part {section} to be encoded by the rules (at {at})");
        return Err(Error::at(at, sentence));
    }
    let content_type = after.content_type();
    if content_type.charset().is_some_and(names_utf_8) {
        return Ok(());
    }
    let sentence = format!("expected part {section} to say UTF-8, found another label (at {at})");
    Err(Error::at(at, sentence))
}

fn other_text(part: Part<'_>, place: usize) -> Error {
    let (section, at) = (part.section(), start_of(part));
    let sentence = format!(
        "expected part {section} (at {at}) to say the same, found another text from character {place} on"
    );
    Error::at(at, sentence)
}

fn start_of(part: Part<'_>) -> usize {
    part.body_range().map_or(0, |range| range.start)
}

/// Under base64 lines end in CRLF, whatever they did before.
fn goes_to_base64(before: Part<'_>, after: Part<'_>) -> bool {
    before.transfer_encoding().is_identity()
        && after.transfer_encoding() == TransferEncoding::Base64
}

/// Whether text in UTF-8 may be put under an encoding that it was not under.
fn is_new_encoding(encoding: TransferEncoding) -> bool {
    matches!(
        encoding,
        TransferEncoding::EightBit | TransferEncoding::QuotedPrintable | TransferEncoding::Base64
    )
}

/// Where two runs of octets differ first, of those that both have.
pub(super) fn difference(one: &[u8], other: &[u8]) -> Option<usize> {
    let length = one.len().min(other.len());
    // All at once, and one by one where something is other.
    if one.get(..length) == other.get(..length) {
        return None;
    }
    one.iter().zip(other).position(|(one, other)| one != other)
}
