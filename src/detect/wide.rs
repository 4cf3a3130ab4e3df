//! Detects UTF-16 and UTF-32 without a byte order mark by comparing costs with 8-bit text.
//!
//! RFC 2781, section 4.3, and RFC 3629, section 6, leave such text to guessing. Text in an 8-bit
//! charset has no zeros. In UTF-16 every second octet is a zero, or a small number that identifies a
//! script.
//!
//! Both costs are in bits. Each unit is scored twice: as one character of UTF-16, by the number of
//! characters of its kind, and as two characters of 8-bit text, in which controls are rare. UTF-16
//! must be cheaper by [`MIN_GAIN`], so that ASCII with one zero stays ASCII. Pairs of 8-bit letters
//! cost more as ideographs than as letters.

use memchr::{memchr, memchr_iter};

use crate::work::work;

/// The charset, and the number of octets from the start that prove it.
pub(super) fn by_zeros(octets: &[u8]) -> Option<(&'static str, usize)> {
    let seen = octets.get(..octets.len().min(MAX_READ))?;
    work(seen.len());
    let zeros = has_controls(seen);
    // The first octet of all kana is 30, which is also the ASCII digit zero.
    if !zeros && (seen.is_ascii() || !may_be_east_asian(seen)) {
        return None;
    }
    if !zeros && starts_as_octets(seen) {
        return None;
    }
    let name = if is_utf32(seen, u32::from_be_bytes) {
        "UTF-32BE"
    } else if is_utf32(seen, u32::from_le_bytes) {
        "UTF-32LE"
    } else {
        let enough = |gain: &i64| *gain >= MIN_GAIN;
        let big = gain(seen, u16::from_be_bytes).filter(enough);
        let little = gain(seen, u16::from_le_bytes).filter(enough);
        match big.max(little) {
            None => return None,
            gain if gain == big => "UTF-16BE",
            _ => "UTF-16LE",
        }
    };
    Some((name, seen.len()))
}

/// Whether neither order of UTF-16 fits the start of octets without controls: the start alone has
/// more damage than all octets may have, or is cheaper as 8-bit text.
fn starts_as_octets(octets: &[u8]) -> bool {
    const START: usize = 512;
    let start = octets.get(..START).unwrap_or(octets);
    let is_out = |order| gain_of_start(start, octets, order).is_none_or(|gain| gain < 0);
    is_out(u16::from_be_bytes as fn([u8; 2]) -> u16) && is_out(u16::from_le_bytes)
}

/// Whether the octets after a byte order mark are text in its order. Only one octet pair in 65,536
/// is a mark by accident, so a smaller difference is enough.
pub(super) fn is_text_after(mark: &[u8], text: &[u8]) -> bool {
    const MARK: i64 = 16;
    let seen = text.get(..MAX_READ).unwrap_or(text);
    work(seen.len());
    let is_cheaper = |order: fn([u8; 2]) -> u16, other: fn([u8; 2]) -> u16| {
        let gain_of_other = gain(seen, other);
        gain(seen, order).is_some_and(|gain| gain >= MIN_GAIN - MARK && Some(gain) > gain_of_other)
    };
    match mark {
        b"\xFE\xFF" => is_cheaper(u16::from_be_bytes, u16::from_le_bytes),
        b"\xFF\xFE" => is_cheaper(u16::from_le_bytes, u16::from_be_bytes),
        b"\0\0\xFE\xFF" => is_utf32(seen, u32::from_be_bytes),
        _ => is_utf32(seen, u32::from_le_bytes),
    }
}

/// Whether UTF-16 in either order is cheaper by [`MIN_GAIN`], with or without controls.
pub(crate) fn is_utf16(octets: &[u8]) -> bool {
    let seen = octets.get(..MAX_READ).unwrap_or(octets);
    work(seen.len());
    let gains = [
        gain(seen, u16::from_be_bytes),
        gain(seen, u16::from_le_bytes),
    ];
    gains.iter().flatten().any(|gain| *gain >= MIN_GAIN)
}

/// Whether there are controls that text does not have.
pub(crate) fn has_controls(octets: &[u8]) -> bool {
    work(octets.len());
    // Without an early exit the compiler vectorizes the loop.
    let has_control = |part: &[u8]| part.iter().fold(false, |any, it| any | is_control(*it));
    octets.chunks(CHUNK).any(has_control)
}

