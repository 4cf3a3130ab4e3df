//! The lexical tokens of structured fields (RFC 5322, section 3.2; RFC 2045, section 5.1).
//!
//! Each rule takes the remaining field body and returns the rest, so that an offset is a difference of
//! lengths ([`offset`]). The depth of nested comments is counted, without recursion: a field of a
//! megabyte of parentheses is parsed in one pass.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3, memrchr};
use nom::IResult;
use nom::bytes::complete::{tag, take, take_while1};
use nom::error::{Error, ErrorKind};

use super::classes::{ESCAPE, is_blank, is_quote_stop, is_special, is_token};
use crate::charset::{Charset, Options};
use crate::report::{Kind, Report};
use crate::work::work;

/// A field body and the findings of its parser.
#[derive(Debug)]
pub(super) struct FieldReader<'a> {
    pub(super) body: &'a [u8],
    pub(super) report: Report,
    /// Whether an unclosed comment was found.
    has_open_comment: bool,
    /// The offset after the last at sign, or 0 if there is no at sign. `None` until searched for.
    after_last_at_sign: Option<usize>,
}

/// Maximum length in octets of a comment that follows an unclosed comment. Keeps parsing linear.
const MAX_LOOKAHEAD: usize = 64;

/// Maximum depth of nested comments without a finding: recursive parsers in other programs may reject
/// deeper comments.
const MAX_DEPTH: usize = 100;

impl<'a> FieldReader<'a> {
    pub(super) fn new(body: &'a [u8]) -> Self {
        FieldReader {
            body,
            report: Report::new(),
            has_open_comment: false,
            after_last_at_sign: None,
        }
    }

    /// The offset of `rest` in the body.
    pub(super) fn offset(&self, rest: &[u8]) -> usize {
        offset(self.body, rest)
    }

    /// Reports `length` octets at the start of `rest`.
    #[cold]
    pub(super) fn note(&mut self, kind: Kind, rest: &[u8], length: usize, detail: &'static str) {
        self.add(kind, self.offset(rest), length, detail);
    }

    /// Reports `length` octets at the offset `at`.
    #[cold]
    pub(super) fn add(&mut self, kind: Kind, at: usize, length: usize, detail: &'static str) {
        self.report.add(kind, at, length, detail);
    }

