//! Decodes text in pieces.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::codec::{Codec, MAX_PENDING, Sink};
use super::decoded::Decoded;
use super::families::with_codec;
use super::options::Options;
use super::value::Charset;
use crate::report::Report;

/// Decodes text in pieces. The text and the findings do not depend on where a piece ends.
///
/// Text is held back if later octets may change it, at most until [`finish`](Decoder::finish). This
/// applies to old Hangul under [`HangulPolicy::Auto`](super::hangul::HangulPolicy::Auto), and to
/// the octet order of UTF-16 without a byte order mark.
///
/// ```
/// use mime_charset::{Charset, Decoder};
///
/// let mut decoder = Decoder::new(Charset::UTF_8);
/// let mut text = String::new();
/// for piece in [b"\xED\x95".as_slice(), b"\x9C"] {
///     text += decoder.push(piece);
/// }
/// let rest = decoder.finish();
/// text += rest.as_str();
/// assert_eq!(text, "한");
/// ```
///
/// A clone continues from the same position. Callers that may have to go back keep a clone.
#[derive(Clone)]
pub struct Decoder {
    charset: Charset,
    codec: Box<dyn Codec>,
    /// Octets that the codec could not decode yet.
    pending: Vec<u8>,
    /// The number of octets that the codec has consumed.
    done: usize,
    text: String,
    pub(super) report: Report,
}

impl Decoder {
    /// A decoder at the start of a text in `charset`, with default [`Options`].
    #[must_use]
    pub fn new(charset: Charset) -> Self {
        Self::with_options(charset, &Options::new())
    }

    /// A decoder with `options`.
    ///
    /// ```
    /// use mime_charset::{Charset, Decoder, Options, hangul::HangulPolicy};
    ///
    /// // To the letter of RFC 2279, section 5: no text is held back.
    /// let always = Options::new().hangul(HangulPolicy::Always);
    /// let mut decoder = Decoder::with_options(Charset::UNICODE_1_1_UTF_8, &always);
    /// assert_eq!(decoder.push("\u{3CA2}".as_bytes()), "한");
    /// ```
    #[must_use]
    pub fn with_options(charset: Charset, options: &Options) -> Self {
        let charset = charset.read_as(options);
        Decoder {
            charset,
            codec: with_codec(charset.about().family, options, |codec| codec.clone_boxed()),
            pending: Vec::new(),
            done: 0,
            text: String::new(),
            report: Report::new(),
        }
    }

    /// Decodes the next octets and returns the text that is decided, which may be empty.
    pub fn push(&mut self, octets: &[u8]) -> &str {
        self.text.clear();
        self.feed(octets, false);
        &self.text
    }

    /// The number of octets that the decoder has decoded. The remaining octets are buffered until
    /// more octets follow; [`take_back`](Decoder::take_back) drops them.
    ///
    /// The text of the decoded octets is what [`push`](Decoder::push) has returned so far, unless
    /// the decoder holds text back. Without a byte order mark, UTF-16 and UTF-32 hold the first
    /// 4,096 octets until their order is known. Charsets of Unicode 1.1 hold the text until it
    /// shows whether its Hangul is old. [`finish`](Decoder::finish) returns the held text.
    ///
    /// ```
    /// use mime_charset::{Charset, Decoder};
    ///
    /// let mut decoder = Decoder::new(Charset::UTF_8);
    /// assert_eq!(decoder.push(b"a\xED\x95"), "a");
    /// assert_eq!(decoder.decided(), 1);
    /// assert_eq!(decoder.push(b"\x9C"), "한");
    /// assert_eq!(decoder.decided(), 4);
    ///
    /// let mut decoder = Decoder::new(Charset::UTF_16);
    /// assert_eq!(decoder.push(b"\0a"), "");
    /// assert_eq!(decoder.decided(), 2);
    /// assert_eq!(decoder.finish().as_str(), "a");
    ///
    /// let mut decoder = Decoder::new(Charset::UNICODE_1_1_UTF_8);
    /// assert_eq!(decoder.push(b"a"), "");
    /// assert_eq!(decoder.decided(), 1);
    /// assert_eq!(decoder.finish().as_str(), "a");
    /// ```
    #[must_use]
    pub fn decided(&self) -> usize {
        self.done
    }

    /// Drops the buffered octets, as if they had not been pushed, and returns their number.
    /// [Decided](Decoder::decided) octets stay.
    ///
    /// For interfaces like iconv's, where the caller keeps undecoded octets.
    ///
    /// ```
    /// use mime_charset::{Charset, Decoder};
    ///
    /// let mut decoder = Decoder::new(Charset::EUC_KR);
    /// assert_eq!(decoder.push(b"a\xC7"), "a");
    /// assert_eq!((decoder.take_back(), decoder.decided()), (1, 1));
    /// assert_eq!(decoder.push(b"\xC7\xD1"), "한");
    /// ```
    pub fn take_back(&mut self) -> usize {
        let pending_length = self.pending.len();
        self.pending.clear();
        pending_length
    }

