//! Reports: the fields that name a message for people, and compression as a whole.

use std::collections::BTreeMap;
#[cfg(target_os = "linux")]
use std::fmt::Write as _;
use std::fs;
use std::io::Read as _;
use std::path::Path;

use mime_charset::Message;
use mime_charset_archive::{
    Convert, Existing, Limits, Verify, is_report, open_report, survey_report,
};
use serde_json::Value;

fn lines(report: &Path) -> Vec<Value> {
    let mut text = String::new();
    open_report(report)
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

fn messages(report: &Path) -> Vec<Value> {
    let mut lines = lines(report);
    lines.retain(|line| line["record"] == "message");
    lines
}

/// A report has the sender, subject and date of each message as the library decodes them from the
/// whole message: a raw subject is decoded in the charset of the body.
#[test]
fn a_report_names_messages_as_the_library_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let raw = folder.path().join("raw.eml");
    let raw_mail = b"From: \xC8\xAB\xB1\xE6\xB5\xBF <a@example.org>\nSubject: \xC7\xD1\xB1\xDB\n\
        Date: Sat, 3 Jan 1998 01:05:34 +0900\nContent-Type: text/plain; charset=euc-kr\n\n\xC7\xD1\n";
    fs::write(&raw, raw_mail).unwrap();
    let sources = [
        Path::new("../corpus/archive"),
        Path::new("../corpus/mail"),
        &raw,
    ];
    let mut count = 0;
    for (number, source) in sources.iter().enumerate() {
        let report = folder.path().join(format!("{number}.jsonl"));
        let conversion = Convert::new(source, folder.path().join(format!("{number}")));
        conversion
            .report(&report)
            .run(&false.into(), |_| ())
            .unwrap();
        let place = |line: &Value| {
            (
                line["source"]["path"].to_string(),
                line["source"]["index"].as_u64(),
            )
        };
        let mut recorded: BTreeMap<_, _> = messages(&report)
            .into_iter()
            .map(|line| (place(&line), line))
            .collect();
        for source in mime_charset_archive::sources(source, Limits::new()).flatten() {
            for stored in source.messages().into_iter().flatten().flatten() {
                let path = Value::from(source.to_string()).to_string();
                // Mail that is not converted has no line.
                let Some(line) = recorded.remove(&(path, Some(stored.ordinal()))) else {
                    continue;
                };
                let octets = stored.message();
                let message = Message::parse(&octets);
                let text = |name: &str| {
                    message
                        .field(name)
                        .map(|field| field.text().as_str().to_owned())
                };
                let date = message.date().map(|date| date.to_string());
                let expected = serde_json::json!([text("From"), text("Subject"), date]);
                let found = ["from", "subject", "date"].map(|key| line[key].clone());
                assert_eq!(Value::Array(found.into()), expected, "{source}");
                count += 1;
            }
        }
        assert!(recorded.is_empty(), "{recorded:?}");
    }
    assert!(count > 200, "{count}");
    let line = &messages(&folder.path().join("2.jsonl"))[0];
    assert_eq!(line["from"], "홍길동 <a@example.org>");
    assert_eq!(line["subject"], "한글");
    assert_eq!(line["date"], "1998-01-03T01:05:34+09:00");
}

/// A compressed report has the same lines, and every reader of reports accepts it. A truncated one
/// proves nothing (RFC 1952, section 2.3.1; RFC 8878, section 3.1.1).
#[test]
fn a_compressed_report_is_a_report() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let source = Path::new("../corpus/mail");
    let convert = |name: &str| {
        let conversion = Convert::new(source, at("new")).existing(Existing::Replace);
        conversion.report(at(name)).run(&false.into(), |_| ())
    };
    convert("r.jsonl").unwrap();
    let plain = messages(&at("r.jsonl"));
    let counts = survey_report(&at("r.jsonl"), &false.into(), |_| ()).unwrap();
    for name in ["r.jsonl.gz", "r.jsonl.zst", "R.GZ"] {
        convert(name).unwrap();
        let octets = fs::read(at(name)).unwrap();
        assert!(!octets.starts_with(b"{") && is_report(&at(name)), "{name}");
        assert_eq!(messages(&at(name)), plain, "{name}");
        let survey = survey_report(&at(name), &false.into(), |_| ()).unwrap();
        assert_eq!(survey, counts, "{name}");
        let comparison = Verify::new(source, at("new")).report(at(name));
        assert!(
            comparison.run(&false.into(), |_| ()).unwrap().holds(),
            "{name}"
        );
        for cut in [octets.len() - 1, octets.len() / 2, 20, 10] {
            fs::write(at(name), &octets[..cut]).unwrap();
            let proof = comparison.run(&false.into(), |_| ());
            assert!(proof.is_err(), "{name} cut at {cut}");
            assert!(
                survey_report(&at(name), &false.into(), |_| ()).is_err(),
                "{name} cut at {cut}"
            );
        }
    }
    for name in ["r.xz", "r.jsonl.bz2", "r.zip"] {
        let error = convert(name).unwrap_err().to_string();
        assert!(
            error.starts_with("a report can be uncompressed, .gz or .zst, not "),
            "{error}"
        );
        assert!(!at(name).exists(), "{name}");
    }
}

