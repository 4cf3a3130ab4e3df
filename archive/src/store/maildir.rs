//! Recognizes the files of a Maildir or an MH folder by their location.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

/// The meaning of a file's location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Location {
    /// The file is a message: it is in `cur` or `new` of a Maildir, or in an MH folder.
    Delivered,
    /// The file is in `tmp` of a Maildir: its delivery did not end.
    Undelivered,
    /// The octets of the file determine its format.
    Elsewhere,
}

/// The role of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folder {
    /// `cur` or `new` of a Maildir.
    Delivering,
    /// `tmp` of a Maildir.
    Temporary,
    Mh,
    Other,
}

impl Folder {
    /// The role of a folder on disk; `is_named` as for [`is_maildir`].
    pub(super) fn of(path: &Path, is_named: bool) -> Self {
        let is_in_maildir = || is_maildir(path.parent().unwrap_or(path), is_named);
        match called(path) {
            Some("cur" | "new") if is_in_maildir() => Folder::Delivering,
            Some("tmp") if is_in_maildir() => Folder::Temporary,
            _ if has_sequences(path) => Folder::Mh,
            _ => Folder::Other,
        }
    }

    /// The location of a file in the folder. Hidden files are not delivered.
    pub(super) fn location(self, file: &Path) -> Location {
        let is_delivered = match self {
            Folder::Temporary => return Location::Undelivered,
            Folder::Delivering => !is_hidden(file),
            Folder::Mh => is_number(file),
            Folder::Other => false,
        };
        if is_delivered || has_flags(file) && !is_hidden(file) {
            Location::Delivered
        } else {
            Location::Elsewhere
        }
    }
}

/// Whether a folder on disk is a Maildir: it has `cur` and `new`, or one of them if the caller named
/// this format.
pub(super) fn is_maildir(folder: &Path, is_named: bool) -> bool {
    let is_folder =
        |name: &&str| fs::symlink_metadata(folder.join(name)).is_ok_and(|it| it.is_dir());
    let mut names = ["cur", "new"].iter();
    if is_named {
        names.any(is_folder)
    } else {
        names.all(is_folder)
    }
}

/// The Maildirs and MH folders in a zip or tar file. A container may lack empty folders, so one of
/// `cur` and `new` is enough.
pub(super) struct MailFolders {
    pub(super) maildirs: BTreeSet<PathBuf>,
    mh: BTreeSet<PathBuf>,
}

impl MailFolders {
    pub(super) fn of(names: impl Iterator<Item = PathBuf>) -> Self {
        let mut folders = MailFolders {
            maildirs: BTreeSet::new(),
            mh: BTreeSet::new(),
        };
        for name in names {
            let Some(folder) = name.parent() else {
                continue;
            };
            if is_sequences(&name) {
                folders.mh.insert(folder.to_path_buf());
            }
            if let (Some("cur" | "new"), Some(maildir)) = (called(folder), folder.parent()) {
                folders.maildirs.insert(maildir.to_path_buf());
            }
        }
        folders
    }

    pub(super) fn location(&self, name: &Path) -> Location {
        let folder = name.parent().unwrap_or(name);
        let is_in_maildir = || {
            let maildir = folder.parent();
            maildir.is_some_and(|maildir| self.maildirs.contains(maildir))
        };
        let role = match called(folder) {
            Some("cur" | "new") => Folder::Delivering,
            Some("tmp") if is_in_maildir() => Folder::Temporary,
            _ if self.mh.contains(folder) => Folder::Mh,
            _ => Folder::Other,
        };
        role.location(name)
    }
}

fn called(folder: &Path) -> Option<&str> {
    folder.file_name()?.to_str()
}

/// Whether a folder contains the file that MH keeps in its folders (nmh, mh-sequence(5)).
fn has_sequences(folder: &Path) -> bool {
    fs::symlink_metadata(folder.join(MH_SEQUENCES)).is_ok_and(|metadata| metadata.is_file())
}

/// The file that MH keeps in a folder.
const MH_SEQUENCES: &str = ".mh_sequences";

/// Whether a file is called `.mh_sequences`.
pub(super) fn is_sequences(path: &Path) -> bool {
    path.file_name() == Some(MH_SEQUENCES.as_ref())
}

/// Whether a file's name is a number, as for messages in MH folders.
fn is_number(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    !name.is_empty() && name.iter().all(u8::is_ascii_digit)
}

/// Whether a file is a Maildir message by its name: in `cur`, with flags. Copies of a Maildir lose
/// empty folders, and thus the `new` next to `cur`. On Windows programs write `;` (mbsync), `!`
/// (`OfflineIMAP`) or `_` in place of the colon.
fn has_flags(path: &Path) -> bool {
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

fn is_hidden(path: &Path) -> bool {
    path.file_name()
        .is_none_or(|name| name.as_encoded_bytes().starts_with(b"."))
}
