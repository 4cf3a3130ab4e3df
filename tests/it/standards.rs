//! UTF-8 by RFC 2044, RFC 2279 and RFC 3629, section by section, and by chapter 3 of the Unicode
//! Standard, which RFC 3629, section 4, names as the authority.

#![expect(
    clippy::cast_possible_truncation,
    reason = "the arithmetic of the tables leaves eight bits"
)]

use std::borrow::Cow;

use mime_charset::charset::Decoder;
use mime_charset::hangul::{self, HangulPolicy};
use mime_charset::utf8::{self, Profile, Reason};
use mime_charset::{Charset, Effect, Kind, Options};

const ALL: [Profile; 3] = [Profile::Rfc2044, Profile::Rfc2279, Profile::Rfc3629];

/// Parses `E2 89 A2` into octets.
fn octets(hexadecimal: &str) -> Vec<u8> {
    hexadecimal
        .split_whitespace()
        .map(|octet| u8::from_str_radix(octet, 16).unwrap())
        .collect()
}

/// In each of the profiles, the octets decode to these values, and the values encode to the octets.
#[track_caller]
fn example(profiles: &[Profile], values: &[u32], hexadecimal: &str) {
    let octets = octets(hexadecimal);
    for profile in profiles {
        assert_eq!(profile.encode(values).unwrap(), octets);
        assert_eq!(profile.decode(&octets).unwrap(), values);
    }
    let text: String = values.iter().filter_map(|&v| char::from_u32(v)).collect();
    assert_eq!(text.as_bytes(), octets);
    assert_eq!(utf8::decode(&octets), Ok(&*text));
    let decoded = Charset::UTF_8.decode(&octets);
    assert_eq!(
        (decoded.as_str(), decoded.report().is_empty()),
        (&*text, true)
    );
    assert!(matches!(decoded.into_text(), Cow::Borrowed(_)));
}

// ---------------------------------------------------------------- the examples

#[test]
fn rfc2044_examples() {
    example(&ALL, &[0x41, 0x2262, 0x391, 0x2E], "41 E2 89 A2 CE 91 2E");
    example(
        &ALL,
        &[0x48, 0x69, 0x20, 0x4D, 0x6F, 0x6D, 0x20, 0x263A, 0x21],
        "48 69 20 4D 6F 6D 20 E2 98 BA 21",
    );
    example(
        &ALL,
        &[0x65E5, 0x672C, 0x8A9E],
        "E6 97 A5 E6 9C AC E8 AA 9E",
    );
}

#[test]
fn rfc2279_section_4_examples() {
    example(&ALL, &[0x41, 0x2262, 0x391, 0x2E], "41 E2 89 A2 CE 91 2E");
    example(
        &ALL,
        &[0xD55C, 0xAD6D, 0xC5B4],
        "ED 95 9C EA B5 AD EC 96 B4",
    );
    example(
        &ALL,
        &[0x65E5, 0x672C, 0x8A9E],
        "E6 97 A5 E6 9C AC E8 AA 9E",
    );
}

#[test]
fn rfc3629_section_7_examples() {
    example(&ALL, &[0x41, 0x2262, 0x391, 0x2E], "41 E2 89 A2 CE 91 2E");
    example(
        &ALL,
        &[0xD55C, 0xAD6D, 0xC5B4],
        "ED 95 9C EA B5 AD EC 96 B4",
    );
    example(
        &ALL,
        &[0x65E5, 0x672C, 0x8A9E],
        "E6 97 A5 E6 9C AC E8 AA 9E",
    );
    example(&ALL, &[0xFEFF, 0x233B4], "EF BB BF F0 A3 8E B4");
}

// ---------------------------------------------------------------- the definitions

/// The table of RFC 2044 and of RFC 2279, section 2: first and last value of each row, and the
/// documents that include it.
#[test]
fn rfc2279_section_2_table() {
    let old = &ALL[..2];
    let rows: [(u32, &str, &[Profile]); 12] = [
        (0x00, "00", &ALL),
        (0x7F, "7F", &ALL),
        (0x80, "C2 80", &ALL),
        (0x7FF, "DF BF", &ALL),
        (0x800, "E0 A0 80", &ALL),
        (0xFFFF, "EF BF BF", &ALL),
        (0x1_0000, "F0 90 80 80", &ALL),
        (0x1F_FFFF, "F7 BF BF BF", old),
        (0x20_0000, "F8 88 80 80 80", old),
        (0x3FF_FFFF, "FB BF BF BF BF", old),
        (0x400_0000, "FC 84 80 80 80 80", old),
        (0x7FFF_FFFF, "FD BF BF BF BF BF", old),
    ];
    for (value, hexadecimal, profiles) in rows {
        let octets = octets(hexadecimal);
        for profile in ALL {
            if profiles.contains(&profile) {
                assert_eq!(profile.decode(&octets), Ok(vec![value]), "{hexadecimal}");
                assert_eq!(profile.encode(&[value]).unwrap(), octets);
            } else {
                let malformed = profile.decode(&octets).unwrap_err();
                assert_eq!(malformed.reason, Reason::OutOfRange, "{hexadecimal}");
                assert_eq!((malformed.offset, malformed.length), (0, 1));
                assert_eq!(
                    profile.encode(&[0x41, value]).unwrap_err().offset(),
                    Some(1)
                );
            }
        }
    }
    for profile in ALL {
        // FE and FF occur in no version of UTF-8.
        for octet in [0xFE, 0xFF] {
            let malformed = profile.decode(&[0x41, octet]).unwrap_err();
            assert_eq!(malformed.reason, Reason::BadLead);
            assert_eq!((malformed.offset, malformed.length), (1, 1));
        }
        assert!(profile.encode(&[profile.max_value() + 1]).is_err());
    }
}

