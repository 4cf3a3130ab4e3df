//! The fields of a header: words, raw text and parameters, each in its place.
//!
//! An edit takes as much of a field as it has to. What a field says is read before and after
//! its edits; where that is not the same, the field stays as it is and is reported.

use std::cell::LazyCell;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memchr;
use memchr::memmem::Finder;

use super::draft::Draft;
use super::edit::{Edit, Edited, applied, column};
use super::segment::{Header, New, Segment, is_unusual, is_word};
use crate::charset::{self, Charset, Matched, utf8};
use crate::decode;
use crate::header::encode;
use crate::header::{self, EncodedWord, Parameter, Piece, Place, Syntax};
use crate::message::Field;
use crate::prove::{MAX_FIELD, Reading, is_again, joined, says_the_same, touches};
use crate::report::{Finding, Kind, Report, Source};

impl Header<'_> {
    /// Whether raw text in a charset found so is converted.
    ///
    /// The charset that the caller names, or that the message declares for its text, is no
    /// guess where it fits. Mailers that put raw text into headers wrote all of a message in
    /// one charset (RFC 7103, section 7.7); and once the text is in UTF-8, nothing in the
    /// message would tell any more how to read the header.
    fn relies_on(&self, charset: Charset, source: Source) -> bool {
        /// How likely windows-1252 is right where nothing else is known, in percent.
        const DEFAULT: u8 = 30;
        match source {
            Source::Detected
                if self.entity.declared_for_raw(&self.options.reading) == Some(charset) =>
            {
                true
            }
            Source::Detected => {
                let confidence = self.entity.raw_confidence(&self.options.reading);
                self.options.relies_on(source, confidence)
            }
            _ => self.options.relies_on(source, DEFAULT),
        }
    }

    pub(super) fn field(&self, field: &Field<'_>, draft: &mut Draft) {
        let Some(range) = field.body_range() else {
            return;
        };
        let (mut segments, syntax) = self.segments(field, draft);
        if segments.is_empty() {
            draft.needs_proof |= utf8::well_formed(field.body()).is_none();
            return;
        }
        // All that has to change, or the words without the raw text.
        loop {
            let is_raw = |segment: &&Segment| !is_word(&segment.reading);
            let has_raw = segments.iter().any(|segment| is_raw(&segment));
            let words = if has_raw {
                let words = segments.iter().filter(|segment| !is_raw(segment));
                words.cloned().collect()
            } else {
                Vec::new()
            };
            // What they hold is let go of as it is written.
            let new = applied(field.body(), self.edits(field, segments));
            // Raw text is read as one: UTF-8 beside octets that are none would be read as they.
            let has_others = utf8::well_formed(&new.octets).is_none();
            let is_mixed = self.keeps_raw_utf_8() && has_others;
            let has_raw_edit = new.edits.iter().any(|edit| !is_word(&edit.reading));
            if !(is_mixed && has_raw_edit)
                && says_the_same(field, &new.octets, syntax, &self.options.reading)
            {
                draft.needs_proof |= has_others;
                self.take(field, new, draft);
                return;
            }
            draft.leave(&range, "the field would not say the same");
            if !has_raw {
                break;
            }
            segments = words;
        }
    }

    pub(super) fn take(&self, field: &Field<'_>, new: Edited, draft: &mut Draft) {
        draft.changed.fields += usize::from(!new.edits.is_empty());
        let base = field.body_range().map_or(0, |range| range.start);
        let name = String::from_utf8_lossy(field.name());
        let last = draft.changes.last().and_then(|last| last.what.as_ref());
        let last = last.and_then(|what| what.field.as_ref());
        let name = match last.filter(|last| ***last == *name) {
            Some(last) => last.clone(),
            None => Arc::from(name),
        };
        for Edit {
            before,
            after,
            mut reading,
        } in new.edits
        {
            reading.report = reading.report.map(|report| {
                let mut moved = Report::new();
                moved.absorb(Arc::unwrap_or_clone(report), base);
                Arc::new(moved)
            });
            let range = before.start + base..before.end + base;
            let what = self.what(Some(Arc::clone(&name)), reading);
            draft.change(range, new.octets.get(after).unwrap_or_default(), what);
        }
    }

    /// What of a field has to change, in order, without overlaps.
    pub(super) fn segments(&self, field: &Field<'_>, draft: &mut Draft) -> (Vec<Segment>, Syntax) {
        let body = field.body();
        let syntax = header::syntax(field.name());
        let mut segments = Vec::new();
        if stays(body, syntax) {
            return (segments, syntax);
        }
        let base = field.body_range().map_or(0, |range| range.start);
        if body.len() > MAX_FIELD {
            let detail = format!("a field of more than {MAX_FIELD} octets");
            draft.leave(&(base..base + body.len()), detail);
            return (segments, syntax);
        }
        let (pieces, report) = header::pieces(body, syntax).into_parts();
        let has_several =
            syntax == Syntax::Parameters || pieces.iter().any(|p| as_word(p).is_some());
        draft.needs_proof |= is_unusual(&report) || has_several && !body.is_ascii();
        if has_raw_in_and_out(body, &pieces) {
            // One answer is found for all of them, and must not depend on which are left.
            let detail = "octets above 7F in encoded words and outside them";
            draft.leave(&(base..base + body.len()), detail);
            return (segments, syntax);
        }
        let mut parameters = Vec::new();
        if syntax == Syntax::Parameters {
            parameters = self.parameters(field, base, draft, &mut segments);
        }
        self.words(&pieces, base, &parameters, draft, &mut segments);
        if !body.is_ascii() || memchr(ESCAPE, body).is_some() {
            self.raw(field, syntax, &pieces, &parameters, draft, &mut segments);
        }
        segments.sort_by_key(|segment| segment.range.start);
        let overlap = segments
            .iter()
            .zip(segments.iter().skip(1))
            .any(|(one, next)| one.range.end > next.range.start);
        if overlap {
            draft.leave(
                &(base..base + body.len()),
                "sections that lie in each other",
            );
            segments.clear();
        }
        (segments, syntax)
    }

    /// The runs of encoded words in another charset.
    fn words(
        &self,
        pieces: &[Piece<'_>],
        base: usize,
        parameters: &[Range<usize>],
        draft: &mut Draft,
        segments: &mut Vec<Segment>,
    ) {
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            let Piece::Word(first) = piece else {
                at += 1;
                continue;
            };
            let charset = decode::charset_of_label(&first.label());
            let run = run_from(pieces.get(at..).unwrap_or_default(), first, charset);
            at += run.len().max(1);
            let place = first.offset() + base..end_of(run) + base;
            let is_joined = |piece: Option<&Piece<'_>>| match piece {
                Some(Piece::Word(_)) => true,
                Some(Piece::Text(text)) => text.between_words(),
                None => false,
            };
            let start = at - run.len().max(1);
            let joined = is_joined(start.checked_sub(1).and_then(|before| pieces.get(before)))
                || is_joined(pieces.get(at));
            if parameters
                .iter()
                .any(|range| range.contains(&first.offset()))
            {
                continue;
            }
            let Some(charset) = charset else {
                draft.leave(&place, format!("a word in {:.64}", first.label()));
                continue;
            };
            let is_exact = || charset::resolve(&first.label()).matched() == Matched::Exact;
            if charset == Charset::UTF_8 && is_exact() {
                continue;
            }
            let text = self.phrase(run);
            if charset == Charset::US_ASCII && text.as_str().is_ascii() {
                continue;
            }
            let is_guess = |used: &&decode::CharsetUse| {
                !text.as_str().is_ascii() && !self.relies_on(used.charset(), used.source())
            };
            if let Some(guess) = text.charsets().iter().find(is_guess) {
                let (label, charset) = (first.label(), guess.charset());
                let detail = format!("a word in {label:.64}, {charset} is only a guess");
                draft.leave(&place, detail);
                continue;
            }
            if !draft.allows_loss(&place, text.report(), self.options) {
                continue;
            }
            self.run(run, &text, joined, base, draft, segments);
        }
    }

    /// The text of a run of words, with the hint that the message gives where no label speaks for
    /// them.
    fn phrase(&self, run: &[Piece<'_>]) -> decode::FieldText<'static> {
        let mut text = decode::phrase(run, &self.options.reading);
        if text.is_guessed() {
            text = decode::phrase(run, &self.entity.with_hint(&self.options.reading));
        }
        text.into_owned()
    }

    /// A run of words, or a run for each of its languages; `joined` to a word next to it.
    fn run(
        &self,
        run: &[Piece<'_>],
        text: &decode::FieldText<'_>,
        joined: bool,
        base: usize,
        draft: &mut Draft,
        segments: &mut Vec<Segment>,
    ) {
        let words = || run.iter().filter_map(as_word);
        let mut groups: Vec<&[Piece<'_>]> = vec![run];
        let language = |word: &EncodedWord<'_>| word.language().map(<[u8]>::to_ascii_lowercase);
        let first = words().next().and_then(language);
        if words().any(|word| language(word) != first) {
            groups = run
                .chunk_by(|one, next| match (as_word(one), as_word(next)) {
                    (Some(one), Some(next)) => language(one) == language(next),
                    (Some(_) | None, None) => true,
                    (None, Some(_)) => false,
                })
                .collect();
        }
        let of_groups: Vec<_>;
        let mut texts = std::slice::from_ref(text);
        if groups.len() > 1 {
            let read = |group| self.phrase(group);
            of_groups = groups.iter().copied().map(read).collect();
            texts = &of_groups;
        }
        let whole = texts.iter().flat_map(|text| text.as_str().bytes());
        let (Some(first), Some(range)) = (words().next(), range_of(run)) else {
            return;
        };
        if !whole.eq(text.as_str().bytes()) {
            let detail = "words of several languages that share a character";
            draft.leave(&(range.start + base..range.end + base), detail);
            return;
        }
        let used = text.charsets().first();
        let charset = used.map_or(Charset::UTF_8, decode::CharsetUse::charset);
        let source = used.map_or(Source::Declared, decode::CharsetUse::source);
        for (index, (group, text)) in groups.iter().zip(texts).enumerate() {
            let Some(range) = range_of(group) else {
                continue;
            };
            let language = group
                .iter()
                .find_map(as_word)
                .and_then(EncodedWord::language)
                .unwrap_or_default();
            let Some(language) = language_tag(language) else {
                draft.leave(&(range.start + base..range.end + base), "an odd language");
                continue;
            };
            let place = first.place();
            let alone = groups.len() == 1 && !joined && language.is_empty();
            let raw = (self.keeps_raw_utf_8() && alone)
                .then(|| raw(text.as_str(), place))
                .flatten();
            let report = if index == 0 {
                Reading::report_of(text.report().clone())
            } else {
                None
            };
            segments.push(Segment {
                range,
                what: match raw {
                    Some(raw) => New::Octets(raw),
                    None => New::Words {
                        text: text.as_str().to_owned(),
                        place,
                        language,
                    },
                },
                reading: Reading {
                    label: Some(Arc::new(first.label().clone().into_owned())),
                    charset,
                    source,
                    report,
                },
            });
        }
    }

    /// The ranges of raw text.
    fn raw(
        &self,
        field: &Field<'_>,
        syntax: Syntax,
        pieces: &[Piece<'_>],
        parameters: &[Range<usize>],
        draft: &mut Draft,
        segments: &mut Vec<Segment>,
    ) {
        let body = field.body();
        let base = field.body_range().map_or(0, |range| range.start);
        let options = self.entity.with_hint(&self.options.reading);
        let words: Vec<_> = pieces
            .iter()
            .filter_map(as_word)
            .map(|word| word.offset()..word.offset() + word.length())
            .collect();
        // Next to a word that cannot be decoded blanks are shown.
        let shown = LazyCell::new(|| -> Vec<Range<usize>> {
            let words = pieces.iter().filter_map(as_word);
            let decoded = words.filter(|word| decode::charset_of_label(&word.label()).is_some());
            decoded
                .map(|word| word.offset()..word.offset() + word.length())
                .collect()
        });
        let found = header::raw_texts(body, syntax, &words);
        if found.is_empty() {
            return;
        }
        if found.len() > header::Pieces::MAX_COUNT {
            let detail = "more raw text than is taken apart";
            draft.leave(&(base..base + body.len()), detail);
            return;
        }
        let read = decode::charset_of_raw_text(body, syntax, pieces, &options);
        let Some((charset, source)) = read else {
            return;
        };
        if charset == Charset::UTF_8 && self.keeps_raw_utf_8() {
            return;
        }
        let parameters = joined(parameters.to_vec());
        // Those that stay for the sake of a word, in order.
        let mut left: Vec<Range<usize>> = Vec::new();
        for found in found {
            let range = found.range.clone();
            let in_message = range.start + base..range.end + base;
            // What one takes for a comment that never ends may be a parameter to another.
            if touches(&parameters, &range) {
                continue;
            }
            if touches(&words, &range) {
                draft.leave(&in_message, "octets above 7F in an encoded word");
                left.push(range);
                continue;
            }
            if !self.relies_on(charset, source) {
                let detail = format!("raw text, {charset} is only a guess");
                draft.leave(&in_message, detail);
                continue;
            }
            let decoded = charset.decode_with(&found.octets, &options);
            if !draft.allows_loss(&in_message, decoded.report(), self.options) {
                continue;
            }
            let mut report = Report::new();
            report.absorb_octets(decoded.report().clone(), 0);
            let text = decoded.into_text().into_owned();
            match self.new_of_raw(text, found.place, |text| {
                with_blanks(body, &range, &shown, text)
            }) {
                Ok(what) => segments.push(Segment {
                    range,
                    what,
                    reading: Reading {
                        label: None,
                        charset,
                        source,
                        report: Reading::report_of(report),
                    },
                }),
                Err(detail) => draft.leave(&in_message, detail),
            }
        }
        leave_beside(&left, segments);
    }

    /// What is to stand for raw text in a place, or why it stays. As words it goes `with_blanks`.
    fn new_of_raw(
        &self,
        text: String,
        place: Option<Place>,
        with_blanks: impl FnOnce(String) -> String,
    ) -> Result<New, &'static str> {
        if self.keeps_raw_utf_8() {
            let raw = raw(&text, place.unwrap_or(Place::Text));
            return raw.map(New::Octets).ok_or("controls in raw text");
        }
        let place = place.ok_or("no encoded word may stand there")?;
        Ok(New::Words {
            text: with_blanks(text),
            place,
            language: String::new(),
        })
    }

    /// The parameters that are not in UTF-8, written anew. Gives the places of those that
    /// are read, whose words are not to be looked at again.
    fn parameters(
        &self,
        field: &Field<'_>,
        base: usize,
        draft: &mut Draft,
        segments: &mut Vec<Segment>,
    ) -> Vec<Range<usize>> {
        let body = field.body();
        let content_type;
        let disposition;
        let (parameters, report): (&[Parameter<'_>], _) =
            if field.name().eq_ignore_ascii_case(b"Content-Type") {
                content_type = header::content_type(body);
                (content_type.parameters(), content_type.report())
            } else if field.name().eq_ignore_ascii_case(b"Content-Disposition") {
                disposition = header::content_disposition(body);
                (disposition.parameters(), disposition.report())
            } else {
                return Vec::new();
            };
        draft.needs_proof |= is_unusual(report);
        let options = self.entity.with_hint(&self.options.reading);
        let again = names_that_stand_again(body, report);
        let mut places = Vec::new();
        for parameter in parameters {
            let range = parameter.offset()..parameter.offset() + parameter.length();
            places.push(range.clone());
            let in_message = range.start + base..range.end + base;
            if matches!(parameter.name(), "charset" | "boundary") {
                continue;
            }
            let text = parameter.text_with(&options);
            if let Some(label) = parameter.label()
                && decode::charset_of_label(label).is_none()
            {
                draft.leave(&in_message, format!("a value in {label:.64}"));
                continue;
            }
            let other = text.charsets().iter().find(|used| {
                let is_raw = used.source() != Source::Declared;
                match used.charset() {
                    // Under another label it is foreign; raw, it may stay.
                    Charset::UTF_8 => {
                        is_raw && (parameter.label().is_some() || !self.keeps_raw_utf_8())
                    }
                    Charset::US_ASCII => !text.as_str().is_ascii(),
                    _ => true,
                }
            });
            let Some(other) = other else {
                continue;
            };
            let (charset, source) = (other.charset(), other.source());
            if !self.relies_on(charset, source) {
                let detail = format!("a raw value, {charset} is only a guess");
                draft.leave(&in_message, detail);
                continue;
            }
            if again.contains(parameter.name()) {
                draft.leave(&in_message, "a parameter that stands again");
                continue;
            }
            let gap = report.has(Kind::SectionGap);
            if gap {
                draft.leave(&in_message, "a gap in its sections");
                continue;
            }
            if !draft.allows_loss(&in_message, text.report(), self.options) {
                continue;
            }
            let Some(language) = language_tag(parameter.language().unwrap_or_default()) else {
                draft.leave(&in_message, "an odd language");
                continue;
            };
            let column = column(body, field.name().len(), range.start);
            let Ok(written) =
                encode::parameter_in(parameter.name(), text.as_str(), &language, column)
            else {
                draft.leave(&in_message, "a parameter that cannot be written");
                continue;
            };
            let written = written.trim_start_matches([';', ' ', '\r', '\n']);
            if written.is_empty() {
                continue;
            }
            segments.push(Segment {
                range,
                what: New::Octets(self.folded(written.to_owned())),
                reading: Reading {
                    label: parameter
                        .label()
                        .map(|label| Arc::new(label.clone().into_owned())),
                    charset,
                    source,
                    report: Reading::report_of(text.report().clone()),
                },
            });
        }
        places
    }
}

/// The names of extended values or sections that stand in a field more than once. Which of them
/// is read may be another once one is written anew.
fn names_that_stand_again(body: &[u8], report: &Report) -> HashSet<String> {
    let again = report.findings().iter().filter(|finding| is_again(finding));
    let name = |finding: &Finding| {
        let written = body.get(finding.offset()..)?.trim_ascii_start();
        let end = written.iter().position(|&octet| !is_of_name(octet))?;
        let (name, rest) = written.split_at_checked(end)?;
        let is_plain = rest.first() != Some(&b'*');
        (!is_plain).then(|| String::from_utf8_lossy(name).to_ascii_lowercase())
    };
    again.filter_map(name).collect()
}

/// Whether an octet may be part of the name of a parameter (RFC 2231, section 7).
fn is_of_name(octet: u8) -> bool {
    octet.is_ascii_graphic() && !b"*'%()<>@,;:\\\"/[]?=".contains(&octet)
}

/// Takes out the words of a range in which raw text stays as it is because of them, where that text
/// would no longer stay: where one of them would be no word, or stands apart, as it has to in a phrase.
fn leave_beside(left: &[Range<usize>], segments: &mut Vec<Segment>) {
    let parts = |segment: &&Segment| match &segment.what {
        New::Words { text, place, .. } => text.is_ascii() || *place == Place::Phrase,
        New::Octets(_) => true,
    };
    let parting = segments.iter().filter(parts);
    let parting = joined(parting.map(|segment| segment.range.clone()).collect());
    let stay: Vec<_> = left
        .iter()
        .filter(|range| touches(&parting, range))
        .cloned()
        .collect();
    segments.retain(|segment| !touches(&stay, &segment.range));
}

/// Whether it shows without taking the body apart that nothing in it has to change: it is
/// US-ASCII, each of its words says `utf-8`, and its parameters, if it has some, are printable
/// as they stand.
pub(super) fn stays(body: &[u8], syntax: Syntax) -> bool {
    const LABEL: &[u8] = b"utf-8?";
    if syntax == Syntax::Parameters {
        // A question mark may be of a word, an asterisk of a section or a charset, and a
        // backslash may hide either. All octets are asked, which compiles to vectors.
        let stays = |octet: u8| {
            matches!(octet, b'\t' | b'\r' | b'\n' | b' '..=b'~')
                & !matches!(octet, b'?' | b'*' | b'\\')
        };
        return body.iter().fold(true, |all, &octet| all & stays(octet));
    }
    let says_utf_8 = |sign: usize| {
        let behind = body.get(sign + WORD.needle().len()..).unwrap_or_default();
        let label = behind.get(..LABEL.len());
        label.is_some_and(|label| label.eq_ignore_ascii_case(LABEL))
    };
    body.is_ascii() && memchr(ESCAPE, body).is_none() && WORD.find_iter(body).all(says_utf_8)
}

/// What the escapes of ISO 2022 begin with.
const ESCAPE: u8 = 0x1B;

/// What an encoded word begins with.
static WORD: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("=?"));

fn as_word<'p, 'a>(piece: &'p Piece<'a>) -> Option<&'p EncodedWord<'a>> {
    match piece {
        Piece::Word(word) => Some(word),
        Piece::Text(_) => None,
    }
}

/// Whether an encoded word has octets above 7F and something else has too.
fn has_raw_in_and_out(body: &[u8], pieces: &[Piece<'_>]) -> bool {
    if body.is_ascii() {
        return false;
    }
    let in_words = pieces
        .iter()
        .filter_map(as_word)
        .filter(|word| !word.source().is_ascii())
        .count();
    let in_text = pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Text(text) if !text.octets().is_ascii()));
    in_words + usize::from(in_text) > 1
}

/// The first word, which is in `charset`, and those that follow it in the same charset and kind
/// of place, with the blanks between them.
fn run_from<'p, 'a>(
    pieces: &'p [Piece<'a>],
    first: &EncodedWord<'a>,
    charset: Option<Charset>,
) -> &'p [Piece<'a>] {
    let is_in_it = |word: &EncodedWord<'_>| {
        word.label() == first.label() || decode::charset_of_label(&word.label()) == charset
    };
    let mut length = 0;
    for (at, piece) in pieces.iter().enumerate() {
        match piece {
            Piece::Word(word) if word.place() == first.place() && is_in_it(word) => {
                length = at + 1;
            }
            Piece::Text(text) if text.between_words() => {}
            _ => break,
        }
    }
    pieces.get(..length).unwrap_or_default()
}

