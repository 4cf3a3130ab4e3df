//! Archives converted and proved through the library's interface.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Read, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use flate2::Compression;
use flate2::write::GzEncoder;
use mime_charset::convert::{Conversion, OnMalformed};
use mime_charset_archive::Error;
use mime_charset_archive::{Convert, End, Event, Mismatch, Verify, convert_mailbox};
use mime_charset_archive::{Existing, Limits, mbox};
use tempfile::TempDir;

/// "П" in KOI8-R is F0, and D0 9F in UTF-8.
const KOI8: &str = "Subject: =?koi8-r?Q?=F0?=\n\nText\n";
const UTF8: &str = "Subject: =?UTF-8?B?0J8=?=\n\nText\n";
const SEPARATOR: &str = "From a@example.org Sat Jan  3 01:05:34 1996\n";

/// EUC-KR has no character FF.
const MALFORMED: &str = "Subject: =?euc-kr?Q?a=FF?=\n\n";

fn never() -> AtomicBool {
    AtomicBool::new(false)
}

/// A mailbox with this many messages, before and after conversion.
fn mailbox(messages: usize) -> (String, String) {
    let of = |message: &str| format!("{SEPARATOR}{message}\n").repeat(messages);
    (of(KOI8), of(UTF8))
}

/// A folder `old` with this many messages, and a mailbox.
fn archive_of(messages: usize) -> TempDir {
    let memory = Path::new("/dev/shm");
    let folder = tempfile::tempdir_in(memory).unwrap_or_else(|_| tempfile::tempdir().unwrap());
    let old = folder.path().join("old");
    fs::create_dir_all(old.join("below")).unwrap();
    for index in 0..messages {
        fs::write(old.join(format!("below/{index:03}.eml")), KOI8).unwrap();
    }
    fs::write(old.join("inbox.mbox"), mailbox(3).0).unwrap();
    folder
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let file = |path: PathBuf| {
        let octets = fs::read(&path).unwrap();
        (path.strip_prefix(folder).unwrap().to_path_buf(), octets)
    };
    let files = mime_charset_archive::files(folder).into_iter();
    files.map(|path| file(path.unwrap())).collect()
}

/// The lines of a report, except those that contain a time.
fn lines(report: &Path) -> Vec<String> {
    let text = fs::read_to_string(report).unwrap();
    let lines = text.lines().map(str::to_owned);
    lines
        .filter(|line| !line.contains("eventDateTime"))
        .collect()
}

#[test]
fn a_folder_is_converted_with_a_report_and_proved() {
    let folder = archive_of(5);
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    let report = folder.path().join("report.jsonl");
    let (mut last, mut total) = ((0, 0), None);
    let outcome = Convert::new(&old, &new)
        .report(&report)
        .run(&never(), |event| {
            if let Event::Progress(done) = event {
                assert!((done.messages, done.octets) >= last);
                last = (done.messages, done.octets);
                total = done.total_octets();
            }
        })
        .unwrap();
    assert_eq!(outcome.end, End::Done);
    assert_eq!(outcome.summary.files, 6);
    assert_eq!(outcome.summary.changed_fields, 5 + 3);
    let octets = 5 * KOI8.len() + mailbox(3).0.len();
    assert_eq!((last, total), ((8, octets as u64), Some(octets as u64)));

    let mut expected: BTreeMap<_, _> = (0..5)
        .map(|index| (PathBuf::from(format!("below/{index:03}.eml")), UTF8.into()))
        .collect();
    expected.insert("inbox.mbox".into(), mailbox(3).1.into_bytes());
    assert_eq!(files(&new), expected);
    // One line for the run, one per message, one for the event.
    assert_eq!(
        fs::read_to_string(&report).unwrap().lines().count(),
        1 + 8 + 1
    );

    let proof = Verify::new(&old, &new)
        .report(&report)
        .run(&never(), |_| ());
    let proof = proof.unwrap();
    assert!(proof.holds());
    assert_eq!((proof.files, proof.messages, proof.fields), (6, 8, 8));
}