/// The table of RFC 3629, section 3, by its formula, for every character.
#[test]
fn rfc3629_section_3_every_character() {
    let mut count = 0;
    for character in '\0'..=char::MAX {
        let value = u32::from(character);
        let tail = |shift: u32| (0x80 | (value >> shift & 0x3F)) as u8;
        let expected = match value {
            0..=0x7F => vec![value as u8],
            0x80..=0x7FF => vec![0xC0 | (value >> 6) as u8, tail(0)],
            0x800..=0xFFFF => vec![0xE0 | (value >> 12) as u8, tail(6), tail(0)],
            _ => vec![0xF0 | (value >> 18) as u8, tail(12), tail(6), tail(0)],
        };
        assert_eq!(Profile::Rfc3629.encode(&[value]).unwrap(), expected);
        assert_eq!(Profile::Rfc3629.decode(&expected), Ok(vec![value]));
        assert_eq!(
            utf8::decode(&expected).unwrap().chars().next(),
            Some(character)
        );
        count += 1;
    }
    // 110000 (hexadecimal) minus the 800 surrogates.
    assert_eq!(count, 0x11_0000 - 0x800);
}

/// RFC 3629, section 3: surrogates are prohibited, by every profile, in both directions;
/// CESU-8 is not UTF-8.
#[test]
fn rfc3629_section_3_surrogates() {
    for value in 0xD800_u32..=0xDFFF {
        let sequence = [
            0xED,
            (0x80 | (value >> 6 & 0x3F)) as u8,
            (0x80 | (value & 0x3F)) as u8,
        ];
        for profile in ALL {
            let malformed = profile.decode(&sequence).unwrap_err();
            assert_eq!(malformed.reason, Reason::Surrogate);
            assert_eq!((malformed.offset, malformed.length), (0, 1));
            assert_eq!(profile.encode(&[value]).unwrap_err().offset(), Some(0));
        }
        assert_eq!(
            utf8::decode(&sequence).unwrap_err().reason,
            Reason::Surrogate
        );
    }
    // U+1F600 as CESU-8: six malformed octets.
    let cesu8 = octets("ED A0 BD ED B8 80");
    assert_eq!(utf8::decode_lossy(&cesu8), "\u{FFFD}".repeat(6));
}

/// RFC 3629, section 4, rule by rule, for every first and second octet: well-formed sequences, and
/// the length of the maximal subpart of malformed ones.
#[test]
fn rfc3629_section_4_syntax() {
    for first in 0..=0xFF_u8 {
        for second in 0..=0xFF_u8 {
            let tail = matches!(second, 0x80..=0xBF);
            // The length of the sequence, and whether the second octet belongs to it.
            let (length, fits) = match first {
                0x00..=0x7F => (1, false),
                0xC2..=0xDF => (2, tail),
                0xE0 => (3, matches!(second, 0xA0..=0xBF)),
                0xE1..=0xEC | 0xEE | 0xEF => (3, tail),
                0xED => (3, matches!(second, 0x80..=0x9F)),
                0xF0 => (4, matches!(second, 0x90..=0xBF)),
                0xF1..=0xF3 => (4, tail),
                0xF4 => (4, matches!(second, 0x80..=0x8F)),
                _ => (0, false),
            };
            let sequence = [first, second, 0x80, 0x80];
            let whole = &sequence[..length.max(1)];
            let result = utf8::decode(whole);
            assert_eq!(result.is_ok(), length == 1 || fits, "{whole:02X?}");
            assert_eq!(result.is_ok(), Profile::Rfc3629.decode(whole).is_ok());
            if let Err(malformed) = result {
                assert_eq!((malformed.offset, malformed.length), (0, 1));
            }
            if length >= 3 && fits {
                for cut in 2..length {
                    let malformed = utf8::decode(&sequence[..cut]).unwrap_err();
                    assert_eq!(malformed.reason, Reason::Truncated);
                    assert_eq!((malformed.offset, malformed.length), (0, cut));
                }
            }
        }
    }
}

