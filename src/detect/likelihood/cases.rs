//! Costs of letter case: words are in lower case, capitalized, or in upper case.

/// A letter without case, a lower-case letter, an upper-case letter, and a non-letter.
pub(super) const LETTER: u8 = 0;
pub(super) const SMALL: u8 = 1;
pub(super) const CAPITAL: u8 = 2;
pub(super) const NONE: u8 = 3;

/// The cost of letter case.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CaseCost {
    pub(super) cost: i32,
    /// The state after the last letter: no cased letter yet, a lower-case letter, one upper-case letter, or
    /// several.
    state: u8,
}

impl CaseCost {
    /// Adds a letter or non-letter.
    #[inline]
    pub(super) fn add(&mut self, case: u8) {
        /// For each state, the step for a letter without case, a lower-case letter, an upper-case
        /// letter, and a non-letter: four times the cost, and the next state.
        const STEPS: [u8; 16] = [
            step(0, 0),
            step(1, 1),
            step(8, 2),
            step(0, 0),
            step(0, 0),
            step(0, 1),
            step(36, 2),
            step(0, 0),
            step(0, 0),
            step(1, 1),
            step(12, 3),
            step(0, 0),
            step(0, 0),
            step(28, 1),
            step(2, 3),
            step(0, 0),
        ];
        const fn step(cost: u8, next: u8) -> u8 {
            cost << 2 | next
        }
        let at = usize::from((self.state << 2 | case) & 0xF);
        let step = STEPS.get(at).copied().unwrap_or(0);
        self.cost += i32::from(step >> 2);
        self.state = step & 3;
    }

    /// Ends a word.
    #[inline]
    pub(super) fn end_word(&mut self) {
        self.state = 0;
    }
}
