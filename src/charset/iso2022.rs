//! The ISO 2022 charsets of mail: escapes and shifts switch seven-bit octets between sets.
//!
//! One decoder handles ISO-2022-JP (RFC 1468), -1 (RFC 2237), -2 (RFC 1554), -3 and -2004 (JIS X
//! 0213), Microsoft's CP50220 to CP50222, ISO-2022-KR (RFC 1557), ISO-2022-CN and -CN-EXT (RFC
//! 1922), and the single sets of JIS that are registered as charsets. They differ in their initial
//! state and in what a line end resets. As practised, each accepts the escapes of all, since labels
//! are often wrong; as registered, only its own.
//!
//! The Encoding Standard's decoder is made for pages, not mail, and is not used. It replaces two
//! escapes in a row with U+FFFD, but adjacent encoded words (RFC 2047) often have them. A line that
//! does not return to ASCII garbles the text after it. Here a line end returns to ASCII, as these
//! RFCs require of every line.

use super::codec::{Codec, Sink};
use super::pair_table::{GRAPHIC, Table};
use super::pairs::{self, DecodeRuns, PairsCodec, Run};
use super::reading::Reading;
use super::sets::{self, ESC, PractisedOctets, SHIFT_IN, SHIFT_OUT};
use super::web::{self, Web};
use super::{euc_kr, euc_tw, jisx0213};
use crate::report::Kind;

/// The charsets of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// ISO-2022-JP (RFC 1468).
    Jp,
    /// ISO-2022-JP-1 (RFC 2237).
    Jp1,
    /// ISO-2022-JP-2 (RFC 1554).
    Jp2,
    /// ISO-2022-JP-3 and -2004 (JIS X 0213, annex 2), and `JIS_Encoding` (JIS X 0202).
    Jp2004,
    /// CP50220, CP50221 and CP50222.
    Microsoft,
    /// ISO-2022-KR (RFC 1557).
    Kr,
    /// ISO-2022-CN (RFC 1922).
    Cn,
    /// ISO-2022-CN-EXT (RFC 1922).
    CnExt,
    /// Only JIS X 0201: Roman below 80, katakana above.
    Jisx0201,
    /// Only JIS X 0208, of either year, in octets 21 to 7E or A1 to FE.
    Jisx0208,
    /// Only JIS X 0212, likewise.
    Jisx0212,
}

impl Variant {
    /// Whether text without escapes, shifts and octets above 7F is ASCII.
    pub(super) fn starts_in_ascii(self) -> bool {
        !matches!(
            self,
            Variant::Jisx0201 | Variant::Jisx0208 | Variant::Jisx0212
        )
    }

    /// The set invoked by SO if none was designated.
    fn initial_g1(self) -> Option<Graphic> {
        match self {
            Variant::Microsoft | Variant::Jisx0201 | Variant::Jisx0208 | Variant::Jisx0212 => {
                Some(Graphic::Katakana)
            }
            _ => None,
        }
    }

    /// Charsets that have the same characters in octets above 7F. EUC has fewer than the others.
    pub(super) fn eight_bit_relatives(self) -> &'static [&'static str] {
        match self {
            Variant::Kr => &["EUC-KR"],
            Variant::Cn | Variant::CnExt => &["GB18030", "Big5"],
            _ => &["EUC-JP", "Shift_JIS"],
        }
    }

    fn is_chinese(self) -> bool {
        matches!(self, Variant::Cn | Variant::CnExt)
    }

    fn is_japanese(self) -> bool {
        self.starts_in_ascii() && !self.is_chinese() && self != Variant::Kr
    }
}

/// A set that an escape designates. The order gives its number in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    Ascii,
    Roman,
    Katakana,
    Jisx0208,
    Jisx0212,
    Jisx0213Plane1,
    Jisx0213Plane2,
    Gb2312,
    IsoIr165,
    Cns11643Plane1,
    Cns11643Plane2,
    /// Planes 3 to 7, for which there is no table.
    Cns11643Beyond,
    Ksx1001,
    Latin1,
    Greek,
    /// An announcer; ignored.
    Nothing,
}

/// All sets, by number.
const SETS: [Set; 15] = [
    Set::Ascii,
    Set::Roman,
    Set::Katakana,
    Set::Jisx0208,
    Set::Jisx0212,
    Set::Jisx0213Plane1,
    Set::Jisx0213Plane2,
    Set::Gb2312,
    Set::IsoIr165,
    Set::Cns11643Plane1,
    Set::Cns11643Plane2,
    Set::Ksx1001,
    Set::Latin1,
    Set::Greek,
    Set::Cns11643Beyond,
];

