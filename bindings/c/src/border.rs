//! Where C's pointers become references, and values become handles.

use std::ffi::c_char;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use crate::status::{MIME_CHARSET_INVALID, MIME_CHARSET_NULL, MIME_CHARSET_OK, MIME_CHARSET_PANIC};

/// Text in UTF-8, or octets where a function says so. A NUL stands at `data[length]`; text may have
/// NULs of its own. What owns it is said by the function that gives it. `data` is NULL where there is
/// no such text.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Utf8 {
    /// The octets.
    pub data: *const c_char,
    /// How many they are, without the NUL.
    pub length: usize,
}

/// Octets out of a message, without a NUL behind them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Octets {
    /// The octets; NULL where there are none to speak of.
    pub data: *const u8,
    /// How many they are.
    pub length: usize,
}

impl Utf8 {
    pub(crate) const NONE: Utf8 = Utf8 {
        data: ptr::null(),
        length: 0,
    };
}

impl Octets {
    pub(crate) const NONE: Octets = Octets {
        data: ptr::null(),
        length: 0,
    };

    pub(crate) fn of(octets: &[u8]) -> Self {
        Octets {
            data: octets.as_ptr(),
            length: octets.len(),
        }
    }
}

/// Octets with a NUL behind them.
pub(crate) struct Terminated(Vec<u8>);

impl Terminated {
    pub(crate) fn new(octets: impl AsRef<[u8]>) -> Self {
        let octets = octets.as_ref();
        let mut terminated = Vec::with_capacity(octets.len() + 1);
        terminated.extend_from_slice(octets);
        terminated.push(0);
        Terminated(terminated)
    }

    pub(crate) fn view(&self) -> Utf8 {
        Utf8 {
            data: self.0.as_ptr().cast(),
            length: self.0.len().saturating_sub(1),
        }
    }
}

/// Octets of a handle, with a NUL behind them: short ones stand in the handle itself, so that no memory
/// is taken for them alone.
pub(crate) enum Held {
    /// So many; behind them all are 0.
    Here(u8, [u8; Held::HERE]),
    Apart(Terminated),
}

impl Held {
    /// How many octets have a place in a handle, the NUL among them: most fields of a header are shorter.
    pub(crate) const HERE: usize = 64;

    pub(crate) const NOTHING: Held = Held::Here(0, [0; Held::HERE]);

    /// What owned octets become: the NUL is pushed, and nothing copied.
    #[inline]
    pub(crate) fn owned(mut octets: Vec<u8>) -> Self {
        octets.reserve_exact(1);
        octets.push(0);
        Held::Apart(Terminated(octets))
    }

    /// Puts octets where nothing is yet.
    #[inline]
    pub(crate) fn copy(&mut self, octets: &[u8]) {
        if let Held::Here(length, here) = self
            && let Some(place) = here.get_mut(..octets.len())
        {
            place.copy_from_slice(octets);
            *length = octets.len() as u8;
        }
    }

    /// Where the octets are, until what holds them is moved.
    pub(crate) fn view(&self) -> Utf8 {
        match self {
            Held::Here(length, octets) => Utf8 {
                data: octets.as_ptr().cast(),
                length: usize::from(*length),
            },
            Held::Apart(octets) => octets.view(),
        }
    }
}

/// Calls `read`, and gives `otherwise` where it panics.
pub(crate) fn guard<T>(otherwise: T, read: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(value) => value,
        Err(payload) => {
            // To drop it may panic again.
            mem::forget(payload);
            otherwise
        }
    }
}

/// Calls `read` with what a handle stands for; `otherwise` for NULL.
///
/// # Safety
///
/// `handle` is NULL, or a handle of this type that has not been freed.
pub(crate) unsafe fn with<H, T>(handle: *const H, otherwise: T, read: impl FnOnce(&H) -> T) -> T
where
    T: Copy,
{
    // SAFETY: `as_ref` asks for NULL or a value of this type that nobody writes to meanwhile. A handle
    // that has not been freed is one: `give` made it, and what reads it only reads.
    match unsafe { handle.as_ref() } {
        Some(handle) => guard(otherwise, || read(handle)),
        None => otherwise,
    }
}

/// Makes a handle and writes it to `out`, or NULL where it fails.
///
/// # Safety
///
/// `out` is NULL, or a pointer may be written to it.
pub(crate) unsafe fn give<H>(out: *mut *mut H, make: impl FnOnce() -> Result<Box<H>, i32>) -> i32 {
    if out.is_null() {
        return MIME_CHARSET_NULL;
    }
    // SAFETY: `write` asks for a place that a pointer may be written to: `out` is not NULL, and then is
    // one, the caller promises.
    unsafe { out.write(ptr::null_mut()) };
    match guard(Err(MIME_CHARSET_PANIC), make) {
        Ok(handle) => {
            // SAFETY: `out` is the place that NULL was written to.
            unsafe { out.write(Box::into_raw(handle)) };
            MIME_CHARSET_OK
        }
        Err(status) => status,
    }
}

