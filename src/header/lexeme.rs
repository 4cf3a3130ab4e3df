//! A structured field as a sequence of lexemes (RFC 5322, section 3.2).
//!
//! The lexer runs before decoding: it never reads the text of an encoded word (RFC 2047, section 6.2).

use memchr::{memchr, memmem};
use nom::Parser;
use nom::branch::alt;

use super::classes::{ESCAPE, is_plain_atom};
use super::encoded_word::{WordForm, encoded_word};
use super::loose_word::{loose_phrase_word, may_open, word_at};
use super::opening::opening;
use super::token::{
    FieldReader, QuotedString, bracketed_name, domain_literal, escape_run, quoted_pair,
    quoted_string, slice, trim_start,
};
use crate::report::{Kind, Report};
use crate::work::work;

/// The class of a lexeme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// White space, including folds.
    Blank,
    /// A comment; `inner` is its content without parentheses.
    Comment,
    /// A quoted string; `inner` is its content without quotes.
    Quoted,
    /// A domain literal, or other text in brackets.
    Literal,
    /// Adjacent atoms and full stops, and in an address list also at signs.
    Atom,
    /// An encoded word. It may contain specials, though the standard forbids them.
    Word,
    /// One of the specials, or a stray quoted pair.
    Special(u8),
    /// An unmatched angle bracket in an address list.
    ExtraBracket,
}

/// A lexeme and its range in the field body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) class: Class,
    /// The length of the closing delimiter: 0 for an unclosed comment, and for a quoted string whose
    /// closing quote an encoded word contains; 3 for a quoted string followed by the
    /// [end of an encoded word](Lexeme::quote_end).
    closing: u8,
    /// The number of at signs in an atom, up to 255.
    pub(super) at_signs: u8,
    /// Whether white space before the lexeme was [skipped](Lexemes::skip_blanks).
    pub(super) has_gap: bool,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Lexeme {
    pub(super) fn new(class: Class, start: usize, end: usize) -> Self {
        Lexeme {
            class,
            closing: 1,
            at_signs: 0,
            has_gap: false,
            start,
            end,
        }
    }

    /// Splits an atom into at signs and atoms without at signs. Yields any other lexeme unchanged.
    pub(super) fn split_at_signs(self, body: &[u8]) -> impl Iterator<Item = Lexeme> {
        let mut start = self.start;
        std::iter::from_fn(move || {
            let rest = slice(body, start, self.end);
            let part = match rest.first()? {
                _ if self.at_signs == 0 => self,
                b'@' => Lexeme {
                    class: Class::Special(b'@'),
                    end: start + 1,
                    ..self
                },
                _ => Lexeme {
                    end: start + memchr(b'@', rest).unwrap_or(rest.len()),
                    ..self
                },
            };
            let part = Lexeme {
                start,
                at_signs: 0,
                has_gap: self.has_gap && start == self.start,
                ..part
            };
            start = part.end;
            Some(part)
        })
    }

    /// The range without quotes, parentheses or brackets; the whole range for other lexemes.
    pub(super) fn inner(&self) -> (usize, usize) {
        match self.class {
            Class::Comment | Class::Quoted | Class::Literal => {
                (self.start + 1, self.end - usize::from(self.closing))
            }
            _ => (self.start, self.end),
        }
    }

    /// The offset after the closing quote. An encoded word may end after it, with `?=`.
    pub(super) fn quote_end(&self) -> usize {
        self.end - usize::from(self.closing.saturating_sub(1))
    }

    /// Whether the lexeme is a quoted string that ends with an encoded word.
    pub(super) fn ends_with_word(&self) -> bool {
        self.class == Class::Quoted && self.closing != 1
    }

    /// Whether the lexeme is an atom that begins with a full stop or an at sign, which joins it to the
    /// lexeme before it.
    pub(super) fn joins_before(&self, body: &[u8]) -> bool {
        self.class == Class::Atom && matches!(body.get(self.start), Some(b'.' | b'@'))
    }

    /// Whether the lexeme is an atom that ends with a full stop or an at sign, which joins it to the
    /// lexeme after it.
    pub(super) fn joins_after(&self, body: &[u8]) -> bool {
        let last = self.end.saturating_sub(1);
        self.class == Class::Atom && matches!(body.get(last), Some(b'.' | b'@'))
    }

    pub(super) fn is_special(&self, special: u8) -> bool {
        self.class == Class::Special(special)
    }

    /// Whether the lexeme is part of a name or an address.
    pub(super) fn is_text(&self) -> bool {
        !matches!(
            self.class,
            Class::Blank | Class::Comment | Class::ExtraBracket
        )
    }

    /// Whether the lexeme separates addresses, or an address from the text around it.
    pub(super) fn is_separator(&self) -> bool {
        matches!(self.class, Class::Special(b'<' | b'>' | b',' | b';' | b':'))
    }
}

