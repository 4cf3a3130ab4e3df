//! A conversion by many processes at once has the result of a single one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use mime_charset_archive::{Convert, End, Event, Proof, Verify};
use mime_charset_archive::{Existing, Limits, Piece, files, pieces};

struct Archive {
    folder: tempfile::TempDir,
}

impl Archive {
    /// Mailboxes of every dialect, compressed ones, a zip file, single messages, a Maildir, two
    /// files with the same destination, a damaged file and one that is not mail.
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let archive = Archive { folder };
        let old = archive.old();
        for name in ["", "box/cur", "box/new", "box/tmp", "mail"] {
            fs::create_dir_all(old.join(name)).unwrap();
        }
        for (from, to) in [("../corpus/archive", ""), ("../corpus/mail", "mail")] {
            for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
                if file.file_type().unwrap().is_file() {
                    fs::copy(file.path(), old.join(to).join(file.file_name())).unwrap();
                }
            }
        }
        fs::write(old.join("box/cur/1:2,S"), "Subject: =?koi8-r?Q?=F0?=\n\n").unwrap();
        fs::write(old.join("broken.mbox.gz"), [0x1F, 0x8B, 8, 0, 0]).unwrap();
        fs::write(old.join("notes"), "no mail").unwrap();
        archive
    }

    fn old(&self) -> PathBuf {
        self.folder.path().join("old")
    }

    fn new_mail(&self) -> PathBuf {
        self.folder.path().join("new")
    }

    fn report(&self) -> PathBuf {
        self.folder.path().join("report.jsonl")
    }

    fn conversion(&self) -> Convert {
        Convert::new(self.old(), self.new_mail()).report(self.report())
    }

    fn pieces(&self) -> Vec<Piece> {
        let all = pieces(&self.old(), u64::MAX, Limits::new());
        all.collect::<Result<_, _>>().unwrap()
    }

    fn begin(&self) {
        let outcome = self.conversion().run(&AtomicBool::new(true), |_| ());
        assert_eq!(outcome.unwrap().end, End::Cancelled);
    }

    fn share(&self, name: &str, pieces: &[Piece]) {
        let share = self.conversion().share(name, pieces.to_vec());
        share.run(&AtomicBool::new(false), |_| ()).unwrap();
    }

    fn end(&self) -> RunResult {
        let run = self.conversion().existing(Existing::Resume);
        let outcome = run.run(&AtomicBool::new(false), |_| ()).unwrap();
        self.result(outcome.end)
    }

    /// The result of the run; deletes it afterwards.
    fn result(&self, end: End) -> RunResult {
        let mut tree = BTreeMap::new();
        for path in files(&self.new_mail()).into_iter().map(Result::unwrap) {
            let octets = fs::read(&path).unwrap();
            tree.insert(path, octets);
        }
        // One source is damaged, and a later run may resume: the journal and the report's lines
        // stay.
        let journal = self.new_mail().join(".mime-charset-journal");
        assert!(tree.remove(&journal).is_some());
        let is_hidden = |path: &&PathBuf| path.to_string_lossy().contains(".mime-charset-");
        assert_eq!(tree.keys().find(is_hidden), None);
        let part = self.folder.path().join("report.jsonl.part");
        fs::remove_file(part).unwrap();
        let report = fs::read_to_string(self.report()).unwrap();
        let mut lines: Vec<_> = report.lines().map(str::to_owned).collect();
        // The last line contains a time.
        let last: serde_json::Value = serde_json::from_str(&lines.pop().unwrap()).unwrap();
        lines.push(last["summary"].to_string());
        fs::remove_dir_all(self.new_mail()).unwrap();
        fs::remove_file(self.report()).unwrap();
        assert_eq!(fs::read_dir(self.folder.path()).unwrap().count(), 1);
        RunResult { end, tree, lines }
    }
}

#[derive(PartialEq)]
struct RunResult {
    end: End,
    tree: BTreeMap<PathBuf, Vec<u8>>,
    lines: Vec<String>,
}

#[track_caller]
fn assert_same(found: &RunResult, expected: &RunResult) {
    assert_eq!(found.end, expected.end);
    let names = |result: &RunResult| result.tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected));
    assert!(found.tree == expected.tree);
    assert_eq!(found.lines, expected.lines);
}

fn one(archive: &Archive) -> RunResult {
    let run = archive.conversion().run(&AtomicBool::new(false), |_| ());
    let result = archive.result(run.unwrap().end);
    assert_eq!(result.end, End::Incomplete, "one file is damaged");
    assert!(result.tree.len() > 200);
    result
}

