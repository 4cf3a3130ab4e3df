//! What is read thirty-two octets at a time: the two encodings undone, and what the charsets ask of
//! sixty-four octets at once.
//!
//! What is done stands here once. The instructions that do it are those of x86-64 processors with AVX2
//! (`x86_64`) or of 64-bit ARM processors, which all have NEON (`aarch64`).
//!
//! Base64 as Wojciech Muła and Daniel Lemire do it ("Faster Base64 Encoding and Decoding
//! Using AVX2 Instructions", 2018): 32 letters are looked up and packed in registers; here
//! lines of one length are decoded where they stand, without their ends being taken out
//! first. Quoted-printable goes by 64 octets. They are copied if there is no equals sign among
//! them; if there is, the octet that an escape may stand for is worked out at every place,
//! however many escapes there are, put where there is an equals sign, and what is left over is
//! squeezed out, eight octets at a time, by a table.
//!
//! Both are for clean text. Where anything is out of the ordinary the functions stop before
//! it, and the plain code of [`transfer`](crate::transfer), which reports, takes a few octets
//! from there.
//!
//! The crate is free of `unsafe` but for this module: no safe crate that compilers of our age
//! can build decodes base64 as fast. Here it means five things: the call of a function that
//! was compiled for AVX2 or NEON; the length of a vector whose octets were written without being
//! filled with zeros first, which took a sixth of the time: [`Appended`] counts what it writes;
//! two pointers, to arrays that `load` reads and `store` writes whole; the hint that
//! octets will be read; and text taken from octets that were found to be UTF-8 before. Else
//! memory is reached through slices and arrays.

#![expect(
    unsafe_code,
    reason = "a function compiled for vectors may only be called where the processor has them, \
              vectors go through pointers, memory is written without being filled first, \
              hints take an address, and what was validated is text"
)]
#![expect(
    clippy::inline_always,
    reason = "masks are wanted where they are worked with, without a call"
)]

use std::borrow::Cow;
use std::hint::{black_box, select_unpredictable};
use std::mem::MaybeUninit;

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(target_arch = "x86_64")]
mod x86_64;

#[cfg(target_arch = "aarch64")]
use aarch64 as processor;
use processor::{
    Octets, Sixteen, add, all, and, choose, compiled, equal, greater, is_zero, joined_sextets,
    load, look_up, mask, or, picked, raised, split, store, upper, without, zero,
};
#[cfg(target_arch = "x86_64")]
use x86_64 as processor;

/// The longest line of an encoded body (RFC 2045, sections 6.7 and 6.8), which most lines of
/// base64 are.
const LINE_LIMIT: usize = 76;

/// That the processor has what the functions below are compiled for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vectors(());

#[expect(
    clippy::unused_self,
    reason = "the value is the proof that the processor has the instructions"
)]
impl Vectors {
    /// Asks the processor.
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        processor::is_there().then_some(Vectors(()))
    }

    /// Does work that is compiled for the processor.
    #[inline]
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        compiled!(run(self, work))
    }

    /// The top bits of 64 octets, the first octet's lowest.
    #[inline(always)]
    pub(crate) fn top_bits(self, octets: &[u8; 64]) -> u64 {
        compiled!(top_bits(octets))
    }

    /// 64 octets as eight masks, the first of their lowest bits.
    #[inline(always)]
    pub(crate) fn planes(self, octets: &[u8; 64]) -> [u64; 8] {
        compiled!(planes(octets))
    }

    /// Decodes letters of the base64 alphabet, 32 at a time, and says how many it took.
    pub(crate) fn letters(self, text: &[u8], octets: &mut Vec<u8>) -> usize {
        compiled!(letters(text, octets))
    }

    /// Decodes lines of `length` letters that end in `line_end`, CRLF or one octet or none, and
    /// says how many lines it took: none where the length is no multiple of 4, or less than 32.
    pub(crate) fn lines(
        self,
        text: &[u8],
        length: usize,
        line_end: &[u8],
        octets: &mut Vec<u8>,
    ) -> usize {
        match *line_end {
            _ if length < 32 || !length.is_multiple_of(4) => 0,
            [first, second] if length == LINE_LIMIT => {
                compiled!(lines::<LINE_LIMIT, 2>(
                    text,
                    length,
                    [first, second],
                    octets
                ))
            }
            [first, second] => compiled!(lines::<0, 2>(text, length, [first, second], octets)),
            [only] if length == LINE_LIMIT => {
                compiled!(lines::<LINE_LIMIT, 1>(text, length, [only], octets))
            }
            [only] => compiled!(lines::<0, 1>(text, length, [only], octets)),
            [] => compiled!(lines::<0, 0>(text, length, [], octets)),
            _ => 0,
        }
    }

    /// Goes through a quoted-printable body from `at` on, up to the block with the first
    /// thing that decoding changes, and says where that block begins.
    pub(crate) fn unchanged(self, body: &[u8], at: usize, seen: &mut Seen) -> usize {
        compiled!(unchanged(body, at, seen))
    }

    /// Decodes quoted-printable from `at` on, which is no place within an escape, up to the
    /// block with the first thing that is to be reported, and says where to go on.
    pub(crate) fn quoted_printable(
        self,
        body: &[u8],
        at: usize,
        seen: &mut Seen,
        octets: &mut Vec<u8>,
    ) -> usize {
        compiled!(quoted_printable(body, at, seen, octets))
    }
}

