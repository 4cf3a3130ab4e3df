//! The addresses of a field, as they are given.

use std::borrow::Cow;
use std::slice;

use crate::header::few::Few;
use crate::header::piece::Piece;
use crate::report::Report;

/// A list of addresses (RFC 5322, section 3.4): what [`addresses()`](super::addresses) gives.
///
/// ```
/// use mime_charset::{Kind, header::{Address, addresses}};
///
/// let list = addresses(b"Friends: a@example.org, b@example.org;, c@example.org,");
/// assert!(matches!(list.as_slice(), [Address::Group(_), Address::Mailbox(_)]));
/// assert_eq!((list.iter().count(), list.mailboxes().count()), (2, 3));
/// let finding = &list.report().findings()[0];
/// assert_eq!((finding.kind(), finding.offset()), (Kind::SkippedText, 54));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressList<'a> {
    pub(super) addresses: Vec<Address<'a>>,
    pub(super) report: Report,
}

impl<'a> AddressList<'a> {
    /// How many mailboxes and groups of one field are read; what lies beyond is reported
    /// ([`Kind::LimitReached`](crate::Kind::LimitReached)).
    ///
    /// ```
    /// use mime_charset::{Kind, header::{AddressList, addresses}};
    ///
    /// let many = "a@b,".repeat(AddressList::MAX_COUNT + 1);
    /// let list = addresses(many.as_bytes());
    /// assert_eq!(list.as_slice().len(), AddressList::MAX_COUNT);
    /// assert!(list.report().has(Kind::LimitReached));
    /// ```
    pub const MAX_COUNT: usize = 16_384;

    /// The addresses in the order of the field.
    #[must_use]
    pub fn as_slice(&self) -> &[Address<'a>] {
        &self.addresses
    }

    /// The addresses one after another.
    pub fn iter(&self) -> slice::Iter<'_, Address<'a>> {
        self.addresses.iter()
    }

    /// Every mailbox in the order of the field, those in groups included.
    ///
    /// ```
    /// use mime_charset::header::addresses;
    ///
    /// let list = addresses(b"Friends: a@example.org, b@example.org;, c@example.org");
    /// let all: Vec<_> = list.mailboxes().map(|mailbox| mailbox.addr_spec()).collect();
    /// assert_eq!(all, [b"a@example.org", b"b@example.org", b"c@example.org"]);
    /// ```
    #[must_use]
    pub fn mailboxes(&self) -> Mailboxes<'_, 'a> {
        Mailboxes {
            addresses: self.addresses.iter(),
            group: [].iter(),
        }
    }

    /// Where the list departs from RFC 5322, section 3.4, and its encoded words from RFC 2047;
    /// offsets count octets of the field body.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl<'l, 'a> IntoIterator for &'l AddressList<'a> {
    type Item = &'l Address<'a>;
    type IntoIter = slice::Iter<'l, Address<'a>>;

    fn into_iter(self) -> Self::IntoIter {
        self.addresses.iter()
    }
}

/// Every mailbox of a list, those in groups included; made by [`AddressList::mailboxes`].
///
/// ```
/// use mime_charset::header::{Mailboxes, addresses};
///
/// let list = addresses(b"a@example.org, b@example.org");
/// let mailboxes: Mailboxes<'_, '_> = list.mailboxes();
/// assert_eq!(mailboxes.count(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Mailboxes<'l, 'a> {
    addresses: slice::Iter<'l, Address<'a>>,
    group: slice::Iter<'l, Mailbox<'a>>,
}

impl<'l, 'a> Iterator for Mailboxes<'l, 'a> {
    type Item = &'l Mailbox<'a>;

    fn next(&mut self) -> Option<&'l Mailbox<'a>> {
        loop {
            if let Some(mailbox) = self.group.next() {
                return Some(mailbox);
            }
            match self.addresses.next()? {
                Address::Mailbox(mailbox) => return Some(mailbox),
                Address::Group(group) => self.group = group.mailboxes.iter(),
            }
        }
    }
}

