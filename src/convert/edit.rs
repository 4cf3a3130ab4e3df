//! Edits of a field body, with the folds that keep its lines short (RFC 5322, section 2.2.3; RFC 2047,
//! section 2).

use std::ops::Range;

use memchr::{memchr2, memchr3, memrchr, memrchr2};

use super::segment::{Header, NewText, Segment};
use crate::header::Place;
use crate::header::encode::{self, LONGEST_LINE, MIN_WORD_ROOM};
use crate::message::Field;
use crate::prove::TextReading;

impl Header<'_> {
    /// The field body with all segments replaced, and the folds needed before and after them.
    pub(super) fn edited(&self, field: &Field<'_>, segments: Vec<Segment>) -> EditedBody {
        let body = field.body();
        let mut edited = EditedBody::default();
        // The column at the end of the last edit.
        let mut at_column = field.name().len() + 1;
        let mut segments = segments.into_iter().peekable();
        while let Some(Segment {
            range,
            new,
            reading,
        }) = segments.next()
        {
            let until = segments.peek().map_or(body.len(), |next| next.range.start);
            let from = edited.end();
            let between = body.get(from..range.start).unwrap_or_default();
            let mut before = range.clone();
            let mut octets = Vec::new();
            let mut column = column_after(between, at_column);
            if column + new.min_length(column) > LONGEST_LINE
                && let Some(blank) = last_foldable(between)
            {
                before.start = from + blank;
                let again = between.get(blank..).unwrap_or_default();
                octets.extend_from_slice(self.line_end.as_bytes());
                octets.extend_from_slice(again);
                column = again.len();
            }
            let is_phrase = new.is_phrase();
            let previous = range.start.checked_sub(1).and_then(|at| body.get(at));
            if is_phrase && !separates_words(previous) {
                octets.push(b' ');
                column += 1;
            }
            let written = self.written(new, column);
            column = column_after(written.as_bytes(), column);
            octets.extend_from_slice(written.as_bytes());
            let after = body.get(range.end..until).unwrap_or_default();
            if is_phrase && !separates_words(body.get(range.end)) {
                column = self.add_blank(&mut octets, after, column);
            }
            if let Some(blank) = fold_offset(after, until < body.len(), column) {
                octets.extend_from_slice(after.get(..blank).unwrap_or_default());
                octets.extend_from_slice(self.line_end.as_bytes());
                before.end += blank;
                column = 0;
            }
            at_column = column;
            edited.replace(body, before, &octets, reading);
        }
        edited.finish(body)
    }

    /// The octets of a segment that starts at this column of its line.
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

    /// Separates an encoded word in a phrase from the text after it. Returns the new column.
    fn add_blank(&self, octets: &mut Vec<u8>, after: &[u8], mut column: usize) -> usize {
        let word = memchr3(b' ', b'\r', b'\n', after).unwrap_or(after.len());
        if column + 1 + word > LONGEST_LINE {
            octets.extend_from_slice(self.line_end.as_bytes());
            column = 0;
        }
        octets.push(b' ');
        column + 1
    }
}

/// The number of octets after an edit to keep before a fold, if the line is too long without one.
/// `has_more` means that another segment follows.
fn fold_offset(after: &[u8], has_more: bool, column: usize) -> Option<usize> {
    let end = memchr2(b'\r', b'\n', after);
    let line = end.map_or(after, |end| after.get(..end).unwrap_or_default());
    let more = has_more && line.len() == after.len();
    let is_too_long = column + line.len() > LONGEST_LINE + usize::from(!more);
    is_too_long.then(|| first_foldable(line)).flatten()
}

impl NewText {
    /// The minimum number of characters on the current line, from this column.
    fn min_length(&self, column: usize) -> usize {
        match self {
            // Any word fits.
            NewText::Words { .. } if column + MIN_WORD_ROOM <= LONGEST_LINE => 0,
            NewText::Words {
                text,
                place,
                language,
            } => first_line(&encode::words(text, *place, language, 0)).min(MIN_WORD_ROOM),
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

/// A new field body, and its edits in order.
#[derive(Default)]
pub(super) struct EditedBody {
    pub(super) octets: Vec<u8>,
    pub(super) edits: Vec<Edit>,
}

/// A range of the old body, and the range of the new body that replaces it.
pub(super) struct Edit {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
    pub(super) reading: TextReading,
}

impl EditedBody {
    /// The end of the last edit in the old body.
    fn end(&self) -> usize {
        self.edits.last().map_or(0, |last| last.before.end)
    }

    /// Replaces a range of the old body that follows the last edit.
    pub(super) fn replace(
        &mut self,
        old: &[u8],
        before: Range<usize>,
        octets: &[u8],
        reading: TextReading,
    ) {
        let kept = old.get(self.end()..before.start).unwrap_or_default();
        self.octets.extend_from_slice(kept);
        let start = self.octets.len();
        self.octets.extend_from_slice(octets);
        self.edits.push(Edit {
            before,
            after: start..self.octets.len(),
            reading,
        });
    }

    /// Appends the rest of the old body.
    pub(super) fn finish(mut self, old: &[u8]) -> Self {
        let rest = old.get(self.end()..).unwrap_or_default();
        self.octets.extend_from_slice(rest);
        self
    }
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

/// The last single space at which a fold is allowed. The line must have text before and after it.
fn last_foldable(between: &[u8]) -> Option<usize> {
    let at = memrchr(b' ', between)?;
    let line = memrchr2(b'\r', b'\n', between).map_or(0, |end| end + 1);
    let before = between.get(line..at)?;
    let has_text = before.iter().any(|octet| !matches!(octet, b' ' | b'\t'));
    (at >= line && has_text && !before.ends_with(b" ") && !before.ends_with(b"\t")).then_some(at)
}

/// The first single space after a segment at which the line may be folded.
fn first_foldable(line: &[u8]) -> Option<usize> {
    let at = memchr2(b' ', b'\t', line)?;
    let is_foldable = line.get(at) == Some(&b' ')
        && line
            .get(at + 1)
            .is_some_and(|octet| !matches!(octet, b' ' | b'\t'));
    is_foldable.then_some(at)
}
