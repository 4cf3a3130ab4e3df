//! Decodes damaged UTF-8 in blocks. `Report::add_replaced` counts each U+FFFD in the text.
//!
//! Bulk validation stops at the first malformed octet and has to restart after it. In dense damage
//! the restarts cost more than the validation itself. Here all octets of a block are compared with
//! their neighbours at once (RFC 3629, section 4), which finds all damage of the block together. A
//! block without damage takes the same few steps.

#![expect(
    clippy::inline_always,
    reason = "code on blocks is compiled for the processor only if inlined"
)]

use super::codec::Sink;
use super::utf8::{self, Reason};
use super::web;
use crate::report::{Kind, Report};
use crate::vector::{self, Aligned, BLOCK, Machine, Task};

/// The number of consecutive undamaged blocks that end the damage.
const UNDAMAGED_BLOCKS: usize = 10;

/// The length of the text buffer in octets.
const BUFFER: usize = 1024;

/// Maximum length of a block's text: three octets for each octet of the block, plus one block
/// copied past the end.
const MAX_TEXT: usize = 4 * BLOCK;

/// The number of octets that decoding a block may read: the block and a copy's length after it.
const AHEAD: usize = 2 * BLOCK;

/// U+FFFD.
const REPLACEMENT: [u8; 3] = *b"\xEF\xBF\xBD";

/// Decodes octets from `at` on, the start of a character or malformed subpart. Replaces malformed
/// octets. Returns the offset at which damage seems to end.
pub(super) fn decode(body: &[u8], at: usize, sink: &mut Sink<'_>) -> usize {
    vector::run(DecodeDamaged { body, at, sink })
}

struct DecodeDamaged<'d, 's> {
    body: &'d [u8],
    at: usize,
    sink: &'d mut Sink<'s>,
}

impl Task for DecodeDamaged<'_, '_> {
    type Output = usize;

    #[inline(always)]
    fn run(self, machine: impl Machine) -> usize {
        decode_on(machine, self.body, self.at, self.sink)
    }
}

#[inline(always)]
fn decode_on(machine: impl Machine, body: &[u8], mut at: usize, sink: &mut Sink<'_>) -> usize {
    let Aligned(text) = &mut Aligned([0; BUFFER]);
    let mut filled = 0;
    let mut undamaged = 0;
    while undamaged < UNDAMAGED_BLOCKS {
        let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) else {
            break;
        };
        // Pad the end with zeros, which are valid.
        let mut end = [0; AHEAD];
        let ahead = rest.first_chunk().unwrap_or_else(|| {
            if let Some(start) = end.get_mut(..rest.len()) {
                start.copy_from_slice(rest);
            }
            &end
        });
        if filled + MAX_TEXT > BUFFER {
            flush(text, &mut filled, rest.len(), sink.text);
        }
        let free = text.get_mut(filled..).and_then(<[u8]>::first_chunk_mut);
        let (Some(octets), Some(free)) = (ahead.first_chunk(), free) else {
            break;
        };
        let forms = Roles::of(machine, octets);
        let length = character_start(ahead).min(rest.len());
        let errors = forms.errors() & (u64::MAX >> (BLOCK - length));
        if errors == 0 {
            undamaged += 1;
            if let Some(free) = free.first_chunk_mut() {
                *free = *octets;
            }
            filled += length;
        } else {
            undamaged = 0;
            let base = sink.base + at;
            filled += forms.replace(ahead, length, errors, free, base, sink.report);
        }
        at += length;
    }
    flush(text, &mut filled, body.len().saturating_sub(at), sink.text);
    at
}

/// The start of the last character that begins within a block or directly after it. Examines four
/// octets: the last three of the block, and the octet after it. If all four are continuation
/// octets, the result is the end of the block, since no character has four of them.
///
/// The result depends only on these four octets, so that the next block need not wait for this
/// block.
#[inline(always)]
fn character_start(ahead: &[u8; AHEAD]) -> usize {
    const LOWEST: u32 = u32::from_le_bytes([1; 4]);
    let last = ahead.get(BLOCK - 3..).and_then(<[u8]>::first_chunk);
    let last = last.map_or(0, |last| u32::from_le_bytes(*last));
    let starts = (!(last >> 7) | last >> 6) & LOWEST;
    // Eight bits for each octet after the last start.
    let after_last = (starts | 1).leading_zeros() as usize / 8;
    let is_any = usize::from(starts != 0);
    BLOCK - after_last * is_any
}

