//! Transfer decoding compared with other programs, and with slow, literal implementations of the
//! rules.

use mime_charset::Kind;
use mime_charset::transfer::{Transferred, b, base64, q, quoted_printable, uuencode};
use proptest::prelude::*;

use super::samples::hex;

/// Exact results of other programs.
#[test]
fn bodies_decode_as_in_other_programs() {
    type Decode = for<'a> fn(&'a [u8]) -> Transferred<'a>;
    let files: [(&str, Decode, usize); 3] = [
        (
            include_str!("../../corpus/transfer/base64.tsv"),
            base64,
            270,
        ),
        (
            include_str!("../../corpus/transfer/quoted-printable.tsv"),
            quoted_printable,
            300,
        ),
        (
            include_str!("../../corpus/transfer/uuencode.tsv"),
            uuencode,
            280,
        ),
    ];
    for (file, decode, at_least) in files {
        let mut rows = 0;
        for row in file.lines().skip(1) {
            let fields: Vec<_> = row.split('\t').collect();
            let [oracle, body, octets] = fields[..] else {
                panic!("expected three fields, found {row}")
            };
            let body = hex(body);
            assert_eq!(
                decode(&body).as_bytes(),
                hex(octets),
                "{oracle} on {}",
                body.escape_ascii()
            );
            rows += 1;
        }
        assert!(rows >= at_least, "{rows} rows");
    }
}

/// Decoding works in blocks; octets at the edge of a block are decoded like any others.
#[test]
fn every_length_of_body_decodes() {
    for end in [
        "", "=", "=4", "=41", "=\r", "=\r\n", "=\r\n=", "=4=41", " ", "= ", "\r",
    ] {
        for length in 0..400 {
            let body = "=C3=A9 au lait=\r\n, caf".repeat(30);
            let body = [&body.as_bytes()[..length], end.as_bytes()].concat();
            let decoded = quoted_printable(&body);
            let (octets, findings) = slow_quoted_printable(&body);
            assert_eq!(decoded.as_bytes(), octets, "{}", body.escape_ascii());
            assert_eq!(found(&decoded), findings, "{}", body.escape_ascii());
        }
    }
}

/// One escape in a block, and another in the same or the next block.
#[test]
fn two_escapes_at_every_place_and_distance() {
    let pieces = ["=41", "=\r\n", "=\n"];
    for (first, second) in pieces
        .iter()
        .flat_map(|first| pieces.map(|second| (first, second)))
    {
        for before in 0..66 {
            for between in 0..66 {
                let text = |octet: &str, length| octet.repeat(length);
                let body =
                    text("a", before) + first + &text("b", between) + second + &text("c", 150);
                let decoded = quoted_printable(body.as_bytes());
                let (octets, _) = slow_quoted_printable(body.as_bytes());
                assert_eq!(decoded.as_bytes(), octets, "{body:?}");
            }
        }
    }
}

#[track_caller]
fn check_base64(body: &[u8]) {
    let decoded = base64(body);
    let (octets, findings) = slow_base64(body);
    assert_eq!(decoded.as_bytes(), octets, "{}", body.escape_ascii());
    assert_eq!(found(&decoded), findings, "{}", body.escape_ascii());
}

/// The last line of a body at each length and with each ending, alone and after full lines: short
/// lines and remainders take another path than full vectors.
#[test]
fn every_last_line_of_base64() {
    const ENDINGS: [&str; 18] = [
        "",
        "\r\n",
        "\n",
        "\r",
        "=",
        "==",
        "A=\r\n",
        "A==\r\n",
        "AA=\n",
        "AA==",
        "===",
        "= =",
        "*",
        " \r\n",
        "\r\n\r\n",
        "\n\r\n",
        "=\r\n=",
        "==\r\nTQ==",
    ];
    let letters = "TWFuIGlzIGRpc3Rpbmd1aXNoZWQ+/+09".repeat(3);
    let line = format!("{}\r\n", &letters[..76]);
    for lines in [0, 1, 2, 4] {
        for length in 0..=84 {
            for ending in ENDINGS {
                let body = [&line.repeat(lines), &letters[..length], ending].concat();
                check_base64(body.as_bytes());
            }
        }
    }
}

