//! Tasks compiled for vector instructions: AVX2 on x86-64 processors (`x86_64`), and NEON, which all
//! 64-bit ARM processors have (`aarch64`).
//!
//! Explicit vector instructions are used only for masks, since the compiler makes no vector
//! instructions of the loops that would compute them. Here `unsafe` code calls functions compiled for
//! AVX2, and NEON instructions; loads vectors from arrays; prefetches; and converts octets to text
//! after validating them as UTF-8.

#![expect(
    unsafe_code,
    reason = "a function compiled for vectors may only be called where the processor has them, \
              vectors are read through pointers, hints take an address, and validated octets are text"
)]
#![expect(
    clippy::inline_always,
    reason = "a mask takes an instruction or two, less than a call"
)]

use std::borrow::Cow;
use std::hint::black_box;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;

use super::block::{BLOCK, Flags, Machine, Task};
#[cfg(target_arch = "aarch64")]
use aarch64 as processor;
use processor::{add, compiled, load, mask};
#[cfg(target_arch = "x86_64")]
use x86_64 as processor;

/// Proof that the processor has the features for which the functions below are compiled.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vectors(());

impl Vectors {
    /// Detects the features of the processor.
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        processor::is_supported().then_some(Vectors(()))
    }

    /// Runs `task`, compiled for the processor.
    #[inline]
    pub(super) fn run<T: Task>(self, task: T) -> T::Output {
        compiled!(run(self, task))
    }
}

impl Machine for Vectors {
    #[inline(always)]
    fn top_bits(self, octets: &[u8; BLOCK]) -> u64 {
        compiled!(top_bits(octets))
    }

    #[inline(always)]
    fn eights(self, flags: &Flags) -> [u8; 8] {
        self.top_bits(flags).to_le_bytes()
    }

    #[inline(always)]
    fn planes(self, octets: &[u8; BLOCK]) -> [u64; 8] {
        compiled!(planes(octets))
    }
}

/// Prefetches the start of a header block or body, up to the length of most header blocks. A
/// mailbox is not in the cache, and waiting for one cache line after another took a fifth of the
/// time of parsing messages.
pub(crate) fn fetch(octets: &[u8]) {
    const LINE: usize = 64;
    const LINES: usize = 24;
    for first in octets.iter().step_by(LINE).take(LINES) {
        processor::fetch(first);
    }
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
fn run<T: Task>(vector: Vectors, task: T) -> T::Output {
    task.run(vector)
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn top_bits(octets: &[u8; BLOCK]) -> u64 {
    let (halves, _) = octets.as_chunks();
    let mut bits = 0;
    for half in halves.iter().rev() {
        bits = bits << 32 | u64::from(mask(load(half)));
    }
    bits
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn planes(octets: &[u8; BLOCK]) -> [u64; 8] {
    let (halves, _) = octets.as_chunks();
    let mut planes = [0; 8];
    for half in halves.iter().rev() {
        let mut octets = load(half);
        for plane in planes.iter_mut().rev() {
            *plane = *plane << 32 | u64::from(mask(octets));
            // The next bit becomes the top one.
            octets = add(octets, octets);
        }
    }
    // If the compiler knows how the masks were computed, it turns operations on them into vector
    // instructions, and needs five times as many.
    black_box(planes)
}

/// The well-formed UTF-8 at the start of octets.
///
/// A safe `&str` would require a second validation. That took a tenth of the time for text with one
/// malformed octet in 4096.
pub(crate) fn utf8_start(octets: &[u8]) -> &str {
    match simdutf8::compat::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => {
            let valid = octets.get(..error.valid_up_to()).unwrap_or_default();
            debug_assert!(std::str::from_utf8(valid).is_ok(), "not valid up to there");
            // SAFETY: these octets are validated.
            unsafe { std::str::from_utf8_unchecked(valid) }
        }
    }
}

/// The text that `read` returns, and the rest of its result. If the text borrows all of `octets`,
/// it stays in their memory.
///
/// Copying many octets takes longer than decoding them, mostly because of the allocation.
pub(crate) fn owned_text<R>(
    octets: Vec<u8>,
    read: impl for<'o> FnOnce(&'o [u8]) -> (Cow<'o, str>, R),
) -> (String, R) {
    let (text, rest) = read(&octets);
    match text {
        Cow::Borrowed(text) if std::ptr::eq(text.as_bytes(), octets.as_slice()) => {
            // SAFETY: a `str` had the same memory and length, and nothing has been written there since.
            let mut text = unsafe { String::from_utf8_unchecked(octets) };
            if text.capacity() - text.len() > text.len() / 8 {
                text.shrink_to_fit();
            }
            (text, rest)
        }
        other => (other.into_owned(), rest),
    }
}
