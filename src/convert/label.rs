//! The label of a part: the charset parameter of its Content-Type (RFC 2046, section 4.1.2), and its
//! Content-Transfer-Encoding (RFC 2045, section 6).

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use super::body::BodyPlan;
use super::draft::Draft;
use super::edit::{EditedBody, column};
use super::segment::{Header, NewText, Segment, is_unusual, sort_segments};
use crate::header::encode::LONGEST_LINE;
use crate::header::{self, ContentType};
use crate::message::{Field, Part};
use crate::prove::{MAX_FIELD, MimeField, has_same_meaning_in_utf_8, is_utf_8_label, range_of};
use crate::report::Finding;

/// Where the label of a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labelled {
    /// In the existing Content-Type field.
    InField,
    /// In a field that was added.
    Added,
    /// No change was needed.
    AlreadyCorrect,
}

impl Header<'_> {
    /// Makes the Content-Type name UTF-8. If that is not possible, reports it and returns `None`.
    pub(super) fn content_type(&self, plan: &BodyPlan, draft: &mut Draft) -> Option<Labelled> {
        let Some(field) = self.entity.field("Content-Type") else {
            return self.add_content_type(plan, draft);
        };
        let range = field.range().unwrap_or_default();
        let content_type = header::content_type(field.body());
        let is_utf_8 = content_type.charset().is_some_and(is_utf_8_label);
        if field.body().len() > MAX_FIELD {
            if is_utf_8 {
                return Some(Labelled::AlreadyCorrect);
            }
            let detail = format!("a field of more than {MAX_FIELD} octets");
            draft.leave(&range, detail);
            return None;
        }
        let mut others_draft = Draft::default();
        let others = self.segments(&field, &mut others_draft);
        draft.needs_proof |= is_unusual(content_type.report());
        if is_utf_8 {
            return Some(Labelled::AlreadyCorrect);
        }
        let label = self.label_segments(&field, content_type, plan);
        // Try all other segments first, then only words, then none.
        let words: Vec<_> = others
            .iter()
            .filter(|other| other.names_charset())
            .collect();
        let mut attempts: Vec<Vec<&Segment>> = vec![others.iter().collect()];
        if words.len() < others.len() {
            attempts.push(words);
        }
        if !others.is_empty() {
            attempts.push(Vec::new());
        }
        for attempt in attempts {
            let mut segments = label.clone();
            segments.extend(attempt.iter().copied().cloned());
            if sort_segments(&mut segments) {
                continue;
            }
            let new = self.edited(&field, segments);
            if has_same_meaning_in_utf_8(&field, &new.octets, &self.options.decoding) {
                draft.append(others_draft);
                self.add_edits(&field, new, draft);
                if attempt.len() < others.len() {
                    draft.leave(&range, "the text of the field would change");
                }
                return Some(Labelled::InField);
            }
        }
        draft.leave(&range, "a Content-Type that cannot take a charset");
        None
    }

    /// Replaces the charset parameter in all its forms, or adds one.
    fn label_segments(
        &self,
        field: &Field<'_>,
        content_type: ContentType<'_>,
        plan: &BodyPlan,
    ) -> Vec<Segment> {
        let body = field.body();
        let segment = |range: Range<usize>, new: String| Segment {
            range,
            new: NewText::Octets(new),
            reading: plan.reading.without_report(),
        };
        let is_charset = |range: &Range<usize>| {
            let written = body.get(range.clone()).unwrap_or_default();
            let name = written.get(..7).unwrap_or_default();
            name.eq_ignore_ascii_case(b"charset")
        };
        let parameter = content_type.parameter("charset").map(range_of);
        let content_type = MimeField::Type(content_type);
        let repeated = content_type.repeated().map(Finding::range);
        let ranges = parameter.into_iter().chain(repeated).filter(is_charset);
        let mut ranges: Vec<_> = ranges.collect();
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup();
        let mut segments: Vec<Segment> = Vec::new();
        for range in ranges {
            let written = body.get(range.clone()).unwrap_or_default();
            let new = relabelled(written);
            if new.as_bytes() != written {
                segments.push(segment(range, new));
            }
        }
        if segments.is_empty() {
            let trimmed = body.trim_ascii_end();
            let at = trimmed.len();
            let separator = match trimmed.last() {
                None => " text/plain;",
                Some(b';') => "",
                Some(_) => ";",
            };
            let column = column(body, field.name().len(), at) + separator.len();
            let fold = if column + " charset=UTF-8".len() > LONGEST_LINE {
                self.line_end
            } else {
                ""
            };
            segments.push(segment(at..at, format!("{separator}{fold} charset=UTF-8")));
        }
        segments
    }

    fn add_content_type(&self, plan: &BodyPlan, draft: &mut Draft) -> Option<Labelled> {
        let Some((at, blank)) = self.end_of_fields() else {
            let range = self.entity.body_range().unwrap_or_default();
            draft.leave(&range, "no place for the Content-Type it needs");
            return None;
        };
        let end = self.line_end;
        let mut add = |name: &str, lines: String| {
            let text = self.changed_text(Some(Arc::from(name)), plan.reading.without_report());
            draft.changed.fields += 1;
            draft.change(at..at, lines.as_bytes(), text);
        };
        let is_message = self.entity.parent().is_none_or(Part::is_message);
        if is_message && self.entity.field("MIME-Version").is_none() {
            add("MIME-Version", format!("MIME-Version: 1.0{end}"));
        }
        let encoding = plan.encoding.filter(|_| self.transfer_field().is_none());
        let media_type = "Content-Type: text/plain; charset=UTF-8";
        let content_type_ends = if encoding.is_none() { blank } else { "" };
        add(
            "Content-Type",
            format!("{media_type}{end}{content_type_ends}"),
        );
        if let Some(encoding) = encoding {
            let line = format!("Content-Transfer-Encoding: {encoding}{end}{blank}");
            add("Content-Transfer-Encoding", line);
        }
        Some(Labelled::Added)
    }

    /// The offset for added fields, and the empty line that must follow them.
    fn end_of_fields(&self) -> Option<(usize, &'static str)> {
        let header = self.entity.header_range()?;
        let octets = self.entity.header();
        let last = self.entity.fields().last().and_then(|field| field.range());
        match last {
            // A field without a line ending is the end of the message.
            Some(last) if self.ends_line(&last) => Some((last.end, "")),
            Some(_) => None,
            // Without an empty line in between, the fields would belong to the outer header.
            None if self.is_joined_to_outer() => None,
            None if self.entity.has_blank_line() => {
                let blank = if octets.ends_with(b"\r\n") { 2 } else { 1 };
                Some((header.end - blank, ""))
            }
            // Before the body of an embedded message, the fields would belong to the outer header.
            None if self.entity.parent().is_some() => None,
            None => Some((header.end, self.line_end)),
        }
    }

    /// Whether the entity starts its parent, and no empty line ends the header of the parent.
    fn is_joined_to_outer(&self) -> bool {
        let outer = self.entity.parent();
        outer.is_some_and(|outer| {
            self.entity.index() == outer.index() + 1 && !outer.has_blank_line()
        })
    }

    fn ends_line(&self, range: &Range<usize>) -> bool {
        let header = self.entity.header_range().unwrap_or_default();
        let octets = self.entity.header();
        range
            .end
            .checked_sub(header.start + 1)
            .and_then(|last| octets.get(last))
            .is_some_and(|octet| matches!(octet, b'\n' | b'\r'))
    }

    fn transfer_field(&self) -> Option<Field<'_>> {
        self.entity.field("Content-Transfer-Encoding")
    }

    /// Makes the Content-Transfer-Encoding name the encoding of the body.
    pub(super) fn transfer_encoding(&self, plan: &BodyPlan, labelled: Labelled, draft: &mut Draft) {
        let Some(encoding) = plan.encoding else {
            return;
        };
        let reading = || plan.reading.without_report();
        let name = "Content-Transfer-Encoding";
        if let Some(field) = self.transfer_field() {
            let body = field.body();
            let written = header::content_transfer_encoding(body);
            let label = written.label();
            let label = memmem::find(body, label)
                .filter(|_| !label.is_empty())
                .map(|at| at..at + label.len());
            let replaced = |range: Range<usize>, new: String| {
                let mut edited = EditedBody::default();
                edited.replace(body, range, new.as_bytes(), reading());
                edited.finish(body)
            };
            let names = |new: &EditedBody| {
                header::content_transfer_encoding(&new.octets).encoding() == encoding
            };
            let new = label
                .map(|range| replaced(range, encoding.to_string()))
                .filter(names)
                .unwrap_or_else(|| replaced(0..body.len(), format!(" {encoding}")));
            self.add_edits(&field, new, draft);
        } else if labelled != Labelled::Added
            && let Some(field) = self.entity.field("Content-Type")
            && let Some(range) = field.range()
        {
            let line = format!("{name}: {encoding}{}", self.line_end);
            let text = self.changed_text(Some(Arc::from(name)), reading());
            draft.changed.fields += 1;
            draft.change(range.end..range.end, line.as_bytes(), text);
        }
    }
}

