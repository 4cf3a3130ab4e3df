//! Evidence against a declared charset (RFC 7103, section 7.6).
//!
//! A label is trusted unless the octets disprove it. Well-formed or damaged UTF-8 disproves most labels;
//! octets above 7F disprove a seven-bit charset; escapes disprove US-ASCII and its supersets, except
//! UTF-8; malformed octets disprove UTF-8; UTF-16 and UTF-32 code units disprove other charsets
//! (`units.rs`).

use super::body::read_start;
use super::evidence::EvidenceKind;
use super::octets::{DecisionOctets, OctetFacts};
use super::weighing::{Choice, Wanted, Weighing, has_esc, may_have_escapes};
use crate::charset::{self, Charset, Options, utf8};
use crate::detect::{self, ALONE, Guess, Likeness, OUTWEIGHS_A_LABEL, OUTWEIGHS_NOTHING};
use crate::report::{Kind, Report, Source};

/// Evidence in the octets against a label other than US-ASCII and UTF-8.
enum Contradiction {
    Nothing,
    /// The octets are well-formed UTF-8, with a multi-octet character.
    Utf8,
    /// The octets are CESU-8 (UTF-8 except for surrogate pairs) or emacs-mule.
    Pairs(Guess),
    /// The octets may be truncated or damaged UTF-8, with this evidence.
    DamagedUtf8(Likeness),
    /// There are octets above 7F, and the charset has seven bits.
    EightBits,
}

/// The evidence against a label other than US-ASCII and UTF-8. `likeness` measures the evidence for
/// damaged UTF-8, and may stop once it is clear whether the evidence outweighs the label.
fn contradiction_of(
    charset: Charset,
    facts: &OctetFacts<'_>,
    likeness: impl FnOnce() -> Likeness,
) -> Contradiction {
    let is_seven_bit = charset.is_seven_bit();
    if !(is_seven_bit || charset.is_ascii_superset()) || facts.is_ascii() {
        return Contradiction::Nothing;
    }
    if is_seven_bit {
        return Contradiction::EightBits;
    }
    if facts.utf8().is_some() {
        return Contradiction::Utf8;
    }
    // Damaged text in a charset like UTF-8 looks like damaged UTF-8 too.
    if charset.is_utf8_like() {
        return Contradiction::Nothing;
    }
    if let Some(guess) = facts.pairs() {
        return Contradiction::Pairs(guess);
    }
    Contradiction::DamagedUtf8(likeness())
}

/// Whether the octets are compatible with their label, so that no decision is needed: the usual case.
pub(super) fn is_settled(charset: Charset, octets: &[u8]) -> bool {
    match charset {
        _ if charset.names_nothing() => false,
        _ if charset.is_utf16() || charset.is_utf32() => false,
        // Text labelled US-ASCII may have escapes.
        Charset::US_ASCII => octets.is_ascii() && !may_have_escapes(octets),
        // Without escapes, US-ASCII octets are no evidence against another label.
        _ if octets.is_ascii() => !(may_be_escaped(charset) && has_esc(octets)),
        Charset::UTF_8 => utf8::well_formed(octets).is_some(),
        _ => {
            let facts = OctetFacts::new(DecisionOctets::Whole(octets), false);
            let likeness = || Likeness::against_a_label(octets);
            match contradiction_of(charset, &facts, likeness) {
                Contradiction::Nothing => true,
                Contradiction::DamagedUtf8(likeness) => likeness.bits < OUTWEIGHS_A_LABEL,
                _ => false,
            }
        }
    }
}

impl Weighing<'_, '_> {
    /// The charset that overrides the declared one, if the octets disprove it.
    pub(super) fn contradicted(&mut self, charset: Charset) -> Option<Choice> {
        if let Some(choice) = self.contradicted_units(charset) {
            return Some(choice);
        }
        if may_be_escaped(charset) && self.facts.is_ascii() {
            return self.contradicted_by_escapes(charset);
        }
        match charset {
            Charset::US_ASCII => return Some(self.contradicted_ascii()),
            Charset::UTF_8 => return self.contradicted_utf8(),
            _ => {}
        }
        match contradiction_of(charset, &self.facts, || self.facts.likeness()) {
            Contradiction::Nothing => None,
            Contradiction::EightBits => self.contradicted_seven_bit(charset),
            Contradiction::Utf8 => self.contradicted_by_utf8(charset),
            Contradiction::Pairs(guess) => self.contradicted_by_pairs(charset, guess),
            Contradiction::DamagedUtf8(likeness) if likeness.bits >= OUTWEIGHS_A_LABEL => {
                Some(self.overridden_by_utf8(charset, likeness.first, likeness.confidence()))
            }
            Contradiction::DamagedUtf8(likeness) => {
                if likeness.bits > 0 {
                    self.note(EvidenceKind::Utf8, None, likeness.first, || {
                        likeness.to_string()
                    });
                }
                None
            }
        }
    }

