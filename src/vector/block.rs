//! Blocks of sixty-four octets.
//!
//! Loops over a block classify all its octets at once; compilers turn them into vector instructions.
//! The result is a bit mask. The code after it iterates over set bits instead of octets. This leaves
//! few branches that text can mispredict, the bottleneck of octet-by-octet decoders.
//!
//! Code for blocks is written once, as a [`Task`], and compiled twice: for the baseline
//! instructions of the processor, and for its vector instructions, if the processor has them. The
//! two versions differ only in how a [`Machine`] computes masks.

#![expect(
    clippy::inline_always,
    reason = "code on blocks is compiled for the processor only if inlined"
)]

/// Code that works on blocks.
///
/// `run` and everything it calls per block must be `#[inline(always)]`: only inlined code is
/// compiled for the machine.
pub(crate) trait Task {
    type Output;

    fn run(self, machine: impl Machine) -> Self::Output;
}

/// The number of octets in a block.
pub(crate) const BLOCK: usize = 64;

/// Octets on the stack, aligned to a cache line. Without alignment their address varies between
/// runs of a program, and with it the time to read octets that were just written.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Aligned<const N: usize>(pub(crate) [u8; N]);

/// For each octet of a block, FF if it matches, else 0.
pub(crate) type Flags = [u8; BLOCK];

/// Flags the octets that match. Write `is_one` without `&&` and `||`, which compile to branches.
#[inline(always)]
pub(crate) fn flags(octets: &[u8; BLOCK], is_one: impl Fn(u8) -> bool) -> Flags {
    let mut flags = [0; BLOCK];
    for (flag, &octet) in flags.iter_mut().zip(octets) {
        *flag = u8::from(is_one(octet)).wrapping_neg();
    }
    flags
}

/// Computes masks from blocks.
pub(crate) trait Machine: Copy {
    /// The top bits; the lowest bit is the first octet's.
    fn top_bits(self, octets: &[u8; BLOCK]) -> u64;

    /// The flags as bits, eight per octet; the lowest bit is the first flag's.
    fn eights(self, flags: &Flags) -> [u8; 8];

    /// The octets as eight bit planes, lowest bits first. Bitwise operations on planes classify all
    /// octets at once.
    fn planes(self, octets: &[u8; BLOCK]) -> [u64; 8];
}

/// Portable: integer arithmetic only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Machine for Portable {
    #[inline]
    fn top_bits(self, octets: &[u8; BLOCK]) -> u64 {
        const LOWEST: u64 = u64::from_le_bytes([1; 8]);
        // Multiplication moves bit 8j to bit 56 + j without carries.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let (words, _) = octets.as_chunks::<8>();
        words.iter().rev().fold(0, |bits, word| {
            let tops = u64::from_le_bytes(*word) >> 7 & LOWEST;
            bits << 8 | tops.wrapping_mul(GATHER) >> 56
        })
    }

    #[inline]
    fn eights(self, flags: &Flags) -> [u8; 8] {
        // Keep in each octet the bit of its index; the product adds them in the top octet.
        const PLACES: u64 = 0x8040_2010_0804_0201;
        let (words, _) = flags.as_chunks::<8>();
        let mut eights = [0; 8];
        for (eight, word) in eights.iter_mut().zip(words) {
            let places = u64::from_le_bytes(*word) & PLACES;
            *eight = (places.wrapping_mul(0x0101_0101_0101_0101) >> 56) as u8;
        }
        eights
    }

    #[inline]
    fn planes(self, octets: &[u8; BLOCK]) -> [u64; 8] {
        let mut words = [0; 8];
        let (eights, _) = octets.as_chunks::<8>();
        for (word, eight) in words.iter_mut().zip(eights) {
            *word = transposed(u64::from_le_bytes(*eight));
        }
        // Octet p of word r now has bit p of eight octets; this square must be transposed too.
        exchange(&mut words, 4, 0x0000_0000_FFFF_FFFF);
        exchange(&mut words, 2, 0x0000_FFFF_0000_FFFF);
        exchange(&mut words, 1, 0x00FF_00FF_00FF_00FF);
        words
    }
}

/// Exchanges the high part of each word with the low part of the word `distance` after it. Parts
/// are `distance` octets wide; `low` masks the low ones.
#[inline]
fn exchange(words: &mut [u64; 8], distance: usize, low: u64) {
    let bits = 8 * distance;
    for both in words.chunks_exact_mut(2 * distance) {
        let (front, back) = both.split_at_mut(distance);
        for (front, back) in front.iter_mut().zip(back) {
            let high = *front >> bits & low;
            *front = *front & low | (*back & low) << bits;
            *back = *back & !low | high;
        }
    }
}

/// Transposes a square of eight by eight bits (Warren, Hacker's Delight, section 7-3).
#[inline]
fn transposed(mut square: u64) -> u64 {
    for (shift, half) in [
        (7, 0x00AA_00AA_00AA_00AA),
        (14, 0x0000_CCCC_0000_CCCC),
        (28, 0x0000_0000_F0F0_F0F0),
    ] {
        let other = (square ^ square >> shift) & half;
        square ^= other ^ other << shift;
    }
    square
}

