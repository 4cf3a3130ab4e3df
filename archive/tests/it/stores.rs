//! Stores of other programs: read, converted and proved, the whole way round.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use mime_charset_archive::{Convert, Limits, Verify, mbox, sources};
use proptest::prelude::*;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// The messages of a source.
fn messages(path: &Path) -> Vec<Vec<u8>> {
    let found = sources(path, Limits::new()).map(Result::unwrap);
    let all = found.flat_map(|source| source.messages().unwrap());
    all.map(|stored| stored.unwrap().message().into_owned())
        .collect()
}

/// Converts a file, with a proof by the report and one without it. The report has the octets of each message
/// where it says. Returns the messages before and after, and the result.
#[track_caller]
fn converted(name: &str, file: &[u8]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    let report = folder.path().join("report.jsonl");
    fs::create_dir(&old).unwrap();
    fs::write(old.join(name), file).unwrap();
    let never = AtomicBool::new(false);
    let outcome = Convert::new(&old, &new)
        .report(&report)
        .run(&never, |_| ())
        .unwrap();
    let before = messages(&old);
    assert_eq!(outcome.summary.messages, before.len() as u64, "{name}");
    for comparison in [
        Verify::new(&old, &new),
        Verify::new(&old, &new).report(&report),
    ] {
        let mut wrong = Vec::new();
        let proof = comparison
            .run(&never, |event| wrong.push(format!("{event:?}")))
            .unwrap();
        assert!(proof.holds(), "{name}: {wrong:?}");
    }
    let lines = fs::read_to_string(&report).unwrap();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["record"] != "message" {
            continue;
        }
        for side in ["source", "result"] {
            let of = &line[side];
            let number = |key: &str| usize::try_from(of[key].as_u64().unwrap()).unwrap();
            let octets = fs::read(of["path"].as_str().unwrap()).unwrap();
            let octets = &octets[number("offset")..][..number("length")];
            let sum = Sha256::digest(octets);
            let sum: String = sum.iter().map(|octet| format!("{octet:02x}")).collect();
            assert_eq!(of["sha256"], *sum, "{name}: {side}");
        }
    }
    let result = fs::read_dir(&new).unwrap().next().unwrap().unwrap();
    (before, messages(&new), fs::read(result.path()).unwrap())
}

const SEPARATOR: &str = "From a@example.org Sat Jan  3 01:05:34 1996\n";

/// Two messages, one in KOI8-R, with lines that end in LF: "П" is F0 there (RFC 1489).
fn koi8(text: &str) -> [String; 2] {
    [
        format!("Subject: =?koi8-r?Q?=F0?=\nTo: b@example.org\n\n{text}\n"),
        "Subject: two\nTo: b@example.org\n\nend\n".to_owned(),
    ]
}

fn cr(text: &str) -> Vec<u8> {
    text.replace('\n', "\r").into_bytes()
}

/// The same file with lines that end in LF and in CR alone has the same messages, with those line ends, and
/// becomes the same result.
#[test]
fn lines_of_a_mailbox_may_end_in_cr_alone() {
    for text in [
        "text",
        ">From me",
        ">>From me\n>From you",
        "From me",
        "\n\n",
    ] {
        let [one, two] = koi8(text);
        for between in ["\n", "\n\n"] {
            let file = format!("{SEPARATOR}{one}{between}{SEPARATOR}{two}");
            let (before, after, result) = converted("in", file.as_bytes());
            assert_eq!(before.len(), 2, "{text:?}");
            // "П" is D0 9F in UTF-8, in base64 `0J8=`.
            assert!(
                after[0].starts_with(b"Subject: =?UTF-8?B?0J8=?=\n"),
                "{text:?}"
            );
            let (cr_before, cr_after, cr_result) = converted("in", &cr(&file));
            let swapped = |all: &[Vec<u8>]| -> Vec<Vec<u8>> {
                let text = |one: &Vec<u8>| cr(std::str::from_utf8(one).unwrap());
                all.iter().map(text).collect()
            };
            assert_eq!(cr_before, swapped(&before), "{text:?}");
            assert_eq!(cr_after, swapped(&after), "{text:?}");
            assert_eq!(cr_result, swapped(&[result])[0], "{text:?}");
        }
    }
}

/// A few lines that end in LF do not hide the messages; in a file that begins with LF nothing changes.
#[test]
fn most_lines_decide() {
    let [one, two] = koi8("text");
    let file = format!("{SEPARATOR}{one}\n{SEPARATOR}{two}\n");
    let count = |file: &[u8]| mbox::read(file).count();
    let mixed = String::from_utf8(cr(&file)).unwrap().replace("end", "e\nd");
    let (before, _, _) = converted("in", mixed.as_bytes());
    assert_eq!(before.len(), 2);
    assert!(before[1].ends_with(b"e\nd\r"));
    assert_eq!(count(file.replace("end", "e\rd").as_bytes()), 2);
    assert_eq!(count(file.replace('\n', "\r\r\n").as_bytes()), 2);
    // The form is known by the first line, whatever it is.
    let [tail, rest] = [format!("text\n\n{file}"), file.clone()].map(|file| cr(&file));
    assert_eq!((count(&tail), count(&rest)), (3, 2));
}

proptest! {
    /// With CR and LF swapped, a file has the same entries in the same places.
    #[test]
    fn cr_alone_is_read_like_lf(lines in prop::collection::vec(prop_oneof![
        Just(SEPARATOR), Just("From b\n"), Just("Subject: x\n"), Just(">From me\n"), Just("text\n"),
        Just("\n"), Just("From here on\n"),
    ], 1..20)) {
        let file = format!("{SEPARATOR}{}", lines.concat());
        let places = |file: &[u8]| -> Vec<_> {
            let all = mbox::read(file).map(Result::unwrap);
            all.map(|it| (it.offset(), it.entry().separator(), it.entry().message())).collect()
        };
        prop_assert_eq!(places(&cr(&file)), places(file.as_bytes()));
        let written = |file: &[u8]| {
            let mut writer = mbox::Writer::new(Vec::new());
            for stored in mbox::read(file).map(Result::unwrap) {
                writer.write(&stored, &stored.message()).unwrap();
            }
            String::from_utf8(writer.into_inner()).unwrap()
        };
        prop_assert_eq!(written(&cr(&file)).into_bytes(), cr(&written(file.as_bytes())));
    }
}
