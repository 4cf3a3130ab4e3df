//! The costs of signs by their neighbours: no-break spaces, quotation marks, dashes, currency signs and
//! all other characters above ASCII that are not letters.
//!
//! Mail with few octets above 7F usually has only signs there, so signs are evidence too: an apostrophe
//! is between letters, a currency sign next to a digit, a bullet between spaces. The cost, in quarters of
//! a bit, is that of the sign, by the number of texts that have it, plus a penalty for neighbours that
//! it seldom has.

/// The class of the character before or after a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Neighbour {
    /// A space, a line ending, a control, or no octet.
    Gap,
    /// An ASCII sign, or another sign above ASCII.
    Sign,
    Digit,
    Letter,
    /// The same sign.
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

/// Signs with the same neighbours.
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

/// A sign: its kind and its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    kind: SymbolKind,
    cost: u8,
}

impl Symbol {
    /// Not a character.
    pub(super) const NONE: Symbol = Symbol {
        kind: SymbolKind::Other,
        cost: 120,
    };

    /// The sign of a character that is not a letter.
    ///
    /// The costs are -4 log2 of the share of a sign among the characters above ASCII of texts
    /// that have few of them, counted in public mail (a text counts once for each character),
    /// rounded. Signs that were too rare to be counted have the cost of the rarest of their kind.
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
            '？' | '；' | '（' | '）' => (SymbolKind::Wide, 32),
            '\u{2500}'..='\u{25FF}' => (SymbolKind::Frame, 62),
            '\u{80}'..='\u{9F}' | '\u{FFFD}' => (SymbolKind::Other, 120),
            '\u{E000}'..='\u{F8FF}' => (SymbolKind::Other, 100),
            _ => return Symbol::UNLISTED,
        };
        Symbol { kind, cost }
    }

    /// Another sign, or a letter.
    const UNLISTED: Symbol = Symbol {
        kind: SymbolKind::Other,
        cost: 60,
    };

    /// Whether the character is in the list of signs, and thus not a letter.
    pub(super) fn is_listed(self) -> bool {
        self != Symbol::UNLISTED
    }

    /// The cost of the sign between its neighbours.
    #[inline]
    pub(super) fn cost(self, left: Neighbour, right: Neighbour) -> i32 {
        let row = PENALTIES.get(self.kind as usize);
        let place = left as usize * NEIGHBOURS + right as usize;
        let penalty = row.and_then(|row| row.get(place)).copied().unwrap_or(0);
        if left == Same && self.cost < 100 {
            // A repeated sign is cheap.
            i32::from(self.cost.min(penalty))
        } else {
            i32::from(self.cost) + i32::from(penalty)
        }
    }

    /// The minimum cost of the sign.
    #[cfg(test)]
    pub(super) fn least(self) -> i32 {
        let repeated = self.cost(Same, Gap).min(self.cost(Same, Same));
        repeated
            .min(self.cost(Same, Letter))
            .min(i32::from(self.cost))
    }

    /// The cost of the sign between its usual neighbours.
    pub(super) fn typical(self) -> u8 {
        self.cost
    }

    /// How much cheaper the sign is if the text had it before.
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

/// The penalty for each kind between each two neighbours; after the same sign, the whole cost.
const PENALTIES: [[u8; NEIGHBOURS * NEIGHBOURS]; KINDS] = penalties();

#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn penalties() -> [[u8; NEIGHBOURS * NEIGHBOURS]; KINDS] {
    const ALL_NEIGHBOURS: [Neighbour; NEIGHBOURS] = [Gap, Sign, Digit, Letter, Same];
    const ALL_KINDS: [SymbolKind; KINDS] = [
        SymbolKind::Space,
        SymbolKind::Apostrophe,
        SymbolKind::Opening,
        SymbolKind::Closing,
        SymbolKind::Dash,
        SymbolKind::Ellipsis,
        SymbolKind::Currency,
        SymbolKind::Trademark,
        SymbolKind::Copyright,
        SymbolKind::Degree,
        SymbolKind::Fraction,
        SymbolKind::Bullet,
        SymbolKind::Section,
        SymbolKind::Accent,
        SymbolKind::Operator,
        SymbolKind::Frame,
        SymbolKind::Wide,
        SymbolKind::Other,
    ];
    let mut table = [[0; NEIGHBOURS * NEIGHBOURS]; KINDS];
    let mut at = 0;
    while at < KINDS * NEIGHBOURS * NEIGHBOURS {
        let (row, cell) = (
            at / (NEIGHBOURS * NEIGHBOURS),
            at % (NEIGHBOURS * NEIGHBOURS),
        );
        let kind = ALL_KINDS[row];
        assert!(kind as usize == row);
        table[row][cell] = penalty(
            kind,
            ALL_NEIGHBOURS[cell / NEIGHBOURS],
            ALL_NEIGHBOURS[cell % NEIGHBOURS],
        );
        at += 1;
    }
    table
}

/// The penalty for a sign between two neighbours.
const fn penalty(kind: SymbolKind, left: Neighbour, right: Neighbour) -> u8 {
    match (kind, left) {
        (SymbolKind::Space | SymbolKind::Frame, Same) => 4,
        (
            SymbolKind::Bullet | SymbolKind::Dash | SymbolKind::Ellipsis | SymbolKind::Operator,
            Same,
        ) => 8,
        (_, Same) => 36,
        (
            SymbolKind::Space
            | SymbolKind::Apostrophe
            | SymbolKind::Opening
            | SymbolKind::Closing
            | SymbolKind::Dash
            | SymbolKind::Ellipsis
            | SymbolKind::Wide,
            _,
        ) => penalty_of_punctuation(kind, left, right),
        _ => penalty_of_other_sign(kind, left, right),
    }
}

