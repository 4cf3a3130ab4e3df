//! uuencode: any octets, in any pieces.

use std::io::{BufReader, Read};

use mime_charset::decode::TextReader;
use mime_charset::transfer::{self, TransferEncoding};
use mime_charset::{Charset, Options};

use super::{Choices, assert_in_range};

/// The decoded length is bounded, and the octets are the same in pieces and as a file in a text;
/// correctly encoded files round-trip.
pub fn uuencode(octets: &[u8]) {
    let mut choices = Choices::new(octets);
    let (width, piece) = (choices.number() % 45 + 1, choices.number() % 200 + 1);
    let body = choices.rest();
    let whole = transfer::uuencode(body);
    assert_in_range(whole.report(), body.len(), 0);
    assert!(whole.as_bytes().len() <= 2 * body.len() + (64 << 10));

    // TextReader reads as much as its source provides at once.
    let (encoding, charset) = (TransferEncoding::Uuencode, Charset::ISO_8859_1);
    let source = BufReader::with_capacity(piece, body.take(u64::MAX));
    let mut reader = TextReader::new(source, encoding, charset, &Options::new().trust_label(true));
    let mut text = String::new();
    while let Some(piece) = reader.piece().expect("octets in memory") {
        text += piece;
    }
    assert_eq!(text, charset.decode(whole.as_bytes()).as_str());

    let text = String::from_utf8_lossy(body);
    let (files, ranges) = (
        transfer::uuencoded(&text),
        transfer::uuencoded_ranges(&text),
    );
    assert_eq!(files.len(), ranges.len());
    let mut end = 0;
    for (file, range) in files.iter().zip(ranges) {
        assert!(file.range == range && range.start >= end && range.start < range.end);
        end = range.end;
        let lines = text[range].as_bytes();
        assert_eq!(file.octets, transfer::uuencode(lines).as_bytes());
        assert_in_range(&file.report, text.len(), 0);
    }

    let file = format!(
        "begin 644 a\n{}end\n",
        uuencoded_lines(body, width, ' ', "\n")
    );
    let decoded = transfer::uuencode(file.as_bytes());
    assert!(decoded.as_bytes() == body && decoded.report().is_empty());
    let found = transfer::uuencoded(&file);
    assert_eq!(found.len(), usize::from(!body.is_empty()));
    assert!(found.iter().all(|file| file.octets == body));
}

/// Octets as lines of POSIX (`uuencode`): a length, and three octets as four characters, each of
/// six bits plus 20, or `zero` for 0.
pub fn uuencoded_lines(octets: &[u8], width: usize, zero: char, line_end: &str) -> String {
    let character = |bits: u32| match bits & 0x3F {
        0 => zero,
        bits => char::from_u32(bits + 0x20).expect("ASCII"),
    };
    let mut lines = String::new();
    for line in octets.chunks(width).chain([&[][..]]) {
        lines.push(character(u32::try_from(line.len()).expect("a short line")));
        for group in line.chunks(3) {
            let mut bits = [0; 4];
            bits[1..=group.len()].copy_from_slice(group);
            let bits = u32::from_be_bytes(bits);
            lines.extend([18, 12, 6, 0].map(|shift| character(bits >> shift)));
        }
        lines.push_str(line_end);
    }
    lines
}
