//! The lines of a report, by `schema/report.schema.json`.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use memchr::{memchr, memchr_iter};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::counter;
use super::job::Job;
use super::settings;
use super::stored_form::NewLength;
use super::summary::Summary;
use crate::mbox::Stored;
use crate::store::{self, MailSource, SourceNames, path_octets};
use mime_charset::convert::{Change, Converted};
use mime_charset::decode::FieldText;
use mime_charset::message::Field;
use mime_charset::{Report, Source};

/// The first line of a report: program, paths and options.
pub(super) fn run_record(job: &Job, is_dry: bool) -> Value {
    json!({
        "record": "run",
        "agent": AGENT,
        "dry_run": is_dry,
        "source": job.source.to_string_lossy(),
        "destination": job.destination.to_string_lossy(),
        "options": settings::to_json(&job.options, job.selection.format()),
    })
}

const AGENT: &str = concat!("mime-charset ", env!("CARGO_PKG_VERSION"));

/// The last line: the run as a PREMIS 3.0 event.
pub(super) fn event_record(outcome: &str, summary: &Summary) -> Value {
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
            "eventOutcomeDetail": { "eventOutcomeDetailNote": summary.to_string() },
        },
        "linkingAgentIdentifier": {
            "linkingAgentIdentifierType": "software",
            "linkingAgentIdentifierValue": AGENT,
            "linkingAgentRole": "executing program",
        },
        "summary": summary,
    })
}

/// The last line of a dry run. It is not a PREMIS event, since nothing was changed.
pub(super) fn dry_run_record(outcome: &str, summary: &Summary) -> Value {
    json!({
        "record": "dry-run",
        "outcome": outcome,
        "detail": "nothing was written",
        "summary": summary,
    })
}

/// The line of a file without a result.
pub(super) fn file_record(path: Option<&str>, outcome: &str, detail: &str) -> Value {
    json!({ "record": "file", "path": path, "outcome": outcome, "detail": detail })
}

/// The line of a source without messages: the reason, and the length and checksum of its octets, if
/// any.
pub(super) fn source_record(source: &MailSource, outcome: &str, why: &str) -> Value {
    let mut line = json!({ "record": "file" });
    let names = serde_json::to_value(source.names()).unwrap_or_default();
    if let (Some(line), Value::Object(names)) = (line.as_object_mut(), names) {
        line.extend(names);
        line.insert("outcome".to_owned(), outcome.into());
        line.insert("detail".to_owned(), why.into());
        if let Some((length, sum)) = source.whole_file().ok().and_then(digest) {
            line.insert("length".to_owned(), length.into());
            line.insert("sha256".to_owned(), sum.into());
        }
    }
    line
}

/// The number of octets and their SHA-256.
pub(super) fn digest(mut octets: impl Read) -> Option<(u64, String)> {
    let mut hash = Sha256::new();
    let length = io::copy(&mut octets, &mut WriteFn(|read: &[u8]| hash.update(read))).ok()?;
    Some((length, hex(&hash.finalize())))
}

/// A writer that passes all octets to a function.
pub(super) struct WriteFn<F>(pub(super) F);

