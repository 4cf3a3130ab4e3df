//! Charsets by label, and their properties.

use std::ffi::c_char;

use std::sync::LazyLock;

use mime_charset::Charset as Value;
use mime_charset::Label;
use mime_charset::charset::resolve;

use crate::border::{Terminated, Utf8, guard, octets, with};

/// A charset. It is static: never freed, and always the same pointer.
pub struct Charset {
    pub(crate) value: Value,
    name: Terminated,
    aliases: Vec<Terminated>,
}

/// Every charset, in the order of their values; built once and never changed.
static CHARSETS: LazyLock<Vec<Charset>> = LazyLock::new(|| {
    let mut charsets: Vec<_> = Value::all()
        .map(|value| Charset {
            value,
            name: Terminated::new(value.name()),
            aliases: value.labels().map(Terminated::new).collect(),
        })
        .collect();
    charsets.sort_by_key(|charset| charset.value);
    charsets
});

impl Charset {
    /// The row of a charset.
    pub(crate) fn of(value: Value) -> Option<&'static Charset> {
        let place = CHARSETS.binary_search_by_key(&value, |charset| charset.value);
        CHARSETS.get(place.ok()?)
    }
}

/// The charset of a label in mail: a name of the IANA registry, an alias, or a damaged spelling of
/// one; NULL if the label names none.
///
/// # Safety
///
/// `length` octets may be read at `label`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_charset_for_label(
    label: *const c_char,
    length: usize,
) -> *const Charset {
    guard(std::ptr::null(), || {
        // SAFETY: `octets` requires readable octets of that length, unchanged while in use: the
        // caller guarantees it.
        let label = unsafe { octets(label.cast(), length) };
        let label = label.ok().map(Label::new);
        let found = label.and_then(|label| resolve(&label).charset);
        let found = found.and_then(Charset::of);
        found.map_or(std::ptr::null(), std::ptr::from_ref)
    })
}

/// Every charset by index, from 0; NULL after the last. The order may differ in another version.
#[unsafe(no_mangle)]
pub extern "C" fn mime_charset_charset_at(index: usize) -> *const Charset {
    guard(std::ptr::null(), || {
        CHARSETS
            .get(index)
            .map_or(std::ptr::null(), std::ptr::from_ref)
    })
}

/// The preferred MIME name (RFC 2978); static.
///
/// # Safety
///
/// `charset` is NULL or a charset of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_charset_name(charset: *const Charset) -> Utf8 {
    // SAFETY: `with` requires NULL or a charset: those of this library are never freed, and the caller
    // guarantees that it is one.
    unsafe { with(charset, Utf8::NONE, |charset| charset.name.view()) }
}

/// A label of the charset by index, from 0; static. `data` is NULL after the last.
///
/// # Safety
///
/// `charset` is NULL or a charset of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_charset_alias(charset: *const Charset, index: usize) -> Utf8 {
    // SAFETY: `with` requires NULL or a charset: those of this library are never freed, and the caller
    // guarantees that it is one.
    unsafe {
        with(charset, Utf8::NONE, |charset| {
            charset
                .aliases
                .get(index)
                .map_or(Utf8::NONE, Terminated::view)
        })
    }
}

/// The number in the IANA registry (MIBenum, RFC 3808); 0 for a charset that is not registered.
///
/// # Safety
///
/// `charset` is NULL or a charset of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_charset_mibenum(charset: *const Charset) -> u16 {
    // SAFETY: `with` requires NULL or a charset: those of this library are never freed, and the caller
    // guarantees that it is one.
    unsafe { with(charset, 0, |charset| charset.value.mibenum().unwrap_or(0)) }
}

/// Whether the charset has a decoder; for some, no table was ever published.
///
/// # Safety
///
/// `charset` is NULL or a charset of this library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_charset_is_decoded(charset: *const Charset) -> bool {
    // SAFETY: `with` requires NULL or a charset: those of this library are never freed, and the caller
    // guarantees that it is one.
    unsafe { with(charset, false, |charset| charset.value.is_decoded()) }
}
