//! How to treat existing files.

/// How to treat existing files.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, sync::atomic::AtomicBool};
/// use mime_charset_archive::Existing;
/// use mime_charset_archive::Convert;
///
/// # let folder = tempfile::tempdir()?;
/// let (old, new) = (folder.path().join("old.eml"), folder.path().join("new.eml"));
/// fs::write(&old, "Subject: old\n\n")?;
/// fs::write(&new, "Subject: there\n\n")?;
/// let convert = |existing| {
///     Convert::new(&old, &new).existing(existing).run(&AtomicBool::new(false), |_| ())
/// };
/// assert!(convert(Existing::Refuse)?.is_in_the_way);
/// convert(Existing::Replace)?;
/// assert_eq!(fs::read(&new)?, b"Subject: old\n\n");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Existing {
    /// Keep them, and report an error.
    Refuse,
    /// Replace them.
    Replace,
    /// Keep the files of an interrupted run. Any other file is an error, unless it has the octets
    /// to be written.
    Resume,
}
