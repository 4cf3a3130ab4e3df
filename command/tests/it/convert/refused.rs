//! Sources that `convert` does not read, files that it does not overwrite, and runs that it does
//! not start.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::Command;

use super::{
    BINARY, KOI8, KOI8_IN_UTF8, PLAIN, complaints, convert, everything, files, lines, mailbox,
    names, run, text, tree, verify, zip,
};

#[test]
fn existing_files_are_kept_without_force() {
    let folder = tree(&[("a.eml", KOI8), ("b.eml", b"old"), ("r.jsonl", b"old")]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("a.eml"), path("b.eml"), path("r.jsonl"));
    let output = run(&["convert", text(&source), text(&target)]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("b.eml already exists"));
    assert_eq!(fs::read(&target).unwrap(), b"old");
    let output = run(&[
        "convert",
        text(&source),
        text(&path("c.eml")),
        "--report",
        text(&report),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("r.jsonl already exists"));
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
    assert!(
        complaints(&output).starts_with("mime-charset: the folder of the report does not exist")
    );
    convert(&source, &target, &["--force", "--report", text(&report)]);
    assert_eq!(fs::read(&target).unwrap(), KOI8_IN_UTF8.as_bytes());
    assert_eq!(names(folder.path()), ["a.eml", "b.eml", "r.jsonl"]);
}

#[cfg(unix)]
#[test]
fn the_source_is_never_overwritten() {
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
            complaints(&output).starts_with("mime-charset: the destination must "),
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
        assert!(complaints(&output).contains("the report must be outside the source"));
        assert_eq!(files(folder.path()), before);
    }
    // A table or a page cannot replace a file that is read.
    let report = path("r.jsonl");
    for table in [
        "s/a.csv",
        "link/a.csv",
        "s/a.eml",
        "other/../s/a.eml",
        "r.jsonl",
    ] {
        let table = path(table);
        let (source, target) = (path("s"), path("t"));
        let arguments = ["convert", text(&source), text(&target), "--force"];
        let files_of_run = ["--report", text(&report), "--csv", text(&table)];
        let output = run(&[&arguments[..], &files_of_run].concat());
        assert_eq!(output.status.code(), Some(2), "{}", table.display());
        assert!(complaints(&output).contains(" must be outside "));
        assert_eq!(files(folder.path()), before);
    }
    for (source, page) in [
        ("s", "s/a.eml"),
        ("s/a.eml", "link/a.eml"),
        ("link", "s/a.eml"),
    ] {
        let (source, page) = (path(source), path(page));
        let output = run(&["survey", "--force", "--html", text(&page), text(&source)]);
        assert_eq!(output.status.code(), Some(2), "{}", page.display());
        assert!(complaints(&output).contains(" must be outside "));
        assert_eq!(files(folder.path()), before);
    }
    // Pipes and devices are not replaced by files.
    let output = run(&["convert", text(&path("s/a.eml")), "/dev/null", "--force"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("the destination is neither a file nor a folder"));
}

/// A source that is not a file, is unreadable, truncated or a bomb is one error. The rest is
/// converted, and no incomplete result is left.
#[cfg(unix)]
#[test]
fn each_bad_source_is_one_error_and_the_rest_is_converted() {
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
    // Root can read any file.
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
    // sysfs reports a size of 4096 octets for files that have fewer.
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
    // The last line says how to continue with --resume.
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

    // Once the causes are fixed, the run is resumed.
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

#[test]
fn a_named_file_that_is_not_mail_is_not_converted() {
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
        "mime-charset: {} is not mail\n\
         needs review:\n  1 file that could not be converted, named above\n\
         mime-charset: nothing converted\n",
        folder.path().join("notes.txt").display()
    );
    assert_eq!(said, expected);
    assert_eq!(names(folder.path()), ["notes.txt"]);
}

/// Mail is private where it is stored (POSIX.1-2017, open: the bits of the mode less those of the
/// file mode creation mask). The result has the restrictive permissions of the source, and no
/// others.
#[cfg(unix)]
#[test]
fn restrictive_permissions_are_copied() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("s/b.eml", KOI8),
        ("s/c.eml", KOI8),
        ("s/d/e/1.eml", KOI8),
        ("s/f/2.eml", KOI8),
    ]);
    let path = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
    let any = mode("s/a.eml");
    let any_folder = mode("s");
    for (name, mode) in [
        ("s/b.eml", 0o600),
        ("s/c.eml", 0o440),
        ("s", 0o710),
        ("s/d", 0o700),
    ] {
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).unwrap();
    }
    let output = run(&["convert", text(&path("s")), text(&path("t"))]);
    assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
    let found = ["t/a.eml", "t/b.eml", "t/c.eml"].map(mode);
    assert_eq!(found, [any, any & 0o700, any & 0o740]);
    let found = ["t", "t/d", "t/d/e", "t/f"].map(mode);
    let expected = [0o710, 0o700, 0o777, 0o777].map(|mode| any_folder & mode);
    assert_eq!(found, expected);
}

