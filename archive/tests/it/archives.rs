//! Archives on disk: every mbox dialect, and streams of any size.

use std::fs;
use std::io::Read;
use std::ops::Range;

use mime_charset::Message;
use mime_charset::header::Date;
use mime_charset_archive::mbox::{self, Dialect, Stored};
use mime_charset_archive::{Limits, sources};
use proptest::prelude::*;

const NAMES: [&str; 7] = [
    "plain",
    "from-lines",
    "quoted-lines",
    "empty",
    "blank-lines",
    "koi8-r",
    "multipart",
];

/// mboxo, and the programs that write it, cannot store lines that are already quoted.
const WITHOUT_QUOTED: [&str; 6] = [
    "plain",
    "from-lines",
    "empty",
    "blank-lines",
    "koi8-r",
    "multipart",
];

const AS_MUTT_SORTS: [&str; 7] = [
    "from-lines",
    "quoted-lines",
    "empty",
    "blank-lines",
    "koi8-r",
    "multipart",
    "plain",
];

fn archive(name: &str) -> Vec<u8> {
    fs::read(format!("../corpus/archive/{name}.mbox")).unwrap()
}

fn message(name: &str) -> Vec<u8> {
    fs::read(format!("../corpus/archive/messages/{name}.eml")).unwrap()
}

/// The messages of a mailbox; asserts that reads of any size return the same.
fn read(file: &[u8]) -> Vec<Vec<u8>> {
    let all = stored(file, file);
    assert_eq!(stored(file, Dribble(file, 7)), all);
    let mut at = 0;
    for (index, stored) in all.iter().enumerate() {
        assert_eq!(
            (stored.offset(), stored.ordinal()),
            (at as u64, index as u64)
        );
        assert_eq!(stored.octets(), &file[at..][..stored.octets().len()]);
        at += stored.octets().len();
    }
    assert_eq!(at, file.len());
    all.iter()
        .map(|stored| stored.message().into_owned())
        .collect()
}

/// The messages of the mailbox `file`, read from `source`.
fn stored(file: &[u8], source: impl Read) -> Vec<Stored> {
    let mut stream = mbox::read(source);
    if mbox::is_mboxcl2(file).unwrap() {
        stream = stream.dialect(Dialect::Mboxcl2);
    }
    stream.map(Result::unwrap).collect()
}

/// Returns a few octets per read, so that reads end at every offset.
struct Dribble<'a>(&'a [u8], usize);

impl Read for Dribble<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.1.min(buffer.len());
        self.0.read(&mut buffer[..length])
    }
}

#[track_caller]
fn check(name: &str, expected: &[&str], suffix: &str) {
    let read = read(&archive(name));
    for (index, (read, name)) in read.iter().zip(expected).enumerate() {
        let message = message(&format!("{name}{suffix}"));
        assert!(
            *read == message,
            "message {index}:\n{}\ninstead of\n{}",
            read.escape_ascii(),
            message.escape_ascii()
        );
    }
    assert_eq!(read.len(), expected.len());
}

/// The octets read to detect the format are reused for the first reader only. They are kept for one
/// short file, not for all.
#[test]
fn a_short_file_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["1.eml", "2.eml"] {
        fs::write(folder.path().join(name), "Subject: one\n\n").unwrap();
    }
    let mut all = sources(folder.path(), Limits::new());
    let first = all.next().unwrap().unwrap();
    fs::remove_file(first.path()).unwrap();
    let message = first.messages().unwrap().next().unwrap().unwrap();
    assert_eq!(message.octets(), b"Subject: one\n\n");
    all.next().unwrap().unwrap();
    assert!(first.messages().is_err());
}

/// The messages were stored as they are in `corpus/archive/messages/`.
#[test]
fn every_dialect_returns_the_original_messages() {
    check("mboxo", &WITHOUT_QUOTED, "");
    check("mboxo-crlf", &WITHOUT_QUOTED, "-crlf");
    check("mboxrd", &NAMES, "");
    check("mboxrd-crlf", &NAMES, "-crlf");
    // These files have no blank lines between messages, so a blank line at the end of a message is
    // ambiguous: they lack the message blank-lines.
    let without_blank = NAMES.into_iter().filter(|name| *name != "blank-lines");
    check(
        "mboxrd-no-blank-lines",
        &without_blank.collect::<Vec<_>>(),
        "",
    );
    check("mboxrd-dateless", &NAMES, "");
    check("mboxrd-odd-separators", &NAMES, "");
    check("python-mailbox", &WITHOUT_QUOTED, "");
}

