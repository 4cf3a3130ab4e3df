//! The lines that separate the parts of multiparts (RFC 2046, section 5.1.1).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::{memchr, memmem};

use super::line::{begins_mime_field, field_name, line_end_after, trim_end_blanks};
use crate::work::work;

/// The delimiter lines of one buffer, and the open multiparts to which they may belong.
pub(super) struct Delimiters<'w> {
    pub(super) source: &'w [u8],
    /// The octet that ends lines: LF, or CR if there is no LF at all.
    pub(super) line_end: u8,
    /// The multiparts whose closing delimiter has not been found yet, innermost last.
    open: Vec<Open<'w>>,
    /// The level of the innermost open multipart with each boundary, beyond the first [`FEW_OPEN`]. The
    /// lookup makes the cost of a line nearly independent of the number of open multiparts.
    deep_levels: BTreeMap<Cow<'w, [u8]>, usize>,
    /// The number of octets that may still be searched for the delimiters of multiparts without a
    /// boundary. Without this budget, each of many nested multiparts would read the rest of the
    /// message.
    ahead: usize,
}

/// A multipart whose closing delimiter has not been found yet.
pub(super) struct Open<'w> {
    pub(super) entity: usize,
    boundary: Cow<'w, [u8]>,
    /// The number of parts so far.
    pub(super) parts: usize,
}

/// A line that separates parts.
pub(super) struct Delimiter {
    pub(super) line: Range<usize>,
    /// The end of the body before it: the preceding line end belongs to the delimiter.
    pub(super) body_end: usize,
    /// The open multipart that it belongs to.
    pub(super) level: usize,
    pub(super) closing: bool,
}

/// How many times a message may be searched for the delimiters of multiparts without a boundary.
const MAX_SEARCHES: usize = 4;

/// The number of open multiparts that are compared with a line one by one; most messages have fewer.
const FEW_OPEN: usize = 4;

