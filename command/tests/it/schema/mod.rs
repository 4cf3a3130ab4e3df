//! The JSON output of the commands conforms to the schemas in schema/.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

pub(crate) mod validator;

use validator::schema_allows;

/// The output lines of the command with these arguments and this standard input.
fn lines(arguments: &[&str], input: &[u8]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mime-charset"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn schema(name: &str) -> Value {
    let root = env!("CARGO_MANIFEST_DIR");
    let text = fs::read_to_string(format!("{root}/../schema/{name}.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn corpus(folder: &str) -> String {
    format!("{}/../corpus/{folder}", env!("CARGO_MANIFEST_DIR"))
}

/// Asserts that the schema accepts every line, but rejects the first line without any of its keys,
/// with a wrong value, or with an additional key.
#[track_caller]
fn assert_conforms_to(name: &str, lines: &[Value]) {
    let schema = schema(name);
    for line in lines {
        if let Err(why) = schema_allows(&schema, &schema, line) {
            panic!("{why}: {line}");
        }
    }
    let is_allowed = |line: &Value| schema_allows(&schema, &schema, line).is_ok();
    let first = lines.first().unwrap().as_object().unwrap();
    for key in first.keys() {
        let mut less = first.clone();
        less.remove(key);
        assert!(!is_allowed(&less.into()), "{name} without {key}");
        let mut other = first.clone();
        other.insert(key.clone(), serde_json::json!({ "no": "such" }));
        assert!(!is_allowed(&other.into()), "{name} with an object in {key}");
    }
    let mut more = first.clone();
    more.insert("more".to_owned(), 1.into());
    assert!(!is_allowed(&more.into()), "{name} with one key more");
}

#[test]
fn inspect() {
    let all = [corpus("mail"), corpus("truth"), corpus("malformed")];
    let paths = all.each_ref().map(String::as_str);
    for text in [&["--text"][..], &[]] {
        let arguments = [&["inspect", "--json"][..], text, &paths].concat();
        let messages = lines(&arguments, b"");
        assert!(messages.len() > 200, "{}", messages.len());
        assert_conforms_to("inspect", &messages);
    }
}

#[test]
fn header() {
    let mut fields = Vec::new();
    for entry in fs::read_dir(corpus("mail")).unwrap().take(40) {
        let octets = fs::read(entry.unwrap().path()).unwrap();
        fields.extend(lines(&["header", "--json"], &octets));
    }
    // A line that is not a field, among fields and after them; a lone encoded word.
    for input in [
        &b"Subject: x\nno field\nTo: y\n\n"[..],
        b"Subject: x\nno field",
        b"=?latin1?Q?=E9?=",
    ] {
        let found = lines(&["header", "--json"], input);
        assert!(found.iter().any(|field| field["name"].is_null()));
        fields.extend(found);
    }
    assert!(fields.len() > 200, "{}", fields.len());
    assert_conforms_to("header", &fields);
}

#[test]
fn detect_and_explain() {
    for command in ["detect", "explain"] {
        let decisions = lines(&[command, "--json", &corpus("mail")], b"");
        let sources: BTreeSet<_> = decisions
            .iter()
            .map(|decision| decision["source"].as_str().unwrap())
            .collect();
        assert!(sources.len() >= 5, "{sources:?}");
        assert_conforms_to("detect", &decisions);
    }
}

#[test]
fn survey() {
    let mut found = lines(
        &["survey", "--json", &corpus("mail"), &corpus("archive")],
        b"",
    );
    assert_eq!(found.len(), 1);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (report, converted) = (path("report.jsonl"), path("converted"));
    let arguments = ["convert", "--quiet", "--report", &report];
    lines(
        &[&arguments[..], &[&corpus("mail"), &converted]].concat(),
        b"",
    );
    found.extend(lines(&["survey", "--json", &report], b""));
    assert_conforms_to("survey", &found);
}

#[test]
fn labels() {
    assert_conforms_to("labels", &lines(&["labels", "--json"], b""));
    assert_conforms_to(
        "labels",
        &lines(&["labels", "--json", "utf8", "klingon"], b""),
    );
}
