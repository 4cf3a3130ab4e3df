//! A member of an address list: the lexemes up to a comma or another separator.

use std::ops::Range;

use crate::header::encoded_word::Place;
use crate::header::lexeme::{Class, Lexeme};

/// Maximum number of lexemes of one member. Real addresses have a few dozen.
pub(super) const MAX_LEXEMES: usize = 4096;

/// A member of an address list, up to its separator.
#[derive(Debug)]
pub(super) struct Member {
    /// The lexemes, without white space.
    pub(super) lexemes: Vec<Lexeme>,
    /// The number of lexemes read, including white space.
    pub(super) count: usize,
    /// Index of the opening angle bracket in `lexemes`.
    pub(super) open: Option<usize>,
    /// Index of the closing angle bracket, if any.
    pub(super) close: Option<usize>,
    pub(super) has_at: bool,
    /// Indexes of the commas that may separate mailboxes or belong to a name: not decided yet.
    pub(super) commas: Vec<usize>,
    /// Whether any text follows the last of these commas.
    pub(super) has_text: bool,
    /// The content so far: after the opening angle bracket, or of the whole member if there is no
    /// bracket.
    pub(super) bracket_content: BracketContent,
    /// Whether the content of the angle brackets began with a route, and its colon has not been read yet.
    pub(super) in_route: bool,
    pub(super) end: End,
    /// The offset in the body after the separator.
    pub(super) after: usize,
    /// The offsets of the start and the end of the member, without surrounding white space.
    pub(super) span: (usize, usize),
}

/// The content of a member or of its angle brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BracketContent {
    /// White space and comments only.
    Nothing,
    /// Words, possibly of a name.
    Words,
    /// Also an at sign or a colon.
    Address,
}

/// The end of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Comma,
    /// After a group name.
    Colon,
    /// At the end of a group.
    Semicolon,
    Field,
}

impl Member {
    /// An empty member of a field body of `length` octets, ending with the field.
    pub(super) fn new(length: usize) -> Self {
        Member::of(Vec::new(), End::Field, length)
    }

    /// A member without angle brackets.
    pub(super) fn of(lexemes: Vec<Lexeme>, end: End, after: usize) -> Self {
        Member {
            lexemes,
            count: 0,
            open: None,
            close: None,
            has_at: false,
            commas: Vec::new(),
            has_text: false,
            bracket_content: BracketContent::Nothing,
            in_route: false,
            end,
            after,
            span: (after, after),
        }
    }

    /// Clears the member, but keeps its buffer.
    pub(super) fn clear(&mut self, length: usize) {
        let mut lexemes = std::mem::take(&mut self.lexemes);
        lexemes.clear();
        *self = Member::of(lexemes, End::Field, length);
    }

    /// Whether the name of the member may continue after `comma`.
    pub(super) fn name_may_continue_after(&self, comma: &Lexeme) -> bool {
        comma.is_special(b',') && self.open.is_none() && !self.has_at && self.has_text
    }

    /// The lexemes and the white space between them, each with the place of any encoded words in
    /// it.
    pub(super) fn places(&self, body: &[u8]) -> impl Iterator<Item = (Lexeme, Option<Place>)> {
        let address = self.address(body);
        let mut end = self.span.0;
        self.lexemes
            .iter()
            .enumerate()
            .flat_map(move |(index, &lexeme)| {
                let in_address = address.contains(&index);
                let after_address = index > 0 && address.contains(&(index - 1));
                let blank_place = (!in_address || !after_address).then_some(Place::Phrase);
                let blank = (lexeme.has_gap && end < lexeme.start).then(|| {
                    let blank = Lexeme::new(Class::Blank, end, lexeme.start);
                    (blank, blank_place)
                });
                end = lexeme.end;
                let is_shown = lexeme.class != Class::ExtraBracket;
                let parts = lexeme.split_at_signs(body).filter(move |_| is_shown);
                let parts = parts.map(move |part| {
                    let place = match part.class {
                        Class::Atom | Class::Word if !in_address => Some(Place::Phrase),
                        Class::Quoted if !in_address => Some(Place::QuotedString),
                        Class::Comment => Some(Place::Comment),
                        _ => None,
                    };
                    (part, place)
                });
                blank.into_iter().chain(parts)
            })
    }

    /// Whether the member ends with an at sign, ignoring comments and white space.
    pub(super) fn ends_with_at_sign(&self, body: &[u8]) -> bool {
        let last = self.lexemes.iter().rfind(|lexeme| lexeme.is_text());
        last.is_some_and(|last| last.class == Class::Atom && body.get(last.end - 1) == Some(&b'@'))
    }

    pub(super) fn in_angle(&self) -> bool {
        self.open.is_some() && self.close.is_none()
    }

    pub(super) fn open(&mut self) {
        self.open = Some(self.lexemes.len());
        self.bracket_content = BracketContent::Nothing;
    }

