//! Dates of messages.

use mime_charset::header;

use crate::border::{put, read};
use crate::message::Message;
use crate::status::MIME_CHARSET_NONE;

/// A date with its time of day and zone (RFC 5322, section 3.3), and its instant.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Date {
    /// Seconds since 1970-01-01T00:00:00Z; an unknown offset counts as UTC.
    pub unix_seconds: i64,
    /// The year of the Common Era.
    pub year: i32,
    /// From 1 to 12.
    pub month: i32,
    /// From 1 to 31.
    pub day: i32,
    /// From 0 to 23.
    pub hour: i32,
    /// From 0 to 59.
    pub minute: i32,
    /// From 0 to 60, which is a leap second.
    pub second: i32,
    /// Minutes east of UTC; INT32_MIN if unknown.
    pub offset: i32,
}

impl Date {
    fn of(date: &header::Date) -> Self {
        Date {
            unix_seconds: date.unix_seconds(),
            year: i32::from(date.year),
            month: i32::from(date.month),
            day: i32::from(date.day),
            hour: i32::from(date.hour),
            minute: i32::from(date.minute),
            second: i32::from(date.second),
            offset: date.offset.map_or(i32::MIN, i32::from),
        }
    }
}

/// The date of the Date field, in any form that mail programs write; `MIME_CHARSET_NONE` if it has none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a date may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_date(message: *const Message, out: *mut Date) -> i32 {
    // SAFETY: `dated` requires what the caller guarantees.
    unsafe { dated(message, out, |message| message.date()) }
}

/// The date of the first Received field, which the last host added; `MIME_CHARSET_NONE` if it has
/// none.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a date may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_message_received_date(
    message: *const Message,
    out: *mut Date,
) -> i32 {
    // SAFETY: `dated` requires what the caller guarantees.
    unsafe { dated(message, out, |message| message.received_date()) }
}

/// Writes the date that `ask` finds.
///
/// # Safety
///
/// `message` is NULL or a message that has not been freed; a date may be written to `out`.
unsafe fn dated(
    message: *const Message,
    out: *mut Date,
    ask: impl FnOnce(&mime_charset::Message<'_>) -> Option<header::Date>,
) -> i32 {
    let find = || {
        // SAFETY: `read` requires NULL or a handle of this kind that has not been freed: the caller
        // guarantees it.
        let message = unsafe { read(message) }?;
        let date = ask(message.parsed()).ok_or(MIME_CHARSET_NONE)?;
        Ok(Date::of(&date))
    };
    // SAFETY: `put` requires NULL or room for the value at `out`: the caller guarantees it.
    unsafe { put(out, find) }
}
