//! The fields and the lines of a header (RFC 5322, section 2.2).

use std::ops::Range;

use memchr::memchr;

use super::MAX_HEADER;
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
use crate::vector::{self, Avx2};
use crate::work::work;

/// Where a field lies. A message keeps one for each field: they are small, since taking memory for
/// them is much of what it costs to take a header apart.
#[derive(Debug, Clone)]
pub(super) struct FieldRange {
    pub(super) start: usize,
    /// How far behind the start these are: the end of the name, the first octet behind the colon,
    /// the last line end and what follows it.
    name_end: u32,
    body: u32,
    body_end: u32,
    end: u32,
}

impl FieldRange {
    fn new(start: usize, name_end: usize, body: Range<usize>, end: usize) -> Self {
        FieldRange {
            start,
            name_end: distance(start, name_end),
            body: distance(start, body.start),
            body_end: distance(start, body.end),
            end: distance(start, end),
        }
    }

    fn at(&self, distance: u32) -> usize {
        self.start + distance as usize
    }

    pub(super) fn name_length(&self) -> usize {
        self.name_end as usize
    }

    pub(super) fn name(&self) -> Range<usize> {
        self.start..self.at(self.name_end)
    }

    pub(super) fn body(&self) -> Range<usize> {
        self.at(self.body)..self.at(self.body_end)
    }

    pub(super) fn end(&self) -> usize {
        self.at(self.end)
    }

    /// Ends it at `end`, if that comes first.
    pub(super) fn cut(&mut self, end: usize) {
        self.end = self.end.min(distance(self.start, end.max(self.start)));
    }
}

/// How far apart two places of a field are.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a field is no longer than a header, which may have MAX_HEADER octets"
)]
fn distance(from: usize, to: usize) -> u32 {
    const { assert!(MAX_HEADER < u32::MAX as usize) };
    to.wrapping_sub(from) as u32
}

/// A step through a header.
pub(super) enum Line {
    Field(FieldRange),
    /// Neither a field nor a fold.
    Junk(Range<usize>),
}

/// Steps through the fields of a header (RFC 5322, section 2.2).
pub(super) struct Lines<'s> {
    /// What the header may reach to.
    pub(super) source: &'s [u8],
    start: usize,
    pub(super) at: usize,
    line_end: u8,
    marks: Marks,
    /// Whether the blank line was met, or a line that must be body.
    pub(super) ended: bool,
}

impl<'s> Lines<'s> {
    pub(super) fn new(source: &'s [u8], range: Range<usize>, line_end: u8, marks: Marks) -> Self {
        Lines {
            source: source.get(..range.end).unwrap_or(source),
            start: range.start,
            at: range.start,
            line_end,
            marks,
            ended: false,
        }
    }

    /// Whether nothing of the header is left.
    fn is_over(&self) -> bool {
        self.ended || self.at >= self.source.len()
    }

    /// Whether the line that is next may be a delimiter.
    pub(super) fn begins_with_dashes(&self) -> bool {
        let rest = self.source.get(self.at..);
        !self.ended && rest.is_some_and(|rest| rest.starts_with(b"--"))
    }

    /// The field that comes next.
    ///
    /// > field = field-name *WSP ":" unstructured CRLF
    ///
    /// Blanks before the colon are `obs-optional` (RFC 5322, section 4.5; RFC 7103, section
    /// 7.4). A fold that holds only blanks does not end the header (RFC 7103, section 7.3).
    #[expect(clippy::inline_always, reason = "as `read_header_with` in walk.rs")]
    #[inline(always)]
    fn field(&mut self) -> Option<FieldRange> {
        let start = self.at;
        let name_end = self.marks.name_end(self.source, start, self.line_end);
        let colon = match self.source.get(name_end)? {
            _ if name_end == start => return None,
            b':' => name_end,
            _ => colon_behind(self.source, name_end)?,
        };
        let body = colon + 1;
        let end = self.marks.field_end(self.source, body, self.line_end);
        let text = self.source.get(body..end)?;
        let text = match text {
            [text @ .., b'\r', b'\n'] if self.line_end == b'\n' => text,
            [text @ .., last] if *last == self.line_end => text,
            [text @ .., b'\r'] if self.line_end == b'\n' => text,
            _ => text,
        };
        Some(FieldRange::new(
            start,
            name_end,
            body..body + text.len(),
            end,
        ))
    }
}

