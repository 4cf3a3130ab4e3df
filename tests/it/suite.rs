//! Runs the suite for mail text in `corpus/suite`, which any library can use, with this library.
//! Its README defines a case. Cases with a mailbox are run by the crate for archives.

use std::fs;
use std::path::Path;

#[expect(unreachable_pub, reason = "other tests use it too")]
#[path = "../suite/cases.rs"]
mod cases;
#[expect(dead_code, unreachable_pub, reason = "a program too")]
#[path = "../../examples/suite.rs"]
mod library;

const FOLDER: &str = "corpus/suite";

fn run(name: &str) {
    let mut cases = cases::cases(Path::new(FOLDER), name);
    cases.retain(|case| !cases::is_mailbox(case));
    cases::ask(&cases, library::answer);
}

macro_rules! files {
    ($($test:ident: $name:literal,)*) => {
        $(#[test] fn $test() { run($name); })*

        #[test]
        fn every_file_is_run() {
            let paths = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap().path());
            let files = paths.filter(|path| path.extension().is_some_and(|it| it == "jsonl"));
            let mut names: Vec<_> = files.map(|path| path.file_stem().unwrap().to_owned()).collect();
            names.sort();
            assert_eq!(names, [$($name),*]);
        }
    };
}

files! {
    addresses: "addresses",
    base_subjects: "base-subjects",
    bodies: "bodies",
    dates: "dates",
    east_asian: "east-asian",
    file_names: "file-names",
    flowed: "flowed",
    hangul: "hangul",
    header_ends: "header-ends",
    identifiers: "identifiers",
    iso_2022: "iso-2022",
    labels: "labels",
    mailboxes: "mailboxes",
    parameters: "parameters",
    raw_headers: "raw-headers",
    single_byte: "single-byte",
    structure: "structure",
    transfer: "transfer",
    unicode_forms: "unicode-forms",
    utf_8: "utf-8",
    words: "words",
}
