//! Mailboxes that follow the grammar, as most do (RFC 5322, section 3.4).
//!
//! [`members`](super::members) and [`mailbox`](mod@super::mailbox) read other mailboxes lexeme by lexeme,
//! with repairs and findings.

use std::borrow::Cow;

use super::entry::WrittenMailbox;
use crate::header::builder::Builder;
use crate::header::encoded_word::encoded_word;
use crate::header::few::Few;
use crate::header::lexeme::plain_atom;
use crate::header::opening::has_opening;
use crate::header::piece::{Piece, Text};
use crate::header::token::{QuotedString, offset, quoted_string, slice, trim_start};
use crate::report::Report;
use crate::work::work;

/// > mailbox = name-addr / addr-spec
///
/// > name-addr = [display-name] angle-addr
///
/// Parses the mailbox at the start of `input`, and the white space up to a comma or the end of the field.
/// `None` if the field ends inside a group. The caller must ensure that no full stop in the field is next
/// to another full stop or an at sign.
pub(super) fn mailbox<'a>(
    body: &'a [u8],
    input: &'a [u8],
    in_group: bool,
    report: &mut Report,
) -> Option<(&'a [u8], WrittenMailbox<'a>)> {
    let mut name = DisplayName::Literal(b"");
    let (rest, addr_spec, end) = if let Some((rest, addr_spec)) = addr_spec(input) {
        (rest, addr_spec, rest)
    } else {
        let rest = display_name(body, input, &mut name)?;
        let (rest, addr_spec) = addr_spec(rest.strip_prefix(b"<")?)?;
        (rest, addr_spec, rest.strip_prefix(b">")?)
    };
    let after = trim_start(end);
    match after.first() {
        Some(b',') => {}
        None if !in_group => {}
        _ => return None,
    }
    let start = offset(body, input);
    let name = match name {
        DisplayName::Literal(b"") => Few::None,
        DisplayName::Literal(octets) => Few::One(Piece::Text(Text {
            octets,
            offset: start + usize::from(input.starts_with(b"\"")),
            between_words: false,
        })),
        DisplayName::Pieces(name, end) => name.into_pieces(end, report),
    };
    let mailbox = WrittenMailbox {
        name,
        addr_spec: Cow::Borrowed(addr_spec),
        address_offset: offset(body, rest) - addr_spec.len(),
        is_name_from_comment: false,
        offset: start,
        length: offset(body, end) - start,
    };
    Some((after, mailbox))
}

/// > addr-spec = local-part "@" domain
///
/// of dot-atoms:
///
/// > dot-atom-text = 1*atext *("." 1*atext)
fn addr_spec(input: &[u8]) -> Option<(&[u8], &[u8])> {
    let local_part = plain_atom(input);
    work(local_part);
    let domain = input.get(local_part..)?.strip_prefix(b"@")?;
    let length = plain_atom(domain);
    work(length);
    let (addr_spec, rest) = input.split_at_checked(local_part + 1 + length)?;
    let is_strict = local_part > 0 && length > 0 && !matches!(addr_spec, [b'.', ..] | [.., b'.']);
    is_strict.then_some((rest, addr_spec))
}

