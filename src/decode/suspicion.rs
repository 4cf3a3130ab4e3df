//! Reports two kinds of suspicious UTF-8, without changing the text: Hangul at its code points before
//! Amendment 5 (RFC 2279, section 5), and text encoded twice.

use super::evidence::EvidenceKind;
use super::weighing::Weighing;
use crate::charset::{self, Charset, hangul, utf8};
use crate::report::Kind;

impl Weighing<'_, '_> {
    /// Reports text in ideographs that are rare today, but whose code points were Hangul before Amendment
    /// 5.
    pub(super) fn suspect_old_hangul(&mut self) {
        if self.context.options.assume_pre_amendment5 {
            return;
        }
        let octets = self.octets();
        let start = octets.get(..MAX_CHECKED).unwrap_or(octets);
        // Every old syllable has one of these lead octets.
        if memchr::memchr2(0xE3, 0xE4, start).is_none() {
            return;
        }
        let text = utf8::decode_lossy(start);
        let Some(suspicion) = hangul::suspicion(&text) else {
            return;
        };
        let (from, to) = suspicion.span;
        let (start, end) = (in_octets(start, from), in_octets(start, to));
        let detail = format!(
            "{} of {} ideographs could be Hangul of Unicode 1.1, {} of them among the \
             most frequent syllables of Korean",
            suspicion.syllables, suspicion.ideographs, suspicion.common
        );
        self.note(
            EvidenceKind::OldHangul,
            Some(Charset::UNICODE_1_1_UTF_8),
            (start, end - start),
            || detail.clone(),
        );
        if let Some(year) = self.context.year {
            // RFC 2044 (October 1996 to January 1998) defined UTF-8 for Unicode 1.1.
            let supported = (1993..=1998)
                .contains(&year)
                .then_some(Charset::UNICODE_1_1_UTF_8);
            self.note(EvidenceKind::Date, supported, (0, 0), || {
                format!("a message of {year}")
            });
        }
        self.report
            .add_in_octets(Kind::SuspectedOldHangul, start, end - start, detail);
    }

    /// Reports UTF-8 whose characters are octets of UTF-8: it was encoded twice.
    pub(super) fn suspect_double_encoding(&mut self) {
        let octets = self.octets();
        // In UTF-8 encoded twice, each original lead octet has become a character that begins with C3.
        let Some(first) = memchr::memchr(0xC3, octets) else {
            return;
        };
        // An original continuation octet follows, encoded as a non-ASCII character.
        if octets.get(first + 2).is_none_or(u8::is_ascii) {
            return;
        }
        let from = octets.get(first..).unwrap_or_default();
        if !begins_encoded_twice(from) {
            return;
        }
        let start = from.get(..MAX_CHECKED).unwrap_or(from);
        // Drops a character truncated at the end.
        let Some(text) = start.utf8_chunks().next().map(|chunk| chunk.valid()) else {
            return;
        };
        if text.len() + 3 < start.len() {
            return;
        }
        if let Some(once) = encoded_once(text) {
            let count = once
                .chars()
                .filter(|character| !character.is_ascii())
                .count();
            let detail = format!("{count} characters after decoding as UTF-8 a second time");
            self.report
                .add_in_octets(Kind::DoubleEncoded, first, 2, detail);
        }
    }
}

/// The original text, if a gateway encoded `text` in UTF-8 twice: it decoded UTF-8 octets as windows-1252
/// or ISO-8859-1, then encoded the result. `None` unless this is certain: each character of `text` must
/// stand for an octet of these charsets, and the octets must be UTF-8 with at least two characters above
/// US-ASCII.
///
/// [`Kind::DoubleEncoded`] reports such text, which is never replaced.
///
/// ```
/// use mime_charset::decode::encoded_once;
///
/// assert_eq!(encoded_once("CrÃ©dit Ã©tÃ©").unwrap(), "Crédit été");
/// assert_eq!(encoded_once("Crédit Agricole"), None);
/// assert_eq!(encoded_once("Ã©"), None, "one pair may be chance");
/// ```
#[must_use]
pub fn encoded_once(text: &str) -> Option<String> {
    let octets: Option<Vec<u8>> = text.chars().map(original_octet).collect();
    let once = String::from_utf8(octets?).ok()?;
    let mut above = once.chars().filter(|character| !character.is_ascii());
    above.nth(1).map(|_| ())?;
    Some(once)
}

/// Whether `octets` may begin with a character encoded twice: the second character must stand for a
/// continuation octet. The second of two adjacent accented letters does not.
fn begins_encoded_twice(octets: &[u8]) -> bool {
    /// Maximum length of two characters. The first begins with C3, so it has two octets.
    const LONGEST: usize = 5;
    let start = octets.get(..LONGEST).unwrap_or(octets);
    let text = start.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let second = text.chars().nth(1).and_then(original_octet);
    matches!(second, Some(0x80..=0xBF))
}

/// The octet that windows-1252 or ISO-8859-1 decodes to this character. In ISO-8859-1, 80 to 9F are
/// controls (ISO/IEC 8859-1; ISO/IEC 6429).
fn original_octet(character: char) -> Option<u8> {
    let octet = u8::try_from(u32::from(character)).ok();
    octet.or_else(|| charset::windows_1252_octet(character))
}

/// Number of octets checked for suspicions; more would not help.
const MAX_CHECKED: usize = 16 << 10;

/// Maps an offset in lossy text to its octets.
fn in_octets(octets: &[u8], place: usize) -> usize {
    let (mut octet, mut reached) = (0, 0);
    for malformed in utf8::malformed(octets) {
        let valid = malformed.offset - octet;
        if reached + valid >= place {
            break;
        }
        octet = malformed.offset + malformed.length;
        reached += valid + char::REPLACEMENT_CHARACTER.len_utf8();
    }
    octet + place.saturating_sub(reached)
}
