//! What a conversion may change, asked of the source alone: the proof refuses all other changes,
//! whatever they say.

use std::ops::Range;

use memchr::memmem;

use super::allowed::Allowed;
use super::change::Change;
use super::ranges::{joined, touches};
use crate::charset::{self, Charset, Matched};
use crate::decode::CharsetUse;
use crate::error::Error;
use crate::header::{self, Parameter, Piece, Syntax};
use crate::label::Label;
use crate::message::{Field, Part};
use crate::report::{Effect, Finding, Kind, Report, Source, Within};
use crate::transfer::TransferEncoding;

/// The changes, each to be found in the body of a field, in the body of a text part, or as an
/// added field.
pub(super) struct Places<'c> {
    /// Those still to be found, in the order of the message.
    left: &'c [Change],
    result: &'c [u8],
    /// Charsets that changes of a header name and its fields do not have: that of the body.
    of_body: Vec<(usize, Charset)>,
}

impl<'c> Places<'c> {
    pub(super) fn new(changes: &'c [Change], result: &'c [u8]) -> Self {
        Places {
            left: changes,
            result,
            of_body: Vec::new(),
        }
    }

    pub(super) fn result(&self) -> &'c [u8] {
        self.result
    }

    /// Where in the source the next one begins.
    pub(super) fn next_start(&self) -> Option<usize> {
        self.left.first().map(|next| next.before.start)
    }

    /// The changes that lie in `before` of the source and in `after` of the result, if they
    /// are the next ones.
    pub(super) fn find(&mut self, before: &Range<usize>, after: &Range<usize>) -> &'c [Change] {
        let lies_in = |part: &Range<usize>, whole: &Range<usize>| {
            whole.start <= part.start && part.end <= whole.end
        };
        let count = self
            .left
            .iter()
            .take_while(|change| lies_in(&change.before, before) && lies_in(&change.after, after))
            .count();
        let (found, left) = self.left.split_at(count);
        self.left = left;
        found
    }

    /// The next one, if it has added a field there and nothing else but the blank line behind
    /// the last.
    pub(super) fn find_added(&mut self, field: &Range<usize>) {
        if let Some((change, left)) = self.left.split_first()
            && change.before.is_empty()
            && change.after.start == field.start
            && let Some(b"" | b"\n" | b"\r\n" | b"\r") =
                self.result.get(field.end..change.after.end)
        {
            self.left = left;
            self.name_charsets(std::slice::from_ref(change), &[]);
        }
    }

    /// The changes of a field whose text is in these charsets.
    pub(super) fn name_charsets(&mut self, changes: &[Change], of_field: &[Charset]) {
        for change in changes {
            if let Some(reading) = change.reading()
                && !of_field.contains(&reading.charset)
            {
                self.of_body.push((change.after.start, reading.charset));
            }
        }
    }

    /// Whether the changes of a header and of its body name the charset of the body, where
    /// that was read, and no other.
    pub(super) fn name_body(
        &mut self,
        changes: &[Change],
        charset: Option<Charset>,
    ) -> Result<(), Error> {
        self.name_charsets(changes, &[]);
        let mut named = self.of_body.drain(..);
        let Some((at, other)) = named.find(|&(_, named)| Some(named) != charset) else {
            return Ok(());
        };
        let sentence = match charset {
            Some(charset) => format!("expected {charset}, found {other} named (at {at})"),
            None => format!("expected the charset of a field, found {other} named (at {at})"),
        };
        Err(Error::at(at, sentence))
    }

    /// Whether each was found.
    pub(super) fn finish(self) -> Result<(), Error> {
        let Some(change) = self.left.first() else {
            return Ok(());
        };
        let at = change.after.start;
        let sentence = format!("expected a change of a field or of text, found another (at {at})");
        Err(Error::at(at, sentence))
    }
}

/// Whether an entity is signed or encrypted, so that nothing in it may be changed (RFC 1847).
pub(crate) fn is_security_multipart(entity: Part<'_>) -> bool {
    entity.is_multipart()
        && matches!(
            entity.content_type().media_type(),
            "multipart/signed" | "multipart/encrypted"
        )
}

