//! Costs of text in double-byte charsets.

use std::ops::RangeInclusive;
use std::sync::OnceLock;

use super::candidates::WrittenLanguage;
use super::scripts::{LANES, Sums};
use super::single_byte::symbol_after;
use super::symbols::{Neighbour, Symbol};
use super::tables::{CharacterTable, EN};
use crate::detect::ascii::separates_words;
use crate::work::work;

/// Cost of an ASCII letter in a word of another script.
const LATIN_LETTER: i16 = 20;
/// Approximate minimum cost of an ASCII letter in an English word.
const LEAST_LETTER: i16 = 10;
/// Cost of a single character next to Latin letters.
const LONE_CHARACTER: i16 = 40;
/// Cost of an isolated infrequent character: its two octets are more likely a symbol and a letter
/// of Latin text, as in `25°C`.
const RARE_ALONE: i32 = 40;
/// Cost of a Cyrillic letter that does not follow another.
const FIRST_CYRILLIC: i32 = 64;
/// Cost of a text with an unbalanced East Asian bracket.
const LONE_BRACKET: i32 = 56;
/// No octet.
#[expect(clippy::reversed_empty_ranges, reason = "it has to be empty")]
const NONE: RangeInclusive<u8> = 1..=0;

/// The cost of a text in the cheapest language, or `most` plus one if it exceeds `most`.
pub(super) fn cost(text: &str, languages: &[WrittenLanguage], most: i32) -> Option<i32> {
    work(text.len() * languages.len());
    // Only one language has a rarity above 0: Japanese in a Chinese charset. It is scored only if
    // the text has kana.
    let has_kana = || text.chars().any(|it| matches!(it, '\u{3041}'..='\u{30FF}'));
    let least = |least: Option<i32>, &(characters, rarity): &WrittenLanguage| {
        if rarity > 0 && !has_kana() {
            return least;
        }
        // A further language counts only if it is cheaper, even with its rarity.
        let most = least.unwrap_or(most).min(most) - rarity;
        let cost = rarity.saturating_add(cost_in(text, characters, most));
        least.min(Some(cost)).or(Some(cost))
    };
    languages.iter().fold(None, least)
}

/// The cost of a text in a language, without words of ASCII.
fn cost_in(text: &str, characters: &CharacterTable, most: i32) -> i32 {
    let mut cost = 0;
    let mut word = MixedWord::default();
    let mut before = ' ';
    let mut rest = text.chars();
    let mut seen = Vec::new();
    let mut open_brackets = 0_i32;
    while let Some(character) = rest.next() {
        if cost > most {
            return most.saturating_add(1);
        }
        if let Ok(octet) = u8::try_from(character)
            && octet.is_ascii()
        {
            if !before.is_ascii() && is_character(before) {
                cost += symbol_after(octet);
            }
            if octet.is_ascii_alphabetic() {
                word.letter(octet);
            } else {
                cost += word.end();
            }
        } else {
            let own = characters.cost(character);
            if is_character(character) {
                cost += match own {
                    _ if character == before && is_jamo(character) => REPEATED_JAMO,
                    None if is_cyrillic(character) && !is_cyrillic(before) => FIRST_CYRILLIC,
                    Some(own) => own,
                    None => rare(character),
                };
                word.character(own.is_some() || is_jamo(character));
            } else {
                // Opening and closing brackets alternate.
                if let '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301B}' = character {
                    open_brackets += if u32::from(character) % 2 == 0 { 1 } else { -1 };
                }
                let after = rest.clone().next().unwrap_or(' ');
                let (left, right) = (neighbour(before, character), neighbour(after, character));
                let symbol = Symbol::of(character);
                let mut symbol_cost = symbol.cost(left, right);
                if seen.contains(&character) && left != Neighbour::Same {
                    symbol_cost -= symbol.discount();
                } else if seen.len() < 8 {
                    seen.push(character);
                }
                cost += own.map_or(symbol_cost, |own| own.min(symbol_cost));
                word.sign();
            }
        }
        before = character;
    }
    if open_brackets != 0 {
        cost += LONE_BRACKET;
    }
    cost + word.end()
}

/// A word with Latin letters, characters of another script, or symbols.
#[derive(Debug, Default)]
struct MixedWord {
    letters: i32,
    /// The cost of the Latin letters in English, and the last Latin letter.
    english: i32,
    last: u8,
    run: i32,
    /// Whether the last character is in the table of the language.
    is_known: bool,
    lone: i32,
    /// The cost of isolated rare characters, which does not depend on their neighbours.
    unlikely: i32,
    characters: i32,
    has_symbols: bool,
}

