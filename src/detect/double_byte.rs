//! Charsets of two octets to a character: what a text of thousands of characters costs.

use std::ops::RangeInclusive;

use super::octets::is_gap;
use super::single_byte::sign_behind;
use super::symbols::{Beside, Symbol};
use super::tables::{Characters, EN};
use crate::work::work;

/// An ASCII letter in a word of another script.
const LATIN_LETTER: i32 = 20;
/// What such a letter costs at least in a word of English, about.
const LEAST_LETTER: i32 = 10;
/// A character by itself beside Latin letters.
const LONE_CHARACTER: i32 = 40;

/// What a text costs in the language of which it costs the least.
pub(super) fn cost(text: &str, languages: &[&Characters]) -> Option<i32> {
    work(text.len() * languages.len());
    languages
        .iter()
        .map(|characters| cost_in(text, characters))
        .min()
}

/// What a text costs in a language, but for words of ASCII.
fn cost_in(text: &str, characters: &Characters) -> i32 {
    let mut cost = 0;
    let mut word = Word::default();
    let mut before = ' ';
    let mut rest = text.chars();
    let mut seen = Vec::new();
    while let Some(character) = rest.next() {
        if let Ok(octet) = u8::try_from(character)
            && octet.is_ascii()
        {
            if !before.is_ascii() && is_character(before) {
                cost += sign_behind(octet);
            }
            if octet.is_ascii_alphabetic() {
                word.letter(octet);
            } else {
                cost += word.end();
            }
        } else {
            let own = characters.cost(character);
            if is_character(character) {
                cost += own.unwrap_or_else(|| rare(character));
                word.character();
            } else {
                let behind = rest.clone().next().unwrap_or(' ');
                let (left, right) = (beside(before, character), beside(behind, character));
                let symbol = Symbol::of(character);
                let mut placed = symbol.cost(left, right);
                if seen.contains(&character) && left != Beside::Same {
                    placed -= symbol.known();
                } else if seen.len() < 8 {
                    seen.push(character);
                }
                cost += own.map_or(placed, |own| own.min(placed));
                word.sign();
            }
        }
        before = character;
    }
    cost + word.end()
}

/// A word with Latin letters, characters of another script, signs, or all of them.
#[derive(Debug, Default)]
struct Word {
    letters: i32,
    /// What the Latin letters cost in English, and what the last of them was.
    english: i32,
    last: u8,
    run: i32,
    lone: i32,
    characters: i32,
    has_signs: bool,
}

impl Word {
    fn letter(&mut self, letter: u8) {
        self.lone += i32::from(self.run == 1);
        self.run = 0;
        self.letters += 1;
        self.english += english(self.last, letter);
        self.last = letter;
    }

    fn character(&mut self) {
        self.run += 1;
        self.characters += 1;
    }

    fn sign(&mut self) {
        self.lone += i32::from(self.run == 1);
        self.run = 0;
        self.has_signs = true;
        self.english += english(self.last, b' ');
        self.last = b' ';
    }

    /// What its Latin letters cost, and that they stand beside others.
    fn end(&mut self) -> i32 {
        let word = std::mem::take(self);
        if word.letters == 0 {
            return 0;
        }
        if word.characters > 0 {
            let lone = word.lone + i32::from(word.run == 1);
            return LATIN_LETTER * word.letters + LONE_CHARACTER * lone;
        }
        if word.has_signs {
            word.english + english(word.last, b' ')
        } else {
            0
        }
    }
}

/// What it costs in English that a letter, or none, follows another.
fn english(before: u8, now: u8) -> i32 {
    let place = |octet: u8| match octet.to_ascii_lowercase() {
        lower @ b'a'..=b'z' => usize::from(lower - b'a') + 1,
        _ => 0,
    };
    EN.cost(place(before), place(now)).min(LATIN_LETTER + 6)
}

