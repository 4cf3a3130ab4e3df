//! A message, taken apart.

use std::collections::HashMap;
use std::sync::OnceLock;

use mime_charset::Message as Parsed;
use mime_charset::message::{Field, Part};

use crate::border::{Octets, free, give, guard, octets, read, with, write_all};
use crate::status::MIME_CHARSET_INVALID;
use crate::text::Text;

/// A message, taken apart. Freed with `mime_charset_message_free`. Its entities are told apart by
/// their place in document order; 0 is the message itself.
pub struct Message {
    parsed: Parsed<'static>,
    /// The fields of each entity, once one past the first [`FEW`] is asked for by its place. They borrow
    /// from `parsed`, and are asked for by functions alone that were given the message: when it is freed,
    /// nobody looks at them any more.
    lists: OnceLock<Vec<OnceLock<Vec<Field<'static>>>>>,
}

/// How many fields are found anew by their place, which takes less than to list them all. With a list
/// the time for all the fields of a header grows as their number, however many they are.
const FEW: usize = 32;

impl Message {
    fn of(parse: impl FnOnce() -> Parsed<'static>) -> Box<Self> {
        // Memory is taken first, so that the message is not moved again.
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

    /// Calls `read` with the fields of an entity from a place on; nothing where there is no such entity.
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

    /// How many fields an entity has.
    pub(crate) fn field_count(&'static self, part: usize) -> usize {
        self.list(part).map_or(0, <[_]>::len)
    }

    /// All fields of an entity. The message keeps them, and gives them to nobody who may keep them too:
    /// `'static` stands for as long as its handle is not freed.
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

/// Takes a message apart and copies its octets. Any octets are a message.
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
        // SAFETY: `octets` asks for so many octets, unchanged while they are used: the caller
        // promises it.
        let octets = unsafe { octets(data, length) }?;
        Ok(Message::of(|| Parsed::from_owner(octets.to_vec())))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
    unsafe { give(out, make) }
}

/// Takes a message apart without copying its octets, which have to stay where they are, unchanged,
/// until the message is freed.
///
/// # Safety
///
/// `length` octets may be read at `data`, and nobody writes to them or frees them before the message
/// is freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_borrow(
    data: *const u8,
    length: usize,
    out: *mut *mut Message,
) -> i32 {
    let make = || {
        // SAFETY: `octets` asks for so many octets, unchanged for as long as the slice is used. It is used
        // until the message is freed, as no function gives out a reference that outlives the handle; and
        // until then nobody writes to the octets or frees them: the caller promises it.
        let octets: &'static [u8] = unsafe { octets(data, length) }?;
        Ok(Message::of(|| Parsed::parse(octets)))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
    unsafe { give(out, make) }
}

/// The octets of the message. Belong to `message`, or to whom they were borrowed from.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_octets(message: *const Message) -> Octets {
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe { with(message, Octets::NONE, |it| Octets::of(it.parsed().source())) }
}

/// What was odd about the structure: a text without octets, with findings.
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
        // SAFETY: `read` asks for NULL or a handle of this kind that has not been freed: the caller
        // promises it.
        let message = unsafe { read(message) }?;
        Ok(Text::of("".into(), message.parsed().report().clone()))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
    unsafe { give(out, make) }
}

/// How many entities the message has, itself and multiparts among them; 0 for NULL.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_count(message: *const Message) -> usize {
    // SAFETY: `with` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    unsafe { with(message, 0, |it| it.parsed().entities().count()) }
}

/// The parts that are shown where plain text is preferred (RFC 8621, section 4.1.4).
pub const MIME_CHARSET_SHOW_TEXT: i32 = 0;
/// The parts that are shown where HTML is preferred.
pub const MIME_CHARSET_SHOW_HTML: i32 = 1;
/// The parts that are attached.
pub const MIME_CHARSET_SHOW_ATTACHMENTS: i32 = 2;

/// The places of the parts of one of the lists `MIME_CHARSET_SHOW_...`. Writes at most `capacity` of
/// them to `indices` and returns how many there are; 0 for what is no list.
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
    // SAFETY: `read` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    let Ok(message) = (unsafe { read(message) }) else {
        return 0;
    };
    let places = guard(Vec::new(), || places_of(message, list));
    // SAFETY: `write_all` asks for NULL or room for `capacity` places, which the caller promises.
    unsafe { write_all(&places, indices, capacity) };
    places.len()
}

// A part is told by its message's address and its place, whatever has been looked up meanwhile.
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

/// Frees a message; texts made of it live on.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_free(message: *mut Message) {
    // SAFETY: `free` asks for NULL or a handle of this kind that nobody uses again: the caller
    // promises it.
    unsafe { free(message) }
}

#[cfg(test)]
mod tests {
    use super::Message;

    /// What the header says of threads.
    #[test]
    fn a_message_may_be_read_by_several_threads() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<Message>();
        is_shared::<crate::Text>();
        is_shared::<crate::Addresses>();
    }
}