/// Whether a part has a Content-Disposition other than `inline` (RFC 2183, section 2.8).
pub(crate) fn is_attachment(part: Part<'_>) -> bool {
    part.content_disposition()
        .is_some_and(|disposition| disposition.disposition() != "inline")
}

/// How the text of a part was read.
pub(super) struct ReadAs<'r> {
    pub(super) charset: Charset,
    pub(super) source: Source,
    pub(super) report: &'r Report,
    /// Whether its octets are US-ASCII.
    pub(super) is_ascii: bool,
    /// Whether there is a block of `OpenPGP` among them.
    pub(super) has_openpgp: bool,
}

/// Why a text part has to stay as it is, body and label, where it has to.
pub(super) fn stays(part: Part<'_>, read: &ReadAs<'_>, allowed: &Allowed) -> Option<&'static str> {
    let content_type = part.content_type();
    let is_utf_8 = matches!(read.charset, Charset::UTF_8 | Charset::US_ASCII);
    let is_guess = matches!(read.source, Source::Detected | Source::Default);
    let confidence = || part.decide(&allowed.reading).confidence();
    if content_type.media_type() == "text/rtf" {
        Some("RTF")
    } else if part.is_undivided() {
        Some("a multipart without parts")
    } else if is_attachment(part) && !allowed.attachments {
        Some("an attachment")
    } else if is_utf_8 && (read.is_ascii || content_type.charset().is_some_and(names_utf_8)) {
        Some("text that is UTF-8")
    } else if part.transfer_encoding() == TransferEncoding::Unknown {
        Some("a part under an unknown transfer encoding")
    } else if read.has_openpgp {
        Some("a block of OpenPGP")
    } else if is_guess && !read.is_ascii && !allowed.relies_on(read.source, confidence()) {
        Some("text whose charset is only a guess")
    } else if read.report.has(Kind::Base64Skipped) {
        Some("base64 with other octets in it")
    } else if read.report.has_loss() && !allowed.loss {
        Some("text that cannot be decoded without loss")
    } else {
        None
    }
}

/// Whether a body in UTF-8 needs nothing but its label.
pub(super) fn needs_label_alone(read: &ReadAs<'_>) -> bool {
    read.charset == Charset::UTF_8 && read.report.replacements() == 0
}

/// What of a field is in which case, by its place in the message.
#[derive(Default)]
struct Ranges {
    /// Raw text and parameters that are not in UTF-8 as their header says it.
    foreign: Vec<Range<usize>>,
    /// Those of them whose charset was guessed.
    guessed: Vec<Range<usize>>,
    /// What cannot be decoded.
    lost: Vec<Range<usize>>,
    charsets: Vec<Charset>,
}

impl Ranges {
    fn sort(&mut self) {
        for ranges in [&mut self.foreign, &mut self.guessed, &mut self.lost] {
            ranges.sort_by_key(|range| range.start);
        }
    }

    /// Whether a change takes in something foreign.
    fn are_touched_by(&self, change: &Change) -> bool {
        let Range { start, end } = change.before;
        let first = self.foreign.partition_point(|range| range.end <= start);
        let next = self.foreign.get(first);
        next.is_some_and(|range| range.start < end)
    }
}

/// A field whose body was changed.
pub(super) struct Edited<'e> {
    pub(super) part: Part<'e>,
    pub(super) field: Field<'e>,
    pub(super) changes: &'e [Change],
    pub(super) result: &'e [u8],
    /// Whether the label or the transfer encoding of the part is another now, which the field
    /// may have to say.
    pub(super) is_of_body: bool,
}

