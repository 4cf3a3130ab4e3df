//! The report of a conversion: JSON Lines, as `schema/report.schema.json` has it.
//!
//! While a run goes on, the lines are in a file beside the report, `NAME.part`, which a run
//! that takes up an interrupted one goes on with; those of a dry run, which nobody takes up, are
//! in one with a name of its own. The lines of each source are a stretch of it; in the end the
//! stretches are put in the order of the sources.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{
    self, BufRead as _, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _,
};
use std::mem;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crc64fast::Digest;
use memchr::{memchr, memchr_iter};
use mime_charset::archive::mbox::Stored;
use mime_charset::archive::{Existing, MailSource};
use mime_charset::convert::{Change, Converted};
use mime_charset::{Label, utf8};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::{Builder, NamedTempFile, TempPath};

use super::Stop;
use super::json::Findings;
use super::summary::Tally;

/// A report while it is written.
pub(super) struct Report {
    path: PathBuf,
    part: PathBuf,
    /// What deletes the lines of a dry run that does not get to its end.
    temporary: Option<TempPath>,
    /// Whether what is there at the end is replaced.
    replaces: bool,
    file: BufWriter<Summed>,
    /// As far as it is written.
    end: u64,
    /// Where the lines of the source at hand begin.
    start: u64,
    /// The lines of the sources, in their order.
    stretches: Vec<Range<u64>>,
    /// What an interrupted run has left, until whoever reads takes it.
    left: Option<Left>,
}

/// A file, and the checksum of what was written to it since it was asked last.
struct Summed {
    file: File,
    sum: Digest,
}

impl io::Write for Summed {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        let written = self.file.write(octets)?;
        self.sum.write(octets.get(..written).unwrap_or_default());
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// The lines of one source in a report that is not finished.
#[derive(Clone)]
pub(super) struct Stretch {
    place: Range<u64>,
    /// CRC-64 (ECMA-182) of them: a crash may take what was written last, or leave zeros there.
    sum: u64,
}

impl Stretch {
    pub(super) fn to_json(&self) -> Value {
        json!([self.place.start, self.place.end, self.sum])
    }

    /// What [`to_json`](Stretch::to_json) wrote.
    pub(super) fn from_json(value: &Value) -> Option<Stretch> {
        let number = |index: usize| value.get(index)?.as_u64();
        Some(Stretch {
            place: number(0)?..number(1)?,
            sum: number(2)?,
        })
    }
}

/// The lines that an interrupted run has left.
pub(super) struct Left {
    file: File,
    length: u64,
}

impl Left {
    /// Whether these lines are there as they were written.
    pub(super) fn has(&mut self, stretch: &Stretch) -> bool {
        let Range { start, end } = stretch.place;
        let mut read = || -> io::Result<u64> {
            self.file.seek(SeekFrom::Start(start))?;
            let mut lines = BufReader::new(&self.file).take(end.saturating_sub(start));
            let mut sum = Digest::new();
            loop {
                let octets = lines.fill_buf()?;
                if octets.is_empty() {
                    return Ok(sum.sum64());
                }
                sum.write(octets);
                let length = octets.len();
                lines.consume(length);
            }
        };
        // What is behind that length this run has written.
        end <= self.length && read().is_ok_and(|sum| sum == stretch.sum)
    }
}

impl Report {
    /// Begins a report with its first line, or goes on with one that was interrupted.
    pub(super) fn open(path: &Path, existing: Existing, first: &Value) -> Result<Self, Stop> {
        let part = part_of(path);
        is_file_or_nothing(path)?;
        let is_there = |path: &Path| fs::symlink_metadata(path).is_ok();
        let goes_on = existing == Existing::Resume;
        let is_dry = is_of_dry_run(path);
        let replaces = existing == Existing::Replace || is_dry || (goes_on && is_there(path));
        let open = || -> io::Result<(File, Left)> {
            if goes_on && !is_dry && !is_there(&part) && is_there(path) {
                // Ended the moment before its journal was deleted.
                fs::rename(path, &part)?;
            }
            if existing == Existing::Replace && is_there(&part) {
                fs::remove_file(&part)?;
            }
            // What is there by a link is somebody else's.
            let is_new = !(goes_on && is_there(&part));
            let mut file = OpenOptions::new()
                .write(true)
                .create_new(is_new)
                .open(&part)?;
            let length = file.seek(SeekFrom::End(0))?;
            let left = File::open(&part)?;
            Ok((file, Left { file: left, length }))
        };
        if goes_on && fs::symlink_metadata(&part).is_ok_and(|there| !there.is_file()) {
            return Err(no_file(&part));
        }
        let (file, left) = open().map_err(|error| failed(&part, &error))?;
        let mut report = Report::of(path, part, file);
        report.replaces = replaces;
        (report.start, report.end) = (left.length, left.length);
        report.left = Some(left);
        report.begun(first)
    }

