//! The costs of symbols by their neighbours: no-break spaces, quotation marks, dashes, currency signs
//! and all other non-ASCII characters that are not letters.
//!
//! Mail with few octets above 7F usually has only symbols there, so symbols are evidence too: an
//! apostrophe is between letters, a currency sign next to a digit, a bullet between spaces. The
//! cost, in quarters of a bit, is the sum of two values: the rarity of the symbol, from the number
//! of texts that have it, and a penalty for unusual neighbours.

/// The class of the character before or after a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Neighbour {
    /// A space, a line ending, a control, or no octet.
    Gap,
    /// An ASCII symbol, or another symbol.
    Sign,
    Digit,
    Letter,
    /// The same symbol.
    Same,
}

use Neighbour::{Digit, Gap, Letter, Same, Sign};

impl Neighbour {
    /// The class of an ASCII octet.
    pub(super) fn of_ascii(octet: u8) -> Self {
        match octet {
            b'0'..=b'9' => Digit,
            b'A'..=b'Z' | b'a'..=b'z' => Letter,
            0x21..=0x7E => Sign,
            _ => Gap,
        }
    }
}

/// Symbols with similar neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SymbolKind {
    Space,
    Apostrophe,
    Opening,
    Closing,
    Dash,
    Ellipsis,
    Currency,
    Trademark,
    Copyright,
    Degree,
    Fraction,
    Bullet,
    Section,
    Accent,
    Operator,
    Frame,
    Wide,
    Other,
}

/// The number of kinds.
const KINDS: usize = 18;
/// The number of classes of neighbours.
const NEIGHBOURS: usize = 5;

/// A symbol: its kind and its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    kind: SymbolKind,
    pub(super) cost: u8,
}

impl Symbol {
    /// Not a character.
    pub(super) const NONE: Symbol = Symbol {
        kind: SymbolKind::Other,
        cost: 120,
    };

