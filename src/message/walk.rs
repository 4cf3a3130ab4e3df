//! The walk over a message, which finds its parts (RFC 2046, section 5.1).

#![expect(
    clippy::inline_always,
    reason = "what goes through every octet of a header is compiled for the processor"
)]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use memchr::{memchr, memchr_iter, memmem};

use super::entity::{Entity, Shape, default_type};
use super::limits::{MAX_DEPTH, MAX_ENCODED_DEPTH, MAX_HEADER, MAX_PARTS};
use super::lines::{FieldRange, Line, Lines, fetch, field_name, is_name, line_end_after};
use crate::charset::block::{self, Machine, Task};
use crate::header;
use crate::report::{Kind, Report};
use crate::transfer::{self, TransferEncoding};
use crate::work::work;

/// How many fields a message keeps the places of. A header of more is read again for the
/// rest, so that no header takes more memory than its octets.
const MAX_LISTED: usize = 256;

/// What the walk finds.
pub(super) struct Found {
    /// Messages that had to be decoded to be entered, which few have in them.
    #[expect(
        clippy::box_collection,
        reason = "what was found is moved about, and is smaller for it"
    )]
    pub(super) decoded: Option<Box<Vec<Vec<u8>>>>,
    pub(super) entities: Vec<Entity>,
    /// The first fields of the headers, as the walk met them.
    pub(super) fields: Vec<FieldRange>,
    pub(super) report: Report,
}

impl Found {
    /// What the walk over a whole message finds.
    pub(super) fn of(source: &[u8]) -> Self {
        /// As many fields as most messages have, those of their parts among them.
        const FIELDS: usize = 40;
        /// A multipart of a text, the same as a page, and something attached.
        const ENTITIES: usize = 4;
        /// Of more entities, lists have much capacity that is not used.
        const MANY: usize = 1024;
        fetch(source);
        let mut found = Found {
            decoded: None,
            entities: Vec::with_capacity(ENTITIES),
            fields: Vec::with_capacity(FIELDS),
            report: Report::new(),
        };
        Walk::new(source, &mut found).run();
        if found.entities.len() > MANY {
            found.entities.shrink_to_fit();
            found.fields.shrink_to_fit();
        }
        found
    }
}

/// The walk over one buffer.
struct Walk<'w> {
    source: &'w [u8],
    /// The octet that ends lines: LF, or CR where there is no LF at all.
    line_end: u8,
    buffer: usize,
    /// The entity that holds the buffer's message.
    root: Option<usize>,
    /// How many messages under a transfer encoding stand around this buffer.
    encoded_depth: usize,
    /// The multiparts whose closing delimiter has not come yet, innermost last.
    open: Vec<Open<'w>>,
    /// Which open multipart a boundary belongs to, of those further in than [`FEW_OPEN`].
    /// Looking boundaries up keeps a line's cost independent of how many multiparts are open.
    deep_boundaries: BTreeMap<Cow<'w, [u8]>, usize>,
    /// The innermost entity whose body has not ended; those around it have not either.
    unfinished: Option<usize>,
    /// How many octets may still be looked at for the delimiters of multiparts without a boundary,
    /// so that many of them inside each other do not each read the rest of the message.
    ahead: usize,
    /// Whether a limit ended the walk before the message did.
    has_given_up: bool,
    found: &'w mut Found,
}

/// How often a message may be looked through for the delimiters of multiparts without a boundary.
const LOOKED_AHEAD: usize = 4;

/// How many open multiparts are compared with a line one by one.
const FEW_OPEN: usize = 4;

/// What a line that may be a delimiter begins with, and the line end before it: one of them
/// for each octet that ends lines.
static DELIMITERS: LazyLock<[memmem::Finder<'static>; 2]> =
    LazyLock::new(|| [memmem::Finder::new(b"\n--"), memmem::Finder::new(b"\r--")]);

/// A multipart whose closing delimiter has not come yet.
struct Open<'w> {
    entity: usize,
    boundary: Cow<'w, [u8]>,
    /// The open multipart around it that has the same boundary, if both are looked up.
    shadowed: Option<usize>,
    /// How many parts were begun.
    parts: usize,
}