/// Several files have the destination mboxrd.mbox; leave them to the run that gathers the shares.
fn without_duplicates(pieces: Vec<Piece>) -> Vec<Piece> {
    let is_duplicate = |path: &Path| {
        let name = path.file_name().unwrap().to_string_lossy();
        name.starts_with("mboxrd.mbox")
    };
    pieces
        .into_iter()
        .filter(|piece| !is_duplicate(&piece.path))
        .collect()
}

#[test]
fn shares_have_the_result_of_one_run() {
    let archive = Archive::new();
    let expected = one(&archive);
    let pieces = without_duplicates(archive.pieces());
    for size in [7, 100, 1000] {
        archive.begin();
        // The last share first: reports are merged in source order.
        for (number, share) in pieces.chunks(size).enumerate().rev() {
            archive.share(&number.to_string(), share);
        }
        assert_same(&archive.end(), &expected);
    }
    archive.begin();
    assert_same(&archive.end(), &expected);
}

/// Concurrent shares, two of them with the same files.
#[test]
fn shares_may_run_concurrently() {
    let archive = Archive::new();
    let expected = one(&archive);
    let pieces = without_duplicates(archive.pieces());
    archive.begin();
    let half = pieces.len() / 2;
    std::thread::scope(|scope| {
        scope.spawn(|| archive.share("a", &pieces[..half]));
        scope.spawn(|| archive.share("b", &pieces[half..]));
        scope.spawn(|| archive.share("b again", &pieces[half..]));
    });
    assert_same(&archive.end(), &expected);
}

/// A share that ends midway with an unfinished file, and another that starts over.
#[test]
fn a_killed_share_leaves_no_duplicate_or_partial_files() {
    let archive = Archive::new();
    let expected = one(&archive);
    let pieces = without_duplicates(archive.pieces());
    archive.begin();
    let cancelled = AtomicBool::new(false);
    let share = archive.conversion().share("0/first", pieces.clone());
    let outcome = share.run(&cancelled, |event| {
        if let Event::Progress(done) = event {
            cancelled.store(done.messages > 60, Ordering::Relaxed);
        }
    });
    assert_eq!(outcome.unwrap().end, End::Cancelled);
    fs::write(archive.new_mail().join(".mime-charset-half.part"), "Subj").unwrap();
    let journal = ".mime-charset-share-0%2Ffirst.journal";
    let journal = archive.new_mail().join(journal);
    let mut lines = fs::read(&journal).unwrap();
    assert!(lines.len() > 1000);
    // A crash truncated the last line.
    lines.extend_from_slice(b"done\tmail/");
    fs::write(&journal, lines).unwrap();
    // A share's name can be used only once.
    let again = archive.conversion().share("0/first", pieces.clone());
    assert!(again.run(&AtomicBool::new(false), |_| ()).is_err());
    archive.share("0/second", &pieces);
    assert_same(&archive.end(), &expected);
}

/// If the gathering run is killed, the next one gathers the same shares again.
#[test]
fn an_interrupted_gathering_is_repeated() {
    let archive = Archive::new();
    let expected = one(&archive);
    let pieces = without_duplicates(archive.pieces());
    archive.begin();
    archive.share("a", &pieces);
    let new = archive.new_mail();
    let (journal, lines) = (
        new.join(".mime-charset-share-a.journal"),
        new.join(".mime-charset-share-a.report.part"),
    );
    let kept = (fs::read(&journal).unwrap(), fs::read(&lines).unwrap());
    let run = archive.conversion().existing(Existing::Resume);
    let stopped = run.run(&AtomicBool::new(true), |_| ()).unwrap();
    assert_eq!(stopped.end, End::Cancelled);
    assert!(!journal.exists() && !lines.exists());
    fs::write(&journal, kept.0).unwrap();
    fs::write(&lines, kept.1).unwrap();
    assert_same(&archive.end(), &expected);
}

/// A share killed at its start, with a journal but no report lines, blocks nothing.
#[test]
fn a_share_killed_at_its_start_blocks_nothing() {
    let archive = Archive::new();
    let expected = one(&archive);
    archive.begin();
    let journal = |name: &str| archive.new_mail().join(format!(".mime-charset-{name}"));
    let run = fs::read(journal("journal")).unwrap();
    let first = memchr::memchr(b'\n', &run).unwrap() + 1;
    fs::write(journal("share-x.journal"), &run[..first]).unwrap();
    assert_same(&archive.end(), &expected);
}