/// A zip or tar file is treated as a folder: members that are not mail are left out even if the
/// container was named, and the rest is proved.
#[test]
fn non_mail_members_of_a_named_container_are_left_out() {
    let folder = tree(&[
        ("s/a.eml", b"Subject: one\n\none\n"),
        ("s/notes.txt", b"Nothing of mail.\n"),
    ]);
    let path = |name: &str| folder.path().join(name);
    let tar = fs::File::create(path("m.tar")).unwrap();
    tar::Builder::new(tar)
        .append_dir_all(".", path("s"))
        .unwrap();
    let (source, target, report) = (path("m.tar"), path("new"), path("r"));
    let (source, target, report) = (text(&source), text(&target), text(&report));
    let output = run(&["convert", "--report", report, source, target]);
    assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
    let said = fs::read_to_string(report).unwrap();
    assert!(
        said.contains("\"no-mail\"") && !said.contains("\"failed\""),
        "{said}"
    );
    assert_eq!(names(&path("new")), ["a.eml"]);
    let output = run(&["verify", "--report", report, source, target]);
    assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
}

/// A run that is refused before it writes anything leaves no files and no folder, and its advice is
/// correct.
#[test]
fn a_run_that_wrote_nothing_leaves_no_files() {
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
            "nothing converted; --force replaces existing files",
        ),
        (
            "s",
            "t",
            &["--report", other],
            2,
            "nothing converted; --force replaces existing files",
        ),
        (
            "s/a.eml",
            "t",
            &["--report", other],
            2,
            "nothing converted; --force replaces existing files",
        ),
        (
            "s/a.eml",
            "t/a.eml",
            &[],
            2,
            "nothing converted; --force replaces existing files",
        ),
        (
            "cut",
            "deep/er/new",
            &["--report", other],
            2,
            "nothing converted",
        ),
        (
            "cut",
            "t",
            &["--force", "--report", other],
            2,
            "nothing converted",
        ),
        (
            "malformed",
            "new",
            &["--on-malformed=fail", "--report", other],
            1,
            "nothing converted",
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
        // Nothing is reported twice.
        let mut lines: Vec<_> = complaints.lines().collect();
        let count = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), count, "{complaints}");
    }
    verify(&source, &target, &["--report", text(&path("r.jsonl"))]);
}

/// Paths are reported as given, whether the file exists or not.
#[test]
fn paths_are_reported_as_given() {
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
    let expected = "cannot convert old/1.eml: ./new/1.eml already exists\n";
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
        // The F of From is altered.
        assert_eq!(
            said,
            "./new/1.eml is missing; its source is old/1.eml\n\
             ./new/2.mbox, octet 0: expected 0x46, found 0x72\n\
             ./new/3.eml is missing; its source is old/3.eml\n\
             ./new/4.eml does not belong to the source\n"
        );
    }
    // The same with a single file as the destination.
    assert_eq!(
        run(&["convert", "old/1.eml", "one.eml"]).status.code(),
        Some(0)
    );
    let again = complaints(&run(&["convert", "old/1.eml", "one.eml"]));
    assert!(again.contains(": one.eml already exists\n"), "{again}");
    fs::write(path("one.eml"), "").unwrap();
    let output = run(&["verify", "old/1.eml", "one.eml"]);
    let said = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(said, "one.eml, octet 0: expected 0x53, found the end\n");
    let said = complaints(&output);
    assert_eq!(said, "nothing proved: 1 mismatch\n");
}