    /// Skips white space and comments; an unclosed `(` is not a comment.
    ///
    /// > CFWS = (1*(\[FWS\] comment) \[FWS\]) / FWS
    ///
    /// > FWS = (\[*WSP CRLF\] 1*WSP) / obs-FWS
    ///
    /// CFWS may be absent, and any line ending counts as CRLF. Fast path: at most one blank separates most
    /// tokens.
    ///
    /// Truncated fields, and names with an unescaped parenthesis, have an unclosed `(`.
    #[inline]
    pub(super) fn skip_cfws(&mut self, input: &'a [u8]) -> &'a [u8] {
        let input = after_blank(input);
        if opens_cfws(input) {
            return self.skip_some_cfws(input);
        }
        input
    }

    #[inline(never)]
    fn skip_some_cfws(&mut self, input: &'a [u8]) -> &'a [u8] {
        let mut rest = input;
        loop {
            work(1);
            rest = trim_start(rest);
            match self.skip_comment(rest) {
                Some(after) => rest = after,
                None => return rest,
            }
        }
    }

    /// Skips the comment at the start of `input`, and reports it if it is deeply nested. `None` unless
    /// `input` begins with a closed comment.
    pub(super) fn skip_comment(&mut self, input: &'a [u8]) -> Option<&'a [u8]> {
        let (rest, depth) = self.after_comment(input)?;
        if depth > MAX_DEPTH {
            let detail = "comments nested more than 100 deep";
            let length = input.len() - rest.len();
            self.note(Kind::DeepComment, input, length, detail);
        }
        Some(rest)
    }

    /// Returns the octets after the comment at the start of `input`, and its depth. `None` unless `input`
    /// begins with a closed comment.
    pub(super) fn after_comment(&mut self, input: &'a [u8]) -> Option<(&'a [u8], usize)> {
        if input.first() != Some(&b'(') {
            return None;
        }
        let near = if self.has_open_comment {
            input.get(..MAX_LOOKAHEAD).unwrap_or(input)
        } else {
            input
        };
        if let Ok((rest, comment)) = comment(near) {
            return Some((input.get(near.len() - rest.len()..)?, comment.depth));
        }
        self.has_open_comment = true;
        None
    }

    /// Whether `input` has an at sign. The field is searched for its last at sign only once.
    pub(super) fn has_at_sign_after(&mut self, input: &'a [u8]) -> bool {
        let body = self.body;
        let search = || memrchr(b'@', body).map_or(0, |at| at + 1);
        *self.after_last_at_sign.get_or_insert_with(search) > self.offset(input)
    }

    /// Skips an unclosed parenthesis and all adjacent opening parentheses: a field may have many.
    pub(super) fn skip_open_parentheses(&mut self, input: &'a [u8]) -> &'a [u8] {
        if input.first() != Some(&b'(') {
            return input;
        }
        let opens = |octet: &&u8| **octet == b'(' || is_blank(**octet);
        let length = input.iter().take_while(opens).count();
        work(length);
        let detail = "an unclosed parenthesis, skipped";
        let at = self.offset(input);
        self.add(Kind::Unterminated, at, length, detail);
        input.get(length..).unwrap_or_default()
    }
}

/// The length of `body` before its suffix `rest`.
pub(super) fn offset(body: &[u8], rest: &[u8]) -> usize {
    body.len().saturating_sub(rest.len())
}

/// The octets of `body` from `from` to `to`; empty if that is not a valid range.
pub(super) fn slice(body: &[u8], from: usize, to: usize) -> &[u8] {
    body.get(from..to).unwrap_or_default()
}

/// The length of a run of ISO-2022-JP at the start (RFC 1468): escapes, octets of double-byte sets, and
/// the escape back to US-ASCII. The octets may look like syntax: a backslash is half of U+672C.
///
/// `None` unless the run decodes without error, so that a false run cannot hide syntax.
pub(super) fn escape_run(input: &[u8]) -> Option<usize> {
    /// Maximum number of escapes in a run, more than in real text. Keeps parsing linear.
    const MAX_SETS: usize = 8;
    let mut length = 0;
    for _ in 0..MAX_SETS {
        let rest = input.get(length..)?;
        let set = match rest {
            [ESCAPE, b'$', b'@' | b'B', ..] => 3,
            [ESCAPE, b'$', b'(', b'C' | b'D', ..] => 4,
            [ESCAPE, b'(', b'B' | b'J', ..] if length > 0 => {
                length += 3;
                let run = input.get(..length)?;
                work(length);
                let charset = Charset::for_label("ISO-2022-JP-2")?;
                return charset.reads(run, &Options::new()).then_some(length);
            }
            _ => return None,
        };
        let pairs = rest.get(set..)?;
        let octets = pairs.iter().take_while(|octet| octet.is_ascii_graphic());
        length += set + octets.count();
        work(length);
    }
    None
}

/// The length of the ISO 2022 run that the escape at the start begins, or 1 if it begins no run.
pub(super) fn escape_length(input: &[u8]) -> usize {
    escape_run(input).unwrap_or(1)
}

/// > token := 1*<any (US-ASCII) CHAR except SPACE, CTLs, or tspecials>
pub(super) fn token(input: &[u8]) -> IResult<&[u8], &[u8]> {
    counted(input, take_while1(is_token)(input))
}

/// Parses the name of a section or an extended value with white space around its stars. RFC 822 allows
/// white space between any two tokens (RFC 2231, section 7):
///
/// > regular-parameter-name := attribute `[section]`
///
/// > section := "\*0" / "\*" NZDIGIT \*DIGIT
///
/// followed by a star for an extended value.
pub(super) fn name_with_blanks(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let (mut rest, attribute) = token(input).ok()?;
    let is_section_octet = |octet: &u8| *octet == b'*' || octet.is_ascii_digit();
    while let Ok((after, part)) = token(trim_start(rest)) {
        if !part.iter().all(is_section_octet) {
            return None;
        }
        rest = after;
    }
    let whole = slice(input, 0, input.len() - rest.len());
    let (name, section) = split_at_star(whole)?;
    let digits = trim(section.strip_suffix(b"*").unwrap_or(section));
    let is_section =
        section.is_empty() || !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    (is_section && name.len() <= attribute.len()).then_some((rest, whole))
}

/// Splits a name at its first star into the trimmed name before the star and the octets after it. `None`
/// unless octets precede a star.
pub(super) fn split_at_star(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let star = name.iter().position(|&octet| octet == b'*')?;
    match name.split_at_checked(star)? {
        ([], _) => None,
        (name, tail) => Some((trim_end(name), tail.get(1..)?)),
    }
}

/// A token in lower case; borrowed if it is already in lower case.
pub(super) fn lower_case(token: &[u8]) -> Cow<'_, [u8]> {
    work(token.len());
    if token.iter().any(u8::is_ascii_uppercase) {
        Cow::Owned(token.to_ascii_lowercase())
    } else {
        Cow::Borrowed(token)
    }
}

/// Like [`lower_case`], as text: a token is ASCII.
pub(super) fn lower_case_text(token: &[u8]) -> Cow<'_, str> {
    /// The values of most fields. They are returned without further checks.
    const COMMON: [&str; 8] = [
        "text/plain",
        "text/html",
        "multipart/alternative",
        "multipart/mixed",
        "multipart/related",
        "application/pdf",
        "attachment",
        "inline",
    ];
    let is_token = |common: &&&str| common.as_bytes() == token;
    if let Some(common) = COMMON.iter().find(is_token) {
        return Cow::Borrowed(common);
    }
    match lower_case(token) {
        Cow::Borrowed(name) => Cow::Borrowed(std::str::from_utf8(name).unwrap_or_default()),
        Cow::Owned(name) => Cow::Owned(String::from_utf8(name).unwrap_or_default()),
    }
}

#[inline]
fn after_blank(input: &[u8]) -> &[u8] {
    match input {
        [b' ', rest @ ..] => rest,
        _ => input,
    }
}

#[inline]
fn opens_cfws(input: &[u8]) -> bool {
    let opens = |&octet: &u8| octet == b'(' || is_blank(octet);
    input.first().is_some_and(opens)
}

/// A parsed comment.
pub(super) struct Comment<'a> {
    /// The octets between the outer parentheses.
    pub(super) content: &'a [u8],
    /// The maximum depth of nested parentheses, including the outer ones.
    depth: usize,
}

/// > comment = "(" *(\[FWS\] ccontent) \[FWS\] ")"
///
/// > ccontent = ctext / quoted-pair / comment
pub(super) fn comment(input: &[u8]) -> IResult<&[u8], Comment<'_>> {
    let (content, _) = tag("(")(input)?;
    let mut rest = content;
    let (mut open, mut depth) = (1_usize, 1);
    // A vectorized search would not pay: comments are short.
    while let Some(at) = rest.iter().position(|&octet| is_special(octet)) {
        let octet = rest.get(at);
        let step = match octet {
            Some(b'\\') => 2,
            Some(&ESCAPE) => escape_length(rest.get(at..).unwrap_or_default()),
            _ => 1,
        };
        rest = rest.get(at + step..).unwrap_or_default();
        match octet {
            Some(b'(') => open += 1,
            Some(b')') => open -= 1,
            _ => {}
        }
        depth = depth.max(open);
        if open == 0 {
            work(input.len() - rest.len());
            let content = slice(content, 0, content.len() - rest.len() - 1);
            return Ok((rest, Comment { content, depth }));
        }
    }
    work(input.len());
    Err(no_match(input, ErrorKind::Char))
}