/// The line end and the hyphens that begin a delimiter, for each octet that ends lines.
static DELIMITERS: LazyLock<[memmem::Finder<'static>; 2]> =
    LazyLock::new(|| [memmem::Finder::new(b"\n--"), memmem::Finder::new(b"\r--")]);

impl<'w> Delimiters<'w> {
    pub(super) fn new(source: &'w [u8]) -> Self {
        let has_cr_alone = memchr(b'\n', source).is_none() && memchr(b'\r', source).is_some();
        Delimiters {
            source,
            line_end: if has_cr_alone { b'\r' } else { b'\n' },
            open: Vec::new(),
            deep_levels: BTreeMap::new(),
            ahead: source.len().saturating_mul(MAX_SEARCHES),
        }
    }

    /// The number of open multiparts.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    pub(super) fn innermost(&mut self) -> Option<&mut Open<'w>> {
        self.open.last_mut()
    }

    /// Opens a multipart inside the innermost open multipart.
    pub(super) fn open(&mut self, entity: usize, boundary: Cow<'w, [u8]>) {
        if self.open.len() >= FEW_OPEN {
            self.deep_levels.insert(boundary.clone(), self.open.len());
        }
        self.open.push(Open {
            entity,
            boundary,
            parts: 0,
        });
    }

    /// Closes the innermost open multipart. Returns its entity and the number of its parts.
    pub(super) fn close(&mut self) -> Option<(usize, usize)> {
        let multipart = self.open.pop()?;
        if let Some(deep) = self.open.get(FEW_OPEN..) {
            let is_same = |outer: &Open<'_>| outer.boundary == multipart.boundary;
            match deep.iter().rposition(is_same) {
                Some(at) => self.deep_levels.insert(multipart.boundary, FEW_OPEN + at),
                None => self.deep_levels.remove(&multipart.boundary),
            };
        }
        Some((multipart.entity, multipart.parts))
    }

    /// The next delimiter of an open multipart from `at`, the start of a line.
    pub(super) fn next(&self, at: usize) -> Option<Delimiter> {
        if self.open.is_empty() {
            return None;
        }
        let mut end = at;
        loop {
            let line = self.dashes_in(end..self.source.len())?;
            end = line_end_after(self.source, line, self.line_end);
            let Some((level, closing)) = self.delimiter(self.source.get(line..end)?) else {
                continue;
            };
            let before = self.source.get(..line)?;
            let before = before.strip_suffix(&[self.line_end]).unwrap_or(before);
            // In a message without LF, a second CR ends the previous line.
            let is_lf = self.line_end == b'\n';
            let without_cr = before.strip_suffix(b"\r").filter(|_| is_lf);
            let before = without_cr.unwrap_or(before);
            return Some(Delimiter {
                line: line..end,
                body_end: before.len(),
                level,
                closing,
            });
        }
    }

    /// The first line in `range` that begins with two hyphens; `range` begins at a line.
    fn dashes_in(&self, range: Range<usize>) -> Option<usize> {
        let start = range.start;
        let octets = self.source.get(range)?;
        if octets.starts_with(b"--") {
            return Some(start);
        }
        let [lf, cr] = &*DELIMITERS;
        let finder = if self.line_end == b'\n' { lf } else { cr };
        let found = finder.find(octets);
        work(found.unwrap_or(octets.len()));
        Some(start + found? + 1)
    }

    /// Infers the boundary of a multipart whose Content-Type has none and whose body begins at `at`.
    /// The first line that looks like a delimiter must be followed by the beginning of a part, and a
    /// later line must close the multipart. No text may come before or after, since it would be lost.
    ///
    /// Programs omit the parameter, or a relay loses it when it rewrites the field.
    pub(super) fn boundary_in(&mut self, at: usize) -> Option<&'w [u8]> {
        let source = self.source;
        let first = self.next_dashes(at)?;
        let boundary = trim_end_blanks(source.get(first.clone())?).strip_prefix(b"--")?;
        let rest = source.get(first.end..)?;
        let begins_part = rest.starts_with(&[self.line_end])
            || rest.starts_with(b"\r\n")
            || (field_name(rest).is_some() && begins_mime_field(rest));
        if !is_boundary(boundary) || !begins_part || !is_preamble(source.get(at..first.start)?) {
            return None;
        }
        let mut line = first;
        let closing = loop {
            line = self.next_dashes(line.end)?;
            let text = trim_end_blanks(source.get(line.clone())?);
            let after = text.strip_prefix(b"--")?.strip_prefix(boundary);
            if after == Some(b"--") {
                break line;
            }
        };
        let rest = source.get(closing.end..)?;
        let rest = rest.trim_ascii_start();
        let text = source.len() - rest.len();
        let line = line_end_after(source, text, self.line_end);
        let begins_line = source.get(text - 1) == Some(&self.line_end);
        let ends = begins_line && self.delimiter(source.get(text..line)?).is_some();
        (ends || rest.is_empty()).then_some(boundary)
    }

    /// Replaces the boundary of the innermost multipart, because it does not occur in the body. The
    /// new boundary occurs there, and differs only in white space and case. Returns the new
    /// boundary.
    ///
    /// Notes folds the field inside the quoted boundary, which adds a blank that the delimiters lack.
    pub(super) fn replace_boundary(&mut self, body: Range<usize>) -> Option<&'w [u8]> {
        // The body was already searched once. Searching it again counts against the budget.
        self.ahead = self.ahead.checked_sub(body.len())?;
        let declared = self.open.last()?.boundary.clone();
        let mut line = self.next_dashes(body.start)?;
        let found = loop {
            let text = trim_end_blanks(self.source.get(line.clone())?);
            let text = text.strip_prefix(b"--")?;
            if without_blanks(text).eq(without_blanks(&declared)) {
                break text;
            }
            line = self.next_dashes(line.end)?;
        };
        let (entity, _) = self.close()?;
        self.open(entity, Cow::Borrowed(found));
        Some(found)
    }

    /// The next line from `at`, the start of a line, that begins with two hyphens; `None` if a
    /// delimiter of an open multipart comes first.
    fn next_dashes(&mut self, at: usize) -> Option<Range<usize>> {
        let limit = self.source.len().min(at.saturating_add(self.ahead));
        let found = self.dashes_in(at..limit);
        // The search also reads the line ending before a line.
        let before = found.map_or(limit, |line| line.saturating_sub(1));
        self.ahead -= before.saturating_sub(at);
        let line = found?;
        let end = line_end_after(self.source, line, self.line_end);
        self.ahead = self.ahead.saturating_sub(end - line);
        let is_delimiter = self.delimiter(self.source.get(line..end)?).is_some();
        (!is_delimiter).then_some(line..end)
    }

    /// The open multipart that a line delimits, if any, and whether the line closes it.
    ///
    /// > delimiter := CRLF "--" boundary; close-delimiter := delimiter "--"
    ///
    /// Blanks may follow (RFC 2046, section 5.1.1, `transport-padding`). The whole line has to match,
    /// since one boundary may be a prefix of another.
    fn delimiter(&self, line: &[u8]) -> Option<(usize, bool)> {
        let boundary = trim_end_blanks(line).strip_prefix(b"--")?;
        if let Some(level) = self.level_of(boundary) {
            return Some((level, false));
        }
        let level = self.level_of(boundary.strip_suffix(b"--")?)?;
        Some((level, true))
    }

    /// The level of the innermost open multipart with this boundary.
    fn level_of(&self, boundary: &[u8]) -> Option<usize> {
        let few = || {
            let mut few = self.open.iter().take(FEW_OPEN);
            few.rposition(|open| open.boundary == boundary)
        };
        self.deep_levels.get(boundary).copied().or_else(few)
    }

    /// Whether the line at `at` is a delimiter.
    #[inline(never)]
    pub(super) fn is_delimiter(&self, source: &[u8], at: usize) -> bool {
        let end = line_end_after(source, at, self.line_end);
        self.delimiter(source.get(at..end).unwrap_or_default())
            .is_some()
    }
}

/// The octets of a boundary in lower case, without white space.
fn without_blanks(boundary: &[u8]) -> impl Iterator<Item = u8> {
    let visible = boundary.iter().filter(|octet| !octet.is_ascii_whitespace());
    visible.map(u8::to_ascii_lowercase)
}

/// Whether octets are a boundary:
///
/// > boundary := 0*69\<bchars\> bcharsnospace
///
/// Octets that end in two hyphens are rejected: their line more likely closes a multipart than
/// begins a part.
fn is_boundary(octets: &[u8]) -> bool {
    let is_bchar = |octet: &u8| octet.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(octet);
    (1..=70).contains(&octets.len()) && octets.iter().all(is_bchar) && !octets.ends_with(b"--")
}

/// Whether text before the first delimiter may be dropped: blank lines, or the note for programs
/// without MIME that mailers have written since RFC 1341.
pub(super) fn is_preamble(octets: &[u8]) -> bool {
    /// The longest notes in use have four lines.
    const LONGEST: usize = 400;
    let text = octets.trim_ascii();
    text.is_empty() || (text.len() <= LONGEST && names_mime(text))
}

/// Whether text contains `MIME` in any case: one mailer writes "This is a message in Mime Format."
fn names_mime(text: &[u8]) -> bool {
    static MIME: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"MIME"));
    let is_mime = |word: &[u8]| word.eq_ignore_ascii_case(b"MIME");
    MIME.find(text).is_some() || text.windows(4).any(is_mime)
}
