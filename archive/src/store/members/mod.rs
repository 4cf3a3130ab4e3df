//! The members of a zip or tar file.

mod member;
mod tar;
mod zip;

pub(crate) use member::Anywhere;
pub(super) use member::{Member, Method, open, too_deep};

use super::limits::Limits;
use crate::format::Compression;

/// The members of a container of that size, by name; a member without a name is damage of the
/// container. Other files have no members. Fails with the reason that the container cannot be read.
pub(super) fn members(
    file: impl Anywhere,
    packed: Compression,
    size: u64,
    limits: Limits,
) -> Result<Vec<Member>, String> {
    let mut members = match packed {
        Compression::Zip => zip::members(file, size, limits)?,
        Compression::Tar => tar::members(file)?,
        _ => Vec::new(),
    };
    members.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(members)
}