impl Iterator for Lines<'_> {
    type Item = Line;

    #[expect(clippy::inline_always, reason = "as `read_header_with` in walk.rs")]
    #[inline(always)]
    fn next(&mut self) -> Option<Line> {
        if self.is_over() {
            return None;
        }
        if let Some(field) = self.field() {
            self.at = field.end();
            return Some(Line::Field(field));
        }
        match without_field(self.source, self.start, self.at, self.line_end) {
            WithoutField::Blank(end) => {
                self.at = end;
                self.ended = true;
                None
            }
            WithoutField::Junk(end) => {
                let junk = self.at..end;
                self.at = end;
                Some(Line::Junk(junk))
            }
            WithoutField::Body => {
                self.ended = true;
                None
            }
        }
    }
}

/// A line of a header that is no field, with its end.
enum WithoutField {
    /// Blank: the header ends with it.
    Blank(usize),
    /// It stays in the header: the separator line of an mbox, or a line that a field follows, such
    /// as a fold that lost its blank.
    Junk(usize),
    /// Any other is where a body without a blank line before it begins (RFC 7103, section 7.2).
    Body,
}

/// The line at `at` of a header that begins at `start`, which is no field.
#[inline(never)]
fn without_field(source: &[u8], start: usize, at: usize, line_end: u8) -> WithoutField {
    let rest = source.get(at..).unwrap_or_default();
    match rest {
        [end, ..] if *end == line_end => return WithoutField::Blank(at + 1),
        [b'\r', end, ..] if *end == line_end => return WithoutField::Blank(at + 2),
        [b'\r'] => return WithoutField::Blank(at + 1),
        _ => {}
    }
    let end = line_end_after(source, at, line_end);
    let is_separator = at == start && (rest.starts_with(b"From ") || rest.starts_with(b">From "));
    let stays = is_separator
        || rest.first().is_some_and(|&octet| is_blank(octet))
        || field_name(source.get(end..).unwrap_or_default()).is_some();
    if stays {
        WithoutField::Junk(end)
    } else {
        WithoutField::Body
    }
}

/// Asks memory for what is going to be read, where there are instructions for that.
pub(super) fn fetch(octets: &[u8]) {
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    vector::fetch(octets);
    #[cfg(not(all(feature = "simd", target_arch = "x86_64")))]
    let _ = octets;
}

/// Where the names and the fields of a header end: a field with the first line end that no blank
/// follows. They are short: where the processor has vectors, the ends among 64 octets are looked
/// for together, and kept for what follows.
pub(super) struct Marks {
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    vector: Option<Avx2>,
    /// Where the octets begin that were looked at last, which of them end a field, and which stand
    /// in no name.
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    seen: (usize, [u64; 2]),
}

#[cfg_attr(
    not(all(feature = "simd", target_arch = "x86_64")),
    expect(clippy::unused_self, reason = "without vectors nothing is kept")
)]
impl Marks {
    pub(super) fn new() -> Self {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        if let Some(vector) = Avx2::detect() {
            return Marks::with(vector);
        }
        Marks::plain()
    }

    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    pub(super) fn with(vector: Avx2) -> Self {
        Marks {
            vector: Some(vector),
            seen: Marks::NOTHING,
        }
    }

    /// Behind all octets, and so far before the last place that none is taken for it.
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    const NOTHING: (usize, [u64; 2]) = (usize::MAX - 64, [0; 2]);

    /// Without vectors.
    pub(super) fn plain() -> Self {
        Marks {
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            vector: None,
            #[cfg(all(feature = "simd", target_arch = "x86_64"))]
            seen: Marks::NOTHING,
        }
    }

    /// Behind the end of the field that `at` is in, or the end of the octets, which are the same
    /// whenever it is asked.
    #[expect(clippy::inline_always, reason = "as `read_header_with` in walk.rs")]
    #[inline(always)]
    fn field_end(&mut self, source: &[u8], at: usize, line_end: u8) -> usize {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        if let Some(vector) = self.vector {
            let last = self.next(vector, source, at, line_end, |[ends, _]| ends);
            let end = last + usize::from(last < source.len());
            work(end - at);
            return end;
        }
        field_end_after(source, at, line_end)
    }

