//! The body of a text part, and what its header has to say of it afterwards.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memmem::Finder;

use super::pieces::{self, Measure, Text};
use super::written::{Later, Written, encoded};
use super::{Draft, Options, Reading};
use crate::charset::{self, Charset, Decoded, Matched};
use crate::decode;
use crate::header::ContentType;
use crate::label::Label;
use crate::message::Part;
use crate::report::{Kind, Report, Source};
use crate::transfer::{Pieces, TransferEncoding};

/// What becomes of a part.
#[derive(Debug)]
pub(super) struct Plan {
    /// What stands in the place of the body; `None` where its octets are UTF-8 as they are.
    pub(super) body: Option<Body>,
    /// The transfer encoding that the header has to name, where that is another.
    pub(super) encoding: Option<TransferEncoding>,
    /// The label in the document that is wrong once the text is in UTF-8.
    pub(super) conflict: Option<Label<'static>>,
    pub(super) reading: Reading,
}

/// A body in UTF-8.
#[derive(Debug)]
pub(super) struct Body {
    pub(super) range: Range<usize>,
    pub(super) octets: Written,
    pub(super) reading: Reading,
}

/// A body of more octets is read a piece at a time, twice: its text and what stands for it would
/// take more memory than it has.
pub(super) const LARGE: usize = 256 << 10;

/// What a part needs to be in UTF-8; `None` where it is, where it is not for us to touch, or
/// where it stays as it is for a reason that `draft` reports.
pub(super) fn plan(part: Part<'_>, options: &Options, draft: &mut Draft) -> Option<Plan> {
    let range = part.body_range()?;
    if !part.is_text() {
        return None;
    }
    let content_type = part.content_type();
    if !options.attachments && is_attachment(part) {
        return None;
    }
    if part.is_undivided() {
        // The charset parameter of a multipart has no meaning (RFC 2045, section 5.2; RFC 2046,
        // section 5.1): nothing could say that the text is UTF-8.
        let (charset, _) = part.charset(&options.reading);
        draft.charsets.push(charset);
        if !is_utf_8(charset) && !is_ascii(part.body(), part.transfer_encoding()) {
            draft.leave(&range, "a multipart without parts");
        }
        return None;
    }
    let label = content_type.charset();
    // RTF names its charset in its own control words, which the octets have to match.
    if content_type.media_type() == "text/rtf" {
        if !label.is_some_and(names_utf_8) && !is_ascii(part.body(), part.transfer_encoding()) {
            let detail = "RTF, which names its charset itself";
            let report = &mut draft.report;
            report.add(Kind::Unconverted, range.start, range.len(), detail);
        }
        return None;
    }
    if let Some(charset) = labelled_utf_8(part, label, options) {
        draft.charsets.push(charset);
        return None;
    }
    if draft.is_large(part.body().len()) {
        plan_in_pieces(part, range, &content_type, options, draft)
    } else {
        plan_at_once(part, range, &content_type, options, draft)
    }
}

/// [`plan`] of a body that is there as a whole, and its text beside it.
fn plan_at_once(
    part: Part<'_>,
    range: Range<usize>,
    content_type: &ContentType<'_>,
    options: &Options,
    draft: &mut Draft,
) -> Option<Plan> {
    let label = content_type.charset();
    let (octets, transfer_report) = part.octets().into_parts();
    let skips = transfer_report.has(Kind::Base64Skipped);
    let reading = &options.reading;
    let decoded = part.text_of(&octets, transfer_report, content_type, reading, None);
    let decoded = without_order(decoded);
    let found = Found {
        charset: decoded.charset(),
        source: decoded.source(),
        is_ascii: octets.is_ascii(),
        skips,
    };
    draft.charsets.push(found.charset);
    if found.is_utf_8(label) {
        return None;
    }
    // Where guesses are left alone nobody needs the text, and guessing takes memory too.
    let is_needed = options.guessed.is_some() || !found.is_guess();
    let decoded = is_needed.then_some(decoded);
    let openpgp = || has_openpgp(&octets);
    let confidence = || part.decide(reading).confidence();
    if found.stays(part, &range, options, openpgp, confidence, draft) {
        return None;
    }
    let decoded = decoded?;
    if !draft.allows_loss(&range, decoded.report(), options) {
        return None;
    }
    let report = decoded.report().clone();
    if found.charset == Charset::UTF_8 && report.replacements() == 0 {
        return Some(found.label_alone(part, label, report));
    }
    let mut text = decoded.into_text().into_owned();
    let conflict = find_or_fix_declaration(&mut text, content_type.media_type(), options);
    let encoding = part.transfer_encoding();
    let (body, new_encoding) = if text.as_bytes() == &*octets {
        (part.body().to_vec(), encoding)
    } else {
        encoded(part, text, &octets, found.charset)
    };
    let is_same = body == part.body();
    if !is_same && found.may_be_header(part, new_encoding) {
        draft.leave(&range, NO_BLANK_LINE);
        return None;
    }
    Some(Plan {
        body: (!is_same).then(|| Body {
            range,
            octets: Written::Made(body),
            reading: found.reading(label, report),
        }),
        encoding: (new_encoding != encoding).then_some(new_encoding),
        conflict,
        reading: found.reading(label, Report::new()),
    })
}

