//! The fields of a header. Each is changed only where necessary.
//!
//! The changes of a field are planned from one list of its pieces: parameters (`parameters.rs`),
//! encoded words (`words.rs`) and raw text (`raw_text.rs`). The field is then decoded before and after
//! the changes. If the meaning differs, the field is kept as it is and reported.

use std::ops::Range;
use std::sync::Arc;

use memchr::memchr;

use super::draft::Draft;
use super::edit::{Edit, EditedBody};
use super::segment::{FieldPlan, Header, Segment, is_unusual, sort_segments};
use super::words::{as_word, word_range};
use crate::charset::utf8;
use crate::header::{self, Piece, Syntax};
use crate::message::Field;
use crate::prove::{MAX_FIELD, has_foreign_word, has_same_meaning};
use crate::report::Report;

impl Header<'_> {
    pub(super) fn convert_field(&self, field: &Field<'_>, draft: &mut Draft) {
        let Some(range) = field.body_range() else {
            return;
        };
        let mut segments = self.segments(field, draft);
        if segments.is_empty() {
            draft.needs_proof |= utf8::well_formed(field.body()).is_none();
        }
        // Try all segments first, then without raw text.
        while !segments.is_empty() {
            let mut words = Vec::new();
            let has_raw = !segments.iter().all(Segment::names_charset);
            if has_raw {
                let named = segments.iter().filter(|segment| segment.names_charset());
                words.extend(named.cloned());
            }
            let new = self.edited(field, segments);
            // Readers choose one charset for all raw text of a field, so new UTF-8 next to other
            // octets would be decoded in the charset of those octets.
            let has_others = utf8::well_formed(&new.octets).is_none();
            let is_mixed = self.keeps_raw_utf_8() && has_others && has_raw;
            let syntax = header::syntax(field.name());
            if !is_mixed && has_same_meaning(field, &new.octets, syntax, &self.options.decoding) {
                draft.needs_proof |= has_others;
                self.add_edits(field, new, draft);
                return;
            }
            draft.leave(&range, "the text of the field would change");
            segments = words;
        }
    }

    /// Adds the edits of a field to the draft.
    pub(super) fn add_edits(&self, field: &Field<'_>, new: EditedBody, draft: &mut Draft) {
        draft.changed.fields += usize::from(!new.edits.is_empty());
        let base = field.body_range().map_or(0, |range| range.start);
        let name = String::from_utf8_lossy(field.name());
        let last = draft.changes.last().and_then(|last| last.text.as_ref());
        let last = last.and_then(|text| text.field.as_ref());
        let name = match last.filter(|last| ***last == *name) {
            Some(last) => last.clone(),
            None => Arc::from(name),
        };
        for Edit {
            before,
            after,
            mut reading,
        } in new.edits
        {
            reading.report = reading.report.map(|report| {
                let mut moved = Report::new();
                moved.absorb(Arc::unwrap_or_clone(report), base);
                Arc::new(moved)
            });
            let range = before.start + base..before.end + base;
            let text = self.changed_text(Some(Arc::clone(&name)), reading);
            draft.change(range, new.octets.get(after).unwrap_or_default(), text);
        }
    }

    /// The ranges of a field that have to change, in order and disjoint.
    pub(super) fn segments(&self, field: &Field<'_>, draft: &mut Draft) -> Vec<Segment> {
        let body = field.body();
        let syntax = header::syntax(field.name());
        if is_unchanged(body, syntax) {
            return Vec::new();
        }
        let base = field.body_range().map_or(0, |range| range.start);
        let in_message: Range<usize> = base..base + body.len();
        if body.len() > MAX_FIELD {
            let detail = format!("a field of more than {MAX_FIELD} octets");
            draft.leave(&in_message, detail);
            return Vec::new();
        }
        let (pieces, report) = header::pieces(body, syntax).into_parts();
        let words: Vec<_> = pieces.iter().filter_map(as_word).map(word_range).collect();
        let has_several = syntax == Syntax::Parameters || !words.is_empty();
        draft.needs_proof |= is_unusual(&report) || has_several && !body.is_ascii();
        if has_raw_inside_and_outside_words(body, &pieces) {
            // One charset is chosen for the raw octets in words and outside words. Converting
            // either would change how the other is decoded.
            let detail = "octets above 7F in encoded words and outside them";
            draft.leave(&in_message, detail);
            return Vec::new();
        }
        let mut plan = FieldPlan {
            header: self,
            name: field.name(),
            body,
            base,
            syntax,
            pieces: &pieces,
            words: &words,
            parameters: Vec::new(),
            segments: Vec::new(),
            draft,
        };
        if syntax == Syntax::Parameters {
            plan.add_parameters();
        }
        plan.add_words();
        if !body.is_ascii() || memchr(ESCAPE, body).is_some() {
            plan.add_raw_text();
        }
        let mut segments = plan.segments;
        if sort_segments(&mut segments) {
            draft.leave(&in_message, "sections that overlap");
            segments.clear();
        }
        segments
    }
}

/// Whether a field body needs no change, determined without parsing it: it is US-ASCII, each word is
/// labelled `utf-8`, and the parameters, if any, are printable and not extended.
pub(super) fn is_unchanged(body: &[u8], syntax: Syntax) -> bool {
    if syntax == Syntax::Parameters {
        // A question mark may be part of an encoded word, an asterisk part of a section or an
        // extended value, and a backslash may escape either. The test does not stop early, so that
        // it compiles to vector instructions.
        let is_plain = |octet: u8| {
            matches!(octet, b'\t' | b'\r' | b'\n' | b' '..=b'~')
                & !matches!(octet, b'?' | b'*' | b'\\')
        };
        return body.iter().fold(true, |all, &octet| all & is_plain(octet));
    }
    body.is_ascii() && memchr(ESCAPE, body).is_none() && !has_foreign_word(body)
}

/// The first octet of an ISO 2022 escape.
const ESCAPE: u8 = 0x1B;

/// Whether octets above 7F occur both in an encoded word and outside words.
fn has_raw_inside_and_outside_words(body: &[u8], pieces: &[Piece<'_>]) -> bool {
    if body.is_ascii() {
        return false;
    }
    let in_words = pieces
        .iter()
        .filter_map(as_word)
        .filter(|word| !word.source().is_ascii())
        .count();
    let in_text = pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Text(text) if !text.octets().is_ascii()));
    in_words + usize::from(in_text) > 1
}
