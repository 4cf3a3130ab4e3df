//! Parses the text tables. All but `tscii.txt` and the tables of pairs are parsed at compile time,
//! so that an error in such a table fails the build. The compiler interprets this code, which
//! therefore matches octets with slice patterns: one call of `split_at` takes as long as matching
//! twenty octets.
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
    /// The text from the start of the row.
    pub(super) from: &'static [u8],
    pub(super) cells: [&'static [u8]; COLUMNS],
    /// The text after the row.
    pub(super) after: &'static [u8],
}

/// The first row of `text`, which must begin at the start of a line. Cells are separated by tabs; missing cells are
/// empty. Lines that begin with `#` are comments.
pub(super) const fn text_row<const COLUMNS: usize>(
    text: &'static [u8],
) -> Option<TextRow<COLUMNS>> {
    let mut from = text;
    while let [b'#', ..] = from {
        (_, from) = split_once(from, b'\n');
    }
    if from.is_empty() {
        return None;
    }
    let (mut line, after) = split_once(from, b'\n');
    let mut cells = [b"" as &[u8]; COLUMNS];
    let mut column = 0;
    while column < COLUMNS {
        (cells[column], line) = split_once(line, b'\t');
        column += 1;
    }
    assert!(line.is_empty(), "more cells than columns");
    Some(TextRow { from, cells, after })
}

/// The octets before and after the first `separator`; without one, all octets and none.
pub(super) const fn split_once(text: &[u8], separator: u8) -> (&[u8], &[u8]) {
    let mut rest = text;
    while let [octet, after @ ..] = rest {
        if *octet == separator {
            return (text.split_at(text.len() - rest.len()).0, after);
        }
        rest = after;
    }
    (text, rest)
}

/// The number of code points of old Hangul, U+3400 to U+4DFF.
pub(super) const OLD_COUNT: usize = 0x4E00 - 0x3400;

