//! Unstructured fields that keep every rule (RFC 5322, section 2.2.1; RFC 2047, sections 2 and 5),
//! as most subjects do.
//!
//! The pieces are those of [`pieces`](super::pieces), without the white space between two encoded
//! words, which is not shown (RFC 2047, section 6.2). Reading ends where the field first breaks a rule,
//! so a field that is read to its end has nothing to report.

use super::encoded_word::{Place, Word, strict_word};
use super::token::{line_ends, slice, text_length, trim_start};

/// A part of a field that keeps the rules.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StrictPiece<'a> {
    /// Printable ASCII, blanks and tabs.
    Text(&'a str),
    /// An encoded word.
    Word(Word<'a, 'a>),
}

/// The field breaks a rule here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RuleBroken;

/// Reads the pieces of an unstructured field body; after a [`RuleBroken`] there are no more.
#[derive(Debug)]
pub(crate) struct StrictPieces<'a> {
    body: &'a [u8],
    /// The body; nothing where it is not ASCII.
    text: &'a str,
    /// How many octets of text it begins with.
    plain: usize,
    at: usize,
    after_word: bool,
}

impl<'a> StrictPieces<'a> {
    /// Reads a body that begins with `plain` octets of text, as [`text_length`] counts them.
    pub(crate) fn new(body: &'a [u8], plain: usize) -> Self {
        // Once for all pieces: of a few octets at a time it takes as long as of all of them.
        let text = std::str::from_utf8(body).unwrap_or_default();
        StrictPieces {
            body,
            text,
            plain,
            at: 0,
            after_word: false,
        }
    }

    /// The text up to a fold or a word, or up to what is neither.
    #[inline]
    fn text(&mut self, rest: &'a [u8]) -> Result<StrictPiece<'a>, RuleBroken> {
        let start = self.at;
        self.at += match start {
            0 => self.plain,
            _ => text_length(rest),
        };
        self.after_word = false;
        match self.text.get(start..self.at) {
            None | Some("") => Err(RuleBroken),
            Some(text) => Ok(StrictPiece::Text(text)),
        }
    }

    /// The encoded word that comes next.
    #[inline]
    fn word(&mut self) -> Result<StrictPiece<'a>, RuleBroken> {
        let found = strict_word(self.body, self.at, Place::Text).ok_or(RuleBroken)?;
        self.at += found.length();
        self.after_word = true;
        Ok(StrictPiece::Word(found.strict(Place::Text)))
    }
}

impl<'a> Iterator for StrictPieces<'a> {
    type Item = Result<StrictPiece<'a>, RuleBroken>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let mut rest = slice(self.body, self.at, self.body.len());
        if self.after_word
            && let word @ [b'=', b'?', ..] = trim_start(rest)
            && let [.., b' ' | b'\t'] = slice(rest, 0, rest.len() - word.len())
        {
            self.at = self.body.len() - word.len();
            return Some(self.word());
        }
        if let [b'\r' | b'\n', ..] = rest {
            let (after, ends) = line_ends(rest)?;
            self.at += ends.len();
            if !matches!(after.first(), Some(b' ' | b'\t')) {
                return Some(Err(RuleBroken));
            }
            rest = after;
        }
        match rest {
            [] => None,
            [b'=', b'?', ..] => Some(self.word()),
            _ => Some(self.text(rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{StrictPiece, StrictPieces};
    use crate::header::{Piece, Syntax, pieces, text_length};

    /// What is read is what `pieces` reads, without a finding; `None` where it is not read
    /// to the end.
    #[track_caller]
    fn read(body: &str) -> Option<String> {
        let mut given = Vec::new();
        let plain = text_length(body.as_bytes());
        for piece in StrictPieces::new(body.as_bytes(), plain) {
            given.push(match piece.ok()? {
                StrictPiece::Text(text) => format!("[{}]", text.escape_default()),
                StrictPiece::Word(word) => {
                    format!("{} {}", word.offset(), word.source().escape_ascii())
                }
            });
        }
        let general = pieces(body.as_bytes(), Syntax::Unstructured);
        assert!(general.report().is_empty(), "{body:?}");
        let shown = |piece: &Piece<'_>| match piece {
            Piece::Text(text) if text.between_words() => String::new(),
            Piece::Text(text) => format!("[{}]", text.octets().escape_ascii()),
            Piece::Word(word) => format!("{} {}", word.offset(), word.source().escape_ascii()),
        };
        let general = general.as_slice().iter().map(shown);
        let general: Vec<_> = general.filter(|piece| !piece.is_empty()).collect();
        assert_eq!(given, general, "{body:?}");
        Some(given.concat())
    }

    #[test]
    fn what_keeps_the_rules() {
        let of = |body, expected: &str| assert_eq!(read(body).as_deref(), Some(expected));
        of("", "");
        of(" ", "[ ]");
        of("a = b\tc=", "[a = b\\tc=]");
        of(
            "one\r\n two\n\tthree\r\n\r\n four",
            "[one][ two][\\tthree][ four]",
        );
        of(" =?utf-8?Q?a?= b", "[ ]1 =?utf-8?Q?a?=[ b]");
        of(
            "a =?utf-8?q?b?=\r\n =?EUC-KR?B?xw==?=",
            "[a ]2 =?utf-8?q?b?=18 =?EUC-KR?B?xw==?=",
        );
        of(
            "=?utf-8?q?b?= \n\t=?utf-8?q?b?= \n a",
            "0 =?utf-8?q?b?=16 =?utf-8?q?b?=[ ][ a]",
        );
        let longest = format!("=?utf-8?Q?{}?=", "a".repeat(63));
        of(&longest, &format!("0 {longest}"));
    }

    #[test]
    fn what_departs_from_them() {
        let bodies = [
            "a\r\nb",
            "a\r\n",
            "a\x08",
            "a\x7F",
            "caf\u{e9}",
            "a=?utf-8?Q?b?=",
            "=?utf-8?Q?a?=b",
            "=?utf-8?Q?a b?=",
            "=?utf-8?Q??=",
            "=?utf-8*en?Q?a?=",
            "=?a.b?Q?a?=",
            "=?utf-8?X?a?=",
            "=?",
            "=?utf-8?Q?a?=\x0C",
            "=?utf-8?Q?a?==?utf-8?Q?a?=",
            "=?utf-8?Q?a?=\r\n",
            "=?utf-8?Q?a?= \r\n=?utf-8?Q?a?=",
        ];
        for body in bodies {
            assert_eq!(read(body), None, "{body:?}");
        }
        let too_long = format!("=?utf-8?Q?{}?=", "a".repeat(64));
        assert_eq!(read(&too_long), None);
    }
}
