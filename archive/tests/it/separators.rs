//! Separators of every form in every kind of mailbox are found, and kept by a conversion, so that
//! other programs count the same messages.

use std::fs;
use std::sync::atomic::AtomicBool;

use mime_charset::convert::Conversion;
use mime_charset_archive::{convert_mailbox, mbox};
use proptest::prelude::*;

/// Separator lines; each is tested in a file of its own, before each message. asctime and its
/// zones; RFC 5322; ISO 8601; JavaScript, from Thunderbird add-ons; other orders, names and
/// languages; dates without a year, without a time, or of digits alone; no date.
const FORMS: [&str; 35] = [
    "From a@example.org Thu Mar  4 10:00:00 1999",
    "From a@example.org Thu Mar  4 10:00 1999",
    "From a@example.org Thu Mar  4 10:00:00 1999 +0100",
    "From a@example.org Thu Mar  4 10:00:00 MET DST 1999",
    "From a@example.org Thu Mar  4 10:00:00 +0100 1999",
    "From a@example.org Thu Mar  4 10:00:00 1999 remote from host",
    "From \"A B\" <a@example.org> Thu Mar  4 10:00:00 1999",
    "From ???@??? Thu Mar  4 10:00:00 1999",
    "From - Sat Apr 12 2025 15:59:28",
    "From - a@example.org  Mon Oct 16 2023 16:18:56 GMT-0700",
    "From - Thu Mar 04 1999 10:00:00 GMT+0100 (CET)",
    "From a@example.org Thu, 4 Mar 1999 10:00:00 +0100",
    "From a@example.org Thu, 4 Mar 99 10:00:00",
    "From a@example.org 1999-03-04T10:00:00Z",
    "From a@example.org 1999-03-04 10:00:00",
    "From a@example.org 1999/03/04 10:00:00",
    "From a@example.org 4.3.1999 10:00",
    "From a@example.org 04-Mar-1999 10:00:00",
    "From a@example.org Thursday March 4 10:00:00 1999",
    "From a@example.org Thursday, March 04, 1999 10:00:00",
    "From a@example.org Do Mär 4 10:00:00 1999",
    "From a@example.org jeu. mars 4 10:00:00 1999",
    "From a@example.org 04-Mar-1999",
    "From a@example.org 1999-03-04",
    "From a@example.org Thu Mar  4 1999",
    "From a@example.org Thu Mar  4 10:00:00",
    "From a@example.org Thu Mar  4 10.00.00 1999",
    "From a@example.org 920541600",
    "From a@example.org 19990304T100000Z",
    "From a@example.org 04/03/1999 10:00:00",
    "From a@example.org 03/04/99 10:00 AM",
    "From a@example.org",
    "From -",
    "From ",
    "From",
];

/// Text that is never a separator, whatever the form of the separators.
const TEXTS: [&str; 5] = [
    "From Peter\nTel: 555 1234\n",
    "From the beginning\n",
    "From here: there\n\nFrom\n",
    "Greetings\n\nFrom Peter\n",
    "From 4 Mar 1999 on\nPrices: doubled\n",
];

/// A message in koi8-r.
fn message(number: usize, text: &str) -> Vec<u8> {
    let header = format!(
        "From: A <a@example.org>\nTo: b@example.org\nSubject: {number}\n\
         Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n\n"
    );
    [header.as_bytes(), b"\xF0\xD2\xC9\n\n", text.as_bytes()].concat()
}

/// A mailbox of three messages with separators of this form.
fn mailbox(form: &str, text: &str, has_blank: bool, is_crlf: bool, lengths: bool) -> Vec<u8> {
    let mut file = Vec::new();
    for number in 0..3 {
        let message = message(number, text);
        let body = message.windows(2).position(|two| two == b"\n\n").unwrap() + 2;
        let (header, text) = message.split_at(body);
        file.extend_from_slice(format!("{form}\n").as_bytes());
        file.extend_from_slice(header.strip_suffix(b"\n").unwrap());
        if lengths {
            let lines = memchr::memchr_iter(b'\n', text).count();
            let length = text.len() + if is_crlf { lines } else { 0 };
            file.extend_from_slice(format!("Content-Length: {length}\n").as_bytes());
        }
        file.extend_from_slice(b"\n");
        file.extend_from_slice(text);
        if has_blank {
            file.extend_from_slice(b"\n");
        }
    }
    if is_crlf {
        let lines: Vec<_> = file.split(|&octet| octet == b'\n').collect();
        return lines.join(&b"\r\n"[..]);
    }
    file
}