/// Asks memory for the first octets of a header or a body, all at once and as many as most
/// headers have. A mailbox is in no cache, and the processor, which goes ahead only once it sees
/// where reading leads, would wait for one line of the cache after another: that was a fifth of
/// the time that taking messages apart took.
pub(crate) fn fetch(octets: &[u8]) {
    const LINE: usize = 64;
    const LINES: usize = 24;
    for first in octets.iter().step_by(LINE).take(LINES) {
        processor::fetch(first);
    }
}

/// Work in safe code that is worth compiling for the processor: what is inlined into `run` is,
/// and the masks that it asks a [`Vectors`] for take an instruction or two each.
pub(crate) trait Work {
    type Output;

    fn run(self, vector: Vectors) -> Self::Output;
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
fn run<W: Work>(vector: Vectors, work: W) -> W::Output {
    work.run(vector)
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn top_bits(octets: &[u8; 64]) -> u64 {
    let [low, high] = halves(octets);
    joined([mask(low), mask(high)])
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn planes(octets: &[u8; 64]) -> [u64; 8] {
    // One after the other, not by `map`: a closure is inlined into code for AVX2 only where the
    // whole program is optimised as one.
    let [mut low, mut high] = halves(octets);
    let mut planes = [0; 8];
    for plane in planes.iter_mut().rev() {
        *plane = joined([mask(low), mask(high)]);
        // The next bit becomes the top one.
        low = add(low, low);
        high = add(high, high);
    }
    // What is done with masks is best done with masks: compilers that see where they come from
    // turn it into vector instructions, five times as many.
    black_box(planes)
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn halves(octets: &[u8; 64]) -> [Octets; 2] {
    let (halves, _) = octets.as_chunks();
    match halves {
        [low, high] => [load(low), load(high)],
        _ => [zero(); 2],
    }
}

#[inline]
fn joined([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The well-formed UTF-8 at the start of octets.
///
/// How long it is takes vectors to find. To read it again, as a safe `&str` would ask for, took a
/// tenth of the time of text in which one octet of 4096 is damaged.
pub(crate) fn utf8_start(octets: &[u8]) -> &str {
    match simdutf8::compat::from_utf8(octets) {
        Ok(text) => text,
        Err(error) => {
            let valid = octets.get(..error.valid_up_to()).unwrap_or_default();
            debug_assert!(std::str::from_utf8(valid).is_ok(), "not valid up to there");
            // SAFETY: so far the octets were found to be UTF-8.
            unsafe { std::str::from_utf8_unchecked(valid) }
        }
    }
}

/// The text that is read from octets, in their memory where it is all of them, and what else `read`
/// gives.
///
/// To copy many octets takes longer than to decode them, most of it for memory that was never used.
pub(crate) fn owned_text<R>(
    octets: Vec<u8>,
    read: impl for<'o> FnOnce(&'o [u8]) -> (Cow<'o, str>, R),
) -> (String, R) {
    let (text, rest) = read(&octets);
    match text {
        Cow::Borrowed(text) if std::ptr::eq(text.as_bytes(), octets.as_slice()) => {
            // SAFETY: there was a `str` in the same memory, of the same length, and nothing was
            // written there since.
            let mut text = unsafe { String::from_utf8_unchecked(octets) };
            if text.capacity() - text.len() > text.len() / 8 {
                text.shrink_to_fit();
            }
            (text, rest)
        }
        other => (other.into_owned(), rest),
    }
}

/// What was seen in a quoted-printable body on the way, to be reported at its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    /// The place before which octets were looked at.
    until: usize,
    /// Where the line began.
    line: usize,
    has_long_line: bool,
    is_plain: bool,
}

/// At the beginning of a body.
impl Default for Seen {
    fn default() -> Self {
        Seen {
            until: 0,
            line: 0,
            has_long_line: false,
            is_plain: true,
        }
    }
}

impl Seen {
    /// Whether there was nothing but printable US-ASCII, spaces and line ends.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether a line of a body of `length` octets has more than 76 characters.
    pub(crate) fn has_long_line(&self, length: usize) -> bool {
        self.has_long_line || length.saturating_sub(self.line) > LINE_LIMIT
    }

    /// Looks at the octets before `to`.
    pub(crate) fn look(&mut self, body: &[u8], to: usize) {
        for (at, octet) in body.iter().enumerate().take(to).skip(self.until) {
            match octet {
                b'\t' | b' '..=b'~' => {}
                b'\r' | b'\n' => {
                    self.has_long_line |= at - self.line > LINE_LIMIT;
                    self.line = at + 1;
                }
                _ => self.is_plain = false,
            }
        }
        self.until = to;
    }

    /// Takes note of line ends among the 64 octets at `at`.
    #[inline]
    fn line_ends(&mut self, at: usize, ends: u64) {
        // Without a line end in them the line goes on, and is as long at least.
        let first = at + ends.trailing_zeros() as usize;
        self.has_long_line |= first - self.line > LINE_LIMIT;
        let next = at + 64 - ends.leading_zeros() as usize;
        self.line = select_unpredictable(ends == 0, self.line, next);
    }
}

/// What is written behind the 24 octets that 32 letters stand for; the next letters write over it.
const LOOSE: usize = 4;

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
fn letters(text: &[u8], octets: &mut Vec<u8>) -> usize {
    let (groups, _) = text.as_chunks::<32>();
    let mut appended = Appended::to(octets, groups.len() * 24 + LOOSE);
    let mut clean = 0;
    // Eight groups are tested together.
    let (eights, _) = groups.as_chunks::<8>();
    for eight in eights {
        let Some(mut here) = appended.next(8 * 24 + LOOSE) else {
            break;
        };
        let mut bad = zero();
        for group in eight {
            bad = or(bad, put_group(group, &mut here));
        }
        if !is_zero(bad) {
            break;
        }
        here.keep();
        clean += 8;
    }
    for group in groups.get(clean..).unwrap_or_default() {
        let Some(mut here) = appended.next(24 + LOOSE) else {
            break;
        };
        let bad = put_group(group, &mut here);
        if !is_zero(bad) {
            break;
        }
        here.keep();
        clean += 1;
    }
    appended.finish();
    clean * 32
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
fn lines<const LENGTH: usize, const N: usize>(
    text: &[u8],
    length: usize,
    line_end: [u8; N],
    octets: &mut Vec<u8>,
) -> usize {
    // The length that all lines have is known to the compiler.
    let length = if LENGTH == 0 { length } else { LENGTH };
    let (step, made) = (length + N, length / 4 * 3);
    let mut appended = Appended::to(octets, text.len() / step * made + LOOSE);
    let mut clean = 0;
    for line in text.chunks_exact(step) {
        let (letters, end) = line.split_at(length);
        let Some(mut here) = appended.next(made + LOOSE) else {
            break;
        };
        let mut bad = zero();
        let (groups, _) = letters.as_chunks();
        for group in groups {
            bad = or(bad, put_group(group, &mut here));
        }
        // The last 32 letters may begin among those decoded already.
        let Some(group) = letters.last_chunk() else {
            break;
        };
        here.back_to(made - 24);
        bad = or(bad, put_group(group, &mut here));
        if end != line_end || !is_zero(bad) {
            break;
        }
        here.keep();
        clean += 1;
    }
    appended.finish();
    clean
}

/// Writes the 24 octets that 32 letters stand for; what it gives is not zero if one of them is no
/// letter.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn put_group(letters: &[u8; 32], to: &mut Next<'_>) -> Octets {
    let (packed, bad) = packed(letters);
    to.store_twelves(packed);
    bad
}

/// What 32 letters stand for, 12 octets in each half, and what is not zero if one of them is no
/// letter.
///
/// The high and the low half of a letter's code each name the sets of letters that it can be
/// in; a letter's value is its code and a number that goes by the high half. RFC 2045,
/// section 6.8, table 1: A to Z are 0 to 25, a to z 26 to 51, 0 to 9 52 to 61, + 62, / 63.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn packed(letters: &[u8; 32]) -> (Octets, Octets) {
    // A bit of the high half that is not in the low one makes no letter: 1 is for + and /, 2
    // for digits, 4 for A to O and a to o, 8 for P to Z and p to z, 16 for rows without any.
    // Of octets above 7F the low half is taken for 0.
    let low = twice([
        0x0A, 0x0E, 0x0E, 0x0E, 0x0E, 0x0E, 0x0E, 0x0E, 0x0E, 0x0E, 0x0C, 0x05, 0x04, 0x04, 0x04,
        0x05,
    ]);
    let high = twice([
        0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10,
        0x10,
    ]);
    // 62 - '+' is 19, 63 - '/' is 16, 52 - '0' is 4, 0 - 'A' is -65 or 191 and 26 - 'a' is
    // -71 or 185. The slash has the place before its row.
    let shift = twice([0, 16, 19, 4, 191, 191, 185, 185, 0, 0, 0, 0, 0, 0, 0, 0]);
    let order = twice([2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 255, 255, 255, 255]);

    let letters = load(letters);
    let row = upper(letters);
    let bad = without(look_up(low, letters), look_up(high, row));
    let slash = equal(letters, all(b'/'));
    let values = add(letters, look_up(shift, add(row, slash)));
    (look_up(joined_sextets(values), order), bad)
}

/// A block of quoted-printable, and the two octets that can belong to an escape at its end.
const WINDOW: usize = 66;
/// How far a block may write, which decoding needs beyond its result.
pub(crate) const REACH: usize = 72;

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
fn unchanged(body: &[u8], mut at: usize, seen_before: &mut Seen) -> usize {
    let mut seen = *seen_before;
    let mut plain = all(0xFF);
    let mut last = [b'\n'; WINDOW];
    let mut carried = Carried::default();
    while at < body.len() {
        let block = Block::of(window(body.get(at..).unwrap_or_default(), &mut last));
        let line_ends = block.line_ends(&carried);
        let blanks = block.spaces & !line_ends;
        if (block.signs | line_ends & (blanks << 1 | carried.blank)) != 0 {
            break;
        }
        carried = Carried {
            crs: block.crs >> 62,
            blank: blanks >> 63,
            ..Carried::default()
        };
        plain = and(plain, block.plain);
        seen.line_ends(at, line_ends);
        at += 64;
    }
    seen.is_plain &= mask(plain) == u32::MAX;
    seen.until = at;
    *seen_before = seen;
    at - carried.length()
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
fn quoted_printable(
    body: &[u8],
    mut at: usize,
    seen_before: &mut Seen,
    octets: &mut Vec<u8>,
) -> usize {
    let mut seen = *seen_before;
    let mut plain = all(0xFF);
    let mut last = [b'\n'; WINDOW];
    let mut carried = Carried::default();
    // Whatever decoding changes becomes shorter.
    let mut appended = Appended::to(octets, body.len().saturating_sub(at) + REACH);
    while at < body.len() {
        let rest = body.get(at..).unwrap_or_default();
        let BodyBlock {
            window: ahead,
            inside,
            breaks,
        } = BodyBlock::of(rest, &mut last);
        let block = Block::of(ahead);
        let line_ends = block.line_ends(&carried);
        let blanks = block.spaces & !line_ends;
        let Some(mut here) = appended.next(REACH) else {
            break;
        };
        if line_ends & (blanks << 1 | carried.blank) != 0 {
            break;
        }
        let (mut long, mut joins, mut digits) = (0, 0, 0);
        if (block.signs | carried.sign | carried.long) == 0 {
            // Of English text this is more than half.
            copy(&block.octets, &mut here);
            here.back_to(inside.count_ones() as usize);
        } else {
            let escapes = Escapes::of(ahead, &block);
            // Soft line breaks of two octets.
            let short = block.signs & escapes.lfs & breaks;
            long = block.signs & !short;
            let first = block.signs << 1 | carried.sign;
            let second = long << 2 | carried.long;
            let pairs = (escapes.digits << 1 | carried.digits >> 1)
                & (escapes.digits << 2 | carried.digits)
                | block.lfs & (block.crs << 2 | carried.crs);
            if second & !pairs != 0 {
                break;
            }
            (joins, digits) = (short | long & block.crs, escapes.digits);
            let kept = !(joins | first | second) & inside;
            squeeze(&escapes.octets, kept, &mut here);
        }
        here.keep();
        carried = Carried {
            sign: block.signs >> 63,
            long: long >> 62,
            joins: joins >> 62,
            digits: digits >> 62,
            crs: block.crs >> 62,
            blank: blanks >> 63,
        };
        plain = and(plain, block.plain);
        seen.line_ends(at, line_ends);
        at += 64;
    }
    appended.finish();
    octets.truncate(octets.len().saturating_sub(carried.made()));
    seen.is_plain &= mask(plain) == u32::MAX;
    seen.until = at;
    *seen_before = seen;
    at - carried.length()
}

/// What of a block belongs to the next.
#[derive(Default)]
struct Carried {
    /// Of the last octet.
    sign: u64,
    /// Of the last two octets: signs with two octets behind them, and those that join lines.
    long: u64,
    joins: u64,
    digits: u64,
    crs: u64,
    /// Of the last octet.
    blank: u64,
}

impl Carried {
    /// How many octets at the end of the block are not sure to be right.
    fn length(&self) -> usize {
        2 - (self.long | (self.sign | self.blank) << 1 | 4).trailing_zeros() as usize
    }

    /// How many octets were made of them.
    fn made(&self) -> usize {
        match self.length() {
            0 => 0,
            length => usize::from(self.joins << length & 4 == 0),
        }
    }
}

/// The block at the beginning of `rest`, with line ends behind the end of the body.
#[inline]
fn window<'a>(rest: &'a [u8], last: &'a mut [u8; WINDOW]) -> &'a [u8; WINDOW] {
    if let Some(window) = rest.first_chunk() {
        return window;
    }
    *last = [b'\n'; WINDOW];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    last
}

/// The block at the beginning of `rest`, and how much of it is body.
struct BodyBlock<'a> {
    window: &'a [u8; WINDOW],
    /// The octets of the body.
    inside: u64,
    /// Those that a line end of the body may follow.
    breaks: u64,
}

impl<'a> BodyBlock<'a> {
    /// All blocks but the last are body from end to end, and nothing is worked out for them.
    #[inline(always)]
    fn of(rest: &'a [u8], last: &'a mut [u8; WINDOW]) -> Self {
        if let Some(window) = rest.first_chunk() {
            return BodyBlock {
                window,
                inside: u64::MAX,
                breaks: u64::MAX,
            };
        }
        let first = |length: usize| u64::MAX >> 64usize.saturating_sub(length);
        BodyBlock {
            inside: first(rest.len()),
            // There is at least one octet, and a window is longer than a block.
            breaks: first(rest.len()) >> usize::from(rest.len() <= 64),
            window: window(rest, last),
        }
    }
}

/// Where in 64 octets is what; the lowest bit is the first octet.
struct Block {
    signs: u64,
    /// Blanks and line ends.
    spaces: u64,
    lfs: u64,
    /// What has CR behind it.
    crs: u64,
    /// All ones where an octet of either half is printable US-ASCII, a blank or a line end.
    plain: Octets,
    octets: [Octets; 2],
}

impl Block {
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
    )]
    #[inline]
    fn of(window: &[u8; WINDOW]) -> Self {
        let low = Half::of(window, 0);
        let high = Half::of(window, 32);
        Block {
            signs: both(low.signs, high.signs),
            spaces: both(low.spaces, high.spaces),
            crs: both(low.crs, high.crs),
            lfs: both(low.lfs, high.lfs),
            plain: and(low.plain, high.plain),
            octets: [low.octets, high.octets],
        }
    }

    fn line_ends(&self, carried: &Carried) -> u64 {
        self.lfs | self.crs << 1 | carried.crs >> 1
    }
}

fn both(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// The same of 32 octets.
struct Half {
    signs: u32,
    spaces: u32,
    crs: u32,
    lfs: u32,
    plain: Octets,
    octets: Octets,
}

impl Half {
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
    )]
    #[inline]
    fn of(window: &[u8; WINDOW], at: usize) -> Self {
        let octets = load(part(window, at));
        // Each stands where its lower four bits point.
        let spaces = twice([
            b' ', 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, b'\t', b'\n', 0x80, 0x80, b'\r',
            0x80, 0x80,
        ]);
        let space = equal(look_up(spaces, octets), octets);
        // Octets above 7F are negative, and so is 7F with one added.
        let more = add(octets, all(1));
        let printable = greater(more, all(0x20));
        Half {
            signs: mask(equal(octets, all(b'='))),
            spaces: mask(space),
            crs: mask(equal(load(part(window, at + 1)), all(b'\r'))),
            lfs: mask(equal(octets, all(b'\n'))),
            plain: or(space, printable),
            octets,
        }
    }
}

/// The escapes of a block.
struct Escapes {
    /// What has an upper-case hexadecimal digit behind it.
    digits: u64,
    /// What has LF behind it.
    lfs: u64,
    /// The octets, with the one that two digits name in the place of each equals sign.
    octets: [Octets; 2],
}

impl Escapes {
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
    )]
    #[inline]
    fn of(window: &[u8; WINDOW], block: &Block) -> Self {
        let [low, high] = block.octets;
        let (low_digits, low_lfs, low) = escaped(window, 0, low);
        let (high_digits, high_lfs, high) = escaped(window, 32, high);
        Escapes {
            digits: both(low_digits, high_digits),
            lfs: both(low_lfs, high_lfs),
            octets: [low, high],
        }
    }
}

