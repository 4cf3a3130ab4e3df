//! Address lists as text: From, To and the like.

use std::borrow::Cow;
use std::fmt::{self, Write as _};
use std::ops::ControlFlow;
use std::slice;
use std::str::Utf8Chunk;

use super::characters::{flag_characters, is_printable};
use super::field::phrase;
use super::field_text::FieldText;
use super::raw_octets::flag_kept_escapes;
use crate::charset::Options;
use crate::header::{self, Entry, Few, Piece};
use crate::report::{Kind, Report};

/// Decodes the body of From, To and the like with default [`Options`]: encoded words in names become
/// text, and addresses are converted to text (RFC 5322, section 3.4; RFC 2047, section 5; RFC 6532,
/// section 3.2).
///
/// Accepts any octets. The report has departures from the grammar; its offsets are into `body`. For a
/// field of a message, prefer [`Field::addresses`](crate::message::Field::addresses): it chooses the
/// charset of raw octets from the whole message.
///
/// A name with commas but without quotes is one name, as in `Doe, John <john@example.org>`, unless an
/// address precedes the last comma. Encoded words in addresses are not decoded.
///
/// ```
/// use mime_charset::decode;
///
/// let list = decode::addresses(b"=?euc-kr?B?sei5zrz2?= <kim@example.org>, lee@example.org (Lee)");
/// let [kim, lee] = &list.list[..] else { unreachable!() };
/// assert_eq!(kim.to_string(), "김민수 <kim@example.org>");
/// assert_eq!(lee.to_string(), "Lee <lee@example.org>");
/// ```
#[must_use]
pub fn addresses(body: &[u8]) -> Addresses<'_> {
    addresses_with(body, &Options::new())
}

/// Like [`addresses`], with these options.
///
/// ```
/// use mime_charset::{Charset, Options, decode};
///
/// let greek = Options::new().hint(Charset::for_label("iso-8859-7"));
/// let list = decode::addresses_with(b"\xC1\xED\xED\xE1 <anna@example.org>", &greek);
/// assert_eq!(list.mailboxes().next().unwrap().name, "Αννα");
/// ```
#[must_use]
pub fn addresses_with<'a>(body: &'a [u8], options: &Options) -> Addresses<'a> {
    Addresses::read(body, |name| phrase(name, options))
}

/// An address list (RFC 5322, section 3.4).
///
/// ```
/// use mime_charset::{Kind, Message, decode::{Address, Addresses}};
///
/// let message = Message::parse(b"To: Friends: a@example.org, b@example.org;, c@example.org,\n\n");
/// let list: Addresses<'_> = message.field("To").unwrap().addresses();
/// assert!(matches!(list.list[..], [Address::Group { .. }, Address::Mailbox(_)]));
/// let all: Vec<_> = list.mailboxes().map(|mailbox| &*mailbox.address).collect();
/// assert_eq!(all, ["a@example.org", "b@example.org", "c@example.org"]);
/// // Nothing follows the last comma.
/// assert!(list.report.has(Kind::SkippedText));
///
/// // The first so many of a field are read.
/// let many = "a@b,".repeat(Addresses::MAX_COUNT + 1);
/// let list = mime_charset::decode::addresses(many.as_bytes());
/// assert_eq!(list.list.len(), Addresses::MAX_COUNT);
/// assert!(list.report.has(Kind::LimitReached));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Addresses<'a> {
    /// The mailboxes and groups, in the order of the field.
    pub list: Vec<Address<'a>>,
    /// Assumptions, repairs and losses, in the list and in its names.
    pub report: Report,
}

impl<'a> Addresses<'a> {
    /// Maximum number of mailboxes and groups read from one field; further ones are reported
    /// ([`Kind::LimitReached`]).
    pub const MAX_COUNT: usize = header::MAX_ADDRESSES;