/// A quoted string.
pub(super) struct QuotedString<'a> {
    /// The octets after the string.
    pub(super) rest: &'a [u8],
    /// The octets between the quotes, verbatim. [`unquoted`] returns their value.
    pub(super) content: &'a [u8],
    /// Whether the content has no quoted pair, fold or escape, and so is its own value.
    pub(super) is_literal: bool,
}

/// > quoted-string = DQUOTE *(\[FWS\] qcontent) \[FWS\] DQUOTE
///
/// `None` unless `input` begins with a closed quoted string.
pub(super) fn quoted_string(input: &[u8]) -> Option<QuotedString<'_>> {
    let content = input.strip_prefix(b"\"")?;
    let stops = |octet: &u8| is_quote_stop(*octet);
    let (mut at, mut is_literal) = (0, true);
    while let Some(found) = slice(content, at, content.len()).iter().position(stops) {
        at += found;
        at += match slice(content, at, content.len()) {
            [b'"', after @ ..] => {
                work(at + 1);
                return Some(QuotedString {
                    rest: after,
                    content: slice(content, 0, at),
                    is_literal,
                });
            }
            [b'\\', ..] => 2,
            rest @ [ESCAPE, ..] => escape_length(rest),
            // A line ending.
            _ => 1,
        };
        is_literal = false;
    }
    work(content.len());
    None
}