/// A line that separates parts (RFC 2046, section 5.1.1).
struct Delimiter {
    line: Range<usize>,
    /// Where the body before it ends: the line end before the line belongs to the delimiter.
    body_end: usize,
    /// The open multipart it belongs to.
    level: usize,
    closing: bool,
}

impl<'w> Walk<'w> {
    fn new(source: &'w [u8], found: &'w mut Found) -> Self {
        let line_end = if memchr(b'\n', source).is_none() && memchr(b'\r', source).is_some() {
            b'\r'
        } else {
            b'\n'
        };
        Walk {
            source,
            line_end,
            buffer: 0,
            root: None,
            encoded_depth: 0,
            open: Vec::new(),
            deep_boundaries: BTreeMap::new(),
            unfinished: None,
            ahead: source.len().saturating_mul(LOOKED_AHEAD),
            has_given_up: false,
            found,
        }
    }

    fn run(mut self) {
        let mut at = self.begin(0, self.root, 1);
        // Where the text of no part begins that follows a closing delimiter.
        let mut closed = None;
        while let Some(delimiter) = self.next_delimiter(at) {
            if let Some(start) = closed.take() {
                self.report_outside(start..delimiter.body_end);
            }
            // Multiparts further in end here without their closing delimiter.
            while self.open.len() > delimiter.level + 1 {
                self.close(Some(delimiter.line.start));
            }
            let Some(multipart) = self.open.last_mut() else {
                break;
            };
            multipart.parts += usize::from(!delimiter.closing);
            let (parent, number) = (multipart.entity, multipart.parts);
            if number == 1 && !delimiter.closing {
                self.report_preamble(parent, delimiter.body_end);
            }
            while self.unfinished.is_some_and(|entity| entity != parent) {
                self.finish(delimiter.body_end);
            }
            at = delimiter.line.end;
            if delimiter.closing {
                self.close(None);
                closed = (number > 0).then_some(at);
            } else if self.found.entities.len() >= MAX_PARTS {
                self.give_up(at, parent, number);
                break;
            } else {
                at = self.begin(at, Some(parent), number);
            }
        }
        if let Some(start) = closed {
            self.report_outside(start..self.source.len());
        }
        while !self.open.is_empty() {
            self.close(Some(self.source.len()));
        }
        while self.unfinished.is_some() {
            self.finish(self.source.len());
        }
    }

    /// Reports what stands before the first part of a multipart, up to `end`, and is no paragraph for
    /// people whose program does not know MIME.
    #[inline]
    fn report_preamble(&mut self, multipart: usize, end: usize) {
        let start = self.found.entities.get(multipart);
        let start = start.map_or(end, |multipart| multipart.body.start);
        if end > start && !is_preamble(self.source.get(start..end).unwrap_or_default()) {
            self.report_outside(start..end);
        }
    }

    /// Reports text that is in no part.
    fn report_outside(&mut self, range: Range<usize>) {
        let octets = self.source.get(range.clone()).unwrap_or_default();
        let text = octets.trim_ascii_start();
        if text.is_empty() {
            return;
        }
        let start = range.end - text.len();
        let length = text.trim_ascii_end().len();
        let detail = "text of a multipart that is in no part";
        self.found
            .report
            .add(Kind::OutsideParts, start, length, detail);
    }