/// The programs added a Content-Length, and mutt also a Lines field.
#[test]
fn content_length_gives_the_end_of_a_message() {
    for (name, expected, suffix) in [
        ("mboxcl", NAMES, ""),
        ("mboxcl-crlf", NAMES, "-crlf"),
        ("mboxcl2", NAMES, ""),
        ("mboxcl2-crlf", NAMES, "-crlf"),
        ("mboxcl2-no-blank-lines", NAMES, ""),
        ("mboxrd-wrong-lengths", NAMES, ""),
        ("mutt", AS_MUTT_SORTS, ""),
        ("mutt-mmdf", AS_MUTT_SORTS, ""),
    ] {
        let read = read(&archive(name));
        assert_eq!(read.len(), expected.len(), "{name}");
        for (read, expected) in read.iter().zip(expected) {
            let read = without_fields(read, &["Content-Length:", "Lines:"]);
            let message = message(&format!("{expected}{suffix}"));
            assert!(
                read == message,
                "{name}, {expected}: {}",
                read.escape_ascii()
            );
        }
    }
}

fn without_fields(message: &[u8], names: &[&str]) -> Vec<u8> {
    let mut in_header = true;
    message
        .split_inclusive(|octet| *octet == b'\n')
        .filter(|line| {
            in_header &= !line.trim_ascii().is_empty();
            !(in_header && names.iter().any(|name| line.starts_with(name.as_bytes())))
        })
        .collect::<Vec<_>>()
        .concat()
}

/// Python stores every message as given, and a visible header for every other one. To the others it
/// writes none; its own reader then takes their text for one, up to the first blank line.
#[test]
fn babyl_written_by_python_is_read() {
    check("python-babyl", &NAMES, "");
    let file = archive("python-babyl");
    let visible = |name: &str| {
        let message = message(name);
        let header = message
            .windows(2)
            .position(|octets| octets == b"\n\n")
            .unwrap()
            + 2;
        let stands = [b"\n*** EOOH ***\n", &message[..header]].concat();
        file.windows(stands.len()).any(|octets| octets == stands)
    };
    assert_eq!(
        NAMES.map(visible),
        [true, false, true, false, true, false, true]
    );
}

/// `rmail-output` of Emacs wrote both files: one with the messages unchanged, the other with their
/// text decoded, as Rmail did by itself from version 20 on. It adds fields of its own.
#[test]
fn babyl_written_by_rmail_is_read() {
    const OWN: [&str; 3] = [
        "X-Coding-System:",
        "Mail-from:",
        "Date: Sat, 3 Jan 1996 01:05:34 EST",
    ];
    for (name, is_decoded) in [("rmail-babyl.mbox", false), ("rmail-decoded.babyl", true)] {
        let read = read(&fs::read(format!("../corpus/archive/{name}")).unwrap());
        assert_eq!(read.len(), NAMES.len());
        for (read, expected) in read.iter().zip(NAMES) {
            let mut message = message(expected);
            if expected == "blank-lines" {
                // The last one is indistinguishable from the blank line that ends the section in
                // other files.
                message.pop();
            }
            if is_decoded && expected == "koi8-r" {
                // "Привет", which is BF E0 D8 D2 D5 E2 in ISO 8859-5.
                let mule = b"\x8C\xBF\x8C\xE0\x8C\xD8\x8C\xD2\x8C\xD5\x8C\xE2\n";
                message.splice(message.len() - 7.., mule.iter().copied());
            }
            let read = without_fields(read, &OWN);
            assert_eq!(
                read.escape_ascii().to_string(),
                message.escape_ascii().to_string()
            );
        }
    }
}

