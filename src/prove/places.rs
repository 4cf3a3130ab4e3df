//! The place of each change: in a field body, in the body of a text part, or as an added field.

use std::ops::Range;

use super::change::Change;
use crate::charset::Charset;
use crate::error::Error;

/// Assigns the changes to places, in the order of the message.
pub(super) struct Places<'c> {
    /// Changes without a place so far.
    unplaced: &'c [Change],
    result: &'c [u8],
    /// Changes in the current header that name a charset which does not occur in their field: the
    /// offset and the charset of each. The charset has to be that of the body.
    body_charsets: Vec<(usize, Charset)>,
}

impl<'c> Places<'c> {
    pub(super) fn new(changes: &'c [Change], result: &'c [u8]) -> Self {
        Places {
            unplaced: changes,
            result,
            body_charsets: Vec::new(),
        }
    }

    pub(super) fn result(&self) -> &'c [u8] {
        self.result
    }

    /// Offset of the next change in the source.
    pub(super) fn next_start(&self) -> Option<usize> {
        self.unplaced.first().map(|next| next.before.start)
    }

    /// Removes and returns the next changes within `before` in the source and `after` in the result.
    pub(super) fn find(&mut self, before: &Range<usize>, after: &Range<usize>) -> &'c [Change] {
        let is_within = |part: &Range<usize>, whole: &Range<usize>| {
            whole.start <= part.start && part.end <= whole.end
        };
        let count = self
            .unplaced
            .iter()
            .take_while(|change| {
                is_within(&change.before, before) && is_within(&change.after, after)
            })
            .count();
        let (found, unplaced) = self.unplaced.split_at(count);
        self.unplaced = unplaced;
        found
    }

    /// Removes the next change if it adds exactly this field, optionally with the empty line after the
    /// header.
    pub(super) fn find_added(&mut self, field: &Range<usize>) {
        if let Some((change, unplaced)) = self.unplaced.split_first()
            && change.before.is_empty()
            && change.after.start == field.start
            && let Some(b"" | b"\n" | b"\r\n" | b"\r") =
                self.result.get(field.end..change.after.end)
        {
            self.unplaced = unplaced;
            self.note_charsets(std::slice::from_ref(change), &[]);
        }
    }

    /// Records the charsets that changes name and that are not among `of_field`.
    pub(super) fn note_charsets(&mut self, changes: &[Change], of_field: &[Charset]) {
        for change in changes {
            if let Some(reading) = change.reading()
                && !of_field.contains(&reading.charset)
            {
                self.body_charsets
                    .push((change.after.start, reading.charset));
            }
        }
    }

    /// Checks that the changes of a body, and those recorded in its header, name the charset of the
    /// body; `None` if the body was not changed.
    pub(super) fn check_charsets(
        &mut self,
        changes: &[Change],
        charset: Option<Charset>,
    ) -> Result<(), Error> {
        self.note_charsets(changes, &[]);
        let mut named = self.body_charsets.drain(..);
        let Some((at, other)) = named.find(|&(_, named)| Some(named) != charset) else {
            return Ok(());
        };
        let sentence = match charset {
            Some(charset) => format!("expected the label {charset}, found {other} (at {at})"),
            None => format!("expected the charset of a field, found the label {other} (at {at})"),
        };
        Err(Error::at(at, sentence))
    }

    /// Checks that each change has a place.
    pub(super) fn finish(self) -> Result<(), Error> {
        let Some(change) = self.unplaced.first() else {
            return Ok(());
        };
        let at = change.after.start;
        let sentence =
            format!("expected a change of a field or of text, found a different change (at {at})");
        Err(Error::at(at, sentence))
    }
}
