//! HZ (RFC 1843), which mail labels HZ-GB-2312 (RFC 1842): GB 2312 between `~{` and `~}`.
//!
//! A line starts in ASCII. A tilde before a character that it is no escape with is a tilde,
//! and octets above 7F are read as GBK, which mail mixes in.

use super::pairs::{PairsCodec, Table};
use super::sets;
use super::{Codec, Reading, Sink, gb};
use crate::report::Kind;

pub(super) struct HzCodec {
    /// The set of octets 21 to 7E between the escapes.
    gb2312: &'static Table,
    /// What reads octets above 7F, as practised.
    gbk: Option<PairsCodec>,
    shifted: bool,
}

impl HzCodec {
    pub(super) fn new(reading: Reading) -> Self {
        HzCodec {
            gb2312: sets::gb2312(reading),
            gbk: (reading == Reading::AsPractised).then(gb::pairs_as_practised),
            shifted: false,
        }
    }
}

impl Codec for HzCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        sink.text.reserve(input.len() + input.len() / 2);
        let mut at = 0;
        while let Some((&first, rest)) = input
            .get(at..)
            .and_then(|rest| rest.first().map(|first| (first, rest)))
        {
            let offset = sink.base + at;
            let done = match first {
                b'~' if self.shifted => self.escape_in_gb(rest, last, offset, sink),
                b'~' => self.escape_in_ascii(rest, last, sink.text),
                0x21..=0x7D if self.shifted => {
                    sets::pair_run(self.gb2312, 0x7D, rest, last, offset, sink)
                }
                b'\r' | b'\n' => {
                    self.shifted = false;
                    sink.text.push(char::from(first));
                    1
                }
                0x00..=0x7F if self.shifted => {
                    sink.text.push(char::from(first));
                    1
                }
                0x00..=0x7F => sets::ascii_run(rest, sink.text, |octet| octet == b'~'),
                0x80.. => {
                    if let Some(gbk) = &self.gbk {
                        gbk.one(rest, last, offset, sink)
                    } else {
                        sink.replace(Kind::Malformed, offset, 1, sets::EIGHTH_BIT);
                        1
                    }
                }
            };
            if done == 0 {
                break;
            }
            at += done;
        }
        at
    }
}

impl HzCodec {
    /// `~{` to GB, `~~` a tilde, a tilde at the end of a line joins it with the next.
    fn escape_in_ascii(&mut self, input: &[u8], last: bool, text: &mut String) -> usize {
        match *input {
            [_, b'{', ..] => {
                self.shifted = true;
                2
            }
            // A return to ASCII from ASCII, and the end of a line that goes on.
            [_, b'}' | b'\n', ..] => 2,
            [_, b'\r', b'\n', ..] => 3,
            [_] | [_, b'\r'] if !last => 0,
            [_, b'~', ..] => {
                text.push('~');
                2
            }
            _ => {
                text.push('~');
                1
            }
        }
    }

    /// `~}` to ASCII. GB 2312 has no row 7E, so that a tilde is never half a character.
    fn escape_in_gb(
        &mut self,
        input: &[u8],
        last: bool,
        offset: usize,
        sink: &mut Sink<'_>,
    ) -> usize {
        match *input {
            [_, b'}', ..] => {
                self.shifted = false;
                2
            }
            [_, b'{', ..] => 2,
            [_] if !last => 0,
            _ => {
                sink.replace(Kind::Malformed, offset, 1, sets::UNKNOWN_ESCAPE);
                1
            }
        }
    }
}
