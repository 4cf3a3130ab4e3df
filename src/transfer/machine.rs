//! Clean base64 and quoted-printable, decoded with what the processor has.
//!
//! Each encoding is undone in one way, written as a [`Task`]: a [`Machine`] takes text that keeps
//! every rule and stops before anything else, and the rules of the encoding take what it leaves.
//! There are two machines. [`Plain`] is for every processor; the other one is
//! [`Vectors`](crate::vector::Vectors). They differ in how far they go, and never in what comes out.

use std::sync::LazyLock;

use ::base64::engine::{self, DecodePaddingMode, Engine, GeneralPurposeConfig};

use super::hexadecimal::{LOWER_CASE, digit};
use super::{is_blank, tail, tail_mut};
use crate::charset::block::{self, BLOCK, Machine as _};
#[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
use crate::vector::{self, Vectors};

/// An encoding to undo.
pub(super) trait Task {
    type Output;

    fn run(self, machine: impl Machine) -> Self::Output;
}

/// Does it with the best machine there is.
pub(super) fn run<T: Task>(task: T) -> T::Output {
    #[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
    if let Some(vector) = Vectors::detect() {
        return task.run(vector);
    }
    task.run(Plain)
}

/// What takes clean text. It may stop anywhere that is not within a group of base64 or an escape of
/// quoted-printable.
pub(super) trait Machine: Copy {
    /// How long a line of base64 may be for [`lines`](Machine::lines) to be of use.
    const LONGEST_LINE: usize;

    /// Decodes letters of the base64 alphabet, appends what they stand for, and stops before a
    /// group with anything else.
    fn letters(self, text: &[u8], octets: &mut Vec<u8>) -> Reached;

    /// Decodes lines of `length` letters of the base64 alphabet that end in `line_end`, which is
    /// CRLF, one octet or nothing. It takes whole lines.
    fn lines(self, text: &[u8], length: usize, line_end: &[u8], octets: &mut Vec<u8>) -> Reached;

    /// What it saw of a quoted-printable body on the way.
    type Seen: Seen;

    /// How many octets it may write behind those that it gives.
    const REACH: usize;

    /// Goes through a quoted-printable body from `at` on while decoding would change nothing; says
    /// where to go on.
    fn unchanged(self, body: &[u8], at: usize, seen: &mut Self::Seen) -> usize;

    /// Decodes quoted-printable from `at` on while there is nothing to report; says where to go on.
    fn quoted_printable(
        self,
        body: &[u8],
        at: usize,
        seen: &mut Self::Seen,
        octets: &mut Vec<u8>,
    ) -> usize;
}

/// How far a machine came with base64.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// How many octets it took.
    pub(super) taken: usize,
    /// Within how many octets it is not worth while to try again; those that it took, or more.
    pub(super) tried: usize,
}

impl Reached {
    fn new(taken: usize, tried: usize) -> Self {
        Reached { taken, tried }
    }

    /// All of so many octets.
    pub(super) fn all(taken: usize) -> Self {
        Reached::new(taken, taken)
    }
}

/// What has one finding for all of a quoted-printable body.
pub(super) trait Seen: Default {
    /// Looks at the octets before `to` that no machine took.
    fn look(&mut self, body: &[u8], to: usize);

    /// Whether the body has nothing but printable US-ASCII, blanks and line ends.
    fn is_plain(&self, body: &[u8]) -> bool;

    /// Whether a line of the body may have more than 76 characters.
    fn may_have_long_line(&self, body: &[u8]) -> bool;
}

#[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
impl Machine for Vectors {
    // A line that is longer is as good as one without an end.
    const LONGEST_LINE: usize = 1024;

    fn letters(self, text: &[u8], octets: &mut Vec<u8>) -> Reached {
        let taken = self.letters(text, octets);
        Reached::new(taken, taken.max(32))
    }

    fn lines(self, text: &[u8], length: usize, line_end: &[u8], octets: &mut Vec<u8>) -> Reached {
        if length < 32 || !length.is_multiple_of(4) {
            return Plain.lines(text, length, line_end, octets);
        }
        let taken = self.lines(text, length, line_end, octets) * (length + line_end.len());
        Reached::all(taken)
    }

    type Seen = vector::Seen;

    const REACH: usize = vector::REACH;

    fn unchanged(self, body: &[u8], at: usize, seen: &mut vector::Seen) -> usize {
        self.unchanged(body, at, seen)
    }