/// Whether octets without controls may be UTF-16. Without controls there is no ASCII, and no letter
/// of a script below U+2000. East Asian text then has kana, or symbols whose first octet is FF.
fn may_be_east_asian(octets: &[u8]) -> bool {
    let (units, _) = octets.as_chunks::<2>();
    let enough = (2 * units.len()).div_ceil(5);
    let are_kana = |at: usize| {
        let kana = units.iter().filter(|unit| unit.get(at) == Some(&0x30));
        kana.count() >= enough
    };
    // Count the octets 30 at all offsets first: that is cheaper, and rules most text out.
    memchr(0xFF, units.as_flattened()).is_some()
        || memchr_iter(0x30, octets).count() >= enough && (are_kana(0) || are_kana(1))
}

/// The number of octets tested at once.
const CHUNK: usize = 64;
/// Maximum number of octets to read.
const MAX_READ: usize = 4096;
/// Maximum number of octets to read, including the longest byte order mark.
pub(crate) const MAX_UNIT_OCTETS: usize = MAX_READ + 4;
/// Minimum number of units.
const FEWEST: usize = 4;
/// Minimum number of units if they are of more than one script, or of Han or Hangul, whose octets
/// may have any value.
const FEWEST_CHARACTERS: usize = 8;
/// Minimum difference in bits.
const MIN_GAIN: i64 = 24;

/// Whether an octet is a control that text does not have; mail has TAB, LF, FF, CR and ESC.
fn is_control(octet: u8) -> bool {
    octet < 0x20 && !matches!(octet, b'\t' | b'\n' | 0x0C | b'\r' | 0x1B)
}

/// Whether text may have a character: neither a control except white space, nor a noncharacter, nor
/// private use.
fn is_textual(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' | '\u{0C}' => true,
        '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FFF0}'..='\u{FFFF}' => false,
        _ => !character.is_control() && u32::from(character) < 0x3_0000,
    }
}

fn is_utf32(octets: &[u8], order: fn([u8; 4]) -> u32) -> bool {
    let (units, rest) = octets.as_chunks::<4>();
    units.len() >= 2
        // The end may truncate a unit.
        && (rest.is_empty() || units.len() >= FEWEST)
        && units
            .iter()
            .all(|&unit| char::from_u32(order(unit)).is_some_and(is_textual))
}

const HAN: usize = 0x4E;
const HANGUL: usize = 0xAC;

/// The number of bits by which UTF-16 in this order is cheaper than 8-bit text; `None` if it is not
/// UTF-16.
fn gain(octets: &[u8], order: fn([u8; 2]) -> u16) -> Option<i64> {
    gain_of_start(octets, octets, order)
}

/// [`gain`] for the start of octets. The start alone may have as much damage as all octets
/// together.
fn gain_of_start(octets: &[u8], all: &[u8], order: fn([u8; 2]) -> u16) -> Option<i64> {
    /// A unit that is not text counts as damage. If more than one unit in this many is damaged, the
    /// octets are not UTF-16.
    const DAMAGED: usize = 32;
    let (units, _) = octets.as_chunks::<2>();
    if units.len() < FEWEST {
        return None;
    }
    let characters = || char::decode_utf16(units.iter().map(|&unit| order(unit)));
    // The end may split a surrogate pair.
    let max_malformed = 1 + all.len() / 2 / DAMAGED;
    // The number of units of each script.
    let mut blocks = [0_usize; 256];
    let (mut zeros_first, mut zeros_last, mut malformed) = (0, 0, 0_usize);
    let (mut controls, mut ascii) = (0, 0);
    for character in characters() {
        let character = character.ok();
        malformed += usize::from(!character.is_some_and(is_textual));
        if malformed > max_malformed {
            return None;
        }
        let Some(character) = character else { continue };
        let [_, plane, block, low] = u32::from(character).to_be_bytes();
        if let Some(count) = script(character).and_then(|script| blocks.get_mut(script)) {
            *count += 1;
        }
        zeros_first += usize::from(plane == 0 && block == 0);
        ascii += usize::from(character.is_ascii());
        controls += usize::from(plane == 0 && block < 0x20 && is_control(low));
        // The ideograph for one and the ideographic space end in a zero too, but are common.
        zeros_last += usize::from(low == 0 && !matches!(character, '\u{3000}' | '\u{4E00}'));
    }
    if 8 * zeros_last > zeros_first + 8 || 2 * controls > units.len() {
        return None;
    }
    // A short text must be ASCII and letters of one script.
    let letters = blocks.iter().take(HAN).max().copied().unwrap_or_default();
    if units.len() < FEWEST_CHARACTERS && 5 * (ascii + letters) < 4 * units.len() {
        return None;
    }
    let as_units: i64 = characters()
        .map(|character| cost_of_character(character.ok(), &blocks, units.len()))
        .sum();
    let octets = units.as_flattened();
    Some(cost_of_octets(octets).min(cost_of_binary(octets)) - as_units)
}

