//! How to read.

use mime_charset as library;
use mime_charset::hangul::HangulPolicy;

use crate::charset::Charset;
use crate::status::MIME_CHARSET_INVALID;

/// Old Hangul under a Unicode 1.1 label is moved unless the text shows that the label is wrong.
pub const MIME_CHARSET_HANGUL_AUTO: u8 = 0;
/// All of it is moved (RFC 2279, section 5).
pub const MIME_CHARSET_HANGUL_ALWAYS: u8 = 1;
/// None of it is moved.
pub const MIME_CHARSET_HANGUL_NEVER: u8 = 2;

/// How to read. Set all of it to zero, then `size`. NULL in place of options means the defaults.
/// A later version may add members at the end, and takes the size of this one.
#[repr(C)]
pub struct Options {
    /// `sizeof(mime_charset_options)`, which says what members the caller knows.
    pub size: usize,
    /// A charset to take where the octets leave it open; NULL for none.
    pub hint: *const Charset,
    /// The charset that everything is read in, whatever the message says; NULL for none.
    pub force: *const Charset,
    /// Believe the label where the octets contradict it.
    pub trust_label: bool,
    /// The octets are the beginning of more.
    pub partial: bool,
    /// Keep a byte order mark as U+FEFF.
    pub keep_bom: bool,
    /// Read labels as they are registered, and not as mail uses them.
    pub as_registered: bool,
    /// One of `MIME_CHARSET_HANGUL_...`.
    pub hangul: u8,
}

/// The options that C hands over; what they say is kept in `place`.
///
/// # Safety
///
/// `options` is NULL, or what its first member says may be read there; the charsets in it are NULL
/// or of this library.
pub(crate) unsafe fn options(
    options: *const Options,
    place: &mut Option<library::Options>,
) -> Result<&library::Options, i32> {
    static DEFAULT: library::Options = library::Options::new();
    if options.is_null() {
        return Ok(&DEFAULT);
    }
    // SAFETY: `given` asks of options that are not NULL what this function asks of them.
    Ok(place.insert(unsafe { given(options) }?))
}

/// What options say.
///
/// # Safety
///
/// As of [`options`], and `options` is not NULL.
#[inline(never)]
unsafe fn given(options: *const Options) -> Result<library::Options, i32> {
    // SAFETY: `options` is not NULL, and then at least its first member may be read, which every version
    // has: the caller promises it.
    let size = unsafe { (&raw const (*options).size).read() };
    if size < size_of::<Options>() {
        return Err(MIME_CHARSET_INVALID);
    }
    // SAFETY: `size` octets may be read there: the caller promises it, and they are as many as this
    // version has or more.
    let options = unsafe { &*options };
    // SAFETY: `as_ref` asks for NULL or a charset: the caller promises that they are of this library,
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
