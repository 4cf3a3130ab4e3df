//! One header: its end, and the fields that determine structure.

#![expect(
    clippy::inline_always,
    reason = "code run on every octet of a header is compiled for the processor"
)]

use std::ops::Range;

use super::delimiter::Delimiters;
use super::entity::Entity;
use super::header_end::{BOM, first_field};
use super::limits::MAX_HEADER;
use super::line::{is_name, line_end_after, trim_end_blanks};
use super::lines::{FieldRange, HeaderLine, HeaderLines};
use crate::header;
use crate::report::{Kind, Report};
use crate::vector::{self, Machine, Portable, Task};

/// The number of fields whose ranges a message keeps. Further fields are parsed again on demand, so
/// that no header takes more memory than its octets.
const MAX_LISTED: usize = 256;

/// The detail of a finding about a repeated field.
pub(super) const FIRST_IS_USED: &str = "the first field of this name is used";

/// Parses the header that begins at `entity.header.start` into `entity`, and appends its fields to
/// `fields`. In a message, skips what an editor or a mail store wrote before the header. Returns whether a
/// delimiter ended the header instead of a blank line.
pub(super) fn read(
    entity: &mut Entity,
    is_message: bool,
    delimiters: &Delimiters<'_>,
    fields: &mut Vec<FieldRange>,
    report: &mut Report,
) -> bool {
    vector::run(ReadHeader {
        start: entity.header.start,
        is_message,
        delimiters,
        entity,
        fields,
        report,
    })
}

/// Parses one header, compiled for the processor.
struct ReadHeader<'r, 'w> {
    start: usize,
    is_message: bool,
    delimiters: &'r Delimiters<'w>,
    entity: &'r mut Entity,
    fields: &'r mut Vec<FieldRange>,
    report: &'r mut Report,
}

impl Task for ReadHeader<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn run(mut self, machine: impl Machine) -> bool {
        let delimiters = self.delimiters;
        let (source, line_end) = (delimiters.source, delimiters.line_end);
        let limit = source.len().min(self.start.saturating_add(MAX_HEADER));
        let first = if self.is_message
            && let Some(0xEF | b'\r' | b'\n') = source.get(self.start)
        {
            self.skip_start(limit)
        } else {
            self.start
        };
        let mut lines = HeaderLines::new(source, first..limit, line_end, machine);
        let mut is_cut = false;
        self.entity.unlisted = usize::MAX;
        loop {
            if delimiters.depth() > 0
                && lines.begins_with_dashes()
                && delimiters.is_delimiter(lines.source, lines.at)
            {
                is_cut = true;
                break;
            }
            match lines.next() {
                None => break,
                Some(HeaderLine::Junk(range)) if self.begins_part(range.clone()) => {
                    lines.end_before(range.start);
                }
                Some(HeaderLine::Junk(range)) => self.report_junk(range),
                Some(HeaderLine::Continued(field, lost_folds)) => {
                    self.extend_last(field, lost_folds);
                }
                Some(HeaderLine::Field(field)) => {
                    if self.fields.len() < MAX_LISTED {
                        self.fields.push(field);
                    } else {
                        self.entity.unlisted = self.entity.unlisted.min(field.start);
                    }
                    // Names of structural fields have these lengths and this initial.
                    if let 12 | 19 | 25 = field.name_length()
                        && let Some(b'C' | b'c') = source.get(field.start)
                    {
                        self.record_field(field);
                    }
                }
            }
        }
        if !lines.ended && !is_cut && lines.at >= limit && limit < source.len() {
            self.report_long_header(lines.at);
        }
        if lines.missing_blank_line {
            self.report_no_blank(lines.at);
        }
        if lines.doubles_cr == Some(true) {
            self.report_line_ends(lines.at);
        }
        self.entity.header.end = lines.at;
        self.entity.unlisted = self.entity.unlisted.min(lines.at);
        is_cut
    }
}

