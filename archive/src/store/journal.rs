//! The journal of a run, which lets another run resume it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use memchr::memrchr;

use super::existing::Existing;
use super::unfinished::sync_folder;
use crate::error::{Error, Remedy, cannot};

/// The finished files of a run, one per line: `done PATH LENGTH NOTE`, separated by tabs.
#[derive(Debug)]
pub(super) struct Journal {
    pub(super) path: PathBuf,
    /// The path, for display.
    pub(super) shown: PathBuf,
    pub(super) file: File,
    pub(super) resumes: bool,
    /// Whether it replaces another run's journal.
    pub(super) replaces: bool,
    pub(super) done: HashMap<String, (u64, String)>,
}

/// The prefix of the first line, before the settings.
const FIRST: &str = "mime-charset 1\t";

/// The settings that `others` lacks, in brackets after a blank.
fn others(settings: &str, others: &str) -> String {
    let is_other = |line: &&str| others.lines().all(|other| other != *line);
    let only: Vec<_> = settings.lines().filter(is_other).collect();
    if only.is_empty() {
        String::new()
    } else {
        format!(" ({})", only.join(", "))
    }
}

/// Parses a line: the name of a file, its length, and its note.
fn done_file(line: &[u8]) -> Option<(String, (u64, String))> {
    // After a system crash, zeros may replace lines.
    let line = str::from_utf8(line)
        .ok()
        .filter(|line| !line.contains('\0'))?;
    let mut cells = line.trim_end_matches('\n').split('\t');
    let mut cell = || cells.next().unwrap_or_default();
    let ("done", file, length, note) = (cell(), cell(), cell(), cell()) else {
        return None;
    };
    let note = unescape(note).to_string_lossy().into_owned();
    Some((file.to_owned(), (length.parse().ok()?, note)))
}

impl Journal {
    pub(super) fn open(
        path: PathBuf,
        shown: PathBuf,
        existing: Existing,
        settings: &str,
    ) -> Result<Self, Error> {
        let first = format!("{FIRST}{}\n", escape(Path::new(settings)));
        let there = fs::symlink_metadata(&path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Err(not_a_regular_file(&shown));
        }
        if there.is_some() && existing == Existing::Refuse {
            let sentence = format!("an interrupted run left its journal: {}", shown.display());
            return Err(Error::new(sentence).with_remedy(Remedy::ResumeOrReplace));
        }
        let old = if there.is_some() && existing == Existing::Resume {
            fs::read(&path).map_err(cannot("read", &shown))?
        } else {
            Vec::new()
        };
        // The first line may be truncated too.
        let old = whole_lines(&old);
        let mut lines = old.split_inclusive(|&octet| octet == b'\n');
        if let Some(line) = lines.next().filter(|line| *line != first.as_bytes()) {
            let line = String::from_utf8_lossy(line);
            let old = line.strip_prefix(FIRST).unwrap_or_default().trim_end();
            let old = unescape(old).to_string_lossy().into_owned();
            let sentence = format!(
                "the settings{} differ from those of the interrupted run{}: {}",
                others(settings, &old),
                others(&old, settings),
                shown.display()
            );
            return Err(Error::new(sentence).with_remedy(Remedy::Replace));
        }
        let done = lines.filter_map(done_file).collect();
        // The old journal is extended, never rewritten, so it always exists.
        let open = || -> io::Result<File> {
            let file = extend(&path, old, if old.is_empty() { &first } else { "" })?;
            sync_folder(path.parent().unwrap_or(Path::new(".")))?;
            Ok(file)
        };
        let file = open().map_err(|error| {
            if there.is_none() {
                // A run that failed to start leaves no files.
                let _ = fs::remove_file(&path);
            }
            cannot("write", &shown)(error)
        })?;
        Ok(Journal {
            path,
            shown,
            file,
            resumes: !old.is_empty(),
            replaces: there.is_some(),
            done,
        })
    }

    /// Appends [lines](done_line) for finished files.
    pub(super) fn add(&mut self, lines: &str) -> Result<(), Error> {
        self.file
            .write_all(lines.as_bytes())
            .map_err(cannot("write", &self.shown))
    }
}

/// The line of a finished file, with the name escaped to [one word](escape).
pub(super) fn done_line(name: &str, length: u64, note: &str) -> String {
    let note = escape(Path::new(note));
    format!("done\t{name}\t{length}\t{note}\n")
}

/// Appends the journal of a share to the journal of its run, and maps each note with `with`. `make`
/// creates `with` once the share proves to belong to this run. If the share belongs to another run,
/// returns `false` and changes nothing.
///
/// # Errors
///
/// Fails if a journal cannot be read or written, or if `make` fails.
pub(crate) fn append_share<W: Fn(&str) -> Option<String>>(
    journal: &Path,
    share: &Path,
    make: impl FnOnce() -> Result<W, Error>,
) -> Result<bool, Error> {
    let read = |path: &Path| fs::read(path).map_err(cannot("read", path));
    let (old, new) = (read(journal)?, read(share)?);
    let [mut old_lines, mut lines] =
        [&old, &new].map(|octets| whole_lines(octets).split_inclusive(|&octet| octet == b'\n'));
    let first = lines.next();
    if first.is_none() || first != old_lines.next() {
        return Ok(false);
    }
    let with = make()?;
    let mut added = String::new();
    for line in lines {
        if let Some((name, (length, note))) = done_file(line)
            && let Some(note) = with(&note)
        {
            added += &done_line(&name, length, &note);
        }
    }
    extend(journal, whole_lines(&old), &added).map_err(cannot("write", journal))?;
    Ok(true)
}

pub(super) fn not_a_regular_file(shown: &Path) -> Error {
    Error::new(format!(
        "{} exists and is not a regular file",
        shown.display()
    ))
}

/// The octets of a journal up to its last line ending: the last line may be truncated.
fn whole_lines(octets: &[u8]) -> &[u8] {
    let end = memrchr(b'\n', octets).map_or(0, |end| end + 1);
    octets.get(..end).unwrap_or_default()
}

/// Truncates a journal to its whole lines and appends lines. Creates the journal only if `whole` is empty: a
/// journal with lines must still exist.
fn extend(path: &Path, whole: &[u8], added: &str) -> io::Result<File> {
    let mut file = OpenOptions::new()
        .create(whole.is_empty())
        .write(true)
        .truncate(false)
        .open(path)?;
    file.set_len(whole.len() as u64)?;
    file.seek(SeekFrom::End(0))?;
    file.write_all(added.as_bytes())?;
    file.sync_all()?;
    Ok(file)
}

/// Escapes a path as one word: octets other than letters, digits, dots, hyphens and slashes become
/// `%HH`.
pub(super) fn escape(path: &Path) -> String {
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

pub(super) fn unescape(word: &str) -> PathBuf {
    let mut octets = Vec::new();
    let mut parts = word.split('%');
    octets.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        let (digits, rest) = part.split_at_checked(2).unwrap_or((part, ""));
        octets.extend(u8::from_str_radix(digits, 16));
        octets.extend_from_slice(rest.as_bytes());
    }
    path_of_octets(octets)
}

/// The path with these octets.
#[cfg(unix)]
pub(crate) fn path_of_octets(octets: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt as _;
    PathBuf::from(std::ffi::OsString::from_vec(octets))
}

#[cfg(not(unix))]
pub(crate) fn path_of_octets(octets: Vec<u8>) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(&octets).into_owned())
}
