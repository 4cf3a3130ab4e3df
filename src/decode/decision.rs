//! One decision: which charset, on whose word, and what spoke for and against it.
//!
//! The order is that of RFC 2045, section 5.2, RFC 2046, section 4.1.2, RFC 6657 and RFC
//! 7303, section 3, with the checks of RFC 7103, section 7.6: a label is believed unless the
//! octets prove it wrong.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::{self, Write as _};

use memchr::memchr2_iter;

use super::Few;
use super::context::{Context, Rest, origin};
use super::document::{self, Declaration, Form};
use super::evidence::{Evidence, Stance, Witness};
use crate::charset::hangul;
use crate::charset::{self, Charset, Options, Origin, Trust, utf8};
use crate::detect::{self, ALONE, Guess, Likeness, OUTWEIGHS_A_LABEL, OUTWEIGHS_NOTHING, Prior};
use crate::label::Label;
use crate::report::{Kind, Report, Source};

/// The charset chosen for octets, on whose word, how firmly, and what was heard.
///
/// ```
/// use mime_charset::{Charset, Kind, Label, Source, decode::{self, Context}};
///
/// let label = Label::new("iso-8859-1");
/// let decision = decode::decide("café".as_bytes(), &Context::new().label(Some(&label)));
/// assert_eq!((decision.charset(), decision.source()), (Charset::UTF_8, Source::Evidence));
/// assert!(decision.confidence() > 90);
/// assert_eq!(decision.evidence().len(), 2);
/// assert!(decision.report().has(Kind::LabelOverridden));
/// assert!(decision.to_string().starts_with("UTF-8, evidence, "));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    charset: Charset,
    source: Source,
    confidence: u8,
    evidence: Few<Evidence>,
    report: Report,
}

impl Decision {
    /// The charset to read the octets in.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// On whose word.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    /// How likely the text is right that the octets are in this charset, in percent, from 0 to
    /// 100. What all charsets that come into question read alike, such as plain ASCII, is near
    /// 100 whoever chose, and so is what has no octets at all: the evidence says so.
    #[must_use]
    pub fn confidence(&self) -> u8 {
        self.confidence
    }

    /// What was heard, in the order in which it was asked for.
    #[must_use]
    pub fn evidence(&self) -> &[Evidence] {
        self.evidence.as_slice()
    }

    /// What had to be assumed or repaired to decide; offsets count the octets.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

/// For people: the decision in one line, and a line for each piece of evidence.
impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (charset, source) = (self.charset, self.source.name());
        write!(f, "{charset}, {source}, {}%", self.confidence)?;
        for evidence in self.evidence() {
            write!(f, "\n  {evidence}")?;
        }
        Ok(())
    }
}

/// Which charset octets are in, on whose word, and what spoke for and against it.
///
/// The order: the label, unless the octets prove it wrong ([`Options::trust`]); without one,
/// or where it says nothing, a byte order mark; what the octets prove; a declaration inside
/// the document; the default of the media type, where the octets bear it out; detection,
/// weighed with what the rest of the message and the caller know; at last US-ASCII for 7-bit
/// octets and windows-1252 for others. In HTML, XML and CSS a byte order mark comes before the
/// label (HTML Standard, section 13.2.3.2; RFC 7303, section 3.2).
///
/// Damage is no disproof: what is well-formed UTF-8 speaks for it, and what is malformed speaks
/// against it, in proportion. So UTF-8 that was cut, or has a few octets damaged, overrides a
/// label as well-formed UTF-8 does; one of two-octet characters needs much of it. Octets above 7F
/// speak against a label of seven bits, and what its escapes say for it. A few octets that are no
/// UTF-8 leave the label UTF-8 alone.
///
/// All octets are read, since the last one may tip the scale, but where the first ones are so
/// much no UTF-8, or so much UTF-8, that the rest does not matter.
///
/// ```
/// use mime_charset::{Label, Source, decode::{self, Context, Stance, Witness}};
///
/// let label = Label::new("us-ascii");
/// let decision = decode::decide("한국어".as_bytes(), &Context::new().label(Some(&label)));
/// assert_eq!((decision.charset().name(), decision.source()), ("UTF-8", Source::Evidence));
/// let against: Vec<_> = decision
///     .evidence()
///     .iter()
///     .filter(|evidence| evidence.stance() == Stance::Against)
///     .map(|evidence| evidence.witness())
///     .collect();
/// assert_eq!(against, [Witness::Label]);
/// ```
#[must_use]
pub fn decide(octets: &[u8], context: &Context<'_>) -> Decision {
    decide_in(octets, context, None)
}

/// [`decide`], with a message to ask about what the context leaves out.
pub(crate) fn decide_in(octets: &[u8], context: &Context<'_>, rest: Option<&dyn Rest>) -> Decision {
    let mut hearing = Hearing::new(octets, context, rest);
    hearing.evidence = Some(Few::None);
    let (charset, source, confidence) = hearing.decide();
    let mut evidence = hearing.evidence.unwrap_or_default();
    for evidence in evidence.as_mut_slice() {
        evidence.stance = match evidence.charset {
            None => Stance::Neither,
            Some(spoken_for) if agree(spoken_for, charset) => Stance::For,
            Some(_) => Stance::Against,
        };
    }
    Decision {
        charset,
        source,
        confidence,
        evidence,
        report: hearing.report,
    }
}

