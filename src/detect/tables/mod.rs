//! The frequency tables, read from their texts when compiling. The README beside them says
//! what they count and how they were made.

/// How often the letters of a language follow each other.
#[derive(Debug)]
pub(super) struct Letters {
    /// Lower-case letters and signs, ascending; the space in front stands for all others.
    alphabet: &'static [u16],
    /// Whether a to z come first.
    is_latin: bool,
    /// For each of the alphabet, the costs of each of the alphabet behind it.
    costs: &'static [u8],
}

impl Letters {
    /// Where a lower-case character stands in the alphabet; 0 is not given to any.
    pub(super) const fn index(&self, code: u16) -> Option<usize> {
        match self.alphabet {
            [_, letters @ ..] => match place(letters, code) {
                Some(place) => Some(place + 1),
                None => None,
            },
            [] => None,
        }
    }

    /// Whether a to z are letters of the language.
    pub(super) const fn is_latin(&self) -> bool {
        self.is_latin
    }

    /// The lower-case letters and signs of the alphabet, ascending behind the space.
    pub(super) const fn codes(&self) -> &'static [u16] {
        self.alphabet
    }

    /// What each of the alphabet costs, in quarters of a bit, behind the one of that place; 0 is
    /// whatever is not in the alphabet, and costs nothing behind another of its kind. Nothing is
    /// behind a place that the alphabet has not.
    pub(super) const fn row(&self, before: usize) -> &'static [u8] {
        let count = self.alphabet.len();
        let Some((_, behind)) = self.costs.split_at_checked(before * count) else {
            return &[];
        };
        match behind.split_at_checked(count) {
            Some((row, _)) => row,
            None => &[],
        }
    }
}

/// Where a letter stands in an ascending alphabet.
pub(super) const fn place(alphabet: &[u16], letter: u16) -> Option<usize> {
    let (mut start, mut rest) = (0, alphabet);
    while let Some((before, [middle, behind @ ..])) = rest.split_at_checked(rest.len() / 2) {
        if *middle == letter {
            return Some(start + before.len());
        }
        if *middle < letter {
            start += before.len() + 1;
            rest = behind;
        } else {
            rest = before;
        }
    }
    None
}

/// How often the characters of a language occur that writes with thousands.
#[derive(Debug)]
pub(super) struct Characters {
    /// The frequent characters, ascending.
    sorted: [u16; MAX_CHARACTERS],
    /// What each costs, in bits.
    bits: [u8; MAX_CHARACTERS],
    /// For each block of 64 code points how many of the characters lie before it.
    blocks: [u16; BLOCKS + 1],
}

const MAX_CHARACTERS: usize = 1000;
const BLOCKS: usize = (1 << 16) / 64;

impl Characters {
    /// What a character costs, in quarters of a bit, if it is one of the frequent ones.
    pub(super) fn cost(&self, character: char) -> Option<i32> {
        let code = u16::try_from(u32::from(character)).ok()?;
        let block = usize::from(code / 64);
        let start = usize::from(*self.blocks.get(block)?);
        let end = usize::from(*self.blocks.get(block + 1)?);
        let within = self.sorted.get(start..end)?;
        let place = within.iter().position(|&it| it == code)?;
        self.bits
            .get(start + place)
            .map(|&bits| 4 * i32::from(bits))
    }
}

/// The table of letters in a file. A macro, since a function cannot give arrays of the length
/// that a text says.
macro_rules! letters {
    ($file:literal) => {{
        const TEXT: &[u8] = include_bytes!(concat!("letters/", $file));
        const COUNT: usize = count(TEXT);
        static ALPHABET: [u16; COUNT] = alphabet(TEXT);
        static COSTS: [u8; COUNT * COUNT] = costs(TEXT, COUNT);
        Letters {
            alphabet: &ALPHABET,
            is_latin: COUNT > 26 && ALPHABET[1] == b'a' as u16 && ALPHABET[26] == b'z' as u16,
            costs: &COSTS,
        }
    }};
}

/// How many characters the first line has.
#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn count(text: &[u8]) -> usize {
    let (mut count, mut at) = (0, 0);
    while text[at] != b'\n' {
        (_, at) = code_point(text, at);
        count += 1;
    }
    count
}

/// The characters of the first line, ascending behind the space.
#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn alphabet<const COUNT: usize>(text: &[u8]) -> [u16; COUNT] {
    let mut alphabet = [0; COUNT];
    let (mut row, mut at) = (0, 0);
    while row < COUNT {
        (alphabet[row], at) = code_point(text, at);
        assert!(row < 2 || alphabet[row - 1] < alphabet[row]);
        row += 1;
    }
    assert!(alphabet[0] == b' ' as u16);
    alphabet
}

/// The lines behind the first, each cost in an octet.
#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn costs<const CELLS: usize>(text: &[u8], count: usize) -> [u8; CELLS] {
    let rows = text.len() - count * (count + 1);
    assert!(text[rows - 1] == b'\n');
    let mut costs = [0; CELLS];
    // What is not in the alphabet is priced by itself, whatever it follows.
    let mut cell = 1;
    while cell < CELLS {
        let line = rows + cell / count * (count + 1);
        assert!(text[line + count] == b'\n');
        costs[cell] = text[line + cell % count] - b'!';
        cell += 1;
    }
    costs
}

