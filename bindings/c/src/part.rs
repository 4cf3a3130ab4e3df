//! The entities of a message, by their place in document order.

use mime_charset::message::Part;

use crate::border::{give, guard, read};
use crate::message::Message;
use crate::options::{Options, options as options_of};
use crate::status::MIME_CHARSET_NONE;
use crate::text::Text;

/// Calls `is` with an entity; `false` where there is none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
unsafe fn ask(message: *const Message, part: usize, is: impl FnOnce(Part<'_>) -> bool) -> bool {
    // SAFETY: the caller's promise.
    let Ok(message) = (unsafe { read(message) }) else {
        return false;
    };
    guard(false, || {
        message.part(part, |part| Ok(is(part))).unwrap_or(false)
    })
}

/// Makes a text of an entity.
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
    make: impl FnOnce(Part<'_>, &mime_charset::Options) -> Result<Text, i32>,
) -> i32 {
    let made = || {
        // SAFETY: the caller's promise.
        let (message, options) = unsafe { (read(message)?, options_of(options)?) };
        message.part(part, |part| make(part, &options))
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, made) }
}

/// Whether the part is text to be decoded.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_is_text(message: *const Message, part: usize) -> bool {
    // SAFETY: the caller's promise.
    unsafe { ask(message, part, |part| part.is_text()) }
}

/// Whether the part is a multipart in which parts begin.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_is_multipart(
    message: *const Message,
    part: usize,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { ask(message, part, |part| part.is_multipart()) }
}

/// Whether the part is a message that was entered; it is the next entity.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_is_message(
    message: *const Message,
    part: usize,
) -> bool {
    // SAFETY: the caller's promise.
    unsafe { ask(message, part, |part| part.is_message()) }
}

/// The place of the entity that this one stands in; `SIZE_MAX` for the message itself and where there
/// is no such entity.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_part_parent(message: *const Message, part: usize) -> usize {
    // SAFETY: the caller's promise.
    let Ok(message) = (unsafe { read(message) }) else {
        return usize::MAX;
    };
    guard(usize::MAX, || {
        message.0.with_dependent(|_, entities| {
            let parent = entities.parts.get(part).and_then(|part| part.parent());
            // It stands before its parts.
            let before = entities.parts.get(..part).unwrap_or_default();
            before
                .iter()
                .rposition(|&other| Some(other) == parent)
                .unwrap_or(usize::MAX)
        })
    })
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
    // SAFETY: the caller's promise.
    unsafe { make(message, part, std::ptr::null(), out, section) }
}

/// The media type, lower case, such as `text/plain`, and the findings of the fields that say what the
/// part is.
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
    let media_type =
        |part: Part<'_>, _: &_| Ok(Text::new(part.content_type().media_type(), &part.report()));
    // SAFETY: the caller's promise.
    unsafe { make(message, part, std::ptr::null(), out, media_type) }
}

/// The text of the part in UTF-8, whatever its media type.
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
    let text = |part: Part<'_>, options: &_| Ok(Text::decoded(&part.text_with(options)));
    // SAFETY: the caller's promise.
    unsafe { make(message, part, options, out, text) }
}

/// The octets of the part, its transfer encoding undone.
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
        let octets = part.octets();
        Ok(Text::new(octets.as_bytes(), octets.report()))
    };
    // SAFETY: the caller's promise.
    unsafe { make(message, part, std::ptr::null(), out, octets) }
}

/// The file name; `MIME_CHARSET_NONE` where the part has none.
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
        let name = part.filename(options).ok_or(MIME_CHARSET_NONE)?;
        Ok(Text::new(name.as_str(), name.report()))
    };
    // SAFETY: the caller's promise.
    unsafe { make(message, part, options, out, filename) }
}

/// Which charset the part is in, on whose word and how surely: a text without octets.
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
        Ok(Text::new("", decision.report())
            .in_charset(decision.charset(), decision.source())
            .confidence(decision.confidence()))
    };
    // SAFETY: the caller's promise.
    unsafe { make(message, part, options, out, decide) }
}
