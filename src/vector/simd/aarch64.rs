//! Thirty-two octets in two NEON registers, which every 64-bit ARM processor with an operating system
//! has.

use std::arch::aarch64::{
    uint8x16_t, vaddq_u8, vandq_u8, vcltzq_s8, vcombine_u8, vcreate_u8, vgetq_lane_u32, vld1q_u8,
    vpaddq_u8, vreinterpretq_s8_u8, vreinterpretq_u32_u8,
};
use std::arch::asm;

/// Calls a function that is compiled for NEON, as all functions are.
macro_rules! compiled {
    ($call:expr) => {
        $call
    };
}
pub(super) use compiled;

/// Whether the processor has the features for which the functions below are compiled.
#[inline]
pub(super) fn is_supported() -> bool {
    true
}

const _: () = assert!(
    cfg!(all(target_feature = "neon", target_endian = "little")),
    "for this processor leave out the feature `simd`"
);

/// Prefetches the cache line of an octet.
pub(super) fn fetch(octet: &u8) {
    // SAFETY: every processor of this architecture has the instruction. It only prefetches, so any
    // address is allowed.
    unsafe {
        asm!(
            "prfm pldl1keep, [{}]",
            in(reg) std::ptr::from_ref(octet),
            options(readonly, nostack, preserves_flags)
        );
    }
}

/// Thirty-two octets.
type Octets = [uint8x16_t; 2];

#[inline]
pub(super) fn load(octets: &[u8; 32]) -> Octets {
    let first = octets.as_ptr();
    // SAFETY: reads the 32 octets of the array, 16 at a time; the instruction takes any address.
    unsafe { [vld1q_u8(first), vld1q_u8(first.add(16))] }
}

/// Wrapping sums.
#[inline]
pub(super) fn add([a, b]: Octets, [c, d]: Octets) -> Octets {
    // SAFETY: the crate is compiled for processors with NEON, as asserted above.
    unsafe { [vaddq_u8(a, c), vaddq_u8(b, d)] }
}

/// The top bit of each octet; the lowest bit is the first octet's.
#[inline]
pub(super) fn mask([low, high]: Octets) -> u32 {
    // Each octet contributes the bit of its position among eight; pairwise additions join them.
    const PLACES: u64 = 0x8040_2010_0804_0201;
    // SAFETY: as for `add`.
    unsafe {
        let places = vcombine_u8(vcreate_u8(PLACES), vcreate_u8(PLACES));
        let low = vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(low)), places);
        let high = vandq_u8(vcltzq_s8(vreinterpretq_s8_u8(high)), places);
        let pairs = vpaddq_u8(low, high);
        let fours = vpaddq_u8(pairs, pairs);
        let eights = vpaddq_u8(fours, fours);
        vgetq_lane_u32::<0>(vreinterpretq_u32_u8(eights))
    }
}