/// A run writes each file once, even if it may replace existing files: a second source with the same
/// place, or with the place of the report, fails.
#[test]
fn a_run_writes_each_file_once() {
    let folder = archive_of(1);
    let at = |name: &str| folder.path().join(name);
    let mut twice = GzEncoder::new(Vec::new(), Compression::fast());
    twice.write_all(b"Subject: twice\n\n").unwrap();
    fs::write(at("old/below/000.eml.gz"), twice.finish().unwrap()).unwrap();
    fs::write(at("old/report.jsonl"), "Subject: one\n\nText\n").unwrap();
    fs::create_dir_all(at("new/below")).unwrap();
    fs::write(at("new/below/000.eml"), "old").unwrap();
    let conversion = Convert::new(at("old"), at("new")).report(at("new/report.jsonl"));
    let mut failed = Vec::new();
    let outcome = conversion
        .existing(Existing::Replace)
        .run(&never(), |event| {
            if let Event::Failed(sentence) = event {
                failed.push(sentence.to_owned());
            }
        });
    assert_eq!(outcome.unwrap().end, End::Incomplete);
    let expected = |source: &str, place: &str| {
        let (source, place) = (at(source), at(place));
        format!(
            "cannot convert {}: two sources map to {}; convert them separately, each to its own \
             destination",
            source.display(),
            place.display()
        )
    };
    assert_eq!(
        failed,
        [
            expected("old/below/000.eml.gz", "new/below/000.eml"),
            format!(
                "cannot convert {}: its result would have the place of the report, {}; choose another \
                 file for the report",
                at("old/report.jsonl").display(),
                at("new/report.jsonl").display()
            )
        ]
    );
    assert_eq!(fs::read_to_string(at("new/below/000.eml")).unwrap(), UTF8);
    assert!(lines(&at("new/report.jsonl"))[0].contains("\"run\""));
}

/// Cancelled at any point, by the observer or by another thread, a run leaves complete files, and a
/// resumed run has the result of an uninterrupted one.
#[test]
fn a_cancelled_run_can_be_resumed() {
    let whole = archive_of(40);
    let report_of = |folder: &TempDir| folder.path().join("report.jsonl");
    let convert = |folder: &TempDir| {
        let at = |name| folder.path().join(name);
        // Each message of a folder is a batch of its own.
        Convert::new(at("old"), at("new"))
            .report(report_of(folder))
            .threads(NonZeroUsize::MIN)
    };
    assert_eq!(
        convert(&whole).run(&never(), |_| ()).unwrap().end,
        End::Done
    );
    let expected = files(&whole.path().join("new"));

    for stop in [1, 7, 40] {
        let folder = archive_of(40);
        let cancelled = never();
        let outcome = convert(&folder).run(&cancelled, |event| {
            if let Event::Progress(done) = event
                && done.messages >= stop
            {
                cancelled.store(true, Ordering::Relaxed);
            }
        });
        let outcome = outcome.unwrap();
        assert_eq!(outcome.end, End::Cancelled);
        let new = folder.path().join("new");
        let left = files(&new);
        let mut results = 0;
        for (name, octets) in &left {
            if !name.to_string_lossy().starts_with(".mime-charset-") {
                results += 1;
                assert_eq!(Some(octets), expected.get(name), "{}", name.display());
            }
        }
        assert!(results < expected.len(), "{results} results");
        assert_eq!((results > 0, outcome.has_results), (stop > 1, stop > 1));
        assert!(!report_of(&folder).exists());

        // Without `Existing::Resume`, the run is refused.
        assert!(convert(&folder).run(&never(), |_| ()).is_err());
        let resumed = convert(&folder)
            .existing(Existing::Resume)
            .run(&never(), |_| ());
        let resumed = resumed.unwrap();
        assert_eq!(resumed.end, End::Done);
        assert_eq!(resumed.summary.messages, 43);
        assert_eq!(files(&new), expected);
        let here = |line: String| {
            line.replace(
                folder.path().to_str().unwrap(),
                whole.path().to_str().unwrap(),
            )
        };
        let resumed: Vec<_> = lines(&report_of(&folder)).into_iter().map(here).collect();
        assert_eq!(resumed, lines(&report_of(&whole)));
    }
}

#[test]
fn a_cancelled_proof_does_not_hold() {
    let folder = archive_of(2);
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    Convert::new(&old, &new).run(&never(), |_| ()).unwrap();
    let proof = Verify::new(&old, &new).run(&AtomicBool::new(true), |_| ());
    let proof = proof.unwrap();
    assert!(proof.is_cancelled && !proof.holds());
    assert_eq!((proof.mismatches, proof.unread), (0, 0));
}

fn mismatches(old: &Path, new: &Path) -> Vec<Mismatch> {
    let mut found = Vec::new();
    let proof = Verify::new(old, new).run(&never(), |event| {
        if let Event::Mismatch(mismatch) = event {
            found.push(mismatch.clone());
        }
    });
    assert_eq!(proof.unwrap().mismatches, found.len() as u64);
    found
}

