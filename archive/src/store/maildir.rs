//! Recognizes messages of a Maildir by their location.

use std::fs;
use std::path::Path;

/// Whether a file is a message by its location: in `cur` or `new` of a Maildir. Hidden files are
/// not mail.
pub(super) fn is_delivered(path: &Path) -> bool {
    !is_hidden(path) && (has_flags(path) || path.parent().is_some_and(is_delivering))
}

/// Whether a file is a message of a Maildir by its name: in `cur`, with flags. Copies lose empty folders, and
/// so the `new` next to it.
pub(super) fn has_flags(path: &Path) -> bool {
    let is_in_cur = path.parent().and_then(Path::file_name) == Some("cur".as_ref());
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    is_in_cur && name.windows(3).any(|three| three == b":2,")
}

pub(super) fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_none_or(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Whether the folder is `cur` or `new`, next to the other.
pub(super) fn is_delivering(path: &Path) -> bool {
    let is_called_so = path
        .file_name()
        .is_some_and(|name| name == "cur" || name == "new");
    is_called_so
        && path.parent().is_some_and(|parent| {
            ["cur", "new"].iter().all(|name| {
                fs::symlink_metadata(parent.join(name)).is_ok_and(|metadata| metadata.is_dir())
            })
        })
}
