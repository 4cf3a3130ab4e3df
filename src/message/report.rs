//! The findings about the structure of a message, and about repeated fields that may occur only once
//! (RFC 5322, section 3.6).

use std::ops::Range;
use std::{fmt, mem};

use super::Message;
use super::header_block::FIRST_IS_USED;
use super::part::Part;
use super::walk::in_decoded;
use crate::report::{Kind, Report};

impl Message<'_> {
    /// The findings about the structure, and about repeated fields that may occur only once. Offsets
    /// count octets of the message.
    #[must_use]
    pub fn report(&self) -> &Report {
        let whole = self.cache.report.get_or_init(|| {
            let mut repeated = Report::new();
            report_repeated(self, &mut repeated);
            (!repeated.is_empty()).then(|| {
                let mut whole = self.found.report.clone();
                whole.absorb(repeated, 0);
                Box::new(whole)
            })
        });
        whole.as_deref().unwrap_or(&self.found.report)
    }
}

/// The numbers of octets, entities and findings: the octets may be many megabytes.
impl fmt::Debug for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("octets", &self.source().len())
            .field("entities", &self.found.entities.len())
            .field("findings", &self.report().count())
            .finish_non_exhaustive()
    }
}

/// > The following table indicates limits on the number of times each field may occur in the header
/// > section of a message: orig-date 1, from 1, sender 0*1, reply-to 0*1, to 0*1, cc 0*1, bcc 0*1,
/// > message-id 0*1, in-reply-to 0*1, references 0*1, subject 0*1.
///
/// The walk reports repeated MIME fields.
const ONCE: [&[u8]; 11] = [
    b"Date",
    b"From",
    b"Sender",
    b"Reply-To",
    b"To",
    b"Cc",
    b"Bcc",
    b"Message-ID",
    b"In-Reply-To",
    b"References",
    b"Subject",
];

/// Reports repeated fields that may occur only once, in the header of the message and of each message
/// inside it.
fn report_repeated(message: &Message<'_>, report: &mut Report) {
    let is_message = |entity: &Part<'_>| entity.parent().is_none_or(Part::is_message);
    for entity in message.entities().filter(is_message) {
        let mut seen = [false; ONCE.len()];
        for field in entity.fields() {
            let has_name = |name: &&[u8]| name.eq_ignore_ascii_case(field.name());
            let Some(index) = ONCE.iter().position(has_name) else {
                continue;
            };
            let Some(seen) = seen.get_mut(index) else {
                continue;
            };
            if !mem::replace(seen, true) {
                continue;
            }
            if let Some(range) = field.range() {
                report.add(
                    Kind::DuplicateField,
                    range.start,
                    range.len(),
                    FIRST_IS_USED,
                );
            } else if let Some(body) = enclosing_body(entity) {
                let detail = in_decoded(field.body_offset(), FIRST_IS_USED);
                report.add(Kind::DuplicateField, body.start, body.len(), detail);
            }
        }
    }
}

/// The range of the body that had to be decoded to find the entity.
fn enclosing_body(entity: Part<'_>) -> Option<Range<usize>> {
    let outer = std::iter::successors(entity.parent(), |part| part.parent());
    outer.into_iter().find_map(Part::body_range)
}