/// RFC 2045, section 6.8, table 1: only 64 letters, at each place of a group.
#[test]
fn every_octet_among_letters_of_base64() {
    for octet in 0..=255 {
        for at in 0..96 {
            let mut body = b"TWFu".repeat(40);
            body[at] = octet;
            check_base64(&body);
            body.splice(76..76, *b"\r\n");
            body.splice(154..154, *b"\r\n");
            check_base64(&body);
        }
    }
}

/// A finding: kind, offset, length.
type Found = (Kind, usize, usize);

/// Findings by offset.
fn found(transferred: &Transferred<'_>) -> Vec<Found> {
    let mut found: Vec<_> = transferred
        .report()
        .findings()
        .iter()
        .map(|finding| (finding.kind(), finding.offset(), finding.length()))
        .collect();
    found.sort_by_key(|&(kind, offset, length)| (offset, kind, length));
    found
}

/// Collects findings one octet at a time. Adjacent findings of one kind and text are merged.
#[derive(Default)]
struct Notes(Vec<(Kind, &'static str, usize, usize)>);

impl Notes {
    fn add(&mut self, kind: Kind, what: &'static str, offset: usize, length: usize) {
        match self.0.last_mut() {
            Some(last) if (last.0, last.1, last.2 + last.3) == (kind, what, offset) => {
                last.3 += length;
            }
            _ => self.0.push((kind, what, offset, length)),
        }
    }

    /// One finding from the first matching octet to the last.
    fn span(&mut self, kind: Kind, body: &[u8], such: impl Fn(&u8) -> bool) {
        let first = body.iter().position(&such);
        let last = body.iter().rposition(&such);
        if let (Some(first), Some(last)) = (first, last) {
            self.0.push((kind, "", first, last + 1 - first));
        }
    }

    fn long_line(&mut self, body: &[u8]) {
        let long = lines(body).into_iter().find(|line| line.text.len() > 76);
        if let Some(line) = long {
            self.0
                .push((Kind::LineLength, "", line.offset, line.text.len()));
        }
    }

    fn found(mut self) -> Vec<Found> {
        self.0
            .sort_by_key(|&(kind, _, offset, length)| (offset, kind, length));
        self.0
            .into_iter()
            .map(|(kind, _, offset, length)| (kind, offset, length))
            .collect()
    }
}

struct Line<'a> {
    offset: usize,
    text: &'a [u8],
    end: &'a [u8],
}

/// CRLF, LF and CR end a line; the end of the body ends the last line.
fn lines(body: &[u8]) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut offset = 0;
    loop {
        let rest = &body[offset..];
        let length = rest
            .iter()
            .position(|octet| b"\r\n".contains(octet))
            .unwrap_or(rest.len());
        let (text, rest) = rest.split_at(length);
        let end = match rest {
            [b'\r', b'\n', ..] => &rest[..2],
            [_, ..] => &rest[..1],
            [] => rest,
        };
        lines.push(Line { offset, text, end });
        if end.is_empty() {
            return lines;
        }
        offset += text.len() + end.len();
    }
}

/// RFC 2045, section 6.7, line by line and octet by octet.
fn slow_quoted_printable(body: &[u8]) -> (Vec<u8>, Vec<Found>) {
    let mut octets = Vec::new();
    let mut notes = Notes::default();
    for line in lines(body) {
        let kept = line
            .text
            .iter()
            .rposition(|octet| !b" \t".contains(octet))
            .map_or(0, |at| at + 1);
        let (mut text, blanks) = line.text.split_at(kept);
        let joins = text.ends_with(b"=");
        if joins {
            text = &text[..text.len() - 1];
        }
        let mut at = 0;
        while at < text.len() {
            let digits = text
                .get(at + 1..at + 3)
                .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
            match (text[at], digits) {
                (b'=', Some(digits)) => {
                    octets.extend(hex(std::str::from_utf8(digits).expect("ASCII")));
                    if digits.iter().any(u8::is_ascii_lowercase) {
                        notes.add(Kind::QuotedPrintableSyntax, "case", line.offset + at, 3);
                    }
                    at += 3;
                    continue;
                }
                (b'=', None) => notes.add(Kind::QuotedPrintableKept, "", line.offset + at, 1),
                _ => {}
            }
            octets.push(text[at]);
            at += 1;
        }
        if joins && line.end.is_empty() {
            notes.add(
                Kind::QuotedPrintableSyntax,
                "end",
                line.offset + kept - 1,
                1,
            );
        }
        if !blanks.is_empty() {
            notes.add(
                Kind::QuotedPrintableBlanks,
                "",
                line.offset + kept,
                blanks.len(),
            );
        }
        if !joins {
            octets.extend_from_slice(line.end);
        }
    }
    notes.span(Kind::EightBitData, body, |octet| *octet > 0x7F);
    notes.span(
        Kind::Control,
        body,
        |octet| matches!(octet, 0..=8 | 11 | 12 | 14..=31 | 127),
    );
    notes.long_line(body);
    (octets, notes.found())
}

