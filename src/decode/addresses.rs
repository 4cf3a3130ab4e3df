//! Lists of addresses as text: who is in From, To and the like.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::{slice, vec};

use super::characters::{flag_characters, is_printable};
use super::field::phrase;
use super::field_text::FieldText;
use crate::charset::Options;
use crate::header::{self, Address, AddressList, Group, Mailbox, Piece};
use crate::report::{Kind, Report};

/// Reads the body of From, To and the like: names decoded, addresses as text (RFC 5322, section 3.4;
/// RFC 2047, section 5; RFC 6532, section 3.2).
///
/// Any octets are read; what departs from the grammar is in the report, whose offsets count octets of
/// `body`. Of a message, [`Field::addresses`](crate::message::Field::addresses) knows more about the
/// charset of raw octets.
///
/// ```
/// use mime_charset::{Options, decode};
///
/// let body = b"=?euc-kr?B?sei5zrz2?= <kim@example.org>, lee@example.org (Lee)";
/// let list = decode::addresses(body, &Options::new());
/// let [kim, lee] = list.as_slice() else { unreachable!() };
/// assert_eq!(kim.to_string(), "김민수 <kim@example.org>");
/// assert_eq!(lee.to_string(), "Lee <lee@example.org>");
/// ```
#[must_use]
pub fn addresses(body: &[u8], options: &Options) -> AddressTexts {
    AddressTexts::read(&header::addresses(body), |name| phrase(name, options))
}

/// The addresses of a field, decoded; they borrow nothing.
///
/// ```
/// use mime_charset::{Kind, Message, Options, decode::AddressText};
///
/// let message = Message::parse(b"To: Friends: a@example.org, b@example.org;, c@example.org,\n\n");
/// let list = message.field("To").unwrap().addresses(&Options::new());
/// assert!(matches!(list.as_slice(), [AddressText::Group(_), AddressText::Mailbox(_)]));
/// let all: Vec<_> = list.mailboxes().map(|mailbox| mailbox.address()).collect();
/// assert_eq!(all, ["a@example.org", "b@example.org", "c@example.org"]);
/// // A comma with nothing behind it.
/// assert!(list.report().has(Kind::SkippedText));
/// assert_eq!(list.iter().count(), 2);
/// for address in &list {
///     assert!(!address.to_string().is_empty());
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressTexts {
    addresses: Vec<AddressText>,
    report: Report,
}

impl AddressTexts {
    pub(crate) fn read<'a>(
        list: &AddressList<'a>,
        read_name: impl Fn(&[Piece<'a>]) -> FieldText<'a>,
    ) -> Self {
        let mut found = Found {
            report: list.report().clone(),
            read_name,
        };
        let addresses = list
            .as_slice()
            .iter()
            .map(|address| match address {
                Address::Mailbox(mailbox) => {
                    AddressText::Mailbox(MailboxText::read(mailbox, &mut found))
                }
                Address::Group(group) => AddressText::Group(GroupText::read(group, &mut found)),
            })
            .collect();
        AddressTexts {
            addresses,
            report: found.report,
        }
    }

    /// Lets its offsets count from `base` octets further ahead in the source.
    pub(crate) fn shift(&mut self, base: usize) {
        self.report.shift(base);
        for address in &mut self.addresses {
            match address {
                AddressText::Mailbox(mailbox) => mailbox.shift(base),
                AddressText::Group(group) => group.shift(base),
            }
        }
    }

    /// The mailboxes and groups, in the order of the field.
    #[must_use]
    pub fn as_slice(&self) -> &[AddressText] {
        &self.addresses
    }

    /// The mailboxes and groups one after another.
    pub fn iter(&self) -> slice::Iter<'_, AddressText> {
        self.addresses.iter()
    }

    /// Every mailbox in the order of the field, those in groups included.
    #[must_use]
    pub fn mailboxes(&self) -> MailboxTexts<'_> {
        MailboxTexts {
            addresses: self.addresses.iter(),
            group: [].iter(),
        }
    }

    /// What was assumed, repaired or lost, in the list and in its names.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// What is found in a list while its names are read.
struct Found<R> {
    report: Report,
    read_name: R,
}

