//! What a text costs to write in a language: a decoded reading of octets, priced letter by
//! letter with the frequencies of `tables/`, in quarters of a bit.
//!
//! `octets.rs` comes to the same sums for charsets of one octet to a character without
//! decoding; this is what it is held to, and what prices all others.

use super::candidates::Languages;
use super::tables::{Characters, EN, Letters};

/// What a text costs in the language of `languages` that it costs the least in, `None` where
/// that is above `limit`.
pub(super) fn cost(text: &str, languages: Languages, limit: i32) -> Option<i32> {
    match languages {
        Languages::Letters(script) => {
            let units = units(text);
            let reading = Reading::new(&units);
            let of_letters = |letters| reading.cost(letters, limit);
            script
                .languages
                .iter()
                .copied()
                .filter_map(of_letters)
                .min()
        }
        Languages::Characters(all) => {
            let of_characters = |characters| characters_cost(text, characters, limit);
            all.iter().copied().filter_map(of_characters).min()
        }
    }
}

/// What a text costs in a language without a table.
pub(super) fn unknown(text: &str) -> i32 {
    Reading::new(&units(text)).unknown()
}

/// One character of a reading, and what is the same for it in every language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unit {
    pub(super) character: char,
    pub(super) lower: char,
    pub(super) case: Case,
    pub(super) is_letter: bool,
    /// What it costs where the language does not use it.
    pub(super) stranger: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    None,
    Lower,
    Upper,
}

/// A run of characters without a gap between them.
#[derive(Debug)]
enum Word<'u> {
    /// Of ASCII letters alone, and what it costs in English.
    Ascii(&'u [Unit], i32),
    Other(&'u [Unit]),
}

/// The text that a charset makes of octets, cut into words.
struct Reading<'u> {
    words: Vec<Word<'u>>,
    /// The most that its words of ASCII can speak for a language.
    most_from_ascii: i32,
    /// What the case of letters costs in any language that has case.
    case: i32,
    /// What the ASCII signs cost beside other characters.
    signs: i32,
}

impl<'u> Reading<'u> {
    fn new(units: &'u [Unit]) -> Self {
        let mut reading = Reading {
            words: Vec::new(),
            most_from_ascii: MOST_FROM_ASCII,
            case: 0,
            signs: 0,
        };
        for word in units.chunk_by(|a, b| !is_gap(a.character) && !is_gap(b.character)) {
            if !word.iter().all(|unit| unit.character.is_ascii()) {
                reading.case += case_cost(word);
                reading.most_from_ascii += MORE_FROM_ASCII;
                reading.words.push(Word::Other(word));
            } else if word.len() > 1 {
                reading.words.push(Word::Ascii(word, word_cost(word, &EN)));
            }
        }
        for pair in units.windows(2) {
            if let [before, now] = pair {
                reading.signs += sign_cost(before.character, now.character);
            }
        }
        reading
    }

    /// What the text costs in a language without a table.
    fn unknown(&self) -> i32 {
        let others = self.words.iter().filter_map(|word| match word {
            Word::Other(word) => Some(*word),
            Word::Ascii(..) => None,
        });
        UNKNOWN_LANGUAGE + self.signs + self.case + others.flatten().map(unknown_cost).sum::<i32>()
    }

    /// What the text costs in a language, `None` where that is above `limit`.
    fn cost(&self, letters: &Letters, limit: i32) -> Option<i32> {
        let mut cost = self.signs + self.case;
        // What ASCII words may take off in the end.
        let mut familiar = 0;
        for word in &self.words {
            match word {
                Word::Other(word) => cost += word_cost(word, letters),
                Word::Ascii(word, english) if letters.is_latin() => {
                    familiar += (english - word_cost(word, letters)).max(-FOREIGN_WORD);
                }
                Word::Ascii(..) => familiar -= FOREIGN_WORD,
            }
            if cost > limit.saturating_add(self.most_from_ascii) {
                return None;
            }
        }
        Some(cost - familiar.clamp(-MOST_AGAINST, self.most_from_ascii))
    }
}

/// What it costs to assume a language without a table: with this much, guesses are right most
/// often both in the languages that have one and in those that have not.
pub(super) const UNKNOWN_LANGUAGE: i32 = 24;

/// What letters cost in a language of which only chardetng knows anything.
pub(super) fn unknown_cost(unit: &Unit) -> i32 {
    match unit.character {
        now if now.is_ascii() => 18,
        '\u{2E80}'.. if unit.is_letter => 44,
        _ if unit.is_letter => 32,
        _ => unit.stranger,
    }
}

