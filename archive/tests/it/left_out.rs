//! Files that are not read: reported or left out as the caller chooses, and listed in the report,
//! so that a run can still succeed.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use mime_charset_archive::{
    Convert, End, Event, Existing, Format, Limits, Outcome, Proof, Selection, Verify, sources,
};
use serde_json::Value;

const MAIL: &[u8] = b"Subject: =?koi8-r?Q?=F0?=\n\ntext\n";

fn run(conversion: &Convert) -> Outcome {
    conversion.run(&AtomicBool::new(false), |_| ()).unwrap()
}

fn prove(comparison: &Verify) -> Proof {
    comparison.run(&AtomicBool::new(false), |_| ()).unwrap()
}

/// The lines of a report about files: outcome and name, length and detail.
fn left_out(report: &Path) -> Vec<(String, Option<u64>, String)> {
    let report = fs::read_to_string(report).unwrap();
    let lines = report
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let files = lines.filter(|line| line["record"] == "file");
    files
        .map(|file| {
            let text = |key: &str| file[key].as_str().unwrap().to_owned();
            let path = text("path");
            let name = path.rsplit('/').next().unwrap().to_owned();
            assert_eq!(file.get("length").is_some(), file.get("sha256").is_some());
            let outcome = format!("{} {name}", text("outcome"));
            (outcome, file["length"].as_u64(), text("detail"))
        })
        .collect()
}

fn tar_of(link: bool) -> Vec<u8> {
    tar_with(&["inside.eml"], link)
}

fn tar_with(names: &[&str], link: bool) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for name in names {
        let mut header = tar::Header::new_gnu();
        header.set_size(MAIL.len() as u64);
        header.set_mode(0o644);
        tar.append_data(&mut header, name, MAIL).unwrap();
    }
    if link {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        tar.append_link(&mut header, "link.eml", "inside.eml")
            .unwrap();
    }
    tar.into_inner().unwrap()
}

/// An archive with files that cannot be converted: an Outlook store, a dangling link, a link in a
/// tar file, a damaged mailbox, and a note.
#[cfg(unix)]
fn archive() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old");
    fs::create_dir_all(old.join("private")).unwrap();
    fs::write(old.join("a.eml"), MAIL).unwrap();
    fs::write(old.join("private/b.eml"), MAIL).unwrap();
    fs::write(old.join("store.pst"), b"!BDN\0").unwrap();
    fs::write(old.join("mail.tar"), tar_of(true)).unwrap();
    fs::write(old.join("notes.txt"), b"no mail\n").unwrap();
    // RFC 1952, section 2.3.1: the header alone.
    fs::write(old.join("z.mbox.gz"), b"\x1F\x8B\x08\0\0\0\0\0\0\xFF").unwrap();
    std::os::unix::fs::symlink(old.join("nowhere"), old.join("dangling")).unwrap();
    folder
}

/// The members of a damaged container that can be read are converted and proved.
#[test]
fn a_cut_off_tar_file_is_proved_as_far_as_it_was_read() {
    let mut cut = tar_of(false);
    cut.truncate(1024);
    let mut outer = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(cut.len() as u64);
    outer
        .append_data(&mut header, "deep/cut.tar", &*cut)
        .unwrap();
    for (tar, result) in [
        (cut, "new/mail/inside.eml"),
        (outer.into_inner().unwrap(), "new/mail/deep/cut/inside.eml"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("old")).unwrap();
        fs::write(at("old/mail.tar"), tar).unwrap();
        let report = at("report.jsonl");
        let conversion = Convert::new(at("old"), at("new")).report(&report);
        let outcome = run(&conversion.accept_unread(true));
        assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 1));
        assert_eq!(outcome.summary.problems["unread"].count, 1);
        let comparison = Verify::new(at("old"), at("new")).report(&report);
        let proof = prove(&comparison);
        assert!(proof.holds() && proof.messages == 1, "{proof:?}");
        fs::write(at(result), b"Subject: another\n\n").unwrap();
        assert!(!prove(&comparison).holds());
    }
}

