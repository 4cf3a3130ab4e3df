//! The header of an entity: its fields, each in its place, and the label that its body needs.

use std::cell::OnceCell;

use super::body::Plan;
use super::draft::{Draft, MAX_CHANGES};
use super::field::stays;
use super::label::Labelled;
use super::options::Conversion;
use super::segment::Header;
use super::written::Octets;
use crate::charset::utf8;
use crate::header::{self, Syntax};
use crate::message::Part;

/// Converts the fields of an entity, and makes its header say what `body` needs.
pub(super) fn convert(
    entity: Part<'_>,
    body: Option<Plan>,
    options: &Conversion,
    draft: &mut Draft,
) {
    let header = Header {
        entity,
        line_end: entity.line_end(entity.header()),
        options,
        is_internationalized: entity
            .parent()
            .filter(|parent| parent.is_message())
            .is_some_and(|parent| parent.content_type().media_type() == "message/global"),
        section: OnceCell::new(),
    };
    let mut labels = Draft::default();
    let content_type = body
        .as_ref()
        .map(|plan| header.content_type(plan, &mut labels));
    let labelled = matches!(content_type, Some(Ok(Labelled::InField)));
    // Without its label a body is better left as it was.
    if let (Some(Ok(labelled)), Some(mut plan)) = (content_type, body) {
        header.transfer_encoding(&plan, labelled, &mut labels);
        if let (Some(label), Some(range)) = (plan.conflict.take(), entity.body_range()) {
            draft.conflicts.push((range, label));
        }
        if let Some(body) = plan.body.take() {
            draft.changed.parts += 1;
            let what = header.what(None, body.reading);
            match body.octets.octets {
                Octets::Made(octets) => draft.change_body(body.range, octets, what),
                Octets::Later(later) => draft.change_later(body.range, later, what),
            }
        } else if !labels.changes.is_empty() {
            labels.changed.labels += 1;
        }
    }
    let of_labels: Vec<_> = labels.changes.iter().map(|it| it.before.start).collect();
    draft.take(labels);
    let mut first_content_type = true;
    // Asked of all fields at once, of which most have nothing to change.
    let is_plain = stays(entity.header(), Syntax::Unstructured);
    for field in entity.fields() {
        if is_plain && !may_have_parameters(field.name()) {
            continue;
        }
        if field.name().eq_ignore_ascii_case(b"Content-Type")
            && std::mem::take(&mut first_content_type)
            && labelled
        {
            draft.needs_proof |= utf8::well_formed(field.body()).is_none();
            continue;
        }
        let count = draft.changed.fields;
        header.field(&field, draft);
        // A comment of the Content-Transfer-Encoding may change with what it says.
        let range = field.body_range().unwrap_or_default();
        if of_labels.iter().any(|start| range.contains(start)) {
            draft.changed.fields = count;
        }
        if draft.changes.len() > MAX_CHANGES || draft.has_written_much() {
            // All of them are dropped.
            break;
        }
    }
}

fn may_have_parameters(name: &[u8]) -> bool {
    matches!(name, [b'C' | b'c', ..]) && header::syntax(name) == Syntax::Parameters
}