    /// Begins a report that nobody will go on with.
    pub(super) fn trial(path: &Path, first: &Value) -> Result<Self, Stop> {
        is_file_or_nothing(path)?;
        let new = temporary(folder_of(path)).map_err(|error| failed(path, &error))?;
        let (file, temporary) = new.into_parts();
        let mut report = Report::of(path, temporary.to_path_buf(), file);
        report.replaces = is_of_dry_run(path);
        report.temporary = Some(temporary);
        report.begun(first)
    }

    fn of(path: &Path, part: PathBuf, file: File) -> Self {
        let sum = Digest::new();
        Report {
            path: path.to_path_buf(),
            part,
            temporary: None,
            replaces: false,
            file: BufWriter::with_capacity(1 << 17, Summed { file, sum }),
            end: 0,
            start: 0,
            stretches: Vec::new(),
            left: None,
        }
    }

    fn begun(mut self, first: &Value) -> Result<Self, Stop> {
        self.line(first)?;
        self.keep()?;
        Ok(self)
    }

    pub(super) fn line(&mut self, line: &Value) -> Result<(), Stop> {
        self.write(&[line.to_string().as_bytes(), b"\n"])
    }

    /// The line of a message among those of its batch, whose result is at `offset`.
    pub(super) fn message(&mut self, lines: &[u8], line: &Line, offset: u64) -> Result<(), Stop> {
        let part = |range: &Range<usize>| lines.get(range.clone()).unwrap_or_default();
        let offset = offset.to_string();
        self.write(&[
            part(&line.before_offset),
            offset.as_bytes(),
            part(&line.after_offset),
            b"\n",
        ])
    }

    fn write(&mut self, parts: &[&[u8]]) -> Result<(), Stop> {
        for part in parts {
            let written = self.file.write_all(part);
            written.map_err(|error| failed(&self.part, &error))?;
            self.end += part.len() as u64;
        }
        Ok(())
    }

    /// The lines since the last call are those of one source; writes them out.
    pub(super) fn keep(&mut self) -> Result<Stretch, Stop> {
        let written = self.file.flush();
        written.map_err(|error| failed(&self.part, &error))?;
        let place = self.start..self.end;
        self.start = self.end;
        self.stretches.push(place.clone());
        let sum = mem::take(&mut self.file.get_mut().sum).sum64();
        Ok(Stretch { place, sum })
    }

    /// What an interrupted run has left, if nobody has asked yet.
    pub(super) fn left(&mut self) -> Option<Left> {
        self.left.take()
    }

    /// The lines of a source that an earlier run has done.
    pub(super) fn take_up(&mut self, stretch: Stretch) {
        self.stretches.push(stretch.place);
    }

    /// Takes back the lines of the source at hand.
    pub(super) fn abandon(&mut self) -> Result<(), Stop> {
        let mut cut = || {
            self.file.flush()?;
            let Summed { file, sum } = self.file.get_mut();
            *sum = Digest::new();
            file.set_len(self.start)?;
            file.seek(SeekFrom::Start(self.start))
        };
        cut().map_err(|error| failed(&self.part, &error))?;
        self.end = self.start;
        Ok(())
    }

    /// Ends with the event, and gives the report its name. What a run that goes on later
    /// needs stays if `is_done` is false.
    pub(super) fn finish(mut self, event: &Value, is_done: bool) -> Result<(), Stop> {
        let mut end = 0;
        let in_order = self.stretches.iter().all(|stretch| {
            let follows = stretch.start == end;
            end = stretch.end;
            follows
        });
        if in_order && end == self.end && is_done {
            self.line(event)?;
            self.keep()?;
            let named = self.file.get_ref().file.sync_all();
            let named = named.and_then(|()| self.name());
            return named.map_err(|error| failed(&self.path, &error));
        }
        let gather = || -> io::Result<()> {
            let mut whole = BufWriter::new(temporary(folder_of(&self.path))?);
            let mut lines = BufReader::new(File::open(&self.part)?);
            for stretch in &self.stretches {
                lines.seek(SeekFrom::Start(stretch.start))?;
                let length = stretch.end - stretch.start;
                io::copy(&mut lines.by_ref().take(length), &mut whole)?;
            }
            writeln!(whole, "{event}")?;
            let whole = whole.into_inner()?;
            whole.as_file().sync_all()?;
            if self.replaces {
                whole.persist(&self.path)?;
            } else {
                whole.persist_noclobber(&self.path)?;
            }
            Ok(())
        };
        gather().map_err(|error| failed(&self.path, &error))
    }

