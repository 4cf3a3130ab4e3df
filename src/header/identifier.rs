//! Lists of text in angle brackets: message identifiers (RFC 5322, section 3.6.4), Content-ID (RFC
//! 2392), and the URIs of the List- fields (RFC 2369).
//!
//! Encoded words are not decoded: these fields may not have encoded words (RFC 2047, section 5), and
//! other programs would not recognize a decoded identifier.

use std::borrow::Cow;

use memchr::{memchr2, memrchr};

use super::address::MAX_ADDRESSES;
use super::classes::{is_blank, is_plain_atom};
use super::lexeme::{Brackets, Class, Lexeme, Lexemes};
use super::token::{
    FieldReader, domain_literal, quoted_string, slice, trim_start, unfold, unquoted,
};
use crate::report::{Kind, Report};
use crate::work::work;

/// The identifiers of a field, from [`message_ids`] or [`uris`].
///
/// ```
/// use mime_charset::{Kind, header};
///
/// let found = header::message_ids(b"<a@x.example>, <b@\r\n x.example>");
/// assert_eq!(*found.list[1].octets, *b"b@x.example");
/// assert_eq!((found.list[1].offset, found.list[1].length), (15, 16));
/// // The comma, and the fold.
/// assert_eq!(found.report.iter().filter(|it| it.kind() == Kind::SkippedText).count(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identifiers<'a> {
    /// In the order of the field, at most [`Addresses::MAX_COUNT`](crate::decode::Addresses::MAX_COUNT).
    pub list: Vec<Identifier<'a>>,
    /// Where the field departs from its grammar. Offsets are into the field body.
    pub report: Report,
}

/// A message identifier or a URI.
///
/// ```
/// use mime_charset::header;
///
/// let body = b"<a@x.example> (first) < b@x.example >";
/// let ids = header::message_ids(body).list;
/// assert_eq!(*ids[1].octets, *b"b@x.example");
/// assert_eq!(body[ids[1].offset..][..ids[1].length], *b"< b@x.example >");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Identifier<'a> {
    /// Without angle brackets, and without comments and unquoted white space.
    pub octets: Cow<'a, [u8]>,
    /// The offset of the opening bracket in the field body.
    pub offset: usize,
    /// The length in octets, including both brackets.
    pub length: usize,
}

/// Parses the identifiers of Message-ID, In-Reply-To, References, Resent-Message-ID or Content-ID (RFC
/// 5322, sections 3.6.4 and 4.5.4; RFC 2392).
///
/// > msg-id = \[CFWS\] "<" id-left "@" id-right ">" \[CFWS\]
///
/// Accepts any octets. White space and comments inside the brackets are removed, and text outside is
/// skipped. An identifier without brackets is accepted if it is the whole field and has an at sign. Each
/// of these is a finding. Quotes that the local part does not need are removed, so that an identifier
/// has one form (RFC 5256, section 3). Identifiers are case-sensitive.
///
/// ```
/// use mime_charset::header;
///
/// let found = header::message_ids(b" <\"01KF8JCEOCBS0045PS\"@xxx.yyy.com> (a comment)");
/// assert_eq!(*found.list[0].octets, *b"01KF8JCEOCBS0045PS@xxx.yyy.com");
/// assert!(found.report.is_empty());
/// ```
#[must_use]
pub fn message_ids(body: &[u8]) -> Identifiers<'_> {
    read(body, Grammar::MessageIds)
}

/// Parses the URIs of List-Unsubscribe, List-Post, List-Archive and the like (RFC 2369, section 2), the
/// preferred one first.
///
/// White space inside the brackets is removed, with a finding, and text outside is skipped. A URI
/// without brackets is accepted if it is the whole field. It may have any scheme: a stranger chose it.
///
/// ```
/// use mime_charset::header;
///
/// let found = header::uris(b"(Use this) <mailto:list@host.example?subject=off>,\r\n <https://host.example/a>");
/// assert_eq!(*found.list[1].octets, *b"https://host.example/a");
/// assert!(found.report.is_empty());
/// assert!(header::uris(b"NO (posting not allowed on this list)").list.is_empty());
/// ```
#[must_use]
pub fn uris(body: &[u8]) -> Identifiers<'_> {
    read(body, Grammar::Uris)
}

