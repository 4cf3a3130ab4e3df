//! Options for decoding.

use mime_charset as library;
use mime_charset::hangul::HangulPolicy;

use crate::charset::Charset;
use crate::status::MIME_CHARSET_INVALID;

/// Old Hangul under a Unicode 1.1 label is remapped unless the text shows that the label is wrong.
pub const MIME_CHARSET_HANGUL_AUTO: u8 = 0;
/// All old Hangul is remapped (RFC 2279, section 5).
pub const MIME_CHARSET_HANGUL_ALWAYS: u8 = 1;
/// No old Hangul is remapped.
pub const MIME_CHARSET_HANGUL_NEVER: u8 = 2;

/// Options for decoding. Set the structure to zero, then set `size`. NULL means the defaults. Later
/// versions may add members at the end, and will accept the size of this one.
#[repr(C)]
pub struct Options {
    /// `sizeof(mime_charset_options)`, which identifies the members known to the caller.
    pub size: usize,
    /// The charset to use if the octets are not conclusive; NULL for none.
    pub hint: *const Charset,
    /// The charset to decode everything in, whatever the message declares; NULL for none.
    pub force: *const Charset,
    /// Follow the label if the octets contradict it.
    pub trust_label: bool,
    /// The octets are only the beginning of a text.
    pub partial: bool,
    /// Keep a byte order mark as U+FEFF.
    pub keep_bom: bool,
    /// Decode labels as registered, not as used in mail.
    pub as_registered: bool,
    /// One of `MIME_CHARSET_HANGUL_...`.
    pub hangul: u8,
}

/// The options passed by C, parsed into `place`.
///
/// # Safety
///
/// `options` is NULL, or as many octets as its first member states may be read there; the charsets
/// in it are NULL or of this library.
pub(crate) unsafe fn options(
    options: *const Options,
    place: &mut Option<library::Options>,
) -> Result<&library::Options, i32> {
    static DEFAULT: library::Options = library::Options::new();
    if options.is_null() {
        return Ok(&DEFAULT);
    }
    // SAFETY: `given` requires of options that are not NULL what this function requires of them.
    Ok(place.insert(unsafe { given(options) }?))
}

/// Parses options.
///
/// # Safety
///
/// As for [`options`], and `options` is not NULL.
#[inline(never)]
unsafe fn given(options: *const Options) -> Result<library::Options, i32> {
    // SAFETY: `options` is not NULL, and then at least its first member may be read, which every version
    // has: the caller guarantees it.
    let size = unsafe { (&raw const (*options).size).read() };
    if size < size_of::<Options>() {
        return Err(MIME_CHARSET_INVALID);
    }
    // SAFETY: `size` octets may be read there: the caller guarantees it, and they are as many as this
    // version has or more.
    let options = unsafe { &*options };
    // SAFETY: `as_ref` requires NULL or a charset: the caller guarantees that they are of this library,
    // where they are static and never written to.
    let (hint, force) = unsafe { (options.hint.as_ref(), options.force.as_ref()) };
    let hangul = match options.hangul {
        MIME_CHARSET_HANGUL_AUTO => HangulPolicy::Auto,
        MIME_CHARSET_HANGUL_ALWAYS => HangulPolicy::Always,
        MIME_CHARSET_HANGUL_NEVER => HangulPolicy::Never,
        _ => return Err(MIME_CHARSET_INVALID),
    };
    Ok(library::Options::new()
        .hint(hint.map(|charset| charset.value))
        .force(force.map(|charset| charset.value))
        .trust_label(options.trust_label)
        .hangul(hangul)
        .keep_bom(options.keep_bom)
        .as_registered(options.as_registered)
        .partial(options.partial))
}
