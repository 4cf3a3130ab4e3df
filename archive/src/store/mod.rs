//! Messages on disk: finds them in files, mailboxes, Maildirs and folders, compressed or not, and
//! writes files that are complete or absent.

mod compressed;
mod dbox;
mod destination;
mod emlx;
mod existing;
mod expanded;
mod journal;
mod layout;
mod limits;
mod maildir;
mod members;
mod messages;
mod name;
mod names;
mod piece;
mod selection;
pub(crate) mod source;
mod sources;
mod stream;
pub(crate) mod unfinished;
mod wrapped;

pub(crate) use destination::{
    Destination, Draft, Finished, Refused, journal_path, share_journals, share_path,
};
pub use existing::Existing;
pub use expanded::open_report;
pub(crate) use expanded::{check_report_name, open_report_anywhere, report_writer};
pub(crate) use journal::{append_share, path_of_octets};
pub(crate) use layout::Layout;
pub use limits::Limits;
pub(crate) use members::Anywhere;
pub use messages::Messages;
pub use names::SourceNames;
pub(crate) use names::path_octets;
pub use piece::{Piece, pieces};
pub use selection::Selection;
pub use source::MailSource;
pub(crate) use source::NoMail;
pub(crate) use sources::UnreadSource;
pub use sources::{MailSources, sources, stream, stream_as};

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::error::{Error, cannot};
use sources::file_names;

/// Lists the files in `path`: the file itself or, for a folder, every file and link in it and its
/// subfolders, sorted by name. Links are not followed, to avoid loops.
///
/// # Errors
///
/// A missing path or unreadable folder is an error item; the others are still listed.
///
/// ```
/// let files = mime_charset_archive::files("Cargo.toml".as_ref());
/// assert_eq!(files.len(), 1);
/// ```
#[must_use]
pub fn files(path: &Path) -> Vec<Result<PathBuf, Error>> {
    let mut found = Vec::new();
    // Files and folders still to be listed; the next one is last.
    let mut pending = vec![path.to_path_buf()];
    let mut given = true;
    while let Some(path) = pending.pop() {
        // The given path may be a link; links inside folders are not followed.
        let metadata = if given {
            fs::metadata(&path)
        } else {
            fs::symlink_metadata(&path)
        };
        given = false;
        match metadata {
            Err(error) => found.push(Err(cannot("open", &path)(error))),
            Ok(metadata) if metadata.is_dir() => match file_names(&path) {
                Ok(names) => pending.extend(names.iter().rev().map(|name| path.join(name))),
                Err(error) => found.push(Err(error)),
            },
            Ok(_) => found.push(Ok(path)),
        }
    }
    found
}

/// Reads a file.
///
/// # Errors
///
/// One sentence that names the file.
///
/// ```
/// let octets = mime_charset_archive::read("../LICENSE-MIT".as_ref()).unwrap();
/// assert!(octets.starts_with(b"MIT License"));
/// ```
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut octets = Vec::new();
    open(path)?
        .read_to_end(&mut octets)
        .map_err(cannot("read", path))?;
    Ok(octets)
}

/// Opens a file.
///
/// # Errors
///
/// One sentence that names the file.
///
/// ```
/// assert!(mime_charset_archive::open("no such file".as_ref()).is_err());
/// ```
pub fn open(path: &Path) -> Result<fs::File, Error> {
    fs::File::open(path).map_err(cannot("open", path))
}