/// RFC 2045, section 6.8, run by run: letters, then equals signs.
fn slow_base64(body: &[u8]) -> (Vec<u8>, Vec<Found>) {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut notes = Notes::default();
    let mut runs = vec![(Vec::new(), Vec::new())];
    let mut strays = Vec::new();
    for (offset, octet) in body.iter().enumerate() {
        let letter = ALPHABET.iter().position(|letter| letter == octet);
        match (octet, letter, runs.last_mut().expect("one run")) {
            (b' ' | b'\t' | b'\r' | b'\n', ..) => {}
            // Not at a place for padding.
            (b'=', _, (letters, signs))
                if signs.is_empty()
                    && letters.len() % 4 == 1
                    && body
                        .get(offset + 1)
                        .is_some_and(|next| ALPHABET.contains(next)) =>
            {
                notes.add(Kind::Base64Padding, "surplus", offset, 1);
                strays.push(offset);
            }
            (b'=', _, (_, signs)) => signs.push(offset),
            (_, None, _) => notes.add(Kind::Base64Skipped, "", offset, 1),
            (_, Some(value), (letters, signs)) if signs.is_empty() => letters.push((offset, value)),
            (_, Some(value), _) => runs.push((vec![(offset, value)], Vec::new())),
        }
    }
    let mut octets = Vec::new();
    let mut is_further = false;
    for (letters, signs) in runs {
        if let (Some((first, _)), Some((last, _)), true) =
            (letters.first(), letters.last(), is_further)
        {
            // Up to the first equals sign.
            let stray = strays.iter().find(|stray| (first..last).contains(stray));
            let before = letters
                .iter()
                .take_while(|(at, _)| stray.is_none_or(|stray| at < stray));
            let last = before.last().map_or(*last, |(at, _)| *at);
            notes.add(Kind::Base64AfterPadding, "", *first, last + 1 - first);
        }
        let bits: Vec<bool> = letters
            .iter()
            .flat_map(|(_, value)| (0..6).rev().map(move |bit| value >> bit & 1 == 1))
            .collect();
        let (whole, rest) = bits.as_chunks::<8>();
        let octet = |bits: &[bool; 8]| {
            bits.iter()
                .fold(0, |octet, bit| octet << 1 | u8::from(*bit))
        };
        octets.extend(whole.iter().map(octet));

        let end = letters.last().map_or(0, |(last, _)| last + 1);
        let due = match letters.len() % 4 {
            1 => {
                notes.add(Kind::Base64Truncated, "", end - 1, 1);
                0
            }
            2 => 2,
            3 => 1,
            _ => 0,
        };
        if rest.len() < 6 && rest.contains(&true) {
            notes.add(Kind::Base64Padding, "bits", end - 1, 1);
        }
        if signs.len() < due {
            let end = signs.last().map_or(end, |sign| sign + 1);
            notes.add(Kind::Base64Padding, "missing", end, 0);
        }
        for sign in signs.iter().skip(due) {
            notes.add(Kind::Base64Padding, "surplus", *sign, 1);
        }
        is_further = due > 0 && !signs.is_empty();
    }
    notes.long_line(body);
    (octets, notes.found())
}

/// RFC 2047, section 4.2, octet by octet.
fn slow_q(text: &[u8]) -> (Vec<u8>, Vec<Found>) {
    let mut octets = Vec::new();
    let mut notes = Notes::default();
    let mut at = 0;
    while at < text.len() {
        let digits = text
            .get(at + 1..at + 3)
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit));
        match (text[at], digits) {
            (b'=', Some(digits)) => {
                octets.extend(hex(std::str::from_utf8(digits).expect("ASCII")));
                at += 2;
            }
            (b'=', None) => {
                notes.add(Kind::QuotedPrintableKept, "", at, 1);
                octets.push(b'=');
            }
            (b'_', _) => octets.push(b' '),
            (octet, _) => octets.push(octet),
        }
        at += 1;
    }
    (octets, notes.found())
}

