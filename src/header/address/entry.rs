//! The parts of a list of addresses.

use std::borrow::Cow;

use crate::header::few::Few;
use crate::header::piece::{Piece, Text};

/// A part of a list of addresses.
pub(crate) enum Entry<'a> {
    Mailbox(WrittenMailbox<'a>),
    /// The start of a group, whose mailboxes follow, with the range of its name.
    Group {
        name: Name<'a>,
        offset: usize,
        length: usize,
    },
    /// The group ends at this offset.
    EndOfGroup(usize),
}

/// A mailbox as it is written.
pub(crate) struct WrittenMailbox<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) addr_spec: Cow<'a, [u8]>,
    /// Offset of the address.
    pub(crate) address_offset: usize,
    pub(crate) is_name_from_comment: bool,
    pub(crate) offset: usize,
    pub(crate) length: usize,
}

/// A name without quotes, quoted pairs and surrounding white space.
pub(crate) enum Name<'a> {
    /// Literal text on one line; empty if there is no name.
    Literal(Text<'a>),
    Pieces(Few<Piece<'a>>),
}

impl<'a> Name<'a> {
    pub(super) const NOTHING: Self = Name::Literal(Text {
        octets: b"",
        offset: 0,
        between_words: false,
    });

    pub(super) fn of(pieces: Few<Piece<'a>>) -> Self {
        if pieces.is_empty() {
            return Name::NOTHING;
        }
        Name::Pieces(pieces)
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Name::Literal(text) if text.octets.is_empty())
    }
}
