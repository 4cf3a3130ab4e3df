//! Chooses the charset of octets that have no label, or whose label is disproved.
//!
//! Proof from the octets comes first, then a declaration inside the document, then detection with
//! priors from the rest of the message.

use super::context::Surroundings;
use super::document;
use super::evidence::EvidenceKind;
use super::weighing::{Choice, Wanted, Weighing, decode_alike};
use crate::charset::{Charset, Origin};
use crate::detect::{self, Guess, OUTWEIGHS_A_LABEL, Prior};
use crate::label::Label;
use crate::report::Source;

/// Minimum confidence, in percent, in a charset named by the caller or the surroundings, if the
/// octets are text in it but not decisive.
const MIN_CONFIDENCE: u8 = 80;

/// The basis of a guess.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Basis {
    /// The octets, with priors from their surroundings.
    Octets,
    /// The octets and raw text in header fields, with priors from their surroundings.
    OctetsAndFields,
    /// The octets of many parts together, not of this part alone.
    ManyParts,
}

impl Weighing<'_, '_> {
    /// Chooses the charset by, in this order: a byte order mark; proof from the octets; a declaration in
    /// the document; the default, if the octets are ASCII; detection.
    pub(super) fn undeclared(&mut self) -> Choice {
        if let Some(mark) = self.mark() {
            return self.guessed(mark.charset, Source::Bom, 98, (0, mark.length));
        }
        if document::is_xml(self.media_type)
            && let Some(form) = document::xml_form(self.octets())
        {
            self.note(EvidenceKind::XmlDeclaration, Some(form), (0, 4), || {
                "the first octets of the declaration".into()
            });
            return self.guessed(form, Source::Document, 95, (0, 4));
        }
        if let Some(guess) = detect::by_zeros(self.octets()) {
            let place = (guess.offset, guess.length);
            let charset = guess.charset;
            self.note(EvidenceKind::NulPattern, Some(charset), place, || {
                format!("zeros in the pattern of {charset}")
            });
            return self.guessed(charset, Source::Evidence, 98, place);
        }
        if let Some(place) = self.facts.first_of_utf8() {
            self.note_utf8(place);
            self.document_charset();
            return self.guessed(Charset::UTF_8, Source::Evidence, 98, place);
        }
        if let Some(guess) = self.escapes(false) {
            let place = (guess.offset, guess.length);
            return self.guessed(guess.charset, Source::Evidence, 97, place);
        }
        if !self.facts.is_ascii()
            && let Some(guess) = self.facts.pairs()
        {
            self.document_charset();
            return self.guessed_by_pairs(guess);
        }
        let declared = self.document_charset();
        // A document that declares UTF-8 needs less evidence: damage does not disprove its declaration.
        let needed = if declared == Some(Charset::UTF_8) {
            1
        } else {
            OUTWEIGHS_A_LABEL
        };
        if !self.facts.is_ascii() && self.facts.likeness().bits >= needed {
            let likeness = self.facts.likeness();
            self.note_utf8(likeness.first);
            let source = if likeness.bits >= OUTWEIGHS_A_LABEL {
                Source::Evidence
            } else {
                Source::Document
            };
            return self.guessed(
                Charset::UTF_8,
                source,
                likeness.confidence(),
                likeness.first,
            );
        }
        if let Some(charset) = declared
            && charset.is_decoded()
            && self.may_declare_itself(charset)
            && charset.reads(self.octets(), &self.context.options)
        {
            return self.guessed(charset, Source::Document, 95, (0, 0));
        }
        if self.facts.is_ascii() {
            return self.by_default(Charset::US_ASCII, 99);
        }
        self.detected()
    }

