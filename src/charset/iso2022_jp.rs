//! The ISO-2022-JP family: escapes that switch seven-bit octets between sets.
//!
//! One decoder reads ISO-2022-JP (RFC 1468), -1 (RFC 2237), -2 (RFC 1554), -3 and -2004
//! (JIS X 0213), Microsoft's CP50220 to CP50222, and the single sets of JIS that are
//! registered as charsets. As practised, each takes the escapes of all: mail says
//! ISO-2022-JP and means any of them.
//!
//! The Encoding Standard's decoder is not used, since it is made for pages, not for mail:
//! it answers two escapes in a row with U+FFFD, which adjacent encoded words (RFC 2047)
//! make all the time, and a line that forgets to return to ASCII destroys what follows it.
//! Here a line end returns to ASCII, as RFC 1468 asks of every line.

use super::pairs::{self, Run, Table};
use super::sets::{self, ESC, SHIFT_IN, SHIFT_OUT};
use super::web::{self, Web};
use super::{Codec, Reading, Sink, jisx0213};
use crate::report::Kind;

/// The charsets of the family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variant {
    /// ISO-2022-JP (RFC 1468).
    Base,
    /// ISO-2022-JP-1 (RFC 2237).
    Jp1,
    /// ISO-2022-JP-2 (RFC 1554).
    Jp2,
    /// ISO-2022-JP-3 and -2004 (JIS X 0213, annex 2), and `JIS_Encoding` (JIS X 0202).
    Jp2004,
    /// CP50220, CP50221 and CP50222.
    Microsoft,
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
}

/// A set that an escape designates.
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
    Ksx1001,
    Latin1,
    Greek,
    /// An announcer, which changes nothing.
    Nothing,
}

/// What follows ESC.
const ESCAPES: [(&[u8], Set); 21] = [
    (b"(B", Set::Ascii),
    (b"$B", Set::Jisx0208),
    (b"(J", Set::Roman),
    // The Swedish set's escape, which early software wrote for Roman (RFC 1468).
    (b"(H", Set::Roman),
    (b"(I", Set::Katakana),
    // JIS C 6226-1978 has the characters of 1983 in other shapes.
    (b"$@", Set::Jisx0208),
    (b"$(@", Set::Jisx0208),
    (b"$(B", Set::Jisx0208),
    (b"$(D", Set::Jisx0212),
    // JIS X 0213 of 2000 and, with ten more characters, of 2004.
    (b"$(O", Set::Jisx0213Plane1),
    (b"$(Q", Set::Jisx0213Plane1),
    (b"$(P", Set::Jisx0213Plane2),
    (b"$A", Set::Gb2312),
    (b"$(A", Set::Gb2312),
    (b"$(C", Set::Ksx1001),
    (b".A", Set::Latin1),
    (b".F", Set::Greek),
    // The edition of JIS X 0208 that the next escape means: 1990.
    (b"&@", Set::Nothing),
    // The announcers that RFC 1554 assumes.
    (b" A", Set::Nothing),
    (b" F", Set::Nothing),
    (b" Z", Set::Nothing),
];

/// The set that octets 21 to 7E stand for.
#[derive(Clone, Copy)]
enum G0 {
    Ascii,
    Roman,
    Katakana,
    Pairs(&'static Table),
}

/// The right half that a single shift takes one character of.
#[derive(Clone, Copy)]
enum G2 {
    Latin1,
    Greek,
}

pub(super) struct Iso2022JpCodec {
    variant: Variant,
    reading: Reading,
    roman_as_ascii: bool,
    /// What a text starts in, and a line after one that forgot to return.
    initial: G0,
    g0: G0,
    g2: Option<G2>,
    /// Between SO and SI: katakana.
    shifted: bool,
}

impl Iso2022JpCodec {
    pub(super) fn new(variant: Variant, reading: Reading, roman_as_ascii: bool) -> Self {
        let initial = match variant {
            Variant::Jisx0201 => G0::Roman,
            Variant::Jisx0208 => G0::Pairs(sets::jisx0208(reading)),
            Variant::Jisx0212 => G0::Pairs(sets::jisx0212(reading)),
            _ => G0::Ascii,
        };
        Iso2022JpCodec {
            variant,
            reading,
            roman_as_ascii,
            initial,
            g0: initial,
            g2: None,
            shifted: false,
        }
    }
}

impl Codec for Iso2022JpCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        sink.text.reserve(input.len() + input.len() / 2);
        let mut run = Run::new();
        let mut at = 0;
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            let taken = self.take(rest, &mut run);
            if taken > 0 && !run.is_full() {
                at += taken;
                continue;
            }
            run.flush(sink.text);
            at += match taken {
                0 => match self.one(rest, last, sink.base + at, sink) {
                    0 => break,
                    done => done,
                },
                taken => taken,
            };
        }
        run.flush(sink.text);
        at
    }
}