/// Each altered octet of a result is reported with its file, message and offset.
#[test]
fn an_altered_octet_is_reported_with_its_location() {
    let folder = archive_of(0);
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    Convert::new(&old, &new).run(&never(), |_| ()).unwrap();
    assert_eq!(mismatches(&old, &new), []);
    let file = new.join("inbox.mbox");
    let octets = fs::read(&file).unwrap();
    let length = octets.len() / 3;
    // In the text of the second message: `Text`, a line feed and the blank line are at its end.
    for at in [2 * length - 6, 2 * length - 5, 2 * length - 3] {
        let mut altered = octets.clone();
        altered[at] ^= 1;
        fs::write(&file, &altered).unwrap();
        let found = mismatches(&old, &new);
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].file, file);
        assert_eq!(
            (found[0].index, found[0].offset),
            (Some(1), Some(at as u64))
        );
        let (expected, is) = (octets[at], altered[at]);
        let sentence = format!("octet {at}: expected 0x{expected:02X}, found 0x{is:02X}");
        assert_eq!(
            found[0].to_string(),
            format!("{}#1, {sentence}", file.display())
        );
    }
}

#[test]
fn missing_and_unexpected_files_are_reported() {
    let folder = archive_of(2);
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    Convert::new(&old, &new).run(&never(), |_| ()).unwrap();
    fs::remove_file(new.join("below/001.eml")).unwrap();
    fs::write(new.join("extra.eml"), UTF8).unwrap();
    let found = mismatches(&old, &new);
    let places: Vec<_> = found
        .iter()
        .map(|it| (it.file.as_path(), it.index, it.offset))
        .collect();
    let (missing, extra) = (new.join("below/001.eml"), new.join("extra.eml"));
    assert_eq!(
        places,
        [
            (missing.as_path(), None, None),
            (extra.as_path(), None, None)
        ]
    );
}

#[test]
fn a_mailbox_is_converted_from_stream_to_stream() {
    let (old, new) = mailbox(3);
    let mut result = Vec::new();
    let mut done = 0;
    let outcome = convert_mailbox(
        mbox::read(old.as_bytes()),
        &mut result,
        &Conversion::new(),
        &never(),
        |event| {
            let Event::Progress(progress) = event else {
                panic!("{event:?}")
            };
            done = progress.octets;
            assert_eq!(progress.total_octets(), None);
        },
    );
    let outcome = outcome.unwrap();
    assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 3));
    assert_eq!(
        (String::from_utf8(result).unwrap(), done),
        (new, old.len() as u64)
    );
}

/// A stream and a file have the same result, for each mailbox of the corpus whose dialect can be
/// determined without reading the whole file.
#[test]
fn a_stream_and_a_file_have_the_same_result() {
    let folder = tempfile::tempdir().unwrap();
    let mut compared = 0;
    for source in mime_charset_archive::sources("../corpus/archive".as_ref(), Limits::new()) {
        let Ok(source) = source else { continue };
        if source.format() != mime_charset_archive::Format::Mbox {
            continue;
        }
        let mut octets = Vec::new();
        let Ok(mut file) = source.open() else {
            continue;
        };
        if file.read_to_end(&mut octets).is_err() {
            continue;
        }
        let (old, new) = (
            folder.path().join("old.mbox"),
            folder.path().join("new.mbox"),
        );
        fs::write(&old, &octets).unwrap();
        let convert = Convert::new(&old, &new).existing(Existing::Replace);
        let mut why = String::new();
        convert
            .run(&never(), |event| {
                if let Event::Failed(sentence) = event {
                    sentence.clone_into(&mut why);
                }
            })
            .unwrap();
        let is_mboxcl2 = mbox::is_mboxcl2(octets.as_slice()).unwrap();
        let mut reader = mbox::read(octets.as_slice());
        if is_mboxcl2 {
            reader = reader.dialect(mbox::Dialect::Mboxcl2);
        }
        let mut result = Vec::new();
        let done = convert_mailbox(reader, &mut result, &Conversion::new(), &never(), |_| ());
        if let Err(error) = done {
            // If both fail, they fail for the same reason.
            let (_, reason) = why.rsplit_once("old.mbox").unwrap_or_default();
            assert_eq!(error.to_string(), format!("cannot convert {reason}"));
            continue;
        }
        assert!(result == fs::read(&new).unwrap(), "{source}");
        compared += 1;
    }
    assert!(compared >= 3, "{compared} mailboxes");
}

