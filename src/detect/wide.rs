//! UTF-16 and UTF-32 without a byte order mark, known by where their zeros stand.
//!
//! RFC 2781, section 4.3, and RFC 3629, section 6, leave such text to guessing. Text in an
//! 8-bit charset holds no zeros, and text in UTF-16 holds them, or the low octets that name
//! a script, in every second place. What passes here decodes without a fault, so a handful
//! of random octets does not: of four units each must be letters of one script.

use crate::work::work;

/// The charset, and how many octets of the start show it.
pub(super) fn by_zeros(octets: &[u8]) -> Option<(&'static str, usize)> {
    let seen = octets.get(..octets.len().min(MOST_SEEN))?;
    work(seen.len());
    let zeros = seen.iter().any(|&octet| is_control(octet));
    // Kana all begin with the octet 30, a digit zero: ASCII may do so too.
    if !zeros && (seen.is_ascii() || !may_be_east_asian(seen)) {
        return None;
    }
    let name = if is_utf32(seen, u32::from_be_bytes) {
        "UTF-32BE"
    } else if is_utf32(seen, u32::from_le_bytes) {
        "UTF-32LE"
    } else {
        match (
            Units::of(seen, u16::from_be_bytes),
            Units::of(seen, u16::from_le_bytes),
        ) {
            (Some(big), Some(little)) if little.spaces > big.spaces => "UTF-16LE",
            (Some(_), _) => "UTF-16BE",
            (None, Some(_)) => "UTF-16LE",
            (None, None) => return None,
        }
    };
    Some((name, seen.len()))
}

/// Whether octets of which none is a control may be UTF-16. They have no ASCII then, no letters
/// of a script below 2000, and of the marks that tell those alone that begin with FF; else kana
/// have to.
fn may_be_east_asian(octets: &[u8]) -> bool {
    let (units, _) = octets.as_chunks::<2>();
    let begin_with = |first: u8| {
        let [big, little] = [0, 1].map(|at| {
            let octets = units.iter().filter(|unit| unit.get(at) == Some(&first));
            octets.count()
        });
        big.max(little)
    };
    begin_with(0xFF) > 0 || 5 * begin_with(0x30) >= 2 * units.len()
}

/// How much of the text is looked at.
const MOST_SEEN: usize = 4096;
/// How many units are the least that can show a pattern.
const FEWEST: usize = 4;
/// How many units of Han or Hangul are, whose octets may have any value.
const FEWEST_CHARACTERS: usize = 8;

/// A control that no text has; TAB, LF, FF, CR and ESC are met in mail.
fn is_control(octet: u8) -> bool {
    octet < 0x20 && !matches!(octet, b'\t' | b'\n' | 0x0C | b'\r' | 0x1B)
}

/// Whether a character may stand in text: no control but white space, nothing unassigned for
/// good or private.
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
        && (rest.is_empty() || octets.len() == MOST_SEEN)
        && units
            .iter()
            .all(|&unit| char::from_u32(order(unit)).is_some_and(is_textual))
}

/// What text in UTF-16 is made of.
struct Units {
    /// How many spaces and other ASCII there are.
    spaces: usize,
}

impl Units {
    /// `None` where the octets are not text in this order.
    fn of(octets: &[u8], order: fn([u8; 2]) -> u16) -> Option<Self> {
        let (units, rest) = octets.as_chunks::<2>();
        if units.len() < FEWEST || !rest.is_empty() {
            return None;
        }
        // How many units each block of 256 has, and which have an octet no 8-bit text has.
        let mut blocks = [0_usize; 256];
        let (mut ascii, mut characters, mut kana, mut telling, mut spaces) = (0, 0, 0, 0, 0);
        let mut has_stop = false;
        let whole = units.len();
        for decoded in char::decode_utf16(units.iter().map(|&unit| order(unit))) {
            // The cut may go through a pair of surrogates.
            let Ok(character) = decoded else {
                if octets.len() == MOST_SEEN {
                    continue;
                }
                return None;
            };
            if !is_textual(character) {
                return None;
            }
            match character {
                '\0'..'\u{80}' => ascii += 1,
                '\u{3000}'..'\u{3100}'
                | '\u{4E00}'..'\u{A000}'
                | '\u{AC00}'..'\u{D7A4}'
                | '\u{FF00}'..'\u{FFF0}' => characters += 1,
                _ => {}
            }
            if ('\u{3041}'..'\u{3100}').contains(&character) {
                kana += 1;
            }
            // Marks that Chinese and Japanese sentences have: in octets 30 00 to 30 02, and FF with
            // one below 20 or a mark of ASCII, which no 8-bit text of letters has side by side.
            has_stop |= matches!(
                character,
                '\u{3000}'
                    ..='\u{3002}' | '\u{FF01}' | '\u{FF0C}' | '\u{FF1A}' | '\u{FF1B}' | '\u{FF1F}'
            );
            let [_, _, block, _] = u32::from(character).to_be_bytes();
            if let Some(count) = blocks.get_mut(usize::from(block)) {
                *count += usize::from(('\u{80}'..'\u{2000}').contains(&character));
            }
            if u32::from(character) < 0x2000 && is_control(block) {
                telling += 1;
            }
            if matches!(character, ' ' | '\n') {
                spaces += 1;
            }
        }
        let largest = blocks.iter().max().copied().unwrap_or_default();
        let one_script = 5 * (ascii + largest) >= 4 * whole && 5 * telling >= 4 * whole;
        let east_asian = whole >= FEWEST_CHARACTERS
            && 5 * (ascii + characters) >= 4 * whole
            && characters >= ascii
            && (ascii > 0 || has_stop || 5 * kana >= 2 * whole);
        (one_script || east_asian).then_some(Units { spaces })
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
    fn the_order_of_octets_is_read_off() {
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

    #[test]
    fn other_octets_with_zeros_are_neither() {
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
