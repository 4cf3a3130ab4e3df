//! Lines that continue a field although they lost the blank of their fold (RFC 5322, section 2.2.3): a
//! gateway cut lines, or a program spread a field over several lines.

use std::ops::Range;

use memchr::{memchr, memmem};

use super::line::{is_blank, line_end_after, trim_end_blanks};
use crate::header::{self, Syntax};

/// Maximum number of lines without a blank that continue a field.
const MAX_LINES: usize = 8;
/// Maximum number of octets examined in a line or at the end of a field: two lines of RFC 5322, section
/// 2.1.1.
const NEAR: usize = 2 * 998;

/// The end of a field including lines that continue it. The text before such a line ends in one of
/// four ways: in a semicolon before a parameter, in a comma before a mailbox, inside an encoded
/// word, or in an encoded word before another one.
#[cold]
#[inline(never)]
pub(super) fn lost_folds_end(
    source: &[u8],
    name: Range<usize>,
    body: Range<usize>,
    line_end: u8,
) -> usize {
    let syntax = header::syntax(source.get(name).unwrap_or_default());
    let mut end = body.end;
    for _ in 0..MAX_LINES {
        let text = source.get(body.start..end).unwrap_or_default();
        let text = trim_end_blanks(text);
        let text = text
            .get(text.len().saturating_sub(NEAR)..)
            .unwrap_or_default();
        let next = folded_line_end(source, end, line_end);
        let line = source.get(end..next.min(end + NEAR)).unwrap_or_default();
        if line.starts_with(b"--") {
            // The line may be a delimiter.
            break;
        }
        let continues = match text {
            [.., b';'] => syntax == Syntax::Parameters && is_parameter(line),
            [.., b','] => syntax == Syntax::Addresses && has_address(line),
            [.., b'?', b'='] => is_word(line),
            _ => false,
        };
        end = if continues {
            next
        } else if is_open_word(text)
            && let Some(closed) = word_end(source, end, line_end)
        {
            closed
        } else {
            break;
        };
    }
    end
}

/// The end of the line at `at` with its folds.
fn folded_line_end(source: &[u8], at: usize, line_end: u8) -> usize {
    let mut end = line_end_after(source, at, line_end);
    while source.get(end).is_some_and(|&octet| is_blank(octet)) {
        end = line_end_after(source, end, line_end);
    }
    end
}

/// Whether a line begins with a common parameter.
///
/// > parameter := attribute "=" value
fn is_parameter(line: &[u8]) -> bool {
    const NAMES: [&str; 14] = [
        "boundary",
        "charset",
        "name",
        "filename",
        "format",
        "delsp",
        "type",
        "start",
        "protocol",
        "micalg",
        "report-type",
        "method",
        "smime-type",
        "size",
    ];
    let is_of_name = |octet: &u8| octet.is_ascii_alphanumeric() || b"-_*.".contains(octet);
    let name = line.iter().take_while(|octet| is_of_name(octet)).count();
    let rest = line.get(name..).unwrap_or_default().trim_ascii_start();
    // `filename*0*` too.
    let (attribute, _) = line.split_at_checked(name).unwrap_or_default();
    let attribute = attribute.split(|&octet| octet == b'*').next();
    let attribute = attribute.unwrap_or_default();
    let is_attribute = |name: &str| attribute.eq_ignore_ascii_case(name.as_bytes());
    let is_known = NAMES.iter().any(|name| is_attribute(name)) || attribute.starts_with(b"x-");
    is_known && matches!(rest, [b'=', after @ ..] if !after.trim_ascii().is_empty())
}

/// Whether a line begins with an address, bare or in angle brackets after a name.
fn has_address(line: &[u8]) -> bool {
    let is_atext = |octet: u8| octet.is_ascii_graphic() || !octet.is_ascii();
    let in_brackets = memchr(b'<', line).and_then(|at| line.get(at..));
    let address = first_token(in_brackets.unwrap_or(line));
    let is_quoted_text = line.starts_with(b">");
    let has_domain = |octets: &[u8]| matches!(octets, [before, b'@', after] if is_atext(*before) && is_atext(*after));
    !is_quoted_text && address.windows(3).any(has_domain)
}

/// Whether a line begins with an encoded word.
///
/// > encoded-word = "=?" charset "?" encoding "?" encoded-text "?="
fn is_word(line: &[u8]) -> bool {
    let mut sections = first_token(line).split(|&octet| octet == b'?');
    sections.next() == Some(b"=")
        && sections.next().is_some_and(|charset| !charset.is_empty())
        && sections.next().is_some_and(|encoding| encoding.len() == 1)
        && sections.next().is_some()
        && sections.next().is_some_and(|end| end.starts_with(b"="))
}

/// Whether a text ends inside an unclosed encoded word.
fn is_open_word(text: &[u8]) -> bool {
    let Some(word) = memmem::rfind(text, b"=?").and_then(|at| text.get(at + 2..)) else {
        return false;
    };
    let mut sections = word.split(|&octet| octet == b'?');
    !word.iter().any(u8::is_ascii_whitespace)
        && sections.next().is_some_and(|charset| !charset.is_empty())
        && sections.next().is_some_and(|encoding| encoding.len() == 1)
        && sections.next().is_some()
        && sections.next().is_none()
}

/// The end of the lines at `at` that continue an encoded word up to its closing `?=`.
fn word_end(source: &[u8], at: usize, line_end: u8) -> Option<usize> {
    let mut at = at;
    for _ in 0..MAX_LINES {
        let end = line_end_after(source, at, line_end);
        let line = source.get(at..end)?;
        let token = first_token(line);
        let closing = memmem::find(token, b"?=");
        if closing.is_some() {
            return Some(folded_line_end(source, at, line_end));
        }
        let is_all = token.len() == trim_end_blanks(line).len();
        if token.is_empty() || !is_all || token.starts_with(b"--") {
            return None;
        }
        at = end;
    }
    None
}

/// The start of a line up to white space.
fn first_token(line: &[u8]) -> &[u8] {
    let end = line.iter().position(u8::is_ascii_whitespace);
    line.get(..end.unwrap_or(line.len())).unwrap_or_default()
}
