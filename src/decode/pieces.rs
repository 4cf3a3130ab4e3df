//! Decodes a large body in pieces, so that its text, often larger than the body, is never in memory as a
//! whole. A small body is one piece.

use std::borrow::Cow;
use std::ops::Range;

use super::body::BodyDecoder;
use crate::charset::hangul::{self, HangulPolicy};
use crate::charset::{Charset, Decoded, Options};
use crate::report::Report;
use crate::transfer::TransferEncoding;

/// Maximum length of a body decoded in one piece.
pub(crate) const ONE_PIECE: usize = 256 << 10;

/// The number of octets of a large body decoded at once.
const PIECE: usize = 64 << 10;

/// Minimum length of the first piece: enough for the charset declaration of a document.
const START: usize = 8 << 10;

/// The transfer encoding of a body, the charset chosen for it, and the options for decoding.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyFormat {
    pub(crate) encoding: TransferEncoding,
    pub(crate) charset: Charset,
    pub(crate) options: Options,
}

/// The text of a body, in pieces.
///
/// A byte order mark at the start is kept as a character. In UTF-16 and UTF-32 without a fixed octet
/// order, it only indicates the order (RFC 2781, section 3.2) and is removed.
pub(crate) struct TextPieces<'b, O> {
    /// The charset that decodes the octets.
    pub(crate) charset: Charset,
    unread: Option<Unread<'b>>,
    /// The observer, which has seen the octets of the text so far.
    pub(crate) observer: O,
    /// The current piece. The first `taken` octets of it are already returned.
    piece: Cow<'b, str>,
    taken: usize,
    /// Whether the whole text is one piece.
    is_whole: bool,
    /// The findings: first in the transfer encoding, then of the decision, then in the text.
    pub(crate) report: Report,
}

/// The part of a body that is not decoded yet.
struct Unread<'b> {
    body: &'b [u8],
    is_start: bool,
    decoder: BodyDecoder,
    /// The findings of the decision about the charset.
    decision: Report,
    /// The offset of the body in its message.
    offset: usize,
}

/// Observes the octets of a body, in pieces, after its transfer encoding is decoded.
pub(crate) trait Observer {
    fn look(&mut self, octets: &[u8]);
}

impl Observer for () {
    fn look(&mut self, _: &[u8]) {}
}

impl<'b, O: Observer> TextPieces<'b, O> {
    /// A text that was already decoded, as one piece, from `octets`.
    pub(crate) fn whole(octets: &[u8], mut decoded: Decoded<'b>, mut observer: O) -> Self {
        observer.look(octets);
        let report = std::mem::take(&mut decoded.report);
        let mut text = TextPieces {
            charset: decoded.charset(),
            unread: None,
            observer,
            piece: decoded.into_text(),
            taken: 0,
            is_whole: true,
            report,
        };
        text.remove_order_mark();
        text
    }

    /// The text of a body that is not decoded yet and begins at `offset` in its message. `decision` has
    /// the findings about its charset.
    pub(crate) fn new(
        body: &'b [u8],
        offset: usize,
        format: BodyFormat,
        decision: Report,
        observer: O,
    ) -> Self {
        let options = format.options.partial(false).keep_bom(true);
        TextPieces {
            charset: format.charset,
            unread: Some(Unread {
                body,
                is_start: true,
                decoder: BodyDecoder::new(format.encoding, format.charset, &options),
                decision,
                offset,
            }),
            observer,
            piece: Cow::Owned(String::new()),
            taken: 0,
            is_whole: false,
            report: Report::new(),
        }
    }

    /// The rest of the current piece, or the next one; empty at the end.
    pub(crate) fn piece(&mut self) -> &str {
        while self.taken >= self.piece.len()
            && let Some(unread) = self.unread.take()
        {
            self.piece.to_mut().clear();
            self.taken = 0;
            self.read(unread);
        }
        self.piece.get(self.taken..).unwrap_or_default()
    }

    /// Marks the next `length` octets of the piece as returned.
    pub(crate) fn take(&mut self, length: usize) {
        self.taken += length;
    }

    /// Returns the rest of the current piece, or the next one; `None` at the end.
    pub(crate) fn next(&mut self) -> Option<(&str, &mut O)> {
        self.piece();
        let start = std::mem::replace(&mut self.taken, self.piece.len());
        let piece = self.piece.get(start..).filter(|piece| !piece.is_empty())?;
        Some((piece, &mut self.observer))
    }

    /// Replaces a range of the current piece. No octet of the piece may have been returned yet.
    pub(crate) fn replace(&mut self, place: Range<usize>, text: &str) {
        if self.piece.is_char_boundary(place.start) && self.piece.is_char_boundary(place.end) {
            self.piece.to_mut().replace_range(place, text);
        }
    }

