//! What a member says of one mailbox: its name and its address.

use std::borrow::Cow;

use memchr::memchr2;

use super::list::Mailbox;
use super::member::{MAX_LEXEMES, Member};
use crate::header::builder::Builder;
use crate::header::encoded_word::Place;
use crate::header::few::Few;
use crate::header::lexeme::{Class, Lexeme, Lexemes};
use crate::header::piece::Piece;
use crate::header::token::{has_opening, is_special, slice, trim, trim_start, unfold};
use crate::report::{Kind, Report};

/// What a member says of one mailbox; `None` where there is nothing to show.
pub(super) fn mailbox<'a>(
    body: &'a [u8],
    member: &Member,
    report: &mut Report,
) -> Option<Mailbox<'a>> {
    let (offset, end) = member.span();
    let length = end - offset;
    let range = member.address();
    let (before, behind) = member.around(&range);
    let address = member.lexemes.get(range).unwrap_or_default();
    report_words(body, address, report);
    let addr_spec = on_one_line(addr_spec(body, address, report), address, report);
    let has_text = |lexemes: &[Lexeme]| lexemes.iter().any(Lexeme::is_text);
    report_shape(&addr_spec, (offset, length), report);
    let mut add = |kind, detail| report.add(kind, offset, length, detail);
    let is_named_behind = !has_text(before) && reads_as_name(body, behind);
    if is_named_behind {
        add(Kind::NameFromComment, "text behind an address");
    } else if has_text(behind) {
        add(Kind::SkippedText, "text behind an address");
    }
    if member.open.is_some() {
        // Alone they are the path of a message about mail that bounced (RFC 5322, section 3.6.7).
        if addr_spec.is_empty() && has_text(before) {
            add(Kind::MissingValue, "angle brackets without an address");
        }
    } else {
        let has_at = address
            .iter()
            .any(|lexeme| lexeme.class == Class::Special(b'@'));
        match (addr_spec.is_empty(), has_text(before)) {
            (false, true) => add(
                Kind::Unterminated,
                "an address behind a name, without angle brackets",
            ),
            (false, false) if !has_at => add(Kind::MissingValue, "an address without a domain"),
            (true, true) => add(Kind::MissingValue, NO_ADDRESS),
            _ => {}
        }
    }
    let (display_name, is_comment) = if has_text(before) {
        (display_name(body, before, report), false)
    } else if is_named_behind {
        (display_name(body, behind, report), true)
    } else {
        (comment_as_name(body, behind, report), true)
    };
    let is_shown = member.open.is_some() || has_text(&member.lexemes);
    is_shown.then_some(Mailbox {
        is_name_from_comment: is_comment && !display_name.is_empty(),
        display_name,
        addr_spec,
        offset,
        length,
    })
}

/// Whether text behind an address is a name, as in `joe@example.org Joe Doe`, which has no more standing
/// than a comment there: words, and nothing that would be an address.
fn reads_as_name(body: &[u8], behind: &[Lexeme]) -> bool {
    let texts = || behind.iter().filter(|lexeme| lexeme.is_text());
    let is_word =
        |lexeme: &Lexeme| matches!(lexeme.class, Class::Atom | Class::Word | Class::Quoted);
    texts().next().is_some_and(is_word)
        && texts().all(|lexeme| !slice(body, lexeme.start, lexeme.end).contains(&b'@'))
}

/// Says what an address lacks, or has too much of, that its characters do not show.
fn report_shape(addr_spec: &[u8], (offset, length): (usize, usize), report: &mut Report) {
    let at_end = match addr_spec {
        [b'@', ..] => Some("an address without a local part"),
        [.., b'@'] => Some("an address without a domain"),
        _ => None,
    };
    if let Some(detail) = at_end {
        report.add(Kind::MissingValue, offset, length, detail);
    }
    // In quotes and brackets any full stop may be.
    let mut sides = addr_spec.split(|&octet| octet == b'@');
    if memchr2(b'"', b'[', addr_spec).is_none() && sides.any(|side| !has_dots_of_atom(side)) {
        let detail = "a full stop beside another, or at an end of a local part or a domain";
        report.add(Kind::UnquotedSpecial, offset, length, detail);
    }
}

/// Whether full stops stand where a local part or a domain may have them:
///
/// > dot-atom-text = 1*atext *("." 1*atext)
fn has_dots_of_atom(side: &[u8]) -> bool {
    !ends_with_dot(side) && !has_two_dots(side)
}

/// Whether a local part or a domain begins or ends with a full stop.
pub(super) fn ends_with_dot(side: &[u8]) -> bool {
    matches!(side, [b'.', ..] | [.., b'.'])
}