impl<'a, R: Fn(&[Piece<'a>]) -> FieldText<'a>> Found<R> {
    fn name(&mut self, pieces: &[Piece<'a>]) -> FieldText<'static> {
        let mut text = (self.read_name)(pieces).into_owned();
        self.report.absorb(std::mem::take(&mut text.report), 0);
        text
    }

    /// Reports the characters of an address that is more than printable ASCII.
    #[cold]
    fn flag_address(&mut self, octets: &[u8], address: &str, place: (usize, usize)) {
        let (offset, length) = place;
        if str::from_utf8(octets).is_err() {
            let detail = "in an address: written as U+FFFD and hexadecimal digits";
            self.report.add(Kind::RawOctets, offset, length, detail);
        } else if !octets.is_ascii() {
            self.report
                .add(Kind::RawUtf8, offset, length, "in an address");
        }
        flag_characters(address, offset, length, &mut self.report);
    }
}

impl<'t> IntoIterator for &'t AddressTexts {
    type Item = &'t AddressText;
    type IntoIter = slice::Iter<'t, AddressText>;

    fn into_iter(self) -> Self::IntoIter {
        self.addresses.iter()
    }
}

impl IntoIterator for AddressTexts {
    type Item = AddressText;
    type IntoIter = vec::IntoIter<AddressText>;

    fn into_iter(self) -> Self::IntoIter {
        self.addresses.into_iter()
    }
}

/// Every mailbox of a list; made by [`AddressTexts::mailboxes`].
///
/// ```
/// use mime_charset::{Options, decode::{self, MailboxTexts}};
///
/// let list = decode::addresses(b"undisclosed-recipients:;", &Options::new());
/// let none: MailboxTexts<'_> = list.mailboxes();
/// assert_eq!(none.count(), 0);
/// ```
#[derive(Debug, Clone)]
pub struct MailboxTexts<'t> {
    addresses: slice::Iter<'t, AddressText>,
    group: slice::Iter<'t, MailboxText>,
}

impl<'t> Iterator for MailboxTexts<'t> {
    type Item = &'t MailboxText;

    fn next(&mut self) -> Option<&'t MailboxText> {
        loop {
            if let Some(mailbox) = self.group.next() {
                return Some(mailbox);
            }
            match self.addresses.next()? {
                AddressText::Mailbox(mailbox) => return Some(mailbox),
                AddressText::Group(group) => self.group = group.mailboxes.iter(),
            }
        }
    }
}

/// One member of a list of addresses (RFC 5322, section 3.4). [`Display`](fmt::Display) writes it
/// for people, who read it on a line: names are not quoted.
///
/// ```
/// use mime_charset::{Options, decode::{self, AddressText}};
///
/// let list = decode::addresses(b"\"Team, the\": a@example.org, B <b@example.org>;", &Options::new());
/// assert_eq!(list.as_slice()[0].to_string(), "Team, the: a@example.org, B <b@example.org>;");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddressText {
    /// One mailbox.
    Mailbox(MailboxText),
    /// Mailboxes under a name.
    Group(GroupText),
}

impl fmt::Display for AddressText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddressText::Mailbox(mailbox) => mailbox.fmt(f),
            AddressText::Group(group) => group.fmt(f),
        }
    }
}

/// A mailbox: a name and an address.
///
/// ```
/// use mime_charset::{Options, decode};
///
/// let list = decode::addresses(b"=?utf-8?Q?J=C3=B8rn?= Doe <joern@example.org>", &Options::new());
/// let joern = list.mailboxes().next().unwrap();
/// assert_eq!((joern.name(), joern.address()), ("Jørn Doe", "joern@example.org"));
/// assert_eq!(joern.octets(), b"joern@example.org");
/// assert!(!joern.is_name_from_comment());
/// assert_eq!((joern.offset(), joern.length()), (0, 45));
/// assert_eq!(joern.name_text().charsets()[0].charset().name(), "UTF-8");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxText {
    name: FieldText<'static>,
    address: String,
    /// The address as it is written, where that is not its text.
    octets: Option<Vec<u8>>,
    is_name_from_comment: bool,
    offset: usize,
    length: usize,
}

