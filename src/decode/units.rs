//! UTF-16 and UTF-32 under other labels, and other text under their labels (RFC 7103, section 7.6).
//!
//! Text in an octet-based charset has no zero octets (RFC 2046, section 4.1.2; RFC 7103, section 7.6).
//! Text in UTF-16 has a zero, or the high octet of its script, in nearly every unit. A label with a fixed
//! octet order forbids a byte order mark (RFC 2781, section 3.3), so a mark of the other order disproves
//! the label.

use super::evidence::EvidenceKind;
use super::octets::OctetFacts;
use super::weighing::{Choice, Weighing};
use crate::charset::{self, Charset};
use crate::detect::{self, Guess, Likeness};
use crate::report::{Kind, Source};

/// Number of leading octets checked before a search for UTF-16 or UTF-32.
const FIRST: usize = 64;

/// Whether octets may be UTF-16 or UTF-32: they have a byte order mark or an early zero. Octet-based
/// text has neither and skips further checks.
fn may_have_units(octets: &[u8]) -> bool {
    let first = octets.get(..FIRST).unwrap_or(octets);
    matches!(octets, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
        || charset::has_any(first, |octet| octet == 0)
}

impl OctetFacts<'_> {
    /// UTF-16 or UTF-32, if the octets prove it.
    fn units(&self) -> Option<Guess> {
        if !may_have_units(self.octets.start(FIRST)) {
            return None;
        }
        detect::by_units(self.octets.start(detect::MAX_UNIT_OCTETS))
    }
}

impl Weighing<'_, '_> {
    /// Overrides the label of an octet-based charset with UTF-16 or UTF-32, and vice versa.
    pub(super) fn contradicted_units(&mut self, charset: Charset) -> Option<Choice> {
        if charset.is_utf16() {
            return self
                .contradicted_order(charset)
                .or_else(|| self.contradicted_utf16(charset));
        }
        if charset.is_utf32() {
            return self.contradicted_utf32(charset);
        }
        // The label of a value covers only a few octets, of any value (RFC 2047, section 2; RFC 2231,
        // section 4). Pairs of control characters among them would look like letters of UTF-16, so such a
        // label is kept.
        let is_of_octets = charset.is_ascii_superset() || charset.is_seven_bit();
        if self.context.is_value || !is_of_octets {
            return None;
        }
        let guess = self.facts.units()?;
        // UTF-16 is hardly ever well-formed UTF-8 with multi-octet characters (RFC 3629, section 1).
        let is_proven = charset == Charset::UTF_8 && self.facts.first_of_utf8().is_some();
        (!is_proven).then(|| self.overridden_by_units(charset, guess))
    }

