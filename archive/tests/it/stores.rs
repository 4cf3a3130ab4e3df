//! Stores of other programs: read, converted and proved end to end.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use mime_charset_archive::{
    Convert, Existing, Format, Limits, Selection, Survey, Verify, mbox, sources,
};
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

/// Converts a file, and proves it with and without the report. Checks that each message has the
/// octets and the offset recorded in the report. Returns the messages before and after, and the
/// result.
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
            let sum = of["sha256"].as_str().unwrap().as_bytes();
            let sum = sum
                .chunks(2)
                .map(|two| u8::from_str_radix(std::str::from_utf8(two).unwrap(), 16));
            let sum: Vec<u8> = sum.map(Result::unwrap).collect();
            assert_eq!(*Sha256::digest(octets), *sum, "{name}: {side}");
        }
    }
    let result = fs::read_dir(&new).unwrap().next().unwrap().unwrap();
    (before, messages(&new), fs::read(result.path()).unwrap())
}

const SEPARATOR: &str = "From a@example.org Sat Jan  3 01:05:34 1996\n";

/// Two messages with lines that end in LF, one of them in KOI8-R, where "П" is F0 (RFC 1489).
fn koi8(text: &str) -> [String; 2] {
    [
        format!("Subject: =?koi8-r?Q?=F0?=\nTo: b@example.org\n\n{text}\n"),
        "Subject: two\nTo: b@example.org\n\nend\n".to_owned(),
    ]
}

fn cr(text: &str) -> Vec<u8> {
    text.replace('\n', "\r").into_bytes()
}

