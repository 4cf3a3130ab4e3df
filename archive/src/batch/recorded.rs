//! Reads the report of a conversion for `verify`: the lines of messages, file by file.

use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::listed::{Index, Listed, Name, below_root, join, not_json};
use super::place;
use super::report::part_of;
use super::settings;
use super::stored_form::NewLength;
use crate::error::{Error, Remedy, cannot};
use crate::format::Format;
use crate::mbox::Stored;
use crate::store::{Anywhere, MailSource, open_report_anywhere};
use mime_charset::Charset;
use mime_charset::convert::{Change, Conversion};

/// A message as recorded in the report.
pub(super) struct Record {
    pub(super) source_sum: String,
    pub(super) result_sum: String,
    /// The offset and length of the result in its file.
    pub(super) result: (u64, u64),
    /// The changes of the message, without that of its Content-Length, which belongs to the mailbox.
    pub(super) changes: Vec<Change>,
    pub(super) new_length: Option<NewLength>,
}

/// The messages of a report, file by file.
pub(super) struct Records {
    pub(super) path: PathBuf,
    lines: BufReader<Box<dyn Anywhere>>,
    /// The offset of the next octet to be read.
    offset: u64,
    pub(super) options: Conversion,
    /// The format named by the caller of the conversion.
    pub(super) read_as: Option<Format>,
    /// Source and destination of the conversion, as given.
    source: PathBuf,
    destination: PathBuf,
    /// The source to verify.
    named: PathBuf,
    /// Whether the source is a single file.
    is_one: bool,
    /// The files not visited yet.
    pub(super) index: Index,
    /// Whether the conversion left out a file or folder by the caller's choice.
    has_excluded: bool,
    /// The offsets of the current file's unread lines; `None` if the report does not have the file.
    left: Option<Range<u64>>,
}

impl Records {
    /// Opens the report of a conversion of `named`, which may have been moved since.
    pub(super) fn open(path: &Path, named: &Path, is_one: bool) -> Result<Self, Error> {
        let shown = path.display();
        let lines = open_report_anywhere(path).map_err(|error| missing(path, error))?;
        let mut lines = BufReader::new(lines);
        let mut offset = 0;
        let first = read_line(&mut lines, &mut offset, path)?.unwrap_or_default();
        let run = || {
            let named = |key: &str| first.get(key)?.as_str().map(PathBuf::from);
            let is_run = named("record")? == Path::new("run");
            let json = first.get("options").filter(|_| is_run)?;
            let options = (settings::from_json(json)?, settings::read_as(json));
            Some((options, named("source")?, named("destination")?))
        };
        let Some(((options, read_as), source, destination)) = run() else {
            let sentence = format!("{shown} is not a report");
            return Err(Error::new(sentence));
        };
        if first.get("dry_run") == Some(&Value::Bool(true)) {
            let sentence = format!(
                "expected the report of a conversion, found the report of a dry run: {shown}"
            );
            return Err(Error::new(sentence));
        }
        let index = Index::read(path, &source)?;
        let mut records = Records {
            path: path.to_path_buf(),
            lines,
            offset,
            options,
            read_as,
            source,
            destination,
            named: named.to_path_buf(),
            is_one,
            has_excluded: index.files.values().any(Listed::is_excluded),
            index,
            left: None,
        };
        let first = records.index.rest().first().map(|start| records.at(*start));
        let name = first
            .transpose()?
            .flatten()
            .map(|line| records.name_in(&line));
        if name.is_some_and(|name| (*name.shown == *records.source.to_string_lossy()) != is_one) {
            let (of, other) = if is_one {
                ("one file", "a folder")
            } else {
                ("a folder", "one file")
            };
            let sentence = format!("expected a report of {of}, found one of {other}: {shown}");
            return Err(Error::new(sentence));
        }
        Ok(records)
    }

