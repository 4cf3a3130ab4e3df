//! How much octets that are not all UTF-8 look like UTF-8 that was cut or damaged.
//!
//! A fetch of part of a body ends inside a character, a field is cut at a number of octets,
//! and a gateway clears an octet. What is left is UTF-8 all the same, and nothing else: the
//! well-formed sequences say so. RFC 3629, section 1: "the probability that a string of
//! characters in any other encoding appears as valid UTF-8 is low, diminishing with
//! increasing string length".
//!
//! The measure is a sum of bits, as likelihoods add up. Each sequence adds what it takes off
//! the likelihood of any other charset, and each malformed one subtracts what damage takes
//! off that of UTF-8. The weights were measured on the messages of GNU programs in thirteen
//! languages, each in the charsets it was sent in, 25 pairs: of 186,000 passages of 6 to 800
//! octets none reached 20 bits, and only those in IBM866 and TIS-620, whose letters are
//! everywhere above 7F, reached 12.
//!
//! Where it is less than that, UTF-8 is weighed with the other charsets (`weigh.rs`) by the same
//! measure: it costs as much less than any of them as there are bits.

use std::fmt;

use super::ascii::first_above_ascii;
use super::guess::{CERTAIN, Guess};
use crate::charset::Charset;
use crate::report::Source;
use crate::work::work;

/// So many bits outweigh a charset that is declared and reads the octets.
pub(crate) const OUTWEIGHS_A_LABEL: i64 = 20;
/// So many outweigh what the octets look like in other charsets.
pub(crate) const OUTWEIGHS_A_GUESS: i64 = 12;
/// So many outweigh what is read where nothing else speaks.
pub(crate) const OUTWEIGHS_NOTHING: i64 = 4;

/// What a sequence of two, three and four octets speaks for UTF-8.
const SEQUENCES: [i64; 3] = [3, 6, 8];
/// What a malformed sequence speaks against it.
const MALFORMED: i64 = -8;
/// The same right behind another: damage comes in bursts.
const MALFORMED_TOO: i64 = -4;
/// A lead octet that the end cut off from all that belongs to it.
const CUT_LEAD: i64 = -2;
/// What is left of a sequence whose lead a cut took away: fetches begin at the start of a text far
/// more often than inside it.
const CUT_OFF_LEAD: i64 = -6;
/// A cut sequence with some of its continuation octets.
const CUT_SEQUENCE: i64 = 2;
/// So much against UTF-8 settles the question, whatever follows: a label is believed of the
/// first words, and a long body is not read to its end.
const SETTLED: i64 = -48;

/// About what an octet above 7F costs, in quarters of a bit, in a charset in which it is text: two
/// of them, which are a letter of UTF-8 that takes nine bits, take twelve in others.
const IN_ANOTHER: i32 = 24;

/// How rare damage is in UTF-8 without a label, in quarters of a bit: as rare as mail in a charset of
/// few countries.
const RARITY: i32 = 16;

/// How much octets look like damaged UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Likeness {
    /// What speaks for UTF-8, less what speaks against it.
    pub(crate) bits: i64,
    /// How many well-formed sequences of several octets there are.
    pub(crate) sequences: usize,
    /// How many malformed sequences there are, without those that a cut explains.
    pub(crate) malformed: usize,
    /// Whether the octets begin or end inside a sequence.
    pub(crate) is_cut: bool,
    /// Whether at some place so much spoke for UTF-8 that it outweighed a label, whatever follows.
    pub(crate) is_borne_out: bool,
    /// Whether so much speaks against UTF-8 that what follows was not looked at.
    pub(crate) is_settled: bool,
    /// How many octets above 7F were looked at.
    pub(crate) above: usize,
    /// Where the first well-formed sequence is, and its length.
    pub(crate) first: (usize, usize),
    /// How many malformed octets there are, where such as stand alone beside an ASCII letter count
    /// as [`ALONE`] of them: as a letter of a Latin word does, and a piece of UTF-8 hardly ever.
    pub(crate) of_other_text: usize,
}

/// See [`Likeness::of_other_text`].
pub(crate) const ALONE: usize = 8;

impl Likeness {
    /// That of octets, which may be cut at either end.
    pub(crate) fn of(octets: &[u8]) -> Self {
        Likeness::until(octets, |likeness, _| likeness.is_settled)
    }

    /// The same as far as it tells whether octets outweigh a label: they are gone over once, and no
    /// more of them are cut into sequences than that takes. No octet adds more than two bits.
    pub(crate) fn against_a_label(octets: &[u8]) -> Self {
        const MOST: i64 = 2;
        // Most words in other charsets have too few pairs of octets that could begin a sequence.
        if most_for_utf8(octets) < OUTWEIGHS_A_LABEL {
            return Likeness::default();
        }
        Likeness::until(octets, |likeness, rest| {
            let most = i64::try_from(rest).unwrap_or(i64::MAX).saturating_mul(MOST);
            likeness.is_settled || likeness.bits.saturating_add(most) < OUTWEIGHS_A_LABEL
        })
    }

