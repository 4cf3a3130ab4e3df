//! Writes files that are complete or absent.
//!
//! Each file is written under a temporary name in its folder, synced, and then renamed, so that
//! readers see the complete file or none. A journal next to the results lists the finished files,
//! so that an interrupted run can be resumed. It is deleted at the end.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, FileTimes};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufReader, BufWriter, Read as _, Write};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use crate::error::{Error, cannot};
use crate::store::existing::Existing;
use crate::store::journal::{Journal, done_line, escape, not_a_regular_file, unescape};
use crate::store::layout::{Layout, is_the_source, without_links};
use crate::store::unfinished::{
    Syncing, TOGETHER, UNFINISHED, Unfinished, restrict, sync_folder, sync_together,
};

/// The files written by a run, placed by [`Layout`].
#[derive(Debug)]
pub(crate) struct Destination {
    layout: Layout,
    existing: Existing,
    /// Folders with new files, which are synced at the end.
    folders: HashSet<PathBuf>,
    /// Folders that the run created, each after its parent.
    created: Vec<PathBuf>,
    journal: Journal,
    /// For a run of a single file: a prefix in the names of its unfinished files, since other runs
    /// may write to the same folder.
    run: String,
    /// Complete files to be synced together, with their places in lower case.
    pending: Vec<Draft>,
    pending_places: HashSet<String>,
    /// Maximum number of files synced together.
    batch: usize,
}

impl Destination {
    /// Prepares to write the results of `source`. Creates the folder, but no files.
    ///
    /// `settings` lists everything that affects the results: a run can only be resumed with the
    /// same settings, and the error names the lines that differ.
    ///
    /// # Errors
    ///
    /// Fails as [`Layout::new`] does; if the destination belongs to a run with other settings; when
    /// resuming, if the destination has files but no unfinished run; and if a folder cannot be
    /// created.
    pub(crate) fn new(
        source: &Path,
        destination: &Path,
        existing: Existing,
        settings: &str,
    ) -> Result<Self, Error> {
        Destination::open(source, destination, existing, settings, false)
    }

    /// Prepares to write the results of a complete run again. Its files are recognized by their octets,
    /// like those of an interrupted run without a journal.
    ///
    /// # Errors
    ///
    /// Fails as [`new`](Destination::new) does.
    pub(crate) fn repeated(
        source: &Path,
        destination: &Path,
        settings: &str,
    ) -> Result<Self, Error> {
        Destination::open(source, destination, Existing::Resume, settings, true)
    }

    fn open(
        source: &Path,
        destination: &Path,
        existing: Existing,
        settings: &str,
        repeats: bool,
    ) -> Result<Self, Error> {
        let layout = Layout::new(source, destination)?;
        let Layout { root, single, .. } = &layout;
        let mut created = Vec::new();
        create_folders(&layout, root, &mut created).map_err(|error| {
            delete_empty(&created);
            cannot("make", &layout.shown(root))(error)
        })?;
        let run = single.as_deref().map(journal_name).unwrap_or_default();
        let journal = journal_path(&layout);
        let is_empty = match single {
            Some(name) => fs::symlink_metadata(root.join(name)).is_err(),
            None => fs::read_dir(root).is_ok_and(|mut entries| entries.next().is_none()),
        };
        let is_begun = repeats || is_empty || fs::symlink_metadata(&journal).is_ok();
        if existing == Existing::Resume && !is_begun {
            return Err(Error::new(format!(
                "nothing to resume in {}: no interrupted run found",
                destination.display()
            )));
        }
        let shown = layout.shown(&journal);
        let journal = Journal::open(journal, shown, existing, settings);
        let mut journal = journal.inspect_err(|_| delete_empty(&created))?;
        journal.resumes |= repeats;
        let destination = Destination {
            created,
            run,
            batch: TOGETHER,
            ..Destination::with(layout, existing, journal)
        };
        destination.delete_stale_files();
        Ok(destination)
    }

