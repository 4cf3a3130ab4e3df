//! Detects the format of a file from its beginning and its name.

use std::ffi::OsStr;
use std::ops::Range;
use std::path::Path;

use memchr::memchr;
use mime_charset::Message;

use crate::error::Error;
use crate::foreign::{own_file, unread_format};
use crate::mbox;

/// The contents of a source.
///
/// ```
/// use mime_charset_archive::{Format, Limits, sources};
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
    /// A mailbox with any number of messages.
    Mbox,
    /// The folder of a Maildir. It precedes its messages and has none itself.
    Maildir,
    /// The file `.mh_sequences`: its folder is an MH folder. It has no messages; a conversion copies
    /// it, so that the result is an MH folder too.
    Mh,
    /// Neither mail nor a Maildir.
    Other,
}

impl Format {
    /// Detects the format of a file from its beginning and its name. The first 64 KiB suffice;
    /// expand a compressed file first.
    ///
    /// # Errors
    ///
    /// Fails for mail in an unsupported format: one sentence with its name and a program that reads
    /// it.
    ///
    /// ```
    /// use std::path::Path;
    /// use mime_charset_archive::Format;
    ///
    /// let format = |head: &[u8], name| Format::of(head, Path::new(name));
    /// assert_eq!(format(b"Subject: one\n\n", "one")?, Format::Message);
    /// assert_eq!(format(b"From - Sat Jan  3 01:05:34 1996\n\n", "two")?, Format::Mbox);
    /// assert_eq!(format(b"%PDF-1.7", "three.pdf")?, Format::Other);
    /// let error = format(b"!BDN", "four.pst").unwrap_err();
    /// assert!(error.to_string().contains("readpst"));
    /// # Ok::<(), mime_charset_archive::Error>(())
    /// ```
    pub fn of(head: &[u8], name: &Path) -> Result<Self, Error> {
        if own_file(head, name).is_some() {
            return Ok(Format::Other);
        }
        match unread_format(head, name) {
            Some(what) => Err(Error::new(what)),
            None => Ok(format(head, name)),
        }
    }

    /// The name in reports: `message`, `mbox`, `maildir`, `mh` or `other`.
    ///
    /// ```
    /// assert_eq!(mime_charset_archive::Format::Mbox.name(), "mbox");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Format::Message => "message",
            Format::Mbox => "mbox",
            Format::Maildir => "maildir",
            Format::Mh => "mh",
            Format::Other => "other",
        }
    }
}

pub(super) fn format(head: &[u8], name: &Path) -> Format {
    let is_extension = |text: &OsStr| text.to_str().is_some_and(|text| !text.is_empty());
    let is_message = || {
        if has_extension(name, &KEYED) {
            has_field_of_mail(head)
        } else {
            has_header(head)
        }
    };
    if has_extension(name, &["eml"]) {
        Format::Message
    } else if mbox::begins(head)
        || mbox::begins_other(head)
        || has_extension(name, &["mbox", "mbx"]) && may_be_mailbox(head)
    {
        Format::Mbox
    } else if is_message() {
        Format::Message
    } else if head.is_empty() && !name.extension().is_some_and(is_extension) {
        // A mailbox whose mail was all deleted.
        Format::Mbox
    } else {
        Format::Other
    }
}

/// Whether a name has one of these extensions, in upper or lower case.
pub(super) fn has_extension(name: &Path, extensions: &[&str]) -> bool {
    let extension = name.extension().unwrap_or_default();
    let mut extensions = extensions.iter();
    extensions.any(|other| extension.eq_ignore_ascii_case(other))
}

/// Extensions of text that has lines like header fields (`date: 2001-01-03`) but is not mail.
const KEYED: [&str; 10] = [
    "yaml",
    "yml",
    "toml",
    "ini",
    "cfg",
    "conf",
    "properties",
    "http",
    "md",
    "markdown",
];

/// Whether a file named like a mailbox may be one although it does not begin like one: the tail of
/// a mailbox that was split, or a single message. A picture, UTF-16 text or an HTML page cannot be
/// a mailbox.
fn may_be_mailbox(head: &[u8]) -> bool {
    let is_page = head.trim_ascii_start().starts_with(b"<");
    let is_text = !is_page && memchr(0, head).is_none();
    is_text || has_header(head) || mbox::read(head).nth(1).is_some()
}

/// Whether it begins with header fields, at least one of them well known. Date alone is not enough,
/// since package lists and other files have that field. Another line may come first, such as a
/// blank line or the banner of a mail store. Then one field must be of the kind that only programs
/// write, and another must be well known. A memo does not have both.
fn has_header(head: &[u8]) -> bool {
    let message = Message::parse(head);
    let names = || message.fields().map(|field| field.name());
    let mut known = names().filter(|name| mbox::is_well_known(name));
    match before_header(head, &message) {
        [] => known.any(|name| !name.eq_ignore_ascii_case(b"Date")),
        before => {
            may_precede_header(before) && known.count() > 1 && names().any(mbox::is_of_program)
        }
    }
}

