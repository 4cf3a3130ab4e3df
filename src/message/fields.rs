//! The fields of a header, in order or by name.

use std::iter::FusedIterator;
use std::ops::Range;
use std::{slice, vec};

use memchr::memrchr;

use super::entity::Entity;
use super::field::Field;
use super::line::{is_blank, line_end_after};
use super::lines::{FieldRange, HeaderLines};
use super::parse::Message;
use super::part::Part;
use crate::decode::{Addresses, FieldText};
use crate::header::{self, Date};
use crate::vector::{self, Machine, Portable, Task};

impl Message<'_> {
    /// The message's own fields, in order; lines that are not fields are in the
    /// [`report`](Message::report).
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"From: Kim <kim@example.org>\n\
    ///       To: lee@example.org, Park <park@example.org>\n\
    ///       Subject: =?euc-kr?B?x9Gxub7u?=\n\
    ///       Received: by b\nReceived: by a\n\n",
    /// );
    /// assert_eq!(message.subject().unwrap().as_str(), "한국어");
    /// assert_eq!(message.from().unwrap().list[0].to_string(), "Kim <kim@example.org>");
    /// let to = message.to().unwrap();
    /// let to: Vec<_> = to.mailboxes().map(|mailbox| &*mailbox.address).collect();
    /// assert_eq!(to, ["lee@example.org", "park@example.org"]);
    ///
    /// assert_eq!(message.fields().next().unwrap().name(), b"From");
    /// assert_eq!(message.field("received").unwrap().text().as_str(), "by b");
    /// let last = message.root().fields_named("received").next_back().unwrap();
    /// assert_eq!(last.text().as_str(), "by a");
    /// ```
    #[must_use]
    pub fn fields(&self) -> impl DoubleEndedIterator<Item = Field<'_>> + FusedIterator + Clone {
        self.root().fields()
    }

    /// The message's first field of this name; ASCII case is ignored.
    #[must_use]
    pub fn field(&self, name: impl AsRef<[u8]>) -> Option<Field<'_>> {
        self.root().field(name)
    }

    /// The text of the first Subject field, with default [`Options`](crate::Options).
    #[must_use]
    pub fn subject(&self) -> Option<FieldText<'_>> {
        Some(self.field("Subject")?.text())
    }

    /// The mailboxes and groups of the first From field, with default [`Options`](crate::Options).
    #[must_use]
    pub fn from(&self) -> Option<Addresses<'_>> {
        Some(self.field("From")?.addresses())
    }

    /// The mailboxes and groups of the first To field, with default [`Options`](crate::Options).
    #[must_use]
    pub fn to(&self) -> Option<Addresses<'_>> {
        Some(self.field("To")?.addresses())
    }

    /// The date of the first Date field: the time at which the author finished the message (RFC
    /// 5322, section 3.6.1). `None` without such a field or with an impossible date.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"Received: from a by b;\n  Thu, 4 Mar 1999 10:00:07 +0100 (CET)\n\
    ///       Received: from c by a (d; e); Thu, 4 Mar 1999 09:59:58 +0100\n\
    ///       Date: Thu Mar  4 10:00:00 1999\n\n",
    /// );
    /// assert_eq!(message.date().unwrap().to_string(), "1999-03-04T10:00:00-00:00");
    /// assert_eq!(message.received_date().unwrap().to_string(), "1999-03-04T10:00:07+01:00");
    /// ```
    #[must_use]
    pub fn date(&self) -> Option<Date> {
        self.field("Date")?.date()
    }

    /// The date of the first Received field, which the last host added (RFC 5322, section 3.6.7):
    /// the text after its last semicolon outside comments. `None` if that text is not a date.
    #[must_use]
    pub fn received_date(&self) -> Option<Date> {
        self.field("Received")?.parse_date(header::received_date)
    }
}

impl<'m> Part<'m> {
    /// The fields of the header, in order.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Comments: one\nSubject: x\ncomments: two\n\n");
    /// let part = message.root();
    /// assert_eq!(part.fields().count(), 3);
    /// assert_eq!(part.fields().next_back().unwrap().body(), b" two");
    /// assert_eq!(part.field("subject").unwrap().body(), b" x");
    /// let comments: Vec<_> = part.fields_named("Comments").map(|field| field.body()).collect();
    /// assert_eq!(comments, [b" one", b" two"]);
    /// ```
    #[must_use]
    pub fn fields(self) -> impl DoubleEndedIterator<Item = Field<'m>> + FusedIterator + Clone {
        let entity = self.entity();
        let listed = self.message.found.fields.get(entity.listed.clone());
        Fields {
            part: self,
            buffer: self.buffer(),
            listed: listed.unwrap_or_default().iter(),
            reparsed: Vec::new().into_iter(),
            unlisted: entity.unlisted..entity.header.end,
        }
    }

    /// The first field of this name, given as text or octets; ASCII case is ignored.
    #[must_use]
    pub fn field(self, name: impl AsRef<[u8]>) -> Option<Field<'m>> {
        self.first_named(name.as_ref())
    }

    /// Not generic, so that one copy serves names of any type.
    #[inline(never)]
    fn first_named(self, name: &[u8]) -> Option<Field<'m>> {
        self.fields().find(|field| field.is_named(name))
    }

    /// The fields of this name, in order; ASCII case is ignored (RFC 5322, section 1.2.2).
    pub fn fields_named<'n>(
        self,
        name: &'n (impl AsRef<[u8]> + ?Sized),
    ) -> impl DoubleEndedIterator<Item = Field<'m>> + FusedIterator + Clone {
        let name = name.as_ref();
        self.fields().filter(move |field| field.is_named(name))
    }
}

