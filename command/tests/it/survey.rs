//! A survey counts what the other commands show, one message after another.

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
        serde_json::from_str(&run(&["survey", "--json", "--jobs", "2", "../corpus"])).unwrap();
    let inspected = run(&["inspect", "--json", "../corpus"]);
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
    let survey: Value =
        serde_json::from_str(&run(&["survey", "--json", "../corpus/mail"])).unwrap();
    let (report, converted) = (path("report.jsonl"), path("converted"));
    run(&[
        "convert",
        "--quiet",
        "--report",
        &report,
        "../corpus/mail",
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
    let fields = survey["fields written in UTF-8"] + survey["labels rewritten"];
    assert_eq!(fields, (changes.len() - bodies) as u64);
}

/// Years and programs of a report are those of the messages, and a row has those of its own.
#[test]
fn a_survey_of_a_report_has_years_and_programs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mail = "From - Sat Jan  3 01:05:34 1996\nDate: 3 Jan 1996 01:05 +0900\nX-Mailer: Mutt 0.5\n\
                Subject: =?koi8-r?Q?=F0?=\n\none\n\n\
                From - Sat Jan  3 01:05:34 1998\nDate: Sat, 03 Jan 98 01:05:34 GMT\n\ntwo\n\n\
                From - Sat Jan  3 01:05:34 1996\nSubject: three\n\nthree\n";
    std::fs::write(path("old.mbox"), mail).unwrap();
    let report = path("report.jsonl");
    run(&[
        "convert",
        "--quiet",
        "--report",
        &report,
        &path("old.mbox"),
        &path("new.mbox"),
    ]);
    let done: Value = serde_json::from_str(&run(&["survey", "--json", &report])).unwrap();
    let table = |name: &str| counts(&done, name).into_iter().collect::<Vec<_>>();
    let row = |name: &str, count| (name.to_owned(), count);
    assert_eq!(
        table("years"),
        [row("1996", 1), row("1998", 1), row("none", 1)]
    );
    assert_eq!(table("programs"), [row("Mutt", 1)]);
    let fields = &done["tables"]["field_charsets"]["rows"][0];
    assert_eq!(fields["years"], serde_json::json!({ "1996": 1 }));
}

/// Years are read from each form of a date, and never from a day or from another date.
#[test]
fn years_of_dates_in_any_form() {
    let folder = tempfile::tempdir().unwrap();
    let dates = [
        ("Thu Mar  4 10:00:00 1999", "1999"),
        ("Fri Sep 17 23:15:43 PDT 1993", "1993"),
        ("Mon Jan 25 09:00:00 EST 1988", "1988"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "1994"),
        ("1 Jan 19100 00:00:00 +0000", "2000"),
        ("31 Feb 2001 00:00:00 +0000", "none"),
    ];
    for (number, (date, _)) in dates.iter().enumerate() {
        let mail = format!("Received: by a; 1 Jan 2020 00:00 +0000\nDate: {date}\n\ntext\n");
        std::fs::write(folder.path().join(format!("{number}.eml")), mail).unwrap();
    }
    let survey = run(&["survey", "--json", folder.path().to_str().unwrap()]);
    let years = counts(&serde_json::from_str(&survey).unwrap(), "years");
    let expected = dates.map(|(_, year)| (year.to_owned(), 1));
    assert_eq!(years, expected.into());
}