/// The proof, and the sentences about mismatches and unreadable files.
fn proved(verify: &Verify) -> (Proof, Vec<String>, Vec<String>) {
    let (mut wrong, mut failed) = (Vec::new(), Vec::new());
    let proof = verify.run(&AtomicBool::new(false), |event| match event {
        Event::Mismatch(mismatch) => wrong.push(mismatch.to_string()),
        Event::Failed(sentence) => failed.push(sentence.to_owned()),
        _ => {}
    });
    (proof.unwrap(), wrong, failed)
}

/// With the report and without it. First a correct destination, except for an unreadable file, one
/// that cannot be converted, and files with the same destination; then one that was damaged in each
/// way.
#[test]
fn shares_have_the_proof_of_one_run() {
    let archive = Archive::new();
    let never = AtomicBool::new(false);
    archive.conversion().run(&never, |_| ()).unwrap();
    let sound = Verify::new(archive.old(), archive.new_mail());
    let mut found = Vec::new();
    for is_damaged in [false, true] {
        if is_damaged {
            let new = archive.new_mail();
            let mail: Vec<_> = files(&new.join("mail"))
                .into_iter()
                .map(Result::unwrap)
                .collect();
            let mut octets = fs::read(&mail[3]).unwrap();
            *octets.last_mut().unwrap() ^= 1;
            fs::write(&mail[3], octets).unwrap();
            fs::remove_file(&mail[5]).unwrap();
            fs::write(new.join("mail/of-nobody.eml"), "Subject: x\n\n").unwrap();
            let mailbox = fs::read(new.join("mboxo.mbox")).unwrap();
            fs::write(new.join("mboxo.mbox"), &mailbox[..mailbox.len() / 2]).unwrap();
            // The report has these messages, but the source does not.
            fs::remove_file(archive.old().join("mutt.mbox")).unwrap();
        }
        for verify in [sound.clone(), sound.clone().report(archive.report())] {
            let (expected, wrong, failed) = proved(&verify);
            let pieces = archive.pieces();
            let singles = without_duplicates(pieces.clone());
            let doubles = pieces.into_iter().filter(|it| !singles.contains(it));
            let mut shares: Vec<_> = singles.chunks(40).map(<[Piece]>::to_vec).collect();
            shares.push(doubles.collect());
            let shares = shares.into_iter().rev();
            let runs = shares.map(|share| verify.clone().share(share));
            let mut sum = (Proof::default(), Vec::new(), Vec::new());
            for run in runs.chain([verify.clone().rest()]) {
                let (proof, wrong, failed) = proved(&run);
                sum.0.add(&proof);
                sum.1.extend(wrong);
                sum.2.extend(failed);
            }
            assert_eq!(sum.0, expected);
            let sorted = |mut sentences: Vec<String>| {
                sentences.sort();
                sentences
            };
            assert_eq!(sorted(sum.1), sorted(wrong));
            assert_eq!(sorted(sum.2), sorted(failed));
            found.push((expected.mismatches, expected.unread));
        }
    }
    // The files that lost the destination mboxrd.mbox to another, and the journal, which stays
    // because of the damaged gzip file. Then the mailbox that is not converted because Rmail has
    // decoded it. Then the altered octet, the missing file, the unexpected one, the truncated
    // mailbox, and the result whose source is gone.
    let doubles = archive.pieces().len() - without_duplicates(archive.pieces()).len();
    let doubles = u64::try_from(doubles).unwrap();
    let missing = doubles + 1;
    let damaged = missing + 5;
    assert_eq!(found[0], (missing, 1));
    assert_eq!(found[1], (missing, 1));
    assert_eq!(found[2], (damaged, 1));
    assert_eq!(found[3], (damaged, 1));
}

#[test]
fn invalid_shares_are_errors() {
    let archive = Archive::new();
    let never = AtomicBool::new(false);
    let share = archive.conversion().share("a", archive.pieces());
    let error = share.run(&never, |_| ()).unwrap_err().to_string();
    assert!(error.contains("no run of a folder was started"), "{error}");
    assert!(!archive.new_mail().join("mail").exists());
    // A share with other settings does not belong to the run.
    archive.begin();
    let other = Convert::new(archive.old(), archive.new_mail());
    other
        .share("a", archive.pieces())
        .run(&never, |_| ())
        .unwrap();
    let run = archive.conversion().existing(Existing::Resume);
    let outcome = run.run(&never, |_| ()).unwrap();
    assert_eq!(outcome.end, End::Incomplete);
}
