//! Charsets in which an accent precedes its letter: ISO 6937, CCITT T.61, T.101 and related sets,
//! and ISO 5428 for Greek.
//!
//! The sets are in `tables/` like any other. A cell with a combining mark is an accent. It stays
//! pending until the next octet.
//!
//! - Before a letter: the letter with the accent, one character if ISO 6937 lists the pair,
//!   otherwise letter and combining mark.
//! - Before a space: the accent alone (ISO/IEC 6937, section 6.2.3).
//! - Before anything else, and at the end: one U+FFFD for the accent alone.

use super::codec::{Codec, Sink};
use super::pair_table;
use super::pairs::{DecodeRuns, Run};
use super::single_byte::{ByteTable, PerSet, SingleByte, UNASSIGNED_OCTET};
use super::usage::Usage;

/// Each accent, its form without a letter, and the letters that ISO 6937 lists with it, each
/// followed by its accented form.
const ACCENTS: [(char, char, &str); 19] = [
    ('\u{300}', '`', "AÀEÈIÌOÒUÙaàeèiìoòuù"),
    (
        '\u{301}',
        '´',
        "AÁCĆEÉIÍLĹNŃOÓRŔSŚUÚYÝZŹaácćeéiílĺnńoórŕsśuúyýzź",
    ),
    (
        '\u{302}',
        '^',
        "AÂCĈEÊGĜHĤIÎJĴOÔSŜUÛWŴYŶaâcĉeêgĝhĥiîjĵoôsŝuûwŵyŷ",
    ),
    ('\u{303}', '~', "AÃIĨNÑOÕUŨaãiĩnñoõuũ"),
    ('\u{304}', '¯', "AĀEĒIĪOŌUŪaāeēiīoōuū"),
    ('\u{306}', '˘', "AĂGĞUŬaăgğuŭ"),
    ('\u{307}', '˙', "CĊEĖGĠIİZŻcċeėgġzż"),
    ('\u{308}', '¨', "AÄEËIÏOÖUÜYŸaäeëiïoöuüyÿ"),
    ('\u{30A}', '˚', "AÅUŮaåuů"),
    ('\u{30B}', '˝', "OŐUŰoőuű"),
    ('\u{30C}', 'ˇ', "CČDĎEĚLĽNŇRŘSŠTŤZŽcčdďeělľnňrřsštťzž"),
    ('\u{313}', '᾿', ""),
    ('\u{314}', '῾', ""),
    ('\u{327}', '¸', "CÇGĢKĶLĻNŅRŖSŞTŢcçgģkķlļnņrŗsştţ"),
    ('\u{328}', '˛', "AĄEĘIĮUŲaąeęiįuų"),
    ('\u{332}', '_', ""),
    ('\u{338}', '/', ""),
    ('\u{342}', '῀', ""),
    ('\u{345}', 'ͺ', ""),
];

/// Ancient Greek has up to three accents on a letter.
const MAX_ACCENTS: usize = 3;

/// Decodes a table in which some cells are accents.
#[derive(Clone)]
pub(super) struct AccentCodec {
    table: &'static ByteTable,
    accented: &'static AccentTable,
}

impl AccentCodec {
    pub(super) fn new(set: SingleByte, usage: Usage) -> Self {
        static ACCENTED: PerSet<AccentTable> = PerSet::new();
        let set = set.read(usage);
        let table = set.table();
        AccentCodec {
            table,
            accented: ACCENTED.get(set, || AccentTable::new(table)),
        }
    }
}

/// Pairs of one accent and an octet, for a set.
struct AccentTable {
    /// The row of each octet, or [`LETTER`] if it is not an accent.
    rows: [u8; 256],
    /// The UTF-8 of the pairs in each row, first octet lowest; 0 if the pair needs the slow path.
    cells: Vec<[u32; 256]>,
}

/// Marks an octet that is not an accent.
const LETTER: u8 = 0xFF;

impl AccentTable {
    fn new(table: &ByteTable) -> AccentTable {
        let mut accented = AccentTable {
            rows: [LETTER; 256],
            cells: Vec::new(),
        };
        for (row, octet) in accented.rows.iter_mut().zip(0..=255) {
            let Some(mark) = table
                .character(octet)
                .filter(|&mark| accent(mark).is_some())
            else {
                continue;
            };
            // There are nineteen accents.
            *row = u8::try_from(accented.cells.len()).unwrap_or(LETTER);
            let mut cells = [0; 256];
            for (cell, octet) in cells.iter_mut().zip(0..=255) {
                *cell = match table.character(octet) {
                    Some(next) if accent(next).is_none() => with_accent(next, mark).unwrap_or(0),
                    _ => 0,
                };
            }
            accented.cells.push(cells);
        }
        accented
    }

    fn row(&self, octet: u8) -> Option<&[u32; 256]> {
        let row = *self.rows.get(usize::from(octet))?;
        self.cells.get(usize::from(row))
    }
}

/// A character with one accent as at most four octets of UTF-8, first octet lowest.
fn with_accent(next: char, mark: char) -> Option<u32> {
    if next == ' ' {
        return Some(pair_table::utf8_cell(alone(mark)));
    }
    if !next.is_alphabetic() {
        return None;
    }
    if let Some(whole) = composed(next, mark) {
        return Some(pair_table::utf8_cell(whole));
    }
    let (letter, mark) = (pair_table::utf8_cell(next), pair_table::utf8_cell(mark));
    let length = pair_table::length(letter);
    (length + pair_table::length(mark) <= 4).then(|| letter | mark << (8 * length))
}

