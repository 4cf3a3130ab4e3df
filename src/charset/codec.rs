//! What a decoder of a charset is, and where it puts its text and its findings.

use crate::report::{Kind, Report};

/// One charset's state machine.
///
/// A codec is given the input in slices, in order. Any cutting must give the same text and
/// findings, so it takes no decision that further octets could change: it returns how many
/// octets it is done with, and what it leaves, at most [`MAX_PENDING`] octets, stands at the
/// start of its next slice. With `last` it finishes everything.
pub(super) trait Codec: Copied + Send + Sync {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize;

    /// Gives out the text that waits for what the rest of it will say, where no more of it is there
    /// to be asked; and how many octets it was done with are none of it, since their character is
    /// not whole. Most codecs let no text wait.
    fn give_out(&mut self, _sink: &mut Sink<'_>) -> usize {
        0
    }

    /// What it remembers of the octets it is done with, as a number: 0 at the start of a text, and
    /// always for most codecs. `None` where text waits, or half a character.
    fn state(&self) -> Option<u128> {
        Some(0)
    }

    /// Goes on in this state, at the start of a text. Whether it is one, [`state`](Codec::state) says
    /// then: of another number it makes another state.
    fn resume(&mut self, _state: u128) {}
}

/// A codec with the same state, for whoever only knows that it is one.
pub(super) trait Copied {
    fn copied(&self) -> Box<dyn Codec>;
}

impl<C: Codec + Clone + 'static> Copied for C {
    fn copied(&self) -> Box<dyn Codec> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Codec> {
    fn clone(&self) -> Self {
        (**self).copied()
    }
}

impl Codec for Box<dyn Codec> {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        (**self).decode(input, last, sink)
    }

    fn give_out(&mut self, sink: &mut Sink<'_>) -> usize {
        (**self).give_out(sink)
    }

    fn state(&self) -> Option<u128> {
        (**self).state()
    }

    fn resume(&mut self, state: u128) {
        (**self).resume(state);
    }
}

/// The most octets a codec may leave undecided.
pub(super) const MAX_PENDING: usize = 16;

/// A text of so many octets or fewer is a subject or a name, for which codecs have smaller buffers.
pub(super) const SHORT: usize = 96;

/// Where a codec puts what it decodes.
pub(super) struct Sink<'o> {
    pub(super) text: &'o mut String,
    pub(super) report: &'o mut Report,
    /// How many octets of the whole input lie before the slice the codec was given.
    pub(super) base: usize,
}

impl Sink<'_> {
    /// Puts one U+FFFD for `length` octets at `offset` of the whole input.
    pub(super) fn replace(&mut self, kind: Kind, offset: usize, length: usize, what: &'static str) {
        let replacement = char::REPLACEMENT_CHARACTER;
        if self.text.capacity() - self.text.len() < replacement.len_utf8() {
            // If the capacity doubled, text that triples would be in memory twice.
            self.text.reserve_exact(self.text.len() / 2 + SHORT);
        }
        self.text.push(replacement);
        self.report.add_replaced(kind, offset, length, what);
    }
}
