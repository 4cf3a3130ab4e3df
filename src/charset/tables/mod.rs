//! Parses the text tables. All but `tscii.txt` and the tables of pairs are parsed at compile time, so that
//! an error in one fails the build.
//!
//! `tables/README.md` describes what each file maps, and gives its source.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    reason = "runs at compile time, where a panic is the intended build error"
)]

/// A row of a text table.
pub(super) struct TextRow<const COLUMNS: usize> {
    /// The offset of the row.
    pub(super) start: usize,
    pub(super) cells: [&'static str; COLUMNS],
    /// The offset of the next line.
    pub(super) next: usize,
}

/// The first row at or after `at`, which must be the start of a line. Cells are separated by tabs; the
/// last cell is optional. Lines that begin with `#` are comments.
pub(super) const fn text_row<const COLUMNS: usize>(
    table: &'static str,
    mut at: usize,
) -> Option<TextRow<COLUMNS>> {
    let octets = table.as_bytes();
    while at < octets.len() && octets[at] == b'#' {
        at = line_end(octets, at) + 1;
    }
    if at >= octets.len() {
        return None;
    }
    let end = line_end(octets, at);
    let mut rest = table.split_at(end).0.split_at(at).1;
    let mut cells = [""; COLUMNS];
    let mut column = 0;
    while column < COLUMNS {
        (cells[column], rest) = split_once(rest, b'\t');
        column += 1;
    }
    assert!(rest.is_empty(), "more cells than columns");
    Some(TextRow {
        start: at,
        cells,
        next: end + 1,
    })
}

/// The text before and after the first `separator`; without one, the whole text and an empty
/// string.
pub(super) const fn split_once(text: &'static str, separator: u8) -> (&'static str, &'static str) {
    let (mut rest, mut at) = (text.as_bytes(), 0);
    while let [octet, after @ ..] = rest {
        if *octet == separator {
            return (text.split_at(at).0, text.split_at(at + 1).1);
        }
        rest = after;
        at += 1;
    }
    (text, "")
}

/// The number of code points of old Hangul, U+3400 to U+4DFF.
pub(super) const OLD_COUNT: usize = 0x4E00 - 0x3400;

/// Parses lines of `OLD;NEW` in hexadecimal, in order of the old code points.
pub(super) const fn hangul(text: &[u8]) -> [u16; OLD_COUNT] {
    let mut table = [0; OLD_COUNT];
    let mut row = 0;
    while row < OLD_COUNT {
        let line = row * 10;
        assert!(hex4(text, line) as usize == 0x3400 + row);
        assert!(text[line + 4] == b';' && text[line + 9] == b'\n');
        table[row] = hex4(text, line + 5);
        row += 1;
    }
    assert!(text.len() == OLD_COUNT * 10);
    table
}

/// The row of a character of U+3000 to U+4FFF, from the four octets that start with it; the fourth
/// octet is ignored. Each of the 8,192 characters has its own row: this is a perfect hash, with a
/// factor found by search.
#[expect(
    clippy::inline_always,
    reason = "code on blocks is compiled for the processor only if inlined"
)]
#[inline(always)]
pub(super) const fn hangul_row(octets: u32) -> usize {
    (octets.wrapping_mul(1 << 24 | 1 << 17 | 1 << 10) >> 19) as usize
}

/// Parses lines of `FIRST;LAST` in hexadecimal, ascending and disjoint.
pub(super) const fn ranges<const COUNT: usize>(text: &[u8]) -> [(u16, u16); COUNT] {
    let mut table = [(0, 0); COUNT];
    let mut row = 0;
    while row < COUNT {
        let line = row * 10;
        assert!(text[line + 4] == b';' && text[line + 9] == b'\n');
        table[row] = (hex4(text, line), hex4(text, line + 5));
        assert!(table[row].0 <= table[row].1);
        assert!(row == 0 || table[row - 1].1 < table[row].0);
        row += 1;
    }
    assert!(text.len() == COUNT * 10);
    table
}

