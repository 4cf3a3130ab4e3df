//! HZ (RFC 1843), labelled HZ-GB-2312 in mail (RFC 1842): GB 2312 between `~{` and `~}`.
//!
//! A line starts in ASCII. A tilde that starts no escape is a tilde. Octets above 7F, which some mail
//! has, are decoded as GB 18030.

use super::codec::{Codec, Sink};
use super::gb;
use super::pair_table::Table;
use super::pairs::{DecodeRuns, PairsCodec, Run};
use super::sets;
use super::usage::{PractisedOctets, Usage};

#[derive(Clone)]
pub(super) struct HzCodec {
    /// The set of octets 21 to 7E between the escapes.
    gb2312: &'static Table,
    /// Decodes octets above 7F, as practised.
    gb18030: Option<PairsCodec>,
    shifted: bool,
    practised: PractisedOctets,
}

impl HzCodec {
    pub(super) fn new(usage: Usage) -> Self {
        HzCodec {
            gb2312: sets::GB2312.of(usage),
            gb18030: (usage == Usage::AsPractised).then(|| gb::gb18030(usage)),
            shifted: false,
            practised: PractisedOctets::default(),
        }
    }
}

impl Codec for HzCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let done = self.read(input, last, sink);
        if last {
            self.practised.report(sink.report);
            sets::report_shifted_end(self.shifted, sink.base + done, sink);
        }
        done
    }

    fn state(&self) -> Option<u128> {
        Some(self.shifted.into())
    }

    fn resume(&mut self, state: u128) {
        self.shifted = state == 1;
    }
}

impl DecodeRuns for HzCodec {
    #[inline]
    fn decode_run<const LENGTH: usize>(&mut self, input: &[u8], run: &mut Run<LENGTH>) -> usize {
        if self.shifted {
            // A tilde is not a lead octet, so the escape to ASCII is always found.
            run.append_pairs(input, self.gb2312, 0x21..=0x7D, false)
        } else {
            run.append_ascii(input, [b'~'])
        }
    }

    /// Decodes an escape, a malformed octet or an octet above 7F. Returns the number of octets
    /// consumed, 0 if more input is needed.
    fn decode_other(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let Some(&first) = input.first() else {
            return 0;
        };
        match first {
            b'~' if self.shifted => return self.escape_in_gb(input, last, sink),
            b'~' => return self.escape_in_ascii(input, last, sink.text),
            0x21..=0x7D if self.shifted => {
                return sets::pair(self.gb2312, input, last, sink);
            }
            0x00..=0x7F => {
                self.shifted &= !matches!(first, b'\r' | b'\n');
                sink.text.push(char::from(first));
            }
            0x80.. => match &self.gb18030 {
                Some(gb18030) => {
                    let before = sink.report.replacements();
                    let taken = gb18030.decode_one(input, last, sink);
                    if sink.report.replacements() == before {
                        self.practised.add(sink.base, taken);
                    }
                    return taken;
                }
                None => return sink.malformed(1, sets::EIGHTH_BIT),
            },
        }
        1
    }
}

impl HzCodec {
    /// `~{` switches to GB, `~~` is a tilde, a tilde at the end of a line joins it with the next.
    fn escape_in_ascii(&mut self, input: &[u8], last: bool, text: &mut String) -> usize {
        match *input {
            [_, b'{', ..] => {
                self.shifted = true;
                2
            }
            // An escape to ASCII from ASCII, and a continued line.
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

    /// `~}` switches to ASCII. The lead octets of GB 2312 end at 77.
    fn escape_in_gb(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        match *input {
            [_, b'}', ..] => {
                self.shifted = false;
                2
            }
            [_, b'{', ..] => 2,
            [_] if !last => 0,
            _ => sink.malformed(1, sets::UNKNOWN_ESCAPE),
        }
    }
}
