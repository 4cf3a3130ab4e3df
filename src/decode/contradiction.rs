//! What octets say against their label (RFC 7103, section 7.6).
//!
//! A label is believed unless the octets prove it wrong: by UTF-8, whole or damaged; by octets
//! above 7F where the label is of seven bits; by escapes where it is of plain ASCII; by what is no
//! UTF-8 where it is UTF-8; by the units of UTF-16 and UTF-32 (`units.rs`).

use super::evidence::EvidenceKind;
use super::octets::{Known, Octets};
use super::read_start;
use super::weighing::{Choice, Wanted, Weighing, may_have_escapes};
use crate::charset::{self, Bom, Charset, Options, utf8};
use crate::detect::{self, ALONE, Likeness, OUTWEIGHS_A_LABEL, OUTWEIGHS_NOTHING};
use crate::report::{Kind, Report, Source};

/// What octets say against a label that is not US-ASCII or UTF-8.
enum Against {
    /// Nothing.
    Nothing,
    /// They are well-formed UTF-8, with a character of several octets.
    Utf8,
    /// They are UTF-8 that was cut or damaged, and so much of it that it outweighs the label.
    DamagedUtf8(Likeness),
    /// They may be damaged UTF-8, which is too little to outweigh the label.
    TooLittleUtf8(Likeness),
    /// There are octets above 7F, and the label is of seven bits.
    EightBits,
}

/// The evidence of the octets against a label that is not US-ASCII or UTF-8. `likeness` measures how
/// much they look like damaged UTF-8, at least as far as it tells whether that outweighs the label.
fn against(charset: Charset, known: &Known<'_>, likeness: impl FnOnce() -> Likeness) -> Against {
    let is_seven_bit = charset.is_seven_bit();
    if !(is_seven_bit || charset.is_ascii_superset()) || known.is_ascii() {
        return Against::Nothing;
    }
    if is_seven_bit {
        return Against::EightBits;
    }
    if known.utf8().is_some() {
        return Against::Utf8;
    }
    // Damage in these is damage in UTF-8.
    if charset.is_utf8_like() {
        return Against::Nothing;
    }
    let likeness = likeness();
    if likeness.bits < OUTWEIGHS_A_LABEL {
        Against::TooLittleUtf8(likeness)
    } else {
        Against::DamagedUtf8(likeness)
    }
}

/// Whether octets leave a label as it is, so that there is nothing to decide: few are in another
/// charset than they say.
pub(super) fn is_settled(charset: Charset, octets: &[u8]) -> bool {
    match charset {
        _ if charset.names_nothing() => false,
        _ if charset.is_utf16() || charset.is_utf32() => false,
        // Escapes may stand in what claims to be plain ASCII.
        Charset::US_ASCII => octets.is_ascii() && !may_have_escapes(octets),
        // It says nothing against another label.
        _ if octets.is_ascii() => true,
        Charset::UTF_8 => utf8::well_formed(octets).is_some(),
        _ => {
            let known = Known::new(Octets::All(octets), false);
            let likeness = || Likeness::against_a_label(octets);
            matches!(
                against(charset, &known, likeness),
                Against::Nothing | Against::TooLittleUtf8(_)
            )
        }
    }
}

impl Weighing<'_, '_> {
    /// What to read instead of the declared charset, where the octets prove it wrong.
    pub(super) fn contradicted(&mut self, charset: Charset) -> Option<Choice> {
        if let Some(choice) = self.contradicted_units(charset) {
            return Some(choice);
        }
        match charset {
            Charset::US_ASCII => return self.contradicted_ascii(),
            Charset::UTF_8 => return self.contradicted_utf8(),
            _ => {}
        }
        match against(charset, &self.known, || self.known.likeness()) {
            Against::Nothing => None,
            Against::EightBits => self.contradicted_seven_bit(charset),
            Against::Utf8 => self.contradicted_by_utf8(charset),
            Against::DamagedUtf8(likeness) => {
                Some(self.overridden_by_utf8(charset, likeness.first, likeness.confidence()))
            }
            Against::TooLittleUtf8(likeness) => {
                if likeness.bits > 0 {
                    self.note(EvidenceKind::Utf8, None, likeness.first, || {
                        likeness.to_string()
                    });
                }
                None
            }
        }
    }

