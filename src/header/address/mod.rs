//! Address lists (RFC 5322, section 3.4, and section 4.4 for the obsolete syntax).
//!
//! One rule (`strict.rs`) parses a mailbox that follows the grammar. Other text is split into lexemes.
//! Commas, colons and semicolons separate the members of the list, and each member has a name and an
//! address. Encoded words are parsed last, and only in names and comments, so that no word becomes an
//! address.
//!
//! A malformed field must not yield an address that its writer did not write. All text directly next to
//! an address is therefore part of the address, and the address is returned verbatim.

use std::iter;
use std::ops::ControlFlow;

use super::builder::Builder;
use super::encoded_word::Place;
use super::lexeme::Lexeme;
use crate::report::{Kind, Report};

mod entry;
mod mailbox;
mod member;
mod members;
mod strict;

pub(crate) use entry::{Entry, WrittenMailbox};
use mailbox::{display_name, has_adjacent, lone_comment, mailbox};
use member::{End, Member};
use members::Members;

/// Maximum number of mailboxes and groups read from one field.
pub(crate) const MAX_ADDRESSES: usize = 16_384;

/// Reads an address list (RFC 5322, sections 3.4 and 4.4), and passes each entry to `take` until `take`
/// breaks. The report has departures from that grammar, and departures of encoded words from RFC 2047.
#[inline]
pub(crate) fn read<'a>(
    body: &'a [u8],
    mut take: impl FnMut(Entry<'a>) -> ControlFlow<()>,
) -> Report {
    // The strict parser requires that no full stop is next to another or to an at sign.
    let has_odd_dots = has_adjacent(body, |octet| matches!(octet, b'.' | b'@'));
    let mut members = Members::new(body);
    let mut member = Member::new(body.len());
    // The offset of the open group, if any.
    let mut group = None;
    let mut count = 0;
    loop {
        if !has_odd_dots
            && count < MAX_ADDRESSES
            && let Some(mailbox) = members.strict_mailbox()
        {
            count += 1;
            if take(Entry::Mailbox(mailbox)).is_break() {
                break;
            }
            continue;
        }
        if !members.next(&mut member) {
            break;
        }
        // > obs-addr-list = *([CFWS] ",") address *("," [address / CFWS])
        if member.end == End::Comma && member.lexemes.is_empty() {
            continue;
        }
        let (start, end) = member.span;
        if count == MAX_ADDRESSES {
            let detail = "more addresses than this library reads";
            let rest = body.len() - start;
            members.add(Kind::LimitReached, start, rest, detail);
            break;
        }
        if member.end == End::Colon {
            count += 1;
            if let Some(before) = group.replace(start) {
                // Groups do not nest.
                let detail = "a group without its semicolon";
                members.add(Kind::Unterminated, before, start - before, detail);
                if take(Entry::EndOfGroup(start)).is_break() {
                    break;
                }
            }
            let group = Entry::Group {
                name: display_name(body, &member.lexemes, members.report()),
                offset: start,
                length: end - start,
            };
            if take(group).is_break() {
                break;
            }
            continue;
        }
        if let Some(mailbox) = mailbox(body, &member, members.report()) {
            count += 1;
            if take(Entry::Mailbox(mailbox)).is_break() {
                break;
            }
        }
        if member.end != End::Comma
            && let Some(start) = group.take()
        {
            if member.end == End::Field {
                let detail = "a group without its semicolon";
                let length = member.after - start;
                members.add(Kind::Unterminated, start, length, detail);
            }
            if take(Entry::EndOfGroup(member.after)).is_break() {
                break;
            }
        }
    }
    if count == 0
        && let Some(name) = lone_comment(body, members.report())
    {
        let _ = take(Entry::Mailbox(name));
    }
    members.lexemes.field.report
}

/// The first mailbox of an address list, which may be in a group.
pub(crate) fn first_mailbox(body: &[u8]) -> Option<WrittenMailbox<'_>> {
    let mut first = None;
    read(body, |entry| match entry {
        Entry::Mailbox(mailbox) => {
            first = Some(mailbox);
            ControlFlow::Break(())
        }
        Entry::Group { .. } | Entry::EndOfGroup(_) => ControlFlow::Continue(()),
    });
    first
}

