//! The plan of a conversion: all changes that a message needs, entity by entity, and what is kept. It
//! is made once, then written.

use std::ops::Range;

use super::converted::Converted;
use super::draft::Draft;
use super::{body, header, leave, signatures};
use crate::message::{Message, Part};
use crate::prove::{Conversion, Protection};
use crate::report::{Kind, Report};
use crate::transfer::{self, TransferEncoding};

/// Maximum nesting depth of embedded messages with a transfer encoding that are examined.
const MAX_DEPTH: usize = 3;

/// All changes that a message needs.
pub(super) struct Plan<'a> {
    source: &'a [u8],
    draft: Draft,
    /// Findings about signatures, digests and document declarations that the changes make wrong.
    pub(super) consequences: Report,
    header: &'a [u8],
    parts: usize,
}

impl<'a> Plan<'a> {
    /// Plans the conversion of a message. Keeps at most `kept` octets of new bodies; further bodies are
    /// encoded when the result is written.
    pub(super) fn new(source: &'a [u8], options: &Conversion, kept: usize) -> Self {
        Plan::at_depth(source, options, kept, 0)
    }

    fn at_depth(source: &'a [u8], options: &Conversion, kept: usize, depth: usize) -> Self {
        let mut message = Message::parse(source);
        let mut unconverted = Vec::new();
        let encoded: Vec<_> = message.entities().filter_map(encoded_message).collect();
        if depth < MAX_DEPTH && !encoded.is_empty() {
            // Decode and parse embedded messages twice rather than keep them all in memory.
            drop(message);
            let would_change = |(index, range, encoding): (usize, Range<usize>, _)| {
                let body = source.get(range).unwrap_or_default();
                let octets = transfer::decode(body, encoding).into_octets();
                let inner = Plan::at_depth(&octets, options, kept, depth + 1);
                (!inner.is_empty() || !inner.draft.report.is_empty()).then_some(index)
            };
            unconverted = encoded.into_iter().filter_map(would_change).collect();
            message = Message::parse(source);
        }
        let mut draft = Draft::new(source.len(), kept);
        // Without a boundary parameter, new text could be mistaken for a delimiter.
        draft.needs_proof |= message.report().has(Kind::MissingBoundary);
        let mut protection = Protection::default();
        for entity in message.entities() {
            let is_protected = protection.covers(entity);
            let mut own = draft.for_entity();
            plan_entity(entity, is_protected, options, &mut own);
            if unconverted.binary_search(&entity.index()).is_ok() {
                leave::encoded_message(entity, &mut own);
            }
            draft.append(own);
            if let Some(limit) = draft.exceeded_limit() {
                draft.leave(&(0..source.len()), limit);
                draft.revert();
                break;
            }
        }
        if draft.failure.is_some() {
            draft.revert();
        }
        if message.root().header_range().is_none() {
            draft.leave(&(0..source.len()), "a message that is UTF-16 as a whole");
        }
        let mut consequences = Report::new();
        signatures::report_broken(&message, &draft.changes, &mut consequences);
        draft.report_conflicts(&mut consequences);
        let header = message.root().header_range();
        Plan {
            source,
            draft,
            consequences,
            header: header.and_then(|it| source.get(it)).unwrap_or_default(),
            parts: message.parts().count(),
        }
    }

    /// Whether nothing has to change.
    pub(super) fn is_empty(&self) -> bool {
        self.draft.changes.is_empty()
    }

    /// Whether the result has to be proved before it is returned.
    pub(super) fn needs_proof(&self) -> bool {
        self.draft.needs_proof
    }

    pub(super) fn write(mut self) -> Converted<'a> {
        Converted {
            octets: self.draft.write(self.source),
            changes: self.draft.changes,
            report: self.draft.report,
            failure: self.draft.failure,
            header: self.header,
            parts: self.parts,
            changed_fields: self.draft.changed.fields,
            changed_parts: self.draft.changed.parts,
            relabelled_parts: self.draft.changed.labels,
            charsets: self.draft.charsets,
        }
    }
}

/// Plans the changes of one entity: its body, its label and its fields.
fn plan_entity(entity: Part<'_>, is_protected: bool, options: &Conversion, draft: &mut Draft) {
    let Some(header) = entity.header_range() else {
        // The entity is inside an encoded message, which is kept, including its raw text.
        draft.needs_proof = true;
        return;
    };
    let body = body::plan(entity, options, draft);
    header::convert(entity, body, options, draft);
    draft.keep_within_limit(&header);
    if is_protected {
        draft.keep_signed(&header);
    }
}

/// If an entity is a message with a transfer encoding, its index, body and encoding.
fn encoded_message(entity: Part<'_>) -> Option<(usize, Range<usize>, TransferEncoding)> {
    let is_encoded = |inner: &Part<'_>| inner.header_range().is_none();
    entity.inner().filter(is_encoded)?;
    let range = entity.body_range()?;
    Some((entity.index(), range, entity.transfer_encoding()))
}