/// The grammar of the content of the brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Grammar {
    MessageIds,
    /// Separated by commas.
    Uris,
}

/// The lexemes of a field whose angle brackets may hold text other than addresses.
pub(super) fn lexemes(body: &[u8]) -> Lexemes<'_> {
    let mut lexemes = Lexemes::new(body);
    lexemes.words = false;
    lexemes.addresses = true;
    lexemes.brackets = Brackets::Nothing;
    // An unclosed parenthesis is text, as in parameters: nothing after it is lost.
    lexemes.parameters = true;
    lexemes
}

fn read(body: &[u8], grammar: Grammar) -> Identifiers<'_> {
    let mut lexemes = lexemes(body);
    let mut list = Vec::new();
    let mut skipped: Option<(usize, usize)> = None;
    let mut needs_comma = false;
    while let Some(lexeme) = lexemes.next() {
        match lexeme.class {
            Class::Blank | Class::Comment => {}
            Class::Special(b',') if needs_comma => needs_comma = false,
            Class::Special(b'<') => {
                note_skipped(skipped.take(), &mut lexemes);
                if list.len() == MAX_ADDRESSES {
                    let detail = "more identifiers than this library reads";
                    let rest = slice(body, lexeme.start, body.len());
                    lexemes
                        .field
                        .note(Kind::LimitReached, rest, rest.len(), detail);
                    break;
                }
                if needs_comma {
                    let detail = "no comma between two URIs";
                    lexemes
                        .field
                        .add(Kind::SkippedText, lexeme.start, 0, detail);
                }
                list.extend(in_brackets(&mut lexemes, lexeme.start, grammar));
                needs_comma = grammar == Grammar::Uris && !list.is_empty();
            }
            _ => {
                let start = skipped.map_or(lexeme.start, |(start, _)| start);
                skipped = Some((start, lexeme.end));
            }
        }
    }
    if list.is_empty()
        && let Some(found) = bare(body, grammar)
    {
        return found;
    }
    note_skipped(skipped, &mut lexemes);
    let report = lexemes.field.report;
    Identifiers { list, report }
}

fn note_skipped(skipped: Option<(usize, usize)>, lexemes: &mut Lexemes<'_>) {
    if let Some((start, end)) = skipped {
        let detail = "text outside angle brackets";
        lexemes
            .field
            .add(Kind::SkippedText, start, end - start, detail);
    }
}

/// An identifier without brackets: the whole field, without comments and white space.
fn bare(body: &[u8], grammar: Grammar) -> Option<Identifiers<'_>> {
    let (sign, stops): (u8, &[u8]) = match grammar {
        Grammar::MessageIds => (b'@', b"<>(),;"),
        Grammar::Uris => (b':', b"<>"),
    };
    let mut field = FieldReader::new(body);
    let input = field.skip_cfws(body);
    let stops = |octet: &u8| is_blank(*octet) || stops.contains(octet);
    let length = input.iter().position(stops).unwrap_or(input.len());
    work(length);
    let (token, rest) = input.split_at_checked(length)?;
    if !token.contains(&sign) || !field.skip_cfws(rest).is_empty() {
        return None;
    }
    let detail = "an identifier without angle brackets";
    field.note(Kind::Unterminated, input, length, detail);
    let found = Identifier {
        octets: Cow::Borrowed(token),
        offset: field.offset(input),
        length,
    };
    grammar.check(&found, &mut field.report);
    Some(Identifiers {
        list: vec![found],
        report: field.report,
    })
}

/// The content of angle brackets.
struct Bracketed<'a> {
    octets: Cow<'a, [u8]>,
    /// The offset after the content and the closing bracket.
    end: usize,
    is_closed: bool,
    /// The first white space or comment, preferably one after text: the length of `octets` before it, and
    /// its offset.
    gap: Option<(usize, usize)>,
}