/// An endless stream is read only as far as needed.
#[test]
fn a_cancelled_stream_ends_after_a_complete_message() {
    let one = mailbox(1);
    let cancelled = never();
    let mut result = Vec::new();
    let endless = Endless(Cursor::new(one.0.clone().into_bytes()));
    let outcome = convert_mailbox(
        mbox::read(endless),
        &mut result,
        &Conversion::new(),
        &cancelled,
        |event| {
            if let Event::Progress(done) = event {
                cancelled.store(done.messages == 1000, Ordering::Relaxed);
            }
        },
    );
    let outcome = outcome.unwrap();
    assert_eq!(
        (outcome.end, outcome.summary.messages),
        (End::Cancelled, 1000)
    );
    assert_eq!(String::from_utf8(result).unwrap(), one.1.repeat(1000));
}

struct Endless(Cursor<Vec<u8>>);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        if length > 0 {
            return Ok(length);
        }
        self.0.set_position(0);
        self.0.read(buffer)
    }
}

/// A disk that is full after this many octets.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        if octets.len() > self.0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.0 -= octets.len();
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A stream whose reads fail.
struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::ConnectionReset.into())
    }
}

#[test]
fn failing_streams_are_errors() {
    let (old, _) = mailbox(3);
    let convert = |from: &mut dyn Read, to: &mut dyn Write| {
        convert_mailbox(mbox::read(from), to, &Conversion::new(), &never(), |_| ()).unwrap_err()
    };
    let full = convert(&mut old.as_bytes(), &mut Full(100));
    assert_eq!(full.io_kind(), Some(io::ErrorKind::StorageFull));
    let broken = convert(&mut old.as_bytes().chain(Broken), &mut io::sink());
    assert_eq!(broken.io_kind(), Some(io::ErrorKind::ConnectionReset));
    assert!(
        broken.to_string().starts_with("cannot read the mailbox: "),
        "{broken}"
    );
    let reader = mbox::read(old.as_bytes()).longest(50);
    let long = convert_mailbox(reader, io::sink(), &Conversion::new(), &never(), |_| ());
    assert_eq!(long.unwrap_err().io_kind(), None);
}

#[test]
fn a_malformed_message_ends_a_run_that_fails_on_malformed() {
    let folder = archive_of(2);
    let old = folder.path().join("old");
    fs::write(old.join("zzz.eml"), MALFORMED).unwrap();
    let fail = Conversion {
        on_malformed: OnMalformed::Fail,
        ..Conversion::new()
    };
    let mut sentences = Vec::new();
    let outcome = Convert::new(&old, folder.path().join("new"))
        .options(fail)
        .run(&never(), |event| {
            if let Event::Malformed(sentence) = event {
                sentences.push(sentence.to_owned());
            }
        });
    assert_eq!(outcome.unwrap().end, End::Malformed);
    assert_eq!(sentences.len(), 1);
    assert!(sentences[0].contains("zzz.eml"), "{}", sentences[0]);
    assert!(!folder.path().join("new/zzz.eml").exists());
}

/// A file that cannot be read does not affect the others.
#[test]
fn a_file_that_cannot_be_read_is_an_event() {
    let folder = archive_of(2);
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    // The magic number of gzip (RFC 1952, section 2.3.1), and nothing after it.
    fs::write(old.join("cut.gz"), [0x1F, 0x8B, 8, 0]).unwrap();
    let mut failed = Vec::new();
    let outcome = Convert::new(&old, &new).run(&never(), |event| {
        if let Event::Failed(sentence) = event {
            failed.push(sentence.to_owned());
        }
    });
    let outcome = outcome.unwrap();
    assert_eq!(
        (outcome.end, outcome.summary.messages),
        (End::Incomplete, 5)
    );
    assert!(
        failed.len() == 1 && failed[0].contains("cut.gz"),
        "{failed:?}"
    );
    let mut unread = 0;
    let proof = Verify::new(&old, &new).run(&never(), |event| {
        unread += u64::from(matches!(event, Event::Failed(_)));
    });
    let proof = proof.unwrap();
    assert_eq!((proof.unread, unread, proof.messages), (1, 1, 5));
}

