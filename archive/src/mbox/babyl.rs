//! Babyl mailboxes, written by Rmail of Emacs up to version 22 (Emacs 22, `etc/BABYL`).
//!
//! > Babyl-File ::= Babyl-Options-Section (Message-Section)*
//!
//! A section ends with the octet 1F at the start of a line. A message's section begins with the
//! octet 0C on a line by itself and the status line: a digit, attributes and labels. A message has
//! one or two headers, separated by the line `*** EOOH ***`, the end of the original header. If
//! nothing precedes that line, the only header follows it. Otherwise the original header precedes
//! it and the visible header follows it. The visible header has the fields that Rmail shows, and a
//! blank line; it is not part of the message.
//!
//! Programs disagree on the rest. This module uses these rules:
//!
//! - an octet 1F ends a section if a section, an mbox message or nothing follows, ignoring white
//!   space. Any other octet 1F is text: Rmail wrote `^_` in its place, but Python's `mailbox` does
//!   not;
//! - if the digit of the status line is 0, the lines before `*** EOOH ***` are Rmail's own. Under
//!   any digit, the fields Summary-line and Mail-From at the start of a header are Rmail's own;
//! - a blank line before the octet 1F is not part of the message, as in mbox: Rmail and Python
//!   write one;
//! - mbox messages after the last section, which Rmail imports when it reads the file, are read as
//!   mbox;
//! - a section without the line `*** EOOH ***` is a message with one header, and a file without the
//!   options is read like a file with them.
//!
//! Octets are returned as stored: see [`rmail`](super::rmail) for those that Rmail decoded.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::dialect::Dialect;
use super::entry::Entry;
use super::headers::{body, end_of_header};
use super::lines::{Lines, after_name, part};
use super::separator::{LONGEST_LINE, blank_line_before, has_date};

const OPTIONS: &[u8] = b"BABYL OPTIONS:";
const TERMINATOR: u8 = 0x1F;
const FORM_FEED: u8 = 0x0C;

/// The start of a section: the octet 0C, a line end of two octets, a digit and a comma.
const LONGEST_BEGIN: usize = 5;

/// Whether `octets` begin with the options or, if those are missing, with a message. `None` if more
/// octets are needed.
pub(super) fn begin(octets: &[u8], more: bool) -> Option<bool> {
    let near = part(octets, 0..octets.len().min(OPTIONS.len()));
    let is_cut = match near {
        [TERMINATOR | FORM_FEED, ..] => near.len() <= LONGEST_BEGIN,
        _ => OPTIONS
            .get(..near.len())
            .is_some_and(|options| options.eq_ignore_ascii_case(near)),
    };
    if more && is_cut && octets.len() < OPTIONS.len() {
        return None;
    }
    let section = octets.strip_prefix(&[TERMINATOR]).unwrap_or(octets);
    Some(near.eq_ignore_ascii_case(OPTIONS) || begins_section(section))
}

/// Whether `octets` begin with the octet 0C on a line by itself and a status line.
fn begins_section(octets: &[u8]) -> bool {
    match octets {
        [FORM_FEED, b'\n', status @ ..] | [FORM_FEED, b'\r', b'\n', status @ ..] => {
            is_status(status)
        }
        _ => false,
    }
}

fn is_status(line: &[u8]) -> bool {
    matches!(line, [digit, b',', ..] if digit.is_ascii_digit())
}

/// The contents at the start of the octets.
pub(super) enum Found {
    Entry(Entry),
    /// The offset at which mbox messages begin.
    Mbox(usize),
}

/// Parses the entry at the start of `octets`; `first` if that is the start of the file. `None` if
/// `more` octets are needed.
///
/// In a mailbox without messages, the entry is the options and an empty message.
pub(super) fn entry(octets: &[u8], first: bool, more: bool) -> Option<Found> {
    let start = match octets {
        [] => return None,
        [FORM_FEED, ..] => 0,
        _ if !first => return Some(Found::Mbox(0)),
        _ => {
            let options = section_end(octets, 0, more)?;
            let next = options.end;
            match octets.get(next) {
                Some(&FORM_FEED) => next,
                Some(_) => return Some(Found::Mbox(next)),
                // The options are never closed, so everything may be mail.
                None if options.is_empty() => return Some(Found::Mbox(0)),
                None => {
                    let entry = Entry::new(Dialect::Babyl, next..next, next, next);
                    return Some(Found::Entry(entry));
                }
            }
        }
    };
    let end = section_end(octets, start, more)?;
    Some(Found::Entry(message(octets, start, &end)))
}

