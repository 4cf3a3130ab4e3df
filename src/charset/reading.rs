//! Options for decoding: registered or practised charsets, and byte order marks.

/// Whether a label means the registered charset or the one that mail uses it for
/// ([`as_registered`](crate::Options::as_registered)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Reading {
    /// The superset that practice has settled on, cell by cell.
    #[default]
    AsPractised,
    /// The registered charset only.
    AsRegistered,
}

/// What to do with a byte order mark ([`keep_bom`](crate::Options::keep_bom)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Bom {
    /// Leave it out of the text and report it.
    #[default]
    Strip,
    /// Keep it as U+FEFF.
    Keep,
}