    /// Gives the lines the name of the report.
    fn name(&self) -> io::Result<()> {
        if self.replaces {
            return fs::rename(&self.part, &self.path);
        }
        let part = TempPath::try_from_path(&self.part)?;
        part.persist_noclobber(&self.path).map_err(|refused| {
            // The lines stay where they are, for a run that goes on.
            let _ = refused.path.keep();
            refused.error
        })
    }

    /// What is deleted when nobody will go on with the run.
    pub(super) fn leftover(&self) -> PathBuf {
        self.part.clone()
    }
}

/// Where the lines of a report are while a run goes on.
pub(super) fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}

/// Whether a file is the report of a dry run, which any run may replace.
pub(super) fn is_of_dry_run(path: &Path) -> bool {
    /// More than the first line of any report: two paths, each as long as a path may be.
    const LONGEST: u64 = 1 << 16;
    let is_file = fs::symlink_metadata(path).is_ok_and(|there| there.is_file());
    let read = || -> io::Result<Value> {
        let mut line = Vec::new();
        let file = File::open(path)?;
        BufReader::new(file.take(LONGEST)).read_until(b'\n', &mut line)?;
        Ok(serde_json::from_slice(&line)?)
    };
    is_file && read().is_ok_and(|first| first["record"] == "run" && first["dry_run"] == true)
}

/// Whether a file is a report, unfinished or not, that begins with this line.
pub(super) fn begins_with(path: &Path, first: &Value) -> bool {
    let first = format!("{first}\n");
    let mut found = vec![0; first.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut found));
    read.is_ok() && found == first.as_bytes()
}

fn is_file_or_nothing(path: &Path) -> Result<(), Stop> {
    match fs::metadata(path) {
        Ok(there) if !there.is_file() => Err(no_file(path)),
        _ => Ok(()),
    }
}

fn no_file(path: &Path) -> Stop {
    let shown = path.display();
    Stop::Sentence(format!("expected a file, found something else: {shown}"))
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file: less what the umask takes away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.prefix(".mime-charset-").suffix(".part");
    builder.tempfile_in(folder)
}

fn failed(path: &Path, error: &io::Error) -> Stop {
    Stop::Sentence(format!("cannot write {}: {error}", path.display()))
}

/// The first line of a report: with what, what, and how.
pub(super) fn run_record(
    source: &Path,
    destination: &Path,
    is_dry: bool,
    options: &Value,
) -> Value {
    json!({
        "record": "run",
        "agent": AGENT,
        "dry_run": is_dry,
        "source": source.to_string_lossy(),
        "destination": destination.to_string_lossy(),
        "options": options,
    })
}

const AGENT: &str = concat!("mime-charset ", env!("CARGO_PKG_VERSION"));

/// The last line: the run as an event of PREMIS 3.0.
pub(super) fn event_record(outcome: &str, tally: &Tally) -> Value {
    let now = SystemTime::now();
    json!({
        "record": "event",
        "eventIdentifier": {
            "eventIdentifierType": "local",
            "eventIdentifierValue":
                format!("{AGENT} {}", humantime::format_rfc3339_nanos(now)),
        },
        "eventType": "normalization",
        "eventDateTime": humantime::format_rfc3339_seconds(now).to_string(),
        "eventDetailInformation": { "eventDetail": "text of mail converted to UTF-8" },
        "eventOutcomeInformation": {
            "eventOutcome": outcome,
            "eventOutcomeDetail": { "eventOutcomeDetailNote": tally.sentence() },
        },
        "linkingAgentIdentifier": {
            "linkingAgentIdentifierType": "software",
            "linkingAgentIdentifierValue": AGENT,
            "linkingAgentRole": "executing program",
        },
        "summary": tally.to_json(),
    })
}

/// The last line of a dry run, which is no event: to no object anything was done.
pub(super) fn dry_run_record(outcome: &str, tally: &Tally) -> Value {
    json!({
        "record": "dry-run",
        "outcome": outcome,
        "detail": "nothing was written",
        "summary": tally.to_json(),
    })
}

