//! The members of a zip file.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use memchr::memmem;
use zip::{CompressionMethod, ZipArchive};

use super::member::{
    Anywhere, Container, Found, MOST_MEMBERS, Member, Method, damage, raw_name, unread,
    unread_member,
};
use crate::error::Error;
use crate::store::limits::Limits;

/// The members of a zip file of that size with their names, in directory order.
pub(super) fn members(
    file: impl Anywhere,
    size: u64,
    path: &Path,
    limits: Limits,
) -> Result<Vec<Found>, Error> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| unread(path, error))?;
    if archive.len() > MOST_MEMBERS {
        let why = format!("it has {} files, more than {MOST_MEMBERS}", archive.len());
        return Err(unread(path, why));
    }
    let mut members = Vec::new();
    if archive.has_duplicate_names() {
        let why = "it has several files with one name; only the last is read";
        members.push(damage(path, why));
    }
    // The file itself begins as a zip file.
    if archive.offset() > 0 {
        let why = "the zip file before it in this file is not read";
        members.push(damage(path, why));
    }
    let mut sum = 0_u64;
    for index in 0..archive.len() {
        let entry = match archive.by_index_raw(index) {
            Ok(entry) => entry,
            Err(error) => {
                members.push(damage(path, error));
                continue;
            }
        };
        if entry.is_dir() {
            continue;
        }
        let name = match entry.name() {
            Ok(name) => name.into_owned(),
            Err(_) => String::from_utf8_lossy(entry.name_raw()).into_owned(),
        };
        let failed = |what: &str| unread_member(&name, path, what);
        sum = sum.saturating_add(entry.size());
        let method = match entry.compression() {
            _ if entry.encrypted() => Err(failed("it is encrypted")),
            _ if entry.is_symlink() => Err(failed("it is a link")),
            CompressionMethod::Stored => Ok(Method::Stored),
            CompressionMethod::Deflated => Ok(Method::Deflated),
            other => Err(failed(&format!("its compression, {other}, is unknown"))),
        };
        let raw = raw_name(&name, entry.name_raw());
        let read = match (method, entry.data_start()) {
            (Ok(method), Some(start)) => Ok((method, start)),
            (Err(error), _) => Err(error),
            (_, None) => Err(failed("it has no local header")),
        };
        members.push(match read {
            Ok((method, start)) => {
                let member = Member {
                    name,
                    raw,
                    kind: Container::Zip,
                    outer: None,
                    start,
                    compressed: entry.compressed_size(),
                    expanded: entry.size(),
                    crc: Some(entry.crc32()),
                    method,
                };
                (member, None)
            }
            Err(error) => (Member::unread(name, raw), Some(error)),
        });
    }
    // Overlapping entries could expand to more than the whole file may.
    if sum > limits.most(size) {
        let most = limits.most(size);
        let why = format!("it expands to {sum} octets, more than {most}");
        return Err(unread(path, why));
    }
    let comment = archive.comment().len();
    if has_more(archive.into_inner(), comment).unwrap_or(true) {
        let why = "octets after the zip file in this file are not read";
        members.push(damage(path, why));
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
