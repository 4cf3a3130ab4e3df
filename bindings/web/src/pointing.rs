//! Maps each character to its octets.
//!
//! Passes octets to a [`Decoder`] one at a time. The decoder reports how many octets are decided:
//! these octets and the text returned with them belong together. Results are returned only if they
//! match the whole text.

use std::ops::Range;

use mime_charset::hangul::HangulPolicy;
use mime_charset::{Charset, Decoded, Decoder, Kind, Options, Within};

/// Text in groups: the octets of each, and its characters.
#[derive(Default)]
pub(crate) struct Pointing {
    /// The start of each group in the octets, and the end of the last one.
    pub(crate) octets: Vec<u32>,
    /// The start of each group in the text, in units of UTF-16, and the end of the last one.
    pub(crate) characters: Vec<u32>,
    pub(crate) text: String,
}

/// A decoder that starts in the middle of a text may start inside a character: it is synchronized
/// after at most this many octets.
const BEFORE: usize = 64;

/// The groups that begin in this range of octets; `None` if the text cannot be mapped octet by
/// octet.
pub(crate) fn pointing(
    octets: &[u8],
    decoded: &Decoded<'_>,
    range: &Range<usize>,
) -> Option<Pointing> {
    let hangul = if decoded.report().has(Kind::HangulRemapped) {
        HangulPolicy::Always
    } else {
        HangulPolicy::Never
    };
    let options = Options::new().hangul(hangul);
    // Without a byte order mark, the order of UTF-16 depends on the whole text.
    let orders = ["utf-16be", "utf-16le", "utf-32be", "utf-32le"];
    let is_wide = matches!(decoded.charset().name(), "UTF-16" | "UTF-32");
    let orders = orders.iter().filter(|_| is_wide);
    let charsets = orders.filter_map(|label| Charset::for_label(label));
    [decoded.charset()]
        .into_iter()
        .chain(charsets)
        .find_map(|charset| in_charset(octets, decoded, range, charset, &options))
}

fn in_charset(
    octets: &[u8],
    decoded: &Decoded<'_>,
    range: &Range<usize>,
    charset: Charset,
    options: &Options,
) -> Option<Pointing> {
    let mut reader = Decoder::with_options(charset, options);
    let first = range.start.saturating_sub(BEFORE);
    // The lengths of the text so far, and of the current group.
    let mut before = reader.push(octets.get(..first)?).len();
    let mut start = reader.decided();
    let mut groups = Groups {
        octets,
        malformed: malformed(decoded),
        range: range.clone(),
        found: Pointing::default(),
        units: 0,
        text_before: None,
    };
    let mut at = first;
    while start < range.end && at < octets.len() {
        let text = reader.push(octets.get(at..=at)?).to_owned();
        at += 1;
        let end = reader.decided();
        if text.is_empty() {
            continue;
        }
        groups.add(start..end, &text, before);
        before += text.len();
        start = end;
    }
    if start < range.end {
        let rest = reader.finish();
        groups.add(start..octets.len(), rest.as_str(), before);
        before += rest.as_str().len();
        start = octets.len();
    }
    groups.finish(decoded.as_str(), start, before, octets.len())
}

/// The malformed ranges of the octets, in order.
fn malformed(decoded: &Decoded<'_>) -> Vec<Range<usize>> {
    let mut found: Vec<_> = decoded
        .report()
        .findings()
        .iter()
        .filter(|finding| finding.kind() == Kind::Malformed && finding.within() == Within::Octets)
        .map(|finding| finding.offset()..finding.offset() + finding.length())
        .collect();
    found.sort_unstable_by_key(|range| range.start);
    found
}

struct Groups<'o> {
    octets: &'o [u8],
    malformed: Vec<Range<usize>>,
    range: Range<usize>,
    found: Pointing,
    /// The length of the text found, in units of UTF-16.
    units: u32,
    /// The number of text octets before the first group.
    text_before: Option<usize>,
}

impl Groups<'_> {
    /// Adds octets and their text, split where the octets of a character are certain: at malformed
    /// octets, and at single-octet characters.
    fn add(&mut self, octets: Range<usize>, mut text: &str, before: usize) {
        let (mut at, mut before) = (octets.start, before);
        while let Some(character) = text.chars().next() {
            let own = self.own_length(at, character);
            let length = match own {
                Some(length) if at + length < octets.end && text.len() > character.len_utf8() => {
                    length
                }
                _ => break,
            };
            let (one, rest) = text.split_at(character.len_utf8());
            self.group(at..at + length, one, before);
            at += length;
            before += one.len();
            text = rest;
        }
        self.group(at..octets.end, text, before);
    }

    fn own_length(&self, at: usize, character: char) -> Option<usize> {
        if character == '\u{FFFD}' {
            let place = self
                .malformed
                .binary_search_by_key(&at, |range| range.start);
            return place
                .ok()
                .and_then(|place| self.malformed.get(place))
                .map(ExactSizeIterator::len);
        }
        let octet = *self.octets.get(at)?;
        (octet.is_ascii() && char::from(octet) == character).then_some(1)
    }

    fn group(&mut self, octets: Range<usize>, text: &str, before: usize) {
        // Octets without text, such as an escape at the end, belong to the previous group.
        if text.is_empty() || !self.range.contains(&octets.start) {
            return;
        }
        self.text_before.get_or_insert(before);
        self.found
            .octets
            .push(u32::try_from(octets.start).unwrap_or(u32::MAX));
        self.found.characters.push(self.units);
        self.units += text.encode_utf16().count().try_into().unwrap_or(0);
        self.found.text.push_str(text);
    }

    /// The groups, if their text is the same as in the whole text.
    fn finish(mut self, whole: &str, end: usize, read: usize, length: usize) -> Option<Pointing> {
        self.found
            .octets
            .push(u32::try_from(end.min(length)).unwrap_or(u32::MAX));
        self.found.characters.push(self.units);
        let start = self.text_before.unwrap_or(read);
        let text = self.found.text.as_str();
        let is_there = |start: usize| {
            whole.get(start..start + text.len()) == Some(text)
                && (end < length || start + text.len() == whole.len())
        };
        if is_there(start) {
            return Some(self.found);
        }
        // A byte order mark is not a character of the text.
        let mark = '\u{FEFF}'.len_utf8();
        if start == 0 && text.starts_with('\u{FEFF}') {
            let rest = text.get(mark..)?;
            let is_start = whole.starts_with(rest) && (end < length || rest.len() == whole.len());
            return is_start.then_some(self.found);
        }
        (start >= mark && is_there(start - mark)).then_some(self.found)
    }
}
