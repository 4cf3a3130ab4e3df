//! UTF-7 (RFC 2152, and RFC 1642 before it), and IMAP mailbox names (RFC 3501, section 5.1.3),
//! which are UTF-7 with `&` for `+` and `,` for `/`.
//!
//! UTF-7 can encode any text in letters, and changes the meaning of ASCII with a plus sign. So it is
//! decoded only under its label, never detected.
//!
//! Any octet outside the alphabet, even an equals sign, ends a run of base64, and a hyphen that
//! ends a run is dropped (RFC 2152). Forbidden but unambiguous forms are decoded and reported:
//! octets that should have been in a run, and shifts that IMAP does not allow. Markup in a run is
//! reported: programs that encode set O may put it there, and so do attackers, to hide it. A plus
//! sign without a run, and leftover bits at the end of a run, become one U+FFFD each; no octet of
//! text is lost. Three octets of base64 expand to at most three octets of UTF-8.

use super::codec::{Codec, Sink};
use super::pairs;
use super::utf16::CodeUnits;
use crate::report::Kind;

/// The document that defines the text's form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Mail,
    Imap,
}

impl Dialect {
    /// The octet that begins a run.
    fn shift(self) -> u8 {
        match self {
            Dialect::Mail => b'+',
            Dialect::Imap => b'&',
        }
    }

    /// Whether an octet may represent itself: sets D and O and rule 3 of RFC 2152, or the printable
    /// ASCII of RFC 3501.
    fn is_direct(self, octet: u8) -> bool {
        match self {
            Dialect::Mail => match octet {
                b'+' | b'\\' | b'~' => false,
                0x20..=0x7E | b'\t' | b'\r' | b'\n' => true,
                _ => false,
            },
            Dialect::Imap => matches!(octet, 0x20..=0x7E) && octet != b'&',
        }
    }

    /// The value of a base64 digit, or [`NO_LETTER`].
    #[inline]
    fn sextet(self, octet: u8) -> u8 {
        match (self, octet) {
            (Dialect::Imap, b',') => sextet(b'/'),
            (Dialect::Imap, b'/') => NO_LETTER,
            _ => sextet(octet),
        }
    }
}

/// The value for an octet outside the base64 alphabet. The values of letters do not have this bit.
pub(crate) const NO_LETTER: u8 = 64;

/// The value of a letter of the base64 alphabet (RFC 2045, section 6.8, table 1), or [`NO_LETTER`].
#[inline]
pub(crate) fn sextet(octet: u8) -> u8 {
    #[expect(
        clippy::indexing_slicing,
        reason = "runs at compile time, where a mistake is a build error"
    )]
    static VALUES: [u8; 256] = {
        let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut values = [NO_LETTER; 256];
        let mut value = 0;
        while value < NO_LETTER {
            values[alphabet[value as usize] as usize] = value;
            value += 1;
        }
        values
    };
    VALUES.get(usize::from(octet)).copied().unwrap_or(NO_LETTER)
}

#[derive(Clone)]
pub(super) struct Utf7Codec {
    dialect: Dialect,
    run: Option<Utf7Run>,
    units: CodeUnits,
    /// Whether the hyphen of the last run was just consumed.
    run_just_ended: bool,
    /// Whether encoded markup was already reported: one finding covers the text.
    has_markup: bool,
}

/// An open run of base64.
#[derive(Clone, Copy)]
struct Utf7Run {
    /// The offset of its shift.
    start: usize,
    /// Whether no digit has followed the shift yet.
    is_empty: bool,
    /// Bits of an incomplete unit, at most fifteen, and their number.
    bits: u32,
    count: u32,
}

impl Utf7Run {
    /// A run with its shift at `start`.
    fn new(start: usize) -> Self {
        Utf7Run {
            start,
            is_empty: true,
            bits: 0,
            count: 0,
        }
    }

    /// The offset of the octet that has the first bit of the incomplete unit. The last octet of the
    /// unit is directly before `offset`.
    fn from(&self, offset: usize) -> usize {
        offset - self.count.div_ceil(6) as usize
    }

    /// Appends six bits. Returns the unit that they complete.
    fn push(&mut self, sextet: u8) -> Option<u16> {
        self.is_empty = false;
        self.bits = self.bits << 6 | u32::from(sextet);
        self.count += 6;
        let left = self.count.checked_sub(16)?;
        // Fits: masked to sixteen bits.
        let unit = u16::try_from(self.bits >> left & 0xFFFF).ok();
        self.bits &= (1 << left) - 1;
        self.count = left;
        unit
    }
}

impl Utf7Codec {
    pub(super) fn new(dialect: Dialect) -> Self {
        Utf7Codec {
            dialect,
            run: None,
            units: CodeUnits::default(),
            run_just_ended: false,
            has_markup: false,
        }
    }
}

