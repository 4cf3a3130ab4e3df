//! The members of a zip file.

use std::io::BufReader;
use std::path::Path;

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
    Ok(members)
}
