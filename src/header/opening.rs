//! Finds `=?`, which begins an encoded word (RFC 2047, section 2).

use memchr::memchr;

use crate::work::work;

/// Whether `octets` contain `=?`, the start of every encoded word.
pub(crate) fn has_opening(octets: &[u8]) -> bool {
    opening(octets).is_some()
}

/// The offset of the first `=?`.
pub(super) fn opening(octets: &[u8]) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = memchr(b'=', octets.get(from..)?) {
        let at = from + at;
        // Skips a run of equals signs at once, so that the search is linear.
        let following = octets.get(at + 1..).unwrap_or_default();
        let run = following.iter().take_while(|&&octet| octet == b'=').count();
        work(at + 1 + run - from);
        if following.get(run) == Some(&b'?') {
            return Some(at + run);
        }
        from = at + run + 1;
    }
    work(octets.len().saturating_sub(from));
    None
}

/// The length of the prefix of printable ASCII and tabs without `=?`, and without `$B` and `$@`, which may
/// be escapes without ESC (RFC 1468).
pub(crate) fn text_length(octets: &[u8]) -> usize {
    /// The number of octets compared at once.
    const BLOCK: usize = 16;
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, a block is one step of vector code"
    )]
    let is_plain =
        |octet: u8| (octet.wrapping_sub(b' ') <= b'~' - b' ') & (octet != b'=') & (octet != b'$');
    let mut length = 0;
    if octets.len() < BLOCK {
        // The octets are shorter than a block, like most names: test two halves that may overlap, or
        // single octets.
        let halves = (octets.first_chunk::<8>(), octets.last_chunk::<8>());
        let is_all = match halves {
            (Some(first), Some(last)) => {
                let both = first.iter().zip(last);
                both.fold(true, |all, (&a, &b)| all & is_plain(a) & is_plain(b))
            }
            _ => octets.iter().fold(true, |all, &o| all & is_plain(o)),
        };
        if is_all {
            work(octets.len());
            return octets.len();
        }
    }
    loop {
        let rest = octets.get(length..).unwrap_or_default();
        let (blocks, _) = rest.as_chunks::<BLOCK>();
        let plain = |block: &&[u8; BLOCK]| block.iter().fold(true, |all, &o| all & is_plain(o));
        let skipped = BLOCK * blocks.iter().take_while(plain).count();
        // The last block may overlap the previous one, which saves a loop over the remainder.
        if skipped + BLOCK > rest.len() && rest.last_chunk().is_some_and(|last| plain(&last)) {
            work(rest.len());
            return octets.len();
        }
        let rest = rest.get(skipped..).unwrap_or_default();
        let found = rest.iter().position(|&octet| !is_plain(octet));
        length += skipped + found.unwrap_or(rest.len());
        work(skipped + found.unwrap_or(rest.len()) + 1);
        match octets.get(length..).unwrap_or_default() {
            [b'=', b'?', ..] | [b'$', b'B' | b'@', ..] => return length,
            [b'=' | b'$' | b'\t', ..] => length += 1,
            _ => return length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::text_length;

    #[test]
    fn text_ends_at_a_special_octet() {
        for length in 0..70 {
            for (stop, is_text) in [
                ("\t", true),
                ("==?", true),
                ("=a", true),
                ("=?", false),
                ("$", true),
                ("$$B", true),
                ("$A", true),
                ("$B", false),
                ("$@", false),
                ("\r", false),
                ("\n", false),
                ("\0", false),
                ("\x1F", false),
                ("\x7F", false),
                ("\u{e9}", false),
            ] {
                let text = format!("{}{stop}{}", "~".repeat(length), " ".repeat(40));
                let expected = match stop {
                    "==?" | "$$B" => length + 1,
                    _ if is_text => text.len(),
                    _ => length,
                };
                assert_eq!(text_length(text.as_bytes()), expected, "{text:?}");
            }
        }
    }
}