    fn quoted_printable(
        self,
        body: &[u8],
        at: usize,
        seen: &mut vector::Seen,
        octets: &mut Vec<u8>,
    ) -> usize {
        self.quoted_printable(body, at, seen, octets)
    }
}

#[cfg(all(feature = "simd", any(target_arch = "x86_64", target_arch = "aarch64")))]
impl Seen for vector::Seen {
    fn look(&mut self, body: &[u8], to: usize) {
        self.look(body, to);
    }

    fn is_plain(&self, _: &[u8]) -> bool {
        self.is_plain()
    }

    fn may_have_long_line(&self, body: &[u8]) -> bool {
        self.has_long_line(body.len())
    }
}

/// By loops over arrays, which compilers turn into what every processor has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Plain;

/// Nothing on the way: a pass over the whole body is as fast.
#[derive(Debug, Default)]
pub(super) struct Unseen;

impl Seen for Unseen {
    fn look(&mut self, _: &[u8], _: usize) {}

    fn is_plain(&self, body: &[u8]) -> bool {
        // Without a way out early this compiles to vector instructions.
        body.iter().fold(true, |all, octet| {
            all & matches!(octet, b'\t' | b'\n' | b'\r' | b' '..=b'~')
        })
    }

    fn may_have_long_line(&self, _: &[u8]) -> bool {
        true
    }
}

/// Whole groups of letters to octets; knows neither blanks nor padding.
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
))]
static ENGINE: LazyLock<engine::Simd> = LazyLock::new(|| engine::Simd::standard(UNPADDED));
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
)))]
static ENGINE: LazyLock<engine::GeneralPurpose> =
    LazyLock::new(|| engine::GeneralPurpose::new(&::base64::alphabet::STANDARD, UNPADDED));
const UNPADDED: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::RequireNone);

/// Decodes whole groups of letters and says whether all are letters; if not, it appends nothing.
fn groups(letters: &[u8], octets: &mut Vec<u8>) -> bool {
    let made = octets.len();
    octets.resize(made + letters.len() / 4 * 3, 0);
    let is_clean = ENGINE.decode_slice(letters, tail_mut(octets, made)).is_ok();
    if !is_clean {
        octets.truncate(made);
    }
    is_clean
}

/// How many octets of base64 are decoded together.
const AT_ONCE: usize = 8192;
/// A shorter text is decoded as fast group by group.
const WORTH_IT: usize = 256;

impl Machine for Plain {
    const LONGEST_LINE: usize = AT_ONCE;

    fn letters(self, text: &[u8], octets: &mut Vec<u8>) -> Reached {
        if text.len() < WORTH_IT {
            return Reached::new(0, text.len());
        }
        let count = (text.len() / 4).saturating_sub(usize::from(text.ends_with(b"=")));
        let text = text.get(..count * 4).unwrap_or_default();
        let mut taken = 0;
        for letters in text.chunks(AT_ONCE) {
            if !groups(letters, octets) {
                return Reached::new(taken, taken + letters.len());
            }
            taken += letters.len();
        }
        Reached::all(taken)
    }

    /// The letters of many lines are joined and decoded together, which is what vector
    /// instructions are good at; where one of them is no letter, none of those lines is taken.
    fn lines(self, text: &[u8], length: usize, line_end: &[u8], octets: &mut Vec<u8>) -> Reached {
        if text.len() < WORTH_IT || length == 0 {
            return Reached::new(0, text.len());
        }
        let step = length + line_end.len();
        // Four lines of any one length are whole groups.
        let together = if length.is_multiple_of(4) { 1 } else { 4 };
        let most = (AT_ONCE / step).max(1).next_multiple_of(together);
        let mut joined = Vec::new();
        let mut taken = 0;
        loop {
            joined.clear();
            let mut count = 0;
            for line in tail(text, taken).chunks_exact(step).take(most) {
                let (letters, end) = line.split_at(length);
                let is_same = end.first() == line_end.first() && end.last() == line_end.last();
                if !is_same || letters.ends_with(b"=") {
                    break;
                }
                joined.extend_from_slice(letters);
                count += 1;
            }
            count -= count % together;
            joined.truncate(count * length);
            if count == 0 {
                return Reached::new(taken, taken.max(step));
            }
            if !groups(&joined, octets) {
                return Reached::new(taken, taken + count * step);
            }
            taken += count * step;
        }
    }

    type Seen = Unseen;

    const REACH: usize = 0;

