//! Runs the programs of `examples/` as a user would.
//!
//! The expected text is in `corpus/truth`, which is not our output.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// The program of an example: cargo builds it next to the folder of this test's executable.
fn example(name: &str) -> Command {
    let test = env::current_exe().unwrap();
    let built = test.parent().unwrap().parent().unwrap();
    let file = format!("{name}{}", env::consts::EXE_SUFFIX);
    Command::new(built.join("examples").join(file))
}

fn reader(arguments: &[&str], path: PathBuf, number: Option<usize>) -> Output {
    let mut command = example("reader");
    command.args(arguments).arg(path);
    command.args(number.map(|number| number.to_string()));
    command.output().unwrap()
}

fn shown(output: &Output) -> &str {
    assert!(output.status.success(), "{output:?}");
    str::from_utf8(&output.stdout).unwrap()
}

fn corpus(path: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../corpus", path]
        .iter()
        .collect()
}

/// The fields in a truth file, and the lines of its first part.
fn truth(name: &str) -> (Vec<String>, Vec<String>) {
    let text = fs::read_to_string(corpus("truth").join(format!("{name}.txt"))).unwrap();
    let (fields, parts) = text.split_once("--- part 1 ").unwrap();
    let part = parts.split("\n--- ").next().unwrap();
    let lines = part.lines().skip(1).filter(|line| !line.trim().is_empty());
    (
        fields.lines().map(str::to_owned).collect(),
        lines.map(str::to_owned).collect(),
    )
}

const MESSAGES: [&str; 4] = [
    "mutt-koi8-r-8bit",
    "neomutt-euc-kr-8bit",
    "alpine-iso-2022-jp",
    "mutt-big5-hkscs-8bit",
];

#[test]
fn the_reader_lists_subjects() {
    for name in MESSAGES {
        let output = reader(&[], corpus("mail").join(format!("{name}.eml")), None);
        let line = shown(&output).trim_end();
        let (number, _) = line.split_once('\t').unwrap();
        let subject = line.rsplit('\t').next().unwrap();
        let (fields, _) = truth(name);
        let expected = fields.iter().find_map(|it| it.strip_prefix("Subject: "));
        assert_eq!((number, Some(subject)), ("1", expected), "{name}");
    }
}

#[test]
fn the_reader_shows_text_and_the_source_of_the_charset() {
    for name in MESSAGES {
        let output = reader(&[], corpus("mail").join(format!("{name}.eml")), Some(1));
        let text = shown(&output);
        let (_, lines) = truth(name);
        assert!(!lines.is_empty());
        for line in lines {
            assert!(text.contains(line.trim_end()), "{name}: {line}: {text}");
        }
        assert!(text.contains("\ncharset 1: "), "{text}");
    }
}

/// The mailbox has seven messages (corpus/archive/README.md).
#[test]
fn the_reader_lists_a_mailbox_and_reports_a_missing_message() {
    let mailbox = corpus("archive/mboxrd.mbox");
    let output = reader(&[], mailbox.clone(), None);
    assert_eq!(shown(&output).lines().count(), 7);
    assert!(!reader(&[], mailbox, Some(8)).status.success());
    assert!(!reader(&[], corpus("nowhere"), None).status.success());
}

#[test]
fn the_reader_prefers_html_and_accepts_a_charset() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("1.eml");
    let message = b"Subject: a\x1B[31m\tb\n\
        Content-Type: multipart/alternative; boundary=b\n\n\
        --b\n\nplain \x1B]0;title\x07\n\
        --b\nContent-Type: text/html\n\n<p>\xC7\xD1\xB1\xB9</p>\n--b--\n";
    fs::write(&file, message).unwrap();
    let output = reader(&[], file.clone(), Some(1));
    assert!(shown(&output).contains("plain"));
    assert!(!shown(&output).contains("<p>"));
    // Control sequences in a message do not reach the terminal.
    assert!(!output.stdout.contains(&0x1B) && !output.stdout.contains(&0x07));
    // CPython's euc_kr decodes C7 D1 B1 B9 as 한국.
    let output = reader(&["--html", "--charset", "euc-kr"], file.clone(), Some(1));
    assert!(shown(&output).contains("<p>한국</p>"));
    assert!(!shown(&output).contains("plain"));
    let refused = reader(&["--charset", "no-charset-of-this-name"], file, None);
    assert!(!refused.status.success());
}
