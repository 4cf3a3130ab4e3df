//! A survey equals the sum of the other commands' output for each message.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
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

/// The counts of a table, by row name.
fn counts(survey: &Value, table: &str) -> BTreeMap<String, u64> {
    let rows = survey["tables"][table]["rows"].as_array().unwrap();
    let row = |row: &Value| {
        let name = row["name"].as_str().unwrap().to_owned();
        (name, row["count"].as_u64().unwrap())
    };
    rows.iter().map(row).collect()
}

/// The number of occurrences of each name.
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

/// A survey predicts exactly the changes that a conversion makes.
#[test]
fn a_survey_predicts_the_numbers_of_convert() {
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
    assert_eq!(survey["unchanged messages"], unchanged.count() as u64);
    let bodies = changes
        .iter()
        .filter(|change| change["field"].is_null())
        .count();
    assert!(bodies > 0 && changes.len() > bodies);
    assert_eq!(survey["bodies written in UTF-8"], bodies as u64);
    let fields = survey["fields written in UTF-8"] + survey["labels rewritten"];
    assert_eq!(fields, (changes.len() - bodies) as u64);
}

/// The years and programs of a report are those of its messages, and each row has its own years.
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

/// Years are found in dates of every form; a day, or another date, is never taken for one.
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

/// A survey of a report has the changes that a survey of the source predicted, and the charsets
/// that a survey of the result finds.
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
    // Including years and places.
    for table in ["conversion", "programs", "years"] {
        assert_eq!(done["tables"][table], before["tables"][table], "{table}");
        assert!(!counts(&done, table).is_empty(), "{table}");
    }

    // A conversion examines fewer parts than a survey, since text attachments are kept. The
    // differences between before and after are equal.
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
    // One text with the label UNICODE-1-1-UTF-8 has the same octets in UTF-8, so only its label
    // changes; the report does not record the old charset then.
    *found.get_mut("UTF-8").unwrap() -= 1;
    *found.get_mut("UNICODE-1-1-UTF-8").unwrap() += 1;
    assert_eq!(told, found);
    assert!(told["UTF-8"] > 100 && told["EUC-KR"] < 0, "{told:?}");
    let bodies = counts(&done, "conversion")["bodies written in UTF-8"];
    assert_eq!(done["summary"]["changed_parts"], bodies);
    assert_eq!(counts(&done, "sources").values().sum::<u64>(), bodies);
}

/// The page has both sides of the comparison. Only one report can be surveyed at a time.
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
    assert!(sentence.contains(" must be the only path"), "{sentence}");
}

/// Any number of threads has the same counts, and the examples of a row can be found.
#[test]
fn a_survey_is_the_same_on_any_number_of_threads() {
    // Threads process half a megabyte of mail at a time, more than the corpus has.
    let of = |jobs| {
        let survey = run(&[&["survey", "--json", "--jobs", jobs], &["../corpus"; 8][..]].concat());
        let mut survey: Value = serde_json::from_str(&survey).unwrap();
        // The run has the time and the arguments.
        let run = survey.as_object_mut().unwrap().remove("run").unwrap();
        let command = run["command"].as_str().unwrap();
        assert!(command.starts_with(&format!(
            "mime-charset survey --json --jobs {jobs} ../corpus "
        )));
        survey
    };
    let survey = of("1");
    assert_eq!(of("3").to_string(), survey.to_string());
    // Each message occurs eight times.
    let messages = survey["messages"].as_u64().unwrap();
    assert!(survey["duplicates"]["octets"].as_u64().unwrap() >= messages / 8 * 7);
    let rows = survey["tables"]["labels"]["rows"].as_array().unwrap();
    for row in rows {
        let examples = row["examples"].as_array().unwrap();
        assert!((1..=5).contains(&examples.len()), "{row}");
        let path = examples[0]["path"].as_str().unwrap();
        assert!(path.starts_with("../corpus/"), "{row}");
    }
}

#[test]
fn the_page_is_complete() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("survey.html");
    let shown = run(&["survey", "--html", page.to_str().unwrap(), "../corpus/mail"]);
    assert!(shown.contains("Charsets of text parts"), "{shown}");
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("UNICODE-1-1-UTF-8"));
}