/// Parses lines of `OLD;NEW` in hexadecimal, in order of the old code points.
pub(super) const fn hangul(mut text: &[u8]) -> [u16; OLD_COUNT] {
    let mut table = [0; OLD_COUNT];
    let mut row = 0;
    while let Some((old, new, rest)) = two_code_points(text) {
        assert!(old as usize == 0x3400 + row);
        table[row] = new;
        row += 1;
        text = rest;
    }
    assert!(row == OLD_COUNT);
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
pub(super) const fn ranges<const COUNT: usize>(mut text: &[u8]) -> [(u16, u16); COUNT] {
    let mut table = [(0, 0); COUNT];
    let mut row = 0;
    while let Some((first, last, rest)) = two_code_points(text) {
        assert!(first <= last);
        assert!(row == 0 || table[row - 1].1 < first);
        table[row] = (first, last);
        row += 1;
        text = rest;
    }
    assert!(row == COUNT);
    table
}

/// The two code points of the first line, and the text after it; `None` at the end.
const fn two_code_points(text: &[u8]) -> Option<(u16, u16, &[u8])> {
    if text.is_empty() {
        return None;
    }
    let (first, [b';', after @ ..]) = code_point(text) else {
        panic!("expected a semicolon");
    };
    match code_point(after) {
        (second, [b'\n', after @ ..]) => Some((first, second, after)),
        _ => panic!("expected the end of the line"),
    }
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
struct SetNames<const SETS: usize>([&'static [u8]; SETS]);

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
pub(super) const fn single_byte(name: &[u8]) -> Option<u16> {
    match find(&OVERSIZED.0, SINGLE_BYTE_COUNT, name) {
        Some(place) => Some(place as u16),
        None if cfg!(not(feature = "legacy")) => None,
        None => panic!("no single-byte set of this name"),
    }
}

const fn find<const SETS: usize>(
    names: &SetNames<SETS>,
    count: usize,
    name: &[u8],
) -> Option<usize> {
    let mut place = 0;
    while place < count {
        if equal(names.0[place], name) {
            return Some(place);
        }
        place += 1;
    }
    None
}

pub(super) const fn equal(mut a: &[u8], mut b: &[u8]) -> bool {
    // Most names that are compared differ in length.
    if a.len() != b.len() {
        return false;
    }
    while let ([x, after_x @ ..], [y, after_y @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (after_x, after_y);
    }
    true
}

/// Parses the texts. A set begins with a line `NAME over BASE`; each further line has an octet and the
/// cells from that octet on: `0041` a character, `0410..044F` consecutive characters, `-` unassigned,
/// `-*12` twelve unassigned cells. A name that ends in `+` is the practised form of the set before it.
/// Sets after a line `legacy` need the feature of that name.
const fn single_byte_sets<const SETS: usize, const WORDS: usize>()
-> (SetNames<SETS>, SingleByteSets<SETS, WORDS>, usize, usize) {
    let mut names = SetNames([b"" as &[u8]; SETS]);
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
            rest = match rest {
                [b'\n', after @ ..] => after,
                [b'#', ..] => split_once(rest, b'\n').1,
                [
                    a @ (b'0'..=b'9' | b'A'..=b'F'),
                    b @ (b'0'..=b'9' | b'A'..=b'F'),
                    b' ',
                    cells @ ..,
                ] => {
                    let (end, after) = row(hex(&[*a, *b]), cells, &mut words, word);
                    word = end;
                    sets[set - 1].end = end as u16;
                    after
                }
                [b'l', b'e', b'g', b'a', b'c', b'y', b'\n', after @ ..] => {
                    if cfg!(not(feature = "legacy")) {
                        break;
                    }
                    after
                }
                _ => {
                    let (line, after) = split_once(rest, b'\n');
                    let (name, over) = split_once(line, b' ');
                    let [b'o', b'v', b'e', b'r', b' ', base @ ..] = over else {
                        panic!("expected a set over its base");
                    };
                    assert!(find(&names, set, name).is_none(), "a set defined twice");
                    names.0[set] = name;
                    sets[set] = SetDifferences {
                        base: match base {
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
                        practised: matches!(name, [.., b'+']),
                    };
                    set += 1;
                    after
                }
            };
        }
        file += 1;
    }
    (names, SingleByteSets { sets, words }, set, word)
}

/// Parses the cells of a line, which begin at `octet`. Returns the new number of words, and the text
/// after the line.
const fn row<'a>(
    octet: u16,
    mut text: &'a [u8],
    words: &mut [u16],
    start: usize,
) -> (usize, &'a [u8]) {
    let mut word = start + 1;
    loop {
        let (mut value, step, mut count, after) = match text {
            [b'-', b'*', after @ ..] => {
                let (count, after) = number(after);
                (UNASSIGNED, 0, count, after)
            }
            [b'-', after @ ..] => (UNASSIGNED, 0, 1, after),
            _ => {
                let (first, after) = code_point(text);
                let (last, after) = match after {
                    [b'.', b'.', after @ ..] => code_point(after),
                    _ => (first, after),
                };
                assert!(first <= last && last < UNASSIGNED);
                assert!(first < 0xD800 || first > 0xDFFF, "no surrogates");
                (first, 1, last - first + 1, after)
            }
        };
        while count > 0 {
            words[word] = value;
            word += 1;
            value += step;
            count -= 1;
        }
        text = match after {
            [b' ', after @ ..] => after,
            [b'\n', after @ ..] => {
                let count = word - start - 1;
                assert!(octet as usize + count <= 256);
                words[start] = octet * 256 + (count - 1) as u16;
                return (word, after);
            }
            _ => panic!("expected a blank or the end of the line"),
        };
    }
}

/// The decimal number at the start of `text`, and the text after it.
pub(super) const fn number(mut text: &[u8]) -> (u16, &[u8]) {
    assert!(matches!(text, [b'0'..=b'9', ..]), "expected a number");
    let mut number = 0;
    while let [digit @ b'0'..=b'9', after @ ..] = text {
        number = number * 10 + (*digit - b'0') as u16;
        text = after;
    }
    (number, text)
}

/// The four hexadecimal digits at the start of `text`, and the text after them.
const fn code_point(text: &[u8]) -> (u16, &[u8]) {
    match text {
        [a, b, c, d, after @ ..] => (hex(&[*a, *b, *c, *d]), after),
        _ => panic!("expected four digits"),
    }
}

/// Parses upper-case hexadecimal digits.
const fn hex(mut digits: &[u8]) -> u16 {
    let mut value = 0;
    while let [digit, rest @ ..] = digits {
        value = value * 16
            + match *digit {
                b'0'..=b'9' => *digit - b'0',
                b'A'..=b'F' => *digit - b'A' + 10,
                _ => panic!("expected a hexadecimal digit"),
            } as u16;
        digits = rest;
    }
    value
}