/// [`plan`] of a large body, whose text is never there as a whole.
fn plan_in_pieces(
    part: Part<'_>,
    range: Range<usize>,
    content_type: &ContentType<'_>,
    options: &Options,
    draft: &mut Draft,
) -> Option<Plan> {
    let label = content_type.charset();
    let body = part.body();
    let encoding = part.transfer_encoding();
    let decision = part.decide(&options.reading);
    if is_utf_8(decision.charset()) && is_ascii(body, encoding) {
        draft.charsets.push(decision.charset());
        return None;
    }
    let mut how = pieces::how(part, decision.charset(), options);
    how.fixed = options
        .fix_declarations
        .then(|| content_type.media_type().to_owned());
    let mut text = Text::new(body, how.clone());
    let conflict = match how.fixed {
        Some(_) => None,
        None => contradiction(text.piece(), content_type.media_type()).map(|(_, label)| label),
    };
    let mut measure = Measure::default();
    let mut octets = Same::new(body, encoding);
    loop {
        let piece = text.piece();
        if piece.is_empty() {
            break;
        }
        measure.look(piece);
        octets.compare(piece.as_bytes());
        let length = piece.len();
        text.take(length);
    }
    let is_same = octets.finish();
    let known = text.finish();
    let found = Found {
        charset: known.charset,
        source: decision.source(),
        is_ascii: !known.octets.is_not_ascii,
        skips: known.transfer.has(Kind::Base64Skipped),
    };
    draft.charsets.push(found.charset);
    if found.is_utf_8(label) {
        return None;
    }
    let openpgp = || known.octets.has_openpgp;
    let confidence = || decision.confidence();
    if found.stays(part, &range, options, openpgp, confidence, draft) {
        return None;
    }
    let mut report = Report::new();
    report.absorb(part.octets().into_parts().1, range.start);
    report.absorb(decision.report().clone(), 0);
    report.absorb(known.report, 0);
    if !draft.allows_loss(&range, &report, options) {
        return None;
    }
    if found.charset == Charset::UTF_8 && report.replacements() == 0 {
        return Some(found.label_alone(part, label, report));
    }
    if is_same {
        return Some(Plan {
            body: None,
            encoding: None,
            conflict,
            reading: found.reading(label, Report::new()),
        });
    }
    let later = Later::new(part, how, &measure, &known.octets);
    if found.may_be_header(part, later.encoding) {
        draft.leave(&range, NO_BLANK_LINE);
        return None;
    }
    // To decide about it again takes all of its octets.
    let beside = match encoding {
        TransferEncoding::Base64 => body.len() / 4 * 3,
        TransferEncoding::QuotedPrintable => body.len(),
        _ => 0,
    };
    if !draft.has_room(&range, later.length + beside) {
        draft.leave(
            &range,
            "text that would become more than three times as long",
        );
        return None;
    }
    Some(Plan {
        encoding: (later.encoding != encoding).then_some(later.encoding),
        body: Some(Body {
            range,
            octets: Written::Later(later),
            reading: found.reading(label, report),
        }),
        conflict,
        reading: found.reading(label, Report::new()),
    })
}