    /// Whether octets [bear UTF-8 out](Likeness::is_borne_out): no more of them are read than that
    /// takes.
    pub(crate) fn bears_out(octets: &[u8]) -> bool {
        let is_known = |likeness: &Likeness, _: usize| likeness.is_settled || likeness.is_borne_out;
        Likeness::until(octets, is_known).is_borne_out
    }

    /// That of the first octets, so many as are enough; it is asked with how many are left.
    fn until(octets: &[u8], is_enough: impl Fn(&Likeness, usize) -> bool) -> Self {
        let mut likeness = Likeness::default();
        let mut at = 0;
        while let Some(rest) = octets.get(at..)
            && let Some(ascii) = first_above_ascii(rest)
        {
            let start = at + ascii;
            let run = octets.get(start..).unwrap_or_default();
            // No sequence has ASCII in it.
            let length = run.iter().position(u8::is_ascii).unwrap_or(run.len());
            let run = run.get(..length).unwrap_or_default();
            work(length);
            let touches_letter = {
                let before = start.checked_sub(1).and_then(|at| octets.get(at));
                let behind = octets.get(start + length);
                before.is_some_and(u8::is_ascii_alphabetic)
                    || behind.is_some_and(u8::is_ascii_alphabetic)
            };
            let is_last = start + length == octets.len();
            likeness.add(run, start, is_last, touches_letter, |likeness, at| {
                is_enough(likeness, octets.len() - at)
            });
            if is_enough(&likeness, octets.len() - start - length) {
                break;
            }
            at = start + length;
        }
        likeness
    }

    /// Takes a run of octets above 7F that stands at `start`, as much of it as is enough.
    fn add(
        &mut self,
        run: &[u8],
        start: usize,
        is_last: bool,
        touches_letter: bool,
        is_enough: impl Fn(&Likeness, usize) -> bool,
    ) {
        self.above += run.len();
        let mut at = start;
        let mut is_behind_malformed = false;
        for chunk in run.utf8_chunks() {
            for character in chunk.valid().chars() {
                let length = character.len_utf8();
                if self.sequences == 0 {
                    self.first = (at, length);
                }
                self.sequences += 1;
                self.bits += SEQUENCES.get(length - 2).copied().unwrap_or_default();
                is_behind_malformed = false;
                at += length;
            }
            self.is_borne_out |= self.bits >= OUTWEIGHS_A_LABEL;
            let malformed = chunk.invalid();
            let [first, ..] = *malformed else { continue };
            at += malformed.len();
            let is_end = is_last && at == start + run.len();
            if is_end && first >= 0xC2 && is_begun(malformed) {
                self.is_cut = true;
                self.bits += if malformed.len() == 1 {
                    CUT_LEAD
                } else {
                    CUT_SEQUENCE
                };
                // What begins a character of a far script does not follow a Latin letter.
                if run.len() == 1 && touches_letter && first >= 0xE0 {
                    self.of_other_text += ALONE;
                }
                continue;
            }
            // At most three octets can be the end of a sequence whose lead is cut off.
            if at <= 3 && self.sequences == 0 && matches!(first, 0x80..=0xBF) && start == 0 {
                if !self.is_cut {
                    self.bits += CUT_OFF_LEAD;
                }
                self.is_cut = true;
            } else {
                self.malformed += 1;
                self.bits += if is_behind_malformed {
                    MALFORMED_TOO
                } else {
                    MALFORMED
                };
                is_behind_malformed = true;
            }
            self.of_other_text += if run.len() == 1 && touches_letter {
                ALONE
            } else {
                malformed.len()
            };
            self.is_settled = self.bits <= SETTLED;
            if is_enough(self, at) {
                return;
            }
        }
    }

    /// That of text: what its sequences speak for UTF-8, as far as it outweighs anything.
    pub(crate) fn of_text(text: &str) -> i64 {
        Likeness::of_as_much_text(text, OUTWEIGHS_A_LABEL)
    }

    /// The same, as far as it takes to reach so many bits.
    pub(crate) fn of_as_much_text(text: &str, enough: i64) -> i64 {
        let mut bits = 0;
        let several = text.chars().filter(|character| !character.is_ascii());
        for character in several {
            bits += SEQUENCES
                .get(character.len_utf8() - 2)
                .copied()
                .unwrap_or_default();
            if bits >= enough {
                break;
            }
        }
        bits
    }

    /// How sure it is that octets in which so much speaks for UTF-8 are UTF-8, in percent: less,
    /// the larger the share of what is malformed.
    pub(crate) fn confidence(&self) -> u8 {
        let all = (self.sequences + self.malformed).max(1);
        let share = 100 * self.malformed / all;
        let least = match self.bits {
            OUTWEIGHS_A_LABEL.. => CERTAIN - 3,
            OUTWEIGHS_A_GUESS.. => 85,
            _ => 60,
        };
        least - u8::try_from(share.min(40)).unwrap_or(40)
    }

