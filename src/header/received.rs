//! Received fields, one per host that relayed a message (RFC 5321, section 4.4; RFC 5322, section
//! 3.6.7).

use std::borrow::Cow;
use std::mem;
use std::ops::Range;

use super::identifier::lexemes;
use super::lexeme::Class;
use super::token::{slice, trim, trim_start, unfold};
use crate::report::{Kind, Report};

/// A trace field: the hosts that sent and received a message, the protocol and the time.
///
/// ```
/// use mime_charset::header;
///
/// let body = b" from x.y.test (x.y.test [192.0.2.1])\r\n by example.net (Postfix)\r\n via TCP with ESMTP \
///     id ABC12345 for <mary@example.net>; 21 Nov 1997 10:05:43 -0600";
/// let received = header::received(body);
/// let from = received.from.unwrap();
/// assert_eq!((&*from.value, &*from.comment), (&b"x.y.test"[..], &b"(x.y.test [192.0.2.1])"[..]));
/// assert_eq!(*received.by.unwrap().value, *b"example.net");
/// assert_eq!(*received.via.unwrap().value, *b"TCP");
/// assert_eq!(*received.with.unwrap().value, *b"ESMTP");
/// assert_eq!(*received.id.unwrap().value, *b"ABC12345");
/// assert_eq!(*received.recipient.unwrap().value, *b"mary@example.net");
/// assert_eq!(body[received.date.unwrap()], *b"21 Nov 1997 10:05:43 -0600");
/// assert!(received.report.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Received<'a> {
    /// The host that sent the message, under the name that it announced.
    pub from: Option<Clause<'a>>,
    /// The host that wrote the field.
    pub by: Option<Clause<'a>>,
    /// The link, such as `TCP`.
    pub via: Option<Clause<'a>>,
    /// The protocol, such as `ESMTPS`.
    pub with: Option<Clause<'a>>,
    /// The identifier that the host assigned to the message.
    pub id: Option<Clause<'a>>,
    /// The value of `for`: the recipient address.
    pub recipient: Option<Clause<'a>>,
    /// The range of the date in the field body: the text after the last semicolon outside comments and
    /// quotes. If that is empty, the text between the first and the last semicolon.
    pub date: Option<Range<usize>>,
    /// Where the field departs from its grammar. Offsets are into the field body.
    pub report: Report,
}

/// A clause of a [`Received`] field.
///
/// ```
/// use mime_charset::header;
///
/// let with = header::received(b"with Microsoft SMTP\r\n Server (TLS) ; x").with.unwrap();
/// assert_eq!((&*with.value, &*with.comment), (&b"Microsoft SMTP Server"[..], &b"(TLS)"[..]));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Clause<'a> {
    /// The words after the keyword, verbatim and unfolded, without surrounding angle brackets.
    pub value: Cow<'a, [u8]>,
    /// The comments after the words, verbatim and unfolded, with their parentheses. Most hosts put the
    /// sender's address here.
    pub comment: Cow<'a, [u8]>,
}

const KEYWORDS: [&[u8]; 6] = [b"from", b"by", b"via", b"with", b"id", b"for"];

