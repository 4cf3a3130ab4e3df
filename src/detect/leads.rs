//! What characters of two octets cost at least, by their first octet.
//!
//! Of most octets that is enough to see that they are no Chinese, Japanese or Korean, before
//! they are decoded in each of the charsets for it.

use std::ops::RangeInclusive;

use super::reading::LATIN_LETTER;

/// What characters cost at least in one charset.
#[derive(Debug)]
pub(super) struct Leads {
    /// For each octet from 80 on, what a character that it begins costs at least, in whatever
    /// language the charset is weighed in, as `tables/leads.txt` has it.
    costs: &'static [u8],
    /// Octets that are a character by themselves, and what that costs at least.
    single: RangeInclusive<u8>,
    /// Octets that begin characters of more octets.
    longer: RangeInclusive<u8>,
    /// Whether characters of four octets have digits in them.
    has_digits: bool,
}

/// No octet at all.
#[expect(clippy::reversed_empty_ranges, reason = "it has to be empty")]
const NONE: RangeInclusive<u8> = 1..=0;
/// What an octet costs that is no character.
const MALFORMED: i32 = 120;
/// A half-width kana; the euro sign costs more.
const SINGLE: i32 = 36;
/// Half of a character of four octets, which is never a frequent one.
const HALF: i32 = 30;

impl Leads {
    /// Those of a candidate with characters of two octets.
    pub(super) fn of(label: &str) -> Option<Self> {
        let table: &'static str = include_str!("tables/leads.txt");
        let mut rows = table.lines().filter_map(|line| line.split_once('\t'));
        let (_, costs) = rows.find(|(of, _)| *of == label)?;
        Some(Leads {
            costs: costs.as_bytes(),
            single: match label {
                "Shift_JIS" => 0xA0..=0xDF,
                // The euro sign.
                "GB18030" => 0x80..=0x80,
                _ => NONE,
            },
            longer: match label {
                "EUC-JP" => 0x8F..=0x8F,
                "EUC-TW" => 0x8E..=0x8E,
                _ => NONE,
            },
            has_digits: label == "GB18030",
        })
    }

    /// What words cost at least that have spaces on either side: the least of all ways to take
    /// one octet or two at a time, from the end.
    pub(super) fn least(&self, words: &[u8]) -> i32 {
        let (mut one, mut two, mut behind) = (0, 0, b' ');
        for &octet in words.iter().rev() {
            let cost = if octet == b' ' {
                one
            } else if octet.is_ascii() {
                one + LATIN_LETTER
            } else if self.longer.contains(&octet) {
                return 0;
            } else {
                let alone = if self.single.contains(&octet) {
                    SINGLE
                } else {
                    MALFORMED
                };
                let mut pair = self.lead(octet);
                if self.has_digits && behind == b' ' {
                    pair = pair.min(HALF);
                }
                (one + alone).min(two + pair)
            };
            (one, two, behind) = (cost, one, octet);
        }
        one
    }

    /// What a character that begins with the octet costs at least.
    fn lead(&self, octet: u8) -> i32 {
        let cell = self.costs.get(usize::from(octet & 0x7F));
        cell.map_or(0, |&cell| 4 * i32::from(cell.wrapping_sub(b'!')))
    }
}

#[cfg(test)]
mod tests {
    use super::super::candidates::Languages;
    use super::super::octets::rivals;
    use super::super::reading;

    /// Each cell is the least that any character costs whose first octet it is, of those that
    /// the decoder knows.
    #[test]
    fn leads_are_those_of_the_decoders() {
        let mut expected = String::new();
        for rival in rivals() {
            let Languages::Characters(_) = rival.languages else {
                continue;
            };
            if rival.is_utf16() {
                continue;
            }
            let leads = rival.leads.as_ref().unwrap();
            for octet in 0x80..=0xFF_u8 {
                let octets = [octet];
                let alone = rival.charset.decode(&octets);
                let cost = reading::cost(alone.text(), rival.languages, i32::MAX).unwrap();
                let least = leads.least(&octets);
                assert!(least <= cost, "{}: {octet:02X}", rival.charset);
            }
            let mut row = String::new();
            for lead in 0x80..=0xFF_u8 {
                let costs = (0x21..=0xFF_u8).filter_map(|trail| {
                    let octets = [lead, trail];
                    let text = rival.charset.decode(&octets).into_text();
                    let is_pair = text.chars().count() == 1;
                    is_pair.then(|| reading::cost(&text, rival.languages, i32::MAX))?
                });
                let least = costs.min().unwrap_or(120);
                row.push(char::from(b'!' + u8::try_from(least / 4).unwrap()));
            }
            expected.extend([rival.charset.name(), "\t", &row, "\n"]);
        }
        assert_eq!(include_str!("tables/leads.txt"), expected);
    }
}
