//! What a comparison of source and destination has found to hold.

use std::fmt;

use super::summary::counted;

/// What was found to hold, and how much was not; [`Verify`](super::Verify) gives it.
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
/// assert_eq!((proof.files(), proof.messages()), (1, 1));
/// assert_eq!((proof.fields(), proof.parts(), proof.relabelled()), (1, 0, 0));
/// // All but the word: `Subject: `, the line ends and the text.
/// assert_eq!(proof.unchanged(), 9 + 2 + 5);
/// assert_eq!(proof.second_readings(), 1);
///
/// fs::remove_file(&new)?;
/// let proof = Verify::new(&old, &new).run(&never, |_| ())?;
/// assert_eq!((proof.messages(), proof.mismatches(), proof.unread()), (0, 1, 0));
/// assert!(!proof.holds() && !proof.is_cancelled());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Proof {
    pub(super) files: u64,
    pub(super) messages: u64,
    pub(super) unchanged: u64,
    pub(super) fields: u64,
    pub(super) parts: u64,
    pub(super) relabelled: u64,
    pub(super) second_readings: u64,
    pub(super) mismatches: u64,
    pub(super) unread: u64,
    pub(super) is_cancelled: bool,
}

impl Proof {
    /// Whether all was compared, and all is as it has to be. Where there are no messages, nothing is
    /// wrong with them.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.mismatches == 0 && self.unread == 0 && !self.is_cancelled
    }

    /// How many files are as they have to be.
    #[must_use]
    pub fn files(&self) -> u64 {
        self.files
    }

    /// How many messages are as they have to be.
    #[must_use]
    pub fn messages(&self) -> u64 {
        self.messages
    }

    /// How many octets are the same in source and destination.
    #[must_use]
    pub fn unchanged(&self) -> u64 {
        self.unchanged
    }

    /// How many fields were changed, and say the same.
    #[must_use]
    pub fn fields(&self) -> u64 {
        self.fields
    }

    /// How many parts were changed, and say the same.
    #[must_use]
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// How many parts have another label, and the same octets.
    #[must_use]
    pub fn relabelled(&self) -> u64 {
        self.relabelled
    }

    /// How many of the changed fields and parts mailparse reads as this library does.
    #[must_use]
    pub fn second_readings(&self) -> u64 {
        self.second_readings
    }

    /// How many files are not as they have to be; each was an
    /// [`Event::Mismatch`](super::Event::Mismatch).
    #[must_use]
    pub fn mismatches(&self) -> u64 {
        self.mismatches
    }

    /// How many files could not be read; each was an [`Event::Failed`](super::Event::Failed).
    #[must_use]
    pub fn unread(&self) -> u64 {
        self.unread
    }

    /// Whether somebody asked the run to end before all was compared.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    /// Counts what another [share](super::Verify::share) of the same archive has, or the
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
    /// assert_eq!(both.messages(), 2);
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
        self.is_cancelled |= other.is_cancelled;
    }
}

/// One sentence, of what was found to hold.
impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} in {} are there; {} the same; {} and {} were changed, {} labelled anew, \
             and say the same, of which mailparse reads {} as we do",
            counted(self.messages, "message"),
            counted(self.files, "file"),
            counted(self.unchanged, "octet"),
            counted(self.fields, "field"),
            counted(self.parts, "part"),
            counted(self.relabelled, "part"),
            self.second_readings,
        )
    }
}
