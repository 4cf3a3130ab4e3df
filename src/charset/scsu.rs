//! SCSU, the Standard Compression Scheme for Unicode (Unicode Technical Standard #6).
//!
//! In single-byte mode an octet above 7F is a character in one of eight windows. A window has 128
//! characters, and tags move it. In Unicode mode two octets are a unit of UTF-16. Each of these
//! becomes one U+FFFD: a reserved tag, a tag with a reserved window (both octets), and a tag
//! truncated at the end. One octet expands to at most four octets of UTF-8.

use super::codec::{Codec, Sink, one_by_one};
use super::utf16::CodeUnits;

#[derive(Clone)]
pub(super) struct ScsuCodec {
    unicode_mode: bool,
    active: usize,
    /// The starts of the dynamic windows.
    windows: [u32; 8],
    units: CodeUnits,
}

/// The starts of the static windows (UTS #6, table 4).
const STATIC: [u32; 8] = [
    0x0000, 0x0080, 0x0100, 0x0300, 0x2000, 0x2080, 0x2100, 0x3000,
];

/// The initial starts of the dynamic windows (UTS #6, table 5).
const DYNAMIC: [u32; 8] = [
    0x0080, 0x00C0, 0x0400, 0x0600, 0x0900, 0x3040, 0x30A0, 0xFF00,
];

/// The start of a window defined with this octet (UTS #6, table 3).
fn window(octet: u8) -> Option<u32> {
    let index = u32::from(octet);
    Some(match octet {
        0x01..=0x67 => index * 0x80,
        0x68..=0xA7 => index * 0x80 + 0xAC00,
        0xF9 => 0x00C0,
        0xFA => 0x0250,
        0xFB => 0x0370,
        0xFC => 0x0530,
        0xFD => 0x3040,
        0xFE => 0x30A0,
        0xFF => 0xFF60,
        0x00 | 0xA8..=0xF8 => return None,
    })
}

/// A tag, with its number if there are several of the kind.
enum ScsuTag {
    /// SQ0 to SQ7: quotes one character of a window.
    Quote(usize),
    /// SQU, UQU: quotes one unit of UTF-16.
    QuoteUnicode,
    /// SC0 to SC7, UC0 to UC7: makes another window active.
    Change(usize),
    /// SD0 to SD7, UD0 to UD7: moves a window and makes it active.
    Define(usize),
    /// SDX, UDX: like `Define`, beyond the Basic Multilingual Plane.
    DefineExtended,
    /// SCU: switches to Unicode mode.
    ChangeToUnicode,
    Reserved,
}

/// The tag of single-byte mode; `None` if the octet is a character.
fn tag(octet: u8) -> Option<ScsuTag> {
    let number = usize::from(octet & 7);
    Some(match octet {
        0x01..=0x08 => ScsuTag::Quote(usize::from(octet - 1)),
        0x0B => ScsuTag::DefineExtended,
        0x0C => ScsuTag::Reserved,
        0x0E => ScsuTag::QuoteUnicode,
        0x0F => ScsuTag::ChangeToUnicode,
        0x10..=0x17 => ScsuTag::Change(number),
        0x18..=0x1F => ScsuTag::Define(number),
        0x00 | 0x09 | 0x0A | 0x0D | 0x20.. => return None,
    })
}

/// The tag of Unicode mode; `None` if the octet begins a unit.
fn unicode_tag(octet: u8) -> Option<ScsuTag> {
    let number = usize::from(octet & 7);
    Some(match octet {
        0xE0..=0xE7 => ScsuTag::Change(number),
        0xE8..=0xEF => ScsuTag::Define(number),
        0xF0 => ScsuTag::QuoteUnicode,
        0xF1 => ScsuTag::DefineExtended,
        0xF2 => ScsuTag::Reserved,
        0x00..=0xDF | 0xF3.. => return None,
    })
}

impl ScsuCodec {
    pub(super) fn new() -> Self {
        ScsuCodec {
            unicode_mode: false,
            active: 0,
            windows: DYNAMIC,
            units: CodeUnits::default(),
        }
    }

