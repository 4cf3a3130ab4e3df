//! What stands where octets are weighed, without the feature `detect`: nothing is likelier than
//! anything else.

use crate::charset::{Charset, Origin};

/// How much likelier each charset is than it is in all mail: not known.
#[derive(Debug, Clone)]
pub(crate) struct Prior;

impl Prior {
    /// Nothing is known.
    pub(crate) const NONE: Prior = Prior;

    /// What the charsets of other parts or fields say, and where the mail comes from.
    pub(crate) fn new(_charsets: [Option<Charset>; 2], _origin: Origin) -> Prior {
        Prior
    }

    /// The same where a label names this charset that nothing bears out.
    pub(crate) fn labelled(self, _label: Charset) -> Prior {
        self
    }
}

/// Whether a charset is weighed with the others.
pub(crate) fn is_weighed(_charset: Charset) -> bool {
    false
}

/// What the weighing of octets comes to.
pub(super) struct Verdict {
    pub(super) charset: Charset,
    pub(super) confidence: u8,
    pub(super) is_firm: bool,
    pub(super) runner_up: Option<Charset>,
}

/// The likeliest charset of octets.
pub(super) fn weigh(_octets: &[u8], _prior: &Prior) -> Option<Verdict> {
    None
}