impl MailboxText {
    fn read<'a, R: Fn(&[Piece<'a>]) -> FieldText<'a>>(
        mailbox: &Mailbox<'a>,
        found: &mut Found<R>,
    ) -> Self {
        let octets = mailbox.addr_spec();
        let name = found.name(mailbox.display_name());
        let plain = str::from_utf8(octets).ok().filter(|_| is_printable(octets));
        let address = plain.map_or_else(
            || {
                let address = address_text(octets);
                let place = (mailbox.offset(), mailbox.length());
                found.flag_address(octets, &address, place);
                address
            },
            Cow::Borrowed,
        );
        MailboxText {
            name,
            octets: (address.as_bytes() != octets).then(|| octets.to_vec()),
            address: address.into_owned(),
            is_name_from_comment: mailbox.is_name_from_comment(),
            offset: mailbox.offset(),
            length: mailbox.length(),
        }
    }

    fn shift(&mut self, base: usize) {
        self.name.shift(base);
        self.offset += base;
    }

    /// The name, decoded; empty where there is none.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The name with the charsets that it was read in. What was found in it is in the
    /// [`report`](AddressTexts::report) of the list.
    #[must_use]
    pub fn name_text(&self) -> &FieldText<'static> {
        &self.name
    }

    /// The address as text, without comments and white space; empty where there is none. No
    /// encoded word in it is decoded (RFC 2047, section 5).
    ///
    /// Two addresses of different octets never have the same text. An octet that is not part of
    /// well-formed UTF-8 (RFC 6532, section 3.2) is written as U+FFFD and its two hexadecimal
    /// digits. If the address itself holds a U+FFFD, each of its three octets is written in this
    /// way too.
    ///
    /// ```
    /// use mime_charset::{Options, decode};
    ///
    /// let list = decode::addresses("jörn@example.org, ".as_bytes(), &Options::new());
    /// assert_eq!(list.mailboxes().next().unwrap().address(), "jörn@example.org");
    ///
    /// let list = decode::addresses(b"j\xF6rn@example.org", &Options::new());
    /// let joern = list.mailboxes().next().unwrap();
    /// assert_eq!(joern.address(), "j\u{FFFD}F6rn@example.org");
    /// assert_eq!(joern.octets(), b"j\xF6rn@example.org");
    /// ```
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The address as octets, without comments and white space, to send mail to or to compare.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        self.octets.as_deref().unwrap_or(self.address.as_bytes())
    }

    /// Whether only what stands behind the address says who it is: a comment, as in
    /// `joe@example.org (Joe)`, or text, as in `joe@example.org Joe`.
    #[must_use]
    pub fn is_name_from_comment(&self) -> bool {
        self.is_name_from_comment
    }

    /// How many octets lie before the mailbox: of the field body, or of the message where a
    /// [`Field`](crate::message::Field) gave the list.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets the mailbox takes.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }
}

/// The name and the address in angle brackets, or the address alone.
impl fmt::Display for MailboxText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name(), self.address()) {
            ("", address) => f.write_str(address),
            (name, "") => f.write_str(name),
            (name, address) => write!(f, "{name} <{address}>"),
        }
    }
}

/// A group: a name and mailboxes, of which there may be none.
///
/// ```
/// use mime_charset::{Options, decode::{self, AddressText}};
///
/// let list = decode::addresses(b"undisclosed-recipients:;", &Options::new());
/// let [AddressText::Group(group)] = list.as_slice() else { unreachable!() };
/// assert_eq!((group.name(), group.mailboxes().len()), ("undisclosed-recipients", 0));
/// assert_eq!((group.offset(), group.length()), (0, 24));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupText {
    name: FieldText<'static>,
    mailboxes: Vec<MailboxText>,
    offset: usize,
    length: usize,
}

