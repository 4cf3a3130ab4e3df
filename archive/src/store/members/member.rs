//! One member of a zip or tar file, and its octets.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::Crc;
use flate2::read::DeflateDecoder;

use crate::error::Error;
use crate::format::Compression;
use crate::store::compressed::ExplainErrors;

/// Maximum number of members; their names are kept in memory.
pub(super) const MOST_MEMBERS: usize = 1_000_000;

/// One file in a zip or tar file, without its octets.
#[derive(Debug, Clone)]
pub(in crate::store) struct Member {
    /// The name as in the container. Never used as a path to write to.
    pub(in crate::store) name: String,
    /// The octets of the name, if they differ from those of `name`.
    pub(in crate::store) raw: Option<Box<[u8]>>,
    pub(super) kind: Container,
    /// The kind of the outer container, if the container is itself a member.
    pub(super) outer: Option<Container>,
    pub(super) start: u64,
    pub(in crate::store) compressed: u64,
    pub(super) expanded: u64,
    /// The checksum of the octets, if the container has one.
    pub(super) crc: Option<u32>,
    pub(super) method: Method,
}

/// A member, with the error if it cannot be read. Without a name, the error is that of the container.
pub(in crate::store) type Found = (Member, Option<Error>);

/// The kind of container.
#[derive(Debug, Clone, Copy)]
pub(super) enum Container {
    Zip,
    Tar,
}

impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Container::Zip => "zip file",
            Container::Tar => "tar file",
        })
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Method {
    Stored,
    Deflated,
    /// Its octets cannot be read.
    Unread,
}

impl Member {
    /// A member whose octets cannot be read.
    pub(super) fn unread(name: String, raw: Option<Box<[u8]>>) -> Self {
        Member {
            name,
            raw,
            kind: Container::Tar,
            outer: None,
            start: 0,
            compressed: 0,
            expanded: 0,
            crc: None,
            method: Method::Unread,
        }
    }

    /// Marks `inner` as a member of this member, which is itself a container. Puts the name of this
    /// member before the name of `inner`.
    #[must_use]
    pub(in crate::store) fn holds(&self, mut inner: Member) -> Member {
        let octets = |member: &Member| match &member.raw {
            Some(raw) => raw.to_vec(),
            None => member.name.clone().into_bytes(),
        };
        let raw = [octets(self), octets(&inner)].join(&b'/');
        inner.name = format!("{}/{}", self.name, inner.name);
        inner.raw = raw_name(&inner.name, &raw);
        inner.outer = Some(self.kind);
        inner
    }
}

/// A reader with random access.
pub(crate) trait Anywhere: Read + Seek + Send {}

impl<T: Read + Seek + Send + ?Sized> Anywhere for T {}

/// The octets of a name that differ from the displayed text.
pub(super) fn raw_name(shown: &str, octets: &[u8]) -> Option<Box<[u8]>> {
    (shown.as_bytes() != octets).then(|| octets.into())
}

/// A container, or a part of it, that cannot be read.
pub(super) fn damage(path: &Path, why: impl fmt::Display) -> Found {
    let nameless = Member::unread(String::new(), None);
    (nameless, Some(unread(path, why)))
}

/// The error for a container that cannot be read.
pub(super) fn unread(path: &Path, why: impl fmt::Display) -> Error {
    Error::new(format!("cannot read {}: {why}", path.display()))
}

/// The error for a member that cannot be read.
pub(super) fn unread_member(name: &str, path: &Path, why: impl fmt::Display) -> Error {
    let (name, path) = (name.escape_debug(), path.display());
    Error::new(format!("cannot read {name} in {path}: {why}"))
}

/// Opens a member. Reading fails at the end if the octets do not have the recorded length and
/// checksum.
pub(in crate::store) fn open(
    mut file: impl Anywhere + 'static,
    member: &Member,
) -> io::Result<Box<dyn Read + Send>> {
    file.seek(SeekFrom::Start(member.start))?;
    let compressed = file.take(member.compressed);
    let expanded: Box<dyn Read + Send> = match member.method {
        Method::Stored => Box::new(compressed),
        Method::Deflated => Box::new(ExplainErrors(DeflateDecoder::new(compressed))),
        Method::Unread => return Err(io::Error::other("its octets cannot be read")),
    };
    Ok(Box::new(CheckedMember {
        source: expanded,
        kind: member.kind,
        left: member.expanded,
        crc: Crc::new(),
        expected: member.crc,
    }))
}

/// The reason why a member that is itself a container is not read, if so: its container is already
/// inside another one.
pub(in crate::store) fn too_deep(member: &Member, packed: Compression) -> Option<String> {
    let inner = match packed {
        Compression::Zip => Container::Zip,
        Compression::Tar => Container::Tar,
        _ => return None,
    };
    let outer = member.outer?;
    Some(format!("it is a {inner} in a {} in a {outer}", member.kind))
}

/// Checks the length and the checksum of a member.
struct CheckedMember<R> {
    source: R,
    kind: Container,
    left: u64,
    crc: Crc,
    expected: Option<u32>,
}

impl<R: Read> Read for CheckedMember<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        let length = self.source.read(buffer)?;
        if self.expected.is_some() {
            self.crc.update(buffer.get(..length).unwrap_or_default());
        }
        let failed = |what: &str| {
            Err(io::Error::other(format!(
                "{what} recorded in its {}",
                self.kind
            )))
        };
        let Some(left) = self.left.checked_sub(length as u64) else {
            return failed("it is longer than");
        };
        self.left = left;
        if length == 0 && left > 0 {
            return failed("it is shorter than");
        }
        if length == 0 && self.expected.is_some_and(|sum| sum != self.crc.sum()) {
            return failed("its checksum differs from the one");
        }
        Ok(length)
    }
}
