//! The messages that paths name.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use mime_charset::archive::Limits;
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
                .map_err(|error| Stop::Sentence(format!("cannot read standard input: {error}")))?;
            Ok(octets)
        }
    }
}

/// Reads every message that the paths name, with its place in its file. What cannot be read
/// is told, and the rest goes on.
pub(crate) fn each_message(
    paths: &[PathBuf],
    mut act: impl FnMut(&Place<'_>, &Message<'_>) -> Result<(), Stop>,
) -> Result<End, Stop> {
    let mut end = End::Done;
    let mut tell = |sentence: &str| {
        complain(sentence);
        end = End::Failed;
    };
    for path in paths {
        if path == Path::new("-") {
            let octets = read(None)?;
            act(
                &Place {
                    path: "-",
                    index: 0,
                },
                &Message::parse(&octets),
            )?;
            continue;
        }
        for source in archive::sources(path, Limits::new()) {
            match source.and_then(|source| Ok((whole(&source)?, source))) {
                Ok((Some(octets), source)) => {
                    let path = source.to_string();
                    act(
                        &Place {
                            path: &path,
                            index: 0,
                        },
                        &Message::parse(&octets),
                    )?;
                }
                Ok((None, source)) => {
                    let path = source.to_string();
                    for stored in source.messages()? {
                        match stored {
                            Ok(stored) => {
                                let index = stored.ordinal();
                                let octets = stored.message();
                                act(&Place { path: &path, index }, &Message::parse(&octets))?;
                            }
                            Err(error) => tell(&error.to_string()),
                        }
                    }
                }
                Err(error) => tell(&error.to_string()),
            }
        }
    }
    Ok(end)
}

/// The octets of a source that is one message. What looks like no mail at all is shown as one
/// too: the person who named it knows better.
fn whole(source: &archive::Source) -> Result<Option<Vec<u8>>, mime_charset::Error> {
    match source.kind() {
        archive::Kind::Other => archive::read(source.path()).map(Some),
        _ => Ok(None),
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
