//! Maps each character of a field's text to its octets in the field body.
//!
//! Decodes the pieces of the field one after another, and searches for their text in the text
//! returned by the library. Only matches in order are reported.

use std::ops::Range;

use mime_charset::decode::{Context, Decision, FieldText, decide};
use mime_charset::hangul::HangulPolicy;
use mime_charset::header::{self, EncodedWord, Piece, Syntax, WordEncoding};
use mime_charset::message::Field;
use mime_charset::{Charset, Decoded, Kind, Options, Within, transfer};
use serde::Serialize;

use crate::pointing::pointing;

/// Characters of the text, and the octets of the body that encode them.
#[derive(Serialize)]
pub(crate) struct Group {
    /// Ranges in the body: an encoded character may be split between several words.
    places: Vec<(usize, usize)>,
    /// Range in the text, in units of UTF-16.
    from: usize,
    to: usize,
    /// The octets in these ranges, after decoding the words' encoding.
    octets: Vec<u8>,
    is_malformed: bool,
}

impl Group {
    /// Whether it is within these lengths of the text and the body.
    pub(crate) fn is_within(&self, text: usize, body: usize) -> bool {
        self.to <= text && self.places.iter().all(|(_, end)| *end <= body)
    }
}

/// The text of a field, and its mapping.
pub(crate) struct Reading {
    pub(crate) text: String,
    pub(crate) groups: Vec<Group>,
    /// Whether each character is mapped to its own octets. If not, the last group has all that
    /// remains.
    pub(crate) is_followed: bool,
}

/// The ranges of one octet in a body: base64 has two characters for it, which may be in two words.
type Place = [Range<usize>; 2];

fn whole(place: Range<usize>) -> Place {
    [place, 0..0]
}

/// Octets of a field that are decoded together, each with its place in the body.
struct Unit<'a> {
    octets: Vec<u8>,
    places: Vec<Place>,
    words: Vec<EncodedWord<'a>>,
}

/// The field with the mapping of its characters.
pub(crate) fn followed(field: &Field<'_>, text: &FieldText<'_>) -> Reading {
    let base = field.body_offset();
    let body = field.body();
    let mut follower = Follower {
        text: text.as_str(),
        at: 0,
        units: 0,
        groups: Vec::new(),
    };
    let is_old_hangul = text.report().has(Kind::HangulRemapped);
    let mut is_followed = true;
    let uses: Vec<_> = text
        .charsets()
        .iter()
        .map(|used| (used.offset.saturating_sub(base), used))
        .map(|(start, used)| (start..start + used.length, used.charset))
        .collect();
    // Adjacent words in several charsets are decoded separately.
    let read_by = |at: usize| uses.iter().position(|(range, _)| range.contains(&at));
    for unit in units(body, header::syntax(field.name()), read_by) {
        let Some(first) = unit.places.first().map(|[place, _]| place.start) else {
            continue;
        };
        let last = unit
            .places
            .last()
            .map_or(first, |[place, other]| place.end.max(other.end));
        let mut uses = uses.iter();
        let read = uses.find(|(range, _)| range.start < last && range.end > first);
        let charset = read.map_or(Charset::UTF_8, |(_, charset)| *charset);
        let joined = joined_base64(&unit.words);
        let as_written = written(body, &unit);
        let candidates = [Some(&unit), joined.as_ref(), as_written.as_ref()];
        let is_found = candidates
            .into_iter()
            .flatten()
            .any(|unit| follower.follow(unit, charset, is_old_hangul));
        if !is_found {
            follower.rest(body, first);
            is_followed = false;
            break;
        }
    }
    Reading {
        text: text.as_str().to_owned(),
        groups: follower.groups,
        is_followed,
    }
}

/// Decodes the whole field in one charset.
pub(crate) fn read_in(field: &Field<'_>, charset: Charset) -> Reading {
    let mut text = String::new();
    let mut groups = Vec::new();
    let mut written = 0;
    for unit in units(field.body(), header::syntax(field.name()), |_| None) {
        let decoded = charset.decode_with(&unit.octets, &Options::new());
        let all = 0..unit.octets.len();
        for (range, said, is_malformed) in pieces_of(&unit.octets, &decoded, &all) {
            // The blank after the colon is not text.
            if text.is_empty() && said.chars().all(is_left_out) {
                continue;
            }
            let to = written + said.encode_utf16().count();
            groups.push(unit.group(range, written..to, is_malformed));
            text.push_str(&said);
            written = to;
        }
    }
    Reading {
        text,
        groups,
        is_followed: true,
    }
}