/// `unrmail` of Emacs restores the delivered messages from the second file.
/// [`mbox::Stored::decoded_by_rmail`] names the one message whose octets differ there.
#[test]
fn unrmail_restores_the_delivered_messages() {
    const OWN: [&str; 2] = ["X-RMAIL-ATTRIBUTES:", "Mail-from:"];
    let unrmail = read(&archive("unrmail"));
    let file = fs::read("../corpus/archive/rmail-decoded.babyl").unwrap();
    let stored: Vec<_> = mbox::read(&file[..]).map(Result::unwrap).collect();
    assert_eq!(stored.len(), unrmail.len());
    for ((stored, unrmail), name) in stored.iter().zip(unrmail).zip(NAMES) {
        let is_same = without_fields(&stored.message(), &OWN).trim_ascii_end()
            == without_fields(&unrmail, &OWN).trim_ascii_end();
        assert_eq!(is_same, name != "koi8-r", "{name}");
        assert_eq!(stored.decoded_by_rmail().is_none(), is_same);
        if name == "koi8-r" {
            let body = b"\n\n\xF0\xD2\xC9\xD7\xC5\xD4\n";
            assert!(unrmail.ends_with(body) && message(name).ends_with(body));
        }
    }
}

/// The expected messages are from `git mailsplit --mboxrd --keep-cr`.
#[test]
fn mboxrd_written_by_git_is_read() {
    let read = read(&archive("git-mboxrd"));
    let expected = ["git-mailsplit-0001", "git-mailsplit-0002"].map(message);
    assert_eq!(read.len(), 2);
    for (read, expected) in read.iter().zip(expected) {
        // mailsplit keeps the separator, and the blank line after the message.
        let body = &expected[expected.iter().position(|octet| *octet == b'\n').unwrap() + 1..];
        assert_eq!(
            read,
            &body[..body.len() - usize::from(body.ends_with(b"\n\n"))]
        );
    }
}

#[test]
fn dialects_are_distinguished() {
    let dialects = |name: &str| {
        let file = archive(name);
        let mut dialects: Vec<_> = stored(&file, &file[..])
            .iter()
            .map(|stored| stored.entry().dialect().name())
            .collect();
        dialects.sort_unstable();
        dialects.dedup();
        dialects
    };
    assert_eq!(dialects("mboxo"), ["mboxo"]);
    // Without quoted lines, both dialects are the same.
    assert_eq!(dialects("mboxrd"), ["mboxo", "mboxrd"]);
    assert_eq!(dialects("mboxcl"), ["mboxcl", "mboxcl2"]);
    assert_eq!(dialects("mboxcl2"), ["mboxcl2"]);
    assert_eq!(dialects("mutt"), ["mboxcl2"]);
    assert_eq!(dialects("mutt-mmdf"), ["mmdf"]);
    assert_eq!(dialects("rmail-babyl"), ["babyl"]);
}

#[test]
fn a_missing_last_line_ending_is_not_added() {
    let read = read(&archive("mboxrd-no-final-newline"));
    assert_eq!(read.len(), 2);
    assert_eq!(read[0], message("plain"));
    assert_eq!([&read[1], &b"\n"[..]].concat(), message("from-lines"));
}