impl MixedWord {
    /// Ends a run of characters.
    fn end_run(&mut self) {
        if self.run == 1 {
            self.lone += 1;
            if !self.is_known {
                self.unlikely += RARE_ALONE;
            }
        }
        self.run = 0;
    }

    fn letter(&mut self, letter: u8) {
        self.end_run();
        self.letters += 1;
        self.english += english(self.last, letter);
        self.last = letter;
    }

    fn character(&mut self, is_known: bool) {
        self.is_known = is_known;
        self.run += 1;
        self.characters += 1;
    }

    fn sign(&mut self) {
        self.end_run();
        self.has_symbols = true;
        self.english += english(self.last, b' ');
        self.last = b' ';
    }

    /// The cost of its Latin letters, and of mixing them with others.
    fn end(&mut self) -> i32 {
        self.end_run();
        let word = std::mem::take(self);
        if word.letters == 0 {
            return word.unlikely;
        }
        if word.characters > 0 {
            let mixed = i32::from(LATIN_LETTER) * word.letters;
            return word.unlikely + mixed + i32::from(LONE_CHARACTER) * word.lone;
        }
        if word.has_symbols {
            word.english + english(word.last, b' ')
        } else {
            0
        }
    }
}

/// The cost in English of the octet `now` after `before`; all non-letters count alike.
fn english(before: u8, now: u8) -> i32 {
    let place = |octet: u8| match octet.to_ascii_lowercase() {
        lower @ b'a'..=b'z' => usize::from(lower - b'a') + 1,
        _ => 0,
    };
    let cost = EN.row(place(before)).get(place(now)).copied();
    i32::from(cost.unwrap_or(0)).min(i32::from(LATIN_LETTER) + 6)
}

/// The class of a character as the neighbour of a symbol.
fn neighbour(character: char, sign: char) -> Neighbour {
    match u8::try_from(character) {
        Ok(octet) if octet.is_ascii() => Neighbour::of_ascii(octet),
        _ if character == sign => Neighbour::Same,
        _ if is_character(character) => Neighbour::Letter,
        _ if Symbol::of(character).is_space() => Neighbour::Gap,
        _ => Neighbour::Sign,
    }
}

/// Whether a character is scored like a letter, by its frequency in the language.
fn is_character(character: char) -> bool {
    match character {
        // Fullwidth symbols, and symbols that Latin text has too.
        '，' | '：' | '！' | '。' | '、' | '？' | '；' | '（' | '）' | '\u{2000}'..='\u{2BFF}' => {
            false
        }
        // Controls and malformed octets are not symbols.
        '\u{80}'..='\u{9F}'
        | '\u{3021}'..='\u{9FFF}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{E000}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFFD}'
        | '\u{20000}'.. => true,
        _ => character > '\u{FF}' && character.is_alphabetic(),
    }
}

/// Cost of a repeated Hangul letter: low, since people type runs of them.
const REPEATED_JAMO: i32 = 8;

/// Whether a character is a Russian letter, which Chinese and Japanese sets have too.
fn is_cyrillic(character: char) -> bool {
    matches!(character, '\u{401}' | '\u{410}'..='\u{451}')
}

/// Whether a character is an isolated Hangul letter, as in `ㅋㅋㅋ`.
fn is_jamo(character: char) -> bool {
    matches!(character, '\u{3131}'..='\u{318E}')
}

/// The cost of a character that is not in the language's table, from the size of its block. There are a
/// quarter as many syllables as ideographs.
fn rare(character: char) -> i32 {
    match character {
        '\u{4E00}'..='\u{9FFF}' => 60,
        '\u{AC00}'..='\u{D7A3}' => 52,
        '\u{FF61}'..='\u{FF9F}' => 36,
        '\u{3001}'..='\u{30FF}' | '\u{FF01}'..='\u{FF5E}' => 48,
        '\u{80}'..='\u{9F}' | '\u{FFFD}' => 120,
        '\u{E000}'..='\u{F8FF}' => 100,
        'ㅋ' | 'ㅎ' | 'ㅠ' | 'ㅜ' => 28,
        '\u{3131}'..='\u{318E}' => 44,
        _ if is_cyrillic(character) => 24,
        _ => 64,
    }
}

/// Minimum costs of double-byte characters by their lead octet, one lane per charset.
///
/// For most texts in other scripts, these bounds exclude Chinese, Japanese and Korean, so that the text
/// need not be decoded in each of these charsets.
#[derive(Debug)]
pub(super) struct LeadCosts {
    labels: Vec<&'static str>,
    /// For each octet from 80 on, the minimum cost of a character with this lead octet, in any language
    /// of the charset (`tables/leads.txt`).
    pairs: [Sums; 128],
    /// For each octet from 80 on, its minimum cost as a single-byte character.
    alone: [Sums; 128],
    /// Whether the octet leads a symbol that Latin text has too: one bit per charset.
    symbols: [u8; 128],
    /// Whether the octet leads a character of more than two octets: one bit per charset.
    longer: [u8; 128],
    /// The cost of half of a four-octet character; the second octet of each half is a digit.
    halves: Sums,
}

