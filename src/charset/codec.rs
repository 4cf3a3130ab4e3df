//! The codec of a charset, and the sink for its text and findings.

use crate::report::{Kind, Report};

/// The decoding state machine of one charset.
///
/// A codec gets the input in slices, in order. The text and the findings must not depend on where
/// slices end, so a codec leaves octets undecided if further octets could change their text. It
/// returns the number of octets consumed; the rest, at most [`MAX_PENDING`] octets, begins its next
/// slice. With `last` it decodes everything.
pub(super) trait Codec: CloneCodec + Send + Sync {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize;

    /// Writes the text that is held back, if the input ends early. Returns the number of consumed
    /// octets whose character is incomplete. Most codecs hold no text back.
    fn flush_partial(&mut self, _sink: &mut Sink<'_>) -> usize {
        0
    }

    /// The state after the consumed octets, as a number: 0 at the start of a text. In most codecs
    /// it is always 0. `None` if text or half a character is held back.
    fn state(&self) -> Option<u128> {
        Some(0)
    }

    /// Sets the state, at the start of a text. If the number is not a state, [`state`](Codec::state)
    /// then returns another number.
    fn resume(&mut self, _state: u128) {}
}

/// Clones a codec as `dyn Codec`.
pub(super) trait CloneCodec {
    fn clone_boxed(&self) -> Box<dyn Codec>;
}

impl<C: Codec + Clone + 'static> CloneCodec for C {
    fn clone_boxed(&self) -> Box<dyn Codec> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Codec> {
    fn clone(&self) -> Self {
        (**self).clone_boxed()
    }
}

/// Maximum number of octets that a codec may leave undecided.
pub(super) const MAX_PENDING: usize = 16;

/// Texts up to this length, such as subjects and names, get smaller buffers.
pub(super) const SHORT: usize = 96;

/// Decodes `input` character by character. `one` returns the number of octets that are decided, or 0.
pub(super) fn one_by_one(
    input: &[u8],
    sink: &mut Sink<'_>,
    mut one: impl FnMut(&[u8], &mut Sink<'_>) -> usize,
) -> usize {
    let mut at = 0;
    while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
        match one(rest, &mut sink.at(sink.base + at)) {
            0 => break,
            length => at += length,
        }
    }
    at
}

/// The sink for the output of a codec.
pub(super) struct Sink<'o> {
    pub(super) text: &'o mut String,
    pub(super) report: &'o mut Report,
    /// The offset of the codec's slice in the whole input.
    pub(super) base: usize,
}

impl Sink<'_> {
    /// The same sink for a slice of the input that begins at `base`.
    pub(super) fn at(&mut self, base: usize) -> Sink<'_> {
        Sink {
            text: self.text,
            report: self.report,
            base,
        }
    }

    /// Replaces the first `length` octets of the codec's slice, which are malformed. Returns `length`.
    pub(super) fn malformed(&mut self, length: usize, what: &'static str) -> usize {
        self.replace(Kind::Malformed, self.base, length, what);
        length
    }

    /// Appends one U+FFFD for `length` octets at `offset` of the whole input.
    pub(super) fn replace(&mut self, kind: Kind, offset: usize, length: usize, what: &'static str) {
        let replacement = char::REPLACEMENT_CHARACTER;
        if self.text.capacity() - self.text.len() < replacement.len_utf8() {
            // Doubling the capacity could take twice the memory that is needed if text grows to
            // three times its octets.
            self.text.reserve_exact(self.text.len() / 2 + SHORT);
        }
        self.text.push(replacement);
        self.report.add_replaced(kind, offset, length, what);
    }
}
