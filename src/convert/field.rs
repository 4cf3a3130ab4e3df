//! The fields of a header: words, raw text and parameters, each in its place.
//!
//! An edit takes as much of a field as it has to. What a field says is read before and after
//! its edits; where that is not the same, the field stays as it is and is reported.

use std::cell::{LazyCell, OnceCell};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use memchr::memmem::{self, Finder};
use memchr::{memchr, memchr2, memchr3, memrchr, memrchr2};

use super::body::{Plan, names_utf_8};
use super::written::Written;
use super::{Draft, Headers, MAX_CHANGES, MAX_FIELD, Options, Reading, What};
use crate::charset::{self, Charset, Matched, utf8};
use crate::decode;
use crate::header::encode::{self, LEAST_WORD, LONGEST_LINE};
use crate::header::{self, ContentType, EncodedWord, Parameter, Piece, Place, RawText, Syntax};
use crate::message::{Field, Part};
use crate::report::{Finding, Kind, Report, Source};

/// Converts the fields of an entity, and makes its header say what `body` needs.
pub(super) fn convert(entity: Part<'_>, body: Option<Plan>, options: &Options, draft: &mut Draft) {
    let header = Header {
        entity,
        line_end: entity.line_end(entity.header()),
        options,
        is_internationalized: entity
            .parent()
            .filter(|parent| parent.is_message())
            .is_some_and(|parent| parent.content_type().media_type() == "message/global"),
        section: OnceCell::new(),
    };
    let mut labels = Draft::default();
    let content_type = body
        .as_ref()
        .map(|plan| header.content_type(plan, &mut labels));
    let labelled = matches!(content_type, Some(Ok(Labelled::InField)));
    // Without its label a body is better left as it was.
    if let (Some(Ok(labelled)), Some(mut plan)) = (content_type, body) {
        header.transfer_encoding(&plan, labelled, &mut labels);
        if let (Some(label), Some(range)) = (plan.conflict.take(), entity.body_range()) {
            draft.conflicts.push((range, label));
        }
        if let Some(body) = plan.body.take() {
            draft.changed.parts += 1;
            let what = header.what(None, body.reading);
            match body.octets {
                Written::Made(octets) => draft.change_body(body.range, octets, what),
                Written::Later(later) => draft.change_later(body.range, later, what),
            }
        } else if !labels.changes.is_empty() {
            labels.changed.labels += 1;
        }
    }
    let of_labels: Vec<_> = labels.changes.iter().map(|it| it.before.start).collect();
    draft.take(labels);
    let mut first_content_type = true;
    // Asked of all fields at once, of which most have nothing to change.
    let is_plain = stays(entity.header(), Syntax::Unstructured);
    for field in entity.fields() {
        if is_plain && !may_have_parameters(field.name()) {
            continue;
        }
        if field.name().eq_ignore_ascii_case(b"Content-Type")
            && std::mem::take(&mut first_content_type)
            && labelled
        {
            continue;
        }
        let count = draft.changed.fields;
        header.field(&field, draft);
        // A comment of the Content-Transfer-Encoding may change with what it says.
        let range = field.body_range().unwrap_or_default();
        if of_labels.iter().any(|start| range.contains(start)) {
            draft.changed.fields = count;
        }
        if draft.changes.len() > MAX_CHANGES || draft.needs_much_room() {
            // All of them are dropped.
            break;
        }
    }
}

/// Where the label of a part went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Labelled {
    /// Into the Content-Type field there is.
    InField,
    /// Into one that was added.
    Added,
    /// It was there already.
    Before,
}

/// What is needed to change the fields of one header.
struct Header<'h> {
    entity: Part<'h>,
    line_end: &'static str,
    options: &'h Options,
    /// Whether it may have raw UTF-8 by the type it stands under (RFC 6532, section 3.7).
    is_internationalized: bool,
    section: OnceCell<Arc<str>>,
}

/// A stretch of a field body and what is to stand there.
#[derive(Debug, Clone)]
struct Segment {
    range: Range<usize>,
    what: New,
    reading: Reading,
}

#[derive(Debug, Clone)]
enum New {
    /// Encoded words of this text.
    Words {
        text: String,
        place: Place,
        language: String,
    },
    /// These octets.
    Octets(String),
}

