//! Thirty-two octets in two registers of NEON, which every 64-bit ARM processor with an operating
//! system has.

use std::arch::aarch64::{
    uint8x16_t, vaddq_u8, vandq_u8, vbicq_u8, vbslq_u8, vceqq_u8, vcgtq_s8, vcltzq_s8, vcombine_u8,
    vcreate_u8, vdupq_n_u8, vgetq_lane_s64, vgetq_lane_u32, vld1q_u8, vmaxvq_u8, vorrq_u8,
    vpaddq_u8, vqtbl1q_u8, vreinterpretq_s8_u8, vreinterpretq_s64_u8, vreinterpretq_u8_u32,
    vreinterpretq_u16_u8, vreinterpretq_u32_u8, vreinterpretq_u32_u16, vshlq_n_u8, vshrq_n_u8,
    vshrq_n_u16, vshrq_n_u32, vsliq_n_u16, vsliq_n_u32, vst1q_u8,
};
use std::arch::asm;
use std::mem::MaybeUninit;

/// Calls a function that is compiled for the processor: as all are.
macro_rules! compiled {
    ($call:expr) => {
        $call
    };
}
pub(super) use compiled;

/// Whether the processor has what the functions below are compiled for.
#[inline]
pub(super) fn is_there() -> bool {
    true
}

const _: () = assert!(
    cfg!(all(target_feature = "neon", target_endian = "little")),
    "for this processor leave out the feature `simd`"
);

/// Calls functions of NEON.
macro_rules! neon {
    ($call:expr) => {
        // SAFETY: the crate is compiled for processors that have NEON, as is asserted above.
        unsafe { $call }
    };
}

/// Asks memory for what stands there.
pub(super) fn fetch(octet: &u8) {
    // SAFETY: every processor of this architecture has the instruction, which reads nothing into the
    // program, whatever the address.
    unsafe {
        asm!(
            "prfm pldl1keep, [{}]",
            in(reg) std::ptr::from_ref(octet),
            options(readonly, nostack, preserves_flags)
        );
    }
}

/// Thirty-two octets.
pub(super) type Octets = [uint8x16_t; 2];
/// Sixteen octets.
pub(super) type Sixteen = uint8x16_t;

/// Does the same with both halves.
#[inline(always)]
fn each(octets: Octets, of: impl Fn(Sixteen) -> Sixteen) -> Octets {
    let [low, high] = octets;
    [of(low), of(high)]
}

/// The same of two.
#[inline(always)]
fn of_both(a: Octets, b: Octets, of: impl Fn(Sixteen, Sixteen) -> Sixteen) -> Octets {
    let ([a_low, a_high], [b_low, b_high]) = (a, b);
    [of(a_low, b_low), of(a_high, b_high)]
}

#[inline]
pub(super) fn load(octets: &[u8; 32]) -> Octets {
    let (halves, _) = octets.as_chunks::<16>();
    match halves {
        // SAFETY: each reads 16 octets, which are there; they may stand at any address.
        [low, high] => unsafe { [vld1q_u8(low.as_ptr()), vld1q_u8(high.as_ptr())] },
        _ => zero(),
    }
}

#[inline]
pub(super) fn zero() -> Octets {
    all(0)
}

#[inline]
pub(super) fn all(octet: u8) -> Octets {
    [neon!(vdupq_n_u8(octet)); 2]
}

#[inline]
pub(super) fn and(a: Octets, b: Octets) -> Octets {
    of_both(a, b, |a, b| neon!(vandq_u8(a, b)))
}

#[inline]
pub(super) fn or(a: Octets, b: Octets) -> Octets {
    of_both(a, b, |a, b| neon!(vorrq_u8(a, b)))
}

/// The bits of `b` that are not in `a`.
#[inline]
pub(super) fn without(a: Octets, b: Octets) -> Octets {
    of_both(a, b, |a, b| neon!(vbicq_u8(b, a)))
}

/// The sums, without what is carried.
#[inline]
pub(super) fn add(a: Octets, b: Octets) -> Octets {
    of_both(a, b, |a, b| neon!(vaddq_u8(a, b)))
}

/// All ones where the octets are equal.
#[inline]
pub(super) fn equal(a: Octets, b: Octets) -> Octets {
    of_both(a, b, |a, b| neon!(vceqq_u8(a, b)))
}

