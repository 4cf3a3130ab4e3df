//! Files under another name until they are whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use tempfile::{Builder, NamedTempFile};

/// Names of files that are not finished begin and end like this.
pub(crate) const UNFINISHED: (&str, &str) = (".mime-charset-", ".part");

/// A file that has no name of its own yet. It is deleted if it does not get one.
#[derive(Debug)]
pub(crate) struct Unfinished(NamedTempFile);

impl Unfinished {
    /// Begins one in the folder that it belongs to, with the permissions of any new file: all less
    /// what the umask takes away.
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        Self::of(folder, "")
    }

    /// The same with a name that says which run it is of.
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

    /// Takes from all but the owner what they may not do with a file of these permissions either. Where
    /// the system has none for others, nothing.
    pub(super) fn shut_out(&self, permissions: &fs::Permissions) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            const OTHERS: u32 = 0o077;
            let own = self.file().metadata()?.permissions().mode();
            let kept = own & (permissions.mode() | !OTHERS);
            if kept != own {
                self.file()
                    .set_permissions(fs::Permissions::from_mode(kept))?;
            }
        }
        #[cfg(not(unix))]
        let _ = permissions;
        Ok(())
    }

    /// Where it is until it is kept.
    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self) -> &File {
        self.0.as_file()
    }

    /// The same file, to be read from its start.
    pub(super) fn reopen(&self) -> io::Result<File> {
        self.0.reopen()
    }

    /// Brings it to disk and gives it its name; comes back where a file has that name.
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

    /// Brings it to disk and gives it its name, in the place of another file if it `replaces` one.
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

/// How many files may wait to be brought to disk together: those of one call of the system, far
/// fewer than a process may have open.
#[cfg(target_os = "linux")]
pub(super) const TOGETHER: usize = 64;
#[cfg(not(target_os = "linux"))]
pub(super) const TOGETHER: usize = 1;

/// Brings to disk what the file system of this file has in memory, so that this file and others
/// there are brought to disk without waiting. Nothing is promised: each is still to be brought to
/// disk by itself, which says what goes wrong.
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

/// Brings what is written of a long file to disk while the rest of it is made, which otherwise
/// takes a second or two at the end.
#[derive(Debug, Default)]
pub(super) struct Syncing {
    /// Octets since the last time.
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

    /// What went wrong: a system reports it once, to whoever asks first.
    pub(super) fn finish(self) -> io::Result<()> {
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

#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
