//! Recognizes messages of a Maildir or an MH folder by their location.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// Whether a file is a message by its location: in `cur` or `new` of a Maildir, or in an MH folder. Hidden files
/// are not mail.
pub(super) fn is_delivered(path: &Path) -> bool {
    let is_in = |of: fn(&Path) -> bool| path.parent().is_some_and(of);
    !is_hidden(path) && (has_flags(path) || is_in(is_delivering))
        || is_number(path) && is_in(is_mh_folder)
}

/// Whether a folder contains the file that MH keeps in its folders (nmh, mh-sequence(5)).
pub(super) fn is_mh_folder(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(MH_SEQUENCES)).is_ok_and(|metadata| metadata.is_file())
}

/// The file that MH keeps in a folder.
pub(super) const MH_SEQUENCES: &str = ".mh_sequences";

/// Whether a file is in a folder called `cur` or `new`.
pub(super) fn is_in_maildir(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    folder.is_some_and(|name| name == "cur" || name == "new")
}

/// Whether a file's name is a number, as for messages in MH folders.
pub(super) fn is_number(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    !name.is_empty() && name.iter().all(u8::is_ascii_digit)
}

/// Whether a file is a Maildir message by its name: in `cur`, with flags. Copies of a Maildir lose
/// empty folders, and thus the `new` next to `cur`. On Windows programs write `;` (mbsync), `!`
/// (`OfflineIMAP`) or `_` in place of the colon.
pub(super) fn has_flags(path: &Path) -> bool {
    let is_in_cur = path.parent().and_then(Path::file_name) == Some("cur".as_ref());
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    is_in_cur
        && name
            .windows(3)
            .any(|three| matches!(three, [b':' | b';' | b'!' | b'_', b'2', b',']))
}

/// Whether a file's name is a number, and the next or the previous number is a file in the same
/// folder.
pub(super) fn has_numbered_neighbor(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let Some(number) = name.parse::<u64>().ok().filter(|_| is_number(path)) else {
        return false;
    };
    let neighbors = [number.checked_sub(1), number.checked_add(1)];
    neighbors.into_iter().flatten().any(|number| {
        let neighbor = path.with_file_name(number.to_string());
        fs::symlink_metadata(neighbor).is_ok_and(|metadata| metadata.is_file())
    })
}

pub(super) fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_none_or(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Whether the folder is `cur` or `new`, with the other one next to it.
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
