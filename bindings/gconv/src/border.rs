//! The three functions that glibc calls, and its structures (`gconv.h`). All `unsafe` is here.
//!
//! Guarantees of glibc, which each `SAFETY` below refers to:
//!
//! 1. *Steps.* `step` points to a `struct __gconv_step` that is readable for the whole call. Its
//!    `__data` is what [`gconv_init`] put there, until [`gconv_end`] takes it. While
//!    [`gconv_init`] and [`gconv_end`] run, no other thread uses the step; while [`gconv`] runs, other
//!    threads may read it.
//! 2. *Descriptors.* `data` points to a `struct __gconv_step_data` that this thread alone uses during
//!    the call, as iconv asks of its callers. `__statep` points to eight octets that are the
//!    descriptor's, zero at first.
//! 3. *Buffers.* `__outbuf` to `__outbufend` is memory that may be written to and that no other
//!    code uses. `*inptrp` to `inend` is memory that may be read and does not change. They do not overlap.
//! 4. *The chain.* Unless `__GCONV_IS_LAST` is set, another step follows `step` in memory, and
//!    its data follow `data`. If that step has no `__shlib_handle` it is glibc's own, and its
//!    `__fct` is a function that may be called as it is.
//!
//! These guarantees hold if glibc has the structures below. [`gconv_init`] rejects versions before
//! [`OLDEST`], and any step that does not have this module's functions in their fields; [`gconv`]
//! checks the data of each call. If a newer glibc moves a field, it lacks these charsets, but
//! nothing breaks.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use mime_charset::Charset;

use crate::conversion::Mode;
use crate::drive::{self, Code, Output};
use crate::states::{Key, States};

/// The oldest glibc (major, minor) that `tests/versions` was run with: its `gconv.h` and those of later
/// releases, up to 2.43, have these structures.
const OLDEST: (u32, u32) = (2, 23);

const IS_LAST: c_int = 0x0001;
const IGNORE_ERRORS: c_int = 0x0002;
/// `__GCONV_ENCOUNTERED_ILLEGAL_INPUT` of `gconv_int.h`: since glibc 2.41 a step sets it for `iconv -c`,
/// which otherwise exits with 0. Older versions ignore it.
const ENCOUNTERED_ILLEGAL_INPUT: c_int = 1 << 30;

/// `__gconv_fct`.
type Function = unsafe extern "C" fn(
    *mut Step,
    *mut StepData,
    *mut *const u8,
    *const u8,
    *mut *mut u8,
    *mut usize,
    c_int,
    c_int,
) -> c_int;

/// `struct __gconv_step`.
#[repr(C)]
pub struct Step {
    shlib_handle: *mut c_void,
    modname: *const c_char,
    counter: c_int,
    from_name: *const c_char,
    to_name: *const c_char,
    /// Encrypted by glibc if `shlib_handle` is not NULL.
    function: Option<Function>,
    btowc: *const c_void,
    init: *const c_void,
    end: *const c_void,
    min_needed_from: c_int,
    max_needed_from: c_int,
    min_needed_to: c_int,
    max_needed_to: c_int,
    stateful: c_int,
    data: *mut c_void,
}

/// `struct __gconv_step_data`.
#[repr(C)]
pub struct StepData {
    outbuf: *mut u8,
    outbufend: *mut u8,
    flags: c_int,
    invocation_counter: c_int,
    internal_use: c_int,
    statep: *mut State,
    state: State,
}

/// `mbstate_t`.
type State = [u32; 2];

// tests/layout.c checks the same numbers against the header.
const _: () = {
    assert!(size_of::<Step>() == 104 && size_of::<StepData>() == 48 && size_of::<State>() == 8);
    assert!(mem::offset_of!(Step, from_name) == 24 && mem::offset_of!(Step, function) == 40);
    assert!(mem::offset_of!(Step, min_needed_from) == 72 && mem::offset_of!(Step, data) == 96);
    assert!(mem::offset_of!(StepData, flags) == 16 && mem::offset_of!(StepData, statep) == 32);
};

unsafe extern "C" {
    fn gnu_get_libc_version() -> *const c_char;
}

