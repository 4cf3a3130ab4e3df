//! Mailboxes.

use super::addr_spec;
use super::lines::Lines;
use crate::error::Error;

/// A mailbox: a display name and an address in angle brackets, or the address alone where
/// the name is empty (RFC 5322, section 3.4).
///
/// The address is written as it is given; it may not be anything but an address. One that is
/// not in US-ASCII stays in UTF-8 (RFC 6532, section 3.2), and the message that it stands in
/// has to be sent by SMTPUTF8 (RFC 6531).
///
/// # Errors
///
/// An `addr_spec` that is not a local part, `@` and a domain (RFC 5322, section 3.4.1; RFC 6532,
/// section 3.2), with controls or white space outside US-ASCII in it, which some readers take for
/// the end of a line, or of 900 octets and more. Its offset counts octets of the address. Dots that
/// stand side by side or at an end are let pass, as there are such mailboxes.
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
/// assert_eq!(error.to_string(), "expected an address as RFC 5322 has it, found \"a@example.org\\r\\nBcc: b@example.org\"");
/// assert_eq!(error.offset(), Some(1));
/// ```
pub fn mailbox(display_name: &str, addr_spec: &str, column: usize) -> Result<String, Error> {
    mailboxes([(display_name, addr_spec)], column)
}

/// Mailboxes with commas between them: the body of To, Cc, From or Reply-To (RFC 5322,
/// section 3.4). Each is a display name and an address, as [`mailbox`] takes them.
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
    let mut lines = Lines::new(column);
    for (index, (display_name, addr_spec)) in mailboxes.into_iter().enumerate() {
        addr_spec::check(addr_spec)?;
        if index > 0 {
            lines.comma(|lines| lines.mailbox(display_name, addr_spec));
        }
        lines.mailbox(display_name, addr_spec);
    }
    Ok(lines.written)
}
