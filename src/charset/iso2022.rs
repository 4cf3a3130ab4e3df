//! The ISO 2022 charsets of mail: escapes and shifts that switch seven-bit octets between
//! sets.
//!
//! One decoder reads ISO-2022-JP (RFC 1468), -1 (RFC 2237), -2 (RFC 1554), -3 and -2004
//! (JIS X 0213), Microsoft's CP50220 to CP50222, ISO-2022-KR (RFC 1557), ISO-2022-CN and
//! -CN-EXT (RFC 1922), and the single sets of JIS that are registered as charsets. They
//! differ in how a text starts and in what a line end undoes. As practised each takes the
//! escapes of all, since mail names one and writes another; as registered, its own.
//!
//! The Encoding Standard's decoder is not used, since it is made for pages, not for mail:
//! it answers two escapes in a row with U+FFFD, which adjacent encoded words (RFC 2047)
//! make all the time, and a line that forgets to return to ASCII destroys what follows it.
//! Here a line end returns to ASCII, as these RFCs ask of every line.

use super::codec::{Codec, Sink};
use super::pair_table::{GRAPHIC, Table};
use super::pairs::{self, InRuns, PairsCodec, Run};
use super::reading::Reading;
use super::sets::{self, ESC, Practised, SHIFT_IN, SHIFT_OUT};
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
    /// Nothing but JIS X 0201: Roman below 80, katakana above.
    Jisx0201,
    /// Nothing but JIS X 0208, of either year, in octets 21 to 7E or A1 to FE.
    Jisx0208,
    /// Nothing but JIS X 0212, likewise.
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

    /// What SO shifts to before anything is designated.
    fn initial_g1(self) -> Option<Graphic> {
        (self == Variant::Microsoft || !self.starts_in_ascii()).then_some(Graphic::KATAKANA)
    }

    /// What has the same characters in octets above 7F. EUC reads less than the others do.
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

/// A set that an escape designates. Its place here is its number in a state.
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
    /// Planes 3 to 7, which have no table here.
    Cns11643Beyond,
    Ksx1001,
    Latin1,
    Greek,
    /// An announcer, which changes nothing.
    Nothing,
}

/// All that may be designated.
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

/// Where it is designated: octets are taken from G0, between SO and SI from G1, and a
/// single shift takes one character from G2 or G3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    G0,
    G1,
    G2,
    G3,
}

/// What the octets after ESC designate, where to, and how many they are with ESC itself.
///
/// They are blanks to slashes and then one of another column (ISO/IEC 2022, section 13.2), so
/// that none begins with another.
#[expect(
    clippy::match_same_arms,
    reason = "a line for each escape, with what is known of it"
)]
fn designation(after: &[u8]) -> Option<(Slot, Set, usize)> {
    Some(match *after {
        [b'(', b'B', ..] => (Slot::G0, Set::Ascii, 3),
        [b'$', b'B', ..] => (Slot::G0, Set::Jisx0208, 3),
        [b'(', b'J', ..] => (Slot::G0, Set::Roman, 3),
        // The Swedish set's escape, which early software wrote for Roman (RFC 1468).
        [b'(', b'H', ..] => (Slot::G0, Set::Roman, 3),
        [b'(', b'I', ..] => (Slot::G0, Set::Katakana, 3),
        [b')', b'I', ..] => (Slot::G1, Set::Katakana, 3),
        // JIS C 6226-1978 has the characters of 1983 in other shapes.
        [b'$', b'@', ..] => (Slot::G0, Set::Jisx0208, 3),
        [b'$', b'(', b'@', ..] => (Slot::G0, Set::Jisx0208, 4),
        [b'$', b'(', b'B', ..] => (Slot::G0, Set::Jisx0208, 4),
        [b'$', b'(', b'D', ..] => (Slot::G0, Set::Jisx0212, 4),
        // JIS X 0213 of 2000 and, with ten more characters, of 2004.
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
        // The edition of JIS X 0208 that the next escape means: 1990.
        [b'&', b'@', ..] => (Slot::G0, Set::Nothing, 3),
        // Two of the announcers that RFC 1554 assumes.
        [b' ', b'A', ..] => (Slot::G0, Set::Nothing, 3),
        [b' ', b'F', ..] => (Slot::G0, Set::Nothing, 3),
        _ => return None,
    })
}