/// Appends the positions of a mask's bits, eight per octet, plus `base`, to `places` at `count`, and
/// adds their number to `count`. Bits must be at least three apart, like the first octets of
/// three-octet characters. `None` if fewer than four more fit.
///
/// Looks up eight bits at a time and always writes four positions: a loop over the bits would end
/// unpredictably.
#[inline(always)]
pub(crate) fn append_places(
    mask: [u8; 8],
    base: u16,
    places: &mut [u16],
    count: &mut usize,
) -> Option<()> {
    const EACH: u64 = 0x0001_0001_0001_0001;
    let mut base = u64::from(base) * EACH;
    for eight in mask {
        let found = *BIT_PLACES.get(usize::from(eight))?;
        let next = places.get_mut(*count..)?.first_chunk_mut::<4>()?;
        let [p, q, r, s] = next;
        let here = found.wrapping_add(base);
        (*p, *q, *r, *s) = (lane(here, 0), lane(here, 1), lane(here, 2), lane(here, 3));
        *count += usize::from(lane(found, 3));
        base = base.wrapping_add(8 * EACH);
    }
    Some(())
}

#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "one of four")]
fn lane(four: u64, number: u32) -> u16 {
    (four >> (16 * number)) as u16
}

/// For each octet, the positions of its lowest three set bits, sixteen bits each, and their number in
/// the highest sixteen bits.
#[expect(clippy::indexing_slicing, reason = "runs at compile time")]
static BIT_PLACES: [u64; 256] = {
    let mut table = [0; 256];
    let mut mask = 0;
    while mask < table.len() {
        let (mut count, mut bit) = (0, 0);
        while bit < 8 && count < 3 {
            if mask >> bit & 1 == 1 {
                table[mask] |= bit << (16 * count);
                count += 1;
            }
            bit += 1;
        }
        table[mask] |= count << 48;
        mask += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{BLOCK, Machine, Portable, Task, append_places, flags};
    use crate::vector::run;

    /// Runs every method of a machine on one block.
    struct Masks<'o>(&'o [u8; BLOCK]);

    impl Task for Masks<'_> {
        type Output = (u64, [u8; 8], [u64; 8]);

        #[inline(always)]
        fn run(self, machine: impl Machine) -> Self::Output {
            let has_top_bit = flags(self.0, |octet| octet > 0x7F);
            (
                machine.top_bits(self.0),
                machine.eights(&has_top_bit),
                machine.planes(self.0),
            )
        }
    }

    /// Reference implementation, bit by bit.
    fn bits(octets: &[u8; BLOCK], bit: usize) -> u64 {
        let bits = octets.iter().map(|octet| u64::from(octet >> bit & 1));
        bits.rev().fold(0, |mask, bit| mask << 1 | bit)
    }

    #[track_caller]
    fn check(octets: &[u8; BLOCK]) {
        let planes = std::array::from_fn(|bit| bits(octets, bit));
        let top_bits = bits(octets, 7);
        let expected = (top_bits, top_bits.to_le_bytes(), planes);
        assert_eq!(Masks(octets).run(Portable), expected, "{octets:?}");
        assert_eq!(run(Masks(octets)), expected, "{octets:?}");
    }

    #[test]
    fn bits_are_in_octet_order() {
        for at in 0..BLOCK {
            for octet in [0x80, 0x7F, 0xFF, 0x01] {
                let mut octets = [0; BLOCK];
                octets[at] = octet;
                check(&octets);
            }
            let mut octets = [0; BLOCK];
            octets[at] = 0xE3;
            let is_lead = flags(&octets, |octet| octet == 0xE3);
            assert_eq!(Portable.top_bits(&is_lead), 1 << at);
            assert_eq!(is_lead[at], 0xFF);
        }
    }

    proptest! {
        /// At any alignment, as in real text.
        #[test]
        fn machines_agree(octets in prop::array::uniform32(any::<[u8; 4]>()), at in 0..BLOCK) {
            let octets = octets.as_flattened();
            check(octets[at..].first_chunk().unwrap());
        }
    }

    #[test]
    fn places_match_the_bits() {
        let masks = [
            0_u64,
            1,
            1 << 63,
            0x8000_0100_0010_0001,
            0x9249_2492_4924_9249,
            0x2492_4924_9249_2492,
            0x4924_9249_2492_4924,
        ];
        for mask in masks {
            let (mut found, mut count) = ([0; 30], 2);
            assert_eq!(
                append_places(mask.to_le_bytes(), 640, &mut found, &mut count),
                Some(())
            );
            let bits = (0..64).filter(|at| mask >> at & 1 == 1).map(|at| 640 + at);
            assert_eq!(found[2..count], bits.collect::<Vec<u16>>());
        }
    }

    #[test]
    fn four_more_places_need_capacity() {
        let (mut found, mut count) = ([0; 3], 0);
        assert_eq!(append_places([1; 8], 0, &mut found, &mut count), None);
    }

    /// Ensures that `machines_agree` compares two machines.
    #[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
    #[test]
    fn this_processor_has_the_vectors() {
        if cfg!(target_arch = "aarch64") {
            assert!(crate::vector::simd::Vectors::detect().is_some());
            return;
        }
        let is_named = std::fs::read_to_string("/proc/cpuinfo").is_ok_and(|text| {
            ["avx2", "bmi1", "abm"]
                .iter()
                .all(|name| text.contains(name))
        });
        assert!(crate::vector::simd::Vectors::detect().is_some() || !is_named);
    }
}
