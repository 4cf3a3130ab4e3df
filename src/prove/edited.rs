//! Rules for changes in a field body. The proof parses the source field again and rejects any other
//! change.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::{self, Finder};

use super::change::Change;
use super::mime_field::{MimeField, range_of};
use super::options::{Conversion, OnMalformed};
use super::ranges::touches;
use super::rules::is_header_guess;
use crate::charset::{self, Charset};
use crate::decode::CharsetUse;
use crate::header::{self, Piece, Syntax};
use crate::message::{Field, Part};
use crate::report::{Effect, Finding, Source, Within};

/// A field whose body was changed.
pub(super) struct EditedField<'e> {
    pub(super) part: Part<'e>,
    /// The field of the source.
    pub(super) field: Field<'e>,
    pub(super) changes: &'e [Change],
    pub(super) result: &'e [u8],
    /// Whether the field may have to name a new charset or transfer encoding of the body.
    pub(super) describes_body: bool,
}

/// Message ranges that affect the changes of one field, in order.
#[derive(Default)]
struct FieldRanges {
    /// Raw text, and parameters not labelled UTF-8: these may change.
    foreign: Vec<Range<usize>>,
    /// Text in a guessed charset.
    guessed: Vec<Range<usize>>,
    /// Text that cannot be decoded without loss.
    lost: Vec<Range<usize>>,
    charsets: Vec<Charset>,
}

