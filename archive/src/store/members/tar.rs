//! The members of a tar file (POSIX.1-2017, pax, "ustar Interchange Format" and "pax Interchange
//! Format"), with the long names and long files of GNU tar.
//!
//! A hard link is read as its target, which must precede it. Concatenated archives are read as one
//! (`tar -A`, or `cat`).

use std::cell::Cell;
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

use tar::{Archive, Entry, EntryType};

use super::member::{Anywhere, MOST_MEMBERS, Member, Method, raw_name};
use crate::format::Compression;

/// Maximum number of octets between two members: headers, long names and other records, which are
/// kept in memory, and padding of the last record.
const MOST_BETWEEN: u64 = 16 << 20;

/// Maximum length of a name in octets; no file system has longer names.
const LONGEST_NAME: usize = 4096;

/// The members of a tar file, in order. Damage ends the list.
pub(super) fn members(file: impl Anywhere) -> Result<Vec<Member>, String> {
    let left = Rc::new(Cell::new(MOST_BETWEEN));
    let source = LimitedGaps {
        source: BufReader::new(file),
        left: Rc::clone(&left),
    };
    let mut archive = Archive::new(source);
    archive.set_ignore_zeros(true);
    let entries = archive
        .entries_with_seek()
        .map_err(|error| error.to_string())?;
    let mut members = Vec::new();
    // The location of each name's octets, for hard links to it.
    let mut places = BTreeMap::new();
    // The end of the last entry; `None` after damage, which is reported.
    let mut end = Some(0);
    for entry in entries {
        left.set(MOST_BETWEEN);
        if members.len() == MOST_MEMBERS {
            return Err(format!("it has more than {MOST_MEMBERS} files"));
        }
        let mut entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                members.push(Member::damage(&error));
                end = None;
                break;
            }
        };
        let kind = entry.header().entry_type();
        let stored = match kind {
            // Some programs record the size of the target.
            EntryType::Directory | EntryType::Link | EntryType::Symlink => 0,
            EntryType::GNUSparse => entry.header().entry_size().unwrap_or_default(),
            _ => entry.size(),
        };
        end = Some(entry.raw_file_position().saturating_add(stored));
        if kind == EntryType::XGlobalHeader {
            continue;
        }
        let octets = entry.path_bytes();
        let octets = octets.get(..LONGEST_NAME).unwrap_or(&octets);
        let name = String::from_utf8_lossy(octets).into_owned();
        if kind.is_dir() {
            members.push(Member::without_octets(name, Method::Folder));
            continue;
        }
        let raw = raw_name(&name, octets);
        let place = if kind.is_hard_link() {
            let target = entry.link_name_bytes();
            let target = target.and_then(|target| places.get(&*target)).copied();
            target.ok_or("it is a link whose target does not precede it")
        } else {
            not_a_file(&mut entry)
                .map_or_else(|| Ok((entry.raw_file_position(), entry.size())), Err)
        };
        if let Ok(place) = place {
            places.insert(entry.path_bytes().into_owned(), place);
        }
        let (start, length, method) = match place {
            Ok((start, length)) => (start, length, Method::Stored),
            Err(why) => (0, 0, Method::Unread(why.to_owned())),
        };
        members.push(Member {
            name,
            raw,
            kind: Compression::Tar,
            outer: None,
            start,
            compressed: length,
            expanded: length,
            crc: None,
            method,
        });
    }
    if let Some(end) = end
        && let Some(why) = truncation(archive.into_inner().source, end)
    {
        members.push(Member::damage(&why));
    }
    Ok(members)
}

/// The reason if a tar file whose last entry has this end was cut off. Its size is a multiple of blocks of
/// 512 octets, and empty blocks end it.
fn truncation(mut source: impl Read + Seek, end: u64) -> Option<&'static str> {
    const BLOCK: usize = 512;
    let next = end.checked_next_multiple_of(BLOCK as u64)?;
    let mut block = [1; BLOCK];
    let size = source.seek(SeekFrom::End(0)).unwrap_or_default();
    if size < next {
        return Some("it is cut off in its last file");
    }
    let read = source
        .seek(SeekFrom::Start(next))
        .and_then(|_| source.read_exact(&mut block));
    let is_ended = read.is_ok() && block == [0; BLOCK];
    (!is_ended).then_some("it may be cut off: no empty block ends it")
}

/// The reason if the octets of a member are not contiguous.
fn not_a_file(entry: &mut Entry<'_, impl Read>) -> Option<&'static str> {
    match entry.header().entry_type() {
        EntryType::Regular | EntryType::Continuous => {}
        EntryType::Symlink => return Some("it is a link"),
        EntryType::GNUSparse => return Some(SPARSE),
        _ => return Some("it is not a file"),
    }
    let fields = entry.pax_extensions().ok().flatten()?;
    let mut keys = fields.flatten().map(|field| field.key_bytes());
    keys.any(|key| key.starts_with(b"GNU.sparse."))
        .then_some(SPARSE)
}

const SPARSE: &str = "it is a sparse file, stored without its zeros";

/// A reader with a limit on the number of octets between two members.
struct LimitedGaps<R> {
    source: R,
    left: Rc<Cell<u64>>,
}

impl<R: Read> Read for LimitedGaps<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.source.read(buffer)?;
        match self.left.get().checked_sub(length as u64) {
            Some(left) => self.left.set(left),
            None => {
                return Err(io::Error::other(format!(
                    "more than {MOST_BETWEEN} octets precede its next file"
                )));
            }
        }
        Ok(length)
    }
}

impl<R: Seek> Seek for LimitedGaps<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.source.seek(to)
    }
}