/// Whether a full stop stands beside another.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, a block is a few steps of vector code"
)]
pub(super) fn has_two_dots(octets: &[u8]) -> bool {
    /// Most fields are two or three of these: a call of a searcher takes longer.
    const BLOCK: usize = 16;
    let are_two = |one: &[u8], next: &[u8]| {
        let pairs = one.iter().zip(next);
        pairs.fold(false, |any, (&one, &next)| {
            any | ((one == b'.') & (next == b'.'))
        })
    };
    let behind = octets.get(1..).unwrap_or_default();
    let before = octets.get(..behind.len()).unwrap_or_default();
    let (blocks, rest) = before.as_chunks::<BLOCK>();
    let (others, other_rest) = behind.as_chunks::<BLOCK>();
    let mut pairs = blocks.iter().zip(others);
    pairs.any(|(one, next)| are_two(one, next))
        // The last block may overlap the one before, which saves going through what is left.
        || match (before.last_chunk::<BLOCK>(), behind.last_chunk::<BLOCK>()) {
            (Some(one), Some(next)) => are_two(one, next),
            _ => are_two(rest, other_rest),
        }
}

/// A comment that stands alone, as in `From: (Joe Doe)`: a name of somebody without an address.
/// Between addresses it is what it is, a comment.
pub(super) fn lone_comment<'a>(body: &'a [u8], report: &mut Report) -> Option<Mailbox<'a>> {
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
        Mailbox {
            display_name: name,
            addr_spec: Cow::Borrowed(b""),
            is_name_from_comment: true,
            offset,
            length,
        }
    })
}

const NO_ADDRESS: &str = "a name without an address";

/// Says which encoded words stand in an address, where they are none (RFC 2047, section 5).
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
            words.kept_in(run.0, run.1);
            run.0 = lexeme.start;
        }
        run.1 = lexeme.end;
    }
    words.kept_in(run.0, run.1);
    report.absorb(words.report, 0);
}

/// > addr-spec = local-part "@" domain
///
/// without comments, without white space around at signs and full stops, without a route.
fn addr_spec<'a>(body: &'a [u8], lexemes: &[Lexeme], report: &mut Report) -> Cow<'a, [u8]> {
    let lexemes = without_route(lexemes, report);
    let texts: Vec<&Lexeme> = lexemes.iter().filter(|lexeme| lexeme.is_text()).collect();
    let (Some(first), Some(last)) = (texts.first(), texts.last()) else {
        return Cow::Borrowed(b"");
    };
    let at_signs = texts
        .iter()
        .filter(|text| text.class == Class::Special(b'@'));
    if let Some(second) = at_signs.skip(1).last() {
        let detail = "more than one at sign in an address";
        report.add(Kind::UnquotedSpecial, second.start, 1, detail);
    }
    let gaps = || {
        texts
            .windows(2)
            .filter_map(|pair| <&[_; 2]>::try_from(pair).ok())
    };
    if let Some(odd) = texts.iter().find(|text| is_odd(body, text)) {
        let detail = "a character in an address that needs quotes";
        let length = odd.end - odd.start;
        report.add(Kind::UnquotedSpecial, odd.start, length, detail);
    } else if let Some([_, next]) = gaps().find(|[one, next]| are_glued(one, next)) {
        let detail = "an address that goes on beside quotes or brackets";
        report.add(Kind::UnquotedSpecial, next.start, 1, detail);
    }
    if gaps().all(|[one, next]| one.end == next.start) {
        return unfold(slice(body, first.start, last.end));
    }
    let mut octets = unfold(slice(body, first.start, first.end)).into_owned();
    let mut is_parted = false;
    for [one, next] in gaps() {
        let is_at = |lexeme: &Lexeme| lexeme.class == Class::Special(b'@');
        let joins = is_at(one) || is_at(next) || one.dots.1 || next.dots.0;
        if one.end < next.start && !joins {
            octets.push(b' ');
            is_parted = true;
        }
        octets.extend_from_slice(&unfold(slice(body, next.start, next.end)));
    }
    if is_parted {
        let (at, length) = (first.start, last.end - first.start);
        let detail = "white space inside an address";
        report.add(Kind::UnquotedSpecial, at, length, detail);
    }
    Cow::Owned(octets)
}

/// Whether a lexeme has a special that no address has outside of quotes, as a word may that touches
/// it.
fn is_odd(body: &[u8], lexeme: &Lexeme) -> bool {
    match lexeme.class {
        Class::Special(special) => special != b'@',
        Class::Word => slice(body, lexeme.start, lexeme.end)
            .iter()
            .copied()
            .any(is_special),
        _ => false,
    }
}

