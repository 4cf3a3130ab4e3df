//! Surveys a report.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize as _;
use serde_json::Value;

use super::counter::{self, Counter};
use super::counts::{Counts, Subject};
use super::duplicates::Duplicates;
use super::event::{Event, Progress};
use super::recorded::read_line;
use super::report::first_line;
use super::summary::Summary;
use crate::error::Error;
use crate::store::open_report;
use mime_charset::{Effect, Kind};

/// Whether a file begins like the report of a conversion.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let report = folder.path().join("report.jsonl");
/// std::fs::write(&report, "{\"record\":\"run\",\"agent\":\"mime-charset 0.1.0\"}\n").unwrap();
/// assert!(mime_charset_archive::is_report(&report));
/// assert!(!mime_charset_archive::is_report("Cargo.toml".as_ref()));
/// ```
#[must_use]
pub fn is_report(path: &Path) -> bool {
    // Opening a pipe would consume its octets.
    let is_file = fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let first = is_file.then(|| first_line(path)).flatten();
    first.is_some_and(|first| first.get("record").is_some_and(|record| record == "run"))
}

/// Counts what a conversion did, from its report. Returns the [`Survey`](super::Survey) tables for
/// changed and unchanged items, the charsets of all examined text parts before and after the
/// conversion, and its [summary](Counts::summary). Numbers that a report lacks, such as the
/// confidence of guesses, are not counted.
///
/// `observe` gets [progress](Event::Progress) in octets of the report. Once `cancelled` is `true`,
/// the function returns the counts so far.
///
/// # Errors
///
/// Fails if the file cannot be read, is not a report, or is incomplete.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Convert, Subject, survey_report};
///
/// # let folder = tempfile::tempdir()?;
/// let path = |name: &str| folder.path().join(name);
/// let mail = "Content-Type: text/plain; charset=koi8-r\n\n";
/// fs::write(path("old.eml"), [mail.as_bytes(), b"\xF0"].concat())?;
/// let never = AtomicBool::new(false);
/// Convert::new(path("old.eml"), path("new.eml")).report(path("report.jsonl")).run(&never, |_| ())?;
///
/// let counts = survey_report(&path("report.jsonl"), &never, |_| ())?;
/// assert_eq!(counts.rows(Subject::Charsets)[0].0, "KOI8-R");
/// assert_eq!(counts.rows(Subject::CharsetsAfter)[0].0, "UTF-8");
/// assert_eq!(counts.summary.unwrap().changed_parts, 1);
/// # Ok(())
/// # }
/// ```
pub fn survey_report(
    path: &Path,
    cancelled: &AtomicBool,
    mut observe: impl FnMut(Event<'_>),
) -> Result<Counts, Error> {
    let shown = path.display();
    if !is_report(path) {
        return Err(Error::new(format!("{shown} is not a report")));
    }
    let mut lines = BufReader::new(open_report(path)?);
    let mut progress = Progress::of(&[path.to_path_buf()]);
    let mut counts = Counts::default();
    let mut summary = None;
    let (mut start, mut end) = (0, 0);
    while let Some(line) = read_line(&mut lines, &mut end, path)? {
        if cancelled.load(Ordering::Relaxed) {
            return Ok(counts);
        }
        let record = line.get("record").and_then(Value::as_str);
        match record {
            Some("message") => count_message(&mut counts, &line)
                .ok_or_else(|| Error::new(format!("malformed line in the report {shown}")))?,
            Some("file") => count_file(&mut counts, &line),
            Some("event" | "dry-run") => {
                let found = line.get("summary").map(Summary::deserialize);
                summary = found.and_then(Result::ok);
            }
            _ => {}
        }
        progress.add(u64::from(record == Some("message")), end - start, 0);
        start = end;
        observe(Event::Progress(&progress));
    }
    let sentence = || Error::new(format!("the report {shown} is incomplete"));
    let summary = summary.ok_or_else(sentence)?;
    count_charsets(&mut counts, &summary);
    counts.parts = summary.parts;
    counts.text_parts = summary.charsets.values().sum();
    counts.summary = Some(summary);
    Ok(counts)
}

/// The place of findings that concern a whole message.
const MESSAGE: &str = "message";

impl Counter<'_> {
    /// Counts a change from the report.
    fn change(&mut self, change: &Value) -> Option<()> {
        let text = |key: &str| change.get(key).and_then(Value::as_str);
        // A changed Content-Length belongs to the mailbox.
        let Some(charset) = text("charset") else {
            return Some(());
        };
        let (section, field) = (text("part")?, text("field"));
        let offset = offset(change.pointer("/before/offset")?);
        let place = field.unwrap_or(section);
        let name = counter::name_of_change(field);
        self.row(Subject::Conversion, name, (place, offset, charset));
        match field {
            None => {
                let label = text("label").unwrap_or("no label");
                let example = (section, None, label);
                // This counts changed parts only. The summary has the number of all parts, without
                // years.
                if let Some(row) = self.row(Subject::Charsets, charset, example) {
                    row.years.clear();
                }
                let pair = format!("{} → {charset}", label.to_lowercase());
                self.row(Subject::Labels, &pair, example);
                self.row(Subject::Sources, text("source")?, example);
            }
            Some(field) if !counter::is_label(field) => {
                self.row(Subject::FieldCharsets, charset, (field, offset, charset));
            }
            Some(_) => {}
        }
        self.recorded_findings(place, change.get("findings")?)
    }

    fn recorded_findings(&mut self, place: &str, findings: &Value) -> Option<()> {
        let mut has_loss = false;
        for finding in findings.as_array()? {
            let text = |key: &str| finding.get(key).and_then(Value::as_str);
            let (name, detail) = (text("kind")?, text("detail")?);
            let offset = offset(finding.get("offset")?)?;
            let sentence = match detail {
                "" => format!("{name} at {offset}"),
                _ => format!("{name} at {offset}: {detail}"),
            };
            // A kind from a later version is unknown and has no effect.
            let kind = Kind::ALL.iter().find(|kind| kind.name() == name);
            let effect = kind.map(|kind| kind.effect());
            has_loss |= effect == Some(Effect::Lost);
            let example = (place, Some(offset), sentence.as_str());
            if let Some(row) = self.row(Subject::Findings, name, example) {
                row.detail = effect.map(Effect::name);
            }
            // Findings in changed text did not prevent the change.
            let left = kind.filter(|_| place == MESSAGE);
            if let Some(row) = left.and_then(|kind| counter::name_of_left(*kind)) {
                self.row(Subject::Conversion, row, example);
            }
        }
        self.counts.losses += u64::from(has_loss);
        Some(())
    }
}