    /// Where the first octet from `at` on is that stands in no field name, or the end of the octets.
    #[expect(clippy::inline_always, reason = "as `read_header_with` in walk.rs")]
    #[inline(always)]
    fn name_end(&mut self, source: &[u8], at: usize, line_end: u8) -> usize {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        if let Some(vector) = self.vector {
            return self.next(vector, source, at, line_end, |[_, no_name]| no_name);
        }
        let _ = line_end;
        let length = name_length(source.get(at..).unwrap_or_default());
        length.map_or(source.len(), |length| at + length)
    }

    /// The next place from `at` on that is marked, or the end of the octets.
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    #[expect(clippy::inline_always, reason = "as `read_header_with` in walk.rs")]
    #[inline(always)]
    fn next(
        &mut self,
        vector: Avx2,
        source: &[u8],
        at: usize,
        line_end: u8,
        which: impl Fn([u64; 2]) -> u64,
    ) -> usize {
        let mut from = at;
        loop {
            let behind = from.wrapping_sub(self.seen.0);
            let marks = if behind < 64 {
                which(self.seen.1) >> behind
            } else {
                let rest = source.get(from..).unwrap_or_default();
                if rest.is_empty() {
                    return source.len();
                }
                self.seen = (from, marks_of(vector, rest, line_end));
                which(self.seen.1)
            };
            if marks != 0 {
                return from + marks.trailing_zeros() as usize;
            }
            from = self.seen.0 + 64;
        }
    }
}

/// The marks of the first 64 of octets; those that lie behind their end stand in no name.
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[expect(clippy::inline_always, reason = "as `read_header_with` in walk.rs")]
#[inline(always)]
fn marks_of(vector: Avx2, octets: &[u8], line_end: u8) -> [u64; 2] {
    match octets.first_chunk() {
        Some(octets) => vector.header_marks(line_end, octets),
        None => last_marks(vector, octets, line_end),
    }
}

#[cfg(all(feature = "simd", target_arch = "x86_64"))]
#[cold]
#[inline(never)]
fn last_marks(vector: Avx2, octets: &[u8], line_end: u8) -> [u64; 2] {
    // No line end, and above 7F.
    let mut last = [!line_end; 65];
    last.iter_mut()
        .zip(octets)
        .for_each(|(to, from)| *to = *from);
    vector.header_marks(line_end, &last)
}

/// The same, a line at a time.
#[inline(never)]
fn field_end_after(source: &[u8], at: usize, line_end: u8) -> usize {
    let mut end = line_end_after(source, at, line_end);
    while source.get(end).is_some_and(|&octet| is_blank(octet)) {
        end = line_end_after(source, end, line_end);
    }
    end
}

/// Whether a field has this name, which is compared without regard to case (RFC 5322, section
/// 1.2.2), and nearly always written as it is known.
#[inline]
pub(super) fn is_name(written: &[u8], name: &[u8]) -> bool {
    written == name || written.eq_ignore_ascii_case(name)
}

/// The length of the field name that starts a line, and where the colon is that ends it (RFC
/// 5322, section 3.6.8).
pub(super) fn field_name(line: &[u8]) -> Option<(usize, usize)> {
    let length = name_length(line)?;
    let colon = colon_behind(line, length)?;
    (length > 0).then_some((length, colon))
}

/// Where the colon is that follows `at`, with nothing but blanks before it.
#[cold]
fn colon_behind(octets: &[u8], at: usize) -> Option<usize> {
    let behind = octets.get(at..)?;
    let blanks = behind.iter().position(|&octet| !is_blank(octet))?;
    (behind.get(blanks) == Some(&b':')).then_some(at + blanks)
}

