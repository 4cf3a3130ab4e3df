//! What has to change in the fields of a header, range by range.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use memchr::memchr;

use super::options::{Conversion, Headers};
use crate::header::Place;
use crate::message::Part;
use crate::prove::{Reading, What};
use crate::report::{Finding, Kind, Report, Source};

/// What is needed to change the fields of one header.
pub(super) struct Header<'h> {
    pub(super) entity: Part<'h>,
    pub(super) line_end: &'static str,
    pub(super) options: &'h Conversion,
    /// Whether it may have raw UTF-8 by the type it stands under (RFC 6532, section 3.7).
    pub(super) is_internationalized: bool,
    pub(super) section: OnceCell<Arc<str>>,
}

/// A range of a field body and what is to stand there.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub(super) range: Range<usize>,
    pub(super) what: New,
    pub(super) reading: Reading,
}

#[derive(Debug, Clone)]
pub(super) enum New {
    /// Encoded words of this text.
    Words {
        text: String,
        place: Place,
        language: String,
    },
    /// These octets.
    Octets(String),
}

impl Header<'_> {
    fn section(&self) -> Arc<str> {
        let section = || Arc::from(self.entity.section());
        self.section.get_or_init(section).clone()
    }

    pub(super) fn what(&self, field: Option<Arc<str>>, reading: Reading) -> What {
        What {
            section: self.section(),
            field,
            reading,
        }
    }

    /// What is folded with CRLF, with the line ends of the header.
    pub(super) fn folded(&self, mut text: String) -> String {
        if memchr(b'\r', text.as_bytes()).is_none() {
            return text;
        }
        match self.line_end {
            "\r\n" => {}
            // What is written has them nowhere else.
            "\n" => text.retain(|character| character != '\r'),
            _ => text.retain(|character| character != '\n'),
        }
        text
    }

    pub(super) fn keeps_raw_utf_8(&self) -> bool {
        self.options.headers == Headers::Utf8 || self.is_internationalized
    }
}

/// Whether something names a charset itself: in an encoded word, or in a parameter that does.
pub(super) fn is_word(reading: &Reading) -> bool {
    reading.label.is_some() || reading.source == Source::Declared
}

/// Whether a field departs from its grammar further than much of all mail does. Of what a report
/// leaves out, it has the first of each kind.
pub(super) fn is_unusual(report: &Report) -> bool {
    let is_usual = |finding: &Finding| {
        matches!(
            finding.kind(),
            Kind::EncodedWordLength | Kind::EmptyParameter | Kind::RawOctets | Kind::RawUtf8
        )
    };
    !report.findings().iter().all(is_usual)
}
