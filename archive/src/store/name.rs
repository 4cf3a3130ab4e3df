//! File names at the destination.

use std::path::{Component, Path, PathBuf};

use crate::format::has_extension;

/// Extensions of containers, including compressed tar files.
pub(super) const PACKED: [&str; 10] = [
    "zip", "tar", "tgz", "taz", "tbz", "tbz2", "tb2", "txz", "tzst", "tzs",
];

/// Extensions of compressed files, which results do not keep.
pub(super) const COMPRESSED: [&str; 7] = ["gz", "gzip", "zst", "zstd", "bz2", "bzip2", "xz"];

/// Converts an untrusted name to a path without `..` or a root.
pub(super) fn safe_path(name: &str) -> PathBuf {
    /// In octets; file systems allow 255.
    const MOST: usize = 200;
    let mut path = PathBuf::new();
    for part in name.split(['/', '\\']) {
        let part = part.replace(char::is_control, "_");
        let part = shortened(&part, MOST);
        let is_down = matches!(
            Path::new(&part).components().collect::<Vec<_>>().as_slice(),
            [Component::Normal(name)] if *name == part.as_str()
        );
        if is_down {
            path.push(part);
        } else if !part.is_empty() && part != "." {
            path.push("_");
        }
    }
    if path.as_os_str().is_empty() {
        PathBuf::from("_")
    } else {
        path
    }
}

/// Shortens a name to at most `most` octets, keeping a short extension.
fn shortened(name: &str, most: usize) -> String {
    if name.len() <= most {
        return name.to_owned();
    }
    let extension = name.rfind('.').and_then(|at| name.get(at..));
    let extension = extension
        .filter(|extension| extension.len() <= most / 4)
        .unwrap_or_default();
    // A UTF-8 character has at most four octets.
    let longest = most.saturating_sub(extension.len());
    let start = (longest.saturating_sub(3)..=longest)
        .rev()
        .find_map(|length| name.get(..length));
    start.unwrap_or_default().to_owned() + extension
}

pub(super) fn without_extension(path: &Path, extensions: &[&str]) -> PathBuf {
    if has_extension(path, extensions) {
        path.with_extension("")
    } else {
        path.to_path_buf()
    }
}
