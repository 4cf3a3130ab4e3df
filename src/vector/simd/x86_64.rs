//! Thirty-two octets in an AVX2 register.

use std::arch::x86_64::{
    __m256i, _MM_HINT_T0, _mm_prefetch, _mm256_add_epi8, _mm256_loadu_si256, _mm256_movemask_epi8,
};
use std::sync::LazyLock;

/// Calls a function that is compiled for AVX2. A [`Vectors`](super::Vectors) proves that the processor
/// has it.
macro_rules! compiled {
    ($call:expr) => {
        // SAFETY: a `Vectors` exists only if the processor has these features.
        unsafe { $call }
    };
}
pub(super) use compiled;

/// Whether the processor has the features for which the functions below are compiled. Detected once per
/// process.
#[inline]
pub(super) fn is_supported() -> bool {
    static HAS_ALL: LazyLock<bool> = LazyLock::new(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    });
    *HAS_ALL
}

/// Prefetches the cache line of an octet.
pub(super) fn fetch(octet: &u8) {
    // SAFETY: every processor of this architecture has the instruction. It only prefetches, so any
    // address is allowed.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(octet).cast()) };
}

/// Thirty-two octets.
type Octets = __m256i;

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn load(octets: &[u8; 32]) -> Octets {
    // SAFETY: reads the 32 octets of the array; the instruction takes any address.
    unsafe { _mm256_loadu_si256(octets.as_ptr().cast()) }
}

/// Wrapping sums.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn add(a: Octets, b: Octets) -> Octets {
    _mm256_add_epi8(a, b)
}

/// The top bit of each octet; the lowest bit is the first octet's.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn mask(octets: Octets) -> u32 {
    _mm256_movemask_epi8(octets).cast_unsigned()
}