/// The reason, the offset, and the number of octets.
#[test]
fn rfc3629_section_3_reasons() {
    for (hexadecimal, offset, length, reason) in [
        ("C0 80", 0, 1, Reason::Overlong),
        ("41 C1 BF", 1, 1, Reason::Overlong),
        ("2F C0 AE 2E 2F", 1, 1, Reason::Overlong),
        ("E0 80 AF", 0, 1, Reason::Overlong),
        ("E0 9F BF", 0, 1, Reason::Overlong),
        ("F0 80 80 AF", 0, 1, Reason::Overlong),
        ("F0 8F BF BF", 0, 1, Reason::Overlong),
        ("ED A0 80", 0, 1, Reason::Surrogate),
        ("ED BF BF", 0, 1, Reason::Surrogate),
        ("F4 90 80 80", 0, 1, Reason::OutOfRange),
        ("F5 80 80 80", 0, 1, Reason::OutOfRange),
        ("F8 88 80 80 80", 0, 1, Reason::OutOfRange),
        ("FC 84 80 80 80 80", 0, 1, Reason::OutOfRange),
        ("80", 0, 1, Reason::StrayContinuation),
        ("C3 A9 BF", 2, 1, Reason::StrayContinuation),
        ("FE", 0, 1, Reason::BadLead),
        ("41 42 FF", 2, 1, Reason::BadLead),
        ("C3", 0, 1, Reason::Truncated),
        ("C3 28", 0, 1, Reason::Truncated),
        ("E2 82", 0, 2, Reason::Truncated),
        ("E2 28 A1", 0, 1, Reason::Truncated),
        ("E2 82 28", 0, 2, Reason::Truncated),
        ("F0 9F 98", 0, 3, Reason::Truncated),
        ("41 F0 9F 98 42", 1, 3, Reason::Truncated),
        ("ED 9F", 0, 2, Reason::Truncated),
    ] {
        let octets = octets(hexadecimal);
        let malformed = utf8::decode(&octets).unwrap_err();
        assert_eq!(
            (malformed.offset, malformed.length, malformed.reason),
            (offset, length, reason),
            "{hexadecimal}"
        );
        assert_eq!(utf8::malformed(&octets).next(), Some(malformed));
        assert_eq!(Profile::Rfc3629.decode(&octets), Err(malformed));
        let decoded = Charset::UTF_8.decode(&octets);
        let finding = &decoded.report().findings()[0];
        assert_eq!(finding.kind(), Kind::Malformed);
        assert_eq!((finding.offset(), finding.length()), (offset, length));
        assert!(finding.detail().starts_with(&reason.to_string()));
        assert_eq!(decoded.report().worst(), Some(Effect::Lost));
    }
}

/// RFC 2279, section 2, note: overlong forms of every length are rejected under the older profiles
/// too; their valid forms may be truncated.
#[test]
fn rfc2279_section_2_longer_forms_and_cuts() {
    for profile in &ALL[..2] {
        for (hexadecimal, length, reason) in [
            ("C0 80", 1, Reason::Overlong),
            ("E0 9F BF", 1, Reason::Overlong),
            ("F0 8F BF BF", 1, Reason::Overlong),
            ("F8 87 BF BF BF", 1, Reason::Overlong),
            ("FC 83 BF BF BF BF", 1, Reason::Overlong),
            ("FD BF BF BF BF", 5, Reason::Truncated),
            ("F8 88 80 80 41", 4, Reason::Truncated),
            ("F4 90 80", 3, Reason::Truncated),
            ("ED A0 80", 1, Reason::Surrogate),
            ("BF", 1, Reason::StrayContinuation),
        ] {
            let malformed = profile.decode(&octets(hexadecimal)).unwrap_err();
            assert_eq!(
                (malformed.offset, malformed.length, malformed.reason),
                (0, length, reason),
                "{hexadecimal}"
            );
        }
        // Values above U+10FFFF are valid in these profiles, but are not text.
        let octets = octets("F4 90 80 80");
        assert_eq!(profile.decode(&octets), Ok(vec![0x11_0000]));
        assert_eq!(Charset::UTF_8.decode(&octets).report().replacements(), 4);
    }
}

/// RFC 3629, section 3, and Unicode, chapter 23: noncharacters are valid.
#[test]
fn rfc3629_section_3_noncharacters() {
    let planes = (0..=0x10_u32).flat_map(|plane| [plane << 16 | 0xFFFE, plane << 16 | 0xFFFF]);
    let noncharacters: Vec<u32> = (0xFDD0..=0xFDEF).chain(planes).collect();
    assert_eq!(noncharacters.len(), 66);
    for value in noncharacters {
        let octets = Profile::Rfc3629.encode(&[value]).unwrap();
        let text = utf8::decode(&octets).unwrap();
        assert_eq!(text.chars().map(u32::from).collect::<Vec<_>>(), [value]);
    }
}

