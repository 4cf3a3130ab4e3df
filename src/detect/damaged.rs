//! The likelihood that octets are truncated or damaged UTF-8.
//!
//! A partial fetch ends inside a character, a program cuts a field at a fixed length, or a gateway
//! destroys an octet. The rest is still UTF-8: its well-formed sequences prove it. RFC 3629,
//! section 1: "the probability that a string of characters in any other encoding appears as valid
//! UTF-8 is low, diminishing with increasing string length".
//!
//! The measure is a sum of bits (log-likelihoods). Each sequence adds the evidence against all
//! other charsets, and each malformed sequence subtracts the evidence of damage against UTF-8. The
//! weights were measured on the translated messages of GNU programs: thirteen languages, each in
//! its usual charsets, 25 combinations in all. Of 186,000 passages of 6 to 800 octets in these
//! charsets, none reached 20 bits. Only passages in IBM866 and TIS-620, whose letters fill most of
//! 80 to FF, reached 12.
//!
//! Below these thresholds, UTF-8 is a candidate like the other charsets (`likelihood/mod.rs`), and the sum
//! is its advantage over them in bits.

use std::fmt;

use super::ascii::first_above_ascii;
use super::guess::{CERTAIN, Guess};
use crate::charset::Charset;
use crate::report::Source;
use crate::work::work;

/// Evidence, in bits, that outweighs a declared charset even if the octets decode in it.
pub(crate) const OUTWEIGHS_A_LABEL: i64 = 20;
/// Evidence, in bits, that outweighs a guess of another charset.
pub(crate) const OUTWEIGHS_A_GUESS: i64 = 12;
/// Evidence, in bits, that outweighs the default charset.
pub(crate) const OUTWEIGHS_NOTHING: i64 = 4;

/// Evidence for UTF-8, in bits, of a sequence of two, three and four octets.
const SEQUENCES: [i64; 3] = [3, 6, 8];
/// Evidence against UTF-8, in bits, of a malformed sequence.
const MALFORMED: i64 = -8;
/// Evidence of a malformed sequence directly after another: damage comes in bursts.
const MALFORMED_AGAIN: i64 = -4;
/// Evidence of a lead octet without its continuation octets at the end.
const CUT_LEAD: i64 = -2;
/// Evidence of a sequence without its lead octet at the start. Most fetches begin at the start of a
/// text, not inside it.
const LOST_LEAD: i64 = -6;
/// Evidence of a sequence that is cut after a continuation octet.
const CUT_SEQUENCE: i64 = 2;
/// Evidence against UTF-8 at which reading stops, so that a long body is not read to its end.
const SETTLED: i64 = -48;

/// Typical cost of an octet above 7F in another charset, in quarters of a bit. A two-octet
/// character costs about nine bits as UTF-8, and its two octets cost twelve bits in another
/// charset: hence the 3 in [`SEQUENCES`].
const OTHER_CHARSET: i32 = 24;

/// Rarity of damaged UTF-8 without a label, in quarters of a bit: as rare as mail in a charset that
/// only a few countries use.
const RARITY: i32 = 16;

/// The evidence that octets are damaged UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Likeness {
    /// The evidence for UTF-8 minus the evidence against it, in bits.
    pub(crate) bits: i64,
    /// The number of well-formed multi-octet sequences.
    pub(crate) sequences: usize,
    /// The number of malformed sequences that truncation does not explain.
    pub(crate) malformed: usize,
    /// Whether the octets begin or end inside a sequence.
    pub(crate) is_cut: bool,
    /// Whether the evidence for UTF-8 outweighed a label at some offset, regardless of later octets.
    pub(crate) is_proven: bool,
    /// Whether reading stopped because of the evidence against UTF-8.
    pub(crate) is_settled: bool,
    /// The number of octets above 7F that were read.
    pub(crate) above: usize,
    /// Offset and length of the first well-formed sequence.
    pub(crate) first: (usize, usize),
    /// The number of malformed octets. A single malformed octet next to an ASCII letter counts as
    /// [`ALONE`] octets: an accented letter in a Latin word looks like this; a fragment of UTF-8
    /// hardly ever does.
    pub(crate) of_other_text: usize,
}

/// See [`Likeness::of_other_text`].
pub(crate) const ALONE: usize = 8;

impl Likeness {
    /// The likelihood of octets, which may be truncated at either end.
    pub(crate) fn of(octets: &[u8]) -> Self {
        Likeness::until(octets, |likeness| likeness.is_settled)
    }

