//! Files written whole or not at all.
//!
//! Each file is written under another name in the folder it belongs to, brought to disk, and
//! then renamed; who looks sees the whole file or none. A journal beside the results says
//! which files are done, so that a run that was interrupted can go on; it is deleted at the
//! end.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs::{self, File, FileTimes, OpenOptions};
use std::io::{self, BufRead as _, BufReader, BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::SystemTime;

use memchr::memrchr;
use tempfile::{Builder, NamedTempFile};

use super::source::{failed, is_zip};
use crate::error::Error;

/// What is done about files that are there already.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mime_charset::archive::{Destination, Existing};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// std::fs::write(folder.join("a.eml"), "Subject: there\n\n")?;
/// let create = |existing| {
///     let mut destination = Destination::new("src".as_ref(), folder, existing, "")?;
///     let created = destination.create("a.eml".as_ref()).is_ok();
///     destination.finish().map(|()| created)
/// };
/// assert_eq!(create(Existing::Refuse), Ok(false));
/// assert_eq!(create(Existing::Replace), Ok(true));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Existing {
    /// They stay, and are an error.
    Refuse,
    /// They are replaced.
    Replace,
    /// Those that an interrupted run has finished stay and are done; others are an error, unless
    /// they are octet for octet what is to be written.
    Resume,
}

/// Where the files of one run belong, before anything is written.
///
/// For a source that is a file the destination is a file, or a folder that is there already;
/// for a folder it is a folder, and so for a zip file, which is a folder of what is in it: there
/// already or not, it gets the same.
///
/// ```
/// # fn main() -> Result<(), mime_charset::Error> {
/// use std::path::Path;
/// use mime_charset::archive::Layout;
///
/// let layout = Layout::new("src".as_ref(), "/no/such/folder".as_ref())?;
/// assert_eq!(layout.place("a/b.eml".as_ref()), Path::new("/no/such/folder/a/b.eml"));
/// assert!(Layout::new("src".as_ref(), "src/archive".as_ref()).is_err());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Layout {
    /// The folder that all files are in, without links.
    root: PathBuf,
    /// The source, without links.
    source: PathBuf,
    /// The name of the one file, if the source is a file and the destination is no folder.
    single: Option<PathBuf>,
    /// Whether the source is a zip file, whose name no file has to be below.
    is_zip: bool,
    /// The destination as it was named.
    named: PathBuf,
}

