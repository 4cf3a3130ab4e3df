//! Hexadecimal digits, of which quoted-printable writes those in upper case (RFC 2045, section 6.7,
//! rule 1).

/// What [`digit`] adds to the value of a digit in lower case.
pub(super) const LOWER_CASE: u8 = 0x10;
/// What is no digit.
pub(super) const NO_DIGIT: u8 = 0xFF;

/// The octet that two hexadecimal digits of either case stand for, and what follows them.
#[inline]
pub(crate) fn two_hexadecimal(octets: &[u8]) -> Option<(u8, &[u8])> {
    let [high, low, rest @ ..] = octets else {
        return None;
    };
    let (high, low) = (digit(*high), digit(*low));
    // Of what they may be, `NO_DIGIT` alone has this bit.
    let are_digits = (high | low) & 0x80 == 0;
    are_digits.then_some((high << 4 | low & !LOWER_CASE, rest))
}

/// The value of a hexadecimal digit, with [`LOWER_CASE`] added to that of a lower-case one,
/// or [`NO_DIGIT`].
pub(super) fn digit(octet: u8) -> u8 {
    const VALUES: [u8; 256] = values();
    #[expect(
        clippy::indexing_slicing,
        reason = "runs when compiling, where a slip is a build error"
    )]
    const fn values() -> [u8; 256] {
        let mut values = [NO_DIGIT; 256];
        let mut value = 0;
        while value < 16 {
            values[b"0123456789abcdef"[value as usize] as usize] = value | LOWER_CASE;
            values[b"0123456789ABCDEF"[value as usize] as usize] = value;
            value += 1;
        }
        values
    }
    VALUES.get(usize::from(octet)).copied().unwrap_or(NO_DIGIT)
}
