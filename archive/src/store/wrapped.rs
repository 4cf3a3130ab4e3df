//! A file that wraps one message in other octets.

use std::ffi::OsStr;
use std::io::{self, BufReader, Read};
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

impl Wrapper {
    /// Recognizes the form by the file's start and name; also returns the offset of the message.
    pub(super) fn of(head: &[u8], name: &Path) -> Option<(Self, usize)> {
        let is_emlx = has_extension(name, &["emlx"]);
        // Dovecot names such a file `u.` and the message number; files with several messages are
        // `m.` and a number.
        let is_dbox = name.file_stem() == Some(OsStr::new("u"));
        let wrapper = match (is_emlx, is_dbox) {
            (true, _) => Wrapper::Emlx,
            (_, true) => Wrapper::Dbox,
            _ => return None,
        };
        let (_, offset) = wrapper.begin(head)?;
        Some((wrapper, offset))
    }

    /// The length of the message, and its offset.
    fn begin(self, head: &[u8]) -> Option<(u64, usize)> {
        match self {
            Wrapper::Emlx => emlx::begin(head),
            Wrapper::Dbox => dbox::begin(head),
        }
    }

    /// The file name for the message alone.
    pub(super) fn result_name(self, name: &Path) -> PathBuf {
        match self {
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
    pub(super) fn open(self, source: impl Read) -> io::Result<impl Read> {
        let longest = match self {
            Wrapper::Emlx => emlx::LONGEST_LINE,
            Wrapper::Dbox => dbox::LONGEST_START,
        };
        let mut source = BufReader::new(source);
        let mut start = Vec::new();
        (&mut source).take(longest as u64).read_to_end(&mut start)?;
        let Some((left, offset)) = self.begin(&start) else {
            return Err(io::Error::other(
                "its start does not have the length of its message",
            ));
        };
        let read = io::Cursor::new(start.split_off(offset));
        Ok(Wrapped {
            source: read.chain(source),
            left,
            wrapper: self,
            is_checked: false,
        })
    }
}

struct Wrapped<R> {
    source: R,
    left: u64,
    wrapper: Wrapper,
    is_checked: bool,
}

impl<R: Read> Wrapped<R> {
    /// Fails unless only the program's own data follow.
    fn check_rest(&mut self) -> io::Result<()> {
        let most = match self.wrapper {
            Wrapper::Emlx => emlx::MOST_REST,
            Wrapper::Dbox => dbox::MOST_REST,
        };
        let mut rest = Vec::new();
        (&mut self.source).take(most).read_to_end(&mut rest)?;
        let checked = match self.wrapper {
            Wrapper::Emlx => emlx::check_rest(&rest),
            Wrapper::Dbox => dbox::check_rest(&rest),
        };
        checked.map_err(io::Error::other)
    }
}

impl<R: Read> Read for Wrapped<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = (&mut self.source).take(self.left).read(buffer)?;
        self.left -= length as u64;
        if length == 0 && !buffer.is_empty() {
            if self.left > 0 {
                return Err(io::Error::other(
                    "its message is shorter than its start says",
                ));
            }
            if !self.is_checked {
                self.check_rest()?;
                self.is_checked = true;
            }
        }
        Ok(length)
    }
}