/// A survey names every file without mail, the run that made it, and the number of duplicates.
#[test]
fn a_survey_records_its_run_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::create_dir(path("old")).unwrap();
    let mail = |id: &str, text: &str| {
        format!("Date: 3 Jan 1998 01:05:34 +0900\nMessage-ID: {id}\n\n{text}\n")
    };
    for (name, octets) in [
        ("1.eml", mail("<1@a>", "one")),
        ("2.eml", mail("<1@a>", "one")),
        ("3.eml", mail("<1@a>", "another")),
        ("4.pst", "!BDN".to_owned()),
    ] {
        std::fs::write(path(&format!("old/{name}")), octets).unwrap();
    }
    for number in 0..9 {
        std::fs::write(path(&format!("old/note {number}.txt")), "no mail").unwrap();
    }
    let (report, page) = (path("r.jsonl"), path("page.html"));
    run_to(
        2,
        &[
            "convert",
            "--quiet",
            "--report",
            &report,
            &path("old"),
            &path("new"),
        ],
    );
    for (of, status) in [(path("old"), 2), (report, 0)] {
        let arguments = ["survey", "--json", "--html", &page, &of];
        let survey: Value = serde_json::from_str(&run_to(status, &arguments).0).unwrap();
        let files = survey["files"].as_array().unwrap();
        let names: Vec<_> = files
            .iter()
            .filter_map(|file| file["path"].as_str())
            .collect();
        assert_eq!(files.len(), 10, "{of}");
        let html = std::fs::read_to_string(&page).unwrap();
        for number in 0..9 {
            let name = path(&format!("old/note {number}.txt"));
            assert!(names.contains(&&*name), "{names:?}");
            assert!(html.contains(&format!("<bdi>{name}</bdi>: ")), "{name}");
        }
        let failed: Vec<_> = files
            .iter()
            .filter(|file| file["outcome"] == "failed")
            .collect();
        assert_eq!(failed.len(), 1);
        assert!(failed[0]["detail"].as_str().unwrap().contains("4.pst"));
        assert!(failed[0]["path"].as_str().unwrap().ends_with("4.pst"));
        assert!(html.contains("<summary>failed: 1</summary>"));
        assert!(html.contains("<summary>not mail: 9</summary>"));
        let duplicates = &survey["duplicates"];
        assert_eq!(
            (&duplicates["octets"], &duplicates["message_ids"]),
            (&1.into(), &1.into())
        );
        let date = survey["run"]["date"].as_str().unwrap();
        let version = concat!("mime-charset ", env!("CARGO_PKG_VERSION"));
        assert_eq!(survey["run"]["agent"], version);
        assert!(html.contains(&format!(
            "<p>{version}, {date}: <code>mime-charset survey --json"
        )));
        // A single year is not plotted.
        assert!(!html.contains("class=\"years\""));
        // A page is replaced only on request.
        let said = run_to(2, &arguments).1;
        assert!(
            said.contains("page.html already exists; --force replaces it"),
            "{said}"
        );
        assert_eq!(std::fs::read_to_string(&page).unwrap(), html);
        run_to(status, &[&arguments[..], &["--force"]].concat());
        std::fs::remove_file(&page).unwrap();
    }
}

/// The page is never written into the archive that the survey reads, even if the archive is a folder
/// of one message. Undelivered mail is named.
#[test]
fn a_page_is_not_written_into_the_archive() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for name in ["one", "md/cur", "md/new", "md/tmp"] {
        std::fs::create_dir_all(path(name)).unwrap();
    }
    let message = "Subject: one\n\ntext\n";
    for name in ["one/1.eml", "md/cur/1:2,S", "md/tmp/2"] {
        std::fs::write(path(name), message).unwrap();
    }
    let (page, one) = (path("one/page.html"), path("one"));
    for force in [&[][..], &["--force"]] {
        let arguments = [&["survey", "--html", &page, &one], force].concat();
        let said = run_to(2, &arguments).1;
        let expected = format!("mime-charset: {page} must be outside {one}\n");
        assert_eq!(said, expected);
        assert!(!Path::new(&page).exists());
    }
    let (said, told) = run_to(0, &["survey", "--json", &path("md")]);
    let survey: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(survey["messages"], 1);
    assert_eq!(survey["files"][0]["outcome"], "undelivered");
    let expected = format!(
        "mime-charset: skipped 1 undelivered file in tmp of a Maildir: {}\n",
        path("md/tmp/2")
    );
    assert_eq!(told, expected);
    assert_eq!(run_to(0, &["inspect", &path("md")]).1, expected);
}