#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn characters(octets: &[u8]) -> Characters {
    let mut characters = [0; MAX_CHARACTERS];
    let mut bits = [0; MAX_CHARACTERS];
    let mut run = [0; MAX_CHARACTERS];
    let (mut count, mut at) = (0, 0);
    while at < octets.len() {
        let mut cost = 0;
        while octets[at] != b' ' {
            cost = cost * 10 + (octets[at] - b'0');
            at += 1;
        }
        at += 1;
        let mut length = 0;
        while octets[at] != b'\n' {
            (run[length], at) = code_point(octets, at);
            assert!(length == 0 || run[length - 1] < run[length]);
            length += 1;
        }
        at += 1;
        // A run is ascending as what came before it is; merged from the end.
        let mut before = count;
        count += length;
        while length > 0 {
            let place = before + length - 1;
            if before > 0 && characters[before - 1] > run[length - 1] {
                before -= 1;
                (characters[place], bits[place]) = (characters[before], bits[before]);
            } else {
                length -= 1;
                (characters[place], bits[place]) = (run[length], cost);
            }
        }
    }
    assert!(count == MAX_CHARACTERS);
    let mut blocks = [0; BLOCKS + 1];
    let (mut block, mut before) = (0, 0);
    while block <= BLOCKS {
        while (before as usize) < count && (characters[before as usize] as usize) < 64 * block {
            before += 1;
        }
        blocks[block] = before;
        block += 1;
    }
    Characters {
        sorted: characters,
        bits,
        blocks,
    }
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

pub(super) static AR: Letters = letters!("ar.txt");
pub(super) static BE: Letters = letters!("be.txt");
pub(super) static BG: Letters = letters!("bg.txt");
pub(super) static CA: Letters = letters!("ca.txt");
pub(super) static CS: Letters = letters!("cs.txt");
pub(super) static CY: Letters = letters!("cy.txt");
pub(super) static DA: Letters = letters!("da.txt");
pub(super) static DE: Letters = letters!("de.txt");
pub(super) static EL: Letters = letters!("el.txt");
pub(super) static EN: Letters = letters!("en.txt");
pub(super) static EO: Letters = letters!("eo.txt");
pub(super) static ES: Letters = letters!("es.txt");
pub(super) static ET: Letters = letters!("et.txt");
pub(super) static FA: Letters = letters!("fa.txt");
pub(super) static FI: Letters = letters!("fi.txt");
pub(super) static FR: Letters = letters!("fr.txt");
pub(super) static GA: Letters = letters!("ga.txt");
pub(super) static HE: Letters = letters!("he.txt");
pub(super) static HR: Letters = letters!("hr.txt");
pub(super) static HU: Letters = letters!("hu.txt");
pub(super) static IS: Letters = letters!("is.txt");
pub(super) static IT: Letters = letters!("it.txt");
pub(super) static LT: Letters = letters!("lt.txt");
pub(super) static LV: Letters = letters!("lv.txt");
pub(super) static MK: Letters = letters!("mk.txt");
pub(super) static NL: Letters = letters!("nl.txt");
pub(super) static PL: Letters = letters!("pl.txt");
pub(super) static PT: Letters = letters!("pt.txt");
pub(super) static RO: Letters = letters!("ro.txt");
pub(super) static RU: Letters = letters!("ru.txt");
pub(super) static SK: Letters = letters!("sk.txt");
pub(super) static SQ: Letters = letters!("sq.txt");
pub(super) static SR: Letters = letters!("sr.txt");
pub(super) static SV: Letters = letters!("sv.txt");
pub(super) static TH: Letters = letters!("th.txt");
pub(super) static TR: Letters = letters!("tr.txt");
pub(super) static UK: Letters = letters!("uk.txt");
pub(super) static VI: Letters = letters!("vi.txt");
pub(super) static JA: Characters = characters(include_bytes!("characters/ja.txt"));
pub(super) static KO: Characters = characters(include_bytes!("characters/ko.txt"));
pub(super) static ZH_HANS: Characters = characters(include_bytes!("characters/zh-Hans.txt"));
pub(super) static ZH_HANT: Characters = characters(include_bytes!("characters/zh-Hant.txt"));

#[cfg(test)]
mod tests {
    use super::{EN, Letters, TH, VI};

    #[track_caller]
    fn assert_is_text(table: &Letters, text: &str) {
        let mut lines = text.lines();
        let alphabet: Vec<char> = lines.next().unwrap().chars().collect();
        for (place, &letter) in alphabet.iter().enumerate().skip(1) {
            let code = u16::try_from(u32::from(letter)).unwrap();
            assert_eq!(table.index(code), Some(place), "{letter}");
        }
        let mut rows = 0;
        for (before, line) in lines.enumerate() {
            assert_eq!(line.len(), alphabet.len());
            for (after, cell) in line.bytes().enumerate() {
                let is_text = (before, after) != (0, 0);
                let cost = if is_text { cell - 33 } else { 0 };
                assert_eq!(table.row(before)[after], cost);
            }
            rows += 1;
        }
        assert_eq!(rows, alphabet.len());
    }

    /// What is built is what the text says, from the smallest alphabet to the largest.
    #[test]
    fn costs_are_those_of_the_text() {
        assert_is_text(&EN, include_str!("letters/en.txt"));
        assert_is_text(&VI, include_str!("letters/vi.txt"));
        assert_is_text(&TH, include_str!("letters/th.txt"));
        assert_eq!(EN.index(0xE9), None);
        assert_eq!(EN.index(0x20), None);
    }
}