/// Concatenates the lower six bits of each of eight octets.
fn joined(sextets: [u8; 8]) -> u64 {
    // Join the bits of pairs of octets, then of four octets, then of all eight.
    let bits = u64::from_be_bytes(sextets);
    let bits = bits >> 2 & 0x0FC0_0FC0_0FC0_0FC0 | bits & 0x003F_003F_003F_003F;
    let bits = bits >> 4 & 0x00FF_F000_00FF_F000 | bits & 0x0000_0FFF_0000_0FFF;
    bits >> 8 & 0xFFFF_FF00_0000 | bits & 0x00FF_FFFF
}

/// Whether the last `count` bits of a run are only padding: fewer than six, all zero (RFC 2152, rule
/// 2).
fn is_padding(bits: u64, count: u32) -> bool {
    count < 6 && bits == 0
}

/// Whether a character can be part of a tag, attribute or entity. All of these may represent
/// themselves (RFC 2152, sets D and O).
fn is_markup(unit: u16) -> bool {
    const MARKUP: u64 = {
        let (mut all, mut at) = (0, 0);
        let characters = b"<>&\"'=";
        while at < characters.len() {
            #[expect(clippy::indexing_slicing, reason = "runs at compile time")]
            let bit = characters[at] as u64;
            all |= 1 << bit;
            at += 1;
        }
        all
    };
    unit < 64 && MARKUP >> unit & 1 != 0
}

impl Codec for Utf7Codec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        sink.text.reserve(input.len());
        let mut text = pairs::Run::new();
        let mut at = 0;
        while let Some(rest) = input.get(at..)
            && let Some(&octet) = rest.first()
        {
            let offset = sink.base + at;
            let taken = match self.run {
                Some(run) => self.decode_run(run, rest, &mut text),
                None if octet == self.dialect.shift() => {
                    self.run = Some(Utf7Run::new(offset));
                    Some(1)
                }
                None => self.decode_direct(rest, &mut text),
            };
            if taken.is_none() || text.is_full() {
                text.flush(sink.text);
            }
            at += taken.unwrap_or_else(|| usize::from(self.decode_octet(octet, offset, sink)));
        }
        text.flush(sink.text);
        if last && let Some(run) = self.run {
            let end = sink.base + at;
            self.end_run(run, None, end, sink);
        }
        at
    }

    fn state(&self) -> Option<u128> {
        let is_between =
            |run: &Utf7Run| run.count == 0 && !run.is_empty && !self.units.has_pending();
        let flags = [self.run.is_some(), self.run_just_ended, self.has_markup];
        let number = flags
            .iter()
            .rev()
            .fold(0, |all, &flag| all << 1 | u128::from(flag));
        self.run.as_ref().is_none_or(is_between).then_some(number)
    }

    fn resume(&mut self, state: u128) {
        self.run = (state & 1 != 0).then(|| Utf7Run {
            is_empty: false,
            ..Utf7Run::new(0)
        });
        self.run_just_ended = state & 2 != 0;
        self.has_markup = state & 4 != 0;
    }
}

impl Utf7Codec {
    /// Appends octets that represent themselves, as many as fit. Returns their number, if any.
    fn decode_direct(&mut self, input: &[u8], text: &mut pairs::Run) -> Option<usize> {
        let dialect = self.dialect;
        let taken = text.take_while(input, |octet| dialect.is_direct(octet));
        (taken > 0).then(|| {
            self.run_just_ended = false;
            taken
        })
    }

    /// Decodes an octet outside the fast paths. Returns whether it was consumed. An octet that ends a
    /// run is text, except for the hyphen.
    fn decode_octet(&mut self, octet: u8, offset: usize, sink: &mut Sink<'_>) -> bool {
        if let Some(run) = self.run {
            return self.decode_in_run(run, octet, offset, sink);
        }
        self.run_just_ended = false;
        if octet.is_ascii() {
            sink.text.push(char::from(octet));
            let what = "unencoded character that must be encoded";
            sink.report.add_in_octets(Kind::Utf7Syntax, offset, 1, what);
        } else {
            sink.replace(Kind::Malformed, offset, 1, "octet above 7F");
        }
        true
    }