fn converted(file: &[u8]) -> Vec<u8> {
    let mut result = Vec::new();
    let never = AtomicBool::new(false);
    let options = Conversion::new();
    convert_mailbox(mbox::read(file), &mut result, &options, &never, |_| ()).unwrap();
    result
}

fn messages(file: &[u8]) -> Vec<Vec<u8>> {
    let all = mbox::read(file).map(Result::unwrap);
    all.map(|stored| stored.message().into_owned()).collect()
}

/// The numbers of messages that other programs find without a Content-Length: Python's
/// `mailbox.mbox` at each line that begins with `From `, and formail (`-Y`) at each such line after
/// a blank line. (mutt requires a date, like rule 3.)
fn counts(file: &[u8]) -> [usize; 2] {
    let lines: Vec<_> = file.split(|&octet| octet == b'\n').collect();
    let is_one = |line: &[u8]| line.starts_with(b"From ");
    let is_blank = |line: &[u8]| line.is_empty() || line == b"\r";
    let after = |pair: &&[&[u8]]| is_blank(pair[0]) && is_one(pair[1]);
    [
        lines.iter().filter(|line| is_one(line)).count(),
        usize::from(is_one(lines[0])) + lines.windows(2).filter(after).count(),
    ]
}

#[test]
fn every_separator_form_works_in_every_kind_of_mailbox() {
    // `From` without a blank is text to every program.
    for form in &FORMS[..FORMS.len() - 1] {
        for (bits, text) in (0..8).flat_map(|bits| TEXTS.map(|text| (bits, text))) {
            let [has_blank, is_crlf, lengths] = [1, 2, 4].map(|bit| bits & bit > 0);
            let file = mailbox(form, text, has_blank, is_crlf, lengths);
            let shown = format!("{form:?} {bits} {text:?}");
            let found = messages(&file);
            assert_eq!(found.len(), 3, "{shown}");
            let result = converted(&file);
            assert!(std::str::from_utf8(&result).is_ok(), "{shown}");
            assert_eq!(messages(&result).len(), 3, "{shown}");
            if lengths {
                // mboxcl2 becomes mboxrd, so other programs now count correctly.
                assert_eq!(counts(&result)[0], 3, "{shown}");
            } else {
                assert_eq!(counts(&result), counts(&file), "{shown}");
            }
        }
    }
}

/// In a file with both, a date always suffices, and a line without one needs a header.
#[test]
fn a_file_may_mix_separator_forms() {
    for first in &FORMS[..FORMS.len() - 1] {
        for second in &FORMS[..FORMS.len() - 1] {
            let file = [
                mailbox(first, "text\n", true, false, false),
                mailbox(second, "text\n", true, false, false),
            ];
            assert_eq!(messages(&file.concat()).len(), 6, "{first:?} {second:?}");
            let ranges = (0..4).map(|at| at * 300..(at + 1) * 300);
            let octets = file.concat();
            let read = |range| mbox::read_within(std::io::Cursor::new(&octets), range).unwrap();
            assert_eq!(ranges.flat_map(read).count(), 6, "{first:?} {second:?}");
        }
    }
}

/// Every mailbox of the corpus except mboxcl2, MMDF and Babyl.
#[test]
fn other_programs_count_the_corpus_the_same_afterwards() {
    for entry in fs::read_dir("../corpus/archive").unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_other = ["mboxcl2", "mutt", "babyl"]
            .iter()
            .any(|it| name.contains(it));
        if path.extension().is_none_or(|it| it != "mbox") || is_other {
            continue;
        }
        let file = fs::read(&path).unwrap();
        assert_eq!(counts(&converted(&file)), counts(&file), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Lines of ASCII in any order, which no conversion changes: the counts of other programs stay
    /// the same, and the result is read like the source.
    #[test]
    fn any_file_keeps_the_counts_of_other_programs(lines in prop::collection::vec(prop_oneof![
        4 => prop::sample::select(&FORMS[..])
            .prop_filter("ASCII", |form| form.is_ascii())
            .prop_map(str::to_owned),
        2 => prop::sample::select(&TEXTS[..]).prop_map(str::to_owned),
        2 => Just(">From x\n>>From y".to_owned()),
        4 => Just("Subject: x".to_owned()),
        4 => Just("To: y".to_owned()),
        6 => Just(String::new()),
        4 => Just("text".to_owned()),
    ], 0..40)) {
        let file = lines.join("\n").into_bytes();
        let result = converted(&file);
        prop_assert_eq!(messages(&result), messages(&file));
        prop_assert_eq!(counts(&result), counts(&file));
        prop_assert_eq!(converted(&result), result);
    }
}
