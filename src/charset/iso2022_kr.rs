//! ISO-2022-KR (RFC 1557): KS X 1001 between SO and SI.
//!
//! The header ESC $ ) C stands once, at the start of a line, before the first SO. Decoding
//! does not depend on it, and wherever it stands it leaves nothing in the text. A line
//! starts in ASCII. Octets above 7F are read as EUC-KR, which mail mixes in.

use super::pairs::{PairsCodec, Run};
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
        let mut run = Run::new();
        let mut at = 0;
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            let taken = if self.shifted {
                run.take_pairs(rest, sets::ksx1001(), sets::GRAPHIC, false)
            } else {
                run.take_ascii(rest, sets::SHIFTS)
            };
            run.flush(sink.text);
            at += match taken {
                0 => match self.one(rest, last, sink.base + at, sink) {
                    0 => break,
                    done => done,
                },
                taken => taken,
            };
        }
        at
    }
}

impl Iso2022KrCodec {
    /// What is neither a pair nor plain ASCII: the number of octets that are decided, 0 for
    /// none.
    fn one(&mut self, input: &[u8], last: bool, offset: usize, sink: &mut Sink<'_>) -> usize {
        let Some(&first) = input.first() else {
            return 0;
        };
        match first {
            ESC if input.starts_with(DESIGNATOR) => return DESIGNATOR.len(),
            ESC if !last && DESIGNATOR.starts_with(input) => return 0,
            ESC => {
                self.shifted = false;
                sink.replace(Kind::Malformed, offset, 1, sets::UNKNOWN_ESCAPE);
            }
            SHIFT_OUT | SHIFT_IN => self.shifted = first == SHIFT_OUT,
            0x21..=0x7E if self.shifted => {
                return sets::pair(sets::ksx1001(), input, last, offset, sink);
            }
            // Blanks and controls stand for themselves between pairs too.
            0x00..=0x7F => {
                self.shifted &= !matches!(first, b'\r' | b'\n');
                sink.text.push(char::from(first));
            }
            0x80.. => match &self.euc_kr {
                Some(euc_kr) => return euc_kr.one(input, last, offset, sink),
                None => sink.replace(Kind::Malformed, offset, 1, sets::EIGHTH_BIT),
            },
        }
        1
    }
}
