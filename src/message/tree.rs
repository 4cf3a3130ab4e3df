//! The tree of a message: its entities in document order, with their parents and children.

use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::iter::FusedIterator;
use std::ops::Range;
use std::ptr;

use super::entity::EntityShape;
use super::parse::Message;
use super::part::Part;

impl Message<'_> {
    /// The message itself as an entity, which contains all others.
    #[must_use]
    pub fn root(&self) -> Part<'_> {
        Part {
            message: self,
            index: 0,
        }
    }

    /// The entity with this [`section`](Part::section) number, as in IMAP (RFC 9051, section 6.4.5.1).
    /// `TEXT` is the multipart that is the body of the message. The body of a message without parts is
    /// `1`, not `TEXT`.
    #[must_use]
    pub fn part(&self, section: &str) -> Option<Part<'_>> {
        let mut written = String::new();
        self.entities().find(|part| {
            written.clear();
            part.write_section(&mut written);
            written == section
        })
    }

    /// The parts that IMAP numbers (RFC 9051, section 6.4.5.1), in document order: all entities but
    /// multiparts. A multipart without parts is a part. The parts of an embedded message follow it.
    #[must_use]
    pub fn parts(&self) -> impl ExactSizeIterator<Item = Part<'_>> + FusedIterator + Clone {
        Counted(self.entities().filter(|part| !part.is_multipart()))
    }

    /// All entities, including multiparts, in document order.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n--b\n\ntwo\n--b--\n",
    /// );
    /// assert_eq!((message.entities().len(), message.parts().len()), (3, 2));
    /// assert_eq!(message.part("TEXT"), Some(message.root()));
    /// assert_eq!(message.part("2").unwrap().body(), b"two");
    /// ```
    #[must_use]
    pub fn entities(&self) -> impl ExactSizeIterator<Item = Part<'_>> + FusedIterator + Clone {
        self.entities_from(0)
    }

    fn entities_from(&self, first: usize) -> Entities<'_> {
        Entities {
            message: self,
            indexes: first..self.found.entities.len(),
        }
    }
}

#[derive(Clone)]
struct Entities<'m> {
    message: &'m Message<'m>,
    indexes: Range<usize>,
}

impl<'m> Iterator for Entities<'m> {
    type Item = Part<'m>;

    fn next(&mut self) -> Option<Part<'m>> {
        self.nth(0)
    }

    /// Constant time: bindings look up entities by index.
    fn nth(&mut self, number: usize) -> Option<Part<'m>> {
        let message = self.message;
        let index = self.indexes.nth(number)?;
        Some(Part { message, index })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.indexes.size_hint()
    }
}

impl ExactSizeIterator for Entities<'_> {}

impl FusedIterator for Entities<'_> {}

impl<'m> Part<'m> {
    /// The parts of a multipart in order, or the message inside a part of type message.
    ///
    /// ```
    /// use mime_charset::Message;
    ///
    /// let message = Message::parse(
    ///     b"Content-Type: multipart/mixed; boundary=b\n\n\
    ///       --b\n\none\n\
    ///       --b\nContent-Type: message/rfc822\n\nSubject: inner\n\ntwo\n--b--\n",
    /// );
    /// let root = message.root();
    /// let children: Vec<_> = root.children().collect();
    /// assert_eq!((children.len(), root.parent()), (2, None));
    /// let inner = children[1].inner().unwrap();
    /// assert_eq!((inner.parent(), children[0].inner()), (Some(children[1]), None));
    /// assert_eq!((inner.section(), inner.path()), ("2.1".to_owned(), vec![1, 0]));
    /// ```
    #[must_use]
    pub fn children(self) -> impl ExactSizeIterator<Item = Part<'m>> + FusedIterator + Clone {
        let depth = self.entity().depth;
        let after = self.message.entities_from(self.index + 1);
        let inside = after.take_while(move |part| part.entity().depth > depth);
        Counted(inside.filter(move |part| part.entity().parent == Some(self.index)))
    }

    /// The multipart or message that contains the entity; `None` for the message itself.
    #[must_use]
    pub fn parent(self) -> Option<Part<'m>> {
        let index = self.entity().parent?;
        Some(Part {
            message: self.message,
            index,
        })
    }

    /// The message inside a part of type message (RFC 2046, section 5.2.1); `None` for other parts.
    #[must_use]
    pub fn inner(self) -> Option<Part<'m>> {
        self.children().next().filter(|_| self.is_message())
    }

    /// The path from the root: for each enclosing entity, outermost first, the index among its
    /// [`children`](Part::children), from 0. The path of the message itself is empty.
    #[must_use]
    pub fn path(self) -> Vec<usize> {
        let mut path = Vec::with_capacity(self.entity().depth);
        let mut part = self;
        while let Some(parent) = part.parent() {
            path.push(part.entity().number.saturating_sub(1));
            part = parent;
        }
        path.reverse();
        path
    }

    /// The section number as in IMAP (RFC 9051, section 6.4.5.1), such as `1.2`. It ends in `TEXT` for
    /// the multipart that is the whole body of a message. [`Message::part`] finds the part by it.
    #[must_use]
    pub fn section(self) -> String {
        let mut section = String::new();
        self.write_section(&mut section);
        section
    }

    fn write_section(self, section: &mut String) {
        let mut numbers = Vec::new();
        let mut part = self;
        let is_body_of_message = |part: Part<'m>| {
            part.parent()
                .is_none_or(|parent| parent.entity().shape == EntityShape::Message)
        };
        let text = self.entity().shape == EntityShape::Multipart && is_body_of_message(self);
        loop {
            // The multipart that is the whole body of a message has no number of its own.
            if !(part.entity().shape == EntityShape::Multipart && is_body_of_message(part)) {
                numbers.push(part.entity().number);
            }
            match part.parent() {
                Some(parent) => part = parent,
                None => break,
            }
        }
        section.reserve(3 * numbers.len() + ".TEXT".len());
        for &number in numbers.iter().rev() {
            if !section.is_empty() {
                section.push('.');
            }
            push_number(section, number);
        }
        if text {
            section.push_str(if section.is_empty() { "TEXT" } else { ".TEXT" });
        }
    }
}

