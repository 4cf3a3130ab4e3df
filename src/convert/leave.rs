//! Which parts a conversion leaves unchanged, and how it reports each.
//!
//! A part stays for what its header says, for what its text is, or for what would stand in its
//! place. `convert_to` decides which parts are signed or encrypted, and which messages are under a
//! transfer encoding; their reports are made here.

use std::borrow::Cow;
use std::ops::Range;

use super::draft::Draft;
use super::options::{Conversion, OnMalformed};
use super::written::Written;
use crate::charset::Charset;
use crate::error::Error;
use crate::header::ContentType;
use crate::label::Label;
use crate::message::Part;
use crate::prove::{is_attachment, names_utf_8};
use crate::report::{Effect, Kind, Report, Source};
use crate::transfer::TransferEncoding;

/// The Content-Type of a part whose body is to be read; `None` where the part stays for what its
/// header says: it is no text, or an attachment, or a multipart without parts, or RTF, or UTF-8.
pub(super) fn unless_by_header<'m>(
    part: Part<'m>,
    range: &Range<usize>,
    options: &Conversion,
    draft: &mut Draft,
) -> Option<ContentType<'m>> {
    if !part.is_text() {
        return None;
    }
    let content_type = part.content_type();
    if !options.attachments && is_attachment(part) {
        draft.needs_proof = draft.needs_proof || is_guessed(part, options);
        return None;
    }
    if part.is_undivided() {
        // The charset parameter of a multipart has no meaning (RFC 2045, section 5.2; RFC 2046,
        // section 5.1): nothing could say that the text is UTF-8.
        let charset = part.charset(&options.reading);
        draft.charsets.push(charset);
        if !is_utf_8(charset) && !part.has_ascii_alone() {
            draft.leave(range, "a multipart without parts");
        }
        return None;
    }
    let label = content_type.charset();
    // RTF names its charset in its own control words, which the octets have to match.
    if content_type.media_type() == "text/rtf" {
        draft.needs_proof = draft.needs_proof || is_guessed(part, options);
        if !label.is_some_and(names_utf_8) && !part.has_ascii_alone() {
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
    Some(content_type)
}

/// Whether the text of a part that stays is read by what stands around it.
fn is_guessed(part: Part<'_>, options: &Conversion) -> bool {
    let choice = part.choose(&options.reading);
    matches!(choice.source, Source::Detected | Source::Default) && !is_utf_8(choice.charset)
}

/// Whether a body stays for what its text is: one question after the other, in the order in which
/// they are reported.
pub(super) fn by_text(
    part: Part<'_>,
    range: &Range<usize>,
    found: &Found<'_>,
    options: &Conversion,
    draft: &mut Draft,
) -> bool {
    if part.transfer_encoding() == TransferEncoding::Unknown {
        draft.leave(range, "an unknown transfer encoding");
        return true;
    }
    if found.has_openpgp {
        draft.needs_proof |= found.is_guess();
        let detail = "a block of OpenPGP, left as it is";
        draft
            .report
            .add(Kind::SignedContent, range.start, range.len(), detail);
        return true;
    }
    if found.is_guess() {
        let decided = || part.decide(&options.reading).confidence();
        let confidence = found.confidence.unwrap_or_else(decided);
        if !options.relies_on(found.source, confidence) {
            let charset = found.charset;
            let detail = format!("{charset}, {confidence}%, is only a guess");
            draft.leave(range, detail);
            return true;
        }
    }
    if found.report.has(Kind::Base64Skipped) {
        draft.leave(range, "octets among the base64 that are not base64");
        return true;
    }
    !draft.allows_loss(range, found.report, options)
}

/// Whether a body stays for what would stand in its place.
pub(super) fn by_result(
    part: Part<'_>,
    range: &Range<usize>,
    charset: Charset,
    written: &Written,
    draft: &mut Draft,
) -> bool {
    // Whether the text could be taken for fields under its transfer encoding.
    let may_be_header = || match written.encoding {
        TransferEncoding::Base64 => false,
        TransferEncoding::QuotedPrintable => true,
        _ => !charset.keeps_ascii(),
    };
    if !part.has_blank_line() && may_be_header() {
        draft.leave(range, "text that no blank line parts from the header");
        return true;
    }
    // To decide about it again takes all of its octets.
    let beside = match part.transfer_encoding() {
        TransferEncoding::Base64 => range.len() / 4 * 3,
        TransferEncoding::QuotedPrintable => range.len(),
        _ => 0,
    };
    let is_too_long = !draft.fits(range, written.length + beside);
    if is_too_long {
        let detail = "text that would become more than three times as long";
        draft.leave(range, detail);
    }
    is_too_long
}

/// What was found of a body that is to be in UTF-8.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<'r> {
    pub(super) charset: Charset,
    pub(super) source: Source,
    /// Whether its octets are, once the transfer encoding is undone.
    pub(super) is_ascii: bool,
    /// Whether there is a block of `OpenPGP` in them.
    pub(super) has_openpgp: bool,
    /// How sure a guess is, in percent, where that was asked already.
    pub(super) confidence: Option<u8>,
    pub(super) report: &'r Report,
}

