//! Costs of letter case: words are in lower case, capitalized, or in upper case.

/// A letter without case, a lower-case letter, an upper-case letter, and a non-letter.
pub(super) const LETTER: u8 = 0;
pub(super) const SMALL: u8 = 1;
pub(super) const CAPITAL: u8 = 2;
pub(super) const NONE: u8 = 3;

/// Number of states: no cased letter yet, a lower-case letter, one upper-case letter, or several.
const STATES: usize = 4;

/// The cost of letter case, with the state after the last letter.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CaseCost {
    pub(super) cost: i32,
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

    /// Adds a run of ASCII letters.
    #[inline]
    pub(super) fn add_all(&mut self, letters: &Cases) {
        if let Some((cost, state)) = letters.0.get(usize::from(self.state)) {
            self.cost += i32::from(*cost);
            self.state = *state;
        }
    }

    /// Ends a word.
    #[inline]
    pub(super) fn end_word(&mut self) {
        self.state = 0;
    }
}

/// The cost of a run of ASCII letters from each state, and the state after it.
#[derive(Debug)]
pub(super) struct Cases([(u16, u8); STATES]);

impl Cases {
    pub(super) fn of(letters: &[u8]) -> Self {
        let mut all = [0, 1, 2, 3].map(|state| CaseCost { cost: 0, state });
        for letter in letters {
            let case = if letter.is_ascii_uppercase() {
                CAPITAL
            } else {
                SMALL
            };
            for read in &mut all {
                read.add(case);
            }
        }
        Cases(all.map(|read| (u16::try_from(read.cost).unwrap_or(u16::MAX), read.state)))
    }
}
