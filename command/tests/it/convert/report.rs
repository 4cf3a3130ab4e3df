//! The report of `convert`: its contents, and where it is written.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::{
    KOI8, PLAIN, complaints, convert, everything, files, lines, mailbox, names, run, text, tree,
    verify,
};
use crate::schema::validator::schema_allows;

/// The places and checksums in the report match the files.
#[test]
fn the_report_has_places_and_checksums() {
    let folder = tree(&[("s/a.mbox", &mailbox(7)), ("s/b.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let report = folder.path().join("report.jsonl");
    convert(&source, &target, &["--report", text(&report)]);
    let lines = lines(&report);
    assert_eq!(lines[0]["record"], "run");
    let messages: Vec<_> = lines
        .iter()
        .filter(|line| line["record"] == "message")
        .collect();
    assert_eq!(messages.len(), 8);
    let octets = |place: &Value| {
        let file = fs::read(place["path"].as_str().unwrap()).unwrap();
        let number = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
        file[number("offset")..number("offset") + number("length")].to_vec()
    };
    let mut sums = fs::File::create(folder.path().join("sums")).unwrap();
    for (index, message) in messages.iter().enumerate() {
        let (old, new) = (octets(&message["source"]), octets(&message["result"]));
        for (place, octets) in [(&message["source"], &old), (&message["result"], &new)] {
            let file = folder
                .path()
                .join(format!("octets-{index}-{}", octets.len()));
            fs::write(&file, octets).unwrap();
            let sum = place["sha256"].as_str().unwrap();
            writeln!(sums, "{sum}  {}", file.display()).unwrap();
        }
        let mut at = (0, 0);
        for change in message["changes"].as_array().unwrap() {
            let range = |key: &str| {
                let number = |part: &str| change[key][part].as_u64().unwrap();
                let start = usize::try_from(number("offset")).unwrap();
                start..start + usize::try_from(number("length")).unwrap()
            };
            let (before, after) = (range("before"), range("after"));
            assert_eq!(old[at.0..before.start], new[at.1..after.start]);
            at = (before.end, after.end);
        }
        assert_eq!(old[at.0..], new[at.1..]);
    }
    let last = messages[7];
    assert_eq!(last["message_id"], "1@example.org");
    assert_eq!(last["line_ends"], "crlf");
    assert_eq!(messages[1]["line_ends"], "lf");
    let changes = last["changes"].as_array().unwrap();
    let told: Vec<_> = changes
        .iter()
        .map(|change| {
            (
                &change["field"],
                &change["label"],
                &change["charset"],
                &change["source"],
            )
        })
        .map(|told| format!("{told:?}").replace("String(", "").replace(')', ""))
        .collect();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(
        told[0].contains("\"Subject\", \"koi8-r\", \"KOI8-R\", \"declared\""),
        "{told:?}"
    );
    assert!(
        told[2].contains("Null, \"koi8-r\", \"KOI8-R\", \"declared\""),
        "{told:?}"
    );

    let event = lines.last().unwrap();
    assert_eq!(event["eventType"], "normalization");
    assert_eq!(event["eventOutcomeInformation"]["eventOutcome"], "success");
    let agent = &event["linkingAgentIdentifier"]["linkingAgentIdentifierValue"];
    assert_eq!(agent, concat!("mime-charset ", env!("CARGO_PKG_VERSION")));
    let time = event["eventDateTime"].as_str().unwrap();
    // RFC 3339, section 5.6.
    let shape: String = time
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    assert_eq!(shape, "0000-00-00T00:00:00Z");

    // Compares the checksums with those of coreutils, if installed.
    drop(sums);
    let sums = folder.path().join("sums");
    if let Ok(output) = Command::new("sha256sum")
        .args(["--check", text(&sums)])
        .output()
    {
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

#[test]
fn a_dry_run_writes_only_the_report() {
    let folder = tree(&[("s/a.mbox", &mailbox(9)), ("s/b.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let report = folder.path().join("r.jsonl");
    let before = files(folder.path());
    // The second run replaces the report of the first.
    for _ in 0..2 {
        let output = convert(&source, &target, &["--dry-run", "--report", text(&report)]);
        assert!(!target.exists());
        let said = complaints(&output);
        assert!(
            said.starts_with("dry run, nothing was converted: "),
            "{said}"
        );
    }
    let mut dry = lines(&report);
    let proof = [
        "verify",
        text(&source),
        text(&target),
        "--report",
        text(&report),
    ];
    let output = run(&proof);
    assert_eq!(output.status.code(), Some(2));
    let expected = format!(
        "mime-charset: expected the report of a conversion, found the report of a dry run: {}\n",
        report.display()
    );
    assert_eq!(complaints(&output), expected);
    assert!(output.stdout.is_empty());

    // No line claims that anything was changed.
    assert!(
        !fs::read_to_string(&report)
            .unwrap()
            .contains("normalization")
    );
    convert(&source, &target, &["--report", text(&report)]);
    verify(&source, &target, &["--report", text(&report)]);
    let mut real = lines(&report);
    let (first, other) = (dry.remove(0), real.remove(0));
    assert_eq!(
        (&first["dry_run"], &other["dry_run"]),
        (&true.into(), &false.into())
    );
    let (last, event) = (dry.pop().unwrap(), real.pop().unwrap());
    assert_eq!(last["summary"], event["summary"]);
    assert_eq!(
        (&last["record"], &event["record"]),
        (&"dry-run".into(), &"event".into())
    );
    assert_eq!(last["detail"], "nothing was written");
    assert_eq!(dry, real);
    assert_eq!(
        names(folder.path()),
        ["r.jsonl", "s/a.mbox", "s/b.eml", "t/a.mbox", "t/b.eml"]
    );
    // The report of a conversion is kept. A dry run neither continues nor starts over.
    let whole = fs::read(&report).unwrap();
    for (how, advice) in [
        (&["--dry-run"][..], "choose another file"),
        (&[], "--resume continues"),
    ] {
        let arguments = [
            "convert",
            text(&source),
            text(&target),
            "--report",
            text(&report),
        ];
        let output = run(&[&arguments[..], how].concat());
        assert_eq!(output.status.code(), Some(2), "{how:?}");
        let said = complaints(&output);
        assert!(said.contains(advice), "{said}");
        assert_eq!(fs::read(&report).unwrap(), whole, "{how:?}");
    }
    assert_eq!(files(&source).len(), before.len());
}

/// A report as a table (RFC 4180): a row for each message and each file without a result, with
/// quotes around values that contain commas, quotes or line endings.
#[test]
fn a_report_can_be_written_as_a_table() {
    let mail = "From: \"Doe, J.\" <a@example.org>\nSubject: =?utf-8?Q?two=0Alines?=\n\
        Date: Sat, 3 Jan 1998 01:05:34 +0900\nMessage-ID: <2@example.org>\n\ntext\n";
    let folder = tree(&[
        ("s/a.eml", mail.as_bytes()),
        ("s/b.eml", KOI8),
        ("s/c.bin", b"\0"),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (report, table) = (path("r.jsonl.gz"), path("r.csv"));
    let options = ["--report", text(&report), "--csv", text(&table)];
    convert(&path("s"), &path("t"), &options);
    let found = fs::read_to_string(&table).unwrap();
    let mut reader = csv::Reader::from_reader(found.as_bytes());
    let names = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let cell = |row: usize, name: &str| {
        let column = names.iter().position(|it| it == name).unwrap();
        rows[row][column].to_owned()
    };
    let lines = lines(&report);
    assert_eq!(rows.len(), lines.len() - 2);
    assert_eq!(cell(0, "from"), "\"Doe, J.\" <a@example.org>");
    assert!(
        found.contains("\"\"\"Doe, J.\"\" <a@example.org>\""),
        "{found}"
    );
    assert_eq!(cell(0, "date"), "1998-01-03T01:05:34+09:00");
    assert_eq!(cell(0, "message_id"), "2@example.org");
    assert_eq!(
        (cell(0, "changes"), cell(0, "charsets")),
        ("0".into(), String::new())
    );
    assert_eq!(cell(1, "subject"), "Привет");
    assert_eq!(
        (cell(1, "changes"), cell(1, "charsets")),
        ("3".into(), "KOI8-R".into())
    );
    assert_eq!(
        (cell(2, "record"), cell(2, "outcome")),
        ("file".into(), "no-mail".into())
    );
    for (row, line) in lines[1..=3].iter().enumerate() {
        let of_file = row == 2;
        let source = if of_file { line } else { &line["source"] };
        assert_eq!(cell(row, "path"), source["path"].as_str().unwrap());
        assert_eq!(cell(row, "sha256"), source["sha256"].as_str().unwrap());
        assert_eq!(cell(row, "length"), source["length"].to_string());
        assert_eq!(
            Value::from(cell(row, "subject")),
            match &line["subject"] {
                Value::Null => "".into(),
                subject => subject.clone(),
            }
        );
    }

    // An existing table is kept, unless the run replaces or resumes.
    let arguments = ["convert", text(&path("s")), text(&path("u"))].map(str::to_owned);
    let arguments: Vec<_> = arguments
        .iter()
        .map(String::as_str)
        .chain(options)
        .collect();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("r.csv already exists; --force replaces it"));
    assert!(!path("u").exists());
    fs::write(&table, "").unwrap();
    convert(
        &path("s"),
        &path("t"),
        &[&options[..], &["--resume"]].concat(),
    );
    assert_eq!(fs::read_to_string(&table).unwrap(), found);
}

/// A name that is not UTF-8 has its octets in the table: `=BF.eml`.
#[cfg(target_os = "linux")]
#[test]
fn a_table_has_the_octets_of_names() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tree(&[("s/a.eml", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    fs::write(
        path("s").join(std::ffi::OsStr::from_bytes(b"\xBF.eml")),
        PLAIN,
    )
    .unwrap();
    let (report, table) = (path("r.jsonl"), path("r.csv"));
    let options = ["--report", text(&report), "--csv", text(&table)];
    convert(&path("s"), &path("t"), &options);
    let mut reader = csv::Reader::from_path(&table).unwrap();
    let names = reader.headers().unwrap().clone();
    let row = reader.records().nth(1).unwrap().unwrap();
    for name in ["path_octets", "result_path_octets"] {
        let column = names.iter().position(|it| it == name).unwrap();
        assert!(row[column].ends_with("2fbf2e656d6c"), "{row:?}");
    }
}

/// A table that replaces a hard link to a source leaves the source alone.
#[cfg(unix)]
#[test]
fn a_table_replaces_a_hard_link() {
    let folder = tree(&[("s/a.eml", KOI8)]);
    let path = |name: &str| folder.path().join(name);
    let (report, table) = (path("r.jsonl"), path("r.csv"));
    fs::hard_link(path("s/a.eml"), &table).unwrap();
    let options = ["--force", "--report", text(&report), "--csv", text(&table)];
    convert(&path("s"), &path("t"), &options);
    assert_eq!(fs::read(path("s/a.eml")).unwrap(), KOI8);
    assert!(fs::read_to_string(&table).unwrap().starts_with("record,"));
}

/// A table may be at the destination, but replaces no result there.
#[test]
fn a_table_replaces_no_result() {
    let folder = tree(&[("s/a.eml", PLAIN), ("s/empty", b"")]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    let with_table = |table: &str, how: &str| {
        let table = path(table);
        run(&[
            "convert",
            how,
            text(&source),
            text(&target),
            "--report",
            text(&report),
            "--csv",
            text(&table),
        ])
    };
    for (table, how) in [
        ("t/a.eml", "-j1"),
        ("t/a.eml", "--resume"),
        ("t/a.eml", "--force"),
        ("t/empty", "--force"),
    ] {
        let output = with_table(table, how);
        assert_eq!(output.status.code(), Some(2), "{table} {how}");
        assert!(complaints(&output).contains(" may be a result; choose another file"));
        assert_eq!(fs::read(path("t/a.eml")).unwrap(), PLAIN);
        assert_eq!(fs::read(path("t/empty")).unwrap(), b"");
        if how == "-j1" {
            verify(&source, &target, &["--report", text(&report)]);
        }
    }
    for _ in 0..2 {
        assert_eq!(with_table("t/r.csv", "--force").status.code(), Some(0));
        assert!(
            fs::read_to_string(path("t/r.csv"))
                .unwrap()
                .starts_with("record,")
        );
    }
}

#[test]
fn reports_conform_to_their_schema() {
    let schema: Value =
        serde_json::from_str(&fs::read_to_string("../schema/report.schema.json").unwrap()).unwrap();
    let folder = tree(&[
        ("s/bad.mbox.gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"),
        ("s/empty", b""),
        ("s/good.eml", PLAIN),
    ]);
    let target = |name: &str| folder.path().join(name);
    let mut records = BTreeMap::<String, usize>::new();
    let bad = target("s");
    for (number, source) in ["../corpus/archive", "../corpus/mail", text(&bad)]
        .iter()
        .enumerate()
    {
        for (index, options) in [
            &["--headers=utf8", "--attachments"][..],
            &[
                "--on-malformed=replace",
                "--keep-declarations",
                "--guessed=50",
            ],
            &["--dry-run"],
        ]
        .iter()
        .enumerate()
        {
            let report = target(&format!("{number}-{index}.jsonl"));
            let destination = target(&format!("{number}-{index}"));
            let mut arguments = vec!["convert", source, text(&destination)];
            arguments.extend(["--report", text(&report)]);
            arguments.extend(*options);
            run(&arguments);
            for line in lines(&report) {
                if let Err(why) = schema_allows(&schema, &schema, &line) {
                    panic!("{why}: {line}");
                }
                *records
                    .entry(line["record"].as_str().unwrap().to_owned())
                    .or_default() += 1;
            }
        }
    }
    let kinds: Vec<_> = records.keys().map(String::as_str).collect();
    assert_eq!(kinds, ["dry-run", "event", "file", "message", "run"]);
    assert!(records["message"] > 500, "{records:?}");

    // The validator does reject errors.
    let mut wrong = lines(&target("1-0.jsonl"));
    wrong[1]["result"]["length"] = "12".into();
    assert!(schema_allows(&schema, &schema, &wrong[1]).is_err());
    wrong[0]["more"] = 1.into();
    assert!(schema_allows(&schema, &schema, &wrong[0]).is_err());
    wrong[2].as_object_mut().unwrap().remove("findings");
    assert!(schema_allows(&schema, &schema, &wrong[2]).is_err());
}

/// An existing file has the name of the unfinished report.
#[cfg(unix)]
#[test]
fn a_file_named_like_an_unfinished_report_is_kept() {
    let folder = tree(&[
        ("s.eml", KOI8),
        ("r.jsonl.part", b"of somebody else"),
        ("other", b"of somebody else too"),
    ]);
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("other", path("q.jsonl.part")).unwrap();
    std::os::unix::fs::symlink("nowhere", path("p.jsonl.part")).unwrap();
    let (source, target) = (path("s.eml"), path("t.eml"));
    let before = files(folder.path());
    let arguments = ["convert", text(&source), text(&target), "--report"];
    for name in ["r.jsonl", "q.jsonl", "p.jsonl"] {
        let report = path(name);
        for how in [&[][..], &["--resume"]] {
            let output = run(&[&arguments[..], &[text(&report)], how].concat());
            assert_eq!(output.status.code(), Some(2), "{name} {how:?}");
            let expected = format!("{name}.part already exists");
            assert!(complaints(&output).contains(&expected), "{name} {how:?}");
            assert_eq!(files(folder.path()), before, "{name} {how:?}");
        }
        // A dry run needs no such file.
        let dry = run(&[&arguments[..], &[text(&report), "--dry-run"]].concat());
        assert_eq!(dry.status.code(), Some(0), "{}", complaints(&dry));
        fs::remove_file(&report).unwrap();
        assert_eq!(files(folder.path()), before, "{name}");
    }
    // The target of a link is kept even if the link is replaced.
    for name in ["q.jsonl", "p.jsonl"] {
        convert(
            &source,
            &target,
            &["--force", "--report", text(&path(name))],
        );
        assert_eq!(fs::read(path("other")).unwrap(), before[Path::new("other")]);
        assert!(!path("nowhere").exists() && !path(name).is_symlink());
        assert!(!path(&format!("{name}.part")).is_symlink());
    }
}

/// A run is refused if its report, or the unfinished one, would be the destination, a folder that
/// contains it, the source, or a file of the run.
#[test]
fn a_report_with_a_conflicting_path_is_refused() {
    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("o.jsonl.part", KOI8),
        ("old/b.eml", PLAIN),
    ]);
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("t")).unwrap();
    let before = files(folder.path());
    let elsewhere = "the report must not replace the destination";
    for (source, target, report, sentence) in [
        ("s/a.eml", "o.eml", "o.eml", elsewhere),
        ("s/a.eml", "o.eml.part", "o.eml", elsewhere),
        ("s/a.eml", "old/b.eml", "old/../old/b.eml", elsewhere),
        ("s/a.eml", "new/o.eml", "new", elsewhere),
        ("s", "n", "n", elsewhere),
        ("s", "n.part", "n", elsewhere),
        ("s", "n/deeper", "n", elsewhere),
        ("s", "t", "t", elsewhere),
        (
            "o.jsonl.part",
            "n",
            "o.jsonl",
            "the report must be outside the source",
        ),
        (
            "s",
            "t",
            "t/.mime-charset-journal",
            "the report must not be named like an unfinished file",
        ),
        (
            "s/a.eml",
            "o.eml",
            ".mime-charset-o.eml.journal",
            "the report must not be named like an unfinished file",
        ),
    ] {
        for how in [&[][..], &["--force"], &["--resume"], &["--dry-run"]] {
            let (source, target, report) = (path(source), path(target), path(report));
            let arguments = ["convert", text(&source), text(&target), "--report"];
            let output = run(&[&arguments[..], &[text(&report)], how].concat());
            let said = complaints(&output);
            assert_eq!(output.status.code(), Some(2), "{report:?} {how:?}: {said}");
            assert!(said.contains(sentence), "{report:?} {how:?}: {said}");
            assert_eq!(said.lines().count(), 1, "{said}");
            assert_eq!(files(folder.path()), before, "{report:?} {how:?}");
            assert!(!path("n").exists() && !path("n.part").exists() && !path("new").exists());
        }
    }
    // A report next to the results is allowed.
    let report = path("t/report.jsonl");
    convert(&path("s"), &path("t"), &["--report", text(&report)]);
    verify(&path("s"), &path("t"), &["--report", text(&report)]);
}

/// A run whose report cannot be written leaves no files.
#[test]
fn a_run_whose_report_cannot_be_written_leaves_no_files() {
    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("s/md/cur/1", KOI8),
        ("s/md/new/2", KOI8),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, new, report) = (path("s"), path("new"), path("q.jsonl"));
    fs::create_dir(path("q.jsonl.part")).unwrap();
    let before = everything(folder.path());
    for how in [&["--force"][..], &["--resume"], &[]] {
        let arguments = [
            "convert",
            text(&source),
            text(&new),
            "--report",
            text(&report),
        ];
        let output = run(&[&arguments[..], how].concat());
        assert_eq!(output.status.code(), Some(2), "{how:?}");
        assert_eq!(everything(folder.path()), before, "{how:?}");
    }
}
