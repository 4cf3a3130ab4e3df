//! What it costs that a sign stands where it does: no-break spaces, quotation marks, dashes,
//! currency signs and whatever else above ASCII is no letter.
//!
//! Mail with few octets above 7F has most often signs alone, so they are evidence too: an
//! apostrophe stands between letters, a currency sign beside a digit, a bullet between spaces.
//! The cost, in quarters of a bit, is that of the sign itself, by how many texts have it, and
//! what is added where it stands as writers seldom put it.

/// What stands beside a sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// A space, a line end, a control, or no octet.
    Gap,
    /// An ASCII sign, or another sign above ASCII.
    Sign,
    Digit,
    Letter,
    /// The same sign.
    Same,
}

use Beside::{Digit, Gap, Letter, Same, Sign};

impl Beside {
    /// What an ASCII octet is beside a sign.
    pub(super) fn of_ascii(octet: u8) -> Self {
        match octet {
            b'0'..=b'9' => Digit,
            b'A'..=b'Z' | b'a'..=b'z' => Letter,
            0x21..=0x7E => Sign,
            _ => Gap,
        }
    }
}

/// Signs that stand in the same places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
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

/// How many kinds there are.
const KINDS: usize = 18;
/// How many things may stand beside a sign.
const BESIDES: usize = 5;

/// A sign: the places where it stands, and what it costs in them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    kind: Kind,
    cost: u8,
}

impl Symbol {
    /// What is no character.
    pub(super) const NONE: Symbol = Symbol {
        kind: Kind::Other,
        cost: 120,
    };

    /// What a character is that is no letter.
    ///
    /// The costs are -4 log2 of the share of a sign among the characters above ASCII of texts
    /// that have few of them, counted in public mail (a text counts once for each character),
    /// rounded; signs that were met too seldom to be counted have that of the seldomest of
    /// their kind.
    pub(super) fn of(character: char) -> Self {
        let (kind, cost) = match character {
            '\u{A0}' | '\u{3000}' => (Kind::Space, 14),
            '\u{202F}' | '\u{2002}'..='\u{200B}' => (Kind::Space, 40),
            '’' => (Kind::Apostrophe, 14),
            '“' | '‘' => (Kind::Opening, 21),
            '”' => (Kind::Closing, 21),
            '«' | '„' => (Kind::Opening, 34),
            '‚' => (Kind::Opening, 48),
            '»' => (Kind::Closing, 34),
            '¿' | '¡' => (Kind::Opening, 36),
            '‹' => (Kind::Opening, 56),
            '›' => (Kind::Closing, 56),
            '–' => (Kind::Dash, 23),
            '—' => (Kind::Dash, 24),
            '―' | '\u{2010}'..='\u{2012}' => (Kind::Dash, 48),
            '…' => (Kind::Ellipsis, 24),
            '€' => (Kind::Currency, 22),
            '£' => (Kind::Currency, 31),
            '¥' | '¢' => (Kind::Currency, 44),
            '®' | '™' => (Kind::Trademark, 34),
            '©' => (Kind::Copyright, 22),
            '°' | 'º' | 'ª' => (Kind::Degree, 36),
            '½' | '¼' | '²' | '³' => (Kind::Fraction, 42),
            '¾' | '¹' => (Kind::Fraction, 46),
            '•' => (Kind::Bullet, 28),
            '·' => (Kind::Bullet, 34),
            '§' => (Kind::Section, 36),
            '¶' | '†' | '№' => (Kind::Section, 46),
            '´' => (Kind::Accent, 36),
            '¨' | '¸' | '¯' | '\u{2B0}'..='\u{2FF}' => (Kind::Accent, 56),
            '×' | '±' | 'µ' => (Kind::Operator, 42),
            '÷' | '¬' | '‰' | '¦' | '¤' | '\u{2190}'..='\u{2193}' => (Kind::Operator, 52),
            '\u{AD}' => (Kind::Dash, 40),
            '，' | '：' | '！' | '。' | '、' => (Kind::Wide, 26),
            '？' | '；' | '（' | '）' => (Kind::Wide, 32),
            '\u{2500}'..='\u{25FF}' => (Kind::Frame, 62),
            '\u{80}'..='\u{9F}' | '\u{FFFD}' => (Kind::Other, 120),
            '\u{E000}'..='\u{F8FF}' => (Kind::Other, 100),
            _ => return Symbol::UNLISTED,
        };
        Symbol { kind, cost }
    }