fn offset(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn year_of(value: &Value) -> Option<u16> {
    u16::try_from(value.as_u64()?).ok()
}

fn count_message(counts: &mut Counts, message: &Value) -> Option<()> {
    let source = message.get("source")?;
    counts.messages += 1;
    counts.octets += source.get("length")?.as_u64()?;
    let id = message.get("message_id").and_then(Value::as_str);
    let sum = source.get("sha256")?.as_str()?;
    let mut duplicates = Duplicates::default();
    duplicates.add(sum.as_bytes(), id);
    counts.duplicates.merge(duplicates);
    let mut counter = Counter {
        counts,
        path: source.get("path")?.as_str()?,
        index: source.get("index")?.as_u64()?,
        year: message.get("year").and_then(year_of),
    };
    // Reports of earlier versions have neither.
    if let Some(year) = message.get("year") {
        let shown = year_of(year).map_or_else(|| "none".to_owned(), |year| year.to_string());
        counter.row(Subject::Years, &shown, ("Date", None, ""));
    }
    if let Some(program) = message.get("program").and_then(Value::as_str) {
        counter.row(Subject::Programs, program, ("header", None, ""));
    }
    let changes = message.get("changes")?.as_array()?;
    if changes.is_empty() {
        counter.row(Subject::Conversion, counter::UNCHANGED, (MESSAGE, None, ""));
    }
    for change in changes {
        counter.change(change)?;
    }
    counter.recorded_findings(MESSAGE, message.get("findings")?)
}

/// Counts a file without a result.
fn count_file(counts: &mut Counts, file: &Value) {
    let text = |key: &str| file.get(key).and_then(Value::as_str).unwrap_or_default();
    let name = match text("outcome") {
        // The result is empty too.
        "empty" => return,
        "no-mail" => "files that are not mail",
        "undelivered" => "files that were never delivered",
        "excluded" => "files that were left out",
        "unread" => "files that could not be read",
        _ => "files that failed",
    };
    let path = file.get("path").and_then(Value::as_str);
    counts.file(path, text("outcome"), text("detail"));
    let mut counter = Counter {
        counts,
        path: text("path"),
        index: 0,
        year: None,
    };
    // Add the path, unless the reason names the file.
    let detail = match text("outcome") {
        "failed" | "unread" => text("detail").to_owned(),
        _ => format!("{}: {}", text("path"), text("detail")),
    };
    counter.row(Subject::Conversion, name, ("file", None, &detail));
}

/// Counts the charsets of all text parts before and after: a changed part is in UTF-8 afterwards,
/// any other keeps its charset.
fn count_charsets(counts: &mut Counts, summary: &Summary) {
    let changed: Vec<_> = counts
        .rows(Subject::Charsets)
        .into_iter()
        .map(|(name, row)| (name.to_owned(), row.clone()))
        .collect();
    let written = "UTF-8";
    let mut all = summary.charsets.clone();
    all.entry(written.to_owned()).or_default();
    let all_changed: u64 = changed.iter().map(|(_, row)| row.count).sum();
    for (name, before) in &all {
        let row = changed.iter().find(|(other, _)| other == name);
        let left = before.saturating_sub(row.map_or(0, |(_, row)| row.count));
        let gained = if name == written { all_changed } else { 0 };
        counts.set(Subject::Charsets, name, *before);
        let after = counts.set(Subject::CharsetsAfter, name, left + gained);
        if let (true, Some(after), Some((_, first))) = (gained > 0, after, changed.first()) {
            after.examples.clone_from(&first.examples);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::survey_report;

    fn error_of(report: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.jsonl");
        std::fs::write(&path, report).unwrap();
        let counts = survey_report(&path, &AtomicBool::new(false), |_| ());
        let sentence = counts.unwrap_err().to_string();
        sentence.replace(path.to_str().unwrap(), "FILE")
    }

    #[test]
    fn files_that_are_not_reports_are_errors() {
        let run = "{\"record\":\"run\",\"agent\":\"a\"}\n";
        for (report, expected) in [
            ("", "FILE is not a report"),
            ("{}\n", "FILE is not a report"),
            (run, "the report FILE is incomplete"),
            (
                &format!("{run}{{\"record\":\"message\"}}\n"),
                "malformed line in the report FILE",
            ),
        ] {
            assert_eq!(error_of(report), expected, "{report}");
        }
        let cut = error_of(&format!("{run}{{\"record\""));
        assert!(cut.starts_with("expected JSON Lines in FILE: "), "{cut}");
    }
}
