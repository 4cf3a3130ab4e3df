//! Transfer encodings compared with naive implementations.

use base64::Engine as _;
use mime_charset::Kind;
use mime_charset::transfer::{self, TransferEncoding};

use super::assert_in_range;

/// Every encoding follows the rules, octet by octet; splitting between units changes nothing; and
/// the output of other encoders is decoded.
pub fn transfer(body: &[u8]) {
    for (encoding, expected) in [
        (TransferEncoding::SevenBit, body.to_vec()),
        (TransferEncoding::EightBit, body.to_vec()),
        (TransferEncoding::Binary, body.to_vec()),
        (TransferEncoding::Unknown, body.to_vec()),
        (TransferEncoding::Base64, naive_base64(body)),
        (
            TransferEncoding::QuotedPrintable,
            naive_quoted_printable(body),
        ),
    ] {
        let decoded = transfer::decode(body, encoding);
        assert_eq!(decoded.as_bytes(), expected, "{encoding}");
        assert_in_range(decoded.report(), body.len(), 0);
        if expected == body {
            let borrows = decoded.as_bytes().as_ptr() == body.as_ptr();
            assert!(
                borrows || encoding == TransferEncoding::Base64,
                "{encoding}"
            );
        }
    }
    assert_eq!(transfer::b(body).as_bytes(), naive_base64(&standard(body)));
    let q = transfer::q(body);
    assert_eq!(q.as_bytes(), naive_q(body));
    assert_in_range(q.report(), body.len(), 0);

    whole_groups(body);
    whole_lines(body);
    assert_round_trip(body);
}

/// RFC 4648, section 5: the URL-safe letters, in text without the standard ones.
fn standard(text: &[u8]) -> Vec<u8> {
    if text.iter().any(|octet| b"+/".contains(octet)) {
        return text.to_vec();
    }
    let letters = text.iter().map(|octet| match octet {
        b'-' => b'+',
        b'_' => b'/',
        other => *other,
    });
    letters.collect()
}

/// RFC 2045, section 6.8: six bits for each letter. An equals sign ends a run and drops its
/// leftover bits. It is skipped between the first letter of a group and another letter.
fn naive_base64(body: &[u8]) -> Vec<u8> {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut octets, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for (at, &letter) in body.iter().enumerate() {
        let next = body.get(at + 1);
        let is_stray = count == 6 && next.is_some_and(|next| ALPHABET.contains(next));
        if letter == b'=' && is_stray {
            continue;
        }
        if letter == b'=' {
            (bits, count) = (0, 0);
            continue;
        }
        let Some(value) = ALPHABET.iter().position(|&known| known == letter) else {
            continue;
        };
        bits = bits << 6 | u32::try_from(value).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            octets.push(u8::try_from(bits >> count & 0xFF).unwrap());
            bits &= (1 << count) - 1;
        }
    }
    octets
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digits = std::str::from_utf8(digits.get(..2)?).ok()?;
    let are_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    are_digits.then(|| u8::from_str_radix(digits, 16).unwrap())
}

/// RFC 2045, section 6.7, line by line: trailing blanks are removed, `=HH` is an octet, and an
/// equals sign at the end joins lines. CRLF, LF and CR end lines.
fn naive_quoted_printable(body: &[u8]) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = body;
    while !rest.is_empty() {
        let (mut line, end) = next_line(rest);
        rest = &rest[line.len() + end.len()..];
        while let Some((b' ' | b'\t', shorter)) = line.split_last() {
            line = shorter;
        }
        let joins = line.last() == Some(&b'=');
        if joins {
            line = &line[..line.len() - 1];
        }
        while let Some((&first, behind)) = line.split_first() {
            line = behind;
            match hex(behind) {
                Some(octet) if first == b'=' => {
                    octets.push(octet);
                    line = &behind[2..];
                }
                _ => octets.push(first),
            }
        }
        if !joins {
            octets.extend_from_slice(end);
        }
    }
    octets
}

/// A line without its ending, and the ending.
fn next_line(rest: &[u8]) -> (&[u8], &[u8]) {
    let Some(at) = rest.iter().position(|octet| b"\r\n".contains(octet)) else {
        return (rest, b"");
    };
    let length = if rest[at..].starts_with(b"\r\n") {
        2
    } else {
        1
    };
    (&rest[..at], &rest[at..at + length])
}

/// RFC 2047, section 4.2.
fn naive_q(text: &[u8]) -> Vec<u8> {
    let mut octets = Vec::new();
    let mut rest = text;
    while let Some((&first, behind)) = rest.split_first() {
        rest = behind;
        match (first, hex(behind)) {
            (b'_', _) => octets.push(b' '),
            (b'=', Some(octet)) => {
                octets.push(octet);
                rest = &behind[2..];
            }
            _ => octets.push(first),
        }
    }
    octets
}

/// Base64 split after whole groups of letters.
fn whole_groups(body: &[u8]) {
    let letters: Vec<u8> = body
        .iter()
        .copied()
        .filter(u8::is_ascii_alphanumeric)
        .collect();
    let cut = letters.len() / 8 * 4;
    let (first, second) = letters.split_at(cut);
    let joined = [
        transfer::b(first).as_bytes(),
        transfer::b(second).as_bytes(),
    ]
    .concat();
    assert_eq!(joined, transfer::b(&letters).as_bytes());
}

/// Quoted-printable split after line endings.
fn whole_lines(body: &[u8]) {
    let mut joined = Vec::new();
    let without_cr: Vec<u8> = body.iter().copied().filter(|&o| o != b'\r').collect();
    for line in without_cr.split_inclusive(|&octet| octet == b'\n') {
        joined.extend_from_slice(transfer::quoted_printable(line).as_bytes());
    }
    assert_eq!(transfer::quoted_printable(&without_cr).as_bytes(), joined);
}

/// Correctly encoded octets round-trip without findings.
fn assert_round_trip(octets: &[u8]) {
    let lines: Vec<String> = octets
        .chunks(57)
        .map(|line| base64::engine::general_purpose::STANDARD.encode(line))
        .collect();
    let encoded = lines.join("\r\n");
    let decoded = transfer::base64(encoded.as_bytes());
    assert_eq!(
        (decoded.as_bytes(), decoded.report().is_empty()),
        (octets, true)
    );

    let lines: Vec<String> = octets
        .chunks(25)
        .map(|line| escapes(line).to_uppercase())
        .collect();
    let encoded = lines.join("=\r\n");
    let decoded = transfer::quoted_printable(encoded.as_bytes());
    assert_eq!(
        (decoded.as_bytes(), decoded.report().is_empty()),
        (octets, true)
    );

    let encoded = escapes(octets);
    let decoded = transfer::q(encoded.as_bytes());
    assert_eq!(decoded.as_bytes(), octets);
    assert!(!decoded.report().has(Kind::QuotedPrintableKept));
}

/// Each octet as an equals sign and two digits in lower case (RFC 2045, section 6.7).
fn escapes(octets: &[u8]) -> String {
    let digits = octets.iter().flat_map(|octet| [octet >> 4, octet & 0xF]);
    let mut escapes = String::with_capacity(octets.len() * 3);
    for (place, digit) in digits.enumerate() {
        if place % 2 == 0 {
            escapes.push('=');
        }
        escapes.extend(char::from_digit(digit.into(), 16));
    }
    escapes
}