    /// What is neither listed nor counted: another sign, or a letter.
    const UNLISTED: Symbol = Symbol {
        kind: Kind::Other,
        cost: 60,
    };

    /// Whether the character is listed: then it is no letter.
    pub(super) fn is_listed(self) -> bool {
        self != Symbol::UNLISTED
    }

    /// What the sign costs between its neighbours.
    #[inline]
    pub(super) fn cost(self, left: Beside, right: Beside) -> i32 {
        let row = PLACES.get(self.kind as usize);
        let place = left as usize * BESIDES + right as usize;
        let misplaced = row.and_then(|row| row.get(place)).copied().unwrap_or(0);
        if left == Same && self.cost < 100 {
            // What is repeated is no news.
            i32::from(self.cost.min(misplaced))
        } else {
            i32::from(self.cost) + i32::from(misplaced)
        }
    }

    /// What the sign costs at least, wherever it stands.
    #[cfg(test)]
    pub(super) fn least(self) -> i32 {
        let repeated = self.cost(Same, Gap).min(self.cost(Same, Same));
        repeated
            .min(self.cost(Same, Letter))
            .min(i32::from(self.cost))
    }

    /// What the sign costs where it stands well.
    pub(super) fn typical(self) -> u8 {
        self.cost
    }

    /// How much less it costs where the text had it before.
    pub(super) fn known(self) -> i32 {
        match (self.kind, self.cost) {
            (_, 100..) => 0,
            (Kind::Space | Kind::Apostrophe | Kind::Bullet | Kind::Trademark, cost) => {
                i32::from(cost) / 2
            }
            (_, cost) => i32::from(cost) / 4,
        }
    }

    /// Whether it may stand in a word, which it does not end.
    pub(super) fn is_space(self) -> bool {
        self.kind == Kind::Space
    }
}

/// What is added for each kind between each two neighbours; behind the same sign, all that
/// it costs.
const PLACES: [[u8; BESIDES * BESIDES]; KINDS] = places();

#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn places() -> [[u8; BESIDES * BESIDES]; KINDS] {
    const ALL_BESIDES: [Beside; BESIDES] = [Gap, Sign, Digit, Letter, Same];
    const ALL_KINDS: [Kind; KINDS] = [
        Kind::Space,
        Kind::Apostrophe,
        Kind::Opening,
        Kind::Closing,
        Kind::Dash,
        Kind::Ellipsis,
        Kind::Currency,
        Kind::Trademark,
        Kind::Copyright,
        Kind::Degree,
        Kind::Fraction,
        Kind::Bullet,
        Kind::Section,
        Kind::Accent,
        Kind::Operator,
        Kind::Frame,
        Kind::Wide,
        Kind::Other,
    ];
    let mut table = [[0; BESIDES * BESIDES]; KINDS];
    let mut at = 0;
    while at < KINDS * BESIDES * BESIDES {
        let (row, cell) = (at / (BESIDES * BESIDES), at % (BESIDES * BESIDES));
        let kind = ALL_KINDS[row];
        assert!(kind as usize == row);
        table[row][cell] = misplaced(
            kind,
            ALL_BESIDES[cell / BESIDES],
            ALL_BESIDES[cell % BESIDES],
        );
        at += 1;
    }
    table
}

