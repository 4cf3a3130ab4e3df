//! The only module that uses `encoding_rs` (the decoders of the Encoding Standard) and `simdutf8`
//! (UTF-8 validation). It also makes the `str` values for which [`vector`](crate::vector) relies on
//! `simdutf8`.
//!
//! Only decoders that are right for mail are used. Never used are `Encoding::decode`, where a byte
//! order mark overrides any label, and the `replacement` encoding, which turns a whole body into one
//! U+FFFD.

use encoding_rs::Encoding;

/// An encoding of the Encoding Standard that is used for mail.
#[derive(Debug, Clone, Copy)]
pub(super) struct Web(&'static Encoding);

impl Web {
    pub(super) const BIG5: Web = Web(&encoding_rs::BIG5_INIT);
    pub(super) const EUC_JP: Web = Web(&encoding_rs::EUC_JP_INIT);
    pub(super) const EUC_KR: Web = Web(&encoding_rs::EUC_KR_INIT);
    pub(super) const GB18030: Web = Web(&encoding_rs::GB18030_INIT);
    pub(super) const ISO_8859_7: Web = Web(&encoding_rs::ISO_8859_7_INIT);
    pub(super) const SHIFT_JIS: Web = Web(&encoding_rs::SHIFT_JIS_INIT);
}

/// Decodes `octets` with U+FFFD for malformed ones, to fill tables.
pub(super) fn lossy(web: Web, octets: &[u8]) -> std::borrow::Cow<'_, str> {
    web.0.decode_without_bom_handling(octets).0
}

/// Decodes `octets` if all are well-formed.
pub(super) fn strict(web: Web, octets: &[u8]) -> Option<std::borrow::Cow<'_, str>> {
    web.0
        .decode_without_bom_handling_and_without_replacement(octets)
}

/// The octets as text, if they are well-formed UTF-8.
#[inline]
pub(super) fn utf8(octets: &[u8]) -> Option<&str> {
    // Vector code handles blocks of sixty-four octets and leaves shorter input to the standard library.
    const SHORT: usize = 64;
    // From this length on it pays off to stop at the first malformed octet.
    const LONG: usize = 4096;
    match octets.len() {
        ..SHORT => std::str::from_utf8(octets).ok(),
        SHORT..LONG => simdutf8::basic::from_utf8(octets).ok(),
        LONG.. => simdutf8::compat::from_utf8(octets).ok(),
    }
}

/// The block size of the vector code in octets.
pub(super) const BLOCK: usize = 64;

/// The first `filled` octets of a buffer as text, if they are well-formed UTF-8. Pads them in the
/// buffer to a whole block, since the extra work of the vector code for a partial block costs as
/// much as a short text.
#[inline]
pub(super) fn utf8_in(buffer: &mut [u8], filled: usize) -> Option<&str> {
    let after = buffer.get_mut(filled..).and_then(<[u8]>::first_chunk_mut);
    let padded = match after {
        Some(after) => {
            *after = [0; BLOCK];
            filled.next_multiple_of(BLOCK)
        }
        None => filled,
    };
    utf8(buffer.get(..padded)?)?.get(..filled)
}

#[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) use crate::vector::{owned_text, utf8_start};

/// Decodes octets to owned text; also returns the other results of `read`.
#[cfg(not(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[expect(
    clippy::needless_pass_by_value,
    reason = "with vector code, the octets become the text"
)]
pub(super) fn owned_text<R>(
    octets: Vec<u8>,
    read: impl for<'o> FnOnce(&'o [u8]) -> (std::borrow::Cow<'o, str>, R),
) -> (String, R) {
    let (text, rest) = read(&octets);
    (text.into_owned(), rest)
}

/// The longest well-formed UTF-8 prefix.
#[cfg(not(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(super) fn utf8_start(octets: &[u8]) -> &str {
    match simdutf8::compat::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => {
            let valid = octets.get(..error.valid_up_to());
            valid.and_then(utf8).unwrap_or_default()
        }
    }
}

/// The length of the longest well-formed UTF-8 prefix.
pub(super) fn utf8_valid_up_to(octets: &[u8]) -> usize {
    Encoding::utf8_valid_up_to(octets)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::utf8_start;

    /// Compares with the standard library.
    #[track_caller]
    fn check(octets: &[u8]) {
        let end = match std::str::from_utf8(octets) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        assert_eq!(utf8_start(octets).as_bytes(), &octets[..end]);
    }

    #[test]
    fn the_start_ends_where_damage_begins() {
        let damage: [&[u8]; 6] = [
            b"\xFF",
            b"\x80",
            b"\xED\x95",
            b"\xED\xA0\x80",
            b"\xF0\x9F\x98",
            b"\xC0\xAF",
        ];
        for text in ["a", "é", "한국 ", "\u{1F600}"] {
            for damage in damage {
                for at in 0..200 / text.len() {
                    let start = text.repeat(at);
                    check(&[start.as_bytes(), damage].concat());
                    check(&[start.as_bytes(), damage, text.repeat(70).as_bytes()].concat());
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_octets(octets in prop::collection::vec(any::<u8>(), 0..300)) {
            check(&octets);
        }

        #[test]
        fn text_with_octets_in_it(
            start in ".{0,100}",
            octets in prop::collection::vec(any::<u8>(), 0..8),
            end in ".{0,100}",
        ) {
            check(&[start.as_bytes(), &octets, end.as_bytes()].concat());
        }
    }
}