    /// The state after the [decided](Decoder::decided) octets, as a number. It is 0 at the start of
    /// a text. In stateless charsets it is always 0. Buffered octets do not affect the state.
    /// `None` if the decoder holds text or half a character back, and always under
    /// [`HangulPolicy::Auto`](super::hangul::HangulPolicy::Auto).
    ///
    /// [`resume`](Decoder::resume) makes a new decoder in this state. The numbers are specific to this
    /// version of the library.
    ///
    /// ```
    /// use mime_charset::{Charset, Decoder, Options};
    ///
    /// let charset = Charset::for_label("iso-2022-kr").unwrap();
    /// let mut decoder = Decoder::new(charset);
    /// assert_eq!(decoder.push(b"\x1B$)C\x0EGQ"), "한");
    /// let state = decoder.state().unwrap();
    /// let mut other = Decoder::resume(charset, &Options::new(), state).unwrap();
    /// assert_eq!(other.push(b"19"), "국");
    /// assert!(Decoder::resume(Charset::UTF_8, &Options::new(), state).is_none());
    /// ```
    #[must_use]
    pub fn state(&self) -> Option<u128> {
        self.codec.state()
    }

    /// A decoder in the [`state`](Decoder::state) of another decoder with the same charset and options;
    /// `None` if the number is not a state. Offsets, and findings about a whole text, count from here.
    #[must_use]
    pub fn resume(charset: Charset, options: &Options, state: u128) -> Option<Self> {
        let mut decoder = Self::with_options(charset, options);
        decoder.codec.resume(state);
        Some(decoder).filter(|decoder| decoder.state() == Some(state))
    }

    /// Removes and returns the findings since the last call. Offsets count the octets of all pieces.
    /// [`finish`](Decoder::finish) then reports the rest.
    ///
    /// ```
    /// use mime_charset::{Charset, Decoder};
    ///
    /// let mut decoder = Decoder::new(Charset::US_ASCII);
    /// assert_eq!(decoder.push(b"a\xFF"), "a\u{FFFD}");
    /// assert_eq!(decoder.take_report().findings()[0].offset(), 1);
    /// assert!(decoder.finish().report().is_empty());
    /// ```
    #[must_use]
    pub fn take_report(&mut self) -> Report {
        std::mem::take(&mut self.report)
    }

    /// The text that was held back, and the report on the whole text. Offsets count the octets of all
    /// pieces. A sequence truncated at the end is malformed.
    #[must_use]
    pub fn finish(mut self) -> Decoded<'static> {
        self.text.clear();
        self.feed(&[], true);
        Decoded::new(Cow::Owned(self.text), self.charset, self.report)
    }

    /// Returns the text held back when the input ends early, but does not decode a sequence truncated
    /// at the end. Also returns that sequence's range in the octets of all pieces.
    pub(crate) fn finish_partial(mut self) -> (Decoded<'static>, Range<usize>) {
        self.text.clear();
        let mut sink = Sink {
            text: &mut self.text,
            report: &mut self.report,
            base: self.done,
        };
        let unread = self.codec.flush_partial(&mut sink);
        let unread = self.done.saturating_sub(unread)..self.done + self.pending.len();
        let decoded = Decoded::new(Cow::Owned(self.text), self.charset, self.report);
        (decoded, unread)
    }

    fn feed(&mut self, mut octets: &[u8], last: bool) {
        // Complete the pending octets with just enough new ones.
        let mut pending = std::mem::take(&mut self.pending);
        if !pending.is_empty() && (last || !octets.is_empty()) {
            let pending_length = pending.len();
            let (more, rest) = octets.split_at(octets.len().min(2 * MAX_PENDING));
            pending.extend_from_slice(more);
            let used = self.run(&pending, last && rest.is_empty());
            if rest.is_empty() {
                // The codec has seen all input. Keep the octets that it left undecided.
                pending.drain(..used);
                self.pending = pending;
                return;
            }
            // Decode the rest in place. The codec left fewer octets undecided than were added.
            octets = octets
                .get(used.saturating_sub(pending_length)..)
                .unwrap_or_default();
            pending.clear();
        }
        if pending.is_empty() {
            let used = self.run(octets, last);
            pending.extend_from_slice(octets.get(used..).unwrap_or_default());
        }
        self.pending = pending;
    }

    fn run(&mut self, octets: &[u8], last: bool) -> usize {
        let mut sink = Sink {
            text: &mut self.text,
            report: &mut self.report,
            base: self.done,
        };
        let used = self.codec.decode(octets, last, &mut sink).min(octets.len());
        debug_assert!(
            last || octets.len() - used <= MAX_PENDING,
            "too many undecided octets"
        );
        self.done += used;
        used
    }
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Decoder")
            .field("charset", &self.charset)
            .finish_non_exhaustive()
    }
}