/// Fragments of quoted-printable: every kind of text, line ending and damage.
fn quoted_printable_bodies() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => "=[0-9A-F]{2}",
        1 => "=[0-9A-Fa-f]{2}",
        4 => "[!-<>-~]{1,20}",
        1 => "[a-z ]{60,140}",
        2 => Just("\r\n".to_owned()),
        2 => Just("=\r\n".to_owned()),
        2 => "[ \t]{1,3}",
        1 => "=?[\r\n]{1,2}",
        2 => "[=_]{1,3}",
        1 => "=[ \t]{0,2}",
        1 => "[\x00-\x1F\x7F]",
        1 => "[é한]",
    ];
    concatenated(piece, 60)
}

/// Base64 in lines of one width, with damage; long enough for the vector path.
fn base64_bodies() -> impl Strategy<Value = Vec<u8>> {
    let lines = (
        prop_oneof![4 => Just(76usize), 1 => 1usize..100, 1 => Just(usize::MAX)],
        prop_oneof![3 => 0usize..40, 2 => 0usize..300, 1 => 4000usize..20000],
        prop::sample::select(&["\r\n", "\n", "\r"][..]),
        prop::sample::select(&["", "=", "==", "A", "AB=", "AB==", "ABC="][..]),
    )
        .prop_map(|(width, length, line_end, last)| {
            let letters: String = "TWFuIGlzIGRpc3Rpbmd1aXNoZWQ+/+"
                .chars()
                .cycle()
                .take(length)
                .collect();
            let letters = letters + last;
            let mut body = String::new();
            for line in letters.as_bytes().chunks(width) {
                body.push_str(std::str::from_utf8(line).expect("ASCII"));
                body.push_str(line_end);
            }
            body
        });
    let damage = prop::collection::vec(
        (
            any::<prop::sample::Index>(),
            "[A-Za-z0-9=*\\-é \r\n\t]{1,3}",
        ),
        0..4,
    );
    (concatenated(lines, 3), damage).prop_map(|(mut body, damage)| {
        for (at, text) in damage {
            let at = at.index(body.len() + 1);
            body.splice(at..at, text.into_bytes());
        }
        body
    })
}

fn concatenated(
    piece: impl Strategy<Value = String>,
    most: usize,
) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece, 0..=most).prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #[test]
    fn quoted_printable_follows_the_rules(body in quoted_printable_bodies()) {
        let decoded = quoted_printable(&body);
        let (octets, findings) = slow_quoted_printable(&body);
        prop_assert_eq!(decoded.as_bytes().escape_ascii().to_string(), octets.escape_ascii().to_string());
        prop_assert_eq!(found(&decoded), findings);
        let is_borrowed = matches!(decoded.into_octets(), std::borrow::Cow::Borrowed(_));
        prop_assert_eq!(is_borrowed, octets == body);
    }

    #[test]
    fn base64_follows_the_rules(body in base64_bodies()) {
        let decoded = base64(&body);
        let (octets, mut findings) = slow_base64(&body);
        prop_assert_eq!(decoded.as_bytes(), octets);
        prop_assert_eq!(found(&decoded), findings.clone());

        // A B word decodes the same without lines; it may have the URL-safe letters.
        prop_assume!(!body.iter().any(|octet| b"-_".contains(octet)));
        let word = b(&body);
        findings.retain(|(kind, ..)| *kind != Kind::LineLength);
        prop_assert_eq!(word.as_bytes(), decoded.as_bytes());
        prop_assert_eq!(found(&word), findings);
    }

    #[test]
    fn q_follows_the_rules(text in quoted_printable_bodies()) {
        let decoded = q(&text);
        let (octets, findings) = slow_q(&text);
        prop_assert_eq!(decoded.as_bytes(), octets);
        prop_assert_eq!(found(&decoded), findings);
    }

    #[test]
    fn any_octets_decode(body in prop::collection::vec(any::<u8>(), 0..300)) {
        for (decoded, (octets, findings)) in [
            (quoted_printable(&body), slow_quoted_printable(&body)),
            (base64(&body), slow_base64(&body)),
            (q(&body), slow_q(&body)),
        ] {
            prop_assert_eq!(decoded.as_bytes(), octets);
            prop_assert_eq!(found(&decoded), findings);
        }
    }
}
