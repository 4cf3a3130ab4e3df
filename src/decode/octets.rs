//! The octets that a decision is about, of which no more are decoded and read than it asks for.
//!
//! Most charsets show within the first lines of a body. So a body is decoded as far as the
//! question goes: each rule of the decision asks the starts of the body first, and all of it
//! where no start tells.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell};

use crate::charset::{self, utf8};
use crate::detect::{self, Likeness};
use crate::transfer::{self, TransferDecoder, TransferEncoding};

/// The octets that a decision is about.
#[derive(Clone, Copy)]
pub(crate) enum Octets<'o> {
    /// All of them are there.
    All(&'o [u8]),
    /// They are decoded as far as they are asked for.
    Of(&'o Body<'o>),
}

impl<'o> Octets<'o> {
    /// All of them.
    pub(super) fn all(self) -> &'o [u8] {
        match self {
            Octets::All(octets) => octets,
            Octets::Of(body) => body.all(),
        }
    }

    /// What they begin with, the shorter starts first. There is none where all are known.
    pub(super) fn starts(self) -> impl Iterator<Item = &'o [u8]> {
        let body = match self {
            Octets::All(_) => None,
            Octets::Of(body) => Some(body),
        };
        body.into_iter().flat_map(Body::starts)
    }

    /// A start of at least so many octets, or all of them.
    pub(super) fn start(self, least: usize) -> &'o [u8] {
        let start = self.starts().find(|start| start.len() >= least);
        start.unwrap_or_else(|| self.all())
    }
}

/// The body of a part, decoded as far as it was asked for.
pub(crate) struct Body<'m> {
    /// As it was transferred.
    encoded: &'m [u8],
    encoding: TransferEncoding,
    starts: [OnceCell<Vec<u8>>; STARTS.len()],
    /// `None` inside where decoding changes nothing.
    all: OnceCell<Option<Vec<u8>>>,
    /// What all of it is decoded into.
    buffer: Cell<Vec<u8>>,
}

/// How many octets of the body are decoded for each of its starts. Most texts that are not ASCII
/// show it within the first lines, and pages of HTML behind their head.
const STARTS: [usize; 2] = [256, 4096];

impl<'m> Body<'m> {
    /// A body of which nothing is decoded yet; `buffer` is used where all of it has to be.
    pub(crate) fn new(encoded: &'m [u8], encoding: TransferEncoding, buffer: Vec<u8>) -> Self {
        Body {
            encoded,
            encoding,
            starts: [const { OnceCell::new() }; STARTS.len()],
            all: OnceCell::new(),
            buffer: Cell::new(buffer),
        }
    }

    /// The buffer, for the next body.
    pub(crate) fn into_buffer(self) -> Vec<u8> {
        let decoded = self.all.into_inner().flatten();
        decoded.unwrap_or_else(|| self.buffer.into_inner())
    }

    /// What the first lines of the body are decoded to.
    pub(crate) fn first_lines(&self) -> &[u8] {
        let ([length, _], [start, _]) = (STARTS, &self.starts);
        self.start(length, start)
    }

    fn all(&self) -> &[u8] {
        let decoded = self.all.get_or_init(|| {
            let mut buffer = self.buffer.take();
            let decoded = transfer::decode_with(self.encoded, self.encoding, &mut buffer);
            if let Cow::Owned(octets) = decoded.into_octets() {
                return Some(octets);
            }
            self.buffer.set(buffer);
            None
        });
        decoded.as_deref().unwrap_or(self.encoded)
    }

    fn starts(&self) -> impl Iterator<Item = &[u8]> {
        let starts = STARTS.iter().zip(&self.starts);
        starts
            // A short body is decoded as quickly as its start is.
            .filter(|(length, _)| self.all.get().is_none() && **length < self.encoded.len())
            .map(|(length, start)| self.start(*length, start))
    }

    /// The octets that the first `length` octets of the body decode to, whatever follows them.
    fn start<'s>(&'s self, length: usize, start: &'s OnceCell<Vec<u8>>) -> &'s [u8] {
        let encoded = self.encoded.get(..length).unwrap_or(self.encoded);
        if self.encoding.is_encoded() {
            start.get_or_init(|| {
                TransferDecoder::new(self.encoding)
                    .push(encoded)
                    .into_owned()
            })
        } else {
            encoded
        }
    }
}

/// What is known of octets, each question answered once.
pub(super) struct Known<'o> {
    pub(super) octets: Octets<'o>,
    /// Whether they go on behind the last, so that it may be in the middle of a character.
    is_partial: bool,
    is_ascii: OnceCell<bool>,
    utf8: OnceCell<Option<&'o str>>,
    likeness: OnceCell<Likeness>,
}

impl<'o> Known<'o> {
    /// Nothing is known yet.
    pub(super) fn new(octets: Octets<'o>, is_partial: bool) -> Self {
        Known {
            octets,
            is_partial,
            is_ascii: OnceCell::new(),
            utf8: OnceCell::new(),
            likeness: OnceCell::new(),
        }
    }

    /// Whether none is above 7F.
    pub(super) fn is_ascii(&self) -> bool {
        *self.is_ascii.get_or_init(|| {
            let is_ascii = self.octets.starts().all(<[u8]>::is_ascii);
            is_ascii && self.octets.all().is_ascii()
        })
    }

    /// Where the first octet above 7F is; the length where there is none.
    pub(super) fn first_above_ascii(&self) -> usize {
        let first = self.octets.starts().find_map(detect::first_above_ascii);
        first.unwrap_or_else(|| {
            let octets = self.octets.all();
            detect::first_above_ascii(octets).unwrap_or(octets.len())
        })
    }

    /// The octets as UTF-8, if they are, up to the last character that is whole.
    pub(super) fn utf8(&self) -> Option<&'o str> {
        *self.utf8.get_or_init(|| {
            if self.octets.starts().any(has_malformed) {
                return None;
            }
            let all = self.octets.all();
            let unfinished = if self.is_partial {
                charset::unfinished_utf8(all)
            } else {
                0
            };
            utf8::well_formed(all.get(..all.len() - unfinished).unwrap_or(all))
        })
    }

    /// Where the first character of several octets stands, and its length, if all octets are
    /// well-formed UTF-8 and there is one.
    pub(super) fn first_of_utf8(&self) -> Option<(usize, usize)> {
        if self.is_ascii() {
            return None;
        }
        let text = self.utf8()?;
        let first = self.first_above_ascii();
        let length = text.get(first..)?.chars().next()?.len_utf8();
        Some((first, length))
    }

    /// How much they look like UTF-8 that was cut or damaged.
    pub(super) fn likeness(&self) -> Likeness {
        *self.likeness.get_or_init(|| {
            let mut starts = self.octets.starts().map(Likeness::of);
            let settled = starts.find(|likeness| likeness.is_settled);
            settled.unwrap_or_else(|| Likeness::of(self.octets.all()))
        })
    }

    /// Whether a start of them bears UTF-8 out, whatever follows ([`Likeness::bears_out`]).
    pub(super) fn start_bears_utf8_out(&self) -> bool {
        self.octets.starts().any(Likeness::bears_out)
    }
}

/// Whether a start of octets has something in it that is no UTF-8, whatever follows: what its end
/// cuts may go on behind it.
fn has_malformed(start: &[u8]) -> bool {
    let malformed = utf8::malformed(start).next();
    malformed.is_some_and(|it| it.offset() + it.length() < start.len())
}