    /// Reads the header at `at` and makes its entity, and those of the messages that begin
    /// with its body. Returns where to look for the next delimiter.
    fn begin(&mut self, at: usize, parent: Option<usize>, number: usize) -> usize {
        let (mut at, mut parent, mut number) = (at, parent, number);
        loop {
            let first = self.found.fields.len();
            let mut header = Header::default();
            self.read_header(at, &mut header);
            let outer = parent.and_then(|parent| self.found.entities.get(parent));
            let index = self.found.entities.len();
            let mut entity = Entity {
                buffer: self.buffer,
                parent,
                depth: outer.map_or(0, |outer| outer.depth + 1),
                number,
                shape: Shape::Leaf,
                is_text: false,
                header: at..header.end,
                body: header.end..self.source.len(),
                listed: first..self.found.fields.len(),
                unlisted: header.unlisted.unwrap_or(header.end),
                content_type: header.content_type,
                transfer_encoding: header.transfer_encoding,
                content_disposition: header.content_disposition,
                declared_charset: OnceLock::new(),
                origin: OnceLock::new(),
                digest: false,
                line_end: self.line_end,
            };
            let in_digest = outer.is_some_and(|outer| outer.digest);
            self.shape(&mut entity, in_digest);
            let enter = entity.shape == Shape::Message;
            self.found.entities.push(entity);
            self.unfinished = Some(index);
            if !enter || header.cut {
                return header.end;
            }
            if self.found.entities.len() >= MAX_PARTS {
                self.give_up(header.end, index, 1);
                return self.source.len();
            }
            (at, parent, number) = (header.end, Some(index), 1);
        }
    }

    /// Finds out what the entity is made of, and opens it if it is a multipart.
    fn shape(&mut self, entity: &mut Entity, in_digest: bool) {
        let source = self.source;
        let field = |range: &Option<Range<usize>>| {
            range
                .as_ref()
                .map(|range| source.get(range.clone()).unwrap_or_default())
        };
        let (media_type, boundary) = match field(&entity.content_type) {
            None => (Cow::Borrowed(default_type(in_digest)), None),
            Some(content_type) => {
                match plain_type(content_type) {
                    Some(PlainType::Text) => {
                        entity.is_text = true;
                        return;
                    }
                    Some(PlainType::Octets) => return,
                    None => {}
                }
                header::type_and_boundary(content_type)
            }
        };
        let media_type = &*media_type;
        entity.is_text = media_type.starts_with("text/");
        let multipart = media_type.starts_with("multipart/");
        let message = matches!(media_type, "message/rfc822" | "message/global");
        if !multipart && !message {
            return;
        }
        let (place, length) = (entity.header.start, entity.header.len());
        if entity.depth >= MAX_DEPTH {
            entity.shape = Shape::Opaque;
            let detail = format!("parts stand more than {MAX_DEPTH} deep inside each other");
            self.found
                .report
                .add(Kind::LimitReached, place, length, detail);
            return;
        }
        let encoding = field(&entity.transfer_encoding)
            .map_or_else(TransferEncoding::default, |body| {
                header::content_transfer_encoding(body).encoding()
            });
        // RFC 6532, section 3.7, lets message/global be encoded.
        if !encoding.is_identity() && media_type != "message/global" {
            let (place, length) = entity
                .transfer_encoding
                .as_ref()
                .map_or((0, 0), |range| (range.start, range.len()));
            let detail = format!("{media_type} under {encoding}");
            self.found
                .report
                .add(Kind::TransferEncodingForbidden, place, length, detail);
        }
        if message {
            let body = source.get(entity.body.start..).unwrap_or_default();
            entity.shape = shape_of_message(body, encoding);
            return;
        }
        let boundary = boundary
            .map(|boundary| match boundary {
                Cow::Borrowed(boundary) => Cow::Borrowed(trim_end_blanks(boundary)),
                Cow::Owned(boundary) => Cow::Owned(trim_end_blanks(&boundary).to_vec()),
            })
            .filter(|boundary| !boundary.is_empty());
        let boundary = boundary.or_else(|| {
            let found = self.boundary_in(entity.body.start).map(Cow::Borrowed);
            let detail = match &found {
                Some(found) => {
                    let line = String::from_utf8_lossy(found);
                    Cow::Owned(format!("split at the lines --{line} of its body"))
                }
                None => Cow::Borrowed("read as one part of text"),
            };
            self.found
                .report
                .add(Kind::MissingBoundary, place, length, detail);
            found
        });
        let Some(boundary) = boundary else {
            entity.shape = Shape::Undivided;
            return;
        };
        entity.shape = Shape::Multipart;
        entity.digest = media_type == "multipart/digest";
        let level = self.open.len();
        let shadowed = if level < FEW_OPEN {
            None
        } else {
            self.deep_boundaries.insert(boundary.clone(), level)
        };
        let entity = self.found.entities.len();
        self.open.push(Open {
            entity,
            boundary,
            shadowed,
            parts: 0,
        });
    }

