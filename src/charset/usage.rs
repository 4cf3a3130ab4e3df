//! Options for decoding: registered or practised charsets, and byte order marks.

/// Whether a label means the registered charset or its use in mail
/// ([`as_registered`](crate::Options::as_registered)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Usage {
    /// The superset in common use, cell by cell: windows-1252 for ISO-8859-1, UHC for EUC-KR, GB
    /// 18030 for GB2312.
    #[default]
    AsPractised,
    /// The registered charset only.
    AsRegistered,
}

/// What to do with a byte order mark ([`keep_bom`](crate::Options::keep_bom)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Bom {
    /// Remove it from the text and report it.
    #[default]
    Strip,
    /// Keep it as U+FEFF.
    Keep,
}
