//! Reads the messages in paths.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use mime_charset::Message;
use mime_charset_archive::{Limits, stream_as};

use super::how::ReadAs;
use super::{End, Stop, complain};

/// Reads a file; standard input if there is none or it is `-`.
pub(super) fn read(file: Option<&Path>) -> Result<Vec<u8>, Stop> {
    match file {
        Some(path) if path != Path::new("-") => Ok(mime_charset_archive::read(path)?),
        _ => {
            let mut octets = Vec::new();
            io::stdin()
                .read_to_end(&mut octets)
                .map_err(|error| Stop::Sentence(standard_input_failed(&error)))?;
            Ok(octets)
        }
    }
}

/// The name of the input in messages.
pub(super) fn called(file: Option<&Path>) -> Cow<'_, str> {
    match file {
        Some(path) if path != Path::new("-") => path.to_string_lossy(),
        _ => "standard input".into(),
    }
}

/// Reads every message in the paths, with its index in its file.
///
/// A file that cannot be read is reported, and the next one is read. A file named on the command
/// line is read as a message even if it does not look like one. In a folder, a zip file or a tar
/// file such a file is skipped, and reported at the end. In a mailbox, the first message whose
/// octets may differ from those delivered is reported.
pub(crate) fn each_message(
    paths: &[PathBuf],
    read_as: &ReadAs,
    mut act: impl FnMut(&Place<'_>, &Message<'_>) -> Result<(), Stop>,
) -> Result<End, Stop> {
    let mut end = End::Done;
    let mut tell = |sentence: &str| {
        complain(sentence);
        end = End::Failed;
    };
    let mut left_out = LeftOut::default();
    let selection = read_as.selection();
    for path in paths {
        let sources = if path == Path::new("-") {
            match stream_as(io::stdin().lock(), path, &selection, Limits::new()) {
                Ok(sources) => sources,
                Err(error) => {
                    tell(&standard_input_failed(&error));
                    continue;
                }
            }
        } else {
            mime_charset_archive::sources(path, Limits::new()).select(&selection)
        };
        for source in sources {
            let source = match source {
                Ok(source) if source.format() != mime_charset_archive::Format::Other => source,
                Ok(source) if source.is_named() => source.as_message(),
                Ok(source) => {
                    left_out.add(&source.to_string());
                    continue;
                }
                Err(error) => {
                    tell(&error.to_string());
                    continue;
                }
            };
            let messages = match source.messages() {
                Ok(messages) => messages,
                Err(error) => {
                    tell(&error.to_string());
                    continue;
                }
            };
            let path = source.to_string();
            let mut decoded = None;
            for stored in messages {
                match stored {
                    Ok(stored) => {
                        let index = stored.ordinal();
                        let place = Place { path: &path, index };
                        let octets = stored.message();
                        act(&place, &Message::parse(&octets))?;
                        if decoded.is_none() {
                            let error = stored.decoded_by_rmail();
                            decoded = error.map(|error| format!("{place}: {error}"));
                        }
                    }
                    Err(error) => tell(&error.to_string()),
                }
            }
            if let Some(sentence) = decoded {
                complain(&sentence);
            }
        }
    }
    if let Some(sentence) = left_out.sentence() {
        complain(&sentence);
    }
    Ok(end)
}

/// The error of a stream without a name. The library's error calls it `-`; the cause is the
/// system's error.
pub(super) fn standard_input_failed(error: &(dyn std::error::Error + 'static)) -> String {
    let cause = error.source().unwrap_or(error);
    format!("cannot read standard input: {cause}")
}

/// Files that are not mail.
#[derive(Default)]
pub(super) struct LeftOut {
    count: u64,
    first: Vec<String>,
}

impl LeftOut {
    /// Maximum number of files that are named.
    const SHOWN: usize = 3;

    pub(super) fn add(&mut self, path: &str) {
        self.count += 1;
        if self.first.len() < Self::SHOWN {
            self.first.push(path.to_owned());
        }
    }

    /// Their number, and the first of them; `None` if there are none.
    pub(super) fn sentence(&self) -> Option<String> {
        let files = match self.count {
            0 => return None,
            1 => "1 file that is".to_owned(),
            count => format!("{count} files that are"),
        };
        let first = self.first.join(", ");
        let more = match self.count - self.first.len() as u64 {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("skipped {files} not mail: {first}{more}"))
    }
}

/// The place of a message.
pub(crate) struct Place<'p> {
    pub(super) path: &'p str,
    pub(super) index: u64,
}

/// The path, and an index for all messages of a file but the first.
impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.path)?;
        if self.index > 0 {
            write!(f, "#{}", self.index)
        } else {
            Ok(())
        }
    }
}