    /// Ends the innermost open multipart: at its closing delimiter, or for want of one.
    fn close(&mut self, unclosed_at: Option<usize>) {
        let Some(multipart) = self.open.pop() else {
            return;
        };
        if self.open.len() >= FEW_OPEN {
            match multipart.shadowed {
                Some(level) => self.deep_boundaries.insert(multipart.boundary, level),
                None => self.deep_boundaries.remove(&multipart.boundary),
            };
        }
        let Some(entity) = self.found.entities.get_mut(multipart.entity) else {
            return;
        };
        if multipart.parts == 0 {
            // Without a delimiter there are no parts: what there is stays one part.
            entity.shape = Shape::Undivided;
            let (start, length) = (entity.header.start, entity.header.len());
            let detail = match unclosed_at {
                Some(_) => "the boundary never occurs: read as one part of text",
                None => "the boundary only closes: read as one part of text",
            };
            self.found
                .report
                .add(Kind::EmptyMultipart, start, length, detail);
        } else if let Some(at) = unclosed_at.filter(|_| !self.has_given_up) {
            self.found.report.add(Kind::UnclosedMultipart, at, 0, "");
        }
    }

    /// Ends the body of the innermost unfinished entity.
    fn finish(&mut self, end: usize) {
        let Some(index) = self.unfinished.take() else {
            return;
        };
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        self.unfinished = entity.parent.filter(|_| entity.parent != self.root);
        let (parent, header) = (entity.parent, entity.header.clone());
        // The line end before a delimiter is the delimiter's (RFC 2046, section 5.1.1), so that it
        // ends no line of a message that is the body of a part.
        if end < header.end && self.is_message(parent) {
            self.cut_header(index, end.max(header.start));
        }
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        entity.body.end = end.clamp(entity.body.start, self.source.len());
        if entity.shape == Shape::EncodedMessage {
            let entity = entity.clone();
            self.enter_encoded(index, &entity);
        }
    }

    fn is_message(&self, entity: Option<usize>) -> bool {
        let entity = entity.and_then(|entity| self.found.entities.get(entity));
        entity.is_some_and(|entity| entity.shape == Shape::Message)
    }

    /// Ends a header, which reaches further, at `end`, and its last field.
    fn cut_header(&mut self, index: usize, end: usize) {
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        entity.header.end = end;
        entity.body = end..end;
        entity.unlisted = entity.unlisted.min(end);
        let fields = self.found.fields.get_mut(entity.listed.clone());
        if let Some(last) = fields.and_then(<[FieldRange]>::last_mut) {
            last.cut(end);
        }
        // What was inside had no octets, and stands where there are none now.
        let inside = self.found.entities.get_mut(index + 1..);
        for inner in inside.unwrap_or_default() {
            inner.header = end..end;
            inner.body = end..end;
            inner.unlisted = end;
        }
    }