impl GroupText {
    fn read<'a, R: Fn(&[Piece<'a>]) -> FieldText<'a>>(
        group: &Group<'a>,
        found: &mut Found<R>,
    ) -> Self {
        GroupText {
            name: found.name(group.name()),
            mailboxes: group
                .mailboxes()
                .iter()
                .map(|mailbox| MailboxText::read(mailbox, found))
                .collect(),
            offset: group.offset(),
            length: group.length(),
        }
    }

    fn shift(&mut self, base: usize) {
        self.name.shift(base);
        self.offset += base;
        for mailbox in &mut self.mailboxes {
            mailbox.shift(base);
        }
    }

    /// The name, decoded.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_str()
    }

    /// The mailboxes, in the order of the field.
    #[must_use]
    pub fn mailboxes(&self) -> &[MailboxText] {
        &self.mailboxes
    }

    /// How many octets lie before the group, counted as of a [mailbox](MailboxText::offset).
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets the group takes, its semicolon included.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }
}

impl fmt::Display for GroupText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name())?;
        for (place, mailbox) in self.mailboxes.iter().enumerate() {
            let separator = if place == 0 { " " } else { ", " };
            write!(f, "{separator}{mailbox}")?;
        }
        f.write_str(";")
    }
}

/// The text of an address, from which its octets can be told again.
fn address_text(octets: &[u8]) -> Cow<'_, str> {
    const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;
    if let Ok(text) = str::from_utf8(octets)
        && !text.contains(REPLACEMENT)
    {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(2 * octets.len());
    let escape = |text: &mut String, octets: &[u8]| {
        for octet in octets {
            // Writing to a String does not fail.
            let _ = write!(text, "{REPLACEMENT}{octet:02X}");
        }
    };
    for chunk in octets.utf8_chunks() {
        for (place, valid) in chunk.valid().split(REPLACEMENT).enumerate() {
            if place > 0 {
                escape(&mut text, REPLACEMENT.encode_utf8(&mut [0; 4]).as_bytes());
            }
            text.push_str(valid);
        }
        escape(&mut text, chunk.invalid());
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::{address_text, addresses};
    use crate::charset::Options;

    /// What [`address_text`] promises: the octets again.
    fn octets_of(text: &str) -> Vec<u8> {
        let mut octets = Vec::new();
        let mut rest = text;
        while let Some(character) = rest.chars().next() {
            if character == '\u{FFFD}' {
                octets.push(u8::from_str_radix(&rest[3..5], 16).unwrap());
                rest = &rest[5..];
            } else {
                let length = character.len_utf8();
                octets.extend_from_slice(&rest.as_bytes()[..length]);
                rest = &rest[length..];
            }
        }
        octets
    }

    #[test]
    fn the_octets_of_an_address_can_be_told_from_its_text() {
        // All of three octets out of a few of each kind: ASCII, hexadecimal digits, the octets
        // of U+FFFD, a lead octet, a continuation octet, and one that is in no UTF-8.
        let alphabet = [b'a', b'F', b'6', 0xEF, 0xBF, 0xBD, 0xC3, 0xA9, 0xFF];
        for one in alphabet {
            for two in alphabet {
                for three in alphabet {
                    let octets = [one, two, three];
                    let text = address_text(&octets);
                    assert_eq!(octets_of(&text), octets, "{text}");
                }
            }
        }
        assert_eq!(
            address_text("ö\u{FFFD}".as_bytes()),
            "ö\u{FFFD}EF\u{FFFD}BF\u{FFFD}BD"
        );
    }

    /// RFC 2047, section 5: no encoded word is in an addr-spec; RFC 5322, section 3.4.
    #[test]
    fn names_and_addresses_of_a_list() {
        let options = Options::new();
        let shown = |body: &[u8]| {
            let list = addresses(body, &options);
            let shown: Vec<_> = list.iter().map(ToString::to_string).collect();
            shown.join(" | ")
        };
        for (body, expected) in [
            ("a@b.example", "a@b.example"),
            ("<a@b.example>", "a@b.example"),
            ("\"A, B\" <a@b.example>", "A, B <a@b.example>"),
            ("=?utf-8?q?a=40b?=@c.example", "=?utf-8?q?a=40b?=@c.example"),
            ("G: a@b.example;", "G: a@b.example;"),
            ("G:;", "G:;"),
            ("a@b.example (=?utf-8?q?=C3=A9?=)", "é <a@b.example>"),
            ("(Nobody)", "Nobody"),
            ("", ""),
        ] {
            assert_eq!(shown(body.as_bytes()), expected, "{body}");
        }
    }
}
