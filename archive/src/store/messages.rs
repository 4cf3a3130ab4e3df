//! The messages of one source.

use std::fmt;
use std::io::Read;

use super::source::MailSource;
use crate::error::Error;
use crate::format::Format;
use crate::mbox::{self, Dialect, Stored};

impl MailSource {
    /// The messages of the source, in order.
    ///
    /// # Errors
    ///
    /// As for [`open`](MailSource::open), both here and while reading.
    pub fn messages(&self) -> Result<Messages, Error> {
        // A single message is one entry, which begins at 0.
        let has_start = self.within.as_ref().is_none_or(|it| it.contains(&0));
        let contents = match self.format {
            Format::Message | Format::Mh if has_start => Contents::Alone(self.open()?),
            Format::Mbox => Contents::Mbox(Box::new(self.mailbox()?.longest(self.limits.message))),
            Format::Message | Format::Mh | Format::Maildir | Format::Other => Contents::Nothing,
        };
        Ok(Messages {
            source: self.clone(),
            contents,
            is_mboxcl2: None,
            is_whole: false,
        })
    }

    /// Like [`messages`](MailSource::messages), including entries without a message, such as the
    /// options of an empty Babyl mailbox, so that every octet of the file is covered.
    pub(crate) fn entries(&self) -> Result<Messages, Error> {
        Ok(Messages {
            is_whole: true,
            ..self.messages()?
        })
    }
}

/// The messages of one source; made by [`MailSource::messages`].
///
/// ```
/// use mime_charset_archive::{Limits, sources};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let file = folder.path().join("inbox");
/// std::fs::write(&file, "From - Sat Jan  3 01:05:34 1996\n\n>From me").unwrap();
/// let source = sources(&file, Limits::new()).next().unwrap().unwrap();
/// let mut messages = source.messages().unwrap();
/// assert_eq!(*messages.next().unwrap().unwrap().message(), *b"\nFrom me");
/// assert!(messages.next().is_none());
/// ```
pub struct Messages {
    source: MailSource,
    contents: Contents,
    is_mboxcl2: Option<bool>,
    /// Whether to return entries without a message.
    is_whole: bool,
}

enum Contents {
    /// One entry, which is the whole file.
    Alone(Box<dyn Read + Send>),
    Mbox(Box<mbox::Reader<Box<dyn Read + Send>>>),
    Nothing,
}

impl Iterator for Messages {
    type Item = Result<Stored, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.contents {
            Contents::Mbox(messages) => {
                let is_whole = self.is_whole;
                let is_wanted = |next: &Result<Stored, Error>| {
                    is_whole || !next.as_ref().is_ok_and(Stored::is_no_message)
                };
                Some(match messages.find(is_wanted)? {
                    Ok(stored) => self.resolve_dialect(stored),
                    Err(error) => Err(self.source.with_name(error)),
                })
            }
            contents => match std::mem::replace(contents, Contents::Nothing) {
                Contents::Alone(reader) if self.is_whole || self.source.format != Format::Mh => {
                    Some(self.alone(reader))
                }
                _ => None,
            },
        }
    }
}

impl Messages {
    fn alone(&self, reader: impl Read) -> Result<Stored, Error> {
        let longest = self.source.limits.message;
        let mut octets = Vec::with_capacity(self.source.initial_capacity());
        let most = (longest as u64).saturating_add(1);
        reader
            .take(most)
            .read_to_end(&mut octets)
            .map_err(|error| self.source.unread(error))?;
        if octets.len() > longest {
            let what = format!("expected messages of at most {longest} octets, found a longer one");
            return Err(self.source.failed(&what));
        }
        if self.source.format == Format::Mh {
            return Ok(Stored::without_message(octets));
        }
        let offset = self.source.wrapped.map_or(0, |wrapped| wrapped.offset);
        Ok(Stored::single(octets, offset))
    }

    /// A single message cannot distinguish mboxcl from mboxcl2, so the whole file is read once.
    fn resolve_dialect(&mut self, stored: Stored) -> Result<Stored, Error> {
        if stored.entry().dialect() != Dialect::Mboxcl {
            return Ok(stored);
        }
        let is_mboxcl2 = match self.is_mboxcl2 {
            Some(known) => known,
            None => mbox::is_mboxcl2(self.source.open()?)
                .map_err(|error| self.source.with_name(error))?,
        };
        self.is_mboxcl2 = Some(is_mboxcl2);
        Ok(if is_mboxcl2 {
            stored.with_dialect(Dialect::Mboxcl2)
        } else {
            stored
        })
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages")
            .field("source", &self.source)
            .finish_non_exhaustive()
    }
}