/// The number of messages by the rules of the module.
#[test]
fn separators() {
    #[track_caller]
    fn check(count: usize, file: &str) {
        assert_eq!(read(file.as_bytes()).len(), count, "{file:?}");
        let crlf = file.replace('\n', "\r\n");
        assert_eq!(read(crlf.as_bytes()).len(), count, "{crlf:?}");
    }
    const FIRST: &str = "From a@example.org Sat Jan  3 01:05:34 1996\nSubject: x\n\ntext\n";
    check(0, "");
    check(1, "\n");
    check(1, "From");
    check(1, "From ");
    check(1, "From \n");
    check(1, "Subject: no separator\n\nFrom me to you\n");
    check(1, FIRST);
    check(1, &format!("\n\n{FIRST}"));
    check(1, &format!("\u{FEFF}{FIRST}"));
    check(2, &format!("{FIRST}\n{FIRST}"));
    check(2, &format!("{FIRST}{FIRST}"));
    check(2, &format!("rest of a message that was cut off\n\n{FIRST}"));
    let with = |line: &str| format!("{FIRST}\n{line}\nSubject: y\n\ntext\n");
    // Rule 3: a date anywhere, or one word and a header field.
    check(2, &with("From b Sat Jan  3 01:05:34 1996"));
    check(2, &with("From b Sat Jan 13 1:05 1996"));
    check(2, &with("From b c d Sat Jan  3 01:05:34 PST 1996"));
    check(2, &with("From b Sat Jan  3 01:05:34 MET DST 1996"));
    check(2, &with("From b Sat Jan  3 01:05:34 96"));
    check(2, &with("From b Sat, 03 Jan 1996 01:05:34 +0000"));
    check(2, &with("From b 3 Jan 1996 01:05:34 +0000"));
    check(2, &with("From b 1996-01-03 01:05:34"));
    check(2, &with("From Sat Jan  3 01:05:34 1996"));
    // Thunderbird's form, from JavaScript; other zones; another language.
    check(
        2,
        &with("From - b@example.org  Mon Oct 16 2023 16:18:56 GMT-0700"),
    );
    check(2, &with("From b Sat Jan  3 01:05:34 W. Europe 1996"));
    check(2, &with("From b l\u{f6}r jan  3 01:05:34 1996"));
    check(2, &with("From b"));
    check(2, &with("From "));
    check(
        2,
        &format!("{FIRST}\nFrom b Sat Jan  3 01:05:34 1996\n\nno header\n"),
    );
    check(2, &format!("{FIRST}\nFrom b Sat Jan  3 01:05:34 1996"));
    check(
        2,
        &format!("{FIRST}\nFrom b\n>From c Sat Jan  3 01:05:34 1996 remote from d\n\n"),
    );
    // None of these, so it is text.
    check(1, &with("From the beginning"));
    check(1, &with("From:b Sat Jan  3 01:05:34 1996"));
    check(1, &with(">From b Sat Jan  3 01:05:34 1996"));
    check(1, &with(" From b Sat Jan  3 01:05:34 1996"));
    check(1, &with("FROM b Sat Jan  3 01:05:34 1996"));
    check(1, &with("From b Sat Jan 33 01:05:34 1996"));
    check(1, &with("From b Sat Feb 31 01:05:34 1996"));
    check(1, &with("From b Sat Jan  3 25:05:34 1996"));
    check(1, &with("From 4 Mar 1999 2000 people and more"));
    check(1, &with("From b Sat Jen  3 01:05:34 1996"));
    check(1, &with("From b Sat Jan  3 01:05:34"));
    check(1, &with("From b Sat Jan  3 1996"));
    check(1, &with("From b 1996-13 01:05:34"));
    check(1, &format!("{FIRST}\nFrom b\n\nno header\n"));
    check(1, &format!("{FIRST}\nFrom b\nno header\n"));
    check(1, &format!("{FIRST}\nFrom b\n"));
    // Rule 4: no blank line before it.
    let after_text = |line: &str, next: &str| format!("{FIRST}{line}\n{next}\n\ntext\n");
    check(
        2,
        &after_text("From b Sat Jan  3 01:05:34 1996", "Subject: y"),
    );
    check(
        1,
        &after_text("From b Sat Jan  3 01:05:34 1996", "no header"),
    );
    check(1, &after_text("From b", "Subject: y"));
    // A header that ends at a separator.
    check(
        2,
        "From a Sat Jan  3 01:05:34 1996\nSubject: x\nFrom b Sat Jan  3 01:05:34 1996\nSubject: y\n",
    );
    check(
        2,
        "From a Sat Jan  3 01:05:34 1996\nFrom b Sat Jan  3 01:05:34 1996\nSubject: y\n",
    );
}