/// Appends the buffered text; `left` octets remain to be decoded.
fn flush(octets: &[u8; BUFFER], filled: &mut usize, left: usize, text: &mut String) {
    let run = octets.get(..*filled).unwrap_or_default();
    if text.capacity() - text.len() < run.len() {
        // Doubling would hold two copies of the text in memory, each larger than this capacity.
        text.reserve_exact(run.len() + REPLACEMENT.len() * left);
    }
    let run = web::utf8(run);
    debug_assert!(run.is_some(), "damage that was not replaced");
    text.push_str(run.unwrap_or("\u{FFFD}"));
    *filled = 0;
}

/// Roles of the octets in a block by RFC 3629, section 4.
struct Roles {
    /// Valid second and third octets of a sequence, given the octets before them.
    second: u64,
    third: u64,
    /// Octets 80 to BF.
    continuations: u64,
    /// Lead octets of truncated sequences.
    broken: u64,
    /// Octets that neither begin nor continue a sequence.
    stray: u64,
}

impl Roles {
    #[inline(always)]
    fn of(machine: impl Machine, octets: &[u8; BLOCK]) -> Roles {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = machine.planes(octets);
        let continuations = b7 & !b6;
        let two = b7 & b6 & !b5;
        let three = b7 & b6 & b5 & !b4;
        let four = b7 & b6 & b5 & b4;
        // C0, C1 and F5 to FF.
        let never = two & !(b4 | b3 | b2 | b1) | four & (b3 | b2 & (b1 | b0));
        let leads = b7 & b6 & !never;
        let four = four & !never;
        // Invalid second octets: overlong forms after E0 and F0, surrogates after ED, values out of
        // range after F4.
        let zeros = !(b3 | b2 | b1 | b0);
        let surrogates = three & b3 & b2 & !b1 & b0;
        let invalid_second = (three & zeros) << 1 & !b5
            | surrogates << 1 & b5
            | (four & zeros) << 1 & !(b5 | b4)
            | (four & b2) << 1 & (b5 | b4);
        let second = leads << 1 & continuations & !invalid_second;
        let third = (second & (three | four) << 1) << 1 & continuations;
        let fourth = (third & four << 2) << 1 & continuations;
        let taken = second | third | fourth;
        let whole = two & second >> 1 | three & third >> 2 | four & fourth >> 3;
        Roles {
            second,
            third,
            continuations,
            broken: leads & !whole,
            stray: never | continuations & !taken,
        }
    }

    /// The starts of malformed subparts.
    #[inline(always)]
    fn errors(&self) -> u64 {
        self.stray | self.broken
    }

    /// Writes the first `length` octets to `text`, with U+FFFD in place of malformed subparts, and
    /// reports these. Returns the length of the text.
    ///
    /// A whole block is copied after each subpart; the next copy overwrites the excess.
    #[inline(always)]
    fn replace(
        &self,
        ahead: &[u8; AHEAD],
        length: usize,
        mut errors: u64,
        text: &mut [u8; MAX_TEXT],
        base: usize,
        report: &mut Report,
    ) -> usize {
        let (mut done, mut filled) = (0, 0);
        loop {
            let from = ahead.get(done..).and_then(<[u8]>::first_chunk::<BLOCK>);
            let free = text.get_mut(filled..).and_then(<[u8]>::first_chunk_mut);
            if let (Some(free), Some(from)) = (free, from) {
                *free = *from;
            }
            if errors == 0 {
                break;
            }
            let at = errors.trailing_zeros() as usize;
            errors &= errors - 1;
            filled += at - done;
            let free = text.get_mut(filled..).and_then(<[u8]>::first_chunk_mut);
            if let Some(free) = free {
                *free = REPLACEMENT;
            }
            filled += REPLACEMENT.len();
            let (subpart, reason) = self.subpart(ahead, at);
            report.add_replaced(Kind::Malformed, base + at, subpart, reason.name());
            done = at + subpart;
        }
        filled + length - done
    }

