//! Hangul as coded before Amendment 5, and its code points since.
//!
//! Amendment 5 to ISO/IEC 10646-1 (Unicode 2.0, 1996) removed the 6,656 Hangul syllables from
//! U+3400 to U+4DFF and coded all 11,172 syllables at U+AC00 to U+D7A3. RFC 2279, section 5, calls
//! the effect on existing text "the Korean mess". Old and new syllables both take three octets in
//! UTF-8, so offsets do not change.
//!
//! Nothing else moved: jamo are unchanged. The ideographs at U+3400 to U+4DFF since Unicode 3.0 are
//! unchanged too, unless the label is Unicode 1.1. Not implemented: encoding old Hangul.
//!
//! ```
//! use mime_charset::{Charset, Kind};
//!
//! let decoded = Charset::UNICODE_1_1_UTF_8.decode("\u{3CA2}\u{3476}\u{3971}".as_bytes());
//! assert_eq!(decoded.as_str(), "한국어");
//! assert!(decoded.report().has(Kind::HangulRemapped));
//! assert_eq!(Charset::UTF_8.decode("\u{3CA2}".as_bytes()).as_str(), "\u{3CA2}");
//! ```

#![expect(
    clippy::inline_always,
    reason = "code on blocks is compiled for the processor only if inlined"
)]

use std::sync::LazyLock;

use super::pairs::in_three;
use super::tables::{self, OLD_COUNT, hangul_row};
use super::{utf8, web};
use crate::vector::{self, Aligned, BLOCK, Machine, Task, flags};

/// The range of old Hangul.
const OLD: std::ops::RangeInclusive<u32> = 0x3400..=0x4DFF;
/// The range of today's Hangul.
const NEW: std::ops::RangeInclusive<u32> = 0xAC00..=0xD7A3;

/// The number of today's syllables.
const NEW_COUNT: usize = 0xD7A4 - 0xAC00;

/// New code points by old, parsed from the table at compile time.
static MODERN: [u16; OLD_COUNT] =
    tables::hangul(include_bytes!("tables/pre-amendment5-hangul.txt"));

/// For each [`hangul_row`], the UTF-8 of the old syllable XOR that of the new one, as little-endian
/// integers; 0 for other characters of U+3000 to U+4FFF. Built at first use.
static DIFFERENCES: LazyLock<Box<Differences>> = LazyLock::new(|| {
    let mut differences = Box::new([0; ROWS]);
    for (old, &new) in (0x3400..).zip(&MODERN) {
        let old = in_three(old);
        if let Some(row) = differences.get_mut(hangul_row(old)) {
            *row = old ^ in_three(new.into());
        }
    }
    differences
});

type Differences = [u32; ROWS];

/// The number of characters of U+3000 to U+4FFF.
const ROWS: usize = 1 << 13;

/// Old code points by new, 0 for the 4,516 syllables that Unicode 1.1 lacks. Built at first use.
static OLD_CODES: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let mut before = vec![0; NEW_COUNT];
    for (old, &new) in (0x3400..).zip(&MODERN) {
        let row = usize::from(new).wrapping_sub(0xAC00);
        if let Some(row) = before.get_mut(row) {
            *row = old;
        }
    }
    before
});

/// Characters of the Basic Multilingual Plane added after Unicode 1.1, without Hangul.
static ADDED_LATER: [(u16, u16); 314] =
    tables::ranges(include_bytes!("tables/after-unicode-1-1.txt"));

/// The first character of [`ADDED_LATER`]: lower code points need no lookup.
const FIRST_ADDED_LATER: u32 = 0x01F6;

/// What to do with U+3400 to U+4DFF under a Unicode 1.1 label (RFC 2279, section 5).
///
/// ```
/// use mime_charset::{Charset, Options, hangul::HangulPolicy};
///
/// // A new syllable and an old one.
/// let octets = "국\u{3CA2}".as_bytes();
/// let read = |policy| {
///     let options = Options::new().hangul(policy);
///     Charset::UNICODE_1_1_UTF_8.decode_with(octets, &options).into_text()
/// };
/// assert_eq!(read(HangulPolicy::Auto), "국\u{3CA2}");
/// assert_eq!(read(HangulPolicy::Always), "국한");
/// assert_eq!(read(HangulPolicy::Never), "국\u{3CA2}");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum HangulPolicy {
    /// Remap unless the text has characters that Unicode 1.1 lacks, such as today's Hangul: then the
    /// label is wrong and the text is not remapped.
    #[default]
    Auto,
    /// Remap all, as RFC 2279 prescribes.
    Always,
    /// Remap none: decode as plain UTF-8, like web browsers.
    Never,
}

