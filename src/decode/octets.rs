//! The octets of a decision. The transfer encoding of a body is decoded only as far as the decision
//! needs.
//!
//! The first lines of a body reveal most charsets. Each rule of the decision therefore examines prefixes
//! of the body first, and the whole body only if no prefix is decisive.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::charset;
use crate::charset::utf8::{self, Reason};
use crate::detect::{self, Guess, Likeness};
use crate::transfer::{self, TransferEncoding};

/// Octets to decide a charset from.
#[derive(Clone, Copy)]
pub(crate) enum DecisionOctets<'o> {
    Whole(&'o [u8]),
    Lazy(&'o LazyBody<'o>),
}

impl<'o> DecisionOctets<'o> {
    /// All octets.
    pub(super) fn all(self) -> &'o [u8] {
        match self {
            DecisionOctets::Whole(octets) => octets,
            DecisionOctets::Lazy(body) => body.all(),
        }
    }

    /// Prefixes of a body, the shortest first. Yields nothing if all octets are already decoded.
    fn starts(self) -> impl Iterator<Item = &'o [u8]> {
        let body = match self {
            DecisionOctets::Whole(_) => None,
            DecisionOctets::Lazy(body) => Some(body),
        };
        body.into_iter().flat_map(LazyBody::starts)
    }

    /// A prefix of at least `least` octets, or all octets.
    pub(super) fn start(self, least: usize) -> &'o [u8] {
        let start = self.starts().find(|start| start.len() >= least);
        start.unwrap_or_else(|| self.all())
    }
}

/// The body of a part, whose transfer encoding is decoded on demand.
pub(crate) struct LazyBody<'m> {
    encoded: &'m [u8],
    encoding: TransferEncoding,
    starts: [OnceCell<Vec<u8>>; STARTS.len()],
    /// All decoded octets, once computed; the inner `None` means that they equal `encoded`.
    all: OnceCell<Option<Vec<u8>>>,
}

/// The number of encoded octets in each prefix. Most texts other than ASCII have an octet above 7F
/// in the first lines; most HTML pages have one only after the head.
const STARTS: [usize; 2] = [256, 4096];

impl<'m> LazyBody<'m> {
    pub(crate) fn new(encoded: &'m [u8], encoding: TransferEncoding) -> Self {
        LazyBody {
            encoded,
            encoding,
            starts: [const { OnceCell::new() }; STARTS.len()],
            all: OnceCell::new(),
        }
    }

    /// The octets of the first lines.
    pub(crate) fn first_lines(&self) -> &[u8] {
        let ([length, _], [start, _]) = (STARTS, &self.starts);
        self.start(length, start)
    }

    fn all(&self) -> &[u8] {
        let decoded = self.all.get_or_init(|| {
            match transfer::decode(self.encoded, self.encoding).into_octets() {
                Cow::Owned(octets) => Some(octets),
                Cow::Borrowed(_) => None,
            }
        });
        decoded.as_deref().unwrap_or(self.encoded)
    }

    /// The prefixes. Yields nothing for a short body, or once the whole body is decoded.
    fn starts(&self) -> impl Iterator<Item = &[u8]> {
        let starts = STARTS.iter().zip(&self.starts);
        starts
            .filter(|(length, _)| self.all.get().is_none() && **length < self.encoded.len())
            .map(|(length, start)| self.start(*length, start))
    }

    /// The octets decoded from the first `length` octets of the body: only those that later octets cannot
    /// change.
    fn start<'s>(&'s self, length: usize, start: &'s OnceCell<Vec<u8>>) -> &'s [u8] {
        let encoded = self.encoded.get(..length).unwrap_or(self.encoded);
        if !self.encoding.is_encoded() {
            return encoded;
        }
        start.get_or_init(|| transfer::decode_start(encoded, self.encoding))
    }
}

/// Facts about octets, each computed at most once.
pub(super) struct OctetFacts<'o> {
    pub(super) octets: DecisionOctets<'o>,
    /// Whether more octets follow, so that the last character may be truncated.
    is_partial: bool,
    is_ascii: OnceCell<bool>,
    utf8: OnceCell<Option<&'o str>>,
    likeness: OnceCell<Likeness>,
}

impl<'o> OctetFacts<'o> {
    pub(super) fn new(octets: DecisionOctets<'o>, is_partial: bool) -> Self {
        OctetFacts {
            octets,
            is_partial,
            is_ascii: OnceCell::new(),
            utf8: OnceCell::new(),
            likeness: OnceCell::new(),
        }
    }

    /// Whether all octets are US-ASCII.
    pub(super) fn is_ascii(&self) -> bool {
        *self.is_ascii.get_or_init(|| {
            let is_ascii = self.octets.starts().all(<[u8]>::is_ascii);
            is_ascii && self.octets.all().is_ascii()
        })
    }

    /// The offset of the first octet above 7F; the length if there is none.
    pub(super) fn first_above_ascii(&self) -> usize {
        let first = self.octets.starts().find_map(detect::first_above_ascii);
        first.unwrap_or_else(|| {
            let octets = self.octets.all();
            detect::first_above_ascii(octets).unwrap_or(octets.len())
        })
    }

    /// The octets as UTF-8; `None` if any are malformed. Partial octets end with their last whole
    /// character.
    pub(super) fn utf8(&self) -> Option<&'o str> {
        *self.utf8.get_or_init(|| {
            if self
                .octets
                .starts()
                .any(|start| first_damage(start).is_some())
            {
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

    /// The offset and the length of the first multi-octet character. `None` unless all octets are
    /// well-formed UTF-8.
    pub(super) fn first_of_utf8(&self) -> Option<(usize, usize)> {
        if self.is_ascii() {
            return None;
        }
        let text = self.utf8()?;
        let first = self.first_above_ascii();
        let length = text.get(first..)?.chars().next()?.len_utf8();
        Some((first, length))
    }

    /// CESU-8 or emacs-mule, if the octets are text in one of them. CESU-8 is UTF-8 except for surrogate
    /// pairs.
    pub(super) fn pairs(&self) -> Option<Guess> {
        let is_other = |start| {
            first_damage(start).is_some_and(|reason| reason != Reason::Surrogate)
                && detect::count_emacs_letters(start).is_none()
        };
        if self.octets.starts().any(is_other) {
            return None;
        }
        detect::by_pairs(self.octets.all())
    }

    /// Evidence that the octets are truncated or damaged UTF-8.
    pub(super) fn likeness(&self) -> Likeness {
        *self.likeness.get_or_init(|| {
            let mut starts = self.octets.starts().map(Likeness::of);
            let settled = starts.find(|likeness| likeness.is_settled);
            settled.unwrap_or_else(|| Likeness::of(self.octets.all()))
        })
    }

    /// Whether a prefix alone proves UTF-8 ([`Likeness::proves_utf8`]).
    pub(super) fn start_proves_utf8(&self) -> bool {
        self.octets.starts().any(Likeness::proves_utf8)
    }
}

/// The reason of the first malformed sequence in a prefix. A sequence truncated at the end of the prefix does
/// not count.
fn first_damage(start: &[u8]) -> Option<Reason> {
    let malformed = utf8::malformed(start).next()?;
    (malformed.offset + malformed.length < start.len()).then_some(malformed.reason)
}
