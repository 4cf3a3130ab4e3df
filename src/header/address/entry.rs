//! The entries of an address list.

use std::borrow::Cow;

use crate::header::few::Few;
use crate::header::piece::{Piece, Text};

/// An entry of an address list.
pub(crate) enum Entry<'a> {
    Mailbox(WrittenMailbox<'a>),
    /// The start of a group, with its name. The mailboxes of the group follow.
    Group {
        name: Name<'a>,
        offset: usize,
        length: usize,
    },
    /// The end of the group, at this offset.
    EndOfGroup(usize),
}

/// A mailbox as written.
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
    /// Literal text on one line. Empty if there is no name.
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