fn range_of(run: &[Piece<'_>]) -> Option<Range<usize>> {
    let first = run.iter().find_map(as_word)?;
    let last = run.iter().rev().find_map(as_word)?;
    Some(first.offset()..last.offset() + last.length())
}

fn end_of(run: &[Piece<'_>]) -> usize {
    range_of(run).map_or(0, |range| range.end)
}

/// Adds the blanks beside raw text to the text that is encoded. Readers show blanks beside raw text,
/// and drop blanks between two encoded words (RFC 2047, section 6.2).
fn with_blanks(body: &[u8], range: &Range<usize>, words: &[Range<usize>], text: String) -> String {
    let blanks = |octets: &[u8]| {
        let is_blank = octets
            .iter()
            .all(|octet| matches!(octet, b' ' | b'\t' | b'\r' | b'\n'));
        is_blank.then(|| String::from_utf8_lossy(&header::unfold(octets)).into_owned())
    };
    let next = words.partition_point(|word| word.end <= range.start);
    let before = next
        .checked_sub(1)
        .and_then(|before| words.get(before))
        .and_then(|word| body.get(word.end..range.start))
        .and_then(blanks);
    let behind = words
        .get(next)
        .and_then(|word| body.get(range.end..word.start))
        .and_then(blanks);
    let (before, behind) = (before.unwrap_or_default(), behind.unwrap_or_default());
    if before.is_empty() && behind.is_empty() {
        return text;
    }
    [before, text, behind].concat()
}

/// The text as raw UTF-8 where it stands, quoted as the place asks; `None` where it has to
/// be encoded to come back as it is.
fn raw(text: &str, place: Place) -> Option<String> {
    let is_odd = text.is_empty()
        || text.chars().any(char::is_control)
        || text.contains("=?")
        || text.starts_with(' ')
        || text.ends_with(' ')
        || text.contains("  ");
    if is_odd {
        return None;
    }
    let escape = |special: &[char]| {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            if special.contains(&character) {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        escaped
    };
    let is_atoms = |text: &str| {
        text.chars().all(|character| {
            character == ' ' || !character.is_ascii() || character.is_ascii_alphanumeric()
        })
    };
    match place {
        Place::Text => Some(text.to_owned()),
        Place::Comment => Some(escape(&['(', ')', '\\'])),
        Place::QuotedString => Some(escape(&['"', '\\'])),
        Place::Phrase if is_atoms(text) => Some(text.to_owned()),
        Place::Phrase => Some(format!("\"{}\"", escape(&['"', '\\']))),
        Place::Parameter => None,
    }
}

/// A language tag of letters, digits and hyphens (RFC 5646, section 2.1); empty for none.
fn language_tag(language: &[u8]) -> Option<String> {
    let is_tag = language.len() <= 20
        && language
            .iter()
            .all(|octet| octet.is_ascii_alphanumeric() || *octet == b'-');
    is_tag.then(|| String::from_utf8_lossy(language).into_owned())
}