/// RFC 3629, section 3: decode UTF-16 first, then encode. A lone surrogate is one malformed unit.
#[test]
fn rfc3629_section_3_utf_16() {
    // The arithmetic of UTF-16: 10000 + (D83D - D800) * 400 + (DE00 - DC00), hexadecimal.
    assert_eq!(
        0x1_0000 + (0xD83D - 0xD800) * 0x400 + (0xDE00 - 0xDC00),
        0x1_F600
    );
    // The units, their text, and the index of the first lone surrogate.
    let rows: [(&[u16], &str, Option<usize>); 9] = [
        (&[0x41, 0xD83D, 0xDE00], "A\u{1F600}", None),
        (&[0xD800, 0xDC00], "\u{10000}", None),
        (&[0xDBFF, 0xDFFF], "\u{10FFFF}", None),
        (&[0xD7FF, 0xE000], "\u{D7FF}\u{E000}", None),
        (&[0x41, 0xD83D], "A\u{FFFD}", Some(1)),
        (&[0xDE00, 0x41], "\u{FFFD}A", Some(0)),
        (&[0xD83D, 0x41], "\u{FFFD}A", Some(0)),
        (&[0xDE00, 0xD83D], "\u{FFFD}\u{FFFD}", Some(0)),
        (
            &[0xD83D, 0xDE00, 0xD83D, 0xD83D, 0xDE00],
            "\u{1F600}\u{FFFD}\u{1F600}",
            Some(2),
        ),
    ];
    for (units, text, lone) in rows {
        for (charset, to_octets) in [
            (Charset::UTF_16BE, u16::to_be_bytes as fn(u16) -> [u8; 2]),
            (Charset::UTF_16LE, u16::to_le_bytes),
        ] {
            let octets: Vec<u8> = units.iter().flat_map(|&unit| to_octets(unit)).collect();
            let decoded = charset.decode(&octets);
            assert_eq!(decoded.as_str(), text, "{units:X?}");
            let first = decoded.report().findings().first();
            let place = first.map(|finding| (finding.kind(), finding.offset(), finding.length()));
            assert_eq!(
                place,
                lone.map(|unit| (Kind::Malformed, 2 * unit, 2)),
                "{units:X?}"
            );
        }
    }
    // One U+FFFD is EF BF BD.
    assert_eq!("\u{FFFD}".as_bytes(), octets("EF BF BD"));
}

/// RFC 2044 and RFC 2279, section 2: UCS-2 without pairs is the same as UTF-16.
#[test]
fn rfc2279_section_2_ucs_2() {
    let text: String = ('\0'..='\u{FFFF}').collect();
    let octets: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    assert_eq!(octets.len(), 2 * (0x1_0000 - 0x800));
    let decoded = Charset::UTF_16BE.decode(&octets);
    assert_eq!(decoded.as_str(), text);
}

/// RFC 3629, section 6: U+FEFF is a character. It is kept at the start of a short labelled element,
/// as it must be elsewhere.
#[test]
fn rfc3629_section_6_byte_order_mark() {
    for text in ["\u{FEFF}a", "a\u{FEFF}b", "\u{FEFF}\u{FEFF}", "\u{FEFF}"] {
        let decoded = Charset::UTF_8.decode(text.as_bytes());
        assert_eq!(decoded.as_str(), text);
        assert!(matches!(decoded.into_text(), Cow::Borrowed(_)));
        let old = Charset::UNICODE_1_1_UTF_8.decode(text.as_bytes());
        assert_eq!(old.as_str(), text);
    }
    // It does not override a charset: FF FE is read under the label.
    let latin = Charset::for_label("iso-8859-1").unwrap();
    assert_eq!(latin.decode(b"\xFF\xFEa\0").as_str(), "ÿþa\0");
    let gbk = Charset::for_label("gbk").unwrap();
    assert_ne!(gbk.decode(b"\xFE\xFF\0A").as_str(), "A");
}

/// RFC 3629, section 1: octets of ASCII occur only for ASCII, octet order is code point order, and
/// boundaries are found from any position.
#[test]
fn rfc3629_section_1_properties() {
    let mut before = Vec::new();
    for character in '\0'..=char::MAX {
        let octets = Profile::Rfc3629.encode(&[u32::from(character)]).unwrap();
        assert!(before < octets);
        let starts = octets.iter().filter(|&octet| octet & 0xC0 != 0x80).count();
        assert_eq!(starts, 1);
        assert_eq!(octets.iter().any(u8::is_ascii), character.is_ascii());
        before = octets;
    }
}

/// RFC 3629, section 10, and RFC 2279, section 6: an illegal sequence never yields a forbidden
/// character.
#[test]
fn rfc3629_section_10_security() {
    for (hexadecimal, forbidden) in [
        ("C0 80", '\0'),
        ("2F C0 AE 2E 2F", '!'),
        ("E0 80 AE", '.'),
        ("F0 80 80 AE", '.'),
        ("F8 80 80 80 AE", '.'),
        ("FC 80 80 80 80 AE", '.'),
        ("C0 AF", '/'),
        ("C1 9C", '\\'),
    ] {
        let octets = octets(hexadecimal);
        assert!(utf8::decode(&octets).is_err());
        assert!(!Charset::UTF_8.decode(&octets).as_str().contains(forbidden));
        for profile in ALL {
            assert!(profile.decode(&octets).is_err());
        }
    }
    assert!(!utf8::decode_lossy(&octets("2F C0 AE 2E 2F")).contains("/../"));
}

