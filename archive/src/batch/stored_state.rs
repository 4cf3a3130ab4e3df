//! What a mail store records about a message: flags, labels and a thread.

use std::path::Path;

use mime_charset::Message;
use mime_charset::message::Field;
use serde::Serialize;

/// What a mail store records about a message, in its header or its file name.
///
/// ```
/// use mime_charset::Message;
/// use mime_charset_archive::StoredState;
///
/// let message = Message::parse(
///     b"X-Mozilla-Status: 0009\nX-Gmail-Labels: =?utf-8?Q?Re=C3=A7us?=,\"a, b\"\nX-GM-THRID: 17\n\n",
/// );
/// let state = StoredState::of("Maildir/cur/1:2,F".as_ref(), &message);
/// assert_eq!(state.flags, ["seen", "flagged", "deleted"]);
/// assert_eq!(state.labels, ["Reçus", "a, b"]);
/// assert_eq!(state.thread.as_deref(), Some("17"));
/// assert!(state.is_deleted() && !state.is_empty());
/// assert!(StoredState::of("1.eml".as_ref(), &Message::parse(b"\n")).is_empty());
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StoredState {
    /// The flags that are set, of `seen`, `answered`, `forwarded`, `flagged`, `draft` and
    /// `deleted`, in this order. Read from Thunderbird's X-Mozilla-Status and X-Mozilla-Status2,
    /// from Status and X-Status of mutt, Pine and UW-IMAP, and from the file name in a Maildir.
    pub flags: Vec<&'static str>,
    /// Gmail labels, decoded from X-Gmail-Labels.
    pub labels: Vec<String>,
    /// The Gmail thread, from X-GM-THRID.
    pub thread: Option<String>,
}

/// The flags with their encodings; an empty string if the format has no letter for the flag:
///
/// - bits of X-Mozilla-Status and X-Mozilla-Status2 (`nsMsgMessageFlags` in Thunderbird)
/// - letters of Status and X-Status (c-client), and of a Maildir file name
///   (<https://cr.yp.to/proto/maildir.html>)
const FLAGS: [(&str, [u32; 2], [&str; 3]); 6] = [
    ("seen", [0x1, 0], ["R", "", "S"]),
    ("answered", [0x2, 0], ["", "A", "R"]),
    ("forwarded", [0x1000, 0], ["", "", "P"]),
    ("flagged", [0x4, 0], ["", "F", "F"]),
    ("draft", [0, 0], ["", "T", "D"]),
    ("deleted", [0x8, 0x20_0000], ["", "D", "T"]),
];

impl StoredState {
    /// The state of a message stored under this file or member name.
    #[must_use]
    pub fn of(name: &Path, message: &Message<'_>) -> Self {
        let mut state = StoredState::default();
        let (mut bits, mut more_bits) = (0, 0);
        let (mut status, mut x_status) = (String::new(), String::new());
        // Few field names begin with these letters.
        let is_candidate =
            |field: &Field<'_>| matches!(field.name(), [b'S' | b's' | b'X' | b'x', ..]);
        for field in message.fields().filter(is_candidate) {
            let is = |name: &str| field.name().eq_ignore_ascii_case(name.as_bytes());
            if is("X-Mozilla-Status") {
                bits |= hexadecimal(&field);
            } else if is("X-Mozilla-Status2") {
                more_bits |= hexadecimal(&field);
            } else if is("Status") {
                status += field.text().as_str();
            } else if is("X-Status") {
                x_status += field.text().as_str();
            } else if is("X-Gmail-Labels") {
                state.labels.extend(listed(field.text().as_str()));
            } else if is("X-GM-THRID") {
                state.thread = Some(field.text().one_line().into_owned());
            }
        }
        let in_name = maildir_flags(name).unwrap_or_default();
        let has = |text: &str, letter: &str| !letter.is_empty() && text.contains(letter);
        for (name, [bit, more_bit], [letter, x_letter, name_letter]) in FLAGS {
            let is_set = bits & bit != 0
                || more_bits & more_bit != 0
                || has(&status, letter)
                || has(&x_status, x_letter)
                || has(in_name, name_letter);
            if is_set {
                state.flags.push(name);
            }
        }
        state
    }

