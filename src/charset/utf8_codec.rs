//! UTF-8 as a codec.

use super::codec::{Codec, Sink};
use super::utf8::{Profile, Reason, character_start, sequence};
use super::{damage, web};
use crate::report::Kind;

/// Replaces malformed subparts with U+FFFD; an unfinished sequence stays pending.
#[derive(Debug, Default, Clone)]
pub(super) struct Utf8Codec;

impl Codec for Utf8Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        /// The number of octets that are validated and then copied from the cache.
        const PIECE: usize = 1024;
        /// If a run of well-formed octets is shorter than this, damage is dense. Bulk validation
        /// takes as long to find the end of a run as to validate a few hundred octets.
        const DENSE: usize = 640;
        let pending = if last { 0 } else { unfinished(input) };
        let body = input.get(..input.len() - pending).unwrap_or_default();
        // U+FFFD is longer than most subparts. This capacity avoids reallocation unless damage is
        // dense.
        sink.text.reserve(body.len() + body.len() / 16);
        let (mut at, mut run) = (0, 0);
        while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
            let piece = rest.get(..character_start(rest, PIECE)).unwrap_or(rest);
            let valid = web::utf8_start(piece);
            sink.text.push_str(valid);
            at += valid.len();
            run += valid.len();
            if valid.len() < piece.len() {
                at = replace_from(body, at, sink);
                if std::mem::take(&mut run) < DENSE {
                    at = damage::decode(body, at, sink);
                }
            }
        }
        body.len()
    }
}

/// Replaces the malformed subparts from `at` on, since a damaged character is often several
/// subparts. Returns the start of the next character.
fn replace_from(body: &[u8], mut at: usize, sink: &mut Sink<'_>) -> usize {
    while let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) {
        let Err((length, reason)) = sequence(rest, Profile::Rfc3629) else {
            break;
        };
        sink.replace(Kind::Malformed, sink.base + at, length, reason.name());
        at += length;
    }
    at
}

/// The number of octets at the end that begin an incomplete sequence.
pub(crate) fn unfinished(input: &[u8]) -> usize {
    (1..=3.min(input.len()))
        .find(|&length| {
            let tail = input.get(input.len() - length..).unwrap_or_default();
            sequence(tail, Profile::Rfc3629) == Err((length, Reason::Truncated))
        })
        .unwrap_or(0)
}