/// The same of 32 octets.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn escaped(window: &[u8; WINDOW], at: usize, octets: Octets) -> (u32, u32, Octets) {
    let behind = load(part(window, at + 1));
    let first = digit(behind);
    let second = digit(load(part(window, at + 2)));
    let sign = equal(octets, all(b'='));
    (
        mask(is_digit(first)),
        mask(equal(behind, all(b'\n'))),
        choose(octets, named(first, second), sign),
    )
}

/// Where such a digit stands, as [`digit`] gives it.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn is_digit(digits: Octets) -> Octets {
    let digits_by_value = twice([
        0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x4A, 0x4B, 0x4C, 0x4D, 0x4E,
        0x4F,
    ]);
    equal(look_up(digits_by_value, digits), digits)
}

/// The octet that two digits name.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn named(first: Octets, second: Octets) -> Octets {
    or(raised(first), and(second, all(0x0F)))
}

/// Hexadecimal digits such that their lower four bits are their values: 0 to 9 are 30 to 39,
/// A to F go from 41 to 46 to 4A to 4F.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn digit(octets: Octets) -> Octets {
    let is_letter = greater(octets, all(0x39));
    add(octets, and(is_letter, all(9)))
}

/// Writes all 64 octets.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn copy(octets: &[Octets; 2], to: &mut Next<'_>) {
    for octets in sixteens(octets) {
        to.store(octets);
    }
}

