//! Builds the pieces of a field.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3};

use super::classes::is_blank;
use super::encoded_word::{EncodedWord, Place, encoded_word};
use super::few::Few;
use super::lexeme::Lexeme;
use super::loose_word::word_at;
use super::opening::{has_opening, opening};
use super::piece::{Piece, Pieces, Text};
use super::token::{self, line_ends, quoted_pair, slice};
use crate::report::{Kind, Report};
use crate::work::work;

/// Builds pieces from left to right.
#[derive(Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent property of the current range"
)]
pub(super) struct Builder<'a> {
    pub(super) body: &'a [u8],
    /// The end of the part of the body already in pieces.
    pub(super) from: usize,
    pub(super) after_word: bool,
    /// Whether the backslashes of quoted pairs are removed.
    pub(super) unescapes: bool,
    /// Whether backslashes may be trail octets of double-byte characters.
    has_trail_backslashes: bool,
    /// Whether folds are removed; not needed for a body on one line.
    pub(super) unfolds: bool,
    /// Whether quotes surround the current range.
    pub(super) in_quotes: bool,
    /// In a list of parameters, the offset of the current value.
    pub(super) value: Option<usize>,
    /// The range and the result of the last call of [`has_text_between`](Builder::has_text_between).
    pub(super) before_word: (usize, usize, bool),
    pieces: Few<Piece<'a>>,
    /// Whether the limit on pieces is reached; the rest of the body is then skipped.
    is_full: bool,
    /// Whether a quotation mark, a bracket or a parenthesis is not closed.
    pub(super) has_open_quote: bool,
    pub(super) report: Report,
}

impl<'a> Builder<'a> {
    pub(super) fn new(body: &'a [u8]) -> Self {
        Builder {
            unfolds: memchr2(b'\r', b'\n', body).is_some(),
            ..Builder::from(body, 0)
        }
    }

    pub(super) fn from(body: &'a [u8], from: usize) -> Self {
        Builder {
            body,
            from,
            after_word: false,
            unescapes: false,
            has_trail_backslashes: false,
            unfolds: true,
            in_quotes: false,
            value: None,
            before_word: (0, 0, false),
            pieces: Few::None,
            is_full: false,
            has_open_quote: false,
            report: Report::new(),
        }
    }

    /// Appends the encoded words between `start` and `end`, and the text between them. Stops at the limit
    /// on pieces.
    pub(super) fn add_words_in(&mut self, start: usize, end: usize, place: Place) {
        let mut at = start;
        while !self.is_full
            && let Some(found) = opening(slice(self.body, at, end))
        {
            at += found;
            let Some(word) = word_at(self.body, at, end, &mut self.report) else {
                at += 2;
                continue;
            };
            let word = word.with_place(place, self.in_quotes);
            if self.is_structure(&word) {
                self.report_kept(at, word.length());
                at += 2;
                continue;
            }
            word.report(self.body, &mut self.report);
            at += word.length();
            self.word(word);
        }
    }

    /// Whether decoding the word in place would change the structure of the field.
    fn is_structure(&mut self, word: &EncodedWord<'_>) -> bool {
        match (word.place(), self.value) {
            // The text of the word gets quoted, and quotes are allowed only at the start of a value.
            (Place::Parameter, Some(value)) if !self.in_quotes => {
                let from = if self.after_word { self.from } else { value };
                self.has_text_between(from.max(value), word.offset())
            }
            // Parentheses in the word delimit comments (RFC 2047, section 5, rule 2).
            (Place::Comment, _) => !is_balanced(word.source()),
            _ => false,
        }
    }

    /// Whether the range has anything but white space. If each call extends the previous range, each
    /// octet is checked once.
    pub(super) fn has_text_between(&mut self, start: usize, end: usize) -> bool {
        let (before, seen, mut has_text) = self.before_word;
        let seen = if before == start { seen } else { start };
        has_text &= before == start;
        if !has_text {
            work(end.saturating_sub(seen));
            has_text = !slice(self.body, seen, end).iter().copied().all(is_blank);
        }
        self.before_word = (start, end, has_text);
        has_text
    }

    pub(super) fn report_kept(&mut self, at: usize, length: usize) {
        let detail = "an encoded word where none is allowed";
        self.report.add(Kind::EncodedWordKept, at, length, detail);
    }