    /// Whether the mail store has marked the message as deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.flags.contains(&"deleted")
    }

    /// Whether the mail store recorded nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flags.is_empty() && self.labels.is_empty() && self.thread.is_none()
    }
}

/// The hexadecimal number in a field; 0 if malformed.
fn hexadecimal(field: &Field<'_>) -> u32 {
    let text = std::str::from_utf8(field.body()).unwrap_or_default();
    u32::from_str_radix(text.trim(), 16).unwrap_or_default()
}

/// Parses a comma-separated list of labels; a label with a comma is quoted.
fn listed(list: &str) -> Vec<String> {
    let mut labels = vec![String::new()];
    let mut is_quoted = false;
    for character in list.chars() {
        match (character, labels.last_mut()) {
            ('"', _) => is_quoted = !is_quoted,
            (',', _) if !is_quoted => labels.push(String::new()),
            (_, Some(label)) => label.push(character),
            (_, None) => {}
        }
    }
    let labels = labels.into_iter().map(|label| label.trim().to_owned());
    labels.filter(|label| !label.is_empty()).collect()
}

/// The letters after `:2,` in a file name. On Windows `;` or `!` replaces the colon.
fn maildir_flags(name: &Path) -> Option<&str> {
    if name.parent()?.file_name()? != "cur" {
        return None;
    }
    let name = name.file_name()?.to_str()?;
    let (before, flags) = name.rsplit_once("2,")?;
    before.ends_with([':', ';', '!']).then_some(flags)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use mime_charset::Message;

    use super::{StoredState, listed};

    fn flags(name: &str, header: &str) -> String {
        let message = format!("{header}\n\n");
        let message = Message::parse(message.as_bytes());
        StoredState::of(Path::new(name), &message).flags.join(" ")
    }

    #[test]
    fn each_store_has_its_flags() {
        for (name, header, expected) in [
            // nsMsgMessageFlags: Read, Replied, Marked, Expunged, Forwarded, Attachment.
            ("a", "X-Mozilla-Status: 0001", "seen"),
            ("a", "X-Mozilla-Status: 0002", "answered"),
            ("a", "X-Mozilla-Status: 0004", "flagged"),
            ("a", "X-Mozilla-Status: 0008", "deleted"),
            ("a", "x-mozilla-status: 1003", "seen answered forwarded"),
            ("a", "X-Mozilla-Status: 8000", ""),
            ("a", "X-Mozilla-Status2: 10000000", ""),
            ("a", "X-Mozilla-Status2: 00200000", "deleted"),
            ("a", "X-Mozilla-Status: none", ""),
            ("a", "Status: RO", "seen"),
            ("a", "Status: =?utf-8?Q?=00?=", ""),
            ("a", "Status: O", ""),
            (
                "a",
                "Status: R\nX-Status: AFTD",
                "seen answered flagged draft deleted",
            ),
            ("a", "Subject: X-Status: D", ""),
            ("cur/1.a.b:2,", "", ""),
            (
                "md/cur/1.a.b:2,PRSTDF",
                "",
                "seen answered forwarded flagged draft deleted",
            ),
            ("md/cur/1.a.b,S=12:2,Sab", "", "seen"),
            ("md/cur/1.a.b;2,T", "", "deleted"),
            ("md/new/1.a.b:2,S", "", ""),
            ("md/cur/12,T", "", ""),
        ] {
            assert_eq!(flags(name, header), expected, "{name} {header}");
        }
    }

    #[test]
    fn labels_are_a_quoted_list() {
        assert_eq!(listed("Inbox,\"a, b\", c"), ["Inbox", "a, b", "c"]);
        assert_eq!(listed(",, "), [""; 0]);
        assert_eq!(listed("\"a"), ["a"]);
    }
}
