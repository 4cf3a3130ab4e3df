//! What a conversion is allowed to change.

use crate::charset;
use crate::report::Source;

/// What a conversion is allowed to change, and how both messages are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    pub(crate) decoding: charset::Options,
    /// Whether text attachments may be changed.
    pub(crate) attachments: bool,
    /// Whether declarations inside documents may be changed to UTF-8.
    pub(crate) declarations: bool,
    /// Whether U+FFFD may replace malformed octets.
    pub(crate) loss: bool,
    /// The least confidence, in percent, at which a guess may be converted.
    pub(crate) guessed: Option<u8>,
}

impl Allowed {
    /// Whether a charset from this source may be relied on.
    pub(crate) fn relies_on(&self, source: Source, confidence: u8) -> bool {
        !matches!(source, Source::Detected | Source::Default)
            || self.guessed.is_some_and(|least| confidence >= least)
    }
}