/// A complete file that cannot be renamed counts as not converted. The others are converted, the
/// report has it in its place, and a resumed run ends as if nothing had been in the way.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_renamed_is_an_event() {
    let (whole, folder) = (archive_of(3), archive_of(3));
    let convert = |folder: &TempDir| {
        let at = |name| folder.path().join(name);
        Convert::new(at("old"), at("new"))
            .report(at("report.jsonl"))
            .threads(NonZeroUsize::MIN)
    };
    let outcome = convert(&whole).run(&never(), |_| ()).unwrap();
    assert_eq!(outcome.end, End::Done);
    let expected = files(&whole.path().join("new"));

    let (new, report) = (
        folder.path().join("new"),
        folder.path().join("report.jsonl"),
    );
    let first = new.join(expected.keys().next().unwrap());
    let mut failed = Vec::new();
    let outcome = convert(&folder).run(&never(), |event| match event {
        // The file is complete by now, and waits to be renamed.
        Event::Progress(done) if done.messages == 2 => {
            fs::write(&first, "of somebody else").unwrap();
        }
        Event::Failed(sentence) => failed.push(sentence.to_owned()),
        _ => (),
    });
    let outcome = outcome.unwrap();
    let numbers = (outcome.end, outcome.summary.messages);
    assert_eq!(numbers, (End::Incomplete, 5), "{failed:?}");
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].contains("already exists"), "{failed:?}");
    assert_eq!(fs::read(&first).unwrap(), b"of somebody else");
    let found = lines(&report);
    assert_eq!(found.len(), lines(&whole.path().join("report.jsonl")).len());
    // After the line of the run, since it is the first file.
    assert!(found[1].contains("already exists"), "{}", found[1]);

    fs::remove_file(&first).unwrap();
    let resumed = convert(&folder).existing(Existing::Resume);
    let resumed = resumed.run(&never(), |_| ()).unwrap();
    let numbers = (resumed.end, resumed.summary.messages);
    assert_eq!(numbers, (End::Done, 6));
    assert_eq!(files(&new), expected);
    let (here, there) = (folder.path().to_str(), whole.path().to_str());
    let moved = |line: String| line.replace(here.unwrap(), there.unwrap());
    let resumed: Vec<_> = lines(&report).into_iter().map(moved).collect();
    assert_eq!(resumed, lines(&whole.path().join("report.jsonl")));
}

/// Invalid paths are errors and leave no files.
#[test]
fn invalid_paths_are_errors() {
    let folder = archive_of(1);
    let at = |name: &str| folder.path().join(name);
    fs::write(at("file"), "Subject: x\n\n").unwrap();
    let before = files(folder.path());
    let convert = |source: &str, destination: &str| Convert::new(at(source), at(destination));
    let refused: [(&str, Convert); 9] = [
        ("the source is missing", convert("nowhere", "new")),
        ("the destination is the source", convert("old", "old")),
        (
            "the destination is in the source",
            convert("old", "old/new"),
        ),
        (
            "the source is in the destination",
            convert("old/below", "old"),
        ),
        ("a folder to a file", convert("old", "file")),
        ("a folder below a file", convert("old", "file/new")),
        (
            "the report is in the source",
            convert("old", "new").report(at("old/r")),
        ),
        (
            "the report is the destination",
            convert("old", "new").report(at("new")),
        ),
        (
            "the report has no folder",
            convert("old", "new").report(at("no/r")),
        ),
    ];
    for (what, convert) in refused {
        let error: Error = convert.run(&never(), |_| ()).expect_err(what);
        assert!(!error.to_string().is_empty());
        assert_eq!(files(folder.path()), before, "{what}");
        assert!(!at("new").exists(), "{what}");
    }
    let missing = Convert::new(at("nowhere"), at("new")).run(&never(), |_| ());
    assert_eq!(
        missing.unwrap_err().io_kind(),
        Some(io::ErrorKind::NotFound)
    );

    let verify = |source: &str, destination: &str| Verify::new(at(source), at(destination));
    let refused: [(&str, Verify); 4] = [
        ("the source is missing", verify("nowhere", "new")),
        ("the destination is the source", verify("old", "old")),
        (
            "the report is missing",
            verify("old", "new").report(at("no/r")),
        ),
        (
            "the report is none",
            verify("old", "new").report(at("file")),
        ),
    ];
    for (what, verify) in refused {
        verify.run(&never(), |_| ()).expect_err(what);
    }
    // A missing destination is an error of each file.
    let proof = verify("old", "new").run(&never(), |_| ()).unwrap();
    assert_eq!((proof.messages, proof.mismatches), (0, 2));
}

/// A read-only folder. Root may write to any folder, but not to a file system that does not support
/// it, such as /proc.
#[cfg(target_os = "linux")]
#[test]
fn a_destination_that_cannot_be_written_is_an_error() {
    let folder = archive_of(1);
    let convert = Convert::new(folder.path().join("old"), "/proc/mime-charset");
    let error = convert.run(&never(), |_| ()).unwrap_err();
    assert!(error.io_kind().is_some(), "{error}");
    let report = Convert::new(folder.path().join("old"), folder.path().join("new"))
        .report("/proc/mime-charset.jsonl");
    assert!(report.run(&never(), |_| ()).is_err());
    assert!(!folder.path().join("new").exists());
}
