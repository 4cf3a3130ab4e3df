//! Charsets of one octet to a character: what each octet is in them, and what octets cost.

use super::candidates::Candidate;
use super::octets::Octets;
use super::scripts::{FOREIGN_LETTER, Script, is_letter};
use super::symbols::{Beside, Symbol};
use crate::charset::Charset;
use crate::work::work;

/// What every octet is in a charset.
#[derive(Debug)]
pub(super) struct Cells {
    scripts: &'static [&'static Script],
    characters: [char; 256],
    /// What an octet is beside a sign; what is no letter here and no ASCII is a sign.
    besides: [Beside; 256],
    symbols: [Symbol; 256],
    /// Whether an octet is a letter, and of what case.
    cases: [u8; 256],
    /// What stands for an octet in the rows of each script.
    classes: Vec<[u8; 256]>,
    /// Letters in the place of controls, as two charsets of Vietnamese have them.
    low_letters: u32,
}

/// How much more a control is worth where it is a letter: text has none.
const LOW_LETTER: i32 = 24;

/// What it costs that a letter follows a digit.
const BEHIND_DIGIT: i32 = 12;

/// How much more a sign costs in text whose letters are above ASCII. What it costs was counted where
/// little is above ASCII, and 58 % of that are signs (`symbols.rs`). Of what is above it in Russian,
/// Bulgarian, Greek and Hebrew texts 0.2 to 1.5 % are signs, and in mail a few more: that is a
/// thirtieth, and five bits.
const AMONG_LETTERS: i32 = 20;

/// A letter without a case, a small one, a capital, and what is none.
const LETTER: u8 = 0;
const SMALL: u8 = 1;
const CAPITAL: u8 = 2;
const NONE: u8 = 3;