/// The octets from the octet 1F that ends a section to the next entry; empty at the end of the file.
fn section_end(octets: &[u8], from: usize, more: bool) -> Option<Range<usize>> {
    for at in memchr_iter(TERMINATOR, part(octets, from..octets.len())) {
        let at = from + at;
        if at == 0 || octets.get(at - 1) == Some(&b'\n') {
            let next = end_before(octets, at + 1, more)?;
            if next > 0 {
                return Some(at..next);
            }
        }
    }
    (!more).then_some(octets.len()..octets.len())
}

/// The start of the next entry if a section ends before `at`, otherwise 0. `None` if more octets are
/// needed.
fn end_before(octets: &[u8], at: usize, more: bool) -> Option<usize> {
    let rest = part(octets, at..octets.len());
    match rest {
        [FORM_FEED, b'\n', ..] | [FORM_FEED, b'\r', b'\n', ..] => return Some(at),
        _ => {}
    }
    let near = part(rest, 0..rest.len().min(LONGEST_LINE));
    let is_blank = |octet: &&u8| matches!(octet, b' ' | b'\t' | b'\r' | b'\n');
    let blank = near.iter().take_while(is_blank).count();
    let next = at + blank;
    let near = part(octets, next..octets.len().min(next + LONGEST_LINE));
    let begins_line = blank == 0 || octets.get(next - 1) == Some(&b'\n');
    let end = memchr(b'\n', near);
    let line = part(near, 0..end.unwrap_or(near.len()));
    let is_cut = match near {
        [] | [FORM_FEED] => true,
        [FORM_FEED, ..] => near.len() < LONGEST_BEGIN,
        _ if b"From ".starts_with(line) => end.is_none(),
        _ => line.starts_with(b"From ") && end.is_none() && near.len() < LONGEST_LINE,
    };
    match near {
        _ if more && is_cut => None,
        [] | [FORM_FEED] => Some(octets.len()),
        _ if !begins_line => Some(0),
        [FORM_FEED, ..] if begins_section(near) => Some(next),
        // Like Rmail, require a date in a separator line.
        _ if line.starts_with(b"From ") && has_date(line) => Some(next),
        _ => Some(0),
    }
}

/// The entry with its section at `start`.
fn message(octets: &[u8], start: usize, end: &Range<usize>) -> Entry {
    let section = part(octets, 0..end.start);
    let line = |at| {
        let mut lines = Lines::new(section, at);
        lines.next().unwrap_or(at..at)
    };
    let mut header = line(start).end;
    let status = line(header);
    let mut is_reformed = true;
    if is_status(part(section, status.clone())) {
        is_reformed = !part(section, status.clone()).starts_with(b"0");
        header = status.end;
    }
    while is_rmail_field(part(section, line(header))) {
        header = line(header).end;
    }
    let parting = end_of_header(part(section, header..section.len()));
    if let Some(parting) = &parting {
        let before_line = part(section, header..header + parting.start);
        if !is_reformed || before_line.trim_ascii().is_empty() {
            header += parting.start;
        }
    }
    let stored = part(section, header..section.len());
    let blank = blank_line_before(section, end.start);
    let is_ended = end.start < octets.len();
    let has_blank = is_ended && end.start - blank >= header + body(stored);
    let message_end = if has_blank {
        end.start - blank
    } else {
        end.start
    };
    Entry {
        quoted: parting.is_some(),
        ..Entry::new(Dialect::Babyl, start..header, message_end, end.end)
    }
}

/// Whether a line is one of Rmail's own fields: its summary line, or the separator line of the mbox
/// that the message came from.
fn is_rmail_field(line: &[u8]) -> bool {
    let mut names = [&b"Summary-line:"[..], b"Mail-From:"].into_iter();
    names.any(|name| after_name(line, name).is_some())
}

#[cfg(test)]
mod tests {
    use super::super::{Stored, read};

    const OPTIONS: &str = "BABYL OPTIONS: -*- rmail -*-\nVersion: 5\nLabels:\n\u{1F}";
    /// A message as Rmail imported it, and one that Rmail has already shown.
    const NEW: &str = "\u{C}\n0, unseen,,\n*** EOOH ***\nSubject: one\n\nFrom me\n\u{1F}";
    const SHOWN: &str = "\u{C}\n1, answered,, kept,\nSummary-line:  3-Jan  #two\nReceived: x\nSubject: two\n\n\
                         *** EOOH ***\nSubject: two\n\ntext\n\n\u{1F}";
    const MBOX: &str = "From a Sat Jan  3 01:05:34 1996\nSubject: three\n\ntext\n";