/// A file of which nothing is at the destination.
pub(super) fn file_record(path: Option<&str>, outcome: &str, detail: &str) -> Value {
    json!({ "record": "file", "path": path, "outcome": outcome, "detail": detail })
}

/// What there is to tell of one message.
pub(super) struct Told<'m> {
    pub(super) stored: &'m Stored,
    /// Without the quotes of mbox.
    pub(super) message: &'m [u8],
    pub(super) converted: &'m Converted<'m>,
    pub(super) length: Option<&'m NewLength>,
    /// As it is going to be stored.
    pub(super) result: &'m [u8],
    /// Whether it was stored so.
    pub(super) is_same: bool,
    pub(super) paths: &'m Paths,
}

/// Where the messages of a source are and are going to be, as JSON has it.
pub(super) struct Paths {
    source: Vec<u8>,
    result: Vec<u8>,
}

impl Paths {
    pub(super) fn new(source: &MailSource, result: &Path) -> Self {
        let json = |path: &str| {
            let mut json = Vec::new();
            write_json(&mut json, path);
            json
        };
        Paths {
            source: json(&source.to_string()),
            result: json(&result.to_string_lossy()),
        }
    }
}

/// A Content-Length that had to change with the body. The ranges count octets of the message.
pub(super) struct NewLength {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

/// Where the line of a message stands among those of a batch, all but the offset of the result,
/// which is known when it is written.
pub(super) struct Line {
    before_offset: Range<usize>,
    after_offset: Range<usize>,
}

impl Line {
    /// Adds what there is to tell to `lines`.
    pub(super) fn add(lines: &mut Vec<u8>, told: &Told<'_>) -> Self {
        let entry = told.stored.entry();
        let octets = told.stored.octets();
        let stored = octets.get(entry.message()).unwrap_or_default();
        let source_sum = sha256(stored);
        let other_sum = (!told.is_same).then(|| sha256(told.result));
        let result_sum = other_sum.as_ref().unwrap_or(&source_sum);
        let start = lines.len();
        lines.extend_from_slice(b"{\"record\":\"message\",\"source\":{\"path\":");
        lines.extend_from_slice(&told.paths.source);
        lines.extend_from_slice(b",\"offset\":");
        write_json(
            lines,
            &(told.stored.offset() + entry.message().start as u64),
        );
        lines.extend_from_slice(b",\"length\":");
        write_json(lines, &stored.len());
        lines.extend_from_slice(b",\"index\":");
        write_json(lines, &told.stored.ordinal());
        lines.extend_from_slice(b",\"sha256\":");
        write_json(lines, &source_sum);
        lines.extend_from_slice(b"},\"result\":{\"path\":");
        lines.extend_from_slice(&told.paths.result);
        lines.extend_from_slice(b",\"offset\":");
        let before_offset = start..lines.len();
        lines.extend_from_slice(b",\"length\":");
        write_json(lines, &told.result.len());
        lines.extend_from_slice(b",\"sha256\":");
        write_json(lines, result_sum);
        lines.extend_from_slice(b"},\"message_id\":");
        let id = told.converted.message_id();
        write_json(lines, &id.map(|id| utf8::decode_lossy(id.trim_ascii())));
        lines.extend_from_slice(b",\"line_ends\":");
        write_json(lines, line_ends(told.message));
        lines.extend_from_slice(b",\"changes\":");
        write_json(lines, &Changes(told));
        lines.extend_from_slice(b",\"findings\":");
        write_json(lines, &Findings(told.converted.report()));
        lines.push(b'}');
        Line {
            after_offset: before_offset.end..lines.len(),
            before_offset,
        }
    }
}

fn write_json(lines: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    // Writing to a Vec does not fail, and every key is text.
    let _ = serde_json::to_writer(lines, value);
}

/// What says of itself how it is written.
struct Shown<T>(T);

impl<T: fmt::Display> Serialize for Shown<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// The changes of a message, with that of a Content-Length where it belongs.
struct Changes<'m>(&'m Told<'m>);

impl Serialize for Changes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let length = self.0.length;
        let changes = self.0.converted.changes();
        let is_before = |change: &Change| {
            length.is_none_or(|length| change.before().start <= length.before.start)
        };
        let before = changes.partition_point(is_before);
        let (before, behind) = changes.split_at(before);
        let json = |change| ChangeJson::new(change, length);
        serializer.collect_seq(
            before
                .iter()
                .map(json)
                .chain(length.map(ChangeJson::of_length))
                .chain(behind.iter().map(json)),
        )
    }
}