impl Layout {
    /// Finds out what goes where, and makes nothing.
    ///
    /// # Errors
    ///
    /// A destination that is the source, lies in it, or contains it, also by way of links; one
    /// that is of the wrong kind.
    pub fn new(source: &Path, destination: &Path) -> Result<Self, Error> {
        let source = source
            .canonicalize()
            .map_err(|error| failed("open", source, &error))?;
        let target = without_links(destination)?;
        let shown = destination.display();
        if target == source {
            return Err(Error::new(format!(
                "expected another place than the source, found {shown}"
            )));
        }
        let there = fs::metadata(&target).ok();
        let is_folder = there.as_ref().is_some_and(fs::Metadata::is_dir);
        if !is_folder && there.is_some_and(|there| !there.is_file()) {
            return Err(Error::new(format!(
                "expected a file or a folder as destination, found something else: {shown}"
            )));
        }
        if source.is_dir() {
            if target.starts_with(&source) {
                return Err(Error::new(format!(
                    "expected a destination outside of the source, found {shown} inside"
                )));
            }
            if source.starts_with(&target) {
                return Err(Error::new(format!(
                    "expected a destination beside the source, found {shown} around it"
                )));
            }
        }
        let is_zip = is_zip(&source);
        let to_folder = source.is_dir() || is_zip;
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
            is_zip,
            named: destination.to_path_buf(),
        })
    }

    /// Where a file is going to be, by [`Source::relative`](super::Source::relative).
    #[must_use]
    pub fn place(&self, relative: &Path) -> PathBuf {
        if let Some(single) = &self.single {
            return self.root.join(single);
        }
        if self.is_zip {
            let mut below = relative.components();
            below.next();
            return self.root.join(below);
        }
        self.root.join(relative)
    }

    /// A [`place`](Layout::place) as a person knows it: below the destination as it was named.
    ///
    /// ```
    /// # fn main() -> Result<(), mime_charset::Error> {
    /// use std::path::Path;
    /// use mime_charset::archive::Layout;
    ///
    /// let layout = Layout::new("src".as_ref(), "corpus/../new".as_ref())?;
    /// let place = layout.place("a/b.eml".as_ref());
    /// assert!(place.is_absolute());
    /// assert_eq!(layout.shown(&place), Path::new("corpus/../new/a/b.eml"));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn shown(&self, place: &Path) -> PathBuf {
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

    /// Whether the source is a zip file, all of whose files go into the destination.
    ///
    /// ```
    /// use std::path::Path;
    /// use mime_charset::archive::Layout;
    ///
    /// let layout = Layout::new("corpus/archive/tree.zip".as_ref(), "/no/such".as_ref()).unwrap();
    /// assert!(layout.is_zip());
    /// assert_eq!(layout.place("tree/a/b.eml".as_ref()), Path::new("/no/such/a/b.eml"));
    /// ```
    #[must_use]
    pub fn is_zip(&self) -> bool {
        self.is_zip
    }

    /// Whether a file, there or not, is the source or lies in it, also by way of links.
    ///
    /// ```
    /// use mime_charset::archive::Layout;
    ///
    /// let layout = Layout::new("src".as_ref(), "/no/such/folder".as_ref()).unwrap();
    /// assert!(layout.is_source("src/archive/new".as_ref()));
    /// assert!(!layout.is_source("new".as_ref()));
    /// ```
    #[must_use]
    pub fn is_source(&self, path: &Path) -> bool {
        without_links(path).is_ok_and(|path| path.starts_with(&self.source))
    }

    /// Whether a file, there or not, would stand in the place of the destination, or of a folder
    /// that it lies in. Where a link at its end leads is no matter: who writes a file in its place
    /// replaces the link.
    ///
    /// ```
    /// use mime_charset::archive::Layout;
    ///
    /// let layout = Layout::new("Cargo.toml".as_ref(), "/no/such.eml".as_ref()).unwrap();
    /// assert!(layout.is_destination("/no/such.eml".as_ref()));
    /// assert!(layout.is_destination("/no".as_ref()));
    /// assert!(!layout.is_destination("/no/such.jsonl".as_ref()));
    /// ```
    #[must_use]
    pub fn is_destination(&self, path: &Path) -> bool {
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

/// Where the files of one run go, as [`Layout`] has it.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::io::Write;
/// use mime_charset::archive::{Destination, Existing};
///
/// let folder = tempfile::tempdir()?;
/// let target = folder.path().join("target");
/// let mut destination =
///     Destination::new("src".as_ref(), &target, Existing::Refuse, "charset=utf-8")?;
/// let mut draft = destination.create("a/b.eml".as_ref())?;
/// draft.write_all(b"Subject: x\r\n")?;
/// assert!(!target.join("a/b.eml").exists());
/// draft.keep(&mut destination, "clean")?;
/// destination.maildir("inbox".as_ref())?;
///
/// // If the run ended here, another could go on behind what is done.
/// assert!(destination.place("a/b.eml".as_ref()).ends_with("target/a/b.eml"));
/// drop(destination);
/// let destination =
///     Destination::new("src".as_ref(), &target, Existing::Resume, "charset=utf-8")?;
/// assert_eq!(destination.done("a/b.eml".as_ref()), Some("clean"));
/// destination.finish()?;
/// assert_eq!(std::fs::read(target.join("a/b.eml"))?, b"Subject: x\r\n");
/// assert!(target.join("inbox/new").is_dir());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Destination {
    layout: Layout,
    existing: Existing,
    /// What was written, so that two sources do not become one file.
    taken: HashSet<PathBuf>,
    /// Folders with new files, whose names are brought to disk at the end.
    folders: HashSet<PathBuf>,
    /// Folders that were not there before, each behind those it is in.
    made: Vec<PathBuf>,
    journal: Journal,
}

/// Names of files that are not finished begin and end like this.
const UNFINISHED: (&str, &str) = (".mime-charset-", ".part");

