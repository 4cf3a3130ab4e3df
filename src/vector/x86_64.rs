//! Thirty-two octets in a register of AVX2.

use std::arch::x86_64::{
    __m128i, __m256i, _MM_HINT_T0, _mm_cvtsi128_si64, _mm_extract_epi64, _mm_prefetch,
    _mm_set_epi64x, _mm_shuffle_epi8, _mm_storeu_si128, _mm256_add_epi8, _mm256_and_si256,
    _mm256_andnot_si256, _mm256_blendv_epi8, _mm256_castsi256_si128, _mm256_cmpeq_epi8,
    _mm256_cmpgt_epi8, _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_slli_epi16, _mm256_srli_epi16, _mm256_testz_si256,
};
use std::mem::MaybeUninit;
use std::sync::LazyLock;

/// Calls a function that is compiled for the processor, which a [`Vectors`](super::Vectors) shows to
/// have what it needs.
macro_rules! compiled {
    ($call:expr) => {
        // SAFETY: there is a `Vectors` only where the processor has these features.
        unsafe { $call }
    };
}
pub(super) use compiled;

/// Whether the processor has what the functions below are compiled for; it is asked once in a process.
#[inline]
pub(super) fn is_there() -> bool {
    static HAS_ALL: LazyLock<bool> = LazyLock::new(|| {
        is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
    });
    *HAS_ALL
}

/// Asks memory for what stands there.
pub(super) fn fetch(octet: &u8) {
    // SAFETY: every processor of this architecture has the instruction, which reads nothing into the
    // program, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(octet).cast()) };
}

/// Thirty-two octets.
pub(super) type Octets = __m256i;
/// Sixteen octets.
pub(super) type Sixteen = __m128i;

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn load(octets: &[u8; 32]) -> Octets {
    // SAFETY: reads 32 octets, which are there; they may stand at any address.
    unsafe { _mm256_loadu_si256(octets.as_ptr().cast()) }
}

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn zero() -> Octets {
    _mm256_setzero_si256()
}

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn all(octet: u8) -> Octets {
    _mm256_set1_epi8(octet.cast_signed())
}

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn and(a: Octets, b: Octets) -> Octets {
    _mm256_and_si256(a, b)
}

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn or(a: Octets, b: Octets) -> Octets {
    _mm256_or_si256(a, b)
}

/// The bits of `b` that are not in `a`.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn without(a: Octets, b: Octets) -> Octets {
    _mm256_andnot_si256(a, b)
}

/// The sums, without what is carried.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn add(a: Octets, b: Octets) -> Octets {
    _mm256_add_epi8(a, b)
}

/// All ones where the octets are equal.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn equal(a: Octets, b: Octets) -> Octets {
    _mm256_cmpeq_epi8(a, b)
}

/// All ones where `a` is greater, octets above 7F being negative.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn greater(a: Octets, b: Octets) -> Octets {
    _mm256_cmpgt_epi8(a, b)
}

/// The octets of `b` where `ones` is all ones, and else those of `a`.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn choose(a: Octets, b: Octets, ones: Octets) -> Octets {
    _mm256_blendv_epi8(a, b, ones)
}

/// What stands in a table, which is twice the same, at the place that the lower four bits of an octet
/// name; zero for octets above 7F.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn look_up(table: Octets, places: Octets) -> Octets {
    _mm256_shuffle_epi8(table, places)
}

/// The upper four bits of each octet.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn upper(octets: Octets) -> Octets {
    _mm256_and_si256(_mm256_srli_epi16::<4>(octets), all(0x0F))
}

/// The lower four bits of each octet as its upper ones.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn raised(octets: Octets) -> Octets {
    _mm256_and_si256(_mm256_slli_epi16::<4>(octets), all(0xF0))
}

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn is_zero(octets: Octets) -> bool {
    _mm256_testz_si256(octets, octets) != 0
}

/// The top bit of each octet, the first octet's lowest.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn mask(octets: Octets) -> u32 {
    _mm256_movemask_epi8(octets).cast_unsigned()
}

/// Four values of six bits each as 24 bits, the lowest octet first in the four octets.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn joined_sextets(values: Octets) -> Octets {
    // Two values to 12 bits, and two of those to 24.
    let pairs = _mm256_maddubs_epi16(values, _mm256_set1_epi16(0x0140));
    _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x0001_1000))
}

#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn split(octets: Octets) -> [Sixteen; 2] {
    [
        _mm256_castsi256_si128(octets),
        _mm256_extracti128_si256::<1>(octets),
    ]
}

/// The octets that stand at the places that two times eight octets name.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) fn picked(octets: Sixteen, [low, high]: [i64; 2]) -> [i64; 2] {
    let picked = _mm_shuffle_epi8(octets, _mm_set_epi64x(high, low));
    [_mm_cvtsi128_si64(picked), _mm_extract_epi64::<1>(picked)]
}

/// Writes 16 octets.
///
/// # Safety
///
/// They have to be there.
#[target_feature(enable = "avx2,bmi1,lzcnt,popcnt")]
#[inline]
pub(super) unsafe fn store(place: *mut MaybeUninit<u8>, octets: Sixteen) {
    // SAFETY: writes 16 octets, which are there; they may stand at any address.
    unsafe { _mm_storeu_si128(place.cast(), octets) };
}