    /// Walks the message inside an entity whose transfer encoding has to be undone first.
    fn enter_encoded(&mut self, index: usize, entity: &Entity) {
        let field = |range: &Option<Range<usize>>| {
            range
                .as_ref()
                .and_then(|range| self.source.get(range.clone()))
                .unwrap_or_default()
        };
        let (offset, length) = (entity.body.start, entity.body.len());
        let mut shape = Shape::Leaf;
        if self.encoded_depth >= MAX_ENCODED_DEPTH || self.found.entities.len() >= MAX_PARTS {
            let detail = "a message under a transfer encoding that is not entered";
            self.found
                .report
                .add(Kind::LimitReached, offset, length, detail);
        } else {
            shape = Shape::Message;
            let encoding =
                header::content_transfer_encoding(field(&entity.transfer_encoding)).encoding();
            let body = self.source.get(entity.body.clone()).unwrap_or_default();
            let undone = transfer::decode(body, encoding);
            self.found.report.absorb(undone.report().clone(), offset);
            let octets = undone.into_octets().into_owned();
            let outer = std::mem::take(&mut self.found.report);
            let decoded = self.found.decoded.get_or_insert_default();
            decoded.push(Vec::new());
            let buffer = decoded.len();
            let mut walk = Walk::new(&octets, self.found);
            walk.buffer = buffer;
            walk.root = Some(index);
            walk.encoded_depth = self.encoded_depth + 1;
            walk.run();
            let inner = std::mem::replace(&mut self.found.report, outer);
            let decoded = self.found.decoded.as_mut();
            if let Some(place) = decoded.and_then(|all| all.get_mut(buffer - 1)) {
                *place = octets;
            }
            // Findings inside count octets of the decoded message: they are placed at it.
            self.found.report.absorb_counts(&inner);
            for finding in inner.findings() {
                let detail = in_decoded(finding.offset(), finding.detail());
                self.found
                    .report
                    .add(finding.kind(), offset, length, detail);
            }
        }
        if let Some(entity) = self.found.entities.get_mut(index) {
            entity.shape = shape;
        }
    }

    /// Leaves everything from `at` on as one opaque part.
    fn give_up(&mut self, at: usize, parent: usize, number: usize) {
        self.has_given_up = true;
        let length = self.source.len() - at;
        let detail = format!("more than {MAX_PARTS} parts: the rest is one part");
        self.found
            .report
            .add(Kind::LimitReached, at, length, detail);
        let depth = self
            .found
            .entities
            .get(parent)
            .map_or(0, |parent| parent.depth + 1);
        self.found.entities.push(Entity {
            buffer: self.buffer,
            parent: Some(parent),
            depth,
            number,
            header: at..at,
            body: at..self.source.len(),
            line_end: self.line_end,
            ..Entity::nothing()
        });
    }