    /// What to read where US-ASCII is declared: what escapes say that stand in it, or what octets
    /// above 7F are.
    fn contradicted_ascii(&mut self) -> Option<Choice> {
        let charset = Charset::US_ASCII;
        if self.known.is_ascii() {
            let guess = self.escapes()?;
            let place = (guess.offset(), guess.length());
            self.conflict(Some(charset), guess.charset(), Kind::LabelOverridden, place);
            return Some(Choice::new(guess.charset(), Source::Evidence, 98));
        }
        let first = self.known.first_above_ascii();
        let detail = "octets above 7F under the label US-ASCII";
        self.report
            .add_in_octets(Kind::EightBitAscii, first, 1, detail);
        Some(self.undeclared())
    }

    /// What to read where all octets are UTF-8, and another charset is declared.
    fn contradicted_by_utf8(&mut self, charset: Charset) -> Option<Choice> {
        let place = self.known.first_of_utf8()?;
        // Two octets that are a character of UTF-8 are one of most multi-octet charsets too,
        // so such a label is contradicted only by octets that it cannot read, or by more of
        // them than text in such a charset ever has without one that is no UTF-8.
        if !charset.is_single_byte()
            && charset.is_decoded()
            && (charset.is_utf8_like() || self.bits_of_utf8() < OUTWEIGHS_A_LABEL)
            && charset.reads(self.octets(), &self.context.options)
        {
            self.note(EvidenceKind::Utf8, None, place, || {
                "well-formed UTF-8, and text of the declared charset too".into()
            });
            return None;
        }
        Some(self.overridden_by_utf8(charset, place, 98))
    }

    /// UTF-8 in the place of the declared charset.
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

    /// What the well-formed sequences speak for UTF-8, as far as it matters, where all are.
    fn bits_of_utf8(&self) -> i64 {
        self.known.utf8().map_or(0, Likeness::of_text)
    }

