//! Ranges of a header field that have to change, with their replacements.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use memchr::memchr;

use super::draft::Draft;
use crate::charset::Charset;
use crate::header::encode::{QUOTED, escaped};
use crate::header::{Piece, Place, Syntax};
use crate::message::Part;
use crate::prove::{ChangedText, Conversion, Headers, TextReading, is_header_guess};
use crate::report::{Finding, Kind, Report, Source};

/// The header whose fields are converted.
pub(super) struct Header<'h> {
    pub(super) entity: Part<'h>,
    pub(super) line_end: &'static str,
    pub(super) options: &'h Conversion,
    /// Whether the media type of the enclosing entity allows raw UTF-8 (RFC 6532, section 3.7).
    pub(super) is_internationalized: bool,
    pub(super) section: OnceCell<Arc<str>>,
}

/// A range of a field body, with its replacement.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub(super) range: Range<usize>,
    pub(super) new: NewText,
    pub(super) reading: TextReading,
}

impl Segment {
    /// Whether the text names its charset, in an encoded word or a parameter.
    pub(super) fn names_charset(&self) -> bool {
        self.reading.label.is_some() || self.reading.source == Source::Declared
    }
}

#[derive(Debug, Clone)]
pub(super) enum NewText {
    /// Text to be written as encoded words.
    Words {
        text: String,
        place: Place,
        language: String,
    },
    /// Octets to be written verbatim.
    Octets(String),
}

/// The planned changes of one field. Ranges are ranges of its body.
pub(super) struct FieldPlan<'p> {
    pub(super) header: &'p Header<'p>,
    pub(super) name: &'p [u8],
    pub(super) body: &'p [u8],
    /// The offset of the body in the message.
    pub(super) base: usize,
    pub(super) syntax: Syntax,
    pub(super) pieces: &'p [Piece<'p>],
    pub(super) words: &'p [Range<usize>],
    /// The parameters, whose words and raw text are not converted again; in order and disjoint.
    pub(super) parameters: Vec<Range<usize>>,
    pub(super) segments: Vec<Segment>,
    pub(super) draft: &'p mut Draft,
}

impl FieldPlan<'_> {
    /// Reports that a range is kept as it is.
    pub(super) fn leave(&mut self, range: &Range<usize>, detail: impl Into<Cow<'static, str>>) {
        let in_message = range.start + self.base..range.end + self.base;
        self.draft.leave(&in_message, detail);
    }

    /// Whether text with these findings may be converted. If not, reports the loss.
    pub(super) fn allows_loss(&mut self, range: &Range<usize>, report: &Report) -> bool {
        let in_message = range.start + self.base..range.end + self.base;
        let options = self.header.options;
        self.draft.allows_loss(&in_message, report, options)
    }

    /// Adds a segment, or reports why its range is kept.
    pub(super) fn replace(
        &mut self,
        range: Range<usize>,
        new: Result<NewText, &'static str>,
        reading: TextReading,
    ) {
        match new {
            Ok(new) => self.segments.push(Segment {
                range,
                new,
                reading,
            }),
            Err(detail) => self.leave(&range, detail),
        }
    }
}

impl Header<'_> {
    fn section(&self) -> Arc<str> {
        let section = || Arc::from(self.entity.section());
        self.section.get_or_init(section).clone()
    }

    pub(super) fn changed_text(
        &self,
        field: Option<Arc<str>>,
        reading: TextReading,
    ) -> ChangedText {
        ChangedText {
            section: self.section(),
            field,
            reading,
        }
    }

    /// Replaces the CRLF of folds by the line ending of the header.
    pub(super) fn folded(&self, mut text: String) -> String {
        if memchr(b'\r', text.as_bytes()).is_none() {
            return text;
        }
        match self.line_end {
            "\r\n" => {}
            // Encoded text has CR and LF in folds only.
            "\n" => text.retain(|character| character != '\r'),
            _ => text.retain(|character| character != '\n'),
        }
        text
    }

    pub(super) fn keeps_raw_utf_8(&self) -> bool {
        self.options.headers == Headers::Utf8 || self.is_internationalized
    }

    /// Whether raw text is converted if its charset was chosen from this source.
    pub(super) fn relies_on(&self, charset: Charset, source: Source) -> bool {
        /// Confidence in windows-1252 without any evidence, in percent.
        const DEFAULT: u8 = 30;
        let decoding = &self.options.decoding;
        if !is_header_guess(self.entity, charset, source, decoding) {
            return true;
        }
        let confidence = match source {
            Source::Detected => self.entity.raw_confidence(decoding),
            _ => DEFAULT,
        };
        self.options.relies_on(source, confidence)
    }
}

/// Sorts segments by range. Returns whether any two overlap.
pub(super) fn sort_segments(segments: &mut [Segment]) -> bool {
    segments.sort_by_key(|segment| segment.range.start);
    let mut pairs = segments.iter().zip(segments.iter().skip(1));
    pairs.any(|(one, next)| one.range.end > next.range.start)
}

/// Whether a field violates its grammar in a way that is rare in mail.
pub(super) fn is_unusual(report: &Report) -> bool {
    let is_usual = |finding: &Finding| {
        matches!(
            finding.kind(),
            Kind::EncodedWordLength | Kind::EmptyParameter | Kind::RawOctets | Kind::RawUtf8
        )
    };
    !report.iter().all(is_usual)
}

/// The text as raw UTF-8, quoted as the place requires; `None` if it would not decode to the same text.
pub(super) fn raw_utf_8(text: &str, place: Place) -> Option<String> {
    let needs_encoding = text.is_empty()
        || text.chars().any(char::is_control)
        || text.contains("=?")
        || text.starts_with(' ')
        || text.ends_with(' ')
        || text.contains("  ");
    if needs_encoding {
        return None;
    }
    let is_atoms = |text: &str| {
        text.chars().all(|character| {
            character == ' ' || !character.is_ascii() || character.is_ascii_alphanumeric()
        })
    };
    match place {
        Place::Text => Some(text.to_owned()),
        Place::Comment => Some(escaped(text, |c| matches!(c, '(' | ')' | '\\')).into_owned()),
        Place::QuotedString => Some(escaped(text, QUOTED).into_owned()),
        Place::Phrase if is_atoms(text) => Some(text.to_owned()),
        Place::Phrase => Some(format!("\"{}\"", escaped(text, QUOTED))),
        Place::Parameter => None,
    }
}

/// A language tag of letters, digits and hyphens (RFC 5646, section 2.1); empty for none.
pub(super) fn language_tag(language: &[u8]) -> Option<String> {
    let is_tag = language.len() <= 20
        && language
            .iter()
            .all(|octet| octet.is_ascii_alphanumeric() || *octet == b'-');
    is_tag.then(|| String::from_utf8_lossy(language).into_owned())
}