impl<F: FnMut(&[u8])> io::Write for WriteFn<F> {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        (self.0)(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The paths of a source and its result, as JSON.
pub(super) struct Paths {
    /// JSON objects without the closing brace.
    source: Vec<u8>,
    result: Vec<u8>,
}

impl Paths {
    pub(super) fn new(source: &MailSource, result: &Path) -> Self {
        let mut paths = Paths {
            source: Vec::new(),
            result: Vec::new(),
        };
        write(&mut paths.source, "", &source.names());
        // More keys follow.
        paths.source.pop();
        write(&mut paths.result, "{\"path\":", &result.to_string_lossy());
        if let Some(octets) = path_octets(result) {
            write(&mut paths.result, ",\"path_octets\":", &hex(octets));
        }
        paths
    }

    /// Appends the line of a message. `message` is unquoted, and `result` is in stored form.
    /// Returns where to insert the offset of the result in `lines`: the offset is known only once
    /// the result is written.
    pub(super) fn add_line(
        &self,
        lines: &mut Vec<u8>,
        stored: &Stored,
        message: &[u8],
        converted: &Converted<'_>,
        (result, length): (&[u8], Option<&NewLength>),
    ) -> usize {
        let entry = stored.entry();
        let source = stored.as_stored();
        let source_sum = sha256(source);
        let other_sum = (source != result).then(|| sha256(result));
        lines.extend_from_slice(b"{\"record\":\"message\",\"source\":");
        lines.extend_from_slice(&self.source);
        let offset = stored.offset() + entry.message().start as u64;
        write(lines, ",\"offset\":", &offset);
        write(lines, ",\"length\":", &source.len());
        write(lines, ",\"index\":", &stored.ordinal());
        write(lines, ",\"sha256\":", &source_sum);
        lines.extend_from_slice(b"},\"result\":");
        lines.extend_from_slice(&self.result);
        lines.extend_from_slice(b",\"offset\":");
        let place = lines.len();
        write(lines, ",\"length\":", &result.len());
        let result_sum = other_sum.as_ref().unwrap_or(&source_sum);
        write(lines, ",\"sha256\":", result_sum);
        let header = mime_charset::Message::parse(converted.header);
        write(lines, "},\"message_id\":", &header.message_id());
        add_names(lines, &header, message);
        let date = header.date();
        write(lines, ",\"date\":", &date.as_ref().map(ToString::to_string));
        write(lines, ",\"year\":", &date.map(|date| date.year));
        write(lines, ",\"program\":", &counter::program(&header));
        write(lines, ",\"line_ends\":", line_ends(message));
        write(lines, ",\"changes\":", &changes(converted, length));
        write(lines, ",\"findings\":", &converted.report);
        lines.extend_from_slice(b"}\n");
        place
    }
}

/// Appends the text of From and Subject, as `inspect` shows it.
fn add_names(lines: &mut Vec<u8>, header: &mime_charset::Message<'_>, message: &[u8]) {
    let from = header.field("From");
    let subject = header.field("Subject");
    let texts = [&from, &subject].map(|field| field.as_ref().map(Field::text));
    let is_declared = |text: &FieldText<'_>| {
        let mut sources = text.charsets().iter().map(|used| used.source);
        sources.all(|source| source == Source::Declared)
    };
    if texts.iter().flatten().all(is_declared) {
        let [from, subject] = texts
            .each_ref()
            .map(|text| text.as_ref().map(FieldText::as_str));
        write(lines, ",\"from\":", &from);
        write(lines, ",\"subject\":", &subject);
        return;
    }
    // The rest of the message is evidence for text without a charset.
    let whole = mime_charset::Message::parse(message);
    for (before, name) in [(",\"from\":", "From"), (",\"subject\":", "Subject")] {
        let field = whole.field(name);
        let text = field.as_ref().map(Field::text);
        write(lines, before, &text.as_ref().map(FieldText::as_str));
    }
}

impl Serialize for SourceNames<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &self.path)?;
        let hexadecimal = |octets: Option<&[u8]>| octets.map(|octets| hex(octets).into());
        for (key, text) in [
            ("container", self.container.clone()),
            ("member", self.member.map(Cow::Borrowed)),
            ("path_octets", hexadecimal(self.path_octets)),
            ("member_octets", hexadecimal(self.member_octets)),
        ] {
            if let Some(text) = text {
                map.serialize_entry(key, &text)?;
            }
        }
        map.end()
    }
}

fn write(lines: &mut Vec<u8>, before: &str, value: &(impl Serialize + ?Sized)) {
    lines.extend_from_slice(before.as_bytes());
    let _ = serde_json::to_writer(lines, value);
}