impl Cells {
    pub(super) fn new(charset: Charset, scripts: &'static [&'static Script]) -> Option<Box<Self>> {
        let octets: Vec<u8> = (0..=u8::MAX).collect();
        let text = charset.decode(&octets).into_text();
        let mut cells = Box::new(Cells {
            scripts,
            characters: [char::REPLACEMENT_CHARACTER; 256],
            besides: [Beside::Gap; 256],
            symbols: [Symbol::of(' '); 256],
            cases: [NONE; 256],
            classes: vec![[0; 256]; scripts.len()],
            low_letters: 0,
        });
        let mut characters = text.chars();
        for &octet in &octets {
            let character = characters.next()?;
            if !octet.is_ascii() && character.is_ascii() {
                // Where words end is seen from ASCII.
                return None;
            }
            let at = usize::from(octet);
            *cells.characters.get_mut(at)? = character;
            *cells.symbols.get_mut(at)? = Symbol::of(character);
            let is_letter = is_letter(character);
            *cells.besides.get_mut(at)? = match character {
                _ if is_letter => Beside::Letter,
                '\0'..='\x7F' => Beside::of_ascii(octet),
                _ if Symbol::of(character).is_space() => Beside::Gap,
                _ => Beside::Sign,
            };
            if !is_letter {
                continue;
            }
            if octet < 0x20 {
                // Where words end is the same in all charsets.
                cells.low_letters |= 1 << octet;
                continue;
            }
            let lower = character.to_lowercase().next().unwrap_or(character);
            *cells.cases.get_mut(at)? = if lower != character {
                CAPITAL
            } else if character.is_lowercase() {
                SMALL
            } else {
                LETTER
            };
            for (classes, script) in cells.classes.iter_mut().zip(scripts) {
                *classes.get_mut(at)? = script.table().class(lower);
            }
        }
        characters.next().is_none().then_some(cells)
    }

    /// Whether all of the octets are the same characters in another charset.
    pub(super) fn are_same(&self, other: &Cells, octets: &Octets<'_>) -> bool {
        octets.distinct().iter().all(|seen| {
            let at = usize::from(seen.octet);
            self.characters.get(at) == other.characters.get(at)
        })
    }

    /// A fingerprint of what the octets say: a number that is the same where all of the octets are the same characters, and hardly
    /// ever where they are not.
    pub(super) fn fingerprint(&self, octets: &Octets<'_>) -> u64 {
        // The multiplier of the generator of Knuth's MMIX.
        const MULTIPLIER: u64 = 6_364_136_223_846_793_005;
        octets.distinct().iter().fold(1, |fingerprint: u64, seen| {
            let character = self.characters.get(usize::from(seen.octet)).copied();
            let number = u64::from(u32::from(character.unwrap_or_default()));
            (fingerprint ^ number).wrapping_mul(MULTIPLIER)
        })
    }

    /// Whether both were sent in the same languages.
    pub(super) fn has_scripts_of(&self, other: &Cells) -> bool {
        self.scripts
            .iter()
            .map(|it| it.number())
            .eq(other.scripts.iter().map(|it| it.number()))
    }

    /// Whether none of the octets above ASCII is a letter.
    pub(super) fn are_signs(&self, octets: &Octets<'_>) -> bool {
        octets
            .distinct()
            .iter()
            .all(|seen| self.besides.get(usize::from(seen.octet)) != Some(&Beside::Letter))
    }

    /// About what an octet costs wherever it stands: as much as a letter does in the language
    /// that has it most, or as a sign where it stands well.
    pub(super) fn typical(&self, octet: u8) -> u8 {
        let at = usize::from(octet);
        let cost = if self.besides.get(at) == Some(&Beside::Letter) {
            let of = |(classes, script): (&[u8; 256], &&Script)| {
                let class = classes.get(at).copied().unwrap_or(0);
                i32::from(script.table().typical(class)).min(FOREIGN_LETTER)
            };
            self.classes.iter().zip(self.scripts).map(of).min()
        } else {
            self.symbols.get(at).map(|symbol| symbol.typical())
        };
        u8::try_from(cost.unwrap_or(0)).unwrap_or(u8::MAX)
    }

    /// Whether the octet is a letter of a script that ASCII letters do not belong to.
    pub(super) fn is_of_other_script(&self, octet: u8) -> bool {
        self.besides.get(usize::from(octet)) == Some(&Beside::Letter)
            && self.scripts.iter().all(|script| !script.table().is_latin())
    }

    /// Whether there is a letter of a script that ASCII letters do not belong to.
    fn has_letters_of_other_script(&self, octets: &Octets<'_>) -> bool {
        let mut distinct = octets.distinct().iter();
        distinct.any(|seen| self.is_of_other_script(seen.octet))
    }

    /// What the octets cost but for the language: where signs stand, and the case of letters.
    pub(super) fn cost_of_signs(&self, octets: &Octets<'_>) -> i32 {
        let mut cost = self.case_cost(octets.words()) - LOW_LETTER * self.low_letters(octets);
        let among_letters = if self.has_letters_of_other_script(octets) {
            AMONG_LETTERS
        } else {
            0
        };
        // Of signs that stand again, which is no surprise.
        let mut seen = 0_u128;
        let words = octets.words();
        for &place in octets.places() {
            let at = usize::from(place);
            let of = |at: usize| words.get(at).copied().unwrap_or(b' ');
            let beside = |octet: u8| {
                let beside = self.besides.get(usize::from(octet)).copied();
                beside.unwrap_or(Beside::Gap)
            };
            let octet = of(at);
            let (before, behind) = (of(at.wrapping_sub(1)), of(at + 1));
            if beside(octet) == Beside::Letter {
                cost += sign_behind(behind);
                if before.is_ascii_digit() {
                    cost += BEHIND_DIGIT;
                }
                continue;
            }
            let Some(symbol) = self.symbols.get(usize::from(octet)) else {
                continue;
            };
            let left = if before == octet {
                Beside::Same
            } else {
                beside(before)
            };
            let right = if behind == octet {
                Beside::Same
            } else {
                beside(behind)
            };
            let full = symbol.cost(left, right);
            if left != Beside::Same {
                cost += among_letters;
            }
            let bit = 1_u128 << (octet & 0x7F);
            let is_again = seen & bit != 0;
            cost += if is_again && left != Beside::Same {
                full - symbol.known()
            } else {
                full
            };
            seen |= bit;
        }
        work(octets.places().len());
        cost
    }

    /// What the octets cost in the language of which they cost the least, of all scripts, but for
    /// signs and case; nothing where that is seen to be more than `most`.
    pub(super) fn cost_of_letters(&self, octets: &Octets<'_>, most: i32) -> Option<i32> {
        let mut least = None;
        let mut most = i16::try_from(most).unwrap_or(i16::MAX);
        for (classes, script) in self.classes.iter().zip(self.scripts) {
            // What the rest of the text takes off in each language.
            let mut assumed = *script.rarity();
            for (cost, off) in assumed.iter_mut().zip(octets.familiar(script)) {
                *cost = cost.saturating_sub(off);
            }
            let sums = script.table().cost(octets.words(), classes, assumed, most);
            if let Some(cost) = sums.and_then(|sums| sums.into_iter().min()) {
                most = most.min(cost);
                least = least.min(Some(cost)).or(Some(cost));
            }
        }
        least.map(i32::from)
    }

    /// How many letters stand in the place of controls.
    fn low_letters(&self, octets: &Octets<'_>) -> i32 {
        if self.low_letters == 0 {
            return 0;
        }
        work(octets.all().len());
        let is_one = |octet: &&u8| **octet < 0x20 && self.low_letters >> **octet & 1 != 0;
        let count = octets.all().iter().filter(is_one).count();
        i32::try_from(count).unwrap_or(0)
    }

    /// Words are written small, with a capital first, or in capitals.
    fn case_cost(&self, words: &[u8]) -> i32 {
        /// For each state what follows it as a letter without a case, as a small one, as a
        /// capital, and as none: four times the cost, and the next state. The states are that
        /// nothing with a case came before, a small letter, one capital, or more.
        const STEPS: [u8; 16] = [
            step(0, 0),
            step(1, 1),
            step(8, 2),
            step(0, 0),
            step(0, 0),
            step(0, 1),
            step(36, 2),
            step(0, 0),
            step(0, 0),
            step(1, 1),
            step(12, 3),
            step(0, 0),
            step(0, 0),
            step(28, 1),
            step(2, 3),
            step(0, 0),
        ];
        const fn step(cost: u8, next: u8) -> u8 {
            cost << 2 | next
        }
        let (mut cost, mut state) = (0, 0);
        for &octet in words {
            let case = self.cases.get(usize::from(octet)).copied().unwrap_or(NONE);
            let at = usize::from((state << 2 | case) & 0xF);
            let step = STEPS.get(at).copied().unwrap_or(0);
            cost += i32::from(step >> 2);
            state = step & 3;
        }
        work(words.len());
        cost
    }
}

