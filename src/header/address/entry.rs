//! The entries of an address list.

use std::borrow::Cow;

use crate::header::few::Few;
use crate::header::piece::Piece;

/// An entry of an address list.
pub(crate) enum Entry<'a> {
    Mailbox(WrittenMailbox<'a>),
    /// The start of a group, with its name. The mailboxes of the group follow.
    Group {
        name: Few<Piece<'a>>,
        offset: usize,
        length: usize,
    },
    /// The end of the group, at this offset.
    EndOfGroup(usize),
}

/// A mailbox as written.
pub(crate) struct WrittenMailbox<'a> {
    /// The name without quotes, quoted pairs and surrounding white space.
    pub(crate) name: Few<Piece<'a>>,
    pub(crate) addr_spec: Cow<'a, [u8]>,
    /// Offset of the address.
    pub(crate) address_offset: usize,
    pub(crate) is_name_from_comment: bool,
    pub(crate) offset: usize,
    pub(crate) length: usize,
}
