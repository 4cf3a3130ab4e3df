//! Encoded words in another charset than UTF-8 (RFC 2047), in runs of one charset.

use std::ops::Range;
use std::sync::Arc;

use super::segment::{FieldPlan, Header, NewText, language_tag, raw_utf_8};
use crate::charset::{self, Charset, Matched};
use crate::decode::{self, CharsetUse, FieldText};
use crate::header::{EncodedWord, Piece};
use crate::prove::{TextReading, touches};
use crate::report::Source;

/// Encoded words in the same charset and kind of place, and the blanks between them.
struct CharsetRun<'p, 'a> {
    pieces: &'p [Piece<'a>],
    first: &'p EncodedWord<'a>,
    charset: Option<Charset>,
    /// Whether only blanks separate the run from another word.
    is_joined: bool,
    /// Its range in the field body.
    range: Range<usize>,
}

impl<'p, 'a> CharsetRun<'p, 'a> {
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
        let run = CharsetRun {
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

impl FieldPlan<'_> {
    /// Adds a segment for each run of words that has to change, except those in parameters.
    pub(super) fn add_words(&mut self) {
        let mut at = 0;
        while at < self.pieces.len() {
            let Some((run, end)) = CharsetRun::at(self.pieces, at) else {
                at += 1;
                continue;
            };
            at = end;
            let start = run.range.start;
            if !touches(&self.parameters, &(start..start + 1)) {
                self.add_run(&run);
            }
        }
    }

    fn add_run(&mut self, run: &CharsetRun<'_, '_>) {
        let label = run.first.label();
        let Some(charset) = run.charset else {
            self.leave(&run.range, format!("a word in {label:.64}"));
            return;
        };
        let is_exact = || charset::resolve(&label).matched == Matched::Exact;
        if charset == Charset::UTF_8 && is_exact() {
            return;
        }
        let text = self.header.phrase(run.pieces);
        if charset == Charset::US_ASCII && text.as_str().is_ascii() {
            return;
        }
        let header = self.header;
        let is_guess = |used: &&CharsetUse| {
            !text.as_str().is_ascii() && !header.relies_on(used.charset, used.source)
        };
        if let Some(guess) = text.charsets().iter().find(is_guess) {
            let charset = guess.charset;
            let detail = format!("a word in {label:.64}, guessed to be {charset}");
            self.leave(&run.range, detail);
            return;
        }
        if self.allows_loss(&run.range, text.report()) {
            self.add_languages(run, &text);
        }
    }

    /// Adds one segment for each language of a run.
    fn add_languages(&mut self, run: &CharsetRun<'_, '_>, text: &FieldText<'_>) {
        let header = self.header;
        let groups = run.languages();
        let of_groups: Vec<_>;
        let mut texts = std::slice::from_ref(text);
        if groups.len() > 1 {
            of_groups = groups.iter().map(|group| header.phrase(group)).collect();
            texts = &of_groups;
        }
        let joined = texts.iter().flat_map(|text| text.as_str().bytes());
        if !joined.eq(text.as_str().bytes()) {
            let detail = "words of several languages that share a character";
            self.leave(&run.range, detail);
            return;
        }
        let used = text.charsets().first();
        let charset = used.map_or(Charset::UTF_8, |it| it.charset);
        let source = used.map_or(Source::Declared, |it| it.source);
        let label = Arc::new(run.first.label().into_owned());
        // The findings are those of the whole run.
        let mut report = text.report().clone();
        for (group, text) in groups.iter().zip(texts) {
            let Some(range) = range_of(group) else {
                continue;
            };
            let text = text.as_str();
            let mut words = group.iter().filter_map(as_word);
            let language = words.next().and_then(EncodedWord::language);
            let new = language_tag(language.unwrap_or_default()).map(|language| {
                let place = run.first.place();
                let is_alone = groups.len() == 1 && !run.is_joined && language.is_empty();
                let raw = (header.keeps_raw_utf_8() && is_alone).then(|| raw_utf_8(text, place));
                raw.flatten().map_or_else(
                    || NewText::Words {
                        text: text.to_owned(),
                        place,
                        language,
                    },
                    NewText::Octets,
                )
            });
            let label = Some(Arc::clone(&label));
            let reading = TextReading::new(label, charset, source, std::mem::take(&mut report));
            self.replace(range, new.ok_or("a malformed language tag"), reading);
        }
    }
}

impl Header<'_> {
    /// Decodes words, with the hint of the message if their charset is a guess.
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
