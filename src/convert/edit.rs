//! The edits of a field body: what is to stand in it, folded so that no line becomes too long (RFC 5322,
//! section 2.2.3; RFC 2047, section 2).

use std::ops::Range;

use memchr::{memchr2, memchr3, memrchr, memrchr2};

use super::segment::{Header, New, Segment};
use crate::header::Place;
use crate::header::encode::{self, LEAST_WORD, LONGEST_LINE};
use crate::message::Field;
use crate::prove::Reading;

impl Header<'_> {
    /// Segments as octets, with the folds they need before and behind them.
    pub(super) fn edits(&self, field: &Field<'_>, segments: Vec<Segment>) -> Vec<Replacement> {
        let body = field.body();
        let mut edits: Vec<Replacement> = Vec::new();
        let mut from = 0;
        // The column at `from`.
        let mut at_column = field.name().len() + 1;
        let mut segments = segments.into_iter().peekable();
        while let Some(Segment {
            range,
            what,
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
            if column + what.least_length(column) > LONGEST_LINE
                && let Some(blank) = last_foldable(between)
            {
                edit.range.start = from + blank;
                let again = between.get(blank..).unwrap_or_default();
                push(&mut edit.octets, self.line_end.as_bytes(), again.len());
                edit.octets.extend_from_slice(again);
                column = again.len();
            }
            let is_phrase = what.is_phrase();
            let before = range.start.checked_sub(1).and_then(|at| body.get(at));
            if is_phrase && !parts_words(before) {
                edit.octets.push(b' ');
                column += 1;
            }
            let written = self.written(what, column);
            column = column_after(written.as_bytes(), column);
            if edit.octets.is_empty() {
                edit.octets = written.into_bytes();
            } else {
                push(&mut edit.octets, written.as_bytes(), 8);
            }
            let behind = body.get(range.end..until).unwrap_or_default();
            if is_phrase && !parts_words(body.get(range.end)) {
                column = self.blank_behind(&mut edit, behind, column);
            }
            column = self.fold_behind(&mut edit, behind, until < body.len(), column);
            from = edit.range.end;
            at_column = column;
            edits.push(edit);
        }
        edits
    }

    /// What a segment is to be, in a line that has `column` characters already.
    fn written(&self, what: New, column: usize) -> String {
        match what {
            New::Octets(octets) => octets,
            New::Words {
                text,
                place,
                language,
            } => self.folded(encode::words(&text, place, &language, column)),
        }
    }

    /// Parts an encoded word in a phrase from what is `behind` it; gives the column there.
    fn blank_behind(&self, edit: &mut Replacement, behind: &[u8], mut column: usize) -> usize {
        let word = memchr3(b' ', b'\r', b'\n', behind).unwrap_or(behind.len());
        if column + 1 + word > LONGEST_LINE {
            edit.octets.extend_from_slice(self.line_end.as_bytes());
            column = 0;
        }
        edit.octets.push(b' ');
        column + 1
    }

    /// Folds what is `behind` an edit in its line, where the line has become too long for it; gives
    /// the column there. `has_more` tells whether another segment is behind that.
    fn fold_behind(
        &self,
        edit: &mut Replacement,
        behind: &[u8],
        has_more: bool,
        column: usize,
    ) -> usize {
        let line = memchr2(b'\r', b'\n', behind)
            .map_or(behind, |end| behind.get(..end).unwrap_or_default());
        let more = has_more && line.len() == behind.len();
        if column + line.len() > LONGEST_LINE + usize::from(!more)
            && let Some(blank) = first_foldable(line)
        {
            push(
                &mut edit.octets,
                behind.get(..blank).unwrap_or_default(),
                self.line_end.len(),
            );
            edit.octets.extend_from_slice(self.line_end.as_bytes());
            edit.range.end += blank;
            return 0;
        }
        column
    }
}

impl New {
    /// How many characters of it have to stand in a line that has `column` of them.
    fn least_length(&self, column: usize) -> usize {
        match self {
            // Any word fits.
            New::Words { .. } if column + LEAST_WORD <= LONGEST_LINE => 0,
            New::Words {
                text,
                place,
                language,
            } => first_line(&encode::words(text, *place, language, 0)).min(LEAST_WORD),
            New::Octets(octets) => first_line(octets),
        }
    }

    fn is_phrase(&self) -> bool {
        matches!(
            self,
            New::Words {
                place: Place::Phrase,
                ..
            }
        )
    }
}

/// Whether an octet next to an encoded word in a phrase parts it from others (RFC 2047, section 5).
fn parts_words(octet: Option<&u8>) -> bool {
    octet.is_none_or(|&octet| b" \t\r\n()\"".contains(&octet))
}

/// A range of a field body and the octets that take its place.
#[derive(Debug, Clone)]
pub(super) struct Replacement {
    pub(super) range: Range<usize>,
    pub(super) octets: Vec<u8>,
    pub(super) reading: Reading,
}

/// Adds octets, and takes memory for them and for so many more.
fn push(octets: &mut Vec<u8>, more: &[u8], further: usize) {
    octets.reserve_exact(more.len() + further);
    octets.extend_from_slice(more);
}

/// A field body with edits.
pub(super) struct Edited {
    pub(super) octets: Vec<u8>,
    pub(super) edits: Vec<Edit>,
}

/// A range of the old body, and the one of the new that is there instead.
pub(super) struct Edit {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
    pub(super) reading: Reading,
}

/// Takes the edits, so that their octets are there once.
pub(super) fn applied(body: &[u8], replacements: Vec<Replacement>) -> Edited {
    let gone: usize = replacements.iter().map(|edit| edit.range.len()).sum();
    let more: usize = replacements.iter().map(|edit| edit.octets.len()).sum();
    let mut octets = Vec::with_capacity((body.len() + more).saturating_sub(gone));
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
    Edited { octets, edits }
}

/// The column of `at` in its line of the field.
pub(super) fn column(body: &[u8], name: usize, at: usize) -> usize {
    let before = body.get(..at).unwrap_or_default();
    column_after(before, name + 1)
}

/// The column behind `octets` that begin at `column`.
fn column_after(octets: &[u8], column: usize) -> usize {
    match memrchr2(b'\r', b'\n', octets) {
        Some(end) => octets.len() - end - 1,
        None => column + octets.len(),
    }
}

/// How many characters the first line has.
fn first_line(text: &str) -> usize {
    let line = text.split(['\r', '\n']).next();
    line.map_or(0, |line| line.chars().count())
}

/// The last lone blank that a fold may go before: text stands on both its sides in the line.
fn last_foldable(between: &[u8]) -> Option<usize> {
    let at = memrchr(b' ', between)?;
    let line = memrchr2(b'\r', b'\n', between).map_or(0, |end| end + 1);
    let before = between.get(line..at)?;
    let has_text = before.iter().any(|octet| !matches!(octet, b' ' | b'\t'));
    (at >= line && has_text && !before.ends_with(b" ") && !before.ends_with(b"\t")).then_some(at)
}

/// The first lone blank of a line behind a segment that a fold may go before.
fn first_foldable(line: &[u8]) -> Option<usize> {
    let at = memchr2(b' ', b'\t', line)?;
    let parts = line.get(at) == Some(&b' ')
        && line
            .get(at + 1)
            .is_some_and(|octet| !matches!(octet, b' ' | b'\t'));
    parts.then_some(at)
}
