//! A member of a list of addresses: what stands up to a comma or its like, in lexemes.

use std::ops::Range;

use crate::header::encoded_word::Place;
use crate::header::lexeme::{Class, Lexeme};

/// A member of the list, up to its comma or its like.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) lexemes: Vec<Lexeme>,
    /// Where in `lexemes` the angle bracket opens.
    pub(super) open: Option<usize>,
    /// Where in `lexemes` it closes; `None` also where it never does.
    pub(super) close: Option<usize>,
    pub(super) has_at: bool,
    /// Where in `lexemes` commas stand that part mailboxes, unless a name goes on behind them.
    pub(super) commas: Vec<usize>,
    /// Whether anything stands behind the last of them.
    pub(super) has_text: bool,
    /// What was last of it, white space and comments aside.
    pub(super) last: Option<Class>,
    /// What stands behind the opening angle bracket.
    pub(super) in_brackets: InBrackets,
    /// Whether the angle bracket began with a route that is not over.
    pub(super) in_route: bool,
    pub(super) end: End,
    /// Where in the body its end is over.
    pub(super) after: usize,
}

/// What stands in angle brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InBrackets {
    /// Nothing but white space and comments.
    Nothing,
    /// Words, which may be of a name.
    Words,
    /// An at sign or a colon as well.
    Address,
}

/// What ends a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Comma,
    /// The name of a group is over.
    Colon,
    /// A group is over.
    Semicolon,
    Field,
}

impl Member {
    /// One that the field ends, which has `length` octets.
    pub(super) fn new(length: usize) -> Self {
        Member {
            lexemes: Vec::new(),
            open: None,
            close: None,
            has_at: false,
            commas: Vec::new(),
            has_text: false,
            last: None,
            in_brackets: InBrackets::Nothing,
            in_route: false,
            end: End::Field,
            after: length,
        }
    }

    /// Whether the name that it begins with may go on behind `comma`.
    pub(super) fn may_go_on_behind(&self, comma: &Lexeme) -> bool {
        let is_comma = comma.class == Class::Special(b',');
        is_comma && self.open.is_none() && !self.has_at && self.has_text
    }

    /// Its lexemes, each with the kind of words that may stand in it.
    pub(super) fn places(&self) -> impl Iterator<Item = (Lexeme, Option<Place>)> {
        let address = self.address();
        self.lexemes
            .iter()
            .enumerate()
            .map(move |(index, &lexeme)| {
                let in_address = address.contains(&index);
                let place = match lexeme.class {
                    Class::Atom | Class::Word | Class::Blank => {
                        (!in_address).then_some(Place::Phrase)
                    }
                    Class::Quoted => (!in_address).then_some(Place::QuotedString),
                    Class::Comment => Some(Place::Comment),
                    Class::Literal | Class::Special(_) => None,
                };
                (lexeme, place)
            })
    }

    pub(super) fn in_angle(&self) -> bool {
        self.open.is_some() && self.close.is_none()
    }

    /// Where it begins and ends, without white space.
    pub(super) fn span(&self) -> (usize, usize) {
        let lexemes = || {
            self.lexemes
                .iter()
                .filter(|lexeme| lexeme.class != Class::Blank)
        };
        let start = lexemes().next().map_or(self.after, |first| first.start);
        (start, lexemes().next_back().map_or(start, |last| last.end))
    }

    /// The lexemes that are its address.
    ///
    /// > mailbox = name-addr / addr-spec
    pub(super) fn address(&self) -> Range<usize> {
        if let Some(open) = self.open {
            return open + 1..self.close.unwrap_or(self.lexemes.len());
        }
        let is_at = |lexeme: &Lexeme| lexeme.class == Class::Special(b'@');
        if let Some(at) = self.lexemes.iter().position(is_at) {
            return self.local_part_before(at)..self.domain_after(at);
        }
        // `root` and `postmaster`: mail that never left its machine has them.
        let mut texts = self
            .lexemes
            .iter()
            .enumerate()
            .filter(|(_, lexeme)| lexeme.is_text());
        match (texts.next(), texts.next()) {
            (Some((only, lexeme)), None) if lexeme.class == Class::Atom => only..only + 1,
            _ => self.lexemes.len()..self.lexemes.len(),
        }
    }