/// Prepares a step: only from a charset that this library decodes, to UTF-8.
///
/// # Safety
///
/// glibc calls it, as `__gconv_init_fct` (1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gconv_init(step: *mut Step) -> c_int {
    let init = || {
        // SAFETY: `from_ptr` requires a string with a NUL at its end that stays: glibc's own version is
        // a constant of glibc's.
        let version = unsafe { CStr::from_ptr(gnu_get_libc_version()) };
        let is_old = version_of(version.to_bytes()).is_none_or(|version| version < OLDEST);
        // SAFETY: the step is readable (1).
        if is_old || !unsafe { has_our_functions(step) } {
            return Code::NO_CONVERSION;
        }
        // SAFETY: the step is ours alone (1), and its names are strings that live as long as it.
        let (step, from, to) = unsafe {
            let step = &mut *step;
            let from = CStr::from_ptr(step.from_name).to_bytes();
            let to = CStr::from_ptr(step.to_name).to_bytes();
            (step, from, to)
        };
        let name = from.strip_suffix(b"//").unwrap_or(from);
        let charset = str::from_utf8(name)
            .ok()
            .and_then(Charset::for_label)
            .filter(|charset| charset.is_decoded());
        let (Some(charset), b"ISO-10646/UTF8/") = (charset, to) else {
            return Code::NO_CONVERSION;
        };
        step.min_needed_from = 1;
        step.max_needed_from = 16;
        step.min_needed_to = 1;
        step.max_needed_to = 4;
        step.stateful = 1;
        step.data = Box::into_raw(Box::new(States::new(charset))).cast();
        Code::OK
    };
    guard(Code::NO_CONVERSION, init).0
}

/// Frees the data of a step.
///
/// # Safety
///
/// glibc calls it, as `__gconv_end_fct`, once for a step that [`gconv_init`] made ready (1).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gconv_end(step: *mut Step) {
    let end = || {
        // SAFETY: the step is ours alone, and its data NULL or the box of `gconv_init`, which is
        // taken out here so that nothing finds it again (1).
        unsafe {
            let data = mem::replace(&mut (*step).data, ptr::null_mut()).cast::<States>();
            if !data.is_null() {
                drop(Box::from_raw(data));
            }
        }
        Code::OK
    };
    guard(Code::OK, end);
}

/// Converts octets (`do_flush` 0), ends a text (1) or discards it (2).
///
/// # Safety
///
/// glibc calls it, as `__gconv_fct` (1 to 4).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gconv(
    step: *mut Step,
    data: *mut StepData,
    inptrp: *mut *const u8,
    inend: *const u8,
    outbufstart: *mut *mut u8,
    irreversible: *mut usize,
    do_flush: c_int,
    consume_incomplete: c_int,
) -> c_int {
    let run = || {
        let call = Call {
            step,
            data,
            outbufstart,
            irreversible,
            consume_incomplete,
        };
        // SAFETY: `run` requires the arguments of `gconv`, about which glibc guarantees (1) to (4); these
        // are they, unchanged.
        unsafe { call.run(inptrp, inend, do_flush) }
    };
    guard(Code::ILLEGAL_DESCRIPTOR, run).0
}

/// The major and the minor number of a version such as `2.36` or `2.36.9000`.
fn version_of(text: &[u8]) -> Option<(u32, u32)> {
    let mut numbers = str::from_utf8(text).ok()?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Whether the three functions of a step are this module's, which shows that the fields are at the
/// offsets of [`Step`].
///
/// glibc encrypts each with the same secret: by XOR, and on x86-64 by a rotation of 17 bits after it.
/// The XOR of two encrypted pointers is thus the XOR of the pointers, rotated.
///
/// # Safety
///
/// The step may be read.
unsafe fn has_our_functions(step: *const Step) -> bool {
    // SAFETY: the caller guarantees it.
    let (function, init, end) = unsafe { ((*step).function, (*step).init, (*step).end) };
    let function = function.map_or(0, |function| function as *const () as usize);
    let stored = [function ^ init as usize, function ^ end as usize];
    let ours = gconv as *const () as usize;
    let expected = [
        ours ^ gconv_init as *const () as usize,
        ours ^ gconv_end as *const () as usize,
    ];
    [0, 17]
        .iter()
        .any(|&bits| stored.map(|pointers| pointers.rotate_right(bits)) == expected)
}

/// Whether the fields of a descriptor's data are at the offsets of [`StepData`]: for iconv, its
/// `__statep` points to its own `__state`.
///
/// # Safety
///
/// The data may be read.
unsafe fn has_own_state(data: *const StepData) -> bool {
    // SAFETY: the caller guarantees it.
    let (statep, own) = unsafe { ((*data).statep.cast_const(), &raw const (*data).state) };
    statep == own
}

/// Runs a call from C. A panic would be a bug in this module; it does not reach C.
fn guard(otherwise: Code, run: impl FnOnce() -> Code) -> Code {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|payload| {
        // Dropping it may panic again.
        mem::forget(payload);
        otherwise
    })
}

/// The arguments that are constant during a call.
struct Call {
    step: *mut Step,
    data: *mut StepData,
    outbufstart: *mut *mut u8,
    irreversible: *mut usize,
    consume_incomplete: c_int,
}

