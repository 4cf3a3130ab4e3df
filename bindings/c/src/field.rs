//! The header fields of an entity, by index in its header.

use std::ffi::c_char;

use mime_charset::message::Field;

use crate::addresses::Addresses;
use crate::border::{Octets, give, guard, octets, read};
use crate::message::Message;
use crate::options::{Options, options as options_of};
use crate::status::MIME_CHARSET_NONE;
use crate::text::Text;

/// The octets that `of` returns for a field; [`Octets::NONE`] without the field.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
unsafe fn view(
    message: *const Message,
    part: usize,
    field: usize,
    of: impl FnOnce(&Field<'_>) -> Octets,
) -> Octets {
    // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    let Ok(message) = (unsafe { read(message) }) else {
        return Octets::NONE;
    };
    guard(Octets::NONE, || {
        let found = message.field(part, field, |field| Ok(of(&field)));
        found.unwrap_or(Octets::NONE)
    })
}

/// Makes a handle from the field at an index.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
unsafe fn at<H>(
    message: *const Message,
    (part, field): (usize, usize),
    options: *const Options,
    out: *mut *mut H,
    make: impl FnOnce(&Field<'_>, &mime_charset::Options) -> Box<H>,
) -> i32 {
    let mut place = None;
    let made = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed;
        // `options_of` requires NULL or options of the size in their first field: the caller
        // guarantees it.
        let (message, options) = unsafe { (read(message)?, options_of(options, &mut place)?) };
        message.field(part, field, |field| Ok(make(&field, options)))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, made) }
}

/// Makes a handle from the first field with a name, which is given by pointer and length.
///
/// # Safety
///
/// As for [`at`]; and the name is readable for its length.
unsafe fn named<H>(
    message: *const Message,
    (part, name, length): (usize, *const c_char, usize),
    options: *const Options,
    out: *mut *mut H,
    make: impl FnOnce(&Field<'_>, &mime_charset::Options) -> Box<H>,
) -> i32 {
    let mut place = None;
    let made = || {
        // SAFETY: as in `at`; and `octets` requires readable octets of that length, unchanged while
        // in use: the caller guarantees it.
        let (message, options, name) = unsafe {
            (
                read(message)?,
                options_of(options, &mut place)?,
                octets(name.cast(), length)?,
            )
        };
        message.part(part, |part| match part.field(name) {
            Some(field) => Ok(make(&field, options)),
            None => Err(MIME_CHARSET_NONE),
        })
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, made) }
}

/// The number of fields in the header of an entity.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_field_count(message: *const Message, part: usize) -> usize {
    // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
    // guarantees it.
    let Ok(message) = (unsafe { read(message) }) else {
        return 0;
    };
    guard(0, || message.field_count(part))
}

/// The index of the first field of this name, ignoring case, at index `from` or after it;
/// `SIZE_MAX` if there is none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `length` octets may be read at `name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_field_find(
    message: *const Message,
    part: usize,
    name: *const c_char,
    length: usize,
    from: usize,
) -> usize {
    // SAFETY: `read` requires NULL or a handle of this kind that has not been freed; `octets`
    // requires readable octets of that length, unchanged while in use: the caller guarantees it.
    let (message, name) = match unsafe { (read(message), octets(name.cast(), length)) } {
        (Ok(message), Ok(name)) => (message, name),
        _ => return usize::MAX,
    };
    guard(usize::MAX, || {
        let found = message.fields_from(part, from, |fields| {
            let mut places = fields.zip(from..);
            places
                .find(|(field, _)| field.name().eq_ignore_ascii_case(name))
                .map(|(_, place)| place)
        });
        found.flatten().unwrap_or(usize::MAX)
    })
}

/// The name of a field as written. Belongs to `message`.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_field_name(
    message: *const Message,
    part: usize,
    field: usize,
) -> Octets {
    // SAFETY: `view` requires NULL or a message that has not been freed: the caller guarantees it.
    unsafe { view(message, part, field, |field| Octets::of(field.name())) }
}

/// The body of a field as written, with its folds. Belongs to `message`.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_field_body(
    message: *const Message,
    part: usize,
    field: usize,
) -> Octets {
    // SAFETY: `view` requires NULL or a message that has not been freed: the caller guarantees it.
    unsafe { view(message, part, field, |field| Octets::of(field.body())) }
}

/// The text of a field: unfolded, its encoded words decoded (RFC 2047).
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_field_text(
    message: *const Message,
    part: usize,
    field: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let text = |field: &Field<'_>, options: &_| Text::of_field(field.text_with(options));
    // SAFETY: `at` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { at(message, (part, field), options, out, text) }
}

/// The text of the first field of this name, ignoring case, as from `mime_charset_field_text`;
/// `MIME_CHARSET_NONE` if there is none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `length` octets may be read at `name`;
/// `options` are NULL or options; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_field_named_text(
    message: *const Message,
    part: usize,
    name: *const c_char,
    length: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let name = (part, name, length);
    let text = |field: &Field<'_>, options: &_| Text::of_field(field.text_with(options));
    // SAFETY: `named` requires a message and options that are NULL or valid, a name readable for
    // its length, and room at `out`: the caller guarantees it.
    unsafe { named(message, name, options, out, text) }
}

/// The addresses of a field such as From or To (RFC 5322, section 3.4).
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `options` are NULL or options; a pointer
/// may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_field_addresses(
    message: *const Message,
    part: usize,
    field: usize,
    options: *const Options,
    out: *mut *mut Addresses,
) -> i32 {
    let addresses = |field: &Field<'_>, options: &_| Addresses::of(&field.addresses_with(options));
    // SAFETY: `at` requires a message and options that are NULL or valid, and room at `out`: the
    // caller guarantees it.
    unsafe { at(message, (part, field), options, out, addresses) }
}

/// The addresses of the first field of this name, ignoring case, as from
/// `mime_charset_field_addresses`; `MIME_CHARSET_NONE` if there is none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; `length` octets may be read at `name`;
/// `options` are NULL or options; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_field_named_addresses(
    message: *const Message,
    part: usize,
    name: *const c_char,
    length: usize,
    options: *const Options,
    out: *mut *mut Addresses,
) -> i32 {
    let addresses = |field: &Field<'_>, options: &_| Addresses::of(&field.addresses_with(options));
    let name = (part, name, length);
    // SAFETY: `named` requires a message and options that are NULL or valid, a name readable for
    // its length, and room at `out`: the caller guarantees it.
    unsafe { named(message, name, options, out, addresses) }
}