impl EditedField<'_> {
    /// The kind of text that a change touches although it must not, if any. Also returns the
    /// charsets of the field.
    pub(super) fn violation(&self, options: &Conversion) -> (Option<&'static str>, Vec<Charset>) {
        let mut ranges = FieldRanges::default();
        if header::syntax(self.field.name()) == Syntax::Parameters {
            self.add_parameters(options, &mut ranges);
        } else {
            self.add_text(options, &mut ranges);
        }
        for ranges in [&mut ranges.foreign, &mut ranges.guessed, &mut ranges.lost] {
            ranges.sort_by_key(|range| range.start);
        }
        let is_unnecessary = |change: &Change| {
            let octets = self.source(&change.before);
            let describes_body = self.describes_body && self.names_charset_or_encoding(change);
            let is_foreign = !octets.is_ascii()
                || has_foreign_word(octets)
                || touches(&ranges.foreign, &change.before);
            !describes_body && !is_foreign
        };
        let violation = if self.changes.iter().any(is_unnecessary) {
            Some("text that is US-ASCII or UTF-8")
        } else if options.guessed.is_none() && !self.keeps(&ranges.guessed) {
            Some("raw text whose charset is only a guess")
        } else if options.on_malformed != OnMalformed::Replace && !self.keeps(&ranges.lost) {
            Some("text that cannot be decoded without loss")
        } else {
            None
        };
        (violation, ranges.charsets)
    }

    fn add_text(&self, options: &Conversion, ranges: &mut FieldRanges) {
        let text = self.field.text_with(&options.decoding);
        for used in text.charsets() {
            ranges.charsets.push(used.charset);
            let range = used.offset..used.offset + used.length;
            if self.is_guess(used, options) {
                ranges.guessed.push(range.clone());
            }
            if used.source != Source::Declared {
                ranges.foreign.push(range);
            }
        }
        let is_lost = |finding: &&Finding| {
            finding.kind().effect() == Effect::Lost && finding.within() == Within::Source
        };
        let lost = text.report().iter().filter(is_lost);
        ranges.lost.extend(lost.map(Finding::range));
    }

    fn add_parameters(&self, options: &Conversion, ranges: &mut FieldRanges) {
        let body = self.field.body();
        let base = self.base();
        let in_message = |range: Range<usize>| range.start + base..range.end + base;
        let field = MimeField::parse(self.field.name(), body);
        // Comments may contain words. So may values, although that is not allowed.
        for piece in header::pieces(body, Syntax::Parameters).as_slice() {
            if let Piece::Word(word) = piece {
                let resolved = charset::resolve(&word.label());
                ranges.charsets.extend(resolved.charset);
            }
        }
        // Comments may also contain raw text.
        let text = self.field.text_with(&options.decoding);
        let used = text.charsets().iter();
        ranges.charsets.extend(used.clone().map(|it| it.charset));
        if used.clone().any(|used| self.is_guess(used, options)) {
            let parameters = field.parameter_ranges();
            let raw = header::raw_texts(body, Syntax::Parameters, &[]);
            let in_comments = raw.into_iter().map(|raw| raw.range);
            let in_comments = in_comments.filter(|range| !touches(&parameters, range));
            // A range may include encoded words, whose charset is not a guess.
            let runs = in_comments.flat_map(|range| runs_above_ascii(body, range));
            ranges.guessed.extend(runs.map(in_message));
        }
        for parameter in field.parameters() {
            if parameter.name() == "charset" {
                continue;
            }
            let text = self.part.parameter_text(parameter, &options.decoding);
            let is_foreign = |used: &&CharsetUse| match used.charset {
                Charset::UTF_8 => used.source != Source::Declared,
                Charset::US_ASCII => !text.as_str().is_ascii(),
                _ => true,
            };
            // All text of a value is in one charset.
            let Some(used) = text.charsets().iter().find(is_foreign) else {
                continue;
            };
            let charsets = text.charsets().iter().map(|it| it.charset);
            ranges.charsets.extend(charsets);
            let range = in_message(range_of(parameter));
            if self.is_guess(used, options) {
                ranges.guessed.push(range.clone());
            }
            if text.report().has_loss() {
                ranges.lost.push(range.clone());
            }
            ranges.foreign.push(range);
        }
    }

    fn is_guess(&self, used: &CharsetUse, options: &Conversion) -> bool {
        let (charset, source) = (used.charset, used.source);
        let is_ascii = source == Source::Default && charset == Charset::US_ASCII;
        !is_ascii && is_header_guess(self.part, charset, source, &options.decoding)
    }

    /// Whether a change concerns the charset or the transfer encoding of the body.
    fn names_charset_or_encoding(&self, change: &Change) -> bool {
        const NAME: &[u8] = b"charset";
        let name = self.field.name();
        let octets = self.result.get(change.after.clone()).unwrap_or_default();
        let mut words = octets.windows(NAME.len());
        name.eq_ignore_ascii_case(b"Content-Transfer-Encoding")
            || (name.eq_ignore_ascii_case(b"Content-Type")
                && words.any(|word| word.eq_ignore_ascii_case(NAME)))
    }

    /// Offset of the field body in the message.
    fn base(&self) -> usize {
        self.field.body_range().map_or(0, |range| range.start)
    }

    fn source(&self, range: &Range<usize>) -> &[u8] {
        let start = range.start.saturating_sub(self.base());
        let octets = self.field.body().get(start..start + range.len());
        octets.unwrap_or_default()
    }

    /// Whether changes keep the octets of these ranges, apart from white space. A change that refolds a
    /// line includes unchanged octets.
    fn keeps(&self, ranges: &[Range<usize>]) -> bool {
        let mut changes = self.changes.iter();
        let mut at = changes.next();
        // The octets of the current change in the result, and the offset up to which they are matched.
        let mut result: Option<Vec<u8>> = None;
        let mut from = 0;
        for range in ranges {
            while at.is_some_and(|change| change.before.end <= range.start) {
                at = changes.next();
                (result, from) = (None, 0);
            }
            let Some(change) = at else { return true };
            if range.end <= change.before.start {
                continue;
            }
            let octets = result.get_or_insert_with(|| {
                without_blanks(self.result.get(change.after.clone()).unwrap_or_default())
            });
            let rest = octets.get(from..).unwrap_or_default();
            let inside = range.start.max(change.before.start)..range.end.min(change.before.end);
            match memmem::find(rest, &without_blanks(self.source(&inside))) {
                Some(found) => from += found,
                None => return false,
            }
        }
        true
    }
}

/// The runs of octets above 7F within a range.
fn runs_above_ascii(octets: &[u8], within: Range<usize>) -> Vec<Range<usize>> {
    let mut at = within.start;
    let octets = octets.get(within).unwrap_or_default();
    let runs = octets.chunk_by(|one, next| one.is_ascii() == next.is_ascii());
    let ranges = runs.map(|run| {
        at += run.len();
        (run.is_ascii(), at - run.len()..at)
    });
    let above = ranges.filter(|(is_ascii, _)| !is_ascii);
    above.map(|(_, range)| range).collect()
}

fn without_blanks(octets: &[u8]) -> Vec<u8> {
    let octets = octets.iter().copied();
    octets
        .filter(|octet| !octet.is_ascii_whitespace())
        .collect()
}

/// Whether octets contain an encoded word that is not labelled UTF-8.
pub(crate) fn has_foreign_word(octets: &[u8]) -> bool {
    static WORD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("=?"));
    let is_foreign = |at: usize| {
        let label = octets.get(at + 2..at + 8);
        !label.is_some_and(|label| label.eq_ignore_ascii_case(b"utf-8?"))
    };
    WORD.find_iter(octets).any(is_foreign)
}
