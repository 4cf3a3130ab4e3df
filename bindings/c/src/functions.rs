//! Octets and text without a message around them.

use std::ffi::c_char;

use mime_charset::convert::Conversion;
use mime_charset::decode::Context;
use mime_charset::{Label, charset::mailbox_name, convert, decode, detect, header};

use crate::addresses::{Mailbox, Run, runs};
use crate::border::{give, octets, read, utf8, values};
use crate::change::Changed;
use crate::charset::Charset;
use crate::options::{Options, options as options_of};
use crate::status::MIME_CHARSET_INVALID;
use crate::text::{Reasons, Text};

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
    let mut place = None;
    let make = || {
        // SAFETY: `octets` asks for so many octets, unchanged while they are used; `options_of` asks
        // for NULL or options of the size that they say: the caller promises it.
        let (octets, name, options) = unsafe {
            (
                octets(data, length)?,
                octets(label.cast(), label_length)?,
                options_of(options, &mut place)?,
            )
        };
        let name = Label::new(name);
        let name = Some(&name).filter(|_| !label.is_null());
        let context = Context::new().label(name).options(*options);
        Ok(Text::decoded(decode::decode(octets, &context)))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
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
    let mut place = None;
    let make = || {
        // SAFETY: `read` asks for NULL or a charset, of which none is ever freed; `octets` asks for so
        // many octets, unchanged while they are used; `options_of` asks for NULL or options of the size
        // that they say: the caller promises it.
        let (charset, octets, options) = unsafe {
            (
                read(charset)?,
                octets(data, length)?,
                options_of(options, &mut place)?,
            )
        };
        Ok(Text::decoded(charset.value.decode_with(octets, options)))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
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
        // SAFETY: `octets` asks for so many octets, unchanged while they are used: the caller
        // promises it.
        let guess = detect::detect(unsafe { octets(data, length) }?);
        Ok(Text::plain("")
            .in_charset(guess.charset, guess.source)
            .confidence(guess.confidence))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
    unsafe { give(out, make) }
}

/// The same message in UTF-8, each change, and what was noticed on the way. What cannot be converted
/// exactly stays as it is.
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
    let mut place = None;
    let make = || {
        // SAFETY: `octets` asks for so many octets, unchanged while they are used; `options_of` asks
        // for NULL or options of the size that they say: the caller promises it.
        let (octets, options) =
            unsafe { (octets(data, length)?, options_of(options, &mut place)?) };
        let converted = convert::convert(
            octets,
            &Conversion {
                decoding: *options,
                ..Conversion::new()
            },
        );
        let reasons = Reasons {
            changes: converted.changes.iter().map(Changed::new).collect(),
            ..Reasons::default()
        };
        let report = converted.report.clone();
        Ok(Text::because(converted.into_octets(), report, reasons))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
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
        // SAFETY: `utf8` asks for so many octets, unchanged while they are used: the caller promises
        // it.
        let text = unsafe { utf8(text, length) }?;
        Ok(Text::plain(header::encode::unstructured(text, column)))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
    unsafe { give(out, make) }
}

/// A name and an address as a mailbox of From, To and their like, the name in encoded words where it
/// needs them (RFC 5322, section 3.4; RFC 2047, section 5), folded. `MIME_CHARSET_INVALID` for an address
/// that cannot be written. `column` says how many octets stand before it on its line.
///
/// # Safety
///
/// `name_length` octets may be read at `name`, and `address_length` at `address`; a pointer may be
/// written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_encode_mailbox(
    name: *const c_char,
    name_length: usize,
    address: *const c_char,
    address_length: usize,
    column: usize,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: `utf8` asks for so many octets at each, unchanged during the call, which the caller
        // promises.
        let (name, address) = unsafe { (utf8(name, name_length)?, utf8(address, address_length)?) };
        let mailbox = header::encode::mailbox(name, address, column);
        Ok(Text::plain(mailbox.map_err(|_| MIME_CHARSET_INVALID)?))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`, which the caller promises.
    unsafe { give(out, make) }
}

/// Mailboxes with commas between them as the body of From, To, Cc and their like (RFC 5322, section 3.4),
/// each as `mime_charset_encode_mailbox` writes it, and with its errors. Those that follow one another and
/// have the same name in `group` are written as that group; where the `data` of an address is NULL too, it
/// is a group without a mailbox. What `mime_charset_addresses_at` gives may be handed over as it is.
/// No mailboxes are a text without octets, which is a body for Bcc alone (section 3.6.3).
///
/// # Safety
///
/// `count` mailboxes may be read at `mailboxes`, and of each so many octets at its name and its address
/// as their lengths say; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_encode_mailboxes(
    mailboxes: *const Mailbox,
    count: usize,
    column: usize,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: `values` asks for so many mailboxes, unchanged during the call, which the caller promises.
        let mailboxes = unsafe { values(mailboxes, count) }?;
        // SAFETY: `runs` asks for so many octets at each text, unchanged during the call, which the caller
        // promises.
        let runs = unsafe { runs(mailboxes) }?;
        let addresses = runs.iter().flat_map(Run::addresses);
        let body = header::encode::addresses(addresses, column);
        Ok(Text::plain(body.map_err(|_| MIME_CHARSET_INVALID)?))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`, which the caller promises.
    unsafe { give(out, make) }
}

/// A parameter of Content-Type or Content-Disposition, with the semicolon before it, extended and continued
/// where it needs that (RFC 2231), folded. `MIME_CHARSET_INVALID` for a name that is no token. `column`
/// says how many octets stand before it on its line.
///
/// # Safety
///
/// `name_length` octets may be read at `name`, and `value_length` at `value`; a pointer may be written
/// to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_encode_parameter(
    name: *const c_char,
    name_length: usize,
    value: *const c_char,
    value_length: usize,
    column: usize,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: `utf8` asks for so many octets at each, unchanged during the call, which the caller
        // promises.
        let (name, value) = unsafe { (utf8(name, name_length)?, utf8(value, value_length)?) };
        let parameter = header::encode::parameter(name, value, column);
        Ok(Text::plain(parameter.map_err(|_| MIME_CHARSET_INVALID)?))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`, which the caller promises.
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
        // SAFETY: `octets` asks for so many octets, unchanged while they are used: the caller
        // promises it.
        let decoded = mailbox_name::decode(unsafe { octets(name.cast(), length) }?);
        let (text, report) = decoded.into_parts();
        Ok(Text::of(text, report))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
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
        // SAFETY: `utf8` asks for so many octets, unchanged while they are used: the caller promises
        // it.
        let name = unsafe { utf8(name, length) }?;
        Ok(Text::plain(mailbox_name::encode(name)))
    };
    // SAFETY: `give` asks for NULL or room for a pointer at `out`: the caller promises it.
    unsafe { give(out, make) }
}