    pub(super) fn add_words_or_text(&mut self, start: usize, end: usize, place: Option<Place>) {
        match place {
            Some(place) => self.add_words_in(start, end, place),
            None => self.keep_words_in(start, end),
        }
    }

    /// Keeps the encoded words between `start` and `end` as text. No words are allowed there, and their
    /// text must not become an address or an identifier (RFC 2047, section 5).
    pub(super) fn keep_words_in(&mut self, start: usize, end: usize) {
        let mut at = start;
        while !self.is_full
            && let Some(found) = opening(slice(self.body, at, end))
        {
            at += found;
            let input = slice(self.body, at, end);
            let Ok((rest, _)) = encoded_word(input) else {
                at += 2;
                continue;
            };
            let length = input.len() - rest.len();
            self.report_kept(at, length);
            at += length;
        }
    }

    /// Appends a word of a phrase that follows the grammar.
    pub(super) fn strict_word(&mut self, word: EncodedWord<'a>) {
        let word = word.with_place(Place::Phrase, false);
        word.report(self.body, &mut self.report);
        self.word(word);
    }

    #[inline]
    pub(super) fn word(&mut self, word: EncodedWord<'a>) {
        let between = slice(self.body, self.from, word.offset());
        let between_words = self.after_word && between.iter().copied().all(is_blank);
        self.text(word.offset(), between_words);
        self.from = word.offset() + word.length();
        self.after_word = true;
        if !self.has_room(word.offset()) {
            return;
        }
        self.pieces.push(Piece::Word(word));
    }

    /// Whether one more piece is within the limit. If not, reports the body from `offset`, once.
    #[inline]
    fn has_room(&mut self, offset: usize) -> bool {
        let has_room = self.pieces.as_slice().len() < Pieces::MAX_COUNT;
        if !has_room && !self.is_full {
            self.is_full = true;
            let detail = "more pieces than this library reads";
            let rest = self.body.len() - offset;
            self.report.add(Kind::LimitReached, offset, rest, detail);
        }
        has_room
    }

    /// Appends the value of a quoted string.
    pub(super) fn unquoted(&mut self, lexeme: &Lexeme, place: Place) {
        let (start, end) = lexeme.inner();
        self.skip_range(lexeme.start, start);
        self.unescapes = true;
        self.has_trail_backslashes =
            token::may_have_trail_backslashes(slice(self.body, start, end));
        self.add_words_in(start, end, place);
        let rest = self.after_quotes(lexeme);
        self.text(end, false);
        self.mark_closing_word(lexeme);
        self.unescapes = false;
        self.has_trail_backslashes = false;
        self.from = rest;
    }

    /// Appends the text before `start`, and skips the octets from there to `end`.
    pub(super) fn skip_range(&mut self, start: usize, end: usize) {
        self.text(start, false);
        self.from = end;
    }

    /// Ends a quoted string that [ends with an encoded word](Lexeme::ends_with_word).
    pub(super) fn end_quotes(&mut self, lexeme: &Lexeme) {
        let (quote_end, rest) = (lexeme.quote_end(), self.after_quotes(lexeme));
        if rest > quote_end {
            self.skip_range(quote_end, rest);
        }
        self.mark_closing_word(lexeme);
    }

    /// The offset after a quoted string. A `?=` that follows it is included if the last word ends at the
    /// closing quote, and is text otherwise.
    fn after_quotes(&self, lexeme: &Lexeme) -> usize {
        let quote_end = lexeme.quote_end();
        let has_word = self.after_word && self.from > lexeme.start;
        let after_word = slice(self.body, self.from, quote_end - 1);
        if has_word && after_word.iter().copied().all(is_blank) {
            lexeme.end
        } else {
            quote_end
        }
    }

    /// Marks the last word if it contains the closing quote of the quoted string.
    fn mark_closing_word(&mut self, lexeme: &Lexeme) {
        if lexeme.ends_with_word()
            && let Some(Piece::Word(word)) = self.pieces.as_mut_slice().last_mut()
        {
            word.closes_quotes = word.offset() + word.length() == lexeme.end;
        }
    }