/// Finds the encoded words of an address list, for [`pieces`](super::pieces).
pub(super) fn words<'a>(body: &'a [u8], builder: &mut Builder<'a>) {
    let mut members = Members::new(body);
    let mut member = Member::new(body.len());
    while members.next(&mut member) {
        // A run of adjacent lexemes with the same place.
        let mut run: Option<(usize, usize, Option<Place>)> = None;
        for (lexeme, place) in member.places(body) {
            let (start, end) = lexeme.inner();
            match &mut run {
                Some(run) if run.1 == start && run.2 == place => run.1 = end,
                _ => {
                    if let Some((start, end, place)) = run.replace((start, end, place)) {
                        builder.add_words_or_text(start, end, place);
                    }
                }
            }
            if lexeme.ends_with_word() {
                if let Some((start, end, place)) = run.take() {
                    builder.add_words_or_text(start, end, place);
                }
                builder.end_quotes(&lexeme);
            }
        }
        if let Some((start, end, place)) = run {
            builder.add_words_or_text(start, end, place);
        }
    }
    builder.record_open_quotes(members.report());
}

/// The lexemes of an address list, each with the place of any encoded words in it.
pub(super) fn raw_places(body: &[u8]) -> impl Iterator<Item = (Lexeme, Option<Place>)> {
    let mut members = Members::new(body);
    let mut member = Member::new(body.len());
    // Collecting the lexemes of a whole list would take many times the memory of its text.
    iter::from_fn(move || {
        members
            .next(&mut member)
            .then(|| member.places(body).collect::<Vec<_>>())
    })
    .flatten()
}

#[cfg(test)]
mod tests {
    use super::{ControlFlow, Entry, MAX_ADDRESSES, WrittenMailbox, read as read_entries};
    use crate::header::tests::{kinds, shown};
    use crate::report::Report;

    /// The list in one line, with its report.
    fn list(body: &[u8]) -> (String, Report) {
        let mut list: Vec<String> = Vec::new();
        let mut group: Option<(String, Vec<String>)> = None;
        let report = read_entries(body, |entry| {
            match entry {
                Entry::Mailbox(mailbox) => {
                    let address = mailbox.addr_spec.escape_ascii();
                    let mailbox = format!("{}<{address}>", shown(mailbox.name.as_slice()));
                    let members = group.as_mut().map_or(&mut list, |group| &mut group.1);
                    members.push(mailbox);
                }
                Entry::Group { name: of, .. } => group = Some((shown(of.as_slice()), Vec::new())),
                Entry::EndOfGroup(_) => {
                    let (name, members) = group.take().unwrap();
                    list.push(format!("{name}:{};", members.join(",")));
                }
            }
            ControlFlow::Continue(())
        });
        (list.join(", "), report)
    }

    /// Checks the list in one line, and the kinds of its findings.
    #[track_caller]
    fn read(body: &str, expected: &str, findings: &str) {
        let (list, report) = list(body.as_bytes());
        assert_eq!(list, expected);
        assert_eq!(kinds(&report), findings);
    }

    #[test]
    fn empty_places_in_the_list() {
        read("", "", "");
        read(" \r\n ", "", "");
        read(
            "a@x.test,,b@x.test,",
            "<a@x.test>, <b@x.test>",
            "skipped-text skipped-text",
        );
        read("A: a@x.test;, b@x.test", "A:<a@x.test>;, <b@x.test>", "");
    }

    #[test]
    fn semicolons_for_commas() {
        read(
            "a@x.test; b@x.test",
            "<a@x.test>, <b@x.test>",
            "skipped-text",
        );
    }

    #[test]
    fn no_comma_between_addresses() {
        read(
            "<a@x.test> b <b@x.test>",
            "<a@x.test>, b<b@x.test>",
            "skipped-text",
        );
        read(
            "<a@x.test>\r\n <b@x.test>",
            "<a@x.test>, <b@x.test>",
            "skipped-text",
        );
    }

    #[test]
    fn angle_brackets_missing() {
        read(
            "a <a@x.test, b@x.test",
            "a<a@x.test>, <b@x.test>",
            "unterminated",
        );
        read("a <a@x.test", "a<a@x.test>", "unterminated");
        read("Joe Doe joe@x.test", "Joe Doe<joe@x.test>", "unterminated");
        read(
            "\"Doe, Joe\" joe@x.test",
            "Doe, Joe<joe@x.test>",
            "unterminated",
        );
    }

