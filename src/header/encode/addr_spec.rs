//! Checks that a text is a valid address in a field (RFC 5322, section 3.4.1; RFC 6532, section 3.2).

use super::lines::is_atext;
use crate::error::Error;

/// Addresses of this length in octets or more are rejected: with other text, they may not fit into a line
/// of 998.
const MAX_LENGTH: usize = 900;

/// Rejects text that is not an address, with the offset of the first wrong octet.
///
/// > addr-spec = local-part "@" domain
/// > local-part = dot-atom / quoted-string / obs-local-part
/// > domain = dot-atom / domain-literal / obs-domain
///
/// without comments and folds.
pub(super) fn check(text: &str) -> Result<(), Error> {
    // A quoted local part may contain an at sign; a domain may not.
    let wrong = match text.rsplit_once('@') {
        _ if text.len() >= MAX_LENGTH => Some(MAX_LENGTH),
        None => Some(first_wrong(text, is_dot_atom).unwrap_or(text.len())),
        Some((local, domain)) => {
            let in_local = match local {
                "" => Some(0),
                _ if local.starts_with('"') => wrong_in_quoted_string(local),
                _ => first_wrong(local, is_dot_atom),
            };
            let in_domain = match domain {
                "" => Some(0),
                _ if domain.starts_with('[') => wrong_in_literal(domain),
                _ => first_wrong(domain, is_dot_atom),
            };
            in_local.or(in_domain.map(|at| local.len() + 1 + at))
        }
    };
    wrong.map_or(Ok(()), |at| {
        let sentence = format!("expected an address as in RFC 5322, found {text:?}");
        Err(Error::at(at, sentence))
    })
}

fn first_wrong(text: &str, is_right: fn(char) -> bool) -> Option<usize> {
    text.find(|c| !is_right(c))
}

/// > atext =/ UTF8-non-ascii
///
/// Also accepts the dots between atoms.
fn is_dot_atom(c: char) -> bool {
    c == '.' || u8::try_from(c).is_ok_and(is_atext) || is_non_ascii(c)
}

/// > UTF8-non-ascii = UTF8-2 / UTF8-3 / UTF8-4
///
/// except controls and white space: some readers take U+0085, U+2028 and U+2029 for a line ending.
fn is_non_ascii(c: char) -> bool {
    !c.is_ascii() && !c.is_control() && !c.is_whitespace()
}

/// > quoted-string = DQUOTE *(\[FWS\] qcontent) \[FWS\] DQUOTE
///
/// without folds. The text begins with a quotation mark.
fn wrong_in_quoted_string(text: &str) -> Option<usize> {
    let (mut after_backslash, mut closed) = (false, None);
    for (at, c) in text.char_indices().skip(1) {
        if closed.is_some() || !(c == ' ' || c.is_ascii_graphic() || is_non_ascii(c)) {
            return Some(at);
        }
        if c == '"' && !after_backslash {
            closed = Some(at);
        }
        after_backslash = c == '\\' && !after_backslash;
    }
    closed.is_none().then_some(text.len())
}

/// > domain-literal = \[CFWS\] `"["` *(\[FWS\] dtext) \[FWS\] `"]"` \[CFWS\]
///
/// without comments, blanks and folds. The text begins with a bracket.
fn wrong_in_literal(text: &str) -> Option<usize> {
    let is_dtext = |c: char| c.is_ascii_graphic() && !matches!(c, '[' | ']' | '\\');
    let inside = text.get(1..).unwrap_or_default();
    match inside.find(|c| !is_dtext(c)) {
        Some(at) if inside.get(at..) == Some("]") => None,
        Some(at) => Some(1 + at),
        None => Some(text.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    /// The offset of the first invalid octet, counted by hand.
    #[test]
    fn invalid_addresses_are_rejected_with_an_offset() {
        for (text, offset) in [
            ("", 0),
            ("@", 0),
            ("@b", 0),
            ("a@", 2),
            ("ab", 2),
            ("a b@c", 1),
            ("ü\r\n@c", 2),
            ("a@b\r\nBcc: c", 3),
            ("a@b\0", 3),
            ("a@b>", 3),
            ("a@[b", 4),
            ("a@[b]c", 4),
            ("a@[ü]", 3),
            ("\"a@c", 2),
            ("\"a\"b\"@c", 3),
            ("\"a\\\"@c", 4),
            ("a\u{85}@b", 1),
            ("a@b\u{2028}c", 3),
            ("\"a\u{2029}\"@c", 2),
            ("a\u{a0}b@c", 1),
        ] {
            let error = check(text).unwrap_err();
            assert_eq!(error.offset(), Some(offset), "{text:?}");
        }
        let long = format!("a@{}", "b".repeat(898));
        assert_eq!(check(&long).unwrap_err().offset(), Some(900));
        assert_eq!(check(&long[..899]), Ok(()));
    }

    /// RFC 6531, section 3.3, and RFC 6532, section 3.2.
    #[test]
    fn internationalized_addresses_are_valid() {
        for text in [
            "用户@例子.广告",
            "Pelé@example.com",
            "\"我 買\"@屋企.香港",
            "dømi@dømi.example",
            "a@xn--dmi-0na.example",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
    }
}
