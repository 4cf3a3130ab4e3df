//! Octets and text without a message around them.

use std::ffi::c_char;

use mime_charset::convert::Conversion;
use mime_charset::{Label, charset::mailbox_name, convert, decode, detect, header};

use crate::border::{give, octets, utf8};
use crate::charset::Charset;
use crate::options::{Options, options as options_of};
use crate::status::MIME_CHARSET_NULL;
use crate::text::Text;

/// The version of the library; static.
#[unsafe(no_mangle)]
pub extern "C" fn mime_charset_version() -> *const c_char {
    const VERSION: &std::ffi::CStr = match std::ffi::CStr::from_bytes_with_nul(
        concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes(),
    ) {
        Ok(version) => version,
        Err(_) => c"",
    };
    VERSION.as_ptr()
}

/// Octets under a label as text in UTF-8, in the charset that the label and the octets together tell.
/// A label that is NULL is none.
///
/// # Safety
///
/// `length` octets may be read at `data`, and `label_length` at `label`; `options` are NULL or
/// options; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_decode(
    data: *const u8,
    length: usize,
    label: *const c_char,
    label_length: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: the caller's promise.
        let (octets, name, options) = unsafe {
            (
                octets(data, length)?,
                octets(label.cast(), label_length)?,
                options_of(options)?,
            )
        };
        let name = Label::new(name);
        let name = Some(&name).filter(|_| !label.is_null());
        Ok(Text::decoded(&decode::decode(octets, name, &options)))
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, make) }
}

/// Octets in this very charset as text in UTF-8.
///
/// # Safety
///
/// `charset` is NULL or a charset of this library; `length` octets may be read at `data`; `options`
/// are NULL or options; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_charset_decode(
    charset: *const Charset,
    data: *const u8,
    length: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: the caller's promise.
        let (charset, octets, options) = unsafe {
            (
                charset.as_ref(),
                octets(data, length)?,
                options_of(options)?,
            )
        };
        let charset = charset.ok_or(MIME_CHARSET_NULL)?;
        Ok(Text::decoded(&charset.value.decode_with(octets, &options)))
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, make) }
}

/// What octets without a label are likely to be in: a text without octets, with a charset and how
/// sure it is.
///
/// # Safety
///
/// `length` octets may be read at `data`; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_detect(
    data: *const u8,
    length: usize,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: the caller's promise.
        let guess = detect::detect(unsafe { octets(data, length) }?);
        Ok(Text::plain("")
            .in_charset(guess.charset(), guess.source())
            .confidence(guess.confidence()))
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, make) }
}

/// The same message in UTF-8, and what was noticed on the way. What cannot be converted exactly stays
/// as it is.
///
/// # Safety
///
/// `length` octets may be read at `data`; `options` are NULL or options; a pointer may be written to
/// `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_convert(
    data: *const u8,
    length: usize,
    options: *const Options,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: the caller's promise.
        let (octets, options) = unsafe { (octets(data, length)?, options_of(options)?) };
        let converted = convert::convert(octets, &Conversion::new().reading(options));
        Ok(Text::new(converted.as_bytes(), converted.report()))
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, make) }
}

/// Text as the body of an unstructured field such as Subject, in encoded words where it needs them
/// (RFC 2047), folded. `column` says how many octets stand before it on its line.
///
/// # Safety
///
/// `length` octets may be read at `text`; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_encode_unstructured(
    text: *const c_char,
    length: usize,
    column: usize,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: the caller's promise.
        let text = unsafe { utf8(text, length) }?;
        Ok(Text::plain(header::encode::unstructured(text, column)))
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, make) }
}

/// The name of a mailbox out of IMAP's modified UTF-7 (RFC 3501, section 5.1.3).
///
/// # Safety
///
/// `length` octets may be read at `name`; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_mailbox_name_decode(
    name: *const c_char,
    length: usize,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: the caller's promise.
        let decoded = mailbox_name::decode(unsafe { octets(name.cast(), length) }?);
        Ok(Text::new(decoded.as_str(), decoded.report()))
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, make) }
}

/// The name of a mailbox in IMAP's modified UTF-7.
///
/// # Safety
///
/// `length` octets may be read at `name`; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_mailbox_name_encode(
    name: *const c_char,
    length: usize,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: the caller's promise.
        let name = unsafe { utf8(name, length) }?;
        Ok(Text::plain(mailbox_name::encode(name).as_bytes()))
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, make) }
}