    /// Detects the charset, with priors from the surroundings.
    fn detected(&mut self) -> Choice {
        if let Some(second) = self.second() {
            let place = (self.facts.first_above_ascii(), 1);
            return self.guessed(second, Source::Detected, MIN_CONFIDENCE, place);
        }
        if self.context.is_value && self.has_few_octets_above_ascii() {
            return self.as_raw_field();
        }
        let mut around = self.surroundings;
        // Other parts are not evidence if their charset is this part's disproved label.
        let label = self.context.label.map(Label::as_bytes);
        let own = label.and_then(Charset::for_label_octets);
        around.siblings = around.siblings.filter(|it| Some(*it) != own);
        let (guess, basis) = self.guess_charset(&around);
        self.note_guess(guess, basis);
        let chosen = self.best_hint(&around, guess, basis);
        let charset = chosen.map_or(guess.charset, |(charset, _)| charset);
        self.note_origin(around.origin, charset);
        match chosen {
            Some((hint, confidence)) => self.guessed(hint, Source::Detected, confidence, (0, 0)),
            None if guess.source == Source::Default => self.by_default(guess.charset, 30),
            None => {
                let place = (guess.offset, guess.length);
                self.guessed(guess.charset, guess.source, guess.confidence, place)
            }
        }
    }

    /// The second charset that the label's field names, if it decodes the octets.
    pub(super) fn second(&self) -> Option<Charset> {
        self.surroundings
            .second
            .filter(|charset| charset.is_ascii_superset() && self.fits(*charset))
    }

    /// Whether the octets above 7F are too few to tell charsets apart.
    fn has_few_octets_above_ascii(&self) -> bool {
        const MAX_COUNT: usize = 3;
        let above = self.octets().iter().filter(|octet| !octet.is_ascii());
        above.take(MAX_COUNT + 1).count() <= MAX_COUNT
    }

    /// Chooses the charset of a short value as for raw octets in a field (`raw_octets.rs`): the charset
    /// from the caller, or from the other fields, if it decodes the octets, else windows-1252 (RFC 7103,
    /// section 7.7).
    fn as_raw_field(&mut self) -> Choice {
        let place = (self.facts.first_above_ascii(), 1);
        let hints = [
            (EvidenceKind::Hint, self.context.options.hint),
            (EvidenceKind::Header, self.surroundings.header),
        ];
        for (kind, hint) in hints {
            let is_other = |charset: &Charset| *charset != Charset::UTF_8 && self.fits(*charset);
            if let Some(charset) = hint.filter(is_other) {
                self.note(kind, Some(charset), (0, 0), || charset.to_string());
                return self.guessed(charset, Source::Detected, MIN_CONFIDENCE, place);
            }
        }
        self.by_default(Charset::WINDOWS_1252, 50)
    }

    /// The guess for these octets alone, or for many parts together.
    fn guess_charset(&self, around: &Surroundings<'_>) -> (Guess, Basis) {
        if let Some(guess) = around.guess_of_many {
            let guess = Some(guess).filter(|it| self.fits(it.charset));
            let guess = Guess {
                offset: self.facts.first_above_ascii(),
                length: 1,
                ..guess.unwrap_or_else(Guess::unknown)
            };
            return (guess, Basis::ManyParts);
        }
        let prior = Prior::new([around.siblings, around.header], around.origin);
        // Proof from the octets was already tried; only the score is left.
        let guess = detect::by_weight(self.octets(), self.facts.likeness(), &prior);
        let guess = guess.unwrap_or_else(Guess::unknown);
        let options = &self.context.options;
        let together = guess.with(around.raw_fields, self.octets(), &prior, options);
        together.map_or((guess, Basis::Octets), |together| {
            (together, Basis::OctetsAndFields)
        })
    }

    fn note_guess(&mut self, guess: Guess, basis: Basis) {
        let place = (guess.offset, guess.length);
        if guess.charset == Charset::UTF_8 && basis != Basis::ManyParts {
            self.note_utf8(place);
            return;
        }
        let kind = match guess.source {
            Source::Evidence => EvidenceKind::NulPattern,
            Source::Detected => EvidenceKind::Detector,
            _ => return,
        };
        let (charset, confidence) = (guess.charset, guess.confidence);
        self.note(kind, Some(charset), place, || match basis {
            Basis::ManyParts => {
                format!("{charset}, {confidence}%, guessed from many parts together")
            }
            Basis::OctetsAndFields => {
                format!("{charset}, {confidence}%, with the raw text of the header")
            }
            Basis::Octets => format!("{charset}, {confidence}%"),
        });
    }