/// Standard input has no name for a result, and cannot be read twice.
#[test]
fn a_stream_is_neither_converted_nor_proved() {
    for (command, source, destination) in [
        ("convert", "-", "x"),
        ("convert", "../Cargo.toml", "-"),
        ("verify", "-", "x"),
        ("verify", "../Cargo.toml", "-"),
    ] {
        let output = run(&[command, source, destination]);
        assert_eq!(output.status.code(), Some(2));
        let said = complaints(&output);
        assert!(
            said.contains("save the input of a pipe to a file first"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 1);
        assert!(!Path::new("-").exists() && !Path::new("x").exists());
    }
}

/// A mailbox that exists both plain and compressed is two sources with one destination.
#[test]
fn a_conflicting_source_is_reported_with_a_remedy() {
    let folder = tree(&[("s/a.eml", KOI8), ("s/a.eml.gz", &gzip(KOI8))]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    let output = run(&["convert", text(&source), text(&target)]);
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    let expected = format!(
        "cannot convert {}: two sources map to {}; convert them separately, each to its own \
         destination\n",
        source.join("a.eml.gz").display(),
        target.join("a.eml").display()
    );
    assert!(said.contains(&expected), "{said}");
    // A resumed run reports it again.
    let output = run(&["convert", text(&source), text(&target), "--resume"]);
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    assert!(said.contains(&expected), "{said}");
    let what = "leave the files out with --exclude or --accept-unread, then continue";
    assert!(said.contains(what), "{said}");
    let output = run(&[
        "convert",
        text(&source),
        text(&target),
        "--resume",
        "--accept-unread",
    ]);
    let said = complaints(&output);
    assert!(
        said.contains("leave the files out with --exclude, then continue"),
        "{said}"
    );
    // The advice works.
    convert(&source, &target, &["--resume", "--exclude", "*.gz"]);
    let other = folder.path().join("u.eml");
    convert(&source.join("a.eml.gz"), &other, &[]);
    verify(&source.join("a.eml.gz"), &other, &[]);
}

/// If many files fail, the first are named and all are counted.
#[test]
fn the_first_of_many_failures_are_named_once() {
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

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(octets).unwrap();
    gzip.finish().unwrap()
}

/// A frame with one raw block (RFC 8878, sections 3.1.1.1 and 3.1.1.2) and a size of four octets.
fn zstd(octets: &[u8]) -> Vec<u8> {
    let length = u32::try_from(octets.len()).unwrap();
    assert!(length < 1 << 17);
    let block = (length << 3 | 1).to_le_bytes();
    let header = b"\x28\xB5\x2F\xFD\xA0";
    [header, &length.to_le_bytes()[..], &block[..3], octets].concat()
}

/// A source that could not be read to its end frees its place for another, and the run continues.
#[test]
fn a_damaged_source_frees_its_place() {
    let mut cut = gzip(&mailbox(3_000));
    cut.truncate(cut.len() - 20);
    let folder = tree(&[
        ("s/0.eml", KOI8),
        ("s/a.mbox.gz", &cut),
        ("s/a.mbox.zst", &zstd(&mailbox(5))),
        ("s/b.eml", KOI8),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, target) = (path("s"), path("t"));
    for how in [&[][..], &["--resume"], &["--dry-run"]] {
        if how == ["--dry-run"] {
            fs::remove_dir_all(&target).unwrap();
        }
        let output = run(&[&["convert", text(&source), text(&target)], how].concat());
        assert_eq!(output.status.code(), Some(2), "{how:?}");
        let said = complaints(&output);
        assert!(
            said.contains("s/a.mbox.gz") && !said.contains("another"),
            "{said}"
        );
        assert!(said.contains("of 7 messages in 3 files"), "{said}");
    }
    assert!(!target.exists());
}

/// A file in the place of a folder, or the reverse, is an error of that one source, however many
/// pending files precede it.
#[test]
fn a_file_in_the_place_of_a_folder_affects_only_one_source() {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    archive
        .start_file("1.eml", zip::write::SimpleFileOptions::default())
        .unwrap();
    archive.write_all(KOI8).unwrap();
    let archive = archive.finish().unwrap().into_inner();
    for before in [0, 1, 62, 63, 64] {
        let many: Vec<_> = (0..before)
            .map(|number| format!("s/0{number}.eml"))
            .collect();
        let listed = many.iter().map(|name| (name.as_str(), KOI8));
        let one = mailbox(1);
        let files: Vec<_> = listed
            .chain([("s/a", &one[..]), ("s/a.zip", &archive), ("s/b.eml", KOI8)])
            .collect();
        let folder = tree(&files);
        let (source, target) = (folder.path().join("s"), folder.path().join("t"));
        let output = run(&["convert", text(&source), text(&target)]);
        assert_eq!(output.status.code(), Some(2), "{before}");
        let said = complaints(&output);
        assert_eq!(
            said.matches("cannot convert").count(),
            1,
            "{before}: {said}"
        );
        assert!(
            target.join("a").is_file() && target.join("b.eml").is_file(),
            "{said}"
        );
        assert_eq!(names(&target).len(), before + 3, "{said}");
    }
}

/// Names in a zip file may be longer than a file system allows: they are truncated at a character
/// boundary.
#[test]
fn a_long_name_in_a_zip_file() {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for name in [
        format!("{}/Re {}.eml", "\u{434}".repeat(150), "\u{43F}".repeat(150)),
        "ok.eml".to_owned(),
    ] {
        archive
            .start_file(name, zip::write::SimpleFileOptions::default())
            .unwrap();
        archive.write_all(KOI8).unwrap();
    }
    let archive = archive.finish().unwrap().into_inner();
    let folder = tree(&[("s/old.zip", &archive), ("s/z.eml", KOI8)]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    // 200 octets: 100 letters of two, and "Re ", 96 letters and ".eml", with one octet to spare.
    let long = format!("{}/Re {}.eml", "\u{434}".repeat(100), "\u{43F}".repeat(96));
    assert_eq!(
        names(&target),
        [
            "old/ok.eml".to_owned(),
            format!("old/{long}"),
            "z.eml".to_owned()
        ]
    );
    verify(&source, &target, &["--report", text(&report)]);
    // A single file may have a name too long to derive the journal's name from it.
    let name = "\u{43F}".repeat(120) + ".eml";
    convert(&path("s/z.eml"), &path(&name), &[]);
    assert_eq!(fs::read(path(&name)).unwrap(), KOI8_IN_UTF8.as_bytes());
}

/// The run's journal is at the destination during the run, so no result can have its name.
#[test]
fn a_source_named_like_the_journal_is_refused() {
    let folder = tree(&[("s/.mime-charset-journal", KOI8), ("s/b.eml", KOI8)]);
    let (source, target) = (folder.path().join("s"), folder.path().join("t"));
    for how in [&[][..], &["--force"]] {
        let output = run(&[&["convert", text(&source), text(&target)], how].concat());
        assert_eq!(output.status.code(), Some(2), "{how:?}");
        assert!(complaints(&output).contains("the name is reserved for the journal of a run"));
    }
}

/// A dry run detects two sources with one place, like a real run, and a result in the place of the
/// report. A place may also be that of a folder.
#[test]
fn a_dry_run_reports_conflicting_sources() {
    let zip = zip(&[("b/m.eml", KOI8)]);
    for (files, expected) in [
        (
            [("s/a.eml", KOI8), ("s/a.eml.gz", &gzip(KOI8))],
            "a.eml.gz: two sources map to ",
        ),
        (
            [("s/a", KOI8), ("s/a.zip", &zip)],
            "a.zip: two sources map to ",
        ),
        (
            [
                ("s/a.mbox/b/1.eml", KOI8),
                ("s/a.mbox.gz", &gzip(&mailbox(2))),
            ],
            "a.mbox.gz: two sources map to ",
        ),
        (
            [("s/r.eml", KOI8), ("s/1.eml", PLAIN)],
            "r.eml: its result would have the place of the report, ",
        ),
    ] {
        let folder = tree(&files);
        let (source, target) = (folder.path().join("s"), folder.path().join("t"));
        let report = target.join("r.eml");
        fs::create_dir(&target).unwrap();
        let failure = |how: &[&str]| {
            let arguments = [
                "convert",
                text(&source),
                text(&target),
                "--report",
                text(&report),
            ];
            let output = run(&[&arguments[..], how].concat());
            assert_eq!(output.status.code(), Some(2), "{expected}");
            let said = complaints(&output);
            let line = said.lines().find(|line| line.contains("cannot convert"));
            line.unwrap().to_owned()
        };
        let dry = failure(&["--dry-run"]);
        assert!(dry.contains(expected), "{dry}");
        assert_eq!(failure(&[]), dry);
    }
}
