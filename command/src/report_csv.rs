//! Writes the messages and files of a report as a table (RFC 4180).

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _};
use std::path::Path;

use mime_charset_archive::open_report;
use serde_json::Value;

use super::{Stop, output};

/// The columns, with the location of each value in a report line.
const COLUMNS: [(&str, &str); 24] = [
    ("record", "/record"),
    ("path", "/source/path"),
    ("container", "/source/container"),
    ("member", "/source/member"),
    ("path_octets", "/source/path_octets"),
    ("member_octets", "/source/member_octets"),
    ("index", "/source/index"),
    ("offset", "/source/offset"),
    ("length", "/source/length"),
    ("sha256", "/source/sha256"),
    ("result_path", "/result/path"),
    ("result_path_octets", "/result/path_octets"),
    ("result_offset", "/result/offset"),
    ("result_length", "/result/length"),
    ("result_sha256", "/result/sha256"),
    ("date", "/date"),
    ("from", "/from"),
    ("subject", "/subject"),
    ("message_id", "/message_id"),
    ("year", "/year"),
    ("program", "/program"),
    ("line_ends", "/line_ends"),
    ("outcome", "/outcome"),
    ("detail", "/detail"),
];

/// Columns that summarize the changes of a message.
const SUMS: [&str; 3] = ["changes", "charsets", "findings"];

/// Fails if the table would replace a file at the destination that is not a table and may be a result.
pub(super) fn check(file: &Path, destination: &Path) -> Result<(), Stop> {
    let Ok(metadata) = fs::symlink_metadata(file) else {
        return Ok(());
    };
    let is_table = || {
        let mut head = [0; 12];
        let read = fs::File::open(file).and_then(|mut file| file.read_exact(&mut head));
        read.is_ok() && head == *b"record,path,"
    };
    if output::is_outside(file, &[destination]).is_ok() || metadata.is_file() && is_table() {
        return Ok(());
    }
    Err(Stop::Sentence(format!(
        "{} may be a result; choose another file for the table",
        file.display()
    )))
}

/// Writes a row for each message and each file without a result.
pub(super) fn write(report: &Path, file: &Path) -> Result<(), Stop> {
    let failed = |what: &str, path: &Path, error: &dyn std::fmt::Display| {
        Stop::Sentence(format!("cannot {what} {}: {error}", path.display()))
    };
    let cannot_write = |error: &dyn std::fmt::Display| failed("write", file, error);
    let target = output::create(file).map_err(|error| cannot_write(&error))?;
    let mut table = csv::Writer::from_writer(BufWriter::new(target));
    let names = COLUMNS.iter().map(|(name, _)| *name);
    table
        .write_record(names.chain(SUMS))
        .map_err(|error| cannot_write(&error))?;
    let mut lines = BufReader::new(open_report(report)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = lines.read_until(b'\n', &mut line);
        if read.map_err(|error| failed("read", report, &error))? == 0 {
            break;
        }
        let record: Value =
            serde_json::from_slice(&line).map_err(|error| failed("read", report, &error))?;
        if matches!(record["record"].as_str(), Some("message" | "file")) {
            table
                .write_record(row(&record))
                .map_err(|error| cannot_write(&error))?;
        }
    }
    table.flush().map_err(|error| cannot_write(&error))
}

fn row(record: &Value) -> Vec<String> {
    let cell = |pointer: &str| match record.pointer(pointer) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    };
    // In the record of a file the values are not inside `source`.
    let is_file = record["record"] == "file";
    let place = |pointer: &'static str| match pointer.strip_prefix("/source") {
        Some(file) if is_file => file,
        _ => pointer,
    };
    let mut row: Vec<_> = COLUMNS
        .iter()
        .map(|(_, pointer)| cell(place(pointer)))
        .collect();
    let no_list = Vec::new();
    let list = |of: &Value, key: &str| of[key].as_array().unwrap_or(&no_list).clone();
    let changes = list(record, "changes");
    let texts = |values: &[Value], key: &str| {
        let texts = values.iter().filter_map(|value| value[key].as_str());
        texts.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let joined = |texts: BTreeSet<String>| texts.into_iter().collect::<Vec<_>>().join(" ");
    let mut findings = list(record, "findings");
    findings.extend(changes.iter().flat_map(|change| list(change, "findings")));
    row.push(if is_file {
        String::new()
    } else {
        changes.len().to_string()
    });
    row.push(joined(texts(&changes, "charset")));
    row.push(joined(texts(&findings, "kind")));
    row
}