// ---------------------------------------------------------------- replacement

/// Every method of decoding gives this text.
#[track_caller]
fn replaced(hexadecimal: &str, text: &str) {
    let octets = octets(hexadecimal);
    assert_eq!(utf8::decode_lossy(&octets), text, "{hexadecimal}");
    let decoded = Charset::UTF_8.decode(&octets);
    assert_eq!(decoded.as_str(), text, "{hexadecimal}");
    let replacements = text.chars().filter(|&c| c == '\u{FFFD}').count();
    assert_eq!(decoded.report().replacements(), replacements);
    assert_eq!(decoded.report().findings().len(), replacements);
    assert_eq!(utf8::malformed(&octets).count(), replacements);
    // Other decoders agree.
    assert_eq!(String::from_utf8_lossy(&octets), text);
    let (web, _) = encoding_rs::UTF_8.decode_without_bom_handling(&octets);
    assert_eq!(web, text);
}

/// Unicode, chapter 3, Tables 3-8 to 3-11, "U+FFFD Substitution of Maximal Subparts".
#[test]
fn unicode_chapter_3_maximal_subparts() {
    let bad = "\u{FFFD}";
    replaced("C0 AF E0 80 BF F0 81 82 41", &(bad.repeat(8) + "A"));
    replaced("ED A0 80 ED BF BF ED AF 41", &(bad.repeat(8) + "A"));
    replaced(
        "F4 91 92 93 FF 41 80 BF 42",
        &(bad.repeat(5) + "A" + &bad.repeat(2) + "B"),
    );
    replaced("E1 80 E2 F0 91 92 F1 BF 41", &(bad.repeat(4) + "A"));
}

#[test]
fn unicode_chapter_3_other_malformed_sequences() {
    let bad = "\u{FFFD}";
    replaced("F8 88 80 80 80 FC 84 80 80 80 80 FE FF", &bad.repeat(13));
    replaced("C0 80", &bad.repeat(2));
    replaced("ED A0 81 ED B0 80", &bad.repeat(6));
    replaced("E2 82", bad);
    replaced("F0 9F 98", bad);
    replaced("F0 9F 98 F0 9F 98 80", "\u{FFFD}\u{1F600}");
    replaced("F4 90 80 80", &bad.repeat(4));
}

/// Every sequence of one to three octets that does not begin with ASCII, split like the standard
/// library does. If two octets decide, four values stand for all third octets.
#[test]
fn unicode_chapter_3_every_sequence_of_three_octets() {
    let mut buffer = Vec::with_capacity(1 << 10);
    for first in 0x80..=0xFF_u8 {
        for second in 0..=0xFF_u8 {
            let is_open = matches!(first, 0xE0..=0xF4) && matches!(second, 0x80..=0xBF);
            buffer.clear();
            // A letter separates the sequences; the last ends the input.
            for third in 0..=0xFF_u8 {
                if is_open || matches!(third, 0x41 | 0x80 | 0xC3 | 0xFF) {
                    buffer.extend([b'A', first, second, third]);
                }
            }
            buffer.extend([b'A', first, b'A', first, second]);
            let mut ours = utf8::malformed(&buffer);
            let mut offset = 0;
            for chunk in buffer.utf8_chunks() {
                offset += chunk.valid().len();
                if !chunk.invalid().is_empty() {
                    let found = ours.next().unwrap();
                    assert_eq!(found.offset, offset);
                    assert_eq!(found.length, chunk.invalid().len());
                }
                offset += chunk.invalid().len();
            }
            assert_eq!(ours.next(), None);
        }
    }
}

/// Every sequence of up to four octets from the edges of the rules: the text is that of the
/// standard library and of `encoding_rs`, and the report counts its U+FFFD.
#[test]
fn unicode_chapter_3_sequences_of_four_octets() {
    const EDGES: [u8; 21] = [
        0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xDF, 0xE0, 0xE1, 0xED,
        0xEF, 0xF0, 0xF3, 0xF4, 0xF5, 0xFF,
    ];
    let check = |octets: &[u8]| {
        let decoded = Charset::UTF_8.decode(octets);
        let lossy = String::from_utf8_lossy(octets);
        assert_eq!(decoded.as_str(), lossy, "{octets:02X?}");
        let (web, _) = encoding_rs::UTF_8.decode_without_bom_handling(octets);
        assert_eq!(decoded.as_str(), web, "{octets:02X?}");
        let replacements = lossy.matches('\u{FFFD}').count();
        assert_eq!(decoded.report().replacements(), replacements);
        assert_eq!(
            matches!(decoded.into_text(), Cow::Borrowed(_)),
            replacements == 0
        );
    };
    for a in EDGES {
        check(&[a]);
        for b in EDGES {
            check(&[a, b]);
            for c in EDGES {
                check(&[a, b, c]);
                for d in EDGES {
                    check(&[a, b, c, d]);
                }
            }
        }
    }
}