/// > domain-literal = \[CFWS\] `"["` *(\[FWS\] dtext) \[FWS\] `"]"` \[CFWS\]
///
/// > dtext = %d33-90 / %d94-126 / obs-dtext
///
/// without surrounding comments and blanks. On failure, the error holds the octets that were not
/// searched.
pub(super) fn domain_literal(input: &[u8]) -> IResult<&[u8], &[u8]> {
    bracketed_content(input, |_| false)
}

/// Bracketed text in an unquoted name, as in `[list] Joe`, written by mailing lists and some mailers. No
/// standard defines it, so it may not contain characters that end a name.
pub(super) fn bracketed_name(input: &[u8]) -> IResult<&[u8], &[u8]> {
    bracketed_content(input, |octet| {
        matches!(octet, b'<' | b'>' | b',' | b';' | b'"')
    })
}

/// The content of brackets. It may not contain unescaped brackets or `others`.
fn bracketed_content(input: &[u8], others: impl Fn(u8) -> bool) -> IResult<&[u8], &[u8]> {
    let (content, _) = tag("[")(input)?;
    let stops = |octet: &u8| matches!(octet, b'[' | b']' | b'\\' | &ESCAPE) || others(*octet);
    let mut rest = content;
    while let Some(at) = rest.iter().position(stops) {
        rest = rest.get(at..).unwrap_or_default();
        match rest {
            [b'\\', ..] => rest = rest.get(2..).unwrap_or_default(),
            [ESCAPE, ..] => rest = rest.get(escape_length(rest)..).unwrap_or_default(),
            [b']', after @ ..] => {
                work(input.len() - after.len());
                return Ok((after, slice(content, 0, content.len() - rest.len())));
            }
            _ => {
                work(input.len() - rest.len());
                return Err(no_match(rest, ErrorKind::Char));
            }
        }
    }
    work(input.len());
    Err(no_match(b"", ErrorKind::Char))
}

/// > quoted-pair = ("\" (VCHAR / WSP)) / obs-qp
///
/// Returns the quoted octet. If a fold follows the backslash, the quoted octet is the blank of the fold:
/// unfolding precedes all other parsing (RFC 5322, section 2.2.3).
pub(super) fn quoted_pair(input: &[u8]) -> IResult<&[u8], &[u8]> {
    let (input, _) = tag("\\")(input)?;
    let unfolded = match input {
        [b'\r' | b'\n', ..] => line_ends(input).map(|(rest, _)| rest),
        _ => None,
    };
    let unfolded = unfolded.filter(|rest| matches!(rest.first(), Some(b' ' | b'\t')));
    take(1_usize)(unfolded.unwrap_or(input))
}

/// Whether backslashes in quoted text may be trail octets of double-byte characters, as in `Shift_JIS`,
/// Big5 and GBK: the text has octets above 7F and is not UTF-8.
pub(super) fn may_have_trail_backslashes(content: &[u8]) -> bool {
    memchr(b'\\', content).is_some() && std::str::from_utf8(content).is_err()
}

/// Whether the backslash at the start of `input` is a trail octet, in text that [may have
/// such](may_have_trail_backslashes): an octet above 80 precedes it, and the next octet needs no backslash.
pub(super) fn is_trail_octet(before: Option<u8>, input: &[u8]) -> bool {
    let needs_backslash = |octet: &u8| matches!(octet, b'"' | b'\\' | b'(' | b')' | b'\r' | b'\n');
    let is_trail_octet = |before| before > 0x80 && !input.get(1).is_none_or(needs_backslash);
    input.first() == Some(&b'\\') && before.is_some_and(is_trail_octet)
}

/// The value of a quoted string (RFC 5322, section 3.2.4): removes the backslashes of quoted pairs and
/// the line endings of folds. Keeps a backslash that [is a trail octet](is_trail_octet).
pub(super) fn unquoted(content: &[u8]) -> Cow<'_, [u8]> {
    work(content.len());
    let changes = |octet: &u8| matches!(octet, b'\\' | b'\r' | b'\n');
    if !content.iter().any(changes) {
        return Cow::Borrowed(content);
    }
    let has_trail_backslashes = may_have_trail_backslashes(content);
    let mut octets = Vec::with_capacity(content.len());
    let mut rest = content;
    while let Some(at) = find_outside_runs(rest, |text| memchr3(b'\\', b'\r', b'\n', text)) {
        octets.extend_from_slice(slice(rest, 0, at));
        rest = rest.get(at..).unwrap_or_default();
        if has_trail_backslashes && is_trail_octet(octets.last().copied(), rest) {
            octets.push(b'\\');
            rest = rest.get(1..).unwrap_or_default();
        } else if let Ok((after, pair)) = quoted_pair(rest) {
            octets.extend_from_slice(pair);
            rest = after;
        } else if let Some((after, ends)) = line_ends(rest) {
            if after.first().copied().is_none_or(|octet| !is_blank(octet)) {
                octets.extend_from_slice(ends);
            }
            rest = after;
        } else {
            // A backslash at the end quotes nothing and is dropped.
            rest = b"";
        }
    }
    octets.extend_from_slice(rest);
    Cow::Owned(octets)
}