    /// The next line from `at`, the start of a line, that separates parts of an open
    /// multipart.
    fn next_delimiter(&self, at: usize) -> Option<Delimiter> {
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
            let before = before.strip_suffix(b"\r").unwrap_or(before);
            return Some(Delimiter {
                line: line..end,
                body_end: before.len(),
                level,
                closing,
            });
        }
    }

    /// Where in `range`, which begins where a line does, the first line begins that begins with
    /// two hyphens.
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

    /// The boundary of the multipart without one whose body begins at `at`, if its first line that
    /// begins like a delimiter is followed by what a part begins with, a line of it closes the
    /// multipart, and no text stands before or behind, which would be left out.
    ///
    /// Programs forget the parameter, or a relay rewrites the field and loses it.
    fn boundary_in(&mut self, at: usize) -> Option<&'w [u8]> {
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
            let behind = text.strip_prefix(b"--")?.strip_prefix(boundary);
            if behind == Some(b"--") {
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

    /// The next line from `at`, the start of a line, that begins with two hyphens, if it comes
    /// before the next delimiter of an open multipart.
    fn next_dashes(&mut self, at: usize) -> Option<Range<usize>> {
        let limit = self.source.len().min(at.saturating_add(self.ahead));
        let found = self.dashes_in(at..limit);
        // The line end before a line is looked at with it.
        let before = found.map_or(limit, |line| line.saturating_sub(1));
        self.ahead -= before.saturating_sub(at);
        let line = found?;
        let end = line_end_after(self.source, line, self.line_end);
        self.ahead = self.ahead.saturating_sub(end - line);
        let is_delimiter = self.delimiter(self.source.get(line..end)?).is_some();
        (!is_delimiter).then_some(line..end)
    }

    /// Which open multipart a line belongs to, if it is a delimiter, and whether it closes.
    ///
    /// > delimiter := CRLF "--" boundary; close-delimiter := delimiter "--"
    ///
    /// Blanks may follow (RFC 2046, section 5.1.1, `transport-padding`). The whole line has to
    /// be the delimiter: a boundary may begin like another.
    fn delimiter(&self, line: &[u8]) -> Option<(usize, bool)> {
        let boundary = trim_end_blanks(line).strip_prefix(b"--")?;
        if let Some(level) = self.level_of(boundary) {
            return Some((level, false));
        }
        let level = self.level_of(boundary.strip_suffix(b"--")?)?;
        Some((level, true))
    }

    /// The innermost open multipart with this boundary.
    fn level_of(&self, boundary: &[u8]) -> Option<usize> {
        self.deep_boundaries.get(boundary).copied().or_else(|| {
            let few = self.open.get(..FEW_OPEN).unwrap_or(&self.open);
            few.iter().rposition(|open| open.boundary == boundary)
        })
    }

    /// Finds the end of the header at `start`, and the fields that give structure.
    fn read_header(&mut self, start: usize, header: &mut Header) {
        block::run(ReadHeader {
            walk: self,
            start,
            header,
        });
    }

    #[inline(always)]
    fn read_header_with(&mut self, start: usize, header: &mut Header, machine: impl Machine) {
        let limit = self.source.len().min(start.saturating_add(MAX_HEADER));
        let mut lines = Lines::new(self.source, start..limit, self.line_end, machine);
        loop {
            if !self.open.is_empty()
                && lines.begins_with_dashes()
                && self.is_delimiter(lines.source, lines.at)
            {
                header.cut = true;
                break;
            }
            match lines.next() {
                None => break,
                Some(Line::Junk(range)) if self.begins_part_of(header, range.clone()) => {
                    lines.end_before(range.start);
                }
                Some(Line::Junk(range)) => self.report_junk(range),
                Some(Line::Field(field)) => {
                    if self.found.fields.len() < MAX_LISTED {
                        self.found.fields.push(field.clone());
                    } else if header.unlisted.is_none() {
                        header.unlisted = Some(field.start);
                    }
                    // Those that give structure are as long as this, and begin so.
                    if let 12 | 19 | 25 = field.name_length()
                        && let Some(b'C' | b'c') = self.source.get(field.start)
                    {
                        self.note(field.name(), field.body(), field.end(), header);
                    }
                }
            }
        }
        if !lines.ended && !header.cut && lines.at >= limit && limit < self.source.len() {
            self.report_long_header(lines.at);
        }
        if lines.lacks_blank {
            self.report_no_blank(lines.at);
        }
        header.end = lines.at;
    }

    /// Whether a line that is no field is a delimiter of the very multipart whose header it stands in,
    /// for want of a blank line between them (RFC 7103, section 7.2).
    #[cold]
    fn begins_part_of(&self, header: &Header, line: Range<usize>) -> bool {
        let text = |range| self.source.get(range).map(trim_end_blanks);
        let Some(delimited) = text(line).and_then(|line| line.strip_prefix(b"--")) else {
            return false;
        };
        let content_type = header.content_type.clone();
        let content_type = content_type.and_then(|range| self.source.get(range));
        content_type.is_some_and(|content_type| {
            let (media_type, boundary) = header::type_and_boundary(content_type);
            media_type.starts_with("multipart/")
                && boundary.is_some_and(|boundary| trim_end_blanks(&boundary) == delimited)
                && !delimited.is_empty()
        })
    }

    /// Whether the line at `at` is a delimiter.
    #[inline(never)]
    fn is_delimiter(&self, source: &[u8], at: usize) -> bool {
        let end = line_end_after(source, at, self.line_end);
        self.delimiter(source.get(at..end).unwrap_or_default())
            .is_some()
    }

    /// Keeps the place of a field that gives structure.
    #[inline(never)]
    fn note(&mut self, name: Range<usize>, body: Range<usize>, end: usize, header: &mut Header) {
        let start = name.start;
        let name = self.source.get(name).unwrap_or_default();
        let first = if is_name(name, b"Content-Type") {
            &mut header.content_type
        } else if is_name(name, b"Content-Transfer-Encoding") {
            &mut header.transfer_encoding
        } else if is_name(name, b"Content-Disposition") {
            &mut header.content_disposition
        } else {
            return;
        };
        if first.is_none() {
            *first = Some(body);
        } else {
            let length = end - start;
            self.found
                .report
                .add(Kind::DuplicateField, start, length, FIRST_IS_USED);
        }
    }

    #[cold]
    fn report_junk(&mut self, line: Range<usize>) {
        let detail = "a line that is neither a field nor a fold";
        self.found
            .report
            .add(Kind::HeaderLine, line.start, line.len(), detail);
    }

    #[cold]
    fn report_no_blank(&mut self, at: usize) {
        let length = line_end_after(self.source, at, self.line_end) - at;
        let detail =
            "a line that is neither a field nor a fold ends the header, and begins the body";
        self.found.report.add(Kind::HeaderLine, at, length, detail);
    }

    #[cold]
    fn report_long_header(&mut self, end: usize) {
        let detail = format!("a header of more than {MAX_HEADER} octets: the rest is body");
        self.found.report.add(Kind::LimitReached, end, 0, detail);
    }
}