/// What is added to the cost of a sign between two neighbours.
#[expect(
    clippy::match_same_arms,
    reason = "the places of each kind stand together, the likely ones first"
)]
const fn misplaced(kind: Kind, left: Beside, right: Beside) -> u8 {
    match (kind, left, right) {
        (Kind::Space | Kind::Frame, Same, _) => 4,
        (Kind::Bullet | Kind::Dash | Kind::Ellipsis | Kind::Operator, Same, _) => 8,
        (_, Same, _) => 36,

        (Kind::Space, Letter, Letter) => 8,
        (Kind::Space, Gap, Letter) => 4,
        (Kind::Space, ..) => 0,

        (Kind::Apostrophe, Letter, Letter) => 0,
        (Kind::Apostrophe, Letter, _) => 4,
        (Kind::Apostrophe, Gap | Sign, Letter | Digit) => 26,
        (Kind::Apostrophe, Digit | Sign, _) => 12,
        (Kind::Apostrophe, ..) => 36,

        (Kind::Opening, Gap | Sign, Letter | Digit | Same) => 0,
        (Kind::Opening, Gap | Sign, Sign) => 4,
        // As German closes what it opens with a low mark, or with a space inside.
        (Kind::Opening, Letter | Sign | Gap, Gap) => 12,
        // A low mark that stands for a comma.
        (Kind::Opening, Digit, Gap) => 12,
        (Kind::Opening, Letter, Sign) => 14,
        (Kind::Opening, ..) => 40,

        (Kind::Closing, Letter | Sign | Digit, Gap | Sign | Same) => 0,
        (Kind::Closing, Gap, Gap | Sign) => 12,
        (Kind::Closing, Gap | Sign, Letter) => 16,
        (Kind::Closing, ..) => 40,

        (Kind::Dash, Gap | Sign, Gap | Sign) | (Kind::Dash, Digit, Digit) => 0,
        (Kind::Dash, Letter, Letter) => 4,
        (Kind::Dash, ..) => 8,

        (Kind::Ellipsis, Letter | Sign, Gap | Sign | Same) => 0,
        (Kind::Ellipsis, ..) => 8,

        (Kind::Currency, Gap | Sign, Digit) | (Kind::Currency, Gap | Digit, Gap | Sign) => 0,
        (Kind::Currency, Sign, Gap | Sign) => 4,
        (Kind::Currency, Letter, Gap | Digit | Sign) => 16,
        (Kind::Currency, ..) => 24,

        (Kind::Trademark, Letter | Digit, Gap | Sign) => 0,
        (Kind::Trademark, Sign | Gap, Gap | Sign) => 8,
        (Kind::Trademark, Letter, Digit) => 12,
        (Kind::Trademark, ..) => 28,

        (Kind::Copyright, Gap | Sign, Gap | Digit) => 0,
        (Kind::Copyright, Gap | Sign, Sign) => 8,
        (Kind::Copyright, Gap | Sign, _) => 28,
        (Kind::Copyright, ..) => 20,

        (Kind::Degree, Digit, _) => 0,
        (Kind::Degree, Sign | Gap, Gap | Sign) => 10,
        (Kind::Degree, Letter, Gap | Sign | Digit) => 10,
        (Kind::Degree, ..) => 24,

        (Kind::Fraction, Gap | Digit, Gap | Sign) => 0,
        (Kind::Fraction, Letter, Gap | Sign) => 14,
        (Kind::Fraction, Gap | Digit | Sign, _) => 8,
        (Kind::Fraction, ..) => 24,

        (Kind::Bullet, Gap | Sign, Gap | Same) => 0,
        (Kind::Bullet, Gap | Sign, _) => 4,
        (Kind::Bullet, Letter, Letter) => 14,
        (Kind::Bullet, ..) => 16,

        (Kind::Section, Gap | Sign, Gap | Digit | Same | Sign) => 0,
        (Kind::Section, ..) => 20,

        (Kind::Accent, Letter, Letter) => 0,
        (Kind::Accent, Letter, _) => 8,
        (Kind::Accent, Gap | Sign, Letter) => 16,
        (Kind::Accent, ..) => 20,

        (Kind::Operator, Gap | Digit | Sign, Gap | Digit | Sign) => 0,
        (Kind::Operator, Gap | Digit, Letter) => 4,
        (Kind::Operator, ..) => 24,

        (Kind::Wide, _, Letter) => 4,
        (Kind::Wide, ..) => 0,

        (Kind::Frame, Gap | Sign, _) => 0,
        (Kind::Frame, ..) => 24,

        (Kind::Other, Letter, Letter) => 24,
        (Kind::Other, Letter, _) | (Kind::Other, _, Letter) => 8,
        (Kind::Other, ..) => 0,
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