/// Whether all octets of a body, maybe a large one, are ASCII.
fn is_ascii(body: &[u8], encoding: TransferEncoding) -> bool {
    let mut pieces = Pieces::new(body, encoding);
    while let Some(piece) = pieces.next() {
        if !piece.is_ascii() {
            return false;
        }
    }
    true
}

const NO_BLANK_LINE: &str = "text that no blank line parts from the header";

/// What was found of a body that is to be in UTF-8.
#[derive(Debug, Clone, Copy)]
struct Found {
    charset: Charset,
    source: Source,
    /// Whether its octets are, once the transfer encoding is undone.
    is_ascii: bool,
    /// Whether that left octets out which are no base64.
    skips: bool,
}

impl Found {
    /// Whether it is in UTF-8, and says so or need not.
    fn is_utf_8(self, label: Option<&Label<'_>>) -> bool {
        is_utf_8(self.charset) && (self.is_ascii || label.is_some_and(names_utf_8))
    }

    fn is_guess(self) -> bool {
        matches!(self.source, Source::Detected | Source::Default) && !self.is_ascii
    }

    fn reading(self, label: Option<&Label<'_>>, report: Report) -> Reading {
        Reading {
            label: label.map(|label| Arc::new(label.clone().into_owned())),
            charset: self.charset,
            source: self.source,
            report: Reading::report_of(report),
        }
    }

    /// Whether the body stays as it is, for a reason that `draft` reports: one question after the
    /// other, in the order in which they are reported.
    fn stays(
        self,
        part: Part<'_>,
        range: &Range<usize>,
        options: &Options,
        has_openpgp: impl FnOnce() -> bool,
        confidence: impl FnOnce() -> u8,
        draft: &mut Draft,
    ) -> bool {
        if part.transfer_encoding() == TransferEncoding::Unknown {
            draft.leave(range, "an unknown transfer encoding");
            return true;
        }
        if has_openpgp() {
            let detail = "a block of OpenPGP, left as it is";
            draft
                .report
                .add(Kind::SignedContent, range.start, range.len(), detail);
            return true;
        }
        if self.is_guess() {
            let confidence = confidence();
            if !options.relies_on(self.source, confidence) {
                let charset = self.charset;
                let detail = format!("{charset}, {confidence}%, is only a guess");
                draft.leave(range, detail);
                return true;
            }
        }
        if self.skips {
            draft.leave(range, "octets among the base64 that are not base64");
        }
        self.skips
    }

    /// What a part needs whose octets are UTF-8: only the label is missing or wrong.
    fn label_alone(self, part: Part<'_>, label: Option<&Label<'_>>, report: Report) -> Plan {
        let is_raw = part.transfer_encoding() == TransferEncoding::SevenBit;
        Plan {
            body: None,
            encoding: (is_raw && !part.body().is_ascii()).then_some(TransferEncoding::EightBit),
            conflict: None,
            reading: self.reading(label, report),
        }
    }

    /// Whether the text could be taken for fields under a transfer encoding.
    fn may_be_header(self, part: Part<'_>, encoding: TransferEncoding) -> bool {
        let may_be = match encoding {
            TransferEncoding::Base64 => false,
            TransferEncoding::QuotedPrintable => true,
            _ => !self.charset.keeps_ascii(),
        };
        may_be && !part.has_blank_line()
    }
}

/// Whether a text is the octets it was read from.
struct Same<'b> {
    octets: Pieces<'b>,
    /// Those of a piece that are still to be compared.
    rest: Vec<u8>,
    so_far: bool,
}

impl<'b> Same<'b> {
    fn new(body: &'b [u8], encoding: TransferEncoding) -> Self {
        Same {
            octets: Pieces::new(body, encoding),
            rest: Vec::new(),
            so_far: true,
        }
    }

    fn compare(&mut self, mut text: &[u8]) {
        while self.so_far && !text.is_empty() {
            if self.rest.is_empty() {
                match self.octets.next() {
                    Some(piece) => self.rest.extend_from_slice(piece),
                    None => self.so_far = false,
                }
            }
            let length = self.rest.len().min(text.len());
            let (now, behind) = text.split_at(length);
            self.so_far &= self.rest.starts_with(now);
            self.rest.drain(..length);
            text = behind;
        }
    }

