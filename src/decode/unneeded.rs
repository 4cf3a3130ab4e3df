//! Reports characters useless in text: NUL and noncharacters. They are kept.

use memchr::memmem;

use crate::report::{Kind, Report};

/// The useless characters in a text, whole or in pieces.
#[derive(Debug, Default)]
pub(crate) struct Unneeded {
    /// The length of the text so far, in octets.
    length: usize,
    /// The number of NULs, and the offset of the first.
    nuls: Option<(usize, usize)>,
    noncharacters: Option<(usize, usize)>,
}

impl Unneeded {
    /// Adds the next piece of the text. `is_ascii` is set if the caller knows that the piece is ASCII.
    #[inline]
    pub(crate) fn add(&mut self, text: &str, is_ascii: bool) {
        let before = self.length;
        let with = |known: Option<(usize, usize)>, count, first| {
            let (counted, first) = known.unwrap_or((0, before + first));
            Some((counted + count, first))
        };
        if let Some(first) = memchr::memchr(0, text.as_bytes()) {
            let count = memchr::memchr_iter(0, text.as_bytes()).count();
            self.nuls = with(self.nuls, count, first);
        }
        // U+FDD0 begins with EF, and characters below it are not noncharacters. The loop has no
        // branches, so it compiles to vector instructions.
        if !is_ascii
            && text.bytes().fold(0, u8::max) >= 0xEF
            && let Some((count, first)) = noncharacters(text)
        {
            self.noncharacters = with(self.noncharacters, count, first);
        }
        self.length += text.len();
    }

    /// Reports NULs (RFC 5322, section 4; RFC 7103, section 7.6) and noncharacters, each in one finding
    /// with their number. Noncharacters are valid in UTF-8 (RFC 3629, section 4) but useless in mail
    /// (Unicode Standard, section 23.7). Both are kept, since exact text drops nothing.
    #[inline]
    pub(crate) fn into_report(self, report: &mut Report) {
        for (kind, found) in [
            (Kind::Nul, self.nuls),
            (Kind::Noncharacter, self.noncharacters),
        ] {
            if let Some((count, first)) = found {
                let detail = format!("{count} of them, the first at offset {first} of the text");
                report.add_in_octets(kind, 0, 0, detail);
            }
        }
    }
}

/// The number of noncharacters, and the offset of the first.
fn noncharacters(text: &str) -> Option<(usize, usize)> {
    // U+FDD0 to U+FDEF begin with the first pair; U+nFFFE and U+nFFFF end with one of the others. Other
    // characters may contain these pairs too.
    let octets: [&[u8]; 3] = [b"\xEF\xB7", b"\xBF\xBE", b"\xBF\xBF"];
    let (mut count, mut first) = (0, usize::MAX);
    for octets in octets {
        for found in memmem::find_iter(text.as_bytes(), octets) {
            let start = (0..=found).rev().find(|&at| text.is_char_boundary(at));
            let start = start.unwrap_or(0);
            let rest = text.get(start..).unwrap_or_default();
            let Some(character) = rest.chars().next().filter(|&it| is_noncharacter(it)) else {
                continue;
            };
            let character = rest
                .as_bytes()
                .get(..character.len_utf8())
                .unwrap_or_default();
            if character.starts_with(octets) || character.ends_with(octets) {
                count += 1;
                first = first.min(start);
            }
        }
    }
    (count > 0).then_some((count, first))
}

/// One of the 66 noncharacters (Unicode Standard, section 23.7).
pub(super) fn is_noncharacter(character: char) -> bool {
    let value = u32::from(character);
    matches!(value, 0xFDD0..=0xFDEF) || value & 0xFFFE == 0xFFFE
}

#[cfg(test)]
mod tests {
    use super::{is_noncharacter, noncharacters};

    /// U+FDD0 to U+FDEF, and the last two code points of each of 17 planes.
    #[test]
    fn there_are_66_noncharacters() {
        let all = || '\0'..=char::MAX;
        let text: String = all().collect();
        // 128 scalar values of one octet, 1,920 of two, and those of three up to U+FDCF without the
        // 2,048 surrogates.
        let first = 128 + 2 * 1920 + 3 * (0xFDD0 - 0x800 - 2048);
        assert_eq!(noncharacters(&text), Some((32 + 2 * 17, first)));
        let others: String = all().filter(|&c| !is_noncharacter(c)).collect();
        assert_eq!(noncharacters(&others), None);
        for character in all().filter(|&c| is_noncharacter(c)) {
            let text = format!("é\u{BFFF}{character}{character}\u{3FFFD}");
            assert_eq!(noncharacters(&text), Some((2, 5)), "{character:?}");
        }
    }
}
