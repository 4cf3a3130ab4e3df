//! The one door to `encoding_rs`: the decoders of the Encoding Standard.
//!
//! Only its decoders that are right for mail come through here. Never used are
//! `Encoding::decode`, which lets a byte order mark override any label, and the
//! `replacement` encoding, which turns a whole body into one U+FFFD.

use encoding_rs::{DecoderResult, Encoding};

use super::{Codec, Sink};
use crate::report::Kind;

/// The encodings of the Encoding Standard that mail is decoded with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Web {
    Big5,
    EucJp,
    EucKr,
    Gb18030,
    Iso8859_7,
    ShiftJis,
}

impl Web {
    fn encoding(self) -> &'static Encoding {
        match self {
            Web::Big5 => encoding_rs::BIG5,
            Web::EucJp => encoding_rs::EUC_JP,
            Web::EucKr => encoding_rs::EUC_KR,
            Web::Gb18030 => encoding_rs::GB18030,
            Web::Iso8859_7 => encoding_rs::ISO_8859_7,
            Web::ShiftJis => encoding_rs::SHIFT_JIS,
        }
    }
}

/// The text of `octets`, with U+FFFD for the malformed: what tables are filled from.
pub(super) fn lossy(web: Web, octets: &[u8]) -> std::borrow::Cow<'_, str> {
    web.encoding().decode_without_bom_handling(octets).0
}

/// The text of `octets` where all of them are well-formed.
pub(super) fn strict(web: Web, octets: &[u8]) -> Option<std::borrow::Cow<'_, str>> {
    web.encoding()
        .decode_without_bom_handling_and_without_replacement(octets)
}

/// The octets as text when they are well-formed UTF-8.
pub(super) fn utf8(octets: &[u8]) -> Option<&str> {
    // Below this length the standard library is ahead, above it encoding_rs's vector code.
    const SHORT: usize = 64;
    if octets.len() < SHORT {
        return std::str::from_utf8(octets).ok();
    }
    match encoding_rs::UTF_8.decode_without_bom_handling_and_without_replacement(octets) {
        Some(std::borrow::Cow::Borrowed(text)) => Some(text),
        _ => None,
    }
}

/// How many octets at the start are ASCII.
pub(super) fn ascii_valid_up_to(octets: &[u8]) -> usize {
    Encoding::ascii_valid_up_to(octets)
}

/// How many octets at the start are well-formed UTF-8.
pub(super) fn utf8_valid_up_to(octets: &[u8]) -> usize {
    Encoding::utf8_valid_up_to(octets)
}

/// An `encoding_rs` decoder that says where malformed octets lie.
pub(super) struct WebCodec {
    decoder: encoding_rs::Decoder,
}

impl WebCodec {
    pub(super) fn new(web: Web) -> Self {
        WebCodec {
            decoder: web.encoding().new_decoder_without_bom_handling(),
        }
    }
}

impl Codec for WebCodec {
    fn decode(&mut self, mut input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let whole = input.len();
        loop {
            let room = self
                .decoder
                .max_utf8_buffer_length_without_replacement(input.len().min(CHUNK))
                .unwrap_or(CHUNK);
            sink.text.reserve(room);
            let (result, read) = self
                .decoder
                .decode_to_string_without_replacement(input, sink.text, last);
            input = input.get(read..).unwrap_or_default();
            match result {
                DecoderResult::InputEmpty => return whole,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(length, after) => {
                    let (length, after) = (usize::from(length), usize::from(after));
                    let end = sink.base + (whole - input.len()) - after;
                    let what = "no character of the charset";
                    sink.replace(Kind::Malformed, end.saturating_sub(length), length, what);
                }
            }
        }
    }
}

/// How much output room is made at a time, so that memory follows what was really written.
const CHUNK: usize = 1 << 16;