impl Header<'_> {
    fn section(&self) -> Arc<str> {
        let section = || Arc::from(self.entity.section());
        self.section.get_or_init(section).clone()
    }

    fn what(&self, field: Option<Arc<str>>, reading: Reading) -> What {
        What {
            section: self.section(),
            field,
            reading,
        }
    }

    /// What is folded with CRLF, with the line ends of the header.
    fn folded(&self, mut text: String) -> String {
        if memchr(b'\r', text.as_bytes()).is_none() {
            return text;
        }
        match self.line_end {
            "\r\n" => {}
            // What is written has them nowhere else.
            "\n" => text.retain(|character| character != '\r'),
            _ => text.retain(|character| character != '\n'),
        }
        text
    }

    fn keeps_raw_utf_8(&self) -> bool {
        self.options.headers == Headers::Utf8 || self.is_internationalized
    }

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
                let confidence = self.entity.raw_confidence();
                self.options.relies_on(source, confidence)
            }
            _ => self.options.relies_on(source, DEFAULT),
        }
    }

    fn field(&self, field: &Field<'_>, draft: &mut Draft) {
        let Some(range) = field.body_range() else {
            return;
        };
        let (mut segments, syntax) = self.segments(field, draft);
        if segments.is_empty() {
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
            let is_mixed = self.keeps_raw_utf_8() && utf8::decode(&new.octets).is_err();
            let has_raw_edit = new.edits.iter().any(|edit| !is_word(&edit.reading));
            if !(is_mixed && has_raw_edit)
                && says_the_same(field, &new.octets, syntax, self.options)
            {
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

    fn take(&self, field: &Field<'_>, new: Edited, draft: &mut Draft) {
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
    fn segments(&self, field: &Field<'_>, draft: &mut Draft) -> (Vec<Segment>, Syntax) {
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
        draft.is_odd |= is_odd(&report) || has_several && !body.is_ascii();
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
            let charset = decode::charset_of_label(first.label());
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
            let is_exact = || charset::resolve(first.label()).matched() == Matched::Exact;
            if charset == Charset::UTF_8 && is_exact() {
                continue;
            }
            let text = self.phrase(run);
            if charset == Charset::US_ASCII && text.text().is_ascii() {
                continue;
            }
            let is_guess = |used: &&decode::CharsetUse| {
                !text.text().is_ascii() && !self.relies_on(used.charset(), used.source())
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
        let whole = texts.iter().flat_map(|text| text.text().bytes());
        let (Some(first), Some(range)) = (words().next(), range_of(run)) else {
            return;
        };
        if !whole.eq(text.text().bytes()) {
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
                .then(|| raw(text.text(), place))
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
                        text: text.text().to_owned(),
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

    /// The stretches of raw text.
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
            let decoded = words.filter(|word| decode::charset_of_label(word.label()).is_some());
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
        // In order, like the stretches.
        let mut left: Vec<Range<usize>> = Vec::new();
        for RawText {
            range,
            place,
            octets,
        } in found
        {
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
            let decoded = charset.decode_with(&octets, &options);
            if !draft.allows_loss(&in_message, decoded.report(), self.options) {
                continue;
            }
            let mut report = Report::new();
            report.absorb_octets(decoded.report().clone(), 0);
            let mut text = decoded.into_text().into_owned();
            let what = match place {
                _ if self.keeps_raw_utf_8() => {
                    let Some(raw) = raw(&text, place.unwrap_or(Place::Text)) else {
                        draft.leave(&in_message, "controls in raw text");
                        continue;
                    };
                    New::Octets(raw)
                }
                None => {
                    draft.leave(&in_message, "no encoded word may stand there");
                    continue;
                }
                Some(place) => {
                    text = with_blanks(body, &range, &shown, text);
                    New::Words {
                        text,
                        place,
                        language: String::new(),
                    }
                }
            };
            segments.push(Segment {
                range,
                what,
                reading: Reading {
                    label: None,
                    charset,
                    source,
                    report: Reading::report_of(report),
                },
            });
        }
        leave_beside(&left, segments);
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
        draft.is_odd |= is_odd(report);
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
            let text = decode::parameter(parameter, &options);
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
                    Charset::US_ASCII => !text.text().is_ascii(),
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
                encode::parameter_in(parameter.name(), text.text(), &language, column)
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

    /// Segments as octets, with the folds they need before and behind them.
    fn edits(&self, field: &Field<'_>, segments: Vec<Segment>) -> Vec<Replacement> {
        let body = field.body();
        let mut edits: Vec<Replacement> = Vec::new();
        let mut from = 0;
        // The column at `from`.
        let mut at_column = field.name().len() + 1;
        let mut segments = segments.into_iter().peekable();
        while let Some(Segment {
            range,
            what,
            reading,
        }) = segments.next()
        {
            let until = segments.peek().map_or(body.len(), |next| next.range.start);
            let between = body.get(from..range.start).unwrap_or_default();
            let mut column = column_after(between, at_column);
            let mut edit = Replacement {
                range: range.clone(),
                octets: Vec::new(),
                reading,
            };
            let needed = match &what {
                // There is room for any.
                New::Words { .. } if column + LEAST_WORD <= LONGEST_LINE => 0,
                New::Words {
                    text,
                    place,
                    language,
                } => first_line(&encode::words(text, *place, language, 0)).min(LEAST_WORD),
                New::Octets(octets) => first_line(octets),
            };
            if column + needed > LONGEST_LINE
                && let Some(blank) = last_foldable(between)
            {
                edit.range.start = from + blank;
                let again = between.get(blank..).unwrap_or_default();
                push(&mut edit.octets, self.line_end.as_bytes(), again.len());
                edit.octets.extend_from_slice(again);
                column = again.len();
            }
            let place_parts = |at: Option<&u8>| at.is_none_or(|&o| b" \t\r\n()\"".contains(&o));
            let is_phrase = matches!(
                &what,
                New::Words {
                    place: Place::Phrase,
                    ..
                }
            );
            let before = range.start.checked_sub(1).and_then(|at| body.get(at));
            if is_phrase && !place_parts(before) {
                edit.octets.push(b' ');
                column += 1;
            }
            let written = match what {
                New::Octets(octets) => octets,
                New::Words {
                    text,
                    place,
                    language,
                } => self.folded(encode::words(&text, place, &language, column)),
            };
            column = column_after(written.as_bytes(), column);
            if edit.octets.is_empty() {
                edit.octets = written.into_bytes();
            } else {
                push(&mut edit.octets, written.as_bytes(), 8);
            }
            if is_phrase && !place_parts(body.get(range.end)) {
                let rest = body.get(range.end..until).unwrap_or_default();
                let word = memchr3(b' ', b'\r', b'\n', rest).unwrap_or(rest.len());
                if column + 1 + word > LONGEST_LINE {
                    edit.octets.extend_from_slice(self.line_end.as_bytes());
                    column = 0;
                }
                edit.octets.push(b' ');
                column += 1;
            }
            // What follows in the line may have no room in it any more.
            let follows = body.get(range.end..until).unwrap_or_default();
            let line = memchr2(b'\r', b'\n', follows)
                .map_or(follows, |end| follows.get(..end).unwrap_or_default());
            let more = until < body.len() && line.len() == follows.len();
            if column + line.len() > LONGEST_LINE + usize::from(!more)
                && let Some(blank) = first_foldable(line)
            {
                push(
                    &mut edit.octets,
                    follows.get(..blank).unwrap_or_default(),
                    self.line_end.len(),
                );
                edit.octets.extend_from_slice(self.line_end.as_bytes());
                edit.range.end = range.end + blank;
                column = 0;
            }
            from = edit.range.end;
            at_column = column;
            edits.push(edit);
        }
        edits
    }

    /// Makes the Content-Type name UTF-8.
    fn content_type(&self, plan: &Plan, draft: &mut Draft) -> Result<Labelled, ()> {
        let field = self.entity.field("Content-Type");
        let Some(field) = field else {
            return self.add_content_type(plan, draft);
        };
        if field.body().len() > MAX_FIELD {
            // Its charset may be looked at, and nothing else.
            let is_utf_8 = header::content_type(field.body())
                .charset()
                .is_some_and(names_utf_8);
            if is_utf_8 {
                return Ok(Labelled::Before);
            }
            if let Some(range) = field.range() {
                let detail = format!("a field of more than {MAX_FIELD} octets");
                draft.leave(&range, detail);
            }
            return Err(());
        }
        let mut parts = Draft::default();
        let (others, _) = self.segments(&field, &mut parts);
        let label = self.label_segments(&field, plan, draft);
        if label.is_empty() {
            return Ok(Labelled::Before);
        }
        // With all that has to change, with the words of it, and alone.
        let words: Vec<_> = others
            .iter()
            .filter(|other| is_word(&other.reading))
            .collect();
        let mut with: Vec<Vec<&Segment>> = vec![others.iter().collect()];
        if words.len() < others.len() {
            with.push(words);
        }
        if !others.is_empty() {
            with.push(Vec::new());
        }
        let first = with.first().map_or(0, Vec::len);
        for others in with {
            let mut segments = label.clone();
            segments.extend(others.iter().copied().cloned());
            segments.sort_by_key(|segment| segment.range.start);
            let overlap = segments
                .iter()
                .zip(segments.iter().skip(1))
                .any(|(one, next)| one.range.end > next.range.start);
            if overlap {
                continue;
            }
            let new = applied(field.body(), self.edits(&field, segments));
            if self.says_the_same_in_utf_8(&field, &new.octets) {
                draft.take(parts);
                self.take(&field, new, draft);
                if others.len() < first
                    && let Some(range) = field.range()
                {
                    draft.leave(&range, "the field would not say the same");
                }
                return Ok(Labelled::InField);
            }
        }
        if let Some(range) = field.range() {
            draft.leave(&range, "a Content-Type that no charset can be put into");
        }
        Err(())
    }

    /// Whether a Content-Type names UTF-8 now, and says what it said otherwise.
    fn says_the_same_in_utf_8(&self, field: &Field<'_>, new: &[u8]) -> bool {
        let reading = reading(field, new, self.options);
        let old = content_type_says(&header::content_type(field.body()), field.body(), &reading);
        let named = header::content_type(new);
        named.charset().is_some_and(names_utf_8) && content_type_says(&named, new, &reading) == old
    }

    /// The charset parameter in all its forms, or where it is to stand.
    fn label_segments(&self, field: &Field<'_>, plan: &Plan, draft: &mut Draft) -> Vec<Segment> {
        let body = field.body();
        let content_type = header::content_type(body);
        draft.is_odd |= is_odd(content_type.report());
        let segment = |range: Range<usize>, new: String| Segment {
            range,
            what: New::Octets(new),
            reading: plan.reading.without_report(),
        };
        let mut segments: Vec<Segment> = Vec::new();
        if content_type.charset().is_some_and(names_utf_8) {
            return segments;
        }
        let is_charset = |range: &Range<usize>| {
            let written = body.get(range.clone()).unwrap_or_default();
            let name = written.get(..7).unwrap_or_default();
            name.eq_ignore_ascii_case(b"charset")
        };
        let parameter = content_type.parameter("charset");
        let again = content_type.report().findings().iter();
        let again = again.filter(|finding| is_again(finding));
        let ranges = parameter
            .map(|parameter| parameter.offset()..parameter.offset() + parameter.length())
            .into_iter()
            .chain(again.map(|finding| finding.offset()..finding.offset() + finding.length()))
            .filter(is_charset);
        let mut ranges: Vec<_> = ranges.collect();
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup();
        for range in ranges {
            let written = body.get(range.clone()).unwrap_or_default();
            let new = relabelled(written);
            if new.as_bytes() != written {
                segments.push(segment(range, new));
            }
        }
        if segments.is_empty() {
            let trimmed = body.trim_ascii_end();
            let at = trimmed.len();
            let separator = match trimmed.last() {
                None => " text/plain;",
                Some(b';') => "",
                Some(_) => ";",
            };
            let column = column(body, field.name().len(), at) + separator.len();
            let blank = if column + " charset=UTF-8".len() > LONGEST_LINE {
                self.line_end
            } else {
                ""
            };
            segments.push(segment(at..at, format!("{separator}{blank} charset=UTF-8")));
        }
        segments
    }

    fn add_content_type(&self, plan: &Plan, draft: &mut Draft) -> Result<Labelled, ()> {
        let Some((at, blank)) = self.end_of_fields() else {
            let range = self.entity.body_range().unwrap_or_default();
            draft.leave(&range, "no place for the Content-Type it needs");
            return Err(());
        };
        let end = self.line_end;
        let mut add = |name: &str, lines: String| {
            let what = self.what(Some(Arc::from(name)), plan.reading.without_report());
            draft.changed.fields += 1;
            draft.change(at..at, lines.as_bytes(), what);
        };
        let is_message = self.entity.parent().is_none_or(Part::is_message);
        if is_message && self.entity.field("MIME-Version").is_none() {
            add("MIME-Version", format!("MIME-Version: 1.0{end}"));
        }
        let encoding = plan.encoding.filter(|_| self.transfer_field().is_none());
        let media_type = "Content-Type: text/plain; charset=UTF-8";
        let content_type_ends = if encoding.is_none() { blank } else { "" };
        add(
            "Content-Type",
            format!("{media_type}{end}{content_type_ends}"),
        );
        if let Some(encoding) = encoding {
            let line = format!("Content-Transfer-Encoding: {encoding}{end}{blank}");
            add("Content-Transfer-Encoding", line);
        }
        Ok(Labelled::Added)
    }

    /// Where the fields of the header end, and the blank line that has to be added there.
    fn end_of_fields(&self) -> Option<(usize, &'static str)> {
        let header = self.entity.header_range()?;
        let octets = self.entity.header();
        let last = self.entity.fields().last().and_then(|field| field.range());
        match last {
            // A field without a line end has no body behind it.
            Some(last) if self.ends_line(&last) => Some((last.end, "")),
            Some(_) => None,
            // Behind a line that no blank one parts from the outer header they would be that one's.
            None if self.is_joined_to_outer() => None,
            None if self.entity.has_blank_line() => {
                let blank = if octets.ends_with(b"\r\n") { 2 } else { 1 };
                Some((header.end - blank, ""))
            }
            // Before the body of a message inside a message the fields would be the outer one's.
            None if self.entity.parent().is_some() => None,
            None => Some((header.end, self.line_end)),
        }
    }

    /// Whether it is the first thing in an entity whose header no blank line ends.
    fn is_joined_to_outer(&self) -> bool {
        let outer = self.entity.parent();
        outer.is_some_and(|outer| {
            self.entity.index() == outer.index() + 1 && !outer.has_blank_line()
        })
    }

    fn ends_line(&self, range: &Range<usize>) -> bool {
        let header = self.entity.header_range().unwrap_or_default();
        let octets = self.entity.header();
        range
            .end
            .checked_sub(header.start + 1)
            .and_then(|last| octets.get(last))
            .is_some_and(|octet| matches!(octet, b'\n' | b'\r'))
    }

    fn transfer_field(&self) -> Option<Field<'_>> {
        self.entity.field("Content-Transfer-Encoding")
    }

    /// Makes the Content-Transfer-Encoding say what the body is under.
    fn transfer_encoding(&self, plan: &Plan, labelled: Labelled, draft: &mut Draft) {
        let Some(encoding) = plan.encoding else {
            return;
        };
        let reading = || plan.reading.without_report();
        let name = "Content-Transfer-Encoding";
        if let Some(field) = self.transfer_field() {
            let body = field.body();
            let written = header::content_transfer_encoding(body);
            let label = written.label();
            let label = memmem::find(body, label)
                .filter(|_| !label.is_empty())
                .map(|at| at..at + label.len());
            let replaced = |range: Range<usize>, new: String| {
                let replacement = Replacement {
                    range,
                    octets: new.into_bytes(),
                    reading: reading(),
                };
                applied(body, vec![replacement])
            };
            let names = |new: &Edited| {
                header::content_transfer_encoding(&new.octets).encoding() == encoding
            };
            let new = label
                .map(|range| replaced(range, encoding.to_string()))
                .filter(names)
                .unwrap_or_else(|| replaced(0..body.len(), format!(" {encoding}")));
            self.take(&field, new, draft);
        } else if labelled != Labelled::Added
            && let Some(field) = self.entity.field("Content-Type")
            && let Some(range) = field.range()
        {
            let line = format!("{name}: {encoding}{}", self.line_end);
            let what = self.what(Some(Arc::from(name)), reading());
            draft.changed.fields += 1;
            draft.change(range.end..range.end, line.as_bytes(), what);
        }
    }
}

/// Whether something names a charset itself: in an encoded word, or in a parameter that does.
fn is_word(reading: &Reading) -> bool {
    reading.label.is_some() || reading.source == Source::Declared
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

fn is_again(finding: &Finding) -> bool {
    let again = [Kind::DuplicateParameter, Kind::DuplicateSection];
    again.contains(&finding.kind())
}

/// Whether an octet may be part of the name of a parameter (RFC 2231, section 7).
fn is_of_name(octet: u8) -> bool {
    octet.is_ascii_graphic() && !b"*'%()<>@,;:\\\"/[]?=".contains(&octet)
}

/// Takes out the words of a stretch in which raw text is left for their sake, where it would be
/// left for it no more: where one would be no word, or stands apart, as it has to in a phrase.
fn leave_beside(left: &[Range<usize>], segments: &mut Vec<Segment>) {
    let parts = |segment: &&Segment| match &segment.what {
        New::Words { text, place, .. } => text.is_ascii() || *place == Place::Phrase,
        New::Octets(_) => true,
    };
    let parting = segments.iter().filter(parts);
    let parting = joined(parting.map(|segment| segment.range.clone()).collect());
    let stay: Vec<_> = left
        .iter()
        .filter(|stretch| touches(&parting, stretch))
        .cloned()
        .collect();
    segments.retain(|segment| !touches(&stay, &segment.range));
}

/// Whether one of `ranges`, which are in order, has octets of `range`.
pub(super) fn touches(ranges: &[Range<usize>], range: &Range<usize>) -> bool {
    let next = ranges.partition_point(|known| known.end <= range.start);
    ranges
        .get(next)
        .is_some_and(|known| known.start < range.end)
}

/// The same octets in ranges that are in order and apart.
fn joined(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range),
        }
    }
    joined
}

/// Whether it shows without taking the body apart that nothing in it has to change: it is
/// US-ASCII, each of its words says `utf-8`, and its parameters, if it has some, are printable
/// as they stand.
fn stays(body: &[u8], syntax: Syntax) -> bool {
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

/// Whether a field departs from its grammar further than much of all mail does.
fn is_odd(report: &Report) -> bool {
    let is_usual = |finding: &Finding| {
        matches!(
            finding.kind(),
            Kind::EncodedWordLength | Kind::EmptyParameter | Kind::RawOctets
        )
    };
    report.omitted() > 0 || !report.findings().iter().all(is_usual)
}

fn may_have_parameters(name: &[u8]) -> bool {
    matches!(name, [b'C' | b'c', ..]) && header::syntax(name) == Syntax::Parameters
}

/// A stretch of a field body and the octets that take its place.
#[derive(Debug, Clone)]
struct Replacement {
    range: Range<usize>,
    octets: Vec<u8>,
    reading: Reading,
}

/// Adds octets, and takes no more room for them than they need, with that for so many more.
fn push(octets: &mut Vec<u8>, more: &[u8], further: usize) {
    octets.reserve_exact(more.len() + further);
    octets.extend_from_slice(more);
}

/// A field body with edits.
struct Edited {
    octets: Vec<u8>,
    edits: Vec<Edit>,
}

/// A stretch of the old body, and the one of the new that is there instead.
struct Edit {
    before: Range<usize>,
    after: Range<usize>,
    reading: Reading,
}

/// Takes the edits, so that their octets are there once.
fn applied(body: &[u8], replacements: Vec<Replacement>) -> Edited {
    let gone: usize = replacements.iter().map(|edit| edit.range.len()).sum();
    let more: usize = replacements.iter().map(|edit| edit.octets.len()).sum();
    let mut octets = Vec::with_capacity((body.len() + more).saturating_sub(gone));
    let mut edits = Vec::with_capacity(replacements.len());
    let mut at = 0;
    for edit in replacements {
        octets.extend_from_slice(body.get(at..edit.range.start).unwrap_or_default());
        let start = octets.len();
        octets.extend_from_slice(&edit.octets);
        at = edit.range.end;
        edits.push(Edit {
            before: edit.range,
            after: start..octets.len(),
            reading: edit.reading,
        });
    }
    octets.extend_from_slice(body.get(at..).unwrap_or_default());
    Edited { octets, edits }
}

/// The charset parameter with another value, and as much as may be of what it was.
fn relabelled(written: &[u8]) -> String {
    let text = String::from_utf8_lossy(written);
    let quoted = header::content_type(&[b"x/y; ".as_slice(), written].concat())
        .charset()
        .and_then(|label| {
            let label = std::str::from_utf8(label.as_bytes()).ok()?.to_owned();
            let at = text.rfind(&label)?;
            let plain = !text.contains(['*', '%', '\\']) && !label.is_empty();
            plain.then(|| {
                let end = text.get(at + label.len()..).unwrap_or_default();
                format!("{}UTF-8{end}", text.get(..at).unwrap_or_default())
            })
        });
    let says_utf_8 = |new: &String| {
        let field = [b"x/y; ".as_slice(), new.as_bytes()].concat();
        let field = header::content_type(&field);
        field.report().is_empty() && field.charset().is_some_and(|l| l.as_bytes() == b"UTF-8")
    };
    quoted
        .filter(says_utf_8)
        .unwrap_or_else(|| "charset=UTF-8".to_owned())
}

/// Whether a field says the same as before; of a charset parameter, whatever it says.
pub(super) fn says_the_same(
    field: &Field<'_>,
    new: &[u8],
    syntax: Syntax,
    options: &Options,
) -> bool {
    let old = field.body();
    if decode::differ_in_words_alone(old, new, syntax, &options.reading) {
        return true;
    }
    let options = reading(field, new, options);
    let text = |body| decode::field(body, syntax, &options);
    match syntax {
        Syntax::Parameters => {
            parameters_of(field.name(), old, &options) == parameters_of(field.name(), new, &options)
        }
        syntax => {
            let (before, after) = (text(old.trim_ascii_start()), text(new.trim_ascii_start()));
            if syntax == Syntax::Addresses {
                bare(before.text()).eq(bare(after.text()))
                    && same_names_and_addresses(old, new, &options)
            } else {
                before.text() == after.text()
            }
        }
    }
}

/// How a field is read before and after its edits.
fn reading(field: &Field<'_>, new: &[u8], options: &Options) -> charset::Options {
    let old = field.body();
    let is_ascii = old.is_ascii() && new.is_ascii();
    if is_ascii && decode::may_be_guessed(old) {
        return field.hinted(&options.reading);
    }
    if is_ascii || raw_octets(old).eq(raw_octets(new)) {
        // No raw text was converted. A charset that reads any octets then keeps what is around
        // raw text from having a say in how it is read.
        options.reading.hint(Some(Charset::WINDOWS_1252))
    } else {
        field.reading(&options.reading)
    }
}

fn raw_octets(body: &[u8]) -> impl Iterator<Item = u8> {
    body.iter().copied().filter(|octet| !octet.is_ascii())
}

/// What a field with parameters says.
#[derive(PartialEq, Eq)]
struct Said {
    value: String,
    /// All but the charset, by name.
    parameters: Vec<(String, String)>,
    /// What stands outside of them, without white space and separators.
    rest: String,
}

fn parameters_of(name: &[u8], body: &[u8], options: &charset::Options) -> Said {
    if name.eq_ignore_ascii_case(b"Content-Type") {
        content_type_says(&header::content_type(body), body, options)
    } else if name.eq_ignore_ascii_case(b"Content-Disposition") {
        let field = header::content_disposition(body);
        Said {
            value: field.disposition().to_owned(),
            parameters: texts(field.parameters(), options),
            rest: outside(field.parameters(), field.report(), body, options),
        }
    } else {
        let field = header::content_transfer_encoding(body);
        Said {
            value: field.encoding().to_string(),
            parameters: Vec::new(),
            rest: outside(&[], field.report(), body, options),
        }
    }
}

fn content_type_says(field: &ContentType<'_>, body: &[u8], options: &charset::Options) -> Said {
    Said {
        value: field.media_type().to_owned(),
        parameters: texts(field.parameters(), options),
        rest: outside(field.parameters(), field.report(), body, options),
    }
}

fn texts(parameters: &[Parameter<'_>], options: &charset::Options) -> Vec<(String, String)> {
    let mut texts: Vec<_> = parameters
        .iter()
        .filter(|parameter| parameter.name() != "charset")
        .map(|parameter| {
            let text = decode::parameter(parameter, options).into_text();
            (parameter.name().to_owned(), text.into_owned())
        })
        .collect();
    texts.sort();
    texts
}

/// Where parameters stand, those that stand again among them: in order and apart.
pub(super) fn places_of(parameters: &[Parameter<'_>], report: &Report) -> Vec<Range<usize>> {
    let again = report.findings().iter().filter(|finding| is_again(finding));
    let places = parameters
        .iter()
        .map(|parameter| parameter.offset()..parameter.offset() + parameter.length())
        .chain(again.map(|finding| finding.offset()..finding.offset() + finding.length()));
    joined(places.collect())
}

/// The text of a body without its parameters, those that stand again among them.
fn outside(
    parameters: &[Parameter<'_>],
    report: &Report,
    body: &[u8],
    options: &charset::Options,
) -> String {
    let text_of = |octets: &[u8]| {
        let text = decode::field(octets, Syntax::Parameters, options);
        text.into_text().into_owned()
    };
    let mut left = Vec::with_capacity(body.len());
    let mut at = 0;
    for place in places_of(parameters, report) {
        left.extend_from_slice(body.get(at..place.start).unwrap_or_default());
        at = place.end;
    }
    left.extend_from_slice(body.get(at..).unwrap_or_default());
    let is_plain = left.is_ascii() && WORD.find(&left).is_none();
    let mut text = match String::from_utf8(left) {
        Ok(text) if is_plain => text,
        Ok(text) => text_of(text.as_bytes()),
        Err(other) => text_of(other.as_bytes()),
    };
    text.retain(|character| !character.is_ascii_whitespace() && character != ';');
    text
}

fn same_names_and_addresses(old: &[u8], new: &[u8], options: &charset::Options) -> bool {
    let (old, new) = (header::addresses(old), header::addresses(new));
    let mut others = new.mailboxes();
    let mut mailboxes = old.mailboxes();
    mailboxes.all(|mailbox| {
        others.next().is_some_and(|other| {
            let name = decode::phrase(mailbox.display_name(), options);
            let other_name = decode::phrase(other.display_name(), options);
            mailbox.addr_spec() == other.addr_spec()
                && bare(name.text()).eq(bare(other_name.text()))
        })
    }) && others.next().is_none()
}

/// Without what quoting adds and without white space, which a phrase does not count.
fn bare(text: &str) -> impl Iterator<Item = u8> {
    text.bytes()
        .filter(|octet| !matches!(octet, b'"' | b'\\' | b' ' | b'\t'))
}

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
        word.label() == first.label() || decode::charset_of_label(word.label()) == charset
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

/// The text with the blanks that part it from the words next to it: between two words
/// blanks are not shown (RFC 2047, section 6.2), and these were.
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

/// The column of `at` in its line of the field.
fn column(body: &[u8], name: usize, at: usize) -> usize {
    let before = body.get(..at).unwrap_or_default();
    column_after(before, name + 1)
}

/// The column behind `octets` that begin at `column`.
fn column_after(octets: &[u8], column: usize) -> usize {
    match memrchr2(b'\r', b'\n', octets) {
        Some(end) => octets.len() - end - 1,
        None => column + octets.len(),
    }
}

/// How many characters the first line has.
fn first_line(text: &str) -> usize {
    let line = text.split(['\r', '\n']).next();
    line.map_or(0, |line| line.chars().count())
}

/// The last lone blank that a fold may go before: text stands on both its sides in the line.
fn last_foldable(between: &[u8]) -> Option<usize> {
    let at = memrchr(b' ', between)?;
    let line = memrchr2(b'\r', b'\n', between).map_or(0, |end| end + 1);
    let before = between.get(line..at)?;
    let has_text = before.iter().any(|octet| !matches!(octet, b' ' | b'\t'));
    (at >= line && has_text && !before.ends_with(b" ") && !before.ends_with(b"\t")).then_some(at)
}

/// The first lone blank of a line behind a segment that a fold may go before.
fn first_foldable(line: &[u8]) -> Option<usize> {
    let at = memchr2(b' ', b'\t', line)?;
    let parts = line.get(at) == Some(&b' ')
        && line
            .get(at + 1)
            .is_some_and(|octet| !matches!(octet, b' ' | b'\t'));
    parts.then_some(at)
}

#[cfg(test)]
mod tests {
    use super::relabelled;

    /// RFC 2045, section 5.1: what stands around the value is left as it was.
    #[test]
    fn rfc2045_5_1_a_label_alone_is_replaced() {
        for (written, new) in [
            ("charset=koi8-r", "charset=UTF-8"),
            ("Charset=\"iso-8859-1\"", "Charset=\"UTF-8\""),
            ("CHARSET=charset", "CHARSET=UTF-8"),
            ("charset=\"a\"", "charset=\"UTF-8\""),
            ("charset=us-ascii_1.0", "charset=UTF-8"),
            ("Charset=ISO_8859-1:1987", "Charset=UTF-8"),
            ("charset =a", "charset =UTF-8"),
            ("Charset = (c) a", "Charset = (c) UTF-8"),
        ] {
            assert_eq!(relabelled(written.as_bytes()), new, "{written}");
        }
    }

    /// What cannot be replaced, or would leave a fault in the field, is written anew.
    #[test]
    fn a_label_without_its_own_place_is_written_anew() {
        for written in [
            "Charset",
            "Charset=",
            "Charset=\"\"",
            "Charset=\"a",
            "Charset=\"",
            "Charset*=a",
            "Charset*0=a",
            "Charset=\"a\\b\"",
            "Charset=a b",
            "Charset==a",
        ] {
            assert_eq!(relabelled(written.as_bytes()), "charset=UTF-8", "{written}");
        }
    }
}