    #[test]
    fn superfluous_angle_brackets() {
        read("a <<a@x.test>>", "a<a@x.test>", "skipped-text skipped-text");
    }

    #[test]
    fn name_after_the_address() {
        read("<a@x.test> Joe", "Joe<a@x.test>", "name-from-comment");
        read("a@x.test \"Joe\"", "Joe<a@x.test>", "name-from-comment");
        read("Doe <a@x.test> Joe", "Doe<a@x.test>", "skipped-text");
    }

    #[test]
    fn name_in_a_comment() {
        let noted = "name-from-comment";
        read("joe@x.test (Joe \\) Doe)", "Joe ) Doe<joe@x.test>", noted);
        read(
            "() joe@x.test () ( Joe\r\n  Doe )",
            "Joe  Doe<joe@x.test>",
            noted,
        );
        read("<joe@x.test> (Joe)", "Joe<joe@x.test>", noted);
        // Only after the address.
        read("(Joe) joe@x.test", "<joe@x.test>", "");
        read("joe (Joe) @ (Joe) x (Joe) .test", "<joe@x.test>", "");
        read("<joe@x.test (Joe)>", "<joe@x.test>", "");
        read("Joe <joe@x.test> (Doe)", "Joe<joe@x.test>", "");
    }

    #[test]
    fn comments_in_a_name() {
        read("(c) Joe <joe@x.test>", "Joe<joe@x.test>", "");
        read("Joe (c) <joe@x.test>", "Joe<joe@x.test>", "");
        read("Joe (c) Doe <joe@x.test>", "Joe Doe<joe@x.test>", "");
        read(
            "Joe (c) (d)\r\n Doe <joe@x.test>",
            "Joe Doe<joe@x.test>",
            "",
        );
        read(
            "\"Joe\" (c) \"Doe\" <joe@x.test>",
            "Joe Doe<joe@x.test>",
            "",
        );
        read("Joe(c) Doe <joe@x.test>", "Joe Doe<joe@x.test>", "");
        read("\" Joe \" (c) <joe@x.test>", " Joe <joe@x.test>", "");
        read("(c) \"\" <joe@x.test>", "<joe@x.test>", "");
    }

    #[test]
    fn name_that_is_an_address() {
        read(
            "a@x.test <b@x.test>",
            "a@x.test<b@x.test>",
            "unquoted-special",
        );
    }

    #[test]
    fn quotes_and_comments_unclosed() {
        read(
            "\"Joe <joe@x.test>, b@x.test",
            "Joe<joe@x.test>, <b@x.test>",
            "unterminated",
        );
        read(
            "a@x.test (Joe, b@x.test",
            "Joe<a@x.test>, <b@x.test>",
            "unterminated name-from-comment",
        );
        read(
            "joe@[192.0.2.1",
            "<joe@[192.0.2.1>",
            "unterminated unquoted-special",
        );
        read(
            "joe\"@x.test",
            "<joe\\\"@x.test>",
            "unterminated unquoted-special",
        );
        // These quotes were meant for a name.
        read("\"joe@x.test", "<joe@x.test>", "unterminated unterminated");
        read("joe@x.test\"", "<joe@x.test>", "unterminated skipped-text");
    }

    #[test]
    fn missing_and_partial_addresses() {
        read(
            "root (Cron Daemon)",
            "Cron Daemon<root>",
            "missing-value name-from-comment",
        );
        read("Joe Doe", "Joe Doe<>", "missing-value");
        read("(nobody)", "nobody<>", "missing-value name-from-comment");
        read("(nobody), a@x.test", "<a@x.test>", "");
        read("A: (nobody);", "A:;", "");
        read("<>", "<>", "");
        read("a@b@x.test", "<a@b@x.test>", "unquoted-special");
        read("<joe doe@x.test>", "<joe doe@x.test>", "unquoted-special");
    }

    #[test]
    fn quoted_local_parts_stay_quoted() {
        read(
            "\"joe doe\"@x.test, <\"a\\\"b\"@x.test>",
            "<\\\"joe doe\\\"@x.test>, <\\\"a\\\\\\\"b\\\"@x.test>",
            "",
        );
    }