    pub(crate) fn read(body: &'a [u8], read_name: impl Fn(&[Piece<'a>]) -> FieldText<'a>) -> Self {
        // Enough for most fields, up to a few dozen mailboxes.
        let mut list = Vec::with_capacity((body.len() / 24 + 1).min(64));
        // Addresses in printable ASCII need no decoding.
        let plain = Some(body).filter(|body| is_printable(body));
        let mut reader = AddressDecoder {
            plain: plain.and_then(|body| str::from_utf8(body).ok()),
            read_name,
            report: Report::new(),
        };
        // The open group.
        let mut group: Option<Address<'a>> = None;
        let mut report = header::read_addresses(body, |entry| {
            match entry {
                Entry::Mailbox(mailbox) => {
                    let mailbox = reader.mailbox(mailbox);
                    match &mut group {
                        Some(Address::Group { mailboxes, .. }) => mailboxes.push(mailbox),
                        _ => list.push(Address::Mailbox(mailbox)),
                    }
                }
                Entry::Group {
                    name,
                    offset,
                    length,
                } => {
                    group = Some(Address::Group {
                        name: reader.name(&name),
                        mailboxes: Vec::new(),
                        offset,
                        length,
                    });
                }
                Entry::EndOfGroup(end) => {
                    if let Some(Address::Group { offset, length, .. }) = &mut group {
                        *length = end - *offset;
                    }
                    list.extend(group.take());
                }
            }
            ControlFlow::Continue(())
        });
        list.extend(group);
        if !reader.report.is_empty() {
            report.absorb(reader.report, 0);
        }
        // The `(` of an escape begins a comment.
        if report.has(Kind::Unterminated) {
            flag_kept_escapes(body, (0, body.len()), &mut report);
        }
        Addresses { list, report }
    }

    /// Adds `base` to all offsets.
    pub(crate) fn shift(&mut self, base: usize) {
        self.report.shift(base);
        for address in &mut self.list {
            match address {
                Address::Mailbox(mailbox) => mailbox.shift(base),
                Address::Group {
                    name,
                    mailboxes,
                    offset,
                    ..
                } => {
                    name.shift(base);
                    *offset += base;
                    for mailbox in mailboxes {
                        mailbox.shift(base);
                    }
                }
            }
        }
    }

    /// Iterates over all mailboxes in the order of the field, including those in groups.
    pub fn mailboxes(&self) -> impl Iterator<Item = &Mailbox<'a>> + Clone {
        self.list.iter().flat_map(|address| match address {
            Address::Mailbox(mailbox) => slice::from_ref(mailbox),
            Address::Group { mailboxes, .. } => mailboxes,
        })
    }
}

/// Decodes names and addresses.
struct AddressDecoder<'a, R> {
    /// The field body, if it is printable ASCII.
    plain: Option<&'a str>,
    read_name: R,
    report: Report,
}

impl<'a, R: Fn(&[Piece<'a>]) -> FieldText<'a>> AddressDecoder<'a, R> {
    fn name(&mut self, name: &Few<Piece<'a>>) -> FieldText<'a> {
        let text = (self.read_name)(name.as_slice());
        if !text.report.is_empty() {
            self.report.absorb(text.report.clone(), 0);
        }
        text
    }

    #[inline]
    fn mailbox(&mut self, mailbox: header::WrittenMailbox<'a>) -> Mailbox<'a> {
        let (offset, length) = (mailbox.offset, mailbox.length);
        let name = self.name(&mailbox.name);
        let start = mailbox.address_offset;
        let end = start + mailbox.addr_spec.len();
        let is_borrowed = matches!(mailbox.addr_spec, Cow::Borrowed(_));
        let plain = self.plain.filter(|_| is_borrowed);
        let (address, octets) = match plain.and_then(|plain| plain.get(start..end)) {
            Some(text) => (Cow::Borrowed(text), None),
            None => address_of(mailbox.addr_spec, (offset, length), &mut self.report),
        };
        Mailbox {
            name,
            address,
            octets,
            is_name_from_comment: mailbox.is_name_from_comment,
            offset,
            length,
        }
    }
}

/// A mailbox or a group (RFC 5322, section 3.4). [`Display`](fmt::Display) writes it for people, without
/// quotes around names.
///
/// ```
/// use mime_charset::decode::{self, Address};
///
/// let list = decode::addresses(b"\"Team, the\": a@example.org, B <b@example.org>;, c@example.org");
/// let [team, Address::Mailbox(c)] = &list.list[..] else { unreachable!() };
/// assert_eq!(team.to_string(), "Team, the: a@example.org, B <b@example.org>;");
/// let Address::Group { name, mailboxes, offset, length, .. } = team else { unreachable!() };
/// assert_eq!((name.as_str(), mailboxes.len()), ("Team, the", 2));
/// assert_eq!((*offset, *length, c.offset), (0, 46, 48));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Address<'a> {
    /// One mailbox.
    Mailbox(Mailbox<'a>),
    /// A named list of mailboxes.
    #[non_exhaustive]
    Group {
        /// The decoded name, with its charsets and its report.
        name: FieldText<'a>,
        /// The mailboxes, in the order of the field.
        mailboxes: Vec<Mailbox<'a>>,
        /// The offset of the group, counted as for a [mailbox](Mailbox::offset).
        offset: usize,
        /// The length of the group in octets, including its semicolon.
        length: usize,
    },
}

impl fmt::Display for Address<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Mailbox(mailbox) => mailbox.fmt(f),
            Address::Group {
                name, mailboxes, ..
            } => {
                write!(f, "{name}:")?;
                for (index, mailbox) in mailboxes.iter().enumerate() {
                    let separator = if index == 0 { " " } else { ", " };
                    write!(f, "{separator}{mailbox}")?;
                }
                f.write_str(";")
            }
        }
    }
}

