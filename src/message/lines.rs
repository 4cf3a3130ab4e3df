//! The fields and the lines of a header (RFC 5322, section 2.2).

#![expect(
    clippy::inline_always,
    reason = "code run on every octet of a header is compiled for the processor"
)]

use std::mem;
use std::ops::Range;

use super::header_end::{NonField, classify_non_field};
use super::limits::MAX_HEADER;
use super::line::{colon_after, field_name, is_blank, is_word_start, line_end_after};
use super::lost_fold::lost_folds_end;
use crate::vector::{BLOCK, Machine, Portable, flags};
use crate::work::work;

/// The range of a field. A message keeps the ranges of its first fields. The type is small, since allocating
/// the ranges is much of the cost of parsing a header.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldRange {
    pub(super) start: usize,
    /// Offsets from the start: the end of the name, the first octet after the colon, the last line
    /// ending and the octet after it.
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

    fn at(self, distance: u32) -> usize {
        self.start + distance as usize
    }

    pub(super) fn name_length(self) -> usize {
        self.name_end as usize
    }

    pub(super) fn name(self) -> Range<usize> {
        self.start..self.at(self.name_end)
    }

    pub(super) fn body(self) -> Range<usize> {
        self.at(self.body)..self.at(self.body_end)
    }

    pub(super) fn end(self) -> usize {
        self.at(self.end)
    }

    /// Truncates the field at `end`.
    pub(super) fn cut(&mut self, end: usize) {
        self.end = self.end.min(distance(self.start, end.max(self.start)));
    }
}

/// The distance between two offsets in a field.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a field is no longer than a header, which may have MAX_HEADER octets"
)]
fn distance(from: usize, to: usize) -> u32 {
    const { assert!(MAX_HEADER < u32::MAX as usize) };
    to.wrapping_sub(from) as u32
}

/// One item of a header.
pub(super) enum HeaderLine {
    Field(FieldRange),
    /// The last field, extended by lines that lost their indent, and the offset of those lines.
    Continued(FieldRange, usize),
    /// Neither a field nor a fold.
    Junk(Range<usize>),
}

/// Steps through the fields of a header (RFC 5322, section 2.2).
#[derive(Clone)]
pub(super) struct HeaderLines<'s, M> {
    /// The octets up to the limit of the header.
    pub(super) source: &'s [u8],
    start: usize,
    pub(super) at: usize,
    line_end: u8,
    marks: LineMarks<M>,
    /// Whether the blank line was read, or a line that must be body.
    pub(super) ended: bool,
    /// Whether a line that must be body ended the header.
    pub(super) missing_blank_line: bool,
    /// All lines up to this offset belong to the header.
    lost_until: usize,
    /// The start of the last field, until a line that is not a field follows.
    last: usize,
    /// Whether lines end in CR CR LF, if computed.
    pub(super) doubles_cr: Option<bool>,
}

impl<'s, M: Machine> HeaderLines<'s, M> {
    pub(super) fn new(source: &'s [u8], range: Range<usize>, line_end: u8, machine: M) -> Self {
        HeaderLines {
            source: source.get(..range.end).unwrap_or(source),
            start: range.start,
            at: range.start,
            line_end,
            marks: LineMarks::new(machine),
            ended: false,
            missing_blank_line: false,
            lost_until: range.start,
            last: usize::MAX,
            doubles_cr: None,
        }
    }

    /// Whether the header is exhausted.
    fn is_over(&self) -> bool {
        self.ended || self.at >= self.source.len()
    }

    /// Ends the header before a line that must be body.
    pub(super) fn end_before(&mut self, line: usize) {
        self.at = line;
        self.ended = true;
        self.missing_blank_line = true;
    }

    /// Whether the next line may be a delimiter.
    pub(super) fn begins_with_dashes(&self) -> bool {
        let rest = self.source.get(self.at..);
        !self.ended && rest.is_some_and(|rest| rest.starts_with(b"--"))
    }

    /// The next field.
    ///
    /// > field = field-name *WSP ":" unstructured CRLF
    ///
    /// Blanks before the colon are `obs-optional` (RFC 5322, section 4.5; RFC 7103, section 7.4). A
    /// fold of blanks alone does not end the header (RFC 7103, section 7.3).
    #[inline(always)]
    fn field(&mut self) -> Option<FieldRange> {
        let start = self.at;
        if is_word_start(self.source.get(start..)?) {
            return None;
        }
        let name_end = self.marks.name_end(self.source, start, self.line_end);
        let colon = match self.source.get(name_end)? {
            _ if name_end == start => return None,
            b':' => name_end,
            _ => colon_after(self.source, name_end)?,
        };
        let body = colon + 1;
        let end = self.marks.field_end(self.source, body, self.line_end);
        let body_end = self.body_end(body, end);
        let field = FieldRange::new(start, name_end, body..body_end, end);
        self.at = end;
        self.last = start;
        Some(field)
    }