/// Parses four upper-case hexadecimal digits.
const fn hex4(text: &[u8], at: usize) -> u16 {
    hex2(text, at) * 0x100 + hex2(text, at + 2)
}

/// The single-byte sets, one text per family; a set follows its base.
const SINGLE_BYTE_TEXTS: [&str; 10] = [
    include_str!("iso8859.txt"),
    include_str!("windows.txt"),
    include_str!("dos.txt"),
    include_str!("mac.txt"),
    include_str!("cyrillic.txt"),
    include_str!("ebcdic.txt"),
    include_str!("iso646.txt"),
    include_str!("supplementary.txt"),
    include_str!("vendors.txt"),
    include_str!("indic.txt"),
];

/// The base from which a set's differences are stored.
#[derive(Clone, Copy)]
pub(super) enum Base {
    /// ASCII; 80 to FF unassigned.
    Ascii,
    /// ASCII and the C1 controls; A0 to FF unassigned.
    Controls,
    /// Every octet is the code point of the same number.
    Latin1,
    /// Another set, by its index in the list.
    Set(u16),
}

/// The cells of a set that differ from its base.
#[derive(Clone, Copy)]
pub(super) struct SetDifferences {
    pub(super) base: Base,
    /// Start and end of its cells in [`SingleByteSets::words`].
    pub(super) start: u16,
    pub(super) end: u16,
    /// Whether this is the practised form of the set before it.
    pub(super) practised: bool,
}

/// Marks an unassigned cell; U+FFFF is a noncharacter.
pub(super) const UNASSIGNED: u16 = 0xFFFF;

/// All single-byte sets.
pub(super) struct SingleByteSets<const SETS: usize, const WORDS: usize> {
    pub(super) sets: [SetDifferences; SETS],
    /// Runs of cells: first octet times 256 plus the number of cells after the first, then the cells.
    pub(super) words: [u16; WORDS],
}