impl Call {
    /// # Safety
    ///
    /// The arguments are those of [`gconv`].
    unsafe fn run(mut self, inptrp: *mut *const u8, inend: *const u8, do_flush: c_int) -> Code {
        // SAFETY: `data` may be read (2).
        if !unsafe { has_own_state(self.data) } {
            return Code::ILLEGAL_DESCRIPTOR;
        }
        // SAFETY: the step is readable, and its data is the `States` from `gconv_init`, which
        // threads modify only under its lock (1); the state is this descriptor's (2).
        let (states, statep) = unsafe {
            let states = (*self.step).data.cast::<States>().as_ref();
            (states, (*self.data).statep)
        };
        let Some(states) = states.filter(|_| self.can_call_next()) else {
            return Code::ILLEGAL_DESCRIPTOR;
        };
        // SAFETY: eight octets that this thread alone uses (2).
        let state = unsafe { &mut *statep };
        let key = key_of(*state);
        let conversion = states.take(key);
        if do_flush != 0 && do_flush != 1 {
            *state = [0; 2];
            return if self.is_last() {
                Code::OK
            } else {
                self.call_next(ptr::null_mut(), ptr::null(), do_flush)
            };
        }
        // `None` after a panic: the descriptor is unusable until it is reset.
        let Some(mut conversion) = conversion else {
            return Code::ILLEGAL_DESCRIPTOR;
        };
        let mode = self.mode();
        if do_flush == 1 {
            let code = drive::flush(&mut conversion, mode, &mut self);
            *state = match code {
                Code::OK => [0; 2],
                _ => state_of(states.keep(key, conversion)),
            };
            self.mark(code);
            return code;
        }
        // SAFETY: `between` requires the two ends of memory that is readable while `input` is used;
        // they are the ends of the input, which does not change during the call (3).
        let input = unsafe { between(*inptrp, inend) };
        let (read, ignored, code) = drive::convert(&mut conversion, input, mode, &mut self);
        *state = state_of(states.keep(key, conversion));
        // SAFETY: `read` is at most the length of the input, so the pointer stays in it or at its
        // end (3). The count is NULL or a number of glibc's for this call, and the data is this
        // thread's (2).
        unsafe {
            *inptrp = (*inptrp).add(read);
            if let Some(count) = self.irreversible.as_mut() {
                *count += ignored;
            }
            (*self.data).invocation_counter += 1;
        }
        self.mark(code);
        code
    }

    /// Reports malformed input to `iconv -c`.
    fn mark(&self, code: Code) {
        if code == Code::ILLEGAL_INPUT {
            // SAFETY: `data` is this thread's (2).
            unsafe { (*self.data).flags |= ENCOUNTERED_ILLEGAL_INPUT };
        }
    }

    fn flags(&self) -> c_int {
        // SAFETY: `data` points to a structure that may be read during the call (2).
        unsafe { (*self.data).flags }
    }

    fn mode(&self) -> Mode {
        Mode {
            // Skipped sequences have to be counted.
            ignore: self.flags() & IGNORE_ERRORS != 0 && !self.irreversible.is_null(),
            keep_incomplete: self.consume_incomplete != 0,
            split: false,
        }
    }

    /// Whether the next step can be called. glibc encrypts the functions of modules that it loaded,
    /// so only its own steps, which read UTF-8 after a module, can be called. If the structures had
    /// another size, the next step would not begin with our target charset, nor would its data have
    /// their own state.
    fn can_call_next(&self) -> bool {
        // SAFETY: unless this is the last step, another one follows it in memory, and its data
        // follow ours; all are readable (1, 2, 4).
        self.is_last()
            || unsafe {
                let next = &*self.step.add(1);
                next.from_name == (*self.step).to_name
                    && has_own_state(self.data.add(1))
                    && next.shlib_handle.is_null()
                    && next.function.is_some()
            }
    }

    /// Calls the next step with the octets from `from` on, or to end its text.
    fn call_next(&self, from: *mut *const u8, end: *const u8, do_flush: c_int) -> Code {
        // SAFETY: `run` gets here only if `can_call_next`, so another step and its data follow ours in
        // memory, and its function is glibc's own and callable (4). It requires (1) to (3) for its
        // own arguments: its input is what was written to our buffer, or nothing, and its output
        // buffer is in its own data.
        unsafe {
            let (step, data) = (self.step.add(1), self.data.add(1));
            let Some(function) = (*step).function else {
                return Code::ILLEGAL_DESCRIPTOR;
            };
            Code(function(
                step,
                data,
                from,
                end,
                ptr::null_mut(),
                self.irreversible,
                do_flush,
                self.consume_incomplete,
            ))
        }
    }
}

impl Output for Call {
    /// A caller with its own output buffer wants no further step, such as glibc when it converts a
    /// single character.
    fn is_last(&self) -> bool {
        self.flags() & IS_LAST != 0 || !self.outbufstart.is_null()
    }