/// The identifier whose opening bracket is at `open`; `None` if the brackets are empty. An unclosed
/// identifier ends at its first white space.
fn in_brackets<'a>(
    lexemes: &mut Lexemes<'a>,
    open: usize,
    grammar: Grammar,
) -> Option<Identifier<'a>> {
    let body = lexemes.field.body;
    let mut found = match grammar {
        Grammar::MessageIds => message_id(lexemes, open + 1),
        Grammar::Uris => uri(lexemes),
    };
    if !found.is_closed {
        let detail = "an angle bracket that is not closed";
        lexemes.field.add(Kind::Unterminated, open, 1, detail);
        if let Some((length, at)) = found.gap.take_if(|(length, _)| *length > 0) {
            match &mut found.octets {
                Cow::Borrowed(octets) => *octets = slice(octets, 0, length),
                Cow::Owned(octets) => octets.truncate(length),
            }
            found.end = at;
            lexemes.resume_at(slice(body, at, body.len()));
        }
    }
    let length = found.end - open;
    let is_line_end = |octet: &u8| matches!(octet, b'\r' | b'\n');
    // A line ending remains if it follows a backslash, or if it is in quotes without white space
    // after it.
    let has_line_end = found.octets.iter().any(is_line_end);
    if has_line_end {
        found.octets.to_mut().retain(|octet| !is_line_end(octet));
    }
    if has_line_end || found.gap.is_some() {
        let detail = "white space or a comment inside angle brackets, left out";
        lexemes.field.add(Kind::SkippedText, open, length, detail);
    }
    let identifier = Identifier {
        octets: found.octets,
        offset: open,
        length,
    };
    grammar.check(&identifier, &mut lexemes.field.report);
    Some(identifier).filter(|identifier| !identifier.octets.is_empty())
}

/// Reads lexemes up to the closing bracket of a message identifier:
///
/// > obs-id-left = local-part
///
/// > obs-id-right = domain
fn message_id<'a>(lexemes: &mut Lexemes<'a>, start: usize) -> Bracketed<'a> {
    let body = lexemes.field.body;
    let mut found = Bracketed {
        octets: Cow::Borrowed(b""),
        end: start,
        is_closed: false,
        gap: None,
    };
    while let Some(lexeme) = lexemes.next() {
        match lexeme.class {
            Class::Special(b'>') => {
                (found.is_closed, found.end) = (true, lexeme.end);
                break;
            }
            Class::Special(b'<') if found.octets.is_empty() => {
                let detail = "an extra angle bracket";
                lexemes
                    .field
                    .add(Kind::SkippedText, lexeme.start, 1, detail);
            }
            Class::Special(b'<') => {
                lexemes.resume_at(slice(body, lexeme.start, body.len()));
                break;
            }
            Class::Blank | Class::Comment => {
                if found.gap.is_none_or(|(length, _)| length == 0) {
                    found.gap = Some((found.octets.len(), lexeme.start));
                }
            }
            _ => found.append(body, &lexeme),
        }
    }
    found
}

impl<'a> Bracketed<'a> {
    /// Appends a lexeme. The content stays borrowed as long as the lexemes are unquoted and adjacent in
    /// the body.
    fn append(&mut self, body: &'a [u8], lexeme: &Lexeme) {
        let source = slice(body, lexeme.start, lexeme.end);
        let is_next = self.end == lexeme.start;
        self.end = lexeme.end;
        if lexeme.class == Class::Quoted {
            let (start, end) = lexeme.inner();
            let value = unquoted(slice(body, start, end));
            let text = if is_dot_atom(&value) {
                value
            } else {
                unfold(source)
            };
            self.octets.to_mut().extend_from_slice(&text);
            return;
        }
        match &mut self.octets {
            octets if octets.is_empty() => *octets = Cow::Borrowed(source),
            Cow::Borrowed(octets) if is_next => {
                let start = lexeme.start - octets.len();
                *octets = slice(body, start, lexeme.end);
            }
            octets => octets.to_mut().extend_from_slice(source),
        }
    }
}

