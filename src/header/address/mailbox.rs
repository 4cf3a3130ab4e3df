//! The name and the address of a list member.

use std::borrow::Cow;

use memchr::{memchr2, memrchr};

use super::entry::WrittenMailbox;
use super::member::{MAX_LEXEMES, Member};
use crate::header::builder::Builder;
use crate::header::classes::is_special;
use crate::header::encoded_word::Place;
use crate::header::few::Few;
use crate::header::lexeme::{Class, Lexeme, Lexemes};
use crate::header::opening::has_opening;
use crate::header::piece::Piece;
use crate::header::token::{slice, trim, trim_start, unfold};
use crate::report::{Kind, Report};

/// The mailbox of a member; `None` if it has neither a name nor an address.
pub(super) fn mailbox<'a>(
    body: &'a [u8],
    member: &Member,
    report: &mut Report,
) -> Option<WrittenMailbox<'a>> {
    let (offset, end) = member.span;
    let length = end - offset;
    let range = member.address(body);
    let (before, following) = member.around(&range);
    let address = member.lexemes.get(range).unwrap_or_default();
    let (address_offset, addr_spec) = addr_spec(body, address, (offset, length), report);
    let has_text = |lexemes: &[Lexeme]| lexemes.iter().any(Lexeme::is_text);
    let has_name = has_text(before);
    let is_named_after = !has_name && is_name(body, following);
    if has_text(following) {
        let kind = if is_named_after {
            Kind::NameFromComment
        } else {
            Kind::SkippedText
        };
        let texts = || following.iter().filter(|lexeme| lexeme.is_text());
        let start = texts().next().map_or(end, |first| first.start);
        let end = texts().next_back().map_or(end, |last| last.end);
        report.add(kind, start, end - start, "text after an address");
    }
    let mut add = |kind, detail| report.add(kind, offset, length, detail);
    let has_no_at_sign = || !address.iter().any(|lexeme| lexeme.at_signs > 0);
    match (member.open.is_some(), addr_spec.is_empty(), has_name) {
        // Empty brackets without a name are the path of a bounce (RFC 5322, section 3.6.7).
        (true, true, true) => add(Kind::MissingValue, "angle brackets without an address"),
        (false, false, true) => add(
            Kind::Unterminated,
            "an address after a name, without angle brackets",
        ),
        (false, false, false) if has_no_at_sign() => {
            add(Kind::MissingValue, "an address without a domain");
        }
        (false, true, true) => add(Kind::MissingValue, NO_ADDRESS),
        _ => {}
    }
    let name = match () {
        () if has_name => display_name(body, before, report),
        () if is_named_after => display_name(body, following, report),
        () => comment_as_name(body, following, report),
    };
    let is_shown = member.open.is_some() || has_text(&member.lexemes);
    is_shown.then(|| WrittenMailbox {
        is_name_from_comment: !has_name && !name.is_empty(),
        name,
        addr_spec,
        address_offset,
        offset,
        length,
    })
}

/// Whether the text after an address is a name, as in `joe@example.org Joe Doe`. The text must begin with
/// a word, and have nothing that could be an address.
fn is_name(body: &[u8], following: &[Lexeme]) -> bool {
    let texts = || {
        let texts = following.iter().filter(|lexeme| lexeme.is_text());
        texts.skip_while(|lexeme| lexeme.is_special(b'('))
    };
    let is_word =
        |lexeme: &Lexeme| matches!(lexeme.class, Class::Atom | Class::Word | Class::Quoted);
    texts().next().is_some_and(is_word)
        && texts().all(|lexeme| !slice(body, lexeme.start, lexeme.end).contains(&b'@'))
}

/// A mailbox from a comment that is the whole field, as in `From: (Joe Doe)`: a name without an address.
/// Between addresses, a comment alone is not a mailbox.
pub(super) fn lone_comment<'a>(body: &'a [u8], report: &mut Report) -> Option<WrittenMailbox<'a>> {
    let content = trim(body);
    if !content.starts_with(b"(") {
        return None;
    }
    let mut found = Report::new();
    let lexemes: Vec<Lexeme> = Lexemes::new(body).take(MAX_LEXEMES).collect();
    let name = comment_as_name(body, &lexemes, &mut found);
    let offset = body.len() - trim_start(body).len();
    let length = content.len();
    (!name.is_empty()).then(|| {
        report.add(Kind::MissingValue, offset, length, NO_ADDRESS);
        report.absorb(found, 0);
        WrittenMailbox {
            name,
            addr_spec: Cow::Borrowed(b""),
            address_offset: offset + length,
            is_name_from_comment: true,
            offset,
            length,
        }
    })
}

const NO_ADDRESS: &str = "a name without an address";

