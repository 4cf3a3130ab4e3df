//! Messages on disk.
//!
//! The one door to the file system, besides the command itself. [`sources`] finds messages
//! in files, mailboxes, Maildirs and folders of them, compressed or not; [`mbox`] reads and
//! writes mailboxes, from memory and as streams, and needs no file. What is compressed, and `stream`,
//! need the feature `batch`, whose conversions write files whole or not at all.
//!
//! Left out, and refused with a sentence that names what reads them: PST, OST and `.msg` of Outlook,
//! and TNEF. An `.emlx` file of Apple Mail is the message in it.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use mime_charset::{Message, archive::{Limits, sources}};
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! std::fs::write(folder.join("1.eml"), "Subject: one\n\n")?;
//! std::fs::write(
//!     folder.join("2.mbox"),
//!     "From - Sat Jan  3 01:05:34 1996\nSubject: two\n\n\
//!      From - Sat Jan  3 01:05:35 1996\nSubject: three\n\n",
//! )?;
//! let mut subjects = Vec::new();
//! for source in sources(folder, Limits::new()) {
//!     for stored in source?.messages()? {
//!         let octets = stored?;
//!         let octets = octets.message();
//!         let message = Message::parse(&octets);
//!         subjects.push(message.field("Subject").unwrap().text().into_text().into_owned());
//!     }
//! }
//! assert_eq!(subjects, ["one", "two", "three"]);
//! # Ok(())
//! # }
//! ```

#[cfg(feature = "batch")]
mod compressed;
#[cfg(feature = "batch")]
mod destination;
mod emlx;
#[cfg(feature = "batch")]
mod existing;
mod format;
#[cfg(feature = "batch")]
mod journal;
#[cfg(feature = "batch")]
mod layout;
mod limits;
pub mod mbox;
#[cfg(feature = "batch")]
mod members;
mod piece;
pub(crate) mod source;
#[cfg(feature = "batch")]
mod stream;
#[cfg(feature = "batch")]
pub(crate) mod unfinished;

#[cfg(feature = "batch")]
pub(crate) use destination::{Destination, Draft, Refused, is_taken, share_journals, share_path};
#[cfg(feature = "batch")]
pub use existing::Existing;
pub use format::Format;
#[cfg(feature = "batch")]
pub(crate) use journal::take_up;
#[cfg(feature = "batch")]
pub(crate) use layout::Layout;
pub use limits::Limits;
pub use piece::{Piece, Pieces, pieces};
#[cfg(feature = "batch")]
pub use source::stream;
pub use source::{MailSource, MailSources, Messages, sources};

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::error::Error;
use source::{failed, file_names};

/// The files that `path` names: itself, or, for a folder, every file in it and in the
/// folders below, in the order of their names. Links to folders are not followed, so that no
/// loop of links is walked for ever.
///
/// # Errors
///
/// A path that does not exist and a folder that cannot be read are errors of their own; the
/// others are listed all the same.
///
/// ```
/// let files = mime_charset::archive::files("Cargo.toml".as_ref());
/// assert_eq!(files.len(), 1);
/// ```
#[must_use]
pub fn files(path: &Path) -> Vec<Result<PathBuf, Error>> {
    let mut found = Vec::new();
    // Folders and files still to be listed, the next one last.
    let mut waiting = vec![path.to_path_buf()];
    let mut given = true;
    while let Some(path) = waiting.pop() {
        // The path that was asked for may be a link; those found in folders are not followed.
        let metadata = if given {
            fs::metadata(&path)
        } else {
            fs::symlink_metadata(&path)
        };
        given = false;
        match metadata {
            Err(error) => found.push(Err(failed("open", &path, error))),
            Ok(metadata) if metadata.is_dir() => match file_names(&path) {
                Ok(names) => waiting.extend(names.iter().rev().map(|name| path.join(name))),
                Err(error) => found.push(Err(error)),
            },
            Ok(metadata) if metadata.is_symlink() => {
                if fs::metadata(&path).is_ok_and(|target| target.is_file()) {
                    found.push(Ok(path));
                }
            }
            Ok(_) => found.push(Ok(path)),
        }
    }
    found
}

/// The octets of a file.
///
/// # Errors
///
/// One sentence that names the file.
///
/// ```
/// let octets = mime_charset::archive::read("LICENSE-MIT".as_ref()).unwrap();
/// assert!(octets.starts_with(b"MIT License"));
/// ```
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut octets = Vec::new();
    open(path)?
        .read_to_end(&mut octets)
        .map_err(|error| failed("read", path, error))?;
    Ok(octets)
}

/// A file to be read in pieces.
///
/// # Errors
///
/// One sentence that names the file.
///
/// ```
/// assert!(mime_charset::archive::open("no such file".as_ref()).is_err());
/// ```
pub fn open(path: &Path) -> Result<fs::File, Error> {
    fs::File::open(path).map_err(|error| failed("open", path, error))
}