/// Whether an escape begins with these octets, and needs more.
fn may_become_escape(after: &[u8]) -> bool {
    matches!(
        after,
        [] | [b'(' | b')' | b'.' | b'&' | b' ' | b'$'] | [b'$', b'(' | b')' | b'*' | b'+']
    )
}

/// A set with the table of its pairs, if it has pairs.
#[derive(Clone, Copy)]
struct Graphic {
    set: Set,
    pairs: Option<&'static Table>,
}

impl Graphic {
    const KATAKANA: Graphic = Graphic {
        set: Set::Katakana,
        pairs: None,
    };

    fn of(set: Set, variant: Variant, reading: Reading) -> Graphic {
        let table = match set {
            Set::Jisx0208 => sets::JISX0208.of(match variant {
                // Registered with the tables of Windows.
                Variant::Microsoft => Reading::AsPractised,
                _ => reading,
            }),
            Set::Jisx0212 => sets::JISX0212.of(reading),
            Set::Jisx0213Plane1 => &jisx0213::PLANE1,
            Set::Jisx0213Plane2 => &jisx0213::PLANE2,
            Set::Gb2312 => sets::GB2312.of(reading),
            Set::IsoIr165 => &sets::ISO_IR_165,
            Set::Cns11643Plane1 => &euc_tw::PLANE1,
            Set::Cns11643Plane2 => &euc_tw::PLANE2,
            Set::Ksx1001 => &sets::KSX1001,
            _ => return Graphic { set, pairs: None },
        };
        let pairs = Some(table);
        Graphic { set, pairs }
    }
}

#[derive(Clone)]
pub(super) struct Iso2022Codec {
    variant: Variant,
    reading: Reading,
    roman_as_ascii: bool,
    /// What a text starts in, and a line after one that forgot to return.
    initial: Graphic,
    g0: Graphic,
    /// What SO shifts to, where anything is there.
    g1: Option<Graphic>,
    /// What a single shift two takes one character of.
    g2: Option<Graphic>,
    /// Whether a plane of CNS 11643 without a table is designated.
    g3: bool,
    /// Between SO and SI.
    shifted: bool,
    /// What reads octets above 7F in ISO-2022-KR as practised, which mixes them in.
    euc_kr: Option<PairsCodec>,
    /// What was read that none of the documents has.
    practised: Practised,
}

impl Iso2022Codec {
    pub(super) fn new(variant: Variant, reading: Reading, roman_as_ascii: bool) -> Self {
        let initial = match variant {
            Variant::Jisx0201 => Set::Roman,
            Variant::Jisx0208 => Set::Jisx0208,
            Variant::Jisx0212 => Set::Jisx0212,
            _ => Set::Ascii,
        };
        let initial = Graphic::of(initial, variant, reading);
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
            practised: Practised::default(),
        }
    }
}