impl ReadHeader<'_, '_> {
    /// Whether a non-field line is a delimiter of the multipart that this header describes: the blank
    /// line between them is missing (RFC 7103, section 7.2).
    #[cold]
    fn begins_part(&self, line: Range<usize>) -> bool {
        let source = self.delimiters.source;
        let text = |range| source.get(range).map(trim_end_blanks);
        let Some(delimited) = text(line).and_then(|line| line.strip_prefix(b"--")) else {
            return false;
        };
        let content_type = self.entity.content_type.clone();
        let content_type = content_type.and_then(|range| source.get(range));
        content_type.is_some_and(|content_type| {
            let (media_type, boundary) = header::type_and_boundary(content_type);
            media_type.starts_with("multipart/")
                && boundary.is_some_and(|boundary| trim_end_blanks(&boundary) == delimited)
                && !delimited.is_empty()
        })
    }

    /// Records the range of a structural field.
    #[inline(never)]
    fn record_field(&mut self, field: FieldRange) {
        let name = self.delimiters.source.get(field.name()).unwrap_or_default();
        let first = if is_name(name, b"Content-Type") {
            &mut self.entity.content_type
        } else if is_name(name, b"Content-Transfer-Encoding") {
            &mut self.entity.transfer_encoding
        } else if is_name(name, b"Content-Disposition") {
            &mut self.entity.content_disposition
        } else {
            return;
        };
        if first.is_none() {
            *first = Some(field.body());
        } else {
            self.report_duplicate(field.start);
        }
    }

    /// Reports a repeated structural field, including its lines that lost their indent.
    #[cold]
    fn report_duplicate(&mut self, start: usize) {
        let Delimiters {
            source, line_end, ..
        } = *self.delimiters;
        let limit = source.len().min(self.start.saturating_add(MAX_HEADER));
        let whole = HeaderLines::new(source, start..limit, line_end, Portable).whole_field();
        let length = whole.map_or(0, |field| field.end() - start);
        self.report
            .add(Kind::DuplicateField, start, length, FIRST_IS_USED);
    }

    /// The offset of the first field of a message. Reports octets before it.
    #[cold]
    #[inline(never)]
    fn skip_start(&mut self, limit: usize) -> usize {
        let Delimiters {
            source, line_end, ..
        } = *self.delimiters;
        let source = source.get(..limit).unwrap_or(source);
        let Some(first) = first_field(source, self.start, line_end) else {
            return self.start;
        };
        let rest = source.get(self.start..).unwrap_or_default();
        let mark = if rest.starts_with(BOM) { BOM.len() } else { 0 };
        if mark > 0 {
            let detail = "a byte order mark before the first field";
            self.report.add(Kind::BomRemoved, self.start, mark, detail);
        }
        let blank = self.start + mark;
        if blank < first {
            let detail = "blank lines before the first field";
            self.report
                .add(Kind::HeaderLine, blank, first - blank, detail);
        }
        first
    }

    /// Extends the last field by the lines at `lost_folds`, which lost their indent.
    #[cold]
    #[inline(never)]
    fn extend_last(&mut self, field: FieldRange, lost_folds: usize) {
        let listed = self.fields.last_mut();
        if let Some(last) = listed.filter(|last| last.start == field.start) {
            *last = field;
        }
        let entity = &mut *self.entity;
        let structural = [
            &mut entity.content_type,
            &mut entity.transfer_encoding,
            &mut entity.content_disposition,
        ];
        for body in structural.into_iter().flatten() {
            if body.start == field.body().start {
                *body = field.body();
            }
        }
        let detail = "a line without an indent, joined to the field before it";
        self.report.add(
            Kind::HeaderLine,
            lost_folds,
            field.end() - lost_folds,
            detail,
        );
    }

    #[cold]
    fn report_line_ends(&mut self, end: usize) {
        let detail = "lines of a header that end in CR CR LF";
        self.report
            .add(Kind::BareLineEnd, self.start, end - self.start, detail);
    }

    #[cold]
    fn report_junk(&mut self, line: Range<usize>) {
        let detail = "a line that is neither a field nor a fold";
        self.report
            .add(Kind::HeaderLine, line.start, line.len(), detail);
    }

    #[cold]
    fn report_no_blank(&mut self, at: usize) {
        let delimiters = self.delimiters;
        let length = line_end_after(delimiters.source, at, delimiters.line_end) - at;
        let detail =
            "a line that is neither a field nor a fold ends the header, and begins the body";
        self.report.add(Kind::HeaderLine, at, length, detail);
    }

    #[cold]
    fn report_long_header(&mut self, end: usize) {
        let detail = format!("a header of more than {MAX_HEADER} octets: the rest is body");
        self.report.add(Kind::LimitReached, end, 0, detail);
    }
}
