//! Quotes decoded text that could be parsed as the syntax around it (RFC 5322, section 3.2.4).

use crate::charset::has_any;
use crate::header::Place;
use crate::header::encode::{QUOTED, escaped};
use crate::work::work;

/// Appends decoded text so that it cannot be parsed as syntax (RFC 2047, section 5: "a mail reader MUST
/// NOT" parse the text of words; RFC 5322, sections 3.2.2 to 3.2.5).
pub(super) fn quote(text: &str, place: Place, needs_quotes: bool, out: &mut String) {
    // Some mailers encode a whole quoted string, with its quotes. Parsed as syntax, it has the same value.
    let is_quoted = matches!(place, Place::Phrase | Place::Parameter)
        && needs_quotes
        && !is_quoted_string(text);
    let special: fn(char) -> bool = match place {
        Place::Comment => |c| matches!(c, '(' | ')' | '\\'),
        Place::QuotedString => QUOTED,
        _ if is_quoted => QUOTED,
        _ => |_| false,
    };
    let mark = if is_quoted { "\"" } else { "" };
    out.push_str(mark);
    out.push_str(&escaped(text, special));
    out.push_str(mark);
}

/// Whether text could be parsed as syntax in this place: it is blank, contains specials, or begins or
/// ends with a full stop, which would join it to an adjacent atom.
pub(super) fn needs_quotes(text: &str, place: Place) -> bool {
    text.chars().all(char::is_whitespace)
        || text.starts_with('.')
        || text.ends_with('.')
        || has_any(text.as_bytes(), may_be_special) && text.chars().any(is_special)
        || place == Place::Parameter && text.contains(['=', ' ', '/', '?'])
}

/// Whether the whole text is one quoted string.
fn is_quoted_string(text: &str) -> bool {
    let content = text
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    content.is_some_and(|content| {
        let mut escaped = false;
        let plain = content.chars().all(|character| {
            let closes = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            !closes && !character.is_control()
        });
        plain && !escaped
    })
}

/// The octets around an encoded word, if parsed as syntax. Unquoted, the decoded text could be joined to
/// them.
pub(super) struct Neighbours {
    /// Whether an atom directly precedes the word. The equals sign of a parameter does not count.
    pub(super) before: bool,
    /// Whether the word can be the whole value of a parameter.
    pub(super) is_separate: bool,
    /// The next octet after white space and comments.
    pub(super) next: Option<u8>,
    /// Whether the text would be joined to an atom or an address. Next to a full stop, white space
    /// or a comment does not separate the two: `obs-local-part` and `obs-domain` allow both there
    /// (RFC 5322, section 4.4).
    pub(super) joins: bool,
}

impl Neighbours {
    pub(super) const NEAR: usize = 1024;

    /// The syntax around a word. Reads at most `most` octets after the word.
    pub(super) fn of(body: &[u8], offset: usize, end: usize, most: usize) -> Self {
        let before = body.get(..offset).unwrap_or_default();
        let following = body.get(end..).unwrap_or_default();
        let following = following.get(..most).unwrap_or(following);
        let next = without_comments(following).first().copied();
        let is_before = before.last().copied().is_some_and(is_text);
        let begins = before
            .last()
            .is_none_or(|octet| b"= \t\r\n".contains(octet));
        let ends = following
            .first()
            .is_none_or(|octet| b"; \t\r\n(".contains(octet))
            && matches!(next, None | Some(b';'));
        Neighbours {
            before: is_before && before.last() != Some(&b'='),
            is_separate: begins && ends,
            next,
            joins: is_before
                || following
                    .first()
                    .is_some_and(|&octet| is_text(octet) || octet == b'\\')
                || matches!(before.trim_ascii_end().last(), Some(b'@' | b'.' | b')'))
                || matches!(next, Some(b'@' | b'.')),
        }
    }
}

/// Whether a backslash and the character at `offset` are a quoted pair (RFC 5322, section 3.2.1).
pub(super) fn is_escaped(body: &[u8], offset: usize) -> bool {
    let before = body.get(..offset).unwrap_or_default().iter().rev();
    before.take_while(|octet| **octet == b'\\').count() % 2 == 1
}

fn is_text(octet: u8) -> bool {
    !octet.is_ascii() || !is_blank(octet) && !is_special(char::from(octet))
}

/// Skips white space and comments (RFC 5322, section 3.2.2).
fn without_comments(octets: &[u8]) -> &[u8] {
    let (mut depth, mut escaped) = (0_usize, false);
    let at = octets.iter().position(|&octet| {
        match octet {
            _ if escaped => escaped = false,
            b'\\' if depth > 0 => escaped = true,
            b'(' => depth += 1,
            b')' if depth > 0 => depth -= 1,
            _ => return depth == 0 && !is_blank(octet),
        }
        false
    });
    work(at.unwrap_or(octets.len()));
    at.and_then(|at| octets.get(at..)).unwrap_or_default()
}

pub(super) fn is_blank(octet: u8) -> bool {
    b" \t\r\n".contains(&octet)
}

/// The specials of structured fields (RFC 5322, section 3.2.3), except the full stop, which `obs-phrase`
/// allows.
const SPECIALS: [u8; 12] = *b"()<>[]:;@\\,\"";

/// Whether a character is one of [`SPECIALS`] or a control character.
fn is_special(character: char) -> bool {
    u8::try_from(character).is_ok_and(|octet| SPECIALS.contains(&octet)) || character.is_control()
}

/// Whether an octet occurs in the UTF-8 of a [special](is_special) character. Few other characters have
/// such an octet.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, sixteen octets are tested at a time"
)]
fn may_be_special(octet: u8) -> bool {
    let is_one = SPECIALS.iter().fold(false, |any, it| any | (octet == *it));
    is_one | (octet < b' ') | (octet == 0x7F) | (octet == 0xC2)
}

#[cfg(test)]
mod tests {
    use super::{is_special, may_be_special};

    /// The search misses no special character.
    #[test]
    fn special_characters_are_found_by_one_of_their_octets() {
        for character in (char::MIN..=char::MAX).filter(|&character| is_special(character)) {
            let mut utf8 = [0; 4];
            let octets = character.encode_utf8(&mut utf8).bytes();
            assert!(octets.into_iter().any(may_be_special), "{character:?}");
        }
    }
}