impl Destination {
    /// Prepares to write what becomes of `source`. The folder is made, and no file.
    ///
    /// `settings` stands for all that decides what is written: a run is taken up again only
    /// with the same, and the lines that differ are named.
    ///
    /// # Errors
    ///
    /// Those of [`Layout::new`]; a destination that a run with other settings has begun, or, to
    /// be taken up again, one with files that no unfinished run has left; a folder that cannot
    /// be made.
    pub fn new(
        source: &Path,
        destination: &Path,
        existing: Existing,
        settings: &str,
    ) -> Result<Self, Error> {
        let layout = Layout::new(source, destination)?;
        let Layout { root, single, .. } = &layout;
        let mut made = Vec::new();
        make(root, &mut made).map_err(|error| failed("make", &layout.shown(root), &error))?;
        let of = single
            .as_deref()
            .map(|name| escape(name) + ".")
            .unwrap_or_default();
        let journal = root.join(format!("{}{of}journal", UNFINISHED.0));
        let is_empty = match single {
            Some(name) => fs::symlink_metadata(root.join(name)).is_err(),
            None => fs::read_dir(root).is_ok_and(|mut entries| entries.next().is_none()),
        };
        if existing == Existing::Resume && !is_empty && fs::symlink_metadata(&journal).is_err() {
            return Err(Error::new(format!(
                "expected a run that was interrupted, found none in {}",
                destination.display()
            )));
        }
        let shown = layout.shown(&journal);
        let journal = Journal::open(journal, shown, existing, settings)?;
        let destination = Destination {
            layout,
            existing,
            taken: HashSet::new(),
            folders: HashSet::new(),
            made,
            journal,
        };
        destination.sweep();
        Ok(destination)
    }

    /// Where a file is going to be, as [`Layout::place`] has it.
    #[must_use]
    pub fn place(&self, relative: &Path) -> PathBuf {
        self.layout.place(relative)
    }

    /// Where all files are going to be.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mime_charset::archive::{Destination, Existing};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let destination =
    ///     Destination::new("src".as_ref(), folder.path(), Existing::Refuse, "")?;
    /// assert!(!destination.layout().is_source(folder.path()));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The note that [`Draft::keep`] was given for this file by a run that was interrupted;
    /// `None` if the file is still to be made, or was made or left in this run.
    #[must_use]
    pub fn done(&self, relative: &Path) -> Option<&str> {
        let (length, note) = self.journal.done.get(&escape(relative))?;
        let place = self.place(relative);
        let there = fs::symlink_metadata(&place).ok()?;
        (there.is_file() && there.len() == *length && !self.taken.contains(&place))
            .then_some(note.as_str())
    }