/// The slot that a set is designated to: octets are decoded in G0, between SO and SI in G1; a
/// single shift decodes one character in G2 or G3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    G0,
    G1,
    G2,
    G3,
}

/// Parses an escape from the octets after ESC: slot, set and length including ESC.
///
/// An escape has octets of column 2 (blank to slash) and then one of another column (ISO/IEC 2022,
/// section 13.2), so none is a prefix of another.
#[expect(
    clippy::match_same_arms,
    reason = "a line for each escape, with what is known of it"
)]
fn designation(after: &[u8]) -> Option<(Slot, Set, usize)> {
    Some(match *after {
        [b'(', b'B', ..] => (Slot::G0, Set::Ascii, 3),
        [b'$', b'B', ..] => (Slot::G0, Set::Jisx0208, 3),
        [b'(', b'J', ..] => (Slot::G0, Set::Roman, 3),
        // Early software wrote the Swedish set's escape for Roman (RFC 1468).
        [b'(', b'H', ..] => (Slot::G0, Set::Roman, 3),
        [b'(', b'I', ..] => (Slot::G0, Set::Katakana, 3),
        [b')', b'I', ..] => (Slot::G1, Set::Katakana, 3),
        // JIS C 6226-1978 has the characters of 1983 with other glyphs.
        [b'$', b'@', ..] => (Slot::G0, Set::Jisx0208, 3),
        [b'$', b'(', b'@', ..] => (Slot::G0, Set::Jisx0208, 4),
        [b'$', b'(', b'B', ..] => (Slot::G0, Set::Jisx0208, 4),
        [b'$', b'(', b'D', ..] => (Slot::G0, Set::Jisx0212, 4),
        // JIS X 0213 of 2000, and of 2004 with ten more characters.
        [b'$', b'(', b'O', ..] => (Slot::G0, Set::Jisx0213Plane1, 4),
        [b'$', b'(', b'Q', ..] => (Slot::G0, Set::Jisx0213Plane1, 4),
        [b'$', b'(', b'P', ..] => (Slot::G0, Set::Jisx0213Plane2, 4),
        [b'$', b')', b'C', ..] => (Slot::G1, Set::Ksx1001, 4),
        [b'$', b'(', b'C', ..] => (Slot::G0, Set::Ksx1001, 4),
        [b'$', b')', b'A', ..] => (Slot::G1, Set::Gb2312, 4),
        [b'$', b'A', ..] => (Slot::G0, Set::Gb2312, 3),
        [b'$', b'(', b'A', ..] => (Slot::G0, Set::Gb2312, 4),
        [b'$', b')', b'E', ..] => (Slot::G1, Set::IsoIr165, 4),
        [b'$', b'(', b'E', ..] => (Slot::G0, Set::IsoIr165, 4),
        [b'$', b')', b'G', ..] => (Slot::G1, Set::Cns11643Plane1, 4),
        [b'$', b'(', b'G', ..] => (Slot::G0, Set::Cns11643Plane1, 4),
        [b'$', b'*', b'H', ..] => (Slot::G2, Set::Cns11643Plane2, 4),
        [b'$', b'(', b'H', ..] => (Slot::G0, Set::Cns11643Plane2, 4),
        [b'$', b'+', b'I', ..] => (Slot::G3, Set::Cns11643Beyond, 4),
        [b'$', b'+', b'J', ..] => (Slot::G3, Set::Cns11643Beyond, 4),
        [b'$', b'+', b'K', ..] => (Slot::G3, Set::Cns11643Beyond, 4),
        [b'$', b'+', b'L', ..] => (Slot::G3, Set::Cns11643Beyond, 4),
        [b'$', b'+', b'M', ..] => (Slot::G3, Set::Cns11643Beyond, 4),
        [b'.', b'A', ..] => (Slot::G2, Set::Latin1, 3),
        [b'.', b'F', ..] => (Slot::G2, Set::Greek, 3),
        // The next escape means the 1990 edition of JIS X 0208.
        [b'&', b'@', ..] => (Slot::G0, Set::Nothing, 3),
        // Two of the announcers that RFC 1554 assumes.
        [b' ', b'A', ..] => (Slot::G0, Set::Nothing, 3),
        [b' ', b'F', ..] => (Slot::G0, Set::Nothing, 3),
        _ => return None,
    })
}