/// Appends a number in decimal digits. A fast path is for one digit: most numbers have one digit,
/// and a deeply nested part has a hundred numbers.
fn push_number(text: &mut String, number: usize) {
    match u8::try_from(number) {
        Ok(digit @ 0..10) => text.push(char::from(b'0' + digit)),
        // Writing to a String does not fail.
        _ => drop(write!(text, "{number}")),
    }
}

/// The section and the media type, on one line.
impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Part({}, {})", self.section(), self.media_type())
    }
}

/// Parts are equal if they are the same entity of the same [`Message`] value. Their octets are not
/// compared.
///
/// ```
/// use std::collections::HashSet;
/// use mime_charset::Message;
///
/// let source = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nsame\n--b\n\nsame";
/// let message = Message::parse(source);
/// let parts: HashSet<_> = message.parts().chain(message.parts()).collect();
/// assert_eq!(parts.len(), 2);
/// assert_ne!(message.root(), Message::parse(source).root());
/// ```
impl PartialEq for Part<'_> {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(
            ptr::from_ref(self.message).cast::<()>(),
            ptr::from_ref(other.message).cast::<()>(),
        ) && self.index == other.index
    }
}

impl Eq for Part<'_> {}

impl Hash for Part<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::from_ref(self.message).cast::<()>().hash(state);
        self.index.hash(state);
    }
}

/// Gives an iterator an exact length by counting its items.
#[derive(Clone)]
struct Counted<I>(I);

impl<I: Iterator + Clone> Iterator for Counted<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.clone().count();
        (count, Some(count))
    }
}

impl<I: Iterator + Clone> ExactSizeIterator for Counted<I> {}

impl<I: FusedIterator + Clone> FusedIterator for Counted<I> {}

#[cfg(test)]
mod tests {
    use super::{Message, Part};

    /// Adjacent parts, a message between them, one in base64, a digest (RFC 2046,
    /// section 5.1.5), and a multipart that is the body of the inner message.
    const NESTED: &[u8] = b"Content-Type: multipart/mixed; boundary=a\n\n\
        --a\n\nfirst\n\
        --a\nContent-Type: message/rfc822\n\n\
        Content-Type: multipart/alternative; boundary=b\n\n\
        --b\n\nplain\n--b\nContent-Type: text/html\n\n<p>\n--b--\n\
        --a\nContent-Type: message/global\nContent-Transfer-Encoding: base64\n\n\
        U3ViamVjdDogeAoKaW5uZXI=\n\
        --a\nContent-Type: multipart/digest; boundary=c\n\n\
        --c\n\nSubject: one\n\n1\n--c\n\nSubject: two\n\n2\n--c--\n\
        --a--\n";

    /// Paths and sections give the same tree.
    #[test]
    fn each_entity_is_found_by_its_path_and_by_its_section() {
        let message = Message::parse(NESTED);
        let sections: Vec<_> = message.entities().map(Part::section).collect();
        // Counted by hand, by the rules of RFC 9051, section 6.4.5.1.
        let expected = [
            "TEXT", "1", "2", "2.TEXT", "2.1", "2.2", "3", "3.1", "4", "4.1", "4.1.1", "4.2",
            "4.2.1",
        ];
        assert_eq!(sections, expected);
        for part in message.entities() {
            assert_eq!(message.part(&part.section()), Some(part));
            let mut found = message.root();
            for place in part.path() {
                found = found.children().nth(place).unwrap();
            }
            assert_eq!(found, part, "{:?}", part.path());
            for child in part.children() {
                assert_eq!(child.parent(), Some(part));
            }
        }
        let children: usize = message.entities().map(|part| part.children().count()).sum();
        assert_eq!(children + 1, message.entities().count());
    }

    #[test]
    fn invalid_sections_find_nothing() {
        let message = Message::parse(NESTED);
        for section in [
            "", ".", "0", "1.", "01", "1.TEXT", "TEXT.1", "5", "2.3", "1 ", "text",
        ] {
            assert_eq!(message.part(section), None, "{section:?}");
        }
    }
}
