//! The label of a part: the charset parameter of its Content-Type (RFC 2046, section 4.1.2), and its
//! Content-Transfer-Encoding (RFC 2045, section 6).

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem;

use super::body::Plan;
use super::draft::Draft;
use super::edit::{Edited, Replacement, applied, column};
use super::segment::{Header, New, Segment, is_unusual, is_word};
use crate::header;
use crate::header::encode::LONGEST_LINE;
use crate::message::{Field, Part};
use crate::prove::{MAX_FIELD, is_again, names_utf_8, says_the_same_in_utf_8};

/// Where the label of a part went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labelled {
    /// Into the Content-Type field there is.
    InField,
    /// Into one that was added.
    Added,
    /// It was there already.
    Before,
}

impl Header<'_> {
    /// Makes the Content-Type name UTF-8.
    pub(super) fn content_type(&self, plan: &Plan, draft: &mut Draft) -> Result<Labelled, ()> {
        let field = self.entity.field("Content-Type");
        let Some(field) = field else {
            return self.add_content_type(plan, draft);
        };
        if field.body().len() > MAX_FIELD {
            // Its charset may be looked at, and nothing else.
            let is_utf_8 = header::content_type(field.body())
                .charset()
                .is_some_and(names_utf_8);
            if is_utf_8 {
                return Ok(Labelled::Before);
            }
            if let Some(range) = field.range() {
                let detail = format!("a field of more than {MAX_FIELD} octets");
                draft.leave(&range, detail);
            }
            return Err(());
        }
        let mut parts = Draft::default();
        let (others, _) = self.segments(&field, &mut parts);
        let label = self.label_segments(&field, plan, draft);
        if label.is_empty() {
            return Ok(Labelled::Before);
        }
        // With all that has to change, with the words of it, and alone.
        let words: Vec<_> = others
            .iter()
            .filter(|other| is_word(&other.reading))
            .collect();
        let mut with: Vec<Vec<&Segment>> = vec![others.iter().collect()];
        if words.len() < others.len() {
            with.push(words);
        }
        if !others.is_empty() {
            with.push(Vec::new());
        }
        let first = with.first().map_or(0, Vec::len);
        for others in with {
            let mut segments = label.clone();
            segments.extend(others.iter().copied().cloned());
            segments.sort_by_key(|segment| segment.range.start);
            let overlap = segments
                .iter()
                .zip(segments.iter().skip(1))
                .any(|(one, next)| one.range.end > next.range.start);
            if overlap {
                continue;
            }
            let new = applied(field.body(), self.edits(&field, segments));
            if says_the_same_in_utf_8(&field, &new.octets, &self.options.reading) {
                draft.take(parts);
                self.take(&field, new, draft);
                if others.len() < first
                    && let Some(range) = field.range()
                {
                    draft.leave(&range, "the field would not say the same");
                }
                return Ok(Labelled::InField);
            }
        }
        if let Some(range) = field.range() {
            draft.leave(&range, "a Content-Type that no charset can be put into");
        }
        Err(())
    }

    /// The charset parameter in all its forms, or where it is to stand.
    fn label_segments(&self, field: &Field<'_>, plan: &Plan, draft: &mut Draft) -> Vec<Segment> {
        let body = field.body();
        let content_type = header::content_type(body);
        draft.needs_proof |= is_unusual(content_type.report());
        let segment = |range: Range<usize>, new: String| Segment {
            range,
            what: New::Octets(new),
            reading: plan.reading.without_report(),
        };
        let mut segments: Vec<Segment> = Vec::new();
        if content_type.charset().is_some_and(names_utf_8) {
            return segments;
        }
        let is_charset = |range: &Range<usize>| {
            let written = body.get(range.clone()).unwrap_or_default();
            let name = written.get(..7).unwrap_or_default();
            name.eq_ignore_ascii_case(b"charset")
        };
        let parameter = content_type.parameter("charset");
        let again = content_type.report().findings().iter();
        let again = again.filter(|finding| is_again(finding));
        let ranges = parameter
            .map(|parameter| parameter.offset()..parameter.offset() + parameter.length())
            .into_iter()
            .chain(again.map(|finding| finding.offset()..finding.offset() + finding.length()))
            .filter(is_charset);
        let mut ranges: Vec<_> = ranges.collect();
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup();
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
            let blank = if column + " charset=UTF-8".len() > LONGEST_LINE {
                self.line_end
            } else {
                ""
            };
            segments.push(segment(at..at, format!("{separator}{blank} charset=UTF-8")));
        }
        segments
    }

    fn add_content_type(&self, plan: &Plan, draft: &mut Draft) -> Result<Labelled, ()> {
        let Some((at, blank)) = self.end_of_fields() else {
            let range = self.entity.body_range().unwrap_or_default();
            draft.leave(&range, "no place for the Content-Type it needs");
            return Err(());
        };
        let end = self.line_end;
        let mut add = |name: &str, lines: String| {
            let what = self.what(Some(Arc::from(name)), plan.reading.without_report());
            draft.changed.fields += 1;
            draft.change(at..at, lines.as_bytes(), what);
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
        Ok(Labelled::Added)
    }

    /// Where the fields of the header end, and the blank line that has to be added there.
    fn end_of_fields(&self) -> Option<(usize, &'static str)> {
        let header = self.entity.header_range()?;
        let octets = self.entity.header();
        let last = self.entity.fields().last().and_then(|field| field.range());
        match last {
            // A field without a line end has no body behind it.
            Some(last) if self.ends_line(&last) => Some((last.end, "")),
            Some(_) => None,
            // Behind a line that no blank one parts from the outer header they would be that one's.
            None if self.is_joined_to_outer() => None,
            None if self.entity.has_blank_line() => {
                let blank = if octets.ends_with(b"\r\n") { 2 } else { 1 };
                Some((header.end - blank, ""))
            }
            // Before the body of a message inside a message the fields would be the outer one's.
            None if self.entity.parent().is_some() => None,
            None => Some((header.end, self.line_end)),
        }
    }

    /// Whether it is the first thing in an entity whose header no blank line ends.
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

    /// Makes the Content-Transfer-Encoding say what the body is under.
    pub(super) fn transfer_encoding(&self, plan: &Plan, labelled: Labelled, draft: &mut Draft) {
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
                let replacement = Replacement {
                    range,
                    octets: new.into_bytes(),
                    reading: reading(),
                };
                applied(body, vec![replacement])
            };
            let names = |new: &Edited| {
                header::content_transfer_encoding(&new.octets).encoding() == encoding
            };
            let new = label
                .map(|range| replaced(range, encoding.to_string()))
                .filter(names)
                .unwrap_or_else(|| replaced(0..body.len(), format!(" {encoding}")));
            self.take(&field, new, draft);
        } else if labelled != Labelled::Added
            && let Some(field) = self.entity.field("Content-Type")
            && let Some(range) = field.range()
        {
            let line = format!("{name}: {encoding}{}", self.line_end);
            let what = self.what(Some(Arc::from(name)), reading());
            draft.changed.fields += 1;
            draft.change(range.end..range.end, line.as_bytes(), what);
        }
    }
}