impl Codec for Iso2022Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let done = self.read(input, last, sink);
        if last && self.variant.starts_in_ascii() {
            let is_shifted = self.invoked().set != Set::Ascii;
            self.practised.tell(is_shifted, sink.base + done, sink);
        }
        done
    }

    /// The number of each set that is designated, five bits for each, with 0 for what is there at the
    /// start of a text, and what is in G3 and shifted to.
    fn state(&self) -> Option<u128> {
        let number = |set: Set| SETS.iter().position(|other| *other == set);
        let slots = [
            (self.g2, None),
            (self.g1, self.variant.initial_g1()),
            (Some(self.g0), Some(self.initial)),
        ];
        let designated = slots.into_iter().fold(0, |all, slot| {
            let (set, at_start) = (slot.0.map(|it| it.set), slot.1.map(|it| it.set));
            let set = set.filter(|_| set != at_start);
            all << 5 | set.and_then(number).map_or(0, |place| place + 1) as u128
        });
        Some(designated << 2 | u128::from(self.g3) << 1 | u128::from(self.shifted))
    }

    fn resume(&mut self, state: u128) {
        for (slot, right) in [(Slot::G0, 2), (Slot::G1, 7), (Slot::G2, 12)] {
            let number = usize::try_from(state >> right & 0x1F).unwrap_or_default();
            let set = number.checked_sub(1).and_then(|place| SETS.get(place));
            if let Some(&set) = set.filter(|&&set| self.takes(slot, set)) {
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

impl InRuns for Iso2022Codec {
    /// What most text consists of: pairs, ASCII, and whole escapes.
    fn take<const LENGTH: usize>(&mut self, input: &[u8], run: &mut Run<LENGTH>) -> usize {
        let invoked = self.invoked();
        match (input, invoked.pairs) {
            ([ESC, after @ ..], _) => self.known_escape(after).map_or(0, |(slot, set, length)| {
                self.designate(slot, set);
                length
            }),
            // Korean shifts at every blank.
            ([shift @ (SHIFT_OUT | SHIFT_IN), ..], _)
                if self.takes_shifts() && (*shift == SHIFT_IN || self.g1.is_some()) =>
            {
                self.shifted = *shift == SHIFT_OUT;
                1
            }
            (_, Some(table)) => run.take_pairs(input, table, GRAPHIC, false),
            _ if invoked.set != Set::Ascii => 0,
            // Where a line end undoes nothing it needs no second look.
            _ if self.g2.is_none() && !self.variant.is_chinese() => {
                run.take_ascii(input, sets::SHIFTS)
            }
            _ => run.take_ascii(input, sets::SHIFTS_AND_LINE_ENDS),
        }
    }

    /// Everything else, damage above all: the number of octets that are decided, 0 for none.
    fn take_other(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let Some((&first, after)) = input.split_first() else {
            return 0;
        };
        match first {
            ESC => return self.escape(after, last, sink),
            SHIFT_OUT if self.takes_shifts() && self.g1.is_none() => {
                self.g1 = self.implied();
                if self.g1.is_none() {
                    return sink.malformed(1, "shift to nothing");
                }
                self.shifted = true;
                self.practised.add(sink.base, 1);
            }
            SHIFT_OUT | SHIFT_IN if self.takes_shifts() => self.shifted = first == SHIFT_OUT,
            b'\r' | b'\n' => {
                self.end_line();
                sink.text.push(char::from(first));
            }
            0x21..=0x7E => match (self.invoked().set, self.invoked().pairs) {
                (_, Some(table)) => return sets::pair(table, input, last, sink),
                (Set::Katakana, _) => match pairs::katakana(first | 0x80) {
                    Some(character) => sink.text.push(character),
                    None => return sink.malformed(1, pairs::NO_CHARACTER),
                },
                (Set::Roman, _) if !self.roman_as_ascii => sink.text.push(roman(first)),
                _ => sink.text.push(char::from(first)),
            },
            // Blanks and controls stand for themselves between pairs too.
            0x00..=0x7F => sink.text.push(char::from(first)),
            0x80.. => {
                let before = sink.report.replacements();
                let taken = self.eighth_bit(input, last, sink);
                if sink.report.replacements() == before && self.variant != Variant::Microsoft {
                    self.practised.add(sink.base, taken);
                }
                return taken;
            }
        }
        1
    }
}

impl Iso2022Codec {
    /// The set in use. A shift is only ever to something.
    fn invoked(&self) -> Graphic {
        self.g1.filter(|_| self.shifted).unwrap_or(self.g0)
    }

    /// What SO shifts to where nothing designates it: the header that does so is often lost (RFC
    /// 1557), and Japanese programs write katakana so.
    fn implied(&self) -> Option<Graphic> {
        match self.variant {
            Variant::Cn | Variant::CnExt => None,
            Variant::Kr => Some(self.graphic(Set::Ksx1001)),
            _ => Some(Graphic::KATAKANA),
        }
    }

    /// RFC 1468: a line ends in ASCII or Roman, and the next starts in the same. RFC 1554:
    /// what G2 holds is gone at the end of the line. RFC 1922: every line designates anew;
    /// but as practised what it designates lasts, for writers who do so once.
    fn end_line(&mut self) {
        if self.g0.set == Set::Katakana || self.g0.pairs.is_some() {
            self.g0 = self.initial;
        }
        self.shifted = false;
        if !self.variant.is_chinese() {
            self.g2 = None;
        } else if self.reading == Reading::AsRegistered {
            (self.g1, self.g2, self.g3) = (None, None, false);
        }
    }

    /// ESC and `after`, which is no known escape or one cut short: the number of octets that
    /// are decided, 0 for none.
    fn escape(&mut self, after: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        // A single shift to nothing is no known escape: what follows it was meant for no set, and
        // stays where it is, a quote or a bracket too.
        let pairs = self.g2.and_then(|it| it.pairs);
        let (found, length) = match (after, pairs) {
            ([b'N', lead @ 0x21..=0x7E, trail @ 0x21..=0x7E, ..], Some(table)) => {
                (table.put(*lead, *trail, sink.text), 4)
            }
            ([b'N', octet @ 0x20..=0x7F, ..], None) if self.g2.is_some() => {
                let character = self.g2.and_then(|it| single(it.set, *octet));
                sink.text.extend(character);
                (character.is_some(), 3)
            }
            ([b'O', 0x21..=0x7E, 0x21..=0x7E, ..], _) if self.g3 => {
                sink.replace(Kind::Undecoded, sink.base, 4, pairs::NO_TABLE);
                return 4;
            }
            ([b'N'], _) if !last && self.g2.is_some() => return 0,
            ([b'N', 0x21..=0x7E], Some(_)) if !last => return 0,
            ([b'O'] | [b'O', 0x21..=0x7E], _) if !last && self.g3 => return 0,
            _ if !last && may_become_escape(after) => return 0,
            _ => {
                // What an unknown escape switches to is unknown: it shows as ASCII.
                self.g0 = self.initial;
                self.shifted = false;
                return sink.malformed(1, sets::UNKNOWN_ESCAPE);
            }
        };
        if found {
            length
        } else {
            sink.malformed(length, pairs::NO_CHARACTER)
        }
    }

    /// What ESC and `after` designate where, and how many octets say so.
    fn known_escape(&self, after: &[u8]) -> Option<(Slot, Set, usize)> {
        designation(after).filter(|(slot, set, _)| self.takes(*slot, *set))
    }

    fn designate(&mut self, slot: Slot, set: Set) {
        let graphic = self.graphic(set);
        match (slot, set) {
            (_, Set::Nothing) => {}
            (_, Set::Cns11643Beyond) => self.g3 = true,
            (_, Set::Latin1 | Set::Greek) => self.g2 = Some(graphic),
            // A writer who forgot SI wants to be read from here on.
            (Slot::G0, _) => (self.g0, self.shifted) = (graphic, false),
            (Slot::G1, _) => self.g1 = Some(graphic),
            _ if graphic.pairs.is_some() => self.g2 = Some(graphic),
            _ => {}
        }
    }

    fn graphic(&self, set: Set) -> Graphic {
        Graphic::of(set, self.variant, self.reading)
    }

    /// Whether the charset has the set there: any as practised, its own as registered.
    fn takes(&self, slot: Slot, set: Set) -> bool {
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

    fn takes_shifts(&self) -> bool {
        self.reading == Reading::AsPractised
            || !self.variant.is_japanese()
            || self.variant == Variant::Microsoft
    }

    /// Octets above 7F: what mail mixes in.
    fn eighth_bit(&self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        if let Some(euc_kr) = &self.euc_kr {
            return euc_kr.one(input, last, sink);
        }
        let practised = self.reading == Reading::AsPractised;
        match (input, self.initial.pairs.filter(|_| practised)) {
            // A set in the octets that EUC has it in.
            ([lead @ 0xA1..=0xFE, trail @ 0xA1..=0xFE, ..], Some(table)) => {
                if table.put(*lead & 0x7F, *trail & 0x7F, sink.text) {
                    2
                } else {
                    sink.malformed(2, pairs::NO_CHARACTER)
                }
            }
            ([0xA1..=0xFE], Some(_)) if !last => 0,
            ([0xA1..=0xFE, ..], Some(_)) => sink.malformed(1, pairs::HALF),
            ([octet @ 0xA1..=0xDF, ..], _)
                if matches!(self.variant, Variant::Microsoft | Variant::Jisx0201)
                    || practised && self.variant.is_japanese() =>
            {
                sink.text.extend(pairs::katakana(*octet));
                1
            }
            _ => sink.malformed(1, sets::EIGHTH_BIT),
        }
    }
}

/// The character of one octet after a single shift.
fn single(set: Set, octet: u8) -> Option<char> {
    match set {
        Set::Latin1 => Some(char::from(octet | 0x80)),
        _ => web::strict(Web::Iso8859_7, &[octet | 0x80])?.chars().next(),
    }
}

/// JIS X 0201 Roman: ASCII but for two.
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

    /// What waits for more octets and what is taken at once are the same escapes.
    #[test]
    fn an_escape_is_waited_for_until_it_is_whole() {
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
