//! Hexadecimal digits and percent-encoding.

use crate::work::work;

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

/// Appends `text` with its percent-encoding decoded (RFC 3986, section 2.1; RFC 2231, section 7). A percent
/// sign without two hexadecimal digits is kept. Returns whether there is one.
pub(crate) fn percent_decode(text: &[u8], octets: &mut Vec<u8>) -> bool {
    work(text.len());
    octets.reserve(text.len());
    let mut has_bad_sign = false;
    let mut rest = text;
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            if let Some((octet, after)) = two_hexadecimal(after) {
                octets.push(octet);
                rest = after;
                continue;
            }
            has_bad_sign = true;
        }
        octets.push(*first);
    }
    has_bad_sign
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
