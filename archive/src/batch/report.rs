//! The report of a conversion: JSON Lines, by `schema/report.schema.json`.
//!
//! During a run the lines are in a file next to the report, `NAME.part`, which a resumed run
//! continues. A dry run cannot be resumed; its lines are in a temporary file. The lines of each
//! source are a range of that file. At the end the ranges are copied in source order, and
//! compressed if the report's name asks for it. `NAME.part` is never compressed, so a killed run
//! leaves no partial frame.

use std::fs::{self, File, OpenOptions};
use std::io::{
    self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _,
};
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crc64fast::Digest;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::record::WriteFn;
use crate::error::{Error, cannot};
use crate::store::unfinished::Unfinished;
use crate::store::{Existing, open_report, open_report_anywhere, report_writer};

/// A report being written.
pub(super) struct Report {
    path: PathBuf,
    part: PathBuf,
    /// Deletes the lines of a failed dry run.
    temporary: Option<Unfinished>,
    /// Whether to replace an existing report.
    replaces: bool,
    file: BufWriter<File>,
    /// The checksum of the lines of the current source.
    sum: Digest,
    /// The length written so far.
    end: u64,
    /// The offset of the first line of the current source.
    start: u64,
    /// The ranges of the sources' lines, in source order.
    sources: Vec<Range<u64>>,
    /// The lines of an interrupted run, until the reader takes them.
    left: Option<Leftover>,
}

/// The lines of one source in an unfinished report: start, end and their CRC-64 (ECMA-182). A crash
/// may lose the last lines, or replace them with zeros.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct SourceLines(u64, u64, u64);

impl SourceLines {
    /// The same lines after `by` octets were inserted before them.
    pub(super) fn moved(self, by: u64) -> Self {
        SourceLines(self.0 + by, self.1 + by, self.2)
    }
}

/// The lines of an interrupted run.
pub(super) struct Leftover {
    file: File,
    length: u64,
}

impl Leftover {
    /// Whether these lines are unchanged.
    pub(super) fn has(&mut self, lines: &SourceLines) -> bool {
        let &SourceLines(start, end, expected) = lines;
        let mut read = || -> io::Result<u64> {
            self.file.seek(SeekFrom::Start(start))?;
            let mut lines = (&self.file).take(end.saturating_sub(start));
            let mut sum = Digest::new();
            io::copy(&mut lines, &mut WriteFn(|read: &[u8]| sum.write(read)))?;
            Ok(sum.sum64())
        };
        // Octets beyond that length were written by this run.
        end <= self.length && read().is_ok_and(|sum| sum == expected)
    }
}

impl Report {
    /// Begins a report with its first line, or continues an interrupted one.
    pub(super) fn open(path: &Path, existing: Existing, first: &Value) -> Result<Self, Error> {
        let part = part_of(path);
        check_replaceable(path)?;
        let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
        let resumes = existing == Existing::Resume;
        let is_dry = is_of_dry_run(path);
        let replaces = existing == Existing::Replace || is_dry || (resumes && is_there(path));
        let open = || -> io::Result<(File, Leftover)> {
            if resumes && !is_dry && !is_there(&part) && is_there(path) {
                // The run ended just before its journal was deleted. The report may already be
                // compressed.
                let mut lines = Unfinished::new(folder_of(path))?;
                io::copy(
                    &mut open_report(path).map_err(io::Error::other)?,
                    &mut lines,
                )?;
                lines.keep(&part, false)?;
            }
            if existing == Existing::Replace && is_there(&part) {
                fs::remove_file(&part)?;
            }
            // A link may lead to someone else's file.
            let is_new = !(resumes && is_there(&part));
            let mut file = OpenOptions::new()
                .write(true)
                .create_new(is_new)
                .open(&part)?;
            let length = file.seek(SeekFrom::End(0))?;
            let left = File::open(&part)?;
            Ok((file, Leftover { file: left, length }))
        };
        if resumes && fs::symlink_metadata(&part).is_ok_and(|there| !there.is_file()) {
            return Err(not_a_file(&part));
        }
        let (file, left) = open().map_err(cannot("write", &part))?;
        let mut report = Report::of(path, part, file);
        report.replaces = replaces;
        (report.start, report.end) = (left.length, left.length);
        let is_new = left.length == 0;
        report.left = Some(left);
        let part = report.part.clone();
        report.write_first_line(first).inspect_err(|_| {
            if is_new {
                // A run that failed to start leaves no files.
                let _ = fs::remove_file(part);
            }
        })
    }

    /// Begins the report of a dry run.
    pub(super) fn open_dry_run(path: &Path, first: &Value) -> Result<Self, Error> {
        check_replaceable(path)?;
        let new = || -> io::Result<(Unfinished, File)> {
            let temporary = Unfinished::new(folder_of(path))?;
            let file = temporary.file().try_clone()?;
            Ok((temporary, file))
        };
        let (temporary, file) = new().map_err(cannot("write", path))?;
        let mut report = Report::of(path, temporary.path().to_path_buf(), file);
        report.replaces = is_of_dry_run(path);
        report.temporary = Some(temporary);
        report.write_first_line(first)
    }

    fn of(path: &Path, part: PathBuf, file: File) -> Self {
        Report {
            path: path.to_path_buf(),
            part,
            temporary: None,
            replaces: false,
            file: BufWriter::with_capacity(1 << 17, file),
            sum: Digest::new(),
            end: 0,
            start: 0,
            sources: Vec::new(),
            left: None,
        }
    }

