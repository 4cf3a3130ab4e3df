//! Decodes the transfer encoding of a body that arrives in pieces.

use std::borrow::Cow;

use super::base64::Base64Decoder;
use super::extent::is_eight_bit;
use super::quoted_printable::QuotedPrintableDecoder;
use super::uuencode::UuencodeDecoder;
use super::{Extent, Kind, Report, TransferEncoding, decided, uuencode_decided};
use crate::work::work;

/// Decodes the transfer encoding of a body, pushed in pieces.
///
/// The octets and the findings equal those of [`decode`](super::decode) on the whole body, wherever the
/// pieces end.
///
/// ```text
/// "=E2=82=" + "AC"   the last equals sign is buffered until its digits follow
/// ```
pub(crate) struct TransferDecoder {
    /// Whether the body continues after the last piece.
    is_partial: bool,
    /// Encoded octets that cannot be decoded before later octets are known. The first `decoded` octets
    /// are already decoded.
    buffer: Vec<u8>,
    decoded: usize,
    /// The buffer is searched again only at this length. The threshold doubles if a search finds nothing
    /// to decode, so that a long run of blanks is searched in linear time.
    search_threshold: usize,
    /// The offset in the body of the next octet to decode.
    offset: usize,
    encoding: TransferEncoding,
    pieces: PieceDecoder,
}

/// Decodes pieces that later octets cannot change.
pub(super) enum PieceDecoder {
    Base64(Base64Decoder),
    QuotedPrintable(QuotedPrintableDecoder),
    Uuencode(UuencodeDecoder),
    SevenBit(Extent),
    Identity,
}

impl TransferDecoder {
    /// A decoder for a body. If `is_partial`, the body is a prefix: at the end the decoder drops octets
    /// that later octets could change.
    pub(crate) fn new(encoding: TransferEncoding, is_partial: bool) -> Self {
        TransferDecoder {
            is_partial,
            buffer: Vec::new(),
            decoded: 0,
            search_threshold: 0,
            offset: 0,
            encoding,
            pieces: PieceDecoder::new(encoding),
        }
    }

    /// Decodes the next octets of the body, except those that later octets could change.
    pub(crate) fn push<'p>(&'p mut self, encoded: &'p [u8]) -> Cow<'p, [u8]> {
        work(encoded.len());
        let has_lookahead = match self.encoding {
            TransferEncoding::QuotedPrintable | TransferEncoding::Uuencode => true,
            // The base64 decoder itself buffers an incomplete group.
            TransferEncoding::Base64 => self.is_partial,
            _ => false,
        };
        self.drop_decoded();
        let piece = if !has_lookahead {
            encoded
        } else if self.buffer.is_empty() {
            let length = self.decided(encoded);
            let (piece, rest) = encoded.split_at_checked(length).unwrap_or((encoded, &[]));
            self.buffer.extend_from_slice(rest);
            piece
        } else {
            self.buffer.extend_from_slice(encoded);
            if self.buffer.len() >= self.search_threshold {
                self.decoded = self.decided(&self.buffer);
                let is_stuck = self.decoded == 0;
                self.search_threshold = if is_stuck { 2 * self.buffer.len() } else { 0 };
            }
            self.buffer.get(..self.decoded).unwrap_or_default()
        };
        let offset = self.offset;
        self.offset += piece.len();
        self.pieces.decode(piece, offset, false, &mut Vec::new())
    }

    /// Decodes the buffered rest at the end of the body. If the body is partial, drops the rest.
    pub(crate) fn finish(&mut self) -> Cow<'_, [u8]> {
        self.drop_decoded();
        if !self.is_partial {
            self.decoded = self.buffer.len();
        }
        let rest = self.buffer.get(..self.decoded).unwrap_or_default();
        let offset = self.offset;
        self.offset += rest.len();
        let is_last = self.encoding.ends(self.is_partial);
        self.pieces.decode(rest, offset, is_last, &mut Vec::new())
    }

    /// The findings in the finished body. Offsets are into its encoded octets.
    pub(crate) fn into_report(self) -> Report {
        let mut report = self.pieces.into_report();
        let left = self.buffer.len() - self.decoded;
        if left > 0 {
            report.add(Kind::Partial, self.offset, left, "");
        }
        report
    }

    fn decided(&self, octets: &[u8]) -> usize {
        match self.encoding {
            TransferEncoding::Uuencode => uuencode_decided(octets, self.offset == 0),
            encoding => decided(octets, encoding),
        }
    }

    fn drop_decoded(&mut self) {
        self.buffer.drain(..self.decoded);
        self.decoded = 0;
    }
}

