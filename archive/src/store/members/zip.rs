//! The members of a zip file.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use memchr::memmem;
use zip::{CompressionMethod, ZipArchive};

use super::member::{Anywhere, MOST_MEMBERS, Member, Method, raw_name};
use crate::format::Compression;
use crate::store::limits::Limits;

/// The members of a zip file of that size, in directory order.
pub(super) fn members(
    file: impl Anywhere,
    size: u64,
    limits: Limits,
) -> Result<Vec<Member>, String> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| error.to_string())?;
    if archive.len() > MOST_MEMBERS {
        let count = archive.len();
        return Err(format!("it has {count} files, more than {MOST_MEMBERS}"));
    }
    let mut members = Vec::new();
    if archive.has_duplicate_names() {
        let why = "it has several files with one name; only the last is read";
        members.push(Member::damage(&why));
    }
    // The file itself begins as a zip file.
    if archive.offset() > 0 {
        let why = "the zip file before it in this file is not read";
        members.push(Member::damage(&why));
    }
    let mut sum = 0_u64;
    for index in 0..archive.len() {
        let entry = match archive.by_index_raw(index) {
            Ok(entry) => entry,
            Err(error) => {
                members.push(Member::damage(&error));
                continue;
            }
        };
        let name = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        };
        if entry.is_dir() {
            members.push(Member::without_octets(name, Method::Folder));
            continue;
        }
        sum = sum.saturating_add(entry.size());
        let unread = |why: &str| Method::Unread(why.to_owned());
        let method = match (entry.compression(), entry.data_start()) {
            _ if entry.encrypted() => unread("it is encrypted"),
            _ if entry.is_symlink() => unread("it is a link"),
            (CompressionMethod::Stored, Some(_)) => Method::Stored,
            (CompressionMethod::Deflated, Some(_)) => Method::Deflated,
            (CompressionMethod::Stored | CompressionMethod::Deflated, None) => {
                unread("it has no local header")
            }
            (other, _) => Method::Unread(format!("its compression, {other}, is unknown")),
        };
        members.push(Member {
            raw: raw_name(&name, entry.name_raw()),
            name,
            kind: Compression::Zip,
            outer: None,
            start: entry.data_start().unwrap_or_default(),
            compressed: entry.compressed_size(),
            expanded: entry.size(),
            crc: Some(entry.crc32()),
            method,
        });
    }
    // Overlapping entries could expand to more than the whole file may.
    if sum > limits.most(size) {
        let most = limits.most(size);
        return Err(format!("it expands to {sum} octets, more than {most}"));
    }
    let comment = archive.comment().len();
    if has_more(archive.into_inner(), comment).unwrap_or(true) {
        let why = "octets after the zip file in this file are not read";
        members.push(Member::damage(&why));
    }
    Ok(members)
}

/// Whether octets other than zeros follow the end record (APPNOTE.TXT, section 4.3.16), whose
/// comment has this length.
fn has_more(mut file: impl Read + Seek, comment: usize) -> io::Result<bool> {
    const SIGNATURE: &[u8] = b"PK\x05\x06";
    /// The length of the record without its comment.
    const RECORD: usize = 22;
    /// Number of octets from the end in which the record is searched: its maximum length, and zeros
    /// that pad the last block of a tape.
    const TAIL: u64 = 128 << 10;
    let length = file.seek(SeekFrom::End(0))?;
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let ends_file = |at| {
        let rest = tail.get(at + RECORD + comment..);
        rest.is_some_and(|rest| rest.iter().all(|octet| *octet == 0))
    };
    Ok(!memmem::find_iter(&tail, SIGNATURE).any(ends_file))
}