    /// Chooses UTF-16 or UTF-32 over the declared charset.
    fn overridden_by_units(&mut self, charset: Charset, guess: Guess) -> Choice {
        let place = (guess.offset, guess.length);
        let found = guess.charset;
        let is_marked = guess.source == Source::Bom;
        // Notes the mark as evidence, once.
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

    /// Overrides a UTF-16 label with a fixed octet order if both a byte order mark and the text after it
    /// have the other order.
    fn contradicted_order(&mut self, charset: Charset) -> Option<Choice> {
        let start = self.facts.octets.start(detect::MAX_UNIT_OCTETS);
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

    /// Overrides a UTF-16 label on text in ASCII or UTF-8.
    ///
    /// In UTF-16, fewer than a quarter of Chinese characters consist of two ASCII octets: 49 of the 82
    /// first octets (4E to 9F) are ASCII, and 98 of the 256 second octets are ASCII text. So each ASCII
    /// octet is one bit of evidence against UTF-16. A UTF-8 sequence is as much evidence against
    /// UTF-16 as against any other charset. Japanese and Indic text may consist of ASCII octets
    /// alone; the first octets of its characters, 30, 09, 0A, 0C or 0D, identify UTF-16. In short
    /// text, only letters count.
    fn contradicted_utf16(&mut self, charset: Charset) -> Option<Choice> {
        /// Bits that rule out chance: one text in four billion.
        const NEEDED: i64 = 32;
        let text = self.facts.utf8()?;
        let ascii = text.bytes().filter(u8::is_ascii).take(32).count();
        let bits = Likeness::of_text_up_to(text, NEEDED);
        let is_much = i64::try_from(ascii).unwrap_or(NEEDED) + bits >= NEEDED;
        if !is_much && !self.is_a_few_words(text, charset)
            || detect::has_controls(text.as_bytes())
            || detect::is_utf16(text.as_bytes())
        {
            return None;
        }
        if let Some(place) = self.facts.first_of_utf8() {
            return Some(self.overridden_by_utf8(charset, place, 98));
        }
        Some(self.not_in_units(charset, || "ASCII text without zeros".into()))
    }

    /// Whether a value or a short body under a UTF-16 label is a few words of ASCII or UTF-8.
    ///
    /// Programs that write the label `unicode` use it for ASCII more often than for UTF-16. Letters,
    /// blanks and line endings are evidence for words: only one ideograph in ten consists of two letters.
    /// Digits are not: all kana begin with the octet 30, the digit zero.
    fn is_a_few_words(&self, text: &str, charset: Charset) -> bool {
        /// Bits of evidence in half a unit or an unpaired surrogate: one random text in sixteen has
        /// neither.
        const BROKEN: i32 = 4;
        // A value needs four letters; a body needs more, since fewer programs mislabel bodies.
        let needed = if self.context.is_value { 4 } else { 8 };
        let bits = text.chars().take(32).map(|character| match character {
            'a'..='z' | 'A'..='Z' | ' ' => 1,
            '\n' | '\r' => 2,
            '0' => -2,
            '1'..='9' => 0,
            '\0'..='\x7F' => -1,
            // A sequence of UTF-8 counts three bits (`damaged.rs`).
            _ => 3,
        });
        let decoded = charset.decode_with(text.as_bytes(), &self.context.options);
        let is_broken = decoded.report().replacements() > 0;
        bits.sum::<i32>() + if is_broken { BROKEN } else { 0 } >= needed
    }

    /// Overrides a UTF-32 label if hardly any 32-bit value is a character.
    fn contradicted_utf32(&mut self, charset: Charset) -> Option<Choice> {
        /// Fewer values prove nothing.
        const MIN_VALUES: usize = 4;
        /// One value in this many may be a character by chance.
        const CHANCE: usize = 16;
        let start = self.facts.octets.start(detect::MAX_UNIT_OCTETS);
        let start = start.get(..detect::MAX_UNIT_OCTETS).unwrap_or(start);
        let decoded = charset.decode_with(start, &self.context.options);
        let values = decoded.as_str().chars().count();
        let lost = decoded.report().replacements();
        if values < MIN_VALUES || CHANCE * (values - lost.min(values)) > values {
            return None;
        }
        // Text with zeros that is not UTF-16 is UTF-32 with missing octets. If two octets are missing, it
        // looks like UTF-32 of the other order, so only a byte order mark proves that order.
        let is_proved = |guess: Guess| guess.source == Source::Bom || guess.charset.is_utf16();
        if memchr::memchr(0, start).is_some() && !detect::by_units(start).is_some_and(is_proved) {
            return None;
        }
        Some(self.not_in_units(charset, || {
            format!("{lost} of {values} values are not characters")
        }))
    }

    /// Chooses a charset for octets that are not UTF-16 or UTF-32.
    fn not_in_units(&mut self, charset: Charset, why: impl FnOnce() -> String) -> Choice {
        let choice = self.undeclared();
        let place = (0, self.octets().len());
        self.note(EvidenceKind::NulPattern, Some(choice.charset), place, why);
        self.conflict(Some(charset), choice.charset, Kind::LabelOverridden, place);
        choice
    }
}
