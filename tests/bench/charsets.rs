//! Decoding of every kind of charset.

use std::borrow::Cow;

use encoding_rs::{Encoding, UTF_8};

use crate::harness::{Peer, Plan, Row, peer, table, utf8};
use crate::system::{Icu, iconv_from};
use crate::text::{self, Random};

const TITLE: &str = "Charsets to text: 1 MiB unless a size is given";
const SIZE: usize = 1 << 20;

pub fn measure(plan: &Plan) {
    if !plan.wants(TITLE) {
        return;
    }
    let syllables = text::syllables();
    let ascii = text::ascii(&mut Random(1), SIZE);
    let korean = text::korean(&mut Random(2), SIZE, &syllables);
    let latin = text::latin(&mut Random(3), SIZE, 10);
    let japanese = text::japanese(&mut Random(4), SIZE, &text::kanji());
    let chinese = text::chinese(&mut Random(5), SIZE, &text::hanzi());

    let malformed: Vec<_> = [4096, 256, 32]
        .into_iter()
        .map(|every| (every, damaged(korean.as_bytes(), every)))
        .collect();
    let legacy: Vec<_> = [
        ("euc-kr", &korean),
        ("iso-2022-jp", &japanese),
        ("shift_jis", &japanese),
        ("gb18030", &chinese),
        ("windows-1252", &latin),
    ]
    .into_iter()
    .map(|(label, text)| (label, encoded(label, text), text))
    .collect();
    let small: Vec<_> = [
        ("euc-kr", &korean),
        ("iso-2022-jp", &japanese),
        ("shift_jis", &japanese),
        ("gb18030", &chinese),
        ("windows-1252", &latin),
    ]
    .into_iter()
    .flat_map(|(label, text)| [1 << 16, 1 << 10, 64].map(|size| (label, text, size)))
    .map(|(label, text, size)| {
        let text = filled(start_in(label, text, size), size, |text| {
            encoded(label, text).len()
        });
        (label, encoded(label, &text), text)
    })
    .collect();
    let valid: Vec<_> = [
        ("ASCII", &ascii),
        ("UTF-8, Korean", &korean),
        ("UTF-8, Latin", &latin),
    ]
    .into_iter()
    .flat_map(|(name, text)| {
        [SIZE, 1 << 10, 64].map(|size| {
            let name = format!("{name}{}", sized(size));
            (name, filled(start(text, size), size, str::len))
        })
    })
    .collect();
    let (old, new, modern) = old_hangul();

    let mut rows = Vec::new();
    for (name, text) in &valid {
        let right = text.as_str().into();
        rows.push(row(name.clone(), "utf-8", text.as_bytes(), right));
    }
    for (every, octets) in &malformed {
        let name = format!("UTF-8, Korean, one octet of {every} malformed");
        rows.push(row(name, "utf-8", octets, String::from_utf8_lossy(octets)));
    }
    for size in [SIZE / 8, SIZE / 4, SIZE / 2, SIZE] {
        let (old, new) = (start(&old, size), start(&new, size));
        let name = format!("UNICODE-1-1-UTF-8, old Hangul{}", sized(size));
        let mut row = row(name, "unicode-1-1-utf-8", old.as_bytes(), new.into());
        let modern = &modern;
        row.peers.push(peer("obvious code", move || {
            utf8(obvious(old.as_bytes(), modern).into())
        }));
        rows.push(row);
    }
    for (label, octets, text) in &legacy {
        rows.push(row((*label).into(), label, octets, text.as_str().into()));
    }
    for (label, octets, text) in &small {
        let name = format!("{label}{}", sized(octets.len()));
        rows.push(row(name, label, octets, text.as_str().into()));
    }
    table(plan, TITLE, rows);
}

/// A prefix of the text with at most `size` octets.
fn start(text: &str, size: usize) -> &str {
    let mut ends = (0..=size.min(text.len())).rev();
    let end = ends.find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

/// A prefix of the text with at most `size` octets in the charset.
fn start_in<'a>(label: &str, text: &'a str, size: usize) -> &'a str {
    let (mut most, mut least) = (text.len(), 0);
    while most - least > 1 {
        let middle = usize::midpoint(most, least);
        if encoded(label, start(text, middle)).len() <= size {
            least = middle;
        } else {
            most = middle;
        }
    }
    start(text, least)
}