/// Of a long table the page shows the first rows; the rest is folded.
#[test]
fn a_page_folds_long_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let mut mail = String::new();
    for number in 0..300 {
        write!(
            mail,
            "From - Sat Jan  3 01:05:34 1996\nDate: 3 Jan {} 01:05 +0900\n\
             Content-Type: text/plain; charset=x-{number}\n\ntext\n\n",
            1980 + number % 40
        )
        .unwrap();
    }
    std::fs::write(path("a.mbox"), mail).unwrap();
    let shown = run(&["survey", "--html", &path("page.html"), &path("a.mbox")]);
    assert!(
        shown.contains("  1980 to 1983  ") && shown.contains("  2016 to 2019  "),
        "{shown}"
    );
    let html = std::fs::read_to_string(path("page.html")).unwrap();
    let mut open = String::new();
    let mut rest = html.as_str();
    while let Some((before, after)) = rest.split_once("<details>") {
        open += before;
        rest = after.split_once("</details>").unwrap().1;
    }
    open += rest;
    assert!(html.matches("<tr>").count() > 300);
    assert!(open.matches("<tr>").count() < 12 * 10, "{open}");
    assert!(!open.contains("<h3"));
}

/// Flags and labels of mail stores are counted, but affect the survey only on request: flags of
/// Thunderbird, mutt and Maildirs, labels of Gmail.
#[cfg(unix)]
#[test]
fn flags_and_labels_of_mail_stores_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let separator = "From - Sat Jan  3 01:05:34 1996\n";
    let mailbox = format!(
        "{separator}X-Mozilla-Status: 0009\n\none\n\n\
         {separator}Status: RO\nX-Gmail-Labels: =?utf-8?Q?=C3=A9?=,\"a, b\"\nX-GM-THRID: 7\n\ntwo\n\n\
         {separator}Subject: three\n\nthree\n\n"
    );
    std::fs::write(path("a.mbox"), mailbox).unwrap();
    for name in ["md/cur", "md/new", "md/tmp"] {
        std::fs::create_dir_all(path(name)).unwrap();
    }
    std::fs::write(path("md/cur/1.a:2,ST"), "Subject: four\n\nfour\n").unwrap();
    let root = folder.path().to_str().unwrap();
    let survey = |more: &[&str]| -> Value {
        let survey = run(&[&["survey", "--json", root], more].concat());
        serde_json::from_str(&survey).unwrap()
    };
    let row = |name: &str, count| (name.to_owned(), count);
    let flags = BTreeMap::from([row("deleted", 2), row("seen", 3)]);
    assert_eq!(counts(&survey(&[]), "flags"), flags);
    let labels = BTreeMap::from([row("a, b", 1), row("é", 1)]);
    assert_eq!(counts(&survey(&[]), "store_labels"), labels);
    assert_eq!(survey(&["--skip-deleted"])["messages"], 2);

    let inspect = |more: &[&str]| -> Vec<Value> {
        let lines = run(&[&["inspect", "--json", root], more].concat());
        lines
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let all = inspect(&[]);
    let stores: Vec<_> = all.iter().map(|message| &message["store"]).collect();
    let expected = serde_json::json!([
        { "flags": ["seen", "deleted"], "labels": [], "thread": null },
        { "flags": ["seen"], "labels": ["é", "a, b"], "thread": "7" },
        null,
        { "flags": ["seen", "deleted"], "labels": [], "thread": null },
    ]);
    assert_eq!(serde_json::to_value(stores).unwrap(), expected);
    assert_eq!(inspect(&["--skip-deleted"]), all[1..3]);
    for command in ["detect", "explain"] {
        let lines = |more: &[&str]| run(&[&[command, "--json", root], more].concat());
        assert_eq!(lines(&[]).lines().count(), 4, "{command}");
        assert_eq!(lines(&["--skip-deleted"]).lines().count(), 2, "{command}");
    }
}

/// A path without mail is reported on standard error.
#[test]
fn an_empty_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    for command in ["inspect", "detect", "explain", "survey"] {
        let said = run_to(0, &[command, path]).1;
        assert_eq!(
            said,
            format!("mime-charset: no mail in {path}\n"),
            "{command}"
        );
    }
}

/// The standard output and standard error of a run with this exit status.
#[track_caller]
fn run_to(status: i32, arguments: &[&str]) -> (String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_mime-charset"))
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(status), "{output:?}");
    let text = |octets| String::from_utf8(octets).unwrap();
    (text(output.stdout), text(output.stderr))
}