/// All ones where `a` is greater, octets above 7F being negative.
#[inline]
pub(super) fn greater(a: Octets, b: Octets) -> Octets {
    of_both(a, b, |a, b| {
        neon!(vcgtq_s8(vreinterpretq_s8_u8(a), vreinterpretq_s8_u8(b)))
    })
}

/// The octets of `b` where `ones` is all ones, and else those of `a`.
#[inline]
pub(super) fn choose(a: Octets, b: Octets, ones: Octets) -> Octets {
    let [low, high] = ones;
    let ([a_low, a_high], [b_low, b_high]) = (a, b);
    neon!([vbslq_u8(low, b_low, a_low), vbslq_u8(high, b_high, a_high)])
}

/// What stands in a table, which is twice the same, at the place that the lower four bits of an octet
/// name; zero for octets above 7F.
#[inline]
pub(super) fn look_up(table: Octets, places: Octets) -> Octets {
    // The instruction gives zero for any place beyond the table.
    of_both(table, places, |table, places| {
        neon!(vqtbl1q_u8(table, vandq_u8(places, vdupq_n_u8(0x8F))))
    })
}

/// The upper four bits of each octet.
#[inline]
pub(super) fn upper(octets: Octets) -> Octets {
    each(octets, |octets| neon!(vshrq_n_u8::<4>(octets)))
}

/// The lower four bits of each octet as its upper ones.
#[inline]
pub(super) fn raised(octets: Octets) -> Octets {
    each(octets, |octets| neon!(vshlq_n_u8::<4>(octets)))
}

#[inline]
pub(super) fn is_zero([low, high]: Octets) -> bool {
    neon!(vmaxvq_u8(vorrq_u8(low, high))) == 0
}

/// The top bit of each octet, the first octet's lowest.
#[inline]
pub(super) fn mask(octets: Octets) -> u32 {
    // Of each octet the bit that is its place among eight, and all of them added up.
    const PLACES: u64 = 0x8040_2010_0804_0201;
    let places = neon!(vcombine_u8(vcreate_u8(PLACES), vcreate_u8(PLACES)));
    let [low, high] = each(octets, |octets| {
        neon!(vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(octets)), places))
    });
    let eights = neon!({
        let pairs = vpaddq_u8(low, high);
        let fours = vpaddq_u8(pairs, pairs);
        vpaddq_u8(fours, fours)
    });
    neon!(vgetq_lane_u32::<0>(vreinterpretq_u32_u8(eights)))
}

/// Four values of six bits each as 24 bits, the lowest octet first in the four octets.
#[inline]
pub(super) fn joined_sextets(values: Octets) -> Octets {
    // The first of two values comes before the second: two values to 12 bits, and two of those to 24.
    each(values, |values| {
        neon!({
            let pairs = vreinterpretq_u16_u8(values);
            let pairs = vsliq_n_u16::<6>(vshrq_n_u16::<8>(pairs), pairs);
            let pairs = vreinterpretq_u32_u16(pairs);
            let fours = vsliq_n_u32::<12>(vshrq_n_u32::<16>(pairs), pairs);
            vreinterpretq_u8_u32(fours)
        })
    })
}

#[inline]
pub(super) fn split(octets: Octets) -> [Sixteen; 2] {
    octets
}

/// The octets that stand at the places that two times eight octets name.
#[inline]
pub(super) fn picked(octets: Sixteen, [low, high]: [i64; 2]) -> [i64; 2] {
    let (low, high) = (low.cast_unsigned(), high.cast_unsigned());
    neon!({
        let places = vcombine_u8(vcreate_u8(low), vcreate_u8(high));
        let picked = vreinterpretq_s64_u8(vqtbl1q_u8(octets, places));
        [vgetq_lane_s64::<0>(picked), vgetq_lane_s64::<1>(picked)]
    })
}

/// Writes 16 octets.
///
/// # Safety
///
/// They have to be there.
#[inline]
pub(super) unsafe fn store(place: *mut MaybeUninit<u8>, octets: Sixteen) {
    // SAFETY: writes 16 octets, which are there; they may stand at any address.
    unsafe { vst1q_u8(place.cast(), octets) };
}