/// A mailbox: a name and an address (RFC 5322, section 3.4).
///
/// ```
/// use mime_charset::decode;
///
/// let list = decode::addresses(b"=?utf-8?Q?J=C3=B8rn?= Doe <joern@example.org>, b@example.org (B)");
/// let [joern, b] = list.mailboxes().collect::<Vec<_>>()[..] else { unreachable!() };
/// assert_eq!((joern.name.as_str(), &*joern.address), ("Jørn Doe", "joern@example.org"));
/// assert_eq!(joern.octets(), b"joern@example.org");
/// assert_eq!((joern.offset, joern.length), (0, 45));
/// assert_eq!(joern.name.charsets()[0].charset.name(), "UTF-8");
/// assert!(b.name == "B" && b.is_name_from_comment && !joern.is_name_from_comment);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mailbox<'a> {
    /// The decoded name, without quotes, comments and surrounding white space, with its charsets; empty
    /// if there is none. The [report of the list](Addresses::report) includes its report.
    pub name: FieldText<'a>,
    /// The address as text, without comments, white space and route; empty if there is none. Quotes and
    /// encoded words are kept verbatim (RFC 2047, section 5).
    ///
    /// Two addresses of different octets never have the same text. An octet that is not well-formed
    /// UTF-8 (RFC 6532, section 3.2) is written as U+FFFD and its two hexadecimal digits. If the address
    /// itself contains U+FFFD, each of its three octets is written this way too.
    ///
    /// ```
    /// use mime_charset::decode;
    ///
    /// let list = decode::addresses("jörn@example.org".as_bytes());
    /// assert_eq!(list.mailboxes().next().unwrap().address, "jörn@example.org");
    ///
    /// let list = decode::addresses(b"j\xF6rn@example.org");
    /// let joern = list.mailboxes().next().unwrap();
    /// assert_eq!(joern.address, "j\u{FFFD}F6rn@example.org");
    /// assert_eq!(joern.octets(), b"j\xF6rn@example.org");
    /// ```
    pub address: Cow<'a, str>,
    /// The address verbatim, if it differs from its text.
    octets: Option<Cow<'a, [u8]>>,
    /// Whether the name follows the address, as a comment or as text: `joe@example.org (Joe)`,
    /// `joe@example.org Joe` ([`Kind::NameFromComment`]).
    pub is_name_from_comment: bool,
    /// The offset of the mailbox in the field body, or in the message if the list comes from a
    /// [`Field`](crate::message::Field).
    pub offset: usize,
    /// The length of the mailbox in octets.
    pub length: usize,
}

impl Mailbox<'_> {
    fn shift(&mut self, base: usize) {
        self.name.shift(base);
        self.offset += base;
    }

    /// The address as octets, without comments, white space and route, for sending or comparing.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        self.octets.as_deref().unwrap_or(self.address.as_bytes())
    }
}

/// The name and the address in angle brackets, or the address alone.
impl fmt::Display for Mailbox<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name.as_str(), &*self.address) {
            ("", address) => f.write_str(address),
            (name, "") => f.write_str(name),
            (name, address) => write!(f, "{name} <{address}>"),
        }
    }
}

/// The text of an address, and its octets if they differ. Reports characters other than printable ASCII.
fn address_of<'a>(
    octets: Cow<'a, [u8]>,
    (offset, length): (usize, usize),
    report: &mut Report,
) -> (Cow<'a, str>, Option<Cow<'a, [u8]>>) {
    let is_utf8 = str::from_utf8(&octets).is_ok();
    if !is_utf8 {
        let detail = "in an address: written as U+FFFD and hexadecimal digits";
        report.add(Kind::RawOctets, offset, length, detail);
    } else if !octets.is_ascii() {
        report.add(Kind::RawUtf8, offset, length, "in an address");
    }
    let text = match octets {
        Cow::Borrowed(octets) => address_text(octets),
        Cow::Owned(ref octets) => Cow::Owned(address_text(octets).into_owned()),
    };
    if !is_printable(&octets) {
        flag_characters(&text, offset, length, report);
    }
    let differs = text.as_bytes() != &*octets;
    (text, differs.then_some(octets))
}

/// The text of an address or an identifier. The octets can be restored from the text.
pub(crate) fn address_text(octets: &[u8]) -> Cow<'_, str> {
    const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;
    if let Ok(text) = str::from_utf8(octets)
        && !text.contains(REPLACEMENT)
    {
        return Cow::Borrowed(text);
    }
    // U+FFFD and two digits for each of its octets.
    let length = |chunk: Utf8Chunk<'_>| {
        let kept = chunk.valid().len() + 12 * chunk.valid().matches(REPLACEMENT).count();
        kept + 5 * chunk.invalid().len()
    };
    let mut text = String::with_capacity(octets.utf8_chunks().map(length).sum());
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

    /// Restores the octets, as [`address_text`] promises.
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
    fn the_octets_of_an_address_can_be_restored_from_its_text() {
        // All sequences of three octets from a few of each kind: ASCII, hexadecimal digits, the
        // octets of U+FFFD, a lead octet, a continuation octet, and one that is invalid in UTF-8.
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

    /// RFC 2047, section 5: an addr-spec has no encoded words; RFC 5322, section 3.4.
    #[test]
    fn names_and_addresses_of_a_list() {
        let shown = |body: &[u8]| {
            let list = addresses(body);
            let shown: Vec<_> = list.list.iter().map(ToString::to_string).collect();
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