/// The octets that determine a field's charset, and the decision.
pub(crate) fn decision(field: &Field<'_>, text: &FieldText<'_>) -> (Vec<u8>, Decision) {
    let units = units(field.body(), header::syntax(field.name()), |_| None);
    let is_telling = |unit: &&Unit<'_>| !unit.words.is_empty() || !unit.octets.is_ascii();
    let telling: Vec<_> = units.iter().filter(is_telling).collect();
    let octets = telling.iter().flat_map(|unit| unit.octets.iter().copied());
    let octets: Vec<u8> = octets.collect();
    let word = telling.iter().find_map(|unit| unit.words.first());
    let label = word.map(EncodedWord::label);
    let read = text.charsets().first().map(|used| used.charset);
    let context = Context::new()
        .label(label.as_ref())
        .siblings(read.filter(|_| word.is_none()));
    let decision = decide(&octets, &context);
    (octets, decision)
}

impl Unit<'_> {
    fn group(&self, range: Range<usize>, said: Range<usize>, is_malformed: bool) -> Group {
        let mut places: Vec<(usize, usize)> = Vec::new();
        let own = self.places.get(range.clone()).unwrap_or_default();
        for place in own.iter().flatten().filter(|place| !place.is_empty()) {
            match places.last_mut() {
                // Two octets may share a base64 digit.
                Some((_, end)) if *end >= place.start => *end = place.end.max(*end),
                _ => places.push((place.start, place.end)),
            }
        }
        Group {
            places,
            from: said.start,
            to: said.end,
            octets: self.octets.get(range).unwrap_or_default().to_vec(),
            is_malformed,
        }
    }
}

/// The octets of a body that are decoded together: text between words, and words in the same
/// charset without text between them.
fn units(body: &[u8], syntax: Syntax, read_by: impl Fn(usize) -> Option<usize>) -> Vec<Unit<'_>> {
    let mut units: Vec<Unit<'_>> = Vec::new();
    for piece in header::pieces(body, syntax).into_parts().0 {
        let goes_on = units
            .last()
            .is_some_and(|unit| match (&piece, unit.words.last()) {
                (Piece::Word(word), Some(last)) => read_by(word.offset()) == read_by(last.offset()),
                (Piece::Text(_), None) => true,
                _ => false,
            });
        let (octets, places, word) = match piece {
            // The surrounding words determine whether it is shown.
            Piece::Text(text) if text.between_words() => continue,
            Piece::Text(text) => {
                let start = text.offset();
                let places = (start..start + text.octets().len()).map(|at| whole(at..at + 1));
                (text.octets().to_vec(), places.collect(), None)
            }
            Piece::Word(word) => {
                let (octets, places) = octets_of(&word);
                (octets, places, Some(word))
            }
            _ => continue,
        };
        if !goes_on {
            units.push(Unit {
                octets: Vec::new(),
                places: Vec::new(),
                words: Vec::new(),
            });
        }
        if let Some(unit) = units.last_mut() {
            unit.octets.extend(octets);
            unit.places.extend(places);
            unit.words.extend(word);
        }
    }
    units
}

/// The octets of a word, and their places in the body. If the places are unknown, each octet gets
/// the whole word.
fn octets_of(word: &EncodedWord<'_>) -> (Vec<u8>, Vec<Place>) {
    let encoded = word.encoded_text();
    let transferred = match word.encoding() {
        WordEncoding::B => transfer::b(&encoded),
        _ => transfer::q(&encoded),
    };
    let octets = transferred.into_octets().into_owned();
    let places = places_of(word, &encoded, &text_places(word));
    let places = places.filter(|(found, _)| *found == octets);
    let all = word.offset()..word.offset() + word.length();
    let places = places.map_or_else(|| vec![whole(all); octets.len()], |(_, places)| places);
    (octets, places)
}