impl Codec for AccentCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        self.read(input, last, sink)
    }
}

impl DecodeRuns for AccentCodec {
    /// Decodes octets, and pairs of an accent and a letter.
    #[inline]
    fn decode_run<const LENGTH: usize>(&mut self, input: &[u8], run: &mut Run<LENGTH>) -> usize {
        let mut rest = input;
        while !run.is_full()
            && let [octet, after @ ..] = rest
        {
            let found = match (self.accented.row(*octet), after) {
                (None, _) => self.table.text(*octet).map(|text| (text, after)),
                (Some(row), [next, after @ ..]) => {
                    let cell = row.get(usize::from(*next)).copied();
                    let cell = cell.filter(|&cell| cell != 0);
                    cell.map(|cell| ((cell, pair_table::length(cell)), after))
                }
                (Some(_), []) => None,
            };
            let Some(((cell, length), after)) = found else {
                break;
            };
            run.put(cell, length);
            rest = after;
        }
        input.len() - rest.len()
    }

    /// Decodes several accents with their letter, or a malformed octet.
    fn decode_other(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let accents = input.iter().take(MAX_ACCENTS);
        let is_accent = |octet: u8| self.accented.row(octet).is_some();
        let count = accents.take_while(|&&octet| is_accent(octet)).count();
        let base = match input.get(count) {
            // Octets with text are decoded in the run.
            Some(_) if count == 0 => return sink.malformed(1, UNASSIGNED_OCTET),
            Some(&octet) if !is_accent(octet) => self.table.character(octet),
            None if !last => return 0,
            _ => None,
        };
        let marks = input.iter().take(count);
        let mut marks = marks.filter_map(|&octet| self.table.character(octet));
        match (base, marks.next()) {
            (Some(' '), Some(mark)) if count == 1 => sink.text.push(alone(mark)),
            (Some(letter), Some(mark)) if letter.is_alphabetic() => {
                match composed(letter, mark) {
                    Some(whole) => sink.text.push(whole),
                    None => sink.text.extend([letter, mark]),
                }
                sink.text.extend(marks);
            }
            _ => return sink.malformed(1, "accent without a letter"),
        }
        count + 1
    }
}

/// The form of an accent without a letter.
fn alone(mark: char) -> char {
    accent(mark).map_or(mark, |(_, alone, _)| *alone)
}

fn accent(character: char) -> Option<&'static (char, char, &'static str)> {
    ACCENTS.iter().find(|(mark, ..)| *mark == character)
}

fn composed(letter: char, mark: char) -> Option<char> {
    let (_, _, pairs) = accent(mark)?;
    let mut pairs = pairs.chars();
    while let (Some(plain), Some(whole)) = (pairs.next(), pairs.next()) {
        if plain == letter {
            return Some(whole);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::{Charset, charset::Decoder};

    #[track_caller]
    fn check(octets: &[u8], text: &str, malformed: &[usize]) {
        let t61 = Charset::for_label("T.61-8bit").unwrap();
        let decoded = t61.decode(octets);
        assert_eq!(decoded.as_str(), text);
        let offsets: Vec<_> = decoded
            .report()
            .findings()
            .iter()
            .map(crate::Finding::offset)
            .collect();
        assert_eq!(offsets, malformed);
        for cut in 0..=octets.len() {
            let mut in_pieces = Decoder::new(t61);
            let (first, second) = octets.split_at(cut);
            let mut pieces = in_pieces.push(first).to_owned();
            pieces += in_pieces.push(second);
            let rest = in_pieces.finish();
            pieces += rest.as_str();
            assert_eq!(pieces, text, "cut at {cut}");
            assert_eq!(rest.report(), decoded.report(), "cut at {cut}");
        }
    }

    #[test]
    fn an_accent_combines_with_its_letter() {
        check(b"Z\xC8urich", "Zürich", &[]);
        // ISO 6937 has no x with an acute; the pair is decoded nonetheless.
        check(b"\xC2x", "x\u{301}", &[]);
        check(
            b"\xC8\xC5u",
            "u\u{308}\u{304}".replace("u\u{308}", "ü").as_str(),
            &[],
        );
    }

    #[test]
    fn an_accent_before_a_space_is_a_lone_accent() {
        check(b"\xC2 x", "´x", &[]);
        check(b"\xCF ", "ˇ", &[]);
    }

    #[test]
    fn an_accent_without_a_letter_swallows_nothing() {
        check(b"\xC2", "\u{FFFD}", &[0]);
        check(b"a\xC2\r\nb", "a\u{FFFD}\r\nb", &[1]);
        check(b"\xC2\xC3", "\u{FFFD}\u{FFFD}", &[0, 1]);
        check(
            b"\xC2\xC3\xC4\xC5\xC6a",
            "\u{FFFD}\u{FFFD}ã\u{304}\u{306}",
            &[0, 1],
        );
        check(b"\xC2\xFF", "\u{FFFD}\u{FFFD}", &[0, 1]);
        check(b"\xC21", "\u{FFFD}1", &[0]);
    }
}