const NEEDS_QUOTES: &str = "a name with characters that need quotes";

/// > addr-spec = local-part "@" domain
///
/// without comments, route, or white space around at signs and full stops.
fn addr_spec<'a>(
    body: &'a [u8],
    address: &[Lexeme],
    span: (usize, usize),
    report: &mut Report,
) -> (usize, Cow<'a, [u8]>) {
    report_words(body, address, report);
    let lexemes = without_route(body, address, report);
    let texts: Vec<&Lexeme> = lexemes.iter().filter(|lexeme| lexeme.is_text()).collect();
    let [first, ..] = *texts else {
        return (span.0 + span.1, Cow::Borrowed(b""));
    };
    report_extra_at_sign(body, &texts, report);
    report_unquoted(body, &texts, report);
    let end = texts.last().map_or(first.end, |last| last.end);
    let octets = if texts.windows(2).any(|pair| !are_adjacent(pair)) {
        Cow::Owned(joined(body, &texts, report))
    } else {
        unfold(slice(body, first.start, end))
    };
    let octets = on_one_line(octets, address, report);
    report_dots(&octets, span, report);
    (first.start, octets)
}

fn report_extra_at_sign(body: &[u8], texts: &[&Lexeme], report: &mut Report) {
    let at_signs = texts.iter().map(|lexeme| usize::from(lexeme.at_signs));
    let last = texts.iter().rfind(|lexeme| lexeme.at_signs > 0);
    if at_signs.sum::<usize>() > 1
        && let Some(atom) = last
        && let Some(at) = memrchr(b'@', slice(body, atom.start, atom.end))
    {
        let detail = "more than one at sign in an address";
        report.add(Kind::UnquotedSpecial, atom.start + at, 1, detail);
    }
}

/// Reports the first lexeme that needs quotes, or else the first lexeme directly next to quotes or
/// brackets.
fn report_unquoted(body: &[u8], texts: &[&Lexeme], report: &mut Report) {
    let needs_quotes = |lexeme: &&&Lexeme| match lexeme.class {
        Class::Special(_) => true,
        Class::Word => {
            let octets = slice(body, lexeme.start, lexeme.end);
            octets.iter().copied().any(is_special)
        }
        _ => false,
    };
    let is_atom = |lexeme: &Lexeme| matches!(lexeme.class, Class::Atom | Class::Word);
    let touching = |pair: &&[&Lexeme]| {
        matches!(pair, [one, next] if are_adjacent(pair)
            && !(joins(body, one, next) || is_atom(one) && is_atom(next)))
    };
    if let Some(lexeme) = texts.iter().find(needs_quotes) {
        let detail = "a character in an address that needs quotes";
        let length = lexeme.end - lexeme.start;
        report.add(Kind::UnquotedSpecial, lexeme.start, length, detail);
    } else if let Some([_, next]) = texts.windows(2).find(touching) {
        let detail = "text next to the quotes or brackets of an address";
        report.add(Kind::UnquotedSpecial, next.start, 1, detail);
    }
}

/// Whether the second lexeme begins where the first ends.
fn are_adjacent(pair: &[&Lexeme]) -> bool {
    matches!(pair, [one, next] if one.end == next.start)
}

/// Whether a full stop or an at sign joins two lexemes.
fn joins(body: &[u8], one: &Lexeme, next: &Lexeme) -> bool {
    one.joins_after(body) || next.joins_before(body)
}

/// The octets of an address that has white space or comments.
fn joined(body: &[u8], texts: &[&Lexeme], report: &mut Report) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut before: Option<&Lexeme> = None;
    let mut has_gap = false;
    for &lexeme in texts {
        if before.is_some_and(|it| it.end < lexeme.start && !joins(body, it, lexeme)) {
            octets.push(b' ');
            has_gap = true;
        }
        octets.extend_from_slice(&unfold(slice(body, lexeme.start, lexeme.end)));
        before = Some(lexeme);
    }
    if has_gap && let (Some(first), Some(last)) = (texts.first(), before) {
        let detail = "white space inside an address";
        let length = last.end - first.start;
        report.add(Kind::UnquotedSpecial, first.start, length, detail);
    }
    octets
}

/// Reports encoded words in an address, where none are allowed (RFC 2047, section 5).
fn report_words(body: &[u8], address: &[Lexeme], report: &mut Report) {
    let (Some(first), Some(last)) = (address.first(), address.last()) else {
        return;
    };
    if !has_opening(slice(body, first.start, last.end)) {
        return;
    }
    let mut words = Builder::from(body, first.start);
    let mut run = (first.start, first.start);
    for lexeme in address.iter().filter(|lexeme| lexeme.is_text()) {
        if lexeme.start != run.1 {
            words.keep_words_in(run.0, run.1);
            run.0 = lexeme.start;
        }
        run.1 = lexeme.end;
    }
    words.keep_words_in(run.0, run.1);
    report.absorb(words.report, 0);
}

