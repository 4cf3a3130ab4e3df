//! The ISO 2022 charsets of mail: escapes and shifts switch seven-bit octets between sets.
//!
//! One decoder handles ISO-2022-JP (RFC 1468), -1 (RFC 2237), -2 (RFC 1554), -3 and -2004 (JIS X
//! 0213), Microsoft's CP50220 to CP50222, ISO-2022-KR (RFC 1557), ISO-2022-CN and -CN-EXT (RFC
//! 1922), and the single sets of JIS that are registered as charsets. They differ in their initial
//! state and in what a line end resets. As practised, each charset accepts the escapes of all of
//! them, since labels are often wrong. As registered, each accepts only its own escapes.
//!
//! The Encoding Standard's decoder is made for web pages, not mail, and is not used. It replaces
//! two consecutive escapes with U+FFFD, but adjacent encoded words (RFC 2047) often have two. With
//! that decoder, a line that does not return to ASCII garbles the text after it. Here a line end
//! returns to ASCII or Roman, as these RFCs require of every line.

use super::codec::{Codec, MAX_PENDING, Sink};
use super::pair_table::{GRAPHIC, Table};
use super::pairs::{self, DecodeRuns, PairsCodec, Run};
use super::sets::{self, ESC, SHIFT_IN, SHIFT_OUT};
use super::usage::{PractisedOctets, Usage};
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
    /// Only JIS X 0212, in octets 21 to 7E or A1 to FE.
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
        (self == Variant::Microsoft || !self.starts_in_ascii()).then_some(Graphic::KATAKANA)
    }

    /// Eight-bit charsets with the same characters in octets above 7F. EUC has fewer characters
    /// than the others.
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

    pub(super) fn is_japanese(self) -> bool {
        self.starts_in_ascii() && !self.is_chinese() && self != Variant::Kr
    }
}

/// A set that an escape designates. The order determines its number in a state.
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
    /// An announcer; ignored.
    Ignored,
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

/// The slot to which a set is designated. Octets are decoded in G0, or between SO and SI in G1; a
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
/// An escape has octets of column 2 (space to slash) and then one octet of another column (ISO/IEC
/// 2022, section 13.2), so none is a prefix of another.
#[expect(
    clippy::match_same_arms,
    reason = "one line per escape, with its comment"
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
        [b'&', b'@', ..] => (Slot::G0, Set::Ignored, 3),
        // Two of the announcers that RFC 1554 assumes.
        [b' ', b'A', ..] => (Slot::G0, Set::Ignored, 3),
        [b' ', b'F', ..] => (Slot::G0, Set::Ignored, 3),
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

/// Octets that end a run of ASCII if escapes may lack their ESC.
const SHIFTS_AND_DOLLAR: [u8; 4] = [ESC, SHIFT_OUT, SHIFT_IN, b'$'];

/// Whether these octets begin with an escape to ASCII or Roman without its ESC.
fn ends_without_escape(octets: &[u8]) -> bool {
    matches!(octets, [b'(', b'B' | b'J', ..])
}

