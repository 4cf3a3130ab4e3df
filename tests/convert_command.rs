//! `convert` and `verify`, run as a stranger runs them, on good days and bad ones.
#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use mime_charset::archive::mbox;
use serde_json::Value;
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_mime-charset");

/// "Привет" in KOI8-R under its label.
const KOI8: &[u8] = b"Subject: =?koi8-r?B?8NLJ18XU?=\r\n\
    Message-ID: <1@example.org>\r\n\
    Content-Type: text/plain; charset=koi8-r\r\n\
    Content-Transfer-Encoding: 8bit\r\n\r\n\xF0\xD2\xC9\xD7\xC5\xD4\r\n";

const KOI8_IN_UTF8: &str = "Subject: =?UTF-8?B?0J/RgNC40LLQtdGC?=\r\n\
    Message-ID: <1@example.org>\r\n\
    Content-Type: text/plain; charset=UTF-8\r\n\
    Content-Transfer-Encoding: 8bit\r\n\r\nПривет\r\n";

const PLAIN: &[u8] = b"Subject: plain\n\nText in US-ASCII.\n";

const SEPARATOR: &[u8] = b"From a@example.org Sat Jan  3 01:05:34 1996\n";

/// A folder, in memory where there is one: what is written is brought to disk file by file.
fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    tempfile::tempdir_in(memory).unwrap_or_else(|_| tempfile::tempdir().unwrap())
}

/// A folder with these files.
fn tree(files: &[(&str, &[u8])]) -> TempDir {
    let folder = folder();
    for (name, octets) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, octets).unwrap();
    }
    folder
}

/// Every file below a folder, by its name there. A run that goes on meanwhile renames some
/// between their being listed and their being read: these are not there.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_path_buf();
                match fs::read(&path) {
                    Ok(octets) => found.insert(name, octets),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => None,
                    Err(error) => panic!("{}: {error}", path.display()),
                };
            }
        }
    }
    found
}

fn names(folder: &Path) -> Vec<String> {
    let names = files(folder).into_keys();
    names.map(|name| name.display().to_string()).collect()
}

