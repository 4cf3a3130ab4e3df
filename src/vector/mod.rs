//! Code on blocks of octets, compiled for the vector instructions of the processor.
//!
//! `block` is safe code. All `unsafe` code of the crate is in `simd`, which is compiled only with the
//! feature `simd`.

mod block;
#[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod simd;

pub(crate) use block::{Aligned, BLOCK, Machine, Portable, Task, append_places, flags};
#[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use simd::{fetch, owned_text, utf8_start};

/// Does nothing: prefetching needs the instructions of `simd`.
#[cfg(not(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(crate) fn fetch(_octets: &[u8]) {}

/// Runs the task with the best available instructions.
#[inline]
pub(crate) fn run<T: Task>(task: T) -> T::Output {
    #[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
    if let Some(vector) = simd::Vectors::detect() {
        return vector.run(task);
    }
    task.run(Portable)
}
