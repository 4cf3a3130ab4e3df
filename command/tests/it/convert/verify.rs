//! Mismatches that `verify` finds and names, and inputs that prove nothing.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use mime_charset_archive::{Error, mbox};
use serde_json::Value;

use super::{
    BINARY, KOI8, PLAIN, SEPARATOR, complaints, convert, files, lines, mailbox, run, text, tree,
    verify, zip,
};

#[test]
fn a_source_without_mail_proves_nothing() {
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
    let expected = "\nnothing proved: 1 file could not be read\n";
    assert!(said.ends_with(expected), "{said}");
    let (source, target) = (path("empty"), path("none"));
    let said = complaints(&verify(&source, &target, &[]));
    assert_eq!(said, "nothing to prove: there are no messages\n");
}

/// Each damaged octet is reported with its file, message and offset.
#[test]
fn any_damaged_octet_is_reported_with_its_location() {
    let odd = [
        SEPARATOR,
        b"Subject: no blank line behind\n\nText\n",
        SEPARATOR,
        PLAIN,
        b"\n",
    ]
    .concat();
    let quoted = fs::read("../corpus/archive/mboxcl2.mbox").unwrap();
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
            // A separator belongs to the message after it.
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

/// The offset of a message in its mailbox.
fn offset(stored: Option<Result<mbox::Stored, Error>>) -> usize {
    usize::try_from(stored.unwrap().unwrap().offset()).unwrap()
}

#[test]
fn missing_and_unexpected_files_are_reported() {
    let folder = tree(&[
        ("s/a.mbox", &mailbox(5)),
        ("s/b.eml", KOI8),
        ("s/c.eml", PLAIN),
    ]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    convert(&source, &target, &[]);
    let whole = fs::read(target.join("a.mbox")).unwrap();
    let start = offset(mbox::read(&whole[..]).nth(3));
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
        said.contains("b.eml is missing; its source is ")
            && said.contains("d.eml does not belong to the source")
    );
    assert_eq!(said.lines().count(), 2, "{said}");
}

#[test]
fn a_report_of_another_archive_proves_nothing() {
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
        "../Cargo.toml",
    ]);
    assert_eq!(output.status.code(), Some(2));
}

/// Every value that a report has for a message is checked: places before and after, checksums, and
/// the charsets of changed text.
#[test]
fn an_altered_report_is_refused() {
    /// Replaces a value by another.
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
    let nothing = |_: &Value| Value::Null;
    let edits: [(&str, Other<'_>); 17] = [
        ("/source/path", &nowhere),
        ("/source/path", &change),
        ("/source/container", &nowhere),
        ("/source/container", &nothing),
        ("/source/member", &change),
        ("/source/member", &nothing),
        ("/source/offset", &number),
        ("/source/length", &number),
        ("/source/index", &number),
        ("/source/sha256", &change),
        ("/result/path", &nowhere),
        // Correct in itself, but in another folder than the others.
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
            assert!(said.contains("not proved: "), "{at} {pointer}: {said}");
        }
    }
}

