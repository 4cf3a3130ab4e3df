//! The changes of a conversion.

use mime_charset::convert;

use crate::border::{Terminated, Utf8, put, read, with};
use crate::charset::Charset;
use crate::status::MIME_CHARSET_INVALID;
use crate::text::Text;

/// One change of a conversion: a range of octets of the message before it, and the range that
/// replaces it in the message after it. All other octets are the same. Its strings belong to the
/// text that returned it.
#[repr(C)]
pub struct Change {
    /// The section number of the entity, as `mime_charset_part_section` gives it.
    pub section: Utf8,
    /// The name of the field; `data` is NULL for a body.
    pub field: Utf8,
    /// The original charset.
    pub charset: *const Charset,
    /// The source of the charset, as from `mime_charset_text_source`.
    pub source: Utf8,
    /// Offset and length of the octets before the change.
    pub before: usize,
    /// See `before`.
    pub before_length: usize,
    /// Offset and length of the octets after the change.
    pub after: usize,
    /// See `after`.
    pub after_length: usize,
}

/// The same with owned strings.
pub(crate) struct OwnedChange {
    section: Terminated,
    field: Option<Terminated>,
    charset: Option<&'static Charset>,
    source: Terminated,
    before: (usize, usize),
    after: (usize, usize),
}

impl OwnedChange {
    pub(crate) fn new(change: &convert::Change) -> Self {
        let (before, after) = (change.before.clone(), change.after.clone());
        OwnedChange {
            section: Terminated::new(change.section()),
            field: change.field().map(Terminated::new),
            charset: Charset::of(change.charset()),
            source: Terminated::new(change.source().name()),
            before: (before.start, before.len()),
            after: (after.start, after.len()),
        }
    }

    fn view(&self) -> Change {
        Change {
            section: self.section.view(),
            field: self.field.as_ref().map_or(Utf8::NONE, Terminated::view),
            charset: self.charset.map_or(std::ptr::null(), std::ptr::from_ref),
            source: self.source.view(),
            before: self.before.0,
            before_length: self.before.1,
            after: self.after.0,
            after_length: self.after.1,
        }
    }
}

/// The number of changes of a conversion; 0 for other texts.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_change_count(text: *const Text) -> usize {
    // SAFETY: `with` requires NULL or a text that has not been freed: the caller guarantees it.
    unsafe { with(text, 0, |text| text.changes().len()) }
}

/// A change by index, from 0, in the order of the message.
///
/// # Safety
///
/// `text` is NULL or a text that has not been freed; a change may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_text_change(
    text: *const Text,
    index: usize,
    out: *mut Change,
) -> i32 {
    let find = || {
        // SAFETY: `read` requires NULL or a text that has not been freed: the caller guarantees it.
        let text = unsafe { read(text) }?;
        let found = text.changes().get(index).ok_or(MIME_CHARSET_INVALID)?;
        Ok(found.view())
    };
    // SAFETY: `put` requires NULL or room for a change at `out`: the caller guarantees it.
    unsafe { put(out, find) }
}