    /// The next field, including lines after it that lost their indent.
    pub(super) fn whole_field(&mut self) -> Option<FieldRange> {
        let field = self.field()?;
        let rest = self.source.get(self.at..).unwrap_or_default();
        if field_name(rest).is_some() {
            return Some(field);
        }
        Some(self.continued().map_or(field, |(field, _)| field))
    }

    /// The last field extended by the current lines, which are not a field, if they lost their indent.
    /// Also returns the offset of the lines.
    #[inline(always)]
    fn continued(&mut self) -> Option<(FieldRange, usize)> {
        let at = self.at;
        if matches!(self.source.get(at)?, b'\r' | b'\n') {
            return None;
        }
        let last = mem::replace(&mut self.last, usize::MAX);
        let field = field_before(self.source, last, at, self.line_end)?;
        let body = field.body().start;
        let end = lost_folds_end(self.source, field.name(), body..at, self.line_end);
        if end == at {
            return None;
        }
        self.at = end;
        let body = body..self.body_end(body, end);
        let field = FieldRange::new(field.start, field.name().end, body, end);
        Some((field, at))
    }

    /// The offset of the line ending of a field body that ends at `end`.
    #[inline(always)]
    fn body_end(&mut self, body: usize, end: usize) -> usize {
        let text = self.source.get(body..end).unwrap_or_default();
        let text = match text {
            [text @ .., b'\r', b'\n'] if self.line_end == b'\n' => text,
            [text @ .., last] if *last == self.line_end => text,
            [text @ .., b'\r'] if self.line_end == b'\n' => text,
            _ => text,
        };
        let is_doubled = text.last() == Some(&b'\r') && self.doubles_cr();
        body + text.len() - usize::from(is_doubled)
    }

    /// Whether the first line of the header ends in CR CR LF.
    #[inline(always)]
    fn doubles_cr(&mut self) -> bool {
        let (source, start) = (self.source, self.start);
        *self
            .doubles_cr
            .get_or_insert_with(|| doubles_cr(source, start))
    }

    /// The current line, which is not a field.
    #[inline(always)]
    fn line_without_field(&mut self) -> Option<HeaderLine> {
        if let Some((field, lost_folds)) = self.continued() {
            return Some(HeaderLine::Continued(field, lost_folds));
        }
        if self.at >= self.lost_until {
            let rest = self.source.get(self.at..).unwrap_or_default();
            let doubles_cr = rest.starts_with(b"\r\r") && self.doubles_cr();
            match classify_non_field(self.source, self.start, self.at, self.line_end, doubles_cr) {
                NonField::Blank(end) => {
                    self.at = end;
                    self.ended = true;
                    return None;
                }
                NonField::Body => {
                    self.end_before(self.at);
                    return None;
                }
                NonField::Lost(until) => self.lost_until = until,
            }
        }
        let end = line_end_after(self.source, self.at, self.line_end);
        let line = self.at..end;
        self.at = end;
        Some(HeaderLine::Junk(line))
    }
}

impl<M: Machine> Iterator for HeaderLines<'_, M> {
    type Item = HeaderLine;

    #[inline(always)]
    fn next(&mut self) -> Option<HeaderLine> {
        if self.is_over() {
            return None;
        }
        match self.field() {
            Some(field) => Some(HeaderLine::Field(field)),
            None => self.line_without_field(),
        }
    }
}

/// The field at `start`, if it ends at `end`.
#[cold]
#[inline(never)]
fn field_before(source: &[u8], start: usize, end: usize, line_end: u8) -> Option<FieldRange> {
    let mut lines = HeaderLines::new(source, start..source.len(), line_end, Portable);
    lines.field().filter(|field| field.end() == end)
}

