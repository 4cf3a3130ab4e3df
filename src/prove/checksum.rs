//! CRC-64 (ECMA-182, section B.1, with the bits reflected and inverted as the XZ file format,
//! section 5.3, has it), and the one octet that a wrong one points at.

use crc64fast::Digest;

/// The polynomial, its bits reflected.
const POLYNOMIAL: u64 = 0xC96C_5795_D787_0F42;

/// The checksum of `octets`.
pub(crate) fn of(octets: &[u8]) -> u64 {
    let mut digest = Digest::new();
    digest.write(octets);
    digest.sum64()
}

/// Which octet of `octets` must be another for them to have the checksum `sum`: the place
/// of one damaged octet. `None` where no single octet explains the difference.
///
/// The difference of two checksums is that of the octets alone, carried on over the octets
/// behind it. It is carried back octet by octet until what is left fits in one.
pub(super) fn damaged(octets: &[u8], sum: u64) -> Option<usize> {
    let mut difference = of(octets) ^ sum;
    if difference == 0 {
        return None;
    }
    for at in (0..octets.len()).rev() {
        // Each octet behind the damage has carried the difference on as one of zeros would.
        difference = back(difference);
        if difference <= 0xFF {
            return Some(at);
        }
    }
    None
}

/// The sum before an octet of zeros was added.
fn back(mut sum: u64) -> u64 {
    for _ in 0..8 {
        // The polynomial's first bit shows whether it was added.
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
    use super::{damaged, of};

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
    fn any_one_damaged_octet_is_named() {
        let octets: Vec<u8> = (0..=255).cycle().take(700).collect();
        let sum = of(&octets);
        assert_eq!(damaged(&octets, sum), None);
        for at in 0..octets.len() {
            for difference in [1, 0x80, 0xFF, 0x55] {
                let mut damaged_octets = octets.clone();
                damaged_octets[at] ^= difference;
                assert_eq!(damaged(&damaged_octets, sum), Some(at));
            }
        }
    }
}
