//! Hexadecimal digits.

/// Parses two hexadecimal digits of either case. Returns the octet and the rest.
#[inline]
pub(crate) fn two_hexadecimal(octets: &[u8]) -> Option<(u8, &[u8])> {
    let [high, low, rest @ ..] = octets else {
        return None;
    };
    // Without branches, since a processor cannot predict whether a digit is a letter.
    let (high, low) = (value(*high), value(*low));
    ((high | low) < NO_DIGIT).then_some((high << 4 | low & 0xF, rest))
}

const NO_DIGIT: u8 = 16;

/// The value of a digit, or [`NO_DIGIT`].
fn value(octet: u8) -> u8 {
    #[expect(
        clippy::indexing_slicing,
        reason = "runs at compile time, where a mistake is a build error"
    )]
    const VALUES: [u8; 256] = {
        let mut values = [NO_DIGIT; 256];
        let mut value = 0;
        while value < NO_DIGIT {
            values[b"0123456789ABCDEF"[value as usize] as usize] = value;
            values[b"0123456789abcdef"[value as usize] as usize] = value;
            value += 1;
        }
        values
    };
    VALUES.get(usize::from(octet)).copied().unwrap_or(NO_DIGIT)
}