impl PieceDecoder {
    pub(super) fn new(encoding: TransferEncoding) -> Self {
        match encoding {
            TransferEncoding::Base64 => PieceDecoder::Base64(Base64Decoder::new(Some(0))),
            TransferEncoding::QuotedPrintable => {
                PieceDecoder::QuotedPrintable(QuotedPrintableDecoder::default())
            }
            TransferEncoding::Uuencode => PieceDecoder::Uuencode(UuencodeDecoder::default()),
            TransferEncoding::SevenBit => PieceDecoder::SevenBit(Extent::default()),
            TransferEncoding::EightBit | TransferEncoding::Binary | TransferEncoding::Unknown => {
                PieceDecoder::Identity
            }
        }
    }

    /// Decodes the piece at `offset` of the body. Stores changed octets in `buffer`, to reuse its
    /// memory.
    pub(super) fn decode<'p>(
        &mut self,
        piece: &'p [u8],
        offset: usize,
        is_last: bool,
        buffer: &mut Vec<u8>,
    ) -> Cow<'p, [u8]> {
        match self {
            PieceDecoder::Base64(decoder) => {
                buffer.clear();
                decoder.decode(piece, is_last, buffer);
                return Cow::Owned(std::mem::take(buffer));
            }
            PieceDecoder::QuotedPrintable(decoder) => return decoder.decode(piece, buffer),
            PieceDecoder::Uuencode(decoder) => return decoder.decode(piece, is_last, buffer),
            PieceDecoder::SevenBit(above) if !piece.is_ascii() => {
                above.add(piece, offset, is_eight_bit);
            }
            PieceDecoder::SevenBit(_) | PieceDecoder::Identity => {}
        }
        Cow::Borrowed(piece)
    }

    /// The findings in the fully decoded body.
    pub(super) fn into_report(self) -> Report {
        match self {
            PieceDecoder::Base64(decoder) => decoder.into_report(),
            PieceDecoder::QuotedPrintable(decoder) => decoder.into_report(),
            PieceDecoder::Uuencode(decoder) => decoder.into_report(),
            PieceDecoder::SevenBit(above) => {
                let mut report = Report::new();
                above.report(Kind::EightBitData, &mut report);
                report
            }
            PieceDecoder::Identity => Report::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Kind, Report, TransferEncoding, decode};
    use super::TransferDecoder;
    use crate::work::work_of;

    const LENGTH: usize = 64 << 10;

    /// The octets and the findings are those of the whole.
    #[track_caller]
    fn check(body: &[u8], encoding: TransferEncoding) {
        let whole = decode(body, encoding);
        let name = String::from_utf8_lossy(body.get(..90).unwrap_or(body));
        let mut sizes = vec![LENGTH, 1000];
        if body.len() < 1000 {
            sizes.extend([1, 2, 3, 7]);
        }
        for size in sizes {
            let mut decoder = TransferDecoder::new(encoding, false);
            let mut octets = Vec::new();
            for piece in body.chunks(size) {
                octets.extend_from_slice(&decoder.push(piece));
            }
            octets.extend_from_slice(&decoder.finish());
            let name = format!("{encoding} by {size} {name:?}");
            assert!(octets == whole.as_bytes(), "{name}");
            let report = decoder.into_report();
            assert_eq!(found(&report), found(whole.report()), "{name}");
        }
    }

    /// The findings with their offsets. Adjacent findings are merged, since pieces may split one.
    /// If the report omitted some, only their kinds are compared.
    fn found(report: &Report) -> Vec<(Kind, usize, usize)> {
        let mut found: Vec<(Kind, usize, usize)> = Vec::new();
        for finding in report.findings() {
            let (kind, start) = (finding.kind(), finding.offset());
            match found.last_mut() {
                Some((last, _, end)) if *last == kind && *end == start => *end += finding.length(),
                _ => found.push((kind, start, start + finding.length())),
            }
        }
        if report.omitted() > 0 {
            found.sort_by_key(|(kind, _, _)| kind.name());
            found.dedup_by_key(|(kind, _, _)| *kind);
            for (_, start, end) in &mut found {
                (*start, *end) = (0, 0);
            }
        }
        found
    }

    /// Blanks may end a line, so they are buffered until the next text.
    #[test]
    fn a_long_run_of_blanks_is_searched_in_linear_time() {
        let of = |length: usize| {
            let body = " ".repeat(length) + "x";
            let mut decoder = TransferDecoder::new(TransferEncoding::QuotedPrintable, false);
            let mut octets = Vec::new();
            let work = work_of(|| {
                for piece in body.as_bytes().chunks(100) {
                    octets.extend_from_slice(&decoder.push(piece));
                }
                octets.extend_from_slice(&decoder.finish());
            });
            assert!(octets == body.as_bytes());
            work
        };
        let (some, more) = (of(20_000), of(80_000));
        assert!(some > 20_000 && more < 5 * some, "{some}, {more}");
    }

    /// Long enough for several pieces, which end at every place of the pattern.
    #[test]
    fn pieces_equal_the_whole() {
        let patterns: [&[u8]; 30] = [
            b"TWFu",
            b"TWFu\r\n",
            b"TWF u\n",
            b"TWFuT",
            b"TQ==",
            b"TWE=TQ==\r\n",
            b"=",
            b"\n",
            b"!TWFu",
            b"TWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFuTWFu\r\n",
            b"=E9",
            b"=e9a",
            b"=\n",
            b"a=\r\n",
            b"= ",
            b"= \n",
            b" ",
            b" \t\n",
            b"a \r\n",
            b"a  b",
            b"=X",
            b"==41",
            b"caf=C3=A9 au lait\r\n",
            b"\r",
            b"\xE9=\r",
            b"=4",
            b"begin 644 a\r\n#0V%T\r\n`\r\nend\r\n",
            b"#0V%T\n",
            b"#0V%\r\r\n",
            b"#0V%T                                                                 ",
        ];
        let encodings = [
            TransferEncoding::Base64,
            TransferEncoding::QuotedPrintable,
            TransferEncoding::Uuencode,
        ];
        for pattern in patterns {
            for encoding in encodings {
                check(pattern, encoding);
                for cut in 0..pattern.len().min(5) {
                    let mut body = pattern.repeat(5 * LENGTH / 2 / pattern.len());
                    body.drain(..cut);
                    check(&body, encoding);
                }
            }
        }
    }

    fn tokens() -> impl Strategy<Value = Vec<&'static str>> {
        let all = [
            "TWFu", "TQ==", "T", "=", " ", "\r\n", "\n", "!", "=E9", "x", "=\r\n",
        ];
        prop::collection::vec(prop::sample::select(all.to_vec()), 0..60)
    }

    /// Fragments of uuencoded bodies and of surrounding text.
    fn uuencode_tokens() -> impl Strategy<Value = Vec<&'static str>> {
        let long = "                                                                      ";
        let all = [
            "begin 644 a\n",
            "begin-base64 644 a\r\n",
            "TWFu",
            "====\n",
            "begin 644 a",
            "#0V%T\n",
            "#0V%T\r\n",
            "#0V%T\r",
            "#0V",
            "M",
            "`\n",
            "end",
            "end\n",
            "\n",
            "\r\n",
            "\r",
            " ",
            long,
            "x",
            "Hello world\n",
            "\u{e9}",
        ];
        prop::collection::vec(prop::sample::select(all.to_vec()), 0..30)
    }

    fn check_all(body: &[u8]) {
        check(body, TransferEncoding::Base64);
        check(body, TransferEncoding::QuotedPrintable);
        check(body, TransferEncoding::Uuencode);
        check(body, TransferEncoding::SevenBit);
        check(body, TransferEncoding::EightBit);
    }

    proptest! {
        #[test]
        fn any_body(tokens in tokens()) {
            check_all(tokens.concat().as_bytes());
        }

        #[test]
        fn any_uuencode(tokens in uuencode_tokens()) {
            check(tokens.concat().as_bytes(), TransferEncoding::Uuencode);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// The drawn text is at the end of the octets searched for the first line.
        #[test]
        fn any_uuencode_after_text(tokens in uuencode_tokens(), before in 0..3_usize) {
            let filler = "x\n".repeat(LENGTH / 2 - 8) + &"x".repeat(before);
            check((filler + &tokens.concat()).as_bytes(), TransferEncoding::Uuencode);
        }

        /// The drawn text is where pieces end.
        #[test]
        fn any_body_of_several_pieces(tokens in tokens(), before in 0..40_usize) {
            let drawn = tokens.concat();
            let filler = |groups: usize| "TWFu".repeat(groups);
            let ends = [filler(LENGTH / 4 - before), filler(LENGTH / 4)];
            let body = ends.map(|filler| filler + &drawn).concat();
            check_all(body.as_bytes());
        }
    }
}