/// The dates of the separator, of the Date field, and of the last host all differ.
#[test]
fn a_separator_has_its_own_date() {
    for (line, date) in [
        (
            "From a@b Wed Jan  3 01:05:34 1996",
            Some("1996-01-03T01:05:34-00:00"),
        ),
        (
            "From a@b Wed Jan  3 01:05:34 1996 remote from c",
            Some("1996-01-03T01:05:34-00:00"),
        ),
        (
            "From John Smith Wed Jan  3 01:05:34 PST 1996",
            Some("1996-01-03T01:05:34-08:00"),
        ),
        (
            "From - Mon Oct 16 2023 16:18:56 GMT-0700",
            Some("2023-10-16T16:18:56-07:00"),
        ),
        (
            "From may 3 Jan 1996 01:05:34 +0100",
            Some("1996-01-03T01:05:34+01:00"),
        ),
        (
            "From <a@b> 1996-01-03T01:05:34Z",
            Some("1996-01-03T01:05:34+00:00"),
        ),
        (
            "From a@[IPv6:1:2::3] Wed Jan  3 01:05:34 1996",
            Some("1996-01-03T01:05:34-00:00"),
        ),
        ("From a@b", None),
    ] {
        let file = format!(
            "{line}\nReceived: by c; 2 Jan 1996 23:59:02 -0500\nDate: 2 Jan 1996 23:59:01 GMT\n\n"
        );
        let stored = mbox::read(file.as_bytes()).next().unwrap().unwrap();
        let shown = |date: Option<Date>| date.map(|date| date.to_string());
        assert_eq!(shown(stored.separator_date()).as_deref(), date, "{line}");
        let message = stored.message();
        let message = Message::parse(&message);
        assert_eq!(shown(message.date()).unwrap(), "1996-01-02T23:59:01+00:00");
        assert_eq!(
            shown(message.received_date()).unwrap(),
            "1996-01-02T23:59:02-05:00"
        );
    }
    for file in [
        "Date: 2 Jan 1996 23:59:01 GMT\n\n",
        "\u{1}\u{1}\u{1}\u{1}\nDate: 2 Jan 1996 10:00 GMT\n\n",
    ] {
        let stored = mbox::read(file.as_bytes()).next().unwrap().unwrap();
        assert_eq!(stored.separator_date(), None);
    }
}

#[test]
fn a_wrong_content_length_is_ignored() {
    let file = |length: &str| {
        format!(
            "From a Sat Jan  3 01:05:34 1996\ncontent-length : {length}\n\n\
             12345\n\nFrom b Sat Jan  3 01:05:34 1996\nSubject: in it\n\n\
             From c Sat Jan  3 01:05:34 1996\nSubject: y\n\n"
        )
    };
    // "12345\n" and a blank line are 7 octets, the next line 32, the field 15 and a blank line 1.
    assert_eq!(read(file("6").as_bytes()).len(), 3);
    assert_eq!(read(file("55").as_bytes()).len(), 2);
    assert_eq!(read(file("54").as_bytes()).len(), 2);
    for wrong in [
        "0",
        "5x",
        "",
        "-6",
        "3",
        "50",
        "1000",
        "99999999999999999999",
        "18446744073709551615",
    ] {
        assert_eq!(read(file(wrong).as_bytes()).len(), 3, "{wrong}");
    }
}

/// A forged length must not make a reader buffer the messages it hides.
#[test]
fn a_content_length_does_not_hide_an_archive() {
    let rest = "From b Sat Jan  3 01:05:34 1996\nSubject: y\n\n".repeat(400_000);
    let head = format!(
        "From a Sat Jan  3 01:05:34 1996\nContent-Length: {}\n\n",
        rest.len()
    );
    let mut source = Counted {
        source: head.as_bytes().chain(rest.as_bytes()),
        read: 0,
    };
    let first = mbox::read(&mut source).next().unwrap().unwrap();
    assert_eq!(first.octets().len(), head.len());
    assert!(source.read < 1 << 20, "{}", source.read);
}

struct Counted<R> {
    source: R,
    read: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.source.read(buffer)?;
        self.read += length as u64;
        Ok(length)
    }
}

/// For a stream of 100 MB, at most one message and one chunk are in memory.
#[test]
fn a_stream_is_buffered_one_message_at_a_time() {
    let mut mailbox = Vec::new();
    for index in 0..50 {
        mailbox.extend_from_slice(
            format!("From a Sat Jan  3 01:05:34 1996\nSubject: {index}\n\n").as_bytes(),
        );
        mailbox.extend_from_slice(&b">From here on, text.\n".repeat(1 + index * 37));
        mailbox.push(b'\n');
    }
    let times = 100_000_000 / mailbox.len() + 1;
    let mut source = Repeated {
        octets: &mailbox,
        at: 0,
        left: times,
        read: &std::cell::Cell::new(0),
    };
    let read = source.read;
    let (mut given, mut count, mut held) = (0, 0, 0);
    for stored in mbox::read(&mut source) {
        let stored = stored.unwrap();
        held = held.max(read.get() - stored.offset());
        given = stored.offset() + stored.octets().len() as u64;
        count += 1;
    }
    assert_eq!(count, 50 * times);
    assert_eq!(given, (mailbox.len() * times) as u64);
    assert!(given > 100_000_000);
    let largest = 21 * (1 + 49 * 37) + 60;
    assert!(
        held < u64::try_from(largest + (256 << 10)).unwrap(),
        "{held}"
    );
}