/// Names of the sets, for lookup at compile time.
struct SetNames<const SETS: usize>([&'static str; SETS]);

/// This is a static, since a constant would be copied at each use in the loops below.
static OVERSIZED: (SetNames<300>, SingleByteSets<300, 16_384>, usize, usize) = single_byte_sets();

pub(super) const SINGLE_BYTE_COUNT: usize = OVERSIZED.2;

pub(super) static SINGLE_BYTE: SingleByteSets<SINGLE_BYTE_COUNT, { OVERSIZED.3 }> = {
    let (mut sets, mut words) = ([OVERSIZED.1.sets[0]; SINGLE_BYTE_COUNT], [0; OVERSIZED.3]);
    let mut at = 0;
    while at < SINGLE_BYTE_COUNT {
        sets[at] = OVERSIZED.1.sets[at];
        at += 1;
    }
    at = 0;
    while at < OVERSIZED.3 {
        words[at] = OVERSIZED.1.words[at];
        at += 1;
    }
    SingleByteSets { sets, words }
};

/// The index of a single-byte set in the list. An unknown name fails the build if the feature `legacy`
/// is on, and is `None` otherwise.
pub(super) const fn single_byte(name: &str) -> Option<u16> {
    match find(&OVERSIZED.0, SINGLE_BYTE_COUNT, name) {
        Some(place) => Some(place as u16),
        None if cfg!(not(feature = "legacy")) => None,
        None => panic!("no single-byte set of this name"),
    }
}

const fn find<const SETS: usize>(
    names: &SetNames<SETS>,
    count: usize,
    name: &str,
) -> Option<usize> {
    let mut place = 0;
    while place < count {
        if equal(names.0[place].as_bytes(), name.as_bytes()) {
            return Some(place);
        }
        place += 1;
    }
    None
}

pub(super) const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Parses the texts. A set begins with a line `NAME over BASE`; each further line has an octet and the
/// cells from that octet on: `0041` a character, `0410..044F` consecutive characters, `-` unassigned,
/// `-*12` twelve unassigned cells. A name that ends in `+` is the practised form of the set before it.
/// Sets after a line `legacy` need the feature of that name.
const fn single_byte_sets<const SETS: usize, const WORDS: usize>()
-> (SetNames<SETS>, SingleByteSets<SETS, WORDS>, usize, usize) {
    let mut names = SetNames([""; SETS]);
    let blank = SetDifferences {
        base: Base::Ascii,
        start: 0,
        end: 0,
        practised: false,
    };
    let mut sets = [blank; SETS];
    let mut words = [0; WORDS];
    let (mut set, mut word, mut file) = (0, 0, 0);
    while file < SINGLE_BYTE_TEXTS.len() {
        let mut rest = SINGLE_BYTE_TEXTS[file];
        while !rest.is_empty() {
            let (line, after) = split_once(rest, b'\n');
            rest = after;
            let (first, others) = split_once(line, b' ');
            let (over, base) = split_once(others, b' ');
            match (line.as_bytes(), over.as_bytes()) {
                (b"legacy", _) if cfg!(not(feature = "legacy")) => break,
                // An empty line between sets, or a comment.
                ([] | [b'#', ..] | b"legacy", _) => {}
                (_, b"over") => {
                    assert!(find(&names, set, first).is_none(), "a set told twice");
                    names.0[set] = first;
                    sets[set] = SetDifferences {
                        base: match base.as_bytes() {
                            b"ascii" => Base::Ascii,
                            b"controls" => Base::Controls,
                            b"latin1" => Base::Latin1,
                            _ => match find(&names, set, base) {
                                Some(place) => Base::Set(place as u16),
                                None => panic!("a set builds on those before it"),
                            },
                        },
                        start: word as u16,
                        end: word as u16,
                        practised: matches!(first.as_bytes(), [.., b'+']),
                    };
                    set += 1;
                }
                _ => {
                    assert!(first.len() == 2, "the octet of the first cell");
                    word = row(hex2(first.as_bytes(), 0), others, &mut words, word);
                    sets[set - 1].end = word as u16;
                }
            }
        }
        file += 1;
    }
    (names, SingleByteSets { sets, words }, set, word)
}

/// Parses the cells of a line, which begin at `octet`. Returns the new number of words.
const fn row(octet: u16, mut cells: &'static str, words: &mut [u16], start: usize) -> usize {
    let mut word = start + 1;
    while !cells.is_empty() {
        let (cell, rest) = split_once(cells, b' ');
        cells = rest;
        if let [b'-'] | [b'-', b'*', b'0'..=b'9', ..] = cell.as_bytes() {
            let (_, times) = split_once(cell, b'*');
            let mut times = match u16::from_str_radix(times, 10) {
                Ok(times) => times,
                _ if cell.len() == 1 => 1,
                _ => panic!("expected a number"),
            };
            while times > 0 {
                words[word] = UNASSIGNED;
                word += 1;
                times -= 1;
            }
        } else {
            let cell = cell.as_bytes();
            let mut value = hex4(cell, 0);
            let last = match cell {
                [_, _, _, _] => value,
                [_, _, _, _, b'.', b'.', _, _, _, _] => hex4(cell, 6),
                _ => panic!("expected a character or a range"),
            };
            assert!(value <= last && last < UNASSIGNED);
            assert!(value < 0xD800 || value > 0xDFFF, "no surrogates");
            while value <= last {
                words[word] = value;
                word += 1;
                value += 1;
            }
        }
    }
    let count = word - start - 1;
    assert!(count > 0 && octet as usize + count <= 256);
    words[start] = octet * 256 + (count - 1) as u16;
    word
}

const fn line_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while text[end] != b'\n' {
        end += 1;
    }
    end
}

/// Parses two upper-case hexadecimal digits.
const fn hex2(text: &[u8], at: usize) -> u16 {
    let (high, low) = (hex_digit(text[at]), hex_digit(text[at + 1]));
    high * 16 + low
}

const fn hex_digit(digit: u8) -> u16 {
    (match digit {
        b'0'..=b'9' => digit - b'0',
        b'A'..=b'F' => digit - b'A' + 10,
        _ => panic!("expected a hexadecimal digit"),
    }) as u16
}
