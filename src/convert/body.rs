//! Plans the conversion of a text part: its new body, and the label and encoding for its header.

use std::ops::Range;
use std::sync::Arc;

use super::draft::Draft;
use super::leave;
use super::measure::{LineLengths, Measure};
use super::options::Conversion;
use super::written::{EncodedBody, OldBody, SecondPass};
use crate::charset::Charset;
use crate::decode::{BodyFormat, Observer, TextPieces, other_declaration};
use crate::header::ContentType;
use crate::label::Label;
use crate::message::Part;
use crate::prove::{BodyFacts, OpenPgpSearch, TextReading, is_utf_8};
use crate::report::{Report, Source};
use crate::transfer::TransferEncoding;

/// The planned changes of a part.
#[derive(Debug)]
pub(super) struct BodyPlan {
    /// The new body; `None` if the octets are already UTF-8.
    pub(super) body: Option<NewBody>,
    /// The transfer encoding for the header, if it changes.
    pub(super) encoding: Option<TransferEncoding>,
    /// The label in the document, if it is wrong for UTF-8.
    pub(super) conflict: Option<Label<'static>>,
    pub(super) reading: TextReading,
}

/// A body in UTF-8.
#[derive(Debug)]
pub(super) struct NewBody {
    pub(super) range: Range<usize>,
    pub(super) octets: EncodedBody,
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
    let OpenBody {
        mut text,
        format,
        source,
        confidence,
        is_plain,
    } = open(part, &content_type, options, draft.is_large(body.len()));
    if is_plain {
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
    if found.needs_only_label() {
        return Some(found.label_only(part, label));
    }
    let conflict = declared.map(|(_, label)| label);
    let labelled = found.reading(label, Report::new());
    if is_same {
        return Some(BodyPlan {
            body: None,
            encoding: None,
            conflict,
            reading: labelled,
        });
    }
    let pass = SecondPass { format, fixed };
    let old = OldBody {
        is_ascii: found.is_ascii,
        has_long_line: matches!(&known.observer.lines, Some(lines) if lines.have_long()),
    };
    let octets = EncodedBody::new(part, known.as_whole(), &pass, &measure, old);
    let new_encoding = octets.encoding;
    if leave::by_result(part, &range, found.charset, &octets, draft) {
        return None;
    }
    let reading = found.reading(label, known.report.clone());
    Some(BodyPlan {
        body: Some(NewBody {
            range,
            octets,
            reading,
        }),
        encoding: (new_encoding != encoding).then_some(new_encoding),
        conflict,
        reading: labelled,
    })
}

impl BodyFacts<'_> {
    fn reading(self, label: Option<&Label<'_>>, report: Report) -> TextReading {
        let label = label.map(|label| Arc::new(label.clone().into_owned()));
        TextReading::new(label, self.charset, self.source, report)
    }

    /// The plan for a part whose octets are UTF-8: only the label is missing or wrong.
    fn label_only(self, part: Part<'_>, label: Option<&Label<'_>>) -> BodyPlan {
        let is_raw = part.transfer_encoding() == TransferEncoding::SevenBit;
        BodyPlan {
            body: None,
            encoding: (is_raw && !part.body().is_ascii()).then_some(TransferEncoding::EightBit),
            conflict: None,
            reading: self.reading(label, self.report.clone()),
        }
    }
}

/// A body opened for decoding.
struct OpenBody<'m> {
    text: TextPieces<'m, BodyObserver>,
    format: BodyFormat,
    source: Source,
    confidence: Option<u8>,
    /// Whether the octets are US-ASCII, so that the label need not change.
    is_plain: bool,
}

/// Observes the octets of a body.
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

/// Opens a body. A small one is decoded at once.
fn open<'m>(
    part: Part<'m>,
    content_type: &ContentType<'_>,
    options: &Conversion,
    is_large: bool,
) -> OpenBody<'m> {
    let encoding = part.transfer_encoding();
    let options = &options.decoding;
    let observer = BodyObserver {
        is_not_ascii: false,
        openpgp: OpenPgpSearch::default(),
        comparison: Comparison {
            octets: Vec::new(),
            is_same: true,
        },
        lines: encoding.is_identity().then(LineLengths::default),
    };
    let of = |charset| BodyFormat {
        encoding,
        charset,
        options: *options,
    };
    if is_large {
        let decision = part.decide(options);
        let format = of(decision.charset);
        return OpenBody {
            text: part.text_in_pieces(format, &decision, observer),
            format,
            source: decision.source,
            confidence: Some(decision.confidence),
            is_plain: may_need_no_label(format.charset) && part.has_ascii_alone(),
        };
    }
    let (text, source) = part.text_at_once(content_type, options, observer);
    let charset = text.charset;
    OpenBody {
        format: of(charset),
        source,
        confidence: None,
        is_plain: may_need_no_label(charset) && !text.observer.is_not_ascii,
        text,
    }
}

/// Whether text in this charset needs no new label if its octets are US-ASCII. UNKNOWN-8BIT stands
/// for a label that names no charset.
fn may_need_no_label(charset: Charset) -> bool {
    is_utf_8(charset) || charset.names_nothing()
}

/// Compares a text with the octets from which it is decoded.
struct Comparison {
    /// The octets whose text has not been added yet.
    octets: Vec<u8>,
    is_same: bool,
}

impl Comparison {
    fn add_octets(&mut self, octets: &[u8]) {
        if self.is_same {
            self.octets.extend_from_slice(octets);
        }
    }

    fn add_text(&mut self, text: &str) {
        if self.is_same && self.octets.starts_with(text.as_bytes()) {
            self.octets.drain(..text.len());
        } else {
            self.is_same = false;
            self.octets = Vec::new();
        }
    }

    /// Whether the text and the octets are identical.
    fn is_same(&self) -> bool {
        self.is_same && self.octets.is_empty()
    }
}