/// The first match of `search` outside runs of ISO 2022.
pub(super) fn find_outside_runs(
    text: &[u8],
    search: impl Fn(&[u8]) -> Option<usize>,
) -> Option<usize> {
    let mut from = 0;
    loop {
        let rest = text.get(from..)?;
        let found = search(rest)?;
        let Some(escape) = memchr(ESCAPE, slice(rest, 0, found)) else {
            return Some(from + found);
        };
        from += escape + escape_length(rest.get(escape..).unwrap_or_default());
    }
}

/// Unfolds a field body onto one line: removes the line ending of each fold, and keeps its white space
/// (RFC 5322, section 2.2.3).
///
/// CRLF, LF, CR and any run of them count as one line ending. A line ending without white space after it
/// is not a fold and is kept. The result is borrowed if the body has no line ending.
///
/// ```
/// use mime_charset::header;
///
/// assert_eq!(*header::unfold(b"one\r\n two"), *b"one two");
/// ```
#[must_use]
pub fn unfold(body: &[u8]) -> Cow<'_, [u8]> {
    if memchr2(b'\r', b'\n', body).is_none() {
        return Cow::Borrowed(body);
    }
    let mut octets = Vec::with_capacity(body.len());
    for (_, line) in lines(body) {
        octets.extend_from_slice(line);
    }
    Cow::Owned(octets)
}

/// The lines of folded text without their line endings, each with its offset.
pub(crate) fn lines(folded: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut left = Some(folded);
    std::iter::from_fn(move || {
        let text = left?;
        let start = offset(folded, text);
        let mut from = 0;
        while let Some(at) = memchr2(b'\r', b'\n', text.get(from..).unwrap_or_default()) {
            let end = from + at;
            let ends = text.get(end..).unwrap_or_default();
            let (rest, ends) = line_ends(ends)?;
            work(end + ends.len() - from);
            if matches!(rest.first(), Some(b' ' | b'\t')) {
                left = Some(rest);
                return Some((start, slice(text, 0, end)));
            }
            from = end + ends.len();
        }
        work(text.len() - from);
        left = None;
        Some((start, text))
    })
}

/// Parses a run of line endings at the start of `input`. Returns the octets after the run, and the run. A
/// run is one fold: some relays write CR CR LF, and RFC 5322, section 4.2, allows folds with empty lines.
pub(super) fn line_ends(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_line_end = |octet| octet == b'\r' || octet == b'\n';
    take_while1::<_, _, Error<_>>(is_line_end)(input).ok()
}

/// Trims leading and trailing white space.
pub(crate) fn trim(octets: &[u8]) -> &[u8] {
    trim_start(trim_end(octets))
}

/// Trims leading white space.
pub(super) fn trim_start(octets: &[u8]) -> &[u8] {
    let blanks = octets.iter().take_while(|octet| is_blank(**octet)).count();
    work(blanks);
    octets.get(blanks..).unwrap_or_default()
}

/// Trims trailing white space.
pub(super) fn trim_end(octets: &[u8]) -> &[u8] {
    let blanks = octets
        .iter()
        .rev()
        .take_while(|octet| is_blank(**octet))
        .count();
    work(blanks);
    slice(octets, 0, octets.len() - blanks)
}

pub(super) fn no_match(input: &[u8], kind: ErrorKind) -> nom::Err<Error<&[u8]>> {
    nom::Err::Error(Error::new(input, kind))
}

/// Adds the octets that a rule consumed to the work count.
fn counted<'a, T>(input: &'a [u8], result: IResult<&'a [u8], T>) -> IResult<&'a [u8], T> {
    if let Ok((rest, _)) = &result {
        work(input.len() - rest.len());
    }
    work(1);
    result
}