    /// What the octets cost as UTF-8, in quarters of a bit, where anything speaks for that.
    pub(super) fn cost(&self) -> Option<i32> {
        let bits = i32::try_from(self.bits).ok().filter(|bits| *bits > 0)?;
        let elsewhere = i32::try_from(self.above).ok()?.checked_mul(IN_ANOTHER)?;
        Some(RARITY + elsewhere - bits.saturating_mul(4))
    }

    /// What it speaks for UTF-8, as a guess: nothing is proved by what is damaged.
    pub(super) fn guess(&self) -> Guess {
        /// So sure it is where no more than one sequence in twenty is malformed, or where a label
        /// would be outweighed and one in seven is.
        const SURE: u8 = 80;
        let (offset, length) = self.first;
        let confidence = self.confidence();
        Guess {
            confidence,
            is_firm: confidence >= SURE,
            ..Guess::certain(Charset::UTF_8, Source::Detected, offset, length)
        }
    }
}

/// What was counted, for people.
impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sequences, malformed) = (self.sequences, self.malformed);
        write!(
            f,
            "UTF-8 of {sequences} sequences, and {malformed} malformed"
        )?;
        if self.is_cut {
            f.write_str(", cut inside one")?;
        }
        Ok(())
    }
}

/// Where the first pair of surrogates is that each stand as three octets, and how many there are.
pub(super) fn surrogate_pairs(octets: &[u8]) -> Option<(usize, usize)> {
    let is_pair = |at: &usize| {
        matches!(
            octets.get(*at..at + 6),
            Some([
                0xED,
                0xA0..=0xAF,
                0x80..=0xBF,
                0xED,
                0xB0..=0xBF,
                0x80..=0xBF
            ])
        )
    };
    work(octets.len());
    let mut pairs = memchr::memchr_iter(0xED, octets).filter(is_pair);
    let first = pairs.next()?;
    Some((first, 1 + pairs.count()))
}

/// The most that octets can speak for UTF-8: each that may begin a sequence, with one behind it that may
/// continue it, counts as a whole one, and the end as one that was cut.
fn most_for_utf8(octets: &[u8]) -> i64 {
    let [two, three, four] = SEQUENCES;
    work(octets.len());
    let begun = octets.iter().zip(octets.iter().skip(1));
    let begun = begun.map(|(lead, behind)| match lead {
        _ if !matches!(behind, 0x80..=0xBF) => 0,
        0xC2..=0xDF => two,
        0xE0..=0xEF => three,
        0xF0..=0xF4 => four,
        _ => 0,
    });
    begun.sum::<i64>() + CUT_SEQUENCE
}

/// Whether octets begin a sequence that more of them could end: they are what `utf8_chunks` calls
/// invalid, and so no sequence, nor too long for one.
fn is_begun(malformed: &[u8]) -> bool {
    std::str::from_utf8(malformed).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        CUT_LEAD, IN_ANOTHER, Likeness, MALFORMED, OUTWEIGHS_A_LABEL, RARITY, SEQUENCES,
        most_for_utf8,
    };

    /// The cost is by four quarters a bit less than that of other text, and damage makes it more.
    #[test]
    fn the_cost_follows_from_the_bits() {
        let cost = |octets: &[u8]| Likeness::of(octets).cost();
        let [two, three, _] = SEQUENCES.map(|bits| i32::try_from(bits).unwrap());
        let malformed = i32::try_from(MALFORMED).unwrap();
        let cut = i32::try_from(CUT_LEAD).unwrap();
        assert_eq!(
            cost("ë".as_bytes()),
            Some(RARITY + 2 * IN_ANOTHER - 4 * two)
        );
        assert_eq!(
            cost(b"\xE2\x82\xAC \xE2"),
            Some(RARITY + 4 * IN_ANOTHER - 4 * (three + cut))
        );
        let damaged = [&"é".repeat(4).into_bytes()[..], b" \xFF "].concat();
        let bits = 4 * two + malformed;
        assert_eq!(cost(&damaged), Some(RARITY + 9 * IN_ANOTHER - 4 * bits));
        // Nothing speaks for it, or as much against it.
        assert_eq!(cost(b"\xE9t\xE9"), None);
        assert_eq!(cost(b"\xC3\xA9 \xFF"), None);
        assert_eq!(cost(b"ASCII"), None);
    }

    /// Octets that are often pieces of UTF-8, some of them cut.
    fn pieces() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just("é".as_bytes().to_vec()),
            Just("한".as_bytes().to_vec()),
            Just("𝄞".as_bytes().to_vec()),
            Just("한".as_bytes()[..2].to_vec()),
            prop::collection::vec(0x80..=0xFF_u8, 1..3),
            prop::collection::vec(b' '..=b'z', 1..3),
        ];
        prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        /// The bound is one, and what it leaves out decides nothing.
        #[test]
        fn the_most_is_a_bound_that_decides_nothing_else(octets in pieces()) {
            let bits = Likeness::of(&octets).bits;
            prop_assert!(bits <= most_for_utf8(&octets));
            let outweighs = Likeness::against_a_label(&octets).bits >= OUTWEIGHS_A_LABEL;
            prop_assert_eq!(outweighs, bits >= OUTWEIGHS_A_LABEL);
        }
    }
}