/// One member of a list of addresses (RFC 5322, section 3.4).
///
/// ```
/// use mime_charset::header::{Address, addresses};
///
/// let list = addresses(b"undisclosed-recipients:;");
/// let Address::Group(group) = &list.as_slice()[0] else { unreachable!() };
/// assert!(group.mailboxes().is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Address<'a> {
    /// One mailbox.
    Mailbox(Mailbox<'a>),
    /// Mailboxes under a name.
    Group(Group<'a>),
}

/// A mailbox: a name and an address (RFC 5322, section 3.4).
///
/// ```
/// use mime_charset::header::{Piece, addresses};
///
/// let list = addresses(b"a@example.org, =?utf-8?Q?J=C3=B8rn?= Doe <joern@example.org>");
/// let mailbox = list.mailboxes().nth(1).unwrap();
/// assert_eq!(mailbox.addr_spec(), b"joern@example.org");
/// assert!(matches!(mailbox.display_name(), [Piece::Word(_), Piece::Text(_)]));
/// assert_eq!((mailbox.offset(), mailbox.length()), (15, 45));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mailbox<'a> {
    pub(super) display_name: Few<Piece<'a>>,
    pub(super) addr_spec: Cow<'a, [u8]>,
    pub(super) is_name_from_comment: bool,
    pub(super) offset: usize,
    pub(super) length: usize,
}

impl<'a> Mailbox<'a> {
    /// The name for display, without quotes, quoted pairs and white space around it; empty
    /// where there is none.
    ///
    /// Where only what stands behind the address says who it is, a comment as in
    /// `joe@example.org (Joe)`, or text as in `joe@example.org Joe`, the name is that ([`Kind::NameFromComment`](crate::Kind::NameFromComment)).
    #[must_use]
    pub fn display_name(&self) -> &[Piece<'a>] {
        self.display_name.as_slice()
    }

    /// Whether the name is a comment, or text, behind the address ([`Kind::NameFromComment`](crate::Kind::NameFromComment)).
    ///
    /// ```
    /// use mime_charset::header::addresses;
    ///
    /// let list = addresses(b"joe@example.org (Joe), Mary <mary@example.org>");
    /// let told: Vec<_> = list.mailboxes().map(|mailbox| mailbox.is_name_from_comment()).collect();
    /// assert_eq!(told, [true, false]);
    /// ```
    #[must_use]
    pub fn is_name_from_comment(&self) -> bool {
        self.is_name_from_comment
    }

    /// The address (RFC 5322, section 3.4.1), without comments, white space and route, quotes
    /// included; empty where there is none. An encoded word in the address stays as it is written
    /// ([`Kind::EncodedWordKept`](crate::Kind::EncodedWordKept)). So does a character that an
    /// address may have only in quotes, such as a bracket
    /// ([`Kind::UnquotedSpecial`](crate::Kind::UnquotedSpecial)).
    #[must_use]
    pub fn addr_spec(&self) -> &[u8] {
        &self.addr_spec
    }

    /// How many octets of the field body lie before the mailbox.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets of the field body the mailbox takes.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }
}

/// A group: a name and mailboxes, of which there may be none (RFC 5322, section 3.4).
///
/// ```
/// use mime_charset::header::{Address, Piece, addresses};
///
/// let list = addresses(b"Friends: a@example.org;");
/// let Address::Group(group) = &list.as_slice()[0] else { unreachable!() };
/// assert!(matches!(group.name(), [Piece::Text(name)] if name.octets() == b"Friends"));
/// assert_eq!(group.mailboxes()[0].addr_spec(), b"a@example.org");
/// assert_eq!((group.offset(), group.length()), (0, 23));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group<'a> {
    pub(super) name: Vec<Piece<'a>>,
    pub(super) mailboxes: Vec<Mailbox<'a>>,
    pub(super) offset: usize,
    pub(super) length: usize,
}

impl<'a> Group<'a> {
    /// The name for display, as of a mailbox.
    #[must_use]
    pub fn name(&self) -> &[Piece<'a>] {
        &self.name
    }

    /// The mailboxes in the order of the field.
    #[must_use]
    pub fn mailboxes(&self) -> &[Mailbox<'a>] {
        &self.mailboxes
    }

    /// How many octets of the field body lie before the group.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets of the field body the group takes, its semicolon included.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }
}