/// Removes line endings that are not folds from a quoted local part or a domain literal, since they would
/// split a line of the SMTP dialogue (RFC 5321, section 4.1.1.3).
fn on_one_line<'a>(
    addr_spec: Cow<'a, [u8]>,
    lexemes: &[Lexeme],
    report: &mut Report,
) -> Cow<'a, [u8]> {
    let (Some(first), Some(last)) = (lexemes.first(), lexemes.last()) else {
        return addr_spec;
    };
    if memchr2(b'\r', b'\n', &addr_spec).is_none() {
        return addr_spec;
    }
    let detail = "a line end in an address, left out";
    let length = last.end - first.start;
    report.add(Kind::SkippedText, first.start, length, detail);
    let mut octets = addr_spec.into_owned();
    octets.retain(|octet| !matches!(octet, b'\r' | b'\n'));
    Cow::Owned(octets)
}

/// Skips the route in `@relay.example,@gate.example:joe@example.org`, which RFC 1123, section 5.2.6,
/// deprecated.
fn without_route<'l>(body: &[u8], lexemes: &'l [Lexeme], report: &mut Report) -> &'l [Lexeme] {
    let first = lexemes.iter().find(|lexeme| lexeme.is_text());
    let begins = |first: &&Lexeme| first.at_signs > 0 && body.get(first.start) == Some(&b'@');
    let Some(first) = first.filter(begins) else {
        return lexemes;
    };
    let Some(colon) = lexemes.iter().position(|lexeme| lexeme.is_special(b':')) else {
        return lexemes;
    };
    let end = lexemes.get(colon).map_or(first.end, |colon| colon.end);
    let detail = "a route before an address";
    report.add(Kind::SkippedText, first.start, end - first.start, detail);
    lexemes.get(colon + 1..).unwrap_or_default()
}

/// Reports missing parts of an address, and misplaced full stops:
///
/// > dot-atom-text = 1*atext *("." 1*atext)
fn report_dots(addr_spec: &[u8], (offset, length): (usize, usize), report: &mut Report) {
    let at_end = match addr_spec {
        [b'@', ..] => Some("an address without a local part"),
        [.., b'@'] => Some("an address without a domain"),
        _ => None,
    };
    if let Some(detail) = at_end {
        report.add(Kind::MissingValue, offset, length, detail);
    }
    // In quotes and brackets, full stops are allowed anywhere.
    let is_odd = |side: &[u8]| {
        matches!(side, [b'.', ..] | [.., b'.']) || has_adjacent(side, |octet| octet == b'.')
    };
    let mut sides = addr_spec.split(|&octet| octet == b'@');
    if memchr2(b'"', b'[', addr_spec).is_none() && sides.any(is_odd) {
        let detail = "two full stops in a row, or one at an end of a local part or a domain";
        report.add(Kind::UnquotedSpecial, offset, length, detail);
    }
}

/// Whether two adjacent octets are both `wanted`.
pub(super) fn has_adjacent(octets: &[u8], wanted: impl Fn(u8) -> bool) -> bool {
    /// Most fields are two or three blocks, too short for a search function to pay.
    const BLOCK: usize = 16;
    let any_adjacent = |one: &[u8], next: &[u8]| {
        let pairs = one.iter().zip(next);
        pairs.fold(false, |any, (&one, &next)| {
            any | (wanted(one) & wanted(next))
        })
    };
    let following = octets.get(1..).unwrap_or_default();
    let before = octets.get(..following.len()).unwrap_or_default();
    let (blocks, rest) = before.as_chunks::<BLOCK>();
    let (others, other_rest) = following.as_chunks::<BLOCK>();
    let mut pairs = blocks.iter().zip(others);
    pairs.any(|(one, next)| any_adjacent(one, next))
        // The last block may overlap the previous one.
        || match (before.last_chunk::<BLOCK>(), following.last_chunk::<BLOCK>()) {
            (Some(one), Some(next)) => any_adjacent(one, next),
            _ => any_adjacent(rest, other_rest),
        }
}

