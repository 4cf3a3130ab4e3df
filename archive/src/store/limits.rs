//! Limits for compressed files and long messages.

/// Limits for compressed files and long messages.
///
/// ```
/// use mime_charset_archive::{Limits, sources};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let file = folder.path().join("long.eml");
/// std::fs::write(&file, format!("Subject: {}\n\n", "x".repeat(2000))).unwrap();
/// let limits = Limits::new().ratio(20).octets(1 << 30).message(1000);
/// let source = sources(&file, limits).next().unwrap().unwrap();
/// let error = source.messages().unwrap().next().unwrap().unwrap_err();
/// assert!(error.to_string().contains("expected messages of at most 1000 octets"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub(super) ratio: u64,
    pub(super) octets: u64,
    pub(super) message: usize,
}

impl Limits {
    /// Expanded length that is always allowed.
    const FREE: u64 = 16 << 20;

    /// Compressed files expand to at most 200 times their size, or 16 MiB if that is more,
    /// and to at most 1 TiB; messages have at most 1 GiB.
    #[must_use]
    pub const fn new() -> Self {
        Limits {
            ratio: 200,
            octets: 1 << 40,
            message: 1 << 30,
        }
    }

    /// Maximum ratio of expanded to compressed size; 16 MiB are always allowed.
    #[must_use]
    pub const fn ratio(mut self, ratio: u64) -> Self {
        self.ratio = ratio;
        self
    }

    /// Maximum number of octets a compressed file expands to.
    #[must_use]
    pub const fn octets(mut self, octets: u64) -> Self {
        self.octets = octets;
        self
    }

    /// Maximum number of octets in a message.
    #[must_use]
    pub const fn message(mut self, octets: usize) -> Self {
        self.message = octets;
        self
    }

    /// The maximum expanded length of a file of this size.
    pub(super) fn most(self, size: u64) -> u64 {
        self.ratio
            .saturating_mul(size)
            .max(Limits::FREE)
            .min(self.octets)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::new()
    }
}
