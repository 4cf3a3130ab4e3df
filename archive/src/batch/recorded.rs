//! Reads the report of a conversion for `verify`: the lines of messages, file by file.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, BufReader, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::listed::{Listed, ListedFiles, Name, below_root, join};
use super::report::part_of;
use super::settings;
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
    /// The changes of the message. A changed Content-Length is left out: it belongs to the mailbox.
    pub(super) changes: Vec<Change>,
}

/// The messages of a report, file by file. Files are in source order, except files that only the
/// report or only the source has.
pub(super) struct Records {
    pub(super) path: PathBuf,
    lines: BufReader<Box<dyn Anywhere>>,
    /// The offset of the next line.
    pub(super) offset: u64,
    pub(super) options: Conversion,
    /// The format named by the caller of the conversion.
    pub(super) read_as: Option<Format>,
    /// Source and destination of the conversion, as given.
    source: PathBuf,
    destination: PathBuf,
    /// The source to verify.
    named: PathBuf,
    /// Whether the source is a single file.
    pub(super) is_one: bool,
    /// The files without messages.
    listed: HashMap<Name, Listed>,
    /// Whether the conversion left out a file or folder by the caller's choice.
    has_excluded: bool,
    /// The next message.
    pub(super) next: Option<MessageLine>,
    /// The name of the current file, if the report has it, and whether one of its messages was
    /// returned.
    pub(super) file: Option<(Name, bool)>,
    /// The unvisited files: a hash of each name with the offset of its lines. `None` while these
    /// are exactly the files after the current one.
    pub(super) others: Option<BTreeSet<(u64, u64)>>,
    hashes: RandomState,
}

/// The line of a message.
pub(super) struct MessageLine {
    pub(super) offset: u64,
    pub(super) name: Name,
    /// Whether it is the first message of a file.
    is_first: bool,
    pub(super) line: Value,
}

