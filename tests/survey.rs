//! A survey counts what the other commands show, one message after another.
#![cfg(feature = "cli")]

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_mime-charset"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The counts of a table, by the names of its rows.
fn counts(survey: &Value, table: &str) -> BTreeMap<String, u64> {
    let rows = survey["tables"][table]["rows"].as_array().unwrap();
    let row = |row: &Value| {
        let name = row["name"].as_str().unwrap().to_owned();
        (name, row["count"].as_u64().unwrap())
    };
    rows.iter().map(row).collect()
}

/// How often each of `names` comes.
fn tally<'v>(names: impl IntoIterator<Item = &'v Value>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for name in names.into_iter().filter_map(Value::as_str) {
        *counts.entry(name.to_owned()).or_default() += 1;
    }
    counts
}

fn all<'v>(values: impl IntoIterator<Item = &'v Value>, key: &str) -> Vec<&'v Value> {
    let lists = values.into_iter().filter_map(|value| value[key].as_array());
    lists.flatten().collect()
}

#[test]
fn a_survey_has_the_numbers_of_inspect() {
    let survey: Value =
        serde_json::from_str(&run(&["survey", "--json", "--jobs", "2", "corpus"])).unwrap();
    let inspected = run(&["inspect", "--json", "corpus"]);
    let messages: Vec<Value> = inspected
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let parts = all(&messages, "parts");
    let fields = [
        all(&messages, "fields"),
        all(parts.iter().copied(), "fields"),
    ]
    .concat();
    assert!(messages.len() > 100 && parts.len() > messages.len());
    assert_eq!(survey["messages"], messages.len());
    assert_eq!(survey["parts"], parts.len());
    assert_eq!(survey["fields"], fields.len());

    let text: Vec<_> = parts
        .iter()
        .filter(|part| !part["charset"].is_null())
        .collect();
    assert_eq!(survey["text_parts"], text.len());
    let charsets = tally(text.iter().map(|part| &part["charset"]));
    assert_eq!(counts(&survey, "charsets"), charsets);
    assert_eq!(
        counts(&survey, "sources"),
        tally(text.iter().map(|part| &part["source"]))
    );
    let used = all(fields.iter().copied(), "charsets");
    let used = tally(used.iter().map(|used| &used["charset"]));
    assert_eq!(counts(&survey, "field_charsets"), used);

    let findings = [
        all(&messages, "findings"),
        all(fields.iter().copied(), "findings"),
        all(parts.iter().copied(), "findings"),
    ]
    .concat();
    let kinds = tally(findings.iter().map(|finding| &finding["kind"]));
    assert_eq!(counts(&survey, "findings"), kinds);
    assert!(kinds.len() > 10);
}

/// What would change is what a conversion changes.
#[test]
fn a_survey_has_the_numbers_of_convert() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let survey: Value = serde_json::from_str(&run(&["survey", "--json", "corpus/mail"])).unwrap();
    let (report, converted) = (path("report.jsonl"), path("converted"));
    run(&[
        "convert",
        "--quiet",
        "--report",
        &report,
        "corpus/mail",
        &converted,
    ]);
    let report = std::fs::read_to_string(report).unwrap();
    let records: Vec<Value> = report
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let messages: Vec<_> = records
        .iter()
        .filter(|it| it["record"] == "message")
        .collect();
    let changes = all(messages.iter().copied(), "changes");
    let survey = counts(&survey, "conversion");
    let unchanged = messages
        .iter()
        .filter(|message| message["changes"] == Value::Array(Vec::new()));
    assert_eq!(
        survey["messages that stay as they are"],
        unchanged.count() as u64
    );
    let bodies = changes
        .iter()
        .filter(|change| change["field"].is_null())
        .count();
    assert!(bodies > 0 && changes.len() > bodies);
    assert_eq!(survey["bodies written in UTF-8"], bodies as u64);
    let fields = survey["fields written in UTF-8"] + survey["labels written anew"];
    assert_eq!(fields, (changes.len() - bodies) as u64);
}

/// What two threads count is what one counts, and a row names where its examples are.
#[test]
fn a_survey_is_the_same_on_any_number_of_threads() {
    let one = run(&["survey", "--json", "--jobs", "1", "corpus"]);
    assert_eq!(run(&["survey", "--json", "--jobs", "3", "corpus"]), one);
    let survey: Value = serde_json::from_str(&one).unwrap();
    let rows = survey["tables"]["labels"]["rows"].as_array().unwrap();
    for row in rows {
        let examples = row["examples"].as_array().unwrap();
        assert!((1..=5).contains(&examples.len()), "{row}");
        let path = examples[0]["path"].as_str().unwrap();
        assert!(path.starts_with("corpus/"), "{row}");
    }
}

#[test]
fn the_page_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("survey.html");
    let shown = run(&["survey", "--html", page.to_str().unwrap(), "corpus/mail"]);
    assert!(shown.contains("Charsets of text parts"), "{shown}");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("UNICODE-1-1-UTF-8"));
}
