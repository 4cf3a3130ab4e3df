//! Counts one message for a survey.

use std::borrow::Cow;

use super::counts::{Counts, Example, Row, Subject};
use super::stored_state::StoredState;
use crate::mbox::Stored;
use mime_charset::convert::Conversion;
use mime_charset::message::{Field, Message, Part};
use mime_charset::{Kind, Report, Source};
use mime_charset::{Options, utf8};

/// Counts one message of a file.
pub(super) fn count(
    counts: &mut Counts,
    path: &str,
    stored: &Stored,
    message: &Message<'_>,
    state: &StoredState,
) {
    let year = message.date().map(|date| date.year);
    counts.messages += 1;
    counts.octets += message.source().len() as u64;
    let mut counter = Counter {
        counts,
        path,
        index: stored.ordinal(),
        year,
    };
    let shown = year.map_or(Cow::Borrowed("none"), |year| year.to_string().into());
    counter.row(Subject::Years, &shown, ("Date", None, ""));
    if let Some(program) = program(message) {
        counter.row(Subject::Programs, &program, ("header", None, ""));
    }
    for flag in &state.flags {
        counter.row(Subject::Flags, flag, ("store", None, ""));
    }
    for label in &state.labels {
        counter.row(Subject::StoreLabels, &shortened(label), ("store", None, ""));
    }
    counter.findings("structure", message.report());
    for field in message.fields() {
        counter.field(&field);
    }
    for part in message.parts() {
        counter.part(part);
    }
    counter.conversion(stored, message);
}

/// Counts the contents of one message.
pub(super) struct Counter<'s> {
    pub(super) counts: &'s mut Counts,
    pub(super) path: &'s str,
    /// The number of the message in its file.
    pub(super) index: u64,
    pub(super) year: Option<u16>,
}

impl Counter<'_> {
    /// Counts an occurrence in the message; offset and text are for the row's example.
    pub(super) fn row(
        &mut self,
        subject: Subject,
        name: &str,
        (place, offset, text): (&str, Option<usize>, &str),
    ) -> Option<&mut Row> {
        self.row_of(subject, name, || (place.into(), offset, text.into()))
    }

    /// Like [`row`](Counter::row), but builds the example only if the row needs one.
    fn row_of<'t>(
        &mut self,
        subject: Subject,
        name: &str,
        example: impl FnOnce() -> (Cow<'t, str>, Option<usize>, Cow<'t, str>),
    ) -> Option<&mut Row> {
        let (path, index) = (self.path, self.index);
        self.counts.count(subject, name, self.year, || {
            let (place, offset, text) = example();
            Example {
                path: path.to_owned(),
                index,
                place: place.into_owned(),
                offset,
                text: shortened(&text),
            }
        })
    }

    fn findings(&mut self, place: &str, report: &Report) {
        for finding in report {
            let kind = finding.kind();
            let row = self.row_of(Subject::Findings, kind.name(), || {
                let sentence = finding.to_string();
                (place.into(), Some(finding.offset()), sentence.into())
            });
            if let Some(row) = row {
                row.detail = Some(kind.effect().name());
            }
        }
        self.counts.losses += u64::from(report.has_loss());
    }

    fn field(&mut self, field: &Field<'_>) {
        self.counts.fields += 1;
        let text = field.text();
        let name = utf8::decode_lossy(field.name());
        for used in text.charsets() {
            let offset = Some(used.offset);
            let shown = used.charset.name();
            self.row_of(Subject::FieldCharsets, shown, || {
                (name.as_ref().into(), offset, text.one_line())
            });
        }
        self.findings(&name, text.report());
    }

    fn part(&mut self, part: Part<'_>) {
        let options = Options::new();
        let section = part.section();
        let header = part.mime_header();
        self.counts.parts += 1;
        self.findings(&section, &header.report());
        if let Some(filename) = header.filename(&options) {
            self.findings(&section, filename.report());
        }
        let transferred = part.octets();
        if part.is_text() {
            let decoded = header.text(&transferred, &options);
            let charset = decoded.charset().name();
            let label = header.content_type.charset();
            let label = label.map_or_else(|| "no label".to_owned(), |it| format!("{it:.64}"));
            let pair = format!("{} → {charset}", label.to_lowercase());
            let source = decoded.source();
            let example = (&*section, None, &*label);
            self.counts.text_parts += 1;
            self.row(Subject::Charsets, charset, example);
            self.row(Subject::Labels, &pair, example);
            self.row(Subject::Sources, source.name(), example);
            if source == Source::Detected {
                let name = step_of(part.decide(&options).confidence);
                self.row(Subject::Confidence, &name, (&section, None, charset));
            }
            self.findings(&section, decoded.report());
        } else {
            self.findings(&section, transferred.report());
        }
        if let Some(inner) = part.inner() {
            for field in inner.fields() {
                self.field(&field);
            }
        }
    }

    /// Counts the changes a conversion would make, and the parts it would leave unchanged, with the
    /// reason.
    fn conversion(&mut self, stored: &Stored, message: &Message<'_>) {
        let converted = stored.converted(message.source(), &Conversion::new());
        if let Some(failure) = converted.failure {
            let example = ("message", None, &*failure.to_string());
            self.row(
                Subject::Conversion,
                "messages that stop the conversion",
                example,
            );
            return;
        }
        if converted.changes.is_empty() {
            self.row(Subject::Conversion, UNCHANGED, ("message", None, ""));
        }
        for change in converted.changes {
            let place = change.field().unwrap_or(change.section());
            let offset = Some(change.before.start);
            let name = name_of_change(change.field());
            let example = (place, offset, change.charset().name());
            self.row(Subject::Conversion, name, example);
        }
        for finding in &converted.report {
            if let Some(name) = name_of_left(finding.kind()) {
                let example = ("message", Some(finding.offset()), &*finding.to_string());
                self.row(Subject::Conversion, name, example);
            }
        }
    }
}

