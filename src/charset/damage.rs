//! UTF-8 with damage, a block at a time.
//!
//! Bulk validation says where the first malformed octet is and has to start anew behind it,
//! which costs more than validation does where the next is near. Here every octet of a block
//! is held against its neighbours at once (RFC 3629, section 4), so that all damage of the
//! block is found together; a block without damage costs the same few steps each time.

use super::block::{BLOCK, planes};
use super::utf8::{self, Reason};
use super::{Sink, web};
use crate::report::{Kind, Report};

/// How many blocks in a row without damage are its end.
const QUIET: usize = 10;

/// Room for the text of blocks.
const ROOM: usize = 1024;

/// The most text that a block becomes: three octets for each of its own.
const MOST: usize = 3 * BLOCK;

/// Reads octets from `at` on, where a character or a malformed subpart begins, replaces what
/// is malformed, and returns where the damage seems to be over.
pub(super) fn decode(body: &[u8], mut at: usize, sink: &mut Sink<'_>) -> usize {
    let mut text = [0; ROOM];
    let mut filled = 0;
    let mut quiet = 0;
    while quiet < QUIET {
        let Some(rest) = body.get(at..).filter(|rest| !rest.is_empty()) else {
            break;
        };
        // Beyond the end are zeros, which are no damage.
        let mut last = [0; BLOCK];
        let octets = rest.first_chunk().unwrap_or_else(|| {
            if let Some(start) = last.get_mut(..rest.len()) {
                start.copy_from_slice(rest);
            }
            &last
        });
        if filled + MOST > ROOM {
            flush(&text, &mut filled, sink.text);
        }
        let Some(room) = text.get_mut(filled..).and_then(<[u8]>::first_chunk_mut) else {
            break;
        };
        let forms = Forms::of(octets);
        let (decided, errors) = forms.decided(rest.len());
        if errors == 0 {
            quiet += 1;
            if let Some(room) = room.first_chunk_mut() {
                *room = *octets;
            }
            filled += decided;
        } else {
            quiet = 0;
            let base = sink.base + at;
            filled += forms.replace(octets, decided, errors, room, base, sink.report);
        }
        at += decided;
    }
    flush(&text, &mut filled, sink.text);
    at
}

/// Appends what is well-formed by now.
fn flush(octets: &[u8; ROOM], filled: &mut usize, text: &mut String) {
    let run = octets.get(..*filled).unwrap_or_default();
    match web::utf8(run) {
        Some(run) => text.push_str(run),
        None => text.push_str(&String::from_utf8_lossy(run)),
    }
    *filled = 0;
}

/// What the octets of a block are, and to each other, by RFC 3629, section 4.
struct Forms {
    /// Octets that stand second and third in a sequence, with those before them.
    second: u64,
    third: u64,
    /// Octets that stand second, third or fourth.
    taken: u64,
    /// Octets 80 to BF.
    continuations: u64,
    /// First octets of sequences that do not come to their end.
    broken: u64,
    /// Octets that begin and continue nothing.
    stray: u64,
}

impl Forms {
    #[inline]
    fn of(octets: &[u8; BLOCK]) -> Forms {
        let [b0, b1, b2, b3, b4, b5, b6, b7] = planes(octets);
        let continuations = b7 & !b6;
        let two = b7 & b6 & !b5;
        let three = b7 & b6 & b5 & !b4;
        let four = b7 & b6 & b5 & b4;
        // C0 and C1, and F5 to FF.
        let never = two & !(b4 | b3 | b2 | b1) | four & (b3 | b2 & (b1 | b0));
        let leads = b7 & b6 & !never;
        let four = four & !never;
        // What may not stand second: overlong forms behind E0 and F0, surrogates behind ED,
        // values out of range behind F4.
        let zeros = !(b3 | b2 | b1 | b0);
        let surrogates = three & b3 & b2 & !b1 & b0;
        let barred = (three & zeros) << 1 & !b5
            | surrogates << 1 & b5
            | (four & zeros) << 1 & !(b5 | b4)
            | (four & b2) << 1 & (b5 | b4);
        let second = leads << 1 & continuations & !barred;
        let third = (second & (three | four) << 1) << 1 & continuations;
        let fourth = (third & four << 2) << 1 & continuations;
        let taken = second | third | fourth;
        let whole = two & second >> 1 | three & third >> 2 | four & fourth >> 3;
        Forms {
            second,
            third,
            taken,
            continuations,
            broken: leads & !whole,
            stray: never | continuations & !taken,
        }
    }

    /// How many octets of the block are decided, where `rest` octets follow from its start on,
    /// and where malformed subparts begin among them.
    #[inline]
    fn decided(&self, rest: usize) -> (usize, u64) {
        /// Sequences that begin here or later may go on behind the block.
        const DECIDED: usize = BLOCK - 3;
        let errors = self.stray | self.broken;
        if rest <= BLOCK {
            return (rest, errors);
        }
        let taken = (self.taken >> DECIDED).trailing_ones() as usize;
        (DECIDED + taken, errors & ((1 << DECIDED) - 1))
    }

    /// Puts the `decided` octets into `text`, with U+FFFD in place of malformed subparts, which
    /// are reported, and returns the length of the text.
    fn replace(
        &self,
        octets: &[u8; BLOCK],
        decided: usize,
        mut errors: u64,
        text: &mut [u8; MOST],
        base: usize,
        report: &mut Report,
    ) -> usize {
        let (mut done, mut filled) = (0, 0);
        let mut copy = |from: &[u8]| {
            if let Some(room) = text.get_mut(filled..filled + from.len()) {
                room.copy_from_slice(from);
            }
            filled += from.len();
        };
        while errors != 0 {
            let at = errors.trailing_zeros() as usize;
            errors &= errors - 1;
            copy(octets.get(done..at).unwrap_or_default());
            copy("\u{FFFD}".as_bytes());
            let (length, reason) = self.subpart(octets, at);
            report.add_replaced(Kind::Malformed, base + at, length, reason.name());
            done = at + length;
        }
        copy(octets.get(done..decided).unwrap_or_default());
        filled
    }

    /// The malformed subpart at `at`: its length and what is wrong with it.
    fn subpart(&self, octets: &[u8; BLOCK], at: usize) -> (usize, Reason) {
        let lead = octets.get(at).copied().unwrap_or_default();
        let is_set = |mask: u64, at: usize| at < BLOCK && mask >> at & 1 == 1;
        if is_set(self.stray, at) {
            (1, utf8::alone(lead))
        } else if is_set(self.second, at + 1) {
            let third = is_set(self.third, at + 2);
            (2 + usize::from(third), Reason::Truncated)
        } else if is_set(self.continuations, at + 1) {
            (1, utf8::barred(lead))
        } else {
            (1, Reason::Truncated)
        }
    }
}
