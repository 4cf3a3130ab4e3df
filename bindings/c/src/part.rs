//! The entities of a message, by index in document order.

use std::borrow::Cow;

use mime_charset::Report;
use mime_charset::decode::Reading;
use mime_charset::message::Part;

use crate::border::{give, guard, read, write_all};
use crate::evidence::OwnedEvidence;
use crate::message::Message;
use crate::options::{Options, options as options_of};
use crate::status::MIME_CHARSET_NONE;
use crate::text::{Reasons, Text};

/// Calls `is` with an entity; returns `false` if there is none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
unsafe fn ask(message: *const Message, part: usize, is: impl FnOnce(Part<'_>) -> bool) -> bool {
    // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    let Ok(message) = (unsafe { read(message) }) else {
        return false;
    };
    guard(false, || {
        message.part(part, |part| Ok(is(part))).unwrap_or(false)
    })
}

/// Makes a text from an entity.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
unsafe fn make(
    message: *const Message,
    part: usize,
    options: *const Options,
    out: *mut *mut Text,
    make: impl FnOnce(Part<'_>, &mime_charset::Options) -> Result<Box<Text>, i32>,
) -> i32 {
    let mut place = None;
    let made = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed;
        // `options_of` requires NULL or options of the size in their first field: the caller
        // guarantees it.
        let (message, options) = unsafe { (read(message)?, options_of(options, &mut place)?) };
        message.part(part, |part| make(part, options))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, made) }
}

/// Whether the part is text to be decoded.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_is_text(message: *const Message, part: usize) -> bool {
    // SAFETY: `ask` requires NULL or a message that has not been freed: the caller guarantees it.
    unsafe { ask(message, part, |part| part.is_text()) }
}

/// Whether the part is a multipart with parts.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_is_multipart(
    message: *const Message,
    part: usize,
) -> bool {
    // SAFETY: `ask` requires NULL or a message that has not been freed: the caller guarantees it.
    unsafe { ask(message, part, |part| part.is_multipart()) }
}

/// Whether the part is a parsed embedded message, which is the next entity.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_is_message(
    message: *const Message,
    part: usize,
) -> bool {
    // SAFETY: `ask` requires NULL or a message that has not been freed: the caller guarantees it.
    unsafe { ask(message, part, |part| part.is_message()) }
}

/// The index of the enclosing entity; `SIZE_MAX` for the message itself and for an unknown
/// entity.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_parent(message: *const Message, part: usize) -> usize {
    // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    let Ok(message) = (unsafe { read(message) }) else {
        return usize::MAX;
    };
    guard(usize::MAX, || {
        let parts = || message.parsed().entities();
        let parent = parts().nth(part).and_then(Part::parent);
        // It precedes its parts.
        let place = parent.and_then(|parent| parts().take(part).position(|it| it == parent));
        place.unwrap_or(usize::MAX)
    })
}

/// The indexes of the direct children of this entity. Writes at most `capacity` of them to
/// `indices` and returns their number; 0 for an unknown entity.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `indices` is NULL or has room for `capacity`
/// places.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_children(
    message: *const Message,
    part: usize,
    indices: *mut usize,
    capacity: usize,
) -> usize {
    // SAFETY: `read` requires NULL or a message that has not been freed: the caller guarantees it.
    let Ok(message) = (unsafe { read(message) }) else {
        return 0;
    };
    let children = guard(Vec::new(), || {
        let parts = || message.parsed().entities();
        let Some(parent) = parts().nth(part) else {
            return Vec::new();
        };
        let of_parent = parts()
            .enumerate()
            .filter(|(_, part)| part.parent().is_some_and(|around| around == parent));
        of_parent.map(|(index, _)| index).collect()
    });
    // SAFETY: `write_all` requires NULL or room for `capacity` places: the caller guarantees it.
    unsafe { write_all(&children, indices, capacity) };
    children.len()
}

/// The section number, as IMAP counts (RFC 9051, section 6.4.5.1).
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_section(
    message: *const Message,
    part: usize,
    out: *mut *mut Text,
) -> i32 {
    let section = |part: Part<'_>, _: &_| Ok(Text::plain(part.section()));
    // SAFETY: `make` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { make(message, part, std::ptr::null(), out, section) }
}

/// The media type, in lower case, such as `text/plain`, and the findings of the fields that
/// describe the part.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_media_type(
    message: *const Message,
    part: usize,
    out: *mut *mut Text,
) -> i32 {
    let media_type = |part: Part<'_>, _: &_| {
        Ok(Text::of(
            part.content_type().media_type().into(),
            part.mime_header().report(),
        ))
    };
    // SAFETY: `make` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { make(message, part, std::ptr::null(), out, media_type) }
}

/// The exact text of the part in UTF-8, whatever its media type.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_text(
    message: *const Message,
    part: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let text = |part: Part<'_>, options: &_| Ok(Text::decoded(part.text_with(options)));
    // SAFETY: `make` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { make(message, part, options, out, text) }
}

/// The text of the part as a person reads it, in UTF-8: markup undone, flowed lines joined (RFC 3676),
/// each line ended by a line feed. Charset and findings are those of the exact text.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_reading_text(
    message: *const Message,
    part: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let text = |part: Part<'_>, options: &_| {
        Ok(Text::decoded(
            part.reading_text_with(options, Reading::new()),
        ))
    };
    // SAFETY: `make` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { make(message, part, options, out, text) }
}

/// The first `characters` (extended grapheme clusters) of the text that a person reads, on one line, for
/// a list of messages. Only as much of the body is decoded as they need.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_preview(
    message: *const Message,
    part: usize,
    characters: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let preview =
        |part: Part<'_>, options: &_| Ok(Text::decoded(part.preview(characters, options)));
    // SAFETY: `make` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { make(message, part, options, out, preview) }
}

/// The octets of the part after transfer decoding.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_octets(
    message: *const Message,
    part: usize,
    out: *mut *mut Text,
) -> i32 {
    let octets = |part: Part<'_>, _: &_| {
        let (octets, report) = part.octets().into_parts();
        Ok(Text::new(octets, report))
    };
    // SAFETY: `make` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { make(message, part, std::ptr::null(), out, octets) }
}

/// The file name; `MIME_CHARSET_NONE` if the part has none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_filename(
    message: *const Message,
    part: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let filename = |part: Part<'_>, options: &_| {
        let name = part.filename_with(options).ok_or(MIME_CHARSET_NONE)?;
        Ok(Text::of_field(name))
    };
    // SAFETY: `make` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { make(message, part, options, out, filename) }
}

/// A name that is safe to save the part under, never empty: from the file name, the subject of a forwarded
/// message, or the section and the media type.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_filename_to_save(
    message: *const Message,
    part: usize,
    out: *mut *mut Text,
) -> i32 {
    let name = |part: Part<'_>, _: &_| Ok(Text::of(part.filename_to_save().into(), Report::new()));
    // SAFETY: `make` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { make(message, part, std::ptr::null(), out, name) }
}

/// The charset of the part, its source and confidence, and the evidence: an empty text.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_decide(
    message: *const Message,
    part: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let decide = |part: Part<'_>, options: &_| {
        let decision = part.decide(options);
        let reasons = Reasons {
            evidence: decision.evidence().iter().map(OwnedEvidence::new).collect(),
            ..Reasons::default()
        };
        let text = Text::with_reasons(Cow::Borrowed(b""), decision.report.clone(), reasons);
        Ok(text
            .in_charset(decision.charset, decision.source)
            .confidence(decision.confidence))
    };
    // SAFETY: `make` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { make(message, part, options, out, decide) }
}