    /// Decodes the character or tag at the start of `input`, which is not empty. Returns its
    /// length, 0 if more input is needed.
    fn decode_one(&mut self, input: &[u8], sink: &mut Sink<'_>) -> usize {
        let first = input.first().copied().unwrap_or_default();
        let found = if self.unicode_mode {
            unicode_tag(first)
        } else {
            tag(first)
        };
        match (found, input) {
            (None, &[high, low, ..]) if self.unicode_mode => self.unit([high, low], 2, sink),
            (None, _) if self.unicode_mode => 0,
            (None, _) => {
                let value = match first {
                    0x80.. => windowed(&self.windows, self.active, first),
                    _ => u32::from(first),
                };
                self.character(value, 1, sink)
            }
            (Some(ScsuTag::Reserved), _) => self.malformed("reserved tag", 1, sink),
            (Some(ScsuTag::ChangeToUnicode), _) => {
                self.unicode_mode = true;
                1
            }
            (Some(ScsuTag::Change(number)), _) => {
                self.unicode_mode = false;
                self.active = number;
                1
            }
            (Some(ScsuTag::Quote(number)), &[_, octet, ..]) => {
                let windows = if octet < 0x80 { &STATIC } else { &self.windows };
                let value = windowed(windows, number, octet);
                self.character(value, 2, sink)
            }
            (Some(ScsuTag::Define(number)), &[_, octet, ..]) => match window(octet) {
                Some(start) => {
                    self.define(number, start);
                    2
                }
                // NUL is text, which no tag may hide.
                None if octet == 0 => self.malformed("tag with a reserved window", 1, sink),
                None => self.malformed("tag with a reserved window", 2, sink),
            },
            (Some(ScsuTag::QuoteUnicode), &[_, high, low, ..]) => self.unit([high, low], 3, sink),
            (Some(ScsuTag::DefineExtended), &[_, high, low, ..]) => {
                let index = u32::from(u16::from_be_bytes([high & 0x1F, low]));
                self.define(usize::from(high >> 5), 0x1_0000 + index * 0x80);
                3
            }
            (Some(_), _) => 0,
        }
    }

    fn define(&mut self, number: usize, start: u32) {
        self.unicode_mode = false;
        self.active = number;
        if let Some(window) = self.windows.get_mut(number) {
            *window = start;
        }
    }

    fn unit(&mut self, octets: [u8; 2], length: usize, sink: &mut Sink<'_>) -> usize {
        self.character(u16::from_be_bytes(octets).into(), length, sink)
    }

    fn character(&mut self, value: u32, length: usize, sink: &mut Sink<'_>) -> usize {
        if let Ok(unit) = u16::try_from(value) {
            self.units.push(unit, sink.base, length, sink);
        } else {
            self.units.finish(sink);
            // No window extends beyond U+10FFFF.
            sink.text.extend(char::from_u32(value));
        }
        length
    }

    fn malformed(&mut self, what: &'static str, length: usize, sink: &mut Sink<'_>) -> usize {
        self.units.finish(sink);
        sink.malformed(length, what)
    }
}

/// The character of a window. Octets 80 to FF count from the start of the window, as octets 00 to
/// 7F do.
fn windowed(windows: &[u32; 8], number: usize, octet: u8) -> u32 {
    windows.get(number).copied().unwrap_or_default() + u32::from(octet & 0x7F)
}

impl Codec for ScsuCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        sink.text.reserve(input.len());
        let at = one_by_one(input, sink, |rest, sink| {
            match self.decode_one(rest, sink) {
                0 if last => self.malformed("truncated at the end", rest.len(), sink),
                length => length,
            }
        });
        if last {
            self.units.finish(sink);
        }
        at
    }

    /// The mode, the active window, and the definition of each moved window.
    fn state(&self) -> Option<u128> {
        let windows = self.windows.iter().zip(DYNAMIC).rev();
        let moved = windows.map(|(&start, default)| match start {
            _ if start == default => Some(0),
            0x1_0000.. => Some(EXTENDED + u128::from((start - 0x1_0000) / 0x80)),
            _ => (1..=u8::MAX)
                .find(|&octet| window(octet) == Some(start))
                .map(u128::from),
        });
        let moved = moved.reduce(|all, one| Some(all? << MOVED | one?))??;
        let active = self.active as u128;
        (!self.units.has_pending())
            .then_some(moved << 4 | active << 1 | u128::from(self.unicode_mode))
    }

    fn resume(&mut self, state: u128) {
        self.unicode_mode = state & 1 != 0;
        self.active = usize::try_from(state >> 1 & 7).unwrap_or_default();
        for (place, start) in self.windows.iter_mut().enumerate() {
            let moved = state >> (4 + MOVED * place) & ((1 << MOVED) - 1);
            let by_octet = u8::try_from(moved).ok().and_then(window);
            let index = moved.checked_sub(EXTENDED).filter(|&index| index < 1 << 13);
            let index = index.and_then(|index| u32::try_from(index).ok());
            let extended = index.map(|index| 0x1_0000 + index * 0x80);
            *start = by_octet.or(extended).unwrap_or(*start);
        }
    }
}

/// Bits in a state for a window's definition: an octet, or a thirteen-bit number and a flag.
const MOVED: usize = 14;
const EXTENDED: u128 = 0x100;
