//! The frequency tables, read from their texts when compiling. The README beside them says
//! what they count and how they were made.

/// How often the letters of a language follow each other.
#[derive(Debug)]
pub(super) struct Letters {
    /// Lower-case letters and signs, ascending; the space in front stands for all others.
    alphabet: [u16; MAX_ALPHABET],
    count: usize,
    /// Whether a to z come first.
    is_latin: bool,
    /// A row of costs for each of the alphabet, each with its line end.
    rows: &'static [u8],
}

/// The largest alphabet is that of Thai, with 68 signs.
const MAX_ALPHABET: usize = 72;

impl Letters {
    /// Where a lower-case character stands in the alphabet; 0 is not given to any.
    pub(super) fn index(&self, character: char) -> Option<usize> {
        if self.is_latin && character.is_ascii_lowercase() {
            return Some(usize::from(character as u8 - b'a') + 1);
        }
        let code = u16::try_from(u32::from(character)).ok()?;
        let alphabet = self.alphabet.get(1..self.count)?;
        Some(alphabet.binary_search(&code).ok()? + 1)
    }

    /// Whether a to z are letters of the language.
    pub(super) fn is_latin(&self) -> bool {
        self.is_latin
    }

    /// What it costs, in quarters of a bit, that `after` follows `before`; 0 is whatever is
    /// not in the alphabet.
    pub(super) fn cost(&self, before: usize, after: usize) -> i32 {
        let cell = self.rows.get(before * (self.count + 1) + after);
        cell.map_or(0, |&cell| i32::from(cell.saturating_sub(b'!')))
    }
}

/// How often the characters of a language occur that writes with thousands.
#[derive(Debug)]
pub(super) struct Characters {
    /// Runs of ascending characters of the same cost.
    characters: [u16; MAX_CHARACTERS],
    /// The cost of each run in bits, and where it ends.
    runs: [(u8, usize); MAX_RUNS],
}

const MAX_CHARACTERS: usize = 1000;
const MAX_RUNS: usize = 16;

