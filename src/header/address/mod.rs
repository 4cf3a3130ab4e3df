//! Lists of addresses (RFC 5322, section 3.4, and section 4.4 for what was once allowed).
//!
//! The field is read in three steps. It is cut into lexemes; at commas, colons and semicolons these
//! make members; each member has a name and an address. Encoded words are read last, and only in names
//! and comments, so that no address comes out of one.
//!
//! A malformed field must not give an address that its writer did not write. Everything that touches
//! an address is therefore part of it, so that no half of one is taken for a whole, and the address is
//! given as it is written.

use std::iter;

use super::builder::Builder;
use super::encoded_word::Place;
use super::lexeme::{Class, Lexeme, Lexemes};
use super::token::has_opening;
use crate::report::Kind;

mod list;
mod mailbox;
mod member;
mod members;
mod plain;

pub use list::{Address, AddressList, Group, Mailbox, Mailboxes};
use mailbox::{display_name, lone_comment, mailbox};
use member::End;
use members::Members;

/// Reads a list of addresses (RFC 5322, sections 3.4 and 4.4), the body of From, To and the
/// like.
///
/// Any octets are read; what is no address is passed over and reported. A name without the quotes
/// that its commas need is one name, as in `Doe, John <john@example.org>`, where nothing before
/// the last comma is an address.
///
/// ```
/// use mime_charset::{Kind, header::{Address, Piece, addresses}};
///
/// let list = addresses(b"\"Doe, Joe\" <joe@example.org>, mary@example.org (Mary)");
/// let [Address::Mailbox(joe), Address::Mailbox(mary)] = list.as_slice() else {
///     unreachable!()
/// };
/// assert_eq!(joe.addr_spec(), b"joe@example.org");
/// assert!(matches!(joe.display_name(), [Piece::Text(name)] if name.octets() == b"Doe, Joe"));
/// assert_eq!(mary.addr_spec(), b"mary@example.org");
/// assert!(matches!(mary.display_name(), [Piece::Text(name)] if name.octets() == b"Mary"));
/// // Who she is only a comment says.
/// assert_eq!(list.report().findings()[0].kind(), Kind::NameFromComment);
/// ```
#[must_use]
pub fn addresses(body: &[u8]) -> AddressList<'_> {
    address_list(body, true)
}

/// Reads a list of addresses; `fast` says whether plain mailboxes are read without lexemes,
/// which changes nothing but the time.
fn address_list(body: &[u8], fast: bool) -> AddressList<'_> {
    let mut members = Members::new(body);
    // What most mailboxes need, and no more than a few dozen of them before they are seen.
    let mut addresses = Vec::with_capacity((body.len() / 24 + 1).min(64));
    let has_words = has_opening(body);
    let mut group: Option<Group<'_>> = None;
    let mut count = 0;
    loop {
        if fast
            && count < AddressList::MAX_COUNT
            && let Some(mailbox) = members.plain_mailbox(has_words)
        {
            count += 1;
            addresses.push(Address::Mailbox(mailbox));
            continue;
        }
        let Some(member) = members.next() else {
            break;
        };
        // > obs-addr-list = *([CFWS] ",") address *("," [address / CFWS])
        if member.end == End::Comma && member.lexemes.is_empty() {
            continue;
        }
        let (start, end) = member.span();
        if count == AddressList::MAX_COUNT {
            let detail = "more addresses than this library reads";
            let rest = body.len() - start;
            members.add(Kind::LimitReached, start, rest, detail);
            break;
        }
        if member.end == End::Colon {
            count += 1;
            let name = display_name(body, &member.lexemes, members.report());
            group = Some(Group {
                name: name.into_vec(),
                mailboxes: Vec::new(),
                offset: start,
                length: end - start,
            });
            continue;
        }
        let mailbox = mailbox(body, &member, members.report());
        count += usize::from(mailbox.is_some());
        match (&mut group, mailbox) {
            (Some(group), Some(mailbox)) => group.mailboxes.push(mailbox),
            (None, Some(mailbox)) => addresses.push(Address::Mailbox(mailbox)),
            (_, None) => {}
        }
        if let Some(mut ended) = group.take_if(|_| member.end != End::Comma) {
            ended.length = member.after - ended.offset;
            if member.end == End::Field {
                let (at, length) = (ended.offset, ended.length);
                let detail = "a group without its semicolon";
                members.add(Kind::Unterminated, at, length, detail);
            }
            addresses.push(Address::Group(ended));
        }
    }
    addresses.extend(group.map(Address::Group));
    if addresses.is_empty() {
        addresses.extend(lone_comment(body, members.report()).map(Address::Mailbox));
    }
    AddressList {
        addresses,
        report: members.lexemes.field.report,
    }
}

/// Finds the encoded words of a list of addresses, for [`pieces`](super::pieces).
pub(super) fn words<'a>(body: &'a [u8], builder: &mut Builder<'a>) {
    find_words(body, builder, true);
}