/// What an ASCII sign costs behind a letter above ASCII. In text a letter is followed by a space
/// or a stop, while the second octet of a pair may be any sign.
pub(super) fn sign_behind(octet: u8) -> i32 {
    match octet {
        b'@' | b'[' | b'\\' | b']' | b'^' | b'_' | b'`' | b'{' | b'|' | b'}' | b'~' | b'='
        | b'+' | b'*' | b'#' | b'$' | b'%' | b'&' => 20,
        b'<' | b'>' => 8,
        b'0'..=b'9' => 16,
        _ => 0,
    }
}

/// A candidate of one octet to a character that is decoded here.
pub(super) fn cells(candidate: &Candidate, charset: Charset) -> Option<Box<Cells>> {
    match candidate.languages {
        super::candidates::Languages::Letters(scripts) if charset.is_single_byte() => {
            Cells::new(charset, scripts)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::candidates::Languages;
    use super::super::octets::Octets;
    use super::super::rivals::rivals;
    use super::super::scripts::{ANOTHER_LANGUAGE, LANES, is_letter};
    use super::super::tables::{EN, Letters, PL, TR};

    /// What words cost in a language, letter by letter, from the text that a charset makes of them.
    fn letter_by_letter(text: &str, letters: &Letters) -> i32 {
        let (mut cost, mut before) = (0, 0);
        for character in text.chars().chain([' ']) {
            let lower = character.to_lowercase().next().unwrap();
            let now = if is_letter(lower) {
                letters.index(lower)
            } else {
                Some(0)
            };
            cost += letters.cost(before, now.unwrap_or(0));
            if now.is_none() {
                cost += super::FOREIGN_LETTER;
            }
            before = now.unwrap_or(0);
        }
        cost
    }

    /// Where all of a text is one word, a language costs in its lane what its letters do by the
    /// table alone.
    #[test]
    fn a_word_costs_in_its_lane_what_its_letters_do() {
        let words = [
            ("windows-1252", 0, &EN, "na\u{EF}ve"),
            ("windows-1250", 0, &PL, "\u{17B}\u{F3}\u{142}\u{107}"),
            ("windows-1250", 0, &PL, "Wa\u{142}\u{119}sa"),
            ("windows-1254", 0, &TR, "s\u{131}ras\u{131}ndaki"),
        ];
        for (label, lane, letters, word) in words {
            let rival = rivals()
                .iter()
                .find(|it| it.charset.name() == label)
                .unwrap();
            let cells = rival.cells.as_ref().unwrap();
            let octets: Vec<u8> = word
                .chars()
                .map(|it| {
                    let at = cells.characters.iter().position(|cell| *cell == it);
                    u8::try_from(at.unwrap()).unwrap()
                })
                .collect();
            let octets = Octets::new(&octets);
            let table = cells.scripts[0].table();
            let sums = table.cost(octets.words(), &cells.classes[0], [0; LANES], i16::MAX);
            let sums = sums.unwrap();
            let least = sums.into_iter().min().unwrap();
            // A word may be of another language than the text, for so much.
            let most = i32::from(least + ANOTHER_LANGUAGE);
            let expected = letter_by_letter(word, letters).min(most);
            assert_eq!(i32::from(sums[lane]), expected, "{word}: {sums:?}");
        }
    }

    /// Text in VISCII and TCVN has letters where other charsets have controls (RFC 1456; TCVN
    /// 5712): they make no text binary, and zeros do.
    #[test]
    #[cfg_attr(not(feature = "legacy"), ignore = "the charsets are left out")]
    fn letters_in_the_place_of_controls_are_text() {
        let zeros = b"\xE9\0".repeat(40);
        assert!(Octets::new(&zeros).are_binary());
        let mut letters = 0;
        for rival in rivals() {
            let Some(cells) = &rival.cells else { continue };
            for octet in (0..0x20_u8).filter(|octet| cells.low_letters >> octet & 1 != 0) {
                letters += 1;
                let text = [0xE9, octet].repeat(40);
                assert!(!Octets::new(&text).are_binary(), "{octet:02X}");
            }
        }
        // Six capitals of the one and twelve of the other.
        assert_eq!(letters, 6 + 12);
    }

    /// Every octet of every charset is a letter of its script or a sign, never both.
    #[test]
    fn octets_are_letters_or_signs() {
        let mut letters = BTreeMap::new();
        for rival in rivals() {
            let (Some(cells), Languages::Letters(_)) = (&rival.cells, rival.languages) else {
                continue;
            };
            for octet in 0x80..=0xFF_usize {
                let is_letter = is_letter(cells.characters[octet]);
                assert_eq!(cells.cases[octet] == super::NONE, !is_letter);
                let classes = cells.classes.iter().all(|classes| classes[octet] != 0);
                assert_eq!(classes, is_letter, "{}: {octet:02X}", rival.charset);
                *letters.entry(rival.charset.name()).or_insert(0) += u32::from(is_letter);
            }
        }
        // By the Encoding Standard's index of windows-1252: the 62 accented letters of Latin-1,
        // and Š, š, Œ, œ, Ž, ž, Ÿ, ƒ.
        assert_eq!(letters["windows-1252"], 62 + 8);
    }
}
