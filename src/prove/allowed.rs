//! What a conversion was allowed to change.

use crate::charset;
use crate::report::Source;

/// What a conversion was allowed to change, and how both messages are read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowed {
    pub(crate) reading: charset::Options,
    /// Whether text parts that are attachments may be changed.
    pub(crate) attachments: bool,
    /// Whether a declaration inside a document may name UTF-8 now.
    pub(crate) declarations: bool,
    /// Whether U+FFFD may take the place of what is malformed.
    pub(crate) loss: bool,
    /// From which confidence on, in percent, a guess may be converted.
    pub(crate) guessed: Option<u8>,
}

impl Allowed {
    /// Whether a charset found so may be relied on.
    pub(crate) fn relies_on(&self, source: Source, confidence: u8) -> bool {
        !matches!(source, Source::Detected | Source::Default)
            || self.guessed.is_some_and(|least| confidence >= least)
    }
}