/// Whether the line at `start` ends in CR CR LF, as after a double conversion to CRLF.
#[cold]
#[inline(never)]
fn doubles_cr(source: &[u8], start: usize) -> bool {
    /// The number of octets within which that line has to end (RFC 5322, section 2.1.1, allows 998).
    const NEAR: usize = 2 * 998;
    let near = source.get(..start.saturating_add(NEAR)).unwrap_or(source);
    let end = line_end_after(near, start, b'\n');
    near.get(start..end)
        .is_some_and(|line| line.ends_with(b"\r\r\n"))
}

/// Finds the ends of names and fields. A field ends at the first line ending without a blank after it.
/// Both are short, so the ends in 64 octets are found together and kept.
#[derive(Clone)]
struct LineMarks<M> {
    machine: M,
    /// Offset of the last block, with masks of its octets that end a field and that are not in a name.
    block: (usize, [u64; 2]),
}

impl<M: Machine> LineMarks<M> {
    fn new(machine: M) -> Self {
        /// No block: an offset after all octets, low enough that the end of the block does not
        /// overflow.
        const NOTHING: (usize, [u64; 2]) = (usize::MAX - BLOCK, [0; 2]);
        LineMarks {
            machine,
            block: NOTHING,
        }
    }

    /// The end of the field that contains `at`, after its line ending, or the end of the octets. All
    /// calls must pass the same octets.
    #[inline(always)]
    fn field_end(&mut self, source: &[u8], at: usize, line_end: u8) -> usize {
        let last = self.next(source, at, line_end, |[ends, _]| ends);
        let end = last + usize::from(last < source.len());
        work(end - at);
        end
    }

    /// The first octet from `at` on that cannot be in a field name, or the end of the octets.
    #[inline(always)]
    fn name_end(&mut self, source: &[u8], at: usize, line_end: u8) -> usize {
        self.next(source, at, line_end, |[_, no_name]| no_name)
    }

    /// The next marked octet from `at` on, or the end of the octets.
    #[inline(always)]
    fn next(
        &mut self,
        source: &[u8],
        at: usize,
        line_end: u8,
        which: impl Fn([u64; 2]) -> u64,
    ) -> usize {
        let mut from = at;
        loop {
            let offset = from.wrapping_sub(self.block.0);
            let marks = if offset < BLOCK {
                which(self.block.1) >> offset
            } else {
                let rest = source.get(from..).unwrap_or_default();
                if rest.is_empty() {
                    return source.len();
                }
                let marks = match rest.first_chunk() {
                    Some(octets) => marks(self.machine, octets, line_end),
                    None => last_marks(self.machine, rest, line_end),
                };
                self.block = (from, marks);
                which(marks)
            };
            if marks != 0 {
                return from + marks.trailing_zeros() as usize;
            }
            from = self.block.0 + BLOCK;
        }
    }
}

/// Two masks for the octets of a block. The first has the octets that end a field; it depends on
/// one more octet, after the block. The second has the octets that are not in a name:
///
/// > ftext = %d33-57 / %d59-126
#[inline(always)]
fn marks(machine: impl Machine, octets: &[u8; BLOCK + 1], line_end: u8) -> [u64; 2] {
    let [block @ .., _] = octets;
    let [_, after @ ..] = octets;
    let mut ends = [0; BLOCK];
    for ((flag, &octet), &next) in ends.iter_mut().zip(block).zip(after) {
        let is_line_end = octet == line_end;
        let begins_line = !is_blank(next);
        *flag = u8::from(is_line_end & begins_line).wrapping_neg();
    }
    let no_name = flags(block, |octet| {
        // As a signed octet, 7F plus one is -128, less than all others.
        let is_other = octet.wrapping_add(1).cast_signed() <= b'!'.cast_signed();
        let is_colon = octet == b':';
        is_other | is_colon
    });
    [machine.top_bits(&ends), machine.top_bits(&no_name)]
}

/// [`marks`] for an incomplete last block. Octets after its end neither end a field nor are in a name.
#[cold]
#[inline(never)]
fn last_marks(machine: impl Machine, octets: &[u8], line_end: u8) -> [u64; 2] {
    // Pad with octets that neither end a line nor, since they are above 7F, are in a name.
    let mut last = [!line_end; BLOCK + 1];
    last.iter_mut()
        .zip(octets)
        .for_each(|(to, from)| *to = *from);
    marks(machine, &last, line_end)
}

#[cfg(test)]
mod tests {
    use super::LineMarks;
    use crate::message::line::{is_blank, line_end_after};
    use crate::vector::{self, Machine, Portable, Task};

