//! The costs of letter pairs in all languages of a script, computed at compile time.

#![expect(
    clippy::indexing_slicing,
    reason = "runs at compile time, where a mistake is a build error"
)]

use super::tables::LetterTable;

/// Maximum number of languages scored at once.
pub(super) const LANES: usize = 8;

/// The class of non-letters.
pub(super) const GAP: u8 = 0;
/// The class of a Latin letter in another script.
pub(super) const LATIN: u8 = 1;
/// The class of a non-ASCII letter that no language of the script has.
pub(super) const FOREIGN: u8 = 2;
/// The class of the first letter of the alphabet.
pub(super) const FIRST: usize = 3;

/// Cost of a letter that no language of the script has.
pub(super) const FOREIGN_LETTER: u8 = 56;
/// Cost of a letter that only other languages of the script have, as in a name or a loanword.
pub(super) const LOAN_LETTER: u8 = 48;
/// Cost of an ASCII letter in a word of another script.
const LATIN_LETTER: u8 = 20;
/// Extra cost of such a letter next to a letter of the other script.
const MIXED_SCRIPTS: u8 = 40;

/// A language and the cost of assuming it.
pub(super) type Language = (&'static LetterTable, i16);

/// The letters of all alphabets of a script, sorted.
pub(super) struct Alphabet {
    letters: [u16; Alphabet::MOST],
    count: usize,
}

impl Alphabet {
    const MOST: usize = 128;

    pub(super) const fn of(languages: &[Language]) -> Self {
        let mut alphabet = Alphabet {
            letters: [0; Alphabet::MOST],
            count: 0,
        };
        let mut lane = 0;
        while lane < languages.len() {
            let (language, _) = languages[lane];
            let codes = language.alphabet;
            // The first code represents everything else.
            let mut place = 1;
            while place < codes.len() {
                if !is_symbol(codes[place]) {
                    alphabet.insert(codes[place]);
                }
                place += 1;
            }
            if has_tones(language) {
                alphabet.insert_toned();
            }
            lane += 1;
        }
        alphabet
    }

    /// Inserts the letters that a language counts as a vowel and a tone.
    const fn insert_toned(&mut self) {
        let mut vowel = 0;
        while vowel < TONED.len() {
            let mut tone = 0;
            while tone < TONES.len() {
                self.insert(TONED[vowel].1[tone] as u16);
                tone += 1;
            }
            vowel += 1;
        }
    }

    /// Inserts a letter in order, unless present.
    const fn insert(&mut self, letter: u16) {
        let mut place = self.count;
        while place > 0 && self.letters[place - 1] > letter {
            place -= 1;
        }
        if place > 0 && self.letters[place - 1] == letter {
            return;
        }
        let mut end = self.count;
        while end > place {
            self.letters[end] = self.letters[end - 1];
            end -= 1;
        }
        self.letters[place] = letter;
        self.count += 1;
    }

    /// The number of classes.
    pub(super) const fn rows(&self) -> usize {
        FIRST + self.count
    }

    pub(super) const fn letters<const COUNT: usize>(&self) -> [u16; COUNT] {
        assert!(COUNT == self.count);
        let mut letters = [0; COUNT];
        let mut place = 0;
        while place < COUNT {
            letters[place] = self.letters[place];
            place += 1;
        }
        letters
    }
}

/// The number of lanes of a script, a power of two: one per language, and one for a language without a
/// table, unless there are eight.
pub(super) const fn lanes(languages: usize) -> usize {
    assert!(languages <= LANES);
    if languages == LANES {
        LANES
    } else {
        (languages + 1).next_power_of_two()
    }
}

/// The costs of pairs of classes in a script.
pub(super) struct PairCosts<const CELLS: usize, const SIZE: usize> {
    /// For each pair, its cost in each language, then their mean for a language without a table. Unused
    /// lanes cost 255, which is never the minimum.
    pub(super) costs: [u8; CELLS],
    /// The typical cost of each class, in the language in which it is most frequent.
    pub(super) typical: [u8; SIZE],
}

impl<const CELLS: usize, const SIZE: usize> PairCosts<CELLS, SIZE> {
    pub(super) const fn of(languages: &[Language], alphabet: &Alphabet) -> Self {
        assert!(alphabet.rows() == SIZE);
        let lanes = lanes(languages.len());
        let mut steps = [[LetterStep::NONE; SIZE]; LANES];
        let mut lane = 0;
        while lane < languages.len() {
            steps[lane] = steps_of(languages[lane].0, alphabet);
            lane += 1;
        }
        let mut costs = [u8::MAX; CELLS];
        // The frequency of each class after all others.
        let mut after_all = [[0; SIZE]; LANES];
        let mut before = 0;
        while before < SIZE {
            // The frequency of each class after this one, summed over the languages.
            let mut in_all = [0; SIZE];
            let mut lane = 0;
            while lane < languages.len() {
                let letters = languages[lane].0;
                let (steps, after_all) = (&steps[lane], &mut after_all[lane]);
                let row = letters.row(steps[before].last);
                let may_mix = !letters.is_latin && before != GAP as usize;
                let is_latin = steps[before].is_mixed_latin;
                let mut cell = before * SIZE * lanes + lane;
                let mut now = 0;
                while now < SIZE {
                    let step = &steps[now];
                    let mut cost = row[step.first] + step.within;
                    if may_mix && step.is_mixed_latin != is_latin && now != GAP as usize {
                        cost += MIXED_SCRIPTS;
                    }
                    let frequency = FREQUENCIES[cost as usize];
                    in_all[now] += frequency;
                    after_all[now] += frequency;
                    costs[cell] = cost;
                    cell += lanes;
                    now += 1;
                }
                lane += 1;
            }
            if lane < lanes {
                let mut now = 0;
                while now < SIZE {
                    let cell = (before * SIZE + now) * lanes + lane;
                    costs[cell] = cost_of(in_all[now] / lane as u64);
                    now += 1;
                }
            }
            before += 1;
        }
        let mut typical = [0; SIZE];
        let mut now = 0;
        while now < SIZE {
            let (mut most, mut lane) = (0, 0);
            while lane < LANES {
                if after_all[lane][now] > most {
                    most = after_all[lane][now];
                }
                lane += 1;
            }
            typical[now] = cost_of(most / SIZE as u64);
            now += 1;
        }
        PairCosts { costs, typical }
    }
}

/// A letter of the script in one language.
#[derive(Clone, Copy)]
struct LetterStep {
    /// Indexes in the alphabet of the language: equal for a letter, or a vowel and its tone.
    first: usize,
    last: usize,
    /// The cost of the tone after the vowel, or of a foreign letter.
    within: u8,
    /// Whether it is a Latin letter in another script.
    is_mixed_latin: bool,
}

impl LetterStep {
    /// Not a letter.
    const NONE: LetterStep = LetterStep {
        first: 0,
        last: 0,
        within: 0,
        is_mixed_latin: false,
    };
    /// A letter that only other languages of the script have.
    const LOAN: LetterStep = LetterStep {
        within: LOAN_LETTER,
        ..LetterStep::NONE
    };
    /// A letter that no language of the script has.
    const FOREIGN: LetterStep = LetterStep {
        within: FOREIGN_LETTER,
        ..LetterStep::NONE
    };
}

/// The classes of a script in one language.
const fn steps_of<const SIZE: usize>(
    letters: &LetterTable,
    alphabet: &Alphabet,
) -> [LetterStep; SIZE] {
    let mut steps = [LetterStep::LOAN; SIZE];
    steps[FOREIGN as usize] = LetterStep::FOREIGN;
    steps[GAP as usize] = LetterStep::NONE;
    steps[LATIN as usize] = LetterStep {
        within: LATIN_LETTER,
        is_mixed_latin: !letters.is_latin,
        ..LetterStep::NONE
    };
    let has_tones = has_tones(letters);
    // Both alphabets are sorted.
    let (codes, mut own) = (letters.alphabet, 1);
    let mut place = FIRST;
    while place < SIZE {
        let letter = alphabet.letters[place - FIRST];
        while own < codes.len() && codes[own] < letter {
            own += 1;
        }
        if own < codes.len() && codes[own] == letter {
            steps[place] = LetterStep {
                first: own,
                last: own,
                ..LetterStep::NONE
            };
        } else if has_tones
            && let Some((vowel, tone)) = with_tone(letter)
            && let (Some(first), Some(last)) = (letters.index(vowel), letters.index(tone))
        {
            steps[place] = LetterStep {
                first,
                last,
                within: letters.row(first)[last],
                ..LetterStep::NONE
            };
        }
        place += 1;
    }
    steps
}

/// The minimum cost of a frequency, given in units of 2 to the -40.
#[expect(clippy::cast_possible_truncation, reason = "a cost is below 256")]
const fn cost_of(frequency: u64) -> u8 {
    // Four for each missing bit, minus up to three.
    let missing = frequency.leading_zeros() as usize - (u64::BITS as usize - 1 - 40);
    let mut cost = if missing == 0 { 0 } else { 4 * missing - 3 };
    while FREQUENCIES[cost] > frequency {
        cost += 1;
    }
    cost as u8
}

/// The frequency for each cost, in units of 2 to the -40, halved every four costs.
static FREQUENCIES: [u64; 256] = frequencies();

const fn frequencies() -> [u64; 256] {
    let mut frequency = [0; 256];
    let mut cost = 0;
    while cost < 256 {
        // Two to the power of 0, -1/4, -1/2 and -3/4.
        const PARTS: [u64; 4] = [1 << 20, 881_744, 741_455, 623_487];
        frequency[cost] = (PARTS[cost % 4] << 20) >> (cost / 4);
        cost += 1;
    }
    frequency
}

/// Whether a code of an alphabet is a symbol, which is scored by its neighbours.
const fn is_symbol(code: u16) -> bool {
    matches!(code, 0xA0..=0xBF | 0x5F3 | 0x60C | 0x61F | 0x2000..=0x206F)
}

/// The tone that only Vietnamese has.
const HOOK_ABOVE: char = '\u{309}';

const fn has_tones(letters: &LetterTable) -> bool {
    letters.index(HOOK_ABOVE as u16).is_some()
}

const TONES: [char; 5] = ['\u{300}', '\u{301}', HOOK_ABOVE, '\u{303}', '\u{323}'];

/// Vietnamese vowels with each tone. The table counts vowels and tones separately, as windows-1258 does.
const TONED: [(char, [char; 5]); 12] = [
    ('a', ['à', 'á', 'ả', 'ã', 'ạ']),
    ('ă', ['ằ', 'ắ', 'ẳ', 'ẵ', 'ặ']),
    ('â', ['ầ', 'ấ', 'ẩ', 'ẫ', 'ậ']),
    ('e', ['è', 'é', 'ẻ', 'ẽ', 'ẹ']),
    ('ê', ['ề', 'ế', 'ể', 'ễ', 'ệ']),
    ('i', ['ì', 'í', 'ỉ', 'ĩ', 'ị']),
    ('o', ['ò', 'ó', 'ỏ', 'õ', 'ọ']),
    ('ô', ['ồ', 'ố', 'ổ', 'ỗ', 'ộ']),
    ('ơ', ['ờ', 'ớ', 'ở', 'ỡ', 'ợ']),
    ('u', ['ù', 'ú', 'ủ', 'ũ', 'ụ']),
    ('ư', ['ừ', 'ứ', 'ử', 'ữ', 'ự']),
    ('y', ['ỳ', 'ý', 'ỷ', 'ỹ', 'ỵ']),
];

/// Splits a letter into its vowel and its tone.
const fn with_tone(letter: u16) -> Option<(u16, u16)> {
    let mut place = 0;
    while place < TONED.len() * TONES.len() {
        let (tone, (vowel, toned)) = (place % TONES.len(), TONED[place / TONES.len()]);
        if toned[tone] as u16 == letter {
            return Some((vowel as u16, TONES[tone] as u16));
        }
        place += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::candidates::{CANDIDATES, LanguageModels};
    use super::super::scripts::{ScriptCosts, is_letter};
    use super::super::tables::LetterTable;
    use super::{
        FIRST, FOREIGN, FOREIGN_LETTER, FREQUENCIES, GAP, HOOK_ABOVE, LANES, LATIN, LATIN_LETTER,
        LOAN_LETTER, MIXED_SCRIPTS, is_symbol, with_tone,
    };

    /// Index of a letter as successor, its index as predecessor, and its extra cost.
    fn places(letters: &LetterTable, letter: u16) -> (usize, usize, u8) {
        let toned = || {
            letters.index(HOOK_ABOVE as u16)?;
            let (base, tone) = with_tone(letter)?;
            let (base, tone) = (letters.index(base)?, letters.index(tone)?);
            Some((base, tone, letters.row(base)[tone]))
        };
        let own = letters.index(letter).map(|place| (place, place, 0));
        own.or_else(toned).unwrap_or((0, 0, LOAN_LETTER))
    }

    /// The cost of an event of this frequency.
    fn cost_of(frequency: u64) -> u8 {
        let cost = FREQUENCIES.iter().position(|it| *it <= frequency);
        u8::try_from(cost.unwrap()).unwrap()
    }

    fn assert_is_priced(script: &ScriptCosts) {
        let (alphabet, lanes, all) = (script.alphabet, script.lanes, script.costs);
        let languages = script.languages;
        let (size, count) = (FIRST + alphabet.len(), languages.len());
        assert_eq!(all.len(), size * size * lanes);
        let mut most_often = vec![[0_u64; LANES]; size];
        for before in 0..size {
            for (now, most_often) in most_often.iter_mut().enumerate() {
                let mut costs = vec![u8::MAX; lanes];
                for (cost, (letters, _)) in costs.iter_mut().zip(languages) {
                    let of = |place: usize| match place.checked_sub(FIRST) {
                        Some(letter) => places(letters, alphabet[letter]),
                        None if place == usize::from(LATIN) => (0, 0, LATIN_LETTER),
                        None if place == usize::from(FOREIGN) => (0, 0, FOREIGN_LETTER),
                        None => (0, 0, 0),
                    };
                    let ((_, last, _), (first, _, besides)) = (of(before), of(now));
                    let is_latin = |place: usize| place == usize::from(LATIN);
                    let is_gap = |place: usize| place == usize::from(GAP);
                    let is_mixed = !script.is_latin
                        && is_latin(before) != is_latin(now)
                        && !is_gap(before)
                        && !is_gap(now);
                    let mixed = u8::from(is_mixed) * MIXED_SCRIPTS;
                    *cost = letters.row(last)[first] + besides + mixed;
                }
                let frequency = costs.iter().map(|cost| FREQUENCIES[usize::from(*cost)]);
                let frequency: Vec<u64> = frequency.take(count).collect();
                for (sum, frequency) in most_often.iter_mut().zip(&frequency) {
                    *sum += frequency;
                }
                if count < LANES {
                    costs[count] = cost_of(frequency.iter().sum::<u64>() / count as u64);
                }
                let row = (before * size + now) * lanes;
                assert_eq!(all[row..row + lanes], costs, "{before} {now}");
            }
        }
        for (typical, frequency) in script.typical.iter().zip(most_often) {
            let most = frequency.iter().max().unwrap();
            assert_eq!(*typical, cost_of(most / size as u64));
        }
    }

    /// All scripts of the candidates, without duplicates.
    fn scripts() -> Vec<&'static ScriptCosts> {
        let of_candidates = CANDIDATES.iter().filter_map(|it| match it.languages {
            LanguageModels::Letters(scripts) => Some(scripts),
            LanguageModels::Characters(_) => None,
        });
        let mut scripts: Vec<&ScriptCosts> = of_candidates.flatten().copied().collect();
        scripts.sort_unstable_by_key(|script| script.number);
        scripts.dedup_by_key(|script| script.number);
        scripts
    }

    /// The combined tables have each language's own costs for every pair of letters.
    #[test]
    fn rows_match_the_languages() {
        scripts().into_iter().for_each(assert_is_priced);
    }

    /// The rows of a script have all letters of its languages and their tones, and nothing else.
    #[test]
    fn an_alphabet_has_the_letters_of_all_languages() {
        for script in scripts() {
            let mut expected: Vec<u16> = Vec::new();
            for (letters, _) in script.languages {
                let codes = letters.alphabet.get(1..).unwrap();
                let character = |code: u16| char::from_u32(u32::from(code)).unwrap();
                for code in codes {
                    assert_eq!(is_symbol(*code), !is_letter(character(*code)), "{code:04X}");
                }
                expected.extend(codes.iter().filter(|code| is_letter(character(**code))));
                if codes.contains(&(HOOK_ABOVE as u16)) {
                    let accented = (0xC0..0x180).chain(0x1EA0..0x1F00);
                    expected.extend(accented.filter(|code| with_tone(*code).is_some()));
                }
                assert_eq!(letters.is_latin, script.is_latin);
            }
            expected.sort_unstable();
            expected.dedup();
            assert_eq!(script.alphabet, expected);
        }
    }
}