/// Writes those octets that are `kept`, close together.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn squeeze(octets: &[Octets; 2], kept: u64, to: &mut Next<'_>) {
    let kept = kept.to_le_bytes();
    let (pairs, _) = kept.as_chunks::<2>();
    let [low_orders, high_orders] = &ORDERS;
    for (octets, [low, high]) in sixteens(octets).into_iter().zip(pairs) {
        let order_of = |orders: &[i64; 256], chosen: u8| {
            orders.get(usize::from(chosen)).copied().unwrap_or_default()
        };
        let orders = [order_of(low_orders, *low), order_of(high_orders, *high)];
        let [first, second] = picked(octets, orders);
        to.put(first, *low);
        to.put(second, *high);
    }
}

#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn sixteens([low, high]: &[Octets; 2]) -> [Sixteen; 4] {
    let [first, second] = split(*low);
    let [third, fourth] = split(*high);
    [first, second, third, fourth]
}

/// For each choice of eight octets, the places of those chosen; then the same for the eight
/// octets behind them.
static ORDERS: [[i64; 256]; 2] = [orders(0), orders(8)];

#[expect(
    clippy::indexing_slicing,
    reason = "runs when compiling, where a slip is a build error"
)]
const fn orders(first: i64) -> [i64; 256] {
    let mut orders = [0; 256];
    let mut choice = 0;
    while choice < 256 {
        let (mut place, mut chosen) = (0, 0);
        while place < 8 {
            if choice >> place & 1 == 1 {
                orders[choice] |= (first + place) << (8 * chosen);
                chosen += 1;
            }
            place += 1;
        }
        choice += 1;
    }
    orders
}

