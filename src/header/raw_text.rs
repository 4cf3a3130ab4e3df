//! Finds raw text in a field, for callers that rewrite it as encoded words.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use super::address;
use super::classes::{ESCAPE, is_blank};
use super::encoded_word::Place;
use super::lexeme::{Class, Lexemes};
use super::piece::Pieces;
use super::syntax::Syntax;
use super::token::{self, slice};
use crate::work::work;

/// A range of a field body with octets above 7F or an ISO 2022 escape. It consists of whole words of
/// text, so that encoded words can replace it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawText<'a> {
    /// The range of the raw text in the body.
    pub(crate) range: Range<usize>,
    /// The place for encoded words in this range; `None` if encoded words are not allowed there.
    pub(crate) place: Option<Place>,
    /// The octets of the raw text, without folds, quotes and quoted pairs.
    pub(crate) octets: Cow<'a, [u8]>,
}

/// The raw texts of a field body, except in parameters. RFC 2047, section 5, defines which of these
/// texts may be replaced by encoded words. Raw texts separated only by white space are joined,
/// unless one of them contains an encoded word. `words` has the ranges of the encoded words of the
/// body, in order.
pub(crate) fn raw_texts<'a>(
    body: &'a [u8],
    syntax: Syntax,
    words: &[Range<usize>],
) -> Vec<RawText<'a>> {
    let mut found = RawTexts {
        words,
        texts: Vec::new(),
    };
    if !is_raw(body) {
        return found.texts;
    }
    let lexemes: &mut dyn Iterator<Item = _> = match syntax {
        Syntax::Unstructured => {
            raw_words(body, 0, body.len(), Place::Text, &mut found);
            return found.texts;
        }
        Syntax::Addresses => &mut address::raw_places(body),
        Syntax::Phrases | Syntax::Parameters | Syntax::Opaque => {
            let phrase = (syntax == Syntax::Phrases).then_some(Place::Phrase);
            let quoted = phrase.map(|_| Place::QuotedString);
            let mut lexemes = Lexemes::new(body);
            lexemes.words = phrase.is_some();
            lexemes.parameters = syntax == Syntax::Parameters;
            &mut lexemes.map(move |lexeme| match lexeme.class {
                Class::Comment => (lexeme, Some(Place::Comment)),
                Class::Quoted => (lexeme, quoted),
                _ => (lexeme, phrase),
            })
        }
    };
    for (lexeme, place) in lexemes {
        if found.texts.len() >= Pieces::MAX_COUNT {
            break;
        }
        let octets = slice(body, lexeme.start, lexeme.end);
        if !is_raw(octets) {
            continue;
        }
        match (lexeme.class, place) {
            (Class::Comment, _) => {
                let (start, end) = lexeme.inner();
                raw_words(body, start, end, Place::Comment, &mut found);
            }
            (_, None) if syntax == Syntax::Parameters => {}
            (Class::Quoted, _) => {
                let (start, end) = lexeme.inner();
                let text = token::unquoted(slice(body, start, end));
                let place = place.map(|_| Place::Phrase);
                found.push(body, lexeme.start..lexeme.end, place, text);
            }
            _ => {
                let text = Cow::Borrowed(octets);
                found.push(body, lexeme.start..lexeme.end, place, text);
            }
        }
    }
    found.texts
}

/// The raw texts found so far.
struct RawTexts<'w, 'a> {
    words: &'w [Range<usize>],
    texts: Vec<RawText<'a>>,
}

/// Adds the words between `start` and `end` that are raw. White space separates words; in a comment,
/// parentheses do too.
fn raw_words<'a>(
    body: &'a [u8],
    start: usize,
    end: usize,
    place: Place,
    found: &mut RawTexts<'_, 'a>,
) {
    let separates =
        |octet: u8| is_blank(octet) || (place == Place::Comment && b"()".contains(&octet));
    let mut at = start;
    while at < end {
        let rest = slice(body, at, end);
        let mut length = 0;
        while let Some(&octet) = rest.get(length) {
            if separates(octet) {
                break;
            }
            let following = rest.get(length..).unwrap_or_default();
            length += match octet {
                ESCAPE => token::escape_length(following),
                // A backslash escapes the next character.
                b'\\' if place == Place::Comment => {
                    let pair = token::quoted_pair(following);
                    pair.map_or(1, |(rest, _)| following.len() - rest.len())
                }
                _ => 1,
            };
        }
        let length = length.min(rest.len());
        let word = slice(rest, 0, length);
        if is_raw(word) {
            let text = match place {
                Place::Comment => token::unquoted(word),
                _ => Cow::Borrowed(word),
            };
            found.push(body, at..at + length, Some(place), text);
        }
        work(length + 1);
        at += length + 1;
    }
}

impl<'a> RawTexts<'_, 'a> {
    fn holds_word(&self, range: &Range<usize>) -> bool {
        let first = self.words.partition_point(|word| word.end <= range.start);
        self.words
            .get(first)
            .is_some_and(|word| word.start < range.end)
    }

    /// Adds a range. Joins it with the previous range if only white space separates them.
    fn push(
        &mut self,
        body: &'a [u8],
        range: Range<usize>,
        place: Option<Place>,
        octets: Cow<'a, [u8]>,
    ) {
        if self.texts.len() >= Pieces::MAX_COUNT {
            return;
        }
        let last = self.texts.last().map(|last| last.range.clone());
        if let Some(last) = last
            && let Some(between) = body.get(last.end..range.start)
            && between.iter().copied().all(is_blank)
            && !self.holds_word(&last)
            && !self.holds_word(&range)
            && let Some(last) = self.texts.last_mut()
            && last.place == place
            && place.is_some()
        {
            let joined = last.octets.to_mut();
            joined.extend(between.iter().filter(|octet| !b"\r\n".contains(octet)));
            joined.extend_from_slice(&octets);
            last.range.end = range.end;
            return;
        }
        self.texts.push(RawText {
            range,
            place,
            octets,
        });
    }
}

/// Whether octets may be text in a charset other than US-ASCII: there is an octet above 7F or an ISO 2022
/// escape.
fn is_raw(octets: &[u8]) -> bool {
    !octets.is_ascii() || memchr(0x1B, octets).is_some()
}