/// How many octets at the start may stand in a field name:
///
/// > ftext = %d33-57 / %d59-126
///
/// `None` where nothing follows them. Eight octets are looked at together, since no processor
/// foresees where a name ends.
fn name_length(line: &[u8]) -> Option<usize> {
    const fn all(octet: u8) -> u64 {
        u64::from_le_bytes([octet; 8])
    }
    let (eights, rest) = line.as_chunks::<8>();
    for (number, eight) in eights.iter().enumerate() {
        let octets = u64::from_le_bytes(*eight);
        let colons = octets ^ all(b':');
        // The highest bit of each octet that is none of a name. A carry may set it above the
        // first of them, which alone counts.
        let ends = (colons.wrapping_sub(all(1)) & !colons)
            | (octets.wrapping_sub(all(b'!')) & !octets)
            | octets.wrapping_add(all(1))
            | octets;
        let ends = ends & all(0x80);
        if ends != 0 {
            return Some(8 * number + ends.trailing_zeros() as usize / 8);
        }
    }
    let is_end = |octet: &u8| !octet.is_ascii_graphic() || *octet == b':';
    Some(8 * eights.len() + rest.iter().position(is_end)?)
}

/// Behind the line end that ends the line at `at`, or the end of the octets.
pub(super) fn line_end_after(source: &[u8], at: usize, line_end: u8) -> usize {
    let rest = source.get(at..).unwrap_or_default();
    let end = memchr(line_end, rest).map_or(source.len(), |end| at + end + 1);
    work(end - at);
    end
}

fn is_blank(octet: u8) -> bool {
    matches!(octet, b' ' | b'\t')
}

#[cfg(test)]
mod tests {
    use super::{Marks, field_end_after, name_length};

    /// The octets of RFC 5322, section 3.6.8, at every place of three words.
    #[test]
    fn names_end_at_the_first_octet_that_is_none_of_them() {
        for octet in 0..=u8::MAX {
            let is_of_name = matches!(octet, 33..=57 | 59..=126);
            for place in 0..24 {
                for behind in [b'\0', b'~', b':', 0xFF] {
                    let mut line = [b'x'; 26];
                    line[place] = octet;
                    line[place + 1..].fill(behind);
                    let end = if !is_of_name {
                        Some(place)
                    } else if behind == b'~' {
                        None
                    } else {
                        Some(place + 1)
                    };
                    assert_eq!(name_length(&line), end, "{octet} {place} {behind}");
                    let marked = Marks::new().name_end(&line, 0, b'\n');
                    assert_eq!(marked, end.unwrap_or(26), "{octet} {place} {behind}");
                    let long = [&line[..], &[b'~'; 64]].concat();
                    let marked = Marks::new().name_end(&long, 0, b'\n');
                    assert_eq!(marked, end.unwrap_or(90), "{octet} {place} {behind}");
                }
            }
        }
    }

    /// Lines of all lengths up to two blocks, some of them folds, at all places of one: asked for
    /// one after the other, and for any of them behind any other.
    #[test]
    fn fields_end_where_they_do_line_by_line() {
        let mut source = Vec::new();
        for length in (0..=130).chain((0..130).rev().step_by(7)) {
            let blank = [b'x', b' ', b'x', b'\t', b'x', b'x', b' '][length % 7];
            source.extend((0..length).map(|at| if at == 0 { blank } else { b'x' }));
            source.push(if length % 5 == 3 { b'\r' } else { b'\n' });
        }
        source.extend_from_slice(b"the last one");
        for line_end in [b'\n', b'\r', b'x', b'y'] {
            for length in (0..200).chain(source.len() - 70..=source.len()) {
                let source = &source[..length];
                let mut ends = Marks::new();
                let mut at = 0;
                while at < source.len() {
                    let end = field_end_after(source, at, line_end);
                    let name = name_length(&source[at..]).map_or(source.len(), |name| at + name);
                    assert_eq!(
                        ends.name_end(source, at, line_end),
                        name,
                        "{at} of {length}"
                    );
                    assert_eq!(
                        ends.field_end(source, at, line_end),
                        end,
                        "{at} of {length}"
                    );
                    at = end;
                }
                assert_eq!(ends.field_end(source, at, line_end), source.len());
            }
            let places: Vec<usize> = (0..source.len())
                .step_by(61)
                .chain([source.len()])
                .collect();
            for &first in &places {
                for &second in &places {
                    let mut ends = Marks::new();
                    ends.field_end(&source, first, line_end);
                    let end = field_end_after(&source, second, line_end);
                    assert_eq!(
                        ends.field_end(&source, second, line_end),
                        end,
                        "{first}, {second}"
                    );
                }
            }
        }
    }
}