    /// The malformed subpart at `at`: its length and reason.
    fn subpart(&self, octets: &[u8], at: usize) -> (usize, Reason) {
        let lead = octets.get(at).copied().unwrap_or_default();
        let is_set = |mask: u64, at: usize| at < BLOCK && mask >> at & 1 == 1;
        if is_set(self.stray, at) {
            (1, utf8::bad_lead_reason(lead))
        } else if is_set(self.second, at + 1) {
            let third = is_set(self.third, at + 2);
            (2 + usize::from(third), Reason::Truncated)
        } else if is_set(self.continuations, at + 1) {
            (1, utf8::bad_second_reason(lead))
        } else {
            (1, Reason::Truncated)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::codec::Sink;
    use super::super::utf8;
    use super::{BLOCK, DecodeDamaged, UNDAMAGED_BLOCKS};
    use crate::Report;
    use crate::vector::{self, Portable, Task};

    /// The text, the report, and the offset at which damage appears to end.
    fn decoded(
        octets: &[u8],
        decode: impl FnOnce(DecodeDamaged<'_, '_>) -> usize,
    ) -> (String, Report, usize) {
        let (mut text, mut report) = (String::new(), Report::new());
        let mut sink = Sink {
            text: &mut text,
            report: &mut report,
            base: 0,
        };
        let end = decode(DecodeDamaged {
            body: octets,
            at: 0,
            sink: &mut sink,
        });
        (text, report, end)
    }

    /// Compares text with the standard library, and malformed subparts with `utf8::sequence` (RFC
    /// 3629, section 4).
    #[track_caller]
    fn check(octets: &[u8]) {
        let (text, report, end) = decoded(octets, |damaged| vector::run(damaged));
        assert!(end == octets.len() || end >= UNDAMAGED_BLOCKS * (BLOCK - 3));
        assert_eq!(text, String::from_utf8_lossy(&octets[..end]));
        let found = report.findings().iter();
        let found = found.map(|f| (f.offset(), f.length(), f.detail()));
        let expected = utf8::malformed(&octets[..end]);
        let expected = expected.map(|m| (m.offset, m.length, m.reason.name()));
        assert!(found.eq(expected), "{report:?} for {octets:02X?}");
        let plainly = decoded(octets, |damaged| damaged.run(Portable));
        assert_eq!((text, report, end), plainly, "{octets:02X?}");
    }

    /// Characters of each length, fragments of them, and invalid octets.
    fn pieces() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop::sample::select(vec![
            &b"a"[..],
            b"plain text",
            "é".as_bytes(),
            "한국".as_bytes(),
            "\u{1F600}".as_bytes(),
            b"\xED\x95",
            b"\xF0\x9F",
            b"\xF0\x9F\x98",
            b"\xE0\x80",
            b"\xED\xA0\x80",
            b"\xF4\x90",
            b"\xC0\xAF",
            b"\x80",
            b"\xBF\xBF\xBF\xBF\xBF",
            b"\xFF",
        ]);
        prop::collection::vec(piece, 0..120).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn damage_is_replaced_like_in_the_standard_library(octets in pieces(), from in 0..70usize) {
            check(octets.get(from..).unwrap_or_default());
        }

        #[test]
        fn any_octets(octets in prop::collection::vec(any::<u8>(), 0..300)) {
            check(&octets);
        }
    }

    /// Each malformed subpart at each offset of a block, before text and before the end.
    #[test]
    fn every_place_of_a_block() {
        let subparts: [&[u8]; 7] = [
            b"\xFF",
            b"\x80",
            b"\xED\x95",
            b"\xF0\x9F\x98",
            b"\xED\xA0\x80",
            b"\xC3",
            b"\x80\x80\x80\x80\x80",
        ];
        for subpart in subparts {
            for at in 0..140 {
                for text in ["", "a", "é", "한국", "\u{1F600}"] {
                    let octets = [&[b' '].repeat(at), subpart, text.repeat(40).as_bytes()].concat();
                    check(&octets);
                    check(&[text.repeat(at / 4).as_bytes(), subpart].concat());
                }
            }
        }
    }
}
