//! Plans the conversion of a text part: its new body, and the label and encoding for its header.

use std::sync::Arc;

use super::draft::Draft;
use super::leave;
use super::measure::{LineLengths, Measure};
use super::written::{EncodedBody, OldBody, SecondPass};
use crate::charset::Charset;
use crate::decode::{Observer, other_declaration};
use crate::label::Label;
use crate::message::{BodyPieces, OpenBody, Part};
use crate::prove::{BodyFacts, Conversion, OpenPgpSearch, TextReading, is_utf_8};
use crate::transfer::TransferEncoding;

/// The planned changes of a part.
#[derive(Debug)]
pub(super) struct BodyPlan {
    /// The new body; `None` if the octets are already UTF-8.
    pub(super) body: Option<EncodedBody>,
    /// The transfer encoding for the header, if it changes.
    pub(super) encoding: Option<TransferEncoding>,
    /// The label in the document, if it is wrong for UTF-8.
    pub(super) conflict: Option<Label<'static>>,
    pub(super) reading: TextReading,
}

/// Plans the changes that bring a part to UTF-8. `None` if it is in UTF-8, is not to be converted, or
/// is kept for a reason that `draft` reports.
///
/// The body is decoded once, piece by piece; a small body is one piece. The new octets are encoded from
/// that piece. A large body is decoded again when the result is written.
pub(super) fn plan(part: Part<'_>, options: &Conversion, draft: &mut Draft) -> Option<BodyPlan> {
    let range = part.body_range()?;
    let content_type = leave::content_type_to_convert(part, &range, options, draft)?;
    let label = content_type.charset();
    let body = part.body();
    let encoding = part.transfer_encoding();
    let is_large = draft.is_large(body.len());
    let pieces = if is_large {
        BodyPieces::Many
    } else {
        BodyPieces::One
    };
    let observer = BodyObserver {
        lines: encoding.is_identity().then(LineLengths::default),
        ..BodyObserver::default()
    };
    let OpenBody {
        mut text,
        format,
        source,
        confidence,
    } = part.open_body(&content_type, &options.of_body(), pieces, observer);
    if needs_no_label(part, format.charset, is_large, &text.observer) {
        draft.charsets.push(format.charset);
        return None;
    }
    let mut declared = other_declaration(text.piece(), content_type.media_type());
    let fixed = declared
        .take_if(|_| !options.keep_declarations)
        .map(|(place, _)| place);
    if let Some(place) = &fixed {
        text.replace(place.clone(), "UTF-8");
    }
    let mut measure = Measure::new(encoding, format.charset);
    while let Some((piece, observer)) = text.next() {
        measure.look(piece);
        observer.comparison.add_text(piece);
    }
    let known = text.finish();
    let is_same = fixed.is_none() && known.observer.comparison.is_same();
    let found = BodyFacts {
        charset: known.charset,
        source,
        is_ascii: !known.observer.is_not_ascii,
        has_openpgp: known.observer.openpgp.is_found(),
        confidence,
        report: &known.report,
    };
    draft.charsets.push(found.charset);
    if leave::by_text(part, &range, label, &found, options, draft) {
        return None;
    }
    let mut plan = BodyPlan {
        body: None,
        encoding: None,
        conflict: None,
        reading: text_reading(label, &found),
    };
    if found.needs_only_label() {
        let is_raw = encoding == TransferEncoding::SevenBit && !body.is_ascii();
        plan.encoding = is_raw.then_some(TransferEncoding::EightBit);
        return Some(plan);
    }
    plan.conflict = declared.map(|(_, label)| label);
    if !is_same {
        let pass = SecondPass { format, fixed };
        let old = OldBody {
            is_ascii: found.is_ascii,
            has_long_line: matches!(&known.observer.lines, Some(lines) if lines.have_long()),
        };
        let new = EncodedBody::new(part, known.as_whole(), &pass, &measure, old);
        if leave::by_result(part, &range, found.charset, &new, draft) {
            return None;
        }
        plan.encoding = Some(new.encoding).filter(|new| *new != encoding);
        plan.body = Some(new);
    }
    Some(plan)
}

fn text_reading(label: Option<&Label<'_>>, found: &BodyFacts<'_>) -> TextReading {
    let label = label.map(|label| Arc::new(label.clone().into_owned()));
    TextReading::new(label, found.charset, found.source, found.report.clone())
}

/// Observes the octets of a body.
#[derive(Default)]
struct BodyObserver {
    is_not_ascii: bool,
    openpgp: OpenPgpSearch,
    comparison: Comparison,
    /// The lines of text under an identity encoding, which may become too long.
    lines: Option<LineLengths>,
}

impl Observer for BodyObserver {
    fn look(&mut self, octets: &[u8]) {
        self.is_not_ascii |= !octets.is_ascii();
        self.openpgp.look(octets);
        self.comparison.add_octets(octets);
        if let Some(lines) = &mut self.lines {
            lines.look(octets);
        }
    }
}

/// Whether a text needs no new label: its octets are US-ASCII, and its charset is UTF-8, or UNKNOWN-8BIT,
/// which stands for a label that names no charset.
fn needs_no_label(
    part: Part<'_>,
    charset: Charset,
    is_large: bool,
    observer: &BodyObserver,
) -> bool {
    let is_ascii = || {
        if is_large {
            part.has_ascii_alone()
        } else {
            !observer.is_not_ascii
        }
    };
    (is_utf_8(charset) || charset.names_nothing()) && is_ascii()
}

/// Compares a text with the octets from which it is decoded.
#[derive(Default)]
struct Comparison {
    /// The octets whose text has not been added yet.
    octets: Vec<u8>,
    differs: bool,
}

impl Comparison {
    fn add_octets(&mut self, octets: &[u8]) {
        if !self.differs {
            self.octets.extend_from_slice(octets);
        }
    }

    fn add_text(&mut self, text: &str) {
        if !self.differs && self.octets.starts_with(text.as_bytes()) {
            self.octets.drain(..text.len());
        } else {
            self.differs = true;
            self.octets = Vec::new();
        }
    }

    /// Whether the text and the octets are identical.
    fn is_same(&self) -> bool {
        !self.differs && self.octets.is_empty()
    }
}