/// Text is at most three times as long as its octets (RFC 3629, section 10).
#[test]
fn replacement_is_bounded() {
    let octets = [0xFF; 1000];
    assert_eq!(
        Charset::UTF_8.decode(&octets).as_str().len(),
        3 * octets.len()
    );
}

// ---------------------------------------------------------------- Hangul

const OLD_SYLLABLES: std::ops::RangeInclusive<u32> = 0x3400..=0x4DFF;

fn modern(value: u32) -> char {
    hangul::modern(char::from_u32(value).unwrap()).unwrap()
}

/// RFC 2279, section 3: Amendment 5 moved the Hangul. The first 2,350 are in the order of KS X
/// 1001, rows 16 to 40, as in any EUC-KR decoder.
#[test]
fn rfc2279_section_3_ks_x_1001() {
    let mut value = 0x3400;
    for row in 0xB0..=0xC8_u8 {
        for cell in 0xA1..=0xFE_u8 {
            let pair = [row, cell];
            let (syllable, had_errors) = encoding_rs::EUC_KR.decode_without_bom_handling(&pair);
            assert!(!had_errors);
            assert_eq!(modern(value).to_string(), syllable, "U+{value:04X}");
            value += 1;
        }
    }
    assert_eq!(value, 0x3400 + 2_350);
}

/// The other three blocks by their rules: KS X 1002 in its order, the order of syllables; six of GB
/// 12052; and the syllables of neither, in their order.
#[test]
fn rfc2279_section_3_every_other_syllable() {
    let ks_x_1002: Vec<char> = (0x3D2E..=0x44B7).map(modern).collect();
    assert_eq!(ks_x_1002.len(), 1_930);
    assert!(ks_x_1002.is_sorted_by(|a, b| a < b));
    assert_eq!((ks_x_1002[0], ks_x_1002[1_929]), ('\u{AC02}', '\u{D7A0}'));

    let gb_12052: String = (0x44B8..=0x44BD).map(modern).collect();
    assert_eq!(gb_12052, "\u{BBC3}\u{D63B}\u{BF59}\u{BFE5}\u{CB94}\u{C6D8}");

    let taken: std::collections::HashSet<char> = (0x3400..=0x44BD).map(modern).collect();
    assert_eq!(taken.len(), 2_350 + 1_930 + 6);
    let rest = ('\u{AC00}'..='\u{D7A3}').filter(|syllable| !taken.contains(syllable));
    let block: Vec<char> = (0x44BE..=0x4DFF).map(modern).collect();
    assert_eq!(block.len(), 2_370);
    assert!(rest.take(2_370).eq(block));
}

/// Jamo and the neighbours of the block did not move.
#[test]
fn rfc2279_section_3_nothing_else_moved() {
    for character in ('\0'..=char::MAX).filter(|&c| !OLD_SYLLABLES.contains(&u32::from(c))) {
        assert_eq!(hangul::modern(character), None);
    }
    let text = "\u{33FF}\u{4E00}\u{1100}\u{1161}\u{11A8}\u{3131}\u{318E}\u{3130}";
    assert_eq!(
        Charset::UNICODE_1_1_UTF_8.decode(text.as_bytes()).as_str(),
        text
    );
}

/// The text and the report of octets under UNICODE-1-1-UTF-8, whole and split at every place.
#[track_caller]
fn old_hangul(policy: HangulPolicy, octets: &[u8]) -> (String, Vec<(Kind, usize, usize)>) {
    let options = Options::new().hangul(policy);
    let whole = Charset::UNICODE_1_1_UTF_8.decode_with(octets, &options);
    assert_same_in_pieces(Charset::UNICODE_1_1_UTF_8, octets, &options);
    let findings = whole.report().findings().iter();
    let findings = findings.map(|f| (f.kind(), f.offset(), f.length()));
    (whole.as_str().to_owned(), findings.collect())
}

/// RFC 2279, section 5: this label marks old Hangul.
#[test]
fn rfc2279_section_5_old_hangul() {
    for (old, new) in [
        ("\u{3CA2}\u{3476}\u{3971}", "한국어"),
        ("\u{3CA2}\u{3498}", "한글"),
        ("\u{394B}\u{3560}\u{3CA0}\u{3883}\u{39C5}", "안녕하세요"),
    ] {
        for policy in [HangulPolicy::Auto, HangulPolicy::Always] {
            assert_eq!(
                old_hangul(policy, old.as_bytes()),
                (new.into(), vec![(Kind::HangulRemapped, 0, old.len())])
            );
        }
        let (text, findings) = old_hangul(HangulPolicy::Never, old.as_bytes());
        assert_eq!((&*text, findings), (old, vec![]));
    }
    assert_eq!(
        "\u{3CA2}\u{3476}\u{3971}".as_bytes(),
        octets("E3 B2 A2 E3 91 B6 E3 A5 B1")
    );
    // In a sentence, the finding spans the Hangul.
    let (text, findings) = old_hangul(HangulPolicy::Auto, "In \u{3CA2}\u{3498}!".as_bytes());
    assert_eq!(text, "In 한글!");
    assert_eq!(findings, [(Kind::HangulRemapped, 3, 6)]);
}