/// Whether these octets are a prefix of an escape.
fn may_become_escape(after: &[u8]) -> bool {
    matches!(
        after,
        [] | [b'(' | b')' | b'.' | b'&' | b' ' | b'$'] | [b'$', b'(' | b')' | b'*' | b'+']
    )
}

/// The set for octets 21 to 7E.
#[derive(Clone, Copy)]
enum Graphic {
    Ascii,
    Roman,
    Katakana,
    Pairs(Set, &'static Table),
}

/// The set for one character after a single shift two.
#[derive(Clone, Copy)]
enum Single {
    Latin1,
    Greek,
    Pairs(Set, &'static Table),
}

#[derive(Clone)]
pub(super) struct Iso2022Codec {
    variant: Variant,
    reading: Reading,
    roman_as_ascii: bool,
    /// The state at the start of a text, and after a line that did not return to it.
    initial: Graphic,
    g0: Graphic,
    /// The set that SO invokes, if any.
    g1: Option<Graphic>,
    g2: Option<Single>,
    /// Whether a plane of CNS 11643 without a table is designated.
    g3: bool,
    /// Whether SO is in effect.
    shifted: bool,
    /// Decodes octets above 7F in ISO-2022-KR as practised, which mixes them in.
    euc_kr: Option<PairsCodec>,
    /// Octets that no document of these charsets allows.
    practised: PractisedOctets,
}

impl Iso2022Codec {
    pub(super) fn new(variant: Variant, reading: Reading, roman_as_ascii: bool) -> Self {
        let initial = match variant {
            Variant::Jisx0201 => Graphic::Roman,
            Variant::Jisx0208 => Graphic::Pairs(Set::Jisx0208, sets::jisx0208(reading)),
            Variant::Jisx0212 => Graphic::Pairs(Set::Jisx0212, sets::jisx0212(reading)),
            _ => Graphic::Ascii,
        };
        let is_mixed = variant == Variant::Kr && reading == Reading::AsPractised;
        Iso2022Codec {
            variant,
            reading,
            roman_as_ascii,
            initial,
            g0: initial,
            g1: variant.initial_g1(),
            g2: None,
            g3: false,
            shifted: false,
            euc_kr: is_mixed.then(|| euc_kr::codec(reading)),
            practised: PractisedOctets::default(),
        }
    }
}

impl Codec for Iso2022Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let done = self.read(input, last, sink);
        if last && self.variant.starts_in_ascii() {
            let is_shifted = !matches!(self.invoked(), Graphic::Ascii);
            self.practised.report(is_shifted, sink.base + done, sink);
        }
        done
    }

    /// The number of each designated set, five bits each, 0 for the initial set; then G3 and the
    /// shift state.
    fn state(&self) -> Option<u128> {
        let number = |set: Set| SETS.iter().position(|other| *other == set);
        let g1_at_start = self.variant.initial_g1().map(Graphic::set);
        let slots = [
            (self.g2.map(Single::set), None),
            (self.g1.map(Graphic::set), g1_at_start),
            (Some(self.g0.set()), Some(self.initial.set())),
        ];
        let designated = slots.into_iter().fold(0, |all, (set, at_start)| {
            let set = set.filter(|set| Some(*set) != at_start);
            all << 5 | set.and_then(number).map_or(0, |place| place + 1) as u128
        });
        Some(designated << 2 | u128::from(self.g3) << 1 | u128::from(self.shifted))
    }

    fn resume(&mut self, state: u128) {
        for (slot, right) in [(Slot::G0, 2), (Slot::G1, 7), (Slot::G2, 12)] {
            let number = usize::try_from(state >> right & 0x1F).unwrap_or_default();
            let set = number.checked_sub(1).and_then(|place| SETS.get(place));
            if let Some(&set) = set.filter(|&&set| self.allows(slot, set)) {
                self.designate(slot, set);
            }
        }
        self.g3 = state & 2 != 0;
        self.shifted = state & 1 != 0;
        if self.shifted && self.g1.is_none() {
            self.g1 = self.implied();
        }
    }
}