    /// Whether a run that was interrupted is taken up again.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mime_charset::archive::{Destination, Existing};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut destination =
    ///     Destination::new("src".as_ref(), folder.path(), Existing::Refuse, "")?;
    /// assert!(!destination.goes_on());
    /// destination.create("a.eml".as_ref())?;
    /// drop(destination);
    /// let destination =
    ///     Destination::new("src".as_ref(), folder.path(), Existing::Resume, "")?;
    /// assert!(destination.goes_on());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn goes_on(&self) -> bool {
        self.journal.goes_on
    }

    /// Leaves a file as it is: one that is [`done`](Destination::done), or one of somebody
    /// else's that nothing may be written to.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mime_charset::archive::{Destination, Existing};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut destination =
    ///     Destination::new("src".as_ref(), folder.path(), Existing::Replace, "")?;
    /// destination.leave(folder.path().join("report.jsonl"));
    /// assert!(destination.create("report.jsonl".as_ref()).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn leave(&mut self, place: PathBuf) {
        self.taken.insert(place);
    }

    /// Begins a file.
    ///
    /// # Errors
    ///
    /// A path that leads out of the destination, also by a link; a file that is there already,
    /// unless it may be replaced or could be of the run that is taken up, or that this run has
    /// written; folders and files that cannot be made.
    pub fn create(&mut self, relative: &Path) -> Result<Draft, Error> {
        if !relative
            .components()
            .all(|part| matches!(part, Component::Normal(_)))
        {
            return Err(Error::new(format!(
                "expected a path below the destination, found {}",
                relative.display()
            )));
        }
        let place = self.place(relative);
        let shown = self.layout.shown(&place);
        if !self.taken.insert(place.clone()) {
            return Err(Error::new(format!(
                "expected one source for {}, found another; convert them separately, each to a \
                 destination of its own",
                shown.display()
            )));
        }
        let there = fs::symlink_metadata(&place).ok();
        if there
            .as_ref()
            .is_some_and(|there| !there.is_file() && !there.is_symlink())
        {
            return Err(Error::new(format!(
                "expected a file or nothing, found something else: {}",
                shown.display()
            )));
        }
        if there.is_some() && self.existing != Existing::Replace && !self.goes_on() {
            return Err(is_there(&shown));
        }
        let folder = place.parent().unwrap_or(&self.layout.root).to_path_buf();
        let folder = self.folder(&folder)?;
        if place
            .file_name()
            .is_some_and(|name| folder.join(name) == self.layout.source)
        {
            return Err(Error::new(format!(
                "expected another place than the source, found {}",
                shown.display()
            )));
        }
        let file = unfinished(&folder)
            .map_err(|error| failed("write in", &self.layout.shown(&folder), &error))?;
        Ok(Draft {
            file: BufWriter::with_capacity(1 << 18, file),
            syncing: Syncing::default(),
            relative: relative.to_path_buf(),
            place,
            shown,
        })
    }

    /// Makes a Maildir: a folder with `cur`, `new` and `tmp` in it.
    ///
    /// # Errors
    ///
    /// Folders that cannot be made.
    pub fn maildir(&mut self, relative: &Path) -> Result<(), Error> {
        for name in ["cur", "new", "tmp"] {
            self.folder(&self.place(relative).join(name))?;
        }
        Ok(())
    }

    /// Ends the run: the names of the files are brought to disk, and the journal is deleted.
    ///
    /// # Errors
    ///
    /// A folder or a journal that cannot be written to.
    pub fn finish(self) -> Result<(), Error> {
        for folder in &self.folders {
            sync_folder(folder)
                .map_err(|error| failed("write", &self.layout.shown(folder), &error))?;
        }
        let Journal {
            file, path, shown, ..
        } = self.journal;
        drop(file);
        fs::remove_file(&path).map_err(|error| failed("delete", &shown, &error))
    }

    /// Whether there is something for a run that goes on with this one: a file that was kept, by
    /// this run or the one it took up.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mime_charset::archive::{Destination, Existing};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let mut destination =
    ///     Destination::new("src".as_ref(), folder.path(), Existing::Refuse, "")?;
    /// let draft = destination.create("a.eml".as_ref())?;
    /// assert!(!destination.has_results());
    /// draft.keep(&mut destination, "")?;
    /// assert!(destination.has_results());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn has_results(&self) -> bool {
        self.goes_on() || !self.folders.is_empty()
    }

    /// Ends a run without [results](Destination::has_results) as if it had not begun: the journal
    /// is deleted, and the folders that were made for it, unless others use them already. One with
    /// results is left as it is.
    ///
    /// # Errors
    ///
    /// A journal that cannot be deleted.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use mime_charset::archive::{Destination, Existing};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let target = folder.path().join("a/b");
    /// let mut destination = Destination::new("src".as_ref(), &target, Existing::Refuse, "")?;
    /// drop(destination.create("c/d.eml".as_ref())?);
    /// destination.abandon()?;
    /// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn abandon(self) -> Result<(), Error> {
        if self.has_results() {
            return Ok(());
        }
        let made = self.made.clone();
        self.finish()?;
        for folder in made.iter().rev() {
            // What somebody else has put there stays, and the folder with it.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }

    /// Makes a folder and those it is in, none of them by way of a link that leads elsewhere.
    fn folder(&mut self, folder: &Path) -> Result<PathBuf, Error> {
        let Layout { root, source, .. } = &self.layout;
        // Before anything is made, which could be in the source.
        let real = without_links(folder)?;
        if !real.starts_with(root) || (source.is_dir() && real.starts_with(source)) {
            return Err(Error::new(format!(
                "expected a folder in the destination, found a link elsewhere: {}",
                self.layout.shown(folder).display()
            )));
        }
        make(&real, &mut self.made)
            .map_err(|error| failed("make", &self.layout.shown(folder), &error))?;
        Ok(real)
    }

    /// Deletes what a run that was killed had not finished.
    fn sweep(&self) {
        if self.existing == Existing::Refuse {
            return;
        }
        let mut folders = vec![self.layout.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                // A file of one name is not looked for below its folder, which is not ours.
                if self.layout.single.is_none() && entry.file_type().is_ok_and(|kind| kind.is_dir())
                {
                    folders.push(entry.path());
                } else if name.starts_with(UNFINISHED.0) && name.ends_with(UNFINISHED.1) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// A file that is being written. Unless it is kept, nothing of it stays.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{io::Write, time::{Duration, SystemTime}};
/// use mime_charset::archive::{Destination, Existing};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let mut destination =
///     Destination::new("src".as_ref(), folder, Existing::Refuse, "")?;
/// drop(destination.create("never.eml".as_ref())?);
/// destination.create("empty.eml".as_ref())?.keep(&mut destination, "")?;
/// let mut draft = destination.create("old.eml".as_ref())?;
/// draft.write_all(b"Subject: old\n\n")?;
/// let delivered = SystemTime::UNIX_EPOCH + Duration::from_secs(946_684_800);
/// draft.keep_with_time(&mut destination, "", Some(delivered))?;
/// destination.finish()?;
///
/// assert_eq!(std::fs::read_dir(folder)?.count(), 2);
/// assert_eq!(folder.join("old.eml").metadata()?.modified()?, delivered);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Draft {
    file: BufWriter<NamedTempFile>,
    syncing: Syncing,
    relative: PathBuf,
    place: PathBuf,
    /// The place as people are told of it.
    shown: PathBuf,
}

impl Draft {
    /// Whether the file may get its name, which [`keep`](Draft::keep) asks too.
    ///
    /// What an interrupted run has finished and could not note any more is known by its octets:
    /// nothing is lost where it is replaced.
    ///
    /// # Errors
    ///
    /// A file that is there already and not to be replaced, and is no other than this one
    /// either.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::io::Write;
    /// use mime_charset::archive::{Destination, Existing};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let folder = folder.path();
    /// let mut destination =
    ///     Destination::new("src".as_ref(), folder, Existing::Refuse, "")?;
    /// let mut draft = destination.create("a.eml".as_ref())?;
    /// draft.write_all(b"Subject: ours\n\n")?;
    /// assert!(draft.check(&destination).is_ok());
    /// std::fs::write(folder.join("a.eml"), "Subject: of somebody else\n\n")?;
    /// assert!(draft.check(&destination).is_err());
    /// # Ok(())
    /// # }
    /// ```
    pub fn check(&mut self, destination: &Destination) -> Result<(), Error> {
        self.replaces(destination).map(|_| ())
    }

    /// Whether a file may be replaced by this one; an error if one may not.
    fn replaces(&mut self, destination: &Destination) -> Result<bool, Error> {
        if destination.existing == Existing::Replace {
            return Ok(true);
        }
        let Ok(there) = fs::symlink_metadata(&self.place) else {
            return Ok(false);
        };
        let is_ours = destination.goes_on()
            && there.is_file()
            && self
                .is_same_as(&self.place.clone())
                .map_err(|error| failed("compare", &self.shown, &error))?;
        if is_ours {
            Ok(true)
        } else {
            Err(is_there(&self.shown))
        }
    }

    fn is_same_as(&mut self, place: &Path) -> io::Result<bool> {
        self.file.flush()?;
        let mut ours = BufReader::new(self.file.get_ref().reopen()?);
        let mut there = BufReader::new(File::open(place)?);
        loop {
            let (one, other) = (ours.fill_buf()?, there.fill_buf()?);
            let length = one.len().min(other.len());
            if one.get(..length) != other.get(..length) {
                return Ok(false);
            }
            if length == 0 {
                return Ok(one.len() == other.len());
            }
            ours.consume(length);
            there.consume(length);
        }
    }

    /// Brings the file to disk and gives it its name. `note` comes back from
    /// [`Destination::done`] if the run is interrupted later and taken up again.
    ///
    /// # Errors
    ///
    /// A file that cannot be written or renamed; nothing of it stays then.
    pub fn keep(self, destination: &mut Destination, note: &str) -> Result<(), Error> {
        self.keep_with_time(destination, note, None)
    }

    /// As [`keep`](Draft::keep), with the time the file is to have been changed last: for
    /// Maildirs that is when mail was delivered.
    ///
    /// # Errors
    ///
    /// As for [`keep`](Draft::keep).
    pub fn keep_with_time(
        mut self,
        destination: &mut Destination,
        note: &str,
        modified: Option<SystemTime>,
    ) -> Result<(), Error> {
        let replaces = self.replaces(destination)?;
        let Draft {
            file,
            syncing,
            relative,
            place,
            shown,
        } = self;
        let failed = |error: &io::Error| failed("write", &shown, error);
        let file = file.into_inner().map_err(|error| failed(error.error()))?;
        syncing.finish().map_err(|error| failed(&error))?;
        if let Some(modified) = modified {
            // A file system without times is no reason to lose mail.
            let _ = file
                .as_file()
                .set_times(FileTimes::new().set_modified(modified));
        }
        file.as_file().sync_all().map_err(|error| failed(&error))?;
        let length = file
            .as_file()
            .metadata()
            .map_err(|error| failed(&error))?
            .len();
        let kept = if replaces {
            file.persist(&place)
        } else {
            file.persist_noclobber(&place)
        };
        kept.map_err(|error| failed(&error.error))?;
        if let Some(folder) = place.parent() {
            destination.folders.insert(folder.to_path_buf());
        }
        destination.journal.done(&relative, length, note)
    }
}

impl Write for Draft {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.file.write(octets)?;
        self.syncing.add(written, self.file.get_ref().as_file());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Brings what is written of a long file to disk while the rest of it is made, which otherwise
/// takes a second or two at the end.
#[derive(Debug, Default)]
struct Syncing {
    /// Octets since the last time.
    written: usize,
    thread: Option<(SyncSender<()>, JoinHandle<io::Result<()>>)>,
}

impl Syncing {
    const ENOUGH: usize = 64 << 20;

    fn add(&mut self, written: usize, file: &File) {
        self.written += written;
        if self.written < Self::ENOUGH {
            return;
        }
        self.written = 0;
        if self.thread.is_none() {
            self.thread = file.try_clone().ok().and_then(Self::begin);
        }
        if let Some((sender, _)) = &self.thread {
            // Where it still is at the last, that is soon enough.
            let _ = sender.try_send(());
        }
    }

    /// Where there is no thread to be had, all is brought to disk at the end.
    fn begin(file: File) -> Option<(SyncSender<()>, JoinHandle<io::Result<()>>)> {
        let (sender, receiver) = sync_channel(1);
        let sync = move || receiver.iter().try_for_each(|()| file.sync_data());
        let thread = thread::Builder::new().spawn(sync).ok()?;
        Some((sender, thread))
    }

    /// What went wrong: a system tells it once, to whoever asks first.
    fn finish(self) -> io::Result<()> {
        let Some((sender, thread)) = self.thread else {
            return Ok(());
        };
        drop(sender);
        let panicked = |_| {
            Err(io::Error::other(
                "the thread that brings it to disk is gone",
            ))
        };
        thread.join().unwrap_or_else(panicked)
    }
}

/// What an interrupted run has done, line by line: `done PATH LENGTH NOTE`, with tabs between.
#[derive(Debug)]
struct Journal {
    path: PathBuf,
    /// The path as people are told of it.
    shown: PathBuf,
    file: File,
    goes_on: bool,
    done: HashMap<String, (u64, String)>,
}

/// What the first line begins with; behind it stand the settings.
const FIRST: &str = "mime-charset 1\t";

/// The settings that the others do not have, in brackets behind a blank.
fn others(settings: &str, others: &str) -> String {
    let is_other = |line: &&str| others.lines().all(|other| other != *line);
    let only: Vec<_> = settings.lines().filter(is_other).collect();
    if only.is_empty() {
        String::new()
    } else {
        format!(" ({})", only.join(", "))
    }
}

impl Journal {
    fn open(
        path: PathBuf,
        shown: PathBuf,
        existing: Existing,
        settings: &str,
    ) -> Result<Self, Error> {
        let first = format!("{FIRST}{}\n", escape(Path::new(settings)));
        let there = fs::symlink_metadata(&path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Err(Error::new(format!(
                "expected a file or nothing, found something else: {}",
                shown.display()
            )));
        }
        if there.is_some() && existing == Existing::Refuse {
            return Err(Error::new(format!(
                "expected no run that was interrupted, found what one has left: {}; --resume goes on \
                 with it, --force begins anew",
                shown.display()
            )));
        }
        let old = if there.is_some() && existing == Existing::Resume {
            fs::read(&path).map_err(|error| failed("read", &shown, &error))?
        } else {
            Vec::new()
        };
        // The first line and the last one may have been cut off.
        let kept = memrchr(b'\n', &old).map_or(0, |end| end + 1);
        let mut lines = old
            .get(..kept)
            .unwrap_or_default()
            .split_inclusive(|&o| o == b'\n');
        if let Some(line) = lines.next().filter(|line| *line != first.as_bytes()) {
            let line = String::from_utf8_lossy(line);
            let old = line.strip_prefix(FIRST).unwrap_or_default().trim_end();
            let old = unescape(old).to_string_lossy().into_owned();
            return Err(Error::new(format!(
                "expected the settings that the run was begun with{}, found others{}: {}; --force \
                 begins anew with these",
                others(&old, settings),
                others(settings, &old),
                shown.display()
            )));
        }
        let mut done = HashMap::new();
        for line in lines {
            // After a crash of the machine zeros may stand where lines were to be.
            let Some(line) = str::from_utf8(line)
                .ok()
                .filter(|line| !line.contains('\0'))
            else {
                continue;
            };
            let mut cells = line.trim_end_matches('\n').split('\t');
            let mut cell = || cells.next().unwrap_or_default().to_owned();
            let ("done", file, length, note) = (cell().as_str(), cell(), cell(), cell()) else {
                continue;
            };
            let Ok(length) = length.parse() else { continue };
            let note = unescape(&note).to_string_lossy().into_owned();
            done.insert(file, (length, note));
        }
        // Nothing of the old journal is written anew: there is no moment without it.
        let open = || -> io::Result<File> {
            let mut file = OpenOptions::new()
                .create(true)
                .write(true)
                .truncate(false)
                .open(&path)?;
            file.set_len(kept as u64)?;
            file.seek(SeekFrom::End(0))?;
            if kept == 0 {
                file.write_all(first.as_bytes())?;
            }
            file.sync_all()?;
            sync_folder(path.parent().unwrap_or(Path::new(".")))?;
            Ok(file)
        };
        let file = open().map_err(|error| failed("write", &shown, &error))?;
        Ok(Journal {
            path,
            shown,
            file,
            goes_on: kept > 0,
            done,
        })
    }

    fn done(&mut self, relative: &Path, length: u64, note: &str) -> Result<(), Error> {
        let (name, note) = (escape(relative), escape(Path::new(note)));
        let line = format!("done\t{name}\t{length}\t{note}\n");
        self.file
            .write_all(line.as_bytes())
            .map_err(|error| failed("write", &self.shown, &error))
    }
}

/// Makes a folder and those it is in, and notes which of them were not there.
fn make(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let missing: Vec<_> = missing.map(Path::to_path_buf).collect();
    fs::create_dir_all(folder)?;
    made.extend(missing.into_iter().rev());
    Ok(())
}

fn is_there(place: &Path) -> Error {
    Error::new(format!("{} is there already", place.display()))
}

/// The path without links, as far as it exists.
fn without_links(path: &Path) -> Result<PathBuf, Error> {
    let mut missing = Vec::new();
    let absolute = std::path::absolute(path).map_err(|error| failed("open", path, &error))?;
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
                "expected a place for files as destination, found {}",
                path.display()
            )));
        };
        missing.push(name.to_os_string());
        there = parent;
    }
}

