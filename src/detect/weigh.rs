//! How likely octets are in each charset: what it would cost to write them.
//!
//! Each candidate's reading of the octets is priced letter by letter with the frequencies of
//! each language that was sent in it: a frequent pair of letters costs little, a rare one
//! much, as in any code by Shannon. The sum is in quarters of a bit, so that a difference of
//! four is a factor of two in likelihood. chardetng's answer makes its charset cheaper.

use super::candidates::{CANDIDATES, Language};
use super::tables::{Characters, EN, Letters};
use crate::charset::{Charset, utf8};
use crate::work::work;

/// A charset, what the octets cost in it, and what they say.
#[derive(Debug)]
pub(super) struct Weighed {
    charset: Charset,
    cost: i32,
    text: String,
    /// The most that so many octets cost in text.
    most: i32,
}

impl Weighed {
    pub(super) fn charset(&self) -> Charset {
        self.charset
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// How likely this is right, in percent, where `other` is the next best text.
    pub(super) fn confidence(&self, other: Option<&Weighed>) -> u8 {
        if self.cost > self.most {
            return LIKE_NO_TEXT;
        }
        let margin = other.map_or(i32::MAX, |other| other.cost - self.cost);
        let row = CONFIDENCE.iter().rfind(|(least, _)| *least <= margin);
        row.map_or(LIKE_NO_TEXT, |&(_, confidence)| confidence)
    }
}

/// By how many quarters of a bit a guess beats the next best text, and how many of such
/// guesses were right, in percent: counted on the texts that `tests/eval` sets aside for
/// tuning, cut to 20, 60 and 300 octets.
const CONFIDENCE: [(i32, u8); 6] = [(0, 56), (16, 76), (28, 82), (36, 90), (56, 97), (80, 98)];

/// What `octets` in words that are not ASCII cost at most where they are text. Of two thousand
/// real texts one costs more; of stretches of compressed files of 60 octets one in five
/// hundred costs less, and of those of 20, which say little, one in fifteen.
fn most_of_text(octets: usize, of_characters: bool) -> i32 {
    let octets = i32::try_from(octets).unwrap_or(i32::MAX);
    if of_characters {
        octets.saturating_mul(22).saturating_add(60)
    } else {
        octets.saturating_mul(24).saturating_add(120)
    }
}

/// The confidence, in percent, in a reading that is like no text.
pub(super) const LIKE_NO_TEXT: u8 = 20;

/// What chardetng's answer takes off the cost of its charset.
const TRUST_IN_CHARDETNG: i32 = 12;

/// What is dearer than the best by this much is not looked at to the end: it is 2 to the
/// 100th times less likely.
const HOPELESS: i32 = 400;

/// The charsets that `octets` may be in, the likeliest first.
pub(super) fn weigh(octets: &[u8], chardetng: Option<Charset>) -> Vec<Weighed> {
    let priced = octets
        .split(|&octet| octet < 0x30)
        .filter(|word| !word.is_ascii())
        .map(<[u8]>::len)
        .sum();
    let mut found: Vec<Weighed> = Vec::new();
    let mut best = i32::MAX / 2;
    if let Some(cost) = damaged_utf8_cost(octets) {
        best = cost;
        let text = utf8::decode_lossy(octets).into_owned();
        found.push(Weighed {
            charset: Charset::UTF_8,
            cost,
            text,
            most: i32::MAX,
        });
    }
    for candidate in CANDIDATES {
        let is_utf16 = candidate.label.starts_with("UTF-16");
        let Some(charset) = Charset::for_label(candidate.label).filter(|it| it.is_decoded()) else {
            continue;
        };
        let trust = if Some(charset) == chardetng {
            TRUST_IN_CHARDETNG
        } else {
            0
        };
        let head_start = candidate.rarity - trust;
        let text = charset.decode(octets).into_text();
        if is_utf16 && !text.chars().all(is_east_asian) {
            continue;
        }
        let units = units(&text);
        let reading = Reading::new(&units);
        let limit = best + HOPELESS - head_start;
        let unknown = (Some(charset) == chardetng).then(|| reading.unknown());
        let costs = candidate
            .languages
            .iter()
            .filter_map(|it| reading.cost(*it, limit))
            .chain(unknown);
        if let Some(cost) = costs.min() {
            let cost = cost + head_start;
            best = best.min(cost);
            let text = text.into_owned();
            let priced = if is_utf16 { octets.len() } else { priced };
            let of_characters = matches!(candidate.languages, [Language::Characters(_), ..]);
            found.push(Weighed {
                charset,
                cost,
                text,
                most: most_of_text(priced, of_characters),
            });
        }
    }
    found.sort_by_key(|weighed| weighed.cost);
    found
}

/// What the octets cost as UTF-8 that was cut in the middle of a character or damaged on the
/// way. Characters of several octets are so seldom well-formed by accident that they settle
/// it where they are the most by far.
fn damaged_utf8_cost(octets: &[u8]) -> Option<i32> {
    let (mut whole, mut broken, mut cost) = (0, 0, 0);
    work(octets.len());
    for chunk in octets.utf8_chunks() {
        for character in chunk.valid().chars().filter(|it| !it.is_ascii()) {
            whole += 1;
            cost += 18 * i32::try_from(character.len_utf8()).unwrap_or(4);
        }
        match std::str::from_utf8(chunk.invalid()) {
            Ok(_) => {}
            // The first octets of a character, at the end of all of them or not.
            Err(error) if error.error_len().is_none() => {
                cost += 60;
                broken += i32::from(!octets.ends_with(chunk.invalid()));
            }
            Err(_) => {
                cost += 120;
                broken += 1;
            }
        }
    }
    (whole > 0 && whole >= 3 * broken).then_some(cost)
}

/// Whether the character stands in Chinese, Japanese or Korean text. In UTF-16 almost any two
/// octets are some character.
fn is_east_asian(character: char) -> bool {
    matches!(character,
        '\t' | '\n' | '\r' | ' '..='~' | '\u{2010}'..='\u{2026}' | '\u{3000}'..='\u{30FF}'
        | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}' | '\u{FF00}'..='\u{FFEF}')
}

/// One character of a reading, and what is the same for it in every language.
#[derive(Debug, Clone, Copy)]
struct Unit {
    character: char,
    lower: char,
    case: Case,
    is_letter: bool,
    /// What it costs where the language does not use it.
    stranger: i32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
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
    fn cost(&self, language: Language, limit: i32) -> Option<i32> {
        let mut cost = self.signs;
        if matches!(language, Language::Letters(_)) {
            cost += self.case;
        }
        // What ASCII words may take off in the end.
        let mut familiar = 0;
        for word in &self.words {
            match (word, language) {
                (Word::Other(word), Language::Letters(letters)) => {
                    cost += word_cost(word, letters);
                }
                (Word::Other(word), Language::Characters(characters)) => {
                    cost += run_cost(word, characters);
                }
                (Word::Ascii(word, english), Language::Letters(letters)) if letters.is_latin() => {
                    familiar += (english - word_cost(word, letters)).max(-FOREIGN_WORD);
                }
                (Word::Ascii(..), _) => familiar -= FOREIGN_WORD,
            }
            if cost > limit + self.most_from_ascii {
                return None;
            }
        }
        Some(cost - familiar.clamp(-MOST_AGAINST, self.most_from_ascii))
    }
}

/// What it costs to assume a language without a table: with this much, guesses are right most
/// often both in the languages that have one and in those that have not.
const UNKNOWN_LANGUAGE: i32 = 24;

/// What letters cost in a language of which only chardetng knows anything.
fn unknown_cost(unit: &Unit) -> i32 {
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
fn sign_cost(before: char, now: char) -> i32 {
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
const MOST_FROM_ASCII: i32 = 40;
/// How much more that is for each word beside them that is not ASCII: in Welsh or Romanian
/// prose most words are, in markup around a line of Greek none of the line is.
const MORE_FROM_ASCII: i32 = 16;
/// The most that they can speak against it.
const MOST_AGAINST: i32 = 16;
/// The most that one such word can speak against it.
const FOREIGN_WORD: i32 = 4;
/// An ASCII letter in a word of another script.
const LATIN_LETTER: i32 = 17;
/// Where such a letter touches one of the other script.
const MIXED_SCRIPTS: i32 = 40;

/// A character of Chinese, Japanese or Korean by itself beside Latin letters.
const LONE_CHARACTER: i32 = 40;

/// Whether this ASCII character stands between words. All others may be letters in some
/// charset.
fn is_gap(character: char) -> bool {
    character.is_ascii() && !character.is_ascii_alphabetic()
}

fn unit(character: char) -> Unit {
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
const HOOK_ABOVE: char = '\u{309}';

/// A Vietnamese vowel and its tone, which the table counts on their own as windows-1258
/// writes them.
fn with_tone(character: char) -> Option<(char, char)> {
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
fn stranger(unit: Unit, after_letter: bool, before_letter: bool) -> i32 {
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

/// What a word costs in a language of thousands of characters.
fn run_cost(word: &[Unit], characters: &Characters) -> i32 {
    let mut cost = 0;
    for run in word.chunk_by(|a, b| a.character.is_ascii() == b.character.is_ascii()) {
        for unit in run {
            cost += match unit.character {
                now if now.is_ascii() => LATIN_LETTER,
                now => characters.cost(now).unwrap_or_else(|| rare_character(now)),
            };
        }
        if run.len() == 1 && word.len() > 1 && run.iter().all(|unit| !unit.character.is_ascii()) {
            cost += LONE_CHARACTER;
        }
    }
    cost
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
