//! Walks over a message and finds its parts (RFC 2046, section 5.1).

use std::borrow::Cow;
use std::ops::Range;

use super::delimiter::{Delimiters, is_preamble};
use super::embedded::shape_of_message;
use super::entity::{Entity, EntityShape, default_type};
use super::header_block;
use super::limits::{MAX_DEPTH, MAX_ENCODED_DEPTH, MAX_PARTS};
use super::line::trim_end_blanks;
use super::lines::FieldRange;
use super::wide::utf16_message;
use crate::header;
use crate::report::{Kind, Report};
use crate::transfer::{self, TransferEncoding};
use crate::vector::fetch;

/// The entities of a message and their fields.
pub(super) struct WalkResult {
    /// Decoded bodies of embedded messages that had a transfer encoding, or the message itself in UTF-8
    /// if it is UTF-16 (rare).
    #[expect(
        clippy::box_collection,
        reason = "the value is moved several times, and is smaller with the box"
    )]
    pub(super) decoded: Option<Box<Vec<Vec<u8>>>>,
    pub(super) entities: Vec<Entity>,
    /// The first fields of the headers, in the order of the walk.
    pub(super) fields: Vec<FieldRange>,
    pub(super) report: Report,
}

impl WalkResult {
    /// Walks over a whole message.
    pub(super) fn of(source: &[u8]) -> Self {
        /// The fields of a typical message, including its parts.
        const FIELDS: usize = 40;
        /// Typical message: multipart, plain text, HTML, one attachment.
        const ENTITIES: usize = 4;
        /// Above this many entities, give back unused capacity.
        const MANY: usize = 1024;
        fetch(source);
        let mut found = WalkResult {
            decoded: None,
            entities: Vec::with_capacity(ENTITIES),
            fields: Vec::with_capacity(FIELDS),
            report: Report::new(),
        };
        if let Some(octets) = utf16_message(source) {
            let detail = "a message that is UTF-16 as a whole";
            found.report.add(Kind::BomRemoved, 0, source.len(), detail);
            found.walk_decoded(octets, None, 0, &(0..source.len()));
        } else {
            Walk::new(source, &mut found).run();
        }
        if found.entities.len() > MANY {
            found.entities.shrink_to_fit();
            found.fields.shrink_to_fit();
        }
        found
    }

    /// Walks a decoded message, which becomes the content of the entity `root`, and keeps its
    /// octets. Findings are reported at `place`, the range from which the message was decoded.
    fn walk_decoded(
        &mut self,
        octets: Vec<u8>,
        root: Option<usize>,
        encoded_depth: usize,
        place: &Range<usize>,
    ) {
        let outer = std::mem::take(&mut self.report);
        let decoded = self.decoded.get_or_insert_default();
        decoded.push(Vec::new());
        let buffer = decoded.len();
        let mut walk = Walk::new(&octets, self);
        walk.buffer = buffer;
        walk.root = root;
        walk.encoded_depth = encoded_depth;
        walk.run();
        let inner = std::mem::replace(&mut self.report, outer);
        let decoded = self.decoded.as_mut();
        if let Some(slot) = decoded.and_then(|all| all.get_mut(buffer - 1)) {
            *slot = octets;
        }
        // Offsets of these findings are into the decoded message.
        self.report.absorb_counts(&inner);
        for finding in inner.findings() {
            let detail = in_decoded(finding.offset(), finding.detail());
            self.report
                .add(finding.kind(), place.start, place.len(), detail);
        }
    }
}

/// The walk over one buffer.
struct Walk<'w> {
    source: &'w [u8],
    delimiters: Delimiters<'w>,
    buffer: usize,
    /// The entity that contains the buffer's message.
    root: Option<usize>,
    /// The number of enclosing messages with a transfer encoding.
    encoded_depth: usize,
    /// The innermost entity whose body has not ended. Its ancestors have not ended either.
    unfinished: Option<usize>,
    /// Whether a limit ended the walk before the end of the message.
    hit_limit: bool,
    found: &'w mut WalkResult,
}

impl<'w> Walk<'w> {
    fn new(source: &'w [u8], found: &'w mut WalkResult) -> Self {
        Walk {
            source,
            delimiters: Delimiters::new(source),
            buffer: 0,
            root: None,
            encoded_depth: 0,
            unfinished: None,
            hit_limit: false,
            found,
        }
    }