/// Reads octets up to the closing bracket of a URI, which may have any octets except angle brackets.
fn uri<'a>(lexemes: &mut Lexemes<'a>) -> Bracketed<'a> {
    let input = lexemes.rest();
    let start = lexemes.field.offset(input);
    let length = memchr2(b'<', b'>', input).unwrap_or(input.len());
    work(length + 1);
    let inside = slice(input, 0, length);
    let is_closed = input.get(length) == Some(&b'>');
    let end = length + usize::from(is_closed);
    lexemes.resume_at(slice(input, end, input.len()));
    let text = trim_start(inside);
    let lead = length - text.len();
    let first = text.iter().position(|octet| is_blank(*octet));
    let gap = first.or_else(|| (lead > 0).then_some(0));
    let octets = match first {
        None => Cow::Borrowed(text),
        Some(_) => text
            .iter()
            .copied()
            .filter(|octet| !is_blank(*octet))
            .collect(),
    };
    Bracketed {
        octets,
        end: start + end,
        is_closed,
        gap: gap.map(|length| (length, start + lead + length)),
    }
}

impl Grammar {
    /// Reports how an identifier departs from the grammar.
    fn check(self, found: &Identifier<'_>, report: &mut Report) {
        let octets = &*found.octets;
        let violation = match self {
            _ if octets.is_empty() => Some((Kind::MissingValue, "angle brackets without text")),
            Grammar::Uris if !octets.contains(&b':') => {
                Some((Kind::MissingValue, "a URI without a scheme"))
            }
            Grammar::MessageIds => grammar_violation(octets),
            Grammar::Uris => None,
        };
        let raw = match str::from_utf8(octets) {
            Err(_) => Some((Kind::RawOctets, "in an identifier")),
            Ok(_) if !octets.is_ascii() => Some((Kind::RawUtf8, "in an identifier")),
            Ok(_) => None,
        };
        for (kind, detail) in violation.into_iter().chain(raw) {
            report.add(kind, found.offset, found.length, detail);
        }
    }
}

/// > id-left = dot-atom-text / obs-id-left
///
/// > id-right = dot-atom-text / no-fold-literal / obs-id-right
fn grammar_violation(msg_id: &[u8]) -> Option<(Kind, &'static str)> {
    let Some(sign) = memrchr(b'@', msg_id) else {
        return Some((Kind::MissingValue, "an identifier without an at sign"));
    };
    let (left, right) = msg_id.split_at_checked(sign)?;
    let right = right.get(1..)?;
    let is_quoted = |octets| quoted_string(octets).is_some_and(|it| it.rest.is_empty());
    let is_literal = |octets| domain_literal(octets).is_ok_and(|(rest, _)| rest.is_empty());
    let is_valid =
        (is_dot_atom(left) || is_quoted(left)) && (is_dot_atom(right) || is_literal(right));
    let detail = "an identifier that is not two atoms around an at sign";
    (!is_valid).then_some((Kind::UnquotedSpecial, detail))
}

/// > dot-atom-text = 1*atext *("." 1*atext)
fn is_dot_atom(octets: &[u8]) -> bool {
    let is_atext =
        |octet: &u8| *octet == b'=' || is_plain_atom(*octet) && !octet.is_ascii_control();
    work(octets.len());
    let mut atoms = octets.split(|octet| *octet == b'.');
    atoms.all(|atom| !atom.is_empty() && atom.iter().all(is_atext))
}

#[cfg(test)]
mod tests {
    use crate::header::tests::kinds;
    use crate::header::{Identifiers, message_ids, received, uris};
    use crate::work::work_of;

    #[track_caller]
    fn read(body: &str, expected: &[&str], findings: &str) {
        check(&message_ids(body.as_bytes()), expected, findings);
    }

    #[track_caller]
    fn check(found: &Identifiers<'_>, expected: &[&str], findings: &str) {
        let list: Vec<_> = found
            .list
            .iter()
            .map(|id| str::from_utf8(&id.octets).unwrap())
            .collect();
        assert_eq!(
            (list.as_slice(), kinds(&found.report).as_str()),
            (expected, findings)
        );
    }

    #[test]
    fn grammatical_identifiers() {
        read(
            " <a@x> (c) (d (e))\r\n <b.c=d@x.y>",
            &["a@x", "b.c=d@x.y"],
            "",
        );
        read("<a@[192.0.2.1]>", &["a@[192.0.2.1]"], "");
        read("<\"a b\"@x><\"a.b\"@x>", &["\"a b\"@x", "a.b@x"], "");
        read("<\"a\\b>c\"@x>", &["\"a\\b>c\"@x"], "");
        read("(<a@x>) \r\n ", &[], "");
        read("<\u{e9}@x>", &["\u{e9}@x"], "raw-utf8");
    }