/// Whether nothing stands between two lexemes of an address that no rule has side by side.
fn are_glued(one: &Lexeme, next: &Lexeme) -> bool {
    let is_atom = |lexeme: &Lexeme| matches!(lexeme.class, Class::Atom | Class::Word);
    let is_at = |lexeme: &Lexeme| lexeme.class == Class::Special(b'@');
    let is_joined = is_at(one) || is_at(next) || one.dots.1 || next.dots.0;
    one.end == next.start && !is_joined && !(is_atom(one) && is_atom(next))
}

/// A line end in a quoted local part or a domain literal that is no fold: whoever hands the
/// address on in a line of a protocol would hand on two (RFC 5321, section 4.1.1.3).
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

/// What follows the route in `@relay.example,@gate.example:joe@example.org`, which no mail
/// has taken since RFC 1123, section 5.2.6.
fn without_route<'l>(lexemes: &'l [Lexeme], report: &mut Report) -> &'l [Lexeme] {
    let first = lexemes.iter().find(|lexeme| lexeme.is_text());
    let is_colon = |lexeme: &Lexeme| lexeme.class == Class::Special(b':');
    let colon = lexemes.iter().position(is_colon);
    match (first, colon) {
        (Some(first), Some(colon)) if first.class == Class::Special(b'@') => {
            let end = lexemes.get(colon).map_or(first.end, |colon| colon.end);
            let detail = "a route before an address";
            report.add(Kind::SkippedText, first.start, end - first.start, detail);
            lexemes.get(colon + 1..).unwrap_or_default()
        }
        _ => lexemes,
    }
}

/// > display-name = phrase
///
/// > phrase = 1*word / obs-phrase
///
/// Comments are left out, with the blanks that they part from others or from an end of the name
/// (RFC 5322, section 3.2.2), and the quotes of quoted strings with the backslashes in them.
pub(super) fn display_name<'a>(
    body: &'a [u8],
    lexemes: &[Lexeme],
    report: &mut Report,
) -> Few<Piece<'a>> {
    let is_shown = |lexeme: &Lexeme| !matches!(lexeme.class, Class::Blank | Class::Comment);
    let Some(first) = lexemes.iter().position(is_shown) else {
        return Few::None;
    };
    let last = lexemes.iter().rposition(is_shown).unwrap_or(first);
    let start = lexemes.get(first).map_or(0, |first| first.start);
    // Lists are long, and most names are one piece.
    let mut name = Builder::from(body, start);
    let mut run = (name.from, name.from);
    // Whether a blank, and then nothing but comments, came before.
    let (mut is_parted, mut has_comment) = (false, false);
    for lexeme in lexemes.get(first..=last).unwrap_or_default() {
        let is_second_blank = lexeme.class == Class::Blank && is_parted && has_comment;
        match lexeme.class {
            Class::Atom | Class::Word | Class::Blank if !is_second_blank => run.1 = lexeme.end,
            _ => {
                name.words_in(run.0, run.1, Place::Phrase);
                run = (lexeme.end, lexeme.end);
            }
        }
        has_comment = lexeme.class == Class::Comment || is_second_blank;
        is_parted = lexeme.class == Class::Blank || is_parted && has_comment;
        match lexeme.class {
            Class::Quoted => name.unquoted(lexeme, Place::QuotedString),
            Class::Blank if is_second_blank => name.without(lexeme.start, lexeme.end),
            // A comment, or a quote that no other closes.
            Class::Comment | Class::Special(b'"') => name.without(lexeme.start, lexeme.end),
            Class::Special(_) => {
                let detail = "a name with characters that need quotes";
                let length = lexeme.end - lexeme.start;
                report.add(Kind::UnquotedSpecial, lexeme.start, length, detail);
            }
            _ => {}
        }
    }
    name.words_in(run.0, run.1, Place::Phrase);
    let end = lexemes.get(last).map_or(0, |last| last.end);
    name.into_pieces(end, report)
}

/// The first comment that says anything, as in `joe@example.org (Joe Doe)`: how names were
/// written before RFC 822 gave them a place.
///
/// RFC 5322, section 3.4, knows such a name behind the address. A comment inside of one or before
/// it is a comment: `a(ceo@bank.example)@example.org` is nobody at that bank.
fn comment_as_name<'a>(body: &'a [u8], lexemes: &[Lexeme], report: &mut Report) -> Few<Piece<'a>> {
    let comments = lexemes
        .iter()
        .filter(|lexeme| lexeme.class == Class::Comment);
    let trimmed = comments.map(|comment| {
        let (start, end) = comment.inner;
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
    name.words_in(start, end, Place::Comment);
    name.into_pieces(end, report)
}