/// The offset in the body of each octet of the encoded text, which may contain a fold.
fn text_places(word: &EncodedWord<'_>) -> Vec<usize> {
    let source = word.source();
    let end = source.iter().rposition(|octet| *octet == b'?');
    let end = end.filter(|end| end + 2 >= source.len());
    let mut at = end.unwrap_or(source.len());
    let mut places = Vec::new();
    for octet in word.encoded_text().iter().rev() {
        let before = source.get(..at).unwrap_or_default();
        let Some(found) = before.iter().rposition(|other| other == octet) else {
            return Vec::new();
        };
        at = found;
        places.push(word.offset() + at);
    }
    places.reverse();
    places
}

/// The octets of a valid word and their places (RFC 2047, section 4).
fn places_of(
    word: &EncodedWord<'_>,
    encoded: &[u8],
    at: &[usize],
) -> Option<(Vec<u8>, Vec<Place>)> {
    match word.encoding() {
        WordEncoding::B => base64_places(encoded, at),
        _ => q_places(encoded, at),
    }
}

/// RFC 2047, section 4.2: an octet is written as itself, as an underscore for 20, or as an equals
/// sign and two digits.
fn q_places(encoded: &[u8], at: &[usize]) -> Option<(Vec<u8>, Vec<Place>)> {
    let (mut octets, mut places) = (Vec::new(), Vec::new());
    let mut place = 0;
    while let Some(octet) = encoded.get(place) {
        let digit = |distance: usize| {
            let octet = encoded.get(place + distance)?;
            char::from(*octet).to_digit(16)
        };
        let escaped = match (octet, digit(1), digit(2)) {
            (b'=', Some(high), Some(low)) => u8::try_from(high * 16 + low).ok(),
            _ => None,
        };
        let length = if escaped.is_some() { 3 } else { 1 };
        let own = if *octet == b'_' { b' ' } else { *octet };
        octets.push(escaped.unwrap_or(own));
        places.push(whole(*at.get(place)?..at.get(place + length - 1)? + 1));
        place += length;
    }
    Some((octets, places))
}

/// RFC 2045, section 6.8: each character of base64 holds six bits, and two octets may share one.
fn base64_places(encoded: &[u8], at: &[usize]) -> Option<(Vec<u8>, Vec<Place>)> {
    let (mut octets, mut places) = (Vec::new(), Vec::new());
    let (mut bits, mut held, mut start) = (0u32, 0u32, 0);
    for (octet, at) in encoded.iter().zip(at) {
        let value = match octet {
            b'A'..=b'Z' => octet - b'A',
            b'a'..=b'z' => octet - b'a' + 26,
            b'0'..=b'9' => octet - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => {
                held = 0;
                continue;
            }
        };
        if held == 0 {
            start = *at;
        }
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            octets.push(u8::try_from(bits >> held & 0xFF).ok()?);
            // A word may end between the two.
            places.push([start..start + 1, *at..at + 1]);
            start = *at;
        }
    }
    Some((octets, places))
}

/// Words whose base64 was split between its groups of four, decoded as one.
fn joined_base64<'a>(words: &[EncodedWord<'a>]) -> Option<Unit<'a>> {
    let is_base64 = |word: &EncodedWord<'_>| word.encoding() == WordEncoding::B;
    if words.len() < 2 || !words.iter().all(is_base64) {
        return None;
    }
    let encoded: Vec<_> = words.iter().map(EncodedWord::encoded_text).collect();
    let at: Vec<_> = words.iter().flat_map(text_places).collect();
    let (octets, places) = base64_places(&encoded.concat(), &at)?;
    let words = Vec::new();
    Some(Unit {
        octets,
        places,
        words,
    })
}

/// Words that are shown as written.
fn written<'a>(body: &[u8], unit: &Unit<'_>) -> Option<Unit<'a>> {
    let (first, last) = (unit.words.first()?, unit.words.last()?);
    let range = first.offset()..last.offset() + last.length();
    Some(Unit {
        octets: body.get(range.clone())?.to_vec(),
        places: range.map(|at| whole(at..at + 1)).collect(),
        words: Vec::new(),
    })
}