/// What [`decide_in`] would choose, and on whose word; what else it would say is not looked for.
pub(crate) fn choose_in(
    octets: &[u8],
    context: &Context<'_>,
    rest: Option<&dyn Rest>,
) -> (Charset, Source) {
    let (charset, source, _) = Hearing::new(octets, context, rest).choose();
    (charset, source)
}

/// What [`decide`] would choose, where the label alone tells or one of `starts` does, each of
/// which is what the octets begin with; at the latest all of them do.
pub(crate) fn choose_by_start<'s>(
    starts: impl Iterator<Item = Cow<'s, [u8]>>,
    context: &Context<'_>,
) -> Option<(Charset, Source)> {
    let charset =
        Charset::for_label(context.label?.as_bytes()).filter(|charset| !charset.names_nothing())?;
    let declared = (charset, Source::Declared);
    if context.options.trust == Trust::Label {
        return Some(declared);
    }
    let mark_matters = document::mark_comes_first(context.media_type.unwrap_or("text/plain"));
    if charset == Charset::US_ASCII || charset.is_seven_bit() {
        return None;
    }
    if !mark_matters && !charset.is_ascii_superset() {
        return Some(declared);
    }
    for start in starts {
        if mark_matters && (start.len() < LONGEST_MARK || detect::by_bom(&start).is_some()) {
            return None;
        }
        let is_settled = match charset {
            Charset::UTF_8 => Likeness::bears_out(&start),
            _ => bears_out(charset, &start),
        };
        if is_settled {
            return Some(declared);
        }
    }
    None
}

/// What [`decide_in`] gives, where one of `starts` tells all of it, each of which is what the
/// octets begin with: where the label names neither UTF-8 nor US-ASCII, which the last octet may
/// prove wrong, and the start is as long as what a document declares may be away.
pub(crate) fn decide_by_start<'s>(
    starts: impl Iterator<Item = Cow<'s, [u8]>>,
    context: &Context<'_>,
    rest: Option<&dyn Rest>,
) -> Option<Decision> {
    let charset = Charset::for_label(context.label?.as_bytes())?;
    if matches!(charset, Charset::UTF_8 | Charset::US_ASCII) || charset.names_nothing() {
        return None;
    }
    let mark_matters = document::mark_comes_first(context.media_type.unwrap_or("text/plain"));
    let needed = if mark_matters {
        document::LOOKED_AT
    } else {
        LONGEST_MARK
    };
    for start in starts.filter(|start| start.len() >= needed) {
        if mark_matters && detect::by_bom(&start).is_some() {
            return None;
        }
        if context.options.trust == Trust::Label || bears_out(charset, &start) {
            return Some(decide_in(&start, context, rest));
        }
    }
    None
}

/// How many octets [`decide_utf8`] needs of what is labelled UTF-8; `None` under another label.
pub(crate) fn needed_of_utf8(context: &Context<'_>) -> Option<usize> {
    let charset = Charset::for_label(context.label?.as_bytes())?;
    let mark_matters = document::mark_comes_first(context.media_type.unwrap_or("text/plain"));
    match (charset, mark_matters) {
        (Charset::UTF_8, true) => Some(document::LOOKED_AT),
        (Charset::UTF_8, false) => Some(LONGEST_MARK),
        _ => None,
    }
}

/// What [`decide_in`] gives of octets under a label of UTF-8 that begin with `start`, of which
/// so many are [`needed`](needed_of_utf8), where `is_plain` says of all that follow that they
/// are well-formed, and that in them is nothing to be looked at twice: no U+3400 to U+4DFF; and
/// behind the first octet C3 and its continuation, unless it is told that one came before,
/// US-ASCII or nothing.
pub(crate) fn decide_utf8(
    start: &[u8],
    needed: usize,
    context: &Context<'_>,
    rest: Option<&dyn Rest>,
    is_plain: impl FnOnce(bool) -> bool,
) -> Option<Decision> {
    let c3 = memchr::memchr(0xC3, start);
    let may_be_encoded_twice = |first: usize| {
        let from = start.get(first..).unwrap_or_default();
        from.get(2).is_none_or(|octet| !octet.is_ascii())
            && (from.len() < LONGEST_TWICE || begins_encoded_twice(from))
    };
    if start.len() < needed
        || detect::by_bom(start).is_some()
        || memchr::memchr2(0xE3, 0xE4, start).is_some()
        || c3.is_some_and(may_be_encoded_twice)
    {
        return None;
    }
    let decision = decide_in(start, context, rest);
    // Less sure is what is malformed.
    let is_sound = (decision.charset, decision.source, decision.confidence) == DECLARED_UTF_8;
    (is_sound && is_plain(c3.is_some())).then_some(decision)
}

/// The choice where a label of UTF-8 is believed.
const DECLARED_UTF_8: Choice = (Charset::UTF_8, Source::Declared, 99);

/// How sure a charset is at least that somebody names who should know, where the octets are text in it
/// and leave it open, in percent.
const BELIEVED: u8 = 80;

/// The longest byte order mark.
const LONGEST_MARK: usize = 4;

/// Whether octets that begin with `start` leave the label alone, whatever follows: so much in them
/// is no UTF-8 that nothing could outweigh it, or they could be no proof of it.
fn bears_out(charset: Charset, start: &[u8]) -> bool {
    if charset.is_seven_bit() {
        return false;
    }
    !charset.is_ascii_superset()
        || if charset.is_utf8_like() {
            // What the end of the stretch cuts may go on behind it.
            utf8::malformed(start)
                .next()
                .is_some_and(|malformed| malformed.offset() + malformed.length() < start.len())
        } else {
            Likeness::of(start).is_settled
        }
}

