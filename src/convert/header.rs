//! The header of an entity: the label of its body, and its fields in place.

use std::cell::OnceCell;

use super::body::BodyPlan;
use super::draft::Draft;
use super::field::is_unchanged;
use super::label::Labelled;
use super::segment::Header;
use super::written::BodyOctets;
use crate::charset::utf8;
use crate::decode;
use crate::header::{self, Syntax};
use crate::message::Part;
use crate::prove::Conversion;

/// Converts the fields of an entity, and labels its body as `body` requires.
pub(super) fn convert(
    entity: Part<'_>,
    body: Option<BodyPlan>,
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
    let labelled = body.and_then(|plan| header.label(plan, &mut labels, draft));
    let of_labels: Vec<_> = labels.changes.iter().map(|it| it.before.start).collect();
    draft.append(labels);
    let mut is_content_type_done = labelled != Some(Labelled::InField);
    // Text whose label does not decide alone may depend on what is converted.
    draft.needs_proof = draft.needs_proof || decode::may_be_guessed(entity.header());
    // Most headers need no change, which one pass over all fields shows.
    let is_plain = is_unchanged(entity.header(), Syntax::Unstructured);
    for field in entity.fields() {
        if is_plain && !may_have_parameters(field.name()) {
            continue;
        }
        if !is_content_type_done && field.name().eq_ignore_ascii_case(b"Content-Type") {
            is_content_type_done = true;
            draft.needs_proof |= utf8::well_formed(field.body()).is_none();
            continue;
        }
        let count = draft.changed.fields;
        header.convert_field(&field, draft);
        // A Content-Transfer-Encoding with a new value and a converted comment counts once.
        let range = field.body_range().unwrap_or_default();
        if of_labels.iter().any(|start| range.contains(start)) {
            draft.changed.fields = count;
        }
        if draft.exceeded_limit().is_some() {
            // The caller reverts all changes.
            break;
        }
    }
}

impl Header<'_> {
    /// Labels a body as UTF-8, and adds its change to `draft`. If labelling fails, the body is kept.
    fn label(&self, plan: BodyPlan, labels: &mut Draft, draft: &mut Draft) -> Option<Labelled> {
        let labelled = self.content_type(&plan, labels)?;
        self.transfer_encoding(&plan, labelled, labels);
        let range = self.entity.body_range().unwrap_or_default();
        if let Some(label) = plan.conflict {
            draft.conflicts.push((range.clone(), label));
        }
        if let Some(body) = plan.body {
            draft.changed.parts += 1;
            let text = self.changed_text(None, plan.reading);
            match body.octets {
                BodyOctets::Encoded(octets) => draft.change(range, &octets, text),
                BodyOctets::Deferred(later) => draft.change_later(range, later, text),
            }
        } else if !labels.changes.is_empty() {
            labels.changed.labels += 1;
        }
        Some(labelled)
    }
}

fn may_have_parameters(name: &[u8]) -> bool {
    matches!(name, [b'C' | b'c', ..]) && header::syntax(name) == Syntax::Parameters
}