/// A table for both halves of a vector.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
)]
#[inline]
fn twice(table: [u8; 16]) -> Octets {
    let mut both = [0; 32];
    for (to, from) in both.iter_mut().zip(table.iter().cycle()) {
        *to = *from;
    }
    load(&both)
}

#[inline]
fn part(window: &[u8], at: usize) -> &[u8; 32] {
    window
        .get(at..)
        .and_then(<[u8]>::first_chunk)
        .unwrap_or(&[0; 32])
}

/// Octets behind those of a vector, written without being filled with zeros first. They are its
/// own once they are all written.
struct Appended<'v> {
    octets: &'v mut Vec<u8>,
    /// How many octets behind those of the vector are written, without a gap.
    written: usize,
}

impl<'v> Appended<'v> {
    /// Of no more than `most` octets.
    #[inline]
    fn to(octets: &'v mut Vec<u8>, most: usize) -> Self {
        octets.reserve_exact(most);
        Appended { octets, written: 0 }
    }

    /// The next `length` octets, if there is capacity for them.
    #[inline(always)]
    fn next(&mut self, length: usize) -> Option<Next<'_>> {
        let spare = self.octets.spare_capacity_mut();
        // One comparison for the two places where the slice could not be.
        let most = spare.len().checked_sub(length)?;
        if self.written > most {
            return None;
        }
        Some(Next {
            octets: spare.get_mut(self.written..)?.get_mut(..length)?,
            filled: 0,
            written: &mut self.written,
        })
    }

    /// Makes what is written part of the vector.
    #[inline]
    fn finish(self) {
        let length = self.octets.len() + self.written;
        // SAFETY: `written` is the sum of what each `Next` filled, from where the one before
        // ended: those octets are written. Each lay within the capacity, and so does the sum.
        unsafe { self.octets.set_len(length) };
    }
}