/// The same for Babyl, where a line of a message may look like its end.
#[test]
fn a_babyl_stream_is_buffered_one_message_at_a_time() {
    let text = [&b"\x1F"[..], &[b' '; 900], b"x\n"].concat();
    let mut sections = Vec::new();
    for index in 0..50 {
        sections.extend_from_slice(b"\x0C\n0,,\n*** EOOH ***\nSubject: x\n\n");
        sections.extend_from_slice(&text.repeat(1 + index * 20));
        sections.push(0x1F);
    }
    let times = 100_000_000 / sections.len() + 1;
    let read = std::cell::Cell::new(0);
    let source = BABYL_OPTIONS.as_bytes().chain(Repeated {
        octets: &sections,
        at: 0,
        left: times,
        read: &read,
    });
    let (mut count, mut held) = (0, 0);
    for stored in mbox::read(source) {
        let stored = stored.unwrap();
        held = held.max(read.get().saturating_sub(stored.offset()));
        assert_eq!(
            stored.message().len(),
            12 + text.len() * (1 + count % 50 * 20)
        );
        count += 1;
    }
    assert_eq!(count, 50 * times);
    let largest = text.len() * (1 + 49 * 20) + 60;
    assert!(held < (largest + (256 << 10)) as u64, "{held}");
}

struct Repeated<'a> {
    octets: &'a [u8],
    at: usize,
    left: usize,
    read: &'a std::cell::Cell<u64>,
}

impl Read for Repeated<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.at == self.octets.len() {
            self.at = 0;
            self.left -= 1;
        }
        if self.left == 0 {
            return Ok(0);
        }
        let length = buffer.len().min(self.octets.len() - self.at);
        buffer[..length].copy_from_slice(&self.octets[self.at..self.at + length]);
        self.at += length;
        self.read.set(self.read.get() + length as u64);
        Ok(length)
    }
}

/// The line before and after each MMDF message (mmdf(5)).
const MMDF_LINE: &str = "\u{1}\u{1}\u{1}\u{1}\n";

/// The start of a Babyl mailbox.
const BABYL_OPTIONS: &str = "BABYL OPTIONS:\n\u{1F}";

