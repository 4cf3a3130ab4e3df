//! Files that are not read: mail stores and containers of other programs, and auxiliary files that
//! programs keep next to mail.

use std::path::Path;

/// A format, recognized by its first octets and its name.
struct Foreign {
    /// The octets at an offset; empty if the name alone identifies the format.
    magic: (usize, &'static [u8]),
    /// The prefix of the extension, in lower case. Empty if the extension does not matter.
    extension: &'static str,
    /// The end of a sentence that begins with "it is": the format, and a program that reads it.
    sentence: &'static str,
}

/// A format recognized by its first octets.
const fn begins(magic: &'static [u8], sentence: &'static str) -> Foreign {
    row((0, magic), "", sentence)
}

/// A row of [`FORMATS`].
const fn row(
    magic: (usize, &'static [u8]),
    extension: &'static str,
    sentence: &'static str,
) -> Foreign {
    Foreign {
        magic,
        extension,
        sentence,
    }
}

/// Formats that are not read. [MS-PST], section 2.2.2.6 (an Exchange OST file has the same octets);
/// [MS-CFB], section 2.2, which other documents share; [MS-OXTNEF], section 2.1.3.1; for the
/// others, the checks of file(1) and of the named programs.
const FORMATS: [Foreign; 19] = [
    begins(
        b"!BDN",
        "a PST or OST file of Outlook, which readpst of libpst converts to mailboxes",
    ),
    row(
        (0, b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"),
        "msg",
        "a message of Outlook (.msg), which msgconvert of Email::Outlook::Message converts",
    ),
    begins(
        b"\x78\x9F\x3E\x22",
        "TNEF (winmail.dat), which the program tnef extracts",
    ),
    begins(
        b"\xCF\xAD\x12\xFE",
        "a store of Outlook Express 5 or 6 (.dbx), which undbx converts to messages",
    ),
    begins(
        b"JMF",
        "a store of Outlook Express 4 (.mbx), which KMail imports",
    ),
    begins(
        b"2 M1e C",
        "a Dovecot file with several messages (dbox), which doveadm backup converts to a Maildir",
    ),
    begins(
        b"\x1A\0\0\x04\0\0",
        "a database of Notes (.nsf), which Notes exports as .eml files",
    ),
    row(
        (0, b""),
        "pmm",
        "a folder of Pegasus Mail (.pmm), which Pegasus Mail exports as a mailbox",
    ),
    row(
        (0, b""),
        "olk15",
        "a file of Outlook for Mac, which exports its messages as .eml files",
    ),
    begins(
        b"{\"ygData\"",
        "a message of Yahoo Groups in JSON; jq -r .ygData.rawEmail shows the message",
    ),
    begins(
        b"<!-- MHonArc v",
        "a page of MHonArc, which no longer has the octets of the message",
    ),
    begins(b"7z\xBC\xAF\x27\x1C", "a 7z file, which 7z x extracts"),
    begins(b"Rar!\x1A\x07", "a RAR file, which unrar x extracts"),
    row((2, b"-lh"), "lzh", "an LZH file, which lha x extracts"),
    row((2, b"-lh"), "lha", "an LHA file, which lha x extracts"),
    begins(b"MSCF\0\0\0\0", "a CAB file, which cabextract extracts"),
    begins(b"\x1F\x9D", "compressed (.Z), which uncompress expands"),
    begins(
        b"\x04\x22\x4D\x18",
        "compressed (LZ4), which lz4 -d expands",
    ),
    row(
        (0, b"\x5D\0\0"),
        "lzma",
        "compressed (.lzma), which xz -d expands",
    ),
];

/// The format of a file that is not read, and a program that reads it.
pub(super) fn unread_format(head: &[u8], name: &Path) -> Option<String> {
    let extension = name.extension().and_then(|extension| extension.to_str());
    let extension = extension.unwrap_or_default().to_ascii_lowercase();
    let is_it = |foreign: &&Foreign| {
        let (at, magic) = foreign.magic;
        let has_name = match (magic, foreign.extension) {
            // A format known only by its name: any file that is not empty.
            (b"", start) => extension.starts_with(start) && !head.is_empty(),
            (_, "") => true,
            (_, whole) => extension == whole,
        };
        has_name && head.get(at..).is_some_and(|rest| rest.starts_with(magic))
    };
    let found = FORMATS.iter().find(is_it);
    found.map(|foreign| format!("it is {}", foreign.sentence))
}

/// Recognizes auxiliary files that are not mail although they may look like it: files that a
/// program keeps next to mail, or that an archive needs. `bag-info.txt` has fields, and an empty
/// file may be a mailbox.
pub(super) fn own_file(head: &[u8], name: &Path) -> Option<&'static str> {
    /// `AppleSingle` and `AppleDouble`: RFC 1740, appendices A and B.
    const APPLE: [&[u8]; 2] = [b"\0\x05\x16\0", b"\0\x05\x16\x07"];
    /// Prefix and suffix of the name in lower case, and the owner of the file. Bags: RFC 8493,
    /// section 2.
    const NAMES: [(&str, &str, &str); 14] = [
        ("bagit.txt", "", "a BagIt file"),
        ("bag-info.txt", "", "a BagIt file"),
        ("fetch.txt", "", "a BagIt file"),
        ("manifest-", ".txt", "a BagIt file"),
        ("tagmanifest-", ".txt", "a BagIt file"),
        (".ds_store", "", "a macOS file"),
        ("thumbs.db", "", "a Windows file"),
        ("desktop.ini", "", "a Windows file"),
        ("maildirfolder", "", "a Maildir++ file"),
        ("maildirsize", "", "a Maildir++ file"),
        ("courierimap", "", "a Courier file"),
        ("dovecot", "", "a Dovecot file"),
        ("subscriptions", "", "a list of folders"),
        (".mh_sequences", "", "an MH file"),
    ];
    if APPLE.iter().any(|magic| head.starts_with(magic)) {
        return Some("file attributes of macOS (AppleDouble)");
    }
    let name = name.file_name()?.to_str()?.to_ascii_lowercase();
    let is_it = |(start, end, _): &&(&str, &str, &str)| {
        // Courier and Dovecot append to these names.
        let may_continue = !end.is_empty() || matches!(*start, "courierimap" | "dovecot");
        name.starts_with(start) && name.ends_with(end) && (may_continue || name == *start)
    };
    let found = NAMES.iter().find(is_it);
    found.map(|(_, _, what)| *what)
}