    /// Decodes the rest of the text. Its charset and findings are then complete.
    pub(crate) fn finish(mut self) -> Self {
        while self.next().is_some() {}
        self
    }

    /// The text, if it is one piece.
    pub(crate) fn as_whole(&self) -> Option<&str> {
        self.is_whole.then_some(&*self.piece)
    }

    /// The text, if it is one piece.
    pub(crate) fn into_whole(self) -> Option<Cow<'b, str>> {
        self.is_whole.then_some(self.piece)
    }

    /// Appends the text of the next octets to the piece.
    fn read(&mut self, mut unread: Unread<'b>) {
        let piece = self.piece.to_mut();
        let least = if unread.is_start { START } else { 1 };
        while piece.len() < least && !unread.body.is_empty() {
            let length = PIECE.min(unread.body.len());
            let (octets, rest) = unread.body.split_at(length);
            unread.body = rest;
            let observer = &mut self.observer;
            unread
                .decoder
                .push(octets, piece, |octets| observer.look(octets));
        }
        let is_start = std::mem::take(&mut unread.is_start);
        if unread.body.is_empty() {
            let observer = &mut self.observer;
            let found = unread.decoder.finish(piece, |octets| observer.look(octets));
            self.charset = found.charset;
            self.report = found.transfer;
            self.report.shift(unread.offset);
            self.report.absorb(unread.decision, 0);
            self.report.absorb(found.text, 0);
        } else {
            self.unread = Some(unread);
        }
        if is_start {
            self.remove_order_mark();
        }
    }

    /// Removes a byte order mark that only gives the octet order.
    fn remove_order_mark(&mut self) {
        if is_order_marked(self.charset)
            && let Some(rest) = self.piece.strip_prefix('\u{FEFF}')
        {
            self.piece = Cow::Owned(rest.to_owned());
        }
    }
}

impl BodyFormat {
    /// Prepares for decoding in pieces: if the charset may be that of Unicode 1.1, searches the whole
    /// body for old Hangul, so that the decoder needs no look-ahead.
    pub(crate) fn settled(mut self, body: &[u8]) -> BodyFormat {
        if self.options.hangul != HangulPolicy::Auto || !self.options.remaps(self.charset) {
            return self;
        }
        self.options.hangul = HangulPolicy::Never;
        let mut text = TextPieces::new(body, 0, self, Report::new(), ());
        while let Some((piece, ())) = text.next() {
            if hangul::census(piece).is_contradicted() {
                return self;
            }
        }
        self.options.hangul = HangulPolicy::Always;
        self
    }
}

/// Whether a byte order mark only gives the octet order in this charset.
fn is_order_marked(charset: Charset) -> bool {
    matches!(
        charset.name(),
        "UTF-16" | "UTF-32" | "ISO-10646-UCS-2" | "ISO-10646-UCS-4"
    )
}

/// Searches pieces for a pattern of at most `N` octets. Finds it across the boundary of two pieces too.
#[derive(Debug, Default)]
pub(crate) struct PieceSearch<const N: usize> {
    /// The last octets of the pieces so far, at most `N`.
    end: Vec<u8>,
    /// Whether other octets precede them.
    is_cut: bool,
}

impl<const N: usize> PieceSearch<N> {
    /// Whether `has` finds a match in the next piece, or across the boundary to the previous piece. The
    /// arguments of `has` are the preceding octet, if any, and the octets to search.
    pub(crate) fn look(&mut self, octets: &[u8], has: impl Fn(Option<u8>, &[u8]) -> bool) -> bool {
        let mut found = has(self.end.last().copied(), octets);
        if !self.end.is_empty() {
            // A match at the first octet of the buffered end was already found.
            let before = self.is_cut.then_some(b'x');
            let start = octets.get(..N).unwrap_or(octets);
            found |= has(before, &[&self.end, start].concat());
        }
        self.end.extend_from_slice(last(octets, N));
        let more = self.end.len().saturating_sub(N);
        self.is_cut |= more > 0 || octets.len() > N;
        self.end.drain(..more);
        found
    }
}

/// Whether a line begins at offset `at` of `octets`. `before` is the octet before them, if any.
pub(crate) fn begins_line(before: Option<u8>, octets: &[u8], at: usize) -> bool {
    let last = octets.get(..at).and_then(<[u8]>::last).copied().or(before);
    matches!(last, None | Some(b'\r' | b'\n'))
}

/// The last `length` octets, or all of them.
fn last(octets: &[u8], length: usize) -> &[u8] {
    let start = octets.len().saturating_sub(length);
    octets.get(start..).unwrap_or_default()
}