/// The charset parameter with another value, and as much as may be of what it was.
fn relabelled(written: &[u8]) -> String {
    let text = String::from_utf8_lossy(written);
    let quoted = header::content_type(&[b"x/y; ".as_slice(), written].concat())
        .charset()
        .and_then(|label| {
            let label = std::str::from_utf8(label.as_bytes()).ok()?.to_owned();
            let at = text.rfind(&label)?;
            let plain = !text.contains(['*', '%', '\\']) && !label.is_empty();
            plain.then(|| {
                let end = text.get(at + label.len()..).unwrap_or_default();
                format!("{}UTF-8{end}", text.get(..at).unwrap_or_default())
            })
        });
    let says_utf_8 = |new: &String| {
        let field = [b"x/y; ".as_slice(), new.as_bytes()].concat();
        let field = header::content_type(&field);
        field.report().is_empty() && field.charset().is_some_and(|l| l.as_bytes() == b"UTF-8")
    };
    quoted
        .filter(says_utf_8)
        .unwrap_or_else(|| "charset=UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::relabelled;

    /// RFC 2045, section 5.1: what stands around the value is left as it was.
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

    /// What cannot be replaced, or would leave a fault in the field, is written anew.
    #[test]
    fn a_label_without_its_own_place_is_written_anew() {
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