    fn room(&mut self) -> &mut [u8] {
        // SAFETY: `data` is readable, and `outbufstart` is NULL or a pointer of glibc's for this
        // call (2). From `start` to the end is the output buffer, which no other code uses (3). As
        // `self` is borrowed, this is the only slice of it.
        unsafe {
            let data = &*self.data;
            let start = self
                .outbufstart
                .as_ref()
                .map_or(data.outbuf, |start| *start);
            let length = (data.outbufend as usize).saturating_sub(start as usize);
            if start.is_null() || length == 0 {
                return &mut [];
            }
            slice::from_raw_parts_mut(start, length)
        }
    }

    fn written(&mut self, length: usize) {
        // SAFETY: `length` octets of the room were written, so the pointer stays in the buffer or
        // at its end (3); both places for it are this call's (2).
        unsafe {
            let place = match self.outbufstart.as_mut() {
                Some(start) => start,
                None => &mut (*self.data).outbuf,
            };
            *place = place.add(length);
        }
    }

    fn pass(&mut self, length: usize) -> (usize, Code) {
        // SAFETY: `data` points to a structure that may be read during the call (2).
        let start = unsafe { (*self.data).outbuf };
        let mut from = start.cast_const();
        // SAFETY: `length` is at most that of the room, so the end stays in the buffer or at its
        // end (3).
        let end = unsafe { from.add(length) };
        let code = self.call_next(&raw mut from, end, 0);
        (
            (from as usize).saturating_sub(start as usize).min(length),
            code,
        )
    }

    fn flush(&mut self) -> Code {
        self.call_next(ptr::null_mut(), ptr::null(), 1)
    }
}

/// The octets between two pointers.
///
/// # Safety
///
/// They are the start and the end of memory that is readable and unchanged while the octets are
/// used, or NULL, or equal.
unsafe fn between<'a>(start: *const u8, end: *const u8) -> &'a [u8] {
    let length = (end as usize).saturating_sub(start as usize);
    if start.is_null() || length == 0 {
        return &[];
    }
    // SAFETY: `from_raw_parts` requires `length` readable octets, unchanged while the slice is
    // used: `start` is not NULL, and the caller guarantees the rest.
    unsafe { slice::from_raw_parts(start, length) }
}

fn key_of([low, high]: State) -> Key {
    Key::from(high) << 32 | Key::from(low)
}

#[expect(clippy::cast_possible_truncation, reason = "each half of it")]
fn state_of(key: Key) -> State {
    [key as u32, (key >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::{
        OLDEST, Step, StepData, gconv, gconv_end, gconv_init, has_our_functions, has_own_state,
        version_of,
    };
    use std::mem;

    #[test]
    fn versions_are_compared_by_number() {
        assert_eq!(version_of(b"2.36"), Some((2, 36)));
        assert_eq!(version_of(b"2.36.9000"), Some((2, 36)));
        assert_eq!(version_of(b"2"), None);
        assert!(version_of(b"2.4") < Some(OLDEST) && version_of(b"2.100") > Some(OLDEST));
    }

    #[test]
    fn data_without_its_own_state_is_rejected() {
        // SAFETY: all zero, the data have NULL pointers and the number 0.
        let mut data: StepData = unsafe { mem::zeroed() };
        // SAFETY: data that exist.
        assert!(!unsafe { has_own_state(&raw const data) });
        data.statep = &raw mut data.state;
        // SAFETY: as above.
        assert!(unsafe { has_own_state(&raw const data) });
    }

    #[test]
    fn a_step_has_the_functions_only_in_their_places() {
        // SAFETY: all zero, a step has NULL pointers, no function and the number 0.
        let mut step: Step = unsafe { mem::zeroed() };
        // SAFETY: a step that exists.
        let fits = |step: &Step| unsafe { has_our_functions(step) };
        assert!(!fits(&step));
        let [function, init, end] = [
            gconv as *const () as usize,
            gconv_init as *const () as usize,
            gconv_end as *const () as usize,
        ];
        for (secret, bits) in [
            (0, 0),
            (0xB1B2_B3B4_B5B6_B7B8, 0),
            (0xB1B2_B3B4_B5B6_B7B8, 17),
        ] {
            let encrypt = |pointer: usize| (pointer ^ secret).rotate_left(bits);
            // SAFETY: any number but zero is a function pointer that is not called.
            step.function =
                Some(unsafe { mem::transmute::<usize, super::Function>(encrypt(function)) });
            step.init = encrypt(init) as *const _;
            step.end = encrypt(end) as *const _;
            assert!(fits(&step));
            mem::swap(&mut step.init, &mut step.end);
            assert!(!fits(&step));
        }
    }
}