/// The code point since Amendment 5 of an old syllable (RFC 2279, section 5).
///
/// `None` for every character outside U+3400 to U+4DFF.
///
/// ```
/// use mime_charset::hangul;
///
/// assert_eq!(hangul::modern('\u{3CA2}'), Some('한'));
/// assert_eq!(hangul::modern('한'), None);
/// ```
#[must_use]
pub fn modern(old: char) -> Option<char> {
    let row = (old as usize).checked_sub(0x3400)?;
    MODERN
        .get(row)
        .and_then(|&new| char::from_u32(u32::from(new)))
}

/// The Unicode 1.1 code point of a syllable.
///
/// `None` for every character outside U+AC00 to U+D7A3 and for the 4,516 syllables there that
/// Unicode 1.1 lacks.
///
/// ```
/// use mime_charset::hangul;
///
/// assert_eq!(hangul::before_amendment5('한'), Some('\u{3CA2}'));
/// assert_eq!(hangul::before_amendment5('힣'), None);
/// ```
#[must_use]
pub fn before_amendment5(new: char) -> Option<char> {
    let row = (new as usize).checked_sub(0xAC00)?;
    match OLD_CODES.get(row) {
        None | Some(0) => None,
        Some(&old) => char::from_u32(u32::from(old)),
    }
}

/// Counts of the characters that show whether a text was written in Unicode 1.1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Census {
    /// Scalar values in U+3400 to U+4DFF.
    pub(crate) old: usize,
    /// Scalar values in U+AC00 to U+D7A3.
    pub(crate) new: usize,
    /// Other scalar values that Unicode 1.1 lacks.
    pub(crate) later: usize,
    /// Jamo, which are Hangul but did not move.
    pub(crate) jamo: usize,
    /// Start of the first and end of the last old syllable, in octets.
    pub(crate) span: Option<(usize, usize)>,
}

impl Census {
    /// Adds the counts of `next`, a text `base` octets after the start.
    pub(crate) fn add(&mut self, next: Census, base: usize) {
        self.old += next.old;
        self.new += next.new;
        self.later += next.later;
        self.jamo += next.jamo;
        if let Some((start, end)) = next.span {
            let first = self.span.map_or(base + start, |(first, _)| first);
            self.span = Some((first, base + end));
        }
    }

    /// Whether the text has characters that Unicode 1.1 lacks.
    pub(crate) fn is_contradicted(&self) -> bool {
        self.new > 0 || self.later > 0
    }
}

/// Counts the characters of a text in one pass.
pub(crate) fn census(text: &str) -> Census {
    let mut census = Census::default();
    for (at, character) in text.char_indices() {
        let value = u32::from(character);
        if value < FIRST_ADDED_LATER {
            continue;
        }
        if OLD.contains(&value) {
            census.old += 1;
            let start = census.span.map_or(at, |(start, _)| start);
            census.span = Some((start, at + 3));
        } else if NEW.contains(&value) {
            census.new += 1;
        } else if is_after_unicode_1_1(value) {
            census.later += 1;
        } else if matches!(value, 0x1100..=0x11FF | 0x3131..=0x318E) {
            census.jamo += 1;
        }
    }
    census
}

/// Whether Unicode 1.1 lacks a character: one of a later age, or beyond the Basic Multilingual
/// Plane.
///
/// Unassigned and private-use code points prove nothing.
fn is_after_unicode_1_1(value: u32) -> bool {
    let Ok(value) = u16::try_from(value) else {
        return true;
    };
    let row = ADDED_LATER.partition_point(|&(_, last)| last < value);
    ADDED_LATER
        .get(row)
        .is_some_and(|&(first, _)| first <= value)
}

/// The 64 most common Korean syllables: 59% of the 457,038 syllables in the Korean message
/// catalogues of Debian 12's base programs.
const COMMON: &str = "다이니지을수에습는로를없하일시자가스정어의음파기용서합리사할트인한은오션\
                      않터아문있그드제위대만보함으옵상값름실부패치해작프입모력";