#[cfg(unix)]
#[test]
fn a_run_can_be_complete_without_unreadable_files() {
    let folder = archive();
    let at = |name: &str| folder.path().join(name);
    let report = at("report.jsonl");
    let conversion = Convert::new(at("old"), at("new")).report(&report);
    let comparison = Verify::new(at("old"), at("new"));
    assert_eq!(run(&conversion).end, End::Incomplete);
    assert!(!prove(&comparison.clone().report(&report)).holds());

    // Accepted later, by resuming the run.
    let accepting = conversion.accept_unread(true).existing(Existing::Resume);
    let outcome = run(&accepting);
    assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 3));
    assert_eq!(outcome.summary.problems["unread"].count, 4);
    let listed = left_out(&report);
    let named: Vec<_> = listed
        .iter()
        .map(|(name, length, _)| (name.as_str(), *length))
        .collect();
    assert_eq!(
        named,
        [
            ("unread dangling", None),
            ("unread mail.tar", None),
            ("no-mail notes.txt", Some(8)),
            ("unread store.pst", Some(5)),
            ("unread z.mbox.gz", Some(10)),
        ]
    );
    assert!(listed[3].2.contains("readpst"), "{listed:?}");
    assert!(listed[2].2.contains("header fields"), "{listed:?}");
    let proof = prove(&comparison.clone().report(&report));
    assert!(proof.holds(), "{proof:?}");
    let counted = |proof: &Proof| (proof.messages, proof.left_out, proof.accepted_unread);
    assert_eq!(counted(&proof), (3, 0, 4));
    let shown = proof.to_string();
    assert!(shown.ends_with("; 4 files accepted unread"), "{shown}");
    // Without its line in the report, a file that cannot be read is an error.
    let whole = fs::read_to_string(&report).unwrap();
    for name in ["dangling", "mail.tar", "store.pst", "z.mbox.gz"] {
        let name = format!("/{name}\",");
        let is_other = |line: &&str| !(line.contains("\"unread\"") && line.contains(&name));
        let edited: Vec<_> = whole.split_inclusive('\n').filter(is_other).collect();
        assert_eq!(edited.len() + 1, whole.lines().count(), "{name}");
        fs::write(&report, edited.concat()).unwrap();
        assert!(
            !prove(&comparison.clone().report(&report)).holds(),
            "{name}"
        );
    }
    let proof = prove(&comparison.accept_unread(true));
    assert!(proof.holds(), "{proof:?}");
    assert_eq!(counted(&proof), (3, 0, 4));
}

/// A mailbox with text that Rmail decoded cannot be converted, so a proof with or without the report
/// accepts that it has no result.
#[test]
fn a_mailbox_decoded_by_rmail_is_accepted_as_unread() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("old")).unwrap();
    fs::write(at("old/1.eml"), MAIL).unwrap();
    let decoded = "../corpus/archive/rmail-decoded.babyl";
    fs::copy(decoded, at("old/RMAIL")).unwrap();
    let report = at("report.jsonl");
    let conversion = Convert::new(at("old"), at("new")).report(&report);
    assert_eq!(run(&conversion.accept_unread(true)).end, End::Done);
    assert!(!at("new/RMAIL").exists());
    let comparison = Verify::new(at("old"), at("new"));
    assert!(!prove(&comparison).holds());
    let comparison = comparison.accept_unread(true);
    for comparison in [comparison.clone(), comparison.report(&report)] {
        let proof = prove(&comparison);
        assert!(proof.holds(), "{proof:?}");
        assert_eq!((proof.messages, proof.accepted_unread), (1, 1));
    }
}

/// A proof, with the sentence of each mismatch.
fn mismatches(comparison: &Verify) -> (Proof, Vec<String>) {
    let mut sentences = Vec::new();
    let proof = comparison.run(&AtomicBool::new(false), |event| {
        if let Event::Mismatch(mismatch) = event {
            sentences.push(mismatch.to_string());
        }
    });
    (proof.unwrap(), sentences)
}