    /// Reads the line at this offset.
    pub(super) fn at(&mut self, offset: u64) -> Result<Option<Value>, Error> {
        // Keeps the buffer if the line is in it.
        let distance = offset.wrapping_sub(self.offset).cast_signed();
        let sought = self.lines.seek_relative(distance);
        sought.map_err(cannot("read", &self.path))?;
        self.offset = offset;
        read_line(&mut self.lines, &mut self.offset, &self.path)
    }

    /// Reads the next message of the current file.
    fn message(&mut self) -> Result<Option<Value>, Error> {
        while let Some(left) = self.left.clone().filter(|left| !left.is_empty())
            && let Some(line) = self.at(left.start)?
        {
            self.left = Some(self.offset..left.end);
            if line.get("record").is_some_and(|kind| kind == "message") {
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    /// The name of the source of a message.
    pub(super) fn name_in(&self, line: &Value) -> Name {
        Name::read(line.get("source").unwrap_or(&Value::Null), &self.source)
    }

    /// The name of a source in the report.
    pub(super) fn name(&self, source: &MailSource) -> Name {
        Name::of(source, &self.named, &self.source)
    }

    /// The line of a source without messages.
    pub(super) fn listed(&self, source: &MailSource) -> Option<&Listed> {
        self.index.files.get(&self.name(source))
    }

    /// The name of the container or folder that contains a source and was left out as a whole.
    pub(super) fn left_out_around(&self, source: &MailSource) -> Option<Name> {
        if !self.has_excluded {
            return None;
        }
        let around = Name::around(source, &self.named, &self.source);
        let is_excluded = |name: &Name| self.index.files.get(name).is_some_and(Listed::is_excluded);
        around.into_iter().find(is_excluded)
    }

    /// The sentence about a source without messages in the report.
    pub(super) fn unlisted(&self, source: &MailSource) -> String {
        let report = self.path.display();
        if let Some(listed) = self.listed(source) {
            return format!("{report} lists it {listed}");
        }
        let around = Name::around(source, &self.named, &self.source);
        let listed = |name: Name| Some((self.index.files.get(&name)?, name.shown));
        match around.into_iter().find_map(listed) {
            Some((listed, around)) => format!("{report} lists {around} {listed}"),
            None => format!("{report} does not list it"),
        }
    }

    /// Begins to read the messages of a file; returns `false` if the report does not have it.
    pub(super) fn begin(&mut self, name: &Name) -> bool {
        self.left = self.index.take(name);
        self.left.is_some()
    }

    /// The report's record of the next message of the current file, with its result at `below` in
    /// the destination; `None` if both are at their end. The inner error is a mismatch.
    pub(super) fn of(
        &mut self,
        source: &MailSource,
        stored: Option<&Stored>,
        below: &Path,
    ) -> Result<Result<Option<Record>, String>, Error> {
        let message = self.message()?;
        let shown = self.path.display();
        let (stored, line) = match (stored, message) {
            (None, None) => return Ok(Ok(None)),
            (None, Some(_)) => {
                let sentence = format!("{shown} lists more messages than the source has");
                return Ok(Err(sentence));
            }
            (Some(_), None) if self.left.is_none() => {
                return Ok(Err(self.unlisted(source)));
            }
            (Some(_), None) => {
                let sentence = format!("{shown} lists fewer messages than the source has");
                return Ok(Err(sentence));
            }
            (Some(stored), Some(line)) => (stored, line),
        };
        let record = read_record(&line, stored);
        let is_there = self.is_member(&line, source) && self.result_is_below(&line, below);
        Ok(match record.filter(|_| is_there) {
            Some(record) => Ok(Some(record)),
            None => Err(format!("it differs from its record in {shown}")),
        })
    }

    /// Whether the report has the container and the member of a source, if it is one.
    fn is_member(&self, line: &Value, source: &MailSource) -> bool {
        let text = |key: &str| line.get("source")?.get(key)?.as_str();
        let names = source.names();
        let (_, below) = place::below(source, &self.named);
        let container = join(&self.source, below);
        let container = names.container.map(|_| container.to_string_lossy());
        text("member") == names.member && text("container") == container.as_deref()
    }

    /// Whether the report places the result of a message at `below`. A single file may have been
    /// renamed since.
    fn result_is_below(&self, line: &Value, below: &Path) -> bool {
        let path = line.pointer("/result/path").and_then(Value::as_str);
        path.is_some_and(|path| {
            if self.is_one {
                Path::new(path).starts_with(&self.destination)
            } else {
                path == join(&self.destination, below).to_string_lossy()
                    && self.below_destination(line).as_deref() == Some(below)
            }
        })
    }

    /// The path of a result relative to the destination.
    pub(super) fn below_destination(&self, line: &Value) -> Option<PathBuf> {
        below_root(line.get("result")?, &self.destination)
    }

    /// Whether the file on disk with a message of the report exists in the source.
    pub(super) fn is_there(&self, line: &Value) -> bool {
        let location = line.get("source");
        let below = location.and_then(|location| below_root(location, &self.source));
        below.is_some_and(|below| fs::symlink_metadata(join(&self.named, &below)).is_ok())
    }
}

/// The error for a report that cannot be opened: the run that writes it may be unfinished.
fn missing(path: &Path, error: Error) -> Error {
    let (part, is_there) = (part_of(path), |path| fs::symlink_metadata(path).is_ok());
    if is_there(path) || !is_there(&part) {
        return error;
    }
    let (path, part) = (path.display(), part.display());
    let sentence = format!("{path} is missing: its run is unfinished and left {part}");
    Error::new(sentence).with_remedy(Remedy::ResumeOrReplace)
}

/// Reads the next line of a report and moves `offset` past it.
pub(super) fn read_line(
    lines: &mut impl BufRead,
    offset: &mut u64,
    path: &Path,
) -> Result<Option<Value>, Error> {
    let mut line = Vec::new();
    let read = lines.read_until(b'\n', &mut line);
    let read = read.map_err(cannot("read", path))?;
    if read == 0 {
        return Ok(None);
    }
    *offset += read as u64;
    let value = serde_json::from_slice(&line).map_err(|error| not_json(path, &error))?;
    Ok(Some(value))
}

fn read_record(line: &Value, stored: &Stored) -> Option<Record> {
    let source = line.get("source")?;
    let sha_256 = |of: &Value| Some(of.get("sha256")?.as_str()?.to_owned());
    let start = stored.offset() + stored.entry().message().start as u64;
    if source.get("offset")?.as_u64()? != start
        || source.get("index")?.as_u64()? != stored.ordinal()
        || source.get("length")?.as_u64()? != stored.entry().message().len() as u64
    {
        return None;
    }
    let mut list = Vec::new();
    // A new Content-Length shifts the offsets after it.
    let mut new_length: Option<NewLength> = None;
    for change in line.get("changes")?.as_array()? {
        let range = |of: &str| {
            let of = change.get(of)?;
            let number = |key: &str| usize::try_from(of.get(key)?.as_u64()?).ok();
            let (offset, length) = (number("offset")?, number("length")?);
            Some(offset..offset.checked_add(length)?)
        };
        let (before, after) = (range("before")?, range("after")?);
        let Some(crc) = change.get("crc64")?.as_str() else {
            if new_length.replace(NewLength { before, after }).is_some() {
                return None;
            }
            continue;
        };
        let moved = |at: usize| match &new_length {
            Some(length) => (at + length.before.len()).checked_sub(length.after.len()),
            None => Some(at),
        };
        let after = moved(after.start)?..moved(after.end)?;
        let crc = u64::from_str_radix(crc, 16).ok()?;
        let charset = Charset::for_label(change.get("charset")?.as_str()?)?;
        list.push(Change::new(before, after, crc).of_charset(charset));
    }
    let result = line.get("result")?;
    let number = |key: &str| result.get(key)?.as_u64();
    Some(Record {
        source_sum: sha_256(source)?,
        result_sum: sha_256(result)?,
        result: (number("offset")?, number("length")?),
        changes: list,
        new_length,
    })
}