    /// Appends a lexeme of a name or an address.
    ///
    /// > obs-route = obs-domain-list ":"
    #[inline]
    pub(super) fn add(&mut self, body: &[u8], lexeme: Lexeme) {
        if lexeme.at_signs > 0 {
            self.has_at = true;
            if self.bracket_content == BracketContent::Nothing {
                self.in_route = self.in_angle() && body.get(lexeme.start) == Some(&b'@');
            }
            self.bracket_content = BracketContent::Address;
        } else if self.bracket_content == BracketContent::Nothing {
            self.bracket_content = BracketContent::Words;
        }
        self.has_text = true;
        self.push(lexeme);
    }

    /// Appends a lexeme.
    #[inline]
    pub(super) fn push(&mut self, lexeme: Lexeme) {
        self.count += 1 + usize::from(lexeme.has_gap) + 2 * usize::from(lexeme.at_signs);
        self.lexemes.push(lexeme);
    }

    /// Sets the span of the member.
    #[inline]
    pub(super) fn measure(&mut self) {
        let is_shown = |lexeme: &&Lexeme| lexeme.class != Class::ExtraBracket;
        let start = self.lexemes.iter().find(is_shown);
        let start = start.map_or(self.after, |first| first.start);
        let end = self.lexemes.iter().rfind(is_shown);
        self.span = (start, end.map_or(start, |last| last.end));
    }

    /// The range of the lexemes that form the address.
    ///
    /// > mailbox = name-addr / addr-spec
    pub(super) fn address(&self, body: &[u8]) -> Range<usize> {
        if let Some(open) = self.open {
            return open + 1..self.close.unwrap_or(self.lexemes.len());
        }
        let is_at = |lexeme: &Lexeme| lexeme.at_signs > 0;
        if self.has_at
            && let Some(at) = self.lexemes.iter().position(is_at)
        {
            return self.local_part_before(at, body)..self.domain_after(at, body);
        }
        // A single word is an address too: `root` or `postmaster`, in mail that never left its machine.
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

    /// The lexemes before and after the address, without its angle brackets.
    pub(super) fn around(&self, address: &Range<usize>) -> (&[Lexeme], &[Lexeme]) {
        let (before, after) = match self.open {
            Some(open) => (open, address.end + 1),
            None => (address.start, address.end),
        };
        let before = self.lexemes.get(..before).unwrap_or_default();
        (before, self.lexemes.get(after..).unwrap_or_default())
    }

    /// The start of the local part of the first lexeme with an at sign, at index `at`.
    ///
    /// > local-part = dot-atom / quoted-string / obs-local-part
    ///
    /// > obs-local-part = word *("." word)
    ///
    /// All adjacent text belongs to the local part, even if the grammar forbids it: `b@example.org` out
    /// of `a[b@example.org` would be another person's address.
    fn local_part_before(&self, at: usize, body: &[u8]) -> usize {
        let before = self.lexemes.get(..at).unwrap_or_default();
        let mut start = at;
        let Some(mut first) = self.lexemes.get(at) else {
            return at;
        };
        for (index, lexeme) in before.iter().enumerate().rev() {
            match lexeme.class {
                _ if !lexeme.is_text() => {}
                _ if !lexeme.is_separator() && are_joined(lexeme, first, body) => {
                    (start, first) = (index, lexeme);
                }
                _ => break,
            }
        }
        start + unclosed_quotes(self.lexemes.get(start..at).unwrap_or_default().iter())
    }

    /// The end of the domain that begins in the lexeme at index `at`. Further at signs and adjacent text
    /// belong to it, so that no half of `a@b@c` becomes an address.
    ///
    /// > domain = dot-atom / domain-literal / obs-domain
    ///
    /// > obs-domain = atom *("." atom)
    fn domain_after(&self, at: usize, body: &[u8]) -> usize {
        let mut end = at + 1;
        let Some(mut last) = self.lexemes.get(at) else {
            return end;
        };
        for (index, lexeme) in self.lexemes.iter().enumerate().skip(at + 1) {
            let may_be_domain = matches!(
                lexeme.class,
                Class::Atom | Class::Word | Class::Literal | Class::Special(b'[')
            );
            let follows_at_sign = body.get(last.end - 1) == Some(&b'@') && last.end < lexeme.start;
            match lexeme.class {
                _ if !lexeme.is_text() => {}
                _ if lexeme.is_separator() => break,
                _ if follows_at_sign && !may_be_domain => break,
                _ if are_joined(last, lexeme, body) => (end, last) = (index + 1, lexeme),
                _ => break,
            }
        }
        let range = self.lexemes.get(at + 1..end).unwrap_or_default();
        end - unclosed_quotes(range.iter().rev())
    }
}

/// The number of leading lexemes that are not text, or are unpaired quotation marks meant to
/// surround a name.
fn unclosed_quotes<'l>(lexemes: impl Iterator<Item = &'l Lexeme>) -> usize {
    lexemes
        .take_while(|lexeme| !lexeme.is_text() || lexeme.is_special(b'"'))
        .count()
}

/// Whether nothing separates two lexemes, or a full stop or an at sign joins them.
fn are_joined(one: &Lexeme, next: &Lexeme, body: &[u8]) -> bool {
    one.end == next.start || one.joins_after(body) || next.joins_before(body)
}
