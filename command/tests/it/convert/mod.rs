//! Runs `convert` and `verify` as a user would, in good conditions and bad ones.

mod interrupted;
mod options;
mod refused;
mod report;
mod verify;

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};

use mime_charset_archive::mbox;
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

/// A folder, in memory if possible, since results are synced file by file.
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

/// Every file below a folder, by its relative path. Files that a concurrent run renames between
/// listing and reading are missing.
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

/// Every folder and file in a folder, and the contents of the files.
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

/// Converts; asserts success.
#[track_caller]
fn convert(source: &Path, destination: &Path, options: &[&str]) -> Output {
    let mut arguments = vec!["convert", text(source), text(destination)];
    arguments.extend(options);
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", complaints(&output));
    output
}

/// Verifies; asserts that the proof holds.
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
    let mut text = String::new();
    let mut report = mime_charset_archive::open_report(report).unwrap();
    report.read_to_string(&mut text).unwrap();
    let line = |line| serde_json::from_str(line).unwrap();
    text.lines().map(line).collect()
}

/// A mailbox with this many messages, every third of them in KOI8-R.
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
fn every_layout_is_converted_to_the_same_layout() {
    let with_separator = [SEPARATOR, KOI8, b"\r\n"].concat();
    let mut compressed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    compressed.write_all(&with_separator).unwrap();
    let compressed = compressed.finish().unwrap();
    let zip = fs::read("../corpus/archive/tree.zip").unwrap();
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
        said.contains("  1 file that is not mail, skipped\n"),
        "{said}"
    );
    let place = source.join("md/tmp/3");
    let undelivered = format!(
        "  1 undelivered file in tmp of a Maildir, skipped\n    {}\n",
        place.display()
    );
    assert!(said.contains(&undelivered), "{said}");
    let lines = lines(&report);
    let skipped = lines
        .iter()
        .find(|line| line["outcome"] == "undelivered")
        .unwrap();
    assert_eq!(skipped["path"], text(&place));
    assert_eq!(skipped["length"], KOI8.len());
    assert!(said.contains("KOI8-R"), "{said}");
    verify(&source, &target, &[]);
    let proof = verify(&source, &target, &["--report", text(&report)]);
    assert!(complaints(&proof).starts_with("proved: "));
}

/// nmh, mh-sequence(5): `.mh_sequences` makes a folder an MH folder, in which a file without a
/// header field is a message too. The result is one as well, so a second conversion loses nothing.
#[test]
fn an_mh_folder_stays_one() {
    let files_of_it: [(&str, &[u8]); 4] = [
        ("mh/.mh_sequences", b"cur: 2\nunseen: 1-2\n"),
        ("mh/1", b"no field\n"),
        ("mh/2", KOI8),
        ("mh/.xmhcache", b"\0"),
    ];
    let folder = tree(&[("s/mail.tar.gz", &tar_gz(&files_of_it))]);
    for (name, octets) in files_of_it {
        let path = folder.path().join("s").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, octets).unwrap();
    }
    let path = |name: &str| folder.path().join(name);
    let report = path("r.jsonl");
    convert(&path("s"), &path("t"), &["--report", text(&report)]);
    let converted = files(&path("t"));
    assert_eq!(
        names(&path("t")),
        [
            "mail/mh/.mh_sequences",
            "mail/mh/1",
            "mail/mh/2",
            "mh/.mh_sequences",
            "mh/1",
            "mh/2"
        ]
    );
    assert_eq!(converted[Path::new("mh/.mh_sequences")], files_of_it[0].1);
    assert_eq!(converted[Path::new("mh/2")], KOI8_IN_UTF8.as_bytes());
    verify(&path("s"), &path("t"), &[]);
    verify(&path("s"), &path("t"), &["--report", text(&report)]);
    let lines = lines(&report);
    let copied = lines.iter().filter(|line| line["outcome"] == "empty");
    assert_eq!(copied.count(), 2);
    convert(&path("t"), &path("u"), &[]);
    assert_eq!(files(&path("u")), converted);
    // The proof reads the copy too.
    fs::write(path("t/mh/.mh_sequences"), "cur: 2\nunseen: 1-3\n").unwrap();
    let output = run(&["verify", text(&path("s")), text(&path("t"))]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    // 7 octets of `cur: 2` and its line ending, 8 of `unseen: `, 2 of `1-`.
    let expected = "mh/.mh_sequences, octet 17: expected 0x32, found 0x33\n";
    assert!(said.ends_with(expected), "{said}");
}