/// The fields of a header, in order.
#[derive(Clone)]
struct Fields<'m> {
    part: Part<'m>,
    buffer: &'m [u8],
    listed: slice::Iter<'m, FieldRange>,
    /// Fields beyond the limit of the message's list, parsed again in batches.
    reparsed: vec::IntoIter<FieldRange>,
    /// The octets that are still to be parsed again.
    unlisted: Range<usize>,
}

/// The number of fields that are parsed again in one batch.
const BATCH: usize = 32;

impl<'m> Fields<'m> {
    fn field(&self, range: FieldRange) -> Field<'m> {
        Field {
            part: self.part,
            buffer: self.buffer,
            range,
        }
    }

    fn next_unlisted(&mut self) -> Option<FieldRange> {
        if self.reparsed.len() == 0 && !self.unlisted.is_empty() {
            self.reparsed = vector::run(ReparseFields { fields: self }).into_iter();
        }
        self.reparsed.next()
    }

    fn last_unlisted(&mut self) -> Option<FieldRange> {
        while !self.unlisted.is_empty() {
            let start = self.last_line();
            self.unlisted.end = start;
            let Entity {
                header, line_end, ..
            } = self.part.entity();
            let mut lines = HeaderLines::new(self.buffer, header.clone(), *line_end, Portable);
            lines.at = start;
            if let Some(field) = lines.whole_field() {
                return Some(field);
            }
        }
        self.reparsed.next_back()
    }

    /// The start of the last line to be parsed again. A line includes its folds.
    fn last_line(&self) -> usize {
        let Range { start, mut end } = self.unlisted;
        let line_end = self.part.entity().line_end;
        let starts_before = |end: usize| {
            let before = self.buffer.get(start..end.checked_sub(1)?)?;
            Some(start + memrchr(line_end, before)? + 1)
        };
        while let Some(line) = starts_before(end) {
            if !self.buffer.get(line).is_some_and(|&octet| is_blank(octet)) {
                return line;
            }
            end = line;
        }
        start
    }
}

/// Parses the next batch of fields that are not listed.
struct ReparseFields<'r, 'm> {
    fields: &'r mut Fields<'m>,
}

impl Task for ReparseFields<'_, '_> {
    type Output = Vec<FieldRange>;

    #[expect(
        clippy::inline_always,
        reason = "code that a machine runs is compiled for the processor"
    )]
    #[inline(always)]
    fn run(self, machine: impl Machine) -> Vec<FieldRange> {
        let Fields {
            part,
            buffer,
            unlisted,
            ..
        } = self.fields;
        let Entity {
            header, line_end, ..
        } = part.entity();
        let mut lines = HeaderLines::new(buffer, header.clone(), *line_end, machine);
        lines.at = unlisted.start;
        let mut found = Vec::with_capacity(BATCH);
        // The end of the header is known, so lines that are not fields belong to it too.
        while found.len() < BATCH && lines.at < unlisted.end {
            match lines.whole_field() {
                Some(field) => found.push(field),
                None => lines.at = line_end_after(buffer, lines.at, *line_end),
            }
        }
        unlisted.start = lines.at;
        found
    }
}

impl<'m> Iterator for Fields<'m> {
    type Item = Field<'m>;

    fn next(&mut self) -> Option<Field<'m>> {
        let range = match self.listed.next() {
            Some(range) => *range,
            None => self.next_unlisted()?,
        };
        Some(self.field(range))
    }

    // One loop per list costs less than a test per field.
    fn fold<B, F: FnMut(B, Field<'m>) -> B>(mut self, init: B, mut with: F) -> B {
        let listed = std::mem::take(&mut self.listed);
        let mut all = listed.fold(init, |all, range| with(all, self.field(*range)));
        while let Some(range) = self.next_unlisted() {
            all = with(all, self.field(range));
        }
        all
    }
}

impl<'m> DoubleEndedIterator for Fields<'m> {
    fn next_back(&mut self) -> Option<Field<'m>> {
        let range = match self.last_unlisted() {
            Some(range) => range,
            None => *self.listed.next_back()?,
        };
        Some(self.field(range))
    }
}

impl FusedIterator for Fields<'_> {}
