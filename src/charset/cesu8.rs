//! CESU-8 (Unicode Technical Report #26): UTF-16 with each code unit written as UTF-8, so that a
//! surrogate pair takes six octets.
//!
//! A lone surrogate becomes one U+FFFD for its three octets; other malformed octets are handled as in
//! UTF-8. The four-octet form of UTF-8 is not CESU-8, but occurs in mail because programs call UTF-8 by
//! this name: as practised it is decoded and reported. One octet expands to at most three octets of
//! UTF-8.

use super::codec::{Codec, Sink};
use super::usage::Usage;
use super::utf8::{self, Profile, Reason};
use super::web;
use crate::report::Kind;

#[derive(Clone)]
pub(super) struct Cesu8Codec {
    usage: Usage,
}

impl Cesu8Codec {
    pub(super) fn new(usage: Usage) -> Self {
        Cesu8Codec { usage }
    }
}

impl Codec for Cesu8Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        // The input is known to be UTF-8 up to here.
        let (mut at, mut valid_to) = (0, 0);
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            if at >= valid_to {
                valid_to = at + web::utf8_valid_up_to(rest);
            }
            // CESU-8 includes all of well-formed UTF-8 except the four-octet form.
            let valid = input.get(at..valid_to).unwrap_or_default();
            let three = valid
                .iter()
                .position(|&octet| octet >= 0xF0)
                .unwrap_or(valid.len());
            if let Some(text) = valid.get(..three).filter(|_| three > 0).and_then(web::utf8) {
                sink.text.push_str(text);
                at += three;
                continue;
            }
            let mut sink = sink.at(sink.base + at);
            at += match *rest {
                [
                    0xED,
                    a @ 0xA0..=0xAF,
                    b @ 0x80..=0xBF,
                    0xED,
                    c @ 0xB0..=0xBF,
                    d @ 0x80..=0xBF,
                    ..,
                ] => {
                    let [a, b, c, d] = [a & 0x0F, b & 0x3F, c & 0x0F, d & 0x3F].map(u32::from);
                    let value = 0x1_0000 + (a << 16 | b << 10 | c << 6 | d);
                    sink.text.extend(char::from_u32(value));
                    6
                }
                // A high surrogate that a low surrogate may follow.
                [0xED]
                | [0xED, 0xA0..=0xBF]
                | [0xED, 0xA0..=0xAF, 0x80..=0xBF]
                | [0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED]
                | [0xED, 0xA0..=0xAF, 0x80..=0xBF, 0xED, 0xB0..=0xBF]
                    if !last =>
                {
                    return at;
                }
                [0xED, 0xA0..=0xBF, 0x80..=0xBF, ..] => sink.malformed(3, "lone surrogate"),
                [0xED, 0xA0..=0xBF, ..] => sink.malformed(2, "truncated sequence"),
                [0xF0..=0xF4, ..] if self.usage == Usage::AsRegistered => {
                    sink.malformed(1, FOUR_OCTETS)
                }
                [0xF0..=0xF4, ..] if valid.len() >= 4 => {
                    let text = valid.get(..4).and_then(web::utf8).unwrap_or_default();
                    sink.text.push_str(text);
                    sink.report
                        .add_in_octets(Kind::Superset, sink.base, 4, FOUR_OCTETS);
                    4
                }
                _ => {
                    let found = utf8::malformed_at(rest, 0, Profile::Rfc3629);
                    let length = found.length;
                    if !last && found.reason == Reason::Truncated && length == rest.len() {
                        return at;
                    }
                    sink.malformed(length, found.reason.name())
                }
            };
        }
        at
    }
}

const FOUR_OCTETS: &str = "four octets, as in UTF-8";
