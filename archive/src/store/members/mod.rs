//! The members of a zip or tar file.

mod member;
mod tar;
mod zip;

pub(crate) use member::Anywhere;
use member::Found;
pub(super) use member::{Member, open, too_deep};

use std::path::Path;

use super::limits::Limits;
use crate::error::Error;
use crate::format::Compression;

/// The members of a container of that size, by name. Each may have an error; an error without a name is
/// damage of the container. Other files have no members.
pub(super) fn members(
    file: impl Anywhere,
    packed: Compression,
    size: u64,
    path: &Path,
    limits: Limits,
) -> Result<Vec<Found>, Error> {
    let mut members = match packed {
        Compression::Zip => zip::members(file, size, path, limits)?,
        Compression::Tar => tar::members(file, path)?,
        _ => Vec::new(),
    };
    members.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    Ok(members)
}
