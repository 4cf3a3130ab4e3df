//! What is done about files that are there already.

/// What is done about files that are there already.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mime_charset::archive::{Destination, Existing};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// std::fs::write(folder.join("a.eml"), "Subject: there\n\n")?;
/// let create = |existing| {
///     let mut destination = Destination::new("src".as_ref(), folder, existing, "")?;
///     let created = destination.create("a.eml".as_ref()).is_ok();
///     destination.finish().map(|()| created)
/// };
/// assert_eq!(create(Existing::Refuse), Ok(false));
/// assert_eq!(create(Existing::Replace), Ok(true));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Existing {
    /// They stay, and are an error.
    Refuse,
    /// They are replaced.
    Replace,
    /// Those that an interrupted run has finished stay and are done; others are an error, unless
    /// they are octet for octet what is to be written.
    Resume,
}
