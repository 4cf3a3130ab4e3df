//! UTF-7 (RFC 2152, and RFC 1642 before it), and the names of mailboxes in IMAP (RFC 3501,
//! section 5.1.3), which are UTF-7 with `&` for `+` and `,` for `/`.
//!
//! UTF-7 can hide any text in letters, and reads ASCII with a plus sign as something else:
//! it is chosen by a label alone, never by what octets look like.
//!
//! As RFC 2152 says, any octet outside the alphabet ends a run of base64, an equals sign
//! like others, and the hyphen that ends one is not text. What is not allowed and plain all
//! the same is read and reported: octets that should have been in a run, and the shifts that
//! IMAP rules out. Markup in a run, which writers of set O put there by right and others to hide
//! it, is noted. A plus sign that begins nothing and bits that are left at the end of a run
//! become one U+FFFD each; neither takes an octet of text with it. Three octets of base64
//! give at most three of UTF-8.

use super::codec::{Codec, Sink};
use super::pairs;
use super::utf16::CodeUnits;
use crate::report::Kind;

/// The document that a text keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Mail,
    Imap,
}

impl Dialect {
    /// What begins a run.
    fn shift(self) -> u8 {
        match self {
            Dialect::Mail => b'+',
            Dialect::Imap => b'&',
        }
    }

    /// Whether an octet may stand for itself: sets D and O and rule 3 of RFC 2152, or the
    /// printable ASCII of RFC 3501.
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

    /// The six bits of a character of base64.
    const fn sextet(self, octet: u8) -> Option<u8> {
        Some(match octet {
            b'A'..=b'Z' => octet - b'A',
            b'a'..=b'z' => octet - b'a' + 26,
            b'0'..=b'9' => octet - b'0' + 52,
            b'+' => 62,
            b'/' if matches!(self, Dialect::Mail) => 63,
            b',' if matches!(self, Dialect::Imap) => 63,
            _ => return None,
        })
    }
}

/// The six bits of each character of mail's base64, and 64 for all others.
#[expect(
    clippy::indexing_slicing,
    reason = "runs while compiling, within an array of all octets"
)]
static SEXTETS: [u8; 256] = {
    let mut sextets = [64; 256];
    let mut octet: u8 = 0;
    while octet < 0x80 {
        if let Some(sextet) = Dialect::Mail.sextet(octet) {
            sextets[octet as usize] = sextet;
        }
        octet += 1;
    }
    sextets
};

#[derive(Clone)]
pub(super) struct Utf7Codec {
    dialect: Dialect,
    run: Option<Run>,
    units: CodeUnits,
    /// Whether nothing stands between here and the hyphen of the last run.
    run_just_ended: bool,
    /// Whether encoded markup was met and reported: what it says, it says of the text.
    has_markup: bool,
}

/// A run of base64 that is not at its end.
#[derive(Clone, Copy)]
struct Run {
    /// Where its shift lies.
    start: usize,
    is_empty: bool,
    /// Bits that make no unit yet, at most fifteen, and how many.
    bits: u32,
    count: u32,
    /// Where the octet lies that the first of them is from.
    from: usize,
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

/// Whether a character is one of those with which a document hides a tag, an attribute or an
/// entity. All of them may stand for themselves (RFC 2152, sets D and O).
fn is_markup(unit: u16) -> bool {
    const MARKUP: u64 = {
        let (mut all, mut at) = (0, 0);
        let characters = b"<>&\"'=";
        while at < characters.len() {
            #[expect(clippy::indexing_slicing, reason = "the compiler runs this")]
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
            if let Some(run) = self.run {
                let taken = self.take_run(run, rest, offset, &mut text, sink);
                at += taken;
                if taken == 0 {
                    text.flush(sink.text);
                    at += usize::from(self.in_run(run, octet, offset, sink));
                }
                continue;
            }
            let direct = rest
                .iter()
                .take_while(|&&octet| self.dialect.is_direct(octet))
                .count();
            if direct > 0 {
                let text = rest
                    .get(..direct)
                    .and_then(|run| std::str::from_utf8(run).ok());
                sink.text.push_str(text.unwrap_or_default());
                self.run_just_ended = false;
                at += direct;
            } else {
                self.not_direct(octet, offset, sink);
                at += 1;
            }
        }
        text.flush(sink.text);
        if last && let Some(run) = self.run {
            let end = sink.base + at;
            self.end_run(run, None, end, sink);
        }
        at
    }
}

impl Utf7Codec {
    fn not_direct(&mut self, octet: u8, offset: usize, sink: &mut Sink<'_>) {
        if octet == self.dialect.shift() {
            self.run = Some(Run {
                start: offset,
                is_empty: true,
                bits: 0,
                count: 0,
                from: offset,
            });
            return;
        }
        self.run_just_ended = false;
        if octet.is_ascii() {
            sink.text.push(char::from(octet));
            let what = "a character that has to be encoded stands for itself";
            sink.report.add_in_octets(Kind::Utf7Syntax, offset, 1, what);
        } else {
            sink.replace(Kind::Malformed, offset, 1, "octet above 7F");
        }
    }