/// A text padded with full stops to `size` octets.
fn filled(text: &str, size: usize, length: impl Fn(&str) -> usize) -> String {
    text.to_owned() + &".".repeat(size - length(text))
}

/// The row's note on a size other than 1 MiB.
fn sized(size: usize) -> String {
    match size {
        SIZE => String::new(),
        1024.. => format!(", {} KiB", size >> 10),
        _ => format!(", {size} octets"),
    }
}

/// The obvious implementation: validate, then map each character.
fn obvious(octets: &[u8], modern: &[char]) -> String {
    let text = std::str::from_utf8(octets).expect("UTF-8");
    let row = |old: char| (old as usize).checked_sub(0x3400);
    text.chars()
        .map(|old| {
            row(old)
                .and_then(|row| modern.get(row))
                .copied()
                .unwrap_or(old)
        })
        .collect()
}

/// One charset of each family, compared with the system's converters. `iconv` writes the octets; a
/// charset unknown to the C library has no row.
pub fn measure_families(plan: &Plan) {
    const TITLE: &str = "Families of charsets: 1 MiB to text, compared with iconv and ICU";
    if !plan.wants(TITLE) {
        return;
    }
    let korean = text::korean(&mut Random(8), SIZE, &text::syllables());
    let latin = text::latin(&mut Random(9), SIZE, 10);
    let japanese = text::japanese(&mut Random(10), SIZE, &text::kanji());
    let chinese = text::chinese(&mut Random(11), SIZE, &text::hanzi());
    // The label, and ICU's name if it differs.
    let families: [(&str, &str, &str); 19] = [
        ("windows-1252", "", &latin),
        ("ibm850", "", &latin),
        ("macintosh", "", &latin),
        ("ibm037", "", &latin),
        ("t.61-8bit", "", &latin),
        ("utf-7", "", &korean),
        ("utf-16le", "", &korean),
        ("utf-32be", "", &korean),
        ("euc-kr", "", &korean),
        ("iso-2022-kr", "", &korean),
        ("johab", "", &korean),
        ("euc-jp", "", &japanese),
        ("shift_jis", "", &japanese),
        ("iso-2022-jp", "", &japanese),
        ("euc-jisx0213", "", &japanese),
        ("gb18030", "", &chinese),
        ("gb2312", "", &chinese),
        ("iso-2022-cn", "", &chinese),
        ("hz-gb-2312", "HZ", &chinese),
    ];
    let icu = Icu::load();
    let encoded: Vec<_> = families
        .into_iter()
        .filter_map(|(label, icu_label, text)| {
            let octets = match label {
                "hz-gb-2312" => hz(text)?,
                _ => iconv_from("utf-8", label, text.as_bytes())?,
            };
            let icu_label = if icu_label.is_empty() {
                label
            } else {
                icu_label
            };
            Some((label, icu_label, octets, text))
        })
        .collect();
    let rows = encoded
        .iter()
        .map(|&(label, icu_label, ref octets, text)| {
            let mut row = row(label.into(), label, octets, text.into());
            row.peers
                .retain(|peer| matches!(peer.name(), "mime-charset" | "encoding_rs 0.8"));
            if iconv_from(label, "utf-8", octets).is_some() {
                row.peers.push(peer("iconv", move || {
                    iconv_from(label, "utf-8", octets)
                        .unwrap_or_default()
                        .into()
                }));
            }
            if let Some(icu) = &icu
                && icu.decode(icu_label, octets).is_some()
            {
                row.peers.push(peer("ICU", move || {
                    icu.decode(icu_label, octets).unwrap_or_default().into()
                }));
            }
            row
        })
        .collect();
    table(plan, TITLE, rows);
}

