//! A structured field as a run of lexemes (RFC 5322, section 3.2).
//!
//! This comes before anything is decoded: what an encoded word says is never looked at
//! here (RFC 2047, section 6.2).

use nom::branch::alt;
use nom::bytes::complete::take_while;
use nom::error::ErrorKind;
use nom::{IResult, Parser};

use super::encoded_word::{encoded_word, loose_phrase_word, may_open};
use super::token::{
    ESCAPE, Field, blanks, bracketed_name, cfws, comment, domain_literal, escape_run, is_atom,
    is_blank, no_match, quoted_pair, quoted_string, slice,
};
use crate::report::Kind;
use crate::work::work;

/// What a lexeme is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// White space, folds included.
    Blank,
    /// A comment; `inner` is what its parentheses hold.
    Comment,
    /// A quoted string; `inner` is what its quotes hold.
    Quoted,
    /// A domain literal, or what stands in brackets where none may.
    Literal,
    /// Atoms and full stops.
    Atom,
    /// An encoded word, which may hold specials where its mailer was careless.
    Word,
    /// One of the specials, or a stray quoted pair.
    Special(u8),
}

/// A lexeme and where in the field body it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lexeme {
    pub(super) class: Class,
    pub(super) start: usize,
    pub(super) end: usize,
    /// The range without quotes or parentheses; of other lexemes the whole range.
    pub(super) inner: (usize, usize),
    /// Whether it is an atom that begins and one that ends with a full stop.
    pub(super) dots: (bool, bool),
}

impl Lexeme {
    /// Whether it is more than white space or a comment.
    pub(super) fn is_text(&self) -> bool {
        !matches!(self.class, Class::Blank | Class::Comment)
    }

    /// Whether it separates the addresses of a list, or an address from what stands around it.
    pub(super) fn is_separator(&self) -> bool {
        matches!(self.class, Class::Special(b'<' | b'>' | b',' | b';' | b':'))
    }
}

/// Gives the lexemes of a field body one by one, and collects findings.
#[derive(Debug)]
pub(super) struct Lexemes<'a> {
    pub(super) field: Field<'a>,
    rest: &'a [u8],
    /// Whether an encoded word is one lexeme, specials and all. RFC 2047, section 5, keeps
    /// specials out of the words of a phrase; mailers that forget write
    /// `=?utf-8?Q?Doe,_Joe?= <joe@example.org>`, and mean one mailbox.
    pub(super) words: bool,
    /// Whether the field has parameters.
    pub(super) parameters: bool,
    /// What a bracket that opens begins.
    pub(super) brackets: Brackets,
    /// Cleared when a quote or a bracket was not closed, so that its close is searched for once.
    closes: Closes,
}

/// What a bracket that opens begins, which depends on what stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Brackets {
    /// A domain literal.
    Literal,
    /// A word of a name, as in `[list] Joe <joe@example.org>`.
    Name,
    /// Nothing: it is a character like any other.
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
            field: Field::new(body),
            rest: body,
            words: true,
            parameters: false,
            brackets: Brackets::Literal,
            closes: Closes {
                quote: true,
                bracket: true,
            },
        }
    }

    /// What is not yet in lexemes.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Goes on at `rest`, behind something that was read without lexemes.
    pub(super) fn go_on_at(&mut self, rest: &'a [u8]) {
        self.rest = rest;
    }

    /// A quoted string or a domain literal, and the length of what it holds.
    fn bracketed(&mut self, input: &'a [u8], first: u8) -> Option<(&'a [u8], Class, usize)> {
        let (found, class) = match (first, self.brackets) {
            (b'"', _) if self.closes.quote => (quoted_string(input), Class::Quoted),
            (b'[', Brackets::Literal) if self.closes.bracket => {
                (domain_literal(input), Class::Literal)
            }
            (b'[', Brackets::Name) if self.closes.bracket => {
                (bracketed_name(input), Class::Literal)
            }
            _ => return None,
        };
        let unsearched = match found {
            Ok((rest, content)) => return Some((rest, class, content.len())),
            Err(nom::Err::Error(error)) if class == Class::Literal => error.input,
            Err(_) => b"",
        };
        if unsearched.is_empty() {
            match class {
                Class::Quoted => self.closes.quote = false,
                _ => self.closes.bracket = false,
            }
        } else if self.brackets == Brackets::Name {
            // The name has characters that need quotes, which whoever reads the name reports.
            return None;
        }
        let at = self.field.offset(input);
        let detail = "a quote or a bracket that is not closed, passed over";
        self.field.report.add(Kind::Unterminated, at, 1, detail);
        None
    }

    /// A comment, and the length of what it holds; an unclosed one ends with the field, but in a
    /// list of parameters, where its parenthesis is one of a value.
    fn comment(&mut self, input: &'a [u8]) -> Option<(&'a [u8], Class, usize)> {
        let rest = if self.parameters {
            self.field.after_comment(input)
        } else {
            comment(input).ok().map(|(rest, _)| rest)
        };
        if let Some(rest) = rest {
            self.field.note_depth(input, rest);
            return Some((rest, Class::Comment, input.len() - rest.len() - 2));
        }
        if self.parameters {
            return None;
        }
        let detail = "a comment without its closing parenthesis";
        let at = self.field.offset(input);
        self.field
            .report
            .add(Kind::Unterminated, at, input.len(), detail);
        Some((b"", Class::Comment, input.len() - 1))
    }

    fn plain(&self, input: &'a [u8], first: u8) -> (&'a [u8], Class) {
        if is_blank(first) {
            let rest = blanks(input).map_or(b"".as_slice(), |(rest, _)| rest);
            return (rest, Class::Blank);
        }
        if first == b'\\'
            && let Ok((rest, _)) = quoted_pair(input)
        {
            return (rest, Class::Special(first));
        }
        let word = match (self.words, self.parameters) {
            (false, _) => None,
            (true, false) => Some(phrase_word as Rule),
            (true, true) => Some(value_word as Rule),
        };
        if first == b'='
            && let Some(word) = word
            && let Ok((rest, ())) = word(input)
        {
            return (rest, Class::Word);
        }
        if first == ESCAPE
            && let Some(run) = escape_run(input)
        {
            return (input.get(run..).unwrap_or_default(), Class::Atom);
        }
        if (is_atom(first) || first == ESCAPE)
            && let Ok((rest, _)) = atom(input, word)
        {
            return (rest, Class::Atom);
        }
        work(1);
        (input.get(1..).unwrap_or_default(), Class::Special(first))
    }
}

