//! Raw text above 7F in header fields (RFC 7103, section 7.7).

use std::cell::LazyCell;
use std::ops::Range;

use super::segment::{FieldPlan, Header, NewText, Segment, raw_utf_8};
use super::words::{as_word, word_range};
use crate::charset::Charset;
use crate::decode;
use crate::header::{self, Piece, Place, Syntax};
use crate::prove::{TextReading, joined, touches};
use crate::report::Report;

impl FieldPlan<'_> {
    /// Adds a segment for each range of raw text that has to change, except those in parameters.
    pub(super) fn add_raw_text(&mut self) {
        let (header, body, pieces) = (self.header, self.body, self.pieces);
        let options = header.entity.with_hint(&header.options.decoding);
        let found = header::raw_texts(body, self.syntax, self.words);
        if found.is_empty() {
            return;
        }
        if found.len() >= header::Pieces::MAX_COUNT {
            let detail = "more ranges of raw text than the limit";
            self.leave(&(0..body.len()), detail);
            return;
        }
        // All raw text of a field is in one charset.
        let Some((charset, source)) =
            decode::charset_of_raw_text(body, self.syntax, pieces, &options)
        else {
            return;
        };
        if charset == Charset::UTF_8 && header.keeps_raw_utf_8() {
            return;
        }
        let is_reliable = header.relies_on(charset, source);
        let blanks = LazyCell::new(|| ShownBlanks::new(body, pieces));
        // Ranges that are kept because of a word, in order.
        let mut kept: Vec<Range<usize>> = Vec::new();
        for raw in found {
            let range = raw.range;
            // Other readers may find a parameter in an unclosed comment.
            if touches(&self.parameters, &range) {
                continue;
            }
            if touches(self.words, &range) {
                self.leave(&range, "octets above 7F in an encoded word");
                kept.push(range);
                continue;
            }
            if !is_reliable {
                let detail = format!("raw text in a guessed charset, {charset}");
                self.leave(&range, detail);
                continue;
            }
            let decoded = charset.decode_with(&raw.octets, &options);
            if !self.allows_loss(&range, decoded.report()) {
                continue;
            }
            let mut report = Report::new();
            report.absorb_octets(decoded.report().clone(), 0);
            let text = decoded.into_text().into_owned();
            // The octets of identifiers and URIs are compared, not read.
            let place = match self.syntax {
                Syntax::Opaque => raw.place,
                _ => raw
                    .place
                    .or(header.keeps_raw_utf_8().then_some(Place::Text)),
            };
            let place = place.ok_or("raw text where no encoded word is allowed");
            let new = place.and_then(|place| {
                header.new_raw_text(text, place, |text| blanks.add_blanks(&range, text))
            });
            let reading = TextReading::new(None, charset, source, report);
            self.replace(range, new, reading);
        }
        keep_words_with(&kept, &mut self.segments);
    }
}

impl Header<'_> {
    /// The replacement for raw text in a place, or why it is kept. Encoded words include the blanks
    /// that `with_blanks` adds.
    fn new_raw_text(
        &self,
        text: String,
        place: Place,
        with_blanks: impl FnOnce(String) -> String,
    ) -> Result<NewText, &'static str> {
        if self.keeps_raw_utf_8() {
            let raw = raw_utf_8(&text, place);
            return raw.map(NewText::Octets).ok_or("controls in raw text");
        }
        Ok(NewText::Words {
            text: with_blanks(text),
            place,
            language: String::new(),
        })
    }
}

/// Blanks between raw text and decoded words. Readers show these blanks, but drop blanks between
/// two encoded words (RFC 2047, section 6.2). So the blanks have to be encoded with the text.
struct ShownBlanks<'b> {
    body: &'b [u8],
    /// Words with a known charset. Blanks next to other words are shown anyway.
    words: Vec<Range<usize>>,
}

impl<'b> ShownBlanks<'b> {
    fn new(body: &'b [u8], pieces: &[Piece<'_>]) -> Self {
        let words = pieces.iter().filter_map(as_word);
        let decoded = words.filter(|word| decode::charset_of_label(&word.label()).is_some());
        let words = decoded.map(word_range).collect();
        ShownBlanks { body, words }
    }

    /// The text of a range with the blanks around it.
    fn add_blanks(&self, range: &Range<usize>, text: String) -> String {
        let blanks = |range: Range<usize>| {
            let octets = self.body.get(range)?;
            let is_blank = octets
                .iter()
                .all(|octet| matches!(octet, b' ' | b'\t' | b'\r' | b'\n'));
            is_blank.then(|| String::from_utf8_lossy(&header::unfold(octets)).into_owned())
        };
        let next = self.words.partition_point(|word| word.end <= range.start);
        let before = next
            .checked_sub(1)
            .and_then(|before| self.words.get(before));
        let before = before.and_then(|word| blanks(word.end..range.start));
        let after = self.words.get(next);
        let after = after.and_then(|word| blanks(range.end..word.start));
        [before.unwrap_or_default(), text, after.unwrap_or_default()].concat()
    }
}

/// Removes the segments that share a range with raw text in `kept`, if their new text would
/// separate the raw text from its word. Raw UTF-8, ASCII, and an encoded word in a phrase do so.
fn keep_words_with(kept: &[Range<usize>], segments: &mut Vec<Segment>) {
    let separates = |segment: &&Segment| match &segment.new {
        NewText::Words { text, place, .. } => text.is_ascii() || *place == Place::Phrase,
        NewText::Octets(_) => true,
    };
    let separating = segments.iter().filter(separates);
    let separating = joined(separating.map(|segment| segment.range.clone()).collect());
    let unchanged: Vec<_> = kept
        .iter()
        .filter(|range| touches(&separating, range))
        .cloned()
        .collect();
    segments.retain(|segment| !touches(&unchanged, &segment.range));
}