/// The penalty for a space, a quotation mark or a mark that ends or joins words.
#[expect(
    clippy::match_same_arms,
    reason = "the rows of each kind are together, the likely ones first"
)]
const fn penalty_of_punctuation(kind: SymbolKind, left: Neighbour, right: Neighbour) -> u8 {
    match (kind, left, right) {
        (SymbolKind::Space, Letter, Letter) => 8,
        (SymbolKind::Space, Gap, Letter) => 4,
        (SymbolKind::Space, ..) => 0,

        (SymbolKind::Apostrophe, Letter, Letter) => 0,
        (SymbolKind::Apostrophe, Letter, _) => 4,
        (SymbolKind::Apostrophe, Gap | Sign, Letter | Digit) => 26,
        (SymbolKind::Apostrophe, Digit | Sign, _) => 12,
        (SymbolKind::Apostrophe, ..) => 36,

        (SymbolKind::Opening, Gap | Sign, Letter | Digit | Same) => 0,
        (SymbolKind::Opening, Gap | Sign, Sign) => 4,
        // German closes a low mark with it; or a space follows.
        (SymbolKind::Opening, Letter | Sign | Gap, Gap) => 12,
        // A low mark instead of a comma.
        (SymbolKind::Opening, Digit, Gap) => 12,
        (SymbolKind::Opening, Letter, Sign) => 14,
        (SymbolKind::Opening, ..) => 40,

        (SymbolKind::Closing, Letter | Sign | Digit, Gap | Sign | Same) => 0,
        (SymbolKind::Closing, Gap, Gap | Sign) => 12,
        (SymbolKind::Closing, Gap | Sign, Letter) => 16,
        (SymbolKind::Closing, ..) => 40,

        (SymbolKind::Dash, Gap | Sign, Gap | Sign) | (SymbolKind::Dash, Digit, Digit) => 0,
        (SymbolKind::Dash, Letter, Letter) => 4,
        (SymbolKind::Dash, ..) => 8,

        (SymbolKind::Ellipsis, Letter | Sign, Gap | Sign | Same) => 0,
        (SymbolKind::Ellipsis, ..) => 8,

        (SymbolKind::Wide, _, Letter) => 4,
        (SymbolKind::Wide, ..) => 0,

        _ => 0,
    }
}

/// The penalty for any other sign.
#[expect(
    clippy::match_same_arms,
    reason = "the rows of each kind are together, the likely ones first"
)]
const fn penalty_of_other_sign(kind: SymbolKind, left: Neighbour, right: Neighbour) -> u8 {
    match (kind, left, right) {
        (SymbolKind::Currency, Gap | Sign, Digit)
        | (SymbolKind::Currency, Gap | Digit, Gap | Sign) => 0,
        (SymbolKind::Currency, Sign, Gap | Sign) => 4,
        (SymbolKind::Currency, Letter, Gap | Digit | Sign) => 16,
        (SymbolKind::Currency, ..) => 24,

        (SymbolKind::Trademark, Letter | Digit, Gap | Sign) => 0,
        (SymbolKind::Trademark, Sign | Gap, Gap | Sign) => 8,
        (SymbolKind::Trademark, Letter, Digit) => 12,
        (SymbolKind::Trademark, ..) => 28,

        (SymbolKind::Copyright, Gap | Sign, Gap | Digit) => 0,
        (SymbolKind::Copyright, Gap | Sign, Sign) => 8,
        (SymbolKind::Copyright, Gap | Sign, _) => 28,
        (SymbolKind::Copyright, ..) => 20,

        (SymbolKind::Degree, Digit, _) => 0,
        (SymbolKind::Degree, Sign | Gap, Gap | Sign) => 10,
        (SymbolKind::Degree, Letter, Gap | Sign | Digit) => 10,
        (SymbolKind::Degree, ..) => 24,

        (SymbolKind::Fraction, Gap | Digit, Gap | Sign) => 0,
        (SymbolKind::Fraction, Letter, Gap | Sign) => 14,
        (SymbolKind::Fraction, Gap | Digit | Sign, _) => 8,
        (SymbolKind::Fraction, ..) => 24,

        (SymbolKind::Bullet, Gap | Sign, Gap | Same) => 0,
        (SymbolKind::Bullet, Gap | Sign, _) => 4,
        (SymbolKind::Bullet, Letter, Letter) => 14,
        (SymbolKind::Bullet, ..) => 16,

        (SymbolKind::Section, Gap | Sign, Gap | Digit | Same | Sign) => 0,
        (SymbolKind::Section, ..) => 20,

        (SymbolKind::Accent, Letter, Letter) => 0,
        (SymbolKind::Accent, Letter, _) => 8,
        (SymbolKind::Accent, Gap | Sign, Letter) => 16,
        (SymbolKind::Accent, ..) => 20,

        (SymbolKind::Operator, Gap | Digit | Sign, Gap | Digit | Sign) => 0,
        (SymbolKind::Operator, Gap | Digit, Letter) => 4,
        (SymbolKind::Operator, ..) => 24,

        (SymbolKind::Frame, Gap | Sign, _) => 0,
        (SymbolKind::Frame, ..) => 24,

        (SymbolKind::Other, Letter, Letter) => 24,
        (SymbolKind::Other, Letter, _) | (SymbolKind::Other, _, Letter) => 8,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::scripts::is_letter;
    use super::Symbol;

    #[test]
    fn what_is_listed_is_no_letter() {
        let characters = '\u{80}'..='\u{FFFD}';
        let listed: Vec<char> = characters
            .filter(|it| Symbol::of(*it).is_listed())
            .collect();
        assert!(listed.contains(&'º') && listed.contains(&'€') && !listed.contains(&'é'));
        assert!(!listed.into_iter().any(is_letter));
    }
}
