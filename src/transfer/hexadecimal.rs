//! Hexadecimal digits.

/// The octet that two hexadecimal digits of either case stand for, and what follows them.
#[inline]
pub(crate) fn two_hexadecimal(octets: &[u8]) -> Option<(u8, &[u8])> {
    let [high, low, rest @ ..] = octets else {
        return None;
    };
    // Without branches: whether a digit is a letter is unpredictable.
    let are_digits = high.is_ascii_hexdigit() & low.is_ascii_hexdigit();
    let value = |digit: u8| (digit & 0xF) + 9 * (digit >> 6);
    are_digits.then_some((value(*high) << 4 | value(*low), rest))
}