/// Cost of an octet that is not a character.
const MALFORMED: i16 = 120;
/// Cost of a euro sign; a half-width kana costs more.
const SINGLE: i16 = 8;
/// Cost of half of a four-octet character, which is never frequent.
const HALF: i16 = 26;

impl LeadCosts {
    /// The costs of all charsets in the table.
    pub(super) fn all() -> &'static Self {
        static LEADS: OnceLock<LeadCosts> = OnceLock::new();
        LEADS.get_or_init(Self::new)
    }

    fn new() -> Self {
        let table = include_str!("tables/leads.txt").lines();
        let mut leads = LeadCosts {
            labels: Vec::with_capacity(LANES),
            pairs: [[0; LANES]; 128],
            alone: [[MALFORMED; LANES]; 128],
            symbols: [0; 128],
            longer: [0; 128],
            halves: [i16::MAX; LANES],
        };
        for (lane, (label, costs)) in table.filter_map(|line| line.split_once('\t')).enumerate() {
            leads.labels.push(label);
            // The octets that are a character, begin a symbol, or begin a longer character.
            let (single, symbols, longer) = match label {
                "Shift_JIS" => (0xA0..=0xDF, 0x81..=0x81, NONE),
                "JOHAB" => (NONE, 0xD9..=0xDB, NONE),
                // The euro sign.
                "GB18030" => (0x80..=0x80, 0xA1..=0xA3, NONE),
                "EUC-JP" => (NONE, 0xA1..=0xA3, 0x8F..=0x8F),
                "EUC-TW" => (NONE, 0xA1..=0xA3, 0x8E..=0x8E),
                _ => (NONE, 0xA1..=0xA3, NONE),
            };
            if label == "GB18030" {
                set(&mut leads.halves, lane, HALF);
            }
            let mut costs = costs.bytes();
            for octet in 0x80..=u8::MAX {
                let pair = costs.next().unwrap_or(b'!').wrapping_sub(b'!');
                set_at(&mut leads.pairs, octet, lane, 4 * i16::from(pair));
                if single.contains(&octet) {
                    set_at(&mut leads.alone, octet, lane, SINGLE);
                }
                let bit = 1 << lane;
                if let Some(at) = leads.symbols.get_mut(usize::from(octet & 0x7F)) {
                    *at |= if symbols.contains(&octet) { bit } else { 0 };
                }
                if let Some(at) = leads.longer.get_mut(usize::from(octet & 0x7F)) {
                    *at |= if longer.contains(&octet) { bit } else { 0 };
                }
            }
        }
        leads
    }

    /// The lane of a charset.
    pub(super) fn lane(&self, label: &str) -> Option<usize> {
        self.labels.iter().position(|it| *it == label)
    }

    /// The minimum cost of words in each charset, if no letters surround them. Splits the words
    /// into characters of one and two octets in the cheapest way, from the end.
    pub(super) fn least(&self, words: &[u8]) -> Sums {
        work(words.len());
        let any = |marks: &[u8; 128]| {
            let above = words.iter().filter(|octet| !octet.is_ascii());
            let marks = above.filter_map(|octet| marks.get(usize::from(octet & 0x7F)));
            marks.fold(0, |any, mark| any | mark)
        };
        // Latin words next to symbols are cheaper, since Latin text has symbols.
        let symbols = any(&self.symbols);
        let letter = lanes(symbols, LEAST_LETTER, LATIN_LETTER);
        let lone = lanes(symbols, 0, LONE_CHARACTER);
        // `one` and `two` are the costs of the suffixes that begin one and two octets after the current
        // one. `behind` and `then` are the first octets of these suffixes.
        let (mut one, mut two, mut behind, mut then) = ([0; LANES], [0; LANES], b' ', b' ');
        let mut rest = words.iter().rev().copied().peekable();
        while let Some(octet) = rest.next() {
            let at = usize::from(octet & 0x7F);
            let cost = if separates_words(octet) {
                one
            } else if octet.is_ascii() {
                sum(&one, &letter)
            } else if let (Some(pair), Some(alone)) = (self.pairs.get(at), self.alone.get(at)) {
                let before = rest.peek().copied().unwrap_or(b' ');
                let mut pair = *pair;
                if separates_words(behind) {
                    pair = least(&pair, &self.halves);
                }
                if before.is_ascii()
                    && then.is_ascii()
                    && !(separates_words(before) && separates_words(then))
                {
                    pair = sum(&pair, &lone);
                }
                least(&sum(&one, alone), &sum(&two, &pair))
            } else {
                one
            };
            (one, two, then, behind) = (cost, one, behind, octet);
        }
        // No bound is known for characters of more than two octets.
        least(&one, &lanes(any(&self.longer), 0, i16::MAX))
    }
}