    /// Appends the text before `end`, one piece per line.
    #[inline]
    pub(super) fn text(&mut self, end: usize, between_words: bool) {
        let mut from = self.from;
        self.from = end;
        if from >= end {
            return;
        }
        let mut search = from;
        while let Some(found) = self.find_outside_runs(search, end) {
            let at = search + found;
            let Some((_, ends)) = line_ends(slice(self.body, at, end)) else {
                let before = at.checked_sub(1).and_then(|at| self.body.get(at)).copied();
                if self.has_trail_backslashes
                    && token::is_trail_octet(before, slice(self.body, at, end))
                {
                    search = at + 1;
                    continue;
                }
                self.push_text(from, at, between_words);
                let pair = quoted_pair(slice(self.body, at, end));
                let (rest, quoted) = pair.unwrap_or_default();
                search = end - rest.len();
                from = search - quoted.len();
                continue;
            };
            search = at + ends.len();
            work(found + ends.len());
            if self.body.get(search).copied().is_some_and(is_blank) {
                self.push_text(from, at, between_words);
                from = search;
            } else {
                let detail = "a line ending that is not a fold";
                self.report.add(Kind::BareLineEnd, at, ends.len(), detail);
            }
        }
        work(end.saturating_sub(search));
        self.push_text(from, end, between_words);
    }

    pub(super) fn find_outside_runs(&self, from: usize, to: usize) -> Option<usize> {
        let text = slice(self.body, from, to);
        match (self.unfolds, self.unescapes) {
            (true, true) => {
                token::find_outside_runs(text, |text| memchr3(b'\r', b'\n', b'\\', text))
            }
            (true, false) => memchr2(b'\r', b'\n', text),
            (false, true) => token::find_outside_runs(text, |text| memchr(b'\\', text)),
            (false, false) => None,
        }
    }

    #[inline]
    pub(super) fn push_text(&mut self, from: usize, to: usize, between_words: bool) {
        if from < to {
            self.after_word = between_words;
            if !self.has_room(from) {
                return;
            }
            self.pieces.push(Piece::Text(Text {
                octets: slice(self.body, from, to),
                offset: from,
                between_words,
            }));
        }
    }

    /// Records whether a lexer reported an open quotation mark, bracket or parenthesis.
    pub(super) fn record_open_quotes(&mut self, noticed: &Report) {
        self.has_open_quote |= noticed.has(Kind::Unterminated);
    }

    /// The pieces up to `end`; findings go to `report`.
    pub(super) fn into_pieces(mut self, end: usize, report: &mut Report) -> Few<Piece<'a>> {
        self.text(end, false);
        if !self.report.is_empty() {
            report.absorb(self.report, 0);
        }
        self.pieces
    }

    /// The pieces of the whole body.
    pub(super) fn finish(mut self) -> Pieces<'a> {
        let end = self.body.len();
        self.text(end, false);
        Pieces {
            list: self.pieces,
            report: self.report,
            has_open_quote: self.has_open_quote,
        }
    }
}

/// The pieces of a parameter value, with the encoded words in the `literal` ranges. No words are allowed
/// there, but mailers write them. `None` if the ranges have nothing like a word.
pub(super) fn parameter_pieces(
    value: &[u8],
    literal: impl IntoIterator<Item = Range<usize>>,
) -> Option<Pieces<'_>> {
    let has_opening = |range: &Range<usize>| has_opening(slice(value, range.start, range.end));
    let mut literal = literal.into_iter().filter(has_opening).peekable();
    literal.peek()?;
    let mut builder = Builder::new(value);
    // The value is already unfolded. A line ending in it was percent-encoded in the field.
    builder.unfolds = false;
    for range in literal {
        builder.add_words_in(range.start, range.end, Place::Parameter);
    }
    Some(builder.finish())
}

/// Whether the parentheses in `octets`, a part of a comment, are balanced.
fn is_balanced(octets: &[u8]) -> bool {
    work(octets.len());
    let mut depth = 0_usize;
    let mut is_quoted = false;
    for octet in octets {
        match octet {
            _ if is_quoted => is_quoted = false,
            b'\\' => is_quoted = true,
            b'(' => depth += 1,
            b')' if depth == 0 => return false,
            b')' => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}
