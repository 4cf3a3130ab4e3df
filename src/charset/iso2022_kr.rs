//! ISO-2022-KR (RFC 1557): KS X 1001 between SO and SI.
//!
//! The header ESC $ ) C stands once, at the start of a line, before the first SO. Decoding
//! does not depend on it, and wherever it stands it leaves nothing in the text. A line
//! starts in ASCII. Octets above 7F are read as EUC-KR, which mail mixes in.

use super::pairs::PairsCodec;
use super::sets::{self, ESC, SHIFT_IN, SHIFT_OUT};
use super::{Codec, Reading, Sink, euc_kr};
use crate::report::Kind;

/// What designates KS X 1001 to G1.
const DESIGNATOR: &[u8] = b"\x1B$)C";

pub(super) struct Iso2022KrCodec {
    /// What reads octets above 7F, as practised.
    euc_kr: Option<PairsCodec>,
    shifted: bool,
}

impl Iso2022KrCodec {
    pub(super) fn new(reading: Reading) -> Self {
        Iso2022KrCodec {
            euc_kr: (reading == Reading::AsPractised).then(|| euc_kr::codec(reading)),
            shifted: false,
        }
    }
}

impl Codec for Iso2022KrCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        sink.text.reserve(input.len() + input.len() / 2);
        let mut at = 0;
        while let Some((&first, rest)) = input
            .get(at..)
            .and_then(|rest| rest.first().map(|first| (first, rest)))
        {
            let offset = sink.base + at;
            let done = match first {
                ESC if rest.starts_with(DESIGNATOR) => DESIGNATOR.len(),
                ESC if !last && DESIGNATOR.starts_with(rest) => 0,
                ESC => {
                    self.shifted = false;
                    sink.replace(Kind::Malformed, offset, 1, sets::UNKNOWN_ESCAPE);
                    1
                }
                SHIFT_OUT | SHIFT_IN => {
                    self.shifted = first == SHIFT_OUT;
                    1
                }
                0x21..=0x7E if self.shifted => {
                    sets::pair_run(sets::ksx1001(), 0x7E, rest, last, offset, sink)
                }
                b'\r' | b'\n' => {
                    self.shifted = false;
                    sink.text.push(char::from(first));
                    1
                }
                // Blanks and controls stand for themselves between pairs too.
                0x00..=0x7F if self.shifted => {
                    sink.text.push(char::from(first));
                    1
                }
                0x00..=0x7F => sets::ascii_run(rest, sink.text, |octet| {
                    matches!(octet, ESC | SHIFT_OUT | SHIFT_IN)
                }),
                0x80.. => {
                    if let Some(euc_kr) = &self.euc_kr {
                        euc_kr.one(rest, last, offset, sink)
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
