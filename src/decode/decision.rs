//! Decides on a charset: the choice, its source, and the evidence for and against it.
//!
//! A label is trusted unless the octets disprove it (RFC 7103, section 7.6). The defaults without a
//! label are those of RFC 2045, section 5.2, RFC 2046, section 4.1.2, RFC 6657 and RFC 7303, section 3.

use std::borrow::Cow;
use std::fmt;

use super::context::Context;
use super::document;
use super::evidence::{Evidence, EvidenceKind, Side};
use super::octets::DecisionOctets;
use super::weighing::{Choice, Wanted, Weighing, decode_alike};
use crate::charset::Charset;
use crate::header::Few;
use crate::report::{Kind, Report, Source};

/// The charset chosen for octets, with the source of the choice, the confidence and the evidence.
///
/// ```
/// use mime_charset::{Charset, Kind, Label, Source, decode::{self, Context}};
///
/// let label = Label::new("iso-8859-1");
/// let decision = decode::decide("café".as_bytes(), &Context::new().label(Some(&label)));
/// assert_eq!((decision.charset, decision.source), (Charset::UTF_8, Source::Evidence));
/// assert!(decision.confidence > 90);
/// assert_eq!(decision.evidence().len(), 2);
/// assert!(decision.report.has(Kind::LabelOverridden));
/// assert!(decision.to_string().starts_with("UTF-8, evidence, "));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The charset for decoding the octets.
    pub charset: Charset,
    /// The source of the decision.
    pub source: Source,
    /// Probability that the text is right, in percent, from 0 to 100.
    ///
    /// A charset forced by the caller has 100. The value is near 100, whatever the source, if all
    /// candidates decode the octets to the same text, as for plain ASCII, or if there are no octets. The
    /// evidence then gives the reason. A label that does not fit the octets has a lower value, down to
    /// 30.
    pub confidence: u8,
    evidence: Few<Evidence>,
    /// Findings about assumptions and repairs of the decision; offsets are into the octets.
    pub report: Report,
}

impl Decision {
    /// The evidence for and against the charset, in the order in which it was found.
    #[must_use]
    pub fn evidence(&self) -> &[Evidence] {
        self.evidence.as_slice()
    }
}

/// The decision on one line, then a line for each piece of evidence.
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

/// Decides the charset of octets, with evidence.
///
/// The first applicable rule decides:
///
/// 1. the charset that the caller forces ([`Options::force`](crate::Options::force));
/// 2. in HTML, XML and CSS, a byte order mark (HTML Standard, section 13.2.3.2; RFC 7303, section 3.2);
/// 3. the label, unless the octets disprove it. With
///    [`Options::trust_label`](crate::Options::trust_label) it comes before rule 2, and is not checked;
/// 4. a byte order mark;
/// 5. octets that can only be in one charset;
/// 6. a declaration inside the document, if the octets are valid in its charset;
/// 7. for octets of seven bits, the default of the media type;
/// 8. a second charset in Content-Type, the caller's hint, or detection;
/// 9. windows-1252.
///
/// Empty text under a label that names no charset is UNKNOWN-8BIT (RFC 1428).
///
/// A few damaged octets do not disprove UTF-8. Each well-formed character is evidence for it, and each
/// malformed sequence is evidence against it. UTF-8 that is truncated or damaged in a few places
/// therefore overrides another label, as well-formed UTF-8 does. If all its characters have two octets,
/// more characters are needed. The label UTF-8 is kept if only a few octets are malformed. Octets above
/// 7F are evidence against a seven-bit charset, and its escape sequences are evidence for it.
///
/// UTF-16 and UTF-32 override the label of an octet-based charset if a byte order mark, or zeros in half
/// of the octets, prove them. The exception is well-formed UTF-8 labelled UTF-8. ASCII or UTF-8 text
/// overrides the labels of UTF-16 and UTF-32 if it is long enough.
///
/// Pass all octets of a text: the last one may change the result.
///
/// ```
/// use mime_charset::{Label, Source, decode::{self, Context, Side, EvidenceKind}};
///
/// let label = Label::new("us-ascii");
/// let decision = decode::decide("한국어".as_bytes(), &Context::new().label(Some(&label)));
/// assert_eq!((decision.charset.name(), decision.source), ("UTF-8", Source::Evidence));
/// let against: Vec<_> = decision
///     .evidence()
///     .iter()
///     .filter(|evidence| evidence.side == Side::Against)
///     .map(|evidence| evidence.kind)
///     .collect();
/// assert_eq!(against, [EvidenceKind::Label]);
/// ```
#[must_use]
pub fn decide(octets: &[u8], context: &Context<'_>) -> Decision {
    Weighing::new(DecisionOctets::Whole(octets), context, Wanted::Evidence).into_decision()
}