/// What a character is beside a sign.
fn beside(character: char, sign: char) -> Beside {
    match u8::try_from(character) {
        Ok(octet) if octet.is_ascii() => Beside::of_ascii(octet),
        _ if character == sign => Beside::Same,
        _ if is_character(character) => Beside::Letter,
        _ if Symbol::of(character).is_space() => Beside::Gap,
        _ => Beside::Sign,
    }
}

/// Whether a character is priced as a letter is: by how often the language has it.
fn is_character(character: char) -> bool {
    match character {
        // Signs as wide as characters, which stand in Latin text too.
        '，' | '：' | '！' | '。' | '、' | '？' | '；' | '（' | '）' | '\u{2000}'..='\u{2BFF}' => {
            false
        }
        // Controls and what is malformed are no signs.
        '\u{80}'..='\u{9F}'
        | '\u{3001}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{E000}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFFD}'
        | '\u{20000}'.. => true,
        _ => character > '\u{FF}' && character.is_alphabetic(),
    }
}

/// What a character costs that is not among the frequent ones: the more others there are, the
/// more. Of syllables there are a quarter of what there is of ideographs.
fn rare(character: char) -> i32 {
    match character {
        '\u{4E00}'..='\u{9FFF}' => 60,
        '\u{AC00}'..='\u{D7A3}' => 52,
        '\u{FF61}'..='\u{FF9F}' => 36,
        '\u{3001}'..='\u{30FF}' | '\u{FF01}'..='\u{FF5E}' => 48,
        '\u{80}'..='\u{9F}' | '\u{FFFD}' => 120,
        '\u{E000}'..='\u{F8FF}' => 100,
        _ => 64,
    }
}

/// What characters of two octets cost at least in one charset, by their first octet.
///
/// Of most octets that is enough to see that they are no Chinese, Japanese or Korean, before
/// they are decoded in each of the charsets for it.
#[derive(Debug)]
pub(super) struct Leads {
    /// For each octet from 80 on, what a character that it begins costs at least, in whatever
    /// language the charset is weighed in, as `tables/leads.txt` has it.
    costs: &'static [u8],
    /// Octets that are a character by themselves, and what that costs at least.
    single: RangeInclusive<u8>,
    /// Octets that begin the signs that stand in Latin text too.
    signs: RangeInclusive<u8>,
    /// Octets that begin characters of more octets.
    longer: RangeInclusive<u8>,
    /// Whether characters of four octets have digits in them.
    has_digits: bool,
    /// What characters cost more whose second octet is ASCII.
    ascii_trail: i32,
}

/// No octet at all.
#[expect(clippy::reversed_empty_ranges, reason = "it has to be empty")]
const NONE: RangeInclusive<u8> = 1..=0;
/// What an octet costs that is no character.
const MALFORMED: i32 = 120;
/// A euro sign; a half-width kana costs more.
const SINGLE: i32 = 8;
/// Half of a character of four octets, which is never a frequent one.
const HALF: i32 = 26;

impl Leads {
    /// Those of a candidate with characters of two octets.
    pub(super) fn of(label: &str) -> Option<Self> {
        let table: &'static str = include_str!("tables/leads.txt");
        let mut rows = table.lines().filter_map(|line| line.split_once('\t'));
        let (_, costs) = rows.find(|(of, _)| *of == label)?;
        Some(Leads {
            costs: costs.as_bytes(),
            single: match label {
                "Shift_JIS" => 0xA0..=0xDF,
                // The euro sign.
                "GB18030" => 0x80..=0x80,
                _ => NONE,
            },
            signs: match label {
                "Shift_JIS" => 0x81..=0x81,
                "JOHAB" => 0xD9..=0xDB,
                _ => 0xA1..=0xA3,
            },
            longer: match label {
                "EUC-JP" => 0x8F..=0x8F,
                "EUC-TW" => 0x8E..=0x8E,
                _ => NONE,
            },
            has_digits: label == "GB18030",
            // In EUC-KR these are the syllables that KS X 1001 lacks, since Korean hardly has them.
            ascii_trail: if label == "EUC-KR" { 24 } else { 0 },
        })
    }