fn set(sums: &mut Sums, lane: usize, cost: i16) {
    if let Some(cell) = sums.get_mut(lane) {
        *cell = cost;
    }
}

fn set_at(sums: &mut [Sums; 128], octet: u8, lane: usize, cost: i16) {
    if let Some(sums) = sums.get_mut(usize::from(octet & 0x7F)) {
        set(sums, lane, cost);
    }
}

/// `set` in the lanes whose bit is set, and `clear` in the others.
fn lanes(bits: u8, set: i16, clear: i16) -> Sums {
    std::array::from_fn(|lane| if bits >> lane & 1 == 1 { set } else { clear })
}

#[inline]
fn sum(a: &Sums, b: &Sums) -> Sums {
    combine(a, b, i16::saturating_add)
}

#[inline]
fn least(a: &Sums, b: &Sums) -> Sums {
    combine(a, b, i16::min)
}

#[inline]
fn combine(a: &Sums, b: &Sums, of: impl Fn(i16, i16) -> i16) -> Sums {
    std::array::from_fn(|lane| match (a.get(lane), b.get(lane)) {
        (Some(a), Some(b)) => of(*a, *b),
        _ => 0,
    })
}

/// The extra cost of characters whose trail octet is ASCII, given the number of octets above 7F.
pub(super) fn ascii_trails(label: &str, text: &str, above: usize) -> i32 {
    // In EUC-KR these are rare syllables that are not in KS X 1001.
    const OUTSIDE_KS_X_1001: i32 = 24;
    // In GBK these are ideographs that are not in GB 2312.
    const OUTSIDE_GB_2312: i32 = 16;
    // The only octet above 7F is more likely a symbol or a letter of Latin text.
    const ONLY_OCTET: i32 = 24;
    let each = match label {
        "EUC-KR" => OUTSIDE_KS_X_1001,
        "GB18030" => OUTSIDE_GB_2312,
        _ => 0,
    };
    let only = if above == 1 && text.chars().any(is_character) {
        ONLY_OCTET
    } else {
        0
    };
    if each == 0 {
        return only;
    }
    let characters = text.chars().filter(|it| !it.is_ascii()).count();
    let trails = (2 * characters).saturating_sub(above);
    let trails = i32::try_from(trails).unwrap_or(i32::MAX);
    each.saturating_mul(trails).saturating_add(only)
}

/// The minimum cost of a character with any neighbours.
#[cfg(test)]
fn least_of(character: char, languages: &[WrittenLanguage]) -> i32 {
    let of = |&(characters, _): &WrittenLanguage| {
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
    use super::super::candidates::LanguageModels;
    use super::super::rivals::rivals;
    use super::{MALFORMED, is_jamo, least_of};

    /// Each cell is the minimum cost of the characters with this lead octet that the decoder knows.
    #[test]
    fn leads_match_the_decoders() {
        let mut expected = String::new();
        for rival in rivals() {
            let (LanguageModels::Characters(languages), Some(_)) = (rival.models, rival.lane)
            else {
                continue;
            };
            let mut row = String::new();
            for lead in 0x80..=0xFF_u8 {
                let characters = (0x21..=0xFF_u8).filter_map(|trail| {
                    let text = rival
                        .charset
                        .decode(&[lead, trail])
                        .into_text()
                        .into_owned();
                    let mut characters = text.chars();
                    let first = characters.next()?;
                    let is_pair = characters.next().is_none() && first != '\u{FFFD}';
                    is_pair.then_some(first)
                });
                // Most lead octets of JOHAB have one or two Hangul letters, which rarely occur
                // alone.
                let (letters, others): (Vec<char>, Vec<char>) =
                    characters.partition(|it| is_jamo(*it));
                let are_letters = letters.len() > others.len();
                let counted = if are_letters { letters } else { others };
                let costs = counted.into_iter().map(|it| least_of(it, languages));
                let least = costs.min().unwrap_or(i32::from(MALFORMED));
                row.push(char::from(b'!' + u8::try_from(least / 4).unwrap()));
            }
            expected.extend([rival.charset.name(), "\t", &row, "\n"]);
        }
        // `leads.txt` also has rows for charsets that this build omits.
        let is_read = |row: &&str| {
            let name = row.split('\t').next();
            rivals().iter().any(|it| name == Some(it.charset.name()))
        };
        let rows = include_str!("tables/leads.txt").split_inclusive('\n');
        assert_eq!(rows.filter(is_read).collect::<String>(), expected);
    }
}