impl Characters {
    /// What a character costs, in quarters of a bit, if it is one of the frequent ones.
    pub(super) fn cost(&self, character: char) -> Option<i32> {
        let code = u16::try_from(u32::from(character)).ok()?;
        let mut start = 0;
        for &(bits, end) in &self.runs {
            if self
                .characters
                .get(start..end)?
                .binary_search(&code)
                .is_ok()
            {
                return Some(4 * i32::from(bits));
            }
            start = end;
        }
        None
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn letters(text: &'static str) -> Letters {
    let octets = text.as_bytes();
    let mut alphabet = [0; MAX_ALPHABET];
    let (mut count, mut at) = (0, 0);
    while octets[at] != b'\n' {
        (alphabet[count], at) = code_point(octets, at);
        assert!(count < 2 || alphabet[count - 1] < alphabet[count]);
        count += 1;
    }
    let rows = octets.split_at(at + 1).1;
    assert!(rows.len() == count * (count + 1));
    let is_latin = count > 26 && alphabet[1] == b'a' as u16 && alphabet[26] == b'z' as u16;
    Letters {
        alphabet,
        count,
        is_latin,
        rows,
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn characters(text: &'static str) -> Characters {
    let octets = text.as_bytes();
    let mut characters = [0; MAX_CHARACTERS];
    let mut runs = [(0, 0); MAX_RUNS];
    let (mut count, mut run, mut at) = (0, 0, 0);
    while at < octets.len() {
        let mut bits = 0;
        while octets[at] != b' ' {
            bits = bits * 10 + (octets[at] - b'0');
            at += 1;
        }
        at += 1;
        let start = count;
        while octets[at] != b'\n' {
            (characters[count], at) = code_point(octets, at);
            assert!(count == start || characters[count - 1] < characters[count]);
            count += 1;
        }
        at += 1;
        runs[run] = (bits, count);
        run += 1;
    }
    while run < MAX_RUNS {
        runs[run] = (0, count);
        run += 1;
    }
    Characters { characters, runs }
}

/// The code point of up to three octets of UTF-8 at `at`, and where the next one is.
#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn code_point(octets: &[u8], at: usize) -> (u16, usize) {
    let first = octets[at] as u16;
    if first < 0x80 {
        return (first, at + 1);
    }
    let second = (octets[at + 1] & 0x3F) as u16;
    if first < 0xE0 {
        return ((first & 0x1F) << 6 | second, at + 2);
    }
    let third = (octets[at + 2] & 0x3F) as u16;
    ((first & 0x0F) << 12 | second << 6 | third, at + 3)
}

pub(super) static AR: Letters = letters(include_str!("letters/ar.txt"));
pub(super) static BE: Letters = letters(include_str!("letters/be.txt"));
pub(super) static BG: Letters = letters(include_str!("letters/bg.txt"));
pub(super) static CA: Letters = letters(include_str!("letters/ca.txt"));
pub(super) static CS: Letters = letters(include_str!("letters/cs.txt"));
pub(super) static CY: Letters = letters(include_str!("letters/cy.txt"));
pub(super) static DA: Letters = letters(include_str!("letters/da.txt"));
pub(super) static DE: Letters = letters(include_str!("letters/de.txt"));
pub(super) static EL: Letters = letters(include_str!("letters/el.txt"));
pub(super) static EN: Letters = letters(include_str!("letters/en.txt"));
pub(super) static EO: Letters = letters(include_str!("letters/eo.txt"));
pub(super) static ES: Letters = letters(include_str!("letters/es.txt"));
pub(super) static ET: Letters = letters(include_str!("letters/et.txt"));
pub(super) static FA: Letters = letters(include_str!("letters/fa.txt"));
pub(super) static FI: Letters = letters(include_str!("letters/fi.txt"));
pub(super) static FR: Letters = letters(include_str!("letters/fr.txt"));
pub(super) static GA: Letters = letters(include_str!("letters/ga.txt"));
pub(super) static HE: Letters = letters(include_str!("letters/he.txt"));
pub(super) static HR: Letters = letters(include_str!("letters/hr.txt"));
pub(super) static HU: Letters = letters(include_str!("letters/hu.txt"));
pub(super) static IS: Letters = letters(include_str!("letters/is.txt"));
pub(super) static IT: Letters = letters(include_str!("letters/it.txt"));
pub(super) static LT: Letters = letters(include_str!("letters/lt.txt"));
pub(super) static LV: Letters = letters(include_str!("letters/lv.txt"));
pub(super) static MK: Letters = letters(include_str!("letters/mk.txt"));
pub(super) static NL: Letters = letters(include_str!("letters/nl.txt"));
pub(super) static PL: Letters = letters(include_str!("letters/pl.txt"));
pub(super) static PT: Letters = letters(include_str!("letters/pt.txt"));
pub(super) static RO: Letters = letters(include_str!("letters/ro.txt"));
pub(super) static RU: Letters = letters(include_str!("letters/ru.txt"));
pub(super) static SK: Letters = letters(include_str!("letters/sk.txt"));
pub(super) static SQ: Letters = letters(include_str!("letters/sq.txt"));
pub(super) static SR: Letters = letters(include_str!("letters/sr.txt"));
pub(super) static SV: Letters = letters(include_str!("letters/sv.txt"));
pub(super) static TH: Letters = letters(include_str!("letters/th.txt"));
pub(super) static TR: Letters = letters(include_str!("letters/tr.txt"));
pub(super) static UK: Letters = letters(include_str!("letters/uk.txt"));
pub(super) static VI: Letters = letters(include_str!("letters/vi.txt"));
pub(super) static JA: Characters = characters(include_str!("characters/ja.txt"));
pub(super) static KO: Characters = characters(include_str!("characters/ko.txt"));
pub(super) static ZH_HANS: Characters = characters(include_str!("characters/zh-Hans.txt"));
pub(super) static ZH_HANT: Characters = characters(include_str!("characters/zh-Hant.txt"));
