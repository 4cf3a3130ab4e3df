//! Return values of functions that can fail.

/// Success.
pub const MIME_CHARSET_OK: i32 = 0;
/// A required pointer is NULL.
pub const MIME_CHARSET_NULL: i32 = 1;
/// Invalid argument: an index past the end, text that is not UTF-8, an unknown size of options,
/// more octets than memory can hold.
pub const MIME_CHARSET_INVALID: i32 = 2;
/// Not found: the part has no file name, or there is no field of this name.
pub const MIME_CHARSET_NONE: i32 = 3;
/// The output is full: make room and call again.
pub const MIME_CHARSET_FULL: i32 = 4;
/// The library panicked, which is a bug. The handle may only be freed.
pub const MIME_CHARSET_PANIC: i32 = 5;