    /// Prepares to write a share of a started run's files, in parallel with other shares.
    ///
    /// # Errors
    ///
    /// Fails as [`new`](Destination::new) does; if the run was not started or has a share of this
    /// name; and if the source is not a folder.
    pub(crate) fn of_share(
        source: &Path,
        destination: &Path,
        name: &str,
        settings: &str,
    ) -> Result<Self, Error> {
        let layout = Layout::new(source, destination)?;
        let journal = layout.root.join(format!("{}journal", UNFINISHED.0));
        if layout.single.is_some() || layout.is_packed || fs::symlink_metadata(&journal).is_err() {
            return Err(Error::new(format!(
                "no run of a folder was started in {}",
                destination.display()
            )));
        }
        let path = share_path(&layout.root, name, "journal");
        let shown = layout.shown(&path);
        let mut journal = Journal::open(path, shown, Existing::Refuse, settings)?;
        // Files of other shares belong to the same run.
        journal.resumes = true;
        Ok(Destination::with(layout, Existing::Resume, journal))
    }

    /// A destination that renames each file immediately, so that other shares see it.
    fn with(layout: Layout, existing: Existing, journal: Journal) -> Self {
        Destination {
            layout,
            existing,
            folders: HashSet::new(),
            created: Vec::new(),
            journal,
            run: String::new(),
            pending: Vec::new(),
            pending_places: HashSet::new(),
            batch: 1,
        }
    }

    /// The place of a file, from [`Layout::place`].
    #[must_use]
    pub(crate) fn place(&self, relative: &Path) -> PathBuf {
        self.layout.place(relative)
    }

    /// Takes the list of files finished by the interrupted run.
    pub(crate) fn finished(&mut self) -> Finished {
        Finished {
            layout: self.layout.clone(),
            files: std::mem::take(&mut self.journal.done),
            seen: HashSet::new(),
        }
    }

    /// Whether this run resumes an interrupted one.
    #[must_use]
    pub(crate) fn resumes(&self) -> bool {
        self.journal.resumes
    }

    /// Creates a file.
    ///
    /// # Errors
    ///
    /// Fails if the path leads out of the destination, even through a link; if the file exists,
    /// unless it may be replaced or may belong to the resumed run; and if folders or files cannot be
    /// created. The caller must create each file only once.
    pub(crate) fn create(&mut self, relative: &Path) -> Result<Draft, Error> {
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
        if place == self.journal.path {
            return Err(Error::new(format!(
                "the name is reserved for the journal of a run: {}",
                shown.display()
            )));
        }
        let there = match fs::symlink_metadata(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // For example, the name is too long, or a parent is a file.
            there => Some(there.map_err(cannot("write", &shown))?),
        };
        if there
            .as_ref()
            .is_some_and(|there| !there.is_file() && !there.is_symlink())
        {
            return Err(not_a_regular_file(&shown));
        }
        if there.is_some() && self.existing != Existing::Replace && !self.resumes() {
            return Err(already_exists(&shown));
        }
        let folder = place.parent().unwrap_or(&self.layout.root).to_path_buf();
        let folder = self.folder(&folder)?;
        if place
            .file_name()
            .is_some_and(|name| folder.join(name) == self.layout.source)
        {
            return Err(is_the_source(&shown));
        }
        let file = Unfinished::of(&folder, &self.run)
            .map_err(cannot("write in", self.layout.shown(&folder)))?;
        Ok(Draft {
            file: BufWriter::new(file),
            syncing: Syncing::default(),
            length: 0,
            relative: relative.to_path_buf(),
            place,
            shown,
            note: String::new(),
        })
    }

    /// Creates a Maildir: a folder with `cur`, `new` and `tmp`.
    ///
    /// # Errors
    ///
    /// Fails if a folder cannot be created.
    pub(crate) fn maildir(&mut self, relative: &Path) -> Result<(), Error> {
        for name in ["cur", "new", "tmp"] {
            self.folder(&self.place(relative).join(name))?;
        }
        Ok(())
    }

    /// [Renames](Destination::flush_pending) the pending files if one of them has this place or a
    /// place above it. Otherwise the new file could conflict with the pending one.
    pub(crate) fn flush_pending_for(&mut self, relative: &Path) -> Result<Vec<Refused>, Error> {
        if self.pending_places.is_empty() {
            return Ok(Vec::new());
        }
        let place = lower_case(&self.place(relative));
        let mut places = Path::new(&place).ancestors().filter_map(Path::to_str);
        if places.any(|place| self.pending_places.contains(place)) {
            return self.flush_pending();
        }
        Ok(Vec::new())
    }