/// Iterates over the lexemes of a field body, and collects findings.
#[derive(Debug)]
pub(super) struct Lexemes<'a> {
    pub(super) field: FieldReader<'a>,
    /// Skips comments after an encoded word, to find an at sign. Has no findings: the lexer reads the comments
    /// later. Remembers an unclosed comment, so that many words before it take linear time.
    gaps: FieldReader<'a>,
    rest: &'a [u8],
    /// Whether an encoded word is one lexeme, even with specials in it. RFC 2047, section 5, forbids
    /// specials in the words of a phrase, but some mailers write `=?utf-8?Q?Doe,_Joe?= <joe@example.org>`
    /// for one mailbox.
    pub(super) words: bool,
    /// Whether the field has parameters.
    pub(super) parameters: bool,
    /// Whether at signs belong to atoms.
    pub(super) addresses: bool,
    /// The meaning of an opening bracket.
    pub(super) brackets: Brackets,
    /// Which closing delimiters may still follow. Cleared after an unclosed quote or bracket, so that the
    /// field is searched for its closing delimiter only once.
    closes: Closes,
}

/// The meaning of an opening bracket, which depends on the text before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Brackets {
    /// A domain literal.
    Literal,
    /// A word of a name, as in `[list] Joe <joe@example.org>`.
    Name,
    /// An ordinary character.
    Nothing,
}

#[derive(Debug)]
struct Closes {
    quote: bool,
    bracket: bool,
}

impl<'a> Lexemes<'a> {
    pub(super) fn new(body: &'a [u8]) -> Self {
        Lexemes {
            field: FieldReader::new(body),
            gaps: FieldReader::new(body),
            rest: body,
            words: true,
            parameters: false,
            addresses: false,
            brackets: Brackets::Literal,
            closes: Closes {
                quote: true,
                bracket: true,
            },
        }
    }

    /// The rest of the field body.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether a quotation mark may begin a quoted string: not after an unclosed quotation mark.
    pub(super) fn may_quote(&self) -> bool {
        self.closes.quote
    }

    /// Continues at `rest`, after text that was parsed without lexemes.
    pub(super) fn resume_at(&mut self, rest: &'a [u8]) {
        self.rest = rest;
    }

    /// The lexeme between `input` and `rest`.
    fn found(&self, input: &[u8], rest: &[u8], class: Class) -> Lexeme {
        Lexeme::new(class, self.field.offset(input), self.field.offset(rest))
    }

    /// Parses a quoted string or a bracketed lexeme. `None` if it is not closed.
    fn bracketed(&mut self, input: &'a [u8], first: u8) -> Option<Lexeme> {
        let rule = match (first, self.brackets) {
            (b'"', _) if self.closes.quote => {
                if let Some(QuotedString { rest, content, .. }) = quoted_string(input) {
                    return Some(self.quoted(input, rest, content));
                }
                if let Some(rest) = self.after_closing_word(input) {
                    return Some(Lexeme {
                        closing: 0,
                        ..self.found(input, rest, Class::Quoted)
                    });
                }
                self.closes.quote = false;
                self.note_unclosed(input);
                return None;
            }
            (b'[', Brackets::Literal) if self.closes.bracket => domain_literal,
            (b'[', Brackets::Name) if self.closes.bracket => bracketed_name,
            _ => return None,
        };
        let unsearched = match rule(input) {
            Ok((rest, _)) => return Some(self.found(input, rest, Class::Literal)),
            Err(nom::Err::Error(error)) => error.input,
            Err(_) => b"",
        };
        if unsearched.is_empty() {
            self.closes.bracket = false;
        } else if self.brackets == Brackets::Name {
            // `display_name` reports the unquoted specials.
            return None;
        }
        self.note_unclosed(input);
        None
    }