fn run(arguments: &[&str]) -> Output {
    Command::new(BINARY).args(arguments).output().unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn complaints(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Converts, which has to go well.
#[track_caller]
fn convert(source: &Path, destination: &Path, options: &[&str]) -> Output {
    let mut arguments = vec!["convert", text(source), text(destination)];
    arguments.extend(options);
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
    output
}

/// Verifies, which has to hold.
#[track_caller]
fn verify(source: &Path, destination: &Path, options: &[&str]) -> Output {
    let mut arguments = vec!["verify", text(source), text(destination)];
    arguments.extend(options);
    let output = run(&arguments);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{said}{}",
        complaints(&output)
    );
    assert!(output.stdout.is_empty());
    output
}

/// Converts one message with these options, and verifies it.
#[track_caller]
fn converted(message: &[u8], options: &[&str]) -> Vec<u8> {
    let folder = tree(&[("a.eml", message)]);
    let (source, target) = (folder.path().join("a.eml"), folder.path().join("b.eml"));
    convert(&source, &target, options);
    verify(&source, &target, options);
    fs::read(target).unwrap()
}

fn lines(report: &Path) -> Vec<Value> {
    let report = fs::read_to_string(report).unwrap();
    let line = |line| serde_json::from_str(line).unwrap();
    report.lines().map(line).collect()
}

/// A mailbox of so many messages, every third of them in KOI8-R.
fn mailbox(count: usize) -> Vec<u8> {
    let mut mailbox = Vec::new();
    for number in 0..count {
        mailbox.extend_from_slice(SEPARATOR);
        mailbox.extend_from_slice(format!("X-Number: {number}\n").as_bytes());
        if number % 3 == 0 {
            mailbox.extend(KOI8.iter().filter(|octet| **octet != b'\r'));
        } else {
            mailbox.extend_from_slice(PLAIN);
            mailbox.extend_from_slice("and more of it\n".repeat(number % 50).as_bytes());
        }
        mailbox.push(b'\n');
    }
    mailbox
}

#[test]
fn every_layout_becomes_the_same_in_utf_8() {
    let with_separator = [SEPARATOR, KOI8, b"\r\n"].concat();
    let mut compressed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    compressed.write_all(&with_separator).unwrap();
    let compressed = compressed.finish().unwrap();
    let zip = fs::read("corpus/archive/tree.zip").unwrap();
    let folder = tree(&[
        ("s/one.eml", KOI8),
        ("s/deep/box.mbox", &with_separator),
        ("s/other.mbox.gz", &compressed),
        ("s/md/cur/1:2,S", KOI8),
        ("s/md/new/2", PLAIN),
        ("s/md/tmp/3", KOI8),
        ("s/tree.zip", &zip),
        ("s/notes.txt", b"Nothing of mail.\n"),
    ]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let delivered = SystemTime::UNIX_EPOCH + Duration::from_secs(820_631_134);
    let file = fs::File::options()
        .write(true)
        .open(source.join("md/cur/1:2,S"));
    file.unwrap().set_modified(delivered).unwrap();
    let report = folder.path().join("report.jsonl");
    let before = files(&source);
    let output = convert(&source, &target, &["--report", text(&report)]);
    assert_eq!(files(&source), before);

    let found = files(&target);
    let octets = |name: &str| found[Path::new(name)].as_slice();
    let in_mbox = [SEPARATOR, KOI8_IN_UTF8.as_bytes(), b"\r\n"].concat();
    assert_eq!(octets("one.eml"), KOI8_IN_UTF8.as_bytes());
    assert_eq!(octets("deep/box.mbox"), in_mbox);
    assert_eq!(octets("other.mbox"), in_mbox);
    assert_eq!(octets("md/cur/1:2,S"), KOI8_IN_UTF8.as_bytes());
    assert_eq!(octets("md/new/2"), PLAIN);
    assert!(target.join("md/tmp").is_dir());
    let modified = fs::metadata(target.join("md/cur/1:2,S"))
        .unwrap()
        .modified();
    assert_eq!(modified.unwrap(), delivered);
    let names = names(&target);
    assert!(
        names.iter().any(|name| name.starts_with("tree/")),
        "{names:?}"
    );
    assert!(
        !names
            .iter()
            .any(|name| name.contains("notes") || name.contains("/tmp/"))
    );

    let said = complaints(&output);
    assert!(
        said.contains("  1 file that is no mail, and was left out\n"),
        "{said}"
    );
    assert!(said.contains("KOI8-R"), "{said}");
    verify(&source, &target, &[]);
    let proof = verify(&source, &target, &["--report", text(&report)]);
    assert!(complaints(&proof).starts_with("proved: "));
}

/// A zip file with these files in it.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, octets) in files {
        let how = zip::write::SimpleFileOptions::default();
        zip.start_file(*name, how).unwrap();
        zip.write_all(octets).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The destination of a zip file is the folder of what is in it, whether it is there or not.
#[test]
fn a_zip_file_by_itself_is_a_folder() {
    let good = zip(&[("a.eml", KOI8), ("deep/b.mbox", &mailbox(9))]);
    let folder = tree(&[("z.zip", &good), ("there/other.eml", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("empty")).unwrap();
    let source = path("z.zip");
    let mut found = Vec::new();
    for target in ["new", "deep/new", "empty"] {
        let target = path(target);
        let report = path("r.jsonl");
        convert(&source, &target, &["--report", text(&report)]);
        verify(&source, &target, &["--report", text(&report)]);
        verify(&source, &target, &[]);
        found.push(files(&target));
        fs::remove_file(&report).unwrap();
        // The same once more goes to the same places.
        let again = run(&["convert", text(&source), text(&target)]);
        assert_eq!(again.status.code(), Some(2));
        assert!(complaints(&again).contains("a.eml is there already"));
        let _ = fs::remove_file(target.join(".mime-charset-journal"));
        convert(&source, &target, &["--force"]);
        assert_eq!(found.last(), Some(&files(&target)));
    }
    let names: Vec<_> = found[0]
        .keys()
        .map(|name| name.display().to_string())
        .collect();
    assert_eq!(names, ["a.eml", "deep/b.mbox"]);
    assert_eq!(found[0][Path::new("a.eml")], KOI8_IN_UTF8.as_bytes());
    assert!(found.iter().all(|other| *other == found[0]));
    // What is missing and what is too much is named as for a folder.
    fs::rename(path("new/a.eml"), path("new/c.eml")).unwrap();
    let output = run(&["verify", text(&source), text(&path("new"))]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("a.eml is missing, made of a.eml in "),
        "{said}"
    );
    assert!(said.contains("c.eml is not of the source"), "{said}");
    // A file in its place is no folder.
    let output = run(&[
        "convert",
        text(&source),
        text(&path("there/other.eml")),
        "--force",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("expected a folder as destination"));
}

#[test]
fn a_zip_file_by_itself_is_taken_up_again() {
    let mailbox = mailbox(40);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&mailbox).unwrap();
    let gzip = gzip.finish().unwrap();
    let of = |last: &[u8]| zip(&[("a.eml", KOI8), ("z.mbox.gz", last)]);
    let folder = tree(&[("z.zip", &of(&gzip[..gzip.len() / 2]))]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("z.zip"), path("t"), path("r.jsonl"));
    let arguments = [
        "convert",
        text(&source),
        text(&target),
        "--report",
        text(&report),
    ];
    assert_eq!(run(&arguments).status.code(), Some(2));
    fs::write(&source, of(&gzip)).unwrap();
    let output = run(&[&arguments[..], &["--resume"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
    assert_eq!(names(&target), ["a.eml", "z.mbox"]);
    verify(&source, &target, &["--report", text(&report)]);
}

/// The places and sums of the report are those of the files, which is looked up here.
#[test]
fn the_report_says_where_what_was_and_is() {
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
    assert_eq!(last["message_id"], "<1@example.org>");
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

    // The sums are held to those of coreutils, where there are coreutils.
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
fn a_dry_run_writes_the_report_alone() {
    let folder = tree(&[("s/a.mbox", &mailbox(9)), ("s/b.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let report = folder.path().join("r.jsonl");
    let before = files(folder.path());
    // The second replaces what the first has left.
    for _ in 0..2 {
        let output = convert(&source, &target, &["--dry-run", "--report", text(&report)]);
        assert!(!target.exists());
        let said = complaints(&output);
        assert!(said.starts_with("dry run, nothing is written: "), "{said}");
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
        "mime-charset: expected the report of a conversion, found that of a dry run, which wrote \
         nothing: {}\n",
        report.display()
    );
    assert_eq!(complaints(&output), expected);
    assert!(output.stdout.is_empty());

    // Nothing says that something was done.
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
    // The report of a conversion stays.
    let whole = fs::read(&report).unwrap();
    for how in [&["--dry-run"][..], &[]] {
        let arguments = [
            "convert",
            text(&source),
            text(&target),
            "--report",
            text(&report),
        ];
        let output = run(&[&arguments[..], how].concat());
        assert_eq!(output.status.code(), Some(2), "{how:?}");
        assert_eq!(fs::read(&report).unwrap(), whole, "{how:?}");
    }
    assert_eq!(files(&source).len(), before.len());
}

#[test]
fn reports_keep_to_their_schema() {
    let schema: Value =
        serde_json::from_str(&fs::read_to_string("schema/report.schema.json").unwrap()).unwrap();
    let folder = tree(&[
        ("s/bad.mbox.gz", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"),
        ("s/good.eml", PLAIN),
    ]);
    let target = |name: &str| folder.path().join(name);
    let mut records = BTreeMap::<String, usize>::new();
    let bad = target("s");
    for (number, source) in ["corpus/archive", "corpus/mail", text(&bad)]
        .iter()
        .enumerate()
    {
        for (index, options) in [
            &["--headers=utf8", "--attachments"][..],
            &[
                "--on-malformed=replace",
                "--fix-declarations",
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

    // The judge is no rubber stamp.
    let mut wrong = lines(&target("1-0.jsonl"));
    wrong[1]["result"]["length"] = "12".into();
    assert!(schema_allows(&schema, &schema, &wrong[1]).is_err());
    wrong[0]["more"] = 1.into();
    assert!(schema_allows(&schema, &schema, &wrong[0]).is_err());
    wrong[2].as_object_mut().unwrap().remove("findings");
    assert!(schema_allows(&schema, &schema, &wrong[2]).is_err());
}

/// JSON Schema (draft 2020-12) as far as the report's uses it; another keyword is a panic.
fn schema_allows(root: &Value, schema: &Value, value: &Value) -> Result<(), String> {
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("type {other}"),
    };
    let object = schema.as_object().unwrap();
    let length = value.as_str().map(|text| text.chars().count() as u64);
    for (keyword, rule) in object {
        let holds = match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let path = rule.as_str().unwrap().strip_prefix('#').unwrap();
                schema_allows(root, root.pointer(path).unwrap(), value)?;
                true
            }
            "oneOf" => {
                let rules = rule.as_array().unwrap().iter();
                rules
                    .filter(|rule| schema_allows(root, rule, value).is_ok())
                    .count()
                    == 1
            }
            "type" => match rule {
                Value::String(name) => is(name),
                names => names
                    .as_array()
                    .unwrap()
                    .iter()
                    .any(|name| is(name.as_str().unwrap())),
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value
                .as_u64()
                .is_none_or(|number| number >= rule.as_u64().unwrap()),
            "maximum" => value
                .as_u64()
                .is_none_or(|number| number <= rule.as_u64().unwrap()),
            "minLength" => length.is_none_or(|length| length >= rule.as_u64().unwrap()),
            "maxLength" => length.is_none_or(|length| length <= rule.as_u64().unwrap()),
            "required" => value.as_object().is_none_or(|value| {
                let mut keys = rule.as_array().unwrap().iter();
                keys.all(|key| value.contains_key(key.as_str().unwrap()))
            }),
            "properties" => {
                for (key, rule) in rule.as_object().unwrap() {
                    if let Some(value) = value.get(key) {
                        schema_allows(root, rule, value)?;
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = object.get("properties").and_then(Value::as_object);
                for (key, value) in value.as_object().into_iter().flatten() {
                    if known.is_some_and(|known| known.contains_key(key)) {
                        continue;
                    }
                    if rule == &Value::Bool(false) {
                        return Err(format!("{key} is not in the schema"));
                    }
                    schema_allows(root, rule, value)?;
                }
                true
            }
            "items" => {
                for value in value.as_array().into_iter().flatten() {
                    schema_allows(root, rule, value)?;
                }
                true
            }
            other => panic!("keyword {other}"),
        };
        if !holds {
            return Err(format!("{keyword} {rule}"));
        }
    }
    Ok(())
}

/// What a conversion says it has changed is what its proof finds changed.
#[test]
fn convert_and_verify_count_alike() {
    let two_words = b"Subject: =?koi8-r?Q?=F0?= and =?latin1?Q?=E9?=\n\n";
    let ascii = b"Content-Type: text/plain; charset=koi8-r\n\nText\n";
    let folder = tree(&[
        ("s/a.eml", two_words),
        ("s/b.eml", ascii),
        ("s/c.eml", KOI8),
        ("s/d.eml", PLAIN),
    ]);
    let path = |name: &str| folder.path().join(name);
    let mut said = Vec::new();
    for (number, source) in [path("s"), PathBuf::from("corpus/mail")].iter().enumerate() {
        let target = path(&number.to_string());
        let report = path("r.jsonl");
        let sentence = complaints(&convert(source, &target, &["--report", text(&report)]));
        let between = |text: &str, before: &str, after: &str| {
            let (_, text) = text.split_once(before).unwrap();
            text.split_once(after).unwrap().0.to_owned()
        };
        let told = between(&sentence, "changed: ", " labelled anew");
        let number = |text: &str| text.split(' ').next().unwrap().parse::<u64>().unwrap();
        let (fields, parts) = told.split_once(" and ").unwrap();
        let (parts, labels) = parts.split_once(", and ").unwrap();
        let counts = [fields, parts, labels].map(number);
        for options in [&[][..], &["--report", text(&report)]] {
            let proof = complaints(&verify(source, &target, options));
            let told = between(&proof, "the same; ", " labelled anew");
            let (fields, parts) = told.split_once(" and ").unwrap();
            let (parts, labels) = parts.split_once(" were changed, ").unwrap();
            assert_eq!(
                [fields, parts, labels].map(number),
                counts,
                "{proof}{sentence}"
            );
        }
        let summary = lines(&report).pop().unwrap()["summary"].clone();
        for (key, count) in ["changed_fields", "changed_parts", "relabelled_parts"]
            .iter()
            .zip(counts)
        {
            assert_eq!(summary[key], count, "{key}");
        }
        said.push(counts);
        fs::remove_file(&report).unwrap();
    }
    // Two words in one Subject, a Content-Type, and a Subject with a Content-Type; the body of the
    // last, and the label of the one before.
    assert_eq!(said[0], [4, 1, 1]);
}

#[test]
fn headers_are_words_or_raw_utf_8() {
    assert_eq!(converted(KOI8, &[]), KOI8_IN_UTF8.as_bytes());
    let raw = KOI8_IN_UTF8.replace("=?UTF-8?B?0J/RgNC40LLQtdGC?=", "Привет");
    assert_eq!(converted(KOI8, &["--headers=utf8"]), raw.as_bytes());
}

#[test]
fn attachments_are_converted_if_asked_for() {
    let attachment = b"Content-Type: text/plain; charset=koi8-r\n\
        Content-Disposition: attachment\n\n\xF0\n";
    assert_eq!(converted(attachment, &[]), attachment);
    let result = converted(attachment, &["--attachments"]);
    assert!(
        result.ends_with("\n\nП\n".as_bytes()),
        "{}",
        String::from_utf8_lossy(&result)
    );
}

#[test]
fn declarations_are_fixed_if_asked_for() {
    let page = b"Content-Type: text/html; charset=koi8-r\n\n<meta charset=koi8-r>\xF0\n";
    let kept = converted(page, &[]);
    assert!(kept.ends_with("<meta charset=koi8-r>П\n".as_bytes()));
    let fixed = converted(page, &["--fix-declarations"]);
    assert!(fixed.ends_with("<meta charset=UTF-8>П\n".as_bytes()));
}

#[test]
fn guesses_are_converted_if_asked_for() {
    let unlabelled = b"Subject: x\n\ncaf\xE9 au lait\n";
    assert_eq!(converted(unlabelled, &[]), unlabelled);
    let guessed = converted(unlabelled, &["--guessed=1"]);
    assert!(guessed.ends_with("café au lait\n".as_bytes()));
    assert_eq!(
        run(&["convert", "a", "b", "--guessed=101"]).status.code(),
        Some(2)
    );
}

#[test]
fn what_is_malformed_stays_is_replaced_or_stops_the_run() {
    let malformed = b"Content-Type: text/plain; charset=euc-kr\n\n\xC7\xD1 \xFF\n";
    assert_eq!(converted(malformed, &[]), malformed);
    assert_eq!(converted(malformed, &["--on-malformed=keep"]), malformed);
    let replaced = converted(malformed, &["--on-malformed=replace"]);
    assert!(replaced.ends_with("\n\n한 \u{FFFD}\n".as_bytes()));

    let folder = tree(&[("s/a.eml", KOI8), ("s/b.eml", malformed), ("s/c.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let report = folder.path().join("report.jsonl");
    let output = run(&[
        "convert",
        text(&source),
        text(&target),
        "--on-malformed=fail",
        "--report",
        text(&report),
    ]);
    assert_eq!(output.status.code(), Some(1));
    let said = complaints(&output);
    let expected = format!(
        "mime-charset: {}: expected text that can be decoded without loss, found malformed: ",
        source.join("b.eml").display()
    );
    assert!(said.starts_with(&expected), "{said}");
    assert!(!target.join("b.eml").exists() && !target.join("c.eml").exists());
    let lines = lines(&report);
    let event = lines.last().unwrap();
    assert_eq!(event["eventOutcomeInformation"]["eventOutcome"], "fail");
    assert_eq!(lines[lines.len() - 2]["outcome"], "failed");
}

#[test]
fn the_order_is_the_source_s_for_any_number_of_workers() {
    let many: Vec<(String, Vec<u8>)> = (0..40)
        .map(|number| (format!("s/{number}.mbox"), mailbox(number)))
        .collect();
    let mut listed: Vec<(&str, &[u8])> = many
        .iter()
        .map(|(name, octets)| (name.as_str(), octets.as_slice()))
        .collect();
    let large = mailbox(3000);
    listed.push(("s/large.mbox", &large));
    let folder = tree(&listed);
    let source = folder.path().join("s");
    let mut first = None;
    for workers in ["1", "2", "7"] {
        let target = folder.path().join("t");
        let report = folder.path().join("report.jsonl");
        convert(
            &source,
            &target,
            &["-j", workers, "--report", text(&report)],
        );
        let mut lines = lines(&report);
        lines.pop();
        let found = (files(&target), lines);
        assert_eq!(
            *first.get_or_insert_with(|| found.clone()),
            found,
            "{workers}"
        );
        fs::remove_dir_all(target).unwrap();
        fs::remove_file(report).unwrap();
    }
    let (_, report) = first.unwrap();
    let large: Vec<_> = report
        .iter()
        .filter(|line| {
            line["source"]["path"]
                .as_str()
                .is_some_and(|path| path.contains("large"))
        })
        .map(|line| line["source"]["index"].as_u64().unwrap())
        .collect();
    assert_eq!(large, (0..3000).collect::<Vec<_>>());
    assert_eq!(
        run(&["convert", "a", "b", "-j", "0"]).status.code(),
        Some(2)
    );
}

#[test]
fn quiet_says_nothing() {
    let folder = tree(&[("a.eml", KOI8)]);
    let (source, target) = (folder.path().join("a.eml"), folder.path().join("b.eml"));
    assert!(convert(&source, &target, &["--quiet"]).stderr.is_empty());
    assert!(verify(&source, &target, &["--quiet"]).stderr.is_empty());
}

#[test]
fn what_exists_stays_but_for_force() {
    let folder = tree(&[("a.eml", KOI8), ("b.eml", b"old"), ("r.jsonl", b"old")]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("a.eml"), path("b.eml"), path("r.jsonl"));
    let output = run(&["convert", text(&source), text(&target)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("b.eml is there already"));
    assert_eq!(fs::read(&target).unwrap(), b"old");
    let output = run(&[
        "convert",
        text(&source),
        text(&path("c.eml")),
        "--report",
        text(&report),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("r.jsonl is there already"));
    assert!(!path("c.eml").exists());
    let nowhere = path("no/such/folder/r.jsonl");
    let output = run(&[
        "convert",
        text(&source),
        text(&path("c.eml")),
        "--report",
        text(&nowhere),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).starts_with("mime-charset: cannot write "));
    convert(&source, &target, &["--force", "--report", text(&report)]);
    assert_eq!(fs::read(&target).unwrap(), KOI8_IN_UTF8.as_bytes());
    assert_eq!(names(folder.path()), ["a.eml", "b.eml", "r.jsonl"]);
}

/// Of the file that the lines of a report are in while a run goes on.
#[cfg(unix)]
#[test]
fn what_has_the_name_of_an_unfinished_report_stays() {
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
            let expected = format!("{name}.part is there already");
            assert!(complaints(&output).contains(&expected), "{name} {how:?}");
            assert_eq!(files(folder.path()), before, "{name} {how:?}");
        }
        // A dry run needs no such file.
        let dry = run(&[&arguments[..], &[text(&report), "--dry-run"]].concat());
        assert_eq!(dry.status.code(), Some(0), "{}", complaints(&dry));
        fs::remove_file(&report).unwrap();
        assert_eq!(files(folder.path()), before, "{name}");
    }
    // What a link leads to stays even if the link is replaced.
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

/// Nothing is begun where the report, or its lines while it is not finished, would be the
/// destination, a folder that it is in, the source, or one of the files of a run.
#[test]
fn a_report_in_the_place_of_something_else_is_refused() {
    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("o.jsonl.part", KOI8),
        ("old/b.eml", PLAIN),
    ]);
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("t")).unwrap();
    let before = files(folder.path());
    let elsewhere = "expected another place for the report than the destination";
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
            "a report outside of the source",
        ),
        (
            "s",
            "t",
            "t/.mime-charset-journal",
            "another name for the report",
        ),
        (
            "s/a.eml",
            "o.eml",
            ".mime-charset-o.eml.journal",
            "another name for the report",
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
    // Beside what is written it may be.
    let report = path("t/report.jsonl");
    convert(&path("s"), &path("t"), &["--report", text(&report)]);
    verify(&path("s"), &path("t"), &["--report", text(&report)]);
}

#[test]
fn a_dry_run_leaves_an_interrupted_one_alone() {
    let unfinished = Unfinished::new();
    unfinished.put_back();
    let left = files(unfinished.folder.path());
    let dry = unfinished.path("dry.jsonl");
    let (source, target) = (unfinished.path("s"), unfinished.path("t"));
    fs::remove_file(unfinished.path("r.jsonl")).unwrap();
    // Under the very name of the other's report.
    let output = unfinished.run(&["--dry-run"]);
    assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
    fs::rename(unfinished.path("r.jsonl"), &dry).unwrap();
    let mut found = files(unfinished.folder.path());
    found.remove(Path::new("dry.jsonl"));
    found.insert("r.jsonl".into(), left[Path::new("r.jsonl")].clone());
    assert_eq!(found, left);
    fs::write(unfinished.path("r.jsonl"), &left[Path::new("r.jsonl")]).unwrap();
    assert_eq!(unfinished.run(&["--resume"]).status.code(), Some(0));
    assert_eq!(unfinished.found(), unfinished.whole);
    let report = unfinished.path("r.jsonl");
    verify(&source, &target, &["--report", text(&report)]);
    // The report of a dry run is in nobody's way.
    for has_lines in [true, false] {
        unfinished.put_back();
        if !has_lines {
            fs::remove_file(unfinished.path("r.jsonl.part")).unwrap();
        }
        fs::copy(&dry, &report).unwrap();
        let output = unfinished.run(&["--resume"]);
        assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
        assert_eq!(unfinished.found(), unfinished.whole);
    }
}

/// A run that goes on replaces the report that it has left, and no other of that name.
#[test]
fn a_run_that_goes_on_replaces_its_own_report_alone() {
    let unfinished = Unfinished::new();
    unfinished.put_back();
    let report = unfinished.path("r.jsonl");
    fs::write(&report, "of somebody else").unwrap();
    let before = files(unfinished.folder.path());
    let output = unfinished.run(&["--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("r.jsonl is there already"));
    assert_eq!(files(unfinished.folder.path()), before);
    fs::remove_file(&report).unwrap();
    assert_eq!(unfinished.run(&["--resume"]).status.code(), Some(0));
    assert_eq!(unfinished.found(), unfinished.whole);
}

#[cfg(unix)]
#[test]
fn the_source_is_never_written_to() {
    let folder = tree(&[("s/a.eml", KOI8), ("other/x", b"")]);
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink(path("s"), path("link")).unwrap();
    let before = files(folder.path());
    for (source, target) in [
        ("s", "s"),
        ("s", "s/below"),
        ("s", "link"),
        ("s", "link/below"),
        ("s", "other/../s"),
        ("link", "s/x"),
        ("s/a.eml", "s/a.eml"),
        ("s/a.eml", "link/a.eml"),
    ] {
        let output = run(&[
            "convert",
            text(&path(source)),
            text(&path(target)),
            "--force",
        ]);
        assert_eq!(output.status.code(), Some(2), "{source} {target}");
        assert!(
            complaints(&output).starts_with("mime-charset: expected "),
            "{source} {target}"
        );
        let dry = run(&[
            "convert",
            text(&path(source)),
            text(&path(target)),
            "--dry-run",
        ]);
        assert_eq!(dry.status.code(), Some(2), "{source} {target}");
        assert_eq!(files(folder.path()), before);
    }
    for report in ["s/report.jsonl", "link/report.jsonl", "s/a.eml"] {
        let report = path(report);
        let target = path("t");
        let output = run(&[
            "convert",
            text(&path("s")),
            text(&target),
            "--force",
            "--report",
            text(&report),
        ]);
        assert_eq!(output.status.code(), Some(2));
        assert!(complaints(&output).contains("expected a report outside of the source"));
        assert_eq!(files(folder.path()), before);
    }
    // Neither pipes nor devices are replaced by files.
    let output = run(&["convert", text(&path("s/a.eml")), "/dev/null", "--force"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("expected a file or a folder as destination"));
}

/// What is no file, cannot be read, is cut short or a bomb is one sentence; the rest is
/// converted, and nothing is there of what is not whole.
#[cfg(unix)]
#[test]
fn each_bad_source_is_one_sentence_and_the_rest_goes_on() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(&mailbox(50)).unwrap();
    let gzip = gzip.finish().unwrap();
    let mut bomb = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let how = zip::write::SimpleFileOptions::default();
    bomb.start_file("bomb.mbox", how).unwrap();
    bomb.write_all(&vec![b'\n'; 32 << 20]).unwrap();
    let bomb = bomb.finish().unwrap().into_inner();
    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("s/bomb.zip", &bomb),
        ("s/cut.mbox.gz", &gzip[..gzip.len() / 2]),
        ("s/unreadable.eml", PLAIN),
        ("s/z.eml", KOI8),
    ]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    symlink("loop", source.join("loop")).unwrap();
    symlink(&source, source.join("again")).unwrap();
    let fifo = Command::new("mkfifo").arg(source.join("fifo")).status();
    assert!(fifo.unwrap().success());
    let unreadable = source.join("unreadable.eml");
    fs::set_permissions(&unreadable, fs::Permissions::from_mode(0o000)).unwrap();
    // Nothing is unreadable for root.
    let is_root = fs::read(&unreadable).is_ok();
    let mut expected = vec![
        ("again", "is a link to a folder, which is not followed"),
        (
            "bomb.zip",
            "it expands to 33554432 octets, more than 16777216",
        ),
        ("cut.mbox.gz", "its compressed data end too early"),
        ("fifo", "expected a file, found a pipe"),
        ("loop", "Too many levels of symbolic links"),
    ];
    let mut there = vec!["a.eml", "unreadable.eml", "z.eml"];
    if !is_root {
        expected.push(("unreadable.eml", "Permission denied"));
        there.remove(1);
    }
    // sysfs says 4096 octets of files that have fewer.
    let sysfs = Path::new("/sys/kernel/mm/transparent_hugepage/enabled");
    if fs::metadata(sysfs).is_ok_and(|file| file.len() > fs::read(sysfs).unwrap().len() as u64) {
        symlink(sysfs, source.join("shrinks.eml")).unwrap();
        expected.insert(5, ("shrinks.eml", "it became shorter while it was read"));
    }
    let report = folder.path().join("report.jsonl");
    let arguments = [
        "convert",
        text(&source),
        text(&target),
        "--report",
        text(&report),
    ];
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    let sentences: Vec<_> = said
        .lines()
        .filter(|line| line.starts_with("mime-charset: "))
        .collect();
    // The last one says that --resume goes on.
    assert_eq!(sentences.len(), expected.len() + 1, "{said}");
    for ((name, what), sentence) in expected.iter().zip(&sentences) {
        assert!(
            sentence.contains(name) && sentence.contains(what),
            "{name}: {said}"
        );
    }
    let mut found = names(&target);
    found.retain(|name| name != ".mime-charset-journal");
    assert_eq!(found, there);
    let failed = lines(&report)
        .iter()
        .filter(|line| line["outcome"] == "failed")
        .count();
    assert_eq!(failed, expected.len());

    // Once the causes are gone, the run goes on.
    fs::set_permissions(&unreadable, fs::Permissions::from_mode(0o600)).unwrap();
    for name in ["again", "bomb.zip", "fifo", "loop", "shrinks.eml"] {
        let _ = fs::remove_file(source.join(name));
    }
    fs::write(source.join("cut.mbox.gz"), &gzip).unwrap();
    let output = run(&[&arguments[..], &["--resume"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
    assert_eq!(
        names(&target),
        ["a.eml", "cut.mbox", "unreadable.eml", "z.eml"]
    );
    verify(&source, &target, &["--report", text(&report)]);
    let paths: Vec<_> = lines(&report)
        .iter()
        .filter_map(|line| line["source"]["path"].as_str().map(str::to_owned))
        .collect();
    assert_eq!(paths.len(), 53);
    assert!(paths.is_sorted());
}

/// The command with files of at most so many blocks, and with the signal for more ignored or
/// not.
#[cfg(unix)]
fn limited(blocks: usize, ignore: bool, arguments: &[&str]) -> Output {
    let trap = if ignore { "trap '' XFSZ; " } else { "" };
    let script = format!("ulimit -c 0; {trap}ulimit -f {blocks}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", BINARY]).args(arguments);
    command.output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_one_sentence_and_breaks_nothing() {
    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("s/b.mbox", &mailbox(400)),
        ("s/c.eml", KOI8),
    ]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let arguments = ["convert", text(&source), text(&target)];
    let output = limited(16, true, &arguments);
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    assert!(said.starts_with("mime-charset: cannot write "), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(names(&target), [".mime-charset-journal", "a.eml"]);
    assert_eq!(
        fs::read(target.join("a.eml")).unwrap(),
        KOI8_IN_UTF8.as_bytes()
    );
    convert(&source, &target, &["--resume"]);
    assert_eq!(names(&target), ["a.eml", "b.mbox", "c.eml"]);
    verify(&source, &target, &[]);
}

/// Killed where a file grows beyond a limit, which is anywhere: at a result, at the report, at
/// the journal.
#[cfg(unix)]
#[test]
fn killed_anywhere_a_run_goes_on_to_the_same_result() {
    let boxes: Vec<_> = (0..12).map(|number| mailbox(number * number)).collect();
    let named: Vec<_> = (0..12)
        .map(|number| format!("s/{:02}.mbox", (number * 7) % 12))
        .collect();
    let mut listed: Vec<(&str, &[u8])> = named
        .iter()
        .zip(&boxes)
        .map(|(name, octets)| (name.as_str(), octets.as_slice()))
        .collect();
    listed.push(("s/md/cur/1:2,S", KOI8));
    listed.push(("s/md/new/2", PLAIN));
    let folder = tree(&listed);
    let source = folder.path().join("s");
    let report = folder.path().join("r.jsonl");
    let whole = |target: &Path| {
        let mut lines = lines(&report);
        let event = lines.pop().unwrap();
        (files(target), lines, event["summary"].clone())
    };
    let target = folder.path().join("t");
    let arguments = [
        "convert",
        text(&source),
        text(&target),
        "--report",
        text(&report),
        "-j2",
    ];
    let clear = || {
        let _ = fs::remove_dir_all(&target);
        let _ = fs::remove_file(&report);
        let _ = fs::remove_file(folder.path().join("r.jsonl.part"));
    };
    assert_eq!(run(&arguments).status.code(), Some(0));
    let expected = whole(&target);
    let (mut killed, mut done) = (0, Vec::new());
    for blocks in [
        0, 1, 2, 3, 4, 6, 8, 10, 14, 18, 24, 32, 48, 64, 96, 128, 192, 256,
    ] {
        clear();
        let output = limited(blocks, false, &arguments);
        if output.status.code() == Some(0) {
            continue;
        }
        assert_eq!(output.status.code(), None, "{}", complaints(&output));
        assert!(!report.exists());
        killed += 1;
        let there = files(&target);
        let hidden = |name: &Path| name.to_string_lossy().contains(".mime-charset-");
        for (name, octets) in there.iter().filter(|(name, _)| !hidden(name)) {
            assert_eq!(octets, &expected.0[name], "{}", name.display());
        }
        done.push(there.keys().filter(|name| !hidden(name)).count());
        // Killed again, a little later, and then left to end.
        limited(
            blocks + blocks / 4 + 1,
            false,
            &[&arguments[..], &["--resume"]].concat(),
        );
        if target.join(".mime-charset-journal").exists() || !report.exists() {
            let output = run(&[&arguments[..], &["--resume"]].concat());
            assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
        }
        assert_eq!(whole(&target), expected, "{blocks}");
        assert!(!folder.path().join("r.jsonl.part").exists());
    }
    done.dedup();
    assert!(killed >= 6 && done.len() >= 3, "{killed} {done:?}");
}

/// Killed when so many results are there, whatever it is at then.
#[test]
fn killed_at_any_time_a_run_goes_on_to_the_same_result() {
    let many: Vec<_> = (0..60)
        .map(|number| format!("s/md/cur/{number}:2,S"))
        .collect();
    let listed: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), KOI8)).collect();
    let folder = tree(&listed);
    fs::create_dir_all(folder.path().join("s/md/new")).unwrap();
    let source = folder.path().join("s");
    for stop in [0, 5, 40] {
        let target = folder.path().join(format!("t{stop}"));
        let mut child = Command::new(BINARY)
            .args(["convert", text(&source), text(&target), "--quiet"])
            .spawn()
            .unwrap();
        let whole = || {
            let names = names(&target);
            names
                .iter()
                .filter(|name| !name.contains(".mime-charset-"))
                .count()
        };
        while whole() < stop && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if whole() < 60 {
            convert(&source, &target, &["--resume"]);
        }
        let found = files(&target);
        assert_eq!(
            found.len() - usize::from(target.join(".mime-charset-journal").exists()),
            60
        );
        assert!(
            found
                .iter()
                .filter(|(name, _)| name.starts_with("md"))
                .all(|(_, octets)| octets == KOI8_IN_UTF8.as_bytes())
        );
    }
}

/// A run that did not finish, and what it has left: results, report, journal.
struct Unfinished {
    folder: TempDir,
    left: BTreeMap<PathBuf, Vec<u8>>,
    /// What an uninterrupted run makes of the same source.
    whole: (BTreeMap<PathBuf, Vec<u8>>, Vec<String>),
}

impl Unfinished {
    fn new() -> Self {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(KOI8).unwrap();
        let gzip = gzip.finish().unwrap();
        let boxed = mailbox(13);
        let folder = tree(&[
            ("s/a.mbox", &boxed),
            ("s/b.eml", KOI8),
            ("s/c.mbox", &boxed[..boxed.len() / 2]),
            ("s/z.eml.gz", &gzip[..gzip.len() / 2]),
        ]);
        let mut unfinished = Unfinished {
            folder,
            left: BTreeMap::new(),
            whole: <_>::default(),
        };
        assert_eq!(unfinished.run(&[]).status.code(), Some(2));
        unfinished.left = files(&unfinished.path(""));
        unfinished.left.retain(|name, _| !name.starts_with("s"));
        fs::write(unfinished.path("s/z.eml.gz"), &gzip).unwrap();
        unfinished.clear();
        assert_eq!(unfinished.run(&[]).status.code(), Some(0));
        unfinished.whole = unfinished.found();
        unfinished
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, more: &[&str]) -> Output {
        let (source, target) = (self.path("s"), self.path("t"));
        let report = self.path("r.jsonl");
        let arguments = [
            "convert",
            text(&source),
            text(&target),
            "--report",
            text(&report),
        ];
        run(&[&arguments[..], more].concat())
    }

    fn clear(&self) {
        let _ = fs::remove_dir_all(self.path("t"));
        let _ = fs::remove_file(self.path("r.jsonl"));
        let _ = fs::remove_file(self.path("r.jsonl.part"));
    }

    /// The results, and the lines of the report, with the summary for the last.
    fn found(&self) -> (BTreeMap<PathBuf, Vec<u8>>, Vec<String>) {
        let report = fs::read_to_string(self.path("r.jsonl")).unwrap();
        let mut lines: Vec<_> = report.lines().map(str::to_owned).collect();
        let event: Value = serde_json::from_str(&lines.pop().unwrap()).unwrap();
        lines.push(event["summary"].to_string());
        (files(&self.path("t")), lines)
    }

    fn put_back(&self) {
        self.clear();
        for (name, octets) in &self.left {
            let path = self.folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, octets).unwrap();
        }
    }

    /// Goes on with what is left when `name` is only this.
    #[track_caller]
    fn goes_on_to_the_whole(&self, name: &str, octets: &[u8], what: &str) {
        self.put_back();
        fs::write(self.path(name), octets).unwrap();
        let output = self.run(&["--resume"]);
        assert_eq!(
            output.status.code(),
            Some(0),
            "{what}: {}",
            complaints(&output)
        );
        assert_eq!(self.found(), self.whole, "{what}");
        assert!(!self.path("r.jsonl.part").exists(), "{what}");
    }

    /// With the octets of a file from `cut` on taken away, or zeros, or as many zeros as `hole`.
    fn survives(&self, name: &str, octets: &[u8], cut: usize, hole: usize) {
        self.goes_on_to_the_whole(name, &octets[..cut], &format!("cut at {cut}"));
        let mut zeros = octets.to_vec();
        zeros[cut..].fill(0);
        self.goes_on_to_the_whole(name, &zeros, &format!("zeros from {cut}"));
        let mut holed = octets.to_vec();
        holed[cut..(cut + hole).min(octets.len())].fill(0);
        self.goes_on_to_the_whole(name, &holed, &format!("zeros at {cut}"));
    }
}

/// A power cut takes what was written last, or leaves zeros where it was to be.
#[test]
fn a_report_that_lost_its_end_becomes_what_it_would_have_been() {
    let unfinished = Unfinished::new();
    let part = unfinished.left[Path::new("r.jsonl.part")].clone();
    let end = part.len();
    let near = [0, 1, 2, 60, 100, 154, 155, 156, 200, 400].map(|less| end - less);
    for cut in near.into_iter().chain((0..end).step_by(end / 23)) {
        unfinished.survives("r.jsonl.part", &part, cut, 512);
    }
}

/// The results are brought to disk file by file, the journal is not: its end may be lost when
/// they are there.
#[test]
fn a_journal_that_lost_its_end_is_no_hindrance() {
    let unfinished = Unfinished::new();
    let name = "t/.mime-charset-journal";
    let journal = unfinished.left[Path::new(name)].clone();
    let first = memchr::memchr(b'\n', &journal).unwrap() + 1;
    let end = journal.len();
    for cut in (first..end).step_by(end / 29).chain([end - 1, end]) {
        unfinished.survives(name, &journal, cut, 64);
    }
}

/// Of what is there without the journal's knowing, only what the run would have written is taken
/// for its own.
#[test]
fn a_run_that_goes_on_leaves_what_others_have_written() {
    let unfinished = Unfinished::new();
    let journal = "t/.mime-charset-journal";
    unfinished.put_back();
    let whole = fs::read(unfinished.path(journal)).unwrap();
    let first = memchr::memchr(b'\n', &whole).unwrap() + 1;
    fs::write(unfinished.path(journal), &whole[..first]).unwrap();
    let own = unfinished.path("t/b.eml");
    let mut other = fs::read(&own).unwrap();
    other[20] ^= 1;
    fs::write(&own, &other).unwrap();
    let output = unfinished.run(&["--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("b.eml is there already"));
    assert_eq!(fs::read(&own).unwrap(), other);
    let failed: Vec<_> = lines(&unfinished.path("r.jsonl"))
        .into_iter()
        .filter(|line| line["outcome"] == "failed")
        .collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    // Once it is out of the way the run goes on.
    fs::remove_file(&own).unwrap();
    assert_eq!(unfinished.run(&["--resume"]).status.code(), Some(0));
    assert_eq!(unfinished.found(), unfinished.whole);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_half_file() {
    // More than can be done between the beginning of its result and the signal.
    let long = mailbox(2000).repeat(40);
    let short = mailbox(20);
    let folder = tree(&[("s/a.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    for signal in ["-INT", "-TERM"] {
        fs::write(source.join("b.mbox"), &long).unwrap();
        let mut child = Command::new(BINARY)
            .args(["convert", text(&source), text(&target)])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let is_done = || target.join("a.eml").exists();
        let is_begun = || is_done() && names(&target).iter().any(|name| name.contains(".part"));
        while !is_begun() {
            assert_eq!(child.try_wait().unwrap(), None, "{signal}");
            std::thread::sleep(Duration::from_millis(1));
        }
        let id = child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{signal}");
        assert_eq!(
            complaints(&output),
            "mime-charset: interrupted; --resume goes on\n"
        );
        assert_eq!(names(&target), [".mime-charset-journal", "a.eml"]);
        // What was not done is read anew.
        fs::write(source.join("b.mbox"), &short).unwrap();
        convert(&source, &target, &["--resume"]);
        assert_eq!(names(&target), ["a.eml", "b.mbox"]);
        verify(&source, &target, &[]);
        fs::remove_dir_all(&target).unwrap();
    }
}

#[test]
fn a_run_is_taken_up_with_its_own_settings_only() {
    let folder = tree(&[
        ("s/a.eml", KOI8),
        (
            "s/b.eml",
            b"Content-Type: text/plain; charset=euc-kr\n\n\xFF",
        ),
    ]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let arguments = [
        "convert",
        text(&source),
        text(&target),
        "--on-malformed=fail",
    ];
    assert_eq!(run(&arguments).status.code(), Some(1));
    let output = run(&arguments);
    assert!(complaints(&output).contains("expected no run that was interrupted"));
    let output = run(&[&arguments[..], &["--resume", "--attachments"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    let expected = format!(
        "mime-charset: expected the settings that the run was begun with (--attachments=false), found \
         others (--attachments=true): {}; --force begins anew with these\n",
        target.join(".mime-charset-journal").display()
    );
    assert_eq!(said, expected);
    let report = folder.path().join("r.jsonl");
    let output = run(&[&arguments[..], &["--resume", "--report", text(&report)]].concat());
    assert_eq!(output.status.code(), Some(2));
    let expected = format!("begun with, found others (--report={report:?}, SOURCE={source:?}, ");
    assert!(
        complaints(&output).contains(&expected),
        "{}",
        complaints(&output)
    );
    fs::write(source.join("b.eml"), PLAIN).unwrap();
    let output = run(&[&arguments[..], &["--resume"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
    assert!(complaints(&output).starts_with("1 of 2 messages in 2 files changed"));
    assert_eq!(names(&target), ["a.eml", "b.eml"]);
}

#[test]
fn a_run_that_is_whole_is_not_taken_up() {
    let folder = tree(&[("s/a.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let report = folder.path().join("r.jsonl");
    let arguments = [
        "convert",
        text(&source),
        text(&target),
        "--report",
        text(&report),
        "--resume",
    ];
    // Nothing is there, and nothing was begun.
    assert_eq!(run(&arguments).status.code(), Some(0));
    let before = files(folder.path());
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("expected a run that was interrupted, found none in "));
    assert_eq!(files(folder.path()), before);
}

#[test]
fn what_is_no_mail_is_not_converted_by_its_name() {
    let folder = tree(&[("notes.txt", b"Nothing of mail.\n")]);
    let target = folder.path().join("t.txt");
    let output = run(&[
        "convert",
        text(&folder.path().join("notes.txt")),
        text(&target),
    ]);
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    let expected = format!(
        "mime-charset: expected mail, found something else: {}\n\
         to be looked at by a person:\n  1 file that could not be converted, named above\n\
         mime-charset: nothing is converted\n",
        folder.path().join("notes.txt").display()
    );
    assert_eq!(said, expected);
    assert_eq!(names(folder.path()), ["notes.txt"]);
}

/// Every folder and file in a folder, and what is in the files.
fn everything(folder: &Path) -> (Vec<PathBuf>, BTreeMap<PathBuf, Vec<u8>>) {
    let mut found = vec![folder.to_path_buf()];
    let mut at = 0;
    while let Some(folder) = found.get(at).cloned() {
        let below = fs::read_dir(folder).into_iter().flatten();
        found.extend(below.map(|entry| entry.unwrap().path()));
        at += 1;
    }
    found.sort();
    (found, files(folder))
}

/// A run that was refused before it wrote anything leaves nothing, not even a folder, and what
/// it says of the way on is so.
#[test]
fn a_run_that_wrote_nothing_leaves_nothing() {
    let malformed = b"Content-Type: text/plain; charset=euc-kr\n\n\xC7\xD1 \xFF\n";
    let cut = b"\x1F\x8B\x08\0\0\0\0\0\0\x03";
    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("s/md/cur/1", KOI8),
        ("s/md/new/2", KOI8),
        ("cut/md/cur/1.gz", cut),
        ("cut/md/new/2.gz", cut),
        ("malformed/a.eml", malformed),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    fs::create_dir(path("deep")).unwrap();
    let other = path("deep/other.jsonl");
    let other = text(&other);
    let before = everything(folder.path());
    for (source, target, how, status, said) in [
        (
            "s",
            "t",
            &[][..],
            2,
            "nothing is converted; --force replaces what is there",
        ),
        (
            "s",
            "t",
            &["--report", other],
            2,
            "nothing is converted; --force replaces what is there",
        ),
        (
            "s/a.eml",
            "t",
            &["--report", other],
            2,
            "nothing is converted; --force replaces what is there",
        ),
        (
            "s/a.eml",
            "t/a.eml",
            &[],
            2,
            "nothing is converted; --force replaces what is there",
        ),
        (
            "cut",
            "deep/er/new",
            &["--report", other],
            2,
            "nothing is converted",
        ),
        (
            "cut",
            "t",
            &["--force", "--report", other],
            2,
            "nothing is converted",
        ),
        (
            "malformed",
            "new",
            &["--on-malformed=fail", "--report", other],
            1,
            "nothing is converted",
        ),
    ] {
        let (source, target) = (path(source), path(target));
        let output = run(&[&["convert", text(&source), text(&target)], how].concat());
        assert_eq!(output.status.code(), Some(status), "{source:?} {how:?}");
        let complaints = complaints(&output);
        assert!(
            complaints.ends_with(&format!("mime-charset: {said}\n")),
            "{complaints}"
        );
        assert_eq!(everything(folder.path()), before, "{source:?} {how:?}");
        // Nothing is said twice.
        let mut lines: Vec<_> = complaints.lines().collect();
        let count = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), count, "{complaints}");
    }
    verify(&source, &target, &["--report", text(&path("r.jsonl"))]);
}

/// Nor does one whose report cannot be written.
#[test]
fn a_run_without_its_report_leaves_nothing() {
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

/// Paths are told as they were named, whether the file is there or not.
#[test]
fn paths_are_told_as_they_were_named() {
    let folder = tree(&[
        ("old/1.eml", KOI8),
        ("old/2.mbox", &mailbox(2)),
        ("old/3.eml", KOI8),
    ]);
    let run = |arguments: &[&str]| {
        let mut command = Command::new(BINARY);
        command.current_dir(folder.path()).args(arguments);
        command.output().unwrap()
    };
    assert_eq!(
        run(&["convert", "old", "./new", "--report", "r.jsonl"])
            .status
            .code(),
        Some(0)
    );
    for line in lines(&folder.path().join("r.jsonl")) {
        if line["record"] == "message" {
            let path = |of: &str| line[of]["path"].as_str().unwrap().to_owned();
            assert!(path("source").starts_with("old/") && path("result").starts_with("./new/"));
        }
    }
    let again = complaints(&run(&["convert", "old", "./new"]));
    let expected = "cannot convert old/1.eml: ./new/1.eml is there already\n";
    assert!(again.contains(expected), "{again}");
    let path = |name: &str| folder.path().join(name);
    fs::remove_file(path("new/1.eml")).unwrap();
    fs::write(
        path("new/2.mbox"),
        &fs::read(path("new/2.mbox")).unwrap()[1..],
    )
    .unwrap();
    fs::rename(path("new/3.eml"), path("new/4.eml")).unwrap();
    for how in [&[][..], &["--report", "r.jsonl"]] {
        let output = run(&[&["verify", "old", "./new"], how].concat());
        let said = String::from_utf8(output.stdout).unwrap();
        // The F of From is gone.
        assert_eq!(
            said,
            "./new/1.eml is missing, made of old/1.eml\n\
             ./new/2.mbox, octet 0: expected 0x46, found 0x72\n\
             ./new/3.eml is missing, made of old/3.eml\n\
             ./new/4.eml is not of the source\n"
        );
    }
    // And where the destination is one file.
    assert_eq!(
        run(&["convert", "old/1.eml", "one.eml"]).status.code(),
        Some(0)
    );
    let again = complaints(&run(&["convert", "old/1.eml", "one.eml"]));
    assert!(again.contains(": one.eml is there already\n"), "{again}");
    fs::write(path("one.eml"), "").unwrap();
    let output = run(&["verify", "old/1.eml", "one.eml"]);
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(said, "one.eml, octet 0: expected 0x53, found the end\n");
    let said = complaints(&output);
    assert_eq!(said, "nothing is proved: 1 file is not as it has to be\n");
}

/// Standard input has no name to convert it under, and cannot be read twice.
#[test]
fn a_stream_is_neither_converted_nor_proved() {
    for (command, source, destination) in [
        ("convert", "-", "x"),
        ("convert", "Cargo.toml", "-"),
        ("verify", "-", "x"),
        ("verify", "Cargo.toml", "-"),
    ] {
        let output = run(&[command, source, destination]);
        assert_eq!(output.status.code(), Some(2));
        let said = complaints(&output);
        assert!(
            said.contains("save what a pipe brings to a file first"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1);
        assert!(!Path::new("-").exists() && !Path::new("x").exists());
    }
}

#[test]
fn what_is_no_mail_proves_nothing() {
    let folder = tree(&[
        ("notes.txt", b"Nothing of mail.\n"),
        ("empty/notes.txt", b"Nor here.\n"),
    ]);
    let path = |name: &str| folder.path().join(name);
    fs::write(path("t"), b"").unwrap();
    let (source, target) = (path("notes.txt"), path("t"));
    let output = run(&["verify", text(&source), text(&target)]);
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    let expected = "\nnothing is proved: 1 file could not be read\n";
    assert!(said.ends_with(expected), "{said}");
    let (source, target) = (path("empty"), path("none"));
    let said = complaints(&verify(&source, &target, &[]));
    assert_eq!(said, "nothing to prove: there are no messages\n");
}

/// What is there plain and compressed is two archives.
#[test]
fn a_second_source_of_one_result_is_told_what_to_do() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(KOI8).unwrap();
    let gzip = gzip.finish().unwrap();
    let folder = tree(&[("s/a.eml", KOI8), ("s/a.eml.gz", &gzip)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let output = run(&["convert", text(&source), text(&target)]);
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    let expected = format!(
        "cannot convert {}: expected one source for {}, found another; convert them separately, each \
         to a destination of its own\n",
        source.join("a.eml.gz").display(),
        target.join("a.eml").display()
    );
    assert!(said.contains(&expected), "{said}");
    // As it says.
    let other = folder.path().join("u.eml");
    convert(&source.join("a.eml.gz"), &other, &[]);
    verify(&source.join("a.eml.gz"), &other, &[]);
}

/// Of many files that could not be converted, the first are named, and all are counted.
#[test]
fn of_many_failures_the_first_are_named_once() {
    let many: Vec<_> = (10..33).map(|number| format!("s/{number}.eml")).collect();
    let listed: Vec<(&str, &[u8])> = many.iter().map(|name| (name.as_str(), KOI8)).collect();
    let folder = tree(&listed);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    convert(&source, &target, &[]);
    let output = run(&["convert", text(&source), text(&target)]);
    let said = complaints(&output);
    for number in 10..33 {
        let named = said.matches(&format!("s/{number}.eml: ")).count();
        assert_eq!(named, usize::from(number < 30), "{said}");
    }
    let counted = "  23 files that could not be converted, named above\n    and 3 more\n";
    assert!(said.contains(counted), "{said}");
}

#[test]
fn converting_twice_changes_nothing_more() {
    let folder = folder();
    for (number, source) in ["corpus/mail", "corpus/archive"].iter().enumerate() {
        for headers in ["--headers=words", "--headers=utf8"] {
            let path = |times| folder.path().join(format!("{number}{headers}{times}"));
            let (once, twice) = (path(1), path(2));
            // What is there in three compressions is one file and two complaints.
            run(&["convert", source, text(&once), headers]);
            let _ = fs::remove_file(once.join(".mime-charset-journal"));
            let report = folder.path().join(format!("{number}{headers}.jsonl"));
            convert(&once, &twice, &[headers, "--report", text(&report)]);
            assert!(files(&once).len() > 30);
            assert_eq!(files(&once), files(&twice));
            for line in lines(&report) {
                assert!(
                    line.get("changes")
                        .is_none_or(|changes| changes == &Value::Array(vec![]))
                );
            }
        }
    }
}

/// A Content-Length that measures the body still does, so that programs which trust it find
/// the next message.
#[test]
fn a_content_length_follows_the_body() {
    let koi8 = b"Content-Type: text/plain; charset=koi8-r\nContent-Length: 8\nX: y\n\n\xF0\xD2\xC9 \xF0\xD2\xC9\n";
    let from = b"Content-Length: 8\n\nFrom me\n";
    let mut boxed = Vec::new();
    for message in [&koi8[..], from, koi8] {
        boxed.extend_from_slice(SEPARATOR);
        boxed.extend_from_slice(message);
        boxed.push(b'\n');
    }
    let folder = tree(&[("a.mbox", &boxed)]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("a.mbox"), path("b.mbox"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    let result = fs::read(&target).unwrap();
    let bodies: Vec<_> = mbox::messages(&result)
        .map(|entry| {
            let message = &result[entry.message()];
            let (_, length) = mbox::content_length(message).unwrap();
            let body = memchr::memmem::find(message, b"\n\n").unwrap() + 2;
            assert_eq!(length, (message.len() - body) as u64);
            String::from_utf8(message[body..].to_vec()).unwrap()
        })
        .collect();
    assert_eq!(bodies, ["При При\n", ">From me\n", "При При\n"]);
    let lines = lines(&report);
    let changes = lines[1]["changes"].as_array().unwrap();
    let change = changes
        .iter()
        .find(|change| change["field"] == "Content-Length")
        .unwrap();
    assert_eq!(change["charset"], Value::Null);
    // Two digits in place of one.
    assert_eq!(
        (&change["before"]["length"], &change["after"]["length"]),
        (&1.into(), &2.into())
    );
    verify(&source, &target, &[]);
    verify(&source, &target, &["--report", text(&report)]);
}

/// Each octet that is damaged is named by its file, its message and its place.
#[test]
fn one_damaged_octet_anywhere_is_found_and_named() {
    let odd = [
        SEPARATOR,
        b"Subject: no blank line behind\n\nText\n",
        SEPARATOR,
        PLAIN,
        b"\n",
    ]
    .concat();
    let quoted = fs::read("corpus/archive/mboxcl2.mbox").unwrap();
    let boxed = [mailbox(12), quoted, odd].concat();
    let folder = tree(&[("s/a.mbox", &boxed), ("s/b.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let report = folder.path().join("r.jsonl");
    convert(&source, &target, &["--report", text(&report)]);
    verify(&source, &target, &["--report", text(&report)]);
    for (name, step) in [("a.mbox", 97), ("b.eml", 13)] {
        let file = target.join(name);
        let whole = fs::read(&file).unwrap();
        let starts: Vec<_> = lines(&report)
            .iter()
            .filter(|line| {
                line["result"]["path"]
                    .as_str()
                    .is_some_and(|path| path.ends_with(name))
            })
            .map(|line| line["result"]["offset"].as_u64().unwrap())
            .collect();
        assert!(starts.len() == 1 || starts.len() > 15);
        for at in (0..whole.len()).step_by(step).chain([whole.len() - 1]) {
            let mut damaged = whole.clone();
            damaged[at] ^= [1, 0x80, 0x20, 0x4A][at % 4];
            fs::write(&file, &damaged).unwrap();
            let mut arguments = vec!["verify", text(&source), text(&target), "-j1"];
            if at % 2 == 0 {
                arguments.extend(["--report", text(&report)]);
            }
            let output = run(&arguments);
            let said = String::from_utf8(output.stdout).unwrap();
            assert_eq!(output.status.code(), Some(1), "{at}: {said}");
            // A separator belongs to the message behind it.
            let next = starts.partition_point(|start| *start <= at as u64);
            let number = |index: usize| match index {
                0 => String::new(),
                _ => format!("#{index}"),
            };
            let numbers = match name {
                "b.eml" => vec![String::new()],
                _ => vec![number(next.saturating_sub(1)), number(next)],
            };
            let expected = numbers
                .iter()
                .map(|number| format!("{}{number}, octet {at}: ", file.display()));
            assert!(
                expected.into_iter().any(|e| said.starts_with(&e)),
                "{at}: {said}"
            );
            assert_eq!(said.lines().count(), 1, "{said}");
        }
        fs::write(&file, &whole).unwrap();
    }
}

#[test]
fn what_is_missing_and_what_is_too_much_is_named() {
    let folder = tree(&[
        ("s/a.mbox", &mailbox(5)),
        ("s/b.eml", KOI8),
        ("s/c.eml", PLAIN),
    ]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    convert(&source, &target, &[]);
    let whole = fs::read(target.join("a.mbox")).unwrap();
    let start = mbox::messages(&whole).nth(3).unwrap().range().start;
    let said = |output: &Output| String::from_utf8(output.stdout.clone()).unwrap();
    let check = || run(&["verify", text(&source), text(&target)]);

    fs::write(target.join("a.mbox"), &whole[..start]).unwrap();
    let output = check();
    assert_eq!(output.status.code(), Some(1));
    let expected = format!("a.mbox#3, octet {start}: expected 0x46, found the end\n");
    assert!(said(&output).ends_with(&expected), "{}", said(&output));
    fs::write(target.join("a.mbox"), [&whole[..], PLAIN].concat()).unwrap();
    assert!(said(&check()).contains(&format!(
        "octet {}: expected the end, found 0x53",
        whole.len()
    )));
    fs::write(target.join("a.mbox"), &whole).unwrap();

    fs::rename(target.join("b.eml"), target.join("d.eml")).unwrap();
    let output = check();
    assert_eq!(output.status.code(), Some(1));
    let said = said(&output);
    assert!(
        said.contains("b.eml is missing, made of ") && said.contains("d.eml is not of the source")
    );
    assert_eq!(said.lines().count(), 2, "{said}");
}

#[test]
fn a_report_of_something_else_proves_nothing() {
    let folder = tree(&[("s/a.eml", KOI8), ("s2/a.eml", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    for (source, target, report) in [("s", "t", "r.jsonl"), ("s2", "t2", "r2.jsonl")] {
        convert(
            &path(source),
            &path(target),
            &["--report", text(&path(report))],
        );
    }
    let output = run(&[
        "verify",
        text(&path("s")),
        text(&path("t")),
        "--report",
        text(&path("r2.jsonl")),
    ]);
    assert_eq!(output.status.code(), Some(1));
    let output = run(&[
        "verify",
        text(&path("s")),
        text(&path("t")),
        "--report",
        "Cargo.toml",
    ]);
    assert_eq!(output.status.code(), Some(2));
}

/// Each thing that a report says of a message is held to it: where it was and is, its sums, and
/// the charsets of what was changed.
#[test]
fn a_report_that_says_something_else_is_refused() {
    /// Another value in the place of one.
    type Other<'o> = &'o dyn Fn(&Value) -> Value;

    let zipped = zip(&[("in/zip.eml", KOI8)]);
    let folder = tree(&[
        ("s/a.mbox", &mailbox(4)),
        ("s/deep/b.eml", KOI8),
        ("s/z.zip", &zipped),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    verify(&source, &target, &["--report", text(&report)]);
    let whole = lines(&report);
    assert_eq!(
        whole
            .iter()
            .filter(|line| line["record"] == "message")
            .count(),
        6
    );
    let number = |value: &Value| Value::from(value.as_u64().unwrap() + 7);
    let change = |value: &Value| {
        let text = value.as_str().unwrap();
        let (start, last) = text.split_at(text.len() - 1);
        Value::from(format!("{start}{}", if last == "0" { "1" } else { "0" }))
    };
    let nowhere = |_: &Value| Value::from("/nowhere");
    let elsewhere = |value: &Value| Value::from(format!("/else{}", value.as_str().unwrap()));
    let edits: [(&str, Other<'_>); 13] = [
        ("/source/path", &nowhere),
        ("/source/path", &change),
        ("/source/offset", &number),
        ("/source/length", &number),
        ("/source/index", &number),
        ("/source/sha256", &change),
        ("/result/path", &nowhere),
        // Whole as it is, but not below what the others are below.
        ("/result/path", &elsewhere),
        ("/result/offset", &number),
        ("/result/length", &number),
        ("/result/sha256", &change),
        ("/changes/0/charset", &|_| Value::from("Big5")),
        ("/changes/2/charset", &|_| Value::from("Big5")),
    ];
    for (at, line) in whole.iter().enumerate() {
        for (pointer, other) in edits {
            let Some(value) = line.pointer(pointer) else {
                continue;
            };
            let mut told = whole.clone();
            *told[at].pointer_mut(pointer).unwrap() = other(value);
            let mut edited = fs::File::create(&report).unwrap();
            for line in &told {
                writeln!(edited, "{line}").unwrap();
            }
            let output = run(&[
                "verify",
                text(&source),
                text(&target),
                "--report",
                text(&report),
            ]);
            let said = String::from_utf8(output.stdout.clone()).unwrap() + &complaints(&output);
            assert_eq!(output.status.code(), Some(1), "{at} {pointer}: {said}");
            let place = line["source"]["path"].as_str().unwrap();
            let name = Path::new(place.split(" in ").next().unwrap()).file_name();
            let name = name.unwrap().to_str().unwrap();
            assert!(said.contains(name), "{at} {pointer}: {said}");
            assert!(said.contains("proved but for "), "{at} {pointer}: {said}");
        }
    }
}

/// An archive that was moved with all that is in it is the same archive.
#[test]
fn a_report_goes_with_an_archive_that_is_moved() {
    let zipped = zip(&[("in/zip.eml", KOI8)]);
    let folder = tree(&[
        ("s/a.mbox", &mailbox(4)),
        ("s/deep/b.eml", KOI8),
        ("s/z.zip", &zipped),
    ]);
    let path = |name: &str| folder.path().join(name);
    for (source, target) in [("s", "t"), ("s/z.zip", "u"), ("s/deep/b.eml", "v/b.eml")] {
        let report = path("r.jsonl");
        fs::create_dir_all(path("v")).unwrap();
        convert(&path(source), &path(target), &["--report", text(&report)]);
        verify(&path(source), &path(target), &["--report", text(&report)]);
        let moved = |name: &str| path("elsewhere").join(name);
        fs::create_dir(path("elsewhere")).unwrap();
        for name in ["s", target.split('/').next().unwrap()] {
            fs::rename(path(name), moved(name)).unwrap();
        }
        verify(&moved(source), &moved(target), &["--report", text(&report)]);
        let mut by_name = Command::new(BINARY);
        by_name.current_dir(path("elsewhere"));
        by_name.args([
            "verify",
            source,
            &format!("./{target}"),
            "--report",
            text(&report),
        ]);
        assert_eq!(by_name.output().unwrap().status.code(), Some(0), "{source}");
        fs::rename(moved("s"), path("s")).unwrap();
        fs::remove_dir_all(path("elsewhere")).unwrap();
        fs::remove_file(&report).unwrap();
    }
}

/// A fault is one line that names the file, and all else is proved by its own lines of the report.
#[test]
#[expect(clippy::too_many_lines, reason = "most of it is a table")]
fn a_fault_of_one_file_is_no_fault_of_the_others() {
    let zipped = zip(&[("in/1.eml", KOI8), ("in/2.eml", PLAIN)]);
    let boxed = mailbox(9);
    let last = mbox::messages(&boxed).last().unwrap().range().start;
    let folder = tree(&[
        ("s/a.mbox", &boxed),
        ("s/b.eml", KOI8),
        ("s/c.mbox", &mailbox(3)),
        ("s/deep/d.eml", PLAIN),
        ("s/mail", KOI8),
        ("s/z.zip", &zipped),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    let whole = files(folder.path());
    let missing = |name: &str| {
        let (source, target) = (path("s").join(name), path("t").join(name));
        format!(
            "{} is missing, made of {}",
            target.display(),
            source.display()
        )
    };
    let of = |name: &str, what: &str| {
        let what = what.replace("{}", text(&report));
        format!("{}: {what}", path("s").join(name).display())
    };
    let gone = "{} tells of it, and it is not in the source";
    let other = "expected what {} tells, found something else";
    let more = [&boxed[..], SEPARATOR, PLAIN, b"\n"].concat();
    let longer = [KOI8, b"\n"].concat();
    let mut flipped = PLAIN.to_vec();
    flipped[10] ^= 1;
    let no_mail = b"Nothing of mail.\n";
    let other_zip = zip(&[("in/2.eml", PLAIN)]);
    let z = || format!("in/1.eml in {}", path("s/z.zip").display());
    // What is at a place instead, the line that says so, and how many of the 17 messages are proved.
    let faults: [(&str, Option<&[u8]>, String, usize); 15] = [
        ("t/a.mbox", None, missing("a.mbox"), 8),
        ("t/b.eml", None, missing("b.eml"), 16),
        ("t/deep/d.eml", None, missing("deep/d.eml"), 16),
        ("s/a.mbox", None, of("a.mbox", gone), 8),
        ("s/b.eml", None, of("b.eml", gone), 16),
        ("s/deep/d.eml", None, of("deep/d.eml", gone), 16),
        ("s/mail", Some(no_mail), of("mail", gone), 16),
        (
            "s/z.zip",
            Some(&other_zip),
            format!("{}: {}", z(), gone.replace("{}", text(&report))),
            16,
        ),
        (
            "s/aa.eml",
            Some(PLAIN),
            of("aa.eml", "{} does not tell of it, and ")
                + &format!("{} is missing", path("t/aa.eml").display()),
            17,
        ),
        (
            "t/aa.eml",
            Some(PLAIN),
            format!("{} is not of the source", path("t/aa.eml").display()),
            17,
        ),
        ("s/b.eml", Some(&longer), of("b.eml", other), 16),
        (
            "s/deep/d.eml",
            Some(&flipped),
            of(
                "deep/d.eml",
                "expected the source of the report, found another",
            ),
            16,
        ),
        (
            "s/a.mbox",
            Some(&boxed[..last]),
            of("a.mbox#8", "expected a message as {} tells, found the end"),
            16,
        ),
        (
            "s/a.mbox",
            Some(&more),
            of("a.mbox#9", "expected the end as {} tells, found a message"),
            17,
        ),
        (
            "t/c.mbox",
            Some(b""),
            format!(
                "{}, octet 0: expected 0x46, found the end",
                path("t/c.mbox").display()
            ),
            14,
        ),
    ];
    for (name, octets, expected, proved) in faults {
        match octets {
            Some(octets) => fs::write(path(name), octets).unwrap(),
            None => fs::remove_file(path(name)).unwrap(),
        }
        for workers in ["1", "3"] {
            let arguments = ["verify", text(&source), text(&target), "-j", workers];
            let output = run(&[&arguments[..], &["--report", text(&report)]].concat());
            assert_eq!(output.status.code(), Some(1), "{name}");
            let said = String::from_utf8(output.stdout.clone()).unwrap();
            assert_eq!(said, format!("{expected}\n"), "{name}");
            let summary = complaints(&output);
            let expected = format!("proved but for 1 file: {proved} messages in ");
            assert!(summary.starts_with(&expected), "{name}: {summary}");
        }
        match whole.get(Path::new(name)) {
            Some(octets) => fs::write(path(name), octets).unwrap(),
            None => fs::remove_file(path(name)).unwrap(),
        }
    }
    // Several at once are as many lines.
    for name in ["t/a.mbox", "s/b.eml", "s/deep/d.eml"] {
        fs::remove_file(path(name)).unwrap();
    }
    let arguments = [
        "verify",
        text(&source),
        text(&target),
        "--report",
        text(&report),
    ];
    let output = run(&arguments);
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    let expected = [missing("a.mbox"), of("b.eml", gone), of("deep/d.eml", gone)];
    assert_eq!(said, expected.join("\n") + "\n");
}

/// The names of one file and of its result are nobody's matter.
#[test]
fn a_report_of_one_file_goes_with_it_under_any_name() {
    let folder = tree(&[("s/a.mbox", &mailbox(5)), ("there/x", b"")]);
    let path = |name: &str| folder.path().join(name);
    for (target, result) in [("out.mbox", "out.mbox"), ("there", "there/a.mbox")] {
        let report = path("r.jsonl");
        let source = path("s/a.mbox");
        convert(&source, &path(target), &["--report", text(&report)]);
        verify(&source, &path(target), &["--report", text(&report)]);
        fs::copy(path(result), path("other.mbox")).unwrap();
        fs::copy(&source, path("renamed")).unwrap();
        for source in [&source, &path("renamed")] {
            verify(source, &path("other.mbox"), &["--report", text(&report)]);
        }
        // A message of it that the report has elsewhere is no message of it.
        let mut told = lines(&report);
        told[4]["result"]["path"] = "elsewhere".into();
        let edited: Vec<_> = told.iter().map(Value::to_string).collect();
        fs::write(&report, edited.join("\n")).unwrap();
        let other = path("other.mbox");
        let arguments = ["verify", text(&source), text(&other)];
        let output = run(&[&arguments[..], &["--report", text(&report)]].concat());
        assert_eq!(output.status.code(), Some(1));
        fs::remove_file(&report).unwrap();
    }
    // Of one file and of a folder are two things.
    let report = path("r.jsonl");
    convert(&path("s"), &path("t"), &["--report", text(&report)]);
    let (source, target) = (path("s/a.mbox"), path("t/a.mbox"));
    let arguments = ["verify", text(&source), text(&target)];
    let output = run(&[&arguments[..], &["--report", text(&report)]].concat());
    assert_eq!(output.status.code(), Some(2));
    let expected = "expected a report of one file, found one of a folder: ";
    assert!(complaints(&output).contains(expected));
}

/// What could not be read is not proved, and its file is not counted.
#[test]
fn nothing_is_proved_that_could_not_be_read() {
    let folder = tree(&[
        ("s/a.mbox", &mailbox(3)),
        ("s/b.eml", KOI8),
        ("s/c.eml", PLAIN),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    // A folder opens as a file does, and cannot be read.
    for name in ["a.mbox", "c.eml"] {
        let there = target.join(name);
        let whole = fs::read(&there).unwrap();
        fs::remove_file(&there).unwrap();
        fs::create_dir(&there).unwrap();
        for options in [&[][..], &["--report", text(&report)]] {
            let arguments = ["verify", text(&source), text(&target), "-j1"];
            let output = run(&[&arguments[..], options].concat());
            assert_eq!(output.status.code(), Some(2), "{name} {options:?}");
            let said = complaints(&output);
            let expected = format!("mime-charset: cannot read {}: ", there.display());
            assert!(said.contains(&expected), "{said}");
            assert!(said.contains("not proved, "), "{said}");
            assert!(!said.contains("\nproved"), "{said}");
            if options.is_empty() {
                assert!(
                    said.contains("not proved, 1 file could not be read: "),
                    "{said}"
                );
                assert!(said.contains(" in 2 files are there"), "{said}");
            }
        }
        fs::remove_dir(&there).unwrap();
        fs::write(&there, whole).unwrap();
    }
    let told = fs::read_to_string(&report).unwrap();
    let second = told.match_indices("\"message\"").nth(1).unwrap().0;
    fs::write(&report, [&told[..second], &told[second + 9..]].concat()).unwrap();
    let output = run(&[
        "verify",
        text(&source),
        text(&target),
        "--report",
        text(&report),
    ]);
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    assert!(
        said.contains("expected JSON Lines in ") && said.contains("\nnothing is proved: 1 file "),
        "{said}"
    );
    assert_eq!(said.lines().count(), 2, "{said}");
}

/// What is said of a run that did not finish leads on.
#[test]
fn the_way_on_is_named_and_leads_on() {
    let malformed = b"Content-Type: text/plain; charset=euc-kr\n\n\xC7\xD1 \xFF\n";
    let folder = tree(&[("s/a.eml", KOI8), ("s/b.eml", malformed)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let report = folder.path().join("r.jsonl");
    let with = [
        "convert",
        text(&source),
        text(&target),
        "--report",
        text(&report),
    ];
    let without = &with[..3];
    let fail = "--on-malformed=fail";
    for arguments in [&with[..], without] {
        let output = run(&[arguments, &[fail]].concat());
        assert_eq!(output.status.code(), Some(1));
        let said = complaints(&output);
        assert!(
            said.ends_with(" another --on-malformed begins anew with --force\n"),
            "{said}"
        );
        // The same again, and with other settings, is refused, and by what is said accepted.
        for (more, status) in [
            (&[fail][..], 2),
            (&[], 2),
            (&["--resume"], 2),
            (&[fail, "--resume"], 1),
            (&["--force"], 0),
        ] {
            let output = run(&[arguments, more].concat());
            assert_eq!(output.status.code(), Some(status), "{more:?}");
            let said = complaints(&output);
            assert!(status == 0 || said.contains("--force"), "{more:?}: {said}");
        }
        verify(&source, &target, &[]);
        fs::remove_dir_all(&target).unwrap();
        let _ = fs::remove_file(&report);
    }
    // A run that replaces what is there is not one that --resume could go on with.
    fs::create_dir_all(&target).unwrap();
    fs::write(target.join("b.eml"), "old").unwrap();
    fs::write(source.join("a.gz"), b"\x1F\x8B\x08\0\0\0\0\0\0\x03").unwrap();
    let output = run(&[without, &["--force"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    assert!(
        said.ends_with(" once the cause is gone, the same command begins anew\n"),
        "{said}"
    );
    fs::remove_file(source.join("a.gz")).unwrap();
    convert(&source, &target, &["--force"]);
    verify(&source, &target, &[]);
}

/// A file of 8 GiB in the place of a message is not read into memory.
#[cfg(target_os = "linux")]
#[test]
fn a_long_file_in_the_place_of_a_message_is_not_read_whole() {
    let folder = tree(&[("s.eml", KOI8)]);
    let (source, target) = (folder.path().join("s.eml"), folder.path().join("t.eml"));
    convert(&source, &target, &[]);
    let whole = fs::metadata(&target).unwrap().len();
    let file = fs::File::options().write(true).open(&target).unwrap();
    file.set_len(8 << 30).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 1000000; exec \"$@\"", "sh", BINARY]);
    command.args(["verify", text(&source), text(&target), "-j1"]);
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(
        output.status.code(),
        Some(1),
        "{said}{}",
        complaints(&output)
    );
    assert!(
        said.contains(&format!("octet {whole}: expected the end, found 0x00")),
        "{said}"
    );
}

#[test]
fn a_closed_standard_error_is_no_matter() {
    let folder = tree(&[("a.eml", KOI8)]);
    let (source, target) = (folder.path().join("a.eml"), folder.path().join("b.eml"));
    let mut child = Command::new(BINARY)
        .args(["convert", text(&source), text(&target)])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert!(child.wait().unwrap().success());
    assert_eq!(fs::read(target).unwrap(), KOI8_IN_UTF8.as_bytes());
}

/// Who reads no further, as with `head`, is not told that all of it holds.
#[test]
fn a_closed_pipe_proves_nothing() {
    // One line, which is in a buffer until the end, and more than any buffer holds.
    for count in [1, 3000] {
        let names: Vec<_> = (0..count).map(|number| format!("s/{number}.eml")).collect();
        let sources: Vec<_> = names.iter().map(|name| (name.as_str(), PLAIN)).collect();
        let folder = tree(&sources);
        let (source, target) = (folder.path().join("s"), folder.path().join("t"));
        fs::create_dir(&target).unwrap();
        let mut child = Command::new(BINARY)
            .args(["verify", "--quiet", text(&source), text(&target)])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{count}");
        assert_eq!(complaints(&output), "");
    }
}

#[test]
fn the_help_names_the_schema_and_the_statuses() {
    let output = run(&["convert", "--help"]);
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.contains("schema/report.schema.json"), "{help}");
    assert!(Path::new("schema/report.schema.json").is_file());
    let output = run(&["--help"]);
    let help = String::from_utf8(output.stdout).unwrap();
    for status in ["0 done", "1 done", "2 usage", "130 interrupted"] {
        assert!(help.contains(status), "{status}: {help}");
    }
}