    /// The charset of the escapes in US-ASCII octets, which overrides a label: no text has the
    /// control ESC. Escapes that lost their ESC override only US-ASCII, since in other charsets they
    /// may be text.
    fn contradicted_by_escapes(&mut self, charset: Charset) -> Option<Choice> {
        let needs_esc = charset != Charset::US_ASCII;
        if needs_esc && !has_esc(self.octets()) {
            return None;
        }
        let guess = self.escapes(needs_esc)?;
        let place = (guess.offset, guess.length);
        self.conflict(Some(charset), guess.charset, Kind::LabelOverridden, place);
        Some(Choice::new(guess.charset, Source::Evidence, 98))
    }

    /// The charset that overrides US-ASCII, if there are octets above 7F.
    fn contradicted_ascii(&mut self) -> Choice {
        let first = self.facts.first_above_ascii();
        let detail = "octets above 7F under the label US-ASCII";
        self.report
            .add_in_octets(Kind::EightBitAscii, first, 1, detail);
        self.undeclared()
    }

    /// Overrides another declared charset with UTF-8, if all octets are UTF-8.
    fn contradicted_by_utf8(&mut self, charset: Charset) -> Option<Choice> {
        let place = self.facts.first_of_utf8()?;
        // A two-octet character of UTF-8 is also a character in most multi-octet charsets. Their label is
        // overridden only if the octets are malformed in the charset, or have more UTF-8 sequences than
        // text in the charset has by chance.
        if !charset.is_single_byte()
            && charset.is_decoded()
            && (charset.is_utf8_like() || self.bits_of_utf8() < OUTWEIGHS_A_LABEL)
            && charset.reads(self.octets(), &self.context.options)
        {
            self.note(EvidenceKind::Utf8, None, place, || {
                "well-formed UTF-8, but also valid in the declared charset".into()
            });
            return None;
        }
        Some(self.overridden_by_utf8(charset, place, 98))
    }

    /// Overrides another declared charset with CESU-8 or emacs-mule. The declared charset is kept if it
    /// is multi-octet and the octets are valid in it, or if octet 81 is a letter in it.
    fn contradicted_by_pairs(&mut self, charset: Charset, guess: Guess) -> Option<Choice> {
        let has_letter = || {
            charset
                .decode(b"\x81")
                .as_str()
                .contains(char::is_alphabetic)
        };
        let is_believed = if charset.is_single_byte() {
            guess.charset.name() == "emacs-mule" && has_letter()
        } else {
            charset.is_decoded() && charset.reads(self.octets(), &self.context.options)
        };
        if is_believed {
            return None;
        }
        Some(self.overridden_by_pairs(charset, guess))
    }

    /// Overrides the declared charset with CESU-8 or emacs-mule.
    fn overridden_by_pairs(&mut self, charset: Charset, guess: Guess) -> Choice {
        let place = (guess.offset, guess.length);
        let choice = self.guessed_by_pairs(guess);
        self.conflict(Some(charset), choice.charset, Kind::LabelOverridden, place);
        choice
    }

    /// Overrides the declared charset with UTF-8.
    pub(super) fn overridden_by_utf8(
        &mut self,
        charset: Charset,
        place: (usize, usize),
        confidence: u8,
    ) -> Choice {
        self.note_utf8(place);
        let (kind, source) = if self.is_marked_utf8() {
            (Kind::BomConflict, Source::Bom)
        } else {
            (Kind::LabelOverridden, Source::Evidence)
        };
        self.conflict(Some(charset), Charset::UTF_8, kind, place);
        Choice::new(Charset::UTF_8, source, confidence)
    }

    /// The evidence for UTF-8 in bits, if all octets are well-formed.
    fn bits_of_utf8(&self) -> i64 {
        self.facts.utf8().map_or(0, Likeness::of_text)
    }