/// The cost of octets as 8-bit text, in bits. There are about thirty lower-case letters, twice as many
/// non-ASCII characters, and hardly any controls, except one after each item of a list.
fn cost_of_octets(octets: &[u8]) -> i64 {
    /// Cost of a change between ASCII and octets above it.
    const SWITCH: i64 = 2;
    const PAIR: i64 = 12;
    /// Cost of a control that occurred `TIMES` times before.
    const KNOWN: i64 = 6;
    const TIMES: u8 = 2;
    let mut controls = [0_u8; 0x20];
    let mut was_ascii = true;
    let mut cost = 0;
    let mut left = octets;
    while let Some((&octet, rest)) = left.split_first() {
        left = rest;
        // A double-byte character in EUC, GBK, Big5 or Shift_JIS.
        if octet > 0x80
            && let [0x40..=0xFF, rest @ ..] = rest
        {
            cost += PAIR;
            left = rest;
            was_ascii = true;
            continue;
        }
        cost += match octet {
            b' ' | b'a'..=b'z' => 4,
            b'0'..=b'9' | b'A'..=b'Z' | b'\t' | b'\n' | b'\r' | 0x80.. => 6,
            0..0x20 => match controls.get_mut(usize::from(octet)) {
                Some(times @ 0..TIMES) => {
                    *times += 1;
                    14
                }
                _ => KNOWN,
            },
            _ => 7,
        };
        cost += SWITCH * i64::from(was_ascii != octet.is_ascii());
        was_ascii = octet.is_ascii();
    }
    cost
}

/// The cost of octets as binary data, in which zeros are anywhere and all other octets equally
/// frequent. It has a penalty for not being text.
fn cost_of_binary(octets: &[u8]) -> i64 {
    const NO_TEXT: usize = 10;
    let (pairs, _) = octets.as_chunks::<2>();
    let first = pairs.iter().filter(|[first, _]| *first == 0).count();
    let second = pairs.iter().filter(|[_, second]| *second == 0).count();
    let zeros = first + second;
    let each = (octets.len() / zeros.max(1)).max(1).ilog2();
    // Zeros are equally likely at even and odd offsets.
    let places = first.abs_diff(second);
    let each = usize::try_from(each).unwrap_or(8).clamp(1, 8);
    let bits = NO_TEXT + zeros * each + places + 8 * (octets.len() - zeros);
    i64::try_from(bits).unwrap_or(i64::MAX)
}

/// The script of a letter: its block of 256 below U+2000, or Han or Hangul, by their first block. Kana,
/// blanks and symbols belong to any script.
fn script(character: char) -> Option<usize> {
    match u32::from(character) {
        code @ 0x80..0x2000 => usize::try_from(code >> 8).ok(),
        0x4E00..=0x9FA5 => Some(HAN),
        0xAC00..=0xD7A3 => Some(HANGUL),
        _ => None,
    }
}

/// The cost of a character in UTF-16: the bits for its kind, and the bits for the character within its
/// kind.
fn cost_of_character(character: Option<char>, blocks: &[usize; 256], units: usize) -> i64 {
    let Some(character) = character.filter(|&character| is_textual(character)) else {
        return 30;
    };
    // A text has letters of one or two scripts.
    let count = script(character).and_then(|script| blocks.get(script));
    let share = count.map_or(0, |&count| i64::from((units / count.max(1)).max(1).ilog2()));
    match character {
        // Letters, and the full stops of Chinese and Japanese.
        ' '
        | 'a'..='z'
        | '\u{3000}'..='\u{3002}'
        | '\u{300C}'
        | '\u{300D}'
        | '\u{FF01}'
        | '\u{FF0C}'
        | '\u{FF1A}'
        | '\u{FF1B}'
        | '\u{FF1F}' => 6,
        '0'..='9' | 'A'..='Z' | '\u{3041}'..='\u{30FE}' => 8,
        '\0'..'\u{80}' => 9,
        '\u{80}'..'\u{2000}' => 7 + share,
        '\u{AC00}'..='\u{D7A3}' => 12 + share,
        '\u{4E00}'..='\u{9FA5}' => 13 + share,
        // Dashes and quotation marks.
        '\u{2010}'..='\u{2027}' => 10,
        '\u{3003}'..='\u{33FF}' | '\u{FF00}'..='\u{FFEF}' => 14,
        '\u{2030}'..='\u{2BFF}' => 20,
        // One unit of a surrogate pair, or a rare script.
        _ => 24,
    }
}