    /// Whether no file is pending.
    #[must_use]
    pub(crate) fn has_no_pending(&self) -> bool {
        self.pending.is_empty()
    }

    /// Syncs and renames the pending files. Deletes and returns the files that cannot be written or
    /// renamed.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written.
    pub(crate) fn flush_pending(&mut self) -> Result<Vec<Refused>, Error> {
        self.pending_places.clear();
        let pending = std::mem::take(&mut self.pending);
        if let [first, _, ..] = pending.as_slice() {
            sync_together(first.file.get_ref());
        }
        let mut refused = Vec::new();
        let mut lines = String::new();
        for file in pending {
            let line = done_line(&escape(&file.relative), file.length, &file.note);
            let place = file.place.clone();
            match file.rename(self.existing == Existing::Replace, self.resumes()) {
                Ok(()) => {
                    self.folders.extend(place.parent().map(Path::to_path_buf));
                    lines += &line;
                }
                Err(error) => refused.push(Refused { place, error }),
            }
        }
        // A file that was renamed before its journal line was written is recognized by its octets.
        self.journal.add(&lines)?;
        Ok(refused)
    }

    /// Ends the run: syncs the folders and deletes the journal.
    ///
    /// # Errors
    ///
    /// Fails if a pending file is refused, or if a folder or the journal cannot be written.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        if let Some(Refused { error, .. }) = self.flush_pending()?.pop() {
            return Err(error);
        }
        for folder in &self.folders {
            sync_folder(folder).map_err(cannot("write", self.layout.shown(folder)))?;
        }
        let Journal {
            file, path, shown, ..
        } = self.journal;
        drop(file);
        fs::remove_file(&path).map_err(cannot("delete", &shown))
    }

    /// Whether another run can resume this one: this run, the run it resumes, or the run it
    /// replaces has finished a file.
    #[must_use]
    pub(crate) fn has_results(&self) -> bool {
        let is_of_another = self.resumes() || self.journal.replaces;
        is_of_another || !self.folders.is_empty() || !self.pending.is_empty()
    }

    /// Ends a run without [results](Destination::has_results) as if it had never started: deletes
    /// the journal and the empty folders created for it. A run with results is kept.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be deleted.
    pub(crate) fn abandon(self) -> Result<(), Error> {
        if self.has_results() {
            return Ok(());
        }
        let created = self.created.clone();
        self.finish()?;
        delete_empty(&created);
        Ok(())
    }

    /// Creates a folder and its parents. Fails if a link leads out of the destination.
    fn folder(&mut self, folder: &Path) -> Result<PathBuf, Error> {
        let layout = &self.layout;
        let Layout { root, source, .. } = layout;
        // Check before creating anything: a created folder could be in the source.
        let real = without_links(folder)?;
        if !real.starts_with(root) || (real.starts_with(source) && source.is_dir()) {
            return Err(Error::new(format!(
                "{} is a link out of the destination",
                self.layout.shown(folder).display()
            )));
        }
        create_folders(layout, &real, &mut self.created)
            .map_err(cannot("make", layout.shown(folder)))?;
        Ok(real)
    }

    /// Deletes unfinished files of a killed run.
    fn delete_stale_files(&self) {
        if self.existing == Existing::Refuse {
            return;
        }
        let of_run = |name: &str| {
            name.strip_prefix(UNFINISHED.0)
                .and_then(|name| name.strip_suffix(UNFINISHED.1))
                .and_then(|name| name.strip_prefix(&*self.run))
                // If another dot follows, the file belongs to the run of another single file.
                .is_some_and(|own| self.run.is_empty() || !own.contains('.'))
        };
        let mut folders = vec![self.layout.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                // In a run of a single file, subfolders do not belong to the run.
                if self.layout.single.is_none() && entry.file_type().is_ok_and(|kind| kind.is_dir())
                {
                    folders.push(entry.path());
                } else if of_run(&name) {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }
}

/// The files finished by an interrupted run.
#[derive(Debug)]
pub(crate) struct Finished {
    layout: Layout,
    files: HashMap<String, (u64, String)>,
    /// The names of this run's sources.
    seen: HashSet<String>,
}

impl Finished {
    /// The note that [`Draft::keep`] stored for this file; `None` if it is not finished.
    #[must_use]
    pub(crate) fn note(&self, relative: &Path) -> Option<&str> {
        let (length, note) = self.files.get(&escape(relative))?;
        is_finished(&self.layout.place(relative), *length).then_some(note.as_str())
    }

    /// Marks the place of a source.
    pub(crate) fn mark_seen(&mut self, relative: &Path) {
        self.seen.insert(escape(relative));
    }

    /// The finished files without a source, relative to the destination.
    pub(crate) fn rest(self) -> Vec<PathBuf> {
        let Finished {
            layout,
            files,
            seen,
        } = self;
        let unseen = files.into_iter().filter(|(name, _)| !seen.contains(name));
        let places = unseen.filter_map(|(name, (length, _))| {
            let relative = unescape(&name);
            is_finished(&layout.place(&relative), length).then_some(relative)
        });
        let mut places: Vec<_> = places.collect();
        places.sort_unstable();
        places
    }
}

fn is_finished(place: &Path, length: u64) -> bool {
    fs::symlink_metadata(place).is_ok_and(|there| there.is_file() && there.len() == length)
}

/// A complete file that could not be renamed.
#[derive(Debug)]
#[must_use]
pub(crate) struct Refused {
    pub(crate) place: PathBuf,
    pub(crate) error: Error,
}

/// A file being written, or complete without its final name. It is deleted unless it is renamed.
#[derive(Debug)]
pub(crate) struct Draft {
    file: BufWriter<Unfinished>,
    syncing: Syncing,
    /// Its number of octets.
    length: u64,
    relative: PathBuf,
    place: PathBuf,
    /// The place, for display.
    shown: PathBuf,
    /// The note of a complete file in the journal.
    note: String,
}

impl Draft {
    /// Copies the restrictive permissions of the source, so that private mail stays private.
    ///
    /// # Errors
    ///
    /// Fails if permissions cannot be read or set.
    pub(crate) fn restrict(self, permissions: &fs::Permissions) -> Result<Self, Error> {
        restrict(self.file.get_ref().path(), permissions).map_err(cannot("write", &self.shown))?;
        Ok(self)
    }

    /// Whether the file is so long that other files should not wait for it.
    pub(crate) fn is_long(&self) -> bool {
        self.length >= 1 << 20
    }

    /// Syncs and renames the file, immediately or together with others. At the latest,
    /// [`Destination::flush_pending`] does it. If the run is interrupted and resumed,
    /// [`Finished::note`] returns `note`. `modified` becomes the modification time, which in a
    /// Maildir is the delivery time. Deletes and returns the files, this one or pending ones, that
    /// cannot be written or renamed.
    ///
    /// # Errors
    ///
    /// As for [`Destination::flush_pending`].
    pub(crate) fn keep(
        mut self,
        destination: &mut Destination,
        note: &str,
        modified: Option<SystemTime>,
    ) -> Result<Vec<Refused>, Error> {
        let syncing = std::mem::take(&mut self.syncing);
        let synced = self.file.flush().and_then(|()| syncing.finish());
        if let Err(error) = synced {
            let error = cannot("write", &self.shown)(error);
            let place = self.place;
            return Ok(vec![Refused { place, error }]);
        }
        if let Some(modified) = modified {
            // Ignore errors when setting the modification time.
            let times = FileTimes::new().set_modified(modified);
            let _ = self.file.get_ref().file().set_times(times);
        }
        note.clone_into(&mut self.note);
        // A file to be compared with an existing one is renamed immediately.
        let is_urgent = self.is_long()
            || destination.existing != Existing::Replace
                && fs::symlink_metadata(&self.place).is_ok();
        destination.pending_places.insert(lower_case(&self.place));
        destination.pending.push(self);
        if is_urgent || destination.pending.len() >= destination.batch {
            return destination.flush_pending();
        }
        Ok(Vec::new())
    }

    /// Renames the complete file.
    ///
    /// A file that an interrupted run finished but did not record, or that another share has just
    /// written, is recognized by its octets: replacing it loses nothing.
    fn rename(self, replaces: bool, resumes: bool) -> Result<(), Error> {
        let failed = |error| cannot("write", &self.shown)(error);
        let (file, _) = self.file.into_parts();
        if replaces {
            return file.keep(&self.place, true).map_err(failed);
        }
        let Some(file) = file.keep_new(&self.place).map_err(failed)? else {
            return Ok(());
        };
        let is_file = fs::symlink_metadata(&self.place).is_ok_and(|there| there.is_file());
        let is_ours = resumes
            && is_file
            && is_same(&file, &self.place).map_err(cannot("compare", &self.shown))?;
        if !is_ours {
            return Err(already_exists(&self.shown));
        }
        file.keep(&self.place, true).map_err(failed)
    }
}

impl Write for Draft {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.file.write(octets)?;
        self.length += written as u64;
        self.syncing.add(written, self.file.get_ref().file());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The journal of a run.
pub(crate) fn journal_path(layout: &Layout) -> PathBuf {
    let run = layout.single.as_deref().map(journal_name);
    let name = format!("{}{}journal", UNFINISHED.0, run.unwrap_or_default());
    layout.root.join(name)
}

/// The prefix of the journal name for a single file: its escaped name, or a hash if that is too
/// long for a file name.
fn journal_name(name: &Path) -> String {
    const LONGEST: usize = 200;
    let word = escape(name);
    if word.len() <= LONGEST {
        return word + ".";
    }
    let mut hasher = DefaultHasher::new();
    word.hash(&mut hasher);
    format!("{:016x}.", hasher.finish())
}

/// A place in lower case, for case-insensitive file systems.
fn lower_case(place: &Path) -> String {
    place.to_string_lossy().to_lowercase()
}

/// A file of a share, in the folder of the results.
pub(crate) fn share_path(root: &Path, name: &str, what: &str) -> PathBuf {
    let name = escape(Path::new(name)).replace('/', "%2F");
    root.join(format!("{}share-{name}.{what}", UNFINISHED.0))
}

/// The journals of the shares of a run, and the journal of the run itself.
pub(crate) fn share_journals(root: &Path) -> (Vec<PathBuf>, PathBuf) {
    let is_one = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        let prefix = format!("{}share-", UNFINISHED.0);
        name.is_some_and(|name| name.starts_with(&prefix) && name.ends_with(".journal"))
    };
    let entries = fs::read_dir(root).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries.map(|entry| entry.path()).filter(is_one).collect();
    found.sort();
    (found, root.join(format!("{}journal", UNFINISHED.0)))
}

/// Creates a folder and its parents, and records the new folders. At the destination they copy the
/// restrictive permissions of the folders of the source.
fn create_folders(layout: &Layout, folder: &Path, created: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let missing = folder.ancestors().take_while(|folder| !folder.exists());
    let mut missing: Vec<_> = missing.map(Path::to_path_buf).collect();
    missing.reverse();
    // If one folder cannot be created, the folders before it exist, so record all.
    created.extend_from_slice(&missing);
    for folder in missing {
        let below = folder.strip_prefix(&layout.root).ok();
        let source = below.and_then(|below| fs::metadata(layout.source.join(below)).ok());
        let created = create_like(&folder, source.filter(fs::Metadata::is_dir).as_ref());
        if created.is_err() && !folder.is_dir() {
            return created;
        }
    }
    Ok(())
}

/// Creates a folder on which group and others have only permissions that they have on `source`.
fn create_like(folder: &Path, source: Option<&fs::Metadata>) -> io::Result<()> {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    if let Some(source) = source {
        use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
        builder.mode(0o700 | source.permissions().mode() & 0o077);
    }
    #[cfg(not(unix))]
    let _ = source;
    builder.create(folder)
}

/// Deletes the created folders that are empty, children first.
fn delete_empty(created: &[PathBuf]) {
    for folder in created.iter().rev() {
        let _ = fs::remove_dir(folder);
    }
}

/// Whether the existing file has the same octets.
fn is_same(file: &Unfinished, place: &Path) -> io::Result<bool> {
    let (ours, there) = (file.reopen()?, File::open(place)?);
    if ours.metadata()?.len() != there.metadata()?.len() {
        return Ok(false);
    }
    let there = BufReader::new(there).bytes();
    for (one, other) in BufReader::new(ours).bytes().zip(there) {
        if one? != other? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn already_exists(place: &Path) -> Error {
    Error::new(format!("{} already exists", place.display()))
}

#[cfg(test)]
mod tests;
