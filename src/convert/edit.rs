//! The edits of a field body, with the folds that keep its lines short (RFC 5322, section 2.2.3; RFC
//! 2047, section 2).

use std::ops::Range;

use memchr::{memchr2, memchr3, memrchr, memrchr2};

use super::segment::{Header, NewText, Segment};
use crate::header::Place;
use crate::header::encode::{self, LEAST_WORD, LONGEST_LINE};
use crate::message::Field;
use crate::prove::Reading;

impl Header<'_> {
    /// The octets of segments, with the folds needed before and after them.
    pub(super) fn edits(&self, field: &Field<'_>, segments: Vec<Segment>) -> Vec<Replacement> {
        let body = field.body();
        let mut edits: Vec<Replacement> = Vec::new();
        let mut from = 0;
        // The column at `from`.
        let mut at_column = field.name().len() + 1;
        let mut segments = segments.into_iter().peekable();
        while let Some(Segment {
            range,
            new,
            reading,
        }) = segments.next()
        {
            let until = segments.peek().map_or(body.len(), |next| next.range.start);
            let mut edit = Replacement {
                range: range.clone(),
                octets: Vec::new(),
                reading,
            };
            let between = body.get(from..range.start).unwrap_or_default();
            let mut column = column_after(between, at_column);
            if column + new.least_length(column) > LONGEST_LINE
                && let Some(blank) = last_foldable(between)
            {
                edit.range.start = from + blank;
                let again = between.get(blank..).unwrap_or_default();
                push(&mut edit.octets, self.line_end.as_bytes(), again.len());
                edit.octets.extend_from_slice(again);
                column = again.len();
            }
            let is_phrase = new.is_phrase();
            let before = range.start.checked_sub(1).and_then(|at| body.get(at));
            if is_phrase && !separates_words(before) {
                edit.octets.push(b' ');
                column += 1;
            }
            let written = self.written(new, column);
            column = column_after(written.as_bytes(), column);
            if edit.octets.is_empty() {
                edit.octets = written.into_bytes();
            } else {
                push(&mut edit.octets, written.as_bytes(), 8);
            }
            let after = body.get(range.end..until).unwrap_or_default();
            if is_phrase && !separates_words(body.get(range.end)) {
                column = self.add_blank(&mut edit, after, column);
            }
            column = self.fold_after(&mut edit, after, until < body.len(), column);
            from = edit.range.end;
            at_column = column;
            edits.push(edit);
        }
        edits
    }

    /// The octets of a segment that starts at a column of its line.
    fn written(&self, new: NewText, column: usize) -> String {
        match new {
            NewText::Octets(octets) => octets,
            NewText::Words {
                text,
                place,
                language,
            } => self.folded(encode::words(&text, place, &language, column)),
        }
    }

    /// Separates an encoded word in a phrase from the text after it; returns the new column.
    fn add_blank(&self, edit: &mut Replacement, after: &[u8], mut column: usize) -> usize {
        let word = memchr3(b' ', b'\r', b'\n', after).unwrap_or(after.len());
        if column + 1 + word > LONGEST_LINE {
            edit.octets.extend_from_slice(self.line_end.as_bytes());
            column = 0;
        }
        edit.octets.push(b' ');
        column + 1
    }

    /// Folds the line after an edit if it has become too long; returns the new column. `has_more` says
    /// whether another segment follows.
    fn fold_after(
        &self,
        edit: &mut Replacement,
        after: &[u8],
        has_more: bool,
        column: usize,
    ) -> usize {
        let line =
            memchr2(b'\r', b'\n', after).map_or(after, |end| after.get(..end).unwrap_or_default());
        let more = has_more && line.len() == after.len();
        if column + line.len() > LONGEST_LINE + usize::from(!more)
            && let Some(blank) = first_foldable(line)
        {
            push(
                &mut edit.octets,
                after.get(..blank).unwrap_or_default(),
                self.line_end.len(),
            );
            edit.octets.extend_from_slice(self.line_end.as_bytes());
            edit.range.end += blank;
            return 0;
        }
        column
    }
}

