//! Decodes octets to UTF-8 in pieces, with an interface like iconv's.

use std::ffi::c_char;

use mime_charset::Decoder as Pieces;

use crate::border::{free, give, guard, octets, read};
use crate::charset::Charset;
use crate::options::{Options, options as options_of};
use crate::status::{
    MIME_CHARSET_FULL, MIME_CHARSET_INVALID, MIME_CHARSET_NULL, MIME_CHARSET_OK, MIME_CHARSET_PANIC,
};
use crate::text::Text;

/// Decodes in pieces. Freed with `mime_charset_decoder_free`; one thread at a time.
pub struct Decoder {
    state: State,
    /// Decoded text; the text before `taken` was already returned.
    text: String,
    taken: usize,
}

enum State {
    Reading(Box<Pieces>),
    Finished,
    /// After a panic its state is unknown.
    Failed,
}

/// Maximum number of octets decoded at once; bounds the text that waits for room in the output.
const STEP: usize = 4096;

impl Decoder {
    /// Passes the decoder to `read`, and stores the decoder that `read` returns. If `read` panics,
    /// the decoder is rejected from then on.
    fn advance<T>(
        &mut self,
        read: impl FnOnce(Box<Pieces>, &mut String) -> (State, T),
    ) -> Result<T, i32> {
        match std::mem::replace(&mut self.state, State::Failed) {
            State::Reading(pieces) => {
                let (state, value) = read(pieces, &mut self.text);
                self.state = state;
                Ok(value)
            }
            State::Finished => {
                self.state = State::Finished;
                Err(MIME_CHARSET_INVALID)
            }
            State::Failed => Err(MIME_CHARSET_PANIC),
        }
    }

    /// Copies characters to `room`, and returns the number of octets copied.
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

/// The end of the last complete character before an offset.
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
    let mut place = None;
    let make = || {
        // SAFETY: the caller guarantees what these require. `read`: NULL or a charset (charsets are never
        // freed). `options_of`: NULL or options of the size in their first field.
        let (charset, options) = unsafe { (read(charset)?, options_of(options, &mut place)?) };
        Ok(Box::new(Decoder {
            state: State::Reading(Box::new(Pieces::with_options(charset.value, options))),
            text: String::new(),
            taken: 0,
        }))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Decodes from `*in` to `*out` and advances both, like iconv: `*in_left` and `*out_left` are the
/// numbers of octets left. Characters are never cut. Returns `MIME_CHARSET_FULL` if the next
/// character does not fit. Malformed octets become U+FFFD and a finding. Consumed octets may be
/// buffered until more follow: `mime_charset_decoder_finish` returns the rest.
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
    // SAFETY: the four places are not NULL, and point to what they are named for. `as_mut` requires NULL or
    // exclusive use of a decoder: it has not been freed, and one thread at a time uses it. The caller
    // guarantees all of it.
    let (decoder, from, from_length, to, to_length) =
        unsafe { (decoder.as_mut(), *r#in, *in_left, *out, *out_left) };
    let Some(decoder) = decoder else {
        return MIME_CHARSET_NULL;
    };
    // SAFETY: `octets` requires readable octets of that length, unchanged while in use: the caller
    // guarantees it.
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
                // SAFETY: the caller guarantees that `to` has room for `to_length` octets. `written` of
                // them are taken, and `length` more fit; `staged` is ours and overlaps nothing.
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
            let next = rest.get(..rest.len().min(STEP)).unwrap_or_default();
            decoder.taken = 0;
            decoder.text.clear();
            let pushed = decoder.advance(|mut pieces, text| {
                text.push_str(pieces.push(next));
                (State::Reading(pieces), ())
            });
            if let Err(status) = pushed {
                return status;
            }
            read += next.len();
        }
    });
    // SAFETY: the four places are not NULL and may be written to: the caller guarantees it. `read` is at most
    // the length of the input and `written` at most that of the output, so that both places stay in
    // their buffers.
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

/// Ends the text: returns the text not returned yet, and the findings of the whole text, with
/// offsets in the octets of all pieces. The second call returns `MIME_CHARSET_INVALID`.
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
        // SAFETY: `as_mut` requires NULL or exclusive use of a decoder. The caller guarantees that it has
        // not been freed, and that one thread at a time uses it.
        let decoder = unsafe { decoder.as_mut() }.ok_or(MIME_CHARSET_NULL)?;
        let decoded = decoder.advance(|pieces, _| (State::Finished, pieces.finish()))?;
        let mut text = decoder.text.split_off(decoder.taken);
        text.push_str(decoded.as_str());
        decoder.text.truncate(0);
        decoder.taken = 0;
        let (charset, source) = (decoded.charset(), decoded.source());
        let (_, report) = decoded.into_parts();
        Ok(Text::of(text.into(), report).in_charset(charset, source))
    };
    // SAFETY: `give` requires NULL or room for a pointer at `out`: the caller guarantees it.
    unsafe { give(out, make) }
}

/// Frees a decoder.
///
/// # Safety
///
/// `decoder` is NULL or a decoder that has not been freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mime_charset_decoder_free(decoder: *mut Decoder) {
    // SAFETY: `free` requires NULL or a handle of this kind not used again: the caller
    // guarantees it.
    unsafe { free(decoder) }
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::{
        Decoder, MIME_CHARSET_PANIC, Pieces, State, mime_charset_decoder_convert,
        mime_charset_decoder_finish,
    };
    use crate::border::guard;

    /// No input is known to make the library panic, so the test panics in the reader.
    #[test]
    fn after_a_panic_a_decoder_is_refused() {
        let pieces = Pieces::new(mime_charset::Charset::UTF_8);
        let mut decoder = Decoder {
            state: State::Reading(Box::new(pieces)),
            text: String::new(),
            taken: 0,
        };
        let status = guard(Err(MIME_CHARSET_PANIC), || {
            decoder.advance(|_, _| -> (State, ()) { panic!("on purpose") })
        });
        assert_eq!(status, Err(MIME_CHARSET_PANIC));
        let (mut from, mut from_left) = (b"a".as_ptr(), 1);
        let mut room = [0; 4];
        let (mut to, mut to_left) = (room.as_mut_ptr(), room.len());
        // SAFETY: each pointer is to what it is named for, and outlives the call.
        let status = unsafe {
            mime_charset_decoder_convert(
                &raw mut decoder,
                &raw mut from,
                &raw mut from_left,
                &raw mut to,
                &raw mut to_left,
            )
        };
        assert_eq!((status, from_left, to_left), (MIME_CHARSET_PANIC, 1, 4));
        let mut text = ptr::null_mut();
        // SAFETY: the decoder is ours, and `text` a place for a pointer.
        let status = unsafe { mime_charset_decoder_finish(&raw mut decoder, &raw mut text) };
        assert_eq!((status, text), (MIME_CHARSET_PANIC, ptr::null_mut()));
    }
}