    #[test]
    fn group_without_its_semicolon() {
        read(
            "A: a@x.test, b@x.test",
            "A:<a@x.test>,<b@x.test>;",
            "unterminated",
        );
        read("A:", "A:;", "unterminated");
        read("Undisclosed recipients:;", "Undisclosed recipients:;", "");
    }

    #[test]
    fn words_in_names_and_comments() {
        read(
            "=?utf-8?Q?a?= =?utf-8?Q?b?= <a@x.test>",
            "{Phrase utf-8 Q a}~ {Phrase utf-8 Q b}<a@x.test>",
            "",
        );
        read(
            "a@x.test (=?utf-8?Q?a?=)",
            "{Comment utf-8 Q a}<a@x.test>",
            "name-from-comment",
        );
        read(
            "=?utf-8?Q?A?=: a@x.test;",
            "{Phrase utf-8 Q A}:<a@x.test>;",
            "encoded-word-place",
        );
        read(
            "\"=?utf-8?Q?a?=\" <a@x.test>",
            "{QuotedString utf-8 Q a}<a@x.test>",
            "encoded-word-place",
        );
    }

    #[test]
    fn specials_in_a_word_are_not_syntax() {
        let text = "=?utf-8?Q?Doe,_Joe_<evil@y.test>;?= <joe@x.test>";
        let word = "{Phrase utf-8 Q Doe,_Joe_<evil@y.test>;}<joe@x.test>";
        read(text, word, "encoded-word-syntax");
    }

    #[test]
    fn words_next_to_literal_names() {
        let syntax = "encoded-word-syntax encoded-word-syntax";
        read(
            "=?utf-8?Q?\"Doe, Joe\"?= <joe@x.test>, b@x.test",
            "{Phrase utf-8 Q \\\"Doe, Joe\\\"}<joe@x.test>, <b@x.test>",
            syntax,
        );
        // Text that could be an address is kept.
        read(
            "=?utf-8?Q?Joe, a@x.test?= <b@x.test>",
            "<=?utf-8?Q?Joe>, a@x.test?=<b@x.test>",
            "missing-value unquoted-special",
        );
    }

    #[test]
    fn a_word_gives_no_address() {
        read(
            "=?utf-8?Q?joe=40x.test?=",
            "{Phrase utf-8 Q joe=40x.test}<>",
            "missing-value encoded-word-syntax",
        );
        read(
            "=?utf-8?Q?joe?=@x.test",
            "<=?utf-8?Q?joe?=@x.test>",
            "encoded-word-kept",
        );
        read(
            "<=?utf-8?Q?joe=40y.test,?=@x.test",
            "<=?utf-8?Q?joe=40y.test>, <?=@x.test>",
            "unterminated",
        );
    }

    /// All text that touches a local part belongs to it (RFC 5322, section 3.4.1).
    #[test]
    fn an_address_is_not_truncated() {
        read("a\"b\"@x.test", "<a\\\"b\\\"@x.test>", "unquoted-special");
        read("[a]b@x.test", "<[a]b@x.test>", "unquoted-special");
        read("a\\bc@x.test", "<a\\\\bc@x.test>", "unquoted-special");
        read("a@x\"y\".test", "<a@x\\\"y\\\".test>", "unquoted-special");
        read("<a[@x.test>", "<a[@x.test>", "unquoted-special");
        read("a (c) b@x.test", "a<b@x.test>", "unterminated");
    }

    /// RFC 5322, section 3.4.1: `dtext` has no brackets.
    #[test]
    fn domain_literals_swallow_nothing() {
        read(
            "a@[192.0.2.1, b@[192.0.2.2]",
            "<a@[192.0.2.1>, <b@[192.0.2.2]>",
            "unterminated unquoted-special",
        );
        read(
            "a[x, b@x.test]",
            "a[x<>, <b@x.test]>",
            "missing-value unquoted-special unquoted-special",
        );
        read("[list] Joe <joe@x.test>", "[list] Joe<joe@x.test>", "");
        read(
            "[a, b <b@x.test>, c] <c@x.test>",
            "[a, b<b@x.test>, c]<c@x.test>",
            "unquoted-special unquoted-special unquoted-special",
        );
    }

