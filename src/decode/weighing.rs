//! The state of a decision in progress: facts and evidence so far.
//!
//! The methods here collect evidence. The rules that use it are in `contradiction.rs`, for labelled
//! octets, and in `unlabelled.rs`, for octets without a label.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::Write as _;

use memchr::{memchr, memchr3_iter};

use super::byte_order_mark::LONGEST_MARK;
use super::context::{Context, Surroundings};
use super::document::{self, Declaration};
use super::evidence::{Evidence, EvidenceKind, Side};
use super::octets::{DecisionOctets, OctetFacts};
use crate::charset::{self, Charset};
use crate::detect::{self, Guess, Likeness};
use crate::header::Few;
use crate::label::Label;
use crate::report::{Kind, Report, Source};

const ESC: u8 = 0x1B;

/// A decision in progress.
pub(crate) struct Weighing<'o, 'c> {
    pub(super) facts: OctetFacts<'o>,
    pub(super) context: &'c Context<'c>,
    pub(super) surroundings: Surroundings<'c>,
    pub(super) wanted: Wanted,
    /// The charset that the label names.
    pub(super) declared: Option<Charset>,
    pub(super) media_type: &'c str,
    /// The byte order mark, once searched for.
    mark: OnceCell<Option<Guess>>,
    /// The charset that the document declares, with offset and length, once searched for.
    document: OnceCell<Option<(Charset, usize, usize)>>,
    pub(super) evidence: Few<Evidence>,
    pub(super) report: Report,
}

/// The parts of a decision that the caller needs. The charset alone needs the fewest octets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wanted {
    /// The charset and its source.
    Charset,
    /// Also the findings.
    Report,
    /// Also the evidence and the confidence.
    Evidence,
}

/// A charset, the source of the choice, and its confidence in percent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    pub(crate) charset: Charset,
    pub(crate) source: Source,
    pub(super) confidence: u8,
}

impl Choice {
    pub(super) fn new(charset: Charset, source: Source, confidence: u8) -> Self {
        Choice {
            charset,
            source,
            confidence,
        }
    }
}

impl<'o, 'c> Weighing<'o, 'c> {
    /// Resolves the label. If the decision needs all octets, decodes them now, so that their start is not
    /// decoded twice.
    pub(crate) fn new(
        octets: DecisionOctets<'o>,
        context: &'c Context<'c>,
        wanted: Wanted,
    ) -> Self {
        let mut weighing = Weighing {
            facts: OctetFacts::new(octets, context.options.partial),
            context,
            surroundings: context.surroundings,
            wanted,
            declared: None,
            media_type: context.media_type.unwrap_or("text/plain"),
            mark: OnceCell::new(),
            document: OnceCell::new(),
            evidence: Few::None,
            report: Report::new(),
        };
        weighing.resolve_label();
        if !weighing.ignores_octets() && weighing.needs_all_octets() {
            weighing.octets();
        }
        weighing
    }

    /// Starts a decision about octets that will be decoded: all of them, with the findings.
    pub(super) fn of(octets: &'o [u8], context: &'c Context<'c>) -> Self {
        Weighing::new(DecisionOctets::Whole(octets), context, Wanted::Report)
    }

    /// Whether the caller or the trusted label decides, regardless of the octets.
    fn ignores_octets(&self) -> bool {
        self.context.options.forced().is_some() || self.is_label_trusted()
    }

    /// Whether the label decides, regardless of the octets.
    pub(super) fn is_label_trusted(&self) -> bool {
        self.context.options.trusts_label && self.declared.is_some()
    }

    /// Whether any octet may change the decision or its findings: there is no label, the label is of
    /// seven bits, or damage to UTF-8 has to be reported.
    fn needs_all_octets(&self) -> bool {
        match self.declared {
            Some(Charset::UTF_8) => self.wanted > Wanted::Charset,
            Some(charset) => charset.is_seven_bit(),
            None => true,
        }
    }