/// The row of a confidence, in steps of ten percent. Rows are sorted by name.
fn step_of(confidence: u8) -> String {
    if confidence >= 100 {
        return "100 %".to_owned();
    }
    let start = confidence / 10 * 10;
    format!("{start:>3} to {} %", start + 9)
}

/// The row of messages that a conversion does not change.
pub(super) const UNCHANGED: &str = "unchanged messages";

/// The row for changes of this field or, without a field, of a body.
pub(super) fn name_of_change(field: Option<&str>) -> &'static str {
    match field {
        Some(field) if is_label(field) => "labels rewritten",
        Some(_) => "fields written in UTF-8",
        None => "bodies written in UTF-8",
    }
}

/// The row for parts that a conversion leaves unchanged because of this kind of finding.
pub(super) fn name_of_left(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Unconverted => Some("left unchanged"),
        Kind::SignedContent => Some("signed or encrypted, or broken signature"),
        Kind::DocumentConflict => Some("documents that declare another charset"),
        _ => None,
    }
}

/// Whether the field describes the encoding of a body.
pub(super) fn is_label(field: &str) -> bool {
    ["Content-Type", "Content-Transfer-Encoding"]
        .iter()
        .any(|name| name.eq_ignore_ascii_case(field))
}

/// The program that claims to have written the message, without its version.
pub(super) fn program(message: &Message<'_>) -> Option<String> {
    let names = ["User-Agent", "X-Mailer", "X-Newsreader"];
    let field = names.into_iter().find_map(|name| message.field(name))?;
    let text = field.text();
    let text = text.one_line();
    let is_version = |word: &str| word.starts_with(['(', '[']) || word.contains(char::is_numeric);
    let words: Vec<_> = text
        .split([' ', '/', ';', ','])
        .take_while(|word| !is_version(word))
        .filter(|word| !word.is_empty())
        .collect();
    let name = words.join(" ");
    (!name.is_empty()).then(|| shortened(&name))
}

/// Shortens text for an example.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 120;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Message, program, step_of};

    #[test]
    fn steps_of_confidence_are_in_order() {
        let steps: Vec<_> = (0..=100).map(step_of).collect();
        assert!(steps.is_sorted());
        assert_eq!((&*steps[9], &*steps[20]), ("  0 to 9 %", " 20 to 29 %"));
        assert_eq!((&*steps[99], &*steps[100]), (" 90 to 99 %", "100 %"));
    }

    #[test]
    fn program_names_have_no_version() {
        for (field, name) in [
            ("User-Agent: Mutt/1.5.20 (2009-06-14)", Some("Mutt")),
            (
                "X-Mailer: Microsoft Outlook Express 5.50.4522.1200",
                Some("Microsoft Outlook Express"),
            ),
            (
                "X-Mailer: QUALCOMM Windows Eudora Version 4.3.2",
                Some("QUALCOMM Windows Eudora Version"),
            ),
            ("X-Mailer: Mozilla 4.7 [en] (WinNT; I)", Some("Mozilla")),
            ("X-Mailer: 42", None),
            ("Subject: none", None),
        ] {
            let source = format!("{field}\n\n");
            let message = Message::parse(source.as_bytes());
            assert_eq!(program(&message).as_deref(), name, "{field}");
        }
    }
}
