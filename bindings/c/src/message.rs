//! A parsed message.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::OnceLock;

use mime_charset::message::{Field, Part};
use mime_charset::{Message as Parsed, Report};

use crate::border::{Octets, free, give, guard, octets, read, with, write_all};
use crate::status::{MIME_CHARSET_INVALID, MIME_CHARSET_NONE};
use crate::text::Text;

/// A parsed message. Freed with `mime_charset_message_free`. Its entities are identified by their
/// index in document order; 0 is the message itself.
pub struct Message {
    parsed: Parsed<'static>,
    /// The fields of each entity, built on the first request for an index of [`FEW`] or more. They
    /// borrow from `parsed`. Only functions that take the message use them, so nothing refers to
    /// them after it is freed.
    lists: OnceLock<Vec<OnceLock<Vec<Field<'static>>>>>,
}

/// Up to this index a field is found by counting, which is cheaper than building a list of all
/// fields. With a list, reading all fields of a header takes linear time.
const FEW: usize = 32;

impl Message {
    fn of(parse: impl FnOnce() -> Parsed<'static>) -> Box<Self> {
        // Allocate first, so that the message is not moved again.
        let place = Box::new_uninit();
        Box::write(
            place,
            Message {
                parsed: parse(),
                lists: OnceLock::new(),
            },
        )
    }

