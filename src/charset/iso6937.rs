//! Charsets in which an accent is sent before its letter: ISO 6937, CCITT T.61, T.101 and
//! their kin, and ISO 5428 for Greek.
//!
//! The octets of such a set are in `tables/` like those of any other; a cell that holds a
//! combining mark is an accent, and waits for the octet after it.
//!
//! - Before a letter: the letter with the accent, as one character where ISO 6937 lists
//!   the pair, as letter and combining mark where it does not.
//! - Before a space: the accent alone (ISO/IEC 6937, section 6.2.3).
//! - Before anything else, and at the end: one U+FFFD for the accent, and nothing else is
//!   touched.

use super::single_byte::{SingleByte, Table};
use super::{Codec, Reading, Sink};
use crate::report::Kind;

/// Each accent, the accent standing alone, and the letters that ISO 6937 lists with it, each
/// before its accented form.
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

/// Greek of old has up to three accents on a letter.
const MOST_ACCENTS: usize = 3;

/// The table, of which some cells are accents.
pub(super) struct AccentCodec {
    table: &'static Table,
}

impl AccentCodec {
    pub(super) fn new(set: SingleByte, reading: Reading) -> Self {
        AccentCodec {
            table: set.read(reading).table(),
        }
    }
}

impl Codec for AccentCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let mut at = 0;
        while let Some(&octet) = input.get(at) {
            let character = self.table.character(octet);
            if character.and_then(accent).is_none() {
                self.put(octet, sink.base + at, sink);
                at += 1;
                continue;
            }
            let following = input.get(at..).unwrap_or_default();
            let marks: Vec<char> = following
                .iter()
                .take(MOST_ACCENTS)
                .map_while(|&octet| self.table.character(octet))
                .take_while(|&mark| accent(mark).is_some())
                .collect();
            let base = match following.get(marks.len()) {
                Some(&octet) => self.table.character(octet),
                None if !last => return at,
                None => None,
            };
            match (base, marks.as_slice()) {
                (Some(' '), &[mark]) => {
                    let alone = accent(mark).map_or(mark, |(_, alone, _)| *alone);
                    sink.text.push(alone);
                    at += 2;
                }
                (Some(letter), &[first, ref more @ ..]) if letter.is_alphabetic() => {
                    match composed(letter, first) {
                        Some(whole) => sink.text.push(whole),
                        None => sink.text.extend([letter, first]),
                    }
                    sink.text.extend(more);
                    at += marks.len() + 1;
                }
                _ => {
                    let offset = sink.base + at;
                    sink.replace(Kind::Malformed, offset, 1, "accent without a letter");
                    at += 1;
                }
            }
        }
        input.len()
    }
}

impl AccentCodec {
    /// An octet that is no accent.
    fn put(&self, octet: u8, offset: usize, sink: &mut Sink<'_>) {
        match self.table.character(octet) {
            Some(character) => sink.text.push(character),
            None => sink.replace(
                Kind::Malformed,
                offset,
                1,
                "octet that the charset leaves unassigned",
            ),
        }
    }
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
        assert_eq!(decoded.text(), text);
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
            pieces += rest.text();
            assert_eq!(pieces, text, "cut at {cut}");
            assert_eq!(rest.report(), decoded.report(), "cut at {cut}");
        }
    }

    #[test]
    fn an_accent_goes_to_its_letter() {
        check(b"Z\xC8urich", "Zürich", &[]);
        // ISO 6937 lists no x with an acute; the pair is still what was sent.
        check(b"\xC2x", "x\u{301}", &[]);
        check(
            b"\xC8\xC5u",
            "u\u{308}\u{304}".replace("u\u{308}", "ü").as_str(),
            &[],
        );
    }

    #[test]
    fn an_accent_before_a_space_stands_alone() {
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