/// Evidence that text in today's Unicode is Hangul coded before Amendment 5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Suspicion {
    /// The number of possible old syllables.
    pub(crate) syllables: usize,
    /// The number of ideographs in today's Unicode, including the possible syllables.
    pub(crate) ideographs: usize,
    /// The number of syllables that are among the most common in Korean.
    pub(crate) common: usize,
    /// The start of the first and the end of the last possible syllable, in octets.
    pub(crate) span: (usize, usize),
}

/// Whether ideographs of today make plausible Korean in Unicode 1.1.
///
/// Most ideographs of the text must be possible syllables; characters of Extension A are never the
/// majority in other text. Nine in ten possible syllables must be in KS X 1001. In Korean text all
/// but a few of 100,000 syllables are in KS X 1001. Of the characters of Extension A, read as old
/// syllables, only 36 % are. A quarter of the possible syllables must be common in Korean. Text
/// with today's Hangul is never suspicious.
pub(crate) fn suspicion(text: &str) -> Option<Suspicion> {
    /// Fewer possible syllables are no evidence.
    const FEWEST: usize = 3;
    let census = census(text);
    if census.old < FEWEST || census.new > 0 || census.later > 0 {
        return None;
    }
    let (mut ideographs, mut in_ks_x_1001, mut common) = (0, 0, 0);
    for character in text.chars() {
        match u32::from(character) {
            0x3400..=0x4DFF => {
                ideographs += 1;
                in_ks_x_1001 += usize::from(character <= '\u{3D2D}');
                common += usize::from(modern(character).is_some_and(|new| COMMON.contains(new)));
            }
            0x4E00..=0x9FFF | 0xF900..=0xFAFF => ideographs += 1,
            _ => {}
        }
    }
    let plausible = census.old * 2 > ideographs
        && in_ks_x_1001 * 10 >= census.old * 9
        && common * 4 >= census.old;
    plausible.then_some(Suspicion {
        syllables: census.old,
        ideographs,
        common,
        span: census.span.unwrap_or_default(),
    })
}

/// Which old syllables to remap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remap {
    /// All of them.
    All,
    /// All, or none if the text has characters that Unicode 1.1 lacks.
    UnlessContradicted,
    /// None; only count them.
    None,
}

/// Appends `text` to `out` with its old syllables remapped, and returns its census with offsets in
/// `text`.
///
/// Under [`Remap::UnlessContradicted`] the remap is provisional: if a character that Unicode 1.1 lacks
/// follows, the remap is undone and all of the text is appended unchanged.
pub(crate) fn remap(text: &str, extent: Remap, out: &mut String) -> Census {
    if text.is_ascii() {
        out.push_str(text);
        return Census::default();
    }
    let start = out.len();
    out.reserve(text.len());
    let mut census = Census::default();
    let mut batch = Batch::new();
    let mut rest = text;
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let end = utf8::character_start(rest.as_bytes(), Batch::MOST);
        let (piece, following) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let ahead = rest.as_bytes();
        rest = following;
        if piece.is_ascii() {
            out.push_str(piece);
            continue;
        }
        let task = RemapBatch {
            batch: &mut batch,
            octets: ahead,
            length: piece.len(),
        };
        let remapped = vector::run(task).and_then(|found| Some((found, batch.text(piece.len())?)));
        match remapped {
            Some(((count, span), new)) if extent != Remap::None => {
                let found = Census {
                    old: count,
                    span,
                    ..Census::default()
                };
                census.add(found, at);
                out.push_str(new);
            }
            _ => {
                census.add(remap_each(piece, extent != Remap::None, out), at);
                if extent == Remap::UnlessContradicted && census.is_contradicted() {
                    out.truncate(start);
                    out.push_str(text);
                    census.add(self::census(rest), text.len() - rest.len());
                    break;
                }
            }
        }
    }
    census
}

/// Remaps character by character.
fn remap_each(piece: &str, remaps: bool, out: &mut String) -> Census {
    if remaps {
        out.extend(piece.chars().map(|old| modern(old).unwrap_or(old)));
    } else {
        out.push_str(piece);
    }
    census(piece)
}

