//! The places of a run's files.

use std::fs;
use std::path::{Path, PathBuf};

use super::sources::is_packed;
use crate::error::{Error, cannot};

/// The places of a run's files.
///
/// For a file, the destination is a file, an existing folder, or a folder named with a trailing
/// slash. For a folder, a zip file or a tar file, the destination is a folder. Folders are created
/// if necessary.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    /// The folder that contains all files, with links resolved.
    pub(super) root: PathBuf,
    /// The source, with links resolved.
    pub(super) source: PathBuf,
    /// The name of the only file, if the source is a file and the destination is not a folder.
    pub(super) single: Option<PathBuf>,
    /// Whether the source is a zip or tar file, whose name is not part of the paths.
    pub(crate) is_packed: bool,
    /// The destination as it was given.
    pub(super) named: PathBuf,
}

impl Layout {
    /// Determines the places; creates nothing.
    ///
    /// # Errors
    ///
    /// Fails if the source is neither a file nor a folder, such as a pipe; if the destination is
    /// the source, is in it, or contains it, also through links; and if the destination is of the
    /// wrong kind.
    pub(crate) fn new(source: &Path, destination: &Path) -> Result<Self, Error> {
        let is_neither = |there: fs::Metadata| !(there.is_file() || there.is_dir());
        if fs::metadata(source).is_ok_and(is_neither) {
            return Err(Error::new(format!(
                "the source is neither a file nor a folder: {}",
                source.display()
            )));
        }
        let source = source.canonicalize().map_err(cannot("open", source))?;
        let target = without_links(destination)?;
        let shown = destination.display();
        if target == source {
            return Err(is_the_source(destination));
        }
        let there = fs::metadata(&target).ok();
        let is_folder = there.as_ref().is_some_and(fs::Metadata::is_dir);
        if !is_folder && there.is_some_and(|there| !there.is_file()) {
            return Err(Error::new(format!(
                "the destination is neither a file nor a folder: {shown}"
            )));
        }
        if source.is_dir() {
            if target.starts_with(&source) {
                return Err(Error::new(format!(
                    "the destination must be outside the source: {shown}"
                )));
            }
            if source.starts_with(&target) {
                return Err(Error::new(format!(
                    "the destination must not contain the source: {shown}"
                )));
            }
        }
        let is_packed = is_packed(&source);
        // A path that ends in a slash names a folder.
        let names_folder = destination
            .as_os_str()
            .as_encoded_bytes()
            .last()
            .is_some_and(|&last| std::path::is_separator(char::from(last)));
        let to_folder = source.is_dir() || is_packed || names_folder;
        if to_folder && target.exists() && !is_folder {
            return Err(Error::new(format!(
                "expected a folder as destination, found the file {shown}"
            )));
        }
        let (root, single) = if to_folder || is_folder {
            (target, None)
        } else {
            let parent = target.parent().unwrap_or(Path::new("/")).to_path_buf();
            (parent, target.file_name().map(PathBuf::from))
        };
        Ok(Layout {
            root,
            source,
            single,
            is_packed,
            named: destination.to_path_buf(),
        })
    }

    /// The place of a file, given its [`MailSource::relative`](super::MailSource::relative) path.
    #[must_use]
    pub(crate) fn place(&self, relative: &Path) -> PathBuf {
        if let Some(single) = &self.single {
            return self.root.join(single);
        }
        if self.is_packed {
            let mut below = relative.components();
            below.next();
            return self.root.join(below);
        }
        self.root.join(relative)
    }

    /// A [`place`](Layout::place) for display: relative to the destination as given.
    #[must_use]
    pub(crate) fn shown(&self, place: &Path) -> PathBuf {
        let Ok(below) = place.strip_prefix(&self.root) else {
            return place.to_path_buf();
        };
        match &self.single {
            None if below == Path::new("") => self.named.clone(),
            None => self.named.join(below),
            Some(single) if single == below => self.named.clone(),
            Some(_) => self.named.with_file_name("").join(below),
        }
    }