impl NewText {
    /// The number of characters that have to be in the current line, from this column.
    fn least_length(&self, column: usize) -> usize {
        match self {
            // Any word fits.
            NewText::Words { .. } if column + LEAST_WORD <= LONGEST_LINE => 0,
            NewText::Words {
                text,
                place,
                language,
            } => first_line(&encode::words(text, *place, language, 0)).min(LEAST_WORD),
            NewText::Octets(octets) => first_line(octets),
        }
    }

    fn is_phrase(&self) -> bool {
        matches!(
            self,
            NewText::Words {
                place: Place::Phrase,
                ..
            }
        )
    }
}

/// Whether an octet next to an encoded word in a phrase separates it from other text (RFC 2047, section
/// 5).
fn separates_words(octet: Option<&u8>) -> bool {
    octet.is_none_or(|&octet| b" \t\r\n()\"".contains(&octet))
}

/// A range of a field body, and the octets that replace it.
#[derive(Debug, Clone)]
pub(super) struct Replacement {
    pub(super) range: Range<usize>,
    pub(super) octets: Vec<u8>,
    pub(super) reading: Reading,
}

/// Appends octets, and reserves memory for `further` ones.
fn push(octets: &mut Vec<u8>, more: &[u8], further: usize) {
    octets.reserve_exact(more.len() + further);
    octets.extend_from_slice(more);
}

/// A field body with its edits applied.
pub(super) struct EditedBody {
    pub(super) octets: Vec<u8>,
    pub(super) edits: Vec<Edit>,
}

/// A range of the old body, and the range of the new body that replaces it.
pub(super) struct Edit {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
    pub(super) reading: Reading,
}

/// Applies replacements, and frees their octets.
pub(super) fn applied(body: &[u8], replacements: Vec<Replacement>) -> EditedBody {
    let removed: usize = replacements.iter().map(|edit| edit.range.len()).sum();
    let added: usize = replacements.iter().map(|edit| edit.octets.len()).sum();
    let mut octets = Vec::with_capacity((body.len() + added).saturating_sub(removed));
    let mut edits = Vec::with_capacity(replacements.len());
    let mut at = 0;
    for edit in replacements {
        octets.extend_from_slice(body.get(at..edit.range.start).unwrap_or_default());
        let start = octets.len();
        octets.extend_from_slice(&edit.octets);
        at = edit.range.end;
        edits.push(Edit {
            before: edit.range,
            after: start..octets.len(),
            reading: edit.reading,
        });
    }
    octets.extend_from_slice(body.get(at..).unwrap_or_default());
    EditedBody { octets, edits }
}

/// The column of `at` in its line of the field.
pub(super) fn column(body: &[u8], name: usize, at: usize) -> usize {
    let before = body.get(..at).unwrap_or_default();
    column_after(before, name + 1)
}

/// The column after `octets` that begin at `column`.
fn column_after(octets: &[u8], column: usize) -> usize {
    match memrchr2(b'\r', b'\n', octets) {
        Some(end) => octets.len() - end - 1,
        None => column + octets.len(),
    }
}

/// The number of characters in the first line.
fn first_line(text: &str) -> usize {
    let line = text.split(['\r', '\n']).next();
    line.map_or(0, |line| line.chars().count())
}

/// The last single space that a fold may precede, with text on both sides of it in the line.
fn last_foldable(between: &[u8]) -> Option<usize> {
    let at = memrchr(b' ', between)?;
    let line = memrchr2(b'\r', b'\n', between).map_or(0, |end| end + 1);
    let before = between.get(line..at)?;
    let has_text = before.iter().any(|octet| !matches!(octet, b' ' | b'\t'));
    (at >= line && has_text && !before.ends_with(b" ") && !before.ends_with(b"\t")).then_some(at)
}

/// The first single space that a fold may precede in the line after a segment.
fn first_foldable(line: &[u8]) -> Option<usize> {
    let at = memchr2(b' ', b'\t', line)?;
    let is_foldable = line.get(at) == Some(&b' ')
        && line
            .get(at + 1)
            .is_some_and(|octet| !matches!(octet, b' ' | b'\t'));
    is_foldable.then_some(at)
}
