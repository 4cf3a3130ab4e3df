//! Iterates over the messages of an archive.

use std::iter;
use std::sync::Arc;

use super::place::Place;
use crate::error::Error;
use crate::format::Format;
use crate::mbox::Stored;
use crate::store::{MailSource, MailSources, Messages, UnreadSource};

/// An item of [`MailSources::messages`].
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use mime_charset_archive::{ArchiveItem, Limits, sources};
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// std::fs::write(folder.join("1.mbox"), "From - Sat Jan  3 01:05:34 1996\nSubject: one\n\nHello\n\n")?;
/// std::fs::write(folder.join("notes"), "no mail")?;
/// for item in sources(folder, Limits::new()).messages() {
///     match item {
///         ArchiveItem::Message(source, stored) => {
///             assert!(source.path().ends_with("1.mbox"));
///             assert_eq!(*stored.message(), *b"Subject: one\n\nHello\n");
///         }
///         ArchiveItem::NoMail(source) => assert!(source.path().ends_with("notes")),
///         ArchiveItem::Failed(_, error) => return Err(error.into()),
///         other => panic!("{other:?}"),
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ArchiveItem {
    /// A message, and the file or member that contains it.
    Message(Arc<MailSource>, Stored),
    /// A file that is not mail, was left out by the [`Selection`](crate::Selection), or is
    /// [undelivered](MailSource::is_undelivered).
    NoMail(Arc<MailSource>),
    /// A file, a folder or a message of a file that cannot be read. More messages of the file may
    /// follow.
    Failed(Arc<MailSource>, Error),
    /// The next message is the first of its mailbox whose octets may differ from the delivered ones
    /// ([`decoded_by_rmail`](Stored::decoded_by_rmail)): a sentence that names it.
    Doubtful(String),
}

impl MailSources {
    /// Reads the messages of all sources. A file named by the caller is read as a message even if it
    /// does not look like one.
    ///
    /// ```
    /// use mime_charset_archive::{ArchiveItem, Limits, sources};
    ///
    /// let items: Vec<_> = sources("Cargo.toml".as_ref(), Limits::new()).messages().collect();
    /// assert!(matches!(&items[..], [ArchiveItem::Message(..)]));
    /// ```
    pub fn messages(self) -> impl Iterator<Item = ArchiveItem> + Send {
        self.or_unread().flat_map(messages)
    }
}

fn messages(
    source: Result<MailSource, UnreadSource>,
) -> Box<dyn Iterator<Item = ArchiveItem> + Send> {
    let once = |item| Box::new(iter::once(item));
    let source = match source {
        Ok(source) if source.format() != Format::Other => source,
        Ok(source) if source.is_named() => source.as_message(),
        Ok(source) => return once(ArchiveItem::NoMail(Arc::new(source))),
        Err(UnreadSource { source, error }) => {
            return once(ArchiveItem::Failed(source.into(), error));
        }
    };
    match source.messages() {
        Ok(messages) => Box::new(in_source(Arc::new(source), messages)),
        Err(error) => once(ArchiveItem::Failed(Arc::new(source), error)),
    }
}

fn in_source(source: Arc<MailSource>, messages: Messages) -> impl Iterator<Item = ArchiveItem> {
    let mut is_reported = false;
    messages
        .flat_map(move |stored| {
            let stored = match stored {
                Ok(stored) => stored,
                Err(error) => return [None, Some(ArchiveItem::Failed(Arc::clone(&source), error))],
            };
            // Report only the first: one such message prevents the conversion of its mailbox.
            let error = (!is_reported).then(|| stored.decoded_by_rmail()).flatten();
            is_reported |= error.is_some();
            let sentence = error.map(|error| format!("{}: {error}", Place(&source, &stored)));
            let message = ArchiveItem::Message(Arc::clone(&source), stored);
            [sentence.map(ArchiveItem::Doubtful), Some(message)]
        })
        .flatten()
}