impl DecodeRuns for Iso2022Codec {
    /// Decodes the common cases: pairs, ASCII and whole escapes.
    fn decode_run<const LENGTH: usize>(&mut self, input: &[u8], run: &mut Run<LENGTH>) -> usize {
        match (input, self.invoked()) {
            ([ESC, after @ ..], _) => self.known_escape(after).map_or(0, |(slot, set, length)| {
                self.designate(slot, set);
                length
            }),
            // Korean text shifts at every blank.
            ([shift @ (SHIFT_OUT | SHIFT_IN), ..], _)
                if self.has_shifts() && (*shift == SHIFT_IN || self.g1.is_some()) =>
            {
                self.shifted = *shift == SHIFT_OUT;
                1
            }
            (_, Graphic::Pairs(_, table)) => run.append_pairs(input, table, GRAPHIC, false),
            // If a line end resets nothing, it is plain ASCII.
            (_, Graphic::Ascii) if self.g2.is_none() && !self.variant.is_chinese() => {
                run.append_ascii(input, sets::SHIFTS)
            }
            (_, Graphic::Ascii) => run.append_ascii(input, sets::SHIFTS_AND_LINE_ENDS),
            _ => 0,
        }
    }

    /// Decodes everything else, mostly damage. Returns the number of octets consumed, 0 if more
    /// input is needed.
    fn decode_other(
        &mut self,
        input: &[u8],
        last: bool,
        offset: usize,
        sink: &mut Sink<'_>,
    ) -> usize {
        let Some((&first, after)) = input.split_first() else {
            return 0;
        };
        match first {
            ESC => return self.escape(after, last, offset, sink),
            SHIFT_OUT if self.has_shifts() && self.g1.is_none() => match self.implied() {
                Some(implied) => {
                    (self.g1, self.shifted) = (Some(implied), true);
                    self.practised.add(offset, 1);
                }
                None => sink.replace(Kind::Malformed, offset, 1, "shift to no set"),
            },
            SHIFT_OUT | SHIFT_IN if self.has_shifts() => self.shifted = first == SHIFT_OUT,
            b'\r' | b'\n' => {
                self.end_line();
                sink.text.push(char::from(first));
            }
            0x21..=0x7E => match self.invoked() {
                Graphic::Pairs(_, table) => return sets::pair(table, input, last, offset, sink),
                Graphic::Katakana => match pairs::katakana(first | 0x80) {
                    Some(character) => sink.text.push(character),
                    None => sink.replace(Kind::Malformed, offset, 1, pairs::NO_CHARACTER),
                },
                Graphic::Roman if !self.roman_as_ascii => sink.text.push(roman(first)),
                Graphic::Roman | Graphic::Ascii => sink.text.push(char::from(first)),
            },
            // Blanks and controls are valid between pairs too.
            0x00..=0x7F => sink.text.push(char::from(first)),
            0x80.. => {
                let before = sink.report.replacements();
                let taken = self.eighth_bit(input, last, offset, sink);
                if sink.report.replacements() == before && self.variant != Variant::Microsoft {
                    self.practised.add(offset, taken);
                }
                return taken;
            }
        }
        1
    }
}

impl Iso2022Codec {
    /// The set in use. SO only allows effect if G1 is designated.
    fn invoked(&self) -> Graphic {
        self.g1.filter(|_| self.shifted).unwrap_or(self.g0)
    }

    /// The set that SO invokes if none was designated: the header with the designation is often
    /// lost (RFC 1557), and Japanese programs shift to katakana without it.
    fn implied(&self) -> Option<Graphic> {
        match self.variant {
            Variant::Cn | Variant::CnExt => None,
            Variant::Kr => Some(Graphic::Pairs(Set::Ksx1001, sets::ksx1001())),
            _ => Some(Graphic::Katakana),
        }
    }

    /// RFC 1468: a line ends in ASCII or Roman, and the next starts in the same. RFC 1554: a line
    /// end clears G2. RFC 1922: each line has to designate anew; but as practised a designation
    /// lasts, since some programs write it once.
    fn end_line(&mut self) {
        if matches!(self.g0, Graphic::Katakana | Graphic::Pairs(..)) {
            self.g0 = self.initial;
        }
        self.shifted = false;
        if !self.variant.is_chinese() {
            self.g2 = None;
        } else if self.reading == Reading::AsRegistered {
            (self.g1, self.g2, self.g3) = (None, None, false);
        }
    }