/// > display-name = phrase
///
/// > phrase = 1*word / obs-phrase
///
/// Removes comments, and the quotes and backslashes of quoted strings (RFC 5322, section 3.2.2). Also
/// removes blanks next to a comment, if other blanks or an end of the name are on its other side.
pub(super) fn display_name<'a>(
    body: &'a [u8],
    lexemes: &[Lexeme],
    report: &mut Report,
) -> Few<Piece<'a>> {
    let lexemes = after_colons(lexemes, report);
    let Some(start) = lexemes.iter().position(Lexeme::is_text) else {
        return Few::None;
    };
    let last = lexemes.iter().rposition(Lexeme::is_text).unwrap_or(start);
    let lexemes = lexemes.get(start..=last).unwrap_or_default();
    report_dot(body, lexemes, report);
    let start = lexemes.first().map_or(0, |first| first.start);
    let mut name = Builder::from(body, start);
    let (mut run, mut end) = ((start, start), start);
    // Whether white space precedes, with or without comments after it; whether a comment precedes.
    let (mut has_gap, mut has_comment) = (false, false);
    for lexeme in lexemes {
        if lexeme.has_gap && start < lexeme.start {
            let is_second_blank = has_gap && has_comment;
            if is_second_blank {
                name.add_words_in(run.0, run.1, Place::Phrase);
                name.skip_range(end, lexeme.start);
                run.0 = lexeme.start;
            }
            run.1 = lexeme.start;
            (has_gap, has_comment) = (true, is_second_blank);
        }
        end = lexeme.end;
        match lexeme.class {
            Class::Atom | Class::Word => {
                for part in lexeme.split_at_signs(body) {
                    if part.class == Class::Special(b'@') {
                        name.add_words_in(run.0, run.1, Place::Phrase);
                        run.0 = part.end;
                        report.add(Kind::UnquotedSpecial, part.start, 1, NEEDS_QUOTES);
                    }
                    run.1 = part.end;
                }
            }
            Class::ExtraBracket => continue,
            _ => {
                name.add_words_in(run.0, run.1, Place::Phrase);
                run = (end, end);
            }
        }
        has_comment = lexeme.class == Class::Comment;
        has_gap &= has_comment;
        match lexeme.class {
            Class::Quoted => name.unquoted(lexeme, Place::QuotedString),
            // A comment, or an unclosed quote or parenthesis.
            Class::Comment | Class::Special(b'"' | b'(') => name.skip_range(lexeme.start, end),
            Class::Special(_) => {
                let length = end - lexeme.start;
                report.add(Kind::UnquotedSpecial, lexeme.start, length, NEEDS_QUOTES);
            }
            _ => {}
        }
    }
    name.add_words_in(run.0, run.1, Place::Phrase);
    name.into_pieces(end, report)
}

/// Skips colons, which are not a name: `<a@example.org>: <b@example.org>`.
fn after_colons<'l>(mut lexemes: &'l [Lexeme], report: &mut Report) -> &'l [Lexeme] {
    while let [colon, rest @ ..] = lexemes
        && colon.is_special(b':')
    {
        let detail = "a colon before a mailbox";
        report.add(Kind::SkippedText, colon.start, 1, detail);
        lexemes = rest;
    }
    lexemes
}

/// Reports a full stop in an unquoted name, as in `Prof. Einstein <einstein@example.org>`. Only the
/// obsolete grammar allows it (RFC 5322, section 4.1).
///
/// > obs-phrase = word *(word / "." / CFWS)
fn report_dot(body: &[u8], name: &[Lexeme], report: &mut Report) {
    // An at sign has its own finding.
    let has_dot = |lexeme: &&Lexeme| {
        let is_atom = lexeme.class == Class::Atom && lexeme.at_signs == 0;
        is_atom && slice(body, lexeme.start, lexeme.end).contains(&b'.')
    };
    if let Some(atom) = name.iter().find(has_dot) {
        let detail = "a full stop in a name without quotes";
        let length = atom.end - atom.start;
        report.add(Kind::UnquotedSpecial, atom.start, length, detail);
    }
}

/// The first comment with text, as in `joe@example.org (Joe Doe)`. Names were written this way before RFC
/// 822 defined a place for them.
///
/// RFC 5322, section 3.4, mentions names in a comment after the address. A comment inside or before the
/// address is not a name: in `a(ceo@bank.example)@example.org` it could impersonate someone.
fn comment_as_name<'a>(body: &'a [u8], lexemes: &[Lexeme], report: &mut Report) -> Few<Piece<'a>> {
    let comments = lexemes
        .iter()
        .filter(|lexeme| lexeme.class == Class::Comment);
    let trimmed = comments.map(|comment| {
        let (start, end) = comment.inner();
        let content = slice(body, start, end);
        let before = content.len() - trim_start(content).len();
        let length = trim(content).len();
        (comment, start + before, start + before + length)
    });
    let Some((comment, start, end)) = trimmed.into_iter().find(|(_, start, end)| start < end)
    else {
        return Few::None;
    };
    let length = comment.end - comment.start;
    report.add(Kind::NameFromComment, comment.start, length, "");
    let mut name = Builder::from(body, start);
    name.unescapes = true;
    name.add_words_in(start, end, Place::Comment);
    name.into_pieces(end, report)
}
