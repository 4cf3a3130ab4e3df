//! The result of a comparison of source and destination.

use std::fmt;

use super::summary::counted;

/// The number of results that [`Verify`](super::Verify) found correct, and of errors.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::{fs, sync::atomic::AtomicBool};
/// use mime_charset_archive::{Convert, Verify};
///
/// # let folder = tempfile::tempdir()?;
/// let (old, new) = (folder.path().join("old.eml"), folder.path().join("new.eml"));
/// fs::write(&old, "Subject: =?koi8-r?Q?=F0?=\n\nText\n")?;
/// let never = AtomicBool::new(false);
/// Convert::new(&old, &new).run(&never, |_| ())?;
/// let proof = Verify::new(&old, &new).run(&never, |_| ())?;
/// assert!(proof.holds());
/// assert_eq!((proof.files, proof.messages), (1, 1));
/// assert_eq!((proof.fields, proof.parts, proof.relabelled), (1, 0, 0));
/// // All but the encoded word: `Subject: `, the line endings and the text.
/// assert_eq!(proof.unchanged, 9 + 2 + 5);
/// assert_eq!((proof.second_readings, proof.left_out, proof.accepted_unread), (1, 0, 0));
///
/// fs::remove_file(&new)?;
/// let proof = Verify::new(&old, &new).run(&never, |_| ())?;
/// assert_eq!((proof.messages, proof.mismatches, proof.unread), (0, 1, 0));
/// assert!(!proof.holds() && !proof.is_cancelled);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Proof {
    /// The number of correct files.
    pub files: u64,
    /// The number of correct messages.
    pub messages: u64,
    /// The number of octets that are equal in source and destination.
    pub unchanged: u64,
    /// The number of changed fields with the same text.
    pub fields: u64,
    /// The number of changed parts with the same text.
    pub parts: u64,
    /// The number of parts with a new label and unchanged octets.
    pub relabelled: u64,
    /// The number of changed fields and parts that mailparse decodes to the same text as this
    /// library.
    pub second_readings: u64,
    /// The number of files that differ, are missing, or do not belong to the source (such as files
    /// of an unfinished run). Each was an [`Event::Mismatch`](super::Event::Mismatch).
    pub mismatches: u64,
    /// The number of files that could not be read; each was an
    /// [`Event::Failed`](super::Event::Failed).
    pub unread: u64,
    /// The number of files and folders that the conversion left out, by the caller's choice or by
    /// the report.
    pub left_out: u64,
    /// The number of files that the conversion could not read, accepted as unread by the caller or
    /// the report.
    pub accepted_unread: u64,
    /// Whether the run was cancelled before everything was compared.
    pub is_cancelled: bool,
}

impl Proof {
    /// Whether everything was compared and is correct; also true without messages.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.mismatches == 0 && self.unread == 0 && !self.is_cancelled
    }

    /// Adds the proof of another [share](super::Verify::share) of the same archive, or of the
    /// [rest](super::Verify::rest).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use std::{fs, sync::atomic::AtomicBool};
    /// use mime_charset_archive::{Convert, Proof, Verify};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// let (old, new) = (folder.path().join("old.eml"), folder.path().join("new.eml"));
    /// fs::write(&old, "Subject: one\n\n")?;
    /// let never = AtomicBool::new(false);
    /// Convert::new(&old, &new).run(&never, |_| ())?;
    /// let one = Verify::new(&old, &new).run(&never, |_| ())?;
    /// let mut both = Proof::default();
    /// both.add(&one);
    /// both.add(&one);
    /// assert_eq!(both.messages, 2);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add(&mut self, other: &Proof) {
        self.files += other.files;
        self.messages += other.messages;
        self.unchanged += other.unchanged;
        self.fields += other.fields;
        self.parts += other.parts;
        self.relabelled += other.relabelled;
        self.second_readings += other.second_readings;
        self.mismatches += other.mismatches;
        self.unread += other.unread;
        self.left_out += other.left_out;
        self.accepted_unread += other.accepted_unread;
        self.is_cancelled |= other.is_cancelled;
    }
}

/// Formats one sentence about the correct results.
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&counted(self.messages, "message"))?;
        if self.files > 0 {
            write!(f, " in {}", counted(self.files, "file"))?;
        }
        write!(
            f,
            "; {} unchanged; {} and {} changed, with the same text (mailparse agrees on {}); \
             {} relabelled",
            counted(self.unchanged, "octet"),
            counted(self.fields, "field"),
            counted(self.parts, "part"),
            self.second_readings,
            counted(self.relabelled, "part"),
        )?;
        match self.left_out {
            0 => {}
            1 => f.write_str("; 1 file or folder was left out")?,
            count => write!(f, "; {count} files or folders were left out")?,
        }
        match self.accepted_unread {
            0 => Ok(()),
            count => write!(f, "; {} accepted unread", counted(count, "file")),
        }
    }
}