/// Finds them; `fast` says whether plain mailboxes, which have words in their names alone, are
/// read without lexemes, which changes nothing but the time.
fn find_words<'a>(body: &'a [u8], builder: &mut Builder<'a>, fast: bool) {
    let mut members = Members::new(body);
    loop {
        let start = body.len() - members.lexemes.rest().len();
        if fast && let Some(plain) = members.plain(true) {
            if let Some(word) = plain.word {
                builder.word(word);
            } else if plain.has_words {
                builder.words_in(start, plain.behind_name, Place::Phrase);
            }
            continue;
        }
        let Some(member) = members.next() else {
            break;
        };
        // Lexemes of one kind of place that follow each other.
        let mut run: Option<(usize, usize, Option<Place>)> = None;
        for (lexeme, place) in member.places() {
            let (start, end) = lexeme.inner;
            match &mut run {
                Some(run) if run.1 == start && run.2 == place => run.1 = end,
                _ => {
                    if let Some((start, end, place)) = run.replace((start, end, place)) {
                        builder.words_or_text(start, end, place);
                    }
                }
            }
        }
        if let Some((start, end, place)) = run {
            builder.words_or_text(start, end, place);
        }
    }
    builder.notice(members.report());
}

/// The lexemes of an address list with octets above 7F in them, and some of the others, each with
/// the kind of words that may stand in it.
pub(super) fn raw_places(body: &[u8]) -> impl Iterator<Item = (Lexeme, Option<Place>)> {
    places(body, true)
}

/// Finds them; `fast` says whether plain mailboxes are asked for nothing but their names, which
/// changes nothing for octets above 7F.
fn places(body: &[u8], fast: bool) -> impl Iterator<Item = (Lexeme, Option<Place>)> {
    let mut members = Members::new(body);
    let has_words = has_opening(body);
    let member_places = move || -> Option<Vec<_>> {
        let start = members.lexemes.rest();
        if fast && let Some(plain) = members.plain_in_ascii(has_words) {
            if plain.name.is_ascii() {
                return Some(Vec::new());
            }
            let mut lexemes = Lexemes::new(body);
            lexemes.go_on_at(start);
            let of_name = lexemes.take_while(|lexeme| lexeme.start < plain.behind_name);
            let place = |lexeme: &Lexeme| match lexeme.class {
                Class::Quoted => Place::QuotedString,
                _ => Place::Phrase,
            };
            return Some(of_name.map(|it| (it, Some(place(&it)))).collect());
        }
        Some(members.next()?.places().collect())
    };
    // The lexemes of a whole list would take many times the memory of its text.
    iter::from_fn(member_places).flatten()
}

#[cfg(test)]
mod tests {
    use super::{
        Address, Builder, Lexeme, Mailbox, address_list, addresses, find_words, has_opening, places,
    };
    use crate::header::tests::{kinds, shown};
    use crate::header::{self, Syntax};

