//! Files with a temporary name until they are complete.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use tempfile::{Builder, NamedTempFile};

/// Prefix and suffix of the names of unfinished files.
pub(crate) const UNFINISHED: (&str, &str) = (".mime-charset-", ".part");

/// A file under a temporary name. It is deleted unless it is renamed.
#[derive(Debug)]
pub(crate) struct Unfinished(NamedTempFile);

impl Unfinished {
    /// Creates a file in a folder, with the usual permissions of a new file: all except those in
    /// the umask.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        Self::of(folder, "")
    }

    /// Like [`new`](Unfinished::new), with a name that identifies the run.
    pub(crate) fn of(folder: &Path, run: &str) -> io::Result<Self> {
        let mut builder = Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let (prefix, suffix) = UNFINISHED;
        let prefix = format!("{prefix}{run}");
        let file = builder.prefix(&prefix).suffix(suffix).tempfile_in(folder)?;
        Ok(Unfinished(file))
    }

    /// The temporary path.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self) -> &File {
        self.0.as_file()
    }

    /// Opens the file again, from its start.
    pub(super) fn reopen(&self) -> io::Result<File> {
        self.0.reopen()
    }

    /// Syncs the file and renames it. If a file of that name exists, returns the unfinished file.
    pub(crate) fn keep_new(self, place: &Path) -> io::Result<Option<Self>> {
        self.file().sync_all()?;
        match self.0.persist_noclobber(place) {
            Ok(_) => Ok(None),
            Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(Some(Unfinished(refused.file)))
            }
            Err(refused) => Err(refused.error),
        }
    }

    /// Syncs the file and renames it; replaces an existing file if `replaces`.
    pub(crate) fn keep(self, place: &Path, replaces: bool) -> io::Result<()> {
        self.file().sync_all()?;
        let kept = if replaces {
            self.0.persist(place)
        } else {
            self.0.persist_noclobber(place)
        };
        kept.map(|_| ()).map_err(|refused| refused.error)
    }
}

/// Removes permissions of group and others that `permissions` lacks from a file or folder. Does nothing
/// on systems without such permissions.
pub(super) fn restrict(path: &Path, permissions: &fs::Permissions) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        const OTHERS: u32 = 0o077;
        let own = fs::metadata(path)?.permissions().mode();
        let kept = own & (permissions.mode() | !OTHERS);
        if kept != own {
            fs::set_permissions(path, fs::Permissions::from_mode(kept))?;
        }
    }
    #[cfg(not(unix))]
    let _ = (path, permissions);
    Ok(())
}

/// Maximum number of files to sync with one system call: far below the system's limit of open
/// files.
#[cfg(target_os = "linux")]
pub(super) const TOGETHER: usize = 64;
#[cfg(not(target_os = "linux"))]
pub(super) const TOGETHER: usize = 1;

/// Syncs the file system of this file, so that syncing each file is fast afterwards. Each file must
/// still be synced to get its errors.
pub(super) fn sync_together(file: &Unfinished) {
    #[cfg(target_os = "linux")]
    let _ = rustix::fs::syncfs(file.file());
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}

impl Write for Unfinished {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.0.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Syncs a long file while it is written; a sync at the end would take a second or two.
#[derive(Debug, Default)]
pub(super) struct Syncing {
    /// Octets since the last sync.
    written: usize,
    thread: Option<(SyncSender<()>, JoinHandle<io::Result<()>>)>,
}

impl Syncing {
    const ENOUGH: usize = 64 << 20;

    pub(super) fn add(&mut self, written: usize, file: &File) {
        self.written += written;
        if self.written < Self::ENOUGH {
            return;
        }
        self.written = 0;
        if self.thread.is_none() {
            self.thread = file.try_clone().ok().and_then(Self::begin);
        }
        if let Some((sender, _)) = &self.thread {
            // If the last sync is still running, skip this one.
            let _ = sender.try_send(());
        }
    }

    /// Without a thread, the file is synced only at the end.
    fn begin(file: File) -> Option<(SyncSender<()>, JoinHandle<io::Result<()>>)> {
        let (sender, receiver) = sync_channel(1);
        let sync = move || receiver.iter().try_for_each(|()| file.sync_data());
        let thread = thread::Builder::new().spawn(sync).ok()?;
        Some((sender, thread))
    }

    /// Returns any sync error, which the system reports only once.
    pub(super) fn finish(self) -> io::Result<()> {
        let Some((sender, thread)) = self.thread else {
            return Ok(());
        };
        drop(sender);
        let panicked = |_| Err(io::Error::other("the thread that syncs it panicked"));
        thread.join().unwrap_or_else(panicked)
    }
}

#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