impl Iso2022JpCodec {
    /// What most text consists of: pairs, ASCII, and whole escapes.
    fn take(&mut self, input: &[u8], run: &mut Run) -> usize {
        match (input, self.g0) {
            ([ESC, after @ ..], _) => self.known_escape(after).map_or(0, |(set, length)| {
                self.designate(set);
                length
            }),
            (_, G0::Pairs(table)) if !self.shifted => {
                run.take_pairs(input, table, sets::GRAPHIC, false)
            }
            (_, G0::Ascii) if !self.shifted => {
                // A line that ends in ASCII has nothing to return from but G2.
                if self.g2.is_none() {
                    run.take_ascii(input, sets::SHIFTS)
                } else {
                    run.take_ascii(input, sets::SHIFTS_AND_LINE_ENDS)
                }
            }
            _ => 0,
        }
    }

    /// Everything else, damage above all: the number of octets that are decided, 0 for none.
    fn one(&mut self, input: &[u8], last: bool, offset: usize, sink: &mut Sink<'_>) -> usize {
        let Some((&first, after)) = input.split_first() else {
            return 0;
        };
        match first {
            ESC => return self.escape(after, last, offset, sink),
            SHIFT_OUT | SHIFT_IN if self.takes_shifts() => self.shifted = first == SHIFT_OUT,
            b'\r' | b'\n' => {
                self.end_line();
                sink.text.push(char::from(first));
            }
            0x21..=0x7E if self.shifted => katakana(first, offset, sink),
            0x21..=0x7E => match self.g0 {
                G0::Pairs(table) => return sets::pair(table, input, last, offset, sink),
                G0::Katakana => katakana(first, offset, sink),
                G0::Roman if !self.roman_as_ascii => sink.text.push(roman(first)),
                G0::Roman | G0::Ascii => sink.text.push(char::from(first)),
            },
            0x00..=0x7F => sink.text.push(char::from(first)),
            0x80.. => return self.eighth_bit(input, last, offset, sink),
        }
        1
    }

    /// RFC 1468: a line ends in ASCII or Roman, and the next starts in the same. RFC 1554:
    /// what G2 holds is gone at the end of the line.
    fn end_line(&mut self) {
        if matches!(self.g0, G0::Katakana | G0::Pairs(_)) {
            self.g0 = self.initial;
        }
        self.g2 = None;
        self.shifted = false;
    }

    /// ESC and `after`: the number of octets that are decided, 0 for none.
    fn escape(&mut self, after: &[u8], last: bool, offset: usize, sink: &mut Sink<'_>) -> usize {
        if let [b'N', rest @ ..] = after {
            match *rest {
                [octet @ 0x20..=0x7F, ..] => {
                    match self.g2.map(|set| set.character(octet)) {
                        Some(Some(character)) => sink.text.push(character),
                        _ => sink.replace(Kind::Malformed, offset, 3, "single shift to nothing"),
                    }
                    return 3;
                }
                [] if !last => return 0,
                _ => {}
            }
        }
        if !last && (after == b"N" || ESCAPES.iter().any(|(escape, _)| escape.starts_with(after))) {
            return 0;
        }
        self.g0 = self.initial;
        self.shifted = false;
        sink.replace(Kind::Malformed, offset, 1, sets::UNKNOWN_ESCAPE);
        1
    }

    /// The set that ESC and `after` designate, and how many octets say so.
    fn known_escape(&self, after: &[u8]) -> Option<(Set, usize)> {
        ESCAPES
            .iter()
            .find(|(escape, set)| after.starts_with(escape) && self.takes(*set))
            .map(|(escape, set)| (*set, 1 + escape.len()))
    }