/// The next octets behind a vector. It counts itself how many of them are written.
struct Next<'a> {
    octets: &'a mut [MaybeUninit<u8>],
    /// How many of them are written, from the first on without a gap; never more than there are.
    filled: usize,
    written: &'a mut usize,
}

impl Next<'_> {
    /// Where `length` octets behind those that are filled begin, if there are so many.
    #[inline(always)]
    fn place(&mut self, length: usize) -> Option<*mut MaybeUninit<u8>> {
        let most = self.octets.len().checked_sub(length);
        let has_place = most.is_some_and(|most| self.filled <= most);
        debug_assert!(has_place, "{} of {}", self.filled, self.octets.len());
        // SAFETY: `filled` is no more than the length of the slice.
        has_place.then(|| unsafe { self.octets.as_mut_ptr().add(self.filled) })
    }

    /// Writes 16 octets behind those that are filled.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
    )]
    #[inline]
    fn store(&mut self, octets: Sixteen) {
        if let Some(place) = self.place(16) {
            // SAFETY: writes 16 octets, which `place` has.
            unsafe { store(place, octets) };
            self.filled += 16;
        }
    }

    /// Writes the first 12 octets of both halves behind those that are filled, and four octets
    /// behind them that do not count.
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,lzcnt,popcnt")
    )]
    #[inline]
    fn store_twelves(&mut self, octets: Octets) {
        if let Some(place) = self.place(24 + LOOSE) {
            let [low, high] = split(octets);
            // SAFETY: writes 16 octets, and 16 from the twelfth on, which are the 24 and
            // LOOSE, 28, that `place` has.
            unsafe {
                store(place, low);
                store(place.add(12), high);
            }
            self.filled += 24;
        }
    }

    /// Writes eight octets behind those that are filled, of which as many count as `kept` has
    /// bits. No more than 56 are filled before: where there were more, it would go back.
    #[inline(always)]
    fn put(&mut self, eight: i64, kept: u8) {
        // So the compiler knows that `REACH` is far enough.
        let at = self.filled & 63;
        debug_assert_eq!(at, self.filled);
        let place = self.octets.get_mut(at..);
        if let Some(place) = place.and_then(<[_]>::first_chunk_mut) {
            *place = eight.to_le_bytes().map(MaybeUninit::new);
            self.filled = at + kept.count_ones() as usize;
        }
    }

    /// Forgets what was filled behind `filled`.
    #[inline(always)]
    fn back_to(&mut self, filled: usize) {
        self.filled = self.filled.min(filled);
    }

    /// Counts what is filled as written.
    #[inline(always)]
    fn keep(self) {
        *self.written += self.filled;
    }
}