    /// What to read where UTF-8 is declared and not all octets are.
    ///
    /// Damage is no disproof: the label stands while the well-formed sequences outweigh what is
    /// malformed. It stands as well where little speaks for anything else: six octets that are
    /// no UTF-8 are some character of most charsets.
    fn contradicted_utf8(&mut self) -> Option<Choice> {
        if self.is_utf8_as_labelled() {
            return None;
        }
        let octets = self.octets();
        let malformed = utf8::malformed(octets).next()?;
        let place = (malformed.offset(), malformed.length());
        self.note(EvidenceKind::Utf8, None, place, || malformed.to_string());
        let likeness = self.known.likeness();
        let declared =
            |confidence: u8| Some(Choice::new(Charset::UTF_8, Source::Declared, confidence));
        if likeness.is_borne_out || self.is_marked_utf8() {
            return declared(likeness.confidence().clamp(60, 90));
        }
        if let Some(guess) = detect::by_cesu8(octets) {
            let choice = self.guessed_cesu8(guess);
            self.conflict(
                Some(Charset::UTF_8),
                choice.charset,
                Kind::LabelOverridden,
                (guess.offset(), guess.length()),
            );
            return Some(choice);
        }
        if likeness.bits > 0 {
            return declared(likeness.confidence().clamp(60, 90));
        }
        if likeness.of_other_text < ALONE || !self.reads_like_other_text() {
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

    /// Whether octets that are no UTF-8 are text in another charset: in one that detection is
    /// sure of, or in one that the rest of the message has.
    fn reads_like_other_text(&self) -> bool {
        let guess = detect::detect(self.octets());
        if guess.charset() != Charset::UTF_8 && guess.is_firm() {
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

    /// What to read where a charset of seven bits is declared and octets have eight.
    ///
    /// They speak against the label as much as they cannot be read in it, and what its escapes
    /// say speaks for it. Katakana of JIS X 0201 that stand among the escapes without one are
    /// read, and so is the eight-bit form of the same language where the charset's decoder
    /// takes it.
    fn contradicted_seven_bit(&mut self, charset: Charset) -> Option<Choice> {
        /// Half-width katakana of eight bits outweigh one octet that is none.
        const KATAKANA: usize = 20;
        let octets = self.octets();
        let options = &self.context.options;
        let damage = charset.decode_with(octets, options).report().replacements();
        let escaped = escaped_characters(charset, octets, options);
        let weight_of_escapes = 4 * i64::try_from(escaped).unwrap_or(i64::MAX / 8);
        let place = (self.known.first_above_ascii(), 1);
        let likeness = self.known.likeness();
        let needed = if damage == 0 {
            OUTWEIGHS_A_LABEL
        } else {
            OUTWEIGHS_NOTHING - 1
        };
        if likeness.bits >= needed + weight_of_escapes {
            let confidence = if self.known.utf8().is_some() {
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
            let found = if is_one(guess.charset()) || guess.is_firm() {
                Some((guess.charset(), guess.confidence()))
            } else {
                read.map(|relative| (relative, guess.confidence().max(50)))
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

    /// The declared charset, and how sure it is. What cannot be read speaks against it, by its share
    /// of what is more than ASCII.
    ///
    /// No more octets are asked than the decision needed, and none twice where the first are no
    /// damage.
    pub(super) fn declared(&mut self, charset: Charset) -> Choice {
        /// Of most bodies so many are decoded in any case.
        const FIRST: usize = 128;
        /// So many say what share is damaged.
        const MOST: usize = 4096;
        let sure = Choice::new(charset, Source::Declared, SURE);
        if self.wanted < Wanted::Evidence || self.read_of(charset, FIRST).0 == 0 {
            return sure;
        }
        let (damage, read) = self.read_of(charset, MOST);
        self.note(EvidenceKind::Detector, None, (0, 0), || {
            format!(
                "{damage} malformed sequences, {read} characters above ASCII, read as {charset}"
            )
        });
        Choice::new(charset, Source::Declared, confidence(damage, read))
    }

    /// How many malformed sequences the first octets have in a charset, and how many characters that
    /// are more than ASCII, or any where it has none of ASCII's octets.
    fn read_of(&self, charset: Charset, most: usize) -> (usize, usize) {
        let start = self.known.octets.start(most);
        let first = start.get(..most).unwrap_or(start);
        let has_ascii = charset.is_ascii_superset() || charset.is_seven_bit();
        if charset.is_ascii_superset() && first.is_ascii() {
            return (0, 0);
        }
        let options = &self.context.options;
        let decoded = if start.len() < most && !options.partial {
            charset.decode_with(first, options)
        } else {
            // A character that is cut at the end is not damaged.
            let choice = Choice::new(charset, Source::Declared, SURE);
            read_start(first, choice, Report::new(), &options.bom(Bom::Keep))
        };
        let damage = decoded.report().replacements();
        let characters = decoded.as_str().chars();
        let read = characters.filter(|character| !(has_ascii && character.is_ascii()));
        (damage, read.count().saturating_sub(damage))
    }
}

/// How sure a declared charset is that nothing speaks against, in percent.
const SURE: u8 = 99;

/// How sure a declared charset is in which so many sequences are malformed, and so many characters
/// read.
fn confidence(damage: usize, read: usize) -> u8 {
    /// A label is worth so much, however much is damaged.
    const LEAST: u8 = 30;
    let share = 100 * damage / (damage + read).max(1);
    SURE - u8::try_from(share).unwrap_or(SURE).min(SURE - LEAST)
}

/// How many characters above ASCII a charset of seven bits reads in the octets that have no eighth.
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