/// Remaps the first `length` of `octets`, which are whole characters. Returns the number of syllables
/// and their span, or `None` if a character may be evidence about the version of Unicode.
struct RemapBatch<'b> {
    batch: &'b mut Batch,
    octets: &'b [u8],
    length: usize,
}

impl Task for RemapBatch<'_> {
    type Output = Option<(usize, Option<(usize, usize)>)>;

    #[inline(always)]
    fn run(self, machine: impl Machine) -> Self::Output {
        let RemapBatch {
            batch,
            octets,
            length,
        } = self;
        // Pad the end of a text with zeros.
        let mut end;
        let from: &[u8; Batch::WINDOW] = if let Some(window) = octets.first_chunk() {
            window
        } else {
            end = [0; Batch::WINDOW];
            end.get_mut(..octets.len())?.copy_from_slice(octets);
            &end
        };
        let count = batch.find(machine, from, length)?;
        batch.to.0 = *from;
        let (places, _) = batch.places.split_at_checked(count)?;
        let mut all = Batch::IS_NEW;
        let differences: &Differences = &DIFFERENCES;
        let mut put = |place: u16| {
            let place = usize::from(place);
            let to = batch.to.0.get_mut(place..)?.first_chunk_mut::<4>()?;
            let old = u32::from_le_bytes(*from.get(place..)?.first_chunk::<4>()?);
            let new = old
                ^ differences
                    .get(hangul_row(old))
                    .copied()
                    .unwrap_or_default();
            all &= new;
            *to = new.to_le_bytes();
            Some(())
        };
        // Remap four at a time, which needs fewer iterations and no more memory.
        let (fours, rest) = places.as_chunks::<4>();
        for &[p, q, r, s] in fours {
            put(p)?;
            put(q)?;
            put(r)?;
            put(s)?;
        }
        for &place in rest {
            put(place)?;
        }
        let span = match places {
            [first, ..] => {
                let last = places.last().unwrap_or(first);
                Some((usize::from(*first), usize::from(*last) + 3))
            }
            [] => None,
        };
        (all & Batch::IS_NEW != 0).then_some((count, span))
    }
}

/// Remaps UTF-8 in batches: masks find the syllables, which are then remapped one by one without a
/// branch on the text: a processor cannot predict where Hangul words begin and end.
struct Batch {
    /// The remapped octets, with room for a store past the end.
    to: Aligned<{ Batch::WINDOW }>,
    /// The offsets of characters of U+3000 to U+4FFF.
    places: [u16; Batch::PLACES],
}

impl Batch {
    /// The maximum length of a batch in octets.
    const MOST: usize = 16 * BLOCK;
    const WINDOW: usize = Batch::MOST + BLOCK;
    /// The maximum number of three-octet characters that start in a block.
    const PER_BLOCK: usize = 22;
    const PLACES: usize = 17 * Batch::PER_BLOCK;
    /// Set in the lead octets of new syllables (EA to ED), clear in E3 and E4.
    const IS_NEW: u32 = 0x08;

    fn new() -> Batch {
        Batch {
            to: Aligned([0; Batch::WINDOW]),
            places: [0; Batch::PLACES],
        }
    }

    /// Finds the characters of U+3000 to U+4FFF in the first `length` octets; `None` if another
    /// character may be evidence.
    #[inline(always)]
    fn find(
        &mut self,
        machine: impl Machine,
        octets: &[u8; Batch::WINDOW],
        length: usize,
    ) -> Option<usize> {
        let (blocks, _) = octets.as_chunks::<BLOCK>();
        let mut count = 0;
        let mut evidence = [0; BLOCK];
        for (block, base) in blocks.iter().take(length.div_ceil(BLOCK)).zip(0_u16..) {
            // Characters from U+01C0 on may be of a later version, except the ideographs U+5000 to
            // U+8FFF.
            let is_evidence =
                |octet: u8| (octet >= 0xC7) & (octet.wrapping_sub(0xE3) > 0xE8 - 0xE3);
            for (any, &octet) in evidence.iter_mut().zip(block) {
                *any |= u8::from(is_evidence(octet));
            }
            let leads = machine.eights(&flags(block, |octet| octet.wrapping_sub(0xE3) < 2));
            vector::append_places(leads, base << 6, &mut self.places, &mut count)?;
        }
        // Characters after `length` belong to the next batch.
        let found = self.places.get(..count)?.iter().rev();
        count -= found
            .take_while(|&&place| usize::from(place) >= length)
            .count();
        (evidence.iter().fold(0, |any, flag| any | flag) == 0).then_some(count)
    }