    /// Takes what most runs consist of, the characters of the Basic Multilingual Plane: how
    /// many octets. What begins a surrogate is left, and so is all that IMAP has rules about.
    fn take_run(
        &mut self,
        mut run: Run,
        input: &[u8],
        base: usize,
        text: &mut pairs::Run,
        sink: &mut Sink<'_>,
    ) -> usize {
        if self.dialect == Dialect::Imap {
            return 0;
        }
        let mut taken = 0;
        for (&octet, offset) in input.iter().zip(base..) {
            let Some(&sextet @ 0..64) = SEXTETS.get(usize::from(octet)) else {
                break;
            };
            let bits = run.bits << 6 | u32::from(sextet);
            if run.count < 10 {
                if run.count == 0 {
                    run.from = offset;
                }
                run.bits = bits;
                run.count += 6;
            } else {
                let left = run.count - 10;
                // Masked to sixteen bits.
                let unit = u16::try_from(bits >> left & 0xFFFF).unwrap_or_default();
                if !self.units.is_whole(unit) {
                    break;
                }
                if text.is_full() {
                    text.flush(sink.text);
                }
                text.put_unit(unit);
                if !self.has_markup && is_markup(unit) {
                    self.note_markup(run.from, offset, sink);
                }
                run.bits = bits & ((1 << left) - 1);
                run.count = left;
                run.from = offset;
            }
            run.is_empty = false;
            taken += 1;
        }
        self.run = Some(run);
        taken
    }

    /// Reports encoded markup from `from` to `last`, once: it tells people to look at the text.
    #[cold]
    fn note_markup(&mut self, from: usize, last: usize, sink: &mut Sink<'_>) {
        self.has_markup = true;
        let what = "markup that is encoded and need not be (RFC 2152, rule 1)";
        let length = last + 1 - from;
        sink.report
            .add_in_octets(Kind::Utf7Markup, from, length, what);
    }

    /// Takes an octet inside a run, and says whether it is done with: what ends a run is
    /// text behind it, but for the hyphen.
    fn in_run(&mut self, mut run: Run, octet: u8, offset: usize, sink: &mut Sink<'_>) -> bool {
        let Some(sextet) = self.dialect.sextet(octet) else {
            return self.end_run(run, Some(octet), offset, sink);
        };
        if run.is_empty && self.run_just_ended && self.dialect == Dialect::Imap {
            let what = "a run behind a run, which should be one (RFC 3501, section 5.1.3)";
            sink.report
                .add_in_octets(Kind::Utf7Syntax, run.start, 1, what);
        }
        run.is_empty = false;
        if run.count == 0 {
            run.from = offset;
        }
        run.bits = run.bits << 6 | u32::from(sextet);
        run.count += 6;
        if run.count >= 16 {
            run.count -= 16;
            let unit = (run.bits >> run.count) & 0xFFFF;
            run.bits &= (1 << run.count) - 1;
            let length = offset + 1 - run.from;
            if self.dialect == Dialect::Imap && matches!(unit, 0x20..=0x7E) {
                let what = "an ASCII character that has to stand for itself is encoded";
                sink.report
                    .add_in_octets(Kind::Utf7Syntax, run.from, length, what);
            }
            // Masked to sixteen bits.
            let unit = u16::try_from(unit).unwrap_or_default();
            if self.dialect == Dialect::Mail && !self.has_markup && is_markup(unit) {
                self.note_markup(run.from, offset, sink);
            }
            self.units.push(unit, run.from, length, sink);
            run.from = offset;
        }
        self.run = Some(run);
        true
    }

    /// Ends a run before `octet`, which lies at `offset`, or at the end of the text.
    fn end_run(&mut self, run: Run, octet: Option<u8>, offset: usize, sink: &mut Sink<'_>) -> bool {
        self.run = None;
        self.units.finish(sink);
        let hyphen = octet == Some(b'-');
        if run.is_empty {
            if hyphen {
                sink.text.push(char::from(self.dialect.shift()));
            } else {
                sink.replace(
                    Kind::Malformed,
                    run.start,
                    1,
                    "a shift with nothing behind it",
                );
            }
            self.run_just_ended = false;
            return hyphen;
        }
        // RFC 2152, rule 2: fewer than six bits, all of them zero, only fill the last octet.
        if run.count >= 6 || run.bits != 0 {
            let what = "bits that are no character at the end of a run";
            sink.replace(Kind::Malformed, run.from, offset - run.from, what);
        }
        if !hyphen && self.dialect == Dialect::Imap {
            let what = "a run without a hyphen at its end (RFC 3501, section 5.1.3)";
            sink.report
                .add_in_octets(Kind::Utf7Syntax, run.start, offset - run.start, what);
        }
        self.run_just_ended = hyphen;
        hyphen
    }
}