impl Edited<'_> {
    /// What of the field has to stay, where something has to that did not.
    /// The charsets of its text go to `charsets`.
    pub(super) fn stays(
        &self,
        allowed: &Allowed,
        charsets: &mut Vec<Charset>,
    ) -> Option<&'static str> {
        let mut ranges = Ranges::default();
        if header::syntax(self.field.name()) == Syntax::Parameters {
            self.parameters(allowed, &mut ranges);
        } else {
            self.text(allowed, &mut ranges);
        }
        let is_plain = |change: &Change| {
            let octets = self.source(&change.before);
            let is_of_body = self.is_of_body && self.says_of_body(change);
            let is_foreign = has_foreign_word(octets) || ranges.are_touched_by(change);
            octets.is_ascii() && !(is_of_body || is_foreign)
        };
        let Ranges { guessed, lost, .. } = &ranges;
        charsets.append(&mut ranges.charsets.clone());
        if self.changes.iter().any(is_plain) {
            Some("text that is US-ASCII or UTF-8")
        } else if allowed.guessed.is_none() && !self.keeps(guessed) {
            Some("raw text whose charset is only a guess")
        } else if !allowed.loss && !self.keeps(lost) {
            Some("text that cannot be decoded without loss")
        } else {
            None
        }
    }

    fn text(&self, allowed: &Allowed, ranges: &mut Ranges) {
        let text = self.field.text_with(&allowed.reading);
        for used in text.charsets() {
            ranges.charsets.push(used.charset());
            let place = used.offset()..used.offset() + used.length();
            if self.is_guess(used, allowed) {
                ranges.guessed.push(place.clone());
            }
            if used.source() != Source::Declared {
                ranges.foreign.push(place);
            }
        }
        let findings = text.report().findings().iter().filter(|finding| {
            finding.kind().effect() == Effect::Lost && finding.within() == Within::Source
        });
        let place = |lost: &Finding| lost.offset()..lost.offset() + lost.length();
        ranges.lost.extend(findings.map(place));
        ranges.sort();
    }

    fn parameters(&self, allowed: &Allowed, ranges: &mut Ranges) {
        let base = self.field.body_range().map_or(0, |range| range.start);
        let content_type;
        let disposition;
        let body = self.field.body();
        let name = self.field.name();
        let nothing = Report::new();
        let (parameters, report): (&[Parameter<'_>], _) =
            if name.eq_ignore_ascii_case(b"Content-Type") {
                content_type = header::content_type(body);
                (content_type.parameters(), content_type.report())
            } else if name.eq_ignore_ascii_case(b"Content-Disposition") {
                disposition = header::content_disposition(body);
                (disposition.parameters(), disposition.report())
            } else {
                (&[], &nothing)
            };
        // Comments may have words, and values against the rule.
        for piece in header::pieces(body, Syntax::Parameters).as_slice() {
            if let Piece::Word(word) = piece {
                let resolved = charset::resolve(&word.label());
                ranges.charsets.extend(resolved.charset());
            }
        }
        // And comments may have raw text.
        let text = self.field.text_with(&allowed.reading);
        let used = text.charsets().iter().map(CharsetUse::charset);
        ranges.charsets.extend(used);
        if text
            .charsets()
            .iter()
            .any(|used| self.is_guess(used, allowed))
        {
            let in_comments = header::raw_texts(body, Syntax::Parameters, &[]);
            let taken = places_of(parameters, report);
            let places = in_comments.into_iter().map(|raw| raw.range);
            let places = places.filter(|place| !touches(&taken, place));
            // A word in one range with it may be another.
            let places = places.flat_map(|place| runs_above_ascii(body, place));
            let in_message = |place: Range<usize>| place.start + base..place.end + base;
            ranges.guessed.extend(places.map(in_message));
        }
        let reading = self.part.with_hint(&allowed.reading);
        let others = parameters
            .iter()
            .filter(|parameter| parameter.name() != "charset");
        for parameter in others {
            let start = parameter.offset() + base;
            let place = start..start + parameter.length();
            let text = parameter.text_with(&reading);
            let is_foreign = |used: &&CharsetUse| match used.charset() {
                Charset::UTF_8 => used.source() != Source::Declared,
                Charset::US_ASCII => !text.as_str().is_ascii(),
                _ => true,
            };
            // A value is in one charset.
            let Some(used) = text.charsets().iter().find(is_foreign) else {
                continue;
            };
            let used_in_it = text.charsets().iter().map(CharsetUse::charset);
            ranges.charsets.extend(used_in_it);
            if self.is_guess(used, allowed) {
                ranges.guessed.push(place.clone());
            }
            if text.report().has_loss() {
                ranges.lost.push(place.clone());
            }
            ranges.foreign.push(place);
        }
        ranges.sort();
    }

    /// Whether a charset was guessed; the one that the message declares for its text is not.
    fn is_guess(&self, used: &CharsetUse, allowed: &Allowed) -> bool {
        match used.source() {
            Source::Detected => {
                self.part.declared_for_raw(&allowed.reading) != Some(used.charset())
            }
            Source::Default => used.charset() != Charset::US_ASCII,
            _ => false,
        }
    }

    /// Whether a change says what the charset or the transfer encoding of the body is.
    fn says_of_body(&self, change: &Change) -> bool {
        const NAME: &[u8] = b"charset";
        let name = self.field.name();
        let octets = self.result.get(change.after()).unwrap_or_default();
        let mut words = octets.windows(NAME.len());
        name.eq_ignore_ascii_case(b"Content-Transfer-Encoding")
            || (name.eq_ignore_ascii_case(b"Content-Type")
                && words.any(|word| word.eq_ignore_ascii_case(NAME)))
    }

    fn source(&self, range: &Range<usize>) -> &[u8] {
        let base = self.field.body_range().map_or(0, |range| range.start);
        let start = range.start.saturating_sub(base);
        let octets = self.field.body().get(start..start + range.len());
        octets.unwrap_or_default()
    }

    /// Whether what changes have of these ranges stands in the result too, white space aside:
    /// a change takes in what is around it where lines are folded anew.
    fn keeps(&self, ranges: &[Range<usize>]) -> bool {
        let mut changes = self.changes.iter();
        let mut at = changes.next();
        // What the result has for the change, once that is asked for, and how far it was searched.
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
                without_blanks(self.result.get(change.after()).unwrap_or_default())
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

/// Where octets above 7F stand in a row.
fn runs_above_ascii(octets: &[u8], within: Range<usize>) -> Vec<Range<usize>> {
    let start = within.start;
    let octets = octets.get(within).unwrap_or_default();
    let mut at = start;
    let runs = octets.chunk_by(|one, next| one.is_ascii() == next.is_ascii());
    let places = runs.map(|run| {
        at += run.len();
        (run.is_ascii(), at - run.len()..at)
    });
    let above = places.filter(|(is_ascii, _)| !is_ascii);
    above.map(|(_, place)| place).collect()
}

fn without_blanks(octets: &[u8]) -> Vec<u8> {
    let octets = octets.iter().copied();
    octets
        .filter(|octet| !octet.is_ascii_whitespace())
        .collect()
}

/// Whether there is an encoded word that does not say UTF-8.
fn has_foreign_word(octets: &[u8]) -> bool {
    let is_other = |at: usize| {
        let label = octets.get(at + 2..at + 8);
        !label.is_some_and(|label| label.eq_ignore_ascii_case(b"utf-8?"))
    };
    memmem::find_iter(octets, b"=?").any(is_other)
}

/// Whether a label names UTF-8 exactly. One that only resembles it is no use to programs
/// that take labels by the letter.
pub(crate) fn names_utf_8(label: &Label<'_>) -> bool {
    let resolved = charset::resolve(label);
    resolved.charset() == Some(Charset::UTF_8) && resolved.matched() == Matched::Exact
}

/// Where parameters stand, those that stand again among them: in order and apart.
pub(crate) fn places_of(parameters: &[Parameter<'_>], report: &Report) -> Vec<Range<usize>> {
    let again = report.findings().iter().filter(|finding| is_again(finding));
    let places = parameters
        .iter()
        .map(|parameter| parameter.offset()..parameter.offset() + parameter.length())
        .chain(again.map(|finding| finding.offset()..finding.offset() + finding.length()));
    joined(places.collect())
}

/// Whether a finding tells of a parameter or a section that stands in a field once more.
pub(crate) fn is_again(finding: &Finding) -> bool {
    let again = [Kind::DuplicateParameter, Kind::DuplicateSection];
    again.contains(&finding.kind())
}
