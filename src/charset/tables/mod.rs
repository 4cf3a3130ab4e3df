//! Parses the text tables at compile time, so that an error in one fails the build.
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
    let mut at = 0;
    while at < text.len() {
        if text.as_bytes()[at] == separator {
            return (text.split_at(at).0, text.split_at(at + 1).1);
        }
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
const SINGLE_BYTE_TEXTS: [&[u8]; 10] = [
    include_bytes!("iso8859.txt"),
    include_bytes!("windows.txt"),
    include_bytes!("dos.txt"),
    include_bytes!("mac.txt"),
    include_bytes!("cyrillic.txt"),
    include_bytes!("ebcdic.txt"),
    include_bytes!("iso646.txt"),
    include_bytes!("supplementary.txt"),
    include_bytes!("vendors.txt"),
    include_bytes!("indic.txt"),
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
struct Names<const SETS: usize>([&'static [u8]; SETS]);

/// This is a static, since a constant would be copied at each use in the loops below.
static OVERSIZED: (Names<300>, SingleByteSets<300, 16_384>, usize, usize) = single_byte_sets();

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
    match find(&OVERSIZED.0, SINGLE_BYTE_COUNT, name.as_bytes()) {
        Some(place) => Some(place as u16),
        None if cfg!(not(feature = "legacy")) => None,
        None => panic!("no single-byte set of this name"),
    }
}

const fn find<const SETS: usize>(names: &Names<SETS>, count: usize, name: &[u8]) -> Option<usize> {
    let mut place = 0;
    while place < count {
        if equal(names.0[place], name) {
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
-> (Names<SETS>, SingleByteSets<SETS, WORDS>, usize, usize) {
    let mut names: [&'static [u8]; SETS] = [b""; SETS];
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
        let text = SINGLE_BYTE_TEXTS[file];
        let mut at = 0;
        while at < text.len() {
            let end = line_end(text, at);
            if text[at] == b'#' || at == end {
                // Skip a comment or an empty line between sets.
            } else if equal(between(text, at, end), b"legacy") {
                if cfg!(not(feature = "legacy")) {
                    break;
                }
            } else if let Some(over) = over(text, at, end) {
                let name = between(text, at, over);
                let base = between(text, over + 6, end);
                assert!(find(&Names(names), set, name).is_none(), "a set told twice");
                names[set] = name;
                sets[set] = SetDifferences {
                    base: match base {
                        b"ascii" => Base::Ascii,
                        b"controls" => Base::Controls,
                        b"latin1" => Base::Latin1,
                        _ => match find(&Names(names), set, base) {
                            Some(place) => Base::Set(place as u16),
                            None => panic!("a set builds on those before it"),
                        },
                    },
                    start: word as u16,
                    end: word as u16,
                    practised: name[name.len() - 1] == b'+',
                };
                set += 1;
            } else {
                word = row(text, at, end, &mut words, word);
                sets[set - 1].end = word as u16;
            }
            at = end + 1;
        }
        file += 1;
    }
    (Names(names), SingleByteSets { sets, words }, set, word)
}

/// Parses one line of cells. Returns the new number of words.
const fn row(text: &[u8], line: usize, end: usize, words: &mut [u16], start: usize) -> usize {
    let octet = hex2(text, line);
    let mut at = line + 2;
    let mut word = start + 1;
    while at < end {
        assert!(text[at] == b' ', "one blank before each cell");
        at += 1;
        if text[at] == b'-' {
            let mut times = 1;
            at += 1;
            if at < end && text[at] == b'*' {
                times = 0;
                at += 1;
                while at < end && text[at] != b' ' {
                    assert!(text[at].is_ascii_digit());
                    times = times * 10 + (text[at] - b'0') as usize;
                    at += 1;
                }
            }
            while times > 0 {
                words[word] = UNASSIGNED;
                word += 1;
                times -= 1;
            }
        } else {
            let first = hex4(text, at);
            let mut last = first;
            at += 4;
            if at < end && text[at] == b'.' {
                assert!(text[at + 1] == b'.');
                last = hex4(text, at + 2);
                at += 6;
            }
            assert!(first <= last && last < UNASSIGNED);
            assert!(first < 0xD800 || first > 0xDFFF, "no surrogates");
            let mut cell = first;
            while cell <= last {
                words[word] = cell;
                word += 1;
                cell += 1;
            }
        }
    }
    let cells = word - start - 1;
    assert!(cells > 0 && octet as usize + cells <= 256);
    words[start] = octet * 256 + (cells - 1) as u16;
    word
}

const fn line_end(text: &[u8], at: usize) -> usize {
    let mut end = at;
    while text[end] != b'\n' {
        end += 1;
    }
    end
}

/// The offset of ` over ` if it follows the first word of the line.
const fn over(text: &[u8], at: usize, end: usize) -> Option<usize> {
    let mut place = at;
    while place + 6 < end {
        if text[place] == b' ' {
            let is_over = text[place + 1] == b'o' && text[place + 2] == b'v';
            return if is_over { Some(place) } else { None };
        }
        place += 1;
    }
    None
}

const fn between(text: &'static [u8], start: usize, end: usize) -> &'static [u8] {
    text.split_at(end).0.split_at(start).1
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
