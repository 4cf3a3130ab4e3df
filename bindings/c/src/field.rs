//! The header fields of an entity, by their place in its header.

use std::ffi::c_char;

use mime_charset::message::Field;

use crate::addresses::Addresses;
use crate::border::{Octets, give, guard, octets, read, utf8};
use crate::message::Message;
use crate::options::{Options, options as options_of};
use crate::status::MIME_CHARSET_NONE;
use crate::text::Text;

/// Octets of a field; none where there is no such field.
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
    // SAFETY: `read` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    let Ok(message) = (unsafe { read(message) }) else {
        return Octets::NONE;
    };
    guard(Octets::NONE, || {
        let found = message.field(part, field, |field| Ok(of(&field)));
        found.unwrap_or(Octets::NONE)
    })
}

/// A field of an entity.
enum Which {
    /// The one at this place.
    At(usize),
    /// The first of this name: where it stands, and how many octets it has.
    Named(*const c_char, usize),
}

/// Makes a handle of a field.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; so many octets may be read at a name as it
/// has; `options` are NULL or options; a pointer may be written to `out`.
unsafe fn make<H>(
    message: *const Message,
    (part, field): (usize, Which),
    options: *const Options,
    out: *mut *mut H,
    make: impl FnOnce(&Field<'_>, &mime_charset::Options) -> H,
) -> i32 {
    let made = || {
        // SAFETY: `read` asks for NULL or a handle of this kind that has not been freed;
        // `options_of` asks for NULL or options of the size that they say: the caller promises it.
        let (message, options) = unsafe { (read(message)?, options_of(options)?) };
        let make = |field: Field<'_>| Ok(make(&field, &options));
        match field {
            Which::At(field) => message.field(part, field, make),
            Which::Named(name, length) => {
                // SAFETY: `utf8` asks for so many octets, unchanged while they are used: the caller
                // promises it.
                let name = unsafe { utf8(name, length) }?;
                message.part(part, |part| {
                    part.field(name).ok_or(MIME_CHARSET_NONE).and_then(make)
                })
            }
        }
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
    unsafe { give(out, made) }
}

/// How many fields the header of an entity has.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_field_count(message: *const Message, part: usize) -> usize {
    // SAFETY: `read` asks for NULL or a handle of this kind that has not been freed: the caller
    // promises it.
    let Ok(message) = (unsafe { read(message) }) else {
        return 0;
    };
    guard(0, || message.field_count(part))
}

/// The place of the first field of this name, in any case, at the place `from` or behind it; `SIZE_MAX`
/// where there is none.
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
    // SAFETY: `read` asks for NULL or a handle of this kind that has not been freed; `octets` asks
    // for so many octets, unchanged while they are used: the caller promises it.
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

/// The name of a field as it is written. Belongs to `message`.
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
    // SAFETY: `view` asks for NULL or a message that has not been freed: the caller promises it.
    unsafe { view(message, part, field, |field| Octets::of(field.name())) }
}

/// The body of a field as it is written, folds too. Belongs to `message`.
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
    // SAFETY: `view` asks for NULL or a message that has not been freed: the caller promises it.
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
    // SAFETY: `make` asks for a message and options that are NULL or valid, and room at `out`: the
    // caller promises it.
    unsafe { make(message, (part, Which::At(field)), options, out, text) }
}

/// The text of the first field of this name, in any case, as `mime_charset_field_text` gives it;
/// `MIME_CHARSET_NONE` where there is none.
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
    let text = |field: &Field<'_>, options: &_| Text::of_field(field.text_with(options));
    let field = Which::Named(name, length);
    // SAFETY: `make` asks for a message and options that are NULL or valid, so many octets at the name,
    // and room at `out`: the caller promises it.
    unsafe { make(message, (part, field), options, out, text) }
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
    let addresses = |field: &Field<'_>, options: &_| Addresses::of(&field.addresses(options));
    // SAFETY: `make` asks for a message and options that are NULL or valid, and room at `out`: the
    // caller promises it.
    unsafe { make(message, (part, Which::At(field)), options, out, addresses) }
}

/// The addresses of the first field of this name, in any case, as `mime_charset_field_addresses` gives
/// them; `MIME_CHARSET_NONE` where there is none.
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
    let addresses = |field: &Field<'_>, options: &_| Addresses::of(&field.addresses(options));
    let field = Which::Named(name, length);
    // SAFETY: `make` asks for a message and options that are NULL or valid, so many octets at the name,
    // and room at `out`: the caller promises it.
    unsafe { make(message, (part, field), options, out, addresses) }
}
