//! The messages that paths name.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use mime_charset::archive::Limits;
use mime_charset::archive::mbox::Stored;
use mime_charset::{Message, archive};

use super::{End, Stop, complain};

/// The octets of a file, or of standard input where there is none or it is `-`.
pub(super) fn read(file: Option<&Path>) -> Result<Vec<u8>, Stop> {
    match file {
        Some(path) if path != Path::new("-") => Ok(archive::read(path)?),
        _ => {
            let mut octets = Vec::new();
            io::stdin()
                .read_to_end(&mut octets)
                .map_err(|error| Stop::Sentence(standard_input_failed(&error)))?;
            Ok(octets)
        }
    }
}

/// What the input is called in sentences.
pub(super) fn called(file: Option<&Path>) -> Cow<'_, str> {
    match file {
        Some(path) if path != Path::new("-") => path.to_string_lossy(),
        _ => "standard input".into(),
    }
}

/// Reads every message that the paths name, with its place in its file.
pub(crate) fn each_message(
    paths: &[PathBuf],
    mut act: impl FnMut(&Place<'_>, &Message<'_>) -> Result<(), Stop>,
) -> Result<End, Stop> {
    let mut end = End::Done;
    each_stored(
        paths,
        |said| {
            match said {
                Said::Failure(sentence) => {
                    complain(&sentence);
                    end = End::Failed;
                }
                Said::LeftOut(sentence) => complain(&sentence),
            }
            Ok(())
        },
        |path, stored| {
            let index = stored.ordinal();
            let octets = stored.message();
            act(&Place { path, index }, &Message::parse(&octets))
        },
    )?;
    Ok(end)
}

/// What a person is told while messages are read.
pub(super) enum Said {
    /// A file, or what follows in it, cannot be read.
    Failure(String),
    /// Which files are no mail.
    LeftOut(String),
}

/// Reads every message that the paths name, as it is stored, with the path of its file.
///
/// A file that cannot be read is reported, and the next one is read. A file named on the command line
/// is read as a message even if it does not look like one. In a folder or a zip file such a file is left
/// out, and reported at the end.
pub(super) fn each_stored<E>(
    paths: &[PathBuf],
    mut tell: impl FnMut(Said) -> Result<(), E>,
    mut act: impl FnMut(&Arc<str>, Stored) -> Result<(), E>,
) -> Result<(), E> {
    let mut left_out = LeftOut::default();
    for path in paths {
        let sources = if path == Path::new("-") {
            match archive::stream(io::stdin().lock(), path, Limits::new()) {
                Ok(sources) => sources,
                Err(error) => {
                    tell(Said::Failure(standard_input_failed(&error)))?;
                    continue;
                }
            }
        } else {
            archive::sources(path, Limits::new())
        };
        for source in sources {
            let source = match source {
                Ok(source) if source.format() != archive::Format::Other => source,
                Ok(source) if source.is_named() => source.as_message(),
                Ok(source) => {
                    left_out.add(&source);
                    continue;
                }
                Err(error) => {
                    tell(Said::Failure(error.to_string()))?;
                    continue;
                }
            };
            let messages = match source.messages() {
                Ok(messages) => messages,
                Err(error) => {
                    tell(Said::Failure(error.to_string()))?;
                    continue;
                }
            };
            let path = source.to_string().into();
            for stored in messages {
                match stored {
                    Ok(stored) => act(&path, stored)?,
                    Err(error) => tell(Said::Failure(error.to_string()))?,
                }
            }
        }
    }
    if left_out.count > 0 {
        tell(Said::LeftOut(left_out.to_string()))?;
    }
    Ok(())
}

fn standard_input_failed(error: &io::Error) -> String {
    format!("cannot read standard input: {error}")
}

/// Files that are not mail.
#[derive(Default)]
struct LeftOut {
    count: u64,
    first: Vec<String>,
}

impl LeftOut {
    /// How many of them are named.
    const SHOWN: usize = 3;

    fn add(&mut self, source: &archive::MailSource) {
        self.count += 1;
        if self.first.len() < Self::SHOWN {
            self.first.push(source.to_string());
        }
    }
}

/// One sentence.
impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let were = match self.count {
            1 => "1 file that is no mail was".to_owned(),
            count => format!("{count} files that are no mail were"),
        };
        write!(f, "{were} left out: {}", self.first.join(", "))?;
        match self.count - self.first.len() as u64 {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Where a message stands.
pub(crate) struct Place<'p> {
    pub(super) path: &'p str,
    pub(super) index: u64,
}

/// The path, and behind the first message of a file its number.
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