    fn run(mut self) {
        let mut at = self.begin(0, self.root, 1);
        // Start of the text after a closing delimiter, which is in no part.
        let mut closed = None;
        loop {
            let next = self.delimiters.next(at);
            let end = next.as_ref().map(|it| (it.level + 1, it.line.start));
            let (level, end) = end.unwrap_or((0, self.source.len()));
            if self.delimiters.depth() > level
                && let Some(body) = self.repair_boundary(end)
            {
                at = body;
                continue;
            }
            let Some(delimiter) = next else {
                break;
            };
            if let Some(start) = closed.take() {
                self.report_outside(start..delimiter.body_end);
            }
            // Multiparts nested deeper end here without their closing delimiter.
            while self.delimiters.depth() > delimiter.level + 1 {
                self.close(Some(delimiter.line.start));
            }
            let Some(multipart) = self.delimiters.innermost() else {
                break;
            };
            multipart.parts += usize::from(!delimiter.closing);
            let (parent, number) = (multipart.entity, multipart.parts);
            if number == 1 && !delimiter.closing {
                self.report_preamble(parent, delimiter.body_end);
            }
            while self.unfinished.is_some_and(|entity| entity != parent) {
                self.finish(delimiter.body_end, Some(parent));
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
        while self.delimiters.depth() > 0 {
            self.close(Some(self.source.len()));
        }
        while self.unfinished.is_some() {
            self.finish(self.source.len(), None);
        }
    }

    fn add(&mut self, kind: Kind, place: &Range<usize>, detail: impl Into<Cow<'static, str>>) {
        let report = &mut self.found.report;
        report.add(kind, place.start, place.len(), detail);
    }

    /// Reports the text before the first part of a multipart, up to `end`, unless it is the note for
    /// programs without MIME.
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
        let place = start..start + text.trim_ascii_end().len();
        let detail = "text of a multipart outside its parts";
        self.add(Kind::OutsideParts, &place, detail);
    }

    /// Parses the header at `at` and adds its entity. If the body is a message, parses its header
    /// and adds its entity too, and so on. Returns the offset from which to search for the next
    /// delimiter.
    fn begin(&mut self, at: usize, parent: Option<usize>, number: usize) -> usize {
        let (mut at, mut parent, mut number) = (at, parent, number);
        // Whether this is the header of a message, not of a part of a multipart.
        let mut is_message = at == 0;
        loop {
            let found = &mut *self.found;
            let first = found.fields.len();
            let outer = parent.and_then(|parent| found.entities.get(parent));
            let index = found.entities.len();
            let mut entity = Entity {
                buffer: self.buffer,
                parent,
                depth: outer.map_or(0, |outer| outer.depth + 1),
                number,
                header: at..at,
                line_end: self.delimiters.line_end,
                ..Entity::default()
            };
            let in_digest = outer.is_some_and(|outer| outer.digest);
            let (fields, report) = (&mut found.fields, &mut found.report);
            let is_cut =
                header_block::read(&mut entity, is_message, &self.delimiters, fields, report);
            entity.listed = first..found.fields.len();
            let end = entity.header.end;
            entity.body = end..self.source.len();
            self.shape(&mut entity, in_digest);
            let enter = entity.shape == EntityShape::Message;
            self.found.entities.push(entity);
            self.unfinished = Some(index);
            if !enter || is_cut {
                return end;
            }
            if self.found.entities.len() >= MAX_PARTS {
                self.give_up(end, index, 1);
                return self.source.len();
            }
            (at, parent, number) = (end, Some(index), 1);
            is_message = true;
        }
    }

    /// Determines the structure of the entity, and opens it if it is a multipart.
    fn shape(&mut self, entity: &mut Entity, in_digest: bool) {
        let (media_type, boundary) = match self.field(entity.content_type.as_ref()) {
            None => (Cow::Borrowed(default_type(in_digest)), None),
            Some(content_type) => {
                if let Some(is_text) = plain_type(content_type) {
                    entity.is_text = is_text;
                    return;
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
        if entity.depth >= MAX_DEPTH {
            entity.shape = EntityShape::Opaque;
            let detail = format!("parts nested more than {MAX_DEPTH} deep");
            self.add(Kind::LimitReached, &entity.header, detail);
            return;
        }
        let encoding = self.transfer_encoding(entity);
        // RFC 6532, section 3.7, allows message/global to be encoded.
        if !encoding.is_identity() && media_type != "message/global" {
            let place = entity.transfer_encoding.clone().unwrap_or_default();
            let detail = format!("{media_type} in {encoding}");
            self.add(Kind::TransferEncodingForbidden, &place, detail);
        }
        if message {
            let body = self.source.get(entity.body.start..).unwrap_or_default();
            entity.shape = shape_of_message(body, encoding);
            return;
        }
        entity.shape = match self.boundary(boundary, entity) {
            None => EntityShape::Undivided,
            Some(boundary) => {
                let index = self.found.entities.len();
                self.delimiters.open(index, boundary);
                EntityShape::Multipart
            }
        };
        entity.digest = entity.shape == EntityShape::Multipart && media_type == "multipart/digest";
    }

    fn field(&self, range: Option<&Range<usize>>) -> Option<&'w [u8]> {
        Some(self.source.get(range?.clone()).unwrap_or_default())
    }

    fn transfer_encoding(&self, entity: &Entity) -> TransferEncoding {
        let field = self.field(entity.transfer_encoding.as_ref());
        let encoding = field.map(|body| header::content_transfer_encoding(body).encoding());
        encoding.unwrap_or_default()
    }

    /// The boundary of a multipart, from its Content-Type or else inferred from its body.
    fn boundary(
        &mut self,
        declared: Option<Cow<'w, [u8]>>,
        entity: &Entity,
    ) -> Option<Cow<'w, [u8]>> {
        let trimmed = declared.map(|boundary| match boundary {
            Cow::Borrowed(boundary) => Cow::Borrowed(trim_end_blanks(boundary)),
            Cow::Owned(boundary) => Cow::Owned(trim_end_blanks(&boundary).to_vec()),
        });
        if let Some(boundary) = trimmed.filter(|boundary| !boundary.is_empty()) {
            return Some(boundary);
        }
        let found = self.delimiters.boundary_in(entity.body.start);
        let detail = match found {
            Some(found) => Cow::Owned(inferred_boundary_detail(found)),
            None => Cow::Borrowed("read as one text part"),
        };
        self.add(Kind::MissingBoundary, &entity.header, detail);
        found.map(Cow::Borrowed)
    }

    /// Replaces the boundary of the innermost open multipart if it does not occur before `end`. Returns
    /// the start of its body, which is then split again.
    #[inline]
    fn repair_boundary(&mut self, end: usize) -> Option<usize> {
        let multipart = self.delimiters.innermost()?;
        if multipart.parts > 0 {
            return None;
        }
        let entity = self.found.entities.get(multipart.entity)?;
        let (header, start) = (entity.header.clone(), entity.body.start);
        let found = self.delimiters.replace_boundary(start..end)?;
        self.add(
            Kind::MissingBoundary,
            &header,
            inferred_boundary_detail(found),
        );
        Some(start)
    }

    /// Ends the innermost open multipart, at its closing delimiter or unclosed at `unclosed_at`.
    fn close(&mut self, unclosed_at: Option<usize>) {
        let Some((index, parts)) = self.delimiters.close() else {
            return;
        };
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        if parts == 0 {
            // Without a delimiter there are no parts: the whole body is one part.
            entity.shape = EntityShape::Undivided;
            let header = entity.header.clone();
            let detail = match unclosed_at {
                Some(_) => "the boundary never occurs: read as one text part",
                None => "only a closing delimiter: read as one text part",
            };
            self.add(Kind::EmptyMultipart, &header, detail);
        } else if let Some(at) = unclosed_at.filter(|_| !self.hit_limit) {
            self.add(Kind::UnclosedMultipart, &(at..at), "");
        }
    }

    /// Ends the body of the innermost unfinished entity, before a delimiter of `multipart` if one follows.
    fn finish(&mut self, end: usize, multipart: Option<usize>) {
        let Some(index) = self.unfinished.take() else {
            return;
        };
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        self.unfinished = entity.parent.filter(|_| entity.parent != self.root);
        let (parent, header) = (entity.parent, entity.header.clone());
        // The line end before a delimiter belongs to the delimiter (RFC 2046, section 5.1.1). So
        // the last line of an entity inside a part has no line end.
        let outer = parent.filter(|_| parent != multipart && end < header.end);
        if let Some(outer) = outer.and_then(|outer| self.found.entities.get(outer)) {
            self.cut_header(index, end.max(outer.body.start));
        }
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        entity.body.end = end.clamp(entity.body.start, self.source.len());
        if entity.shape == EntityShape::EncodedMessage {
            let entity = entity.clone();
            self.enter_encoded(index, &entity);
        }
    }

    /// Truncates a header that extends beyond `end`, and its last field.
    fn cut_header(&mut self, index: usize, end: usize) {
        let Some(entity) = self.found.entities.get_mut(index) else {
            return;
        };
        entity.header = entity.header.start.min(end)..end;
        entity.body = end..end;
        entity.unlisted = entity.unlisted.min(end);
        let fields = self.found.fields.get_mut(entity.listed.clone());
        if let Some(last) = fields.and_then(<[FieldRange]>::last_mut) {
            last.cut(end);
        }
        // The entities inside had no octets. Move them to the new end.
        let inside = self.found.entities.get_mut(index + 1..);
        for inner in inside.unwrap_or_default() {
            inner.header = end..end;
            inner.body = end..end;
            inner.unlisted = end;
        }
    }

    /// Decodes the body of an entity with a transfer encoding, and walks the message in it.
    fn enter_encoded(&mut self, index: usize, entity: &Entity) {
        let place = entity.body.clone();
        let mut shape = EntityShape::Leaf;
        if self.encoded_depth >= MAX_ENCODED_DEPTH || self.found.entities.len() >= MAX_PARTS {
            let detail = "an encoded message, not parsed";
            self.add(Kind::LimitReached, &place, detail);
        } else {
            shape = EntityShape::Message;
            let body = self.source.get(place.clone()).unwrap_or_default();
            let undone = transfer::decode(body, self.transfer_encoding(entity));
            let report = undone.report().clone();
            self.found.report.absorb(report, place.start);
            let octets = undone.into_octets().into_owned();
            let depth = self.encoded_depth + 1;
            self.found.walk_decoded(octets, Some(index), depth, &place);
        }
        if let Some(entity) = self.found.entities.get_mut(index) {
            entity.shape = shape;
        }
    }

    /// Makes everything from `at` on one opaque part.
    fn give_up(&mut self, at: usize, parent: usize, number: usize) {
        self.hit_limit = true;
        let rest = at..self.source.len();
        let detail = format!("more than {MAX_PARTS} parts: the rest is one part");
        self.add(Kind::LimitReached, &rest, detail);
        let outer = self.found.entities.get(parent);
        let depth = outer.map_or(0, |outer| outer.depth + 1);
        self.found.entities.push(Entity {
            buffer: self.buffer,
            parent: Some(parent),
            depth,
            number,
            shape: EntityShape::Opaque,
            header: at..at,
            unlisted: at,
            body: rest,
            line_end: self.delimiters.line_end,
            ..Entity::default()
        });
    }
}

/// Fast path: whether the media type is text. `None` if it is unclear, or may be a multipart or a message.
///
/// The type is clear if the Content-Type field begins with letters, a slash and the first letter of a
/// subtype. Most parts are neither multiparts nor messages, and parsing all of their Content-Type fields
/// took 8 percent more instructions for the walk.
fn plain_type(content_type: &[u8]) -> Option<bool> {
    let field = content_type.strip_prefix(b" ").unwrap_or(content_type);
    let length = field
        .iter()
        .position(|octet| !octet.is_ascii_alphabetic())?;
    let (name, rest) = field.split_at_checked(length)?;
    let is = |it: &str| name.eq_ignore_ascii_case(it.as_bytes());
    let is_plain = matches!(rest, [b'/', letter, ..] if letter.is_ascii_alphabetic());
    // `plain/text` is text (`header/content_type.rs`).
    let needs_parser = ["multipart", "message", "plain", "html"]
        .into_iter()
        .any(is);
    (is_plain && length > 0 && !needs_parser).then(|| is("text"))
}

/// The detail of a finding about an inferred boundary.
fn inferred_boundary_detail(boundary: &[u8]) -> String {
    let line = String::from_utf8_lossy(boundary);
    format!("split at the lines --{line} of its body")
}

/// The detail of a finding inside a decoded message. The offset counts octets of the decoded
/// message, so the finding is reported at the range of the encoded body.
pub(super) fn in_decoded(offset: usize, detail: &str) -> String {
    format!("in the decoded message at {offset}: {detail}")
}