/// Octets, their text, and whether they are malformed.
type Said = (Range<usize>, String, bool);

/// The text of each octet; of all together if they cannot be mapped.
fn pieces_of(octets: &[u8], decoded: &Decoded<'_>, all: &Range<usize>) -> Vec<Said> {
    let malformed: Vec<_> = decoded
        .report()
        .iter()
        .filter(|it| it.kind() == Kind::Malformed && it.within() == Within::Octets)
        .map(|it| it.offset()..it.offset() + it.length())
        .collect();
    let is_malformed = |range: &Range<usize>| {
        let overlaps = |it: &Range<usize>| it.start < range.end && it.end > range.start;
        malformed.iter().any(overlaps)
    };
    let Some(found) = pointing(octets, decoded, all) else {
        let is_any = is_malformed(all);
        return vec![(all.clone(), decoded.as_str().to_owned(), is_any)];
    };
    let ends = found.octets.iter().skip(1);
    let ranges = found.octets.iter().zip(ends);
    let lengths = found.characters.iter().zip(found.characters.iter().skip(1));
    let mut characters = found.text.chars();
    let said = ranges.zip(lengths).map(|((from, to), (first, last))| {
        let mut units = (last - first) as usize;
        let mut said = String::new();
        while units > 0
            && let Some(character) = characters.next()
        {
            units = units.saturating_sub(character.len_utf16());
            said.push(character);
        }
        let range = *from as usize..*to as usize;
        let is_malformed = is_malformed(&range);
        (range, said, is_malformed)
    });
    said.collect()
}

/// Searches for the text of a field's octets in the whole text.
struct Follower<'t> {
    text: &'t str,
    /// The end of the last match, in octets of the text and in units of UTF-16.
    at: usize,
    units: usize,
    groups: Vec<Group>,
}

impl Follower<'_> {
    /// Advances past the unit's text, if the whole text continues with it.
    fn follow(&mut self, unit: &Unit<'_>, charset: Charset, is_old_hangul: bool) -> bool {
        let before = (self.at, self.units, self.groups.len());
        let hangul = if is_old_hangul {
            HangulPolicy::Always
        } else {
            HangulPolicy::Never
        };
        let options = Options::new().hangul(hangul);
        let decoded = charset.decode_with(&unit.octets, &options);
        let all = 0..unit.octets.len();
        for (range, said, is_malformed) in pieces_of(&unit.octets, &decoded, &all) {
            if let Some(added) = self.added_before(&said) {
                self.pass(added);
                let from = self.units;
                self.pass(said.len());
                let group = unit.group(range, from..self.units, is_malformed);
                self.groups.push(group);
            } else if !said.chars().all(is_left_out) {
                (self.at, self.units) = (before.0, before.1);
                self.groups.truncate(before.2);
                return false;
            }
        }
        true
    }

    /// The length of characters added before this text: quotes and blanks, which separate the text
    /// of words from the syntax around them. `None` if the text continues differently.
    fn added_before(&self, said: &str) -> Option<usize> {
        const MOST: usize = 3;
        let rest = self.text.get(self.at..)?;
        let added = |length: &usize| {
            let before = rest.get(..*length);
            before.is_some_and(|before| before.chars().all(|it| matches!(it, '"' | '\\' | ' ')))
                && rest
                    .get(*length..)
                    .is_some_and(|rest| rest.starts_with(said))
        };
        (0..=MOST).find(added)
    }

    fn pass(&mut self, length: usize) {
        let passed = self.text.get(self.at..self.at + length);
        self.units += passed.map_or(0, |passed| passed.encode_utf16().count());
        self.at += length;
    }

    /// Puts all of the rest in one group.
    fn rest(&mut self, body: &[u8], start: usize) {
        let from = self.units;
        self.pass(self.text.len().saturating_sub(self.at));
        let octets = body.get(start..).unwrap_or_default();
        self.groups.push(Group {
            places: vec![(start, body.len())],
            from,
            to: self.units,
            octets: octets.to_vec(),
            is_malformed: false,
        });
    }
}

/// Characters of a field that its text omits: blanks at its ends and in folds, and syntax in its
/// words.
fn is_left_out(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n' | '"' | '\\')
}
