//! UTF-16 and UTF-32 under another label, and other text under theirs (RFC 7103, section 7.6).
//!
//! RFC 2046, section 4.1.2, and RFC 7103, section 7.6, have no zeros in text of octets, and text in
//! UTF-16 has one in nearly every unit, or its other octets as a script has them. RFC 2781, section
//! 3.3, lets a label with a fixed order have no byte order mark; what begins with the mark of the
//! other order was written by somebody who did not know.

use super::evidence::EvidenceKind;
use super::octets::OctetFacts;
use super::weighing::{Choice, Weighing};
use crate::charset::Charset;
use crate::detect::{self, Guess, Likeness};
use crate::report::{Kind, Source};

/// How many octets say whether it is worth while to look for UTF-16 or UTF-32 in them.
const FIRST: usize = 64;

/// Whether octets may be UTF-16 or UTF-32: there is a byte order mark, or a zero among the first of
/// them. Text of octets has neither, and is asked nothing else.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, a block is a few steps of vector code"
)]
fn may_have_units(octets: &[u8]) -> bool {
    // Most are asked, and few have many octets: a call takes longer than to look at them here.
    let has_zero = |octets: &[u8]| octets.iter().fold(false, |any, octet| any | (*octet == 0));
    let first = octets.get(..FIRST).unwrap_or(octets);
    let (blocks, rest) = first.as_chunks::<16>();
    matches!(octets, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
        || blocks.iter().any(|block| has_zero(block))
        || match first.last_chunk::<16>() {
            Some(last) => has_zero(last),
            None => has_zero(rest),
        }
}

impl OctetFacts<'_> {
    /// UTF-16 or UTF-32, where the octets prove it.
    fn units(&self) -> Option<Guess> {
        if !may_have_units(self.octets.start(FIRST)) {
            return None;
        }
        detect::by_units(self.octets.start(detect::MOST_OF_UNITS))
    }
}

impl Weighing<'_, '_> {
    /// What to read where the octets are UTF-16 or UTF-32 and the label is of octets, or the other
    /// way round.
    pub(super) fn contradicted_units(&mut self, charset: Charset) -> Option<Choice> {
        if charset.is_utf16() {
            return self
                .contradicted_order(charset)
                .or_else(|| self.contradicted_utf16(charset));
        }
        if charset.is_utf32() {
            return self.contradicted_utf32(charset);
        }
        // The label of a value was written for its few octets alone (RFC 2047, section 2; RFC 2231,
        // section 4), and any of them may stand for itself: controls in pairs are letters as UTF-16.
        let is_of_octets = charset.is_ascii_superset() || charset.is_seven_bit();
        if self.context.is_value || !is_of_octets {
            return None;
        }
        let guess = self.facts.units()?;
        // UTF-16 is hardly ever well-formed UTF-8 with a character of several octets in it (RFC
        // 3629, section 1).
        let is_borne_out = charset == Charset::UTF_8 && self.facts.first_of_utf8().is_some();
        (!is_borne_out).then(|| self.overridden_by_units(charset, guess))
    }

    /// UTF-16 or UTF-32 in the place of the declared charset.
    fn overridden_by_units(&mut self, charset: Charset, guess: Guess) -> Choice {
        let place = (guess.offset, guess.length);
        let found = guess.charset;
        let is_marked = guess.source == Source::Bom;
        // What is noted of the mark is noted once.
        self.mark();
        self.note(EvidenceKind::NulPattern, Some(found), place, || {
            let what = if is_marked { "units" } else { "zeros" };
            format!("the {what} of {found}")
        });
        let kind = if is_marked {
            Kind::BomConflict
        } else {
            Kind::LabelOverridden
        };
        self.conflict(Some(charset), found, kind, place);
        Choice::new(found, guess.source, 98)
    }

    /// What to read where the label names one order of UTF-16 and a byte order mark the other, in
    /// which the text behind it is text.
    fn contradicted_order(&mut self, charset: Charset) -> Option<Choice> {
        let start = self.facts.octets.start(detect::MOST_OF_UNITS);
        let is_swapped = match charset {
            Charset::UTF_16LE => start.starts_with(b"\xFE\xFF"),
            Charset::UTF_16BE => start.starts_with(b"\xFF\xFE"),
            _ => false,
        };
        let guess = Some(start)
            .filter(|_| is_swapped)
            .and_then(detect::by_units)?;
        Some(self.overridden_by_units(charset, guess))
    }

    /// What to read where UTF-16 is declared, and the octets are text of ASCII or UTF-8.
    ///
    /// Of the letters of Chinese less than a quarter have two octets that are ASCII: 49 of the 82
    /// first octets from 4E to 9F, and 98 of all 256 second ones. So an octet of ASCII speaks one
    /// bit against UTF-16, and a sequence of UTF-8 what it speaks against any other charset. Letters
    /// that begin with 30, 09, 0A, 0C or 0D, of Japanese and of India, may all have such octets; they
    /// are known as UTF-16 by that.
    fn contradicted_utf16(&mut self, charset: Charset) -> Option<Choice> {
        /// By so many bits chance is ruled out: one text in four thousand million.
        const NEEDED: i64 = 32;
        let text = self.facts.utf8()?;
        let ascii = text.bytes().filter(u8::is_ascii).take(32).count();
        let bits = Likeness::of_as_much_text(text, NEEDED);
        if i64::try_from(ascii).unwrap_or(NEEDED) + bits < NEEDED
            || detect::has_controls(text.as_bytes())
            || detect::is_like_utf16(text.as_bytes())
        {
            return None;
        }
        if let Some(place) = self.facts.first_of_utf8() {
            return Some(self.overridden_by_utf8(charset, place, 98));
        }
        Some(self.not_in_units(charset, || "text of ASCII, and no zeros".into()))
    }

    /// What to read where UTF-32 is declared, and hardly a value is a character's.
    fn contradicted_utf32(&mut self, charset: Charset) -> Option<Choice> {
        /// So few may be anything.
        const FEWEST: usize = 4;
        /// One in so many may be a character by chance.
        const CHANCE: usize = 16;
        let start = self.facts.octets.start(detect::MOST_OF_UNITS);
        let start = start.get(..detect::MOST_OF_UNITS).unwrap_or(start);
        let decoded = charset.decode_with(start, &self.context.options);
        let values = decoded.as_str().chars().count();
        let lost = decoded.report().replacements();
        if values < FEWEST || CHANCE * (values - lost.min(values)) > values {
            return None;
        }
        // What has zeros and is no UTF-16 is UTF-32 from which octets are missing. Where two are, it
        // looks like the other order, which a mark alone can prove.
        let is_proved = |guess: Guess| guess.source == Source::Bom || guess.charset.is_utf16();
        if memchr::memchr(0, start).is_some() && !detect::by_units(start).is_some_and(is_proved) {
            return None;
        }
        Some(self.not_in_units(charset, || {
            format!("{lost} of {values} values are no character's")
        }))
    }

    /// What octets are that are not in the units of the declared charset.
    fn not_in_units(&mut self, charset: Charset, why: impl FnOnce() -> String) -> Choice {
        let choice = self.undeclared();
        let place = (0, self.octets().len());
        self.note(EvidenceKind::NulPattern, Some(choice.charset), place, why);
        self.conflict(Some(charset), choice.charset, Kind::LabelOverridden, place);
        choice
    }
}
