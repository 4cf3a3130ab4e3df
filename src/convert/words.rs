//! Encoded words in another charset than UTF-8 (RFC 2047), in runs of one charset.

use std::ops::Range;
use std::sync::Arc;

use super::draft::Draft;
use super::segment::{Header, NewText, Segment, language_tag, raw_utf_8};
use crate::charset::{self, Charset, Matched};
use crate::decode::{self, CharsetUse, FieldText};
use crate::header::{EncodedWord, Piece};
use crate::prove::Reading;
use crate::report::Source;

/// Encoded words in the same charset and kind of place, and the blanks between them.
struct Run<'p, 'a> {
    pieces: &'p [Piece<'a>],
    first: &'p EncodedWord<'a>,
    charset: Option<Charset>,
    /// Whether only blanks separate the run from another word.
    is_joined: bool,
    /// Its range in the field body.
    range: Range<usize>,
}

impl<'p, 'a> Run<'p, 'a> {
    /// The run that starts with the word at an index, and the index after it.
    fn at(pieces: &'p [Piece<'a>], index: usize) -> Option<(Self, usize)> {
        let first = as_word(pieces.get(index)?)?;
        let charset = decode::charset_of_label(&first.label());
        let belongs = |word: &EncodedWord<'_>| {
            word.place() == first.place()
                && (word.label() == first.label()
                    || decode::charset_of_label(&word.label()) == charset)
        };
        let mut end = index + 1;
        for (at, piece) in pieces.iter().enumerate().skip(end) {
            match piece {
                Piece::Word(word) if belongs(word) => end = at + 1,
                Piece::Text(text) if text.between_words() => {}
                _ => break,
            }
        }
        let joins = |piece: Option<&Piece<'_>>| match piece {
            Some(Piece::Word(_)) => true,
            Some(Piece::Text(text)) => text.between_words(),
            None => false,
        };
        let before = index.checked_sub(1).and_then(|before| pieces.get(before));
        let run = pieces.get(index..end)?;
        let run = Run {
            pieces: run,
            first,
            charset,
            is_joined: joins(before) || joins(pieces.get(end)),
            range: range_of(run)?,
        };
        Some((run, end))
    }

    /// The pieces of each language, in order.
    fn languages(&self) -> Vec<&'p [Piece<'a>]> {
        let language = |word: &EncodedWord<'_>| word.language().map(<[u8]>::to_ascii_lowercase);
        let groups = self
            .pieces
            .chunk_by(|one, next| match (as_word(one), as_word(next)) {
                (Some(one), Some(next)) => language(one) == language(next),
                (_, None) => true,
                (None, Some(_)) => false,
            });
        let first = language(self.first);
        let mut words = self.pieces.iter().filter_map(as_word);
        if words.all(|word| language(word) == first) {
            vec![self.pieces]
        } else {
            groups.collect()
        }
    }
}