    /// RFC 5322, section 4.5.4: phrases and msg-ids.
    #[test]
    fn text_outside_brackets() {
        read(
            "Your letter <a@x> of today",
            &["a@x"],
            "skipped-text skipped-text",
        );
        read(
            "<a@x>,<b@x>; <c@x>",
            &["a@x", "b@x", "c@x"],
            "skipped-text skipped-text",
        );
        read("\"<a@x>\" of <b@x>", &["b@x"], "skipped-text");
        read("a@x of today", &[], "skipped-text");
        read("a@x, b@x", &[], "skipped-text");
        read("12223", &[], "skipped-text");
    }

    #[test]
    fn brackets_missing() {
        read(" a@x (c)", &["a@x"], "unterminated");
        read("<a@x", &["a@x"], "unterminated");
        read("<a@x b <c@x>", &["a@x", "c@x"], "unterminated skipped-text");
        read("<a@x\r\n\t<b@x>", &["a@x", "b@x"], "unterminated");
        read("a@x>", &[], "skipped-text");
        read("< a@x b", &["a@x"], "unterminated skipped-text");
        read("<<a@x>>", &["a@x"], "skipped-text skipped-text");
        read("<a(b@x> <c@x>", &["a(b@x", "c@x"], "unquoted-special");
    }

    #[test]
    fn blanks_and_comments_inside() {
        read("< a@\r\n x >", &["a@x"], "skipped-text");
        read("<a(c)@x>", &["a@x"], "skipped-text");
        read("<a@x (c) b>", &["a@xb"], "skipped-text");
    }

    #[test]
    fn ungrammatical_identifiers() {
        read("<a>", &["a"], "missing-value");
        read("<>", &[], "missing-value");
        read("< >", &[], "skipped-text missing-value");
        read("<a@b@x>", &["a@b@x"], "unquoted-special");
        read("<a..b@x>", &["a..b@x"], "unquoted-special");
        read("<a:b,c@x>", &["a:b,c@x"], "unquoted-special");
        read("<@x>", &["@x"], "unquoted-special");
    }

    #[test]
    fn uris_that_break_a_rule() {
        let read = |body: &str, expected: &[&str], findings: &str| {
            check(&uris(body.as_bytes()), expected, findings);
        };
        read("<x:(a,b)>, <y:c>", &["x:(a,b)", "y:c"], "");
        read("<x:a\r\n b>", &["x:ab"], "skipped-text");
        read("<x:a> <y:b>", &["x:a", "y:b"], "skipped-text");
        read("<x:a <y:b>", &["x:a", "y:b"], "unterminated skipped-text");
        read("x:a?b=1,2", &["x:a?b=1,2"], "unterminated");
        read("<off@x>", &["off@x"], "missing-value");
        read("off, x:a", &[], "skipped-text");
    }

    /// Time is linear in the length of the field: each octet is read a few times.
    #[test]
    fn the_work_of_hostile_fields_is_linear() {
        let shapes = [
            "<",
            ">",
            "<a ",
            "<a@b",
            "(",
            "((a)",
            "\"",
            "<\"",
            "<(",
            "\\",
            "[",
            "<[",
            "a@",
            "<a@b> ",
            ";",
            "; from ",
            "from (",
            "by x ",
            "for <",
            "<\"a\"",
            "<a (b) ",
            "\u{1B}$B",
            "=?utf-8?q?a?= ",
        ];
        for shape in shapes {
            let of = |length: usize| {
                let body = shape.repeat(length / shape.len());
                work_of(|| {
                    drop(message_ids(body.as_bytes()));
                    drop(uris(body.as_bytes()));
                    drop(received(body.as_bytes()));
                })
            };
            let (small, large) = (of(32 << 10), of(64 << 10));
            assert!(
                large <= small * 9 / 4 + 16384,
                "{shape:?}: {small}, then {large}"
            );
            // Three parsers, and 64 octets after each unclosed parenthesis.
            assert!(small <= 256 * (32 << 10), "{shape:?}: {small}");
        }
    }
}