    fn write_first_line(mut self, first: &Value) -> Result<Self, Error> {
        self.line(first)?;
        self.keep()?;
        Ok(self)
    }

    pub(super) fn line(&mut self, line: &Value) -> Result<(), Error> {
        self.write(format!("{line}\n").as_bytes())
    }

    /// Appends the lines of messages, completed with the offsets of their results. `placed` has, for
    /// each line, where to insert the offset in `lines` and the offset relative to `start`.
    pub(super) fn messages(
        &mut self,
        lines: &[u8],
        placed: &[(usize, u64)],
        start: u64,
    ) -> Result<(), Error> {
        let mut completed = Vec::with_capacity(lines.len() + 20 * placed.len());
        let mut end = 0;
        for (place, offset) in placed {
            completed.extend_from_slice(lines.get(end..*place).unwrap_or_default());
            completed.extend_from_slice((start + offset).to_string().as_bytes());
            end = *place;
        }
        completed.extend_from_slice(lines.get(end..).unwrap_or_default());
        self.write(&completed)
    }

    fn write(&mut self, octets: &[u8]) -> Result<(), Error> {
        self.sum.write(octets);
        self.end += octets.len() as u64;
        self.file
            .write_all(octets)
            .map_err(cannot("write", &self.part))
    }

    /// Flushes the lines of the current source, and returns their range.
    pub(super) fn keep(&mut self) -> Result<SourceLines, Error> {
        self.file.flush().map_err(cannot("write", &self.part))?;
        let start = mem::replace(&mut self.start, self.end);
        self.sources.push(start..self.end);
        let sum = mem::take(&mut self.sum).sum64();
        Ok(SourceLines(start, self.end, sum))
    }

    /// The index of the last source's lines.
    pub(super) fn last(&self) -> usize {
        self.sources.len().saturating_sub(1)
    }

    /// Moves the last lines into the place of another source's lines.
    pub(super) fn replace(&mut self, index: usize) {
        if index < self.sources.len() {
            self.sources.swap_remove(index);
        }
    }

    /// Takes the lines of an interrupted run.
    pub(super) fn take_leftover(&mut self) -> Option<Leftover> {
        self.left.take()
    }

    /// Adds the lines of a source that an interrupted run converted.
    pub(super) fn add_resumed(&mut self, lines: SourceLines) {
        self.sources.push(lines.0..lines.1);
    }

    /// Discards the lines of the current source.
    pub(super) fn abandon(&mut self) -> Result<(), Error> {
        let mut cut = || {
            self.file.flush()?;
            let file = self.file.get_mut();
            file.set_len(self.start)?;
            file.seek(SeekFrom::Start(self.start))
        };
        cut().map_err(cannot("write", &self.part))?;
        (self.end, self.sum) = (self.start, Digest::new());
        Ok(())
    }

    /// Writes the report: the lines in source order, then the event. The unfinished lines are kept
    /// for a run that resumes this one.
    pub(super) fn finish(self, event: &Value) -> Result<(), Error> {
        let gather = || -> io::Result<()> {
            let whole = BufWriter::new(Unfinished::new(folder_of(&self.path))?);
            let mut whole = report_writer(&self.path, whole);
            let mut lines = BufReader::new(File::open(&self.part)?);
            for source in &self.sources {
                lines.seek(SeekFrom::Start(source.start))?;
                let length = source.end - source.start;
                io::copy(&mut lines.by_ref().take(length), &mut whole)?;
            }
            writeln!(whole, "{event}")?;
            let whole = whole.finish()?.into_inner()?;
            whole.keep(&self.path, self.replaces)
        };
        gather().map_err(cannot("write", &self.path))
    }

    /// The path of the unfinished lines.
    pub(super) fn unfinished(&self) -> PathBuf {
        self.part.clone()
    }
}

/// The path of the unfinished lines of a report.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// The first line of a report, complete or not; `None` unless it is JSON.
pub(super) fn first_line(path: &Path) -> Option<Value> {
    /// Longer than any first line, which has two paths of maximum length.
    const LONGEST: u64 = 1 << 16;
    let mut line = Vec::new();
    let file = open_report(path).ok()?.take(LONGEST);
    BufReader::new(file).read_until(b'\n', &mut line).ok()?;
    serde_json::from_slice(&line).ok()
}

/// Whether a file is the report of a dry run, which any run may replace.
pub(super) fn is_of_dry_run(path: &Path) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|there| there.is_file());
    let first = is_file.then(|| first_line(path)).flatten();
    first.is_some_and(|first| {
        first.get("record").is_some_and(|record| record == "run")
            && first.get("dry_run") == Some(&Value::Bool(true))
    })
}

/// The last line of a report, if it is complete.
pub(super) fn last_line(path: &Path) -> Option<Value> {
    /// Longer than any last line.
    const LAST: u64 = 1 << 20;
    let mut lines = open_report_anywhere(path).ok()?;
    let length = lines.seek(SeekFrom::End(0)).ok()?;
    lines
        .seek(SeekFrom::Start(length.saturating_sub(LAST)))
        .ok()?;
    let mut end = Vec::new();
    lines.take(LAST).read_to_end(&mut end).ok()?;
    let line = end
        .strip_suffix(b"\n")?
        .rsplit(|octet| *octet == b'\n')
        .next()?;
    serde_json::from_slice(line).ok()
}

fn check_replaceable(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(not_a_file(path)),
        _ => Ok(()),
    }
}

fn not_a_file(path: &Path) -> Error {
    let shown = path.display();
    Error::new(format!("{shown} is not a regular file"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