/// [`Walk::read_header`] as it is compiled for the processor.
struct ReadHeader<'r, 'w> {
    walk: &'r mut Walk<'w>,
    start: usize,
    header: &'r mut Header,
}

impl Task for ReadHeader<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run(self, machine: impl Machine) {
        self.walk.read_header_with(self.start, self.header, machine);
    }
}

/// What the walk needs of a header.
#[derive(Default)]
struct Header {
    end: usize,
    /// Whether a delimiter ended it instead of a blank line.
    cut: bool,
    /// Where the first field begins that the list is too short for.
    unlisted: Option<usize>,
    content_type: Option<Range<usize>>,
    transfer_encoding: Option<Range<usize>>,
    content_disposition: Option<Range<usize>>,
}

/// A media type that takes no grammar to tell from multiparts and messages.
enum PlainType {
    Text,
    /// `application`, `image`, and others that hold no parts.
    Octets,
}

/// What a Content-Type field begins with, where that is letters, a slash and the first letter of a
/// subtype. Most parts are neither multiparts nor messages, and to read the rest of their types took
/// 8 percent more instructions for taking messages apart.
fn plain_type(content_type: &[u8]) -> Option<PlainType> {
    let field = content_type.strip_prefix(b" ").unwrap_or(content_type);
    // Asked first, and of four octets together: the most frequent by far.
    if let [name @ .., b'/', letter] = field.first_chunk::<6>()?
        && u32::from_le_bytes(*name) | LOWER_CASE == u32::from_le_bytes(*b"text")
        && letter.is_ascii_alphabetic()
    {
        return Some(PlainType::Text);
    }
    let length = field
        .iter()
        .position(|octet| !octet.is_ascii_alphabetic())?;
    let (name, rest) = field.split_at_checked(length)?;
    let is_plain = matches!(rest, [b'/', letter, ..] if letter.is_ascii_alphabetic());
    let holds_parts =
        name.eq_ignore_ascii_case(b"multipart") || name.eq_ignore_ascii_case(b"message");
    (is_plain && length > 0 && !holds_parts).then_some(PlainType::Octets)
}

/// The bit by which small letters differ from capital ones (RFC 20), of four octets.
const LOWER_CASE: u32 = u32::from_le_bytes([b' '; 4]);

/// Whether a line holds a boundary behind its hyphens:
///
/// > boundary := 0*69<bchars> bcharsnospace
///
/// One that ends in two hyphens would rather close a multipart than begin a part.
fn is_boundary(octets: &[u8]) -> bool {
    let is_bchar = |octet: &u8| octet.is_ascii_alphanumeric() || b"'()+_,-./:=? ".contains(octet);
    (1..=70).contains(&octets.len()) && octets.iter().all(is_bchar) && !octets.ends_with(b"--")
}

