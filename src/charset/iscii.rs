//! ISCII (IS 13194:1991): the scripts of India in one set of octets.
//!
//! All scripts share the letters, which represent sounds; the script determines their glyphs. Each
//! line begins in the script of the label. A switch selects another (ATR, EF, and an octet from 42
//! for Devanagari to 4B for Gurmukhi; 40 restores the script of the label). Other octets after ATR
//! are style, such as bold or italics, and are not text.
//!
//! `tables/indic.txt` has the letters of each script. Combinations:
//!
//! - a letter and the nukta (E9): the dotted letter, if Unicode has it as one character;
//! - halant and halant, halant and nukta: the visible and the soft halant, in Unicode the virama
//!   with U+200C or U+200D (The Unicode Standard, chapter 12);
//! - danda and danda: the double danda; danda and nukta: the avagraha;
//! - EXT (F0) and B8 or BF: the anudatta and the abbreviation sign of Devanagari.
//!
//! In Gurmukhi the anusvara is written as tippi or bindi, and a doubled consonant as addak and the
//! consonant. ISCII leaves this choice to the display program; Unicode has separate characters.
//!
//! If a script lacks a letter, the nearest letter of the script is used, as in Microsoft's
//! programs, with a finding. With [`Options::as_registered`](crate::Options::as_registered) no
//! nearest letter is used. Not decoded: Roman letters (ATR 41) and the Perso-Arabic scripts (ATR 71
//! to 76), which have tables of their own.

use super::codec::{Codec, Sink, one_by_one};
use super::single_byte::{ByteTable, SingleByte, UNASSIGNED_OCTET};
use super::usage::{PractisedOctets, Usage};

/// The letters of each script, and its letters with a nukta, in order of their octets from
/// [`DEVANAGARI`].
const SCRIPTS: [(SingleByte, SingleByte); 10] = {
    const fn sets(letters: &str, with_nukta: &str) -> (SingleByte, SingleByte) {
        (SingleByte::named(letters), SingleByte::named(with_nukta))
    }
    [
        sets("x-iscii-de", "x-iscii-de-nukta"),
        sets("x-iscii-be", "x-iscii-be-nukta"),
        sets("x-iscii-ta", "x-iscii-ta-nukta"),
        sets("x-iscii-te", "x-iscii-te-nukta"),
        sets("x-iscii-as", "x-iscii-be-nukta"),
        sets("x-iscii-or", "x-iscii-or-nukta"),
        sets("x-iscii-ka", "x-iscii-ka-nukta"),
        sets("x-iscii-ma", "x-iscii-ma-nukta"),
        sets("x-iscii-gu", "x-iscii-gu-nukta"),
        sets("x-iscii-pa", "x-iscii-pa-nukta"),
    ]
};

/// The sets of the script that this octet selects after ATR.
fn sets_of(script: u8) -> Option<(SingleByte, SingleByte)> {
    let place = usize::from(script.checked_sub(DEVANAGARI)?);
    SCRIPTS.get(place).copied()
}

/// Attribute: switches script or style.
const ATR: u8 = 0xEF;
/// After ATR: back to the script of the label.
const DEFAULT: u8 = 0x40;
/// After ATR: the first and the last script.
const DEVANAGARI: u8 = 0x42;
const GURMUKHI: u8 = 0x4B;
const EXT: u8 = 0xF0;
const HALANT: u8 = 0xE8;
const NUKTA: u8 = 0xE9;
const DANDA: u8 = 0xEA;
const ANUSVARA: u8 = 0xA2;

/// The maximum number of octets in a combination.
const MAX_COMBINED: usize = 3;

/// Decoder state: the current script and the nearest letters used so far.
#[derive(Clone)]
pub(super) struct IsciiCodec {
    /// Scripts by their octet after ATR.
    default: u8,
    script: u8,
    usage: Usage,
    letters: &'static ByteTable,
    with_nukta: &'static ByteTable,
    /// Whether an anusvara at this point is written as a tippi.
    takes_tippi: bool,
    /// The letters that their script lacks.
    nearest: PractisedOctets,
}

impl IsciiCodec {
    pub(super) fn new(default: u8, usage: Usage) -> Self {
        let (letters, with_nukta) = sets_of(default).unwrap_or(SCRIPTS[0]);
        IsciiCodec {
            default,
            script: default,
            usage,
            letters: letters.read(usage).table(),
            with_nukta: with_nukta.table(),
            takes_tippi: false,
            nearest: PractisedOctets::default(),
        }
    }

    fn switch(&mut self, script: u8) {
        if script != self.script
            && let Some((letters, with_nukta)) = sets_of(script)
        {
            self.script = script;
            self.letters = letters.read(self.usage).table();
            self.with_nukta = with_nukta.table();
        }
    }