/// The characters of a text, with what each costs as a stranger among its neighbours.
fn units(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = text.chars().map(unit).collect();
    let mut after_letter = false;
    let mut rest = units.as_mut_slice();
    while let Some((now, following)) = rest.split_first_mut() {
        if !now.character.is_ascii() {
            let before_letter = following.first().is_some_and(|next| next.is_letter);
            now.stranger = stranger(*now, after_letter, before_letter);
        }
        after_letter = now.is_letter;
        rest = following;
    }
    units
}

/// What ASCII signs cost that touch a character above ASCII. In text a letter is followed by
/// a space or a stop, while the second octet of a pair may be any sign.
pub(super) fn sign_cost(before: char, now: char) -> i32 {
    match now {
        _ if before.is_ascii() => 0,
        '@' | '[' | '\\' | ']' | '^' | '_' | '`' | '{' | '|' | '}' | '~' | '<' | '>' | '='
        | '+' | '*' | '#' | '$' | '%' | '&' => 20,
        '0'..='9' => 16,
        '\0'..='\x08' | '\x0E'..='\x1F' | '\x7F' => 60,
        _ => 0,
    }
}

/// The most that words of ASCII alone can speak for a language: tags and names are in every
/// mail.
pub(super) const MOST_FROM_ASCII: i32 = 40;
/// How much more that is for each word beside them that is not ASCII: in Welsh or Romanian
/// prose most words are, in markup around a line of Greek none of the line is.
pub(super) const MORE_FROM_ASCII: i32 = 16;
/// The most that they can speak against it.
pub(super) const MOST_AGAINST: i32 = 16;
/// The most that one such word can speak against it.
pub(super) const FOREIGN_WORD: i32 = 4;
/// An ASCII letter in a word of another script.
pub(super) const LATIN_LETTER: i32 = 17;
/// Where such a letter touches one of the other script.
pub(super) const MIXED_SCRIPTS: i32 = 40;

/// A character of Chinese, Japanese or Korean by itself beside Latin letters.
const LONE_CHARACTER: i32 = 40;

/// Whether this ASCII character stands between words. All others may be letters in some
/// charset.
pub(super) fn is_gap(character: char) -> bool {
    character.is_ascii() && !character.is_ascii_alphabetic()
}

pub(super) fn unit(character: char) -> Unit {
    let (mut lower, mut case) = (character, Case::None);
    let mut is_letter = character.is_ascii_alphabetic();
    if is_letter {
        lower = character.to_ascii_lowercase();
        case = if lower == character {
            Case::Lower
        } else {
            Case::Upper
        };
    } else if !character.is_ascii() && character.is_alphabetic() {
        is_letter = true;
        lower = character.to_lowercase().next().unwrap_or(character);
        if lower != character {
            case = Case::Upper;
        } else if character.is_lowercase() {
            case = Case::Lower;
        }
    }
    Unit {
        character,
        lower,
        case,
        is_letter,
        stranger: LATIN_LETTER,
    }
}

/// Words are written small, with a capital first, or in capitals.
fn case_cost(word: &[Unit]) -> i32 {
    let mut cost = 0;
    let mut before = Case::None;
    let mut capitals = 0;
    for unit in word {
        cost += match (before, unit.case) {
            (_, Case::None) | (Case::Lower, Case::Lower) => 0,
            (Case::None, Case::Upper) => 8,
            (Case::Lower, Case::Upper) => 36,
            (Case::Upper, Case::Lower) if capitals > 1 => 28,
            (Case::Upper | Case::None, Case::Lower) => 1,
            (Case::Upper, Case::Upper) if capitals > 1 => 2,
            (Case::Upper, Case::Upper) => 12,
        };
        capitals = if unit.case == Case::Upper {
            capitals + 1
        } else {
            0
        };
        before = unit.case;
    }
    cost
}

fn word_cost(word: &[Unit], letters: &Letters) -> i32 {
    let mut cost = 0;
    // Where the character before stands in the alphabet, and whether Latin meets another
    // script there.
    let mut before = 0;
    let mut latin_before = None;
    for unit in word {
        let is_latin = unit.character.is_ascii();
        if !letters.is_latin() && latin_before.is_some_and(|before| before != is_latin) {
            cost += MIXED_SCRIPTS;
        }
        latin_before = Some(is_latin);
        if let Some(now) = letters.index(unit.lower) {
            cost += letters.cost(before, now);
            before = now;
            continue;
        }
        let vietnamese = letters
            .index(HOOK_ABOVE)
            .and_then(|_| with_tone(unit.lower));
        if let Some((base, tone)) = vietnamese
            && let (Some(base), Some(tone)) = (letters.index(base), letters.index(tone))
        {
            cost += letters.cost(before, base) + letters.cost(base, tone);
            before = tone;
            continue;
        }
        cost += unit.stranger;
        if before > 0 {
            cost += letters.cost(before, 0);
        }
        before = 0;
    }
    if before > 0 {
        cost += letters.cost(before, 0);
    }
    cost
}

