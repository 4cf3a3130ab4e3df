//! Runs the command as a user would.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Cursor, Write};
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mime-charset"));
    command.args(arguments);
    command
}

/// Runs the command with `input` on its standard input.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that stops early closes its standard input.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn complaint(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn json_lines(output: &Output) -> Vec<Value> {
    text(output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The keys in the table of docs/json.md under a heading.
fn documented(heading: &str) -> BTreeSet<String> {
    let page = fs::read_to_string("../docs/json.md").unwrap();
    let section = page.split(&format!("## {heading}\n")).nth(1).unwrap();
    let section = section.split("\n#").next().unwrap();
    section
        .lines()
        .filter_map(|line| {
            line.strip_prefix("| `")?
                .split('`')
                .next()
                .map(str::to_owned)
        })
        .collect()
}

fn keys(value: &Value) -> BTreeSet<String> {
    value.as_object().unwrap().keys().cloned().collect()
}

#[test]
fn inspect_json_has_the_documented_keys() {
    let output = run(&["inspect", "--json", "--text", "../corpus/mail"], b"");
    assert!(output.status.success());
    let messages = json_lines(&output);
    assert!(messages.len() > 150);
    let finding_keys = documented("A finding");
    let check_findings = |value: &Value| {
        for finding in value["findings"].as_array().unwrap() {
            assert_eq!(keys(finding), finding_keys);
        }
    };
    let optional = ["text", "reading_text", "uuencoded", "fields"].map(str::to_owned);
    for message in &messages {
        assert_eq!(keys(message), documented("A message"));
        check_findings(message);
        for field in message["fields"].as_array().unwrap() {
            assert_eq!(keys(field), documented("A field"));
            check_findings(field);
            for charset in field["charsets"].as_array().unwrap() {
                assert_eq!(keys(charset), documented("A charset in a field"));
            }
        }
        for part in message["parts"].as_array().unwrap() {
            let mut found = keys(part);
            found.extend(optional.clone());
            assert_eq!(found, documented("A part"));
            check_findings(part);
            let is_text = part["media_type"].as_str().unwrap().starts_with("text/");
            assert_eq!(part.get("text").is_some(), is_text);
            assert_eq!(part["charset"].is_string(), is_text);
        }
    }
}

#[test]
fn inspect_lists_uuencoded_files() {
    let message = b"Subject: Cat\n\nSee\nbegin 644 cat.txt\n#0V%TX\n`\nend\n";
    let output = run(&["inspect", "--json", "-"], message);
    let file = &json_lines(&output)[0]["parts"][0]["uuencoded"][0];
    assert_eq!(keys(file), documented("A uuencoded file"));
    assert_eq!(file["name"], "cat.txt");
    // The octets of `Cat`; `See` and a line ending; lines of 18, 7, 2 and 4 octets.
    assert_eq!(file["octets"], 3);
    assert_eq!(file["offset"], 4);
    assert_eq!(file["length"], 18 + 7 + 2 + 4);
    // `X`, after the first line and the five characters of the second.
    assert_eq!(file["findings"][0]["offset"], 4 + 18 + 5);

    let output = run(&["inspect", "-"], message);
    assert!(text(&output).contains("uuencoded \"cat.txt\", 3 octets"));
}

#[test]
fn inspect_json_of_one_message() {
    let message = b"Subject: =?euc-kr?B?x9Gxub7u?=\r\n\
        Content-Type: text/plain; charset=ks_c_5601-1987\r\n\
        Content-Transfer-Encoding: base64\r\n\
        Content-Disposition: attachment; filename*=utf-8''%ED%95%9C.txt\r\n\r\nx9Gxub7u\r\n";
    let output = run(&["inspect", "--json", "--text", "-"], message);
    let message = &json_lines(&output)[0];
    assert_eq!(message["path"], "-");
    assert_eq!(message["index"], 0);
    assert_eq!(message["fields"][0]["name"], "Subject");
    assert_eq!(message["fields"][0]["text"], "한국어");
    let part = &message["parts"][0];
    assert_eq!(part["part"], "1");
    assert_eq!(part["media_type"], "text/plain");
    assert_eq!(part["label"], "ks_c_5601-1987");
    assert_eq!(part["charset"], "EUC-KR");
    assert_eq!(part["source"], "declared");
    assert_eq!(part["transfer_encoding"], "base64");
    assert_eq!(part["disposition"], "attachment");
    assert_eq!(part["filename"], "한.txt");
    assert_eq!(part["octets"], 6);
    assert_eq!(part["text"], "한국어");
}

/// Every finding has the effect of its kind. The line that counts the omitted findings has the
/// effect `lost`, since some of them are losses.
#[test]
fn omitted_findings_count_with_their_effect() {
    let head = b"Content-Type: text/plain; charset=utf-8\n\n";
    let damaged = ["한국어 ".as_bytes(), b"\xFF\n"].concat();
    let source = [&head[..], &damaged.repeat(70_000)].concat();
    let page = fs::read_to_string("../docs/findings.md").unwrap();
    let effect_of = |kind: &str| {
        let row = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{kind}` | ")));
        row.unwrap().split(" | ").nth(1).unwrap().to_owned()
    };
    let output = run(&["inspect", "--json", "-"], &source);
    let parts = &json_lines(&output)[0]["parts"];
    let findings = parts[0]["findings"].as_array().unwrap();
    for finding in findings {
        let kind = finding["kind"].as_str().unwrap();
        assert_eq!(finding["effect"], effect_of(kind), "{finding}");
    }
    let last = findings.last().unwrap();
    assert_eq!(
        (&last["kind"], &last["effect"]),
        (&"limit-reached".into(), &"lost".into())
    );
    let malformed = findings
        .iter()
        .filter(|finding| finding["kind"] == "malformed");
    let left_out = 70_000 - malformed.count();
    let detail = last["detail"].as_str().unwrap();
    let told: usize = detail.split(' ').next().unwrap().parse().unwrap();
    assert!(told >= left_out, "{detail}");
}

/// `--charset` is the charset of bodies and of raw octets in fields, here "Привет" in KOI8-R.
#[test]
fn a_charset_can_be_forced() {
    let message = b"Subject: \xF0\xD2\xC9\n\
        Content-Type: text/plain; charset=iso-8859-1\n\n\xF0\xD2\xC9";
    let forced = |command, rest: &[&str]| {
        let arguments = [&[command, "--charset", "koi8r"][..], rest].concat();
        run(&arguments, message)
    };
    let output = forced("inspect", &["--json", "--text", "-"]);
    let inspected = &json_lines(&output)[0];
    assert_eq!(inspected["fields"][0]["text"], "При");
    let (part, field) = (&inspected["parts"][0], &inspected["fields"][0]);
    assert_eq!(
        (&part["text"], &part["source"]),
        (&"При".into(), &"forced".into())
    );
    assert_eq!(field["charsets"][0]["source"], "forced");
    let findings = part["findings"].as_array().unwrap();
    assert!(
        findings
            .iter()
            .any(|finding| finding["kind"] == "charset-forced")
    );
    let output = forced("detect", &["--json", "-"]);
    let decision = &json_lines(&output)[0];
    let last = decision["evidence"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["kind"], &last["charset"]),
        (&"forced".into(), &"KOI8-R".into())
    );
    let output = forced("explain", &["-"]);
    assert!(
        text(&output).contains("KOI8-R, as forced, 100% sure"),
        "{}",
        text(&output)
    );
    let output = forced("header", &[]);
    assert!(
        text(&output).starts_with("Subject: При\n"),
        "{}",
        text(&output)
    );
    let output = run(&["inspect", "--charset", "no such", "-"], message);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        complaint(&output).contains("expected a charset label"),
        "{}",
        complaint(&output)
    );
}

#[test]
fn inspect_without_text_has_none() {
    let output = run(&["inspect", "--json", "-"], b"\r\nhello");
    assert!(json_lines(&output)[0]["parts"][0].get("text").is_none());
}

/// A mailbox was split with `split`. The second piece begins with lines that look like header
/// fields.
#[test]
fn the_format_of_files_can_be_named() {
    let tail = b"Subject: rest\n\nFrom - Sat Jan  3 01:05:34 1996\nSubject: =?koi8-r?Q?=F0?=\n\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("xab");
    fs::write(&path, tail).unwrap();
    let path = path.to_str().unwrap();
    for (format, expected) in [("message", 1), ("mbox", 2), ("maildir", 1)] {
        for (path, input) in [(path, &b""[..]), ("-", tail)] {
            let output = run(&["inspect", "--json", "--as", format, path], input);
            assert_eq!(json_lines(&output).len(), expected, "{format} {path}");
            let output = run(&["survey", "--json", "--as", format, path], input);
            assert_eq!(
                json_lines(&output)[0]["messages"],
                expected,
                "{format} {path}"
            );
        }
    }
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (new, report) = (at("new"), at("r.jsonl"));
    let convert = ["convert", "--as", "mbox", "--report", &report, path, &new];
    assert!(run(&convert, b"").status.success());
    for (arguments, expected) in [
        (&["--report", &report][..], Some(0)),
        (&["--as", "mbox"], Some(0)),
        (&[], Some(1)),
    ] {
        let output = run(&[&["verify"], arguments, &[path, &new]].concat(), b"");
        assert_eq!(output.status.code(), expected, "{arguments:?}");
    }
}

#[test]
fn inspect_walks_folders_in_sorted_order() {
    let output = run(&["inspect", "--json", "../corpus/mail"], b"");
    let paths: Vec<_> = json_lines(&output)
        .iter()
        .map(|m| m["path"].to_string())
        .collect();
    assert!(paths.is_sorted());
}

#[test]
fn a_missing_file_is_reported_and_the_rest_is_read() {
    let output = run(
        &["inspect", "--json", "no/such/file", "-"],
        b"Subject: x\n\n",
    );
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(json_lines(&output).len(), 1);
    let sentence = complaint(&output);
    assert!(
        sentence.starts_with("mime-charset: cannot open no/such/file: "),
        "{sentence}"
    );
    assert_eq!(sentence.lines().count(), 1);
    // Every command reports it in the same words.
    for arguments in [
        &["header", "no/such/file"][..],
        &["decode", "--from", "utf-8", "no/such/file"],
        &["decode", "--from", "utf-8", "--strict", "no/such/file"],
        &["detect", "no/such/file"],
    ] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(complaint(&output), sentence);
    }
}

#[test]
fn usage_errors_end_with_status_2() {
    assert_eq!(run(&["inspect"], b"").status.code(), Some(2));
    let output = run(&["decode", "--from", "klingon"], b"");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        complaint(&output),
        "mime-charset: expected a charset label, found \"klingon\"; mime-charset labels lists them\n"
    );
    assert_eq!(
        run(&["decode", "--from", "unknown-8bit"], b"")
            .status
            .code(),
        Some(2)
    );
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = command(&["inspect", "--json", "--text", "../corpus/mail"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(output.stderr.is_empty());
}

#[test]
fn decode_writes_only_utf_8() {
    let output = run(
        &["decode", "--from", "euc-kr"],
        b"\xC7\xD1\xB1\xB9\xBE\xEE\r\n",
    );
    assert_eq!(text(&output), "한국어\r\n");
    let output = run(
        &["decode", "--from", "UNICODE-1-1-UTF-8", "-"],
        "\u{3CA2}".as_bytes(),
    );
    assert_eq!(text(&output), "한");
    let output = run(&["decode", "--from", "utf-8"], b"a\xFFb\0\x1B[31m");
    assert_eq!(text(&output), "a\u{FFFD}b\0\x1B[31m");
    assert!(output.status.success());
}

#[test]
fn strict_decoding_ends_with_status_1_offset_and_reason() {
    let output = run(&["decode", "--from", "utf-8", "--strict"], b"ab\xC0\x80");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        complaint,
        "mime-charset: standard input: malformed at 2: overlong sequence\n"
    );
    let output = run(&["decode", "--from", "utf-8", "--strict"], "한".as_bytes());
    assert_eq!((output.status.code(), text(&output)), (Some(0), "한"));
}

#[test]
fn header_decodes_lines_and_lone_words() {
    let output = run(
        &["header"],
        b"Subject: =?utf-8?Q?=E2=98=83?=\r\nTo: a@example.org\r\n",
    );
    assert_eq!(text(&output), "Subject: \u{2603}\nTo: a@example.org\n");
    let output = run(&["header"], b"=?utf-8?Q?=E2=98=83?=\n");
    assert_eq!(text(&output), "\u{2603}\n");
    let output = run(&["header", "--json"], b"Subject: x\n");
    assert_eq!(keys(&json_lines(&output)[0]), documented("A field"));
}

/// Text from mail cannot break a line or a tab-separated column. JSON is exact.
#[test]
fn mail_cannot_break_a_line_or_a_column() {
    let words =
        b"Subject: =?utf-8?q?hi=0D=0ABcc:_evil@example.org=09=1B=C2=85=E2=80=A8=E2=80=A9?=\n";
    let exact = "hi\r\nBcc: evil@example.org\t\u{1B}\u{85}\u{2028}\u{2029}";
    let written_out = "hi\\u{d}\\u{a}Bcc: evil@example.org\t\\u{1b}\\u{85}\\u{2028}\\u{2029}";
    let output = run(&["header"], words);
    assert_eq!(text(&output), format!("Subject: {written_out}\n"));
    let output = run(&["header"], &words["Subject: ".len()..]);
    assert_eq!(text(&output), format!("{written_out}\n"));
    assert_eq!(
        json_lines(&run(&["header", "--json"], words))[0]["text"],
        exact
    );
    let output = run(&["inspect", "-"], words);
    let row = text(&output).lines().nth(1).unwrap();
    assert!(row.contains(&format!(" {written_out}  [UTF-8")), "{row}");

    let part = b"Content-Type: text/plain; charset=\"a\tb\"\n\nx\x0Cy\tz\n";
    let output = run(&["detect", "-"], part);
    let line = text(&output).strip_suffix('\n').unwrap();
    let columns: Vec<_> = line.split('\t').collect();
    assert_eq!(
        columns,
        ["-", "1", "a\\u{9}b", "US-ASCII", "default", "99%"]
    );
    let output = run(&["inspect", "--text", "-"], part);
    // The text of a body is unchanged.
    assert!(
        text(&output).contains("\n    | x\x0Cy\tz\n"),
        "{}",
        text(&output)
    );
}

#[cfg(unix)]
#[test]
fn a_file_name_cannot_break_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a\tb\nc.eml");
    fs::write(&file, LETTER).unwrap();
    fs::write(folder.path().join("d\ne"), "no mail").unwrap();
    let path = folder.path().to_str().unwrap();
    let output = run(&["detect", path], b"");
    let line = format!("{path}/a\\u{{9}}b\\u{{a}}c.eml\t1\t-\tUS-ASCII\tdefault\t99%\n");
    assert_eq!(text(&output), line);
    let told = format!("skipped 1 file that is not mail: {path}/d\\u{{a}}e\n");
    assert_eq!(complaint(&output), format!("mime-charset: {told}"));
    for command in ["inspect", "explain"] {
        let output = run(&[command, path], b"");
        let first = text(&output).lines().next().unwrap();
        assert_eq!(first, format!("{path}/a\tb\\u{{a}}c.eml"));
    }
    // The summary of a conversion, and an error about arguments, such as those of a shell's `*`.
    let target = tempfile::tempdir().unwrap();
    let target = target.path().to_str().unwrap();
    let output = run(&["convert", path, target], b"");
    let told = format!("\n    {path}/d\\u{{a}}e\n");
    assert!(
        complaint(&output).ends_with(&told),
        "{}",
        complaint(&output)
    );
    for argument in ["--\nforged", "--jobs=\nforged", "-j\nforged"] {
        let output = run(&["survey", argument], b"");
        assert_eq!(output.status.code(), Some(2));
        let told = complaint(&output);
        assert!(
            told.contains("\\u{a}forged") && !told.contains("\nforged"),
            "{told}"
        );
    }
}

/// RFC 7103, section 7.2: a line that is not a field is skipped if a field follows, and begins the
/// body if none does.
#[test]
fn header_reports_lines_that_are_not_fields() {
    let output = run(&["header"], b"Subject: a\nfoo\nTo: x\nbar\n");
    assert_eq!(text(&output), "Subject: a\nTo: x\n");
    // The first line has 11 octets, the second 4 and the third 6.
    assert_eq!(
        complaint(&output),
        "mime-charset: standard input: header-line at 11: a line that is neither a field nor a \
         fold\n\
         mime-charset: standard input: header-line at 21: a line that is neither a field nor a \
         fold ends the header, and begins the body\n"
    );
    let output = run(&["header", "--json"], b"Subject: a\nfoo\nTo: x\nbar\n");
    assert!(output.stderr.is_empty());
    let lines = json_lines(&output);
    let shown: Vec<_> = lines
        .iter()
        .map(|line| (&line["name"], &line["text"]))
        .collect();
    let (none, text) = (Value::Null, |text: &str| Value::from(text));
    assert_eq!(
        shown,
        [
            (&text("Subject"), &text("a")),
            (&none, &text("foo")),
            (&text("To"), &text("x")),
            (&none, &text("bar"))
        ]
    );
    for (line, offset) in [(&lines[1], 11), (&lines[3], 21)] {
        assert_eq!(keys(line), documented("A field"));
        let finding = &line["findings"][0];
        assert_eq!(keys(finding), documented("A finding"));
        assert_eq!(finding["kind"], "header-line");
        assert_eq!(
            (&finding["offset"], &finding["length"]),
            (&offset.into(), &4.into())
        );
    }
    // A whole message: the body is not part of the header.
    let whole = b"Subject: a\r\nTo: x\r\n\r\nfoo\r\nbar: y\r\n";
    let output = run(&["header"], whole);
    assert_eq!(
        (self::text(&output), complaint(&output)),
        ("Subject: a\nTo: x\n", "")
    );
    // If there are many, they are only counted.
    let many = b"Subject: a\nfoo\nTo: x\n".repeat(20);
    let output = run(&["header"], &many);
    assert_eq!(complaint(&output).lines().count(), 9);
    assert!(complaint(&output).ends_with("standard input: and 12 more\n"));
}

#[test]
fn labels_are_resolved_in_order() {
    let output = run(&["labels", "--json", "latin1", "klingon", "UTF8"], b"");
    assert_eq!(
        text(&output),
        "{\"label\":\"latin1\",\"charset\":\"ISO-8859-1\",\"mibenum\":4,\"matched\":\"exact\",\"decoded\":true,\"reason\":null}\n\
         {\"label\":\"klingon\",\"charset\":null,\"mibenum\":null,\"matched\":\"unknown\",\"decoded\":false,\"reason\":null}\n\
         {\"label\":\"UTF8\",\"charset\":\"UTF-8\",\"mibenum\":106,\"matched\":\"exact\",\"decoded\":true,\"reason\":null}\n"
    );
    let all = run(&["labels", "--json"], b"");
    let all = json_lines(&all);
    assert!(all.len() > 1_000);
    for label in &all {
        assert_eq!(keys(label), documented("A label"));
    }
    // Labels contain no blanks, and columns do not run into each other.
    for line in text(&run(&["labels"], b"")).lines() {
        let columns: Vec<_> = line.split_whitespace().collect();
        assert!(
            columns[2] == "-" || columns[2].parse::<u16>().is_ok(),
            "{line}"
        );
        assert_eq!(columns[3], "exact", "{line}");
    }
}

#[test]
fn detect_and_explain_show_the_decision() {
    let message = "Content-Type: text/plain; charset=iso-8859-1\n\n한국어".as_bytes();
    let output = run(&["detect", "-"], message);
    assert_eq!(text(&output), "-\t1\tiso-8859-1\tUTF-8\tevidence\t98%\n");
    let output = run(&["detect", "--json", "-"], message);
    assert_eq!(keys(&json_lines(&output)[0]), documented("A decision"));
    let explained = run(&["explain", "--json", "-"], message);
    assert_eq!(text(&explained), text(&output));
    let output = run(&["explain", "-"], message);
    assert!(text(&output).contains("against label: iso-8859-1 names ISO-8859-1"));
    assert!(text(&output).contains("ED 95 9C"), "{}", text(&output));
    // Header fields too, including those of an embedded message; plain ASCII needs no explanation.
    let message =
        b"Subject: plain\nContent-Type: message/rfc822\n\nTo: =?euc-kr?B?x9E=?= <a@b>\n\n";
    let output = run(&["explain", "-"], message);
    let expected = "-\n  field To of part 1.1: 한 <a@b>\n    EUC-KR, as declared\n      \
                    3D 3F 65 75 63 2D 6B 72 3F 42 3F 78 39 45 3D 3F  |=?euc-kr?B?x9E=?| and 1 more octet\n";
    assert!(text(&output).starts_with(expected), "{}", text(&output));
    let output = run(&["inspect", "-"], message);
    assert!(text(&output).contains("    To                        한 <a@b>"));
}

/// An HTML page and flowed lines, as readable and as exact text.
#[test]
fn inspect_shows_text_to_read_or_exactly() {
    let message = b"Content-Type: text/html\n\n<p>a &amp; b<p>c";
    let shown = |arguments: &[&str]| text(&run(arguments, message)).to_owned();
    assert!(shown(&["inspect", "--text", "-"]).contains("    | a & b\n    | \n    | c\n"));
    assert!(shown(&["inspect", "--exact", "-"]).contains("    | <p>a &amp; b<p>c\n"));
    let both = &json_lines(&run(&["inspect", "--json", "--text", "-"], message))[0]["parts"][0];
    assert_eq!(
        (&both["text"], &both["reading_text"]),
        (&"<p>a &amp; b<p>c".into(), &"a & b\n\nc".into())
    );
    let plain = &json_lines(&run(&["inspect", "--json", "--text", "-"], b"\na"))[0]["parts"][0];
    assert!(plain.get("reading_text").is_none() && plain["text"] == "a");
}

const LETTER: &[u8] = b"From: a@example.org\nSubject: one\n\nText\n";

fn gzip(octets: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(octets).unwrap();
    gzip.finish().unwrap()
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, octets) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(octets).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A file that is not mail is shown with its own octets if it was named, and skipped in a folder or
/// a zip file.
#[test]
fn a_named_file_that_is_not_mail_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let note = b"This is no mail at all.";
    assert_eq!(note.len(), 23);
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let files: [(&str, &[u8]); 5] = [
        ("1.eml", LETTER),
        ("a.txt", note),
        ("b.txt.gz", &gzip(note)),
        ("c.zip", &zip(&[("1.eml", LETTER), ("readme.txt", note)])),
        ("d.jpg", b"\xFF\xD8\xFF\xE0"),
    ];
    for (name, octets) in files {
        fs::write(at(name), octets).unwrap();
    }
    for name in ["a.txt", "b.txt.gz"] {
        let output = run(&["inspect", "--json", "--text", &at(name)], b"");
        let messages = json_lines(&output);
        assert_eq!(messages.len(), 1, "{name}");
        let part = &messages[0]["parts"][0];
        assert_eq!(part["octets"], 23, "{name}");
        assert_eq!(part["text"].as_str().unwrap().as_bytes(), note, "{name}");
        assert!(output.stderr.is_empty(), "{name}");
    }
    let output = run(&["detect", "--json", &at("c.zip")], b"");
    assert_eq!(output.status.code(), Some(0));
    let lines = json_lines(&output);
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0]["path"], format!("1.eml in {}", at("c.zip")));
    assert_eq!(
        complaint(&output),
        format!(
            "mime-charset: skipped 1 file that is not mail: readme.txt in {}\n",
            at("c.zip")
        )
    );
    let output = run(&["detect", "--json", folder.path().to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(json_lines(&output).len(), 2);
    assert_eq!(
        complaint(&output),
        format!(
            "mime-charset: skipped 4 files that are not mail: {}, {}, readme.txt in {} and \
             1 more\n",
            at("a.txt"),
            at("b.txt.gz"),
            at("c.zip")
        )
    );
}

/// Standard input is read like a file with the same octets.
#[test]
fn standard_input_is_read_like_a_file() {
    let long = fs::read("../corpus/archive/mboxrd.mbox")
        .unwrap()
        .repeat(120);
    // Too long to be kept in memory.
    assert!(long.len() > 2 * (64 << 10));
    for octets in [
        &fs::read("../corpus/archive/mboxrd.mbox").unwrap()[..],
        &fs::read("../corpus/archive/mboxrd.mbox.gz").unwrap(),
        &fs::read("../corpus/archive/mboxrd.mbox.zst").unwrap(),
        &fs::read("../corpus/archive/mboxrd.mbox.bz2").unwrap(),
        &fs::read("../corpus/archive/mboxrd.mbox.xz").unwrap(),
        &fs::read("../corpus/archive/tree.zip").unwrap(),
        &fs::read("../corpus/archive/mboxcl2.mbox").unwrap(),
        &fs::read("../corpus/archive/mboxcl.mbox").unwrap(),
        &long,
        &gzip(&long),
        &zip(&[("inbox", &long)]),
        &[LETTER, &b"more\n".repeat(100_000)].concat(),
        LETTER,
        b"",
        b"\n",
        b"no mail",
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("-"), octets).unwrap();
        // A file with this name can only be given as a path.
        let by_path = command(&["inspect", "--json", "--text", "./-"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let by_stream = run(&["inspect", "--json", "--text", "-"], octets);
        assert_eq!(by_path.status.code(), Some(0));
        assert_eq!(by_stream.status.code(), Some(0));
        let by_path = text(&by_path).replace("./-\"", "-\"");
        assert_eq!(text(&by_stream), by_path);
    }
    let mailbox = fs::read("../corpus/archive/mboxrd.mbox").unwrap();
    assert_eq!(
        json_lines(&run(&["inspect", "--json", "-"], &mailbox)).len(),
        7
    );
    assert!(run(&["inspect", "-"], b"").stdout.is_empty());
    let half = &gzip(LETTER)[..20];
    let output = run(&["inspect", "-"], half);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        complaint(&output).starts_with("mime-charset: cannot read -: "),
        "{}",
        complaint(&output)
    );
}

#[cfg(unix)]
#[test]
fn a_dangling_link_is_reported_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("1.eml");
    std::os::unix::fs::symlink(folder.path().join("none"), &link).unwrap();
    for path in [folder.path(), &link] {
        let output = run(&["inspect", path.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            complaint(&output),
            format!(
                "mime-charset: {} is a link to a missing file\n",
                link.display()
            )
        );
    }
}

/// They are generated from the definitions, so every subcommand is in them.
#[test]
fn completions_and_manuals_have_every_subcommand() {
    let help = run(&["--help"], b"");
    let names: Vec<_> = text(&help)
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| {
            line.strip_prefix("  ")?
                .split(' ')
                .find(|word| !word.is_empty())
        })
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() >= 9, "{names:?}");
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&["completions", shell], b"");
        assert!(script.status.success());
        for name in &names {
            assert!(text(&script).contains(name), "{shell}: {name}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let pages = folder.path().join("man1");
    assert!(run(&["man", pages.to_str().unwrap()], b"").status.success());
    for name in &names {
        let page = fs::read_to_string(pages.join(format!("mime-charset-{name}.1"))).unwrap();
        assert!(page.contains(".SH NAME"), "{page}");
    }
    assert!(pages.join("mime-charset.1").is_file());
}