    /// The charset that overrides UTF-8, if some octets are malformed.
    ///
    /// Damage alone is no disproof: the label is kept if the well-formed sequences outweigh the malformed
    /// ones. It is also kept if there is little evidence for another charset: a few octets that are not
    /// UTF-8 are characters in most charsets.
    fn contradicted_utf8(&mut self) -> Option<Choice> {
        if self.is_utf8_as_labelled() {
            return None;
        }
        let octets = self.octets();
        let malformed = utf8::malformed(octets).next()?;
        let place = (malformed.offset, malformed.length);
        self.note(EvidenceKind::Utf8, None, place, || malformed.to_string());
        let likeness = self.facts.likeness();
        let declared =
            |confidence: u8| Some(Choice::new(Charset::UTF_8, Source::Declared, confidence));
        if let Some(guess) = detect::by_pairs(octets) {
            return Some(self.overridden_by_pairs(Charset::UTF_8, guess));
        }
        if likeness.is_proven || self.is_marked_utf8() || likeness.bits > 0 {
            return declared(likeness.confidence().clamp(60, 90));
        }
        let reads_otherwise = self.second().is_some() && !self.is_mostly_utf8()
            || likeness.of_other_text >= ALONE && self.reads_like_other_text();
        if !reads_otherwise {
            return declared(if likeness.sequences > 0 { 50 } else { 30 });
        }
        let choice = self.undeclared();
        self.conflict(
            Some(Charset::UTF_8),
            choice.charset,
            Kind::LabelOverridden,
            place,
        );
        Some(choice)
    }

    fn is_mostly_utf8(&self) -> bool {
        let likeness = self.facts.likeness();
        likeness.sequences > 0 && likeness.malformed <= likeness.sequences
    }

    /// Whether octets that are not UTF-8 are text in another charset: a charset with high confidence, or
    /// a charset used in the rest of the message.
    ///
    /// In a single-byte charset, a well-formed sequence is an unlikely mix of letters and symbols, such
    /// as `Ã©`. Unless there are more malformed sequences than well-formed ones, the text is UTF-8.
    fn reads_like_other_text(&self) -> bool {
        let guess = detect::detect(self.octets());
        if self.is_mostly_utf8() && guess.charset.is_single_byte() {
            return false;
        }
        if guess.charset != Charset::UTF_8 && guess.is_firm {
            return true;
        }
        let hints = [
            self.context.options.hint,
            self.surroundings.siblings,
            self.surroundings.header,
        ];
        let mut hints = hints.into_iter().flatten();
        guess.is_like_text() && hints.any(|hint| hint.is_decoded() && self.fits(hint))
    }

    /// The charset that overrides a seven-bit one, if there are octets above 7F.
    ///
    /// Octets that the declared charset cannot decode are evidence against it, and its escapes are
    /// evidence for it. Two kinds of octets above 7F are decoded: half-width katakana (JIS X 0201)
    /// between the escapes, and the eight-bit form of the same language if the charset's decoder accepts
    /// it.
    fn contradicted_seven_bit(&mut self, charset: Charset) -> Option<Choice> {
        /// The number of half-width katakana that outweigh a malformed octet.
        const KATAKANA: usize = 20;
        let octets = self.octets();
        let options = &self.context.options;
        let damage = charset.decode_with(octets, options).report().replacements();
        let escaped = escaped_characters(charset, octets, options);
        let weight_of_escapes = 4 * i64::try_from(escaped).unwrap_or(i64::MAX / 8);
        let place = (self.facts.first_above_ascii(), 1);
        let likeness = self.facts.likeness();
        let needed = if damage == 0 {
            OUTWEIGHS_A_LABEL
        } else {
            OUTWEIGHS_NOTHING - 1
        };
        if likeness.bits >= needed + weight_of_escapes {
            let confidence = if self.facts.utf8().is_some() {
                98
            } else {
                likeness.confidence()
            };
            return Some(self.overridden_by_utf8(charset, likeness.first, confidence));
        }
        if damage == 0 {
            return None;
        }
        let above = charset::count_of(octets, |octet| !octet.is_ascii());
        self.note(EvidenceKind::Escapes, Some(charset), (0, 0), || {
            format!("{escaped} characters by its escapes, {damage} malformed sequences")
        });
        if escaped < damage && above < KATAKANA * damage {
            let guess = detect::detect(octets);
            let relatives = charset.eight_bit_relatives();
            let is_one = |charset: Charset| relatives.iter().any(|name| *name == charset.name());
            let read = relatives
                .iter()
                .filter_map(|label| Charset::for_label(label))
                .find(|relative| relative.reads(octets, options));
            let found = if is_one(guess.charset) || guess.is_firm {
                Some((guess.charset, guess.confidence))
            } else {
                read.map(|relative| (relative, guess.confidence.max(50)))
            };
            if let Some((found, confidence)) = found.filter(|(found, _)| {
                *found != charset && found.decode(octets).report().replacements() < damage
            }) {
                self.note(EvidenceKind::Detector, Some(found), place, || {
                    format!("{found}, {confidence}%")
                });
                self.conflict(Some(charset), found, Kind::LabelOverridden, place);
                return Some(self.guessed(found, Source::Detected, confidence, place));
            }
        }
        Some(Choice::new(
            charset,
            Source::Declared,
            confidence(damage, escaped),
        ))
    }

