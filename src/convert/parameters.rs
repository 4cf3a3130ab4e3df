//! Parameters of Content-Type and Content-Disposition in another charset (RFC 2231).

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::draft::Draft;
use super::edit::column;
use super::segment::{Header, NewText, Segment, is_unusual, language_tag};
use crate::charset::Charset;
use crate::decode::{self, CharsetUse, FieldText};
use crate::header::{Parameter, encode};
use crate::message::Field;
use crate::prove::{MimeField, Reading, range_of};
use crate::report::{Finding, Kind, Source};

impl Header<'_> {
    /// Adds a segment for each parameter that has to change. Returns the ranges of all parameters, so that
    /// their words are not converted again.
    pub(super) fn add_parameters(
        &self,
        field: &Field<'_>,
        base: usize,
        draft: &mut Draft,
        segments: &mut Vec<Segment>,
    ) -> Vec<Range<usize>> {
        let parsed = MimeField::parse(field.name(), field.body());
        if matches!(parsed, MimeField::Encoding(_)) {
            return Vec::new();
        }
        draft.needs_proof |= is_unusual(parsed.report());
        let options = self.entity.with_hint(&self.options.decoding);
        let repeated = repeated_names(&parsed, field.body());
        let has_gap = parsed.report().has(Kind::SectionGap);
        for parameter in parsed.parameters() {
            let name = parameter.name();
            if matches!(name, "charset" | "boundary") {
                continue;
            }
            let range = range_of(parameter);
            let in_message = range.start + base..range.end + base;
            if let Some(label) = parameter.label()
                && decode::charset_of_label(label).is_none()
            {
                draft.leave(&in_message, format!("a value in {label:.64}"));
                continue;
            }
            let text = parameter.text_with(&options);
            let Some(used) = self.foreign_charset(parameter, &text) else {
                continue;
            };
            let (charset, source) = (used.charset(), used.source());
            if !self.relies_on(charset, source) {
                let detail = format!("a raw value, {charset} is only a guess");
                draft.leave(&in_message, detail);
                continue;
            }
            if repeated.contains(name) {
                draft.leave(&in_message, "a repeated parameter");
                continue;
            }
            if has_gap {
                draft.leave(&in_message, "a gap in its sections");
                continue;
            }
            if !draft.allows_loss(&in_message, text.report(), self.options) {
                continue;
            }
            let column = column(field.body(), field.name().len(), range.start);
            match self.encoded(parameter, text.as_str(), column) {
                Ok(written) if written.is_empty() => {}
                Ok(written) => segments.push(Segment {
                    range,
                    new: NewText::Octets(written),
                    reading: Reading {
                        label: parameter
                            .label()
                            .map(|label| Arc::new(label.clone().into_owned())),
                        charset,
                        source,
                        report: Reading::report_of(text.report().clone()),
                    },
                }),
                Err(detail) => draft.leave(&in_message, detail),
            }
        }
        parsed.parameters().iter().map(range_of).collect()
    }

    /// The first charset of a value that is not UTF-8, or not labelled so.
    fn foreign_charset<'t>(
        &self,
        parameter: &Parameter<'_>,
        text: &'t FieldText<'_>,
    ) -> Option<&'t CharsetUse> {
        text.charsets().iter().find(|used| match used.charset() {
            // Raw UTF-8 may be kept, but not under another label.
            Charset::UTF_8 => {
                let is_raw = used.source() != Source::Declared;
                is_raw && (parameter.label().is_some() || !self.keeps_raw_utf_8())
            }
            Charset::US_ASCII => !text.as_str().is_ascii(),
            _ => true,
        })
    }

    /// The parameter with its text in UTF-8, from a column of the line, or why it is left alone.
    fn encoded(
        &self,
        parameter: &Parameter<'_>,
        text: &str,
        column: usize,
    ) -> Result<String, &'static str> {
        let language = parameter.language().unwrap_or_default();
        let language = language_tag(language).ok_or("an odd language")?;
        let written = encode::parameter_in(parameter.name(), text, &language, column);
        let written = written.map_err(|_| "a parameter that cannot be written")?;
        let written = written.trim_start_matches([';', ' ', '\r', '\n']);
        Ok(self.folded(written.to_owned()))
    }
}

/// The names of extended values or sections that occur more than once in a field. Changing one could make
/// readers choose another of them.
fn repeated_names(field: &MimeField<'_>, body: &[u8]) -> HashSet<String> {
    let name = |finding: &Finding| {
        let written = body.get(finding.offset()..)?.trim_ascii_start();
        let end = written.iter().position(|&octet| !is_attribute(octet))?;
        let (name, rest) = written.split_at_checked(end)?;
        let is_plain = rest.first() != Some(&b'*');
        (!is_plain).then(|| String::from_utf8_lossy(name).to_ascii_lowercase())
    };
    field.repeated().filter_map(name).collect()
}

/// Whether an octet is allowed in the name of a parameter (RFC 2231, section 7).
fn is_attribute(octet: u8) -> bool {
    octet.is_ascii_graphic() && !b"*'%()<>@,;:\\\"/[]?=".contains(&octet)
}