/// The charset parameter with the value UTF-8, otherwise as written if possible.
fn relabelled(written: &[u8]) -> String {
    let text = String::from_utf8_lossy(written);
    let replaced = header::content_type(&[b"x/y; ".as_slice(), written].concat())
        .charset()
        .and_then(|label| {
            let label = std::str::from_utf8(label.as_bytes()).ok()?.to_owned();
            let at = text.rfind(&label)?;
            let is_plain = !text.contains(['*', '%', '\\']) && !label.is_empty();
            is_plain.then(|| {
                let end = text.get(at + label.len()..).unwrap_or_default();
                format!("{}UTF-8{end}", text.get(..at).unwrap_or_default())
            })
        });
    let is_labelled = |new: &String| {
        let field = [b"x/y; ".as_slice(), new.as_bytes()].concat();
        let field = header::content_type(&field);
        field.report().is_empty() && field.charset().is_some_and(|l| l.as_bytes() == b"UTF-8")
    };
    replaced
        .filter(is_labelled)
        .unwrap_or_else(|| "charset=UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::relabelled;

    /// RFC 2045, section 5.1: the octets around the value are kept.
    #[test]
    fn rfc2045_5_1_a_label_alone_is_replaced() {
        for (written, new) in [
            ("charset=koi8-r", "charset=UTF-8"),
            ("Charset=\"iso-8859-1\"", "Charset=\"UTF-8\""),
            ("CHARSET=charset", "CHARSET=UTF-8"),
            ("charset=\"a\"", "charset=\"UTF-8\""),
            ("charset=us-ascii_1.0", "charset=UTF-8"),
            ("Charset=ISO_8859-1:1987", "Charset=UTF-8"),
            ("charset =a", "charset =UTF-8"),
            ("Charset = (c) a", "Charset = (c) UTF-8"),
            ("Charset='Windows 1251'", "Charset=UTF-8"),
        ] {
            assert_eq!(relabelled(written.as_bytes()), new, "{written}");
        }
    }

    /// A parameter whose value cannot be replaced, or would stay invalid, is rewritten.
    #[test]
    fn an_invalid_parameter_is_rewritten() {
        for written in [
            "Charset",
            "Charset=",
            "Charset=\"\"",
            "Charset=\"a",
            "Charset=\"",
            "Charset*=a",
            "Charset*0=a",
            "Charset=\"a\\b\"",
            "Charset=utf-8 b",
            "Charset==a",
        ] {
            assert_eq!(relabelled(written.as_bytes()), "charset=UTF-8", "{written}");
        }
    }
}