/// A set, with the table of its pairs if it has any.
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

    fn of(set: Set, variant: Variant, usage: Usage) -> Graphic {
        let table = match set {
            Set::Jisx0208 => sets::JISX0208.of(match variant {
                // The registration of these charsets uses the tables of Windows.
                Variant::Microsoft => Usage::AsPractised,
                _ => usage,
            }),
            Set::Jisx0212 => sets::JISX0212.of(usage),
            Set::Jisx0213Plane1 => &jisx0213::PLANE1,
            Set::Jisx0213Plane2 => &jisx0213::PLANE2,
            Set::Gb2312 => sets::GB2312.of(usage),
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
    usage: Usage,
    roman_as_ascii: bool,
    /// The set at the start of a text. Also the set after a line that ends in pairs or katakana.
    initial: Graphic,
    g0: Graphic,
    /// The set that SO invokes, if any.
    g1: Option<Graphic>,
    /// The set for one character after a single shift two.
    g2: Option<Graphic>,
    /// Whether a plane of CNS 11643 without a table is designated.
    g3: bool,
    /// Whether SO is in effect.
    shifted: bool,
    /// Decodes octets above 7F in ISO-2022-KR as practised.
    euc_kr: Option<PairsCodec>,
    /// The octets so far that no standard of these charsets allows.
    practised: PractisedOctets,
}

impl Iso2022Codec {
    pub(super) fn new(variant: Variant, usage: Usage, roman_as_ascii: bool) -> Self {
        let initial = match variant {
            Variant::Jisx0201 => Set::Roman,
            Variant::Jisx0208 => Set::Jisx0208,
            Variant::Jisx0212 => Set::Jisx0212,
            _ => Set::Ascii,
        };
        let initial = Graphic::of(initial, variant, usage);
        let is_mixed = variant == Variant::Kr && usage == Usage::AsPractised;
        Iso2022Codec {
            variant,
            usage,
            roman_as_ascii,
            initial,
            g0: initial,
            g1: variant.initial_g1(),
            g2: None,
            g3: false,
            shifted: false,
            euc_kr: is_mixed.then(|| euc_kr::codec(usage)),
            practised: PractisedOctets::default(),
        }
    }
}

impl Codec for Iso2022Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let done = self.read(input, last, sink);
        if last && self.variant.starts_in_ascii() {
            let is_shifted = self.invoked().set != Set::Ascii;
            self.practised.report(sink.report);
            sets::report_shifted_end(is_shifted, sink.base + done, sink);
        }
        done
    }

    /// G2, G1 and G0, five bits each: the number of the set, 0 for the initial one. Then one bit each
    /// for G3 and SO.
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
        let invoked = self.invoked();
        match (input, invoked.pairs) {
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
            (_, Some(table)) => run.append_pairs(input, table, GRAPHIC, false),
            _ if invoked.set != Set::Ascii => 0,
            // Here line ends reset nothing, so they are plain ASCII.
            _ if self.g2.is_none() && self.may_lack_escapes() => {
                run.append_ascii(input, SHIFTS_AND_DOLLAR)
            }
            _ if self.g2.is_none() && !self.variant.is_chinese() => {
                run.append_ascii(input, sets::SHIFTS)
            }
            _ => run.append_ascii(input, sets::SHIFTS_AND_LINE_ENDS),
        }
    }

    /// Decodes everything else, mostly damage. Returns the number of octets consumed, 0 if more input
    /// is needed.
    fn decode_other(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let Some((&first, after)) = input.split_first() else {
            return 0;
        };
        match first {
            ESC => return self.escape(after, last, sink),
            SHIFT_OUT if self.has_shifts() && self.g1.is_none() => {
                self.g1 = self.implied();
                if self.g1.is_none() {
                    return sink.malformed(1, "shift to no set");
                }
                self.shifted = true;
                self.practised.add(sink.base, 1);
            }
            SHIFT_OUT | SHIFT_IN if self.has_shifts() => self.shifted = first == SHIFT_OUT,
            b'\r' | b'\n' => {
                self.end_line();
                sink.text.push(char::from(first));
            }
            0x21..=0x7E => match (self.invoked().set, self.invoked().pairs) {
                // Not a pair of JIS X 0208, row 8.
                (Set::Jisx0208, Some(_))
                    if self.may_lack_escapes() && ends_without_escape(input) =>
                {
                    match input.get(2) {
                        None if !last => return 0,
                        // An escape with its ESC follows.
                        Some(&ESC) => return sink.malformed(2, pairs::NO_CHARACTER),
                        _ => return self.escape_without_esc(input, sink),
                    }
                }
                (_, Some(table)) => return sets::pair(table, input, last, sink),
                (Set::Ascii | Set::Roman, None) if first == b'$' && self.may_lack_escapes() => {
                    match self.starts_without_escape(input) {
                        Some(true) => return self.escape_without_esc(input, sink),
                        None if !last => return 0,
                        _ => sink.text.push('$'),
                    }
                }
                (Set::Katakana, _) => match pairs::katakana(first | 0x80) {
                    Some(character) => sink.text.push(character),
                    None => return sink.malformed(1, pairs::NO_CHARACTER),
                },
                (Set::Roman, _) if !self.roman_as_ascii => sink.text.push(roman(first)),
                _ => sink.text.push(char::from(first)),
            },
            // Blanks and controls are valid between pairs too.
            0x00..=0x7F => sink.text.push(char::from(first)),
            0x80.. => {
                let before = sink.report.replacements();
                let taken = self.decode_eighth_bit(input, last, sink);
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
    /// The set in use. SO has an effect only if G1 is designated.
    fn invoked(&self) -> Graphic {
        self.g1.filter(|_| self.shifted).unwrap_or(self.g0)
    }

    /// The set that SO invokes if none was designated: the header with the designation is often lost
    /// (RFC 1557), and Japanese programs shift to katakana without it.
    fn implied(&self) -> Option<Graphic> {
        match self.variant {
            Variant::Cn | Variant::CnExt => None,
            Variant::Kr => Some(self.graphic(Set::Ksx1001)),
            _ => Some(Graphic::KATAKANA),
        }
    }

    /// RFC 1468: a line ends in ASCII or Roman, and the next line starts in the set in which it
    /// ended. RFC 1554: a line end clears G2. RFC 1922: each line has to designate again. As
    /// practised a designation lasts, since some programs write it once.
    fn end_line(&mut self) {
        if self.g0.set == Set::Katakana || self.g0.pairs.is_some() {
            self.g0 = self.initial;
        }
        self.shifted = false;
        if !self.variant.is_chinese() {
            self.g2 = None;
        } else if self.usage == Usage::AsRegistered {
            (self.g1, self.g2, self.g3) = (None, None, false);
        }
    }

    /// Decodes ESC and `after` if they are an unknown or truncated escape. Returns the number of octets
    /// consumed, 0 if more input is needed.
    fn escape(&mut self, after: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        // A single shift without a designated set is an unknown escape: the octets after it, such as a
        // quote or a bracket, are kept as text.
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
                // After an unknown escape, fall back to ASCII.
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

    /// Whether escapes that lost their ESC are decoded. ESC is a control that some gateways remove.
    fn may_lack_escapes(&self) -> bool {
        self.usage == Usage::AsPractised && self.variant.is_japanese()
    }

    /// Whether these octets are an escape to JIS X 0208 without its ESC. Common characters must
    /// follow. Then either an escape to ASCII without its ESC must follow them, or the first
    /// [`MAX_PENDING`] octets must have two kana. `None` if more input is needed.
    fn starts_without_escape(&self, input: &[u8]) -> Option<bool> {
        let text = match input {
            [_, b'B' | b'@', text @ ..] => text,
            [_] => return None,
            _ => return Some(false),
        };
        let table = self.graphic(Set::Jisx0208).pairs?;
        let mut kana = 0;
        for (number, pair) in text.chunks(2).take(MAX_PENDING / 2 - 1).enumerate() {
            match *pair {
                _ if ends_without_escape(pair) => return Some(number > 0),
                [lead @ ..0x50, trail] if table.get(lead, trail).is_some() => {
                    kana += usize::from(matches!(lead, 0x24 | 0x25));
                }
                [_] => return None,
                _ => return Some(false),
            }
        }
        (text.len() >= MAX_PENDING - 2).then_some(kana >= 2)
    }

    /// Designates the set of an escape that lost its ESC.
    fn escape_without_esc(&mut self, escape: &[u8], sink: &mut Sink<'_>) -> usize {
        let Some((slot, set, length)) = self.known_escape(escape) else {
            return 0;
        };
        self.designate(slot, set);
        let (length, detail) = (length - 1, "an escape without its ESC");
        sink.report
            .add_in_octets(Kind::MissingEscape, sink.base, length, detail);
        length
    }

    /// Parses a known escape from ESC and `after`: slot, set and length.
    fn known_escape(&self, after: &[u8]) -> Option<(Slot, Set, usize)> {
        designation(after).filter(|(slot, set, _)| self.allows(*slot, *set))
    }

    fn designate(&mut self, slot: Slot, set: Set) {
        let graphic = self.graphic(set);
        match (slot, set) {
            (_, Set::Ignored) => {}
            (_, Set::Cns11643Beyond) => self.g3 = true,
            (_, Set::Latin1 | Set::Greek) => self.g2 = Some(graphic),
            // This also ends a shift that the writer left open.
            (Slot::G0, _) => (self.g0, self.shifted) = (graphic, false),
            (Slot::G1, _) => self.g1 = Some(graphic),
            _ if graphic.pairs.is_some() => self.g2 = Some(graphic),
            _ => {}
        }
    }

    fn graphic(&self, set: Set) -> Graphic {
        Graphic::of(set, self.variant, self.usage)
    }

    /// Whether the charset allows the set in this slot. As practised it allows any set; as
    /// registered, only its own.
    fn allows(&self, slot: Slot, set: Set) -> bool {
        if self.usage == Usage::AsPractised {
            return true;
        }
        match (slot, set) {
            (Slot::G0, Set::Ascii | Set::Roman | Set::Jisx0208 | Set::Ignored) => {
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
        self.usage == Usage::AsPractised
            || !self.variant.is_japanese()
            || self.variant == Variant::Microsoft
    }

    /// Decodes octets above 7F, which some mail has.
    fn decode_eighth_bit(&self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        if let Some(euc_kr) = &self.euc_kr {
            return euc_kr.decode_one(input, last, sink);
        }
        let practised = self.usage == Usage::AsPractised;
        match (input, self.initial.pairs.filter(|_| practised)) {
            // The current set in its EUC form.
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
        _ => web::strict(Web::ISO_8859_7, &[octet | 0x80])?
            .chars()
            .next(),
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