    /// The charset named by the caller or the rest of the message, with its confidence, if it is
    /// preferred to the guess. Notes each named charset as evidence.
    fn best_hint(
        &mut self,
        around: &Surroundings<'_>,
        guess: Guess,
        basis: Basis,
    ) -> Option<(Charset, u8)> {
        let hints = [
            (EvidenceKind::Hint, self.context.options.hint),
            (EvidenceKind::Siblings, around.siblings),
            (EvidenceKind::Header, around.header),
        ];
        let mut chosen = None;
        for (kind, hint) in hints {
            let Some(hint) = hint.filter(|hint| hint.is_decoded()) else {
                continue;
            };
            let was_weighed = kind != EvidenceKind::Hint && basis != Basis::ManyParts;
            let fits = self.note_hint(kind, hint, was_weighed, guess.charset);
            if fits && chosen.is_none() {
                chosen = self.confidence_in_hint(hint, was_weighed, guess);
            }
        }
        chosen
    }

    /// Notes a charset named by the caller or the rest of the message. Returns whether it decodes the
    /// octets.
    fn note_hint(
        &mut self,
        kind: EvidenceKind,
        hint: Charset,
        was_weighed: bool,
        guessed: Charset,
    ) -> bool {
        // A seven-bit charset cannot decode octets above 7F, but supports another charset of its
        // language.
        let is_other = was_weighed && hint.is_seven_bit();
        let fits = !is_other && self.fits(hint);
        let is_of_language = is_other && hint.languages().intersects(guessed.languages());
        let supported = if is_of_language {
            Some(guessed)
        } else {
            fits.then_some(hint)
        };
        self.note(kind, supported, (0, 0), || {
            let how = match (fits, is_of_language) {
                (true, _) => "decodes without errors",
                (_, true) => "is of the same language",
                _ => "does not fit",
            };
            format!("{hint} {how}")
        });
        fits
    }

    /// The confidence in a named charset that decodes the octets, if it is preferred to the guess.
    ///
    /// Three kinds of named charsets are preferred unless the guess is firm: the caller's hint, a charset
    /// unknown to detection, and any charset if the octets are not text in any charset and the guess
    /// cannot decode them. Any other named charset was a prior of the guess, and is preferred only if it
    /// decodes to the same text.
    fn confidence_in_hint(
        &self,
        hint: Charset,
        was_weighed: bool,
        guess: Guess,
    ) -> Option<(Charset, u8)> {
        let is_guess_read = || guess.is_like_text() || self.fits(guess.charset);
        let was_weighed = was_weighed && detect::is_weighed(hint) && is_guess_read();
        let is_believed = !was_weighed && !guess.is_firm;
        let same = || decode_alike(hint, guess.charset) || self.same_text(hint, guess.charset);
        if !is_believed && !same() {
            return None;
        }
        // The confidence is raised only if the octets are text in some charset.
        let confidence = if guess.is_like_text() && !was_weighed {
            guess.confidence.max(MIN_CONFIDENCE)
        } else {
            guess.confidence
        };
        Some((hint, confidence))
    }

    /// Notes whether the languages and the program of the sender support the chosen charset.
    fn note_origin(&mut self, origin: Origin, chosen: Charset) {
        if self.wanted < Wanted::Evidence {
            return;
        }
        let languages = chosen.languages();
        for (kind, likelier) in [
            (EvidenceKind::ContentLanguage, origin.language),
            (EvidenceKind::SenderDomain, origin.domain),
        ] {
            if !likelier.is_empty() {
                let is_for = likelier.intersects(languages);
                self.note(kind, is_for.then_some(chosen), (0, 0), || {
                    format!("{} charsets are more likely", likelier.names())
                });
            }
        }
        if let Some(program) = origin.program {
            let is_for = program.writes(chosen);
            self.note(
                EvidenceKind::Program,
                is_for.then_some(chosen),
                (0, 0),
                || format!("charsets of {} are more likely", program.name()),
            );
        }
    }

    pub(super) fn guessed_by_pairs(&mut self, guess: Guess) -> Choice {
        let place = (guess.offset, guess.length);
        let (kind, detail) = match guess.charset.name() {
            "CESU-8" => (
                EvidenceKind::Utf8,
                "surrogate pairs, each surrogate encoded like a UTF-8 character",
            ),
            _ => (
                EvidenceKind::Detector,
                "octet 81 before each octet above 9F",
            ),
        };
        self.note(kind, Some(guess.charset), place, || detail.into());
        self.guessed(guess.charset, Source::Evidence, guess.confidence, place)
    }
}
