//! ISCII (IS 13194:1991): the scripts of India in one set of octets.
//!
//! The letters of all scripts go by their sound, and a script is what they are shown in: that of
//! the label at the beginning of each line, or the one that a switch names (ATR, EF, and an octet
//! from 42 for Devanagari to 4B for Gurmukhi; 40 is the label's again). The other octets after
//! ATR say how text looks, bold or in italics, and are no text.
//!
//! `tables/indic.txt` has the letters of each script. Octets that mean something together:
//!
//! - a letter and the nukta (E9): the letter with the dot, where Unicode has it as one;
//! - halant and halant, halant and nukta: the visible and the soft halant, in Unicode the virama
//!   with U+200C or U+200D (The Unicode Standard, chapter 12);
//! - danda and danda: the double danda; danda and nukta: the avagraha;
//! - EXT (F0) and B8 or BF: the anudatta and the abbreviation sign of Devanagari.
//!
//! In Gurmukhi the anusvara is written as tippi or as bindi, and a consonant that is sent twice as
//! addak and the consonant: ISCII leaves that to whoever shows the text, and Unicode does not.
//!
//! Where a script lacks a letter that others have, its nearest letter is read, as Microsoft's
//! programs do, with a finding; [`Options::as_registered`](crate::Options::as_registered) reads none. Left out: Roman letters
//! (ATR 41) and the Perso-Arabic scripts (ATR 71 to 76), which have tables of their own.

use super::codec::{Codec, Sink};
use super::reading::Reading;
use super::single_byte::{self, ByteTable, SingleByte};
use crate::report::Kind;

/// The letters of each script, and its letters with a nukta, in the order of their octets from
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

/// The sets of the script that this octet after ATR names.
fn sets_of(script: u8) -> Option<(SingleByte, SingleByte)> {
    let place = usize::from(script.checked_sub(DEVANAGARI)?);
    SCRIPTS.get(place).copied()
}

/// The script switch.
const ATR: u8 = 0xEF;
/// After ATR: the script of the label.
const DEFAULT: u8 = 0x40;
/// After ATR: the first and the last of the scripts.
const DEVANAGARI: u8 = 0x42;
const GURMUKHI: u8 = 0x4B;
const EXT: u8 = 0xF0;
const HALANT: u8 = 0xE8;
const NUKTA: u8 = 0xE9;
const DANDA: u8 = 0xEA;
const ANUSVARA: u8 = 0xA2;

/// No more octets than these are looked at together.
const TOGETHER: usize = 3;

/// The script of the place, and what was noticed on the way.
#[derive(Clone)]
pub(super) struct IsciiCodec {
    /// Scripts by their octets after ATR.
    default: u8,
    script: u8,
    reading: Reading,
    letters: &'static ByteTable,
    with_nukta: &'static ByteTable,
    /// Whether an anusvara here is written as a tippi.
    takes_tippi: bool,
    /// Where the first letter stood that its script lacks, and how many there were.
    nearest: Option<usize>,
    nearest_count: usize,
}

impl IsciiCodec {
    pub(super) fn new(default: u8, reading: Reading) -> Self {
        let (letters, with_nukta) = sets_of(default).unwrap_or(SCRIPTS[0]);
        IsciiCodec {
            default,
            script: default,
            reading,
            letters: letters.read(reading).table(),
            with_nukta: with_nukta.table(),
            takes_tippi: false,
            nearest: None,
            nearest_count: 0,
        }
    }

    fn switch(&mut self, script: u8) {
        if script != self.script
            && let Some((letters, with_nukta)) = sets_of(script)
        {
            self.script = script;
            self.letters = letters.read(self.reading).table();
            self.with_nukta = with_nukta.table();
        }
    }

    /// Appends what stands at the start of `octets`, at `offset`; returns how many octets that is.
    fn one(&mut self, octets: &[u8], offset: usize, sink: &mut Sink<'_>) -> usize {
        const UNASSIGNED: &str = "octet that the charset leaves unassigned";
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
                    sink.replace(Kind::Malformed, offset, length, what);
                    length
                }
            },
            [EXT, 0xB8, ..] if is_devanagari => self.push_as('\u{952}', 2, sink),
            [EXT, 0xBF, ..] if is_devanagari => self.push_as('\u{970}', 2, sink),
            [DANDA, DANDA, ..] => self.push_as('\u{965}', 2, sink),
            // A and the sign of the short e: the short a, which Unicode has as one.
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
                self.letter(consonant, offset, sink);
                TOGETHER
            }
            // Rha is written as rra with a ha below.
            [0xC0, NUKTA, ..] if self.script == GURMUKHI => {
                sink.text.push_str("\u{A5C}\u{A4D}");
                self.push_as('\u{A39}', 2, sink)
            }
            [octet, NUKTA, ..] if self.with_nukta.character(octet).is_some() => {
                let character = self.with_nukta.character(octet);
                self.push_as(character.unwrap_or_default(), 2, sink)
            }
            [ANUSVARA, ..] if self.takes_tippi => self.push_as('\u{A70}', 1, sink),
            // What is written below a letter is no letter of its own.
            [NUKTA, ..] if self.takes_tippi => {
                sink.text.extend(self.letters.character(NUKTA));
                1
            }
            [octet, ..] => {
                if !self.letter(octet, offset, sink) {
                    self.takes_tippi = false;
                    sink.replace(Kind::Malformed, offset, 1, UNASSIGNED);
                }
                1
            }
            [] => 0,
        }
    }

    /// Does what the octet after ATR says; else how many octets are malformed, and as what.
    fn attribute(&mut self, attribute: u8) -> Result<(), (usize, &'static str)> {
        match attribute {
            DEFAULT => self.switch(self.default),
            // Bold, italics and their like, and what was left free beside them.
            0x21..=0x3F => {}
            0x41 | 0x71..=0x76 => return Err((2, "switch to a script that is not decoded")),
            DEVANAGARI..=GURMUKHI => self.switch(attribute),
            _ => return Err((1, "script switch to nothing")),
        }
        self.takes_tippi = false;
        Ok(())
    }

    /// Appends the letter of one octet, where it has one.
    fn letter(&mut self, octet: u8, offset: usize, sink: &mut Sink<'_>) -> bool {
        let Some(character) = self.letters.character(octet) else {
            return false;
        };
        if self.letters.is_beyond(octet) {
            self.nearest.get_or_insert(offset);
            self.nearest_count += 1;
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

/// Whether the anusvara behind a character of Gurmukhi is written as a tippi: behind a consonant
/// whose vowel is a, i, u or uu, and behind the letters a and i.
fn takes_tippi(character: char) -> bool {
    matches!(
        character,
        '\u{A05}' | '\u{A07}' | '\u{A15}'..='\u{A39}' | '\u{A3F}' | '\u{A41}' | '\u{A42}'
            | '\u{A59}'..='\u{A5E}'
    )
}

impl Codec for IsciiCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        let mut at = 0;
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            let is_ascii = rest.first().is_some_and(u8::is_ascii);
            if !last && !is_ascii && rest.len() < TOGETHER {
                break;
            }
            at += self.one(rest, sink.base + at, sink);
        }
        if last {
            single_byte::tell_practised(self.nearest, self.nearest_count, sink);
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
