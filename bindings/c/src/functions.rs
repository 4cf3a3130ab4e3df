//! Functions for octets and text outside of messages.

use std::ffi::c_char;

use mime_charset::convert::Conversion;
use mime_charset::decode::Context;
use mime_charset::{Label, charset::mailbox_name, convert, decode, detect, header};

use crate::addresses::{Mailbox, Run, runs};
use crate::border::{give, octets, read, utf8, values};
use crate::change::OwnedChange;
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

/// Decodes octets to UTF-8, in the charset chosen from the label and the octets. A label that is
/// NULL means no label.
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
        // SAFETY: `octets` requires readable octets of that length, unchanged while in use;
        // `options_of` requires NULL or options of the size in their first field: the caller
        // guarantees it.
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
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Decodes octets in exactly this charset to UTF-8.
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
        // SAFETY: the caller guarantees what these require. `read`: NULL or a charset (charsets are
        // never freed). `octets`: `length` readable octets, unchanged while in use. `options_of`:
        // NULL or options of the size in their first field.
        let (charset, octets, options) = unsafe {
            (
                read(charset)?,
                octets(data, length)?,
                options_of(options, &mut place)?,
            )
        };
        Ok(Text::decoded(charset.value.decode_with(octets, options)))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// The likely charset of octets without a label: an empty text, with a charset and its confidence.
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
        // SAFETY: `octets` requires readable octets of that length, unchanged while in use: the
        // caller guarantees it.
        let guess = detect::detect(unsafe { octets(data, length) }?);
        Ok(Text::plain("")
            .in_charset(guess.charset, guess.source)
            .confidence(guess.confidence))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// The same message in UTF-8, with each change and all findings. Anything that cannot be converted
/// exactly is left unchanged.
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
        // SAFETY: `octets` requires readable octets of that length, unchanged while in use;
        // `options_of` requires NULL or options of the size in their first field: the caller
        // guarantees it.
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
            changes: converted.changes.iter().map(OwnedChange::new).collect(),
            ..Reasons::default()
        };
        let report = converted.report.clone();
        Ok(Text::with_reasons(converted.into_octets(), report, reasons))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Encodes text as the body of an unstructured field such as Subject, with encoded words if needed
/// (RFC 2047), folded. `column` is the number of octets before it on its line.
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
        // SAFETY: `utf8` requires readable octets of that length, unchanged while in use: the
        // caller guarantees it.
        let text = unsafe { utf8(text, length) }?;
        Ok(Text::plain(header::encode::unstructured(text, column)))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Encodes a name and an address as a mailbox of From, To and similar fields, the name with encoded
/// words if needed (RFC 5322, section 3.4; RFC 2047, section 5), folded. `MIME_CHARSET_INVALID` for
/// an address that cannot be written. `column` is the number of octets before it on its line.
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
        // SAFETY: `utf8` requires that both are readable for their lengths and unchanged during the
        // call: the caller guarantees it.
        let (name, address) = unsafe { (utf8(name, name_length)?, utf8(address, address_length)?) };
        let mailbox = header::encode::mailbox(name, address, column);
        Ok(Text::plain(mailbox.map_err(|_| MIME_CHARSET_INVALID)?))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Encodes mailboxes, separated by commas, as the body of From, To, Cc and similar fields (RFC
/// 5322, section 3.4), each as by `mime_charset_encode_mailbox`, and with its errors. Consecutive
/// mailboxes with the same name in `group` are written as that group; if the `data` of an address
/// is NULL too, it is a group without a mailbox. Results of `mime_charset_addresses_at` can be
/// passed unchanged. Without mailboxes the text is empty, which is a valid body for Bcc alone
/// (section 3.6.3).
///
/// # Safety
///
/// `count` mailboxes may be read at `mailboxes`, and the name and address of each for their
/// lengths; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_encode_mailboxes(
    mailboxes: *const Mailbox,
    count: usize,
    column: usize,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: `values` requires `count` readable mailboxes, unchanged during the call: the
        // caller guarantees it.
        let mailboxes = unsafe { values(mailboxes, count) }?;
        // SAFETY: `runs` requires that each text is readable for its length and unchanged during
        // the call: the caller guarantees it.
        let runs = unsafe { runs(mailboxes) }?;
        let addresses = runs.iter().flat_map(Run::addresses);
        let body = header::encode::addresses(addresses, column);
        Ok(Text::plain(body.map_err(|_| MIME_CHARSET_INVALID)?))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Encodes a parameter of Content-Type or Content-Disposition, with the semicolon before it,
/// extended and continued if needed (RFC 2231), folded. `MIME_CHARSET_INVALID` for a name that is
/// not a token. `column` is the number of octets before it on its line.
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
        // SAFETY: `utf8` requires that both are readable for their lengths and unchanged during the
        // call: the caller guarantees it.
        let (name, value) = unsafe { (utf8(name, name_length)?, utf8(value, value_length)?) };
        let parameter = header::encode::parameter(name, value, column);
        Ok(Text::plain(parameter.map_err(|_| MIME_CHARSET_INVALID)?))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Decodes a mailbox name from IMAP's modified UTF-7 (RFC 3501, section 5.1.3).
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
        // SAFETY: `octets` requires readable octets of that length, unchanged while in use: the
        // caller guarantees it.
        let decoded = mailbox_name::decode(unsafe { octets(name.cast(), length) }?);
        let (text, report) = decoded.into_parts();
        Ok(Text::of(text, report))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Encodes a mailbox name in IMAP's modified UTF-7.
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
        // SAFETY: `utf8` requires readable octets of that length, unchanged while in use: the
        // caller guarantees it.
        let name = unsafe { utf8(name, length) }?;
        Ok(Text::plain(mailbox_name::encode(name)))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}
