//! Runs of `convert` that were killed, truncated or refused midway, and resumed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

use super::{
    BINARY, KOI8, KOI8_IN_UTF8, PLAIN, complaints, convert, files, lines, mailbox, names, run,
    text, tree, verify, zip,
};

#[test]
fn a_run_on_a_zip_file_is_resumed() {
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

#[test]
fn a_dry_run_does_not_touch_an_interrupted_run() {
    let unfinished = Unfinished::new();
    unfinished.put_back();
    let left = files(unfinished.folder.path());
    let dry = unfinished.path("dry.jsonl");
    let (source, target) = (unfinished.path("s"), unfinished.path("t"));
    fs::remove_file(unfinished.path("r.jsonl")).unwrap();
    // With the same path as the other run's report.
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
    // The report of a dry run never blocks another run.
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

/// A resumed run replaces the report that it left, but no other report of that name.
#[test]
fn a_resumed_run_replaces_only_its_own_report() {
    let unfinished = Unfinished::new();
    unfinished.put_back();
    let report = unfinished.path("r.jsonl");
    fs::write(&report, "of somebody else").unwrap();
    let before = files(unfinished.folder.path());
    let output = unfinished.run(&["--resume"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("r.jsonl already exists"));
    assert_eq!(files(unfinished.folder.path()), before);
    fs::remove_file(&report).unwrap();
    assert_eq!(unfinished.run(&["--resume"]).status.code(), Some(0));
    assert_eq!(unfinished.found(), unfinished.whole);
}

/// Runs the command with a limit on the file size, in blocks; with or without ignoring the signal
/// for exceeding it.
#[cfg(unix)]
fn run_limited(blocks: usize, ignore: bool, arguments: &[&str]) -> Output {
    let trap = if ignore { "trap '' XFSZ; " } else { "" };
    let script = format!("ulimit -c 0; {trap}ulimit -f {blocks}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", BINARY]).args(arguments);
    command.output().unwrap()
}

/// Runs the command with this folder as a disk of `size` KiB, and copies the contents left on it to
/// `FOLDER.left`. `None` if the system does not allow such a mount.
#[cfg(target_os = "linux")]
fn run_on_small_disk(size: usize, folder: &Path, arguments: &[&str]) -> Option<Output> {
    const NONE: i32 = 99;
    let folder = text(folder);
    let script = format!(
        "mount -t tmpfs -o size={size}k none '{folder}' || exit {NONE}
         \"$@\"; status=$?
         cp -a '{folder}' '{folder}.left' && exit $status"
    );
    let mut command = Command::new("unshare");
    command.args(["-rm", "sh", "-c", &script, "sh", BINARY]);
    let output = command.args(arguments).output().ok()?;
    // unshare itself fails with 1.
    let is_there = !matches!(output.status.code(), Some(1 | NONE));
    is_there.then_some(output)
}

/// A full disk affects all files: it ends the run with one error and damages nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_one_error_and_loses_nothing() {
    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("s/b.mbox", &mailbox(400)),
        ("s/c.eml", KOI8),
        ("disk/.keep", b""),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, target) = (path("s"), path("disk/t"));
    let arguments = ["convert", text(&source), text(&target)];
    let Some(output) = run_on_small_disk(32, &path("disk"), &arguments) else {
        eprintln!("skipped: no file system of its own to be had");
        return;
    };
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    assert!(said.starts_with("mime-charset: cannot write "), "{said}");
    assert!(said.contains("No space left"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    let left = path("disk.left/t");
    assert_eq!(names(&left), [".mime-charset-journal", "a.eml"]);
    let found = fs::read(left.join("a.eml")).unwrap();
    assert_eq!(found, KOI8_IN_UTF8.as_bytes());
    // On a larger disk the run is resumed.
    fs::rename(left, &target).unwrap();
    convert(&source, &target, &["--resume"]);
    assert_eq!(names(&target), ["a.eml", "b.mbox", "c.eml"]);
    verify(&source, &target, &[]);
}

/// A file that exceeds the maximum file length of the file system or process affects no other: no
/// part of it is left, and the others are converted.
#[cfg(unix)]
#[test]
fn a_file_that_is_too_long_does_not_affect_others() {
    let folder = tree(&[
        ("s/a.eml", KOI8),
        ("s/b.mbox", &mailbox(400)),
        ("s/c.eml", KOI8),
    ]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    for how in [&[][..], &["--report", text(&report)]] {
        let arguments = [&["convert", text(&source), text(&target)], how].concat();
        let output = run_limited(16, true, &arguments);
        assert_eq!(output.status.code(), Some(2));
        let said = complaints(&output);
        let first = said.lines().next().unwrap_or_default();
        let sentence = format!(
            "mime-charset: cannot convert {}",
            path("s/b.mbox").display()
        );
        assert!(first.starts_with(&sentence), "{said}");
        assert_eq!(
            names(&target),
            [".mime-charset-journal", "a.eml", "c.eml"],
            "{said}"
        );
        convert(&source, &target, &[how, &["--resume"]].concat());
        assert_eq!(names(&target), ["a.eml", "b.mbox", "c.eml"]);
        verify(&source, &target, how);
        fs::remove_dir_all(&target).unwrap();
    }
}

/// A disk that is full from the start is left unchanged.
#[cfg(unix)]
#[test]
fn a_disk_that_was_already_full_is_unchanged() {
    let folder = tree(&[("s/a.eml", KOI8)]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    for how in [&[][..], &["--report", text(&report)]] {
        let output = run_limited(
            0,
            true,
            &[&["convert", text(&source), text(&target)], how].concat(),
        );
        assert_eq!(output.status.code(), Some(2), "{how:?}");
        assert_eq!(complaints(&output).lines().count(), 1, "{how:?}");
        assert!(!target.exists(), "{how:?}");
        assert_eq!(names(folder.path()), ["s/a.eml"], "{how:?}");
    }
}

/// A run is killed when a file exceeds a size limit, so it may be writing a result, the report or
/// the journal.
#[cfg(unix)]
#[test]
fn a_run_killed_at_any_size_is_resumed() {
    check_killed_at_any_size("r.jsonl");
}

#[cfg(unix)]
#[test]
fn a_killed_run_with_a_compressed_report_is_resumed() {
    check_killed_at_any_size("r.jsonl.zst");
}

#[cfg(unix)]
fn check_killed_at_any_size(report: &str) {
    let part = format!("{report}.part");
    let boxes: Vec<_> = (0..12).map(|number| mailbox(number * number)).collect();
    let named: Vec<_> = (0..12)
        .map(|number| format!("s/{:02}.mbox", (number * 7) % 12))
        .collect();
    let mut listed: Vec<(&str, &[u8])> = named
        .iter()
        .zip(&boxes)
        .map(|(name, octets)| (name.as_str(), octets.as_slice()))
        .collect();
    // Results of a Maildir are renamed 64 at a time.
    let delivered: Vec<_> = (0..500)
        .map(|number| format!("s/md/cur/{number}:2,S"))
        .collect();
    listed.extend(delivered.iter().map(|name| (name.as_str(), KOI8)));
    listed.push(("s/md/new/2", PLAIN));
    let folder = tree(&listed);
    let source = folder.path().join("s");
    let report = folder.path().join(report);
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
        let _ = fs::remove_file(folder.path().join(&part));
    };
    assert_eq!(run(&arguments).status.code(), Some(0));
    let expected = whole(&target);
    let (mut killed, mut done) = (0, Vec::new());
    for blocks in [
        0, 1, 2, 3, 4, 6, 8, 10, 14, 18, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 640, 704,
        768, 832, 896, 960, 1024, 1152, 1216, 1280,
    ] {
        clear();
        let output = run_limited(blocks, false, &arguments);
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
        // Killed again, a little later, and then left to finish.
        run_limited(
            blocks + blocks / 4 + 1,
            false,
            &[&arguments[..], &["--resume"]].concat(),
        );
        if target.join(".mime-charset-journal").exists() || !report.exists() {
            let output = run(&[&arguments[..], &["--resume"]].concat());
            assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
        }
        assert_eq!(whole(&target), expected, "{blocks}");
        assert!(!folder.path().join(&part).exists());
    }
    done.dedup();
    assert!(killed >= 6 && done.len() >= 3, "{killed} {done:?}");
}

/// A run is killed once a number of results exist, at whatever it is doing then.
#[test]
fn a_run_killed_at_any_time_is_resumed() {
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

/// An unfinished run, with the files it has left: results, report, journal.
struct Unfinished {
    folder: TempDir,
    /// The name of the report.
    report: &'static str,
    left: BTreeMap<PathBuf, Vec<u8>>,
    /// The result of an uninterrupted run on the same source.
    whole: (BTreeMap<PathBuf, Vec<u8>>, Vec<String>),
}

impl Unfinished {
    fn new() -> Self {
        Unfinished::with_report("r.jsonl")
    }

    fn with_report(report: &'static str) -> Self {
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
            report,
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

    /// The name of the unfinished report.
    fn part(&self) -> String {
        format!("{}.part", self.report)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, more: &[&str]) -> Output {
        let (source, target) = (self.path("s"), self.path("t"));
        let report = self.path(self.report);
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
        let _ = fs::remove_file(self.path(self.report));
        let _ = fs::remove_file(self.path(&self.part()));
    }

    /// The results, and the lines of the report; the last one is the summary only.
    fn found(&self) -> (BTreeMap<PathBuf, Vec<u8>>, Vec<String>) {
        let mut report = String::new();
        let mut file = mime_charset_archive::open_report(&self.path(self.report)).unwrap();
        file.read_to_string(&mut report).unwrap();
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

    /// Resumes the run with `name` replaced by these octets, and expects the result of an
    /// uninterrupted run.
    #[track_caller]
    fn assert_resumes(&self, name: &str, octets: &[u8], what: &str) {
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
        assert!(!self.path(&self.part()).exists(), "{what}");
    }

    /// Resumes with a file that is truncated at `cut`, has zeros from there on, or has `hole` zeros
    /// there.
    fn survives(&self, name: &str, octets: &[u8], cut: usize, hole: usize) {
        self.assert_resumes(name, &octets[..cut], &format!("cut at {cut}"));
        let mut zeros = octets.to_vec();
        zeros[cut..].fill(0);
        self.assert_resumes(name, &zeros, &format!("zeros from {cut}"));
        let mut holed = octets.to_vec();
        holed[cut..(cut + hole).min(octets.len())].fill(0);
        self.assert_resumes(name, &holed, &format!("zeros at {cut}"));
    }
}

/// A power failure may lose the last writes, or leave zeros in their place.
#[test]
fn a_run_with_a_truncated_report_is_resumed() {
    let unfinished = Unfinished::new();
    let part = unfinished.left[Path::new("r.jsonl.part")].clone();
    let end = part.len();
    let near = [0, 1, 2, 60, 100, 154, 155, 156, 200, 400].map(|less| end - less);
    for cut in near.into_iter().chain((0..end).step_by(end / 23)) {
        unfinished.survives("r.jsonl.part", &part, cut, 512);
    }
}

/// The lines of an unfinished run are not compressed, so that truncation or a hole costs only the
/// sources it touches. A run killed between finishing the report and deleting the journal takes its
/// lines from the compressed report.
#[test]
fn a_run_with_a_truncated_compressed_report_is_resumed() {
    for (report, magic) in [("r.jsonl.gz", [0x1F, 0x8B]), ("r.jsonl.zst", [0x28, 0xB5])] {
        let unfinished = Unfinished::with_report(report);
        let part = unfinished.left[Path::new(&unfinished.part())].clone();
        assert!(part.starts_with(b"{\"record\":\"run\""));
        let end = part.len();
        for cut in [0, 1, end / 3, end / 2, end - 200, end - 1] {
            unfinished.survives(&unfinished.part(), &part, cut, 512);
        }
        let whole = fs::read(unfinished.path(report)).unwrap();
        // RFC 1952, section 2.3.1; RFC 8878, section 3.1.1.
        assert!(whole.starts_with(&magic), "{report}");
        unfinished.put_back();
        fs::remove_file(unfinished.path(&unfinished.part())).unwrap();
        let output = unfinished.run(&["--resume"]);
        assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
        assert_eq!(unfinished.found(), unfinished.whole);
        let again = unfinished.run(&["--resume"]);
        assert!(complaints(&again).contains("nothing to do"));
    }
}

/// Results are synced before they are renamed, but the journal is not: its end may be lost although
/// the results exist.
#[test]
fn a_run_with_a_truncated_journal_is_resumed() {
    let unfinished = Unfinished::new();
    let name = "t/.mime-charset-journal";
    let journal = unfinished.left[Path::new(name)].clone();
    let first = memchr::memchr(b'\n', &journal).unwrap() + 1;
    let end = journal.len();
    for cut in (first..end).step_by(end / 29).chain([end - 1, end]) {
        unfinished.survives(name, &journal, cut, 64);
    }
}

/// Of files that the journal does not list, the run accepts only those with the octets it would
/// write.
#[test]
fn a_resumed_run_keeps_unrelated_files() {
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
    assert!(complaints(&output).contains("b.eml already exists"));
    assert_eq!(fs::read(&own).unwrap(), other);
    let failed: Vec<_> = lines(&unfinished.path("r.jsonl"))
        .into_iter()
        .filter(|line| line["outcome"] == "failed")
        .collect();
    assert_eq!(failed.len(), 1, "{failed:?}");
    // Once that file is out of the way, the run resumes.
    fs::remove_file(&own).unwrap();
    assert_eq!(unfinished.run(&["--resume"]).status.code(), Some(0));
    assert_eq!(unfinished.found(), unfinished.whole);
}

#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_partial_file() {
    // More than can be converted between the creation of its result and the signal.
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
            "mime-charset: interrupted; continue with --resume\n"
        );
        assert_eq!(names(&target), [".mime-charset-journal", "a.eml"]);
        // A source that was not converted is read again.
        fs::write(source.join("b.mbox"), &short).unwrap();
        convert(&source, &target, &["--resume"]);
        assert_eq!(names(&target), ["a.eml", "b.mbox"]);
        verify(&source, &target, &[]);
        fs::remove_dir_all(&target).unwrap();
    }
}

#[test]
fn a_run_is_resumed_only_with_the_same_settings() {
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
    assert!(complaints(&output).contains("an interrupted run left its journal"));
    let output = run(&[&arguments[..], &["--resume", "--attachments"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    let expected = format!(
        "mime-charset: the settings (attachments=true) differ from those of the interrupted run \
         (attachments=false): {}; --force starts over\n",
        target.join(".mime-charset-journal").display()
    );
    assert_eq!(said, expected);
    let report = folder.path().join("r.jsonl");
    let output = run(&[&arguments[..], &["--resume", "--report", text(&report)]].concat());
    assert_eq!(output.status.code(), Some(2));
    let expected = format!("the settings (report={report:?}, source={source:?}, ");
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

/// Even if a source is named like an unfinished file.
#[test]
fn a_complete_run_is_not_resumed() {
    let folder = tree(&[("s/a.eml", KOI8), ("s/.mime-charset-1.part", KOI8)]);
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
    // Neither a result nor an interrupted run exists yet.
    assert_eq!(run(&arguments).status.code(), Some(0));
    let before = files(folder.path());
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0));
    assert!(complaints(&output).starts_with("nothing to do: "));
    assert_eq!(files(folder.path()), before);
    // With other settings, or without the report that shows it was complete, it may be any folder.
    let without = [&arguments[..3], &["--resume"]].concat();
    let with_others = [&arguments[..], &["--attachments"]].concat();
    for other in [&without, &with_others] {
        let output = run(other);
        assert_eq!(output.status.code(), Some(2));
        let said = complaints(&output);
        assert!(said.contains("nothing to resume in "), "{said}");
        assert_eq!(files(folder.path()), before);
    }
}

/// A killed run has written no report: `verify` says so, names the unfinished one, and how to
/// continue. The journal is a mismatch, and so are files with other octets.
#[test]
fn the_proof_names_the_files_of_a_killed_run() {
    let unfinished = Unfinished::new();
    unfinished.put_back();
    let (source, target) = (unfinished.path("s"), unfinished.path("t"));
    let report = unfinished.path("r.jsonl");
    fs::remove_file(&report).unwrap();
    let arguments = ["verify", text(&source), text(&target)];
    let output = run(&[&arguments[..], &["--report", text(&report)]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    let expected = "r.jsonl.part; --resume continues an interrupted run, --force starts over\n";
    assert!(said.ends_with(expected), "{said}");
    fs::rename(source.join("z.eml.gz"), unfinished.path("z.eml.gz")).unwrap();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(1));
    let found = String::from_utf8_lossy(&output.stdout);
    let expected = ".mime-charset-journal was left by an unfinished run; resume that run\n";
    assert!(
        found.ends_with(expected) && found.lines().count() == 1,
        "{found}"
    );
    let said = complaints(&output);
    assert!(said.contains("not proved: 1 mismatch; correct: "), "{said}");
}

/// The advice for an unfinished run works.
#[test]
fn the_suggested_next_step_works() {
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
            said.ends_with(" to use another --on-malformed, start over with --force\n"),
            "{said}"
        );
        // Repeating the command, or changing its settings, is refused; following the advice is
        // accepted.
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
    // --resume cannot continue a run that replaces existing files.
    fs::create_dir_all(&target).unwrap();
    fs::write(target.join("b.eml"), "old").unwrap();
    fs::write(source.join("a.gz"), b"\x1F\x8B\x08\0\0\0\0\0\0\x03").unwrap();
    let output = run(&[without, &["--force"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    assert!(
        said.ends_with(" --exclude or --accept-unread, then run the same command to start over\n"),
        "{said}"
    );
    fs::remove_file(source.join("a.gz")).unwrap();
    convert(&source, &target, &["--force"]);
    verify(&source, &target, &[]);
}

/// A run converted one of two sources with the same place, because the other could not be read.
/// When resumed, it does not confuse the two.
#[cfg(unix)]
#[test]
fn a_resumed_run_knows_which_of_two_sources_was_converted() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(KOI8).unwrap();
    let folder = tree(&[("s/a.eml.gz", &gzip.finish().unwrap()), ("s/b.eml", KOI8)]);
    let path = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("../later", path("s/a.eml")).unwrap();
    let (source, target, report) = (path("s"), path("t"), path("r.jsonl"));
    let convert = |how: &[&str]| {
        let what = [
            "convert",
            text(&source),
            text(&target),
            "--report",
            text(&report),
        ];
        let output = run(&[&what, how].concat());
        assert_eq!(output.status.code(), Some(2));
        complaints(&output)
    };
    let said = convert(&[]);
    assert!(said.contains("s/a.eml is a link"), "{said}");
    fs::write(path("later"), PLAIN).unwrap();
    for _ in 0..2 {
        let said = convert(&["--resume"]);
        assert!(
            said.contains("s/a.eml: ") && said.contains("t/a.eml already exists"),
            "{said}"
        );
        assert_eq!(fs::read(path("t/a.eml")).unwrap(), KOI8_IN_UTF8.as_bytes());
        let lines = lines(&report);
        let of = |name: &str, key: &str| {
            let there = |line: &&Value| {
                line["source"]["path"] == text(&path(name)) || line["path"] == text(&path(name))
            };
            lines
                .iter()
                .filter(there)
                .filter(|line| !line[key].is_null())
                .count()
        };
        assert_eq!(
            (of("s/a.eml", "outcome"), of("s/a.eml.gz", "outcome")),
            (1, 0),
            "{lines:?}"
        );
    }
}

/// Runs of single files share a folder: none deletes the unfinished files of another.
#[test]
fn runs_of_single_files_do_not_affect_each_other() {
    let folder = tree(&[
        ("a.eml", KOI8),
        ("t/.mime-charset-b.eml.abc123.part", b"begun"),
    ]);
    let path = |name: &str| folder.path().join(name);
    let own = "t/.mime-charset-c.eml.abc123.part";
    for how in ["--force", "--resume"] {
        fs::write(path(own), b"left").unwrap();
        convert(&path("a.eml"), &path("t/c.eml"), &[how]);
        assert!(path("t/.mime-charset-b.eml.abc123.part").exists(), "{how}");
        assert!(!path(own).exists(), "{how}");
        fs::remove_file(path("t/c.eml")).unwrap();
    }
}