impl Weighing<'_, '_> {
    /// The decision with its evidence.
    pub(crate) fn into_decision(mut self) -> Decision {
        let choice = self.decide();
        let mut evidence = self.evidence;
        for evidence in evidence.as_mut_slice() {
            evidence.side = match evidence.charset {
                None => Side::Neither,
                Some(charset) if decode_alike(charset, choice.charset) => Side::For,
                Some(_) => Side::Against,
            };
        }
        Decision {
            charset: choice.charset,
            source: choice.source,
            confidence: choice.confidence,
            evidence,
            report: self.report,
        }
    }

    /// Decides. Only collects the findings and evidence that are [`Wanted`].
    pub(crate) fn decide(&mut self) -> Choice {
        let mut choice = self.choose();
        choice.charset = choice.charset.read_as(&self.context.options);
        if self.wanted > Wanted::Charset {
            self.compare_document(choice.charset);
            if choice.charset == Charset::UTF_8 && !self.facts.is_ascii() {
                self.suspect_old_hangul();
                self.suspect_double_encoding();
            }
        }
        choice
    }

    fn choose(&mut self) -> Choice {
        if let Some(charset) = self.context.options.forced() {
            return self.forced(charset);
        }
        let declared = self.declared;
        let is_trusted = self.is_label_trusted();
        if self.wanted == Wanted::Evidence {
            self.mark();
        }
        if let Some(charset) = declared.filter(|_| is_trusted) {
            return self.declared(charset);
        }
        if let Some(choice) = self.mark_beats_label(declared) {
            return choice;
        }
        let Some(charset) = declared else {
            if self.context.label.is_none() {
                self.report
                    .add_in_octets(Kind::NoLabel, 0, 0, "no charset is declared");
            }
            return self.undeclared();
        };
        if self.wanted > Wanted::Charset {
            self.document_charset();
        }
        let choice = self.contradicted(charset);
        choice.unwrap_or_else(|| self.declared(charset))
    }

    /// Chooses the charset forced by the caller. The label, a byte order mark and the declaration in the
    /// document are only noted as evidence.
    fn forced(&mut self, charset: Charset) -> Choice {
        /// The caller is assumed to be sure.
        const SURE: u8 = 100;
        if self.wanted > Wanted::Charset {
            // Findings about the label do not matter.
            self.report = Report::new();
            if self.wanted == Wanted::Evidence {
                self.mark();
            }
            self.document_charset();
            let detail = match self.declared.filter(|it| !decode_alike(*it, charset)) {
                Some(declared) => Cow::from(format!("labelled {declared}, read as {charset}")),
                None => charset.read_as_name(),
            };
            self.report.add_in_octets(Kind::CharsetForced, 0, 0, detail);
        }
        self.note(EvidenceKind::Forced, Some(charset), (0, 0), || {
            format!("the caller forces {charset}")
        });
        Choice::new(charset, Source::Forced, SURE)
    }

    /// In HTML, XML and CSS, lets a byte order mark override the label (HTML Standard, section 13.2.3.2;
    /// RFC 7303, section 3.2; CSS Syntax Module Level 3, section 3.2). In other text a mark of UTF-8 is
    /// evidence like other octets (`contradiction.rs`).
    fn mark_beats_label(&mut self, declared: Option<Charset>) -> Option<Choice> {
        if !document::may_declare(self.media_type) {
            return None;
        }
        let mark = self.mark()?;
        let place = (0, mark.length);
        self.conflict(declared, mark.charset, Kind::BomConflict, place);
        Some(Choice::new(mark.charset, Source::Bom, 99))
    }

