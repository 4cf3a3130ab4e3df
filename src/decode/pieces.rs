//! The text of a body a piece at a time. The text of a large body takes more memory than the body;
//! in pieces it is never in memory as a whole. A small body is one piece.

use std::borrow::Cow;
use std::ops::Range;

use super::unneeded::Unneeded;
use crate::charset::hangul::{self, HangulPolicy};
use crate::charset::{Charset, Decoded, Decoder, Options};
use crate::report::Report;
use crate::transfer::{Pieces, TransferEncoding};

/// A body of more octets is read in several pieces.
pub(crate) const ONE_PIECE: usize = 256 << 10;

/// How the octets of a body become text, once its charset is decided.
#[derive(Debug, Clone, Copy)]
pub(crate) struct How {
    pub(crate) encoding: TransferEncoding,
    pub(crate) charset: Charset,
    pub(crate) options: Options,
}

/// The text of a body, piece by piece.
///
/// A byte order mark stays where it is a character. At the start of UTF-16 and UTF-32 without a
/// fixed order it only says which order that is (RFC 2781, section 3.2), and is left out.
///
/// ```text
/// body ─Pieces─▶ octets ─Observer─▶ octets ─Decoder─▶ text
/// ```
pub(crate) struct TextPieces<'b, O> {
    /// The charset that the octets are read in.
    charset: Charset,
    /// What is still to be read.
    unread: Option<Unread<'b>>,
    /// What looks at the octets under the transfer encoding.
    observer: O,
    /// The piece at hand, and how much of it was taken.
    piece: Cow<'b, str>,
    taken: usize,
    is_first: bool,
    is_one: bool,
    /// What was found: first in the transfer encoding, then by the decision, then in the text.
    report: Report,
}

/// Octets that are not read yet.
struct Unread<'b> {
    octets: Pieces<'b>,
    decoder: Decoder,
    unneeded: Unneeded,
    /// What is known before they are read.
    before: Before,
}

/// What is known of a large body before its text is read.
#[derive(Debug, Default)]
pub(crate) struct Before {
    /// What the decision about its charset has found.
    pub(crate) decision: Report,
    /// Where the body begins in its message.
    pub(crate) start: usize,
}

/// What looks at the octets of a body, piece by piece.
pub(crate) trait Observer {
    fn look(&mut self, octets: &[u8]);
}

impl Observer for () {
    fn look(&mut self, _: &[u8]) {}
}

/// What is known once a text is read to its end.
pub(crate) struct Known<'b, O> {
    /// The charset that it was read in.
    pub(crate) charset: Charset,
    pub(crate) observer: O,
    /// What was found in the transfer encoding, by the decision, and in the text.
    pub(crate) report: Report,
    /// The text, where it was one piece.
    pub(crate) text: Option<Cow<'b, str>>,
}

/// How much text the first piece has at least: a declaration in a document lies in it.
const START: usize = 8 << 10;

impl<'b, O: Observer> TextPieces<'b, O> {
    /// A text that was read as a whole, and the octets that it was read from.
    pub(crate) fn whole(octets: &[u8], mut decoded: Decoded<'b>, mut observer: O) -> Self {
        observer.look(octets);
        let report = std::mem::take(&mut decoded.report);
        let mut text = TextPieces {
            charset: decoded.charset(),
            unread: None,
            observer,
            piece: decoded.into_text(),
            taken: 0,
            is_first: false,
            is_one: true,
            report,
        };
        text.leave_order_out();
        text
    }

    /// The text of a body that is to be read.
    pub(crate) fn new(body: &'b [u8], how: How, before: Before, observer: O) -> Self {
        TextPieces {
            charset: how.charset,
            unread: Some(Unread {
                octets: Pieces::new(body, how.encoding),
                decoder: Decoder::with_options(how.charset, &how.options),
                unneeded: Unneeded::default(),
                before,
            }),
            observer,
            piece: Cow::Owned(String::new()),
            taken: 0,
            is_first: true,
            is_one: false,
            report: Report::new(),
        }
    }

    /// What is left of the piece at hand, or the next one; empty at the end.
    pub(crate) fn piece(&mut self) -> &str {
        while self.taken >= self.piece.len() && self.unread.is_some() {
            self.piece.to_mut().clear();
            self.taken = 0;
            self.read();
            if std::mem::take(&mut self.is_first) {
                while self.piece.len() < START && self.unread.is_some() {
                    self.read();
                }
                self.leave_order_out();
            }
        }
        self.piece.get(self.taken..).unwrap_or_default()
    }