/// Writes a value to `out`.
///
/// # Safety
///
/// `out` is NULL, or a value of this type may be written to it.
pub(crate) unsafe fn put<T>(out: *mut T, find: impl FnOnce() -> Result<T, i32>) -> i32 {
    if out.is_null() {
        return MIME_CHARSET_NULL;
    }
    match guard(Err(MIME_CHARSET_PANIC), find) {
        Ok(value) => {
            // SAFETY: `write` asks for a place that a value of this type may be written to: `out` is not
            // NULL, and then is one, the caller promises.
            unsafe { out.write(value) };
            MIME_CHARSET_OK
        }
        Err(status) => status,
    }
}

/// Frees a handle; NULL is none.
///
/// # Safety
///
/// `handle` is NULL, or a handle that [`give`] made and nobody has freed or will use again.
pub(crate) unsafe fn free<H>(handle: *mut H) {
    if !handle.is_null() {
        // SAFETY: `from_raw` asks for a pointer out of a box of this type, once. `give` made the handle
        // out of one, and nobody has freed it or will use it again, the caller promises.
        guard((), || drop(unsafe { Box::from_raw(handle) }));
    }
}

/// What a handle stands for.
///
/// # Safety
///
/// As of [`with`], for as long as the reference is used. One that is good for `'static` is used by calls
/// with this handle alone, and by what the handle itself keeps.
pub(crate) unsafe fn read<'a, H>(handle: *const H) -> Result<&'a H, i32> {
    // SAFETY: as in `with`; the caller promises it for as long as the reference is used.
    unsafe { handle.as_ref() }.ok_or(MIME_CHARSET_NULL)
}

/// Writes as many values as there is room for; none where `out` is NULL.
///
/// # Safety
///
/// `out` is NULL, or `capacity` values may be written there.
pub(crate) unsafe fn write_all<T: Copy>(values: &[T], out: *mut T, capacity: usize) {
    if !out.is_null() {
        let length = values.len().min(capacity);
        // SAFETY: `copy_from_nonoverlapping` asks for `length` values to read, room for as many, and no
        // overlap. `length` is at most that of the slice, and at most `capacity`, for which there is room,
        // the caller promises; and the slice is Rust's own memory, which the caller has no pointer to.
        unsafe { out.copy_from_nonoverlapping(values.as_ptr(), length) };
    }
}

/// The octets that C hands over. NULL is none where the length is 0.
///
/// # Safety
///
/// `data` is NULL, or `length` octets may be read there and nobody writes to them for as long as
/// the slice is used.
pub(crate) unsafe fn octets<'a>(data: *const u8, length: usize) -> Result<&'a [u8], i32> {
    // SAFETY: `values` asks of values what this function asks of octets.
    unsafe { values(data, length) }
}

/// The values that C hands over. NULL is none where their number is 0.
///
/// # Safety
///
/// `data` is NULL, or `length` values may be read there and nobody writes to them for as long as
/// the slice is used.
pub(crate) unsafe fn values<'a, T>(data: *const T, length: usize) -> Result<&'a [T], i32> {
    if length == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(MIME_CHARSET_NULL);
    }
    let size = length.checked_mul(size_of::<T>());
    if size.is_none_or(|size| isize::try_from(size).is_err()) {
        return Err(MIME_CHARSET_INVALID);
    }
    // SAFETY: `from_raw_parts` asks for a pointer that is not NULL, at most `isize::MAX` octets, which
    // both were looked at, and values that may be read and that nobody writes to for as long as the
    // slice is used, which the caller promises.
    Ok(unsafe { slice::from_raw_parts(data, length) })
}

/// The text that C hands over.
///
/// # Safety
///
/// As of [`octets`].
pub(crate) unsafe fn utf8<'a>(data: *const c_char, length: usize) -> Result<&'a str, i32> {
    // SAFETY: `octets` asks for what this function asks for.
    let octets = unsafe { octets(data.cast(), length) }?;
    str::from_utf8(octets).map_err(|_| MIME_CHARSET_INVALID)
}

#[cfg(test)]
mod tests {
    use super::{MIME_CHARSET_NULL, MIME_CHARSET_PANIC, give, guard, octets, put, values};
    use std::ptr;

    #[test]
    fn a_panic_is_told_and_goes_no_further() {
        assert_eq!(guard(7, || panic!("on purpose")), 7);
        let mut handle = ptr::dangling_mut::<u8>();
        // SAFETY: `handle` is a place for a pointer.
        let status = unsafe { give(&raw mut handle, || panic!("on purpose")) };
        assert_eq!(status, MIME_CHARSET_PANIC);
        assert!(handle.is_null());
        let mut value = 1_u8;
        // SAFETY: `value` is a place for an octet.
        let status = unsafe { put(&raw mut value, || panic!("on purpose")) };
        assert_eq!((status, value), (MIME_CHARSET_PANIC, 1));
    }

    #[test]
    fn no_octets_are_none_and_too_many_are_refused() {
        // SAFETY: nothing is read where the pointer is NULL, the length 0 or past all memory.
        unsafe {
            assert_eq!(octets(ptr::null(), 0), Ok(&[][..]));
            assert_eq!(octets(ptr::null(), 1), Err(MIME_CHARSET_NULL));
            assert!(octets(ptr::dangling(), usize::MAX).is_err());
            // Their octets have no number.
            assert!(values::<u16>(ptr::dangling(), 1 << (usize::BITS - 1)).is_err());
        }
    }
}
