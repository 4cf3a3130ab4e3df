//! Rules for what a conversion may change, and reasons to keep the rest. The conversion applies
//! them, and the proof rejects a change that breaks one.

use std::fmt;

use super::options::{Conversion, OnMalformed};
use crate::charset::{self, Charset, Matched, Options};
use crate::header::ContentType;
use crate::label::Label;
use crate::message::Part;
use crate::report::{Kind, Report, Source};
use crate::transfer::TransferEncoding;

impl Conversion {
    /// Whether a conversion may rely on a charset from this source.
    pub(crate) fn relies_on(&self, source: Source, confidence: u8) -> bool {
        !is_guess(source) || self.guessed.is_some_and(|least| confidence >= least)
    }
}

/// Why a text part is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeaveReason {
    /// Recipients save attachments as files and expect the original octets.
    Attachment,
    /// The charset parameter of a multipart has no meaning (RFC 2045, section 5.2; RFC 2046, section
    /// 5.1), so no label could declare UTF-8.
    Undivided,
    /// RTF names its charset in its own control words, which the octets have to match.
    Rtf,
    /// The text is UTF-8, and its label agrees or is not needed.
    Utf8,
    UnknownEncoding,
    /// Another encoding would lose the file name in the `begin` line, and text around the encoded
    /// lines.
    Uuencode,
    /// A change would break the signature of the block, and its `Charset:` line describes its
    /// content.
    OpenPgp,
    Guess {
        charset: Charset,
        confidence: u8,
    },
    Base64Skipped,
    Loss,
}

impl fmt::Display for LeaveReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeaveReason::Attachment => "an attachment",
            LeaveReason::Undivided => "a multipart without parts",
            LeaveReason::Rtf => "RTF, which names its own charset",
            LeaveReason::Utf8 => "text in UTF-8",
            LeaveReason::UnknownEncoding => "an unknown transfer encoding",
            LeaveReason::Uuencode => "uuencode, whose lines name a file",
            LeaveReason::OpenPgp => "an OpenPGP block",
            LeaveReason::Base64Skipped => "base64 with octets that are not base64",
            LeaveReason::Loss => "text that cannot be decoded without loss",
            LeaveReason::Guess {
                charset,
                confidence,
            } => return write!(f, "a guessed charset, {charset} ({confidence}%)"),
        })
    }
}

/// The reason in the header to keep a text part.
pub(crate) fn reason_in_header(
    part: Part<'_>,
    content_type: &ContentType<'_>,
    options: &Conversion,
) -> Option<LeaveReason> {
    if !options.attachments && is_attachment(part) {
        Some(LeaveReason::Attachment)
    } else if part.is_undivided() {
        Some(LeaveReason::Undivided)
    } else if content_type.media_type() == "text/rtf" {
        Some(LeaveReason::Rtf)
    } else {
        None
    }
}

/// The reason in the body to keep a text part.
pub(crate) fn reason_in_body(
    part: Part<'_>,
    label: Option<&Label<'_>>,
    body: &BodyFacts<'_>,
    options: &Conversion,
) -> Option<LeaveReason> {
    if is_utf_8(body.charset) && (body.is_ascii || label.is_some_and(is_utf_8_label)) {
        return Some(LeaveReason::Utf8);
    }
    match part.transfer_encoding() {
        TransferEncoding::Unknown => return Some(LeaveReason::UnknownEncoding),
        TransferEncoding::Uuencode => return Some(LeaveReason::Uuencode),
        _ => {}
    }
    if body.has_openpgp {
        return Some(LeaveReason::OpenPgp);
    }
    if body.is_guess() {
        let decided = || part.decide(&options.decoding).confidence;
        let confidence = body.confidence.unwrap_or_else(decided);
        if !options.relies_on(body.source, confidence) {
            let charset = body.charset;
            return Some(LeaveReason::Guess {
                charset,
                confidence,
            });
        }
    }
    if body.report.has(Kind::Base64Skipped) {
        return Some(LeaveReason::Base64Skipped);
    }
    (body.report.has_loss() && options.on_malformed != OnMalformed::Replace)
        .then_some(LeaveReason::Loss)
}

/// Results of decoding the body of a text part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyFacts<'r> {
    pub(crate) charset: Charset,
    pub(crate) source: Source,
    /// Confidence of the charset in percent, if already known.
    pub(crate) confidence: Option<u8>,
    /// Whether the octets are US-ASCII after transfer decoding.
    pub(crate) is_ascii: bool,
    /// Whether they contain an `OpenPGP` block.
    pub(crate) has_openpgp: bool,
    pub(crate) report: &'r Report,
}

impl BodyFacts<'_> {
    pub(crate) fn is_guess(&self) -> bool {
        is_guess(self.source) && !self.is_ascii
    }

    /// Whether the octets are UTF-8 already, so that only the label is missing or wrong.
    pub(crate) fn needs_only_label(&self) -> bool {
        self.charset == Charset::UTF_8 && self.report.replacements() == 0
    }
}

pub(crate) fn is_guess(source: Source) -> bool {
    matches!(source, Source::Detected | Source::Default)
}

/// Whether the charset of raw text in a header is a guess.
///
/// The charset declared for the message's text is not a guess if the raw text is valid in it. Mailers
/// that write raw text into headers use one charset for the whole message (RFC 7103, section 7.7).
/// After the text is converted, the message no longer shows how to decode the header.
pub(crate) fn is_header_guess(
    part: Part<'_>,
    charset: Charset,
    source: Source,
    reading: &Options,
) -> bool {
    match source {
        Source::Detected => part.declared_for_raw(reading) != Some(charset),
        _ => is_guess(source),
    }
}

/// Whether an entity is signed or encrypted, so that nothing inside it may change (RFC 1847).
pub(crate) fn is_security_multipart(entity: Part<'_>) -> bool {
    entity.is_multipart()
        && matches!(
            entity.content_type().media_type(),
            "multipart/signed" | "multipart/encrypted"
        )
}

/// Whether a part has a Content-Disposition other than `inline` (RFC 2183, section 2.8).
fn is_attachment(part: Part<'_>) -> bool {
    part.content_disposition()
        .is_some_and(|disposition| disposition.disposition() != "inline")
}

/// Whether a label names UTF-8 exactly. Programs that compare labels verbatim reject a label that only
/// resembles it.
pub(crate) fn is_utf_8_label(label: &Label<'_>) -> bool {
    let resolved = charset::resolve(label);
    resolved.charset == Some(Charset::UTF_8) && resolved.matched == Matched::Exact
}

pub(crate) fn is_utf_8(charset: Charset) -> bool {
    charset == Charset::UTF_8 || charset == Charset::US_ASCII
}

/// For each entity, whether it is inside a signed or encrypted one.
#[derive(Debug, Default)]
pub(crate) struct Protection {
    /// By index of the entity, whether its children are protected.
    children: Vec<bool>,
}

impl Protection {
    /// Whether `entity` is protected. Must be called once for each entity, in order.
    pub(crate) fn covers(&mut self, entity: Part<'_>) -> bool {
        let parent = entity.parent().map(Part::index);
        let parent = parent.and_then(|parent| self.children.get(parent));
        let is_protected = parent == Some(&true);
        self.children
            .push(is_protected || is_security_multipart(entity));
        is_protected
    }
}