    /// The symbol of a character that is not a letter.
    ///
    /// The costs were counted in texts of public mail that have few non-ASCII characters. The
    /// cost of a symbol is -4 log2 of its share among these characters, rounded; each text counts a
    /// character once. A symbol that was too rare to be counted has the cost of the rarest symbol
    /// of its kind.
    pub(super) fn of(character: char) -> Self {
        let (kind, cost) = match character {
            '\u{A0}' | '\u{3000}' => (SymbolKind::Space, 14),
            '\u{202F}' | '\u{2002}'..='\u{200B}' => (SymbolKind::Space, 40),
            '’' => (SymbolKind::Apostrophe, 14),
            '“' | '‘' => (SymbolKind::Opening, 21),
            '”' => (SymbolKind::Closing, 21),
            '«' | '„' => (SymbolKind::Opening, 34),
            '‚' => (SymbolKind::Opening, 48),
            '»' => (SymbolKind::Closing, 34),
            '¿' | '¡' => (SymbolKind::Opening, 36),
            '‹' => (SymbolKind::Opening, 56),
            '›' => (SymbolKind::Closing, 56),
            '–' => (SymbolKind::Dash, 23),
            '—' => (SymbolKind::Dash, 24),
            '―' | '\u{2010}'..='\u{2012}' => (SymbolKind::Dash, 48),
            '…' => (SymbolKind::Ellipsis, 24),
            '€' => (SymbolKind::Currency, 22),
            '£' => (SymbolKind::Currency, 31),
            '¥' | '¢' => (SymbolKind::Currency, 44),
            '®' | '™' => (SymbolKind::Trademark, 34),
            '©' => (SymbolKind::Copyright, 22),
            '°' | 'º' | 'ª' => (SymbolKind::Degree, 36),
            '½' | '¼' | '²' | '³' => (SymbolKind::Fraction, 42),
            '¾' | '¹' => (SymbolKind::Fraction, 46),
            '•' => (SymbolKind::Bullet, 28),
            '·' => (SymbolKind::Bullet, 34),
            '§' => (SymbolKind::Section, 36),
            '¶' | '†' | '№' => (SymbolKind::Section, 46),
            '´' => (SymbolKind::Accent, 36),
            '¨' | '¸' | '¯' | '\u{2B0}'..='\u{2FF}' => (SymbolKind::Accent, 56),
            '×' | '±' | 'µ' => (SymbolKind::Operator, 42),
            '÷' | '¬' | '‰' | '¦' | '¤' | '\u{2190}'..='\u{2193}' => {
                (SymbolKind::Operator, 52)
            }
            '\u{AD}' => (SymbolKind::Dash, 40),
            '，' | '：' | '！' | '。' | '、' => (SymbolKind::Wide, 26),
            '？' | '；' | '（' | '）' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301B}' => {
                (SymbolKind::Wide, 32)
            }
            '\u{2500}'..='\u{25FF}' => (SymbolKind::Frame, 62),
            '\u{80}'..='\u{9F}' | '\u{FFFD}' => (SymbolKind::Other, 120),
            '\u{E000}'..='\u{F8FF}' => (SymbolKind::Other, 100),
            _ => return Symbol::UNLISTED,
        };
        Symbol { kind, cost }
    }

    /// Another symbol, or a letter.
    const UNLISTED: Symbol = Symbol {
        kind: SymbolKind::Other,
        cost: 60,
    };

    /// Whether the character is a listed symbol, and thus not a letter.
    pub(super) fn is_listed(self) -> bool {
        self != Symbol::UNLISTED
    }

    /// The cost of the symbol between its neighbours.
    #[inline]
    pub(super) fn cost(self, left: Neighbour, right: Neighbour) -> i32 {
        let row = PENALTIES.get(self.kind as usize);
        let place = left as usize * NEIGHBOURS + right as usize;
        let penalty = row.and_then(|row| row.get(place)).copied().unwrap_or(0);
        if left == Same && self.cost < 100 {
            // A repeated symbol is cheap.
            i32::from(self.cost.min(penalty))
        } else {
            i32::from(self.cost) + i32::from(penalty)
        }
    }

    /// The minimum cost of the symbol.
    #[cfg(test)]
    pub(super) fn least(self) -> i32 {
        let repeated = self.cost(Same, Gap).min(self.cost(Same, Same));
        repeated
            .min(self.cost(Same, Letter))
            .min(i32::from(self.cost))
    }

    /// How much cheaper the symbol is if the text had it before.
    pub(super) fn discount(self) -> i32 {
        match (self.kind, self.cost) {
            (_, 100..) => 0,
            (
                SymbolKind::Space
                | SymbolKind::Apostrophe
                | SymbolKind::Bullet
                | SymbolKind::Trademark,
                cost,
            ) => i32::from(cost) / 2,
            (_, cost) => i32::from(cost) / 4,
        }
    }

    /// Whether it is a kind of space.
    pub(super) fn is_space(self) -> bool {
        self.kind == SymbolKind::Space
    }
}

/// The penalty of each kind of symbol between each two neighbours. After the same symbol, the value
/// is the whole cost, not a penalty.
const PENALTIES: [[u8; NEIGHBOURS * NEIGHBOURS]; KINDS] = penalties();

#[expect(
    clippy::indexing_slicing,
    reason = "runs at compile time, where a mistake is a build error"
)]
const fn penalties() -> [[u8; NEIGHBOURS * NEIGHBOURS]; KINDS] {
    const TEXT: &[u8] = include_bytes!("tables/penalties.txt");
    let mut table = [[0; NEIGHBOURS * NEIGHBOURS]; KINDS];
    let (mut at, mut row, mut cell) = (0, 0, 0);
    while at < TEXT.len() {
        match TEXT[at] {
            b'#' => {
                while TEXT[at + 1] != b'\n' {
                    at += 1;
                }
            }
            b'0'..=b'9' => {
                table[row][cell] = table[row][cell] * 10 + (TEXT[at] - b'0');
                cell += !TEXT[at + 1].is_ascii_digit() as usize;
            }
            b'\n' if cell > 0 => {
                assert!(cell == NEIGHBOURS * NEIGHBOURS);
                (row, cell) = (row + 1, 0);
            }
            _ => {}
        }
        at += 1;
    }
    assert!(row == KINDS);
    table
}

#[cfg(test)]
mod tests {
    use super::super::scripts::is_letter;
    use super::Symbol;

    #[test]
    fn listed_symbols_are_not_letters() {
        let characters = '\u{80}'..='\u{FFFD}';
        let listed: Vec<char> = characters
            .filter(|it| Symbol::of(*it).is_listed())
            .collect();
        assert!(listed.contains(&'º') && listed.contains(&'€') && !listed.contains(&'é'));
        assert!(!listed.into_iter().any(is_letter));
    }
}
