//! The members of a zip or tar file.

mod member;
mod tar;
mod zip;

pub(super) use member::{Anywhere, Member, nested, open};

use std::path::Path;

use super::limits::Limits;
use crate::error::Error;
use crate::format::Compression;

/// The members of a container of that size, by name; each may be an error. Other files have none.
pub(super) fn members(
    file: impl Anywhere,
    packed: Compression,
    size: u64,
    path: &Path,
    limits: Limits,
) -> Result<Vec<Result<Member, Error>>, Error> {
    let mut members = match packed {
        Compression::Zip => zip::members(file, size, path, limits)?,
        Compression::Tar => tar::members(file, path)?,
        _ => Vec::new(),
    };
    members.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(members.into_iter().map(|(_, member)| member).collect())
}