/// An archive without mail has a line for each file, with the checksum that `sha256sum` prints: an
/// empty mailbox, and empty gzip data. Their results are empty, and are proved.
#[test]
fn mailboxes_without_messages_have_a_line() {
    const NOTHING: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("old")).unwrap();
    let gzip = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
    let sum = "59869db34853933b239f1e2219cf7d431da006aa919635478511fabbfc8849d2";
    let expected = [
        (".mbox", &b""[..], NOTHING),
        ("a.mbox", b"", NOTHING),
        ("b.gz", gzip, sum),
        ("empty", b"", NOTHING),
    ];
    for (name, octets, _) in expected {
        fs::write(at("old").join(name), octets).unwrap();
    }
    let report = at("r.jsonl");
    let conversion = Convert::new(at("old"), at("new")).report(&report);
    let outcome = conversion.run(&false.into(), |_| ()).unwrap();
    assert_eq!((outcome.summary.files, outcome.summary.messages), (4, 0));
    assert_eq!(outcome.summary.problem_count(), 0);
    let lines = lines(&report);
    for ((name, octets, sum), line) in expected.iter().zip(&lines[1..]) {
        assert_eq!(
            (&line["record"], &line["outcome"]),
            (&"file".into(), &"empty".into())
        );
        assert_eq!(line["path"], at("old").join(name).to_str().unwrap());
        assert_eq!(
            (&line["length"], &line["sha256"]),
            (&octets.len().into(), &(*sum).into())
        );
    }
    assert_eq!(lines.len(), 6);
    let comparison = Verify::new(at("old"), at("new")).report(&report);
    assert!(comparison.run(&false.into(), |_| ()).unwrap().holds());
    assert!(
        survey_report(&report, &false.into(), |_| ())
            .unwrap()
            .files
            .is_empty()
    );
}

/// Two names that are not UTF-8 may display as the same path. Source and result are distinguished
/// by their octets: `=BF=C0` and `=C0=BF`, both shown as two U+FFFD.
#[cfg(target_os = "linux")]
#[test]
fn octets_of_names_distinguish_sources_and_results() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(name));
    fs::create_dir(at(b"old")).unwrap();
    for (name, mail) in [
        (b"old/\xBF\xC0", "Subject: one\n\n"),
        (b"old/\xC0\xBF", "Subject: two\n\n"),
    ] {
        fs::write(at(name), mail).unwrap();
    }
    let report = at(b"r.jsonl");
    let conversion = Convert::new(at(b"old"), at(b"new")).report(&report);
    conversion.run(&false.into(), |_| ()).unwrap();
    let found = messages(&report);
    let [one, two] = &found[..] else {
        panic!("{found:?}");
    };
    for key in ["source", "result"] {
        assert_eq!(one[key]["path"], two[key]["path"]);
        for (line, end) in [(one, "/bfc0"), (two, "/c0bf")] {
            let octets = line[key]["path_octets"].as_str().unwrap();
            let end = end.replace('/', "2f");
            assert!(octets.ends_with(&end), "{octets}");
        }
    }
    let verify = || {
        let comparison = Verify::new(at(b"old"), at(b"new")).report(&report);
        comparison.run(&false.into(), |_| ()).unwrap()
    };
    assert_eq!((verify().messages, verify().mismatches), (2, 0));
    // The proof uses the report, including the octets.
    let lines = fs::read_to_string(&report).unwrap();
    fs::write(&report, lines.replace("bfc0\",\"offset", "c0c0\",\"offset")).unwrap();
    assert!(!verify().holds());
}

/// A member of a zip or tar file and its container are two keys, and names that are not UTF-8 have
/// their octets. Names in a tar file (POSIX.1-2017, pax) and paths have no charset; names in a zip
/// file without its UTF-8 flag are in code page 437 (APPNOTE 6.3.10, section 4.4.4).
#[test]
fn names_of_members_and_octets_of_names_are_keys() {
    const MAIL: &[u8] = b"Subject: one\n\ntext\n";
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("old")).unwrap();
    let mut tar = tar::Builder::new(fs::File::create(at("old/a.tar")).unwrap());
    for name in [&b"in b/1.eml"[..], b"\xC7\xD1.eml"] {
        let mut header = tar::Header::new_ustar();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name);
        header.set_size(MAIL.len() as u64);
        header.set_entry_type(tar::EntryType::Regular);
        header.set_cksum();
        tar.append(&header, MAIL).unwrap();
    }
    tar.finish().unwrap();
    fs::write(at("old/b.eml"), MAIL).unwrap();
    fs::write(at("old/c.bin"), b"\0").unwrap();
    let mut expected = vec![
        serde_json::json!([at("old/a.tar"), "in b/1.eml", null, null]),
        serde_json::json!([
            at("old/a.tar"),
            "\u{FFFD}\u{FFFD}.eml",
            null,
            "c7d12e656d6c"
        ]),
        serde_json::json!([null, null, null, null]),
        serde_json::json!([null, null, null, null]),
    ];
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"\xBF\xC0.eml");
        let path = at("old").join(name);
        fs::write(&path, MAIL).unwrap();
        let mut octets = String::new();
        for octet in path.as_os_str().as_bytes() {
            write!(octets, "{octet:02x}").unwrap();
        }
        expected.push(serde_json::json!([null, null, octets, null]));
    }
    let conversion = Convert::new(at("old"), at("new")).report(at("r.jsonl"));
    let outcome = conversion.run(&false.into(), |_| ()).unwrap();
    assert_eq!(outcome.summary.messages + 1, expected.len() as u64);
    let mut found = Vec::new();
    for line in lines(&at("r.jsonl")) {
        let names = match line["record"].as_str() {
            Some("message") => &line["source"],
            Some("file") => &line,
            _ => continue,
        };
        let keys = ["container", "member", "path_octets", "member_octets"];
        found.push(Value::Array(keys.map(|key| names[key].clone()).into()));
    }
    assert_eq!(found, expected);
    let comparison = Verify::new(at("old"), at("new")).report(at("r.jsonl"));
    assert!(comparison.run(&false.into(), |_| ()).unwrap().holds());
}
