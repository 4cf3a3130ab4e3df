//! Mailboxes and groups.

use super::addr_spec;
use super::lines::FoldedLines;
use crate::error::Error;

/// A mailbox: a display name and an address in angle brackets, or the address alone if the name is empty
/// (RFC 5322, section 3.4).
///
/// The address is written verbatim. A non-ASCII address stays in UTF-8 (RFC 6532, section 3.2), and its
/// message must be sent by SMTPUTF8 (RFC 6531).
///
/// # Errors
///
/// Fails if `addr_spec` is not a local part, `@` and a domain (RFC 5322, section 3.4.1; RFC 6532, section
/// 3.2); if it has non-ASCII controls or white space, which some readers take for a line ending; or if it
/// has 900 octets or more. The offset is into the address. Adjacent dots and dots at an end are accepted,
/// since such mailboxes exist.
///
/// ```
/// use mime_charset::header::encode;
///
/// let to = encode::mailbox("Søndergaard", "soren@example.org", 4).unwrap();
/// assert_eq!(to, "=?UTF-8?Q?S=C3=B8ndergaard?= <soren@example.org>");
/// assert_eq!(encode::mailbox("", "soren@example.org", 4).unwrap(), "soren@example.org");
/// assert_eq!(encode::mailbox("", "jøran@blåbærsyltetøy.example", 4).unwrap(), "jøran@blåbærsyltetøy.example");
///
/// let error = encode::mailbox("", "a@example.org\r\nBcc: b@example.org", 4).unwrap_err();
/// assert_eq!(error.to_string(), "expected an address as in RFC 5322, found \"a@example.org\\r\\nBcc: b@example.org\"");
/// assert_eq!(error.offset(), Some(1));
/// ```
pub fn mailbox(display_name: &str, addr_spec: &str, column: usize) -> Result<String, Error> {
    mailboxes([(display_name, addr_spec)], column)
}

/// Mailboxes separated by commas: the body of To, Cc, From or Reply-To (RFC 5322, section 3.4). Each is
/// a display name and an address, as for [`mailbox`].
///
/// # Errors
///
/// As for [`mailbox`].
///
/// ```
/// use mime_charset::header::encode;
///
/// let to = encode::mailboxes([("Zoë", "z@example.org"), ("A. B.", "b@example.org")], 4).unwrap();
/// assert_eq!(to, "=?UTF-8?Q?Zo=C3=AB?= <z@example.org>, \"A. B.\" <b@example.org>");
/// ```
pub fn mailboxes<'a>(
    mailboxes: impl IntoIterator<Item = (&'a str, &'a str)>,
    column: usize,
) -> Result<String, Error> {
    let mailboxes = mailboxes.into_iter();
    addresses(
        mailboxes.map(|(name, address)| MailboxOrGroup::Mailbox(name, address)),
        column,
    )
}

/// A mailbox or a named group of mailboxes (RFC 5322, section 3.4).
///
/// ```
/// use mime_charset::header::encode::{self, MailboxOrGroup, Value};
///
/// let hidden = [MailboxOrGroup::Group("undisclosed-recipients", &[])];
/// let to = encode::field("To", Value::Addresses(&hidden))?;
/// assert_eq!(to, "To: undisclosed-recipients:;\r\n");
/// # Ok::<(), mime_charset::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MailboxOrGroup<'a> {
    /// A display name, which may be empty, and an address.
    Mailbox(&'a str, &'a str),
    /// The name of a group and its mailboxes, each a display name and an address. A group without
    /// mailboxes hides its members. An empty name is written as `""`, since a group needs a name.
    Group(&'a str, &'a [(&'a str, &'a str)]),
}

/// Mailboxes and groups separated by commas: the body of To, Cc, Bcc or Reply-To (RFC 5322, section 3.4).
/// RFC 6854 also allows groups in From and Sender.
///
/// # Errors
///
/// As for [`mailbox`].
///
/// ```
/// use mime_charset::header::encode::{self, MailboxOrGroup};
///
/// let team = [("Zoë", "z@example.org"), ("", "b@example.org")];
/// let all = [MailboxOrGroup::Group("Büro", &team), MailboxOrGroup::Mailbox("C.", "c@example.org")];
/// assert_eq!(
///     encode::addresses(all, 4)?,
///     "=?UTF-8?B?QsO8cm8=?=: =?UTF-8?Q?Zo=C3=AB?= <z@example.org>,\r\n b@example.org;, \"C.\" <c@example.org>"
/// );
/// # Ok::<(), mime_charset::Error>(())
/// ```
pub fn addresses<'a>(
    addresses: impl IntoIterator<Item = MailboxOrGroup<'a>>,
    column: usize,
) -> Result<String, Error> {
    let mut lines = FoldedLines::new(column);
    for (index, address) in addresses.into_iter().enumerate() {
        if let MailboxOrGroup::Mailbox(_, addr_spec) = address {
            addr_spec::check(addr_spec)?;
        }
        let tail = match address {
            MailboxOrGroup::Group(_, []) => ":;,".len(),
            _ => ",".len(),
        };
        let write = |lines: &mut FoldedLines| match address {
            MailboxOrGroup::Mailbox(name, addr_spec) => lines.mailbox(name, addr_spec, tail),
            MailboxOrGroup::Group(name, _) => lines.phrase(name, tail),
        };
        if index > 0 {
            lines.append_after(",", tail, write);
        } else {
            write(&mut lines);
        }
        if let MailboxOrGroup::Group(_, mailboxes) = address {
            group(&mut lines, mailboxes)?;
        }
    }
    Ok(lines.written)
}

/// Appends the mailboxes of a group and its semicolon.
fn group(lines: &mut FoldedLines, mailboxes: &[(&str, &str)]) -> Result<(), Error> {
    for (index, (name, addr_spec)) in mailboxes.iter().enumerate() {
        addr_spec::check(addr_spec)?;
        let mark = if index == 0 { ":" } else { "," };
        let tail = ";,".len();
        lines.append_after(mark, tail, |lines| lines.mailbox(name, addr_spec, tail));
    }
    lines.put(if mailboxes.is_empty() { ":;" } else { ";" });
    Ok(())
}