    /// The lexemes before the address and those behind it, without its angle brackets.
    pub(super) fn around(&self, address: &Range<usize>) -> (&[Lexeme], &[Lexeme]) {
        let (before, after) = match self.open {
            Some(open) => (open, address.end + 1),
            None => (address.start, address.end),
        };
        let before = self.lexemes.get(..before).unwrap_or_default();
        (before, self.lexemes.get(after..).unwrap_or_default())
    }

    /// Where the local part before the at sign at `at` begins.
    ///
    /// > local-part = dot-atom / quoted-string / obs-local-part
    ///
    /// > obs-local-part = word *("." word)
    ///
    /// What touches it belongs to it, allowed there or not: what is left of `a[b@example.org`
    /// without its beginning is the address of somebody else.
    pub(super) fn local_part_before(&self, at: usize) -> usize {
        let mut start = at;
        for (index, lexeme) in self.lexemes.iter().enumerate().take(at).rev() {
            match lexeme.class {
                Class::Blank | Class::Comment => {}
                _ if lexeme.is_separator() => break,
                _ if start == at || self.joins(index, start) => start = index,
                _ => break,
            }
        }
        self.without_quotes(start, at).0
    }

    /// Where the domain behind the at sign at `at` is over. Further at signs belong to it,
    /// so that no half of `a@b@c` is taken for an address, and so does what touches it.
    ///
    /// > domain = dot-atom / domain-literal / obs-domain
    ///
    /// > obs-domain = atom *("." atom)
    pub(super) fn domain_after(&self, at: usize) -> usize {
        let mut last = at;
        for (index, lexeme) in self.lexemes.iter().enumerate().skip(at + 1) {
            match lexeme.class {
                Class::Blank | Class::Comment => {}
                _ if lexeme.is_separator() => break,
                Class::Special(b'@') => last = index,
                _ if self.joins_domain(last, index) || self.joins(last, index) => last = index,
                _ => break,
            }
        }
        self.without_quotes(at + 1, last + 1).1
    }

    /// The range without the quotes at its ends that no other closes: they were to stand around
    /// a name.
    pub(super) fn without_quotes(&self, start: usize, end: usize) -> (usize, usize) {
        let is_quote = |lexeme: &&Lexeme| !lexeme.is_text() || lexeme.class == Class::Special(b'"');
        let range = self.lexemes.get(start..end).unwrap_or_default();
        let before = range.iter().take_while(is_quote).count();
        let behind = range.iter().rev().take_while(is_quote).count();
        (start + before, end.saturating_sub(behind).max(start))
    }

    pub(super) fn joins_domain(&self, last: usize, index: usize) -> bool {
        let class = |index: usize| self.lexemes.get(index).map(|lexeme| lexeme.class);
        class(last) == Some(Class::Special(b'@'))
            && matches!(
                class(index),
                Some(Class::Atom | Class::Word | Class::Literal | Class::Special(b'['))
            )
    }

    /// Whether nothing stands between two lexemes, or a full stop joins them.
    pub(super) fn joins(&self, first: usize, second: usize) -> bool {
        let lexeme = |index| self.lexemes.get(index);
        let touches = match (lexeme(first), lexeme(second)) {
            (Some(first), Some(second)) => first.end == second.start,
            _ => false,
        };
        touches || self.dot_joins(first, second)
    }

    pub(super) fn dot_joins(&self, first: usize, second: usize) -> bool {
        let lexeme = |index| self.lexemes.get(index);
        lexeme(first).is_some_and(|lexeme| lexeme.dots.1)
            || lexeme(second).is_some_and(|lexeme| lexeme.dots.0)
    }
}

/// How many lexemes of one member are read. Those of real addresses are in the dozens.
pub(super) const MAX_LEXEMES: usize = 4096;
