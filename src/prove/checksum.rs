//! CRC-64 (ECMA-182, section B.1, reflected and inverted as in the XZ file format, section 5.3), and
//! the damaged octet that a wrong checksum locates.

use crc64fast::Digest;

/// The polynomial, its bits reflected.
const POLYNOMIAL: u64 = 0xC96C_5795_D787_0F42;

/// The checksum of `octets`.
pub(crate) fn of(octets: &[u8]) -> u64 {
    let mut digest = Digest::new();
    digest.write(octets);
    digest.sum64()
}

/// The offset of the one damaged octet, if changing one octet gives `octets` the checksum `sum`.
///
/// The XOR of two checksums depends only on the XOR of the octets, carried forward over the octets that
/// follow. Carry it back octet by octet until it fits in one octet.
pub(super) fn damaged_offset(octets: &[u8], sum: u64) -> Option<usize> {
    let mut difference = of(octets) ^ sum;
    if difference == 0 {
        return None;
    }
    for at in (0..octets.len()).rev() {
        // Each octet after the damage has carried the difference forward like a zero octet.
        difference = before_zero_octet(difference);
        if difference <= 0xFF {
            return Some(at);
        }
    }
    None
}

/// The checksum before a zero octet was appended.
fn before_zero_octet(mut sum: u64) -> u64 {
    for _ in 0..8 {
        // The top bit of the polynomial shows whether it was added.
        sum = if sum >> 63 == 1 {
            (sum ^ POLYNOMIAL) << 1 | 1
        } else {
            sum << 1
        };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{damaged_offset, of};

    /// Computed by `lzma_crc64` of liblzma 5.4.1.
    #[test]
    fn known_sums() {
        assert_eq!(of(b"123456789"), 0x995D_C9BB_DF19_39FA);
        assert_eq!(of("한국어\r\n".as_bytes()), 0x982F_A2E0_4F20_F2F3);
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(of(&all), 0x7241_4B2F_65DB_3AB0);
        assert_eq!(of(b""), 0);
    }

    #[test]
    fn a_single_damaged_octet_is_found() {
        let octets: Vec<u8> = (0..=255).cycle().take(700).collect();
        let sum = of(&octets);
        assert_eq!(damaged_offset(&octets, sum), None);
        for at in 0..octets.len() {
            for difference in [1, 0x80, 0xFF, 0x55] {
                let mut damaged_octets = octets.clone();
                damaged_octets[at] ^= difference;
                assert_eq!(damaged_offset(&damaged_octets, sum), Some(at));
            }
        }
    }
}