    struct Slow<'o>(&'o [u8]);

    impl std::io::Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let length = buffer.len().min(1);
            std::io::Read::read(&mut self.0, &mut buffer[..length])
        }
    }

    fn shown(octets: &[u8]) -> String {
        String::from_utf8_lossy(octets).into_owned()
    }

    /// The octets before, in and after each message. They must not depend on how the file is split
    /// into reads, nor on LF or CRLF, and writing them must restore the file.
    #[track_caller]
    fn parts(file: &str) -> Vec<[String; 3]> {
        let of = |octets: &[u8]| -> Vec<[String; 3]> {
            let stored: Vec<_> = read(Slow(octets)).map(Result::unwrap).collect();
            assert!(read(octets).map(Result::unwrap).eq(stored.iter().cloned()));
            let of = |stored: &Stored| {
                let message = stored.message();
                let again = stored.written(&message);
                assert_eq!(*again, stored.octets()[stored.entry().message()]);
                [stored.before(), &message, stored.after()].map(shown)
            };
            stored.iter().map(of).collect()
        };
        let crlf = of(file.replace('\n', "\r\n").as_bytes());
        let with_lf = |parts: [String; 3]| parts.map(|part| part.replace("\r\n", "\n"));
        let lf = of(file.as_bytes());
        assert_eq!(crlf.into_iter().map(with_lf).collect::<Vec<_>>(), lf);
        lf
    }

    #[test]
    fn a_message_has_its_original_header() {
        let all = parts(&format!("{OPTIONS}{NEW}{SHOWN}{NEW}\n"));
        let new = "Subject: one\n\nFrom me\n";
        let status = "\u{C}\n0, unseen,,\n";
        assert_eq!(all[0], [&format!("{OPTIONS}{status}"), new, "\u{1F}"]);
        assert_eq!(
            all[1],
            [
                "\u{C}\n1, answered,, kept,\nSummary-line:  3-Jan  #two\n",
                "Received: x\nSubject: two\n\ntext\n",
                "\n\u{1F}"
            ]
        );
        assert_eq!(all[2], [status, new, "\u{1F}\n"]);
        assert_eq!(all.len(), 3);
    }

    /// Rmail puts its own lines before the line `*** EOOH ***` under either digit.
    #[test]
    fn rmails_own_lines_are_not_part_of_the_message() {
        let own = "summary-line: x\nMail-From: From a Sat Jan  3 01:05:34 1996\n";
        let section = |digit, rest: &str| format!("{OPTIONS}\u{C}\n{digit},,\n{own}{rest}\u{1F}");
        for (digit, rest) in [
            (0, "*** EOOH ***\nSubject: x\n\ntext\n"),
            (1, "Subject: x\n\n*** EOOH ***\nX: y\n\ntext\n"),
        ] {
            let all = parts(&section(digit, rest));
            assert_eq!(all[0][1], "Subject: x\n\ntext\n", "{digit}");
            assert!(all[0][0].ends_with(own));
        }
        // With digit 0 there is no original header.
        let all = parts(&section(0, "lost\n\n*** EOOH ***\nSubject: x\n\ntext\n"));
        assert_eq!(all[0][1], "Subject: x\n\ntext\n");
    }

    /// A mailbox without messages has one entry without a message; `Messages` skips it.
    #[test]
    fn a_mailbox_may_be_empty() {
        for file in [OPTIONS.to_owned(), format!("{OPTIONS}\n \n")] {
            assert_eq!(parts(&file), [[&file, "", ""]]);
            let stored = read(file.as_bytes()).next().unwrap().unwrap();
            assert!(stored.is_no_message());
        }
    }

    /// Missing or truncated elements cost no message.
    #[test]
    fn missing_elements_lose_no_message() {
        let one = "Subject: one\n\nFrom me\n";
        // The options, with and without their terminating octet.
        for file in [format!("{NEW}{SHOWN}"), format!("\u{1F}{NEW}{SHOWN}")] {
            let all = parts(&file);
            assert_eq!((&*all[0][1], all.len()), (one, 2));
        }
        // The end of the options, or the whole of them.
        let file = OPTIONS.replace('\u{1F}', "Subject: x\n\ntext\n");
        assert_eq!(parts(&file), [["", &file, ""]]);
        // The last octet, and anything before it.
        let file = format!("{OPTIONS}{SHOWN}{NEW}");
        for cut in OPTIONS.len() + SHOWN.len() + 2..file.len() {
            let all = parts(&file[..cut]);
            assert_eq!(all[0][1], "Received: x\nSubject: two\n\ntext\n", "{cut}");
            assert_eq!(all.len(), 2, "{cut}");
        }
        // The line `*** EOOH ***`, the status line, both.
        let without = |what: &str| parts(&format!("{OPTIONS}{}", NEW.replace(what, "")));
        assert_eq!(without("*** EOOH ***\n")[0][1], one);
        assert_eq!(without("0, unseen,,\n")[0][1], one);
        assert_eq!(without("0, unseen,,\n*** EOOH ***\n")[0][1], one);
        // Additional blank lines before that line are not text.
        let file = format!("{OPTIONS}{}", SHOWN.replacen("two\n\n*", "two\n\n\n*", 1));
        assert_eq!(parts(&file)[0][1], "Received: x\nSubject: two\n\ntext\n");
        // The blank line after the original header; the visible header has one.
        let file = format!("{OPTIONS}{}", SHOWN.replacen("two\n\n*", "two\n*", 1));
        assert_eq!(parts(&file)[0][1], "Received: x\nSubject: two\n\ntext\n");
    }

    /// Rmail escapes an octet 1F at the start of a line with two characters; other programs do not.
    /// GNU Info files have such lines.
    #[test]
    fn an_octet_1f_in_a_message_is_text() {
        for text in [
            "\u{1F}\nFile: x.info\n",
            "\u{1F}text\n",
            "a\u{1F}\u{C}\n",
            "\u{1F}\u{C}text\n",
            "\u{1F}\n\u{C}\ntext\n",
            "\u{1F}\nFrom b\nSubject: y\n",
            "\u{1F}\nFrom here on, text\n",
            "\u{1F} From a Sat Jan  3 01:05:34 1996\n",
        ] {
            let section = NEW.replace("From me\n", text);
            let all = parts(&format!("{OPTIONS}{section}{NEW}"));
            assert_eq!(all[0][1], format!("Subject: one\n\n{text}"));
            assert_eq!(all.len(), 2);
        }
    }

    /// Rmail imports mbox messages that a program appended after the last section.
    #[test]
    fn mbox_messages_may_follow() {
        for between in ["\n", " \n\n"] {
            let all = parts(&format!("{OPTIONS}{between}{NEW}{between}{SHOWN}"));
            assert_eq!(all.len(), 2);
            assert_eq!(all[0][2], format!("\u{1F}{between}"));
        }
        for between in ["", "\n", "\n\n"] {
            let all = parts(&format!("{OPTIONS}{NEW}{between}{MBOX}\n{MBOX}"));
            assert_eq!(all.len(), 3);
            assert_eq!(all[0][2], format!("\u{1F}{between}"));
            for mbox in &all[1..] {
                assert_eq!(mbox[1], "Subject: three\n\ntext\n");
            }
            let all = parts(&format!("{OPTIONS}{between}{MBOX}"));
            assert_eq!(all.len(), 1);
            assert_eq!(all[0][1], "Subject: three\n\ntext\n");
        }
    }

    /// A blank line before the octet 1F belongs to the file, unless it ends the header.
    #[test]
    fn the_last_blank_line_is_not_text() {
        for (text, blank) in [
            ("Subject: x\n\n", ""),
            ("Subject: x\n\n", "\n"),
            ("Subject: x\n\n\n", "\n"),
            ("Subject: x\n\ntext\n", ""),
            ("Subject: x\n\ntext\n", "\n"),
            ("Subject: x\n\ntext\n\n", "\n"),
            ("Subject: x\n", ""),
        ] {
            let (head, body) = text.split_at(text.find("\n\n").map_or(text.len(), |at| at + 2));
            for section in [
                format!("0,,\n*** EOOH ***\n{text}"),
                format!("1,,\n{head}*** EOOH ***\n{head}{body}"),
                format!("1,,\n{text}"),
            ] {
                let all = parts(&format!("{OPTIONS}\u{C}\n{section}{blank}\u{1F}{NEW}"));
                assert_eq!(
                    all[0][1..],
                    [text, &format!("{blank}\u{1F}")],
                    "{section:?}"
                );
            }
        }
    }

    /// Python's `BabylMessage` writes no visible header, and the text directly after the line.
    #[test]
    fn a_visible_header_may_be_missing() {
        let section = "1,,\nSubject: x\n\n*** EOOH ***\ntext\n\nmore\n";
        let all = parts(&format!("{OPTIONS}\u{C}\n{section}\u{1F}"));
        assert_eq!(all[0][1], "Subject: x\n\ntext\n\nmore\n");
    }
}