    /// Finds the ends of names and fields from each of these offsets.
    struct Ends<'s> {
        source: &'s [u8],
        places: &'s [usize],
        line_end: u8,
    }

    impl Task for Ends<'_> {
        type Output = Vec<(usize, usize)>;

        #[inline(always)]
        fn run(self, machine: impl Machine) -> Self::Output {
            let mut marks = LineMarks::new(machine);
            let places = self.places.iter().map(|&at| {
                let name = marks.name_end(self.source, at, self.line_end);
                (name, marks.field_end(self.source, at, self.line_end))
            });
            places.collect()
        }
    }

    /// Checks that both machines agree.
    #[track_caller]
    fn ends(source: &[u8], places: &[usize], line_end: u8) -> Vec<(usize, usize)> {
        let ends = || Ends {
            source,
            places,
            line_end,
        };
        let found = vector::run(ends());
        assert_eq!(ends().run(Portable), found, "{places:?}");
        found
    }

    /// The octets of RFC 5322, section 3.6.8, at every place of three words.
    #[test]
    fn names_end_at_the_first_invalid_octet() {
        for octet in 0..=u8::MAX {
            let is_of_name = matches!(octet, 33..=57 | 59..=126);
            for place in 0..24 {
                for after in [b'\0', b'~', b':', 0xFF] {
                    let mut line = [b'x'; 26];
                    line[place] = octet;
                    line[place + 1..].fill(after);
                    let end = if !is_of_name {
                        Some(place)
                    } else if after == b'~' {
                        None
                    } else {
                        Some(place + 1)
                    };
                    let name_end = |line: &[u8]| ends(line, &[0], b'\n')[0].0;
                    assert_eq!(
                        name_end(&line),
                        end.unwrap_or(26),
                        "{octet} {place} {after}"
                    );
                    let long = [&line[..], &[b'~'; 64]].concat();
                    assert_eq!(
                        name_end(&long),
                        end.unwrap_or(90),
                        "{octet} {place} {after}"
                    );
                }
            }
        }
    }

    /// The end of the name and the end of the field at `at`, octet by octet and line by line.
    fn plain_ends(source: &[u8], at: usize, line_end: u8) -> (usize, usize) {
        let is_of_name = |octet: &u8| matches!(octet, 33..=57 | 59..=126);
        let name = source[at..].iter().take_while(|octet| is_of_name(octet));
        let mut end = line_end_after(source, at, line_end);
        while source.get(end).is_some_and(|&octet| is_blank(octet)) {
            end = line_end_after(source, end, line_end);
        }
        (at + name.count(), end)
    }

    /// Lines of all lengths up to two blocks, some of them folds, at every offset in a block,
    /// looked up in sequence and in any order.
    #[test]
    fn fields_end_like_in_the_line_by_line_search() {
        let mut source = Vec::new();
        for length in (0..=130).chain((0..130).rev().step_by(7)) {
            let blank = [b'x', b' ', b'x', b'\t', b'x', b'x', b' '][length % 7];
            source.extend((0..length).map(|at| if at == 0 { blank } else { b'x' }));
            source.push(if length % 5 == 3 { b'\r' } else { b'\n' });
        }
        source.extend_from_slice(b"the last one");
        for line_end in [b'\n', b'\r', b'x', b'y'] {
            // At any length within a block.
            for length in (0..200).chain(source.len() - 70..=source.len()) {
                let source = &source[..length];
                let first = length.saturating_sub(200);
                let (mut places, mut expected) = (vec![first], Vec::new());
                while let Some(&at) = places.last() {
                    let (name, end) = plain_ends(source, at, line_end);
                    expected.push((name, end));
                    if at == source.len() {
                        break;
                    }
                    places.push(end);
                }
                assert_eq!(ends(source, &places, line_end), expected, "{length}");
            }
            let starts: Vec<_> = source.split_inclusive(|&octet| octet == b'\n').collect();
            let mut at = 0;
            let places: Vec<usize> = starts.iter().map(|line| (at, at += line.len()).0).collect();
            let expected = places.iter().map(|&at| plain_ends(&source, at, line_end));
            let expected: Vec<_> = expected.collect();
            assert_eq!(ends(&source, &places, line_end), expected);
            let places: Vec<usize> = (0..source.len())
                .step_by(253)
                .chain([source.len()])
                .collect();
            for &first in &places {
                for &second in &places {
                    let expected = [first, second].map(|at| plain_ends(&source, at, line_end));
                    assert_eq!(ends(&source, &[first, second], line_end), expected);
                }
            }
        }
    }
}