#[derive(Serialize)]
struct ChangeJson<'m> {
    part: &'m str,
    field: Option<&'m str>,
    label: Option<Shown<&'m Label<'static>>>,
    charset: Option<&'m str>,
    source: Option<&'m str>,
    replacements: usize,
    findings: Findings<'m>,
    before: RangeJson,
    after: RangeJson,
    crc64: Option<Shown<Hexadecimal>>,
}

impl<'m> ChangeJson<'m> {
    fn new(change: &'m Change, length: Option<&NewLength>) -> Self {
        ChangeJson {
            part: change.section(),
            field: change.field(),
            label: change.label().map(Shown),
            charset: Some(change.charset().name()),
            source: Some(change.source().name()),
            replacements: change.report().replacements(),
            findings: Findings(change.report()),
            before: change.before().into(),
            after: moved(change.after(), length).into(),
            crc64: Some(Shown(Hexadecimal(change.checksum()))),
        }
    }

    fn of_length(length: &NewLength) -> Self {
        const NOTHING: &mime_charset::Report = &mime_charset::Report::new();
        ChangeJson {
            part: "1",
            field: Some("Content-Length"),
            label: None,
            charset: None,
            source: None,
            replacements: 0,
            findings: Findings(NOTHING),
            before: length.before.clone().into(),
            after: length.after.clone().into(),
            crc64: None,
        }
    }
}

struct Hexadecimal(u64);

impl fmt::Display for Hexadecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[derive(Serialize)]
struct RangeJson {
    offset: usize,
    length: usize,
}

impl From<Range<usize>> for RangeJson {
    fn from(range: Range<usize>) -> Self {
        RangeJson {
            offset: range.start,
            length: range.len(),
        }
    }
}

/// Where octets are once the digits in front of them have become more or fewer.
fn moved(range: Range<usize>, length: Option<&NewLength>) -> Range<usize> {
    match length {
        Some(length) if range.start > length.after.start => {
            // The digits began at the same place before they changed.
            let old = length.before.len();
            range.start + length.after.len() - old..range.end + length.after.len() - old
        }
        _ => range,
    }
}

/// SHA-256 in hexadecimal (FIPS 180-4).
pub(super) fn sha256(octets: &[u8]) -> String {
    hexadecimal(&Sha256::digest(octets))
}

fn hexadecimal(octets: &[u8]) -> String {
    let digit = |value: u8| match value {
        0..10 => char::from(b'0' + value),
        _ => char::from(b'a' + value - 10),
    };
    let mut hexadecimal = String::with_capacity(2 * octets.len());
    for octet in octets {
        hexadecimal.push(digit(octet >> 4));
        hexadecimal.push(digit(octet & 0xF));
    }
    hexadecimal
}

/// Which line ends a message has: `crlf`, `lf`, `cr`, `mixed` or `none`.
fn line_ends(message: &[u8]) -> &'static str {
    if memchr(b'\r', message).is_none() {
        // As in most mailboxes, where counting would take as long as much of the rest.
        let has_lf = memchr(b'\n', message).is_some();
        return if has_lf { "lf" } else { "none" };
    }
    let is_lf = |at: usize| message.get(at) == Some(&b'\n');
    let lf = memchr_iter(b'\n', message).count();
    let cr = memchr_iter(b'\r', message).count();
    let crlf = memchr_iter(b'\r', message)
        .filter(|at| is_lf(at + 1))
        .count();
    match (crlf, lf - crlf, cr - crlf) {
        (_, 0, 0) => "crlf",
        (0, 0, _) => "cr",
        _ => "mixed",
    }
}

#[cfg(test)]
mod tests {
    use super::{line_ends, sha256};

    /// FIPS 180-4, appendix B of FIPS 180-2: the example "abc".
    #[test]
    fn sha_256_of_the_standard() {
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn line_ends_are_told_apart() {
        for (message, expected) in [
            (&b""[..], "none"),
            (b"a", "none"),
            (b"a\r\nb\r\n", "crlf"),
            (b"a\nb", "lf"),
            (b"a\rb\r", "cr"),
            (b"a\r\nb\n", "mixed"),
            (b"a\r\r\n", "mixed"),
            (b"a\n\r", "mixed"),
        ] {
            assert_eq!(line_ends(message), expected, "{message:?}");
        }
    }
}