/// Whether octets leave the label alone that stands for all of them, and is not UTF-8 or US-ASCII:
/// the decision would say nothing else.
pub(super) fn leave_label_alone(charset: Charset, octets: &[u8]) -> bool {
    if octets.is_ascii() || !(charset.is_seven_bit() || charset.is_ascii_superset()) {
        return true;
    }
    !charset.is_seven_bit()
        && utf8::well_formed(octets).is_none()
        && (charset.is_utf8_like() || Likeness::of(octets).bits < OUTWEIGHS_A_LABEL)
}

/// A label as evidence shows it, with room for what is said of it.
fn written(label: &Label<'_>) -> String {
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

/// Whether two names stand for the same decoding.
fn agree(a: Charset, b: Charset) -> bool {
    a == b || a.as_practised() == b.as_practised()
}

/// The charset a label names; what had to be done to find it is a finding.
pub(super) fn resolved(label: &Label<'_>, report: &mut Report) -> Option<Charset> {
    // Nothing is to be said of most labels.
    if let Some(charset) = Charset::for_label(label.as_bytes())
        && !charset.names_nothing()
    {
        return Some(charset);
    }
    let resolved = charset::resolve(label);
    let Some(charset) = resolved.charset() else {
        report.add_in_octets(Kind::UnknownLabel, 0, 0, format!("{label:.64}"));
        return None;
    };
    if let Some(kind) = resolved.matched().kind() {
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

/// A decision while it is made.
pub(super) struct Hearing<'h, 'c> {
    octets: &'h [u8],
    pub(super) is_ascii: bool,
    /// The octets as UTF-8, if they are, once it was asked.
    utf8: OnceCell<Option<&'h str>>,
    /// How much they look like UTF-8 that was damaged, once it was asked.
    likeness: OnceCell<Likeness>,
    context: &'c Context<'c>,
    rest: Option<&'c dyn Rest>,
    /// Whether the label leaves the charset open, so that the rest of the message has a say.
    is_open: bool,
    media_type: &'c str,
    /// What was heard, where somebody wants to know.
    evidence: Option<Few<Evidence>>,
    /// What the document says of itself, and where, once it was asked.
    document: OnceCell<Option<(Charset, usize, usize)>>,
    pub(super) report: Report,
}

/// Where in the octets a place of their lossy text is.
fn in_octets(octets: &[u8], place: usize) -> usize {
    let (mut octet, mut reached) = (0, 0);
    for malformed in utf8::malformed(octets) {
        let valid = malformed.offset() - octet;
        if reached + valid >= place {
            break;
        }
        octet = malformed.offset() + malformed.length();
        reached += valid + char::REPLACEMENT_CHARACTER.len_utf8();
    }
    octet + place.saturating_sub(reached)
}

/// A charset, on whose word, and how likely in percent.
type Choice = (Charset, Source, u8);

impl<'h, 'c> Hearing<'h, 'c> {
    /// A decision that keeps no evidence.
    pub(super) fn new(
        octets: &'h [u8],
        context: &'c Context<'c>,
        rest: Option<&'c dyn Rest>,
    ) -> Self {
        Hearing {
            octets,
            is_ascii: octets.is_ascii(),
            utf8: OnceCell::new(),
            likeness: OnceCell::new(),
            context,
            rest,
            is_open: true,
            media_type: context.media_type.unwrap_or("text/plain"),
            evidence: None,
            document: OnceCell::new(),
            report: Report::new(),
        }
    }

    /// Decides; what had to be assumed is in the report then.
    pub(super) fn decide(&mut self) -> Choice {
        let choice = self.choose();
        let (charset, ..) = choice;
        self.compare_document(charset);
        if charset == Charset::UTF_8 && !self.is_ascii {
            self.suspect_old_hangul();
            self.suspect_double_encoding();
        }
        choice
    }

    /// The octets as UTF-8, if they are. They are validated once, whoever asks.
    pub(super) fn utf8(&self) -> Option<&'h str> {
        *self.utf8.get_or_init(|| utf8::decode(self.octets).ok())
    }

    /// How much they look like UTF-8 that was cut or damaged, which they are measured for once.
    fn likeness(&self) -> Likeness {
        *self.likeness.get_or_init(|| Likeness::of(self.octets))
    }

    /// Where the first character of several octets stands, and its length, if all octets are
    /// well-formed UTF-8 and there is one.
    fn first_of_utf8(&self) -> Option<(usize, usize)> {
        if self.is_ascii {
            return None;
        }
        let text = self.utf8()?;
        let first = first_above_ascii(self.octets);
        let length = text.get(first..)?.chars().next()?.len_utf8();
        Some((first, length))
    }

    fn heard(
        &mut self,
        witness: Witness,
        charset: Option<Charset>,
        (offset, length): (usize, usize),
        detail: impl FnOnce() -> String,
    ) {
        let Some(evidence) = &mut self.evidence else {
            return;
        };
        evidence.push(Evidence {
            witness,
            // Whether it agrees is known when the decision is.
            stance: Stance::Neither,
            charset,
            offset,
            length,
            detail: detail(),
        });
    }

    fn choose(&mut self) -> Choice {
        let declared = self.hear_label();
        let bom = self.hear_bom();
        if self.context.options.trust == Trust::Label
            && let Some(charset) = declared
        {
            return (charset, Source::Declared, 99);
        }
        if document::mark_comes_first(self.media_type)
            && let Some(bom) = bom
        {
            self.conflict(
                declared,
                bom.charset(),
                Kind::BomConflict,
                (0, bom.length()),
            );
            return (bom.charset(), Source::Bom, 99);
        }
        if let Some(charset) = declared {
            self.hear_document();
            return self
                .contradicted(charset)
                .unwrap_or((charset, Source::Declared, 99));
        }
        if self.context.label.is_none() {
            self.report
                .add_in_octets(Kind::NoLabel, 0, 0, "no charset is declared");
        }
        self.undeclared(bom)
    }

    fn hear_label(&mut self) -> Option<Charset> {
        let label = self.context.label?;
        let charset = resolved(label, &mut self.report);
        self.is_open =
            charset.is_none_or(|charset| matches!(charset, Charset::US_ASCII | Charset::UTF_8));
        self.heard(Witness::Label, charset, (0, 0), || {
            let mut detail = written(label);
            detail.push_str(" names ");
            detail.push_str(charset.map_or("no charset", Charset::name));
            detail
        });
        charset
    }

    fn hear_bom(&mut self) -> Option<Guess> {
        let bom = detect::by_bom(self.octets)?;
        let charset = bom.charset();
        self.heard(Witness::Bom, Some(charset), (0, bom.length()), || {
            format!("a byte order mark of {charset}")
        });
        Some(bom)
    }

    /// What the document says of itself. Under a label it is only heard: gateways transcode
    /// documents and leave their declarations as they were.
    fn hear_document(&mut self) -> Option<Charset> {
        if self.document.get().is_none() {
            let said = self.ask_document();
            // Nothing else sets it.
            let _ = self.document.set(said);
        }
        self.document
            .get()
            .copied()
            .flatten()
            .map(|(charset, ..)| charset)
    }

    fn ask_document(&mut self) -> Option<(Charset, usize, usize)> {
        let Declaration {
            label,
            form,
            offset,
            length,
        } = document::declaration(self.octets, self.media_type)?;
        let witness = match form {
            Form::Meta => Witness::HtmlMeta,
            Form::Xml => Witness::XmlDeclaration,
            Form::Css => Witness::CssCharset,
        };
        let charset = Charset::for_label(label.as_bytes())
            .or_else(|| charset::resolve(&label).charset())
            .filter(|charset| !charset.names_nothing());
        self.heard(witness, charset, (offset, length), || written(&label));
        charset.map(|charset| (charset, offset, length))
    }

    /// Whether a document in the charset could have said so: what declares it is there to read
    /// in ASCII. UTF-7 hides markup from all who do not expect it, and is taken on the word
    /// of a label alone, as the web takes it on nobody's (HTML, section 13.2.3.2).
    fn may_declare_itself(&self, charset: Charset) -> bool {
        let place = self.document.get().copied().flatten();
        let said = place.and_then(|(_, offset, length)| self.octets.get(offset..offset + length));
        let said = said.unwrap_or_default();
        !charset.name().contains("UTF-7") && charset.decode(said).text().as_bytes() == said
    }

    fn compare_document(&mut self, chosen: Charset) {
        if let Some((charset, offset, length)) = self.document.get().copied().flatten()
            && !agree(charset, chosen)
        {
            let detail = format!("read as {chosen}, the document says {charset}");
            self.report
                .add_in_octets(Kind::DocumentConflict, offset, length, detail);
        }
    }

    fn conflict(
        &mut self,
        declared: Option<Charset>,
        chosen: Charset,
        kind: Kind,
        (offset, length): (usize, usize),
    ) {
        if let Some(declared) = declared
            && !agree(declared, chosen)
        {
            let detail = format!("labelled {declared}, read as {chosen}");
            self.report.add_in_octets(kind, offset, length, detail);
        }
    }

    /// What to read instead of the declared charset, where the octets prove it wrong.
    fn contradicted(&mut self, charset: Charset) -> Option<Choice> {
        let octets = self.octets;
        if charset == Charset::US_ASCII {
            if self.is_ascii {
                // Escapes in what claims to be plain ASCII.
                let guess = self.hear_escapes()?;
                let place = (guess.offset(), guess.length());
                self.conflict(Some(charset), guess.charset(), Kind::LabelOverridden, place);
                return Some((guess.charset(), Source::Evidence, 98));
            }
            let first = first_above_ascii(octets);
            let detail = "octets above 7F under the label US-ASCII";
            self.report
                .add_in_octets(Kind::EightBitAscii, first, 1, detail);
            let bom = detect::by_bom(octets);
            return Some(self.undeclared(bom));
        }
        if charset == Charset::UTF_8 {
            return self.contradicted_utf8();
        }
        if self.is_ascii {
            return None;
        }
        if charset.is_seven_bit() {
            return self.contradicted_seven_bit(charset);
        }
        if !charset.is_ascii_superset() {
            return None;
        }
        let Some(place) = self.first_of_utf8() else {
            return self.contradicted_by_damaged_utf8(charset);
        };
        // Two octets that are a character of UTF-8 are one of most multi-octet charsets too,
        // so such a label is contradicted only by octets that it cannot read, or by more of
        // them than text in such a charset ever has without one that is no UTF-8.
        if !charset.is_single_byte()
            && charset.is_decoded()
            && (charset.is_utf8_like() || self.bits_of_utf8() < OUTWEIGHS_A_LABEL)
            && charset.reads(octets, &self.context.options)
        {
            self.heard(Witness::Utf8, None, place, || {
                "well-formed UTF-8, and text of the declared charset too".into()
            });
            return None;
        }
        Some(self.overridden_by_utf8(charset, place, 98))
    }

    /// UTF-8 in the place of the declared charset.
    fn overridden_by_utf8(
        &mut self,
        charset: Charset,
        place: (usize, usize),
        confidence: u8,
    ) -> Choice {
        self.hear_utf8(place);
        let (kind, source) = if self.octets.starts_with(b"\xEF\xBB\xBF") {
            (Kind::BomConflict, Source::Bom)
        } else {
            (Kind::LabelOverridden, Source::Evidence)
        };
        self.conflict(Some(charset), Charset::UTF_8, kind, place);
        (Charset::UTF_8, source, confidence)
    }

    /// What the well-formed sequences speak for UTF-8, as far as it matters, where all are.
    fn bits_of_utf8(&self) -> i64 {
        self.utf8().map_or(0, Likeness::of_text)
    }

    /// What to read where UTF-8 is declared and not all octets are.
    ///
    /// Damage is no disproof: the label stands while the well-formed sequences outweigh what is
    /// malformed. It stands as well where little speaks for anything else: six octets that are
    /// no UTF-8 are some character of most charsets.
    fn contradicted_utf8(&mut self) -> Option<Choice> {
        let octets = self.octets;
        if self.utf8().is_some() {
            return None;
        }
        let malformed = utf8::malformed(octets).next()?;
        let place = (malformed.offset(), malformed.length());
        self.heard(Witness::Utf8, None, place, || malformed.to_string());
        let likeness = self.likeness();
        let declared = |confidence: u8| Some((Charset::UTF_8, Source::Declared, confidence));
        let is_marked = octets.starts_with(b"\xEF\xBB\xBF");
        if likeness.is_borne_out || is_marked {
            return declared(likeness.confidence().clamp(60, 90));
        }
        if let Some(guess) = detect::by_cesu8(octets) {
            let choice = self.guessed_cesu8(guess);
            self.conflict(
                Some(Charset::UTF_8),
                choice.0,
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
        let bom = detect::by_bom(octets);
        let choice = self.undeclared(bom);
        self.conflict(Some(Charset::UTF_8), choice.0, Kind::LabelOverridden, place);
        Some(choice)
    }

    /// Whether octets that are no UTF-8 are text in another charset: in one that detection is
    /// sure of, or in one that the rest of the message has.
    fn reads_like_other_text(&self) -> bool {
        let guess = detect::detect(self.octets);
        if guess.charset() != Charset::UTF_8 && guess.is_firm() {
            return true;
        }
        let rest = self.rest.filter(|_| self.is_open);
        let hints = [
            self.context.options.hint,
            self.context.siblings.or_else(|| rest?.siblings()),
            self.context.header.or_else(|| rest?.header()),
        ];
        let mut hints = hints.into_iter().flatten();
        guess.is_like_text() && hints.any(|hint| hint.is_decoded() && self.fits(hint))
    }

    /// Whether octets that are UTF-8 but for damage outweigh the declared charset.
    fn contradicted_by_damaged_utf8(&mut self, charset: Charset) -> Option<Choice> {
        // Damage in these is damage in UTF-8.
        if charset.is_utf8_like() {
            return None;
        }
        let likeness = self.likeness();
        if likeness.bits < OUTWEIGHS_A_LABEL {
            if likeness.bits > 0 {
                self.heard(Witness::Utf8, None, likeness.first, || likeness.to_string());
            }
            return None;
        }
        Some(self.overridden_by_utf8(charset, likeness.first, likeness.confidence()))
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
        let octets = self.octets;
        let options = &self.context.options;
        let damage = charset.decode_with(octets, options).report().replacements();
        let escaped = escaped_characters(charset, octets, options);
        let weight_of_escapes = 4 * i64::try_from(escaped).unwrap_or(i64::MAX / 8);
        let place = (first_above_ascii(octets), 1);
        let likeness = self.likeness();
        let needed = if damage == 0 {
            OUTWEIGHS_A_LABEL
        } else {
            OUTWEIGHS_NOTHING - 1
        };
        if likeness.bits >= needed + weight_of_escapes {
            let confidence = if self.utf8().is_some() {
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
        self.heard(Witness::Escapes, Some(charset), (0, 0), || {
            format!("{escaped} characters by its escapes, {damage} malformed sequences")
        });
        if escaped < damage && above < KATAKANA * damage {
            let guess = detect::detect(octets);
            let relatives = charset.eight_bit_relatives();
            let is_one = |charset: Charset| relatives.iter().any(|name| *name == charset.name());
            let read = relatives
                .iter()
                .filter_map(Charset::for_label)
                .find(|relative| relative.reads(octets, options));
            let found = if is_one(guess.charset()) || guess.is_firm() {
                Some((guess.charset(), guess.confidence()))
            } else {
                read.map(|relative| (relative, guess.confidence().max(50)))
            };
            if let Some((found, confidence)) = found.filter(|(found, _)| {
                *found != charset && found.decode(octets).report().replacements() < damage
            }) {
                self.heard(Witness::Detector, Some(found), place, || {
                    format!("{found}, {confidence}%")
                });
                self.conflict(Some(charset), found, Kind::LabelOverridden, place);
                return Some(self.guessed(found, Source::Detected, confidence, place));
            }
        }
        let share = 100 * damage / (damage + escaped);
        let loss = u8::try_from(share.min(69)).unwrap_or(69);
        Some((charset, Source::Declared, 99 - loss))
    }

    fn guessed_cesu8(&mut self, guess: Guess) -> Choice {
        let place = (guess.offset(), guess.length());
        self.heard(Witness::Utf8, Some(guess.charset()), place, || {
            "pairs of surrogates, each written as UTF-8 writes a character".into()
        });
        self.guessed(guess.charset(), Source::Evidence, guess.confidence(), place)
    }

    /// UTF-8 with damage in it is told by how much of each there is.
    fn hear_utf8(&mut self, place: (usize, usize)) {
        let is_whole = self.utf8().is_some();
        let likeness = if is_whole {
            Likeness::default()
        } else {
            self.likeness()
        };
        self.heard(Witness::Utf8, Some(Charset::UTF_8), place, || {
            if is_whole {
                "well-formed UTF-8".into()
            } else {
                likeness.to_string()
            }
        });
    }

    fn hear_escapes(&mut self) -> Option<Guess> {
        // What all escapes begin with is looked for once, before any of them.
        let may_have_escapes = self.is_ascii
            && memchr2_iter(0x1B, b'~', self.octets)
                .any(|at| matches!(self.octets.get(at..at + 2), Some(b"~{" | [0x1B, _])));
        if !may_have_escapes {
            return None;
        }
        let guess = detect::by_escapes(self.octets)?;
        let charset = guess.charset();
        let place = (guess.offset(), guess.length());
        self.heard(Witness::Escapes, Some(charset), place, || {
            format!("escapes of {charset}")
        });
        Some(guess)
    }

    /// What to read octets in that no label speaks for.
    fn undeclared(&mut self, bom: Option<Guess>) -> Choice {
        if let Some(bom) = bom {
            return self.guessed(bom.charset(), Source::Bom, 98, (0, bom.length()));
        }
        if document::is_xml(self.media_type)
            && let Some(form) = document::xml_form(self.octets)
        {
            self.heard(Witness::XmlDeclaration, Some(form), (0, 4), || {
                "how the declaration begins".into()
            });
            return self.guessed(form, Source::Document, 95, (0, 4));
        }
        if let Some(guess) = detect::by_zeros(self.octets) {
            let place = (guess.offset(), guess.length());
            let charset = guess.charset();
            self.heard(Witness::NulPattern, Some(charset), place, || {
                format!("the zeros of {charset}")
            });
            return self.guessed(charset, Source::Evidence, 98, place);
        }
        if let Some(place) = self.first_of_utf8() {
            self.hear_utf8(place);
            self.hear_document();
            return self.guessed(Charset::UTF_8, Source::Evidence, 98, place);
        }
        if let Some(guess) = self.hear_escapes() {
            let place = (guess.offset(), guess.length());
            return self.guessed(guess.charset(), Source::Evidence, 97, place);
        }
        if let Some(guess) = detect::by_cesu8(self.octets) {
            self.hear_document();
            return self.guessed_cesu8(guess);
        }
        let said = self.hear_document();
        // Damage is no disproof: it is what no charset would be read with.
        let needed = if said == Some(Charset::UTF_8) {
            1
        } else {
            OUTWEIGHS_A_LABEL
        };
        if !self.is_ascii && self.likeness().bits >= needed {
            let likeness = self.likeness();
            self.hear_utf8(likeness.first);
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
        if let Some(charset) = said
            && charset.is_decoded()
            && self.may_declare_itself(charset)
            && charset.reads(self.octets, &self.context.options)
        {
            return self.guessed(charset, Source::Document, 95, (0, 0));
        }
        if self.is_ascii {
            return self.by_default(Charset::US_ASCII, 99);
        }
        self.detected()
    }

    /// What the octets look like, weighed with what the surroundings make likely.
    fn detected(&mut self) -> Choice {
        let rest = self.rest.filter(|_| self.is_open);
        // A label that the octets have proved wrong is no witness beside itself.
        let label = self.context.label.map(Label::as_bytes);
        let own = label.and_then(Charset::for_label);
        let siblings = self.context.siblings.or_else(|| rest?.siblings());
        let siblings = siblings.filter(|it| Some(*it) != own);
        let header = self.context.header.or_else(|| rest?.header());
        let origin = self.origin(rest);
        let crowd = self.rest.filter(|rest| !rest.is_weighed_alone());
        let mut goes_by_fields = false;
        let (guess, place) = if let Some(rest) = crowd {
            let guess = rest.guess_together().filter(|it| self.fits(it.charset()));
            let place = (first_above_ascii(self.octets), 1);
            (guess.unwrap_or_else(Guess::unknown), place)
        } else {
            let prior = Prior::new([siblings, header], origin);
            // All that would tell at once was asked before.
            let guess = detect::by_weight(self.octets, self.likeness(), &prior);
            let guess = guess.unwrap_or_else(Guess::unknown);
            let doubtful = rest.filter(|_| !guess.is_firm());
            let beside = doubtful.map(Rest::raw_fields).unwrap_or_default();
            let together = guess.with(beside, self.octets, &prior, &self.context.options);
            let place = (guess.offset(), guess.length());
            goes_by_fields = together.is_some();
            (together.unwrap_or(guess), place)
        };
        if guess.charset() == Charset::UTF_8 && crowd.is_none() {
            self.hear_utf8(place);
        } else if guess.source() == Source::Detected || guess.source() == Source::Evidence {
            let witness = if guess.source() == Source::Evidence {
                Witness::NulPattern
            } else {
                Witness::Detector
            };
            let (charset, confidence) = (guess.charset(), guess.confidence());
            self.heard(witness, Some(charset), place, || match crowd {
                Some(_) => format!("{charset}, {confidence}%, guessed from many parts together"),
                None if goes_by_fields => {
                    format!("{charset}, {confidence}%, with the raw text of the header")
                }
                None => format!("{charset}, {confidence}%"),
            });
        }
        let hints = [
            (Witness::Hint, self.context.options.hint),
            (Witness::Siblings, siblings),
            (Witness::Header, header),
        ];
        let mut chosen = None;
        for (witness, hint) in hints {
            let Some(hint) = hint.filter(|hint| hint.is_decoded()) else {
                continue;
            };
            let was_weighed = witness != Witness::Hint && crowd.is_none();
            // Octets above 7F are in none of these, but in one of the same language.
            let is_other = was_weighed && hint.is_seven_bit();
            let fits = !is_other && self.fits(hint);
            let is_of_language = is_other && hint.languages().meet(guess.charset().languages());
            let spoken_for = if is_of_language {
                Some(guess.charset())
            } else {
                fits.then_some(hint)
            };
            self.heard(witness, spoken_for, (0, 0), || {
                let how = match (fits, is_of_language) {
                    (true, _) => "reads without a fault",
                    (_, true) => "is of the same language",
                    _ => "does not read",
                };
                format!("{hint} {how}")
            });
            if !fits || chosen.is_some() {
                continue;
            }
            // What the caller says, and what could not be weighed, is believed where the octets
            // leave it open, and so is what reads them where they are no text in any charset and
            // the guess does not. All else has been weighed with them.
            let is_guess_read = || guess.is_like_text() || self.fits(guess.charset());
            let was_weighed = was_weighed && detect::is_weighed(hint) && is_guess_read();
            let is_believed = !was_weighed && !guess.is_firm();
            let same = || agree(hint, guess.charset()) || self.same_text(hint, guess.charset());
            if is_believed || same() {
                // What is no text in any charset is none in this one.
                let confidence = if guess.is_like_text() && !was_weighed {
                    guess.confidence().max(BELIEVED)
                } else {
                    guess.confidence()
                };
                chosen = Some((hint, confidence));
            }
        }
        self.hear_origin(
            origin,
            chosen.map_or(guess.charset(), |(charset, _)| charset),
        );
        match chosen {
            Some((hint, confidence)) => self.guessed(hint, Source::Detected, confidence, (0, 0)),
            None if guess.source() == Source::Default => self.by_default(guess.charset(), 30),
            None => self.guessed(guess.charset(), guess.source(), guess.confidence(), place),
        }
    }

    /// Where the mail comes from, as the context, the options or the rest of the message tell.
    fn origin(&self, rest: Option<&dyn Rest>) -> Origin {
        let [language, domain, program] = [
            self.context.language,
            self.context.sender_domain,
            self.context.program,
        ]
        .map(|said| said.map(str::as_bytes));
        let told = origin(language, domain, program).or(self.context.options.origin);
        told.or(rest.map(Rest::origin).unwrap_or_default())
    }

    /// What that says of the charset that was chosen.
    fn hear_origin(&mut self, origin: Origin, chosen: Charset) {
        if self.evidence.is_none() {
            return;
        }
        let languages = chosen.languages();
        for (witness, told) in [
            (Witness::ContentLanguage, origin.language),
            (Witness::SenderDomain, origin.domain),
        ] {
            if !told.is_empty() {
                let is_for = told.meet(languages);
                self.heard(witness, is_for.then_some(chosen), (0, 0), || {
                    format!("{} charsets are likelier", told.names())
                });
            }
        }
        if let Some(program) = origin.program {
            let is_for = program.writes(chosen);
            self.heard(Witness::Program, is_for.then_some(chosen), (0, 0), || {
                format!("charsets of {} are likelier", program.name())
            });
        }
    }

    /// Whether the octets are the same text in both.
    fn same_text(&self, a: Charset, b: Charset) -> bool {
        a.reads_as(b, self.octets, &self.context.options)
    }

    fn fits(&self, charset: Charset) -> bool {
        charset != Charset::US_ASCII && charset.reads(self.octets, &self.context.options)
    }

    fn guessed(
        &mut self,
        charset: Charset,
        source: Source,
        confidence: u8,
        (offset, length): (usize, usize),
    ) -> Choice {
        let detail = charset.said_to_be_read();
        self.report
            .add_in_octets(Kind::DetectedCharset, offset, length, detail);
        (charset, source, confidence)
    }

    /// US-ASCII, or for types whose default is UTF-8 that; 7-bit octets are the same in both.
    fn by_default(&mut self, charset: Charset, confidence: u8) -> Choice {
        let charset = match (charset, media_default(self.media_type)) {
            (Charset::US_ASCII, Some(default)) => default,
            _ => charset,
        };
        let (media_type, is_empty) = (self.media_type, self.octets.is_empty());
        self.heard(Witness::Default, Some(charset), (0, 0), || {
            let nothing = if is_empty {
                ", with no octets that could tell"
            } else {
                ""
            };
            format!("the default of {media_type}{nothing}")
        });
        self.report
            .add_in_octets(Kind::DefaultCharset, 0, 0, charset.said_to_be_read());
        (charset, Source::Default, confidence)
    }

    /// Text that today's reading makes rare ideographs of and yesterday's plain Korean.
    fn suspect_old_hangul(&mut self) {
        if self.context.options.assume_pre_amendment5 {
            return;
        }
        let start = self.octets.get(..SUSPECTED).unwrap_or(self.octets);
        // No old syllable without one of these lead octets.
        if memchr::memchr2(0xE3, 0xE4, start).is_none() {
            return;
        }
        let text = utf8::decode_lossy(start);
        let Some(suspicion) = hangul::suspicion(&text) else {
            return;
        };
        let (from, to) = suspicion.span();
        let (start, end) = (in_octets(start, from), in_octets(start, to));
        let detail = format!(
            "{} of {} ideographs read as Hangul before Amendment 5, {} of them among the \
             syllables that Korean uses most",
            suspicion.syllables(),
            suspicion.ideographs(),
            suspicion.common()
        );
        self.heard(
            Witness::OldHangul,
            Some(Charset::UNICODE_1_1_UTF_8),
            (start, end - start),
            || detail.clone(),
        );
        let rest = self.rest.filter(|_| self.is_open);
        if let Some(year) = self.context.year.or_else(|| rest?.year()) {
            // RFC 2044's UTF-8, of October 1996 to January 1998, was that of Unicode 1.1.
            let spoken = (1993..=1998)
                .contains(&year)
                .then_some(Charset::UNICODE_1_1_UTF_8);
            self.heard(Witness::Date, spoken, (0, 0), || {
                format!("a message of {year}")
            });
        }
        self.report
            .add_in_octets(Kind::SuspectedOldHangul, start, end - start, detail);
    }

    /// UTF-8 whose characters are the octets of UTF-8: it was encoded twice.
    fn suspect_double_encoding(&mut self) {
        // Characters up to U+00FF begin with C2 or C3, and a lead octet of UTF-8 with C3.
        let Some(first) = memchr::memchr(0xC3, self.octets) else {
            return;
        };
        // Behind what was a lead octet stands what was a continuation, never ASCII.
        if self.octets.get(first + 2).is_none_or(u8::is_ascii) {
            return;
        }
        let from = self.octets.get(first..).unwrap_or_default();
        if !begins_encoded_twice(from) {
            return;
        }
        let start = from.get(..SUSPECTED).unwrap_or(from);
        // A character that the end of the stretch cuts is left out of it.
        let Some(text) = start.utf8_chunks().next().map(|chunk| chunk.valid()) else {
            return;
        };
        if text.len() + 3 < start.len() {
            return;
        }
        let mut inner = Vec::with_capacity(text.len());
        for character in text.chars() {
            let Some(octet) = charset::windows_1252_octet(character) else {
                return;
            };
            inner.push(octet);
        }
        let count = inner.iter().filter(|octet| **octet >= 0xC0).count();
        // One such pair happens by chance.
        if count >= 2 && utf8::decode(&inner).is_ok() {
            let detail = format!("{count} characters read as UTF-8 once more");
            self.report
                .add_in_octets(Kind::DoubleEncoded, first, 2, detail);
        }
    }
}

/// Whether the first character of `octets` may be the lead of a character encoded twice: what
/// follows it has to be its continuations, which accented letters side by side are not.
fn begins_encoded_twice(octets: &[u8]) -> bool {
    let start = octets.get(..LONGEST_TWICE).unwrap_or(octets);
    let text = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut inner = [0; LONGEST_TWICE];
    let mut length = 0;
    for (octet, character) in inner.iter_mut().zip(text.chars()) {
        let Some(meant) = charset::windows_1252_octet(character) else {
            break;
        };
        *octet = meant;
        length += 1;
    }
    let inner = inner.get(..length).unwrap_or_default();
    match utf8::decode(inner) {
        Ok(_) => true,
        // What the end of the stretch cuts may go on behind it.
        Err(malformed) => malformed.offset() > 0 || malformed.length() == inner.len(),
    }
}

/// The longest character, each octet of it encoded as up to three.
const LONGEST_TWICE: usize = 12;

/// How many octets are looked at for suspicions, which a stretch of the text is enough for.
const SUSPECTED: usize = 16 << 10;

/// Where the first octet above 7F is; the length where there is none.
fn first_above_ascii(octets: &[u8]) -> usize {
    detect::first_above_ascii(octets).unwrap_or(octets.len())
}

/// How many characters above ASCII a charset of seven bits reads in the octets that have no eighth.
fn escaped_characters(charset: Charset, octets: &[u8], options: &Options) -> usize {
    let plain: Vec<u8> = octets
        .iter()
        .map(|&octet| if octet.is_ascii() { octet } else { b' ' })
        .collect();
    let decoded = charset.decode_with(&plain, options);
    let characters = decoded.text().chars();
    characters
        .filter(|&character| !character.is_ascii() && character != char::REPLACEMENT_CHARACTER)
        .count()
}

/// The charset of types whose standard names one: UTF-8 for all that have (RFC 6657, section
/// 3; RFC 5545, section 3.1.4; RFC 6350, section 3.1; RFC 7111, section 3; RFC 7763, section
/// 2; RFC 8259, section 8.1; RFC 9239, section 4).
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