/// Modern Hangul or any later character disproves the label: Auto remaps nothing, Always remaps
/// everything.
#[test]
fn rfc2279_section_5_mislabelled() {
    for later in [
        '한',
        '\u{1F600}',
        '\u{20AC}',
        '\u{0F00}',
        '\u{1E9B}',
        '\u{05C4}',
        '\u{2022A}',
    ] {
        let text = format!("\u{3CA2} {later}");
        let (auto, findings) = old_hangul(HangulPolicy::Auto, text.as_bytes());
        assert_eq!(auto, text);
        assert_eq!(findings, [(Kind::Mislabelled, 0, 3)], "{later}");
        let (always, findings) = old_hangul(HangulPolicy::Always, text.as_bytes());
        assert_eq!(always, format!("한 {later}"));
        assert_eq!(findings, [(Kind::HangulRemapped, 0, 3)]);
        assert_eq!(old_hangul(HangulPolicy::Never, text.as_bytes()).0, text);
        // Also without any old syllable.
        let text = format!("a{later}");
        let (_, findings) = old_hangul(HangulPolicy::Auto, text.as_bytes());
        assert_eq!(findings, [(Kind::Mislabelled, 0, text.len())]);
    }
    // Characters of Unicode 1.1 prove nothing.
    for early in [
        'é', 'ж', 'א', '\u{4E00}', '\u{20AA}', '\u{FFFD}', '\u{E000}', '\u{FEFF}',
    ] {
        let text = format!("\u{3CA2} {early}");
        assert_eq!(
            old_hangul(HangulPolicy::Auto, text.as_bytes()).0,
            format!("한 {early}")
        );
    }
}

/// RFC 2279, section 5: data without Hangul should not have this label, and reads the same.
#[test]
fn rfc2279_section_5_without_hangul() {
    let (text, findings) = old_hangul(HangulPolicy::Auto, "naïve".as_bytes());
    assert_eq!(text, "naïve");
    assert_eq!(findings, [(Kind::LabelWithoutHangul, 0, 6)]);
    // Jamo are Hangul.
    let (text, findings) = old_hangul(HangulPolicy::Auto, "\u{1112}\u{1161}\u{11AB}".as_bytes());
    assert_eq!((&*text, findings), ("\u{1112}\u{1161}\u{11AB}", vec![]));
    assert_eq!(old_hangul(HangulPolicy::Auto, b""), (String::new(), vec![]));
}

/// Damage and remapping are independent.
#[test]
fn rfc2279_section_5_malformed() {
    let mut octets = "\u{3CA2}".as_bytes().to_vec();
    octets.extend(b"\xE3\x91 \xFF");
    let (text, findings) = old_hangul(HangulPolicy::Auto, &octets);
    assert_eq!(text, "한\u{FFFD} \u{FFFD}");
    let malformed = findings
        .iter()
        .filter(|(kind, ..)| *kind == Kind::Malformed);
    assert_eq!(
        malformed.collect::<Vec<_>>(),
        [&(Kind::Malformed, 3, 2), &(Kind::Malformed, 6, 1)]
    );
    assert!(
        findings
            .iter()
            .any(|(kind, ..)| *kind == Kind::HangulRemapped)
    );
    assert!(
        findings
            .iter()
            .all(|(_, offset, length)| offset + length <= octets.len())
    );
}

/// RFC 2279, section 5, and RFC 3629, section 8: "UTF-8" means the new Hangul, like every label
/// without a version.
#[test]
fn rfc3629_section_8_utf_8_is_never_remapped() {
    let old = "\u{3CA2}\u{3476}\u{3971}";
    for label in [
        "UTF-8",
        "utf8",
        "csUTF8",
        "unicode-2-0-utf-8",
        "x-unicode-2-0-utf-8",
        "unicode20utf8",
        "x-unicode20utf8",
    ] {
        let charset = Charset::for_label(label).unwrap();
        assert_eq!(charset, Charset::UTF_8);
        let always = Options::new().hangul(HangulPolicy::Always);
        for options in [Options::new(), always] {
            let decoded = charset.decode_with(old.as_bytes(), &options);
            assert_eq!(decoded.as_str(), old);
            assert!(decoded.report().is_empty());
        }
    }
    for label in ["UNICODE-1-1-UTF-8", "unicode-1-1-utf-8", "unicode11utf8"] {
        let charset = Charset::for_label(label).unwrap();
        assert_eq!(charset.decode(old.as_bytes()).as_str(), "한국어");
    }
    // RFC 2044's own "UTF-8" meant Unicode 1.1; a caller may declare that.
    let assume = Options::new().assume_pre_amendment5(true);
    let decoded = Charset::UTF_8.decode_with(old.as_bytes(), &assume);
    assert_eq!(decoded.as_str(), "한국어");
    assert!(decoded.report().has(Kind::HangulRemapped));
}