    /// Decodes ESC and `after` if this is an unknown or cut escape. Returns the number of octets
    /// consumed, 0 if more input is needed.
    fn escape(&mut self, after: &[u8], last: bool, offset: usize, sink: &mut Sink<'_>) -> usize {
        // A single shift without a designated set is an unknown escape: the octets after it, such
        // as a quote or a bracket, stay as they are.
        let pairs = matches!(self.g2, Some(Single::Pairs(..)));
        let (found, length) = match *after {
            [b'N', lead @ 0x21..=0x7E, trail @ 0x21..=0x7E, ..] if pairs => {
                let found = match self.g2 {
                    Some(Single::Pairs(_, table)) => table.put(lead, trail, sink.text),
                    _ => false,
                };
                (found, 4)
            }
            [b'N', octet @ 0x20..=0x7F, ..] if !pairs && self.g2.is_some() => {
                let character = self.g2.and_then(|set| set.character(octet));
                sink.text.extend(character);
                (character.is_some(), 3)
            }
            [b'O', 0x21..=0x7E, 0x21..=0x7E, ..] if self.g3 => {
                sink.replace(Kind::Undecoded, offset, 4, pairs::NO_TABLE);
                return 4;
            }
            [b'N'] if !last && self.g2.is_some() => return 0,
            [b'N', 0x21..=0x7E] if !last && pairs => return 0,
            [b'O'] | [b'O', 0x21..=0x7E] if !last && self.g3 => return 0,
            _ if !last && may_become_escape(after) => return 0,
            _ => {
                // After an unknown escape, fall back to ASCII.
                self.g0 = self.initial;
                self.shifted = false;
                sink.replace(Kind::Malformed, offset, 1, sets::UNKNOWN_ESCAPE);
                return 1;
            }
        };
        if !found {
            sink.replace(Kind::Malformed, offset, length, pairs::NO_CHARACTER);
        }
        length
    }

    /// Parses a known escape from ESC and `after`: slot, set and length.
    fn known_escape(&self, after: &[u8]) -> Option<(Slot, Set, usize)> {
        designation(after).filter(|(slot, set, _)| self.allows(*slot, *set))
    }

    fn designate(&mut self, slot: Slot, set: Set) {
        match (slot, self.graphic(set)) {
            // Also end a shift that the writer forgot to end.
            (Slot::G0, Some(graphic)) => (self.g0, self.shifted) = (graphic, false),
            (Slot::G1, Some(graphic)) => self.g1 = Some(graphic),
            (Slot::G2, Some(Graphic::Pairs(set, table))) => {
                self.g2 = Some(Single::Pairs(set, table));
            }
            _ => match set {
                Set::Latin1 => self.g2 = Some(Single::Latin1),
                Set::Greek => self.g2 = Some(Single::Greek),
                Set::Cns11643Beyond => self.g3 = true,
                _ => {}
            },
        }
    }

    /// The set for octets 21 to 7E; `None` for other sets.
    fn graphic(&self, set: Set) -> Option<Graphic> {
        let table = match set {
            Set::Ascii => return Some(Graphic::Ascii),
            Set::Roman => return Some(Graphic::Roman),
            Set::Katakana => return Some(Graphic::Katakana),
            Set::Jisx0208 => sets::jisx0208(match self.variant {
                // Its registration uses the tables of Windows.
                Variant::Microsoft => Reading::AsPractised,
                _ => self.reading,
            }),
            Set::Jisx0212 => sets::jisx0212(self.reading),
            Set::Jisx0213Plane1 => jisx0213::plane1(),
            Set::Jisx0213Plane2 => jisx0213::plane2(),
            Set::Gb2312 => sets::gb2312(self.reading),
            Set::IsoIr165 => sets::iso_ir_165(),
            Set::Cns11643Plane1 => euc_tw::plane1(),
            Set::Cns11643Plane2 => euc_tw::plane2(),
            Set::Ksx1001 => sets::ksx1001(),
            Set::Latin1 | Set::Greek | Set::Cns11643Beyond | Set::Nothing => return None,
        };
        Some(Graphic::Pairs(set, table))
    }

    /// Whether the charset allows the set in this slot: any as practised, its own as registered.
    fn allows(&self, slot: Slot, set: Set) -> bool {
        if self.reading == Reading::AsPractised {
            return true;
        }
        match (slot, set) {
            (Slot::G0, Set::Ascii | Set::Roman | Set::Jisx0208 | Set::Nothing) => {
                self.variant.is_japanese()
            }
            (Slot::G0, Set::Jisx0212) => matches!(
                self.variant,
                Variant::Jp1 | Variant::Jp2 | Variant::Microsoft
            ),
            (Slot::G0, Set::Gb2312 | Set::Ksx1001) | (Slot::G2, Set::Latin1 | Set::Greek) => {
                self.variant == Variant::Jp2
            }
            (Slot::G0, Set::Katakana) => {
                matches!(self.variant, Variant::Microsoft | Variant::Jp2004)
            }
            (Slot::G0, Set::Jisx0213Plane1 | Set::Jisx0213Plane2) => {
                self.variant == Variant::Jp2004
            }
            (Slot::G1, Set::Ksx1001) => self.variant == Variant::Kr,
            (Slot::G1, Set::Gb2312 | Set::Cns11643Plane1) | (Slot::G2, Set::Cns11643Plane2) => {
                self.variant.is_chinese()
            }
            (Slot::G1, Set::IsoIr165) | (Slot::G3, _) => self.variant == Variant::CnExt,
            _ => false,
        }
    }