/// A file that could not be converted is named as the report lists it once it can be read.
#[test]
fn a_repaired_file_is_named_as_the_report_lists_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("old")).unwrap();
    let mut cut_off = tar_of(false);
    cut_off.truncate(1024);
    fs::write(at("old/a.eml"), MAIL).unwrap();
    fs::write(at("old/mail.tar"), &cut_off).unwrap();
    fs::write(at("old/notes"), "no mail\n").unwrap();
    fs::write(at("old/store.eml"), b"!BDN\0").unwrap();
    let report = at("report.jsonl");
    let conversion = Convert::new(at("old"), at("new")).report(&report);
    assert_eq!(run(&conversion).end, End::Incomplete);
    let two = tar_with(&["inside.eml", "second.eml"], false);
    fs::write(at("old/mail.tar"), two).unwrap();
    for name in ["old/notes", "old/store.eml"] {
        fs::write(at(name), MAIL).unwrap();
    }
    let (proof, sentences) = mismatches(&Verify::new(at("old"), at("new")).report(&report));
    assert_eq!((proof.messages, sentences.len()), (2, 4), "{sentences:?}");
    let shown = |name: &str| at(name).display().to_string();
    let (lists, tar) = (
        format!("{} lists", shown("report.jsonl")),
        shown("old/mail.tar"),
    );
    for (sentence, source, listed, result) in [
        (
            &sentences[0],
            format!("second.eml in {tar}"),
            format!("{lists} {tar} as failed ("),
            "mail/second.eml",
        ),
        (
            &sentences[1],
            shown("old/notes"),
            format!("{lists} it as no-mail ("),
            "notes",
        ),
        (
            &sentences[2],
            shown("old/store.eml"),
            format!("{lists} it as failed ("),
            "store.eml",
        ),
    ] {
        assert!(
            sentence.starts_with(&format!("{source}: {listed}")),
            "{sentence}"
        );
        let missing = format!("), and {} is missing", shown(&format!("new/{result}")));
        assert!(sentence.ends_with(&missing), "{sentence}");
    }
    assert!(sentences[2].contains("readpst"), "{sentences:?}");
    assert!(sentences[3].contains("resume that run"), "{sentences:?}");
}

/// A file accepted as unread and repaired since: `verify` names it, and a resumed run converts it.
#[cfg(unix)]
#[test]
fn a_resumed_run_converts_repaired_files() {
    /// Repairs a file of the archive.
    type Repair<'r> = &'r dyn Fn(&Path);

    let two = |old: &Path| fs::write(old.join("store.pst"), MAIL).unwrap();
    let gzip = |old: &Path| {
        let file = fs::File::create(old.join("z.mbox.gz")).unwrap();
        let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        gzip.write_all(b"From - Sat Jan  3 01:05:34 1996\nSubject: z\n\n")
            .unwrap();
        gzip.finish().unwrap();
    };
    let link = |old: &Path| fs::write(old.join("nowhere"), MAIL).unwrap();
    let tar = |old: &Path| fs::write(old.join("mail.tar"), tar_of(false)).unwrap();
    // The repaired file, the number of mismatches, and the messages of the resumed run.
    let repairs: [(&str, Repair<'_>, usize, u64); 4] = [
        ("store.pst", &two, 1, 4),
        ("z.mbox.gz", &gzip, 1, 4),
        // The target of the link is a second new file.
        ("dangling", &link, 2, 5),
        // Nothing is missing without the link.
        ("mail.tar", &tar, 0, 3),
    ];
    for (name, repair, expected, messages) in repairs {
        let folder = archive();
        let at = |name: &str| folder.path().join(name);
        let report = at("report.jsonl");
        let conversion = Convert::new(at("old"), at("new")).report(&report);
        let conversion = conversion.accept_unread(true);
        assert_eq!(run(&conversion).end, End::Done);
        let resumed = conversion.existing(Existing::Resume);
        assert_eq!(run(&resumed).end, End::NothingLeft);

        repair(&at("old"));
        let comparison = Verify::new(at("old"), at("new")).report(&report);
        let (proof, sentences) = mismatches(&comparison);
        assert_eq!(
            (proof.messages, sentences.len()),
            (3, expected),
            "{sentences:?}"
        );
        let changed = format!(
            "{} was accepted as unread and has changed since; resume the conversion",
            at("old").join(name).display()
        );
        assert!(
            expected == 0 || sentences.contains(&changed),
            "{sentences:?}"
        );

        let outcome = run(&resumed);
        assert_eq!(
            (outcome.end, outcome.summary.messages),
            (End::Done, messages),
            "{name}"
        );
        assert_eq!(outcome.summary.problems["unread"].count, 3);
        let (proof, sentences) = mismatches(&comparison);
        assert!(proof.holds(), "{sentences:?}");
        assert_eq!((proof.messages, proof.accepted_unread), (messages, 3));
        assert_eq!(run(&resumed).end, End::NothingLeft, "{name}");
    }
}

/// A single file that was accepted as unread has no result, not even an empty one.
#[test]
fn a_resumed_run_converts_a_repaired_single_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let gzip = || {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(MAIL).unwrap();
        gzip.finish().unwrap()
    };
    fs::write(at("a.eml.gz"), &gzip()[..10]).unwrap();
    let report = at("report.jsonl");
    let conversion = Convert::new(at("a.eml.gz"), at("b.eml")).report(&report);
    let conversion = conversion.accept_unread(true);
    assert_eq!(run(&conversion).end, End::Done);
    let resumed = conversion.existing(Existing::Resume);
    assert_eq!(run(&resumed).end, End::NothingLeft);
    fs::write(at("a.eml.gz"), gzip()).unwrap();
    let outcome = run(&resumed);
    assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 1));
    let (proof, sentences) = mismatches(&Verify::new(at("a.eml.gz"), at("b.eml")).report(&report));
    assert!(proof.holds() && proof.messages == 1, "{sentences:?}");
}