/// Whether it has a field that only mail has, and only text lines before its header.
fn has_field_of_mail(head: &[u8]) -> bool {
    has_field_that(head, mbox::is_only_of_mail)
}

/// Whether it has a well-known field, and only text lines before its header.
pub(super) fn has_field(head: &[u8]) -> bool {
    has_field_that(head, mbox::is_well_known)
}

fn has_field_that(head: &[u8], is_it: fn(&[u8]) -> bool) -> bool {
    let message = Message::parse(head);
    let mut names = message.fields().map(|field| field.name());
    names.any(is_it) && may_precede_header(before_header(head, &message))
}

fn before_header<'o>(head: &'o [u8], message: &Message<'_>) -> &'o [u8] {
    let first = message.fields().next().and_then(|field| field.range());
    head.get(..first.map_or(0, |first| first.start))
        .unwrap_or_default()
}

/// Whether octets before a header are text: binary stores of many messages have control
/// characters. A start line of HTTP (RFC 9112, sections 3 and 4) or SIP (RFC 3261, section 7)
/// begins a message of that protocol, which may have the fields From, To, Date and Content-Type.
fn may_precede_header(octets: &[u8]) -> bool {
    let is_text = |octet: &u8| !octet.is_ascii_control() || octet.is_ascii_whitespace();
    octets.iter().all(is_text) && !has_start_line(octets)
}

/// > start-line = request-line / status-line
///
/// > request-line = method SP request-target SP HTTP-version
///
/// > status-line = HTTP-version SP status-code SP [ reason-phrase ]
fn has_start_line(octets: &[u8]) -> bool {
    let line = octets.trim_ascii_start().split(|octet| *octet == b'\n');
    let line = line.into_iter().next().unwrap_or_default().trim_ascii_end();
    let mut words = line.split(|octet| *octet == b' ');
    let is_version = |word: &[u8]| match word {
        [name @ .., b'/', b'0'..=b'9', b'.', b'0'..=b'9'] => {
            !name.is_empty() && name.iter().all(u8::is_ascii_uppercase)
        }
        _ => false,
    };
    words.next().is_some_and(is_version) || words.next_back().is_some_and(is_version)
}

/// How a file is compressed or packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compression {
    None,
    Gzip,
    Zstd,
    Bzip2,
    Xz,
    Zip,
    Tar,
}

/// Detects compression from the first octets: RFC 1952, section 2.3.1; RFC 8878, section 3.1; for
/// bzip2, the stream header and the magic number of a block or of the end of the stream; The .xz
/// File Format, section 2.1.1.1; the local header of a zip file, or the end record of one without
/// entries; the header of a tar file.
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
        _ if is_tar(head) => Compression::Tar,
        _ => Compression::None,
    }
}

impl Compression {
    /// Whether it is a container of files.
    pub(super) fn has_members(self) -> bool {
        matches!(self, Compression::Zip | Compression::Tar)
    }

    /// The kind of file, for errors.
    pub(super) fn name(self) -> &'static str {
        match self {
            Compression::Zip => "zip file",
            Compression::Tar => "tar file",
            _ => "compressed file",
        }
    }
}

/// Whether it begins with the header of a tar file (POSIX.1-2017, pax, "ustar Interchange Format").
/// Formats older than ustar have no magic number, but all have the checksum.
///
/// > The chksum field shall be the ISO/IEC 646:1991 standard IRV representation of the octal value of
/// > the simple sum of all octets in the header logical record. [...] When calculating the checksum, the
/// > chksum field is treated as if it were all `<space>` characters.
fn is_tar(head: &[u8]) -> bool {
    const CHECKSUM: Range<usize> = 148..156;
    let Some((header, _)) = head.split_first_chunk::<512>() else {
        return false;
    };
    let written = header.get(CHECKSUM).unwrap_or_default();
    let digits = written.trim_ascii_start();
    let length = digits
        .iter()
        .take_while(|digit| matches!(digit, b'0'..=b'7'));
    let (digits, rest) = digits.split_at(length.count());
    if digits.is_empty() || !rest.iter().all(|octet| matches!(octet, 0 | b' ')) {
        return false;
    }
    let expected = digits
        .iter()
        .fold(0, |sum, digit| 8 * sum + u32::from(digit - b'0'));
    let octets = header.iter().enumerate();
    let counted = octets.map(|(at, &octet)| if CHECKSUM.contains(&at) { b' ' } else { octet });
    counted.map(u32::from).sum::<u32>() == expected
}