/// A zip file with these files.
fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, octets) in files {
        let how = zip::write::SimpleFileOptions::default();
        zip.start_file(*name, how).unwrap();
        zip.write_all(octets).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A tar file with these files, compressed with gzip.
fn tar_gz(files: &[(&str, &[u8])]) -> Vec<u8> {
    let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut tar = tar::Builder::new(gzip);
    for (name, octets) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(octets.len() as u64);
        tar.append_data(&mut header, name, *octets).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

/// The destination of a zip file is a folder for its members, whether it exists or not.
#[test]
fn a_zip_file_as_the_source_is_a_folder() {
    let files: [(&str, &[u8]); 2] = [("a.eml", KOI8), ("deep/b.mbox", &mailbox(9))];
    a_container_is_a_folder("z.zip", &zip(&files));
}

#[test]
fn a_tar_file_as_the_source_is_a_folder() {
    let files: [(&str, &[u8]); 2] = [("a.eml", KOI8), ("deep/b.mbox", &mailbox(9))];
    a_container_is_a_folder("t.tar.gz", &tar_gz(&files));
    a_container_is_a_folder("mail.tgz", &tar_gz(&files));
}

/// mmdf(5): an MMDF mailbox stays MMDF; only its messages are converted.
#[test]
fn an_mmdf_mailbox_stays_mmdf() {
    let mark = "\u{1}\u{1}\u{1}\u{1}\n".as_bytes();
    let from = b"Subject: two\n\nFrom me\n>From you\n".as_slice();
    let file = |koi8: &[u8]| {
        [
            mark, koi8, mark, mark, SEPARATOR, from, mark, b"\n", mark, koi8, mark,
        ]
        .concat()
    };
    let folder = tree(&[("a.mmdf", &file(KOI8))]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("a.mmdf"), path("b.mmdf"), path("r.jsonl"));
    for jobs in ["1", "4"] {
        convert(&source, &target, &["-j", jobs, "--report", text(&report)]);
        assert_eq!(fs::read(&target).unwrap(), file(KOI8_IN_UTF8.as_bytes()));
        verify(&source, &target, &["--report", text(&report)]);
        verify(&source, &target, &[]);
        fs::remove_file(&target).unwrap();
        fs::remove_file(&report).unwrap();
    }
    // Mismatches are found.
    let wrong = [file(KOI8_IN_UTF8.as_bytes()), b"more".to_vec()].concat();
    for wrong in [wrong, file(KOI8)] {
        fs::write(&target, wrong).unwrap();
        let output = run(&["verify", text(&source), text(&target)]);
        assert_eq!(output.status.code(), Some(1));
    }
}

/// Two sections of Babyl with a message: one that Rmail has not shown yet, and one that it has,
/// with the original header before the line and the visible header after it.
fn babyl(message: &[u8]) -> [Vec<u8>; 2] {
    let body = message.windows(4).position(|octets| octets == b"\r\n\r\n");
    let (header, body) = message.split_at(body.unwrap() + 4);
    let new = b"\x0C\r\n0, unseen,,\r\n*** EOOH ***\r\n".as_slice();
    let shown = b"\x0C\r\n1,, kept,\r\n".as_slice();
    let visible = b"*** EOOH ***\r\nSubject: =?koi8-r?B?8NLJ18XU?=\r\n\r\n".as_slice();
    [
        [new, message, b"\x1F"].concat(),
        [shown, header, visible, body, b"\r\n\x1F"].concat(),
    ]
}

const BABYL_OPTIONS: &[u8] = b"BABYL OPTIONS: -*- rmail -*-\r\nVersion: 5\r\nLabels: kept\r\n\x1F";

/// Emacs 22, `etc/BABYL`: a Babyl mailbox stays Babyl. Its messages are converted; everything else
/// is kept, including visible headers.
#[test]
fn a_babyl_mailbox_stays_babyl() {
    let file = |message: &[u8]| {
        let [new, shown] = babyl(message);
        [
            BABYL_OPTIONS,
            &new,
            &shown,
            &new,
            b"\r\n",
            SEPARATOR,
            message,
        ]
        .concat()
    };
    let folder = tree(&[("RMAIL", &file(KOI8)), ("empty", BABYL_OPTIONS)]);
    let path = |name: &str| folder.path().join(name);
    let (source, target, report) = (path("RMAIL"), path("new"), path("r.jsonl"));
    let expected = file(KOI8_IN_UTF8.as_bytes());
    for jobs in ["1", "4"] {
        convert(&source, &target, &["-j", jobs, "--report", text(&report)]);
        assert_eq!(fs::read(&target).unwrap(), expected);
        verify(&source, &target, &["--report", text(&report)]);
        let proof = verify(&source, &target, &[]);
        assert!(
            complaints(&proof).contains("4 messages"),
            "{}",
            complaints(&proof)
        );
        fs::remove_file(&target).unwrap();
        fs::remove_file(&report).unwrap();
    }
    // Mismatches are found: in a body, in a visible header, and after the last section.
    let damaged = |what: &[u8], from: u8| {
        let mut file = expected.clone();
        let mut found = file
            .windows(what.len())
            .enumerate()
            .filter(|(_, it)| *it == what);
        // In the section with two headers.
        let (at, _) = found.nth(usize::from(from)).unwrap();
        file[at] = b'?';
        (file, format!("octet {at}:"))
    };
    for (wrong, octet) in [
        damaged("Привет".as_bytes(), 1),
        damaged(b"Subject: =?koi8-r", 0),
        damaged(b"kept,\r\n", 0),
        damaged(b"*** EOOH", 1),
    ] {
        fs::write(&target, wrong).unwrap();
        let output = run(&["verify", text(&source), text(&target)]);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(&octet), "{octet} {said}");
    }
    fs::write(&target, [&expected[..], b"more"].concat()).unwrap();
    let output = run(&["verify", text(&source), text(&target)]);
    assert_eq!(output.status.code(), Some(1));

    // A mailbox without messages keeps its options.
    convert(&path("empty"), &path("e"), &["--report", text(&report)]);
    assert_eq!(fs::read(path("e")).unwrap(), BABYL_OPTIONS);
    let proof = verify(&path("empty"), &path("e"), &["--report", text(&report)]);
    assert!(
        complaints(&proof).contains("no messages"),
        "{}",
        complaints(&proof)
    );
    fs::write(path("e"), &BABYL_OPTIONS[..50]).unwrap();
    let output = run(&["verify", text(&path("empty")), text(&path("e"))]);
    assert_eq!(output.status.code(), Some(1));
}

/// Text decoded by Rmail is read as it is, with a warning; the mailbox is not converted.
#[test]
fn a_mailbox_that_rmail_decoded_is_not_converted() {
    let source = Path::new("../corpus/archive/rmail-decoded.babyl");
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let why = "rmail-decoded.babyl#5: Rmail of Emacs decoded its text from cyrillic-koi8-unix";
    let output = run(&["convert", text(source), text(&path("new"))]);
    assert_eq!(output.status.code(), Some(2));
    let said = complaints(&output);
    assert!(said.contains(why) && said.contains("unrmail"), "{said}");
    assert_eq!(names(folder.path()), Vec::<String>::new());
    let output = run(&["inspect", text(source)]);
    assert_eq!(output.status.code(), Some(0));
    let said = complaints(&output);
    assert!(said.contains(why), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("Привет"));
    let output = run(&["survey", text(source)]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(complaints(&output), said);
    // The output of unrmail is converted like any other mail.
    let unrmail = Path::new("../corpus/archive/unrmail.mbox");
    convert(unrmail, &path("new"), &[]);
    let new = fs::read(path("new")).unwrap();
    assert!(String::from_utf8_lossy(&new).contains("\nПривет\n"));
}

fn a_container_is_a_folder(name: &str, good: &[u8]) {
    let folder = tree(&[(name, good), ("there/other.eml", PLAIN)]);
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("empty")).unwrap();
    let source = path(name);
    let mut found = Vec::new();
    for target in ["new", "deep/new", "empty"] {
        let target = path(target);
        let report = path("r.jsonl");
        convert(&source, &target, &["--report", text(&report)]);
        verify(&source, &target, &["--report", text(&report)]);
        verify(&source, &target, &[]);
        found.push(files(&target));
        fs::remove_file(&report).unwrap();
        // A second run uses the same places.
        let again = run(&["convert", text(&source), text(&target)]);
        assert_eq!(again.status.code(), Some(2));
        assert!(complaints(&again).contains("a.eml already exists"));
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
    // Missing and unexpected files are named as for a folder.
    fs::rename(path("new/a.eml"), path("new/c.eml")).unwrap();
    let output = run(&["verify", text(&source), text(&path("new"))]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.contains("a.eml is missing; its source is a.eml in "),
        "{said}"
    );
    assert!(
        said.contains("c.eml does not belong to the source"),
        "{said}"
    );
    // An existing file is not a valid destination.
    let output = run(&[
        "convert",
        text(&source),
        text(&path("there/other.eml")),
        "--force",
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(complaints(&output).contains("expected a folder as destination"));
}

/// A proof counts the same changes as the conversion.
#[test]
fn convert_and_verify_have_the_same_counts() {
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
    for (number, source) in [path("s"), PathBuf::from("../corpus/mail")]
        .iter()
        .enumerate()
    {
        let target = path(&number.to_string());
        let report = path("r.jsonl");
        let sentence = complaints(&convert(source, &target, &["--report", text(&report)]));
        let between = |text: &str, before: &str, after: &str| {
            let (_, text) = text.split_once(before).unwrap();
            text.split_once(after).unwrap().0.to_owned()
        };
        let told = between(&sentence, "changed: ", " relabelled");
        let number = |text: &str| text.split(' ').next().unwrap().parse::<u64>().unwrap();
        let (fields, parts) = told.split_once(" and ").unwrap();
        let (parts, labels) = parts.split_once("; ").unwrap();
        let counts = [fields, parts, labels].map(number);
        for options in [&[][..], &["--report", text(&report)]] {
            let proof = complaints(&verify(source, &target, options));
            let told = between(&proof, "unchanged; ", " relabelled");
            let (fields, parts) = told.split_once(" and ").unwrap();
            let (parts, labels) = parts.split_once(" changed, ").unwrap();
            let (_, labels) = labels.split_once("; ").unwrap();
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
    // Two encoded words in one Subject, a Content-Type, and a Subject with a Content-Type; the body
    // of the last message, and the label of the one before.
    assert_eq!(said[0], [4, 1, 1]);
}

#[test]
fn any_number_of_workers_keeps_the_source_order() {
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
fn quiet_prints_nothing() {
    let folder = tree(&[("a.eml", KOI8)]);
    let (source, target) = (folder.path().join("a.eml"), folder.path().join("b.eml"));
    assert!(convert(&source, &target, &["--quiet"]).stderr.is_empty());
    assert!(verify(&source, &target, &["--quiet"]).stderr.is_empty());
}

/// An Apple Mail file is converted to the message in it, and proved. One with a wrong first line is
/// reported and not written. A message with the same name keeps its place.
#[test]
fn an_emlx_file_is_converted_to_its_message() {
    let message = b"Content-Type: text/plain; charset=koi8-r\n\n\xF0\xD2\xC9\n";
    let emlx = |length: usize| {
        let first = format!("{length}\n");
        [first.as_bytes(), message, b"<?xml version=\"1.0\"?>\n"].concat()
    };
    let right = emlx(message.len());
    let folder = tree(&[("a/1.emlx", &right), ("a/2.emlx", &emlx(message.len() - 2))]);
    let (source, target) = (folder.path().join("a"), folder.path().join("b"));
    let report = folder.path().join("report.jsonl");
    let output = run(&[
        "convert",
        "--report",
        text(&report),
        text(&source),
        text(&target),
    ]);
    assert_ne!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("2.emlx: its message is followed by"),
        "{said}"
    );
    assert!(!target.join("2.eml").exists());
    let converted = fs::read(target.join("1.eml")).unwrap();
    let converted = String::from_utf8(converted).unwrap();
    assert!(converted.ends_with("\n\nПри\n"), "{converted}");

    // Mail uses this name if attachments are in other files.
    fs::rename(source.join("2.emlx"), source.join("3.partial.emlx")).unwrap();
    fs::write(source.join("3.partial.emlx"), &right).unwrap();
    let partial = folder.path().join("p");
    let said = complaints(&convert(&source, &partial, &[]));
    let expected = "  1 message whose attachments Apple Mail keeps in other files\n    ";
    let expected = format!("{expected}{}\n", source.join("3.partial.emlx").display());
    assert!(said.contains(&expected), "{said}");
    assert!(partial.join("3.partial.eml").exists());
    fs::remove_file(source.join("3.partial.emlx")).unwrap();
    let (target, report) = (folder.path().join("c"), folder.path().join("c.jsonl"));
    convert(&source, &target, &["--report", text(&report)]);
    let proof = verify(&source, &target, &["--report", text(&report)]);
    assert_eq!(proof.status.code(), Some(0), "{proof:?}");

    fs::write(source.join("1.eml"), message).unwrap();
    let both = folder.path().join("d");
    let output = run(&["convert", text(&source), text(&both)]);
    assert_ne!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("1.em"), "{said}");
}

/// A mailbox compressed by bzip2 or XZ Utils has the same result as the mailbox itself, and is
/// proved. Nothing is written for a truncated one.
#[test]
fn a_bzip2_or_xz_mailbox_is_converted_and_proved() {
    compressed_mailbox("bz2");
    compressed_mailbox("xz");
}

#[track_caller]
fn compressed_mailbox(extension: &str) {
    let whole = fs::read(format!("../corpus/archive/mboxrd.mbox.{extension}")).unwrap();
    let (a, half) = (
        format!("a.mbox.{extension}"),
        format!("half.mbox.{extension}"),
    );
    let folder = tree(&[(&a, &whole), (&half, &whole[..whole.len() / 4])]);
    let path = |name: &str| folder.path().join(name);
    let report = path("report.jsonl");
    let (source, target) = (path(&a), path("a.mbox"));
    convert(&source, &target, &["--report", text(&report)]);
    let plain = Path::new("../corpus/archive/mboxrd.mbox");
    convert(plain, &path("plain.mbox"), &[]);
    assert_eq!(
        fs::read(&target).unwrap(),
        fs::read(path("plain.mbox")).unwrap()
    );
    let proof = verify(&source, &target, &["--report", text(&report)]);
    assert_eq!(proof.status.code(), Some(0));

    let (source, half) = (path(&half), path("half.mbox"));
    let output = run(&["convert", text(&source), text(&half)]);
    assert_ne!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("its compressed data end too early"), "{said}");
    assert!(!half.exists());
}

#[test]
fn a_second_conversion_changes_nothing() {
    let folder = folder();
    for (number, source) in ["../corpus/mail", "../corpus/archive"].iter().enumerate() {
        for headers in ["--headers=words", "--headers=utf8"] {
            let path = |times| folder.path().join(format!("{number}{headers}{times}"));
            let (once, twice) = (path(1), path(2));
            // A mailbox in several compressions has one result, and an error for each further
            // source.
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

/// A correct Content-Length stays correct, so that programs that trust it find the next message.
#[test]
fn a_content_length_is_updated_with_the_body() {
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
    let bodies: Vec<_> = mbox::read(&result[..])
        .map(|stored| {
            let stored = stored.unwrap();
            let message = &stored.octets()[stored.entry().message()];
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

#[test]
fn a_closed_standard_error_is_ignored() {
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

#[test]
fn the_help_names_the_schema_and_the_statuses() {
    let output = run(&["convert", "--help"]);
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.contains("schema/report.schema.json"), "{help}");
    assert!(Path::new("../schema/report.schema.json").is_file());
}

/// Each help text and manual page has the statuses in the table of README.md.
#[test]
fn the_help_has_the_statuses() {
    let readme = fs::read_to_string("README.md").unwrap();
    let rows = readme.lines().filter_map(|line| line.strip_prefix("| "));
    let documented: Vec<_> = rows
        .filter_map(|row| row.split_once(" | "))
        .filter(|(status, _)| status.parse::<u8>().is_ok())
        .collect();
    let statuses: Vec<_> = documented.iter().map(|(status, _)| *status).collect();
    assert_eq!(statuses, ["0", "1", "2", "130"]);
    for (command, has_one) in [
        ("inspect", false),
        ("detect", false),
        ("explain", false),
        ("convert", true),
        ("verify", true),
        ("survey", false),
        ("export", false),
        ("decode", true),
        ("header", false),
        ("labels", false),
    ] {
        for option in ["-h", "--help"] {
            let help = String::from_utf8(run(&[command, option]).stdout).unwrap();
            let (_, listed) = help.split_once("\nExit status:\n").unwrap();
            let listed: Vec<_> = listed
                .lines()
                .filter_map(|line| line.split_whitespace().next())
                .collect();
            let expected: Vec<_> = statuses
                .iter()
                .filter(|status| has_one || **status != "1")
                .collect();
            assert_eq!(
                listed,
                expected.into_iter().copied().collect::<Vec<_>>(),
                "{command}"
            );
            let is_named = documented[1].1.contains(&format!("`{command}"));
            assert_eq!(is_named, has_one, "{command}");
        }
    }
    let pages = tempfile::tempdir().unwrap();
    run(&["man", text(pages.path())]);
    let page = fs::read_to_string(pages.path().join("mime-charset-verify.1")).unwrap();
    assert!(
        page.contains("Exit status:") && page.contains("a mismatch"),
        "{page}"
    );
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    assert!(help.contains("  1    verify: a mismatch\n"), "{help}");
}