/// Text in HZ (RFC 1843), which `iconv` cannot write: GB 2312 between `~{` and `~}`.
fn hz(text: &str) -> Option<Vec<u8>> {
    let octets = iconv_from("utf-8", "gb2312", text.as_bytes())?;
    let mut hz = Vec::new();
    for run in octets.chunk_by(|a, b| a.is_ascii() == b.is_ascii()) {
        if run.is_ascii() {
            hz.extend_from_slice(run);
        } else {
            hz.extend_from_slice(b"~{");
            hz.extend(run.iter().map(|octet| octet & 0x7F));
            hz.extend_from_slice(b"~}");
        }
    }
    Some(hz)
}

fn row<'a>(name: String, label: &'static str, octets: &'a [u8], right: Cow<'a, str>) -> Row<'a> {
    Row {
        name,
        octets: octets.len(),
        right: utf8(right),
        peers: peers(label, octets),
    }
}

fn peers<'a>(label: &'static str, octets: &'a [u8]) -> Vec<Peer<'a>> {
    let ours = mime_charset::Charset::for_label(label).expect("a known label");
    let mut peers = vec![peer("mime-charset", move || {
        utf8(ours.decode(octets).into_text())
    })];
    if let Some(encoding) = Encoding::for_label(label.as_bytes()) {
        peers.push(peer("encoding_rs 0.8", move || {
            utf8(encoding.decode_without_bom_handling(octets).0)
        }));
        if encoding == UTF_8 {
            peers.push(peer("std", move || utf8(String::from_utf8_lossy(octets))));
        }
        // It only validates, without replacement.
        if encoding == UTF_8 && std::str::from_utf8(octets).is_ok() {
            peers.push(peer("simdutf8 0.1", move || {
                simdutf8::compat::from_utf8(octets)
                    .unwrap_or_default()
                    .as_bytes()
                    .into()
            }));
        }
    }
    if let Some(charset) = charset::Charset::for_label(label.as_bytes()) {
        peers.push(peer("charset 0.1", move || {
            utf8(charset.decode_without_bom_handling(octets).0)
        }));
    }
    if let Some(decoder) = mail_parser::decoders::charsets::map::charset_decoder(label.as_bytes()) {
        peers.push(peer("mail-parser 0.11", move || {
            decoder(octets).into_bytes().into()
        }));
    }
    #[cfg(rival)]
    if let Some(charset) = rival::decoders::charsets::Charset::from_label(label.as_bytes()) {
        peers.push(peer("mail-parser 1.0", move || {
            utf8(charset.decode(octets))
        }));
    }
    peers
}

/// `octets` with about one octet in `every` replaced by FF.
fn damaged(octets: &[u8], every: usize) -> Vec<u8> {
    let mut damaged = octets.to_vec();
    let mut random = Random(6);
    let mut at = every / 2;
    while let Some(octet) = damaged.get_mut(at) {
        *octet = 0xFF;
        at += every / 2 + random.below(every);
    }
    damaged
}

fn encoded(label: &str, text: &str) -> Vec<u8> {
    let encoding = Encoding::for_label(label.as_bytes()).expect("a label of the Encoding Standard");
    let (octets, _, has_unmappable) = encoding.encode(text);
    assert!(!has_unmappable, "{label} cannot encode all of the text");
    octets.into_owned()
}

/// Korean text in Hangul of Unicode 1.1, the same text in modern Hangul, and the modern
/// syllables in the old order.
fn old_hangul() -> (String, String, Vec<char>) {
    let table = include_str!("../../src/charset/tables/pre-amendment5-hangul.txt");
    let character = |hex: &str| {
        let value = u32::from_str_radix(hex, 16).expect("hexadecimal digits");
        char::from_u32(value).expect("a scalar value")
    };
    let pairs: Vec<(char, char)> = table
        .lines()
        .filter_map(|line| line.split_once(';'))
        .map(|(old, new)| (character(old), character(new)))
        .collect();
    assert_eq!(pairs.len(), 6656);
    let syllables: Vec<char> = pairs.iter().map(|(old, _)| *old).collect();
    let old = text::korean(&mut Random(7), SIZE, &syllables);
    let new = old
        .chars()
        .map(|old| {
            pairs
                .binary_search_by_key(&old, |pair| pair.0)
                .map_or(old, |row| pairs[row].1)
        })
        .collect();
    (old, new, pairs.into_iter().map(|(_, new)| new).collect())
}
