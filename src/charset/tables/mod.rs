//! Reads the tables' text when compiling, so that a slip in one is a build error.
//!
//! What each file maps and where it comes from is in `tables/README.md`.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::cast_possible_truncation,
    clippy::large_stack_arrays,
    reason = "runs while compiling, where a panic is the build error that is wanted"
)]

use super::hangul::{NEW_COUNT, OLD_COUNT};

/// Lines of `OLD;NEW` in hexadecimal, in the order of the old code points.
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

/// Old code points by new, 0 where there is none.
pub(super) const fn inverted_hangul(modern: &[u16; OLD_COUNT]) -> [u16; NEW_COUNT] {
    let mut before = [0; NEW_COUNT];
    let mut row = 0;
    while row < OLD_COUNT {
        let place = modern[row] as usize - 0xAC00;
        assert!(before[place] == 0);
        before[place] = 0x3400 + row as u16;
        row += 1;
    }
    before
}

/// Lines of `FIRST;LAST` in hexadecimal, ascending and apart.
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

/// Four upper-case hexadecimal digits.
const fn hex4(text: &[u8], at: usize) -> u16 {
    let mut value = 0;
    let mut index = at;
    while index < at + 4 {
        let digit = match text[index] {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'A'..=b'F' => digit - b'A' + 10,
            _ => panic!("expected a hexadecimal digit"),
        };
        value = value * 16 + digit as u16;
        index += 1;
    }
    value
}