    /// Whether the charset may depend on the rest of the message. It may if there is no label, or the
    /// label is US-ASCII, UTF-8 or UTF-32, and the octets are neither US-ASCII nor UTF-8.
    pub(crate) fn needs_surroundings(&self) -> bool {
        if self.ignores_octets() {
            return false;
        }
        let is_plain = match self.declared {
            None | Some(Charset::US_ASCII) => self.facts.is_ascii() || self.facts.utf8().is_some(),
            Some(Charset::UTF_8) => self.is_utf8_as_labelled(),
            // A wrong UTF-32 label is treated like no label.
            Some(charset) => !charset.is_utf32(),
        };
        !is_plain
    }

    /// Whether octets labelled UTF-8 are well-formed, or their start proves UTF-8 and only the charset
    /// is wanted.
    pub(super) fn is_utf8_as_labelled(&self) -> bool {
        self.wanted == Wanted::Charset && self.facts.start_proves_utf8()
            || self.facts.utf8().is_some()
    }

    /// Sets the evidence from the rest of the message; under a UTF-32 label, only the joint guess.
    pub(crate) fn surround(&mut self, surroundings: Surroundings<'c>) {
        self.surroundings = if self.declared.is_some_and(Charset::is_utf32) {
            Surroundings {
                guess_of_many: surroundings.guess_of_many,
                ..self.surroundings
            }
        } else {
            surroundings
        };
    }

