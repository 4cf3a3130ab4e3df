//! The ends of ASCII runs and of words.

use crate::work::work;

/// The offset of the first octet above 7F.
pub(crate) fn first_above_ascii(octets: &[u8]) -> Option<usize> {
    /// Octets tested at once, which is faster than one by one.
    const CHUNK: usize = 32;
    let blocks = octets.chunks(CHUNK).take_while(|block| block.is_ascii());
    let start = (CHUNK * blocks.count()).min(octets.len());
    work(start + CHUNK);
    let found = octets.get(start..)?.iter().position(|it| !it.is_ascii())?;
    Some(start + found)
}

/// Whether the octet separates words. All others may be letters in some charset.
pub(super) fn separates_words(octet: u8) -> bool {
    octet.is_ascii() && !octet.is_ascii_alphabetic()
}