/// The report has the change of a Content-Length, which is correct in an mboxcl result too.
#[test]
fn a_recorded_content_length_is_proved() {
    let separator = "From a@example.org Sat Jan  3 01:05:34 1996\n";
    let head = "Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n";
    let file = format!("{separator}Content-Length: 4\n{head}");
    let folder = tree(&[("s/a.mbox", &[file.as_bytes(), b"\xF0\xD2\xC9\n\n"].concat())]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    verify(&source, &target, &["--report", text(&report)]);
    let whole = lines(&report);
    let at = "/changes/0";
    assert_eq!(
        whole[1].pointer(&format!("{at}/field")).unwrap(),
        "Content-Length"
    );
    let edit = |with: &dyn Fn(&mut Vec<Value>)| {
        let mut told = whole.clone();
        with(told[1]["changes"].as_array_mut().unwrap());
        let told: Vec<_> = told.iter().map(ToString::to_string).collect();
        fs::write(&report, told.join("\n") + "\n").unwrap();
        let output = run(&[
            "verify",
            text(&source),
            text(&target),
            "--report",
            text(&report),
        ]);
        output.status.code()
    };
    assert_eq!(edit(&|_| ()), Some(0));
    assert_eq!(edit(&|changes| drop(changes.remove(0))), Some(1));
    assert_eq!(
        edit(&|changes| changes.insert(0, changes[0].clone())),
        Some(1)
    );
    for side in ["before", "after"] {
        for key in ["offset", "length"] {
            let longer = |changes: &mut Vec<Value>| {
                let number = changes[0][side][key].as_u64().unwrap();
                changes[0][side][key] = (number + 1).into();
            };
            assert_eq!(edit(&longer), Some(1), "{side} {key}");
        }
    }
    // Another first line is not that of a run.
    let other = fs::read_to_string(&report)
        .unwrap()
        .replacen("\"run\"", "\"runx\"", 1);
    fs::write(&report, other).unwrap();
    let output = run(&[
        "verify",
        text(&source),
        text(&target),
        "--report",
        text(&report),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("r.jsonl is not a report"));
}

/// A report without its first or last line, or with a cut-off last line, proves nothing.
#[test]
fn an_incomplete_report_is_refused() {
    let folder = tree(&[("s/a.mbox", &mailbox(2)), ("s/notes", b"no mail\n")]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    let whole = fs::read_to_string(&report).unwrap();
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    let (last, shown) = (lines.len() - 1, report.display());
    let first = format!("mime-charset: {shown} is not a report\n");
    let end =
        format!("mime-charset: the report {shown} is incomplete: it does not end with an event\n");
    let cut = &whole[..whole.len() - 9];
    for (edited, expected) in [
        (lines[..last].concat(), &end),
        (lines[..last - 1].concat(), &end),
        (cut.to_owned(), &end),
        (format!("{whole}\n"), &end),
        (whole.repeat(2)[..whole.len() + 99].to_owned(), &end),
        (lines[1..].concat(), &first),
        (String::new(), &first),
    ] {
        fs::write(&report, &edited).unwrap();
        let arguments = ["--report", text(&report)];
        let output = run(&[&["verify", text(&source), text(&target)][..], &arguments].concat());
        let said = complaints(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(said, *expected, "{edited}");
    }
    // A report may lack its final line feed. JSON values other than objects are skipped.
    let other = format!("{}[1]\n2\n{}", lines[0], lines[1..].concat());
    for complete in [whole.trim_end(), &other] {
        fs::write(&report, complete).unwrap();
        verify(&source, &target, &["--report", text(&report)]);
    }
}

/// A file that was undelivered mail during the conversion, and is a message now.
#[test]
fn a_message_listed_as_undelivered_has_no_result() {
    let folder = tree(&[("s/b.eml", KOI8), ("s/m/tmp/1", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    let others = ["m/cur", "m/new"].map(|name| source.join(name));
    for folder in &others {
        fs::create_dir(folder).unwrap();
    }
    convert(&source, &target, &["--report", text(&report)]);
    for folder in &others {
        fs::remove_dir(folder).unwrap();
    }
    let arguments = ["verify", text(&source), text(&target), "--report"];
    let output = run(&[&arguments[..], &[text(&report)]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", complaints(&output));
    let expected = format!(
        "{}: {} lists it as undelivered (in tmp of a Maildir: its delivery did not end), and {} is \
         missing\n",
        source.join("m/tmp/1").display(),
        report.display(),
        target.join("m/tmp/1").display()
    );
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

/// A separator that changed in the source, and not in the result.
#[test]
fn a_changed_separator_of_the_source_is_named() {
    let folder = tree(&[("s/a.mbox", &mailbox(3))]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    let whole = fs::read(source.join("a.mbox")).unwrap();
    let second = offset(mbox::read(&whole[..]).nth(1));
    let (old, new) = (source.join("a.mbox"), target.join("a.mbox"));
    let (old, new) = (old.display(), new.display());
    let start = lines(&report)[2]["result"]["offset"].as_u64().unwrap();
    let octet = start - SEPARATOR.len() as u64 + 5;
    let other = format!(
        "{old}#1: it differs from its record in {}\n",
        report.display()
    );
    // The octets of the second separator `From ` and their replacement.
    for (was, is, expected) in [
        (
            5..6,
            &b"x"[..],
            format!(
                "{new}#1, octet {octet}: expected 0x78, found 0x{:02X}; its message is as recorded, \
                 so the separator changed here or in {old}\n",
                SEPARATOR[5]
            ),
        ),
        (5..5, b"x", other.clone()),
        (5..6, b"", other),
        (
            0..1,
            b"G",
            format!(
                "{old}: it differs from its record in {}\n",
                report.display()
            ),
        ),
    ] {
        let mut damaged = whole.clone();
        damaged.splice(second + was.start..second + was.end, is.iter().copied());
        fs::write(source.join("a.mbox"), damaged).unwrap();
        let arguments = [
            "verify",
            text(&source),
            text(&target),
            "--report",
            text(&report),
        ];
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    }
}

/// An archive that was moved as a whole is the same archive.
#[test]
fn a_report_is_valid_for_a_moved_archive() {
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

/// A report line that is not UTF-8 affects only its own file.
#[test]
fn files_after_a_damaged_line_are_proved() {
    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("s/b.eml", KOI8),
        ("s/c.mbox", &mailbox(3)),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    let mut told = fs::read(&report).unwrap();
    let find = |name: &[u8], from: usize| {
        let found = told[from..].windows(name.len()).position(|it| it == name);
        from + found.unwrap()
    };
    let at = find(b"\"KOI8-R\"", find(b"b.eml", 0)) + 1;
    told[at] = 0xFF;
    fs::write(&report, told).unwrap();
    let arguments = ["verify", text(&source), text(&target), "-j1", "--report"];
    let output = run(&[&arguments[..], &[text(&report)]].concat());
    let said = complaints(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("expected JSON Lines in "), "{said}");
    let proved = "not proved: 1 file could not be read; correct: 4 messages in 2 files; ";
    assert!(said.contains(proved), "{said}");
}

/// A mismatch is one line that names the file; all other files are proved by their own report
/// lines.
#[test]
#[expect(clippy::too_many_lines, reason = "most of it is a table")]
fn a_mismatch_in_one_file_does_not_affect_others() {
    /// Threads process half a megabyte at a time.
    const LONG: usize = 1_000;
    let zipped = zip(&[("in/1.eml", KOI8), ("in/2.eml", PLAIN)]);
    let boxed = mailbox(9);
    let last = offset(mbox::read(&boxed[..]).last());
    let folder = tree(&[
        ("s/a.mbox", &boxed),
        ("s/b.eml", KOI8),
        ("s/c.mbox", &mailbox(LONG)),
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
            "{} is missing; its source is {}",
            target.display(),
            source.display()
        )
    };
    let of = |name: &str, what: &str| {
        let what = what.replace("{}", text(&report));
        format!("{}: {what}", path("s").join(name).display())
    };
    let gone = "{} lists it, but it is not in the source";
    let other = "it differs from its record in {}";
    let more = [&boxed[..], SEPARATOR, PLAIN, b"\n"].concat();
    let longer = [KOI8, b"\n"].concat();
    let mut flipped = PLAIN.to_vec();
    flipped[10] ^= 1;
    let no_mail = b"Nothing of mail.\n";
    let other_zip = zip(&[("in/2.eml", PLAIN)]);
    let z = || format!("in/1.eml in {}", path("s/z.zip").display());
    // The path, its replacement, the expected line, and the number of proved messages, of 14 and
    // those of the long mailbox.
    let faults: [(&str, Option<&[u8]>, String, usize); 15] = [
        ("t/a.mbox", None, missing("a.mbox"), LONG + 5),
        ("t/b.eml", None, missing("b.eml"), LONG + 13),
        ("t/deep/d.eml", None, missing("deep/d.eml"), LONG + 13),
        ("s/a.mbox", None, of("a.mbox", gone), LONG + 5),
        ("s/b.eml", None, of("b.eml", gone), LONG + 13),
        ("s/deep/d.eml", None, of("deep/d.eml", gone), LONG + 13),
        ("s/mail", Some(no_mail), of("mail", gone), LONG + 13),
        (
            "s/z.zip",
            Some(&other_zip),
            format!("{}: {}", z(), gone.replace("{}", text(&report))),
            LONG + 13,
        ),
        (
            "s/aa.eml",
            Some(PLAIN),
            of("aa.eml", "{} does not list it, and ")
                + &format!("{} is missing", path("t/aa.eml").display()),
            LONG + 14,
        ),
        (
            "t/aa.eml",
            Some(PLAIN),
            format!(
                "{} does not belong to the source",
                path("t/aa.eml").display()
            ),
            LONG + 14,
        ),
        ("s/b.eml", Some(&longer), of("b.eml", other), LONG + 13),
        (
            "s/deep/d.eml",
            Some(&flipped),
            of(
                "deep/d.eml",
                "the source differs from the one recorded in the report",
            ),
            LONG + 13,
        ),
        (
            "s/a.mbox",
            Some(&boxed[..last]),
            of("a.mbox#8", "{} lists more messages than the source has"),
            LONG + 13,
        ),
        (
            "s/a.mbox",
            Some(&more),
            of("a.mbox#9", "{} lists fewer messages than the source has"),
            LONG + 14,
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
            let expected = format!("not proved: 1 mismatch; correct: {proved} messages in ");
            assert!(summary.starts_with(&expected), "{name}: {summary}");
        }
        match whole.get(Path::new(name)) {
            Some(octets) => fs::write(path(name), octets).unwrap(),
            None => fs::remove_file(path(name)).unwrap(),
        }
    }
    // Several mismatches are as many lines.
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

/// The names of a single file and of its result do not matter.
#[test]
fn a_report_of_one_file_is_valid_after_renaming() {
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
        // A message that the report places elsewhere does not belong to the file.
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
    // A report of one file does not match a folder.
    let report = path("r.jsonl");
    convert(&path("s"), &path("t"), &["--report", text(&report)]);
    let (source, target) = (path("s/a.mbox"), path("t/a.mbox"));
    let arguments = ["verify", text(&source), text(&target)];
    let output = run(&[&arguments[..], &["--report", text(&report)]].concat());
    assert_eq!(output.status.code(), Some(2));
    let expected = "expected a report of one file, found one of a folder: ";
    assert!(complaints(&output).contains(expected));
}

/// A file that cannot be read is neither proved nor counted.
#[test]
fn unreadable_files_are_not_proved() {
    let folder = tree(&[
        ("s/a.mbox", &mailbox(3)),
        ("s/b.eml", KOI8),
        ("s/c.eml", PLAIN),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    // A folder opens like a file, but cannot be read.
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
            assert!(said.contains("not proved: "), "{said}");
            assert!(!said.contains("\nproved"), "{said}");
            if options.is_empty() {
                assert!(
                    said.contains("not proved: 1 file could not be read; correct: "),
                    "{said}"
                );
                assert!(said.contains(" in 2 files; "), "{said}");
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
        said.contains("expected JSON Lines in ") && said.contains("\nnothing proved: 1 file "),
        "{said}"
    );
    assert_eq!(said.lines().count(), 2, "{said}");
}

/// A file of 8 GiB in place of a message is not read into memory.
#[cfg(target_os = "linux")]
#[test]
fn verify_does_not_read_a_long_file_into_memory() {
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

/// If the output is truncated, as with `head`, the status does not claim a proof.
#[test]
fn a_closed_pipe_proves_nothing() {
    // One line stays in the buffer until the end; the other output exceeds any buffer.
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

/// A folder of results must not be a link, which may lead to the source.
#[cfg(unix)]
#[test]
fn a_folder_of_results_must_not_be_a_link() {
    let folder = tree(&[("s/a/b/1.eml", PLAIN), ("s/2.eml", KOI8)]);
    let path = |name: &str| folder.path().join(name);
    let (source, target) = (path("s"), path("t"));
    for linked in ["a", "a/b"] {
        convert(&source, &target, &[]);
        fs::remove_dir_all(path("t").join(linked)).unwrap();
        std::os::unix::fs::symlink(source.join(linked), target.join(linked)).unwrap();
        let output = run(&["verify", text(&source), text(&target)]);
        let said = String::from_utf8(output.stdout.clone()).unwrap() + &complaints(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        for expected in [
            "t/a/b/1.eml: its folder is a link".to_owned(),
            format!("t/{linked} does not belong to the source"),
        ] {
            assert!(said.contains(&expected), "{said}");
        }
        fs::remove_dir_all(&target).unwrap();
    }
    // The destination itself may be one.
    convert(&source, &path("real"), &[]);
    std::os::unix::fs::symlink("real", &target).unwrap();
    verify(&source, &target, &[]);
}

/// Results must be regular files: not a link, which may point to the source, not a pipe without a
/// writer, and not a folder that cannot be listed.
#[cfg(unix)]
#[test]
fn links_and_pipes_at_the_destination_are_mismatches() {
    use std::os::unix::fs::symlink;
    let folder = tree(&[("s/a.eml", PLAIN), ("s/b.eml", KOI8)]);
    let path = |name: &str| folder.path().join(name);
    let (source, target) = (path("s"), path("t"));
    convert(&source, &target, &[]);
    let check = || {
        let output = run(&["verify", text(&source), text(&target)]);
        let said = String::from_utf8(output.stdout.clone()).unwrap() + &complaints(&output);
        (output.status.code(), said)
    };
    let link = || symlink(path("s/a.eml"), path("t/a.eml")).unwrap();
    let pipe = || {
        let made = Command::new("mkfifo").arg(path("t/a.eml")).status();
        assert!(made.unwrap().success());
    };
    for make in [&link as &dyn Fn(), &pipe] {
        fs::remove_file(path("t/a.eml")).unwrap();
        make();
        let (status, said) = check();
        assert_eq!(status, Some(2), "{said}");
        let expected = "t/a.eml: not a regular file";
        assert!(said.contains(expected), "{said}");
    }
    fs::remove_file(path("t/a.eml")).unwrap();
    fs::write(path("t/a.eml"), PLAIN).unwrap();
    verify(&source, &target, &[]);
    symlink(path("t/b.eml"), path("t/c.eml")).unwrap();
    let (status, said) = check();
    assert_eq!(status, Some(1), "{said}");
    assert!(
        said.contains("t/c.eml does not belong to the source"),
        "{said}"
    );
    fs::remove_file(path("t/c.eml")).unwrap();
    // Links that lead to no file.
    for target in ["nowhere", "../s"] {
        symlink(target, path("t/c")).unwrap();
        let (status, said) = check();
        assert_eq!(status, Some(1), "{said}");
        assert!(said.contains("t/c does not belong to the source"), "{said}");
        fs::remove_file(path("t/c")).unwrap();
    }
    // A path longer than the maximum, so that not even root can list it.
    let script = "cd \"$0\" && for i in $(seq 30); do mkdir \"$1\" && cd \"$1\" || exit; done";
    let name = "x".repeat(200);
    let made = Command::new("bash")
        .args(["-c", script, text(&target), &name])
        .status();
    assert!(made.unwrap().success());
    let (status, said) = check();
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("not proved"), "{said}");
}