    fn finish(mut self) -> bool {
        while self.so_far && self.rest.is_empty() {
            match self.octets.next() {
                Some(piece) => self.rest.extend_from_slice(piece),
                None => return true,
            }
        }
        false
    }
}

pub(super) fn is_attachment(part: Part<'_>) -> bool {
    part.content_disposition()
        .is_some_and(|disposition| disposition.disposition() != "inline")
}

/// The text of a part, a byte order mark included where it is a character: at the start of
/// UTF-16 and UTF-32 without a fixed order it only says which order that is (RFC 2781,
/// section 3.2), and means nothing any more.
pub(super) fn text<'m>(part: Part<'m>, options: &Options) -> Decoded<'m> {
    without_order(part.text_with(&options.reading))
}

fn without_order(mut decoded: Decoded<'_>) -> Decoded<'_> {
    if says_order(decoded.charset())
        && let Some(rest) = decoded.text.strip_prefix('\u{FEFF}')
    {
        decoded.text = Cow::Owned(rest.to_owned());
    }
    decoded
}

/// Whether a byte order mark at the start of a text in this charset is no character.
pub(super) fn says_order(charset: Charset) -> bool {
    matches!(
        charset.name(),
        "UTF-16" | "UTF-32" | "ISO-10646-UCS-2" | "ISO-10646-UCS-4"
    )
}

/// The charset of a part that is in UTF-8 as its label says by the letter: nothing of it has to
/// change, whatever its text is.
fn labelled_utf_8(part: Part<'_>, label: Option<&Label<'_>>, options: &Options) -> Option<Charset> {
    label.filter(|label| names_utf_8(label))?;
    let (charset, _) = part.charset(&options.reading);
    is_utf_8(charset).then_some(charset)
}

fn is_utf_8(charset: Charset) -> bool {
    charset == Charset::UTF_8 || charset == Charset::US_ASCII
}

/// Whether a label names UTF-8 exactly. One that only resembles it is no use to programs
/// that take labels by the letter.
pub(super) fn names_utf_8(label: &Label<'_>) -> bool {
    let resolved = charset::resolve(label);
    resolved.charset() == Some(Charset::UTF_8) && resolved.matched() == Matched::Exact
}

/// Whether a line opens a block of `OpenPGP` (RFC 9580, section 6.2.1), whose armour or
/// signature a change would break, and whose `Charset:` speaks of what is inside.
pub(super) fn has_openpgp(octets: &[u8]) -> bool {
    static OPENING: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("-----BEGIN PGP "));
    OPENING.find_iter(octets).any(|at| {
        let before = at.checked_sub(1).and_then(|before| octets.get(before));
        let rest = octets
            .get(at + OPENING.needle().len()..)
            .unwrap_or_default();
        matches!(before, None | Some(b'\n' | b'\r'))
            && ["SIGNED MESSAGE-----", "MESSAGE-----", "MESSAGE, PART "]
                .iter()
                .any(|kind| rest.starts_with(kind.as_bytes()))
    })
}

/// Looks for a declaration in the document that names another charset than UTF-8, and gives it
/// where it stays.
fn find_or_fix_declaration(
    text: &mut String,
    media_type: &str,
    options: &Options,
) -> Option<Label<'static>> {
    if options.fix_declarations {
        fix_declaration(text, media_type);
        return None;
    }
    contradiction(text, media_type).map(|(_, label)| label)
}

/// Makes a document that names its charset name UTF-8.
pub(super) fn fix_declaration(text: &mut String, media_type: &str) {
    if let Some((place, _)) = contradiction(text, media_type)
        && text.is_char_boundary(place.start)
        && text.is_char_boundary(place.end)
    {
        text.replace_range(place, "UTF-8");
    }
}

fn contradiction(text: &str, media_type: &str) -> Option<(Range<usize>, Label<'static>)> {
    let (place, label) = decode::declaration(text.as_bytes(), media_type)?;
    let written = text.as_bytes().get(place.clone())?;
    // What a declaration in octets of ASCII says of UTF-16 means UTF-8, but is not it.
    let is_utf_8 = charset::resolve(&Label::new(written.trim_ascii())).charset();
    (is_utf_8 != Some(Charset::UTF_8)).then_some((place, label))
}
