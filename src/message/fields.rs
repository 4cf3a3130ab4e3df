//! The fields of a header, one after another or those of a name.

use std::iter::FusedIterator;
use std::{slice, vec};

use super::field::Field;
use super::lines::{FieldRange, Line, Lines, is_name};
use super::parse::Message;
use super::part::Part;
use crate::charset::block::{self, Machine, Task};

impl Message<'_> {
    /// The message's own fields, in order; lines that are no fields are in the
    /// [`report`](Message::report).
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Subject: x\nTo: y\n\n");
    /// assert_eq!(message.fields().next().unwrap().name(), b"Subject");
    /// assert_eq!(message.field("to").unwrap().text().as_str(), "y");
    /// ```
    #[must_use]
    pub fn fields(&self) -> Fields<'_> {
        self.root().fields()
    }

    /// The message's first field of this name, which is compared without regard to case.
    #[must_use]
    pub fn field(&self, name: impl AsRef<[u8]>) -> Option<Field<'_>> {
        self.root().field(name)
    }

    /// The message's fields of this name: what [`Part::fields_named`] gives of the
    /// [`root`](Message::root).
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Received: by b\nReceived: by a\nSubject: x\n\n");
    /// let last = message.fields_named("received").last().unwrap();
    /// assert_eq!(last.text().as_str(), "by a");
    /// ```
    #[must_use]
    pub fn fields_named<'m, 'n>(
        &'m self,
        name: &'n (impl AsRef<[u8]> + ?Sized),
    ) -> FieldsNamed<'m, 'n> {
        self.root().fields_named(name)
    }
}

impl<'m> Part<'m> {
    /// The fields of the header, in order.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Content-Type: text/html\nContent-ID: <a@b>\n\n");
    /// let part = message.root();
    /// assert_eq!(part.fields().count(), 2);
    /// assert_eq!(part.field("content-id").unwrap().body(), b" <a@b>");
    /// ```
    #[must_use]
    pub fn fields(self) -> Fields<'m> {
        let listed = self.message.found.fields.get(self.entity().listed.clone());
        Fields {
            part: self,
            buffer: self.buffer(),
            listed: listed.unwrap_or_default().iter(),
            again: Vec::new().into_iter(),
            unlisted: self.entity().unlisted,
        }
    }

    /// The first field of this name, which is compared without regard to case. A name is text or octets,
    /// as [`Field::name`] gives it.
    #[must_use]
    pub fn field(self, name: impl AsRef<[u8]>) -> Option<Field<'m>> {
        self.first_named(name.as_ref())
    }

    /// One copy of the search serves names of any type.
    #[inline(never)]
    fn first_named(self, name: &[u8]) -> Option<Field<'m>> {
        self.fields_named(name).next()
    }

    /// The fields of this name, in order; it is compared without regard to case (RFC 5322, section
    /// 1.2.2).
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(b"Comments: one\nSubject: x\ncomments: two\n\n");
    /// let comments = message.root().fields_named("Comments");
    /// let texts: Vec<_> = comments.map(|field| field.text().into_text()).collect();
    /// assert_eq!(texts, ["one", "two"]);
    /// ```
    #[must_use]
    pub fn fields_named<'n>(self, name: &'n (impl AsRef<[u8]> + ?Sized)) -> FieldsNamed<'m, 'n> {
        FieldsNamed {
            fields: self.fields(),
            name: name.as_ref(),
        }
    }
}

/// The fields of a header, in order; made by [`Part::fields`] and [`Message::fields`].
///
/// ```
/// use mime_charset::{Message, message::Fields};
///
/// let message = Message::parse(b"Subject: x\nFrom: y\n\n");
/// let fields: Fields<'_> = message.fields();
/// let names: Vec<_> = fields.map(|field| field.name()).collect();
/// assert_eq!(names, [&b"Subject"[..], b"From"]);
/// ```
#[derive(Clone)]
pub struct Fields<'m> {
    part: Part<'m>,
    buffer: &'m [u8],
    listed: slice::Iter<'m, FieldRange>,
    /// Those that found no place in the message's list are read again, once they are reached, some
    /// at a time; and where the next of them begins.
    again: vec::IntoIter<FieldRange>,
    unlisted: usize,
}

/// How many fields are read again at a time.
const AT_ONCE: usize = 32;

impl<'m> Fields<'m> {
    fn field(&self, range: FieldRange) -> Field<'m> {
        Field {
            part: self.part,
            buffer: self.buffer,
            range,
        }
    }

    fn next_unlisted(&mut self) -> Option<FieldRange> {
        if self.again.len() == 0 && self.unlisted < self.part.entity().header.end {
            self.again = block::run(ReadAgain { fields: self }).into_iter();
        }
        self.again.next()
    }
}

/// The next fields of a header that are in no list.
struct ReadAgain<'r, 'm> {
    fields: &'r mut Fields<'m>,
}

impl Task for ReadAgain<'_, '_> {
    type Output = Vec<FieldRange>;

    #[expect(
        clippy::inline_always,
        reason = "what a machine runs is compiled for the processor"
    )]
    #[inline(always)]
    fn run(self, machine: impl Machine) -> Vec<FieldRange> {
        let part = self.fields.part;
        let entity = part.entity();
        let header = entity.header.clone();
        let mut lines = Lines::new(self.fields.buffer, header, entity.line_end, machine);
        lines.at = self.fields.unlisted;
        let mut found = Vec::with_capacity(AT_ONCE);
        while found.len() < AT_ONCE {
            match lines.next() {
                None => {
                    lines.at = entity.header.end;
                    break;
                }
                Some(Line::Field(field)) => found.push(field),
                Some(Line::Junk(_)) => {}
            }
        }
        self.fields.unlisted = lines.at;
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

    // Which list a field is in is asked once, not of each.
    fn fold<B, F: FnMut(B, Field<'m>) -> B>(mut self, init: B, mut with: F) -> B {
        let listed = std::mem::take(&mut self.listed);
        let mut all = listed.fold(init, |all, range| with(all, self.field(*range)));
        while let Some(range) = self.next_unlisted() {
            all = with(all, self.field(range));
        }
        all
    }
}

impl FusedIterator for Fields<'_> {}

impl std::fmt::Debug for Fields<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}

/// The fields of one name, in order; made by [`Part::fields_named`] and [`Message::fields_named`].
///
/// ```
/// use mime_charset::{Message, message::FieldsNamed};
///
/// let message = Message::parse(b"To: a@example.org\nTo: b@example.org\n\n");
/// let fields: FieldsNamed<'_, '_> = message.fields_named("To");
/// assert_eq!(fields.count(), 2);
/// ```
#[derive(Clone)]
pub struct FieldsNamed<'m, 'n> {
    fields: Fields<'m>,
    name: &'n [u8],
}

impl<'m> Iterator for FieldsNamed<'m, '_> {
    type Item = Field<'m>;

    fn next(&mut self) -> Option<Field<'m>> {
        let buffer = self.fields.buffer;
        let is_named = |range: &FieldRange| {
            range.name_length() == self.name.len()
                && buffer
                    .get(range.name())
                    .is_some_and(|it| is_name(it, self.name))
        };
        if let Some(range) = self.fields.listed.find(|range| is_named(range)) {
            return Some(self.fields.field(*range));
        }
        loop {
            let range = self.fields.next_unlisted()?;
            if is_named(&range) {
                return Some(self.fields.field(range));
            }
        }
    }
}

impl FusedIterator for FieldsNamed<'_, '_> {}

impl std::fmt::Debug for FieldsNamed<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