impl Records {
    /// Opens the report of a conversion of `named`, which may have been moved since.
    pub(super) fn open(path: &Path, named: &Path, is_one: bool) -> Result<Self, Error> {
        let mut records = Records {
            path: path.to_path_buf(),
            lines: BufReader::new(open_report_anywhere(path).map_err(|it| missing(path, it))?),
            offset: 0,
            options: Conversion::new(),
            read_as: None,
            source: PathBuf::new(),
            destination: PathBuf::new(),
            named: named.to_path_buf(),
            is_one,
            listed: HashMap::new(),
            has_excluded: false,
            next: None,
            file: None,
            others: None,
            hashes: RandomState::new(),
        };
        let shown = path.display();
        let first = records.line()?;
        let run = first.as_ref().and_then(|first| {
            let named = |key: &str| first.get(key)?.as_str().map(PathBuf::from);
            let json = first.get("options")?;
            let options = (settings::from_json(json)?, settings::read_as(json));
            Some((options, named("source")?, named("destination")?))
        });
        let is_dry = first.is_some_and(|first| first.get("dry_run") == Some(&Value::Bool(true)));
        if is_dry && run.is_some() {
            let sentence = format!(
                "expected the report of a conversion, found the report of a dry run: {shown}"
            );
            return Err(Error::new(sentence));
        }
        let Some((options, source, destination)) = run else {
            let sentence = format!("{shown} is not a report");
            return Err(Error::new(sentence));
        };
        (records.options, records.read_as) = options;
        (records.source, records.destination) = (source, destination);
        let listed = ListedFiles::read(path, &records.source)?;
        if !listed.is_whole {
            let sentence =
                format!("the report {shown} is incomplete: it does not end with an event");
            return Err(Error::new(sentence));
        }
        records.has_excluded = listed.files.values().any(Listed::is_excluded);
        records.listed = listed.files;
        let source = records.source.to_string_lossy().into_owned();
        let next = records.peek()?;
        if next.is_some_and(|message| (message.name.shown == source) != is_one) {
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

    pub(super) fn line(&mut self) -> Result<Option<Value>, Error> {
        let line = read_line(&mut self.lines, &self.path)?;
        Ok(line.map(|(line, octets)| {
            self.offset += octets;
            line
        }))
    }

    /// Reads the line of the next message.
    pub(super) fn message(&mut self) -> Result<Option<MessageLine>, Error> {
        loop {
            let offset = self.offset;
            let Some(line) = self.line()? else {
                return Ok(None);
            };
            if line.get("record").is_some_and(|kind| kind == "message") {
                let location = line.get("source").unwrap_or(&Value::Null);
                return Ok(Some(MessageLine {
                    offset,
                    name: Name::read(location, &self.source),
                    is_first: line.pointer("/source/index").and_then(Value::as_u64) == Some(0),
                    line,
                }));
            }
        }
    }

    fn peek(&mut self) -> Result<Option<&MessageLine>, Error> {
        if self.next.is_none() {
            self.next = self.message()?;
        }
        Ok(self.next.as_ref())
    }

    /// Reads the message whose line is at this offset.
    pub(super) fn at(&mut self, offset: u64) -> Result<Option<&MessageLine>, Error> {
        self.lines
            .seek(SeekFrom::Start(offset))
            .map_err(cannot("read", &self.path))?;
        (self.offset, self.next) = (offset, None);
        self.peek()
    }

    /// Whether the current file has more messages.
    fn has_more(&mut self) -> Result<bool, Error> {
        if self.file.is_none() {
            return Ok(false);
        }
        self.peek()?;
        let at_hand = self.file.as_ref().zip(self.next.as_ref());
        Ok(at_hand.is_some_and(|((name, is_begun), message)| {
            message.name == *name && !(*is_begun && message.is_first)
        }))
    }

    /// The name of a source in the report.
    pub(super) fn name(&self, source: &MailSource) -> Name {
        Name::of(source, &self.named, &self.source)
    }

    /// The line of a source without messages.
    pub(super) fn listed(&self, source: &MailSource) -> Option<&Listed> {
        self.listed.get(&self.name(source))
    }

    /// The name of the container or folder that contains a source and was left out as a whole.
    pub(super) fn left_out_around(&self, source: &MailSource) -> Option<Name> {
        if !self.has_excluded {
            return None;
        }
        let around = Name::around(source, &self.named, &self.source);
        let is_excluded = |name: &Name| self.listed.get(name).is_some_and(Listed::is_excluded);
        around.into_iter().find(is_excluded)
    }

    /// The sentence about a source without messages in the report.
    pub(super) fn unlisted(&self, source: &MailSource) -> String {
        let report = self.path.display();
        if let Some(listed) = self.listed(source) {
            return format!("{report} lists it {listed}");
        }
        let around = Name::around(source, &self.named, &self.source);
        let listed = |name: Name| Some((self.listed.get(&name)?, name.shown));
        match around.into_iter().find_map(listed) {
            Some((listed, around)) => format!("{report} lists {around} {listed}"),
            None => format!("{report} does not list it"),
        }
    }

    /// Seeks to the messages of a file; returns `false` if the report does not have it.
    pub(super) fn begin(&mut self, name: &Name) -> Result<bool, Error> {
        self.skip()?;
        self.file = None;
        let hash = self.hashes.hash_one(name);
        let others = self.others.take();
        let is_other = |offset| {
            others
                .as_ref()
                .is_none_or(|others| others.contains(&(hash, offset)))
        };
        let next = self.peek()?;
        let is_next = next.is_some_and(|message| message.name == *name && is_other(message.offset));
        self.others = others;
        if !is_next && !self.find(hash, name)? {
            return Ok(false);
        }
        if let (Some(others), Some(message)) = (&mut self.others, &self.next) {
            others.remove(&(hash, message.offset));
        }
        self.file = Some((name.clone(), false));
        Ok(true)
    }

    /// Skips the rest of the current file.
    fn skip(&mut self) -> Result<(), Error> {
        while self.has_more()? {
            self.next = None;
            if let Some((_, is_begun)) = &mut self.file {
                *is_begun = true;
            }
        }
        Ok(())
    }

    fn find(&mut self, hash: u64, name: &Name) -> Result<bool, Error> {
        let others = self.others()?.range((hash, 0)..=(hash, u64::MAX));
        let offsets: Vec<_> = others.map(|(_, offset)| *offset).collect();
        for offset in offsets {
            if self
                .at(offset)?
                .is_some_and(|message| message.name == *name)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The unvisited files.
    pub(super) fn others(&mut self) -> Result<&BTreeSet<(u64, u64)>, Error> {
        let others = match self.others.take() {
            Some(others) => others,
            None => self.after()?,
        };
        Ok(self.others.insert(others))
    }

    /// The files after the current one.
    fn after(&mut self) -> Result<BTreeSet<(u64, u64)>, Error> {
        let mut after = BTreeSet::new();
        let mut last: Option<Name> = None;
        let Some(start) = self.peek()?.map(|message| message.offset) else {
            return Ok(after);
        };
        while let Some(message) = self.peek()? {
            let (offset, name) = (message.offset, &message.name);
            if message.is_first || last.as_ref() != Some(name) {
                let name = name.clone();
                after.insert((self.hashes.hash_one(&name), offset));
                last = Some(name);
            }
            self.next = None;
        }
        self.at(start)?;
        Ok(after)
    }

    /// The offsets of the lines of each unvisited file.
    pub(super) fn rest(&mut self) -> Result<Vec<u64>, Error> {
        self.skip()?;
        self.file = None;
        let others = self.others()?;
        let mut offsets: Vec<_> = others.iter().map(|(_, offset)| *offset).collect();
        offsets.sort_unstable();
        Ok(offsets)
    }

    /// The report's record of the next message of the current file, with its result at `below` in
    /// the destination; `None` if both are at their end. The inner error is a mismatch.
    pub(super) fn of(
        &mut self,
        source: &MailSource,
        stored: Option<&Stored>,
        below: &Path,
    ) -> Result<Result<Option<Record>, String>, Error> {
        let has_more = self.has_more()?;
        let shown = self.path.display().to_string();
        let message = self.next.take_if(|_| has_more);
        let (stored, message) = match (stored, message) {
            (None, None) => return Ok(Ok(None)),
            (None, Some(_)) => {
                let sentence = format!("{shown} lists more messages than the source has");
                return Ok(Err(sentence));
            }
            (Some(_), None) if self.file.is_none() => {
                return Ok(Err(self.unlisted(source)));
            }
            (Some(_), None) => {
                let sentence = format!("{shown} lists fewer messages than the source has");
                return Ok(Err(sentence));
            }
            (Some(stored), Some(message)) => (stored, message),
        };
        if let Some((_, is_begun)) = &mut self.file {
            *is_begun = true;
        }
        let record = read_record(&message.line, stored);
        let is_there = self.result_is_below(&message.line, below);
        Ok(match record.filter(|_| is_there) {
            Some(record) => Ok(Some(record)),
            None => Err(format!("it differs from its record in {shown}")),
        })
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
    pub(super) fn is_there(&self, message: &MessageLine) -> bool {
        let location = message.line.get("source");
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

/// The next line of a report, and its number of octets.
pub(super) fn read_line(
    lines: &mut impl BufRead,
    path: &Path,
) -> Result<Option<(Value, u64)>, Error> {
    let mut line = String::new();
    let read = lines.read_line(&mut line).map_err(cannot("read", path))?;
    if read == 0 {
        return Ok(None);
    }
    let value = serde_json::from_str(&line);
    let value = value.map_err(|error| {
        Error::new(format!(
            "expected JSON Lines in {}: {error}",
            path.display()
        ))
    })?;
    Ok(Some((value, read as u64)))
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
    // The accumulated shift of offsets caused by changed Content-Lengths.
    let mut shift = (0, 0);
    for change in line.get("changes")?.as_array()? {
        let range = |of: &str| {
            let of = change.get(of)?;
            let number = |key: &str| usize::try_from(of.get(key)?.as_u64()?).ok();
            let (offset, length) = (number("offset")?, number("length")?);
            Some(offset..offset.checked_add(length)?)
        };
        let (before, after) = (range("before")?, range("after")?);
        let Some(crc) = change.get("crc64")?.as_str() else {
            shift = (before.len(), after.len());
            continue;
        };
        let moved = |at: usize| (at + shift.0).checked_sub(shift.1);
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
    })
}
