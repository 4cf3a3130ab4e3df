//! The ends of ASCII runs and of words.

use crate::work::work;

/// The offset of the first octet above 7F.
pub(crate) fn first_above_ascii(octets: &[u8]) -> Option<usize> {
    /// Octets tested at once, which is faster than one by one.
    const AT_ONCE: usize = 32;
    let blocks = octets.chunks(AT_ONCE).take_while(|block| block.is_ascii());
    let start = (AT_ONCE * blocks.count()).min(octets.len());
    work(start + AT_ONCE);
    let found = octets.get(start..)?.iter().position(|it| !it.is_ascii())?;
    Some(start + found)
}

/// Whether the octet separates words. All others may be letters in some charset.
pub(super) fn is_gap(octet: u8) -> bool {
    octet.is_ascii() && !octet.is_ascii_alphabetic()
}