    /// The first `length` octets, remapped.
    fn text(&self, length: usize) -> Option<&str> {
        web::utf8(self.to.0.get(..length)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pairs::in_three;
    use super::{
        ADDED_LATER, Batch, Census, FIRST_ADDED_LATER, NEW, OLD, ROWS, Remap, RemapBatch, Task,
        before_amendment5, census, hangul_row, is_after_unicode_1_1, modern, remap, vector,
    };
    use crate::vector::Portable;

    #[test]
    fn every_old_syllable_maps_to_one_new_code_point_and_back() {
        for value in 0x3400..=0x4DFF {
            let old = char::from_u32(value).unwrap();
            let new = modern(old).unwrap();
            assert!(('\u{AC00}'..='\u{D7A3}').contains(&new));
            assert_eq!(before_amendment5(new), Some(old));
        }
        let missing = ('\u{AC00}'..='\u{D7A3}').filter(|&new| before_amendment5(new).is_none());
        assert_eq!(missing.count(), 4_516);
    }

    /// The octet after a character does not affect its row.
    #[test]
    fn each_character_has_a_row_of_its_own() {
        let rows = |following: u32| {
            (0x3000..0x5000).map(move |at| hangul_row(in_three(at) | following << 24))
        };
        let all: std::collections::BTreeSet<usize> = rows(0).collect();
        assert_eq!((all.len(), all.last()), (ROWS, Some(&(ROWS - 1))));
        assert!(rows(0).eq(rows(0xFF)));
        let octets = "\u{3CA2}".as_bytes();
        assert_eq!(in_three(0x3CA2).to_le_bytes()[..3], *octets);
    }

    #[test]
    fn edges_of_the_blocks() {
        // The edges of the four blocks of the table: KS X 1001, KS X 1002, GB 12052, the rest.
        let pairs = [
            (0x3400, 0xAC00),
            (0x3D2D, 0xD79D),
            (0x3D2E, 0xAC02),
            (0x44B7, 0xD7A0),
            (0x44B8, 0xBBC3),
            (0x44BD, 0xC6D8),
            (0x44BE, 0xAC03),
            (0x4DFF, 0xBB5D),
            // Corrected in UTC document L2/17-080 from the charts of ISO/IEC 10646-1:1993.
            (0x384E, 0xC0A3),
            (0x40BC, 0xC0A4),
            (0x436C, 0xCF6A),
        ];
        for (old, new) in pairs {
            assert_eq!(modern(char::from_u32(old).unwrap()), char::from_u32(new));
        }
        assert_eq!(modern('\u{33FF}'), None);
        assert_eq!(modern('\u{4E00}'), None);
    }

    #[test]
    fn later_characters_match_the_age_property() {
        assert_eq!(u32::from(ADDED_LATER[0].0), FIRST_ADDED_LATER);
        let count: usize = ADDED_LATER
            .iter()
            .map(|&(first, last)| usize::from(last - first) + 1)
            .sum();
        // Characters of the Basic Multilingual Plane by the Unicode Character Database: 55,718
        // assigned in 17.0 (excluding private use and surrogates), including 27,577 of Age 1.1
        // (33,979 minus 6,400 of private use and the two noncharacters), and 17,828 at the two
        // places of Hangul.
        assert_eq!(
            count,
            55_718 - (33_979 - 6_400 - 2) - (0x4E00 - 0x3400 + 11_172)
        );
        // Compares with another program's table of the Age property, for Unicode 16.0.
        let class = |pattern| match regex_syntax::parse(pattern).unwrap().into_kind() {
            regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) => class,
            kind => panic!("expected a class, found {kind:?}"),
        };
        let old = class(r"\p{Age=V1_1}");
        let assigned = class(r"[\p{Assigned}--\p{Co}]");
        let has = |class: &regex_syntax::hir::ClassUnicode, character: char| {
            let within = |range: &regex_syntax::hir::ClassUnicodeRange| {
                (range.start()..=range.end()).contains(&character)
            };
            class.ranges().iter().any(within)
        };
        for character in '\0'..='\u{FFFF}' {
            let value = u32::from(character);
            let later = is_after_unicode_1_1(value);
            let is_hangul = OLD.contains(&value) || NEW.contains(&value);
            if is_hangul || has(&old, character) {
                assert!(!later, "U+{value:04X}");
            } else if has(&assigned, character) {
                assert!(later, "U+{value:04X}");
            }
        }
        assert!(is_after_unicode_1_1(0x1_0000) && is_after_unicode_1_1(0x10_FFFF));
        assert!(!is_after_unicode_1_1(0xFFFD) && !is_after_unicode_1_1(0xE000));
    }

    /// Reference implementation, one character at a time.
    fn slowly(text: &str) -> (String, Census) {
        let new = text.chars().map(|old| modern(old).unwrap_or(old)).collect();
        (new, census(text))
    }

    #[test]
    fn remap_changes_only_old_hangul() {
        let text = "a\u{33FE}\u{3CA2}\u{3476}\u{3971}\u{4E00}\u{E000}é and more than eight octets";
        let mut new = "before ".to_owned();
        let census = remap(text, Remap::UnlessContradicted, &mut new);
        assert_eq!((census.old, census.is_contradicted()), (3, false));
        assert_eq!(census.span, Some((4, 13)));
        let expected = "before a\u{33FE}한국어\u{4E00}\u{E000}é and more than eight octets";
        assert_eq!(new, expected);
    }

    #[test]
    fn remap_is_reverted_if_the_text_contradicts_it() {
        for later in ["한", "\u{20AC}", "\u{1F600}"] {
            for filling in ["", &"\u{3400} and ".repeat(300)] {
                let text = format!("\u{3CA2}{filling}\u{3476} {later} \u{3971}{filling}");
                let mut new = String::new();
                let found = remap(&text, Remap::UnlessContradicted, &mut new);
                assert_eq!(new, text);
                assert_eq!(found, census(&text));
                new.clear();
                assert_eq!(remap(&text, Remap::None, &mut new), census(&text));
                assert_eq!(new, text);
                new.clear();
                assert_eq!(remap(&text, Remap::All, &mut new), census(&text));
                assert_eq!(new, slowly(&text).0);
            }
        }
    }

    /// Every character of the plane, among syllables and ASCII, at every place of a block.
    #[test]
    fn masks_remap_like_single_characters() {
        let plane = ('\0'..='\u{FFFF}').chain(['\u{10000}', '\u{10FFFF}']);
        let plane: Vec<char> = plane.collect();
        for (shift, characters) in plane.chunks(7).enumerate() {
            let mut text = "a".repeat(shift % 64);
            for &character in characters {
                text.extend(['\u{3CA2}', character, '\u{4DFF}', '\u{3400}', ' ']);
            }
            let (expected, census) = slowly(&text);
            let mut new = String::new();
            assert_eq!(remap(&text, Remap::All, &mut new), census, "{text}");
            assert_eq!(new, expected);
            // With and without the processor's vector instructions.
            let batches = [(); 2].map(|()| Batch::new());
            let [mut with, mut without] = batches;
            let task = |batch| RemapBatch {
                batch,
                octets: text.as_bytes(),
                length: text.len(),
            };
            assert!(text.len() < Batch::MOST);
            assert_eq!(
                vector::run(task(&mut with)),
                task(&mut without).run(Portable)
            );
            assert_eq!(with.text(text.len()), without.text(text.len()));
        }
    }

    /// Batches end at characters; a character of the next batch counts once.
    #[test]
    fn batches_may_end_at_any_place_of_a_block() {
        for shift in 0..64 {
            let ascii = "a".repeat(shift);
            let text = ascii + &"\u{3CA2}\u{3476} \u{3971}".repeat(700);
            let mut new = String::new();
            let (expected, census) = slowly(&text);
            assert_eq!(remap(&text, Remap::All, &mut new), census);
            assert_eq!(new, expected);
        }
    }

    #[test]
    fn census_counts_what_decides() {
        let census = census("\u{3CA2}한\u{1F600}\u{3131}");
        assert_eq!(
            (census.old, census.new, census.later, census.jamo),
            (1, 1, 1, 1)
        );
        assert_eq!(census.span, Some((0, 3)));
    }
}