    fn unchanged(self, body: &[u8], mut at: usize, _: &mut Unseen) -> usize {
        let mut last = [0; WINDOW];
        while at < body.len() {
            let rest = tail(body, at);
            let window = window(rest, &mut last);
            if (signs(window) | stops(window)) != 0 {
                break;
            }
            at += BLOCK;
        }
        at
    }

    /// The equals signs of a block are found at once, before any of them is looked at, and literal
    /// text is copied in whole pieces, whatever its length: a processor cannot foresee where a word
    /// ends, and each wrong guess costs it more than the copy.
    fn quoted_printable(
        self,
        body: &[u8],
        mut at: usize,
        _: &mut Unseen,
        octets: &mut Vec<u8>,
    ) -> usize {
        let mut last = [0; WINDOW];
        while at < body.len() {
            let rest = tail(body, at);
            let window = window(rest, &mut last);
            let length = BLOCK.min(rest.len());
            let end = length.min(stops(window).trailing_zeros() as usize);
            let mut signs = signs(window);
            let mut decoded = Decoded::new(window);
            let mut literal = 0;
            while (signs.trailing_zeros() as usize) < end {
                let sign = signs.trailing_zeros() as usize;
                signs &= signs - 1;
                decoded.copy(literal, sign);
                let following = tail(window, sign + 1).first_chunk();
                match following.copied().unwrap_or_default() {
                    [b'\r', b'\n'] => {}
                    [high, low] => {
                        let (first, second) = (digit(high), digit(low));
                        if (first | second) >= LOWER_CASE {
                            octets.extend_from_slice(decoded.octets());
                            return at + sign;
                        }
                        decoded.put(first << 4 | second);
                    }
                }
                literal = sign + 3;
            }
            decoded.copy(literal, end);
            octets.extend_from_slice(decoded.octets());
            at += literal.max(end);
            if end < length {
                break;
            }
        }
        at
    }
}

/// Literal text is copied in pieces of this size.
const PIECE: usize = 16;
/// A block, and what is read too much behind it.
const WINDOW: usize = BLOCK + PIECE;

/// The block at the beginning of `rest`, with line ends behind the end of the body. They are no
/// CRLF, which an equals sign could make a soft line break of.
fn window<'a>(rest: &'a [u8], last: &'a mut [u8; WINDOW]) -> &'a [u8; WINDOW] {
    if let Some(window) = rest.first_chunk() {
        return window;
    }
    *last = [b'\r'; WINDOW];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    last
}

/// The equals signs of a block, the first octet's bit lowest.
fn signs(window: &[u8; WINDOW]) -> u64 {
    let block = window.first_chunk().unwrap_or(&[0; BLOCK]);
    let signs = block::flags(block, |octet| octet == b'=');
    u64::from_le_bytes(block::Plain.eights(&signs))
}

/// The blanks of a block that a line end or the end of the body follows.
fn stops(window: &[u8; WINDOW]) -> u64 {
    let mut stops = [0; BLOCK];
    for ((stop, octet), next) in stops.iter_mut().zip(window).zip(tail(window, 1)) {
        let is_stop = is_blank(*octet) & matches!(next, b'\r' | b'\n');
        *stop = u8::from(is_stop).wrapping_neg();
    }
    u64::from_le_bytes(block::Plain.eights(&stops))
}

/// What a block was decoded to.
struct Decoded<'w> {
    window: &'w [u8; WINDOW],
    octets: [u8; WINDOW],
    length: usize,
}

impl<'w> Decoded<'w> {
    fn new(window: &'w [u8; WINDOW]) -> Self {
        Decoded {
            window,
            octets: [0; WINDOW],
            length: 0,
        }
    }

    fn octets(&self) -> &[u8] {
        self.octets.get(..self.length).unwrap_or_default()
    }

    /// Copies literal text in whole pieces.
    fn copy(&mut self, from: usize, to: usize) {
        let length = to.saturating_sub(from);
        let mut done = 0;
        while done < length {
            if let (Some(piece), Some(place)) = (
                tail(self.window, from + done).first_chunk::<PIECE>(),
                self.octets.get_mut(self.length + done..),
            ) && let Some(place) = place.first_chunk_mut()
            {
                *place = *piece;
            }
            done += PIECE;
        }
        self.length += length;
    }

    fn put(&mut self, octet: u8) {
        if let Some(place) = self.octets.get_mut(self.length) {
            *place = octet;
        }
        self.length += 1;
    }
}
