//! ISO-2022-CN and ISO-2022-CN-EXT (RFC 1922).
//!
//! SO shifts to the set that an escape designated, whether GB 2312, the first plane of
//! CNS 11643 or ISO-IR-165, SI back to ASCII; a designation between them acts at once. A
//! single shift takes one character of a further plane of CNS 11643. The planes from the
//! third on, which EXT adds, have no table here.

use super::pairs::{Run, Table};
use super::sets::{self, ESC, SHIFT_IN, SHIFT_OUT};
use super::{Codec, Reading, Sink, euc_tw};
use crate::report::Kind;

/// What follows ESC and what it designates.
const ESCAPES: [(&[u8], Set); 9] = [
    (b"$)A", Set::Gb2312),
    (b"$)G", Set::Plane1),
    (b"$)E", Set::IsoIr165),
    (b"$*H", Set::Plane2),
    (b"$+I", Set::Beyond),
    (b"$+J", Set::Beyond),
    (b"$+K", Set::Beyond),
    (b"$+L", Set::Beyond),
    (b"$+M", Set::Beyond),
];

/// A set that an escape designates.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Set {
    Gb2312,
    IsoIr165,
    Plane1,
    Plane2,
    /// Planes 3 to 7.
    Beyond,
}

pub(super) struct Iso2022CnCodec {
    extended: bool,
    reading: Reading,
    /// What SO shifts to, where an escape has said so.
    g1: Option<&'static Table>,
    /// What a single shift two takes a character of.
    g2: Option<&'static Table>,
    /// Whether a single shift three takes a character of a plane that is known by name.
    g3: bool,
    shifted: bool,
}

impl Iso2022CnCodec {
    pub(super) fn new(extended: bool, reading: Reading) -> Self {
        Iso2022CnCodec {
            extended,
            reading,
            g1: None,
            g2: None,
            g3: false,
            shifted: false,
        }
    }
}

impl Codec for Iso2022CnCodec {
    fn decode(&mut self, input: &[u8], last: bool, sink: &mut Sink<'_>) -> usize {
        sink.text.reserve(input.len() + input.len() / 2);
        let mut run = Run::new();
        let mut at = 0;
        while let Some(rest) = input.get(at..).filter(|rest| !rest.is_empty()) {
            let taken = match self.shifted_to() {
                Some(table) => run.take_pairs(rest, table, sets::GRAPHIC, false),
                None => run.take_ascii(rest, sets::SHIFTS_AND_LINE_ENDS),
            };
            run.flush(sink.text);
            at += match taken {
                0 => match self.one(rest, last, sink.base + at, sink) {
                    0 => break,
                    done => done,
                },
                taken => taken,
            };
        }
        at
    }
}

impl Iso2022CnCodec {
    fn shifted_to(&self) -> Option<&'static Table> {
        self.g1.filter(|_| self.shifted)
    }

    /// What is neither a pair nor plain ASCII: the number of octets that are decided, 0 for
    /// none.
    fn one(&mut self, input: &[u8], last: bool, offset: usize, sink: &mut Sink<'_>) -> usize {
        let Some((&first, after)) = input.split_first() else {
            return 0;
        };
        match (first, self.shifted_to()) {
            (ESC, _) => return self.escape(after, last, offset, sink),
            (SHIFT_OUT, _) => {
                self.shifted = self.g1.is_some();
                if !self.shifted {
                    let what = "shift to a set that nothing designated";
                    sink.replace(Kind::Malformed, offset, 1, what);
                }
            }
            (SHIFT_IN, _) => self.shifted = false,
            (0x21..=0x7E, Some(table)) => return sets::pair(table, input, last, offset, sink),
            (0x00..=0x7F, _) => {
                if matches!(first, b'\r' | b'\n') {
                    self.end_line();
                }
                sink.text.push(char::from(first));
            }
            (0x80.., _) => sink.replace(Kind::Malformed, offset, 1, sets::EIGHTH_BIT),
        }
        1
    }

    /// RFC 1922, section 3: every line starts in ASCII and designates anew. As practised a
    /// designation lasts until the next, for writers who name their one set once.
    fn end_line(&mut self) {
        self.shifted = false;
        if self.reading == Reading::AsRegistered {
            (self.g1, self.g2, self.g3) = (None, None, false);
        }
    }

    /// ESC and `after`: the number of octets that are decided, 0 for none.
    fn escape(&mut self, after: &[u8], last: bool, offset: usize, sink: &mut Sink<'_>) -> usize {
        match *after {
            [b'N', lead @ 0x21..=0x7E, trail @ 0x21..=0x7E, ..] => {
                if !self
                    .g2
                    .is_some_and(|table| table.put(lead, trail, sink.text))
                {
                    sink.replace(Kind::Malformed, offset, 4, sets::NO_CHARACTER);
                }
                return 4;
            }
            [b'O', 0x21..=0x7E, 0x21..=0x7E, ..] => {
                if self.g3 {
                    sink.replace(Kind::Undecoded, offset, 4, euc_tw::NO_TABLE);
                } else {
                    sink.replace(Kind::Malformed, offset, 4, sets::NO_CHARACTER);
                }
                return 4;
            }
            [b'N' | b'O'] | [b'N' | b'O', 0x21..=0x7E] if !last => return 0,
            _ => {}
        }
        for (escape, set) in ESCAPES {
            if after.starts_with(escape) && self.takes(set) {
                match set {
                    Set::Gb2312 => self.g1 = Some(sets::gb2312(self.reading)),
                    Set::IsoIr165 => self.g1 = Some(sets::iso_ir_165()),
                    Set::Plane1 => self.g1 = Some(euc_tw::plane1()),
                    Set::Plane2 => self.g2 = Some(euc_tw::plane2()),
                    Set::Beyond => self.g3 = true,
                }
                return 1 + escape.len();
            }
        }
        if !last && ESCAPES.iter().any(|(escape, _)| escape.starts_with(after)) {
            return 0;
        }
        self.shifted = false;
        sink.replace(Kind::Malformed, offset, 1, sets::UNKNOWN_ESCAPE);
        1
    }

    fn takes(&self, set: Set) -> bool {
        self.extended
            || self.reading == Reading::AsPractised
            || matches!(set, Set::Gb2312 | Set::Plane1 | Set::Plane2)
    }
}