    fn has_shifts(&self) -> bool {
        self.reading == Reading::AsPractised
            || !self.variant.is_japanese()
            || self.variant == Variant::Microsoft
    }

    /// Decodes octets above 7F, which some mail mixes in.
    fn eighth_bit(&self, input: &[u8], last: bool, offset: usize, sink: &mut Sink<'_>) -> usize {
        if let Some(euc_kr) = &self.euc_kr {
            return euc_kr.decode_one(input, last, offset, sink);
        }
        let practised = self.reading == Reading::AsPractised;
        match (input, self.initial) {
            // The current set in its EUC form.
            ([lead @ 0xA1..=0xFE, trail @ 0xA1..=0xFE, ..], Graphic::Pairs(_, table))
                if practised =>
            {
                if !table.put(*lead & 0x7F, *trail & 0x7F, sink.text) {
                    sink.replace(Kind::Malformed, offset, 2, pairs::NO_CHARACTER);
                }
                return 2;
            }
            ([0xA1..=0xFE], Graphic::Pairs(..)) if practised && !last => return 0,
            ([0xA1..=0xFE, ..], Graphic::Pairs(..)) if practised => {
                sink.replace(Kind::Malformed, offset, 1, pairs::HALF);
            }
            ([octet @ 0xA1..=0xDF, ..], _)
                if matches!(self.variant, Variant::Microsoft | Variant::Jisx0201)
                    || practised && self.variant.is_japanese() =>
            {
                sink.text.extend(pairs::katakana(*octet));
            }
            _ => sink.replace(Kind::Malformed, offset, 1, sets::EIGHTH_BIT),
        }
        1
    }
}

impl Graphic {
    fn set(self) -> Set {
        match self {
            Graphic::Ascii => Set::Ascii,
            Graphic::Roman => Set::Roman,
            Graphic::Katakana => Set::Katakana,
            Graphic::Pairs(set, _) => set,
        }
    }
}

impl Single {
    fn set(self) -> Set {
        match self {
            Single::Latin1 => Set::Latin1,
            Single::Greek => Set::Greek,
            Single::Pairs(set, _) => set,
        }
    }

    /// The character of one octet.
    fn character(self, octet: u8) -> Option<char> {
        match self {
            Single::Latin1 => Some(char::from(octet | 0x80)),
            Single::Greek => web::strict(Web::Iso8859_7, &[octet | 0x80])?.chars().next(),
            Single::Pairs(..) => None,
        }
    }
}

/// JIS X 0201 Roman: ASCII except for two characters.
fn roman(octet: u8) -> char {
    match octet {
        b'\\' => '\u{A5}',
        b'~' => '\u{203E}',
        _ => char::from(octet),
    }
}

#[cfg(test)]
mod tests {
    use super::{designation, may_become_escape};

    /// `may_become_escape` and `designation` agree on every escape.
    #[test]
    fn prefixes_of_escapes_are_pending() {
        let octets = || 0x20..=0x7E;
        let mut known = 0;
        for (one, two) in octets().flat_map(|one| octets().map(move |two| (one, two))) {
            for escape in std::iter::once(vec![one, two])
                .chain(octets().map(|three| vec![one, two, three]))
                .filter(|escape| designation(escape).is_some_and(|it| it.2 == 1 + escape.len()))
            {
                known += 1;
                for length in 0..escape.len() {
                    assert!(designation(&escape[..length]).is_none(), "{escape:02X?}");
                    assert!(may_become_escape(&escape[..length]), "{escape:02X?}");
                }
                assert!(!may_become_escape(&escape), "{escape:02X?}");
            }
        }
        assert_eq!(known, 34);
        for octets in [&b"\x1B"[..], b"Z", b"(Z", b"$Z", b"\n"] {
            assert!(!may_become_escape(octets), "{octets:02X?}");
        }
    }
}