    /// A quoted string. If its closing quote is inside an encoded word, as in
    /// `"A =?utf-8?Q?=C3=A9"?=`, the string extends to the `?=`: a word may not contain quotes (RFC
    /// 2047, section 5, rule 3).
    fn quoted(&mut self, input: &'a [u8], rest: &'a [u8], content: &[u8]) -> Lexeme {
        match rest.strip_prefix(b"?=") {
            Some(after) if self.words && ends_in_open_word(content) => {
                let detail = "the end of an encoded word after the closing quote";
                self.field.note(Kind::EncodedWordSyntax, rest, 2, detail);
                Lexeme {
                    closing: 3,
                    ..self.found(input, after, Class::Quoted)
                }
            }
            _ => self.found(input, rest, Class::Quoted),
        }
    }

    /// The octets after the encoded word that closes the quoted string at the start of `input`: its text
    /// ends with the closing quote, as in `"A =?utf-8?Q?=C3=A9=22?= <a@example.org>`. Some mailers encode
    /// each word of a name alone, with its quotes.
    fn after_closing_word(&mut self, input: &'a [u8]) -> Option<&'a [u8]> {
        let is_end = |octet: &u8| matches!(octet, b'<' | b'>' | b'@' | b'\\');
        let end = input.iter().position(is_end).unwrap_or(input.len());
        work(end);
        let mut quotes = 0;
        let mut at = 1;
        while self.words
            && !self.parameters
            && let Some(found) = opening(slice(input, at, end))
        {
            at += found;
            let rest = slice(input, at, input.len());
            let Some(rest) = self.after_word(rest) else {
                at += 2;
                continue;
            };
            let after = input.len() - rest.len();
            let word = word_at(input, at, after, &mut Report::new());
            let text = word.and_then(|word| word.lone_text())?;
            quotes += text.matches('"').count();
            if quotes % 2 == 1 && text.ends_with('"') {
                return Some(rest);
            }
            at = after;
        }
        None
    }

    fn note_unclosed(&mut self, input: &'a [u8]) {
        let detail = "an unclosed quote or bracket, skipped";
        self.field.note(Kind::Unterminated, input, 1, detail);
    }

    /// A comment. An unclosed comment extends to the end of the field, with two exceptions (RFC 7103,
    /// section 7.1.4). In a parameter list, the unclosed parenthesis is part of a value. In an
    /// address list, if an at sign follows, the parenthesis is part of a name.
    fn comment(&mut self, input: &'a [u8]) -> Option<Lexeme> {
        if let Some(rest) = self.field.skip_comment(input) {
            return Some(self.found(input, rest, Class::Comment));
        }
        if self.parameters {
            return None;
        }
        if self.addresses && self.field.has_at_sign_after(input) {
            self.note_unclosed(input);
            // Skips all adjacent parentheses at once: a field may have many.
            let run = input.iter().take_while(|&&octet| octet == b'(').count();
            work(run);
            let rest = slice(input, run, input.len());
            return Some(self.found(input, rest, Class::Special(b'(')));
        }
        let detail = "a comment without its closing parenthesis";
        self.field
            .note(Kind::Unterminated, input, input.len(), detail);
        Some(Lexeme {
            closing: 0,
            ..self.found(input, b"", Class::Comment)
        })
    }

    /// Returns the octets after the encoded word at the start of `input`. `None` if encoded words are not
    /// lexemes here, or if an at sign follows: RFC 2047, section 5, rule 3, forbids encoded words in an
    /// address. In a parameter list, a parenthesis may not begin a comment.
    fn after_word(&mut self, input: &'a [u8]) -> Option<&'a [u8]> {
        if !self.words || !may_open(input) {
            return None;
        }
        let mut word = alt((encoded_word.map(|_| ()), loose_phrase_word));
        let (rest, ()) = word.parse(input).ok()?;
        let next = if self.parameters {
            trim_start(rest)
        } else {
            self.gaps.skip_cfws(rest)
        };
        (!next.starts_with(b"@")).then_some(rest)
    }

    /// A lexeme that is neither white space nor an atom of plain octets.
    #[inline(never)]
    fn other(&mut self, input: &'a [u8], first: u8) -> Lexeme {
        let found = match first {
            b'(' => self.comment(input),
            b'"' | b'[' => self.bracketed(input, first),
            b'\\' => quoted_pair(input)
                .ok()
                .map(|(rest, _)| self.found(input, rest, Class::Special(first))),
            b'=' => match self.after_word(input) {
                Some(rest) => Some(self.found(input, rest, Class::Word)),
                None => Some(self.atom(input)),
            },
            ESCAPE => match escape_run(input).and_then(|run| input.get(run..)) {
                Some(rest) => Some(self.found(input, rest, Class::Atom)),
                None => Some(self.atom(input)),
            },
            _ if is_plain_atom(first) || first == b'@' && self.addresses => Some(self.atom(input)),
            _ => None,
        };
        found.unwrap_or_else(|| {
            work(1);
            let rest = slice(input, 1, input.len());
            self.found(input, rest, Class::Special(first))
        })
    }

    /// An atom. Any first octet is accepted:
    ///
    /// > atom = \[CFWS\] 1*atext \[CFWS\]
    ///
    /// without comments and white space, but with full stops. It ends before an encoded word.
    fn atom(&mut self, input: &'a [u8]) -> Lexeme {
        let mut at_signs = u8::from(input.first() == Some(&b'@'));
        let mut length = 1;
        loop {
            let rest = input.get(length..).unwrap_or_default();
            let run = plain_atom(rest);
            length += run;
            let rest = rest.get(run..).unwrap_or_default();
            let continues = match rest {
                [b'=', b'?', ..] => self.after_word(rest).is_none(),
                [b'=', ..] => true,
                [ESCAPE, ..] => escape_run(rest).is_none(),
                [b'@', ..] => self.addresses,
                _ => false,
            };
            if !continues {
                work(length);
                return Lexeme {
                    at_signs,
                    ..self.found(input, rest, Class::Atom)
                };
            }
            at_signs = at_signs.saturating_add(u8::from(rest.first() == Some(&b'@')));
            length += 1;
        }
    }
}

/// The length of an atom, or of its part before an equals sign or an escape.
#[inline]
pub(super) fn plain_atom(input: &[u8]) -> usize {
    let stops = |&octet: &u8| !is_plain_atom(octet);
    input.iter().position(stops).unwrap_or(input.len())
}

/// Whether text ends with an encoded word that lacks its `?=`.
fn ends_in_open_word(text: &[u8]) -> bool {
    let word =
        memmem::rfind(text, b"=?").and_then(|at| word_at(text, at, text.len(), &mut Report::new()));
    word.is_some_and(|word| word.form == WordForm::Unclosed)
}

impl Lexemes<'_> {
    /// Skips white space. Returns whether there was any.
    pub(super) fn skip_blanks(&mut self) -> bool {
        let rest = trim_start(self.rest);
        let has_blanks = rest.len() < self.rest.len();
        self.rest = rest;
        has_blanks
    }

    /// The next lexeme, if it is an atom of plain octets with at most one at sign.
    #[inline]
    fn plain_atom(&self) -> Option<Lexeme> {
        let input = self.rest;
        let mut length = plain_atom(input);
        let mut at_signs = 0;
        if self.addresses && length > 0 && input.get(length) == Some(&b'@') {
            at_signs = 1;
            length += 1 + plain_atom(input.get(length + 1..)?);
        }
        let rest = input.get(length..)?;
        // These octets may continue the atom.
        if length == 0 || matches!(rest.first(), Some(b'=' | b'@' | &ESCAPE)) {
            return None;
        }
        work(length);
        Some(Lexeme {
            at_signs,
            ..self.found(input, rest, Class::Atom)
        })
    }

    /// The next lexeme. `has_gap` records that the caller skipped white space before it.
    #[inline]
    pub(super) fn lexeme(&mut self, has_gap: bool) -> Option<Lexeme> {
        let input = self.rest;
        let lexeme = match self.plain_atom() {
            Some(atom) => atom,
            None => self.other(input, *input.first()?),
        };
        let body = self.field.body;
        self.rest = slice(body, lexeme.end, body.len());
        Some(Lexeme { has_gap, ..lexeme })
    }
}

impl Iterator for Lexemes<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        let start = self.field.offset(self.rest);
        if self.skip_blanks() {
            let end = self.field.offset(self.rest);
            return Some(Lexeme::new(Class::Blank, start, end));
        }
        self.lexeme(false)
    }
}