// ---------------------------------------------------------------- in pieces

/// Any two splits give the text and the report of the whole.
#[track_caller]
fn assert_same_in_pieces(charset: Charset, octets: &[u8], options: &Options) {
    let whole = charset.decode_with(octets, options);
    let check = |pieces: &[&[u8]]| {
        let mut decoder = Decoder::with_options(charset, options);
        let mut text = String::new();
        for piece in pieces {
            text += decoder.push(piece);
        }
        let rest = decoder.finish();
        text += rest.as_str();
        assert_eq!(text, whole.as_str(), "{pieces:02X?}");
        assert_eq!(rest.report(), whole.report(), "{pieces:02X?}");
        assert_eq!(rest.charset(), whole.charset());
    };
    for first in 0..=octets.len() {
        for second in first..=octets.len() {
            check(&[&octets[..first], &octets[first..second], &octets[second..]]);
        }
    }
    check(&octets.chunks(1).collect::<Vec<_>>());
}

#[test]
fn utf_8_in_pieces() {
    for hexadecimal in [
        "",
        "41 E2 89 A2 CE 91 2E",
        "EF BB BF F0 A3 8E B4",
        "C0 AF E0 80 BF F0 81 82 41",
        "ED A0 80 ED BF BF ED AF 41",
        "F4 91 92 93 FF 41 80 BF 42",
        "E1 80 E2 F0 91 92 F1 BF 41",
        "F8 88 80 80 80 FC 84 80 80 80 80 FE FF",
        "F0 9F 98",
        "E2 82",
        "F0 9F 98 F0 9F 98 80 F0",
    ] {
        let octets = octets(hexadecimal);
        assert_same_in_pieces(Charset::UTF_8, &octets, &Options::new());
        for policy in [
            HangulPolicy::Auto,
            HangulPolicy::Always,
            HangulPolicy::Never,
        ] {
            let options = Options::new().hangul(policy);
            assert_same_in_pieces(Charset::UNICODE_1_1_UTF_8, &octets, &options);
        }
    }
}

/// Only an unfinished sequence is buffered.
#[test]
fn utf_8_buffers_only_unfinished_sequences() {
    let mut decoder = Decoder::new(Charset::UTF_8);
    assert_eq!(decoder.push(b"a\xF0\x9F"), "a");
    assert_eq!(decoder.push(b"\x98"), "");
    assert_eq!(decoder.push(b"\x80b\xE2"), "\u{1F600}b");
    assert_eq!(decoder.push(b"\x28"), "\u{FFFD}(");
    assert_eq!(decoder.push(b"\xED"), "");
    assert_eq!(decoder.push(b"\xA0"), "\u{FFFD}\u{FFFD}");
    let rest = decoder.finish();
    assert_eq!(rest.as_str(), "");
    let findings = rest.report().findings();
    let places: Vec<_> = findings.iter().map(|f| (f.offset(), f.length())).collect();
    assert_eq!(places, [(6, 1), (8, 1), (9, 1)]);
}

/// RFC 2279, section 5: Auto buffers text that later octets could change, Always buffers none.
/// After a modern character, Auto stops buffering.
#[test]
fn rfc2279_section_5_buffers_only_undecided_text() {
    let old = "\u{3CA2}".as_bytes();
    let always = Options::new().hangul(HangulPolicy::Always);
    let mut decoder = Decoder::with_options(Charset::UNICODE_1_1_UTF_8, &always);
    assert_eq!(decoder.push(old), "한");
    assert_eq!(decoder.push(&old[..2]), "");
    assert_eq!(decoder.push(&old[2..]), "한");
    let rest = decoder.finish();
    let finding = &rest.report().findings()[0];
    assert_eq!((rest.as_str(), finding.detail()), ("", "2 syllables"));
    assert_eq!((finding.offset(), finding.length()), (0, 6));

    let mut decoder = Decoder::new(Charset::UNICODE_1_1_UTF_8);
    assert_eq!(decoder.push(old), "");
    assert_eq!(decoder.push("한".as_bytes()), "\u{3CA2}한");
    assert_eq!(decoder.push(old), "\u{3CA2}");
    assert!(decoder.finish().report().has(Kind::Mislabelled));

    let mut decoder = Decoder::new(Charset::UNICODE_1_1_UTF_8);
    assert_eq!(decoder.push(old), "");
    assert_eq!(decoder.finish().as_str(), "한");
}