impl Header<'_> {
    /// Adds a segment for each run of words that has to change, except those in `parameters`.
    pub(super) fn add_words(
        &self,
        pieces: &[Piece<'_>],
        base: usize,
        parameters: &[Range<usize>],
        draft: &mut Draft,
        segments: &mut Vec<Segment>,
    ) {
        let mut at = 0;
        while at < pieces.len() {
            let Some((run, end)) = Run::at(pieces, at) else {
                at += 1;
                continue;
            };
            at = end;
            let start = run.range.start;
            if !parameters.iter().any(|range| range.contains(&start)) {
                self.add_run(&run, base, draft, segments);
            }
        }
    }

    fn add_run(
        &self,
        run: &Run<'_, '_>,
        base: usize,
        draft: &mut Draft,
        segments: &mut Vec<Segment>,
    ) {
        let place = run.range.start + base..run.range.end + base;
        let label = run.first.label();
        let Some(charset) = run.charset else {
            draft.leave(&place, format!("a word in {label:.64}"));
            return;
        };
        let is_exact = || charset::resolve(&label).matched() == Matched::Exact;
        if charset == Charset::UTF_8 && is_exact() {
            return;
        }
        let text = self.phrase(run.pieces);
        if charset == Charset::US_ASCII && text.as_str().is_ascii() {
            return;
        }
        let is_guess = |used: &&CharsetUse| {
            !text.as_str().is_ascii() && !self.relies_on(used.charset(), used.source())
        };
        if let Some(guess) = text.charsets().iter().find(is_guess) {
            let charset = guess.charset();
            let detail = format!("a word in {label:.64}, {charset} is only a guess");
            draft.leave(&place, detail);
            return;
        }
        if draft.allows_loss(&place, text.report(), self.options) {
            self.add_languages(run, &text, base, draft, segments);
        }
    }

    /// Adds one segment for each language of a run.
    fn add_languages(
        &self,
        run: &Run<'_, '_>,
        text: &FieldText<'_>,
        base: usize,
        draft: &mut Draft,
        segments: &mut Vec<Segment>,
    ) {
        let groups = run.languages();
        let of_groups: Vec<_>;
        let mut texts = std::slice::from_ref(text);
        if groups.len() > 1 {
            let read = |group| self.phrase(group);
            of_groups = groups.iter().copied().map(read).collect();
            texts = &of_groups;
        }
        let joined = texts.iter().flat_map(|text| text.as_str().bytes());
        if !joined.eq(text.as_str().bytes()) {
            let detail = "words of several languages that share a character";
            draft.leave(&(run.range.start + base..run.range.end + base), detail);
            return;
        }
        let used = text.charsets().first();
        for (index, (group, text)) in groups.iter().zip(texts).enumerate() {
            let Some(range) = range_of(group) else {
                continue;
            };
            let mut words = group.iter().filter_map(as_word);
            let language = words.next().and_then(EncodedWord::language);
            let Some(language) = language_tag(language.unwrap_or_default()) else {
                draft.leave(&(range.start + base..range.end + base), "an odd language");
                continue;
            };
            let place = run.first.place();
            let is_alone = groups.len() == 1 && !run.is_joined && language.is_empty();
            let raw = (self.keeps_raw_utf_8() && is_alone)
                .then(|| raw_utf_8(text.as_str(), place))
                .flatten();
            segments.push(Segment {
                range,
                new: match raw {
                    Some(raw) => NewText::Octets(raw),
                    None => NewText::Words {
                        text: text.as_str().to_owned(),
                        place,
                        language,
                    },
                },
                reading: Reading {
                    label: Some(Arc::new(run.first.label().into_owned())),
                    charset: used.map_or(Charset::UTF_8, CharsetUse::charset),
                    source: used.map_or(Source::Declared, CharsetUse::source),
                    report: (index == 0)
                        .then(|| Reading::report_of(text.report().clone()))
                        .flatten(),
                },
            });
        }
    }

    /// The text of words, with the hint of the message if their charset is a guess.
    fn phrase(&self, pieces: &[Piece<'_>]) -> FieldText<'static> {
        let decoding = &self.options.decoding;
        let mut text = decode::phrase(pieces, decoding);
        if text.is_guessed() {
            text = decode::phrase(pieces, &self.entity.with_hint(decoding));
        }
        text.into_owned()
    }
}

pub(super) fn as_word<'p, 'a>(piece: &'p Piece<'a>) -> Option<&'p EncodedWord<'a>> {
    match piece {
        Piece::Word(word) => Some(word),
        Piece::Text(_) => None,
    }
}

/// The range of a word in the field body.
pub(super) fn word_range(word: &EncodedWord<'_>) -> Range<usize> {
    word.offset()..word.offset() + word.length()
}

/// The range from the first to the last word.
fn range_of(pieces: &[Piece<'_>]) -> Option<Range<usize>> {
    let mut words = pieces.iter().filter_map(as_word).map(word_range);
    let first = words.next()?;
    let end = words.next_back().map_or(first.end, |last| last.end);
    Some(first.start..end)
}