/// What a conversion did is what a survey said it would do, and the charsets after it are those that
/// a survey finds in what it wrote.
#[test]
fn a_survey_of_a_report_has_the_numbers_of_the_archives() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (report, converted) = (path("report.jsonl"), path("converted"));
    let arguments = ["convert", "--quiet", "--report", &report];
    run(&[&arguments[..], &["../corpus/mail", &converted]].concat());
    let survey =
        |path: &str| -> Value { serde_json::from_str(&run(&["survey", "--json", path])).unwrap() };
    let (before, after) = (survey("../corpus/mail"), survey(&converted));
    let done = survey(&report);
    assert_eq!(done["messages"], before["messages"]);
    assert_eq!(counts(&done, "conversion"), counts(&before, "conversion"));
    // Each with its years and places.
    for table in ["conversion", "programs", "years"] {
        assert_eq!(done["tables"][table], before["tables"][table], "{table}");
        assert!(!counts(&done, table).is_empty(), "{table}");
    }

    // A conversion looks at fewer parts than a survey, since text attachments stay: what changes
    // from one to the other is the same.
    let steps = |before: &Value, from: &str, after: &Value, to: &str| -> BTreeMap<String, i64> {
        let (before, after) = (counts(before, from), counts(after, to));
        let names = before.keys().chain(after.keys());
        let count = |of: &BTreeMap<String, u64>, name: &String| {
            i64::try_from(of.get(name).copied().unwrap_or(0)).unwrap()
        };
        names
            .map(|name| (name.clone(), count(&after, name) - count(&before, name)))
            .filter(|(_, step)| *step != 0)
            .collect()
    };
    let mut found = steps(&before, "charsets", &after, "charsets");
    let told = steps(&done, "charsets", &done, "charsets_after");
    // One text under the label UNICODE-1-1-UTF-8 has the same octets in UTF-8, so that only its
    // label was changed, of which a report does not tell what it was in.
    *found.get_mut("UTF-8").unwrap() -= 1;
    *found.get_mut("UNICODE-1-1-UTF-8").unwrap() += 1;
    assert_eq!(told, found);
    assert!(told["UTF-8"] > 100 && told["EUC-KR"] < 0, "{told:?}");
    let bodies = counts(&done, "conversion")["bodies written in UTF-8"];
    assert_eq!(done["summary"]["changed_parts"], bodies);
    assert_eq!(counts(&done, "sources").values().sum::<u64>(), bodies);
}

/// Its page has both sides of the comparison, and only one report at a time is surveyed.
#[test]
fn a_page_compares_before_and_after() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (old, report, page) = (path("old.eml"), path("report.jsonl"), path("page.html"));
    let mail = "Content-Type: text/plain; charset=koi8-r\n\n";
    std::fs::write(&old, [mail.as_bytes(), b"\xF0"].concat()).unwrap();
    run(&[
        "convert",
        "--quiet",
        "--report",
        &report,
        &old,
        &path("new.eml"),
    ]);
    let shown = run(&["survey", "--html", &page, &report]);
    assert!(shown.contains("before         1"), "{shown}");
    let html = std::fs::read_to_string(&page).unwrap();
    let row = "<bdi>KOI8-R</bdi></th><td><a href=\"#charsets-0\">1</a></td><td>0</td>";
    assert!(html.contains(row), "{html}");
    assert!(html.contains("id=\"charsets-0\""));
    let output = Command::new(env!("CARGO_BIN_EXE_mime-charset"))
        .args(["survey", &report, &old])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let sentence = String::from_utf8(output.stderr).unwrap();
    assert!(sentence.contains("expected a report alone"), "{sentence}");
}

/// What two threads count is what one counts, and a row names where its examples are.
#[test]
fn a_survey_is_the_same_on_any_number_of_threads() {
    // Threads are given half a megabyte of mail at a time, and the corpus has less.
    let of = |jobs| run(&[&["survey", "--json", "--jobs", jobs], &["../corpus"; 8][..]].concat());
    let one = of("1");
    assert_eq!(of("3"), one);
    let survey: Value = serde_json::from_str(&one).unwrap();
    let rows = survey["tables"]["labels"]["rows"].as_array().unwrap();
    for row in rows {
        let examples = row["examples"].as_array().unwrap();
        assert!((1..=5).contains(&examples.len()), "{row}");
        let path = examples[0]["path"].as_str().unwrap();
        assert!(path.starts_with("../corpus/"), "{row}");
    }
}

#[test]
fn the_page_is_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("survey.html");
    let shown = run(&["survey", "--html", page.to_str().unwrap(), "../corpus/mail"]);
    assert!(shown.contains("Charsets of text parts"), "{shown}");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("UNICODE-1-1-UTF-8"));
}