    /// RFC 5322, section 4.1: only obs-phrase allows a full stop outside quotes.
    #[test]
    fn full_stops_in_a_name() {
        let name = "Prof. Einstein<a@x.test>";
        read("Prof. Einstein <a@x.test>", name, "unquoted-special");
        read("\"Prof. Einstein\" <a@x.test>", name, "");
        read("A.B.: a@x.test;", "A.B.:<a@x.test>;", "unquoted-special");
        read(
            "=?utf-8?Q?a.b?= <a@x.test>",
            "{Phrase utf-8 Q a.b}<a@x.test>",
            "encoded-word-syntax",
        );
        let (_, report) = list(b"J. R. Doe <a@x.test>");
        let finding = &report.findings()[0];
        assert_eq!((finding.offset(), finding.length()), (0, 2));
    }

    /// A finding about skipped text has the offset of the text.
    #[test]
    fn findings_about_text_after_an_address_have_its_offset() {
        for body in [
            "<a@x.test> (c) b@y.test d ",
            "a@x.test, b <b@x.test> @c (d)",
        ] {
            let (_, report) = list(body.as_bytes());
            let finding = &report.findings()[0];
            let range = finding.offset()..finding.offset() + finding.length();
            assert!(["b@y.test d", "@c"].contains(&&body[range]), "{finding}");
        }
    }

    #[test]
    fn angle_brackets_in_a_name() {
        let twice = "skipped-text skipped-text";
        read("a > b < c <d@x.test>", "a > b < c<d@x.test>", twice);
        read("a < b < c <d@x.test>", "a < b < c<d@x.test>", twice);
        read("a < b, c <d@x.test>", "a<b>, c<d@x.test>", "unterminated");
    }

    /// A name with commas but without the quotes that RFC 5322, section 3.4, requires.
    #[test]
    fn commas_in_a_name() {
        let one = "unquoted-special";
        let two = "unquoted-special unquoted-special";
        read("Doe, John <j@x.test>", "Doe, John<j@x.test>", one);
        read("a, b c, \"d\" <d@x.test>", "a, b c, d<d@x.test>", two);
        read(
            "Doe, John <j@x.test>; Roe, Jane <r@x.test>",
            "Doe, John<j@x.test>, Roe, Jane<r@x.test>",
            "skipped-text unquoted-special unquoted-special",
        );
        read(
            "a@x.test, Doe, John <j@x.test>",
            "<a@x.test>, Doe, John<j@x.test>",
            one,
        );
        read("A: Doe, John <j@x.test>;", "A:Doe, John<j@x.test>;", one);
        // Without a name after the comma, or with an address before the comma, the field is a list.
        let missing = "missing-value";
        read("root, <j@x.test>", "<root>, <j@x.test>", missing);
        read("root, j@x.test", "<root>, <j@x.test>", missing);
        read(
            "root, John j@x.test",
            "<root>, John<j@x.test>",
            "missing-value unterminated",
        );
        read(
            "root, j@y.test <j@x.test>",
            "<root>, j@y.test<j@x.test>",
            "missing-value unquoted-special",
        );
        read(
            "a@x.test, John <j@x.test>",
            "<a@x.test>, John<j@x.test>",
            "",
        );
        read(
            "root; John <j@x.test>",
            "<root>, John<j@x.test>",
            "skipped-text missing-value",
        );
        read(
            "root,, John <j@x.test>",
            "<root>, John<j@x.test>",
            "missing-value skipped-text",
        );
        read("root, A: j@x.test;", "<root>, A:<j@x.test>;", missing);
        read(
            "root, (c), John <j@x.test>",
            "<root>, John<j@x.test>",
            missing,
        );
    }

    /// The limit on the lexemes of a name counts its commas too.
    #[test]
    fn names_without_addresses_have_a_limit() {
        let body = format!("{}b <b@x.test>", "a, ".repeat(3000));
        let mut addresses = Vec::new();
        read_entries(body.as_bytes(), |entry| {
            if let Entry::Mailbox(WrittenMailbox { addr_spec, .. }) = entry {
                addresses.push(addr_spec);
            }
            ControlFlow::Continue(())
        });
        assert_eq!(addresses.last().unwrap().as_ref(), b"b@x.test");
        // 4096 lexemes are 1366 times `a, ` the first time, and 1365 times ` a,` the second.
        assert_eq!(addresses.len(), 1366 + 1365 + 1);
        assert!(addresses.len() < MAX_ADDRESSES);
    }
}