impl Found<'_> {
    fn is_guess(self) -> bool {
        matches!(self.source, Source::Detected | Source::Default) && !self.is_ascii
    }
}

/// A message under a transfer encoding, which RFC 2045, section 6.4, forbids, stays: to write
/// it anew would be more than a change of charset.
pub(super) fn encoded_message(entity: Part<'_>, report: &mut Report) {
    let Some(body) = entity.body_range() else {
        return;
    };
    let detail = format!("a message under {}", entity.transfer_encoding());
    report.add(Kind::Unconverted, body.start, body.len(), detail);
}

/// The charset of a part that is in UTF-8 as its label says by the letter: nothing of it has to
/// change, whatever its text is.
fn labelled_utf_8(
    part: Part<'_>,
    label: Option<&Label<'_>>,
    options: &Conversion,
) -> Option<Charset> {
    label.filter(|label| names_utf_8(label))?;
    let charset = part.charset(&options.reading);
    is_utf_8(charset).then_some(charset)
}

pub(super) fn is_utf_8(charset: Charset) -> bool {
    charset == Charset::UTF_8 || charset == Charset::US_ASCII
}

impl Draft {
    /// Says that something stays as it is.
    pub(super) fn leave(&mut self, range: &Range<usize>, detail: impl Into<Cow<'static, str>>) {
        self.needs_proof = true;
        self.report
            .add(Kind::Unconverted, range.start, range.len(), detail);
    }

    /// Whether text that `report` says is not whole is converted all the same; if not, says
    /// what is the matter.
    pub(super) fn allows_loss(
        &mut self,
        range: &Range<usize>,
        report: &Report,
        options: &Conversion,
    ) -> bool {
        let lost = report
            .findings()
            .iter()
            .find(|finding| finding.kind().effect() == Effect::Lost);
        let detail = match lost {
            Some(finding) => format!("{}: {}", finding.kind(), finding.detail()),
            None if report.has_loss() => "more findings than are kept".to_owned(),
            None => return true,
        };
        match options.on_malformed {
            OnMalformed::Replace => return true,
            OnMalformed::Keep => {}
            OnMalformed::Fail => {
                let sentence = format!(
                    "expected text that can be decoded without loss, found {detail} (at {})",
                    range.start
                );
                self.failure
                    .get_or_insert_with(|| Error::at(range.start, sentence));
            }
        }
        self.leave(range, detail);
        false
    }

    /// Takes the changes back, as what they would change is signed or encrypted.
    pub(super) fn keep_signed(&mut self, header: Range<usize>) {
        self.failure = None;
        if !self.changes.is_empty() {
            self.take_back();
            self.needs_proof = true;
            let detail = "signed or encrypted, left as it is";
            self.report
                .add(Kind::SignedContent, header.start, header.len(), detail);
        }
    }
}