/// Names that are shown alike are told apart by their octets.
#[cfg(target_os = "linux")]
#[test]
fn names_that_look_alike_are_different_files() {
    use std::os::unix::ffi::OsStrExt as _;

    let folder = tempfile::tempdir().unwrap();
    let at = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
    fs::create_dir(at(b"old")).unwrap();
    for (name, octets) in [
        (&b"old/\xFD.eml"[..], MAIL),
        (b"old/\xFE.eml", MAIL),
        (b"old/\xFF.eml", b"!BDN\0"),
    ] {
        fs::write(at(name), octets).unwrap();
    }
    // A link in a tar file is not read.
    let mut tar = tar::Builder::new(fs::File::create(at(b"old/t.tar")).unwrap());
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Symlink);
    header.set_size(0);
    tar.append_link(&mut header, std::ffi::OsStr::from_bytes(b"\xFF.eml"), "a")
        .unwrap();
    tar.finish().unwrap();
    let report = at(b"report.jsonl");
    let conversion = Convert::new(at(b"old"), at(b"new")).report(&report);
    let outcome = run(&conversion.accept_unread(true));
    assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 2));
    let lines = fs::read_to_string(&report).unwrap();
    // FF, and `.eml` in US-ASCII.
    assert!(
        lines.contains("\"member_octets\":\"ff2e656d6c\""),
        "{lines}"
    );
    let comparison = Verify::new(at(b"old"), at(b"new")).report(&report);
    let (proof, sentences) = mismatches(&comparison);
    assert!(proof.holds(), "{sentences:?}");
    assert_eq!((proof.messages, proof.accepted_unread), (2, 2));

    // A missing result is not that of the file accepted as unread.
    fs::rename(at(b"new/\xFE.eml"), at(b"away")).unwrap();
    let (proof, sentences) = mismatches(&comparison);
    assert_eq!((proof.messages, proof.accepted_unread), (1, 2));
    assert_eq!(sentences.len(), 1, "{sentences:?}");
    fs::rename(at(b"away"), at(b"new/\xFE.eml")).unwrap();
    // A missing source is not the next one, and its result is not a second mismatch.
    fs::remove_file(at(b"old/\xFD.eml")).unwrap();
    let (proof, sentences) = mismatches(&comparison);
    assert_eq!((proof.messages, proof.accepted_unread), (1, 2));
    assert_eq!(sentences.len(), 1, "{sentences:?}");
    let gone = "lists it, but it is not in the source";
    assert!(sentences[0].ends_with(gone), "{sentences:?}");
}

#[cfg(unix)]
#[test]
fn excluded_files_are_not_opened() {
    let folder = archive();
    let at = |name: &str| folder.path().join(name);
    let report = at("report.jsonl");
    let exclude = ["*.pst", "dangling", "mail/link.eml", "z*", "private"];
    let selection = exclude
        .iter()
        .try_fold(Selection::new(), |selection, pattern| {
            selection.exclude(pattern)
        })
        .unwrap();
    let conversion = Convert::new(at("old"), at("new"))
        .report(&report)
        .selection(selection.clone());
    let outcome = run(&conversion);
    assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 2));
    assert_eq!(outcome.summary.excluded, 5);
    assert_eq!(left_out(&report).len(), 6);
    let proof = prove(&Verify::new(at("old"), at("new")).report(&report));
    assert!(proof.holds(), "{proof:?}");
    assert_eq!((proof.messages, proof.left_out), (2, 5));
    let proof = prove(&Verify::new(at("old"), at("new")).selection(selection));
    assert!(proof.holds(), "{proof:?}");
    // Without report and selection, the missing results are mismatches.
    assert!(!prove(&Verify::new(at("old"), at("new"))).holds());
    assert_eq!(
        run(&conversion.existing(Existing::Resume)).end,
        End::NothingLeft
    );
}

