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
        Folder::with(path, |folder| is_maildir(folder, is_named), has_sequences)
    }

    fn with(
        path: &Path,
        is_maildir: impl Fn(&Path) -> bool,
        has_sequences: impl Fn(&Path) -> bool,
    ) -> Self {
        let is_in_maildir = || path.parent().is_some_and(&is_maildir);
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
        if is_delivered || has_maildir_name(file) {
            Location::Delivered
        } else {
            Location::Elsewhere
        }
    }
}

/// Whether a folder on disk is a Maildir; `is_named` as for [`makes_maildir`].
pub(super) fn is_maildir(folder: &Path, is_named: bool) -> bool {
    let is_folder =
        |path: &Path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir());
    makes_maildir(folder, is_named, is_folder)
}

/// Whether a folder is a Maildir by its subfolders: it has `cur` and `new`, or one of them if the
/// caller named this format.
fn makes_maildir(folder: &Path, is_named: bool, is_folder: impl Fn(&Path) -> bool) -> bool {
    let mut names = ["cur", "new"].iter().map(|name| folder.join(name));
    if is_named {
        names.any(|path| is_folder(&path))
    } else {
        names.all(|path| is_folder(&path))
    }
}

/// The Maildirs and MH folders in a zip or tar file. A container may lack empty folders, so `cur` or
/// `new` alone is enough if a message in it has a name of a Maildir.
pub(super) struct MailFolders {
    pub(super) maildirs: BTreeSet<PathBuf>,
    mh: BTreeSet<PathBuf>,
}

impl MailFolders {
    /// The folders of these members; `true` marks a member that is a folder, and `is_named` is as for
    /// [`makes_maildir`].
    pub(super) fn of(members: impl Iterator<Item = (PathBuf, bool)>, is_named: bool) -> Self {
        let mut folders = MailFolders {
            maildirs: BTreeSet::new(),
            mh: BTreeSet::new(),
        };
        let mut delivering = BTreeSet::new();
        for (name, is_folder) in members {
            let folder = if is_folder {
                Some(&*name)
            } else {
                name.parent()
            };
            let found = folder.filter(|folder| is_delivering(folder));
            delivering.extend(found.map(Path::to_path_buf));
            let Some(folder) = name.parent().filter(|_| !is_folder) else {
                continue;
            };
            if is_sequences(&name) {
                folders.mh.insert(folder.to_path_buf());
            }
            if let Some(maildir) = folder.parent().filter(|_| has_maildir_name(&name)) {
                folders.maildirs.insert(maildir.to_path_buf());
            }
        }
        let maildirs = delivering.iter().filter_map(|folder| folder.parent());
        let maildirs = maildirs
            .filter(|folder| makes_maildir(folder, is_named, |path| delivering.contains(path)));
        folders.maildirs.extend(maildirs.map(Path::to_path_buf));
        folders
    }

    pub(super) fn location(&self, name: &Path) -> Location {
        let folder = name.parent().unwrap_or(name);
        let is_maildir = |folder: &Path| self.maildirs.contains(folder);
        let has_sequences = |folder: &Path| self.mh.contains(folder);
        Folder::with(folder, is_maildir, has_sequences).location(name)
    }
}

/// Whether a folder has the name of one with delivered mail.
fn is_delivering(folder: &Path) -> bool {
    matches!(called(folder), Some("cur" | "new"))
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

/// Whether a file in `cur` or `new` is a Maildir message by its name: with flags in `cur`, or with
/// a unique name. Copies of a Maildir lose empty folders, and thus the `new` next to `cur`. On
/// Windows programs write `;` (mbsync), `!` (`OfflineIMAP`) or `_` in place of the colon.
fn has_maildir_name(path: &Path) -> bool {
    let folder = path.parent().unwrap_or(path);
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    let has_flags = || {
        name.windows(3)
            .any(|it| matches!(it, [b':' | b';' | b'!' | b'_', b'2', b',']))
    };
    !is_hidden(path)
        && is_delivering(folder)
        && (is_unique(name) || called(folder) == Some("cur") && has_flags())
}

/// Whether a name is a time in seconds, the identifier of a delivery and a host (maildir(5)):
/// `1041379200.M1P2.host`. The time has nine digits, or ten from 2001 to 2033.
fn is_unique(name: &[u8]) -> bool {
    let digits = name.iter().take_while(|it| it.is_ascii_digit()).count();
    let is_time = digits == 9 || digits == 10 && name.starts_with(b"1");
    let Some([b'.' | b'_', delivery @ ..]) = name.get(digits..) else {
        return false;
    };
    let begins = matches!(delivery, [b'0'..=b'9' | b'A'..=b'Z', ..]);
    is_time && begins && delivery.contains(&b'.')
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{MailFolders, is_unique};

    /// maildir(5), and the names of Dovecot, procmail and `OfflineIMAP`.
    #[test]
    fn names_of_deliveries_are_unique() {
        for name in [
            "1041379200.M1P2.host",
            "1041379200.P1234Q5.host.example",
            "1041379200.12345_1.host",
            "946684800.1234.host",
            "1600000000_0.12345.host,U=1,FMD5=abc",
        ] {
            assert!(is_unique(name.as_bytes()), "{name}");
        }
        for name in [
            "1600000000.mbox",
            "1600000000.mbox.gz",
            "2024010112_backup.mbox",
            "2024010112.M1P2.host",
            "1999.mbox",
            "1600000000",
            "20240101.1.host",
        ] {
            assert!(!is_unique(name.as_bytes()), "{name}");
        }
    }

    /// The folders of a member are not all its ancestors, which would be quadratic.
    #[test]
    fn only_the_folder_of_a_member_counts() {
        let deep = PathBuf::from("cur/".repeat(1000) + "1041379200.M1P2.host");
        let folders = MailFolders::of([(deep, false)].into_iter(), false);
        assert_eq!(folders.maildirs.len(), 1);
        let members = ["a/cur/new/", "a/new/"].map(|name| (PathBuf::from(name), true));
        assert!(
            MailFolders::of(members.into_iter(), false)
                .maildirs
                .is_empty()
        );
        let members = ["a/cur/", "a/new/"].map(|name| (PathBuf::from(name), true));
        assert_eq!(
            MailFolders::of(members.into_iter(), false).maildirs.len(),
            1
        );
    }
}