    fn compare_document(&mut self, chosen: Charset) {
        if let Some((charset, offset, length)) = self.declared_in_document()
            && !decode_alike(charset, chosen)
        {
            let detail = format!("read as {chosen}, although the document declares {charset}");
            self.report
                .add_in_octets(Kind::DocumentConflict, offset, length, detail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::octets::LazyBody;
    use super::{Charset, Context, DecisionOctets, Wanted, Weighing, decide};
    use crate::label::Label;
    use crate::transfer::{self, TransferEncoding};
    use crate::work::work_of;

    /// Lines of quoted-printable (RFC 2045, section 6.7), of 24 octets each and a soft line break.
    fn quoted(octets: &[u8]) -> Vec<u8> {
        let line = |octets: &[u8]| -> String {
            let escapes = octets.iter().map(|octet| match octet {
                b'a'..=b'z' | b' ' | b'<' | b'>' => char::from(*octet).to_string(),
                _ => format!("={octet:02X}"),
            });
            escapes.collect::<String>() + "=\r\n"
        };
        octets.chunks(24).map(line).collect::<String>().into_bytes()
    }

    /// A body decoded on demand gives the same decision as all its octets.
    #[test]
    fn a_body_decoded_on_demand_gets_the_same_decision() {
        let texts: [&[u8]; 9] = [
            b"plain words ",
            b"caf\xE9 ",
            "r\u{E9}sum\u{E9} ".as_bytes(),
            "\u{D55C}\u{AD6D}\u{C5B4} ".as_bytes(),
            "\u{3CA2}\u{3476}\u{3971} ".as_bytes(),
            b"\xC7\xD1\xB1\xB9 ",
            b"\x1B$B8l\x1B(B ",
            b"\xC3\xA9 \xFF",
            b"<p>\0a\0",
        ];
        let starts: [&[u8]; 3] = [b"", b"\xEF\xBB\xBF", b"<meta charset=koi8-r>"];
        let labels = [
            "",
            "us-ascii",
            "utf-8",
            "iso-8859-1",
            "euc-kr",
            "iso-2022-jp",
            "utf-16",
            "cesu-8",
            "x-nothing",
        ];
        for (text, start) in texts
            .into_iter()
            .flat_map(|it| starts.map(|start| (it, start)))
        {
            for (count, ascii) in [(1, 0), (40, 0), (40, 500), (800, 0), (10, 6000)] {
                let octets = [start, &b"a ".repeat(ascii), &text.repeat(count)].concat();
                let encoded = quoted(&octets);
                let encoding = TransferEncoding::QuotedPrintable;
                let octets = transfer::decode(&encoded, encoding).into_octets();
                for label in labels {
                    let label = Label::new(label);
                    for media_type in ["text/plain", "text/html"] {
                        let context = Context::new()
                            .label(Some(&label).filter(|label| !label.as_bytes().is_empty()))
                            .media_type(Some(media_type));
                        let expected = decide(&octets, &context);
                        let body = LazyBody::new(&encoded, encoding);
                        let decision =
                            Weighing::new(DecisionOctets::Lazy(&body), &context, Wanted::Evidence)
                                .into_decision();
                        assert_eq!(decision, expected, "{label}, {media_type}");
                        let body = LazyBody::new(&encoded, encoding);
                        let mut weighing =
                            Weighing::new(DecisionOctets::Lazy(&body), &context, Wanted::Charset);
                        let choice = weighing.decide();
                        let choice = (choice.charset, choice.source);
                        let expected = (expected.charset, expected.source);
                        assert_eq!(choice, expected, "{label}, {media_type}");
                    }
                }
            }
        }
    }

    /// A label that the first lines confirm is accepted without the rest.
    #[test]
    fn a_body_is_decoded_only_as_far_as_needed() {
        let encoded = quoted(&b"\xC7\xD1\xB1\xB9\xBE\xEE ".repeat(20_000));
        let label = Label::new("euc-kr");
        let context = Context::new().label(Some(&label));
        let work = work_of(|| {
            let body = LazyBody::new(&encoded, TransferEncoding::QuotedPrintable);
            let decision = Weighing::new(DecisionOctets::Lazy(&body), &context, Wanted::Evidence)
                .into_decision();
            assert_eq!(decision.charset, Charset::for_label("euc-kr").unwrap());
        });
        assert!(work > 0 && work < encoded.len() / 10, "{work}");
    }
}
