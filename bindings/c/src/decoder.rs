//! Octets to UTF-8 in pieces, with iconv's manners.

use std::ffi::c_char;

use mime_charset::Decoder as Pieces;

use crate::border::{free, give, guard, octets};
use crate::charset::Charset;
use crate::options::{Options, options as options_of};
use crate::status::{
    MIME_CHARSET_FULL, MIME_CHARSET_INVALID, MIME_CHARSET_NULL, MIME_CHARSET_OK, MIME_CHARSET_PANIC,
};
use crate::text::Text;

/// Decodes in pieces. Freed with `mime_charset_decoder_free`; one thread at a time.
pub struct Decoder {
    /// None once it has finished.
    pieces: Option<Pieces>,
    /// Text that is decoded and not yet handed over, from `taken` on.
    text: String,
    taken: usize,
}

/// How many octets are decoded at once: text waits for room in the output, and there is no more of
/// it than these octets make.
const STEP: usize = 4096;

impl Decoder {
    /// Moves characters to `room`, and says how many octets they take.
    fn hand_over(&mut self, room: &mut [u8]) -> usize {
        let waiting = self.text.get(self.taken..).unwrap_or_default();
        let length = waiting.floor_char_boundary_of(room.len());
        if let (Some(to), Some(from)) = (room.get_mut(..length), waiting.as_bytes().get(..length)) {
            to.copy_from_slice(from);
        }
        self.taken += length;
        length
    }

    fn is_waiting(&self) -> bool {
        self.taken < self.text.len()
    }
}

/// The end of the last whole character before a length.
trait Boundary {
    fn floor_char_boundary_of(&self, length: usize) -> usize;
}

impl Boundary for str {
    fn floor_char_boundary_of(&self, length: usize) -> usize {
        let mut end = length.min(self.len());
        while !self.is_char_boundary(end) {
            end -= 1;
        }
        end
    }
}

/// A decoder at the start of a text.
///
/// # Safety
///
/// `charset` is NULL or a charset of this library; `options` are NULL or options; a pointer may be
/// written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_decoder_new(
    charset: *const Charset,
    options: *const Options,
    out: *mut *mut Decoder,
) -> i32 {
    let make = || {
        // SAFETY: the caller's promise.
        let (charset, options) = unsafe { (charset.as_ref(), options_of(options)?) };
        let charset = charset.ok_or(MIME_CHARSET_NULL)?;
        Ok(Decoder {
            pieces: Some(Pieces::with_options(charset.value, &options)),
            text: String::new(),
            taken: 0,
        })
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, make) }
}

/// Decodes from `*in` to `*out`, and moves both on, as iconv does: `*in_left` and `*out_left` say how
/// many octets are left. Characters are never cut. `MIME_CHARSET_FULL` where there was no room for
/// the next; what is malformed becomes U+FFFD and a finding. Octets taken may still be waiting for
/// those that follow them: `mime_charset_decoder_finish` gives the rest.
///
/// # Safety
///
/// `decoder` is NULL or a decoder that has not been freed; the others are NULL or point to what they
/// are named for; the two buffers do not overlap.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_decoder_convert(
    decoder: *mut Decoder,
    r#in: *mut *const u8,
    in_left: *mut usize,
    out: *mut *mut c_char,
    out_left: *mut usize,
) -> i32 {
    if r#in.is_null() || in_left.is_null() || out.is_null() || out_left.is_null() {
        return MIME_CHARSET_NULL;
    }
    // SAFETY: they are not NULL, and the caller's promise; nobody else has the decoder meanwhile.
    let (decoder, from, from_length, to, to_length) =
        unsafe { (decoder.as_mut(), *r#in, *in_left, *out, *out_left) };
    let Some(decoder) = decoder else {
        return MIME_CHARSET_NULL;
    };
    // SAFETY: the caller's promise.
    let input = match unsafe { octets(from, from_length) } {
        Ok(input) => input,
        Err(status) => return status,
    };
    if to.is_null() && to_length > 0 {
        return MIME_CHARSET_NULL;
    }
    let mut staged = [0; STEP];
    let (mut read, mut written) = (0, 0);
    let status = guard(MIME_CHARSET_PANIC, || {
        loop {
            while decoder.is_waiting() {
                let room = staged.len().min(to_length - written);
                let length = decoder.hand_over(staged.get_mut(..room).unwrap_or_default());
                if length == 0 {
                    return MIME_CHARSET_FULL;
                }
                // SAFETY: `to` has room for `to_length` octets, says the caller, of which `written`
                // are taken and `length` fit; `staged` is ours and overlaps nothing.
                unsafe {
                    to.add(written)
                        .copy_from_nonoverlapping(staged.as_ptr().cast(), length)
                };
                written += length;
            }
            let rest = input.get(read..).unwrap_or_default();
            if rest.is_empty() {
                return MIME_CHARSET_OK;
            }
            let Some(pieces) = &mut decoder.pieces else {
                return MIME_CHARSET_INVALID;
            };
            let next = rest.get(..rest.len().min(STEP)).unwrap_or_default();
            // Before the octets are read, so that after a panic they are not read again.
            read += next.len();
            decoder.taken = 0;
            decoder.text.clear();
            decoder.text.push_str(pieces.push(next));
        }
    });
    // SAFETY: they are not NULL, and the caller's promise; `read` and `written` are within.
    unsafe {
        *in_left = from_length - read;
        *out_left = to_length - written;
        if read > 0 {
            *r#in = from.add(read);
        }
        if written > 0 {
            *out = to.add(written);
        }
    }
    status
}

/// Ends the text: what has not been handed over, and the findings of all of it, whose offsets count
/// the octets of all pieces. `MIME_CHARSET_INVALID` the second time.
///
/// # Safety
///
/// `decoder` is NULL or a decoder that has not been freed; a pointer may be written to `out`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_decoder_finish(
    decoder: *mut Decoder,
    out: *mut *mut Text,
) -> i32 {
    let make = || {
        // SAFETY: the caller's promise.
        let decoder = unsafe { decoder.as_mut() }.ok_or(MIME_CHARSET_NULL)?;
        let decoded = decoder.pieces.take().ok_or(MIME_CHARSET_INVALID)?.finish();
        let mut text = decoder.text.split_off(decoder.taken);
        text.push_str(decoded.as_str());
        decoder.text.truncate(0);
        decoder.taken = 0;
        Ok(Text::new(text, decoded.report()).in_charset(decoded.charset(), decoded.source()))
    };
    // SAFETY: the caller's promise.
    unsafe { give(out, make) }
}

/// Frees a decoder.
///
/// # Safety
///
/// `decoder` is NULL or a decoder that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_decoder_free(decoder: *mut Decoder) {
    // SAFETY: the caller's promise.
    unsafe { free(decoder) }
}