    /// The list in one line, the kinds of its findings in another. Read quickly or not, it is
    /// the same.
    #[track_caller]
    fn read(body: &str, expected: &str, findings: &str) {
        let list = addresses(body.as_bytes());
        assert_eq!(list, address_list(body.as_bytes(), false));
        let mailbox = |mailbox: &Mailbox<'_>| {
            let name = shown(mailbox.display_name());
            format!("{name}<{}>", mailbox.addr_spec().escape_ascii())
        };
        let address = |address: &Address<'_>| match address {
            Address::Mailbox(one) => mailbox(one),
            Address::Group(group) => {
                let all: Vec<_> = group.mailboxes().iter().map(mailbox).collect();
                format!("{}:{};", shown(group.name()), all.join(","))
            }
        };
        let all: Vec<_> = list.as_slice().iter().map(address).collect();
        assert_eq!(all.join(", "), expected);
        assert_eq!(kinds(list.report()), findings);
    }

    /// Plain mailboxes are read without lexemes, and nothing may come of it but time: every list
    /// of up to four of these pieces, and of five where they are the commonest.
    #[test]
    fn quick_or_not_it_is_the_same() {
        let pieces = [
            "a@b.c",
            "<a@b>",
            " ",
            ",",
            "Ann ",
            "\"D, J\" ",
            "=?utf-8?Q?=C3=B8?= ",
            "(c)",
            "\r\n ",
            ":",
            ";",
            "=?utf-8?Q?a",
            "\\",
            "\"",
            "@",
            "<",
            ">",
            "\u{f8}",
            "[",
            "]",
            ".",
        ];
        let check = |list: &str| {
            let fast = addresses(list.as_bytes());
            assert_eq!(fast, address_list(list.as_bytes(), false), "{list:?}");
            let fast = header::pieces(list.as_bytes(), Syntax::Addresses);
            let mut builder = Builder::new(list.as_bytes());
            if has_opening(list.as_bytes()) {
                find_words(list.as_bytes(), &mut builder, false);
            }
            assert_eq!(fast, builder.finish(), "{list:?}");
            let raw = |fast| -> Vec<_> {
                let is_raw =
                    |lexeme: &Lexeme| !list.as_bytes()[lexeme.start..lexeme.end].is_ascii();
                let places = places(list.as_bytes(), fast);
                places.filter(|(lexeme, _)| is_raw(lexeme)).collect()
            };
            assert_eq!(raw(true), raw(false), "{list:?}");
        };
        let long = format!("=?utf-8?Q?{}?=", "a".repeat(64));
        let words = [
            "=?utf-8?Q?=C3=B8?=",
            "=?utf-8?B?w7g=?=",
            "=?utf-8*da?Q?a?=",
            "=?u?Q?a<b>?=",
            "=?u?Q?a(b?=",
            "=?u?Q?a,b?=",
            "=?u?Q?a@b?=",
            "=?u?Q?a??=",
            "=?u.v?Q?a?=",
            "=?\"u\"?Q?a?=",
            "=?u?Q?a b?=",
            "=?u?Q??=",
            "=?u?Q?a?=E4?=",
            long.as_str(),
            long.get(1..).unwrap_or_default(),
        ];
        for (word, before) in words
            .iter()
            .flat_map(|word| ["", " ", "b ", "b", "\r\n ", "(c)"].map(|before| (word, before)))
        {
            for behind in ["", " ", "b ", "b", "?=", "=", "(c)", "\r\n ", " =?u?Q?a?= "] {
                for address in ["<a@b>", "<a@b>, c@d", "@b", "", "< a@b >", "<a@b>=?u?Q?a?="] {
                    check(&format!("{before}{word}{behind}{address}"));
                }
            }
        }
        for (count, kinds) in [(4, pieces.len()), (6, 7)] {
            for number in 0..kinds.pow(count) {
                let list: String = (0..count)
                    .map(|place| pieces[number / kinds.pow(place) % kinds])
                    .collect();
                check(&list);
            }
        }
        // A word goes on over whatever stands before its end.
        let pieces = ["=?a?Q?", "?=", "<", "=@b>", "?", "c"];
        for number in 0..pieces.len().pow(6) {
            let piece = |place| pieces[number / pieces.len().pow(place) % pieces.len()];
            check(&(0..6).map(piece).collect::<String>());
        }
        let long = |length: usize| format!("{}<a@b>,", "a ".repeat(length));
        for length in [2040, 2048, 2049, 2060] {
            check(&long(length));
        }
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
    fn angle_brackets_too_many() {
        read("a <<a@x.test>>", "a<a@x.test>", "skipped-text skipped-text");
    }

    #[test]
    fn name_behind_the_address() {
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
        // Only behind the address.
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
            "Joe, b@x.test<a@x.test>",
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
        // These were to stand around a name.
        read("\"joe@x.test", "<joe@x.test>", "unterminated unterminated");
        read("joe@x.test\"", "<joe@x.test>", "unterminated skipped-text");
    }

    #[test]
    fn no_address_or_half_of_one() {
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
    fn specials_in_a_word_are_no_syntax() {
        let text = "=?utf-8?Q?Doe,_Joe_<evil@y.test>;?= <joe@x.test>";
        let word = "{Phrase utf-8 Q Doe,_Joe_<evil@y.test>;}<joe@x.test>";
        read(text, word, "encoded-word-syntax");
    }

    #[test]
    fn words_with_names_as_they_are() {
        let syntax = "encoded-word-syntax encoded-word-syntax";
        read(
            "=?utf-8?Q?\"Doe, Joe\"?= <joe@x.test>, b@x.test",
            "{Phrase utf-8 Q \\\"Doe, Joe\\\"}<joe@x.test>, <b@x.test>",
            syntax,
        );
        // What could be an address stays one.
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

    /// What touches a local part belongs to it (RFC 5322, section 3.4.1).
    #[test]
    fn nothing_is_cut_off_an_address() {
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

    #[test]
    fn angle_brackets_in_a_name() {
        let twice = "skipped-text skipped-text";
        read("a > b < c <d@x.test>", "a > b < c<d@x.test>", twice);
        read("a < b < c <d@x.test>", "a < b < c<d@x.test>", twice);
        read("a < b, c <d@x.test>", "a<b>, c<d@x.test>", "unterminated");
    }

    /// A name with commas and no quotes, which RFC 5322, section 3.4, wants around them.
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
        // What has no name behind the comma, or an address before it, is a list.
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

    /// A name has as many lexemes as any mailbox, its commas among them.
    #[test]
    fn names_without_addresses_have_a_limit() {
        let body = format!("{}b <b@x.test>", "a, ".repeat(3000));
        let list = addresses(body.as_bytes());
        assert_eq!(list, address_list(body.as_bytes(), false));
        let behind_all = list.mailboxes().last().unwrap();
        assert_eq!(behind_all.addr_spec(), b"b@x.test");
        // 4096 lexemes are 1366 times `a, ` the first time, and 1365 times ` a,` the second.
        assert_eq!(list.mailboxes().count(), 1366 + 1365 + 1);
    }
}
