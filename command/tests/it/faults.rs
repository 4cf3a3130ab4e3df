//! Failures of files, pipes and disks: one error on standard error, an exit status, and no output
//! that looks complete but is not.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A mailbox whose output exceeds the buffers of pipes.
const MESSAGES: usize = 20_000;

fn mailbox(folder: &TempDir) -> PathBuf {
    let path = folder.path().join("inbox");
    let message = "From a@example.org Sat Jan  3 01:05:34 1996\n\
                   Subject: =?euc-kr?B?x9Gxub7u?=\n\
                   Content-Type: text/plain; charset=koi8-r\n\n\
                   text =D0\n\n";
    fs::write(&path, message.repeat(MESSAGES)).unwrap();
    path
}

/// Every command, with arguments that make it write more than its buffer.
fn commands(mailbox: &Path) -> Vec<Vec<String>> {
    let mailbox = mailbox.to_str().unwrap();
    [
        vec!["inspect", mailbox],
        vec!["inspect", "--json", "--text", mailbox],
        vec!["detect", mailbox],
        vec!["detect", "--json", mailbox],
        vec!["explain", mailbox],
        vec!["decode", "--from", "koi8-r", mailbox],
        vec!["decode", "--from", "koi8-r", "--strict", mailbox],
        vec!["header", "../corpus/mail/hand-header-raw-utf-8.eml"],
        vec!["labels"],
        vec!["labels", "--json"],
    ]
    .map(|words| words.into_iter().map(str::to_owned).collect())
    .to_vec()
}

fn command(arguments: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mime-charset"));
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    let arguments: Vec<_> = arguments.iter().map(|&word| word.to_owned()).collect();
    command(&arguments).output().unwrap()
}

/// Asserts that there is a single line, which names the program and is not a panic.
#[track_caller]
fn assert_one_sentence(stderr: &[u8], part: &str) {
    let text = std::str::from_utf8(stderr).unwrap();
    assert!(text.starts_with("mime-charset: "), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    assert!(text.contains(part), "{text}");
    assert!(!text.contains("panicked"), "{text}");
}

/// A reader that closes the pipe early, as `head` does, has what it wanted.
#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in commands(&mailbox(&folder)) {
        let mut child = command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(output.stderr, b"", "{arguments:?}");
    }
}

/// A file that could not be read sets the status, even if the reader closes the pipe afterwards.
#[test]
fn a_closed_pipe_after_a_failure_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let mailbox = mailbox(&folder);
    let arguments = ["inspect", "no such file", mailbox.to_str().unwrap()].map(str::to_owned);
    let mut child = command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0]).unwrap();
    drop(stdout);
    assert_eq!(child.wait().unwrap().code(), Some(2));
}

/// Octets that could not be written are reported.
#[test]
fn a_full_disk_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in commands(&mailbox(&folder)) {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(&arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_one_sentence(
            &output.stderr,
            "cannot write to standard output: No space left on device",
        );
    }
}

/// If even standard error is full, the exit status shows the failure.
#[test]
fn a_full_disk_for_standard_error_sets_the_status() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    let arguments = ["inspect".to_owned(), "../corpus/mail".to_owned()];
    let status = command(&arguments).stdout(full()).stderr(full()).status();
    assert_eq!(status.unwrap().code(), Some(2));
    let arguments = ["inspect".to_owned(), "no such file".to_owned()];
    let status = command(&arguments).stderr(full()).status();
    assert_eq!(status.unwrap().code(), Some(2));
}

#[test]
fn unreadable_files_are_reported_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing");
    // Opens, but cannot be read: its first page is never mapped.
    let broken = "/proc/self/mem";
    for path in [missing.to_str().unwrap(), broken] {
        for arguments in [
            vec!["inspect", path],
            vec!["detect", path],
            vec!["explain", path],
            vec!["decode", "--from", "koi8-r", path],
            vec!["decode", "--from", "koi8-r", "--strict", path],
            vec!["header", path],
        ] {
            let output = run(&arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert_eq!(output.stdout, b"", "{arguments:?}");
            assert_one_sentence(&output.stderr, path);
        }
    }
}

#[test]
fn a_folder_in_place_of_a_file_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    for arguments in [
        vec!["decode", "--from", "koi8-r", path],
        vec!["decode", "--from", "koi8-r", "--strict", path],
        vec!["header", path],
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_one_sentence(&output.stderr, path);
    }
}

/// Readable files are read, and the status shows that others were not.
#[test]
fn one_unreadable_file_does_not_hide_the_others() {
    let good = "../corpus/mail/hand-header-raw-utf-8.eml";
    let output = run(&["detect", "no such file", good]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.starts_with(good.as_bytes()));
    assert_one_sentence(&output.stderr, "no such file");
}

/// A mailbox becomes shorter while it is read, because another program compacts it; what remains
/// may be a partial message.
#[test]
fn a_file_that_shrinks_while_read_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = mailbox(&folder);
    let arguments = ["inspect", path.to_str().unwrap()].map(str::to_owned);
    let mut child = command(&arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut String::new()).unwrap();
    // The pipe is full before a tenth of the file is read.
    OpenOptions::new()
        .write(true)
        .open(&path)
        .unwrap()
        .set_len(1 << 20)
        .unwrap();
    let mut shown = String::new();
    stdout.read_to_string(&mut shown).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_one_sentence(&output.stderr, "shorter");
    assert!(shown.matches("Subject").count() < MESSAGES);
}

/// Octets appended while a mailbox is read are left to the next run: no partial message is shown.
#[test]
fn a_file_that_grows_while_read_is_read_to_its_old_end() {
    let folder = tempfile::tempdir().unwrap();
    let path = mailbox(&folder);
    let arguments = ["inspect", path.to_str().unwrap()].map(str::to_owned);
    let mut child = command(&arguments).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut shown = String::new();
    stdout.read_line(&mut shown).unwrap();
    let mut file = OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"From a@example.org Sat Jan  3 01:05:34 1996\nSubject: ha")
        .unwrap();
    stdout.read_to_string(&mut shown).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(shown.matches("Subject").count(), MESSAGES);
}

/// Standard input that fails, like a terminal that was closed.
#[test]
fn a_failing_standard_input_is_reported() {
    for arguments in [
        vec!["inspect", "-"],
        vec!["decode", "--from", "koi8-r"],
        vec!["decode", "--from", "koi8-r", "--strict"],
        vec!["header"],
    ] {
        let arguments: Vec<_> = arguments.into_iter().map(str::to_owned).collect();
        let broken = File::open("/proc/self/mem").unwrap();
        let output = command(&arguments).stdin(broken).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_one_sentence(&output.stderr, "cannot read standard input");
    }
}