    /// Appends the character at the start of `octets`. Returns its number of octets.
    fn decode_one(&mut self, octets: &[u8], sink: &mut Sink<'_>) -> usize {
        let is_devanagari = self.script == DEVANAGARI;
        match *octets {
            [octet, ..] if octet.is_ascii() => {
                if matches!(octet, b'\r' | b'\n') {
                    self.switch(self.default);
                }
                self.push(char::from(octet), sink);
                1
            }
            [ATR, attribute, ..] => match self.attribute(attribute) {
                Ok(()) => 2,
                Err((length, what)) => {
                    self.takes_tippi = false;
                    sink.malformed(length, what)
                }
            },
            [EXT, 0xB8, ..] if is_devanagari => self.push_as('\u{952}', 2, sink),
            [EXT, 0xBF, ..] if is_devanagari => self.push_as('\u{970}', 2, sink),
            [DANDA, DANDA, ..] => self.push_as('\u{965}', 2, sink),
            // A and the sign of the short e: the short a, one character in Unicode.
            [0xA4, 0xE0, ..] if is_devanagari => self.push_as('\u{904}', 2, sink),
            [HALANT, again @ (HALANT | NUKTA), ..] => {
                let joiner = if again == HALANT {
                    '\u{200C}'
                } else {
                    '\u{200D}'
                };
                sink.text.extend(self.letters.character(HALANT));
                self.push_as(joiner, 2, sink)
            }
            [consonant, HALANT, again, ..]
                if consonant == again && self.is_gurmukhi_consonant(consonant) =>
            {
                sink.text.push('\u{A71}');
                self.letter(consonant, sink);
                MAX_COMBINED
            }
            // Rha is written as rra with a ha below it.
            [0xC0, NUKTA, ..] if self.script == GURMUKHI => {
                sink.text.push_str("\u{A5C}\u{A4D}");
                self.push_as('\u{A39}', 2, sink)
            }
            [octet, NUKTA, ..] if self.with_nukta.character(octet).is_some() => {
                let character = self.with_nukta.character(octet);
                self.push_as(character.unwrap_or_default(), 2, sink)
            }
            [ANUSVARA, ..] if self.takes_tippi => self.push_as('\u{A70}', 1, sink),
            // Below a letter, the nukta is a sign.
            [NUKTA, ..] if self.takes_tippi => {
                sink.text.extend(self.letters.character(NUKTA));
                1
            }
            [octet, ..] if self.letter(octet, sink) => 1,
            [_, ..] => {
                self.takes_tippi = false;
                sink.malformed(1, UNASSIGNED_OCTET)
            }
            [] => 0,
        }
    }

    /// Applies the octet after ATR, or returns the number of malformed octets and the reason.
    fn attribute(&mut self, attribute: u8) -> Result<(), (usize, &'static str)> {
        match attribute {
            DEFAULT => self.switch(self.default),
            // Style, such as bold and italics, and codes reserved for it.
            0x21..=0x3F => {}
            0x41 | 0x71..=0x76 => return Err((2, "switch to a script that is not decoded")),
            DEVANAGARI..=GURMUKHI => self.switch(attribute),
            _ => return Err((1, "switch to an undefined script")),
        }
        self.takes_tippi = false;
        Ok(())
    }

    /// Appends the letter of one octet, if it has one.
    fn letter(&mut self, octet: u8, sink: &mut Sink<'_>) -> bool {
        let Some(character) = self.letters.character(octet) else {
            return false;
        };
        if self.letters.is_practised_only(octet) {
            self.nearest.add(sink.base, 1);
        }
        self.push(character, sink);
        true
    }

    fn push(&mut self, character: char, sink: &mut Sink<'_>) {
        self.takes_tippi = takes_tippi(character);
        sink.text.push(character);
    }

    fn push_as(&mut self, character: char, length: usize, sink: &mut Sink<'_>) -> usize {
        self.push(character, sink);
        length
    }

    fn is_gurmukhi_consonant(&self, octet: u8) -> bool {
        let letter = self.letters.character(octet);
        letter.is_some_and(|letter| ('\u{A15}'..='\u{A39}').contains(&letter))
    }
}

/// Whether the anusvara after a Gurmukhi character is written as a tippi: after a consonant with the
/// vowel a, i, u or uu, and after the letters a and i.
fn takes_tippi(character: char) -> bool {
    matches!(
        character,
        '\u{A05}' | '\u{A07}' | '\u{A15}'..='\u{A39}' | '\u{A3F}' | '\u{A41}' | '\u{A42}'
            | '\u{A59}'..='\u{A5E}'
    )
}

impl Codec for IsciiCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let at = one_by_one(input, sink, |rest, sink| match *rest {
            [0x80..=0xFF, ..] if !last && rest.len() < MAX_COMBINED => 0,
            _ => self.decode_one(rest, sink),
        });
        if last {
            self.nearest.report(sink.report);
        }
        at
    }

    fn state(&self) -> Option<u128> {
        let switched = if self.script == self.default {
            0
        } else {
            self.script
        };
        Some(u128::from(switched) << 1 | u128::from(self.takes_tippi))
    }

    fn resume(&mut self, state: u128) {
        let switched = u8::try_from(state >> 1).unwrap_or_default();
        self.switch(if switched == 0 {
            self.default
        } else {
            switched
        });
        self.takes_tippi = state & 1 != 0;
    }
}
