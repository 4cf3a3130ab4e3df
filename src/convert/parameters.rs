//! Parameters of Content-Type and Content-Disposition in another charset (RFC 2231).

use std::collections::HashSet;
use std::sync::Arc;

use super::edit::column;
use super::segment::{FieldPlan, Header, NewText, is_unusual, language_tag};
use crate::charset::Charset;
use crate::decode::{self, CharsetUse, FieldText};
use crate::header::{Parameter, encode};
use crate::prove::{MimeField, TextReading, joined, range_of};
use crate::report::{Finding, Kind, Source};

impl FieldPlan<'_> {
    /// Adds a segment for each parameter that has to change.
    pub(super) fn add_parameters(&mut self) {
        let (header, body) = (self.header, self.body);
        let parsed = MimeField::parse(self.name, body);
        if matches!(parsed, MimeField::Encoding(_)) {
            return;
        }
        self.draft.needs_proof |= is_unusual(parsed.report());
        let repeated = repeated_names(&parsed, body);
        let has_gap = parsed.report().has(Kind::SectionGap);
        for parameter in parsed.parameters() {
            let (name, range, label) = (parameter.name(), range_of(parameter), parameter.label());
            if matches!(name, "charset" | "boundary") {
                continue;
            }
            if let Some(label) = label
                && decode::charset_of_label(label).is_none()
            {
                self.leave(&range, format!("a value in {label:.64}"));
                continue;
            }
            let decoding = &header.options.decoding;
            let text = header.entity.parameter_text(parameter, decoding);
            let Some(used) = header.foreign_charset(parameter, &text) else {
                continue;
            };
            let (charset, source) = (used.charset, used.source);
            if !header.relies_on(charset, source) {
                let detail = format!("a raw value in a guessed charset, {charset}");
                self.leave(&range, detail);
                continue;
            }
            if repeated.contains(name) {
                self.leave(&range, "a repeated parameter");
                continue;
            }
            if has_gap {
                self.leave(&range, "a gap in its sections");
                continue;
            }
            if !self.allows_loss(&range, text.report()) {
                continue;
            }
            let column = column(body, self.name.len(), range.start);
            let new = header.encoded(parameter, text.as_str(), column);
            if new.as_ref().is_ok_and(String::is_empty) {
                continue;
            }
            let label = label.map(|label| Arc::new(label.clone().into_owned()));
            let reading = TextReading::new(label, charset, source, text.report().clone());
            self.replace(range, new.map(NewText::Octets), reading);
        }
        self.parameters = joined(parsed.parameters().iter().map(range_of).collect());
    }
}

impl Header<'_> {
    /// The first charset of a value that is not UTF-8, or is UTF-8 under another label.
    fn foreign_charset<'t>(
        &self,
        parameter: &Parameter<'_>,
        text: &'t FieldText<'_>,
    ) -> Option<&'t CharsetUse> {
        text.charsets().iter().find(|used| match used.charset {
            // Raw UTF-8 may be kept, but not under another label.
            Charset::UTF_8 => {
                let is_raw = used.source != Source::Declared;
                is_raw && (parameter.label().is_some() || !self.keeps_raw_utf_8())
            }
            Charset::US_ASCII => !text.as_str().is_ascii(),
            _ => true,
        })
    }

    /// The parameter with its text in UTF-8, from a column of the line, or why it is kept.
    fn encoded(
        &self,
        parameter: &Parameter<'_>,
        text: &str,
        column: usize,
    ) -> Result<String, &'static str> {
        let language = parameter.language().unwrap_or_default();
        let language = language_tag(language).ok_or("a malformed language tag")?;
        let written = encode::parameter_in(parameter.name(), text, &language, column);
        let written = written.map_err(|_| "a parameter that cannot be written")?;
        let written = written.trim_start_matches([';', ' ', '\r', '\n']);
        Ok(self.folded(written.to_owned()))
    }
}

/// The names of extended values or sections that are repeated in a field. Changing one could make
/// readers choose another.
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