/// A display name.
enum DisplayName<'a> {
    /// The octets of the name, unquoted.
    Literal(&'a [u8]),
    /// A name with encoded words or a fold, and the offset of its end.
    Pieces(Builder<'a>, usize),
}

/// > display-name = phrase
///
/// of one quoted string, or of atoms and encoded words. Also returns the octets after the name and its
/// white space.
fn display_name<'a>(
    body: &'a [u8],
    input: &'a [u8],
    name: &mut DisplayName<'a>,
) -> Option<&'a [u8]> {
    /// Longer names are left to the other parser, which has limits.
    const MAX_WORDS: usize = 64;
    if input.starts_with(b"\"") {
        let QuotedString {
            rest,
            content,
            is_literal,
        } = quoted_string(input)?;
        *name = DisplayName::Literal(content);
        let is_strict = is_literal && !content.is_empty() && !has_opening(content);
        return is_strict.then(|| trim_start(rest));
    }
    let start = offset(body, input);
    let mut rest = input;
    for _ in 0..MAX_WORDS {
        if rest.first() == Some(&b'<') {
            return Some(rest);
        }
        let (after, word) = if rest.first() == Some(&b'=') {
            let (after, word) = encoded_word(rest).ok()?;
            (after, Some(word))
        } else {
            (after_atom(rest)?, None)
        };
        let end = offset(body, after);
        let next = trim_start(after);
        let blanks = slice(after, 0, after.len() - next.len());
        let ends = next.first() == Some(&b'<');
        if blanks.is_empty() && !ends {
            return None;
        }
        let is_folded = !ends && blanks.iter().any(|octet| matches!(octet, b'\r' | b'\n'));
        if (word.is_some() || is_folded) && matches!(name, DisplayName::Literal(_)) {
            *name = DisplayName::Pieces(Builder::from(body, start), end);
        }
        match name {
            DisplayName::Literal(octets) => *octets = slice(body, start, end),
            DisplayName::Pieces(pieces, name_end) => {
                *name_end = end;
                if let Some(word) = word {
                    pieces.strict_word(word.at(offset(body, rest))?);
                }
            }
        }
        rest = next;
    }
    None
}

/// The octets after an atom of a name. `None` if the atom has a full stop, which only the obsolete
/// grammar allows.
///
/// > phrase = 1*word / obs-phrase
fn after_atom(input: &[u8]) -> Option<&[u8]> {
    let length = plain_atom(input);
    work(length);
    let (atom, rest) = input.split_at_checked(length)?;
    (length > 0 && !atom.contains(&b'.')).then_some(rest)
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::proptest;

    use super::super::{Entry, read};
    use super::mailbox;
    use crate::header::tests::{kinds, shown};
    use crate::report::Report;

    /// Names, addresses and findings of a list.
    fn entries(body: &str) -> Vec<String> {
        let mut entries = Vec::new();
        let report = read(body.as_bytes(), |entry| {
            if let Entry::Mailbox(mailbox) = entry {
                let name = shown(mailbox.name.as_slice());
                entries.push(format!("{name}<{}>", mailbox.addr_spec.escape_ascii()));
            }
            ControlFlow::Continue(())
        });
        entries.push(kinds(&report));
        entries
    }

    proptest! {
        /// A comment before a mailbox has no meaning; such a mailbox is left to the lexer.
        #[test]
        fn strict_mailboxes_match_the_lexer(
            one in "((\"[a, ]{0,3}\"|a|b\\.c|=\\?utf-8\\?q\\?d\\?=|=|@| |\r\n |é){0,5}<)?[a.]{0,2}@b(\\.c)?>?",
        ) {
            let is_strict = mailbox(one.as_bytes(), one.as_bytes(), false, &mut Report::new()).is_some();
            if is_strict && !one.contains("..") && !one.contains(".@") {
                let two = format!("{one}, {one}");
                assert_eq!(entries(&one), entries(&format!("() {one}")), "{one}");
                assert_eq!(entries(&two), entries(&format!("() {one}, () {one}")), "{two}");
            }
        }
    }

    #[test]
    fn strict_mailboxes() {
        for (body, name) in [
            ("a.b@c.example", Some("")),
            ("<a@b>  ,", Some("")),
            ("Anna Berg <a@b>", Some("Anna Berg")),
            ("\"Berg, Anna\"<a@b>", Some("Berg, Anna")),
            (
                "=?utf-8?q?a?=\r\n =?utf-8?q?b?= c <a@b>",
                Some("{Phrase utf-8 Q a}~ {Phrase utf-8 Q b} c"),
            ),
            ("A. Berg <a@b>", None),
            ("Anna (c) <a@b>", None),
            ("a=?utf-8?q?b?= <a@b>", None),
            ("\"=?utf-8?q?b?=\" <a@b>", None),
            ("Anna <a@b", None),
            ("Anna a@b", None),
            ("a@b;", None),
            (".a@b", None),
            ("a@b@c", None),
        ] {
            let strict = mailbox(body.as_bytes(), body.as_bytes(), false, &mut Report::new());
            let strict = strict.map(|(_, mailbox)| shown(mailbox.name.as_slice()));
            assert_eq!(strict.as_deref(), name, "{body}");
        }
    }
}