    pub(crate) fn parsed(&self) -> &Parsed<'static> {
        &self.parsed
    }

    /// Calls `read` with an entity.
    pub(crate) fn part<T>(
        &self,
        index: usize,
        read: impl FnOnce(Part<'_>) -> Result<T, i32>,
    ) -> Result<T, i32> {
        let part = self.parsed.entities().nth(index);
        read(part.ok_or(MIME_CHARSET_INVALID)?)
    }

    /// Calls `read` with a field of an entity.
    pub(crate) fn field<T>(
        &'static self,
        part: usize,
        field: usize,
        read: impl FnOnce(Field<'_>) -> Result<T, i32>,
    ) -> Result<T, i32> {
        let read = |fields: &mut dyn Iterator<Item = Field<'_>>| {
            read(fields.next().ok_or(MIME_CHARSET_INVALID)?)
        };
        let read = self.fields_from(part, field, read);
        read.unwrap_or(Err(MIME_CHARSET_INVALID))
    }

    /// Calls `read` with the fields of an entity from an index on. An unknown entity is ignored.
    pub(crate) fn fields_from<T>(
        &'static self,
        part: usize,
        from: usize,
        read: impl FnOnce(&mut dyn Iterator<Item = Field<'_>>) -> T,
    ) -> Option<T> {
        if from < FEW {
            let part = self.parsed.entities().nth(part)?;
            return Some(read(&mut part.fields().skip(from)));
        }
        let rest = self.list(part)?.get(from..).unwrap_or_default();
        Some(read(&mut rest.iter().cloned()))
    }

    /// The number of fields of an entity.
    pub(crate) fn field_count(&'static self, part: usize) -> usize {
        self.list(part).map_or(0, <[_]>::len)
    }

    /// All fields of an entity, owned by the message. `'static` means until its handle is freed;
    /// callers may not keep them longer.
    fn list(&'static self, part: usize) -> Option<&'static [Field<'static>]> {
        let empty = || self.parsed.entities().map(|_| OnceLock::new()).collect();
        let list = self.lists.get_or_init(empty).get(part)?;
        let fields = || {
            let part = self.parsed.entities().nth(part);
            part.into_iter().flat_map(Part::fields).collect()
        };
        Some(list.get_or_init(fields))
    }
}

/// Parses a message, copying its octets. Any octets are a message.
///
/// # Safety
///
/// `length` octets may be read at `data`; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_copy(
    data: *const u8,
    length: usize,
    out: *mut *mut Message,
) -> i32 {
    let make = || {
        // SAFETY: `octets` requires readable octets of that length, unchanged while in use: the
        // caller guarantees it.
        let octets = unsafe { octets(data, length) }?;
        Ok(Message::of(|| Parsed::from_owner(octets.to_vec())))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Parses a message without copying its octets, which must stay in place, unchanged, until the
/// message is freed.
///
/// # Safety
///
/// `length` octets may be read at `data`, and they are neither changed nor freed before the message
/// is freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_borrow(
    data: *const u8,
    length: usize,
    out: *mut *mut Message,
) -> i32 {
    let make = || {
        // SAFETY: `octets` requires so many octets, unchanged for as long as the slice is used. It
        // is used until the message is freed, since no function returns a reference that outlives
        // the handle. The caller guarantees that the octets are neither changed nor freed before.
        let octets: &'static [u8] = unsafe { octets(data, length) }?;
        Ok(Message::of(|| Parsed::parse(octets)))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// The octets of the message. Belong to `message`, or to their owner if they were borrowed.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_octets(message: *const Message) -> Octets {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe { with(message, Octets::NONE, |it| Octets::of(it.parsed().source())) }
}

/// The findings about the structure: an empty text with findings.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_findings(
    message: *const Message,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
        // guarantees it.
        let message = unsafe { read(message) }?;
        Ok(Text::of("".into(), message.parsed().report().clone()))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// The identifier of the message without its angle brackets (RFC 5322, section 3.6.4);
/// `MIME_CHARSET_NONE` if it has none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_id(
    message: *const Message,
    out: *mut *mut Text,
) -> i32 {
    // SAFETY: `named` requires what the caller guarantees.
    unsafe { named(message, out, |message| message.message_id()) }
}

/// The key that all messages of a thread share: the first identifier in References, else in
/// In-Reply-To, else the message's own (RFC 5256, section 3); `MIME_CHARSET_NONE` if it has none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_thread_key(
    message: *const Message,
    out: *mut *mut Text,
) -> i32 {
    // SAFETY: `named` requires what the caller guarantees.
    unsafe { named(message, out, |message| message.thread_key()) }
}

/// Writes the text that `ask` finds.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
unsafe fn named(
    message: *const Message,
    out: *mut *mut Text,
    ask: impl for<'m> FnOnce(&'m Parsed<'m>) -> Option<Cow<'m, str>>,
) -> i32 {
    let make = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
        // guarantees it.
        let message = unsafe { read(message) }?;
        let text = ask(message.parsed()).ok_or(MIME_CHARSET_NONE)?;
        Ok(Text::of(text, Report::new()))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// The number of entities in the message, including itself and multiparts; 0 for NULL.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_count(message: *const Message) -> usize {
    // SAFETY: `with` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    unsafe { with(message, 0, |it| it.parsed().entities().len()) }
}

/// The parts to show if plain text is preferred (RFC 8621, section 4.1.4).
pub const MIME_CHARSET_SHOW_TEXT: i32 = 0;
/// The parts to show if HTML is preferred.
pub const MIME_CHARSET_SHOW_HTML: i32 = 1;
/// The attachments.
pub const MIME_CHARSET_SHOW_ATTACHMENTS: i32 = 2;

/// The indexes of the parts in one of the lists `MIME_CHARSET_SHOW_...`. Writes at most `capacity`
/// of them to `indices` and returns their number; 0 for an unknown list.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `indices` is NULL, or `capacity` places
/// may be written there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_shown(
    message: *const Message,
    list: i32,
    indices: *mut usize,
    capacity: usize,
) -> usize {
    // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    let Ok(message) = (unsafe { read(message) }) else {
        return 0;
    };
    let places = guard(Vec::new(), || places_of(message, list));
    // SAFETY: `write_all` requires NULL or room for `capacity` places: the caller guarantees it.
    unsafe { write_all(&places, indices, capacity) };
    places.len()
}

// A part is hashed by its message's address and its index, which caching does not change.
#[allow(clippy::mutable_key_type)]
fn places_of(message: &Message, list: i32) -> Vec<usize> {
    let bodies = message.parsed().bodies();
    let parts = match list {
        MIME_CHARSET_SHOW_TEXT => bodies.text,
        MIME_CHARSET_SHOW_HTML => bodies.html,
        MIME_CHARSET_SHOW_ATTACHMENTS => bodies.attachments,
        _ => return Vec::new(),
    };
    let numbered = message.parsed().entities().enumerate();
    let places: HashMap<_, _> = numbered.map(|(place, part)| (part, place)).collect();
    parts
        .iter()
        .filter_map(|part| places.get(part).copied())
        .collect()
}

/// Frees a message; texts made from it remain valid.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_free(message: *mut Message) {
    // SAFETY: `free` requires NULL or a handle of this kind not used again: the caller
    // guarantees it.
    unsafe { free(message) }
}

#[cfg(test)]
mod tests {
    use super::Message;

    /// The header promises that threads can share a message.
    #[test]
    fn a_message_may_be_read_by_several_threads() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<Message>();
        is_shared::<crate::Text>();
        is_shared::<crate::Addresses>();
    }
}