    /// Takes so many octets of the piece.
    pub(crate) fn take(&mut self, length: usize) {
        self.taken += length;
    }

    /// Writes other text over a range of the piece at hand, of which nothing was taken.
    pub(crate) fn replace(&mut self, place: Range<usize>, text: &str) {
        if self.piece.is_char_boundary(place.start) && self.piece.is_char_boundary(place.end) {
            self.piece.to_mut().replace_range(place, text);
        }
    }

    /// Reads what is left, and says what is known then.
    pub(crate) fn finish(mut self) -> Known<'b, O> {
        loop {
            let length = self.piece().len();
            if length == 0 {
                break;
            }
            self.take(length);
        }
        Known {
            charset: self.charset,
            observer: self.observer,
            report: self.report,
            text: self.is_one.then_some(self.piece),
        }
    }

    /// Adds the text of the next octets to the piece.
    fn read(&mut self) {
        let Some(mut unread) = self.unread.take() else {
            return;
        };
        let piece = self.piece.to_mut();
        let start = piece.len();
        if let Some(octets) = unread.octets.next() {
            self.observer.look(octets);
            piece.push_str(unread.decoder.push(octets));
            let new = piece.get(start..).unwrap_or_default();
            unread.unneeded.look(new, false);
            self.unread = Some(unread);
            return;
        }
        let rest = unread.decoder.finish();
        self.charset = rest.charset();
        piece.push_str(rest.as_str());
        let new = piece.get(start..).unwrap_or_default();
        unread.unneeded.look(new, false);
        self.report = unread.octets.into_report();
        self.report.shift(unread.before.start);
        self.report.absorb(unread.before.decision, 0);
        self.report.absorb(rest.report, 0);
        unread.unneeded.into_report(&mut self.report);
    }

    /// Leaves out the byte order mark that only says which order the octets are in.
    fn leave_order_out(&mut self) {
        if says_order(self.charset)
            && let Some(rest) = self.piece.strip_prefix('\u{FEFF}')
        {
            self.piece = Cow::Owned(rest.to_owned());
        }
    }
}

impl How {
    /// The same reading of a body where it does not wait for the end: what all of a text in
    /// Unicode 1.1 says of old Hangul is asked beforehand.
    pub(crate) fn settled(mut self, body: &[u8]) -> How {
        if self.options.hangul != HangulPolicy::Auto || !self.options.remaps(self.charset) {
            return self;
        }
        self.options.hangul = HangulPolicy::Never;
        let mut text = TextPieces::new(body, self, Before::default(), ());
        loop {
            let piece = text.piece();
            if piece.is_empty() {
                self.options.hangul = HangulPolicy::Always;
                return self;
            }
            if hangul::census(piece).is_contradicted() {
                return self;
            }
            let length = piece.len();
            text.take(length);
        }
    }
}

/// Whether a byte order mark at the start of a text in this charset is no character.
fn says_order(charset: Charset) -> bool {
    matches!(
        charset.name(),
        "UTF-16" | "UTF-32" | "ISO-10646-UCS-2" | "ISO-10646-UCS-4"
    )
}

/// The end of the piece before, for what lies across two pieces: `N` octets of it at least.
#[derive(Debug, Default)]
pub(crate) struct Seam<const N: usize> {
    end: Vec<u8>,
    /// Whether other octets came before that end.
    is_cut: bool,
}

impl<const N: usize> Seam<N> {
    /// Whether `has` finds something of at most `N` octets in these octets, or across from those
    /// before them. It is told which octet stands before those that it is to look at, if one does.
    pub(crate) fn look(&mut self, octets: &[u8], has: impl Fn(Option<u8>, &[u8]) -> bool) -> bool {
        let mut found = has(self.end.last().copied(), octets);
        if !self.end.is_empty() {
            // What begins with the first octet of the end was found with those before.
            let before = self.is_cut.then_some(b'x');
            let start = octets.get(..N).unwrap_or(octets);
            found |= has(before, &[&self.end, start].concat());
        }
        let kept = octets.len().saturating_sub(N);
        if kept > 0 {
            self.end.clear();
            self.is_cut = true;
        }
        self.end
            .extend_from_slice(octets.get(kept..).unwrap_or_default());
        let more = self.end.len().saturating_sub(N);
        if more > 0 {
            self.end.drain(..more);
            self.is_cut = true;
        }
        found
    }
}
