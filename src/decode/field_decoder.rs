//! The text of a field, decoded from its pieces (RFC 2047, sections 2, 5 and 6).
//!
//! The charset of raw octets is decided once, from all raw octets of the field. Adjacent words with one
//! charset and place form a run, which is decoded or kept as written as a whole. Text outside words, kept
//! words and the white space around them are raw text, and adjacent raw text is decoded as one run.

use std::borrow::Cow;
use std::ops::Range;
use std::slice;

use memchr::memmem;

use super::characters::{flag_characters, place_at, plain_text};
use super::contradiction::is_settled;
use super::field_text::{CharsetUse, FieldText};
use super::quoting::{Neighbours, is_blank, is_escaped, needs_quotes, quote};
use super::raw_octets::{
    LINE_ENDS, charset_with_escapes, flag_kept_escapes, is_split, raw_charset, raw_finding,
};
use super::under_label::{DetectedWords, FieldDecision, readable, report_label};
use super::word_joins::{Join, WordUnits, joined_words, joins};
use super::words::{capacity_for, decode_strict_words, leaves_state_open, unfold_escapes};
use crate::charset::{self, Charset, Options, utf8};
use crate::header::{self, EncodedWord, Few, Piece, Place, Syntax};
use crate::label::Label;
use crate::report::{Kind, Report, Source};

/// Pieces to decode, with the information needed to decode them.
pub(super) struct FieldPieces<'p, 'a> {
    pub(super) pieces: &'p [Piece<'a>],
    /// The octets that decide the charset of raw text: the field body, or all raw text of a name.
    pub(super) body: &'p [u8],
    pub(super) quoting: Quoting,
}

/// Whether the text of words is quoted if it could be parsed as syntax.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// The words are in a field of this syntax. `has_open_quote` is set if the field has an unclosed
    /// quotation mark, bracket or parenthesis.
    InField {
        syntax: Syntax,
        has_open_quote: bool,
    },
    Never,
}

impl<'a> FieldPieces<'_, 'a> {
    /// Decodes the pieces. `report` has the lexer's findings.
    pub(super) fn decode(&self, report: Report, options: &Options) -> FieldText<'a> {
        let mut decoder = FieldDecoder {
            field: self,
            options,
            raw_charset: options.forced_in_fields().map_or_else(
                || raw_charset(self.body, options),
                |forced| (forced, Source::Forced),
            ),
            open_word: self.open_word(),
            text: String::new(),
            charsets: Few::None,
            report,
            raw: RawRun::default(),
            last_label: None,
            detected_words: DetectedWords::default(),
        };
        decoder.run();
        decoder.finish()
    }

    /// The range of a structured field from the first `=?` outside encoded words to the last `?=`. The
    /// decoded text of a word in this range could complete an encoded word that the surrounding text
    /// begins.
    fn open_word(&self) -> Range<usize> {
        let is_structured = matches!(
            self.quoting,
            Quoting::InField { syntax, .. } if syntax != Syntax::Unstructured
        );
        if !is_structured {
            return 0..0;
        }
        let offset_of = |pattern: &'static [u8]| {
            move |piece: &Piece<'_>| match piece {
                Piece::Text(text) => memmem::find(text.octets(), pattern).map(|_| text.offset()),
                Piece::Word(_) => None,
            }
        };
        let start = self.pieces.iter().find_map(offset_of(b"=?"));
        let end = self.pieces.iter().rev().find_map(offset_of(b"?="));
        match (start, end) {
            (Some(start), Some(end)) => start..end,
            _ => 0..0,
        }
    }
}

/// Pending raw octets. They are decoded as one run, since a fold may split a character.
#[derive(Default)]
struct RawRun<'a> {
    octets: Cow<'a, [u8]>,
    /// The offsets in `octets` at which folded lines begin.
    folds: Vec<usize>,
    offset: usize,
    end: usize,
    /// Whether a fold inside a character was removed.
    was_split: bool,
}

/// Adjacent words in one charset and one kind of place.
struct WordRun<'p, 'a> {
    first: &'p EncodedWord<'a>,
    last: &'p EncodedWord<'a>,
    /// From the first word to the last, with the white space between them.
    pieces: &'p [Piece<'a>],
    charset: Charset,
    /// Whether the labels of all words are listed verbatim.
    are_exact: bool,
}

impl<'p, 'a> WordRun<'p, 'a> {
    fn words(&self) -> impl Iterator<Item = &'p EncodedWord<'a>> + use<'p, 'a> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Word(word) => Some(word),
            Piece::Text(_) => None,
        })
    }

    /// The range of the words and the white space between them.
    fn range(&self) -> Range<usize> {
        self.first.offset()..self.last.offset() + self.last.length()
    }
}