/// Whether nothing is lost with what stands before the first delimiter: blank lines, or the
/// paragraph for people whose program does not know MIME, which mailers have since RFC 1341.
fn is_preamble(octets: &[u8]) -> bool {
    /// The longest in use have four lines.
    const LONGEST: usize = 400;
    let text = octets.trim_ascii();
    text.is_empty() || (text.len() <= LONGEST && names_mime(text))
}

/// Whether text says `MIME`, in whatever case: one mailer has "This is a message in Mime Format."
fn names_mime(text: &[u8]) -> bool {
    static MIME: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(b"MIME"));
    let is_it = |word: &[u8]| word.eq_ignore_ascii_case(b"MIME");
    MIME.find(text).is_some() || text.windows(4).any(is_it)
}

/// What a finding says of a field that stands again.
pub(super) const FIRST_IS_USED: &str = "the first field of this name is used";

/// What a finding says that counts octets of a message inside this one which had to be decoded, so
/// that it stands at that.
pub(super) fn in_decoded(offset: usize, detail: &str) -> String {
    format!("in the decoded message at {offset}: {detail}")
}

/// What a message/rfc822 under this encoding is. Its body ends somewhere in `body`.
fn shape_of_message(body: &[u8], encoding: TransferEncoding) -> Shape {
    let is_undone = matches!(
        encoding,
        TransferEncoding::Base64 | TransferEncoding::QuotedPrintable
    );
    if is_undone && !stands_plain(body, encoding) {
        Shape::EncodedMessage
    } else {
        Shape::Message
    }
}

/// Whether the body of a message/rfc822 is the message as it stands, whatever transfer encoding its field
/// names: one that it may not have (RFC 2045, section 6.4), and that often is of what is inside. No
/// base64 has a colon, and in quoted-printable each equals sign is followed by two digits or the end of
/// its line, which those of MIME's parameters are not.
pub(super) fn stands_plain(body: &[u8], encoding: TransferEncoding) -> bool {
    match encoding {
        TransferEncoding::Base64 => field_name(body).is_some(),
        TransferEncoding::QuotedPrintable => field_name(body).is_some() && has_parameter(body),
        _ => false,
    }
}

/// Whether the header that octets begin with has a parameter as quoted-printable would not write it. No
/// other equals sign tells: one of an encoded word goes where the word is converted.
fn has_parameter(octets: &[u8]) -> bool {
    let header = octets.get(..MAX_HEADER).unwrap_or(octets);
    let lines = header.split_inclusive(|&octet| octet == b'\n');
    let mut lines = lines.take_while(|line| !trim_end_blanks(line).is_empty());
    let is_plain = |behind: &[u8]| match behind {
        [b'?', ..] | [b'\r', b'\n'] | [] | [_] => false,
        [first, second, ..] => !(first.is_ascii_hexdigit() && second.is_ascii_hexdigit()),
    };
    let mut is_mime = false;
    lines.any(|line| {
        let is_fold = matches!(line, [b' ' | b'\t', ..]);
        is_mime = (is_fold && is_mime) || begins_mime_field(line);
        let mut signs = memchr_iter(b'=', line).filter(|_| is_mime);
        signs.any(|at| line.get(at + 1..).is_some_and(is_plain))
    })
}

/// Whether a line begins like the fields that MIME has brought (RFC 2045, section 3).
fn begins_mime_field(line: &[u8]) -> bool {
    let name = line.get(.."Content-".len());
    name.is_some_and(|name| name.eq_ignore_ascii_case(b"Content-"))
}

/// Without blanks and line ends at the end.
fn trim_end_blanks(octets: &[u8]) -> &[u8] {
    let end = octets
        .iter()
        .rposition(|octet| !matches!(octet, b' ' | b'\t' | b'\r' | b'\n'));
    octets
        .get(..end.map_or(0, |last| last + 1))
        .unwrap_or_default()
}
