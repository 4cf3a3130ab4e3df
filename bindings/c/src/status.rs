//! What a function that can fail returns.

/// It is done.
pub const MIME_CHARSET_OK: i32 = 0;
/// A pointer is NULL that must not be.
pub const MIME_CHARSET_NULL: i32 = 1;
/// An argument is wrong: an index past the end, text that is not UTF-8, a size of options that no
/// version had, more octets than memory can hold.
pub const MIME_CHARSET_INVALID: i32 = 2;
/// There is no such thing: the part has no file name, or no field of this name.
pub const MIME_CHARSET_NONE: i32 = 3;
/// The output is full: make room and call again.
pub const MIME_CHARSET_FULL: i32 = 4;
/// The library failed, which is a fault of its own. The handle may be freed and no more.
pub const MIME_CHARSET_PANIC: i32 = 5;