impl Iterator for Lexemes<'_> {
    type Item = Lexeme;

    fn next(&mut self) -> Option<Lexeme> {
        let input = self.rest;
        let first = *input.first()?;
        let bracketed = if first == b'(' {
            self.comment(input)
        } else {
            self.bracketed(input, first)
        };
        let start = self.field.offset(input);
        let (rest, class, inner) = if let Some((rest, class, length)) = bracketed {
            (rest, class, (start + 1, start + 1 + length))
        } else {
            let (rest, class) = self.plain(input, first);
            (rest, class, (start, self.field.offset(rest)))
        };
        self.rest = rest;
        let end = self.field.offset(rest);
        let dot = |at: usize| class == Class::Atom && self.field.body.get(at) == Some(&b'.');
        Some(Lexeme {
            class,
            start,
            end,
            inner,
            dots: (dot(start), dot(end - 1)),
        })
    }
}

/// A rule for an encoded word.
type Rule = fn(&[u8]) -> IResult<&[u8], ()>;

/// An encoded word that is not the local part of an address: none may stand there
/// (RFC 2047, section 5, rule 3).
pub(super) fn phrase_word(input: &[u8]) -> IResult<&[u8], ()> {
    word_before(input, cfws)
}

/// The same in the value of a parameter, where a parenthesis may open no comment.
fn value_word(input: &[u8]) -> IResult<&[u8], ()> {
    word_before(input, |rest| blanks(rest).map(|(rest, _)| (rest, ())))
}

/// An encoded word that no at sign follows behind what `gap` takes.
fn word_before(input: &[u8], gap: Rule) -> IResult<&[u8], ()> {
    if !may_open(input) {
        return Err(no_match(input, ErrorKind::Tag));
    }
    let (rest, ()) = alt((encoded_word.map(|_| ()), loose_phrase_word)).parse(input)?;
    let (after, ()) = gap(rest).unwrap_or((rest, ()));
    if after.first() == Some(&b'@') {
        return Err(no_match(input, ErrorKind::Not));
    }
    Ok((rest, ()))
}

/// > atom = [CFWS] 1*atext [CFWS]
///
/// with full stops, up to an encoded word by the rule `word`, where there is one.
fn atom(input: &[u8], word: Option<Rule>) -> IResult<&[u8], &[u8]> {
    let mut rest = input;
    while let Some(&first) = rest.first() {
        let begun = rest.len() < input.len() && rest.starts_with(b"=?");
        let is_in_it = is_atom(first) || first == ESCAPE && escape_run(rest).is_none();
        if !is_in_it || (begun && word.is_some_and(|word| word(rest).is_ok())) {
            break;
        }
        // A word begins with an equals sign, so everything up to the next is the atom's.
        let (_, after) = rest.split_first().unwrap_or((&0, b""));
        rest = take_while(|octet| is_atom(octet) && octet != b'=')(after)?.0;
    }
    let length = input.len() - rest.len();
    work(length);
    if length == 0 {
        return Err(no_match(input, ErrorKind::TakeWhile1));
    }
    Ok((rest, slice(input, 0, length)))
}
