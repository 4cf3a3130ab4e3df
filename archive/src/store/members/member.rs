//! One member of a zip or tar file, and its octets.

use std::io::{self, Read, Seek, SeekFrom};

use flate2::Crc;
use flate2::read::DeflateDecoder;

use crate::format::Compression;
use crate::store::compressed::ExplainErrors;

/// Maximum number of members; their names are kept in memory.
pub(super) const MOST_MEMBERS: usize = 1_000_000;

/// One file or folder in a zip or tar file, without its octets.
#[derive(Debug, Clone)]
pub(in crate::store) struct Member {
    /// The name as in the container. Never used as a path to write to.
    pub(in crate::store) name: String,
    /// The octets of the name, if they differ from those of `name`.
    pub(in crate::store) raw: Option<Box<[u8]>>,
    /// The kind of container.
    pub(super) kind: Compression,
    /// The kind of the outer container, if the container is itself a member.
    pub(super) outer: Option<Compression>,
    pub(super) start: u64,
    pub(in crate::store) compressed: u64,
    pub(super) expanded: u64,
    /// The checksum of the octets, if the container has one.
    pub(super) crc: Option<u32>,
    pub(in crate::store) method: Method,
}

#[derive(Debug, Clone)]
pub(in crate::store) enum Method {
    Stored,
    Deflated,
    /// It is a folder, and has no octets.
    Folder,
    /// The reason that its octets cannot be read.
    Unread(String),
}

impl Member {
    /// Damage of a container: a member without a name.
    pub(super) fn damage(why: &impl ToString) -> Self {
        Member::without_octets(String::new(), Method::Unread(why.to_string()))
    }

    pub(super) fn without_octets(name: String, method: Method) -> Self {
        Member {
            name,
            raw: None,
            kind: Compression::None,
            outer: None,
            start: 0,
            compressed: 0,
            expanded: 0,
            crc: None,
            method,
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

/// Opens a member. Reading fails at the end if the octets do not have the recorded length and
/// checksum.
pub(in crate::store) fn open(
    mut file: impl Anywhere + 'static,
    member: &Member,
) -> io::Result<Box<dyn Read + Send>> {
    file.seek(SeekFrom::Start(member.start))?;
    let compressed = file.take(member.compressed);
    let expanded: Box<dyn Read + Send> = match &member.method {
        Method::Stored => Box::new(compressed),
        Method::Deflated => Box::new(ExplainErrors(DeflateDecoder::new(compressed))),
        Method::Folder => Box::new(io::empty()),
        Method::Unread(why) => return Err(io::Error::other(why.as_str())),
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
    let outer = member.outer.filter(|_| packed.has_members())?;
    let [inner, kind, outer] = [packed, member.kind, outer].map(Compression::name);
    Some(format!("it is a {inner} in a {kind} in a {outer}"))
}

/// Checks the length and the checksum of a member.
struct CheckedMember<R> {
    source: R,
    kind: Compression,
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
                self.kind.name()
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
