//! What octets are likely to be in, and how firmly that stands.

use crate::charset::Charset;
use crate::report::Source;

/// A charset that octets are likely to be in, and how firmly that stands.
///
/// ```
/// use mime_charset::{Charset, Source, detect};
///
/// let guess = detect::detect(b"caf\xC3\xA9");
/// assert_eq!((guess.charset(), guess.source()), (Charset::UTF_8, Source::Evidence));
/// assert!(guess.confidence() > 90);
/// // The octets C3 A9 gave it away.
/// assert_eq!((guess.offset(), guess.length()), (3, 2));
/// assert_eq!(guess.runner_up(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guess {
    pub(super) charset: Charset,
    pub(super) source: Source,
    pub(super) confidence: u8,
    pub(super) is_firm: bool,
    pub(super) runner_up: Option<Charset>,
    /// The octets that gave it away.
    pub(super) offset: usize,
    pub(super) length: usize,
}

impl Guess {
    /// The charset.
    #[must_use]
    pub fn charset(&self) -> Charset {
        self.charset
    }

    /// [`Source::Bom`] for a byte order mark, [`Source::Evidence`] for octets that can only be in this
    /// charset, [`Source::Detected`] where likelihood decided, or [`Source::Default`] where there was
    /// nothing to go by.
    #[must_use]
    pub fn source(&self) -> Source {
        self.source
    }

    /// How likely the guess gives the right text, in percent, at most 99.
    ///
    /// Where likelihood decided, it was measured. Texts of 20, 60 and 300 octets were drawn from real
    /// text in each charset, as often as mail is in it, half of them with few octets above 7F. The
    /// confidence is the share of right guesses among those that were ahead of the second best by as
    /// much as this one is. It is 20 where the octets read like no language in any charset.
    ///
    /// ```
    /// use mime_charset::detect;
    ///
    /// // "Über den Wolken" in windows-1252, and two octets that may be anything.
    /// assert!(detect::detect(b"\xDCber den Wolken, schrieb J\xFCrgen").confidence() >= 90);
    /// assert!(detect::detect(b"\xE4\xC1").confidence() < 80);
    /// ```
    #[must_use]
    pub fn confidence(&self) -> u8 {
        self.confidence
    }

    /// Whether it is more likely right than what else is known of the surroundings.
    pub(crate) fn is_firm(&self) -> bool {
        self.is_firm
    }

    /// Whether the octets read like text at all.
    pub(crate) fn is_like_text(&self) -> bool {
        self.confidence > LIKE_NO_TEXT
    }

    /// The likeliest charset that gives another text, where likelihood decided.
    #[must_use]
    pub fn runner_up(&self) -> Option<Charset> {
        self.runner_up
    }

    /// How many octets lie before those that gave the charset away.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// How many octets gave the charset away; 0 where there was nothing to go by.
    #[must_use]
    pub fn length(&self) -> usize {
        self.length
    }

    /// The same guess, no surer than `most` percent, and not firm.
    pub(crate) fn at_most(mut self, most: u8) -> Self {
        self.confidence = self.confidence.min(most);
        self.is_firm = false;
        self
    }

    /// What octets are that nothing was found out about.
    pub(super) fn default_of(octets: &[u8]) -> Self {
        if !octets.is_ascii() {
            return Guess::unknown();
        }
        Guess {
            charset: Charset::US_ASCII,
            confidence: 99,
            is_firm: true,
            ..Guess::unknown()
        }
    }

    /// What octets above 7F are that nothing was found out about.
    pub(crate) fn unknown() -> Self {
        Guess {
            charset: Charset::WINDOWS_1252,
            source: Source::Default,
            confidence: 30,
            is_firm: false,
            runner_up: None,
            offset: 0,
            length: 0,
        }
    }

    /// What the octets leave no doubt about.
    pub(super) fn certain(charset: Charset, source: Source, offset: usize, length: usize) -> Self {
        Guess {
            charset,
            source,
            confidence: CERTAIN,
            is_firm: true,
            runner_up: None,
            offset,
            length,
        }
    }
}

/// The confidence in what the octets prove: false ones are made up rather than met.
pub(super) const CERTAIN: u8 = 98;

/// The confidence, in percent, in a reading that is like no text.
pub(super) const LIKE_NO_TEXT: u8 = 20;

/// By how much a guess that is [firm](Guess::is_firm) beats the next best text, in quarters of a bit:
/// where each charset is as frequent as any other, seven eighths of those that do no better are right.
#[cfg(feature = "detect")]
pub(super) const FIRM: i16 = 28;