    /// Like [`of`](Likeness::of), for a comparison with [`OUTWEIGHS_A_LABEL`]. Octets that cannot reach it
    /// are not scored.
    pub(crate) fn against_a_label(octets: &[u8]) -> Self {
        // Most words in other charsets have too few octet pairs that may begin a sequence.
        if max_evidence(octets) < OUTWEIGHS_A_LABEL {
            return Likeness::default();
        }
        Likeness::of(octets)
    }

    /// Whether octets [prove UTF-8](Likeness::is_proven). Reading stops when that is clear.
    pub(crate) fn proves_utf8(octets: &[u8]) -> bool {
        let is_known = |likeness: &Likeness| likeness.is_settled || likeness.is_proven;
        Likeness::until(octets, is_known).is_proven
    }

    /// Scores octets until the likelihood `is_enough`.
    fn until(octets: &[u8], is_enough: impl Fn(&Likeness) -> bool) -> Self {
        let mut likeness = Likeness::default();
        let mut at = 0;
        while let Some(rest) = octets.get(at..)
            && let Some(ascii) = first_above_ascii(rest)
        {
            let start = at + ascii;
            let run = octets.get(start..).unwrap_or_default();
            // Sequences contain no ASCII.
            let length = run.iter().position(u8::is_ascii).unwrap_or(run.len());
            let run = run.get(..length).unwrap_or_default();
            work(length);
            let touches_letter = {
                let before = start.checked_sub(1).and_then(|at| octets.get(at));
                let after = octets.get(start + length);
                before.is_some_and(u8::is_ascii_alphabetic)
                    || after.is_some_and(u8::is_ascii_alphabetic)
            };
            let is_last = start + length == octets.len();
            likeness.add(run, start, is_last, touches_letter, &is_enough);
            if is_enough(&likeness) {
                break;
            }
            at = start + length;
        }
        likeness
    }

    /// Adds a run of octets above 7F at `start`, until the evidence suffices.
    fn add(
        &mut self,
        run: &[u8],
        start: usize,
        is_last: bool,
        touches_letter: bool,
        is_enough: impl Fn(&Likeness) -> bool,
    ) {
        self.above += run.len();
        let mut at = start;
        // The first octet of the directly preceding malformed sequence.
        let mut previous = None;
        for chunk in run.utf8_chunks() {
            for character in chunk.valid().chars() {
                let length = character.len_utf8();
                if self.sequences == 0 {
                    self.first = (at, length);
                }
                self.sequences += 1;
                self.bits += SEQUENCES.get(length - 2).copied().unwrap_or_default();
                previous = None;
                at += length;
            }
            self.is_proven |= self.bits >= OUTWEIGHS_A_LABEL;
            let malformed = chunk.invalid();
            let [first, ..] = *malformed else { continue };
            at += malformed.len();
            let is_end = is_last && at == start + run.len();
            if is_end && first >= 0xC2 && is_truncated(malformed) {
                self.is_cut = true;
                self.bits += if malformed.len() == 1 {
                    CUT_LEAD
                } else {
                    CUT_SEQUENCE
                };
                // A character of a distant script does not follow a Latin letter.
                if run.len() == 1 && touches_letter && first >= 0xE0 {
                    self.of_other_text += ALONE;
                }
                continue;
            }
            // The end of a sequence that lost its lead octet has at most three octets.
            if at <= 3 && self.sequences == 0 && matches!(first, 0x80..=0xBF) && start == 0 {
                if !self.is_cut {
                    self.bits += LOST_LEAD;
                }
                self.is_cut = true;
            } else {
                self.malformed += 1;
                self.bits += match previous {
                    // The second octet of an overlong form (RFC 3629, section 3).
                    Some(0xC0 | 0xC1) if matches!(first, 0x80..=0xBF) => 0,
                    Some(_) => MALFORMED_AGAIN,
                    None => MALFORMED,
                };
                previous = Some(first);
            }
            self.of_other_text += if run.len() == 1 && touches_letter {
                ALONE
            } else {
                malformed.len()
            };
            self.is_settled = self.bits <= SETTLED;
            if is_enough(self) {
                return;
            }
        }
    }

    /// The evidence of text for UTF-8, up to [`OUTWEIGHS_A_LABEL`].
    pub(crate) fn of_text(text: &str) -> i64 {
        Likeness::of_text_up_to(text, OUTWEIGHS_A_LABEL)
    }