/// Mailboxes made of pieces that matter to the rules, in any order.
fn mailbox() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => Just("\n"),
        3 => Just("From a Sat Jan  3 01:05:34 1996\n"),
        1 => Just("From b\n"),
        1 => Just("From the text\n"),
        1 => Just("From "),
        1 => Just(">From a\n"),
        1 => Just(">>From a\n"),
        2 => Just("Subject: x\n"),
        1 => Just("Content-Length: 0\n"),
        1 => Just("Content-Length: 5\n"),
        1 => Just("Content-Length: 33\n"),
        1 => Just("Content-Length: 1\n\nx"),
        2 => Just("text\n"),
        1 => Just("text"),
        1 => Just("\r\n"),
        1 => Just(">"),
        2 => Just(MMDF_LINE),
        2 => Just("\u{1F}"),
        2 => Just("\u{1F}\u{C}\n1,,\n"),
        1 => Just("\u{C}\n0, unseen,,\n*** EOOH ***\n"),
        1 => Just("Summary-line: x\n"),
        2 => Just("*** EOOH ***\n"),
    ];
    let first = prop_oneof![4 => Just(""), 1 => Just(MMDF_LINE), 2 => Just(BABYL_OPTIONS)];
    (first, prop::collection::vec(piece, 0..20))
        .prop_map(|(first, pieces)| [first, &pieces.concat()].concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// For any octets and read sizes, nothing is lost, and memory and stream agree.
    #[test]
    fn memory_and_stream_agree(file in mailbox(), crlf in any::<bool>()) {
        let file = if crlf { String::from_utf8(file).unwrap().replace('\n', "\r\n").into_bytes() } else { file };
        read(&file);
    }

    /// RFC 4155 leaves quoting open; mboxrd is reversible for every message.
    #[test]
    fn quoting_is_reversible(message in mailbox()) {
        let quoted = mbox::quote(&message);
        prop_assert_eq!(&*Dialect::Mboxrd.unquote(&quoted), &message[..]);
    }

    /// Every mailbox written as mboxrd has the same messages; writing it again changes nothing.
    #[test]
    fn writing_as_mboxrd_keeps_the_messages(file in mailbox()) {
        let once = written(&file);
        prop_assert_eq!(&written(&once).escape_ascii().to_string(), &once.escape_ascii().to_string());
        // Except for a blank line that had to be added after a header without a body.
        let messages = |file: &[u8]| {
            read(file).iter().map(|message| message.trim_ascii_end().to_vec()).collect::<Vec<_>>()
        };
        let (before, after) = (messages(&file), messages(&once));
        prop_assert_eq!(before, after);
    }

    /// Mailboxes written separately and concatenated equal one written at once.
    #[test]
    fn parts_written_separately_equal_one_mailbox(file in mailbox(), at_once in 1_usize..4) {
        let stored: Vec<_> = mbox::read(&file[..]).map(Result::unwrap).collect();
        let mut whole = mbox::Writer::new(Vec::new());
        let mut in_parts = mbox::Writer::new(Vec::new());
        for some in stored.chunks(at_once) {
            let mut part = mbox::Writer::new(Vec::new());
            let (mut places, mut expected) = (Vec::new(), Vec::new());
            for stored in some {
                places.push(part.write(stored, &stored.message()).unwrap());
                expected.push(whole.write(stored, &stored.message()).unwrap());
            }
            let before = in_parts.append(&part).unwrap();
            let moved = |place: &Range<u64>| place.start + before..place.end + before;
            prop_assert_eq!(places.iter().map(moved).collect::<Vec<_>>(), expected);
        }
        let shown = |file: mbox::Writer<Vec<u8>>| file.into_inner().escape_ascii().to_string();
        prop_assert_eq!(shown(in_parts), shown(whole));
    }
}

/// Later reads reuse the memory of dropped messages, but not of those still held.
#[test]
fn held_messages_are_not_overwritten() {
    let mut file = Vec::new();
    for number in 0..4000 {
        let text = format!("{number} ").repeat(200 + number % 400);
        file.extend_from_slice(b"From - Sat Jan  3 01:05:34 1996\nSubject: x\n\n");
        file.extend_from_slice(text.as_bytes());
        file.extend_from_slice(b"\n\n");
    }
    for kept in [1, 2, 3, 1000] {
        let read = mbox::read(&file[..]).map(Result::unwrap);
        let some: Vec<_> = read.enumerate().filter(|(at, _)| at % kept == 0).collect();
        assert_eq!(some.len(), 4000_usize.div_ceil(kept));
        for (_, stored) in some {
            let start = usize::try_from(stored.offset()).unwrap();
            let length = stored.octets().len();
            assert!(stored.octets() == &file[start..start + length], "{start}");
        }
    }
}

fn written(file: &[u8]) -> Vec<u8> {
    let mut writer = mbox::Writer::new(Vec::new());
    let mut messages = mbox::read(file);
    if mbox::is_mboxcl2(file).unwrap() {
        messages = messages.dialect(Dialect::Mboxcl2);
    }
    for stored in messages {
        let stored = stored.unwrap();
        writer.write(&stored, &stored.message()).unwrap();
    }
    writer.into_inner()
}

/// Folders named by `MIME_CHARSET_CORPUS`, separated like paths on this platform.
#[test]
fn further_corpora_are_read() {
    let Some(folders) = std::env::var_os("MIME_CHARSET_CORPUS") else {
        return;
    };
    for folder in std::env::split_paths(&folders) {
        for file in mime_charset_archive::files(&folder) {
            let octets = mime_charset_archive::read(&file.unwrap()).unwrap();
            let message = Message::parse(&octets);
            for field in message.fields() {
                assert!(field.text().as_str().len() <= 4 * octets.len() + 16);
            }
            for part in message.parts() {
                let decoded = part.text();
                assert!(decoded.as_str().len() <= 4 * octets.len() + 16);
            }
        }
    }
}