#[cfg(unix)]
fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    // As any new file: less what the umask takes away.
    let permissions = fs::Permissions::from_mode(0o666);
    let (prefix, suffix) = UNFINISHED;
    Builder::new()
        .prefix(prefix)
        .suffix(suffix)
        .permissions(permissions)
        .tempfile_in(folder)
}

#[cfg(not(unix))]
fn unfinished(folder: &Path) -> io::Result<NamedTempFile> {
    let (prefix, suffix) = UNFINISHED;
    Builder::new()
        .prefix(prefix)
        .suffix(suffix)
        .tempfile_in(folder)
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A path as one word: octets that are not letters, digits, dots, hyphens or slashes as `%HH`.
fn escape(path: &Path) -> String {
    let mut escaped = String::new();
    for &octet in path.as_os_str().as_encoded_bytes() {
        if octet.is_ascii_alphanumeric() || matches!(octet, b'.' | b'-' | b'/') {
            escaped.push(char::from(octet));
        } else {
            let _ = write!(escaped, "%{octet:02X}");
        }
    }
    escaped
}

fn unescape(word: &str) -> PathBuf {
    let mut octets = Vec::new();
    let mut parts = word.split('%');
    octets.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        octets.extend(u8::from_str_radix(digits, 16));
        octets.extend_from_slice(rest.as_bytes());
    }
    from_octets(octets)
}

#[cfg(unix)]
fn from_octets(octets: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    PathBuf::from(std::ffi::OsString::from_vec(octets))
}

#[cfg(not(unix))]
fn from_octets(octets: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&octets).into_owned())
}