    /// The evidence of text for UTF-8, up to `enough` bits.
    pub(crate) fn of_text_up_to(text: &str, enough: i64) -> i64 {
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

    /// The confidence that the octets are UTF-8, in percent. It decreases with the share of malformed
    /// sequences.
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

    /// The cost of the octets as UTF-8, in quarters of a bit, if there is evidence for UTF-8.
    pub(super) fn cost(&self) -> Option<i32> {
        let bits = i32::try_from(self.bits).ok().filter(|bits| *bits > 0)?;
        let other_cost = i32::try_from(self.above).ok()?.checked_mul(OTHER_CHARSET)?;
        Some(RARITY + other_cost - bits.saturating_mul(4))
    }

    /// The guess of UTF-8. Its source is detection, since damaged octets are not proof.
    pub(super) fn guess(&self) -> Guess {
        /// Reached if at most one sequence in twenty is malformed, or one in seven if the evidence
        /// outweighs a label.
        const MIN_FIRM_CONFIDENCE: u8 = 80;
        let (offset, length) = self.first;
        let confidence = self.confidence();
        Guess {
            confidence,
            is_firm: confidence >= MIN_FIRM_CONFIDENCE,
            ..Guess::certain(Charset::UTF_8, Source::Detected, offset, length)
        }
    }
}

/// The counts, for display.
impl fmt::Display for Likeness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sequences, malformed) = (self.sequences, self.malformed);
        write!(
            f,
            "UTF-8: {sequences} valid sequences, {malformed} malformed"
        )?;
        if self.is_cut {
            f.write_str(", cut inside one")?;
        }
        Ok(())
    }
}

/// The offset of the first surrogate pair, three octets each.
pub(super) fn first_surrogate_pair(octets: &[u8]) -> Option<usize> {
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
    memchr::memchr_iter(0xED, octets).find(is_pair)
}

/// An upper bound of the evidence for UTF-8: each lead octet before a continuation octet counts as
/// a whole sequence, and the end counts as a truncated sequence.
fn max_evidence(octets: &[u8]) -> i64 {
    let [two, three, four] = SEQUENCES;
    work(octets.len());
    let pairs = octets.iter().zip(octets.iter().skip(1));
    let bits = pairs.map(|(lead, next)| match lead {
        _ if !matches!(next, 0x80..=0xBF) => 0,
        0xC2..=0xDF => two,
        0xE0..=0xEF => three,
        0xF0..=0xF4 => four,
        _ => 0,
    });
    bits.sum::<i64>() + CUT_SEQUENCE
}

/// Whether octets that `utf8_chunks` reports as invalid are the start of a sequence.
fn is_truncated(malformed: &[u8]) -> bool {
    std::str::from_utf8(malformed).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        CUT_LEAD, Likeness, MALFORMED, OTHER_CHARSET, OUTWEIGHS_A_LABEL, RARITY, SEQUENCES,
        max_evidence,
    };

    /// Each bit of evidence reduces the cost by four quarters of a bit; damage raises it.
    #[test]
    fn the_cost_follows_from_the_bits() {
        let cost = |octets: &[u8]| Likeness::of(octets).cost();
        let [two, three, _] = SEQUENCES.map(|bits| i32::try_from(bits).unwrap());
        let malformed = i32::try_from(MALFORMED).unwrap();
        let cut = i32::try_from(CUT_LEAD).unwrap();
        assert_eq!(
            cost("ë".as_bytes()),
            Some(RARITY + 2 * OTHER_CHARSET - 4 * two)
        );
        assert_eq!(
            cost(b"\xE2\x82\xAC \xE2"),
            Some(RARITY + 4 * OTHER_CHARSET - 4 * (three + cut))
        );
        let damaged = [&"é".repeat(4).into_bytes()[..], b" \xFF "].concat();
        let bits = 4 * two + malformed;
        assert_eq!(cost(&damaged), Some(RARITY + 9 * OTHER_CHARSET - 4 * bits));
        // No evidence for UTF-8, or as much against it.
        assert_eq!(cost(b"\xE9t\xE9"), None);
        assert_eq!(cost(b"\xC3\xA9 \xFF"), None);
        assert_eq!(cost(b"ASCII"), None);
    }

    /// Octets that are often fragments of UTF-8, some of them truncated.
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
        /// The bound holds, and stopping early does not change a decision.
        #[test]
        fn the_bound_holds_and_changes_no_decision(octets in pieces()) {
            let bits = Likeness::of(&octets).bits;
            prop_assert!(bits <= max_evidence(&octets));
            let outweighs = Likeness::against_a_label(&octets).bits >= OUTWEIGHS_A_LABEL;
            prop_assert_eq!(outweighs, bits >= OUTWEIGHS_A_LABEL);
        }
    }
}
