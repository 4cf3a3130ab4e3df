//! The report of a conversion: JSON Lines, as `schema/report.schema.json` has it.
//!
//! While a run goes on, the lines are in a file beside the report, `NAME.part`, which a run
//! that takes up an interrupted one goes on with. The lines of each source are a stretch of
//! it; in the end the stretches are put in the order of the sources.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memchr::memchr_iter;
use mime_charset::archive::Source;
use mime_charset::archive::mbox::Stored;
use mime_charset::convert::{Change, Converted};
use mime_charset::{Message, utf8};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::Stop;
use super::json::findings_json;
use super::summary::Tally;

/// A report while it is written.
pub(super) struct Report {
    path: PathBuf,
    part: PathBuf,
    file: BufWriter<File>,
    /// As far as it is written.
    end: u64,
    /// Where the lines of the source at hand begin.
    start: u64,
    /// The lines of the sources, in their order.
    stretches: Vec<Range<u64>>,
}

impl Report {
    /// Begins a report with its first line, or goes on with one that was interrupted.
    pub(super) fn open(path: &Path, goes_on: bool, first: &Value) -> Result<Self, Stop> {
        let mut name = path.as_os_str().to_owned();
        name.push(".part");
        let part = PathBuf::from(name);
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let sentence = format!("expected a file, found something else: {}", path.display());
            return Err(Stop::Sentence(sentence));
        }
        // Ended the moment before its journal was deleted.
        if goes_on && !part.exists() && path.exists() {
            fs::rename(path, &part).map_err(|error| failed(&part, &error))?;
        }
        let open = || -> io::Result<(File, u64)> {
            let mut file = OpenOptions::new()
                .create(true)
                .write(true)
                .truncate(!goes_on)
                .open(&part)?;
            let end = file.seek(SeekFrom::End(0))?;
            Ok((file, end))
        };
        let (file, end) = open().map_err(|error| failed(&part, &error))?;
        let mut report = Report {
            path: path.to_path_buf(),
            part,
            file: BufWriter::with_capacity(1 << 17, file),
            end,
            start: end,
            stretches: Vec::new(),
        };
        report.line(&first.to_string())?;
        report.keep()?;
        Ok(report)
    }

    pub(super) fn line(&mut self, line: &str) -> Result<(), Stop> {
        let written = self.file.write_all(line.as_bytes());
        let written = written.and_then(|()| self.file.write_all(b"\n"));
        written.map_err(|error| failed(&self.part, &error))?;
        self.end += line.len() as u64 + 1;
        Ok(())
    }

    /// The lines since the last call are those of one source; writes them out.
    pub(super) fn keep(&mut self) -> Result<Range<u64>, Stop> {
        let written = self.file.flush();
        written.map_err(|error| failed(&self.part, &error))?;
        let stretch = self.start..self.end;
        self.start = self.end;
        self.stretches.push(stretch.clone());
        Ok(stretch)
    }

    /// How far the report of an interrupted run goes.
    pub(super) fn length(&self) -> u64 {
        self.start
    }

    /// The lines of a source that an earlier run has done.
    pub(super) fn take_up(&mut self, stretch: Range<u64>) {
        self.stretches.push(stretch);
    }

    /// Takes back the lines of the source at hand.
    pub(super) fn abandon(&mut self) -> Result<(), Stop> {
        let mut cut = || {
            self.file.flush()?;
            self.file.get_ref().set_len(self.start)?;
            self.file.seek(SeekFrom::Start(self.start))
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
            self.line(&event.to_string())?;
            self.keep()?;
            let named = self.file.get_ref().sync_all();
            let named = named.and_then(|()| fs::rename(&self.part, &self.path));
            return named.map_err(|error| failed(&self.path, &error));
        }
        let gather = || -> io::Result<()> {
            let folder = match self.path.parent() {
                Some(folder) if folder != Path::new("") => folder,
                _ => Path::new("."),
            };
            let mut whole = BufWriter::new(tempfile::NamedTempFile::new_in(folder)?);
            // As any new file, which the unfinished one was.
            let permissions = fs::metadata(&self.part)?.permissions();
            whole.get_ref().as_file().set_permissions(permissions)?;
            let mut lines = BufReader::new(File::open(&self.part)?);
            for stretch in &self.stretches {
                lines.seek(SeekFrom::Start(stretch.start))?;
                let length = stretch.end - stretch.start;
                io::copy(&mut lines.by_ref().take(length), &mut whole)?;
            }
            writeln!(whole, "{event}")?;
            let whole = whole.into_inner()?;
            whole.as_file().sync_all()?;
            whole.persist(&self.path)?;
            Ok(())
        };
        gather().map_err(|error| failed(&self.path, &error))
    }

    /// What is deleted when nobody will go on with the run.
    pub(super) fn leftover(&self) -> PathBuf {
        self.part.clone()
    }
}

fn failed(path: &Path, error: &io::Error) -> Stop {
    Stop::Sentence(format!("cannot write {}: {error}", path.display()))
}

