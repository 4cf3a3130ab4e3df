//! Converts C's pointers to references, and values to handles.

use std::ffi::c_char;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use crate::status::{MIME_CHARSET_INVALID, MIME_CHARSET_NULL, MIME_CHARSET_OK, MIME_CHARSET_PANIC};

/// Text in UTF-8, or octets if a function says so. A NUL follows at `data[length]`; text may
/// contain NULs of its own. The function that returns it names its owner. `data` is NULL if the text
/// is missing.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Utf8 {
    /// The octets.
    pub data: *const c_char,
    /// The number of octets, without the NUL.
    pub length: usize,
}

/// Octets of a message, without a NUL after them.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Octets {
    /// The octets; may be NULL if there are none.
    pub data: *const u8,
    /// The number of octets.
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

/// Octets with a NUL after them.
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

/// Octets of a handle, with a NUL after them: short ones are stored in the handle itself, without
/// an allocation.
pub(crate) enum HandleOctets {
    /// Length and octets, padded with zeros.
    Inline(u8, [u8; HandleOctets::INLINE]),
    Boxed(Terminated),
}

impl HandleOctets {
    /// The capacity of a handle, including the NUL; most header fields fit.
    pub(crate) const INLINE: usize = 64;

    pub(crate) const EMPTY: HandleOctets = HandleOctets::Inline(0, [0; HandleOctets::INLINE]);

    /// Wraps owned octets: pushes the NUL, copies nothing.
    #[inline]
    pub(crate) fn owned(mut octets: Vec<u8>) -> Self {
        octets.reserve_exact(1);
        octets.push(0);
        HandleOctets::Boxed(Terminated(octets))
    }

    /// Copies octets into an empty value.
    #[inline]
    pub(crate) fn copy(&mut self, octets: &[u8]) {
        if let HandleOctets::Inline(length, here) = self
            && let Some(place) = here.get_mut(..octets.len())
        {
            place.copy_from_slice(octets);
            *length = octets.len() as u8;
        }
    }

    /// A view of the octets, valid until the value is moved.
    pub(crate) fn view(&self) -> Utf8 {
        match self {
            HandleOctets::Inline(length, octets) => Utf8 {
                data: octets.as_ptr().cast(),
                length: usize::from(*length),
            },
            HandleOctets::Boxed(octets) => octets.view(),
        }
    }
}

/// Calls `read`; returns `otherwise` if it panics.
pub(crate) fn guard<T>(otherwise: T, read: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(value) => value,
        Err(payload) => {
            // Dropping it may panic again.
            mem::forget(payload);
            otherwise
        }
    }
}

/// Calls `read` with the value behind a handle; returns `otherwise` for NULL.
///
/// # Safety
///
/// `handle` is NULL, or a handle of this type that has not been freed.
pub(crate) unsafe fn with<H, T>(handle: *const H, otherwise: T, read: impl FnOnce(&H) -> T) -> T
where
    T: Copy,
{
    // SAFETY: `as_ref` requires NULL or a value of this type that does not change during the call. A handle
    // that has not been freed is one: `give` made it, and all its readers only read.
    match unsafe { handle.as_ref() } {
        Some(handle) => guard(otherwise, || read(handle)),
        None => otherwise,
    }
}

/// Makes a handle and writes it to `out`, or NULL on failure.
///
/// # Safety
///
/// `out` is NULL, or a pointer may be written to it.
pub(crate) unsafe fn give<H>(out: *mut *mut H, make: impl FnOnce() -> Result<Box<H>, i32>) -> i32 {
    if out.is_null() {
        return MIME_CHARSET_NULL;
    }
    // SAFETY: `write` requires a place that a pointer may be written to: `out` is not NULL, so the
    // caller guarantees it.
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
            // SAFETY: `write` requires a place that a value of this type may be written to: `out`
            // is not NULL, so the caller guarantees it.
            unsafe { out.write(value) };
            MIME_CHARSET_OK
        }
        Err(status) => status,
    }
}

/// Frees a handle; ignores NULL.
///
/// # Safety
///
/// `handle` is NULL, or a handle that [`give`] made, that is not freed yet and not used after this call.
pub(crate) unsafe fn free<H>(handle: *mut H) {
    if !handle.is_null() {
        // SAFETY: `from_raw` requires a pointer out of a box of this type, once. `give` made the handle
        // out of one. The caller guarantees that it is not freed yet and not used after this call.
        guard((), || drop(unsafe { Box::from_raw(handle) }));
    }
}

/// The value behind a handle.
///
/// # Safety
///
/// As for [`with`], for as long as the reference is used. A `'static` reference may only be used by
/// calls with this handle, and by values that the handle owns.
pub(crate) unsafe fn read<'a, H>(handle: *const H) -> Result<&'a H, i32> {
    // SAFETY: as in `with`; the caller guarantees it while the reference is used.
    unsafe { handle.as_ref() }.ok_or(MIME_CHARSET_NULL)
}

/// Writes as many values as fit; none if `out` is NULL.
///
/// # Safety
///
/// `out` is NULL, or `capacity` values may be written there.
pub(crate) unsafe fn write_all<T: Copy>(values: &[T], out: *mut T, capacity: usize) {
    if !out.is_null() {
        let length = values.len().min(capacity);
        // SAFETY: `copy_from_nonoverlapping` requires `length` values to read, room for as many, and no
        // overlap. `length` is at most that of the slice, and at most `capacity`, for which the
        // caller guarantees room. The slice is Rust's own memory, to which the caller has no
        // pointer.
        unsafe { out.copy_from_nonoverlapping(values.as_ptr(), length) };
    }
}

/// Octets passed by C. NULL is allowed if the length is 0.
///
/// # Safety
///
/// `data` is NULL, or `length` octets may be read there and do not change while the slice is
/// used.
pub(crate) unsafe fn octets<'a>(data: *const u8, length: usize) -> Result<&'a [u8], i32> {
    // SAFETY: `values` requires of values what this function requires of octets.
    unsafe { values(data, length) }
}

/// Values passed by C. NULL is allowed if their number is 0.
///
/// # Safety
///
/// `data` is NULL, or `length` values may be read there and do not change while the slice is
/// used.
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
    // SAFETY: `from_raw_parts` requires a pointer that is not NULL and at most `isize::MAX` octets; both
    // are checked above. The caller guarantees values that may be read and do not change while the slice
    // is used.
    Ok(unsafe { slice::from_raw_parts(data, length) })
}

/// Text passed by C.
///
/// # Safety
///
/// As for [`octets`].
pub(crate) unsafe fn utf8<'a>(data: *const c_char, length: usize) -> Result<&'a str, i32> {
    // SAFETY: `octets` requires what this function requires.
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
            // The total number of octets overflows.
            assert!(values::<u16>(ptr::dangling(), 1 << (usize::BITS - 1)).is_err());
        }
    }
}
