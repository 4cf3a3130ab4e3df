//! Mail that tries to make the command open files or control a terminal.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// A file name in mail is only text: no file of that name is opened, created or overwritten.
#[test]
fn file_names_from_mail_are_not_used_as_paths() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).unwrap();
    let source = b"Content-Type: multipart/mixed; boundary=b\n\n\
        --b\nContent-Type: text/plain; name=\"../outside.txt\"\n\
        Content-Disposition: attachment; filename=\"../outside.txt\"\n\nx\n\
        --b\nContent-Type: message/external-body; access-type=local-file; name=\"/etc/passwd\"\n\n\
        Content-Type: text/plain\n\n\n--b--\n";
    fs::write(inside.join("one.eml"), source).unwrap();
    for arguments in [
        &["inspect", "--text", "one.eml"][..],
        &["inspect", "--json", "--text", "one.eml"],
        &["explain", "one.eml"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_mime-charset"))
            .args(arguments)
            .current_dir(&inside)
            .output()
            .unwrap();
        assert!(output.status.success());
        assert!(!String::from_utf8_lossy(&output.stdout).contains("root:"));
    }
    let names = |path: &Path| -> Vec<_> {
        fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect()
    };
    assert_eq!(names(&inside), ["one.eml"]);
    assert_eq!(names(folder.path()), ["inside"]);
}

/// An escape sequence in mail can clear a terminal, rename its window or type commands into it.
/// `script` gives the command a terminal to write to (util-linux).
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_receives_no_escape_from_mail() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("one.eml");
    let source = "Subject: =?utf-8?Q?=1B]0;x=07=C2=9B2J=E2=80=AE?=\nX\u{9b}: \x1B[2J\nContent-Type: text/plain; charset=\"\x1B[2J\"\n\n\x1B[2J \u{9b}2J \u{7f}\u{202e}\n";
    fs::write(&file, source).unwrap();
    let command = env!("CARGO_BIN_EXE_mime-charset");
    let show = |arguments: &str, expected: &str| {
        let line = format!("{command} {arguments}");
        let output = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(shown.contains(expected), "{arguments:?}: {shown:?}");
        let steers = |c: char| {
            c.is_control() && !"\r\n\t".contains(c)
                || matches!(c, '\u{200E}' | '\u{200F}' | '\u{61C}')
                || ('\u{202A}'..='\u{202E}').contains(&c)
                || ('\u{2066}'..='\u{2069}').contains(&c)
        };
        assert!(!shown.contains(steers), "{arguments:?}: {shown:?}");
    };
    let mail = file.to_str().unwrap();
    for (arguments, expected) in [
        ("inspect --text", "text/plain"),
        ("inspect --json --text", "text/plain"),
        ("detect", "one.eml"),
        ("detect --json", "one.eml"),
        ("explain", "one.eml"),
        ("explain /no/\u{1b}[2J", "one.eml"),
        ("header", "Subject: "),
        ("header --json", "Subject"),
        ("decode --from utf-8", "Subject: "),
        ("decode --from us-ascii --strict", "malformed"),
    ] {
        show(&format!("{arguments} {mail}"), expected);
    }
    // No line is overwritten or truncated.
    let lines = folder.path().join("lines");
    fs::write(&lines, "one\rtwo\r\nthree\n").unwrap();
    let decode = format!("decode --from utf-8 {}", lines.display());
    show(&decode, "one\\u{d}two\r\nthree");
    // File names as from a shell's `*`, and invalid arguments.
    let name = "\u{1b}[2J\u{9b}2J\u{202e}\u{2066}\u{200f}\u{61c}\u{7f}";
    let place = format!("{}/{name}", folder.path().display());
    fs::write(&place, source).unwrap();
    for (arguments, expected) in [
        (format!("labels '{name}' utf8"), "UTF-8"),
        (format!("labels --json '{name}' utf8"), "UTF-8"),
        (
            format!("decode --from '{name}'"),
            "expected a charset label",
        ),
        (format!("inspect '{place}'"), "text/plain"),
        (format!("inspect '--{name}'"), "unexpected argument"),
        (format!("'{name}'"), "unrecognized subcommand"),
        (format!("convert -j '{name}' a b"), "invalid value"),
        (format!("convert '{name}' a"), "cannot open"),
        (format!("verify '{name}' a"), "cannot open"),
    ] {
        show(&arguments, expected);
    }
    // The progress line uses control sequences of ours; the text printed with it has none.
    let target = folder.path().join("target");
    let copy = format!("'{place}' '{}'", target.display());
    show(&format!("convert --quiet {copy}"), "");
    fs::write(&target, "Subject: another").unwrap();
    show(&format!("verify --quiet {copy}"), "octet 9");
    show(&format!("convert --quiet {copy}"), "already exists");
}

/// The command shows fields as the library decodes them.
#[test]
fn rfc2047_5_inspect_shows_addresses_as_they_are_written() {
    let from = "=?utf-8?q?a=40evil.com=3e=00?=foo@good.com";
    let mut child = Command::new(env!("CARGO_BIN_EXE_mime-charset"))
        .args(["inspect", "--json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    write!(input, "From: {from}\n\nbody\n").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap().stdout;
    let message: serde_json::Value = serde_json::from_slice(&output).unwrap();
    let field = &message["fields"][0];
    assert_eq!(field["text"], from);
    assert_eq!(field["findings"][0]["kind"], "encoded-word-kept");
}