    /// The declared charset. Its confidence falls with the share of malformed sequences among the
    /// non-ASCII characters.
    ///
    /// Only the first octets are decoded to measure the damage; if they are damaged, more are decoded.
    pub(super) fn declared(&mut self, charset: Charset) -> Choice {
        /// For most bodies the decision has already decoded at least this many octets.
        const FIRST_SAMPLE: usize = 128;
        /// Enough octets to estimate the share of malformed sequences.
        const MAX_SAMPLE: usize = 4096;
        let sure = Choice::new(charset, Source::Declared, SURE);
        if self.wanted < Wanted::Evidence || self.count_damage(charset, FIRST_SAMPLE).0 == 0 {
            return sure;
        }
        let (damage, read) = self.count_damage(charset, MAX_SAMPLE);
        self.note(EvidenceKind::Detector, None, (0, 0), || {
            format!("{damage} malformed sequences, {read} non-ASCII characters, read as {charset}")
        });
        Choice::new(charset, Source::Declared, confidence(damage, read))
    }

    /// The numbers of malformed sequences and of characters in the first octets, decoded in a charset.
    /// ASCII characters count only if the charset encodes them in octets other than ASCII.
    fn count_damage(&self, charset: Charset, most: usize) -> (usize, usize) {
        let start = self.facts.octets.start(most);
        let first = start.get(..most).unwrap_or(start);
        let has_ascii = charset.is_ascii_superset() || charset.is_seven_bit();
        if charset.is_ascii_superset() && first.is_ascii() {
            return (0, 0);
        }
        let options = &self.context.options;
        // A character truncated at the end is not damaged.
        let is_cut = start.len() >= most || options.partial;
        let decoded = if is_cut && charset != Charset::UTF_8 {
            let choice = Choice::new(charset, Source::Declared, SURE);
            read_start(first, choice, Report::new(), &options.keep_bom(true))
        } else {
            let unfinished = if is_cut {
                charset::unfinished_utf8(first)
            } else {
                0
            };
            let whole = first.get(..first.len() - unfinished).unwrap_or(first);
            charset.decode_with(whole, options)
        };
        let damage = decoded.report().replacements();
        let characters = decoded.as_str().chars();
        let read = characters.filter(|character| !(has_ascii && character.is_ascii()));
        (damage, read.count().saturating_sub(damage))
    }
}

/// Whether escapes may override the label: it names a superset of US-ASCII other than UTF-8. UTF-8 is
/// excluded because converted text that quotes escapes is in UTF-8, and must be decoded unchanged.
fn may_be_escaped(charset: Charset) -> bool {
    charset.is_ascii_superset() && charset != Charset::UTF_8
}

/// The confidence in an uncontradicted charset, in percent.
const SURE: u8 = 99;

/// The confidence in a declared charset, from the numbers of malformed sequences and of characters.
fn confidence(damage: usize, read: usize) -> u8 {
    /// Minimum confidence in a label, however many sequences are malformed.
    const MIN_CONFIDENCE: u8 = 30;
    let share = 100 * damage / (damage + read).max(1);
    SURE - u8::try_from(share)
        .unwrap_or(SURE)
        .min(SURE - MIN_CONFIDENCE)
}

/// The number of non-ASCII characters that a seven-bit charset decodes, ignoring octets above 7F.
fn escaped_characters(charset: Charset, octets: &[u8], options: &Options) -> usize {
    let plain: Vec<u8> = octets
        .iter()
        .map(|&octet| if octet.is_ascii() { octet } else { b' ' })
        .collect();
    let decoded = charset.decode_with(&plain, options);
    let characters = decoded.as_str().chars();
    characters
        .filter(|&character| !character.is_ascii() && character != char::REPLACEMENT_CHARACTER)
        .count()
}