    /// What words cost at least that have what is no letter on either side: the least of all
    /// ways to take one octet or two at a time, from the end.
    pub(super) fn least(&self, words: &[u8]) -> i32 {
        work(words.len());
        // Latin words are cheaper beside signs, and those are not strange in them.
        let has_signs = words.iter().any(|octet| self.signs.contains(octet));
        let (letter, lone) = if has_signs {
            (LEAST_LETTER, 0)
        } else {
            (LATIN_LETTER, LONE_CHARACTER)
        };
        // What lies behind: the octet, the one behind that, and what they cost from there on.
        let (mut one, mut two, mut behind, mut then) = (0, 0, b' ', b' ');
        let mut rest = words.iter().rev().copied().peekable();
        while let Some(octet) = rest.next() {
            let before = rest.peek().copied().unwrap_or(b' ');
            let cost = if is_gap(octet) {
                one
            } else if octet.is_ascii() {
                one + letter
            } else if self.longer.contains(&octet) {
                return 0;
            } else {
                let alone = if self.single.contains(&octet) {
                    SINGLE
                } else {
                    MALFORMED
                };
                let mut pair = self.lead(octet);
                if self.has_digits && is_gap(behind) {
                    pair = pair.min(HALF);
                }
                let is_lone =
                    before.is_ascii() && then.is_ascii() && !(is_gap(before) && is_gap(then));
                if is_lone {
                    pair += lone;
                }
                (one + alone).min(two + pair)
            };
            (one, two, then, behind) = (cost, one, behind, octet);
        }
        one
    }

    /// What the characters of a text cost more whose second octet is ASCII, given how many octets
    /// of it are not.
    pub(super) fn ascii_trails(&self, text: &str, above: usize) -> i32 {
        if self.ascii_trail == 0 {
            return 0;
        }
        let characters = text.chars().filter(|it| !it.is_ascii()).count();
        let trails = (2 * characters).saturating_sub(above);
        self.ascii_trail
            .saturating_mul(i32::try_from(trails).unwrap_or(i32::MAX))
    }

    /// What a character that begins with the octet costs at least.
    fn lead(&self, octet: u8) -> i32 {
        let cell = self.costs.get(usize::from(octet & 0x7F));
        cell.map_or(0, |&cell| 4 * i32::from(cell.wrapping_sub(b'!')))
    }
}

/// What a character costs at least, wherever it stands.
#[cfg(test)]
fn least_of(character: char, languages: &[&Characters]) -> i32 {
    let of = |characters: &&Characters| {
        let own = characters.cost(character);
        if is_character(character) {
            own.unwrap_or_else(|| rare(character))
        } else {
            let least = Symbol::of(character).least();
            own.map_or(least, |own| own.min(least))
        }
    };
    languages.iter().map(of).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::candidates::Languages;
    use super::super::weigh::rivals;
    use super::{MALFORMED, least_of};

    /// Each cell is the least that any character costs whose first octet it is, of those that
    /// the decoder knows.
    #[test]
    fn leads_are_those_of_the_decoders() {
        let mut expected = String::new();
        for rival in rivals() {
            let (Languages::Characters(languages), Some(_)) = (rival.languages, &rival.leads)
            else {
                continue;
            };
            let mut row = String::new();
            for lead in 0x80..=0xFF_u8 {
                let costs = (0x21..=0xFF_u8).filter_map(|trail| {
                    let text = rival
                        .charset
                        .decode(&[lead, trail])
                        .into_text()
                        .into_owned();
                    let mut characters = text.chars();
                    let first = characters.next()?;
                    let is_pair = characters.next().is_none() && first != '\u{FFFD}';
                    is_pair.then(|| least_of(first, languages))
                });
                let least = costs.min().unwrap_or(MALFORMED);
                row.push(char::from(b'!' + u8::try_from(least / 4).unwrap()));
            }
            expected.extend([rival.charset.name(), "\t", &row, "\n"]);
        }
        assert_eq!(include_str!("tables/leads.txt"), expected);
    }
}
