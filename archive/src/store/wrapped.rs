//! A file that wraps one message in other octets.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::{dbox, emlx};
use crate::format::has_extension;

/// The form of a file that wraps a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrapper {
    /// Apple Mail.
    Emlx,
    /// Dovecot's single-dbox.
    Dbox,
}

/// The place of a wrapped message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrapped {
    pub(super) form: Wrapper,
    pub(super) offset: usize,
    length: u64,
}

impl Wrapped {
    /// Recognizes the form by the file's start and name.
    pub(super) fn of(head: &[u8], name: &Path) -> Option<Self> {
        // Dovecot names such a file `u.` and the message number; files with several messages are
        // `m.` and a number.
        let (form, (length, offset)) = if has_extension(name, &["emlx"]) {
            (Wrapper::Emlx, emlx::begin(head)?)
        } else if name.file_stem() == Some(OsStr::new("u")) {
            (Wrapper::Dbox, dbox::begin(head)?)
        } else {
            return None;
        };
        Some(Wrapped {
            form,
            offset,
            length,
        })
    }

    /// The file name for the message alone.
    pub(super) fn result_name(self, name: &Path) -> PathBuf {
        match self.form {
            Wrapper::Emlx => name.with_extension("eml"),
            Wrapper::Dbox => {
                let mut name = name.as_os_str().to_owned();
                name.push(".eml");
                name.into()
            }
        }
    }

    /// Opens the message in a file of this form.
    ///
    /// Reading fails at the end if the file is shorter than its start declares, or if anything but
    /// the program's own data follows: the declared length is then wrong, and the rest may be mail.
    pub(super) fn open(self, mut source: impl Read) -> io::Result<impl Read> {
        let start = self.offset as u64;
        io::copy(&mut source.by_ref().take(start), &mut io::sink())?;
        Ok(WrappedMessage {
            source,
            left: self.length,
            unchecked: Some(self.form),
        })
    }
}

struct WrappedMessage<R> {
    source: R,
    left: u64,
    /// The form, until the octets after the message were checked.
    unchecked: Option<Wrapper>,
}

/// Fails unless only the program's own data follow.
fn check_rest(form: Wrapper, source: impl Read) -> io::Result<()> {
    /// Number of octets read after the message.
    const MOST: u64 = 64 << 10;
    let mut rest = Vec::new();
    source.take(MOST).read_to_end(&mut rest)?;
    let checked = match form {
        Wrapper::Emlx => emlx::check_rest(&rest),
        Wrapper::Dbox => dbox::check_rest(&rest),
    };
    checked.map_err(io::Error::other)
}

impl<R: Read> Read for WrappedMessage<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let too_short = "its message is shorter than its start says";
        let length = read_part(&mut self.source, &mut self.left, buffer, too_short)?;
        if length == 0
            && !buffer.is_empty()
            && let Some(form) = self.unchecked.take()
        {
            check_rest(form, &mut self.source)?;
        }
        Ok(length)
    }
}

/// Reads at most `left` octets and subtracts their number from `left`. Fails if the source ends first.
pub(super) fn read_part(
    source: &mut impl Read,
    left: &mut u64,
    buffer: &mut [u8],
    too_short: &'static str,
) -> io::Result<usize> {
    let length = source.take(*left).read(buffer)?;
    if length == 0 && *left > 0 && !buffer.is_empty() {
        return Err(io::Error::other(too_short));
    }
    *left -= length as u64;
    Ok(length)
}
