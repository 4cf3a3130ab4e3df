//! The likely charset of octets and its confidence.

use crate::charset::Charset;
use crate::report::Source;

/// The likely charset of octets, with its confidence.
///
/// ```
/// use mime_charset::{Charset, Source, detect};
///
/// let guess = detect::detect(b"caf\xC3\xA9");
/// assert_eq!((guess.charset, guess.source), (Charset::UTF_8, Source::Evidence));
/// assert!(guess.confidence > 90);
/// // The octets C3 A9 prove it.
/// assert_eq!((guess.offset, guess.length), (3, 2));
/// assert_eq!(guess.runner_up, None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Guess {
    /// The charset.
    pub charset: Charset,
    /// [`Source::Bom`] for a byte order mark, [`Source::Evidence`] for octets that can only be in this
    /// charset, [`Source::Detected`] for the most likely charset, or [`Source::Default`] without
    /// evidence.
    pub source: Source,
    /// The likelihood that the guess gives the right text, in percent, at most 99.
    ///
    /// The values for the most likely charset were measured. Texts of 20, 60 and 300 octets were
    /// drawn from real text in each charset, in proportion to its share of mail, half of them with
    /// few octets above 7F. The confidence is the share of right guesses among the guesses with the
    /// same margin over the runner-up. It is 20 if the octets resemble no language in any charset.
    ///
    /// ```
    /// use mime_charset::detect;
    ///
    /// // "Über den Wolken" in windows-1252, and two octets that may be anything.
    /// assert!(detect::detect(b"\xDCber den Wolken, schrieb J\xFCrgen").confidence >= 90);
    /// assert!(detect::detect(b"\xE4\xC1").confidence < 80);
    /// ```
    pub confidence: u8,
    /// Whether the guess is more reliable than a charset known from the rest of the message.
    pub(crate) is_firm: bool,
    /// The most likely charset that gives another text, if likelihood decided.
    pub runner_up: Option<Charset>,
    /// The offset of the octets that prove the charset.
    pub offset: usize,
    /// The number of octets that prove the charset; 0 without evidence.
    pub length: usize,
}

impl Guess {
    /// Whether the octets are like text at all.
    pub(crate) fn is_like_text(&self) -> bool {
        self.confidence > LIKE_NO_TEXT
    }

    /// This guess, made not firm and with a confidence of at most `most` percent.
    pub(crate) fn at_most(mut self, most: u8) -> Self {
        self.confidence = self.confidence.min(most);
        self.is_firm = false;
        self
    }

    /// The default for octets without evidence.
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

    /// The default for octets above 7F.
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

    /// A charset that the octets prove.
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

/// Confidence in a charset that the octets prove: false proofs are constructed, not found in mail.
pub(super) const CERTAIN: u8 = 98;

/// Confidence, in percent, in a charset in which the octets are not like text.
pub(super) const LIKE_NO_TEXT: u8 = 20;

/// Minimum margin of a [firm](Guess::is_firm) guess over the second-best text, in quarters of a bit. If
/// all charsets were equally frequent, seven eighths of the guesses with this margin would be right.
#[cfg(feature = "detect")]
pub(super) const FIRM: i16 = 28;