/// The changes of a message in order, including a changed Content-Length.
fn changes<'m>(converted: &'m Converted<'_>, length: Option<&'m NewLength>) -> Vec<ChangeJson<'m>> {
    let changes = &converted.changes;
    let json = changes.iter().map(|it| ChangeJson::new(it, length));
    let mut json: Vec<_> = json.collect();
    if let Some(length) = length {
        let before = |change: &Change| change.before.start <= length.before.start;
        json.insert(
            changes.partition_point(before),
            ChangeJson::of_length(length),
        );
    }
    json
}

#[derive(Serialize)]
struct ChangeJson<'m> {
    part: &'m str,
    field: Option<&'m str>,
    label: Option<String>,
    charset: Option<&'m str>,
    source: Option<&'m str>,
    replacements: usize,
    findings: &'m Report,
    before: RangeJson,
    after: RangeJson,
    crc64: Option<String>,
}

impl<'m> ChangeJson<'m> {
    fn new(change: &'m Change, length: Option<&NewLength>) -> Self {
        ChangeJson {
            part: change.section(),
            field: change.field(),
            label: change.label().map(ToString::to_string),
            charset: Some(change.charset().name()),
            source: Some(change.source().name()),
            replacements: change.report().replacements(),
            findings: change.report(),
            before: change.before.clone().into(),
            after: moved(change.after.clone(), length).into(),
            crc64: Some(format!("{:016x}", change.checksum)),
        }
    }

    fn of_length(length: &NewLength) -> Self {
        const NOTHING: &Report = &Report::new();
        ChangeJson {
            part: "1",
            field: Some("Content-Length"),
            label: None,
            charset: None,
            source: None,
            replacements: 0,
            findings: NOTHING,
            before: length.before.clone().into(),
            after: length.after.clone().into(),
            crc64: None,
        }
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

/// Shifts a range by the change in the number of Content-Length digits before it.
fn moved(range: Range<usize>, length: Option<&NewLength>) -> Range<usize> {
    match length {
        Some(length) if range.start > length.after.start => {
            // The digits start at the same offset before and after the change.
            let old = length.before.len();
            range.start + length.after.len() - old..range.end + length.after.len() - old
        }
        _ => range,
    }
}

/// SHA-256 in hexadecimal (FIPS 180-4).
pub(super) fn sha256(octets: &[u8]) -> String {
    hex(&Sha256::digest(octets))
}

/// Octets as hexadecimal digits.
pub(super) fn hex(octets: &[u8]) -> String {
    let mut hexadecimal = String::with_capacity(2 * octets.len());
    for octet in octets {
        // Writing to a String does not fail.
        let _ = write!(hexadecimal, "{octet:02x}");
    }
    hexadecimal
}

/// Decodes a path from hexadecimal digits, as in `path_octets` of a report. `None` unless the text
/// consists of pairs of such digits.
///
/// ```
/// use mime_charset_archive::path_of_octets;
///
/// assert_eq!(path_of_octets("6f6c642f31").as_deref(), Some("old/1".as_ref()));
/// assert_eq!(path_of_octets("old/1"), None);
/// assert_eq!(path_of_octets("6f6"), None);
/// ```
#[must_use]
pub fn path_of_octets(hexadecimal: &str) -> Option<PathBuf> {
    let (pairs, []) = hexadecimal.as_bytes().as_chunks() else {
        return None;
    };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let octet = |&[high, low]: &[u8; 2]| u8::try_from(digit(high)? * 16 + digit(low)?).ok();
    let octets = pairs.iter().map(octet).collect::<Option<_>>()?;
    Some(store::path_of_octets(octets))
}

/// The line endings of a message: `crlf`, `lf`, `cr`, `mixed` or `none`.
fn line_ends(message: &[u8]) -> &'static str {
    if memchr(b'\r', message).is_none() {
        // Shortcut for the usual case; counting would be slow.
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
    fn sha_256_matches_the_standard() {
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    #[test]
    fn line_endings_are_classified_per_message() {
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
