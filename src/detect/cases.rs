//! Capitals and small letters: words are written small, with a capital first, or in capitals.

/// A letter without a case, a small one, a capital, and what is none.
pub(super) const LETTER: u8 = 0;
pub(super) const SMALL: u8 = 1;
pub(super) const CAPITAL: u8 = 2;
pub(super) const NONE: u8 = 3;

/// How many states there are: nothing with a case came before, a small letter, one capital, or more.
const STATES: usize = 4;

/// What has been read of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Read {
    pub(super) cost: i32,
    state: u8,
}

impl Read {
    /// A letter, or what is none.
    #[inline]
    pub(super) fn add(&mut self, case: u8) {
        /// For each state what follows it as a letter without a case, as a small one, as a capital,
        /// and as none: four times the cost, and the next state.
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

    /// Letters of ASCII, one after the other.
    #[inline]
    pub(super) fn add_all(&mut self, letters: &Cases) {
        if let Some((cost, state)) = letters.0.get(usize::from(self.state)) {
            self.cost += i32::from(*cost);
            self.state = *state;
        }
    }

    /// What is no letter.
    #[inline]
    pub(super) fn end_word(&mut self) {
        self.state = 0;
    }
}

/// What letters of ASCII cost in each state, and which comes behind them.
#[derive(Debug)]
pub(super) struct Cases([(u16, u8); STATES]);

impl Cases {
    pub(super) fn of(letters: &[u8]) -> Self {
        let mut all = [0, 1, 2, 3].map(|state| Read { cost: 0, state });
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