/// The tone that no language but Vietnamese has.
pub(super) const HOOK_ABOVE: char = '\u{309}';

/// A Vietnamese vowel and its tone, which the table counts on their own as windows-1258
/// writes them.
pub(super) fn with_tone(character: char) -> Option<(char, char)> {
    const TONES: [char; 5] = ['\u{300}', '\u{301}', HOOK_ABOVE, '\u{303}', '\u{323}'];
    const VOWELS: [(char, &str); 12] = [
        ('a', "àáảãạ"),
        ('ă', "ằắẳẵặ"),
        ('â', "ầấẩẫậ"),
        ('e', "èéẻẽẹ"),
        ('ê', "ềếểễệ"),
        ('i', "ìíỉĩị"),
        ('o', "òóỏõọ"),
        ('ô', "ồốổỗộ"),
        ('ơ', "ờớởỡợ"),
        ('u', "ùúủũụ"),
        ('ư', "ừứửữự"),
        ('y', "ỳýỷỹỵ"),
    ];
    VOWELS.iter().find_map(|&(vowel, toned)| {
        let place = toned.chars().position(|it| it == character)?;
        Some((vowel, *TONES.get(place)?))
    })
}

/// What a character costs that the language does not use.
pub(super) fn stranger(unit: Unit, after_letter: bool, before_letter: bool) -> i32 {
    let misplaced = match unit.character {
        '“' | '„' | '‘' | '‚' | '‹' | '¿' | '¡' | '«' if after_letter => 40,
        '”' | '›' | '»' | '…' if before_letter => 40,
        '’' | '\u{AD}' if after_letter && before_letter => 16,
        '¿' | '¡' if !before_letter => 40,
        _ if after_letter && before_letter => 24,
        '€' | '£' | '©' | '®' | '§' | '×' | '•' if after_letter || before_letter => 16,
        _ => 0,
    };
    let sign = match unit.character {
        '\u{80}'..='\u{9F}' | '\u{FFFD}' => return 120,
        '\u{E000}'..='\u{F8FF}' => return 100,
        '\u{A0}' => return 20,
        _ if unit.is_letter => return 56,
        '’' | '“' | '”' | '–' | '…' | '©' | '°' | '•' => 32,
        '«' | '»' | '‘' | '„' | '—' | '§' | '®' | '€' | '£' | '·' | '¿' | '¡' | 'º' | 'ª' | '½'
        | '¼' | '²' | '³' | '×' | '№' | '™' | '\u{AD}' => 40,
        '\u{2500}'..='\u{25FF}' => 72,
        _ => 60,
    };
    sign + misplaced
}

/// What a text costs in a language of thousands of characters, `None` where that is above
/// `limit`.
fn characters_cost(text: &str, characters: &Characters, limit: i32) -> Option<i32> {
    let (mut cost, mut foreign) = (0, 0);
    let mut before = ' ';
    for character in text.chars() {
        if character.is_ascii() {
            cost += sign_cost(before, character);
        }
        before = character;
    }
    for word in text.split(is_gap) {
        if !word.is_ascii() {
            cost += run_cost(word, characters);
            if cost > limit {
                return None;
            }
        } else if word.len() > 1 {
            foreign += FOREIGN_WORD;
        }
    }
    let cost = cost + foreign.min(MOST_AGAINST);
    (cost <= limit).then_some(cost)
}

/// What a word costs that is not ASCII.
fn run_cost(word: &str, characters: &Characters) -> i32 {
    let (mut cost, mut latin, mut lone, mut run) = (0, 0, 0, 0);
    // A space ends the last run.
    for character in word.chars().chain([' ']) {
        if !character.is_ascii() {
            run += 1;
            let frequent = characters.cost(character);
            cost += frequent.unwrap_or_else(|| rare_character(character));
            continue;
        }
        lone += i32::from(run == 1);
        run = 0;
        latin += i32::from(character != ' ');
    }
    // A character that is the whole word is no stranger in it.
    if latin > 0 {
        cost += LONE_CHARACTER * lone;
    }
    cost + LATIN_LETTER * latin
}

/// What a character costs that is not among the frequent ones.
fn rare_character(character: char) -> i32 {
    match character {
        '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' => 60,
        '\u{FF61}'..='\u{FF9F}' => 36,
        '\u{3000}'..='\u{30FF}' | '\u{FF01}'..='\u{FF5E}' | '\u{2010}'..='\u{2026}' => 48,
        '\u{FFFD}' | '\u{80}'..='\u{9F}' => 120,
        '\u{E000}'..='\u{F8FF}' => 100,
        _ => 64,
    }
}