/// The resolved meaning of a label.
#[derive(Clone, Copy)]
struct LabelMeaning {
    /// [`Charset::UNKNOWN_8BIT`] if the label declares nothing.
    charset: Charset,
    /// Whether the label is listed verbatim and declares a charset.
    is_exact: bool,
}

/// Decodes the pieces of a field to text.
struct FieldDecoder<'p, 'a> {
    field: &'p FieldPieces<'p, 'a>,
    options: &'p Options,
    /// The charset of the field's raw octets, including words kept as written.
    raw_charset: (Charset, Source),
    open_word: Range<usize>,
    text: String,
    charsets: Few<CharsetUse>,
    report: Report,
    raw: RawRun<'a>,
    /// The last label and its meaning.
    last_label: Option<(&'a [u8], LabelMeaning)>,
    detected_words: DetectedWords,
}

impl<'a> FieldDecoder<'_, 'a> {
    /// Decodes the pieces in order.
    ///
    /// White space between two words is removed if both are decoded, and kept if one of them is kept as
    /// written (RFC 2047, section 6.2).
    fn run(&mut self) {
        let mut rest = self.field.pieces;
        // White space after the previous word, if that word was decoded.
        let mut blanks: &[Piece<'a>] = &[];
        let mut is_after_word = false;
        while let [first, following @ ..] = rest {
            match first {
                Piece::Text(text) if text.between_words() && is_after_word => {
                    (blanks, rest) = split_blanks(rest);
                }
                Piece::Text(text) => {
                    is_after_word = false;
                    self.push_raw(text.octets(), text.offset());
                    rest = following;
                }
                Piece::Word(word) => {
                    let LabelMeaning { charset, is_exact } = self.meaning(word.label_octets());
                    let Some(charset) = readable(charset) else {
                        let detail = || format!("no decoder for {charset}").into();
                        self.keep(std::mem::take(&mut blanks), detail);
                        self.keep(slice::from_ref(first), detail);
                        is_after_word = false;
                        rest = following;
                        continue;
                    };
                    let run = self.run_of(word, rest, charset, is_exact);
                    rest = rest.get(run.pieces.len()..).unwrap_or_default();
                    is_after_word = self.push_run(&run, std::mem::take(&mut blanks));
                }
            }
        }
        self.keep(blanks, Cow::default);
    }

    /// The run of words at the start of `pieces`. Its first word is `first`, in `charset`.
    fn run_of<'p>(
        &mut self,
        first: &'p EncodedWord<'a>,
        pieces: &'p [Piece<'a>],
        charset: Charset,
        is_exact: bool,
    ) -> WordRun<'p, 'a> {
        let (mut last, mut length, mut are_exact) = (first, 1, is_exact);
        for (at, piece) in pieces.iter().enumerate().skip(1) {
            match piece {
                Piece::Text(text) if text.between_words() => {}
                Piece::Word(word) if word.place() == first.place() => {
                    let meaning = self.meaning(word.label_octets());
                    if readable(meaning.charset) != Some(charset) {
                        break;
                    }
                    are_exact &= meaning.is_exact;
                    (last, length) = (word, at + 1);
                }
                _ => break,
            }
        }
        WordRun {
            first,
            last,
            pieces: pieces.get(..length).unwrap_or(pieces),
            charset,
            are_exact,
        }
    }

    fn meaning(&mut self, label: &'a [u8]) -> LabelMeaning {
        if let Some((last, meaning)) = self.last_label
            && last == label
        {
            return meaning;
        }
        let exact = Charset::for_label_octets(label);
        let charset = exact.or_else(|| charset::resolve(&Label::new(label)).charset);
        let charset = charset.unwrap_or(Charset::UNKNOWN_8BIT);
        let meaning = LabelMeaning {
            charset,
            is_exact: exact.is_some() && !charset.names_nothing(),
        };
        self.last_label = Some((label, meaning));
        meaning
    }

    /// Appends to the pending raw text.
    fn push_raw(&mut self, octets: &'a [u8], offset: usize) {
        if self.raw.octets.is_empty() {
            self.raw.offset = offset;
            self.raw.octets = Cow::Borrowed(octets);
        } else {
            if offset > self.raw.end {
                self.raw.folds.push(self.raw.octets.len());
            }
            let continued = self.continued_character(octets, offset);
            self.raw.was_split |= continued.is_some();
            let octets = continued.unwrap_or(octets);
            self.raw.octets.to_mut().extend_from_slice(octets);
        }
        self.raw.end = offset + octets.len();
    }

    /// If a fold before these octets splits a character of UTF-8, returns them without their leading
    /// blanks.
    ///
    /// Programs that fold at a fixed number of octets insert a line ending and a blank inside a
    /// character. Both are removed, and the halves are joined, like those of a character split between
    /// encoded words. An accidental match is unlikely.
    fn continued_character(&self, octets: &'a [u8], offset: usize) -> Option<&'a [u8]> {
        let is_line_end = match (self.field.quoting, offset.checked_sub(self.raw.end)?) {
            // The line ending cannot be checked: the offsets of a name are into a field body that is not
            // available here.
            (Quoting::Never, 1 | 2) => true,
            (Quoting::InField { .. }, 1 | 2) => {
                let between = self.field.body.get(self.raw.end..offset)?;
                between.iter().all(|octet| LINE_ENDS.contains(octet))
            }
            _ => false,
        };
        if !is_line_end || self.raw_charset.0 != Charset::UTF_8 {
            return None;
        }
        let blanks = octets.iter().position(|&octet| !is_blank(octet))?;
        let following = octets.get(blanks..).filter(|_| blanks > 0)?;
        is_split(&self.raw.octets, following).then_some(following)
    }

    /// Allocates the text on first use.
    fn reserve(&mut self) {
        if self.text.capacity() == 0 {
            let length = match self.field.quoting {
                Quoting::InField { .. } => self.field.body.len(),
                Quoting::Never => {
                    let pieces = self.field.pieces.iter();
                    pieces.map(|piece| piece.source().len()).sum()
                }
            };
            self.text = String::with_capacity(capacity_for(length));
        }
    }

    /// Appends the pending raw text.
    #[inline]
    fn flush_raw(&mut self) {
        if !self.raw.octets.is_empty() {
            self.append_raw();
        }
    }

    fn append_raw(&mut self) {
        let mut raw = std::mem::take(&mut self.raw);
        self.reserve();
        if let Some(unfolded) = unfold_escapes(&raw.octets, &raw.folds) {
            raw.octets = Cow::Owned(unfolded);
        }
        let text = self.raw_text(&raw.octets, &raw);
        self.text.push_str(&text);
    }

    /// Decodes raw octets; borrows them if they are already text.
    fn raw_text<'r>(&mut self, octets: &'r [u8], run: &RawRun<'_>) -> Cow<'r, str> {
        if let Some(text) = plain_text(octets) {
            return Cow::Borrowed(text);
        }
        let (offset, length) = (run.offset, run.end - run.offset);
        let chosen = if octets.is_ascii() {
            charset_with_escapes(octets, self.options)
        } else {
            Some(self.raw_charset)
        };
        let text = if let Some((charset, source)) = chosen {
            let decoded = charset.decode_with(octets, self.options);
            let is_exact = decoded.report.replacements() == 0 && !run.was_split;
            place_at(&decoded.report, offset, length, &mut self.report);
            raw_finding(
                octets,
                (charset, source),
                is_exact,
                (offset, length),
                &mut self.report,
            );
            self.charsets.push(CharsetUse {
                offset,
                length,
                charset,
                source,
            });
            decoded.text
        } else {
            flag_kept_escapes(octets, (offset, length), &mut self.report);
            utf8::decode_lossy(octets)
        };
        flag_characters(&text, offset, length, &mut self.report);
        text
    }

    /// Appends pieces as raw text, as written (RFC 2047, section 6.2), and reports each word with `detail`.
    /// Each line of a word is a separate piece, as in other text of the field.
    fn keep(&mut self, pieces: &[Piece<'a>], detail: impl Fn() -> Cow<'static, str>) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.push_raw(text.octets(), text.offset()),
                Piece::Word(word) => {
                    let (offset, length) = (word.offset(), word.length());
                    for (at, line) in header::lines(word.source()) {
                        self.push_raw(line, offset + at);
                    }
                    self.report
                        .add(Kind::EncodedWordKept, offset, length, detail());
                }
            }
        }
    }

    /// Appends the text of a run, and returns whether it was decoded. If quotes cannot separate its text
    /// from the surrounding syntax, keeps the run as written, with the `blanks` before it.
    fn push_run(&mut self, run: &WordRun<'_, 'a>, blanks: &[Piece<'a>]) -> bool {
        self.flush_raw();
        self.reserve();
        let place = run.range();
        let start = self.text.len();
        let (charset, source) = self.decode_run(run);
        let closes_quotes = run.last.closes_quotes && self.text.ends_with('"');
        if closes_quotes {
            self.text.pop();
        }
        if let Quoting::InField { has_open_quote, .. } = self.field.quoting
            && run.first.place() != Place::Text
            && let Err(detail) = self.quote_if_needed(run.first, start, &place, has_open_quote)
        {
            self.text.truncate(start);
            self.keep(blanks, || detail.into());
            self.keep(run.pieces, || detail.into());
            return false;
        }
        if closes_quotes && self.field.quoting != Quoting::Never {
            self.text.push('"');
        }
        let decoded = self.text.get(start..).unwrap_or_default();
        flag_characters(decoded, place.start, place.len(), &mut self.report);
        if !run.are_exact {
            for word in run.words() {
                let place = (word.offset(), word.length());
                report_label(&word.label(), place, &mut self.report);
            }
        }
        self.charsets.push(CharsetUse {
            offset: place.start,
            length: place.len(),
            charset: charset.as_practised(),
            source,
        });
        true
    }

    /// Quotes the text from `start` on, decoded from the words in `range`, if it could be parsed as
    /// syntax. Fails with a reason if quotes would not separate it from the surrounding syntax.
    fn quote_if_needed(
        &mut self,
        first: &EncodedWord<'_>,
        start: usize,
        range: &Range<usize>,
        has_open_quote: bool,
    ) -> Result<(), &'static str> {
        let decoded = self.text.get(start..).unwrap_or_default();
        let place = match first.place() {
            Place::Parameter if first.in_quotes => Place::QuotedString,
            place => place,
        };
        let look_ahead = match place {
            Place::Phrase => self.field.body.len(),
            // The look-ahead is bounded: with many parentheses, each word would search the whole rest of
            // the field. Parentheses need not close within it.
            _ => Neighbours::NEAR,
        };
        let neighbours = Neighbours::of(self.field.body, range.start, range.end, look_ahead);
        let is_marked = needs_quotes(decoded, place);
        // The opening quote would be part of a quoted pair.
        if is_escaped(self.field.body, range.start) {
            return Err("a backslash precedes it");
        }
        if self.open_word.contains(&range.start) {
            return Err("it is inside text like an unfinished encoded word");
        }
        // A quoted string can be part of a local part too.
        if place == Place::Phrase && neighbours.next == Some(b'.') {
            return Err("a full stop follows it");
        }
        // Some programs parse two adjacent values as two parameters.
        if place == Place::Parameter && (neighbours.before || !neighbours.is_separate && is_marked)
        {
            return Err("text of the parameter adjoins it");
        }
        // Quotes would close the open quoted string.
        if (is_marked || neighbours.joins) && has_open_quote {
            return Err("a quotation mark or a bracket in the field is not closed");
        }
        let is_marked = is_marked || place == Place::Phrase && neighbours.joins;
        if is_marked || matches!(place, Place::Comment | Place::QuotedString) {
            let decoded = self.text.split_off(start);
            quote(&decoded, place, is_marked, &mut self.text);
        }
        Ok(())
    }

    /// Decides the charset of a run from the octets of all its words: the charset of the labels,
    /// unless the octets disprove it. Findings go to `report`.
    fn charset_of_run(
        &mut self,
        run: &WordRun<'_, 'a>,
        octets: &[u8],
        report: &mut Report,
    ) -> (Charset, Source) {
        let charset = run.charset;
        if is_settled(charset, octets) {
            return (charset, Source::Declared);
        }
        let label = run.first.label();
        let decided = FieldDecision::of(&label, octets, self.options, self.detected_words);
        if matches!(decided.source, Source::Detected | Source::Default) && !octets.is_ascii() {
            self.detected_words.count += 1;
            self.detected_words.last = Some(decided.charset);
        }
        let place = run.range();
        place_at(&decided.report, place.start, place.len(), report);
        (decided.charset, decided.source)
    }

    /// Appends the text of a run with labels of one charset. Returns the charset that decoded it, and
    /// the source of that decision.
    ///
    /// Words cut inside an escape or a base64 group are joined as encoded text (`word_joins.rs`); all
    /// others are decoded alone, as RFC 2047, section 5, requires. If joining is possible but uncertain,
    /// the opposite choice is tried too, and used if fewer sequences are malformed.
    fn decode_run(&mut self, run: &WordRun<'_, 'a>) -> (Charset, Source) {
        if decode_strict_words(run.words(), run.charset, self.options, &mut self.text) {
            return (run.charset, Source::Declared);
        }
        let words: Vec<_> = run.words().collect();
        let joins = joins(&words);
        let join = |at: usize| joins.get(at).copied().unwrap_or(Join::Never);
        let mut units = WordUnits::of(&words, |at| join(at) == Join::Likely);
        let mut other = None;
        if joins.iter().copied().any(Join::is_possible) && !is_settled(run.charset, &units.octets) {
            let mut opposite = WordUnits::of(&words, |at| join(at) == Join::Unlikely);
            if is_settled(run.charset, &opposite.octets) {
                std::mem::swap(&mut units, &mut opposite);
            }
            other = Some(opposite);
        }
        let mut decision_report = Report::new();
        let (charset, source) = self.charset_of_run(run, &units.octets, &mut decision_report);
        let (mut text, mut found) = self.decode_units(run, &units, charset);
        if found.replacements() > 0
            && let Some(other) = other
        {
            let (other_text, other_found) = self.decode_units(run, &other, charset);
            if other_found.replacements() < found.replacements() {
                (text, found, units) = (other_text, other_found, other);
            }
        }
        self.report.absorb(units.report, 0);
        self.report.absorb(decision_report, 0);
        self.text.push_str(&text);
        self.report.absorb(found, 0);
        (charset, source)
    }

    /// Decodes a run in a charset. Decodes each unit alone, or all octets together if that leaves fewer
    /// malformed sequences: many mailers split words inside a character. The offsets of findings are into
    /// the field.
    fn decode_units(
        &self,
        run: &WordRun<'_, 'a>,
        units: &WordUnits,
        charset: Charset,
    ) -> (String, Report) {
        let needs_whole_text = self.options.remaps(charset) && units.list.len() > 1;
        let separate = self.decode_separately(units, charset);
        let damage = separate.1.replacements();
        if units.list.len() < 2 || damage == 0 && !needs_whole_text {
            return separate;
        }
        let decoded = charset.decode_with(&units.octets, self.options);
        let joined_damage = decoded.report().replacements();
        if joined_damage >= damage && !(needs_whole_text && joined_damage == 0) {
            return separate;
        }
        let mut report = Report::new();
        let (offset, length) = (run.range().start, run.range().len());
        if !needs_whole_text {
            let detail = joined_words(run.words().count());
            report.add(Kind::EncodedWordJoined, offset, length, detail);
        }
        place_at(decoded.report(), offset, length, &mut report);
        (decoded.into_text().into_owned(), report)
    }

    /// Decodes each unit from the initial shift state. If a unit ends in another state, and the next unit
    /// begins with neither an escape nor a shift, the state is carried over, with a finding.
    fn decode_separately(&self, units: &WordUnits, charset: Charset) -> (String, Report) {
        let mut text = String::new();
        let mut report = Report::new();
        let mut open: Vec<u8> = Vec::new();
        let (mut open_from, mut open_offset) = (0, 0);
        for (at, unit) in units.list.iter().enumerate() {
            if open.is_empty() {
                (open_from, open_offset) = (at, unit.offset);
            }
            open.extend_from_slice(units.octets(unit));
            let is_continued = !charset.is_ascii_superset()
                && units.inherits_state(at + 1)
                && leaves_state_open(&open, charset, self.options);
            if !is_continued {
                let mut found = Report::new();
                charset.decode_onto(&open, self.options, &mut text, &mut found);
                let length = unit.offset + unit.length - open_offset;
                if at > open_from {
                    report.add(
                        Kind::EncodedWordJoined,
                        open_offset,
                        length,
                        joined_words(at + 1 - open_from),
                    );
                }
                place_at(&found, open_offset, length, &mut report);
                open.clear();
            }
        }
        (text, report)
    }

    /// Returns the text. Puts the lexer's findings before those of decoding.
    fn finish(mut self) -> FieldText<'a> {
        let raw = std::mem::take(&mut self.raw);
        let text = match raw.octets {
            Cow::Borrowed(octets) if self.text.is_empty() && !octets.is_empty() => {
                self.raw_text(octets, &raw)
            }
            _ => {
                self.raw = raw;
                self.flush_raw();
                Cow::Owned(self.text)
            }
        };
        FieldText {
            text,
            charsets: self.charsets,
            report: self.report,
        }
    }
}

/// Splits `pieces` after the white space between words at its start.
fn split_blanks<'p, 'a>(pieces: &'p [Piece<'a>]) -> (&'p [Piece<'a>], &'p [Piece<'a>]) {
    let is_blank = |piece: &&Piece<'_>| matches!(piece, Piece::Text(text) if text.between_words());
    let length = pieces.iter().take_while(is_blank).count();
    pieces.split_at_checked(length).unwrap_or((pieces, &[]))
}