    fn designate(&mut self, set: Set) {
        self.g0 = match set {
            Set::Ascii => G0::Ascii,
            Set::Roman => G0::Roman,
            Set::Katakana => G0::Katakana,
            Set::Jisx0208 => G0::Pairs(sets::jisx0208(match self.variant {
                // Registered with the tables of Windows.
                Variant::Microsoft => Reading::AsPractised,
                _ => self.reading,
            })),
            Set::Jisx0212 => G0::Pairs(sets::jisx0212(self.reading)),
            Set::Jisx0213Plane1 => G0::Pairs(jisx0213::plane1()),
            Set::Jisx0213Plane2 => G0::Pairs(jisx0213::plane2()),
            Set::Gb2312 => G0::Pairs(sets::gb2312(self.reading)),
            Set::Ksx1001 => G0::Pairs(sets::ksx1001()),
            Set::Latin1 => return self.g2 = Some(G2::Latin1),
            Set::Greek => return self.g2 = Some(G2::Greek),
            Set::Nothing => return,
        };
        self.shifted = false;
    }

    /// Whether the charset has the set: every one as practised, its own as registered.
    fn takes(&self, set: Set) -> bool {
        if self.reading == Reading::AsPractised {
            return true;
        }
        match set {
            Set::Ascii | Set::Roman | Set::Jisx0208 | Set::Nothing => {
                self.variant.starts_in_ascii()
            }
            Set::Jisx0212 => matches!(
                self.variant,
                Variant::Jp1 | Variant::Jp2 | Variant::Microsoft
            ),
            Set::Gb2312 | Set::Ksx1001 | Set::Latin1 | Set::Greek => self.variant == Variant::Jp2,
            Set::Katakana => matches!(self.variant, Variant::Microsoft | Variant::Jp2004),
            Set::Jisx0213Plane1 | Set::Jisx0213Plane2 => self.variant == Variant::Jp2004,
        }
    }

    fn takes_shifts(&self) -> bool {
        self.reading == Reading::AsPractised
            || matches!(self.variant, Variant::Microsoft | Variant::Jisx0201)
    }

    /// Octets above 7F: katakana, and pairs where the charset is a single set of pairs.
    fn eighth_bit(&self, input: &[u8], last: bool, offset: usize, sink: &mut Sink<'_>) -> usize {
        let practised = self.reading == Reading::AsPractised;
        if let (Variant::Jisx0208 | Variant::Jisx0212, G0::Pairs(table), true) =
            (self.variant, self.initial, practised)
        {
            return match *input {
                [lead @ 0xA1..=0xFE, trail @ 0xA1..=0xFE, ..] => {
                    if !table.put(lead & 0x7F, trail & 0x7F, sink.text) {
                        sink.replace(Kind::Malformed, offset, 2, sets::NO_CHARACTER);
                    }
                    2
                }
                [0xA1..=0xFE] if !last => 0,
                _ => {
                    sink.replace(Kind::Malformed, offset, 1, sets::HALF);
                    1
                }
            };
        }
        let octet = input.first().copied().unwrap_or_default();
        let takes = practised || matches!(self.variant, Variant::Microsoft | Variant::Jisx0201);
        match pairs::katakana(octet) {
            Some(character) if takes => sink.text.push(character),
            _ => sink.replace(Kind::Malformed, offset, 1, sets::EIGHTH_BIT),
        }
        1
    }
}

impl G2 {
    fn character(self, octet: u8) -> Option<char> {
        match self {
            G2::Latin1 => Some(char::from(octet | 0x80)),
            G2::Greek => web::lossy(Web::Iso8859_7, &[octet | 0x80])
                .chars()
                .next()
                .filter(|&character| character != char::REPLACEMENT_CHARACTER),
        }
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

/// JIS X 0201 katakana in the left half.
fn katakana(octet: u8, offset: usize, sink: &mut Sink<'_>) {
    match pairs::katakana(octet | 0x80) {
        Some(character) => sink.text.push(character),
        None => sink.replace(Kind::Malformed, offset, 1, sets::NO_CHARACTER),
    }
}
