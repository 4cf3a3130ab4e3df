//! What the beginning and the name of a file tell of what it holds.

use std::path::Path;

use super::mbox;

/// What a source holds.
///
/// ```
/// use mime_charset::archive::{Format, Limits, sources};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let folder = folder.path();
/// std::fs::write(folder.join("a"), "From: a@example.org\n\nText").unwrap();
/// std::fs::write(folder.join("b"), "From - Sat Jan  3 01:05:34 1996\n\nText").unwrap();
/// std::fs::write(folder.join("c"), "Text").unwrap();
/// let formats: Vec<_> =
///     sources(folder, Limits::new()).map(|source| source.unwrap().format()).collect();
/// assert_eq!(formats, [Format::Message, Format::Mbox, Format::Other]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// One message.
    Message,
    /// A mailbox: any number of messages.
    Mbox,
    /// The folder of a Maildir, which comes before the messages in it and has none of its own.
    Maildir,
    /// Neither mail nor a folder of it.
    Other,
}

impl Format {
    /// The word for it in reports: `message`, `mbox`, `maildir` or `other`.
    ///
    /// ```
    /// assert_eq!(mime_charset::archive::Format::Mbox.name(), "mbox");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Message => "message",
            Format::Mbox => "mbox",
            Format::Maildir => "maildir",
            Format::Other => "other",
        }
    }
}

pub(super) fn format(head: &[u8], name: &Path) -> Format {
    let extension = name
        .extension()
        .and_then(|extension| extension.to_str())
        .unwrap_or_default();
    let is_called = |names: &[&str]| {
        names
            .iter()
            .any(|name| extension.eq_ignore_ascii_case(name))
    };
    if is_called(&["eml"]) {
        Format::Message
    } else if mbox::begins(head) || is_called(&["mbox", "mbx"]) {
        Format::Mbox
    } else if has_header(head) {
        Format::Message
    } else if head.is_empty() && extension.is_empty() {
        // A mailbox from which all mail was taken.
        Format::Mbox
    } else {
        Format::Other
    }
}

/// Of mail in a format that is not read, which one it is and what reads it.
pub(super) fn unread_format(head: &[u8], name: &Path) -> Option<&'static str> {
    let extension = name.extension().and_then(|extension| extension.to_str());
    let is_called = |name: &str| extension.is_some_and(|it| it.eq_ignore_ascii_case(name));
    Some(match head {
        // [MS-PST], section 2.2.2.6: dwMagic; a file for Exchange (OST) has the same.
        [b'!', b'B', b'D', b'N', ..] => {
            "it is a PST or OST file of Outlook, of which readpst of libpst makes mailboxes"
        }
        // [MS-CFB], section 2.2: the header signature, which other documents have too.
        [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1, ..] if is_called("msg") => {
            "it is a message of Outlook (.msg), of which msgconvert of Email::Outlook::Message makes \
             a message"
        }
        // [MS-OXTNEF], section 2.1.3.1: TNEFSignature.
        [0x78, 0x9F, 0x3E, 0x22, ..] => {
            "it is TNEF (winmail.dat), which the program tnef takes apart"
        }
        // mmdf(5): four octets 01 and a line end before and behind each message.
        [1, 1, 1, 1, b'\n' | b'\r', ..] => {
            "it is a mailbox of MMDF, which mutt and Python's mailbox.MMDF read"
        }
        _ if head.starts_with(b"BABYL OPTIONS:") => {
            "it is a Babyl file of Rmail, which Emacs and Python's mailbox.Babyl read"
        }
        _ => return None,
    })
}

/// Whether it begins with header fields, one of which every mail program knows.
fn has_header(head: &[u8]) -> bool {
    const KNOWN: [&[u8]; 14] = [
        b"From",
        b"To",
        b"Cc",
        b"Subject",
        b"Date",
        b"Sender",
        b"Reply-To",
        b"Received",
        b"Return-Path",
        b"Delivered-To",
        b"Message-ID",
        b"MIME-Version",
        b"Content-Type",
        b"References",
    ];
    let mut known = false;
    for line in head.split(|octet| *octet == b'\n') {
        let line = line.trim_ascii_end();
        let name = line
            .split(|octet| *octet == b':')
            .next()
            .unwrap_or_default();
        if line.is_empty() {
            break;
        }
        let is_fold = matches!(line.first(), Some(b' ' | b'\t'));
        let is_field =
            name.len() < line.len() && name.trim_ascii_end().iter().all(u8::is_ascii_graphic);
        if !is_fold && !is_field {
            return known;
        }
        known |= !is_fold
            && KNOWN
                .iter()
                .any(|known| name.trim_ascii_end().eq_ignore_ascii_case(known));
    }
    known
}

/// What a file is compressed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Zip,
}

/// What the first octets show: RFC 1952, section 2.3.1; RFC 8878, section 3.1; of bzip2, the
/// header of a stream and the number that a block or the end of the stream begins with; The .xz File
/// Format, section 2.1.1.1; the local header of a zip file, or the end of one without entries.
pub(super) fn compression(head: &[u8]) -> Compression {
    match head {
        [0x1F, 0x8B, ..] => Compression::Gzip,
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Compression::Zstd,
        [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
            if rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17rE8P\x90") =>
        {
            Compression::Bzip2
        }
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Compression::Xz,
        [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Compression::Zip,
        _ => Compression::None,
    }
}