/// A file whose lines end in CR alone has the same messages as one with LF, except for the line
/// endings, and is converted to the same result.
#[test]
fn a_mailbox_may_have_cr_line_endings() {
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

/// A few lines that end in LF do not hide the messages. A file that begins with LF is unchanged.
#[test]
fn the_most_frequent_line_ending_decides() {
    let [one, two] = koi8("text");
    let file = format!("{SEPARATOR}{one}\n{SEPARATOR}{two}\n");
    let count = |file: &[u8]| mbox::read(file).count();
    let mixed = String::from_utf8(cr(&file)).unwrap().replace("end", "e\nd");
    let (before, _, _) = converted("in", mixed.as_bytes());
    assert_eq!(before.len(), 2);
    assert!(before[1].ends_with(b"e\nd\r"));
    assert_eq!(count(file.replace("end", "e\rd").as_bytes()), 2);
    assert_eq!(count(file.replace('\n', "\r\r\n").as_bytes()), 2);
    // The first line determines the line endings, whatever its content.
    let [tail, rest] = [format!("text\n\n{file}"), file.clone()].map(|file| cr(&file));
    assert_eq!((count(&tail), count(&rest)), (3, 2));
}

/// A message in KOI8-R and one in ASCII. The first grows by one octet: each of two letters by one,
/// and the label becomes shorter by one.
fn pair() -> [Vec<u8>; 2] {
    [
        b"Subject: one\r\nTo: b@example.org\r\nContent-Type: text/plain; charset=koi8-r\r\n\
          Content-Transfer-Encoding: 8bit\r\n\r\n\xF0\xD2\r\n"
            .to_vec(),
        b"Subject: two\r\nTo: b@example.org\r\n\r\n*mbx*\r\n#! rnews 3\r\nend\r\n".to_vec(),
    ]
}

/// The same messages in UTF-8 (RFC 1489: F0 is "П", D2 is "р").
fn pair_in_utf8() -> [Vec<u8>; 2] {
    let [one, two] = pair();
    let head = String::from_utf8_lossy(&one[..one.len() - 4]).replace("koi8-r", "UTF-8");
    [format!("{head}Пр\r\n").into_bytes(), two]
}

fn joined(before: impl Fn(&[u8]) -> String, messages: &[Vec<u8>]) -> Vec<u8> {
    let entry = |message: &Vec<u8>| [before(message).as_bytes(), message].concat();
    messages.iter().flat_map(entry).collect()
}

fn mbx_line(message: &[u8]) -> String {
    format!(
        " 4-Mar-1999 10:00:00 +0100,{};000000000001-00000001\r\n",
        message.len()
    )
}

/// An MBX mailbox; its header has 2,048 octets.
fn mbx(messages: &[Vec<u8>]) -> Vec<u8> {
    let header = format!("{:\0<2048}", "*mbx*\r\n36e5a5c800000002\r\nkept\r\n");
    [header.into_bytes(), joined(mbx_line, messages)].concat()
}

fn rnews(messages: &[Vec<u8>]) -> Vec<u8> {
    joined(|message| format!("#! rnews {}\n", message.len()), messages)
}

fn listserv(messages: &[Vec<u8>]) -> Vec<u8> {
    let line = |_: &[u8]| {
        format!(
            "{}\r\nDate: Thu, 4 Mar 1999 10:00:00 +0100\r\n",
            "=".repeat(73)
        )
    };
    joined(line, messages)
}

/// Text that is a separator once it is in UTF-8: in ISO-2022-JP an escape hides it (RFC 1468), in UTF-7 a
/// shift (RFC 2152), in HZ a line that continues (RFC 1843). The message is kept, since MMDF, Babyl
/// and LISTSERV quote nothing; the others are converted.
#[test]
fn text_that_would_be_a_separator_is_kept() {
    let message = |charset: &str, text: &str| {
        format!(
            "Subject: one\nContent-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n{text}\n"
        )
    };
    let mark = "=".repeat(73);
    let (half, rest) = mark.split_at(30);
    let listserv = |message: &str| format!("{mark}\nDate: x\n{message}");
    let mmdf = |message: &str| format!("\u{1}\u{1}\u{1}\u{1}\n{message}\u{1}\u{1}\u{1}\u{1}\n");
    let babyl = |message: &str| format!("\u{C}\n0,,\n*** EOOH ***\n{message}\u{1F}");
    let babyl_alone = |message: &str| format!("\u{C}\n1,,\n{message}\u{1F}");
    let options = "BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n\u{1F}";
    let utf_7 = "+AOk-";
    for (name, start, store, charset, text) in [
        (
            "a.log9901",
            "",
            &listserv as &dyn Fn(&str) -> String,
            "iso-2022-jp",
            format!("\u{1B}$B$3\u{1B}(B\n\u{1B}(B{mark}\nDate: x\nSubject: y\n\ny"),
        ),
        (
            "a.log9902",
            "",
            &listserv,
            "hz-gb-2312",
            format!("~{{VPND~}}\n{half}~\n{rest}\nDate: x\n\ny"),
        ),
        (
            "mmdf",
            "",
            &mmdf,
            "utf-7",
            format!("{utf_7}\n+AAEAAQABAAE-\nSubject: y\n\ny"),
        ),
        (
            "RMAIL",
            options,
            &babyl,
            "utf-7",
            format!("{utf_7}\n+AB8-\u{C}\n0,,\n*** EOOH ***\nSubject: y\n\ny"),
        ),
        (
            "RMAIL",
            options,
            &babyl_alone,
            "utf-7",
            format!("+ACo-** EOOH ***\nSubject: y\n\ny {utf_7}"),
        ),
    ] {
        let (hidden, plain) = (message(charset, &text), message("utf-7", utf_7));
        let file = format!("{start}{}{}", store(&hidden), store(&plain));
        let (before, after, result) = converted(name, file.as_bytes());
        assert_eq!((before.len(), after.len()), (2, 2), "{name}");
        let plain_in_utf8 = message("UTF-8", "é");
        let expected = format!("{start}{}{}", store(&hidden), store(&plain_in_utf8));
        assert_eq!(String::from_utf8_lossy(&result), expected, "{name}");
    }
}

/// Only the messages and their lengths change.
#[test]
fn stores_keep_their_format() {
    for (name, store) in [
        ("a.mbx", mbx as fn(&[Vec<u8>]) -> Vec<u8>),
        ("batch", rnews),
        ("a.log9903", listserv),
    ] {
        let (before, after, result) = converted(name, &store(&pair()));
        let ends = |all: &[Vec<u8>], of: &[Vec<u8>]| {
            all.len() == of.len() && all.iter().zip(of).all(|(one, of)| one.ends_with(of))
        };
        assert!(
            ends(&before, &pair()) && ends(&after, &pair_in_utf8()),
            "{name}"
        );
        assert_eq!(result, store(&pair_in_utf8()), "{name}");
    }
}

/// `mailutil` of UW-IMAP 2007f copied the messages.
#[test]
fn mbx_written_by_uw_imap_is_read() {
    let expected = [
        "plain",
        "quoted-lines",
        "empty",
        "blank-lines",
        "koi8-r",
        "multipart",
    ];
    let path = |name| format!("../corpus/archive/messages/{name}-crlf.eml");
    let expected = expected.map(|name| fs::read(path(name)).unwrap());
    let file = Path::new("../corpus/stores/uw-imap.mbx");
    assert_eq!(messages(file), expected);
    let (before, after, result) = converted("uw.mbx", &fs::read(file).unwrap());
    assert_eq!((before.len(), after.len()), (6, 6));
    assert_eq!(result[..2048], fs::read(file).unwrap()[..2048]);
    let first = mbox::read(&result[..]).next().unwrap().unwrap();
    let date = first.separator_date().unwrap().to_string();
    assert_eq!(date, "1996-01-03T01:05:00+00:00");
}

/// UW-IMAP 2007f, `src/osdep/unix/mbx.h`: the flag 8000 marks an expunged message.
#[test]
fn an_expunged_mbx_message_is_kept_but_not_returned() {
    let expunged = |file: Vec<u8>| {
        let text = String::from_utf8_lossy(&file).into_owned();
        let at = text.find(";00000000").unwrap() + 9;
        [&file[..at], b"8", &file[at + 1..]].concat()
    };
    let [one, two] = pair();
    let file = expunged(mbx(&[two.clone(), one, two]));
    let (before, after, result) = converted("a.mbx", &file);
    assert_eq!((before, after), (pair().to_vec(), pair_in_utf8().to_vec()));
    let [one, two] = pair_in_utf8();
    assert_eq!(result, expunged(mbx(&[two.clone(), one, two])));
    let all: Vec<_> = mbox::read(&file[..]).map(Result::unwrap).collect();
    let ordinals: Vec<_> = all
        .iter()
        .map(|it| (it.is_no_message(), it.ordinal()))
        .collect();
    assert_eq!(ordinals, [(true, 0), (false, 0), (false, 1)]);
}

/// A Dovecot 2.3 file with one message, like `sdbox/u.10` of the corpus.
fn sdbox(message: &[u8], rest: &[u8]) -> Vec<u8> {
    let start = format!(
        "2 M1e C6b0a04e3\n\x01\x02N          {:016X}\n",
        message.len()
    );
    [start.as_bytes(), message, rest].concat()
}

const METADATA: &[u8] = b"\n\x01\x03\nR6b0a04e3\nV96\nGdcfaaa17e3040a6bbb60000083ecc375\n\n";

/// `doveadm save` of Dovecot 2.3.19 wrote the file.
#[test]
fn single_dbox_written_by_dovecot_is_read() {
    let file = Path::new("../corpus/stores/sdbox/u.10");
    let koi8 = fs::read("../corpus/archive/messages/koi8-r.eml").unwrap();
    assert_eq!(messages(file), std::slice::from_ref(&koi8));
    let octets = fs::read(file).unwrap();
    let rest = octets
        .windows(4)
        .position(|four| four == b"\n\x01\x03\n")
        .unwrap();
    assert_eq!(sdbox(&koi8, &octets[rest..]), octets);
    let source = sources(file, Limits::new()).next().unwrap().unwrap();
    assert_eq!(source.relative(), Path::new("u.10.eml"));
    // The headers have 16 and 30 octets.
    assert_eq!(
        source.messages().unwrap().next().unwrap().unwrap().offset(),
        46
    );
    let (before, after, result) = converted("u.1", &sdbox(&pair()[0], METADATA));
    assert_eq!(
        (before, after),
        (vec![pair()[0].clone()], vec![result.clone()])
    );
    assert_eq!(result, pair_in_utf8()[0]);
}

#[test]
fn unreadable_dovecot_files_are_reported() {
    let [one, _] = pair();
    let other = [METADATA.trim_ascii_end(), b"\nXrest\n\n"].concat();
    // RFC 1952, section 2.3.1.
    let gzip = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF";
    for (name, file, why) in [
        ("u.2", sdbox(gzip, METADATA), "compressed"),
        ("u.3", sdbox(&one, &other), "attachments are in other files"),
        ("u.4", sdbox(&one, b"\n"), "does not end where"),
        ("u.5", sdbox(&one, b"")[..100].to_vec(), "shorter"),
        ("m.6", sdbox(&one, METADATA), "several messages"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, file).unwrap();
        let found = sources(&path, Limits::new()).next().unwrap();
        let read = found.and_then(|source| source.messages()?.next().unwrap());
        let error = read.unwrap_err().to_string();
        assert!(error.contains(why), "{name}: {error}");
    }
}

/// A truncated file has the messages before the cut, and is written back unchanged. Octets between
/// messages become a message.
#[test]
fn damaged_or_truncated_stores_lose_no_message() {
    let [one, two] = pair();
    let lost = b"lost\r\n".to_vec();
    for store in [mbx as fn(&[Vec<u8>]) -> Vec<u8>, rnews, listserv] {
        let file = store(&pair());
        let whole = store(std::slice::from_ref(&one)).len();
        let read = |file: &[u8]| -> Vec<_> { mbox::read(file).map(Result::unwrap).collect() };
        for cut in whole + 90..file.len() {
            let all = read(&file[..cut]);
            assert_eq!(all.len(), 2, "{cut}");
            assert!(all[0].message().ends_with(&one));
            let mut writer = mbox::Writer::new(Vec::new());
            for stored in &all {
                writer.write(stored, &stored.message()).unwrap();
            }
            assert_eq!(writer.into_inner(), file[..cut], "{cut}");
        }
        let rest = store(std::slice::from_ref(&two));
        let rest = &rest[store(&[]).len()..];
        let damaged = [&file[..whole], &lost, rest, b"\r\n\n"].concat();
        let (before, after, _) = converted("in", &damaged);
        assert!(before.last().unwrap().starts_with(b"Subject: two") || before.len() == 2);
        assert_eq!(before.len(), after.len());
        assert!(before.concat().windows(6).any(|six| six == lost));
    }
    // An MBX mailbox without messages, and one with a truncated header.
    for file in [mbx(&[]), mbx(&[])[..100].to_vec()] {
        let (before, _, result) = converted("a.mbx", &file);
        assert_eq!((before.len(), result), (0, file));
    }
}

/// A mailbox split at each offset: the second piece has the tail of one message, and the messages
/// after it.
#[test]
fn the_tail_of_a_mailbox_is_read_as_a_mailbox() {
    let file = fs::read("../corpus/archive/mboxrd.mbox").unwrap();
    let starts: Vec<_> = mbox::read(&file[..])
        .map(|stored| usize::try_from(stored.unwrap().offset()).unwrap())
        .collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("xab");
    let selection = Selection::new().read_as(Format::Mbox);
    for cut in 1..file.len() {
        fs::write(&path, &file[cut..]).unwrap();
        let source = sources(&path, Limits::new()).select(&selection).next();
        let source = source.unwrap().unwrap();
        let found: Vec<_> = source.messages().unwrap().map(Result::unwrap).collect();
        // Complete messages begin at the same offsets as in the file.
        let after: Vec<_> = starts.iter().filter(|start| **start > cut).collect();
        let places = found
            .iter()
            .map(|it| cut + usize::try_from(it.offset()).unwrap());
        let places: Vec<_> = places.filter(|place| *place > cut).collect();
        // Blank lines before the first separator belong to its entry.
        let is_blank = |octets: &[u8]| octets.iter().all(|octet| matches!(octet, b'\r' | b'\n'));
        let joins = after
            .first()
            .is_some_and(|start| is_blank(&file[cut..**start]));
        assert_eq!(
            places,
            after
                .into_iter()
                .copied()
                .skip(usize::from(joins))
                .collect::<Vec<_>>(),
            "{cut}"
        );
    }
}

/// The report records the format, so a proof with it needs none. Without a report the caller names
/// it again.
#[test]
fn a_proof_uses_the_format_in_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    let report = folder.path().join("r.jsonl");
    fs::create_dir_all(old.join("a/new")).unwrap();
    let [one, two] = koi8("text");
    // It begins like a message.
    let tail = format!("Subject: rest\n\n{SEPARATOR}{one}\n{SEPARATOR}{two}");
    fs::write(old.join("xab"), &tail).unwrap();
    fs::write(old.join("a/new/1"), format!("text\n\n{one}")).unwrap();
    fs::write(old.join("b.pst"), "!BDN").unwrap();
    fs::write(old.join(".DS_Store"), "\0").unwrap();
    let never = AtomicBool::new(false);
    for (format, expected) in [
        (Format::Mbox, 4),
        (Format::Message, 2),
        (Format::Maildir, 2),
        (Format::Other, 1),
    ] {
        let selection = Selection::new().read_as(format);
        let conversion = Convert::new(&old, &new)
            .report(&report)
            .accept_unread(true)
            .existing(Existing::Replace)
            .selection(selection.clone());
        let outcome = conversion.run(&never, |_| ()).unwrap();
        assert_eq!(outcome.summary.messages, expected, "{format:?}");
        assert_eq!(new.join("a/cur").exists(), format == Format::Maildir);
        let counts = Survey::new(&[&old])
            .selection(selection.clone())
            .run(&never, |_| ());
        assert_eq!(counts.messages, expected, "{format:?}");
        let comparison = Verify::new(&old, &new).accept_unread(true);
        for comparison in [
            comparison.clone().report(&report),
            comparison.clone().selection(selection),
        ] {
            let proof = comparison.run(&never, |_| ()).unwrap();
            assert!(proof.holds() && proof.messages == expected, "{proof:?}");
        }
        let proof = comparison.run(&never, |_| ()).unwrap();
        assert_eq!(proof.holds(), format == Format::Other, "{format:?}");
        // A run with another format cannot resume this one.
        let resumed = conversion.existing(Existing::Resume);
        let other = resumed.selection(Selection::new());
        assert_eq!(other.run(&never, |_| ()).is_ok(), format == Format::Other);
        fs::remove_dir_all(&new).unwrap();
    }
}

proptest! {
    /// With CR and LF swapped, a file has the same entries at the same offsets.
    #[test]
    fn cr_line_endings_are_read_like_lf(lines in prop::collection::vec(prop_oneof![
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