/// Parses the body of a Received field (RFC 5321, section 4.4).
///
/// > Time-stamp-line = "Received:" FWS Stamp
///
/// > Stamp = From-domain By-domain Opt-info \[CFWS\] ";" FWS date-time
///
/// Accepts any octets. Clauses may be in any order (RFC 5322, section 3.6.7). If a keyword occurs twice,
/// the first clause is used. Text outside clauses is skipped, with a finding. The date is not parsed.
///
/// ```
/// use mime_charset::{Kind, header};
///
/// let received = header::received(b"(qmail 4711 invoked by uid 0); 3 Jan 1998 01:05:34 -0000");
/// assert!(received.by.is_none() && received.report.is_empty());
/// assert_eq!(received.date, Some(31..56));
/// assert!(header::received(b"by x.test").report.has(Kind::MissingValue));
/// ```
#[must_use]
pub fn received(body: &[u8]) -> Received<'_> {
    let mut lexemes = lexemes(body);
    let mut clauses: [Option<Clause<'_>>; KEYWORDS.len()] = Default::default();
    let mut current: Option<usize> = None;
    let mut skipped: Option<(usize, usize)> = None;
    let mut date = None;
    // The text after earlier semicolons.
    let mut earlier: Option<Range<usize>> = None;
    // Whether the next lexeme is at the start of the field or follows a gap.
    let mut at_gap = true;
    while let Some(lexeme) = lexemes.next() {
        let source = slice(body, lexeme.start, lexeme.end);
        let is_gap = matches!(lexeme.class, Class::Blank | Class::Comment);
        let begins_word = mem::replace(&mut at_gap, is_gap);
        if lexeme.is_special(b';') {
            let before = date.map(|start| trimmed(body, start, lexeme.start));
            if let Some(text) = before.filter(|text| !text.is_empty()) {
                let start = earlier.map_or(text.start, |earlier| earlier.start);
                earlier = Some(start..text.end);
            }
            (date, current) = (Some(lexeme.end), None);
        }
        if date.is_some() || lexeme.class == Class::Blank {
            continue;
        }
        if lexeme.is_special(b'(') {
            let detail = "a comment without its closing parenthesis";
            let report = &mut lexemes.field.report;
            report.add(Kind::Unterminated, lexeme.start, 1, detail);
        }
        let mut open = current.and_then(|index| clauses.get_mut(index)?.as_mut());
        let may_end = open.as_ref().is_none_or(|clause| clause.has_text());
        let keyword = KEYWORDS
            .iter()
            .position(|it| it.eq_ignore_ascii_case(source));
        if let Some(index) = keyword.filter(|_| begins_word && may_end) {
            let clause = clauses.get_mut(index).filter(|clause| clause.is_none());
            current = clause.is_some().then_some(index);
            open = clause.map(|clause| clause.insert(Clause::default()));
            if open.is_some() {
                continue;
            }
        }
        match (lexeme.class, open) {
            (Class::Special(b'<' | b'>'), Some(_)) | (Class::Comment, None) => {}
            (Class::Comment, Some(clause)) => append(&mut clause.comment, source, true),
            (_, Some(clause)) => append(&mut clause.value, source, begins_word),
            (_, None) => {
                let start = skipped.map_or(lexeme.start, |(start, _)| start);
                skipped = Some((start, lexeme.end));
            }
        }
    }
    let last = date.map(|start| trimmed(body, start, body.len()));
    let date = last
        .filter(|text| !text.is_empty())
        .or_else(|| earlier.take());
    if let Some(text) = earlier {
        skipped = Some((skipped.map_or(text.start, |(start, _)| start), text.end));
    }
    let mut report = lexemes.field.report;
    if let Some((start, end)) = skipped {
        let detail = "text outside the clauses of a trace";
        report.add(Kind::SkippedText, start, end - start, detail);
    }
    if date.is_none() {
        report.add(Kind::MissingValue, body.len(), 0, "a trace without a date");
    }
    let [from, by, via, with, id, recipient] = clauses;
    Received {
        from,
        by,
        via,
        with,
        id,
        recipient,
        date,
        report,
    }
}

impl Clause<'_> {
    fn has_text(&self) -> bool {
        !(self.value.is_empty() && self.comment.is_empty())
    }
}

/// Appends a word, the rest of a word, or a comment. A blank precedes it if `at_gap`.
fn append<'a>(text: &mut Cow<'a, [u8]>, source: &'a [u8], at_gap: bool) {
    let source = unfold(source);
    if text.is_empty() {
        *text = source;
        return;
    }
    let text = text.to_mut();
    if at_gap {
        text.push(b' ');
    }
    text.extend_from_slice(&source);
}

/// The range without surrounding white space.
fn trimmed(body: &[u8], start: usize, end: usize) -> Range<usize> {
    let text = trim_start(slice(body, start, end));
    let start = end - text.len();
    start..start + trim(text).len()
}