    /// All octets.
    pub(super) fn octets(&self) -> &'o [u8] {
        self.facts.octets.all()
    }

    fn resolve_label(&mut self) {
        let Some(label) = self.context.label else {
            return;
        };
        let charset = resolve_and_report(label, &mut self.report);
        self.declared = charset;
        self.note(EvidenceKind::Label, charset, (0, 0), || {
            let mut detail = format_label(label);
            detail.push_str(" names ");
            detail.push_str(charset.map_or("no charset", Charset::name));
            detail
        });
    }

    /// The byte order mark at the start.
    pub(super) fn mark(&mut self) -> Option<Guess> {
        if let Some(mark) = self.mark.get() {
            return *mark;
        }
        let mark = detect::by_bom(self.facts.octets.start(LONGEST_MARK));
        // The cell is still empty.
        let _ = self.mark.set(mark);
        if let Some(mark) = mark {
            let charset = mark.charset;
            self.note(EvidenceKind::Bom, Some(charset), (0, mark.length), || {
                format!("a byte order mark of {charset}")
            });
        }
        mark
    }

    /// Whether the octets begin with a byte order mark of UTF-8.
    pub(super) fn is_marked_utf8(&mut self) -> bool {
        self.mark()
            .is_some_and(|mark| mark.charset == Charset::UTF_8)
    }

    /// The charset that the document declares. If there is a label, the declaration is only noted as
    /// evidence: gateways transcode documents without changing their declarations.
    pub(super) fn document_charset(&mut self) -> Option<Charset> {
        if self.document.get().is_none() {
            let declared = self.declaration();
            // The cell is still empty.
            let _ = self.document.set(declared);
        }
        self.declared_in_document().map(|(charset, ..)| charset)
    }

    /// The charset that the document declares, with offset and length, if searched for.
    pub(super) fn declared_in_document(&self) -> Option<(Charset, usize, usize)> {
        self.document.get().copied().flatten()
    }

    fn declaration(&mut self) -> Option<(Charset, usize, usize)> {
        if !document::may_declare(self.media_type) {
            return None;
        }
        let start = self.facts.octets.start(document::MAX_SEARCHED);
        let Declaration {
            label,
            kind,
            offset,
            length,
        } = document::declaration(start, self.media_type)?;
        let charset = Charset::for_label_octets(label.as_bytes())
            .or_else(|| charset::resolve(&label).charset)
            .filter(|charset| !charset.names_nothing());
        self.note(kind, charset, (offset, length), || {
            let verbatim = start.get(offset..offset + length).unwrap_or_default();
            let mut detail = format_label(&Label::from(Cow::Borrowed(verbatim)));
            if let Some(charset) = charset.filter(|_| verbatim.trim_ascii() != label.as_bytes()) {
                // Writing to a String does not fail.
                let _ = write!(detail, ", which is {charset} here");
            }
            detail
        });
        charset.map(|charset| (charset, offset, length))
    }

    /// Whether the declaration's octets decode to the same text in this charset as in ASCII. Always false
    /// for UTF-7, which is accepted only from a label: it hides markup from readers that do not expect
    /// it, and browsers ignore declarations of it (HTML, section 13.2.3.2).
    pub(super) fn may_declare_itself(&self, charset: Charset) -> bool {
        let place = self.declared_in_document();
        let verbatim =
            place.and_then(|(_, offset, length)| self.octets().get(offset..offset + length));
        let verbatim = verbatim.unwrap_or_default();
        !charset.name().contains("UTF-7")
            && charset.decode(verbatim).as_str().as_bytes() == verbatim
    }

    /// The charset of the escapes in seven-bit octets: HZ, or one of the ISO 2022 family. Escapes
    /// without ESC, and escapes of HZ, are accepted unless `need_esc` is set.
    pub(super) fn escapes(&mut self, need_esc: bool) -> Option<Guess> {
        if !self.facts.is_ascii() || !may_have_escapes(self.octets()) {
            return None;
        }
        let guess = detect::by_escapes(self.octets())?;
        if need_esc && self.octets().get(guess.offset) != Some(&ESC) {
            return None;
        }
        let charset = guess.charset;
        let place = (guess.offset, guess.length);
        self.note(EvidenceKind::Escapes, Some(charset), place, || {
            format!("escapes of {charset}")
        });
        Some(guess)
    }

    /// Notes that the octets are UTF-8. For damaged UTF-8, the detail states how much is well-formed.
    pub(super) fn note_utf8(&mut self, place: (usize, usize)) {
        let is_whole = self.facts.utf8().is_some();
        let likeness = if is_whole {
            Likeness::default()
        } else {
            self.facts.likeness()
        };
        self.note(EvidenceKind::Utf8, Some(Charset::UTF_8), place, || {
            if is_whole {
                "well-formed UTF-8".into()
            } else {
                likeness.to_string()
            }
        });
    }

    /// Whether the octets are valid in this charset. Always false for US-ASCII.
    pub(super) fn fits(&self, charset: Charset) -> bool {
        charset != Charset::US_ASCII && charset.reads(self.octets(), &self.context.options)
    }

    /// Whether the octets decode to the same text in both.
    pub(super) fn same_text(&self, a: Charset, b: Charset) -> bool {
        a.reads_as(b, self.octets(), &self.context.options)
    }

    /// Notes evidence with its charset, if any, and its offset and length in the octets.
    pub(super) fn note(
        &mut self,
        kind: EvidenceKind,
        charset: Option<Charset>,
        (offset, length): (usize, usize),
        detail: impl FnOnce() -> String,
    ) {
        if self.wanted < Wanted::Evidence {
            return;
        }
        self.evidence.push(Evidence {
            kind,
            // Set once the decision is made.
            side: Side::Neither,
            charset,
            offset,
            length,
            detail: detail(),
        });
    }

    /// Reports that the octets are decoded in a charset other than the declared one.
    pub(super) fn conflict(
        &mut self,
        declared: Option<Charset>,
        chosen: Charset,
        kind: Kind,
        (offset, length): (usize, usize),
    ) {
        if let Some(declared) = declared
            && !decode_alike(declared, chosen)
        {
            let detail = format!("labelled {declared}, read as {chosen}");
            self.report.add_in_octets(kind, offset, length, detail);
        }
    }

    /// Chooses and reports a charset that no label declares.
    pub(super) fn guessed(
        &mut self,
        charset: Charset,
        source: Source,
        confidence: u8,
        (offset, length): (usize, usize),
    ) -> Choice {
        let detail = charset.read_as_name();
        self.report
            .add_in_octets(Kind::DetectedCharset, offset, length, detail);
        Choice::new(charset, source, confidence)
    }

    /// Chooses the default charset. `charset` fits the octets. If it is US-ASCII, the default of
    /// the media type replaces it: this default is UTF-8 for some types, and the text is the same.
    /// Empty text under a label that names no charset is UNKNOWN-8BIT (RFC 1428, section 3).
    pub(super) fn by_default(&mut self, charset: Charset, confidence: u8) -> Choice {
        let (media_type, is_empty) = (self.media_type, self.octets().is_empty());
        let is_unknown = is_empty && self.context.label.is_some() && !self.context.is_value;
        let charset = match (charset, media_default(media_type)) {
            _ if is_unknown => Charset::UNKNOWN_8BIT,
            (Charset::US_ASCII, Some(default)) => default,
            _ => charset,
        };
        self.note(EvidenceKind::Default, Some(charset), (0, 0), || {
            let nothing = if is_empty {
                ", because the text is empty"
            } else {
                ""
            };
            format!("the default of {media_type}{nothing}")
        });
        self.report
            .add_in_octets(Kind::DefaultCharset, 0, 0, charset.read_as_name());
        Choice::new(charset, Source::Default, confidence)
    }
}