    /// Whether a file, which need not exist, is the source or in it, also through links.
    #[must_use]
    pub(crate) fn is_source(&self, path: &Path) -> bool {
        without_links(path).is_ok_and(|path| path.starts_with(&self.source))
    }

    /// Whether a file, which need not exist, would replace the destination or a folder above it.
    /// The target of a link does not matter, since writing replaces the link itself.
    #[must_use]
    pub(crate) fn is_destination(&self, path: &Path) -> bool {
        let Ok(path) = std::path::absolute(path) else {
            return false;
        };
        let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
            return true;
        };
        let destination = self.place(Path::new(""));
        without_links(folder).is_ok_and(|folder| destination.starts_with(folder.join(name)))
    }
}

pub(super) fn is_the_source(destination: &Path) -> Error {
    Error::new(format!(
        "the destination must not be the source: {}",
        destination.display()
    ))
}

/// Resolves links in the existing part of a path.
pub(super) fn without_links(path: &Path) -> Result<PathBuf, Error> {
    let mut missing = Vec::new();
    let absolute = std::path::absolute(path).map_err(cannot("open", path))?;
    let mut there = absolute.as_path();
    loop {
        if let Ok(real) = there.canonicalize() {
            return Ok(missing
                .iter()
                .rev()
                .fold(real, |path, name| path.join(name)));
        }
        let is_link = fs::symlink_metadata(there).is_ok_and(|metadata| metadata.is_symlink());
        let (Some(parent), Some(name), false) = (there.parent(), there.file_name(), is_link) else {
            return Err(Error::new(format!(
                "files cannot be created at {}",
                path.display()
            )));
        };
        missing.push(name.to_os_string());
        there = parent;
    }
}

#[cfg(test)]
mod tests {
    use super::Layout;
    use std::path::Path;

    #[test]
    fn files_go_below_the_destination() -> Result<(), Box<dyn std::error::Error>> {
        let layout = Layout::new("src".as_ref(), "/no/such/folder".as_ref())?;
        assert_eq!(
            layout.place("a/b.eml".as_ref()),
            Path::new("/no/such/folder/a/b.eml")
        );
        assert!(Layout::new("src".as_ref(), "src/archive".as_ref()).is_err());
        Ok(())
    }

    #[test]
    fn places_are_shown_as_given() -> Result<(), Box<dyn std::error::Error>> {
        let layout = Layout::new("src".as_ref(), "src/../new".as_ref())?;
        let place = layout.place("a/b.eml".as_ref());
        assert!(place.is_absolute());
        assert_eq!(layout.shown(&place), Path::new("src/../new/a/b.eml"));
        Ok(())
    }

    #[test]
    fn a_trailing_slash_names_a_folder() {
        let layout = Layout::new("Cargo.toml".as_ref(), "/no/such/".as_ref()).unwrap();
        assert_eq!(
            layout.place("Cargo.toml".as_ref()),
            Path::new("/no/such/Cargo.toml")
        );
        assert!(Layout::new("src/lib.rs".as_ref(), "Cargo.toml/".as_ref()).is_err());
    }

    #[test]
    fn a_zip_file_is_a_folder() {
        let layout =
            Layout::new("../corpus/archive/tree.zip".as_ref(), "/no/such".as_ref()).unwrap();
        assert!(layout.is_packed);
        assert_eq!(
            layout.place("tree/a/b.eml".as_ref()),
            Path::new("/no/such/a/b.eml")
        );
    }

    #[test]
    fn files_in_the_source_are_recognized() {
        let layout = Layout::new("src".as_ref(), "/no/such/folder".as_ref()).unwrap();
        assert!(layout.is_source("src/archive/new".as_ref()));
        assert!(!layout.is_source("new".as_ref()));
    }

    #[test]
    fn files_in_the_place_of_the_destination_are_recognized() {
        let layout = Layout::new("Cargo.toml".as_ref(), "/no/such.eml".as_ref()).unwrap();
        assert!(layout.is_destination("/no/such.eml".as_ref()));
        assert!(layout.is_destination("/no".as_ref()));
        assert!(!layout.is_destination("/no/such.jsonl".as_ref()));
    }
}
