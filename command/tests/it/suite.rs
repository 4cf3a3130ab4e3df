//! The mail text suite in `corpus/suite`, as far as the command's output answers it.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

#[expect(unreachable_pub, reason = "other tests use it too")]
#[path = "../../../tests/suite/cases.rs"]
mod cases;

const FOLDER: &str = "../corpus/suite";

/// The cases of all files that satisfy `is_wanted`.
fn cases(is_wanted: impl Fn(&Value) -> bool) -> Vec<Value> {
    let paths = fs::read_dir(FOLDER)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.extension().is_some_and(|it| it == "jsonl"));
    let names = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned());
    let cases = names.flat_map(|name| cases::cases(Path::new(FOLDER), &name));
    cases.filter(is_wanted).collect()
}

fn output(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mime-charset"));
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut process = command.stderr(Stdio::null()).spawn().unwrap();
    // Input that is empty or not mail may be rejected before it is read.
    let _ = process.stdin.take().unwrap().write_all(input);
    process.wait_with_output().unwrap().stdout
}

/// Writes each input to a file, and returns the messages that `inspect` shows for each.
fn inspected(cases: &[Value], extension: &str, form: &[&str]) -> BTreeMap<String, Vec<Value>> {
    let folder = tempfile::tempdir().unwrap();
    for case in cases {
        let path = folder.path().join(case["id"].as_str().unwrap());
        fs::write(path.with_extension(extension), cases::input(case)).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    let arguments = [&["inspect", "--json", "--text"], form, &[path]].concat();
    let mut messages = BTreeMap::<_, Vec<_>>::new();
    for line in String::from_utf8(output(&arguments, b"")).unwrap().lines() {
        let message: Value = serde_json::from_str(line).unwrap();
        let file = Path::new(message["path"].as_str().unwrap())
            .file_stem()
            .unwrap();
        messages
            .entry(file.to_str().unwrap().to_owned())
            .or_default()
            .push(message);
    }
    messages
}

fn is_shown(case: &Value) -> bool {
    let ask = case["ask"].as_str().unwrap();
    matches!(
        ask,
        "field" | "date" | "zone" | "fields" | "file name" | "text" | "flowed text"
    )
}

fn answer(case: &Value, message: &Value) -> Value {
    let list = |key: &str| message[key].as_array().unwrap().iter();
    let mut parts = list("parts");
    let mut part = || {
        parts
            .find(|part| part["part"] == case["part"])
            .unwrap_or(&Value::Null)
    };
    match case["ask"].as_str().unwrap() {
        "field" => {
            let name = case["field"].as_str().unwrap();
            let is_named = |field: &&Value| {
                field["name"]
                    .as_str()
                    .is_some_and(|it| it.eq_ignore_ascii_case(name))
            };
            list("fields")
                .find(is_named)
                .map_or(Value::Null, |field| field["text"].clone())
        }
        "fields" => list("fields").map(|field| field["name"].clone()).collect(),
        "date" => message["date"]["unix_seconds"].clone(),
        "zone" => zone(message["date"]["text"].as_str().unwrap_or("-00:00")),
        "file name" => part()["filename"].clone(),
        "text" => part()["text"].clone(),
        _ => {
            let part = part();
            part.get("reading_text").unwrap_or(&part["text"]).clone()
        }
    }
}

/// The offset of an RFC 3339 date, in minutes; `Null` for `-00:00`, an unknown offset.
fn zone(date: &str) -> Value {
    let (_, offset) = date.split_at(date.len() - 6);
    let number = |text: &str| text.parse::<i64>().unwrap();
    let minutes = 60 * number(&offset[1..3]) + number(&offset[4..]);
    match offset {
        "-00:00" => Value::Null,
        _ if offset.starts_with('-') => json!(-minutes),
        _ => json!(minutes),
    }
}

#[test]
fn messages_as_inspect_shows_them() {
    // `inspect` shows the text of text types only; JSON is not one.
    let is_json = |case: &Value| case["id"] == "bodies-0143";
    let cases = cases(|case| is_shown(case) && !cases::is_mailbox(case) && !is_json(case));
    let messages = inspected(&cases, "eml", &["--as", "message"]);
    cases::ask(&cases, |case, _| {
        let found = messages.get(case["id"].as_str().unwrap());
        found.map_or(Value::Null, |messages| answer(case, &messages[0]))
    });
}

#[test]
fn mailboxes_as_inspect_shows_them() {
    let cases =
        cases(|case| cases::is_mailbox(case) && (case["ask"] == "messages" || is_shown(case)));
    let mailboxes = inspected(&cases, "mbox", &[]);
    cases::ask(&cases, |case, _| {
        let messages = mailboxes
            .get(case["id"].as_str().unwrap())
            .map_or(&[][..], |found| found);
        match case["message"].as_u64() {
            None => json!(messages.len()),
            Some(number) => {
                let message = messages.get(usize::try_from(number).unwrap() - 1);
                message.map_or(Value::Null, |message| answer(case, message))
            }
        }
    });
}

#[test]
fn octets_as_decode_writes_them() {
    let cases = cases(|case| case["ask"] == "decode");
    cases::ask(&cases, |case, octets| {
        let text = output(
            &["decode", "--from", case["charset"].as_str().unwrap()],
            octets,
        );
        json!(String::from_utf8(text).unwrap())
    });
}