    /// Fast path for a run: decodes eight octets at a time, three characters of the Basic Multilingual
    /// Plane, and the end of a run after a whole character. Returns the number of octets consumed, if
    /// any. Not handled: surrogates, markup to be reported, malformed octets, the last octets of the
    /// input, and IMAP's rules.
    fn decode_run(&mut self, run: Utf7Run, input: &[u8], text: &mut pairs::Run) -> Option<usize> {
        if run.count != 0 || self.units.has_pending() || self.dialect == Dialect::Imap {
            return None;
        }
        let mut taken = 0;
        while !text.is_full()
            && let Some(group) = input.get(taken..).and_then(<[u8]>::first_chunk::<8>)
        {
            let sextets = group.map(sextet);
            // The first octet that is not base64 has the lowest of these bits.
            let others = u64::from_le_bytes(sextets) & 0x4040_4040_4040_4040;
            let letters = others.trailing_zeros() / 8;
            let bits = joined(sextets);
            let whole = letters * 6 / 16;
            let left = letters * 6 % 16;
            let last = bits >> (48 - letters * 6) & ((1 << left) - 1);
            let end = letters < 8;
            if end && (!is_padding(last, left) || letters == 0 && taken == 0 && run.is_empty) {
                break;
            }
            // Pad incomplete units so that no rule applies to them.
            let bits = bits | 0xFFFF_FFFF_FFFF >> (16 * whole);
            // Fits: masked to sixteen bits.
            let unit = |right: u32| u16::try_from(bits >> right & 0xFFFF).unwrap_or_default();
            let units = [32, 16, 0].map(unit);
            if units.iter().any(|&unit| self.needs_slow_path(unit)) {
                break;
            }
            text.put_first(units, whole as usize);
            taken += letters as usize;
            if end {
                self.run = None;
                let hyphen = group.get(letters as usize) == Some(&b'-');
                return Some(taken + usize::from(hyphen));
            }
        }
        (taken > 0).then(|| {
            self.run = Some(Utf7Run {
                is_empty: false,
                ..run
            });
            taken
        })
    }

    /// Whether a unit needs more than appending to the text.
    fn needs_slow_path(&self, unit: u16) -> bool {
        !self.units.is_whole(unit) || is_markup(unit) && !self.has_markup
    }

    /// Reports encoded markup from `from` to `last`, once per text, as a prompt to inspect it.
    #[cold]
    fn note_markup(&mut self, from: usize, last: usize, sink: &mut Sink<'_>) {
        self.has_markup = true;
        let what = "markup encoded without need (RFC 2152, rule 1)";
        let length = last + 1 - from;
        sink.report
            .add_in_octets(Kind::Utf7Markup, from, length, what);
    }

    /// Decodes an octet inside a run. Returns whether it was consumed.
    fn decode_in_run(
        &mut self,
        mut run: Utf7Run,
        octet: u8,
        offset: usize,
        sink: &mut Sink<'_>,
    ) -> bool {
        let sextet = self.dialect.sextet(octet);
        if sextet == NO_LETTER {
            return self.end_run(run, Some(octet), offset, sink);
        }
        if run.is_empty && self.run_just_ended && self.dialect == Dialect::Imap {
            let what = "two runs that should be one (RFC 3501, section 5.1.3)";
            sink.report
                .add_in_octets(Kind::Utf7Syntax, run.start, 1, what);
        }
        let from = run.from(offset);
        if let Some(unit) = run.push(sextet) {
            let length = offset + 1 - from;
            if self.dialect == Dialect::Imap && matches!(unit, 0x20..=0x7E) {
                let what = "encoded ASCII character that must not be encoded";
                sink.report
                    .add_in_octets(Kind::Utf7Syntax, from, length, what);
            }
            if self.dialect == Dialect::Mail && !self.has_markup && is_markup(unit) {
                self.note_markup(from, offset, sink);
            }
            self.units.push(unit, from, length, sink);
        }
        self.run = Some(run);
        true
    }

    /// Ends a run before `octet` at `offset`, or at the end of the text.
    fn end_run(
        &mut self,
        run: Utf7Run,
        octet: Option<u8>,
        offset: usize,
        sink: &mut Sink<'_>,
    ) -> bool {
        self.run = None;
        self.units.finish(sink);
        let hyphen = octet == Some(b'-');
        if run.is_empty {
            if hyphen {
                sink.text.push(char::from(self.dialect.shift()));
            } else {
                sink.replace(Kind::Malformed, run.start, 1, "shift without a run");
            }
            self.run_just_ended = false;
            return hyphen;
        }
        if !is_padding(run.bits.into(), run.count) {
            let from = run.from(offset);
            let what = "leftover bits at the end of a run";
            sink.replace(Kind::Malformed, from, offset - from, what);
        }
        if !hyphen && self.dialect == Dialect::Imap {
            let what = "run without a hyphen at its end (RFC 3501, section 5.1.3)";
            sink.report
                .add_in_octets(Kind::Utf7Syntax, run.start, offset - run.start, what);
        }
        self.run_just_ended = hyphen;
        hyphen
    }
}
