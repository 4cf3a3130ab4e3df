//! Replaces scoring without the feature `detect`: no charset is more likely than another.

use super::guess::Guess;
use crate::charset::{Charset, Origin};

/// The prior, which is not used.
#[derive(Debug, Clone)]
pub(crate) struct Prior;

impl Prior {
    /// Without evidence.
    pub(crate) const NONE: Prior = Prior;

    /// Ignores the context.
    pub(crate) fn new(_charsets: [Option<Charset>; 2], _origin: Origin) -> Prior {
        Prior
    }

    /// Ignores the label.
    pub(crate) fn labelled(self, _label: Charset) -> Prior {
        self
    }
}

/// Whether a charset is scored.
pub(crate) fn is_weighed(_charset: Charset) -> bool {
    false
}

/// The most likely charset of octets.
pub(super) fn weigh(_octets: &[u8], _prior: &Prior) -> Option<Guess> {
    None
}