/// A folder or container that is left out counts once, whatever it contains: the report has one
/// line for it, and a proof counts it once with or without the report.
#[test]
fn an_excluded_folder_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in [
        "a",
        "private/b",
        "private/c",
        "private/deep/d",
        "e/private/f",
    ] {
        fs::create_dir_all(at("old").join(name).parent().unwrap()).unwrap();
        fs::write(at("old").join(name), MAIL).unwrap();
    }
    fs::write(at("old/two.tar"), tar_of(false)).unwrap();
    let selection = Selection::new().exclude("private").unwrap();
    let selection = selection.exclude("two.tar").unwrap();
    let report = at("report.jsonl");
    let conversion = Convert::new(at("old"), at("new")).report(&report);
    let outcome = run(&conversion.selection(selection.clone()));
    assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 1));
    assert_eq!((outcome.summary.excluded, left_out(&report).len()), (3, 3));
    let comparison = Verify::new(at("old"), at("new"));
    for comparison in [
        comparison.clone().report(&report),
        comparison.selection(selection),
    ] {
        let proof = prove(&comparison);
        assert!(proof.holds(), "{proof:?}");
        assert_eq!((proof.messages, proof.left_out), (1, 3));
    }
}

#[cfg(unix)]
#[test]
fn only_some_files_are_read() {
    let folder = archive();
    let at = |name: &str| folder.path().join(name);
    for (only, expected) in [
        ("*.eml", &["a.eml", "mail/inside.eml", "private/b.eml"][..]),
        ("private/*", &["private/b.eml"]),
        ("**/inside.eml", &["mail/inside.eml"]),
        ("a.*", &["a.eml"]),
    ] {
        let selection = Selection::new().only(only).unwrap();
        let all = sources(&at("old"), Limits::new()).select(&selection);
        let mail = all
            .flatten()
            .filter(|source| source.format() == Format::Message);
        let names: Vec<_> = mail
            .map(|source| source.relative().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, expected, "{only}");
    }
    assert!(Selection::new().only("a[").is_err());
}

/// A tar file in a tar file is a folder in a folder, also for patterns, reports and proofs.
#[test]
fn a_container_in_a_container_is_converted_and_proved() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("old")).unwrap();
    let (inner, outer) = (tar_of(true), &mut tar::Builder::new(Vec::new()));
    for name in ["deep/inner.tar", "private.tar"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(inner.len() as u64);
        header.set_mode(0o644);
        outer.append_data(&mut header, name, &*inner).unwrap();
    }
    outer.finish().unwrap();
    fs::write(at("old/mail.tar"), outer.get_ref()).unwrap();
    let report = at("report.jsonl");
    let selection = |patterns: [&str; 2]| {
        let [only, exclude] = patterns;
        Selection::new().only(only)?.exclude(exclude)
    };
    let selection = selection(["*.eml", "private.tar"]).unwrap();
    let conversion = Convert::new(at("old"), at("new"))
        .report(&report)
        .selection(selection);
    let outcome = run(&conversion);
    assert_eq!(outcome.end, End::Incomplete, "a link in a tar file");
    let outcome = run(&conversion.accept_unread(true).existing(Existing::Resume));
    assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 1));
    assert!(at("new/mail/deep/inner/inside.eml").exists());
    assert!(!at("new/mail/private").exists());
    let lines = fs::read_to_string(&report).unwrap();
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let members: Vec<_> = lines
        .filter(|line| line["record"] == "message")
        .map(|line| line["source"]["member"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(members, ["deep/inner.tar/inside.eml"]);
    let proof = prove(&Verify::new(at("old"), at("new")).report(&report));
    assert!(proof.holds(), "{proof:?}");
    assert_eq!(proof.messages, 1);
}

/// The readable part of a tar file is converted, and then the tar file is moved out of the source.
#[cfg(unix)]
#[test]
fn a_resumed_run_deletes_results_without_a_source() {
    let folder = archive();
    let at = |name: &str| folder.path().join(name);
    let report = at("report.jsonl");
    let conversion = Convert::new(at("old"), at("new")).report(&report);
    assert_eq!(run(&conversion).end, End::Incomplete);
    assert!(at("new/mail/inside.eml").exists());
    for name in ["mail.tar", "store.pst", "dangling", "z.mbox.gz"] {
        fs::remove_file(at("old").join(name)).unwrap();
    }
    let outcome = run(&conversion.existing(Existing::Resume));
    assert_eq!((outcome.end, outcome.summary.messages), (End::Done, 2));
    assert!(!at("new/mail/inside.eml").exists());
    let proof = prove(&Verify::new(at("old"), at("new")).report(&report));
    assert!(proof.holds(), "{proof:?}");
}
