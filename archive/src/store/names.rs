//! The names of a source, as data.

use std::borrow::Cow;
use std::path::Path;

use super::source::MailSource;

/// The names of a file with messages, or of a member of a zip or tar file. Serialized with serde,
/// octets are hexadecimal digits, and `None` is omitted.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mime_charset_archive::{Limits, SourceNames, sources};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("old.zip");
/// # let mut zip = zip::ZipWriter::new(std::fs::File::create(&path)?);
/// # zip.start_file("1.eml", zip::write::SimpleFileOptions::default())?;
/// # std::io::Write::write_all(&mut zip, b"Subject: one\n\n")?;
/// # zip.finish()?;
/// let source = sources(&path, Limits::new()).next().unwrap()?;
/// let names: SourceNames<'_> = source.names();
/// let container = path.to_str().unwrap();
/// assert_eq!(names.path, format!("1.eml in {container}"));
/// assert_eq!(names.container.as_deref(), Some(container));
/// assert_eq!((names.member, names.path_octets, names.member_octets), (Some("1.eml"), None, None));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SourceNames<'s> {
    /// The path for display; for a member, `MEMBER in CONTAINER`.
    pub path: String,
    /// For a member, the path of the zip or tar file.
    pub container: Option<Cow<'s, str>>,
    /// The name of the member in it.
    pub member: Option<&'s str>,
    /// The octets of the file's path on disk, if it is not UTF-8.
    pub path_octets: Option<&'s [u8]>,
    /// The octets of the member's name in the zip or tar file, if they differ from `member`.
    pub member_octets: Option<&'s [u8]>,
}

impl MailSource {
    /// The names of the file, or of the member and its container.
    ///
    /// ```
    /// use mime_charset_archive::{Limits, sources};
    ///
    /// let path = "../corpus/archive/mboxrd.mbox";
    /// let source = sources(path.as_ref(), Limits::new()).next().unwrap().unwrap();
    /// assert_eq!((&*source.names().path, source.names().container), (path, None));
    /// ```
    #[must_use]
    pub fn names(&self) -> SourceNames<'_> {
        let member = self.member.as_ref();
        SourceNames {
            path: self.to_string(),
            container: member.map(|_| self.path.to_string_lossy()),
            member: member.map(|member| &*member.name),
            path_octets: path_octets(&self.path),
            member_octets: member.and_then(|member| member.raw.as_deref()),
        }
    }
}

/// The octets of a path, if they are not UTF-8.
pub(crate) fn path_octets(path: &Path) -> Option<&[u8]> {
    let path = path.as_os_str();
    path.to_str().is_none().then_some(path.as_encoded_bytes())
}