/// Whether the octets have the control ESC, which begins the escapes of ISO 2022.
pub(super) fn has_esc(octets: &[u8]) -> bool {
    memchr(ESC, octets).is_some()
}

/// Whether seven-bit octets may have an escape of ISO 2022 or HZ: a cheap check before the full
/// search.
pub(super) fn may_have_escapes(octets: &[u8]) -> bool {
    memchr3_iter(ESC, b'~', b'$', octets).any(|at| {
        matches!(
            octets.get(at..at + 2),
            Some(b"~{" | b"$B" | b"$@" | [ESC, _])
        )
    })
}

/// A label formatted for evidence, with spare capacity for a few words.
fn format_label(label: &Label<'_>) -> String {
    const SHOWN: usize = 64;
    let octets = label.as_bytes();
    let mut text = String::with_capacity(octets.len().min(SHOWN) + 32);
    match std::str::from_utf8(octets) {
        Ok(plain) if plain.is_ascii() => text.push_str(plain.get(..SHOWN).unwrap_or(plain)),
        // Writing to a String does not fail.
        _ => drop(write!(text, "{label:.SHOWN$}")),
    }
    text
}

/// Whether two charsets are decoded by the same table.
pub(super) fn decode_alike(a: Charset, b: Charset) -> bool {
    a == b || a.as_practised() == b.as_practised()
}

/// The charset that a label names. Reports a label that is unknown, repaired, or names no charset.
pub(super) fn resolve_and_report(label: &Label<'_>, report: &mut Report) -> Option<Charset> {
    // Fast path: most labels need no finding.
    if let Some(charset) = Charset::for_label_octets(label.as_bytes())
        && !charset.names_nothing()
    {
        return Some(charset);
    }
    let resolved = charset::resolve(label);
    let Some(charset) = resolved.charset else {
        report.add_in_octets(Kind::UnknownLabel, 0, 0, format!("{label:.64}"));
        return None;
    };
    if let Some(kind) = resolved.matched.kind() {
        report.add_in_octets(kind, 0, 0, format!("{label:.64} {}", resolved.detail()));
    }
    if charset.names_nothing() {
        report.add_in_octets(
            Kind::NoLabel,
            0,
            0,
            format!("{label:.64} declares no charset"),
        );
        return None;
    }
    Some(charset)
}

/// The default charset of types whose standard defines one, always UTF-8 (RFC 6657, section 3; RFC 5545,
/// section 3.1.4; RFC 6350, section 3.1; RFC 7111, section 3; RFC 7763, section 2; RFC 8259, section
/// 8.1; RFC 9239, section 4).
fn media_default(media_type: &str) -> Option<Charset> {
    let is_utf_8 = matches!(
        media_type,
        "text/calendar"
            | "text/vcard"
            | "text/csv"
            | "text/markdown"
            | "text/css"
            | "text/javascript"
            | "application/javascript"
            | "application/json"
    ) || media_type.starts_with("message/global-")
        || media_type.ends_with("+json")
        || document::is_xml(media_type);
    is_utf_8.then_some(Charset::UTF_8)
}