/// The first line of a report: with what, and how.
pub(super) fn run_record(options: &Value) -> Value {
    json!({ "record": "run", "agent": AGENT, "options": options })
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

/// A file of which nothing is at the destination.
pub(super) fn file_record(path: Option<&str>, outcome: &str, detail: &str) -> Value {
    json!({ "record": "file", "path": path, "outcome": outcome, "detail": detail })
}

/// What there is to tell of one message.
pub(super) struct Told<'m> {
    pub(super) source: &'m Source,
    pub(super) stored: &'m Stored,
    /// Without the quotes of mbox.
    pub(super) message: &'m [u8],
    pub(super) converted: &'m Converted<'m>,
    pub(super) length: Option<&'m NewLength>,
    /// As it is going to be stored.
    pub(super) result: &'m [u8],
    pub(super) result_path: &'m Path,
}

/// A Content-Length that had to change with the body. The ranges count octets of the message.
pub(super) struct NewLength {
    pub(super) before: Range<usize>,
    pub(super) after: Range<usize>,
}

/// The line of a message but for the offset of the result, which is known when it is written.
pub(super) struct Line {
    before_offset: String,
    after_offset: String,
}

impl Line {
    pub(super) fn new(told: &Told<'_>) -> Self {
        let entry = told.stored.entry();
        let octets = told.stored.octets();
        let stored = octets.get(entry.message()).unwrap_or_default();
        let source_sum = sha256(stored);
        let result_sum = if stored == told.result {
            source_sum.clone()
        } else {
            sha256(told.result)
        };
        let place = json!({
            "path": told.source.to_string(),
            "offset": told.stored.offset() + entry.message().start as u64,
            "length": stored.len(),
            "index": told.stored.ordinal(),
            "sha256": source_sum,
        });
        let path = json!(told.result_path.to_string_lossy());
        let rest = json!({
            "message_id": message_id(told.message),
            "line_ends": line_ends(told.message),
            "changes": changes(told),
            "findings": findings_json(told.converted.report()),
        });
        let rest = rest.to_string();
        let rest = rest.strip_prefix('{').unwrap_or_default();
        Line {
            before_offset: format!(
                "{{\"record\":\"message\",\"source\":{place},\"result\":{{\"path\":{path},\"offset\":"
            ),
            after_offset: format!(
                ",\"length\":{},\"sha256\":\"{result_sum}\"}},{rest}",
                told.result.len()
            ),
        }
    }

    pub(super) fn at(&self, offset: u64) -> String {
        format!("{}{offset}{}", self.before_offset, self.after_offset)
    }
}

fn changes(told: &Told<'_>) -> Vec<Value> {
    let length = told.length;
    let mut changes: Vec<(usize, Value)> = told
        .converted
        .changes()
        .iter()
        .map(|change| (change.before().start, change_json(change, length)))
        .collect();
    if let Some(length) = length {
        let value = json!({
            "part": "1",
            "field": "Content-Length",
            "label": null,
            "charset": null,
            "source": null,
            "replacements": 0,
            "findings": [],
            "before": range_json(&length.before),
            "after": range_json(&length.after),
            "crc64": null,
        });
        changes.push((length.before.start, value));
        changes.sort_by_key(|(start, _)| *start);
    }
    changes.into_iter().map(|(_, change)| change).collect()
}

fn change_json(change: &Change, length: Option<&NewLength>) -> Value {
    json!({
        "part": change.section(),
        "field": change.field(),
        "label": change.label().map(ToString::to_string),
        "charset": change.charset().name(),
        "source": change.source().name(),
        "replacements": change.report().replacements(),
        "findings": findings_json(change.report()),
        "before": range_json(&change.before()),
        "after": range_json(&moved(change.after(), length)),
        "crc64": format!("{:016x}", change.checksum()),
    })
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

fn range_json(range: &Range<usize>) -> Value {
    json!({ "offset": range.start, "length": range.len() })
}

/// SHA-256 in hexadecimal (FIPS 180-4).
pub(super) fn sha256(octets: &[u8]) -> String {
    let mut hexadecimal = String::with_capacity(64);
    for octet in Sha256::digest(octets) {
        // Writing to a String does not fail.
        let _ = write!(hexadecimal, "{octet:02x}");
    }
    hexadecimal
}

fn message_id(message: &[u8]) -> Option<String> {
    let message = Message::parse(message);
    let field = message.field("Message-ID")?;
    let id: Cow<'_, str> = utf8::decode_lossy(field.body().trim_ascii());
    Some(id.into_owned())
}

/// Which line ends a message has: `crlf`, `lf`, `cr`, `mixed` or `none`.
fn line_ends(message: &[u8]) -> &'static str {
    let is_lf = |at: usize| message.get(at) == Some(&b'\n');
    let lf = memchr_iter(b'\n', message).count();
    let cr = memchr_iter(b'\r', message).count();
    let crlf = match (lf, cr) {
        (0, _) | (_, 0) => 0,
        _ => memchr_iter(b'\r', message)
            .filter(|at| is_lf(at + 1))
            .count(),
    };
    match (crlf, lf - crlf, cr - crlf) {
        (0, 0, 0) => "none",
        (_, 0, 0) => "crlf",
        (0, _, 0) => "lf",
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
