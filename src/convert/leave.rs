//! Reports what a conversion keeps. The reasons are in `prove/rules.rs`, which the proof applies too;
//! `plan.rs` finds signed, encrypted and encoded messages.

use std::borrow::Cow;
use std::ops::Range;

use super::draft::Draft;
use super::written::EncodedBody;
use crate::charset::Charset;
use crate::error::Error;
use crate::header::ContentType;
use crate::label::Label;
use crate::message::Part;
use crate::prove::{
    BodyFacts, Conversion, LeaveReason, OnMalformed, is_guess, is_utf_8, is_utf_8_label,
    reason_in_body, reason_in_header,
};
use crate::report::{Effect, Kind, Report};
use crate::transfer::TransferEncoding;

/// The Content-Type of a part whose body has to be examined; `None` if the header gives a reason to
/// keep the part.
pub(super) fn content_type_to_convert<'m>(
    part: Part<'m>,
    range: &Range<usize>,
    options: &Conversion,
    draft: &mut Draft,
) -> Option<ContentType<'m>> {
    if !part.is_text() {
        return None;
    }
    let content_type = part.content_type();
    let Some(reason) = reason_in_header(part, &content_type, options) else {
        if let Some(charset) = labelled_utf_8(part, content_type.charset(), options) {
            draft.charsets.push(charset);
            return None;
        }
        return Some(content_type);
    };
    if reason == LeaveReason::Undivided {
        let charset = part.charset(&options.decoding);
        draft.charsets.push(charset);
        if !is_utf_8(charset) && !part.has_ascii_alone() {
            draft.leave(range, reason.to_string());
        }
        return None;
    }
    draft.needs_proof = draft.needs_proof || has_guessed_charset(part, options);
    if reason == LeaveReason::Rtf
        && !content_type.charset().is_some_and(is_utf_8_label)
        && !part.has_ascii_alone()
    {
        draft.report_range(Kind::Unconverted, range, reason.to_string());
    }
    None
}

/// Whether the charset of a part is inferred from the rest of the message.
fn has_guessed_charset(part: Part<'_>, options: &Conversion) -> bool {
    let choice = part.choose(&options.decoding);
    is_guess(choice.source) && !is_utf_8(choice.charset)
}

/// Whether a part is kept because of its text.
pub(super) fn by_text(
    part: Part<'_>,
    range: &Range<usize>,
    label: Option<&Label<'_>>,
    body: &BodyFacts<'_>,
    options: &Conversion,
    draft: &mut Draft,
) -> bool {
    let reason = reason_in_body(part, label, body, options);
    match reason {
        None | Some(LeaveReason::Utf8) => {}
        Some(LeaveReason::OpenPgp) => {
            draft.needs_proof |= body.is_guess();
            draft.report_range(
                Kind::SignedContent,
                range,
                "an OpenPGP block, left unchanged",
            );
        }
        Some(LeaveReason::Loss) => {
            draft.allows_loss(range, body.report, options);
        }
        Some(reason) => draft.leave(range, reason.to_string()),
    }
    reason.is_some()
}

/// Whether a part is kept because of its new body.
pub(super) fn by_result(
    part: Part<'_>,
    range: &Range<usize>,
    charset: Charset,
    written: &EncodedBody,
    draft: &mut Draft,
) -> bool {
    // Whether the new body could be mistaken for fields.
    let may_be_header = || match written.encoding {
        TransferEncoding::Base64 => false,
        TransferEncoding::QuotedPrintable => true,
        _ => !charset.keeps_ascii(),
    };
    if !part.has_blank_line() && may_be_header() {
        draft.leave(range, "text that no blank line separates from the header");
        return true;
    }
    // The proof decodes the old body whole, to choose its charset again.
    let decoded = match part.transfer_encoding() {
        TransferEncoding::Base64 => range.len() / 4 * 3,
        TransferEncoding::QuotedPrintable => range.len(),
        _ => 0,
    };
    let is_too_long = !draft.fits(range, written.length + decoded);
    if is_too_long {
        let detail = "text that would make the message too long (more than three times its length)";
        draft.leave(range, detail);
    }
    is_too_long
}

/// Reports an embedded message with a transfer encoding, which RFC 2045, section 6.4, forbids. It is
/// kept, since encoding it again would be more than a change of charset.
pub(super) fn encoded_message(entity: Part<'_>, draft: &mut Draft) {
    if let Some(body) = entity.body_range() {
        let detail = format!(
            "an embedded message in {}, left unchanged",
            entity.transfer_encoding()
        );
        draft.report_range(Kind::Unconverted, &body, detail);
    }
}

/// The charset of a part that is exactly labelled UTF-8 and is UTF-8. Nothing in it has to change, so
/// its body need not be examined.
fn labelled_utf_8(
    part: Part<'_>,
    label: Option<&Label<'_>>,
    options: &Conversion,
) -> Option<Charset> {
    label.filter(|label| is_utf_8_label(label))?;
    let charset = part.charset(&options.decoding);
    is_utf_8(charset).then_some(charset)
}

impl Draft {
    fn report_range(
        &mut self,
        kind: Kind,
        range: &Range<usize>,
        detail: impl Into<Cow<'static, str>>,
    ) {
        self.report.add(kind, range.start, range.len(), detail);
    }

    /// Reports that a range is kept as it is.
    pub(super) fn leave(&mut self, range: &Range<usize>, detail: impl Into<Cow<'static, str>>) {
        self.needs_proof = true;
        self.report_range(Kind::Unconverted, range, detail);
    }

    /// Whether text with these findings may be converted. If not, reports the loss, and fails if the
    /// caller asked for that.
    pub(super) fn allows_loss(
        &mut self,
        range: &Range<usize>,
        report: &Report,
        options: &Conversion,
    ) -> bool {
        if !report.has_loss() || options.on_malformed == OnMalformed::Replace {
            return true;
        }
        let mut findings = report.iter();
        let detail = match findings.find(|finding| finding.kind().effect() == Effect::Lost) {
            Some(finding) => format!("{}: {}", finding.kind(), finding.detail()),
            None => "a loss that the report only counts".to_owned(),
        };
        if options.on_malformed == OnMalformed::Fail {
            let at = range.start;
            let sentence =
                format!("expected text that can be decoded without loss, found {detail} (at {at})");
            self.failure.get_or_insert_with(|| Error::at(at, sentence));
        }
        self.leave(range, detail);
        false
    }

    /// Reverts the changes of a signed or encrypted entity.
    pub(super) fn keep_signed(&mut self, header: &Range<usize>) {
        self.failure = None;
        if !self.changes.is_empty() {
            self.revert();
            self.needs_proof = true;
            let detail = "signed or encrypted, left unchanged";
            self.report_range(Kind::SignedContent, header, detail);
        }
    }
}