#[cfg(test)]
mod tests {
    use super::by_zeros;

    fn found(octets: &[u8]) -> Option<&'static str> {
        by_zeros(octets).map(|(name, _)| name)
    }

    fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(order).collect()
    }

    #[test]
    fn the_byte_order_is_detected() {
        for text in [
            "Good morning",
            "Привет",
            "Γεια σου",
            "שלום לך",
            "สวัสดี",
            "今日は、いい天気ですね。",
            "会议安排在下周一举行，请大家准时参加。",
            "날씨가 좋습니다",
        ] {
            assert_eq!(
                found(&utf16(text, u16::to_be_bytes)),
                Some("UTF-16BE"),
                "{text}"
            );
            assert_eq!(
                found(&utf16(text, u16::to_le_bytes)),
                Some("UTF-16LE"),
                "{text}"
            );
            let utf32 = |order: fn(u32) -> [u8; 4]| -> Vec<u8> {
                text.chars().map(u32::from).flat_map(order).collect()
            };
            assert_eq!(found(&utf32(u32::to_be_bytes)), Some("UTF-32BE"), "{text}");
            assert_eq!(found(&utf32(u32::to_le_bytes)), Some("UTF-32LE"), "{text}");
        }
    }

    /// Reproducible random numbers.
    struct Draw(u64);

    impl Draw {
        fn below(&mut self, limit: usize) -> usize {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(self.0 >> 33).unwrap() % limit
        }

        fn of<T: Copy>(&mut self, all: &[T]) -> T {
            all[self.below(all.len())]
        }
    }

    /// ASCII words mixed with East Asian sentences, as in technical texts, are detected in both orders,
    /// whole and cut inside a unit.
    /// A thirty-second of the 2,048 units that are read may be damaged, and one more: 65. The start has no
    /// smaller limit of its own. With 60 damaged units it is still cheaper as UTF-16 than as octets.
    #[test]
    fn damage_at_the_start_counts_as_damage_of_the_whole() {
        for bullets in [1, 9, 10, 60] {
            let text = "・\u{E0C1}".repeat(bullets) + &"これはぶんしょうです".repeat(200);
            let octets = utf16(&text, u16::to_be_bytes);
            assert_eq!(found(&octets), Some("UTF-16BE"), "{bullets}");
            let octets = utf16(&text, u16::to_le_bytes);
            assert_eq!(found(&octets), Some("UTF-16LE"), "{bullets}");
        }
        let text = "・\u{E0C1}".repeat(66) + &"これはぶんしょうです".repeat(200);
        assert_eq!(found(&utf16(&text, u16::to_be_bytes)), None);
    }

    #[test]
    fn ascii_among_ideographs_kana_and_hangul_is_detected() {
        const ASCII: [&str; 8] = [
            "Planes of Group 00",
            "Unicode",
            "see RFC 2781, section 4.3",
            "http://www.example.org/",
            "OK",
            " 1999\r\n",
            "UTF-16 ",
            "\n\n",
        ];
        const OTHERS: [&str; 12] = [
            "である。",
            "では、文字を符号化する。",
            "面の一覧（表１）",
            "カタカナとひらがな",
            "今日はいい天気です",
            "会议安排在下周一举行，",
            "请大家准时参加。",
            "這是一個測試，",
            "谢谢！",
            "날씨가 좋습니다. ",
            "회의는 내일 열립니다.\n",
            "안녕하세요 ",
        ];
        let mut draw = Draw(1);
        for _ in 0..200 {
            let mut text = String::new();
            while text.chars().count() < 24 {
                let is_ascii = draw.below(2) == 0;
                let next = if is_ascii {
                    draw.of(&ASCII)
                } else {
                    draw.of(&OTHERS)
                };
                text.push_str(next);
            }
            text.push_str(draw.of(&OTHERS));
            for (order, name) in [
                (u16::to_be_bytes as fn(u16) -> [u8; 2], "UTF-16BE"),
                (u16::to_le_bytes, "UTF-16LE"),
            ] {
                let octets = utf16(&text, order);
                assert_eq!(found(&octets), Some(name), "{text}");
                let cut = &octets[..octets.len() - 1];
                assert_eq!(found(cut), Some(name), "{text}, cut");
            }
        }
    }

    /// ASCII with zeros and other controls is not taken for ideographs, wherever they are.
    #[test]
    fn ascii_with_a_few_zeros_is_ascii() {
        const WORDS: [&str; 10] = [
            "hello", "word", "x", "and", "more", "text", "here", "for", "you!", "A1B2",
        ];
        assert_eq!(found(b"hello word\0x and more text here for you!"), None);
        let mut draw = Draw(2);
        for _ in 0..200 {
            let words: Vec<_> = (0..8 + draw.below(40)).map(|_| draw.of(&WORDS)).collect();
            let mut octets = words.join(draw.of(&[" ", "\n", "\r\n"])).into_bytes();
            for _ in 0..=draw.below(octets.len() / 24) {
                let at = draw.below(octets.len());
                octets.insert(at, draw.of(b"\0\0\0\x01\x08\x1F"));
            }
            assert_eq!(found(&octets), None, "{octets:02X?}");
        }
        // Lists of NUL-terminated words.
        for text in [
            "ab\0cd\0ef\0gh\0ij\0kl\0",
            "one\0two\0three\0four\0five\0six\0",
        ] {
            assert_eq!(found(text.as_bytes()), None, "{text:?}");
        }
    }

    /// Binary data has octets of any value. Short data with a third of zeros may sometimes be taken
    /// for UTF-16, most data never.
    #[test]
    fn random_octets_are_not_detected() {
        let mut draw = Draw(4);
        for _ in 0..200 {
            let length = 8 + draw.below(120);
            let mut octets = Vec::new();
            for _ in 0..length {
                octets.push(u8::try_from(draw.below(256)).unwrap());
            }
            assert_eq!(found(&octets), None, "{octets:02X?}");
        }
        let gif = b"GIF89a\x90\x01\xF4\x01\xF7\0\0\xFB\xB2\x8E\xA5\xC9\xF0\xCC\x82\x91\xEB\x9D\xD7";
        assert_eq!(found(gif), None);
    }

    /// EUC-KR, GBK and `Shift_JIS` have octet pairs too, which are Hangul and Han in UTF-16.
    #[test]
    fn two_octet_charsets_are_not_detected() {
        // Lead and trail octets: the rows of Hangul in EUC-KR, of the commonest Han in GB 2312, and
        // kana and Han in `Shift_JIS`.
        let rows = [
            (0xB0..=0xC8, 0xA1..=0xFE),
            (0xB0..=0xD7, 0xA1..=0xF9),
            (0x82..=0x9F, 0x40..=0x7E),
            (0xA4..=0xA5, 0xA1..=0xF3),
        ];
        let mut draw = Draw(3);
        for (leads, trails) in rows {
            let leads: Vec<u8> = leads.collect();
            let trails: Vec<u8> = trails.collect();
            for _ in 0..200 {
                let mut octets = Vec::new();
                for _ in 0..8 + draw.below(60) {
                    octets.extend([draw.of(&leads), draw.of(&trails)]);
                    if draw.below(5) == 0 {
                        octets.extend_from_slice(draw.of(&[" ", "\n", ". ", "\0"]).as_bytes());
                    }
                }
                assert_eq!(found(&octets), None, "{octets:02X?}");
            }
        }
    }

    #[test]
    fn other_octets_with_zeros_are_not_detected() {
        let others: [&[u8]; 8] = [
            b"",
            b"0A0B0C0D0E0F0G0H",
            b"caf\xE9 0123456789",
            b"a\0b\0",
            b"\0\0\0\0\0\0\0\0",
            b"two\0words\0and more\0",
            b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10",
            b"\x01\x02\x03\x04\x05\x06\x07\x08",
        ];
        for octets in others {
            assert_eq!(found(octets), None, "{octets:02X?}");
        }
    }
}
